"""The verdict on a recorded game as a value, how what a replay finds becomes a diagnostic, and its certificates."""

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from couperation_formal.game import record as recorded
from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.record import NOTATION, Change, Diagnostic, Edit, Game, Layout, Record, Snapshot, Span
from couperation_formal.game.replay import Broken, Replay, mends, replay
from couperation_formal.game.rules.clauses import ORDER_RULINGS
from couperation_formal.game.rules.step import Finding, Step, fails
from couperation_formal.game.rules.turn import as_down, draw_source, ending, lost_by
from couperation_formal.game.rulings import Rules, Rulings, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import UNSEEN, Mark, Up, Value
from couperation_formal.hidden.readings.standing import findings, mends_at, standing, step_of
from couperation_formal.notation.parse import shorten
from couperation_formal.notation.read import swallowed
from couperation_formal.notation.write import record_text
from couperation_formal.output.report import Report
from couperation_formal.questions.records.hanging import plainly


def plain_report(game: Game, rules: Rules, outcome: Replay, since: int = 0) -> Report:
    """The report on what the plain replay found; `since` as it was asked there."""
    own = [one for one in outcome.broken if not one.warning]
    legal: tuple[Change, ...] = ()
    if own and all(one.mends for one in own):  # a clause that no change mends is broken under all of them
        legal = tuple(each for each, sure in mends_at(game.record, own[0].turn, rules.rulings, since).items() if sure)
    broken = tuple(diagnostic(one, game.layout, at > 0, legal) for at, one in enumerate(outcome.broken))
    verdict: recorded.Verdict = "legal"
    if outcome.illegal is not None:
        verdict = "illegal"
    elif outcome.doubts:
        verdict = "undetermined"
        doubt = outcome.doubts[0]
        broken += (diagnostic(Broken(doubt.turn, doubt.clause, doubt.what, "action"), game.layout, note=True),)
    broken += slips(game, outcome)
    if verdict == "legal":
        broken += lost(game, rules, outcome)
    return Report(
        item=game,
        rules=rules,
        verdict=verdict,
        results=(outcome.reached,) if verdict == "legal" and outcome.reached else (),
        turn=outcome.illegal,
        diagnostics=broken,
        states=outcome.states,
    )


def slips(game: Game, outcome: Replay) -> tuple[Diagnostic, ...]:
    """What turns break that stand as they were played, as notes."""
    return tuple(diagnostic(slip, game.layout, note=True) for slip in outcome.slips)


def lost(game: Game, rules: Rules, outcome: Replay, results: int = 0) -> tuple[Diagnostic, ...]:
    """A note that tells by what a game was lost (END02, END03); nothing of another one. Where the outcome is that of
    one world, legal worlds have so many `results`.
    """
    step = outcome.last
    if step is None or outcome.reached == "win":
        return ()

    def loses(step: Step, changed: Rulings) -> Finding | None:
        return fails("lost_stuck", {}) if ending(step, changed) in ("loss", "stuck") else None

    if outcome.reached == "stuck":
        clause, what = "END03", fact("lost_skipped" if rules.rulings.no_action == "skipped" else "lost_stuck")
    else:
        kind = "lost_maybe" if results > 1 else "lost_perhaps" if results else "lost_so"
        clause, what = "END02", fact(kind, why=lost_by(step, rules.rulings))
    hangs = mends(loses, _losing_rulings(step), step, rules.rulings) if not results else ()
    return (diagnostic(Broken(step.after.turns, clause, what, "action", hangs), game.layout, note=True),)


def _losing_rulings(step: Step) -> tuple[str, ...]:
    """Those that can decide whether this turn, which lost the game, does."""
    if isinstance(step.turn.action, recorded.NoAction):
        return ("no_action",)
    return (*ORDER_RULINGS, "opened_against") if isinstance(step.turn.action, recorded.Open) else ("early_apex",)


