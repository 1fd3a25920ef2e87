"""What the tests of compare share with others."""

from __future__ import annotations

from tests.game.rulings.find_pairs import pairs

PAIRS = [pair for pair in pairs() if pair[0] != "finish_half"]
