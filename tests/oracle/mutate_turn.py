"""Spoil one turn of a legal, fully seen record. Some variants stay legal by chance: what they are is for others to say.

Each function takes a `Scene` and answers the spoiled turn, or None where it has nothing to spoil; `TURNS` lists them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from .claims import known_places
from .game import draw_limit, laid_faults
from .reader import Exchange, Record, Turn
from .table import State, own_cards
from .tower import Card, Cell, F, Game, all_cells, inside_pyramid, place_faults, supports


class Scene(NamedTuple):
    """A turn about to be spoiled: the table before it and after its draw, and who plays."""

    rng: random.Random
    game: Game
    record: Record
    turn: Turn
    before: State
    state: State
    player: int

    @property
    def own(self) -> list[Card]:
        """The player's cards."""
        return list(own_cards(self.state, self.player))

    @property
    def others(self) -> list[Card]:
        """The cards that are not the player's, the rest of the deck included."""
        elsewhere = [*known_places(self.state), *self.state.deck]
        return [card for card in elsewhere if card not in self.own]

    @property
    def empty(self) -> list[Cell]:
        """Every empty cell."""
        return [cell for cell in all_cells(self.game) if cell not in self.state.tower]

    @property
    def free(self) -> list[Cell]:
        """Every cell where a card may be laid, its number aside."""
        return [cell for cell in self.empty if not place_faults(self.game, self.state.tower, cell)]

    @property
    def d(self) -> Exchange | None:
        """The turn's exchange, where its action is D."""
        return self.turn.action[1] if self.turn.action[0] == "D" else None

    @property
    def lays(self) -> bool:
        """Whether the action is A or B."""
        return self.turn.action[0] in "AB"


Mutation = Callable[[Scene], Turn | None]
TURNS: dict[str, Mutation] = {}


def kind(name: str) -> Callable[[Mutation], Mutation]:
    """Enter a function that spoils one turn under this name. It answers None where it has nothing to spoil."""

    def enter(function: Mutation) -> Mutation:
        TURNS[name] = function
        return function

    return enter


def pick(rng: random.Random, choices: list) -> Any:
    """One of the choices, or None where there are none."""
    return rng.choice(choices) if choices else None


def lay(s: Scene, cells: list[Cell], letter: str | None = None) -> Turn | None:
    """The turn with an own card laid on one of these cells, and the right number of cards dropped."""
    glass = [card for card in s.own if card != F]
    if not cells or not glass:
        return None
    s.rng.shuffle(glass)
    card, rest = glass[0], glass[1:]
    drop = tuple(rest[s.game.hand_limit :])
    return s.turn._replace(action=(letter or s.rng.choice("AB"), card, s.rng.choice(cells)), drop=drop, trim=())


def change_d(s: Scene, **parts: object) -> Turn | None:
    """The turn's exchange with some parts changed."""
    return s.turn._replace(action=("D", s.d._replace(**parts))) if s.d else None


# The action


@kind("support")
def _support(s: Scene) -> Turn | None:
    inside = [cell for cell in s.empty if inside_pyramid(s.game, [*s.state.tower, cell])]
    return lay(s, [cell for cell in inside if cell[1] > 1 and not {*supports(cell)} <= set(s.state.tower)])


@kind("spread")
def _spread(s: Scene) -> Turn | None:
    near = {column + step for column, level in s.state.tower if level == 1 for step in (-1, 1)}
    inside = [cell for cell in s.empty if inside_pyramid(s.game, [*s.state.tower, cell])]
    return lay(s, [cell for cell in inside if cell[1] == 1 and cell[0] not in near])


@kind("outside")
def _outside(s: Scene) -> Turn | None:
    return lay(s, [cell for cell in s.empty if not inside_pyramid(s.game, [*s.state.tower, cell])])


@kind("order")
def _order(s: Scene) -> Turn | None:
    return lay(s, s.free)


@kind("anywhere")
def _anywhere(s: Scene) -> Turn | None:
    return lay(s, all_cells(s.game))


@kind("occupied")
def _occupied(s: Scene) -> Turn | None:
    return lay(s, list(s.state.tower))


