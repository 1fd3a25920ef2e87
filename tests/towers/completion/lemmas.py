"""Writes the SMT-LIB files of the specification: ``python -m tests.towers.completion.lemmas``.

The texts of the lemmas stand here; loops only save writing the twenty-eight cells out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path

from couperation_formal.game.record import Position
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import FINISH, Cell, Up, Value
from couperation_formal.towers.completion.fill import fill, problems
from tests.towers.completion.smt_text import (
    APEX,
    CELLS,
    LEFT,
    SUPPORTED,
    at_or_below,
    betweenness,
    block,
    distinct,
    head,
    least_and_greatest,
    numbers,
    some_row_pair,
)

FOLDER = Path(__file__).parents[3] / "spec" / "smt"


def tower() -> Iterator[str]:
    yield from head(
        "The theory of a full tower, seven columns d to j: TOW02 and SET06. Numbers are those of the cards, 1 to 50.",
        "TOW01 is not stated: row-order.smt2 shows that it follows. Satisfiable: full towers exist.",
    )
    yield from numbers()
    yield from (f"(assert (<= 1 {cell} 50))" for cell in CELLS)
    yield distinct()
    yield from betweenness("<")
    yield "(set-info :status sat)"
    yield "(check-sat)"


def row_order() -> Iterator[str]:
    yield from head("In a full tower the order of each level (TOW01) follows from betweenness (TOW02).")
    yield from numbers()
    strict, lax = list(betweenness("<")), list(betweenness("<="))
    yield from block(
        "unsat", "Strict betweenness, and a card not below one to its right.", *strict, some_row_pair(">=")
    )
    yield from block(
        "unsat",
        "The same where the apex has no number (a Finish card under finish_value=none).",
        *betweenness("<", without=APEX),
        some_row_pair(">="),
    )
    yield from block(
        "unsat", "between=inclusive: the weak order of a level still follows.", *lax, some_row_pair(">")
    )  # fmt: skip
    yield from block(
        "sat", "It does not give the strict one by itself: equal numbers would do.", *lax, some_row_pair(">=")
    )
    yield from block(
        "unsat",
        "As each card exists once, it does. (The 378 differences are enough.)",
        *lax,
        *(f"(assert (not (= {low} {high})))" for low, high in combinations(CELLS, 2)),
        some_row_pair(">="),
    )
    yield from block(
        "sat",
        "Where a cell is still empty TOW01 says more: without d2 nothing orders d1 and e1.",
        *betweenness("<", without=Cell(LEFT, 2)),
        "(assert (>= d1 e1))",
    )


ORDER = """
; Cell (c, r): column c from 0 at the left end, level r from 1; the pyramid:
(define-fun cell ((c Int) (r Int)) Bool (and (<= 0 c) (<= 1 r) (<= (+ c r) 7)))
; p at or below q
(define-fun at-or-below ((c Int) (r Int) (d Int) (s Int)) Bool (and (<= c d) (<= (+ c r) (+ d s))))
"""


def order() -> Iterator[str]:
    yield from head(
        "The closed form of the order. TOW02 leads from (c, r) to (c, r + 1) and from (c, r) to (c + 1, r - 1).",
        "What these steps generate is: column not greater, and column + level not greater. By induction on the",
        "number of steps, and on (d - c) + (d + s - c - r), with the lemmas below. 2*column + level rises with it.",
    )
    yield from ORDER.splitlines()
    yield "(declare-const c Int) (declare-const r Int) (declare-const d Int) (declare-const s Int)"
    yield "(declare-const e Int) (declare-const t Int)"
    pair = ["(assert (cell c r))", "(assert (cell d s))"]
    first = "(and (= d c) (= s (+ r 1)))"
    second = "(and (= d (+ c 1)) (= s (- r 1)))"
    different = "(assert (not (and (= c d) (= r s))))"
    yield from block(
        "unsat",
        "Each step leads upward in the closed form.",
        *pair,
        f"(assert (or {first} {second}))",
        "(assert (not (at-or-below c r d s)))",
    )
    yield from block(
        "unsat",
        "The closed form is transitive.",
        "(assert (and (at-or-below c r d s) (at-or-below d s e t)))",
        "(assert (not (at-or-below c r e t)))",
    )
    yield from block(
        "unsat",
        "And antisymmetric.",
        "(assert (and (at-or-below c r d s) (at-or-below d s c r)))",
        different,
    )
    yield from block(
        "unsat",
        "Below another cell, some step stays in the pyramid and at or below that cell.",
        *pair,
        "(assert (at-or-below c r d s))",
        different,
        "(assert (not (and (cell c (+ r 1)) (at-or-below c (+ r 1) d s))))",
        "(assert (not (and (cell (+ c 1) (- r 1)) (at-or-below (+ c 1) (- r 1) d s))))",
    )
    yield from block(
        "unsat",
        "2*column + level rises along the order: it is a linear extension, with ties between unordered cells.",
        *pair,
        "(assert (at-or-below c r d s))",
        different,
        "(assert (>= (+ (* 2 c) r) (+ (* 2 d) s)))",
    )


def windows() -> Iterator[str]:
    yield from head(
        "Windows are monotone. Some cells are fixed; a fixed cell bounds those above it by over(cell) and those below",
        "it by under(cell): both are its number, save for the Finish card's apex under between=inclusive (24 and 26).",
        "The window of a cell is (lo, hi): lo is the greatest over of a fixed cell below it, 0 if there is none.",
        "If p is below q, then lo(p) <= lo(q) and hi(p) <= hi(q).",
        logic="UFLIA",
    )
    yield from ORDER.splitlines()
    yield "(define-fun below ((c Int) (r Int) (d Int) (s Int)) Bool"
    yield "  (and (at-or-below c r d s) (not (and (= c d) (= r s)))))"
    yield "(declare-fun fixed (Int Int) Bool)"
    yield "(declare-fun over (Int Int) Int)"
    yield "(declare-fun under (Int Int) Int)"
    yield "(declare-const c Int) (declare-const r Int) (declare-const d Int) (declare-const s Int)"
    yield "(declare-const lo-p Int) (declare-const lo-q Int) (declare-const hi-p Int) (declare-const hi-q Int)"
    yield "(assert (forall ((x Int) (y Int)) (=> (fixed x y) (and (< 0 (over x y)) (< (under x y) 51)))))"
    yield "(assert (below c r d s))"
    for cell, at in (("p", "c r"), ("q", "d s")):
        yield f"; lo and hi of {cell}"
        yield f"(assert (forall ((x Int) (y Int)) (=> (and (fixed x y) (below x y {at})) (<= (over x y) lo-{cell}))))"
        yield f"(assert (or (= lo-{cell} 0)"
        yield f"  (exists ((x Int) (y Int)) (and (fixed x y) (below x y {at}) (= (over x y) lo-{cell})))))"
        yield f"(assert (<= 0 lo-{cell}))"
        yield f"(assert (forall ((x Int) (y Int)) (=> (and (fixed x y) (below {at} x y)) (<= hi-{cell} (under x y)))))"
        yield f"(assert (or (= hi-{cell} 51)"
        yield f"  (exists ((x Int) (y Int)) (and (fixed x y) (below {at} x y) (= (under x y) hi-{cell})))))"
        yield f"(assert (<= hi-{cell} 51))"
    yield from block("unsat", "The lower ends.", "(assert (> lo-p lo-q))")
    yield from block("unsat", "The upper ends.", "(assert (> hi-p hi-q))")


def swap() -> Iterator[str]:
    yield from head(
        "The swap. p is below q, their windows are monotone, and their numbers x, y lie inside but out of order."
    )
    yield "(declare-const lo-p Int) (declare-const hi-p Int) (declare-const lo-q Int) (declare-const hi-q Int)"
    yield "(declare-const x Int) (declare-const y Int) (declare-const z Int)"
    yield "(assert (and (<= lo-p lo-q) (<= hi-p hi-q)))"
    yield "(assert (and (< lo-p x hi-p) (< lo-q y hi-q)))"
    yield "(assert (> x y))"
    yield from block(
        "unsat", "Exchanged they still lie inside.", "(assert (not (and (< lo-p y hi-p) (< lo-q x hi-q))))"
    )
    yield "; inversions that a cell with the number z takes part in, together with p and q: before, after, and between"
    yield "(define-fun inverted ((first Int) (second Int)) Int (ite (> first second) 1 0))"
    for where, before, after in (
        ("ahead of both", "(inverted z x) (inverted z y)", "(inverted z y) (inverted z x)"),
        ("between them", "(inverted x z) (inverted z y)", "(inverted y z) (inverted z x)"),
        ("after both", "(inverted x z) (inverted y z)", "(inverted y z) (inverted x z)"),
    ):
        yield from block(
            "unsat",
            f"A third cell {where} in the linear extension is in no more inversions than before.",
            f"(assert (> (+ {after}) (+ {before})))",
        )
    yield from block("unsat", "And the pair itself is in one less.", "(assert (>= (inverted y x) (inverted x y)))")


def counting() -> Iterator[str]:
    yield from head(
        "Where each card exists once, no more cells hold a number strictly between a and b than there are numbers.",
        "N(v) is the number of cells with a number of at most v. Its step at v is the number of cells that hold v,",
        "which is one at most; so N(b - 1) - N(a) is at most b - 1 - a. The files on least and greatest values use it.",
    )
    yield from numbers()
    yield "(declare-const v Int)"
    yield from block(
        "unsat",
        "What a cell adds to the step at v: 1 if its number is v, otherwise 0.",
        "(assert (not (= (- (ite (<= d1 v) 1 0) (ite (<= d1 (- v 1)) 1 0)) (ite (= d1 v) 1 0))))",
    )
    yield from block(
        "unsat",
        "Distinct numbers, and a step that takes in two. (The 378 differences say the same as distinct.)",
        *(f"(assert (or (not (= {low} v)) (not (= {high} v))))" for low, high in combinations(CELLS, 2)),
        f"(assert (>= (+ {' '.join(f'(ite (= {cell} v) 1 0)' for cell in CELLS)}) 2))",
    )
    yield from block(
        "unsat",
        "Two cells with one number, and no step that takes in two.",
        "(assert (and (= d1 v) (= d2 v)))",
        f"(assert (<= (+ {' '.join(f'(ite (= {cell} v) 1 0)' for cell in CELLS)}) 1))",
    )
    yield "(declare-const N-a Int) (declare-const N-before Int) (declare-const N-v Int) (declare-const a Int)"
    yield from block(
        "unsat",
        "Steps of at most one add up to at most the number of steps, by induction on v.",
        "(assert (<= (- N-before N-a) (- (- v 1) a)))",
        "(assert (<= N-v (+ N-before 1)))",
        "(assert (> (- N-v N-a) (- v a)))",
    )


def ends(between: str | None) -> Iterator[str]:
    cells = [cell for cell in CELLS if between is None or cell != APEX]
    where = "." if between is None else f", the Finish card (25) on d7 under between={between}."
    yield from head(
        f"For each cell the least and the greatest number that it can hold in a full tower{where}",
        "Least: the number of cells at or below it. Greatest: 51 less the number of cells at or above it."
        if between is None
        else "The apex is no cell to count; cells above it count from it as well, cells below it down from it.",
        "For each end: nothing beyond is possible (unsat), and a tower that attains it (sat). That each card exists",
        "once (SET06) enters the former as a bound on a count (counting.smt2); the latter asks for all of it.",
    )
    yield from numbers(cells)
    yield from (f"(assert (<= 1 {cell} 50))" for cell in cells)
    yield from betweenness("<", without=None if between is None else APEX)
    if between is not None:
        _, left, right = next(each for each in SUPPORTED if each[0] == APEX)
        sign = "<" if between == "strict" else "<="
        yield f"(assert (! ({sign} {left} 25) :named |TOW02 {left} {APEX}|))"
        yield f"(assert (! ({sign} 25 {right}) :named |TOW02 {APEX} {right}|))"
    lax = between == "inclusive"
    for cell in cells:
        least, greatest = least_and_greatest(cell, between)
        start = 0 if least == sum(at_or_below(other, cell) for other in cells) else 25 - lax
        stop = 51 if greatest == 51 - sum(at_or_below(cell, other) for other in cells) else 25 + lax
        beyond = count(cells, start, least), f"(assert (< {cell} {least}))"
        yield from block("unsat", f"{cell}: at least {least}", *beyond)
        yield from block("sat", f"{cell} can be {least}", distinct(cells), *witness(cell, least, between))
        beyond = count(cells, greatest, stop), f"(assert (> {cell} {greatest}))"
        yield from block("unsat", f"{cell}: at most {greatest}", *beyond)
        yield from block("sat", f"{cell} can be {greatest}", distinct(cells), *witness(cell, greatest, between))


def count(cells: Iterable[Cell], above: int, below: int) -> str:
    """No more cells with a number strictly between these than there are numbers."""
    inside = " ".join(f"(ite (< {above} {cell} {below}) 1 0)" for cell in cells)
    return f"(assert (! (<= (+ {inside}) {below - above - 1}) :named |SET06 between {above} and {below}|))"


def witness(cell: Cell, value: int, between: str | None) -> Iterator[str]:
    """A full tower with this number on this cell."""
    tower = ((cell, Up(Value(value))), *(() if between is None else ((APEX, Up(FINISH)),)))
    (problem,) = problems(
        Position(
            tags=(),
            players=("A", "B"),
            rules=parse_rules(f"en-2 between={between or 'strict'}"),
            variant="first" if between is None else "finish",
            marks={},
            tower=tower,
            hands={},
        )
    )
    filling = fill(problem)
    if filling is None:
        raise AssertionError(f"no tower has {value} on {cell}")
    full = {cell: value} | {problem.cell(i): number for i, number in filling.items()}
    level = sorted(full, key=lambda each: (each.level, each.column))
    yield "(assert (and " + " ".join(f"(= {each} {full[each]})" for each in level) + "))"


FILES: dict[str, Callable[[], Iterator[str]]] = {
    "tower.smt2": tower,
    "row-order.smt2": row_order,
    "order.smt2": order,
    "windows.smt2": windows,
    "swap.smt2": swap,
    "counting.smt2": counting,
    "ends.smt2": lambda: ends(None),
    "ends-finish.smt2": lambda: ends("strict"),
    "ends-finish-inclusive.smt2": lambda: ends("inclusive"),
}


def text_of(name: str) -> str:
    """What the file holds."""
    return "\n".join(FILES[name]()) + "\n"


if __name__ == "__main__":
    for name in FILES:
        (FOLDER / name).write_text(text_of(name), encoding="utf-8")
