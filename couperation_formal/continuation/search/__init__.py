"""The exhaustive search: every continuation, or the proof that none wins.

`exhaust.Exhaustion` goes depth-first over whole turns and meets no position twice; it can be left when its steps are
spent and gone on with. `reductions.Bounds` is what it leaves out, each rule with an id and its proof in
`spec/search.md`: `cards`, `exchanges`, `turns` (counting proves a position lost) and `reserve` (differences that no
longer matter). `prices` finds the least price of a final tower again, as `reasons.final_tower` does for states, for
positions: sets of order ideals are numbers of 128 bits a price.

A search that ends without a win gives the number of positions expanded and a digest that does not hang on their order:
another program, the checker, repeats it and must come to the same. Cost: two steps a position looked at, the prices
beside.
"""
