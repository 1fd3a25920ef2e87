"""What a verdict takes for granted, as warnings: a tag that is unknown and near a known one, the default rulebook where
another one judges otherwise, marks that are missing where a draw hangs on them, a comment that holds a part of the
game, a tag that contradicts the result, a record without turns. Each is told once a record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import SequenceMatcher

from couperation_formal.analysis.verdict import Report, place
from couperation_formal.game.diagnostic import NOTATION, Diagnostic, Edit
from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.record import Game, Snapshot, Span
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rulings import Rules, registry
from couperation_formal.notation.bare import swallowed
from couperation_formal.notation.fault import shorten
from couperation_formal.notation.read import told

_KNOWN = ("CGN", "Players", "Rules", "Variant", "Marks", "Event")
"""The tags that are read."""

_GUESSED = ("Rules", "Variant", "Marks")
"""Tags that change a verdict and that a record may lack: what is like one of them is taken for a slip."""

_LIKE, _LIKE_AT_ALL = 0.6, 0.85
"""How like a known name another one is that begins, or does not begin, with its letter: *Ruling* is like *Rules*,
*Remarks* is not like *Marks*.
"""

_MOST = 8
"""So many turns, or characters beyond those of a known name, are looked at."""


def warnings(game: Game, report: Report, own: bool, since: int = 0) -> tuple[Diagnostic, ...]:
    """The warnings on a game that was judged: by its `own` rules, or by others in their place; `since` as in
    `verify.check`.

    Cost: next to nothing for a record that has the tag `Rules` and leaves no doubt. Where `Rules` is missing a plain
    replay for each other rulebook, up to the first that judges otherwise; where a doubt is left one more.
    """
    found = dict(_near(game, game.record.rules if own else None))
    tags = game.layout.tags  # none, where the game was read from no text
    if own and "CGN" in tags and "Rules" not in tags and "Rules" not in found:
        found |= _defaulted(game, report, since)
    if "Marks" not in found and report.rules is not None and (report.world or report.verdict == "undetermined"):
        found |= _unmarked(game, report, replay(game.record, report.rules.rulings, since=since))
    text = game.layout.text
    if ";" in text or "{" in text:
        for place, what, edit in swallowed(text, game.record.players):
            found[what.kind] = _warning(place, what, edit=edit)
    return tuple(found.values())


def end_warnings(game: Game) -> Iterator[Diagnostic]:
    """Those on a record that was read to its end: it has no turns, or a tag, as games of chess have it, states another
    result than the last line.
    """
    tags = game.layout.tags
    if "CGN" in tags and not game.record.turns:
        yield _warning(tags["CGN"], fact("no_turn_recorded"))
    if "Result" in tags:
        from couperation_formal.notation.slips import result

        stated, line = result((game.record.tag("Result") or "").strip()), game.record.result or "*"
        if stated in ("win", "loss", "stuck", "*") and stated != line:
            yield _warning(tags["Result"], fact("result_tag", tag=stated, line=line))


def tag_warnings(item: Game | Snapshot, own: bool = True) -> tuple[Diagnostic, ...]:
    """Only those on tags, which take no replay: all that there are on a position."""
    rules = item.record.rules if isinstance(item, Game) else item.position.rules
    return tuple(found for _, found in _near(item, rules if own else None))


def _warning(span: Span, what: Fact, turn: int | None = None, edit: Edit | None = None) -> Diagnostic:
    return Diagnostic(code=NOTATION, severity="warning", turn=turn, span=span, message=told(what), edit=edit)


def _near(item: Game | Snapshot, rules: Rules | None) -> Iterator[tuple[str, Diagnostic]]:
    """The tags that are near a known one, by the known one. `rules` are those taken, None where the item's own are not
    asked for.
    """
    tags, told = item.layout.tags, set[str]()
    for name, span in tags.items():
        known = None if name in _KNOWN else _meant(name, tags)
        if known is None or known in told or (known == "Rules" and rules is None):
            continue
        told.add(known)
        values: dict[str, Datum] = {"rules": str(rules)} if known == "Rules" else {}
        lacking = known not in tags
        taken = fact(f"lacking_{known.lower()}", **values) if lacking else fact("another_counts", known=known)
        start = item.layout.text.find(name, *span)
        here = Span(start, start + len(name)) if start >= 0 else span
        what = fact("tag_unknown", name=shorten(name), known=known, taken=taken)
        yield known, _warning(here, what, edit=Edit(here, known) if lacking and here != span else None)


def _meant(name: str, tags: Collection[str]) -> str | None:
    """The known tag that a name is but for its case, or that it is like where there is no such tag."""
    for known in _KNOWN:
        if name.lower() == known.lower():
            return known
    wanted = [known for known in _GUESSED if known not in tags and len(name) <= len(known) + _MOST]
    found = [(SequenceMatcher(None, name.lower(), known.lower()).ratio(), known) for known in wanted]
    like = [
        (how, known) for how, known in found if how >= (_LIKE if name[0].lower() == known[0].lower() else _LIKE_AT_ALL)
    ]
    return max(like)[1] if like else None


def _defaulted(game: Game, report: Report, since: int) -> Iterator[tuple[str, Diagnostic]]:
    """That the default rulebook was taken, where another one judges otherwise."""
    known = registry()
    for book, rulings in known.rulebooks.items():
        if book == known.default:
            continue
        otherwise = _otherwise(report, replay(game.record, rulings, since=since))
        if otherwise is not None:
            what = fact("rules_missing", book=known.default, other=book, otherwise=otherwise)
            yield "Rules", _warning(game.layout.tags["CGN"], what)
            return


def _otherwise(report: Report, other: Replay) -> Fact | None:
    """What another rulebook surely says of a game that the report does not; None where it cannot be told plainly."""
    if other.illegal is not None:
        later = other.illegal > report.turn if report.turn is not None else False
        if other.illegal == report.turn or (later and other.doubts):
            return None
        return fact("under_illegal", turn=other.illegal, clause=other.broken[0].clause)
    if other.doubts:
        return None
    if report.verdict != "legal":
        return fact("under_legal")
    return None if other.reached in report.results else fact("under_end", reached=other.reached)


def _unmarked(game: Game, report: Report, outcome: Replay) -> Iterator[tuple[str, Diagnostic]]:
    """That marks are missing on which draws hang. Of an open verdict the note tells the first doubt already."""
    doubts = outcome.doubts[report.verdict == "undetermined" :]
    turns = list(dict.fromkeys(doubt.turn for doubt in doubts if _of_marks(doubt.what)))
    if turns:
        shown = (*turns[:_MOST], *(["…"] if len(turns) > _MOST else []))
        span = place(turns[0], "draw", game.layout)
        draws = fact("draw_of", turn=turns[0]) if len(turns) == 1 else fact("draws_of", turns=shown)
        yield "Marks", _warning(span, fact("marks_missing", draws=draws), turns[0])


def _of_marks(what: Fact) -> bool:
    """Whether a doubt is about a draw after a card whose mark, or those of its supports, are not given."""
    why = dict(what.beside).get("why")
    if not isinstance(why, Fact):
        return False
    beside = dict(why.beside)
    return why.kind == "why_no_mark" or (why.kind == "why_heart" and "?" in (beside["left"], beside["right"]))
