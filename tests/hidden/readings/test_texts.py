"""What texts leave open: the verdict and the outcome under every reading that a text admits, one by one."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from couperation_formal.board.views import strip
from couperation_formal.game.fact import Steps, worded
from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rules, Rulings, parse_rules, registry
from couperation_formal.hidden.readings.sets import Readings, Verdicts, within
from couperation_formal.hidden.readings.standing import cut, outcomes, plain_verdicts, standing
from couperation_formal.notation.read import read, read_text
from couperation_formal.notation.write import record_text
from couperation_formal.output.blocks import plain
from couperation_formal.page.page import dispute_view
from couperation_formal.questions.disputes import compare as comparing
from couperation_formal.questions.disputes.dispute import Dispute, dispute, standing_words
from couperation_formal.questions.disputes.judging import Stood, stood_before, table_before
from couperation_formal.questions.records import hanging
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.hanging import Admits, admitted
from couperation_formal.words.say import ENGLISH, say
from tests.cli.run import couperation, objects
from tests.conftest import some
from tests.hidden.readings.outputs import valid
from tests.hidden.readings.readings import answer, union
from tests.hidden.readings.records import random_reading, sampled, spoiled, told
from tests.output.games import GAMES
from tests.spec.book import ROOT

BOOKS = [Rules(name, (), book) for name, book in registry().rulebooks.items()]
ENDS = {"END01": "win", "END02": "loss", "END03": "stuck"}
RECORDS = [*sorted((ROOT / "examples").rglob("*.cgn")), *GAMES]
HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n'
LOST = f"{HEAD}1. Aki B 24@f1\n2. Ben B ?@f2\n3. Aki C f1=24 ~~\n*\n"


def readings_of(rules: Rules) -> list[Rulings]:
    """Every reading that the text of a rulebook admits, one by one."""
    stands = {name: ruling.texts[rules.rulebook] for name, ruling in registry().rulings.items()}
    open_ = {name: stand.options for name, stand in stands.items() if stand.stand == "open"}
    return [rules.rulings.with_changes(dict(zip(open_, each, strict=True))) for each in product(*open_.values())]


def holds(terms: tuple[dict[str, tuple[str, ...]], ...], rulings: Rulings) -> bool:
    return any(all(rulings.option(name) in options for name, options in term.items()) for term in terms)


def agrees(text: Admits, told: dict[str, list[Rulings]]) -> None:
    """What is said of a text is what its readings come to, one by one."""
    assert {*text.admits} == {*told}
    assert (text.when is None) is (len(told) == 1)
    for name, terms in (text.when or {}).items():
        for other, all_ in told.items():
            assert all(holds(terms, rulings) is (name == other) for rulings in all_)


def enumerated(found: Dispute) -> None:
    """The dispute on a whole record says of each text what a plain replay under each of its readings says."""
    for rules in BOOKS:
        book, verdicts, ends = found.rulebooks[rules.rulebook], dict[str, list[Rulings]](), dict[str, list[Rulings]]()
        turns = set[int]()
        for rulings in readings_of(rules):
            outcome = replay(found.game.record, rulings)
            if outcome.illegal is None and outcome.doubts:
                return
            if outcome.illegal is not None:
                turns.add(outcome.illegal)
                verdicts.setdefault("illegal", []).append(rulings)
                continue
            verdicts.setdefault("legal", []).append(rulings)
            ends.setdefault(str(outcome.reached), []).append(rulings)
        assert book.text is not None
        agrees(book.text, verdicts)
        assert book.says == ("open" if len(verdicts) == 2 else next(iter(verdicts)))
        assert book.verdict == book.text.taken == ("legal" if rules.rulings in verdicts.get("legal", []) else "illegal")
        assert (book.outcome is None) is ("legal" not in verdicts)
        if book.outcome is not None:
            agrees(book.outcome, ends)
            taken = book.outcome.taken
            assert taken == "illegal" == book.verdict or rules.rulings in ends[taken]
            lost = len(ends) == 1 and not {*ends} <= {"unfinished", "undetermined"}
            assert (book.why is not None) is (lost or taken in ("win", "loss", "stuck"))
        others = {each.turn for each in book.elsewhere}
        assert others <= turns - {book.turn}
        if book.says == "illegal":
            assert {turn < (book.turn or 0) for turn in turns - {book.turn}} == {
                turn < (book.turn or 0) for turn in others
            }


@pytest.mark.parametrize("file", some(RECORDS, 6), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_each_reading_that_a_text_admits(file: Path) -> None:
    for item in read(file):
        if isinstance(item, Game) and not any(turn.draw_open or turn.fill_open for turn in item.record.turns):
            enumerated(dispute(item, whole=True))


@pytest.mark.parametrize("file", some(RECORDS, 3), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_the_readings_of_a_text_alone_are_told_apart_as_replays_tell(file: Path) -> None:
    for item, rules in product(read(file), BOOKS):
        if not isinstance(item, Game) or any(turn.draw_open or turn.fill_open for turn in item.record.turns):
            continue
        found = plain_verdicts(item.record, rules=rules)
        assert (found.legal | found.illegal | found.undetermined) == Readings.every()
        for rulings in readings_of(rules):
            outcome = replay(item.record, rulings, hanging=False)
            verdict = "undetermined" if outcome.doubts else "legal"
            assert rulings in getattr(found, verdict if outcome.illegal is None else "illegal")


@pytest.mark.parametrize("seed", range(20))
def test_a_set_within_a_text_is_the_one_that_its_readings_make(seed: int) -> None:
    rng = Random(seed)
    changes = (("hearts_below", "zero_each"),) * rng.randrange(2)
    rules = Rules("en-2", changes, BOOKS[1].rulings.with_changes(dict(changes)))
    names = ("facedown", "hearts_below", "finish_refill", "refill_amount", "spread")
    terms = [
        {
            name: (rng.choice(registry().rulings[name].option_names()),)
            for name in rng.sample(names, rng.randrange(1, 4))
        }
        for _ in range(3)
    ]
    part = union(terms)
    seen = within(part, rules)
    admits = [
        each for each in readings_of(rules) if not rules.changes or each.hearts_below == rules.rulings.hearts_below
    ]
    for each in admits:
        assert (each in seen) is (each in part)
    assert (seen == Readings.every()) is all(each in part for each in admits)
    assert bool(seen) is any(each in part for each in admits)


def test_undetermined_unless_the_decided_ones_differ() -> None:
    hearts, refill = Readings.option("hearts_below", "zero_all"), Readings.option("refill_amount", "up_to")
    every = Readings.every()
    en, steps = BOOKS[1], Steps()

    def says(legal: Readings, illegal: Readings) -> str:
        parts = {"legal": legal, "illegal": illegal, "undetermined": every - legal - illegal}
        return admitted(parts, "legal", en, steps).says

    assert says(hearts, every - hearts) == "open"
    assert says(hearts, Readings.none()) == "undetermined"
    assert says(hearts & refill, every - hearts) == "open"
    assert says(every, Readings.none()) == "legal"


@pytest.mark.slow
def test_a_loss_is_not_hidden_behind_legal() -> None:
    """Legal under every reading, and lost under three of the four rulebooks."""
    (game,) = read_text(LOST)
    assert isinstance(game, Game)
    for found in (dispute(game, at=3), dispute(game, whole=True)):
        assert {book.says for book in found.rulebooks.values()} == {"legal"}
        ends = {name: book.outcome.taken for name, book in found.rulebooks.items() if book.outcome is not None}
        assert ends == {"en-1": "loss", "en-2": "loss", "ja-2.2": "loss", "bgg": "unfinished"}
        assert found.outcome is not None
        assert found.outcome.decisive == ("between", "facedown", "opened_against")
        assert {each.outcome for each in found.outcome.changes["bgg"] or ()} == {"loss"}
    shown = couperation("dispute", "-", stdin=LOST).stdout
    assert "en-1, en-2, ja-2.2: in turn 3 the game was lost, as" in shown
    assert "decision tree of the outcome" in shown
    (data,) = objects(couperation("dispute", "-", "--at", "3", "--output-format", "json", stdin=LOST))
    assert data["rulebooks"]["bgg"]["outcome"] == {"admits": ["unfinished"], "taken": "unfinished", "when": None}
    assert data["outcome"]["when"]["loss"] == [
        {"facedown": ["integers", "deck"], "between": ["strict"], "opened_against": ["loses"]}
    ]


STARVED = f"""{HEAD}deal Aki 9 10 44
deal Ben 21 30 38
reserve 1 50 12 33 40 7
1. Aki D 10-9=1@f1 trim 7
2. Ben B 21@e1
3. Aki C e1=21
*
"""
"""The down card needs 0 or less: ``deck`` refuses it at turn 2, and other readings that en admits lose at turn 3."""


SOURCE = f"""{HEAD}[Marks "21:2"]
deal Aki 17 30 44
deal Ben 9 21 38
reserve 1 50 12 33 40 7
1. Aki +0 A 17@f1
2. Ben +0 A 9@e1
3. Aki +0 A 30@h1
4. Ben +0 B 21@f2
5. Aki +0 C f2=21
6. Ben +14,6 A 14@e2
7. Aki +0 A 44@i1
"""


def test_an_open_rulebook_does_not_hide_that_its_legal_readings_lose() -> None:
    shown = couperation("dispute", "-", stdin=STARVED).stdout
    assert re.search(r"^en-2 +open +loss +2 +TOW07", shown, re.M)
    assert "en-1, en-2: where it is legal, in turn 3 the game was lost, as 21 on e1 cannot lie left of 1" in shown
    assert "  en-2    open (taken here: illegal): legal under facedown=integers" in shown
    (data,) = objects(couperation("dispute", "-", "--output-format", "json", stdin=STARVED))
    assert data["rulebooks"]["en-2"]["outcome"] == {"admits": ["loss"], "taken": "illegal", "when": None}


def test_what_a_text_leaves_open_of_an_earlier_turn_is_told_as_open() -> None:
    """Legal as other readings of the text take it, though illegal as taken here; and the reverse."""
    (game,) = read_text(STARVED)
    assert isinstance(game, Game)
    (first, *_) = said = [say(each, ENGLISH) for each in standing_words(dispute(game, at=3).standing)]
    open_ = "legal if facedown is integers or repeats, or illegal if facedown is deck (taken here: illegal) by TOW07"
    assert worded(dispute_view(dispute(game, at=3))["remarks"], ENGLISH) == said
    assert (len(said), first.startswith(f"en-1, en-2, turn 2: left open: {open_}")) == (1, True)
    assert (
        "; under en-1 turn 2 breaks TOW07, which its text leaves open\n"
        in couperation("check", "-", stdin=STARVED).stdout
    )
    (game,) = read_text(SOURCE)
    assert isinstance(game, Game)
    assert [say(each, ENGLISH) for each in standing_words(dispute(game, at=7).standing)][1:] == [
        "en-1, en-2, turn 6: left open: legal if draw_source is last_placed, or illegal if draw_source is as_laid"
        " (taken here: legal)"
    ]


@pytest.mark.parametrize("file", some(RECORDS, 6), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_each_reading_of_the_turns_before(file: Path) -> None:
    """What is told of each earlier turn under a text is what its readings, one by one, say of it by itself."""
    for item in read(file):
        if not isinstance(item, Game) or not item.record.turns:
            continue
        record, at = item.record, min(12, len(item.record.turns))
        before, told_of = table_before(record, at), dict[tuple[str, int], Stood]()
        for each in stood_before(record, at, before, None, Steps()):
            told_of[each.rulebook, each.turn] = each
        if not before.shown:
            continue
        for rules in BOOKS[1:3]:
            says = dict[int, dict[str, list[Rulings]]]()
            for rulings in readings_of(rules):
                wrong = dict(standing(record, at, (rulings,)).slips[0])
                for turn in range(at):
                    codes = wrong.get(turn, ())
                    end = (
                        {"END01": "win", "END02": "loss", "END03": "stuck"}.get(codes[0], "illegal")
                        if codes
                        else "legal"
                    )
                    says.setdefault(turn, {}).setdefault(end, []).append(rulings)
            for turn, ends in says.items():
                said = told_of.get((rules.rulebook, turn))
                assert (said is None) is (ends.keys() == {"legal"})
                if said is not None:
                    agrees(said, ends)
                    assert rules.rulings in ends[said.taken]


def test_an_outcome_that_no_legal_reading_has_plays_no_part() -> None:
    (game,) = read_text(LOST.replace(" ~~\n*", "\nloss"))
    assert isinstance(game, Game)
    found = dispute(game)
    assert (found.outcome, found.outcome_tree) == (None, None)
    assert {name for name, book in found.rulebooks.items() if book.outcome is not None} == {"en-1", "en-2", "ja-2.2"}
    table = standing(game.record, 3).state
    last, _ = outcomes(game.record, 3, table)
    assert last is not None
    assert last.before == table


def test_what_a_text_leaves_open_is_said_with_both_verdicts() -> None:
    hearts = ROOT / "examples" / "broken" / "hearts.cgn"
    shown = couperation("dispute", hearts).stdout
    assert (
        "en-1, en-2: left open: legal if hearts_below is zero_each, or illegal if hearts_below is zero_all"
        " (taken here: illegal)" in shown
    )
    (data,) = objects(couperation("dispute", hearts, "--output-format", "json"))
    book = data["rulebooks"]["en-2"]
    assert (book["admits"], book["taken"], book["verdict"], book["turn"]) == (
        ["legal", "illegal"],
        "illegal",
        "illegal",
        3,
    )
    assert book["when"] == {"legal": [{"hearts_below": ["zero_each"]}], "illegal": [{"hearts_below": ["zero_all"]}]}


def test_what_an_or_joins_is_plain() -> None:
    """Verdicts are joined by a comma, the terms of one verdict each by an *if* of its own."""
    shown = couperation("dispute", ROOT / "tests" / "data" / "rulings" / "finish_in_hand.no.yes.cgn").stdout
    assert (
        "legal if hearts_below is zero_each and finish_in_hand is no,"
        " or illegal if hearts_below is zero_all or if finish_in_hand is yes (taken here: illegal)" in shown
    )


def test_check_says_once_that_the_text_leaves_a_legal_record_open() -> None:
    """A legal record whose next reading refuses it; only people are told, and of turns that stand nothing is asked."""
    (record,) = [file for file in GAMES if file.stem == "game-50035-adjust"]
    said = "en-2: left open: legal if finish_refill is next, or illegal if finish_refill is at_once (taken here: legal)"
    asked = ("check", record, "--no-verify", "--rules", "en-2")
    assert couperation(*asked).stdout.count(said) == 1
    assert couperation("check", record, "--rules", "en-2 finish_refill=next").stdout.count("left open") == 0
    assert "left open" not in couperation(*asked, "--from", "3").stdout
    for more in (("--output-format", form) for form in ("csv", "github", "sarif", "json", "concise")):
        assert "left open" not in couperation(*asked, *more).stdout


def test_check_asks_nothing_where_no_text_leaves_anything_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_record: Record, **_of: Rules) -> Verdicts:
        raise AssertionError("the readings were asked for")

    monkeypatch.setattr(hanging, "plain_verdicts", refuse)
    (record,) = [file for file in GAMES if file.stem == "game-50035-adjust"]
    asked = ("check", record, "--no-verify")
    assert couperation(*asked, "--rules", "bgg").exit_code == 1
    assert couperation(*asked, "--rules", "ja-2.2 early_apex=no_win").exit_code in (0, 1)
    for form in ("csv", "github", "sarif", "json", "concise"):
        assert couperation(*asked, "--rules", "en-2", "--output-format", form).exit_code == 0
    assert couperation(*asked, "--rules", "en-2", "--quiet").exit_code == 0
    with pytest.raises(AssertionError, match="the readings were asked for"):
        couperation(*asked, "--rules", "en-2")


@pytest.mark.slow
def test_a_comparison_says_whose_text_leaves_the_record_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record parts the rulebooks by a ruling that one of the texts leaves open."""
    asked = ("dispute", "--compare", "en-2", "ja-2.2", "--search", "6")
    partings = [*comparing.compare(parse_rules("en-2"), parse_rules("ja-2.2"), 6)]
    monkeypatch.setattr(comparing, "compare", lambda *_: partings)  # which is asked once for both forms
    (data,) = objects(couperation(*asked, "--output-format", "json"))
    valid("dispute_compare", data)
    open_ = {each["ruling"]: each["open"] for each in data["differences"] if each["open"]}
    assert {*open_} == {"hearts_below", "facedown"}
    when = {"legal": [{"hearts_below": ["zero_each"]}], "illegal": [{"hearts_below": ["zero_all"]}]}
    assert open_["hearts_below"] == {"en-2": {"admits": ["legal", "illegal"], "taken": "illegal", "when": when}}
    assert "; en-2: left open: legal if hearts_below is zero_each, or illegal if" in couperation(*asked).stdout


