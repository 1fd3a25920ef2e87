"""What a turn may break besides its action: the tower (TOW01 to TOW08), the limits after the action and the end of the
game (LIM01, LIM02, END01 to END03), and drawing (DRW01 to DRW06).
"""

from functools import partial
from itertools import product, zip_longest
from typing import Literal, NamedTuple

from couperation_formal.game.fact import Fact, Numbers, fact
from couperation_formal.game.record import Exchange, LayDown, LayUp, NoAction, Open
from couperation_formal.game.rules import arrangement as plain
from couperation_formal.game.rules.arrangement import OrderClause, gap, up_numbers, within
from couperation_formal.game.rules.step import Finding, Step, fails, lying, unsure
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import IN_DECK, Part, Pile, State
from couperation_formal.game.tower import FINISH, UNSEEN, Cell, Down, Mark, Shown, Tower, Up, column_name

# The tower after actions A, B and D (TOW01 to TOW08).


def has_place(step: Step, rulings: Rulings) -> bool:
    """Whether a card that was laid has a place (TOW03 to TOW06), or one was opened: else no order is asked (D7)."""
    placing = () if step.target is None else (tow03, tow04, tow05)
    return step.cell is not None and not any(check(step, rulings) for check in placing)


def orders_hold(step: Step, rulings: Rulings) -> bool:
    """Whether the card that was laid or opened keeps all orders, if there is one."""
    if step.cell is None or surely_ordered(step):
        return True
    return in_order(step, rulings) and step.failing_chain(rulings) is None


def surely_ordered(step: Step) -> bool:
    """Whether one look shows that, under any rulings; a tower that may have been out of order is not looked at."""
    before, cell = step.before, step.cell
    if cell is None or before.given or before.stands or step.arrangement is not plain:
        return False
    return plain.surely_ordered(before.board, step.acted.tower, cell)


def out_of_order(step: Step, rulings: Rulings) -> Finding | None:
    """The first of the orders' clauses that does not hold."""
    return tow01(step, rulings) or tow02(step, rulings) or tow07(step, rulings)


def _broken(step: Step, rulings: Rulings, clause: OrderClause) -> Finding | None:
    if step.cell is None:
        return None
    broken = step.arrangement.broken_orders(step.before.board, step.acted.tower, rulings, step.asked, clause)
    if not broken or not has_place(step, rulings):  # in this order: few are broken
        return None
    (lower, upper, _), low, high = broken[0]
    tower, needed = step.acted.tower, gap(clause, rulings)
    numbers: Numbers = {"lower": lower, "upper": upper, "low": low, "high": high, "needed": needed}
    top = upper if upper.level > lower.level else lower
    left, right = lying(tower, lower), lying(tower, upper)
    if clause == "TOW01" or not tower.cells.keys() >= {*top.supports}:  # a card that was laid wrongly can lack one
        return fails("row" if needed else "row_lax", numbers, left=left, right=right)
    left, right = (lying(tower, support) for support in top.supports)
    card = lying(tower, top)
    return fails("between" if needed else "between_lax", numbers, card=card, left=left, right=right)


tow01 = partial(_broken, clause="TOW01")
"""On one level the values of up cards rise to the right, gaps included."""

tow02 = partial(_broken, clause="TOW02")
"""An up card lies between its two supports."""


def tow03(step: Step, _rulings: Rulings) -> Finding | None:
    """A card above level 1 needs both its supports."""
    cell = step.new_cell
    if cell is None or cell.level == 1:
        return None
    cells, (left, right) = step.before.tower.cells, cell.supports
    if left in cells and right in cells:
        return None
    missing = [support for support in (left, right) if support not in cells]
    return fails("unsupported", {"cell": cell, "support": missing[0]}, missing=tuple(missing))


