"""Nothing that was said is lost: a journal, a lock, and a file that others may change."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from couperation_formal.board.app import (
    Comment,
    Glyphs,
    Keep,
    PutText,
    PutTurn,
    Redo,
    Start,
    TakeBack,
    Uncomment,
    Undo,
    carried_out,
)
from couperation_formal.board.keeper import FULL, Edit, Head, Journal, Keeper, Kept, Stale, digest
from couperation_formal.board.record import Branch, Splice
from couperation_formal.game.fact import Unfit, fact

TEXT = '[CGN "1"]\n[Players "Aki Ben"]\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "game.cgn"
    file.write_bytes(TEXT.encode())
    return file


def add(keeper: Keeper, text: str) -> None:
    keeper.edit("text", 1, 0, Splice(len(keeper.text), "", text))


def around(path: Path) -> set[str]:
    return {each.name for each in path.parent.iterdir()}


def test_reading_writes_nothing(path: Path) -> None:
    before = path.stat()
    keeper = Keeper(path)
    assert keeper.text == TEXT
    keeper.close()
    assert around(path) == {"game.cgn"}
    assert path.stat() == before


def test_an_edit_is_in_the_file_when_it_returns_and_on_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, fsync = list[int](), os.fsync

    def noted(handle: int) -> None:
        fsync(handle)
        synced.append(os.fstat(handle).st_ino)

    monkeypatch.setattr(os, "fsync", noted)
    path.chmod(0o640)
    keeper = Keeper(path)
    add(keeper, "; one\n")
    assert around(path) == {"game.cgn", ".game.cgn.journal"}
    assert path.read_text() == f"{TEXT}; one\n"
    journal = path.with_name(".game.cgn.journal").stat().st_ino
    assert synced[-3:] == [journal, path.stat().st_ino, path.parent.stat().st_ino]
    assert keeper.close()
    assert path.read_text() == f"{TEXT}; one\n"
    assert around(path) == {"game.cgn"}
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_stale_revision_changes_nothing(path: Path) -> None:
    keeper = Keeper(path)
    add(keeper, "; one\n")
    keeper.undo()
    stale = keeper.revision - 1
    for edit in (
        *(Undo(revision=stale), Redo(revision=stale), TakeBack(revision=stale), PutText(revision=stale, text="x")),
        *(PutTurn(revision=stale, line="1. Aki A 17@f1"), Start(revision=stale, players=("Aki", "Ben"))),
        *(Comment(revision=stale, place=0, text="x"), Uncomment(revision=stale, place=0, index=0)),
        *(Keep(revision=stale, branch=Branch(after=0)), Glyphs(revision=stale, place=1, glyphs=())),
    ):
        with pytest.raises(Stale):
            carried_out(keeper, edit)
    assert keeper.text == TEXT


def test_undo_and_redo_survive_a_killed_board(path: Path) -> None:
    keeper = Keeper(path)
    for word in "abc":
        add(keeper, f"; {word}\n")
    keeper.undo()
    keeper.undo()
    keeper.redo()
    keeper._journal.close()  # what a killed process leaves: no lock, and the journal
    again = Keeper(path)
    assert again.text == f"{TEXT}; a\n; b\n"
    assert again.told == []
    again.redo()
    assert again.text.endswith("; c\n")
    with pytest.raises(Unfit):
        again.redo()
    for _ in range(3):
        again.undo()
    assert again.text == TEXT
    with pytest.raises(Unfit):
        again.undo()


@pytest.mark.slow
@pytest.mark.parametrize("full", [FULL, 1000])
def test_a_process_that_is_killed_at_any_moment_loses_nothing_it_said(
    path: Path, full: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says each edit when it is accepted, and is killed; the file has all that was said, and the next one undoes."""
    monkeypatch.setattr("couperation_formal.board.keeper.FULL", full)
    random, said = Random(1), 0
    for round_ in range(30):
        reads, writes = os.pipe()
        child = os.fork()
        if not child:
            os.close(reads)
            try:
                keeper = Keeper(path)
                for number in range(10_000):
                    add(keeper, f"; {said + number}\n")
                    os.write(writes, b".")
            finally:
                os._exit(1)
        os.close(writes)
        count = sum(len(os.read(reads, 1)) for _ in range(random.randrange(1, 12)))
        os.kill(child, signal.SIGKILL)
        with os.fdopen(reads, "rb") as rest:
            count += len(rest.read())
        os.waitpid(child, 0)
        there = path.read_text()
        keeper = Keeper(path)
        assert keeper.text == there
        assert around(path) <= {"game.cgn", ".game.cgn.journal"}
        lines = keeper.text.removeprefix(TEXT).splitlines()
        assert lines == [f"; {number}" for number in range(len(lines))]
        assert said + count <= len(lines) <= said + count + 1
        assert keeper.told == []
        assert full < FULL or keeper.can_undo == "text"
        said = len(lines)
        if round_ % 4 == 3:
            assert keeper.close()
            assert path.read_text() == keeper.text
        else:
            keeper._journal.close()
    assert said > 60


