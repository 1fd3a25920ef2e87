"""What the board shows: the tower as its page draws it, the answer to each question as data, the answer to a quarrel in
words, and the page itself.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from difflib import unified_diff
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, TypeVar

import msgspec
from markupsafe import Markup
from msgspec.structs import asdict

from couperation_formal.board.judge import draft_of, found_of, judged_line, meant, slips, stood_after, told_ruling
from couperation_formal.board.keeper import Keeper
from couperation_formal.board.record import Refused, outline, remarks, said, told_branch, typed
from couperation_formal.board.user import Settings
from couperation_formal.game.fact import Fact, Steps, Text, fact, told, translated, worded
from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.moves import legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules, Rulings, parse_rules, registry
from couperation_formal.game.state import Pile, State, all_cards
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Cell, Tower, card_key
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.notation.write import action_text, record_text, turn_text
from couperation_formal.output import svg
from couperation_formal.output.blocks import Part
from couperation_formal.output.report import clauses, complaint, told_of
from couperation_formal.page.assets import SHARED, embedded, module, style, templates
from couperation_formal.page.sights import count_told, sizes_told, turn_words
from couperation_formal.questions.disputes.dispute import BookData, HangsData, QuarrelData, standing_words, untold_words
from couperation_formal.questions.records.check import as_known
from couperation_formal.questions.records.hanging import Admits, hanging, plainly, proviso_blocks
from couperation_formal.questions.records.verdict import lost
from couperation_formal.words.say import LANGUAGES, safe, say


def scene(state: State, rulings: Rulings) -> dict[str, Any]:
    """The tower of a table: each glass by its cell, the pyramid's empty places among them, and the frame with its axes.

    Cost: linear in the cells.
    """
    picture = svg.tower_picture(state.tower, rulings, state.marks, laid=state.touched)
    glasses = _with_places(picture, state.board, svg.home_column(state.tower, rulings, state.board))
    return {
        "frame": str(svg.frame_of(glasses)),
        "axes": svg.axes(glasses),
        "glasses": {
            str(cell): {"kind": each.kind, "text": each.text, "mark": each.mark, "flag": each.flag}
            for cell, each in sorted(glasses.items())
        },
        "title": picture.title,
        "won": state.result == "win",
    }


def _with_places(picture: svg.Picture, board: Board, home: int) -> dict[Cell, svg.Glass]:
    places = {cell: svg.Glass(cell, "place") for cell in board.pyramid(home)}
    return places | {each.cell: each for each in picture.glasses}


def first_tower() -> str:
    """The tower of the set-up with the places of its pyramid, as SVG."""
    picture = svg.tower_picture(Tower.start(STANDARD), parse_rules(registry().default).rulings)
    glasses = _with_places(picture, STANDARD, STANDARD.middle)
    return (
        f'<svg class="tower" viewBox="{svg.frame_of(glasses)}" aria-hidden="true">{svg.slots(glasses.values())}</svg>'
    )


def empty_slots() -> str:
    """A place for each cell of the board, as SVG with nothing in it yet."""
    levels = range(1, STANDARD.levels + 1)
    return "".join(svg.slot(Cell(column, level)) for level in levels for column in range(STANDARD.columns + 1 - level))


# What the board answers, as data: a game with its table and verdicts, a draft, what each rulebook says.

_STEPS = 4_000
"""The steps in which typed actions are completed."""
_COMPLETIONS = 40


def game_view(keeper: Keeper, index: int | None) -> dict[str, Any]:
    """All that the board shows of one game of a file, the last one if left out or gone: its text, turns, verdicts, the
    table, and what can be undone. Of an item that is no game the text and what the reader says.
    """
    items = [part.item for part in keeper.games]
    view: dict[str, Any] = {
        "file": keeper.path.name,
        "path": os.fsencode(keeper.path.absolute()).decode("utf-8", "replace"),
        "revision": keeper.revision,
        "undo": keeper.can_undo,
        "redo": keeper.can_redo,
        "outside": keeper.changed_outside(),
        "told": keeper.told,
        "games": [{**outline(item), "kind": _kind(item)} for item in items],
        "game": None,
    }
    index = len(items) if index is None else min(index, len(items))
    if index < 1:
        return view
    item = items[index - 1]
    view |= {"game": index, "text": item.text, "kind": _kind(item)}
    if isinstance(item, Game):
        view |= whole(item)
    elif isinstance(item, Malformed):
        view["said"] = [each.what for each in item.diagnostics]
    return view


def whole(game: Game) -> dict[str, Any]:
    """A game with its turns, what is wrong in them, what is said of them, and the table after the last."""
    record = game.record
    comments = [
        [{"text": text, "branch": msgspec.to_builtins(told_branch(game, place, text))} for text in map(said, there)]
        for place, there in enumerate(remarks(game))
    ]
    outcome = replay(record, record.rules.rulings)
    hangs = any(True for _ in hanging(record, record.rules.rulings, outcome))
    wrong, told = list(outcome.broken), lost(game, record.rules, outcome)
    if outcome.illegal is not None:
        wrong += [each for each in slips(record) if each.turn > outcome.illegal]
    return {
        "players": record.players,
        "rules": str(record.rules),
        "ended": next((fact("as_sentence", text=complaint(each, game)) for each in told), None),
        "variant": record.variant,
        "event": record.tag("Event"),
        "result": record.result,
        "reached": outcome.reached,
        "verdict": "illegal" if outcome.illegal is not None else "undetermined" if hangs else "legal",
        "illegal": outcome.illegal,
        "wrong": [asdict(found_of(each, record)) | {"turn": each.turn, "warning": each.warning} for each in wrong],
        "comments": comments[0],
        "turns": [
            {
                "player": turn.player,
                "text": turn_text(turn),
                "words": fact("turn_numbered", turn=place, words=turn_words(turn, safe(turn.player))),
                "draft": None if turn.fill_open else msgspec.to_builtins(draft_of(turn)),
                "glyphs": turn.glyphs,
                "place": place,
                "comments": comments[place],
            }
            for place, turn in enumerate(record.turns, 1)
        ],
        "table": laid_out(record, None),
    }


def differing(keeper: Keeper, index: int) -> list[str]:
    """The lines of a game of a file that differ from those that somebody else left: `+` of mine, `-` of theirs."""
    theirs, mine = (_lines(parts[index - 1 : index]) for parts in (keeper.theirs, keeper.games))
    return [line for line in list(unified_diff(theirs, mine, n=0))[2:] if not line.startswith("@")]


def _lines(parts: Sequence[Part]) -> list[str]:
    texts = (record_text(each.item.record) if isinstance(each.item, Game) else each.item.text for each in parts)
    return [line for text in texts for line in text.splitlines()[:2000]]


def table(state: State) -> dict[str, Any]:
    """A table: the cards by cell, hand and pile, as they are written; who is to move, and the cards that lie nowhere
    that is known.
    """
    lying = [card for card in all_cards(state.board, state.variant) if state.whereabouts(card) is None]
    return {
        "turns": state.turns,
        "to_move": None if state.result is not None else state.players[state.to_move],
        "result": state.result,
        "tower": {str(cell): str(laid) for cell, laid in sorted(state.tower.cells.items())},
        "hands": {name: _pile(hand) for name, hand in zip(state.players, state.hands, strict=True)},
        "sizes": {state.players[seat]: text for seat, text in sizes_told(state).items()},
        "front": None if state.front is None else state.players[state.front],
        "reserve": _pile(state.reserve),
        "gone": _pile(state.gone),
        "deck": [str(card) for card in state.deck],
        "deck_size": count_told(*state.sizes()),
        "unplaced": [str(card) for card in sorted(lying, key=card_key)],
        "marks": {str(card): mark for card, mark in sorted(state.marks.items())},
        "last": None if state.touched is None else str(state.touched),
    }


def laid_out(record: Record, turn: int | None) -> dict[str, Any]:
    """The table after a turn, the last one if left out, with the scene of its tower."""
    state = stood_after(record, turn)
    return table(state) | {"scene": scene(state, record.rules.rulings)}


def _pile(pile: Pile) -> list[str]:
    return [str(card) for card in (*sorted(pile.known, key=card_key), *(UNSEEN,) * (pile.unseen + pile.more))]


def typed_view(game: Game, line: str, place: int | None) -> dict[str, Any]:
    """A typed turn: its canonical text and what the rules say of it. Raises `Refused` with the reader's words."""
    player, turn, told = judged_line(game, line, place)
    return {"place": turn.number, "player": player, "text": turn_text(turn), "judged": told}


