"""What the commands on towers share: the games that they look at, the independent check, certificates, exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from couperation_formal.cli.exits import Exit, worst
from couperation_formal.cli.inputs import Unusable, find, opened, reason_of
from couperation_formal.cli.output import complain, note, put_json, put_pieces, say, show_report
from couperation_formal.cli.progress import progress
from couperation_formal.cli.replace import write_file
from couperation_formal.model.record import Game, Table
from couperation_formal.notation.read import Malformed, read_stream
from couperation_formal.report.text import Piece

_MOST = 1 << 20
"""So many bytes of a file a checker reads."""

_EXISTS = "{} exists; --force replaces it"

F = TypeVar("F", bound=Callable[..., Any])

ONE = click.option("--game", "number", type=click.IntRange(min=1), metavar="K", help="Only game K of a file, from 1.")
"""The option that picks one of the games in a file; all of them if left out."""

LEVEL = click.option(
    "--level",
    type=click.Choice(["tower"]),
    default="tower",
    show_default=True,
    expose_value=False,
    help="tower: can the cards that are left fill the tower, the up cards staying where they are?",
)
"""The option for the level of the question."""


def evidence(command: F) -> F:
    """The options for certificates and for the check of the answers."""
    options = [
        click.option(
            "--certificate",
            "out",
            type=click.Path(dir_okay=False),
            metavar="OUT",
            help="Write certificates to OUT.",
        ),
        click.option("--force", is_flag=True, help="Replace the file OUT where it exists."),
        click.option("--no-verify", is_flag=True, help="Do not run the independent checker on the answers."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


class Answers:
    """The answers of one run as they come. Ends the command where the file for certificates exists and may not be
    replaced.
    """

    def __init__(self, form: str, out: str | None, force: bool, no_verify: bool) -> None:
        self._form, self._out, self._force, self._verify = form, out, force, not no_verify
        self._codes: list[Exit] = []
        self._certificates: list[dict[str, Any]] = []
        if out is not None and not force and Path(out).exists():
            complain(_EXISTS.format(out))
            click.get_current_context().exit(Exit.UNUSABLE)

    def items(self, names: Iterable[str], number: int | None) -> Iterator[Game | Table]:
        """The games and positions of files and folders; with `number`, this one of each file. What cannot be used is
        told.
        """
        for found in progress(list(find(names)), beside_text=self._form == "full"):
            if isinstance(found, Unusable):
                self.refuse(f"cannot read {found.file}: {found.reason}")
                continue
            count = 0
            try:
                with opened(found.file) as stream:
                    for item in read_stream(stream, found.file):
                        count = item.index
                        if number in (None, count):
                            yield from self._usable(item)
            except OSError as error:
                self.refuse(f"cannot read {found.file}: {reason_of(error)}")
                continue
            if number is not None and count < number:
                self.refuse(f"{found.file} has no game {number}: it has {count}")

    def _usable(self, item: Game | Table | Malformed) -> Iterator[Game | Table]:
        if not isinstance(item, Malformed):
            yield item
            return
        from couperation_formal.analysis.verify import check

        show_report(check(item))
        self._codes.append(Exit.UNUSABLE)

    def refuse(self, reason: str) -> None:
        """Tell that something cannot be used."""
        complain(reason)
        self._codes.append(Exit.UNUSABLE)

    def refuse_item(self, item: Game | Table, reason: object) -> None:
        """Tell that a game or position has no answer."""
        self.refuse(f"{item.file}: game {item.index}: {reason}")

    def put(
        self, data: object, pieces: Callable[[], list[Piece]], certificates: Callable[[], Iterable[Any]], code: Exit
    ) -> None:
        """Print an answer, unless the independent checker rejects it."""
        proofs = list(certificates()) if self._verify or self._out is not None else []
        if self._verify and not _verified(proofs):
            self._codes.append(Exit.OURS)
            return
        if self._form == "json":
            put_json(data)
        else:
            if any(code is not Exit.UNUSABLE for code in self._codes):
                say("")
            put_pieces(pieces())
        self._codes.append(code)
        self._certificates += proofs if self._out is not None else []

    def end(self) -> Exit:
        """Write the certificates, if asked for; the exit code."""
        if self._out is not None and self._certificates:
            self._write(Path(self._out))
        return worst(self._codes)

    def _write(self, out: Path) -> None:
        files = list(_files(self._certificates))
        names = [out, *(out.with_name(f"{out.stem}-{k}{out.suffix}") for k in range(2, len(files) + 1))]
        taken = next((name for name in names if name.exists()), None)
        if taken is not None and not self._force:
            self.refuse(_EXISTS.format(taken))
            return
        for name, (count, data) in zip(names, files, strict=True):
            try:
                write_file(str(name), data)
            except OSError as error:
                self.refuse(f"cannot write {name}: {reason_of(error)}")
                return
            note(f"{count} certificate{'' if count == 1 else 's'}: {name}")


def _files(certificates: list[dict[str, Any]]) -> Iterator[tuple[int, bytes]]:
    """The contents of files that a checker reads, each with its number of certificates: one, or an array of several."""
    batch: list[str] = []
    for text in (json.dumps(certificate, separators=(",", ":")) for certificate in certificates):
        if batch and sum(map(len, batch)) + len(batch) + len(text) + 3 > _MOST:
            yield len(batch), _joined(batch)
            batch = []
        batch.append(text)
    yield len(batch), _joined(batch)


def _joined(texts: list[str]) -> bytes:
    return (texts[0] if len(texts) == 1 else f"[{','.join(texts)}]").encode() + b"\n"


def _verified(certificates: Iterable[dict[str, Any]]) -> bool:
    """Whether the independent checker rejects none of these. A rejection is told, and so is what it cannot check."""
    from couperation_checker import check_object

    for certificate in certificates:
        verdict = check_object(certificate)
        if verdict.status == "rejected":
            words = f"{verdict.code} {verdict.message}"
            complain(f"the independent checker rejects this answer, please report it with the input: {words}")
            return False
        if verdict.status == "unsupported":
            note(f"note: this answer could not be verified: {verdict.message}")
            return True
    return True
