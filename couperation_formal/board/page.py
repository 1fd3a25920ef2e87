"""The board's page: its template, and the sheets and scripts that it has in common with the report page."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from couperation_formal.board.scene import empty_slots
from couperation_formal.game.rulings import registry
from couperation_formal.game.tower import STANDARD
from couperation_formal.report.html.assets import embedded, module, style
from couperation_formal.report.svg_style import SHAPES
from couperation_formal.words.say import phrase

_SCRIPTS = ("words.js", "theme.js", "tower.js", "table.js", "panels.js")
_EXPORTED = ("element", "say", "spoken", "copied", "download", "Drawing", "Table", "Panels")


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("couperation_formal.board"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["say"] = phrase
    return made


def page(file: str) -> str:
    """The page of a board with this file, of a folder's board with none."""
    parts = {"setup": embedded(_setup()), "shapes": Markup(SHAPES), "slots": Markup(empty_slots())}
    new = f"couperation-{date.today().isoformat()}.cgn"
    return _templates().get_template("board.html.j2").render(file=file, new=new, books=registry().titles, **parts)


def watching(name: str | None) -> str:
    """The page of who watches as the player `name`, or as everybody. It holds no entry and nothing of a game."""
    who = phrase("liveboard_watch_all") if name is None else phrase("liveboard_watch_as", player=name)
    parts = {"shapes": Markup(SHAPES), "slots": Markup(empty_slots())}
    return _templates().get_template("watch.html.j2").render(who=who, **parts)


@cache
def shared(name: str) -> str | None:
    """A part of the page that is made of the report page's: `shared.js`, `shared.css`. None for any other name."""
    if name == "shared.js":
        return module(_EXPORTED, *_SCRIPTS)
    return style("base.css") if name == "shared.css" else None


def _setup() -> dict[str, Any]:
    """What a game is begun with: rulebooks, rulings, and how many cards are dealt."""
    known = registry()
    return {
        "default": known.default,
        "rulings": [
            {
                "name": ruling.name,
                "question": ruling.question,
                "options": [{"name": each.name, "meaning": each.meaning} for each in ruling.options],
            }
            for ruling in known.rulings.values()
        ],
        "deal": STANDARD.deal,
        "reserve": {str(players): size for players, size in STANDARD.reserve_sizes},
        "open": [str(1), str(STANDARD.cards)],
        "laid": str(STANDARD.anchor),
        "cards": STANDARD.cards,
    }
