"""One run of the command line: its configuration, the files that it reads, the budget of its questions, the check of
their answers, the form in which they are written, and the exit code that all comes to.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec
from click.core import ParameterSource

from couperation_formal import __version__
from couperation_formal.cli.exits import Exit, worst
from couperation_formal.cli.files import Files, Input, OutFile, Unreadable, Unusable, find, reason_of
from couperation_formal.cli.output import Refused, complain, note, put_blocks, put_text, say, show_report
from couperation_formal.cli.progress import progress
from couperation_formal.cli.proofs import Checked, Proof, Proofs
from couperation_formal.model.budget import DEFAULT, Steps, steps_of
from couperation_formal.model.fact import Told, taken
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.notation.read import Item, Malformed, read_stream
from couperation_formal.words.say import phrase
from couperation_formal.words.text import safe

if TYPE_CHECKING:
    from couperation_formal.model.rulings import Rules
    from couperation_formal.notation.marks import OwnMarks
    from couperation_formal.report.configuration import Configuration
    from couperation_formal.report.formats import Case, Form, Written

T = TypeVar("T", bound=Item)

_LOOK = 100_000
"""Steps of a look at the verdict, beside what is shown: a second."""

_NAMING = ("json", "sarif", "csv", "junit")
"""The forms that have a place for the configuration."""


class Run:
    """What a command has from the options that commands share; its attributes are named as these are.

    `rules` are those to judge by in place of the records' own, `marks` those of the copy that was played with, `number`
    is the one game of each file that is meant, `budget` the steps of each question, None what is usual. `form_name`
    is the output's form. Certificates go to `out`, and the independent checker is not run where `no_verify` is set.
    """

    rules: Rules | None = None
    marks: OwnMarks | None = None
    number: int | None = None
    budget: int | None = None
    form_name = "full"
    out: str | None = None
    no_verify = False
    proofs: Proofs

    def __init__(self) -> None:
        self.files = Files()
        self.isolated = False
        self.named: str | None = None
        self.used: str | None = None
        self.codes: list[Exit] = []
        self._answered = False
        self._walked = False

    @cached_property
    def configuration(self) -> Configuration | None:
        """That of the working folder, or the one that is named in its place; None where there is none, or where it is
        to be ignored. Raises `click.UsageError` where it holds what it may not, or is named and holds none.
        """
        from couperation_formal.report.configuration import find_configuration, read_configuration

        if self.isolated:
            return None
        try:
            with reading():
                found = find_configuration(Path()) if self.named is None else read_configuration(Path(self.named))
        except click.BadParameter as error:
            raise click.UsageError(error.message) from None
        if self.named is not None and found is None:
            raise click.UsageError(phrase("configuration_none", file=safe(self.named)))
        return found

    @cached_property
    def form(self) -> Form:
        """The form in which answers are written."""
        from couperation_formal.report.formats import FORMS

        return FORMS[self.form_name](self.used, __version__)

    def steps(self) -> Steps:
        """The budget of one question."""
        return steps_of(self.budget)

    # What is asked about

    def found(self, file: Input | Unreadable) -> Iterator[Item]:
        """The games and positions of a file, or the one that is meant; the configured rulebook is that of those that
        name none. Raises `Unusable` where it cannot be read, or after all where it has none of this number.
        """
        if isinstance(file, Unreadable):
            raise file
        count, rules = 0, None if self.configuration is None else self.configuration.rules
        try:
            with self.files.opened(file.file) as stream:
                for item in read_stream(stream, file.file):
                    count = item.index
                    if self.number in (None, count):
                        yield item if rules is None else _configured(item, rules)
        except OSError as error:
            raise Unreadable(file.file, reason_of(error)) from None
        if self.number is not None and count < self.number:
            raise Unusable(phrase("has_no_game", file=file.file, number=self.number, count=count))

    def all(
        self, files: Iterable[Input | Unreadable], unread: Callable[[Unreadable], None] | None = None
    ) -> Iterator[Item]:
        """All that stands in these files, or the one of each file that is meant, what is no CGN too. A file that cannot
        be used is told, and `unread` hears of one that cannot be read.
        """
        for file in progress(files):
            self._walked = isinstance(file, Input) and file.walked
            try:
                yield from self.found(file)
            except Unusable as error:
                self.refuse(error.message)
                if unread is not None and isinstance(error, Unreadable):
                    unread(error)

    def items(self, names: Iterable[str]) -> Iterator[Game | Snapshot]:
        """The games and positions of files and folders, with the marks of the owner's copy. What is no CGN is told."""
        for item in self.all(find(names)):
            if isinstance(item, Malformed):
                self._unread(item)
                self._unanswered(item, "malformed")
                self.codes.append(Exit.UNUSABLE)
            else:
                yield self.marked(item)

    def games(self, names: Iterable[str]) -> Iterator[Game]:
        """The games among them. A position is refused, or skipped in a folder; that there is no game is told."""
        none = True
        for item in self.items(names):
            if isinstance(item, Game):
                none = False
                yield item
            elif not self.skipped(item):
                self.refuse_item(item, phrase("game_wanted_here"))
        if none and not self.codes:
            self.refuse(phrase("no_recorded_game"))

    def skipped(self, item: Item) -> bool:
        """Whether this is a position of a folder, where games are asked about; then that is noted."""
        skipped = self._walked and isinstance(item, Snapshot)
        if skipped:
            note(phrase("position_skipped", file=item.file, game=item.index))
        return skipped

    def one(self, file: str) -> Game | Snapshot:
        """The game or position that is meant in a file. Raises `Refused` where there is none, or where it is no CGN."""
        item = next(self.found(Input(file, False)))
        if isinstance(item, Malformed):
            raise self._unread(item)
        return self.marked(item)

    def one_game(self, file: str) -> Game:
        """The game that is meant in a file; a position raises `Refused`."""
        item = self.one(file)
        if isinstance(item, Snapshot):
            raise self._unread(item)
        return item

    def _unread(self, item: Item) -> click.exceptions.Exit:
        """Tell why this is no game; what ends the command where there is nothing else."""
        from couperation_formal.analysis.verify import check

        show_report(check(item))
        return click.exceptions.Exit(Exit.UNUSABLE)

    def marked(self, item: T) -> T | Game | Snapshot:
        """The item with the marks of its owner's copy; where its own tag says otherwise, that is noted."""
        from couperation_formal.analysis.marked import marked
        from couperation_formal.answers.place import place_of, source_of

        own, warnings = marked(item, self.marks)
        for warning in warnings:
            place = place_of(source_of(item), warning.span)
            note(f"{item.file}:{place.line}:{place.column}: {phrase('warning')}: {warning.message}")
        return own

    def seen(self, item: Game | Snapshot, viewer: str | None) -> Game | Snapshot:
        """The item as the view of this name could have written it down. Raises `Refused` where nobody has this name."""
        from couperation_formal.analysis.seen import seen_by, view_of

        try:
            return item if viewer is None else seen_by(item, view_of(viewer).player)
        except ValueError as error:
            raise Refused(str(error)) from None

    def note_refused(self, game: Game, turn: int | None = None) -> None:
        """Say beside what is shown of a game after a turn (None: the last) that it is illegal up to there, where that
        takes a look at what the record does not show: otherwise there is no state to be shown. The look takes no more
        than the budget of the question itself.
        """
        from couperation_formal.analysis.inspect import doubtful
        from couperation_formal.analysis.verify import check
        from couperation_formal.readings.replayed import cut

        if not doubtful(game, turn, self.rules):
            return
        steps = Steps(min(_LOOK, self.budget or _LOOK))
        report = check(msgspec.structs.replace(game, record=cut(game.record, turn)), self.rules, budget=steps)
        if report.verdict == "illegal":
            code = next((each.code for each in report.diagnostics if each.severity == "error"), "-")
            note(phrase("shown_though", file=game.file, game=game.index, turn=report.turn, clause=code))
        elif report.verdict == "undetermined":
            note(phrase("shown_open", file=game.file, game=game.index, taken=taken(steps)))

    # What is answered

    def refuse(self, reason: str) -> None:
        """Tell that something cannot be used."""
        complain(reason)
        self.codes.append(Exit.UNUSABLE)

    def refuse_item(self, item: Item, reason: object) -> None:
        """Tell that a game or position has no answer."""
        self.refuse(phrase("refused_item", file=item.file, game=item.index, reason=reason))
        self._unanswered(item, "refused")

    def _unanswered(self, item: Item, why: str) -> None:
        """A table has a row for each game: of one without an answer, why it has none."""
        from couperation_formal.report.formats import Case, file_field

        if self.form_name == "csv":
            self.put(Case(dict, row=lambda _: (file_field(item.file), item.index, why, *[None] * 4)))

    def each(self, names: Iterable[str], answer: Callable[[Game | Snapshot], None], turn: int | None = None) -> None:
        """Give every one of the `items` to `answer`; beside what it said of a game after a turn stands what
        `note_refused` notes. One that raises `Told` is refused.
        """
        for item in self.items(names):
            try:
                answer(item)
            except Told as error:
                self.refuse_item(item, error)
                continue
            if isinstance(item, Game):
                self.note_refused(item, turn)

    def put(self, case: Case) -> None:
        """Write an answer."""
        write(self.form.case(case))

    def answer(
        self,
        case: Case,
        certificates: Callable[[], Iterable[Proof]] = list,
        code: Exit = Exit.KEPT,
        budget: Steps | None = None,
    ) -> bool:
        """Write an answer that the independent checker looks at; False where it rejects it. Where it cannot repeat the
        answer for what is left of `budget`, the answer says so.
        """
        checked = self.check(certificates, budget or Steps(DEFAULT))
        if checked == "rejected":
            return False
        if checked == "unsupported":
            data = case.data
            case = case._replace(data=lambda: unchecked(data()))
        if self.form_name == "full" and self._answered:
            say("")
        self._answered = True
        self.put(case)
        if self.form_name == "full" and checked == "unsupported":
            say(phrase("unchecked"))
        self.codes.append(code)
        return True

    def check(self, certificates: Callable[[], Iterable[Proof]], budget: Steps) -> Checked:
        """What the independent checker says of an answer."""
        checked = self.proofs.add(certificates, budget)
        if checked == "rejected":
            self.codes.append(Exit.OURS)
        return checked

    def end(self) -> Exit:
        """Write the certificates, if asked for; the exit code of all answers."""
        self.proofs.write()
        return worst(self.codes)


