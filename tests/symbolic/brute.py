"""Every world of a record, by enumeration: each deal, each deck order as far as it is drawn, each choice for a card
that is not shown, each mark that some clause asks for, judged by the second implementation of the rules.

A card is chosen when a turn writes it, a mark when the oracle looks at it; nothing else is clever.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from couperation_formal.model.board import Board
from couperation_formal.model.cards import Down, FinishCard, Shown, UnseenCard
from couperation_formal.model.record import Exchange, LayDown, LayUp, Open, Record, Turn
from couperation_formal.model.rulings import Rulings
from tests.oracle import reader as written
from tests.oracle.claims import action_faults, draw_faults, limit_faults, pass_on
from tests.oracle.replayer import setup_faults
from tests.oracle.table import State, canonical, card_key, own_cards, start
from tests.oracle.tower import F, Game

MARKS = ("1", "2", "H")


class TooMany(Exception):
    """More worlds than the test wants to look at."""


class _AskedMark(Exception):
    """The oracle asked for a mark that this world has not chosen."""

    def __init__(self, card: int) -> None:
        super().__init__(card)
        self.card = card


class _Marks(dict[int, str]):
    def __missing__(self, card: int) -> str:
        raise _AskedMark(card)


class World(NamedTuple):
    """A table without its deck; the deck's cards from the top, None where not chosen yet; the cards to choose from; the
    marks chosen.
    """

    state: State
    slots: tuple[Any, ...]
    pool: frozenset[Any]
    marks: tuple[tuple[int, str], ...]

    def key(self) -> Any:
        return canonical(self.state), self.slots, self.pool, self.marks


class Found(NamedTuple):
    """The first turn that no world survives, None where some world is legal, and all clauses that broke there; how many
    worlds are left, and the marks that they have chosen.
    """

    turn: int | None
    codes: frozenset[str]
    worlds: tuple[World, ...]


def plain(card: Shown) -> Any:
    """A card as the oracle writes it."""
    return "?" if isinstance(card, UnseenCard) else F if isinstance(card, FinishCard) else int(card)


def oracle_turn(turn: Turn) -> written.Turn:
    """A turn as the oracle reads it."""
    action = turn.action
    told: tuple[Any, ...] = ("-",)
    if isinstance(action, LayUp | LayDown):
        told = ("A" if isinstance(action, LayUp) else "B", plain(action.card), tuple(action.cell))
    elif isinstance(action, Open):
        told = ("C", tuple(action.cell), plain(action.card))
    elif isinstance(action, Exchange):
        old = action.replaced
        exchange = written.Exchange(
            (plain(action.first), plain(action.second)),
            action.sign,
            tuple((sign, plain(card)) for sign, card in action.adjust),
            plain(action.taken),
            action.face_up,
            tuple(action.cell),  # type: ignore[arg-type]
            None if old is None else (plain(old.card), not isinstance(old, Down)),
        )
        told = ("D", exchange)
    cards = [tuple(map(plain, part)) for part in (turn.draw, turn.drop, turn.trim)]
    return written.Turn(turn.number, turn.player, cards[0], told, cards[1], cards[2])


def game_of(record: Record, rulings: Rulings, board: Board) -> Game:
    return Game(
        rulings=msgspec.structs.asdict(rulings),
        marks={},
        players=len(record.players),
        finish=record.variant == "finish",
        levels=board.levels,
        cards=board.cards,
        anchor=board.anchor,
        deal=board.deal,
        hand_limit=board.hand_limit,
        refill=board.refill,
        reserve_sizes=dict(board.reserve_sizes),
    )


def enumerate_worlds(record: Record, rulings: Rulings, board: Board, most: int = 20_000) -> Found:
    """The answer on `record`. Raises `TooMany` where more than `most` worlds stand side by side."""
    game = game_of(record, rulings, board)
    if len(set(record.players)) < len(record.players) or len(record.players) not in game.reserve_sizes:
        return Found(0, frozenset({"SET01"}), ())
    codes: set[str] = set()
    worlds = _unique(_deals(game, record, codes), most)
    if not worlds:
        return Found(0, frozenset(codes or {"SET06"}), ())
    for place, turn in enumerate(record.turns, start=1):
        codes = set()
        told, before = oracle_turn(turn), worlds
        worlds = _unique((after for world in before for after in _turn(game, record, world, told, codes)), most)
        if not worlds:
            for world in before:  # once more, each world to the end of the turn, for all that breaks there
                list(_turn(game, record, world, told, codes, deep=True))
            return Found(place, frozenset(codes), ())
    if record.result is not None:
        worlds = [world for world in worlds if world.state.result == record.result]
        if not worlds:
            return Found(len(record.turns), frozenset({"END05"}), ())
    return Found(None, frozenset(), tuple(worlds))


def _unique(worlds: Iterator[World], most: int) -> list[World]:
    found: dict[Any, World] = {}
    for world in worlds:
        found[world.key()] = world
        if len(found) > most:
            raise TooMany
    return list(found.values())


def _deals(game: Game, record: Record, codes: set[str]) -> Iterator[World]:
    """Every deal of what the set-up lines leave open, the Reserve's least and greatest card included."""
    unseen = ("?",) * game.deal
    hands = [tuple(map(plain, record.deals[name])) if name in record.deals else unseen for name in record.players]
    size = game.reserve_sizes[game.players]
    reserve = tuple(map(plain, record.reserve)) if record.reserve is not None else (1, game.cards, *("?",) * (size - 2))
    deck = tuple(map(plain, record.deck or ()))
    given = tuple((int(value), str(mark)) for value, mark in sorted(record.marks.items()))
    shown = {card for cards in (*hands, reserve, deck) for card in cards if card != "?"}
    free = [card for card in range(1, game.cards + 1) if card not in shown and card != game.anchor]
    if (not game.finish and F in shown) or {1, game.anchor, game.cards} & set(deck):
        codes.add("SET06")
    for dealt in _filled([*hands, reserve], free):
        seen = written.Record(
            {}, record.players, game.rulings, game.finish, {},
            dict(zip(record.players, dealt[:-1], strict=True)), dealt[-1],
            tuple(card for card in deck if card != "?"), (), None,
        )  # fmt: skip
        found = setup_faults(game, seen)
        every = [*range(1, game.cards + 1), *([F] if game.finish else [])]
        used = {game.anchor, *(card for cards in dealt for card in cards)}
        rest = [card for card in every if card not in used]
        if len(deck) > len(rest):
            found = found | {"SET06"}
        slots = [None if card == "?" else card for card in deck] + [None] * max(0, len(rest) - len(deck))
        pool = frozenset(card for card in rest if card not in slots)
        if not found and len(pool) != slots.count(None):
            found = {"SET06"}
        codes |= found
        if not found:
            yield World(start(game, dealt[:-1], dealt[-1], ()), tuple(slots), pool, given)


