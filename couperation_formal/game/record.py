"""What a record says, apart from how it was laid out: the values that the notation reads and writes; and what is told
of it, diagnostics and verdicts, of which every output form is made.

`Record` and `Position` compare by meaning only. Places in the source text and comments live in `Layout`.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, Self, final

import msgspec

from couperation_formal.game.fact import Fact, fact, told
from couperation_formal.game.rulings import Rules
from couperation_formal.game.tower import Card, Cell, Down, Laid, Mark, Shown, Up, Value, Variant
from couperation_formal.words.say import ENGLISH, say

Outcome = Literal["win", "loss", "stuck"]


def short(value: object, **facts: object) -> str:
    """The short form of a value in one line, for those who program: its type and what tells it from others."""
    return f"<{' '.join([type(value).__name__, *(f'{name}={each!r}' for name, each in facts.items())])}>"


@final
class LayUp(msgspec.Struct, frozen=True):
    """Action A: `card` is laid up on `cell` (ACT02)."""

    card: Shown
    cell: Cell


@final
class LayDown(msgspec.Struct, frozen=True):
    """Action B: `card` is laid down on `cell` (ACT03)."""

    card: Shown
    cell: Cell


@final
class Open(msgspec.Struct, frozen=True):
    """Action C: the down card on `cell` is turned up and shows `card` (ACT04)."""

    cell: Cell
    card: Shown


class Exchange(msgspec.Struct, frozen=True):
    """Action D (ACT05 to ACT08).

    `first` and `second` go to the Reserve; `sign` is ``+`` for their sum, ``-`` for their difference. `adjust` pairs
    ``^``, ``_`` or ``|`` with a destroyed card. `taken` is laid on `cell`, up or down, in place of `replaced` (None: on
    an empty cell).
    """

    first: Shown
    sign: Literal["+", "-"]
    second: Shown
    adjust: tuple[tuple[Literal["^", "_", "|"], Shown], ...]
    taken: Shown
    face_up: bool
    cell: Cell
    replaced: Up | Down | None


@final
class NoAction(msgspec.Struct, frozen=True):
    """``-``: no action was possible (ACT01, END03)."""


Action = LayUp | LayDown | Open | Exchange | NoAction


def cards_of(action: Action) -> tuple[Shown, ...]:
    """The cards that an action writes, in its order: what it replaces comes last."""
    if isinstance(action, Exchange):
        replaced = () if action.replaced is None else (action.replaced.card,)
        return (action.first, action.second, *(card for _, card in action.adjust), action.taken, *replaced)
    return () if isinstance(action, NoAction) else (action.card,)


def with_cards(action: Action, cards: Sequence[Shown]) -> Action:
    """The same action with other cards, as many and in the order of `cards_of`."""
    if isinstance(action, NoAction):
        return action
    if not isinstance(action, Exchange):
        return msgspec.structs.replace(action, card=cards[0])
    first, second, *spent = cards
    replaced = None if action.replaced is None else type(action.replaced)(spent.pop())
    taken = spent.pop()
    adjust = tuple((sign, card) for (sign, _), card in zip(action.adjust, spent, strict=True))
    return msgspec.structs.replace(action, first=first, second=second, adjust=adjust, taken=taken, replaced=replaced)


class Turn(msgspec.Struct, frozen=True):
    """One turn as recorded. `number` is what was written; turns are counted by place. `fill` are the cards drawn after
    the action (DRW04). With `draw_open` or `fill_open` no card of this draw is noted, nor how many there were: it is
    empty here and may be of any size.
    """

    number: int
    player: str
    draw: tuple[Shown, ...]
    action: Action
    glyphs: tuple[str, ...] = ()
    drop: tuple[Shown, ...] = ()
    trim: tuple[Shown, ...] = ()
    fill: tuple[Shown, ...] = ()
    draw_open: bool = False
    fill_open: bool = False


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What the tags of a game or position say: `tags` holds every one in its order, known or not, and `marks` the marks
    that are given.
    """

    tags: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    rules: Rules
    variant: Variant = "first"
    marks: dict[Value, Mark]

    def tag(self, name: str) -> str | None:
        """The value of tag `name`, or None."""
        return dict(self.tags).get(name)

    def bearing(self, marks: Mapping[Value, Mark]) -> Self:
        """The same with these marks, values rising, which its last tag tells."""
        rising = dict(sorted(marks.items()))
        text = " ".join(f"{value}:{mark}" for value, mark in rising.items())
        tags = [*(tag for tag in self.tags if tag[0] != "Marks"), *([("Marks", text)] if text else [])]
        return msgspec.structs.replace(self, tags=tuple(tags), marks=rising)


