"""Comments that hold what may have been meant as a part of the game: a stray ``;``, a ``{`` that is closed too late.
And what a game came in: a block of Markdown, a quoted mail, the last line of another game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.fact import fact
from couperation_formal.model.record import Span
from couperation_formal.notation.fault import Fault, shorten
from couperation_formal.notation.words import name_of

_AFTER = re.compile(
    r";[ \t]*(?P<part>(?:[0-9]{1,4}\.[ \t]*(?P<name>[^\s\";{}\[\]]+)|(?:drop|trim|fill)[ \t]+[0-9F?,]+[ \t\r]*$))",
    re.MULTILINE,
)
_LATE = re.compile(r"\{[^{}]*\n[^{}]*\{")


_WRAPPINGS = (
    (fact("fences"), "", r"^[ \t]*+(?:```|~~~)[^\n\0]*+\n?", ""),
    (fact("quoted_mail"), r"^[ \t]*+>[ \t>]*+(?:\[CGN |[0-9]+\.)", r"^[ \t]*+>(?:[ \t]?>)*+[ \t]?", ""),
    (fact("game_joined"), "", r"(?<=[^\s\ufeff])[ \t]*+(?=\[CGN[ \t]+\")", "\n"),
)
"""The fault, what tells it, all that is replaced, and by what."""


def wrapping(text: str) -> Fault | None:
    """What a text that cannot be read came in, and the edit that takes it out. Cost: linear."""
    from couperation_formal.notation.bare import bare_text

    shown = zip(text, bare_text(text).text, strict=True)
    bare = "".join(left if left == each else "\0" for each, left in shown)  # comments count as text of one's own
    for what, sign, wrapped, meant in _WRAPPINGS:
        begins = re.search(sign, bare, re.MULTILINE)
        if begins is None:
            continue
        unquoted = re.finditer(r"^[ \t]*+(?!>)[^\n]*+\n", bare[: begins.start()], re.MULTILINE)
        start = max((m.end() for m in unquoted), default=0)
        whole = text if sign else bare  # a mail is quoted with its comments
        found = list(re.compile(wrapped, re.MULTILINE).finditer(whole, start))
        if found:
            meant = meant if "\r\n" not in text else meant.replace("\n", "\r\n")
            span = Span(found[0].start(), found[-1].end())
            kept = [text[m.end() : after.start()] for m, after in pairwise(found)]
            edit = Edit(span, meant.join(["", *kept, ""]))
            return Fault(Span(span.start, max(span.start + 1, found[0].end())), what, edit)
    return None


def swallowed(text: str, players: Sequence[str]) -> list[Fault]:
    """The first ``;`` of a text that can be read after which a turn stands, or a drop, trim or fill, in a line that
    does not begin with it; the first ``{`` that goes on over a line end to another one. Cost: a search for both signs,
    and linear where one is found.
    """
    found: list[Fault] = []
    names = [name_of(each) for each in players]
    for m in _AFTER.finditer(text):
        named = m["name"] is None or name_of(m["name"].rstrip(":.,")) in names
        if named and text[text.rfind("\n", 0, m.start()) + 1 : m.start()].strip() and _opens(text, m.start()):
            word = shorten(" ".join(m["part"].split()))
            found.append(Fault(Span(m.start(), m.start() + 1), fact("comment_part", word=word)))
            break
    if text.count("{") > text.count("}"):
        late = next((m for m in _LATE.finditer(text, 0, text.rfind("}") + 1) if _opens(text, m.start())), None)
        if late is not None:
            found.append(Fault(Span(late.start(), late.start() + 1), fact("comment_late")))
    return found


def _opens(text: str, at: int) -> bool:
    """Whether a comment begins at a place; what knows of slips is imported only where that is asked."""
    from couperation_formal.notation.bare import bare_text

    before = bare_text(text[:at] + "-", accepted=True)
    return before.text[-1] == "-" and not any(text[place] == "{" for place in before.open)
