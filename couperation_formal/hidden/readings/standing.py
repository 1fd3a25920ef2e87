"""The plain replay over sets of readings, in which each question is asked as seldom as possible."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial, reduce
from itertools import product
from operator import or_
from typing import Any, Literal, NamedTuple, NoReturn, TypeVar, cast

from msgspec.structs import replace

from couperation_formal.game.fact import Spent, Steps, Unfit, fact
from couperation_formal.game.record import Change, Open, Outcome, Reached, Record, Result, Turn
from couperation_formal.game.replay import closed, end05, end06, is_open
from couperation_formal.game.rules.arrangement import within
from couperation_formal.game.rules.clauses import ASKED, DRAWS, ORDER_RULINGS, left_to_ask
from couperation_formal.game.rules.moves import may_allow, some_action
from couperation_formal.game.rules.setup import SETUP_CHECKS, setup_of, starting_state
from couperation_formal.game.rules.step import Check, Finding, Step, astray, carry_out, stood, stood_by
from couperation_formal.game.rules.turn import Ending, drawing, end02_opened, ending, in_order
from couperation_formal.game.rulings import RULING_NAMES, Rules, Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, STANDARD, Board
from couperation_formal.hidden.readings.sets import Readings, Verdicts, depends_on, nearest, space

T = TypeVar("T")

CHAINS: dict[str, tuple[str, ...]] = {
    "anchor": ("middle", "floating"),
    "spread": ("adjacent", "anywhere"),
    "row_order": ("strict", "weak"),
    "between": ("strict", "inclusive"),
    "facedown": ("deck", "integers", "repeats", "ignored"),
    "replace_target": ("facedown_only", "not_anchor", "any"),
    "take_sent": ("forbidden", "allowed"),
    "reserve_face": ("up", "either"),
    "finish_value": ("25", "apex_free", "none"),
    "opened_against": ("loses", "stands"),
    "replacements": ("once", "each"),
}
"""Options from the strictest to the laxest: what one allows the next allows too."""


class _Open(Exception):
    """An option was asked for that is not chosen."""


class _Partly:
    """A reading some of whose options are chosen. To ask for another one raises `_Open` with the ruling's name."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self.__dict__.update(chosen)

    def __getattr__(self, name: str) -> NoReturn:
        if name in RULING_NAMES:
            raise _Open(name)
        raise AttributeError(name)

    def option(self, name: str) -> Any:
        """The option of a ruling."""
        return getattr(self, name)

    def changes(self, _names: object, _count: int) -> Iterator[dict[str, str]]:
        """No changes: what they would mend is not asked."""
        return iter(())


def answers(
    ask: Callable[[Rulings], T], fixed: Mapping[str, str] = {}, among: Mapping[str, tuple[str, ...]] = {}
) -> Iterator[tuple[T, dict[str, str]]]:
    """Every answer with the options that lead to it, of rulings beside the `fixed` ones; all others are free, or as far
    as `among` has them. Together they are all such readings. Cost: a question for each, and one for each ruling asked
    for on the way.
    """
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        chosen = waiting.pop()
        try:
            answer = ask(cast("Rulings", _Partly({**fixed, **chosen})))
        except _Open as asked:
            name = str(asked)
            waiting += [{**chosen, name: option} for option in reversed(among.get(name) or space()[name])]
        else:
            yield answer, chosen


@lru_cache(maxsize=2)
def corner(end: int) -> Rulings:
    """The reading with the strictest (0) or the laxest (-1) option of every chain, and the first of other rulings."""
    return Readings.every().member().with_changes({name: options[end] for name, options in CHAINS.items()})


