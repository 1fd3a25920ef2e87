"""A script as those write who use the package, for `make lint`, which checks its types; a test runs it.

What is wrong stands at the end: mypy complains of a comment that hides no error.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import couperation_formal as cf


def verdicts(folder: Path) -> Iterator[tuple[str, cf.Verdict, int | None, list[str]]]:
    for path in sorted(folder.glob("*.cgn")):
        for item in cf.read(path):
            report: cf.Report = cf.check(item, "en-2", budget=1000)
            yield item.file, report.verdict, report.turn, [found.code for found in report.diagnostics]


def positions(game: cf.GameLike) -> list[bool]:
    return [cf.tower_completable(cf.position_after(game, turn)) for turn in range(3)]


def cards(state: cf.State) -> dict[cf.Cell, cf.Laid]:
    return dict(state.tower.cells)


def one(action: cf.Action) -> cf.Card | None:
    return action.card if isinstance(action, cf.LayUp) and not isinstance(action.card, cf.UnseenCard) else None


def played(seed: int) -> cf.Game:
    table = cf.Table.new(2, "en-2", seed=seed)
    while table.result is None:
        turns: tuple[cf.Turn, ...] = table.legal_turns(draw=max(table.draw_amounts()))
        table.play(turns[0])
    table.position()
    return table.record()


game = cf.sample_game(rules="bgg")
winnable: bool | None = cf.table_winnable(cf.position_after(game, 20), budget=10)
dead: int | None = cf.first_dead_turn(cf.Table(game), level="tower")
answer = cf.complete(cf.state_after(game), rules=game.rules, level="tower")
if isinstance(answer, cf.Completion) and isinstance(answer.answer, cf.Completable):
    print(answer.answer.filling, winnable, dead)
print(cf.dispute(game), cf.infer([game, played(1)]), cf.moves(game, 1), positions(game), one(game.turns[0].action))
print(*verdicts(Path()), len(cards(cf.state_after(game))))


def wrong() -> None:
    cf.check(7)  # type: ignore[arg-type]
    cf.check(cf.sample_game(), engine="z4")  # type: ignore[arg-type]
    cf.sample_game().turns.append(1)  # type: ignore[attr-defined]
