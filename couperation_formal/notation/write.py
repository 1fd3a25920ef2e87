"""Writing: the one canonical form of turns, games and positions."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, assert_never, get_args

from msgspec.structs import replace

from couperation_formal.game import record as recorded
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.record import Action, Comment, Game, Position, Record, Snapshot, Turn
from couperation_formal.game.rulings import Rules
from couperation_formal.game.tower import UNSEEN, Down, Mark, Shown, Value, Variant


class _Line(NamedTuple):
    """A line of canonical text as its words; lines of different `block` are set apart by a blank line."""

    block: int
    words: list[str]


def action_text(action: Action) -> str:
    """An action as CGN: ``A 17@f1``, ``D 44-5^9=40@i1x30``, ``-``."""
    return " ".join(_action_words(action))


def turn_text(turn: Turn) -> str:
    """A turn as CGN, its draw always written: ``5. Aki +9,5 D 44-5^9=40@i1x30 ! drop 3 trim 12``."""
    return " ".join(_turn_words(turn))


def record_text(record: Record) -> str:
    """A whole game as canonical CGN, its result always written.

    Reading it gives the same record where its tags name its players, rules, variant and marks, as `header_tags` does.
    Raises `ValueError` for a tag that CGN cannot hold.
    """
    return _text(_record_lines(record), ())


def position_text(position: Position) -> str:
    """A position as canonical CGN. Its tags are as for `record_text`, and so is `ValueError`.

    One whose hands have several `sizes` is written as its tower, Reserve and gone cards: whose hands these are is told
    in comments (``; hand Ann 2-4``).
    """
    told = [[";", f"hand {name}", f"{least}-{most}"] for name, (least, most) in position.sizes.items()]
    sizes = tuple(Comment(0, -2, " ".join(words)) for words in told)
    if sizes:
        position = replace(position, hands={}, deck=None, turn=None, last=None, skipped=0, idle=False, laid_down=False)
    return _text(_position_lines(position), sizes)


def format_item(item: Game | Snapshot) -> str:
    """A game or position as it was read, in canonical form, with its lines and comments in their order.

    Reading the result gives the same value, and comments with the same texts in the same order. Cost: linear.
    """
    keys = list(item.layout.lines)
    if isinstance(item, Game):
        return _text(_record_lines(item.record, keys), item.layout.comments)
    return _text(_position_lines(item.position, keys), item.layout.comments)


def header_tags(
    players: Iterable[str],
    rules: Rules,
    variant: Variant = "first",
    marks: Mapping[Value, Mark] | None = None,
    event: str | None = None,
) -> tuple[tuple[str, str], ...]:
    """The tags of a game or position that was not read but made."""
    tags = [("CGN", "1")]
    if event is not None:
        tags.append(("Event", event))
    tags += [("Rules", str(rules)), ("Variant", variant), ("Players", " ".join(players))]
    if marks:
        tags.append(("Marks", " ".join(f"{value}:{mark}" for value, mark in sorted(marks.items()))))
    return tuple(tags)


def _action_words(action: Action) -> list[str]:
    match action:
        case recorded.LayUp(card, cell):
            return ["A", f"{card}@{cell}"]
        case recorded.LayDown(card, cell):
            return ["B", f"{card}@{cell}"]
        case recorded.Open(cell, card):
            return ["C", f"{cell}={card}"]
        case recorded.Exchange():
            return ["D", _exchange_word(action)]
        case recorded.NoAction():
            return ["-"]
        case _:
            assert_never(action)


def _exchange_word(action: recorded.Exchange) -> str:
    adjust = "".join(f"{sign}{card}" for sign, card in action.adjust)
    down = "" if action.face_up else "~"
    sent = f"{action.first}{action.sign}{action.second}{adjust}"
    back = action.replaced
    replaced = "" if back is None else "x?" if back == Down(UNSEEN) else f"x{back}"
    return f"{sent}={down}{action.taken}@{action.cell}{replaced}"


def _turn_words(turn: Turn) -> list[str]:
    draw = "*" if turn.draw_open else ",".join(map(str, turn.draw)) or "0"
    words = [f"{turn.number}.", turn.player, f"+{draw}", *_action_words(turn.action), *turn.glyphs]
    lists = (("fill", turn.fill, turn.fill_open), ("drop", turn.drop, False), ("trim", turn.trim, False))
    for keyword, cards, open_ in lists:
        if cards or open_:
            words += [keyword, "*" if open_ else ",".join(map(str, cards))]
    return words


def _tag_lines(tags: tuple[tuple[str, str], ...]) -> list[_Line]:
    for name, value in tags:
        if any(character in value for character in '"\r\n'):
            raise Unfit(fact("tag_text", name=name, value=value))
    return [_Line(0, [f'[{name} "{value}"]']) for name, value in tags]


def _record_lines(record: Record, keys: Iterable[str] | None = None) -> list[_Line]:
    """The lines of a game; of the set-up those with these keys, or what is told."""
    told = {f"deal {player}": dealt for player, dealt in record.deals.items()}
    told |= {key: cards for key, cards in (("reserve", record.reserve), ("deck", record.deck)) if cards is not None}
    setup = [_Line(1, _card_words(key, told[key])) for key in (told if keys is None else keys)]
    turns = [_Line(2, _turn_words(turn)) for turn in record.turns]
    return [*_tag_lines(record.tags), *setup, *turns, _Line(2, [record.result or "*"])]


def _position_lines(position: Position, keys: Iterable[str] | None = None) -> list[_Line]:
    """The lines of a position with these keys, or what is told; no blank line sets them off from the tags."""
    piles: dict[str, tuple[Shown, ...] | None] = {f"hand {name}": hand for name, hand in position.hands.items()}
    piles |= {"reserve": position.reserve, "gone": position.gone or None, "deck": position.deck}
    words = {
        "position": ["position"],
        "tower": ["tower", *(f"{laid}@{cell}" for cell, laid in position.tower)],
        **{key: _card_words(key, cards) for key, cards in piles.items()},
        "turn": ["turn", str(position.turn)],
        "last": ["last", "-" if position.idle else str(position.last), *["laid", "down"] * position.laid_down],
        "skipped": ["skipped", str(position.skipped)],
        "replaced": ["replaced", "yes" if position.replaced else "no"],
        "front": ["front", str(position.front)],
    }
    told: dict[str, object] = {**piles, "turn": position.turn, "front": position.front}
    told |= {"last": position.idle or position.last, "replaced": position.replaced, "skipped": position.skipped}
    known = [key for key in words if told.get(key, "") not in (None, False, 0)] if keys is None else keys
    return [*_tag_lines(position.tags), *(_Line(0, words[key]) for key in known)]


def _card_words(key: str, cards: tuple[Shown, ...] | None) -> list[str]:
    return [*key.split(), *map(str, cards or ())]


def _text(lines: list[_Line], comments: tuple[Comment, ...]) -> str:
    """The lines with their comments; those that belong to no line come last."""
    by_place: dict[tuple[int, int], list[str]] = {}
    for comment in comments:
        by_place.setdefault((comment.item, comment.slot), []).append(comment.text)
    out: list[str] = []
    block = 0
    for item, line in enumerate(lines):
        if line.block != block:
            out.append("")
            block = line.block
        out += by_place.pop((item, -1), ())
        words: list[str] = []
        for slot, word in enumerate(line.words):
            words += [word, *by_place.pop((item, slot), ())]
        out.append(" ".join(words))
    for texts in by_place.values():
        out += texts
    return "\n".join(out) + "\n"


# What CGN can write is printed as CGN; the model need not know how.

_WRITTEN = {**dict.fromkeys(get_args(Action), action_text), Turn: turn_text, Record: record_text}
for _type, _write in {**_WRITTEN, Position: position_text}.items():
    setattr(_type, "__str__", _write)  # noqa: B010 - a method of another module's class
