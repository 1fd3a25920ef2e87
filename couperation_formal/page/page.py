"""The whole page: one of some games, or one a game and the index of all; and what its templates show of a game."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from markupsafe import Markup, escape
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from couperation_formal.game.fact import fact
from couperation_formal.game.position import state_of, under
from couperation_formal.game.record import NOTATION, Diagnostic, Game, Position, Snapshot
from couperation_formal.game.rulings import Rules, registry, taggable
from couperation_formal.game.state import State
from couperation_formal.game.tower import Cell, Laid
from couperation_formal.notation.parse import CELLS
from couperation_formal.output.blocks import frame, line_at
from couperation_formal.output.formats import event_of
from couperation_formal.output.report import Report, clauses, complaint, marked, source_lines, title_of, told_of
from couperation_formal.output.svg import SHAPES, Glass, axes, frame_of, home_column, slot, tower_picture
from couperation_formal.page import sights
from couperation_formal.page.assets import SHARED, embedded, policy, script, shared, style, templates
from couperation_formal.page.sights import Fate, legend, strip_beside, strip_svg, with_fate
from couperation_formal.questions.disputes.dispute import Dispute, HangsData, standing_words, text_words, untold_words
from couperation_formal.questions.records.check import hangs_on
from couperation_formal.questions.records.explain import failing
from couperation_formal.questions.records.hanging import TermData, kind_of, provided_data, provided_words
from couperation_formal.questions.records.states import View, attempt
from couperation_formal.questions.tables.fits import BARS, finish_of
from couperation_formal.words.say import phrase, safe, spoken

MAX_SHOWN = 100
"""So many findings of one game are shown at most."""


def _finding(diagnostic: Diagnostic, report: Report) -> dict[str, object]:
    """One diagnostic: where it is, the line with its carets, and what it hangs on. `title` is the clause's with its
    places in the texts, `rule` what the clause says, both empty where it is about the notation. `why` is the instance
    of its formula that fails.
    """
    line = line_at(report.item, diagnostic.span)
    shown, indent, width = frame(line)
    clause = clauses().get(diagnostic.code)
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "turn": diagnostic.turn,
        "where": f"{safe(sights.file_name(report.item.file))}:{line.number}:{line.start + 1}",
        "title": told_of(diagnostic.code, report.book),
        "rule": "" if clause is None or diagnostic.severity == "note" else clause.rule.replace("`", ""),
        "message": safe(complaint(diagnostic, report.game)),
        "number": line.number,
        "line": shown,
        "carets": " " * indent + "^" * width,
        "hangs": next((phrase("this_hangs", said=text) for text, _ in hangs_on(diagnostic, report.rules)), ""),
        "asks": [asked(name, report.rules.rulings.option(name)) for name in diagnostic.rulings] if report.rules else [],
        "formula": "" if clause is None else clause.formula,
        "why": () if report.game is None else tuple(map(safe, failing(report.game, diagnostic, report.rules))),
    }


def dispute_view(settled: Dispute) -> dict[str, object]:
    """What every rulebook says, and what the answer hangs on, as sentences: of a record, with those on the turns that
    it marks as disputed, or of such a turn `at`. `remarks` stand before the rulebooks, `sources` tell of the clauses
    where no reading is legal, `untold` what the budget did not suffice for. `open` tells that some reading may yet be
    legal or not.
    """
    data, nowhere = settled.data(), settled.nowhere_words()
    books = []
    for name, said in data.rulebooks.items():
        none = phrase("not_found") if f"rulebooks.{name}" in data.untold else ""
        turn = none if said.turn is None else said.turn
        clause = f"{said.code} {told_of(said.code, name)}" if said.code else f" {none}"
        outcome = "" if said.outcome is None else phrase("end_of", result=said.outcome.says)
        books.append({"name": name, "verdict": said.says, "outcome": outcome, "turn": turn, "clause": clause})
    silent = data.legal_when == () and not nowhere
    codes = dict.fromkeys(said.code for said in data.rulebooks.values() if said.code) if silent else ()
    hangs = any(kind_of(each) != "always" for each in data.provisos.values())
    return {
        "books": books,
        "provided": [
            list(map(safe, provided_words(each, settled.game.record, whose))) for each, whose in data.together()
        ],
        "texts": list(map(safe, text_words(data))),
        "decisive": [(name, registry().rulings[name].question) for name in data.texts],
        "conditions": [] if nowhere else list(_conditions(data, hangs)),
        "outcomes": [
            (phrase("end_of", result=name), phrase("some_readings") if terms is None else condition_words(terms))
            for name, terms in (data.outcome.when if data.outcome else {}).items()
        ],
        "at": settled.at,
        "remarks": [*standing_words(settled.standing), *([safe(nowhere)] if nowhere else [])],
        "sources": [line for code in codes for line in source_lines(code)],
        "untold": list(untold_words(data)),
        "open": data.undetermined_when != (),
        "quarrels": list(map(dispute_view, settled.quarrels)),
    }


def _conditions(data: HangsData, hangs: bool) -> Iterator[tuple[str, str]]:
    """Each verdict that some reading has, and when; the legal one may hang on what nobody noted."""
    for verdict in ("legal", "illegal", "undetermined"):
        terms: tuple[TermData, ...] | None = getattr(data, f"{verdict}_when")
        if terms != ():
            words = phrase("some_readings") if terms is None else condition_words(terms)
            yield verdict, phrase("with_proviso", when=words) if hangs and verdict == "legal" else words


def asked(name: str, option: str) -> tuple[str, str]:
    """A ruling by its question, and its answer: what the option means."""
    ruling = registry().rulings[name]
    return ruling.question, next(each.meaning for each in ruling.options if each.name == option)


def condition_words(terms: Sequence[TermData]) -> str:
    """A condition in words: terms joined by *or*, each with the options that it allows."""
    if any(not term for term in terms):
        return phrase("every_reading")
    parts = [
        [
            fact(
                "ruling_is_one",
                name=registry().rulings[name].question,
                options=tuple(marked(name, each, asked(name, each)[1].rstrip(".")) for each in options),
            )
            for name, options in term.items()
        ]
        for term in terms
    ]
    return phrase("when", terms=tuple(fact("term", parts=tuple(each)) for each in parts))


class Entry(Struct, frozen=True, kw_only=True):
    """A row of the index, some hundred bytes. `said` is the verdict in a sentence, with the result or the first error;
    `lost` tells who lost the game when, where that was asked; `href` leads to the game.
    """

    number: int
    title: str
    where: str
    players: str = ""
    verdict: str
    said: str = ""
    lost: str = ""
    turns: int = 0
    href: str = ""


class GameView(Entry, frozen=True, kw_only=True):
    """What the templates show of one item beside its row of the index. `scene` is the tower as the page begins with it,
    None where there is none, `data` is then empty. `piles` names those that are known of, `views` the keys of those
    that look and what they are called; `whose` says whose cards are shown.
    """

    whose: str
    facts: tuple[str, ...] = ()
    provided: tuple[str, ...] = ()
    findings: Sequence[dict[str, object]] = ()
    rows: tuple[sights.Row, ...] = ()
    scene: dict[str, object] | None = None
    hands: tuple[str, ...] = ()
    views: tuple[tuple[str, str], ...] = ()
    piles: tuple[str, ...] = ("reserve", "gone", "deck")
    data: dict[str, Any] = {}
    dispute: dict[str, object] | None = None
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
        title=safe(event_of(item) or _players(item) or phrase("game_number", index=item.index)),
        whose=sights.label(only),
        where=phrase("page_game", file=safe(sights.file_name(item.file)), index=item.index),
        verdict=report.verdict,
        findings=[_finding(each, report) for each in report.diagnostics[:MAX_SHOWN]],
        dispute=None if dispute is None else dispute_view(dispute),
        fate=fate,
        lost="" if fate is None else _lost(fate),
    )
    if isinstance(item, Snapshot):
        return _position_view(view, item.position, rules, only)
    if not isinstance(item, Game) or report.rules is None:
        faults = sum(each.code == NOTATION and each.severity == "error" for each in report.diagnostics)
        return replace(view, said=phrase("no_cgn", faults=faults))
    return _recorded_view(view, report, item, report.rules, only)


def _lost(fate: Fate) -> str:
    if fate.turn is None:
        return fate.said
    if fate.killer:
        return phrase("lost_at", turn=fate.killer, player=fate.player)
    return phrase("lost_from", turn=phrase("the_setup", turn=fate.turn))


def _recorded_view(view: GameView, report: Report, game: Game, rules: Rules, only: View | None) -> GameView:
    states = report.states if report.turn is None else report.states[: max(1, report.turn)]
    tagged, record, fate = taggable(rules), game.record, view.fate
    home = home_column(states[-1].tower, tagged.rulings)
    steps = with_fate(sights.game_steps(game, tagged, states, report.turn, home), fate)
    rows = tuple(sights.rows_of(report, game, fate.killer if fate else None))
    seen = sights.game_sights(report, game, tagged, steps, states, home, only)
    verdicts = [rows[step.turn].verdict for step in steps]
    if fate and fate.killer not in (None, steps[-1].turn):
        verdicts[-1] += " " + phrase("live_last_chance", turn=fate.killer)
    for number, line in enumerate(fate.lines if fate else ()):
        seen[f"line{number}"] = sights.line_sight(game, tagged, next(iter(seen.values())), line, home)
    told = {
        "verdicts": verdicts,
        "opening": phrase("opening", players=_names(record.players)),
        "cause": _cause(report),
        "name": _name(game),
    }
    refused = None if steps[-1].refused is None else attempt(record.turns[steps[-1].turn - 1])
    view = replace(
        view,
        said=report.words,
        facts=(*_facts(record.players, rules, record.variant), phrase("turns_in_all", turns=len(record.turns))),
        provided=()
        if report.provided is None
        else tuple(map(safe, provided_words(provided_data(report.provided), record, fact("whose_record")))),
        turns=len(record.turns),
        rows=rows,
        hands=_names(record.players),
    )
    return _with_tower(view, seen, told, states, tagged, home, refused)


def _position_view(view: GameView, position: Position, rules: Rules | None, only: View | None) -> GameView:
    """A position is a game of one step."""
    position = under(position, rules or position.rules)
    state, moving = state_of(position), position.turn is not None
    home = home_column(state.tower, position.rules.rulings)
    hands = position.players if position.hands or moving else ()
    seen = sights.position_sights(position, home, only, hands)
    key, own = next(iter(seen.items()))
    (step,) = steps = with_fate(own.steps, view.fate)
    seen[key] = replace(own, steps=steps)
    told = {"verdicts": [""], "cause": None, "opening": f"{step.mover}." if moving else phrase("tower_alone")}
    known = {"reserve": position.reserve is not None, "gone": True, "deck": moving}
    piles = tuple(name for name, given in known.items() if given)
    facts = _facts(position.players, position.rules, position.variant)
    view = replace(view, verdict="position", facts=facts, findings=(), hands=_names(hands), piles=piles)
    return _with_tower(view, seen, told, (state,), position.rules, home, None)


def _names(players: Sequence[str]) -> tuple[str, ...]:
    return tuple(spoken(safe(each)) for each in players)


def _players(item: object) -> str:
    return ", ".join(_names(item.record.players)) if isinstance(item, Game) else ""


def _facts(players: Sequence[str], rules: Rules, variant: str) -> tuple[str, ...]:
    book = sights.file_name(rules.rulebook)
    house = (said for change in rules.changes for said in asked(*change))
    named = phrase("fact_rules", rules=registry().titles.get(book, safe(book)))
    return ", ".join(_names(players)), named, *house, phrase("fact_variant", variant=variant)


def _with_tower(
    view: GameView,
    seen: dict[str, sights.Sight],
    told: Mapping[str, Any],
    states: Sequence[State],
    rules: Rules,
    home: int,
    refused: tuple[Cell, Laid] | None,
) -> GameView:
    """The view with what a game and a position have in common: the data, and the first picture, which the page shows
    before any script runs. `told` are the data that each has for itself.
    """
    state, rulings, key = states[-1], rules.rulings, next(iter(seen))
    own = seen[key].steps
    steps = [step for sight in seen.values() for step in sight.steps]
    at_home = state.board.pyramid(home)
    laid = {cell for each in states for cell in each.tower.cells}
    laid |= {CELLS[step.refused.cell] for step in steps if step.refused is not None}
    reached = laid | {CELLS[name] for step in steps for name in _open(step) if CELLS[name] in at_home}
    highest = max(cell.level for cell in reached)
    near = sorted({*(cell for cell in at_home if cell.level <= highest), *laid})
    far = sorted({*at_home, *near, *(CELLS[name] for step in steps for name in _named(step))})
    titles = {code: title_of(code) or code for code in BARS}
    data = {
        "seen": seen,
        "view": key,
        "start": len(own) - 1,
        "marks": {str(value): mark for value, mark in state.marks.items()},
        "finish": finish_of(state, rulings),
        "bars": {code: title[0].lower() + title[1:] for code, title in titles.items()},
        "home": [str(cell) for cell in at_home],
        "near": [str(cell) for cell in near],
        "frames": {"home": str(frame_of(near)), "all": str(frame_of(far))},
        "slots": [str(cell) for cell in far],
        "won": state.result == "win",
        "lost": view.fate and view.fate.killer,
        "chances": () if view.fate is None else view.fate.chances,
        "fork": view.fate.lines[0][0].number - 1 if view.fate and view.fate.lines else None,
        **told,
    }
    conflict = [CELLS[name] for name in own[-1].conflict]
    last = None if refused else state.touched
    picture = tower_picture(state.tower, rulings, state.marks, laid=last, conflict=conflict, refused=refused)
    glasses = {cell: Glass(cell, "place") for cell in near if cell in at_home}
    glasses |= {glass.cell: glass for glass in picture.glasses}
    strip, views = strip_svg(own, view.fate), sights.views_of(seen, state.players)
    scene = {
        "slots": "".join(slot(cell, glasses.get(cell)) for cell in far),
        "axes": axes(near),
        "far": axes(far),
        "frame": data["frames"]["home"],
        "strip": strip,
        "strips": {other: strip_beside(seen[other].steps, strip, view.fate) for other, _ in views[1:]},
        "legend": legend(view.fate),
    }
    return replace(view, players=", ".join(view.hands), scene=scene, views=views, data=data)


def _named(step: sights.StepData) -> Iterator[str]:
    """The cells without a card that a step can show: where one can be laid, a filling, a conflict."""
    yield from _open(step)
    yield from (*step.outlook.filling, *step.outlook.conflict, *step.conflict)


def _open(step: sights.StepData) -> Iterator[str]:
    """The empty cells that a step draws: those that have their supports."""
    return (cell for cell, fit in step.fits.items() if fit.bar in (None, "TOW08"))


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


def entry_of(view: GameView, href: str) -> Entry:
    """The row of one game."""
    return Entry(**{name: getattr(view, name) for name in Entry.__struct_fields__} | {"href": href})


# The page: templates filled in, styles and scripts put inside, and a policy that lets nothing else run or load.

_SCRIPTS = (*SHARED, "room.js", "whatif.js", "game.js", "page.js", "index.js")
_STYLES = ("base.css", "page.css", "index.css")
_VERDICTS = ("legal", "illegal", "undetermined", "malformed", "position")


def page_of(views: Sequence[GameView], back: str = "") -> str:
    """The page about these games, of which there is at least one; `back` leads to an index that has it."""
    rows = [entry_of(view, f"#game={view.number}") for view in views]
    return _rendered(views, rows, back)


def index_page(rows: Sequence[Entry]) -> str:
    """The page of an index, whose games have pages of their own. Cost: some ten microseconds a game."""
    return _rendered((), rows, "")


def _rendered(views: Sequence[GameView], rows: Sequence[Entry], back: str) -> str:
    sheet, code, counts = style(*_STYLES), script(*_SCRIPTS), Counter(row.verdict for row in rows)
    template = templates("couperation_formal.page", _said).get_template("page.html.j2")
    return template.render(
        title=views[0].title if len(views) == 1 else phrase("title_games", count=len(rows)),
        games=views,
        entries=rows,
        verdicts=[(verdict, counts[verdict]) for verdict in _VERDICTS if counts[verdict]],
        back=back,
        style=Markup(sheet),
        script=Markup(code),
        shapes=Markup(SHAPES),
        data={view.number: embedded(shared(to_builtins(view.data))) for view in views if view.scene},
        policy=policy(sheet, code),
    )


def _said(kind: str, **values: Any) -> Markup:
    """A sentence of the catalog for a template: its values are escaped, but for what is markup already."""
    return Markup(phrase(kind, **{name: escape(value) for name, value in values.items()}))
