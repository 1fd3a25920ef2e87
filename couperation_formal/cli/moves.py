"""`couperation moves`: every legal action of a turn, and which of them keep the table alive."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.analysis.complete import NoTower
from couperation_formal.analysis.formulas import moves_by_formulas
from couperation_formal.analysis.inspect import NoSuchTurn, moves_at
from couperation_formal.analysis.table_moves import MOVE_BUDGET, judged_certificates, prospect
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import FILE, GAME
from couperation_formal.cli.options import RULES, format_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import note, put_json, put_pieces, say
from couperation_formal.cli.proofs import Proofs, evidence
from couperation_formal.cli.ticker import Ticker
from couperation_formal.cli.turns import one_game, refuse
from couperation_formal.model.record import Game
from couperation_formal.model.rulings import Rules
from couperation_formal.report.data import moves_data
from couperation_formal.report.table_answers import table_moves_data
from couperation_formal.report.table_full import table_moves_full


@click.command(cls=Makes)
@FILE
@click.option(
    "--at",
    "turn",
    type=click.IntRange(min=1),
    metavar="N",
    required=True,
    help="Turn N by place, after its recorded draw.",
)
@GAME
@RULES
@click.option("--alive", is_flag=True, help="Tell of each action whether the table can still be won after it.")
@click.option(
    "--budget",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"With --alive, positions that may be looked at for each action; {MOVE_BUDGET} if left out.",
)
@click.option(
    "--engine",
    type=click.Choice(["rules", "spec"]),
    default="rules",
    show_default=True,
    help="rules: from the numbers that fit each cell. spec: every action is tried by the specification's formulas.",
)
@evidence
@format_option("full", "json")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    turn: int,
    number: int,
    rules: Rules | None,
    alive: bool,
    budget: int | None,
    engine: str,
    out: str | None,
    no_verify: bool,
    form: str,
) -> None:
    """Print every legal action in a turn, one for each that differs in effect."""
    if not alive and (budget is not None or out is not None or no_verify):
        raise click.UsageError("--budget, --certificate and --no-verify go with --alive")
    if alive and engine == "spec":
        raise click.UsageError("--engine spec lists actions; it does not go with --alive")
    proofs = Proofs(out, not no_verify)
    game = one_game(file, number)
    try:
        if alive:
            limit = MOVE_BUDGET if budget is None else budget
            ctx.exit(_alive(game, turn, rules, limit, proofs, form))
        _list(game, turn, rules, form, engine)
    except (NoSuchTurn, NoTower) as error:
        refuse(error)


def _list(game: Game, turn: int, rules: Rules | None, form: str, engine: str) -> None:
    find = moves_by_formulas if engine == "spec" else moves_at
    data = moves_data(game, turn, find(game, turn, rules))
    if form == "json":
        put_json(data)
        return
    for action in data.actions:
        say(action.text)
    more = "" if data.complete else " with the cards that the record shows; unseen cards may allow more"
    found = len(data.actions)
    note(f"turn {turn}, {data.player}: {found} legal action{'' if found == 1 else 's'}{more}")


def _alive(game: Game, turn: int, rules: Rules | None, budget: int, proofs: Proofs, form: str) -> Exit:
    """Judge every action. Each answer passes the independent checker before anything is printed."""
    found = prospect(game, turn, rules)
    actions = found.chance.moves.actions
    judged = []
    with Ticker() as ticker:
        for place, action in enumerate(actions, start=1):
            ticker.words = f"action {place} of {len(actions)}: "
            judged.append(found.chance.judge(action, budget, ticker))
            if not proofs.add(partial(judged_certificates, judged[-1])):
                return Exit.OURS
    if form == "json":
        put_json(table_moves_data(found, judged, budget))
    else:
        put_pieces(table_moves_full(found, judged, budget))
    proofs.write()
    return Exit.UNDETERMINED if any(one.verdict == "undetermined" for one in judged) else Exit.KEPT
