"""What holds of every record: reading inverts writing, the canonical form is stable, no input breaks the reader."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings, strategies as st

from couperation_formal.game.record import (
    Exchange,
    Game,
    LayDown,
    Layout,
    LayUp,
    NoAction,
    Open,
    Position,
    Record,
    Snapshot,
    Turn,
)
from couperation_formal.game.rulings import options_in_order, parse_rules
from couperation_formal.game.tower import FINISH, UNSEEN, Cell, Down, Mark, Shown, Up, Value, Variant
from couperation_formal.notation.names import skeleton
from couperation_formal.notation.parse import name_of, parser, terminal
from couperation_formal.notation.read import Item, Malformed, read_text
from couperation_formal.notation.write import format_item, header_tags, position_text, record_text
from tests.conftest import LONG

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data"
FILES = sorted([*DATA.glob("games/*.cgn"), *DATA.glob("positions/*.cgn")])
TEXTS = [path.read_text(encoding="utf-8") for path in FILES]

SURROGATES: tuple[Literal["Cs"]] = ("Cs",)
values = st.integers(1, 50).map(Value)
shown: st.SearchStrategy[Shown] = st.one_of(values, values, st.sampled_from([FINISH, UNSEEN]))
card_lists = st.lists(shown, max_size=6).map(tuple)
cells = st.builds(Cell, st.integers(0, 12), st.integers(1, 7))
names = st.one_of(
    st.sampled_from(["Aki", "A", "-", "+0", "drop", "1.", "*", "win", "?", "~~", "x", "あき"]),
    st.from_regex(r"""[^\s";{}\[\]]{1,5}""", fullmatch=True).filter(str.isprintable).map(name_of),
)
replaced = st.one_of(st.none(), st.builds(Up, st.one_of(values, st.just(FINISH))), st.builds(Down, shown))
adjusts = st.lists(st.tuples(st.sampled_from("^_|"), shown), max_size=3).map(tuple)
actions = st.one_of(
    st.builds(LayUp, shown, cells),
    st.builds(LayDown, shown, cells),
    st.builds(Open, cells, shown),
    st.builds(Exchange, shown, st.sampled_from("+-"), shown, adjusts, shown, st.booleans(), cells, replaced),
    st.just(NoAction()),
)
glyphs = st.lists(st.sampled_from(["!", "?", "!?", "?!", "!!", "??", "~~"]), max_size=2).map(tuple)
rules = st.builds(
    lambda book, changes: parse_rules(" ".join([book, *(f"{name}={option}" for name, option in changes.items())])),
    st.sampled_from(["en-1", "en-2", "ja-2.2", "bgg"]),
    st.fixed_dictionaries({}, optional={name: st.sampled_from(options) for name, options in options_in_order()}),
)
kinds: st.SearchStrategy[Mark] = st.sampled_from(("1", "2", "H"))
marks = st.dictionaries(values, kinds, max_size=5)
variants: st.SearchStrategy[Variant] = st.sampled_from(("first", "finish"))
tag_values = st.text(st.characters(exclude_characters='"\r\n', exclude_categories=SURROGATES), max_size=12)


draws = st.one_of(card_lists, card_lists, st.none())
"""A draw; None where it was not noted."""


def turn(number, player, draw, action, its_glyphs, drop, trim, fill) -> Turn:  # type: ignore[no-untyped-def]
    return Turn(number, player, draw or (), action, its_glyphs, drop, trim, fill or (), draw is None, fill is None)


def _looks_like_none(players: list[str], name: str) -> bool:
    """Whether a name is a player's, or looks like no player's."""
    return name in players or skeleton(name) not in map(skeleton, players)


@st.composite
def records(draw: st.DrawFn) -> Record:
    players = draw(st.lists(names, min_size=1, max_size=4))
    its_rules, variant, its_marks = draw(rules), draw(variants), draw(marks)
    extra = draw(st.dictionaries(st.sampled_from(["Site", "Round", "x-1"]), tag_values))
    turns = st.builds(
        turn,
        st.integers(0, 999_999),
        st.one_of(names.filter(partial(_looks_like_none, players)), st.sampled_from(players)),
        draws,
        actions,
        glyphs,
        card_lists,
        card_lists,
        draws,
    )
    return Record(
        tags=(*header_tags(players, its_rules, variant, its_marks, draw(tag_values)), *extra.items()),
        players=tuple(players),
        rules=its_rules,
        variant=variant,
        marks=its_marks,
        deals=draw(st.dictionaries(st.sampled_from(players), card_lists)),
        reserve=draw(st.one_of(st.none(), card_lists)),
        deck=draw(st.one_of(st.none(), card_lists)),
        turns=tuple(draw(st.lists(turns, max_size=4))),
        result=draw(st.sampled_from(["win", "loss", "stuck", None])),
    )


def only(text: str) -> Item:
    (item,) = read_text(text)
    return item


def layout_of(item: Game | Snapshot) -> Layout:
    return item.layout


def value_of(item: Item) -> Record | Position:
    assert not isinstance(item, Malformed), item
    return item.record if isinstance(item, Game) else item.position


@given(records())
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    text = record_text(record)
    item = only(text)
    assert value_of(item) == record
    assert isinstance(item, Game)
    assert format_item(item) == text


blanks = st.sampled_from([" ", "  ", "\t", "\v", "\r "])
braces = st.text(st.characters(exclude_characters="}[", exclude_categories=SURROGATES), max_size=6).map("{{{}}}".format)
line_comments = st.text(st.characters(exclude_characters="\n", exclude_categories=SURROGATES), max_size=6).map(
    ";{}".format
)
_PARTS = re.compile(r'"[^"]*"|\[|\]|[^\s"\[\]]+')


