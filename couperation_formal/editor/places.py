"""What an editor shows over a place, and what can be typed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from couperation_formal.editor.document import Document, Exact, Part
from couperation_formal.formulas.book import Book, BookError
from couperation_formal.formulas.judge import PAGES
from couperation_formal.formulas.syntax import Term
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Diagnostic, Exchange, Game, LayDown, LayUp, NoAction, Snapshot, Span
from couperation_formal.game.rules.moves import Move
from couperation_formal.game.rulings import RULING_NAMES, Rules, Rulings, options_in_order, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Cell, Tower
from couperation_formal.notation import read, write
from couperation_formal.output import blocks, report
from couperation_formal.questions.records import explain, states
from couperation_formal.words.say import safe, say

_RULES = re.compile(r'\[[^\S\n]*Rules[^\S\n]*"([^"\n]*)"')
_WORD = re.compile(r"[^\s=]+")


def hover(document: Document, offset: int, exact: Exact) -> tuple[Span, str] | None:
    """What is to be shown at this offset, as Markdown, and the stretch it is about; None for nothing. Cost: at most a
    check of the game there.
    """
    part = document.part_at(offset)
    if part is None:
        return None
    named = _named(document.text, offset)
    if named is not None:
        return named
    met = [each for each in document.findings(part, exact) if each.span.start <= offset <= each.span.end]
    tower = _tower(document, part, offset)
    report = document.report(part)
    rules = report.rules if report is not None else None
    sections = [_clause(each.found, rules) + _instance(each.found, part, rules) for each in met]
    word = _word(part, offset, rules)
    sections += [say(word[1])] if word is not None else []
    if not sections and tower is None:
        return None
    span = met[0].span if met else word[0] if word is not None else tower[0] if tower else Span(offset, offset)
    return span, "\n\n---\n\n".join([*sections, *([tower[1]] if tower is not None else [])])


def _clause(diagnostic: Diagnostic, rules: Rules | None) -> str:
    """The clause of a diagnostic: title, rule, and the rulings that the diagnostic hangs on."""
    clause = explain.explain(diagnostic.code)
    kind = "" if diagnostic.severity == "error" else say(fact(f"found_{diagnostic.severity}"))
    lines = [f"**{diagnostic.code}**{kind}"]
    if isinstance(clause, report.ClauseText):
        told = report.told_of(diagnostic.code, "" if rules is None else rules.rulebook)
        lines = [f"**{diagnostic.code}**{kind} · {told or clause.title}", clause.rule]
    if diagnostic.rulings and rules is not None:
        hangs = say(fact("hover_clause_hangs" if diagnostic.of_clause else "hover_hangs"))
        lines += [hangs, "\n".join(_option(name, rules.rulings) for name in diagnostic.rulings)]
    return "\n\n".join(lines)


def _instance(diagnostic: Diagnostic, part: Part, rules: Rules | None) -> str:
    """The instance of the clause's formula that fails; nothing where none is told."""
    lines = explain.failing(part.item, diagnostic, rules) if isinstance(part.item, Game) else ()
    return f"\n\n{say(fact('hover_why'))}\n\n{fenced(chr(10).join(lines))}" if lines else ""


def _option(name: str, rulings: Rulings) -> str:
    ruling = registry().rulings[name]
    chosen = rulings.option(name)
    names = [(each.name, report.marked(name, each.name)) for each in ruling.options]
    options = ", ".join(f"**{shown}**" if option == chosen else shown for option, shown in names)
    return f"- `{name}`: {ruling.question} {options}"


def _word(part: Part, offset: int, rules: Rules | None) -> tuple[Span, Fact] | None:
    """What a word of the notation under the offset says: a part of a turn that is no card, a line of a position."""
    for span, what in _words(part, rules):
        if span is not None and part.within(span).start <= offset <= part.within(span).end:
            return part.within(span), what
    return None


