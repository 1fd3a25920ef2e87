"""Spoil one turn of a legal, fully seen record. Some variants stay legal by chance: what they are is for others to say.

Each function of `TURNS` takes a `Scene` and answers the spoiled turn, or None where it has nothing to spoil.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Record, Turn
from couperation_formal.game.rules.clauses import ASKED
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import draw_limit
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State, all_cards
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, Cell, Down, Shown, Tower, Up, Value, card_key

PLACE = ("TOW03", "TOW04", "TOW05", "TOW06")


class Scene(NamedTuple):
    """A legal turn about to be spoiled, carried out on the table before it."""

    rng: Random
    record: Record
    step: Step

    @property
    def turn(self) -> Turn:
        return self.step.turn

    @property
    def d(self) -> Exchange | None:
        """The turn's exchange, where its action is D."""
        return self.turn.action if isinstance(self.turn.action, Exchange) else None

    @property
    def state(self) -> State:
        """The table after the draw."""
        return self.step.drawn

    @property
    def board(self) -> Board:
        return self.state.board

    @property
    def tower(self) -> Tower:
        return self.state.tower

    @property
    def rulings(self) -> Rulings:
        return self.record.rules.rulings

    @property
    def own(self) -> list[Card]:
        """The player's cards."""
        front = [FINISH] if self.state.front == self.step.player else []
        return [*in_order(self.state.hands[self.step.player].known), *front]

    @property
    def others(self) -> list[Card]:
        """The cards that are not the player's, the rest of the deck included."""
        return in_order(all_cards(self.board, self.record.variant).difference(self.own))

    @property
    def reserve(self) -> list[Card]:
        return in_order(self.state.reserve.known)

    @property
    def cells(self) -> list[Cell]:
        """Every cell that can be written, on the board or not."""
        return [
            Cell(column, level) for level in range(1, self.board.levels + 1) for column in range(self.board.columns)
        ]

    @property
    def empty(self) -> list[Cell]:
        return [cell for cell in self.cells if cell not in self.tower.cells]

    @property
    def free(self) -> list[Cell]:
        """Every cell where a card may be laid, its number aside."""
        return [cell for cell in self.empty if self.keeps(LayDown(Value(1), cell), PLACE)]

    def inside(self, cell: Cell) -> bool:
        """Whether a card there leaves the tower in a pyramid (TOW04)."""
        return self.keeps(LayDown(Value(1), cell), ("TOW04",))

    def keeps(self, action: Action, clauses: Sequence[str]) -> bool:
        """Whether the turn with this action keeps these clauses."""
        step = carry_out(self.step.before, replace(self.turn, action=action), self.step.player)
        return not any(clause.check(step, self.rulings) for clause in ASKED[type(action)] if clause.id in clauses)


Spoil = Callable[[Scene], Turn | None]


def in_order(cards: frozenset[Card]) -> list[Card]:
    return sorted(cards, key=card_key)


def lay(s: Scene, cells: list[Cell], faces: tuple[type[LayUp | LayDown], ...] = (LayUp, LayDown)) -> Turn | None:
    """The turn with an own card laid on one of these cells, and the right number of cards dropped."""
    glass = [card for card in s.own if card is not FINISH]
    if not cells or not glass:
        return None
    s.rng.shuffle(glass)
    drop = tuple(glass[1 + s.board.hand_limit :])
    return replace(s.turn, action=s.rng.choice(faces)(glass[0], s.rng.choice(cells)), drop=drop, trim=())


def _spread(s: Scene) -> Turn | None:
    near = {column + step for column, level in s.tower.cells if level == 1 for step in (-1, 1)}
    return lay(s, [cell for cell in s.empty if cell.level == 1 and cell.column not in near and s.inside(cell)])


def _support(s: Scene) -> Turn | None:
    loose = [cell for cell in s.empty if cell.level > 1 and not {*cell.supports} <= s.tower.cells.keys()]
    return lay(s, [cell for cell in loose if s.inside(cell)])


def _apex(s: Scene, face: type[LayUp | LayDown], supported: bool) -> Turn | None:
    top = [cell for cell in s.empty if cell.level == s.board.levels]
    return lay(s, [cell for cell in top if not supported or cell.supports[0] in s.tower.cells], (face,))


