"""Corruptions of one field of a certificate: changed, left out, added to, swapped, one at a time."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.checker.towers import RULINGS

CELLS = [f"{column}{level}" for column in "abcdefghijklm" for level in range(1, 8)]
WORDS = {"format", "claim", "kind", "why"}  # another word here is another form
RANGES = {"above": (0, 51), "below": (0, 51), "left": (1, 50), "filling": (1, 50), "distance": (0, 28)}


class Corruption(NamedTuple):
    """One changed certificate: where (indices left out, kinds put in), whether its form is broken, and itself."""

    field: str
    form: bool
    certificate: Any


def corruptions(certificate: dict[str, Any], rng: random.Random) -> Iterator[Corruption]:
    for path, field in walk(certificate, (), "", rng):
        node = certificate
        for key in path[:-1]:
            node = node[key]
        for form, value in changes(path, field, node[path[-1]], rng):
            yield Corruption(field, form, replaced(certificate, path, value))
    for name in certificate:
        yield Corruption(name, True, {key: value for key, value in certificate.items() if key != name})
    yield Corruption("unknown", True, {**certificate, "comment": "right"})
    for where, text in positions(certificate["position"], rng):
        yield Corruption(f"position.{where}", False, {**certificate, "position": text})


def replaced(node: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The node with another value at a path; what lies off the path is shared."""
    if not path:
        return value
    copy = node.copy()
    copy[path[0]] = replaced(node[path[0]], path[1:], value)
    return copy


def walk(node: Any, path: tuple[Any, ...], field: str, rng: random.Random) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The paths of a certificate's fields, three of the items of each array and of the filling."""
    if isinstance(node, dict):
        names = list(node)
        if path[-1:] == ("filling",):
            names = rng.sample(names, min(4, len(names)))
        field += f"<{node['kind']}>" if "kind" in node else ""
        for name in names:
            inner = f"{field}.{'{}' if path[-1:] == ('filling',) else name}".lstrip(".")
            if name != "position":
                yield (*path, name), inner
                yield from walk(node[name], (*path, name), inner, rng)
    elif isinstance(node, list):
        for index in sorted(rng.sample(range(len(node)), min(3, len(node)))):
            yield (*path, index), f"{field}[]"
            yield from walk(node[index], (*path, index), f"{field}[]", rng)


def changes(path: tuple[Any, ...], field: str, value: Any, rng: random.Random) -> Iterator[tuple[bool, Any]]:
    """Other values for a field: whether the form is broken, and the value."""
    name = next(key for key in reversed(path) if isinstance(key, str) and key not in CELLS)
    if path[0] == "rulings" and len(path) == 2:
        yield from ((False, option) for option in RULINGS[name] if option != value)
        yield True, "sometimes"
    elif name in WORDS:
        yield from ((True, other) for other in (0, "1", "tower", "interval", "tree", "finish", None) if other != value)
    elif name in ("column", "cells", "give_up", "cell") and isinstance(value, str):
        others = "abcdefghm" if name == "column" else CELLS
        yield from ((False, other) for other in rng.sample([o for o in others if o != value], 3))
        yield True, "d8" if name != "column" else "n"
    elif isinstance(value, int):
        low, high = RANGES.get(name, (0, 90))
        near = {value - 1, value + 1, rng.randint(low, high)} - {value}
        yield from ((False, other) for other in sorted(near) if low <= other <= high)
        yield from ((True, other) for other in rng.sample([str(value), float(value), True, 10**9, None, [value]], 2))
        if name == "filling":
            yield from ((False, other) for other in ("F", *rng.sample([v for v in range(1, 51) if v != value], 4)))
    elif isinstance(value, list):
        yield from lists(field.endswith("<order>.cells"), name, value, rng)
    elif isinstance(value, dict):
        yield from dicts(name, value, rng)
        yield from ((False, other) for other in instead(name, rng) if other != value)
    else:
        yield True, 7 if value is None else "f"
        if value == "F":
            yield False, rng.randint(1, 50)


