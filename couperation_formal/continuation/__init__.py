"""The table level: does any legal continuation of a table win?

`answer.answer(state, rulings, budget)` is the door. It gives a line that wins, a reason why none does, or the budget
that ran out; every yes is a line that the plain rules replay, every no is proved in `spec/table.md` or
`spec/search.md`. The rooms, from below; each imports only from those before it:

- `position`: what a search moves about: the tables of one question (`frame`), positions and turns as tuples (`node`).
- `turns`: from a state to positions (`pack`), every legal turn of one (`legal`), from a found line to turns of a game.
- `reasons`: counting over states, before any search, which proves many tables dead. It knows no positions.
- `search`: every continuation, with what counting leaves out; the proof that none wins.
- `guess`: beams that find most lines. It proves nothing.

One unit of cost goes through all of them: the steps of `model.budget`, some ten microseconds each, which `frame.budget`
carries. What grows spends from it first and raises `Spent`; `answer` catches it. The rules of a turn stand here once
more, over bit masks: tests hold them against `rules` and the formulas.
"""
