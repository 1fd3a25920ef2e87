"""Job one: is a recorded game legal, and if not, where, by which clause, and on which ruling does it hang.

The plain replay answers first. What it finds without a doubt is final; where the record leaves it in doubt, Z3 decides
whether some choice of what the record does not show makes every turn legal.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args

from msgspec.structs import replace

from couperation_formal.game import record as recorded
from couperation_formal.game.fact import Fact, Spent, Steps, Text, Unfit, fact, numbers, steps_of, taken, told
from couperation_formal.game.record import NOTATION, Change, Diagnostic, Game, Reached, Result, Snapshot, Span, Verdict
from couperation_formal.game.replay import Broken, Doubt, Replay, replay
from couperation_formal.game.rulings import Rules, registry
from couperation_formal.notation.parse import OwnMarks, with_marks
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.notation.write import record_text
from couperation_formal.output import blocks
from couperation_formal.output.formats import Data, GameData, Natural, Positive, event_of
from couperation_formal.output.report import Correct, Report, complaint, places_of, title_of, told_of
from couperation_formal.questions.records import hanging, verdict
from couperation_formal.questions.records.states import GameLike, answer_of, attempt, game_of, rules_of, word
from couperation_formal.words.say import ENGLISH, encodable, say

Engine = Literal["auto", "plain", "z3", "both", "spec"]


class EngineDisagreement(RuntimeError):
    """The plain evaluator and the Z3 model gave different answers on one record: a bug of ours."""


def check(
    game: GameLike,
    rules: Rules | str | None = None,
    engine: Engine = "auto",
    budget: Steps | int | None = None,
    *,
    since: int | None = None,
    marks: OwnMarks | None = None,
    provided: bool = False,
) -> Report:
    """The verdict on one game, with reasons and states.

    `rules` stands in place of the record's own: `Rules`, or a text for `load_rules`. With `since` the turns before that
    one, by place, stand as they were played: what they break are notes; the engine "spec" knows no `since`. `marks` are
    those of the cards that were played with, as `read_marks` reads them; with `provided` the report tells what a legal
    verdict takes for granted, within a second `budget`. A position that was read, and what is no CGN, are
    ``malformed``. Warnings stand last. Raises what `load_rules` raises, and `ValueError` where the record has no turn
    `since`.

    `engine` "plain" leaves what the plain replay cannot tell undetermined; the others ask Z3 then, with the
    steps of `budget`; "z3" has Z3 decide the orders of towers too, "both" compares it there with the plain evaluator
    and raises `EngineDisagreement` when the two differ; "spec" judges by the specification's formulas alone. Z3 is
    imported only where it is asked. Cost: linear in the turns; tenths of a second where Z3 decides.
    """
    word("engine", engine, get_args(Engine))
    numbers(since=since)
    read = game if isinstance(game, Snapshot | Malformed) else game_of(game, "check")
    item, own = marked(read, marks)
    under, steps, first = rules_of(rules), steps_of(budget), since or 0
    if isinstance(item, Malformed):
        report = _in_part(item, under, steps, first)
    elif isinstance(item, Snapshot):
        span = item.layout.lines.get("position", Span(0, 0))
        wanted = Diagnostic(code=NOTATION, severity="error", turn=None, span=span, what=fact("game_wanted"))
        report = _malformed(item, (wanted,))
    elif first > len(item.record.turns):
        raise Unfit("no_turn", turn=first, turns=len(item.record.turns))
    else:
        report, own = _told(item, under, engine, steps, first), (*verdict.end_warnings(item), *own)
    report = replace(report, diagnostics=(*report.diagnostics, *own), since=first)
    return hanging.with_proviso(report, budget, first) if provided else report


def as_known(game: Game, rules: Rules | None = None) -> Report:
    """The report on a game as far as the cards are known: a legal one where its verdict hangs on nothing unseen."""
    report = check(game, rules, "plain")
    if report.verdict == "undetermined" and report.rules is not None:
        reached = hanging.comes_to(game.record, report.rules.rulings)
        return report if reached is None else replace(report, verdict="legal", results=(reached,))
    return report


def _told(item: Game, rules: Rules | None, engine: Engine, steps: Steps, since: int) -> Report:
    """The report on a game with its warnings, but those on its end."""
    report = judged(item, rules or item.record.rules, engine, steps, since)
    own = rules is None
    told = verdict.tag_warnings(item, own) if engine == "spec" else verdict.warnings(item, report, own, since)
    return replace(report, diagnostics=(*report.diagnostics, *told))


def judged(item: Game, rules: Rules, engine: Engine, steps: Steps, since: int = 0, hanging: bool = True) -> Report:
    """The report on a game, without its warnings and what it takes for granted; without `hanging` also without what
    Z3 would tell of the rulings on which it hangs that it is illegal.
    """
    if engine == "spec":
        return verdict.plain_report(item, rules, _by_formulas(item, rules, steps))
    try:
        outcome = _replay(item, rules, engine, steps, since)
    except Spent:
        outcome = None
    sizes = any(turn.draw_open or turn.fill_open for turn in item.record.turns)
    if outcome is None or (engine != "plain" and (outcome.doubts or (sizes and outcome.illegal is None))):
        from couperation_formal.questions.records.exact import exact_report

        return exact_report(item, rules, outcome, steps, since, hanging)
    return verdict.plain_report(item, rules, outcome, since)


def check_certificates(report: Report, budget: Steps | None = None) -> Iterator[dict[str, Any] | str]:
    """The certificate of a verdict: of a legal record its world, of an illegal one that shows what the clause asks for
    the turn, the clause and the numbers, of another illegal one the SMT-LIB script of what cannot all hold. Nothing for
    a record that could not be read or decided, or whose script takes more than `budget`.
    """
    if not isinstance(report.item, Game) or report.rules is None:
        return
    if report.conflict is not None:
        yield report.conflict.script
    elif report.verdict in ("legal", "illegal"):
        certificate = verdict.record_certificate(report.item.record, report.rules.rulings, report.world)
        if certificate is not None:
            yield certificate
        elif report.turn is not None:
            from couperation_formal.questions.records.exact import refutation

            yield from refutation(report.item, report.rules, report.turn, budget)


def world_text(report: Report) -> str:
    """The CGN text of a legal game with everything shown: its world, or the game itself where it shows all that is
    asked for.
    """
    game = report.item
    if not isinstance(game, Game):
        raise TypeError("only a game has a world")
    return record_text(game.record if report.world is None else report.world)


def _replay(game: Game, rules: Rules, engine: Engine, budget: Steps, since: int) -> Replay:
    if engine in ("auto", "plain"):
        return replay(game.record, rules.rulings, since=since)
    from couperation_formal.hidden.smt.tower import Model

    exact = replay(game.record, rules.rulings, arrangement=Model(budget), since=since)
    if engine == "both":
        plain = replay(game.record, rules.rulings, since=since)
        if _answer(plain) != _answer(exact):
            raise EngineDisagreement(f"{game.file}: game {game.index}: plain {_answer(plain)}, z3 {_answer(exact)}")
    return exact


def _answer(outcome: Replay) -> object:
    """What both engines must agree on; the words of a reason may differ."""
    codes = sorted((each.turn, each.clause, each.rulings) for each in outcome.broken)
    return outcome.illegal, outcome.reached, codes, outcome.states, outcome.doubts


_PARTS = {"DRW": "draw", "LIM01": "drop", "LIM02": "trim", "END04": "number", "END05": "result", "END06": "number"}
"""The part of a turn that a clause points to; else the action."""
_SETUP = {"SET01": "Players", "SET03": "reserve", "SET05": "deck"}


def _by_formulas(game: Game, rules: Rules, budget: Steps) -> Replay:
    """What the formulas of the specification and nothing else say of a record, without states.

    A record that does not show what a formula asks for, or that costs more than the budget, is in doubt. Cost: some
    0.2 ms a turn, after 0.5 s once; a turn ``-`` tries every action.
    """
    from couperation_formal.formulas.judge import book, judge

    def broken(turn: int, clause: str, kind: str = "formula") -> Broken:
        part = _PARTS.get(clause) or _PARTS.get(clause[:3]) or ("action" if turn else _SETUP.get(clause, "Players"))
        if turn and clause == "SET05":
            part = "draw"
        elif turn and part in ("draw", "drop", "trim") and not getattr(game.record.turns[turn - 1], part):
            part = "action" if part != "draw" else "player"
        what = fact(kind, clause=clause, title=book().headings[clause].title)
        return Broken(turn, clause, what, part, (), kind == "formula_doubt")

    judged = judge(game.record, rules.rulings, budget=budget)
    told = [broken(judged.turn or 0, clause) for clause in judged.broken]
    told += [broken(turn, clause, "formula_doubt") for turn, clause in judged.warned]
    what = fact("formulas_open") if budget.left else fact("formulas_spent", taken=taken(budget))
    doubts = () if judged.open_ is None else (Doubt(judged.open_, what, judged.asking),)
    return Replay(states=(), broken=tuple(told), doubts=doubts, illegal=judged.turn, reached=judged.reached)


def _in_part(item: Malformed, rules: Rules | None, steps: Steps, since: int) -> Report:
    """The report on a game with lines that cannot be read: the turns before the first of them are judged plainly, and
    what they break stands among the faults in the order of the text, after those of its line, on which it may rest.
    """
    whole = _malformed(item, item.diagnostics)
    if item.judged is None or since > len(item.judged.record.turns):
        return whole
    part = _told(item.judged, rules, "plain", steps, since)
    broken = part.verdict == "illegal"
    shown = tuple(each for each in part.diagnostics if broken or each.severity != "note")
    error = min((each.span.start for each in shown if each.severity == "error"), default=0)

    def line(each: Diagnostic) -> int:
        return item.text.count("\n", 0, max(error, each.span.start) if each.severity == "note" else each.span.start)

    told = tuple(sorted((*item.diagnostics, *shown), key=line))
    return replace(whole, rules=part.rules, turn=part.turn, diagnostics=told, states=part.states)


def _malformed(item: Item, diagnostics: tuple[Diagnostic, ...]) -> Report:
    return Report(item=item, rules=None, verdict="malformed", results=(), turn=None, diagnostics=diagnostics, states=())


# Games and positions whose cards bear the marks that their owner wrote down once.

T = TypeVar("T", bound=Item)


def marked(item: T, own: OwnMarks | None) -> tuple[T | Game | Snapshot, tuple[Diagnostic, ...]]:
    """The item with these marks, and a warning for each card that its own tag gives another one, which stands."""
    if own is None or not isinstance(item, Game | Snapshot):
        return item, ()
    with_own, clashes = with_marks(item, own)
    return with_own, tuple(verdict.warning(clash.span, clash.what) for clash in clashes)


# The JSON form.


class DiagnosticData(Data):
    """One finding. Lines and columns count from 1, columns in characters; the end is excluded. The clause hangs on
    `rulings`; `legal_with` are the smallest changes that make the whole turn legal, as far as that is sure.
    """

    code: str
    severity: recorded.Severity
    turn: Natural | None
    line: Positive
    column: Positive
    end_line: Positive
    end_column: Positive
    message: str
    rulings: tuple[str, ...]
    legal_with: tuple[dict[str, str], ...]


class PartData(Data):
    """A part of a conflict: what a clause asks at a turn."""

    turn: Natural
    code: str
    asks: str


class ConflictData(Data):
    """What cannot all hold in an illegal record with unseen cards; `least`: each part is needed."""

    parts: tuple[PartData, ...]
    least: bool


class CorrectData(Data):
    """The fewest lines to correct: turns by place, other lines by their first words; null where none will do. Where
    `complete` is false the budget ended first.
    """

    lines: tuple[Natural | str, ...] | None
    complete: bool


class StatisticsData(Data):
    """How many games have each verdict, and in how many each clause is broken first, the most frequent first."""

    games: Natural
    verdicts: dict[Verdict, Positive]
    clauses: dict[str, Positive]


def statistics_data(verdicts: Mapping[Verdict, int], clauses: Mapping[str, int]) -> StatisticsData:
    """The counts of one run. Clauses with the same count stand in the order of their ids."""
    ordered = sorted(clauses.items(), key=lambda each: (-each[1], each[0]))
    return StatisticsData(games=sum(verdicts.values()), verdicts=dict(verdicts), clauses=dict(ordered))


class CheckData(GameData):
    """The verdict on one game. `codes` are the clauses that the illegal turn breaks, the error's first, then those of
    its notes; empty unless the game is illegal. `results` are those that a legal game may have, in all that it does not
    show; of several `result` is undetermined. A note END02 or END03 tells by what a legal game was lost. `world` is a
    game that shows everything and makes this one legal, `conflict` what makes it illegal, both null where the record
    itself shows it; `correct` and `provided` are null unless they were asked for, `provided` also where what the record
    shows suffices.
    """

    event: str | None
    rules: str | None
    variant: Literal["first", "finish"] | None
    verdict: Verdict
    result: Result | None
    results: tuple[Reached, ...]
    turn: Natural | None
    codes: tuple[str, ...]
    diagnostics: tuple[DiagnosticData, ...]
    world: str | None
    conflict: ConflictData | None
    correct: CorrectData | None
    provided: hanging.ProvidedData | None
    format: Literal[1]


def report_data(report: Report, language: str = ENGLISH) -> CheckData:
    """The report as `check --output-format json` writes it. Cost: for each diagnostic linear in the text before it."""
    item = answer_of("report_data", "check", report, Report).item
    return CheckData.about(
        item,
        report,
        event=event_of(item),
        rules=None if report.rules is None else encodable(str(report.rules)),
        variant=None if report.game is None else report.game.record.variant,
        codes=_codes(report),
        diagnostics=tuple(diagnostic_data(each, item, language) for each in report.diagnostics),
        world=None if report.world is None else encodable(record_text(report.world)),
        conflict=_conflict(report, language),
        correct=None if report.correct is None else CorrectData.of(report.correct, lines=_lines(report.correct)),
        provided=None if report.provided is None else hanging.provided_data(report.provided),
    )


def _codes(report: Report) -> tuple[str, ...]:
    broken = (each for each in report.diagnostics if each.severity != "warning" and each.turn == report.turn)
    return tuple(dict.fromkeys(each.code for each in broken)) if report.verdict == "illegal" else ()


def _lines(correct: Correct) -> tuple[int | str, ...] | None:
    if correct.lines is None:
        return None
    return tuple(line if isinstance(line, int) else encodable(line) for line in correct.lines)


def _conflict(report: Report, language: str) -> ConflictData | None:
    if report.conflict is None:
        return None
    asked = ((turn, code, encodable(say(asks, language))) for turn, code, asks in report.conflict.parts)
    parts = tuple(PartData(turn=turn, code=code, asks=asks) for turn, code, asks in asked)
    return ConflictData.of(report.conflict, parts=parts)


def diagnostic_data(diagnostic: Diagnostic, item: Item, language: str = ENGLISH) -> DiagnosticData:
    """One finding, with its place in the file."""
    place, legal_with = blocks.place_of(item, diagnostic.span), tuple(map(dict, diagnostic.legal_with))
    message = told(diagnostic.what, language)
    return DiagnosticData.of(diagnostic, **place._asdict(), message=message, legal_with=legal_with)


# The full report for people: what is broken, where, why, and on which ruling it hangs.

_DRAWN = ("TOW", "ACT01", "ACT04", "ACT07", "END05")
"""The codes, or their beginnings, that a look at the tower explains."""

_MOST_CHANGES = 4
"""So many changes of rulings are named."""


def report_blocks(report: Report) -> blocks.Paragraph:
    """The full report on one game: a frame for each diagnostic, and a line for the verdict unless it is broken."""
    drawn = next(filter(_explained, report.diagnostics), 0)
    notes = (each for each in report.diagnostics if each.severity == "note")
    unseen = next(notes, None) if report.verdict == "undetermined" else None
    frames = [_frame(each, report, each is drawn, each is unseen) for each in report.diagnostics]
    return [*frames, *_correct(report), *_verdict(report)]


def _explained(diagnostic: Diagnostic) -> bool:
    """Whether a look at the tower explains it."""
    return (diagnostic.severity == "error" and diagnostic.code.startswith(_DRAWN)) or diagnostic.code == "END02"


def _correct(report: Report) -> list[blocks.Block]:
    """The lines to correct, where they were asked for."""
    correct = report.correct
    if correct is None:
        return []
    if not correct.complete:
        text = fact("correction_open", limit=correct.limit)
    elif correct.lines is None:
        text = fact("correction_none")
    else:
        lines = tuple(fact("turn", turn=line) if isinstance(line, int) else line for line in correct.lines)
        text = fact("correction", lines=lines)
    return [blocks.led(fact("help"), text, blocks.STYLES["note"]), blocks.Verbatim([""])]


def _frame(diagnostic: Diagnostic, report: Report, drawn: bool, unseen: bool) -> blocks.Frame:
    line = blocks.line_at(report.item, diagnostic.span)
    place = f"{report.item.file}:{line.number}:{line.start + 1}"
    after = "" if diagnostic.turn is None else fact("comma_place", turn=diagnostic.turn)
    where = fact("parts", parts=(fact("game_of_line", place=place, game=report.item.index), after))
    message = complaint(diagnostic, report.game)
    title = fact("not_shown_enough") if unseen else message
    remarks: list[tuple[Text, Sequence[str]]] = [(message, ())] if unseen else []
    clause = told_of(diagnostic.code, report.book)
    remarks += [(clause, ())] if clause else []
    remarks += _tower(report, diagnostic.turn) if drawn else ()
    return blocks.Frame(
        diagnostic.code, diagnostic.severity, title, where, line, [*remarks, *hangs_on(diagnostic, report.rules)]
    )


def hangs_on(diagnostic: Diagnostic, rules: Rules | None) -> Iterator[tuple[Text, Sequence[str]]]:
    """The options that the finding hangs on, and under which others it would not stand, each with its text."""
    if not diagnostic.mends or rules is None:
        return
    options = tuple(_option(name, rules.rulings.option(name), rules) for name in diagnostic.rulings)
    changes, legal = _changes(diagnostic.mends, rules), _changes(diagnostic.legal_with, rules)
    kind = "hangs_on"
    if diagnostic.severity == "warning" or diagnostic.code in ("END02", "END03"):
        kept = fact("not_said" if diagnostic.severity == "warning" else "not_lost")
    elif {frozenset(each) for each in diagnostic.mends} <= {frozenset(each) for each in diagnostic.legal_with}:
        kept = fact("would_be_right" if diagnostic.code == "END05" else "would_be_legal")
    else:
        kind = "clause_hangs_on"
        sure = legal and diagnostic.severity == "error"
        kept = fact("would_keep_legal", changes=legal) if sure else fact("would_keep")
    yield fact(kind, options=options, changes=changes, kept=kept), ()


def _changes(changes: Sequence[Change], rules: Rules) -> tuple[Fact, ...]:
    """The first of these changes, each option with the place of a text that takes it, and how many others."""
    options = [tuple(_option(name, option, rules) for name, option in change) for change in changes[:_MOST_CHANGES]]
    more = len(changes) - len(options)
    return (*(fact("change", options=each) for each in options), *([fact("changes_more", count=more)] if more else []))


def _option(name: str, option: str, rules: Rules) -> Fact:
    """An option, and the place of a text that takes it: of the rulebook's own before others."""
    takers = registry().takers(name, option)
    if not takers:
        return fact("option_of_the_house", name=name, option=option)
    stand = registry().rulings[name].texts[rules.rulebook if rules.rulebook in takers else takers[0]]
    return fact("option_at", name=name, option=option, stand=stand.stand, place=stand.place)


