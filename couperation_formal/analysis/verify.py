"""Job one: is a recorded game legal, and if not, where, by which clause, and on which ruling does it hang."""

from __future__ import annotations

from typing import Literal

import msgspec

from couperation_formal.model.diagnostic import NOTATION, Diagnostic, Reached, Verdict
from couperation_formal.model.record import Game, Layout, Span, Table
from couperation_formal.model.rulings import Rules
from couperation_formal.model.state import State
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.replay.replay import Broken, Replay, replay

Engine = Literal["plain", "z3", "both"]


class EngineDisagreement(RuntimeError):
    """The plain evaluator and the Z3 model gave different answers on one record: a bug of ours."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one game.

    `rules` is None where they could not be read. `turn` is the first illegal turn, counted by place, 0 for the set-up,
    None if none. `result` is what the replay reaches, None unless the verdict is legal. `states[k]` stands after turn
    k, up to the last legal turn.
    """

    item: Item
    rules: Rules | None
    verdict: Verdict
    result: Reached | None
    turn: int | None
    diagnostics: tuple[Diagnostic, ...]
    states: tuple[State, ...]


def check(item: Item, rules: Rules | None = None, engine: Engine = "plain") -> Report:
    """Check one game, under `rules` in place of the record's own where given.

    Raises `EngineDisagreement` when `engine` is "both" and the two differ. Z3 is imported only where `engine` asks for
    it. Cost: linear in the turns.
    """
    if isinstance(item, Malformed):
        return _malformed(item, item.diagnostics)
    if isinstance(item, Table):
        span = item.layout.lines.get("position", Span(0, 0))
        message = "this is a position; a recorded game is wanted here"
        return _malformed(item, (_notation(message, span),))
    rules = rules or item.record.rules
    outcome = _replay(item, rules, engine)
    broken = tuple(_diagnostic(found, item.layout) for found in outcome.broken)
    verdict: Verdict = "legal"
    if outcome.illegal is not None:
        verdict = "illegal"
    elif outcome.doubts:
        verdict = "undetermined"
        broken += tuple(
            _diagnostic(Broken(doubt.turn, "SET06", doubt.message, "action"), item.layout, note=True)
            for doubt in outcome.doubts[:1]
        )
    return Report(
        item=item,
        rules=rules,
        verdict=verdict,
        result=outcome.reached if verdict == "legal" else None,
        turn=outcome.illegal,
        diagnostics=broken,
        states=outcome.states,
    )


def _replay(game: Game, rules: Rules, engine: Engine) -> Replay:
    if engine == "plain":
        return replay(game.record, rules.rulings)
    from couperation_formal.smt import arrangement as model

    exact = replay(game.record, rules.rulings, arrangement=model)
    if engine == "both":
        plain = replay(game.record, rules.rulings)
        if _answer(plain) != _answer(exact):
            raise EngineDisagreement(f"{game.file}: game {game.index}: plain {_answer(plain)}, z3 {_answer(exact)}")
    return exact


def _answer(outcome: Replay) -> object:
    """What both engines must agree on; the words of a reason may differ."""
    codes = sorted((found.turn, found.clause, found.rulings) for found in outcome.broken)
    return outcome.illegal, outcome.reached, codes, outcome.states, outcome.doubts


def _malformed(item: Item, diagnostics: tuple[Diagnostic, ...]) -> Report:
    return Report(
        item=item, rules=None, verdict="malformed", result=None, turn=None, diagnostics=diagnostics, states=()
    )


def _notation(message: str, span: Span) -> Diagnostic:
    return Diagnostic(code=NOTATION, severity="error", turn=None, span=span, message=message)


def _diagnostic(found: Broken, layout: Layout, note: bool = False) -> Diagnostic:
    severity: Literal["error", "warning", "note"] = "note" if note else "warning" if found.warning else "error"
    return Diagnostic(
        code=found.clause,
        severity=severity,
        turn=found.turn,
        span=place(found, layout),
        message=found.message,
        rulings=found.rulings,
    )


def place(found: Broken, layout: Layout) -> Span:
    """The stretch of the game's text that a finding points to."""
    if found.part == "result" and layout.result is not None:
        return layout.result
    if found.turn == 0 or not layout.turns:
        line = found.part
        return layout.lines.get(line) or layout.tags.get(line) or layout.tags.get("Players") or Span(0, 0)
    turn = layout.turns[found.turn - 1]
    parts = {"number": turn.number, "player": turn.player, "draw": turn.draw, "drop": turn.drop, "trim": turn.trim}
    return parts.get(found.part) or (turn.player if found.part == "draw" else turn.action)
