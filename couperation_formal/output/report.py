"""The verdict on one game as data, of which every output form is made."""

from __future__ import annotations

import msgspec

from couperation_formal.game.diagnostic import Diagnostic, Proviso, Reached, Result, Verdict
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Game, Record, short
from couperation_formal.game.replay import Doubt
from couperation_formal.game.rulings import Rules
from couperation_formal.game.state import State
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.words.say import phrase

# What a game is called in the text of an answer.


def game_named(file: str, game: int) -> str:
    """The file and the number of a game; the number alone of one that comes from no file."""
    return phrase("unnamed_game", game=game) if file == "-" else phrase("the_game", file=file, game=game)


# The verdict on one game as data, of which every output form is made.


class Conflict(msgspec.Struct, frozen=True):
    """What cannot all hold in an illegal record with unseen cards: the turn, the clause, and what it asks there.

    Each part is needed where `least` is true; where it is false the budget ended before all were tried. `script` is the
    same as an SMT-LIB 2 text that any solver refutes.
    """

    parts: tuple[tuple[int, str, str], ...]
    least: bool
    script: str


class Correct(msgspec.Struct, frozen=True):
    """The fewest lines whose correction makes an illegal record legal: places of turns, or set-up lines by their words
    (``"deal Aki"``, ``"Marks"``). None where no correction of cards and marks does, or (`complete` False) where the
    budget of `limit` steps ended first.
    """

    lines: tuple[int | str, ...] | None
    complete: bool
    limit: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one game. Of a malformed one the turns before its first line that cannot be read are judged too:
    `turn` and `states` are theirs, and what they break stands first among the `diagnostics`.

    `rules` is None where they could not be read. `turn` is the first illegal turn, counted by place, 0 for the set-up,
    None if none. `results` are those that legal worlds reach, all of them; none unless the verdict is legal.
    `states[k]` stands after turn k, up to the last legal turn. Where Z3 decided, `world` is the record with everything
    shown that makes it legal, and `conflict` what makes it illegal; `spent` are the steps that this took. `correct` is
    None unless it was asked for, and so is `provided`, what a legal verdict takes for granted; None too where the
    record shows all that was asked. `open` is the first thing but places that the plain replay of a legal record did
    not find shown.
    """

    item: Item
    rules: Rules | None
    verdict: Verdict
    results: tuple[Reached, ...]
    turn: int | None
    diagnostics: tuple[Diagnostic, ...]
    states: tuple[State, ...]
    world: Record | None = None
    conflict: Conflict | None = None
    correct: Correct | None = None
    spent: int = 0
    provided: Proviso | None = None
    open: Doubt | None = None

    def __repr__(self) -> str:
        return short(self, item=self.item, verdict=self.verdict, result=self.result, turn=self.turn)

    def __str__(self) -> str:
        """The verdict, and a line for each diagnostic."""
        said = phrase("malformed" if self.verdict == "malformed" else "undetermined")
        if self.verdict == "legal":
            said = phrase("ends_legal", result=self.end)
        elif self.verdict == "illegal":
            said = phrase("illegal_in", turn=self.turn)
        told = phrase("told_of", what=game_named(self.item.file, self.item.index), said=said)
        return "\n".join([told, *map(str, self.diagnostics)])

    @property
    def result(self) -> Result | None:
        """What a legal game reaches, None of another one."""
        return self.results[0] if len(self.results) == 1 else "undetermined" if self.results else None

    @property
    def end(self) -> Fact:
        """The result of a legal game as it is told."""
        results = tuple(fact("end_of", result=result) for result in self.results)
        return results[0] if len(results) == 1 else fact("end_open", results=results)

    @property
    def error(self) -> Diagnostic | None:
        """The first error, None where there is none."""
        return next((found for found in self.diagnostics if found.severity == "error"), None)

    @property
    def words(self) -> str:
        """The verdict on a game in a sentence, with the result or the first error."""
        if self.verdict == "illegal" and self.error is not None:
            return phrase("illegal_turn" if self.turn else "illegal_setup", turn=self.turn, clause=self.error.code)
        if self.verdict == "undetermined":
            return phrase("not_enough")
        return phrase(f"legal_{self.result or 'unfinished'}" if self.world is None else "legal_world")

    @property
    def game(self) -> Game | None:
        """The game that was judged, as far as it could be read."""
        item = self.item
        return item.judged if isinstance(item, Malformed) else item if isinstance(item, Game) else None
