"""Answers as data: the JSON form of everything that a command can say, made from what the engines found."""
