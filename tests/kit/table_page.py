"""The reasons of `spec/table.md` and the prices of `spec/search.md`, written once more from the words of the pages:
nothing of `towers` is used. Of the rules they take the orders of a tower and the draw limit, which belong to clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from couperation_formal.game.rules.arrangement import holds
from couperation_formal.game.rules.turn import draw_limit
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, UNSEEN, Cell, Down, Laid, Tower, Up, Value

NONE = 10**6
"""The page's "none"."""
Counts = tuple[int, tuple[int, ...], int, int, int, int, int | None, int]
"""A position of the counting game: to move, own, deck, empty, down, owed, limit (None after a card laid down), shut."""


class TablePage:
    """What the page says of one table."""

    def __init__(self, state: State, rulings: Rulings) -> None:
        self.state, self.rulings, self.board, self.tower = state, rulings, state.board, state.tower.cells
        self.in_finish = state.variant == "finish"
        self.empty = self.board.size - len(self.tower)
        self.cards = sum(hand.size for hand in state.hands) + (state.front is not None) + len(state.deck)
        self.spare = self.cards - self.empty
        lies = any(cell.level == self.board.levels for cell in self.tower)
        self.again = lies and rulings.early_apex != "win_on_completion"
        self.limit = draw_limit(state, state.to_move, rulings).amounts[-1]
        self.down = sum(type(laid) is Down for laid in self.tower.values())
        laid = {lying.card for lying in self.tower.values()}
        self.leaving: set[Cell] = set()
        self.shown = {card for hand in state.hands for card in hand.known} | state.reserve.known | {*state.deck} | laid

    def kind(self) -> str | None:
        """The kind of the first reason that holds, in the order of the page."""
        cheap = {"finish": self.finish, "apex": self.apex, "stuck": self.stuck, "order": self.order}
        for kind, asked in cheap.items():
            if asked():
                return kind
        if self.empty > self.cards:
            return "cards"
        if self.price() > self.spare:
            return "interval" if self.interval() else "replacements" if self.replaced() > self.spare else "exchanges"
        return "turns" if self.turns() else None

    def finish(self) -> bool:
        """F is gone, in the Reserve without a number, or low and firm."""
        state, rulings = self.state, self.rulings
        unseen = UNSEEN in state.deck or Up(UNSEEN) in self.tower.values()
        elsewhere = unseen or FINISH in self.shown - state.reserve.known or state.front is not None
        waits = FINISH in state.reserve.known
        low = any(laid == Up(FINISH) and cell.level < self.board.levels for cell, laid in self.tower.items())
        return self.in_finish and (
            FINISH in state.gone.known
            or not (elsewhere or waits or state.reserve.unseen)
            or ((waits or not elsewhere) and rulings.finish_value == "none")
            or (low and rulings.replace_target == "facedown_only")
        )

    def apex(self) -> bool:
        """It has to be replaced, and cannot be."""
        return self.again and (self.in_finish or self.rulings.replace_target == "facedown_only")

    def stuck(self) -> bool:
        """No own card, no draw, no down card."""
        state = self.state
        owns = state.hands[state.to_move].size or state.front == state.to_move
        return not (owns or (state.deck and self.limit) or self.down or self.rulings.no_action == "skipped")

    def order(self) -> bool:
        """All laid cards that are seen, as K: a larger K is out of order and beyond mending where a smaller one is."""
        laid = {cell: card for cell, card in self.tower.items() if card != Up(UNSEEN)}
        faces = (Up, Down) if self.rulings.reserve_face == "either" else (Up,)
        return not self._in_order(laid) and not any(
            self._in_order({**laid, cell: face(Value(number))})
            for cell in laid
            if self.replaceable(cell)
            for face in faces
            for number in range(1, self.board.cards + 1)
        )

    def _in_order(self, laid: dict[Cell, Laid]) -> bool:
        return holds(self.board, Tower.of(self.board, laid), self.rulings)

    def replaceable(self, cell: Cell) -> bool:
        """[replace_target]"""
        target = self.rulings.replace_target
        anchor = cell == self.board.anchor_cell and not self.state.anchor_moved
        return type(self.tower[cell]) is Down if target == "facedown_only" else target == "any" or not anchor

    # Prices

    def made(self) -> list[int]:
        """By number, what a D costs that makes it."""
        state, top, spare, rulings = self.state, self.board.cards, self.spare, self.rulings
        owned = [(card, who) for who, hand in enumerate(state.hands) for card in hand.known]
        owned += [(card, None) for card in state.deck]  # type: ignore[misc]
        every = len(owned) + (state.front is not None)
        seen = UNSEEN not in state.deck and not any(hand.unseen for hand in state.hands)
        laid = [lying.card for lying in self.tower.values()]
        if spare == 0:
            return [NONE] * (top + 1)
        if spare > 2 or not seen or every > 12 or (spare == 2 and UNSEEN in laid):
            return [1] * (top + 1)
        glass = [(card, who) for card, who in owned if isinstance(card, int)]
        numbers, lying = [card for card, _ in glass], [card for card in laid if isinstance(card, int)]

        def one_player(many: int) -> Iterator[tuple[int, ...]]:
            for some in combinations(glass, many):
                if len({who for _, who in some if who is not None}) < 2:
                    yield tuple(card for card, _ in some)

        def both(pairs: Iterator[tuple[int, int]]) -> set[int]:
            return {number for a, b in pairs for number in (a + b, abs(a - b))}

        if spare == 1:
            cheap, dear = both(one_player(2)), set[int]()  # type: ignore[arg-type]
        else:
            pairs = [*combinations(numbers, 2), *product(numbers, lying)]
            cheap = both(iter(pairs))
            shift = (-1, 0, 1) if rulings.adjust == "up_to" else (-1, 1)
            two = (pair for three in one_player(3) for pair in combinations(three, 2))
            dear = {number + by for number in both(two) for by in shift}
            if (state.front is not None or any(card is FINISH for card, _ in owned)) and rulings.finish_value != "none":
                dear |= both((self.board.anchor, card) for card in {*numbers, *lying})
        return [1 if v in cheap else 2 if v in dear else NONE for v in range(top + 1)]

    def taken(self) -> list[int]:
        """By number, what taking its Glass card costs: at spare = 1 it may not be in the Reserve."""
        costs, state = self.made(), self.state
        hands = [set(hand.known) for hand in state.hands]
        own = len(state.deck) + sum(map(len, hands)) + (state.front is not None)
        if self.spare != 1 or UNSEEN in state.deck or any(hand.unseen for hand in state.hands) or own > 12:
            return costs
        for card in {*state.deck}.union(*hands):
            if isinstance(card, int):
                twice = any({card, 2 * card} <= {*state.deck, *hand} for hand in hands)
                costs[card] = 1 if twice and self.rulings.take_sent == "allowed" else NONE
        for laid in self.tower.values():
            if isinstance(laid.card, int):
                costs[laid.card] = NONE
        return costs

    def price(self) -> int:
        """c"""
        first = self.made()[self.board.anchor] if FINISH in self.state.reserve.known else 0
        return first + self._least(self.taken(), paid_reserve=True)

    def replaced(self) -> int:
        """The least number of laid cards to be replaced."""
        return self._least([1] * (self.board.cards + 1), paid_reserve=False)

    def places(self) -> list[int]:
        """The columns at which the final pyramid may begin."""
        board = self.board
        lefts = range(board.levels) if self.rulings.anchor == "floating" else [board.middle]
        return [left for left in lefts if self.tower.keys() <= set(board.pyramid(left))]

    def _least(self, costs: list[int], paid_reserve: bool) -> int:
        return min((self._at(left, costs, paid_reserve) for left in self.places()), default=NONE)

    def _at(self, left: int, costs: list[int], paid_reserve: bool) -> int:
        """best(v, I), with ideals as sets of cells."""
        apex = Cell(left, self.board.levels)
        cells = [cell for cell in self.board.pyramid(left) if not (self.in_finish and cell == apex)]
        lower = {cell: frozenset(other for other in cells if below(other, cell)) for cell in cells}
        best = {frozenset[Cell](): 0}
        for number in range(1, self.board.cards + 1):
            after = dict(best)
            for ideal, paid in best.items() if number not in self.state.gone.known else ():
                for cell in cells:
                    if cell in ideal or not lower[cell] <= ideal:
                        continue
                    price = paid + self._of(cell, number, costs[number], paid_reserve, apex)
                    larger = ideal | {cell}
                    if price <= self.spare and price < after.get(larger, NONE):
                        after[larger] = price
            best = after
        return best.get(frozenset(cells), NONE)

    def _of(self, cell: Cell, number: int, taking: int, paid_reserve: bool, apex: Cell) -> int:
        """The table of prices."""
        if self.in_finish and self.rulings.finish_value == "25":
            wide = self.rulings.between == "inclusive"
            low, high = below(cell, apex), below(apex, cell)
            if (low and number >= self.board.anchor + wide) or (high and number <= self.board.anchor - wide):
                return NONE
        laid, again = self.tower.get(cell), self.again and cell == apex
        if laid is None:
            return taking if paid_reserve and number in self.state.reserve.known else 0
        stays = not again and cell not in self.leaving
        if stays and (laid.card == number or (laid.card is UNSEEN and number not in self.shown)):
            return 0
        return taking if self.replaceable(cell) or type(laid) is Down else NONE

    def interval(self) -> bool:
        """More free cells with windows inside (a, b) than numbers that can come."""
        state, lefts = self.state, self.places()
        firm = self.rulings.replace_target == "facedown_only"
        if len(lefts) != 1 or self.again or not (self.spare == 0 or firm):
            return False
        apex = Cell(lefts[0], self.board.levels)
        fixed = {
            cell: laid.card
            for cell, laid in self.tower.items()
            if isinstance(laid.card, int) and (self.spare == 0 or type(laid) is Up)
        }
        out = {*state.gone.known, *fixed.values(), *(state.reserve.known if self.spare == 0 else ())}
        come = [number for number in range(1, self.board.cards + 1) if number not in out]
        ends, top = [(cell, number, number) for cell, number in fixed.items()], self.board.cards + 1
        if self.in_finish and self.rulings.finish_value == "25":
            wide = self.rulings.between == "inclusive"
            ends.append((apex, Value(self.board.anchor - wide), Value(self.board.anchor + wide)))
        if any(below(one, other) and low >= high for one, low, _ in ends for other, _, high in ends):
            return False
        windows = [
            (
                max([0, *(low for other, low, _ in ends if below(other, cell))]),
                min([top, *(high for other, _, high in ends if below(cell, other))]),
            )
            for cell in self.board.pyramid(lefts[0])
            if cell not in fixed and not (self.in_finish and cell == apex)
        ]
        return any(
            sum(a <= low and high <= b for low, high in windows) > sum(a < number < b for number in come)
            for a in range(top)
            for b in range(a + 1, top + 1)
        )

    # The counting game

    def turns(self) -> bool:
        """The counting game is asked, and lost."""
        return self.lost(max(self.price(), int(self.again)), self.limit)

    def lost(self, owed: int, limit: int, shut: int = 0) -> bool:
        """The same with so much owed, such a limit at the start and so many down cards shut."""
        state = self.state
        if self.rulings.no_action == "skipped" or (self.in_finish and self.rulings.finish_refill == "at_once"):
            return False
        if len(state.deck) > 8 or self.cards > 20:
            return False
        own = tuple(hand.size + (state.front == who) for who, hand in enumerate(state.hands))
        return not self._known((state.to_move, own, len(state.deck), self.empty, self.down, owed, limit, shut))

    def _wins(self, counts: Counts) -> bool:
        _, own, deck, empty, _, owed, _, _ = counts
        if empty + owed > sum(own) + deck:
            return False
        return any(won or self._known(after) for after, won in self._moves(counts))

    def _known(self, counts: Counts) -> bool:
        memory = self.__dict__.setdefault("memory", {})
        if counts not in memory:
            memory[counts] = self._wins(counts)
        return bool(memory[counts])

    def _moves(self, counts: Counts) -> Iterator[tuple[Counts, bool]]:
        mover, owns, deck, empty, down, owed, limit, shut = counts
        extra = int(self.in_finish)
        hand = max(0, owns[mover] - extra)
        limit = max(0, self.board.refill - hand) if limit is None else limit
        completes = self.rulings.early_apex == "win_on_completion"
        for drawn in range(min(limit + (extra if limit else 0), deck) + 1):
            for kind, spent, filled, turned, paid, hidden in self._acts(owns[mover] + drawn, empty, down):
                if kind == "C" and down == shut:
                    continue
                still = max(0, shut - 1) if kind == "D" and turned < 0 else shut
                left, now_empty, now_down = max(0, owed - paid), empty - filled, down + turned
                won = (kind != "C" or completes) and not (now_empty or now_down or left)
                if not now_empty and not won and not completes:
                    if self.in_finish or not (self.rulings.early_apex == "no_win" or self.again):
                        continue
                    left = max(left, 1)
                keeps = min(owns[mover] + drawn - spent, self.board.hand_limit + extra)
                own = (*owns[:mover], keeps, *owns[mover + 1 :])
                after = (
                    (mover + 1) % len(own),
                    own,
                    deck - drawn,
                    now_empty,
                    now_down,
                    left,
                    None if hidden else 4,
                    still,
                )
                yield after, won

    def _acts(self, own: int, empty: int, down: int) -> Iterator[tuple[str, int, int, int, int, bool]]:
        """Kind, own cards off, cells filled, change of down cards, what is paid, whether a card was laid down."""
        if down:
            yield "C", 0, 0, -1, 0, False
        if own and empty:
            yield "A", 1, 1, 0, 0, False
        if own and empty > 1:
            yield "B", 1, 1, 1, 0, True
        either = self.rulings.reserve_face == "either"
        for paid in range(1, own):
            for hidden in (False, True) if either else (False,):
                if empty > hidden:
                    yield "D", paid + 1, 1, int(hidden), paid, hidden
                yield "D", paid, 0, int(hidden), paid, hidden
                if down:
                    yield "D", paid, 0, int(hidden) - 1, paid, hidden


