"""Texts that are no records, positions, rulebooks or messages, and short ones to be spoiled."""

from __future__ import annotations

from couperation_formal.game.rulings import MAX_BYTES, registry
from couperation_formal.notation.names import skeleton
from couperation_formal.notation.read import Malformed

HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n'
TABLE = f"{HEAD}position\n"
GAME = f"{HEAD}1. Aki A 17@f1\n2. Ben +? B 30@h1\n"
SHORT = (
    f'{HEAD}[Rules "en-2 spread=adjacent"]\n[Variant "finish"]\n[Marks "1:1 2:H"]\ndeal Aki 2 3 4\nreserve 1 50 ?\n',
    f"{GAME}3. Aki +14,9 C h1=30 !? drop 4,5 trim 7\n4. Ben D 44-30^5_?=14@h1x~26\nwin\n",
    f"{TABLE}tower 25@g1 17@f1 ~?@h1 20@f2\nhand Aki 2 3\nhand Ben ?\nreserve 1\ngone 4\ndeck 9\nturn Aki\nlast f2\n",
    f'{HEAD.replace("Ben", "Ben Cy")}[Variant "finish"]\nposition\ntower 25@g1\nfront Cy\n',
)
LINES = r"""dael Aki 1|tower 25@g1|deal Aki 1,2|deck 07|deal Cy 1|1 Aki -|1234567. Aki -|A 17@f1|1. "Aki" -|1. A 17@f1
1. Aki drop 4|1. Aki pass|1. Aki E 1@f1|1. Aki a 1@f1|1. Aki A1@f1|1. Aki 1@f1|1. Aki x.y|1. Aki + -|1. Aki +1,, -
1. Aki +1 2 -|1. Aki +1 +2 -|1. Aki A|1. Aki A 1@n9|1. Aki A 1@f8|1. Aki A 1@f|1. Aki A 1@F1|1. Aki A 1@1f|1. Aki A 1@
1. Aki A 1@*1|1. Aki A 17|1. Aki A 51@f1|1. Aki A f@f1|1. Aki A ~17@f1|1. Aki A 17@f1!|1. Aki A 17@f1x26
1. Aki A 17@f1,18@h1|1. Aki A h1=26|1. Aki C 26@h1|1. Aki C h1|1. Aki D 44-30=14|1. Aki D 44-30|1. Aki D 44=14@h1
1. Aki D 44^30=14@h1|1. Aki D 44-30+2=16@h1|1. Aki D 44-30=14@h1y|1. Aki - !!!|1. Aki - drop 5 !|1. Aki - drop
1. Aki - fill *,5|1. Aki - fill|1. Aki +*,5 -|1. Aki +5,* -|1. Aki +* 4 -|1. Aki A 2@h1 drop 5 fill 6
1. Aki - drop 5 6|1. Aki - trim 5 drop 6|1. Aki - drop 5 drop 6|1. Aki - Drop 5|1. Aki - drip 5|1. Aki - +9
1. Aki A 1@f1 B 3@h1|1. Aki - 2. Ben -|1. Aki - so what|1.|win loss|{ open|} closed|1. Aki -\nposition
1. Aki -\ndeck 1|1. Aki -\n[Event "b"]|[Event "a"] deal|[Event "a]|[Event a"]|[Event "a "b""]|["a"]|[Event "a"|[CGN
position now|position\ntower 25g1|position\ntower 25@g1\n1. Aki -|position\nhand Aki|[Rules "en-9"]
[Rules "en-2 sprad=adjacent"]|[Rules "en-2 spread=far"]|[Rules "spread=anywhere spread=anywhere"]|[Rules "en-2 bgg"]
[Variant "second"]|[Marks "51:2"]|[Marks "2:3"]|[Marks "2"]|[Marks "1:1 1:1"]|[Event "a"]\n[Event "b"]
deck 1\ndeck 1|reserve [|1. [|position\ntower ["""
TOWERS = r"""25@g1 26@g1|25@g1 25@h1|25@g1 F@h1|25@g1 20@f2|25@g1 ~20@a7|30@h1|25@g1 30@i1|25@g1 24@f1 1@m2
25@g1\nlast h1|1@a1 2@b1 3@c1 4@d1 5@e1 6@f1 25@g1 30@h1|25@g1\nturn Aki|25@g1\nskipped\nturn Aki"""
UNFIT = (
    *(("", "last -"), ("", "skipped 1"), (" no_action=skipped", "skipped 2"), (" no_action=skipped", "skipped x")),
    *(("", "last g1 laid down"), ("", "last g1 laid")),
    *((" replacements=once", "replaced maybe"), ("", "last x"), ("", "last"), ("", "skipped"), ("", "replaced")),
)
SLIPS = r"""1. Aki A 17 @ f1|1. Aki draw 2 A 1@f1|1. Aki draws 14 A 1@f1|1. Aki A 1@f1 -12|1. Aki A 1@f1 discard 5
1. Aki +1 card A 1@f1|1. Aki plays 1@f1|stock 1 2|Aki: 3 4 5
1. Aki A 1@f1 (so what)|1. Aki A 1@f1 # so|1. Aki A 1@f1 drop 5 :|1. Aki h1=26|Aki - |1) Aki -|Reserve: 1|Result: won
1. Aki\n-|1. Aki; -|1. Aki: A 17 @ f1|1. "Aki" -|1. Aki D 4-3=1@h1 x5|deck = 4
Players "Aki Ben"|1. Aki A 1–7@f1|1. Aki A 1@f1
1. Aki A 1​7@f1|1. Aki A １７＠ｆ１|1. Aki ﻿-"""
WRITTEN = (
    *(HEAD + line.replace("\\n", "\n") for line in SLIPS.replace("\n", "|").split("|")),
    HEAD + "1. Aki A 51@f1\n" * 60,
    HEAD + "deal Zo\u200be 1\n",
    '[CGN "1"]\n[Players "Aki, Ben"]\n1. Aki -\n',
    f"```\n{GAME}*\n```\n",
    "".join(f"> {line}\n" for line in GAME.splitlines()),
    f"{HEAD}deal Aki 9-10-11\n1. Aki D 44-30=14@h1 destroyed 17\n",
    HEAD.replace("\n", "\r"),
    *(HEAD + line.replace("\\n", "\n") for line in LINES.replace("\n", "|").split("|")),
    *(f"{TABLE}tower {cells}\n".replace("\\n", "\n") for cells in TOWERS.replace("\n", "|").split("|")),
    f'{HEAD}[Variant "finish"]\nposition\ntower 25@g1 20@a7\n',
    *(f'{HEAD}[Rules "ja-2.2{rule}"]\nposition\ntower 25@g1\n{line}\n' for rule, line in UNFIT),
    f'{HEAD}[Rules "en-2 draw_source=as_laid"]\nposition\ntower ~20@f1 25@g1\nlast f1 laid down\n',
)


