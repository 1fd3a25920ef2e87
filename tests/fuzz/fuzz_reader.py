"""What the tests of fuzz reader share with others."""

from __future__ import annotations

from random import Random

from tests.fuzz.inputs import DATA, ROOT

TEXTS = tuple(
    path.read_text(encoding="utf-8")
    for path in (
        *sorted(DATA.glob("games/*.cgn"))[:24],
        *sorted(DATA.glob("rulings/*.cgn")),
        *sorted(DATA.glob("positions/*.cgn")) * 2,
        *sorted((ROOT / "examples").rglob("*.cgn")) * 2,
    )
)


def shortened(draw: Random, text: str) -> str:
    """A text, mostly cut after some turns, so that more of them are tried."""
    lines = text.split("\n")
    turns = [at for at, line in enumerate(lines) if line[:1].isdigit()]
    return "\n".join(lines[: draw.choice(turns) + 1]) + "\n" if turns and draw.random() < 0.8 else text
