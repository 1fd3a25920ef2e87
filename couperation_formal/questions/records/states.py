"""What is asked about, in each of its forms; the state after a turn, what a player sees, a turn that breaks a rule."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from couperation_formal.game import record as recorded
from couperation_formal.game.fact import Fact, Mistaken, Spent, Steps, Told, Unfit, fact, numbers, of_type
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Diagnostic, Game, Position, Record, Snapshot, Turn
from couperation_formal.game.replay import Replay, as_played, replay
from couperation_formal.game.rules.arrangement import broken_orders, failing_chain
from couperation_formal.game.rules.moves import Moves, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules, Rulings, load_rules, unknown
from couperation_formal.game.seen import seen_position, seen_record
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Cell, Down, Laid, Tower, Up
from couperation_formal.notation.parse import name_of, name_written
from couperation_formal.notation.read import Malformed, read_text
from couperation_formal.notation.write import header_tags, position_text, record_text, turn_text
from couperation_formal.output.blocks import BAD, Heading, Paragraph, Row, Sentence, led, position_blocks, position_rows
from couperation_formal.output.report import cited, hanging
from couperation_formal.questions.records.verdict import plain_report
from couperation_formal.words.say import ENGLISH

if TYPE_CHECKING:
    from couperation_formal.output.svg import Theme


# What the public functions take: games and positions in each of their forms, rulebooks by name, words, numbers. What is
# of another type is refused with a sentence (`Mistaken`, a `TypeError`), and so is another word (`ValueError`).

T = TypeVar("T")


class Playable(ABC):
    """What is played on, and is asked about as the game that it is so far."""

    @abstractmethod
    def record(self) -> Game:
        """The game so far."""


GameLike = Game | Record | Playable | Snapshot | Malformed
"""A recorded game. Of what `read` gives, a position is refused (`TypeError`) and what is no CGN (`ValueError`)."""

PlaceLike = GameLike | Position | State
"""A game, after a turn of it, or a position. A `State` is one under the rules that are given with it."""


def game_of(value: object, name: str) -> Game:
    """The game that a value is, for the function `name`. A record becomes the game that its text is. Raises `Mistaken`,
    and `ValueError` for a game that cannot be read or written. Cost: for a record that of writing and reading it.
    """
    game = _game(value)
    if game is None:
        if isinstance(value, Snapshot | Position):
            raise Mistaken("game_wanted")
        raise Mistaken(_not_taken("takes_game", name, value))
    return game


def place_of(value: object, name: str, rules: Rules | None = None) -> Game | Snapshot:
    """The game or position that a value is, as `game_of` has it. A `State` is one under `rules`, and without them none
    (`ValueError`).
    """
    if isinstance(value, State):
        if rules is None:
            raise Unfit("state_rules")
        tags = header_tags(value.players, rules, value.variant, value.marks)
        value = position_of(value, rules, tuple(tag for tag in tags if tag[0] != "Rules"))
    if isinstance(value, Position):
        return replace(cast("Snapshot", _read(position_text(value))), position=value)
    item = value if isinstance(value, Snapshot) else _game(value)
    if item is None:
        raise Mistaken(_not_taken("takes_place", name, value))
    return item


def _game(value: object) -> Game | None:
    """The game that a value is; None for what is of another type."""
    if isinstance(value, Game):
        return value
    if isinstance(value, Malformed):
        raise Unfit("unread_game", why=value.diagnostics[0].what)
    if isinstance(value, Record):
        return replace(cast("Game", _read(record_text(value))), record=value)
    return value.record() if isinstance(value, Playable) else None


def _read(text: str) -> Game | Snapshot:
    """The one game or position of a text that was made here. Raises `ValueError` where CGN cannot hold it."""
    item = next(read_text(text))
    if isinstance(item, Malformed):
        raise Unfit("unread_game", why=item.diagnostics[0].what)
    return item


def _not_taken(kind: str, name: str, value: object) -> Fact:
    hint = fact("hint_text") if isinstance(value, str) else fact("hint_many") if isinstance(value, Iterable) else ""
    return fact(kind, name=name, given=_type(value), hint=hint)


def _type(value: object) -> str:
    return "None" if value is None else type(value).__name__


def answer_of(name: str, by: str, answer: T, kind: type[T]) -> T:
    """What the function `by` returned, of this kind, for the function `name`. Raises `Mistaken` for what is not."""
    if isinstance(answer, kind):
        return answer
    raise Mistaken("takes_answer", name=name, by=by, given=_type(answer))


def rules_of(rules: Rules | str | None) -> Rules | None:
    """Rules, or those that a text names. Raises what `load_rules` raises, and `Mistaken`."""
    if isinstance(rules, str):
        return load_rules(rules)
    return of_type("rules", rules, Rules, "rules")


def names_of(players: Sequence[str] | str | int) -> tuple[str, ...] | int:
    """The players' names, also from a text of them, or their number. Raises `Mistaken`, and `ValueError` for a name
    that CGN cannot hold.
    """
    of_type("players", players, (int, Sequence), "names")
    if isinstance(players, int):
        return players
    names = tuple(players.split() if isinstance(players, str) else players)
    for name in names:
        of_type("players", name or None, str, "names")
        _require_name(name)
    return names


def reserve_of(players: Sequence[str]) -> int:
    """The number of Reserve cards of a game of these players. Raises `ValueError` where there is no such game, or where
    CGN cannot hold the names.
    """
    size = STANDARD.reserve_size(len(players))
    if size is None:
        raise Unfit("players", least=2, most=4, players=len(players))
    for name in players:
        if players.count(name) > 1:
            raise Unfit("same_name", name=name)
        _require_name(name)
    return size


def _require_name(name: str) -> None:
    if not name or any(character.isspace() or character in '";{}[]' for character in name):
        raise Unfit("no_name", name=repr(name))


def word(name: str, value: object, known: Sequence[str]) -> None:
    """Raises `ValueError` for a word that is none of an option's; it names the nearest."""
    if value not in known:
        raise Unfit(unknown("no_option", value, known, ruling=name))