def write(written: Written, err: bool = False) -> None:
    """A text as it is to standard output, or blocks for people."""
    if isinstance(written, str):
        put_text(written)
    else:
        put_blocks(written, err)


def unchecked(data: Any) -> Any:
    """An answer's data, where it can tell, as not checked."""
    return msgspec.structs.replace(data, checked=False) if hasattr(data, "checked") else data


def _configured(item: Item, rules: Rules) -> Item:
    from couperation_formal.report.configuration import configured

    return configured(item, rules)


@contextmanager
def reading() -> Iterator[None]:
    """What is wrong with a file that an option or a configuration names is a wrong argument, with its line shown."""
    from couperation_formal.model.toml_file import TomlError

    try:
        yield
    except TomlError as error:
        raise click.BadParameter(_framed(str(error), error.line)) from None
    except OSError as error:
        raise click.BadParameter(safe(f"cannot read {error.filename}: {error.strerror}")) from None


def _framed(message: str, at: tuple[int, str, int, int] | None) -> str:
    """What is wrong with a file, and its line with carets under it."""
    from couperation_formal.answers.place import Line
    from couperation_formal.report.frame import frame

    lines = [safe(message)]
    if at is not None:
        line = Line(*at)
        shown, indent, width = frame(line)
        gutter = " " * len(str(line.number))
        lines += [f"{gutter} |", f"{line.number} | {shown}", f"{gutter} | {' ' * indent}{'^' * width}"]
    return "\n".join(lines)


