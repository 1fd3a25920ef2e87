"""What became of the table, on the page: which turn lost the game, what would have saved it, the strip of all turns."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain, pairwise
from math import sqrt
from typing import Literal

import msgspec

from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Turn
from couperation_formal.output.blocks import Paragraph, Sentence, Verbatim, plain
from couperation_formal.page.sights import StepData, turn_words
from couperation_formal.questions.records.states import attempt
from couperation_formal.questions.tables.ask import line_from
from couperation_formal.questions.tables.complete import TableAnswer
from couperation_formal.questions.tables.deadlock import TableScan, stretch
from couperation_formal.questions.tables.fits import Outlook
from couperation_formal.questions.tables.why import written
from couperation_formal.words.say import phrase, safe, say, spoken

# What the analysis of the table tells on the page: which turn lost the game, and what would have saved it.

Standing = Literal["alive", "lost", "unknown"]

_STANDING: dict[bool | None, Standing] = {True: "alive", False: "lost", None: "unknown"}

_MAX_SAVING = 20


class Line(msgspec.Struct, frozen=True):
    """A line of what is told: a sentence with what stands out before it, or lines of CGN as they are; where it is
    proved stands `aside`.
    """

    text: str
    lead: str = ""
    verbatim: bool = False
    aside: bool = False


class Chance(msgspec.Struct, frozen=True):
    """An action that keeps the table alive, or would have: the card that it lays or opens on `cell`, it in words, and
    it with a line that wins, as canonical turns.
    """

    cell: str
    card: str
    words: str
    turns: tuple[str, ...]


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a game's table.

    `standing` has an answer for the set-up and each turn that was looked at; it is empty where the question cannot be
    asked. `turn` is the first turn after which the table is known to be lost, 0 for the set-up, as `deadlock` names it;
    None where there is none. `player` is whose turn it was. `said` is one sentence for the game's head, beside the turn
    where there is one; `told` is all that `deadlock` tells. So many actions as `saved` would have saved the table;
    `chances` are these, or of a table that is alive one, with their `lines`.
    """

    standing: tuple[Standing, ...] = ()
    turn: int | None = None
    player: str = ""
    said: str = ""
    saved: int = 0
    told: tuple[Line, ...] = ()
    chances: tuple[Chance, ...] = ()
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
        paragraphs.append([Sentence(phrase("unchecked"))])
    dead, lines = scan.dead, _saving(scan) or _winning(scan)
    return Fate(
        standing=tuple(_STANDING[scan.alive_after(turn)] for turn in range(len(scan.positions))),
        turn=dead,
        player=spoken(safe(scan.game.record.turns[dead - 1].player)) if dead else "",
        said=_said(scan),
        saved=sum(each.verdict == "alive" for each in scan.alternatives),
        told=lines_told(paragraphs),
        chances=tuple(map(_chance, lines)),
        lines=lines,
    )


def chances_of(scan: TableScan) -> tuple[Chance, ...]:
    """What would have saved the table at the turn that lost it, `_MAX_SAVING` actions at most."""
    return tuple(map(_chance, _saving(scan)))


def _chance(line: tuple[Turn, ...]) -> Chance:
    cell, card = attempt(line[0]) or ("", "")
    return Chance(str(cell), str(card), say(turn_words(line[0], safe(line[0].player))), written(line))


def _saving(scan: TableScan) -> tuple[tuple[Turn, ...], ...]:
    """Their lines, none where it is not known which turn lost it."""
    if not scan.dead or scan.alive != scan.dead - 1:
        return ()
    return tuple(each.line for each in scan.alternatives if each.verdict == "alive" and each.line)[:_MAX_SAVING]


def _winning(scan: TableScan) -> tuple[tuple[Turn, ...], ...]:
    """The line that wins of a game that goes on and is alive at its end, if there is one."""
    end = len(scan.positions) - 1
    line = line_from(scan.answers[end], end) if scan.result is None and end in scan.answers else ()
    return (line,) if line else ()


def no_fate(why: object) -> Fate:
    """That of a game of which the question cannot be asked."""
    return Fate(said=phrase("fate_not_asked", why=safe(str(why))))


def position_fate(answer: TableAnswer, verified: bool) -> Fate:
    """That of a position: whether some continuation wins. `verified` as for `fate_of`."""
    return Fate(standing=(_STANDING[answer.winnable],), said="" if verified else phrase("unchecked"))


