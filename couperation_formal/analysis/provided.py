"""On what a legal verdict hangs that nobody noted: of a dispute for each rulebook, of a check under its own rules."""

from __future__ import annotations

from typing import Final

import msgspec

from couperation_formal.analysis.verdict import Report
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.diagnostic import ALWAYS, Assumption, Proviso, Term
from couperation_formal.game.record import Game, Record
from couperation_formal.game.rulings import registry
from couperation_formal.game.tower import STANDARD, UNSEEN, Board
from couperation_formal.hidden.readings.sets import Readings, Verdicts
from couperation_formal.hidden.readings.standing import cut

_LEAST: Final = 150_000
"""The steps that the provisos of a whole record may take at least: else two thirds of what the rest of the answer took.
"""

_MOST: Final = 16
"""So many ways to make one term of those of several rulebooks are looked at."""


def provisos_of(
    record: Record,
    turn: int | None,
    verdicts: Verdicts,
    shown: Readings,
    budget: Steps,
    since: int = 0,
    board: Board = STANDARD,
) -> dict[str, Proviso]:
    """For each rulebook under which `record` up to `turn` is legal, and not by what it shows (`shown`): on what that
    hangs. Turns before turn `since` stand as they were played. Loads Z3 where there is such a rulebook. Cost: half of
    the budget at most; of a whole record two thirds of what was spent.
    """
    books = {name: each for name, each in registry().rulebooks.items() if each in verdicts.legal and each not in shown}
    if not books:
        return {}
    from couperation_formal.hidden.smt.provisos import Provisos
    from couperation_formal.hidden.symbolic.record import symbolic

    found: dict[str, Proviso] = {}
    share = budget.left // 2
    with budget.at_most(share if since else min(share, max(_LEAST, budget.spent * 2 // 3))):
        try:
            run = symbolic(cut(record, turn), None, board, budget=budget, since=since, places=True)
            search, like = Provisos(run, since, budget), None
            for name, rulings in books.items():
                like = found[name] = search.under(rulings, like) or Proviso(False)
        except Spent:
            pass
    return {name: found.get(name, Proviso(False)) for name in books}


def common(provided: dict[str, Proviso], legal: tuple[str, ...]) -> Proviso | None:
    """What all rulebooks that find something legal take for granted; None where that is nothing for each of them. Exact
    where it is the same for all; else a term that suffices under each, where one is found.
    """
    if not any(name in provided for name in legal):
        return None
    each = [provided.get(name, ALWAYS) for name in legal]
    if all(other == each[0] for other in each):
        return each[0]
    terms: list[Term] = [()]
    for proviso in each:
        both = [joined(term, other) for term in terms for other in proviso.terms]
        terms = sorted((term for term in both if term is not None), key=len)[:_MOST]
    return Proviso(False, tuple(terms[:1]))


def joined(one: Term, other: Term) -> Term | None:
    """Two terms as one; None where they cannot both hold, or only together with what cards and places allow."""
    first, second = ({(each.kind, each.of): each for each in term} for term in (one, other))
    free = [{key: each for key, each in term.items() if each.kind != "mark"} for term in (first, second)]
    if all(free) and free[0] != free[1]:
        return None
    for key, literal in second.items():
        values = first.get(key, literal).values
        first[key] = msgspec.structs.replace(literal, values=tuple(each for each in values if each in literal.values))
    return tuple(first.values()) if all(each.values for each in first.values()) else None


def with_proviso(report: Report, budget: Steps | int | None = None, since: int = 0) -> Report:
    """The report on a legal record with what it takes for granted; any other as it is. Turns before turn `since` stand
    as they were played. Loads Z3 where the record does not show all that was asked. Cost: `budget` at most.
    """
    game, world = report.item, report.world
    if report.verdict != "legal" or world is None or not isinstance(game, Game) or report.rules is None:
        return report
    from couperation_formal.hidden.smt.provisos import proviso

    steps, record, sizes = steps_of(budget), *_noted(game.record, world)
    before = steps.spent
    found = proviso(record, report.rules.rulings, budget=steps, since=since) or Proviso(False)
    if sizes:
        found = Proviso(False, tuple((*sizes, *term) for term in found.terms[:1]))
    return msgspec.structs.replace(report, provided=found, spent=report.spent + steps.spent - before)


def _noted(record: Record, world: Record) -> tuple[Record, Term]:
    """The record with the sizes that its open draws have in a world, and these as literals."""
    turns, sizes = [], list[Assumption]()
    for place, (turn, shown) in enumerate(zip(record.turns, world.turns, strict=True), start=1):
        if turn.draw_open:
            sizes.append(Assumption("size", f"turn {place} draw", (str(len(shown.draw)),)))
            turn = msgspec.structs.replace(turn, draw=(UNSEEN,) * len(shown.draw), draw_open=False)
        if turn.fill_open:
            sizes.append(Assumption("size", f"turn {place} fill", (str(len(shown.fill)),)))
            turn = msgspec.structs.replace(turn, fill=(UNSEEN,) * len(shown.fill), fill_open=False)
        turns.append(turn)
    return msgspec.structs.replace(record, turns=tuple(turns)), tuple(sizes)