def where(holds: Callable[[Rulings], bool], fixed: Mapping[str, str] = {}) -> Readings:
    """The readings under which `holds`, which stays true when options move up their chains and reads no ruling without
    one, but those `fixed`. Cost: one question where the strictest reading answers yes, two where the laxest says no;
    else a third, and as many again for each option of the ruling that it asks for first.
    """
    strictest, laxest = (corner(end).with_changes(dict(fixed)) for end in (0, -1))
    if holds(strictest):
        return Readings.every()
    if not holds(laxest):
        return Readings.none()
    try:
        return Readings.every() if holds(cast("Rulings", _Partly(fixed))) else Readings.none()
    except _Open as asked:
        name = str(asked)
    options = space()[name]
    return reduce(or_, (Readings.option(name, each) & where(holds, {**fixed, name: each}) for each in options))


def _asked(holds: Callable[[Rulings], bool]) -> Readings:
    told = (Readings.choosing(chosen) for answer, chosen in answers(holds) if answer)
    return reduce(or_, told, Readings.none())


# One turn under all readings at once: which of them it breaks, which it leaves in doubt, and how it ends the game.
#
# Carrying out a turn does not depend on the rulings, so there is one step for all readings, and every clause is asked
# what it reads there.

_ORDERS = frozenset({"TOW01", "TOW02", "TOW07"})
_LIMITS = frozenset({"LIM01", "LIM02"})
"""Their answer depends on how the turn ends the game, and maybe on [finish_reserve_count]."""


class TurnReadings(NamedTuple):
    """The readings that a turn breaks, and those for which the record does not show enough of it."""

    broken: Readings = Readings.none()
    doubted: Readings = Readings.none()

    def __or__(self, other: "TurnReadings") -> "TurnReadings":
        return TurnReadings(self.broken | other.broken, self.doubted | other.doubted)


class Ended(NamedTuple):
    """The readings under which a turn ends the game in one way, and one of them."""

    readings: Readings
    rulings: Rulings


def judge(step: Step, ends: Mapping[Ending, Ended]) -> TurnReadings:
    """The turn's clauses under all readings; `ends` is `endings(step)`."""
    told, asked = _judged(drawing, step, Readings.every()), ASKED[type(step.turn.action)]
    if step.cell is not None and any(clause.id in _ORDERS for clause in asked):
        told |= TurnReadings(~_where(partial(_ordered, step), step))
    for clause in asked:
        if clause.id == "ACT01" and not step.drawn.tower.down and step.drawn.owned(step.player):
            told |= _no_action(step)
        elif clause.id in _LIMITS:
            for readings, rulings in ends.values():
                told |= _judged(clause.check, step, readings, _all_but(("finish_reserve_count",), rulings))
        elif clause.id not in _ORDERS and clause.id not in DRAWS:
            told |= _judged(clause.check, step, Readings.every())
    return told


def _judged(check: Check, step: Step, own: Readings, fixed: Mapping[str, str] = {}) -> TurnReadings:
    """What a check says under the readings of `own`."""
    told = TurnReadings()
    for finding, chosen in answers(partial(check, step), fixed):
        if finding is not None:
            readings = Readings.choosing(chosen) & own
            told |= TurnReadings(readings) if finding.sure else TurnReadings(doubted=readings)
    return told


def _ordered(step: Step, rulings: Rulings) -> bool:
    """The orders of TOW01, TOW02 and TOW07 together, wherever the card lies. Together they are monotone; TOW07 alone
    keeps silent where an order between up cards fails, all three where the card has no place, which breaks a clause of
    its own.
    """
    return in_order(step, rulings) and step.failing_chain(rulings) is None


def _where(holds: Callable[[Rulings], bool], step: Step) -> Readings:
    """The readings under which the orders hold, which is monotone on a tower that was in order under all of them."""
    return _asked(holds) if astray(step.before, corner(0)) else where(holds)


def _all_but(names: tuple[str, ...], rulings: Rulings) -> dict[str, str]:
    return {each: rulings.option(each) for each in RULING_NAMES if each not in names}


