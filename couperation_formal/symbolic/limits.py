"""The limits of a hand and of the Reserve after the action on a symbolic table (LIM01, LIM02)."""

from __future__ import annotations

from couperation_formal.model.cards import FINISH, FinishCard
from couperation_formal.model.record import Turn
from couperation_formal.symbolic.circuit import FALSE, TRUE, Formula, no
from couperation_formal.symbolic.table import Mention, Table, present


def limit(table: Table, turn: int, player: int, recorded: Turn) -> None:
    """The limits of a hand and of the Reserve after the action (LIM01, LIM02)."""
    circuit = table.circuit
    over = circuit.any_of((table.won, table.lost, table.stuck))
    cases = [(here, max(0, size - table.cards.board.hand_limit)) for here, size in table.hand_cases(player)]
    if not _count(table, turn, "LIM01", "drop", over, cases, len(recorded.drop)):
        return
    for index, card in enumerate(recorded.drop):
        if isinstance(card, FinishCard) or not present(table.hands[player]):
            table.ask(turn, "LIM01", f"card {index + 1} is a hand card", "drop", FALSE)
            return
        hidden = table.mention(Mention(turn, "drop", index), card, present(table.hands[player]))
        there = table.move(hidden, table.hands[player], table.gone)
        table.hand_sizes[player] -= 1
        table.ask(turn, "LIM01", f"card {index + 1} of the drop was in the hand", "drop", there)
    size = table.cards.board.reserve_size(len(table.hands)) or 0
    leaves_out = table.choices.chooses("finish_reserve_count", "no")
    uncounted = circuit.both(table.reserve.get(FINISH, FALSE), leaves_out)
    astray = circuit.both(table.finish_astray, leaves_out)
    table.finish_astray = FALSE
    extra = table.reserve_size - size
    as_it_is = no(circuit.either(uncounted, astray))
    cases = [(as_it_is, max(0, extra)), (uncounted, max(0, extra - 1)), (astray, max(0, extra + 1))]
    if not _count(table, turn, "LIM02", "trim", over, cases, len(recorded.trim)):
        return
    for index, card in enumerate(recorded.trim):
        if not present(table.reserve):
            table.ask(turn, "LIM02", f"card {index + 1} is in the Reserve", "trim", FALSE)
            return
        hidden = table.mention(Mention(turn, "trim", index), card, present(table.reserve))
        there = table.move(hidden, table.reserve, table.gone)
        table.reserve_size -= 1
        counts = no(circuit.both(hidden.get(FINISH, FALSE), table.choices.chooses("finish_reserve_count", "no")))
        table.ask(
            turn, "LIM02", f"card {index + 1} of the trim was in the Reserve", "trim", circuit.both(there, counts)
        )


def _count(
    table: Table, turn: int, clause: str, part: str, over: Formula, cases: list[tuple[Formula, int]], written: int
) -> bool:
    """Ask that exactly the extra cards are destroyed, and none once the game is over; False where that cannot be."""
    circuit = table.circuit
    right = circuit.any_of([here for here, extra in cases if extra == written])
    formula = circuit.both(circuit.implies(over, TRUE if not written else FALSE), circuit.either(over, right))
    table.ask(turn, clause, f"{written} destroyed", part if written else "action", formula)
    return formula != FALSE