STEPS = {"open", "os.rename", "os.remove", "os.chmod", "os.truncate"}


def killed_at(step: int, path: Path, theirs: str) -> bool:
    """Whether a process was killed at this step of an edit, a call that opens, syncs, renames or removes; where others
    wrote `theirs` into the file before it.
    """
    child = os.fork()
    if not child:
        left, fsync = [step], os.fsync

        def stepped(event: str, *_: Any) -> None:
            if event in STEPS:
                left[0] -= 1
            if event in STEPS and left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def synced(handle: Any) -> None:
            stepped("open")
            fsync(handle)

        try:
            keeper = Keeper(path)
            if theirs:
                path.write_text(theirs)
            os.fsync = synced  # type: ignore[assignment]
            sys.addaudithook(stepped)
            keeper.undo()
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            os._exit(1)
    ended = os.WTERMSIG(os.waitpid(child, 0)[1])
    assert ended in (signal.SIGKILL, signal.SIGTERM)
    return ended == signal.SIGKILL


@pytest.mark.parametrize("theirs", ["", f"{TEXT}; theirs\n"])
def test_a_process_that_is_killed_at_any_step_of_an_edit_leaves_it_undone_or_done(path: Path, theirs: str) -> None:
    steps, seen, beside = 0, set[str](), path.with_name("game-2.cgn")
    while True:
        for each in path.parent.iterdir():
            each.unlink()
        path.write_text(TEXT)
        keeper = Keeper(path)
        for word in ("one", "two"):
            add(keeper, f"; {word}\n")
        keeper._journal.close()
        killed = killed_at(steps, path, theirs)
        there = path.read_text()
        again = Keeper(path)
        assert again.text == there
        if theirs:
            assert there == theirs
            assert not beside.exists() or beside.read_text() == f"{TEXT}; one\n"
            assert [each.kind for each in again.told] == ["board_aside"]
            seen.add("beside" if beside.exists() else "not said")
            assert around(path) <= {"game.cgn", "game-2.cgn", ".game.cgn.journal.1"}
        else:
            assert (again.told, around(path)) == ([], {"game.cgn", ".game.cgn.journal"})
            assert (there, again.can_undo, again.can_redo) in (
                (f"{TEXT}; one\n; two\n", "text", None),
                (f"{TEXT}; one\n", "text", "text"),
            )
            seen.add(there)
        again._journal.close()
        if not killed:
            break
        steps += 1
    assert len(seen) == 2
    assert steps > 6


@pytest.mark.slow
def test_a_process_that_is_killed_while_the_file_is_anothers_loses_nothing_it_said(path: Path) -> None:
    random, theirs, beside = Random(2), f"{TEXT}; theirs\n", path.with_name("game-2.cgn")
    for _ in range(10):
        reads, writes = os.pipe()
        child = os.fork()
        if not child:
            os.close(reads)
            try:
                keeper = Keeper(path)
                path.write_text(theirs)
                for number in range(10_000):
                    add(keeper, f"; {number}\n")
                    os.write(writes, b".")
            finally:
                os._exit(1)
        os.close(writes)
        count = sum(len(os.read(reads, 1)) for _ in range(random.randrange(1, 12)))
        os.kill(child, signal.SIGKILL)
        with os.fdopen(reads, "rb") as rest:
            count += len(rest.read())
        os.waitpid(child, 0)
        lines = beside.read_text().removeprefix(TEXT).splitlines()
        assert lines == [f"; {number}" for number in range(len(lines))]
        assert count <= len(lines) <= count + 1
        again = Keeper(path)
        assert again.text == path.read_text() == theirs
        assert [each.kind for each in again.told] == ["board_aside"]
        assert around(path) == {"game.cgn", "game-2.cgn", ".game.cgn.journal.1"}
        beside.unlink()
        path.with_name(".game.cgn.journal.1").unlink()
        path.write_text(TEXT)


