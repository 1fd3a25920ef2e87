"""From a record to its states and what it breaks; where draws were not noted, with all sizes that they may have."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from couperation_formal.game.fact import Fact, Numbers, fact
from couperation_formal.game.record import Change, Exchange, Outcome, Reached, Record, Turn
from couperation_formal.game.rules import arrangement as plain
from couperation_formal.game.rules.clauses import ENDING_RULINGS, Clause, left_to_ask
from couperation_formal.game.rules.setup import SETUP_CHECKS, set05, set05_drawn, setup_of, starting_state
from couperation_formal.game.rules.step import Arrangement, Check, Finding, Step, carry_out, fails, stood, stood_by
from couperation_formal.game.rules.turn import LimitClause, ended_by, ending, out_of_order, within_limit
from couperation_formal.game.rulings import Rulings, noting
from couperation_formal.game.state import Pile, State, with_hand
from couperation_formal.game.tower import STANDARD, UNSEEN, Board

# The sizes of draws that were not noted (``+*``), and of the hands and the deck that they leave open.

_HEART = 4
"""The most that a card allows to draw: a heart over two cards with two diamonds each."""


def most_drawn(board: Board) -> int:
    """One card more than any limit allows, which stands for all draws that are too large."""
    return max(_HEART, board.refill) + 1


def sizes(turn: Turn, board: Board) -> Iterator[Turn]:
    """The turn with each size of its draws that were not noted: unseen cards, up to one more than any limit allows,
    which stands for all that are too many. Small draws come first.
    """
    ways = [(UNSEEN,) * size for size in range(most_drawn(board) + 1)]
    draws = ways if turn.draw_open else [turn.draw]
    fills = ways if turn.fill_open else [turn.fill]
    for draw, fill in product(draws, fills):
        yield replace(turn, draw=draw, fill=fill, draw_open=False, fill_open=False)


def is_open(state: State, turn: Turn) -> bool:
    """Whether draws that were not noted leave sizes open that the turn may be judged by."""
    return state.open or turn.draw_open or turn.fill_open


def closed(state: State, turn: Turn, player: int) -> Iterator[tuple[State, Turn]]:
    """The table and the turn with each size of the player's hand, the deck and the draws that may be, small draws
    first, and large hands, which have the cards that a turn may take; one size above all that the turn's clauses tell
    apart stands for those between it and the greatest. Other hands count as the least that they may be.
    """
    if not is_open(state, turn):
        yield state, turn
        return
    hand, action = state.hands[player], turn.action
    away = sum(other.more for seat, other in enumerate(state.hands) if seat != player)
    spent = 2 + len(action.adjust) if isinstance(action, Exchange) else 1
    told_hand = spent + len(turn.drop) + state.board.hand_limit + 1
    told_deck = len(turn.draw) + len(turn.fill) + 2 * most_drawn(state.board) + 1
    hands = tuple(replace(other, more=0) for other in state.hands)
    cards = len(state.deck)
    for sized in sizes(turn, state.board):
        for extra in reversed(range(min(hand.more, cards) + 1)):
            if told_hand < extra < min(hand.more, cards):
                continue
            own = with_hand(hands, player, Pile(hand.known, hand.unseen + extra))
            for gone in range(extra, min(extra + away, cards) + 1):
                if gone == extra or cards - gone <= told_deck:
                    yield replace(state, hands=own, deck=state.deck[gone:]), sized


def narrowed(after: State, player: int, left: Iterable[State]) -> State:
    """The table after a turn, its player's hand only of sizes that it has on some of the tables `left`."""
    sizes = [table.hands[player].size for table in left]
    hand = after.hands[player]
    least = min(sizes)
    pile = Pile(hand.known, hand.unseen + least - hand.size, max(sizes) - least)
    return replace(after, hands=with_hand(after.hands, player, pile), deck=after.deck[least - hand.size :])


# END04, END05 and END06: what a record may say after the end, of the result, and of the order of turns.

_NAME, _NEAR = 40, 0.7
"""So many letters of a name are compared, and how like it another one is that may have been meant."""


