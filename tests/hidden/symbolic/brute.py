"""Every world of a record, by enumeration: each deal, each deck order as far as it is drawn, each choice for a card
that is not shown, each mark that some clause asks for, judged by the formulas.

A card is chosen when a turn writes it, a mark when a formula looks at it; nothing else is clever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from msgspec.structs import replace

from couperation_formal.formulas import judge as forms
from couperation_formal.formulas.judge import MARKS, GivenMarks, NotShown, after, tables
from couperation_formal.formulas.writer import Values
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, Open, Record, Turn
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import all_cards
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, Shown, Value, card_key
from tests.formulas.judge.turns import DRAWING, GOING, having, key

NAMES = {formed: name for name, formed in zip("12H", MARKS, strict=True)}
ACTING = (*(f"{family}{at:02}" for family in ("ACT", "TOW") for at in range(1, 9)), "SET06")
Cards = tuple[Shown, ...]


class TooMany(Exception):
    """More worlds than the test wants to look at."""


class World(NamedTuple):
    """A table without its deck; the deck's cards from the top, None where not chosen yet; the cards to choose from; the
    marks chosen.
    """

    table: Values
    slots: tuple[Card | None, ...]
    pool: frozenset[Card]
    marks: tuple[tuple[int, str], ...]

    def key(self) -> Any:
        return key(self.table), self.slots, self.pool, self.marks


class Found(NamedTuple):
    """The first turn that no world survives, None where some world is legal, and all clauses that broke there; how many
    worlds are left, and the marks that they have chosen.
    """

    turn: int | None
    codes: frozenset[str]
    worlds: tuple[World, ...]


def enumerate_worlds(record: Record, rulings: Rulings, board: Board, most: int = 20_000) -> Found:
    """The answer on `record`. Raises `TooMany` where more than `most` worlds stand side by side."""
    if len(set(record.players)) < len(record.players) or board.reserve_size(len(record.players)) is None:
        return Found(0, frozenset({"SET01"}), ())
    codes: set[str] = set()
    worlds = unique(dealt(record, rulings, board, codes), most)
    if not worlds:
        return Found(0, frozenset(codes or {"SET06"}), ())
    for place, turn in enumerate(record.turns, start=1):
        codes, before = set(), worlds
        worlds = unique((ahead for world in before for ahead in _turn(world, turn, place, codes)), most)
        if not worlds:
            for world in before:  # once more, each world to the end of the turn, for all that breaks there
                list(_turn(world, turn, place, codes, deep=True))
            return Found(place, frozenset(codes), ())
    worlds = [world for world in worlds if world.table.value("END05")]
    if not worlds:
        return Found(len(record.turns), frozenset({"END05"}), ())
    return Found(None, frozenset(), tuple(worlds))


def unique(worlds: Iterable[World], most: int) -> list[World]:
    found: dict[Any, World] = {}
    for world in worlds:
        found[world.key()] = world
        if len(found) > most:
            raise TooMany
    return list(found.values())


def _broken(values: Values, clauses: Iterable[str]) -> set[str]:
    """The clauses that fail. Raises `NotShown` with the card whose mark is asked for."""
    return {clause for clause in clauses if not values.value(clause)}


def dealt(record: Record, rulings: Rulings, board: Board, codes: set[str]) -> Iterator[World]:
    """Every deal of what the set-up lines leave open, the Reserve's least and greatest card included."""
    hands = [record.deals.get(name, (UNSEEN,) * board.deal) for name in record.players]
    size = board.reserve_size(len(record.players)) or 0
    ends = Value(1), Value(board.cards)
    reserve: Cards = (*ends, *(UNSEEN,) * (size - 2)) if record.reserve is None else record.reserve
    deck, anchor, every = record.deck or (), Value(board.anchor), all_cards(board, record.variant)
    known = tuple(card for card in deck if card is not UNSEEN)
    named = {card for cards in (*hands, reserve, deck) for card in cards}
    free = [card for card in sorted(every, key=card_key) if card not in (*named, anchor, FINISH)]
    if {anchor, *ends} & {*deck}:
        codes.add("SET06")
    given = tuple((int(card), str(mark)) for card, mark in sorted(record.marks.items()))
    for *dealt, row in _filled([*hands, reserve], free):
        deals = dict(zip(record.players, dealt, strict=True))
        seen = replace(record, deals=deals, reserve=row, deck=known, turns=())
        values = next(tables(seen, rulings, board))
        broken = _broken(values, values.value("asked_at_setup"))
        rest = every.difference(row, [anchor], *dealt)
        slots = [None if card is UNSEEN else card for card in deck] + [None] * (len(rest) - len(deck))
        pool = rest.difference(deck)
        if len(deck) > len(rest) or (not broken and len(pool) != slots.count(None)):
            broken = broken | {"SET06"}
        codes |= broken
        if not broken:
            yield World(having(values, K=()), tuple(slots), pool, given)  # type: ignore[arg-type]


def _filled(lines: list[Cards], free: list[Card]) -> Iterator[list[Cards]]:
    """The lines with each ``?`` filled in, no card twice; the order within a line plays no part."""
    if not lines:
        yield []
        return
    known = tuple(card for card in lines[0] if card is not UNSEEN)
    for chosen in combinations(free, len(lines[0]) - len(known)):
        for others in _filled(lines[1:], [card for card in free if card not in chosen]):
            yield [(*known, *chosen), *others]


