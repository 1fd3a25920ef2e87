"""What can stand at a place that is being typed: rulebooks, rulings and options, players' names, actions, cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from couperation_formal.editor.document import Document, Part
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Exchange, Game, LayDown, LayUp
from couperation_formal.game.rules.moves import Move
from couperation_formal.game.rulings import registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Cell
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import action_text
from couperation_formal.questions.records.states import NoSuchTurn, moves_at, state_after
from couperation_formal.words.say import say

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
        word = action_text(move)
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
        return state_after(game, before), list(moves_at(game, before + 1).actions)
    except NoSuchTurn:
        return None, []


def _before(document: Document, part: Part | None, start: int, more: str = "") -> Game | None:
    """The game at hand as it is before the line that begins at `start`, with one more line; None where that is no
    game.
    """
    if part is None:
        return None
    item = next(read_text(document.text[part.start : start] + more))
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
