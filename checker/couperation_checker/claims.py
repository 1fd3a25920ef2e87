"""Certificates as a whole, their form and their claims: spec/certificate.md, "Claims" and "What a checker answers"."""

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from couperation_checker import counting, search
from couperation_checker.position import Table, read
from couperation_checker.replay import line_faults, record_faults
from couperation_checker.strict import Refused, Work, load, misfit, need
from couperation_checker.tower import Fault, filling_faults, reason_faults, repair_faults, world

# in the order in which they apply
CODES = """JSON FORM POSITION PLACE CELLS VALUE ORDER GONE WINDOW LEFT COUNT AGREE FINISH DISTANCE PROOF
    RECORD WORLD UNSEEN TURN CLAUSE NUMBERS BROKEN WIN ALIVE SEARCH"""
OPTIONS = """anchor=middle|floating spread=adjacent|anywhere row_order=strict|weak between=strict|inclusive
    facedown=integers|deck|ignored|repeats replace_target=any|not_anchor|facedown_only take_sent=allowed|forbidden
    adjust=each|uniform|up_to reserve_face=up|either early_apex=forbidden|no_win|win_on_completion|loses
    hearts_below=zero_each|zero_all draw_amount=up_to|exact draw_source=opened|last_placed|nothing|as_laid
    finish_value=25|none|apex_free finish_half=top|bottom finish_reserve_count=yes|no no_action=loses|skipped
    finish_refill=next|at_once refill_amount=up_to|all_or_none heart_over_back=nothing|zero
    opened_against=loses|stands replacements=each|once
    finish_in_hand=no|yes"""
COLUMN, CELL, VALUE, BOUND, INDEX = "[a-m]", "[a-m][1-7]", range(1, 51), range(52), range(10**9)
CLAUSE = "SET0[12346]|TOW0[1-8]|DRW0[1-6]|ACT0[1-8]|LIM0[12]|END0[456]"
NUMBER = (None, ".*", range(-(10**6) + 1, 10**6))
INTERVAL = {"kind": "interval", "above": BOUND, "below": BOUND, "cells": [CELL], "left": [VALUE]}
REASON = (
    INTERVAL,
    {"kind": "order", "cells": [CELL, CELL]},
    {"kind": "gone", "intervals": [INTERVAL], "missing": range(-99, 100)},
    {"kind": "finish", "why": "gone", "cell": None},
    {"kind": "finish", "why": "below_apex", "cell": CELL},
)
DISJOINT = {"kind": "disjoint", "conflicts": [{"cells": [CELL], "reason": REASON}]}
TREE = {**DISJOINT, "kind": "tree", "nodes": [{"conflict": INDEX, "branches": [INDEX]}]}
FILLED = {"column": COLUMN, "filling": {"*": (CELL, (VALUE, "F"))}}
HOPELESS = {"distance": None, "column": None, "filling": None}
REPAIR = {"give_up": [CELL], "lower": [{"column": COLUMN, "proof": (DISJOINT, TREE)}]}
EVIDENCE: dict[str, Any] = {
    "tower-completable": FILLED,
    "tower-deadlocked": {"places": [{"column": COLUMN, "reason": REASON}]},
    "tower-repair": ({"distance": range(29), **FILLED, **REPAIR}, {**HOPELESS, **REPAIR}),
    "table-completable": {"world": ".*", "line": [".*"]},
    "table-deadlocked": (counting.SHAPE, search.SHAPE),
    "record-legal": {"world": ".*"},
    "record-illegal": {"turn": range(10**6), "clause": CLAUSE, "numbers": {"*": (".*", NUMBER)}},
}
RULINGS = dict(item.split("=") for item in OPTIONS.split())
HEAD = {"format": range(1, 2), "claim": "|".join(EVIDENCE), "rulings": RULINGS}
_SCRIPT = re.compile(r"(?:\s++|;[^\n]*+\n)*+\(set-")  # comments, then a command


class Verdict(NamedTuple):
    """The answer on one certificate; `code` is empty unless it is rejected."""

    status: Literal["accepted", "rejected", "unsupported"]
    code: str
    message: str


def check_certificate(text: str, work: Work | None = None) -> Verdict:
    """The answer on a JSON text: of several certificates the first rejection, else the first that is unsupported."""
    verdicts = [verdict for _, verdict in check_each(text, work)]
    return min(verdicts, key=lambda verdict: ("rejected", "unsupported", "accepted").index(verdict.status))


def check_each(text: str, work: Work | None = None) -> list[tuple[str, Verdict]]:
    """The answer on each certificate of a JSON text, with `[i]` for item i of an array, from 0; never an empty list.
    All share the steps of `work`."""
    work = work or Work()
    if _SCRIPT.match(text):
        return [("", Verdict("unsupported", "", "an SMT-LIB script: any SMT solver runs it"))]
    try:
        value = load(text)
    except Refused as fault:
        return [("", Verdict("rejected", *fault.args))]
    each = [(f"[{at}]", one) for at, one in enumerate(value)] if isinstance(value, list) and value else [("", value)]
    return [(name, check_object(one, work)) for name, one in each]


def check_object(value: object, work: Work | None = None) -> Verdict:
    """The answer on one certificate, read as the standard library's json reads it."""
    try:
        faults = list(_faults(value, work or Work()))
    except Refused as fault:
        return Verdict("rejected" if fault.args[0] else "unsupported", *fault.args)
    if faults:
        return Verdict("rejected", *min(faults, key=lambda fault: CODES.split().index(fault[0])))
    return Verdict("accepted", "", "")


def _faults(value: Any, work: Work) -> Iterator[Fault]:
    """All that is wrong with a certificate; Refused where it cannot be read."""
    work.spend()
    fields = value if type(value) is dict else {}
    need("", type(fields.get("format")) is not int or fields["format"] <= 1, "a later format")
    claim: Any = fields.get("claim")
    subject = "record" if claim in ("record-legal", "record-illegal") else "position"
    shape = {**HEAD, subject: ".*", "evidence": EVIDENCE.get(claim) if type(claim) is str else None}
    wrong = misfit(value, shape, "certificate")
    need("FORM", not wrong, f"{ascii(wrong)[1:-1]:.90}: a field is missing or unknown, or its value is of another form")
    rulings, evidence = value["rulings"], value["evidence"]
    if claim.startswith("tower"):
        yield from _tower_faults(claim, read(value["position"], rulings, work=work), evidence)
    else:
        by_kind = {"record": record_faults, "line": line_faults, "search": search.search_faults}
        kind = subject if subject == "record" else evidence.get("kind", "line")
        yield from by_kind.get(kind, counting.table_faults)(value[subject], rulings, evidence, work)


def _tower_faults(claim: str, position: Table, evidence: Any) -> Iterator[Fault]:
    column, places = evidence.get("column"), position.places
    listed = evidence.get("places", evidence.get("lower"))
    if column not in (None, *places) or (listed is not None and [entry["column"] for entry in listed] != places):
        yield "PLACE", f"the places of the tower are {' '.join(places)}, each once and from left to right"
    elif claim == "tower-completable":
        yield from filling_faults(world(position, column), evidence["filling"])
    elif claim == "tower-deadlocked":
        for entry in listed:
            yield from reason_faults(world(position, entry["column"]), entry["reason"])
    else:
        yield from repair_faults(position, evidence)
