"""The answers on towers for people: drawings, and sentences that can be checked by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from couperation_formal.analysis.complete import Completion, Outlook, Situation
from couperation_formal.analysis.deadlock import Scan
from couperation_formal.analysis.inspect import Illegal
from couperation_formal.answers.towers import (
    PlaceData,
    complete_data,
    deadlock_data,
    mended_filling,
    places_of,
    windows_data,
)
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Position
from couperation_formal.game.tower import FINISH, STANDARD, Down, UnseenCard, column_name
from couperation_formal.report.blocks import (
    BAD,
    GOOD,
    Block,
    Columns,
    Drawing,
    Heading,
    Items,
    Paragraph,
    Sentence,
    verdict,
)
from couperation_formal.report.reasons import ranges, reason_cells, sentence
from couperation_formal.words.say import phrase


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
