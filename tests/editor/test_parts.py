"""Texts, documents, hovers and completions without the protocol, and whatever text there may be."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from lsprotocol import types

from couperation_formal.editor.document import Document
from couperation_formal.editor.places import complete, hover
from couperation_formal.editor.server import Open, Text, clause_uri, format_edits, outline
from couperation_formal.game.rulings import registry
from couperation_formal.notation.read import read_text
from couperation_formal.output.blocks import place_of
from couperation_formal.output.report import clauses
from couperation_formal.questions.records.check import check
from couperation_formal.words.say import ENGLISH, say
from tests.conftest import LONG, some
from tests.kit.counted import calls
from tests.kit.started import run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GAMES = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*.cgn"))]
THURSDAY = (EXAMPLES / "legal" / "thursday.cgn").read_text(encoding="utf-8")
TABLE = '[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower 17@f1 25@g1 ~26@h1 ~?@f2\n'
HEAD = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 22 9 3\nreserve 1 50 12 33 40 7\n'

CHARACTERS = st.text(st.sampled_from("aé🂡\r\n\u2028\x0c"), max_size=30)


@st.composite
def cut_games(draw: st.DrawFn) -> str:
    """Examples with something cut out and something put in."""
    text = "\n".join(draw(st.lists(st.sampled_from(GAMES), min_size=1, max_size=2)))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 40)))
    odd = st.text(st.sampled_from('[]{};"@=~?x🂡\ud800\ufeff\r\n\t 1F.AD+'), max_size=6)
    return text[:start] + draw(st.one_of(st.text(max_size=6), odd)) + text[end:]


@pytest.mark.slow
@given(CHARACTERS, st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_positions_and_offsets_are_inverse(text: str, encoding: str) -> None:
    found = Text(text, encoding)
    for offset in range(len(text) + 1):
        inside_line_end = text[max(0, offset - 1) : offset + 1] == "\r\n"
        assert found.offset(found.position(offset)) == offset - inside_line_end
        assert found.position(offset) == found.position(offset - inside_line_end)


@given(CHARACTERS)
def test_columns_are_what_another_count_gives(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = Text(text)
    assert found.position(len(text)) == types.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)


def test_places_beyond_the_text_are_its_ends() -> None:
    found = Text("ab\n🂡")
    assert found.offset(types.Position(0, 99)) == 2
    assert found.offset(types.Position(99, 0)) == 4
    assert found.offset(types.Position(1, 1)) == 3, "within a character"
    assert found.position(99) == types.Position(1, 2)


@pytest.mark.parametrize("before", ["", "\ufeff", "; a remark\n\n", "\ufeff{ 🂡\n }\n"])
def test_findings_stand_where_the_report_says(before: str) -> None:
    text = before + HEAD + "1. Aki A 17@f1\n2. Ben A 9@f2\n\n" + HEAD + "1. Aki A 17@z1\n"
    document = Document(text)
    found = [each for part in document.parts for each in document.findings(part, {})]
    assert [text[each.span.start : each.span.end] for each in found] == ["A 9@f2", "z"]
    lines = []
    for item in read_text(text):
        report = check(item)
        lines += [place_of(item, each.span).line for each in report.diagnostics]
    assert [text.count("\n", 0, each.span.start) + 1 for each in found] == lines


def test_people_are_shown_the_blank_in_a_name() -> None:
    text = HEAD.replace("Aki", "Anna_Maria") + "1. Anna_Maria A 17@f1\n2. Anna_Maria A 9@e1\n"
    for more in ("", "3. Bne A 3@j1\n4. Ben A 99@j1\n"):
        document = Document(text + more)
        said = [each.found.message for part in document.parts for each in document.findings(part, {})]
        assert any("not Anna Maria's" in each for each in said)
        assert not any("Anna_Maria" in each for each in said)


def test_reports_are_kept_for_games_that_stay() -> None:
    first = Document(THURSDAY + "\n" + HEAD)
    kept = [first.report(part) for part in first.parts]
    second = Document(THURSDAY + "\n" + HEAD + "1. Aki A 17@f1\n", first)
    assert second.report(second.parts[0]) is kept[0]
    assert second.report(second.parts[1]) is not kept[1]


@pytest.mark.slow
@settings(max_examples=5000 if LONG else 60)
@given(cut_games(), st.data())
def test_no_text_makes_anything_fail(text: str, data: st.DataObject) -> None:
    at = Open()
    at.take(Text(text), 1)
    document = at.document
    size = len(at.text.text)
    for part in document.parts:
        for each in document.findings(part, {}):
            assert 0 <= each.span.start <= each.span.end <= size
            at.text.range(each.span)
    for offset in {0, size, *data.draw(st.lists(st.integers(0, size), max_size=4))}:
        shown = hover(document, offset, {}, ENGLISH)
        assert shown is None or 0 <= shown[0].start <= shown[0].end <= size
        for found in complete(document, offset):
            assert 0 <= found.typed <= offset
    for entry in outline(document, at.text):
        assert entry.name
        for held in (entry, *(entry.children or ())):
            assert entry.range.start <= held.range.start <= held.range.end <= at.text.position(size)
    for edit in format_edits(at):
        assert edit.new_text != at.text.text


@given(st.sampled_from(GAMES), st.data())
def test_every_beginning_of_a_game_can_be_completed(game: str, data: st.DataObject) -> None:
    """Each word is offered once and replaces what is typed of the line at most."""
    end = data.draw(st.integers(0, len(game)))
    found = complete(Document(game[:end]), end)
    words = [each.word for each in found]
    assert len(set(words)) == len(words)
    assert all(0 <= each.typed <= end - game.rfind("\n", 0, end) - 1 for each in found)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_rulebook_and_the_players_of_a_game_are_offered_where_they_stand(game: str) -> None:
    for place in re.finditer(r'^(?:\[Rules "|\d+\. )([\w.-]+)', game, re.MULTILINE):
        for end in (place.start(1), place.start(1) + 1):
            assert place[1] in {each.word for each in complete(Document(game[:end]), end)}, game[:end][-40:]


def _words(text: str) -> list[str]:
    """The words that can stand at the mark ``|``."""
    before, after = text.split("|")
    return [found.word for found in complete(Document(before + after), len(before))]


def test_rulebooks_and_rulings_come_inside_the_rules_tag() -> None:
    books, rulings = list(registry().rulebooks), [f"{name}=" for name in registry().rulings]
    assert _words('[CGN "1"]\n[Rules "|"]\n') == books + rulings
    assert _words('[CGN "1"]\n[Rules "en-2 between=strict |') == [name for name in rulings if name != "between="]
    assert _words('[CGN "1"]\n[Rules "en-2 between=|"]') == ["strict", "inclusive"]
    assert _words('[CGN "1"]\n[Rules "en-2 nothing=|"]') == []
    assert _words('[CGN "1"]\n[Event "en-2 |"]') == []


LAID_LINES = '[CGN "1"]\n[Rules "ja-2.2 draw_source=as_laid"]\n[Players "Aki Ben"]\nposition\ntower 25@g1 24@f1\n'
TABLE_LINES = '[CGN "1"]\n[Players "Aki Ben Cy"]\nposition\ntower 25@g1\n'


ACTIONS = [f"A {card}@{cell}" for card, cell in ((17, "f1"), (30, "h1"), (44, "h1"))]
ACTIONS += [f"B {card}@{cell}" for cell in ("f1", "h1") for card in (17, 30, 44)]
ACTIONS += [f"D 17-30_44=12@{cell}" for cell in ("f1", "g1x25")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "1. Aki |", ["+*", "-", *ACTIONS]),
        (HEAD + "1. Aki +|", ["+*"]),
        (HEAD + "1. Aki +0 |", ACTIONS),
        (HEAD + "1. Aki A|", ACTIONS[:3]),
        (HEAD + "1. Aki +0  A 1|", ["A 17@f1"]),
        (HEAD + "1. Aki +31 A 31|", ["A 31@h1"]),
        (HEAD + "1. Aki C|", []),
        (HEAD + "1. Aki A F@h1 |", ["fill", "drop", "trim"]),
        (HEAD + "1. Aki A F@h1 !? fi|", ["fill", "drop", "trim"]),
        (HEAD + "1. Aki A F@h1 fill |", ["*"]),
        (HEAD + "1. Aki A F@h1 fill 4,5 |", ["drop", "trim"]),
        (HEAD + "1. Aki A F@h1 drop 4 |", ["trim"]),
        (HEAD + "1. Aki - |", []),
        (TABLE_LINES + "skipped |", ["0", "1", "2"]),
        *((LAID_LINES + f"last f1 {typed}|", ["laid down"]) for typed in ("", "l", "laid ", "laid do")),
        (TABLE_LINES + "last f1 |", []),
        (TABLE_LINES + "replaced |", ["yes", "no"]),
    ],
)
def test_the_words_of_the_notation_come_where_they_stand(text: str, words: list[str]) -> None:
    assert _words(text) == words


def test_a_line_last_may_name_nothing() -> None:
    assert _words(TABLE_LINES + "last |")[-1] == "-"


@pytest.mark.parametrize(("rules", "detail"), [("ja-2.2", "the game is lost"), ("ja-2.2 no_action=skipped", "skipped")])
def test_no_action_is_told_by_the_ruling(rules: str, detail: str) -> None:
    text = HEAD.replace("[Players", f'[Rules "{rules}"]\n[Players', 1) + "1. Aki "
    (found,) = [each for each in complete(Document(text), len(text)) if each.word == "-"]
    assert detail in say(found.detail, ENGLISH)


def test_options_that_no_text_takes_are_marked() -> None:
    text = '[CGN "1"]\n[Rules "en-2 no_action='
    details = {each.word: say(each.detail, ENGLISH) for each in complete(Document(text), len(text))}
    assert "house option" in details["skipped"]
    assert "house option" not in details["loses"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "1. Aki |+* A 17@f1\n", "the draw was not noted"),
        (HEAD + "1. Aki |-\n", "no action was possible: the game is lost"),
        (HEAD.replace("[P", '[Rules "bgg no_action=skipped"]\n[P', 1) + "1. Aki |-\n", "the turn is skipped"),
        (HEAD + "1. Aki A 17@f1 |fill 4\n", "once F was laid"),
        (HEAD + "1. Aki A 17@f1 |fill *\n", "not noted"),
        (HEAD + "1. Aki A 17@f1 |drop 4\n", "for the hand limit"),
        (TABLE_LINES + "last |g1\n", "sets the next draw"),
        (LAID_LINES + "last f1 laid |down\n", "was laid down: the next draw fills the hand up"),
        (TABLE_LINES.replace("[P", '[Rules "bgg draw_source=nothing"]\n[P', 1) + "|last -\n", "no card sets"),
        (TABLE_LINES.replace("[P", '[Rules "bgg no_action=skipped"]\n[P', 1) + "|skipped 1\n", "skipped in a row"),
        (TABLE_LINES + "|replaced yes\n", "D has replaced"),
    ],
)
def test_a_word_of_the_notation_is_told_where_it_stands(text: str, said: str) -> None:
    before, after = text.split("|")
    shown = hover(Document(before + after), len(before), {}, ENGLISH)
    assert shown is not None
    assert said in shown[1]


def test_players_come_at_the_start_of_a_turn_the_one_to_move_first() -> None:
    found = complete(Document(HEAD + "1. Aki A 17@f1\n2. "), len(HEAD + "1. Aki A 17@f1\n2. "))
    assert [(each.word, each.likely) for each in found] == [("Aki", False), ("Ben", True)]
    assert _words(HEAD + "1. |A") == ["Aki", "Ben"]
    assert _words('[CGN "1"]\n[Players "Aki Ben"]\ndeal |') == ["Aki", "Ben"]


def test_cells_come_after_the_sign_the_legal_ones_first() -> None:
    text = HEAD + "1. Aki A 17@f1\n2. Ben A 22@"
    found = complete(Document(text), len(text))
    legal = [each.word for each in found if each.likely]
    assert legal == ["f2"]
    assert {each.word for each in found} == {"e1", "f2", "h1"}


def test_cells_take_the_draw_of_the_line_into_account() -> None:
    text = HEAD + "1. Aki +31 A 31@"
    assert [each.word for each in complete(Document(text), len(text)) if each.likely] == ["h1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    some(
        ["{" * 60_000, "\n" * 900_000, HEAD + "1. Aki A " * 7_000 + "@", '[Rules "' * 8_000, HEAD + "\n" * 500_000], 2
    ),
)
def test_long_texts_take_no_long_time(text: str) -> None:
    def looked_at() -> None:
        document = Document(text)
        for offset in (0, len(text) // 2, len(text)):
            complete(document, offset)
            hover(document, offset, {}, ENGLISH)

    assert calls(looked_at) < 20_000_000


def test_opening_offers_the_down_cards() -> None:
    assert _words(HEAD + "1. Aki B 17@f1\n2. Ben C |") == ["f1"]


def test_a_hover_over_a_turn_shows_the_tower_after_it() -> None:
    document = Document(THURSDAY)
    shown = hover(document, THURSDAY.index("A 11@e1"), {}, ENGLISH)
    assert shown is not None
    assert shown[1].startswith("The tower after turn 3\n\n```text\n")
    assert "[11]   18    25    32" in shown[1]
    assert THURSDAY[shown[0].start : shown[0].end] == "3. Noor +43,2 A 11@e1 drop 2"


def test_a_hover_over_a_rules_tag_explains_the_word() -> None:
    text = '[CGN "1"]\n[Rules "en-2 between=inclusive"]\n[Players "Aki Ben"]\n'
    for word, title in (("en-2", "en-2 · "), ("between", "between · "), ("inclusive", "between · ")):
        shown = hover(Document(text), text.index(word) + 1, {}, ENGLISH)
        assert shown is not None, word
        assert title in shown[1]


def test_a_hover_over_a_positions_tower_draws_it() -> None:
    shown = hover(Document(TABLE), TABLE.index("25@g1"), {}, ENGLISH)
    assert shown is not None
    assert "1     ·    17    25    ~26    ·" in shown[1]
    assert hover(Document(TABLE), 0, {}, ENGLISH) is None


@pytest.mark.parametrize("code", [*clauses(), "CGN"])
def test_every_code_has_its_place_in_the_specification(code: str) -> None:
    uri, _, line = clause_uri(code).removeprefix("file://").partition("#L")
    text = Path(uri).read_text(encoding="utf-8")
    assert text.split("\n")[int(line) - 1].startswith(f"## {code} ") if line else code == "CGN"


def test_answers_of_the_exact_engine_are_put_back_in_their_games() -> None:
    texts = ["; one\n" + HEAD + "1. Aki A 17@f1\n2. Ben A 9@f2", HEAD + "1. Aki A 30@f1\n"]
    asked = msgspec.json.encode((texts, None))
    ran = run([], asked, code="from couperation_formal.editor.document import main; main()")
    answers = pickle.loads(ran.stdout)
    assert [text[found.span.start : found.span.end] for text in texts for found in answers[text]] == [
        "A 9@f2",
        "A 30@f1",
    ]


def test_without_its_libraries_the_command_says_what_to_install(tmp_path: Path) -> None:
    hide = "import importlib.util as u; f=u.find_spec; u.find_spec=lambda n, *a: None if n=='pygls' else f(n, *a)\n"
    code = hide + "from couperation_formal.cli.main import main; raise SystemExit(main(['lsp']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == "error: the language server needs pygls: pip install 'pygls>=2.0' beside couperation\n"


@pytest.mark.slow
def test_garbage_on_the_pipe_brings_no_traceback() -> None:
    garbage = b"Content-Length: 5\r\n\r\nhello" + b'Content-Length: 12\r\n\r\n{"jsonrpc":1' + b"nothing\r\n\r\n"
    ran = run(["lsp"], garbage)
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr
    assert ran.stdout == b"" or ran.stdout.startswith(b"Content-Length")