def test_an_edit_that_came_into_the_journal_and_not_into_the_file_was_not_said(path: Path) -> None:
    """Not even one whose line was written to its end."""
    journal, keeper, before = path.with_name(".game.cgn.journal"), Keeper(path), [b""]
    for word in ("one", "two"):
        add(keeper, f"; {word}\n")
        before.append(journal.read_bytes())
    keeper._journal.close()
    before[0] = before[1].splitlines(keepends=True)[0]
    for lines, text in enumerate([TEXT, f"{TEXT}; one\n"]):
        for cut in range(len(before[lines]), len(before[2]) + 1):
            path.write_text(text)
            journal.write_bytes(before[2][:cut])
            again = Keeper(path)
            assert (again.text, again.told, again.can_undo) == (text, [], "text" if lines else None)
            assert journal.read_bytes() == before[lines]
            again._journal.close()


@pytest.mark.parametrize(
    "data",
    [
        b"nonsense\n",
        b"mine",
        b"mine\n\xff\x00",
        b"\n",
        b'{"x":' + b"[" * 100_000 + b"\n",
        b'{"journal":1,"digest":"00"}\n',
        b'{"journal":2,"digest":"00"}\n',
        b'{"journal":1,"digest":"%s"}\n' % digest(TEXT).encode(),
        b"\xff\n",
    ],
)
def test_a_journal_that_does_not_fit_is_kept_aside_and_told(path: Path, data: bytes) -> None:
    journal = path.with_name(".game.cgn.journal")
    journal.write_bytes(data)
    keeper = Keeper(path)
    assert keeper.text == TEXT
    assert [each.kind for each in keeper.told] == ["board_aside"]
    assert path.with_name(".game.cgn.journal.1").read_bytes() == data
    add(keeper, "; one\n")
    assert keeper.close()
    assert around(path) == {"game.cgn", ".game.cgn.journal.1"}


def test_a_journal_that_undoes_what_it_did_not_do_is_kept_aside(path: Path) -> None:
    head, undo = Head(digest=digest(TEXT)), Edit(what="text", splice=Splice(0, "", ""), digest=digest(TEXT), back=1)
    path.with_name(".game.cgn.journal").write_bytes(b"\n".join(map(msgspec.json.encode, [head, undo])) + b"\n")
    keeper = Keeper(path)
    assert [each.kind for each in keeper.told] == ["board_aside"]
    assert (keeper.text, keeper.can_undo, keeper.can_redo) == (TEXT, None, None)


def test_a_text_that_could_not_be_opened_again_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("couperation_formal.board.keeper.MOST", len(TEXT) + 5)
    with pytest.raises(Unfit):
        add(Keeper(path), "; \u3042\n")
    assert around(path) == {"game.cgn"}


def test_what_could_not_be_taken_away_is_replaced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(path)

    def killed(*_: Any) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", lambda *_, **__: None)
        patched.setattr(Path, "replace", killed)
        with pytest.raises(Kept, match="Input"):
            add(keeper, "; one\n")
    assert len(around(path)) == 3
    add(keeper, "; two\n")
    assert path.read_text() == f"{TEXT}; two\n"
    assert around(path) == {"game.cgn", ".game.cgn.journal"}


def test_what_a_killed_process_was_writing_goes_with_the_next_start(path: Path) -> None:
    mine = [
        path.with_name(f".game.cgn.journal{each}") for each in (".new", ".0123456789abcdef.new", ".0123456789abcdef")
    ]
    for each in mine:
        each.write_text("mine")
    child = os.fork()
    if not child:
        try:
            keeper = Keeper(path)
            add(keeper, "; one\n")
            Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment, method-assign]
            add(keeper, "; not said\n")
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    there = {"game.cgn", ".game.cgn.journal", *(each.name for each in mine)}
    (left,) = around(path) - there
    assert path.with_name(left).read_text() == f"{TEXT}; one\n; not said\n"
    keeper = Keeper(path)
    assert around(path) == there
    add(keeper, "; two\n")
    assert keeper.close()
    assert path.read_text() == f"{TEXT}; one\n; two\n"
    assert {each.read_text() for each in mine} == {"mine"}


