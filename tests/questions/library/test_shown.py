"""What is printed of a value: one line for those who program, and a text for people."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import couperation_formal as cf

ROOT = Path(__file__).resolve().parents[3]
(BROKEN,) = cf.read(ROOT / "examples" / "broken" / "between.cgn")
(LOST,) = cf.read(ROOT / "examples" / "tables" / "lost.cgn")
(OPEN,) = cf.read(ROOT / "examples" / "towers" / "open.cgn")
(UNREAD,) = cf.read_text('[CGN "1"]\n[Players "Kim Lou"]\n1. Kim A 17@z1\n')
RECORD = cf.sample_game()
BEGUN = msgspec.structs.replace(RECORD, turns=RECORD.turns[:4], result=None)
REPORT = cf.check(BROKEN)


@pytest.mark.slow
def test_it_is_short_in_one_line_and_more_than_that_for_people() -> None:
    values: list[object] = [
        *(
            BROKEN,
            OPEN,
            UNREAD,
            RECORD,
            cf.position_after(RECORD, 5),
            cf.state_after(RECORD, 5),
            REPORT,
            cf.Table(RECORD),
        ),
        *(
            REPORT.diagnostics[0],
            cf.complete(OPEN, level="tower"),
            cf.windows(OPEN),
            cf.dispute(BROKEN),
            cf.moves(RECORD, 4),
        ),
        *(
            cf.complete(RECORD, 22),
            cf.deadlock(LOST, budget=50_000),
            cf.deadlock(LOST, level="tower"),
            cf.prospect(LOST, 34),
        ),
        *(
            cf.infer([BEGUN]),
            RECORD.turns[0].action,
            cf.parse_rules("en-2"),
        ),
    ]
    for value in values:
        short, text, name = repr(value), str(value), type(value).__name__
        assert "\n" not in short, name
        assert name in short
        assert len(short) < 400, name
        assert text != short, name
        assert text.strip(), name
        assert not text.startswith("<"), name


def test_what_is_cgn_is_printed_as_cgn() -> None:
    assert str(RECORD) == cf.record_text(RECORD)
    position = cf.position_after(RECORD, 5)
    assert str(position) == cf.position_text(position)
    assert str(BROKEN) == (ROOT / "examples" / "broken" / "between.cgn").read_text(encoding="utf-8")
    assert str(RECORD.turns[4].action) == cf.action_text(RECORD.turns[4].action)
    assert str(RECORD.turns[4]) == cf.turn_text(RECORD.turns[4])
    assert str(cf.moves(RECORD, 4)).splitlines() == [cf.action_text(each) for each in cf.moves(RECORD, 4)]
    assert len(cf.moves(RECORD, 4)) == len(cf.moves(RECORD, 4).actions)


def test_a_state_is_printed_as_the_lines_of_its_position() -> None:
    for turn in (0, 9, 20):
        lines = str(cf.state_after(RECORD, turn)).splitlines()
        written = str(cf.position_after(RECORD, turn)).splitlines()
        assert [line for line in lines if line not in written] in ([], ["gone"])
        assert {line.split()[0] for line in written[7:]} - {line.split()[0] for line in lines} == {"last"} - {
            "last" if not turn else ""
        }


def test_answers_in_a_few_words() -> None:
    name = BROKEN.file
    assert str(REPORT).splitlines()[0] == f"{name} game 1: illegal, turn 8"
    assert str(REPORT).splitlines()[1].startswith("turn 8, TOW02: 22 on e2 cannot lie between 18 on e1 and 21 on f1: ")
    assert str(cf.check(RECORD)) == "game 1: legal, win"
    assert str(cf.check(UNREAD)).splitlines()[0] == "game 1: malformed"
    assert repr(cf.check(RECORD)).endswith(" verdict='legal' result='win' turn=None>")
    filled = cf.complete(OPEN, level="tower")
    assert isinstance(filled, cf.Completion)
    assert str(filled).splitlines()[0].endswith("game 1: completable")
    assert filled.completable is True
    assert str(cf.dispute(RECORD)).splitlines()[1:] == [
        "en-1: legal",
        "en-2: legal",
        "ja-2.2: legal",
        "bgg: illegal, turn 4",
        "hangs on replace_target, draw_amount",
    ]


def test_a_table_is_a_picture_in_a_notebook() -> None:
    import_module("couperation_formal.notebook")
    picture: str = vars(cf.Table)["_repr_svg_"](cf.Table.new())
    assert picture.startswith("<svg")
    assert "25" in picture


@pytest.mark.slow
def test_it_is_printed_so_in_a_process_that_only_reads() -> None:
    ask = "import couperation_formal as cf; (it,) = cf.read('broken/between.cgn'); print(repr(it)); print(it.record)"
    ran = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT / "examples", capture_output=True, text=True, check=True, timeout=60
    )
    short, text = ran.stdout.split("\n", 1)
    told = "players='Mira Tomas Noor' rules='ja-2.2' variant='first' turns=10 result=None"
    assert short == f"<Game file='broken/between.cgn' index=1 {told}>"
    assert isinstance(BROKEN, cf.Game)
    assert text == cf.record_text(BROKEN) + "\n"
