"""Making games: dealing, stepping, policies, complete sample games."""
