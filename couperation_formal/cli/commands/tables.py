"""What a table or a tower can still become: `moves`, `windows`, `complete`, `deadlock`, `deadlocks`."""

import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

import click
import msgspec

from couperation_formal.cli import options, output
from couperation_formal.cli.output import CODES, Exit, Refused, asking, complain, counting, note, progress, put, say
from couperation_formal.cli.run import FREE, Run, reason_of, unchecked
from couperation_formal.game.fact import Fact, Spent, Steps, fact, translated
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import STANDARD, Board, Variant
from couperation_formal.notation.write import action_text
from couperation_formal.output.formats import Case, file_field, ready
from couperation_formal.questions.records import check, states
from couperation_formal.questions.tables import ask, complete, deadlock, moves, why
from couperation_formal.towers.completion import answer as towers, deadlocks as search


@options.command("couperation moves examples/legal/thursday.cgn --at 8")
@options.FILE
@options.number("--at", "turn", least=1, required=True, help="The Nth turn, after its recorded draw.")
@options.these(options.GAME, options.RULES, options.MARKS)
@options.flag("--alive", help="Tell of each action whether the table can still be won after it.")
@options.budget("the turn")
@options.word(
    "--engine",
    "rules spec",
    help="rules: from the numbers that fit each cell. spec: each by the formulas, none where hands hide cards.",
)
@options.these(options.EVIDENCE, options.FORM)
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
    find = states.moves_by_formulas if engine == "spec" else states.moves_at
    with asking(run.steps()) as budget:
        listed = find(game, turn, run.rules, budget)
    data, code = moves.moves_data(game, turn, listed), Exit.KEPT if listed.told else Exit.UNDETERMINED
    if run.form_name == "json":
        run.put(Case(ready(data)))
        return code
    for action in (*data.actions, *data.could):
        say(action.text)
    more = fact("unseen_could") if data.could else moves.more_actions(listed, budget)
    said = fact("so_many_actions", actions=len(data.actions), more=more)
    note(fact("of_turn", turn=turn, player=data.player, said=said))
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
        put([prospect.head()])
    free = Steps(FREE)
    with counting("actions", len(actions), lambda: len(judged)), asking(budget):
        for each in prospect.chance.judged():
            own = Steps(budget.left // (len(actions) - len(judged)))
            decided = each.verdict != "undetermined"
            checked = run.proofs.add(each.certificates, own, free, told=decided and not uncheckable)
            budget.spend(own.spent)
            if checked == "rejected":
                return Exit.OURS
            if checked == "unsupported" and decided:
                uncheckable.add(action_text(each.action))
            judged.append(each)
            if full:
                put([each.blocks()])
    if full:
        put([prospect.head(judged)] if judged else [])
        if uncheckable:
            say(fact("unchecked"))
    else:
        data = prospect.data(judged)
        marked = (unchecked(each) if each.text in uncheckable else each for each in data.actions)
        run.put(Case(ready(msgspec.structs.replace(data, actions=tuple(marked)))))
    open_ = not prospect.chance.moves.told or any(one.verdict == "undetermined" for one in judged)
    return Exit.UNDETERMINED if open_ else Exit.KEPT


@options.command("couperation windows examples/towers/open.cgn")
@options.these(options.FILES, options.ONE, options.RULES, options.EVIDENCE, options.FORM, options.AT)
def windows_command(run: Run, files: tuple[str, ...], turn: int | None) -> Exit:
    """Show what each free cell of a tower can still take.

    A value is listed exactly when the tower can be completed with it there. FILES hold positions, or recorded games,
    looked at after a turn.
    """

    def answer(item: Game | Snapshot) -> None:
        looked = complete.outlook(item, turn, run.rules)
        run.answer(looked, Exit.KEPT if looked.windows.lefts else Exit.BROKEN)

    run.each(files, answer, turn)
    return run.end()


@options.command(
    "couperation complete examples/towers/dead.cgn", "couperation complete examples/tables/lost.cgn --at 33"
)
@options.these(options.FILES, options.ONE, options.RULES, options.EVIDENCE, options.FORM)
@options.these(options.AT, options.LEVEL)
@options.word(
    "--engine",
    "exact z3 both",
    help="Of a tower. exact: by earliest deadline first. z3: Z3 decides. both: fail where they differ.",
)
@options.these(options.MARKS, options.budget("each position"), options.JOBS)
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
        completed: complete.Completion | complete.TableAnswer
        steps = run.steps()
        if (level or ask.level_of(item, turn, run.rules)) == "tower":
            try:
                completed = complete.complete_tower(item, turn, run.rules, engine)
            except Spent:
                note(fact("refused_item", file=item.file, game=item.index, reason=fact("undetermined")))
                run.codes.add(Exit.UNDETERMINED)
                return
        else:
            with asking(steps):
                completed = complete.complete_table(item, turn, run.rules, steps)
        run.answer(completed, CODES[why.verdict_of(completed.answer)], steps)

    try:
        run.each(files, answer, turn)
    except check.EngineDisagreement as error:
        complain(fact("engines_differ", error=str(error)))
        return Exit.OURS
    return run.end()


_TOWERS = 100_000
"""Steps beside the budget that pay for the check of the towers of one game: one after each turn."""


COLUMNS = ("file", "game", "verdict", "dead turn", "reason", "checked", "illegal turn")


@options.command("couperation deadlock examples/tables/lost.cgn")
@options.these(options.FILES, options.ONE, options.RULES, options.EVIDENCE, options.form("full", "json", "csv"))
@options.these(options.LEVEL, options.MARKS, options.budget("each game"), options.JOBS)
def deadlock_command(run: Run, files: tuple[str, ...], level: ask.Level | None) -> Exit:
    """Tell which turn killed a game, why, and what that turn could have done instead.

    FILES hold recorded games, of which an illegal one is looked at up to its first illegal turn. Several of them are
    summed up at the end.
    """

    def answer(item: Game | Snapshot) -> deadlock.TableDeadlockData | None:
        if isinstance(item, Snapshot):
            raise ask.NoTower("game_wanted_here")
        with asking(run.steps()) as steps:
            scanned = deadlock.deadlock(item, run.rules, level=level, budget=steps)
        data = scanned.data()
        if isinstance(data, deadlock.TableDeadlockData):
            reason = data.reasons[0].kind if data.reasons else ""
        else:
            reason = "" if data.reason is None else str(data.reason.__struct_config__.tag)
            steps = Steps(steps.left + _TOWERS)

        def row(data: deadlock.DeadlockData | deadlock.TableDeadlockData) -> tuple[object, ...]:
            return (file_field(data.file), data.game, data.verdict, data.turn, reason, data.checked, data.illegal)

        code = CODES[data.verdict] if data.illegal is None else Exit.BROKEN  # also where the game is dead
        answered = run.answer(scanned, code, steps, row)
        return data if answered and isinstance(data, deadlock.TableDeadlockData) else None

    put(run.form.head(COLUMNS))
    games = run.each(files, answer)
    if len(games) > 1 and run.form_name != "csv":  # a table has no summary
        if run.form_name == "full":
            say("")
        data = deadlock.summary_data(games)
        run.put(Case(ready(data), partial(deadlock.summary_blocks, data)))
    return run.end()


# The finished parts of a long enumeration in a file of JSON lines, so that it can be interrupted and resumed.


_HEAD = len('{"format":1,')
"""So many bytes at the beginning of a file tell that it is one of ours."""


class Slice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finished shape: its cells, and the minimal deadlocks of it."""

    shape: tuple[str, ...]
    found: tuple[search.Deadlock, ...]


class Slices:
    """The finished search.shapes of one question.

    The file's first line says which question it is; every other line is a finished shape, appended at once and put on
    the disk. A last line that was cut off by an interruption is dropped. Every method raises `Refused`.
    """

    def __init__(self, question: search.Sought, file: str) -> None:
        self._file, path = file, Path(file)
        self._done: dict[tuple[str, ...], tuple[int, int]] = {}
        with self._told():
            if (path.exists() or path.is_symlink()) and not path.is_file():
                raise self._refused(fact("no_regular_file"))
            with path.open("ab+") as stream:
                self._begin(stream, msgspec.json.encode(_question(question)) + b"\n")

    def _refused(self, why: Fact | str) -> Refused:
        return Refused(fact("cannot_use", file=self._file, why=why))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Where the file fails, that is told."""
        try:
            yield
        except OSError as error:
            raise self._refused(reason_of(error)) from None

    def _begin(self, stream: BinaryIO, head: bytes) -> None:
        stream.seek(0)
        line = stream.readline(len(head))
        if line == head:
            self._read(stream)
        elif not line or (head.startswith(line) and len(line) >= _HEAD):  # nothing, or a head that was cut off
            stream.truncate(0)
            stream.write(head)
        else:
            raise self._refused(translated("it holds another enumeration, or is no file of this command"))

    def _read(self, stream: BinaryIO) -> None:
        """Note where each shape stands."""
        while True:
            start = stream.tell()
            line = stream.readline()
            if not line.endswith(b"\n"):
                stream.truncate(start)
                return
            try:
                shape = msgspec.json.decode(line, type=Slice).shape
            except msgspec.DecodeError as error:
                raise self._refused(fact("no_shape", error=str(error))) from None
            self._done[shape] = (start, len(line))

    def get(self, cells: search.Cells) -> list[search.Deadlock] | None:
        """What was found for a shape, None where it is not finished."""
        place = self._done.get(_names(cells))
        if place is None:
            return None
        with self._told(), Path(self._file).open("rb") as stream:
            stream.seek(place[0])
            return [*msgspec.json.decode(stream.read(place[1]), type=Slice).found]

    def put(self, cells: search.Cells, minimal: list[search.Deadlock]) -> None:
        """Keep a finished shape."""
        line = msgspec.json.encode(Slice(_names(cells), tuple(minimal))) + b"\n"
        with self._told(), Path(self._file).open("ab", buffering=0) as stream:
            stream.write(line)
            os.fsync(stream.fileno())


def _names(cells: search.Cells) -> tuple[str, ...]:
    return tuple(map(str, cells))


def _question(question: search.Sought) -> dict[str, Any]:
    rulings, board = msgspec.structs.asdict(question.rulings), question.board
    sizes = {"levels": board.levels, "cards": board.cards, "anchor": board.anchor}
    return {"format": 1, "deadlocks": {"rulings": rulings, "variant": question.variant, "gone": question.gone, **sizes}}


# `couperation deadlocks`: the smallest towers that can no longer be completed.

MOST_LISTED = 1_000_000
"""So many deadlocks of one number of cards are listed; beyond that they are counted only."""

MOST_CERTIFICATES = 10_000
"""So many certificates are written at most, those of the first deadlocks."""

_LONG = 10.0
"""Seconds after which a finished number of cards is told."""


@options.command("couperation deadlocks --max-cards 2")
@options.number("--max-cards", "most", least=0, most=27, required=True, help="Cards besides the 25, at most.")
@options.MADE_RULES
@options.VARIANT
@options.number("--gone", least=0, most=2, default=0, show_default=True, help="Destroyed cards, at most 2.")
@options.number(
    "--levels", least=2, most=7, default=7, show_default=True, metavar="L", help="A smaller board: its levels."
)
@options.number(
    "--cards", least=3, most=50, default=50, show_default=True, metavar="C", help="A smaller board: its Glass cards."
)
@options.number("--anchor", least=1, most=50, metavar="A", help="Its set-up card; half of C if left out.")
@options.flag("--count", "only_count", help="Only count.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Keep finished parts in FILE, and go on there; none are kept if left out.",
)
@options.these(options.EVIDENCE, options.FORM)
def deadlocks_command(
    run: Run,
    most: int,
    variant: Variant,
    gone: int,
    levels: int,
    cards: int,
    anchor: int | None,
    only_count: bool,
    resume: str | None,
) -> None:
    """Find the minimal deadlocked towers.

    A tower is deadlocked when the cards that are left cannot complete it as it stands, and minimally so when none of
    its parts is. A card whose value plays no part is ~?.
    """
    board = Board(levels=levels, cards=cards, anchor=anchor or cards // 2)
    if board.anchor > cards or cards < board.size:
        raise Refused(fact("no_board", levels=levels, cards=cards, anchor=board.anchor))
    if board != STANDARD and run.out is not None:
        raise Refused(fact("printed_only"))
    question = search.Sought(rules=run.rules or parse_rules(""), board=board, variant=variant, gone=gone)
    slices = None if resume is None else Slices(question, resume)
    if resume is not None:
        run.files.reads(Path(resume))
    _written(run, question, _sizes(question, most, slices, not only_count))


Sized = tuple[int, int, list[tuple[search.Cells, search.Deadlock]] | None]
"""A number of cards, how many deadlocks there are of it, and each of them unless they are too many."""


def _sizes(question: search.Sought, most: int, slices: Slices | None, wanted: bool) -> Iterator[Sized]:
    """What there is of each number of cards."""
    parts = [(size, cells) for size in range(most + 1) for cells in search.shapes(question, size)]
    begin = time.monotonic()
    for size, group in groupby(progress(parts, "shapes"), key=lambda part: part[0]):
        count, listed = 0, wanted
        kept: list[tuple[search.Cells, search.Deadlock]] = []
        for _, cells in group:
            minimal = None if slices is None else slices.get(cells)
            if minimal is None:
                minimal = search.deadlocks(question, cells)
                if slices is not None:
                    slices.put(cells, minimal)
            count += len(minimal)
            listed = listed and count <= MOST_LISTED
            if listed:
                kept += [(cells, each) for each in minimal]
            else:
                kept.clear()
        passed = time.monotonic() - begin
        if passed > _LONG:
            note(fact("size_after", cards=size, count=count, seconds=round(passed)))
        yield size, count, kept if listed else None


def _written(run: Run, question: search.Sought, sizes: Iterable[Sized]) -> None:
    """Print what was found of each number of cards and then the counts, and write the certificates."""
    file, verify = run.proofs.file, question.board == STANDARD and not run.no_verify
    counts: dict[int, int] = {}
    listed = True
    certificates: list[dict[str, Any]] = []
    for size, count, minimal in sizes:
        counts[size] = count
        listed = listed and minimal is not None
        for cells, each in minimal or ():
            position = search.position_of(question, cells, each)
            answer = towers.complete(position, question.board)
            if not isinstance(answer, towers.Deadlocked):
                raise AssertionError(f"not deadlocked: {position.tower}")
            keep = file is not None and len(certificates) < MOST_CERTIFICATES
            if keep or verify:
                certificate = towers.tower_certificate(position, answer)
                certificates += [certificate] if keep else []
                if verify:
                    _verified(certificate)
            run.put(Case(ready(why.minimal_data(position, answer)), partial(why.minimal_blocks, position, answer)))
    if run.form_name == "json":
        run.put(Case(ready(why.counts_data(counts, listed))))
    else:
        if listed and any(counts.values()):
            say("")
        for size, count in counts.items():
            say(f"{output.spoken(fact('sized', cards=size)):7} {count:>9}")
    if file is not None:
        total = sum(counts.values())
        if total > len(certificates):
            note(fact("first_certificates", count=len(certificates), total=total))
        file.put(json.dumps(certificates, separators=(",", ":")).encode() + b"\n")


def _verified(certificate: dict[str, Any]) -> None:
    from couperation_checker import check_object

    verdict = check_object(certificate)
    if verdict.status != "accepted":
        raise AssertionError(f"the independent checker rejects a deadlock: {verdict.code} {verdict.message}")
