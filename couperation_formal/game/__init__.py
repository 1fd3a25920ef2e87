"""What things are, what is allowed, and from a record to its states and what it breaks."""
