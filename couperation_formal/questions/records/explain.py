"""Why a clause holds or fails in a turn: by its formula where the record shows what that asks for, else by what the
plain rules find in what is seen, else by all that the record can be.
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Literal, NamedTuple

import msgspec

from couperation_formal.formulas.judge import NotAsked, NotShown, Why, checked_place, default_place, defines, why
from couperation_formal.formulas.trace import Instance, Trace
from couperation_formal.game.fact import Fact, Spent, Steps, Text, Told, fact, steps_of, taken, translated
from couperation_formal.game.record import NOTATION, Diagnostic, Game, Record, Turn
from couperation_formal.game.replay import closed, end05, end06, replay
from couperation_formal.game.rules.clauses import ASKED, TURN_CLAUSES
from couperation_formal.game.rules.step import Step
from couperation_formal.game.rules.turn import as_down, draw_source, ending
from couperation_formal.game.rulings import RULING_NAMES, Rules, Ruling, Rulings, TextStand, registry
from couperation_formal.game.tower import FINISH, UNSEEN, Up
from couperation_formal.hidden.readings.standing import Standing, standing, step_of
from couperation_formal.output.blocks import BAD, Columns, Heading, Paragraph, Sentence, Styled, Verbatim
from couperation_formal.output.formats import Data, GameData, Natural
from couperation_formal.output.report import ClauseText, clauses, marked, stands
from couperation_formal.questions.records.verdict import unshown
from couperation_formal.words.say import ENGLISH, say

__all__ = ["NotAsked", "Untold", "Why", "explain_turn"]

_ENDS = {"END01": "win", "END02": "loss", "END03": "stuck"}

_SEEN = ("TOW", "DRW01", "DRW02", "DRW03", "DRW04")
"""Clauses, or the beginnings of their names, that no doubt about where a card was concerns: the tower is seen, and the
cards of a hand are counted.
"""


_PLACES = ("TOW03", "TOW04", "TOW05", "TOW06")
_FIRST = {"TOW01": _PLACES, "TOW02": _PLACES, "TOW07": (*_PLACES, "TOW01", "TOW02")}
"""The clauses that hold where others are asked."""

_MARKED = ("DRW02", "DRW03", "DRW04")


class Untold(NamedTuple):
    """What hides whether a clause holds: the one thing that is not shown, or that the budget ended."""

    cause: Fact


def explain_turn(
    game: Game, clause: str, at: int | None, rules: Rules | None = None, budget: Steps | None = None, exact: bool = True
) -> Why | Untold:
    """Why a clause holds or fails at a turn of a record, 0 being the set-up; where no turn is given at the first
    illegal one, or else the last. Raises `NotAsked` where the clause is not asked, or there is no such turn.

    Where its formula asks for what the record does not show, everything before stands as it was played, and the clause
    holds or fails whatever that was, or nothing is told. Cost: some milliseconds; tenths of a second where Z3 is asked,
    which is not unless `exact`.
    """
    steps, rulings = steps_of(budget), (rules or game.record.rules).rulings
    checked_place(game.record, clause, at)
    try:
        try:
            return why(game.record, rulings, clause, at, budget=steps)
        except NotShown as missing:
            return _seen(game.record, rulings, clause, at, missing.number, steps if exact else None)
    except Spent:
        return Untold(fact("formula_spent", clause=clause, taken=taken(steps)))


def _seen(
    record: Record, rulings: Rulings, clause: str, at: int | None, mark: int | None, steps: Steps | None
) -> Why | Untold:
    """What can be told of a clause whose formula asks for more than is shown."""
    if at is None:
        at = default_place(record, clause, replay(record, rulings).illegal)
    hidden = _hidden(record, at) if mark is None else fact("unseen_mark", card=mark)
    if at == 0:
        return Untold(hidden)
    before, turn = standing(record, at + (clause == "END05"), (rulings,)), record.turns[at - 1]
    wrong = (slip.turn for slip in before.slips[0] if slip.turn < at and slip.clauses[0] not in _ENDS)
    illegal = next(wrong, None)

    def told(holds: bool, what: Fact | None = None) -> Why:
        asked = what is None or not holds
        instances = () if what is None else (Instance({}, {}, "", asked, what),)
        return Why(clause, at, illegal, Trace(holds, instances, asked), defines(clause), whatever=True)

    over = next((fact("over_before", turn=slip.turn) for slip in before.slips[0] if slip.clauses[0] in _ENDS), None)
    if clause in ("END04", "END05"):
        if before.reached[0] is None:
            return Untold(hidden)
        stated = end05(record.result, before.reached[0])
        what = over if clause == "END04" else None if stated is None else stated.what
        return told(what is None, what)
    if over is not None and not defines(clause):
        return told(True, over)
    plain = _plain(record, rulings, clause, at, before, turn)
    if isinstance(plain, Untold):
        kept = None
        if steps is not None and clause not in _ENDS:
            from couperation_formal.hidden.smt.exact import kept_at

            kept = kept_at(record, at, clause, rulings, steps)
        return plain if kept is None else told(kept)
    return told(*plain)


def _plain(
    record: Record, rulings: Rulings, clause: str, at: int, before: Standing, turn: Turn
) -> tuple[bool, Fact | None] | Untold:
    """Whether the plain rules know that the clause holds, and what they found: why it fails, or is not asked."""
    if before.state is None:
        return Untold(_hidden(record, at))
    if clause == "END06":
        order = end06(before.state, turn, at)
        return order is None, None if order is None else order.what
    step = step_of(before.state, turn)
    if step is None:
        return Untold(_hidden(record, at)) if clause in _ENDS else (True, fact("asked_of_players"))
    sizes = closed(before.state, turn, step.player)
    answers = [_sized(each, rulings, clause) for table, sized in sizes if (each := step_of(table, sized)) is not None]
    agree = len({None if isinstance(each, Untold) else each[0] for each in answers}) == 1
    return answers[0] if agree else Untold(_hidden(record, at))


def _sized(step: Step, rulings: Rulings, clause: str) -> tuple[bool, Fact | None] | Untold:
    """The same of a turn of one size."""
    turn = step.turn
    if clause in _ENDS:
        end = ending(step, rulings)
        return (end == _ENDS[clause], None) if end != "unknown" else Untold(fact("whether_orders"))
    if all(each.id != clause for each in ASKED[type(turn.action)]):
        return True, fact("asked_of_others")
    checks = {str(each.id): each.check for each in TURN_CLAUSES.values()}
    for first in _FIRST.get(clause, ()):
        finding = checks[first](step, rulings)
        if finding is not None and finding.sure:
            return True, fact("fails_first", clause=first, what=finding.what)
    if clause in _MARKED and (mark := _unmarked(step, rulings)) is not None:
        return Untold(mark)  # which of them is asked hangs on it
    finding = checks[clause](step, rulings)
    if finding is not None:
        return (False, finding.what) if finding.sure else Untold(finding.what)
    doubts = () if clause.startswith(_SEEN) else step.doubts
    return Untold(doubts[0]) if doubts else (True, None)


def _unmarked(step: Step, rulings: Rulings) -> Fact | None:
    """The card that sets the draw, where it lies up and its mark is not known."""
    cell = None if as_down(step.before, rulings) else draw_source(step.before, rulings)
    laid = None if cell is None else step.before.tower.cells.get(cell)
    if not isinstance(laid, Up) or laid.card is FINISH or laid.card in step.before.marks:
        return None
    return fact("why_unseen", cell=cell) if laid.card is UNSEEN else fact("unseen_mark", card=laid.card)


def _hidden(record: Record, at: int) -> Fact:
    """The first thing up to this turn that the record does not show."""
    return unshown(record, at) or fact("unseen_deck")


# The JSON form of why a clause holds or fails in a turn.


class InstanceData(Data):
    """One case of a formula: what its variables stand for, the values of its parts by how they are written, and what
    they come to.
    """

    bindings: dict[str, str]
    values: dict[str, str]
    formula: str


class WhyData(GameData):
    """Why a clause holds or fails at a turn, 0 being the set-up: all instances that hold, or the first that fails. Of a
    clause that is not asked there, which holds, they tell why it is not; END01, END02 and END03 define an end, and hold
    where the game ends so.

    `illegal` is an earlier illegal turn, from whose state the record goes on.
    """

    clause: str
    at: Natural
    holds: bool
    instances: tuple[InstanceData, ...]
    illegal: Natural | None
    format: Literal[1]


def why_data(why: Why, game: Game, language: str = ENGLISH) -> WhyData:
    """The explanation as data."""
    instances = tuple(
        InstanceData.of(each, formula=say(each.what or each.formula, language)) for each in why.trace.instances
    )
    return WhyData.about(game, why, holds=why.trace.holds, instances=instances)


# Why a clause holds or fails in a turn, for people.

STEPS = 20_000
"""The budget of an explanation beside other things: tenths of a second."""


def failing(game: Game, error: Diagnostic, rules: Rules | None) -> tuple[Text, ...]:
    """The instance of the clause's formula that fails at an error, in lines; none where none is told."""
    if error.turn is None or error.severity != "error" or rules is None:
        return ()
    try:
        why = explain_turn(game, error.code, error.turn, rules, steps_of(STEPS), exact=False)
    except NotAsked:
        return ()
    if isinstance(why, Untold) or why.whatever or why.trace.holds:
        return ()
    return tuple(map(instance_text, why.trace.instances))


