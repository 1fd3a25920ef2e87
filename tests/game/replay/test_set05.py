"""SET05's warning at every place of the Finish card, shown by the deck's line or by the draws, and left to be told."""

from __future__ import annotations

import pytest

from couperation_formal.formulas.judge import judge
from couperation_formal.notation.read import read_text
from tests.game.replay.judges import MARKS, reported

CELLS = [f"{column}1" for column in "fheidj"] + [
    f"{'defghij'[at]}{level}" for level in range(2, 7) for at in range(8 - level)
]
GLASS = 37
"""The Glass cards in a deck of two players: 50 less the 25, two hands and a Reserve."""


def record(half: str, place: int, turns: int, deck: str = "") -> tuple[str, list[int]]:
    """A game that only lays cards down, with the Finish card at a place of the deck, and the turn of each place drawn.

    `deck` says how much of the deck is written: nothing, "all", or "glass", what lies above the Finish card.
    """
    hands = [[2, 3, 4], [5, 6, 7]]
    cards: list[int | str] = [card for card in range(8, 50) if card not in (25, 46, 47, 48, 49)]
    assert len(cards) == GLASS
    cards.insert(place - 1, "F")
    rules = f"ja-2.2 facedown=ignored finish_half={half}"
    lines = ['[CGN "1"]', f'[Rules "{rules}"]', '[Variant "finish"]', '[Players "Ada Bo"]', f'[Marks "{MARKS}"]', ""]
    lines += [f"deal {name} {' '.join(map(str, hand))}" for name, hand in zip(("Ada", "Bo"), hands, strict=True)]
    lines.append("reserve 1 50 46 47 48 49")
    if deck:
        shown = cards if deck == "all" else cards[: place - 1]
        lines.append("deck " + " ".join(map(str, shown)))
    lines.append("")
    left, when = list(cards), [0]
    for turn in range(1, turns + 1):
        hand, draw = hands[(turn - 1) % 2], []
        if turn == 1 or len(hand) < 2:
            draw = [left.pop(0)]
            if draw == ["F"]:
                draw.append(left.pop(0))
        when += [turn] * len(draw)
        hand += [card for card in draw if isinstance(card, int)]
        written = ",".join(map(str, draw)) or "0"
        lines.append(f"{turn}. {('Ada', 'Bo')[(turn - 1) % 2]} +{written} B {hand.pop(0)}@{CELLS[turn - 1]}")
    return "\n".join([*lines, "*", ""]), when


def warned(text: str) -> list[tuple[str, int | None]]:
    """The warnings of the program with their turns; the formulas have to warn of the same."""
    report, (game,) = reported(text), read_text(text)
    theirs = judge(game.record, game.record.rules.rulings)  # type: ignore[union-attr]
    assert report.verdict == "legal", report.diagnostics
    assert (theirs.turn, theirs.open_) == (None, None)
    said = [found for found in report.diagnostics if found.turn is not None]  # not that no turn is recorded
    assert tuple((found.turn, found.code) for found in said) == theirs.warned
    assert all(found.severity == "warning" and found.rulings == ("finish_half",) for found in said)
    return [(found.code, found.turn) for found in said]


WRONG = {"top": range(GLASS // 2 + 3, GLASS + 2), "bottom": range(1, GLASS // 2 + 1)}
"""The places at which SET05 warns: beyond ceil(37 / 2) + 1 = 20 under `top`, up to floor(37 / 2) = 18 else."""


@pytest.mark.parametrize("half", ["top", "bottom"])
@pytest.mark.parametrize("place", [1, 2, 17, 18, 19, 20, 21, 22, GLASS, GLASS + 1])
def test_a_deck_that_is_written(half: str, place: int) -> None:
    text, _ = record(half, place, 0, "all")
    assert warned(text) == ([("SET05", 0)] if place in WRONG[half] else [])


@pytest.mark.parametrize("half", ["top", "bottom"])
@pytest.mark.parametrize("place", [1, 2, 17, 18, 19, 20, 21])
def test_draws_alone(half: str, place: int) -> None:
    """Nothing is known before the draw that shows it: place 21 is below the top half once 20 Glass cards came."""
    text, when = record(half, place, 26)
    assert place < len(when)
    expected = [("SET05", when[place])] if place in WRONG[half] else []
    if half == "top" and place == 21:
        expected = [("SET05", when[20])]
    assert warned(text) == expected
    assert warned(record(half, place, when[place] - 1)[0]) == (expected if expected and place == 21 else [])


@pytest.mark.parametrize("written", [18, 19, 20, 21])
def test_a_deck_that_shows_glass_cards_alone(written: int) -> None:
    """Twenty Glass cards on top are the whole top half and two more: the Finish card lies below it."""
    place = written + 1
    assert warned(record("top", place, 0, "glass")[0]) == ([("SET05", 0)] if written >= 20 else [])
    assert warned(record("bottom", place, 0, "glass")[0]) == []


def test_the_warning_points_to_the_draw_and_is_said_once() -> None:
    text, when = record("top", 21, 26)
    (found,) = reported(text).diagnostics
    line = next(line for line in text.splitlines() if line.startswith(f"{when[20]}. "))
    assert text[found.span.start : found.span.end] == line.split()[2]
    assert found.message == "the Finish card lies under card 20 of the deck, below its top half"
    (found,) = reported(record("bottom", 18, 26)[0]).diagnostics
    assert found.message == "the Finish card is card 18 of the deck, above its bottom half"