@st.composite
def commented(draw: st.DrawFn) -> tuple[Record, str, list[str]]:
    """A record, a text of it with comments and blanks wherever they may stand, and the comments."""
    record = draw(records())
    lines, comments = [], []

    def gap(least: str) -> str:
        inner = draw(st.lists(braces, max_size=1)) if draw(st.integers(0, 4)) == 0 else []
        comments.extend(inner)
        return draw(blanks).join([least, *inner, least])

    for line in record_text(record).split("\n"):
        parts = _PARTS.findall(line) if line.startswith("[") else line.split()
        text = parts[0] if parts else ""
        if text == "[" and parts[1] == "CGN":
            text, parts = "[CGN ", parts[1:]
        for part in parts[1:]:
            text += gap("" if line.startswith("[") else " ") + part
        if draw(st.integers(0, 4)) == 0:
            comments.append(draw(line_comments))
            text += " " + comments[-1]
        lines.append(text)
    return record, draw(st.sampled_from(["\n", "\r\n", "\n\n"])).join(lines), comments


@given(commented())
def test_comments_change_nothing_and_are_kept(case: tuple[Record, str, list[str]]) -> None:
    record, text, comments = case
    item = only(text)
    assert value_of(item) == record
    assert isinstance(item, Game)
    wanted = [re.sub("\r+\n", "\n", c) if c[0] == "{" else c.rstrip() for c in comments]
    assert [comment.text for comment in item.layout.comments] == wanted
    again = format_item(item)
    item = only(again)
    assert value_of(item) == record
    assert isinstance(item, Game)
    assert [comment.text for comment in item.layout.comments] == wanted
    assert format_item(item) == again


def test_there_are_files_to_test() -> None:
    assert len(FILES) >= 48


@pytest.mark.parametrize("text", TEXTS, ids=[path.stem for path in FILES])
def test_files_are_read_and_written(text: str) -> None:
    item = only(text)
    value = value_of(item)
    written = record_text(value) if isinstance(value, Record) else position_text(value)
    assert value_of(only(written)) == value
    assert isinstance(item, Game | Snapshot)
    assert format_item(item) == written


def check_item(item: Item) -> None:
    """Every place lies in the text, and what was read is written and read again the same."""
    if isinstance(item, Malformed):
        assert item.diagnostics
        for diagnostic in item.diagnostics:
            assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(item.text)
            assert diagnostic.message
        return
    layout = layout_of(item)
    spans = [*layout.tags.values(), *layout.lines.values(), *(turn.line for turn in layout.turns)]
    assert all(0 <= span.start < span.end <= len(layout.text) for span in spans)
    written = format_item(item)
    (again,) = read_text(written)
    assert value_of(again) == value_of(item)
    assert isinstance(again, Game | Snapshot)
    assert [c.text for c in layout_of(again).comments] == [c.text for c in layout.comments]
    assert format_item(again) == written


snippets = st.one_of(
    st.text(st.sampled_from("ABCDFx?!~^_|+-=@;{}[]\"', .\n\r\t0123456789abcdefghmn"), max_size=6),
    st.sampled_from(
        [
            "drop ",
            "trim ",
            "fill ",
            "fill *",
            "+*",
            "skipped 1",
            "replaced no",
            "win\n",
            "position\n",
            "\n[CGN ",
            '"]\n',
            "{",
            "}",
            ";",
            "\ufeff",
            "\0",
            "１",
            "\u2028",
            "-",
        ]
    ),
    st.text(max_size=3),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A real file, or two in one, with a few stretches deleted, doubled, replaced or moved."""
    text = "".join(draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=2)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        kind = draw(st.sampled_from(["cut", "put", "double", "replace", "swap"]))
        middle = {
            "cut": "",
            "put": draw(snippets) + text[start:end],
            "double": text[start:end] * 2,
            "replace": draw(snippets),
            "swap": text[start:end][::-1],
        }[kind]
        text = text[:start] + middle + text[end:]
    return text


@settings(max_examples=300 if LONG else 75)
@given(mutated())
def test_no_text_breaks_the_reader(text: str) -> None:
    items = list(read_text(text))
    assert items
    assert [item.index for item in items] == list(range(1, len(items) + 1))
    for item in items:
        check_item(item)


@given(st.text(max_size=40), st.sampled_from(["", '[CGN "1"]\n[Players "A B"]\n', '[CGN "1"]\n[Players "A B"]\n1. A ']))
def test_arbitrary_text_breaks_nothing(text: str, before: str) -> None:
    for item in read_text(before + text):
        check_item(item)


TERMINALS = {each.name: each.pattern.to_regexp() for each in parser().terminals}


@pytest.mark.parametrize("name", sorted(set(TERMINALS) - {"BLANK"}))
@given(data=st.data())
def test_the_expressions_of_the_lines_are_those_of_the_parser(name: str, data: st.DataObject) -> None:
    """Lark makes its own of the grammar, whose text `terminal` reads: each takes the words of the other, as far."""
    ours, theirs = re.compile(terminal(name)), re.compile(TERMINALS[name])
    word = data.draw(st.from_regex(ours) | st.from_regex(theirs)) + data.draw(st.sampled_from(["", " ", "x"]))
    own, lark = ours.search(word), theirs.search(word)
    assert (own and own.span()) == (lark and lark.span())
