"""The oracle against itself: its orders by trying every number, its claims by its own lists of actions."""

from __future__ import annotations

import random
from itertools import product

import pytest

from .claims import action_faults
from .game import Game, State, actions, draws, limits, pass_on, perform, start
from .mutate import mutations
from .reader import Exchange, Record, Turn, read_record, write_record
from .replayer import judge
from .rulebooks import OPTIONS, read_rules
from .table import own_cards
from .tower import F, Tower, all_cells, number, order_faults, orders

MARKS = {value: "12H"[value % 3] for value in range(1, 51)}


def some_rulings(rng: random.Random) -> dict[str, str]:
    """One option of each ruling, at random."""
    return {ruling: rng.choice(options) for ruling, options in OPTIONS.items()}


def fits(game: Game, tower: Tower) -> bool:
    """Whether some numbers for the down cards keep every order, found by trying all that could matter."""
    strict = {"TOW01": game.rulings["row_order"] == "strict", "TOW02": game.rulings["between"] == "strict"}
    waived = game.rulings["facedown"] == "ignored"
    span = range(1, game.cards + 1) if game.rulings["facedown"] == "deck" else range(-5, game.cards + 7)
    downs = [cell for cell, (_, up) in tower.items() if not up]
    for numbers in product(span, repeat=0 if waived else len(downs)):
        values = {cell: number(game, card) for cell, (card, up) in tower.items() if up} | dict(
            zip(downs, numbers, strict=False)
        )
        pairs = [(clause, values.get(low), values.get(high)) for clause, low, high in orders(list(tower))]
        if all(a is None or b is None or a < b or (a == b and not strict[clause]) for clause, a, b in pairs):
            return True
    return False


def test_orders_hold_when_some_numbers_fit() -> None:
    rng = random.Random(1)
    seen = set()
    for _ in range(400):
        game = Game(some_rulings(rng), MARKS, finish=True, levels=3, cards=6, anchor=3)
        cells = rng.sample([cell for cell in all_cells(game) if cell[0] + cell[1] <= 4], rng.randint(2, 6))
        cards = rng.sample([1, 2, 3, 4, 5, 6, F], len(cells))
        faces = [card == F or rng.random() < 0.6 for card in cards]
        tower = dict(zip(cells, zip(cards, faces, strict=True), strict=True))
        if faces.count(False) <= 3:
            answer = fits(game, tower)
            assert (not order_faults(game, tower)) == answer, (game.rulings, tower)
            seen.add((game.rulings["facedown"], answer))
    assert len(seen) == 6


def every_writing(game: Game, state: State, player: int, rng: random.Random) -> list[tuple]:
    """Written actions of all kinds, legal or not, that mention own cards, the Reserve and the tower."""
    own, cells = own_cards(state, player), all_cells(game)
    written = [(letter, card, cell) for letter in "AB" for card in own for cell in cells]
    written += [("C", cell, card) for cell, (card, _) in state.tower.items()]
    for _ in range(3000):
        first, second, *rest = rng.sample(own, len(own)) if len(own) > 1 else (F, F)
        adjust = tuple((rng.choice("^_|"), card) for card in rest[: rng.randint(0, len(rest))])
        cell = rng.choice(cells) if rng.random() < 0.4 else rng.choice(list(state.tower))
        taken = rng.choice([*state.reserve, first])
        exchange = Exchange(
            (first, second), rng.choice("+-"), adjust, taken, rng.random() < 0.7, cell, state.tower.get(cell)
        )
        written.append(("D", exchange))
    return written


def in_effect(action: tuple) -> tuple:
    """A written action in the form of `game.actions`."""
    if action[0] == "D":
        d = action[1]
        destroyed = frozenset(card for _, card in d.adjust)
        return "D", d.taken, d.cell, frozenset(d.sent), destroyed, d.face_up, d.replaced is not None
    return action[:2] if action[0] == "C" else action


def play(rng: random.Random, game: Game, state: State) -> tuple[State, Turn]:
    """One legal turn at random, and its writing without drops and trims; a stuck player's turn is ``-``."""
    drawn = rng.choice(draws(game, state))
    possible = sorted(actions(game, drawn, drawn.to_move), key=str)
    draw = state.deck[: len(state.deck) - len(drawn.deck)]
    turn = Turn(state.turns + 1, str(state.to_move), draw, ("-",))
    if not possible:
        return pass_on(drawn._replace(result="stuck")), turn
    letter = rng.choice(sorted({action[0] for action in possible}))
    action = rng.choice([action for action in possible if action[0] == letter])
    after = perform(game, drawn, drawn.to_move, action)
    kept = rng.choice(limits(game, after))
    drop = tuple(card for card in after.hands[drawn.to_move] if card not in kept.hands[drawn.to_move])
    trim = tuple(card for card in after.reserve if card not in kept.reserve)
    return pass_on(kept), turn._replace(action=write(game, drawn, action), drop=drop, trim=trim)


