"""Reasons in sentences that a person can check on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from couperation_formal.game.fact import Datum, Fact, fact, taken
from couperation_formal.game.record import Position
from couperation_formal.game.tower import FINISH, STANDARD, Down, Mark, UnseenCard, column_name
from couperation_formal.output.blocks import (
    BAD,
    GOOD,
    OPEN,
    Block,
    Columns,
    Drawing,
    Heading,
    Items,
    Paragraph,
    Play,
    Sentence,
    Verbatim,
    verdict,
)
from couperation_formal.output.frame import padded
from couperation_formal.output.position import position_blocks
from couperation_formal.questions.records.states import Illegal
from couperation_formal.questions.tables.complete import Completion, Outlook, Situation, TableAnswer
from couperation_formal.questions.tables.deadlock import Scan, TableScan
from couperation_formal.questions.tables.forms import (
    BudgetData,
    FinishData,
    GoneData,
    IntervalData,
    JudgedData,
    OrderData,
    PlaceData,
    PlainReason,
    SavingData,
    SummaryData,
    TableDeadlockData,
    TableReasonData,
    assumed_cards,
    complete_data,
    deadlock_data,
    judged_data,
    mended_filling,
    places_of,
    table_complete_data,
    table_deadlock_data,
    windows_data,
)
from couperation_formal.questions.tables.moves import Judged, Prospect
from couperation_formal.words.say import phrase, ranges, say, spoken

_FEW = 5
"""So many numbers are named one by one."""


def reason_cells(reason: PlainReason) -> Iterator[str]:
    """The cells that a reason is about."""
    match reason:
        case IntervalData() | OrderData():
            yield from reason.cells
        case GoneData():
            for interval in reason.intervals:
                yield from interval.cells
        case FinishData():
            yield from () if reason.cell is None else (reason.cell,)
        case _:
            assert_never(reason)


def sentence(reason: PlainReason, position: Position) -> str:
    """A reason in a sentence that a person can check on the table."""
    match reason:
        case IntervalData():
            return say(_must_hold(reason, _left(reason), named=len(reason.cells) > 1))
        case OrderData():
            return _disagree(reason, position)
        case GoneData():
            return _starved(reason)
        case FinishData():
            return phrase("finish_is_gone") if reason.cell is None else phrase("finish_lies_on", cell=reason.cell)
        case _:
            assert_never(reason)


def _must_hold(reason: IntervalData, left: Fact, named: bool) -> Fact:
    """What some cells need, and what is left; the cells `named` at the end."""
    cells = reason.cells
    hold = fact("hold_one", cells=cells) if len(cells) == 1 else fact("hold_these", count=len(cells))
    kind = "hold_a_number_named" if named else "hold_a_number"
    return fact(kind, hold=hold, between=_between(reason), left=left, cells=cells)


def _between(reason: IntervalData) -> Fact:
    low, high = reason.above > 0, reason.below <= 50
    kind = ("any_number", "below", "above", "between_two")[low * 2 + high]
    return fact(f"number_{kind}", above=reason.above, below=reason.below)


def _left(reason: IntervalData, where: str = "left") -> Fact:
    left = reason.left
    place = fact(f"is_{where}")
    if len(left) <= 1:
        return fact("only_one", card=left[0], where=place) if left else fact("none_is", where=place)
    if len(left) <= _FEW:
        return fact("only_few", first=left[:-1], last=left[-1], where=place)
    return fact("only_many", count=len(left), where=place, ranges=ranges(left))


def _disagree(reason: OrderData, position: Position) -> str:
    laid = {str(cell): str(card) for cell, card in position.tower}
    lower, upper = reason.cells
    finish = next((cell for cell in reason.cells if laid.get(cell, "F") == "F"), None)
    low, high = (
        fact("finish_25") if cell == finish else fact("card_on", card=laid[cell], cell=cell) for cell in reason.cells
    )
    lax = finish is not None and position.rules.rulings.between == "inclusive"
    return phrase("may_not_be_more" if lax else "must_be_less", low=low, high=high, lower=lower, upper=upper)


def _starved(reason: GoneData) -> str:
    if not reason.intervals:
        return phrase("more_gone")
    lacking = sum(len(interval.cells) - len(interval.left) for interval in reason.intervals)
    parts = tuple(_must_hold(each, _left(each, "in_sight"), named=True) for each in reason.intervals)
    return phrase("starved", parts=parts, lacking=lacking, spare=max(0, lacking - reason.missing))


def table_sentence(reason: TableReasonData) -> str:
    """Why no continuation of a table wins: a sentence for each kind of reason."""
    n: dict[str, Datum] = dict(reason.numbers)
    kind = f"dead_{reason.kind}"
    cells, cards = reason.cells, reason.cards
    if reason.kind == "finish":
        kind = next(f"dead_finish_{way}" for way in ("gone", "reserve", "laid") if way in n)
    if reason.kind == "turns":
        own = [(name.removeprefix("player "), count) for name, count in n.items() if name.startswith("player ")]
        left = tuple(fact("own_cards", player=player, count=count) for player, count in own)
        return say(fact(kind, {name: n[name] for name in ("empty", "down", "owe", "deck")}, own=left))
    if reason.kind == "interval":
        kind += "_tight" if n["cards"] == n["empty"] else ""
        hold = fact("hold_one" if len(cells) == 1 else "hold_all", cells=cells)
        return say(fact(kind, n, hold=hold, left=fact("come_some" if cards else "come_none", cards=cards)))
    return say(fact(kind, n, cells=cells))


# The answers on towers for people: drawings, and sentences that can be checked by hand.


def complete_blocks(found: Completion) -> Iterator[Paragraph]:
    """The tower with a filling, or with each conflict marked and told, and what could save it."""
    position, data = found.at.position, complete_data(found)
    yield heading(found.at)
    if data.filling is not None:
        yield [verdict("completable", GOOD, "would_complete" if data.filling else "tower_full")]
        yield [_filled(position, data.filling)]
        return
    yield [verdict("deadlocked", BAD, "not_as_it_stands")]
    yield from _refusals(position, places_of(found.answer))
    if data.repair is None:
        yield [Sentence(_nothing_helps(position))]
        return
    laid = {str(cell): card for cell, card in position.tower}
    given = tuple(fact("card_on", card=laid[cell], cell=cell) for cell in data.repair.give_up)
    yield [Sentence(phrase("replacing_saves", count=len(given), given=given))]
    yield [_filled(position, mended_filling(found))]


def heading(at: Situation) -> Paragraph:
    """Where a position is from, its event and its rules."""
    where = fact("position") if at.turn is None else after(at.turn, at.turns or 0)
    return title(at.file, at.index, where, at.position)


def after(turn: int, turns: int) -> Fact:
    """A place in a game of so many turns, 0 being the set-up."""
    return fact("after_turn", turn=turn, turns=turns) if turn else fact("after_setup", turns=turns)


def title(file: str, index: int, where: Fact, position: Position) -> list[Block]:
    """A file, a game and a place in it; the event and the rules."""
    event, variant = position.tag("Event"), position.variant
    facts = phrase("position_facts", rules=str(position.rules), variant=variant)
    said = phrase("game_where", file=file, game=index, where=where)
    return [Heading(said), Sentence(f"{event}: {facts}" if event else facts)]


def _refusals(position: Position, places: Sequence[PlaceData]) -> Iterator[Paragraph]:
    """Each reason with its conflict in brackets, at the first place of the columns that it holds of, and in a
    sentence.
    """
    columns: dict[object, list[PlaceData]] = {}
    for place in places:
        columns.setdefault(place.reason, []).append(place)
    for alike in columns.values():
        reason = alike[0].reason
        yield [Drawing(position, _from(alike[0].column), conflict=tuple(reason_cells(reason)))]
        told = sentence(reason, position)
        if len(columns) > 1:
            ends = tuple(fact("first_last", first=one.column, last=_last(one.column)) for one in alike)
            told = phrase("with_level_1", ends=ends, told=told)
        elif len(places) > 1:
            told = phrase("wherever_level_1", told=told)
        yield [Sentence(told)]


def _from(column: str) -> range:
    left = ord(column) - ord("a")
    return range(left, left + STANDARD.levels)


def _last(column: str) -> str:
    return column_name(_from(column).stop - 1)


def _filled(position: Position, filling: Mapping[str, object]) -> Drawing:
    """The whole tower, what fills it in parentheses."""
    cells = [*(str(cell) for cell, _ in position.tower), *filling]
    return Drawing(position, _from(min(cell[0] for cell in cells if cell.endswith("1"))), filling)


def _nothing_helps(position: Position) -> str:
    target = position.rules.rulings.replace_target
    return phrase("nothing_saves" if FINISH in position.gone else f"nothing_saves_{target}")


def legal_part(illegal: Illegal) -> Sentence:
    """That only the turns before the first illegal one were looked at; all of them where just the result is wrong."""
    if illegal.clause == "END05":
        return Sentence(phrase("result_wrong", clause=illegal.clause))
    return Sentence(phrase("looked_until", turn=illegal.turn, clause=illegal.clause))


def deadlock_blocks(found: Scan) -> Iterator[Paragraph]:
    """When the tower was deadlocked, the turn that made it so at last, why, and what would have kept it completable."""
    data, position = deadlock_data(found), found.positions[-1]
    top = title(found.game.file, found.game.index, fact("turns_in_all", turns=len(found.answers) - 1), position)
    if found.illegal is not None:
        top = [*top, legal_part(found.illegal)]
    if found.turn is None:
        yield top
        if found.intervals:
            yield [verdict("completable", GOOD, "dead_for_a_while", stretches=_stretches(found.intervals))]
        else:
            yield [verdict("completable", GOOD, "after_every_turn")]
        return
    yield top
    told: list[Block] = [verdict("deadlocked", BAD, "dead_to_the_end", when=found.turn)]
    if len(found.intervals) > 1:
        told.append(Sentence(phrase("dead_before", stretches=_stretches(found.intervals[:-1]))))
    if data.laid is not None:
        told.append(Sentence(data.laid, phrase("the_turn")))
    yield told
    yield from _refusals(found.positions[found.turn], places_of(found.answers[found.turn]))
    if data.saving is not None:
        more = "" if data.complete else phrase("unseen_may_allow")
        if data.saving:
            yield [Sentence(phrase("kept_tower", actions=len(data.saving), more=more)), Items(data.saving)]
        else:
            yield [Sentence(phrase("none_kept_tower", more=more))]


def _stretches(intervals: Sequence[tuple[int, int]]) -> tuple[Fact, ...]:
    return tuple(map(stretch, intervals))


def stretch(turns: tuple[int, int]) -> Fact:
    """Some turns in a row, 0 being the set-up."""
    return fact("stretch_one" if turns[0] == turns[1] else "stretch", first=turns[0], last=turns[1])


def windows_blocks(found: Outlook) -> Iterator[Paragraph]:
    """A table of the free cells with the values that each can still take."""
    data = windows_data(found)
    laid = {str(cell): card for cell, card in found.at.position.tower}
    yield heading(found.at)
    if not data.places:
        yield [verdict("deadlocked", BAD, "no_cell_can_be_filled")]
    elif not data.windows:
        yield [verdict("completable", GOOD, "no_cell_free")]
        return
    able = {cell: values for cell, values in data.windows.items() if values or cell in data.down}
    rows = [tuple(map(phrase, ("head_cell", "head_holds", "head_takes")))]
    for cell, values in able.items():
        takes = ranges(values) or phrase("takes_nothing")
        rows.append((cell, str(laid.get(cell, "")), takes, _opened(laid.get(cell), data.down.get(cell))))
    yield [Columns(rows, head=True)]
    unable = tuple(cell for cell in data.windows if cell not in able)
    if unable:
        yield [Sentence(phrase("nothing_fits", cells=unable))]
    if len(data.places) > 1:
        yield [Sentence(phrase("level_1_begins", columns=data.places))]


def _opened(laid: object, opens: bool | None) -> str:
    if opens is None or not isinstance(laid, Down):
        return ""
    if opens and isinstance(laid.card, UnseenCard):
        return phrase("may_be_opened")
    return phrase("can_be_opened" if opens else "cannot_be_opened")


# The answers on tables for people: the table, a line of play, or a reason and where it is proved.


def table_complete_blocks(found: TableAnswer) -> Iterator[Paragraph]:
    """The table, and a line that wins from it, or why none does, or the budget that ran out."""
    position, data = found.at.position, table_complete_data(found)
    yield heading(found.at)
    yield from position_blocks(position)
    if data.line is not None:
        yield [verdict("completable", GOOD, "line_wins", turns=len(data.line))]
        yield from table_line_blocks(found)
    else:
        yield from no_line_blocks(found)


def no_line_blocks(found: TableAnswer) -> Iterator[Paragraph]:
    """Why no line wins from a table, or the budget that ran out."""
    data = table_complete_data(found)
    if data.budget is not None:
        yield [verdict("undetermined", OPEN, "told", said=_ran_out(data.budget))]
    else:
        yield [verdict("deadlocked", BAD, "none_wins")]
        yield _why(data.reasons, data.checked)


def table_line_blocks(found: TableAnswer) -> Iterator[Paragraph]:
    """The line that wins from a table, if there is one, and what it takes for granted."""
    data = table_complete_data(found)
    if data.line is not None:
        yield [Play(data.line)]
        yield from _assumed(data.assumed_marks, assumed_cards(found.at.position, found.answer))


def _assumed(marks: Mapping[str, Mark], unseen: Sequence[tuple[str, str, str]]) -> Iterator[Paragraph]:
    """What a line takes for granted: marks, and cards that the position does not show."""
    told = [_marks("marks_are", marks)] if marks else []
    told += [phrase(f"assumed_{where}", name=name, cards=cards) for where, name, cards in unseen]
    if told:
        yield [Sentence(phrase("is_assumed")), *(Sentence(text, indent=2) for text in told)]


def _marks(kind: str, marks: Mapping[str, Mark]) -> str:
    return phrase(kind, marks=" ".join(f"{value}:{mark}" for value, mark in marks.items()))


def _why(reasons: Sequence[TableReasonData], checked: bool | None) -> Paragraph:
    """The reason, and where it is proved."""
    told: list[Block] = []
    for reason in reasons:
        digest = phrase("digest", digest=reason.digest) if reason.digest else ""
        told += [Sentence(table_sentence(reason)), Verbatim([f"({reason.kind}: {reason.theorem}{digest})"], "dim")]
    return told if checked else [*told, Sentence(phrase("unchecked"))]


def _ran_out(budget: BudgetData, told: Fact | None = None) -> str:
    if budget.sizes:
        hands = (tuple(f"{spoken(name)} {cards}" for name, cards in each.hands.items()) for each in budget.sizes)
        ways = zip(hands, budget.sizes, strict=True)
        return phrase(
            "sizes_decide", ways=tuple(fact("with_sizes", hands=had, said=each.verdict) for had, each in ways)
        )
    kind = "too_many_numbers" if budget.spent < budget.limit else "budget_spent"
    return phrase(kind, taken=told or taken(budget), spare=budget.bound)


def table_deadlock_blocks(found: TableScan) -> Iterator[Paragraph]:
    """The first dead position, the turn that killed it, why, and what could have been played instead."""
    top = title(found.game.file, found.game.index, _turns(len(found.positions) - 1), found.positions[-1])
    yield top if found.illegal is None else [*top, legal_part(found.illegal)]
    yield from standing_blocks(found)
    yield from saving_blocks(found)
    yield from line_blocks(found)


def standing_blocks(found: TableScan) -> Iterator[Paragraph]:
    """Since when the table was dead, and why; that it is not, or that this is not known."""
    data = table_deadlock_data(found)
    if found.dead is None:
        yield _not_dead(found, data)
        return
    dead: list[Block] = [verdict("deadlocked", BAD, "dead_from", when=found.dead), *_open(found)]
    if data.laid is not None:
        dead.append(Sentence(data.laid, phrase("the_turn" if found.open is None else "dead_after")))
    yield dead
    if found.dead in found.answers:
        yield _why(data.reasons, data.checked)
    else:
        yield [Sentence(phrase("ended_with_this", result=found.result))]


def saving_blocks(found: TableScan) -> Iterator[Paragraph]:
    """The actions of the turn that lost a table that would have kept it alive, where they were asked about."""
    data = table_deadlock_data(found)
    if data.saving is not None:
        yield _saving(data.saving, data, found)


def line_blocks(found: TableScan) -> Iterator[Paragraph]:
    """A line that wins from the last table known to be alive; nothing of a game that is won."""
    data = table_deadlock_data(found)
    if data.line is not None and (found.dead is not None or data.result is None):
        yield from _line(found, data)


def _turns(count: int) -> Fact:
    return fact("turns_in_all", turns=count)


def _not_dead(found: TableScan, data: TableDeadlockData) -> Paragraph:
    if data.verdict != "undetermined":
        return [verdict("completable", GOOD, "game_is_won" if data.result == "win" else "alive_to_the_end")]
    told = phrase("dead_open", taken=found.taken) if data.budget is None else _ran_out(data.budget, found.taken)
    return [verdict("undetermined", OPEN, "told", said=told), *_open(found)]


def _open(found: TableScan) -> Iterator[Block]:
    """Where it is not known whether the table was dead."""
    if found.open is not None:
        alive = fact("none_alive") if found.alive is None else fact("alive_after", when=found.alive)
        yield Sentence(phrase("not_known_dead", span=stretch(found.open), taken=found.taken, alive=alive))


def _line(found: TableScan, data: TableDeadlockData) -> Iterator[Paragraph]:
    """The line from the last alive position."""
    alive = found.alive or 0
    would = [Sentence(phrase("would_have_won", when=alive))] if found.dead is not None else []
    yield [*would, Play(data.line or ())]
    yield from _assumed(data.assumed_marks, assumed_cards(found.positions[alive], found.answers[alive]))


def _saving(saving: Sequence[SavingData], data: TableDeadlockData, found: TableScan) -> Paragraph:
    more = "" if data.complete else phrase("unseen_may_allow" if found.told else "budget_before_all", taken=found.taken)
    if data.undecided:
        more += phrase("undecided_more", count=len(data.undecided), taken=found.taken)
    if not saving:
        open_ = data.undecided or not found.told
        return [Sentence(phrase("none_known_kept_table" if open_ else "none_kept_table", more=more))]
    actions = Items([each.action for each in saving])
    return [Sentence(phrase("kept_table", actions=len(saving), more=more)), actions]


def table_moves_head(found: Prospect, judged: Sequence[Judged] | None = None) -> Heading:
    """How many actions a turn has and, when they are `judged`, how many of each kind."""
    moves = found.chance.moves
    more = more_actions(moves.complete, moves.told, taken(found.chance.budget))
    said = fact("so_many_actions", actions=len(moves.actions), more=more)
    if judged is not None:
        kinds = ("alive", "dead", "undetermined")
        said = fact("judged", {kind: sum(each.verdict == kind for each in judged) for kind in kinds}, actions=said)
    return Heading(phrase("of_turn", turn=found.turn, player=found.player, said=said))


def judged_blocks(found: Judged) -> Paragraph:
    """An action: whether it keeps the table alive, and a line that wins or why there is none."""
    data = judged_data(found)
    style = {"alive": GOOD, "dead": BAD, "undetermined": OPEN}[data.verdict]
    return [Sentence(f"  {data.text}", padded(phrase(data.verdict), 12), style), *_consequence(data, len(found.ends))]


def more_actions(complete: bool, told: bool, spent: Fact) -> str:
    """What is to be said of a list of legal actions besides."""
    if not told:
        return phrase("budget_before_all", taken=spent)
    return "" if complete else phrase("unseen_may_allow_more")


def _consequence(data: JudgedData, tables: int) -> Iterator[Block]:
    if data.line is not None:
        told = [_marks("with_marks", data.assumed_marks)] if data.assumed_marks else []
        yield Verbatim(data.line, "dim", indent=4)
    elif data.budget is not None:
        told = [phrase("action_open", tables=tables, taken=taken(data.budget))]
    elif [reason.kind for reason in data.reasons] == ["loss"]:
        told = [phrase("lost_with_this")]
    else:
        told = list(map(table_sentence, data.reasons))
    yield from (Sentence("", line, "dim", indent=4) for line in told)


def summary_blocks(data: SummaryData) -> Iterator[Paragraph]:
    """The summary of several games as a small table."""
    counts = {"games": data.games, "alive": data.alive, "dead": data.dead, "undetermined": data.undetermined}
    counts |= {"inexact": data.inexact} if data.inexact else {}
    counts |= {"unchecked": data.unchecked} if data.unchecked else {}
    rows = [(phrase(f"summary_{name}"), str(count)) for name, count in counts.items()]
    yield [Heading(phrase("summary")), Columns(rows, indent=2)]
    if data.turns:
        bars = [(phrase("after", turn=turn), f"{n:4} {'#' * min(n, 60)}") for turn, n in data.turns.items()]
        yield [Heading(phrase("first_dead_after")), Columns(bars, indent=2)]
    if data.reasons:
        yield [Heading(phrase("reasons")), Columns([(kind, str(n)) for kind, n in data.reasons.items()], indent=2)]