def why_blocks(why: Why, game: Game) -> Iterator[Paragraph]:
    """The formula, what it comes to, and the instances that show it."""
    clause, (holds, instances, asked) = clauses()[why.clause], why.trace
    yield [Sentence(translated(clause.title), clause.id, gap=" · ")]
    yield [Verbatim(clause.formula.splitlines(), indent=2)]
    player = game.record.turns[why.at - 1].player if why.at else ""
    place = fact("of_player" if why.at else "the_setup", turn=why.at, player=player)
    result = Sentence("", fact("told_of", what=place, said=fact(_said(why))), "bold" if holds or why.defines else BAD)
    more = [] if why.illegal is None else [Sentence(fact("goes_on_from", turn=why.illegal))]
    more += [Sentence(fact("whatever_unseen"))] if why.whatever and asked else []
    yield [result, *more, *(Sentence(instance_text(one), indent=2) for one in instances)]


def _said(why: Why) -> str:
    """The kind of what is said of a clause."""
    if why.defines:
        end = _ENDS[why.clause]
        return f"here_{end}" if why.trace.holds else f"here_not_{end}"
    if not why.trace.asked:
        return "not_asked_here"
    return "it_holds" if why.trace.holds else "it_fails"


def instance_text(one: Instance) -> Text:
    """One instance in a line: what its variables stand for, the values of its parts, what they come to."""
    if one.what is not None:
        return one.what
    bound = ", ".join(f"{name} = {value}" for name, value in one.bindings.items())
    values = ", ".join(f"{name} = {value}" for name, value in one.values.items())
    return "; ".join(part for part in (": ".join(filter(None, (bound, values))), one.formula) if part)


