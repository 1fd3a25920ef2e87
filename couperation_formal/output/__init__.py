"""How answers are shown: blocks for people, drawings, and the forms of the output. No question is known here."""
