"""The mutants of the code: every place where cosmic-ray's operators change it, in an order that a seed fixes.

A place is tried with one change only. The order of places is that of a hash of their descriptions, so that a change of
one function moves no place of another into the sample or out of it.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("game", "towers", "hidden", "formulas", "checker")
LEFT_OUT = ("readings/standing",)
"""What states the clauses once more, by room and name."""

_PAIRS = "Lt_LtE LtE_Lt Gt_GtE GtE_Gt Eq_NotEq NotEq_Eq Lt_GtE GtE_Lt Is_IsNot IsNot_Is"
_SIGNS = "Add_Sub Sub_Add Mul_Add Mul_FloorDiv FloorDiv_Mul Mod_FloorDiv BitAnd_BitOr BitOr_BitAnd BitXor_BitAnd "
_SIGNS += "LShift_RShift RShift_LShift BitOr_BitXor"
_WORDS = "ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd ReplaceBreakWithContinue "
_WORDS += "ReplaceContinueWithBreak AddNot NumberReplacer ZeroIterationForLoop ExceptionReplacer "
_WORDS += "ReplaceUnaryOperator_Delete_Not ReplaceUnaryOperator_Delete_USub ReplaceUnaryOperator_Delete_Invert"
OPERATORS = (
    *(f"core/ReplaceComparisonOperator_{name}" for name in _PAIRS.split()),
    *(f"core/ReplaceBinaryOperator_{name}" for name in _SIGNS.split()),
    *(f"core/{name}" for name in _WORDS.split()),
)
"""Those that change an answer rather than raise a TypeError: bounds, signs, conditions, constants, loops."""

_HEAVIEST = 100
"""Numbers from here on are budgets and sizes of caches: one more or less is no fault."""


class Place(NamedTuple):
    """One change of one module: the operator's n-th place in it, and where that is."""

    room: str
    module: str
    """The path from the root."""
    function: str
    line: int
    text: str
    """The line as it stands."""
    operator: str
    occurrence: int
    nth: int
    """Which of the places of this operator in this text of this function, from 0."""

    def order(self, seed: int) -> str:
        """A hash by which places are drawn; it does not hang on line numbers."""
        told = "\0".join(map(str, (seed, self.module, self.function, self.text, self.operator, self.nth)))
        return hashlib.sha256(told.encode()).hexdigest()

    def mutant(self) -> str | None:
        """The module's source with the change; None where the change is no Python."""
        operator = cosmic_ray.plugins.get_operator(self.operator)()
        code: str | None = mutate_code((ROOT / self.module).read_text(), operator, self.occurrence)
        try:
            compile(code or "", self.module, "exec")
        except SyntaxError:
            return None
        return code

    def change(self, mutant: str) -> tuple[str, str]:
        """The lines that differ in the mutant's source, before and after, each as one line."""
        before, after = (ROOT / self.module).read_text().splitlines(), mutant.splitlines()
        same = next(i for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
        rest = 0
        while before[-1 - rest] == after[-1 - rest] and rest < min(len(before), len(after)) - same - 1:
            rest += 1
        old, new = (" ".join(" ".join(lines[same : len(lines) - rest]).split()) for lines in (before, after))
        return old, new


def modules(rooms: tuple[str, ...] = ROOMS) -> Iterator[tuple[str, Path]]:
    """Each module of the rooms that belongs to the campaign."""
    for room in rooms:
        folder = ROOT / ("checker/couperation_checker" if room == "checker" else f"couperation_formal/{room}")
        for path in sorted(folder.rglob("*.py")):
            if path.stem != "__init__" and f"{path.parent.name}/{path.stem}" not in LEFT_OUT:
                yield room, path


def sample(seed: int, rooms: tuple[str, ...] = ROOMS) -> list[Place]:
    """All places, one change for each, in the order in which they are drawn."""
    drawn: dict[tuple[str, int, int], Place] = {}
    for column, place in _all_places(rooms):
        key = (place.module, place.line, column)
        if key not in drawn or place.order(seed) < drawn[key].order(seed):
            drawn[key] = place
    return sorted(drawn.values(), key=lambda place: place.order(seed))


@cache
def _all_places(rooms: tuple[str, ...]) -> list[tuple[int, Place]]:
    return [each for room, path in modules(rooms) for each in _places(room, path)]


def _places(room: str, path: Path) -> Iterator[tuple[int, Place]]:
    source = path.read_text()
    lines, tree = source.splitlines(), ast.parse(source)
    names, silent = _names(tree), _annotations(tree)
    seen: dict[tuple[str, str, str], int] = {}
    nodes = list(ast_nodes(get_ast(source)))
    for operator in OPERATORS:
        positions = cosmic_ray.plugins.get_operator(operator)().mutation_positions
        spots = (spot for node in nodes for spot in positions(node))
        for occurrence, ((line, column), (_, end)) in enumerate(spots):
            text, function = lines[line - 1].strip(), names.get(line, "")
            nth = seen[operator, function, text] = seen.get((operator, function, text), -1) + 1
            number = lines[line - 1][column:end].replace("_", "")
            heavy = operator.endswith("NumberReplacer") and number.isdigit() and int(number) >= _HEAVIEST
            if not heavy and not any(start <= (line, column) < stop for start, stop in silent):
                module = str(path.relative_to(ROOT))
                yield column, Place(room, module, function, line, text, operator, occurrence, nth)


def _names(tree: ast.Module) -> dict[int, str]:
    """For each line the function or class in which it stands."""
    names: dict[int, str] = {}

    def walk(node: ast.AST, inside: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = inside
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = f"{inside}.{child.name}".lstrip(".")
                names.update(dict.fromkeys(range(child.lineno, (child.end_lineno or 0) + 1), name))
            walk(child, name)

    walk(tree, "")
    return names


def _annotations(tree: ast.Module) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Spans of annotations, and of aliases of types: nothing runs there."""
    told: list[ast.expr | None] = []
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef():
                told.append(node.returns)
            case ast.AnnAssign() | ast.arg():
                told.append(node.annotation)
            case ast.Assign(value=ast.BinOp(op=ast.BitOr())) if node.col_offset == 0:
                told.append(node.value)
    return [((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)) for node in told if node]