# The state after a turn.


class NoSuchTurn(Told, LookupError):
    """The record has no such turn, or a turn before it is illegal, so that no state follows."""


def state_after(game: GameLike, turn: int | None = None, rules: Rules | str | None = None) -> State:
    """The state after turn `turn`, counted by place; 0 is the set-up, None the last turn. Raises `NoSuchTurn`."""
    numbers(turn=turn)
    item = game_of(game, "state_after")
    return _state(item, _outcome(item, rules_of(rules)), len(item.record.turns) if turn is None else turn)


class Illegal(NamedTuple):
    """The first illegal turn of a game, and the clause that it breaks first."""

    turn: int
    clause: str


def legal_part(
    game: Game, rules: Rules | None = None, illegal: Illegal | None = None
) -> tuple[Game, Replay, Illegal | None]:
    """The game up to its first illegal turn, this excluded, its replay, and that turn, where it is not given; where it
    is the stated result that is wrong, all turns. Raises `NoSuchTurn` where the set-up is illegal or the record cannot
    be told so far. Cost: one replay, two of an illegal game.
    """
    outcome = _outcome(game, rules)
    if illegal is None and outcome.illegal is not None and not _setup_refused(outcome):
        illegal = Illegal(outcome.illegal, outcome.broken[0].clause)
    if illegal is not None:
        kept = game.record.turns if illegal.clause == "END05" else game.record.turns[: illegal.turn - 1]
        game = replace(game, record=replace(game.record, turns=kept, result=None))
        outcome = _outcome(game, rules)
    _state(game, outcome, len(game.record.turns))
    return game, outcome, illegal


def _outcome(game: Game, rules: Rules | None) -> Replay:
    return replay(game.record, (rules or game.record.rules).rulings)


def _setup_refused(outcome: Replay) -> bool:
    """Whether the set-up breaks a rule; a record without turns may state a wrong result too."""
    return outcome.illegal == 0 and outcome.broken[0].clause != "END05"


def _state(game: Game, outcome: Replay, turn: int, ahead: int = 0) -> State:
    """The state after a turn, which is asked for by the turn that comes so many after it."""
    turns = len(game.record.turns)
    if not 0 <= turn <= turns:
        raise NoSuchTurn("no_turn", turn=turn + ahead, turns=turns)
    if _setup_refused(outcome):
        raise NoSuchTurn("setup_illegal", clause=outcome.broken[0].clause)
    if turn >= len(outcome.states):
        bad, last = len(outcome.states), len(outcome.states) - 1 + ahead
        if outcome.illegal == bad:
            raise NoSuchTurn("no_state_illegal", bad=bad, turn=turn, clause=outcome.broken[0].clause, last=last)
        raise NoSuchTurn("no_state_untold", bad=bad, turn=turn, why=outcome.doubts[-1].what, last=last)
    return outcome.states[turn]


def doubtful(game: Game, turn: int | None = None, rules: Rules | None = None) -> bool:
    """Whether the state after turn `turn` (None: the last) stands on something that the record does not show, so that
    the turns up to it may be illegal all the same.
    """
    last = len(game.record.turns) if turn is None else turn
    return any(doubt.turn <= last for doubt in _outcome(game, rules).doubts)


