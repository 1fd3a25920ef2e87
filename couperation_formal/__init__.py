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

What one function returns the next one takes, and a game can be played in code:

>>> cf.tower_completable(cf.position_after(cf.sample_game(rules="en-2"), 5))
True
>>> table = cf.Table.new(["Aki", "Ben"], deals={"Aki": "17 30 44"})
>>> print(table.play("A 17@f1"))
1. Aki +0 A 17@f1
>>> cf.check(table.record()).verdict
'legal'

A command of the command line prints what such a function returns; `report_data`, `moves_data` and the like give its
JSON form.
Names are imported when they are used, so that importing this package costs next to nothing. In a notebook towers,
games, verdicts and answers show themselves as pictures; see `couperation_formal.notebook`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from couperation_formal.analysis.books import BookVerdict as BookVerdict
    from couperation_formal.analysis.complete import Completion as Completion
    from couperation_formal.analysis.complete import NoTower as NoTower
    from couperation_formal.analysis.complete import Outlook as Outlook
    from couperation_formal.analysis.complete import Situation as Situation
    from couperation_formal.analysis.complete import completion_certificates as completion_certificates
    from couperation_formal.analysis.complete import outlook_certificates as outlook_certificates
    from couperation_formal.analysis.deadlock import Saving as Saving
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
    from couperation_formal.analysis.table_moves import Judged as Judged
    from couperation_formal.analysis.table_moves import Prospect as Prospect
    from couperation_formal.analysis.verdict import Conflict as Conflict
    from couperation_formal.analysis.verdict import Correct as Correct
    from couperation_formal.analysis.verdict import Report as Report
    from couperation_formal.analysis.verify import Engine as Engine
    from couperation_formal.analysis.verify import EngineDisagreement as EngineDisagreement
    from couperation_formal.answers.data import CheckData as CheckData
    from couperation_formal.answers.data import MovesData as MovesData
    from couperation_formal.answers.disputes import DisputeData as DisputeData
    from couperation_formal.answers.disputes import QuarrelData as QuarrelData
    from couperation_formal.answers.infer import InferData as InferData
    from couperation_formal.answers.table_forms import TableCompleteData as TableCompleteData
    from couperation_formal.answers.table_forms import TableDeadlockData as TableDeadlockData
    from couperation_formal.answers.table_forms import TableMovesData as TableMovesData
    from couperation_formal.answers.tables import table_moves_data as table_moves_data
    from couperation_formal.answers.towers import CompleteData as CompleteData
    from couperation_formal.answers.towers import DeadlockData as DeadlockData
    from couperation_formal.answers.towers import WindowsData as WindowsData
    from couperation_formal.completion.answer import Completable as Completable
    from couperation_formal.completion.answer import Deadlocked as Deadlocked
    from couperation_formal.completion.answer import Mended as Mended
    from couperation_formal.completion.answer import TowerAnswer as TowerAnswer
    from couperation_formal.completion.windows import Windows as Windows
    from couperation_formal.continuation.answer import Answer as Answer
    from couperation_formal.continuation.answer import Dead as Dead
    from couperation_formal.continuation.answer import Exhausted as Exhausted
    from couperation_formal.continuation.answer import Unknown as Unknown
    from couperation_formal.continuation.answer import Won as Won
    from couperation_formal.library.asked import GameLike as GameLike
    from couperation_formal.library.asked import PlaceLike as PlaceLike
    from couperation_formal.library.asked import Undetermined as Undetermined
    from couperation_formal.library.asked import check as check
    from couperation_formal.library.asked import complete as complete
    from couperation_formal.library.asked import deadlock as deadlock
    from couperation_formal.library.asked import dispute as dispute
    from couperation_formal.library.asked import first_dead_turn as first_dead_turn
    from couperation_formal.library.asked import infer as infer
    from couperation_formal.library.asked import moves as moves
    from couperation_formal.library.asked import position_after as position_after
    from couperation_formal.library.asked import prospect as prospect
    from couperation_formal.library.asked import state_after as state_after
    from couperation_formal.library.asked import table_winnable as table_winnable
    from couperation_formal.library.asked import tower_completable as tower_completable
    from couperation_formal.library.asked import windows as windows
    from couperation_formal.library.made import complete_data as complete_data
    from couperation_formal.library.made import deadlock_data as deadlock_data
    from couperation_formal.library.made import dispute_data as dispute_data
    from couperation_formal.library.made import format_item as format_item
    from couperation_formal.library.made import infer_data as infer_data
    from couperation_formal.library.made import moves_data as moves_data
    from couperation_formal.library.made import new_record as new_record
    from couperation_formal.library.made import position_text as position_text
    from couperation_formal.library.made import record_text as record_text
    from couperation_formal.library.made import report_data as report_data
    from couperation_formal.library.made import sample_game as sample_game
    from couperation_formal.library.made import seen_by as seen_by
    from couperation_formal.library.made import windows_data as windows_data
    from couperation_formal.library.table import Cards as Cards
    from couperation_formal.library.table import IllegalPlay as IllegalPlay
    from couperation_formal.library.table import Table as Table
    from couperation_formal.model.board import Board as Board
    from couperation_formal.model.board import Cell as Cell
    from couperation_formal.model.cards import FINISH as FINISH
    from couperation_formal.model.cards import UNSEEN as UNSEEN
    from couperation_formal.model.cards import Card as Card
    from couperation_formal.model.cards import Down as Down
    from couperation_formal.model.cards import FinishCard as FinishCard
    from couperation_formal.model.cards import Laid as Laid
    from couperation_formal.model.cards import Mark as Mark
    from couperation_formal.model.cards import Shown as Shown
    from couperation_formal.model.cards import UnseenCard as UnseenCard
    from couperation_formal.model.cards import Up as Up
    from couperation_formal.model.cards import Value as Value
    from couperation_formal.model.cards import Variant as Variant
    from couperation_formal.model.diagnostic import Change as Change
    from couperation_formal.model.diagnostic import Diagnostic as Diagnostic
    from couperation_formal.model.diagnostic import Edit as Edit
    from couperation_formal.model.diagnostic import Reached as Reached
    from couperation_formal.model.diagnostic import Result as Result
    from couperation_formal.model.diagnostic import Severity as Severity
    from couperation_formal.model.diagnostic import Verdict as Verdict
    from couperation_formal.model.fact import Datum as Datum
    from couperation_formal.model.fact import Fact as Fact
    from couperation_formal.model.proviso import Proviso as Proviso
    from couperation_formal.model.proviso import Term as Term
    from couperation_formal.model.record import Action as Action
    from couperation_formal.model.record import Comment as Comment
    from couperation_formal.model.record import Exchange as Exchange
    from couperation_formal.model.record import Game as Game
    from couperation_formal.model.record import LayDown as LayDown
    from couperation_formal.model.record import Layout as Layout
    from couperation_formal.model.record import LayUp as LayUp
    from couperation_formal.model.record import NoAction as NoAction
    from couperation_formal.model.record import Open as Open
    from couperation_formal.model.record import Outcome as Outcome
    from couperation_formal.model.record import Position as Position
    from couperation_formal.model.record import Record as Record
    from couperation_formal.model.record import Snapshot as Snapshot
    from couperation_formal.model.record import Span as Span
    from couperation_formal.model.record import Turn as Turn
    from couperation_formal.model.record import TurnLayout as TurnLayout
    from couperation_formal.model.rulebook import load_rules as load_rules
    from couperation_formal.model.rulings import Option as Option
    from couperation_formal.model.rulings import Rules as Rules
    from couperation_formal.model.rulings import RulesError as RulesError
    from couperation_formal.model.rulings import Ruling as Ruling
    from couperation_formal.model.rulings import Rulings as Rulings
    from couperation_formal.model.rulings import Stand as Stand
    from couperation_formal.model.rulings import TextStand as TextStand
    from couperation_formal.model.rulings import parse_rules as parse_rules
    from couperation_formal.model.state import Pile as Pile
    from couperation_formal.model.state import State as State
    from couperation_formal.model.tower import Tower as Tower
    from couperation_formal.notation.marks import MarksError as MarksError
    from couperation_formal.notation.marks import OwnMarks as OwnMarks
    from couperation_formal.notation.marks import read_marks as read_marks
    from couperation_formal.notation.read import Item as Item
    from couperation_formal.notation.read import Malformed as Malformed
    from couperation_formal.notation.read import read_file as read
    from couperation_formal.notation.read import read_stream as read_stream
    from couperation_formal.notation.read import read_text as read_text
    from couperation_formal.notation.write import action_text as action_text
    from couperation_formal.notation.write import turn_text as turn_text
    from couperation_formal.play.sample import Policy as Policy
    from couperation_formal.replay.replay import Doubt as Doubt
    from couperation_formal.report.canonical import canonical as canonical
    from couperation_formal.report.clauses import ClauseSource as ClauseSource
    from couperation_formal.report.clauses import ClauseText as ClauseText
    from couperation_formal.report.explain import Explained as Explained
    from couperation_formal.report.explain import RulebookText as RulebookText
    from couperation_formal.report.explain import explain as explain
    from couperation_formal.rules.moves import Move as Move
    from couperation_formal.rules.moves import Moves as Moves
    from couperation_formal.smt.infer import Claim as Claim
    from couperation_formal.smt.infer import Clash as Clash
    from couperation_formal.smt.infer import Inference as Inference
    from couperation_formal.smt.infer import Known as Known