def why_nowhere(record: Record, at: int) -> Fact | None:
    """What is plainly wrong with a turn that cannot be carried out: who plays it, or a card that is not there."""
    state = standing(record, at).state if at else None
    if state is None:
        return None
    turn = record.turns[at - 1]
    rulings = next(iter(registry().rulebooks.values()))
    wrong = findings(state, turn, at, step_of(state, turn), rulings)
    asked = "SET06" if turn.player in record.players else "END06"
    return next((finding.what for code, finding in wrong if code == asked), None)


def diagnostic(broken: Broken, layout: Layout, note: bool = False, legal: tuple[Change, ...] = ()) -> Diagnostic:
    """A finding at its place in the text: a warning where it is one, a note where asked for, else an error. `legal`
    are the changes that make its turn legal.
    """
    severity: recorded.Severity = "warning" if broken.warning else "note" if note else "error"
    span = place(broken.turn, broken.part, layout)
    return Diagnostic(
        code=broken.clause,
        severity=severity,
        turn=broken.turn,
        span=span,
        what=broken.what,
        rulings=broken.rulings,
        mends=broken.mends,
        legal_with=() if broken.warning else legal,
        edit=_edit(broken.what, span),
    )


def _edit(what: Fact, span: Span) -> Edit | None:
    """What mends a name that was surely meant otherwise, or was left out before the draw (END06)."""
    told = dict((*what.numbers, *what.beside))
    if what.kind == "no_player_like":
        return Edit(span, str(told["meant"]))
    if what.kind == "no_player_draw":
        return Edit(Span(span.start, span.start), f"{told['due']} ")
    return None


def place(turn: int, part: str, layout: Layout) -> Span:
    """The stretch of the game's text that holds a part of a turn, or a line of the set-up (turn 0)."""
    if part == "result" and layout.result is not None:
        return layout.result
    if turn == 0 or not layout.turns:
        return layout.lines.get(part) or layout.tags.get(part) or layout.tags.get("Players") or Span(0, 0)
    at = layout.turns[turn - 1]
    span: Span | None = getattr(at, part, None)
    return span or (at.player if part == "draw" else at.action)


# What a verdict takes for granted, as warnings: a tag that is unknown and near a known one, the default rulebook where
# another one judges otherwise, marks that are missing where a draw hangs on them, a comment that holds a part of the
# game, a tag that contradicts the result, a record without turns. Each is told once a record.

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
    `check.check`.

    Cost: next to nothing for a record that has the tag `Rules` and leaves no doubt. Where `Rules` is missing a plain
    replay for each other rulebook, up to the first that judges otherwise, and what `plainly` takes for that one; where
    a doubt is left one more.
    """
    warned = dict(_near(game, own))
    tags = game.layout.tags  # none, where the game was read from no text
    if own and "CGN" in tags and "Rules" not in tags and "Rules" not in warned:
        warned |= _defaulted(game, report, since)
    if "Marks" not in warned and report.rules is not None and (report.world or report.verdict == "undetermined"):
        warned |= _unmarked(game, report, replay(game.record, report.rules.rulings, since=since))
    text = game.layout.text
    if ";" in text or "{" in text:
        for place, what, edit in swallowed(text, game.record.players):
            warned[what.kind] = warning(place, what, edit=edit)
    return tuple(warned.values())


def end_warnings(game: Game) -> Iterator[Diagnostic]:
    """Those on a record that was read to its end: it has no turns, or a tag, as games of chess have it, states another
    result than the last line.
    """
    tags = game.layout.tags
    if "CGN" in tags and not game.record.turns:
        yield warning(tags["CGN"], fact("no_turn_recorded"))
    if "Result" in tags:
        from couperation_formal.notation.slips import result

        stated, line = result((game.record.tag("Result") or "").strip()), game.record.result or "*"
        if stated in ("win", "loss", "stuck", "*") and stated != line:
            yield warning(tags["Result"], fact("result_tag", tag=stated, line=line))


def tag_warnings(item: Game | Snapshot, own: bool = True) -> tuple[Diagnostic, ...]:
    """Only those on tags, which take no replay: all that there are on a position."""
    return tuple(each for _, each in _near(item, own))


def warning(span: Span, what: Fact, turn: int | None = None, edit: Edit | None = None) -> Diagnostic:
    """A warning about the text."""
    return Diagnostic(code=NOTATION, severity="warning", turn=turn, span=span, what=what, edit=edit)


def _near(item: Game | Snapshot, own: bool) -> Iterator[tuple[str, Diagnostic]]:
    """The tags that are near a known one, by the known one; of the rules only where the item's `own` are asked for."""
    rules = item.record.rules if isinstance(item, Game) else item.position.rules
    tags, told = item.layout.tags, set[str]()
    for name, span in tags.items():
        known = None if name in _KNOWN else _meant(name, tags)
        if known is None or known in told or (known == "Rules" and not own):
            continue
        told.add(known)
        values: dict[str, Datum] = {"rules": str(rules)} if known == "Rules" else {}
        lacking = known not in tags
        taken = fact(f"lacking_{known.lower()}", **values) if lacking else fact("another_counts", known=known)
        start = item.layout.text.find(name, *span)
        here = Span(start, start + len(name)) if start >= 0 else span
        what = fact("tag_unknown", name=shorten(name), known=known, taken=taken)
        yield known, warning(here, what, edit=Edit(here, known) if lacking and here != span else None)


