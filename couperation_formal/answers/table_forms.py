"""The JSON forms of `complete`, `deadlock` and `moves` at the table level."""

from __future__ import annotations

from typing import Literal

from couperation_formal.answers.data import Data, Natural, Positive
from couperation_formal.answers.towers import Answered
from couperation_formal.game.record import Outcome
from couperation_formal.game.tower import Mark

MoveVerdict = Literal["alive", "dead", "undetermined"]


class TableReasonData(Data, frozen=True, kw_only=True):
    """Why no continuation wins. `theorem` is where the specification proves it; for a game that was lost, the clause.

    `cells` and `cards` are what `numbers` count where single ones can be named. `reductions` and `digest` are those of
    an exhaustive search, which has no others.
    """

    kind: str
    theorem: str
    numbers: dict[str, int]
    cells: tuple[str, ...]
    cards: tuple[Positive, ...]
    reductions: tuple[str, ...]
    digest: str | None


class SizesData(Data, frozen=True, kw_only=True):
    """The answer where the hands whose draws were not noted are of these sizes."""

    hands: dict[str, Natural]
    verdict: Answered


class BudgetData(Data, frozen=True, kw_only=True):
    """A budget that ran out: the steps taken, their limit, and the cards that may still be spent beyond one for each
    empty cell. Where draws were not noted, `sizes` are two whose answers differ.
    """

    spent: Natural
    limit: Natural
    bound: int
    sizes: tuple[SizesData, ...]


class TableCompleteData(Data, frozen=True, kw_only=True):
    """Whether a table can still be won. `turn` is None for a position.

    `line` are the turns of a continuation that wins, numbered on from `turn`, `assumed_marks` the marks that it needs
    and that are not given, `world` the position with a card for each unseen place, from which it is played. `checked`
    tells whether the independent checker can repeat the proof, None without one; `budget` is None unless it ran out.
    """

    file: str
    game: Positive
    turn: Natural | None
    verdict: Answered
    level: Literal["table"]
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    world: str | None
    checked: bool | None
    budget: BudgetData | None
    reasons: tuple[TableReasonData, ...]
    format: Literal[1]


class SavingData(Data, frozen=True, kw_only=True):
    """An action that keeps the table alive, and the turns that then win, its own first."""

    action: str
    line: tuple[str, ...]


class TableDeadlockData(Data, frozen=True, kw_only=True):
    """Where a game's table died. `verdict` is that at the record's end, `result` how the game ended.

    `turn` is the first turn after which the table is known to be dead (0: the deal), `alive` the last one after which
    it is known to be alive; what lies between is not known. `laid` is turn `turn` as CGN and `reasons` why it is dead
    after it. `line` are turns that win after turn `alive`, None where the record itself does. `saving` are the actions
    of turn `turn` after its draw that keep the table alive, `undecided` those of which it is not known; `complete` is
    false where unseen cards may allow more. Turn `illegal` is the first that is, and only those before it were looked
    at. `checked` and `budget` are those of the first dead position, or of the end.
    """

    file: str
    game: Positive
    verdict: Answered
    level: Literal["table"]
    result: Outcome | None
    turn: Natural | None
    alive: Natural | None
    laid: str | None
    reasons: tuple[TableReasonData, ...]
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    saving: tuple[SavingData, ...] | None
    undecided: tuple[str, ...]
    complete: bool
    illegal: Positive | None
    checked: bool | None
    budget: BudgetData | None
    format: Literal[1]


class JudgedData(Data, frozen=True, kw_only=True):
    """A legal action and what it makes of the table. `line` are the turns that then win, its own first; `reasons` hold
    one for each kind among the choices of cards to destroy. `budget` is that of all actions.
    """

    text: str
    verdict: MoveVerdict
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    checked: bool | None
    budget: BudgetData | None
    reasons: tuple[TableReasonData, ...]


class TableMovesData(Data, frozen=True, kw_only=True):
    """The legal actions of one turn, judged; `complete` is false where unseen cards may allow more."""

    file: str
    game: Positive
    turn: Positive
    player: str
    level: Literal["table"]
    complete: bool
    actions: tuple[JudgedData, ...]
    format: Literal[1]


class SummaryData(Data, frozen=True, kw_only=True):
    """Several games together: how many were alive to the end, dead or undetermined there; of the dead ones how many
    first were so after which turn (0: the deal), and the reasons by frequency. `unchecked` are the dead ones whose
    search is too large for the independent checker, `inexact` those whose killing turn is not certain.
    """

    summary: Literal["deadlock"]
    level: Literal["table"]
    games: Natural
    alive: Natural
    dead: Natural
    undetermined: Natural
    turns: dict[str, Positive]
    reasons: dict[str, Positive]
    unchecked: Natural
    inexact: Natural
    format: Literal[1]
