"""Compare the oracle with expected answers: ``python -m tests.oracle FOLDER``, with .cgn files and expected.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .game import Action
from .reader import write_cell
from .replayer import judge, oracle_moves


def plain(action: Action) -> tuple[Any, ...]:
    """An action with its cards and cells as the expected answers write them; sets stay sets."""
    if action[0] == "C":
        return "C", write_cell(action[1])
    if action[0] in "AB":
        return action[0], str(action[1]), write_cell(action[2])
    _, taken, cell, sent, destroyed, face_up, replacing = action
    return (
        "D",
        str(taken),
        write_cell(cell),
        frozenset(map(str, sent)),
        frozenset(map(str, destroyed)),
        face_up,
        replacing,
    )


def listed(move: list[Any]) -> tuple[Any, ...]:
    """A move of the expected answers in the form of `plain`."""
    return tuple(frozenset(part) if isinstance(part, list) else part for part in move)


def disagreements(text: str, expected: dict[str, Any]) -> list[str]:
    """What the oracle answers otherwise than expected; empty where it agrees in all."""
    answer = judge(text)
    found = []
    for name in ("verdict", "turn", "result"):
        if getattr(answer, name) != expected.get(name):
            found.append(f"{name} {getattr(answer, name)}, expected {expected.get(name)}")
    if answer.codes != set(expected.get("codes", [])):
        found.append(f"codes {sorted(answer.codes)}, expected {expected.get('codes')}")
    if "moves" in expected:
        mine = {plain(action) for action in oracle_moves(text, expected["moves_at"])}
        theirs = {listed(move) for move in expected["moves"]}
        if mine != theirs:
            found.append(f"moves at {expected['moves_at']}: only here {mine - theirs}, only there {theirs - mine}")
    return found


def main(folder: str) -> int:
    """Print each game's disagreements and the count; 0 where all agree, 1 otherwise, 2 without games."""
    expected = json.loads((Path(folder) / "expected.json").read_text(encoding="utf-8"))
    agreed = 0
    for name, answer in expected.items():
        found = disagreements((Path(folder) / name).read_text(encoding="utf-8"), answer)
        agreed += not found
        for line in found:
            print(f"{name}: {line}")
    print(f"{agreed} of {len(expected)} games agree")
    return 2 if not expected else int(agreed < len(expected))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
