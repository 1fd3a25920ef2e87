"""Drawings of towers: what stands where, in shapes and in words, and that it is SVG."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import (
    FINISH,
    STANDARD,
    UNSEEN,
    Cell,
    Down,
    Laid,
    Mark,
    Tower,
    Up,
    Value,
    column_name,
)
from couperation_formal.output.blocks import draw_tower
from couperation_formal.output.svg import (
    DARK,
    LIGHT,
    RISE,
    STEP,
    Picture,
    Theme,
    card_glass,
    frame_of,
    home_column,
    middle,
    tower_picture,
    tower_svg,
)
from tests.towers.completion.towers import random_position

MIDDLE, FLOATING = parse_rules("en-2").rulings, parse_rules("ja-2.2").rulings
G1, F1, H1, F2, G2 = Cell(6, 1), Cell(5, 1), Cell(7, 1), Cell(5, 2), Cell(6, 2)
NAMESPACE = "{http://www.w3.org/2000/svg}"


def up(value: int) -> Up:
    return Up(Value(value))


def full_tower(left: int) -> Tower:
    cells: dict[Cell, Laid] = {cell: up(at + 1) for at, cell in enumerate(STANDARD.pyramid(left))}
    return Tower.of(STANDARD, cells)


def slots(svg: str) -> dict[str, tuple[list[str], list[str]]]:
    """The shapes and texts of each cell."""
    found = {}
    for element in ElementTree.fromstring(svg).iter(f"{NAMESPACE}g"):
        if "data-cell" in element.attrib:
            shapes = [use.attrib["href"].removeprefix("#cf-") for use in element.iter(f"{NAMESPACE}use")]
            texts = [each.text or "" for each in element.iter(f"{NAMESPACE}text") if "halo" not in each.attrib["class"]]
            found[element.attrib["data-cell"]] = (shapes, texts)
    return found


def test_every_meaning_has_a_shape_or_a_letter_of_its_own() -> None:
    cells: dict[Cell, Laid] = {
        G1: up(25), F1: up(7), H1: Up(FINISH), F2: Down(UNSEEN), G2: Down(Value(16)),
        Cell(4, 1): up(3), Cell(4, 2): up(5),
    }  # fmt: skip
    picture = tower_picture(
        Tower.of(STANDARD, cells),
        FLOATING,
        {Value(25): "2", Value(7): "1", Value(3): "H", Value(16): "1"},
        laid=G1,
        conflict={F1},
        refused=(Cell(8, 1), up(9)),
        filling={Cell(4, 3): "6", G2: "12"},
    )
    assert slots(tower_svg(picture)) == {
        "e1": (["up", "mark-H"], ["3"]),
        "f1": (["up", "mark-1", "conflict"], ["7"]),
        "g1": (["up", "laid", "mark-2"], ["25"]),
        "h1": (["up", "star"], ["F"]),
        "i1": (["up", "refused"], ["9"]),
        "e2": (["up"], ["5"]),
        "f2": (["down"], ["~?"]),
        "g2": (["fill"], ["(12)"]),
        "e3": (["fill"], ["(6)"]),
    }
    root = ElementTree.fromstring(tower_svg(picture))
    assert root.findtext(f"{NAMESPACE}title") == (
        "Tower with 7 of 28 cells laid, 2 down, 9 on i1 refused, conflict of f1, a filling in parentheses"
    )
    assert (root.findtext(f"{NAMESPACE}desc") or "").splitlines() == DRAWING


DRAWING = [
    "3          (6)",
    "2        5    ~?   (12)",
    "1     3    [7]  [25]    F    [9]",
    "      e     f     g     h     i",
]


@pytest.mark.parametrize("left", range(7))
def test_every_place_of_the_columns(left: int) -> None:
    svg = tower_svg(tower_picture(full_tower(left), FLOATING), names=True)
    found = slots(svg)
    assert len(found) == 28
    assert all(texts[-1] == cell for cell, (_, texts) in found.items())
    root = ElementTree.fromstring(svg)
    letters = [each.text for each in root.iter(f"{NAMESPACE}text") if "cf-name" in each.attrib["class"]]
    assert [column_name(left + k) for k in range(7)] == letters[:7]
    assert set("1234567") <= set(map(str, letters))


def test_glasses_stand_on_the_two_below_and_do_not_overlap() -> None:
    cells = [cell for left in range(7) for cell in STANDARD.pyramid(left)]
    for cell in set(cells):
        x, y = middle(cell)
        if cell.level > 1:
            (left, below), (right, _) = map(middle, cell.supports)
            assert (left + right) / 2 == x
            assert (right - left, below - y) == (STEP, RISE)
    places = {middle(cell) for cell in set(cells)}
    assert len(places) == len(set(cells))
    frame = frame_of(set(cells))
    for x, y in places:
        assert frame.x < x - STEP / 2
        assert x + STEP / 2 < frame.x + frame.width
        assert frame.y < y
        assert y + RISE < frame.y + frame.height


@pytest.mark.parametrize("rules", ["en-2", "ja-2.2"])
def test_the_description_is_the_terminals_drawing(rules: str) -> None:
    """Where both show the same cells: the pyramid is known, or the tower has no gap on level 1."""
    rulings = parse_rules(rules).rulings
    tower = Tower.start(STANDARD)
    cells: dict[Cell, Laid] = {F1: up(20), H1: up(30), F2: Down(UNSEEN), G2: up(28), Cell(5, 3): up(26)}
    for cell, laid in cells.items():
        tower = tower.lay(cell, laid)
        text = tower_picture(tower, rulings, laid=cell).text
        drawn = "\n".join(draw_tower(tower, rulings, cell))
        assert _words(text) <= _words(drawn)
        assert {word for word in _words(drawn) if word.isdigit() or "[" in word or "~" in word} <= _words(text)


def _words(text: str) -> set[str]:
    return set(text.split())


def test_a_pyramid_that_is_known_is_shown_whole_and_others_are_not() -> None:
    start = Tower.start(STANDARD)
    kinds = [glass.kind for glass in tower_picture(start, MIDDLE).glasses]
    assert (len(kinds), kinds.count("up")) == (28, 1)
    floating = tower_picture(start, FLOATING).glasses
    assert [(str(glass.cell), glass.kind) for glass in floating] == [("f1", "open"), ("g1", "up"), ("h1", "open")]


def test_an_attempt_outside_every_pyramid_is_drawn() -> None:
    picture = tower_picture(Tower.start(STANDARD), MIDDLE, refused=(Cell(12, 1), up(3)), conflict={Cell(0, 3)})
    assert {str(glass.cell): glass.flag for glass in picture.glasses if glass.flag} == {
        "m1": "refused",
        "a3": "conflict",
    }


@pytest.mark.parametrize("rules, cells, home", [
    (MIDDLE, {G1}, 3), (FLOATING, {G1}, 3), (FLOATING, {G1, Cell(0, 1)}, 0), (FLOATING, {G1, Cell(12, 1)}, 6),
    (FLOATING, {G1, Cell(4, 5)}, 3), (FLOATING, {Cell(0, 1), Cell(12, 1)}, 3),
])  # fmt: skip
def test_the_pyramid_at_home(rules: object, cells: set[Cell], home: int) -> None:
    tower = Tower.of(STANDARD, {cell: up(25) for cell in cells})
    assert home_column(tower, rules) == home  # type: ignore[arg-type]


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_themes(theme: Theme) -> None:
    svg = tower_svg(tower_picture(full_tower(3), MIDDLE), theme)
    assert ("prefers-color-scheme" in svg) == (theme == "auto")
    assert (LIGHT["ink"] in svg) == (theme != "dark")
    assert (DARK["ink"] in svg) == (theme != "light")
    assert "{" not in re.sub(r"<style>.*?</style>", "", svg, flags=re.DOTALL)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(palette: dict[str, str]) -> None:
    """Text has at least 4.5 : 1 (WCAG 2.2, 1.4.3), lines that mean something 3 : 1 (1.4.11)."""
    for word in ("ink", "soft", "gold", "wrong"):
        assert _contrast(palette[word], palette["ground"]) >= 4.5, word
        assert _contrast(palette[word], palette["glass"]) >= 4.5, word
    for back in ("wine", "hatch", "glass"):
        assert _contrast(palette["ink"], palette[back]) >= 4.5, back
    assert _contrast(palette["line"], palette["ground"]) >= 3


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@given(st.integers(0, 10**9))
def test_any_tower_is_well_formed_and_shows_each_card_once(seed: int) -> None:
    position, _ = random_position(Random(seed))
    tower = Tower.of(STANDARD, dict(position.tower))
    if not tower.cells:
        return
    picture = tower_picture(tower, position.rules.rulings, laid=min(tower.cells))
    found = slots(tower_svg(picture))
    assert {cell: texts[0] for cell, (_, texts) in found.items() if texts} == {
        str(cell): str(laid) for cell, laid in tower.cells.items()
    }
    for laid in tower.cells.values():
        assert str(laid) in picture.text


def test_the_mark_of_a_card_that_lies_down_is_not_drawn() -> None:
    marks: dict[Value, Mark] = {Value(17): "H"}
    glasses = [card_glass(F1, laid, marks) for laid in (up(17), Down(Value(17)))]
    assert [glass.mark for glass in glasses] == ["H", None]


def test_text_is_escaped() -> None:
    picture = Picture((), "<b>&\x1b", "a < b\n\x00")
    glasses = tower_picture(Tower.start(STANDARD), MIDDLE).glasses
    svg = tower_svg(Picture(glasses, picture.title, picture.text))
    root = ElementTree.fromstring(svg)
    assert root.findtext(f"{NAMESPACE}title") == "<b>&\\x1b"
    assert root.findtext(f"{NAMESPACE}desc") == "a < b\n\\x00"
