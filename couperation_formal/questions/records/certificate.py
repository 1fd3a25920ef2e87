"""Certificates of records: legal by a world, illegal by a turn, a clause and its numbers (`spec/certificate.md`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from couperation_formal.game.fact import Datum
from couperation_formal.game.record import Exchange, LayDown, LayUp, Record, Turn
from couperation_formal.game.replay import Broken, Replay, replay
from couperation_formal.game.rules.drawing import draw_source
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import UNSEEN, Mark, Shown, Up, Value
from couperation_formal.notation.write import record_text

Json = dict[str, Any]


def record_certificate(record: Record, rulings: Rulings, world: Record | None = None) -> Json | None:
    """The certificate of what the rules say of a record, or None where no certificate of this kind can show it.

    A record that has a `world` is legal by it. Without one the plain replay decides, and what it decides is certified
    when the record shows every card and mark that the turns up to the illegal one ask for (all turns, where there is
    none). Cost: one replay.
    """
    if world is not None:
        return legal_certificate(record, world, rulings)
    outcome = replay(record, rulings)
    if outcome.illegal is None:
        if outcome.doubts or not shows_cards(record, len(record.turns)):
            return None
        return legal_certificate(record, _with_marks(record, outcome, rulings), rulings)
    found = next(found for found in outcome.broken if not found.warning)
    seen = not found.turn or shows_cards(record, found.turn)
    if not seen or _missing_marks(record, outcome, rulings):
        return None
    return illegal_certificate(record, rulings, found)


def legal_certificate(record: Record, world: Record, rulings: Rulings) -> Json:
    """That `record` is legal, because `world` completes it and breaks nothing. Nothing is tested here."""
    return _certificate("record-legal", record, rulings, {"world": record_text(_tagged(world))})


def illegal_certificate(record: Record, rulings: Rulings, broken: Broken) -> Json:
    """That `record` is illegal at the turn of `broken`, by its clause, as its replay under these rulings found.

    The record has to show what `shows_cards` says, and the marks that draws ask for; where it does not, a checker
    refuses the certificate.
    """
    numbers = {name: _plain(value) for name, value in broken.what.numbers}
    evidence = {"turn": broken.turn, "clause": broken.clause, "numbers": numbers}
    return _certificate("record-illegal", record, rulings, evidence)


def _plain(value: Datum) -> int | str | None:
    """A value as certificates write it: what is no number as text, an up card as its number."""
    value = value.card if isinstance(value, Up) else value
    return value if value is None or isinstance(value, int) else str(value)


def _certificate(claim: str, record: Record, rulings: Rulings, evidence: Json) -> Json:
    text = record_text(_tagged(record))
    return {
        "format": 1,
        "claim": claim,
        "record": text,
        "rulings": msgspec.structs.asdict(rulings),
        "evidence": evidence,
    }


def _tagged(record: Record) -> Record:
    """The record with the tag of its marks; a world may have more of them than it was read with."""
    tags = {name: value for name, value in record.tags if name != "Marks"}
    if record.marks:
        tags["Marks"] = " ".join(f"{value}:{mark}" for value, mark in sorted(record.marks.items()))
    return msgspec.structs.replace(record, tags=tuple(tags.items()))


def shows_cards(record: Record, turns: int) -> bool:
    """Whether the set-up and the first so many turns show every card.

    The deck may be left out, and so may the card that action C opens or D replaces: it is the one that lies there.
    """
    if record.reserve is None or record.deals.keys() != set(record.players):
        return False
    lists = [*record.deals.values(), record.reserve, *map(_played, record.turns[:turns])]
    noted = not any(turn.draw_open or turn.fill_open for turn in record.turns[:turns])
    return noted and not any(UNSEEN in cards for cards in lists)


def _played(turn: Turn) -> tuple[Shown, ...]:
    """The cards that a turn has to show."""
    cards = (*turn.draw, *turn.fill, *turn.drop, *turn.trim)
    action = turn.action
    if isinstance(action, LayUp | LayDown):
        return (*cards, action.card)
    if isinstance(action, Exchange):
        return (*cards, action.first, action.second, *(card for _, card in action.adjust), action.taken)
    return cards


def _missing_marks(record: Record, outcome: Replay, rulings: Rulings) -> set[Value]:
    """The cards whose marks are not given, although the limit of a draw asks for them."""
    last = len(record.turns) if outcome.illegal is None else outcome.illegal
    missing: set[Value] = set()
    for state, turn in zip(outcome.states, record.turns[:last], strict=False):
        exact = rulings.draw_amount == "exact" and len(state.deck) > len(turn.draw)
        if turn.draw or exact:
            missing.update(value for value in _marked(state, record.marks, rulings) if value not in record.marks)
    return missing


def _marked(state: State, marks: dict[Value, Mark], rulings: Rulings) -> Iterator[Value]:
    """The cards whose marks give the limit of the next draw: the source's, and under a heart those of its supports."""
    cell = draw_source(state, rulings)
    laid = None if cell is None else state.tower.cells[cell]
    if cell is None or not isinstance(laid, Up) or not isinstance(laid.card, int):
        return
    yield laid.card
    below = [state.tower.cells[support] for support in cell.supports] if cell.level > 1 else []
    nothing = rulings.heart_over_back == "zero" and not all(isinstance(under, Up) for under in below)
    if marks.get(laid.card) == "H" and not nothing:
        yield from (under.card for under in below if isinstance(under, Up) and isinstance(under.card, int))


def _with_marks(record: Record, outcome: Replay, rulings: Rulings) -> Record:
    """The record with a mark wherever a draw asks for one; it is legal whatever marks are missing."""
    missing = _missing_marks(record, outcome, rulings)
    return msgspec.structs.replace(record, marks=record.marks | dict.fromkeys(missing, "1"))
