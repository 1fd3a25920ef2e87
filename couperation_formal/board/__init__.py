"""The board: a game recorded at the table by tapping, judged as it is played, in a browser on the same machine.

`draft` makes a turn of what was tapped and tells what may be tapped next, `judge` what the rules say of it; `record`
edits the text, `keeper` keeps it, the files of a folder too; `views` is the answer to each question as data, `know`
what is known of a table, asked of processes `beside`; `gate` says who gets in, `share` who watches, `app` puts them on
the net and `serve` serves it. No module states a rule.
"""
