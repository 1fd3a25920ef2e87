"""A decision tree over the rulings that decide a dispute: asked one after another, they lead to the verdict."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from couperation_formal.model.budget import Steps
from couperation_formal.model.rulings import registry
from couperation_formal.readings.sets import Verdicts, depends_on, space
from couperation_formal.readings.truth_table import project, size_of

Settled = Literal["legal", "illegal", "undetermined"]

_LETTERS: dict[str, Settled] = {"l": "legal", "i": "illegal", "u": "undetermined"}

_EXACT = 5
"""With so many rulings every order of questions is tried."""

_LARGEST = 1 << 14
"""A table with more combinations than this gets no tree."""

_LETTERED: Final = 256
"""So many combinations looked at for a question are one step."""


class Leaf(msgspec.Struct, frozen=True):
    """The end of the questions."""

    verdict: Settled


class Question(msgspec.Struct, frozen=True):
    """A ruling, and where its options lead; options that lead to the same answer are one branch."""

    ruling: str
    branches: tuple[tuple[tuple[str, ...], Tree], ...]


Tree = Leaf | Question


def decision_tree(verdicts: Verdicts, budget: Steps | None = None) -> Tree | None:
    """A small tree that gives the verdict of every reading; None where too many rulings decide.

    Rulings in which the texts differ are asked before others. Least among such trees, in the number of questions and
    leaves, for up to five rulings; for more the ruling that leaves the fewest rulings to be asked goes first. Raises
    `Spent` where `budget` does not suffice. Cost: for five rulings some milliseconds.
    """
    names = depends_on(*verdicts)
    options = tuple(space().options[name] for name in names)
    if size_of(options) > _LARGEST:
        return None
    legal, undetermined = project(verdicts.legal, names), project(verdicts.undetermined, names)
    values = "".join(
        "l" if legal.bits >> index & 1 else "u" if undetermined.bits >> index & 1 else "i"
        for index in range(size_of(options))
    )
    return _Builder(budget or Steps()).tree(values, names)


def tree_size(tree: Tree) -> int:
    """The number of questions and leaves."""
    return 1 if isinstance(tree, Leaf) else 1 + sum(tree_size(branch) for _, branch in tree.branches)


class _Builder:
    """Trees of functions, each given as the letters of its values over the combinations of some rulings."""

    def __init__(self, budget: Steps) -> None:
        self._memo: dict[tuple[str, tuple[str, ...]], Tree] = {}
        self._budget = budget

    def tree(self, values: str, names: tuple[str, ...]) -> Tree:
        if values.count(values[0]) == len(values):
            return Leaf(_LETTERS[values[0]])
        key = values, names
        if key not in self._memo:
            self._memo[key] = self._best(values, names)
        return self._memo[key]

    def _best(self, values: str, names: tuple[str, ...]) -> Tree:
        self._budget.spend(len(names) * (1 + len(values) // _LETTERED))
        asked = {name: groups for name in names if len(groups := _groups(values, names, name)) > 1}
        if len(asked) < len(names):
            rest = tuple(asked)
            for name in names:
                if name not in asked:
                    values = next(iter(_groups(values, names, name)))
                    names = tuple(each for each in names if each != name)
            return self.tree(values, rest)
        first = [name for name in names if registry().disputed(name)] or list(names)
        if len(names) > _EXACT:
            self._budget.spend(len(names) ** 2 * (1 + len(values) // _LETTERED))
            name = min(first, key=lambda name: _left(asked[name], tuple(each for each in names if each != name)))
            return self._question(name, asked[name], names)
        trees = [self._question(name, asked[name], names) for name in first]
        return min(trees, key=tree_size)

    def _question(self, name: str, groups: dict[str, list[str]], names: tuple[str, ...]) -> Question:
        rest = tuple(each for each in names if each != name)
        return Question(name, tuple((tuple(options), self.tree(part, rest)) for part, options in groups.items()))


def _groups(values: str, names: tuple[str, ...], name: str) -> dict[str, list[str]]:
    """What is left of the function under each option of a ruling, options that leave the same together."""
    options = space().options[name]
    stride = size_of(tuple(space().options[each] for each in names[names.index(name) + 1 :]))
    period = stride * len(options)
    found: dict[str, list[str]] = {}
    for place, option in enumerate(options):
        starts = range(place * stride, len(values), period)
        found.setdefault("".join(values[start : start + stride] for start in starts), []).append(option)
    return found


def _left(groups: dict[str, list[str]], rest: tuple[str, ...]) -> tuple[int, int]:
    """How many rulings are left to be asked below a question, all branches together, and how many branches."""
    return sum(len(_groups(part, rest, name)) > 1 for part in groups for name in rest), len(groups)