def tow04(step: Step, rulings: Rulings) -> Finding | None:
    """The tower stays inside a pyramid over adjacent columns of level 1 that include the anchor's; where it stood
    outside before, the card.
    """
    if step.cell is None:
        return None
    tower, board = step.acted.tower, step.before.board
    if step.before.stands and not within(step.before.tower, board, rulings):
        tower = Tower.of(board, {step.cell: tower.cells[step.cell]})
    if within(tower, board, rulings):
        return None
    first, last = column_name(tower.first), column_name(tower.last)
    numbers: Numbers = {"cell": step.cell, "first": first, "last": last}
    if rulings.anchor != "middle":
        return fails("outside", numbers, levels=board.levels, anchor=board.anchor)
    left, right = Cell(board.middle, 1), Cell(board.middle + board.levels - 1, 1)
    return fails("outside_middle", numbers, left=left, right=right)


def tow05(step: Step, rulings: Rulings) -> Finding | None:
    """A new card of level 1 lies next to an occupied cell of level 1."""
    cell = step.new_cell
    if cell is None or cell.level != 1 or rulings.spread == "anywhere":
        return None
    cells = step.before.tower.cells
    if cell in cells or (cell.column - 1, 1) in cells or (cell.column + 1, 1) in cells:
        return None
    return fails("alone", {"cell": cell})


def tow06(step: Step, _rulings: Rulings) -> Finding | None:
    """A card is laid only on an empty cell, action D's replacement aside."""
    cell = step.new_cell
    if cell is not None and cell in step.before.tower.cells:
        return fails("occupied", {"cell": cell}, by=lying(step.before.tower, cell))
    return None


def tow07(step: Step, rulings: Rulings) -> Finding | None:
    """Some numbers for all down cards together satisfy every order; asked when no order between up cards fails."""
    if step.cell is None:
        return None
    board, tower, chain = step.before.board, step.acted.tower, step.failing_chain(rulings)
    if chain is None or not has_place(step, rulings):
        return None
    if step.arrangement.broken_orders(board, tower, rulings, step.asked):
        return None
    known = up_numbers(board, tower, rulings)
    first, last = (cell if cell in known else None for cell in (chain.cells[0], chain.cells[-1]))
    low = 1 if first is None else known[first]
    cells = tuple(cell for cell in chain.cells if cell not in (first, last))
    numbers: Numbers = {"lower": first, "upper": last, "low": low, "high": chain.limit}
    ends = {name: lying(tower, cell) for name, cell in (("first", first), ("last", last)) if cell is not None}
    kind = {(): "chain_alone", ("first",): "chain_ceiling", ("last",): "chain_floor"}.get((*ends,), "chain")
    return fails(kind, numbers, downs=tuple(lying(tower, cell) for cell in cells), cells=cells, **ends)


def tow08(step: Step, rulings: Rulings) -> Finding | None:
    """The apex is never down, in the finish variant it is the Finish card, and [early_apex] says whether it may lie
    early.
    """
    cell = step.target
    if cell is None or cell.level != step.before.board.levels:
        return None
    action = step.turn.action
    if type(action) is LayDown or (type(action) is Exchange and not action.face_up):
        return fails("apex_down", {"cell": cell, "face": "down"})
    if step.before.variant == "finish":
        if step.laid_up is UNSEEN:
            return unsure("whether_apex")
        if step.laid_up is not FINISH:
            return fails("apex_other", {"cell": cell, "card": step.laid_up})
    down = sorted(step.acted.tower.down - {cell})
    if rulings.early_apex == "forbidden" and down:
        return fails("apex_early", {"cell": cell, "down": down[0]}, all=tuple(down))
    return None


# Limits after the action and the end of the game (LIM01, LIM02, END01 to END03).

_LAYING_UP = (LayUp, Exchange)

Ending = Literal["win", "loss", "stuck", "unknown"] | None
"""How a turn ends the game; "unknown" where unseen cards decide it."""


def end01(step: Step, rulings: Rulings) -> bool:
    """Whether a card that was laid wins: A or D on the apex of an all-up tower; under `win_on_completion` any A or D
    that completes it in order.
    """
    if step.cell is None or type(step.turn.action) not in _LAYING_UP:
        return False
    if rulings.early_apex == "win_on_completion":
        return step.acted.tower.all_up and in_order(step, rulings)
    return step.cell.level == step.before.board.levels and step.acted.tower.all_up


