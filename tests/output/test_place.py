from __future__ import annotations

import pytest

from couperation_formal.game.record import Span
from couperation_formal.notation.read import Malformed
from couperation_formal.output.blocks import Line, Place, frame, line_at, place_of
from couperation_formal.words.say import encodable, safe


def text_at(text: str, line: int) -> Malformed:
    """What was read of this text, which begins in that line of a file."""
    return Malformed(file="-", index=1, text=text, line=line, event=None, diagnostics=())


@pytest.mark.parametrize(
    "span, place",
    [
        (Span(0, 2), Place(10, 1, 10, 3)),
        (Span(4, 6), Place(11, 1, 11, 3)),
        (Span(2, 5), Place(10, 3, 11, 2)),
        (Span(10, 10), Place(12, 3, 12, 3)),
    ],
)
def test_places_count_in_the_file(span: Span, place: Place) -> None:
    assert place_of(text_at("ab\r\ncd\r\nef", 10), span) == place


@pytest.mark.parametrize(
    "span, line",
    [
        (Span(0, 2), Line(10, "ab", 0, 2)),
        (Span(2, 6), Line(10, "ab", 2, 2)),
        (Span(5, 9), Line(11, "cd", 1, 2)),
        (Span(10, 10), Line(12, "ef", 2, 2)),
    ],
)
def test_a_line_has_no_end_and_a_stretch_stays_on_it(span: Span, line: Line) -> None:
    assert line_at(text_at("ab\r\ncd\r\nef", 10), span) == line


def test_an_empty_text_has_one_empty_line() -> None:
    assert line_at(text_at("", 1), Span(0, 0)) == Line(1, "", 0, 0)


def test_wide_characters_take_two_cells() -> None:
    assert frame(Line(1, "あき +0 A 17@f1", 6, 13)) == ("あき +0 A 17@f1", 8, 7)
    assert frame(Line(1, "1. あき x", 3, 5)) == ("1. あき x", 3, 4)


def test_control_characters_are_shown_and_counted_as_escapes() -> None:
    shown, indent, width = frame(Line(1, "\x1b[2J\tA 1", 5, 8))
    assert shown == "\\x1b[2J    A 1"
    assert shown[indent : indent + width] == "A 1"


def test_a_place_behind_the_line_has_one_caret() -> None:
    assert frame(Line(1, "abc", 3, 3)) == ("abc", 3, 1)


@pytest.mark.parametrize("start", [0, 30, 5_000, 9_990])
@pytest.mark.parametrize("length", [1, 60, 100_000])
def test_a_long_line_is_shortened_around_the_part(start: int, length: int) -> None:
    text = "".join(chr(ord("a") + place % 26) for place in range(10_000))
    shown, indent, width = frame(Line(1, text, start, min(start + length, 10_000)))
    assert len(shown) <= 200
    part = shown[indent : indent + width]
    assert text[start : start + length].startswith(part)
    assert shown.startswith("…") == (start > 40)


@pytest.mark.parametrize(
    "text, shown",
    [
        ("Zoë あき ~~", "Zoë あき ~~"),
        ("\x00\x1b[31m", "\\x00\\x1b[31m"),
        ("a\r\nb", "a\\x0d\\x0ab"),
        ("\u202e\u2028\ud800", "\\u202e\\u2028\\ud800"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_safe_text_has_no_control_characters(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_a_file_name_that_is_no_utf8_can_be_written() -> None:
    assert encodable("a\udcff.cgn") == "a\ufffd.cgn"
