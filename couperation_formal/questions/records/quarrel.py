"""A turn by itself: what rulebooks say of it, if everything before stands as it was played."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import get_args

import msgspec
from msgspec.structs import replace

from couperation_formal.game.fact import Fact
from couperation_formal.game.record import Outcome, Record
from couperation_formal.game.replay import end05, end06
from couperation_formal.game.rules.clauses import ASKED
from couperation_formal.game.rules.setup import SETUP_CHECKS, set05, setup_of, starting_state
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import as_down, draw_source, ending
from couperation_formal.game.rulings import RULING_NAMES, Rules, Rulings, noting, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Mark, Up, Value
from couperation_formal.hidden.readings.condition import Settled
from couperation_formal.hidden.readings.standing import answers


class TurnVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What one reading says of one turn.

    `broken` are the clauses that it breaks, the error first (D20), each with what was found; `warned` is SET05 where
    the set-up is warned of. `ends` is how the turn, where legal, ends the game. `provided`: legal under some marks of
    the cards whose marks are not given, and not under others. `open`: see `left_open`. `standing` are the turns before
    that are wrong under this reading, each with its first clause, and those that would have ended the game, with how.
    """

    verdict: Settled
    broken: tuple[tuple[str, Fact], ...] = ()
    warned: str | None = None
    ends: Outcome | None = None
    provided: bool = False
    open: bool = False
    standing: tuple[tuple[int, str], ...] = ()

    @property
    def clause(self) -> str | None:
        """The clause that is named as the error, None unless the turn is illegal."""
        return self.broken[0][0] if self.broken else None

    def told(self) -> str:
        """The verdict as a page of questions writes it."""
        marks = (("provided", self.provided), ("open", self.open))
        remarks = [remark for remark in (self.ends, self.warned, *(name for name, so in marks if so)) if remark]
        first = ", ".join([self.clause or self.verdict, *remarks])
        return "; ".join([first, *(f"{turn}: {what}" for turn, what in self.standing)])


def judged(record: Record, turn: int) -> dict[str, TurnVerdict]:
    """What every rulebook says of the turn at this place; 0 is the set-up. What was played before is carried out even
    where a rulebook forbids it. Raises `IndexError` where the record has no such turn. Cost: some 20 microseconds a
    turn and rulebook.
    """
    asked = TurnInQuestion(record, turn)
    return {
        name: replace(asked.under(book), standing=tuple(asked.standing(book)))
        for name, book in registry().rulebooks.items()
    }


def left_open(record: Record, turn: int) -> dict[str, bool]:
    """For each rulebook whether its text admits readings that differ in what they say of the turn, or in whether the
    game had ended before. Cost: some `judged`, one for each way to take what is asked for there.
    """
    asked, books = TurnInQuestion(record, turn), registry().rulebooks
    return {name: asked.hangs_on(Rules(name, (), book).leaves, book) for name, book in books.items()}


def deciding(record: Record, turn: int) -> tuple[str, ...]:
    """The rulings of which one alone, changed in some rulebook, changes what it says of the turn, or whether the game
    had ended before. Cost: some ten times `judged`.
    """
    asked, found = TurnInQuestion(record, turn), set[str]()
    for book in registry().rulebooks.values():
        read = set[str]()
        asked.outcome(noting(book, read))
        leaves = ((name, registry().rulings[name].option_names()) for name in read - found)
        found.update(name for name, options in leaves if asked.hangs_on({name: options}, book))
    return tuple(name for name in registry().rulings if name in found)


