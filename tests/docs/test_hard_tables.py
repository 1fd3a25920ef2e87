"""The page on three hard tables says what is so: how many positions follow, what wins, and what no two cards make."""

import re
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from couperation_checker.claims import check_object

from couperation_formal.game.position import state_of
from couperation_formal.game.record import Position, Snapshot
from couperation_formal.notation.read import read
from couperation_formal.notation.write import position_text
from couperation_formal.towers.continuation.exhaust import Reductions
from couperation_formal.towers.continuation.legal import Move, OpenMove
from couperation_formal.towers.continuation.line import Packed
from couperation_formal.towers.continuation.position import Node

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "hard-tables.md").read_text(encoding="utf-8")
COUNTED = re.findall(r"^\| `games/(\w+)\.cgn` \| ([\d,]+) \| ([\d,]+) \|$", PAGE, re.MULTILINE)


def position(name: str) -> Position:
    (item,) = read(DOCS / "games" / f"{name}.cgn")
    assert isinstance(item, Snapshot)
    return item.position


def packed(name: str) -> Packed:
    shown = position(name)
    return Packed(state_of(shown), shown.rules.rulings)


def following(search: Packed, bounds: Reductions, level: Iterable[Node]) -> tuple[set[Node], list[Move]]:
    """The positions that follow and the turns that lead to some, those that counting proves lost left out."""
    found, moves = set(), []
    for node in level:
        for child, move in search.turns.turns(node, bounds.most_gone(node)):
            if child is not None and (stands := bounds.stands(child)) is not None:
                found.add(stands)
                moves.append(move)
    return found, moves


@pytest.mark.parametrize(("name", "first", "second"), COUNTED)
def test_so_many_positions_follow(name: str, first: str, second: str) -> None:
    search = packed(name)
    bounds = Reductions(search.frame)
    after, _ = following(search, bounds, search.roots())
    then, _ = following(search, bounds, after)
    assert (f"{len(after):,}", f"{len(then):,}") == (first, second)


def test_the_line_of_the_first_wins() -> None:
    line = re.findall(r"^    (\d\. .+)$", PAGE, re.MULTILINE)
    shown = position("freed")
    text = position_text(shown)
    claim = {
        "format": 1,
        "claim": "table-completable",
        "position": text,
        "rulings": msgspec.structs.asdict(shown.rules.rulings),
    }
    assert check_object({**claim, "evidence": {"world": text, "line": line}}).status == "accepted"
    assert check_object({**claim, "evidence": {"world": text, "line": line[1:]}}).status == "rejected"


def test_no_two_cards_of_the_second_make_what_d6_wants() -> None:
    state = state_of(position("sums"))
    piles = [*(hand.known for hand in state.hands), state.deck]
    own = {int(card) for pile in piles for card in pile if isinstance(card, int)}
    makes = {number for pair in combinations(sorted(own - {30}), 2) for number in (sum(pair), pair[1] - pair[0])}
    assert not makes & set(range(20, 26))
    assert {30 - 10, 30 - 5} <= set(range(20, 26))
    assert {22, 23} <= state.reserve.known
    assert 21 in state.gone.known
    assert own & set(range(28, 32)) == {30}


def test_whoever_moves_second_at_the_third_opens_what_was_laid_down() -> None:
    search = packed("spare")
    bounds = Reductions(search.frame)
    after, _ = following(search, bounds, search.roots())
    _, moves = following(search, bounds, after)
    assert len(moves) == 80
    assert all(type(move.act) is OpenMove for move in moves)
