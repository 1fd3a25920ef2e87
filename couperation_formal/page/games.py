"""One game, position or malformed game as what the templates show of it: its findings, its dispute, its tower."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import msgspec

from couperation_formal.game.fact import fact
from couperation_formal.game.position import position_of, state_of
from couperation_formal.game.record import NOTATION, Diagnostic, Game, Position, Record, Snapshot
from couperation_formal.game.rulings import Rules, Rulings, registry, taggable
from couperation_formal.game.state import State
from couperation_formal.game.tower import Cell, Laid
from couperation_formal.notation.parse import CELLS
from couperation_formal.output.clauses import clauses, complaint, marked, source_lines, title_of, told_of
from couperation_formal.output.formats import tag_of
from couperation_formal.output.report import Report, frame, line_at, source_of
from couperation_formal.output.svg import Glass, axes, empty_slot, frame_of, home_column, slot, tower_picture
from couperation_formal.page import sights
from couperation_formal.page.fate import Fate, legend, strip_beside, strip_svg, with_fate
from couperation_formal.questions.disputes.dispute import Dispute, HangsData, TermData, standing_words, untold_words
from couperation_formal.questions.records.check import hangs_on
from couperation_formal.questions.records.explain import failing
from couperation_formal.questions.records.provided import kind_of, provided_data, provided_words, together
from couperation_formal.questions.records.states import View, attempt, kept_tags
from couperation_formal.questions.tables.fits import BARS, finish_of
from couperation_formal.words.say import phrase, safe, spoken

MAX_SHOWN = 100
"""So many findings of one game are shown at most."""


class Finding(NamedTuple):
    """One diagnostic: where it is, the line with its carets, and what it hangs on. `title` is the clause's with its
    places in the texts, `rule` what the clause says, both empty where it is about the notation. `why` is the instance
    of its formula that fails.
    """

    code: str
    severity: str
    turn: int | None
    where: str
    title: str
    rule: str
    message: str
    number: int
    line: str
    carets: str
    hangs: str
    formula: str
    why: tuple[str, ...]


def findings(report: Report) -> list[Finding]:
    """The diagnostics of a report in their order, `MAX_SHOWN` at most."""
    return [_finding(each, report) for each in report.diagnostics[:MAX_SHOWN]]


def _finding(diagnostic: Diagnostic, report: Report) -> Finding:
    line = line_at(source_of(report.item), diagnostic.span)
    shown, indent, width = frame(line)
    clause = clauses().get(diagnostic.code)
    return Finding(
        code=diagnostic.code,
        severity=diagnostic.severity,
        turn=diagnostic.turn,
        where=f"{safe(sights.file_name(report.item.file))}:{line.number}:{line.start + 1}",
        title=told_of(diagnostic.code, "" if report.rules is None else report.rules.rulebook) or "",
        rule="" if clause is None or diagnostic.severity == "note" else clause.rule.replace("`", ""),
        message=safe(complaint(diagnostic, report.game)),
        number=line.number,
        line=shown,
        carets=" " * indent + "^" * width,
        hangs=next((phrase("this_hangs", said=text) for text, _ in hangs_on(diagnostic, report.rules)), ""),
        formula="" if clause is None else clause.formula,
        why=() if report.game is None else tuple(map(safe, failing(report.game, diagnostic, report.rules))),
    )


class BookRow(NamedTuple):
    """What one rulebook says; a clause with its title. `turn` and `clause` may say that they were not found."""

    name: str
    verdict: str
    turn: str
    code: str
    clause: str


class DisputeView(NamedTuple):
    """What every rulebook says, and what the answer hangs on, as sentences: of a record, with those on the turns that
    it marks as disputed, or of such a turn `at`. `remarks` stand before the rulebooks, `sources` tell of the clauses
    where no reading is legal, `untold` what the budget did not suffice for. `open` tells that some reading may yet be
    legal or not.
    """

    books: tuple[BookRow, ...]
    provided: tuple[tuple[str, ...], ...]
    decisive: tuple[tuple[str, str], ...]
    conditions: tuple[tuple[str, str], ...]
    at: int | None
    remarks: tuple[str, ...]
    sources: tuple[str, ...]
    untold: tuple[str, ...]
    open: bool
    quarrels: tuple[DisputeView, ...]


def dispute_view(settled: Dispute) -> DisputeView:
    """A dispute for the templates."""
    data, nowhere = settled.data(), settled.nowhere_words()
    legal = [name for name, said in data.rulebooks.items() if said.verdict == "legal"]
    provided = (
        tuple(map(safe, provided_words(each, settled.game.record, whose)))
        for each, whose in together(data.provisos, legal)
    )
    books = []
    for name, said in data.rulebooks.items():
        none = phrase("not_found") if f"rulebooks.{name}" in data.untold else ""
        turn = none if said.turn is None else str(said.turn)
        books.append(
            BookRow(name, said.verdict, turn, said.code or "", told_of(said.code, name) or "" if said.code else none)
        )
    silent = data.legal_when == () and not nowhere
    codes = dict.fromkeys(book.code for book in books if book.code) if silent else ()
    hangs = any(kind_of(each) != "always" for each in data.provisos.values())
    return DisputeView(
        books=tuple(books),
        provided=tuple(provided),
        decisive=tuple((name, registry().rulings[name].question) for name in data.decisive),
        conditions=() if nowhere else tuple(_conditions(data, hangs)),
        at=settled.at,
        remarks=(*standing_words(settled.standing), *([safe(nowhere)] if nowhere else [])),
        sources=tuple(line for code in codes for line in source_lines(code)),
        untold=tuple(untold_words(data)),
        open=data.undetermined_when != (),
        quarrels=tuple(map(dispute_view, settled.quarrels)),
    )


def _conditions(data: HangsData, hangs: bool) -> Iterator[tuple[str, str]]:
    """Each verdict that some reading has, and when; the legal one may hang on what nobody noted."""
    for verdict, terms in (
        ("legal", data.legal_when),
        ("illegal", data.illegal_when),
        ("undetermined", data.undetermined_when),
    ):
        if terms != ():
            words = phrase("some_readings") if terms is None else condition_words(terms)
            yield verdict, phrase("with_proviso", when=words) if hangs and verdict == "legal" else words


def condition_words(terms: Sequence[TermData]) -> str:
    """A condition in words: terms joined by *or*, each with the options that it allows."""
    if any(not term for term in terms):
        return phrase("every_reading")
    parts = [
        [
            fact("ruling_is_one", name=name, options=tuple(marked(name, each) for each in options))
            for name, options in term.items()
        ]
        for term in terms
    ]
    return phrase("when", terms=tuple(fact("term", parts=tuple(each)) for each in parts))


class Scene(msgspec.Struct, frozen=True):
    """The tower as the page begins with it: its slots and axes as SVG, and which part of the plane is shown; the strip
    below it, those of other views, and what they show.
    """

    slots: str
    axes: str
    far: str
    frame: str
    strip: str
    strips: dict[str, str]
    legend: str


class GameView(msgspec.Struct, frozen=True, kw_only=True):
    """What the templates show of one item. `scene` is None where there is no tower to show, `data` is then empty.
    `piles` names those that are known of, `views` the keys of those that look and what they are called;
    `whose` says whose cards are shown.
    """

    number: int
    title: str
    where: str
    whose: str
    facts: tuple[str, ...] = ()
    verdict: str
    verdict_words: str = ""
    provided: tuple[str, ...] = ()
    turns: int = 0
    findings: tuple[Finding, ...] = ()
    rows: tuple[sights.Row, ...] = ()
    scene: Scene | None = None
    hands: tuple[str, ...] = ()
    views: tuple[tuple[str, str], ...] = ()
    piles: tuple[str, ...] = ("reserve", "gone", "deck")
    data: dict[str, Any] = {}
    dispute: DisputeView | None = None
    fate: Fate | None = None


def game_view(
    report: Report,
    number: int,
    rules: Rules | None,
    dispute: Dispute | None = None,
    only: View | None = None,
    fate: Fate | None = None,
) -> GameView:
    """The view of a report's item as number `number` of the page; `rules` stand in place of the item's own. The item is
    what `only` could have written down, and everybody's cards without it. `dispute` and `fate`, what
    became of the table, stand where they were asked.

    Cost: some tens of milliseconds for a game, for each view.
    """
    item = report.item
    view = GameView(
        number=number,
        title=safe(tag_of(item, "Event") or phrase("game_number", index=item.index)),
        whose=sights.label(only),
        where=phrase("page_game", file=safe(sights.file_name(item.file)), index=item.index),
        verdict=report.verdict,
        findings=tuple(findings(report)),
        dispute=None if dispute is None else dispute_view(dispute),
        fate=fate,
    )
    if isinstance(item, Snapshot):
        return _position_view(view, item.position, rules, only)
    if not isinstance(item, Game) or report.rules is None:
        faults = sum(each.code == NOTATION and each.severity == "error" for each in report.diagnostics)
        return msgspec.structs.replace(view, verdict_words=phrase("no_cgn", faults=faults))
    return _recorded_view(view, report, item, report.rules, only)


def _recorded_view(view: GameView, report: Report, game: Game, rules: Rules, only: View | None) -> GameView:
    states = report.states if report.turn is None else report.states[: max(1, report.turn)]
    tagged, record, state = taggable(rules), game.record, states[-1]
    home = home_column(state.tower, tagged.rulings)
    steps = with_fate(sights.game_steps(game, tagged, states, report.turn, home), view.fate)
    rows = tuple(sights.rows_of(report, game, None if view.fate is None else view.fate.killer))
    position = position_of(state, tagged, kept_tags(game))
    seen = sights.game_sights(report, game, tagged, steps, states, only)
    data = {
        **_shared(seen, states, position, home),
        "verdicts": [rows[step.turn].verdict for step in steps],
        "opening": phrase("opening", players=_names(record.players)),
        "cause": _cause(report),
        "name": _name(game),
    }
    refused = None if steps[-1].refused is None else attempt(record.turns[steps[-1].turn - 1])
    count = len(record.turns)
    return msgspec.structs.replace(
        view,
        facts=(*_facts(record.players, rules, record.variant), phrase("turns_in_all", turns=count)),
        verdict_words=report.words,
        provided=_provided(report, record),
        turns=count,
        rows=rows,
        scene=_scene(data, steps, state, tagged.rulings, home, refused, view.fate),
        hands=_names(record.players),
        views=sights.views_of(seen, record.players),
        data=data,
    )


def _position_view(view: GameView, position: Position, rules: Rules | None, only: View | None) -> GameView:
    """A position is a game of one step."""
    chosen = taggable(rules or position.rules)
    tags = tuple(tag for tag in position.tags if tag[0] != "Rules")
    tags = (*tags[:1], ("Rules", str(chosen)), *tags[1:])
    position = msgspec.structs.replace(position, rules=chosen, tags=tags)
    state, moving = state_of(position), position.turn is not None
    home = home_column(state.tower, chosen.rulings)
    hands = position.players if position.hands or moving else ()
    seen = sights.position_sights(position, home, only, hands)
    key, own = next(iter(seen.items()))
    (step,) = steps = with_fate(own.steps, view.fate)
    seen[key] = msgspec.structs.replace(own, steps=steps)
    data = {
        **_shared(seen, (state,), position, home),
        "verdicts": [""],
        "cause": None,
        "opening": f"{step.mover}." if moving else phrase("tower_alone"),
    }
    known = {"reserve": position.reserve is not None, "gone": True, "deck": moving}
    return msgspec.structs.replace(
        view,
        facts=_facts(position.players, chosen, position.variant),
        verdict="position",
        findings=(),
        scene=_scene(data, [step], state, chosen.rulings, home, None),
        hands=_names(hands),
        views=sights.views_of(seen, position.players),
        piles=tuple(name for name, given in known.items() if given),
        data=data,
    )


def _names(players: Sequence[str]) -> tuple[str, ...]:
    return tuple(spoken(safe(each)) for each in players)


def _facts(players: Sequence[str], rules: Rules, variant: str) -> tuple[str, ...]:
    named = msgspec.structs.replace(rules, rulebook=sights.file_name(rules.rulebook))
    rule = phrase("fact_rules", rules=safe(str(named)))
    return ", ".join(_names(players)), rule, phrase("fact_variant", variant=variant)


def _shared(seen: Mapping[str, sights.Sight], states: Sequence[State], position: Position, home: int) -> dict[str, Any]:
    """What a game and a position have in common."""
    state, rulings, view = states[-1], position.rules.rulings, next(iter(seen))
    steps = [step for sight in seen.values() for step in sight.steps]
    at_home = state.board.pyramid(home)
    laid = {cell for each in states for cell in each.tower.cells}
    laid |= {CELLS[step.refused.cell] for step in steps if step.refused is not None}
    reached = laid | {CELLS[name] for step in steps for name in _open(step) if CELLS[name] in at_home}
    highest = max(cell.level for cell in reached)
    near = sorted({*(cell for cell in at_home if cell.level <= highest), *laid})
    far = sorted({*at_home, *near, *(CELLS[name] for step in steps for name in _named(step))})
    titles = {code: title_of(code) or code for code in BARS}
    return {
        "seen": dict(seen),
        "view": view,
        "start": len(seen[view].steps) - 1,
        "marks": {str(value): mark for value, mark in state.marks.items()},
        "finish": finish_of(state, rulings),
        "bars": {code: title[0].lower() + title[1:] for code, title in titles.items()},
        "home": [str(cell) for cell in at_home],
        "near": [str(cell) for cell in near],
        "frames": {"home": str(frame_of(near)), "all": str(frame_of(far))},
        "slots": [str(cell) for cell in far],
    }


def _named(step: sights.StepData) -> Iterator[str]:
    """The cells without a card that a step can show: where one can be laid, a filling, a conflict."""
    yield from _open(step)
    yield from (*step.outlook.filling, *step.outlook.conflict, *step.conflict)


def _open(step: sights.StepData) -> Iterator[str]:
    """The empty cells that a step draws: those that have their supports."""
    return (cell for cell, fit in step.fits.items() if fit.bar in (None, "TOW08"))


def _scene(
    data: Mapping[str, Any],
    steps: Sequence[sights.StepData],
    state: State,
    rulings: Rulings,
    home: int,
    refused: tuple[Cell, Laid] | None,
    fate: Fate | None = None,
) -> Scene:
    """The first picture: what the page shows before any script runs."""
    conflict = [CELLS[name] for name in steps[-1].conflict]
    laid = None if refused else state.touched
    picture = tower_picture(state.tower, rulings, state.marks, laid=laid, conflict=conflict, refused=refused)
    cells = [CELLS[name] for name in data["slots"]]
    at_home = set(state.board.pyramid(home))
    places = at_home & {CELLS[name] for name in data["near"]}
    glasses = {cell: Glass(cell, "place") for cell in places} | {glass.cell: glass for glass in picture.glasses}
    strip = strip_svg(steps, fate)
    return Scene(
        "".join(slot(glasses[cell]) if cell in glasses else empty_slot(cell) for cell in cells),
        axes(CELLS[name] for name in data["near"]),
        axes(cells),
        data["frames"]["home"],
        strip,
        {key: strip_beside(sight.steps, strip, fate) for key, sight in data["seen"].items() if key != data["view"]},
        legend(fate),
    )


def _provided(report: Report, record: Record) -> tuple[str, ...]:
    """What a legal verdict takes for granted, where that was looked for."""
    if report.provided is None:
        return ()
    return tuple(map(safe, provided_words(provided_data(report.provided), record, fact("whose_record"))))


def _name(game: Game) -> str:
    """What a file with the game alone is called, without its ending."""
    stem = PurePath(sights.file_name(game.file)).stem
    return stem if game.index == 1 else f"{stem}-{game.index}"


def _cause(report: Report) -> dict[str, Any] | None:
    """Why the turn that breaks a rule does, as far as who made the record can tell."""
    error = report.error
    if error is None or not report.turn:
        return None
    message = safe(complaint(error, report.game))
    return {"turn": report.turn, "words": f"{message[0].upper()}{message[1:]}."}
