"""What of a text in another language stands in Latin letters."""

from __future__ import annotations

import re

from couperation_formal.game.rulings import registry
from couperation_formal.output.report import clauses

WORDS = re.compile(r"[A-Za-z]{2}[A-Za-z0-9_-]*")
OWN = {"CGN", "Rules", "Marks", "JSON", "Z3", "spec", "md", "cgn", "couperation", "drop", "trim", "at", "ja-2"}
OWN |= {"BoardGameGeek"}
"""Words that are the same in each language: of the notation, of files and programs."""


def foreign_words(text: str) -> set[str]:
    """Words in Latin letters, but ids and what is the same in each language."""
    known = {*OWN, *registry().rulebooks, *(word for each in clauses() for word in WORDS.findall(each))}
    for name, ruling in registry().rulings.items():
        known |= {name, *ruling.option_names()}
    return {*WORDS.findall(text)} - known
