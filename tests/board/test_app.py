"""A game recorded at a board that runs in a process of its own: played, refused, killed, gone on with."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from bench.board import tapped
from bench.board_client import Board
from couperation_formal.board.judge import stood_before
from couperation_formal.game.record import Record
from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.write import format_item, record_text
from couperation_formal.questions.records.sample import sample_game
from tests.board.local import Local, Own
from tests.board.taps import game_of
from tests.kit.started import Piped, run
from tests.spec.book import ROOT


def play(board: Board, record: Record, first: int = 1) -> None:
    """Enter turns by their taps."""
    for place in range(first, len(record.turns) + 1):
        draft = tapped(record.turns[place - 1], stood_before(record, place), record.deck is not None)
        answer = board.edit("turn", draft=msgspec.to_builtins(draft))
        assert answer.status == 200, answer.body


@pytest.mark.slow
def test_thursday_is_recorded_and_gives_the_same_canonical_text(tmp_path: Path) -> None:
    record = game_of(ROOT / "examples" / "legal" / "thursday.cgn").record
    file = tmp_path / "mine.cgn"
    with Local(file) as board:
        assert list(tmp_path.iterdir()) == []
        assert board.start(record).status == 200
        play(board, record)
        view = board.get("/api/game").data
        assert (view["verdict"], view["reached"], view["result"], view["outside"]) == ("legal", "win", "win", False)
        assert view["table"]["to_move"] is None
    game = game_of(file)
    assert file.read_text("utf-8") == record_text(record)
    assert format_item(game) == record_text(record)
    assert [each.name for each in tmp_path.iterdir()] == ["mine.cgn"]


@pytest.mark.slow
def test_a_public_game_is_recorded_from_what_everybody_sees(tmp_path: Path) -> None:
    record = sample_game(["花子", "Ben"], "finish", parse_rules("ja-2.2"), 5, "random", public=True)
    file = tmp_path / "友.cgn"
    with Local(file) as board:
        board.start(record)
        play(board, record)
        assert board.edit("comment", place=1, text="よい一手 <b>").status == 200
    assert "; よい一手 <b>" in file.read_text("utf-8")
    assert record_text(game_of(file).record) == record_text(record)


@pytest.mark.slow
def test_an_illegal_turn_is_refused_or_kept_as_disputed(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(
        '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 2 9 46\n1. Aki A 17@f1 ; good\n\n; end\n'
    )
    with Local(file) as board:
        taps = {"card": "46", "cell": "j1"}
        answer = board.edit("turn", draft=taps)
        assert answer.status == 422
        assert answer.data["draft"]["judged"]["found"][0]["clause"] == "TOW05"
        assert board.edit("turn", line="A 46@j1").status == 422
        assert "46" not in board.get("/api/game").data["text"].split("1. Aki")[1]
        kept = board.edit("turn", draft=taps, disputed=True)
        assert kept.status == 200
        assert kept.data["wrong"][0]["clause"] == "TOW05"
        assert kept.data["turns"][-1]["glyphs"] == ["~~"]
        strip = {each["rules"]: each["verdict"] for each in board.get("/api/strip").data}
        assert strip == {"ja-2.2": "illegal", "en-1": "legal", "en-2": "legal", "bgg": "illegal"}
        said = board.get("/api/answer?at=2").data
        assert said[-1]["lines"][-1] == ["legal", "bgg", "spread=anywhere"]
        board.edit("back")
        assert board.edit("undo").data["turns"][-1]["glyphs"] == ["~~"]
        assert board.edit("redo").status == 200
    assert file.read_text().startswith(
        '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 2 9 46\n1. Aki A 17@f1 ; good\n'
    )
    assert file.read_text().endswith("\n; end\n")


def test_an_earlier_turn_is_edited_and_what_it_breaks_is_told(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    text = (ROOT / "examples" / "legal" / "thursday.cgn").read_text("utf-8")
    file.write_text(text)
    with Local(file) as board:
        draft = {"draw": ["29"], "card": "39", "cell": "h1"}
        found = board.post("/api/draft", {"place": 1, "draft": draft}).data
        assert found["judged"]["verdict"] == "legal"
        turn, clause, said = found["judged"]["later"]
        assert (turn, clause) == (2, "TOW06")
        assert "h1" in said
        answer = board.edit("turn", place=1, draft=draft)
        assert answer.data["illegal"] == 2
    assert file.read_text("utf-8") == text.replace("1. Mira +29 A 18@f1 ;", "1. Mira +29 A 39@h1 ;")


def test_a_typed_line_is_judged_and_completed(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text('[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\n')
    with Local(file) as board:
        told = board.post("/api/draft", {"line": "A 17"}).data
        assert "A 17@f1" in told["completed"]
        assert told["said"]
        assert board.post("/api/draft", {"line": "A 17@f1"}).data["judged"]["verdict"] == "legal"
        assert board.post("/api/draft", {"line": "A 30@f1"}).data["judged"]["verdict"] == "illegal"


def test_a_stale_edit_gets_both(tmp_path: Path) -> None:
    with Local(tmp_path / "x.cgn") as board:
        board.edit("start", players=["Aki", "Ben"])
        seen = board.revision()
        board.edit("turn", line="A 17@f1")
        answer = board.post("/api/edit", {"op": "turn", "revision": seen, "line": "A 18@f1"})
        assert answer.status == 409
        assert answer.data["yours"]["line"] == "A 18@f1"
        assert "A 17@f1" in answer.data["game"]["text"]


@pytest.mark.slow
@pytest.mark.parametrize("end", [Board.stop, Board.kill])
def test_what_a_page_saw_before_a_restart_is_an_old_revision(tmp_path: Path, end: Callable[[Board], object]) -> None:
    """The page is left open, the board is started again at the same port, and the file is another one by then."""
    file = tmp_path / "x.cgn"
    board = Own(file)
    board.edit("start", players=["Aki", "Ben"])
    seen, port = board.get("/api/game").data["revision"], str(board.port)
    end(board)
    file.write_text(file.read_text().replace("Ben", "Cy"))
    with Own(file, "--port", port) as again:
        for _ in range(3):
            answer = again.post("/api/edit", {"op": "back", "revision": seen})
            assert answer.status == 409
            assert answer.data["game"]["revision"] == again.revision()
            assert again.edit("comment", place=0, text="hm").status == 200


@pytest.mark.slow
def test_a_killed_board_loses_nothing_that_it_said(tmp_path: Path) -> None:
    """Killed in the middle of a turn of a whole game, some times over, and gone on with each time."""
    record = game_of(ROOT / "examples" / "legal" / "thursday.cgn").record
    file, random, done = tmp_path / "x.cgn", Random(2), 0
    board = Own(file)
    board.start(record)
    while done < len(record.turns):
        until = min(done + random.randint(3, 12), len(record.turns))
        play(board, msgspec.structs.replace(record, turns=record.turns[:until]), done + 1)
        if until < len(record.turns):  # one more is asked for, and nobody waits for the answer
            draft = tapped(record.turns[until], stood_before(record, until + 1), False)
            send(board, {"op": "turn", "revision": board.revision(), "draft": msgspec.to_builtins(draft)})
        board.kill()
        board = Own(file)
        view = board.get("/api/game").data
        done = len(view["turns"])
        assert done in (until, until + 1)
        assert view["verdict"] == "legal"
    assert board.stop() == 0
    assert file.read_text("utf-8") == record_text(record)


def send(board: Board, body: Any) -> None:
    """Ask for an edit, and wait for no answer."""
    data = json.dumps(body).encode()
    head = (
        f"POST /api/edit HTTP/1.1\r\nHost: {board.host}\r\nCookie: {board.cookie}\r\nOrigin: http://{board.host}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", board.port)) as to:
        to.sendall(head.encode() + data)


def test_a_listener_hears_of_a_new_revision(tmp_path: Path) -> None:
    with Local(tmp_path / "x.cgn") as board:
        stream = board.listen()
        assert stream.getheader("Content-Type", "").startswith("text/event-stream")
        board.edit("start", players=["Aki", "Ben"])
        lines = [stream.readline() for _ in range(4)]
        assert lines[2] == b"event: changed\n"
        assert json.loads(lines[3].removeprefix(b"data: ")) == {"file": "x.cgn", "revision": board.revision()}


def test_a_file_changed_outside_is_told_with_what_differs_and_mine_can_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    with Local(file) as board:
        board.edit("start", players=["Aki", "Ben"])
        for line in ("A 17@f1", "A 18@f2"):
            board.edit("turn", line=line)
        mine, watched, stream = file.read_text(), board.listen(board.shared()), board.listen()
        theirs = mine.replace("17@f1", "16@f1").replace("2. Ben +0 A 18@f2\n", "")
        lines = [stream.readline() for _ in range(2)]
        file.write_text(theirs)
        while lines[-1] != b"event: changed\n":
            lines.append(stream.readline())
        assert json.loads(stream.readline().removeprefix(b"data: ")) == {"file": "x.cgn", "revision": None}
        told = ["-1. Aki +0 A 16@f1", "+1. Aki +0 A 17@f1", "+2. Ben +0 A 18@f2"]
        assert board.get("/api/outside").data == told
        revision = board.get("/api/game").data["revision"]
        answer = board.post("/api/theirs", {"mine": True}).data
        assert (answer["beside"], answer["outside"]) == ("x-2.cgn", False)
        assert answer["revision"] != revision
        assert "kept in x-2.cgn" in answer["said"]
        assert (file.read_text(), (tmp_path / "x-2.cgn").read_text()) == (mine, theirs)
        board.revisions.clear()
        assert board.edit("undo").status == 200
        assert "18@f2" not in file.read_text()
        heard = b""
        while b"data: " not in heard:
            heard += watched.readline()
        assert b"null" not in heard
        file.write_text("no game\n")
        assert "-no game" in board.get("/api/outside").data
        file.unlink()
        assert board.post("/api/theirs", {"mine": True}).data["beside"] is None
        file.unlink()
        file.symlink_to(tmp_path / "x-2.cgn")
        for answer in (board.get("/api/outside"), board.post("/api/theirs", {"mine": True})):
            assert (answer.status, "no file" in answer.data["said"]) == (422, True)
        file.unlink()
    assert "17@f1" in (tmp_path / "x-3.cgn").read_text()


def test_a_file_changed_outside_is_asked_about(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    board = Local(file)
    board.edit("start", players=["Aki", "Ben"])
    assert not board.get("/api/game").data["outside"]
    file.write_text('[CGN "1"]\n[Players "Cy Di"]\n')
    assert board.get("/api/game").data["outside"]
    assert board.edit("turn", line="A 17@f1").status == 200
    assert "Cy" in file.read_text()
    answer = board.post("/api/theirs", {}).data
    assert answer["beside"] == "x-2.cgn"
    assert answer["players"] == ["Cy", "Di"]
    assert "A 17@f1" in (tmp_path / "x-2.cgn").read_text()
    assert board.stop() == 0
    assert file.read_text() == '[CGN "1"]\n[Players "Cy Di"]\n'


def test_a_folder_shows_its_games_and_no_link_out_of_it(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out.cgn"
    inside.mkdir()
    outside.write_text('[CGN "1"]\n[Players "Not Shown"]\n')
    (inside / "a.cgn").write_text('[CGN "1"]\n[Players "Aki Ben"]\n')
    (inside / "link.cgn").symlink_to(outside)
    (inside / "notes.txt").write_text("x")
    (inside / "sub.cgn").mkdir()
    with Local(inside) as board:
        assert board.get("/api/files").data == {"folder": True, "files": ["a.cgn"]}
        assert board.get("/api/game?file=a.cgn").data["players"] == ["Aki", "Ben"]
        for name in ("link.cgn", "../out.cgn", "notes.txt", "sub.cgn", ".a.cgn", ""):
            assert board.get(f"/api/game?file={name}").status == 422
        for name in ("../new.cgn", "a.cgn", "link.cgn", ".x.cgn", "x", "a/b.cgn", "x\n.cgn"):
            assert board.post("/api/new", {"file": name}).status == 422
        assert board.post("/api/new", {"file": "b.cgn"}).status == 200
        assert board.edit("start", file="b.cgn", players=["Cy", "Di"]).status == 200
    assert game_of(inside / "b.cgn").record.players == ("Cy", "Di")
    assert outside.read_text() == '[CGN "1"]\n[Players "Not Shown"]\n'


@pytest.mark.slow
def test_a_second_board_cannot_write_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    with Own(file) as first, Own(file) as second:
        first.edit("start", players=["Aki", "Ben"])
        answer = second.edit("start", players=["Cy", "Di"])
        assert answer.status == 423
        assert "another board" in answer.data["said"]
        third = Own(file)
        out, err = third.process.communicate(timeout=30)
        assert (third.process.returncode, out) == (2, "")
        assert "another board writes x.cgn" in err
    assert game_of(file).record.players == ("Aki", "Ben")


@pytest.mark.slow
def test_the_journal_of_a_board_that_was_killed_meanwhile_is_kept_and_told(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text('[CGN "1"]\n[Players "Aki Ben"]\n')
    with Local(file) as first:
        first.revision()
        second = Own(file)
        assert second.edit("turn", line="A 17@f1").status == 200
        second.kill()
        journal = (tmp_path / ".x.cgn.journal").read_bytes()
        told = ["a journal that does not fit the file was kept as .x.cgn.journal.1"]
        assert first.edit("turn", line="A 18@f1").data["told"] == told
        assert first.get("/api/game").data["told"] == told
        assert (tmp_path / ".x.cgn.journal.1").read_bytes() == journal
        assert first.post("/api/theirs", {}).status == 200


def test_a_file_of_the_user_beside_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / ".x.cgn.journal.new"
    mine.write_text("mine")
    with Local(tmp_path / "x.cgn") as board:
        board.edit("start", players=["Aki", "Ben"])
    assert mine.read_text() == "mine"


@pytest.mark.slow
def test_a_board_whose_folder_is_gone_says_what_it_does_not_keep(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    board = Own(folder / "x.cgn")
    assert board.edit("start", players=["Aki", "Ben"]).status == 200
    assert board.get("/api/game").data["told"] == []
    shutil.rmtree(folder)
    for _ in range(2):
        answer = board.edit("turn", line="A 17@f1")
        assert (answer.status, answer.data["said"][:23]) == (507, "this could not be kept,")
    assert board.get("/api/game").data["turns"] == []
    assert board.stop() == 1
    assert "what was written here is not in x.cgn and could not be kept beside it" in board.err


@pytest.mark.slow
@pytest.mark.parametrize("gone", [[".x.cgn.journal"], ["x.cgn", ".x.cgn.journal"]])
def test_a_journal_that_was_taken_away_is_begun_anew(tmp_path: Path, gone: list[str]) -> None:
    file = tmp_path / "x.cgn"
    board = Own(file)
    board.edit("start", players=["Aki", "Ben"])
    assert board.get("/api/game").data["undo"] == "start"
    for name in gone:
        (tmp_path / name).unlink()
    assert board.edit("turn", line="A 17@f1").status == 507
    assert board.edit("turn", line="A 17@f1").data["undo"] == "turn"
    view = board.edit("undo").data
    assert (view["undo"], view["outside"]) == (None, "x.cgn" in gone)
    assert board.edit("turn", line="A 18@f1").status == 200
    board.get("/api/game")  # by then the file is written
    board.kill()
    again = Own(file)
    view = again.get("/api/game").data
    if "x.cgn" in gone:  # somebody else took it away: that is not undone unasked, and what was written here is kept
        assert view["told"] == ["a journal that does not fit the file was kept as .x.cgn.journal.1"]
    else:
        assert (view["told"], len(view["turns"])) == ([], 1)
    assert again.stop() == 0


@pytest.mark.slow
def test_an_edit_that_the_disk_refuses_is_not_accepted_and_the_file_is_as_it_was(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    file = tmp_path / "x.cgn"
    text = '[CGN "1"]\n[Players "Aki Ben"]\n' + "; long\n" * 2000
    file.write_text(text)
    board = Own(file)
    resource.prlimit(board.process.pid, resource.RLIMIT_FSIZE, (9000, resource.RLIM_INFINITY))
    answer = board.edit("turn", line="A 17@f1")
    said = "this could not be kept, and nothing has changed: File too large"
    assert (answer.status, answer.data) == (507, {"said": said})
    assert board.get("/api/game").data["text"] == file.read_text() == text
    assert {each.name for each in tmp_path.iterdir()} == {"x.cgn", ".x.cgn.journal"}
    resource.prlimit(board.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    text = board.edit("turn", line="A 17@f1").data["text"]
    assert file.read_text() == text
    assert (board.stop(), board.err) == (0, "")
    assert file.read_text() == text


@pytest.mark.slow
def test_what_is_gone_at_the_end_with_its_journal_is_kept_beside(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    board = Own(file)
    board.edit("start", players=["Aki", "Ben"])
    text = board.get("/api/game").data["text"]
    for each in tmp_path.iterdir():
        each.unlink()
    assert board.stop() == 1
    assert board.err == "error: what was written here is kept in x-2.cgn\n"
    assert [each.name for each in tmp_path.iterdir()] == ["x-2.cgn"]
    assert (tmp_path / "x-2.cgn").read_text() == text


@pytest.mark.slow
def test_who_wrote_nothing_is_told_of_no_journal_at_the_end(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text('[CGN "1"]\n[Players "Aki Ben"]\n')
    board = Own(file)
    board.revision()
    file.write_text('[CGN "1"]\n[Players "Cy Di"]\n')
    assert (board.stop(), board.err) == (0, "")


def test_a_game_of_bytes_that_are_no_text_is_refused_and_its_neighbour_played(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    before = '[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1 ; na\xefve\n\n'.encode("latin-1")
    file.write_bytes(before)
    with Local(file) as board:
        answer = board.edit("text", game=1, text='[CGN "1"]\n[Players "Cy Di"]\n')
        assert (answer.status, answer.data["said"][:23]) == (422, "game 1 is no recorded g")
        assert board.edit("start", players=["Cy", "Di"]).status == 200
        assert board.edit("turn", line="A 17@f1").status == 200
    assert file.read_bytes().startswith(before)
    assert file.read_bytes().endswith(b"1. Cy +0 A 17@f1\n*\n")


@pytest.mark.slow
def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / ".x.cgn.journal").mkdir()
    done = run(["board", "--no-browser", "x.cgn"], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert ".x.cgn.journal: is a directory" in done.stderr.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments, said",
    [
        (["none/x.cgn"], "no folder"),
        (["--host", "203.0.113.7"], "of 203.0.113.7 cannot be used"),
        (["--host", "no such host"], "of no such host cannot be used"),
    ],
)
def test_what_cannot_be_served_is_told(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = run(["board", "--no-browser", "--port", "0", *arguments], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_without_a_file_a_new_one_of_today_is_made_with_the_first_entry(tmp_path: Path) -> None:
    with Own(Path(), cwd=tmp_path) as folder:
        assert folder.get("/api/files").data["folder"]
    process = Piped(["board", "--no-browser", "--port", "0"], tmp_path)
    assert process.stdout.readline().startswith("http://127.0.0.1:")
    assert list(tmp_path.iterdir()) == []
    process.terminate()
    assert (process.wait(), list(tmp_path.iterdir())) == (0, [])
