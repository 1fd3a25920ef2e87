"""Who may know what: a page for one view is the same whatever this view cannot know."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import couperation_formal as cf
from couperation_formal.game.record import Game, Record, Snapshot
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Variant
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.sample import Policy, sample_game
from couperation_formal.questions.records.states import View, seen_by
from tests.conftest import LONG, some
from tests.page.page import data_of
from tests.page.pages import FINISH, HEAD, LEGAL, page, page_of, page_of_text
from tests.questions.records.spoil import mutations, sampled
from tests.questions.records.worlds import another_world, scrambled

TABLES: list[tuple[int, Variant, str, Policy]] = [
    (2, "first", "ja-2.2", "careful"),
    (2, "finish", "en-1 finish_refill=at_once adjust=up_to reserve_face=either", "careful"),
    (3, "finish", "en-2 reserve_face=either early_apex=no_win", "careful"),
    (4, "first", "bgg draw_amount=up_to opened_against=stands", "random"),
]
if LONG:
    TABLES += [
        (3, "first", "bgg no_action=skipped reserve_face=either facedown=ignored", "random"),
        (4, "first", "ja-2.2 reserve_face=either hearts_below=zero_all", "careful"),
        (4, "finish", "bgg draw_amount=up_to opened_against=stands", "careful"),
    ]


def item_of(text: str) -> Game | Snapshot:
    (item,) = read_text(text, "game.cgn")
    assert isinstance(item, Game | Snapshot), item
    return item


def page_as(text: str, player: str | None) -> str:
    """The page of the one item of a text for one view; nothing but the plain replay judges it."""
    return page([check(seen_by(item_of(text), player), engine="plain")], only=View(player))


def chatty(record: Record) -> str:
    """A record whose recorder tells everything, where nobody asked."""
    deals = " ".join(f"{name} {cards}" for name, cards in record.deals.items())
    text = record_text(replace(record, tags=(*record.tags, ("Remark", deals))))
    text = text.replace('[Event "', f'[Event "{deals} ').replace("\n\n", f"\n; {deals}\n\n{{ {deals} }}\n")
    return "\n".join(f"{line} {{ {deals} }}" for line in text.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("players, variant, rules, policy", some(TABLES, 2))
@pytest.mark.parametrize("seed", range(6 if LONG else 1))
def test_other_cards_where_they_cannot_be_known_make_the_same_page(
    players: int, variant: Variant, rules: str, policy: Policy, seed: int
) -> None:
    """All that is out of sight is dealt anew; of a game that nobody ended stuck, the other world is a legal game."""
    record = sample_game(players, variant, parse_rules(rules), seed, policy)
    if not LONG:
        record = replace(record, turns=record.turns[:14], result=None)
    viewers = (None, *record.players[: None if LONG else 2])
    pages = {player: page_as(record_text(record), player) for player in viewers}
    assert len({*pages.values()}) == len(pages)
    for player, wanted in pages.items():
        seen = seen_by(item_of(record_text(record)), player)
        assert isinstance(seen, Game)
        other = another_world(seen.record, Random(seed))
        told = replace(other, tags=record.tags, marks=record.marks)
        assert (told.deals != record.deals, told.turns != record.turns) == (True, True)
        verdict = check(item_of(record_text(told)), engine="plain")
        assert verdict.verdict == "legal" or {found.code for found in verdict.diagnostics} & {"ACT01", "END03", "END05"}
        assert page_as(chatty(told), player) == wanted


SPOILED = [(seed, name, text) for seed in range(12 if LONG else 2) for name, text in mutations(sampled(seed), seed)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted({seed for seed, _, _ in SPOILED}))
def test_what_breaks_rules_tells_no_more(seed: int) -> None:
    """Records with every kind of error; here the other cards need not make sense."""
    rng, tried, illegal = Random(seed), 0, 0
    for at, name, text in SPOILED:
        item = item_of(text) if at == seed and not name.startswith("flip") else None
        if not isinstance(item, Game):
            continue
        player = rng.choice([None, *item.record.players])
        seen = seen_by(item, player)
        assert isinstance(seen, Game)
        other = scrambled(item.record, seen.record, rng)
        again = seen_by(item_of(record_text(other)), player)
        assert isinstance(again, Game)
        assert again.record == seen.record, (name, player)
        if rng.random() < (0.3 if LONG else 0.1):
            assert page_as(record_text(other), player) == page_as(text, player), (name, player)
        tried, illegal = tried + 1, illegal + (check(item, engine="plain").verdict == "illegal")
    assert tried > 15
    assert illegal > 8


DEALT = "deal Aki 17 30 44 / deal Ben 22 9 3 / deal Chie 5 8 13 / reserve 1 50 12 33 40 / "
FILLED = '[Variant "finish"] / [Rules "ja-2.2 finish_refill=at_once"] / '
SKIPPED = '[Rules "no_action=skipped"] / '
POSITION = (
    "position / tower 25@g1 ~{} / hand Aki 3 9 / hand Ben {} / hand Chie / reserve 1 50 / gone {}"
    " / {}turn Aki / last h1"
)


def cgn(lines: str) -> str:
    """A text of these lines, parted by slashes."""
    return "\n".join(['[CGN "1"]', '[Players "Aki Ben Chie"]', *lines.split(" / "), ""])


PAIRS = {
    "a disputed turn": (
        "Aki",
        DEALT + "1. Aki A 17@f1 / 2. Ben B 22@h1 ~~ ; !",
        DEALT + "1. Aki A 17@f1 / 2. Ben B 9@h1",
    ),
    "another's turn": (
        "Ben",
        DEALT + "1. Aki +4 B 17@f1",
        DEALT.replace("17 30 44", "2 6 7") + "1. Aki +9 B 2@f1 ?!",
    ),
    "a fill": (
        None,
        FILLED + DEALT + "1. Aki +F,9 A F@h1 fill 11,14",
        FILLED + DEALT + "1. Aki +F,2 A F@h1 fill ?,4 { 4! }",
    ),
    "a fill that was not noted": (
        "Chie",
        FILLED + DEALT + "1. Aki +F,9 A F@h1 fill * / 2. Ben +4 B 3@i1",
        FILLED + DEALT + "1. Aki +F,2 A F@h1 fill * / 2. Ben +6 B ?@i1",
    ),
    "draws that were not noted": (
        "Aki",
        DEALT + "1. Aki A 17@f1 / 2. Ben +* B 3@h1 / 3. Chie +* B 5@i1",
        DEALT + "1. Aki A 17@f1 / 2. Ben +* B 9@h1 / 3. Chie +* B ?@i1",
    ),
    "turns that were skipped": (
        None,
        SKIPPED + DEALT + "1. Aki +4 - / 2. Ben +7 -",
        SKIPPED + DEALT + "1. Aki +9 - / 2. Ben +? -",
    ),
    "the deck": (
        "Chie",
        DEALT + "deck 4 6 7 9 / 1. Aki +4 A 17@f1 / 2. Ben +? B 9@h1",
        DEALT + "deck 6 4 / 1. Aki +6 A 17@f1 / 2. Ben +4 B 4@h1",
    ),
    "F in the deck where nobody drew it": (
        "Chie",
        '[Variant "finish"] / ' + DEALT + "deck F 4 / 1. Aki +? A 17@f1",
        '[Variant "finish"] / ' + DEALT + "deck 4 F / 1. Aki +? A 17@f1",
    ),
    "tags": (
        "Chie",
        '[Event "Ben has 22"] / [Secret "9"] / [Date "since Ben has 22"] / ' + DEALT + "1. Aki A 17@f1",
        DEALT + "1. Aki A 17@f1",
    ),
    "marks of cards that are not seen": (
        "Aki",
        '[Marks "17:2 22:H 9:1"] / ' + DEALT + "1. Aki A 17@f1",
        '[Marks "17:2 5:H"] / ' + DEALT + "1. Aki A 17@f1",
    ),
    "F laid down that nobody saw": (
        "Aki",
        DEALT + "1. Aki A 17@f1 / 2. Ben B F@h1",
        DEALT + "1. Aki A 17@f1 / 2. Ben B 3@h1",
    ),
    "a down card called an up one": (
        "Chie",
        DEALT + "1. Aki B 17@f1 / 2. Ben D 22-9=12@f1x17",
        DEALT + "1. Aki B 30@f1 / 2. Ben D 22-9=12@f1x~30",
    ),
    "a card destroyed in action D, and one of a hand that is too large": (
        "Aki",
        DEALT + "1. Aki A 17@f1 / 2. Ben +6,7 D 22-9^3=14@h1 drop 6",
        DEALT + "1. Aki A 17@f1 / 2. Ben +7,2 D 22-9^6=14@h1 drop ?",
    ),
    "what lies down in a position, or is gone": (
        "Aki",
        POSITION.format("26@h1", "4", "5 6", "deck 7 / "),
        POSITION.format("?@h1", "?", "26 ?", ""),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("player, one, other", PAIRS.values(), ids=list(PAIRS))
def test_what_he_cannot_know_is_no_difference(player: str | None, one: str, other: str) -> None:
    assert page_as(cgn(one), player) == page_as(cgn(other), player)
    assert item_of(cgn(one)) != item_of(cgn(other))


TOLD = """\
[CGN "1"]
[Event "Thursday"]
[Date "2026-11-22"]
[Result "loss"]
[Rules "en-1 reserve_face=either"]
[Variant "finish"]
[Players "Aki Ben"]
deal Aki 2 3 4
deal Ben 5 6 7
reserve 1 50 10 11 12 13
deck 20 F 21 8 9
1. Aki +? B 4@f1 ! drop 2
2. Ben +F,21 D 6-5^F_21=~1@f1x? ?! drop 3 trim 12
3. Aki +8 D 2+3=~5@g1x25
4. Ben +0 D 7+8=13@g1x~5
5. Aki +0 C f1=1
loss
"""
SEEN = {
    "Aki": """\