@kind("nothand")
def _nothand(s: Scene) -> Turn | None:
    return s.turn._replace(action=(s.turn.action[0], s.rng.choice(s.others), s.turn.action[2])) if s.lays else None


@kind("finishdown")
def _finishdown(s: Scene) -> Turn | None:
    return s.turn._replace(action=("B", F, s.turn.action[2])) if s.lays else None


@kind("finishlaid")
def _finishlaid(s: Scene) -> Turn | None:
    return s.turn._replace(action=("A", F, s.turn.action[2])) if s.lays else None


@kind("apexdown")
def _apexdown(s: Scene) -> Turn | None:
    return lay(s, [cell for cell in s.empty if cell[1] == s.game.levels], "B")


@kind("apexup")
def _apexup(s: Scene) -> Turn | None:
    return lay(s, [cell for cell in s.empty if cell[1] == s.game.levels and supports(cell)[0] in s.state.tower], "A")


@kind("facedown")
def _facedown(s: Scene) -> Turn | None:
    letter, *rest = s.turn.action
    return s.turn._replace(action=("B" if letter == "A" else "A", *rest)) if s.lays else None


@kind("shows")
def _shows(s: Scene) -> Turn | None:
    letter, *rest = s.turn.action
    return s.turn._replace(action=("C", rest[0], s.rng.choice(s.own + s.others))) if letter == "C" else None


@kind("opennothing")
def _opennothing(s: Scene) -> Turn | None:
    cell = s.rng.choice([*s.state.tower, *s.state.tower, *s.empty])
    card, _ = s.state.tower.get(cell, (s.rng.choice(range(1, 51)), True))
    return s.turn._replace(action=("C", cell, card), drop=(), trim=())


@kind("pass")
def _pass(s: Scene) -> Turn | None:
    return s.turn._replace(action=("-",), drop=s.rng.choice([(), s.turn.drop]), trim=())


@kind("nottake")
def _nottake(s: Scene) -> Turn | None:
    """Take a card that is not in the Reserve for two own cards that would make it."""
    glass = [card for card in s.own if card != F]
    missing = [card for card in range(1, 51) if card not in s.state.reserve]
    ways = [(a, sign, b) for a in glass for b in glass if a > b for sign in "+-"]
    fits = [(a, sign, b) for a, sign, b in ways if (a + b if sign == "+" else a - b) in missing]
    if not fits:
        return None
    a, sign, b = s.rng.choice(fits)
    taken = a + b if sign == "+" else a - b
    cell = pick(s.rng, [cell for cell in s.free if not laid_faults(s.game, s.state.tower, cell, taken, True)])
    if cell is None:
        return None
    exchange = Exchange((a, b), sign, (), taken, True, cell, None)
    trim = (s.rng.choice(s.state.reserve),) if s.rng.random() < 0.7 else ()
    return s.turn._replace(action=("D", exchange), drop=(), trim=trim)


@kind("takeother")
def _takeother(s: Scene) -> Turn | None:
    return change_d(s, taken=s.rng.choice([*s.state.reserve, *range(1, 51), F]))


@kind("laiddown")
def _laiddown(s: Scene) -> Turn | None:
    return change_d(s, face_up=False)


@kind("sign")
def _sign(s: Scene) -> Turn | None:
    return change_d(s, sign="-" if s.d.sign == "+" else "+") if s.d else None


@kind("swapsent")
def _swapsent(s: Scene) -> Turn | None:
    return change_d(s, sent=s.d.sent[::-1]) if s.d else None


@kind("marks")
def _marks(s: Scene) -> Turn | None:
    return change_d(s, adjust=tuple((s.rng.choice("^_|"), card) for _, card in s.d.adjust)) if s.d else None


@kind("lessadjust")
def _lessadjust(s: Scene) -> Turn | None:
    return change_d(s, adjust=s.d.adjust[1:]) if s.d and s.d.adjust else None


