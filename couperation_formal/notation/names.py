"""Characters that look like those of the notation, and names where something else should stand."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from couperation_formal.game.fact import CONTROL, UNSEEN_MARK, called, fact
from couperation_formal.game.record import Edit, Span
from couperation_formal.notation.parse import Fault, fault, meant_name, name_of, name_written, names_meant, shorten
from couperation_formal.notation.slips import line_fault

# Characters that look like those of the notation, or like nothing at all: what was meant by each.
#
# A keyboard, a word processor or a messenger puts them in place of what was typed. Names and free text may hold any of
# them, but a name that looks like a player's is that player's.

_MEANT: dict[str, str] = {
    **dict.fromkeys("−‐‑‒–—―─━ー﹣－⁻", "-"),
    **dict.fromkeys("“”„‟″«»〝〞〟＂「」『』", '"'),
    **dict.fromkeys("‘’‚‛′＇", "'"),
    **dict.fromkeys("×✕✖╳⨯хΧχ", "x"),
    **dict.fromkeys("〜～∼˜∽", "~"),
    **dict.fromkeys("【〔⟦", "["),
    **dict.fromkeys("】〕⟧", "]"),
    **dict.fromkeys("、，‚‛٫،", ","),
    **dict.fromkeys("。．", "."),
    **dict.fromkeys("＠﹫", "@"),
    **dict.fromkeys("＋﹢✚➕", "+"),
    **dict.fromkeys("＝゠﹦", "="),
    **dict.fromkeys("ˆ＾", "^"),
    **dict.fromkeys("｜│∣ǀ¦", "|"),
    **dict.fromkeys("♥♡❤", "H"),
    **dict(zip("АВЕКМНОРСТХаеорсухіѕјԁһԛԝІЅЈ", "ABEKMHOPCTXaeopcyxisjdhqwISJ", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοα", "ABEZHIKMNOPTYXoa", strict=True)),
    **dict(zip("ⅠⅡ①②③④⑤⑥⑦⑧⑨", ["1", "2", *"123456789"], strict=True)),
}
"""What a character is taken for. Full-width forms are not listed: their compatible form is what was meant."""

_BLANK = re.compile(r"[^\S\x00-\x7f]")
_SUSPECT = re.compile(rf"(?:[^\x00-\x7f]|{CONTROL.pattern})+")
ALIKE = re.compile(
    f"[{''.join(_MEANT)}\uff01-\uff5e\ufe50-\ufe6b\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
    f"{UNSEEN_MARK.pattern[1:-1]}]"
)
"""Whatever may be a look-alike: `meant` knows of no other one."""

_MOST_NAMED = 3
"""So many look-alikes side by side are named."""


def meant(character: str) -> str | None:
    """What a character was meant to be that is not ASCII, or cannot be printed: another one, a blank, nothing (empty);
    None where it looks like none of the notation's."""
    if character in _MEANT:
        return _MEANT[character]
    if _BLANK.match(character):
        return " "
    if UNSEEN_MARK.match(character) or CONTROL.match(character):
        return ""
    if not unicodedata.decomposition(character).startswith(("<wide>", "<narrow>", "<small>")):
        return None
    wide = unicodedata.normalize("NFKC", character)
    return wide if wide.isascii() and len(wide) == 1 and wide.isprintable() else None


def look_alike(text: str, at: int) -> Fault:
    """The fault of look-alikes that stand at offset `at`, with their names, code points and edit."""
    meant_by = "".join(meant(each) or "" for each in text)
    names = [called(character) for character in dict.fromkeys(text)]
    if text == "\ufeff":
        return fault(at, text, "look_mark", meant_by)
    more = (fact("look_more"),) if len(names) > _MOST_NAMED else ()
    kind = "look_nothing" if not meant_by else "look_blank" if not meant_by.strip() else "look_alike"
    return fault(at, text, kind, meant_by, what=(*names[:_MOST_NAMED], *more), meant=meant_by)


def skeleton(name: str) -> str:
    """A name with each look-alike as it was meant, composed (NFC): names with one skeleton look the same."""
    taken = name if plain(name) else "".join(c if (m := meant(c)) is None else m for c in name)
    return unicodedata.normalize("NFC", taken)


