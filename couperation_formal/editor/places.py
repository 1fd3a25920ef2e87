"""What an editor shows over a place, and what can be typed there."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from lsprotocol.types import CompletionItemKind as Kind

from couperation_formal.editor.document import Document, Exact
from couperation_formal.formulas.book import Book, BookError
from couperation_formal.formulas.judge import PAGES
from couperation_formal.formulas.syntax import Term
from couperation_formal.game.fact import Fact, Text, fact, translated
from couperation_formal.game.record import Diagnostic, Game, NoAction, Snapshot, Span
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


def hover(document: Document, offset: int, exact: Exact, language: str) -> tuple[Span, str] | None:
    """What is to be shown at this offset, as Markdown in a language, and the stretch it is about; None for nothing.
    Cost: at most a check of the game there.
    """
    part = document.part_at(offset)
    if part is None:
        return None
    named = _named(document.text, offset, language)
    if named is not None:
        return named
    judged = document.report(part)
    rules = judged.rules if judged is not None else None
    met = [each for each in document.findings(part, exact) if each.span.start <= offset <= each.span.end]
    shown = [(each.span, _clause(each.found, part, rules, language)) for each in met]
    others = _word(part, offset, rules, language), _tower(document, part, offset, language)
    shown += [each for each in others if each is not None]
    return (shown[0][0], "\n\n---\n\n".join(text for _, text in shown)) if shown else None


def _clause(diagnostic: Diagnostic, part: blocks.Part, rules: Rules | None, language: str) -> str:
    """The clause of a diagnostic: title, rule, the rulings that the diagnostic hangs on, and the instance of the
    clause's formula that fails, where one is told.
    """
    clause = explain.explain(diagnostic.code)
    kind = "" if diagnostic.severity == "error" else say(fact(f"found_{diagnostic.severity}"), language)
    lines = [f"**{diagnostic.code}**{kind}"]
    if isinstance(clause, report.ClauseText):
        told = report.told_of(diagnostic.code, "" if rules is None else rules.rulebook)
        lines = [f"{lines[0]} · {say(told, language)}", say(translated(clause.rule), language)]
    if diagnostic.rulings and rules is not None:
        hangs = fact("hover_clause_hangs" if diagnostic.of_clause else "hover_hangs")
        options = "\n".join(_option(name, rules.rulings, language) for name in diagnostic.rulings)
        lines += [say(hangs, language), options]
    if why := explain.failing(part.item, diagnostic, rules) if isinstance(part.item, Game) else ():
        lines += [say(fact("hover_why"), language), fenced("\n".join(say(each, language) for each in why))]
    return "\n\n".join(lines)


def _option(name: str, rulings: Rulings, language: str) -> str:
    ruling = registry().rulings[name]
    chosen = rulings.option(name)
    names = [(each.name, say(report.marked(name, each.name), language)) for each in ruling.options]
    options = ", ".join(f"**{shown}**" if option == chosen else shown for option, shown in names)
    return f"- `{name}`: {say(translated(ruling.question), language)} {options}"


def _word(part: blocks.Part, offset: int, rules: Rules | None, language: str) -> tuple[Span, str] | None:
    """What a word of the notation under the offset says: a part of a turn that is no card, a line of a position."""
    at = offset - part.start
    for span, said in _words(part.item, rules):
        if span is not None and span.start <= at <= span.end:
            return part.within(span), say(said, language)
    return None


def _words(item: read.Item, rules: Rules | None) -> Iterator[tuple[Span | None, Fact]]:
    """The places of such words, each with the sentence that tells of it."""
    if isinstance(item, Snapshot):
        lines = item.layout.lines
        down = "notes_last_down" if item.position.laid_down else "notes_last"
        yield lines.get("last"), fact("notes_last_nothing" if item.position.idle else down)
        yield from ((lines.get(name), fact(f"notes_{name}")) for name in ("skipped", "replaced"))
    elif isinstance(item, Game):
        for turn, layout in zip(item.record.turns, item.layout.turns, strict=True):
            if turn.draw_open:
                yield layout.draw, fact("notes_draw_open")
            if isinstance(turn.action, NoAction):
                yield layout.action, _passed(rules)
            yield layout.fill, fact("notes_fill_open" if turn.fill_open else "notes_part_fill")
            yield from ((layout.drop, fact("notes_part_drop")), (layout.trim, fact("notes_part_trim")))


def _passed(rules: Rules | None) -> Fact:
    skipped = rules is not None and rules.rulings.no_action == "skipped"
    return fact("notes_pass_skipped" if skipped else "notes_pass_loses")


def _named(text: str, offset: int, language: str) -> tuple[Span, str] | None:
    """The ruling, option or rulebook under the offset, inside a Rules tag."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:].partition("\n")[0]
    tag = _RULES.search(line)
    if tag is None or not tag.start(1) <= offset - start <= tag.end(1):
        return None
    for word in _WORD.finditer(line, tag.start(1), tag.end(1)):
        if word.start() <= offset - start <= word.end():
            before = line[: word.start()]
            name = _WORD.findall(before)[-1].rpartition('"')[2] if before.endswith("=") else word[0]
            if name in RULING_NAMES or name in registry().rulebooks:
                said = fenced(blocks.plain(explain.explanation(explain.explain(name)), language))
                return Span(start + word.start(), start + word.end()), said
    return None


