"""Who sees what on a page: a view for each player and the public, each with its list of moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from couperation_formal.game.position import position_of, state_of
from couperation_formal.game.record import Game, Position
from couperation_formal.game.rulings import Rules
from couperation_formal.game.seen import seen_position
from couperation_formal.game.state import State
from couperation_formal.notation.write import position_text, turn_text
from couperation_formal.output.clauses import complaint
from couperation_formal.output.report import Report
from couperation_formal.output.svg import home_column
from couperation_formal.page.assets import draw_words, turn_words
from couperation_formal.page.steps import StepData, game_steps, lines_of, step_of
from couperation_formal.questions.records.states import View, game_seen, kept_tags, states_seen
from couperation_formal.words.say import phrase, safe, say, spoken

# The list of moves: every turn with its verdict.


class Row(msgspec.Struct, frozen=True):
    """One line of the list of moves. `sign` and `verdict` say the same, once as a glyph; `shown` tells whether the page
    has a step of it.
    """

    turn: int
    player: str
    text: str
    sign: str
    verdict: str
    shown: bool


class RefusedDraw(NamedTuple):
    """A draw that is refused: the turn by its place, and whether it is that after the action (`fill`)."""

    turn: int
    fill: bool


def refused_draw(report: Report, game: Game) -> RefusedDraw | None:
    """The draw for which a game is refused; None where it is not refused for a draw."""
    error = report.error
    if error is None or not report.turn or not error.code.startswith("DRW"):
        return None
    return RefusedDraw(report.turn, error.span.start >= game.layout.turns[report.turn - 1].action.start)


def turns_of(game: Game, refused: RefusedDraw | None = None) -> list[dict[str, Any]]:
    """Every turn of the record: its text, its words, the recorder's remark, and the cards of the draw that is refused
    with the words that tell of it.
    """
    remarks, players = _remarks(game), game.record.players
    found = []
    for at, turn in enumerate(game.record.turns, 1):
        entry: dict[str, Any] = {
            "player": players.index(turn.player) if turn.player in players else -1,
            "text": _text(turn_text(turn)),
            "words": say(turn_words(turn, safe(turn.player))),
        }
        if refused is not None and refused.turn == at:
            cards = turn.fill if refused.fill else turn.draw
            entry["refused"] = {"cards": tuple(map(str, cards)), "words": say(draw_words(cards, refused.fill))}
        if at in remarks:
            entry["remark"] = remarks[at]
        found.append(entry)
    return found


def rows_of(report: Report, game: Game, lost: int | None = None) -> list[Row]:
    """The set-up and every turn with its verdict; turn `lost` lost the game."""
    marked = {found.turn: found.severity for found in report.diagnostics}
    errors = {found.turn: found.code for found in reversed(report.diagnostics) if found.severity == "error"}
    ends = {found.turn: complaint(found, game) for found in report.diagnostics if found.code in ("END02", "END03")}
    signs = {"warning": ("!", phrase("keeps_warned")), "note": ("·", phrase("has_part"))}
    if report.verdict == "undetermined":
        signs["note"] = "?", phrase("untold")
    rows = []
    entries = [
        ("", phrase("set_up")),
        *((spoken(safe(turn.player)), _text(turn_text(turn))) for turn in game.record.turns),
    ]
    for turn, (player, text) in enumerate(entries):
        judged = turn < len(report.states) and (report.turn is None or turn < report.turn)
        possible = report.verdict == "legal" or (report.verdict == "illegal" and turn < (report.turn or 0))
        plain = (
            ("✓", phrase("keeps")) if judged else ("✓", phrase("can_keep")) if possible else ("", phrase("not_judged"))
        )
        sign, verdict = signs.get(marked.get(turn, ""), plain)
        here = turn == lost
        said = ends.get(turn, "") if report.verdict == "legal" else ""
        if here or said:
            told = safe(said[:1].upper() + said[1:]) or phrase("fate_lost_short")
            sign, verdict = "†" if here else plain[0], phrase("keeps_told", said=told)
        if turn in errors:
            sign, verdict = "✗", phrase("breaks", clause=errors[turn])
        rows.append(Row(turn, player, text, sign, verdict, judged or report.turn == turn == len(report.states)))
    return rows


def _remarks(game: Game) -> dict[int, str]:
    """The recorder's comments by the turn on whose line they stand."""
    layout = game.layout
    first = len(layout.tags) + len(layout.lines)
    found: dict[int, list[str]] = {}
    for comment in layout.comments:
        turn = comment.item - first + 1
        if comment.slot >= 0 and 1 <= turn <= len(game.record.turns):
            found.setdefault(turn, []).append(safe(" ".join(comment.text.strip(";{} \n").split())))
    return {turn: " · ".join(texts) for turn, texts in found.items()}


