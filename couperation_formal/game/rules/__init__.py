"""What is allowed: the orders of the tower, drawing, actions, limits, the end, and one whole turn."""