def laid(s: Scene, make: Callable[[LayUp | LayDown], Action]) -> Turn | None:
    """The turn with its A or B changed."""
    return replace(s.turn, action=make(s.turn.action)) if isinstance(s.turn.action, LayUp | LayDown) else None


def _opennothing(s: Scene) -> Turn | None:
    """C on any cell, most often one of the tower."""
    cell = s.rng.choice([*sorted(s.tower.cells), *sorted(s.tower.cells), *s.empty])
    lying = s.tower.cells.get(cell)
    card = lying.card if lying else Value(s.rng.randint(1, s.board.cards))
    return replace(s.turn, action=Open(cell, card), drop=(), trim=())


def _nottake(s: Scene) -> Turn | None:
    """Take a card that is not in the Reserve for two own cards that would make it."""
    glass = [card for card in s.own if isinstance(card, int)]
    ways = [(a, sign, b, a + b if sign == "+" else a - b) for a in glass for b in glass if a > b for sign in "+-"]
    ways = [way for way in ways if 1 <= way[3] <= s.board.cards and way[3] not in s.reserve]
    if not ways:
        return None
    a, sign, b, taken = s.rng.choice(ways)
    made = [Exchange(a, sign, b, (), Value(taken), True, cell, None) for cell in s.free]  # type: ignore[arg-type]
    fitting = [action for action in made if s.keeps(action, ("TOW01", "TOW02", "TOW07", "TOW08"))]
    trim = (s.rng.choice(s.reserve),) if s.reserve and s.rng.random() < 0.7 else ()
    return replace(s.turn, action=s.rng.choice(fitting), drop=(), trim=trim) if fitting else None


def exchanged(s: Scene, change: Callable[[Exchange], dict[str, Any] | None]) -> Turn | None:
    """The turn's exchange with some parts changed."""
    parts = change(s.d) if s.d else None
    return replace(s.turn, action=replace(s.d, **parts)) if s.d and parts else None


def _any_sign(s: Scene) -> Any:
    return s.rng.choice("^_|")


def _moreadjust(s: Scene, d: Exchange) -> dict[str, Any]:
    """One more card destroyed for the sum: an own one, one used already, or one of somebody else."""
    card = s.rng.choice([*s.own, d.first, d.second, s.rng.choice(s.others)])
    return {"adjust": (*d.adjust, (_any_sign(s), card))}


def _replace(s: Scene, d: Exchange) -> dict[str, Any]:
    """Something else replaced: wrong face, wrong card, a card where none lies."""
    old = d.replaced or Up(s.rng.choice(s.others))
    turned = Up if isinstance(old, Down) else Down
    other = type(old)(Value(s.rng.randint(1, s.board.cards)))
    return {"replaced": s.rng.choice([turned(old.card), other, Down(UNSEEN), Up(FINISH), old])}


def _elsewhere(s: Scene, _: Exchange) -> dict[str, Any]:
    """The taken card in place of any laid one, as it lies."""
    cell = s.rng.choice(sorted(s.tower.cells))
    return {"cell": cell, "replaced": s.tower.cells[cell]}


def _overdraw(s: Scene) -> Turn | None:
    limit = max(draw_limit(s.step.before, s.step.player, s.rulings).amounts)
    return replace(s.turn, draw=s.step.before.deck[: limit + s.rng.choice([1, 2])])


def _drawfrom(s: Scene) -> Turn | None:
    """Draw another card: from deeper in the deck, or from anywhere else."""
    if not s.turn.draw:
        return None
    deck = s.step.before.deck
    elsewhere = in_order(all_cards(s.board, s.record.variant).difference(deck))
    draw: list[Shown] = list(s.turn.draw)
    draw[s.rng.randrange(len(draw))] = s.rng.choice(s.rng.choice([deck, elsewhere, s.turn.draw, (FINISH,)]))
    return replace(s.turn, draw=tuple(draw))


def _idledrop(s: Scene) -> Turn | None:
    used = getattr(s.turn.action, "card", None)
    rest = [card for card in s.own if card != used]
    return replace(s.turn, drop=(*s.turn.drop, s.rng.choice(rest) if rest else Value(7)))


