"""What a table or a tower can still become: `moves`, `windows`, `complete`, `deadlock`."""

from __future__ import annotations

from functools import partial

import click
import msgspec

from couperation_formal.cli import options
from couperation_formal.cli.output import CODES, Exit, asking, complain, counting, note, put_blocks, put_text, say
from couperation_formal.cli.run import FREE, Run, unchecked
from couperation_formal.game.budget import Spent, Steps
from couperation_formal.game.fact import fact, taken
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.notation.write import action_text
from couperation_formal.output.formats import Case, file_field, ready
from couperation_formal.questions.records.by_formulas import moves_by_formulas
from couperation_formal.questions.records.check import EngineDisagreement
from couperation_formal.questions.records.states import moves_at
from couperation_formal.questions.tables import ask, complete, deadlock, moves, tower_deadlock
from couperation_formal.questions.tables.windows import outlook
from couperation_formal.towers.completion.answer import Completable
from couperation_formal.words.say import phrase


@options.command("couperation moves examples/legal/thursday.cgn --at 8")
@options.FILE
@options.number("--at", "turn", least=1, required=True, help="The Nth turn, after its recorded draw.")
@options.GAME
@options.RULES
@options.MARKS
@options.flag("--alive", help="Tell of each action whether the table can still be won after it.")
@options.budget("the turn")
@options.word(
    "--engine",
    "rules spec",
    help="rules: from the numbers that fit each cell. spec: each by the formulas, none where hands hide cards.",
)
@options.evidence
@options.form("full", "json")
def moves_command(run: Run, file: str, turn: int, alive: bool, engine: str) -> Exit:
    """Print every legal action in a turn, one for each that differs in effect."""
    if not alive and (run.out is not None or run.no_verify):
        raise click.UsageError("--certificate and --no-verify go with --alive")
    if alive and engine == "spec":
        raise click.UsageError("--engine spec lists actions; it does not go with --alive")
    game = run.one_game(file)
    code = _moves_judged(run, game, turn) if alive else _moves_listed(run, game, turn, engine)
    if code is not Exit.OURS:
        run.proofs.write()
    run.note_refused(game, turn - 1)
    return code


def _moves_listed(run: Run, game: Game, turn: int, engine: str) -> Exit:
    find = moves_by_formulas if engine == "spec" else moves_at
    with asking(run.steps()) as budget:
        listed = find(game, turn, run.rules, budget)
    data, code = moves.moves_data(game, turn, listed), Exit.KEPT if listed.told else Exit.UNDETERMINED
    if run.form_name == "json":
        run.put(Case(ready(data)))
        return code
    for action in (*data.actions, *data.could):
        say(action.text)
    more = phrase("unseen_could") if data.could else moves.more_actions(data.complete, listed.told, taken(budget))
    said = fact("so_many_actions", actions=len(data.actions), more=more)
    note(phrase("of_turn", turn=turn, player=data.player, said=said))
    return code


