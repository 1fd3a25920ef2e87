"""The answers on tables for people: the table, a line of play, or a reason and where it is proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from couperation_formal.analysis.inspect import next_draw, state_of
from couperation_formal.analysis.table_answer import TableAnswer
from couperation_formal.analysis.table_deadlock import TableScan
from couperation_formal.analysis.table_moves import Judged, Prospect
from couperation_formal.answers.table_forms import (
    BudgetData,
    JudgedData,
    SavingData,
    SummaryData,
    TableDeadlockData,
    TableReasonData,
)
from couperation_formal.answers.tables import assumed_cards, judged_data, table_complete_data, table_deadlock_data
from couperation_formal.game.fact import Fact, fact, taken
from couperation_formal.game.record import Position
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Mark, Shown, card_list
from couperation_formal.report.blocks import (
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
from couperation_formal.report.fold import padded
from couperation_formal.report.reasons import table_sentence
from couperation_formal.report.towers import heading, legal_part, stretch, title
from couperation_formal.words.say import interval, phrase, spoken


class Row(NamedTuple):
    """A line of a table beside its tower: what it is about, the cards that lie there, and what else there is to say."""

    name: str
    cards: tuple[Shown, ...] | None
    said: str = ""


def position_blocks(
    position: Position, board: Board = STANDARD, deck: tuple[int, int] | None = None
) -> Iterator[Paragraph]:
    """The tower of a position, the hands, the Reserve, what is gone and in the deck, the next draw; nothing for what it
    does not give. Where nobody is to move `deck` may tell how many cards are left, from the least to the most.
    """
    yield [Drawing(position, board=board)]
    rows = position_rows(position, board, deck)
    yield [Columns([((name, "bold"), ("" if cards is None else _cards(cards)) + said) for name, cards, said in rows])]


def position_rows(position: Position, board: Board = STANDARD, deck: tuple[int, int] | None = None) -> Iterator[Row]:
    """What a position gives beside its tower, as `position_blocks` shows it."""
    for player in position.players:
        if player in position.hands or position.front == player:
            front = phrase("and_finish_in_front") if position.front == player else ""
            cards = tuple(position.hands.get(player, ()))
            if player not in position.sizes:
                yield Row(spoken(player), cards, front)
                continue
            known = tuple(card for card in cards if card is not UNSEEN)
            sizes = phrase("deck_of", cards=interval(*position.sizes[player]), top=front)
            yield Row(spoken(player), known or None, phrase("known_of", cards=sizes) if known else sizes)
    if position.reserve is not None:
        yield Row(phrase("row_reserve"), tuple(position.reserve))
    yield Row(phrase("row_gone"), tuple(position.gone))
    if position.turn is None:
        if deck is not None:
            yield Row(phrase("row_deck"), None, phrase("deck_of", cards=interval(*deck), top=""))
        return
    state = state_of(position, board)
    top = phrase("from_the_top", cards=" ".join(map(str, position.deck))) if position.deck else ""
    yield Row(phrase("row_deck"), None, phrase("deck_of", cards=interval(*state.sizes()), top=top))
    yield Row(phrase("row_to_move"), None, phrase("to_move", player=position.turn, draw=_draw(position, state)))


def _cards(cards: Sequence[Shown]) -> str:
    return card_list(tuple(cards)) or phrase("no_cards")


def _draw(position: Position, state: State) -> Fact:
    if not state.deck:
        return fact("draws_nothing_left")
    limit, cell = next_draw(position, state), position.last
    by = (
        fact("draw_by", clause=limit.clause, cell=cell)
        if cell is not None
        else fact("draw_clause", clause=limit.clause)
    )
    if limit.amounts == (0,):
        return fact("draws_nothing", by=by)
    exact = position.rules.rulings.draw_amount == "exact" and limit.clause != "DRW01"
    if exact:
        return fact("draws_exactly", amounts=limit.amounts, by=by)
    return fact("draws_up_to" if len(limit.amounts) == 1 else "draws_perhaps", most=limit.amounts[-1], by=by)


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
