"""What the commands on towers and tables share: their options, the games that they look at, the independent check,
certificates, exit codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial, update_wrapper
from typing import Any

import click
import msgspec

from couperation_formal.analysis.complete import NoTower
from couperation_formal.analysis.inspect import NoSuchTurn
from couperation_formal.cli.exits import Exit, worst
from couperation_formal.cli.inputs import FILES, ONE, Input, NoGame, Unusable, find, wanted
from couperation_formal.cli.options import RULES, format_option
from couperation_formal.cli.output import complain, note, put_blocks, put_csv, put_json, say, show_report
from couperation_formal.cli.progress import progress
from couperation_formal.cli.proofs import Proofs, evidence
from couperation_formal.cli.turns import note_refused, own_marks
from couperation_formal.model.budget import DEFAULT, Steps
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.notation.marks import OwnMarks
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.report.blocks import Paragraph
from couperation_formal.report.csv import file_field
from couperation_formal.words.say import phrase

ANY_LEVEL = click.option(
    "--level",
    type=click.Choice(["table", "tower"]),
    help="table: does any legal continuation win? tower: can the cards that are left fill the tower, the up cards"
    " staying where they are? Left out: table where somebody is to move, else tower.",
)
"""The option for the level of the question."""


Each = Callable[[Callable[[Game | Snapshot], None]], None]
"""Asks about every game and position of the command line."""


def question(*forms: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options of every question about files, and what is done with the answers.

    The function that it decorates is called with the `Answers` and an `Each`, which it gives what answers one game or
    position; then with `rules`, those to take instead of the records' own, and its own options by name. `forms` are the
    output's forms, the default first.
    """

    def decorated(ask: Callable[..., None]) -> Callable[..., None]:
        @click.pass_context
        def command(
            ctx: click.Context,
            /,
            files: tuple[str, ...],
            number: int | None,
            out: str | None,
            no_verify: bool,
            form: str,
            marks: OwnMarks | None = None,
            **own: Any,
        ) -> None:
            answers = Answers(form, out, no_verify, marks)
            shown = partial(note_refused, turn=own.get("turn"), rules=own["rules"], budget=own.get("budget"))
            ask(answers, partial(answers.each, files, number, shown), **own)
            ctx.exit(answers.end())

        asked: Callable[..., None] = update_wrapper(command, ask)
        for option in (format_option(*forms), evidence, RULES, ONE, FILES):
            asked = option(asked)
        return asked

    return decorated


def unchecked(data: Any) -> Any:
    """An answer's data, where it can tell, as not checked."""
    return msgspec.structs.replace(data, checked=False) if hasattr(data, "checked") else data


class Answers:
    """The answers of one run as they come. Raises `Refused` where the file for certificates may not be written."""

    def __init__(self, form: str, out: str | None, no_verify: bool, marks: OwnMarks | None = None) -> None:
        self.form, self.marks = form, marks
        self._codes: list[Exit] = []
        self._proofs = Proofs(out, not no_verify)

    def each(
        self,
        names: Iterable[str],
        number: int | None,
        shown: Callable[[Game], None],
        answer: Callable[[Game | Snapshot], None],
    ) -> None:
        """Give every one of the `items` to `answer`, and each game that was answered to `shown`. One that raises
        `NoSuchTurn` or `NoTower` is refused.
        """
        for item in self.items(names, number):
            try:
                answer(item)
            except (NoSuchTurn, NoTower) as error:
                self.refuse_item(item, error)
                continue
            if isinstance(item, Game):
                shown(item)

    def items(self, names: Iterable[str], number: int | None) -> Iterator[Game | Snapshot]:
        """The games and positions of files and folders; with `number`, this one of each file. What cannot be used is
        told.
        """
        for found in progress(find(names)):
            self._walked = isinstance(found, Input) and found.walked
            for item in wanted(found, number):
                if isinstance(item, Unusable | NoGame):
                    self.refuse(str(item))
                else:
                    yield from self._usable(item)

    def games(self, names: Iterable[str], number: int | None) -> Iterator[Game]:
        """The games among the `items`. A position is refused, or skipped in a folder; that there is no game is told."""
        found = False
        for item in self.items(names, number):
            if isinstance(item, Game):
                found = True
                yield item
            elif self._walked:
                note(phrase("position_skipped", file=item.file, game=item.index))
            else:
                self.refuse_item(item, phrase("game_wanted_here"))
        if not found and not self._codes:
            self.refuse(phrase("no_recorded_game"))

    def _usable(self, item: Game | Snapshot | Malformed) -> Iterator[Game | Snapshot]:
        if not isinstance(item, Malformed):
            yield own_marks(item, self.marks)
            return
        from couperation_formal.analysis.verify import check

        show_report(check(item))
        self._unanswered(item, "malformed")
        self._codes.append(Exit.UNUSABLE)

    def refuse(self, reason: str) -> None:
        """Tell that something cannot be used."""
        complain(reason)
        self._codes.append(Exit.UNUSABLE)

    def refuse_item(self, item: Game | Snapshot, reason: object) -> None:
        """Tell that a game or position has no answer."""
        self.refuse(phrase("refused_item", file=item.file, game=item.index, reason=reason))
        self._unanswered(item, "refused")

    def _unanswered(self, item: Item, why: str) -> None:
        """A table has a row for each game: of one without an answer, why it has none."""
        if self.form == "csv":
            put_csv(file_field(item.file), item.index, why, *[None] * 4)

    def put(
        self,
        data: object,
        blocks: Callable[[], Iterable[Paragraph]],
        certificates: Callable[[], Iterable[Any]],
        code: Exit,
        row: Callable[[Any], tuple[object, ...]] = tuple,
        budget: Steps | None = None,
    ) -> bool:
        """Print an answer, as `row` of it in the form csv; False where the independent checker rejects it. Where it
        cannot repeat the answer for what is left of `budget`, the answer says so.
        """
        checked = self._proofs.add(certificates, budget or Steps(DEFAULT))
        if checked == "rejected":
            self._codes.append(Exit.OURS)
            return False
        if checked == "unsupported":
            data = unchecked(data)
        if self.form == "json":
            put_json(data)
        elif self.form == "csv":
            put_csv(*row(data))
        else:
            if any(code is not Exit.UNUSABLE for code in self._codes):
                say("")
            put_blocks(blocks())
            if checked == "unsupported":
                say(phrase("unchecked"))
        self._codes.append(code)
        return True

    def end(self) -> Exit:
        """Write the certificates, if asked for; the exit code."""
        self._proofs.write()
        return worst(self._codes)
