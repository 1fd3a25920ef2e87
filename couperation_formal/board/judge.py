"""What the rules say of a turn that is being made: a verdict with reasons in numbers, and what is still due."""

from __future__ import annotations

from collections.abc import Iterator, Set as AbstractSet
from typing import Any, Literal

import msgspec

from couperation_formal.board.draft import Draft, Offers, after_draw, begun, cards, cell_of, offers, supposed, turn_of
from couperation_formal.board.record import placed_at, typed
from couperation_formal.game.fact import Datum, Fact
from couperation_formal.game.record import Exchange, Game, Record, Turn
from couperation_formal.game.replay import Broken, replay
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import draw_limit, ending, fill_limit, lim01, lim02
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import UNSEEN, Cell, Down, Shown, card_key
from couperation_formal.hidden.readings.standing import mends_at
from couperation_formal.notation.write import turn_text
from couperation_formal.questions.records.quarrel import judged
from couperation_formal.words.say import named, say

Verdict = Literal["legal", "illegal", "undetermined"]
_PARTS: dict[str, Literal["drop", "trim"]] = {"drop": "drop", "trim": "trim"}
_DRAWS = ("DRW01", "DRW02", "DRW03", "DRW04", "DRW05")


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A clause that the turn breaks: the sentence with its numbers, the part of the turn and the cells it names."""

    clause: str
    message: str
    part: str
    cells: tuple[str, ...] = ()


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """What the turn still has to name: so many cards of a part, `least` of them at least. `cards` are those that it can
    be, where they are told.
    """

    part: Literal["draw", "action", "card", "cell", "sent", "replaced", "fill", "drop", "trim"]
    least: int = 1
    most: int = 1
    cards: tuple[str, ...] = ()


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The rules on one turn. `books` tells what each rulebook says of the turn by itself, and the smallest changes of
    its rules that do not refuse it, nor a turn before it; asked where it is illegal here and nothing is due. `ends`
    tells how the turn ends the game; `later` the first later turn that it breaks, with the sentence.
    """

    verdict: Verdict
    found: tuple[Found, ...] = ()
    open: tuple[str, ...] = ()
    books: dict[str, str] = {}
    changes: dict[str, str] = {}
    ends: str | None = None
    later: tuple[int, str, str] | None = None


class Drafted(msgspec.Struct, frozen=True, kw_only=True):
    """A draft as the board shows it. `text` is the canonical line, None while the action is not told; `may_draw` the
    amounts that may be drawn, `draws_known` whether the record tells which; `turn` is for those who go on with it here.
    """

    place: int
    player: str
    text: str | None
    judged: Judgement | None
    due: tuple[Due, ...]
    may_draw: tuple[int, ...]
    draws_known: bool
    offers: Offers | None
    turn: Turn | None

    def told(self) -> dict[str, Any]:
        """It as data."""
        told: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(self, turn=None))
        del told["turn"]
        return told


def stood_before(record: Record, place: int) -> State:
    """The table before the turn at this place; turns before it stand as they were played, illegal ones too. Where the
    record does not tell it, as far as it does. Cost: one replay, some of a game that is not legal or not told.
    """
    rulings = record.rules.rulings
    kept = msgspec.structs.replace(record, turns=record.turns[: place - 1], result=None)
    outcome = replay(kept, rulings)
    if outcome.illegal is not None:
        outcome = replay(kept, rulings, since=place, hanging=False)
    if len(outcome.states) == place:
        return outcome.states[-1]
    state = outcome.states[0]
    for turn in kept.turns:
        seat = state.players.index(turn.player) if turn.player in state.players else state.to_move
        state = msgspec.structs.replace(carry_out(state, turn, seat).after, stands=True)
    return state


