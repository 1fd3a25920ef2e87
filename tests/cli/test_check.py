from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from couperation_formal import check, read, report_data
from couperation_formal.cli.output import CODES, Exit, worst
from couperation_formal.game.record import Verdict
from couperation_formal.questions.records import check as verify
from tests.cli.run import BROKEN, GAMES, HEAD, LEGAL, MALFORMED, POSITION, UNDETERMINED, couperation, objects


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_records_in_one_run() -> None:
    result = couperation("check", GAMES, "--output-format", "json")
    expected = json.loads((GAMES / "expected.json").read_text())
    found = {Path(data["file"]).name: data["verdict"] for data in objects(result)}
    assert found == {name: entry["verdict"] for name, entry in expected.items()}
    assert result.exit_code == 1
    counts = Counter(found.values())
    assert result.stderr == f"48 games: {counts['legal']} legal, {counts['illegal']} illegal\n"


def test_json_is_what_the_library_returns() -> None:
    file = str(GAMES / "game-50187-between.cgn")
    (found,) = objects(couperation("check", file, "--output-format", "json"))
    (game,) = read(file)
    data = report_data(check(game))
    assert found == json.loads(msgspec.json.encode(data))
    assert found["event"] == "game 50187 flip"


@pytest.mark.parametrize(
    "texts, code",
    [
        ([LEGAL], 0),
        ([BROKEN], 1),
        ([MALFORMED], 2),
        ([UNDETERMINED], 3),
        ([LEGAL, UNDETERMINED], 3),
        ([LEGAL, UNDETERMINED, BROKEN], 1),
        ([UNDETERMINED, BROKEN, MALFORMED], 2),
        ([POSITION], 2),
    ],
)
@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github"])
def test_exit_codes(texts: list[str], code: int, form: str) -> None:
    result = couperation("check", "-", "--budget", "1", "--output-format", form, stdin="".join(texts))
    assert result.exit_code == code


def test_the_first_exit_code_that_applies() -> None:
    verdicts: list[Verdict] = ["legal", "undetermined", "illegal", "malformed"]
    assert [worst(CODES[each] for each in verdicts[:count]) for count in range(5)] == [0, 0, 3, 1, 2]
    assert int(Exit.OURS) == 70


def test_several_games_in_one_file_and_standard_input() -> None:
    result = couperation("check", "-", "--output-format", "json", stdin=LEGAL + MALFORMED + BROKEN)
    found = [(data["file"], data["game"], data["verdict"]) for data in objects(result)]
    assert found == [("-", 1, "legal"), ("-", 2, "malformed"), ("-", 3, "illegal")]


def test_folders_are_walked_in_order_and_positions_skipped(folder: Path) -> None:
    for name, text in {"b/z.cgn": LEGAL, "b/a.cgn": BROKEN, "a.cgn": LEGAL + POSITION, "x.txt": BROKEN}.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    result = couperation("check", ".", "--output-format", "json")
    assert [data["file"] for data in objects(result)] == ["./a.cgn", "./b/a.cgn", "./b/z.cgn"]
    assert "note: ./a.cgn: game 2 is a position, skipped\n" in result.stderr
    assert result.exit_code == 1


def test_a_position_named_is_an_error(folder: Path) -> None:
    (folder / "p.cgn").write_text(POSITION)
    result = couperation("check", "p.cgn")
    assert result.exit_code == 2
    assert "p.cgn:3:1" in result.stdout
    assert "this is a position" in result.stdout


@pytest.mark.parametrize("texts", [{}, {"p.cgn": POSITION}])
def test_a_run_that_checked_nothing_is_no_success(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text)
    result = couperation("check", ".")
    assert result.exit_code == 2
    assert "error: " in result.stderr
    assert result.stdout == ""


def test_a_missing_file_is_told_and_the_others_are_checked(folder: Path) -> None:
    (folder / "a.cgn").write_text(BROKEN)
    result = couperation("check", "no.cgn", "a.cgn", "--output-format", "concise")
    assert result.exit_code == 2
    assert result.stderr == "error: cannot read no.cgn: no such file or directory\n"
    assert result.stdout.startswith("a.cgn:7:8: TOW02 9 on f2 cannot lie between")


def test_a_missing_file_is_an_object_too(folder: Path) -> None:
    result = couperation("check", "no.cgn", "--output-format", "json")
    (data,) = objects(result)
    assert (data["file"], data["verdict"]) == ("no.cgn", "malformed")
    assert "cannot read no.cgn" in result.stderr
    assert result.exit_code == 2


