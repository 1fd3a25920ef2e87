"""The search for a line that wins: guesses, which prove nothing.

A line is its own proof (`turns.line` has the rules replay it), so this room may prefer what it likes; only its speed
and what it misses hang on it. `hunt` follows the most promising positions of each turn, a beam, for a tower at one
place of the columns. `weigh` says how promising: a sum over final towers of products of weights, by floating-point
numbers in a fixed order, so that it is the same on every machine; numpy is used here alone, and loaded only when beams
are asked. `wanted` says with which cards to pay, by parts of a card; `beams` lists widths and weights, found by trial.
Where not all is seen `worlds` guesses fully seen tables, each with a planned final tower.

Cost: a step a position looked at and two a position weighed, some 20 microseconds.
"""
