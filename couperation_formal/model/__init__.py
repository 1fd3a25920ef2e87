"""What things are: the board, cards, rulings, records, the state of a table, diagnostics."""
