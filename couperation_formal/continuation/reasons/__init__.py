"""Counting: reasons why no continuation of a table wins, found without any search.

`theorems.reason(state, rulings, budget)` asks cheap ones first and gives a `Reason` (its kind, its numbers, the cells
and cards that show it) or None, which says nothing. Each kind is a theorem of `spec/table.md`, which the checker
recounts. What is counted are cards: those left in hands, in front and in the deck, against the empty cells and what
actions D take beside.

`final_tower` finds the least price of a final tower by a walk along the 128 order ideals; `taking` says what it costs
to take a number by D; `interval` shows one interval that is too small; `disorder` finds cards out of order that no D
mends; `counting_game` plays the table with all numbers forgotten. They read `model.State`, none knows a packed
position. Cost: microseconds where cards are clearly too few, a millisecond for the prices, at worst tens of them for
the counting game, which the budget pays.
"""
