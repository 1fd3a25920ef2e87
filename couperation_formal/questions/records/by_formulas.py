"""A record, or the actions of a turn, judged by the formulas of the specification alone."""

from __future__ import annotations

from couperation_formal.formulas.judge import NotShown, book, judge, legal_moves
from couperation_formal.game.budget import Spent, Steps
from couperation_formal.game.fact import fact, taken
from couperation_formal.game.record import Game
from couperation_formal.game.replay import Broken, Doubt, Replay
from couperation_formal.game.rules.moves import Moves
from couperation_formal.game.rulings import Rules
from couperation_formal.output.report import Report
from couperation_formal.questions.records.states import turn_table
from couperation_formal.questions.records.verdict import plain_report

_PARTS = {"DRW": "draw", "LIM01": "drop", "LIM02": "trim", "END04": "number", "END05": "result", "END06": "number"}
"""The part of a turn that a clause points to; else the action."""
_SETUP = {"SET01": "Players", "SET03": "reserve", "SET05": "deck"}


def check_by_formulas(game: Game, rules: Rules, budget: Steps | None = None) -> Report:
    """The report on a record by the formulas of the specification and nothing else.

    A record that does not show what a formula asks for, or that costs more than the budget, is undetermined. The report
    has no states. Cost: some 0.2 ms a turn, after 0.5 s once; a turn ``-`` tries every action.
    """
    judged = judge(game.record, rules.rulings, budget=budget)
    broken = [_broken(judged.turn or 0, clause, game) for clause in judged.broken]
    warned = [_broken(turn, clause, game, warning=True) for turn, clause in judged.warned]
    what = fact("formulas_spent", taken=taken(budget)) if budget and not budget.left else fact("formulas_open")
    doubts = () if judged.open_ is None else (Doubt(judged.open_, what),)
    outcome = Replay(states=(), broken=(*broken, *warned), doubts=doubts, illegal=judged.turn, reached=judged.reached)
    return plain_report(game, rules, outcome)


def _broken(turn: int, clause: str, game: Game, warning: bool = False) -> Broken:
    part = _PARTS.get(clause) or _PARTS.get(clause[:3]) or ("action" if turn else _SETUP.get(clause, "Players"))
    if turn and clause == "SET05":
        part = "draw"
    elif turn and part in ("draw", "drop", "trim") and not getattr(game.record.turns[turn - 1], part):
        part = "action" if part != "draw" else "player"
    what = fact("formula_doubt" if warning else "formula", clause=clause, title=book().headings[clause].title)
    return Broken(turn, clause, what, part, (), warning)


def moves_by_formulas(game: Game, turn: int, rules: Rules | None = None, budget: Steps | None = None) -> Moves:
    """Every legal action in turn `turn` after its recorded draw, found by trying all of them; `complete` is False, and
    none is found, where not all is seen or the budget ends. Nor is `could`: a formula is asked of a table, and
    there are very many that the unseen cards allow. Raises `NoSuchTurn`.
    """
    state = turn_table(game, turn, rules)
    try:
        return Moves(legal_moves(state, (rules or game.record.rules).rulings, budget), True)
    except NotShown:
        return Moves((), False)
    except Spent:
        return Moves((), False, False)
