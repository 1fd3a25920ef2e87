"""From a state to positions of the search, and from a found line to turns that the plain rules replay."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import msgspec

from couperation_formal.game.dealing import Dealt, deal
from couperation_formal.game.fact import Steps, Unfit, fact
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Turn
from couperation_formal.game.rules.clauses import ASKED
from couperation_formal.game.rules.moves import Written, writings
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rules.turn import as_down, draw_source, ending, idle
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, UNSEEN, Down, Mark, Shown, Tower, Up, Value
from couperation_formal.towers.continuation import legal
from couperation_formal.towers.continuation.position import DOWN, FIRST_TURN, Frame, Hidden, Node, Towers, bits

# From a state of the table to positions of the search.

_FILLED = 3
"""The steps that a number for an unseen up card takes."""


class Packed:
    """A state packed: the frame, the turns under it, and the positions that it may be. `budget` pays for the search.

    `roots` yields one position for each way to place what must be known at once: the numbers of unseen up cards, and
    whether an unplaced Finish card is in the deck, in the Reserve or gone. Mostly there is one.
    """

    def __init__(self, state: State, rulings: Rulings, budget: Steps | None = None) -> None:
        self.state = state
        self.frame = Frame(state, rulings, tuple(map(self._code, state.deck)), budget)
        self.towers = Towers(self.frame)
        self.turns = legal.Turns(self.frame, self.towers)

    def _code(self, card: Shown) -> int:
        if isinstance(card, int):
            return card
        return 0 if card is UNSEEN else self.state.board.cards + 1

    def mask(self, pile: Pile) -> int:
        """The known cards of a pile, as a mask."""
        return sum(1 << self._code(card) for card in pile.known)

    def _tower(self) -> tuple[bytes, list[int]]:
        """The tower, and the cells of its unseen up cards, which it leaves empty."""
        codes = bytearray(len(self.frame.cells))
        unseen = []
        for cell, laid in self.state.tower.cells.items():
            at, code = self.frame.number[cell], self._code(laid.card)
            codes[at] = code + DOWN if isinstance(laid, Down) else code
            if not codes[at]:
                unseen.append(at)
        return bytes(codes), sorted(unseen)

    def roots(self) -> Iterator[Node]:
        """The positions that the state may be. Raises `Unfit` where its cards do not add up."""
        state, frame = self.state, self.frame
        tower, unseen_up = self._tower()
        hands = tuple(self.mask(hand) for hand in state.hands)
        reserve = self.mask(state.reserve)
        located = reserve | self.mask(state.gone) | sum(hands)
        located |= sum(1 << (code & ~DOWN) for code in (*tower, *frame.deck) if code & ~DOWN)
        values = frame.glass & ~located
        lost = state.variant == "finish" and state.front is None and not located & frame.finish_bit
        slots = sum(hand.unseen for hand in state.hands) + state.reserve.unseen + state.gone.unseen
        slots += frame.unseen_below[0] + tower.count(DOWN) + len(unseen_up)
        if slots != values.bit_count() + lost:
            raise Unfit(fact("unplaced", slots=slots, cards=values.bit_count() + lost))
        counts = tuple(hand.unseen for hand in state.hands)
        # Where a Finish card that is placed nowhere may be.
        about = {"deck": frame.unseen_below[0], "reserve": state.reserve.unseen, "gone": state.gone.unseen}
        about["tower"] = list(state.tower.cells.values()).count(Up(UNSEEN))
        finishes = [place for place, unseen in about.items() if unseen] if lost else ["placed"]
        fills = [(finish, values | frame.finish_bit * (finish == "tower")) for finish in finishes]
        ordered = any(next(self._fill(tower, unseen_up, cards, True), None) for _, cards in fills)
        for finish, cards in fills:
            in_reserve = finish == "reserve"
            hidden = Hidden(values, counts, state.reserve.unseen - in_reserve, finish == "deck")
            for filled, left in self._fill(tower, unseen_up, cards, ordered):
                held = reserve | frame.finish_bit * in_reserve
                yield from self._root(filled, hands, held, hidden._replace(values=left))

    def _fill(self, tower: bytes, cells: list[int], values: int, ordered: bool) -> Iterator[tuple[bytes, int]]:
        """The tower with every choice of cards for these up cards, and the cards left; where `ordered`, every one that
        keeps the orders. A Finish card among the cards is chosen; no other card is the apex of its variant.
        """
        if not cells:
            if not values & self.frame.finish_bit:
                yield tower, values
            return
        cell, finish = cells[0], self.frame.finish
        only_finish = self.frame.is_apex[cell] and self.state.variant == "finish"
        for card in range(1, finish + 1):
            if values >> card & 1 and (card == finish or not only_finish):
                self.frame.budget.spend(_FILLED)
                filled = legal.lay(tower, cell, card)
                if not ordered or self.towers.holds(filled):
                    yield from self._fill(filled, cells[1:], values & ~(1 << card), ordered)

    def _root(self, tower: bytes, hands: tuple[int, ...], reserve: int, hidden: Hidden) -> Iterator[Node]:
        state, frame, turns = self.state, self.frame, self.turns
        if not self.towers.holds(tower):
            self.towers.astray.add(tower)
        front = -1 if state.front is None else state.front
        seat = state.to_move
        source = draw_source(state, frame.rulings)
        seen = not hidden.values and not hidden.finish
        settled = all(value in state.marks for value in range(1, frame.board.cards + 1))
        known = None if seen and (settled or not frame.deck) else hidden
        kept = frame.rulings.draw_source in ("last_placed", "as_laid") or frame.rulings.no_action == "skipped"
        laid = frame.number[source] if kept and source is not None else -1
        laid_down = as_down(state, frame.rulings) and tower[laid] < DOWN
        replaced = state.replaced and frame.rulings.replacements == "once"
        moved = state.anchor_moved and frame.rulings.replace_target == "not_anchor"
        if source is None:
            limits: legal.Limits = [(FIRST_TURN if frame.deck and not idle(state, frame.rulings) else 0, known)]
        else:
            limits = turns.draws.limits(tower, frame.number[source], 0, hands[seat], seat, front, known, laid_down)
        for limit, settled_marks in limits:
            yield Node(
                tower, hands, front, reserve, 0, seat, limit, laid, moved, settled_marks, replaced, state.skipped,
                laid_down,
            )  # fmt: skip


# A found line as turns of a game: what was unseen becomes one world, and the plain rules replay it.
#
# The search only counts unseen cards until they are played. Here each unseen place gets its card: the one that was
# played from it, or one of the cards that are left.


class WinningLine(NamedTuple):
    """A line that wins, the marks of its start that were assumed, and this start, a fully seen state."""

    turns: tuple[Turn, ...]
    assumed: dict[Value, Mark]
    world: State


class LineError(AssertionError):
    """A line that the plain rules do not replay to a win: a fault of the search."""


def line_of(packed: Packed, won: legal.SearchStep, given: dict[Value, Mark]) -> WinningLine:
    """The line that ends with `won`, replayed by the plain rules; `given` are the marks that need not be assumed.

    Raises `LineError` when it does not replay.
    """
    steps = [won]
    while before := steps[0].before:
        steps.insert(0, before)
    dealt = deal(_settled(packed, steps[0].node), tuple(_turns(packed, steps)))
    start, turns = msgspec.structs.replace(_seen(packed.state, dealt), marks=given), dealt.turns

    def with_marks(assumed: dict[Value, Mark]) -> State:
        return msgspec.structs.replace(start, marks=given | assumed)

    marks = {card: mark for card, mark in packed.state.marks.items() if card not in given}
    marks |= _marks(steps[-1].node.hidden)
    if fault := replay_fault(with_marks(marks), turns, packed.frame.rulings):
        raise LineError(fault)
    # No mark is assumed that the line does not need.
    for card in list(marks):
        fewer = {other: mark for other, mark in marks.items() if other != card}
        if replay_fault(with_marks(fewer), turns, packed.frame.rulings) is None:
            marks = fewer
    return WinningLine(turns, marks, with_marks(marks))


def _numbered(packed: Packed, steps: list[legal.SearchStep]) -> Iterator[legal.Move]:
    """The moves of a line, with a number for each idle card that is trimmed: one that no later position shows.

    An unseen card that is trimmed gets its number from `deal`.
    """
    cards = packed.frame.cards
    held = packed.mask(packed.state.reserve)
    for after in steps[1:]:
        move = after.move
        if move is None:
            continue
        if isinstance(move.act, legal.ExchangeMove):
            held = (held | 1 << move.act.first | 1 << move.act.second) & ~(1 << move.act.taken)
        trim = tuple(card for card in move.trim if not card or cards >> card & 1)
        if len(trim) < len(move.trim):
            spare = bits(held & ~after.node.reserve & ~sum(1 << card for card in trim))
            move = move._replace(trim=(*trim, *spare[: len(move.trim) - len(trim)]))
        held &= ~sum(1 << card for card in move.trim)
        yield move


def _settled(packed: Packed, root: Node) -> State:
    """The state with the cards that a position tells of it: up cards that nobody saw, and the Finish card where it is
    one of the Reserve or of the gone cards.
    """
    state, frame = packed.state, packed.frame
    cells = {
        cell: Up(_shown(frame, root.tower[frame.number[cell]])) if laid == Up(UNSEEN) else laid
        for cell, laid in state.tower.cells.items()
    }
    piles = {"reserve": state.reserve, "gone": state.gone}
    placed = state.front is not None or state.whereabouts(FINISH) is not None or frame.finish in root.tower
    lies = "reserve" if root.reserve & frame.finish_bit else "gone"
    if state.variant == "finish" and not placed and (lies == "reserve" or not (root.hidden and root.hidden.finish)):
        piles[lies] = Pile(piles[lies].known | {FINISH}, piles[lies].unseen - 1)
    return msgspec.structs.replace(state, tower=Tower.of(state.board, cells), **piles)


def _seen(state: State, dealt: Dealt) -> State:
    """The state with every card seen."""
    hands, reserve, gone = tuple(map(Pile.of, dealt.hands)), Pile.of(dealt.reserve), Pile.of(dealt.gone)
    tower = Tower.of(state.board, {cell: type(laid)(dealt.laid[cell]) for cell, laid in state.tower.cells.items()})
    return msgspec.structs.replace(state, tower=tower, hands=hands, reserve=reserve, gone=gone, deck=dealt.deck)


def _shown(frame: Frame, card: int) -> Shown:
    """The card of the model that a number means."""
    return UNSEEN if not card else FINISH if card == frame.finish else Value(card)


def _turns(packed: Packed, steps: list[legal.SearchStep]) -> Iterator[Turn]:
    """The turns of a line, in which a card that nobody saw stays unseen."""
    state, frame = packed.state, packed.frame
    for at, (step, move) in enumerate(zip(steps, _numbered(packed, steps), strict=False)):
        top, filled = step.node.top, step.node.top + move.drawn
        draw = tuple(FINISH if place == move.finish_at else state.deck[place] for place in range(top, filled))
        fill = state.deck[filled : filled + move.fill]
        drop, trim = (tuple(_shown(frame, card) for card in cards) for cards in (move.drop, move.trim))
        player = state.players[(state.to_move + at) % len(state.players)]
        yield Turn(state.turns + 1 + at, player, draw, _action(move.act, frame), fill=fill, drop=drop, trim=trim)


def _action(act: legal.Act | legal.PassMove, frame: Frame) -> Action:
    """An action of a game."""
    cells, shown = frame.cells, partial(_shown, frame)
    match act:
        case legal.PassMove():
            return NoAction()
        case legal.LayMove(card, cell, face_up):
            return (LayUp if face_up else LayDown)(shown(card), cells[cell])
        case legal.OpenMove(cell, card):
            return Open(cells[cell], shown(card))
        case legal.ExchangeMove(first, second, destroyed, taken, face_up, cell, old):
            sign, marks = _written(frame, act)
            adjust = tuple(zip(marks, map(shown, destroyed), strict=True))
            replaced = None if not old else Down(shown(old - DOWN)) if old >= DOWN else Up(shown(old))
            return Exchange(shown(first), sign, shown(second), adjust, shown(taken), face_up, cells[cell], replaced)


def _written(frame: Frame, act: legal.ExchangeMove) -> Written:
    """A sign and marks that make the sum of action D come out."""
    first, second, taken = map(frame.number_of, (act.first, act.second, act.taken))
    for written in writings(first, second, taken, len(act.destroyed), frame.rulings):
        return written
    raise LineError(f"no sum of {first} and {second} with {len(act.destroyed)} cards makes {taken}")


def _marks(hidden: Hidden | None) -> dict[Value, Mark]:
    if hidden is None:
        return {}
    marks: tuple[Mark, ...] = "1", "2", "H"
    masks = zip(marks, hidden.marks, strict=True)
    return dict(sorted((Value(card), mark) for mark, mask in masks for card in bits(mask)))


def replay_fault(state: State, turns: tuple[Turn, ...], rulings: Rulings) -> str | None:
    """What is wrong with `turns` as a winning line from `state`, by the plain rules; None when they win.

    Nothing may be left in doubt. Cost: that of a replay.
    """
    for turn in turns:
        if state.result is not None:
            return f"turn {turn.number} follows the end of the game"
        if turn.player != state.players[state.to_move] or turn.number != state.turns + 1:
            return f"turn {turn.number} is not {turn.player}'s"
        step = carry_out(state, turn, state.to_move)
        for clause in ASKED[type(turn.action)]:
            finding = clause.check(step, rulings)
            if finding is not None:
                return f"turn {turn.number} breaks {clause.id}: {finding.what!r}"
        if step.strays or step.doubts or step.lost:
            return f"turn {turn.number} moves cards that are not seen there"
        end = ending(step, rulings)
        if end == "unknown":
            return f"turn {turn.number} ends unknown"
        state = msgspec.structs.replace(step.after, result=end)
    return None if state.result == "win" else f"the line ends in {state.result}"
