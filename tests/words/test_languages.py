"""Each language has all that there is to say: the sentences of the catalog, the specification's texts, and the help."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from couperation_formal.cli.main import COMMANDS, GROUPS, cli, get_command
from couperation_formal.game.rulings import registry
from couperation_formal.output.formats import FORMS
from couperation_formal.output.report import clauses
from couperation_formal.questions.records.ask import questions
from couperation_formal.words.say import ENGLISH, LANGUAGES, catalog, language_of, texts
from tests.cli.run import couperation
from tests.conftest import some
from tests.words.latin import WORDS, foreign_words

ROOT = Path(__file__).resolve().parents[2]
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
SENTENCES = catalog(ENGLISH)


def places(sentence: str) -> list[tuple[str, str, str]]:
    """What a sentence has to be filled with, in no order."""
    return sorted((name, form or "", how or "") for _, name, form, how in Formatter().parse(sentence) if name)


def specified() -> set[str]:
    """The texts of the specification that people are shown."""
    rulings = registry().rulings.values()
    found = {*registry().titles.values(), *(ruling.question for ruling in rulings)}
    found |= {option.meaning for ruling in rulings for option in ruling.options}
    found |= {stand.note for ruling in rulings for stand in ruling.texts.values()}
    return found | {clause.title for clause in clauses().values()} - {""}


def helped() -> set[str]:
    """The texts of the command line's help."""
    found = {*GROUPS}
    for command in (cli, *map(get_command, COMMANDS)):
        paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
        found |= {" ".join(each.split()) for each in paragraphs} | {command.get_short_help_str(1000)}
        found |= {getattr(param, "help", None) or "" for param in command.params}
    return found - {""}


def test_there_are_languages() -> None:
    assert {ENGLISH, "ja"} <= {*LANGUAGES}


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_is_there_with_its_places(language: str) -> None:
    theirs = catalog(language)
    assert SENTENCES.keys() - theirs.keys() == set()
    assert {kind for kind, said in SENTENCES.items() if places(said) != places(theirs[kind])} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_each_text_of_the_specification_and_of_the_help_is_there(language: str) -> None:
    assert (specified() | helped()) - texts(language).keys() - {""} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_each_question_has_its_answer_with_the_same_places(language: str) -> None:
    for question in questions():
        _, answer = question.twins[language]
        assert sorted(re.findall(r"\{[^}]*\}", answer)) == sorted(re.findall(r"\{[^}]*\}", question.answer)), (
            question.title
        )


@pytest.mark.parametrize(
    "wanted, found",
    [
        (["ja-JP", "en"], "ja"),
        (["ja_JP.UTF-8"], "ja"),
        (["fr", "EN-gb"], "en"),
        (["C.UTF-8"], None),
        (["jav"], None),
        ([], None),
    ],
)
def test_the_language_of_a_tag_is_the_one_that_it_goes_on_from(wanted: list[str], found: str | None) -> None:
    assert language_of(wanted) == found


def asked_in(language: str) -> list[list[str]]:
    """Commands that ask in a language, with what they ask about last."""
    records = [
        *sorted((ROOT / "examples" / "broken").glob("*.cgn")),
        *sorted((ROOT / "examples" / "hidden").glob("*.cgn")),
    ]
    named = [*registry().rulings, *registry().rulebooks]
    return [
        *(
            [command, "--lang", language, str(path)]
            for path in some(records, 6)
            for command in ("check", "dispute", "show")
        ),
        *(["complete", "--lang", language, "--level", "tower", str(path)] for path in some(records, 6)),
        *(["deadlock", "--lang", language, "--level", "tower", str(path)] for path in some(records, 6)),
        *(["explain", "--lang", language, name] for name in some(named, 6)),
        ["rules", "--lang", language],
        ["infer", "--lang", language, str(ROOT / "examples" / "infer")],
        ["check", "--lang", language, "nothing.cgn"],
    ]


@pytest.mark.slow
def test_no_english_word_stands_in_what_is_said_in_japanese() -> None:
    """But ids, CGN, and the record's own words."""
    for arguments in asked_in("ja"):
        told = couperation(*arguments)
        path = Path(arguments[-1])
        own = (
            {*WORDS.findall(path.read_text("utf-8"))} if path.is_file() else {each.stem for each in path.glob("*.cgn")}
        )
        own |= {*WORDS.findall(str(path))}
        assert foreign_words(told.stdout + told.stderr) - own == set(), arguments


