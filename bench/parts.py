"""Where the microseconds of a turn go: each part of judging it by itself, over the turns of clean games.

Each part is asked of each turn in some rounds, and the quickest of them counts: what other programs take is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, cast
from unittest.mock import patch

import msgspec

from couperation_formal.game import replay as replay_module
from couperation_formal.game.record import Game, Turn
from couperation_formal.game.replay import end04, end06, replay
from couperation_formal.game.rules import clauses as clauses_module, turn as turn_module
from couperation_formal.game.rules.clauses import TURN_CLAUSES, left_to_ask
from couperation_formal.game.rules.setup import SETUP_CHECKS, set05, setup_of, starting_state
from couperation_formal.game.rules.step import Check, Step, carry_out
from couperation_formal.game.rules.turn import drawing, ending, orders_hold
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD
from couperation_formal.notation import parse as parse_module
from couperation_formal.notation.parse import build, parse
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.check import check, report_data
from couperation_formal.questions.records.verdict import plain_report

PLY = "python-chess, a ply"


class Seen(NamedTuple):
    """A turn of a clean game, as it is judged."""

    state: State
    turn: Turn
    rulings: Rulings
    last: Step | None
    step: Step


def seen(game: Game) -> Iterator[Seen]:
    """The turns of a legal game."""
    rulings, last = game.record.rules.rulings, None
    for state, turn in zip(replay(game.record, rulings).states, game.record.turns, strict=False):
        step = carry_out(state, turn, state.to_move)
        yield Seen(state, turn, rulings, last, step)
        last = step


def quickest(work: Callable[[Any], object], inputs: list[Any], rounds: int) -> float:
    """Seconds for all inputs, each as quick as it was in any round."""
    least = [float("inf")] * len(inputs)
    for _ in range(rounds):
        for at, given in enumerate(inputs):
            start = time.perf_counter()
            work(given)
            least[at] = min(least[at], time.perf_counter() - start)
    return sum(least)


def _set_up(game: Game) -> None:
    setup = setup_of(game.record, STANDARD)
    starting_state(setup)
    set05(setup, game.record.rules.rulings)
    for clause in SETUP_CHECKS.values():
        clause(setup)


def _asked(clause: Check, each: Seen) -> object:
    return clause(each.step, each.rulings)


def _rules(game: Game) -> object:
    return replay(game.record, game.record.rules.rulings)


def parts(games: Iterable[Game], rounds: int = 20) -> dict[str, float]:
    """Microseconds a turn for each part, those inside of another one after it with two blanks before their names; what
    a clause takes is spread over all turns. A `bound` is what is left of the rules where a part costs nothing; last
    come the rules and the reading without what makes them cheaper.
    """
    known = list(games)
    turns = [each for game in known for each in seen(game)]
    kept = {id(each.turn): each.step for each in turns}
    nothing = quickest(lambda _: None, turns, rounds) / len(turns)

    def cost(work: Callable[[Any], object], inputs: list[Any]) -> float:
        return (quickest(work, inputs, rounds) - nothing * len(inputs)) / len(turns) * 1e6

    texts = [game.layout.text for game in known]
    outcomes = [(game, cast("Any", _rules(game))) for game in known]
    reports = [check(game) for game in known]
    found = {
        "reading": cost(lambda text: list(read_text(text)), texts),
        "  parse": cost(parse, texts),
        "  record": cost(build, [parse(text) for text in texts]),
        "rules": cost(_rules, known),
        "  set-up": cost(_set_up, known),
        "  carried out": cost(lambda each: carry_out(each.state, each.turn, each.step.player), turns),
        "  the end of the game, the order of turns": cost(
            lambda each: (end04(each.state, each.last, each.rulings), end06(each.state, each.turn, each.turn.number)),
            turns,
        ),
        "  what one look shows": cost(lambda each: left_to_ask(each.step, each.rulings), turns),
        "    draws": cost(lambda each: drawing(each.step, each.rulings), turns),
        "    orders": cost(lambda each: orders_hold(each.step, each.rulings), turns),
        "  how the turn ends the game": cost(lambda each: ending(each.step, each.rulings), turns),
    }
    for name, clause in TURN_CLAUSES.items():
        asked = [each for each in turns if clause in left_to_ask(each.step, each.rulings)]
        if asked:
            told = partial(_asked, clause.check)
            found[f"  {name}, asked of {len(asked) / len(turns):.0%}"] = cost(told, asked)
    found["report"] = cost(lambda pair: plain_report(pair[0], pair[0].record.rules, pair[1]), outcomes)
    found["JSON"] = cost(lambda report: msgspec.json.encode(report_data(report)), reports)
    with patch.object(replay_module, "left_to_ask", lambda *_: ()):
        found["bound: rules, no clause asked"] = cost(_rules, known)
    with patch.object(replay_module, "carry_out", lambda _state, turn, *_: kept[id(turn)]):
        found["bound: rules, steps kept"] = cost(_rules, known)
    with patch.object(turn_module, "surely_ordered", lambda _: False):
        found["rules without the look at near cards"] = cost(_rules, known)
    clauses_module._left.cache_clear()
    numbers, orders, *others = clauses_module._HELD
    with patch.object(clauses_module, "_HELD", (numbers, orders, *("" for _ in others))):
        found["rules without the looks at places"] = cost(_rules, known)
    clauses_module._left.cache_clear()
    with (
        patch.object(parse_module, "listed", parse_module.listed.__wrapped__),
        patch.object(parse_module, "_one_card", parse_module._one_card.__wrapped__),
    ):
        found["reading without words kept"] = cost(lambda text: list(read_text(text)), texts)
    return {name: round(spent, 2) for name, spent in found.items()}


def page(cost: dict[str, float], plies: float) -> list[str]:
    """Where the microseconds go, why there are not fewer, and what was tried; the target are so many plies."""
    target, free, rules = plies * cost[PLY], cost["bound: rules, no clause asked"], cost["rules"]
    beside = sum(cost[name] for name in ("reading", "report", "JSON"))
    near, places = (cost[f"rules without the look{of}"] - rules for of in (" at near cards", "s at places"))
    kept = cost["reading without words kept"] - cost["reading"]
    return [
        "## Where they go",
        "",
        "Each part by itself, over the turns of a tenth of the games, and each turn as quick as it was in any of some",
        "rounds: together this is less than the stages above. What a clause costs is spread over all turns; a clause",
        "that is not here is asked of none of them.",
        "",
        "| part | microseconds a turn |",
        "|---|---|",
        *(f"| {name.replace('  ', '&nbsp; ')} | {spent:.2f} |" for name, spent in cost.items()),
        "",
        f"Reading, rules and report take {beside + rules:.1f}, {(beside + rules) / cost[PLY]:.2f} of these plies;",
        f"the target is {target:.1f}, {plies} of them. Reading and report take {beside:.1f} and leave",
        f"{target - beside:.1f} to the rules. Were every clause free these would take {free:.1f}:",
        f"all clauses of a turn may take {target - beside - free:.1f}, and take {rules - free:.1f}.",
        f"Were every step there already, the rules would take {cost['bound: rules, steps kept']:.1f}.",
        "",
        "What was tried, and the microseconds that it saves:",
        "",
        f"- Clauses are left out by where a card is laid and whether each card is in its place: {places:.1f}.",
        f"- One look at the cards near the one laid, and at down cards, stands for all orders: {near:.1f}.",
        f"- Draws and actions of one card are read once, by their words: {kept:.1f}.",
        "- A ruling on equal numbers is asked of equal numbers only, so the note on a lost game tries no other: 1.0",
        "  (measured once, before and after).",
        "- Fewer calls for piles, towers and steps; sizes of draws only where one is not noted: 4.3 (measured once).",
        "- States made by position, in place of `replace`: nothing.",
        "- No garbage collected meanwhile: 0.3 (measured once).",
        "",
    ]
