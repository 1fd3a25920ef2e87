"""What the page tells of each turn: the tower, what fits it, whether it can still be completed, and why not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

import msgspec

from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Position, Turn
from couperation_formal.game.rulings import Rules, Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import STANDARD, card_key
from couperation_formal.notation.write import position_text
from couperation_formal.questions.records.states import attempt, conflict, kept_tags
from couperation_formal.questions.tables.fits import (
    Fit,
    TowerOutlook,
    cards_left,
    fits,
    fits_knowing_less,
    tower_outlook,
)
from couperation_formal.questions.tables.why import PlaceData, reason_cells, sentence
from couperation_formal.words.say import interval, phrase, ranges, safe

# What the page tells of each tower: whether it can still be completed, by how much, how, and why not.


class Outlook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer on one tower, in words.

    `answer` is `completable`, `deadlocked`, or `unknown` where an up card is not shown or no pyramid holds the tower.
    `slack` is the least number of values to spare over the intervals, `tight` says over which. `filling` completes the
    tower; `reasons` say why nothing does, `conflict` holds the cells of the first.
    """

    answer: str
    slack: int | None = None
    tight: str = ""
    filling: dict[str, int | str] = {}
    reasons: tuple[str, ...] = ()
    conflict: tuple[str, ...] = ()

    @property
    def full(self) -> bool:
        """Whether no cell is left to fill."""
        return self.answer == "completable" and not self.filling


def outlook(position: Position, home: int) -> Outlook:
    """The answer on the tower of a position, that for the pyramid from column `home` first."""
    found = tower_outlook(position, home)
    places = [msgspec.convert(place, PlaceData) for place in found.places]
    return Outlook(
        answer=found.answer,
        slack=None if found.slack is None else found.slack.least,
        tight=_tight(found),
        filling=dict(found.filling),
        reasons=_reasons(places, position),
        conflict=tuple(reason_cells(places[0].reason)) if places else (),
    )


def outlook_lines(found: Outlook, before: bool) -> tuple[str, ...]:
    """The answer in paragraphs; `before` where it is about the tower before the turn shown."""
    if found.answer == "unknown":
        return (phrase("tower_untold"),)
    lines = [phrase(f"tower_{'before' if before else 'now'}_{'full' if found.full else found.answer}")]
    lines += (f"{why if why[1].isdigit() else why[0].upper() + why[1:]}." for why in found.reasons)
    if found.answer == "completable" and found.slack is not None:
        lines.append(phrase("slack_over", slack=found.slack, tight=found.tight))
    return tuple(lines)


def _tight(found: TowerOutlook) -> str:
    if found.slack is None:
        return ""
    if found.slack.interval is None:
        return phrase("tight_hidden")
    above, below = found.slack.interval.above, found.slack.interval.below
    around = "below" if above == 0 else "above" if below > STANDARD.cards else "between"
    around = "all" if above == 0 and below > STANDARD.cards else around
    left = ranges(found.slack.interval.left) or phrase("none")
    return phrase(f"tight_{around}", count=len(found.slack.interval.cells), above=above, below=below, left=left)


def _reasons(places: list[PlaceData], position: Position) -> tuple[str, ...]:
    """The reasons in sentences, each with the places that it holds for where there are several."""
    found: dict[str, list[str]] = {}
    for place in places:
        found.setdefault(sentence(place.reason, position), []).append(place.column)
    if len(found) == 1:
        return tuple(found)
    return tuple(phrase("reason_at", columns=tuple(columns), why=why) for why, columns in found.items())


# The steps of a game: the set-up, each turn as far as the replay came, and the turn that breaks a rule.


class Refused(msgspec.Struct, frozen=True):
    """The card that a turn lays or opens against a rule."""

    cell: str
    card: str


class StepData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table after a turn, 0 being the set-up; `place` says so.

    `cells` holds the laid cards as CGN writes them. `hands` are in the players' order; a card that is not seen is
    ``?``, and where draws were not noted `sizes` says how many cards each may have. `mover` says who is to move, `told`
    what there is to say of the tower. `refused` and `conflict` belong to the turn that breaks a rule: the rest is then
    the table before it. `lines` are those of the position as CGN, after the game's head. `fits` tells what each empty
    cell can take of `cards`.
    """

    turn: int
    place: str
    cells: dict[str, str]
    laid: str | None = None
    hands: tuple[tuple[str, ...], ...] = ()
    sizes: dict[int, str] = {}
    front: int | None = None
    reserve: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    deck: int | str = 0
    top: tuple[str, ...] = ()
    mover: str = ""
    outlook: Outlook
    told: tuple[str, ...]
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
        before = msgspec.structs.replace(steps[-1], turn=illegal, place=place_of(illegal, len(turns)), laid=None)
        steps.append(_refused(before, states[-1], turns[illegal - 1], rules.rulings))
    return steps


def place_of(turn: int, turns: int) -> str:
    """How the page calls the table after a turn."""
    return phrase("turn_of", turn=turn, turns=turns) if turn else phrase("the_set_up")


def step_of(
    state: State, position: Position, turn: int, place: str, home: int, whole: StepData | None = None
) -> StepData:
    """One table as a step; `whole` is that of the same table of which more is known."""
    found = outlook(position, home)
    told = found.answer != "unknown"
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
        mover="" if position.turn is None else phrase("moves_next", player=safe(position.turn)),
        outlook=found,
        told=(*([phrase(f"game_over_{state.result}")] if state.result else []), *outlook_lines(found, before=False)),
        fits=fits(state, position, position.rules.rulings, told)
        if whole is None
        else fits_knowing_less(whole.fits, state, position, told),
        cards=cards_left(position),
        lines=tuple(line for line in lines_of(position_text(position)) if not line.startswith("[")),
    )


def sizes_told(state: State) -> dict[int, str]:
    """By seat, how many cards the hands may have whose draws were not noted."""
    seats = (seat for seat, hand in enumerate(state.hands) if hand.more)
    return {seat: phrase("live_deck", count=interval(*state.sizes(seat))) for seat in seats}


def _pile(pile: Pile) -> tuple[str, ...]:
    return (*map(str, sorted(pile.known, key=card_key)), *("?",) * pile.unseen)


def _refused(step: StepData, state: State, turn: Turn, rulings: Rulings) -> StepData:
    """The step of the turn that breaks a rule: the table before it, and the card that it lays."""
    step = msgspec.structs.replace(step, told=outlook_lines(step.outlook, before=True))
    found = attempt(turn)
    if found is None:
        return step
    cell, laid = found
    against = tuple(map(str, conflict(state, cell, laid, rulings)))
    return msgspec.structs.replace(step, mover="", refused=Refused(str(cell), str(laid)), conflict=against)


def lines_of(text: str) -> list[str]:
    """The lines of a CGN text, which end as CGN's do: a tag may hold what ends a line elsewhere."""
    return text.removesuffix("\n").split("\n")


def file_name(path: str) -> str:
    """The name of a file, not where it lies on the machine that made the page."""
    return re.split(r"[/\\]", path)[-1] or path