def in_order(step: Step, rulings: Rulings) -> bool:
    """Whether the orders between up cards hold after the action."""
    return not step.arrangement.broken_orders(step.before.board, step.acted.tower, rulings, step.asked)


def end01_opened(step: Step, rulings: Rulings) -> bool:
    """Whether an opened card wins: under `win_on_completion`, when all cards are then up and the orders hold."""
    return rulings.early_apex == "win_on_completion" and step.acted.tower.all_up


def end02_opened(step: Step, rulings: Rulings) -> bool:
    """Whether an opened card loses: with it up, the orders cannot hold (ACT04), under `opened_against=stands` those
    between up cards.
    """
    if step.cell is None or surely_ordered(step):
        return False
    if not in_order(step, rulings):
        return True
    return rulings.opened_against != "stands" and step.failing_chain(rulings) is not None


def end02_apex(step: Step, rulings: Rulings) -> bool:
    """Whether the apex was laid over a down card under `loses`."""
    if rulings.early_apex != "loses" or step.cell is None or type(step.turn.action) not in _LAYING_UP:
        return False
    return step.cell.level == step.before.board.levels and bool(step.acted.tower.down)


def ending(step: Step, rulings: Rulings) -> Ending:
    """How the turn ends the game, None when it goes on. The turn is taken to be legal."""
    kind = type(step.turn.action)
    if kind is NoAction:
        ends = step.after.skipped >= len(step.before.players) or rulings.no_action == "loses"
        return "stuck" if ends else None
    if kind is Open:
        if end02_opened(step, rulings):
            return "loss"
        if step.cell is not None and step.acted.tower.hidden:
            return "unknown"
        return "win" if end01_opened(step, rulings) else None
    if end02_apex(step, rulings):
        return "loss"
    return "win" if end01(step, rulings) else None


def ended_by(step: Step, end: str, rulings: Rulings) -> Fact:
    """By which turn the game ended so; where an opened card lost it, by which order."""
    turn = step.after.turns
    if end == "stuck":
        return fact("was_skipped" if rulings.no_action == "skipped" else "was_stuck", turn=turn)
    if end == "win":
        return fact("was_won", turn=turn)
    return fact("was_lost", turn=turn, why=lost_by(step, rulings))


def lost_by(step: Step, rulings: Rulings) -> Fact:
    """What loses where a turn does (END02): the first order that an opened card breaks, or the down cards below an
    apex.
    """
    finding = None if end02_apex(step, rulings) else out_of_order(step, rulings)
    return fact("lost_over", all=tuple(sorted(step.acted.tower.down))) if finding is None else finding.what


def lim01(step: Step, rulings: Rulings) -> Finding | None:
    """More than three hand cards: exactly the extra ones are destroyed, else none; in a turn without action none. Where
    unseen cards hide whether the Finish card left the hand's owner or came back, one card more or less may be counted.
    """
    drop = step.turn.drop
    limit = step.before.board.hand_limit
    hand = step.filled.hands[step.player].size
    if not drop and hand <= limit:
        return None
    counts = (hand, hand + 1, hand - 1) if step.lost else (hand,)
    return _destroyed(step, rulings, "drop", drop, counts, limit, FINISH in drop)


def counted(reserve: Pile, rulings: Rulings) -> int:
    """The Reserve's size as [finish_reserve_count] counts it."""
    uncounted = rulings.finish_reserve_count == "no" and FINISH in reserve.known
    return reserve.size - uncounted