class Word(click.Choice[str]):
    """One of several words; a wrong one is answered with the near one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = get_close_matches(str(value)[:40], self.choices, 1)
            meant = phrase("meant_these", names=tuple(near)) if near else ""
            self.fail(error.message.rstrip(".") + (meant or "."), param, ctx)


class Command(click.Command):
    """A command whose function takes the `Run` and the options that are its own, and returns an exit code.

    It has examples, each a command line that can be tried in a checkout. `configured` is false where no setting of a
    configuration plays a part, `makes` where its output cannot go to a file. `renamed` are old spellings of options,
    which work with a note.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Sequence[str],
        configured: bool = True,
        makes: bool = True,
        renamed: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self.examples, self.configured, self.renamed = examples, configured, renamed or {}
        for param in self.params:
            if type(param.type) is click.Choice:
                param.type = Word(param.type.choices)
        self.params += _everywhere()
        if configured:
            self.params += _configuring()
        if makes:
            self.params += _making(self.params)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, old spellings among them."""
        ctx.obj = Run()
        ctx.obj.isolated = ctx.parent is not None and bool(ctx.parent.params.get("isolated"))
        return super().parse_args(ctx, [*self._spelt(args)])

    def _spelt(self, args: list[str]) -> Iterator[str]:
        options = True
        for argument in args:
            options = options and argument != "--"
            name, equals, value = argument.partition("=")
            if options and name in self.renamed:
                note(phrase("old_spelling", old=name, new=self.renamed[name]))
                name = self.renamed[name]
            yield name + equals + value

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, as they are typed."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {example}\n")

    def invoke(self, ctx: click.Context) -> Any:
        """The exit code of the command. A file for its output appears at the end, unless the command fails or has
        nothing to say.
        """
        run: Run = ctx.obj
        run.used = self._used(ctx, run)
        output = ctx.params.pop("output_file", None)
        for name in ("rules", "marks", "number", "budget", "form_name", "out", "no_verify"):
            if name in ctx.params:
                setattr(run, name, ctx.params.pop(name))
        run.proofs = Proofs(run.out, not run.no_verify, run.files)
        if output is None:
            return self._invoke(ctx, run)
        return self._into(run.files.make(output), ctx, run)

    def _into(self, file: OutFile, ctx: click.Context, run: Run) -> Any:
        with file.stream() as stream:
            text = io.TextIOWrapper(stream, "utf-8", "replace", newline="\n", write_through=True)
            with redirect_stdout(text):
                code = self._invoke(ctx, run) or Exit.KEPT
            if code is Exit.OURS or (code is not Exit.KEPT and not stream.tell()):
                raise click.exceptions.Exit(code)
        return code

    def _invoke(self, ctx: click.Context, run: Run) -> Any:
        """A configuration that is used is named first: in a text, or beside CGN and what is drawn. The forms for
        scripts have a place of their own for it.
        """
        has_form = any(param.name == "form_name" for param in self.params)
        if run.used is not None and not (has_form and run.form_name in _NAMING):
            told = phrase("configured_by", file=run.used)
            if run.form_name == "github":
                say(f"::notice::{told}")
            else:
                (say if has_form and not ctx.params.get("world") else note)(told)
        return ctx.invoke(self.callback, run, **ctx.params) if self.callback is not None else None

    def _used(self, ctx: click.Context, run: Run) -> str | None:
        """The name of the configuration from which the command takes something, as seen from the working folder."""
        found = run.configuration if self.configured else None
        if found is None:
            return None
        left = {
            param.name
            for param in self.params
            if param.name is not None and ctx.get_parameter_source(param.name) is ParameterSource.DEFAULT
        }
        takes_rules = found.rules is not None and "rules" in left
        takes_marks = found.marks is not None and "marks" in left
        takes_form = found.form is not None and "form_name" in left and ctx.params["form_name"] == found.form
        return os.path.relpath(found.file) if takes_rules or takes_marks or takes_form else None


def _everywhere() -> Iterator[click.Option]:
    def colour(ctx: click.Context, _param: click.Parameter, value: str) -> None:
        ctx.color = {"always": True, "never": False}.get(value)

    kind = Word(["auto", "always", "never"])
    words = "Colours; auto: on a terminal."
    yield click.Option(
        ["--color"], type=kind, default="auto", show_default=True, expose_value=False, callback=colour, is_eager=True,
        help=words,
    )  # fmt: skip


def _configuring() -> Iterator[click.Option]:
    words = "A configuration. Left out: the nearest couperation.toml or [tool.couperation] from here up."
    yield click.Option(
        ["--config", "named"], type=click.Path(dir_okay=False), metavar="FILE", expose_value=False,
        callback=lambda ctx, _param, value: setattr(ctx.obj, "named", value), is_eager=True, help=words,
    )  # fmt: skip

    def kept(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        ctx.obj.isolated = ctx.obj.isolated or value

    words = "Ignore couperation.toml and pyproject.toml."
    yield click.Option(["--isolated"], is_flag=True, expose_value=False, callback=kept, is_eager=True, help=words)


def _making(own: Sequence[click.Parameter]) -> Iterator[click.Option]:
    """The options of what makes files; one that has its own for its output keeps it."""
    if not any("--output" in param.opts for param in own):
        words = "Write the output to FILE; to standard output if left out."
        path = click.Path(dir_okay=False)
        yield click.Option(["-o", "--output", "output_file"], type=path, metavar="FILE", help=words)

    yield click.Option(
        ["--force"], is_flag=True, expose_value=False, is_eager=True, help="Replace files that exist.",
        callback=lambda ctx, _param, value: setattr(ctx.obj.files, "force", value),
    )  # fmt: skip
