"""The server that an editor talks to: messages, reports, the outline, quick fixes, and what it asks of a document."""

import asyncio
import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from couperation_formal import __version__
from couperation_formal.editor.document import UNCHOSEN, Chosen, Document, Finding, chosen_for, decide
from couperation_formal.editor.places import Page, complete, hover
from couperation_formal.game.fact import Datum, Fact, Told, fact, told, why_of
from couperation_formal.game.record import NOTATION, Diagnostic, Span
from couperation_formal.game.rulings import TomlError, spec_folder, spec_text
from couperation_formal.notation import parse, read
from couperation_formal.output import blocks, report
from couperation_formal.questions.records.fmt import canonical
from couperation_formal.words.say import ENGLISH, language_of, say

# A document's text as the protocol counts it: lines, and columns in code units of the agreed encoding.

_LINE_END = re.compile(r"\r\n|\n|\r")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""How each encoding is named here, and the bytes of its code units."""


class Text:
    """A text and the places in it. Offsets count characters; a position's column counts code units of `encoding`
    (``utf-8``, ``utf-16`` or ``utf-32``).

    Half a surrogate pair, which no encoding can write, is replaced by U+FFFD, so that offsets stay what they are.
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = _SURROGATE.sub("\ufffd", text)
        self._codec, self._width = _CODECS[encoding]
        ends = list(_LINE_END.finditer(self.text))
        self._starts = [0, *(end.end() for end in ends)]
        self._ends = [*(end.start() for end in ends), len(self.text)]

    def position(self, offset: int) -> types.Position:
        """The position of an offset; one beyond the text is its end. Cost: linear in the line."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : min(offset, self._ends[line])]
        return types.Position(line, len(before.encode(self._codec)) // self._width)

    def offset(self, position: types.Position) -> int:
        """The offset of a position; a column beyond its line is the line's end, a line beyond the text the text's end.
        A column within a character is that character's beginning.
        """
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        line = self.text[start : self._ends[position.line]].encode(self._codec)
        return start + len(line[: position.character * self._width].decode(self._codec, "ignore"))

    def range(self, span: Span) -> types.Range:
        """The range of a stretch of the text."""
        return types.Range(self.position(span.start), self.position(span.end))


# The outline of a document: its games, and of each the lines before the turns, the turns and the result.


def outline(document: Document, text: Text) -> list[types.DocumentSymbol]:
    """The games of a document in their order; of one that is no CGN the lines before the first that cannot be read.
    Cost: linear in the text.
    """
    return [_game(text, part) for part in document.parts if part.text.strip()]


def _game(text: Text, part: blocks.Part) -> types.DocumentSymbol:
    item = part.item.judged if isinstance(part.item, read.Malformed) else part.item
    whole = Span(part.start, part.start + len(part.text.rstrip()))
    if item is None:
        return _symbol(text, whole)
    spans = list(item.layout.lines.values()) + [turn.line for turn in item.layout.turns]
    if item.layout.result is not None:
        spans.append(item.layout.result)
    lines = [_symbol(text, part.within(span)) for span in sorted(spans, key=lambda span: span.start)]
    tag = item.layout.tags.get("Event") or item.layout.tags.get("Players")
    name = _line(text, part.within(tag)).partition('"')[2].rpartition('"')[0].strip() if tag else ""
    return _symbol(text, whole, name, lines)


def _symbol(text: Text, span: Span, name: str = "", lines: Sequence[types.DocumentSymbol] = ()) -> types.DocumentSymbol:
    """A stretch and the `lines` in it; without a name that is its first line."""
    place = text.range(span)
    kind = types.SymbolKind.File if lines else types.SymbolKind.Event
    top = types.Range(place.start, place.start)
    return types.DocumentSymbol(name or _line(text, span), kind, place, top, children=lines)


def _line(text: Text, span: Span) -> str:
    """The first line of a stretch that is not blank."""
    return text.text[span.start : span.end].strip().partition("\n")[0].strip()


# What an editor offers to change: each slip that can be mended, all of them, the canonical form.

KINDS = (types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll)
"""The kinds of actions that there are."""


def kinds_of(wanted: Iterable[types.CodeActionKind | str]) -> list[types.CodeActionKind]:
    """The kinds that are asked for; a kind is a path of words with dots and takes in those below it."""
    paths = [str(getattr(kind, "value", kind)) for kind in wanted]
    return [kind for kind in KINDS if any(f"{kind.value}.".startswith(f"{path}." if path else "") for path in paths)]


def actions(at: "Open", asked: types.CodeActionParams, language: str) -> Iterator[types.CodeAction]:
    """The actions of the kinds that are asked for, quick fixes if none is named, with titles in a language.

    All slips together are mended as `couperation fix` does, whatever the range. Cost: see `notation.read`.
    """
    kinds = kinds_of(asked.context.only or [types.CodeActionKind.QuickFix])
    if types.CodeActionKind.QuickFix in kinds:
        yield from _slips(at.document, at.text, asked, language)
    if kinds:
        for what, edits in ((fact("editor_format"), format_edits(at)), *_mends(at.document, at.text)):
            title = say(what, language)
            yield from (_action(title, kind, asked.text_document.uri, edits) for kind in kinds if edits)


def _action(title: str, kind: types.CodeActionKind, uri: str, edits: list[types.TextEdit]) -> types.CodeAction:
    return types.CodeAction(title, kind=kind, edit=types.WorkspaceEdit(changes={uri: edits}))


def _slips(document: Document, text: Text, asked: types.CodeActionParams, language: str) -> Iterator[types.CodeAction]:
    """An action for each slip that meets the range, with what the editor knows of it."""
    for part in document.parts:
        for span, slip in document.findings(part, {}):
            place = text.range(span)
            if slip.edit is None or place.start > asked.range.end or asked.range.start > place.end:
                continue
            change = types.TextEdit(text.range(part.within(slip.edit.span)), slip.edit.replacement)
            title, uri = say(_title(slip.edit.replacement), language), asked.text_document.uri
            action = _action(title, types.CodeActionKind.QuickFix, uri, [change])
            known = [each for each in asked.context.diagnostics if each.range == place and each.code == slip.code]
            action.diagnostics, action.is_preferred = known or None, True
            yield action


def _title(replacement: str) -> Fact:
    if not replacement.strip():
        return fact("editor_blank" if replacement else "editor_delete")
    return fact("editor_write", text=parse.shorten(" ".join(replacement.split())))


def _mends(document: Document, text: Text) -> Iterator[tuple[Fact, list[types.TextEdit]]]:
    """The edits that mend the games with slips, and what they come to."""
    mends = [(part, mended) for part in document.parts if (mended := read.mend(part.item)) is not None]
    if mends:
        edits = [types.TextEdit(text.range(part.within(Span(0, len(part.text)))), each.after) for part, each in mends]
        yield fact("editor_mend", slips=sum(len(each.faults) for _, each in mends)), edits


# The messages in what an editor sends, whatever that is.
#
# A message is header lines, one of them `Content-Length`, an empty line, and so many bytes of a JSON object. A header
# that is wrong or asks for too much, a body that is shorter or longer than promised, and bytes that are neither cost
# the message that they belong to: reading goes on with the next header, and ends where so much comes that is no
# message. A header can be told from the inside of a body, since no string of JSON holds a line end.

MOST = 1 << 26
"""So many bytes a message may have."""

_MOST_HEADER = 1 << 12
_AT_ONCE = 1 << 16
_BLOCK = re.compile(rb"(?:[\w-]+:[^\r\n]*\r\n)+\r\n")
_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*([^\r\n]*?)[ \t]*\r$")
_HEADER = re.compile(rb"(?i)content-length: *\d{1,9} *\r\n")
_LONGEST = 64
"""No header that is looked for has more bytes."""


class Quiet:
    """A stream that drops what nobody reads any more: the editor is gone, and the end of its stream will tell."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        """Write, if somebody reads."""
        with suppress(OSError):
            self._stream.write(data)

    def flush(self) -> None:
        """Send what was written."""
        with suppress(OSError):
            self._stream.flush()

    def close(self) -> None:
        """Close the stream."""
        with suppress(OSError):
            self._stream.close()


class Messages:
    """The messages of a stream, as pygls reads them: two lines and a body for each. `fault` is told of each one lost.

    Memory is bounded by `MOST`. A stream ends, `endless`, where twice as many bytes came since the last message.
    """

    def __init__(self, stream: BufferedReader, fault: Callable[[Fact], object]) -> None:
        self._stream, self._fault = stream, fault
        self._data = bytearray()
        self._body = b""
        self._lines: list[bytes] = []
        self._unread, self.endless = 0, False

    def readline(self) -> bytes:
        """The next line of a header; nothing at the end of the stream."""
        if not self._lines:
            try:
                self._body = self._next()
            except EOFError:
                return b""
            self._unread = 0
            self._lines = [b"Content-Length: %d\r\n" % len(self._body), b"\r\n"]
        return self._lines.pop(0)

    def read(self, _length: int) -> bytes:
        """The body of the header read last."""
        return self._body

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()

    def _fill(self) -> None:
        """Wait for more. Raises `EOFError` at the end of the stream."""
        self.endless = self._unread > 2 * MOST
        part = b""
        if not self.endless:
            with suppress(OSError, ValueError):
                part = self._stream.read1(_AT_ONCE)
        if not part:
            raise EOFError
        self._data += part
        self._unread += len(part)

    def _next(self) -> bytes:
        """The next body that may be one."""
        while True:
            try:
                return self._take(self._length())
            except Told as wrong:
                self._fault(wrong.what)
            self._unread += _AT_ONCE  # telling it costs as much
            self._skip()

    def _length(self) -> int:
        """Take a header: the length that it gives. Raises `Told` where something is wrong with it."""
        while True:
            self._data = self._data.lstrip()
            end = self._data.find(b"\r\n\r\n", 0, _MOST_HEADER) + 4
            if end >= 4 or len(self._data) >= _MOST_HEADER:
                break
            self._fill()
        if _BLOCK.fullmatch(self._data, 0, end) is None:
            del self._data[:1]
            raise Told("sent_junk")
        lengths = set(_LENGTH.findall(self._data, 0, end))
        del self._data[:end]
        if len(lengths) != 1:
            raise Told("sent_lengths" if lengths else "sent_lengthless")
        (text,) = lengths
        if re.fullmatch(rb"[0-9]{1,9}", text) is None or not 0 < int(text) <= MOST:
            raise Told("sent_length", most=MOST)
        return int(text)

    def _take(self, length: int) -> bytes:
        """Take a body of this length. Raises `Told` where something is wrong with it."""
        looked = 0
        while True:
            header = _HEADER.search(self._data, looked)
            if header is not None and header.start() < length:
                del self._data[: header.start()]
                raise Told("sent_short")
            if len(self._data) >= length:
                break
            looked = max(0, len(self._data) - _LONGEST)
            self._fill()
        body = bytes(self._data[:length])
        if not body.rstrip().endswith(b"}"):
            raise Told("sent_long")
        del self._data[:length]
        if not _named(body):
            raise Told("sent_id")
        return body

    def _skip(self) -> None:
        """Drop all up to the next header that may be one."""
        while (header := _HEADER.search(self._data)) is None:
            del self._data[:-_LONGEST]
            self._fill()
        del self._data[: header.start()]


def _named(body: bytes) -> bool:
    """Whether the id of a message, if it has one, is a number or a text. What is no JSON is for the reader to tell."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return True
    return not isinstance(message, dict) or isinstance(message.get("id"), int | str | None)


