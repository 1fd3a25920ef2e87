"""What is remembered for all boards of a user: whose folder is used, what is in it, and who hears of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from couperation_formal.board import user
from couperation_formal.board.user import Settings, User
from couperation_formal.game.fact import Unfit
from couperation_formal.words.say import ENGLISH, say
from tests.board.local import Local, Own

CHANGE: dict[str, Any] = {"marks": {"17": "H", "30": "1"}, "theme": "dark", "hints": True}
REMEMBERED = Settings(marks={"17": "H", "30": "1"}, theme="dark", hints=True)


@pytest.fixture
def folder() -> Path:
    """The folder of whoever runs the boards of this test, which is not there yet."""
    return Path(os.environ["XDG_CONFIG_HOME"]) / "couperation"


def modes(folder: Path) -> dict[str, int]:
    return {each.name: each.stat().st_mode & 0o777 for each in (folder, *folder.iterdir())}


def test_it_is_in_one_file_that_nobody_else_can_read(folder: Path) -> None:
    assert User().remembered[0] == Settings()
    assert not folder.exists()
    folder.parent.joinpath("couperation").mkdir(0o700)
    (folder / "board.json.new").write_text("{")  # of one that was killed while it wrote
    User().remember(CHANGE)
    assert User().remembered == (REMEMBERED, "")
    assert modes(folder) == {"couperation": 0o700, "board.json": 0o600}
    User().remember({"marks": {"30": None, "1": "2"}, "theme": "auto"})
    assert User().remembered[0] == Settings(marks={"17": "H", "1": "2"}, hints=True)


def test_the_folder_is_made_for_its_owner_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        User().remember(CHANGE)
    finally:
        os.umask(before)
    assert modes(folder) == {"couperation": 0o700, "board.json": 0o600}


@pytest.mark.parametrize("foreign", ["folder", "file", "owner", "relative"])
def test_what_others_could_have_written_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch, foreign: str
) -> None:
    User().remember(CHANGE)
    before = (folder / "board.json").read_bytes()
    if foreign == "folder":
        folder.chmod(0o750)
    elif foreign == "file":
        (folder / "board.json").chmod(0o640)
    elif foreign == "owner":
        monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    else:
        monkeypatch.setenv("XDG_CONFIG_HOME", "config")
        monkeypatch.chdir(folder.parent)
    found, said = User().remembered
    assert found == Settings()
    assert "others can read or write it" in say(said, ENGLISH)
    with pytest.raises(Unfit):
        User().remember({"theme": "light"})
    assert (folder / "board.json").read_bytes() == before


BAD = ("", "{", "[]", "null", '{"marks": {"51": "H"}}', '{"marks": {"1": "3"}}', '{"theme": "blue"}', '{"more": 1}')


@pytest.mark.parametrize("content", [*BAD, '{"marks": ' + "[" * 50_000, "{}" + " " * 70_000 + "x", b"\xff"])
def test_what_no_board_wrote_is_told_and_stays_as_it_is(folder: Path, content: str | bytes) -> None:
    folder.mkdir(0o700)
    file = folder / "board.json"
    file.touch(0o600)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = file.read_bytes()
    found, said = User().remembered
    assert found == Settings()
    assert f"{file} is not used and nothing is remembered" in say(said, ENGLISH)
    with pytest.raises(Unfit):
        User().remember(CHANGE)
    assert file.read_bytes() == before


def test_what_cannot_be_written_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    User().remember(CHANGE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(user, "written_atomically", full)
    with pytest.raises(Unfit, match="No space left"):
        User().remember({"theme": "light"})
    assert User().remembered[0] == REMEMBERED


def test_who_writes_sets_it_and_who_watches_hears_nothing_of_it(tmp_path: Path, folder: Path) -> None:
    with Local(tmp_path / "x.cgn") as board:
        board.edit("start", players=["Aki", "Ben"])
        told: dict[str, Any] = {"marks": {"17": "H"}, "theme": "dark", "hints": True}
        assert board.post("/api/remember", told).status == 200
        page = board.get("/").body.decode()
        assert 'data-theme="dark"' in page
        setup = json.loads(page.partition('id="setup">')[2].partition("</script>")[0])
        assert setup["settings"] == told
        before = (folder / "board.json").read_bytes()
        for bad in BAD[2:]:
            assert board.post("/api/remember", json.loads(bad)).status == 422
        board.cookie = board.shared()
        assert board.post("/api/remember", {"theme": "light"}).status == 403
        watched = [board.get(path) for path in ("/", "/api/game")]
        User().remember({"marks": {"17": None}, "theme": "auto", "hints": False})
        assert [(each.status, each.body) for each in watched] == [
            (200, board.get(path).body) for path in ("/", "/api/game")
        ]
        User().remember(told)
        assert (folder / "board.json").read_bytes() == before


@pytest.mark.slow
def test_a_foreign_folder_is_told_in_the_terminal_and_on_the_page(tmp_path: Path, folder: Path) -> None:
    folder.mkdir(0o755)
    with Own(tmp_path / "x.cgn") as board:
        page = board.get("/").body.decode()
        setup = json.loads(page.partition('id="setup">')[2].partition("</script>")[0])
        answer = board.post("/api/remember", {"theme": "dark"})
    assert (answer.status, answer.data["said"], board.out) == (422, setup["said"], setup["said"] + "\n")
    assert str(folder) in setup["said"]
    assert list(folder.iterdir()) == []


def test_a_file_of_any_size_is_read_as_far_as_one_can_be_used(folder: Path) -> None:
    User().remember(CHANGE)
    with (folder / "board.json").open("r+b") as stream:
        stream.truncate(1 << 40)
    assert User().remembered[0] == Settings()
    assert "too large" in say(User().remembered[1], ENGLISH)
