"""Can this table still be won, or this tower be completed: how, or why not; what could save it, what its cells take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from couperation_formal.game.fact import Spent, Steps, Text, Unfit, fact, ranges, steps_of
from couperation_formal.game.record import Game, Position, Snapshot, short
from couperation_formal.game.rulings import Rules
from couperation_formal.game.tower import FINISH, UNSEEN, Down, Mark, column_name
from couperation_formal.notation.write import position_text, turn_text
from couperation_formal.output import formats
from couperation_formal.output.blocks import Columns, Drawing, Paragraph, Play, Sentence, position_blocks, verdict
from couperation_formal.questions.records.states import PlaceLike, word
from couperation_formal.questions.tables import ask, why
from couperation_formal.towers.completion import answer as towers
from couperation_formal.towers.completion.fill import Problem, fill
from couperation_formal.towers.continuation.answer import Answer, Unknown, Won
from couperation_formal.words.say import ENGLISH, encodable, say

# Is the tower of a position, or of a game after a turn, still completable, and what could save it.

TowerEngine = Literal["exact", "z3", "both"]


class Completion(formats.Answer, kw_only=True):
    """The answer on a position's tower. `mended` is the least set of up cards whose giving up saves it, None where none
    does or where nothing has to be given up.
    """

    at: ask.Situation
    answer: towers.TowerAnswer
    mended: towers.Mended | None

    @property
    def completable(self) -> bool:
        """Whether the tower can be completed."""
        return isinstance(self.answer, towers.Completable)

    def __repr__(self) -> str:
        return short(self, at=str(self.at), completable=self.completable)

    def __str__(self) -> str:
        """The verdict, and a filling as cards on cells."""
        said = fact("completable" if self.completable else "deadlocked")
        lines = [say(fact("told_of", what=self.at.where, said=said), ENGLISH)]
        if isinstance(self.answer, towers.Completable):
            problem = self.answer.problem
            lines.append(" ".join(f"{value}@{problem.cell(i)}" for i, value in self.answer.filling.items()))
        return "\n".join(filter(None, lines))

    def data(self) -> CompleteData:
        """The answer as `complete --output-format json` writes it."""
        at, answer = self.at, self.answer
        filling, given = None, None
        if isinstance(answer, towers.Completable):
            filling, given = towers.filling_data(at.position, answer.problem, answer.filling), list[str]()
        elif self.mended is not None:
            given = towers.cells_data(self.mended.problem, self.mended.repair.cells)
        return CompleteData.about(
            at,
            verdict=why.verdict_of(answer),
            level="tower",
            filling=filling,
            reason=why.reason_of(answer),
            repair=None if given is None else RepairData(distance=len(given), give_up=tuple(given)),
            checked=True,
        )

    def blocks(self) -> Iterator[Paragraph]:
        """The tower with a filling, or with each conflict marked and told, and what could save it."""
        position, data = self.at.position, self.data()
        yield why.heading(self.at)
        if data.filling is not None:
            yield [verdict("completable", "would_complete" if data.filling else "tower_full")]
            yield [_filled(position, data.filling)]
            return
        yield [verdict("deadlocked", "not_as_it_stands")]
        yield from why.refusals(position, self.answer)
        if data.repair is None or self.mended is None:
            target = position.rules.rulings.replace_target
            yield [Sentence(fact("nothing_saves" if FINISH in position.gone else f"nothing_saves_{target}"))]
            return
        laid = {str(cell): card for cell, card in position.tower}
        given = tuple(fact("card_on", card=laid[cell], cell=cell) for cell in data.repair.give_up)
        yield [Sentence(fact("replacing_saves", count=len(given), given=given))]
        yield [_filled(position, towers.filling_data(position, self.mended.problem, self.mended.repair.filling))]

    def certificates(self) -> Iterator[dict[str, Any]]:
        """The certificate of an answer and, where it is no, that of what could save the tower."""
        position, answer = self.at.position, self.answer
        yield towers.tower_certificate(position, answer)
        if isinstance(answer, towers.Deadlocked):
            yield towers.repair_certificate(position, self.mended)


def complete(
    item: PlaceLike,
    turn: int | None = None,
    rules: Rules | str | None = None,
    *,
    level: ask.Level | None = None,
    budget: Steps | int | None = None,
    engine: TowerEngine = "exact",
) -> Completion | TableAnswer:
    """Whether a table can still be won or a tower be completed, of a position, or of a game after turn `turn` (None:
    the last). `level` is the table's where somebody is to move unless it is told; `budget` is for tables. An `engine`
    other than "exact" asks about the tower. Raises `NoSuchTurn`, `NoTower`, and `ValueError` for an engine beside the
    level of tables. Cost: see `complete_tower` and `complete_table`.
    """
    steps = steps_of(budget)
    word("engine", engine, get_args(TowerEngine))
    if engine != "exact":
        if level == "table":
            raise Unfit(fact("engine_of_towers"))
        level = "tower"
    ask.level_asked(level)
    asked = ask.place_asked("complete", item, turn, rules)
    if (level or ask.level_of(*asked)) == "tower":
        return complete_tower(*asked, engine)
    return complete_table(*asked, steps)


def tower_completable(item: PlaceLike, turn: int | None = None, rules: Rules | str | None = None) -> bool:
    """Whether the cards that are left can complete the tower of a position, or of a game after turn `turn` (None: the
    last), the up cards staying where they are. Exact. Raises `NoSuchTurn` and `NoTower`.
    """
    return complete_tower(*ask.place_asked("tower_completable", item, turn, rules)).completable


def table_winnable(
    item: PlaceLike, turn: int | None = None, rules: Rules | str | None = None, *, budget: Steps | int | None = None
) -> bool | None:
    """Whether any legal continuation wins, from a position or from a game after turn `turn` (None: the last). None is
    neither: the budget ended first. So ask ``is False`` where you mean that the table is dead. Raises `NoSuchTurn`, and
    `NoTower` where nobody is to move.
    """
    return complete_table(*ask.place_asked("table_winnable", item, turn, rules), steps_of(budget)).winnable


def complete_tower(
    item: Game | Snapshot, turn: int | None, rules: Rules | None, engine: TowerEngine = "exact"
) -> Completion:
    """The answer at the tower level, and what could save a deadlocked tower.

    `engine` "exact" fills the tower by earliest deadline first, "z3" has Z3 decide, and "both" asks both and raises
    `EngineDisagreement` where they differ. Raises what `situation` raises; with Z3 `Spent` where it gives up.
    Cost: tens of microseconds, tens of milliseconds with Z3; for a deadlocked tower the search for its repair.
    """
    at = ask.situation(item, turn, rules)
    answer = towers.complete(at.position) if engine == "exact" else _by_z3(at, both=engine == "both")
    mended = towers.mend(at.position) if isinstance(answer, towers.Deadlocked) else None
    return Completion(at=at, answer=answer, mended=mended)


def _by_z3(at: ask.Situation, both: bool) -> towers.TowerAnswer:
    from couperation_formal.hidden.smt.tower import SolverUnknown, z3_fill
    from couperation_formal.questions.records.check import EngineDisagreement

    def by_both(problem: Problem) -> dict[int, int] | None:
        exact, z3 = fill(problem), z3_fill(problem)
        if (exact is None) != (z3 is None):
            raise EngineDisagreement(f"{at}: {'no filling' if exact is None else 'a filling'}, z3 the contrary")
        return exact

    try:
        return towers.complete(at.position, by=by_both if both else z3_fill)
    except SolverUnknown:
        raise Spent from None


# Does any continuation of a table win: the question asked of a position, or of a game after a turn.
#
# The engine is `towers.continuation.answer`.


class TableAnswer(formats.Answer, kw_only=True):
    """The answer on the table of a position: a line that wins, a reason why none does, or the budget that ran out."""

    at: ask.Situation
    answer: Answer

    @property
    def winnable(self) -> bool | None:
        """Whether some continuation wins; None where the budget ended first."""
        return None if isinstance(self.answer, Unknown) else isinstance(self.answer, Won)

    def __repr__(self) -> str:
        return short(self, at=str(self.at), winnable=self.winnable)

    def __str__(self) -> str:
        """The verdict, and a line that wins."""
        said = fact("undetermined")
        if self.winnable is not None:
            said = fact("completable" if self.winnable else "deadlocked")
        told = say(fact("told_of", what=self.at.where, said=said), ENGLISH)
        return "\n".join([told, *map(turn_text, ask.line_from(self.answer, self.at.turn))])

    def data(self) -> TableCompleteData:
        """The answer as `complete --level table --output-format json` writes it."""
        at, answer, world = self.at, self.answer, None
        if isinstance(answer, Won):
            world = encodable(position_text(ask.world_position(at.position, answer)))
        return TableCompleteData.about(
            at,
            verdict=why.verdict_of(answer),
            level="table",
            line=why.written(ask.line_from(answer, at.turn)) or None,
            assumed_marks=why.marks_of(answer),
            world=world,
            checked=why.checked(answer),
            budget=why.budget_of(answer),
            reasons=why.reasons_of(answer),
        )

    def blocks(self) -> Iterator[Paragraph]:
        """The table, and a line that wins from it, or why none does, or the budget that ran out."""
        yield why.heading(self.at)
        yield from position_blocks(self.at.position)
        if isinstance(self.answer, Won):
            yield [verdict("can_win", "line_wins", turns=len(self.answer.line))]
            yield from self.line_blocks()
        else:
            yield from self.no_line_blocks()

    def no_line_blocks(self) -> Iterator[Paragraph]:
        """Why no line wins from a table, or the budget that ran out."""
        data = self.data()
        if data.budget is not None:
            yield [verdict("undetermined", "told", said=why.ran_out(data.budget))]
        else:
            yield [verdict("cannot_win", "none_wins")]
            yield why.told(data.reasons, data.checked)

    def line_blocks(self) -> Iterator[Paragraph]:
        """The line that wins from a table, which has one, and what it takes for granted."""
        yield [Play(why.written(ask.line_from(self.answer, self.at.turn)))]
        yield from why.assumed(self.at.position, self.answer)

    def certificates(self) -> Iterator[dict[str, Any]]:
        """The certificate of an answer, see `table_certificates`."""
        return ask.table_certificates(self.at.position, self.answer)


def complete_table(item: Game | Snapshot, turn: int | None, rules: Rules | None, budget: Steps) -> TableAnswer:
    """Whether any legal continuation wins from this position, or from a game after turn `turn` (None: the last).

    Raises `NoSuchTurn`, and `NoTower` where nobody is to move, where the game is over, where no place of the columns
    that the rules allow holds the tower, and where the cards do not add up. Cost: see `towers.continuation.answer`.
    """
    at = ask.situated(item, turn, rules)
    if at.position.turn is None:
        raise ask.NoTower("over_after" if isinstance(item, Game) else "nobody_moves", turn=at.turn)
    return TableAnswer(at=at, answer=ask.ask(at.position, budget))


class RepairData(formats.Data):
    """The fewest up cards that must be given up, by column, then level."""

    distance: formats.Natural
    give_up: tuple[str, ...]


class CompleteData(formats.GameData):
    """Whether a tower is completable. `turn` is None for a position. `checked` is false where the independent checker
    could not repeat the answer within its part of the budget; so in the forms below.

    `filling` holds the cells that were not up; ``F`` is the apex of the variant finish. `repair` is None when nothing
    helps.
    """

    turn: formats.Natural | None
    verdict: why.Answered
    level: Literal["tower"]
    filling: dict[str, formats.Positive | Literal["F"]] | None
    reason: why.ReasonData | None
    repair: RepairData | None
    checked: bool
    format: Literal[1]


class TableCompleteData(formats.GameData):
    """Whether a table can still be won. `turn` is None for a position.

    `line` are the turns of a continuation that wins, numbered on from `turn`, `assumed_marks` the marks that it needs
    and that are not given, `world` the position with a card for each unseen place, from which it is played. `checked`
    tells whether the independent checker can repeat the proof, None without one; `budget` is None unless it ran out.
    """

    turn: formats.Natural | None
    verdict: why.Answered
    level: Literal["table"]
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    world: str | None
    checked: bool | None
    budget: why.BudgetData | None
    reasons: tuple[why.TableReasonData, ...]
    format: Literal[1]


def _filled(position: Position, filling: Mapping[str, object]) -> Drawing:
    """The whole tower, what fills it in parentheses."""
    cells = [*(str(cell) for cell, _ in position.tower), *filling]
    return Drawing(position, why.pyramid_from(min(cell[0] for cell in cells if cell.endswith("1"))), filling)


# What every free cell of a tower can still take.


class Outlook(formats.Answer, kw_only=True):
    """What every free cell of a position's tower can still take."""

    at: ask.Situation
    windows: towers.Windows

    def __repr__(self) -> str:
        return short(self, at=str(self.at), cells=len(self.windows.values))

    def __str__(self) -> str:
        """Each free cell and the numbers that it can take."""
        return "\n".join(" ".join(map(str, (cell, *values))) for cell, values in self.windows.values.items())

    def data(self) -> WindowsData:
        """The answer as `windows --output-format json` writes it."""
        at, windows = self.at, self.windows
        return WindowsData.about(
            at,
            level="tower",
            windows={str(cell): values for cell, values in windows.values.items()},
            down={str(cell): opens for cell, opens in windows.down.items()},
            places=tuple(column_name(left) for left in windows.lefts),
            checked=True,
        )

    def blocks(self) -> Iterator[Paragraph]:
        """A table of the free cells with the values that each can still take."""
        data = self.data()
        laid = {str(cell): card for cell, card in self.at.position.tower}
        yield why.heading(self.at)
        if not data.places:
            yield [verdict("deadlocked", "no_cell_can_be_filled")]
        elif not data.windows:
            yield [verdict("completable", "no_cell_free")]
            return
        rows: list[tuple[Text, ...]] = [tuple(map(fact, ("head_cell", "head_holds", "head_takes")))]
        unable = tuple(cell for cell, values in data.windows.items() if not values and cell not in data.down)
        for cell, values in data.windows.items():
            if cell not in unable:
                takes = ranges(values) or fact("takes_nothing")
                rows.append((cell, str(laid.get(cell, "")), takes, _opened(laid.get(cell), data.down.get(cell))))
        yield [Columns(rows, head=True)]
        if unable:
            yield [Sentence(fact("nothing_fits", cells=unable))]
        if len(data.places) > 1:
            yield [Sentence(fact("level_1_begins", columns=data.places))]

    def certificates(self) -> Iterator[dict[str, Any]]:
        """Certificates for every value listed and left out; see `towers.completion.answer.windows_certificates`."""
        return towers.windows_certificates(self.at.position, self.windows)


