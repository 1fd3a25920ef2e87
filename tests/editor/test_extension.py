"""The extension for VS Code finds the server or tells how to get it: run by Node, with an editor that is made up."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import couperation_formal
from couperation_formal.output.formats import HOME

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "editors" / "vscode"
PROGRAM = Path(sys.executable).parent / "couperation"
PACKAGE: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))

pytestmark = pytest.mark.skipif(
    not shutil.which("node") or sys.platform == "win32", reason="needs node and a POSIX shell"
)

EDITOR = """
const Module = require("module");
const { server, choice, changed } = JSON.parse(process.argv[2]);
const told = { started: [], stopped: 0, messages: [], opened: [], settings: [] };
let settings = server, listener;
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: () => settings }),
    onDidChangeConfiguration: (each) => { listener = each; return { dispose() {} }; },
  },
  window: { showErrorMessage: async (text, ...choices) => { told.messages.push([text, choices]); return choice; } },
  env: { openExternal: (uri) => told.opened.push(uri) },
  Uri: { parse: (text) => text },
  commands: { executeCommand: (...words) => told.settings.push(words) },
};
class LanguageClient {
  constructor(id, name, server, options) { this.server = server; }
  async start() { told.started.push(this.server); }
  async stop() { told.stopped += 1; }
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
(async () => {
  const extension = require(process.argv[3]);
  await extension.activate({ extensionPath: require("path").dirname(process.argv[3]), subscriptions: [] });
  if (changed) { settings = changed; await listener({ affectsConfiguration: (name) => name === "cgn.server" }); }
  await new Promise((done) => setTimeout(done, 10));
  await extension.deactivate();
  console.log(JSON.stringify(told));
})();
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A home without programs, and a folder that is open in the editor, with one that must not be started."""
    (tmp_path / "editor.js").write_text(EDITOR, encoding="utf-8")
    (tmp_path / "open").mkdir()
    program(tmp_path / "open" / "couperation", "touch ../started")
    return tmp_path


def program(file: Path, does: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def activated(folder: Path, path: str = "", **words: object) -> Any:
    node = shutil.which("node")
    assert node
    ran = subprocess.run(
        [
            node,
            str(folder / "editor.js"),
            json.dumps({"server": ["couperation", "lsp"], **words}),
            str(FOLDER / "extension.js"),
        ],
        cwd=folder / "open",
        env={"HOME": str(folder), "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert not (folder / "started").exists()
    return json.loads(ran.stdout)


@pytest.mark.slow
def test_the_server_is_found_and_started(folder: Path) -> None:
    told = activated(folder, f".:{PROGRAM.parent}:{os.environ['PATH']}")
    assert told["messages"] == []
    (started,) = told["started"]
    assert (started["command"], started["args"]) == (str(PROGRAM), ["lsp"])
    assert started["options"]["cwd"] == str(FOLDER)
    assert told["stopped"] == 1


def test_where_pipx_and_uv_put_it_it_is_found_too(folder: Path) -> None:
    there = program(folder / ".local" / "bin" / "couperation", "exit 0")
    assert [each["command"] for each in activated(folder)["started"]] == [str(there)]


@pytest.mark.parametrize("server", [["couperation", "lsp"], ["./couperation", "lsp"], ["/nowhere/couperation", "lsp"]])
def test_a_server_that_is_not_found_is_told_with_the_way_to_get_it(folder: Path, server: list[str]) -> None:
    told = activated(folder, ".", server=server, choice="How to install")
    assert told["started"] == []
    ((text, choices),) = told["messages"]
    assert text == f"CGN: the program {server[0]} was not found. Colours need no server."
    assert choices == ["How to install", "Name the program"]
    assert told["opened"] == [f"{HOME}/blob/main/docs/howto/editors.md"]


def test_a_server_that_does_not_start_is_told_with_its_words(folder: Path) -> None:
    words = "error: the language server needs pygls"
    broken = program(folder / "couperation", f"echo {words} >&2; exit 2")
    told = activated(folder, server=[str(broken), "lsp"], choice="Name the program")
    assert told["started"] == []
    assert told["messages"][0][0] == f"CGN: {broken} does not start: {words}. Colours need no server."
    assert told["settings"] == [["workbench.action.openSettings", "cgn.server"]]


def test_another_program_named_is_started_at_once(folder: Path) -> None:
    other = program(folder / "other", "exit 0")
    told = activated(folder, changed=[str(other), "lsp"])
    assert [each["command"] for each in told["started"]] == [str(other)]
    assert len(told["messages"]) == 1


def test_versions_are_exact() -> None:
    assert PACKAGE["version"] == couperation_formal.__version__
    assert PACKAGE["repository"]["url"] == f"{HOME}.git"
    wanted = PACKAGE["dependencies"] | PACKAGE["devDependencies"]
    assert all(version[0].isdigit() for version in wanted.values())
    locked = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in each for name, each in locked.items() if name)
    assert PACKAGE["main"] in PACKAGE["scripts"]["vscode:prepublish"].replace("=dist", "=./dist")
