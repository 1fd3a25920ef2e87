"""A table at which a game is played in code: dealt, played turn by turn, written down.

What a turn may be is asked of the replay, of the legal actions and of the ends of turns; nothing is said again here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import get_args

from msgspec.structs import replace

from couperation_formal.game.fact import Mistaken, Unfit, fact, numbers
from couperation_formal.game.record import Action, Game, NoAction, Outcome, Position, Record, Snapshot, Turn, short
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.moves import Move, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rules.turn import ending
from couperation_formal.game.rulings import Rules, Rulings, parse_rules, taggable, unknown
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Card, Cell, Mark, Shown, UnseenCard, Value, Variant
from couperation_formal.notation.parse import CARDS
from couperation_formal.notation.read import Malformed, read_text
from couperation_formal.notation.write import header_tags, record_text
from couperation_formal.output.report import Report
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.sample import PLAYER_NAMES, deal, draw_amounts, fill_amounts, top_cards
from couperation_formal.questions.records.taken import Playable, game_of, names_of, rules_of, word
from couperation_formal.questions.tables.moves import limited

_NUMBERED = re.compile(r"\s*[0-9]+\.")

Cards = Sequence[int | Card] | str
"""Cards: their numbers, ``"F"`` or `FINISH` for the Finish card; or a text of them, ``"17 30 44"``."""


class IllegalPlay(ValueError):
    """A turn or a set-up that the rules do not allow, or that is no CGN; `report` tells of the game with it."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n".join(map(str, report.diagnostics)))
        self.report = report
        self.diagnostics = report.diagnostics


