"""What holds for every command: lazy imports, streams, failures. Real processes where it matters."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from itertools import product
from pathlib import Path

import pytest

import couperation_formal
from couperation_formal.cli import main as main_module
from couperation_formal.cli.main import COMMANDS, main
from tests.cli.run import BROKEN, GAMES, HEAD, LEGAL, couperation, on_a_terminal, process, written_in
from tests.conftest import LONG, some
from tests.kit.started import run

pytestmark = pytest.mark.slow

HEAVY = {"lark", "z3", "rich", "msgspec", "jsonschema", "importlib.metadata"}


def modules_after(*arguments: str, stdin: str = "") -> set[str]:
    """The modules that a run of the command has loaded."""
    code = (
        "import sys\n"
        "from couperation_formal.cli.main import main\n"
        f"main({list(arguments)!r})\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=stdin, capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stderr.splitlines())


def test_version_loads_nothing_heavy() -> None:
    assert modules_after("--version") & HEAVY == set()


def test_check_of_a_fully_seen_record_loads_neither_a_parser_nor_z3_nor_a_console() -> None:
    """Neither of a legal nor of an illegal one; nor what few answers need."""
    loaded = modules_after("check", str(GAMES / "game-00000.cgn"), "-", "--output-format", "json", stdin=BROKEN)
    assert "couperation_formal.game.replay" in loaded
    assert loaded & {"lark", "z3", "rich.console", "couperation_formal.questions.records.sample"} == set()
    assert loaded & {"multiprocessing", "shutil", "difflib"} == set()


def test_a_dispute_loads_no_towers() -> None:
    loaded = modules_after("dispute", str(GAMES.parents[2] / "examples" / "broken" / "hearts.cgn"))
    assert "couperation_formal.questions.disputes.dispute" in loaded
    assert [name for name in loaded if name.startswith(("couperation_formal.towers", "z3"))] == []


def test_the_version_is_the_distributions() -> None:
    assert couperation_formal.__version__ == version("couperation-formal")
    assert couperation("--version").stdout == f"couperation {couperation_formal.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    result = couperation(command, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")


def test_help_lists_the_commands_in_order() -> None:
    text = couperation("--help").stdout
    places = [text.index(f"\n  {command} ") for command in COMMANDS]
    assert places == sorted(places)


@pytest.mark.parametrize("arguments", [[], ["chek"], ["check"], ["check", "--engine", "x", "-"], ["--no-such"]])
def test_wrong_arguments_exit_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err


def test_a_failure_of_ours_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("\x1bboom")

    monkeypatch.delenv("COUPERATION_DEBUG", raising=False)
    monkeypatch.setattr("couperation_formal.questions.records.check.check", fail)
    file = str(GAMES / "game-00000.cgn")
    assert main(["check", file]) == 70
    assert capsys.readouterr().err == "internal error, please report it with the input: ZeroDivisionError: \\x1bboom\n"
    monkeypatch.setenv("COUPERATION_DEBUG", "1")
    assert main(["check", file]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("couperation_formal.questions.records.check.check", interrupt)
    assert main(["check", str(GAMES / "game-00000.cgn")]) == 130
    assert capsys.readouterr().err.strip() == "interrupted"


def test_run_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["couperation", "explain", "TOW99"])
    with pytest.raises(SystemExit) as ended:
        main_module.run()
    assert ended.value.code == 2


FORMS, ENCODINGS = ("full", "concise", "json", "sarif", "github"), ("ascii", "latin-1", "cp437", "utf-8")


@pytest.mark.parametrize("form, encoding", some(product(FORMS, ENCODINGS), 3))
def test_streams_that_cannot_take_every_character(form: str, encoding: str) -> None:
    """Streams as `PYTHONIOENCODING` makes them; a long run starts a Python that does."""
    text = BROKEN.replace("Aki", "あき").replace("9@f2", "9@f2 ; Zoë").encode()
    words = ("check", "-", "--output-format", form)
    environment = {"LC_ALL": "C", "PYTHONIOENCODING": encoding}
    done = process(*words, stdin=text, environment=environment) if LONG else run(words, text, code=written_in(encoding))
    assert done.returncode == 1
    assert b"rror:" not in done.stderr
    assert b"TOW02" in done.stdout


def test_data_is_utf8_whatever_the_locale() -> None:
    text = LEGAL.replace("Aki", "あき").encode()
    formatted = process("fmt", "-", stdin=text, environment={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert "deal あき 17 30 44" in formatted.stdout.decode()
    position = run(["position", "-"], text, code=written_in("ascii"))
    assert "hand あき 30 44" in position.stdout.decode()


def test_a_reader_that_went_away_ends_it_quietly() -> None:
    command = [sys.executable, "-m", "couperation_formal", "check", str(GAMES), "--output-format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        err = running.stderr.read()
    assert running.returncode in (1, 141)
    assert b"Traceback" not in err
    assert b"Exception" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_told() -> None:
    command = [sys.executable, "-m", "couperation_formal", "explain", "TOW02"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 70
    assert done.stderr == b"error: cannot write the output: No space left on device\n"


def test_a_terminal_takes_colour() -> None:
    code, shown = on_a_terminal("check", str(GAMES))
    assert code == 1
    assert "\x1b[" in shown
    assert "48 games: " in shown


def test_a_terminal_shows_no_control_characters_of_a_record(tmp_path: Path) -> None:
    file = tmp_path / "game.cgn"
    file.write_text(HEAD + "1. Aki A 17@f1 ; \x1b]0;title\x07\n2. Ben \x1b[41mA 9@f2\n")
    _, shown = on_a_terminal("check", str(file))
    assert "\x1b]0;" not in shown
    assert "\x1b[41m" not in shown
    assert "\\x1b" in shown


@pytest.mark.parametrize(
    "words", some([("check", "-"), ("moves", "-", "--at", "1"), ("check", "--no"), ("explain", "TOW02")], 2)
)
def test_a_process_that_is_forked_says_what_one_that_is_started_says(words: tuple[str, ...]) -> None:
    forked, started = process(*words, stdin=BROKEN.encode()), process(*words, stdin=BROKEN.encode(), environment={})
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)
