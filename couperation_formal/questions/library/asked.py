"""The public functions that ask about games and positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_args

from couperation_formal.game.fact import Fact, Told, fact
from couperation_formal.game.record import Game, Position, Record, Snapshot
from couperation_formal.game.rules.moves import Moves
from couperation_formal.game.rulings import Rules, parse_rules
from couperation_formal.game.state import State
from couperation_formal.game.tower import Variant
from couperation_formal.notation import write
from couperation_formal.notation.header import OwnMarks
from couperation_formal.notation.read import Malformed
from couperation_formal.questions.library.table import Table
from couperation_formal.questions.library.taken import (
    answer_of,
    game_of,
    names_of,
    numbers,
    of_type,
    place_of,
    rules_of,
    word,
)

if TYPE_CHECKING:
    from couperation_formal.output.report import Report
    from couperation_formal.questions.disputes.dispute import Dispute
    from couperation_formal.questions.disputes.infer import Marks
    from couperation_formal.questions.records.check import CheckData, Engine
    from couperation_formal.questions.records.sample import Policy
    from couperation_formal.questions.tables.ask import Level
    from couperation_formal.questions.tables.complete import Completion, TableAnswer
    from couperation_formal.questions.tables.deadlock import Scan, TableScan
    from couperation_formal.questions.tables.moves import MovesData, Prospect
    from couperation_formal.questions.tables.windows import Outlook


GameLike = Game | Record | Table | Snapshot | Malformed
"""A recorded game. Of what `read` gives, a position is refused (`TypeError`) and what is no CGN (`ValueError`)."""

PlaceLike = GameLike | Position | State
"""A game, after a turn of it, or a position. A `State` is one under the rules that are given with it."""


class Undetermined(Told, RuntimeError):
    """The budget ended before the answer was found. The table died, if it did, after turn `first` or a later one up to
    `last`; 0 is the set-up.
    """

    def __init__(self, first: int, last: int, taken: Fact) -> None:
        super().__init__(fact("open_between", first=first, last=last, taken=taken))
        self.first, self.last = first, last


def check(
    game: GameLike,
    rules: Rules | str | None = None,
    engine: Engine = "auto",
    budget: int | None = None,
    *,
    since: int | None = None,
    marks: OwnMarks | None = None,
    provided: bool = False,
) -> Report:
    """The verdict on one game, with reasons and states; see `records.check.check`.

    `rules` stands in place of the record's own: `Rules`, or a text for `load_rules`. With `since` the turns before that
    one stand as they were played: what they break are notes. `marks` are those of the cards that were played with, as
    `read_marks` reads them; with `provided` the report tells what a legal verdict takes for granted, within a second
    `budget`. A position that was read, and what is no CGN, are ``malformed``. Raises what `load_rules` raises,
    `ValueError` where the record has no turn `since`, and `EngineDisagreement`.
    """
    from couperation_formal.questions.records.check import Engine, check, marked, warned
    from couperation_formal.questions.records.provided import with_proviso

    word("engine", engine, get_args(Engine))
    numbers(budget=budget, since=since)
    read = game if isinstance(game, Snapshot | Malformed) else game_of(game, "check")
    item, warnings = marked(read, marks)
    report = warned(check(item, rules_of(rules), engine, budget, since or 0), warnings)
    return with_proviso(report, budget, since or 0) if provided else report


def dispute(
    game: GameLike,
    turn: int | None = None,
    budget: int | None = None,
    *,
    at: int | None = None,
    whole: bool = False,
    marks: OwnMarks | None = None,
) -> Dispute:
    """Under which readings a game is legal, on which marks, cards and places that hangs, and which rulings decide; with
    `at` the same of this turn by itself. `marks` as for `check`. See `disputes.dispute.dispute`. Raises `ValueError`
    where there is no such turn.
    """
    from couperation_formal.questions.disputes.dispute import dispute
    from couperation_formal.questions.records.check import marked

    numbers(turn=turn, budget=budget, at=at)
    item = marked(game_of(game, "dispute"), marks)[0]
    return dispute(game_of(item, "dispute"), turn, budget, at=at, whole=whole)


def infer(games: Iterable[GameLike] | GameLike, rules: Rules | str | None = None, budget: int | None = None) -> Marks:
    """What games played with the same cards, or one, force about their marks; see `disputes.infer.infer_marks`."""
    from couperation_formal.questions.disputes.infer import infer_marks

    numbers(budget=budget)
    several = games if isinstance(games, Iterable) else [games]
    return infer_marks([game_of(game, "infer") for game in several], rules_of(rules), budget)


def moves(item: PlaceLike, turn: int | None = None, rules: Rules | str | None = None) -> Moves:
    """Every legal action in turn `turn` of a game, counted by place from 1, after its recorded draw; without `turn` in
    the one that follows the last, before anybody draws. Of a position: of the player to move, before the draw. Raises
    `NoSuchTurn`.
    """
    from couperation_formal.game.position import state_of
    from couperation_formal.game.rules.moves import legal_actions
    from couperation_formal.questions.records.states import NoSuchTurn, moves_at

    found, read = _asked("moves", item, turn, rules)
    if isinstance(found, Game):
        return moves_at(found, len(found.record.turns) + 1 if turn is None else turn, read)
    position = found.position
    if position.turn is None:
        raise NoSuchTurn(fact("nobody_to_move"))
    state = state_of(position)
    return legal_actions(state, state.to_move, (read or position.rules).rulings)


def prospect(
    game: GameLike, turn: int | None = None, rules: Rules | str | None = None, budget: int | None = None
) -> Prospect:
    """The same actions of a game, to be judged one by one: `Prospect.judged` tells of each whether the table can still
    be won after it, and `budget` pays for all. Raises `NoSuchTurn`.
    """
    from couperation_formal.questions.tables.moves import prospect

    numbers(turn=turn, budget=budget)
    found = game_of(game, "prospect")
    return prospect(found, len(found.record.turns) + 1 if turn is None else turn, rules_of(rules), budget)


def state_after(game: GameLike, turn: int | None = None, rules: Rules | str | None = None) -> State:
    """The state after turn `turn`; 0 is the set-up, None the last turn. Raises `NoSuchTurn`."""
    from couperation_formal.questions.records.states import state_after

    numbers(turn=turn)
    return state_after(game_of(game, "state_after"), turn, rules_of(rules))


def position_after(game: GameLike, turn: int | None = None, rules: Rules | str | None = None) -> Position:
    """The same state as a CGN position. Raises `NoSuchTurn`."""
    from couperation_formal.questions.records.states import position_after

    numbers(turn=turn)
    return position_after(game_of(game, "position_after"), turn, rules_of(rules))


def complete(
    item: PlaceLike,
    turn: int | None = None,
    rules: Rules | str | None = None,
    *,
    level: Level | None = None,
    budget: int | None = None,
) -> Completion | TableAnswer:
    """Whether a table can still be won or a tower be completed, of a position, or of a game after turn `turn` (None:
    the last): the question of ``couperation complete``. `level` is the table's where somebody is to move unless it is
    told; `budget` is for tables. See `tables.complete`. Raises `NoSuchTurn` and
    `NoTower`.
    """
    from couperation_formal.questions.tables.ask import level_of
    from couperation_formal.questions.tables.complete import complete, complete_table

    found, read = _asked("complete", item, turn, rules, level, budget)
    if (level or level_of(found, turn, read)) == "tower":
        return complete(found, turn, read)
    return complete_table(found, turn, read, budget)


def tower_completable(item: PlaceLike, turn: int | None = None, rules: Rules | str | None = None) -> bool:
    """Whether the cards that are left can complete the tower of a position, or of a game after turn `turn` (None: the
    last), the up cards staying where they are. Exact. Raises `NoSuchTurn` and `NoTower`.
    """
    from couperation_formal.questions.tables.complete import complete

    found, read = _asked("tower_completable", item, turn, rules)
    return complete(found, turn, read).completable


def table_winnable(
    item: PlaceLike, turn: int | None = None, rules: Rules | str | None = None, *, budget: int | None = None
) -> bool | None:
    """Whether any legal continuation wins, from a position or from a game after turn `turn` (None: the last). None is
    neither: the budget ended first. So ask ``is False`` where you mean that the table is dead. Raises `NoSuchTurn`, and
    `NoTower` where nobody is to move.
    """
    from couperation_formal.questions.tables.complete import complete_table

    found, read = _asked("table_winnable", item, turn, rules, budget=budget)
    return complete_table(found, turn, read, budget).winnable


def windows(item: PlaceLike, turn: int | None = None, rules: Rules | str | None = None) -> Outlook:
    """What each free cell of the same tower can still take. Raises `NoSuchTurn` and `NoTower`."""
    from couperation_formal.questions.tables.windows import windows

    found, read = _asked("windows", item, turn, rules)
    return windows(found, turn, read)


def deadlock(
    game: GameLike, rules: Rules | str | None = None, *, level: Level | None = None, budget: int | None = None
) -> Scan | TableScan:
    """Which turn killed a game, and why: the question of ``couperation deadlock``. With the level ``"tower"`` it is
    asked of the tower as it lies; see `tables.deadlock` and `tables.deadlock`. Raises `NoSuchTurn`.
    """
    from couperation_formal.questions.tables.deadlock import scan, scan_table

    found, read = game_of(game, "deadlock"), rules_of(rules)
    _options(level, budget)
    return scan(found, read, budget) if level == "tower" else scan_table(found, read, budget)


def first_dead_turn(
    game: GameLike, rules: Rules | str | None = None, *, level: Level = "table", budget: int | None = None
) -> int | None:
    """The turn that killed a game, by place, 0 for the set-up: after it no continuation wins. None: there is none, for
    sure. Where the budget ends first it raises `Undetermined`, so that what is open never looks like None.

    With the level ``"tower"``: the turn after which the tower could not be completed any more, up to the end of the
    record. That is exact. Raises `NoSuchTurn` where the record is illegal or cannot be told to its end.
    """
    from couperation_formal.questions.tables.deadlock import TableScan

    found = deadlock(game, rules, level=level, budget=budget)
    if isinstance(found, TableScan):
        if found.open is not None:
            raise Undetermined(*found.open, found.taken)
        return found.dead
    return found.turn


def _options(level: Level | None, budget: int | None) -> None:
    from couperation_formal.questions.tables.ask import Level

    if level is not None:
        word("level", level, get_args(Level))
    numbers(budget=budget)


def _asked(
    name: str,
    item: PlaceLike,
    turn: int | None,
    rules: Rules | str | None,
    level: Level | None = None,
    budget: int | None = None,
) -> tuple[Game | Snapshot, Rules | None]:
    """What the function `name` asks about, and the rules that stand in place of its own."""
    from couperation_formal.questions.records.states import NoSuchTurn

    _options(level, budget)
    numbers(turn=turn)
    read = rules_of(rules)
    found = place_of(item, name, read)
    if turn is not None and isinstance(found, Snapshot):
        raise NoSuchTurn(fact("no_position_turn"))
    return found, read


# The public functions that make games, and that write and show what others return.


def sample_game(
    players: Sequence[str] | str | int = 2,
    variant: Variant = "first",
    rules: Rules | str | None = None,
    seed: int = 0,
    policy: Policy = "careful",
    public: bool = False,
) -> Record:
    """A complete legal game, the same for the same arguments, as ``couperation sample`` makes it; with `public` as a
    recorder at the table sees it. `players` are names, a text of them, or a number. See `records.sample`. Raises
    `ValueError` for a number of players that no game is for, and for names that CGN cannot hold.
    """
    from couperation_formal.questions.records.sample import Policy, sample_game

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
    `records.new.new_record`. Raises `ValueError` for a number of players that the game is not for, and for names or
    an event that CGN cannot hold.
    """
    from couperation_formal.questions.records.new import new_record

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
    from couperation_formal.questions.tables.ask import situated

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
    from couperation_formal.questions.records.states import seen_by

    return seen_by(place_of(item, "seen_by"), of_type("viewer", viewer, str, "str"))


def report_data(report: Report) -> CheckData:
    """The JSON form of what `check` returns. Cost: for each diagnostic linear in the text before it."""
    from couperation_formal.output.report import Report
    from couperation_formal.questions.records.check import report_data

    return report_data(answer_of("report_data", "check", report, Report))


def moves_data(game: GameLike, turn: int, moves: Moves) -> MovesData:
    """The JSON form of what `moves` returns for a turn of a game."""
    from couperation_formal.game.rules.moves import Moves
    from couperation_formal.questions.tables.moves import moves_data

    numbers(turn=turn)
    return moves_data(game_of(game, "moves_data"), turn, answer_of("moves_data", "moves", moves, Moves))
