"""Does the suite notice 135 chosen faults? ``python -m tests.faults.run [--only TEXT] [--jobs 2] [--again]``

Each fault of faults.toml is put into a copy of the tracked files, which has an environment of its own; the files on
disk stay as they are. The tests that are known to kill it run first, then the folders of its room, then the whole
suite, each up to the first failure. The test that failed has to pass without the fault: else it tells nothing. What was
found is kept in build/faults.jsonl, by all that was tested and the fault, and not tried again. A fault with which one
test takes ten minutes is endless, which counts as killed. Exits 1 if a fault survives, cannot be applied, or was killed
by nothing but a test that fails without it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.faults.faults import FOLDERS, PRODUCT, ROOT, Fault, read_faults, read_product

KEPT = ROOT / "build" / "faults.jsonl"
MINUTES = 10
"""A test that takes longer does not end."""

OPTIONS = ("-x", "-v", "--tb=no", "--no-header", "--color=no", "-p", "no:cacheprovider", "--hypothesis-seed=0")
LEFT_OUT = "tests/faults"
"""Its test would notice each fault, as it looks for the texts that are changed."""

BEGUN = re.compile(r"^(tests/\S+\.py::.+?) +(?:$|PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)", re.MULTILINE)
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+\.py(?:::.+?)?)(?: - .*)?$", re.MULTILINE)
NOTHING_RAN = 4, 5
"""What pytest exits with where there is no such test."""


class Found(NamedTuple):
    """What became of a fault: killed, endless, survives, void (the test fails without the fault too) or unapplied."""

    key: str
    outcome: str
    by: str = ""


class Copy:
    """The tracked files in a folder of their own, and an environment in which they are what is imported."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in tracked():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name, follow_symlinks=False)
        self.python = environment(root)
        self.product = read_product(root)
        self.sound: dict[str, bool] = {}
        self.running: subprocess.Popen[bytes] | None = None
        self.ended = False
        folder = f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"
        own = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        self.env = {**own, "PYTHONDONTWRITEBYTECODE": "1", "PATH": folder}
        self.call("-m", "compileall", "-q", "--invalidation-mode", "checked-hash", *PRODUCT, "tests", "bench")
        for module in ("couperation_formal", "couperation_checker", "tests"):
            found = self.call("-c", f"import {module}; print({module}.__path__[0])").strip()
            if not Path(found).is_relative_to(root):
                raise RuntimeError(f"the copy in {root} does not run its own {module}, but {found}")

    def call(self, *words: str) -> str:
        """What its Python prints."""
        command = [str(self.python), *words]
        return subprocess.run(
            command, cwd=self.root, env=self.env, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    def end(self) -> None:
        """End what is running, and run nothing from now on."""
        self.ended = True
        if self.running is not None:
            _kill(self.running)

    def pytest(self, *tests: str) -> tuple[int | None, str]:
        """How pytest ends, None where a test does not; and the test that failed, or that ran last."""
        if self.ended:
            raise RuntimeError("ended")
        shutil.rmtree(self.root / ".hypothesis", ignore_errors=True)
        with subprocess.Popen(
            [str(self.python), "-m", "pytest", *OPTIONS, f"--ignore={LEFT_OUT}", *tests],
            cwd=self.root,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as self.running:
            said, ends = _heard(self.running)
            if ends:
                self.running.wait()
            _kill(self.running)
        begun, failed = BEGUN.findall(said), FAILED.search(said)
        by = failed[1] if failed else begun[-1] if begun else ""
        return self.running.returncode if ends else None, by

    def attempt(self, fault: Fault, key: str) -> Found:
        """Apply a fault, run the tests, and take it back."""
        places = fault.places(self.product)
        if len(places) != 1:
            return Found(key, "unapplied", f"its text occurs {len(places)} times")
        path, text = places[0], self.product[places[0]]
        path.write_text(text.replace(fault.before, fault.after), "utf-8")
        try:
            outcome, by = self.stages(fault)
        finally:
            path.write_text(text, "utf-8")
        void = outcome != "survives" and not self.passes(by)
        return Found(key, "void" if void else outcome, by)

    def stages(self, fault: Fault) -> tuple[str, str]:
        """The tests that are known to kill it, those of its room, all."""
        rooms = [f"tests/{name}" for name in FOLDERS[fault.room] if (self.root / "tests" / name).is_dir()]
        for tests in (*([test] for test in fault.killed_by), rooms, ["tests"]):
            code, by = self.pytest(*tests)
            if code is None:
                return "endless", by
            if code and code not in NOTHING_RAN:
                return "killed", by
        return "survives", ""

    def passes(self, test: str) -> bool:
        """Whether a test passes without a fault."""
        if test not in self.sound:
            self.sound[test] = bool(test) and self.pytest(test)[0] == 0
        return self.sound[test]


def _heard(running: subprocess.Popen[bytes]) -> tuple[str, bool]:
    """What a run of tests prints, and whether it ends: not where it prints nothing for too long."""
    said, ends = b"", True
    assert running.stdout is not None
    while True:
        ready, _, _ = select.select([running.stdout], [], [], 60 * MINUTES)
        more = os.read(running.stdout.fileno(), 1 << 16) if ready else b""
        said += more
        if not more:
            ends = bool(ready) or running.poll() is not None
            return said.decode("utf-8", "replace"), ends


def _kill(running: subprocess.Popen[bytes]) -> None:
    """End a run of tests with all that it began."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)


def tracked() -> list[str]:
    """The names of the tracked files that are there."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def environment(root: Path) -> Path:
    """A Python that finds the copy's sources, and the libraries of this one; its programs stand beside it."""
    home, here = root / ".venv", Path(sys.executable).parent
    site = home / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    libraries = [path for path in sys.path if Path(path).name == "site-packages"]
    (site / "copy.pth").write_text("\n".join([*map(str, (root, root / "checker")), *libraries]) + "\n")
    python = home / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(Path(sys.executable).resolve())
    (home / "pyvenv.cfg").write_text(f"home = {python.resolve().parent}\ninclude-system-site-packages = false\n")
    for program in here.iterdir():
        there, data = python.parent / program.name, program.read_bytes() if program.is_file() else b""
        first, end, rest = data.partition(b"\n")
        if data.startswith(b"#!") and str(here).encode() in first:
            there.write_bytes(b"#!" + str(python).encode() + end + rest)
            there.chmod(0o755)
        elif data and not there.exists():
            there.symlink_to(program)
    return python


def digest() -> str:
    """What is tested: all tracked files but these."""
    told = hashlib.sha256()
    for name in tracked():
        if not name.startswith(LEFT_OUT):
            told.update(name.encode() + b"\0" + hashlib.sha256((ROOT / name).read_bytes()).digest())
    return told.hexdigest()


def key_of(fault: Fault, tested: str) -> str:
    """What a result is kept by."""
    return hashlib.sha256("\0".join([tested, fault.room, fault.before, fault.after]).encode()).hexdigest()


def kept() -> dict[str, Found]:
    """What was found before."""
    lines = KEPT.read_text("utf-8").splitlines() if KEPT.exists() else []
    return {found.key: found for found in (Found(*json.loads(line)) for line in lines)}


def campaign(faults: list[tuple[str, Fault]], jobs: int) -> Iterator[tuple[Fault, Found]]:
    """Try the faults, so many at once, each job in a copy of its own; each as it is found."""
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as folder:
        copies = [Copy(Path(folder).resolve() / str(number)) for number in range(min(jobs, len(faults)))]
        free: SimpleQueue[Copy] = SimpleQueue()
        for copy in copies:
            free.put(copy)

        def attempt(key: str, fault: Fault) -> Found:
            copy = free.get()
            try:
                return copy.attempt(fault, key)
            finally:
                free.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            under_way = {pool.submit(attempt, key, fault): fault for key, fault in faults}
            try:
                for done in as_completed(under_way):
                    yield under_way[done], done.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                for copy in copies:
                    copy.end()


def line(fault: Fault, found: Found) -> str:
    """What is told of a fault."""
    said = {
        "killed": f"killed by {found.by}",
        "endless": f"endless in {found.by}",
        "survives": "SURVIVES",
        "void": f"VOID: {found.by} fails without the fault too",
        "unapplied": f"CANNOT BE APPLIED: {found.by}",
    }[found.outcome]
    return f"{fault.room}: {fault.breaks}: {said}"


def main(words: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="faults whose room, sentence or texts hold this")
    parser.add_argument("--jobs", type=int, default=2, help="faults at once (default 2)")
    parser.add_argument("--again", action="store_true", help="try those that were tried before, too")
    chosen = parser.parse_args(words)
    tested = digest()
    faults = {
        key_of(fault, tested): fault
        for fault in read_faults()
        if any(chosen.only in text for text in (fault.room, fault.breaks, fault.before, fault.after))
    }
    known = {} if chosen.again else {key: found for key, found in kept().items() if key in faults}
    for key, found in known.items():
        print(line(faults[key], found), flush=True)
    KEPT.parent.mkdir(exist_ok=True)
    waiting = [each for each in faults.items() if each[0] not in known]
    with KEPT.open("a", encoding="utf-8") as out:
        for fault, found in campaign(waiting, chosen.jobs) if waiting else ():
            print(line(fault, found), flush=True)
            out.write(json.dumps(found) + "\n")
            out.flush()
            known[found.key] = found
    good = Counter(faults[key].room for key, found in known.items() if found.outcome in ("killed", "endless"))
    everything = Counter(fault.room for fault in faults.values())
    for room, count in everything.items():
        print(f"{room}: {good[room]} of {count} killed")
    print(f"all: {good.total()} of {everything.total()} killed")
    return int(not faults or good != everything)


if __name__ == "__main__":
    raise SystemExit(main())
