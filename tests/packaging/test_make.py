"""The Makefile's targets: what they install, and how `make demo` ends."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.conftest import LONG

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="no make here")


def make(*words: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *words], cwd=folder, capture_output=True, text=True, check=False)


def locked(name: str) -> dict[str, str]:
    """Each distribution of a lock with its version."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))


def required(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w.-]+", each)[0] for each in requirements}  # type: ignore[index]


@pytest.mark.slow
def test_the_demo_shows_a_refusal_and_ends_well() -> None:
    ran = make("-o", ".venv/core", "demo", f"BIN={Path(sys.executable).parent}")
    assert ran.returncode == 0, ran.stderr
    assert "2 games: 2 legal" in ran.stdout
    assert "error[TOW02]" in ran.stdout
    assert "(ignored)" not in ran.stdout + ran.stderr
    assert "Error" not in ran.stdout + ran.stderr
    assert "activate' it is couperation." in ran.stdout


@pytest.mark.parametrize("code", [0, 2, 70])
def test_a_demo_that_shows_no_refusal_fails(tmp_path: Path, code: int) -> None:
    """Whoever runs the demo is told when the program does not do what it shows."""
    program = tmp_path / "couperation"
    program.write_text(f"#!/bin/sh\ntest $2 = examples/legal || exit {code}\n", encoding="utf-8")
    program.chmod(0o755)
    assert make("-o", ".venv/core", "demo", f"BIN={tmp_path}").returncode != 0


def test_the_demo_installs_the_core_alone_and_the_tests_all() -> None:
    install = re.compile(r"-r (\S+\.lock)")
    assert install.findall(make("--always-make", "-n", "demo").stdout) == ["requirements-core.lock"]
    assert install.findall(make("--always-make", "-n", "lint").stdout) == [
        "requirements-core.lock",
        "requirements.lock",
    ]


def test_the_core_is_a_part_of_the_lock_and_all_that_the_package_needs() -> None:
    core, whole = locked("requirements-core.lock"), locked("requirements.lock")
    assert core.items() <= whole.items()
    assert required(PROJECT["project"]["dependencies"]) | required(PROJECT["build-system"]["requires"]) <= core.keys()
    groups = [each for group in PROJECT["dependency-groups"].values() for each in group]
    extras = [each for extra in PROJECT["project"]["optional-dependencies"].values() for each in extra]
    assert required(groups) | required(extras) <= whole.keys()
    assert not core.keys() & {"pytest", "mypy", "ruff", "sphinx", "playwright", "pygls"}


@pytest.mark.skipif(not LONG, reason="COUPERATION_LONG is not set")
def test_the_demo_of_a_fresh_checkout(tmp_path: Path) -> None:
    """With all that it installs, from the package index."""
    left_out = shutil.ignore_patterns(".venv", ".git", "_build", "__pycache__", ".*_cache", "build", "dist")
    folder = shutil.copytree(ROOT, tmp_path / "checkout", ignore=left_out)
    ran = make("demo", folder=folder)
    assert ran.returncode == 0, ran.stderr
    assert "error[TOW02]" in ran.stdout
    assert "(ignored)" not in ran.stdout + ran.stderr
    listed = subprocess.run(
        [str(folder / ".venv" / "bin" / "python"), "-m", "pip", "list", "--format=freeze"],
        capture_output=True,
        text=True,
        check=True,
    )
    installed = {re.split("==| @ ", line)[0].lower().replace("_", "-") for line in listed.stdout.splitlines()}
    assert installed <= locked("requirements-core.lock").keys() | {"pip", "setuptools", "couperation-formal"}


@pytest.mark.skipif(not LONG, reason="COUPERATION_LONG is not set")
def test_the_extension_of_a_fresh_checkout(tmp_path: Path) -> None:
    """Bundled, with its license and those of what is bundled, and nothing beside. Fetches Node where it has to."""
    left_out = shutil.ignore_patterns(".venv", ".git", "_build", "__pycache__", ".*_cache", "build", "dist")
    folder = shutil.copytree(ROOT, tmp_path / "checkout", ignore=left_out)
    ran = make("editor", folder=folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    with zipfile.ZipFile(folder / "dist" / f"cgn-{PROJECT['project']['version']}.vsix") as file:
        names = {name.removeprefix("extension/") for name in file.namelist() if name.startswith("extension/")}
        bundled = file.read("extension/dist/extension.js").decode("utf-8")
        notices = file.read("extension/dist/notices.txt").decode("utf-8")
    assert names == {
        *("LICENSE.txt", "readme.md", "package.json", "language-configuration.json"),
        *("dist/extension.js", "dist/notices.txt", "syntaxes/cgn.tmLanguage.json"),
    }
    assert "was not found" in bundled
    assert "Microsoft" in notices
    assert not re.search(r"require\(\"vscode-", bundled)


def test_no_firefox_is_a_failure() -> None:
    """A look through a page that could not be taken is not one that went well."""
    done = subprocess.run(
        ["make", "-o", ".venv/core", "-o", ".venv/ready", "firefox"],
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {"COUPERATION_FIREFOX": "no-such-fox"},
    )  # fmt: skip
    assert done.returncode != 0
    assert "no Firefox: install firefox-esr, or name one in COUPERATION_FIREFOX" in done.stdout


def test_firefox_is_looked_through_wherever_the_tests_run() -> None:
    """What CI runs, and one pinned program with its lock, without another browser in it."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").split()
    assert script.index("firefox") > script.index("test")
    needed = json.loads((ROOT / "tests" / "firefox" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    lock = json.loads((ROOT / "tests" / "firefox" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert list(needed) == ["puppeteer-core"]
    assert lock["node_modules/puppeteer-core"]["version"] == needed["puppeteer-core"]
    assert all(each.get("integrity") for name, each in lock.items() if name)