def test_a_journal_begins_anew_before_it_is_too_long_to_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("couperation_formal.board.keeper.FULL", 2000)
    journal, keeper, text = path.with_name(".game.cgn.journal"), Keeper(path), TEXT
    for number in range(200):
        add(keeper, f"; {number}\n")
        text += f"; {number}\n"
        assert path.read_text() == text
        assert 0 < journal.stat().st_size <= 2000
    path.write_text(f"{TEXT}; theirs\n")
    for number in range(200):
        add(keeper, f"; more {number}\n")
        text += f"; more {number}\n"
        assert path.with_name("game-2.cgn").read_text() == text
        assert 0 < journal.stat().st_size <= 2000
    assert keeper.text == text
    mine = keeper.take_theirs()
    assert mine is not None
    assert mine.read_text() == text


def test_what_was_undone_stays_so_when_the_journal_begins_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("couperation_formal.board.keeper.FULL", 500)
    keeper = Keeper(path)
    for number in range(20):
        add(keeper, f"; {number}\n")
        if number % 3 and keeper.can_undo:
            keeper.undo()
            if number % 2 and keeper.can_redo:
                keeper.redo()
        keeper._journal.close()
        again = Keeper(path)
        assert (again.text, again.can_undo, again.can_redo) == (keeper.text, keeper.can_undo, keeper.can_redo)
        assert again.told == []
        keeper = again


def test_one_writer_a_file_and_a_dead_one_holds_no_lock(path: Path) -> None:
    first, second = Keeper(path), Keeper(path)
    add(first, "; one\n")
    with pytest.raises(Kept, match="another board writes"):
        add(second, "; two\n")
    with pytest.raises(Kept, match="another board writes"):
        Keeper(path)
    assert second.text == TEXT
    assert first.close()
    add(second, "; two\n")
    assert second.changed_outside()
    assert not second.close()
    assert path.read_text() == f"{TEXT}; one\n"
    assert path.with_name("game-2.cgn").read_text() == f"{TEXT}; two\n"


def test_what_was_written_here_is_kept_and_theirs_is_beside_it(path: Path) -> None:
    keeper = Keeper(path)
    add(keeper, "; mine\n")
    path.write_text(f"{TEXT}; theirs\n")
    add(keeper, "; mine too\n")
    assert keeper.keep_mine() == path.with_name("game-3.cgn")  # the second one holds what was written here meanwhile
    assert not keeper.changed_outside()
    assert path.read_text() == f"{TEXT}; mine\n; mine too\n"
    assert path.with_name("game-3.cgn").read_text() == f"{TEXT}; theirs\n"
    keeper.undo()
    keeper._journal.close()  # as a process that is killed
    again = Keeper(path)
    assert (again.text, again.can_redo, again.told) == (f"{TEXT}; mine\n", "text", [])
    assert again.close()
    assert path.read_text() == f"{TEXT}; mine\n"


def test_where_theirs_cannot_be_kept_the_file_stays_theirs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(path)
    add(keeper, "; mine\n")
    path.write_text(f"{TEXT}; theirs\n")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("couperation_formal.board.keeper.written_atomically", full)
        with pytest.raises(OSError, match="No space left"):
            keeper.keep_mine()
    assert keeper.changed_outside()
    assert path.read_text() == f"{TEXT}; theirs\n"
    assert keeper.text == f"{TEXT}; mine\n"
    assert keeper.keep_mine() == path.with_name("game-2.cgn")
    assert keeper.close()


def test_what_another_board_writes_is_not_taken_from_it(path: Path) -> None:
    first, second = Keeper(path), Keeper(path)
    add(first, "; one\n")
    with pytest.raises(Kept, match="another board writes"):
        second.keep_mine()
    assert path.read_text() == f"{TEXT}; one\n"
    assert around(path) == {"game.cgn", ".game.cgn.journal"}


def test_where_theirs_cannot_be_taken_it_is_not_written_over(path: Path) -> None:
    first, second = Keeper(path), Keeper(path)
    add(first, "; one\n")
    with pytest.raises(Kept, match="another board writes"):
        second.take_theirs()
    assert second.changed_outside()
    assert first.close()
    add(second, "; two\n")
    assert path.read_text() == f"{TEXT}; one\n"
    assert path.with_name("game-2.cgn").read_text() == f"{TEXT}; two\n"
    assert second.keep_mine() == path.with_name("game-3.cgn")
    assert second.keep_mine() is None  # as by a second press: nothing is theirs any more
    assert around(path) == {"game.cgn", ".game.cgn.journal", "game-2.cgn", "game-3.cgn"}