def _text(turn: str) -> str:
    """A turn as CGN without its number and player."""
    return safe(turn.split(" ", 2)[2])


# What each view has seen of a game: everybody's cards, the public's, and each player's.
#
# A view is the record as he could have written it down, carried out anew: nothing is hidden afterwards.

ALL, PUBLIC = "all", "table"
"""The keys of two views; those of the players are their numbers."""


class Sight(msgspec.Struct, frozen=True):
    """What one view has seen: the steps, the turns in text and words, the tags of its positions, and the lines of the
    record or position as CGN.
    """

    steps: list[StepData]
    turns: list[dict[str, Any]]
    head: list[str]
    cgn: tuple[str, ...]


def label(only: View | None) -> str:
    """Whose cards a page shows."""
    if only is None:
        return phrase("everybodys_cards")
    return phrase("as_public") if only.player is None else phrase("as_player", player=safe(only.player))


def views_of(seen: Iterable[str], players: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The keys of the views with what they are called."""
    words = {ALL: phrase("seen_all"), PUBLIC: phrase("seen_table")}
    return tuple((key, words[key] if key in words else spoken(safe(players[int(key)]))) for key in seen)


def game_sights(
    game: Game,
    rules: Rules,
    steps: list[StepData],
    states: Sequence[State],
    illegal: int | None,
    only: View | None,
    refused: RefusedDraw | None = None,
) -> dict[str, Sight]:
    """The views of a game with these steps, made of `states` and of the turn that is `illegal`; where the game is what
    `only` saw, of this one.
    """
    players = game.record.players
    own = Sight(steps, turns_of(game, refused), _head(position_of(states[-1], rules, kept_tags(game))), _lines(game))
    if only is not None:
        return {_key(only.player, players): own}
    found = {ALL: own}
    for key, name in _others(players):
        seen = game_seen(game, name)
        after = states_seen(seen, rules.rulings)[: len(states)]
        home = home_column(states[-1].tower, rules.rulings)
        told = _with_the_rest(game_steps(seen, rules, after, illegal, home, steps), steps)
        head = _head(position_of(after[-1], rules, kept_tags(seen)))
        found[key] = Sight(told, turns_of(seen, refused), head, _lines(seen))
    return found


def _with_the_rest(told: list[StepData], steps: Sequence[StepData]) -> list[StepData]:
    """As many steps as the whole record has: where a view is not told what follows, the last table stands."""
    rest = steps[len(told) :]
    last = msgspec.structs.replace(told[-1], laid=None, mover="", told=(phrase("seen_no_further"),))
    return [*told, *(msgspec.structs.replace(last, turn=step.turn, place=step.place) for step in rest)]


def position_sights(position: Position, home: int, only: View | None, players: Sequence[str]) -> dict[str, Sight]:
    """The views of a position, of those of `players`; where it is what `only` saw, of this one."""
    own = _position_sight(position, home)
    if only is not None:
        return {_key(only.player, position.players): own}
    if not players:
        return {ALL: own}
    others = {key: _position_sight(seen_position(position, name), home) for key, name in _others(players)}
    return {ALL: own, **others}


def _position_sight(position: Position, home: int) -> Sight:
    step = step_of(state_of(position), position, 0, phrase("the_position"), home)
    return Sight([step], [], _head(position), tuple(lines_of(position_text(position))))


def _others(players: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    yield PUBLIC, None
    for number, name in enumerate(players):
        yield str(number), name


def _key(player: str | None, players: Sequence[str]) -> str:
    return PUBLIC if player is None else str(players.index(player))


def _lines(game: Game) -> tuple[str, ...]:
    return tuple(lines_of(game.layout.text))


def _head(position: Position) -> list[str]:
    return [line for line in lines_of(position_text(position)) if line.startswith("[")]