def _tower(document: Document, part: blocks.Part, offset: int, language: str) -> tuple[Span, str] | None:
    """The tower after the turn at this offset, or before it where the turn has none after it; a position's own tower
    over its line `tower`.
    """
    item = part.item
    if isinstance(item, Snapshot):
        span = part.within(item.layout.lines["tower"])
        if not span.start <= offset <= span.end:
            return None
        tower = Tower.of(STANDARD, dict(item.position.tower))
        caption = say(fact("the_tower"), language)
        return span, _drawn(caption, tower, item.position.rules.rulings, item.position.last)
    report = document.report(part)
    if not isinstance(item, Game) or report is None or report.rules is None or not report.states:
        return None
    for number, layout in enumerate(item.layout.turns, 1):
        span = part.within(layout.line)
        if span.start <= offset <= span.end:
            last = min(number, len(report.states) - 1)
            state = report.states[last]
            shown = fact("hover_turn", turn=last) if last else fact("hover_setup")
            if last < number:
                shown = fact("hover_none", tower=shown, turn=number)
            return span, _drawn(say(shown, language), state.tower, report.rules.rulings, state.touched)
    return None


def _drawn(caption: str, tower: Tower, rulings: Rulings, marked: Cell | None) -> str:
    return f"{caption}\n\n{fenced(chr(10).join(blocks.draw_tower(tower, rulings, marked)))}"


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
    """A page with formulas: its book, or the fault in it. Cost: that of `Book`, some 0.3 s for all pages."""

    def __init__(self, path: Path, text: str) -> None:
        self.text = text.replace("\r\n", " \n")
        self.book: Book | None = None
        self.faults: list[tuple[Span, str]] = []
        self._name = path.name
        if len(text) > MOST or not _FENCE.search(self.text):
            return
        pages = {self._name: self.text}
        if (root := _root(path)) is not None:
            self._name = path.relative_to(root).as_posix()
            pages = {page: (root / page).read_text("utf-8", "replace") for page in PAGES if (root / page).is_file()}
            pages[self._name] = self.text
        try:
            self.book = Book(pages, dict(options_in_order()))
        except BookError as error:
            here = error.page == self._name
            start = self.text.index("```formula")
            self.faults = [(error.span, error.message) if here else (Span(start, start + 10), str(error))]

    def hover(self, offset: int) -> tuple[Span, str] | None:
        """The type of what stands at this offset, and what it means, as Markdown; None outside of formulas."""
        if (book := self.book) is None:
            return None
        word = next((match for match in _NAME.finditer(self.text) if match.start() <= offset < match.end()), None)
        if word is None or not book.text(self._name, span := Span(*word.span())):
            return None
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

_PLAYERS = re.compile(r'^[^\S\n]*\[[^\S\n]*Players[^\S\n]*"([^"\n]*)"', re.MULTILINE)
_HEAD = re.compile(r"\s*[0-9]{1,6}\.[^\S\n]+(\S+)(?:[^\S\n]+(\+\S+))?[^\S\n]")
_COMMENT = re.compile(r"\{[^}]*\}")
_LONGEST = 1000
"""Nothing is suggested on a line that is longer: the patterns' cost grows with its square."""


class Suggestion(NamedTuple):
    """A word that can stand here; `kind` is the sign that an editor shows beside it, `detail` says what it is, `likely`
    ones come first. It replaces the last `typed` characters before the place.
    """

    word: str
    kind: Kind
    detail: Text
    likely: bool = False
    typed: int = 0


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
            typed = len(match.groups()[-1])
            return [each._replace(typed=typed) for each in suggest(_Line(document, start, match))]
    return []