def _words(part: Part, rules: Rules | None) -> Iterator[tuple[Span | None, Fact]]:
    item = part.item
    if isinstance(item, Snapshot):
        lines, idle = item.layout.lines, item.position.idle
        yield lines.get("last"), fact("notes_last_nothing" if idle else "notes_last")
        yield from ((lines.get(name), fact(f"notes_{name}")) for name in ("skipped", "replaced"))
    elif isinstance(item, Game):
        skipped = rules is not None and rules.rulings.no_action == "skipped"
        for turn, layout in zip(item.record.turns, item.layout.turns, strict=True):
            if turn.draw_open:
                yield layout.draw, fact("notes_draw_open")
            if isinstance(turn.action, NoAction):
                yield layout.action, fact("notes_pass_skipped" if skipped else "notes_pass_loses")
            yield layout.fill, fact("notes_fill_open" if turn.fill_open else "notes_part_fill")
            yield from ((layout.drop, fact("notes_part_drop")), (layout.trim, fact("notes_part_trim")))


def _named(text: str, offset: int) -> tuple[Span, str] | None:
    """The ruling, option or rulebook under the offset, inside a Rules tag."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : len(text) if end < 0 else end]
    tag = _RULES.search(line)
    if tag is None or not tag.start(1) <= offset - start <= tag.end(1):
        return None
    for word in _WORD.finditer(line, tag.start(1), tag.end(1)):
        if word.start() <= offset - start <= word.end():
            return _explained(word.group(), line[: word.start()], Span(start + word.start(), start + word.end()))
    return None


def _explained(word: str, before: str, span: Span) -> tuple[Span, str] | None:
    if before.endswith("="):
        word = _WORD.findall(before)[-1].rpartition('"')[2]
    if word not in RULING_NAMES and word not in registry().rulebooks:
        return None
    return span, fenced(blocks.plain(explain.explanation(explain.explain(word))))


def _tower(document: Document, part: Part, offset: int) -> tuple[Span, str] | None:
    """The tower after the turn at this offset, or before it where the turn has none after it; a position's own tower
    over its line `tower`.
    """
    item = part.item
    if isinstance(item, Snapshot):
        span = part.within(item.layout.lines["tower"])
        if not span.start <= offset <= span.end:
            return None
        tower = Tower.of(STANDARD, dict(item.position.tower))
        return span, _drawn(fact("the_tower"), tower, item.position.rules.rulings, item.position.last)
    report = document.report(part)
    if not isinstance(item, Game) or report is None or report.rules is None:
        return None
    for number, layout in enumerate(item.layout.turns, 1):
        span = part.within(layout.line)
        if span.start <= offset <= span.end and report.states:
            last = min(number, len(report.states) - 1)
            state = report.states[last]
            caption = fact("hover_turn", turn=last) if last else fact("hover_setup")
            if last < number:
                caption = fact("hover_none", tower=caption, turn=number)
            return span, _drawn(caption, state.tower, report.rules.rulings, state.touched)
    return None


def _drawn(caption: Fact, tower: Tower, rulings: Rulings, marked: Cell | None) -> str:
    return f"{say(caption)}\n\n{fenced(chr(10).join(blocks.draw_tower(tower, rulings, marked)))}"


def fenced(text: str) -> str:
    """A text as a block that Markdown leaves as it is. Control characters are escaped."""
    lines = [safe(line) for line in text.rstrip("\n").split("\n")]
    return "\n".join(["```text", *lines, "```"])


# Formulas in Markdown as an editor shows them: the first error of their book, types and meanings under the cursor.
#
# A page of a specification (a folder with `step.md` and `clauses`) is read with its other pages as they lie on disk,
# any other page for itself.

MOST = 512 * 1024
"""A page with more characters is not read."""

_NAME = re.compile(r"<?[^\W\d]\w*'?")
_FENCE = re.compile(r"^```formula *$", re.MULTILINE)


class Page:
    """A page with formulas: its book, or what is wrong with it. Cost: that of `Book`, some 0.3 s for all pages."""

    def __init__(self, path: Path | None, text: str) -> None:
        self.text = text.replace("\r\n", " \n")
        self.book: Book | None = None
        self.fault: tuple[Span, str] | None = None
        self._name = "page.md" if path is None else path.name
        if len(text) > MOST or not _FENCE.search(self.text):
            return
        pages = {self._name: self.text}
        if path is not None and (root := _root(path)) is not None:
            self._name = path.relative_to(root).as_posix()
            pages = {page: (root / page).read_text("utf-8", "replace") for page in PAGES if (root / page).is_file()}
            pages[self._name] = self.text
        try:
            self.book = Book(pages, dict(options_in_order()))
        except BookError as error:
            here = error.page == self._name
            start = self.text.index("```formula")
            self.fault = (error.span, error.message) if here else (Span(start, start + 10), str(error))

    def hover(self, offset: int) -> tuple[Span, str] | None:
        """The type of what stands at this offset, and what it means, as Markdown; None outside of formulas."""
        if (book := self.book) is None:
            return None
        word = next((match for match in _NAME.finditer(self.text) if match.start() <= offset < match.end()), None)
        if word is None or not book.written(self._name, offset):
            return None
        span = Span(*word.span())
        typed = min(
            (term for term in self._terms(book) if term.span.start <= offset < term.span.end),
            key=lambda term: term.span.end - term.span.start,
            default=None,
        )
        name, lines = word[0], []
        if typed is not None and typed.span == span:
            lines.append(f"{name}: {typed.type}")
        elif name in book.givens or name in book.definitions:
            lines.append(f"{name}: {book.type_of(name)}")
        if meaning := book.source(name):
            lines += ["", meaning] if lines else [meaning]
        return (span, fenced("\n".join(lines))) if lines else None

    def _terms(self, book: Book) -> Iterator[Term]:
        """Every part of a definition on this page, and every variable and pattern."""
        waiting = [each.body for name, each in book.definitions.items() if book.page_of(name) == self._name]
        while waiting:
            term = waiting.pop()
            yield term
            waiting += [*term.args, *term.steps]


def _root(path: Path) -> Path | None:
    """The folder of the specification that a page belongs to."""
    places = list(path.parents)[:2]
    return next((each for each in places if (each / "step.md").is_file() and (each / "clauses").is_dir()), None)


# What can stand at a place that is being typed: rulebooks, rulings and options, players' names, actions, cells.


Kind = Literal["rulebook", "ruling", "option", "player", "action", "cell", "value", "word"]

_PLAYERS = re.compile(r'^[^\S\n]*\[[^\S\n]*Players[^\S\n]*"([^"\n]*)"', re.MULTILINE)
_HEAD = re.compile(r"\s*[0-9]{1,6}\.[^\S\n]+(\S+)(?:[^\S\n]+(\+\S+))?[^\S\n]")
_COMMENT = re.compile(r"\{[^}]*\}")
_LONGEST = 1000
"""Nothing is suggested on a line that is longer: the patterns' cost grows with its square."""


