"""Every position of the games in a file, asked at both levels: python positions.py FILE [BUDGET]."""

import sys

import couperation_formal as cf

for item in cf.read(sys.argv[1]):
    for turn, state in enumerate(cf.check(item).states):
        if state.result is None and isinstance(item, cf.Game):
            position = cf.position_after(item, turn)
            winnable = cf.table_winnable(position, budget=int(sys.argv[2] if sys.argv[2:] else 20_000))
            print(turn, "tower:", cf.tower_completable(position), " table:", "open" if winnable is None else winnable)