def _turn(world: World, turn: Turn, place: int, codes: set[str], deep: bool = False) -> Iterator[World]:
    """What becomes of one world in a turn, for each choice of its unseen cards and of the marks asked for."""
    try:
        yield from list(_played(world, turn, place, codes, deep))
    except NotShown as asked:
        number = asked.number
        assert number is not None
        marks = world.table.value("mark")
        for mark in MARKS:
            table = having(world.table, mark=GivenMarks({**marks, number: mark}))
            chosen = tuple(sorted((*world.marks, (number, NAMES[mark]))))
            yield from _turn(world._replace(table=table, marks=chosen), turn, place, codes, deep)


def _played(world: World, turn: Turn, place: int, codes: set[str], deep: bool) -> Iterator[World]:
    """The worlds after the turn. `codes` takes up what breaks, with `deep` beyond the first part that fails too."""
    before, tower = world.table, world.table.value("W")
    if before.value("result") != GOING:
        codes.add("END04")
        return
    if turn.fill:
        raise TooMany  # tests/hidden/symbolic/test_fill.py asks about them
    told = {"t": place, "number": turn.number, "name": turn.player, "a": ("Pass",), "fill": (), "drop": (), "trim": ()}
    if _broken(having(before, **told), ["END06"]):
        codes.add("END06")
        return
    for draw, slots, pool in drawings(world, turn.draw, codes, deep):
        missing = [Value(0) if card is UNSEEN else card for card in turn.draw[len(draw) :]]
        deck = forms.cards((*draw, *completed(slots, pool)))
        drawn = having(before, **told, K=deck, d=forms.cards((*draw, *missing)))
        wrong = _broken(drawn, DRAWING if Value(0) in missing else (*DRAWING, "SET06"))
        codes |= wrong
        if wrong and (missing or not deep):
            continue
        own = [forms.card_of(card) for card in drawn.value("own1")]
        for action in played_actions(drawn, own, turn.action, codes):
            acted = having(drawn, a=forms.action(action, tower))
            if (broken := _broken(acted, ACTING)) and not deep:
                codes |= broken
                continue
            for drop in filled_in(turn.drop, acted.value("H2")[acted.value("p")], "LIM01", codes):
                for trim in filled_in(turn.trim, acted.value("R2"), "LIM02", codes):
                    played = having(acted, drop=forms.cards(drop), trim=forms.cards(trim))
                    broken = _broken(played, played.value("asked"))
                    codes |= broken
                    if not broken:
                        yield World(having(after(played), K=()), slots, pool, world.marks)


def completed(slots: tuple[Card | None, ...], pool: frozenset[Card]) -> list[Card]:
    rest = iter(sorted(pool, key=card_key))
    return [next(rest) if slot is None else slot for slot in slots]


def drawings(
    world: World, shown: Cards, codes: set[str], deep: bool
) -> Iterator[tuple[tuple[Card, ...], tuple[Card | None, ...], frozenset[Card]]]:
    """Every choice of the deck's top for what a turn draws, and the deck after it; a ``?`` is never the Finish card.
    Shorter than what is written where the deck is. With `deep` a wrong card where there is no right one.
    """
    if not shown or not world.slots:
        yield (), world.slots, world.pool
        return
    top, card = world.slots[0], shown[0]
    choices = [top] if top is not None else sorted(world.pool, key=card_key)
    kept = [choice for choice in choices if (choice is not FINISH if card is UNSEEN else choice == card)]
    if not kept:
        codes |= {"DRW06"} if card is UNSEEN else {"DRW05", "SET06"}
        kept = choices[:1] if deep else []
    for choice in kept:
        rest = world._replace(slots=world.slots[1:], pool=world.pool - {choice})
        for draw, slots, pool in drawings(rest, shown[1:], codes, deep):
            yield (choice, *draw), slots, pool


def filled_in(shown: Cards, held: Iterable[Any], clause: str, codes: set[str]) -> list[Cards]:
    """Every choice for the unseen cards of a drop or a trim, among those held; their order plays no part."""
    known = tuple(card for card in shown if card is not UNSEEN)
    others = [card for card in map(forms.card_of, held) if card not in known]
    found: list[Cards] = [(*known, *chosen) for chosen in combinations(others, len(shown) - len(known))]
    if not found:
        codes.add(clause)
    return found


def played_actions(drawn: Values, own: list[Card], action: Action, codes: set[str]) -> list[Action]:
    """The action with each choice for its unseen cards; of C the card that lies there."""
    found: list[Action] = [action]
    if isinstance(action, Exchange):
        reserve = [forms.card_of(card) for card in drawn.value("R")]
        found = list(_exchanges(reserve, own, action))
    elif isinstance(action, Open) and action.card is UNSEEN:
        laid = drawn.value("W").get(tuple(action.cell))
        found = [Open(action.cell, Value(0) if laid is None else forms.laid_of(laid).card)]
    elif isinstance(action, LayUp | LayDown) and action.card is UNSEEN:
        found = [type(action)(card, action.cell) for card in own]
    if not found:
        codes |= {"ACT02", "ACT03", "ACT05", "SET06"}
    return found


def _exchanges(reserve: list[Card], own: list[Card], d: Exchange) -> Iterator[Exchange]:
    signs = [sign for sign, _ in d.adjust]
    for first, second, *spent in _tuples((d.first, d.second, *(card for _, card in d.adjust)), own):
        for taken in (*reserve, first, second) if d.taken is UNSEEN else (d.taken,):
            adjust = tuple(zip(signs, spent, strict=True))
            yield replace(d, first=first, second=second, adjust=adjust, taken=taken)


def _tuples(shown: Cards, own: list[Card]) -> Iterator[Cards]:
    if not shown:
        yield ()
        return
    for card in own if shown[0] is UNSEEN else (shown[0],):
        for rest in _tuples(shown[1:], [other for other in own if other != card]):
            yield (card, *rest)
