"""What a search moves about, as numbers: positions are made by the hundred thousand.

A Glass card is its number, 1 to `frame.board.cards`; the Finish card has the number after the greatest; 0 is a card
that nobody saw. A set of cards is a *mask*: bit n stands for card n. Cells are numbered level by level from the left,
-1 is no cell. A tower is `bytes`, one for each cell: 0 empty, a card that lies up, `DOWN` more for one that lies down.

`frame.Frame` holds what stays the same in one question: board, rulings, deck, marks, and index tables of the cells; it
is built once, linear in the orders of the board. `node.Node` is a position as `spec/search.md` defines it, before the
draw of a player, and two states with the same position have the same continuations (Lemma 1 there). `node.Move` is a
turn, `node.Own` what a player has after the draw, `node.Step` how a search came to a position.

Tuples are hashed and compared as they are, so a set of positions is a set of nodes. In hot loops take a node apart once
or index it with the fields' names; nothing here computes.
"""