class Record(Head, frozen=True, kw_only=True):
    """A recorded game. `deals`, `reserve` and `deck` are as written: a player left out of `deals`, a `reserve` or
    `deck` of None were not written. `result` is None for ``*`` or nothing.
    """

    deals: dict[str, tuple[Shown, ...]]
    reserve: tuple[Shown, ...] | None = None
    deck: tuple[Shown, ...] | None = None
    turns: tuple[Turn, ...] = ()
    result: Outcome | None = None

    def __repr__(self) -> str:
        return short(self, **_facts(self), turns=len(self.turns), result=self.result)


class Position(Head, frozen=True, kw_only=True):
    """The state of a table. None stands for a line that was left out; `deck` is the known top, as far as it is
    known. `idle` tells that nothing sets the next draw (``last -``); `skipped` turns in a row had no action, and with
    `replaced` action D has replaced a card in this game. `sizes` are the least and the greatest number of cards of the
    hands whose draws were not noted; `hands` has the least, and the others would be the first of the deck.
    """

    tower: tuple[tuple[Cell, Laid], ...]
    hands: dict[str, tuple[Shown, ...]]
    front: str | None = None
    reserve: tuple[Shown, ...] | None = None
    gone: tuple[Shown, ...] = ()
    deck: tuple[Shown, ...] | None = None
    turn: str | None = None
    last: Cell | None = None
    idle: bool = False
    laid_down: bool = False
    skipped: int = 0
    replaced: bool = False
    sizes: dict[str, tuple[int, int]] = {}

    def __repr__(self) -> str:
        return short(self, **_facts(self), cards=len(self.tower), turn=self.turn)


class Span(NamedTuple):
    """A stretch of the game's own text: offsets in characters, the end excluded."""

    start: int
    end: int


class TurnLayout(msgspec.Struct, frozen=True):
    """Where the parts of a turn stand. A part that was not written is None."""

    number: Span
    player: Span
    draw: Span | None
    action: Span
    glyphs: Span | None
    drop: Span | None
    trim: Span | None
    fill: Span | None = None

    @property
    def line(self) -> Span:
        """From the number to the last part written."""
        last = self.trim or self.drop or self.fill or self.glyphs or self.action
        return Span(self.number.start, last.end)


class Comment(msgspec.Struct, frozen=True):
    """A comment, its delimiters included, and where it belongs.

    `item` counts the lines that carry meaning (tags, set-up lines, turns, the result) from 0; `slot` counts that line's
    words in canonical form, a whole tag being one word: -1 stands before the line on a line of its own, k after word k.
    Comments after the last line have `item` equal to the number of lines and `slot` -1. In `text` line ends are ``\\n``
    and a comment that begins with ``;`` has no blanks at its end.
    """

    item: int
    slot: int
    text: str


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """The source text of one game and where its parts stand in it.

    `text` is the game's own text; `line` the number, in the file, of its first line. `tags` and `lines` map a tag's
    name and a set-up or position line's keyword (``"deal Aki"``, ``"reserve"``, ``"tower"``, ``"hand Ben"``) to its
    span; `result` is the span of the result.
    """

    text: str
    line: int
    tags: dict[str, Span]
    lines: dict[str, Span]
    turns: Sequence[TurnLayout]
    result: Span | None
    comments: tuple[Comment, ...]


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """What was read, with its layout; `index` counts from 1 within the file `file`."""

    file: str
    index: int
    layout: Layout

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """Its own text."""
        return self.layout.text

    @property
    def line(self) -> int:
        """The number, in the file, of the first line of its text."""
        return self.layout.line


class Game(Placed, frozen=True, kw_only=True):
    """A recorded game with its layout."""

    record: Record

    def __repr__(self) -> str:
        told = {"turns": len(self.record.turns), "result": self.record.result}
        return short(self, file=self.file, index=self.index, **_facts(self.record), **told)


