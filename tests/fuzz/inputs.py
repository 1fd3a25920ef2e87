"""What the fuzz targets share: how many inputs, and records and texts that are spoiled at random from a seed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
ASKED = int(os.environ.get("COUPERATION_FUZZ", "0"))
"""So many inputs are tried by each target (`make fuzz`); 0 for the few of `make test`."""

PARTS = 8 if ASKED else 1
"""A target's inputs are split among so many tests, so that several processes can share them."""

SLOWEST = 5.0
"""Seconds of processor time that one input of a few kilobytes may take."""

Record = Callable[[str, object], None]

_TOKEN = re.compile(r"\s+|[A-Za-z]+|\d+|.", re.DOTALL)
_WORDS = re.findall(
    r"\S+",
    """? F -F ~ x = @ + - ^ _ | , { } ; # A B C D drop trim win loss stuck * deal reserve deck position tower turn gone
    front hands laid opened anchor [CGN "1"] [Rules [Marks [Variant [Players 0 1 25 50 51 99 007 1. 2. 999999999999
    g1 d7 a1 m1 h1 f2 g0 n1 finish first en-1 en-2 ja-2.2 bgg between=inclusive 17:H 17:1 Aki Ben ~? ~17 x25 x~? =~""",
)
_ODD = (
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\x00",
    "\x1b[2J",
    "\x85",
    "\u2028",
    "\ufeff",
    "é",
    "\U0001f0a1",
    "\u0661",
    "²",
    "½",
    '"',
    "\\",
)


def inputs(part: int, few: int) -> Iterator[int]:
    """The seeds of this part of a target."""
    count = ASKED // PARTS if ASKED else few
    yield from range(part * count, (part + 1) * count)


def tried(part: int, few: int, record: Record, attempt: Callable[[int], None]) -> None:
    """Try every input; none takes longer than it may. The count is told at the end of the run."""
    count, longest = 0, 0.0
    for seed in inputs(part, few):
        start = time.process_time()
        try:
            attempt(seed)
        except Exception as error:
            raise AssertionError(f"input {seed}: {type(error).__name__}: {error}") from error
        longest = max(longest, time.process_time() - start)
        assert longest < SLOWEST, f"input {seed} takes {longest:.1f} s"
        count += 1
    assert count
    record("inputs", count)
    record("longest", round(longest, 2))


def spoiled(draw: Random, text: str, others: tuple[str, ...]) -> str:
    """A text with some tokens, characters, lines or stretches changed, or exchanged for those of another text."""
    for _ in range(draw.choice((1, 1, 2, 3, 8))):
        way = draw.randrange(8)
        if way < 4:
            tokens = _TOKEN.findall(text) or [""]
            at = draw.randrange(len(tokens))
            other = draw.choice((draw.choice(tokens), draw.choice(_WORDS), str(draw.randrange(60)), ""))
            tokens[at : at + (way < 3)] = [other]
            text = "".join(tokens)
        elif way == 4:
            at = draw.randrange(len(text) + 1)
            text = text[:at] + draw.choice((*_ODD, chr(draw.randrange(32, 0x3000)))) + text[at + draw.randrange(2) :]
        elif way == 5:
            at = draw.randrange(len(text) + 1)
            text = text[:at] + text[at + draw.randrange(60) :]
        elif way == 6:
            lines = text.split("\n")
            one, two = draw.randrange(len(lines)), draw.randrange(len(lines))
            lines[one], lines[two] = draw.choice(((lines[two], lines[one]), (lines[two], lines[two])))
            text = "\n".join(lines)
        else:
            other = draw.choice(others)
            at, start = draw.randrange(len(text) + 1), draw.randrange(len(other) + 1)
            text = text[:at] + other[start : start + draw.randrange(200)] + text[at:]
    return text


def spoiled_bytes(draw: Random, data: bytes) -> bytes:
    """Some bytes changed, left out or put in."""
    changed = bytearray(data)
    for _ in range(draw.choice((0, 0, 1, 2))):
        at = draw.randrange(len(changed) + 1)
        changed[at : at + draw.randrange(3)] = bytes(draw.randrange(256) for _ in range(draw.randrange(3)))
    return bytes(changed)