def _meant(name: str, tags: Collection[str]) -> str | None:
    """The known tag that a name is but for its case, or that it is like where there is no such tag."""
    for known in _KNOWN:
        if name.lower() == known.lower():
            return known
    wanted = [known for known in _GUESSED if known not in tags and len(name) <= len(known) + _MOST]
    from difflib import SequenceMatcher

    ratios = [(SequenceMatcher(None, name.lower(), known.lower()).ratio(), known) for known in wanted]
    least = {known: _LIKE if name[0].lower() == known[0].lower() else _LIKE_AT_ALL for known in wanted}
    like = [(how, known) for how, known in ratios if how >= least[known]]
    return max(like)[1] if like else None


def _defaulted(game: Game, report: Report, since: int) -> Iterator[tuple[str, Diagnostic]]:
    """That the default rulebook was taken, where another one judges otherwise."""
    known = registry()
    for name, rulings in known.rulebooks.items():
        if name == known.default:
            continue
        other = replay(game.record, rulings, since=since, hanging=False)
        otherwise = _otherwise(report, other)
        if otherwise is not None:
            verdict = "legal" if other.illegal is None else "illegal"
            if not since and plainly(game.record, Rules(name, (), rulings), verdict).says == "open":
                otherwise = fact("text_open", what=otherwise)
            what = fact("rules_missing", book=known.default, other=name, otherwise=otherwise)
            yield "Rules", warning(game.layout.tags["CGN"], what)
            return


def _otherwise(report: Report, other: Replay) -> Fact | None:
    """What another rulebook surely says of a game that the report does not; None where it cannot be told plainly."""
    if other.illegal is not None:
        later = report.turn is not None and other.illegal > report.turn
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
        yield "Marks", warning(span, fact("marks_missing", draws=draws), turns[0])


def _of_marks(what: Fact) -> bool:
    """Whether a doubt is about a draw after a card whose mark, or those of its supports, are not given."""
    why = dict(what.beside).get("why")
    if not isinstance(why, Fact):
        return False
    beside = dict(why.beside)
    return why.kind == "why_no_mark" or (why.kind == "why_heart" and "?" in (beside["left"], beside["right"]))


# Certificates of records: legal by a world, illegal by a turn, a clause and its numbers (`spec/certificate.md`).


Json = dict[str, Any]


def record_certificate(record: Record, rulings: Rulings, world: Record | None = None) -> Json | None:
    """The certificate of what the rules say of a record, or None where no certificate of this kind can show it.

    A record that has a `world` is legal by it. Without one the plain replay decides, and what it decides is certified
    when the record shows every card and mark that the turns up to the illegal one ask for (all turns, where there is
    none). Cost: one replay.
    """
    if world is not None:
        return legal_certificate(record, world, rulings)
    outcome = replay(record, rulings)
    missing = _missing_marks(record, outcome, rulings)
    if outcome.illegal is None:
        if outcome.doubts or unshown(record, len(record.turns)) is not None:
            return None
        # It is legal whatever marks are missing.
        return legal_certificate(record, record.bearing(record.marks | dict.fromkeys(missing, "1")), rulings)
    broken = next(broken for broken in outcome.broken if not broken.warning)
    if missing or (broken.turn and unshown(record, broken.turn) is not None):
        return None
    return illegal_certificate(record, rulings, broken)