deal Aki 2 3 4
deal Ben ? ? ?
reserve 1 50 10 11 12 13

1. Aki +20 B 4@f1 drop 2
2. Ben +F,? D 6-5^F_?=~1@f1x~4 drop ? trim 12
3. Aki +8 D 2+3=~5@g1x25
4. Ben +0 D 7+8=13@g1x~5
5. Aki +0 C f1=1
loss
""",
    "Ben": """\
deal Aki ? ? ?
deal Ben 5 6 7
reserve 1 50 10 11 12 13

1. Aki +? B ?@f1 drop ?
2. Ben +F,21 D 6-5^F_21=~1@f1x~4 drop 3 trim 12
3. Aki +? D 2+3=~5@g1x25
4. Ben +0 D 7+8=13@g1x~5
5. Aki +0 C f1=1
loss
""",
    None: """\
deal Aki ? ? ?
deal Ben ? ? ?
reserve 1 50 10 11 12 13

1. Aki +? B ?@f1 drop ?
2. Ben +F,? D 6-5^F_?=~1@f1x? drop ? trim 12
3. Aki +? D 2+3=~5@g1x25
4. Ben +0 D 7+8=13@g1x~5
5. Aki +0 C f1=1
loss
""",
}


@pytest.mark.parametrize("player", SEEN)
def test_what_each_knows_card_by_card(player: str | None) -> None:
    """What Aki drew is in the deck's line; Ben sees the 4 that he takes, Aki knows it; the 5 lay in the Reserve."""
    tags, _, rest = str(seen_by(item_of(TOLD), player)).partition("\n\n")
    assert rest == SEEN[player]
    kept = ['[CGN "1"]', '[Date "2026-11-22"]', '[Rules "en-1 reserve_face=either"]', '[Variant "finish"]']
    assert tags.splitlines() == [*kept, '[Players "Aki Ben"]']


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_a_turn_shows_is_what_was_known_then(seed: int) -> None:
    """What is seen of the first turns is the same whether the record goes on or not."""
    record = sample_game(3, "finish", parse_rules("ja-2.2 reserve_face=either"), seed, "careful")
    for player in (None, "Ben"):
        whole = seen_by(item_of(record_text(record)), player)
        assert isinstance(whole, Game)
        cut = len(record.turns) // 2
        text = record_text(replace(record, turns=record.turns[:cut], result=None))
        part = seen_by(item_of(text), player)
        assert isinstance(part, Game)
        assert part.record == replace(whole.record, turns=whole.record.turns[:cut], result=None)
        steps, view = _steps(record_text(record), player), _steps(text, player)
        assert steps[: cut + 1] == view