class _Line(NamedTuple):
    """A line as far as it is typed: where it begins, and what its pattern tells; the last group is the word begun."""

    document: Document
    start: int
    match: re.Match[str]

    @property
    def part(self) -> blocks.Part | None:
        """The game that it stands in."""
        return self.document.part_at(self.start)

    @property
    def players(self) -> list[str]:
        """The players of that game."""
        tag = _PLAYERS.search(self.part.text) if self.part is not None else None
        return list(dict.fromkeys(tag[1].split())) if tag is not None else []

    def before(self, more: str = "") -> Game | None:
        """The game as it is before this line, with one more line; None where that is no game."""
        if self.part is None:
            return None
        item = next(read.read_text(self.document.text[self.part.start : self.start] + more))
        return item if isinstance(item, Game) else None

    def outlook(self, line: str) -> tuple[State | None, list[Move]]:
        """The state before the turn that `line` begins, and the legal actions after the draw that it writes. The state
        is None where the game up to there tells none.
        """
        head, part = _HEAD.match(line), self.part
        if head is None or part is None:
            return None, []
        game = self.before(f"1. {head[1]} {head[2] or ''} -\n") or self.before()
        if game is None:
            return None, []
        place = self.document.text.count("\n", part.start, self.start)
        before = sum(game.text.count("\n", 0, turn.number.start) < place for turn in game.layout.turns)
        try:
            return states.state_after(game, before), list(states.moves_at(game, before + 1).actions)
        except states.NoSuchTurn:
            return None, []


_Suggest = Callable[[_Line], Iterator[Suggestion]]


def _these(what: Kind, kinds: dict[str, str]) -> _Suggest:
    """These words, each with the kind of the sentence that tells what it is."""
    return lambda _: (Suggestion(word, what, fact(kind)) for word, kind in kinds.items())


def _rules(line: _Line) -> Iterator[Suggestion]:
    """Inside a Rules tag: a rulebook as the first word, rulings, the options of a ruling."""
    before, name, _ = line.match.groups("")
    words, known = before.split(), registry()
    if line.match[2] is not None:
        for option in known.rulings[name].options if name in known.rulings else ():
            taken = known.takers(name, option.name)
            meaning = translated(option.meaning)
            detail = meaning if taken else fact("house_meaning", meaning=meaning)
            yield Suggestion(option.name, Kind.EnumMember, detail)
        return
    if not words:
        for book in known.rulebooks:
            yield Suggestion(book, Kind.Module, translated(known.titles[book]), likely=True)
    given = {each.partition("=")[0] for each in words}
    for name, ruling in known.rulings.items():
        if name not in given:
            yield Suggestion(f"{name}=", Kind.Property, translated(ruling.question))


def _line_names(line: _Line) -> Iterator[Suggestion]:
    return (Suggestion(name, Kind.Variable, fact("type_player")) for name in line.players)


def _turn_names(line: _Line) -> Iterator[Suggestion]:
    """The player whose turn it is, then the others."""
    names, game = line.players, line.before()
    turns = len(game.record.turns) if game is not None else None
    for place, name in enumerate(names):
        due = turns is not None and place == turns % len(names)
        yield Suggestion(name, Kind.Variable, fact("type_to_move" if due else "type_player"), likely=due)


def _last(_line: _Line) -> Iterator[Suggestion]:
    yield from _cells({}, _printed())
    yield Suggestion("-", Kind.Keyword, fact("notes_last_nothing"))


def _laid_down(line: _Line) -> Iterator[Suggestion]:
    """That the card laid last was laid down, where that counts."""
    if line.part is not None and "draw_source=as_laid" in line.part.text:
        yield Suggestion("laid down", Kind.Keyword, fact("notes_last_down"))


def _skipped(line: _Line) -> Iterator[Suggestion]:
    """Fewer turns in a row than there are players."""
    return (Suggestion(str(count), Kind.Keyword, fact("notes_skipped")) for count in range(len(line.players)))


def _after_name(line: _Line) -> Iterator[Suggestion]:
    """A draw that was not noted, and no action."""
    begun = line.match[1]
    if begun != "-":
        yield Suggestion("+*", Kind.Keyword, fact("notes_draw_open"))
    if begun != "+":
        game = line.before()
        yield Suggestion("-", Kind.Keyword, _passed(None if game is None else game.record.rules))
    if not begun:
        yield from _actions(line)