def _no_action(step: Step) -> TurnReadings:
    """ACT01 for ``-``, where no card is down and the player owns some.

    Whether an action exists is monotone in all rulings that it reads but `finish_value`: a Finish card without a number
    fits more cells, and can no longer be sent or taken (`spec/dispute.md`). An unseen card may allow an action that the
    known ones do not; an unseen up card in the tower may bar one.
    """
    state, player = step.drawn, step.player

    def possible(rulings: Rulings) -> bool:
        return some_action(state, player, rulings) is not None

    if state.tower.hidden:
        return TurnReadings(doubted=Readings.every())
    # What has to be fixed so that the rest is monotone: the orders and the pyramids too, where the tower was wrong
    # before under some reading.
    before, strict = step.before, corner(0)
    about = state.front == player or FINISH in state.reserve.known or state.tower.finish is not None
    names = ORDER_RULINGS if astray(step.before, strict) else ("finish_value",) if about else ()
    if before.stands and not within(before.tower, before.board, strict):
        names = (*names, "anchor")
    impossible = Readings.none()
    for options in product(*(space()[name] for name in names)):
        fixed = dict(zip(names, options, strict=True))
        impossible |= where(possible, {"finish_value": "25", **fixed}) & Readings.choosing(fixed)
    return TurnReadings(impossible, ~impossible if may_allow(state, player) else Readings.none())


def endings(step: Step) -> dict[Ending, Ended]:
    """How the turn ends the game, each way with its readings; together they are all readings."""
    parts = [(Readings.every(), corner(0))]
    opens = isinstance(step.turn.action, Open)
    if step.cell is not None and (opens or step.acted.tower.all_up):
        kept = _where(lambda rulings: not end02_opened(step, rulings) if opens else in_order(step, rulings), step)
        parts = [(part, part.member()) for part in (kept, ~kept) if part]
    ends: dict[Ending, Ended] = {}
    for readings, rulings in parts:
        for end, chosen in answers(partial(ending, step), _all_but(("early_apex", "no_action"), rulings)):
            own = readings & Readings.choosing(chosen)
            ends[end] = Ended(_of(ends, end) | own, rulings.with_changes(chosen))
    return ends


def _whole(step: Step) -> tuple[dict[Ending, Ended], TurnReadings]:
    """How a turn ends the game, and what its clauses say, under all readings."""
    ends = endings(step)
    return ends, judge(step, ends)


def _admitted(
    settled: Mapping[str, str], leaves: Mapping[str, tuple[str, ...]], step: Step
) -> tuple[dict[Ending, Ended], TurnReadings]:
    """The same under the readings that a text admits, which are few: all clauses are asked at once."""

    def told(rulings: Rulings) -> tuple[bool, bool, Ending]:
        """Whether the turn surely breaks a clause, or may, and how it ends the game."""
        found = [finding for clause in left_to_ask(step, rulings) if (finding := clause.check(step, rulings))]
        broken = bool(found) and any(finding.sure for finding in found)
        return broken, bool(found) and not broken, None if broken else ending(step, rulings)

    ends, judged = dict[Ending, Ended](), TurnReadings()
    for (broken, doubted, end), chosen in answers(told, settled, leaves):
        own, none = Readings.choosing(chosen), Readings.none()
        ends[end] = Ended(own | _of(ends, end), corner(0))
        if broken or doubted:
            judged |= TurnReadings(own if broken else none, own if doubted else none)
    return ends, judged


# The plain replay over sets of readings: under which combinations of options is a record legal.


def cut(record: Record, turn: int | None) -> Record:
    """The record up to turn `turn`, counted by place, without its stated result; None: the whole record as it is.

    Raises `ValueError` where the record has no such turn.
    """
    if turn is None:
        return record
    if not 0 <= turn <= len(record.turns):
        raise Unfit(fact("no_turn", turn=turn, turns=len(record.turns)))
    return replace(record, turns=record.turns[:turn], result=None)


_TURN = 100
"""The steps that a turn takes under all readings."""