class Table(Playable):
    """A game in progress in which every card and every mark is known: to the table, not to its players.

    `Table(game)` goes on with a game, `Table.new` deals one. Each turn is judged by the rules when it is played; what
    they refuse leaves the table as it was; `copy.copy` makes another table that is played on by itself. Cost of a turn:
    one replay of the game so far.
    """

    def __init__(self, game: Game | Record | Table | Snapshot | Malformed) -> None:
        """Raises `IllegalPlay` for a game that is illegal, `ValueError` for one that hides a card or a mark."""
        record = game_of(game, "Table").record
        self._record = replace(record, rules=taggable(record.rules), result=None)
        self._state = self._judged(replace(self._record, result=record.result))
        piles = (*self._state.hands, self._state.reserve, self._state.gone)
        hidden = any(pile.unseen for pile in piles) or UNSEEN in self._state.deck or len(record.marks) < STANDARD.cards
        if hidden or any(laid.card is UNSEEN for laid in self._state.tower.cells.values()):
            raise Unfit(fact("not_all_shown"))

    @classmethod
    def new(
        cls,
        players: Sequence[str] | str | int = 2,
        rules: Rules | str | None = None,
        variant: Variant = "first",
        *,
        seed: int = 0,
        deals: Mapping[str, Cards] | None = None,
        reserve: Cards | None = None,
        deck: Cards | None = None,
        marks: Mapping[int, Mark] | None = None,
    ) -> Table:
        """A table after the set-up, for these names or for so many players. `deals` are hands by name, `deck` the cards
        on its top; whatever is not given is dealt by `seed`, and marks are drawn by it. Raises `IllegalPlay` for a
        set-up that the rules do not allow, and `ValueError` for a number of players that no game is for.
        """
        word("variant", variant, get_args(Variant))
        numbers(seed=seed)
        names = _names(players)
        read = taggable(rules_of(rules) or parse_rules(""))
        dealt = deal(names, variant, read, seed)
        given = {name: _cards(f"deals[{name!r}]", cards) for name, cards in (deals or {}).items()}
        for name in given:
            if name not in names:
                raise Unfit(unknown("no_player_named", name, names))
        dealt = _given(dealt, given, _cards("reserve", reserve), _cards("deck", deck))
        for value, mark in (marks or {}).items():
            word(f"marks[{value!r}]", mark, get_args(Mark))
            _cards("marks", [value])
        borne = {**dealt.marks, **{Value(value): mark for value, mark in (marks or {}).items()}}
        return cls(replace(dealt, marks=borne, tags=header_tags(names, read, variant, borne)))

    @property
    def state(self) -> State:
        """The state before the next player's draw."""
        return self._state

    @property
    def result(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self._state.result

    @property
    def to_move(self) -> str | None:
        """The name of the player whose turn it is, None after the end."""
        return None if self._state.result is not None else self._state.players[self._state.to_move]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far."""
        return self._record.turns

    def draw_amounts(self) -> tuple[int, ...]:
        """How many cards may be drawn now, rising; nothing after the end."""
        return () if self.result is not None else draw_amounts(self._state, self._record.rules.rulings)

    def legal_actions(self, draw: int | None = None) -> tuple[Move, ...]:
        """Every legal action after a draw of so many cards, the fewest that are legal if left out. None may be legal:
        then the turn is ``-``. Raises `ValueError` where so many cannot be drawn.
        """
        if self.result is not None:
            return ()
        drawn = carry_out(self._state, self._drawing(draw), self._state.to_move).drawn
        return legal_actions(drawn, self._state.to_move, self._record.rules.rulings).actions

    def legal_turns(self, action: Action | str | None = None, draw: int | None = None) -> tuple[Turn, ...]:
        """Every whole turn after a draw as in `legal_actions`: each legal action with each choice of what is filled,
        dropped and trimmed, or those with this action; ``-`` where no action is legal. All of them can be played.
        """
        if self.result is not None:
            return ()
        turn, rulings = self._drawing(draw), self._record.rules.rulings
        if action is not None:
            turn = replace(turn, action=self._turn(action, None).action)
            return tuple(filter(self._legal, _ends(self._state, turn, rulings)))
        wanted = [replace(turn, action=each) for each in self.legal_actions(draw)] or [turn]
        return tuple(end for each in wanted for end in _ends(self._state, each, rulings))

    def play(self, move: Turn | Action | str, *, draw: int | None = None, drop: Cards = (), trim: Cards = ()) -> Turn:
        """Play a turn: an action, a whole turn (of `legal_turns`), or its text in CGN, with or without number and name:
        ``"A 17@f1"``, ``"+3,48 D 3-48=45@j1x44 trim 3"``. It is returned as it was played.

        With `draw` so many cards are taken off the deck; a turn and a text may name them themselves, and an action
        without `draw` comes after the fewest that may be drawn. Raises `IllegalPlay`, and `ValueError` for what is no
        single turn; the table is then as it was.
        """
        turn = self._turn(move, draw)
        turn = replace(turn, drop=turn.drop + _cards("drop", drop), trim=turn.trim + _cards("trim", trim))
        record = replace(self._record, turns=(*self._record.turns, turn))
        self._state, self._record = self._judged(record), record
        return turn

    def record(self) -> Game:
        """The game so far, its result stated where it has ended."""
        return game_of(replace(self._record, result=self._state.result), "Table")

    def position(self) -> Position:
        """The table as a CGN position."""
        from couperation_formal.questions.records.states import position_after

        return position_after(self.record())

    def __repr__(self) -> str:
        told = {"turns": len(self._record.turns), "to_move": self.to_move, "result": self.result}
        return short(self, players=" ".join(self._record.players), rules=str(self._record.rules), **told)

    def __str__(self) -> str:
        return str(self._state)

    def _judged(self, record: Record) -> State:
        """The state after a game so far. Raises `IllegalPlay`, and `ValueError` where it hides a card that counts."""
        outcome = replay(record, record.rules.rulings)
        if outcome.illegal is not None:
            raise IllegalPlay(check(game_of(record, "Table"), record.rules, "plain"))
        if outcome.doubts:
            raise Unfit(fact("not_all_shown"))
        return outcome.states[-1]

    def _legal(self, turn: Turn) -> bool:
        outcome = replay(replace(self._record, turns=(*self._record.turns, turn)), self._record.rules.rulings)
        return outcome.illegal is None and not outcome.doubts

    def _drawing(self, draw: int | None) -> Turn:
        """The next turn, with a draw and no action yet."""
        numbers(draw=draw)
        amounts = self.draw_amounts()
        amount = amounts[0] if draw is None else draw
        if amount not in amounts:
            raise Unfit(fact("no_such_draw", draw=draw, amounts=amounts))
        state = self._state
        return Turn(state.turns + 1, state.players[state.to_move], top_cards(state.deck, amount), NoAction())

    def _turn(self, move: Turn | Action | str, draw: int | None) -> Turn:
        turn = self._read(move) if isinstance(move, str) else move
        action = turn.action if isinstance(turn, Turn) else turn
        if not isinstance(action, get_args(Action)):
            raise Mistaken(fact("takes_value", name="play", wanted="action", given=type(move).__name__))
        if not isinstance(action, NoAction) and not isinstance(action.cell, Cell):
            raise Mistaken(fact("takes_value", name="cell", wanted="cell", given=type(action.cell).__name__))
        if not isinstance(turn, Turn):
            over = Turn(self._state.turns + 1, self._state.players[self._state.to_move], (), turn)
            return over if self.result is not None else replace(self._drawing(draw), action=turn)
        if draw is None:
            return turn
        if turn.draw:
            raise Unfit(fact("draw_twice"))
        return replace(turn, draw=self._drawing(draw).draw)

    def _read(self, text: str) -> Turn:
        """The turn that a text is, read as the next line of the game."""
        state = self._state
        line = text if _NUMBERED.match(text) else " ".join([f"{state.turns + 1}.", state.players[state.to_move], text])
        if len(text.splitlines()) != 1:
            raise Unfit(fact("one_turn"))
        item = next(read_text(record_text(self._record).removesuffix("*\n") + line + "\n"))
        if not isinstance(item, Game):
            raise IllegalPlay(check(item))
        if len(item.record.turns) != len(self._record.turns) + 1 or item.record.result is not None:
            raise Unfit(fact("one_turn"))
        return item.record.turns[-1]


def _names(players: Sequence[str] | str | int) -> tuple[str, ...]:
    named = names_of(players)
    if not isinstance(named, int):
        return named
    if STANDARD.reserve_size(named) is None:
        raise Unfit(fact("no_game_for", players=named))
    return PLAYER_NAMES[:named]


def _cards(name: str, cards: Cards | None) -> tuple[Card, ...]:
    """Cards as they were given to the argument `name`; none for None."""
    given = cards.replace(",", " ").split() if isinstance(cards, str) else list(cards or ())
    taken = []
    for each in given:
        card = CARDS.get(str(each), UNSEEN)
        if isinstance(card, UnseenCard):
            raise Unfit(fact("takes_value", name=name, wanted="card", given=repr(each)))
        taken.append(card)
    return tuple(taken)


def _ends(state: State, turn: Turn, rulings: Rulings) -> Iterator[Turn]:
    """A turn without an end, with each choice of what is filled, dropped and trimmed."""
    seat = state.to_move
    step = carry_out(state, turn, seat)
    if isinstance(turn.action, NoAction) or ending(step, rulings) is not None:
        yield turn
        return
    for count in fill_amounts(step, rulings):
        filled = replace(turn, fill=step.deck[:count])
        for drop, trim, _ in limited(carry_out(state, filled, seat).filled, seat, rulings, frozenset()):
            yield replace(filled, drop=drop, trim=trim)


def _given(
    dealt: Record, deals: Mapping[str, tuple[Shown, ...]], reserve: tuple[Shown, ...], deck: tuple[Shown, ...]
) -> Record:
    """A deal in which some places hold the cards that were given; the others keep the order of the rest."""
    row, pile = dealt.reserve or (), dealt.deck or ()
    taken = {FINISH, *row[:2], *reserve, *deck, *(card for cards in deals.values() for card in cards)}
    order = [card for cards in (*dealt.deals.values(), row, pile) for card in cards]
    rest = iter([card for card in order if card not in taken])
    hands = {
        name: deals[name] if name in deals else tuple(islice(rest, len(cards))) for name, cards in dealt.deals.items()
    }
    row = reserve or (*row[:2], *islice(rest, len(row) - 2))
    below = list(rest)
    if FINISH in pile and FINISH not in deck:
        below.insert(max(0, pile.index(FINISH) - len(deck)), FINISH)
    return replace(dealt, deals=hands, reserve=row, deck=(*deck, *below))
