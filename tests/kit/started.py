"""The program as a process of its own, without the time that its imports take.

A process that has imported it waits, and forks for each start: the child gets the arguments, folder, environment and
streams that are asked for and runs what ``python -m couperation_formal`` runs, to its end. What is shared is what was
imported, and read of the grammar and the specification. Where the start itself is the point, as with another encoding,
a Python is started instead.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import io
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from contextlib import redirect_stdout, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from runpy import run_module
from select import select
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {"couperation": "couperation_formal", "couperation-checker": "couperation_checker"}
"""The modules of the programs."""

PIPED = 1 << 12
"""So many bytes each pipe holds; more is read from a file."""


class Started:
    """A process of the program that was started."""

    def __init__(
        self,
        arguments: Iterable[str | Path],
        streams: tuple[int, int, int],
        cwd: Path | None = None,
        environment: dict[str, str] | None = None,
        seconds: int | None = None,
        module: str = "couperation_formal",
        code: str = "",
    ) -> None:
        """Start it, or the checker, or run `code` with its modules, with the files of its standard streams; `seconds`
        of processor time end it.
        """
        told = {
            "arguments": list(map(str, arguments)),
            "cwd": str(cwd or Path.cwd()),
            "environment": dict(os.environ) if environment is None else environment,
            "seconds": seconds,
            "module": module,
            "code": code,
        }
        reader, writer = os.pipe()
        socket.send_fds(_starter(), [json.dumps(told).encode()], [*streams, writer])
        os.close(writer)
        self._said = os.fdopen(reader)
        self.pid = int(self._said.readline())

    def signal(self, number: int) -> None:
        """Send it a signal, where it has not ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def ended(self) -> tuple[int, int]:
        """How it ended: its exit code, below 0 the signal, and the most memory that it had, in kibibytes."""
        with self._said:
            code, memory = self._said.readline().split()
        return int(code), int(memory)


class Piped(Started):
    """A process whose outputs are read as they come: what is used of `subprocess.Popen`."""

    def __init__(self, arguments: Iterable[str | Path], cwd: Path | None = None) -> None:
        (out, out_end), (err, err_end) = os.pipe(), os.pipe()
        with Path(os.devnull).open() as nothing:
            super().__init__(arguments, (nothing.fileno(), out_end, err_end), cwd)
        os.close(out_end)
        os.close(err_end)
        self.stdout, self.stderr = os.fdopen(out), os.fdopen(err)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """How it ended, where it has."""
        if self.returncode is None and select([self._said], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, **_: Any) -> int:
        """Wait until it has ended: how."""
        self.returncode, _memory = self.ended()
        return self.returncode

    def communicate(self, **_: Any) -> tuple[str, str]:
        """All that it prints until it ends."""
        told = self.stdout.read(), self.stderr.read()
        self.wait()
        return told

    def terminate(self) -> None:
        """Ask it to end."""
        self.signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.signal(signal.SIGKILL)


class Forked:
    """A process whose streams are asyncio's: what is used of `asyncio.subprocess.Process`."""

    def __init__(self, started: Started, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader) -> None:
        self._started, self.stdin, self.stdout = started, stdin, stdout
        self.pid = started.pid
        self.returncode: int | None = None
        self._end = asyncio.get_running_loop().create_future()
        threading.Thread(target=self._watch, daemon=True).start()  # which nothing waits for, where a test fails

    def _watch(self) -> None:
        self.returncode, _ = self._started.ended()
        with suppress(RuntimeError):  # nobody asks any more
            self._end.get_loop().call_soon_threadsafe(self._end.set_result, None)

    async def wait(self) -> int | None:
        """Wait until it has ended: how."""
        await asyncio.shield(self._end)
        self.stdin.close()
        return self.returncode

    def kill(self) -> None:
        """End it."""
        self.stdin.close()
        self._started.signal(signal.SIGKILL)


