"""Short endings: the search for a line beside Z3 and CP-SAT on one bounded model.

``python -m bench.endings --write`` writes `bench/endings.json` and `bench/endings.md`. The tables are those some turns
before the end of sampled careful games, fully seen. The search answers the table whole (a line, or none at all); the
two solvers are asked, for 1, 2, … up to so many turns, whether the table can be won by then, on the same circuits
(`tests.formulas.judge.ending`). Building the model counts. Times are processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, get_args

from ortools.sat.python import cp_model

from bench.check import processor
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rulings, parse_rules, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import Variant
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.towers.continuation.answer import Dead, Won, answer
from tests.formulas.judge.ending import Ending
from tests.formulas.judge.ending_z3 import model_of, places, turns_to_win

FOLDER = Path(__file__).resolve().parent
_LIMIT = 120.0
"""Seconds that CP-SAT gets for one question."""


class Table(NamedTuple):
    """A table `left` turns before the end of a sampled game."""

    seed: int
    left: int
    state: State
    rulings: Rulings


def tables(games: int, most: int) -> list[Table]:
    """Tables of sampled games, 1 to `most` turns before their ends in turn."""
    found = []
    for seed in range(games):
        rulings = registry().rulebooks[list(registry().rulebooks)[seed % 4]]
        rules = parse_rules(list(registry().rulebooks)[seed % 4])
        game = sample_game(2 + seed % 3, get_args(Variant)[seed % 2], rules, 500 + seed, "careful")
        left = 1 + seed % most
        found.append(Table(500 + seed, left, replay(game, rulings).states[-left - 1], rulings))
    return found


def solved(model: Ending) -> bool | None:
    """Whether CP-SAT satisfies the rules of a model; None where its time ran out."""
    circuit = model.circuit
    problem = cp_model.CpModel()
    gates: dict[int, Any] = {1: problem.new_constant(1)}

    def literal(formula: int) -> Any:
        return gates[formula] if formula > 0 else ~gates[-formula]

    for gate in circuit.cone(model.rules):
        inputs = circuit.inputs[gate]
        if gate == 1:
            continue
        gates[gate] = problem.new_bool_var("")
        if inputs is not None:
            parts = [literal(formula) for formula in inputs]
            problem.add_bool_and(parts).only_enforce_if(gates[gate])
            problem.add_bool_or([gates[gate], *(~part for part in parts)])
    for rule in model.rules:
        problem.add_bool_or([literal(rule)])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = _LIMIT
    status = solver.solve(problem)
    return {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(status)


def cp_sat(state: State, rulings: Rulings, most: int) -> int | str | None:
    """The same answer as `turns_to_win`, by CP-SAT."""
    for turns in range(1, most + 1):
        for left in places(state, rulings):
            found = solved(model_of(state, rulings, left, turns))
            if found is None:
                return "unknown"
            if found:
                return turns
    return None


def timed(ask: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = ask()
    return found, time.process_time() - start


def measure(games: int, most: int) -> dict[str, Any]:
    rows = []
    for table in tables(games, most):
        found, searched = timed(partial(answer, table.state, table.rulings))
        ours = len(found.line) if isinstance(found, Won) else "dead" if isinstance(found, Dead) else "open"
        by_z3, z3 = timed(partial(turns_to_win, table.state, table.rulings, table.left))
        by_cp, cp = timed(partial(cp_sat, table.state, table.rulings, table.left))
        if {by_z3, by_cp} - {"unknown"} and len({by_z3, by_cp} - {"unknown"}) > 1:
            raise RuntimeError(f"seed {table.seed}: Z3 {by_z3}, CP-SAT {by_cp}")
        if (ours == "dead" and isinstance(by_z3, int)) or (
            isinstance(ours, int) and ours <= table.left and by_z3 is None
        ):
            raise RuntimeError(f"seed {table.seed}: the search {ours}, Z3 {by_z3}")
        rows.append(
            {"seed": table.seed, "turns": table.left, "search": ours, "solvers": by_z3, "search_s": searched}
            | {"z3_s": z3, "cp_sat_s": cp}
        )
    return {
        "date": date.today().isoformat(),
        "python": platform.python_version(),
        "processor": processor(),
        "rows": rows,
    }


def page(figures: dict[str, Any]) -> str:
    rows = figures["rows"]
    lines = [
        "# Short endings",
        "",
        f"`python -m bench.endings --write`, {figures['date']}, Python {figures['python']}, {figures['processor']}:",
        f"{len(rows)} tables of sampled careful games, some turns before their ends. Medians of processor seconds; the",
        "solvers are asked for as many turns as the game still took. No answers contradict each other.",
        "",
        "| turns | tables | won by then | search | Z3 | CP-SAT | Z3 to search | CP-SAT to search |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for turns in sorted({row["turns"] for row in rows}):
        group = [row for row in rows if row["turns"] == turns]
        search, z3, cp = (median(row[name] for row in group) for name in ("search_s", "z3_s", "cp_sat_s"))
        won = sum(isinstance(row["solvers"], int) for row in group)
        ratios = f"{z3 / search:,.0f} | {cp / search:,.0f}"
        lines.append(f"| {turns} | {len(group)} | {won} | {search:.3f} | {z3:.2f} | {cp:.2f} | {ratios} |")
    unknown = [f"seed {row['seed']}" for row in rows if row["solvers"] == "unknown"]
    lines += ["", f"Not answered by Z3 within its budget: {', '.join(unknown) or 'none'}.", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--most", type=int, default=5, help="so many turns before the end at most")
    parser.add_argument("--write", action="store_true", help="write bench/endings.json and bench/endings.md")
    chosen = parser.parse_args()
    figures = measure(chosen.games, chosen.most)
    text = page(figures)
    print(text)
    if chosen.write:
        (FOLDER / "endings.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        (FOLDER / "endings.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
