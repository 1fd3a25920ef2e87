"""The server as an editor meets it: a client over a subprocess opens, types, hovers, fixes, completes, shuts down."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress

import pytest
from lsprotocol import types

from couperation_formal.game.fact import fact
from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.words.say import ENGLISH, say
from tests.board.local import ended
from tests.editor.client import URI, Editor
from tests.editor.server import drive

pytestmark = pytest.mark.slow

START = '[CGN "1"]\n[Players "Aki Ben"]\n\ndeal Aki 17 30 44\ndeal Ben 22 9 3\nreserve 1 50 12 33 40 7\n\n'


def test_open_type_diagnose_hover_fix_complete_shut_down() -> None:
    async def session(editor: Editor) -> None:
        assert await editor.open(START + "1. Aki A 17@f1\n") == []

        text = START + "1. Aki A 17@f1\n2. Ben A 9@f2\n"
        (found,) = await editor.type(text)
        assert (found.code, found.severity) == ("TOW02", types.DiagnosticSeverity.Error)
        assert found.range == types.Range(types.Position(8, 7), types.Position(8, 13))
        assert "9 on f2 cannot lie between 17 on f1 and 25 on g1" in found.message
        assert found.code_description is not None
        assert "/clauses/tower.md#L" in found.code_description.href

        shown = await editor.hover(8, 9)
        assert shown is not None
        assert isinstance(shown.contents, types.MarkupContent)
        assert "**TOW02** · A card lies between its two supports" in shown.contents.value
        assert "[17]   25" in shown.contents.value
        why = "x = f2: between = strict, num2(left x) = 17, num2(x) = 9; 17 < 9 is false"
        assert f"```text\n{why}\n```" in shown.contents.value

        (fix,) = await editor.fixes()
        assert fix.kind == types.CodeActionKind.QuickFix
        assert fix.edit is not None
        assert fix.edit.changes is not None
        (edit,) = fix.edit.changes[URI]
        assert edit.new_text == START + "1. Aki +0 A 17@f1\n2. Ben +0 A 9@f2\n*\n"
        assert await editor.format() == [edit]

        assert await editor.type(edit.new_text.replace("9@f2", "22@f2")) == []
        assert await editor.format() == []
        assert await editor.fixes() == []

        await editor.type(START + "1. Aki A 17@f1\n2. Ben A 22@")
        words = [item.label for item in await editor.complete(8, 12)]
        assert words[0] == "f2"
        assert "e1" in words[1:]
        assert "f1" not in words

    drive(session)


def test_the_outline_names_games_and_their_lines() -> None:
    """Where a line cannot be read, up to there; turns complete as whole actions."""
    first = START + "1. Aki +0 A 17@f1 ; a remark\nwin\n"

    async def session(editor: Editor) -> None:
        await editor.open(first + '[CGN "1"]\n[Event "Two"]\n[Players "Kim Lou"]\n1. Kim A ?@h1\n2. Lou A 51@i1\n')
        one, two = await editor.outline()
        assert one.children is not None
        assert [each.name for each in one.children][-2:] == ["1. Aki +0 A 17@f1", "win"]
        assert two.children is not None
        assert (two.name, [each.name for each in two.children]) == ("Two", ["1. Kim A ?@h1"])
        line = first.count("\n") + 3
        assert two.children[0].range == types.Range(types.Position(line, 0), types.Position(line, 13))
        assert two.range.start == types.Position(first.count("\n"), 0)
        await editor.type(START + "1. Aki +0 A 1")
        (item,) = await editor.complete(7, 13)
        assert (item.label, item.text_edit) == (
            "A 17@f1",
            types.TextEdit(types.Range(types.Position(7, 10), types.Position(7, 13)), "A 17@f1"),
        )
        await editor.type("")
        assert await editor.outline() == []

    drive(session)


def test_the_fix_answers_only_to_the_kinds_that_are_asked_for() -> None:
    async def session(editor: Editor) -> None:
        await editor.open(START + "1. Aki A 17@f1\n")
        assert [fix.kind for fix in await editor.fixes(["source"])] == [types.CodeActionKind.SourceFixAll]
        assert [fix.kind for fix in await editor.fixes(["quickfix"])] == [types.CodeActionKind.QuickFix]
        assert await editor.fixes(["refactor"]) == []

    drive(session)


def test_a_game_with_unseen_cards_is_decided_after_saving() -> None:
    """The plain engine leaves it open while typing; 49 lies on g2, whatever the two unseen cards are."""

    async def session(editor: Editor) -> None:
        text = '[CGN "1"]\n[Players "Aki Ben"]\n\n1. Aki +0 A ?@h1\n2. Ben +0 A ?@i1\n3. Aki +0 A 49@g2\n'
        await editor.open("")
        (doubt,) = await editor.type(text)
        assert doubt.severity == types.DiagnosticSeverity.Information
        editor.save()
        found = await editor.diagnostics()
        assert "error" in {str(each.severity and each.severity.name).lower() for each in found}
        assert any(each.code in ("TOW01", "TOW02") for each in found)

    drive(session)


TELLS = """
import os, subprocess, sys
from couperation_formal.cli.main import main
class Told(subprocess.Popen):
    def __init__(self, *words, **settings):
        super().__init__(*words, **settings)
        os.write(int(sys.argv[1]), b"%d\\n" % self.pid)
