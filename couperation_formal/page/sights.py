"""What the page tells of each turn, and to whom: the tower and what fits it; the list of moves; what each player and
the public have seen of all that; what became of the table: which turn lost the game, what would have saved it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import chain, pairwise, zip_longest
from math import sqrt
from typing import Any, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from couperation_formal.game.fact import Fact, Text, fact, interval
from couperation_formal.game.position import position_of, state_of
from couperation_formal.game.record import Exchange, Game, LayDown, LayUp, NoAction, Open, Position, Turn
from couperation_formal.game.rulings import Rules, Rulings
from couperation_formal.game.seen import seen_position
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import Down, Shown, UnseenCard, card_key
from couperation_formal.notation.write import position_text, turn_text
from couperation_formal.output.blocks import Block, Paragraph, Sentence, Verbatim, plain, said
from couperation_formal.output.report import Report, complaint
from couperation_formal.questions.records.states import View, attempt, conflict, game_seen, kept_tags, states_seen
from couperation_formal.questions.tables.ask import line_from
from couperation_formal.questions.tables.complete import TableAnswer
from couperation_formal.questions.tables.deadlock import TableScan, stretch
from couperation_formal.questions.tables.fits import Fit, Outlook, cards_left, fits, fits_knowing_less, outlook
from couperation_formal.questions.tables.why import written
from couperation_formal.words.say import safe, say, spoken

# The steps of a game: the set-up, each turn as far as the replay came, and the turn that breaks a rule.


class Refused(Struct, frozen=True):
    """The card that a turn lays or opens against a rule."""

    cell: str
    card: str


class StepData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table after a turn, 0 being the set-up; `place` says so.

    `cells` holds the laid cards as CGN writes them. `hands` are in the players' order; a card that is not seen is
    ``?``, and where draws were not noted `sizes` says how many cards each may have. `mover` says who is to move, `told`
    what there is to say of the tower. `refused` and `conflict` belong to the turn that breaks a rule: the rest is then
    the table before it. `lines` are those of the position as CGN, after the game's head. `fits` tells what each empty
    cell can take of `cards`.
    """

    turn: int
    place: Text
    cells: dict[str, str]
    laid: str | None = None
    hands: tuple[tuple[str, ...], ...] = ()
    sizes: dict[int, Fact] = {}
    front: int | None = None
    reserve: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    deck: int | Fact = 0
    top: tuple[str, ...] = ()
    mover: Text = ""
    outlook: Outlook
    told: tuple[Text, ...]
    fits: dict[str, Fit]
    cards: tuple[str, ...]
    lines: tuple[str, ...]
    refused: Refused | None = None
    conflict: tuple[str, ...] = ()


def game_steps(
    game: Game,
    rules: Rules,
    states: tuple[State, ...],
    illegal: int | None,
    home: int,
    whole: Sequence[StepData] = (),
) -> list[StepData]:
    """The steps of a game; `whole` are those of the record of which this game is what a view saw. Cost: per step a few
    milliseconds, less with `whole`.
    """
    tags, turns = kept_tags(game), game.record.turns
    steps = [
        step_of(state, position_of(state, rules, tags), turn, place_of(turn, len(turns)), home, beside)
        for turn, (state, beside) in enumerate(zip_longest(states, whole[: len(states)]))
    ]
    if illegal and illegal == len(states):
        before = replace(steps[-1], turn=illegal, place=place_of(illegal, len(turns)), laid=None)
        steps.append(_refused(before, states[-1], turns[illegal - 1], rules.rulings))
    return steps


def place_of(turn: int, turns: int) -> Fact:
    """How the page calls the table after a turn."""
    return fact("turn_of", turn=turn, turns=turns) if turn else fact("the_set_up")