def _filled(lines: list[tuple[Any, ...]], free: list[int]) -> Iterator[list[tuple[Any, ...]]]:
    """The lines with each ``?`` filled in, no card twice; the order within a line plays no part."""
    if not lines:
        yield []
        return
    known = tuple(card for card in lines[0] if card != "?")
    for chosen in combinations(free, len(lines[0]) - len(known)):
        for others in _filled(lines[1:], [card for card in free if card not in chosen]):
            yield [(*known, *chosen), *others]


def _turn(
    game: Game, record: Record, world: World, turn: written.Turn, codes: set[str], deep: bool = False
) -> Iterator[World]:
    """What becomes of one world in a turn, for each choice of its unseen cards and of the marks asked for."""
    try:
        yield from list(_played(game._replace(marks=_Marks(world.marks)), record, world, turn, codes, deep))
    except _AskedMark as asked:
        for mark in MARKS:
            marks = tuple(sorted((*world.marks, (asked.card, mark))))
            yield from _turn(game, record, world._replace(marks=marks), turn, codes, deep)


def _played(
    game: Game, record: Record, world: World, turn: written.Turn, codes: set[str], deep: bool
) -> Iterator[World]:
    """The worlds after the turn. `codes` takes up what breaks, with `deep` beyond the first part that fails too."""
    state, player = world.state, world.state.to_move
    if state.result:
        codes.add("END04")
        return
    if turn.number != state.turns + 1 or turn.name != record.players[player]:
        codes.add("END06")
        return
    for draw, slots, pool in _draws(world, turn.draw, codes, deep):
        deck = (*draw, *_completed(slots, pool))
        drawn = draw if len(draw) == len(turn.draw) else turn.draw
        wrong, after = draw_faults(game, state._replace(deck=deck), player, turn._replace(draw=drawn))
        codes |= wrong
        if wrong and (not deep or len(draw) < len(turn.draw)):
            continue
        for filled in _actions(game, after, player, turn.action, codes):
            broken, acted = action_faults(game, after, player, filled)
            codes |= broken
            if broken and not deep:
                continue
            for drop in _chosen(turn.drop, acted.hands[player], "LIM01", codes):
                for trim in _chosen(turn.trim, acted.reserve, "LIM02", codes):
                    found, last = limit_faults(game, after, acted, player, filled._replace(drop=drop, trim=trim))
                    codes |= found
                    if not (wrong or broken or found):
                        yield World(pass_on(last)._replace(deck=()), slots, pool, world.marks)


