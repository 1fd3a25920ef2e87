"""Positions with unseen gone cards, at random: every question about one has an answer, which the independent checker
accepts.
"""

from __future__ import annotations

import json
from random import Random

import pytest

import couperation_formal as cf
from couperation_formal.game.record import Game, Layout, Snapshot
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.state import all_cards
from couperation_formal.game.tower import FINISH, UNSEEN, Shown, Variant, card_key
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.records.states import state_after
from tests.cli.run import couperation
from tests.conftest import LONG

CHUNKS, EACH = (40, 50) if LONG else (1, 3)
pytestmark = pytest.mark.slow
LAYOUT = Layout(text="", line=1, tags={}, lines={}, turns=(), result=None, comments=())


def position(seed: int) -> str:
    """The tower of a game after some turn; the other cards lie anywhere, some of the gone ones and of others unseen."""
    rng = Random(f"gone {seed}")
    rules = rng.choice(("ja-2.2", "en-2", "ja-2.2 anchor=middle", "ja-2.2 facedown=deck", "ja-2.2 between=inclusive"))
    variant: Variant = rng.choice(("first", "finish"))
    game = sample_game(2, variant, parse_rules(rules), seed, rng.choice(("careful", "random")))
    turn = rng.randint(0, rng.choice((3, len(game.turns) - 1)))
    state = state_after(Game(file="", index=1, record=game, layout=LAYOUT), turn)
    laid = state.tower.cells
    rest = sorted(all_cards(state.board, variant) - {each.card for each in laid.values()}, key=card_key)
    rng.shuffle(rest)
    piles: dict[str, list[Shown]] = {}
    for name, most in (("gone", rng.choice((1, 2, 4, 20))), ("hand Aki", 3), ("hand Ben", 3), ("reserve", 6)):
        count = min(len(rest), rng.randint(name == "gone", most))
        piles[name], rest = list(rest[:count]), rest[count:]
        front = FINISH in piles[name] and name.startswith("hand")
        if front:
            piles[name].remove(FINISH)
            piles[f"front {name[5:]}"] = []
    piles["deck"] = list(rest[: rng.choice((len(rest), len(rest), 0, max(0, len(rest) - 1)))])
    for name, chance in (("gone", rng.choice((0.3, 1))), ("hand Aki", rng.choice((0, 0, 0.3))), ("deck", 0)):
        piles[name] = [UNSEEN if rng.random() < chance else card for card in piles[name]]
    lines = [f"{name} {' '.join(map(str, cards))}".rstrip() for name, cards in piles.items()]
    tower = " ".join(
        f"{each if rng.random() < 0.8 or str(each)[0] != '~' else '~?'}@{cell}" for cell, each in laid.items()
    )
    head = f'[CGN "1"]\n[Rules "{rules}"]\n[Variant "{variant}"]\n[Players "Aki Ben"]\nposition\ntower {tower}\n'
    return head + "\n".join([*lines, "turn Aki"]) + "\n"


ASKED = (("windows",), ("complete", "--level", "tower"), ("complete", "--level", "table", "--budget", "20000"))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_answer_is_accepted(chunk: int) -> None:
    codes = set()
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        text = position(seed)
        for command in ASKED:
            found = couperation(*command, "-", stdin=text)
            assert found.exit_code in (0, 1, 3), (command, text, found.stdout, found.stderr)
            codes.add((command, found.exit_code))
        (table,) = read_text(text)
        assert isinstance(table, Snapshot)
        assert cf.moves(table).told
    assert len(codes) >= 6


def test_an_unseen_gone_card_that_can_only_be_one() -> None:
    """No card is left for it but the 31, which therefore no cell takes; and no certificate lays it down."""
    tower = {"d1": 4, "e1": 10, "f1": 17, "g1": 25, "h1": 33, "i1": 40, "j1": 46}
    rest = " ".join(str(value) for value in range(1, 51) if value not in (31, *tower.values()))
    laid = " ".join(f"{value}@{cell}" for cell, value in tower.items())
    text = f'[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower {laid}\nhand Aki\nhand Ben\nreserve\ngone ?\ndeck {rest}\n'
    found = couperation("windows", "-", "--output-format", "json", stdin=text + "turn Aki\n")
    assert found.exit_code == 0
    windows = json.loads(found.stdout)["windows"]
    assert {*range(26, 33)} - {*windows["g2"]} == {31}
    assert all(31 not in values for values in windows.values())
