"""One run of the command line: the files that it reads and makes, its configuration, the budget of its questions, the
check of their answers, the form in which they are written, and the exit code that all comes to.
"""

import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, NamedTuple, TypeVar, cast

import click
import msgspec

from couperation_formal import __version__
from couperation_formal.cli import output
from couperation_formal.cli.output import Exit, Refused, Said, complain, note, progress, put, put_unread, reading, say
from couperation_formal.game.fact import DEFAULT, Fact, Spent, Steps, Told, fact, steps_of, taken, told, translated
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.game.rulings import Rules, TomlError
from couperation_formal.notation.parse import OwnMarks
from couperation_formal.notation.read import Bounded, Item, Malformed, Piece, read_piece, split
from couperation_formal.output.blocks import Line, frame, place_of
from couperation_formal.output.configuration import Configuration, configured, find_configuration, read_configuration
from couperation_formal.output.formats import FORMS, Answer, Case, Form, file_field, new_permissions, written_atomically
from couperation_formal.words.say import safe

# From the files, folders and `-` of a command line to games; and the one writer of every file that a command makes.
#
# A file is written beside its place under a name of its own and put there when it is whole, so that a reader, or
# whoever looks after a power cut, finds the old content or the new. A file that exists is replaced with `--force` only.
# A link is followed; one to nothing is refused. An input, a rulebook in use, a device, a pipe, a folder is never
# written, `--force` or not.

STDIN = "-"
"""The name of standard input, or output."""

_IN_MEMORY = 1 << 20
"""So many bytes of a text are kept in memory until it is whole; more go to the disk."""


class Input(NamedTuple):
    """A file to read, named as it was given; `walked` when it was met in a folder."""

    file: str
    walked: bool


class Unusable(Refused):
    """An input that cannot be used, beside which others can."""


class Unreadable(Unusable):
    """A file or folder that cannot be read, and why."""

    def __init__(self, file: str, reason: Fact | str) -> None:
        super().__init__(fact("cannot_read", file=file, why=reason))
        self.file, self.reason = file, reason


Source = Input | Unreadable
"""What a name of the command line stands for."""

Inode = tuple[int, int]
"""What tells a file from every other one, whatever it is called."""


class Files:
    """What a run reads and what it makes: no file is both. With `force` it replaces files that exist."""

    def __init__(self) -> None:
        self.force = False
        self.read: set[Inode | None] = set()
        self._made: dict[Path, Inode | None] = {}

    def reads(self, file: Path | int) -> None:
        """Note that a file, by its path or descriptor, is an input, which is not written over."""
        self.read.add(inode_of(file))

    @contextmanager
    def opened(self, source: Source) -> Iterator[BinaryIO]:
        """A file, or standard input, as a stream of bytes. Raises `Unreadable`, and `Refused` where the run is to make
        this very file.
        """
        if isinstance(source, Unreadable):
            raise source
        file = source.file
        try:
            if file == STDIN and sys.stdin is None:  # closed by the caller; the type does not tell
                raise OSError(0, "standard input is closed")
            opened = nullcontext(sys.stdin.buffer) if file == STDIN else Path(file).open("rb")  # noqa: SIM115
            with opened as stream:
                with suppress(OSError):  # a stream without a file behind it
                    if self._made:
                        self.reads(stream.fileno())
                    if inode_of(stream.fileno()) in self._made.values():
                        raise Refused(fact("an_input", file=file))
                with reading(stream):
                    yield cast("BinaryIO", Bounded(stream))
        except OSError as error:
            raise Unreadable(file, reason_of(error)) from None

    def make(self, out: str) -> "OutFile":
        """A file that is to be made. Raises `Refused` where it may not, as far as can be told now."""
        if out == STDIN:
            raise Refused(fact("to_a_file"))
        if not Path(out).parent.is_dir():
            raise Refused(fact("no_folder", file=out, folder=str(Path(out).parent)))
        made = OutFile(out, self)
        made.permissions()
        path = Path(out).resolve()
        if path in self._made:
            raise Refused(fact("two_outputs", file=out))
        self._made[path] = inode_of(path)
        return made


