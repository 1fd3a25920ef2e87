"""A language in which every word stands in brackets, for the tests that look for words of another one."""

from __future__ import annotations

from string import Formatter

from couperation_formal.words.english import ENGLISH


def foreign(sentence: str) -> str:
    """The sentence with everything but its places in brackets."""
    parts = []
    for text, name, word, _ in Formatter().parse(sentence):
        parts.append(f"⟦{text}⟧" if text else "")
        parts.append("" if name is None else f"{{{name}:{word}}}" if word else f"{{{name}}}")
    return "".join(parts)


class Catalog(dict[str, str]):
    """A catalog that notes which sentences are said."""

    def __init__(self) -> None:
        super().__init__({kind: foreign(sentence) for kind, sentence in ENGLISH.items()})
        self.said: set[str] = set()

    def __getitem__(self, kind: str) -> str:
        self.said.add(kind)
        return super().__getitem__(kind)
