"""The whole page: one of some games, or one a game and the index of all; and what its templates show of a game."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

from markupsafe import Markup
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from couperation_formal.game.fact import Fact, Text, fact, told, translated, worded
from couperation_formal.game.position import state_of, under
from couperation_formal.game.record import NOTATION, Diagnostic, Game, Position, Snapshot
from couperation_formal.game.rulings import Rules, registry, taggable
from couperation_formal.game.state import State
from couperation_formal.game.tower import Cell, Laid
from couperation_formal.notation.parse import CELLS
from couperation_formal.output.blocks import Sentence, frame, line_at
from couperation_formal.output.formats import event_of
from couperation_formal.output.report import Report, clauses, complaint, marked, source_lines, title_of, told_of
from couperation_formal.output.svg import SHAPES, Glass, axes, frame_of, home_column, slot, tower_picture
from couperation_formal.page import sights
from couperation_formal.page.assets import SHARED, embedded, policy, script, shared, style, templates
from couperation_formal.page.sights import Fate, chances_of, legend, line_told, strip_beside, strip_svg, with_fate
from couperation_formal.questions.disputes.dispute import (
    Dispute,
    HangsData,
    nowhere_told,
    standing_words,
    text_words,
    untold_words,
)
from couperation_formal.questions.records.check import hangs_on
from couperation_formal.questions.records.explain import failing
from couperation_formal.questions.records.hanging import TermData, kind_of, provided_data, proviso_blocks
from couperation_formal.questions.records.states import View, attempt
from couperation_formal.questions.tables.fits import BARS, finish_of
from couperation_formal.words.say import safe, say, spoken

MAX_SHOWN = 100
"""So many findings of one game are shown at most."""


def _finding(diagnostic: Diagnostic, report: Report) -> dict[str, object]:
    """One diagnostic: where it is, the line with its carets, and what it hangs on. `title` is the clause's with its
    places in the texts, `rule` what the clause says, both empty where it is about the notation. `why` is the instance
    of its formula that fails.
    """
    line = line_at(report.item, diagnostic.span)
    shown, indent, width = frame(line)
    clause, message, rules = clauses().get(diagnostic.code), complaint(diagnostic, report.game), report.rules
    hanging = [(name, rules.rulings.option(name)) for name in diagnostic.rulings] if rules else []
    why = () if report.game is None else failing(report.game, diagnostic, rules)
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "turn": diagnostic.turn,
        "where": f"{safe(sights.file_name(report.item.file))}:{line.number}:{line.start + 1}",
        "title": told_of(diagnostic.code, report.book),
        "rule": "" if clause is None or diagnostic.severity == "note" else translated(clause.rule),
        "message": message,
        "sentence": fact("as_sentence", text=message),
        "number": line.number,
        "line": shown,
        "carets": " " * indent + "^" * width,
        "hangs": next((fact("this_hangs", said=text) for text, _ in hangs_on(diagnostic, rules)), ""),
        "asks": [tuple(map(translated, asked(*each))) for each in hanging],
        "formula": "" if clause is None else clause.formula,
        "why": [fact("parts", parts=(line,)) for line in why],  # a fact is made safe, a text would stay as it is
    }


def dispute_view(settled: Dispute) -> dict[str, object]:
    """What every rulebook says, and what the answer hangs on, in sentences: of a record, with those on the turns that
    it marks as disputed, or of such a turn `at`. `remarks` stand before the rulebooks, `sources` tell of the clauses
    where no reading is legal, `untold` what the budget did not suffice for. `open` tells that some reading may yet be
    legal or not.
    """
    data, nowhere = settled.data(), nowhere_told(settled.nowhere)
    books = []
    for name, book in data.rulebooks.items():
        none = fact("not_found") if f"rulebooks.{name}" in data.untold else ""
        turn = none if book.turn is None else book.turn
        clause = fact("parts", parts=(book.code or "", " ", told_of(book.code, name) if book.code else none))
        outcome = "" if book.outcome is None else fact("end_of", result=book.outcome.says)
        books.append({"name": name, "verdict": book.says, "outcome": outcome, "turn": turn, "clause": clause})
    silent = data.legal_when == () and not nowhere
    codes = dict.fromkeys(book.code for book in data.rulebooks.values() if book.code) if silent else ()
    hangs = any(kind_of(each) != "always" for each in data.provisos.values())
    return {
        "books": books,
        "provided": [
            [each.text for each in proviso_blocks(proviso, settled.game.record, whose)]
            for proviso, whose in data.together()
        ],
        "texts": list(text_words(settled)),
        "decisive": [(name, translated(registry().rulings[name].question)) for name in data.texts],
        "conditions": [] if nowhere else list(_conditions(data, hangs)),
        "outcomes": [
            (fact("end_of", result=name), condition_words(terms))
            for name, terms in (data.outcome.when if data.outcome else {}).items()
        ],
        "at": settled.at,
        "remarks": [*standing_words(settled.standing), *([nowhere] if nowhere else [])],
        "sources": [line for code in codes for line in source_lines(code)],
        "untold": list(untold_words(data)),
        "open": data.undetermined_when != (),
        "quarrels": list(map(dispute_view, settled.quarrels)),
    }


def _conditions(data: HangsData, hangs: bool) -> Iterator[tuple[str, Fact]]:
    """Each verdict that some reading has, and when; the legal one may hang on what nobody noted."""
    for verdict in ("legal", "illegal", "undetermined"):
        terms: tuple[TermData, ...] | None = getattr(data, f"{verdict}_when")
        if terms != ():
            words = condition_words(terms)
            yield verdict, fact("with_proviso", when=words) if hangs and verdict == "legal" else words


def asked(name: str, option: str) -> tuple[str, str]:
    """A ruling by its question, and its answer: what the option means."""
    ruling = registry().rulings[name]
    return ruling.question, next(each.meaning for each in ruling.options if each.name == option)


def condition_words(terms: Sequence[TermData] | None) -> Fact:
    """A condition in words: terms joined by *or*, each with the options that it allows; None is one that was not
    found.
    """
    if terms is None:
        return fact("some_readings")
    if any(not term for term in terms):
        return fact("every_reading")
    parts = [
        [
            fact(
                "ruling_is_one",
                name=translated(registry().rulings[name].question),
                options=tuple(
                    marked(name, each, fact("unended", text=translated(asked(name, each)[1]))) for each in options
                ),
            )
            for name, options in term.items()
        ]
        for term in terms
    ]
    return fact("when", terms=tuple(fact("term", parts=tuple(each)) for each in parts))


class Entry(Struct, frozen=True, kw_only=True):
    """A row of the index, some hundred bytes. `said` is the verdict in a sentence, with the result or the first error;
    `lost` tells who lost the game when, where that was asked; `href` leads to the game.
    """

    number: int
    title: Text
    where: Text
    players: Text = ""
    verdict: str
    said: Text = ""
    lost: Text = ""
    turns: int = 0
    href: str = ""


class GameView(Entry, frozen=True, kw_only=True):
    """What the templates show of one item beside its row of the index. `scene` is the tower as the page begins with it,
    None where there is none, `data` is then empty. `piles` names those that are known of, `views` the keys of those
    that look and what they are called; `whose` says whose cards are shown.
    """

    whose: Text
    facts: tuple[Text, ...] = ()
    provided: tuple[Text, ...] = ()
    findings: Sequence[dict[str, object]] = ()
    rows: tuple[sights.Row, ...] = ()
    scene: dict[str, object] | None = None
    hands: tuple[str, ...] = ()
    views: tuple[tuple[str, Text], ...] = ()
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
    """The view of a report's item as number `number` of a page; `rules` stand in place of the item's own. The item is
    what `only` could have written down, and everybody's cards without it. `dispute` and `fate`, what became of the
    table, stand where they were asked.

    Cost: some tens of milliseconds for a game, for each view.
    """
    item = report.item
    players = _listed(_names(item.record.players)) if isinstance(item, Game) else ""
    view = GameView(
        number=number,
        title=safe(event_of(item) or "") or players or fact("game_number", index=item.index),
        whose=sights.label(only),
        where=fact("page_game", file=safe(sights.file_name(item.file)), index=item.index),
        verdict=report.verdict,
        findings=[_finding(each, report) for each in report.diagnostics[:MAX_SHOWN]],
        dispute=None if dispute is None else dispute_view(dispute),
        fate=fate,
        lost="" if fate is None else _lost(fate),
    )
    if isinstance(item, Snapshot):
        view = _position_view(view, item.position, rules, only)
    elif isinstance(item, Game) and report.rules is not None:
        view = _recorded_view(view, report, item, report.rules, only)
    else:
        faults = sum(each.code == NOTATION and each.severity == "error" for each in report.diagnostics)
        view = replace(view, said=fact("no_cgn", faults=faults))
    return view


def _said(text: Text, language: str) -> str:
    return safe(told(text, language))


def _shown(view: GameView, language: str) -> GameView:
    """The view as a page in a language shows it: its sentences said and made safe, the strips drawn."""
    view = worded(view, language, _said)
    if view.scene is None:
        return view
    seen, fate, others = view.data["seen"], view.fate, view.views[1:]
    strip = strip_svg(seen[view.data["view"]].steps, language, fate)
    beside = {other: strip_beside(seen[other].steps, strip, language, fate) for other, _ in others}
    bars = {code: title[0].lower() + title[1:] for code, title in view.data["bars"].items()}
    return replace(view, scene={**view.scene, "strip": strip, "strips": beside}, data={**view.data, "bars": bars})


def _lost(fate: Fate) -> Text:
    if fate.turn is None:
        return fate.said
    if fate.killer:
        return fact("lost_at", turn=fate.killer, player=fate.player)
    return fact("lost_from", turn=fact("the_setup", turn=fate.turn))


def _recorded_view(view: GameView, report: Report, game: Game, rules: Rules, only: View | None) -> GameView:
    states = report.states if report.turn is None else report.states[: max(1, report.turn)]
    tagged, record, fate = taggable(rules), game.record, view.fate
    home = home_column(states[-1].tower, tagged.rulings)
    steps = with_fate(sights.game_steps(game, tagged, states, report.turn, home), fate)
    rows = tuple(sights.rows_of(report, game, fate.killer if fate else None))
    seen = sights.game_sights(report, game, tagged, steps, states, home, only)
    verdicts = [rows[step.turn].verdict for step in steps]
    if fate and fate.killer not in (None, steps[-1].turn):
        last = fact("live_last_chance", turn=fate.killer)
        verdicts[-1] = fact("sentences", parts=(verdicts[-1], last))
    for number, line in enumerate(fate.lines if fate else ()):
        seen[f"line{number}"] = sights.line_sight(game, tagged, next(iter(seen.values())), line, home)
    told = {
        "verdicts": verdicts,
        "opening": fact("opening", players=_names(record.players)),
        "cause": _cause(report),
        "name": _name(game),
    }
    refused = None if steps[-1].refused is None else attempt(record.turns[steps[-1].turn - 1])
    provided: Iterable[Sentence] = ()
    if report.provided is not None:
        provided = proviso_blocks(provided_data(report.provided), record, fact("whose_record"))
    view = replace(
        view,
        said=report.told,
        facts=(*_facts(record.players, rules, record.variant), fact("turns_in_all", turns=len(record.turns))),
        provided=tuple(each.text for each in provided),
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
    seen[key] = replace(own, steps=with_fate(own.steps, view.fate))
    opening = fact("tower_alone") if position.turn is None else fact("moves_now", player=safe(position.turn))
    told = {"verdicts": [""], "cause": None, "opening": opening}
    known = {"reserve": position.reserve is not None, "gone": True, "deck": moving}
    piles = tuple(name for name, given in known.items() if given)
    facts = _facts(position.players, position.rules, position.variant)
    view = replace(view, verdict="position", facts=facts, findings=(), hands=_names(hands), piles=piles)
    return _with_tower(view, seen, told, (state,), position.rules, home, None)


def _names(players: Sequence[str]) -> tuple[str, ...]:
    return tuple(spoken(safe(each)) for each in players)


def _listed(names: tuple[str, ...]) -> Text:
    return fact("listed", texts=names) if names else ""


def _facts(players: Sequence[str], rules: Rules, variant: str) -> tuple[Text, ...]:
    book = sights.file_name(rules.rulebook)
    house = (translated(each) for change in rules.changes for each in asked(*change))
    named = fact("fact_rules", rules=translated(registry().titles.get(book, "")) or safe(book))
    return _listed(_names(players)), named, *house, fact("fact_variant", variant=variant)


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
    state, rulings, key, fate = states[-1], rules.rulings, next(iter(seen)), view.fate
    own = seen[key].steps
    steps = [step for sight in seen.values() for step in sight.steps]
    at_home = state.board.pyramid(home)
    laid = {cell for each in states for cell in each.tower.cells}
    laid |= {CELLS[step.refused.cell] for step in steps if step.refused is not None}
    reached = laid | {CELLS[name] for step in steps for name in _open(step) if CELLS[name] in at_home}
    highest = max(cell.level for cell in reached)
    near = sorted({*(cell for cell in at_home if cell.level <= highest), *laid})
    far = sorted({*at_home, *near, *(CELLS[name] for step in steps for name in _named(step))})
    data = {
        "seen": seen,
        "view": key,
        "start": len(own) - 1,
        "marks": {str(value): mark for value, mark in state.marks.items()},
        "finish": finish_of(state, rulings),
        "bars": {code: title_of(code) for code in BARS},
        "home": [str(cell) for cell in at_home],
        "near": [str(cell) for cell in near],
        "frames": {"home": str(frame_of(near)), "all": str(frame_of(far))},
        "slots": [str(cell) for cell in far],
        "won": state.result == "win",
        "lost": fate and fate.killer,
        "chances": () if fate is None else chances_of(fate.lines),
        "fork": fate.lines[0][0].number - 1 if fate and fate.lines else None,
        **told,
    }
    conflict = [CELLS[name] for name in own[-1].conflict]
    last = None if refused else state.touched
    picture = tower_picture(state.tower, rulings, state.marks, laid=last, conflict=conflict, refused=refused)
    glasses = {cell: Glass(cell, "place") for cell in near if cell in at_home}
    glasses |= {glass.cell: glass for glass in picture.glasses}
    views = sights.views_of(seen, state.players)
    scene = {
        "slots": "".join(slot(cell, glasses.get(cell)) for cell in far),
        "axes": axes(near),
        "far": axes(far),
        "frame": data["frames"]["home"],
        "legend": legend(fate),
    }
    return replace(view, players=_listed(view.hands), scene=scene, views=views, data=data)


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
    return {"turn": report.turn, "words": fact("as_sentence", text=complaint(error, report.game))}


def entry_of(view: GameView, href: str) -> Entry:
    """The row of one game."""
    return Entry(**{name: getattr(view, name) for name in Entry.__struct_fields__} | {"href": href})


# The page: templates filled in, styles and scripts put inside, and a policy that lets nothing else run or load.

_SCRIPTS = (*SHARED, "room.js", "whatif.js", "game.js", "page.js", "index.js")
_STYLES = ("base.css", "page.css", "index.css")
_VERDICTS = ("legal", "illegal", "undetermined", "malformed", "position")


def page_of(views: Sequence[GameView], language: str, back: str = "") -> str:
    """The page about these games, of which there is at least one, in a language; `back` leads to an index with it."""
    rows = [entry_of(view, f"#game={view.number}") for view in views]
    return _rendered([_shown(view, language) for view in views], rows, language, back)


def index_page(rows: Sequence[Entry], language: str) -> str:
    """The page of an index, whose games have pages of their own. Cost: some ten microseconds a game."""
    return _rendered((), rows, language, "")


def _rendered(views: Sequence[GameView], rows: Sequence[Entry], language: str, back: str) -> str:
    rows = worded(rows, language, _said)
    sheet, code, counts = style(*_STYLES), script(language, *_SCRIPTS), Counter(row.verdict for row in rows)
    template = templates("couperation_formal.page", language).get_template("page.html.j2")
    return template.render(
        title=views[0].title if len(views) == 1 else say(fact("title_games", count=len(rows)), language),
        games=views,
        entries=rows,
        verdicts=[(verdict, counts[verdict]) for verdict in _VERDICTS if counts[verdict]],
        back=back,
        style=Markup(sheet),
        script=Markup(code),
        shapes=Markup(SHAPES),
        line_told=partial(line_told, language=language),
        data={view.number: embedded(shared(to_builtins(view.data))) for view in views if view.scene},
        policy=policy(sheet, code),
    )