def _tower(report: Report, turn: int | None) -> Iterator[tuple[Text, Sequence[str]]]:
    """The tower before this turn, with the card that the turn lays or opens in brackets."""
    game, rules = report.game, report.rules
    if game is None or rules is None or not turn or not report.states or turn > len(report.states) + 1:
        return
    state = report.states[min(turn, len(report.states)) - 1]
    marked, laid = attempt(game.record.turns[turn - 1]) or (None, None)
    caption = fact("caption_before" if marked is None else "caption_before_marked", turn=turn)
    yield caption, blocks.draw_tower(state.tower, rules.rulings, marked, laid, state.board)


def _verdict(report: Report) -> list[blocks.Block]:
    if report.verdict not in ("legal", "undetermined") or not isinstance(report.item, Game):
        return []
    game = report.item
    facts = (fact("turns_in_all", turns=len(game.record.turns)), *_result(report), str(report.rules))
    style = blocks.GOOD if report.verdict == "legal" else blocks.STYLES["note"]
    name = fact("game_of", file=game.file, game=game.index)
    text = fact("told_of", what=name, said=fact("listed", texts=facts))
    return [blocks.led(fact(report.verdict), text, style), *_provided(report, game), *_left_open(report, game)]


def _left_open(report: Report, game: Game) -> Iterator[blocks.Block]:
    """That the text of the rulebook leaves it open whether a legal record is legal; of an illegal one the options tell
    that it hangs on. Nothing where turns stand as they were played.
    """
    if report.verdict == "legal" and report.rules is not None and not report.since:
        text = hanging.plainly(game.record, report.rules, "legal")
        if text.says == "open":
            said = fact("said_of", books=(report.book,), what=hanging.left_open(text))
            yield blocks.Sentence(said, indent=2)