def plain_verdicts(
    record: Record,
    board: Board = STANDARD,
    turn: int | None = None,
    budget: Steps | None = None,
    rules: Rules | None = None,
) -> Verdicts:
    """The readings under which the record is legal, illegal, or not shown well enough to tell; all readings together.

    With `turn` the question is whether the record is legal up to that turn, 0 being the set-up; the stated result then
    plays no part, and the record's own rules never do. A fully seen record leaves nothing undetermined. Where cards or
    marks are unseen, a reading is illegal only when a clause fails whatever they are. Where `budget` does not suffice
    every reading is undetermined, and so it is of a record with a draw that was not noted. With `rules` only the
    readings that their text admits are told apart, by what it leaves open (`sets.within`). Raises `ValueError` where
    the record has no such turn. Cost: some ten times one `replay`, some two times with `rules`.
    """
    record = cut(record, turn)
    with suppress(Spent):
        if not any(each.draw_open or each.fill_open for each in record.turns):
            asked = _whole if rules is None else partial(_admitted, _settled(rules), rules.leaves)
            return _verdicts(record, board, budget or Steps(), asked)
    return Verdicts(undetermined=Readings.every())


def _verdicts(
    record: Record,
    board: Board,
    budget: Steps,
    asked: Callable[[Step], tuple[dict[Ending, Ended], TurnReadings]],
) -> Verdicts:
    every, setup = Readings.every(), setup_of(record, board)
    if any(check(setup) is not None for check in SETUP_CHECKS.values()):
        return Verdicts(illegal=every)
    state = starting_state(setup)
    alive, doubted, ends = every, Readings.none(), dict[Ending, Ended]()
    for place, played in enumerate(record.turns, start=1):
        budget.spend(_TURN)
        # A turn after the end of the game breaks END04.
        alive &= _of(ends, None) | _of(ends, "unknown") if ends else every
        if not alive or end06(state, played, place) is not None:
            return Verdicts(illegal=every)
        step = carry_out(state, played, state.to_move)
        ends, (refused, doubtful) = asked(step)
        alive -= refused
        if not alive:
            return Verdicts(illegal=every)
        doubted |= every if step.doubts or step.lost else doubtful
        doubted |= _of(ends, "unknown")
        if step.lost:
            break
        state = step.after
    else:
        alive, doubted = _result(record.result, ends, alive, doubted)
    return Verdicts(alive - doubted, ~alive, alive & doubted)


def _of(ends: Mapping[Ending, Ended], end: Ending) -> Readings:
    """The readings under which a turn ends the game so."""
    return ends[end].readings if end in ends else Readings.none()


def _result(
    stated: Outcome | None, ends: Mapping[Ending, Ended], alive: Readings, doubted: Readings
) -> tuple[Readings, Readings]:
    """END05: what is left alive, and in doubt, once the stated result is asked for."""
    if stated is None:
        return alive, doubted
    if not ends:
        return Readings.none(), doubted
    for end, (readings, _) in ends.items():
        reached = "unfinished" if end is None or end == "unknown" else end
        if end05(stated, reached) is None:
            continue
        if end == "unknown" and stated in ("win", "loss"):
            doubted |= readings
        else:
            alive -= readings
    return alive, doubted


def _settled(rules: Rules) -> dict[str, str]:
    """The options of the rulings that the text of a rulebook does not leave open."""
    return {name: rules.rulings.option(name) for name in {*RULING_NAMES} - rules.leaves.keys()}


