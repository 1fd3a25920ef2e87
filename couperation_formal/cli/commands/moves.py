"""`couperation moves`: every legal action of a turn, and which of them keep the table alive."""

from __future__ import annotations

import click
import msgspec

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import FILE, GAME, MARKS, RULES, budget_option, evidence, format_option
from couperation_formal.cli.output import Exit, Refused, asking, counting, note, put_blocks, say
from couperation_formal.cli.proofs import FREE
from couperation_formal.cli.run import Run, unchecked
from couperation_formal.game.budget import Steps
from couperation_formal.game.fact import fact, taken
from couperation_formal.game.record import Game
from couperation_formal.notation.write import action_text
from couperation_formal.output.formats import Case, ready
from couperation_formal.questions.records.by_formulas import moves_by_formulas
from couperation_formal.questions.records.states import NoSuchTurn, moves_at
from couperation_formal.questions.tables.ask import NoTower
from couperation_formal.questions.tables.moves import (
    Judged,
    more_actions,
    moves_data,
    prospect,
)
from couperation_formal.words.say import phrase


@click.command(cls=Command, examples=("couperation moves examples/legal/thursday.cgn --at 8",))
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
def command(run: Run, file: str, turn: int, alive: bool, engine: str) -> Exit:
    """Print every legal action in a turn, one for each that differs in effect."""
    if not alive and (run.out is not None or run.no_verify):
        raise click.UsageError("--certificate and --no-verify go with --alive")
    if alive and engine == "spec":
        raise click.UsageError("--engine spec lists actions; it does not go with --alive")
    game = run.one_game(file)
    try:
        code = _alive(run, game, turn) if alive else _list(run, game, turn, engine)
    except (NoSuchTurn, NoTower) as error:
        raise Refused(str(error)) from None
    if code is not Exit.OURS:
        run.proofs.write()
    run.note_refused(game, turn - 1)
    return code


def _list(run: Run, game: Game, turn: int, engine: str) -> Exit:
    find = moves_by_formulas if engine == "spec" else moves_at
    with asking(run.steps()) as budget:
        moves = find(game, turn, run.rules, budget)
    data, code = moves_data(game, turn, moves), Exit.KEPT if moves.told else Exit.UNDETERMINED
    if run.form_name == "json":
        run.put(Case(ready(data)))
        return code
    for action in (*data.actions, *data.could):
        say(action.text)
    more = phrase("unseen_could") if data.could else more_actions(data.complete, moves.told, taken(budget))
    said = fact("so_many_actions", actions=len(data.actions), more=more)
    note(phrase("of_turn", turn=turn, player=data.player, said=said))
    return code


def _alive(run: Run, game: Game, turn: int) -> Exit:
    """Judge every action. Each answer passes the independent checker before it is printed, which is then at once."""
    budget = run.steps()
    found = prospect(game, turn, run.rules, budget)
    actions = found.chance.moves.actions
    judged: list[Judged] = []
    uncheckable: set[str] = set()
    full = run.form_name == "full"
    if full:
        put_blocks([found.head()])
    free = Steps(FREE)
    with counting("actions", len(actions), lambda: len(judged)), asking(budget):
        for each in found.chance.judged():
            own = Steps(budget.left // (len(actions) - len(judged)))
            checked = run.proofs.add(
                each.certificates, own, free, told=not uncheckable and each.verdict != "undetermined"
            )
            budget.spend(own.spent)
            if checked == "rejected":
                return Exit.OURS
            if checked == "unsupported" and each.verdict != "undetermined":
                uncheckable.add(action_text(each.action))
            judged.append(each)
            if full:
                put_blocks([each.blocks()])
    if full:
        put_blocks([found.head(judged)])
        if uncheckable:
            say(phrase("unchecked"))
    else:
        data = found.data(judged)
        marked = (unchecked(each) if each.text in uncheckable else each for each in data.actions)
        run.put(Case(ready(msgspec.structs.replace(data, actions=tuple(marked)))))
    open_ = not found.chance.moves.told or any(one.verdict == "undetermined" for one in judged)
    return Exit.UNDETERMINED if open_ else Exit.KEPT
