"""The strip over the turns: how much room the tower had after each, and where it was deadlocked."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import sqrt

from couperation_formal.model.fact import Fact, fact
from couperation_formal.report.html.outlook import Outlook
from couperation_formal.report.html.steps import StepData
from couperation_formal.words.say import phrase

_WIDTH = 900
_UP = 64
_DOWN = 26
_TOP = 16
_WIDEST = 60
_NUMBERED = 45
"""With more steps than this only every fifth bar bears its number."""


def strip_svg(steps: Sequence[StepData]) -> str:
    """The strip as SVG: a bar upwards is the slack, a hatched one downwards a deadlock, a ring an answer that is not
    known, and a cross the turn that breaks a rule. Heights go with the square root of the slack. Cost: linear.
    """
    width = min(_WIDEST, _WIDTH / max(1, len(steps)))
    left = (_WIDTH - width * len(steps)) / 2
    most = max((step.outlook.slack or 0 for step in steps), default=0) or 1
    ground = _TOP + _UP
    bars = "".join(
        _bar(step, at, left + at * width, width, most, len(steps) <= _NUMBERED) for at, step in enumerate(steps)
    )
    words, height = escape(_in_words(steps)), ground + _DOWN + 18
    return (
        f'<svg class="strip" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{words}">'
        f'<line class="axis" x1="{left:.1f}" x2="{_WIDTH - left:.1f}" y1="{ground}" y2="{ground}"/>{bars}</svg>'
    )


def _bar(step: StepData, at: int, left: float, width: float, most: int, numbered: bool) -> str:
    ground, middle = _TOP + _UP, width / 2
    found, thick = step.outlook, min(width * 0.62, 26.0)
    side = middle - thick / 2
    shown = numbered or step.turn % 5 == 0
    if step.refused is not None:
        body = f'<text class="cross" x="{middle:.1f}" y="{ground - 6}">×</text>'
    elif found.answer == "unknown":
        body = f'<circle class="ring" cx="{middle:.1f}" cy="{ground - 8}" r="3.5"/>'
    elif found.answer == "deadlocked":
        body = (
            f'<rect class="dead" x="{side:.1f}" y="{ground}" width="{thick:.1f}" height="{_DOWN}"/>'
            f'<rect x="{side:.1f}" y="{ground}" width="{thick:.1f}" height="{_DOWN}" fill="url(#cf-hatch)"/>'
        )
        body += f'<text class="count" x="{middle:.1f}" y="{ground - 5}">†</text>' if shown else ""
    else:
        slack = found.slack if found.slack is not None else 0
        height = max(2.0, _UP * sqrt(slack / most))
        body = (
            f'<rect class="room" x="{side:.1f}" y="{ground - height:.1f}" width="{thick:.1f}" height="{height:.1f}"/>'
        )
        if shown:
            full = phrase("room_full") if width >= 24 else ""
            text = full if found.slack is None else str(slack)
            body += f'<text class="count" x="{middle:.1f}" y="{ground - height - 4:.1f}">{text}</text>'
    fine = "" if step.turn % 5 == 0 else " fine"
    label = f'<text class="tick{fine}" x="{middle:.1f}" y="{ground + _DOWN + 14}">{step.turn}</text>' if shown else ""
    return (
        f'<g class="bar" data-turn-bar="{at}" transform="translate({left:.1f} 0)">'
        f'<rect class="hit" width="{width:.1f}" height="{ground + _DOWN + 18}" rx="5"/>{body}{label}</g>'
    )


def _in_words(steps: Sequence[StepData]) -> str:
    """The strip in words: the slack where it changes."""
    parts: list[Fact] = []
    before = None
    for step in steps:
        now = fact("room_broken") if step.refused is not None else _room(step.outlook)
        if now != before:
            parts.append(fact("room_at", turn=step.turn, room=now))
        before = now
    return phrase("room", parts=tuple(parts))


def _room(found: Outlook) -> Fact:
    if found.answer != "completable":
        return fact("deadlocked" if found.answer == "deadlocked" else "room_unknown")
    return fact("room_full") if found.slack is None else fact("room_slack", slack=found.slack)
