"""The full report for people: what is broken, where, why, and on which ruling it hangs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from couperation_formal.analysis.refused import attempt
from couperation_formal.analysis.verify import Report
from couperation_formal.answers.place import line_at, source_of
from couperation_formal.model.diagnostic import Diagnostic
from couperation_formal.model.fact import Fact, fact
from couperation_formal.model.record import Game
from couperation_formal.model.rulings import Rules, registry
from couperation_formal.report.blocks import GOOD, STYLES, Block, Frame, Paragraph, Sentence, Verbatim
from couperation_formal.report.clauses import said_by, title_of
from couperation_formal.report.tower import draw_tower
from couperation_formal.words.say import phrase

_DRAWN = ("TOW", "ACT01", "ACT04", "ACT07", "END05")
"""The codes, or their beginnings, that a look at the tower explains."""


def report_blocks(report: Report) -> Paragraph:
    """The full report on one game: a frame for each diagnostic, and a line for the verdict unless it is broken."""
    drawn = next(
        (found for found in report.diagnostics if found.severity == "error" and found.code.startswith(_DRAWN)), 0
    )
    doubt = next((found for found in report.diagnostics if found.severity == "note"), None)
    unseen = doubt if report.verdict == "undetermined" else None
    frames = [_frame(found, report, found is drawn, found is unseen) for found in report.diagnostics]
    return [*frames, *_correct(report), *_verdict(report)]


def _correct(report: Report) -> list[Block]:
    """The lines to correct, where they were asked for."""
    found = report.correct
    if found is None:
        return []
    if not found.complete:
        text = phrase("correction_open")
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
    title = phrase("not_shown_enough") if unseen else found.message
    remarks: list[tuple[str, Sequence[str]]] = [(found.message, ())] if unseen else []
    remarks += [*_clause(found, report.rules), *(_tower(report) if drawn else ())]
    return Frame(found.code, found.severity, title, where, line, [*remarks, *_hangs_on(found, report.rules)])


def _clause(found: Diagnostic, rules: Rules | None) -> Iterator[tuple[str, Sequence[str]]]:
    """The clause, and where the text in force says so."""
    title = title_of(found.code)
    if title is not None:
        source = None if rules is None else said_by(found.code, rules.rulebook)
        kind = "clause_alone" if source is None else "clause_silent" if source.silent else "clause_at"
        values = {} if source is None or rules is None else {"text": rules.rulebook, "place": source.place}
        yield phrase(kind, title=title, **values), ()


def _hangs_on(found: Diagnostic, rules: Rules | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The options that the finding hangs on, and what would mend it where that is one thing only."""
    if not found.rulings or rules is None:
        return
    options = tuple(_option(name, rules) for name in found.rulings)
    other = fact("other_options")
    if len(found.rulings) == 1:
        (name,) = found.rulings
        others = [option for option in registry().rulings[name].option_names() if option != rules.rulings.option(name)]
        other = fact("option", option=others[0]) if len(others) == 1 else fact("another_option")
    kept = fact("not_said" if found.severity == "warning" else "would_keep")
    yield phrase("hangs_on", options=options, other=other, kept=kept), ()


def _option(name: str, rules: Rules) -> Fact:
    """An option in force, and the place of a text that takes it: of the rulebook's own before others."""
    option, books = rules.rulings.option(name), registry().rulebooks
    takers = [text for text in (rules.rulebook, *books) if text in books and books[text].option(name) == option]
    if not takers:
        return fact("option_of_the_house", name=name, option=option)
    stand = registry().rulings[name].texts[takers[0]]
    return fact("option_at", name=name, option=option, stand=stand.stand, place=stand.place)


def _tower(report: Report) -> Iterator[tuple[str, list[str]]]:
    """The tower before the illegal turn, with the card that the turn lays or opens in brackets."""
    game, rules, turn = report.game, report.rules, report.turn
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
    facts += [*([phrase(f"end {report.result}")] if report.result else []), str(report.rules)]
    style = GOOD if report.verdict == "legal" else STYLES["note"]
    name = phrase("game_of", file=game.file, game=game.index)
    return [Sentence(f": {name}: {', '.join(facts)}", phrase(report.verdict), style)]


def summary(verdicts: dict[str, int]) -> str:
    """``48 games: 17 legal, 31 illegal`` from the number of games with each verdict."""
    order = ("legal", "illegal", "undetermined", "malformed")
    counts = tuple(fact("count_of", count=verdicts[each], of=fact(each)) for each in order if verdicts.get(each))
    return phrase("tally", games=sum(verdicts.values()), counts=counts or fact("none"))