def step_of(
    state: State, position: Position, turn: int, place: Text, home: int, whole: StepData | None = None
) -> StepData:
    """One table as a step; `whole` is that of the same table of which more is known."""
    seen_tower = outlook(position, home)
    told, over = seen_tower.answer != "unknown", [fact(f"game_over_{state.result}")] if state.result else []
    return StepData(
        turn=turn,
        place=place,
        cells={str(cell): str(laid) for cell, laid in state.tower.cells.items()},
        laid=None if state.touched is None else str(state.touched),
        hands=tuple(_pile(hand) for hand in state.hands),
        sizes=sizes_told(state),
        front=state.front,
        reserve=_pile(state.reserve),
        gone=_pile(state.gone),
        deck=interval(*state.sizes()),
        top=tuple(str(card) for card in position.deck or ()),
        mover="" if position.turn is None else fact("moves_next", player=safe(position.turn)),
        outlook=seen_tower,
        told=(*over, *seen_tower.lines(before=False)),
        fits=fits(state, position, told) if whole is None else fits_knowing_less(whole.fits, state, position, told),
        cards=cards_left(position),
        lines=tuple(line for line in lines_of(position_text(position)) if not line.startswith("[")),
    )


def sizes_told(state: State) -> dict[int, Fact]:
    """By seat, how many cards the hands may have whose draws were not noted."""
    seats = (seat for seat, hand in enumerate(state.hands) if hand.more)
    return {seat: count_told(*state.sizes(seat)) for seat in seats}


def count_told(least: int, most: int) -> Fact:
    """So many cards, or as many as it may be."""
    return fact("live_deck", count=least) if least == most else fact("deck_of", cards=interval(least, most), top="")


def _pile(pile: Pile) -> tuple[str, ...]:
    return (*map(str, sorted(pile.known, key=card_key)), *("?",) * pile.unseen)


def _refused(step: StepData, state: State, turn: Turn, rulings: Rulings) -> StepData:
    """The step of the turn that breaks a rule: the table before it, and the card that it lays."""
    step = replace(step, told=step.outlook.lines(before=True))
    tried = attempt(turn)
    if tried is None:
        return step
    cell, laid = tried
    against = tuple(map(str, conflict(state, cell, laid, rulings)))
    return replace(step, mover="", refused=Refused(str(cell), str(laid)), conflict=against)


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a CGN text, which end as CGN's do: a tag may hold what ends a line elsewhere."""
    return tuple(text.removesuffix("\n").split("\n"))


def file_name(path: str) -> str:
    """The name of a file, not where it lies on the machine that made the page."""
    return re.split(r"[/\\]", path)[-1] or path


# Turns in words.


def turn_words(turn: Turn, name: str) -> Fact:
    """What a turn does, as the fact of a sentence: ``Mira draws 9 and 5; lays 17 up on f1; destroys 3.``"""
    parts = [draw_words(turn.draw)] if turn.draw else []
    parts.append(_action(turn))
    if turn.fill:
        parts.append(draw_words(turn.fill, fill=True))
    if turn.drop:
        parts.append(fact("turn_drops", cards=_cards(turn.drop)))
    if turn.trim:
        parts.append(fact("turn_trims", cards=_cards(turn.trim)))
    return fact("turn_does", player=name, parts=tuple(parts))


def draw_words(cards: Sequence[Shown], fill: bool = False) -> Fact:
    """A draw, or the one after the action, as a part of `turn_words`."""
    return fact("turn_fills" if fill else "turn_draws", cards=_cards(cards) if cards else "")


def _action(turn: Turn) -> Fact:
    action = turn.action
    match action:
        case LayUp() | LayDown():
            face = "up" if isinstance(action, LayUp) else "down"
            return fact("turn_lays", card=action.card, face=face, cell=action.cell)
        case Open():
            return fact("turn_opens", card=action.card, cell=action.cell)
        case Exchange():
            return _exchange(action)
        case NoAction():
            return fact("turn_nothing")
        case _:
            assert_never(action)


def _exchange(action: Exchange) -> Fact:
    replacing: Fact | str = ""
    if action.replaced is not None:
        lying = "down" if isinstance(action.replaced, Down) else "up"
        unseen = isinstance(action.replaced.card, UnseenCard)
        replacing = fact("instead_of_unseen" if unseen else "instead_of", lying=lying, card=action.replaced.card)
    return fact(
        "turn_exchanges",
        first=action.first,
        second=action.second,
        destroying=fact("destroying", cards=_cards([card for _, card in action.adjust])) if action.adjust else "",
        taken=action.taken,
        face="up" if action.face_up else "down",
        cell=action.cell,
        replacing=replacing,
    )


