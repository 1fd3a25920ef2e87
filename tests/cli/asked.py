"""What players ask in their own words: wordings that no page has, what nothing is near to, and twelve quarrels."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from couperation_formal.questions.records.ask import nearest, questions

_DATA = Path(__file__).resolve().parents[1] / "data" / "asked.toml"
_JAPANESE = re.compile(r"[\u3041-\u9fff]")
ASKED = tomllib.loads(_DATA.read_text(encoding="utf-8"))


def found(asked: Sequence[tuple[str, list[str]]]) -> tuple[int, int]:
    """Of wordings with the titles that answer them: how many found an answer first, and how many in the first three."""
    ways = [([questions()[place].title for place, _ in nearest(words)[:3]], titles) for words, titles in asked]
    first, three = (sum(not {*found[:most]}.isdisjoint(titles) for found, titles in ways) for most in (1, 3))
    return first, three


def wordings(half: int, english: bool) -> list[tuple[str, list[str]]]:
    """Half 0 set what is near, half 1 is held out. What a page says nearly so is left out."""
    every = ((words, title) for title, asked in [*ASKED["wordings"].items()][half::2] for words in asked)
    return [
        (words, [title]) for words, title in every if bool(_JAPANESE.search(words)) != english and not _on_a_page(words)
    ]


def honest(half: int) -> tuple[int, int]:
    """How many of the wordings that no page answers have nothing near, and of how many."""
    asked = ASKED["nothing"][half::2]
    return sum(not nearest(words) for words in asked), len(asked)


def _on_a_page(words: str) -> bool:
    """Whether a page has these words, or nearly so: six of ten in both."""
    mine = _parts(words)
    every = (
        _parts(each)
        for question in questions()
        for each in (question.title, *(title for title, _ in question.twins.values()), *question.asked)
    )
    return any(10 * len(mine & other) >= 6 * len(mine | other) for other in every)


@cache
def _parts(words: str) -> frozenset[str]:
    """English words, and Japanese letters by twos."""
    pairs = (words[at : at + 2] for at in range(len(words) - 1))
    return frozenset(re.findall(r"[a-z0-9]+", words.lower()) if not _JAPANESE.search(words) else pairs)


NONSENSE = (
    *("what is the weather", "pizza", "zebra crossing", "who won the football match", "price of bitcoin", "hello"),
    *("best strategy for chess", "my cat ate the box", "bake a cake", "lorem ipsum dolor sit amet", "password reset"),
    *("what time is it", "how tall is the Eiffel tower", "who is the president", "my printer does not work", "42"),
    *("tell me a joke", "train to Berlin", "can dogs eat chocolate", "is it raining in Tokyo", "good morning"),
    *("recipe for soup", "how do I reset my phone", "monopoly houses", "the", "may I", "", "?!", "capital of France"),
)
"""Nothing is near to these."""

TRIALS = {
    "a quarrel over joker backs": ("is a joker", "facedown"),
    "two backs in one gap": ("Two face-down cards lie in one gap", "facedown"),
    "the draw after an opened card": ("Do I draw by it", "draw_source"),
    "a heart over a back": ("over a face-down card and two", "heart_over_back"),
    "a skipped player": ("we skipped her", "no_action"),
    "the Finish card's refill": ("hold one card. May I fill up", "finish_refill"),
    "one card +1 and one -1": ("one count plus one", "adjust"),
    "an opened card that starves a back": ("had no number left. Lost", "opened_against"),
    "a second replacement, of the 25": ("the 25 at that", "replacements"),
    "an early apex": ("while a card below is still", "early_apex"),
    "an agreed slip before the quarrel": ("We let a slip stand", "hearts_below"),
    "an unnoted mark": ("nobody wrote down its mark", None),
}
"""Twelve quarrels: a part of the question's title, and a ruling that decides it."""


if __name__ == "__main__":
    for half, name in enumerate(("set by", "held out")):
        for language, asked in (("English", wordings(half, True)), ("Japanese", wordings(half, False))):
            print(f"{name}, {language}: {found(asked)} of {len(asked)}")
        print(f"{name}, nothing near: {honest(half)}")
