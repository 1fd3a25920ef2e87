"""From lists of tokens to the values of the model: turns, a record, a position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast, overload

from lark import Token

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Action, NoAction, Outcome, Position, Record, Span, Turn, TurnLayout
from couperation_formal.game.tower import (
    FINISH,
    STANDARD,
    UNSEEN,
    Card,
    Cell,
    Down,
    FinishCard,
    Laid,
    Shown,
    UnseenCard,
    Up,
    column_name,
)
from couperation_formal.notation.fault import Fault, fault, shorten
from couperation_formal.notation.header import Header, read_header
from couperation_formal.notation.parse import Lines, Parsed
from couperation_formal.notation.words import (
    CARDS,
    CELLS,
    GAP,
    action,
    cards,
    drawn,
    listed,
    meant_name,
    name_of,
    names_meant,
    placed,
    places,
    span,
    split_words,
    start_of,
)

# Turns: from their words to values, and where their parts stand, found when asked for.

NO_ACTION = NoAction()

_PARTS = re.compile(
    rf"""
    (?P<number>[0-9]+\.)           {GAP}
    (?P<player>[^\s;{{]++)         {GAP}
    (?P<draw>\+[^\s;{{]+)?         {GAP}
    (?P<action>-|[A-D]{GAP}[^\s;{{]+)
    (?:{GAP}(?P<glyphs>[!?~]+(?:{GAP}[!?~]+)*))?
    (?:{GAP}(?P<fill>fill{GAP}[^\s;{{]+))?
    (?:{GAP}(?P<drop>drop{GAP}[^\s;{{]+))?
    (?:{GAP}(?P<trim>trim{GAP}[^\s;{{]+))?
    """,
    re.VERBOSE,
)
"""The parts of a turn that the grammar accepted; comments may stand between them."""


def turn_lines(parsed: Lines) -> Iterator[tuple[int, list[str]]]:
    """Each turn of a game that was parsed: where it begins, and its words without comments."""
    for part in parsed:
        if isinstance(part, Token):
            start = start_of(part)
            for line in part.split("\n"):
                yield start, line.split()
                start += len(line) + 1
        else:
            yield start_of(part[0]), split_words(part)


def turn_of(words: list[str]) -> Turn:
    """The turn that these words make."""
    number, player, word = words[:3]
    at = 3
    draw: tuple[Shown, ...] = ()
    draw_open = False
    if word[0] == "+":
        draw_open = word == "+*"
        draw = drawn(word)
        word = words[3]
        at = 4
    done: Action = NO_ACTION
    if word != "-":
        done = action(word, words[at])
        at += 1
    if len(words) == at and not draw_open:
        return Turn(int(number[:-1]), player, draw, done)
    rest = words[at:]
    trim = _listed(rest, "trim")
    drop = _listed(rest, "drop")
    fill_open = rest[-2:] == ["fill", "*"]
    fill = _listed(rest, "fill")
    return Turn(int(number[:-1]), player, draw, done, tuple(rest), drop, trim, fill, draw_open, fill_open)


def _listed(rest: list[str], keyword: str) -> tuple[Shown, ...]:
    """The cards after `keyword` at the end of the words, which lose them; none for ``*``."""
    if len(rest) < 2 or rest[-2] != keyword:
        return ()
    word = rest.pop()
    rest.pop()
    return () if word == "*" else listed(word)


class TurnPlaces(Sequence[TurnLayout]):
    """Where the parts of the turns of a game stand, each found when it is asked for.

    `starts` tells where in `text` each turn begins.
    """

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self.starts = starts

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> TurnLayout: ...

    @overload
    def __getitem__(self, index: slice) -> TurnPlaces: ...

    def __getitem__(self, index: int | slice) -> TurnLayout | TurnPlaces:
        if isinstance(index, slice):
            return TurnPlaces(self._text, self.starts[index])
        m = cast("re.Match[str]", _PARTS.match(self._text, self.starts[index]))
        spans = {name: Span(*m.span(name)) for name, part in m.groupdict().items() if part is not None}
        return TurnLayout(
            spans["number"],
            spans["player"],
            spans.get("draw"),
            spans["action"],
            spans.get("glyphs"),
            spans.get("drop"),
            spans.get("trim"),
            spans.get("fill"),
        )


# From the tokens of a game to its record and layout.

MAX_TURNS = 2000
"""No game of fifty cards comes near so many turns."""


class Recorded(NamedTuple):
    """A record, and where the parts of it stand; of its turns where each begins."""

    record: Record
    tags: dict[str, Span]
    lines: dict[str, Span]
    turns: list[int]
    result: Span | None


class Line(NamedTuple):
    """A line of the set-up or of a position: its words, where it stands, and where its second word begins."""

    words: list[str]
    place: Span
    second: int


class _Setup(NamedTuple):
    deals: dict[str, tuple[Shown, ...]]
    reserve: tuple[Shown, ...] | None
    deck: tuple[Shown, ...] | None
    lines: dict[str, Span]


def build_record(parsed: Parsed) -> Recorded | list[Fault]:
    """The record that the tokens of a game make, or everything in them that is no CGN.

    Cost: linear, some 2 microseconds a turn and 40 for the tags and the set-up.
    """
    faults: list[Fault] = []
    header = read_header(parsed.tags, faults)
    starts: list[int] = []
    turns: list[Turn] = []
    ascii_names = header is None or "".join(header.players).isascii()
    for start, words in turn_lines(parsed.turns):
        if len(turns) == MAX_TURNS:
            return [*faults, Fault(Span(start, start + len(words[0])), fact("many_turns", most=MAX_TURNS))]
        starts.append(start)
        if not ascii_names:
            words[1] = name_of(words[1])
        turns.append(turn_of(words))
    if header is None:
        return faults
    unknown: list[Fault] = []
    setup = _setup(parsed.setup, header, unknown)
    commas = _commas(header, {turn.player for turn in turns} | setup.deals.keys())
    faults += commas or unknown
    if faults:
        return faults
    record = Record(
        tags=header.tags,
        players=header.players,
        rules=header.rules,
        variant=header.variant,
        marks=header.marks,
        deals=setup.deals,
        reserve=setup.reserve,
        deck=setup.deck,
        turns=tuple(turns),
        result=None if parsed.result in (None, "*") else cast("Outcome", str(parsed.result)),
    )
    result = None if parsed.result is None else span(parsed.result)
    return Recorded(record, header.spans, setup.lines, starts, result)


def _commas(header: Header, named: set[str]) -> list[Fault]:
    """Commas between the players' names or quotes around them, where a line names a player without: a name may end in
    a comma, or be one.
    """
    players, place = set(header.players), header.named.value_span
    if named <= players and (len(named) < 2 or not players & {"and", "und", "&"}):  # one may be a name
        return []
    names = names_meant(header.named.value)
    if not named <= set(names):
        return []
    return [Fault(place, fact("players_comma", names=tuple(map(shorten, names))), Edit(place, " ".join(names)))]


def line_key(words: list[str]) -> str:
    """The key of a set-up or position line in `Layout.lines`: its keyword, and the player of a deal or hand."""
    return f"{words[0]} {name_of(words[1])}" if words[0] in ("deal", "hand") else words[0]


def line_of(tokens: list[Token]) -> Line:
    """A line from its tokens, which hold no comments."""
    place = Span(start_of(tokens[0]), span(tokens[-1]).end)
    return Line(split_words(tokens), place, start_of(tokens[1]) if len(tokens) > 1 else place.end)


def line_places(lines: Iterable[Line], players: tuple[str, ...], faults: list[Fault]) -> dict[str, Span]:
    """Where each line stands, by its key. Lines that stand twice and players that do not play go into `faults`."""
    places: dict[str, Span] = {}
    for words, place, second in lines:
        key = line_key(words)
        if key in places:
            faults.append(Fault(place, fact("line_twice", line=shorten(key))))
        places.setdefault(key, place)
        if (
            words[0] in ("deal", "hand", "turn", "front")
            and (name := words[1]) not in players
            and name_of(name) not in players
        ):
            names = shorten(" ".join(players), 200)
            what = fact("no_such_player", name=shorten(name), names=names)
            faults.append(fault(second, name, what, meant_name(name, players)))
    return places


def _setup_lines(parsed: Lines) -> Iterator[Line]:
    for part in parsed:
        if isinstance(part, Token):
            start = start_of(part)
            for text in part.split("\n"):
                words = text.split()
                second = text.find(words[1], len(words[0])) if len(words) > 1 else len(text)
                yield Line(words, Span(start, start + len(text.rstrip())), start + second)
                start += len(text) + 1
        else:
            yield line_of(part)


def _setup(parsed: Lines, header: Header, faults: list[Fault]) -> _Setup:
    deals: dict[str, tuple[Shown, ...]] = {}
    others: dict[str, tuple[Shown, ...]] = {}
    lines = list(_setup_lines(parsed))
    for words, _, _ in lines:
        if words[0] == "deal":
            deals[name_of(words[1])] = cards(words[2:])
        else:
            others[words[0]] = cards(words[1:])
    return _Setup(deals, others.get("reserve"), others.get("deck"), line_places(lines, header.players, faults))


# From the tokens of a position to its value: what a line may say, and what no rule allows.


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