class Snapshot(Placed, frozen=True, kw_only=True):
    """A position with its layout."""

    position: Position

    def __repr__(self) -> str:
        return short(self, file=self.file, index=self.index, **_facts(self.position), turn=self.position.turn)


def _facts(of: Head) -> dict[str, object]:
    """What a short form tells of a game and of a position."""
    return {"players": " ".join(of.players), "rules": str(of.rules), "variant": of.variant}


# Diagnostics and verdicts as data; every output form is made from these.

Severity = Literal["error", "warning", "note"]
Verdict = Literal["legal", "illegal", "undetermined", "malformed"]
Reached = Literal["win", "loss", "stuck", "unfinished"]
Result = Reached | Literal["undetermined"]
"""What a legal record reaches; undetermined where that hangs on what it does not show."""

Change = tuple[tuple[str, str], ...]
"""Rulings with another option each."""

NOTATION = "CGN"
"""The code of every diagnostic that is about the notation and not about a clause."""


class Edit(msgspec.Struct, frozen=True):
    """What mends a slip: `replacement` in place of `span`, offsets in the game's own text as it was read. An empty span
    inserts, an empty replacement deletes; the replacement may hold line ends (``\\n``).
    """

    span: Span
    replacement: str


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: a clause that is broken (error), a doubt (warning) or a remark (note).

    `what` is found; `code` is a clause id or `NOTATION`. `turn` counts by place, 0 is the set-up, None for the
    notation. `span` is the place in the game's own text. `rulings` names those that the finding hangs on: under another
    option of theirs it would not stand. `mends` are such changes, where they are known: each of them by itself does.
    `legal_with` are the smallest changes that make the whole turn legal, and all before it, as far as that is sure.
    `edit` mends the text, where only one thing can have been meant.
    """

    code: str
    severity: Severity
    turn: int | None
    span: Span
    what: Fact
    rulings: tuple[str, ...] = ()
    mends: tuple[Change, ...] = ()
    legal_with: tuple[Change, ...] = ()
    edit: Edit | None = None

    @property
    def of_clause(self) -> bool:
        """Whether only the clause surely hangs on `rulings`, and not the verdict on the turn: it breaks others too, or
        would. A warning, and a note that tells how a game was lost, stand for themselves.
        """
        decided = {name for change in self.legal_with for name, _ in change}
        alone = self.severity == "warning" or self.code in ("END02", "END03")
        return not alone and not decided.issuperset(self.rulings)

    @property
    def message(self) -> str:
        """What is found, in English."""
        return told(self.what, ENGLISH)

    def __repr__(self) -> str:
        return short(self, code=self.code, severity=self.severity, turn=self.turn, message=self.message)

    def __str__(self) -> str:
        turn = [] if self.turn is None else [fact("at_turn", turn=self.turn)]
        kind = [] if self.severity == "error" else [fact(self.severity)]
        what = fact("listed", texts=(*turn, self.code, *kind))
        return say(fact("told_of", what=what, said=self.message), ENGLISH)


# What a legal verdict takes for granted of marks, cards and places that nobody noted.

Kind = Literal["mark", "card", "place", "size"]
Answer = Card | str
"""A value of an unknown: a mark, a card, a line of the set-up, a number of cards."""


class Assumption(msgspec.Struct, frozen=True):
    """Something that a record leaves open, and the values of which it has one: the mark of a card; which card stands at
    a place of the record (``turn 4 action 1``, ``deck 3``); the line in which a card began (``deal Aki``, ``reserve``,
    else ``deck``); how many cards were drawn (``turn 3 draw``).
    """

    kind: Kind
    of: Answer
    values: tuple[Answer, ...]


Term = tuple[Assumption, ...]
"""Assumptions that hold together; without any it always holds."""


class Proviso(msgspec.Struct, frozen=True):
    """Terms joined by *or*. Where `exact`, what was judged is legal just where they hold, among the worlds in which
    each card lay where it was taken from; else each of them suffices. Without terms, and not `exact`, none was found.
    """

    exact: bool
    terms: tuple[Term, ...] = ()

    @property
    def always(self) -> bool:
        """Whether nothing is taken for granted."""
        return () in self.terms


ALWAYS: Final = Proviso(True, ((),))
"""Nothing is taken for granted."""
