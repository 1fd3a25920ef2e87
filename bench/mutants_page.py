"""The page of a mutation campaign: a row a room, the equivalent mutants with their reasons, the surviving ones."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import msgspec

from bench.mutants_places import LEFT_OUT, ROOMS, Place

FOLDER = Path(__file__).resolve().parent

Key = tuple[str, str, str, str, int]
"""Module, function, the lines before and after the change, and which of the places with the same text."""


class Tried(msgspec.Struct, frozen=True):
    """What became of a mutant. `outcome` is killed, endless (killed by the limit), survived or unreached."""

    module: str
    function: str
    before: str
    after: str
    nth: int
    outcome: str
    by: str = ""
    """The test that failed."""
    tests: int = 0
    """So many were chosen."""
    seconds: float = 0
    """Processor time."""

    @property
    def key(self) -> Key:
        """What the mutant is, whatever line it stands in."""
        return self.module, self.function, self.before, self.after, self.nth


def equivalents() -> dict[tuple[str, str, str, str], str]:
    """Mutants whose answers are the same, each with the reason."""
    told = tomllib.loads((FOLDER / "mutants.toml").read_text())["equivalent"]
    return {(each["module"], each["function"], each["before"], each["after"]): each["why"] for each in told}


def report(
    found: list[tuple[Place, Tried]], drawn: list[Place], same: dict[tuple[str, str, str, str], str], **limits: int
) -> str:
    """The page: a row a room, those of the sample that are not tried yet too; the equivalent and the surviving ones.

    `limits` are the numbers that the page tells of the campaign.
    """
    rows = {room: Counter[str]() for room in (*ROOMS, "all")}
    sizes = Counter(room for place in drawn for room in (place.room, "all"))
    equal: list[str] = []
    alive: list[str] = []
    for place, tried in found:
        killed = tried.outcome in ("killed", "endless")
        why = None if killed else same.get(tried.key[:4])
        kinds = ["tried", "killed" if killed else "surviving" if why is None else "equivalent"]
        kinds += ["endless"] * (tried.outcome == "endless")
        rows[place.room].update(kinds)
        rows["all"].update(kinds)
        told = f"- `{tried.module}` `{tried.function}`: `{tried.before}` → `{tried.after}`"
        if not killed:
            (alive if why is None else equal).append(told + ("" if why is None else f": {why}"))
    table = "\n".join(
        f"| {room} | {row['tried']} | {sizes[room] - row['tried']} | {row['killed']} | {row['endless']} | "
        f"{row['equivalent']} | {row['surviving']} | "
        f"{100 * row['killed'] / max(1, row['tried'] - row['equivalent']):.1f} |"
        for room, row in rows.items()
    )
    return PAGE.format(
        table=table,
        **limits,
        out=", ".join(f"`{name}`" for name in LEFT_OUT),
        seconds=round(sum(tried.seconds for _, tried in found)),
        equivalent="\n".join(sorted(equal)) or "None.",
        surviving="\n".join(sorted(alive)) or "None.",
    )


PAGE = """\
# Do the tests notice?

`make mutants`. The code is changed at one place at a time by the operators of cosmic-ray (bounds of comparisons, signs,
constants by one, conditions, loops, handlers), and the tests that run the changed block are run, the fastest first,
until one fails: all of them, or as many as take {most} seconds of processor time. The places are drawn by a hash with
the seed {seed}. An *endless* mutant was ended where a test took {patience} times its processor time and {grace} seconds
more; it counts as killed. Tests that start browsers, servers and builds or try inputs at random were left out. An
*equivalent* mutant gives the same answers; why is said below. Each test that killed was run without a mutant too, and
passes. Modules that are to be replaced are no part of it: {out}.

| room | tried | not tried yet | killed | of these endless | equivalent | surviving | killed of those that differ, % |
|---|---|---|---|---|---|---|---|
{table}

The tests took {seconds} seconds of processor time.

## Equivalent

{equivalent}

## Surviving

{surviving}
"""
