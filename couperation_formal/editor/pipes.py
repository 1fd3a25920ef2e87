"""What comes through pipes: an editor's messages, and the exact verdicts of a process of their own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

import msgspec

from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Diagnostic
from couperation_formal.notation.parse import read_marks
from couperation_formal.notation.read import read_text
from couperation_formal.output.configuration import configured, read_configuration
from couperation_formal.questions.records.check import check

# The messages in what an editor sends, whatever that is.
#
# A message is header lines, one of them `Content-Length`, an empty line, and so many bytes of a JSON object. A header
# that is wrong or asks for too much, a body that is shorter or longer than promised, and bytes that are neither cost
# the message that they belong to: reading goes on with the next header, and ends where so much comes that is no
# message. A header can be told from the inside of a body, since no string of JSON holds a line end.

MOST = 1 << 26
"""So many bytes a message may have."""

_MOST_HEADER = 1 << 12
_AT_ONCE = 1 << 16
_BLOCK = re.compile(rb"(?:[\w-]+:[^\r\n]*\r\n)+\r\n")
_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*([^\r\n]*?)[ \t]*\r$")
_HEADER = re.compile(rb"(?i)content-length: *\d{1,9} *\r\n")
_LONGEST = 64
"""No header that is looked for has more bytes."""


class Quiet:
    """A stream that drops what nobody reads any more: the editor is gone, and the end of its stream will tell."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        """Write, if somebody reads."""
        with suppress(OSError):
            self._stream.write(data)

    def flush(self) -> None:
        """Send what was written."""
        with suppress(OSError):
            self._stream.flush()

    def close(self) -> None:
        """Close the stream."""
        with suppress(OSError):
            self._stream.close()


class Messages:
    """The messages of a stream, as pygls reads them: two lines and a body for each. `fault` is told of each one lost.

    Memory is bounded by `MOST`. A stream ends, `endless`, where twice as many bytes came since the last message.
    """

    def __init__(self, stream: BufferedReader, fault: Callable[[Fact], object]) -> None:
        self._stream, self._fault = stream, fault
        self._data = bytearray()
        self._body = b""
        self._lines: list[bytes] = []
        self._unread, self.endless = 0, False

    def readline(self) -> bytes:
        """The next line of a header; nothing at the end of the stream."""
        if not self._lines:
            body = self._next()
            if body is None:
                return b""
            self._body, self._unread = body, 0
            self._lines = [b"Content-Length: %d\r\n" % len(body), b"\r\n"]
        return self._lines.pop(0)

    def read(self, _length: int) -> bytes:
        """The body of the header read last."""
        return self._body

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()

    def _fill(self) -> bool:
        """Wait for more; False at the end of the stream."""
        self.endless = self._unread > 2 * MOST
        if self.endless:
            return False
        try:
            part = self._stream.read1(_AT_ONCE)
        except (OSError, ValueError):
            return False
        self._data += part
        self._unread += len(part)
        return bool(part)

    def _next(self) -> bytes | None:
        """The next body that may be one; None at the end of the stream."""
        while True:
            length = self._length()
            if isinstance(length, int):
                body = self._take(length)
                if isinstance(body, bytes):
                    return body
                length = body
            if length is None:
                return None
            self._fault(length)
            self._unread += _AT_ONCE  # telling it costs as much
            if not self._skip():
                return None

    def _length(self) -> int | Fact | None:
        """Take a header; the length that it gives, or what is wrong with it, or None at the end of the stream."""
        while True:
            self._data = self._data.lstrip()
            end = self._data.find(b"\r\n\r\n", 0, _MOST_HEADER) + 4
            if end >= 4 or len(self._data) >= _MOST_HEADER:
                break
            if not self._fill():
                return None
        if _BLOCK.fullmatch(self._data, 0, end) is None:
            del self._data[:1]
            return fact("sent_junk")
        lengths = set(_LENGTH.findall(self._data, 0, end))
        del self._data[:end]
        if len(lengths) != 1:
            return fact("sent_lengths" if lengths else "sent_lengthless")
        (text,) = lengths
        if re.fullmatch(rb"[0-9]{1,9}", text) is None or not 0 < int(text) <= MOST:
            return fact("sent_length", most=MOST)
        return int(text)

    def _take(self, length: int) -> bytes | Fact | None:
        """Take a body of this length, or tell what is wrong with it; None at the end of the stream."""
        looked = 0
        while True:
            header = _HEADER.search(self._data, looked)
            if header is not None and header.start() < length:
                del self._data[: header.start()]
                return fact("sent_short")
            if len(self._data) >= length:
                break
            looked = max(0, len(self._data) - _LONGEST)
            if not self._fill():
                return None
        body = bytes(self._data[:length])
        if not body.rstrip().endswith(b"}"):
            return fact("sent_long")
        del self._data[:length]
        return body if _named(body) else fact("sent_id")

    def _skip(self) -> bool:
        """Drop all up to the next header that may be one; False at the end of the stream."""
        while (header := _HEADER.search(self._data)) is None:
            del self._data[:-_LONGEST]
            if not self._fill():
                return False
        del self._data[: header.start()]
        return True


def _named(body: bytes) -> bool:
    """Whether the id of a message, if it has one, is a number or a text. What is no JSON is for the reader to tell."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return True
    return not isinstance(message, dict) or isinstance(message.get("id"), int | str | None)


