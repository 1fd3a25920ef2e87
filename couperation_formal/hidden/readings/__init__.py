"""Rulings as variables: the set of rulebooks under which a record is legal, as a readable condition."""
