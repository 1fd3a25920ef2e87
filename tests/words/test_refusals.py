"""In a language in which every word is wrapped no other word is left of what a malformed text, a rulebook, a question
that cannot be asked, or an editor is told.
"""

from __future__ import annotations

import io
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

import couperation_formal as cf
from couperation_formal.editor.document import Document
from couperation_formal.editor.places import complete, hover
from couperation_formal.editor.server import Messages, Server
from couperation_formal.game.fact import Fact, Steps, Told
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.game.rulings import MAX_BYTES, RulesError, TomlError, parse_rules, read_rulebook
from couperation_formal.hidden.symbolic.record import symbolic
from couperation_formal.notation.parse import MarksError, read_marks
from couperation_formal.notation.read import MAX_LINE, Malformed, read_stream, read_text
from couperation_formal.notation.write import record_text
from couperation_formal.output.configuration import KEYS, read_configuration
from couperation_formal.output.formats import FORMS
from couperation_formal.questions.records.explain import explain_turn
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.studies.rows import SOURCES, Plan, read_plan
from couperation_formal.questions.tables.ask import situation
from couperation_formal.questions.tables.complete import complete_table
from couperation_formal.questions.tables.moves import prospect
from couperation_formal.words import say as room
from couperation_formal.words.say import ENGLISH, LANGUAGES, say
from tests.conftest import LONG, some
from tests.fuzz.fuzz_reader import TEXTS, shortened
from tests.fuzz.inputs import ROOT, spoiled, spoiled_bytes
from tests.words.malformed import (
    CONFIGURATIONS,
    GAME,
    HEAD,
    PLANS,
    PROFILES,
    RULEBOOKS,
    SENT,
    SETUPS,
    SHORT,
    TABLE,
    TAGS,
    WRITTEN,
    written,
)
from tests.words.pseudo import Catalog, left_over, part

Said = tuple[str, ...]
"""A message, and the texts that are not ours."""


def of_texts() -> Iterator[Said]:
    """What malformed texts are told, a thousand in the suite: written ones, cut at many places, and spoiled ones."""

    def texts() -> Iterator[bytes]:
        yield from (text.encode() for text in WRITTEN)
        yield from (text[:cut].encode() for text in SHORT for cut in some(range(len(text)), 2))
        yield from (
            b"",
            b"\xff\xfe[\0",
            b"[\0C\0G\0N\0",
            b'[CGN "1"]\n\xff',
            b'[CGN "1"]\n\0\xff',
            b"x" * (MAX_LINE + 1),
            b'[CGN "2"]',
        )
        yield from (f'[CGN "1"]\n[{tag}]\n'.encode() for tag in ('Players " "', 'Players "A{i"', 'Player "Aki"'))
        yield from (f'[CGN "1"]\n[Players "{each}"]\nposition\ntower 25@g1\n'.encode() for each in ("Aki", "Aki Aki"))
        yield f"{TABLE}tower 25@g1\ndeck{' ?' * 50}\n".encode()
        yield b'[CGN "1"]\n' + (b"; " + b"x" * 60_000 + b"\n") * 20
        yield GAME.encode() + b"1. Aki -\n" * 2000
        for seed in some(range(1500)):
            draw = Random(f"short {seed}")
            yield spoiled(draw, draw.choice((*SHORT, *WRITTEN)), SHORT).encode("utf-8", "surrogatepass")
        for seed in some(range(700)):
            draw = Random(f"long {seed}")
            text = spoiled(draw, shortened(draw, draw.choice(TEXTS)), TEXTS)
            yield spoiled_bytes(draw, text.encode("utf-8", "surrogatepass"))

    for data in texts():
        for item in read_stream(io.BytesIO(data), "-"):
            if isinstance(item, Malformed):
                own = (item.text, " ".join(item.text.split()), *written(item))
                yield from ((found.message, *own) for found in item.diagnostics)


def of_rulebooks(folder: Path) -> Iterator[Said]:
    """What is told of rulebooks and of texts that name one. The TOML reader's own words are not ours."""
    path = folder / "ours.toml"
    for seed in (*range(len(RULEBOOKS)), *some(range(len(RULEBOOKS), 500 + len(RULEBOOKS)))):
        draw = Random(f"rulebook {seed}")
        text = RULEBOOKS[seed] if seed < len(RULEBOOKS) else spoiled(draw, draw.choice(PROFILES), PROFILES)
        path.write_bytes(text.encode("latin-1", "replace"))
        try:
            read_rulebook(path)
        except RulesError as error:
            yield str(error), str(path), *_reader(path)
    for name in (Path(os.devnull), Path("a\0b")):
        with pytest.raises(RulesError) as caught:
            read_rulebook(name)
        yield str(caught.value), str(name), str(caught.value.__context__)
    for tag in TAGS:
        with pytest.raises(RulesError) as caught:
            parse_rules(tag)
        yield str(caught.value), tag