def completed(game: Game, line: str) -> list[str]:
    """Legal actions with which a line that is being typed as the next turn can go on, as whole lines; none where what
    was drawn cannot be read.
    """
    state = stood_after(game.record, None)
    if state.result is not None:
        return []
    drawn, blank, begun = line.lstrip().partition(" ")
    if drawn.startswith("+"):
        try:
            turn = typed(game, f"{drawn} -", state.turns + 1, state.players[state.to_move])
        except Refused:
            return []
        state = carry_out(state, turn, state.to_move).drawn
    else:
        drawn, begun = "", drawn + blank + begun
    moves = map(action_text, legal_actions(state, state.to_move, game.record.rules.rulings, Steps(_STEPS)).actions)
    return [f"{drawn} {each}".lstrip() for each in moves if each.startswith(begun.lstrip())][:_COMPLETIONS]


def strip(game: Game) -> Iterator[dict[str, Any]]:
    """What each rulebook thinks of the game so far, as far as the cards are known, and where its text leaves that open:
    its own first.
    """
    books = [game.record.rules, *(Rules(name, (), book) for name, book in registry().rulebooks.items())]
    for name, rules in {str(each): each for each in books}.items():
        report = as_known(game, rules)
        first, text = report.error, plainly(game.record, rules, report.verdict)
        told = {"rules": name, "verdict": report.verdict, "turn": report.turn}
        if text.says == "open":
            yield told | {"verdict": "open", "clause": None, "message": open_words(text)}
            continue
        yield told | {"clause": first and first.code, "message": first and complaint(first, game)}


