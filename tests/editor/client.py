"""A real client for the server under test: the protocol over the pipes of a subprocess, on pygls's own client."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.kit.started import Forked, begun

URI = "file:///table/thursday.cgn"
WAIT = 30.0


class Editor:
    """One open document in an editor."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self.uri = URI
        self.version = 0
        self.log: list[str] = []
        self._news: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        # pygls tells no type of these
        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self._news.put_nowait(params)

        @self.client.feature(types.WINDOW_LOG_MESSAGE)  # type: ignore[untyped-decorator]  # pygls tells no type
        def logged(params: types.LogMessageParams) -> None:
            self.log.append(params.message)

    async def start(
        self,
        encodings: list[types.PositionEncodingKind] | None = None,
        *command: str,
        root: Path | None = None,
        locale: str | None = None,
        **process: Any,
    ) -> types.InitializeResult:
        """Start the server, as `command` says, or with settings of its process, in the workspace `root`; else it is
        forked. The editor speaks the language of `locale`.
        """

        async def forked(*_: str, **__: Any) -> Forked:
            return await begun(["lsp"])

        if command or process:
            await self.client.start_io(*(command or (sys.executable, "-m", "couperation_formal", "lsp")), **process)
        else:
            with patch.object(asyncio, "create_subprocess_exec", forked):
                await self.client.start_io("lsp")
        general = types.GeneralClientCapabilities(position_encodings=encodings) if encodings else None
        capabilities = types.ClientCapabilities(general=general)
        uri = None if root is None else root.as_uri()
        params = types.InitializeParams(capabilities, process_id=None, root_uri=uri, locale=locale)
        found = await asyncio.wait_for(self.client.initialize_async(params), WAIT)
        self.client.initialized(types.InitializedParams())
        return found

    async def open(self, text: str, uri: str = URI, language: str = "cgn") -> list[types.Diagnostic]:
        self.uri = uri
        item = types.TextDocumentItem(uri, language, 0, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.diagnostics()

    def change(self, text: str) -> None:
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        whole = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, whole))

    async def type(self, text: str) -> list[types.Diagnostic]:
        self.change(text)
        return await self.diagnostics()

    def save(self) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.name))

    async def diagnostics(self) -> list[types.Diagnostic]:
        """The next diagnostics of the version sent last."""
        while True:
            news = await asyncio.wait_for(self._news.get(), WAIT)
            if news.version in (None, self.version):
                return list(news.diagnostics)

    @property
    def name(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    async def hover(self, line: int, character: int) -> types.Hover | None:
        params = types.HoverParams(self.name, types.Position(line, character))
        return await asyncio.wait_for(self.client.text_document_hover_async(params), WAIT)

    async def complete(self, line: int, character: int) -> list[types.CompletionItem]:
        params = types.CompletionParams(self.name, types.Position(line, character))
        found: Any = await asyncio.wait_for(self.client.text_document_completion_async(params), WAIT)
        return sorted(found, key=lambda item: item.sort_text)

    async def fixes(
        self, only: list[str] | None = None, at: types.Range | None = None, known: list[types.Diagnostic] | None = None
    ) -> list[types.CodeAction]:
        where = at or types.Range(types.Position(0, 0), types.Position(0, 0))
        params = types.CodeActionParams(self.name, where, types.CodeActionContext(known or [], only=only))
        found: Any = await asyncio.wait_for(self.client.text_document_code_action_async(params), WAIT)
        return list(found)

    async def outline(self) -> list[types.DocumentSymbol]:
        params = types.DocumentSymbolParams(self.name)
        found: Any = await asyncio.wait_for(self.client.text_document_document_symbol_async(params), WAIT)
        return list(found)

    async def format(self) -> list[types.TextEdit]:
        params = types.DocumentFormattingParams(self.name, types.FormattingOptions(4, True))
        found: Any = await asyncio.wait_for(self.client.text_document_formatting_async(params), WAIT)
        return list(found)

    def kill(self) -> None:
        """End the server where it has not ended."""
        server = self.client._server
        if server is not None and server.returncode is None:
            server.kill()

    async def stop(self) -> int | None:
        """Shut the server down as the protocol has it; its exit code."""
        await asyncio.wait_for(self.client.shutdown_async(None), WAIT)
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        code = await asyncio.wait_for(server.wait(), WAIT)
        await self.client.stop()  # type: ignore[no-untyped-call]  # pygls tells no type
        return code