def _steps(text: str, player: str | None) -> list[dict[str, Any]]:
    return [{**step, "place": ""} for step in data_of(page_as(text, player))["steps"]]


@pytest.mark.slow
@pytest.mark.parametrize("path", some([FINISH, LEGAL]), ids=lambda path: path.stem)
def test_a_view_of_the_full_page_is_the_page_of_this_view(path: Path) -> None:
    full, text = page_of(path), path.read_text(encoding="utf-8")
    item = item_of(text)
    assert isinstance(item, Game)
    for key, player in (("table", None), *((str(at), name) for at, name in enumerate(item.record.players))):
        alone = page_as(text, player)
        one = data_of(alone)
        assert (one["view"], list(one["seen"])) == (key, [key])
        assert data_of(full, view=key)["seen"][key] == one["seen"][key]
        assert f">As {player or 'everybody at the table'} saw it.<" in alone
    assert ">Everybody&#39;s cards.<" in full


def test_a_refused_turn_is_shown_as_it_was_seen() -> None:
    """The 22 that Ben lays down is no 22 to the others; that he has it not, and the turn is refused, nobody sees."""
    text = HEAD + "1. Aki A 17@f1\n2. Ben B 23@h1\n3. Aki A 30@i1\n"
    full = page_of_text(text)
    assert data_of(full)["steps"][-1]["refused"] == {"cell": "h1", "card": "~23"}
    assert data_of(full, view="table")["steps"][-1]["refused"] == {"cell": "h1", "card": "~?"}
    assert [len(data_of(full, view=key)["steps"]) for key in ("all", "table", "0", "1")] == [3] * 4
    assert len(data_of(page_as(text, "Aki"))["steps"]) == 4


