"""Memory does not grow with the number of games, whatever the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.memory import GAMES, Cost, at_a_million, cost

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("command, kind", [(("check", "--output-format", "sarif"), "broken"), (("fmt",), "legal")])
def test_sarif_and_fmt_are_flat(tmp_path: Path, command: tuple[str, ...], kind: str) -> None:
    """Where all of it is kept, 2,000 games more take 5 MiB as SARIF and 12 MiB in canonical form."""
    file = tmp_path / "games.cgn"
    file.write_text(GAMES[kind] * 1_000)
    small = cost(*command, str(file))
    file.write_text(GAMES[kind] * 3_000)
    large = cost(*command, str(file))
    assert large.memory - small.memory < 2.5
    assert large.memory < 100


def test_a_million_is_on_the_line() -> None:
    assert at_a_million((1_000, 2_000), Cost(20, 1), Cost(21, 1)) == 1019
    assert at_a_million((1_000, 2_000), Cost(21, 1), Cost(20, 1)) == 20


@pytest.mark.parametrize("games", [[], ["legal"], ["broken"], ["broken", "legal", "broken"]])
def test_what_is_written_as_it_goes_is_one_document(tmp_path: Path, games: list[str]) -> None:
    file = tmp_path / "games.cgn"
    file.write_text("".join(GAMES[kind] for kind in games))
    command = [sys.executable, "-m", "couperation_formal", "check", "--output-format", "sarif", str(file)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    (run,) = json.loads(done.stdout)["runs"]
    assert [each["properties"]["game"] for each in run["results"]] == (
        [place for place, kind in enumerate(games, 1) if kind == "broken"] or ([] if games else [1])
    )