def outcomes(
    record: Record, at: int | None = None, before: State | None = None
) -> tuple[Step | None, dict[Result, Readings]]:
    """The last step, or turn `at` carried out on the table `before`, and the readings by what it comes to where it is
    legal, all readings together; undetermined where the record does not show it. Cost: that of carrying out the turns.
    """
    step: Step | None = None
    state = before or starting_state(setup_of(record, STANDARD))
    for turn in record.turns if at is None else record.turns[at - 1 : at]:
        step = step_of(state, turn)
        if step is None or step.lost:
            return None, {"undetermined": Readings.every()}
        state = step.after
    ends = {} if step is None else endings(step)
    names: Mapping[Ending, Result] = {None: "unfinished", "unknown": "undetermined"}
    found: dict[Result, Readings] = {names.get(end, cast("Result", end)): each.readings for end, each in ends.items()}
    return step, found or {"unfinished": Readings.every()}


# The table before a turn that is judged by itself: every turn before it stands as it was played.

ENDS: Mapping[str, Literal["END01", "END02", "END03"]] = {"win": "END01", "loss": "END02", "stuck": "END03"}


class EarlierSlip(NamedTuple):
    """An earlier turn, 0 for the set-up, that was wrong already under one reading, by the clauses that it breaks; or
    that ended the game, by the clause that says so.
    """

    turn: int
    clauses: tuple[str, ...]


class Standing(NamedTuple):
    """The table before a turn. `state` is None where the record does not show what the turns before did. `slips` are
    those of each rulings asked for, as far as the record shows them; `reached` what the turns before surely came to
    under each, None where the record does not show it. `shown` tells that every card that moved before was seen.
    `tables` are those before each of the turns before, as far as they are shown.
    """

    state: State | None
    slips: tuple[tuple[EarlierSlip, ...], ...]
    shown: bool
    reached: tuple[Reached | None, ...] = ()
    tables: "tuple[Standing, ...]" = ()


def standing(record: Record, at: int, books: tuple[Rulings, ...] = (), board: Board = STANDARD) -> Standing:
    """The table before turn `at`, by place, with everything before as it was played, and what was wrong with it under
    each of these rulings. Cost: that of one replay, and of the clauses for each of the rulings.
    """
    setup = setup_of(record, board)
    state: State | None = starting_state(setup)
    broken = tuple(clause for clause, check in SETUP_CHECKS.items() if check(setup) is not None)
    slips: list[list[EarlierSlip]] = [[EarlierSlip(0, broken)] if broken else [] for _ in books]
    reached: list[Reached | None] = ["unfinished" for _ in books]
    shown, before = True, list[Standing]()
    for place, turn in enumerate(record.turns[: at - 1], start=1):
        if state is None:
            break
        before.append(Standing(state, (), shown))
        step = step_of(state, turn)
        for at_book, (rulings, slips_there) in enumerate(zip(books, slips, strict=True)):
            clauses = _wrong(state, turn, place, step, rulings)
            if reached[at_book] == "unfinished":
                reached[at_book] = _reached(step, rulings, clauses, bool(slips_there))
            if clauses:
                slips_there.append(EarlierSlip(place, clauses))
        shown = shown and step is not None and not (step.doubts or step.lost or is_open(state, turn))
        if step is None or "SET06" in broken:  # a card in two places leaves both
            state = stood_by(state, turn, None if step is None else step.player)
        else:
            state = stood(step)
        state = None if state is None else replace(state, stands=True)
    if state is None:
        reached = [None if end == "unfinished" else end for end in reached]
    return Standing(state, tuple(map(tuple, slips)), shown, tuple(reached), tuple(before))


def step_of(state: State, turn: Turn) -> Step | None:
    """A turn carried out for the player whom it names, whose ever turn it was; None for a name that is not in the
    game.
    """
    if turn.player not in state.players:
        return None
    return carry_out(state, turn, state.players.index(turn.player))


def findings(state: State, turn: Turn, place: int, step: Step | None, rulings: Rulings) -> list[tuple[str, Finding]]:
    """What a turn surely breaks under one reading, in the order in which it is named; the game is taken to go on. Where
    draws were not noted: with the sizes with which it breaks least.
    """
    if step is not None and is_open(state, turn):
        least: list[tuple[str, Finding]] | None = None
        for table, sized in closed(state, turn, step.player):
            broken_there = findings(table, sized, place, step_of(table, sized), rulings)
            least = broken_there if least is None or len(broken_there) < len(least) else least
            if not least:
                break
        return least or []
    order = end06(state, turn, place)
    return [*(() if order is None else (("END06", order),)), *(() if step is None else broken(step, rulings))]


