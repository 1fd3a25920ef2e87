"""The legal actions of a table by the formulas: every action that can be written is tried."""

from __future__ import annotations

import msgspec

from couperation_formal.formula.tables import attribute
from couperation_formal.model.board import Cell
from couperation_formal.model.budget import Steps
from couperation_formal.model.cards import card_key
from couperation_formal.model.record import Exchange, LayUp, Open
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.reference import values as forms
from couperation_formal.reference.judge import book
from couperation_formal.rules.moves import Move

_MARKS = "^_|"


def legal_moves(state: State, rulings: Rulings, budget: Steps | None = None) -> tuple[Move, ...]:
    """Every legal action of the player to move on a fully seen table after the draw, in the order of `rules.moves`.

    Of actions D that differ only in how the same sum is written one is named (spec/notation.md). Raises `NotShown`
    where a hand or the Reserve is not seen, `Spent` where the budget ends. Cost: tenths of a second, most of it for D.
    """
    given = {
        **msgspec.structs.asdict(rulings),
        **forms.constants(state.board),
        **forms.table(state),
        "t": state.turns + 1,
        "name": state.players[state.to_move],
        "d": (),
        "fill": (),
        "drop": (),
        "trim": (),
    }
    values = book().values(budget=budget, **{attribute(name): value for name, value in given.items()})
    written: dict[object, Move] = {}
    for formed in values.value("legal"):
        move = forms.move_of(formed)
        if isinstance(move, Exchange):
            move = _in_order(move)
            key = move.taken, move.face_up, move.cell, move.replaced, move.first, move.second, _spent(move)
            written[key] = min(move, written.get(key, move), key=_writing)
        else:
            written[move] = move
    return tuple(sorted(written.values(), key=_place))


def _in_order(move: Exchange) -> Exchange:
    first, second = sorted((move.first, move.second), key=card_key)
    adjust = tuple(sorted(move.adjust, key=lambda pair: card_key(pair[1])))
    return Exchange(first, move.sign, second, adjust, move.taken, move.face_up, move.cell, move.replaced)


def _spent(move: Exchange) -> tuple[object, ...]:
    return tuple(card for _, card in move.adjust)


def _writing(move: Move) -> tuple[object, ...]:
    """A difference before a sum, as few signs ^ and _ as will do, the signs ^, _ and | in this order."""
    if not isinstance(move, Exchange):
        return ()
    signs = [_MARKS.index(sign) for sign, _ in move.adjust]
    return move.sign == "+", -signs.count(2), signs


def _upwards(cell: Cell) -> tuple[int, int]:
    return cell.level, cell.column


def _place(move: Move) -> tuple[object, ...]:
    """A, B, C, D; A by card, B and C by cell, D by what it pays; cells from left to right and upwards."""
    if isinstance(move, Open):
        return 2, move.cell
    if isinstance(move, Exchange):
        spent = tuple(card_key(card) for _, card in move.adjust)
        paid = card_key(move.first), card_key(move.second), len(spent), spent, card_key(move.taken)
        target = (0, _upwards(move.cell)) if move.replaced is None else (1, tuple(move.cell))
        return 3, paid, target, not move.face_up
    card, cell = card_key(move.card), _upwards(move.cell)
    return (0, card, cell) if isinstance(move, LayUp) else (1, cell, card)
