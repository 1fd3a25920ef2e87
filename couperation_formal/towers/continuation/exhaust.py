"""The exhaustive search: every continuation, without positions that counting proves lost and idle differences."""

from hashlib import sha256
from typing import NamedTuple

from couperation_formal.game.fact import Spent
from couperation_formal.towers.continuation.final_tower import NEVER, Prices
from couperation_formal.towers.continuation.legal import MOST, SearchStep, Turns
from couperation_formal.towers.continuation.position import DOWN, Frame, Kept, Node, bits
from couperation_formal.towers.continuation.theorems import MOST_DECK, CountingGame, Counts, terms_of, without

# What the exhaustive search leaves out: positions that counting proves lost, and differences that no longer matter.
#
# Each rule is an id of the specification (`search.md`), with its proof there.

REDUCTIONS = ("cards", "exchanges", "reserve", "turns", "shut")
MOST_LEFT = 8, 10
"""With more empty cells, down cards and cards owed together the search does not ask the counting game: without `shut`,
and with it.
"""


class Reductions:
    """The reductions under one frame; `used` names those that are on."""

    def __init__(self, frame: Frame, used: tuple[str, ...] = REDUCTIONS) -> None:
        self.frame, self.used = frame, used
        self.prices = Prices(frame)
        terms = [terms_of(frame.board, frame.variant, frame.rulings, again) for again in (False, True)]
        self._games = [CountingGame(each, frame.budget) for each in terms]
        self._against = Kept(self._disagreeing)
        places = [(column, column + level) for column, level in frame.cells]
        self._below = [
            [at for at, (x, y) in enumerate(places) if x <= a and y <= b and (x, y) != (a, b)] for a, b in places
        ]
        # Under these a card may be opened although no number is left for a down one, or the Finish card has none.
        rulings = frame.rulings
        lax = rulings.facedown == "ignored" or rulings.opened_against == "stands" or rulings.finish_value == "none"
        self._asks_shut = "shut" in used and not lax

    def hopeless(self, node: Node) -> bool:
        """Whether counting proves that no continuation of this position wins."""
        return self.most_gone(node) < 0

    def most_gone(self, node: Node) -> int:
        """How many cards its next turn may destroy and drop at most, below 0 where the position is left out.

        Those that destroy and drop more lead to positions that are lost (`search.md`, lemmas 3 and 4). Cost: that of a
        price, and of counting games where little is left.
        """
        slack = self.frame.slack(node)
        most = -1 if slack < 0 and "cards" in self.used else MOST
        if most < 0 or not ("exchanges" in self.used or "turns" in self.used):
            return most
        price = self.prices.least(node, slack)
        if "exchanges" in self.used:
            if price is None:
                return -1
            most = slack - price
        if self._lost(node, price):
            return -1
        while self._lost(node, price, gone=most):
            most -= 1
        return most

    def stands(self, node: Node) -> Node | None:
        """The position that stands for this one in the search; None where it is left out. Cost: as `most_gone`."""
        slack = self.frame.slack(node)
        return None if slack < 0 and "cards" in self.used else self._standing(node, slack)

    def untrimmed(self, node: Node) -> Node | None:
        """The same before something is trimmed from its Reserve: None where it is left out with whatever is trimmed, as
        that makes no price less.
        """
        slack = self.frame.slack(node)
        if slack < 0:
            return None if "cards" in self.used else node
        return self._standing(node, slack, slack)

    def _standing(self, node: Node, slack: int, most: int | None = None) -> Node | None:
        price = self.prices.least(node, slack) if slack >= 0 else None
        if (price is None and "exchanges" in self.used) or self._lost(node, price, most):
            return None
        # Idle cards play no part in the price, but in what is shut.
        stands = self._reduced(node, slack, price)
        return None if stands is not node and self._lost(stands, price, most) else stands

    def _lost(self, node: Node, price: int | None, most: int | None = None, gone: int = 0) -> bool:
        """Whether the counting game says that no continuation wins whose actions D cost this price or more, with so
        many cards `gone` for the player to move.
        """
        asked = self._game(node, price, most)
        if asked is None:
            return False
        game, counts = asked
        counts = without(counts, gone) if gone else counts
        if game.lost(counts):
            return True
        if not (self._asks_shut and counts.down and node.hidden is None):
            return False
        # The more are shut the sooner it is lost: where it is not with all that may be, none has to be looked at.
        against = self._against[node.tower]
        if not against or not game.lost(counts._replace(shut=len(against))):
            return False
        slack = self.frame.slack(node)
        shut = sum(self.prices.least(node, slack, cells) is None for cells in against)
        return game.lost(counts._replace(shut=shut))

    def _disagreeing(self, tower: bytes) -> list[list[int]]:
        """For each down card that does not agree with all up cards, were it opened, the cells of these."""
        below, every = self._below, []
        ups = [at for at, code in enumerate(tower) if 0 < code < self.frame.finish]
        for cell, code in enumerate(tower):
            if code > DOWN:
                wrong = [at for at in ups if (at in below[cell] if tower[at] > code - DOWN else cell in below[at])]
                every.append(wrong)
        return [cells for cells in every if cells]

    def _game(self, node: Node, price: int | None, most: int | None = None) -> tuple[CountingGame, Counts] | None:
        """The counting game of a position, with this price owed (None: more than can be paid); None where it is not
        asked, as too much is left, the price counting as `most` where this is given.
        """
        if "turns" not in self.used or len(self.frame.deck) - node.top > MOST_DECK:
            return None
        tower, hands, hidden = node.tower, node.hands, node.hidden
        unseen = hidden.hands if hidden is not None else (0,) * len(hands)
        own = [hand.bit_count() + more for hand, more in zip(hands, unseen, strict=True)]
        if node.front >= 0:
            own[node.front] += 1
        counts = Counts(
            mover=node.seat,
            own=tuple(own),
            deck=len(self.frame.deck) - node.top,
            empty=self.frame.size - len(tower) + tower.count(0),
            down=sum([code >= DOWN for code in tower]),
            owe=NEVER if price is None else price,
            draw=abs(node.limit),
        )
        if counts.empty + counts.down + (counts.owe if most is None else most) > MOST_LEFT["shut" in self.used]:
            return None
        # The cells of the last level come last.
        again = self.frame.apex_again and any(tower[-self.frame.board.levels :])
        return self._games[again], counts

    def _reduced(self, node: Node, slack: int, price: int | None) -> Node:
        """Idle cards of the Reserve have no number."""
        frame, reserve = self.frame, node.reserve
        if "reserve" not in self.used or not reserve & frame.glass or node.hidden is not None or price is None:
            return node
        if not (price == slack or self._lost(node, price + 1)):
            return node
        idle = self.prices.idle(node, price)
        if not idle:
            return node
        known = reserve & frame.cards & ~idle
        count = reserve.bit_count() - known.bit_count()
        return node._replace(reserve=known | (1 << count) - 1 << frame.finish + 1)