def _moves_judged(run: Run, game: Game, turn: int) -> Exit:
    """Judge every action. Each answer passes the independent checker before it is printed, which is then at once."""
    budget = run.steps()
    prospect = moves.prospect(game, turn, run.rules, budget)
    actions = prospect.chance.moves.actions
    judged: list[moves.Judged] = []
    uncheckable: set[str] = set()
    full = run.form_name == "full"
    if full:
        put_blocks([prospect.head()])
    free = Steps(FREE)
    with counting("actions", len(actions), lambda: len(judged)), asking(budget):
        for each in prospect.chance.judged():
            own = Steps(budget.left // (len(actions) - len(judged)))
            checked = run.proofs.add(
                each.certificates,
                own,
                free,
                told=not uncheckable and each.verdict != "undetermined",
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
        put_blocks([prospect.head(judged)])
        if uncheckable:
            say(phrase("unchecked"))
    else:
        data = prospect.data(judged)
        marked = (unchecked(each) if each.text in uncheckable else each for each in data.actions)
        run.put(Case(ready(msgspec.structs.replace(data, actions=tuple(marked)))))
    open_ = not prospect.chance.moves.told or any(one.verdict == "undetermined" for one in judged)
    return Exit.UNDETERMINED if open_ else Exit.KEPT


@options.command("couperation windows examples/towers/open.cgn")
@options.FILES
@options.ONE
@options.RULES
@options.evidence
@options.form("full", "json")
@options.AT
def windows_command(run: Run, files: tuple[str, ...], turn: int | None) -> Exit:
    """Show what each free cell of a tower can still take.

    A value is listed exactly when the tower can be completed with it there. FILES hold positions, or recorded games,
    looked at after a turn.
    """

    def answer(item: Game | Snapshot) -> None:
        looked = outlook(ask.situation(item, turn, run.rules))
        run.answer(looked, Exit.KEPT if looked.windows.lefts else Exit.BROKEN)

    run.each(files, answer, turn)
    return run.end()


@options.command(
    "couperation complete examples/towers/dead.cgn", "couperation complete examples/tables/lost.cgn --at 33"
)
@options.FILES
@options.ONE
@options.RULES
@options.evidence
@options.form("full", "json")
@options.AT
@options.LEVEL
@options.word(
    "--engine",
    "exact z3 both",
    help="Of a tower. exact: by earliest deadline first. z3: Z3 decides. both: fail where they differ.",
)
@options.MARKS
@options.budget("each position")
def complete_command(
    run: Run, files: tuple[str, ...], turn: int | None, level: ask.Level | None, engine: complete.TowerEngine
) -> Exit:
    """Tell whether a table can still be won or a tower be completed, how, or why not.

    FILES hold positions, or recorded games, looked at after a turn.
    """
    if engine != "exact" and level == "table":
        raise click.UsageError("--engine asks about towers; it goes without --level table")
    if engine != "exact":
        level = "tower"

    def answer(item: Game | Snapshot) -> None:
        if (level or ask.level_of(item, turn, run.rules)) == "table":
            _complete_table(run, item, turn)
        else:
            _complete_tower(run, item, turn, engine)

    try:
        run.each(files, answer, turn)
    except EngineDisagreement as error:
        complain(phrase("engines_differ", error=error))
        return Exit.OURS
    return run.end()


def _complete_tower(run: Run, item: Game | Snapshot, turn: int | None, engine: complete.TowerEngine) -> None:
    try:
        answer = complete.complete_tower(item, turn, run.rules, engine)
    except Spent:
        note(phrase("refused_item", file=item.file, game=item.index, reason=phrase("undetermined")))
        run.codes.append(Exit.UNDETERMINED)
        return
    code = Exit.KEPT if isinstance(answer.answer, Completable) else Exit.BROKEN
    run.answer(answer, code, run.steps())


def _complete_table(run: Run, item: Game | Snapshot, turn: int | None) -> None:
    with asking(run.steps()) as steps:
        answer = complete.complete_table(item, turn, run.rules, steps)
    run.answer(answer, CODES[answer.data().verdict], steps)


_TOWERS = 100_000
"""Steps beside the budget that pay for the check of the towers of one game: one after each turn."""


COLUMNS = ("file", "game", "verdict", "dead turn", "reason", "checked", "illegal turn")


@options.command("couperation deadlock examples/tables/lost.cgn")
@options.FILES
@options.ONE
@options.RULES
@options.evidence
@options.form("full", "json", "csv")
@options.LEVEL
@options.MARKS
@options.budget("each game")
def deadlock_command(run: Run, files: tuple[str, ...], level: ask.Level | None) -> Exit:
    """Tell which turn killed a game, why, and what that turn could have done instead.

    FILES hold recorded games, of which an illegal one is looked at up to its first illegal turn. Several of them are
    summed up at the end.
    """
    games: list[deadlock.TableDeadlockData] = []

    def answer(item: Game | Snapshot) -> None:
        if isinstance(item, Snapshot):
            raise ask.NoTower(fact("game_wanted_here"))
        if level == "tower":
            _deadlock_of_tower(run, item)
        else:
            _deadlock_of_table(run, item, games)

    put_text(run.form.head(COLUMNS))
    run.each(files, answer)
    if len(games) > 1 and run.form_name != "csv":  # a table has no summary
        if run.form_name == "full":
            say("")
        data = deadlock.summary_data(games)
        run.put(Case(ready(data), partial(deadlock.summary_blocks, data)))
    return run.end()


def _deadlock_of_tower(run: Run, game: Game) -> None:
    with asking(run.steps()) as steps:
        answer = tower_deadlock.scan(game, run.rules, steps)
    data = answer.data()
    reason = "" if data.reason is None else data.reason.__struct_config__.tag
    run.answer(answer, _deadlock_code(data), Steps(steps.left + _TOWERS), partial(_deadlock_row, reason=reason))


def _deadlock_of_table(run: Run, game: Game, games: list[deadlock.TableDeadlockData]) -> None:
    with asking(run.steps()) as steps:
        answer = deadlock.scan_table(game, run.rules, steps)
    data = answer.data()
    reason = data.reasons[0].kind if data.reasons else ""
    if run.answer(answer, _deadlock_code(data), steps, partial(_deadlock_row, reason=reason)):
        games.append(data)


def _deadlock_code(data: tower_deadlock.DeadlockData | deadlock.TableDeadlockData) -> Exit:
    """The exit code of one answer: that of a dead game, too, where the game is illegal."""
    return CODES[data.verdict] if data.illegal is None else Exit.BROKEN


def _deadlock_row(data: tower_deadlock.DeadlockData | deadlock.TableDeadlockData, reason: object) -> tuple[object, ...]:
    return (file_field(data.file), data.game, data.verdict, data.turn, reason, data.checked, data.illegal)
