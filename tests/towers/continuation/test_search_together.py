"""Several tables at once, and the actions of a turn: what is found against trying everything, and how much is found."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from couperation_checker.claims import check_object

from couperation_formal.game.fact import DEFAULT, Steps
from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.notation.read import read
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.tables.moves import Chance, prospect
from couperation_formal.towers.continuation.answer import Unknown, Won, answer, lines
from couperation_formal.towers.continuation.line import replay_fault
from tests.conftest import LONG
from tests.towers.continuation.brute import TooMany, Truth, hide
from tests.towers.continuation.search_small import table

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [False, True])
def test_lines_for_several_tables_win_by_the_plain_rules_where_trying_everything_does(hidden: bool) -> None:
    rng = Random(f"together {hidden}")
    seen: Counter[str] = Counter()
    while seen["turns"] < (8 if LONG or not hidden else 4):
        state, rulings = table(rng)
        truth = Truth(rulings, 300)
        try:
            truth.wins(state)
        except TooMany:
            continue
        keys = [key for key, each in sorted(truth.states.items(), key=str) if each.turns == min(2, state.turns + 1)]
        if len(keys) < 2:
            continue
        seen["turns"] += 1
        tables = [hide(rng, truth.states[key]) if hidden else truth.states[key] for key in keys]
        steps = Steps(50_000)
        for at, won in lines(tables, rulings, steps):
            seen["lines"] += 1
            assert replay_fault(won.world, won.line, rulings) is None
            assert hidden or truth.alive[keys[at]]
        assert steps.spent <= 50_000 * 7 // 8
        for key, each in zip(keys, tables, strict=True):
            found = answer(each, rulings, 5_000, glance=True)
            seen[type(found).__name__] += 1
            assert hidden or isinstance(found, Unknown) or isinstance(found, Won) == truth.alive[key]
    assert seen["lines"] > seen["turns"] / 2
    assert seen["Dead"] > 0


@pytest.mark.slow
def test_each_action_is_answered_as_trying_everything_does() -> None:
    """The last turns of sampled games, on the whole board; each answer is checked independently."""
    seen: Counter[str] = Counter()
    seeds = range(1000, 1024) if LONG else range(1000, 1004)
    for seed in seeds:
        rules = parse_rules(sorted(registry().rulebooks)[seed % 4])
        game = sample_game(2 + seed % 3, ("first", "finish")[seed % 2], rules, seed, "random")
        turn, tags = game.turns[-1], tuple(each for each in game.tags if each[0] not in ("Rules", "Result"))
        chance = Chance(replay(game, rules.rulings).states[-2], turn, rules, tags, Steps(200_000))
        truth = Truth(rules.rulings, 60)
        for judged in chance.judged():
            seen[judged.verdict] += 1
            for data in judged.certificates():
                verdict = check_object(json.loads(json.dumps(data)))
                assert verdict.status == "accepted", (seed, verdict)
            try:
                alive = any(state is None or truth.wins(state) for _, state in chance.ends(judged.action))
            except TooMany:
                continue
            seen["tried"] += 1
            assert judged.verdict == "undetermined" or (judged.verdict == "alive") == alive, (seed, judged.action)
    assert seen["tried"] > (20 if LONG else len(seeds))
    assert seen["undetermined"] < seen["alive"] + seen["dead"]


@pytest.mark.slow
@pytest.mark.parametrize(("turn", "actions"), [(24, 19), *([(8, 57), (20, 50)] if LONG else [])])
def test_most_actions_of_a_game_are_answered(turn: int, actions: int) -> None:
    """The deck is not shown, so that each line stands in a world that is guessed."""
    (game,) = read(EXAMPLES / "legal" / "thursday.cgn")
    assert isinstance(game, Game)
    steps = Steps(DEFAULT)
    verdicts = Counter(each.verdict for each in prospect(game, turn, None, steps).judged())
    assert verdicts["alive"] + verdicts["dead"] >= actions * 9 // 10
    assert verdicts.total() == actions
    assert steps.spent < DEFAULT // 2