def _provided(report: Report, game: Game) -> Iterator[blocks.Block]:
    """What a legal verdict takes for granted; where that was not asked, that it may."""
    if report.provided is not None:
        yield from hanging.proviso_blocks(hanging.provided_data(report.provided), game.record, fact("whose_record"), 2)
    elif report.open is not None:
        yield blocks.Sentence(fact("hangs_on_open", what=report.open.what, turn=report.open.turn), indent=2)


def _result(report: Report) -> Iterator[Fact]:
    """The result; of a win, which no note tells of, with the place that says so."""
    places = places_of("END01", report.book) if report.result == "win" else ()
    if report.results:
        yield fact("end_at", result="win", places=places) if places else report.end


def summary(verdicts: dict[str, int]) -> Fact:
    """``48 games: 17 legal, 31 illegal`` from the number of games with each verdict."""
    order = ("legal", "illegal", "undetermined", "malformed")
    counts = tuple(fact("count_of", count=verdicts[each], of=fact(each)) for each in order if verdicts.get(each))
    return fact("tally", games=sum(verdicts.values()), counts=counts or fact("none"))


def statistics_blocks(data: StatisticsData) -> list[blocks.Paragraph]:
    """The counts of several games: a row a clause."""
    rows = [(str(count), code, title_of(code) or fact("cgn_title")) for code, count in data.clauses.items()]
    return [(blocks.Columns(rows),)] if rows else []
