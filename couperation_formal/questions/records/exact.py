"""The verdict on a record that the plain replay cannot tell: whether some choice of what it does not show makes every
turn legal. Loads Z3.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from couperation_formal.game.fact import Datum, Fact, Spent, Steps, fact, steps_of
from couperation_formal.game.record import Change, Diagnostic, Game, Layout
from couperation_formal.game.replay import PLACES, Broken, Replay, replay
from couperation_formal.game.rules.clauses import ENDING_RULINGS, TURN_CLAUSES, place_in_order
from couperation_formal.game.rulings import Rules
from couperation_formal.hidden.readings.standing import cut
from couperation_formal.hidden.smt.exact import Impossible, Possible, decide, mending
from couperation_formal.hidden.smt.infer import corrections
from couperation_formal.hidden.symbolic.cards import Rule
from couperation_formal.hidden.symbolic.record import core_script
from couperation_formal.output.report import Conflict, Correct, Report
from couperation_formal.questions.records.verdict import diagnostic, lost, place, plain_report, slips, why_nowhere


def exact_report(
    game: Game, rules: Rules, outcome: Replay | None, budget: Steps, since: int, hanging: bool = True
) -> Report:
    """The report where the replay was in doubt: Z3 decides the turns before the one that it surely refuses. Turns
    before turn `since` stand as they were played. Without an outcome the budget was spent before Z3 had decided the
    orders of every turn. `hanging` as in `check.judged`.
    """
    if outcome is None:
        plain = plain_report(game, rules, replay(game.record, rules.rulings))
        report = replace(plain, spent=budget.spent)
        what = fact("spent", what=fact("whether_towers"), steps=budget.limit)
        return _undetermined(game, report, len(game.record.turns), what)
    report = _decided(game, rules, outcome, budget, since, hanging)
    before = tuple(slip for slip in slips(game, outcome) if slip not in report.diagnostics)
    return replace(report, diagnostics=(*report.diagnostics, *before))


def _decided(game: Game, rules: Rules, outcome: Replay, budget: Steps, since: int, hanging: bool) -> Report:
    kept = outcome.illegal
    if kept is not None and outcome.broken[0].clause != "END05":
        kept = max(kept - 1, 0)
    record = cut(game.record, kept)
    decided = decide(record, rules.rulings, budget, since=since)
    report = replace(plain_report(game, rules, outcome, since), spent=budget.spent)
    if isinstance(decided, Impossible) and decided.turn < since:
        why = why_nowhere(record, decided.turn) or fact("nowhere_shown")
        what = fact("cannot_be_played", turn=decided.turn, what=why)
        return _undetermined(game, report, decided.turn, what)
    if isinstance(decided, Impossible):
        asked = _asked(decided.core) if hanging else ()
        hangs = mending(game.record, rules.rulings, decided.turn, asked, budget, since)
        return _impossible(game, report, decided, hangs)
    if not isinstance(decided, Possible):
        doubt = outcome.doubts[0]
        return _undetermined(game, report, doubt.turn, fact("spent", what=doubt.what, steps=budget.limit))
    if outcome.illegal is not None:
        return report
    sure = outcome.last is not None
    told = lost(game, rules, outcome) if sure else lost(game, rules, decided.played, len(decided.results))
    return replace(
        report,
        verdict="legal",
        results=decided.results,
        diagnostics=(*_warnings(report), *told),
        world=decided.world,
        open=next((doubt for doubt in outcome.doubts if doubt.what.kind not in PLACES), None),
    )


def _undetermined(game: Game, report: Report, turn: int, what: Fact) -> Report:
    notes = (*_warnings(report), diagnostic(Broken(turn, "SET06", what, "action"), game.layout, note=True))
    return replace(report, verdict="undetermined", turn=None, results=(), diagnostics=notes)


def refutation(game: Game, rules: Rules, turn: int, budget: Steps | None = None) -> Iterator[str]:
    """The script that refutes a game which is illegal at `turn` although it does not show everything; nothing where the
    budget does not suffice.
    """
    record = cut(game.record, None if turn == len(game.record.turns) else turn)
    decided = decide(record, rules.rulings, steps_of(budget))
    if isinstance(decided, Impossible):
        yield _script(game, decided)


def _script(game: Game, refuted: Impossible) -> str:
    def line(rule: Rule) -> int:
        """The line of the file on which a rule's part stands."""
        span, layout = place(rule.turn, rule.part, game.layout), game.layout
        return layout.line + layout.text.count("\n", 0, span.start)

    return "".join(f"{each}\n" for each in core_script(refuted.run, refuted.core, refuted.facts, line))


