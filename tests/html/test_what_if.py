"""The page's evaluator against the plain rules: it is given the same orders as data, and has to find the same."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from couperation_formal.completion.answer import Completable, Deadlocked, complete
from couperation_formal.completion.certificate import places_data
from couperation_formal.completion.problem import problems
from couperation_formal.model.board import STANDARD, Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Card, Down, Laid, Shown, Up, Value
from couperation_formal.model.record import Position
from couperation_formal.model.tower import Tower
from couperation_formal.report.html.board_data import question_data, rulings_data
from couperation_formal.rules.arrangement import broken_orders, failing_chain
from tests.completion.towers import random_position
from tests.html.pages import LEGAL, opened, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PLACEMENTS = 200_000 if os.environ.get("COUPERATION_LONG") else 6_000

RUN = """batch => JSON.stringify(JSON.parse(batch).map(([reading, cells, question, card, cell]) => {
  const step = { cells, question, places: {} };
  const { orders, refusals } = couperation.judged({ reading }, step, card, cell);
  const name = (number) => couperation.board.cells[number];
  const names = (numbers) => numbers.map(name);
  const told = (reason) => ({ ...reason, cells: names(reason.cells ?? []) });
  return {
    broken: (orders?.broken ?? []).map((o) => [o.clause, name(o.lower), name(o.upper), o.low, o.high]),
    chain: orders?.kind === "chain" ? { ...orders.chain, cells: names(orders.chain.cells) } : null,
    refusals: refusals && refusals.map(({ place, reason }) => [place, told(reason)]),
  };
}))"""


def test_the_page_and_the_plain_rules_agree(browser: Browser, tmp_path: Path) -> None:
    rng = Random(20_26)
    count = dead = refused = chains = 0
    kinds: set[str] = set()
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        while count < PLACEMENTS:
            cases = [case for _ in range(400) for case in _cases(rng)]
            answers = json.loads(shown.tab.evaluate(RUN, json.dumps([_question(*case) for case in cases])))
            for (position, card, cell), found in zip(cases, answers, strict=True):
                chain = _orders_agree(position, card, cell, found)
                reasons = _completion_agrees(_with(position, card, cell), found["refusals"])
                count += 1
                refused += bool(found["broken"])
                chains += chain
                dead += reasons is not None
                kinds.update(reason["kind"] for _, reason in reasons or ())
    assert count >= 5_000
    assert min(dead, count - dead, refused, count - refused) > count // 10
    assert chains > count // 200
    assert kinds == {"interval", "order", "finish", "gone"}
    print(f"{count} placements: {refused} refused by up cards, {chains} by down cards, {dead} deadlocked")


def test_an_order_that_is_missing_would_be_noticed(browser: Browser, tmp_path: Path) -> None:
    rng = Random(5)
    cases = [case for _ in range(300) for case in _cases(rng)]
    batch = json.dumps([_question(*case) for case in cases])
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        before = json.loads(shown.tab.evaluate(RUN, batch))
        for clause in (0, 1):
            run = f"""batch => {{
              const whole = couperation.board.orders.splice(0);
              couperation.board.orders.push(...whole.filter((order) => order[2] !== {clause}));
              const found = ({RUN})(batch);
              couperation.board.orders.splice(0, Infinity, ...whole);
              return found;
            }}"""
            after = json.loads(shown.tab.evaluate(run, batch))
            assert sum(one["broken"] != other["broken"] for one, other in zip(before, after, strict=True)) > 20
        assert json.loads(shown.tab.evaluate(RUN, batch)) == before


def _cases(rng: Random) -> list[tuple[Position, Card, Cell]]:
    """A tower with some cards that are left on some of its free cells."""
    position, _ = random_position(rng)
    found = problems(position)
    answer = complete(position)
    if not found or (isinstance(answer, Deadlocked) and rng.random() < 0.75):
        return []
    laid = dict(position.tower)
    free = sorted({each.cell(i) for each in found for i in range(each.shape.size)} - set(laid))
    cards: list[Card] = [Value(value) for value in found[0].values]
    if (
        position.variant == "finish"
        and FINISH not in position.gone
        and FINISH not in {each.card for each in laid.values()}
    ):
        cards += [FINISH] * 6
    apexes = {Cell(each.left, STANDARD.levels) for each in found}
    cases: list[tuple[Position, Card, Cell]] = []
    if isinstance(answer, Completable):
        chosen = rng.sample(sorted(answer.filling.items()), min(2, len(answer.filling)))
        filled = [(answer.problem.cell(i), value) for i, value in chosen]
        cases += [(position, Value(value), cell) for cell, value in filled if cell not in laid]
    for _ in range(2):
        card, cell = rng.choice(cards or [Value(1)]), rng.choice(free or [STANDARD.anchor_cell])
        fits = position.variant == "first" or cell not in apexes or card is FINISH
        if cards and free and fits:
            cases.append((position, card, cell))
    return cases


def _question(position: Position, card: Card, cell: Cell) -> list[Any]:
    cells = {str(each): str(laid) for each, laid in position.tower}
    reading = rulings_data(position.rules.rulings)
    return [reading, cells, msgspec.to_builtins(question_data(position)), str(card), str(cell)]


def _with(position: Position, card: Card, cell: Cell) -> Position:
    """The position with the card up on the cell, and nowhere else."""

    def rest(cards: tuple[Shown, ...]) -> tuple[Shown, ...]:
        return tuple(other for other in cards if other != card)

    tower: dict[Cell, Laid] = {
        each: Down(UNSEEN) if isinstance(laid, Down) and laid.card == card else laid for each, laid in position.tower
    }
    tower[cell] = Up(card)
    return msgspec.structs.replace(
        position,
        tower=tuple(tower.items()),
        hands={player: rest(hand) for player, hand in position.hands.items()},
        reserve=None if position.reserve is None else rest(position.reserve),
        deck=None if position.deck is None else rest(position.deck),
    )


def _orders_agree(position: Position, card: Card, cell: Cell, found: dict[str, Any]) -> bool:
    rulings = position.rules.rulings
    tower = Tower.of(STANDARD, {**dict(position.tower), cell: Up(card)})
    broken = broken_orders(STANDARD, tower, rulings, cell)
    expected = {
        (each.order.clause, str(each.order.lower), str(each.order.upper), each.low, each.high) for each in broken
    }
    assert {tuple(each) for each in found["broken"]} == expected
    chain = None if broken else failing_chain(STANDARD, tower, rulings)
    assert (found["chain"] is None) == (chain is None)
    if found["chain"] is not None:
        assert found["chain"]["least"] > found["chain"]["limit"]
        down = {str(each) for each in tower.down}
        assert down & set(found["chain"]["cells"])
    return chain is not None


def _completion_agrees(position: Position, found: list[Any] | None) -> list[Any] | None:
    answer = complete(position)
    if isinstance(answer, Completable):
        assert found is None
        return None
    assert found is not None
    expected = places_data(answer)
    assert [place for place, _ in found] == [each["column"] for each in expected]
    for (_, reason), each in zip(found, expected, strict=True):
        wanted = each["reason"]
        assert reason["kind"] == wanted["kind"]
        if reason["kind"] == "interval":
            assert (reason["above"], reason["below"], reason["left"]) == (
                wanted["above"],
                wanted["below"],
                wanted["left"],
            )
            assert sorted(reason["cells"]) == sorted(wanted["cells"])
        elif reason["kind"] == "order":
            assert reason["cells"] == wanted["cells"]
        elif reason["kind"] == "gone":
            assert reason["missing"] == wanted["missing"]
    return found


@pytest.mark.parametrize("card, cell, accepted, words", [
    ("23", "f3", True, "The orders accept 23 on f3."),
    ("9", "f3", False, "TOW02"),
    ("30", "d4", False, "TOW03"),
])  # fmt: skip
def test_a_card_is_tried_by_keyboard_and_told(
    browser: Browser, tmp_path: Path, card: str, cell: str, accepted: bool, words: str
) -> None:
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=9") as shown:
        summary = shown.tab.locator("summary", has_text="What if")
        summary.focus()
        shown.tab.keyboard.press("Enter")
        shown.tab.locator('[data-part="card"]').select_option(card)
        shown.tab.locator('[data-part="cell"]').select_option(cell)
        told = shown.text("trial")
        assert words in told
        flag = "laid" if accepted else "refused"
        assert flag in shown.cell(cell).split()
        shown.tab.locator('[data-part="clear"]').click()
        assert "Choose a card" in shown.text("trial")
        assert flag not in shown.cell(cell).split()
