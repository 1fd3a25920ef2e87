"""Where a board listens: by which addresses others reach it, which hosts a request may name, what a terminal shows."""

from __future__ import annotations

import os
import pty
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from couperation_formal.board import serve
from couperation_formal.board.gate import plain, reached_at
from couperation_formal.board.serve import PORT, hosts, leaves, listening, main, reached
from couperation_formal.board.share import code, drawn
from tests.kit.started import Piped

LAN = [plain("192.0.2.7"), plain("2001:db8::7")]


@contextmanager
def listened(host: str | None) -> Iterator[Any]:
    try:
        found = listening(host, 0)
    except OSError:
        pytest.skip("no such address here")
    with found:
        yield found


@pytest.mark.parametrize(
    "host, own, others, names",
    [
        (None, "127.0.0.1", [], False),
        ("127.0.0.1", "127.0.0.1", [], False),
        ("localhost", "127.0.0.1", [], False),
        ("0.0.0.0", "127.0.0.1", ["192.0.2.7"], True),
        ("::", "127.0.0.1", ["192.0.2.7", "[2001:db8::7]"], True),
        ("::1", "[::1]", [], False),
    ],
)
def test_who_can_reach_it(
    monkeypatch: pytest.MonkeyPatch, host: str | None, own: str, others: list[str], names: bool
) -> None:
    monkeypatch.setattr(serve, "_addresses", lambda: LAN)
    monkeypatch.setattr("socket.gethostname", lambda: "Table.example")
    with listened(host) as listener:
        port = listener.getsockname()[1]
        if host == "localhost" and main(listener).startswith("["):
            pytest.skip("localhost is ::1 here")
        assert main(listener) == f"{own}:{port}"
        assert list(reached(listener)) == [f"{each}:{port}" for each in others]
        assert leaves(listener) == names
        called = ["table.example", "table.local", "localhost"] if names else []
        assert set(hosts(listener, host)) == {f"{each}:{port}" for each in (own, *others, *called)}


def test_a_port_that_is_taken_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with listened(None) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(serve, "PORT", port)
        with listening(None) as next_one:
            assert next_one.getsockname()[1] != port
        monkeypatch.setattr(serve, "NEXT", 0)
        with listening(None) as any_one:
            assert any_one.getsockname()[1] != port
        with pytest.raises(OSError, match="in use"):
            listening(None, port)


@pytest.mark.slow
def test_the_port_is_the_same_each_time_and_another_one_is_told(tmp_path: Path) -> None:
    process = Piped(["board", "--no-browser", "x.cgn"], tmp_path)
    port = urlsplit(process.stdout.readline().strip()).port
    another = Piped(["board", "--no-browser", "y.cgn"], tmp_path)
    other = urlsplit(another.stdout.readline().strip()).port
    for each in (process, another):
        each.terminate()
        each.wait()
    assert port == PORT or "is taken" in process.stderr.read()  # by a board beside the tests
    assert another.stderr.read() == f"Port {PORT} is taken: this board is at port {other}.\n"


class Port80:
    """A socket that listens at the port that goes without saying."""

    family = 2

    def getsockname(self) -> tuple[str, int]:
        return "192.0.2.7", 80


def test_port_80_goes_without_saying(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "table")
    found = set(hosts(cast("Any", Port80()), "board.example"))
    names = ("192.0.2.7", "table", "table.local", "localhost", "board.example")
    assert found == {*names, *(f"{each}:80" for each in names)}


@pytest.mark.parametrize(
    "server, wanted",
    [
        (("192.0.2.7", 8000), "192.0.2.7:8000"),
        (("::ffff:192.0.2.7", 8000), "192.0.2.7:8000"),
        (("fe80::1%eth0", 8000), "[fe80::1]:8000"),
        (("x", 1), None),
        (None, None),
    ],
)
def test_where_a_request_came_in(server: object, wanted: str | None) -> None:
    assert reached_at(server) == wanted


def test_a_code_in_the_terminal_is_the_code() -> None:
    text = "http://192.0.2.7:8000/?token=" + "x" * 43
    lines = drawn(text, colours=False).splitlines()
    rows = [[" ▄▀█".index(each) for each in line] for line in lines]
    light = [[bool(cell & bit) for cell in row] for row in rows for bit in (2, 1)]
    wanted = [[not dark for dark in row] for row in code(text).matrix_iter(border=3)]
    assert light[: len(wanted)] == wanted
    assert all(all(row) for row in light[len(wanted) :])
    coloured = drawn(text, colours=True).splitlines()
    assert [re.sub("\x1b\\[[0-9;]*m", "", line) for line in coloured] == lines
    assert all(line.startswith("\x1b[97;40m") for line in coloured)


def started(tmp_path: Path, out: int, host: str = "0.0.0.0") -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "couperation_formal",
        "board",
        "--no-browser",
        "--port",
        "0",
        "--host",
        host,
        "x.cgn",
    ]
    return subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, cwd=tmp_path)


@pytest.mark.slow
def test_at_a_terminal_the_code_has_its_own_colours(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = started(tmp_path, theirs)
    shown = b""
    while b"plain HTTP" not in shown:
        shown += os.read(ours, 4096)
    process.terminate()
    assert process.wait(timeout=30) == 0
    first, second, third = shown.splitlines()[:3]
    assert first.startswith(b"http://127.0.0.1:")
    assert third.startswith(b"\x1b[97;40m") or b"No address" in second
    os.close(ours)
    os.close(theirs)


@pytest.mark.slow
def test_who_reads_the_address_alone_leaves_the_board_running(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    process = started(tmp_path, theirs)
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as read:
        address = urlsplit(read.readline().decode().strip())
    asker = HTTPConnection(address.netloc)
    asker.request("GET", f"/?{address.query}")
    assert asker.getresponse().status == 303  # which it answers once all has been printed
    asker.close()
    process.terminate()
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.slow
def test_a_name_of_this_machine_alone_is_told_so(tmp_path: Path) -> None:
    """As `/etc/hosts` often has it; where the name is another address, there is a code."""
    name = socket.gethostname()
    process = started(tmp_path, subprocess.PIPE, name)
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"http://")
    process.terminate()
    process.wait(timeout=30)
    last = process.stdout.read().decode().splitlines()[-1]
    local = plain(socket.gethostbyname(name)).is_loopback
    assert last.startswith("No address of this machine" if local else "This is plain HTTP")
    process.communicate()
