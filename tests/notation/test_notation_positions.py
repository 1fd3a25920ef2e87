"""Positions that no rule allows: an error at its place. What may happen in a game is read."""

from __future__ import annotations

import pytest

from couperation_formal.game.record import Snapshot
from couperation_formal.notation.read import Malformed, read_text
from couperation_formal.notation.write import position_text

FULL = "25@g1 17@f1 30@h1 20@f2"

AS_LAID_F = "draw_source=as_laid finish"
REFUSED = [
    ("", "tower 25@g1 26@g1", "26@g1", "g1 holds a card already"),
    ("", "tower 25@g1 26@h1 25@i1", "25@i1", "the card 25 lies in two places"),
    ("", "tower 25@g1\nhand Aki 25", "25", "the card 25 lies in two places"),
    ("", "tower 25@g1\nhand Aki 3\ngone 4 3", "3", "the card 3 lies in two places"),
    ("finish", "tower 25@g1\nfront Aki\ndeck F", "F", "the card F lies in two places"),
    ("first", "tower 25@g1\nreserve 1 F", "F", "no Finish card in the variant first"),
    ("first", "tower 25@g1\nfront Aki", "Aki", "no Finish card in the variant first"),
    ("finish", "tower 25@g1 ~F@h1", "~F@h1", "may only lie up"),
    ("", "tower 25@g1 20@f2", "20@f2", "nothing lies on f1"),
    ("", "tower 25@g1 20@d2", "20@d2", "nothing lies on d1 and e1"),
    ("", "tower 25@g1 20@a7", "20@a7", "nothing lies on a6 and b6"),
    ("", "tower 25@g1 ~20@a7", "~20@a7", "the apex lies down"),
    ("finish", "tower 25@g1 20@a7", "20@a7", "the apex is F and nothing else"),
    ("", "tower 30@h1", "tower 30@h1", "g1 is empty"),
    ("", "tower", "tower", "g1 is empty"),
    ("", "tower 25@g1 30@i1", "tower 25@g1 30@i1", "level 1 has a gap"),
    ("", "tower 1@a1 2@b1 3@c1 4@d1 5@e1 6@f1 25@g1 30@h1", "30@h1", "outside the pyramid over columns a to g"),
    ("anchor=middle", "tower 25@g1 24@f1 23@e1 22@d1 21@c1", "21@c1", "outside the pyramid over columns d to j"),
    ("", "tower 25@g1 24@f1 1@m2", "1@m2", "outside every pyramid"),
    ("", "tower 25@g1\nlast h1", "h1", "no card lies on h1"),
    ("", "tower 25@g1\nlast -", "-", "cannot be without a card that sets the next draw"),
    ("draw_source=last_placed", "tower 25@g1\nlast -", "-", "only under draw_source=nothing"),
    ("draw_source=as_laid", "tower 25@g1 ~30@h1\nlast h1 laid down", "laid", "lies down still"),
    ("draw_source=as_laid", "tower 25@g1 20@a7\nlast a7 laid down", "laid", "the apex is laid down"),
    (AS_LAID_F, "tower 25@g1 F@h1\nlast h1 laid down", "laid", "the Finish card is laid down"),
    ("draw_source=as_laid", "tower 25@g1 30@h1\nlast h1 laid up", "up", "only laid down can stand"),
    ("", "tower 25@g1\nskipped 1", "1", "under no_action=skipped only"),
    ("no_action=skipped", "tower 25@g1\nskipped 2", "2", "the game is over"),
    ("", "tower 25@g1\nturn Aki", "turn Aki", "missing: hand Aki, hand Ben, reserve"),
    ("", "tower 25@g1\nturn Aki\nhand Aki 1\nreserve", "turn Aki", "missing: hand Ben"),
    ("", "tower 25@g1\ndeck" + " ?" * 50, "?", "more cards here than the 50"),
    ("finish", "tower 25@g1\ndeck" + " ?" * 51, "?", "more cards here than the 51"),
]

READ = [
    ("draw_source=nothing", "tower 25@g1\nlast -\nreplaced no"),
    ("no_action=skipped", "tower 25@g1\nskipped 1\nreplaced yes"),
    ("", "tower 25@g1\nskipped 0"),
    ("", "tower 25@g1"),
    ("", "tower ?@g1 ~?@h1"),
    ("", "tower 20@f2 25@g1 17@f1"),
    ("", "tower 17@g1 25@f1 30@f2"),
    ("spread=anywhere", "tower 25@g1 30@i1"),
    ("anchor=middle", "tower 25@g1 24@f1 23@e1 22@d1"),
    ("", "tower 25@g1 24@f1 23@e1 22@d1 21@c1 20@b1 19@a1"),
    ("finish", "tower 25@g1\nfront Ben\ndeck" + " ?" * 49),
    ("first", "tower 25@g1\ndeck" + " ?" * 49),
    ("", f"turn Ben\nhand Ben\nreserve 1 50 2 3 4 5 6 7 8\nhand Aki 9 10 11 12 13\ntower {FULL}\nlast f2"),
]


def text_of(how: str, lines: str) -> str:
    words = how.split()
    variant = f'[Variant "{words.pop()}"]\n' if words and words[-1] in ("first", "finish") else ""
    tag = variant + (f'[Rules "{" ".join(words)}"]\n' if words else "")
    return f'[CGN "1"]\n[Players "Aki Ben"]\n{tag}position\n{lines}\n'


@pytest.mark.parametrize("how, lines, place, phrase", REFUSED)
def test_refused(how: str, lines: str, place: str, phrase: str) -> None:
    (item,) = read_text(text_of(how, lines))
    assert isinstance(item, Malformed)
    found = [(item.text[slice(*fault.span)], fault.message) for fault in item.diagnostics if phrase in fault.message]
    assert [text for text, _ in found] == [place]


@pytest.mark.parametrize("how, lines", READ)
def test_read(how: str, lines: str) -> None:
    (item,) = read_text(text_of(how, lines))
    assert isinstance(item, Snapshot), item


def test_what_the_rulings_need_is_kept() -> None:
    (item,) = read_text(
        text_of("no_action=skipped draw_source=nothing", "tower 25@g1\nlast -\nskipped 1\nreplaced yes")
    )
    assert isinstance(item, Snapshot), item
    found = item.position
    assert (found.last, found.idle, found.skipped, found.replaced) == (None, True, 1, True)
    assert position_text(found).splitlines()[-3:] == ["last -", "skipped 1", "replaced yes"]
    (again,) = read_text(position_text(found))
    assert isinstance(again, Snapshot)
    assert again.position == found


@pytest.mark.parametrize("players, phrase", [("Aki", "not 1"), ("A B C D E", "not 5"), ("Aki Aki", "the same name")])
def test_players(players: str, phrase: str) -> None:
    (item,) = read_text(f'[CGN "1"]\n[Players "{players}"]\nposition\ntower 25@g1\n')
    assert isinstance(item, Malformed)
    assert [phrase in fault.message for fault in item.diagnostics] == [True]


def test_the_place_of_the_second_card_is_named() -> None:
    (item,) = read_text(text_of("", "tower 25@g1\nhand Aki 3 { x } 4\ngone 4"))
    assert isinstance(item, Malformed)
    assert item.diagnostics[0].span.start == item.text.index("gone 4") + 5