def written(item: Malformed) -> list[str]:
    """The text without look-alikes, and what its faults have written in place of what stands there."""
    return [skeleton(item.text)] + [found.edit.replacement for found in item.diagnostics if found.edit is not None]


PROFILES = tuple(
    f'[rulebook."{name}"]\ntitle = "Ours"\n'
    + "".join(f'{each} = "{book.option(each)}"\n' for each in registry().rulings)
    for name, book in registry().rulebooks.items()
)
CONFIGURATIONS = (
    'rule = "en-2"',
    "rules = 3",
    'rules = "en-3"',
    'rules = "none.toml"',
    'marks = "../x"',
    'language = "fr"',
    'output-format = "jsn"',
    "a" * (MAX_BYTES + 1),
)
"""Configurations that are none."""

_PLAN = 'study = "s"\nsource = "games"\nquestions = ["winnable"]\nrulebooks = ["en-2"]\n'
PLANS = (
    *("a" * (MAX_BYTES + 1), 'study = ""', 'rulebooks = "en-2"', "seeds = 3", "count = 0", "players = [9]", ""),
    *(_PLAN.replace(*each) for each in (('"s"', '"a b"'), ("winnable", "winable"), ("en-2", "en-3"))),
    *(_PLAN + line for line in ('files = ["a"]', f"count = {1 << 50}", 'rulebooks = ["x"]', 'changes = ["x"]')),
    _PLAN.replace("games", "deals") + "turns = [1]",
)
"""Plans that are none."""

RULEBOOKS = (
    *(
        "title = 3",
        'base = "ja-9"',
        "base = 1.5",
        'sprad = "far"',
        'spread = "far"',
        "spread = [1]",
        "spread = true",
        "spread = {a = 1}",
    ),
    *(
        "spread = 2020-01-01",
        '"x y".z = 1',
        "spread",
        "rulebook = 3",
        "rulebook.x = 3",
        "[rulebook]",
        "a" * (MAX_BYTES + 1),
        "\xff",
    ),
    *("a = " + "1" * 5000, "a = " + "[" * 3000, "a" + ".b" * 30 + " = 1", 'spread = "' + "far" * 40 + '"'),
)
TAGS = ("ja-9", "en-2 sprad=far", "spread=far", "bgg en-2", "spread=anywhere spread=anywhere", "x=", "'x\\'")
SETUPS = (
    *("deal Aki 2\n", "deal Aki ? 25 ?\n", "deal Aki 2 2 ?\n", "reserve 1 ?\n", "deck ? 25\n", "deck F\n"),
    *("reserve 2 3 4 5 6 7\n", '[Players "Aki Aki"]\n', '[Variant "finish"]\n1. Aki +? A 2@h1\n'),
    '[Variant "finish"]\n[Rules "ja-2.2 finish_refill=at_once"]\n1. Aki +0 A ?@h1 fill ?,?\n',
)
SENT = (
    *("x" * 5000, "A: b\r\n\r\n", "Content-Length: 0\r\n\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"),
    *("Content-Length: 99\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "Content-Length: 2\r\n\r\n{ "),
    'Content-Length: 9\r\n\r\n{"id":[]}',
)