def lim02(step: Step, rulings: Rulings) -> Finding | None:
    """A Reserve above its size: exactly the extra cards are destroyed, else none. A Finish card that is taken or sent
    from elsewhere changes the count only where it would count (D3). Where unseen cards hide whether it lies there and
    it does not count, one card less may be counted.
    """
    trim, limit = step.turn.trim, step.before.reserve_size
    if limit is None or not (trim or step.strays or step.acted.reserve.size > limit):
        return None
    action, uncounted = step.turn.action, rulings.finish_reserve_count == "no"
    size = counted(step.acted.reserve, rulings)
    if uncounted:
        sent = isinstance(action, Exchange) and FINISH in (action.first, action.second)
        size += any(stray[:3] == (FINISH, "Reserve", "action") for stray in step.strays)
        size -= sent and FINISH in step.before.reserve.known
    if not trim and size <= limit:
        return None
    vain = uncounted and FINISH in trim
    hidden = uncounted and step.lost and FINISH not in step.acted.reserve.known
    counts = (size, size - 1) if hidden else (size,)
    return _destroyed(step, rulings, "trim", trim, counts, limit, vain)


def _offer(part: Part, pile: Pile, extra: int) -> Fact | None:
    """The cards that can be destroyed, and what would say so, where none is named; None where they are not told."""
    if pile.unseen < 0:
        return None
    some = ",".join(map(str, pile.cards[:extra]))
    return fact(f"offer_{part}", cards=pile.cards, extra=extra, part=part, some=some)


def _destroyed(
    step: Step, rulings: Rulings, part: Part, cards: tuple[Shown, ...], counts: tuple[int, ...], limit: int, vain: bool
) -> Finding | None:
    """What is wrong with the cards destroyed of a pile where so many cards may count, F being among them in `vain`: by
    the first number; unsure where with another one nothing is wrong.
    """
    first = _counting(step, rulings, part, cards, counts[0], limit, vain)
    if first is None or all(_counting(step, rulings, part, cards, count, limit, vain) for count in counts[1:]):
        return first
    return unsure("whether_counted", part if cards else "action")


def _counting(
    step: Step, rulings: Rulings, part: Part, cards: tuple[Shown, ...], count: int, limit: int, finish: bool
) -> Finding | None:
    """The same where `count` cards count."""
    end = ending(step, rulings)
    skipped = end is None and isinstance(step.turn.action, NoAction)
    over = skipped or (end is not None and end != "unknown")
    if over and not cards:
        return None
    extra = 0 if over else max(0, count - limit)
    numbers = {"cards": count, "extra": extra, "destroyed": len(cards)}
    if over:
        return fails(f"{part}_when_skipped" if skipped else f"{part}_when_over", numbers, part)
    if finish:
        return fails(f"{part}_of_finish", numbers if len(cards) != extra else {"card": FINISH}, part)
    if len(cards) != extra:
        if end == "unknown":
            return unsure("whether_went_on")
        pile = step.filled.hands[step.player] if part == "drop" else step.acted.reserve
        offer = None if cards else _offer(part, pile, extra)
        return fails(f"{part}_count", numbers, part if cards else "action", limit=limit, offer=offer)
    for stray in step.strays:
        if stray.part == part:
            return fails(f"{part}_not_there", {"card": stray.card}, part)
    return None


# Drawing, before the action and to fill the hand after it (DRW01 to DRW06).

LimitClause = Literal["DRW01", "DRW02", "DRW03", "DRW04"]

_DIAMONDS: dict[Mark, int] = {"1": 1, "2": 2, "H": 0}


class Limit(NamedTuple):
    """The draw limit of a turn: the clause that sets it, and every amount that the record leaves possible, rising."""

    clause: LimitClause
    amounts: tuple[int, ...]


def draw_source(state: State, rulings: Rulings) -> Cell | None:
    """The cell whose card sets the next draw (DRW02); None before turn 1, where the last action leaves no draw
    (`idle`), and in play from a position that names no card laid last, until one is laid (D21); not under `opened`.
    """
    if state.touched == state.laid and not state.turned:
        return state.laid
    if rulings.draw_source == "opened":
        return state.touched
    return None if idle(state, rulings) else state.laid


def idle(state: State, rulings: Rulings) -> bool:
    """Whether a card was opened last and that lets nobody draw [draw_source]."""
    return state.turned and rulings.draw_source == "nothing"


def as_down(state: State, rulings: Rulings) -> bool:
    """Whether the card laid last was laid down and its draw follows it as it was laid [draw_source]."""
    return state.laid_down and rulings.draw_source == "as_laid"


