"""`couperation moves`: every legal action of a turn, and which of them keep the table alive."""

from __future__ import annotations

from functools import partial

import click
import msgspec

from couperation_formal.analysis.by_formulas import moves_by_formulas
from couperation_formal.analysis.complete import NoTower
from couperation_formal.analysis.inspect import NoSuchTurn, moves_at
from couperation_formal.analysis.table_moves import Judged, judged_certificates, prospect
from couperation_formal.answers.data import moves_data
from couperation_formal.answers.tables import table_moves_data
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import FILE, GAME
from couperation_formal.cli.options import MARKS, RULES, budget_option, format_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import note, put_blocks, put_json, say
from couperation_formal.cli.progress import asking, counting
from couperation_formal.cli.proofs import FREE, Proofs, evidence
from couperation_formal.cli.towers import unchecked
from couperation_formal.cli.turns import note_refused, one_game, refuse
from couperation_formal.model.budget import Steps, steps_of
from couperation_formal.model.fact import fact, taken
from couperation_formal.model.record import Game
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.marks import OwnMarks
from couperation_formal.notation.write import action_text
from couperation_formal.report.tables import judged_blocks, more_actions, table_moves_head
from couperation_formal.words.say import phrase


@click.command(cls=Makes, examples=("couperation moves examples/legal/thursday.cgn --at 8",))
@FILE
@click.option(
    "--at",
    "turn",
    type=click.IntRange(min=1),
    metavar="N",
    required=True,
    help="The Nth turn, after its recorded draw.",
)
@GAME
@RULES
@MARKS
@click.option("--alive", is_flag=True, help="Tell of each action whether the table can still be won after it.")
@budget_option("the turn")
@click.option(
    "--engine",
    type=click.Choice(["rules", "spec"]),
    default="rules",
    show_default=True,
    help="rules: from the numbers that fit each cell. spec: each by the formulas, none where hands hide cards.",
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
    marks: OwnMarks | None,
    alive: bool,
    budget: int | None,
    engine: str,
    out: str | None,
    no_verify: bool,
    form: str,
) -> None:
    """Print every legal action in a turn, one for each that differs in effect."""
    if not alive and (out is not None or no_verify):
        raise click.UsageError("--certificate and --no-verify go with --alive")
    if alive and engine == "spec":
        raise click.UsageError("--engine spec lists actions; it does not go with --alive")
    proofs = Proofs(out, not no_verify)
    game = one_game(file, number, marks)
    try:
        if alive:
            code = _alive(game, turn, rules, steps_of(budget), proofs, form)
        else:
            code = _list(game, turn, rules, steps_of(budget), form, engine)
    except (NoSuchTurn, NoTower) as error:
        refuse(error)
    note_refused(game, turn - 1, rules, budget)
    ctx.exit(code)


def _list(game: Game, turn: int, rules: Rules | None, budget: Steps, form: str, engine: str) -> Exit:
    find = moves_by_formulas if engine == "spec" else moves_at
    with asking(budget):
        moves = find(game, turn, rules, budget)
    data, code = moves_data(game, turn, moves), Exit.KEPT if moves.told else Exit.UNDETERMINED
    if form == "json":
        put_json(data)
        return code
    for action in (*data.actions, *data.could):
        say(action.text)
    more = phrase("unseen_could") if data.could else more_actions(data.complete, moves.told, taken(budget))
    said = fact("so_many_actions", actions=len(data.actions), more=more)
    note(phrase("of_turn", turn=turn, player=data.player, said=said))
    return code


def _alive(game: Game, turn: int, rules: Rules | None, budget: Steps, proofs: Proofs, form: str) -> Exit:
    """Judge every action. Each answer passes the independent checker before it is printed, which is then at once."""
    found = prospect(game, turn, rules, budget)
    actions = found.chance.moves.actions
    judged: list[Judged] = []
    uncheckable: set[str] = set()
    if form == "full":
        put_blocks([[table_moves_head(found)]])
    free = Steps(FREE)
    with counting("actions", len(actions), lambda: len(judged)), asking(budget):
        for each in found.chance.judged():
            own = Steps(budget.left // (len(actions) - len(judged)))
            checked = proofs.add(
                partial(judged_certificates, each), own, free, told=not uncheckable and each.verdict != "undetermined"
            )
            budget.spend(own.spent)
            if checked == "rejected":
                return Exit.OURS
            if checked == "unsupported" and each.verdict != "undetermined":
                uncheckable.add(action_text(each.action))
            judged.append(each)
            if form == "full":
                put_blocks([judged_blocks(each)])
    if form == "json":
        data = table_moves_data(found, judged)
        marked = (unchecked(each) if each.text in uncheckable else each for each in data.actions)
        put_json(msgspec.structs.replace(data, actions=tuple(marked)))
    else:
        put_blocks([[table_moves_head(found, judged)]])
        if uncheckable:
            say(phrase("unchecked"))
    proofs.write()
    open_ = not found.chance.moves.told or any(one.verdict == "undetermined" for one in judged)
    return Exit.UNDETERMINED if open_ else Exit.KEPT
