"""One game, position or malformed game as what the templates show of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from couperation_formal.analysis.complete import NoTower
from couperation_formal.analysis.deadlock import scan
from couperation_formal.analysis.inspect import NoSuchTurn, kept_tags, position_of, state_of
from couperation_formal.analysis.verify import Report
from couperation_formal.answers.data import tag_of
from couperation_formal.model.board import Cell, column_name
from couperation_formal.model.cards import Laid
from couperation_formal.model.record import Game, Position, Table
from couperation_formal.model.rulings import Rules, Rulings, taggable
from couperation_formal.model.state import State
from couperation_formal.notation.write import action_text
from couperation_formal.report.clauses import title_of
from couperation_formal.report.html.findings import DisputeView, Finding, dispute_view, findings
from couperation_formal.report.html.moves import Row, rows_of, turns_of
from couperation_formal.report.html.steps import StepData, game_steps, head_lines, step_of
from couperation_formal.report.html.strip import strip_svg
from couperation_formal.report.html.what_if import BARS
from couperation_formal.report.html.words import attempt
from couperation_formal.report.svg import axes, frame_of, slot
from couperation_formal.report.svg_picture import Glass, home_column, tower_picture
from couperation_formal.rules.orders import finish_number
from couperation_formal.words.text import safe

_MAX_SAVING = 40


class Scene(msgspec.Struct, frozen=True):
    """The tower as the page begins with it: its slots and axes as SVG, and which part of the plane is shown."""

    slots: str
    axes: str
    far: str
    frame: str
    strip: str


class GameView(msgspec.Struct, frozen=True, kw_only=True):
    """What the templates show of one item. `scene` is None where there is no tower to show, `data` is then empty.
    `piles` names those that are known of.
    """

    number: int
    title: str
    where: str
    facts: tuple[str, ...]
    verdict: str
    verdict_words: str
    turns: int
    findings: tuple[Finding, ...]
    rows: tuple[Row, ...] = ()
    scene: Scene | None = None
    hands: tuple[str, ...] = ()
    piles: tuple[str, ...] = ("reserve", "gone", "deck")
    position: bool = False
    data: dict[str, Any] = {}
    dispute: DisputeView | None = None


def game_view(report: Report, number: int, rules: Rules | None, dispute: Mapping[str, Any] | None = None) -> GameView:
    """The view of a report's item as number `number` of the page; `rules` stand in place of the item's own.

    Cost: some tens of milliseconds for a game.
    """
    item = report.item
    where = f"{safe(item.file)}, game {item.index}"
    title = safe(tag_of(item, "Event") or f"Game {item.index}")
    found = tuple(findings(report))
    if isinstance(item, Table):
        return _position_view(item, number, title, where, rules)
    if not isinstance(item, Game) or report.rules is None:
        count = len(report.diagnostics)
        words = f"This is no CGN: {count} fault{'' if count == 1 else 's'}."
        return GameView(
            number=number, title=title, where=where, facts=(), verdict=report.verdict, verdict_words=words, turns=0,
            findings=found,
        )  # fmt: skip
    return _recorded_view(report, item, report.rules, number, title, where, found, dispute)


def _recorded_view(
    report: Report,
    game: Game,
    rules: Rules,
    number: int,
    title: str,
    where: str,
    found: tuple[Finding, ...],
    dispute: Mapping[str, Any] | None,
) -> GameView:
    states = report.states if report.turn is None else report.states[: max(1, report.turn)]
    rulings = taggable(rules)
    home = home_column(states[-1].tower, rulings.rulings)
    steps = game_steps(game, rulings, states, report.turn, home)
    rows = tuple(rows_of(report, game))
    record = game.record
    verdicts = [rows[step.turn].verdict for step in steps]
    data = {
        **_shared(steps, states, position_of(states[-1], rulings, kept_tags(game)), home),
        "states": len(states),
        "turns": turns_of(game),
        "verdicts": verdicts,
        "zero": "The set-up",
        "opening": f"{', '.join(map(safe, record.players))} sit down; the 25 lies on g1.",
        "death": _death(game, rules, steps),
    }
    return GameView(
        number=number,
        title=title,
        where=where,
        facts=_facts(record.players, rules, record.variant, len(record.turns)),
        verdict=report.verdict,
        verdict_words=_verdict_words(report),
        turns=len(record.turns),
        findings=found,
        rows=rows,
        scene=_scene(data, steps, states[-1], rulings.rulings, home, _attempted(game, steps[-1])),
        hands=tuple(map(safe, record.players)),
        data=data,
        dispute=None if dispute is None else dispute_view(dispute),
    )


def _position_view(table: Table, number: int, title: str, where: str, rules: Rules | None) -> GameView:
    """A position is a game of one step."""
    position = table.position
    chosen = taggable(rules or position.rules)
    tags = tuple(tag for tag in position.tags if tag[0] != "Rules")
    tags = (*tags[:1], ("Rules", str(chosen)), *tags[1:])
    position = msgspec.structs.replace(position, rules=chosen, tags=tags)
    state = state_of(position)
    home = home_column(state.tower, chosen.rulings)
    step = step_of(state, position, 0, home, {})
    if position.turn is None:
        step = msgspec.structs.replace(step, mover=None)
    known = {"reserve": position.reserve is not None, "gone": True, "deck": position.turn is not None}
    data = {
        **_shared([step], (state,), position, home),
        "states": 1,
        "turns": [],
        "verdicts": [""],
        "zero": "The position",
        "opening": f"{position.turn} is to move." if position.turn is not None else "The tower alone is asked about.",
        "death": None,
    }
    shown = position.players if position.hands or position.turn is not None else ()
    return GameView(
        number=number,
        title=title,
        where=where,
        facts=_facts(position.players, chosen, position.variant, None),
        verdict="position",
        verdict_words="A position.",
        turns=0,
        findings=(),
        scene=_scene(data, [step], state, chosen.rulings, home, None),
        hands=tuple(map(safe, shown)),
        piles=tuple(name for name, given in known.items() if given),
        position=True,
        data=data,
    )


def _facts(players: Sequence[str], rules: Rules, variant: str, turns: int | None) -> tuple[str, ...]:
    count = () if turns is None else (f"{turns} turn{'' if turns == 1 else 's'}",)
    return (safe(", ".join(players)), f"rules {safe(str(rules))}", f"variant {variant}", *count)


def _shared(steps: Sequence[StepData], states: Sequence[State], position: Position, home: int) -> dict[str, Any]:
    """What a game and a position have in common."""
    board = states[-1].board
    at_home = list(board.pyramid(home))
    laid = {cell for state in states for cell in state.tower.cells} | set(_refused(steps))
    near = sorted({*at_home, *laid})
    far = sorted({*near, *(_cell(name) for step in steps for name in _named(step))})
    return {
        "steps": list(steps),
        "start": len(steps) - 1,
        "players": [safe(player) for player in position.players],
        "marks": {str(value): mark for value, mark in states[-1].marks.items()},
        "finish": finish_number(board, position.rules.rulings),
        "bars": {code: title_of(code) for code in BARS},
        "head": head_lines(position),
        "home": [str(cell) for cell in at_home],
        "near": [str(cell) for cell in near],
        "frames": {"home": str(frame_of(near)), "all": str(frame_of(far))},
        "slots": [str(cell) for cell in far],
        "column": column_name(home),
    }


def _named(step: StepData) -> Iterator[str]:
    """The cells without a card that a step can show: where one can be laid, a filling, a conflict."""
    yield from (cell for cell, fit in step.fits.items() if fit.bar in (None, "TOW08"))
    yield from step.outlook.filling
    yield from (*step.outlook.conflict, *step.conflict)


def _refused(steps: Sequence[StepData]) -> list[Cell]:
    return [_cell(step.refused.cell) for step in steps if step.refused is not None]


def _cell(name: str) -> Cell:
    """The cell of this name on the printed board."""
    return Cell(ord(name[0]) - ord("a"), int(name[1:]))


def _scene(
    data: Mapping[str, Any],
    steps: Sequence[StepData],
    state: State,
    rulings: Rulings,
    home: int,
    refused: tuple[Cell, Laid] | None,
) -> Scene:
    """The first picture: what the page shows before any script runs."""
    conflict = [_cell(name) for name in steps[-1].conflict]
    laid = None if refused else state.touched
    picture = tower_picture(state.tower, rulings, state.marks, laid=laid, conflict=conflict, refused=refused)
    shown = {glass.cell: glass for glass in picture.glasses}
    at_home = set(state.board.pyramid(home))
    slots = []
    for name in data["slots"]:
        cell = _cell(name)
        glass = shown.get(cell) or (Glass(cell, "place") if cell in at_home else None)
        slots.append(slot(glass) if glass else _empty_slot(cell))
    near = sorted({*at_home, *shown} & {*map(_cell, data["slots"])})
    every = [_cell(name) for name in data["slots"]]
    return Scene(
        "".join(slots),
        axes(at_home | {cell for cell in near if cell in state.tower.cells}),
        axes(every),
        data["frames"]["home"],
        strip_svg(steps),
    )


def _attempted(game: Game, step: StepData) -> tuple[Cell, Laid] | None:
    return None if step.refused is None else attempt(game.record.turns[step.turn - 1])


def _empty_slot(cell: Cell) -> str:
    return slot(Glass(cell, "place")).replace('<use href="#cf-place"/>', "")


def _verdict_words(report: Report) -> str:
    if report.verdict == "illegal":
        code = next(found.code for found in report.diagnostics if found.severity == "error")
        return f"Illegal at {f'turn {report.turn}' if report.turn else 'the set-up'}, by {code}."
    if report.verdict == "undetermined":
        return "Undetermined: the record does not show enough to tell."
    if report.world is not None:
        return "Legal: some choice of the cards that are not shown keeps every rule."
    ends = {"win": "The game is won.", "loss": "The game is lost.", "stuck": "The game is lost: nothing could be done."}
    return f"Every turn keeps the rules. {ends.get(report.result or '', 'The record ends before the game does.')}"


def _death(game: Game, rules: Rules, steps: Sequence[StepData]) -> dict[str, Any] | None:
    """The turn from which on the tower was deadlocked to the record's end, and what that turn could have done instead.

    None where it was not deadlocked at the end.
    """
    judged = [step for step in steps if step.refused is None]
    if not judged or judged[-1].outlook.answer != "deadlocked":
        return None
    turn = judged[-1].turn
    while turn and judged[turn - 1].outlook.answer == "deadlocked":
        turn -= 1
    lines = [f"From {'this turn' if turn else 'the set-up'} on, to the end of the record, the tower was deadlocked."]
    try:
        found = scan(game, rules)
    except (NoSuchTurn, NoTower):
        return {"turn": turn, "lines": lines}
    if found.turn == turn and found.saving is not None:
        actions = [action_text(each.action) for each in found.saving]
        more = "" if found.complete else "; unseen cards may allow more"
        shown = ", ".join(actions[:_MAX_SAVING]) + (" …" if len(actions) > _MAX_SAVING else "")
        count = f"{len(actions)} legal action{'' if len(actions) == 1 else 's'}"
        kept = f"{count} of this turn would have kept it completable{more}: {shown}."
        lines.append(kept if actions else f"No legal action of this turn would have kept it completable{more}.")
    return {"turn": turn, "lines": lines}
