"""From lists of tokens to the values of the model: turns, a record, a position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, cast, overload

from couperation_formal.game import tower
from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Outcome, Position, Record, Span, Turn, TurnLayout
from couperation_formal.notation.header import Header, read_header
from couperation_formal.notation.parse import (
    CARDS,
    CELLS,
    Fault,
    Parsed,
    action,
    cards,
    fault,
    listed,
    meant_name,
    name_of,
    names_meant,
    patterns,
    placed,
    shorten,
)

# Turns: from their lines to values, and where their parts stand, found when asked for.


def turn_of(line: re.Match[str]) -> Turn:
    """The turn that a line makes."""
    number, player, draw, done, glyphs, fill, drop, trim = line.groups()
    open_ = draw == "+*", fill is not None and fill[-1] == "*"
    remarks = tuple(glyphs.split()) if glyphs else ()
    place, name = int(number[:-1]), name_of(player)
    return Turn(place, name, listed(draw), action(done), remarks, listed(drop), listed(trim), listed(fill), *open_)


class TurnPlaces(Sequence[TurnLayout]):
    """Where the parts of the turns of a game stand, each found when it is asked for.

    `starts` tells where in `text` each turn begins, `origin` where a stretch of it comes from.
    """

    def __init__(self, text: str, starts: Sequence[int], origin: Callable[[Span], Span] = Span._make) -> None:
        self._text = text
        self.starts = starts
        self._origin = origin

    def before(self, stands: Callable[[int], bool], origin: Callable[[Span], Span]) -> TurnPlaces:
        """The turns whose beginnings are so, with their places elsewhere."""
        return TurnPlaces(self._text, [start for start in self.starts if stands(start)], origin)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> TurnLayout: ...

    @overload
    def __getitem__(self, index: slice) -> TurnPlaces: ...

    def __getitem__(self, index: int | slice) -> TurnLayout | TurnPlaces:
        if isinstance(index, slice):
            return TurnPlaces(self._text, self.starts[index], self._origin)
        m = cast("re.Match[str]", patterns()["turn"].match(self._text, self.starts[index]))

        def place(part: str) -> Span:
            return self._origin(Span(*m.span(part)))

        draw, glyphs, drop, trim, fill = (
            place(part) if m[part] else None for part in ("DRAW", "GLYPHS", "DROP", "TRIM", "FILL")
        )
        return TurnLayout(place("NUMBER"), place("NAME"), draw, place("ACTION"), glyphs, drop, trim, fill)


# From the lines of a game to its record and layout.

MAX_TURNS = 2000
"""No game of fifty cards comes near so many turns."""

_WORD = re.compile(r"\S+")
_Places = list[tuple[str, Span]]


class Built(NamedTuple):
    """What a text says, and where the parts of it stand."""

    value: Record | Position
    tags: dict[str, Span]
    lines: dict[str, Span]
    turns: TurnPlaces
    result: Span | None = None


def build(parsed: Parsed) -> Built | list[Fault]:
    """What the lines of a game or a position say, or everything in them that is no CGN or that no rule allows.

    Cost: linear, some 2 microseconds a turn and 40 for the tags and the set-up.
    """
    faults: list[Fault] = []
    header = None if parsed.tags is None else read_header(parsed.tags, faults)
    if parsed.position is not None:
        return faults if header is None else _built_position(header, parsed.position)
    return _built_record(header, parsed, faults)


def _built_record(header: Header | None, parsed: Parsed, faults: list[Fault]) -> Built | list[Fault]:
    if len(parsed.turns) > MAX_TURNS:
        place = Span(*parsed.turns[MAX_TURNS].span("NUMBER"))
        return [*faults, Fault(place, fact("many_turns", most=MAX_TURNS))]
    if header is None:
        return faults
    turns = tuple([turn_of(line) for line in parsed.turns])
    unknown: list[Fault] = []
    lines = line_places(parsed.setup, header.players, unknown)
    cards = {line_key(words): _cards(words) for words in map(words_of, parsed.setup)}
    deals = {key.removeprefix("deal "): dealt for key, dealt in cards.items() if key[:5] == "deal "}
    faults = _commas(header, {turn.player for turn in turns} | deals.keys()) or unknown
    if faults:
        return faults
    result = parsed.result and parsed.result["RESULT"]
    record = Record(
        tags=header.tags,
        players=header.players,
        rules=header.rules,
        variant=header.variant,
        marks=header.marks,
        deals=deals,
        reserve=cards.get("reserve"),
        deck=cards.get("deck"),
        turns=turns,
        result=None if result in (None, "*") else cast("Outcome", result),
    )
    places = TurnPlaces(parsed.text, [line.start() for line in parsed.turns])
    return Built(record, header.spans, lines, places, parsed.result and place_of(parsed.result))


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


def words_of(line: re.Match[str]) -> list[str]:
    """The words of a line."""
    return line[0].split()


def place_of(line: re.Match[str]) -> Span:
    """Where a line stands, from its first word to its last."""
    return Span(line.start(), line.start() + len(line[0].rstrip()))


def places_of(line: re.Match[str]) -> list[tuple[str, Span]]:
    """The words of a line, each with its place."""
    return [(m[0], Span(*m.span())) for m in _WORD.finditer(line.string, line.start(), line.end())]


def _cards(words: list[str]) -> tuple[tower.Shown, ...]:
    """The cards of a line that begins with these words."""
    return cards(words[2 if words[0] in ("deal", "hand") else 1 :])


def line_places(lines: Iterable[re.Match[str]], players: tuple[str, ...], faults: list[Fault]) -> dict[str, Span]:
    """Where each line stands, by its key. Lines that stand twice and players that do not play go into `faults`."""
    places: dict[str, Span] = {}
    for line in lines:
        words, place = words_of(line), place_of(line)
        key = line_key(words)
        if key in places:
            faults.append(Fault(place, fact("line_twice", line=shorten(key))))
        places.setdefault(key, place)
        if words[0] in ("deal", "hand", "turn", "front") and name_of(words[1]) not in players:
            name, names = words[1], shorten(" ".join(players), 200)
            what = fact("no_such_player", name=shorten(name), names=names)
            faults.append(fault(places_of(line)[1][1].start, name, what, meant_name(name, players)))
    return places


# From the lines of a position to its value: what a line may say, and what no rule allows.


def _built_position(header: Header, parsed: list[re.Match[str]]) -> Built | list[Fault]:
    faults: list[Fault] = []
    spans = line_places(parsed, header.players, faults)
    if "tower" not in spans:
        faults.append(Fault(spans["position"], fact("no_tower")))
    if faults:
        return faults
    lines = {line_key(words_of(line)): places_of(line) for line in parsed}
    position = _position(header, lines)
    faults = [*_check_players(position, header.spans["Players"]), *_check_tower(position, lines["tower"][1:])]
    faults += [*_check_cards(position, lines), *_check_lines(position, lines, spans)]
    return faults or Built(position, header.spans, spans, TurnPlaces("", ()))


def _position(header: Header, lines: dict[str, _Places]) -> Position:
    words = {key: [word for word, _ in places] for key, places in lines.items()}
    told = {key: words[key][1] for key in ("front", "turn", "last", "skipped", "replaced") if key in words}
    cards = {key: _cards(line) for key, line in words.items() if line[0] in ("hand", "reserve", "gone", "deck")}
    last = told.get("last")
    return Position(
        tags=header.tags,
        players=header.players,
        rules=header.rules,
        variant=header.variant,
        marks=header.marks,
        tower=tuple(placed(text) for text in words["tower"][1:]),
        hands={key.removeprefix("hand "): hand for key, hand in cards.items() if key[:5] == "hand "},
        front=name_of(told["front"]) if "front" in told else None,
        reserve=cards.get("reserve"),
        gone=cards.get("gone", ()),
        deck=cards.get("deck"),
        turn=name_of(told["turn"]) if "turn" in told else None,
        last=None if last in (None, "-") else CELLS[last],
        idle=last == "-",
        skipped=int(told.get("skipped", 0)),
        replaced=told.get("replaced") == "yes",
    )


def _check_players(position: Position, place: Span) -> Iterator[Fault]:
    """SET01."""
    players = position.players
    if tower.STANDARD.reserve_size(len(players)) is None:
        yield Fault(place, fact("table_players", players=len(players)))
    if len(set(players)) < len(players):
        yield Fault(place, fact("table_names"))


def _check_tower(position: Position, tokens: list[tuple[str, Span]]) -> Iterator[Fault]:
    """TOW03 to TOW06 and TOW08, as far as they hold of every tower that was ever laid."""
    taken = {cell for cell, _ in position.tower}
    seen: set[tower.Cell] = set()
    middle = tower.STANDARD.middle
    first, last = (middle, middle) if position.rules.rulings.anchor == "middle" else (0, tower.STANDARD.levels - 1)
    for (cell, laid), (_, place) in zip(position.tower, tokens, strict=True):
        if cell in seen:
            yield Fault(place, fact("holds_already", cell=cell))
        seen.add(cell)
        lowest, highest = max(first, cell.column - tower.STANDARD.levels + cell.level), min(last, cell.column)
        if lowest > highest:
            yield Fault(place, _outside(cell, first, last))
        else:
            first, last = lowest, highest
        yield from (Fault(place, what) for what in _card_faults(position, cell, laid, taken))


def _outside(cell: tower.Cell, first: int, last: int) -> Fact:
    if first == last:
        right = tower.column_name(first + tower.STANDARD.levels - 1)
        return fact("cell_outside", cell=cell, first=tower.column_name(first), last=right)
    return fact("cell_outside_all", cell=cell)


def _card_faults(position: Position, cell: tower.Cell, laid: tower.Laid, taken: set[tower.Cell]) -> Iterator[Fact]:
    finish = isinstance(laid.card, tower.FinishCard)
    apex = cell.level == tower.STANDARD.levels
    lacking = tuple(support for support in cell.supports if support not in taken) if cell.level > 1 else ()
    if lacking:
        yield fact("cell_unsupported", cell=cell, missing=lacking)
    if isinstance(laid, tower.Down) and finish:
        yield fact("finish_down")
    if isinstance(laid, tower.Down) and apex:
        yield fact("apex_never_down")
    elif apex and position.variant == "finish" and not finish and laid != tower.Up(tower.UNSEEN):
        yield fact("apex_finish")


def _check_cards(position: Position, lines: dict[str, _Places]) -> Iterator[Fault]:
    """SET06: every card in one place, no more of them than there are, and the Finish card in its variant only."""
    seen: set[tower.Card] = set()
    total = left = tower.STANDARD.cards + (position.variant == "finish")
    for card, place in _placed_cards(lines):
        left -= 1
        if left == -1:
            yield Fault(place, fact("many_cards", total=total))
        if card is tower.FINISH and position.variant == "first":
            yield Fault(place, fact("no_finish"))
        if isinstance(card, tower.UnseenCard):
            continue
        if card in seen:
            yield Fault(place, fact("card_twice", card=card))
        seen.add(card)


def _placed_cards(lines: dict[str, _Places]) -> Iterator[tuple[tower.Shown, Span]]:
    for (keyword, _), *rest in lines.values():
        if keyword == "tower":
            yield from ((CARDS[word.lstrip("~").partition("@")[0]], place) for word, place in rest)
        elif keyword == "front":
            yield tower.FINISH, rest[0][1]
        elif keyword in ("hand", "reserve", "gone", "deck"):
            yield from ((CARDS[word], place) for word, place in rest[keyword == "hand" :])


def _check_lines(position: Position, lines: dict[str, _Places], spans: dict[str, Span]) -> Iterator[Fault]:
    taken = {cell for cell, _ in position.tower}
    level = sorted(cell.column for cell in taken if cell.level == 1)
    if tower.STANDARD.anchor_cell not in taken:
        yield Fault(spans["tower"], fact("anchor_empty", cell=tower.STANDARD.anchor_cell))
    elif position.rules.rulings.spread == "adjacent" and level[-1] - level[0] >= len(level):
        yield Fault(spans["tower"], fact("gap"))
    if position.last is not None and position.last not in taken:
        yield Fault(lines["last"][1][1], fact("last_empty", cell=position.last))
    rulings = position.rules.rulings
    if position.idle and rulings.draw_source != "nothing":
        yield Fault(lines["last"][1][1], fact("idle_ruling"))
    if position.skipped and rulings.no_action != "skipped":
        yield Fault(lines["skipped"][1][1], fact("skipped_ruling"))
    elif position.skipped >= len(position.players):
        yield Fault(lines["skipped"][1][1], fact("skipped_all"))
    if position.turn is not None:
        lacking = [f"hand {player}" for player in position.players if player not in position.hands]
        lacking += ["reserve"] if position.reserve is None else []
        if lacking:
            yield Fault(spans["turn"], fact("turn_lacks", missing=tuple(lacking)))
