"""Whatever a text holds, it is read as games, positions and faults with places inside it, and what is a game or a
position is answered.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from random import Random

import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Diagnostic, Game, Snapshot, Span
from couperation_formal.notation.read import Item, Malformed, read_stream, read_text
from couperation_formal.notation.write import position_text, record_text
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.states import NoSuchTurn, position_after
from couperation_formal.questions.tables.ask import NoTower
from couperation_formal.questions.tables.complete import complete, complete_table
from tests.fuzz.fuzz_reader import TEXTS, shortened
from tests.fuzz.inputs import PARTS, Record, spoiled, spoiled_bytes, tried

FEW = 300
VERDICTS = {"legal", "illegal", "undetermined", "malformed"}


def inside(found: Iterable[Diagnostic], text: str) -> None:
    for each in found:
        assert 0 <= each.span.start <= each.span.end <= len(text)
        assert each.message


def places(item: Game | Snapshot) -> None:
    """Every place that the layout tells is inside the text."""
    layout = item.layout
    spans: list[Span | None] = [*layout.tags.values(), *layout.lines.values(), layout.result]
    for span in spans:
        assert span is None or 0 <= span.start <= span.end <= len(layout.text)


def answered(item: Item, draw: Random) -> None:
    if isinstance(item, Malformed):
        assert item.diagnostics
        inside(item.diagnostics, item.text)
        return
    places(item)
    if isinstance(item, Snapshot):
        (again,) = read_text(position_text(item.position))
        assert isinstance(again, Snapshot)
        assert again.position.tower == item.position.tower
        ask(item, draw)
        return
    report = check(item, engine="plain")
    assert report.verdict in VERDICTS
    inside(report.diagnostics, item.layout.text)
    (again,) = read_text(record_text(item.record))
    assert isinstance(again, Game)
    assert again.record.turns == item.record.turns
    if draw.random() < 0.2:
        ask(item, draw)


def ask(item: Game | Snapshot, draw: Random) -> None:
    """Both questions, with next to no budget; a question that cannot be asked is refused by name."""
    try:
        complete(item, level="tower")
        if isinstance(item, Game):
            position_after(item)
        if draw.random() < 0.05:
            complete_table(item, None, None, Steps(10))
    except (NoTower, NoSuchTurn):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_reader(part: int, record_property: Record) -> None:
    def attempt(seed: int) -> None:
        draw = Random(f"reader {seed}")
        text = spoiled(draw, shortened(draw, draw.choice(TEXTS)), TEXTS)
        data = spoiled_bytes(draw, text.encode("utf-8", "surrogatepass"))
        for item in read_stream(io.BytesIO(data), "-"):
            answered(item, draw)

    tried(part, FEW, record_property, attempt)
