"""Certificates of answers: run through the independent checker, and written to files on request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from couperation_formal.cli.files import Files
from couperation_formal.cli.output import complain, note
from couperation_formal.game.budget import Steps
from couperation_formal.words.say import phrase

if TYPE_CHECKING:
    from couperation_checker.strict import Work

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


class Proofs:
    """The certificates of one run; `verify`: the independent checker looks at them. Raises `Refused` where the file for
    them may not be written.
    """

    def __init__(self, out: str | None, verify: bool, files: Files) -> None:
        self.verify, self._out, self.files = verify, out, files
        self._kept: list[Proof] = []
        self.file = None if out is None else files.make(out)

    def add(
        self, make: Callable[[], Iterable[Proof]], budget: Steps, free: Steps | None = None, told: bool = True
    ) -> Checked:
        """Make the certificates of one answer, where they are wanted, and have them checked, for what is left of the
        question's budget, or for what several answers to one question have `free`; it is taken from both. What cannot
        be checked is `told`.
        """
        if not self.verify and self._out is None:
            return "accepted"
        proofs = list(make())
        if not proofs:
            return "accepted"
        found: Checked = "accepted"
        if self.verify:
            certificates = (proof for proof in proofs if isinstance(proof, dict))
            found = _verified(certificates, budget, free or Steps(FREE), told)
        if self._out is not None and found != "rejected":
            self._kept += proofs
        return found

    def write(self) -> None:
        """Write what was kept. JSON certificates go to the file named, into further ones where a checker could not read
        it; each script into a file of its own beside it. Raises `Refused`.
        """
        if self.file is None or self._out is None:
            return
        named = list(_named(Path(self._out), self._kept))
        files = [self.file if name == Path(self._out) else self.files.make(str(name)) for name, _, _ in named]
        for file, (name, count, data) in zip(files, named, strict=True):
            file.put(data)
            note(phrase("certificates_in", count=count, file=name))


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
    work: Work = Work(most)
    found: Checked = "accepted"
    for certificate in certificates:
        verdict = check_object(certificate, work)
        if verdict.status == "rejected":
            complain(phrase("rejected", said=f"{verdict.code} {verdict.message}"))
            return "rejected"
        if verdict.status == "unsupported":
            if told:
                note(phrase("not_verified", said=verdict.message))
            found = "unsupported"
            break
    used = most - work.left
    paid = min(used, free.left)
    free.spend(paid)
    budget.spend(min(budget.left, (used - paid) * _SHARE))
    return found
