"""Whole turns by the formulas and by nothing else: every table that a legal turn leads to. A table is a `Values`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from msgspec.structs import asdict, replace

from couperation_formal.formulas import judge as forms
from couperation_formal.formulas.judge import after, book, failing
from couperation_formal.formulas.writer import Values
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import Cell, Tower

DRAWING = ("DRW01", "DRW02", "DRW03", "DRW04", "DRW05", "DRW06")
PARTS = ("f", "K", "laid", "touched", "moved", "turned", "laid_down", "replaced", "skipped", "due", "result")
GOING, WON = ("Going",), ("Won",)
ENDS = {formed: name for name, formed in forms.RESULTS.items()} | {GOING: None}


def table(state: State, rulings: Rulings) -> Values:
    """A fully seen state between two turns."""
    return book().values({**asdict(rulings), **forms.constants(state.board), **forms.table(state), "t": state.turns})


def state_of(values: Values, like: State) -> State:
    """A table as a state of the game that `like` is of."""

    def pile(cards: Any) -> Pile:
        return Pile(frozenset(map(forms.card_of, cards)))

    def cell(name: str) -> Cell | None:
        return None if values.value(name) is None else Cell(*values.value(name))

    tower = {Cell(*place): forms.laid_of(laid) for place, laid in values.value("W").items()}
    hands, front = values.value("H"), values.value("f")
    return replace(
        like,
        tower=Tower.of(like.board, tower),
        hands=tuple(pile(hands[place]) for place in sorted(hands)),
        front=None if front is None else front - 1,
        reserve=pile(values.value("R")),
        gone=pile(values.value("G")),
        deck=tuple(map(forms.card_of, values.value("K"))),
        turns=values.value("t"),
        to_move=values.value("due") - 1,
        laid=cell("laid"),
        touched=cell("touched"),
        anchor_moved=values.value("moved"),
        turned=values.value("turned"),
        laid_down=values.value("laid_down"),
        replaced=values.value("replaced"),
        skipped=values.value("skipped"),
        result=ENDS[values.value("result")],
        given=False,
    )


def key(values: Values) -> tuple[Any, ...]:
    """What decides the rest of the game: everything but the number of turns, whether there was one apart. It is written
    in the same way in every run.
    """
    hands = sorted((place, *sorted(hand)) for place, hand in values.value("H").items())
    sets = sorted(values.value("W").items()), hands, sorted(values.value("R")), sorted(values.value("G"))
    return (*map(tuple, sets), *map(values.value, PARTS), values.value("t") > 0)


def having(values: Values, **given: Any) -> Values:
    """The same table with other given values."""
    return values.given(given)


def draws(values: Values) -> Iterator[Values]:
    """The tables after each legal draw of the player to move."""
    deck, turn = values.value("K"), values.value("t") + 1
    name = values.value("players")[values.value("due") - 1]
    for count in range(len(deck) + 1):
        drawn = having(values, t=turn, number=turn, name=name, d=deck[:count], a=("Pass",), fill=(), drop=(), trim=())
        if not failing(drawn, DRAWING):
            yield drawn


def actions(drawn: Values) -> list[Any]:
    """The legal actions of a table after the draw; one of those D that do the same. A turn without any is ``-``."""
    return list({effect(action): action for action in drawn.value("legal")}.values()) or [("Pass",)]


def effect(action: Any) -> Any:
    """What tells two actions apart."""
    if action[0] != "D":
        return action
    _, first, _, second, shifts, *laid = action
    return "D", frozenset({first, second}), frozenset(card for _, card in shifts), *laid


def choices(acted: Values, name: str, clause: str, cards: Any) -> list[Values]:
    """The tables with each choice of cards to destroy that keeps a limit; all are equally many, mostly none."""
    if not failing(acted, (clause,)):
        return [acted]
    for count in range(1, len(cards) + 1):
        tried = [having(acted, **{name: chosen}) for chosen in combinations(sorted(cards), count)]
        if found := [values for values in tried if not failing(values, (clause,))]:
            return found
    return []


def fills(acted: Values) -> Iterator[Values]:
    """The tables after each legal draw that follows the action."""
    deck = acted.value("K")[len(acted.value("d")) :]
    for count in range(len(deck) + 1 if acted.value("lies") == ("Up", ("F",)) else 1):
        filled = having(acted, fill=deck[:count])
        if not failing(filled, DRAWING):
            yield filled


def successors(values: Values) -> list[Values]:
    """The tables after each legal turn; none once the game is over. Cost: some milliseconds on the smallest boards."""
    found = {}
    for drawn in draws(values) if values.value("result") == GOING else ():
        for action in actions(drawn):
            for acted in fills(having(drawn, a=action)):
                for dropped in choices(acted, "drop", "LIM01", acted.value("H3")[acted.value("p")]):
                    for trimmed in choices(dropped, "trim", "LIM02", acted.value("R2")):
                        ahead = after(trimmed)
                        found[key(ahead)] = ahead
    return list(found.values())