def _completed(slots: tuple[Any, ...], pool: frozenset[Any]) -> list[Any]:
    rest = iter(sorted(pool, key=card_key))
    return [next(rest) if slot is None else slot for slot in slots]


def _draws(
    world: World, shown: tuple[Any, ...], codes: set[str], deep: bool
) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...], frozenset[Any]]]:
    """Every choice of the deck's top for what a turn draws, and the deck after it; a ``?`` is never the Finish card.
    Shorter than what is written where the deck is. With `deep` a wrong card where there is no right one.
    """
    if not shown or not world.slots:
        yield (), world.slots, world.pool
        return
    top, card = world.slots[0], shown[0]
    choices = [top] if top is not None else sorted(world.pool, key=card_key)
    kept = [choice for choice in choices if (choice != F if card == "?" else choice == card)]
    if not kept:
        codes |= {"DRW06"} if card == "?" else {"DRW05", "SET06"}
        kept = choices[:1] if deep else []
    for choice in kept:
        rest = world._replace(slots=world.slots[1:], pool=world.pool - {choice})
        for draw, slots, pool in _draws(rest, shown[1:], codes, deep):
            yield (choice, *draw), slots, pool


def _chosen(shown: tuple[Any, ...], held: tuple[Any, ...], clause: str, codes: set[str]) -> list[tuple[Any, ...]]:
    """Every choice for the unseen cards of a drop or a trim, among those held; their order plays no part."""
    known = tuple(card for card in shown if card != "?")
    others = [card for card in held if card not in known]
    found = [(*known, *chosen) for chosen in combinations(others, len(shown) - len(known))]
    if not found:
        codes.add(clause)
    return found


def _actions(game: Game, state: State, player: int, action: tuple[Any, ...], codes: set[str]) -> Iterator[written.Turn]:
    """A turn with each choice for the unseen cards of its action."""
    turn = written.Turn(state.turns + 1, "", (), action)
    if action[0] == "D":
        choices = list(_exchanges(state, player, action[1]))
    elif action[0] == "C":
        lies = state.tower.get(action[1], (0, True))[0]
        choices = [("C", action[1], lies if action[2] == "?" else action[2])]
    elif action[0] in "AB":
        cards = own_cards(state, player) if action[1] == "?" else (action[1],)
        choices = [(action[0], card, action[2]) for card in cards]
    else:
        choices = [action]
    if not choices:
        codes |= {"ACT02", "ACT03", "ACT05", "SET06"}
    for choice in choices:
        yield turn._replace(action=choice)


def _exchanges(state: State, player: int, d: written.Exchange) -> Iterator[tuple[Any, ...]]:
    for cards in _tuples((*d.sent, *(card for _, card in d.adjust)), own_cards(state, player)):
        reserve = (*state.reserve, *cards[:2])
        for taken in reserve if d.taken == "?" else (d.taken,):
            destroyed = tuple(zip((mark for mark, _ in d.adjust), cards[2:], strict=True))
            yield "D", d._replace(sent=cards[:2], adjust=destroyed, taken=taken)


def _tuples(shown: tuple[Any, ...], own: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if not shown:
        yield ()
        return
    for card in own if shown[0] == "?" else (shown[0],):
        for rest in _tuples(shown[1:], tuple(other for other in own if other != card)):
            yield (card, *rest)
