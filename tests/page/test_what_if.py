"""What the page tells of one more card against the plain rules and the completion question."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from couperation_formal.game.position import position_of
from couperation_formal.game.record import Position, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.arrangement import broken_orders, failing_chain, finish_number
from couperation_formal.game.rulings import Rulings, parse_rules, registry
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Card, Cell, Down, Laid, Shown, Up, Value, Variant
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.tables.fits import Fit, cards_left, fits, outlook
from couperation_formal.towers.completion.answer import Completable, complete
from tests.conftest import LONG
from tests.kit.rulings import drawn
from tests.page.page import data_of
from tests.page.pages import LEGAL, SHOWN, opened, page_of, page_of_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

TABLES = 3_000 if LONG else 24

RUN = """batch => JSON.stringify(JSON.parse(batch).map(([finish, step, card, cell]) => {
  const { bar, broken, kept } = couperation.judged({ finish }, step, card, cell);
  return [bar, broken.map(([, bound]) => bound), kept ?? null];
}))"""


@cache
def tables(seed: int) -> list[tuple[State, Position]]:
    """Some tables of a sampled game under random rulings, seen whole or by everybody."""
    rng = Random(f"what if {seed}")
    words = [rng.choice(list(registry().rulebooks))]
    words += [f"{name}={option}" for name, option in drawn(rng, 0.4).items()]
    rules = parse_rules(" ".join(words))
    variant: Variant = rng.choice(("first", "finish"))
    record: Record = sample_game(2, variant, rules, seed, rng.choice(("careful", "random")))
    record = hide(record) if rng.random() < 0.3 else record
    states = replay(record, rules.rulings).states
    return [(state, position_of(state, rules, ())) for state in rng.sample(states, min(3, len(states)))]


def ordered_by_rules(state: State, rulings: Rulings, card: Card, cell: Cell) -> bool:
    tower = state.tower.lay(cell, Up(card))
    return not broken_orders(STANDARD, tower, rulings, cell) and failing_chain(STANDARD, tower, rulings) is None


def told(fit: Fit, card: Card, finish: int | None) -> tuple[bool, bool | None]:
    """The same by the numbers of a window."""
    number = (None if fit.finish_free else finish) if card is FINISH else int(str(card))
    low, high = (None, None) if number is None else (fit.low, fit.high)
    ordered = (low is None or number is None or number >= low[0]) and (
        high is None or number is None or number <= high[0]
    )
    if card is FINISH:
        return ordered, fit.finish_kept
    kept = None if fit.kept is None else any(first <= int(str(card)) <= last for first, last in fit.kept)
    return ordered, kept


@pytest.mark.parametrize("chunk", range(3))
def test_windows_say_what_the_rules_and_the_completion_say(chunk: int) -> None:
    count = 0
    seen: set[tuple[bool, bool | None]] = set()
    clauses: set[str] = set()
    for seed in range(chunk, TABLES, 3):
        rng = Random(seed)
        for state, position in tables(seed):
            rulings = position.rules.rulings
            known = outlook(position, STANDARD.middle).answer != "unknown"
            found = fits(state, position, known)
            cards: list[Card] = [FINISH if card == "F" else Value(int(card)) for card in cards_left(position)]
            for name, fit in rng.sample(sorted(found.items()), min(6, len(found))):
                cell = Cell(ord(name[0]) - ord("a"), int(name[1:]))
                clauses |= {bound[1] for bound in (fit.low, fit.high) if bound} | {fit.bar or "none"}
                for card in rng.sample(cards, min(8, len(cards))):
                    ordered = ordered_by_rules(state, rulings, card, cell)
                    says, kept = told(fit, card, finish_number(state.board, rulings))
                    assert says == ordered, (seed, card, name)
                    barred = fit.finish_bar if card is FINISH else fit.bar
                    if known and ordered and barred is None:
                        completes = complete(_with(position, card, cell))
                        assert kept == isinstance(completes, Completable), (seed, card, name)
                    seen.add((ordered, kept))
                    count += 1
    assert count > TABLES * 20
    assert seen >= {(True, True), (True, False), (False, False)}
    assert clauses >= {"TOW01", "TOW02", "TOW03", "TOW07", "none"}


def test_the_page_compares_as_the_windows_say(browser: Browser, tmp_path: Path) -> None:
    cases: list[Any] = []
    wanted: list[Any] = []
    for seed in range(40) if LONG else range(0, TABLES, 3):
        for state, position in tables(seed):
            finish = finish_number(state.board, position.rules.rulings)
            known = outlook(position, STANDARD.middle).answer != "unknown"
            found = fits(state, position, known)
            step = {"fits": msgspec.to_builtins(found)}
            for card in cards_left(position)[::5]:
                for name, fit in list(found.items())[::4]:
                    cases.append([finish, step, card, name])
                    is_finish = card == "F"
                    number = (None if fit.finish_free else finish) if is_finish else int(card)
                    broken = [] if number is None else [
                        *([list(fit.low)] if fit.low and number < fit.low[0] else []),
                        *([list(fit.high)] if fit.high and number > fit.high[0] else []),
                    ]  # fmt: skip
                    kept = told(fit, FINISH if is_finish else Value(int(card)), finish)[1]
                    wanted.append([fit.finish_bar if is_finish else fit.bar, broken, kept])
    assert len(cases) > (1_000 if LONG else 300)
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        for start in range(0, len(cases), 500):
            answers = json.loads(shown.tab.evaluate(RUN, json.dumps(cases[start : start + 500])))
            assert answers == wanted[start : start + 500]


def under_the_apex(option: str) -> str:
    """A tower that lacks nothing but the apex, of which both supports are above 25."""
    cells = sorted(STANDARD.pyramid(STANDARD.middle), key=lambda cell: (2 * cell.column + cell.level, cell))
    lows = [cell for cell in map(str, cells) if cell in {"d1", "e1", "f1", "d2", "e2", "f2", "d3", "e3", "d4"}]
    highs = [cell for cell in map(str, cells) if cell not in {*lows, "g1", "d7"}]
    numbered = [*zip(range(16, 25), lows, strict=True), (25, "g1"), *zip(range(26, 43), highs, strict=True)]
    tower = " ".join(f"{number}@{cell}" for number, cell in numbered)
    head = f'[CGN "1"]\n[Rules "ja-2.2 finish_value={option}"]\n[Variant "finish"]\n[Players "Aki Ben"]\n'
    return f"{head}position\ntower {tower}\n"


BESIDE_UNSEEN = '[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower 25@g1 ?@f1\n'
"""The card is 24 at most, so no 24 fits left of it; of a 12 it cannot be told."""

TRIED = [
    ("#game=1", "F", "d7", False, "The orders refuse F on d7."),
    ("#game=2", "F", "d7", True, "The orders accept F on d7."),
    ("#game=3", "F", "d7", True, "The orders accept F on d7."),
    ("#game=4", "12", "e1", True, "As far as the up cards are shown, the orders accept 12 on e1."),
    ("#game=4", "24", "e1", False, "The orders refuse 24 on e1."),
    ("#game=5&turn=9", "23", "f3", True, "The orders accept 23 on f3."),
    ("#game=5&turn=9", "9", "f3", False, "TOW02"),
    ("#game=5&turn=9", "30", "d4", False, "TOW03"),
]


def test_a_card_is_tried_by_keyboard_and_told(browser: Browser, tmp_path: Path) -> None:
    """The Finish card on the apex under each option, a card beside one that is not seen, and cards in a game."""
    texts = [under_the_apex(option) for option in ("25", "none", "apex_free")]
    html = page_of_text("".join([*texts, BESIDE_UNSEEN, LEGAL.read_text()]))
    with opened(browser, html, tmp_path, reduced_motion="reduce") as shown:
        tab, last = shown.tab, ""
        for fragment, card, cell, accepted, words in TRIED:
            if fragment != last:
                shown.follow(fragment)
                tab.locator(f"{SHOWN} [data-tab]").first.focus()
                tab.keyboard.press("End")
            last = fragment
            tab.locator(f'{SHOWN} [data-part="card"]').select_option(card)
            tab.locator(f'{SHOWN} [data-part="cell"]').select_option(cell)
            assert words in shown.text("trial")
            flag = "laid" if accepted else "refused"
            assert flag in shown.cell(cell).split()
            shown.click(tab.locator(f'{SHOWN} [data-part="clear"]'))
            assert "Choose a card" in shown.text("trial")
            assert flag not in shown.cell(cell).split()


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


def test_what_was_tried_in_one_view_is_no_answer_in_another(browser: Browser, tmp_path: Path) -> None:
    """A card that everybody's cards show to be gone is one that the table can still ask for."""
    html = page_of(LEGAL)
    both = enumerate(zip(data_of(html)["steps"], data_of(html, view="table")["steps"], strict=True))
    found = (
        (
            at,
            sorted(set(table["cards"]) - set(whole["cards"])),
            [c for c, fit in table["fits"].items() if "bar" not in fit],
        )
        for at, (whole, table) in both
    )
    at, hidden, cells = next(each for each in found if each[1] and each[2])
    with opened(browser, html, tmp_path, f"#turn={at}") as shown:
        views = shown.tab.locator(".views")
        shown.click(views.get_by_text("the table", exact=True))
        shown.click(shown.tab.get_by_role("tab", name="What if"))
        shown.tab.get_by_label("Lay", exact=True).select_option(hidden[0])
        shown.tab.locator('[data-part="cell"]').select_option(cells[0])
        assert cells[0] in shown.text("trial")
        hint = "Choose a card and a free cell"
        shown.click(views.get_by_text("all", exact=True))
        assert shown.text("trial").startswith(hint)
        assert shown.tab.locator('[data-part="cell"]').input_value() == ""
        assert shown.tab.locator('[data-cell][aria-pressed="true"]').count() == 0