class OutFile:
    """A file that a run is to make."""

    def __init__(self, out: str, files: Files) -> None:
        self._out, self._files = out, files

    def put(self, data: bytes) -> None:
        """Make the file. Raises `Refused`, and then nothing has changed."""
        with self.stream() as stream:
            stream.write(data)

    def stream(self) -> AbstractContextManager[BinaryIO]:
        """What is written to this stream is the file's content if the block ends well; else nothing has changed."""
        return _replacing(self._out, self.permissions)

    def permissions(self) -> int:
        """The permissions that the file is to have. Raises `Refused` where it may not be written."""
        path = Path(self._out)
        try:
            status = path.stat()
        except FileNotFoundError:
            if path.is_symlink():
                raise Refused(fact("link_to_nothing", file=self._out)) from None
            return new_permissions()
        except OSError as error:
            raise Refused(fact("cannot_write", file=self._out, why=reason_of(error))) from None
        _regular(self._out, status)
        if inode_of(path) in self._files.read:
            raise Refused(fact("an_input", file=self._out))
        if not self._files.force:
            raise Refused(fact("exists", file=self._out))
        return status.st_mode


def inode_of(file: Path | int) -> Inode | None:
    """A file by its path or descriptor; None where there is none."""
    try:
        status = os.stat(file)  # noqa: PTH116 - a descriptor is no Path
    except OSError:
        return None
    return status.st_dev, status.st_ino


def reason_of(error: OSError) -> Fact | str:
    """Why a file cannot be read or written, in words."""
    return translated(f"{error.strerror or error}".lower())


def find(names: Iterable[str]) -> Iterator[Source]:
    """The files that the names stand for; folders are walked for `.cgn` in sorted order.

    A file that is missing is found out when it is opened. A folder without any `.cgn` is unusable. Links to folders are
    not followed; what is no file in a folder, a pipe say, is told and never opened.
    """
    for name in names:
        if name == STDIN or not os.path.isdir(name):  # noqa: PTH112 - a Path would change the name as given
            yield Input(name, False)
        else:
            yield from _walk(name)


def _walk(folder: str) -> Iterator[Source]:
    failed: list[OSError] = []
    any_file = False
    for where, folders, files in os.walk(folder, onerror=failed.append):
        folders.sort()
        for file in sorted(files):
            if not file.endswith(".cgn"):
                continue
            path = os.path.join(where, file)  # noqa: PTH118 - as above
            if os.path.isfile(path) or not os.path.exists(path):  # noqa: PTH110, PTH113 - as above
                any_file = True
                yield Input(path, True)
            else:
                note(fact("no_file_skipped", file=path))
    for error in failed:
        yield Unreadable(str(error.filename), reason_of(error))
    if not any_file and not failed:
        yield Unreadable(folder, translated("there is no .cgn file in this folder"))


def status_of(stream: BinaryIO) -> os.stat_result | None:
    """The status of the file behind a stream; None where there is none."""
    with suppress(OSError):
        return os.fstat(stream.fileno())
    return None


def room() -> BinaryIO:
    """Where a text is kept until it is whole: in memory, on the disk where it is large."""
    import tempfile

    return cast("BinaryIO", tempfile.SpooledTemporaryFile(_IN_MEMORY))


def store(kept: BinaryIO, text: str) -> None:
    """Keep what is to be printed or written. Raises `Refused`."""
    try:
        kept.write(text.encode())
    except OSError as error:
        raise Refused(fact("cannot_keep", why=reason_of(error))) from None


def rewrite(file: str, data: BinaryIO, read: os.stat_result) -> None:
    """Replace the content of an input, which keeps its permissions; a link is followed. `read` is the file's status
    when it was read. Raises `Refused`, and then the file is as it was.
    """

    def permissions() -> int:
        status = Path(file).stat()
        _regular(file, status)
        if any(getattr(status, each) != getattr(read, each) for each in ("st_dev", "st_ino", "st_size", "st_mtime_ns")):
            raise Refused(fact("changed_meanwhile", file=file))
        return status.st_mode

    from shutil import copyfileobj

    with _replacing(file, permissions) as stream:
        copyfileobj(data, stream)