def _cards(shown: Sequence[Shown]) -> Fact:
    """Cards in their order; unseen ones are counted."""
    facts = [fact("shown_card", card=each) for each in shown if not isinstance(each, UnseenCard)]
    unseen = len(shown) - len(facts)
    if unseen:
        facts.append(fact("more_cards" if facts else "some_cards", count=unseen))
    return facts[0] if len(facts) == 1 else fact("cards_and", cards=tuple(facts[:-1]), last=facts[-1])


# The list of moves: every turn with its verdict.


class Row(Struct, frozen=True):
    """One line of the list of moves. `sign` and `verdict` say the same, once as a glyph; `shown` tells whether the page
    has a step of it.
    """

    turn: int
    words: Text
    text: str
    sign: str
    verdict: Text
    shown: bool


def refused_draw(report: Report, game: Game) -> tuple[int, bool] | None:
    """The turn for whose draw a game is refused, and whether it is that after the action; None where it is not refused
    for a draw.
    """
    error = report.error
    if error is None or not report.turn or not error.code.startswith("DRW"):
        return None
    return (report.turn, error.span.start >= game.layout.turns[report.turn - 1].action.start)


def turns_of(game: Game, refused: tuple[int, bool] | None) -> list[dict[str, Any]]:
    """Every turn of the record: its text, its words, the recorder's remark, and the cards of the draw that is refused
    with the words that tell of it.
    """
    remarks, players = _remarks(game), game.record.players
    entries = []
    for at, turn in enumerate(game.record.turns, 1):
        entry: dict[str, Any] = {
            "player": players.index(turn.player) if turn.player in players else -1,
            "text": _text(turn_text(turn)),
            "words": turn_words(turn, safe(turn.player)),
        }
        if refused is not None and refused[0] == at:
            cards = turn.fill if refused[1] else turn.draw
            entry["refused"] = {"cards": tuple(map(str, cards)), "words": draw_words(cards, refused[1])}
        if at in remarks:
            entry["remark"] = remarks[at]
        entries.append(entry)
    return entries


def rows_of(report: Report, game: Game, lost: int | None = None) -> list[Row]:
    """The set-up and every turn with its verdict; turn `lost` lost the game."""
    marked = {each.turn: each.severity for each in report.diagnostics}
    errors = {each.turn: each.code for each in reversed(report.diagnostics) if each.severity == "error"}
    ends = {each.turn: complaint(each, game) for each in report.diagnostics if each.code in ("END02", "END03")}
    signs = {"warning": ("!", fact("keeps_warned")), "note": ("·", fact("has_part"))}
    if report.verdict == "undetermined":
        signs["note"] = "?", fact("untold")
    rows = []
    played = [(turn_words(turn, safe(turn.player)), _text(turn_text(turn))) for turn in game.record.turns]
    for turn, (words, text) in enumerate([(fact("set_up"), ""), *played]):
        judged = turn < len(report.states) and (report.turn is None or turn < report.turn)
        possible = report.verdict == "legal" or (report.verdict == "illegal" and turn < (report.turn or 0))
        plain = ("✓", fact("keeps")) if judged else ("✓", fact("can_keep")) if possible else ("", fact("not_judged"))
        sign, verdict = signs.get(marked.get(turn, ""), plain)
        if turn in ends and report.verdict == "legal":
            sign, verdict = plain[0], fact("keeps_told", said=ends[turn])
        if turn == lost:
            sign, verdict = "†", fact("live_loses")
        if turn in errors:
            sign, verdict = "✗", fact("breaks", clause=errors[turn])
        shown = judged or report.turn == turn == len(report.states)
        rows.append(Row(turn, words, text, sign, verdict, shown))
    return rows


def _remarks(game: Game) -> dict[int, str]:
    """The recorder's comments by the turn on whose line they stand."""
    layout = game.layout
    first = len(layout.tags) + len(layout.lines)
    texts_at: dict[int, list[str]] = {}
    for comment in layout.comments:
        turn = comment.item - first + 1
        if comment.slot >= 0 and 1 <= turn <= len(game.record.turns):
            texts_at.setdefault(turn, []).append(safe(" ".join(comment.text.strip(";{} \n").split())))
    return {turn: " · ".join(texts) for turn, texts in texts_at.items()}