def of_marks(folder: Path) -> Iterator[Said]:
    """What is told of an owner's marks."""
    path = folder / "marks.txt"
    for text in (b"17", b"17:1 17:2", b"; none", b"\xff", b"17:1 " * MAX_BYTES):
        path.write_bytes(text)
        with pytest.raises(MarksError) as caught:
            read_marks(path)
        yield str(caught.value), str(path), text[:9].decode("latin-1")


def of_configurations(folder: Path) -> Iterator[Said]:
    """What is told of configurations."""
    path = folder / "couperation.toml"
    for text in CONFIGURATIONS:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(TomlError) as caught:
            read_configuration(path)
        yield str(caught.value), str(path), text, *KEYS, *FORMS, *LANGUAGES, os.strerror(2)
    (folder / "pyproject.toml").write_text("tool.couperation = 3", encoding="utf-8")
    with pytest.raises(TomlError) as caught:
        read_configuration(folder / "pyproject.toml")
    yield str(caught.value), str(folder / "pyproject.toml")


def of_plans(folder: Path) -> Iterator[Said]:
    """What is told of plans."""
    path = folder / "plan.toml"
    settings = [each.name for each in msgspec.structs.fields(Plan)]
    asked = {word for words in SOURCES.values() for word in words}
    for text in PLANS:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(TomlError) as caught:
            read_plan(path)
        yield str(caught.value), str(path), text, *settings, *SOURCES, *asked, *_reader(path)


def _reader(path: Path) -> Iterator[str]:
    """The file, and what the TOML reader says of it."""
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    yield text
    try:
        tomllib.loads(text)
    except RecursionError:
        pass
    except ValueError as error:
        yield str(error)[:1].lower() + str(error)[1:]


def one(text: str) -> Game | Snapshot:
    (item,) = read_text(text)
    assert isinstance(item, Game | Snapshot), item
    return item


def of_questions() -> Iterator[Said]:
    """What is told where a question cannot be asked."""
    rules = parse_rules("")
    won = one(record_text(sample_game(2, "first", rules, 1, "random")))
    assert isinstance(won, Game)
    last = len(won.record.turns)
    table = one(f"{TABLE}tower 25@g1\n")
    unseen = one(f"{TABLE}tower 25@g1 ?@h1\n")
    left = one(f"{TABLE}tower 25@g1 24@f1 23@e1 22@d1 21@c1\n")
    bad = one(f"{HEAD}deal Aki 2\n")
    spoilt = one(f"{HEAD}1. Ben A 17@f1\n")
    away = one('[CGN "1"]\n[Variant "finish"]\n[Players "Aki Ben"]\n1. Aki +F,9 A ?@f1\n2. Ben A 9@e1\n')
    assert isinstance(bad, Game) and isinstance(spoilt, Game) and isinstance(away, Game)  # noqa: PT018
    tag = msgspec.structs.replace(won.record, tags=(*won.record.tags, ("Event", 'a "b"')))
    asked: tuple[Callable[[], object], ...] = (
        lambda: cf.state_after(won, 99),
        lambda: cf.state_after(bad),
        lambda: cf.state_after(spoilt),
        lambda: cf.state_after(away),
        lambda: cf.moves(won, 0),
        lambda: prospect(won, 0),
        lambda: cf.moves(won, last + 1),
        lambda: prospect(won, last + 1),
        lambda: cf.dispute(won, 99),
        lambda: situation(unseen, None, None),
        lambda: situation(table, 1, None),
        lambda: situation(left, None, parse_rules("anchor=middle")),
        lambda: complete_table(won, last, None, Steps()),
        lambda: complete_table(table, None, None, Steps()),
        lambda: sample_game(5, "first", rules, 1, "random"),
        lambda: explain_turn(won, "ACT01", 99),
        lambda: explain_turn(won, "ACT01", 0),
        lambda: explain_turn(won, "SET02", 1),
        lambda: explain_turn(won, "END05", 1),
        lambda: record_text(tag),
    )
    for each in asked:
        with pytest.raises(Told) as caught:
            each()
        yield str(caught.value), f"{rules} anchor=middle", 'a "b"', "Event"
    yield cf.check(table).diagnostics[0].message, ""