def broken(step: Step, rulings: Rulings, family: str = "") -> Iterator[tuple[str, Finding]]:
    """The clauses of a family, all where none is named, that a turn surely breaks, each with its finding."""
    for clause in ASKED[type(step.turn.action)]:
        finding = clause.check(step, rulings) if clause.id.startswith(family) else None
        if finding is not None and finding.sure:
            yield clause.id, finding


def _wrong(state: State, turn: Turn, place: int, step: Step | None, rulings: Rulings) -> tuple[str, ...]:
    """The clauses that an earlier turn broke, or the one by which it ended the game."""
    broken = tuple(clause for clause, _ in findings(state, turn, place, step, rulings))
    end = None if broken or step is None else ending(step, rulings)
    ended = ENDS.get(end or "")
    return broken if ended is None else (ended,)


def _reached(step: Step | None, rulings: Rulings, wrong: tuple[str, ...], astray: bool) -> Reached | None:
    """What a turn that the game still went on to came to; None where the record does not show it, where the turn was
    wrong itself, and where it opened a card `astray`, in a tower that may have been wrong before.
    """
    end = "unknown" if step is None else ending(step, rulings)
    if end is None:
        return None if astray and step is not None and isinstance(step.turn.action, Open) else "unfinished"
    return None if end == "unknown" or wrong != (ENDS[end],) else end


def quarrel_verdicts(record: Record, at: int, board: Board = STANDARD, before: Standing | None = None) -> Verdicts:
    """The readings under which turn `at` is legal, illegal, or not shown well enough to tell, if everything before
    stands as it was played. A fully seen record leaves nothing undetermined. Cost: that of a replay.
    """
    every = Readings.every()
    before, turn = before or standing(record, at, (), board), record.turns[at - 1]
    if before.state is None:
        return Verdicts(undetermined=every)
    if turn.player not in before.state.players or end06(before.state, turn, at) is not None:
        return Verdicts(illegal=every)
    legal, illegal = Readings.none(), every
    player = before.state.players.index(turn.player)
    for table, sized in closed(before.state, turn, player):
        sized_turn = _one_size(carry_out(table, sized, player), before.shown)
        legal, illegal = legal | sized_turn.legal, illegal & sized_turn.illegal
        if not illegal and not before.shown:
            break
    return Verdicts(legal, illegal, every - legal - illegal)


def _one_size(step: Step, shown: bool) -> Verdicts:
    """The same of a turn of one size."""
    if step.lost:
        return Verdicts(undetermined=Readings.every())
    ends = endings(step)
    broken, doubted = judge(step, ends)
    doubted = doubted | _of(ends, "unknown") if shown and not step.doubts else Readings.every()
    return Verdicts(~broken - doubted, broken, doubted - broken)


def mends_at(record: Record, at: int, rulings: Rulings, since: int = 0) -> dict[Change, bool]:
    """The smallest changes of these rulings under which no turn up to `at` is refused, 0 being the set-up; with the
    last one the stated result counts. Those before `since` stand as they were played; none is told where that is not
    `at` itself. Each with whether all is legal then: what a record does not show may yet refuse it. Cost: that of some
    replays.
    """
    if 1 < since < at:
        return {}
    whole = at == len(record.turns)
    judged = quarrel_verdicts(record, at) if since > 1 else plain_verdicts(record, turn=None if whole else at)
    changes = nearest(rulings, ~judged.illegal, depends_on(*judged), Steps()) if rulings in judged.illegal else ()
    return {tuple(each.items()): rulings.with_changes(each) in judged.legal for each in changes}