def with_fate(steps: Sequence[StepData], fate: Fate | None) -> list[StepData]:
    """The steps, each with what became of the table, before what is told of the tower."""
    with_fates = []
    for step in steps:
        if fate is not None and fate.standing:
            refused = step.turn >= len(fate.standing)  # before this turn the table was as after the one before
            standing = fate.standing[-1 if refused else step.turn]
            told = standing == "lost" if refused else step.mover
            lines = [phrase(f"stands_{standing}"), *([] if fate.told or not fate.said else [fate.said])] if told else []
            if fate.turn == step.turn:
                by_here = phrase("fate_lost_by_here" if step.turn else "stands_lost")
                lines = [
                    phrase("fate_lost_here") if fate.killer else by_here,
                    *([phrase("fate_saved_by", actions=fate.saved)] if fate.saved else []),
                ]
            step = msgspec.structs.replace(step, told=(*lines, *step.told))
        with_fates.append(step)
    return with_fates


def _said(scan: TableScan) -> str:
    if scan.open is not None:
        return phrase("fate_open", span=stretch(scan.open), taken=scan.taken)
    return phrase("fate_to_the_end") if scan.dead is None and scan.result is None else ""


def lines_told(paragraphs: Iterable[Paragraph]) -> tuple[Line, ...]:
    """The blocks of paragraphs, each as a line."""
    return tuple(
        Line(safe(block.text), safe(block.lead))
        if isinstance(block, Sentence)
        else Line(plain([[block]]).rstrip("\n"), verbatim=True, aside=isinstance(block, Verbatim) and bool(block.style))
        for block in chain.from_iterable(paragraphs)
    )


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


def strip_svg(steps: Sequence[StepData], fate: Fate | None = None, told: bool = True) -> str:
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
    bars, asked = [], fate if told else None
    for at, step in enumerate(steps):
        shown = len(steps) <= _NUMBERED or step.turn % 5 == 0
        standing = "" if asked is None or step.refused is not None else asked.at(step.turn) or ""
        body = _room_bar(step, width, most, shown)
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
    words = escape(_in_words(steps, asked))
    box = f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{words}"'
    return f'<svg class="strip" {box}>{axis}{"".join(bars)}</svg>'


def strip_beside(steps: Sequence[StepData], own: str, fate: Fate | None) -> str:
    """The strip of another view, without the bars that `own` has too: what the script puts into a copy of that one.
    What became of the table it does not tell.
    """
    bar = '<g class="bar"'
    head, *bars = strip_svg(steps, fate, told=False).removesuffix("</svg>").split(bar)
    known = {*own.removesuffix("</svg>").split(bar)}
    return "".join([head, *(bar + each for each in bars if each not in known), "</svg>"])


def legend(fate: Fate | None) -> str:
    """What the strip is called, and what its signs mean."""
    return phrase("legend_strip" if fate is None or not fate.standing else "legend_strip_table")


def _room_bar(step: StepData, width: float, most: int, shown: bool) -> str:
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
    if shown:
        full = phrase("room_full") if width >= 24 else ""
        text = full if outlook.slack is None else str(slack)
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


def _in_words(steps: Sequence[StepData], fate: Fate | None) -> str:
    """The strip in words: what became of the table, and the slack of the tower, each where it changes."""
    room = [(step.turn, fact("room_broken") if step.refused else _room(step.outlook)) for step in steps]
    told = phrase("room", parts=_changes(room))
    if fate is None or not fate.standing:
        return told
    standing = [
        (step.turn, fact(f"strip_{fate.at(step.turn)}"))
        for step in steps
        if step.refused is None and fate.at(step.turn)
    ]
    return f"{phrase('table_strip', parts=_changes(standing))} {told}"


def _changes(turns: Sequence[tuple[int, Fact]]) -> tuple[Fact, ...]:
    """What is said of each turn, where it is something else than of the one before."""
    later = [now for before, now in pairwise(turns) if now[1] != before[1]]
    return tuple(fact("room_at", turn=turn, room=said) for turn, said in (*turns[:1], *later))


def _room(outlook: Outlook) -> Fact:
    if outlook.answer != "completable":
        return fact("room_unfit" if outlook.answer == "deadlocked" else "room_unknown")
    return fact("room_full") if outlook.slack is None else fact("room_slack", slack=outlook.slack)
