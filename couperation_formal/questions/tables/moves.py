"""The legal actions of a turn, and which of them keep the table alive, with every choice of cards to destroy."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final, Literal, TypeGuard

import msgspec
from msgspec.structs import replace

from couperation_formal.game.fact import Spent, Steps, Text, fact, numbers, steps_of, taken
from couperation_formal.game.position import position_of, state_of
from couperation_formal.game.record import Exchange, Game, LayDown, LayUp, NoAction, Open, Position, Turn, short
from couperation_formal.game.rules.moves import Move, Moves, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rules.turn import ending
from couperation_formal.game.rulings import Rules
from couperation_formal.game.state import State
from couperation_formal.game.tower import Mark, Shown, UnseenCard, Value
from couperation_formal.notation.write import action_text
from couperation_formal.output.blocks import BAD, GOOD, OPEN, Block, Columns, Heading, Paragraph, Sentence, Verbatim
from couperation_formal.output.formats import CardData, Data, GameData, Positive, card_data
from couperation_formal.questions.records import states
from couperation_formal.questions.records.sample import fill_amounts, limited
from couperation_formal.questions.tables import why
from couperation_formal.questions.tables.ask import ask, line_from, place_asked, table_certificates
from couperation_formal.towers.completion.answer import Completable, complete
from couperation_formal.towers.continuation.answer import Answer, Dead, Unknown, Won, lines
from couperation_formal.words.say import encodable

# Which legal actions of a turn keep a table alive: each one is tried with every choice of cards to destroy.


def opens_unseen(move: Move) -> TypeGuard[Open]:
    """Whether the action opens a card that nobody knows."""
    return isinstance(move, Open) and isinstance(move.card, UnseenCard)


_END: Final = 100
"""The steps that an end of a turn takes to be made."""
_ENOUGH: Final = 40_000
"""An action that is still open is asked about again where it can have so many steps, or all that are left."""
_LEAST: Final = 2_000
"""An end is asked about where it can have so many steps, or all that are left."""

Verdict = Literal["alive", "dead", "undetermined"]


class End(msgspec.Struct, frozen=True):
    """An action with one choice of the cards to destroy: the turn, the position after it and its answer."""

    turn: Turn
    position: Position
    answer: Answer


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of the table after `action`.

    `line` is the turn and a continuation after it that wins, the turn alone where the action itself wins the game; None
    where none was found. `ends` are the ends of the turn that were asked about: alive, the one that is; dead, all of
    them, none where the action loses the game. Of `limit` steps for all actions `spent` were taken so far.
    """

    action: Move
    verdict: Verdict
    line: tuple[Turn, ...] | None
    ends: tuple[End, ...]
    spent: int
    limit: int

    def kept(self, line: tuple[Turn, ...]) -> Judged:
        """The same with a line that is known to win and begins with the action, where it was open."""
        return self if self.verdict == "alive" else replace(self, verdict="alive", line=line)

    def data(self) -> JudgedData:
        """One action with what it makes of the table."""
        answers, open_ = [end.answer for end in self.ends], self.verdict == "undetermined"
        bound = max((answer.bound for answer in answers if isinstance(answer, Unknown)), default=0)
        reasons: dict[str, why.TableReasonData] = {}
        if self.verdict == "dead":
            for reason in chain.from_iterable(map(why.reasons_of, answers)):
                reasons.setdefault(reason.kind, reason)
            reasons = reasons or {"loss": why.ended("loss")}
        return JudgedData.of(
            self,
            text=action_text(self.action),
            line=why.written(self.line or ()) or None,
            assumed_marks=next(filter(None, map(why.marks_of, answers)), {}),
            checked=None if open_ else all(why.checked(answer) is not False for answer in answers),
            budget=why.BudgetData.of(self, bound=bound, sizes=()) if open_ else None,
            reasons=tuple(reasons.values()),
        )

    def blocks(self) -> Paragraph:
        """An action: whether it keeps the table alive, and a line that wins or why there is none."""
        data, line = self.data(), list[Block]()
        style = {"alive": GOOD, "dead": BAD, "undetermined": OPEN}[data.verdict]
        if data.line is not None:
            line = [Verbatim(data.line, "dim", indent=4)]
            told = [fact("with_marks", marks=why.marks_text(data.assumed_marks))] if data.assumed_marks else []
        elif data.budget is not None:
            told = [fact("action_open", tables=len(self.ends), taken=taken(data.budget))]
        else:
            told = list(map(why.table_sentence, data.reasons))
        said = Columns([[(fact(data.verdict), style), data.text]], least=12)
        return [said, *line, *(Sentence("", text, "dim", indent=4) for text in told)]

    def certificates(self) -> Iterator[dict[str, Any]]:
        """The certificates of the positions after it. One that wins at once needs none: the rules say so."""
        for end in self.ends:
            yield from table_certificates(end.position, end.answer)


