"""What is asked of the exact engines, of any board, with the budget that a question has unless told."""

from __future__ import annotations

from collections.abc import Sequence

from couperation_formal.game.fact import Steps, steps_of
from couperation_formal.game.record import Proviso, Record
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.readings.sets import Readings, Verdicts
from couperation_formal.hidden.smt import exact, infer as infer_module
from couperation_formal.hidden.smt.exact import Outcome
from couperation_formal.hidden.smt.infer import Corrections, Inference

Budget = Steps | int | None


def decide(record: Record, rulings: Rulings, board: Board = STANDARD, budget: Budget = None, since: int = 0) -> Outcome:
    return exact.decide(record, rulings, steps_of(budget), board, since)


def symbolic_verdicts(
    record: Record,
    board: Board = STANDARD,
    within: Readings | None = None,
    budget: Budget = None,
    since: int = 0,
) -> Verdicts:
    """All readings by their verdict where none are named."""
    every = Readings.every() if within is None else within
    return exact.symbolic_verdicts(record, every, steps_of(budget), board, since)


def unplayable(record: Record, at: int, board: Board = STANDARD) -> int | None:
    return exact.unplayable(record, at, steps_of(None), board)


def corrections(record: Record, rulings: Rulings, board: Board = STANDARD, budget: Budget = None) -> Corrections:
    return infer_module.corrections(record, rulings, steps_of(budget), board)


def proviso(
    record: Record, rulings: Rulings, board: Board = STANDARD, budget: Budget = None, since: int = 0
) -> Proviso | None:
    return infer_module.proviso(record, rulings, steps_of(budget), board, since)


def infer(records: Sequence[tuple[Record, Rulings]], board: Board = STANDARD, budget: Budget = None) -> Inference:
    return infer_module.infer(records, steps_of(budget), board)