JAPANESE = re.compile("[\u3041-\u9fff]")


@pytest.mark.parametrize("form", [*FORMS])
def test_people_read_the_language_of_the_environment_and_programs_the_one_asked_for(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("check", "--output-format", form, str(ROOT / "examples" / "broken" / "between.cgn"))
    english = couperation(*asked).stdout
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    told = couperation(*asked).stdout
    assert (told == english, JAPANESE.search(told) is None) == ((True, True) if FORMS[form].script else (False, False))
    assert JAPANESE.search(couperation(*asked, "--lang", "ja").stdout)
    assert couperation(*asked, "--lang", "en").stdout == english


def test_the_configured_language_stands_against_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "couperation.toml").write_text('language = "ja"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    for asked in (("check", "nothing.cgn"), ("fmt", "nothing.cgn"), ("sample", "--games", "none")):
        told = [couperation(*asked, *more) for more in ((), ("--lang", "en"))]
        assert [JAPANESE.search(each.stdout + each.stderr) is None for each in told] == [False, True], asked
    assert not JAPANESE.search(couperation("check", "nothing.cgn", "--isolated").stderr)
    for words in (("fmt", "--help"), ("--help",), ("chekc",)):
        said = couperation(*words)
        assert JAPANESE.search(said.stdout + said.stderr), words
    assert not JAPANESE.search(couperation("--isolated", "chekc").stderr)
    (tmp_path / "couperation.toml").write_text("language = 7\n", "utf-8")
    assert "couperation.toml" in couperation("check", "nothing.cgn").stderr


@pytest.mark.parametrize(
    ("tags", "asked", "found"),
    [
        (["ja"], (), "ja"),
        (["ja_JP"], (), "ja"),
        (["ja"], ("--lang", "en"), "en"),
        (["fr"], (), "en"),
        (["ja", "ja"], (), "ja"),
        (["ja", "en"], (), "en"),
        (["ja", ""], (), "en"),
        (["ja", "ja-JP", "JA"], (), "ja"),
        (["ja"], ("--as", "public"), "ja"),
        (["ja 17 30"], ("--as", "public"), "en"),
    ],
)
def test_a_page_is_in_the_language_of_its_games(
    tags: list[str], asked: tuple[str, ...], found: str, tmp_path: Path
) -> None:
    game = (ROOT / "examples" / "broken" / "between.cgn").read_text("utf-8")
    games = [game.replace("\n", f'\n[Lang "{tag}"]\n', 1) if tag else game for tag in tags]
    (tmp_path / "games.cgn").write_text("\n\n".join(games), "utf-8")
    page = tmp_path / "page.html"
    couperation("report", *asked, str(tmp_path / "games.cgn"), "-o", str(page))
    assert f'<html lang="{found}"' in page.read_text("utf-8")


def test_a_position_and_a_game_with_a_slip_say_their_language(tmp_path: Path) -> None:
    record, page = tmp_path / "game.cgn", tmp_path / "page.html"
    text = (ROOT / "examples" / "broken" / "between.cgn").read_text("utf-8").replace("\n", '\n[Lang "ja"]\n', 1)
    record.write_text(text, "utf-8")
    position = couperation("position", str(record), "--at", "5").stdout
    for each in (position, text.replace("@", "", 1)):
        record.write_text(each, "utf-8")
        couperation("report", str(record), "-o", str(page), "--force")
        assert '<html lang="ja"' in page.read_text("utf-8")


@pytest.mark.parametrize(("tags", "language"), [(["ja", "ja"], "ja"), (["ja", "en"], "en")])
def test_an_index_is_in_one_language_whatever_those_of_its_games(
    tags: list[str], language: str, tmp_path: Path
) -> None:
    text = (ROOT / "examples" / "broken" / "between.cgn").read_text("utf-8")
    games = [text.replace("\n", f'\n[Lang "{tag}"]\n', 1) for tag in tags]
    (tmp_path / "games.cgn").write_text("\n\n".join(games), "utf-8")
    couperation("report", str(tmp_path / "games.cgn"), "-o", f"{tmp_path}/")
    index = (tmp_path / "index.html").read_text("utf-8")
    rows = re.findall(r"illegal at turn|手番8が", index, re.IGNORECASE)
    assert f'<html lang="{language}"' in index
    assert rows == [{"ja": "手番8が", "en": "Illegal at turn"}[language]] * 2


@pytest.mark.parametrize(
    "asked",
    [("explain", "TOW02"), ("explain", "between"), ("rules",), ("rules", "--clauses"), ("dispute", "DISPUTED")],
)
def test_texts_of_the_specification_are_in_the_language_that_a_program_asks_for(asked: tuple[str, ...]) -> None:
    record = str(ROOT / "examples" / "disputed" / "hearts.cgn")
    asked = (*(record if each == "DISPUTED" else each for each in asked), "--output-format", "json")
    english, japanese = (couperation(*asked, "--lang", each).stdout for each in (ENGLISH, "ja"))
    assert (JAPANESE.search(english) is None, JAPANESE.search(japanese) is None) == (True, False)
    assert shape(json.loads(english)) == shape(json.loads(japanese))


def shape(value: Any) -> Any:
    """The fields of data, and how many each list has."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    return [shape(each) for each in value] if isinstance(value, list) else type(value)


def test_the_last_language_that_is_asked_for_counts_and_none_of_what_is_asked_about() -> None:
    assert JAPANESE.search(couperation("check", "--lang", "en", "--lang=ja", "nothing.cgn").stderr)
    assert not JAPANESE.search(couperation("ask", "--", "--lang", "ja", "xyz").stderr)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", ["never", "stopped", "interrupted"])
def test_what_was_typed_is_told_as_it_is(typed: str, language: str) -> None:
    """Also where a sentence of the catalog has that name, or a text of the specification says it."""
    asked = ("dispute", "--lang", language, "--compare", f"en-2 between={typed}", "ja-2.2")
    assert f"'{typed}'" in couperation(*asked).stderr


@pytest.mark.parametrize(
    ("asked", "typed"),
    [
        (("--config", "integer.toml"), "integer.toml"),
        (("--rules", "en-2 FILE=3"), "'FILE'"),
        (("--output-format", "FILE"), "'FILE'"),
        (("--from", "FILE"), "'FILE'"),
        (("--from", "an integer"), "'an integer'"),
    ],
)
def test_nor_are_the_names_of_arguments_and_kinds_put_into_it(asked: tuple[str, str], typed: str) -> None:
    assert typed in couperation("check", "--lang", "ja", *asked, "x.cgn").stderr


def test_what_a_program_reads_follows_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("fix", "--output-format", "json", str(ROOT / "docs" / "typed" / "friday.cgn"))
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    told = [couperation(*asked, *more).stdout for more in ((), ("--lang", "en"), ("--lang", "ja"))]
    assert told[0] == told[1] != told[2]


def test_a_character_that_cannot_be_seen_is_named_on_a_page_too(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "broken" / "between.cgn").read_text("utf-8")
    (tmp_path / "game.cgn").write_text(text.replace("deal Tomas", "deal\u3164 Tomas"), "utf-8")
    couperation("report", str(tmp_path / "game.cgn"), "-o", str(tmp_path / "page.html"))
    assert "deal[HANGUL FILLER U+3164]" in (tmp_path / "page.html").read_text("utf-8")


def test_a_record_is_shown_as_it_is_written() -> None:
    """Also where a blank of Japanese stands in it, which a finding about the text would name."""
    text = '[CGN "1"]\n[Event "A\u3000B"]\n[Players "Aki Ben"]\n\n1. Aki +0 A 17@f1\n*\n'
    assert "A\u3000B: rules" in couperation("show", "-", stdin=text).stdout


def test_the_names_of_rules_are_the_same_in_each_language() -> None:
    asked = ("check", "--output-format", "sarif", str(ROOT / "examples" / "broken" / "between.cgn"))
    rules = [
        json.loads(couperation(*asked, "--lang", each).stdout)["runs"][0]["tool"]["driver"]["rules"]
        for each in LANGUAGES
    ]
    assert len({tuple(rule["name"] for rule in found) for found in rules}) == 1
    assert len({tuple(rule["shortDescription"]["text"] for rule in found) for found in rules}) == len(LANGUAGES)