def explained(report: Report, budget: Steps | int | None = None) -> Report:
    """The report on an illegal record with the fewest lines whose correction would make it legal; any other report as
    it is. Cost: some seconds.
    """
    if report.verdict != "illegal" or not isinstance(report.item, Game) or report.rules is None:
        return report
    record, steps = report.item.record, steps_of(budget)
    before = steps.spent
    try:
        correct = Correct(corrections(record, report.rules.rulings, steps), True, steps.limit)
    except Spent:
        correct = Correct(None, False, steps.limit)
    return replace(report, correct=correct, spent=report.spent + steps.spent - before)


def _impossible(game: Game, report: Report, refuted: Impossible, hangs: tuple[Change, ...]) -> Report:
    """The report on a record that no choice of what it does not show makes legal, but what it `hangs` on may."""
    errors = {rule.clause: rule for rule in reversed(refuted.broken)}
    if errors.keys() & {"TOW01", "TOW02"}:
        errors.pop("TOW07", None)
    shown = [rule for rule in refuted.broken if errors.get(rule.clause) is rule]
    shown.sort(key=lambda rule: place_in_order(rule.clause))
    said = {rule: _said(rule, game.layout) for rule in (*refuted.broken, *refuted.core)}
    findings = [Broken(rule.turn, rule.clause, _impossibility(rule, refuted, said), rule.part, hangs) for rule in shown]
    beside = dict.fromkeys(
        Broken(rule.turn, rule.clause, fact("together", said=said[rule]), rule.part)
        for rule in refuted.core
        if rule not in refuted.broken
    )
    parts = tuple((rule.turn, rule.clause, rule.subject) for rule in refuted.core)
    return replace(
        report,
        verdict="illegal",
        turn=refuted.turn,
        results=(),
        diagnostics=(
            *(diagnostic(broken, game.layout, at > 0, hangs) for at, broken in enumerate(findings)),
            *(diagnostic(broken, game.layout, note=True) for broken in beside),
            *_warnings(report),
        ),
        states=report.states[: max(refuted.turn, 1)],
        conflict=Conflict(parts, refuted.least, _script(game, refuted)),
    )


def _impossibility(rule: Rule, refuted: Impossible, said: Mapping[Rule, Datum]) -> Fact:
    """What cannot be at the illegal turn: this rule by itself, or several of them together."""
    together = tuple(dict.fromkeys(said[other] for other in refuted.broken if other in refuted.core))
    if len(together) > 1 and rule in refuted.core:
        return fact("impossible_all", said=together)
    return fact("impossible", said=said[rule])


def _said(rule: Rule, layout: Layout) -> Datum:
    """What a rule is asked of: in a turn the record's own words, where they are more than a name or a number."""
    if not rule.turn:
        return rule.subject
    if rule.part in ("number", "player"):
        return fact("turn", turn=rule.turn)
    span = place(rule.turn, rule.part, layout)
    return " ".join(layout.text[span.start : span.end].split())


def _warnings(report: Report) -> tuple[Diagnostic, ...]:
    return tuple(each for each in report.diagnostics if each.severity == "warning")


def _asked(core: tuple[Rule, ...]) -> tuple[str, ...]:
    """The rulings that the clauses of a core ask for."""
    clauses: dict[str, tuple[str, ...]] = {clause.id: clause.rulings for clause in TURN_CLAUSES.values()}
    clauses |= {"END04": ENDING_RULINGS, "END05": ENDING_RULINGS}
    return tuple(asked for rule in core for asked in clauses.get(rule.clause, ()))
