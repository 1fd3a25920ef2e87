"""What a record does not show, and rulings as variables."""
