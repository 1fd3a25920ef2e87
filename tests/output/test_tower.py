from __future__ import annotations

from collections.abc import Mapping

import pytest

from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Cell, Down, Laid, Tower, Up, Value
from couperation_formal.output.blocks import draw_tower


def up(value: int) -> Up:
    return Up(Value(value))


def drawing(cells: Mapping[Cell, Laid], rules: str, marked: Cell | None = None, attempt: Laid | None = None) -> str:
    lines = draw_tower(Tower.of(STANDARD, cells), parse_rules(rules).rulings, marked, attempt)
    assert all(line == line.rstrip() for line in lines)
    return "\n".join(lines)


G1, F1, H1, F2, G2 = Cell(6, 1), Cell(5, 1), Cell(7, 1), Cell(5, 2), Cell(6, 2)


def test_the_set_up_of_a_floating_tower_shows_both_neighbours() -> None:
    assert drawing({G1: up(25)}, "ja-2.2") == "1     ·    25     ·\n      f     g     h"


def test_a_pyramid_in_the_middle_is_drawn_whole() -> None:
    assert drawing({G1: up(25)}, "en-2") == (
        "1     ·     ·     ·    25     ·     ·     ·\n      d     e     f     g     h     i     j"
    )


def test_every_way_to_lie_and_the_card_laid_last() -> None:
    cells: dict[Cell, Laid] = {G1: up(25), F1: up(7), H1: Up(FINISH), F2: Down(UNSEEN), G2: Down(Value(16))}
    assert drawing(cells, "ja-2.2", G2) == (
        "3                 ·\n"
        "2             ~?   [~16]\n"
        "1     ·     7    25     F     ·\n"
        "      e     f     g     h     i"
    )


def test_an_attempt_takes_the_place_of_what_lies_there() -> None:
    assert "[17]" in drawing({G1: up(25)}, "ja-2.2", G1, up(17))
    assert "25" not in drawing({G1: up(25)}, "ja-2.2", G1, up(17))


def test_an_attempt_in_the_air_and_outside_every_pyramid_is_drawn() -> None:
    assert drawing({G1: up(25)}, "en-2", Cell(12, 2), up(17)).splitlines()[0].strip().endswith("[17]")


def test_a_tower_whose_pyramid_is_known_has_no_columns_beyond_it() -> None:
    row = {Cell(column, 1): up(10 + column) for column in range(7)}
    assert drawing(row, "ja-2.2").splitlines()[-1].split() == list("abcdefg")


@pytest.mark.parametrize("column", range(7))
def test_empty_cells_with_supports_are_dots(column: int) -> None:
    row = {Cell(column, 1): up(10), Cell(column + 1, 1): up(20)}
    upper, lower, _ = drawing(row, "ja-2.2").splitlines()
    assert upper.split() == ["2", "·"]
    assert lower.index("10") < upper.index("·") < lower.index("20") + 2


def test_the_whole_tower_fits_a_terminal_of_80_columns() -> None:
    full = {cell: up(1 + place) for place, cell in enumerate(STANDARD.pyramid(3))}
    lines = drawing(full, "ja-2.2").splitlines()
    assert len(lines) == 8
    assert "·" not in "".join(lines)
    assert max(map(len, lines)) < 70