def end04(state: State, last: Step | None, rulings: Rulings) -> Finding | None:
    """No turn follows the end of the game, which the turn `last` brought."""
    if state.result is None:
        return None
    numbers: Numbers = {"turn": state.turns, "result": state.result}
    how = fact("reaches", reached=state.result) if last is None else ended_by(last, state.result, rulings)
    return fails("game_over", numbers, "number", how=how)


def end06(state: State, turn: Turn, place: int) -> Finding | None:
    """Turns go round the table in the players' order, numbered from 1 without a gap."""
    due = state.players[state.to_move]
    if turn.player == due and turn.number == place:
        return None
    numbers: Numbers = {"number": turn.number, "place": place, "player": turn.player, "due": due}
    if turn.player not in state.players:
        like = [name for name in state.players if _bare(name) == _bare(turn.player)]
        if len(like) == 1:
            return fails("no_player_like", numbers, "player", meant=like[0])
        if turn.player.startswith("+"):
            return fails("no_player_draw", numbers, "player")
        from difflib import get_close_matches

        near = get_close_matches(turn.player[:_NAME], state.players, 2, _NEAR)
        if len(near) == 1:
            return fails("no_player_near", numbers, "player", meant=near[0])
        return fails("no_player", numbers, "player")
    part = "number" if turn.player == due else "player"
    return fails(f"other_{part}", numbers, part)


def _bare(name: str) -> str:
    """A name without capitals and marks at its end: names that are alike but for these are meant to be one."""
    return name.rstrip(":.,!)").casefold() or name


def end05(stated: Outcome | None, reached: Reached, how: Fact | None = None) -> Finding | None:
    """The result that the record states is the one that the replay reaches; `how` tells of that."""
    if stated is None or stated == reached:
        return None
    numbers = {"stated": stated, "reached": reached}
    return fails("result", numbers, "result", how=how or fact("reaches", reached=reached))


# From a record to its states, turn by turn, and to the clauses that its first illegal turn breaks.


class Broken(msgspec.Struct, frozen=True):
    """A clause that a turn breaks, or (`warning`) puts in doubt.

    `turn` counts by place, 0 is the set-up. `part` is a part of the turn, or a set-up line (``"deal Aki"``). Under each
    of the changes in `mends` this clause would hold here, a draw keep its limit, and a card that had no place its
    orders: it hangs on their `rulings`.
    """

    turn: int
    clause: str
    what: Fact
    part: str
    mends: tuple[Change, ...] = ()
    warning: bool = False

    @property
    def rulings(self) -> tuple[str, ...]:
        """The rulings that it hangs on."""
        return tuple(dict.fromkeys(name for change in self.mends for name, _ in change))


class Doubt(msgspec.Struct, frozen=True):
    """Something at turn `turn` that the record does not show enough to tell, and the clause that is named with it."""

    turn: int
    what: Fact
    clause: str = "SET06"


PLACES = ("which_left", "which_held", "whether_in", "whether_held")
"""The kinds of doubts on where a card lay, which the record itself tells by what it has the players do."""


Judged: TypeAlias = tuple[Step | None, list[Broken]]
"""The step of a turn, None where nothing more can be asked, and what it breaks."""