def test_a_file_that_others_change_is_not_written_over(path: Path) -> None:
    keeper = Keeper(path)
    add(keeper, "; mine\n")
    path.write_text(f"{TEXT}; theirs\n")
    add(keeper, "; mine too\n")
    assert keeper.changed_outside()
    assert path.read_text() == f"{TEXT}; theirs\n"
    assert path.with_name("game-2.cgn").read_text() == f"{TEXT}; mine\n; mine too\n"
    mine = keeper.take_theirs()
    assert keeper.text == f"{TEXT}; theirs\n"
    assert mine is not None
    assert mine.read_text() == f"{TEXT}; mine\n; mine too\n"
    add(keeper, "; on\n")
    assert keeper.close()
    assert path.read_text() == f"{TEXT}; theirs\n; on\n"
    assert around(path) == {"game.cgn", "game-2.cgn"}


def test_who_changes_what_was_written_beside_keeps_it_too(path: Path) -> None:
    keeper = Keeper(path)
    for name in ("game.cgn", "game-2.cgn"):
        path.with_name(name).write_text(f"{TEXT}; theirs\n")
        add(keeper, f"; beside {name}\n")
        assert path.with_name(name).read_text() == f"{TEXT}; theirs\n"
    assert path.with_name("game-3.cgn").read_text() == keeper.text
    assert not keeper.close()
    assert keeper.left == fact("board_mine", file="game-3.cgn")
    assert around(path) == {"game.cgn", "game-2.cgn", "game-3.cgn"}


def test_a_file_that_is_as_it_was_again_is_gone_on_with(path: Path) -> None:
    keeper = Keeper(path)
    path.write_text(f"{TEXT}; theirs\n")
    add(keeper, "; one\n")
    path.write_text(TEXT)
    assert not keeper.changed_outside()
    add(keeper, "; two\n")
    assert keeper.close()
    assert path.read_text() == f"{TEXT}; one\n; two\n"