# One clause, ruling or rulebook of the specification explained.


class RulebookText(msgspec.Struct, frozen=True):
    """A rulebook: its name, its title, and its option of each ruling."""

    name: str
    title: str
    rulings: dict[str, str]


class NothingToExplain(Told, LookupError):
    """A name that is no clause, ruling or rulebook. `near` are known names like it."""

    def __init__(self, name: str, near: list[str]) -> None:
        meant = fact("meant_these", names=tuple(near)) if near else ""
        super().__init__(fact("nothing_to_explain", name=repr(name), meant=meant))
        self.near = near


Explained = ClauseText | Ruling | RulebookText


def known_names() -> list[str]:
    """Everything that `explain` knows: clauses, rulings, rulebooks."""
    return [*clauses(), NOTATION, *RULING_NAMES, *registry().rulebooks]


def explain(name: str) -> Explained:
    """The clause, ruling or rulebook of this name; a clause's id may be in small letters. Raises
    `NothingToExplain`.
    """
    code = name.upper()
    if code == NOTATION:
        title, rule = (say(fact(kind), ENGLISH) for kind in ("cgn_title", "cgn_rule"))
        return ClauseText(NOTATION, title, (), rule, (), "", "notation.md")
    if code in clauses():
        return clauses()[code]
    if name in registry().rulings:
        return registry().rulings[name]
    if name in registry().rulebooks:
        return rulebook(name)
    near = get_close_matches(name, known_names(), n=3) or get_close_matches(code, known_names(), n=3)
    raise NothingToExplain(name, near)


