"""The board: a game recorded at the table by tapping, judged as it is played, in a browser on the same machine.

`judge` makes a turn of what was tapped, tells what may be tapped next and what the rules say of it; `record` edits the
text, `keeper` keeps it, the files of a folder too; `views` is the answer to each question as data, `know` what is known
of a table, asked of processes `beside`; `gate` says who gets in, `share` who watches, `app` takes questions and edits
from the net and `serve` serves it. No module states a rule.
"""
