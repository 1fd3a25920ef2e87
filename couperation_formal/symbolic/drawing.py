"""The draw of a turn on a symbolic table (DRW01 to DRW06)."""

from __future__ import annotations

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, FinishCard, Shown, UnseenCard
from couperation_formal.symbolic.cards import MARKS, Hidden, known
from couperation_formal.symbolic.circuit import FALSE, TRUE, Formula, no
from couperation_formal.symbolic.table import Mention, Table

_DIAMONDS = {"1": 1, "2": 2, "H": 0}


def draw(table: Table, turn: int, player: int, cards: tuple[Shown, ...]) -> bool:
    """Ask the clauses of a draw and carry it out; False where it cannot be."""
    units, bare = 0, False
    for card in cards:
        units += not bare
        bare = isinstance(card, FinishCard)
    left = table.deck_size - table.drawn - len(cards)
    _limits(table, turn, player, units, left > 0)
    if left < 0:
        table.ask(turn, "DRW05", "the deck holds so many cards", "draw", FALSE)
        return False
    if bare and left:
        table.ask(turn, "DRW06", "F is replaced", "draw", FALSE)
    for index, card in enumerate(cards):
        _draw_one(table, Mention(turn, "draw", index), player, card)
    return True


def _draw_one(table: Table, at: Mention, player: int, card: Shown) -> None:
    top = table.deck[table.drawn]
    table.drawn += 1
    if isinstance(card, UnseenCard):
        table.ask(at.turn, "DRW06", f"card {at.place + 1} is not F", "draw", no(top.get(FINISH, FALSE)))
    elif table.doubting and not isinstance(card, FinishCard):
        table.pin(at.turn, top.get(card, FALSE))
        table.ask(at.turn, "DRW06", f"card {at.place + 1} is not F", "draw", no(top.get(FINISH, FALSE)))
    else:
        table.ask(at.turn, "DRW05", f"{card} is the deck's next card", "draw", top.get(card, FALSE))
        top = known(card)
    table.mentions[at] = top
    table.receive(player, {card: here for card, here in top.items() if card is not FINISH or here == TRUE})


def _limits(table: Table, turn: int, player: int, drawn: int, more: bool) -> None:
    """The limit of the draw, each clause for the cases in which it sets it. `more`: the deck still holds cards."""
    circuit, choices = table.circuit, table.choices
    exact = choices.chooses("draw_amount", "exact") if more else FALSE
    part = "draw" if drawn else "player"
    for source, cell in (("opened", table.touched), ("last_placed", table.laid)):
        if source == "last_placed" and table.laid == table.touched:
            break
        here = TRUE if table.laid == table.touched else choices.chooses("draw_source", source)
        if cell is None:
            table.ask(turn, "DRW01", "one card at most", part, FALSE if drawn > 1 else TRUE)
            continue
        for (clause, amount), case in _cases(table, player, cell).items():
            enough = FALSE if amount < drawn else no(exact) if amount > drawn else TRUE
            subject = f"{drawn} drawn, in case {cell} allows {amount}"
            table.ask(turn, clause, subject, part, circuit.implies(circuit.both(here, case), enough))


def _cases(table: Table, player: int, cell: Cell) -> dict[tuple[str, int], Formula]:
    """The limits that the card on `cell` can set, by clause and amount, each with the formula that says when."""
    circuit, cards = table.circuit, table.cards
    card, down = table.tower[cell]
    cases: dict[tuple[str, int], Formula] = {}

    def add(clause: str, amount: int, case: Formula) -> None:
        cases[clause, amount] = circuit.either(cases.get((clause, amount), FALSE), case)

    finish = TRUE if down else card.get(FINISH, FALSE)
    for here, size in table.hand_cases(player):
        add("DRW04", max(0, cards.board.refill - size), circuit.both(finish, here))
    if not down:
        add("DRW02", 1, cards.bears(card, "1"))
        add("DRW02", 2, cards.bears(card, "2"))
        heart = cards.bears(card, "H")
        for here, amount in _heart(table, cell) if heart != FALSE else ():
            add("DRW03", amount, circuit.both(heart, here))
    return cases


def _heart(table: Table, cell: Cell) -> list[tuple[Formula, int]]:
    """What a heart on `cell` allows (DRW03) [hearts_below], each amount with the formula of its case."""
    if cell.level == 1:
        return [(TRUE, 0)]
    circuit = table.circuit
    nothing_at_all = table.choices.chooses("hearts_below", "zero_all")
    left, right = (_shown_marks(table, support) for support in cell.supports)
    amounts: dict[int, Formula] = {}
    for first, here in left.items():
        for second, there in right.items():
            case = circuit.both(here, there)
            total = sum(_DIAMONDS.get(mark, 0) for mark in (first, second))
            zero = nothing_at_all if "H" in (first, second) else FALSE
            for amount, formula in ((0, circuit.both(case, zero)), (total, circuit.both(case, no(zero)))):
                amounts[amount] = circuit.either(amounts.get(amount, FALSE), formula)
    return [(here, amount) for amount, here in amounts.items()]


def _shown_marks(table: Table, cell: Cell) -> dict[str, Formula]:
    """The marks that a supporting card can show, ``""`` for none: a down card's, an empty cell's or that of F."""
    if cell not in table.tower or table.tower[cell].down:
        return {"": TRUE}
    card: Hidden = table.tower[cell].card
    shown: dict[str, Formula] = {mark: table.cards.bears(card, mark) for mark in MARKS}
    shown[""] = card.get(FINISH, FALSE)
    return {mark: here for mark, here in shown.items() if here != FALSE}
