"""The table level: does any legal continuation of a table win?

`answer.answer(state, rulings, budget)` is the door. It gives a line that wins, a reason why none does, or the budget
that ran out; every yes is a line that the plain rules replay, every no is proved in `spec/table.md` or
`spec/search.md`. From below; each imports only from those before it:

- `position`: what a search moves about. A position is a tuple `Node` as `spec/search.md` defines it, before the draw of
  a player, and two states with the same position have the same continuations (Lemma 1 there). A Glass card is its
  number, the Finish card the number after the greatest, 0 a card that nobody saw; a set of cards is a *mask*, bit n for
  card n; cells are numbered level by level from the left, -1 is no cell; a tower is `bytes`, one a cell: 0 empty,
  a card that lies up, `DOWN` more for one that lies down. A `Frame` holds what stays the same in a question; `Towers`
  tells which cards fit which cells.
- `final_tower`, `theorems`: counting before any search, which proves many tables dead: each kind of reason is a theorem
  of `spec/table.md`, which the checker recounts. The least price of a final tower is for states and for positions.
- `legal`: every legal turn of a position, draw, action, drops and trims together, with the position after each. What
  nobody saw is settled when it matters, in every way; until then unseen cards are counted. `line` turns a state into
  its positions and a found line into turns of a game, which the plain rules replay.
- `exhaust`: every continuation, depth-first, no position twice, with what counting leaves out. A search that ends
  without a win gives the number of positions and a digest that does not hang on their order, which the checker repeats.
- `guesses`, `hunt`: beams that find most lines and prove nothing, so that they may prefer what they like. numpy is used
  in `hunt` alone, by floating-point sums in a fixed order, so that they are the same on every machine.

One unit of cost goes through all of them: the steps of `game.fact`, some ten microseconds each, which
`position.Frame.budget` carries. What grows spends from it first and raises `Spent`; `answer` catches it. The rules of a
turn stand here once more, over bit masks: tests hold them against `game.rules` and the formulas.
"""
