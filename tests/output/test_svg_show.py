"""`couperation show --output`: pictures as files."""

from __future__ import annotations

import builtins
import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from couperation_formal.output import svg as svg_png
from tests.cli.run import BROKEN, GAMES, POSITION, couperation

GAME = GAMES / "game-00000.cgn"


def test_svg_of_a_turn(tmp_path: Path) -> None:
    out = tmp_path / "tower.svg"
    result = couperation("show", GAME, "--at", "9", "--output", out, "--names")
    assert (result.exit_code, result.output) == (0, "")
    root = ElementTree.fromstring(out.read_text())
    assert (root.findtext("{http://www.w3.org/2000/svg}title") or "").startswith("Tower with ")
    assert ">g1</text>" in out.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "theme, ground", [("light", (251, 248, 241)), ("auto", (251, 248, 241)), ("dark", (22, 20, 15))]
)
def test_png(tmp_path: Path, theme: str, ground: tuple[int, int, int]) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    out = tmp_path / "tower.PNG"
    assert couperation("show", GAME, "--at", "9", "--output", out, "--theme", theme).exit_code == 0
    data = out.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    assert width > 1000
    assert height > 200
    assert _pixel(data, width) == ground


def _pixel(data: bytes, width: int) -> tuple[int, ...]:
    """The colour of the ground: the pixel in column 20 of row 20."""
    import zlib

    packed, at = b"", 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    raw = zlib.decompress(packed)
    line = 4 * width + 1
    before = bytearray(line - 1)
    for row in range(20):
        kind, now = raw[row * line], bytearray(raw[row * line + 1 : (row + 1) * line])
        for i in range(len(now)):
            left = now[i - 4] if i >= 4 else 0
            corner = before[i - 4] if i >= 4 else 0
            now[i] = (now[i] + _predicted(kind, left, before[i], corner)) % 256
        before = now
    return tuple(before[80:83])


def _predicted(kind: int, left: int, above: int, corner: int) -> int:
    if kind == 4:
        guess = left + above - corner
        return min((left, above, corner), key=lambda each: abs(guess - each))
    return {0: 0, 1: left, 2: above, 3: (left + above) // 2}[kind]


def test_a_position_and_a_record_whose_end_is_illegal(tmp_path: Path) -> None:
    out = tmp_path / "tower.svg"
    assert couperation("show", "-", "--output", out, stdin=POSITION).exit_code == 0
    assert couperation("show", "-", "--output", out, "--at", "1", "--force", stdin=BROKEN).exit_code == 0
    before = out.read_bytes()
    beyond = BROKEN + "3. Aki A 30@h1\n"
    assert couperation("show", "-", "--output", out, "--force", stdin=beyond).exit_code == 2
    assert out.read_bytes() == before


@pytest.mark.parametrize("arguments, words", [
    (["--output", "tower.gif"], "has to end in .svg or .png"),
    (["--output", "no/such.svg"], "there is no folder"),
    (["--names"], "go with --output"),
    (["--theme", "dark"], "go with --output"),
    (["--output", "notes.svg"], "exists; --force replaces it"),
    (["-o", "notes.png"], "exists; --force replaces it"),
])  # fmt: skip
def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("notes.svg", "notes.png"):
        (tmp_path / name).write_text("my notes")
    result = couperation("show", GAME, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
    assert {path.read_text() for path in tmp_path.iterdir()} == {"my notes"}


def test_png_without_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def without(name: str, *arguments: object) -> object:
        if name == "resvg_py":
            raise ImportError(name)
        return usual(name, *arguments)  # type: ignore[arg-type]

    monkeypatch.delitem(sys.modules, "resvg_py", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    result = couperation("show", GAME, "--output", tmp_path / "tower.png")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: PNG needs the library resvg-py: pip install 'resvg-py>=0.2'")
    assert list(tmp_path.iterdir()) == []


def test_png_without_a_font(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svg_png, "_has_font", lambda: False)
    result = couperation("show", GAME, "--output", tmp_path / "tower.png")
    assert result.exit_code == 2
    assert "needs a font" in result.stderr