def lists(pair: bool, name: str, value: list[Any], rng: random.Random) -> Iterator[tuple[bool, Any]]:
    yield True, {}
    if value:
        index = rng.randrange(len(value))
        yield pair, value[:index] + value[index + 1 :]
        yield pair, [*value, value[index]]
        yield pair, [value[index], *value]
    if len(value) > 1:
        yield False, [*value[1:], value[0]]
    new = {
        "cells": rng.choice(CELLS),
        "give_up": rng.choice(CELLS),
        "left": rng.randint(1, 50),
        "branches": len(value) + 1,
    }
    if name in new:
        yield pair, [*value, new[name]]
        yield pair, sorted([*value, new[name]])


def dicts(name: str, value: dict[str, Any], rng: random.Random) -> Iterator[tuple[bool, Any]]:
    fixed = name != "filling"
    if value:
        gone = rng.choice(list(value))
        yield fixed, {key: item for key, item in value.items() if key != gone}
    yield fixed, {**value, rng.choice([cell for cell in CELLS if cell not in value]): rng.randint(1, 50)}
    yield True, []
    if not fixed:
        yield True, {**value, "d0": 5}
        numbers = [cell for cell in value if value[cell] != "F"]
        for one, two in (rng.sample(numbers, 2) for _ in range(3 if len(numbers) > 1 else 0)):
            yield False, {**value, one: value[two], two: value[one]}


def instead(name: str, rng: random.Random) -> list[dict[str, Any]]:
    """Reasons and proofs of every kind, to stand where another one stood."""
    if name == "proof":
        return [{"kind": "disjoint", "conflicts": []}, {"kind": "tree", "conflicts": [], "nodes": []}]
    full = {"kind": "interval", "above": 0, "below": 51, "cells": ["h1"], "left": list(range(1, 51))}
    reasons: list[dict[str, Any]] = [
        full,
        {"kind": "order", "cells": rng.sample(CELLS, 2)},
        {"kind": "gone", "intervals": [], "missing": 1},
        {"kind": "finish", "why": "gone", "cell": None},
        {"kind": "finish", "why": "below_apex", "cell": rng.choice(CELLS)},
    ]
    if name == "conflicts":
        return [{"cells": [], "reason": reason} for reason in reasons]
    return {"reason": reasons, "intervals": [full]}.get(name, [])


def positions(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Edits of the position's text by what they change."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        kind, *words = line.split()

        def put(new: list[str], number: int = number, kind: str = kind) -> str:
            return "\n".join([*lines[:number], " ".join([kind, *new]), *lines[number + 1 :], ""])

        value = str(rng.randint(1, 50))
        if kind == "tower":
            for index in sorted(rng.sample(range(len(words)), min(8, len(words)))):
                card, cell = words[index].split("@")
                yield "tower", put(words[:index] + words[index + 1 :])
                for where, new in (
                    ("card", f"{value}@{cell}"), ("face", f"{card.strip('~') if '~' in card else '~' + card}@{cell}"),
                    ("cell", f"{card}@{rng.choice(CELLS)}"), ("F", f"F@{cell}"), ("unseen", f"~?@{cell}"),
                ):  # fmt: skip
                    if new != words[index] and not new.startswith("?"):
                        yield f"tower.{where}", put([*words[:index], new, *words[index + 1 :]])
            yield from ((f"tower.{face}", put([*words, f"{face}{value}@{rng.choice(CELLS)}"])) for face in ("", "~"))
        elif kind in ("hand", "reserve", "deck", "gone"):
            start = 1 if kind == "hand" else 0
            for index in sorted(rng.sample(range(start, len(words)), min(4, len(words) - start))):
                yield kind, put(words[:index] + words[index + 1 :])
            yield from ((f"{kind}.more", put([*words, str(rng.randint(1, 50))])) for _ in range(4))
            yield f"{kind}.F", put([*words, "F"])
            yield f"{kind}.unseen", put([*words, "?"])
            yield f"{kind}.many", put([*words, *["?"] * 6])
        elif kind == "[Variant":
            yield (
                "variant",
                text.replace('"finish"', '"first"') if "finish" in line else text.replace('"first"', '"finish"'),
            )
    yield "rules", text.replace("position\n", '[Rules "en-1 anchor=middle"]\nposition\n')