def _kind(item: Item) -> str:
    return "game" if isinstance(item, Game) else "malformed" if isinstance(item, Malformed) else "position"


# The answer to a quarrel about a turn, in words: who says what, what decides, and what would change it.

_MOST = 6
"""So many changes of a rulebook are told at most."""
T = TypeVar("T")
Line = tuple[str, Text, Text]
"""The verdict whose sign a line bears, if any, what stands out, and the rest."""


def quarrel_told(written: bytes, record: Record) -> list[dict[str, Any]]:
    """What `dispute --at` wrote, as parts: a `head` and `lines`; what is for those who know ids is `aside`."""
    data = msgspec.json.decode(written, type=QuarrelData)
    books = data.rulebooks.items()
    provisos = chain.from_iterable(proviso_blocks(proviso, record, whose) for proviso, whose in data.together())
    notes: list[Text] = [each.text for each in provisos]
    notes += [book.ended for _, book in books if book.ended is not None]
    notes += [*standing_words(data.standing), *untold_words(data)]
    changes = [(name, each) for name, found in data.changes.items() for each in (found or ())[:_MOST]]
    turned = _together(
        ((each.verdict, fact("set_of_options", parts=tuple(told_ruling(*one) for one in each.options.items()))), name)
        for name, each in changes
    )
    parts: dict[Fact, list[Line]] = {
        fact("board_who_says"): [
            *((book.says, name, _says(name, book)) for name, book in books),
            *(("", "", note) for note in dict.fromkeys(notes)),
        ],
        fact("board_decides"): [*(_rulings(data) if data.texts else _sources(data))],
        fact("board_changes"): [
            (verdict, fact("listed", texts=tuple(names)), fact("board_with", verdict=verdict, what=what))
            for (verdict, what), names in turned.items()
        ],
    }
    ids: list[Line] = [(book.verdict, name, book.code) for name, book in books if book.code]
    ids += [(each.verdict, name, " ".join(map("=".join, each.options.items()))) for name, each in changes]
    shown = [{"head": head, "lines": lines} for head, lines in parts.items() if lines]
    return [*shown, {"head": fact("board_ids"), "lines": ids, "aside": True}]


def _together(pairs: Iterable[tuple[T, str]]) -> dict[T, list[str]]:
    """What is said, each with those who say so."""
    told: dict[T, list[str]] = {}
    for what, who in pairs:
        told.setdefault(what, []).append(who)
    return told


def _says(name: str, book: BookData) -> Fact:
    """What a rulebook says of the turn, by which clause, and where; what its text leaves open."""
    came = [open_words(book.outcome)] if book.outcome is not None and book.outcome.says == "open" else []
    said = [open_words(book), *([told_of(book.code, name)] if book.code else []), *came]
    return fact("in_turn", parts=tuple(said))


def open_words(text: Admits) -> Fact:
    """What a text says; where it leaves that open, which answers lead to what."""
    if text.says != "open":
        return fact("end_of", result=text.says)
    ways = []
    for to, term in ((to, term) for to, terms in (text.when or {}).items() for term in terms):
        ways.append(fact("board_comes_if", to=to, what=fact("unended", text=meant(term))))
    return fact("board_open", ways=tuple(ways))


