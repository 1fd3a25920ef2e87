"""What can be posted to change a file, and how it is carried out."""

from __future__ import annotations

from typing import Annotated

import msgspec

from couperation_formal.board import record
from couperation_formal.board.draft import Draft, Glyph, Words, cards
from couperation_formal.board.judge import drafted, judged_line
from couperation_formal.board.keeper import Keeper
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.record import Game, Record, Turn
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Mark, Value, Variant
from couperation_formal.notation.parse import name_written
from couperation_formal.notation.write import header_tags

_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
_FORBIDDEN = set('";{}[]')


class _Edit(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", forbid_unknown_fields=True):
    """An edit of game `game`, the last one if left out, by somebody who saw this revision."""

    revision: int
    game: int | None = None


class PutTurn(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="turn"):
    """Play the next turn, or put it in the place of another: as it was tapped, or as a line was typed. One that the
    rules refuse, or that is not all told, is kept only as `disputed`.
    """

    draft: Draft | None = None
    line: record.Line | None = None
    place: int | None = None
    disputed: bool = False


class TakeBack(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="back"):
    """Take the last turn back."""


class Undo(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="undo"):
    """Undo the last edit."""


class Redo(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="redo"):
    """Do again what was undone."""


class Comment(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="comment"):
    """Say something of a turn; 0 is the set-up."""

    place: int
    text: record.Line


class Uncomment(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="uncomment"):
    """Take a comment out: the one with this number, from 0, of those that are told at a turn."""

    place: int
    index: int


class Keep(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="what-if"):
    """Keep a branch, as a comment behind the turn from which it goes."""

    branch: record.Branch


class Glyphs(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="glyphs"):
    """What is noted behind a turn's action."""

    place: int
    glyphs: Annotated[tuple[Glyph, ...], msgspec.Meta(max_length=4)]


class PutText(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="text"):
    """The game's text as it was typed."""

    text: Annotated[str, msgspec.Meta(max_length=200_000)]


class Start(_Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="start"):
    """A new game at the end of the file. What is not given stays unseen."""

    players: Annotated[tuple[_Name, ...], msgspec.Meta(min_length=1, max_length=8)]
    rules: Annotated[str, msgspec.Meta(max_length=400)] = ""
    variant: Variant = "first"
    event: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    marks: dict[str, Mark] = {}
    deals: dict[str, Words] = {}
    reserve: Words | None = None
    deck: Words | None = None


Posted = PutTurn | TakeBack | Undo | Redo | Comment | Uncomment | Keep | Glyphs | PutText | Start
"""Everything that can be posted."""


class NotAllowed(record.Refused):
    """A turn that the rules refuse or that is not all told; `told` is the draft with what they say."""

    def __init__(self, due: bool, told: dict[str, object]) -> None:
        super().__init__(fact("board_due" if due else "board_refused"))
        self.told = told


def carried_out(keeper: Keeper, edit: Posted) -> int:
    """Carry an edit out: the number of the game that it concerned. Raises `Stale`, `Kept`, `Refused` and `Unfit`, and
    then nothing has changed.
    """
    keeper.at(edit.revision)
    if isinstance(edit, Undo | Redo):
        done = keeper.undo(edit.revision) if isinstance(edit, Undo) else keeper.redo(edit.revision)
        return done.game
    if isinstance(edit, Start):
        keeper.edit(edit.revision, "start", len(keeper.games) + 1, 0, record.started(keeper.text, _record(edit)))
        return len(keeper.games)
    index = len(keeper.games) if edit.game is None else edit.game
    if isinstance(edit, PutText):
        start, item = record.part_at(keeper.games, index)
        keeper.edit(edit.revision, "text", index, start, record.retyped(item, edit.text))
        return index
    start, game = record.game_at(keeper.games, index)
    keeper.edit(edit.revision, str(edit.__struct_config__.tag), index, start, _splice(game, edit))
    return index


def _splice(game: Game, edit: PutTurn | TakeBack | Comment | Uncomment | Keep | Glyphs) -> record.Splice:
    if isinstance(edit, TakeBack):
        return record.taken_back(game)
    if isinstance(edit, Uncomment):
        return record.uncommented(game, edit.place, edit.index)
    if isinstance(edit, Keep):
        after = edit.branch.after
        return record.commented(game, after, record.kept(record.branch_of(record.branched(game, edit.branch), after)))
    if isinstance(edit, Comment):
        return record.commented(game, edit.place, edit.text)
    if isinstance(edit, Glyphs):
        record.placed_at(game.record, edit.place)
        turn = msgspec.structs.replace(game.record.turns[edit.place - 1], glyphs=edit.glyphs)
        return record.replaced(game, edit.place, turn)
    turn = accepted(game, edit)
    if edit.place is not None and edit.place <= len(game.record.turns):
        glyphs = turn.glyphs or game.record.turns[edit.place - 1].glyphs
        return record.replaced(game, edit.place, msgspec.structs.replace(turn, glyphs=glyphs))
    return record.appended(game, turn)


def accepted(game: Game, edit: PutTurn) -> Turn:
    """The turn that an edit puts. Raises `NotAllowed` where it is refused and not to be kept as disputed."""
    place = len(game.record.turns) + 1 if edit.place is None else edit.place
    if (edit.draft is None) == (edit.line is None):
        raise Unfit(fact("board_bad", why="draft, line"))
    if edit.draft is not None:
        drafted_turn = drafted(game, edit.draft, place, offering=False)
        turn, judged, told = drafted_turn.turn, drafted_turn.judged, drafted_turn.told()
        due = any(each.least for each in drafted_turn.due)
    else:
        _, turn, judged = judged_line(game, edit.line or "", place)
        told, due = {"judged": msgspec.to_builtins(judged)}, False
    if turn is None or judged is None:
        raise NotAllowed(True, told)
    if not edit.disputed and (due or judged.verdict == "illegal"):
        raise NotAllowed(due and judged.verdict != "illegal", told)
    if edit.disputed and judged.verdict == "illegal" and "~~" not in turn.glyphs:
        return msgspec.structs.replace(turn, glyphs=(*turn.glyphs, "~~"))
    return turn


def _record(edit: Start) -> Record:
    """The record of a game that begins. Raises `Unfit` and `RulesError` for what no record can hold."""
    players = tuple(map(name_written, edit.players))
    for name in players:
        bad = next((each for each in name if each in _FORBIDDEN or each.isspace() or not each.isprintable()), None)
        if bad is not None:
            raise Unfit(fact("name_letter_in", letter=bad, name=name))
        if players.count(name) > 1:
            raise Unfit(fact("same_name", name=name))
    rules = parse_rules(" ".join(edit.rules.split()))
    marks = {Value(int(card)): mark for card, mark in edit.marks.items() if _glass(card)}
    deals = {name_written(name): cards(words) for name, words in edit.deals.items()}
    for name in deals:
        if name not in players:
            raise Unfit(fact("board_bad", why=name))
    event = None if edit.event is None else " ".join(edit.event.split())
    return Record(
        tags=header_tags(players, rules, edit.variant, marks, event),
        players=players,
        rules=rules,
        variant=edit.variant,
        marks=marks,
        deals=deals,
        reserve=None if edit.reserve is None else cards(edit.reserve),
        deck=None if edit.deck is None else cards(edit.deck),
    )


def _glass(card: str) -> bool:
    if not isinstance(cards((card,))[0], int):
        raise Unfit(fact("board_no_card", text=card))
    return True
