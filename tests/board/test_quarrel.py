"""The whole answer to a quarrel in words: of a ruling that a text leaves open, and of a turn that all refuse."""

from __future__ import annotations

import re
from pathlib import Path

from couperation_formal.game.rulings import registry
from tests.board.local import Local
from tests.board.taps import ROOT, thursday

HEARTS = re.findall(r"```cgn\n(.*?)```", (ROOT / "docs" / "at-the-table.md").read_text("utf-8"), re.DOTALL)[0]
"""The game of the tutorial, whose third turn hangs on what a heart below a heart counts."""


def answered(folder: Path, text: str, at: int) -> dict[str, list[list[str]]]:
    """The lines of the answer by their heads."""
    file = folder / "x.cgn"
    file.write_text(text, "utf-8")
    with Local(file, known=False) as board:
        parts = board.get(f"/api/answer?at={at}").data
    assert all(part.get("aside", False) == (part["head"] == "For the command line") for part in parts)
    return {part["head"]: part["lines"] for part in parts}


def test_who_says_what_what_decides_and_what_would_change_it(tmp_path: Path) -> None:
    told = answered(tmp_path, HEARTS, 3)
    books = {name: (verdict, text) for verdict, name, text in told["Who says what"] if name}
    assert {name: verdict for name, (verdict, _) in books.items()} == {
        **dict.fromkeys(("en-1", "en-2"), "open"),
        **dict.fromkeys(("ja-2.2", "bgg"), "legal"),
    }
    for part in (
        "open: legal if “No diamond",
        "illegal if “It brings the whole",
        "diamonds of its two supports: en-2 §4.1",
    ):
        assert part in books["en-2"][1]
    question, *texts = told["What decides"]
    assert question[1] == registry().rulings["hearts_below"].question
    assert [text.split(":")[0] for _, _, text in texts] == [
        "en-1 §4.1, en-2 §4.1, left open",
        "ja-2.2 §4.1",
        "bgg ¶3, silent",
    ]
    changes = [line[:2] for line in told["What would change it"]]
    assert changes == [["legal", "en-1, en-2"], ["illegal", "ja-2.2, bgg"]]
    ids = told.pop("For the command line")
    words = " ".join(" ".join(line) for lines in told.values() for line in lines)
    assert not set(registry().rulings) & set(re.findall(r"\w+", words))
    assert [text for _, _, text in ids][:3] == ["DRW03", "DRW03", "hearts_below=zero_each"]


def test_of_a_turn_that_all_refuse_each_text_is_told(tmp_path: Path) -> None:
    told = answered(tmp_path, f"{thursday(4)}5. Tomas A 40@f1\n", 5)
    assert {verdict for verdict, name, _ in told["Who says what"] if name} == {"illegal"}
    assert any("en-2" in text for _, _, text in told["What decides"])
