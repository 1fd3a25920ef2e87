"""Quick fixes as an editor asks for them, and makes them: one slip, all of them, the canonical form."""

from __future__ import annotations

import pytest
from lsprotocol import types

from couperation_formal.editor.server import Text
from tests.editor.client import URI, Editor
from tests.editor.server import drive

pytestmark = pytest.mark.slow

HEAD = (
    '[CGN "1"]\n[Players "Aki 🂡Ben"]\n[Rules "ja-2.2"]\ndeal Aki 17 30 44\ndeal 🂡Ben 22 9 3\nreserve 1 50 12 33 40 7\n'
)
SLIPS = f"{HEAD}1 Aki A 17＠f1 {{🂡}}\n2. 🂡Ben b 22@f2\n"
MENDED = f"{HEAD}1. Aki A 17@f1 {{🂡}}\n2. 🂡Ben B 22@f2\n"


def made(text: str, fix: types.CodeAction) -> str:
    """The text with the edits of an action made, as an editor makes them."""
    assert fix.edit is not None
    assert fix.edit.changes is not None
    places = Text(text)
    for edit in sorted(fix.edit.changes[URI], key=lambda each: each.range.start, reverse=True):
        start, end = places.offset(edit.range.start), places.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


def test_each_slip_by_itself_and_all_of_them() -> None:
    async def session(editor: Editor) -> None:
        known = await editor.open(SLIPS)
        assert [each.range.start.line for each in known] == [6, 6, 7]
        text = SLIPS
        for diagnostic, title, change in zip(
            known, ("Write 1.", "Write @", "Write B"), (("1 Aki", "1. Aki"), ("＠", "@"), ("b 22", "B 22")), strict=True
        ):
            one, everything = await editor.fixes(at=diagnostic.range, known=known)
            assert (one.title, one.kind, one.is_preferred) == (title, types.CodeActionKind.QuickFix, True)
            assert list(one.diagnostics or ()) == [diagnostic]
            assert made(SLIPS, one) == SLIPS.replace(*change)
            assert (everything.title, everything.kind) == ("Mend 3 slips", types.CodeActionKind.QuickFix)
            assert made(SLIPS, everything) == MENDED
            text = text.replace(*change)
        assert text == MENDED
        assert [each.title for each in await editor.fixes()] == ["Mend 3 slips"]
        line = types.Range(types.Position(6, 0), types.Position(7, 0))
        assert [each.title for each in await editor.fixes(at=line)] == ["Write 1.", "Write @", "Mend 3 slips"]
        assert await editor.type(MENDED) == []
        assert [each.title for each in await editor.fixes()] == ["Write this file in canonical form"]

    drive(session)


def test_all_slips_are_mended_on_saving_where_the_editor_asks_for_that() -> None:
    async def session(editor: Editor) -> None:
        await editor.open(SLIPS)
        (everything,) = await editor.fixes(["source.fixAll"])
        assert everything.kind == types.CodeActionKind.SourceFixAll
        assert made(SLIPS, everything) == MENDED
        assert await editor.fixes(["refactor"]) == []
        crlf = (SLIPS * 2).replace("\n", "\r\n")
        await editor.type(crlf)
        (everything,) = await editor.fixes(["source"])
        assert made(crlf, everything) == (MENDED * 2).replace("\n", "\r\n")

    drive(session)


def test_what_is_left_is_left_and_a_game_beside_it_stays() -> None:
    async def session(editor: Editor) -> None:
        text = MENDED + SLIPS.replace("22@f2", "51@f2") + MENDED
        known = await editor.open(text)
        assert [each.range.start.line for each in known] == [14, 14, 15, 15]
        one, _ = await editor.fixes(at=known[0].range)
        assert made(text, one) == text.replace("1 Aki", "1. Aki")
        (everything,) = await editor.fixes()
        assert made(text, everything) == MENDED + MENDED.replace("22@f2", "51@f2") + MENDED
        (left,) = await editor.type(made(text, everything))
        assert await editor.fixes(at=left.range) == []

    drive(session)


def test_a_warned_tag_is_mended_when_that_is_asked_for_and_not_with_all() -> None:
    async def session(editor: Editor) -> None:
        text = MENDED.replace("[Rules", "[Rule")
        (warned,) = await editor.open(text)
        assert warned.severity == types.DiagnosticSeverity.Warning
        one, canonical = await editor.fixes(at=warned.range)
        assert (one.title, made(text, one)) == ("Write Rules", MENDED)
        assert canonical.title == "Write this file in canonical form"
        (canonical,) = await editor.fixes(["source.fixAll"], warned.range)
        assert '[Rule "ja-2.2"]' in made(text, canonical)

    drive(session)
