"""The public functions that make games, and that write and show what others return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from couperation_formal.game.record import Game, Position, Record, Snapshot
from couperation_formal.game.rulings import Rules, parse_rules
from couperation_formal.game.tower import Variant
from couperation_formal.library.taken import answer_of, game_of, names_of, numbers, of_type, place_of, rules_of, word
from couperation_formal.notation import write

if TYPE_CHECKING:
    from couperation_formal.analysis.complete import Completion, Outlook
    from couperation_formal.analysis.deadlock import Scan
    from couperation_formal.analysis.dispute import Dispute
    from couperation_formal.analysis.infer import Marks
    from couperation_formal.analysis.sample import Policy
    from couperation_formal.analysis.table_answer import TableAnswer
    from couperation_formal.analysis.table_deadlock import TableScan
    from couperation_formal.analysis.verdict import Report
    from couperation_formal.answers.data import CheckData, MovesData
    from couperation_formal.answers.disputes import DisputeData, QuarrelData
    from couperation_formal.answers.infer import InferData
    from couperation_formal.answers.table_forms import TableCompleteData, TableDeadlockData
    from couperation_formal.answers.towers import CompleteData, DeadlockData, WindowsData
    from couperation_formal.game.rules.moves import Moves
    from couperation_formal.library.asked import GameLike, PlaceLike


def sample_game(
    players: Sequence[str] | str | int = 2,
    variant: Variant = "first",
    rules: Rules | str | None = None,
    seed: int = 0,
    policy: Policy = "careful",
    public: bool = False,
) -> Record:
    """A complete legal game, the same for the same arguments, as ``couperation sample`` makes it; with `public` as a
    recorder at the table sees it. `players` are names, a text of them, or a number. See `analysis.sample`. Raises
    `ValueError` for a number of players that no game is for, and for names that CGN cannot hold.
    """
    from couperation_formal.analysis.sample import Policy, sample_game

    numbers(seed=seed)
    word("variant", variant, get_args(Variant))
    word("policy", policy, get_args(Policy))
    return sample_game(names_of(players), variant, rules_of(rules) or parse_rules(""), seed, policy, public)


def new_record(
    players: Sequence[str] | str,
    variant: Variant = "first",
    rules: Rules | str | None = None,
    event: str | None = None,
) -> str:
    """The text of a record to fill in at the table; `players` are names, or a text of them. See
    `report.skeleton.new_record`. Raises `ValueError` for a number of players that the game is not for, and for names or
    an event that CGN cannot hold.
    """
    from couperation_formal.report.skeleton import new_record

    word("variant", variant, get_args(Variant))
    of_type("event", event, str, "str")
    names = players.split() if isinstance(players, str) else list(of_type("players", players, Sequence, "names"))
    return new_record(names, variant, rules_of(rules), event)


def record_text(game: GameLike) -> str:
    """A whole game as canonical CGN, its result always written, without comments. Raises `ValueError` for a tag that
    CGN cannot hold.
    """
    return write.record_text(game if isinstance(game, Record) else game_of(game, "record_text").record)


def position_text(position: PlaceLike, rules: Rules | str | None = None) -> str:
    """A position as canonical CGN; of a game that after its last turn. Raises what `position_after` raises."""
    from couperation_formal.analysis.complete import situated

    read = rules_of(rules)
    if isinstance(position, Position) and read is None:
        return write.position_text(position)
    return write.position_text(situated(place_of(position, "position_text", read), None, read).position)


def format_item(item: PlaceLike) -> str:
    """A game or position as it was read, in canonical form, with its lines and comments in their order.

    Reading the result gives the same value, and comments with the same texts in the same order. Cost: linear.
    """
    return write.format_item(place_of(item, "format_item"))


def seen_by(item: PlaceLike, viewer: str | None = None) -> Game | Snapshot:
    """A game or position as the player `viewer` could have written it down, or (None) anybody at the table: what he
    cannot know is unseen, and comments, glyphs and tags that may tell anything are left out. A turn shows what was
    known when it was played. Raises `ValueError` where nobody of this name plays. Cost: that of reading the game once.
    """
    from couperation_formal.analysis.seen import seen_by

    return seen_by(place_of(item, "seen_by"), of_type("viewer", viewer, str, "str"))


def report_data(report: Report) -> CheckData:
    """The JSON form of what `check` returns. Cost: for each diagnostic linear in the text before it."""
    from couperation_formal.analysis.verdict import Report
    from couperation_formal.answers.data import report_data

    return report_data(answer_of("report_data", "check", report, Report))


def dispute_data(found: Dispute) -> DisputeData | QuarrelData:
    """The JSON form of what `dispute` returns."""
    from couperation_formal.analysis.dispute import Dispute
    from couperation_formal.answers.disputes import dispute_data

    return dispute_data(answer_of("dispute_data", "dispute", found, Dispute))


def infer_data(found: Marks) -> InferData:
    """The JSON form of what `infer` returns."""
    from couperation_formal.analysis.infer import Marks
    from couperation_formal.answers.infer import infer_data

    return infer_data(answer_of("infer_data", "infer", found, Marks))


def windows_data(found: Outlook) -> WindowsData:
    """The JSON form of what `windows` returns."""
    from couperation_formal.analysis.complete import Outlook
    from couperation_formal.answers.towers import windows_data

    return windows_data(answer_of("windows_data", "windows", found, Outlook))


def moves_data(game: GameLike, turn: int, moves: Moves) -> MovesData:
    """The JSON form of what `moves` returns for a turn of a game."""
    from couperation_formal.answers.data import moves_data
    from couperation_formal.game.rules.moves import Moves

    numbers(turn=turn)
    return moves_data(game_of(game, "moves_data"), turn, answer_of("moves_data", "moves", moves, Moves))


def complete_data(found: Completion | TableAnswer) -> CompleteData | TableCompleteData:
    """The JSON form of what `complete` returns."""
    from couperation_formal.analysis.complete import Completion
    from couperation_formal.analysis.table_answer import TableAnswer
    from couperation_formal.answers.tables import table_complete_data
    from couperation_formal.answers.towers import complete_data

    if isinstance(found, TableAnswer):
        return table_complete_data(found)
    return complete_data(answer_of("complete_data", "complete", found, Completion))


def deadlock_data(found: Scan | TableScan) -> DeadlockData | TableDeadlockData:
    """The JSON form of what `deadlock` returns."""
    from couperation_formal.analysis.deadlock import Scan
    from couperation_formal.analysis.table_deadlock import TableScan
    from couperation_formal.answers.tables import table_deadlock_data
    from couperation_formal.answers.towers import deadlock_data

    if isinstance(found, TableScan):
        return table_deadlock_data(found)
    return deadlock_data(answer_of("deadlock_data", "deadlock", found, Scan))
