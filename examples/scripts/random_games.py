"""A thousand games played at random, and how they end: python random_games.py [GAMES [RULES]]."""

import random
import sys

import couperation_formal as cf

ends = {"win": 0, "loss": 0, "stuck": 0}
for seed in range(int(sys.argv[1] if sys.argv[1:] else 1000)):
    choose, table = random.Random(seed), cf.Table.new(2, " ".join(sys.argv[2:]), seed=seed)
    while table.result is None:
        table.play(choose.choice(table.legal_turns(draw=choose.choice(table.draw_amounts()))))
    ends[table.result] += 1
print(ends)