def moves_at(game: Game, turn: int, rules: Rules | None = None, budget: Steps | None = None) -> Moves:
    """Every legal action in turn `turn` after its recorded draw, as far as `budget` allows. Raises `NoSuchTurn`.

    Where the record ends before `turn`, that turn stands without a draw. The turn itself may be illegal; only its draw
    is taken from it.
    """
    state = turn_table(game, turn, rules)
    return legal_actions(state, state.to_move, (rules or game.record.rules).rulings, budget)


def moves_by_formulas(game: Game, turn: int, rules: Rules | None = None, budget: Steps | None = None) -> Moves:
    """The same by the formulas of the specification, which are asked of every action; `complete` is False, and none is
    told, where not all is seen or the budget ends. Nor is `could`: a formula is asked of a table, and there are
    very many that the unseen cards allow.
    """
    from couperation_formal.formulas.judge import NotShown, legal_moves

    state = turn_table(game, turn, rules)
    try:
        return Moves(legal_moves(state, (rules or game.record.rules).rulings, budget), True)
    except NotShown:
        return Moves((), False)
    except Spent:
        return Moves((), False, False)


def turn_table(game: Game, turn: int, rules: Rules | None = None) -> State:
    """The table in turn `turn` after its recorded draw; where the record ends before, without one. Raises
    `NoSuchTurn`.
    """
    state = before_turn(game, turn, rules)
    if turn <= len(game.record.turns):
        state = carry_out(state, game.record.turns[turn - 1], state.to_move).drawn
    return state


def before_turn(game: Game, turn: int, rules: Rules | None = None) -> State:
    """The table before turn `turn`, which somebody has to play. Raises `NoSuchTurn`."""
    if turn < 1:
        raise NoSuchTurn("turns_from_1")
    state = _state(game, _outcome(game, rules), turn - 1, ahead=1)
    if state.result is not None:
        raise NoSuchTurn("turn_over", end=state.turns, turn=turn)
    return state


def position_after(game: GameLike, turn: int | None = None, rules: Rules | str | None = None) -> Position:
    """The same state as a CGN position. Raises `NoSuchTurn`."""
    numbers(turn=turn)
    item = game_of(game, "position_after")
    under = rules_of(rules) or item.record.rules
    return position_of(state_after(item, turn, under), under, kept_tags(item))


def kept_tags(game: Game) -> tuple[tuple[str, str], ...]:
    """The tags of a game that its positions keep; `position_of` adds the rules."""
    kept = ("CGN", "Event", "Lang", "Variant", "Players", "Marks")
    return tuple((name, value) for name, value in game.record.tags if name in kept)


# Games and positions as one player, or the public, could have written them down.


class View(NamedTuple):
    """Who looks: a player by name, or (None) the public."""

    player: str | None


def view_of(name: str) -> View:
    """The view that a word names: ``public`` is everybody at the table, anything else a player, as is all between
    quotation marks, which no name holds.
    """
    return View(None if name == "public" else name_written(re.sub(r'^"(.*)"$', r"\1", name)))


def seen_by(item: PlaceLike, viewer: str | None = None) -> Game | Snapshot:
    """A game or position as the player `viewer` could have written it down, or (None) anybody at the table: what he
    cannot know is unseen, and comments, glyphs and tags that may tell anything are left out. A turn shows what was
    known when it was played (`game.seen`). Its text is canonical and nothing of the item's own. Raises `ValueError`
    where nobody of this name plays. Cost: that of reading the game once.
    """
    item = place_of(item, "seen_by")
    of_type("viewer", viewer, str, "str")
    players = item.record.players if isinstance(item, Game) else item.position.players
    viewer = None if viewer is None else name_of(viewer)
    if viewer is not None and viewer not in players:
        raise Unfit(unknown("no_player_named", viewer, players))
    if isinstance(item, Game):
        return game_seen(item, viewer)
    return replace(place_of(seen_position(item.position, viewer), "seen_by"), file=item.file, index=item.index)


def game_seen(game: Game, viewer: str | None) -> Game:
    """`seen_by` of a game, and nobody's name is asked."""
    return replace(game_of(seen_record(game.record, viewer), "seen_by"), file=game.file, index=game.index)


def states_seen(game: Game, rulings: Rulings) -> tuple[State, ...]:
    """The tables of a game that was `seen_by` somebody, as far as it tells them. Cost: one replay."""
    return replay(game.record, rulings).states


# A turn that breaks a rule: the card that it lays or opens, the laid ones that it cannot stand with, and the table
# that it would leave.


def attempt(turn: Turn) -> tuple[Cell, Laid] | None:
    """The cell that a turn acts on, and how the card that it lays or opens there would lie."""
    action = turn.action
    if isinstance(action, recorded.NoAction):
        return None
    if isinstance(action, recorded.Exchange):
        return action.cell, Up(action.taken) if action.face_up else Down(action.taken)
    return action.cell, Down(action.card) if isinstance(action, recorded.LayDown) else Up(action.card)


