"""From the tokens of a position to its value: what a line may say, and what no rule allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lark import Token

from couperation_formal.model.board import STANDARD, Cell, column_name
from couperation_formal.model.cards import FINISH, UNSEEN, Card, Down, FinishCard, Laid, Shown, UnseenCard, Up
from couperation_formal.model.fact import Fact, fact
from couperation_formal.model.record import Position, Span
from couperation_formal.notation.fault import Fault
from couperation_formal.notation.header import Header, read_header
from couperation_formal.notation.record import line_key, line_of, line_places
from couperation_formal.notation.words import CARDS, CELLS, cards, name_of, placed, places, split_words


class Positioned(NamedTuple):
    """A position, and where the parts of it stand."""

    position: Position
    tags: dict[str, Span]
    lines: dict[str, Span]


def build_position(tags: list[Token], parsed: list[list[Token]]) -> Positioned | list[Fault]:
    """The position that the tokens make, or everything in them that is no CGN or that no rule allows. Cost: linear."""
    faults: list[Fault] = []
    header = read_header(tags, faults)
    if header is None:
        return faults
    spans = line_places(map(line_of, parsed), header.players, faults)
    if "tower" not in spans:
        faults.append(Fault(spans["position"], fact("no_tower")))
    if faults:
        return faults
    lines = {line_key(split_words(tokens)): tokens for tokens in parsed}
    position = _position(header, lines)
    faults = [*_check_players(position, header.spans["Players"]), *_check_tower(position, places(lines["tower"][1:]))]
    faults += [*_check_cards(position, lines), *_check_lines(position, lines, spans)]
    return faults or Positioned(position, header.spans, spans)


def _position(header: Header, lines: dict[str, list[Token]]) -> Position:
    def listed(keyword: str) -> tuple[Shown, ...] | None:
        return cards(split_words(lines[keyword][1:])) if keyword in lines else None

    def word(keyword: str) -> str | None:
        return str(lines[keyword][1]) if keyword in lines else None

    def named(keyword: str) -> str | None:
        return name_of(str(lines[keyword][1])) if keyword in lines else None

    hands = {
        name_of(str(tokens[1])): cards(split_words(tokens[2:])) for tokens in lines.values() if tokens[0].type == "HAND"
    }
    last, skipped = word("last"), word("skipped")
    return Position(
        tags=header.tags,
        players=header.players,
        rules=header.rules,
        variant=header.variant,
        marks=header.marks,
        tower=tuple(placed(text) for text in split_words(lines["tower"][1:])),
        hands=hands,
        front=named("front"),
        reserve=listed("reserve"),
        gone=listed("gone") or (),
        deck=listed("deck"),
        turn=named("turn"),
        last=None if last in (None, "-") else CELLS[last],
        idle=last == "-",
        skipped=int(skipped or 0),
        replaced=word("replaced") == "yes",
    )


def _check_players(position: Position, place: Span) -> Iterator[Fault]:
    """SET01."""
    players = position.players
    if STANDARD.reserve_size(len(players)) is None:
        yield Fault(place, fact("table_players", players=len(players)))
    if len(set(players)) < len(players):
        yield Fault(place, fact("table_names"))


def _check_tower(position: Position, tokens: list[tuple[str, Span]]) -> Iterator[Fault]:
    """TOW03 to TOW06 and TOW08, as far as they hold of every tower that was ever laid."""
    taken = {cell for cell, _ in position.tower}
    seen: set[Cell] = set()
    middle = STANDARD.middle
    first, last = (middle, middle) if position.rules.rulings.anchor == "middle" else (0, STANDARD.levels - 1)
    for (cell, laid), (_, place) in zip(position.tower, tokens, strict=True):
        if cell in seen:
            yield Fault(place, fact("holds_already", cell=cell))
        seen.add(cell)
        lowest, highest = max(first, cell.column - STANDARD.levels + cell.level), min(last, cell.column)
        if lowest > highest:
            yield Fault(place, _outside(cell, first, last))
        else:
            first, last = lowest, highest
        yield from (Fault(place, what) for what in _card_faults(position, cell, laid, taken))


def _outside(cell: Cell, first: int, last: int) -> Fact:
    if first == last:
        right = column_name(first + STANDARD.levels - 1)
        return fact("cell_outside", cell=cell, first=column_name(first), last=right)
    return fact("cell_outside_all", cell=cell)


def _card_faults(position: Position, cell: Cell, laid: Laid, taken: set[Cell]) -> Iterator[Fact]:
    finish = isinstance(laid.card, FinishCard)
    apex = cell.level == STANDARD.levels
    lacking = tuple(support for support in cell.supports if support not in taken) if cell.level > 1 else ()
    if lacking:
        yield fact("cell_unsupported", cell=cell, missing=lacking)
    if isinstance(laid, Down) and finish:
        yield fact("finish_down")
    if isinstance(laid, Down) and apex:
        yield fact("apex_never_down")
    elif apex and position.variant == "finish" and not finish and laid != Up(UNSEEN):
        yield fact("apex_finish")


def _check_cards(position: Position, lines: dict[str, list[Token]]) -> Iterator[Fault]:
    """SET06: every card in one place, no more of them than there are, and the Finish card in its variant only."""
    seen: set[Card] = set()
    total = left = STANDARD.cards + (position.variant == "finish")
    for card, place in _placed_cards(lines):
        left -= 1
        if left == -1:
            yield Fault(place, fact("many_cards", total=total))
        if card is FINISH and position.variant == "first":
            yield Fault(place, fact("no_finish"))
        if isinstance(card, UnseenCard):
            continue
        if card in seen:
            yield Fault(place, fact("card_twice", card=card))
        seen.add(card)


def _placed_cards(lines: dict[str, list[Token]]) -> Iterator[tuple[Shown, Span]]:
    for tokens in lines.values():
        keyword = tokens[0].type
        if keyword == "TOWER":
            for word, place in places(tokens[1:]):
                yield CARDS[word.lstrip("~").partition("@")[0]], place
        elif keyword == "FRONT":
            yield FINISH, places(tokens[1:])[0][1]
        elif keyword in ("HAND", "RESERVE", "GONE", "DECK"):
            for word, place in places(tokens[2 if keyword == "HAND" else 1 :]):
                yield CARDS[word], place


def _check_lines(position: Position, lines: dict[str, list[Token]], spans: dict[str, Span]) -> Iterator[Fault]:
    taken = {cell for cell, _ in position.tower}
    level = sorted(cell.column for cell in taken if cell.level == 1)
    if STANDARD.anchor_cell not in taken:
        yield Fault(spans["tower"], fact("anchor_empty", cell=STANDARD.anchor_cell))
    elif position.rules.rulings.spread == "adjacent" and level[-1] - level[0] >= len(level):
        yield Fault(spans["tower"], fact("gap"))
    if position.last is not None and position.last not in taken:
        yield Fault(places(lines["last"][1:])[0][1], fact("last_empty", cell=position.last))
    rulings = position.rules.rulings
    if position.idle and rulings.draw_source != "nothing":
        yield Fault(places(lines["last"][1:])[0][1], fact("idle_ruling"))
    if position.skipped and rulings.no_action != "skipped":
        yield Fault(places(lines["skipped"][1:])[0][1], fact("skipped_ruling"))
    elif position.skipped >= len(position.players):
        yield Fault(places(lines["skipped"][1:])[0][1], fact("skipped_all"))
    if position.turn is not None:
        lacking = [f"hand {player}" for player in position.players if player not in position.hands]
        lacking += ["reserve"] if position.reserve is None else []
        if lacking:
            yield Fault(spans["turn"], fact("turn_lacks", missing=tuple(lacking)))