class Suggestion(NamedTuple):
    """A word that can stand here: it replaces the last `typed` characters before the place. `detail` says what it is;
    `likely` ones come first.
    """

    word: str
    typed: int
    kind: Kind
    detail: str
    likely: bool = False


def complete(document: Document, offset: int) -> list[Suggestion]:
    """The suggestions at an offset, the likely ones first. Cost: at most a replay of the game up to there and a listing
    of its legal actions.
    """
    start = document.text.rfind("\n", 0, offset) + 1
    if offset - start > _LONGEST:
        return []
    line = document.text[start:offset]
    code = _COMMENT.sub(lambda comment: " " * len(comment.group()), line)
    for pattern, suggest in _PLACES.items():
        if (match := re.fullmatch(pattern, code)) is not None:
            return list(suggest(document, start, match))
    return []


def _rules(_document: Document, _start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    """Inside a Rules tag: a rulebook as the first word, rulings, the options of a ruling."""
    words = match[1].split()
    word = "" if not words or match[1][-1].isspace() else words.pop()
    known = registry()
    name, equals, begun = word.partition("=")
    if equals:
        if name in known.rulings:
            for option in known.rulings[name].options:
                taken = known.takers(name, option.name)
                detail = option.meaning if taken else say(fact("house_meaning", meaning=option.meaning))
                yield Suggestion(option.name, len(begun), "option", detail)
        return
    if not words:
        for book in known.rulebooks:
            yield Suggestion(book, len(word), "rulebook", known.titles[book], likely=True)
    given = {each.partition("=")[0] for each in words}
    for name, ruling in known.rulings.items():
        if name not in given:
            yield Suggestion(f"{name}=", len(word), "ruling", ruling.question)


def _variant(_document: Document, _start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    yield Suggestion("first", len(match[1]), "value", say(fact("type_first")))
    yield Suggestion("finish", len(match[1]), "value", say(fact("type_finish")))


def _line_names(document: Document, start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    for name in _players(document.part_at(start)):
        yield Suggestion(name, len(match[1]), "player", say(fact("type_player")))


def _turn_names(document: Document, start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    """The player whose turn it is, then the others."""
    part = document.part_at(start)
    names = _players(part)
    game = _before(document, part, start)
    turns = len(game.record.turns) if game is not None else None
    for place, name in enumerate(names):
        due = turns is not None and place == turns % len(names)
        detail = say(fact("type_to_move" if due else "type_player"))
        yield Suggestion(name, len(match[1]), "player", detail, likely=due)


def _players(part: Part | None) -> list[str]:
    tag = _PLAYERS.search(part.text) if part is not None else None
    return list(dict.fromkeys(tag[1].split())) if tag is not None else []


def _last(_document: Document, _start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    yield from _cells(match[1], {}, _printed())
    yield Suggestion("-", len(match[1]), "word", say(fact("notes_last_nothing")))


def _skipped(document: Document, start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    """Fewer turns in a row than there are players."""
    for count in range(len(_players(document.part_at(start)))):
        yield Suggestion(str(count), len(match[1]), "word", say(fact("notes_skipped")))


def _replaced(_document: Document, _start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    for word in ("yes", "no"):
        yield Suggestion(word, len(match[1]), "word", say(fact("notes_replaced")))


def _after_name(document: Document, start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    """A draw that was not noted, and no action."""
    if match[1] != "-":
        yield Suggestion("+*", len(match[1]), "word", say(fact("notes_draw_open")))
    if match[1] != "+":
        game = _before(document, document.part_at(start), start)
        skipped = game is not None and game.record.rules.rulings.no_action == "skipped"
        detail = say(fact("notes_pass_skipped" if skipped else "notes_pass_loses"))
        yield Suggestion("-", len(match[1]), "word", detail)
    if not match[1]:
        yield from _actions(document, start, match)


def _actions(document: Document, start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    """Every legal action after the draw that the line writes, whole, as it begins to be typed."""
    for move in _outlook(document, start, f"{match.group()} ")[1]:
        word = write.action_text(move)
        if word.startswith(match[1]):
            yield Suggestion(word, len(match[1]), "action", say(fact("type_legal")), likely=True)


def _after_action(_document: Document, _start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    """The parts that may still follow, each once and in their order."""
    parts = ("fill", "drop", "trim")
    given = match[1].split()[::2]
    for word in parts[parts.index(given[-1]) + 1 if given else 0 :]:
        yield Suggestion(word, len(match[2]), "word", say(fact(f"notes_part_{word}")))


def _fill(_document: Document, _start: int, _match: re.Match[str]) -> Iterator[Suggestion]:
    yield Suggestion("*", 0, "word", say(fact("notes_fill_open")))


def _placed(document: Document, start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    """After ``@``: where this card can be laid now, then the other cells that have their supports."""
    in_tower, letter, word, begun = match.groups()
    state, moves = (None, []) if in_tower else _outlook(document, start, match.group())
    if state is None:
        return _cells(begun, {}, _printed())
    card = word.rpartition("=")[2].lstrip("~")
    fits = {move.cell for move in moves if _lays(move, letter, card)}
    also = _supported(state) | (set(state.tower.cells) if letter == "D" else set())
    return _cells(begun, dict.fromkeys(fits, say(fact("type_legal"))), also)


def _opened(document: Document, start: int, match: re.Match[str]) -> Iterator[Suggestion]:
    state, _ = _outlook(document, start, match.group())
    down = state.tower.down if state is not None else ()
    return _cells(match[1], dict.fromkeys(down, say(fact("type_down"))), set())


def _lays(move: Move, letter: str, card: str) -> bool:
    match move:
        case LayUp():
            return letter == "A" and card in (str(move.card), "?")
        case LayDown():
            return letter == "B" and card in (str(move.card), "?")
        case Exchange():
            return letter == "D" and card in (str(move.taken), "?")
        case _:
            return False


def _outlook(document: Document, start: int, line: str) -> tuple[State | None, list[Move]]:
    """The state before the turn that this line begins, and the legal actions after the draw that it writes. The state
    is None where the game up to there tells none.
    """
    head = _HEAD.match(line)
    part = document.part_at(start)
    if head is None or part is None:
        return None, []
    game = _before(document, part, start, f"1. {head[1]} {head[2] or ''} -\n") or _before(document, part, start)
    if game is None:
        return None, []
    place = document.text.count("\n", part.start, start)
    before = sum(game.layout.text.count("\n", 0, turn.number.start) < place for turn in game.layout.turns)
    try:
        return states.state_after(game, before), list(states.moves_at(game, before + 1).actions)
    except states.NoSuchTurn:
        return None, []


def _before(document: Document, part: Part | None, start: int, more: str = "") -> Game | None:
    """The game at hand as it is before the line that begins at `start`, with one more line; None where that is no
    game.
    """
    if part is None:
        return None
    item = next(read.read_text(document.text[part.start : start] + more))
    return item if isinstance(item, Game) else None


def _printed() -> set[Cell]:
    """The cells of every pyramid that the printed board allows."""
    return {cell for left in range(STANDARD.levels) for cell in STANDARD.pyramid(left)}


def _supported(state: State) -> set[Cell]:
    """The empty cells that the tower's pyramids hold and that have their supports, or on level 1 a neighbour."""
    taken = state.tower.cells
    columns = range(max(0, state.tower.first), state.tower.last + 1)
    reach = {cell for left in columns for cell in state.board.pyramid(left)} - taken.keys()
    beside = {Cell(cell.column + step, 1) for cell in taken if cell.level == 1 for step in (-1, 1)}
    return {cell for cell in reach if (cell in beside if cell.level == 1 else taken.keys() >= set(cell.supports))}


def _cells(begun: str, likely: dict[Cell, str], others: set[Cell]) -> Iterator[Suggestion]:
    for cell in sorted(likely, key=_by_level):
        yield Suggestion(str(cell), len(begun), "cell", likely[cell], likely=True)
    for cell in sorted(others - set(likely), key=_by_level):
        yield Suggestion(str(cell), len(begun), "cell", say(fact("type_cell")))


def _by_level(cell: Cell) -> tuple[int, int]:
    return cell.level, cell.column


_PLACES: dict[str, Callable[[Document, int, re.Match[str]], Iterator[Suggestion]]] = {
    r'\s*\[\s*Rules\s*"([^"]*)': _rules,
    r'\s*\[\s*Variant\s*"([^"\s]*)': _variant,
    r"\s*[0-9]{1,6}\.[^\S\n]+(\S*)": _turn_names,
    r"\s*(?:deal|hand|turn|front)[^\S\n]+(\S*)": _line_names,
    r"\s*last[^\S\n]+([a-m-]?)": _last,
    r"\s*skipped[^\S\n]+([0-9]?)": _skipped,
    r"\s*replaced[^\S\n]+([a-z]*)": _replaced,
    r"\s*[0-9]{1,6}\.[^\S\n]+\S+[^\S\n]+(\+?|-)": _after_name,
    r"\s*[0-9]{1,6}\.[^\S\n]+\S+(?:[^\S\n]+\+\S+)?[^\S\n]+((?:[ABD](?:[^\S\n]+[^\s@]*)?|C)?)": _actions,
    r"\s*[0-9]{1,6}\..*[^\S\n]fill[^\S\n]+()": _fill,
    (
        r"\s*[0-9]{1,6}\..*[^\S\n][ABCD][^\S\n]+\S+(?:[^\S\n]+[!?~]{1,2})*"
        r"((?:[^\S\n]+(?:fill|drop|trim)[^\S\n]+\S+)*)[^\S\n]+([a-z]*)"
    ): _after_action,
    r"\s*(?:(tower)[^\S\n].*|[0-9]{1,6}\..*\s([ABD])[^\S\n]+)(?<!\S)~?(\S*)@([a-m]?)": _placed,
    r"\s*[0-9]{1,6}\..*\sC[^\S\n]+([a-m]?)": _opened,
}
"""What may be typed in which place: a pattern for the whole line before it, and its suggestions."""
