"""What would have saved a game is denied only where it is known."""

from __future__ import annotations

import msgspec
import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.notation.read import read
from couperation_formal.output.blocks import terminal
from couperation_formal.questions.tables.deadlock import TableScan, scan_end
from couperation_formal.words.say import ENGLISH
from tests.questions.tables.run import LOST

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lost() -> TableScan:
    (game,) = read(LOST)
    assert isinstance(game, Game)
    states = replay(game.record, game.record.rules.rulings).states
    return scan_end(game, states, 0, False, Steps(40_000), 32, True)


def told(found: TableScan) -> str:
    return "".join(text for text, _ in terminal(found.blocks(), ENGLISH))


def test_no_action_is_denied_where_some_are_open(lost: TableScan) -> None:
    """As if the budget had ended while the actions were listed: nothing is blamed on unseen cards."""
    assert lost.dead
    dead = tuple(each for each in lost.alternatives if each.verdict == "dead")
    all_dead = msgspec.structs.replace(lost, alternatives=dead, complete=True)
    assert "keeps the table alive" in told(all_dead)
    cut = told(msgspec.structs.replace(all_dead, complete=False, told=False))
    assert "is known to keep the table alive; whether there are more is open: " in cut
    assert "unseen cards" not in cut
    unseen = told(msgspec.structs.replace(all_dead, complete=False))
    assert "keeps the table alive (unseen cards may allow more)" in unseen
