"""The full report for people: what is broken, where, why, and on which ruling it hangs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from couperation_formal.analysis.refused import attempt
from couperation_formal.analysis.verify import Report
from couperation_formal.answers.data import StatisticsData
from couperation_formal.answers.place import line_at, source_of
from couperation_formal.answers.provisos import provided_data
from couperation_formal.game.diagnostic import Change, Diagnostic
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import Rules, registry
from couperation_formal.report.blocks import GOOD, STYLES, Block, Columns, Frame, Paragraph, Sentence, Verbatim
from couperation_formal.report.clauses import clauses, complaint, places_of, told_of
from couperation_formal.report.provisos import open_words, proviso_blocks
from couperation_formal.report.tower import draw_tower
from couperation_formal.words.say import phrase, say

_DRAWN = ("TOW", "ACT01", "ACT04", "ACT07", "END05")
"""The codes, or their beginnings, that a look at the tower explains."""

_MOST_CHANGES = 4
"""So many changes of rulings are named."""


def report_blocks(report: Report) -> Paragraph:
    """The full report on one game: a frame for each diagnostic, and a line for the verdict unless it is broken."""
    drawn = next((found for found in report.diagnostics if _explained(found)), 0)
    doubt = next((found for found in report.diagnostics if found.severity == "note"), None)
    unseen = doubt if report.verdict == "undetermined" else None
    frames = [_frame(found, report, found is drawn, found is unseen) for found in report.diagnostics]
    return [*frames, *_correct(report), *_verdict(report)]


def _explained(found: Diagnostic) -> bool:
    """Whether a look at the tower explains it."""
    return (found.severity == "error" and found.code.startswith(_DRAWN)) or found.code == "END02"


def _correct(report: Report) -> list[Block]:
    """The lines to correct, where they were asked for."""
    found = report.correct
    if found is None:
        return []
    if not found.complete:
        text = phrase("correction_open", limit=found.limit)
    elif found.lines is None:
        text = phrase("correction_none")
    else:
        lines = tuple(fact("turn", turn=line) if isinstance(line, int) else line for line in found.lines)
        text = phrase("correction", lines=lines)
    return [Sentence(f": {text}", phrase("help"), STYLES["note"]), Verbatim([""])]


def _frame(found: Diagnostic, report: Report, drawn: bool, unseen: bool) -> Frame:
    line = line_at(source_of(report.item), found.span)
    place = f"{report.item.file}:{line.number}:{line.start + 1}"
    where = phrase("game_of_line", place=place, game=report.item.index)
    if found.turn is not None:
        where += phrase("comma_place", turn=found.turn)
    message = complaint(found, report.game)
    title = phrase("not_shown_enough") if unseen else message
    remarks: list[tuple[str, Sequence[str]]] = [(message, ())] if unseen else []
    remarks += [*_clause(found, report.rules), *(_tower(report, found.turn) if drawn else ())]
    return Frame(found.code, found.severity, title, where, line, [*remarks, *hangs_on(found, report.rules)])


def _clause(found: Diagnostic, rules: Rules | None) -> Iterator[tuple[str, Sequence[str]]]:
    """The clause, and where the texts say so."""
    told = told_of(found.code, "" if rules is None else rules.rulebook)
    if told is not None:
        yield told, ()


def hangs_on(found: Diagnostic, rules: Rules | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The options that the finding hangs on, and under which others it would not stand, each with its text."""
    if not found.mends or rules is None:
        return
    options = tuple(_option(name, rules.rulings.option(name), rules) for name in found.rulings)
    changes, legal = _changes(found.mends, rules), _changes(found.legal_with, rules)
    kind = "hangs_on"
    if found.severity == "warning" or found.code in ("END02", "END03"):
        kept = fact("not_said" if found.severity == "warning" else "not_lost")
    elif {frozenset(each) for each in found.mends} <= {frozenset(each) for each in found.legal_with}:
        kept = fact("would_be_legal")
    else:
        kind = "clause_hangs_on"
        kept = fact("would_keep_legal", changes=legal) if legal and found.severity == "error" else fact("would_keep")
    yield phrase(kind, options=options, changes=changes, kept=kept), ()


def _changes(changes: Sequence[Change], rules: Rules) -> tuple[Fact, ...]:
    """The first of these changes, each option with the place of a text that takes it, and how many others."""
    shown = [
        fact("change", options=tuple(_option(name, option, rules) for name, option in change))
        for change in changes[:_MOST_CHANGES]
    ]
    more = len(changes) - len(shown)
    if more:
        shown.append(fact("changes_more", count=more))
    return tuple(shown)


def _option(name: str, option: str, rules: Rules) -> Fact:
    """An option, and the place of a text that takes it: of the rulebook's own before others."""
    takers = registry().takers(name, option)
    if not takers:
        return fact("option_of_the_house", name=name, option=option)
    stand = registry().rulings[name].texts[rules.rulebook if rules.rulebook in takers else takers[0]]
    return fact("option_at", name=name, option=option, stand=stand.stand, place=stand.place)


def _tower(report: Report, turn: int | None) -> Iterator[tuple[str, list[str]]]:
    """The tower before this turn, with the card that the turn lays or opens in brackets."""
    game, rules = report.game, report.rules
    if game is None or rules is None or not turn or turn > len(report.states) + 1:
        return
    state = report.states[min(turn, len(report.states)) - 1]
    marked, laid = attempt(game.record.turns[turn - 1]) or (None, None)
    caption = phrase("caption_before" if marked is None else "caption_before_marked", turn=turn)
    yield caption, draw_tower(state.tower, rules.rulings, marked, laid, state.board)


def _verdict(report: Report) -> list[Block]:
    if report.verdict not in ("legal", "undetermined") or not isinstance(report.item, Game):
        return []
    game = report.item
    facts = [phrase("turns_in_all", turns=len(game.record.turns))]
    facts += [*_result(report), str(report.rules)]
    style = GOOD if report.verdict == "legal" else STYLES["note"]
    name = phrase("game_of", file=game.file, game=game.index)
    return [Sentence(f": {name}: {', '.join(facts)}", phrase(report.verdict), style), *_provided(report, game)]


def _provided(report: Report, game: Game) -> Iterator[Block]:
    """What a legal verdict takes for granted; where that was not asked, that it may."""
    found = provided_data(report.provided)
    if found is not None:
        yield from proviso_blocks(found, game.record, fact("whose_record"), 2)
    elif report.open is not None:
        yield Sentence(open_words(report.open.what, report.open.turn), indent=2)


def _result(report: Report) -> Iterator[str]:
    """The result; of a win, which no note tells of, with the place that says so."""
    places = places_of("END01", report.rules.rulebook) if report.result == "win" and report.rules else ()
    if report.results:
        yield phrase("end_at", result="win", places=places) if places else say(report.end)


def summary(verdicts: dict[str, int]) -> str:
    """``48 games: 17 legal, 31 illegal`` from the number of games with each verdict."""
    order = ("legal", "illegal", "undetermined", "malformed")
    counts = tuple(fact("count_of", count=verdicts[each], of=fact(each)) for each in order if verdicts.get(each))
    return phrase("tally", games=sum(verdicts.values()), counts=counts or fact("none"))


def statistics_blocks(data: StatisticsData) -> list[Paragraph]:
    """The counts of several games: a row a clause."""
    titles = {code: clause.title for code, clause in clauses().items()}
    rows = [(str(count), code, titles.get(code, phrase("cgn_title"))) for code, count in data.clauses.items()]
    return [(Columns(rows),)] if rows else []