def limit_clause(state: State, cell: Cell | None, rulings: Rulings) -> LimitClause:
    """The clause that sets the limit of the next draw, its source known. Where the mark of a card is not given, it may
    be DRW03 too.
    """
    if cell is None:
        return "DRW02" if idle(state, rulings) else "DRW01"
    laid = state.tower.cells[cell]
    card = laid.card
    if type(laid) is Down or card is FINISH or as_down(state, rulings):
        return "DRW04"
    return "DRW03" if isinstance(card, int) and state.marks.get(card) == "H" else "DRW02"


def draw_limit(state: State, player: int, rulings: Rulings) -> Limit:
    """The limit of the next draw of `player`. Cost: constant."""
    cell = draw_source(state, rulings)
    clause = limit_clause(state, cell, rulings)
    return Limit(clause, _amounts(clause, cell, state, player, rulings))


def _amounts(clause: LimitClause, cell: Cell | None, state: State, player: int, rulings: Rulings) -> tuple[int, ...]:
    """Every limit that the record leaves possible under the clause that sets it."""
    if cell is None:
        return (1,) if clause == "DRW01" else (0,)
    card = state.tower.cells[cell].card
    if clause == "DRW04":
        finish = card is FINISH and not as_down(state, rulings)
        return (_after_finish(state, player, rulings) if finish else _refill(state, player, rulings),)
    if not isinstance(card, int):
        refill = {_after_finish(state, player, rulings)} if state.variant == "finish" else set()
        return tuple(sorted({1, 2, *_heart_amounts(state, cell, rulings), *refill}))
    mark = state.marks.get(card)
    if clause == "DRW02" and mark is not None:
        return (_DIAMONDS[mark],)
    hearts = _heart_amounts(state, cell, rulings)
    return hearts if clause == "DRW03" else tuple(sorted({1, 2, *hearts}))


def _lacks(state: State, player: int, counted: bool = False) -> int:
    """The cards that a hand lacks, with one `counted` beside it."""
    return max(0, state.board.refill - state.hands[player].size - counted)


def _refill(state: State, player: int, rulings: Rulings) -> int:
    """The cards that a hand lacks before the draw [finish_in_hand]."""
    return _lacks(state, player, state.front == player and rulings.finish_in_hand == "yes")


def _after_finish(state: State, player: int, rulings: Rulings) -> int:
    """The draw that follows the Finish card [finish_refill]."""
    return _refill(state, player, rulings) if rulings.finish_refill == "next" else 0


def _why(state: State, rulings: Rulings) -> Fact:
    """The reason for a draw limit."""
    cell = draw_source(state, rulings)
    if cell is None:
        if idle(state, rulings):
            return fact("why_opened")
        return fact("why_first") if state.touched is None else fact("why_nothing")
    laid = state.tower.cells[cell]
    card = laid.card
    if type(laid) is Down:
        counted = rulings.finish_in_hand == "yes" and state.front == state.to_move
        return fact("why_down_front" if counted else "why_down", cell=cell)
    if as_down(state, rulings):
        return fact("why_laid_down", cell=cell)
    if card is FINISH:
        return fact("why_finish" if rulings.finish_refill == "next" else "why_filled")
    if not isinstance(card, int):
        return fact("why_unseen", cell=cell)
    mark = state.marks.get(card)
    if mark != "H":
        return fact("why_mark", card=card, cell=cell, mark=mark) if mark else fact("why_no_mark", card=card, cell=cell)
    if cell.level == 1:
        return fact("why_heart_low", card=card, cell=cell)
    if rulings.heart_over_back == "zero":
        back = next((support for support in cell.supports if _is_back(state, support)), None)
        if back is not None:
            return fact("why_heart_back", card=card, cell=cell, back=back)
    left, right = (_borne(state, support) for support in cell.supports)
    return fact("why_heart", card=card, cell=cell, left=left, right=right)