class SearchPage(TablePage):
    """What `search.md` says of the position that a table starts from, where only one start is."""

    def made(self) -> list[int]:
        return [1] * (self.board.cards + 1)

    taken = made

    def price(self) -> int:
        """The reduction `exchanges`: F has its own price."""
        state, first = self.state, 0
        waits = FINISH in state.reserve.known
        near = state.front is not None or FINISH in self.shown - state.reserve.known or UNSEEN in state.deck
        if self.in_finish and not near:
            first = 1 if waits and self.rulings.finish_value != "none" else NONE
        elif self.in_finish and waits:
            first = 1 if self.rulings.finish_value != "none" else NONE
        return first + self._least(self.made(), paid_reserve=True)

    def left_out(self) -> bool:
        """By `cards`, `exchanges`, or `turns` with `shut`."""
        price, deck = self.price() if self.spare >= 0 else NONE, self.state.deck
        if price > self.spare:
            return True
        drawn = len(deck) - (FINISH in deck[:-1])
        if self.empty + self.down + price > 10:
            return False
        return self.lost(price, min(self.limit, drawn), self.shut())

    def shut(self) -> int:
        """How many down cards are shut, where everything is seen."""
        state = self.state
        piles = [*state.hands, state.reserve, state.gone]
        unseen = any(pile.unseen for pile in piles) or UNSEEN in state.deck
        unseen = unseen or any(laid.card is UNSEEN for laid in self.tower.values())
        if unseen or (state.deck and len(state.marks) < self.board.cards):
            return 0
        rulings = self.rulings
        if "stands" in rulings.opened_against or "ignored" in rulings.facedown or "none" in rulings.finish_value:
            return 0
        count = 0
        for cell, laid in self.tower.items():
            if type(laid) is Down:
                self.leaving = {other for other, up in self.tower.items() if self.against(other, up, cell, laid)}
                count += self.price() > self.spare
        self.leaving = set()
        return count

    def against(self, other: Cell, up: Laid, cell: Cell, down: Laid) -> bool:
        """Whether an up Glass card and a down card, both lying up, would be the wrong way round."""
        if type(up) is Down or not isinstance(up.card, int) or not isinstance(down.card, int):
            return False
        return below(cell, other) if up.card < down.card else below(other, cell)


def below(one: Cell, other: Cell) -> bool:
    """The order of a full tower (`completability.md`)."""
    return one != other and one.column <= other.column and sum(one) <= sum(other)