def conflict(state: State, cell: Cell, laid: Laid, rulings: Rulings) -> tuple[Cell, ...]:
    """The other cells of the orders that this card on `cell` breaks, sorted; of a chain through down cards where it
    breaks none by itself. None off the board, and none where the card lies there already. Cost: one check of a tower.
    """
    board = state.board
    if laid == state.tower.cells.get(cell) or cell.level > board.levels or cell.column + cell.level > board.columns:
        return ()
    tower = state.tower.lay(cell, laid)
    broken = broken_orders(board, tower, rulings, cell)
    chain = None if broken else failing_chain(board, tower, rulings)
    cells = {each for each_broken in broken for each in each_broken.order[:2]} | set(chain.cells if chain else ())
    return tuple(sorted(cells - {cell}))


class Attempted(NamedTuple):
    """A turn that breaks a rule, as it was played: its place, what it breaks, the error first, and the table that it
    would leave, with the card that it lays or opens as the last one and nobody to move, and the least and the
    greatest number of cards in the deck then; no table where the record does not show it.
    """

    place: int
    turn: Turn
    broken: tuple[Diagnostic, ...]
    position: Position | None
    deck: tuple[int, int]


def attempted(game: Game, turn: int | None = None, rules: Rules | None = None) -> Attempted | None:
    """Turn `turn` (None: the last), where the plain replay of the game ends with it because it breaks a rule; None for
    any other turn. Cost: a replay.
    """
    record, rules = game.record, rules or game.record.rules
    place = len(record.turns) if turn is None else turn
    outcome = replay(record, rules.rulings)
    if not place or outcome.illegal != place or len(outcome.states) != place:
        return None
    diagnostics = plain_report(game, rules, outcome).diagnostics
    state, _ = as_played(outcome.states[-1], record.turns[place - 1], place, rules.rulings, [], False, False)
    position, deck = None, (0, 0)
    if state is not None:
        after = position_of(state, rules, kept_tags(game))
        position = replace(after, turn=None, last=state.touched, idle=False, laid_down=False, skipped=0)
        deck = state.sizes()
    broken = tuple(each for each in diagnostics if each.turn == place and each.severity != "warning")
    return Attempted(place, record.turns[place - 1], broken, position, deck)


def misstated(game: Game, turn: int | None = None, rules: Rules | None = None) -> Diagnostic | None:
    """What is wrong with the result that the game states (END05), where it is all that is wrong and `turn` (None: the
    last) is the last one. Cost: a replay.
    """
    record, rules = game.record, rules or game.record.rules
    outcome = replay(record, rules.rulings)
    if turn not in (None, len(record.turns)) or outcome.illegal is None or outcome.broken[0].clause != "END05":
        return None
    return plain_report(game, rules, outcome).diagnostics[0]


# A turn that is refused, for people: what it breaks, and the table that it would leave, told as such.


def attempted_blocks(refused: Attempted, rules: Rules) -> Iterator[Paragraph]:
    """The turn with what it breaks, and the table that it would leave."""
    head = led(fact("refused_turn", turn=refused.place), turn_text(refused.turn), BAD)
    yield [head, *(Sentence(said, indent=2) for said in _broken(refused, rules))]
    if refused.position is None:
        yield [Sentence(fact("attempted_untold", turn=refused.place))]
        return
    first, *rest = position_blocks(refused.position, deck=refused.deck)
    yield [Heading(fact("as_attempted", turn=refused.place)), *first]
    yield from rest


def _broken(refused: Attempted, rules: Rules) -> Iterator[Fact]:
    for each in refused.broken:
        message = (each.what, cited(each.code, rules.rulebook), hanging(each))
        yield fact("refused_by", clause=each.code, message=message)


def attempted_svg(
    refused: Attempted, before: Position, rules: Rules, theme: Theme, names: bool = False, language: str = ENGLISH
) -> str:
    """The table that a refused turn would leave as SVG, its card marked as refused, with what it breaks; the one
    `before` it where the record does not show that.
    """
    from couperation_formal.output.svg import Note, tower_picture, tower_svg

    position = refused.position or before
    tower = Tower.of(STANDARD, dict(position.tower))
    picture = tower_picture(tower, rules.rulings, position.marks, refused=attempt(refused.turn))
    rows = position_rows(position, deck=refused.deck if refused.position else None)
    head = fact("told_of", what=fact("refused_turn", turn=refused.place), said=turn_text(refused.turn))
    told = [Note(text, wrong=True) for text in (head, *_broken(refused, rules))]
    told.append(Note(fact("as_attempted" if refused.position else "attempted_untold", turn=refused.place)))
    under: list[Row | Note] = [*told, *rows]
    return tower_svg(picture, theme, names=names, width=720, under=under, marks=position.marks, language=language)