# The exact verdicts, in a process of their own, so that a solver at work holds up no keystroke and can be ended.


BUDGET = 500_000
"""Steps for one game: some seconds."""

TIMEOUT = 60.0
"""Seconds after which the process is ended and the plain verdicts stay."""


_HOME = Path(__file__).resolve().parents[2]
"""The folder that holds this package."""


def command() -> list[str]:
    """The command that starts `main` with what this process has found its modules in, but for the folder that it
    works in: that is the editor's, and who made it is not known. See `environment`.
    """
    here = os.path.realpath(os.curdir)
    path = [entry for entry in sys.path if os.path.isabs(entry) and os.path.realpath(entry) != here]  # noqa: PTH117
    path += [str(_HOME)] * (str(_HOME) not in path)
    code = f"import sys; sys.path[:] = {path!r}; from couperation_formal.editor.pipes import main; main()"
    return [sys.executable, "-P", "-c", code]


def environment() -> dict[str, str]:
    """This process's, without what would lead the child's start to other folders."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


async def decide(texts: Sequence[str], configuration: Path | None = None) -> dict[str, tuple[Diagnostic, ...]]:
    """The diagnostics of `check` on these games, by text; none for what was not decided in time.

    Each text is that of one game, judged as this `configuration` says, and by no other. Cancelling it ends the process.
    """
    # not asyncio's own: cancelled while it connects the pipes, that one is never done
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command(), cwd=_HOME, env=environment(), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    )
    asked = msgspec.json.encode((texts, None if configuration is None else str(configuration)))
    try:
        output, _ = await asyncio.wait_for(asyncio.to_thread(process.communicate, asked), TIMEOUT)
    except TimeoutError:
        return {}
    finally:
        process.kill()  # which ends the thread too; nothing, where it has ended
    return read_answers(output)


def main() -> None:
    """What the process does: of each game that it decides a line of JSON, the text and the diagnostics."""
    texts, named = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[list[str], str | None])
    chosen = None if named is None else read_configuration(Path(named))
    rules, marks = (None, None) if chosen is None else (chosen.rules, chosen.marks)
    own = None if marks is None else read_marks(marks)
    for text in texts:
        report = check(configured(next(read_text(text)), rules), budget=BUDGET, marks=own)
        if report.verdict != "undetermined":
            sys.stdout.buffer.write(msgspec.json.encode((text, report.diagnostics)) + b"\n")


def read_answers(output: bytes) -> dict[str, tuple[Diagnostic, ...]]:
    """The lines of JSON that `main` printed; what is no such line is left out."""
    answers = {}
    for line in output.splitlines():
        with suppress(msgspec.DecodeError):
            text, diagnostics = msgspec.json.decode(line, type=tuple[str, tuple[Diagnostic, ...]])
            answers[text] = diagnostics
    return answers