async def begun(arguments: Iterable[str], code: str = "") -> Forked:
    """Start the program, or `code` with its modules; what it says on the standard error goes nowhere."""
    (asked, question), (answer, told) = os.pipe(), os.pipe()
    with Path(os.devnull).open("wb") as nothing:
        started = Started(arguments, (asked, told, nothing.fileno()), code=code)
    os.close(asked)
    os.close(told)
    loop, stdout = asyncio.get_running_loop(), asyncio.StreamReader(1 << 20)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdout), os.fdopen(answer, "rb"))
    way, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(question, "wb"))
    return Forked(started, asyncio.StreamWriter(way, protocol, None, loop), stdout)


def run(
    arguments: Iterable[str | Path], stdin: bytes = b"", together: bool = False, **settings: Any
) -> subprocess.CompletedProcess[bytes]:
    """The program from its start to its end, and all that it printed; with `together` both outputs are the standard
    one. The settings are those of `Started`.
    """
    words = list(map(str, arguments))
    with _holding(stdin) as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = (given.fileno(), out.fileno(), (out if together else err).fileno())
        code, _ = Started(words, streams, **settings).ended()
        for each in (out, err):
            each.seek(0)
        return subprocess.CompletedProcess(words, code, out.read(), err.read())


def _holding(data: bytes) -> IO[bytes]:
    """A pipe that holds the bytes and then ends; a file where they are many."""
    if len(data) > PIPED:
        file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever takes it closes it
        file.write(data)
        file.seek(0)
        return file
    reader, writer = os.pipe()
    os.write(writer, data)
    os.close(writer)
    return os.fdopen(reader, "rb")


@cache
def _starter() -> socket.socket:
    """The socket of the process that starts others; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    subprocess.Popen([sys.executable, "-m", "tests.kit.started"], stdin=theirs.fileno(), cwd=ROOT)
    theirs.close()
    return ours


def _keep(pid: int, told: int) -> None:
    """Tell of a process: its number, and how it ended."""
    os.write(told, f"{pid}\n".encode())
    _, status, used = os.wait4(pid, 0)
    os.write(told, f"{os.waitstatus_to_exitcode(status)} {used.ru_maxrss}\n".encode())


def _become(asked: dict[str, Any], streams: list[int]) -> None:
    """Be a process that was just started with these streams."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(  # type: ignore[misc]  # noqa: SIM115
        2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
    )
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    if asked["seconds"] is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
    sys.argv[1:] = asked["arguments"]
    sys.path[0] = asked["cwd"]  # as after ``-m``


def _end(code: object) -> None:
    """End as a Python does, but that what all processes share is not taken apart, which takes longer than most of them
    live. Where the outputs cannot be written Python itself ends it, and where there is more to say than a number.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        if isinstance(code, int):
            os._exit(code)


def main() -> None:
    """Wait for what is to be started, until nobody is left to ask."""
    from couperation_formal.cli.main import COMMANDS, main as command

    for name in (
        *(f"couperation_formal.cli.commands.{name}" for name in dict.fromkeys(COMMANDS.values())),
        "couperation_formal.editor.server",
        "rich.console",
        "z3",
    ):
        import_module(name)
    with redirect_stdout(io.StringIO()):
        for name in ("legal", "hidden"):  # which reads the grammar, the specification and its formulas
            command(["check", str(ROOT / "examples" / name)])
    gc.freeze()
    asking = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, files, _, _ = socket.recv_fds(asking, 1 << 17, 4)
        if not message:
            return
        if not os.fork():
            break
        for each in files:
            os.close(each)
    asking.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which whatever runs beside a shell ignores
    *streams, told = files
    pid = os.fork()
    if pid:
        for each in streams:
            os.close(each)
        _keep(pid, told)
        os._exit(0)
    os.close(told)
    asked = json.loads(message)
    _become(asked, streams)
    try:
        if asked["code"]:
            exec(asked["code"], {"__name__": "__main__"})  # as after ``-c``
        else:
            run_module(asked["module"], run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        _end(ended.code)
        raise
    _end(0)


if __name__ == "__main__":
    main()
