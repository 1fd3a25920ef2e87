"""Files of records: one to fill in at the table, whole ones in canonical form, and what `fix` mends in them."""

import io
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import BinaryIO, Literal, NamedTuple, cast, get_args

from couperation_formal.game.fact import fact, of_type, told
from couperation_formal.game.record import Game, Position, Record
from couperation_formal.game.rulings import Rules, parse_rules, taggable
from couperation_formal.game.tower import STANDARD, UNSEEN, Value, Variant
from couperation_formal.notation import write
from couperation_formal.notation.read import Item, Malformed, Mended, read_stream, read_text
from couperation_formal.output.blocks import padded, place_of, width_of
from couperation_formal.output.formats import Data, Positive
from couperation_formal.questions.records import states
from couperation_formal.questions.records.check import DiagnosticData
from couperation_formal.words.say import ENGLISH, encodable, say

# A record to fill in.

_HELP = (
    ("+? A 17@f1", "example_a"),
    ("B ?@h1", "example_b"),
    ("C h1=28", "example_c"),
    ("D 44-30=14@i1 trim 12", "example_d"),
)


def new_record(
    players: Sequence[str] | str,
    variant: Variant = "first",
    rules: Rules | str | None = None,
    event: str | None = None,
    language: str = ENGLISH,
) -> str:
    """The text of a record to fill in at the table, with comments that show how to go on; `players` are names, or a
    text of them.

    Raises `ValueError` for a number of players that the game is not for, and for names or an event that CGN cannot
    hold.
    """
    states.word("variant", variant, get_args(Variant))
    of_type("event", event, str, "str")
    players = players.split() if isinstance(players, str) else list(of_type("players", players, Sequence, "names"))
    size = states.reserve_of(players)
    unseen = (UNSEEN,) * STANDARD.deal
    rules = taggable(states.rules_of(rules) or parse_rules(""))
    record = Record(
        tags=write.header_tags(players, rules, variant, event=event),
        players=tuple(players),
        rules=rules,
        variant=variant,
        marks={},
        deals=dict.fromkeys(players, unseen),
        reserve=(Value(1), Value(STANDARD.cards), *(UNSEEN,) * (size - 2)),
    )
    return write.record_text(record).removesuffix("*\n") + _help(players, language) + "*\n"


def _help(players: Sequence[str], language: str) -> str:
    """Comments that show how to go on."""
    turns = [f"{place}. {players[(place - 1) % len(players)]} {turn}" for place, (turn, _) in enumerate(_HELP, 1)]
    width = max(map(width_of, turns))
    told = (say(fact(says), language) for _, says in _HELP)
    lines = [f"; {padded(turn, width)}  {text}\n" for turn, text in zip(turns, told, strict=True)]
    return f"; {say(fact('example_head'), language)}\n" + "".join(lines)


# Canonical form.

BOM = "\ufeff"


class Formed(NamedTuple):
    """A game or position as it stands in its file and in canonical form, each with what parts it from the next."""

    before: str
    after: str


def record_text(game: states.GameLike) -> str:
    """A whole game as canonical CGN, its result always written, without comments. Raises `ValueError` for a tag that
    CGN cannot hold.
    """
    return write.record_text(game if isinstance(game, Record) else states.game_of(game, "record_text").record)


def format_item(item: states.PlaceLike) -> str:
    """A game or position as it was read, in canonical form, with its lines and comments in their order.

    Reading the result gives the same value, and comments with the same texts in the same order. Cost: linear.
    """
    return write.format_item(states.place_of(item, "format_item"))


def canonical(data: bytes, file: str = "-") -> bytes | tuple[Malformed, ...]:
    """The games and positions of a file in canonical form, or those that are no CGN. See `formed`."""
    items = list(formed(io.BytesIO(data), file))
    malformed = tuple(item for item in items if isinstance(item, Malformed))
    return malformed or "".join(item.after for item in items if isinstance(item, Formed)).encode()


def formed(stream: BinaryIO, file: str) -> Iterator[Formed | Malformed]:
    """The games and positions of a stream in canonical form, each as soon as it is known whether one follows.

    Each was read back: it is the same game or position with the same comments. Raises `RuntimeError` where it is not, a
    failure of ours. The texts of the games, one after the other, are the stream's. Memory is bounded by one game's,
    cost is twice that of reading.
    """
    marked = Marked(stream)
    last: Formed | None = None
    for item in read_stream(cast("BinaryIO", marked), file):
        if last is not None:
            yield Formed(last.before, last.after + "\n")
        last = None
        if isinstance(item, Malformed):
            yield item
            continue
        after = write.format_item(item)
        apart = item.index == 1 or after.startswith("[CGN ")
        if not apart or list(map(_kept, read_text(after, file))) != [_kept(item)]:
            raise RuntimeError(f"{file}: its canonical form would not read back as the same games")
        last = Formed(BOM * (marked.mark and item.index == 1) + item.layout.text, after)
    if last is not None:
        yield last


class Marked:
    """A stream's lines; `mark` tells whether a byte order mark came first, which the reader leaves out, and `read` is
    the digest of those read.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._begun, self.mark, self.read = stream, False, False, sha256()

    def readline(self, limit: int) -> bytes:
        """The next line, or as much of it as is asked for."""
        line = self._stream.readline(limit)
        self.mark = self.mark or (not self._begun and line.startswith(BOM.encode()))
        self._begun = True
        self.read.update(line)
        return line


def _kept(item: Item) -> tuple[Record | Position, list[str]] | Malformed:
    """What formatting keeps: the game or position, and the texts of its comments in their order."""
    if isinstance(item, Malformed):
        return item
    value = item.record if isinstance(item, Game) else item.position
    return value, [comment.text for comment in item.layout.comments]


# What `fix` mended and left, as data.


class MendData(Data):
    """A slip that is mended: `replacement` in place of a stretch of the file. Where a slip shows only when others are
    mended, the place is that in the text then.
    """

    line: Positive
    column: Positive
    end_line: Positive
    end_column: Positive
    replacement: str
    message: str


class FixData(Data):
    """What is mended in a file, the difference that it makes, and whether it was written. `diagnostics` are the faults
    that are left, with their places in the mended text.
    """

    file: str
    mended: tuple[MendData, ...]
    difference: str
    written: bool
    diagnostics: tuple[DiagnosticData, ...]
    format: Literal[1]


def mend_data(item: Item, mended: Mended, language: str = ENGLISH) -> Iterator[MendData]:
    """What is mended in one game or position."""
    for fault in mended.faults:
        if fault.edit is not None:
            place, text = place_of(item, fault.edit.span), encodable(fault.edit.replacement)
            yield MendData(**place._asdict(), replacement=text, message=told(fault.what, language))
