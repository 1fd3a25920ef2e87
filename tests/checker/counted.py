"""Counting certificates of every kind on changed tables late in sampled games, with the numbers that are those of the
table: most prove nothing, and some do.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from couperation_checker.claims import RULINGS
from couperation_checker.counting import SHAPE, _theorem, counts
from couperation_checker.position import Table, read
from couperation_checker.tower import standing, window

from couperation_formal.game.position import position_of
from couperation_formal.notation.write import position_text
from tests.checker.table_corruptions import LAID, made, table as table_of
from tests.checker.tables import Late, late_tables, veiled

KINDS = str(SHAPE["kind"]).split("|")
DRAWS = ("hearts_below", "heart_over_back", "finish_refill", "finish_in_hand", "replace_target")
OPTIONS = {name: some.split("|") for name, some in RULINGS.items()}
Lines = dict[str, list[str]]


def counted(games: int, last: int) -> Iterator[dict[str, Any]]:
    """The certificates on the last tables of so many games, shown whole and in part."""
    for seed in range(games):
        rng = Random(seed)
        for late in late_tables(seed, last):
            for shown in (late, late._replace(state=veiled(rng, late.state))):
                yield from certificates(rng, shown)


def certificates(rng: Random, late: Late) -> Iterator[dict[str, Any]]:
    """One of each kind that can be written, on one changed table."""
    rulings = msgspec.structs.asdict(late.rules.rulings) | {name: rng.choice(OPTIONS[name]) for name in DRAWS}
    marks = " ".join(f"{card}:{mark}" for card, mark in late.state.marks.items() if rng.random() < 0.8)
    tags = tuple((name, marks if name == "Marks" else value) for name, value in late.tags)
    text = changed(rng, position_text(position_of(late.state, late.rules, tags)), rulings["draw_source"])
    table = read(text, rulings, mover=True)
    for kind in KINDS:
        cells, edges, cards = named(rng, table, kind)
        numbers, _, _ = _theorem(table, kind, cells, edges)
        if max(numbers.values()) < 100:
            evidence = {"kind": kind, "numbers": {**numbers}, "cells": cells, "cards": cards}
            yield made("table-deadlocked", text, evidence, **rulings)


def limits(number: int) -> Iterator[dict[str, Any]]:
    """Counts of the counting game, right where it is asked, whose draws have limits of all sorts: one card is left, not
    seen, and the apex has to be laid again; or only F, for the apex, when an odd number of cards was opened.
    """
    for seed in range(number):
        rng = Random(seed)
        finish = rng.random() < 0.3
        down = rng.sample(LAID, rng.choice((1, 3) if finish else (0, 1, 3, 9)))
        tower = [f"~{word}" if word in down else word for word in LAID]
        marks = " ".join(f"{card}:{rng.choice('12HH')}" for card in range(1, 51) if rng.random() < 0.8)
        rulings = {name: rng.choice(OPTIONS[name]) for name in (*DRAWS, "draw_source")} | {"early_apex": "no_win"}
        rulings["replace_target"] = "any"
        sources = rng.choice(([word for word in tower if word[0] == "~"] or tower, tower))
        last = " ".join(laid_last(rng, [word.split("@") for word in sources], rulings["draw_source"]))
        variant = "finish" if finish else "first"
        text = table_of(tower if finish else [*tower, "28@d7"], "", "", last, marks, variant=variant)
        text = f"{text}front Ada\n" if finish else text.replace("hand Bo ", "hand Bo ?").replace("gone 2 ", "gone ")
        rulings = made("", text, {}, **rulings)["rulings"]
        numbers, _, _ = _theorem(read(text, rulings, mover=True), "turns", [], {})
        evidence = {"kind": "turns", "numbers": {**numbers}, "cells": [], "cards": []}
        yield made("table-deadlocked", text, evidence, **rulings)


def changed(rng: Random, text: str, source: str) -> str:
    """The position with cards exchanged or turned in the tower, or others gone, and another card laid last."""
    head, state = text.split("position\n")
    lines: Lines = {}
    for words in map(str.split, state.splitlines()):
        size = 2 if words[0] == "hand" else 1
        lines[" ".join(words[:size])] = words[size:]
    lines.pop("skipped", None)
    lines.setdefault("gone", [])
    tower, mode = [word.split("@") for word in lines["tower"]], rng.random()
    glass = [at for at, (card, _) in enumerate(tower) if card.strip("~").isdigit()]
    for _ in range(rng.randint(1, 3) if mode < 0.35 and len(glass) > 1 else 0):
        one, other = rng.sample(glass, 2)
        tower[one][0], tower[other][0] = tower[other][0], tower[one][0]
    turned = rng.choice((0, 0, 0.2, 1))
    for at in glass:
        if tower[at][1][1] != "7" and rng.random() < turned:
            bare = tower[at][0].strip("~")
            tower[at][0] = f"~{bare}" if turned < 1 and rng.random() < 0.5 else bare
        tower[at][0] = tower[at][0].strip("~") if tower[at][1][1] == "7" else tower[at][0]
    lines["tower"] = ["@".join(pair) for pair in tower]
    hands = [name for name in lines if name.startswith("hand")]
    if 0.3 < mode < 0.5:
        lose(lines, f"hand {lines['turn'][0]}", 0)
    for name in hands if mode > 0.4 else []:
        lose(lines, name, rng.choice((rng.randint(0, 3), 9)))
    if mode > 0.4:
        owned = sum(len(lines[name]) for name in hands)
        lose(lines, "deck", max(0, 28 - len(tower) - owned + rng.randint(-2, 5)))
    lines["last"] = laid_last(rng, tower, source)
    if rng.random() < 0.1 or not lines["last"]:
        del lines["last"]
    told = {name: words for name, words in lines.items() if words or name in hands}
    return head + "position\n" + "".join(f"{' '.join([name, *words])}\n" for name, words in told.items())


def lose(lines: Lines, name: str, kept: int) -> None:
    """Only so many cards are kept, and the others gone."""
    cards = lines.get(name, [])
    lines["gone"] += cards[kept:]
    lines[name] = cards[:kept]


def laid_last(rng: Random, tower: list[list[str]], source: str) -> list[str]:
    card, cell = rng.choice(tower)
    if source == "nothing" and rng.random() < 0.3:
        return ["-"]
    laid_down = source == "as_laid" and card.isdigit() and cell[1] != "7" and rng.random() < 0.5
    return [cell, *(["laid", "down"] if laid_down else [])]


def named(rng: Random, table: Table, kind: str) -> tuple[list[str], dict[str, int], list[int]]:
    """The cells, the edges of an interval, and the cards."""
    edges = {"above": 0, "below": 0}
    if kind == "order":
        cells = sorted(table.tower)
        return sorted(rng.sample(cells, rng.choice((len(cells), rng.randint(1, len(cells)))))), edges, []
    if kind in ("finish", "apex"):
        return sorted(_theorem(table, kind, [], edges)[1]), edges, []
    return crowded(table) if kind == "interval" and len(table.places) == 1 else ([], edges, [])


def crowded(table: Table) -> tuple[list[str], dict[str, int], list[int]]:
    """The interval with the most cells for its numbers."""
    empty, cards = counts(table)
    lying = {cell: card for cell, (card, _) in table.tower.items() if isinstance(card, int)}
    stay = table.up if empty < cards else lying
    _, bounds, free = standing(table, table.places[0], stay)
    values = set(range(1, 51)).difference(table.gone, stay.values(), table.reserve if empty == cards else ())
    windows = {cell: window(bounds, cell) for cell in sorted(free)}
    found = []
    for above in {0, *(low for low, _ in windows.values())}:
        for below in {51, *(high for _, high in windows.values())}:
            cells = [cell for cell, (low, high) in windows.items() if above <= low and high <= below]
            left = sorted(value for value in values if above < value < below)
            found.append((len(cells) - len(left), cells, {"above": above, "below": below}, left))
    return max(found, key=lambda each: each[0])[1:]