def _heart_amounts(state: State, cell: Cell, rulings: Rulings) -> tuple[int, ...]:
    """What a heart on `cell` may allow: the diamonds of its two supports (DRW03), one amount where all marks are
    given.
    """
    if cell.level == 1:
        return (0,)
    if rulings.heart_over_back == "zero" and any(_is_back(state, support) for support in cell.supports):
        return (0,)
    choices: list[tuple[Mark | None, ...]] = []
    for support in cell.supports:
        laid = state.tower.cells.get(support)
        if laid is None or type(laid) is Down or laid.card is FINISH:
            choices.append((None,))
        elif isinstance(laid.card, int) and laid.card in state.marks:
            choices.append((state.marks[laid.card],))
        else:
            choices.append((*_DIAMONDS,) if isinstance(laid.card, int) else (*_DIAMONDS, None))
    amounts = set()
    for pair in product(*choices):
        if "H" in pair and rulings.hearts_below == "zero_all":
            amounts.add(0)
        else:
            amounts.add(sum(_DIAMONDS[mark] for mark in pair if mark is not None))
    return tuple(sorted(amounts))


def _is_back(state: State, cell: Cell) -> bool:
    laid = state.tower.cells.get(cell)
    return laid is not None and type(laid) is Down


def _borne(state: State, cell: Cell) -> Fact:
    """What shows on a support."""
    laid = state.tower.cells.get(cell)
    if not isinstance(laid, Up):
        return fact("borne_down")
    if isinstance(laid.card, int):
        return fact("borne", mark=state.marks.get(laid.card, "?"))
    return fact("borne_finish" if laid.card is FINISH else "borne_unseen")


def within_limit(step: Step, rulings: Rulings, asked: LimitClause | None = None) -> Finding | None:
    """What is wrong with the number of cards drawn, whichever clause sets its limit; nothing where another one than the
    one asked for does.
    """
    drawn, exact = step.units, rulings.draw_amount == "exact"
    if not (drawn or exact):
        return None
    cell = draw_source(step.before, rulings)
    clause = limit_clause(step.before, cell, rulings)
    exact = exact and clause != "DRW01"
    if (asked is not None and asked != clause) or not (drawn or exact):
        return None
    amounts = _amounts(clause, cell, step.before, step.player, rulings)
    most = amounts[-1]
    if drawn == most == amounts[0]:
        return None
    part = "draw" if step.turn.draw else "player"
    numbers = {"drawn": drawn, "limit": most, "left": len(step.deck)}
    if drawn > most:
        return fails("drawn_more", numbers, part, why=_why(step.before, rulings))
    if exact and step.deck:
        if drawn not in amounts:
            return fails("drawn_other", numbers, part, wanted=amounts, why=_why(step.before, rulings))
        if len(amounts) > 1:
            return unsure("whether_exact", part, drawn=drawn, why=_why(step.before, rulings))
    elif drawn > amounts[0]:
        return unsure("whether_many", part, drawn=drawn, why=_why(step.before, rulings))
    elif clause == "DRW04" and _in_part(drawn, most, step.deck, rulings):
        return fails("drawn_part", numbers, part, why=_why(step.before, rulings))
    return None


def _in_part(drawn: int, limit: int, left: tuple[Shown, ...], rulings: Rulings) -> bool:
    """Whether a hand is filled in part where it may not be [refill_amount]; the whole deck always may be drawn."""
    return 0 < drawn < limit and bool(left) and rulings.refill_amount == "all_or_none"


drw01 = partial(within_limit, asked="DRW01")
"""In turn 1, and until a source is there, up to one card may be drawn."""

drw02 = partial(within_limit, asked="DRW02")
"""A Glass card laid or opened in the turn before: one diamond allows one card, two diamonds two."""

drw03 = partial(within_limit, asked="DRW03")
"""After a heart: the sum of the diamonds on its two supports; on level 1 nothing."""


def drw04(step: Step, rulings: Rulings) -> Finding | None:
    """After a card laid down, or the Finish card: up to a hand of two; by whoever laid the Finish card where
    [finish_refill] says so.
    """
    return within_limit(step, rulings, "DRW04") or filled(step, rulings)


