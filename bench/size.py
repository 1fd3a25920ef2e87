"""How much code there is, room by room, and through how much of it a command leads.

Lines are those of .py, .js, .lark and .j2 of the package and the checker that are not blank and hold more than comments
and docstrings. Of Python there are tokens, statements, the lines of imports, and modules beside. Style sheets, the
formulas in spec/, and words (the catalogs and other data) stand in rows of their own and are no part of all code.
``python -m bench.size [COMMIT [COMMIT]]`` compares two commits, or one with the tree. ``python -m bench.size --walk
check FILE`` instead runs the command: through how many modules it goes, how often from one to another, and which it
imports without running a function of theirs.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("couperation_formal", "couperation_checker")
COUNTED = (".py", ".pyi", ".js", ".lark", ".j2", ".css", ".json")
STYLE, FORMULAS, WORDS, ALL = "style sheets", "formulas in spec/", "words and data", "all code"
SPEAKING = ("say.py", "text.py", "__init__.py")
"""What is no data of the room words."""

_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_REMARKS = {
    ".js": re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE),
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
    ".j2": re.compile(r"\{#.*?#\}|<!--.*?-->", re.DOTALL),
    ".lark": re.compile(r"^\s*//[^\n]*", re.MULTILINE),
}
_FENCE = re.compile(r"^```formula *\n(.*?)^``` *$", re.MULTILINE | re.DOTALL)


class Size(NamedTuple):
    """Lines of code; of Python its tokens, statements, lines of imports and modules beside."""

    lines: int
    tokens: int = 0
    statements: int = 0
    imports: int = 0
    modules: int = 0

    def plus(self, other: Size) -> Size:
        """Both together."""
        return Size(*map(sum, zip(self, other, strict=True)))


def size_of(name: str, text: str) -> Size:
    """The size of a file."""
    suffix = Path(name).suffix
    if suffix in (".py", ".pyi"):
        return _python(text)
    remarks = _REMARKS.get(suffix)
    return Size(sum(bool(line.strip()) for line in (remarks.sub("", text) if remarks else text).splitlines()))


def _python(text: str) -> Size:
    nodes = list(ast.walk(ast.parse(text)))
    remarks = {line for node in nodes if _is_text(node) for line in _lines(node)}
    read = tokenize.generate_tokens(io.StringIO(text).readline)
    tokens = [token for token in read if token.type not in _LAYOUT and token.start[0] not in remarks]
    code = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    statements = sum(isinstance(node, ast.stmt) and not _is_text(node) for node in nodes)
    imports = {line for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for line in _lines(node)}
    return Size(len(code), len(tokens), statements, len(imports), 1)


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is a docstring, or a string that stands where one does."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _lines(node: ast.AST) -> range:
    assert isinstance(node, ast.stmt)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def formula_lines(text: str) -> int:
    """The lines of the formulas on a page."""
    written = (line.split("--")[0].strip() for found in _FENCE.findall(text) for line in found.splitlines())
    return sum(map(bool, written))


def files(commit: str | None) -> Iterator[tuple[str, str]]:
    """The names and texts of the files of the tree, or of a commit."""
    listed = ["git", "ls-files"] if commit is None else ["git", "ls-tree", "-r", "--name-only", commit]
    for name in _run(listed).splitlines():
        if name.startswith(("couperation_formal/", "checker/", "spec/")) and name.endswith((*COUNTED, ".md")):
            if commit is not None:
                yield name, _run(["git", "show", f"{commit}:{name}"])
            elif (ROOT / name).exists():
                yield name, (ROOT / name).read_text(encoding="utf-8")


def _run(command: list[str]) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def counted(commit: str | None) -> dict[str, Size]:
    """The size of each room, of what is no room, and of all code."""
    found: dict[str, Size] = defaultdict(lambda: Size(0))
    for name, text in files(commit):
        parts = name.split("/")
        if name.endswith(".md"):
            found[FORMULAS] = found[FORMULAS].plus(Size(formula_lines(text) if name.startswith("spec/") else 0))
        elif not name.startswith("spec/"):
            room = parts[1] if len(parts) > 2 else "the package itself"
            data = name.endswith(".json") or (room == "words" and parts[-1] not in SPEAKING)
            row = STYLE if name.endswith(".css") else WORDS if data else room
            found[row] = found[row].plus(size_of(name, text))
            if row == room:
                found[ALL] = found[ALL].plus(size_of(name, text))
    return found


class Walk(NamedTuple):
    """The modules in which a function ran, how often one called one of another, and the modules that were imported."""

    modules: frozenset[str]
    moves: int
    imported: frozenset[str]


def walk(arguments: list[str]) -> Walk:
    """Run a command in this process, which has imported nothing of the package yet."""
    ran, moves, importing = set[str](), 0, 0

    def module(frame: FrameType | None) -> str | None:
        name = None if frame is None else frame.f_globals.get("__name__")
        return name if isinstance(name, str) and name.startswith(PACKAGES) else None

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal moves, importing
        if frame.f_code.co_name == "<module>":
            importing += {"call": 1, "return": -1}.get(event, 0)
        here = module(frame) if event == "call" and not importing else None
        if here is not None:
            ran.add(here)
            moves += module(frame.f_back) not in (None, here)

    from couperation_formal.cli.main import main as command

    with Path(os.devnull).open("w", encoding="utf-8") as nothing, redirect_stdout(nothing):
        sys.setprofile(called)
        try:
            command(arguments)
        finally:
            sys.setprofile(None)
    return Walk(frozenset(ran), moves, frozenset(name for name in sys.modules if name.startswith(PACKAGES)))


def show_walk(arguments: list[str]) -> None:
    """Print the walk of a command."""
    found = walk(arguments)
    print(f"{' '.join(arguments)}: {len(found.modules)} modules, {found.moves:,} moves between them")
    idle = Counter(name.split(".")[1] for name in found.imported - found.modules if "." in name)
    print(f"imported and not run: {', '.join(f'{room} {count}' for room, count in sorted(idle.items()))}")


def show_size(commits: list[str]) -> None:
    """Print the sizes of the tree, or of a commit beside another."""
    before = counted(commits[0]) if commits else None
    after = counted(commits[1] if len(commits) > 1 else None)
    rows = (STYLE, FORMULAS, WORDS, ALL)
    rooms = sorted({*(before or ()), *after} - {*rows})
    print(" " * 22 + "".join(f"{name:>{11 if before is None else 19}}" for name in Size._fields))
    for room in (*rooms, *rows):
        told = [f"{each:11,}" for each in after[room]]
        if before is not None:
            told = [f"{each:10,} {each - old:+8,}" for each, old in zip(after[room], before[room], strict=True)]
        print(f"{room:22}{''.join(told)}")
    whole = after[ALL]
    print(f"{len(rooms)} rooms; {whole.imports / whole.lines:.1%} of all lines are imports")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commits", nargs="*", help="one or two commits; the working tree stands for a second one")
    parser.add_argument("--walk", nargs=argparse.REMAINDER, metavar="COMMAND", help="run this command instead")
    chosen = parser.parse_args()
    if chosen.walk:
        show_walk(chosen.walk)
    else:
        show_size(chosen.commits)


if __name__ == "__main__":
    main()
