"""Terms of the language, each with what it is worth."""

from __future__ import annotations

DECLARED = """```formula
type Pair = (one: Int, two: Int)
type Fruit = Apple(Int) | Plum
given m: map Int to Int = {1 -> 10, 2 -> 20}
given s: seq Int = [5, 6, 5]
given u: set Int = {1, 2, 3}
given three: Int = 3
given none: Int or undefined
given a: Fruit = Apple(4)
double(x: Int) := 2 * x
even(x: Int) := 2 * (x / 2) = x
up(x: Int) := x + 1 when x > 2
VALUE
```
"""
S = frozenset
TERMS: dict[str, object] = {
    "7 - 2 - 1": 4,
    "2 + 3 * 4": 14,
    "-2 - -3": 1,
    "7 / 2": 3,
    "-7 / 2": -4,
    "7 / (2 - 2)": None,
    "|2 - 5|": 3,
    "|u| + |s| + |m|": 8,
    "max(3, 9, 4) - min(3, 9, 4)": 6,
    "max(u)": 3,
    "min({x in u with x > 5})": None,
    "m(2)": 20,
    "m(3)": None,
    "s(1) + s(3)": 10,
    "s(0)": None,
    "s(4)": None,
    "none": None,
    "none + 1": None,
    "double(none)": None,
    "even(none)": False,
    "up(1)": None,
    "up(up(2))": None,
    "double three + double double three": 18,
    "one(Pair(3, 4)) + two(Pair(3, 4))": 7,
    "{Pair(1, 2), Pair(1, 2)}": S({(1, 2)}),
    "u + {9}": S({1, 2, 3, 9}),
    "u - {1, 9}": S({2, 3}),
    "{}": S(),
    "{1, none, m(1), m(7)}": S({1, 10}),
    "m + {2 -> 5, 3 -> 6}": {1: 10, 2: 5, 3: 6},
    "m - {1}": {2: 20},
    "{1 -> none, none -> 1, 2 -> 3}": {2: 3},
    "s + [none]": None,
    "s + [1]": (5, 6, 5, 1),
    "[]": (),
    "dom m": S({1, 2}),
    "dom s": S({1, 2, 3}),
    "2..4": S({2, 3, 4}),
    "4..2": S(),
    "subsets of ({1, 2})": S({S(), S({1}), S({2}), S({1, 2})}),
    "{x + y for x in u, y in dom m with x != y}": S({3, 4, 5}),
    "{m(x) for x in u}": S({10, 20}),
    "{x -> m(x) for x in u}": {1: 10, 2: 20},
    "[x for x in s with x > 5] + [x for x in u]": (6, 1, 2, 3),
    "{k in u with even(k)}": S({2}),
    "(the number of x in s with x = 5)": 2,
    "(the number of y in {x / 2 for x in 1..9})": 5,
    "(the sum of y for y in {x / 2 for x in 1..9})": 10,
    "[y for y in {x / 2 for x in 1..9}]": (0, 1, 2, 3, 4),
    "{2 * y for y in {x / 2 for x in 1..4}}": S({0, 2, 4}),
    "(the sum of m(x) for x in u)": 30,
    "if even(2) then 1 else none": 1,
    "if none = 1 then 1 else 2": 2,
    "m(none) = 1 or none != 1": False,
    "not (none < 1) and not (none >= 1)": True,
    "1 < 2 if and only if 3 < 2": False,
    "2 in u and 2 not in s and 2 is in u and 7 is not in u": True,
    "5 in s": True,
    "none in u or none not in u": False,
    "{1, 2} is a subset of u": True,
    "u is a subset of {1, 2}": False,
    "dom m = {2, 1} and 1..3 = u": True,
    "{x in u with x > 3} is empty and s is not empty": True,
    "m(3) is defined or not (m(1) is defined)": False,
    "for all x, y in u: x < y or y <= x": True,
    "for all x in u, y in s with x > 1, y > 5: y > x": True,
    "there is x in u with m(x) = 20": True,
    "there is x in u with x > 3": False,
    "a = Apple(_)": True,
    "a != Apple(_)": False,
    "a = Plum": False,
    "a = Apple(4) and a != Apple(5)": True,
    "there is x in {1} with a = Apple(v) and v = 4 and x < v": True,
    "|u| given u = {x in u with x > 1}": 2,
    "double(|u|) given u = {}": 0,
    "true and not false": True,
    '"text"': "text",
    "up(2) is defined": False,
}
