"""SARIF as a published reader of the format understands it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from couperation_formal.output import formats
from couperation_formal.output.report import Report
from couperation_formal.words.say import ENGLISH
from tests.output.games import GAMES, HEAD, report, report_of

BROKEN = HEAD + "1. Aki A 17@f1\n2. Ben A 9@f2\n"


def sarif_results(report: Report) -> list[dict[str, Any]]:
    """The results of one game."""
    return [formats.sarif_result(each, report) for each in report.diagnostics]


def log(*results: dict[str, Any]) -> dict[str, Any]:
    """The results as one log, as `check` writes it piece by piece."""
    form = formats.Sarif(None, "1.2.3", ENGLISH)
    data: dict[str, Any] = json.loads(form.head() + ",".join(map(json.dumps, results)) + form.tail())
    return data


def read_back(data: dict[str, Any]) -> dict[str, Any]:
    from sarif_pydantic import Sarif

    text = Sarif.model_validate_json(json.dumps(data)).model_dump_json(by_alias=True, exclude_none=True)
    back: dict[str, Any] = json.loads(text)
    return back


def contained(part: Any, whole: Any) -> bool:
    """Whether everything that `part` says stands in `whole`, which may say more (defaults)."""
    if isinstance(part, dict):
        return all(value is None or contained(value, whole[key]) for key, value in part.items())
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(contained, part, whole))
    return bool(part == whole)


def test_every_record_survives_a_round_trip() -> None:
    data = log(*(result for path in GAMES for result in sarif_results(report_of(path))))
    assert len(data["runs"][0]["results"]) > 30
    assert contained({key: value for key, value in data.items() if key != "$schema"}, read_back(data))


def test_a_result_names_rule_place_and_rulings() -> None:
    (result,) = sarif_results(report(BROKEN, "a folder/game.cgn"))
    data = log(result)
    driver = data["runs"][0]["tool"]["driver"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "TOW02"
    assert driver["version"] == "1.2.3"
    assert result["level"] == "error"
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "a%20folder/game.cgn"
    assert location["region"] == {"startLine": 7, "startColumn": 8, "endLine": 7, "endColumn": 14}
    assert result["properties"] == {"game": 1, "turn": 2, "rulings": []}


@pytest.mark.parametrize(
    "file, uri",
    [("/tmp/x y.cgn", "file:///tmp/x%20y.cgn"), ("a:b.cgn", "a%3Ab.cgn"), ("-", "-"), ("a\udcff.cgn", "a%FF.cgn")],
)
def test_file_names_become_uris(file: str, uri: str) -> None:
    (result,) = sarif_results(report(BROKEN, file))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_finding_stays_the_same_where_a_line_is_put_above_it() -> None:
    (before,), (after,) = (sarif_results(report(text)) for text in (BROKEN, BROKEN.replace("deal", "; mind\ndeal", 1)))
    assert before["locations"] != after["locations"]
    assert before["partialFingerprints"] == after["partialFingerprints"]


def test_a_run_without_results_is_valid_and_describes_every_rule() -> None:
    back = read_back(log())
    rules = back["runs"][0]["tool"]["driver"]["rules"]
    assert len(rules) == 37
    assert all(rule["shortDescription"]["text"] for rule in rules)