def _instead(s: Scene, part: str, pool: list[Card]) -> Turn | None:
    """The first card of a drop or trim left out, and another one from the pool named instead."""
    cards = getattr(s.turn, part)
    return replace(s.turn, **{part: (*cards[1:], s.rng.choice([*pool, FINISH]))}) if cards else None


def _fewer(s: Scene, part: str, kept: slice) -> Turn | None:
    cards = getattr(s.turn, part)
    return replace(s.turn, **{part: cards[kept]}) if cards else None


TURNS: dict[str, Spoil] = {
    "support": _support,
    "spread": _spread,
    "outside": lambda s: lay(s, [cell for cell in s.empty if not s.inside(cell)]),
    "order": lambda s: lay(s, s.free),
    "anywhere": lambda s: lay(s, s.cells),
    "occupied": lambda s: lay(s, sorted(s.tower.cells)),
    "nothand": lambda s: laid(s, lambda a: type(a)(s.rng.choice(s.others), a.cell)),
    "finishdown": lambda s: laid(s, lambda a: LayDown(FINISH, a.cell)),
    "finishlaid": lambda s: laid(s, lambda a: LayUp(FINISH, a.cell)),
    "apexdown": lambda s: _apex(s, LayDown, False),
    "apexup": lambda s: _apex(s, LayUp, True),
    "facedown": lambda s: laid(s, lambda a: (LayDown if isinstance(a, LayUp) else LayUp)(a.card, a.cell)),
    "shows": lambda s: (
        replace(s.turn, action=Open(s.turn.action.cell, s.rng.choice(s.own + s.others)))
        if isinstance(s.turn.action, Open)
        else None
    ),
    "opennothing": _opennothing,
    "pass": lambda s: replace(s.turn, action=NoAction(), drop=s.rng.choice([(), s.turn.drop]), trim=()),
    "nottake": _nottake,
    "takeother": lambda s: exchanged(
        s, lambda d: {"taken": s.rng.choice([*s.reserve, *map(Value, range(1, s.board.cards + 1)), FINISH])}
    ),
    "laiddown": lambda s: exchanged(s, lambda d: {"face_up": False}),
    "sign": lambda s: exchanged(s, lambda d: {"sign": "-" if d.sign == "+" else "+"}),
    "swapsent": lambda s: exchanged(s, lambda d: {"first": d.second, "second": d.first}),
    "marks": lambda s: exchanged(s, lambda d: {"adjust": tuple((_any_sign(s), card) for _, card in d.adjust)}),
    "lessadjust": lambda s: exchanged(s, lambda d: {"adjust": d.adjust[1:]}),
    "moreadjust": lambda s: exchanged(s, lambda d: _moreadjust(s, d)),
    "sendother": lambda s: exchanged(s, lambda d: {"second": s.rng.choice([*s.others, d.first, FINISH])}),
    "noreplace": lambda s: exchanged(s, lambda d: {"replaced": None}),
    "replace": lambda s: exchanged(s, lambda d: _replace(s, d)),
    "elsewhere": lambda s: exchanged(s, lambda d: _elsewhere(s, d)),
    "takenanywhere": lambda s: exchanged(s, lambda d: {"cell": s.rng.choice(s.cells), "replaced": None}),
    "overdraw": _overdraw,
    "underdraw": lambda s: _fewer(s, "draw", slice(0, -1)),
    "drawfrom": _drawfrom,
    "drawswap": lambda s: _fewer(s, "draw", slice(None, None, -1)),
    "idledrop": _idledrop,
    "idletrim": lambda s: replace(s.turn, trim=(*s.turn.trim, s.rng.choice(s.reserve))) if s.reserve else None,
    "nodrop": lambda s: _fewer(s, "drop", slice(1, None)),
    "notrim": lambda s: _fewer(s, "trim", slice(1, None)),
    "dropother": lambda s: _instead(s, "drop", s.others),
    "trimother": lambda s: _instead(s, "trim", s.others + s.own),
    "player": lambda s: replace(
        s.turn, player=s.rng.choice([name for name in (*s.record.players, "Nobody") if name != s.turn.player])
    ),
    "number": lambda s: replace(s.turn, number=s.turn.number + s.rng.choice([1, 2, -1, 100])),
}
