"""Questions about a record: is it legal, why, how is it mended, what stands on the table after a turn."""
