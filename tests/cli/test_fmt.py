from __future__ import annotations

import stat
from pathlib import Path

import pytest

from couperation_formal.notation import write
from tests.cli.run import BROKEN, DATA, HEAD, MALFORMED, POSITION, couperation

LOOSE = (
    '; a remark\n[CGN "1"]\n\n[Players "Aki Ben"]\ndeal  Aki 17 30 44\ndeal Ben 22 9 3\nreserve 1 50 12 33 40 7\n'
    "1. Aki   A 17@f1 { why } ;end\n\n\n"
)


@pytest.fixture
def canonical() -> str:
    return couperation("fmt", "-", stdin=LOOSE).stdout


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.cgn"
    path.write_text(LOOSE)
    return path


def test_prints_the_canonical_form_and_keeps_comments(canonical: str) -> None:
    assert canonical.endswith("1. Aki +0 A 17@f1 { why } ;end\n*\n")
    assert canonical.startswith("; a remark\n[CGN")
    assert couperation("fmt", "-", stdin=canonical).stdout == canonical


def test_every_game_of_a_file_and_positions_too() -> None:
    text = couperation("fmt", "-", stdin=LOOSE + POSITION + BROKEN).stdout
    assert text.count("[CGN ") == 3
    assert "\n\n[CGN " in text
    assert couperation("fmt", "-", "--check", stdin=text).exit_code == 0


def test_all_records_keep_their_answers(tmp_path: Path) -> None:
    for name in ("games", "positions"):
        result = couperation("fmt", DATA / name)
        assert result.exit_code == 0
        assert result.stdout.count("[CGN ") == len(list((DATA / name).glob("*.cgn")))


def test_check_names_what_would_change(file: Path, canonical: str) -> None:
    result = couperation("fmt", "--check", file)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"would change: {file}\n"
    file.write_text(canonical)
    result = couperation("fmt", "--check", file)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", b""], ids=["BOM", "CRLF"])
def test_marks_and_line_ends_are_changes(tmp_path: Path, canonical: str, data: bytes) -> None:
    path = tmp_path / "game.cgn"
    path.write_bytes(data + (canonical if data else canonical.replace("\n", "\r\n")).encode())
    assert couperation("fmt", "--check", path).exit_code == 1
    assert couperation("fmt", path).stdout == canonical


def test_diff_shows_the_change(file: Path) -> None:
    result = couperation("fmt", "--diff", file)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert {"-1. Aki   A 17@f1 { why } ;end", "+1. Aki +0 A 17@f1 { why } ;end", "+*"} <= set(lines)
    assert " reserve 1 50 12 33 40 7" in lines
    assert couperation("fmt", "--diff", "--check", file).exit_code == 1


def test_write_replaces_the_file_and_keeps_permissions_and_links(file: Path, canonical: str) -> None:
    file.chmod(0o640)
    link = file.with_name("link.cgn")
    link.symlink_to(file)
    result = couperation("fmt", "--write", link)
    assert (result.exit_code, result.stdout) == (0, "")
    assert file.read_text() == canonical
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(path.name for path in file.parent.iterdir()) == ["game.cgn", "link.cgn"]
    before = file.stat().st_mtime_ns
    assert couperation("fmt", "--write", file).stderr == ""
    assert file.stat().st_mtime_ns == before


def test_a_file_with_a_malformed_game_is_never_written(file: Path) -> None:
    file.write_text(LOOSE + MALFORMED)
    result = couperation("fmt", "--write", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "51 is no card" in result.stderr
    assert file.read_text() == LOOSE + MALFORMED


def test_other_files_are_written_all_the_same(file: Path, tmp_path: Path, canonical: str) -> None:
    broken = tmp_path / "broken.cgn"
    broken.write_text(MALFORMED)
    assert couperation("fmt", "--write", broken, tmp_path / "no.cgn", file).exit_code == 2
    assert file.read_text() == canonical


def test_a_write_that_fails_leaves_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    result = couperation("fmt", "--write", file)
    assert result.exit_code == 2
    assert result.stderr == f"error: cannot write {file}: no space left on device\n"
    assert file.read_text() == LOOSE
    assert list(file.parent.iterdir()) == [file]


def test_what_would_not_read_back_is_a_failure_of_ours(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "format_item", lambda item: HEAD)
    with pytest.raises(RuntimeError, match="read back"):
        couperation("fmt", "--write", file)
    assert file.read_text() == LOOSE


@pytest.mark.parametrize(
    "arguments", [("--write", "--check", "x.cgn"), ("--write", "--diff", "x.cgn"), ("--write", "-")]
)
def test_arguments_that_exclude_each_other(arguments: tuple[str, ...]) -> None:
    assert couperation("fmt", *arguments).exit_code == 2
