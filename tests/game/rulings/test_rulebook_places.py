"""Where a fault of a rulebook file is shown when no line of it can be named."""

from __future__ import annotations

from pathlib import Path

import pytest

from couperation_formal.game.rulings import RulesError, read_rulebook, unknown
from couperation_formal.words.say import ENGLISH, say


def refused(tmp_path: Path, text: str) -> RulesError:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError) as told:
        read_rulebook(path)
    assert str(told.value).startswith(f"{path}:")
    return told.value


def test_an_empty_first_line_is_shown_empty(tmp_path: Path) -> None:
    """The key is spelt so that no line is found for it."""
    error = refused(tmp_path, '\n"titl\\u0065" = 3\n')
    assert (error.line, error.word) == ((1, "", 0, 0), "")
    assert ":1:1: a title is a text, not a number" in str(error)


def test_what_is_nested_too_deeply_in_no_known_way_is_shown_at_the_beginning(tmp_path: Path) -> None:
    error = refused(tmp_path, f"take_sent = {'[1,' * 9000}")
    assert error.line is not None
    number, line, start, end = error.line
    assert (number, line[:12], start, end) == (1, "take_sent = ", 0, 0)
    assert ":1:1: this is nested too deeply" in str(error)


def test_the_nearest_name_is_told() -> None:
    near = unknown("no_ruling", "spred", ("anchor", "spread", "spare"))
    assert say(near, ENGLISH) == "there is no ruling 'spred'; did you mean spread?; rulings: anchor, spread, spare"
    far = unknown("no_ruling", "xyz", ("anchor", "spread"))
    assert say(far, ENGLISH) == "there is no ruling 'xyz'; rulings: anchor, spread"