def legal_certificate(record: Record, world: Record, rulings: Rulings) -> Json:
    """That `record` is legal, because `world` completes it and breaks nothing. Nothing is tested here."""
    return _certificate("record-legal", record, rulings, {"world": record_text(world.bearing(world.marks))})


def illegal_certificate(record: Record, rulings: Rulings, broken: Broken) -> Json:
    """That `record` is illegal at the turn of `broken`, by its clause, as its replay under these rulings found.

    The record has to show what `unshown` asks for, and the marks that draws ask for; where it does not, a checker
    refuses the certificate.
    """
    numbers = {name: _plain(value) for name, value in broken.what.numbers}
    evidence = {"turn": broken.turn, "clause": broken.clause, "numbers": numbers}
    return _certificate("record-illegal", record, rulings, evidence)


def _plain(value: Datum) -> int | str | None:
    """A value as certificates write it: what is no number as text, an up card as its number."""
    value = value.card if isinstance(value, Up) else value
    return value if value is None or isinstance(value, int) else str(value)


def _certificate(claim: str, record: Record, rulings: Rulings, evidence: Json) -> Json:
    told = {"record": record_text(record.bearing(record.marks)), "rulings": msgspec.structs.asdict(rulings)}
    return {"format": 1, "claim": claim, **told, "evidence": evidence}


def unshown(record: Record, turns: int) -> Fact | None:
    """The first thing of the set-up and the first so many turns that the record does not show; None where it shows
    every card.

    The deck may be left out, and so may the card that action C opens or D replaces: it is the one that lies there.
    """
    dealt = [record.deals.get(name, (UNSEEN,)) for name in record.players]
    if record.reserve is None or any(UNSEEN in cards for cards in (*dealt, record.reserve)):
        return fact("unseen_setup")
    for place, turn in enumerate(record.turns[:turns], start=1):
        if turn.draw_open or turn.fill_open:
            return fact("unseen_draw", turn=place)
        action = turn.action
        if isinstance(action, recorded.Exchange):
            action = msgspec.structs.replace(action, replaced=None)
        played = () if isinstance(action, recorded.Open) else recorded.cards_of(action)
        if UNSEEN in (*turn.draw, *turn.fill, *turn.drop, *turn.trim, *played):
            return fact("unseen_card", turn=place)
    return None


def _missing_marks(record: Record, outcome: Replay, rulings: Rulings) -> set[Value]:
    """The cards whose marks are not given, although the limit of a draw asks for them."""
    last = len(record.turns) if outcome.illegal is None else outcome.illegal
    missing: set[Value] = set()
    for state, turn in zip(outcome.states, record.turns[:last], strict=False):
        exact = rulings.draw_amount == "exact" and len(state.deck) > len(turn.draw)
        if turn.draw or exact:
            missing.update(_marked(state, record.marks, rulings))
    return missing - record.marks.keys()


def _marked(state: State, marks: dict[Value, Mark], rulings: Rulings) -> Iterator[Value]:
    """The cards whose marks give the limit of the next draw: the source's, and under a heart those of its supports."""
    cell = None if as_down(state, rulings) else draw_source(state, rulings)
    laid = None if cell is None else state.tower.cells[cell]
    if cell is None or not isinstance(laid, Up) or not isinstance(laid.card, int):
        return
    yield laid.card
    below = [state.tower.cells.get(support) for support in cell.supports]
    nothing = rulings.heart_over_back == "zero" and not all(isinstance(under, Up) for under in below)
    if marks.get(laid.card) == "H" and not nothing:
        yield from (under.card for under in below if isinstance(under, Up) and isinstance(under.card, int))
