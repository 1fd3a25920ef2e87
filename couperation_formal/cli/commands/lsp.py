"""`couperation lsp`: the language server for editors."""

from __future__ import annotations

import logging
import os
import sys
from importlib.util import find_spec

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.output import Refused
from couperation_formal.cli.run import Run
from couperation_formal.words.say import phrase


@click.command(cls=Command, examples=("couperation lsp",), configured=False, makes=False)
def command(_run: Run) -> None:
    """Serve an editor: the Language Server Protocol over standard input and output.

    Needs the extra lsp.
    """
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise Refused(phrase("needs_pygls"))
    if os.environ.get("COUPERATION_DEBUG") != "1":
        logging.getLogger("pygls").addHandler(logging.NullHandler())
        logging.getLogger("pygls").propagate = False
    from couperation_formal.editor.server import make_server

    if sys.stdin is None or sys.stdout is None:  # closed by the caller; the types do not tell
        raise Refused(phrase("stream_closed"))
    # The protocol gets descriptors of its own, which the server closes; what else is printed must not mix with it.
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno(), 1)
    if not make_server().start(stdin, stdout):
        raise Refused(phrase("editor_endless"))
