"""The language server: any text, any edit, any place, and any stream of bytes."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from lsprotocol import types

from couperation_formal.editor.places import complete, hover
from couperation_formal.editor.server import Open, Text, format_edits
from couperation_formal.words.say import ENGLISH
from tests.fuzz.fuzz_reader import TEXTS, shortened
from tests.fuzz.inputs import PARTS, Record, inputs, spoiled, spoiled_bytes, tried
from tests.kit.started import run

FEW = 60
A_STREAM = 400
"""So many messages go to one process."""

URI = "file:///table/game.cgn"
ENCODINGS = ("utf-8", "utf-16", "utf-32")


def inside(found: types.Range, text: Text) -> None:
    start, end = text.offset(found.start), text.offset(found.end)
    assert 0 <= start <= end <= len(text.text)
    assert text.position(start) == found.start


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_edits(part: int, record_property: Record) -> None:
    """Each input is a document that is edited twice, and asked about at places inside and outside it."""

    def attempt(seed: int) -> None:
        draw = Random(f"server {seed}")
        at, text = Open(), shortened(draw, draw.choice(TEXTS))
        for version in range(2):
            text = spoiled(draw, text, TEXTS)
            at.take(Text(text, draw.choice(ENCODINGS)), version)
            for part_of in at.document.parts:
                for found in at.document.findings(part_of, at.exact):
                    assert 0 <= found.span.start <= found.span.end <= len(at.text.text)
            for _ in range(3):
                place = types.Position(draw.randrange(60), draw.choice((0, draw.randrange(90), 10**9)))
                offset = at.text.offset(place)
                assert 0 <= offset <= len(at.text.text)
                shown = hover(at.document, offset, at.exact, ENGLISH)
                assert shown is None or (shown[0].start <= offset <= shown[0].end and shown[1])
                for each in complete(at.document, offset):
                    assert each.word
                    assert 0 <= each.typed <= offset
            for edit in format_edits(at):
                inside(edit.range, at.text)

    tried(part, FEW, record_property, attempt)


def request(draw: Random, number: int) -> bytes:
    """A message of an editor, in most cases a sound one."""
    text = shortened(draw, draw.choice(TEXTS))
    document: dict[str, Any] = {"uri": draw.choice((URI, "untitled:1", "", 5, None))}
    place = {"line": draw.choice((0, 5, -1, 2**31, "0", None)), "character": draw.choice((0, 7, 10**12, -3, 1.5))}
    item = {**document, "languageId": "cgn", "version": draw.choice((0, 1, -1, "2", None)), "text": text}
    kinds: list[tuple[str, Any]] = [
        ("textDocument/didOpen", {"textDocument": item}),
        ("textDocument/didChange", {"textDocument": item, "contentChanges": [{"text": spoiled(draw, text, TEXTS)}]}),
        ("textDocument/didClose", {"textDocument": document}),
        ("textDocument/hover", {"textDocument": document, "position": place}),
        ("textDocument/completion", {"textDocument": document, "position": place}),
        ("textDocument/formatting", {"textDocument": document, "options": {"tabSize": 4, "insertSpaces": True}}),
        (draw.choice(("$/cancelRequest", "no/such", "", "initialize")), draw.choice(({"id": number}, {}, [], None, 7))),
    ]
    method, params = draw.choice(kinds)
    message: dict[str, Any] = {"jsonrpc": draw.choice(("2.0", "2.0", "2.0", "1.0")), "method": method, "params": params}
    if not method.startswith("textDocument/did"):
        message["id"] = draw.choice((number, number, str(number), None, [], -1))
    return json.dumps(message).encode()


def framed(draw: Random, body: bytes) -> bytes:
    """The body under a header that is right in most cases, and else of any kind."""
    right = b"Content-Length: %d\r\n\r\n" % len(body)
    way = draw.randrange(10)
    if way < 6:
        return right + body
    if way == 6:
        return right + spoiled_bytes(draw, spoiled_bytes(draw, body))
    length = draw.choice((b"-1", b"0", b"99999999999999999999", b"1e9", b"", b"\xd9\xa1", b"0x10", b"7", b"+5", b"4 4"))
    heads = (
        b"Content-Length: " + length,
        b"Content-Length:" + length,
        b"content-length: " + length,
        b"X: 1",
        b"\x00\xff",
    )
    ends = (b"\r\n\r\n", b"\n\n", b"\r\n", b"", b"\r\nContent-Type: x\r\n\r\n")
    return draw.choice(heads) + draw.choice(ends) + draw.choice((b"", body, body[: len(body) // 2]))


def sent(number: int, method: str, **more: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, **more}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_streams(part: int, record_property: Record) -> None:
    """Messages of any kind, broken frames between them; after all of it the server answers, and ends as it should."""
    seeds = list(inputs(part, A_STREAM))
    for first in range(0, len(seeds), A_STREAM):
        some = seeds[first : first + A_STREAM]
        start = sent(900_000_000, "initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
        data = start + b"".join(
            framed(draw, request(draw, seed)) for seed in some for draw in (Random(f"stream {seed}"),)
        )
        # a last message that is shorter than its header says takes what follows into it
        end = b"\r\n" * 8192 + sent(900_000_001, "shutdown") + sent(900_000_002, "exit")
        ran = run(["lsp"], data + end)
        answers = re.findall(rb'"id": ?(9000000\d\d)', ran.stdout)
        assert b"Traceback" not in ran.stderr, f"stream from {some[0]}: {ran.stderr[-2000:]!r}"
        assert (ran.returncode, set(answers)) == (0, {b"900000000", b"900000001"}), f"stream from {some[0]}"
    record_property("inputs", len(seeds))
