"""The verdict on every game of a folder, as a table in pandas: python verdicts.py FOLDER > verdicts.csv."""

import sys
from pathlib import Path

import pandas

import couperation_formal as cf

items = [item for file in sorted(Path(sys.argv[1]).rglob("*.cgn")) for item in cf.read(file)]
data = [cf.report_data(cf.check(item)) for item in items if not isinstance(item, cf.Snapshot)]
rows = [(found.file, found.game, found.verdict, found.turn, " ".join(found.codes)) for found in data]
table = pandas.DataFrame(rows, columns=["file", "game", "verdict", "turn", "codes"])
print(table.astype({"turn": "Int64"}).to_csv(index=False), end="")