def of_unseen() -> Iterator[Said]:
    """What a clause asks of a set-up that is not shown: that which is no formula."""
    for lines in SETUPS:
        text = f'[CGN "1"]\n{lines}' if "Players" in lines else HEAD + lines
        game = one(text)
        assert isinstance(game, Game)
        rules = symbolic(game.record, game.record.rules.rulings).table.rules
        yield from ((say(rule.subject, ENGLISH), text) for rule in rules if isinstance(rule.subject, Fact))


def of_editor() -> Iterator[Said]:
    """What an editor shows, but for clauses, rulings and towers."""
    thursday = (ROOT / "examples" / "legal" / "thursday.cgn").read_text(encoding="utf-8")
    for text in (thursday, thursday.replace("\n1. ", "\n1. Nobody"), f"{TABLE}tower 25@g1\n"):
        document = Document(text)
        for offset in some(range(0, len(text), 7), 3):
            shown = hover(document, offset, {}, ENGLISH)
            if shown is not None and shown[1].startswith("⟦"):
                yield re.sub(r"```.*?```", "", shown[1], flags=re.DOTALL).strip(), text
            yield from _typed(document, offset)
    for text in (f"{HEAD}1. ", f'{HEAD}[Variant "', f"{TABLE}tower 25@", f"{HEAD}1. Aki B 4@h1\n2. Ben C "):
        yield from _typed(Document(text), len(text))
    lost: list[Fact] = []
    for sent in SENT:
        messages = Messages(io.BufferedReader(io.BytesIO(sent.encode())), lost.append)
        while messages.readline():
            pass
    yield from ((say(what, ENGLISH), "") for what in lost)
    server, told = Server(), list[types.LogMessageParams]()
    server.window_log_message = told.append  # type: ignore[assignment,method-assign]
    server.report_server_error(ValueError(), "reading")
    server.report_server_error(ValueError(), JsonRpcException)
    yield from ((each.message, "reading", "ValueError") for each in told)


def _typed(document: Document, offset: int) -> Iterator[Said]:
    kinds = types.CompletionItemKind
    specified = (kinds.Module, kinds.Property, kinds.EnumMember)  # rulebooks, rulings, options
    for each in complete(document, offset):
        if each.kind not in specified:
            yield say(each.detail or "", ENGLISH), ""


NOT_HERE = {
    *("no_specification", "game_wanted_here", "editor_format", "many_for_search", "few_cards", "over"),
    *("no_reserve", "unplaced", "no_fit", "script", "asks_mark", "found_note", "found_warning"),
    *("hover_hangs", "hover_clause_hangs"),
    *("configured_by", "configuration_none", "no_command", "editor_configuration"),
    *("expected_pile", "expected_cell", "expected_end", "expected_nothing", "file_unread"),
    "editor_endless",
    *("file_headless", "file_long"),
}
"""Sentences that need a file without end, a broken installation, another board, a rare table, several records, the
command line or the protocol; and terminals at which a hint speaks first.
"""


@pytest.mark.slow
def test_in_another_language_no_word_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    catalog = Catalog()
    monkeypatch.setattr(room, "catalog", lambda _: catalog)
    told = 0
    for way in (
        of_texts,
        lambda: of_rulebooks(tmp_path),
        lambda: of_configurations(tmp_path),
        lambda: of_plans(tmp_path),
        lambda: of_marks(tmp_path),
        of_questions,
        of_unseen,
        of_editor,
    ):
        for message, *own in way():
            told += 1
            assert message
            assert left_over(message, *own) == [], message
    assert told > (5000 if LONG else 1500)
    unsaid = part("refusals") - catalog.said
    assert unsaid == NOT_HERE, " ".join(sorted(unsaid ^ NOT_HERE))


def test_a_word_that_is_left_is_seen() -> None:
    assert left_over("⟦no card is ⟧17⟦, or ⟧and⟦ two⟧ left", "17 2") == ["and", " left"]
    assert left_over("A bad-face@a1⟦, ⟧SNOWMAN⟦, ⟧U+2603⟦, ⟧A 17@f1", "17") == ["A bad-face@a1", "SNOWMAN", "U+2603"]
    assert left_over("SNOWMAN⟦ (⟧U+2603⟦); write ⟧drop 5,9", "a \N{SNOWMAN}") == []
    assert left_over("Aki⟦ is ⟧'Ak…'⟦ or ⟧hand Aki⟦ on ⟧g1", 'Players "Aki"') == []