__version__ = "0.1.0"

_HOMES = {
    "analysis.complete": "Completion NoTower Outlook Situation completion_certificates outlook_certificates",
    "analysis.deadlock": "Saving Scan scan_certificates",
    "analysis.books": "BookVerdict",
    "analysis.dispute": "Dispute",
    "analysis.infer": "Marks",
    "analysis.inspect": "NoSuchTurn",
    "analysis.table_answer": "Level TableAnswer answer_certificates",
    "analysis.table_deadlock": "TableScan table_scan_certificates",
    "analysis.table_moves": "Judged Prospect",
    "analysis.verdict": "Conflict Correct Report",
    "analysis.verify": "Engine EngineDisagreement",
    "answers.data": "CheckData MovesData",
    "answers.disputes": "DisputeData QuarrelData",
    "answers.infer": "InferData",
    "answers.table_forms": "TableCompleteData TableDeadlockData TableMovesData",
    "answers.tables": "table_moves_data",
    "answers.towers": "CompleteData DeadlockData WindowsData",
    "completion.answer": "Completable Deadlocked Mended TowerAnswer",
    "completion.windows": "Windows",
    "continuation.answer": "Answer Dead Exhausted Unknown Won",
    "library.asked": "GameLike PlaceLike Undetermined check complete deadlock dispute first_dead_turn infer moves "
    "position_after prospect state_after table_winnable tower_completable windows",
    "library.made": "complete_data deadlock_data dispute_data format_item infer_data moves_data new_record "
    "position_text record_text report_data sample_game seen_by windows_data",
    "library.table": "Cards IllegalPlay Table",
    "model.board": "Board Cell",
    "model.cards": "Card Down FINISH FinishCard Laid Mark Shown UNSEEN UnseenCard Up Value Variant",
    "model.diagnostic": "Change Diagnostic Edit Reached Result Severity Verdict",
    "model.fact": "Datum Fact",
    "model.proviso": "Proviso Term",
    "model.record": "Action Comment Exchange Game LayDown LayUp Layout NoAction Open Outcome Position Record Snapshot "
    "Span Turn TurnLayout",
    "model.rulebook": "load_rules",
    "model.rulings": "Option Rules RulesError Ruling Rulings Stand TextStand parse_rules",
    "model.state": "Pile State",
    "model.tower": "Tower",
    "notation.marks": "MarksError OwnMarks read_marks",
    "notation.read": "Item Malformed read_stream read_text",
    "notation.write": "action_text turn_text",
    "play.sample": "Policy",
    "replay.replay": "Doubt",
    "report.canonical": "canonical",
    "report.clauses": "ClauseSource ClauseText",
    "report.explain": "Explained RulebookText explain",
    "rules.moves": "Move Moves",
    "smt.infer": "Claim Clash Inference Known",
}
"""The rooms in which the public names live."""

_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = ["read", *_HOME]


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
