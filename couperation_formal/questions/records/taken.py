"""What the public functions take: games and positions in each of their forms, rulebooks by name, words, numbers.

What is of another type is refused with a sentence (`Mistaken`, a `TypeError`), and so is another word (`ValueError`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from msgspec.structs import replace

from couperation_formal.game.fact import Fact, Mistaken, Unfit, fact, of_type
from couperation_formal.game.record import Game, Position, Record, Snapshot
from couperation_formal.game.rulings import Rules, load_rules, unknown
from couperation_formal.game.state import State
from couperation_formal.notation.read import Malformed, read_text
from couperation_formal.notation.write import position_text, record_text

T = TypeVar("T")


class Playable(ABC):
    """What is played on, and is asked about as the game that it is so far."""

    @abstractmethod
    def record(self) -> Game:
        """The game so far."""


GameLike = Game | Record | Playable | Snapshot | Malformed
"""A recorded game. Of what `read` gives, a position is refused (`TypeError`) and what is no CGN (`ValueError`)."""

PlaceLike = GameLike | Position | State
"""A game, after a turn of it, or a position. A `State` is one under the rules that are given with it."""


def game_of(value: object, name: str) -> Game:
    """The game that a value is, for the function `name`. A record becomes the game that its text is. Raises `Mistaken`,
    and `ValueError` for a game that cannot be read or written. Cost: for a record that of writing and reading it.
    """
    game = _game(value)
    if game is None:
        if isinstance(value, Snapshot | Position):
            raise Mistaken(fact("game_wanted"))
        raise Mistaken(_not_taken("takes_game", name, value))
    return game


def place_of(value: object, name: str, rules: Rules | None = None) -> Game | Snapshot:
    """The game or position that a value is, as `game_of` has it. A `State` is one under `rules`, and without them none
    (`ValueError`).
    """
    if isinstance(value, State):
        from couperation_formal.game.position import position_of
        from couperation_formal.notation.write import header_tags

        if rules is None:
            raise Unfit(fact("state_rules"))
        tags = header_tags(value.players, rules, value.variant, value.marks)
        value = position_of(value, rules, tuple(tag for tag in tags if tag[0] != "Rules"))
    if isinstance(value, Position):
        return replace(cast("Snapshot", _read(position_text(value))), position=value)
    item = value if isinstance(value, Snapshot) else _game(value)
    if item is None:
        raise Mistaken(_not_taken("takes_place", name, value))
    return item


def _game(value: object) -> Game | None:
    """The game that a value is; None for what is of another type."""
    if isinstance(value, Game):
        return value
    if isinstance(value, Malformed):
        raise Unfit(fact("unread_game", why=value.diagnostics[0].message))
    if isinstance(value, Record):
        return replace(cast("Game", _read(record_text(value))), record=value)
    return value.record() if isinstance(value, Playable) else None


def _read(text: str) -> Game | Snapshot:
    """The one game or position of a text that was made here. Raises `ValueError` where CGN cannot hold it."""
    item = next(read_text(text))
    if isinstance(item, Malformed):
        raise Unfit(fact("unread_game", why=item.diagnostics[0].message))
    return item


def _not_taken(kind: str, name: str, value: object) -> Fact:
    hint = fact("hint_text") if isinstance(value, str) else fact("hint_many") if isinstance(value, Iterable) else ""
    return fact(kind, name=name, given=_type(value), hint=hint)


def _type(value: object) -> str:
    return "None" if value is None else type(value).__name__


def answer_of(name: str, by: str, answer: T, kind: type[T]) -> T:
    """What the function `by` returned, of this kind, for the function `name`. Raises `Mistaken` for what is not."""
    if isinstance(answer, kind):
        return answer
    raise Mistaken(fact("takes_answer", name=name, by=by, given=_type(answer)))


def rules_of(rules: Rules | str | None) -> Rules | None:
    """Rules, or those that a text names. Raises what `load_rules` raises, and `Mistaken`."""
    if isinstance(rules, str):
        return load_rules(rules)
    return of_type("rules", rules, Rules, "rules")


def names_of(players: Sequence[str] | str | int) -> tuple[str, ...] | int:
    """The players' names, also from a text of them, or their number. Raises `Mistaken`, and `ValueError` for a name
    that CGN cannot hold.
    """
    of_type("players", players, (int, Sequence), "names")
    if isinstance(players, int):
        return players
    names = tuple(players.split() if isinstance(players, str) else players)
    for name in names:
        of_type("players", name or None, str, "names")
        if not name or any(character.isspace() or character in '";{}[]' for character in name):
            raise Unfit(fact("no_name", name=repr(name)))
    return names


def word(name: str, value: object, known: Iterable[str]) -> None:
    """Raises `ValueError` for a word that is none of an option's; it names the nearest."""
    names = tuple(known)
    if value not in names:
        raise Unfit(unknown("no_option", value, names, ruling=name))
