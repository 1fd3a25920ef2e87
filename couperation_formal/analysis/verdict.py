"""The verdict on a recorded game as a value, and how what a replay finds becomes a diagnostic."""

from __future__ import annotations

import msgspec

from couperation_formal.analysis.named import game_named
from couperation_formal.game.diagnostic import Change, Diagnostic, Edit, Proviso, Reached, Result, Severity, Verdict
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Game, Layout, NoAction, Open, Record, Span, short
from couperation_formal.game.replay import Broken, Doubt, Replay, mends
from couperation_formal.game.rules.clauses import ORDER_RULINGS
from couperation_formal.game.rules.ending import ending, lost_by
from couperation_formal.game.rules.step import Finding, Step, fails
from couperation_formal.game.rulings import Rules, Rulings
from couperation_formal.game.state import State
from couperation_formal.hidden.readings.standing import mends_at
from couperation_formal.notation.read import Item, Malformed, told
from couperation_formal.words.say import phrase


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
    def game(self) -> Game | None:
        """The game that was judged, as far as it could be read."""
        item = self.item
        return item.judged if isinstance(item, Malformed) else item if isinstance(item, Game) else None


def plain_report(game: Game, rules: Rules, outcome: Replay, since: int = 0) -> Report:
    """The report on what the plain replay found; `since` as it was asked there."""
    own = [found for found in outcome.broken if not found.warning]
    legal: tuple[Change, ...] = ()
    if own and all(found.mends for found in own):  # a clause that no change mends is broken under all of them
        legal = tuple(each for each, sure in mends_at(game.record, own[0].turn, rules.rulings, since).items() if sure)
    broken = tuple(diagnostic(found, game.layout, at > 0, legal) for at, found in enumerate(outcome.broken))
    verdict: Verdict = "legal"
    if outcome.illegal is not None:
        verdict = "illegal"
    elif outcome.doubts:
        verdict = "undetermined"
        doubt = outcome.doubts[0]
        broken += (diagnostic(Broken(doubt.turn, "SET06", doubt.what, "action"), game.layout, note=True),)
    broken += slips(game, outcome)
    if verdict == "legal":
        broken += lost(game, rules, outcome)
    return Report(
        item=game,
        rules=rules,
        verdict=verdict,
        results=(outcome.reached,) if verdict == "legal" and outcome.reached else (),
        turn=outcome.illegal,
        diagnostics=broken,
        states=outcome.states,
    )


def slips(game: Game, outcome: Replay) -> tuple[Diagnostic, ...]:
    """What turns break that stand as they were played, as notes."""
    return tuple(diagnostic(found, game.layout, note=True) for found in outcome.slips)


def lost(game: Game, rules: Rules, outcome: Replay, results: int = 0) -> tuple[Diagnostic, ...]:
    """A note that tells by what a game was lost (END02, END03); nothing of another one. Where the outcome is that of
    one world, legal worlds have so many `results`.
    """
    step = outcome.last
    if step is None or outcome.reached == "win":
        return ()

    def loses(step: Step, changed: Rulings) -> Finding | None:
        return fails("lost_stuck", "action", {}) if ending(step, changed) in ("loss", "stuck") else None

    if outcome.reached == "stuck":
        clause, what = "END03", fact("lost_skipped" if rules.rulings.no_action == "skipped" else "lost_stuck")
    else:
        clause, what = (
            "END02",
            fact(
                "lost_maybe" if results > 1 else "lost_perhaps" if results else "lost_so",
                why=lost_by(step, rules.rulings),
            ),
        )
    hangs = mends(loses, _losing_rulings(step), step, rules.rulings) if not results else ()
    return (diagnostic(Broken(step.after.turns, clause, what, "action", hangs), game.layout, note=True),)


def _losing_rulings(step: Step) -> tuple[str, ...]:
    """Those that can decide whether this turn, which lost the game, does."""
    if isinstance(step.turn.action, NoAction):
        return ("no_action",)
    return (*ORDER_RULINGS, "opened_against") if isinstance(step.turn.action, Open) else ("early_apex",)


def diagnostic(found: Broken, layout: Layout, note: bool = False, legal: tuple[Change, ...] = ()) -> Diagnostic:
    """A finding at its place in the text: a warning where it is one, a note where asked for, else an error. `legal`
    are the changes that make its turn legal.
    """
    severity: Severity = "warning" if found.warning else "note" if note else "error"
    return Diagnostic(
        code=found.clause,
        severity=severity,
        turn=found.turn,
        span=place(found.turn, found.part, layout),
        message=told(found.what),
        rulings=found.rulings,
        mends=found.mends,
        legal_with=() if found.warning else legal,
        edit=_edit(found, layout),
    )


def _edit(found: Broken, layout: Layout) -> Edit | None:
    """What mends a name that was surely meant otherwise, or was left out before the draw (END06)."""
    told = dict((*found.what.numbers, *found.what.beside))
    span = place(found.turn, found.part, layout)
    if found.what.kind == "no_player_like":
        return Edit(span, str(told["meant"]))
    if found.what.kind == "no_player_draw":
        return Edit(Span(span.start, span.start), f"{told['due']} ")
    return None


def place(turn: int, part: str, layout: Layout) -> Span:
    """The stretch of the game's text that holds a part of a turn, or a line of the set-up (turn 0)."""
    if part == "result" and layout.result is not None:
        return layout.result
    if turn == 0 or not layout.turns:
        return layout.lines.get(part) or layout.tags.get(part) or layout.tags.get("Players") or Span(0, 0)
    at = layout.turns[turn - 1]
    parts = {"number": at.number, "player": at.player, "draw": at.draw, "fill": at.fill}
    parts |= {"drop": at.drop, "trim": at.trim}
    return parts.get(part) or (at.player if part == "draw" else at.action)
