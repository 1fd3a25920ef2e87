"""A document that is being typed: its games, their reports, and the exact verdicts of a process of their own."""

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from couperation_formal.game.record import Diagnostic, Snapshot, Span
from couperation_formal.game.rulings import Rules
from couperation_formal.notation.parse import OwnMarks, read_marks
from couperation_formal.notation.read import Item, read_text
from couperation_formal.output.blocks import Part, parts
from couperation_formal.output.configuration import Configuration, configured, find_configuration, read_configuration
from couperation_formal.output.report import Report, complaint
from couperation_formal.questions.records import check, verdict

# A document as its games: what stands where, and the verdicts, kept for the games that did not change.


class Finding(NamedTuple):
    """A diagnostic and its stretch of the document."""

    span: Span
    found: Diagnostic


class Chosen(NamedTuple):
    """What the configuration of a document's folder says: its file, the rulebook and the marks."""

    file: Path | None = None
    rules: Rules | None = None
    marks: OwnMarks | None = None

    def taken(self, item: Item) -> Item:
        """The item, judged by what it does not say itself."""
        judged: Item = check.marked(configured(item, self.rules), self.marks)[0]
        return judged


UNCHOSEN = Chosen()


def chosen_for(path: Path, roots: Iterable[Path]) -> Chosen:
    """The configuration of a document in a workspace, whose folders it does not leave; none for what lies outside.
    Raises `TomlError` and `OSError`.
    """
    holding = (root for root in roots if path.resolve().is_relative_to(root.resolve()))
    found = (find_configuration(path.resolve().parent, root) for root in holding)
    return _chosen(next(filter(None, found), None))


def _chosen(configuration: Configuration | None) -> Chosen:
    if configuration is None:
        return UNCHOSEN
    marks = None if configuration.marks is None else read_marks(configuration.marks)
    return Chosen(configuration.file, configuration.rules, marks)


Exact = Mapping[str, tuple[Diagnostic, ...]]
"""The diagnostics of the games that the exact engine has decided, by the game's text."""


class Document:
    """A text read as CGN. Reports are made when they are asked for; those of `before`, an earlier reading of the same
    document, are kept for the games whose text is the same. `chosen` is the configuration of the document's folder.

    Cost of reading: linear in the text; of a report, see `questions.records.check.check` with the plain engine.
    """

    def __init__(self, text: str, before: "Document | None" = None, chosen: Chosen = UNCHOSEN) -> None:
        self.text, self.chosen = text, chosen
        self.parts = tuple(part._replace(item=self.chosen.taken(part.item)) for part in parts(text, read_text(text)))
        kept = before.reports if before is not None and before.chosen == chosen else {}
        self.reports: dict[str, Report] = {part.text: kept[part.text] for part in self.parts if part.text in kept}
        """The reports made so far, by the game's text."""

    def part_at(self, offset: int) -> Part | None:
        """The game that holds this offset."""
        return next((part for part in reversed(self.parts) if part.start <= offset), None)

    def report(self, part: Part) -> Report | None:
        """The plain verdict on one of the parts; None for a position."""
        if isinstance(part.item, Snapshot):
            return None
        if part.text not in self.reports:
            self.reports[part.text] = check.check(part.item, engine="plain", marks=self.chosen.marks)
        return self.reports[part.text]

    def findings(self, part: Part, exact: Exact) -> list[Finding]:
        """The diagnostics on one of the parts, as people read them: the exact engine's where it has decided, else the
        plain ones.
        """
        report, game, diagnostics = self.report(part), None, tuple[Diagnostic, ...]()
        if isinstance(part.item, Snapshot):
            diagnostics = (*verdict.tag_warnings(part.item), *check.marked(part.item, self.chosen.marks)[1])
        if report is not None:
            diagnostics, game = exact.get(part.text, report.diagnostics), report.game
        told = [msgspec.structs.replace(each, what=complaint(each, game)) for each in diagnostics]
        return [Finding(part.within(each.span), each) for each in told]

    def doubtful(self) -> list[str]:
        """The texts of the games that the plain engine leaves undetermined or that it refuses with a doubt before."""
        verdicts = ((part.text, report.verdict) for part in self.parts if (report := self.report(part)) is not None)
        # where something is left open, an earlier turn may be the illegal one
        return [text for text, told in verdicts if told == "undetermined" or (told == "illegal" and "?" in text)]


# The exact verdicts, in a process of their own, so that a solver at work holds up no keystroke and can be ended.

BUDGET = 500_000
"""Steps for one game: some seconds."""

TIMEOUT = 60.0
"""Seconds after which the process is ended and the plain verdicts stay."""


HOME = Path(__file__).resolve().parents[2]
"""The folder that holds this package."""


def command(code: str) -> list[str]:
    """The command that runs `code` with what this process has found its modules in, but for the folder that it works
    in: that is the editor's, and who made it is not known.
    """
    try:
        here = os.path.realpath(os.curdir)
    except FileNotFoundError:  # it is gone
        here = ""
    path = [entry for entry in sys.path if os.path.isabs(entry) and os.path.realpath(entry) != here]  # noqa: PTH117
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:] = {[*path, str(HOME)]!r}; {code}"]


async def decide(texts: Sequence[str], configuration: Path | None) -> dict[str, tuple[Diagnostic, ...]]:
    """The diagnostics of `check` on these games, by text; none for what was not decided in time.

    Each text is that of one game, judged as this `configuration` says, and by no other. Cancelling it ends the process.
    """
    # PYTHONPATH would lead its start to other folders
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    # not asyncio's own: cancelled while it connects the pipes, that one is never done
    pipe = subprocess.PIPE
    code = "from couperation_formal.editor.document import main; main()"
    process = subprocess.Popen(
        command(code), cwd=HOME, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    )
    asked = msgspec.json.encode((texts, None if configuration is None else str(configuration)))
    try:
        output, _ = await asyncio.wait_for(asyncio.to_thread(process.communicate, asked), TIMEOUT)
    except TimeoutError:
        return {}
    finally:
        process.kill()  # which ends the thread too; nothing, where it has ended
    answers: dict[str, tuple[Diagnostic, ...]] = pickle.loads(output) if process.returncode == 0 else {}
    return answers


def main() -> None:
    """What the process does: of the games that it decides the texts with their diagnostics, as values."""
    texts, named = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[list[str], str | None])
    chosen, answers = _chosen(read_configuration(Path(named)) if named else None), {}
    for text in texts:
        report = check.check(configured(next(read_text(text)), chosen.rules), budget=BUDGET, marks=chosen.marks)
        if report.verdict != "undetermined":
            answers[text] = report.diagnostics
    sys.stdout.buffer.write(pickle.dumps(answers))
