"""Tables, and a small strict reader of CGN positions: spec/certificate.md, "What the position says"."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from couperation_checker.strict import CARD, Card, Cards, Work, need, read_cards, read_text

Rulings = dict[str, str]
Tower = dict[str, tuple[Card, bool]]  # by cell: the card, and whether it lies up
NOTHING: tuple[Card, bool] = "", True  # what lies on an empty cell
MOST_KEPT = 1 << 12  # of some kilobytes each
_LAID = re.compile(rf"(~?)({CARD})@([a-m][1-7])")
_LINES = {"tower", "front", "reserve", "gone", "deck", "turn", "last", "skipped", "replaced"}
_need = partial(need, "POSITION")


def number(card: Card, rulings: Rulings, cell: str = "") -> int | None:
    """The number of a card in sums, or in the orders of a cell; None for a Finish card without one [finish_value]."""
    without = ("none", "apex_free") if cell[1:] == "7" else ("none",)
    return card if isinstance(card, int) else None if rulings["finish_value"] in without else 25


@cache
def supports(cell: str) -> tuple[str, str]:
    """The two cells on which a cell above level 1 rests."""
    return f"{cell[0]}{int(cell[1]) - 1}", f"{chr(ord(cell[0]) + 1)}{int(cell[1]) - 1}"


@cache
def pyramid(place: str) -> frozenset[str]:
    """The 28 cells over the seven columns that begin at a place."""
    return frozenset(f"{chr(ord(place) + right)}{level}" for level in range(1, 8) for right in range(8 - level))


@dataclass
class Table:
    """A table between two turns, or within one. Cells are written as in CGN, seats count from 0."""

    names: tuple[str, ...]
    finish: bool  # the variant
    marks: dict[Card, str]  # those that are given
    rulings: Rulings
    tower: Tower
    hands: list[list[Card]]  # an F among them lies in front
    reserve: list[Card]
    deck: list[Card]  # all of it, its top first
    gone: Cards = ()  # those of a position: play adds none, as none of them comes back
    hidden: set[Card] = field(default_factory=set)  # the cards that the deck of a record holds as None
    first: int = 0  # the seat of turn 1
    laid: str | None = None  # the cell laid last
    touched: str | None = None  # the cell laid or opened last
    moved: bool = False  # whether the 25 of set-up was replaced
    turned: bool = False  # whether the action done last was C
    laid_down: bool = False  # whether the card laid last was laid down, and the next draw asks for that
    replaced: bool = False  # whether action D has replaced a card and may not again [replacements]
    skipped: int = 0  # so many turns in a row just before had no action
    result: str = ""
    leave: frozenset[str] = frozenset()  # cells whose up cards do not stay, in a price that is asked
    work: Work = field(default_factory=Work)  # these two are those of all tables of a claim
    kept: dict[Any, Any] = field(default_factory=dict)
    astray: bool = False  # whether the tower is out of order, as only that of a position can be, or after C

    @property
    def source(self) -> str | None:
        """The cell whose card sets the next draw [draw_source]; None in turn 1, and where nobody draws."""
        way = self.rulings["draw_source"]
        return self.touched if way == "opened" else None if way == "nothing" and self.turned else self.laid

    @property
    def up(self) -> dict[str, int]:
        """The up cards with a number, by cell."""
        return {cell: card for cell, (card, up) in self.tower.items() if up and isinstance(card, int)}

    @property
    def seen(self) -> set[Card]:
        """The cards shown in hands, Reserve, deck and tower, and None where one is not."""
        laid = [card for card, _ in self.tower.values()]
        return {card for pile in (*self.hands, self.reserve, self.deck, laid) for card in pile}

    @property
    def finish_gone(self) -> bool:
        """Whether F is seen gone, or nowhere, and no unseen card of the deck or the Reserve can be it."""
        return self.finish and ("F" in self.gone or not {"F"} & self.seen | {None} & {*self.reserve, *self.deck})

    @property
    def places(self) -> list[str]:
        """The places of the tower, from left to right."""
        columns = "d" if self.rulings["anchor"] == "middle" else "abcdefg"
        return [place for place in columns if self.tower.keys() <= pyramid(place)]

    def may_replace(self, cell: str) -> bool:
        """Whether [replace_target] lets action D replace what lies on a cell."""
        target, (_, up) = self.rulings["replace_target"], self.tower.get(cell, NOTHING)
        return not up if target == "facedown_only" else target == "any" or cell != "g1" or self.moved

    def keep(self, key: Any, find: Callable[[], Any]) -> Any:
        """What there is to find under a key, looked for again only when much else was found since."""
        if key not in self.kept:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            self.kept[key] = find()
        return self.kept[key]

    def copy(self) -> "Table":
        """A table of its own that stands as this one does."""
        other = object.__new__(Table)  # which takes a fifth of the time of `replace`
        vars(other).update(vars(self), tower={**self.tower}, hands=[[*hand] for hand in self.hands])
        other.reserve, other.deck = [*self.reserve], [*self.deck]
        return other


def read(text: str, rulings: Rulings, mover: bool = False, work: Work | None = None) -> Table:
    """What the CGN text of a position tells; Refused (POSITION) where it cannot be read or no ruling allows it.

    With `mover` it is a table before the draw of some player, and refused without that.
    """
    work = work or Work()
    names, finish, marks, lines = read_text(text, "POSITION", work)
    _need(lines[:1] == [["position"]], "no line position follows the tags")
    _need(len(names) == len(set(names)) and 2 <= len(names) <= 4, "the tag Players does not name 2 to 4 players")
    state: dict[str, list[str]] = {}
    hands = [f"hand {name}" for name in names]
    for kind, *words in lines[1:]:
        line, words = (f"hand {' '.join(words[:1])}", words[1:]) if kind == "hand" else (kind, words)
        _need(line in _LINES.union(hands) and line not in state, "a line of no known kind, or one a second time")
        state[line] = words
    asked = {"tower", "reserve", *hands} if "turn" in state else {"tower"}
    _need(state.keys() >= asked, "the line tower is missing, or turn stands without all hands and the Reserve")
    tower = _tower(state["tower"], finish)
    skips = [str(turns) for turns in range(len(names) if rulings["no_action"] == "skipped" else 1)]
    opened = [f"{cell} laid down" for cell, (card, up) in tower.items() if up and card != "F" and cell[1] != "7"]
    sources = [*tower, *{"as_laid": opened, "nothing": ["-"]}.get(rulings["draw_source"], [])]
    choices = {"front": names, "turn": names, "last": sources, "skipped": skips, "replaced": ("no", "yes")}
    for line, some in choices.items():
        _need(" ".join(state.get(line, some[:1])) in some, f"the line {line} does not say what it may")
    piles = [list(read_cards(state.get(line, []), "POSITION")) for line in (*hands, "reserve", "gone", "deck")]
    *own, reserve, gone, deck = piles
    may = not mover or ("turn" in state and not any("F" in hand for hand in own))
    _need(may, "nobody is to move, or the Finish card lies in a hand and not in front of a player")
    if "front" in state:
        own[names.index(state["front"][0])].append("F")
    cards = [card for pile in (*piles, [card for card, _ in tower.values()]) for card in pile]
    _need(len({*cards} - {None}) + cards.count(None) == len(cards), "a card lies in two places")
    _need(len(cards) <= 50 + finish and (finish or "F" not in cards), "there are other cards than the game has")
    need("", (None, True) not in tower.values(), "an up card that is not told")
    deck += [None] * (50 + finish - len(cards))
    table = Table(names, finish, marks, rulings, tower, own, reserve, deck, tuple(gone), work=work)
    table.first = names.index(state["turn"][0]) if "turn" in state else 0
    table.turned, (last, *laid) = state.get("last") == ["-"], state.get("last", ["-"])
    table.laid = table.touched = None if last == "-" else last
    table.laid_down = laid != [] or (rulings["draw_source"] == "as_laid" and not tower.get(last, NOTHING)[1])
    table.skipped = int(state.get("skipped", skips)[0])
    table.replaced = rulings["replacements"] == "once" and state.get("replaced") == ["yes"]
    table.moved = tower["g1"] != (25, True)
    _need(bool(table.places), "the tower has no place")
    return table


def _tower(words: list[str], finish: bool) -> Tower:
    """The laid cards by cell. SET04, TOW03, TOW06 and TOW08 hold of them."""
    matches = [_LAID.fullmatch(word) for word in words]
    laid = {match[3]: match[1] + match[2] for match in matches if match}
    _need(len(laid) == len(words), "a word is no laid card, or two lie on one cell")
    _need("g1" in laid, "g1 is never empty")
    for cell, card in laid.items():
        _need(cell[1] == "1" or laid.keys() >= {*supports(cell)}, f"{cell} lacks a support")
        _need(card != "~F" and (cell[1] != "7" or card[0] != "~"), f"the card on {cell} is never down")
        _need(not finish or cell[1] != "7" or card == "F", "the apex is F and nothing else in the variant finish")
    cards = read_cards((card.lstrip("~") for card in laid.values()), "POSITION")
    return {cell: (card, laid[cell][0] != "~") for cell, card in zip(laid, cards, strict=True)}
