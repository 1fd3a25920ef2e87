"""The step is total: what an illegal turn leaves, card by card. Each record of `tests/data/total` ends with such a
turn; its `Event` says what is wrong. The answers were reviewed, and `pytest --update-goldens` writes them anew.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from couperation_formal.formulas.judge import after, failing, tables
from couperation_formal.formulas.writer import Values
from couperation_formal.game.record import Game
from couperation_formal.game.tower import Cell
from couperation_formal.notation.read import read_text
from tests.conftest import some

FOLDER = Path(__file__).resolve().parents[1] / "data" / "total"
GAMES = [item for item in read_text((FOLDER / "illegal.cgn").read_text()) if isinstance(item, Game)]
RECORDS = {str(game.record.tag("Event")): game for game in GAMES}


def name(card: tuple[object, ...]) -> str:
    return str(card[-1])


def places(values: Values) -> dict[str, list[str]]:
    """Where each card lies; nowhere at all only a card that was laid over."""
    found = defaultdict(list)
    players = values.value("players")
    for place, hand in values.value("H").items():
        for card in hand:
            found[name(card)].append(f"hand {players[place - 1]}")
    for cell, (face, card) in values.value("W").items():
        found[name(card)].append(str(Cell(*cell)) + " down" * (face == "Down"))
    for pile, where in (("R", "Reserve"), ("G", "gone"), ("K", "deck")):
        for card in values.value(pile):
            found[name(card)].append(where)
    if values.value("f") is not None:
        found["F"].append(f"front {players[values.value('f') - 1]}")
    return found


def last_turn(game: Game) -> list[str]:
    """What the last turn of a record breaks and does: a line for each card that is elsewhere after it."""
    *_, turn = tables(game.record, game.record.rules.rulings)
    before, later = places(turn), places(after(turn))
    lines = [" ".join(failing(turn, turn.value("asked")))]
    for card in sorted(before | later, key=lambda card: (card == "F", card.zfill(2))):
        if before.get(card) != later.get(card):
            was, now = (", ".join(found.get(card, [])) or "nowhere" for found in (before, later))
            lines.append(f"{card}: {was} -> {now}")
    state = {known: after(turn).value(known) for known in ("laid", "touched", "moved", "due", "result")}
    cells = [f"{known} {Cell(*state[known]) if state[known] else 'none'}" for known in ("laid", "touched")]
    lines.append(f"{', '.join(cells)}, moved {state['moved']}, due {state['due']}, {state['result'][0]}")
    return lines


def test_what_the_last_turn_leaves(request: pytest.FixtureRequest) -> None:
    golden = FOLDER / "illegal.txt"
    text = "\n".join("\n    ".join([event, *last_turn(game)]) for event, game in RECORDS.items()) + "\n"
    if request.config.getoption("--update-goldens"):
        golden.write_text(text)
    assert text == golden.read_text()


@pytest.mark.parametrize("event", some(RECORDS))
def test_the_last_turn_is_illegal_and_no_card_is_in_two_places(event: str) -> None:
    """The deck keeps its order, and only a card that lay on the cell that is laid on can be nowhere."""
    game = RECORDS[event]
    *before, turn = tables(game.record, game.record.rules.rulings)
    assert all(not failing(values, values.value("asked")) for values in before[1:])
    assert failing(turn, turn.value("asked"))
    later = after(turn)
    now = places(later)
    assert all(len(found) == 1 for found in now.values())
    over = turn.value("W").get(later.value("touched"))
    assert set(places(turn)) - set(now) <= ({name(over[1])} if over else set())
    assert later.value("K") == tuple(card for card in turn.value("K") if card in later.value("K"))
