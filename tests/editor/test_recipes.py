"""The recipes for Vim and Emacs, run as they stand in the documentation, where the editors are installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "howto" / "editors.md").read_text(encoding="utf-8")
FOUND = "22 on e2 cannot lie between 18 on e1 and 21 on f1: 22 is not below 21"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="paths as on POSIX")]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "examples" / "broken" / "between.cgn", tmp_path)
    return tmp_path


def run(home: Path, *command: str) -> str:
    """What the editor prints, started in a home of its own, with this environment's programs first on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {"HOME": str(home), "PATH": path, "TERM": "xterm", "LANG": "C.UTF-8"}
    ran = subprocess.run(
        command, cwd=home, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60, text=True, check=False
    )
    return ran.stdout


def test_vim_with_ale(home: Path) -> None:
    vim = shutil.which("vim")
    if not vim or not Path("/usr/share/vim-ale").is_dir():  # where Debian's package puts it
        pytest.skip("no Vim with ALE here")
    recipe = re.findall(r"In `~/(\S+)`:\n\n```vim\n(.*?)```", PAGE, re.DOTALL)
    assert len(recipe) == 2
    for name, text in recipe:
        (home / name).parent.mkdir(parents=True)
        (home / name).write_text(text, encoding="utf-8")
    (home / ".vimrc").write_text("set nocompatible\nfiletype plugin on\npackadd! ale\n", encoding="utf-8")
    wait = "for s:n in range(100) | if len(getloclist(0)) | break | endif | sleep 100m | endfor"
    (home / "drive.vim").write_text(
        f"{wait}\ncall writefile([json_encode(getloclist(0))], 'found.json')\nqa!\n", encoding="utf-8"
    )
    run(home, vim, "--not-a-term", "-n", "between.cgn", "-S", "drive.vim")
    (found,) = json.loads((home / "found.json").read_text(encoding="utf-8"))
    assert (found["lnum"], found["col"], found["text"]) == (19, 13, f"TOW02: {FOUND}")


def test_emacs_with_eglot(home: Path) -> None:
    emacs = shutil.which("emacs")
    if not emacs or "no eglot" in run(
        home, emacs, "--batch", "-f", "package-initialize", "--eval", '(unless (fboundp \'eglot) (princ "no eglot"))'
    ):
        pytest.skip("no Emacs with eglot here")
    (recipe,) = re.findall(r"```elisp\n(.*?)```", PAGE, re.DOTALL)
    (home / "init.el").write_text(recipe, encoding="utf-8")
    (home / "drive.el").write_text(
        """
(find-file "between.cgn")
(run-hooks 'post-command-hook)
(let ((end (+ (float-time) 20)))
  (while (and (< (float-time) end) (not (flymake-diagnostics)))
    (accept-process-output nil 0.1)
    (when flymake-mode (flymake-start))))
(dolist (each (flymake-diagnostics))
  (princ (format "%d: %s\\n" (line-number-at-pos (flymake-diagnostic-beg each)) (flymake-diagnostic-text each))))
""",
        encoding="utf-8",
    )
    told = run(home, emacs, "--batch", "-f", "package-initialize", "-l", "init.el", "-l", "drive.el")
    assert re.fullmatch(rf"19: .*\[TOW02\]: {re.escape(FOUND)}\n", told), told
