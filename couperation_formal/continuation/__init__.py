"""The table level: does any legal continuation win? Counting reasons, search, lines."""
