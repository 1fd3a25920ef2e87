"""The checker that is extracted from proofs (`spec/coq`) beside the Python one: what one of them accepts both do.

`python -m tests.checker.proved PROGRAM [NUMBER]` asks both about the certificates of the tests, counting ones on
changed tables, and so many forged ones.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from couperation_checker import check_object

from tests.checker.corrupt import corruptions
from tests.checker.corruptions import pool
from tests.checker.counted import KINDS, counted, limits
from tests.checker.tables import answered, late_tables

FORGED, GAMES, LIMITS = 20_000, 60, 500
CLAIMS = ("tower-completable", "tower-deadlocked", "tower-repair")
_AT_ONCE = 100
"""A process is asked about so many."""


@cache
def right() -> tuple[dict[str, Any], ...]:
    """The certificates of the tests: on towers, and counting ones on the last tables of sampled games."""
    tables = (late for seed in range(GAMES) for late in late_tables(seed, 4))
    found = (certificate for late in tables if (certificate := answered(late, late.state, 0)[1]) is not None)
    return (*pool(), *(each for each in found if each["evidence"].get("kind") not in (None, "search")))


def forged(number: int) -> list[dict[str, Any]]:
    """So many that are changed in one field, true ones among them."""
    every = [
        each.certificate
        for index, certificate in enumerate(right())
        for each in corruptions(certificate, random.Random(index))
    ]
    random.Random(number).shuffle(every)
    return every[:number]


def proved(program: str, certificates: list[dict[str, Any]]) -> list[str]:
    """What the extracted checker says of each."""
    answers: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, str(at)) for at in range(_AT_ONCE)]
        for at in range(0, len(certificates), _AT_ONCE):
            asked = certificates[at : at + _AT_ONCE]
            for file, each in zip(files, asked, strict=False):
                file.write_text(json.dumps(each), "utf-8")
            told = subprocess.run([program, *files[: len(asked)]], capture_output=True, text=True, check=False)
            answers += [line.split()[-1] for line in told.stdout.splitlines()]
    return answers


def named(certificate: dict[str, Any]) -> str:
    """The claim, or the kind of a count."""
    claim, evidence = certificate.get("claim"), certificate.get("evidence")
    kind = evidence.get("kind") if isinstance(evidence, dict) and claim == "table-deadlocked" else None
    return str(claim) if claim in CLAIMS else str(kind) if kind in KINDS else "other"


def main(arguments: list[str]) -> int:
    """Print what both say, and how long a certificate takes; 1 where one of them accepts alone, or no certificate of
    a claim or a kind is accepted.
    """
    program, *number = arguments
    certificates = [*right(), *counted(GAMES, 4), *limits(LIMITS), *forged(int(*number) if number else FORGED)]
    begun = perf_counter()
    answers = proved(program, certificates)
    took = perf_counter() - begun
    assert len(answers) == len(certificates)
    counts, differ = Counter[tuple[str, str, str]](), []
    for certificate, answer in zip(certificates, answers, strict=True):
        verdict: str = check_object(certificate).status
        counts[named(certificate), answer, verdict] += 1
        if answer != verdict and "accepted" in (answer, verdict):
            differ.append(certificate)
    each = 1000 * took / len(answers)
    print(f"{len(certificates):,} certificates, {len(right())} of them right: {each:.2f} ms each, processes included")
    for (name, answer, verdict), times in sorted(counts.items()):
        print(f"{name}: {answer}, by the Python checker {verdict}: {times:,}")
    for certificate in differ[:10]:
        print("they differ:", json.dumps(certificate))
    return 1 if differ or not all(counts[name, "accepted", "accepted"] for name in (*CLAIMS, *KINDS)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
