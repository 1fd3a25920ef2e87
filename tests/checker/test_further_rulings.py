"""What positions and records say under the further rulings: their lines, cards drawn after the action, draws that were
not noted.
"""

from __future__ import annotations

import pytest

from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.check import check, check_certificates
from couperation_formal.questions.records.verdict import record_certificate
from tests.checker.hand import FREE, FULL, certificate, code as hand_code, filled
from tests.checker.records import BEFORE_FINISH, code, illegal, legal, read
from tests.checker.table_corruptions import LINE, TABLE, code as table_code, made

SKIPPED = {"no_action": "skipped"}
IDLE = {"draw_source": "nothing"}
AS_LAID = {"draw_source": "as_laid"}
FILLED = f"{BEFORE_FINISH}7. Ada +F,6 A F@g2 fill 8\n*\n"


@pytest.mark.parametrize(
    ("line", "rulings", "expected"),
    [
        ("last -", IDLE, "accepted"),
        ("last -", {}, "POSITION"),
        ("last g1 laid down", AS_LAID, "accepted"),
        ("last g1 laid down", {}, "POSITION"),
        ("last g1 laid", AS_LAID, "POSITION"),
        ("last", IDLE, "POSITION"),
        ("last g1 g1", {}, "POSITION"),
        ("last h1", {}, "POSITION"),
        ("skipped 1", SKIPPED, "accepted"),
        ("skipped 2", SKIPPED, "POSITION"),
        ("skipped -1", SKIPPED, "POSITION"),
        ("skipped 0", {}, "accepted"),
        ("skipped 1", {}, "POSITION"),
        ("replaced yes", {}, "accepted"),
        ("replaced no", {}, "accepted"),
        ("replaced maybe", {}, "POSITION"),
        ("replaced", {}, "POSITION"),
    ],
)
def test_the_lines_of_a_position(line: str, rulings: dict[str, str], expected: str) -> None:
    assert filled(FREE, "tower 25@g1", line, **rulings) == expected
    assert filled(FREE, "tower 25@g1", line, line, **rulings) == "POSITION"


def test_only_an_opened_card_is_said_to_have_been_laid_down() -> None:
    assert filled(FREE, "tower 25@g1 ~?@h1", "last g1 laid down", **AS_LAID) == "accepted"
    assert filled(FREE, "tower 25@g1 ~?@h1", "last h1 laid down", **AS_LAID) == "POSITION"


def test_neither_the_finish_card_nor_the_apex_was_ever_laid_down() -> None:
    full = " ".join(f"{value}@{cell}" for cell, value in FULL.items() if cell != "d7")
    for last, expected in (("h1", "accepted"), ("d7", "POSITION")):
        assert filled({}, f"tower {full} {FULL['d7']}@d7", f"last {last} laid down", **AS_LAID) == expected
    cells = {cell: value for cell, value in FREE.items() if cell != "h1"}
    assert hand_code(
        certificate(
            "completable", {"column": "d", "filling": cells}, "tower 25@g1 F@h1", "last h1 laid down",
            variant="finish", **AS_LAID,
        )
    ) == "POSITION"  # fmt: skip


def test_a_world_says_how_the_card_laid_last_was_laid() -> None:
    down = TABLE.replace("last d6", "last d6 laid down")
    for position, world, expected in ((TABLE, down, "WORLD"), (down, TABLE, "WORLD"), (down, down, "accepted")):
        assert table_code(made("table-completable", position, {"world": world, "line": LINE}, **AS_LAID)) == expected


def test_a_world_fills_in_what_was_drawn_after_the_action() -> None:
    assert code(legal(FILLED, FILLED)) == "accepted"
    assert code(legal(FILLED.replace("fill 8", "fill ?"), FILLED)) == "accepted"
    assert code(legal(FILLED.replace("fill 8", "fill *"), FILLED)) == "accepted"
    assert code(legal(FILLED.replace("fill 8", "fill *"), FILLED.replace(" fill 8", ""))) == "accepted"
    assert code(legal(FILLED.replace(" fill 8", ""), FILLED)) == "WORLD"
    assert code(legal(FILLED, FILLED.replace("fill 8", "fill *"))) == "WORLD"
    assert code(legal(FILLED, FILLED.replace("fill 8", "fill ?"))) == "WORLD"
    open_ = FILLED.replace("fill 8", "fill *")
    assert code(legal(open_, open_)) == "UNSEEN"
    wrong = open_.replace("\n*\n", "\n8. Bo +0 A 38@a1\n*\n")
    assert record_certificate(read(wrong), read(wrong).rules.rulings) is None
    shown = wrong.replace("fill *", "fill 8")
    assert record_certificate(read(shown), read(shown).rules.rulings) is not None
    assert code(illegal(open_, 7, "DRW04", {"drawn": 1, "limit": 0, "left": 1})) == "UNSEEN"


def test_a_world_says_how_many_cards_were_drawn() -> None:
    text = (
        FILLED.replace("deck F 6 8 10\n", "deck 6\n")
        .replace("2. Bo +0", "2. Bo +*")
        .replace("7. Ada +F,6 A F@g2 fill 8\n", "")
    )
    world = text.replace("+*", "+0")
    assert code(legal(text, world)) == "accepted"
    assert code(legal(text, text)) == "UNSEEN"
    assert code(legal(world, text)) == "WORLD"
    finish = FILLED.replace("+F,6", "+*")
    assert code(legal(finish, FILLED)) == "WORLD"


def test_numbers_of_a_fill() -> None:
    many = FILLED.replace("fill 8", "fill 8,10")
    assert code(illegal(many, 7, "DRW04", {"drawn": 2, "limit": 1, "left": 35})) == "NUMBERS"
    assert code(illegal(many, 7, "DRW04", {"drawn": 2, "limit": 1, "left": 34})) == "accepted"
    assert code(illegal(FILLED, 7, "DRW04", {"drawn": 1, "limit": 0, "left": 35}, finish_refill="next")) == "accepted"
    early = BEFORE_FINISH.replace("6. Bo +0 A 21@f2", "6. Bo +0 A 21@f2 fill F") + "*\n"
    assert code(illegal(early, 6, "DRW04", {"drawn": 1, "limit": 0, "left": 37})) == "accepted"


@pytest.mark.parametrize("text", [FILLED, FILLED.replace("fill 8", "fill *"), FILLED.replace("2. Bo +0", "2. Bo +*")])
def test_the_verdict_on_a_legal_record_is_certified(text: str) -> None:
    (game,) = read_text(text)
    report = check(game)
    (certificate,) = check_certificates(report)
    assert report.verdict == "legal"
    assert isinstance(certificate, dict)
    assert code(certificate) == "accepted"
