"""The slack of a tower against the algorithm that fills it."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from couperation_formal.game.tower import STANDARD
from couperation_formal.towers.completion.fill import bounds, fill, problems, slack, smallest_interval, tower_slack
from tests.conftest import LONG
from tests.towers.completion.towers import SMALL, corners, random_position

pytestmark = pytest.mark.slow


def test_a_filling_exists_exactly_where_the_slack_is_not_negative() -> None:
    rng = Random(7)
    answers = {True: 0, False: 0}
    for _ in range(3000 if LONG else 1000):
        board = rng.choice((STANDARD, *SMALL))
        position, _ = random_position(rng, board)
        for problem in problems(position, board):
            found = slack(problem)
            if found is not None:
                assert (found.least >= 0) == (fill(problem) is not None)
                answers[found.least >= 0] += 1
    assert min(answers.values()) > (300 if LONG else 100)


def test_a_negative_slack_has_an_interval_that_is_too_full() -> None:
    rng = Random(8)
    seen = 0
    for _ in range(1500 if LONG else 500):
        position, _ = random_position(rng, hidden=False)
        for problem in problems(position):
            found = slack(problem)
            if found is None or found.least >= 0:
                continue
            assert found.interval is not None
            assert len(found.interval.left) - len(found.interval.cells) == found.least
            assert smallest_interval(problem, bounds(problem)) is not None
            seen += 1
    assert seen > (100 if LONG else 33)


def test_the_tight_corners() -> None:
    found = tower_slack(corners(1, 28))
    assert found is not None
    assert found.least == 0
    assert found.interval is not None
    assert (found.interval.above, found.interval.below) == (1, 28)
    tighter = tower_slack(corners(1, 27))
    assert tighter is not None
    assert tighter.least == -1


def test_the_place_is_the_leftmost_of_those_with_the_greatest_slack() -> None:
    rng = Random(1)
    ties = 0
    for _ in range(400):
        board = rng.choice(SMALL)
        position, _ = random_position(rng, board)
        found = {problem.left: slack(problem) for problem in problems(position, board)}
        least = {left: each.least for left, each in found.items() if each is not None}
        best = tower_slack(position, board)
        if not least:
            assert best is None
            continue
        assert best is not None
        greatest = [left for left, each in least.items() if each == max(least.values())]
        assert best == found[min(greatest)]
        ties += len(greatest) > 1
    assert ties > 10


def test_the_interval_has_the_fewest_cells_and_is_the_narrowest_and_lowest() -> None:
    rng = Random(10)
    ties = 0
    for _ in range(300):
        board = rng.choice(SMALL)
        position, _ = random_position(rng, board)
        for problem in problems(position, board):
            found = slack(problem)
            if found is None or found.interval is None:
                continue
            window = bounds(problem)
            every = []
            for above, below in product(window.low, window.high):
                cells = [i for i in problem.free if window.low[i] >= above and window.high[i] <= below]
                left = [value for value in problem.values if above < value < below]
                if cells:
                    every.append((len(left) - len(cells), len(cells), below - above, above, below))
            best = min(every)
            ties += sum(each[:2] == best[:2] for each in every) > 1
            assert (found.least, found.interval.above, found.interval.below) == (best[0], best[3], best[4])
            assert len(found.interval.cells) == best[1]
    assert ties > 10
