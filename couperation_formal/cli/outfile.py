"""Writing a drawing or a page to the file that the user names, and nothing over a file of another kind."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from couperation_formal.cli.inputs import STDIN, reason_of
from couperation_formal.cli.replace import write_file


class OutKind(NamedTuple):
    """A kind of output: its name, and how its files begin."""

    name: str
    begins: tuple[bytes, ...]


SVG = OutKind("SVG", (b"<svg",))
PNG = OutKind("PNG", (b"\x89PNG",))
HTML = OutKind("HTML page", (b"<!doctype html>",))


def refusal(out: str, kind: OutKind, inputs: Iterable[str]) -> str | None:
    """Why `out` may not be written, None where it may: a file that exists is replaced only by another of its kind, and
    an input never.
    """
    path = Path(out)
    if out == STDIN:
        return "the output has to be a file, not standard output"
    if not path.parent.is_dir():
        return f"cannot write {out}: there is no folder {path.parent}"
    if any(_same(path, Path(name)) for name in inputs if name != STDIN):
        return f"{out} is an input; it is not overwritten"
    if not path.exists():
        return None
    if not path.is_file():
        return f"cannot write {out}: it is no file"
    try:
        with path.open("rb") as stream:
            start = stream.read(16)
    except OSError as error:
        return f"cannot write {out}: {reason_of(error)}"
    if start and not start.lower().startswith(tuple(begin.lower() for begin in kind.begins)):
        return f"{out} exists and is no {kind.name}; it is not overwritten"
    return None


def put_file(out: str, data: bytes) -> str | None:
    """Write the file at once, a reader seeing the old content or the new; why it cannot be, or None."""
    try:
        write_file(out, data)
    except OSError as error:
        return f"cannot write {out}: {reason_of(error)}"
    return None


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False