def windows(item: PlaceLike, turn: int | None = None, rules: Rules | str | None = None) -> Outlook:
    """What each free cell of the tower of a position, or of a game after turn `turn` (None: the last), can still take,
    exactly. Raises `NoSuchTurn` and `NoTower`. Cost: see `towers.completion.answer`.
    """
    return outlook(*ask.place_asked("windows", item, turn, rules))


def outlook(item: Game | Snapshot, turn: int | None, rules: Rules | None) -> Outlook:
    """The same where it is known what is asked about."""
    at = ask.situation(item, turn, rules)
    return Outlook(at=at, windows=towers.windows(at.position))


class WindowsData(formats.GameData):
    """What each free cell can still take. `turn` is None for a position.

    `windows` holds the values that some filling puts there, rising. `down` tells for each down card whether it can be
    opened where it lies; of an unseen one, whether some card that it may be could. `places` are the leftmost columns
    with which the tower is completable.
    """

    turn: formats.Natural | None
    level: Literal["tower"]
    windows: dict[str, tuple[formats.Positive, ...]]
    down: dict[str, bool]
    places: tuple[str, ...]
    checked: bool
    format: Literal[1]


def _opened(laid: object, opens: bool | None) -> Text:
    """Whether a down card can be opened; nothing of another."""
    if opens is None:
        return ""
    if opens and laid == Down(UNSEEN):
        return fact("may_be_opened")
    return fact("can_be_opened" if opens else "cannot_be_opened")