def mixed(name: str) -> str | None:
    """The first character of a name that looks like a Latin letter beside Latin letters, or that cannot be seen; None
    where there is none. A name all of whose letters are of another script is as it should be."""
    if name.isascii() or not skeleton(name).isascii() or not any(c.isascii() and c.isalpha() for c in name):
        return None
    letters = (c for c in name if not c.isascii() and ((c.isalpha() and (meant(c) or "").isalpha()) or meant(c) == ""))
    return next(letters, None)


def plain(line: str) -> bool:
    """Whether a line holds no character that could be a look-alike."""
    return _SUSPECT.search(line) is None


def _alike_in(text: str, start: int, end: int) -> Iterator[Fault]:
    """The look-alikes in a stretch of a text, first place first; those side by side are one fault."""
    for m in _SUSPECT.finditer(text, start, end):
        at = m.start()
        for known, run in groupby(m[0], lambda character: meant(character) is not None):
            side_by_side = "".join(run)
            if known:
                yield look_alike(side_by_side, at)
            at += len(side_by_side)


# Names and look-alikes: which words of a line are names, and which characters were not what they look like.

_PLAYERS = re.compile(r'^[^\S\n]*[\[［【]\s*Players\s*["“”„＂]([^"“”„＂\n]*)', re.MULTILINE)
_TAG = re.compile("[\\s\u00ad\u200b-\u200f\u2060\ufeff]*[\\[［【]")
_GOOD_TAG = re.compile(r'[^\S\n]*\[[ \t]*(?P<name>[\x21-\x7e]+)[ \t]*"(?P<value>[^"\n]*)"[ \t]*\][ \t\r]*$')
_QUOTES = re.compile('[“”„‟″«»〝〞〟＂「」『』"]')
_NAMED = re.compile(r"[^\S\n]*(?:[0-9０-９]+[.．。]|deal|hand|turn|front)\s*(?P<name>[^\s\";{}\[\]]+)", re.IGNORECASE)
_STRICT = ("CGN", "Rules", "Variant", "Marks")


def players_of(text: str) -> tuple[str, ...]:
    """The players of a text that may have faults, as far as they can be told."""
    tag = _PLAYERS.search(text)
    if tag is None:
        return ()
    value = "".join(" " if meant(c) == " " else c for c in tag[1])
    words = value.split()
    as_listed = all(text.count(word) == 1 for word in words if word.endswith(",") and word != ",")
    listed = names_meant(value) if as_listed else words
    return tuple(name_of(skeleton(word) if mixed(word) else word) for word in listed)


def look_alikes(line: str, players: tuple[str, ...]) -> list[Fault]:
    """The look-alikes of a line without comments, each with its edit, first place first. Names and free texts are
    theirs who wrote them, but for a name that only looks like a player's.
    """
    if plain(line):
        return []
    if _TAG.match(line):
        return _in_tag(line)
    named = _NAMED.match(line)
    if named is None:
        return list(_alike_in(line, 0, len(line)))
    start, end = named.span("name")
    faults, name = list(_alike_in(line, 0, start)), name_of(line[start:end])
    like = [player for player in players if skeleton(player) == skeleton(name)]
    if len(like) == 1 and name not in players:
        at = next((i for i in range(start, end) if not plain(line[i])), start)
        faults.append(look_alike(line[at], at)._replace(edit=Edit(Span(start, end), like[0])))
    return [*faults, *_alike_in(line, end, len(line))]


def _in_tag(line: str) -> list[Fault]:
    tag = _GOOD_TAG.match(line)
    if tag is None:  # it has not its form yet: its brackets, its name and the two quotes around its value
        quotes = [m.start() for m in _QUOTES.finditer(line)]
        first, last = (quotes[0], quotes[-1]) if len(quotes) > 1 else (len(line), len(line))
        return [*_alike_in(line, 0, min(first + 1, len(line))), *_alike_in(line, last, len(line))]
    start, end = tag.span("value")
    if tag["name"] in _STRICT:
        return list(_alike_in(line, start, end))
    if tag["name"] != "Players":
        return []
    faults = [each for each in _alike_in(line, start, end) if each.edit and each.edit.replacement == " "]
    for m in re.finditer(r"[^\s]+", line[start:end]):
        odd = mixed(m[0])
        if odd is not None:
            faults.append(look_alike(odd, start + m.start() + m[0].index(odd)))
    return faults