def rulebook(name: str) -> RulebookText:
    """The rulebook of this name. Raises `KeyError` where there is none."""
    rulings = registry().rulebooks[name]
    return RulebookText(name, registry().titles[name], {ruling: rulings.option(ruling) for ruling in RULING_NAMES})


def explanation(known: Explained) -> Iterator[Paragraph]:
    """The explanation for people."""
    books = registry().rulebooks
    match known:
        case ClauseText():
            yield [Sentence(translated(known.title), known.id, gap=" · ")]
            yield [Sentence(translated(known.rule))]
            if known.formula:
                yield [Heading(fact("head_formula")), Verbatim(known.formula.splitlines(), indent=2)]
            sources = [_told_of(row.says, *row.texts.split(", "), translated(row.place)) for row in known.sources]
            yield from _part(fact("head_sources"), sources)
            asked = [_told_of(registry().rulings[name].question, name) for name in known.rulings]
            yield from _part(fact("head_rulings"), asked)
        case Ruling():
            yield [Sentence(translated(known.question), known.name, gap=" · ")]
            meanings = [_told_of(option.meaning, marked(known.name, option.name)) for option in known.options]
            yield from _part(fact("head_options"), meanings)
            texts = [_stand(text, books[text].option(known.name), stand) for text, stand in known.texts.items()]
            yield from _part(fact("head_texts"), texts)
            reading = [clause.id for clause in clauses().values() if known.name in clause.rulings]
            yield from _part(fact("head_clauses"), [fact("listed", texts=tuple(reading))] if reading else [])
        case RulebookText():
            yield [Sentence(translated(known.title), known.name, gap=" · ")]
            for name, option in known.rulings.items():
                ruling = registry().rulings[name]
                meaning = next(each.meaning for each in ruling.options if each.name == option)
                yield [
                    Heading(fact("parts", parts=(name, "=", marked(name, option)))),
                    Sentence(fact("parts", parts=(translated(ruling.question), " ", translated(meaning))), indent=2),
                ]


def _told_of(text: str, *what: Text) -> Fact:
    """A text of the specification behind what it is about."""
    return fact("told_of", what=what, said=translated(text))


def _stand(text: str, option: str, stand: TextStand) -> Fact:
    """How a text stands to its option of a ruling, and where."""
    note = fact("blank_before", text=translated(stand.note)) if stand.note else ""
    return fact("text_stands", text=text, option=option, stand=stands(stand), place=stand.place, note=note)


def _part(head: Text, lines: Sequence[Text]) -> Iterator[Paragraph]:
    if lines:
        yield [Heading(head), *(Sentence(line, indent=2) for line in lines)]


def side_by_side(books: list[RulebookText]) -> Iterator[Paragraph]:
    """The rulebooks in columns, one ruling a row; `*` marks the rows in which they differ."""
    rows: list[list[Styled]] = [["", fact("head_ruling"), *(book.name for book in books)]]
    for name in RULING_NAMES:
        options = [book.rulings[name] for book in books]
        differ = len(set(options)) > 1
        shown = [marked(name, option) for option in options]
        rows.append([(text, "yellow" if differ else "") for text in ("*" if differ else "", name, *shown)])
    yield [Columns(rows, head=True)]
    titles = [Sentence(_told_of(book.title, book.name), indent=3) for book in books]
    yield [Sentence(fact("default_rulebook", book=registry().default)), *titles]
