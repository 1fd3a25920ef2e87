"""What an editor offers to change: each slip that can be mended, all of them, the canonical form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from couperation_formal.game.fact import fact
from couperation_formal.game.record import Span
from couperation_formal.lsp.document import Document
from couperation_formal.lsp.text import Text
from couperation_formal.notation.fault import shorten
from couperation_formal.notation.read import mend
from couperation_formal.words.say import say

KINDS = (types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll)
"""The kinds of actions that there are."""


def kinds_of(wanted: Iterable[types.CodeActionKind | str]) -> list[types.CodeActionKind]:
    """The kinds that are asked for; a kind is a path of words with dots and takes in those below it."""
    paths = [str(getattr(kind, "value", kind)) for kind in wanted]
    return [kind for kind in KINDS if any(f"{kind.value}.".startswith(f"{path}." if path else "") for path in paths)]


def actions(
    document: Document,
    text: Text,
    asked: types.CodeActionParams,
    canonical: list[types.TextEdit],
    kinds: list[types.CodeActionKind],
) -> list[types.CodeAction]:
    """The actions of these kinds; `canonical` are the edits that write the document in canonical form.

    All slips together are mended as `couperation fix` does, whatever the range. Cost: see `notation.read`.
    """
    uri = asked.text_document.uri
    changes = [(say(fact("editor_format")), canonical), *_mends(document, text)]
    whole = [_action(title, kind, uri, edits) for title, edits in changes for kind in kinds if edits]
    return [*(_slips(document, text, asked) if types.CodeActionKind.QuickFix in kinds else ()), *whole]


def _action(title: str, kind: types.CodeActionKind, uri: str, edits: list[types.TextEdit]) -> types.CodeAction:
    return types.CodeAction(title, kind=kind, edit=types.WorkspaceEdit(changes={uri: edits}))


def _slips(document: Document, text: Text, asked: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """An action for each slip that meets the range, with what the editor knows of it."""
    for part in document.parts:
        for span, found in document.findings(part, {}):
            place = text.range(span)
            if found.edit is None or place.start > asked.range.end or asked.range.start > place.end:
                continue
            change = types.TextEdit(text.range(part.within(found.edit.span)), found.edit.replacement)
            action = _action(
                _title(found.edit.replacement), types.CodeActionKind.QuickFix, asked.text_document.uri, [change]
            )
            known = [each for each in asked.context.diagnostics if each.range == place and each.code == found.code]
            action.diagnostics, action.is_preferred = known or None, True
            yield action


def _title(replacement: str) -> str:
    if not replacement.strip():
        return say(fact("editor_blank" if replacement else "editor_delete"))
    return say(fact("editor_write", text=shorten(" ".join(replacement.split()))))


def _mends(document: Document, text: Text) -> Iterator[tuple[str, list[types.TextEdit]]]:
    """The edits that mend the games with slips, and what they come to."""
    found = [(part, mended) for part in document.parts if (mended := mend(part.item)) is not None]
    if found:
        edits = [types.TextEdit(text.range(part.within(Span(0, len(part.text)))), each.after) for part, each in found]
        yield say(fact("editor_mend", slips=sum(len(each.faults) for _, each in found))), edits
