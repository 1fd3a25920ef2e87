"""Job one: is a recorded game legal, and if not, where, by which clause, and on which ruling does it hang.

The plain replay answers first. What it finds without a doubt is final; where the record leaves it in doubt, Z3 decides
whether some choice of what the record does not show makes every turn legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from couperation_formal.analysis.verdict import Conflict, Report, plain_report
from couperation_formal.analysis.warned import end_warnings, tag_warnings, warnings
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.diagnostic import NOTATION, Diagnostic
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.record import Game, Snapshot, Span
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rulings import Rules
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.words.say import say

__all__ = ["Conflict", "Engine", "EngineDisagreement", "Report", "check", "check_certificates", "world_text"]

Engine = Literal["auto", "plain", "z3", "both", "spec"]


class EngineDisagreement(RuntimeError):
    """The plain evaluator and the Z3 model gave different answers on one record: a bug of ours."""


def check(
    item: Item,
    rules: Rules | None = None,
    engine: Engine = "auto",
    budget: Steps | int | None = None,
    since: int = 0,
) -> Report:
    """Check one game, under `rules` in place of the record's own where given; from turn `since` on, by place, where
    given: what turns before it break are notes. The engine "spec" knows no `since`. Warnings (`warned`) stand last.
    Raises `ValueError` where the record has no such turn.

    `engine` "plain" leaves what the plain replay cannot tell undetermined; the others ask Z3 then, with the
    steps of `budget`; "z3" has Z3 decide the orders of towers too, "both" compares it there with the plain evaluator
    and raises `EngineDisagreement` when the two differ; "spec" judges by the specification's formulas alone. Z3 is
    imported only where it is asked. Cost: linear in the turns; tenths of a second where Z3 decides.
    """
    if isinstance(item, Malformed):
        return _in_part(item, rules, budget, since)
    if isinstance(item, Snapshot):
        span = item.layout.lines.get("position", Span(0, 0))
        return _malformed(item, (_notation(say(fact("game_wanted")), span),))
    if since > len(item.record.turns):
        raise Unfit(fact("no_turn", turn=since, turns=len(item.record.turns)))
    return _told(item, rules, engine, steps_of(budget), since, tuple(end_warnings(item)))


def _told(
    item: Game, rules: Rules | None, engine: Engine, steps: Steps, since: int, more: tuple[Diagnostic, ...] = ()
) -> Report:
    """The report on a game with its warnings, and `more` of them."""
    report = _judged(item, rules or item.record.rules, engine, steps, since)
    own = rules is None
    told = (*(tag_warnings(item, own) if engine == "spec" else warnings(item, report, own, since)), *more)
    return msgspec.structs.replace(report, diagnostics=(*report.diagnostics, *told)) if told else report


def _judged(item: Game, rules: Rules, engine: Engine, steps: Steps, since: int) -> Report:
    """The report on a game, without what it takes for granted."""
    if engine == "spec":
        from couperation_formal.analysis.by_formulas import check_by_formulas

        return check_by_formulas(item, rules, steps)
    try:
        outcome = _replay(item, rules, engine, steps, since)
    except Spent:
        from couperation_formal.analysis.verify_exact import undecided_report

        return undecided_report(item, rules, steps)
    sizes = outcome.illegal is None and any(turn.draw_open or turn.fill_open for turn in item.record.turns)
    if (outcome.doubts or sizes) and engine != "plain":
        from couperation_formal.analysis.verify_exact import exact_report

        return exact_report(item, rules, outcome, steps, since)
    return plain_report(item, rules, outcome, since)


def check_certificates(report: Report, budget: Steps | None = None) -> Iterator[dict[str, Any] | str]:
    """The certificate of a verdict: of a legal record its world, of an illegal one that shows what the clause asks for
    the turn, the clause and the numbers, of another illegal one the SMT-LIB script of what cannot all hold. Nothing for
    a record that could not be read or decided, or whose script takes more than `budget`.
    """
    from couperation_formal.analysis.certificate import record_certificate

    if not isinstance(report.item, Game) or report.rules is None:
        return
    if report.conflict is not None:
        yield report.conflict.script
    elif report.verdict in ("legal", "illegal"):
        certificate = record_certificate(report.item.record, report.rules.rulings, report.world)
        if certificate is not None:
            yield certificate
        elif report.turn is not None:
            from couperation_formal.analysis.verify_exact import refutation

            yield from refutation(report.item, report.rules, report.turn, budget)


def world_text(report: Report) -> str:
    """The CGN text of a legal game with everything shown: its world, or the game itself where it shows all that is
    asked for.
    """
    from couperation_formal.notation.write import record_text

    game = report.item
    if not isinstance(game, Game):
        raise TypeError("only a game has a world")
    return record_text(game.record if report.world is None else report.world)


def _replay(game: Game, rules: Rules, engine: Engine, budget: Steps, since: int) -> Replay:
    if engine in ("auto", "plain"):
        return replay(game.record, rules.rulings, since=since)
    from couperation_formal.hidden.smt.arrangement import Model

    exact = replay(game.record, rules.rulings, arrangement=Model(budget), since=since)
    if engine == "both":
        plain = replay(game.record, rules.rulings, since=since)
        if _answer(plain) != _answer(exact):
            raise EngineDisagreement(f"{game.file}: game {game.index}: plain {_answer(plain)}, z3 {_answer(exact)}")
    return exact


def _answer(outcome: Replay) -> object:
    """What both engines must agree on; the words of a reason may differ."""
    codes = sorted((found.turn, found.clause, found.rulings) for found in outcome.broken)
    return outcome.illegal, outcome.reached, codes, outcome.states, outcome.doubts


def _in_part(item: Malformed, rules: Rules | None, budget: Steps | int | None, since: int) -> Report:
    """The report on a game with lines that cannot be read: the turns before the first of them are judged plainly, and
    what they break stands among the faults in the order of the text, after those of its line, on which it may rest.
    """
    whole = _malformed(item, item.diagnostics)
    if item.judged is None or since > len(item.judged.record.turns):
        return whole
    part = _told(item.judged, rules, "plain", steps_of(budget), since)
    broken = part.verdict == "illegal"
    found = tuple(each for each in part.diagnostics if broken or each.severity != "note")
    error = min((each.span.start for each in found if each.severity == "error"), default=0)

    def line(each: Diagnostic) -> int:
        return item.text.count("\n", 0, max(error, each.span.start) if each.severity == "note" else each.span.start)

    told = tuple(sorted((*item.diagnostics, *found), key=line))
    return msgspec.structs.replace(whole, rules=part.rules, turn=part.turn, diagnostics=told, states=part.states)


def _malformed(item: Item, diagnostics: tuple[Diagnostic, ...]) -> Report:
    return Report(item=item, rules=None, verdict="malformed", results=(), turn=None, diagnostics=diagnostics, states=())


def _notation(message: str, span: Span) -> Diagnostic:
    return Diagnostic(code=NOTATION, severity="error", turn=None, span=span, message=message)
