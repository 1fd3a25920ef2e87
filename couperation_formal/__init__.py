"""The formal specification of the card game Couperation, and the verifier built on it.

>>> import couperation_formal as cf
>>> text = '''[CGN "1"]
... [Players "Aki Ben"]
... deal Aki 17 30 44
... deal Ben 22 9 3
... reserve 1 50 12 33 40 7
... 1. Aki A 17@f1
... 2. Ben A 9@f2
... '''
>>> for game in cf.read_text(text):
...     report = cf.check(game)
...     print(report.verdict, report.turn, [found.code for found in report.diagnostics])
illegal 2 ['TOW02']
>>> print(report.diagnostics[0].message)
9 on f2 cannot lie between 17 on f1 and 25 on g1: 17 is not below 9

The states turn by turn, up to the last legal turn:

>>> [len(state.tower.cells) for state in report.states]
[1, 2]

Every legal action of a turn, after its recorded draw:

>>> found = cf.moves(game, 2)
>>> found.complete, [cf.action_text(action) for action in found.actions][:3]
(True, ['A 3@e1', 'A 9@e1', 'A 22@f2'])

Whether the tower can still be completed, and what could save it:

>>> text = '''[CGN "1"]
... [Rules "en-2"]
... [Players "Aki Ben"]
... position
... tower 24@f1 25@g1 26@h1
... '''
>>> (table,) = cf.read_text(text)
>>> data = cf.complete_data(cf.complete(table))
>>> data.verdict, data.reason.above, data.reason.below, data.reason.cells, data.reason.left
('deadlocked', 24, 25, ('f2',), ())
>>> data.repair.distance, data.repair.give_up
(2, ('f1', 'g1'))

A command of the command line prints what such a function returns; `report_data`, `moves_data` and the like give its
JSON form.
Names are imported when they are used, so that importing this package costs next to nothing. In a notebook towers,
games, verdicts and answers show themselves as pictures; see `couperation_formal.notebook`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from couperation_formal.analysis.complete import Completion as Completion
    from couperation_formal.analysis.complete import NoTower as NoTower
    from couperation_formal.analysis.complete import Outlook as Outlook
    from couperation_formal.analysis.complete import completion_certificates as completion_certificates
    from couperation_formal.analysis.complete import outlook_certificates as outlook_certificates
    from couperation_formal.analysis.deadlock import Scan as Scan
    from couperation_formal.analysis.deadlock import scan_certificates as scan_certificates
    from couperation_formal.analysis.dispute import Dispute as Dispute
    from couperation_formal.analysis.infer import Marks as Marks
    from couperation_formal.analysis.inspect import NoSuchTurn as NoSuchTurn
    from couperation_formal.analysis.table_answer import Level as Level
    from couperation_formal.analysis.table_answer import TableAnswer as TableAnswer
    from couperation_formal.analysis.table_answer import answer_certificates as answer_certificates
    from couperation_formal.analysis.table_deadlock import TableScan as TableScan
    from couperation_formal.analysis.table_deadlock import table_scan_certificates as table_scan_certificates
    from couperation_formal.analysis.verify import Engine as Engine
    from couperation_formal.analysis.verify import EngineDisagreement as EngineDisagreement
    from couperation_formal.analysis.verify import Report as Report
    from couperation_formal.answers.data import moves_data as moves_data
    from couperation_formal.answers.data import report_data as report_data
    from couperation_formal.answers.disputes import dispute_data as dispute_data
    from couperation_formal.answers.infer import infer_data as infer_data
    from couperation_formal.answers.table_forms import TableCompleteData as TableCompleteData
    from couperation_formal.answers.table_forms import TableDeadlockData as TableDeadlockData
    from couperation_formal.answers.tables import table_moves_data as table_moves_data
    from couperation_formal.answers.towers import CompleteData as CompleteData
    from couperation_formal.answers.towers import DeadlockData as DeadlockData
    from couperation_formal.answers.towers import windows_data as windows_data
    from couperation_formal.model.diagnostic import Diagnostic as Diagnostic
    from couperation_formal.model.proviso import Proviso as Proviso
    from couperation_formal.model.record import Game as Game
    from couperation_formal.model.record import Position as Position
    from couperation_formal.model.record import Record as Record
    from couperation_formal.model.record import Table as Table
    from couperation_formal.model.rulings import Rules as Rules
    from couperation_formal.model.rulings import RulesError as RulesError
    from couperation_formal.model.rulings import parse_rules as parse_rules
    from couperation_formal.model.state import State as State
    from couperation_formal.notation.marks import MarksError as MarksError
    from couperation_formal.notation.marks import OwnMarks as OwnMarks
    from couperation_formal.notation.marks import read_marks as read_marks
    from couperation_formal.notation.read import Item as Item
    from couperation_formal.notation.read import Malformed as Malformed
    from couperation_formal.notation.read import read_file as read
    from couperation_formal.notation.read import read_stream as read_stream
    from couperation_formal.notation.read import read_text as read_text
    from couperation_formal.notation.write import action_text as action_text
    from couperation_formal.notation.write import format_item as format_item
    from couperation_formal.notation.write import position_text as position_text
    from couperation_formal.notation.write import record_text as record_text
    from couperation_formal.play.sample import sample_game as sample_game
    from couperation_formal.report.canonical import canonical as canonical
    from couperation_formal.report.explain import explain as explain
    from couperation_formal.report.skeleton import new_record as new_record
    from couperation_formal.rules.moves import Moves as Moves

__version__ = "0.1.0"

_HOMES = {
    "analysis.complete": ("Completion", "NoTower", "Outlook", "completion_certificates", "outlook_certificates"),
    "analysis.deadlock": ("Scan", "scan_certificates"),
    "analysis.dispute": ("Dispute",),
    "analysis.infer": ("Marks",),
    "analysis.inspect": ("NoSuchTurn",),
    "analysis.table_answer": ("Level", "TableAnswer", "answer_certificates"),
    "analysis.table_deadlock": ("TableScan", "table_scan_certificates"),
    "analysis.verify": ("Engine", "EngineDisagreement", "Report"),
    "model.diagnostic": ("Diagnostic",),
    "model.record": ("Game", "Position", "Record", "Table"),
    "model.rulings": ("Rules", "RulesError", "parse_rules"),
    "model.state": ("State",),
    "model.proviso": ("Proviso",),
    "notation.marks": ("MarksError", "OwnMarks", "read_marks"),
    "notation.read": ("Item", "Malformed", "read_stream", "read_text"),
    "notation.write": ("action_text", "format_item", "position_text", "record_text"),
    "play.sample": ("sample_game",),
    "answers.towers": ("CompleteData", "DeadlockData", "windows_data"),
    "report.canonical": ("canonical",),
    "answers.data": ("moves_data", "report_data"),
    "answers.disputes": ("dispute_data",),
    "report.explain": ("explain",),
    "answers.infer": ("infer_data",),
    "report.skeleton": ("new_record",),
    "answers.tables": ("table_moves_data",),
    "answers.table_forms": ("TableCompleteData", "TableDeadlockData"),
    "rules.moves": ("Moves",),
}

_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "check",
    "complete",
    "complete_data",
    "deadlock",
    "deadlock_data",
    "dispute",
    "infer",
    "load_rules",
    "moves",
    "position_after",
    "read",
    "state_after",
    "windows",
    *_HOME,
]


def __getattr__(name: str) -> Any:
    """A public name, imported from the module that it lives in."""
    home, own = ("notation.read", "read_file") if name == "read" else (_HOME.get(name), name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import sys
    from importlib import import_module

    if "IPython" in sys.modules:
        import_module(f"{__name__}.notebook")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), own)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_rules(text: str) -> Rules:
    """Read ``"en-2 spread=adjacent"``, or the path of a TOML rulebook with changes after it.

    What ends in ``.toml`` is a path. Raises `RulesError` for what is unknown and `OSError` for an unreadable file.
    """
    from couperation_formal.model.rulebook import load_rules

    return load_rules(text)


def _rules(rules: Rules | str | None) -> Rules | None:
    return load_rules(rules) if isinstance(rules, str) else rules


def check(
    game: Item,
    rules: Rules | str | None = None,
    engine: Engine = "auto",
    budget: int | None = None,
    *,
    since: int | None = None,
    marks: OwnMarks | None = None,
    provided: bool = False,
) -> Report:
    """The verdict on one game, with reasons and states; see `analysis.verify.check`.

    `rules` stands in place of the record's own: `Rules`, or a text for `load_rules`. With `since` the turns before that
    one stand as they were played: what they break are notes. `marks` are those of the cards that were played with, as
    `read_marks` reads them; with `provided` the report tells what a legal verdict takes for granted, within a second
    `budget`. Raises what `load_rules` raises, `ValueError` where the record has no turn `since`, and
    `EngineDisagreement`.
    """
    from couperation_formal.analysis.marked import marked, warned
    from couperation_formal.analysis.provided import with_proviso
    from couperation_formal.analysis.verify import check

    item, warnings = marked(game, marks)
    report = warned(check(item, _rules(rules), engine, budget, since or 0), warnings)
    return with_proviso(report, budget, since or 0) if provided else report


def dispute(
    game: Game,
    turn: int | None = None,
    budget: int | None = None,
    *,
    at: int | None = None,
    whole: bool = False,
    marks: OwnMarks | None = None,
) -> Dispute:
    """Under which readings a game is legal, on which marks, cards and places that hangs, and which rulings decide; with
    `at` the same of this turn by itself. `marks` as for `check`. See `analysis.dispute.dispute`. Raises `ValueError`
    where there is no such turn.
    """
    from couperation_formal.analysis.dispute import dispute
    from couperation_formal.analysis.marked import marked

    item: Any = marked(game, marks)[0]
    return dispute(item, turn, budget, at=at, whole=whole)


def infer(games: Sequence[Game], rules: Rules | str | None = None, budget: int | None = None) -> Marks:
    """What games played with the same cards force about their marks; see `analysis.infer.infer_marks`."""
    from couperation_formal.analysis.infer import infer_marks

    return infer_marks(games, _rules(rules), budget)


def moves(game: Game, turn: int, rules: Rules | str | None = None) -> Moves:
    """Every legal action in turn `turn`, counted by place from 1, after its recorded draw. Raises `NoSuchTurn`."""
    from couperation_formal.analysis.inspect import moves_at

    return moves_at(game, turn, _rules(rules))


def state_after(game: Game, turn: int | None = None, rules: Rules | str | None = None) -> State:
    """The state after turn `turn`; 0 is the set-up, None the last turn. Raises `NoSuchTurn`."""
    from couperation_formal.analysis.inspect import state_after

    return state_after(game, turn, _rules(rules))


def position_after(game: Game, turn: int | None = None, rules: Rules | str | None = None) -> Position:
    """The same state as a CGN position. Raises `NoSuchTurn`."""
    from couperation_formal.analysis.inspect import position_after

    return position_after(game, turn, _rules(rules))


def complete(
    item: Game | Table,
    turn: int | None = None,
    rules: Rules | str | None = None,
    *,
    level: Level | None = None,
    budget: int | None = None,
) -> Completion | TableAnswer:
    """Whether a table can still be won or a tower be completed, of a position, or of a game after turn `turn` (None:
    the last): the question of ``couperation complete``. `level` is the table's where somebody is to move unless it is
    told; `budget` is for tables. See `analysis.table_answer` and `analysis.complete`. Raises `NoSuchTurn` and
    `NoTower`.
    """
    from couperation_formal.analysis.complete import complete
    from couperation_formal.analysis.table_answer import complete_table, level_of

    read = _rules(rules)
    if (level or level_of(item, turn, read)) == "tower":
        return complete(item, turn, read)
    return complete_table(item, turn, read, budget)


def windows(item: Game | Table, turn: int | None = None, rules: Rules | str | None = None) -> Outlook:
    """What each free cell of the same tower can still take. Raises `NoSuchTurn` and `NoTower`."""
    from couperation_formal.analysis.complete import windows

    return windows(item, turn, _rules(rules))


def deadlock(
    game: Game, rules: Rules | str | None = None, *, level: Level | None = None, budget: int | None = None
) -> Scan | TableScan:
    """Which turn killed a game, and why: the question of ``couperation deadlock``. With the level ``"tower"`` it is
    asked of the tower as it lies; see `analysis.table_deadlock` and `analysis.deadlock`. Raises `NoSuchTurn`.
    """
    from couperation_formal.analysis.deadlock import scan
    from couperation_formal.analysis.table_deadlock import scan_table

    return scan(game, _rules(rules)) if level == "tower" else scan_table(game, _rules(rules), budget)


def complete_data(found: Completion | TableAnswer) -> CompleteData | TableCompleteData:
    """The JSON form of what `complete` returns."""
    from couperation_formal.analysis.table_answer import TableAnswer
    from couperation_formal.answers.tables import table_complete_data
    from couperation_formal.answers.towers import complete_data

    return table_complete_data(found) if isinstance(found, TableAnswer) else complete_data(found)


def deadlock_data(found: Scan | TableScan) -> DeadlockData | TableDeadlockData:
    """The JSON form of what `deadlock` returns."""
    from couperation_formal.analysis.table_deadlock import TableScan
    from couperation_formal.answers.tables import table_deadlock_data
    from couperation_formal.answers.towers import deadlock_data

    return table_deadlock_data(found) if isinstance(found, TableScan) else deadlock_data(found)
