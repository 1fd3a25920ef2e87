"""The editor reads its workspace's configuration, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editor.client import Editor
from tests.editor.server import drive
from tests.spec.book import ROOT

pytestmark = pytest.mark.slow

HEARTS = (ROOT / "examples" / "broken" / "hearts.cgn").read_text("utf-8").replace('[Rules "en-2"]\n', "")
"""A heart over a heart: en-2 refuses the last draw, ja-2.2 does not."""


def test_the_workspace_is_configured_and_what_lies_above_it_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "couperation.toml").write_text('rules = "bgg"\nmarks = "mine.txt"\n', encoding="utf-8")
    (tmp_path / "mine.txt").write_text("17:2\n", encoding="utf-8")
    root = tmp_path / "work"
    root.mkdir()
    uri = (root / "games" / "x.cgn").as_uri()

    async def alone(editor: Editor) -> None:
        assert "the tag Rules is missing, and ja-2.2 is taken" in str(await editor.open(HEARTS, uri))

    async def chosen(editor: Editor) -> None:
        (root / "couperation.toml").write_text('rules = "en-2"\nmarks = "all.txt"\n', encoding="utf-8")
        (root / "all.txt").write_text("25:1\n", encoding="utf-8")
        (found,) = await editor.open(HEARTS, uri)
        assert (found.code, found.range.start.line) == ("DRW03", 11)

    async def clashing(editor: Editor) -> None:
        (root / "all.txt").write_text("18:2\n", encoding="utf-8")
        warned = [each for each in await editor.open(HEARTS, uri) if each.severity == 2]
        assert [("18" in each.message, "all.txt" in each.message) for each in warned] == [(True, True)]

    async def wrong(editor: Editor) -> None:
        (root / "couperation.toml").write_text('rules = "en-9"\n', encoding="utf-8")
        assert "Rules is missing" in str(await editor.open(HEARTS, uri))
        await editor.type(HEARTS)
        assert [line for line in editor.log if "en-9" in line] == [
            f"configuration not used: {root / 'couperation.toml'}:1:9: there is no rulebook 'en-9'; did you mean en-2?;"
            " rulebooks: en-1, en-2, ja-2.2, bgg"
        ]
        editor.log.clear()

    for session in (alone, chosen, clashing, wrong):
        drive(session, root=root)


def test_the_exact_verdict_is_that_of_the_configuration_too(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    (tmp_path / "couperation.toml").write_text('rules = "bgg"\n', encoding="utf-8")
    (root / "couperation.toml").write_text('rules = "en-2"\nmarks = "mine.txt"\n', encoding="utf-8")
    (root / "mine.txt").write_text("17:1\n", encoding="utf-8")
    hidden = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Ben 30 9 3\n1. Aki A 17@f1\n2. Ben +?,10 A 30@h1 drop 3\n*\n'

    async def session(editor: Editor) -> None:
        await editor.open(hidden, (root / "x.cgn").as_uri())
        found = await editor.diagnostics()
        assert [each.code for each in found if each.severity == 1] == ["DRW02"]

    drive(session, root=root)