def _rulings(data: HangsData) -> Iterator[Line]:
    """Each ruling that decides by its question, and what the texts say."""
    for ruling, views in sorted(data.texts.items(), key=lambda each: registry().accord(each[0])):
        yield "", translated(registry().rulings[ruling].question), ""
        said = [(each.stand, meant({ruling: (each.option,)}, last=each.note)) for each in views.values()]
        for (stand, what), places in _together(zip(said, (each.place for each in views.values()), strict=True)).items():
            place = fact("listed", texts=tuple(map(translated, places)))
            yield "", "", fact("board_text_says", place=place, stand=stand, what=what)


def _sources(data: HangsData) -> Iterator[Line]:
    """For each clause by which all refuse it, what every text says of it."""
    for code in dict.fromkeys(book.code for book in data.rulebooks.values() if book.code in clauses()):
        yield "", translated(clauses()[code].title), ""
        for row in clauses()[code].sources:
            place = fact("clause_place", texts=tuple(row.texts.split(", ")), place=row.place)
            yield "", "", fact("board_text_says", place=place, stand="states", what=translated(row.says))


# The board's page: its template, and the sheets and scripts that it has in common with the report page.

_IMPORT = re.compile(r'^import \{ (.+) \} from "(?:\.|/static)/(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)
_EXPORTED = (
    *("button", "press", "element", "say", "spoken", "listed", "toldOf", "copied", "download", "reveal", "stored"),
    *("Drawing", "Filter", "Panels", "Steps", "Table"),
)


def _filled(name: str, language: str, **parts: Any) -> str:
    template = templates("couperation_formal.board", language).get_template(name)
    others = [(each, say(fact("language_name"), each)) for each in LANGUAGES if each != language]
    return template.render(shapes=Markup(svg.SHAPES), slots=Markup(empty_slots()), others=others, **parts)


def page(file: str, settings: Settings, said: Text, language: str) -> str:
    """The page of a board with this file, of a folder's board with none, as it was set; `said` tells why it was not."""
    new = f"couperation-{date.today().isoformat()}.cgn"
    books = worded({name: translated(title) for name, title in registry().titles.items()}, language)
    setup = embedded(worded(_setup() | {"settings": settings, "said": said}, language))
    parts = {"begun": Markup(first_tower()), "theme": settings.theme, "books": books, "setup": setup}
    return _filled("board.html.j2", language, file=file, new=new, **parts)


def watching(name: str | None, language: str) -> str:
    """The page of who watches as the player `name`, or as everybody. It holds no entry and nothing of a game."""
    who = fact("liveboard_watch_all") if name is None else fact("liveboard_watch_as", player=name)
    return _filled("watch.html.j2", language, theme="", who=told(who, language))


@cache
def part(name: str, language: str) -> str | bytes | None:
    """A part of the page, whose scripts speak a language; `shared.css` is the report page's. None where there is
    none.
    """
    if name == "shared.css":
        return style("base.css")
    if name in ("board.js", "watch.js"):
        return _joined(name.removesuffix(".js"), language)
    parts = {each.name: each for each in files("couperation_formal.board").joinpath("static").iterdir()}
    return parts[name].read_bytes() if name in parts else None


def _joined(name: str, language: str) -> str:
    """A script as one with all that it imports, each in a function of its own: a page that asks for them one after the
    other waits as often as they lie deep. `shared.js` is made of the report page's.
    """
    shared, exported = module(language, *SHARED), ", ".join(_EXPORTED)
    made = {"shared": f"const shared = (() => {{\n{shared}\nreturn {{ {exported} }};\n}})();\n"}

    def make(name: str) -> None:
        text = files("couperation_formal.board").joinpath("static", f"{name}.js").read_text(encoding="utf-8")
        for imported in _IMPORT.finditer(text):
            if imported[2] not in made:
                make(imported[2])
        text = _IMPORT.sub(lambda it: f"const {{ {it[1].replace(' as ', ': ')} }} = {it[2]};", text)
        exported = ", ".join(_EXPORT.findall(text))
        made[name] = f"const {name} = (() => {{\n{_EXPORT.sub('', text)}\nreturn {{ {exported} }};\n}})();\n"

    make(name)
    return "".join(made.values())


def _setup() -> dict[str, Any]:
    """What a game is begun with: rulebooks, rulings, and how many cards are dealt."""
    known = registry()
    return {
        "default": known.default,
        "rulings": [
            {
                "name": each.name,
                "question": translated(each.question),
                "options": [{"name": option.name, "meaning": translated(option.meaning)} for option in each.options],
            }
            for each in known.rulings.values()
        ],
        "deal": STANDARD.deal,
        "reserve": {str(players): size for players, size in STANDARD.reserve_sizes},
        "open": [str(1), str(STANDARD.cards)],
        "laid": str(STANDARD.anchor),
        "cards": STANDARD.cards,
    }