# The language server over standard input and output, on pygls. This module and those it feeds need the extra `lsp`.

_PAUSE = 0.02
"""Seconds without a keystroke after which a text is checked."""

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


class Open:
    """An open document: its text, what was read of it, the exact verdicts, and the work under way."""

    def __init__(self) -> None:
        self.version: int | None = None
        self.text = Text("")
        self._document = Document("")
        self._stale = False
        self.chosen = UNCHOSEN
        self.exact: dict[str, tuple[Diagnostic, ...]] = {}
        self.page: Page | None = None
        self.checking: asyncio.Task[None] | None = None
        self.deciding: asyncio.Task[None] | None = None

    def stop(self) -> None:
        """End the work under way."""
        for task in (self.checking, self.deciding):
            if task is not None:
                task.cancel()

    def take(self, text: Text, version: int | None, chosen: Chosen = UNCHOSEN) -> None:
        """Take a new text; it is read when it is asked for."""
        self.version, self.text, self._stale = version, text, True
        if chosen != self.chosen:
            self.chosen, self.exact = chosen, {}

    @property
    def document(self) -> Document:
        """The text as games. Exact verdicts are kept for the games that stay as they were."""
        if self._stale:
            self._document, self._stale = Document(self.text.text, self._document, self.chosen), False
            texts = {part.text for part in self._document.parts}
            self.exact = {game: verdict for game, verdict in self.exact.items() if game in texts}
        return self._document


