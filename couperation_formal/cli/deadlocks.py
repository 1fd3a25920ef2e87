"""`couperation deadlocks`: the smallest towers that can no longer be completed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from couperation_formal.answers.deadlocks import counts_data, minimal_data
from couperation_formal.cli.command import Command
from couperation_formal.cli.options import MADE_RULES, evidence, format_option
from couperation_formal.cli.output import Refused, note, say
from couperation_formal.cli.progress import progress
from couperation_formal.cli.run import Run
from couperation_formal.cli.slices import Slices, Unresumable
from couperation_formal.game.record import Position
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import STANDARD, Board, Variant
from couperation_formal.report.deadlocks import minimal_blocks
from couperation_formal.report.formats import Case, ready
from couperation_formal.towers.completion.answer import Deadlocked, complete, deadlocked_certificate
from couperation_formal.towers.completion.deadlocks import Cells, Deadlock, Question, deadlocks, position_of, shapes
from couperation_formal.words.say import phrase

MOST_LISTED = 1_000_000
"""So many deadlocks of one number of cards are listed; beyond that they are counted only."""

MOST_CERTIFICATES = 10_000
"""So many certificates are written at most, those of the first deadlocks."""

_LONG = 10.0
"""Seconds after which a finished number of cards is told."""


@click.command(cls=Command, examples=("couperation deadlocks --max-cards 2",))
@click.option(
    "--max-cards", "most", type=click.IntRange(0, 27), required=True, metavar="N", help="Cards besides the 25, at most."
)
@MADE_RULES
@click.option("--variant", type=click.Choice(["first", "finish"]), default="first", show_default=True)
@click.option(
    "--gone", type=click.IntRange(0, 2), default=0, show_default=True, metavar="N", help="Destroyed cards, at most 2."
)
@click.option(
    "--levels",
    type=click.IntRange(2, 7),
    default=7,
    show_default=True,
    metavar="L",
    help="A smaller board: its levels.",
)
@click.option(
    "--cards",
    type=click.IntRange(3, 50),
    default=50,
    show_default=True,
    metavar="C",
    help="A smaller board: its Glass cards.",
)
@click.option("--anchor", type=click.IntRange(1, 50), metavar="A", help="Its set-up card; half of C if left out.")
@click.option("--count", "only_count", is_flag=True, help="Only count.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Keep finished parts in FILE, and go on there; none are kept if left out.",
)
@evidence
@format_option("full", "json")
def command(
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
    question = Question(rules=run.rules or parse_rules(""), board=board, variant=variant, gone=gone)
    writer = _Writer(question, run)
    try:
        slices = Slices(question, resume)
        if resume is not None:
            run.files.reads(Path(resume))
        for size in _sizes(question, most, slices, not only_count):
            writer.put(*size)
    except Unresumable as error:
        raise Refused(phrase("cannot_use", file=resume, why=error)) from None
    writer.end()


Found = list[tuple[Cells, Deadlock]]


def _sizes(question: Question, most: int, slices: Slices, wanted: bool) -> Iterator[tuple[int, int, Found | None]]:
    """For each number of cards how many deadlocks there are, and each of them unless they are too many."""
    parts = [(size, cells) for size in range(most + 1) for cells in shapes(question, size)]
    begin = time.monotonic()
    for size, group in groupby(progress(parts, "shapes"), key=lambda part: part[0]):
        count, listed = 0, wanted
        kept: Found = []
        for _, cells in group:
            found = slices.get(cells)
            if found is None:
                found = deadlocks(question, cells)
                slices.put(cells, found)
            count += len(found)
            listed = listed and count <= MOST_LISTED
            if listed:
                kept += [(cells, each) for each in found]
            else:
                kept.clear()
        passed = time.monotonic() - begin
        if passed > _LONG:
            note(phrase("size_after", cards=size, count=count, seconds=round(passed)))
        yield size, count, kept if listed else None


class _Writer:
    """What was found, as it is printed."""

    def __init__(self, question: Question, run: Run) -> None:
        self._question, self._run = question, run
        self._verify = question.board == STANDARD and not run.no_verify
        self._counts: dict[int, int] = {}
        self._listed = True
        self._certificates: list[dict[str, Any]] = []

    def put(self, size: int, count: int, found: Found | None) -> None:
        """Print the deadlocks of one number of cards."""
        self._counts[size] = count
        self._listed = self._listed and found is not None
        for cells, deadlock in found or ():
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