def write(game: Game, state: State, action: tuple) -> tuple:
    """A legal action as a record writes it."""
    if action[0] == "C":
        return "C", action[1], state.tower[action[1]][0]
    if action[0] != "D":
        return action
    _, taken, cell, sent, destroyed, face_up, _ = action
    first, second = sorted(sent, key=lambda card: -number(game, card))
    for sign, marks in product("+-", product("^_|", repeat=len(destroyed))):
        base = number(game, first) + number(game, second) * (1 if sign == "+" else -1)
        allowed = "|" not in marks or game.rulings["adjust"] == "up_to"
        uniform = len(set(marks)) < 2 or game.rulings["adjust"] != "uniform"
        if allowed and uniform and base + marks.count("^") - marks.count("_") == number(game, taken):
            adjust = tuple(zip(marks, sorted(destroyed, key=str), strict=True))
            return "D", Exchange((first, second), sign, adjust, taken, face_up, cell, state.tower.get(cell))
    raise AssertionError(action)


def dealt(rng: random.Random, game: Game) -> State:
    """A table after a legal set-up."""
    pack = [card for card in range(1, 51) if card not in (1, 25, 50)]
    rng.shuffle(pack)
    hands = [[pack.pop() for _ in range(3)] for _ in range(game.players)]
    reserve = [1, 50, *(pack.pop() for _ in range(game.reserve_sizes[game.players] - 2))]
    if game.finish:
        pack.insert(rng.randint(0, len(pack)), F)
    return start(game, hands, reserve, pack)


@pytest.mark.parametrize("seed", range(6))
def test_what_claims_let_pass_is_what_actions_list(seed: int) -> None:
    rng = random.Random(seed)
    game = Game(some_rulings(rng), MARKS, players=rng.choice([2, 3, 4]), finish=rng.random() < 0.7)
    state = dealt(rng, game)
    for _ in range(8):
        drawn = rng.choice(draws(game, state))
        legal = actions(game, drawn, drawn.to_move)
        for action in every_writing(game, drawn, drawn.to_move, rng):
            codes, _ = action_faults(game, drawn, drawn.to_move, Turn(1, "", (), action))
            if not codes:
                assert in_effect(action) in legal
            elif action[0] != "D":
                assert in_effect(action) not in legal or action[0] == "C"
        state, _ = play(rng, game, state)
        if state.result:
            break


def played(seed: int) -> str:
    """A whole legal game, played at random."""
    rng = random.Random(seed)
    finish, count = rng.random() < 0.5, rng.choice([2, 3, 4])
    changes = rng.sample(list(OPTIONS), 5)
    rules = " ".join(["ja-2.2", *(f"{ruling}={rng.choice(OPTIONS[ruling])}" for ruling in changes)])
    game = Game(read_rules(rules), MARKS, count, finish)
    first = state = dealt(rng, game)
    turns = []
    while not state.result:
        state, turn = play(rng, game, state)
        turns.append(turn)
    tags = {"CGN": "1", "Rules": rules, "Variant": "finish" if finish else "first"}
    tags |= {"Players": " ".join(map(str, range(count))), "Marks": " ".join(f"{v}:{m}" for v, m in MARKS.items())}
    deals = {str(player): hand for player, hand in enumerate(first.hands)}
    players = tuple(deals)
    return write_record(
        Record(tags, players, game.rulings, finish, MARKS, deals, first.reserve, first.deck, tuple(turns), state.result)
    )


@pytest.mark.parametrize("seed", range(10))
def test_a_game_played_by_the_rules_is_judged_legal(seed: int) -> None:
    text = played(seed)
    record = read_record(text)
    answer = judge(text)
    assert (answer.verdict, answer.result) == ("legal", record.result)
    assert write_record(record) == text
    without_deck = judge(write_record(record._replace(deck=None)))
    assert without_deck[:4] == answer[:4]


def test_mutations_break_every_clause() -> None:
    broken = set()
    for seed in range(12):
        for _, spoiled in mutations(played(seed), seed):
            broken |= judge(spoiled).codes
    families = {
        "SET": (1, 2, 3, 4, 6),
        "TOW": range(1, 9),
        "DRW": range(1, 7),
        "ACT": range(1, 9),
        "LIM": (1, 2),
        "END": (4, 5, 6),
    }
    assert broken == {f"{family}{at:02}" for family, numbers in families.items() for at in numbers}
