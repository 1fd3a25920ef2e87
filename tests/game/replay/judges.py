"""One record before three judges that share no code: the rules, the formulas, the checker."""

from __future__ import annotations

from couperation_checker.replay import first_broken
from couperation_checker.strict import Work, read_record

from couperation_formal.formulas.judge import judge
from couperation_formal.notation.read import read_text
from couperation_formal.output.report import Report
from couperation_formal.questions.records.check import check
from tests.checker.records import code, illegal_ones, rulings_of

MARKS = " ".join(f"{value}:{'12H'[value % 3]}" for value in range(1, 51))


def reported(text: str) -> Report:
    (game,) = read_text(text)
    return check(game, engine="plain")


def broken(text: str) -> tuple[int | None, list[str]]:
    """The illegal turn and what it breaks, the error's clause first. All three have to name the same, and the checker
    accepts a certificate of each clause.
    """
    (game,) = read_text(text)
    report = check(game, engine="plain")
    codes = [found.code for found in report.diagnostics if found.severity != "warning"]
    codes = codes if report.verdict == "illegal" else []
    theirs = judge(game.record, game.record.rules.rulings)  # type: ignore[union-attr]
    assert theirs.open_ is None
    assert (report.turn, tuple(codes)) == (theirs.turn, theirs.broken), text
    place, listed = first_broken(read_record(text, Work()), rulings_of(text), 9999, Work())
    assert {clause for clause, _ in listed} == set(codes), text
    assert not codes or place == report.turn
    for certificate in illegal_ones(text):
        assert code(certificate) == "accepted", certificate
    return report.turn, codes
