"""A turn that is refused, for people: what it breaks, and the table that it would leave, told as such."""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.analysis.refused import Attempted, attempt
from couperation_formal.game.record import Position
from couperation_formal.game.rulings import Rules
from couperation_formal.game.tower import STANDARD, Tower
from couperation_formal.notation.write import turn_text
from couperation_formal.report.blocks import BAD, Heading, Paragraph, Sentence
from couperation_formal.report.clauses import cited, hanging
from couperation_formal.report.svg import tower_svg
from couperation_formal.report.svg_picture import tower_picture
from couperation_formal.report.svg_style import Theme
from couperation_formal.report.svg_table import Note, below
from couperation_formal.report.tables import position_blocks, position_rows
from couperation_formal.words.say import phrase


def attempted_blocks(found: Attempted, rules: Rules) -> Iterator[Paragraph]:
    """The turn with what it breaks, and the table that it would leave."""
    head = Sentence(f": {turn_text(found.turn)}", phrase("refused_turn", turn=found.place), BAD)
    yield [head, *(Sentence(said, indent=2) for said in _broken(found, rules))]
    if found.position is None:
        yield [Sentence(phrase("attempted_untold", turn=found.place))]
        return
    first, *rest = position_blocks(found.position, deck=found.deck)
    yield [Heading(phrase("as_attempted", turn=found.place)), *first]
    yield from rest


def _broken(found: Attempted, rules: Rules) -> Iterator[str]:
    for each in found.broken:
        told = each.message + cited(each.code, rules) + hanging(each)
        yield phrase("refused_by", clause=each.code, message=told)


def attempted_svg(found: Attempted, before: Position, rules: Rules, theme: Theme, names: bool = False) -> str:
    """The table that a refused turn would leave as SVG, its card marked as refused, with what it breaks; the one
    `before` it where the record does not show that.
    """
    position = found.position or before
    tower = Tower.of(STANDARD, dict(position.tower))
    picture = tower_picture(tower, rules.rulings, position.marks, refused=attempt(found.turn))
    rows = list(position_rows(position, deck=found.deck if found.position else None))
    head = f"{phrase('refused_turn', turn=found.place)}: {turn_text(found.turn)}"
    told = [Note(text, wrong=True) for text in (head, *_broken(found, rules))]
    rows_below = below(
        [*told, Note(phrase("as_attempted" if found.position else "attempted_untold", turn=found.place)), *rows],
        position.marks,
    )
    return tower_svg(picture, theme, names=names, width=720, under=rows_below)
