"""Why a clause holds or fails in a turn, for people."""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.analysis.explained import NotAsked, Untold, Why, explain_turn
from couperation_formal.answers.why import InstanceData, why_data
from couperation_formal.game.budget import steps_of
from couperation_formal.game.diagnostic import Diagnostic
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import Rules
from couperation_formal.report.blocks import BAD, Paragraph, Sentence, Verbatim
from couperation_formal.report.clauses import clauses
from couperation_formal.words.say import phrase

STEPS = 20_000
"""The budget of an explanation beside other things: tenths of a second."""


_ENDS = {
    "END01": ("won_here", "not_won_here"),
    "END02": ("lost_here", "not_lost_here"),
    "END03": ("stuck_here", "not_stuck_here"),
}
"""What is said where the game ends so, and where it does not."""


def failing(game: Game, found: Diagnostic, rules: Rules | None) -> tuple[str, ...]:
    """The instance of the clause's formula that fails at an error, in lines; none where none is told."""
    if found.turn is None or found.severity != "error" or rules is None:
        return ()
    try:
        why = explain_turn(game, found.code, found.turn, rules, steps_of(STEPS), exact=False)
    except NotAsked:
        return ()
    if isinstance(why, Untold) or why.whatever or why.trace.holds:
        return ()
    return tuple(map(instance_text, why_data(why, game).instances))


def why_blocks(found: Why, game: Game) -> Iterator[Paragraph]:
    """The formula, what it comes to, and the instances that show it."""
    data = why_data(found, game)
    clause = clauses()[data.clause]
    yield [Sentence(f" · {clause.title}", clause.id)]
    yield [Verbatim(clause.formula.splitlines(), indent=2)]
    player = game.record.turns[data.at - 1].player if data.at else ""
    place = phrase("of_player" if data.at else "the_setup", turn=data.at, player=player)
    result = Sentence("", f"{place}: {phrase(_said(found))}", "bold" if data.holds or found.defines else BAD)
    more = [] if data.illegal is None else [Sentence(phrase("goes_on_from", turn=data.illegal))]
    more += [Sentence(phrase("whatever_unseen"))] if found.whatever and found.trace.asked else []
    yield [result, *more, *(Sentence(instance_text(one), indent=2) for one in data.instances)]


def _said(found: Why) -> str:
    """The kind of what is said of a clause."""
    if found.defines:
        return _ENDS[found.clause][not found.trace.holds]
    if not found.trace.asked:
        return "not_asked_here"
    return "it_holds" if found.trace.holds else "it_fails"


def instance_text(one: InstanceData) -> str:
    """One instance in a line: what its variables stand for, the values of its parts, what they come to."""
    bound = ", ".join(f"{name} = {value}" for name, value in one.bindings.items())
    values = ", ".join(f"{name} = {value}" for name, value in one.values.items())
    return "; ".join(part for part in (": ".join(filter(None, (bound, values))), one.formula) if part)