def _actions(line: _Line) -> Iterator[Suggestion]:
    """Every legal action after the draw that the line writes, whole, as it begins to be typed."""
    for word in map(write.action_text, line.outlook(f"{line.match.group()} ")[1]):
        if word.startswith(line.match[1]):
            yield Suggestion(word, Kind.Event, fact("type_legal"), likely=True)


def _after_action(line: _Line) -> Iterator[Suggestion]:
    """The parts that may still follow, each once and in their order."""
    parts = ("fill", "drop", "trim")
    given = line.match[1].split()[::2]
    for word in parts[parts.index(given[-1]) + 1 if given else 0 :]:
        yield Suggestion(word, Kind.Keyword, fact(f"notes_part_{word}"))


def _placed(line: _Line) -> Iterator[Suggestion]:
    """After ``@``: where this card can be laid now, then the other cells that have their supports."""
    in_tower, letter, word, _ = line.match.groups()
    state, moves = (None, []) if in_tower else line.outlook(line.match.group())
    if state is None:
        return _cells({}, _printed())
    card, fits = _card(word), set()
    for move in moves:
        told, _, laid = write.action_text(move).partition("@")[0].partition(" ")
        if told == letter and card in (_card(laid), "?"):
            fits.add(move.cell)
    also = _supported(state) | (set(state.tower.cells) if letter == "D" else set())
    return _cells(dict.fromkeys(fits, fact("type_legal")), also)


def _card(word: str) -> str:
    """The card that is laid by what stands before ``@``."""
    return word.rpartition("=")[2].lstrip("~")


def _opened(line: _Line) -> Iterator[Suggestion]:
    state, _ = line.outlook(line.match.group())
    down = state.tower.down if state is not None else ()
    return _cells(dict.fromkeys(down, fact("type_down")), set())


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


def _cells(likely: dict[Cell, Fact], others: set[Cell]) -> Iterator[Suggestion]:
    for cell in sorted(likely, key=_by_level):
        yield Suggestion(str(cell), Kind.Reference, likely[cell], likely=True)
    for cell in sorted(others - set(likely), key=_by_level):
        yield Suggestion(str(cell), Kind.Reference, fact("type_cell"))


def _by_level(cell: Cell) -> tuple[int, int]:
    return cell.level, cell.column


_PLACES: dict[str, _Suggest] = {
    r'\s*\[\s*Rules\s*"([^"]*\s)?(?:([^"\s=]*)=)?([^"\s]*)': _rules,
    r'\s*\[\s*Variant\s*"([^"\s]*)': _these(Kind.Value, {"first": "type_first", "finish": "type_finish"}),
    r"\s*[0-9]{1,6}\.[^\S\n]+(\S*)": _turn_names,
    r"\s*(?:deal|hand|turn|front)[^\S\n]+(\S*)": _line_names,
    r"\s*last[^\S\n]+([a-m-]?)": _last,
    r"\s*last[^\S\n]+[a-m][1-7][^\S\n]+((?:[a-z]+(?:[^\S\n]+[a-z]*)?)?)": _laid_down,
    r"\s*skipped[^\S\n]+([0-9]?)": _skipped,
    r"\s*replaced[^\S\n]+([a-z]*)": _these(Kind.Keyword, {"yes": "notes_replaced", "no": "notes_replaced"}),
    r"\s*[0-9]{1,6}\.[^\S\n]+\S+[^\S\n]+(\+?|-)": _after_name,
    r"\s*[0-9]{1,6}\.[^\S\n]+\S+(?:[^\S\n]+\+\S+)?[^\S\n]+((?:[ABD](?:[^\S\n]+[^\s@]*)?|C)?)": _actions,
    r"\s*[0-9]{1,6}\..*[^\S\n]fill[^\S\n]+()": _these(Kind.Keyword, {"*": "notes_fill_open"}),
    (
        r"\s*[0-9]{1,6}\..*[^\S\n][ABCD][^\S\n]+\S+(?:[^\S\n]+[!?~]{1,2})*"
        r"((?:[^\S\n]+(?:fill|drop|trim)[^\S\n]+\S+)*)[^\S\n]+([a-z]*)"
    ): _after_action,
    r"\s*(?:(tower)[^\S\n].*|[0-9]{1,6}\..*\s([ABD])[^\S\n]+)(?<!\S)~?(\S*)@([a-m]?)": _placed,
    r"\s*[0-9]{1,6}\..*\sC[^\S\n]+([a-m]?)": _opened,
}
"""What may be typed in which place: a pattern for the whole line before it, and its suggestions."""
