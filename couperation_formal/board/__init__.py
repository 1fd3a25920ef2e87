"""The board: a game recorded at the table by tapping, judged as it is played, in a browser on the same machine.

`draft` makes a turn of what was tapped, `offers` and `judge` tell what may be tapped and what the rules say of it;
`record` edits the text, `keeper` keeps it, the files of a folder too; `views` is the answer to each question as data,
`gate` says who gets in, `app` puts them on the net. No module states a rule.
"""