class Chance:
    """What a turn can do after its recorded draw, under these rules; `turn` is only asked for number, name and draw.
    `budget` pays for everything.
    """

    def __init__(
        self, before: State, turn: Turn, rules: Rules, tags: tuple[tuple[str, str], ...], budget: Steps
    ) -> None:
        self.budget, self.rulings = budget, rules.rulings
        self._rules, self._tags, self._turn = rules, tags, turn
        self._player = before.to_move
        self._drawn = carry_out(before, turn, self._player).drawn
        self.moves: Moves = legal_actions(self._drawn, self._player, rules.rulings, self.budget)

    def judged(self) -> Iterator[Judged]:
        """Every action, judged, in the order in which they are decided, the open ones last.

        First there is a glance at all of them, then beams go from all that are open at once, so that a line found
        for one serves the others; what is still open shares the rest of the budget twice: a quarter of it, then all.
        """
        cases = [_Case(self, move) for move in self.moves.actions]
        for case in cases:
            case.look(1)
        yield from (case.judged for case in cases if not case.open)
        begun = [case for case in cases if case.unsure and not case.ends[case.unsure[0]].position.sizes]
        tables = [state_of(case.ends[case.unsure[0]].position) for case in begun]
        for at, won in lines(tables, self.rulings, self.budget) if begun else ():
            begun[at].settle(begun[at].unsure[0], won)
            yield begun[at].judged
        for part, least in ((4, 0), (1, _ENOUGH)):
            cases = [case for case in cases if case.open]
            for place, case in enumerate(cases):
                with self.budget.at_most(max(least, self.budget.left // part // (len(cases) - place))):
                    case.ask()
                if least or not case.open:
                    yield case.judged

    def ends(self, move: Move) -> Iterator[tuple[Turn, State | None]]:
        """The turns with this action that do not lose, each with the state after it, None where it wins. An unseen
        card that is opened may be any that is placed nowhere.
        """
        rulings = self.rulings
        for shown in self._shown(move):
            turn = Turn(self._turn.number, self._turn.player, (), shown)
            step = carry_out(self._drawn, turn, self._player)
            end = ending(step, rulings)
            whole = replace(turn, draw=self._turn.draw)
            if end == "win":
                yield whole, None
            elif end != "loss":
                for fill in (step.deck[:count] for count in fill_amounts(step, rulings)):
                    filled = carry_out(self._drawn, replace(turn, fill=fill), self._player).filled
                    for drop, trim, state in limited(filled, self._player, rulings, self._needed(filled)):
                        yield replace(whole, fill=fill, drop=drop, trim=trim), state

    def position(self, state: State) -> Position:
        """A state after the turn as a position."""
        return position_of(state, self._rules, self._tags)

    def _shown(self, move: Move) -> Iterator[Move]:
        if not opens_unseen(move):
            yield move
            return
        for value in map(Value, range(1, self._drawn.board.cards + 1)):
            if self._drawn.whereabouts(value) is None:
                yield Open(move.cell, value)

    def _needed(self, state: State) -> frozenset[int]:
        """The cards of some filling of the tower: those that are better kept."""
        if state.tower.hidden:
            return frozenset()
        answer = complete(self.position(state))
        return frozenset(answer.filling.values()) if isinstance(answer, Completable) else frozenset()


class _Case:
    """An action while it is judged: its ends as far as they are made, and the places of those that are `unsure`."""

    def __init__(self, chance: Chance, move: Move) -> None:
        self._chance, self._budget, self._move, self._more = chance, chance.budget, move, chance.ends(move)
        self._line: tuple[Turn, ...] | None = None
        self._whole = False
        self.ends: list[End] = []
        self.unsure: list[int] = []

    @property
    def judged(self) -> Judged:
        """What is known of the action so far."""
        ends, (spent, limit) = tuple(self.ends), (self._budget.spent, self._budget.limit)
        return Judged(action=self._move, verdict=self._verdict, line=self._line, ends=ends, spent=spent, limit=limit)

    @property
    def _verdict(self) -> Verdict:
        if self._line:
            return "alive"
        return "dead" if self._whole and not self.unsure else "undetermined"

    @property
    def open(self) -> bool:
        """Whether it is not known what becomes of the table."""
        return self._verdict == "undetermined"

    def look(self, most: int) -> None:
        """Make further ends until a glance leaves so many open. One that cannot be paid for is made later."""
        with suppress(Spent):
            while self.open and len(self.unsure) < most and not self._whole:
                self._budget.spend(_END)
                turn, state = next(self._more, (None, None))
                if turn is None:
                    self._whole = True
                elif state is None:
                    self._line = (turn,)
                else:
                    position = self._chance.position(state)
                    self.unsure.append(len(self.ends))
                    self.ends.append(End(turn, position, NOT_ASKED))
                    self.settle(self.unsure[-1], ask(position, self._budget, True))

    def settle(self, at: int, answer: Answer) -> None:
        """Note the answer on an end. One that is alive is all that is told of the action."""
        end = replace(self.ends[at], answer=answer)
        if isinstance(answer, Won):
            self.ends, self.unsure = [end], []
            self._line = (end.turn, *line_from(answer, end.turn.number))
        else:
            self.ends[at] = end
            if isinstance(answer, Dead):
                self.unsure.remove(at)

    def ask(self) -> None:
        """Ask about the open ends, which share the budget, up to the first one that is alive."""
        self.look(sys.maxsize)
        for place, at in enumerate(unsure := tuple(self.unsure)):
            if self.open and self._budget.left:
                with self._budget.at_most(max(_LEAST, self._budget.left // (len(unsure) - place))):
                    self.settle(at, ask(self.ends[at].position, self._budget))


NOT_ASKED = Unknown(0, 0, 0)
"""The answer on what was not asked about."""


class Prospect(msgspec.Struct, frozen=True, kw_only=True):
    """A turn of a game and what can be done in it."""

    game: Game
    turn: int
    player: str
    chance: Chance

    def judged(self) -> Iterator[Judged]:
        """Each action with what becomes of the table after it, as it is found."""
        return self.chance.judged()

    def __repr__(self) -> str:
        return short(self, game=self.game, turn=self.turn, actions=len(self.chance.moves.actions))

    def __str__(self) -> str:
        """The legal actions, one a line."""
        return str(self.chance.moves)

    def data(self, judged: Sequence[Judged]) -> TableMovesData:
        """The judged actions as `moves --alive --output-format json` writes them, in the order of the turn."""
        place = self.chance.moves.actions.index
        return TableMovesData.about(
            self.game,
            self,
            player=encodable(self.player),
            level="table",
            complete=self.chance.moves.complete,
            actions=tuple(each.data() for each in sorted(judged, key=lambda each: place(each.action))),
        )

    def head(self, judged: Sequence[Judged] | None = None) -> Paragraph:
        """How many actions a turn has and, when they are `judged`, how many of each kind."""
        moves = self.chance.moves
        said = fact("so_many_actions", actions=len(moves.actions), more=more_actions(moves, self.chance.budget))
        if judged is not None:
            kinds = ("alive", "dead", "undetermined")
            said = fact("judged", {kind: sum(each.verdict == kind for each in judged) for kind in kinds}, actions=said)
        return [Heading(fact("of_turn", turn=self.turn, player=self.player, said=said))]


def moves(item: states.PlaceLike, turn: int | None = None, rules: Rules | str | None = None) -> Moves:
    """Every legal action in turn `turn` of a game, counted by place from 1, after its recorded draw; without `turn` in
    the one that follows the last, before anybody draws. Of a position: of the player to move, before the draw. Raises
    `NoSuchTurn`.
    """
    asked, turn, read = place_asked("moves", item, turn, rules)
    if isinstance(asked, Game):
        return states.moves_at(asked, len(asked.record.turns) + 1 if turn is None else turn, read)
    position = asked.position
    if position.turn is None:
        raise states.NoSuchTurn(fact("nobody_to_move"))
    state = state_of(position)
    return legal_actions(state, state.to_move, (read or position.rules).rulings)


def prospect(
    game: states.GameLike, turn: int | None = None, rules: Rules | str | None = None, budget: Steps | int | None = None
) -> Prospect:
    """The legal actions of turn `turn` of a game after its recorded draw, to be judged one by one: `Prospect.judged`
    tells of each whether the table can still be won after it, and `budget` pays for all. Without `turn`, and where the
    record ends before it, that turn stands without a draw. Raises `NoSuchTurn`.
    """
    numbers(turn=turn)
    game = states.game_of(game, "prospect")
    rules = states.rules_of(rules) or game.record.rules
    turn = len(game.record.turns) + 1 if turn is None else turn
    state = states.before_turn(game, turn, rules)
    player = state.players[state.to_move]
    draw: tuple[Shown, ...] = game.record.turns[turn - 1].draw if turn <= len(game.record.turns) else ()
    chance = Chance(state, Turn(turn, player, draw, NoAction()), rules, states.kept_tags(game), steps_of(budget))
    return Prospect(game=game, turn=turn, player=player, chance=chance)


# The JSON form of actions.


class OpenData(Data, tag_field="action", tag="C"):
    """Action C: the down card on `cell` is turned up."""

    text: str
    cell: str


class LayUpData(OpenData, tag="A"):
    """Action A: `card` is laid up on `cell`."""

    card: CardData


class LayDownData(LayUpData, tag="B"):
    """Action B: `card` is laid down on `cell`."""


class ExchangeData(OpenData, tag="D"):
    """Action D: `taken` is laid on `cell`, in place of a laid card where `replacing`."""

    taken: CardData
    sent: tuple[CardData, CardData]
    destroyed: tuple[CardData, ...]
    face_up: bool
    replacing: bool


ActionData = LayUpData | LayDownData | OpenData | ExchangeData


class MovesData(GameData):
    """The legal actions of one turn; `complete` is false where unseen cards may allow more, and `could` is then where
    one of the hand could be laid: a card that the table shows nowhere fits there. The formulas
    (`--engine spec`) list neither.
    """

    turn: Positive
    player: str
    complete: bool
    actions: tuple[ActionData, ...]
    could: tuple[ActionData, ...]
    format: Literal[1]


def moves_data(game: states.GameLike, turn: int, moves: Moves) -> MovesData:
    """The legal actions in turn `turn` of a game as `moves --output-format json` writes them."""
    numbers(turn=turn)
    game, moves = states.game_of(game, "moves_data"), states.answer_of("moves_data", "moves", moves, Moves)
    players = game.record.players
    return MovesData.about(
        game,
        moves,
        turn=turn,
        player=players[(turn - 1) % len(players)],
        actions=tuple(map(_action, moves.actions)),
        could=tuple(map(_action, moves.could)),
    )


def _action(move: Move) -> ActionData:
    text, cell = action_text(move), str(move.cell)
    match move:
        case Open():
            return OpenData(text=text, cell=cell)
        case LayUp() | LayDown():
            form = LayUpData if isinstance(move, LayUp) else LayDownData
            return form(text=text, cell=cell, card=card_data(move.card))
        case Exchange():
            return ExchangeData.of(
                move,
                text=text,
                cell=cell,
                taken=card_data(move.taken),
                sent=(card_data(move.first), card_data(move.second)),
                destroyed=tuple(card_data(card) for _, card in move.adjust),
                replacing=move.replaced is not None,
            )


class JudgedData(Data):
    """A legal action and what it makes of the table. `line` are the turns that then win, its own first; `reasons` hold
    one for each kind among the choices of cards to destroy. `budget` is that of all actions.
    """

    text: str
    verdict: Verdict
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    checked: bool | None
    budget: why.BudgetData | None
    reasons: tuple[why.TableReasonData, ...]


class TableMovesData(GameData):
    """The legal actions of one turn, judged; `complete` is false where unseen cards may allow more."""

    turn: Positive
    player: str
    level: Literal["table"]
    complete: bool
    actions: tuple[JudgedData, ...]
    format: Literal[1]


def more_actions(moves: Moves, budget: Steps) -> Text:
    """What is to be said of a list of legal actions besides."""
    if not moves.told:
        return fact("budget_before_all", taken=taken(budget))
    return "" if moves.complete else fact("unseen_may_allow_more")
