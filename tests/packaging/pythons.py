"""The quick tests with each Python that the package is for and that is found: ``python -m tests.packaging.pythons``.

Each gets an environment of its own in build/pythons, with the versions of requirements.lock. What ran and what was not
found is said at the end; the exit code is 1 where a test failed or no Python was found. Needs nothing installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "build" / "pythons"


def versions() -> list[str]:
    """The minor versions that the package says it is for, as ``3.11``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [each.rpartition(" ")[2] for each in project["classifiers"] if re.search(r":: 3\.\d+$", each)]


def found(version: str) -> str | None:
    """An interpreter of this version that starts: on the path, by pyenv, or by uv."""
    named = [shutil.which(f"python{version}")]
    named += sorted(map(str, (Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python")), reverse=True)
    if uv := shutil.which("uv"):
        told = subprocess.run([uv, "python", "find", version], capture_output=True, text=True, check=False)
        named.append(told.stdout.strip())
    return next((each for each in named if each and _is(each, version)), None)


def _is(python: str, version: str) -> bool:
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        told = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return told.stdout.strip() == version


def tried(version: str, python: str) -> tuple[bool, str]:
    """Whether the quick tests pass with this Python, and pytest's last line."""
    folder = PLACE / version
    subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    subprocess.run([*pip, "--require-hashes", "-r", "requirements.lock"], cwd=ROOT, check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], cwd=ROOT, check=True)
    tests = [str(folder / "bin" / "pytest"), "-n", "auto", "-m", "not slow", "-p", "no:cacheprovider"]
    ran = subprocess.run(tests, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ran.returncode:
        print(ran.stdout)
    return ran.returncode == 0, ran.stdout.rstrip().rpartition("\n")[2]


def main(wanted: list[str]) -> int:
    """Try the versions named, all of them where none is; tell each."""
    lines, ended = [], []
    for version in wanted or versions():
        python = found(version)
        if python is None:
            lines.append(f"Python {version}: not found")
            continue
        passed, said = tried(version, python)
        ended.append(passed)
        lines.append(f"Python {version} ({python}): {said}")
    print("\n".join(lines))
    return int(not ended or not all(ended))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