def drawing(step: Step, rulings: Rulings) -> Finding | None:
    """DRW01 to DRW04 together: what the one says that is sure, else what the one says whose limit it is."""
    finding = within_limit(step, rulings)
    if finding is not None and (
        finding.sure or limit_clause(step.before, draw_source(step.before, rulings), rulings) == "DRW04"
    ):
        return finding
    return filled(step, rulings) or finding


def fill_limit(step: Step, rulings: Rulings) -> int:
    """How many cards may be drawn after the action of a fully seen turn; the deck may hold fewer."""
    fills = rulings.finish_refill == "at_once" and step.laid_up is FINISH and ending(step, rulings) is None
    return _lacks(step.acted, step.player) if fills else 0


def filled(step: Step, rulings: Rulings) -> Finding | None:
    """What is wrong with the cards that are drawn after the action."""
    card, fill = step.laid_up, step.turn.fill
    if not fill and (card is None or isinstance(card, int)):
        return None
    maybe = card is FINISH or (card is UNSEEN and step.before.variant == "finish")
    if not (maybe or fill):
        return None
    part = "fill" if fill else "action"
    barred = None if maybe else fact("why_not_laid")
    if barred is None and rulings.finish_refill == "next":
        barred = fact("why_fill_next")
    if barred is None and ending(step, rulings) is not None:
        barred = fact("why_over")
    if barred is not None:
        numbers = {"drawn": len(fill), "limit": 0, "left": len(step.filled.deck)}
        return fails("fill_barred", numbers, part, why=barred) if fill else None
    if card is UNSEEN:
        return unsure("whether_filled", part) if fill or rulings.draw_amount == "exact" else None
    limit, drawn, left = _lacks(step.acted, step.player), len(fill), step.filled.deck
    numbers = {"drawn": drawn, "limit": limit, "left": len(left)}
    if drawn > limit:
        return fails("fill_more", numbers, part)
    if drawn < limit and left and rulings.draw_amount == "exact":
        return fails("fill_less", numbers, part)
    return fails("fill_part", numbers, part) if _in_part(drawn, limit, left, rulings) else None


def drw05(step: Step, _rulings: Rulings) -> Finding | None:
    """Cards come from the top of the deck in its order, and not more than it holds."""
    first, deck = len(step.turn.draw), step.before.deck
    draw = step.turn.draw + step.turn.fill
    if not draw or (not step.strays and deck[: len(draw)] == draw):
        return None
    for place, (card, top) in enumerate(zip_longest(draw, deck[: len(draw)]), start=1):
        if top is None or (card is not UNSEEN and top not in (card, UNSEEN)):
            part = "draw" if place <= first else "fill"
            numbers: Numbers = {"card": card, "place": place, "top": top}
            if len(draw) > len(deck):
                return fails("drawn_beyond", numbers, part, drawn=len(draw), held=len(deck))
            return fails("drawn_not_top", numbers, part)
    for stray in step.strays:
        if stray.source == "deck":
            unshown = [at for at, card in enumerate(draw) if card == stray.card and deck[at] is UNSEEN]
            place = unshown[-1] + 1 if unshown else 0
            where = stray.where or fact("no_such_card")
            return fails("drawn_astray", {"card": stray.card, "place": place, "top": UNSEEN}, stray.part, where=where)
    return None


def drw06(step: Step, _rulings: Rulings) -> Finding | None:
    """A drawn Finish card is laid up in front at once and replaced by the next card, while the deck holds one."""
    draw = step.turn.draw
    if not draw or step.before.variant == "first":
        return None
    deck = step.before.deck
    if UNSEEN in draw and any(card is UNSEEN and top is FINISH for card, top in zip(draw, deck, strict=False)):
        return fails("finish_hidden", {"place": 0, "left": 0}, "draw")
    if draw[-1] is FINISH and step.deck:
        return fails("finish_alone", {"place": len(draw), "left": len(step.deck)}, "draw")
    if FINISH not in draw and len(draw) >= len(deck) and step.before.whereabouts(FINISH) in (None, IN_DECK):
        return fails("finish_undrawn", {"place": 0, "left": 0}, "draw")  # from a draw on it is seen
    return None
