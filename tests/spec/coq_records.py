"""Records judged by the formulas as they stand in Coq (`spec/coq/Judge.v`) beside `couperation check --engine spec`.

`python -m tests.spec.coq_records FOLDER [NUMBER]` has Coq compute what it says of the records of the examples, of the
clauses and of the tests, and of five with a spoiled turn of each of so many games. FOLDER has the compiled proofs.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from couperation_formal.formulas.judge import RESULTS, Judgement, judge, tables
from couperation_formal.formulas.syntax import Type
from couperation_formal.formulas.writer import Values
from couperation_formal.game.record import Record
from tests.agree.formulas_agree import games, slips
from tests.spec.book import ROOT, chapters
from tests.spec.coq_formulas import BOOK, GROUPS

_FILES = 8
"""The records are asked about in so many files."""


def records(spoiled: int) -> Iterator[Record]:
    """Those of the examples, the clauses and the tests, and so many games with a spoiled turn."""
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "examples").glob("*/*.cgn"))]
    texts += [path.read_text("utf-8") for path in sorted((ROOT / "tests" / "data" / "games").glob("*.cgn"))]
    for chapter in chapters():
        texts += [*chapter.accepts, *(example.text for example in chapter.refuses)]
    yield from (game.record for text in texts for game in games(text))
    for seed in range(spoiled):
        yield from slips(seed, 5)


def formed(type_: Type, value: Any) -> str:
    """A value of the formula language in Coq."""
    if type_.kind in ("Text", "options"):
        return '"{}"%string'.format(value.replace('"', '""'))
    if type_.kind in ("set", "seq"):
        return f"[{'; '.join(formed(type_.args[0], each) for each in value)}]"
    if type_.kind == "map":
        pairs = (f"({formed(type_.args[0], key)}, {formed(type_.args[1], each)})" for key, each in value.items())
        return f"[{'; '.join(pairs)}]"
    if type_.kind != "named":
        return str(value).lower() if type_.kind == "Bool" else f"({value})"
    if type_.name in BOOK.types.records:
        name, fields = "Make" + type_.name, [each for _, each in BOOK.types.records[type_.name]]
    else:
        name, *value = value
        fields = list(BOOK.types.constructors[name][1])
    return f"({' '.join([name, *map(formed, fields, value)])})"


def given(kind: str, values: Values) -> str:
    """A record of what is given; a mark that the record does not show is some mark."""
    said = {name: values.value(name) for name in GROUPS[kind]}
    if "mark" in said:
        said["mark"] = dict.fromkeys(range(1, said["cards"] + 1), ("Heart",)) | dict(said["mark"])
    return f"(Make{kind} {' '.join(formed(BOOK.givens[name].type, value) for name, value in said.items())})"


def asked(number: int, record: Record, found: Judgement) -> str:
    """A record in Coq with what is to be said of it."""
    last = len(record.turns) if found.turn is None else found.turn
    first, *turns = islice(tables(record, record.rules.rulings), last + 1)
    listed = ";\n  ".join(given("Turn", values) for values in turns)
    names = "; ".join(f'"{name}"%string' for name in found.broken)
    broken = "None" if found.turn is None else f"(Some ({found.turn}, [{names}]))"
    reached = f"(Some {RESULTS[found.reached][0]})" if found.turn is None else "None"
    warned = "; ".join(f'({turn}, "{name}"%string)' for turn, name in found.warned)
    said = f"(Verdict {broken} {reached} [{warned}])"
    return (
        f"Example record_{number} : judge {given('Rulings', first)}\n  {given('Game', first)}\n  [{listed}] =\n"
        f"  {said}.\nProof. vm_cast_no_check (eq_refl {said}). Qed.\n"
    )


HEAD = """From Coq Require Import String List ZArith.
From Couperation Require Import FormulaPrelude Formulas Judge.
Import ListNotations.
Open Scope Z_scope.
"""


def proved(folder: Path, number: int, examples: list[str]) -> str:
    """What Coq has against these, nothing where it finds them right."""
    file = folder / f"Records{number}.v"
    file.write_text(HEAD + "\n".join(examples), "utf-8")
    command = ["coqc", "-q", "-Q", ".", "Couperation", file.name]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return (told.stdout + told.stderr)[-3000:] if told.returncode else ""


def main(arguments: list[str]) -> int:
    """Print what was asked; 1 where Coq's answer is another."""
    folder, *number = arguments
    counts, examples = Counter[str](), list[str]()
    for record in records(int(*number) if number else 2):
        found = judge(record, record.rules.rulings)
        if found.open_ is None:
            examples.append(asked(len(examples) + 1, record, found))
        said = "legal" if found.turn is None else found.broken[0]
        counts["not shown" if found.open_ is not None else said] += 1
    print(", ".join(f"{said}: {times}" for said, times in sorted(counts.items())))
    files = [examples[at::_FILES] for at in range(_FILES)]
    begun = perf_counter()
    with ThreadPoolExecutor(2) as at_once:
        told = list(at_once.map(lambda at: proved(Path(folder), at, files[at]), range(_FILES)))
    print(f"{perf_counter() - begun:.1f} s; {len(examples)} records")
    for text in filter(None, told):
        print(text)
    return int(any(told))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