def _text(turn: str) -> str:
    """A turn as CGN without its number and player."""
    return safe(turn.split(" ", 2)[2])


# What each view has seen of a game: everybody's cards, the public's, and each player's.
#
# A view is the record as he could have written it down, carried out anew: nothing is hidden afterwards.

ALL, PUBLIC = "all", "table"
"""The keys of two views; those of the players are their numbers."""


class Sight(Struct, frozen=True):
    """What one view has seen: the steps, the turns in text and words, the tags of its positions, and the lines of the
    record or position as CGN.
    """

    steps: list[StepData]
    turns: list[dict[str, Any]]
    head: list[str]
    cgn: tuple[str, ...]


def label(only: View | None) -> Fact:
    """Whose cards a page shows."""
    if only is None:
        return fact("everybodys_cards")
    return fact("as_public") if only.player is None else fact("as_player", player=safe(only.player))


def views_of(seen: Iterable[str], players: Sequence[str]) -> tuple[tuple[str, Text], ...]:
    """The keys of the views with what they are called."""
    named: dict[str, Text] = {str(seat): spoken(safe(name)) for seat, name in enumerate(players)}
    named |= {ALL: fact("seen_all"), PUBLIC: fact("seen_table")}
    return tuple((key, named[key]) for key in seen if key in named)


def game_sights(
    report: Report,
    game: Game,
    rules: Rules,
    steps: list[StepData],
    states: Sequence[State],
    home: int,
    only: View | None,
) -> dict[str, Sight]:
    """The views of a game with these steps, made of `states` and of the turn that the report calls illegal; where the
    game is what `only` saw, of this one.
    """
    players, refused = game.record.players, refused_draw(report, game)

    def sight(seen: Game, told: list[StepData], last: State) -> Sight:
        head = _head(position_of(last, rules, kept_tags(seen)))
        return Sight(told, turns_of(seen, refused), head, lines_of(seen.text))

    own = sight(game, steps, states[-1])
    if only is not None:
        return {_key(only.player, players): own}
    sights = {ALL: own}
    for key, name in _others(players):
        seen = game_seen(game, name)
        after = states_seen(seen, rules.rulings)[: len(states)]
        told = _with_the_rest(game_steps(seen, rules, after, report.turn, home, steps), steps)
        sights[key] = sight(seen, told, after[-1])
    return sights


def line_sight(game: Game, rules: Rules, own: Sight, line: tuple[Turn, ...], home: int) -> Sight:
    """What is seen of a game where this line is played from its first turn on, in place of its own turns."""
    record = game.record
    before = line[0].number - 1
    played = replace(game, record=replace(record, turns=(*record.turns[:before], *line), result=None))
    states = states_seen(played, rules.rulings)
    steps = [*own.steps[: before + 1], *game_steps(played, rules, states, None, home)[before + 1 :]]
    return replace(own, steps=steps, turns=[*own.turns[:before], *turns_of(played, None)[before:]])


def _with_the_rest(told: list[StepData], steps: Sequence[StepData]) -> list[StepData]:
    """As many steps as the whole record has: where a view is not told what follows, the last table stands."""
    rest = steps[len(told) :]
    last = replace(told[-1], laid=None, mover="", told=(fact("seen_no_further"),))
    return [*told, *(replace(last, turn=step.turn, place=step.place) for step in rest)]


def position_sights(position: Position, home: int, only: View | None, players: Sequence[str]) -> dict[str, Sight]:
    """The views of a position, of those of `players`; where it is what `only` saw, of this one."""
    own = _position_sight(position, home)
    if only is not None:
        return {_key(only.player, position.players): own}
    if not players:
        return {ALL: own}
    return {ALL: own, **{key: _position_sight(seen_position(position, name), home) for key, name in _others(players)}}


def _position_sight(position: Position, home: int) -> Sight:
    step = step_of(state_of(position), position, 0, fact("the_position"), home)
    return Sight([step], [], _head(position), lines_of(position_text(position)))