def drafted(game: Game, draft: Draft, place: int | None = None, offering: bool = True) -> Drafted:
    """The turn that the taps make, as the turn at `place`, the next one if left out; with `offering` also what may be
    tapped next. Raises `Unfit` for words that are
    no cards or cells, and where there is no such place. Cost: some replays; milliseconds.
    """
    record = game.record
    place = len(record.turns) + 1 if place is None else place
    placed_at(record, place, last=1)
    rulings, state = record.rules.rulings, stood_before(record, place)
    seat = state.to_move
    start = begun(draft, place, record.players[seat])
    drawn = supposed(after_draw(state, start), seat, draft.own)
    turn = turn_of(draft, start, drawn, rulings, record.deck is not None)
    step = carry_out(state, turn or start, seat)
    due = tuple(_due(draft, turn, step, rulings))
    shown = None
    if offering and state.result is None:
        sent = cards((*draft.sent, *draft.destroyed))
        taken = cards((draft.card,))[0] if draft.card is not None and draft.action in (None, "D") else None
        shown = offers(drawn, seat, rulings, (card for card in sent if card is not UNSEEN), taken)
    return Drafted(
        place=place,
        player=record.players[seat],
        text=None if turn is None else turn_text(turn),
        judged=None if turn is None else judge(record, turn, place, due),
        due=due,
        may_draw=() if state.result is not None else _amounts(state, seat, rulings),
        draws_known=len(draw_limit(state, seat, rulings).amounts) == 1,
        offers=shown,
        turn=turn,
    )


def judged_line(game: Game, line: str, place: int) -> tuple[str, Turn, Judgement]:
    """A typed turn as the one at this place: who is to move there, the turn, and the rules on it. Raises `Unfit` where
    there is no such place, and `Refused` with the reader's words.
    """
    placed_at(game.record, place, last=1)
    state = stood_before(game.record, place)
    player = state.players[state.to_move]
    turn = typed(game, line, place, player)
    return player, turn, judge(game.record, turn, place)


def turn_at(record: Record, turn: int | None) -> int:
    """The turn after which a table is asked for: the last one if left out. Raises `LookupError` where it is none."""
    turn = len(record.turns) if turn is None else turn
    if not 0 <= turn <= len(record.turns):
        raise LookupError(turn)
    return turn


def stood_after(record: Record, turn: int | None) -> State:
    """The table after a turn, the last one if left out. Raises `LookupError` where there is none."""
    return stood_before(record, turn_at(record, turn) + 1)


def judge(record: Record, turn: Turn, place: int, due: tuple[Due, ...] = ()) -> Judgement:
    """The rules on `turn` at this place; what is still `due` is no fault yet."""
    rulings = record.rules.rulings
    kept = msgspec.structs.replace(record, turns=(*record.turns[: place - 1], turn), result=None)
    outcome, since = replay(kept, rulings, hanging=False), 0
    if outcome.illegal is not None and outcome.illegal < place:
        since = place
        outcome = replay(kept, rulings, since=place, hanging=False)
    parts = {each.part for each in due}
    broken = [each for each in outcome.broken if each.turn == place and not each.warning and not _waits(each, parts)]
    told = tuple(found_of(each, record) for each in broken)
    if told:
        if any(each.least for each in due):
            return Judgement(verdict="illegal", found=told)
        books: dict[str, str] = {name: each.verdict for name, each in judged(kept, place).items()}
        changes = {
            " ".join(map("=".join, each)): "legal" if sure else "undetermined"
            for each, sure in mends_at(kept, place, rulings, since).items()
        }
        return Judgement(verdict="illegal", found=told, books=books, changes=changes)
    doubts = tuple(say(each.what) for each in outcome.doubts if each.turn == place)
    followed = outcome.illegal is None and len(outcome.states) > place
    return Judgement(
        verdict="legal" if followed and not doubts else "undetermined",
        open=doubts,
        ends=outcome.states[-1].result if followed else None,
        later=_later(record, turn, place),
    )


def _waits(broken: Broken, due: AbstractSet[str]) -> bool:
    """Whether this is broken only because something is still due."""
    if broken.clause in _DRAWS:
        return bool(due & {"draw", "fill"})
    return (broken.clause == "LIM01" and "drop" in due) or (broken.clause == "LIM02" and "trim" in due)


def _later(record: Record, turn: Turn, place: int) -> tuple[int, str, str] | None:
    if place >= len(record.turns):
        return None
    turns = (*record.turns[: place - 1], turn, *record.turns[place:])
    outcome = replay(msgspec.structs.replace(record, turns=turns), record.rules.rulings, since=place, hanging=False)
    first = next((each for each in outcome.broken if not each.warning), None)
    return None if first is None else (first.turn, first.clause, named(say(first.what), record.players))


