"""The server in a folder that somebody else has filled, and at the end of a stream that somebody else writes."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import pytest

from tests.conftest import LONG
from tests.editor.client import Editor
from tests.kit.started import Started, run

pytestmark = pytest.mark.slow

UNSEEN = '[CGN "1"]\n[Players "Aki Ben"]\n\n1. Aki +0 A ?@h1\n2. Ben +0 A ?@i1\n3. Aki +0 A 49@g2\n'
"""Decided by Z3 alone: 49 lies on g2, whatever the two unseen cards are."""

OURS = ("couperation_formal", "couperation_checker")
OTHERS = ("lark", "z3", "msgspec", "click", "rich", "numpy", "pygls", "lsprotocol", "jinja2", "sitecustomize",
          "usercustomize", "json", "logging", "subprocess")  # fmt: skip
SCRIPT = [str(Path(sys.executable).with_name("couperation")), "lsp"]
MODULE = [sys.executable, "-m", "couperation_formal", "lsp"]


def fill(folder: Path, names: tuple[str, ...]) -> Path:
    """Decoys in `folder`, and the file that each of them would leave a line in."""
    told = folder / "executed"
    for name in names:
        (folder / f"{name}.py").write_text(f"open({str(told)!r}, 'a').write({name!r} + '\\n')\n")
        (folder / name).mkdir()
        shutil.copy(folder / f"{name}.py", folder / name / "__init__.py")
    return told


@pytest.mark.parametrize("command, names, variable", [
    (SCRIPT, (*OURS, *OTHERS), None),
    (MODULE, OTHERS, None),
    (SCRIPT, ("z3", "sitecustomize", "usercustomize"), ""),
    *([([sys.executable, "-P", *MODULE[1:]], (*OURS, *OTHERS), None)] if LONG else ()),
], ids=["script", "module", "PYTHONPATH", *(["safe module"] if LONG else ())])  # fmt: skip
def test_no_module_of_the_editors_folder_is_executed(
    tmp_path: Path, command: list[str], names: tuple[str, ...], variable: str | None
) -> None:
    """A game with unseen cards is opened there, and decided. With `variable`, a path that names the folder is set for
    the exact check alone: what starts the server finds the decoys only after it has begun.
    """
    told = fill(tmp_path, names if variable is None else ())
    environment = dict(os.environ) if variable is None else {**os.environ, "PYTHONPATH": os.pathsep + "/nowhere"}

    async def whole() -> None:
        editor = Editor()
        await editor.start(None, *command, cwd=tmp_path, env=environment)
        fill(tmp_path, names if variable is not None else ())
        await editor.open(UNSEEN)
        found = await editor.diagnostics()
        assert any(each.code in ("TOW01", "TOW02") for each in found)
        assert await editor.stop() == 0

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, whole()).result()
    assert not told.exists(), told.read_text()


def message(method: str, number: int | None = None, **params: Any) -> bytes:
    """A message as an editor writes it."""
    about = {} if number is None else {"id": number}
    body = json.dumps({"jsonrpc": "2.0", "method": method, **about, "params": params}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


HELLO = message("initialize", 1, capabilities={}, processId=None, rootUri=None) + message("initialized")
SHUT = b"".join(message(*each) for each in (("shutdown", 9), ("exit",)))
ASK = {"textDocument": {"uri": "file:///a.cgn"}, "position": {"line": 0, "character": 0}}


def talk(*sent: bytes) -> tuple[int, dict[int, Any], list[str]]:
    """What the server makes of these bytes: its exit code, its answers by number, and its log."""
    done = run(["lsp"], b"".join(sent))
    assert b"Traceback" not in done.stderr
    answers, log, rest = {}, [], done.stdout
    while rest:
        head, _, rest = rest.partition(b"\r\n\r\n")
        length = int(dict(line.split(b": ") for line in head.split(b"\r\n"))[b"Content-Length"])
        found, rest = json.loads(rest[:length]), rest[length:]
        if "id" in found:
            answers[found["id"]] = found.get("result", found.get("error"))
        elif found["method"] == "window/logMessage":
            log.append(found["params"]["message"])
    return done.returncode, answers, log


BODY = b'{"jsonrpc": "2.0", "method": "initialized", "params": {}}'
BAD = {
    "negative": b"Content-Length: -5\r\n\r\n" + BODY,
    "no number": b"Content-Length: many\r\n\r\n" + BODY,
    "other digits": "Content-Length: ٥\r\n\r\n".encode() + BODY,
    "nought": b"Content-Length: 0\r\n\r\n",
    "huge": b"Content-Length: 1000000000000\r\n\r\n" + BODY,
    "5000 digits": b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n" + BODY,
    "missing": b"Content-Type: application/json\r\n\r\n" + BODY,
    "two": b"Content-Length: 57\r\nContent-Length: 9\r\n\r\n" + BODY,
    "too long": b"Content-Length: 70\r\n\r\n" + BODY,
    "much too long": b"Content-Length: 60000000\r\n\r\n" + BODY,
    "too short": b"Content-Length: 20\r\n\r\n" + BODY,
    "garbage": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n\x00\xff",
    "a long line": b"x" * 300_000,
    "a long header": b"A: b\r\n" * 9000 + b"\r\n",
    "no UTF-8": b'Content-Length: 9\r\n\r\n{"a": "\xff}',
    "no JSON": b"Content-Length: 9\r\n\r\n{a: true}",
    "nested": b"Content-Length: 100001\r\n\r\n" + b"[" * 100_000 + b"}",
    "a long number": b"Content-Length: 6007\r\n\r\n" + b'{"a": ' + b"1" * 6000 + b"}",
    "no object": b"Content-Length: 2\r\n\r\n[]",
    "a list as id": message("textDocument/hover", [1], **ASK),  # type: ignore[arg-type]
}


def test_what_is_no_message_is_told_and_the_next_one_is_answered() -> None:
    parts = [part for number, bad in enumerate(BAD.values(), 10) for part in (bad, message("x/y", number))]
    code, answers, log = talk(HELLO, *parts, message("textDocument/hover", 2, **ASK), SHUT)
    assert code == 0
    unanswered = [name for number, name in enumerate(BAD, 10) if number not in answers]
    assert unanswered == []
    assert answers[2] is None
    assert 9 in answers
    lost = [each for each in log if each.startswith("the editor sent ")]
    assert len(lost) >= len(BAD)


@pytest.mark.parametrize("bad", ["huge", "much too long", "a long number"])
def test_each_of_them_alone(bad: str) -> None:
    hello = HELLO.replace(b"}Content", b"}\r\n\r\nContent")  # blanks between messages cost none
    code, answers, log = talk(hello, BAD[bad], message("textDocument/hover", 2, **ASK), SHUT)
    assert (code, answers[2], len(log)) == (0, None, 1)


@pytest.mark.parametrize("end", [b"", b"Content-Le", b"Content-Length: 90\r\n\r\n{", b"Content-Length: 9\r\n"])
def test_a_stream_that_ends_anywhere_ends_the_server(end: bytes) -> None:
    code, answers, _ = talk(HELLO, end)
    assert (code, list(answers)) == (0, [1])


def begun() -> tuple[Started, IO[bytes], IO[bytes], IO[bytes]]:
    """A server, what it reads and what it writes."""
    (asked, question), (answer, told), (errors, wrong) = (os.pipe() for _ in range(3))
    server = Started(["lsp"], (asked, told, wrong))
    for end in (asked, told, wrong):
        os.close(end)
    return server, os.fdopen(question, "wb", 0), os.fdopen(answer, "rb"), os.fdopen(errors, "rb")


def test_a_client_that_writes_byte_by_byte_and_an_empty_line_between() -> None:
    server, question, answer, errors = begun()
    with question, answer, errors:
        for byte in HELLO.replace(b"}Content", b"}\r\nContent") + SHUT:
            question.write(bytes([byte]))
        assert server.ended()[0] == 0
        said = answer.read()
        assert b'"id": 9' in said
        assert b"the editor sent" not in said


def test_an_editor_that_is_gone_ends_it_quietly() -> None:
    item = {"uri": "file:///a.cgn", "languageId": "cgn", "version": 0, "text": UNSEEN}
    server, question, answer, errors = begun()
    with errors:
        question.write(HELLO)
        answer.readline()
        answer.close()
        question.write(message("textDocument/didOpen", textDocument=item) + message("textDocument/hover", 2, **ASK))
        question.close()
        assert errors.read() == b""
        assert server.ended()[0] == 0


def test_standard_input_that_is_closed() -> None:
    done = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *MODULE], capture_output=True, check=False, timeout=60)
    assert done.returncode == 2
    assert b"is closed" in done.stderr


def test_a_process_is_begun_though_the_folder_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    code = (
        "import os, subprocess; from couperation_formal.editor.document import HOME, command;"
        "os.rmdir(os.getcwd()); subprocess.run(command('import couperation_formal; print(1)'), cwd=HOME, check=True)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr
