"""CGN, the text form of games and positions: the grammar, reading, syntax errors in the player's words, writing."""