class TurnInQuestion:
    """A turn in question, with all turns before it carried out once."""

    def __init__(self, record: Record, turn: int) -> None:
        if not 0 <= turn <= len(record.turns):
            raise IndexError(turn)
        self.record, self.turn = record, turn
        self._setup, self._steps = setup_of(record, STANDARD), list[Step]()
        state = starting_state(self._setup)
        for played in record.turns[:turn]:
            # For a name that is not of the game, the next player.
            player = state.players.index(played.player) if played.player in state.players else state.to_move
            self._steps.append(carry_out(state, played, player))
            state = replace(self._steps[-1].after, stands=True)

    def under(self, rulings: Rulings) -> TurnVerdict:
        """What this reading says of the turn."""
        if self.turn == 0:
            findings = [(clause, check(self._setup)) for clause, check in SETUP_CHECKS.items()]
            broken = tuple((clause, finding.what) for clause, finding in findings if finding is not None)
            warned = "SET05" if set05(self._setup, rulings) and not broken else None
            return TurnVerdict(verdict="illegal" if broken else "legal", broken=broken, warned=warned)
        verdict = _judged(self._steps[-1], self.turn, rulings)
        if verdict.verdict != "legal" or self.turn < len(self.record.turns):
            return verdict
        stated = end05(self.record.result, verdict.ends or "unfinished")
        return verdict if stated is None else TurnVerdict(verdict="illegal", broken=(("END05", stated.what),))

    def outcome(self, rulings: Rulings) -> tuple[object, ...]:
        """All of an answer but which clause it is, and whether the game had ended before."""
        verdict = self.under(rulings)
        over = any(ending(step, rulings) not in (None, "unknown") for step in self._steps[:-1])
        return verdict.verdict, verdict.ends, verdict.provided, verdict.warned, over

    def hangs_on(self, leaves: Mapping[str, tuple[str, ...]], book: Rulings) -> bool:
        """Whether the outcome differs among readings of a rulebook that leave these rulings open."""
        settled = {name: book.option(name) for name in RULING_NAMES if name not in leaves}
        found = (outcome for outcome, _ in answers(self.outcome, settled, leaves))
        first = next(found)
        return any(outcome != first for outcome in found)

    def standing(self, rulings: Rulings) -> Iterator[tuple[int, str]]:
        """The turns before that are wrong or would have ended the game."""
        for turn, step in enumerate(self._steps[:-1], 1):
            verdict = _judged(step, turn, rulings)
            what = verdict.clause or verdict.ends
            if what:
                yield turn, what


def _judged(step: Step, place: int, rulings: Rulings) -> TurnVerdict:
    """The turn under one reading; where only marks that are not given leave it open, under each that they may be."""
    verdict = _asked(step, place, rulings)
    if verdict.verdict != "undetermined":
        return verdict
    tables = [replace(step.before, marks={**step.before.marks, **marks}) for marks in _possible(step.before, rulings)]
    ways = [_asked(replace(step, before=before), place, rulings) for before in tables]
    legal = [way for way in ways if way.verdict == "legal"]
    if any(way.verdict == "undetermined" for way in ways):
        return verdict
    return replace(legal[0], provided=len(legal) < len(ways)) if legal else ways[0]


def _asked(step: Step, place: int, rulings: Rulings) -> TurnVerdict:
    checks = ((clause.id, clause.check(step, rulings)) for clause in ASKED[type(step.turn.action)])
    asked = [("END06", end06(step.before, step.turn, place)), *checks]
    findings = [(clause, finding) for clause, finding in asked if finding is not None]
    broken = tuple((clause, finding.what) for clause, finding in findings if finding.sure)
    if broken:
        return TurnVerdict(verdict="illegal", broken=broken)
    end = ending(step, rulings)
    if findings or step.doubts or end == "unknown":
        return TurnVerdict(verdict="undetermined")
    return TurnVerdict(verdict="legal", ends=end)


def _possible(state: State, rulings: Rulings) -> Iterator[Mapping[Value, Mark]]:
    """The marks that the card which sets the draw, and those under it, may have where they are not given."""
    cell = None if as_down(state, rulings) else draw_source(state, rulings)
    cells = () if cell is None else (cell, *cell.supports)
    laid = [state.tower.cells.get(each) for each in cells]
    cards = [each.card for each in laid if isinstance(each, Up) and isinstance(each.card, int)]
    unmarked = [card for card in cards if card not in state.marks]
    for marks in product(get_args(Mark), repeat=len(unmarked)):
        yield dict(zip(unmarked, marks, strict=True))
