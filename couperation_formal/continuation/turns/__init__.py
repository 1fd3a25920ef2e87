"""From a state to positions, from a position to every legal turn, from a found line to turns of a game.

`pack.Packed` turns a state into its positions, one for each choice of what must be known at once, mostly one. `legal`
makes the turns of a position, draw, action, drops and trims together, with the position after each or None where it
wins. Three tables serve it: `spots` says which cards (a mask) fit which cell of a tower, `draws` what can be drawn now
and next, `sums` what action D may send, destroy and take. `line` is the way back: each unseen place gets a card, and
the plain rules of `rules` replay the line, so that no yes hangs on this room.

What nobody saw is settled when it matters, in every way; until then unseen cards are counted (`spec/search.md`,
"Turns", with the proof that nothing is lost or gained). A clause is cited where its bits are. Cost: some ten
microseconds a turn; spots and sums are kept, as towers and hands recur.
"""