About: TypeAlias = tuple[Rulings, Arrangement]
"""What the turns of a record are judged by: the rulings and the orders' engine."""


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A record carried out under one choice of rulings.

    `states[k]` stands after turn k, as far as the record is legal (`states[0]` after the set-up). `broken` holds the
    clauses that turn `illegal` breaks (None: no turn breaks any) and the warnings. `reached` is the result the replay
    came to, None if illegal. `slips` are what turns break that stand as they were played. `last` is the turn by which
    the game ended, None where it did not.
    """

    states: tuple[State, ...]
    broken: tuple[Broken, ...]
    doubts: tuple[Doubt, ...]
    illegal: int | None
    reached: Reached | None
    slips: tuple[Broken, ...] = ()
    last: Step | None = None


def replay(
    record: Record,
    rulings: Rulings,
    board: Board = STANDARD,
    arrangement: Arrangement = plain,
    since: int = 0,
    hanging: bool = True,
) -> Replay:
    """Carry out `record` until its first illegal turn; turns before turn `since`, by place, stand as they were played,
    and without `hanging` their slips do not tell what they hang on. Cost: some 20 microseconds a turn; what an illegal
    one hangs on some hundreds of times that.
    """
    setup = setup_of(record, board)
    state = starting_state(setup)
    states = [state]
    doubts: list[Doubt] = []
    slips: list[Broken] = []
    warnings = _warned(0, set05(setup, rulings), rulings)
    findings = ((clause, check(setup)) for clause, check in SETUP_CHECKS.items())
    broken = [Broken(0, clause, finding.what, finding.part) for clause, finding in findings if finding is not None]
    last: Step | None = None
    if since:
        slips, broken = broken, []
    by, sized = (rulings, arrangement), False
    if not broken:
        for place, turn in enumerate(record.turns, start=1):
            if place < since:
                doubled = bool(slips) and slips[0].turn == 0
                after, there = as_played(state, turn, place, rulings, doubts, doubled, hanging)
                slips += there
                if after is None:
                    break
                state = after
                states.append(state)
                continue
            sized = sized or turn.draw_open or turn.fill_open  # from there on sizes are open
            step, broken = (_sized if sized else _turn)(state, turn, by, last, doubts)
            if broken or step is None:
                break
            last = step
            if turn.draw and not warnings and state.variant == "finish":
                warnings = _warned(place, set05_drawn(setup, step, rulings), rulings)
            end = ending(step, rulings)
            state = step.after if end is None or end == "unknown" else replace(step.after, result=end)
            states.append(state)
            if step.doubts:
                doubts += [Doubt(place, doubt) for doubt in step.doubts]
            if end == "unknown":
                doubts.append(Doubt(place, fact("whether_orders")))
            if step.lost:
                doubts.append(Doubt(place, fact("finish_lost")))
                break
        else:
            broken = _result(record, state, last, rulings, doubts)
    illegal = broken[0].turn if broken else None
    reached: Reached | None = None if broken else state.result or "unfinished"
    return Replay(
        states=tuple(states),
        broken=(*broken, *warnings),
        doubts=tuple(doubts),
        illegal=illegal,
        reached=reached,
        slips=tuple(slips),
        last=last if reached in ("win", "loss", "stuck") else None,
    )


def as_played(
    state: State, turn: Turn, place: int, rulings: Rulings, doubts: list[Doubt], doubled: bool, hanging: bool
) -> tuple[State | None, list[Broken]]:
    """The table after a turn that stands, and what it breaks; no table where the record does not show it. `doubled`:
    the set-up shows a card in two places, which it leaves both.
    """
    step, broken = _sized(state, turn, (rulings, plain), None, [], hanging)
    if step is not None and is_open(state, turn):
        step = carry_out(state, turn, step.player)
    player = None if step is None else step.player
    after = stood_by(state, turn, player) if step is None or doubled else stood(step)
    doubts += [Doubt(place, doubt) for doubt in (step.doubts if step is not None else ())]
    if after is None:
        doubts.append(Doubt(place, fact("not_followed")))
        return None, broken
    return replace(after, stands=True), broken


def _warned(place: int, finding: Finding | None, rulings: Rulings) -> list[Broken]:
    """What SET05 finds is a warning, which the other half would not give."""
    if finding is None:
        return []
    other: Change = (("finish_half", "top" if rulings.finish_half == "bottom" else "bottom"),)
    return [Broken(place, "SET05", finding.what, finding.part, (other,), True)]


def _sized(state: State, turn: Turn, by: About, last: Step | None, doubts: list[Doubt], hanging: bool = True) -> Judged:
    """One turn. Where draws were not noted it is tried with each size (`closed`): what some size allows is carried on
    with the sizes that are left, and where all are refused it is by what the least refused one breaks: with the
    most cards that may have been drawn.
    """
    if not is_open(state, turn):
        return _turn(state, turn, by, last, doubts, hanging)
    player = state.players.index(turn.player) if turn.player in state.players else state.to_move
    left: list[tuple[Step, list[Doubt]]] = []
    refused: list[tuple[State, Turn, list[Broken]]] = []
    for table, sized in closed(state, turn, player):
        notes: list[Doubt] = []
        step, broken = _turn(table, sized, by, last, notes, False)
        if broken or step is None:
            refused.append((table, sized, broken))
        else:
            left.append((step, notes))
    if not left:
        table, sized, _ = min(refused, key=lambda it: (len(it[2]), it[2][0].clause[:3] == "DRW", -len(it[1].draw)))
        return _turn(table, sized, by, last, doubts, hanging)
    first, noted = left[0]
    doubts += noted
    if len(left) == 1 and not state.open:
        return first, []
    if len({(len(step.turn.draw), len(step.turn.fill)) for step, _ in left}) > 1:
        doubts.append(Doubt(state.turns + 1, fact("whether_size")))
    step = carry_out(state, turn, player, by[1])
    return replace(step, after=narrowed(step.after, player, (own.after for own, _ in left))), []


def _turn(state: State, turn: Turn, by: About, last: Step | None, doubts: list[Doubt], hanging: bool = True) -> Judged:
    """One turn: the step and what it breaks. The step is None where nothing more can be asked."""
    place, (rulings, arrangement) = state.turns + 1, by
    finding = end04(state, last, rulings)
    if finding is not None:
        hangs = (
            ()
            if last is None
            else mends(lambda step, changed: finding if ending(step, changed) else None, ENDING_RULINGS, last, rulings)
        )
        return None, [Broken(place, "END04", finding.what, finding.part, hangs)]
    broken = []
    player = state.to_move
    finding = end06(state, turn, place)
    if finding is not None:
        broken.append(Broken(place, "END06", finding.what, finding.part))
        if turn.player not in state.players:
            return None, broken
        player = player if turn.player == state.players[player] else state.players.index(turn.player)
    step = carry_out(state, turn, player, arrangement)
    for clause in left_to_ask(step, rulings):
        finding = clause.check(step, rulings)
        if finding is None:
            continue
        if finding.sure:
            hangs = mends(_to_mend(clause), clause.rulings, step, rulings) if hanging else ()
            broken.append(Broken(place, clause.id, finding.what, finding.part, hangs))
        else:
            doubts.append(Doubt(place, finding.what))
    return step, broken


def _to_mend(clause: Clause) -> Check:
    """What another option has to make hold: the clause and, of a draw, its limit whichever clause sets that then, of a
    place the orders that are asked of it then.
    """
    if clause.id not in ("TOW04", "TOW05", *get_args(LimitClause)):
        return clause.check
    then = out_of_order if clause.id.startswith("TOW") else within_limit
    return lambda step, rulings: clause.check(step, rulings) or then(step, rulings)


def _result(record: Record, state: State, last: Step | None, rulings: Rulings, doubts: list[Doubt]) -> list[Broken]:
    """END05 on the last turn."""
    how = None if last is None or state.result is None else ended_by(last, state.result, rulings)
    finding = end05(record.result, state.result or "unfinished", how)
    if finding is None:
        return []
    place = len(record.turns)
    if last is not None and ending(last, rulings) == "unknown" and record.result in ("win", "loss"):
        doubts.append(Doubt(place, fact("whether_ended", result=record.result)))
        return []
    hangs = (
        ()
        if last is None
        else mends(
            lambda step, changed: None if ending(step, changed) == record.result else finding,
            ENDING_RULINGS,
            last,
            rulings,
        )
    )
    return [Broken(place, "END05", finding.what, finding.part, hangs)]


def mends(check: Check, names: tuple[str, ...], step: Step, rulings: Rulings) -> tuple[Change, ...]:
    """The changes of rulings among `names` each of which makes `check` hold on this step.

    Single changes first; where none suffices, the smallest sets of changes that do, of two changes at most but for a
    draw. (One option waives all orders of the Finish card, one all of the down cards, and a completed tower has no down
    cards: LIM01, LIM02, END04 and END05 never need three. What lets a player act may; it is left at two there.) Empty:
    no such change mends it. Cost: one check, and one for each set of changes of what the smaller ones read.
    """
    read, most = set[str](), len(names) if "draw_source" in names else 2

    def holds(changes: dict[str, str]) -> bool:
        return check(step, noting(rulings.with_changes(changes), read)) is None

    for count in range(most + 1):
        asked = [name for name in names if name in read]
        kept = [each for each in rulings.changes(asked, count) if holds(each)]
        if kept:
            return tuple(tuple(each.items()) for each in kept)
    return ()
