"""How many lines of code there are, room by room: not blank, no comments, no docstrings.

Counted are .py, .js, .lark and .j2 of the package and the checker, in the working tree or at a commit; formulas in
spec/ are told apart. ``python -m bench.size [COMMIT [COMMIT]]`` compares two commits, or one with the tree.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COUNTED = (".py", ".js", ".lark", ".j2")
_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_REMARKS = {
    ".js": re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE),
    ".j2": re.compile(r"\{#.*?#\}|<!--.*?-->", re.DOTALL),
    ".lark": re.compile(r"^\s*//[^\n]*", re.MULTILINE),
}
_FENCE = re.compile(r"^```formula *\n(.*?)^``` *$", re.MULTILINE | re.DOTALL)


def lines_of(name: str, text: str) -> int:
    """The lines of code of a file."""
    suffix = Path(name).suffix
    if suffix == ".py":
        return len(_python(text))
    return sum(bool(line.strip()) for line in _REMARKS[suffix].sub("", text).splitlines())


def _python(text: str) -> set[int]:
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _LAYOUT:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for part in body if isinstance(body, list) else ():
            if (
                isinstance(part, ast.Expr)
                and isinstance(part.value, ast.Constant)
                and isinstance(part.value.value, str)
            ):
                code.difference_update(range(part.lineno, (part.end_lineno or part.lineno) + 1))
    return code


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


def counted(commit: str | None) -> Counter[str]:
    """The lines of each room, and of the formulas."""
    found: Counter[str] = Counter()
    for name, text in files(commit):
        if name.endswith(".md"):
            found["formulas in spec/"] += formula_lines(text) if name.startswith("spec/") else 0
        elif not name.startswith("spec/"):
            parts = name.split("/")
            found[parts[1] if len(parts) > 2 else "the package itself"] += lines_of(name, text)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commits", nargs="*", help="one or two commits; the working tree stands for a second one")
    chosen = parser.parse_args().commits
    before = counted(chosen[0]) if chosen else None
    after = counted(chosen[1] if len(chosen) > 1 else None)
    rooms = sorted({*(before or ()), *after} - {"formulas in spec/"})
    for each in (before, after):
        if each is not None:
            each["all code"] = sum(each[room] for room in rooms)
    for room in (*rooms, "formulas in spec/", "all code"):
        told = f"{after[room]:8,}"
        if before is not None:
            told = f"{before[room]:8,}{told}{after[room] - before[room]:+8,}"
        print(f"{room:24}{told}")


if __name__ == "__main__":
    main()
