"""The finished parts of a long enumeration in a file of JSON lines, so that it can be interrupted and resumed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

import click
import msgspec

from couperation_formal.cli import options
from couperation_formal.cli.files import reason_of
from couperation_formal.cli.output import Refused, note, progress, say
from couperation_formal.cli.run import Run
from couperation_formal.game.record import Position
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import STANDARD, Board, Variant
from couperation_formal.output.formats import Case, ready
from couperation_formal.questions.tables.deadlocks import counts_data, minimal_blocks, minimal_data
from couperation_formal.towers.completion.answer import Deadlocked, complete, deadlocked_certificate
from couperation_formal.towers.completion.deadlocks import Cells, Deadlock, Sought, deadlocks, position_of, shapes
from couperation_formal.words.say import phrase

_HEAD = len('{"format":1,')
"""So many bytes at the beginning of a file tell that it is one of ours."""


class Slice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finished shape: its cells, and the minimal deadlocks of it."""

    shape: tuple[str, ...]
    found: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


class Slices:
    """The finished shapes of one question.

    The file's first line says which question it is; every other line is a finished shape, appended at once and put on
    the disk. A last line that was cut off by an interruption is dropped. Without a file nothing is kept. Every method
    raises `Refused`.
    """

    def __init__(self, question: Sought, file: str | None) -> None:
        self._file = file
        self._done: dict[tuple[str, ...], tuple[int, int]] = {}
        if file is not None:
            with self._told():
                if (Path(file).exists() or Path(file).is_symlink()) and not Path(file).is_file():
                    raise self._refused("it is no regular file")
                with Path(file).open("ab+") as stream:
                    self._begin(stream, msgspec.json.encode(_question(question)) + b"\n")

    def _refused(self, why: str) -> Refused:
        return Refused(phrase("cannot_use", file=self._file, why=why))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Where the file fails, that is told."""
        try:
            yield
        except OSError as error:
            raise self._refused(reason_of(error)) from None

    def _begin(self, stream: BinaryIO, head: bytes) -> None:
        stream.seek(0)
        line = stream.readline(len(head))
        if line == head:
            self._read(stream)
        elif not line or (head.startswith(line) and len(line) >= _HEAD):  # nothing, or a head that was cut off
            stream.truncate(0)
            stream.write(head)
        else:
            raise self._refused("it holds another enumeration, or is no file of this command")

    def _read(self, stream: BinaryIO) -> None:
        """Note where each shape stands."""
        while True:
            start = stream.tell()
            line = stream.readline()
            if not line.endswith(b"\n"):
                stream.truncate(start)
                return
            try:
                shape = msgspec.json.decode(line, type=Slice).shape
            except msgspec.DecodeError as error:
                raise self._refused(f"a line of it is no finished shape: {error}") from None
            self._done[shape] = (start, len(line))

    def get(self, cells: Cells) -> list[Deadlock] | None:
        """What was found for a shape, None where it is not finished."""
        place = self._done.get(_names(cells))
        if place is None or self._file is None:
            return None
        with self._told(), Path(self._file).open("rb") as stream:
            stream.seek(place[0])
            kept = msgspec.json.decode(stream.read(place[1]), type=Slice).found
        return [Deadlock(*each) for each in kept]

    def put(self, cells: Cells, minimal: list[Deadlock]) -> None:
        """Keep a finished shape."""
        if self._file is None:
            return
        line = msgspec.json.encode(Slice(_names(cells), tuple((each.cards, each.gone) for each in minimal))) + b"\n"
        with self._told(), Path(self._file).open("ab", buffering=0) as stream:
            stream.write(line)
            os.fsync(stream.fileno())


def _names(cells: Cells) -> tuple[str, ...]:
    return tuple(map(str, cells))


def _question(question: Sought) -> dict[str, Any]:
    board = question.board
    return {
        "format": 1,
        "deadlocks": {
            "rulings": msgspec.structs.asdict(question.rulings),
            "variant": question.variant,
            "gone": question.gone,
            "levels": board.levels,
            "cards": board.cards,
            "anchor": board.anchor,
        },
    }


# `couperation deadlocks`: the smallest towers that can no longer be completed.

MOST_LISTED = 1_000_000
"""So many deadlocks of one number of cards are listed; beyond that they are counted only."""

MOST_CERTIFICATES = 10_000
"""So many certificates are written at most, those of the first deadlocks."""

_LONG = 10.0
"""Seconds after which a finished number of cards is told."""


@options.command("couperation deadlocks --max-cards 2")
@options.number("--max-cards", "most", least=0, most=27, required=True, help="Cards besides the 25, at most.")
@options.MADE_RULES
@options.VARIANT
@options.number("--gone", least=0, most=2, default=0, show_default=True, help="Destroyed cards, at most 2.")
@options.number(
    "--levels", least=2, most=7, default=7, show_default=True, metavar="L", help="A smaller board: its levels."
)
@options.number(
    "--cards", least=3, most=50, default=50, show_default=True, metavar="C", help="A smaller board: its Glass cards."
)
@options.number("--anchor", least=1, most=50, metavar="A", help="Its set-up card; half of C if left out.")
@options.flag("--count", "only_count", help="Only count.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Keep finished parts in FILE, and go on there; none are kept if left out.",
)
@options.evidence
@options.form("full", "json")
def deadlocks_command(
    run: Run,
    most: int,
    variant: Variant,
    gone: int,
    levels: int,
    cards: int,
    anchor: int | None,
    only_count: bool,
    resume: str | None,
) -> None:
    """Find the minimal deadlocked towers.

    A tower is deadlocked when the cards that are left cannot complete it as it stands, and minimally so when none of
    its parts is. A card whose value plays no part is ~?.
    """
    board = Board(levels=levels, cards=cards, anchor=anchor or cards // 2)
    if board.anchor > cards or cards < board.size:
        raise Refused(phrase("no_board", levels=levels, cards=cards, anchor=board.anchor))
    if board != STANDARD and run.out is not None:
        raise Refused(phrase("printed_only"))
    question = Sought(rules=run.rules or parse_rules(""), board=board, variant=variant, gone=gone)
    writer = _Writer(question, run)
    slices = Slices(question, resume)
    if resume is not None:
        run.files.reads(Path(resume))
    for size in _sizes(question, most, slices, not only_count):
        writer.put(*size)
    writer.end()


Found = list[tuple[Cells, Deadlock]]


def _sizes(question: Sought, most: int, slices: Slices, wanted: bool) -> Iterator[tuple[int, int, Found | None]]:
    """For each number of cards how many deadlocks there are, and each of them unless they are too many."""
    parts = [(size, cells) for size in range(most + 1) for cells in shapes(question, size)]
    begin = time.monotonic()
    for size, group in groupby(progress(parts, "shapes"), key=lambda part: part[0]):
        count, listed = 0, wanted
        kept: Found = []
        for _, cells in group:
            minimal = slices.get(cells)
            if minimal is None:
                minimal = deadlocks(question, cells)
                slices.put(cells, minimal)
            count += len(minimal)
            listed = listed and count <= MOST_LISTED
            if listed:
                kept += [(cells, each) for each in minimal]
            else:
                kept.clear()
        passed = time.monotonic() - begin
        if passed > _LONG:
            note(phrase("size_after", cards=size, count=count, seconds=round(passed)))
        yield size, count, kept if listed else None


class _Writer:
    """What was found, as it is printed."""

    def __init__(self, question: Sought, run: Run) -> None:
        self._question, self._run = question, run
        self._verify = question.board == STANDARD and not run.no_verify
        self._counts: dict[int, int] = {}
        self._listed = True
        self._certificates: list[dict[str, Any]] = []

    def put(self, size: int, count: int, minimal: Found | None) -> None:
        """Print the deadlocks of one number of cards."""
        self._counts[size] = count
        self._listed = self._listed and minimal is not None
        for cells, deadlock in minimal or ():
            position = position_of(self._question, cells, deadlock)
            answer = complete(position, self._question.board)
            if not isinstance(answer, Deadlocked):
                raise AssertionError(f"not deadlocked: {position.tower}")
            self._certify(position, answer)
            data = minimal_data(position, answer)
            self._run.put(Case(ready(data), partial(minimal_blocks, data, position)))

    def _certify(self, position: Position, answer: Deadlocked) -> None:
        """Let the independent checker look, and keep the certificate where it is asked for."""
        keep = self._run.proofs.file is not None and len(self._certificates) < MOST_CERTIFICATES
        if not self._verify and not keep:
            return
        certificate = deadlocked_certificate(position, answer)
        if keep:
            self._certificates.append(certificate)
        if self._verify:
            from couperation_checker import check_object

            verdict = check_object(certificate)
            if verdict.status != "accepted":
                raise AssertionError(f"the independent checker rejects a deadlock: {verdict.code} {verdict.message}")

    def end(self) -> None:
        """Print the counts and write the certificates."""
        if self._run.form_name == "json":
            self._run.put(Case(partial(counts_data, self._counts, self._listed)))
        else:
            if self._listed and any(self._counts.values()):
                say("")
            for size, count in self._counts.items():
                say(f"{phrase('sized', cards=size):7} {count:>9}")
        file = self._run.proofs.file
        if file is None:
            return
        total = sum(self._counts.values())
        if total > len(self._certificates):
            note(phrase("first_certificates", count=len(self._certificates), total=total))
        file.put(json.dumps(self._certificates, separators=(",", ":")).encode() + b"\n")
