"""Texts near to some words, ranked by BM25 (Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=\w{3})(?:ements?|ings?|ed|es|s|e)$")
_SATURATION, _LENGTH = 1.2, 0.6

_COMMON = 0.5
"""A word in a larger share of the texts than this tells nothing."""


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without their endings."""
    return [_ENDING.sub("", word) for word in _WORD.findall(text.lower())]


def ranked(query: str, texts: Sequence[Mapping[str, int]]) -> list[tuple[int, float]]:
    """The places of the texts that share a telling word with the query, and their scores, the nearest first. A text
    counts its words (`weighted`). Cost: linear in the words of all texts.
    """
    wanted = set(words_of(query))
    sizes = [sum(text.values()) for text in texts]
    usual = sum(sizes) / max(1, len(texts))
    holding = Counter(word for text in texts for word in wanted & text.keys())
    weight = {word: log(len(texts) / count) for word, count in holding.items() if count <= _COMMON * len(texts)}
    scores = [
        sum(
            weight[word] * text[word] * (_SATURATION + 1)
            / (text[word] + _SATURATION * (1 - _LENGTH + _LENGTH * size / usual))
            for word in weight.keys() & text.keys()
        )
        for text, size in zip(texts, sizes, strict=True)
    ]  # fmt: skip
    found = [(place, score) for place, score in enumerate(scores) if score > 0]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def weighted(*parts: tuple[str, int]) -> Counter[str]:
    """The words of a text, each word of a part counted so many times."""
    counts: Counter[str] = Counter()
    for text, times in parts:
        for word in set(words_of(text)):
            counts[word] += times
    return counts
