"""`consulted` names every ruling that a clause reads: flip what it leaves out, and no answer changes.

Asked of many steps: recorded and spoiled turns, small records that tell each pair of options apart, and turns thrown
together on tables of all sizes. A ruling that is left out is flipped alone to each other option, then all of them at
random. So that this can fail, every ruling that the registry lists is once taken out of the named ones: some step of
the same corpus has to notice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from couperation_formal.dispute.plain import step_states
from couperation_formal.dispute.readings import space
from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Card, Down, Shown, Up, Value
from couperation_formal.model.record import Action, Exchange, Game, LayDown, LayUp, NoAction, Open, Record, Turn
from couperation_formal.model.rulings import RULING_NAMES, Rulings, registry
from couperation_formal.model.state import Pile, State
from couperation_formal.model.tower import Tower
from couperation_formal.notation.read import read_file
from couperation_formal.rules.clauses import ASKED, ENDING_RULINGS, ORDER_RULINGS, TURN_CLAUSES
from couperation_formal.rules.consulted import consulted, ending_consults, order_consults
from couperation_formal.rules.ending import end02_opened, ending
from couperation_formal.rules.moves import some_action
from couperation_formal.rules.step import Step, carry_out
from couperation_formal.rules.towers import tow01, tow02, tow07
from tests.agree.worlds import BOARDS, random_state
from tests.dispute.records import LONG, random_reading, sampled, spoiled

ROOT = Path(__file__).parents[2]
NEVER = {("ACT01", "adjust"), ("ACT01", "early_apex"), ("ACT01", "spread")}
"""The registry lists them, as the clause speaks of them. That its answer never hangs on them, where no card is down, is
proved in `spec/dispute.md`.
"""
KINDS = (LayUp, LayDown, Open, Open, Open, Exchange, Exchange, Exchange, NoAction, NoAction)


class Question(NamedTuple):
    """Something that is asked of a step under a reading, the rulings it consults there, and those that it can ever."""

    name: str
    answer: Callable[[Step, Rulings], object]
    names: Callable[[Step], tuple[str, ...]]
    rulings: tuple[str, ...]


def _clause(clause_id: str) -> Question:
    clause = TURN_CLAUSES[clause_id]  # type: ignore[index]

    def answer(step: Step, rulings: Rulings) -> object:
        finding = clause.check(step, rulings)
        return finding and ("broken" if finding.sure else "in doubt")

    return Question(clause.id, answer, lambda step: consulted(clause.id, step), clause.rulings)


def _orders_hold(step: Step, rulings: Rulings) -> object:
    if isinstance(step.turn.action, Open):
        return not end02_opened(step, rulings)
    return all(check(step, rulings) is None for check in (tow01, tow02, tow07))


QUESTIONS = {name: _clause(name) for name in TURN_CLAUSES}
ENDING = Question("ending", ending, ending_consults, ENDING_RULINGS)
ORDERS = Question("orders", _orders_hold, order_consults, ORDER_RULINGS)
PAIRS = [(each, ruling) for each in (*QUESTIONS.values(), ENDING, ORDERS) for ruling in each.rulings]


def questions(step: Step) -> Iterator[Question]:
    """What `dispute.judge` asks of this step."""
    yield from (QUESTIONS[clause.id] for clause in ASKED[type(step.turn.action)])
    yield ENDING
    if step.cell is not None:
        yield ORDERS


def flips(names: Iterable[str], base: Rulings, rng: Random) -> Iterator[Rulings]:
    """`base` with each of these rulings alone on each other option, then with all of them at random."""
    names = tuple(names)
    for name in names:
        for option in space().options[name]:
            if option != base.option(name):
                yield base.with_changes({name: option})
    for _ in range(2):
        yield base.with_changes({name: rng.choice(space().options[name]) for name in names})


def stays(question: Question, step: Step, omitted: Iterable[str], bases: Iterable[Rulings], rng: Random) -> bool:
    """Whether the answer is the same however the omitted rulings are flipped."""
    for base in bases:
        said = question.answer(step, base)
        if any(question.answer(step, changed) != said for changed in flips(omitted, base, rng)):
            return False
    return True


def recorded() -> Iterator[Record]:
    """The records of the project, and sampled games with a few of their spoiled variants."""
    for folder in ("examples", "tests/data/games", "tests/data/rulings"):
        for path in sorted((ROOT / folder).rglob("*.cgn")):
            yield from (item.record for item in read_file(path) if isinstance(item, Game))
    for seed in range(40 if LONG else 4):
        record = sampled(seed)
        yield sampled(seed, public=True)
        kinds = list(spoiled(record, seed))
        yield from (each for _, each in (kinds if LONG else Random(seed).sample(kinds, 10)))


def thrown(rng: Random) -> Step:
    """A table, often close to its end, and a turn thrown together: legal now and then, more often not."""
    board = rng.choice(BOARDS[:2]) if rng.random() < 0.8 else rng.choice(BOARDS)
    state = random_state(rng, board, replace(random_reading(rng), anchor=rng.choice(("middle", "floating"))))
    values = [Value(value) for value in range(1, board.cards + 1)]
    cells = dict(state.tower.cells)
    kind = rng.choice(KINDS)
    for cell in rng.sample(sorted(cells), min(len(cells), rng.choice((0, 0, 1, 2)))):
        cells[cell] = rng.choice(
            (Up(UNSEEN), Up(UNSEEN), Down(UNSEEN), Down(rng.choice(values)), Up(rng.choice(values)))
        )
    if state.variant == "finish" and rng.random() < (0.8 if kind is Open else 0.4):
        cells[rng.choice(sorted(cells))] = Up(FINISH)
    if rng.random() < (0.8 if kind is NoAction else 0.2):
        cells = {cell: laid for cell, laid in cells.items() if isinstance(laid, Up)} or cells
    player = rng.randrange(len(state.players))
    hands, reserve, deck = list(state.hands), state.reserve, state.deck
    while hands[player].size <= board.hand_limit and deck and rng.random() < 0.8:
        hands[player], deck = hands[player].add(deck[0]), deck[1:]
    while reserve.size <= (state.reserve_size or 0) and deck and rng.random() < 0.8:
        reserve, deck = reserve.add(deck[0]), deck[1:]
    if reserve.known and rng.random() < 0.3:
        lost = FINISH if FINISH in reserve.known else rng.choice(sorted(reserve.known, key=str))
        reserve = Pile(reserve.known - {lost}, 1)
    touched = rng.choice(sorted(cells))
    state = replace(
        state,
        tower=Tower.of(board, cells),
        marks={value: rng.choice("12HH") for value in values if rng.random() < 0.8},
        hands=tuple(hands),
        reserve=reserve,
        deck=deck[: rng.choice((0, 1, 2, 99))],
        laid=rng.choice((touched, rng.choice(sorted(cells)))),
        touched=touched,
    )
    if rng.random() < 0.1:
        state = replace(state, laid=None, touched=None, tower=Tower.start(board))
        if state.variant == "finish" and rng.random() < 0.5:
            state = replace(state, front=player, hands=tuple(Pile() for _ in hands))
    turn = Turn(
        state.turns + 1,
        state.players[player],
        (*state.deck[: rng.choice((0, 0, 1, 2))], *rng.choice(((), (), (), (rng.choice(values),)))),
        _action(rng, state, player, kind),
        drop=_some(rng, hands[player], hands[player].size - board.hand_limit),
        trim=_some(rng, reserve, reserve.size - (state.reserve_size or 0)),
    )
    return carry_out(state, turn, player)


def _some(rng: Random, pile: Pile, extra: int) -> tuple[Shown, ...]:
    """Cards to destroy, mostly as many as are too many, mostly of the pile."""
    count = max(extra, 0) if rng.random() < 0.6 else rng.choice((0, 1, 2))
    cards: list[Card] = sorted(pile.known, key=str)
    if rng.random() < 0.3:
        cards = [*[card for card in cards if card is not FINISH][:1], FINISH]
    return tuple(rng.sample(cards, min(len(cards), count)))


def _action(rng: Random, state: State, player: int, kind: type[Action]) -> Action:
    board, tower = state.board, state.tower
    own: list[Card] = [*state.hands[player].known, *([FINISH] if state.front == player else [])]
    own = sorted(own, key=str) or [Value(1)]
    cell = _cell(rng, board, tower)
    if kind is LayUp:
        return LayUp(rng.choice(own), cell)
    if kind is LayDown:
        return LayDown(rng.choice(own), cell)
    if kind is NoAction:
        return NoAction()
    if kind is Open:
        cell = rng.choice(sorted(tower.down)) if tower.down else cell
        numbers = [board.anchor, *tower.numbers.values()]
        shown = min(max(rng.choice(numbers) + rng.choice((-1, 0, 0, 1)), 1), board.cards)
        return Open(cell, rng.choice((tower.cells[cell].card if cell in tower.cells else UNSEEN, Value(shown))))
    first, second = (rng.choice(own) for _ in range(2))
    adjust = tuple((rng.choice("^_|"), rng.choice(own)) for _ in range(rng.choice((0, 0, 1, 2))))
    numbers = [card if isinstance(card, int) else board.anchor for card in (first, second)]
    sign = rng.choice("+-")
    total = sum(numbers) if sign == "+" else abs(numbers[0] - numbers[1])
    total += sum({"^": 1, "_": -1, "|": 0}[each] for each, _ in adjust)
    sums: list[Shown] = [Value(total)] if 1 <= total <= board.cards else [UNSEEN]
    taken = rng.choice([*sums, *sums, FINISH, first, *sorted(state.reserve.known, key=str)])
    replaced = tower.cells.get(cell) if rng.random() < 0.85 else rng.choice((None, Down(UNSEEN)))
    return Exchange(first, sign, second, adjust, taken, rng.random() < 0.6, cell, replaced)


def _cell(rng: Random, board: Board, tower: Tower) -> Cell:
    """A cell, often a laid one or the next free one that a pyramid has, apexes among them."""
    free = [cell for cell in board.pyramid(rng.randrange(board.levels)) if cell not in tower.cells]
    grounded = [cell for cell in free if cell.level == 1 or all(below in tower.cells for below in cell.supports)]
    every = [Cell(column, level) for level in range(1, board.levels + 1) for column in range(board.columns - level + 1)]
    chosen = rng.choice((every, sorted(tower.cells), grounded or every, grounded[-1:] or every))
    return rng.choice(chosen)


@lru_cache(maxsize=1)
def corpus() -> tuple[Step, ...]:
    """The steps that are asked about, the same at every run."""
    rng = Random("consulted")
    steps = [step for record in recorded() for step in step_states(record)]
    steps = steps if LONG else rng.sample(steps, 250)
    return (*steps, *(thrown(rng) for _ in range(30000 if LONG else 2400)))


def bases(rng: Random) -> list[Rulings]:
    return [rng.choice(list(registry().rulebooks.values())), random_reading(rng)]


def test_flipping_what_a_clause_does_not_consult_changes_no_answer() -> None:
    rng = Random("flip")
    asked: Counter[tuple[str, str]] = Counter()
    answers: Counter[tuple[str, object]] = Counter()
    for step in corpus():
        for question in questions(step):
            names = question.names(step)
            omitted = [name for name in RULING_NAMES if name not in names]
            chosen = bases(rng)
            assert stays(question, step, omitted, chosen, rng), (question.name, names, step.turn)
            asked.update((question.name, name) for name in omitted)
            answers.update((question.name, question.answer(step, base)) for base in chosen)
    for question in (*QUESTIONS.values(), ENDING, ORDERS):
        assert len({answer for name, answer in answers if name == question.name}) > 1, question.name
        for name in RULING_NAMES:
            assert asked[question.name, name] >= 10, (question.name, name)


@pytest.mark.parametrize(
    ("question", "ruling"),
    [pair for pair in PAIRS if (pair[0].name, pair[1]) not in NEVER],
    ids=lambda part: part if isinstance(part, str) else part.name,
)
def test_a_name_left_out_is_noticed(question: Question, ruling: str) -> None:
    """The test above asks for every ruling that is not named. Were this one not named either, some step would tell."""
    rng = Random(f"{question.name} {ruling}")
    for step in corpus():
        if ruling in question.names(step) and question in questions(step):
            readings = [random_reading(rng) for _ in range(8)]
            if not stays(question, step, [ruling], readings, rng):
                return
    pytest.fail(f"no step tells whether {question.name} consults {ruling}")


def test_where_no_card_is_down_spread_never_decides_whether_an_action_exists() -> None:
    """As `spec/dispute.md` proves: a card that fits apart from the row fits beside it as well."""
    rng = Random("spread")
    seen: Counter[bool] = Counter()
    while seen.total() < (5000 if LONG else 300):
        board, rulings = rng.choice(BOARDS[:3]), random_reading(rng)
        state = random_state(rng, board, rulings)
        up = {cell: Up(laid.card) for cell, laid in state.tower.cells.items() if cell.level <= rng.choice((1, 1, 9))}
        if any(below not in up for cell in up if cell.level > 1 for below in cell.supports):
            continue
        state = replace(state, tower=Tower.of(board, up))
        adjacent, anywhere = (
            some_action(state, 0, rulings.with_changes({"spread": option})) is not None
            for option in ("adjacent", "anywhere")
        )
        assert adjacent == anywhere
        seen[adjacent] += 1
    assert seen[True] > 20
    assert seen[False] > 20