@kind("moreadjust")
def _moreadjust(s: Scene) -> Turn | None:
    """Destroy one more card for the sum: an own one, one used already, or one of somebody else."""
    if not s.d:
        return None
    card = s.rng.choice([*s.own, *s.d.sent, s.rng.choice(s.others)])
    return change_d(s, adjust=(*s.d.adjust, (s.rng.choice("^_|"), card)))


@kind("sendother")
def _sendother(s: Scene) -> Turn | None:
    return change_d(s, sent=(s.d.sent[0], s.rng.choice([*s.others, *s.d.sent[:1], F]))) if s.d else None


@kind("noreplace")
def _noreplace(s: Scene) -> Turn | None:
    return change_d(s, replaced=None) if s.d and s.d.replaced else None


@kind("replace")
def _replace(s: Scene) -> Turn | None:
    """Replace something else: wrong face, wrong card, a card where none lies."""
    if not s.d:
        return None
    card, up = s.d.replaced or (s.rng.choice(s.others), True)
    choices = [(card, not up), (s.rng.choice(range(1, 51)), up), ("?", False), (F, True), (card, up)]
    return change_d(s, replaced=s.rng.choice(choices))


@kind("elsewhere")
def _elsewhere(s: Scene) -> Turn | None:
    """Lay the taken card in place of any laid one, as it lies."""
    cell = s.rng.choice(list(s.state.tower))
    return change_d(s, cell=cell, replaced=s.state.tower[cell])


# The draw, the limits, the player


@kind("overdraw")
def _overdraw(s: Scene) -> Turn | None:
    _, limit = draw_limit(s.game, s.before, s.player)
    return s.turn._replace(draw=s.before.deck[: limit + s.rng.choice([1, 2])])


@kind("underdraw")
def _underdraw(s: Scene) -> Turn | None:
    return s.turn._replace(draw=s.turn.draw[:-1]) if s.turn.draw else None


@kind("drawfrom")
def _drawfrom(s: Scene) -> Turn | None:
    """Draw another card: from deeper in the deck, or from anywhere else."""
    if not s.turn.draw:
        return None
    pool = s.rng.choice([list(s.before.deck), known_places(s.before), list(s.turn.draw), [F]])
    draw = list(s.turn.draw)
    draw[s.rng.randrange(len(draw))] = s.rng.choice(pool or [1])
    return s.turn._replace(draw=tuple(draw))


@kind("drawswap")
def _drawswap(s: Scene) -> Turn | None:
    return s.turn._replace(draw=s.turn.draw[::-1]) if len(s.turn.draw) > 1 else None


@kind("idledrop")
def _idledrop(s: Scene) -> Turn | None:
    used = {card for part in s.turn.action[1:] if not isinstance(part, tuple) for card in [part]}
    return s.turn._replace(drop=(*s.turn.drop, pick(s.rng, [c for c in s.own if c not in used]) or 7))


@kind("idletrim")
def _idletrim(s: Scene) -> Turn | None:
    return s.turn._replace(trim=(*s.turn.trim, s.rng.choice(s.state.reserve)))


@kind("nodrop")
def _nodrop(s: Scene) -> Turn | None:
    return s.turn._replace(drop=s.turn.drop[1:]) if s.turn.drop else None


@kind("notrim")
def _notrim(s: Scene) -> Turn | None:
    return s.turn._replace(trim=s.turn.trim[1:]) if s.turn.trim else None


@kind("dropother")
def _dropother(s: Scene) -> Turn | None:
    return s.turn._replace(drop=(*s.turn.drop[1:], s.rng.choice([*s.others, F]))) if s.turn.drop else None


@kind("trimother")
def _trimother(s: Scene) -> Turn | None:
    return s.turn._replace(trim=(*s.turn.trim[1:], s.rng.choice([*s.others, *s.own, F]))) if s.turn.trim else None


@kind("player")
def _player(s: Scene) -> Turn | None:
    return s.turn._replace(name=s.rng.choice([name for name in s.record.players if name != s.turn.name] + ["Nobody"]))


@kind("number")
def _number(s: Scene) -> Turn | None:
    return s.turn._replace(number=s.turn.number + s.rng.choice([1, 2, -1, 100]))