def _others(players: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    yield PUBLIC, None
    for number, name in enumerate(players):
        yield str(number), name


def _key(player: str | None, players: Sequence[str]) -> str:
    return PUBLIC if player is None else str(players.index(player))


def _head(position: Position) -> list[str]:
    return [line for line in lines_of(position_text(position)) if line.startswith("[")]


# What the analysis of the table tells on the page: which turn lost the game, and what would have saved it.

Standing = Literal["alive", "lost", "unknown"]

_STANDING: dict[bool | None, Standing] = {True: "alive", False: "lost", None: "unknown"}

_MAX_SAVING = 20


class Line(Struct, frozen=True):
    """A line of what is told: a sentence with what stands out before it, or lines of CGN as they are; where it is
    proved stands `aside`.
    """

    text: str
    lead: str = ""
    verbatim: bool = False
    aside: bool = False


class Chance(Struct, frozen=True):
    """An action that keeps the table alive, or would have: the card that it lays or opens on `cell`, it in words, and
    it with a line that wins, as canonical turns.
    """

    cell: str
    card: str
    words: Text
    turns: tuple[str, ...]


class Fate(Struct, frozen=True, kw_only=True):
    """What became of a game's table.

    `standing` has an answer for the set-up and each turn that was looked at; it is empty where the question cannot be
    asked. `turn` is the first turn after which the table is known to be lost, 0 for the set-up, as `deadlock` names it;
    None where there is none. `player` is whose turn it was. `said` is one sentence for the game's head, beside the turn
    where there is one; `told` is all that `deadlock` tells. So many actions as `saved` would have saved the table;
    `lines` begin with these, or of a table that is alive with one.
    """

    standing: tuple[Standing, ...] = ()
    turn: int | None = None
    player: str = ""
    said: Text = ""
    saved: int = 0
    told: tuple[Block, ...] = ()
    lines: tuple[tuple[Turn, ...], ...] = ()

    def at(self, turn: int) -> Standing | None:
        """The answer after a turn, None where nothing was asked."""
        return self.standing[turn] if turn < len(self.standing) else None

    @property
    def killer(self) -> int | None:
        """The turn that is known to have lost the game: before it the table was alive."""
        return self.turn if self.turn and self.at(self.turn - 1) == "alive" else None


def fate_of(scan: TableScan, verified: bool = True) -> Fate:
    """The fate of a game; `verified` is False where the independent checker could not repeat the answer."""
    paragraphs: list[Paragraph] = list(scan.blocks())[1:]
    if not verified:
        paragraphs.append([Sentence(fact("unchecked"))])
    dead = scan.dead
    return Fate(
        standing=tuple(_STANDING[scan.alive_after(turn)] for turn in range(len(scan.positions))),
        turn=dead,
        player=spoken(safe(scan.game.record.turns[dead - 1].player)) if dead else "",
        said=_left_open(scan),
        saved=sum(each.verdict == "alive" for each in scan.alternatives),
        told=tuple(chain.from_iterable(paragraphs)),
        lines=saving_lines(scan) or _winning(scan),
    )


def chances_of(lines: Iterable[tuple[Turn, ...]]) -> tuple[Chance, ...]:
    """The first turn of each of these lines as a chance."""
    pairs = ((line, attempt(line[0]) or ("", "")) for line in lines)
    return tuple(
        Chance(str(cell), str(card), turn_words(line[0], safe(line[0].player)), written(line))
        for line, (cell, card) in pairs
    )


def saving_lines(scan: TableScan) -> tuple[tuple[Turn, ...], ...]:
    """What would have saved the table at the turn that lost it, each with a line that wins, `_MAX_SAVING` at most; none
    where that turn is not known.
    """
    if not scan.dead or scan.alive != scan.dead - 1:
        return ()
    return tuple(each.line for each in scan.alternatives if each.verdict == "alive" and each.line)[:_MAX_SAVING]


def _winning(scan: TableScan) -> tuple[tuple[Turn, ...], ...]:
    """The line that wins of a game that goes on and is alive at its end, if there is one."""
    end = len(scan.positions) - 1
    line = line_from(scan.answers[end], end) if scan.result is None and end in scan.answers else ()
    return (line,) if line else ()


def no_fate(why: Text) -> Fate:
    """That of a game of which the question cannot be asked."""
    nobody = isinstance(why, Fact) and why.kind == "nobody_moves"
    return Fate(said=fact("fate_of_nobody") if nobody else fact("fate_not_asked", why=why))


def position_fate(answer: TableAnswer, verified: bool = True) -> Fate:
    """That of a position: whether some continuation wins. `verified` as for `fate_of`."""
    return Fate(standing=(_STANDING[answer.winnable],), said="" if verified else fact("unchecked"))


def with_fate(steps: Sequence[StepData], fate: Fate | None) -> list[StepData]:
    """The steps, each with what became of the table, before what is told of the tower."""
    with_fates = []
    for step in steps:
        if fate is not None and fate.standing:
            refused = step.turn >= len(fate.standing)  # before this turn the table was as after the one before
            standing = fate.standing[-1 if refused else step.turn]
            told = standing == "lost" if refused else step.mover
            lines: list[Text] = []
            if told:
                lines = [fact(f"stands_{standing}"), *([] if fate.told or not fate.said else [fate.said])]
            if fate.turn == step.turn:
                by_here = fact("fate_lost_by_here" if step.turn else "stands_lost")
                lines = [
                    fact("fate_lost_here") if fate.killer else by_here,
                    *([fact("fate_saved_by", actions=fate.saved)] if fate.saved else []),
                ]
            step = replace(step, told=(*lines, *step.told))
        with_fates.append(step)
    return with_fates


def _left_open(scan: TableScan) -> Text:
    if scan.open is not None:
        return fact("fate_open", span=stretch(scan.open), taken=scan.taken)
    if scan.dead is not None or scan.result is not None:
        return ""
    return fact("fate_to_the_end" if scan.cut_at is None else "fate_until", turn=scan.cut_at)


def line_told(block: Block, language: str) -> Line:
    """A block as a line in a language."""
    if isinstance(block, Sentence):
        return Line(said(block.gap, language) + said(block.text, language), said(block.lead, language))
    text = plain([[block]], language).rstrip("\n")
    return Line(text, verbatim=True, aside=isinstance(block, Verbatim) and bool(block.style))


# The strip over the turns: how much room the tower had after each as it lay, and what became of the table.

_WIDTH = 900
_UP = 64
_DOWN = 26
_TOP = 16
_TABLE = 22
"""The height of the row for the table, where that was asked about."""
_WIDEST = 60
_NUMBERED = 45
"""With more steps than this only every fifth bar bears its number."""


def strip_svg(steps: Sequence[StepData], language: str, fate: Fate | None = None, told: bool = True) -> str:
    """The strip as SVG. A bar upwards is the slack of the tower as it lies, a hatched one downwards a tower that cannot
    be filled as it lies, a ring an answer that is not known, a cross the turn that breaks a rule. With `fate` a row
    below tells of the table: a line where it is alive, a band where it is lost, begun by a dagger, an open one where
    that is not known; it stays empty where it is not `told`. Heights go with the square root of the slack. Cost:
    linear.
    """
    width = min(_WIDEST, _WIDTH / max(1, len(steps)))
    left = (_WIDTH - width * len(steps)) / 2
    most = max((step.outlook.slack or 0 for step in steps), default=0) or 1
    ground, row = _TOP + _UP, _TABLE if fate is not None and fate.standing else 0
    height = ground + _DOWN + row + 18
    bars, asked, full = [], fate if told else None, say(fact("room_full"), language)
    for at, step in enumerate(steps):
        shown = len(steps) <= _NUMBERED or step.turn % 5 == 0
        standing = "" if asked is None or step.refused is not None else asked.at(step.turn) or ""
        body = _room_bar(step, width, most, full if shown else None)
        if standing:
            body += _standing(standing, width, asked is not None and asked.killer == step.turn)
        fine = "" if step.turn % 5 == 0 else " fine"
        if shown:
            body += f'<text class="tick{fine}" x="{width / 2:.1f}" y="{height - 4}">{step.turn}</text>'
        named = f' data-table="{standing}"' if standing else ""
        bars.append(
            f'<g class="bar" data-turn-bar="{at}"{named} transform="translate({left + at * width:.1f} 0)">'
            f'<rect class="hit" width="{width:.1f}" height="{height}" rx="5"/>{body}</g>'
        )
    axis = f'<line class="axis" x1="{left:.1f}" x2="{_WIDTH - left:.1f}" y1="{ground}" y2="{ground}"/>'
    words = escape(say(_in_words(steps, asked), language))
    box = f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{words}"'
    return f'<svg class="strip" {box}>{axis}{"".join(bars)}</svg>'


def strip_beside(steps: Sequence[StepData], own: str, language: str, fate: Fate | None) -> str:
    """The strip of another view, without the bars that `own` has too: what the script puts into a copy of that one.
    What became of the table it does not tell.
    """
    bar = '<g class="bar"'
    head, *bars = strip_svg(steps, language, fate, told=False).removesuffix("</svg>").split(bar)
    known = {*own.removesuffix("</svg>").split(bar)}
    return "".join([head, *(bar + each for each in bars if each not in known), "</svg>"])


def legend(fate: Fate | None) -> Fact:
    """What the strip is called, and what its signs mean."""
    return fact("legend_strip" if fate is None or not fate.standing else "legend_strip_table")


def _room_bar(step: StepData, width: float, most: int, full: str | None) -> str:
    """The bar of one step, with its number or, where the tower is, `full` above it."""
    ground, middle = _TOP + _UP, width / 2
    outlook, thick = step.outlook, min(width * 0.62, 26.0)
    side = middle - thick / 2
    if step.refused is not None:
        return f'<text class="cross" x="{middle:.1f}" y="{ground - 6}">×</text>'
    if outlook.answer == "unknown":
        return f'<circle class="ring" cx="{middle:.1f}" cy="{ground - 8}" r="3.5"/>'
    if outlook.answer == "deadlocked":
        place = f'x="{side:.1f}" y="{ground}" width="{thick:.1f}" height="{_DOWN}"'
        return f'<rect class="unfit" {place}/><rect {place} fill="url(#cf-hatch)"/>'
    slack = outlook.slack or 0
    height = max(2.0, _UP * sqrt(slack / most))
    body = f'<rect class="room" x="{side:.1f}" y="{ground - height:.1f}" width="{thick:.1f}" height="{height:.1f}"/>'
    if full is not None:
        text = str(slack) if outlook.slack is not None else full if width >= 24 else ""
        body += f'<text class="count" x="{middle:.1f}" y="{ground - height - 4:.1f}">{text}</text>'
    return body


def _standing(standing: str, width: float, deadly: bool) -> str:
    """The table after one turn, as its piece of the row."""
    top, middle = _TOP + _UP + _DOWN + 4, width / 2
    if standing == "alive":
        line = f'x1="0" x2="{width:.1f}" y1="{top + 7}" y2="{top + 7}"'
        return f'<line class="alive" {line}/>'
    body = f'<rect class="{standing}" x="0" y="{top}" width="{width:.1f}" height="14"/>'
    if standing == "unknown":
        return body + f'<text class="doubt" x="{middle:.1f}" y="{top + 11}">?</text>'
    return body + (f'<text class="dagger" x="{middle:.1f}" y="{top + 12}">†</text>' if deadly else "")


def _in_words(steps: Sequence[StepData], fate: Fate | None) -> Fact:
    """The strip in words: what became of the table, and the slack of the tower, each where it changes."""
    room = [(step.turn, fact("room_broken") if step.refused else _room(step.outlook)) for step in steps]
    told = fact("room", parts=_changes(room))
    if fate is None or not fate.standing:
        return told
    standing = [
        (step.turn, fact(f"strip_{fate.at(step.turn)}"))
        for step in steps
        if step.refused is None and fate.at(step.turn)
    ]
    return fact("sentences", parts=(fact("table_strip", parts=_changes(standing)), told))


def _changes(turns: Sequence[tuple[int, Fact]]) -> tuple[Fact, ...]:
    """What is said of each turn, where it is something else than of the one before."""
    later = [now for before, now in pairwise(turns) if now[1] != before[1]]
    return tuple(fact("room_at", turn=turn, room=said) for turn, said in (*turns[:1], *later))


def _room(outlook: Outlook) -> Fact:
    if outlook.answer != "completable":
        return fact("room_unfit" if outlook.answer == "deadlocked" else "room_unknown")
    return fact("room_full") if outlook.slack is None else fact("room_slack", slack=outlook.slack)
