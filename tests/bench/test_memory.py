"""Memory does not grow with the number of games, whatever the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.memory import GAMES, Cost, at_a_million, cost
from tests.conftest import LONG, some
from tests.kit.started import run

pytestmark = pytest.mark.slow

FEW, MANY, MORE = (1_000, 3_000, 2.5) if LONG else (600, 2_100, 1.8)
"""So many games, all shared among processes, and so many MiB more for the many: half of what they take as SARIF where
all of it is kept.
"""


@pytest.mark.parametrize(
    "command, kind", some([(("check", "--output-format", "sarif"), "broken"), (("fmt",), "legal")], 2)
)
def test_sarif_and_fmt_are_flat(tmp_path: Path, command: tuple[str, ...], kind: str) -> None:
    file = tmp_path / "games.cgn"
    file.write_text(GAMES[kind] * FEW)
    small = cost(*command, str(file))
    file.write_text(GAMES[kind] * MANY)
    large = cost(*command, str(file))
    assert large.memory - small.memory < MORE
    assert large.memory < 100


def test_a_million_is_on_the_line() -> None:
    assert at_a_million((1_000, 2_000), Cost(20, 1), Cost(21, 1)) == 1019
    assert at_a_million((1_000, 2_000), Cost(21, 1), Cost(20, 1)) == 20


@pytest.mark.parametrize("games", some([["broken", "legal", "broken"], [], ["legal"], ["broken"]], 2))
def test_what_is_written_as_it_goes_is_one_document(tmp_path: Path, games: list[str]) -> None:
    file = tmp_path / "games.cgn"
    file.write_text("".join(GAMES[kind] for kind in games))
    (told,) = json.loads(run(["check", "--output-format", "sarif", file]).stdout)["runs"]
    assert [each["properties"]["game"] for each in told["results"]] == (
        [place for place, kind in enumerate(games, 1) if kind == "broken"] or ([] if games else [1])
    )
