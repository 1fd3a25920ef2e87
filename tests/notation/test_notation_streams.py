"""Files as they come: several games, broken ones among them, and input that is no text at all."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest

from couperation_formal.game.record import Game
from couperation_formal.notation.parse import MAX_TURNS
from couperation_formal.notation.read import (
    MAX_GAME,
    MAX_LINE,
    Item,
    Malformed,
    read as read_file,
    read_stream,
    read_text,
)

HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n'
GAME = HEAD + "1. Aki A 17@f1\nwin\n"


def read(data: bytes) -> list[Item]:
    return list(read_stream(io.BytesIO(data), "f.cgn"))


def kinds(items: list[Item]) -> str:
    return "".join("M" if isinstance(item, Malformed) else "G" for item in items)


def malformed(item: Item, phrase: str) -> tuple[int, int]:
    """The line in the file and the column of the first error of `item`, which is malformed and says this phrase."""
    assert isinstance(item, Malformed)
    diagnostic = item.diagnostics[0]
    assert phrase in diagnostic.message
    assert (diagnostic.code, diagnostic.severity, diagnostic.turn) == ("CGN", "error", None)
    before = item.text[: diagnostic.span.start]
    return item.line + before.count("\n"), len(before) - (before.rfind("\n") + 1) + 1


@pytest.mark.parametrize("text", ["", "\n \n", "; nothing\n{ at\nall }\n", "\ufeff", "\ufeff\r\n"])
def test_no_game(text: str) -> None:
    (item,) = read_text(text)
    malformed(item, "no game in this file")
    assert isinstance(item, Malformed)
    assert (item.index, item.line, item.event) == (1, 1, None)


def test_games_are_numbered_and_know_their_line() -> None:
    items = read(("; first\n" + GAME + "\n; of the first still\n" + GAME + GAME).encode())
    assert [item.index for item in items] == [1, 2, 3]
    assert all(isinstance(item, Game) and item.file == "f.cgn" for item in items)
    assert [item.layout.line for item in items if isinstance(item, Game)] == [1, 8, 12]
    assert [len(item.layout.comments) for item in items if isinstance(item, Game)] == [2, 0, 0]


def test_a_broken_game_costs_only_itself() -> None:
    text = GAME + HEAD + '[Event "second"]\n1. Aki { open\n' + GAME + HEAD + "1. Aki A 17@n1\n" + GAME
    items = read(text.encode())
    assert kinds(items) == "GMGMG"
    assert malformed(items[1], "no } closes") == (8, 8)
    assert isinstance(items[1], Malformed)
    assert items[1].event == "second"
    assert malformed(items[3], "column n") == (15, 13)


def test_text_before_the_first_game() -> None:
    assert kinds(read(b"{ a }\n ; b\n" + GAME.encode())) == "G"
    items = read(b"hello\n" + GAME.encode())
    assert kinds(items) == "MG"
    assert malformed(items[0], "begins with the tag [CGN") == (1, 1)
    items = read(b"{ open\n" + GAME.encode())
    assert kinds(items) == "MG"
    assert malformed(items[0], "no } closes") == (1, 1)
    assert kinds(read(b" " + GAME.encode() + GAME.encode())) == "GG"


def test_text_after_the_result() -> None:
    items = read((GAME + "more\n" + GAME).encode())
    assert kinds(items) == "MG"
    assert malformed(items[0], "follows the result") == (5, 1)


def test_byte_order_mark_and_line_ends() -> None:
    items = read(b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode() * 2)
    assert kinds(items) == "GG"
    same = [g.record for g in read_text(GAME * 2)]  # type: ignore[union-attr]
    assert [item.record for item in items if isinstance(item, Game)] == same
    items = read(GAME.encode() + b"\xef\xbb\xbf" + GAME.encode())
    assert kinds(items) == "GM"
    assert malformed(items[1], "a byte order mark (U+FEFF), which stands at the beginning of a file only") == (5, 1)


def test_a_comment_keeps_its_text_whatever_the_line_ends() -> None:
    (item,) = read((HEAD + "{ a\r\nb\r\r\nc }\n; d \r\n").encode())
    assert isinstance(item, Game)
    assert [comment.text for comment in item.layout.comments] == ["{ a\nb\nc }", "; d"]


def test_not_utf8() -> None:
    data = GAME.encode() + (HEAD + "; gr").encode() + b"\xfcn\n" + GAME.encode()
    items = read(data)
    assert kinds(items) == "GMG"
    assert malformed(items[1], "not UTF-8: the byte 0xFC") == (7, 5)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16(encoding: str) -> None:
    items = read(GAME.encode(encoding))
    assert kinds(items) == "M"
    assert malformed(items[0], "looks like UTF-16") == (1, 1)


def test_a_text_with_half_a_surrogate() -> None:
    items = list(read_text(HEAD + "; \ud800\n" + GAME))
    assert kinds(items) == "MG"
    assert malformed(items[0], "not UTF-8") == (3, 3)


@pytest.mark.parametrize("ending", [b"", b"\n"])
def test_a_long_line_is_skipped(ending: bytes) -> None:
    line = b"1. Aki A 17@f1 ; " + b"[CGN " * 1_000_000
    items = read(GAME.encode() + HEAD.encode() + line + ending + (GAME.encode() if ending else b""))
    assert kinds(items) == ("GMG" if ending else "GM")
    assert malformed(items[1], f"at most {MAX_LINE} bytes") == (7, 1)
    assert isinstance(items[1], Malformed)
    assert len(items[1].text) < 1000


def test_the_longest_line() -> None:
    fill = MAX_LINE - len("; \n")
    assert kinds(read(b"; " + b"x" * fill + b"\n" + GAME.encode())) == "G"
    assert kinds(read(b"; " + b"x" * (fill + 1) + b"\n" + GAME.encode())) == "MG"
    assert kinds(read(b"\xef\xbb\xbf; " + b"x" * (2 * MAX_LINE) + b"\n" + GAME.encode())) == "MG"


def test_a_long_game_is_skipped() -> None:
    line = b"; " + b"x" * 1000 + b"\n"
    items = read(HEAD.encode() + line * (MAX_GAME // len(line) + 3000) + GAME.encode())
    assert kinds(items) == "MG"
    assert malformed(items[0], f"at most {MAX_GAME} bytes")[0] > 1000
    assert isinstance(items[0], Malformed)
    assert len(items[0].text) <= MAX_GAME + 1000


def test_too_many_turns() -> None:
    turn = "1. Aki A 17@f1\n"
    assert kinds(read((HEAD + turn * MAX_TURNS).encode())) == "G"
    items = read((HEAD + turn * (MAX_TURNS + 1) + GAME).encode())
    assert kinds(items) == "MG"
    assert malformed(items[0], f"at most {MAX_TURNS} turns") == (MAX_TURNS + 3, 1)


def test_a_number_of_a_million_digits() -> None:
    items = read((HEAD + "1" * 1_000_000 + ". Aki A 17@f1\n" + GAME).encode())
    assert kinds(items) == "MG"
    items = read((HEAD + "1" * 60_000 + ". Aki A 17@f1\n" + GAME).encode())
    assert kinds(items) == "MG"
    assert malformed(items[0], "six digits at most") == (3, 1)
    items = read((HEAD + "1. Aki A " + "1" * 60_000 + "@f1\n" + GAME).encode())
    assert malformed(items[0], "is no card") == (3, 10)
    assert isinstance(items[0], Malformed)
    assert len(items[0].diagnostics[0].message) < 200


class _Endless(io.RawIOBase):
    """A stream of so many bytes that never ends its line, or that ends it all the time, and then a game."""

    def __init__(self, filling: bytes, size: int) -> None:
        self.filling = filling * (65536 // len(filling))
        self.left = size
        self.tail = io.BytesIO(b"\n" + GAME.encode())

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # what a BufferedReader gives
        if self.left <= 0:
            return self.tail.readinto(buffer)
        data = self.filling[: len(buffer)]
        buffer[: len(data)] = data
        self.left -= len(data)
        return len(data)


@pytest.mark.slow
@pytest.mark.parametrize("filling", [b"x", b"; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"])
def test_memory_is_bounded(filling: bytes) -> None:
    stream = io.BufferedReader(_Endless(filling, 30_000_000))
    tracemalloc.start()
    try:
        items = list(read_stream(stream, "endless"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert kinds(items) == "MG"
    assert peak < 8 * MAX_GAME


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.cgn"
    path.write_text(GAME, encoding="utf-8")
    (item,) = read_file(path)
    assert item.file == str(path)
    with pytest.raises(FileNotFoundError):
        list(read_file(tmp_path / "none.cgn"))
    with pytest.raises(OSError, match="directory"):
        list(read_file(tmp_path))