def found_of(broken: Broken, record: Record) -> Found:
    """A broken clause as the board shows it."""
    cells = tuple(dict.fromkeys(map(str, cells_of(broken.what))))
    return Found(clause=broken.clause, message=named(say(broken.what), record.players), part=broken.part, cells=cells)


def cells_of(named: Datum) -> Iterator[Cell]:
    """The cells that a finding, or a value in it, names."""
    if isinstance(named, Cell):
        yield named
    elif isinstance(named, Fact):
        for _, value in (*named.numbers, *named.beside):
            yield from cells_of(value)
    elif isinstance(named, tuple):
        for each in named:
            yield from cells_of(each)


def _amounts(state: State, seat: int, rulings: Rulings) -> tuple[int, ...]:
    """How many cards may be drawn, as far as the record tells: the limits it leaves possible, and all below them."""
    limit = draw_limit(state, seat, rulings)
    most = min(limit.amounts[-1], len(state.deck))
    exact = rulings.draw_amount == "exact" and limit.clause != "DRW01"
    return tuple(sorted({min(each, most) for each in limit.amounts})) if exact else tuple(range(most + 1))


def _due(draft: Draft, turn: Turn | None, step: Step, rulings: Rulings) -> Iterator[Due]:
    """What is still due, first what comes first."""
    if not draft.draw_open:
        amounts = _amounts(step.before, step.player, rulings)
        if amounts and step.units < amounts[0]:
            yield Due(part="draw", least=amounts[0] - step.units, most=amounts[-1] - step.units)
    if turn is None:
        yield from _untold(draft, step)
        return
    yield from _returned(draft, turn, step)
    if ending(step, rulings) is not None:
        return
    fill = 0 if turn.fill_open else min(fill_limit(step, rulings), len(step.acted.deck)) - len(turn.fill)
    if fill > 0 and not turn.fill and not turn.drop and not turn.trim:
        yield Due(part="fill", least=fill if rulings.draw_amount == "exact" else 0, most=fill)
    for part, limit, pile, gone in (
        ("drop", lim01(step, rulings), step.filled.hands[step.player], turn.drop),
        ("trim", lim02(step, rulings), step.acted.reserve, turn.trim),
    ):
        numbers = {} if limit is None or not limit.sure else dict(limit.what.numbers)
        extra, destroyed = numbers.get("extra"), numbers.get("destroyed")
        if isinstance(extra, int) and isinstance(destroyed, int) and extra > destroyed:
            short = extra - destroyed
            yield Due(part=_PARTS[part], least=short, most=short, cards=_destroyable(pile, gone))


def _destroyable(pile: Pile, gone: tuple[Shown, ...]) -> tuple[str, ...]:
    """The cards of a pile that are not named as destroyed yet."""
    known = sorted((card for card in pile.known if card not in gone), key=card_key)
    return (*map(str, known), *(("?",) if pile.unseen > gone.count(UNSEEN) else ()))


def _returned(draft: Draft, turn: Turn, step: Step) -> Iterator[Due]:
    """The card that comes back from below the one taken, where more or less can be told of it."""
    if not isinstance(turn.action, Exchange) or draft.replaced is not None:
        return
    lies = step.drawn.tower.cells.get(turn.action.cell)
    if isinstance(lies, Down):
        other = Down(UNSEEN) if turn.action.replaced == lies else lies
        yield Due(part="replaced", least=0, cards=() if lies.card is UNSEEN else (str(other),))


def _untold(draft: Draft, step: Step) -> Iterator[Due]:
    """What the action still lacks. A card that is opened may stay unseen."""
    if draft.sent and len(draft.sent) < 2:
        yield Due(part="sent")
    if draft.card is None and (draft.action is None or draft.action != "-"):
        lies = None if draft.cell is None or draft.sent else step.drawn.tower.cells.get(cell_of(draft.cell))
        yield Due(part="card", cards=("?",) if isinstance(lies, Down) else ())
    if draft.cell is None:
        yield Due(part="cell")
