"""One record before three judges that share no code: the program, the oracle, the checker."""

from __future__ import annotations

from couperation_checker.record import read_record
from couperation_checker.replay import first_broken

from couperation_formal.analysis.verify import Report, check
from couperation_formal.notation.read import read_text
from tests.checker.records import code, illegal_ones, rulings_of
from tests.oracle.replayer import judge

MARKS = " ".join(f"{value}:{'12H'[value % 3]}" for value in range(1, 51))


def reported(text: str) -> Report:
    (game,) = read_text(text)
    return check(game, engine="plain")


def broken(text: str) -> tuple[int | None, list[str]]:
    """The illegal turn and what it breaks, the error's clause first. All three have to name the same, and the checker
    accepts a certificate of each clause.
    """
    report = reported(text)
    codes = [found.code for found in report.diagnostics if found.severity != "warning"]
    codes = codes if report.verdict == "illegal" else []
    theirs = judge(text)
    assert (report.verdict, report.turn, set(codes)) == (theirs.verdict, theirs.turn, theirs.codes), text
    place, listed = first_broken(read_record(text), rulings_of(text), 9999)
    assert {clause for clause, _ in listed} == set(codes), text
    assert not codes or place == report.turn
    for certificate in illegal_ones(text):
        assert code(certificate) == "accepted", certificate
    return report.turn, codes
