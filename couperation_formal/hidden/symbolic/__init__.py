"""A record as a circuit over what it does not show: unseen cards, unknown marks, rulings as variables."""
