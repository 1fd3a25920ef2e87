"""What the analysis of the table tells on the page: which turn lost the game, and what would have saved it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Literal

import msgspec

from couperation_formal.analysis.table_answer import TableAnswer
from couperation_formal.analysis.table_deadlock import TableScan
from couperation_formal.notation.write import action_text
from couperation_formal.report.blocks import Block, Paragraph, Sentence, plain
from couperation_formal.report.html.steps import StepData
from couperation_formal.report.tables import table_deadlock_blocks
from couperation_formal.report.towers import stretch
from couperation_formal.words.say import phrase, safe, spoken

Standing = Literal["alive", "lost", "unknown"]

_STANDING: dict[bool | None, Standing] = {True: "alive", False: "lost", None: "unknown"}

_MAX_SAVING = 40


class Line(msgspec.Struct, frozen=True):
    """A line of what is told: a sentence with what stands out before it, or lines of CGN as they are."""

    text: str
    lead: str = ""
    verbatim: bool = False


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a game's table.

    `standing` has an answer for the set-up and each turn that was looked at; it is empty where the question cannot be
    asked. `turn` is the first turn after which the table is known to be lost, 0 for the set-up, as `deadlock` names it;
    None where there is none. `player` is whose turn it was. `said` is one sentence for the game's head, beside the turn
    where there is one; `told` is all that `deadlock` tells.
    """

    standing: tuple[Standing, ...] = ()
    turn: int | None = None
    player: str = ""
    said: str = ""
    saving: str = ""
    told: tuple[Line, ...] = ()

    def at(self, turn: int) -> Standing | None:
        """The answer after a turn, None where nothing was asked."""
        return self.standing[turn] if turn < len(self.standing) else None

    @property
    def killer(self) -> int | None:
        """The turn that is known to have lost the game: before it the table was alive."""
        return self.turn if self.turn and self.at(self.turn - 1) == "alive" else None


def fate_of(found: TableScan, verified: bool = True) -> Fate:
    """The fate of a game; `verified` is False where the independent checker could not repeat the answer."""
    paragraphs: list[Paragraph] = list(table_deadlock_blocks(found))[1:]
    if not verified:
        paragraphs.append([Sentence(phrase("unchecked"))])
    dead = found.dead
    return Fate(
        standing=tuple(_STANDING[found.alive_after(turn)] for turn in range(len(found.positions))),
        turn=dead,
        player=spoken(safe(found.game.record.turns[dead - 1].player)) if dead else "",
        said=_said(found),
        saving=_saving(found),
        told=tuple(map(line_of, chain.from_iterable(paragraphs))),
    )


def no_fate(why: object) -> Fate:
    """That of a game of which the question cannot be asked."""
    return Fate(said=phrase("fate_not_asked", why=safe(str(why))))


def position_fate(found: TableAnswer, verified: bool) -> Fate:
    """That of a position: whether some continuation wins. `verified` as for `fate_of`."""
    return Fate(standing=(_STANDING[found.winnable],), said="" if verified else phrase("unchecked"))


def with_fate(steps: Sequence[StepData], fate: Fate | None) -> list[StepData]:
    """The steps, each with what became of the table, before what is told of the tower."""
    found = []
    for step in steps:
        if fate is not None and fate.standing:
            refused = step.turn >= len(fate.standing)  # before this turn the table was as after the one before
            standing = fate.standing[-1 if refused else step.turn]
            told = standing == "lost" if refused else step.mover
            lines = [phrase(f"stands_{standing}"), *([] if fate.told or not fate.said else [fate.said])] if told else []
            if fate.turn == step.turn:
                by_here = phrase("fate_lost_by_here" if step.turn else "stands_lost")
                lines = [phrase("fate_lost_here") if fate.killer else by_here, *([fate.saving] if fate.saving else [])]
            step = msgspec.structs.replace(step, told=(*lines, *step.told))
        found.append(step)
    return found


def _said(found: TableScan) -> str:
    if found.open is not None:
        return phrase("fate_open", span=stretch(found.open), taken=found.taken)
    return phrase("fate_to_the_end") if found.dead is None and found.result is None else ""


def _saving(found: TableScan) -> str:
    """What would have saved the table at the turn that lost it, in a sentence; nothing where that was not asked."""
    if not found.dead or found.alive != found.dead - 1:
        return ""
    actions = [action_text(each.action) for each in found.alternatives if each.verdict == "alive"]
    if not actions:
        return ""
    shown = ", ".join(actions[:_MAX_SAVING]) + (" …" if len(actions) > _MAX_SAVING else "")
    return phrase("fate_saved_by", actions=len(actions), shown=shown)


def line_of(block: Block) -> Line:
    """A block as a line."""
    if isinstance(block, Sentence):
        return Line(safe(block.text), safe(block.lead))
    return Line(plain([[block]]).rstrip("\n"), verbatim=True)
