"""What each view has seen of a game: everybody's cards, the public's, and each player's.

A view is the record as he could have written it down, carried out anew: nothing is hidden afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from couperation_formal.analysis.inspect import kept_tags, position_of, state_of
from couperation_formal.analysis.seen import View, game_seen, states_seen
from couperation_formal.game.record import Game, Position
from couperation_formal.game.rulings import Rules
from couperation_formal.game.seen import seen_position
from couperation_formal.game.state import State
from couperation_formal.notation.write import position_text
from couperation_formal.report.html.moves import RefusedDraw, turns_of
from couperation_formal.report.html.steps import StepData, game_steps, lines_of, step_of
from couperation_formal.report.svg_picture import home_column
from couperation_formal.words.say import phrase, safe, spoken

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