@pytest.mark.slow
def test_where_a_view_is_not_told_what_follows_the_last_table_stands() -> None:
    """All know how many cards Ben drew who know his hand: two of the rulings leave open what the others do not see."""
    text = cgn(DEALT + "1. Aki A 17@f1 / 2. Ben +* A 22@f2 / 3. Chie A 5@e1")
    full = page_of_text(text)
    for key in ("all", "table", "0", "1", "2"):
        assert [step["turn"] for step in data_of(full, view=key)["steps"]] == [
            step["turn"] for step in data_of(full)["steps"]
        ]


def test_the_library_gives_what_is_seen() -> None:
    game = cf.sample_game(seed=3)
    seen = cf.seen_by(game, "Ben")
    assert isinstance(seen, cf.Game)
    assert seen.record.deals == {"Aki": (cf.UNSEEN,) * 3, "Ben": game.deals["Ben"]}
    assert str(cf.seen_by(seen, "Ben")) == str(seen)
    assert cf.seen_by(game).record == cf.sample_game(seed=3, public=True)  # type: ignore[union-attr]
    assert [state.turns for state in cf.check(seen, engine="plain").states] == list(range(len(game.turns) + 1))
    with pytest.raises(ValueError, match="there is no player 'ben'; did you mean Ben"):
        cf.seen_by(game, "ben")
    with pytest.raises(TypeError):
        cf.seen_by(game, 1)  # type: ignore[arg-type]
