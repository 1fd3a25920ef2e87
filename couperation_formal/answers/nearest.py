"""Texts near to some words, ranked by BM25 (Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log
from unicodedata import normalize

import msgspec

_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=\w{3})(?:ements?|ings?|ed|es|s|e)$")
_TWICE = re.compile(r"([^\W\d])\1$")
_SATURATION, _LENGTH = 1.2, 0.6

_NEAR, _NEAR_ALONE = 0.33, 0.55
"""A text is near if it scores this share of what one would that has every word of the query four times; the second one
where it has but one of these words, which chance may have brought there.
"""

_FULL = 4

_COMMON, _RARE = 0.5, 0.05
"""A word in a larger share of the texts tells nothing, one in a smaller share or in none no more than one in this."""

_SPELLED = 5
"""A shorter word is not taken for another one that is spelled nearly like it."""


class Words(msgspec.Struct, frozen=True):
    """What is known of words, by their stems: `silent` ones tell nothing, `same` has what one or several words count
    as. `spelled` are the words of both, `longest` is how many count as one at most.
    """

    silent: frozenset[str] = frozenset()
    same: Mapping[tuple[str, ...], str] = {}
    spelled: frozenset[str] = frozenset()
    longest: int = 1

    @staticmethod
    def of(silent: Collection[str], same: Mapping[str, Collection[str]]) -> Words:
        """From words as people write them."""
        stems = {_stems(each): "-".join(_stems(word)) for word, others in same.items() for each in (word, *others)}
        quiet = frozenset(stem for each in silent for stem in _stems(each))
        return Words(quiet, stems, quiet.union(*stems), max(map(len, stems), default=1))


NO_WORDS = Words()


def words_of(text: str, known: Words = NO_WORDS) -> list[str]:
    """The words of a text as they are compared: in small letters, without endings, what counts as another word as that
    one, and without those that tell nothing.
    """
    return _telling(_stems(text), known)


def _telling(stems: Sequence[str], known: Words) -> list[str]:
    return [word for word in _told(stems, known) if word not in known.silent]


def _stems(text: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in _WORD.findall(normalize("NFKC", text).casefold()))


def _stem(word: str) -> str:
    """Without its ending; a letter that stands there twice stands there once, so that passing passes as pass does."""
    stem = _TWICE.sub(r"\1", _ENDING.sub("", word))
    return f"{stem[:-1]}i" if len(stem) > 2 and stem.endswith("y") else stem


def _told(stems: Sequence[str], known: Words) -> Iterator[str]:
    """The longest words that count as another one, from the left."""
    at = 0
    while at < len(stems):
        for size in range(min(known.longest, len(stems) - at), 0, -1):
            if (found := known.same.get(tuple(stems[at : at + size]))) is not None:
                break
        else:
            size, found = 1, stems[at]
        yield found
        at += size


def ranked(query: str, texts: Sequence[Mapping[str, int]], known: Words = NO_WORDS) -> list[tuple[int, float]]:
    """The places of the texts near to the query, and their scores, the nearest first. A text counts its words
    (`weighted`). A word that nobody knows is taken for one that is spelled nearly like it; else it lowers what is near,
    but for a number, which may be any. Cost: linear in the words of all texts.
    """
    holding = Counter(word for text in texts for word in text)
    told = _telling([_spelled(stem, holding, known) for stem in _stems(query)], known)
    wanted = dict.fromkeys(word for word in told if word in holding or not word.isdecimal())
    many = max(1, len(texts))
    weight = {word: -log(max(_RARE, share)) for word in wanted if (share := holding[word] / many) <= _COMMON}
    sizes = [sum(text.values()) for text in texts]
    usual = sum(sizes) / many
    full = sum(weight.values()) * _counted(_FULL, 1)
    found = []
    for place, (text, size) in enumerate(zip(texts, sizes, strict=True)):
        shared = [word for word in weight if word in text]
        score = sum(weight[word] * _counted(text[word], size / usual) for word in shared)
        if shared and score >= full * (_NEAR if len(shared) > 1 else _NEAR_ALONE):
            found.append((place, score))
    return sorted(found, key=lambda each: (-each[1], each[0]))


def _counted(times: float, size: float) -> float:
    """What a word counts that stands in a text so many times; `size` is the text's by the usual one."""
    return times * (_SATURATION + 1) / (times + _SATURATION * (1 - _LENGTH + _LENGTH * size))


def _spelled(word: str, texts: Counter[str], known: Words) -> str:
    """The word itself, or the commonest known one that is one slip of the pen away from it."""
    if word in texts or word in known.spelled or len(word) < _SPELLED:
        return word
    every = texts.keys() | known.spelled
    near = [each for each in every if abs(len(each) - len(word)) <= 1 and each[0] == word[0] and _one_slip(each, word)]
    return max(near, key=lambda each: (texts[each], each), default=word)


def _one_slip(one: str, other: str) -> bool:
    """Whether a letter more, less, other, or two the other way round make one word of the other."""
    short, long = sorted((one, other), key=len)
    at = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[:at] + short[at : at + 2][::-1] + short[at + 2 :]
    return short[at + 1 :] == long[at + 1 :] or swapped == long


def weighted(*parts: tuple[str, int], known: Words = NO_WORDS) -> Counter[str]:
    """The words of a text, each word of a part counted so many times."""
    counts: Counter[str] = Counter()
    for text, times in parts:
        for word in set(words_of(text, known)):
            counts[word] += times
    return counts