def test_the_board_and_the_page_show_what_a_text_leaves_open() -> None:
    hearts = ROOT / "examples" / "broken" / "hearts.cgn"
    (game,) = read(hearts)
    assert isinstance(game, Game)
    told = {each["rules"]: each for each in strip(game)}
    assert {name: told[name]["verdict"] for name in registry().rulebooks} == {
        "en-1": "open",
        "en-2": "open",
        "ja-2.2": "legal",
        "bgg": "legal",
    }
    assert worded(told["en-1"]["message"], ENGLISH).startswith("its text leaves it open: legal if “No diamond")
    view: dict[str, Any] = worded(dispute_view(dispute(game)), ENGLISH)
    assert [(each["verdict"], each["outcome"]) for each in view["books"]] == [
        *[("open", "unfinished")] * 2,
        *[("legal", "unfinished")] * 2,
    ]
    assert view["texts"][0].startswith("en-1, en-2: left open: legal if")
    (lost,) = read_text(LOST)
    assert isinstance(lost, Game)
    quarrel: dict[str, Any] = worded(dispute_view(dispute(lost, at=3)), ENGLISH)
    assert [name for name, _ in quarrel["outcomes"]] == ["loss", "unfinished"]
    assert [name for name, _ in quarrel["decisive"]] == ["between", "facedown", "opened_against"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_outcome_of_each_reading_is_that_of_its_replay(seed: int) -> None:
    """Of whole records, and of the last turn by itself, under readings drawn at random, as one by one."""
    record, rng = sampled(seed), Random(seed)
    for _, each in [("whole", record), *rng.sample(list(spoiled(record, seed)), 4)]:
        (game,) = read_text(record_text(replace(each, result=None)))
        if not isinstance(game, Game) or not game.record.turns:
            continue
        for at in (None, rng.randint(1, len(game.record.turns)), len(game.record.turns)):
            found = dispute(game, at=at, whole=True)
            for rulings in [random_reading(rng) for _ in range(40)] + [rules.rulings for rules in BOOKS]:
                if rulings in found.verdicts.legal:
                    assert ended(found, rulings) == check(cut_at(game, at), Rules("own", (), rulings), since=at).result
                elif found.outcome_tree is not None:
                    assert answer(found.outcome_tree, rulings) == told(found.verdicts, rulings)
            if found.outcome is not None:
                conditions = (union(terms or ()) for terms in found.outcome.when.values())
                assert all(readings & found.verdicts.legal for readings in conditions)
            for rules in BOOKS:
                outcome = found.rulebooks[rules.rulebook].outcome
                assert outcome is None or outcome.taken == (
                    check(cut_at(game, at), rules, since=at).result or "illegal"
                )


def cut_at(game: Game, at: int | None) -> Game:
    """The game up to the turn that is asked for."""
    return replace(game, record=cut(game.record, at))


@pytest.mark.slow
def test_an_outcome_that_hangs_on_what_is_not_shown_is_asked_of_check() -> None:
    """An up card that nobody noted may lie beside the opened one; it lies below the 25 in each legal world."""
    text = f"{HEAD}1. Aki A ?@f1\n2. Ben +0 B 30@h1\n3. Aki +0 C h1=30\n*\n"
    (game,) = read_text(text)
    assert isinstance(game, Game)
    assert outcomes(game.record)[1] == {"undetermined": Readings.every()}
    found = dispute(game)
    ends = {name: book.outcome for name, book in found.rulebooks.items()}
    assert {end.taken for end in ends.values() if end is not None} == {"unfinished"}
    assert {name: end.says for name, end in ends.items() if end is not None} == {
        "en-1": "undetermined",
        "en-2": "undetermined",  # other readings of theirs were not asked for
        "ja-2.2": "unfinished",
        "bgg": "unfinished",
    }
    assert "en-1, en-2: whether the text leaves it open is not told: " in plain(found.blocks(), ENGLISH)


def test_the_own_verdict_of_a_record_that_is_not_all_shown_is_known() -> None:
    (game,) = read_text(f"{HEAD}1. Aki A ?@f1\n2. Ben +0 B ?@h1\n*\n")
    assert isinstance(game, Game)
    text = hanging.plainly(game.record, BOOKS[1], "legal")
    assert (text.admits, text.when) == (("legal", "undetermined"), None)
    own = Readings.one(BOOKS[1].rulings)
    text = hanging.admitted({"legal": own, "undetermined": ~own}, "legal", BOOKS[1], Steps())
    assert text.admits == ("legal", "undetermined")
    for rulings in readings_of(BOOKS[1]):
        legal, open_ = (holds((text.when or {})[name], rulings) for name in ("legal", "undetermined"))
        assert (legal, open_) == (rulings == BOOKS[1].rulings, rulings != BOOKS[1].rulings)


def ended(found: Dispute, rulings: Rulings) -> str | None:
    """The outcome under a legal reading where legal ones differ: the one whose condition holds, and to which the tree
    leads; else that of all.
    """
    if found.outcome is None:
        ends = {book.outcome.taken for book in found.rulebooks.values() if book.outcome is not None} - {"illegal"}
        return ends.pop() if ends else check(found.game, Rules("own", (), rulings), since=found.at).result
    (end,) = [name for name, terms in found.outcome.when.items() if holds(terms or (), rulings)]
    assert found.outcome_tree is not None
    assert answer(found.outcome_tree, rulings) == end
    return end