# Players' names in lines that have a fault: what is like a name, and a name that stands where something is missing.

_NUMBERED = re.compile(r"\s*[0-9]+\.\s*(\S+)")
_NAME_AND = re.compile(r"(.+?)[:.,;]([A-D]|\+\S+)")
_BEFORE_NAME = re.compile(r"\s*(?:[0-9]+\.|deal|hand|turn|front)[ \t]*")
_LONGEST = 100
"""So far into a line a name with blanks is looked for."""
_JUNK = re.compile(r"\s*([0-9]+\.)\s*[-:.)|]+\s*")
_WORD = re.compile(r"[^\s;{]*")


class Known(NamedTuple):
    """What is known where a line is read: the players, the part of the game, and how many turns stand above."""

    players: tuple[str, ...]
    part: str
    turns: int


def misplaced(line: str, fault: Fault, known: Known) -> Fault | None:
    """A player's name in place of something else: before the cards of a deal, or of a turn on another's line."""
    word = _WORD.match(line, fault.span.start)
    player = word[0].rstrip(":.,") if word else ""
    if word is None or name_of(player) not in known.players or fault.edit is not None:
        return None
    span, before, rest = Span(*word.span()), line[: word.start()], line[word.end() :]
    meant = f"deal {player}"
    if not before.strip() and known.part in ("tags", "setup") and line_fault("setup", meant + rest) is None:
        return Fault(span, fact("deal_missing", meant=shorten(meant)), Edit(span, meant))
    junk = _JUNK.fullmatch(before)
    if junk:
        edit = Edit(Span(junk.end(1), len(before)), " ")
        return Fault(Span(junk.start(1), len(before.rstrip())), fact("begin_number", meant=junk[1]), edit)
    meant = f"{known.turns + 2}. {player}"
    if line_fault("turns", before) is None and line_fault("turns", meant + rest) is None:
        start = len(before.rstrip())
        return Fault(span, fact("line_alone", word=shorten(meant)), Edit(Span(start, span.end), f"\n{meant}"))
    return None


def name_like(line: str, players: Sequence[str]) -> Fault | None:
    """A turn's name that is a player's but for capitals and marks at its end."""
    m = _NUMBERED.match(line)
    name = m[1] if m else ""
    if m is None or name_of(name) in players:
        return None
    both = _NAME_AND.fullmatch(name)
    known = both and name_of(both[1]) in players
    like = " ".join(both.groups()) if both and known else meant_name(name, players)
    if like is None:
        return None
    return fault(m.start(1), name, "name_like", like, name=shorten(name), meant=like)


def name_parted(line: str, fault: Fault, players: Sequence[str]) -> Fault | None:
    """A name in which a blank stands for its ``_``, where the line cannot be read for it."""
    m = _BEFORE_NAME.match(line)
    start = m.end() if m else len(line)
    for word in reversed(list(re.finditer(r"\S+", line[start : start + _LONGEST]))):
        name, span = line[start : start + word.end()], Span(start, start + word.end())
        meant = name_written(name.strip("'‘’“”\":.,"))
        if not meant.count("_") or meant == name or meant not in players:
            continue
        acts = any(meant[: m.start()] in players for m in re.finditer("_[A-D](?=_|$)", meant))  # another's action
        if not acts and start <= fault.span.start <= span.end + 1:
            return Fault(span, fact("name_like", name=shorten(name), meant=meant), Edit(span, meant))
    return None


def without_number(line: str, known: Known) -> Fault | None:
    """A turn that begins with a player's name."""
    word = line.split(maxsplit=1)[0]
    name = word.rstrip(":.,")
    if known.part not in ("tags", "setup", "turns") or name_of(name) not in known.players:
        return None
    numbered = f"{known.turns + 1}. {name}"
    if line_fault("turns", line.replace(word, numbered, 1)) is not None:
        return None
    return fault(line.index(word), word, "begin_missing", numbered, number=known.turns + 1, name=shorten(name))


def name_missing(line: str, fault: Fault, known: Known) -> Fault:
    """A turn in which an action's letter stands where the name of the player who is due should."""
    dot = line.rindex(".", 0, fault.span.start) + 1
    due = known.players[known.turns % len(known.players)]
    return fault._replace(edit=Edit(Span(dot, dot), f" {due}"))
