"""On what a verdict hangs: what of the record nobody noted and a legal one takes for granted, what the text of a
rulebook leaves open, and what nobody saw; asked, as data, and for people.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, islice
from typing import Any, cast

from msgspec.structs import replace

from couperation_formal.game import record as recorded
from couperation_formal.game.fact import Fact, Spent, Steps, Text, fact, steps_of
from couperation_formal.game.record import Assumption, Exchange, Game, Proviso, Reached, Record, Term, Turn
from couperation_formal.game.replay import PLACES, Doubt, Replay, closed, is_open, replay
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules, Rulings
from couperation_formal.game.state import Pile, State, with_hand
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Mark, Shown, UnseenCard, card_key
from couperation_formal.hidden.readings.condition import Condition, Settled, condition
from couperation_formal.hidden.readings.sets import Readings, within
from couperation_formal.hidden.readings.standing import broken, plain_verdicts
from couperation_formal.output.blocks import Sentence
from couperation_formal.output.formats import CardData, Data, Natural, Positive, card_data
from couperation_formal.output.report import Report, marked
from couperation_formal.words.say import encodable, runs, spoken

# The JSON form of what a legal verdict takes for granted.


class MarkData(Data, tag_field="about", tag="mark"):
    """`card` bears one of these marks."""

    card: Positive
    mark: tuple[Mark, ...]


class UnseenData(Data, tag_field="about", tag="card"):
    """The card that is not shown at a place of the record is one of these: ``turn 4 action 1`` is the first that turn
    4, by place, writes in its action, ``deck 3`` the third card of the deck at set-up.
    """

    at: str
    card: tuple[CardData, ...]


class BeganData(Data, tag_field="about", tag="place"):
    """`card` was in one of these lines at set-up: ``deal Aki``, ``reserve`` or ``deck``."""

    card: CardData
    place: tuple[str, ...]


class SizeData(Data, tag_field="about", tag="size"):
    """So many cards were drawn where the record does not note how many: ``turn 3 draw``, ``turn 3 fill``."""

    at: str
    cards: Natural


LiteralData = MarkData | UnseenData | BeganData | SizeData


class ProvidedData(Data):
    """What a legal verdict takes for granted of marks, cards and places that nobody noted: terms joined by *or*, each
    of literals joined by *and*; a term without literals says that nothing is.

    Where `exact` the terms are all of it, at most 16; else each of them suffices, and others may. Not exact and without
    terms: none was found within the budget, or none that suffices under all rulebooks in question.
    """

    exact: bool
    terms: tuple[tuple[LiteralData, ...], ...]


def provided_data(proviso: Proviso) -> ProvidedData:
    """The JSON form."""
    return ProvidedData(exact=proviso.exact, terms=tuple(tuple(map(_assumption, term)) for term in proviso.terms))


def _assumption(literal: Assumption) -> LiteralData:
    values = literal.values
    if literal.kind == "mark":
        return MarkData(card=int(str(literal.of)), mark=cast("tuple[Mark, ...]", values))
    if literal.kind == "card":
        return UnseenData(at=str(literal.of), card=tuple(map(card_data, values)))
    if literal.kind == "place":
        return BeganData(card=card_data(literal.of), place=tuple(encodable(str(value)) for value in values))
    return SizeData(at=str(literal.of), cards=int(str(values[0])))


# What a legal verdict takes for granted, for people.

_MOST_LITERALS = 12
"""So many literals of a term are shown at most."""


def proviso_blocks(proviso: ProvidedData, record: Record, whose: Fact, indent: int = 0) -> Iterator[Sentence]:
    """The proviso of a verdict on `record`; `whose` tells which."""
    yield Sentence(fact(f"provided_{kind_of(proviso)}", whose=whose), indent=indent)
    terms = () if kind_of(proviso) == "always" else proviso.terms
    for place, term in enumerate(terms):
        yield Sentence(fact("or_term" if place else "first_term", term=term_words(term, record)), indent=indent + 2)


def kind_of(proviso: ProvidedData) -> str:
    """Which of the four kinds it is: always, that (exact), example, not_found."""
    if () in proviso.terms:
        return "always"
    return "that" if proviso.exact else "example" if proviso.terms else "not_found"


def term_words(term: Sequence[LiteralData], record: Record) -> Fact:
    """A term in words."""
    words = [_assumed(literal, record) for literal in term[:_MOST_LITERALS]]
    shown = fact("proviso_term", parts=tuple(words))
    more = len(term) - _MOST_LITERALS
    return shown if more <= 0 else fact("parts", parts=(shown, " ", fact("more_literals", count=more)))


def _assumed(literal: LiteralData, record: Record) -> Fact:
    if isinstance(literal, MarkData) and len(literal.mark) == 2:
        (other,) = {"1", "2", "H"} - {*literal.mark}
        return fact("bears_no", card=literal.card, mark=fact(f"mark {other}"))
    if isinstance(literal, MarkData):
        return fact("bears_mark", card=literal.card, marks=tuple(fact(f"mark {mark}") for mark in literal.mark))
    if isinstance(literal, BeganData):
        return fact("began", card=literal.card, places=tuple(map(_place, literal.place)))
    if isinstance(literal, SizeData):
        _, turn, part = literal.at.split()
        return fact("filled_up" if part == "fill" else "drew", cards=literal.cards, turn=int(turn))
    return fact("unseen_is", what=_what(literal, record), cards=_cards(literal))


def _place(line: str) -> Fact:
    if line.startswith("deal "):
        return fact("in_hand", player=spoken(line.removeprefix("deal ")))
    return fact("in_reserve" if line == "reserve" else "in_deck")


def _cards(literal: UnseenData) -> Fact:
    """The cards, runs of numbers in short."""
    numbers = runs(card for card in literal.card if isinstance(card, int))
    parts = [fact("first_last", first=first, last=last) if first < last else _one(first) for first, last in numbers]
    parts += [_one(card) for card in literal.card if not isinstance(card, int)]
    return parts[0] if len(parts) == 1 else fact("any_of", first=tuple(parts[:-1]), last=parts[-1])


def _one(card: int | str) -> Fact:
    return fact("one_card", card=card)


def _what(literal: UnseenData, record: Record) -> Fact:
    """Which card it is that is not shown."""
    words = literal.at.split()
    if words[0] == "deck":
        return _of_deck(int(words[1]), record)
    turn, part, place = int(words[1]), words[2], int(words[3])
    if part in ("drop", "trim"):
        return fact("card_dropped" if part == "drop" else "card_trimmed", place=place, turn=turn)
    action = record.turns[turn - 1].action
    if not isinstance(action, Exchange):
        return fact("card_laid", turn=turn)
    if place <= 2:
        return fact("card_sent", place=place, turn=turn)
    if place <= 2 + len(action.adjust):
        return fact("card_destroyed", place=place - 2, turn=turn)
    return fact("card_taken", turn=turn)


def _of_deck(place: int, record: Record) -> Fact:
    """A card of the deck, by the turn that draws it where one does."""
    drawn = [len(turn.draw) + len(turn.fill) for turn in record.turns]
    for turn, (ahead, count) in enumerate(zip(accumulate([0, *drawn]), drawn, strict=False), start=1):
        if ahead < place <= ahead + count:
            return fact("card_drawn", place=place - ahead, turn=turn)
    return fact("card_of_deck", place=place)


# On what a legal verdict of a check hangs that nobody noted, and draws of which nobody noted the size.


def with_proviso(report: Report, budget: Steps | int | None = None, since: int = 0) -> Report:
    """The report on a legal record with what it takes for granted; any other as it is. Turns before turn `since` stand
    as they were played. Loads Z3 where the record does not show all that was asked. Cost: `budget` at most.
    """
    game, world = report.item, report.world
    if report.verdict != "legal" or world is None or not isinstance(game, Game) or report.rules is None:
        return report
    from couperation_formal.hidden.smt.infer import proviso

    steps, draws = steps_of(budget), open_draws(game.record)
    before, noted = steps.spent, [len(getattr(world.turns[place - 1], part)) for place, part in draws]
    record, sizes = with_sizes(game.record, draws, noted)
    provided = proviso(record, report.rules.rulings, steps, since=since) or Proviso(False)
    if sizes:
        provided = Proviso(False, tuple((*sizes, *term) for term in provided.terms[:1]))
    return replace(report, provided=provided, spent=report.spent + steps.spent - before)


def open_draws(record: Record) -> list[tuple[int, str]]:
    """The draws that were not noted: the turn, by place, and whether it is the ``draw`` or the ``fill``."""
    turns = enumerate(record.turns, start=1)
    return [(place, part) for place, turn in turns for part in ("draw", "fill") if getattr(turn, f"{part}_open")]


def with_sizes(record: Record, draws: list[tuple[int, str]], sizes: Iterable[int]) -> tuple[Record, Term]:
    """The record with so many unseen cards in these draws that were not noted, and these sizes as literals."""
    turns, literals = list(record.turns), list[Assumption]()
    for (place, part), size in zip(draws, sizes, strict=True):
        noted = {part: (UNSEEN,) * size, f"{part}_open": False}
        turns[place - 1] = replace(turns[place - 1], **noted)
        literals.append(Assumption("size", f"turn {place} {part}", (str(size),)))
    return replace(record, turns=tuple(turns)), tuple(literals)


# What the text of a rulebook leaves open: which verdicts or outcomes the readings that it admits come to, and when.

TermData = dict[str, tuple[str, ...]]
"""Rulings with the options that are allowed, joined by *and*; a ruling left out is free."""


class Admits(Data):
    """What the readings that a text admits come to, and what its rulebook's own one does (`taken`). Where they differ
    `when` has terms joined by *or* for each, in the options that the text leaves open; null where they do not, and
    where the budget ended before.
    """

    admits: tuple[Settled | Reached, ...]
    taken: Settled | Reached
    when: dict[str, Condition] | None

    @property
    def says(self) -> str:
        """The one that all come to; else open, and undetermined where it may be no more than one."""
        decided = [each for each in self.admits if each != "undetermined"]
        return self.admits[0] if len(self.admits) == 1 else "open" if len(decided) > 1 else "undetermined"


def admitted(parts: Mapping[Any, Readings], taken: Any, rules: Rules, budget: Steps, aside: Any = None) -> Admits:
    """What the readings that a text admits come to, each verdict or outcome having its readings; and when, where they
    come to more than one, one that is set `aside` not counted.
    """
    seen = {name: of for name, part in parts.items() if (of := within(part, rules))}
    when = None

    def admissible(term: TermData) -> TermData:
        return {name: tuple(each for each in options if each in rules.leaves[name]) for name, options in term.items()}

    if len(seen.keys() - {aside}) > 1:
        with suppress(Spent), budget.at_most(budget.left // 2):
            when = {name: tuple(map(admissible, condition(of, budget))) for name, of in seen.items()}
    return Admits(admits=tuple(seen) or (taken,), taken=taken, when=when)


def plainly(record: Record, rules: Rules, taken: Any) -> Admits:
    """The verdicts on a record of the readings that a text admits, as far as the plain replay tells; the rulebook's own
    is known; and when, where they come to legal and illegal ones. Cost: some two replays where the text
    leaves something open.
    """
    if not rules.leaves:
        return Admits(admits=(taken,), taken=taken, when=None)
    own, parts = Readings.one(rules.rulings), plain_verdicts(record, rules=rules)._asdict()
    parts = {name: part - own for name, part in parts.items()}
    return admitted({**parts, taken: parts[taken] | own}, taken, rules, Steps(), aside="undetermined")


def left_open(text: Admits) -> Fact:
    """That a text leaves something open, or may, and which of its options lead to what."""
    when = (fact("comes_to", to=to, when=tuple(map(term_fact, terms))) for to, terms in (text.when or {}).items())
    return fact("left_open" if text.says == "open" else "left_untold", when=tuple(when), taken=text.taken)


def term_fact(term: TermData) -> Fact:
    """The rulings of a term with the options that it allows."""
    parts = tuple(fact("ruling_is", ruling=name, options=any_of(name, of)) for name, of in term.items())
    return fact("term", parts=parts)


def any_of(ruling: str, options: Sequence[str]) -> Text:
    """``a``, ``a or b``, ``a, b or c``: options of a ruling, those that no text takes marked."""
    shown = [marked(ruling, option) for option in options]
    return shown[0] if len(shown) == 1 else fact("any_of", first=tuple(shown[:-1]), last=shown[-1])


# On what a verdict hangs that nobody saw. Cards that lie hidden are no doubt by themselves (`spec/board.md`).


def hanging(record: Record, rulings: Rulings, outcome: Replay) -> Iterator[Doubt]:
    """What the verdicts on turns hang on (`spec/board.md`): the doubts of a replay but for those about where a card
    lay, which the turn itself tells as long as it can have lain there; orders of cards that lie up unseen, and sizes of
    draws that were not noted. Cost: that of carrying out the turns.
    """
    sure = placed(record)
    yield from (each for each in outcome.doubts if each.what.kind not in PLACES or each.turn > sure)
    states = zip(outcome.states, outcome.states[1:], record.turns, strict=False)
    for place, (before, after, turn) in enumerate(states, 1):
        if after.tower.hidden:
            yield Doubt(place, fact("whether_towers"))
        if is_open(before, turn):
            sizes = (carry_out(*each, before.to_move) for each in closed(before, turn, before.to_move))
            if any(True for each in sizes for _ in broken(each, rulings)):
                yield Doubt(place, fact("whether_size"))


def comes_to(record: Record, rulings: Rulings) -> Reached | None:
    """What a record comes to where it is legal under these rulings and that hangs on nothing unseen, else None."""
    outcome = replay(record, rulings, hanging=False)
    return outcome.reached if next(hanging(record, rulings, outcome), None) is None else None


_WAYS = 60
"""So many ways in which the cards may lie are followed at most."""


def placed(record: Record) -> int:
    """The turn up to which every card can surely have lain where it was taken from. Of a pile that an unseen card left
    either all cards that were known stay known, or one of the hand was it: where each card that was seen lies at a
    known place, any other one may be each of the unseen ones.
    """
    ways = [starting_state(setup_of(record, STANDARD))]
    for place, turn in enumerate(record.turns):
        ways = list(islice((after for state in ways for after in _afters(state, turn)), _WAYS))
        if not ways:
            return place
    return len(record.turns)


def _afters(state: State, turn: Turn) -> Iterator[State]:
    """The tables after a turn on which each card that was seen lies at a known place."""
    cards = (*recorded.cards_of(turn.action), *turn.drop)
    own = sorted({*state.hands[state.to_move].known, *turn.draw} - {UNSEEN}, key=card_key)
    named = [(*cards[:at], known, *cards[at + 1 :]) for at, card in enumerate(cards) if card is UNSEEN for known in own]
    for each in (cards, *named):
        own_drop = len(cards) - len(turn.drop)
        told = replace(turn, action=recorded.with_cards(turn.action, each[:own_drop]), drop=each[own_drop:])
        step = carry_out(state, told, state.to_move)
        after = step.after
        lost = {*each, *turn.draw, *turn.fill, *turn.trim, *_lying(step.drawn)} - _lying(after) - {UNSEEN, FINISH}
        sent = each[:2] if isinstance(turn.action, Exchange) else ()
        row = lost & {*state.reserve.known, *sent}
        hand, reserve = _staying(after.hands[step.player], lost - row), _staying(after.reserve, row)
        after = replace(after, hands=with_hand(after.hands, step.player, hand), reserve=reserve)
        if not step.strays and turn.player == state.players[step.player] and lost <= _lying(after):
            yield after


def _lying(state: State) -> set[Shown]:
    """The cards that lie at a place that is known."""
    piles = (*(hand.known for hand in state.hands), state.reserve.known, state.gone.known, state.deck)
    return {*(laid.card for laid in state.tower.cells.values()), *(card for pile in piles for card in pile)}


def _staying(pile: Pile, cards: set[Shown]) -> Pile:
    """The pile with cards that are known to have stayed in it, where so many can have."""
    known = frozenset(card for card in cards if not isinstance(card, UnseenCard))
    return pile if len(known) > pile.unseen else Pile(pile.known | known, pile.unseen - len(known), pile.more)