class Server(LanguageServer):
    """The server, which speaks the editor's `language`. Verdicts of the plain engine follow every change after
    `_PAUSE`; the exact engine runs in a process of its own after opening and saving, one document at a time.
    """

    def __init__(self) -> None:
        super().__init__("couperation", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.open: dict[str, Open] = {}
        self.language = ENGLISH
        self._solver = asyncio.Semaphore(1)
        self._told = ""

    def update(self, uri: str) -> None:
        """Take a document that has come or changed and check it soon."""
        document = self.workspace.get_text_document(uri)
        at = self.open.setdefault(uri, Open())
        at.stop()
        encoding = self.workspace.position_encoding
        text = Text(document.source, str(getattr(encoding, "value", encoding or "utf-16")))
        path, start = Path(document.path), asyncio.get_running_loop().create_task
        if document.language_id == "markdown":
            at.version, at.text = document.version, text
            at.checking = start(self._read(uri, at, path))
        else:
            at.take(text, document.version, self._chosen(path))
            at.checking = start(self._check(uri, at))

    def _chosen(self, path: Path) -> Chosen:
        """The workspace's configuration for a document; none where it is not usable, which is told once."""
        roots = [Path(to_fs_path(each.uri) or "") for each in self.workspace.folders.values()]
        if not roots and self.workspace.root_path:
            roots = [Path(self.workspace.root_path)]
        try:
            chosen, wrong = chosen_for(path, roots), ""
        except (TomlError, OSError) as error:
            chosen, wrong = UNCHOSEN, say(why_of(error), self.language)
        if wrong and wrong != self._told:
            self._log("editor_configuration", wrong=wrong)
        self._told = wrong
        return chosen

    def at(self, asked: Any) -> Open:
        """The document that is asked about; an empty one where it is not open."""
        return self.open.get(asked.text_document.uri) or Open()

    def close(self, uri: str) -> None:
        """Forget a document and take its diagnostics back."""
        at = self.open.pop(uri, None)
        if at is not None:
            at.stop()
            self._publish(uri, None, [])

    def decide(self, uri: str) -> None:
        """Let the exact engine decide what the plain one leaves open, after the check under way."""
        at = self.open.get(uri)
        if at is not None:
            if at.deciding is not None:
                at.deciding.cancel()
            at.deciding = asyncio.get_running_loop().create_task(self._decide(uri, at))

    async def _check(self, uri: str, at: Open) -> None:
        await asyncio.sleep(_PAUSE)
        for part in at.document.parts:
            at.document.report(part)
            await asyncio.sleep(0)
        self._show(uri, at)

    async def _read(self, uri: str, at: Open, path: Path) -> None:
        """Read a page with formulas."""
        await asyncio.sleep(_PAUSE)
        page = at.page = await asyncio.to_thread(Page, path, at.text.text)
        error = types.DiagnosticSeverity.Error
        shown = [types.Diagnostic(at.text.range(span), told, error, source="couperation") for span, told in page.faults]
        self._publish(uri, at.version, shown)

    async def _decide(self, uri: str, at: Open) -> None:
        if at.checking is not None:
            await at.checking
        async with self._solver:
            open_games = [text for text in at.document.doubtful() if text not in at.exact]
            if open_games:
                at.exact |= await decide(list(dict.fromkeys(open_games)), at.chosen.file)
                self._show(uri, at)

    def _show(self, uri: str, at: Open) -> None:
        shown = []
        for part in at.document.parts:
            findings = at.document.findings(part, at.exact)
            shown += [_diagnostic(each, findings, uri, at.text, self.language) for each in findings]
        self._publish(uri, at.version, shown)

    def _publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def start(self, stdin: BufferedReader, stdout: BinaryIO) -> bool:
        """Serve until the editor says so or `stdin` ends; whether it ended, and not in what is no message."""
        messages = Messages(stdin, self._lost)
        self.start_io(cast("BinaryIO", messages), cast("BinaryIO", Quiet(stdout)))
        return not messages.endless

    def _lost(self, what: Fact) -> None:
        self._log("editor_sent", what=what)

    def _log(self, kind: str, **values: Datum) -> None:
        message = say(fact(kind, **values), self.language)
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A failure of ours or a message that is none, told in the editor's log without a traceback."""
        if source is JsonRpcException:
            self._lost(fact("sent_unread"))
            return
        source = str(getattr(source, "__name__", source))
        self._log("editor_failed", source=source, error=type(error).__name__)


def _diagnostic(each: Finding, findings: list[Finding], uri: str, text: Text, language: str) -> types.Diagnostic:
    """A finding as the protocol has it: beside an error stand its notes, beside a note the error."""
    diagnostic = each.found
    wanted = {"error": "note", "note": "error"}.get(diagnostic.severity)
    others = [other for other in findings if other.found.severity == wanted]
    places = [types.Location(uri, text.range(other.span)) for other in others]
    said = [told(fact("told_of", what=(other.found.code,), said=other.found.what), language) for other in others]
    return types.Diagnostic(
        range=text.range(each.span),
        message=told(diagnostic.what, language) + say(report.hanging(diagnostic), language),
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        code_description=types.CodeDescription(clause_uri(diagnostic.code)),
        source="couperation",
        related_information=list(map(types.DiagnosticRelatedInformation, places, said)) or None,
    )


@lru_cache(maxsize=64)
def clause_uri(code: str) -> str:
    """Where the specification states a clause, as the URI of its file and line; for `NOTATION` its page."""
    if code == NOTATION:
        return (spec_folder() / "notation.md").as_uri()
    for path in sorted((spec_folder() / "clauses").glob("*.md")):
        heading = re.search(rf"^## {re.escape(code)} ", spec_text(f"clauses/{path.name}"), re.MULTILINE)
        if heading is not None:
            return f"{path.as_uri()}#L{heading.string.count(chr(10), 0, heading.start()) + 1}"
    return (spec_folder() / "README.md").as_uri()


def format_edits(at: Open) -> list[types.TextEdit]:
    """The edit that writes the document in canonical form; none where it is or where a game is no CGN."""
    written = canonical(at.text.text.encode())
    if not isinstance(written, bytes) or written.decode() == at.text.text:
        return []
    return [types.TextEdit(at.text.range(Span(0, len(at.text.text))), written.decode())]


def make_server(language: Callable[[str], str] = lambda locale: language_of([locale]) or ENGLISH) -> Server:
    """A server with its features registered, not yet listening, with the `language` for the editor's locale."""
    server = Server()

    @server.feature(types.INITIALIZE)
    def begun(params: types.InitializeParams) -> None:
        server.language = language(params.locale or "")

    def follow(feature: str, *acts: Callable[[str], None]) -> None:
        @server.feature(feature)
        def act(params: Any) -> None:
            for each in acts:
                each(params.text_document.uri)

    follow(types.TEXT_DOCUMENT_DID_OPEN, server.update, server.decide)
    follow(types.TEXT_DOCUMENT_DID_CHANGE, server.update)
    follow(types.TEXT_DOCUMENT_DID_SAVE, server.decide)
    follow(types.TEXT_DOCUMENT_DID_CLOSE, server.close)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        at = server.open.get(params.text_document.uri)
        if at is None:
            return None
        offset = at.text.offset(params.position)
        shown = hover(at.document, offset, at.exact, server.language) if at.page is None else at.page.hover(offset)
        if shown is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, shown[1]), at.text.range(shown[0]))

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["@", '"', "=", " "]))
    def completed(params: types.CompletionParams) -> list[types.CompletionItem]:
        at = server.at(params)
        offset = at.text.offset(params.position)
        return [
            types.CompletionItem(
                label=each.word,
                kind=each.kind,
                detail=say(each.detail, server.language),
                sort_text=f"{not each.likely:d}{place:03}",
                text_edit=types.TextEdit(at.text.range(Span(offset - each.typed, offset)), each.word),
            )
            for place, each in enumerate(complete(at.document, offset))
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        at = server.at(params)
        return [] if at.page is not None else outline(at.document, at.text)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        return format_edits(server.at(params))

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=list(KINDS)))
    def fixes(params: types.CodeActionParams) -> list[types.CodeAction]:
        at = server.at(params)
        return [] if at.page is not None else list(actions(at, params, server.language))

    return server
