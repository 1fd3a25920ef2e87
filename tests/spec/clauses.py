"""What the tests of clauses share with others."""

from __future__ import annotations

from couperation_formal.game.record import Game
from couperation_formal.notation.read import read_text
from couperation_formal.output.report import Report
from couperation_formal.questions.records.check import check
from tests.spec.book import chapters

CHAPTERS = chapters()


def judge(text: str) -> Report:
    (game,) = read_text(text)
    assert isinstance(game, Game), game
    return check(game)


def codes(report: Report, severity: str = "error") -> set[str]:
    return {diagnostic.code for diagnostic in report.diagnostics if diagnostic.severity == severity}
