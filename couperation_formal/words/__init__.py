"""Sentences: the one room that makes them of what the rules find. Another language is another catalog."""