subprocess.Popen = Told
sys.exit(main(["lsp"]))
"""
"""The server, which writes the numbers of the processes that it begins."""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the end of a process is waited for by Linux")
def test_a_solver_at_work_does_not_hold_up_typing_and_does_not_outlive_the_server() -> None:
    """Each is stopped as it begins, so that it is at work as long as nobody ends it."""
    text = record_text(sample_game(3, "first", parse_rules("ja-2.2"), 3, "random", public=True))
    reads, writes = os.pipe()
    solvers: list[int] = []

    async def session(editor: Editor) -> None:
        os.close(writes)
        await editor.open(text)
        with os.fdopen(reads, "rb") as begun:
            for typed in ("; 1\n", "; 2\n", "; 3\n"):
                solvers.append(int(await asyncio.to_thread(begun.readline)))
                with suppress(ProcessLookupError):  # it may have ended already
                    os.kill(solvers[-1], signal.SIGSTOP)
                await editor.type(text + typed)
                editor.save()
                await asyncio.to_thread(ended, solvers[-1])
            solvers.append(int(await asyncio.to_thread(begun.readline)))

    drive(session, command=(sys.executable, "-c", TELLS, str(writes)), pass_fds=(writes,))
    ended(solvers[-1])


def test_columns_are_utf_16_units_beside_characters_beyond_the_plane() -> None:
    async def session(editor: Editor) -> None:
        text = START.replace("Ben", "🂡🂢") + "1. Aki A 17@f1 {🂡}\n2. 🂡🂢 A 9@f2\n"
        (found,) = await editor.open(text)
        assert found.range == types.Range(types.Position(8, 8), types.Position(8, 14))
        shown = await editor.hover(8, 13)
        assert shown is not None
        assert shown.range == found.range
        (edit,) = await editor.format()
        assert edit.range.end == types.Position(9, 0)

    drive(session)


def test_columns_are_characters_for_a_client_that_counts_so() -> None:
    async def session(editor: Editor) -> None:
        (found,) = await editor.open(START.replace("Ben", "🂡🂢") + "1. Aki A 17@f1\n2. 🂡🂢 A 9@f2\n")
        assert found.range == types.Range(types.Position(8, 6), types.Position(8, 12))

    drive(session, [types.PositionEncodingKind.Utf32])


def test_several_games_each_have_their_diagnostics() -> None:
    async def session(editor: Editor) -> None:
        broken = START + "1. Aki A 17@f1\n2. Ben A 9@f2\n"
        found = await editor.open(broken + "\n" + START + "1. Aki A 17@z5\n\n" + broken)
        assert [(each.code, each.range.start.line) for each in found] == [("TOW02", 8), ("CGN", 17), ("TOW02", 27)]
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.name))
        assert await editor.diagnostics() == []

    drive(session)


def test_each_keystroke_is_answered_in_a_game_of_forty_turns() -> None:
    """Each changes the Event, so that the whole game is checked anew."""
    text = forty_turns()

    async def session(editor: Editor) -> None:
        assert [found.code for found in await editor.open(text)] == ["END02"]  # by what it was lost
        for typed in range(1, 21):
            found = await editor.type(text.replace('[Event "', '[Event "' + "x" * typed))
            assert [each.code for each in found] == ["END02"]

    drive(session)


def forty_turns() -> str:
    """A legal game of about forty turns: few games last longer than this one of 38."""
    record = sample_game(2, "finish", parse_rules("ja-2.2"), 4, "careful")
    assert len(record.turns) >= 38
    return record_text(record)


def test_one_slip_is_one_error_with_its_notes() -> None:
    """Ada's card is in the Reserve: an error, and a note for each other clause, that point at each other."""

    async def session(editor: Editor) -> None:
        error, note = await editor.open(START + "1. Aki A 12@f1\n")
        assert [(each.code, each.severity) for each in (error, note)] == [
            ("ACT02", types.DiagnosticSeverity.Error),
            ("SET06", types.DiagnosticSeverity.Information),
        ]
        assert error.related_information is not None
        assert note.related_information is not None
        assert [each.message.partition(":")[0] for each in error.related_information] == ["SET06"]
        assert [each.message.partition(":")[0] for each in note.related_information] == ["ACT02"]
        assert note.related_information[0].location == types.Location(URI, error.range)
        (alone,) = await editor.type(START + "1. Aki A 17@f1\n2. Ben A 9@f2\n")
        assert alone.related_information is None

    drive(session)


@pytest.mark.parametrize(("locale", "japanese"), [("ja", True), ("ja-JP", True), ("en-GB", False), ("fr", False)])
def test_the_editor_is_answered_in_its_language(locale: str, japanese: bool) -> None:
    async def session(editor: Editor) -> None:
        (found,) = await editor.open(START + "1. Aki A 17@f1\n2. Ben A 9@f2\n")
        (fix,) = await editor.fixes()
        shown = await editor.hover(8, 9)
        assert shown is not None
        assert isinstance(shown.contents, types.MarkupContent)
        language = "ja" if japanese else ENGLISH
        assert say(fact("hover_why"), language) in shown.contents.value
        assert (found.message.isascii(), fix.title.isascii()) == (not japanese, not japanese)
        await editor.type(START + "1. Aki A 17@f1\n2. Ben +")
        details = [item.detail for item in await editor.complete(8, 8)]
        assert [each for each in details if each is not None and each.isascii() == japanese] == []

    drive(session, locale=locale)


def test_the_language_that_was_asked_for_stands_against_that_of_the_editor() -> None:
    async def session(editor: Editor) -> None:
        (found,) = await editor.open(START + "1. Aki A 17@f1\n2. Ben A 9@f2\n")
        assert not found.message.isascii()

    drive(session, locale="en", command=(sys.executable, "-m", "couperation_formal", "lsp", "--lang", "ja"))