def test_a_folder_named_like_a_record(folder: Path) -> None:
    (folder / "odd.cgn").mkdir()
    (folder / "odd.cgn" / "a.cgn").write_text(LEGAL)
    result = couperation("check", ".", "--output-format", "json")
    assert [data["file"] for data in objects(result)] == ["./odd.cgn/a.cgn"]


def test_rules_override_the_tag() -> None:
    file = GAMES / "game-50009-spread.cgn"
    result = couperation("check", file, "--rules", "en-2 between=inclusive", "--output-format", "json")
    (data,) = objects(result)
    assert data["rules"] == "en-2 between=inclusive"
    assert data["verdict"] == "legal"


def test_a_rulebook_of_ones_own(folder: Path) -> None:
    (folder / "my house.toml").write_text('title = "Ours"\nbase = "en-2"\nspread = "anywhere"\nbetween = "inclusive"\n')
    text = HEAD + "1. Aki A 44@i1\n"
    for rules, verdict in (("my house.toml", "legal"), ("my house.toml spread=adjacent", "illegal")):
        (data,) = objects(couperation("check", "-", "--rules", rules, "--output-format", "json", stdin=text))
        assert (data["rules"], data["verdict"]) == (rules, verdict)


@pytest.mark.parametrize(
    "rules, word",
    [
        ("en-3", "en-3"),
        ("en-2 sprea=x", "sprea"),
        ("en-2 spread=x", "adjacent, anywhere"),
        ("no.toml", "cannot read no.toml"),
        ("en-2 spread=adjacent spread=anywhere", "twice"),
    ],
)
def test_unknown_rules_are_wrong_arguments(folder: Path, rules: str, word: str) -> None:
    result = couperation("check", "-", "--rules", rules, stdin=LEGAL)
    assert result.exit_code == 2
    assert word in result.stderr
    assert result.stdout == ""


def test_full_names_clause_place_reason_tower_and_ruling() -> None:
    result = couperation("check", GAMES / "game-50009-spread.cgn")
    for part in ("error[TOW05]", "game-50009-spread.cgn:14:12", "^^^^^^^", "j1 lies apart", "[47]"):
        assert part in result.stdout
    assert (
        "hangs on spread=adjacent (ja-2.2 §3); under spread=anywhere (en-2 §3, taken at its word) this turn would be"
        in result.stdout
    )
    assert "\x1b" not in result.stdout
    assert result.stderr == ""


def test_full_tells_what_is_legal_and_sums_up() -> None:
    result = couperation("check", "-", stdin=LEGAL + LEGAL)
    assert result.stdout.splitlines() == [
        "legal: -  game 1: 1 turn, unfinished, ja-2.2",
        "legal: -  game 2: 1 turn, unfinished, ja-2.2",
        "2 games: 2 legal",
    ]


def test_sarif_is_one_valid_log() -> None:
    result = couperation("check", "-", "no.cgn", "--output-format", "sarif", stdin=LEGAL + BROKEN + MALFORMED)
    from sarif_pydantic import Sarif

    log = Sarif.model_validate_json(result.stdout)
    assert [found.rule_id for found in log.runs[0].results or []] == ["TOW02", "CGN", "CGN"]


def test_engines_that_differ_fail_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(range(10))
    monkeypatch.setattr(verify, "_answer", lambda outcome: next(answers))
    result = couperation("check", "-", "--engine", "both", stdin=LEGAL)
    assert result.exit_code == 70
    assert "engines differ" in result.stderr


@pytest.mark.parametrize("engine", ["plain", "z3", "both"])
def test_every_engine_gives_the_same_answer(engine: str) -> None:
    result = couperation("check", "-", "--engine", engine, "--output-format", "concise", stdin=BROKEN)
    assert result.stdout.startswith("-:7:8: TOW02 ")
    assert result.exit_code == 1


def test_control_characters_of_a_record_do_not_reach_the_terminal() -> None:
    head = '[CGN "1"]\n[Event "\x1b[2J\x07"]\n[Players "A\x1bki Ben"]\ndeal A\x1bki 17 30 44\n'
    text = head + "1. Ben\x9b A 17@f1 ;\x1b]0;x\x07\n"
    for form in ("full", "concise", "github"):
        result = couperation("check", "-", "--output-format", form, stdin=text)
        assert not set("\x1b\x07\x9b") & set(result.stdout + result.stderr)
        assert "U+001B" in result.stdout