@contextmanager
def _replacing(name: str, permissions: Callable[[], int]) -> Iterator[BinaryIO]:
    """Write a file with the permissions that it has at the last moment. An `OSError` becomes `Refused`."""
    path = Path(name).resolve()
    temporary = path.with_name(f".couperation-{os.urandom(8).hex()}")
    try:
        with written_atomically(path, temporary, permissions) as stream:
            yield stream
    except OSError as error:
        raise Refused(fact("cannot_write", file=name, why=reason_of(error))) from None


def _regular(name: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Refused(fact("cannot_write", file=name, why=fact("no_regular_file")))
    if not os.access(name, os.W_OK):
        raise Refused(fact("cannot_write", file=name, why=fact("read_only")))


# One run: what it asks about, and what is answered.

T = TypeVar("T", bound=Item)
R = TypeVar("R")

_FEW = 499
"""So many games are asked about by one process where it is not said by how many."""


class Text(msgspec.Struct, frozen=True):
    """The text of a game or position, its place in the file, and whether the file was met in a folder."""

    file: str
    index: int
    piece: Piece
    walked: bool


class Ahead(NamedTuple):
    """A text that is read before its turn, and what is to be written before; no text where there is no more."""

    said: list[Said]
    text: Text | None


class Done(NamedTuple):
    """What another process made of a text, one value or none, and what it wrote; or the error that ended it."""

    said: list[Said]
    made: list[Any]
    codes: set[Exit]
    proofs: "list[Proof]"
    error: Exception | None


Row = Callable[[Any], Sequence[object]]
"""What makes a row of a table of the data of an answer."""

_LOOK = 100_000
"""Steps of a look at the verdict, beside what is shown: a second."""


class Run:
    """What a command has from the options that commands share; its attributes are named as these are.

    `rules` are those to judge by in place of the records' own, `marks` those of the copy that was played with, `number`
    is the one game of each file that is meant, `budget` the steps of each question, None what is usual. `form_name`
    is the output's form. Certificates go to `out`, and the independent checker is not run where `no_verify` is set. So
    many processes as `jobs` ask, None where that hangs on how much there is.
    """

    rules: Rules | None = None
    marks: OwnMarks | None = None
    number: int | None = None
    budget: int | None = None
    form_name = "full"
    out: str | None = None
    no_verify = False
    jobs: int | None = None
    proofs: "Proofs"

    def __init__(self) -> None:
        self.files = Files()
        self.isolated = False
        self.named: str | None = None
        self.used: str | None = None
        self.codes: set[Exit] = set()
        self._answered = False
        self._walked = False

    @cached_property
    def configuration(self) -> Configuration | None:
        """That of the working folder, or the one that is named in its place; None where there is none, or where it is
        to be ignored. Raises `click.UsageError` where it holds what it may not, or is named and holds none.
        """
        if self.isolated:
            return None
        try:
            with named_file():
                named = None if self.named is None else Path(self.named)
                configuration = find_configuration(Path()) if named is None else read_configuration(named)
        except click.BadParameter as error:
            raise click.UsageError(error.message) from None
        if self.named is not None and configuration is None:
            raise click.UsageError(output.spoken(fact("configuration_none", file=safe(self.named))))
        return configuration

    @property
    def language(self) -> str:
        """The configured language, if there is one; what is wrong with a configuration is told elsewhere."""
        with suppress(click.UsageError):
            return "" if self.configuration is None else self.configuration.language or ""
        return ""

    @cached_property
    def form(self) -> Form:
        """The form in which answers are written."""
        form = FORMS[self.form_name]
        return form(self.used, __version__, output.language(script=form.script))

    def steps(self) -> Steps:
        """The budget of one question."""
        return steps_of(self.budget)

    # What is asked about

    def _found(self, file: Source) -> Iterator[Text]:
        """The texts of the games and positions of a file, or of the one that is meant. Raises `Unusable` where the file
        cannot be read, or after all where it has none of this number.
        """
        index, walked = 0, isinstance(file, Input) and file.walked
        with self.files.opened(file) as stream:
            for index, piece in enumerate(split(stream), 1):
                if self.number in (None, index):
                    yield Text(file.file, index, piece, walked)
        if self.number is not None and index < self.number:
            raise Unusable(fact("has_no_game", file=file.file, number=self.number, count=index))

    def _texts(self, files: Iterable[Source], unread: Callable[[Unreadable], None] | None = None) -> Iterator[Text]:
        """The texts of all these files. A file that cannot be used is told, and `unread` hears of one that cannot be
        read.
        """
        for file in progress(files):
            try:
                yield from self._found(file)
            except Unusable as error:
                self.refuse(error.what)
                if unread is not None and isinstance(error, Unreadable):
                    unread(error)

    def _read(self, text: Text) -> Item:
        """What a text holds, what is no CGN too; the configured rulebook is that of what names none."""
        self._walked = text.walked
        rules = None if self.configuration is None else self.configuration.rules
        return configured(read_piece(text.piece, text.file, text.index), rules)

    def all(self, files: Iterable[Source]) -> Iterator[Item]:
        """All that stands in these files, or the one of each file that is meant, what is no CGN too."""
        return map(self._read, self._texts(files))

    def spread(
        self, names: Iterable[str], work: Callable[[Item], R], unread: Callable[[Unreadable], None] | None = None
    ) -> Iterator[R]:
        """What `work` makes of each game and position of files and folders, and of what is no CGN, in their order. Much
        is asked by several processes, of which only what `work` makes, writes, and keeps as codes and certificates is
        known here. `unread` hears of a file that cannot be read.
        """
        texts = self._texts(find(names), unread)
        for text in texts if self.jobs == 1 else islice(texts, 0 if self.jobs else _FEW):
            yield work(self._read(text))
        many = self._ahead(() if self.jobs == 1 else texts)
        if (first := next(many, None)) is not None:
            from couperation_formal.cli.workers import cores, shared

            jobs, rest = self.jobs or cores(), chain([first], many)
            for done in shared(partial(self._done, work), rest, jobs, self._lost, self._weight):
                self._write(done.said)
                self.codes |= done.codes
                self.proofs.kept += done.proofs
                yield from done.made
                if done.error is not None:
                    raise done.error

    @staticmethod
    def _ahead(texts: Iterable[Text]) -> Iterator[Ahead]:
        """The texts as they are read before their turn."""
        left = iter(texts)
        while True:
            with output.kept() as said:
                text = next(left, None)
            if text is not None or said:
                yield Ahead(said, text)
            if text is None:
                return

    def _done(self, work: Callable[[Item], R], ahead: Ahead) -> Done:
        """What `work` makes of a text in a process of its own."""
        output.uncounted()
        self.codes, self.proofs.kept = set(), []
        made, failed = list[R](), None
        with output.kept() as said:
            try:
                made += [work(self._read(text)) for text in (ahead.text,) if text is not None]
            except Exception as error:  # noqa: BLE001 - it is raised again where its turn has come
                failed = error
        return Done([*ahead.said, *said], made, self.codes, self.proofs.kept, failed)

    @staticmethod
    def _weight(ahead: Ahead) -> int:
        """So many letters has a text."""
        return 0 if ahead.text is None else len(ahead.text.piece.text)

    def _lost(self, ahead: Ahead) -> Done:
        """A text at which another process ended is told."""
        with output.kept() as said:
            if ahead.text is not None:
                self.refuse_item(ahead.text, fact("process_ended"))
                self.codes.add(Exit.OURS)
        return Done([*ahead.said, *said], [], set(), [], None)

    def _write(self, said: Iterable[Said]) -> None:
        """Write what was kept."""
        for each in said:
            if each.between:
                self.between(each.data)
            else:
                output.write(each)

    def between(self, text: str | bytes) -> None:
        """Write what stands between two answers, if there was one before this."""
        if output.keeping():  # who writes it knows what stands before
            output.write(Said(text, between=True))
            return
        if self._answered:
            output.write(Said(text))
        self._answered = True

    def over(self, names: Iterable[str], rewrite: Callable[[Source], Exit]) -> Exit:
        """The exit code of what is done with each of these files by itself; one that cannot be used is told."""
        for file in find(names):
            try:
                self.codes.add(rewrite(file))
            except Refused as error:
                self.refuse(error.what)
        return self.end()

    def _known(self, item: Item) -> Game | Snapshot | None:
        """A game or position with the marks of the owner's copy. What is no CGN is told."""
        if not isinstance(item, Malformed):
            return self.marked(item)
        put_unread(item)
        self._unanswered(item, "malformed")
        self.codes.add(Exit.UNUSABLE)
        return None

    def games(self, names: Iterable[str], answer: Callable[[Game], R]) -> list[R]:
        """What `answer` makes of each game of files and folders. A position is refused, or skipped in a folder; that
        there is no game is told.
        """

        def work(item: Item) -> list[R]:
            known = self._known(item)
            if isinstance(known, Game):
                return [answer(known)]
            if known is not None and not self.skipped(known):
                self.refuse_item(known, fact("game_wanted_here"))
            return []

        made = [*chain.from_iterable(self.spread(names, work))]
        if not made and not self.codes:
            self.refuse(fact("no_recorded_game"))
        return made

    def skipped(self, item: Item) -> bool:
        """Whether this is a position of a folder, where games are asked about; then that is noted."""
        skipped = self._walked and isinstance(item, Snapshot)
        if skipped:
            note(fact("position_skipped", file=item.file, game=item.index))
        return skipped

    def one(self, file: str) -> Game | Snapshot:
        """The game or position that is meant in a file. Raises `Refused` where there is none, or where it is no CGN."""
        item = self._read(next(self._found(Input(file, False))))
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
        put_unread(item)
        return click.exceptions.Exit(Exit.UNUSABLE)

    def marked(self, item: T) -> T | Game | Snapshot:
        """The item with the marks of its owner's copy; where its own tag says otherwise, that is noted."""
        from couperation_formal.questions.records.check import marked

        own, warnings = marked(item, self.marks)
        for warning in warnings:
            place = place_of(item, warning.span)
            warned = fact("told_of", what=fact("warning"), said=told(warning.what, output.language()))
            note(f"{item.file}:{place.line}:{place.column}: {output.spoken(warned)}")
        return own

    def seen(self, item: Game | Snapshot, viewer: str | None) -> Game | Snapshot:
        """The item as the view of this name could have written it down. Raises `Unfit` where nobody has this name."""
        from couperation_formal.questions.records.states import seen_by, view_of

        return item if viewer is None else seen_by(item, view_of(viewer).player)

    def note_refused(self, game: Game, turn: int | None) -> None:
        """Say beside what is shown of a game after a turn (None: the last) that it is illegal up to there, where that
        takes a look at what the record does not show: otherwise there is no state to be shown. The look takes no more
        than the budget of the question itself, and none where one game that the record may be is legal.
        """
        from couperation_formal.game.dealing import one_of
        from couperation_formal.hidden.readings.standing import cut
        from couperation_formal.questions.records.check import check
        from couperation_formal.questions.records.states import doubtful

        record = cut(game.record, turn)
        if not doubtful(game, turn, self.rules) or one_of(record, (self.rules or record.rules).rulings) is not None:
            return
        steps = Steps(min(_LOOK, self.budget or _LOOK))
        report = check(msgspec.structs.replace(game, record=record), self.rules, budget=steps)
        if report.verdict == "illegal":
            code = "-" if report.error is None else report.error.code
            note(fact("shown_though", file=game.file, game=game.index, turn=report.turn, clause=code))
        elif report.verdict == "undetermined":
            note(fact("shown_open", file=game.file, game=game.index, taken=taken(steps)))

    # What is answered

    def refuse(self, reason: Fact | str) -> None:
        """Tell that something cannot be used."""
        complain(reason)
        self.codes.add(Exit.UNUSABLE)

    def refuse_item(self, item: Item | Text, reason: Fact | str) -> None:
        """Tell that a game or position has no answer."""
        self.refuse(fact("refused_item", file=item.file, game=item.index, reason=reason))
        self._unanswered(item, "refused")

    def _unanswered(self, item: Item | Text, why: str) -> None:
        """A table has a row for each game: of one without an answer, why it has none."""
        if self.form_name == "csv":
            self.put(Case(lambda _: {}, row=lambda _: (file_field(item.file), item.index, why, *[None] * 4)))

    def each(
        self, names: Iterable[str], answer: Callable[[Game | Snapshot], R | None], turn: int | None = None
    ) -> list[R]:
        """What `answer` makes of each game and position, but None; beside what it said of a game after a turn stands
        what `note_refused` notes. One that raises `Told` is refused.
        """

        def work(item: Item) -> R | None:
            known = self._known(item)
            if known is None:
                return None
            try:
                made = answer(known)
            except Told as error:
                self.refuse_item(item, error.what)
                return None
            if isinstance(known, Game):
                self.note_refused(known, turn)
            return made

        return [made for made in self.spread(names, work) if made is not None]

    def put(self, case: Case, err: bool = False) -> None:
        """Write an answer."""
        written = self.form.case(case)
        if written and self.form.separator:
            self.between(self.form.separator)
        put(written, err)

    def answer(self, answer: Answer, code: Exit = Exit.KEPT, budget: Steps | None = None, row: Row = tuple) -> bool:
        """Write an answer that the independent checker looks at; False where it rejects it. Where it cannot repeat the
        answer for what is left of `budget`, the answer says so.
        """
        checked = self.check(answer.certificates, budget or Steps(DEFAULT))
        if checked == "rejected":
            return False
        if self.form_name == "full":
            self.between("\n")
        data = answer.data_in if checked != "unsupported" else lambda language: unchecked(answer.data_in(language))
        self.put(Case(data, answer.blocks, row))
        if self.form_name == "full" and checked == "unsupported":
            say(fact("unchecked"))
        self.codes.add(code)
        return True

    def check(self, certificates: "Make", budget: Steps) -> "Checked":
        """What the independent checker says of an answer."""
        checked = self.proofs.add(certificates, budget)
        if checked == "rejected":
            self.codes.add(Exit.OURS)
        return checked

    def end(self) -> Exit:
        """Write the certificates, if asked for; the exit code of all answers."""
        self.proofs.write()
        return output.worst(self.codes)


def unchecked(data: Any) -> Any:
    """An answer's data, where it can tell, as not checked."""
    return msgspec.structs.replace(data, checked=False) if hasattr(data, "checked") else data


@contextmanager
def named_file() -> Iterator[None]:
    """What is wrong with a file that an option or a configuration names is a wrong argument, with its line shown."""
    try:
        yield
    except TomlError as error:
        raise click.BadParameter(_framed(output.spoken(error.what), error.line)) from None
    except OSError as error:
        why = fact("cannot_read", file=str(error.filename), why=reason_of(error))
        raise click.BadParameter(safe(output.spoken(why))) from None


def _framed(message: str, at: tuple[int, str, int, int] | None) -> str:
    """What is wrong with a file, and its line with carets under it."""
    lines = [safe(message)]
    if at is not None:
        line = Line(*at)
        shown, indent, width = frame(line)
        gutter = " " * len(str(line.number))
        lines += [f"{gutter} |", f"{line.number} | {shown}", f"{gutter} | {' ' * indent}{'^' * width}"]
    return "\n".join(lines)


# Certificates of answers: run through the independent checker, and written to files on request.

_MOST = 1 << 20
"""So many bytes of a file a checker reads."""

FREE: Final = 5_000
_SHARE: Final = 2
"""The independent checker may take so many steps of its own for each question, a step being some twenty microseconds,
or one for every two of the budget that the question left.
"""

Checked = Literal["accepted", "unsupported", "rejected"]

Proof = dict[str, Any] | str
"""A certificate: a JSON object, or the text of an SMT-LIB script."""

Make = Callable[[], Iterable[Proof]]
"""What makes the certificates of an answer."""


class Proofs:
    """The certificates of one run, as they are `kept`; `verify`: the independent checker looks at them. Raises
    `Refused` where the file for them may not be written.
    """

    def __init__(self, out: str | None, verify: bool, files: Files) -> None:
        self.verify, self._out, self.files = verify, out, files
        self.kept: list[Proof] = []
        self.file = None if out is None else files.make(out)

    def add(self, make: Make, budget: Steps, free: Steps | None = None, told: bool = True) -> Checked:
        """Make the certificates of one answer, where they are wanted, and have them checked, for what is left of the
        question's budget, or for what several answers to one question have `free`; it is taken from both. What cannot
        be checked is `told`.
        """
        if not self.verify and self._out is None:
            return "accepted"
        checked: Checked = "accepted"
        try:
            proofs = list(make())
        except Spent:
            note(fact("not_verified", said=fact("too_long_to_prove")))
            return "unsupported"
        certificates = [proof for proof in proofs if isinstance(proof, dict)]
        if self.verify and certificates:
            checked = _verified(certificates, budget, free or Steps(FREE), told)
        if self._out is not None and checked != "rejected":
            self.kept += proofs
        return checked

    def write(self) -> None:
        """Write what was kept. JSON certificates go to the file named, into further ones where a checker could not read
        it; each script into a file of its own beside it. Raises `Refused`.
        """
        if self.file is None or self._out is None:
            return
        named = list(_named(Path(self._out), self.kept))
        files = [self.file if name == Path(self._out) else self.files.make(str(name)) for name, _, _ in named]
        for file, (name, count, data) in zip(files, named, strict=True):
            file.put(data)
            note(fact("certificates_in", count=count, file=str(name)))


def _named(out: Path, proofs: list[Proof]) -> Iterator[tuple[Path, int, bytes]]:
    """The files for these certificates: the name, how many it holds, its contents. The first one is `out`, but for a
    script, which ends in ``.smt2``.
    """
    files = [(out, *file) for file in _files([proof for proof in proofs if isinstance(proof, dict)])]
    files += [(out.with_suffix(".smt2"), 1, proof.encode()) for proof in proofs if isinstance(proof, str)]
    for number, (named, count, data) in enumerate(files, start=1):
        yield named if number == 1 else named.with_stem(f"{out.stem}-{number}"), count, data


def _files(certificates: list[dict[str, Any]]) -> Iterator[tuple[int, bytes]]:
    """The contents of files that a checker reads, each with its number of certificates: one, or an array of several."""
    batch: list[str] = []
    for text in (json.dumps(certificate, separators=(",", ":")) for certificate in certificates):
        if batch and sum(map(len, batch)) + len(batch) + len(text) + 3 > _MOST:
            yield len(batch), _joined(batch)
            batch = []
        batch.append(text)
    if batch:
        yield len(batch), _joined(batch)


def _joined(texts: list[str]) -> bytes:
    return (texts[0] if len(texts) == 1 else f"[{','.join(texts)}]").encode() + b"\n"


def _verified(certificates: Iterable[dict[str, Any]], budget: Steps, free: Steps, told: bool) -> Checked:
    """What the independent checker says of these. A rejection is told, and so, if `told`, is what it cannot check."""
    from couperation_checker import check_object
    from couperation_checker.strict import Work

    most = max(free.left, budget.left // _SHARE)
    work = Work(most)
    checked: Checked = "accepted"
    for certificate in certificates:
        verdict = check_object(certificate, work)
        if verdict.status == "rejected":
            complain(fact("rejected", said=f"{verdict.code} {verdict.message}"))
            return "rejected"
        if verdict.status == "unsupported":
            if told:
                note(fact("not_verified", said=verdict.message))
            checked = "unsupported"
            break
    used = most - work.left
    paid = min(used, free.left)
    free.spend(paid)
    budget.spend(min(budget.left, (used - paid) * _SHARE))
    return checked