# The exhaustive search: every continuation, or the proof that none wins.
#
# A depth-first search over whole turns that meets no position twice. The reductions that it uses are few, each named by
# an id and proved in the specification (`search.md`), so that another program can repeat the search, count the same
# positions and get the same digest.

_LOOKED = 2
"""The steps that a position looked at takes."""


class Search(NamedTuple):
    """What an exhaustive search came to. `won` ends in the winning turn; `ended` tells whether everything was
    searched; `positions` counts those expanded, whose digest is `digest`.
    """

    won: SearchStep | None
    ended: bool
    positions: int
    digest: str


class Exhaustion:
    """An exhaustive search from these positions, which can be left and gone on with. The frame's budget pays for it.
    Raises `Spent` where it does not suffice for the first positions. `looked` counts the positions looked at.
    """

    def __init__(self, turns: Turns, roots: list[Node], bounds: Reductions) -> None:
        self._turns, self._bounds = turns, bounds
        self._stack = [SearchStep(None, root, None) for root in map(bounds.stands, roots) if root is not None]
        self._seen = {step.node for step in self._stack}
        self.looked = 0

    def search(self, most: int) -> Search:
        """Go on until all is searched, some turn wins, or so many steps were taken."""
        stack, seen, turns = self._stack, self._seen, self._turns
        try:
            with turns.frame.budget.at_most(most):
                while stack:
                    step = stack.pop()
                    if won := self._expanded(step):
                        return Search(won, True, len(seen), "")
        except Spent:
            stack.append(step)  # expanded once more, as its turns cannot be gone on with
            return Search(None, False, len(seen), "")
        ended = not turns.unsure
        return Search(None, ended, len(seen), digest(turns.frame, seen) if ended else "")

    def _expanded(self, step: SearchStep) -> SearchStep | None:
        """The winning turn from a position, if any; else what follows from it is put on the stack."""
        bounds, seen, stands_for = self._bounds, self._seen, self._bounds.stands
        for child, move in self._turns.turns(step.node, bounds.most_gone(step.node), self._untrimmed):
            self._look()
            if child is None:
                return SearchStep(step, step.node, move)
            # A position that was met stands for itself.
            stands = None if child in seen else stands_for(child)
            if stands is not None and stands not in seen:
                seen.add(stands)
                self._stack.append(SearchStep(step, stands, move))
        return None

    def _look(self) -> None:
        self.looked += 1
        self._turns.frame.budget.spend(_LOOKED)

    def _untrimmed(self, node: Node) -> Node | None:
        self._look()
        return self._bounds.untrimmed(node)


def digest(frame: Frame, nodes: set[Node]) -> str:
    """The sum, modulo 2^64, of the first eight bytes of the SHA-256 of each position's canonical text; 16 hexadecimal
    digits.
    """
    total = sum(int.from_bytes(sha256(canonical(frame, node).encode()).digest()[:8], "big") for node in nodes)
    return f"{total % (1 << 64):016x}"


def canonical(frame: Frame, node: Node) -> str:
    """The canonical text of a position, as the specification (`search.md`) defines it."""
    tower, hands, front, reserve, top, seat, limit, laid, moved, hidden, replaced, skipped, laid_down = node

    def cards(mask: int) -> str:
        return " ".join(map(code, bits(mask)))

    def code(card: int) -> str:
        if card >= DOWN:
            return f"~{card - DOWN or '?'}"
        return "F" if card == frame.finish else str(card)

    lines = [
        "tower " + " ".join(f"{code(card)}@{frame.cells[cell]}" for cell, card in enumerate(tower) if card),
        *(f"hand {cards(hand)}" for hand in hands),
        f"front {front}",
        "reserve " + " ".join([*cards(reserve & frame.cards).split(), *"-" * (reserve & ~frame.cards).bit_count()]),
        f"deck {len(frame.deck) - top}",
        f"turn {seat}",
        f"draw {limit}",
        f"laid {frame.cells[laid] if laid >= 0 else '-'}{' down' * laid_down}",
        f"moved {int(moved)}",
        *([f"replaced {int(replaced)}"] if frame.rulings.replacements == "once" else []),
        *([f"skipped {skipped}"] if frame.rulings.no_action == "skipped" else []),
    ]
    if hidden is not None:
        marks = ";".join(map(cards, hidden.marks))
        unseen = " ".join(map(str, hidden.hands))
        lines.append(f"unseen {cards(hidden.values)};{unseen};{hidden.reserve};{int(hidden.finish)};{marks}")
    return "\n".join(lines)
