"""Pictures in notebooks: importing this gives towers, games, verdicts and answers `_repr_svg_` or `_repr_html_`.

Where IPython runs, the first name taken from `couperation_formal` imports it. It stands apart so that the model need
not know how it is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from couperation_formal.analysis.complete import Completion, Outlook
from couperation_formal.analysis.deadlock import Scan
from couperation_formal.analysis.dispute import Dispute
from couperation_formal.analysis.table_answer import TableAnswer
from couperation_formal.analysis.table_deadlock import TableScan
from couperation_formal.analysis.verify import Report
from couperation_formal.game.record import Game, Position, Snapshot
from couperation_formal.game.state import State
from couperation_formal.game.tower import Tower
from couperation_formal.library.table import Table
from couperation_formal.report import notebook

_SHOWN: dict[str, dict[type, Callable[[Any], str]]] = {
    "_repr_svg_": {
        Tower: notebook.svg_of_tower,
        State: notebook.svg_of_state,
        Position: notebook.svg_of_position,
        Snapshot: notebook.svg_of_table,
        Table: lambda table: notebook.svg_of_state(table.state),
    },
    "_repr_html_": {
        Game: notebook.html_of_game,
        Report: notebook.html_of_report,
        Completion: notebook.html_of_completion,
        Outlook: notebook.html_of_outlook,
        Scan: notebook.html_of_scan,
        TableAnswer: notebook.html_of_table_answer,
        TableScan: notebook.html_of_table_scan,
        Dispute: notebook.html_of_dispute,
    },
}

for _method, _types in _SHOWN.items():
    for _type, _function in _types.items():
        setattr(_type, _method, _function)