def test_what_was_written_here_replaces_nothing_beside(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file that somebody writes there meanwhile, nor one of which only the journal is there yet."""
    keeper = Keeper(path)
    add(keeper, "; mine\n")
    path.write_text(f"{TEXT}; theirs\n")
    path.with_name(".game-3.cgn.journal").write_text("")
    slow, beside = os.fsync, path.with_name("game-2.cgn")

    def meanwhile(handle: int) -> None:
        slow(handle)
        beside.write_text("; another\n")

    monkeypatch.setattr(os, "fsync", meanwhile)
    assert keeper.take_theirs() == path.with_name("game-4.cgn")
    assert beside.read_text() == "; another\n"
    assert path.with_name("game-4.cgn").read_text() == f"{TEXT}; mine\n"
    assert around(path) == {"game.cgn", "game-2.cgn", "game-4.cgn", ".game-3.cgn.journal"}


def test_a_file_that_others_change_while_no_board_runs_is_not_merged(path: Path) -> None:
    keeper = Keeper(path)
    add(keeper, "; mine\n")
    keeper._journal.close()
    path.write_text(f"{TEXT}; theirs\n")
    again = Keeper(path)
    assert again.text == f"{TEXT}; theirs\n"
    assert [each.kind for each in again.told] == ["board_aside"]


def test_a_touched_file_is_no_changed_one(path: Path) -> None:
    keeper = Keeper(path)
    os.utime(path, (1, 1))
    assert not keeper.changed_outside()


def test_a_full_disk_refuses_the_edit_and_keeps_all_else(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(path)
    add(keeper, "; one\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as changed:
        changed.setattr(os, "fsync", full)
        with pytest.raises(Kept, match="No space left"):
            add(keeper, "; two\n")
        assert path.read_text() == keeper.text == f"{TEXT}; one\n"
        assert around(path) == {"game.cgn", ".game.cgn.journal"}
    keeper._journal.close()
    again = Keeper(path)
    assert (again.text, again.told, again.can_undo) == (f"{TEXT}; one\n", [], "text")
    add(again, "; two\n")
    assert path.read_text() == f"{TEXT}; one\n; two\n"


def test_what_can_be_written_nowhere_at_the_end_is_told_and_its_journal_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(path)
    add(keeper, "; one\n")
    path.write_text(f"{TEXT}; theirs\n")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert not keeper.close()
    assert keeper.left == fact("board_lost", why="No space left on device", file="game.cgn")
    assert around(path) == {"game.cgn", ".game.cgn.journal"}


def test_a_journal_that_could_not_be_begun_is_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper, journal = Keeper(path), path.with_name(".game.cgn.journal")
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(Kept, match="No space left"):
            add(keeper, "; one\n")
        assert around(path) == {"game.cgn"}
        journal.touch()
        again = Keeper(path)
        assert (again.text, again.told) == (TEXT, [])
    add(again, "; two\n")
    assert again.close()
    assert path.read_text() == f"{TEXT}; two\n"
    assert around(path) == {"game.cgn"}


def test_a_link_is_followed_and_its_name_stays(path: Path) -> None:
    link = path.with_name("link.cgn")
    link.symlink_to(path)
    keeper = Keeper(link)
    add(keeper, "; one\n")
    assert keeper.close()
    assert link.is_symlink()
    assert path.read_text() == f"{TEXT}; one\n"


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_a_journal_that_is_no_file_is_not_read(path: Path, kind: str) -> None:
    other, journal = path.with_name("other"), path.with_name(".game.cgn.journal")
    other.write_text("mine")
    if kind == "link":
        journal.symlink_to(other)
    else:
        (Path.mkdir if kind == "folder" else os.mkfifo)(journal)
    with pytest.raises(OSError, match=r"symbolic|directory|seek"):
        Keeper(path)
    assert other.read_text() == "mine"


@pytest.mark.parametrize("moment", ["fsync", "chmod"])
def test_what_others_write_while_it_is_being_written_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """A disk takes its time; it is looked at the file again when all is ready to take its place."""
    keeper = Keeper(path)
    home = os if moment == "fsync" else Path
    slow = getattr(home, moment)

    def meanwhile(*told: Any) -> None:
        slow(*told)
        path.write_text(f"{TEXT}; theirs\n")

    monkeypatch.setattr(home, moment, meanwhile)
    add(keeper, "; mine\n")
    monkeypatch.undo()
    assert path.read_text() == f"{TEXT}; theirs\n"
    assert path.with_name("game-2.cgn").read_text() == f"{TEXT}; mine\n"
    assert around(path) == {"game.cgn", "game-2.cgn", ".game.cgn.journal"}
    assert not keeper.close()
    assert path.read_text() == f"{TEXT}; theirs\n"
    assert around(path) == {"game.cgn", "game-2.cgn"}


def test_an_edit_leaves_the_old_file_or_the_new_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(path)

    def refuses(self: Path, _: Path) -> Path:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "replace", refuses)
    with pytest.raises(Kept, match="Input"):
        add(keeper, "; one\n")
    assert path.read_text() == keeper.text == TEXT
    assert around(path) == {"game.cgn", ".game.cgn.journal"}
    assert keeper.close()
    assert around(path) == {"game.cgn"}


def test_a_journal_is_for_one_process(path: Path) -> None:
    first, second = Journal(path), Journal(path)
    first.take(TEXT)
    with pytest.raises(Kept, match="another board writes"):
        second.take(TEXT)
    first.done()
    second.take(TEXT)
    second.done()
    assert (first.told, second.told) == ([], [])
    assert around(path) == {"game.cgn"}


@pytest.mark.parametrize("other", ["folder", "link", "link to the same"])
def test_what_is_no_file_in_the_place_of_one_is_neither_read_nor_written(path: Path, other: str) -> None:
    keeper = Keeper(path)
    add(keeper, "; one\n")
    away = path.parent.with_name("away.cgn")
    path.rename(away)
    if other == "folder":
        path.mkdir()
    else:
        path.symlink_to(away)
    if other == "link":
        away.write_text("; theirs\n")
    there = around(path)
    assert keeper.changed_outside()
    with pytest.raises(Unfit):
        keeper.take_theirs()
    assert (around(path), keeper.text, keeper.can_undo) == (there, f"{TEXT}; one\n", "text")
    assert path.is_symlink() or path.is_dir()
    assert not keeper.close()
    assert path.with_name("game-2.cgn").read_text() == f"{TEXT}; one\n"
