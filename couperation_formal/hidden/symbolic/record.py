"""A whole record run symbolically, and one possible world of it; the circuit as SMT-LIB."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from couperation_formal.formulas.circuit import FALSE, TRUE, Circuit, Formula, Many, OpenMap, no
from couperation_formal.formulas.judge import RESULTS, card as formed, constants
from couperation_formal.formulas.lifting import OpenNames
from couperation_formal.game import tower
from couperation_formal.game.fact import Steps, fact
from couperation_formal.game.record import Answer, Kind, Record, Turn, cards_of, with_cards
from couperation_formal.game.rules.setup import Setup, setup_of
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Part
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, FinishCard, Mark, Shown, UnseenCard, Value
from couperation_formal.hidden.symbolic.cards import Deck, Drawing, Hidden, Mention, Pile, Rule, SymbolicTable
from couperation_formal.hidden.symbolic.turns import SymbolicTurns
from couperation_formal.words.say import ENGLISH, say


class Symbolic(NamedTuple):
    """A record as a circuit.

    A record is legal up to turn t when some values of the variables satisfy the facts and every rule of turns 0 to t.
    `dealt` are the cards of each hand, `reserve` those of the Reserve, and `deck` the top of the deck at set-up, as far
    as the record speaks of it; what is in none of them lies below. `end` has the names after the last turn, where the
    run came to it.
    """

    record: Record
    table: SymbolicTable
    dealt: dict[str, Pile]
    reserve: Pile
    deck: Deck | None
    end: OpenNames | None = None


# One possible world of a record: every card and mark that it does not show, filled in.

Values = Mapping[Formula, bool]
"""The values of a circuit's variables, as a solver found them."""


def world(run: Symbolic, values: Values, rulings: Rulings) -> Record:
    """`run.record` with every card shown, the deck in full, and the marks that mattered given.

    Cards that the record leaves wholly open come in rising order; the Finish card lies in the half of the deck that
    [finish_half] names, where it may. The stated result is kept. Cost: linear in the variables of the mentions.
    """
    record, circuit = run.record, run.table.circuit
    lying = () if run.deck is None else run.deck.lying
    values = dict(values)
    for gate in circuit.cone(formula for each in lying for formula in (each.here, *each.card.values())):
        inputs = circuit.inputs[gate]
        if inputs is not None:  # they come before their gate
            values[Formula(gate)] = all(_holds(formula, values) for formula in inputs)
    deals = {name: _filled(record.deals.get(name, ()), run.dealt[name], values) for name in record.players}
    reserve = _filled(record.reserve or (), run.reserve, values)
    top = tuple(_card(each.card, values) for each in lying if _holds(each.here, values))
    turns = tuple(_turn(run, values, place, turn) for place, turn in enumerate(record.turns, start=1))
    marks = dict(record.marks)
    for card, ways in run.table.marks.items():  # that the run asked for and the record does not give
        marks[card] = next(mark for mark, here in ways.items() if values[here])
    placed = {*reserve, *top, *(card for cards in deals.values() for card in cards)}
    return replace(
        record.bearing(marks),
        deals=deals,
        reserve=reserve,
        deck=(*top, *_below(run, placed, rulings)),
        turns=turns,
    )


def _holds(formula: Formula, values: Values) -> bool:
    if formula < 0:
        return not _holds(Formula(-formula), values)
    return formula == TRUE or values.get(formula, False)


def _card(hidden: Hidden, values: Values) -> Card:
    return next(card for card, here in hidden.items() if _holds(here, values))


def _filled(shown: tuple[Shown, ...], pile: Pile, values: Values) -> tuple[Shown, ...]:
    """The cards of a set-up line, unseen ones filled in."""
    held = sorted((card for card, here in pile.items() if _holds(here, values)), key=tower.card_key)
    open_cards: Iterator[Card] = iter([card for card in held if card not in shown])
    if not shown:
        return tuple(held)
    return tuple(next(open_cards) if isinstance(card, UnseenCard) or card not in held else card for card in shown)


def _below(run: Symbolic, placed: set[Shown], rulings: Rulings) -> list[Card]:
    """What lies in the deck below the cards that the record speaks of, which are in their places."""
    board = run.table.board
    rest = [card for card in run.table.mixed if card not in placed]
    if FINISH in rest:
        rest.remove(FINISH)
        glass = setup_of(run.record, board).deck_size - 1
        place = 0 if rulings.finish_half == "top" else len(rest)
        rest.insert(min(place, glass), FINISH)
    return rest


def _turn(run: Symbolic, values: Values, place: int, turn: Turn) -> Turn:
    def cards(part: Part, shown: tuple[Shown, ...]) -> tuple[Shown, ...]:
        hidden = [run.table.mentions.get(Mention(place, part, at)) for at in range(len(shown))]
        return tuple(card if of is None else _card(of, values) for card, of in zip(shown, hidden, strict=True))

    def drawn(part: Drawing, shown: tuple[Shown, ...]) -> tuple[Shown, ...]:
        size = None if run.deck is None else run.deck.sizes.get((place, part))
        if size is None:
            return cards(part, shown)
        return cards(part, (UNSEEN,) * next(count for count, here in size.ways.items() if _holds(here, values)))

    return replace(
        turn,
        draw=drawn("draw", turn.draw),
        draw_open=False,
        action=with_cards(turn.action, cards("action", cards_of(turn.action))),
        fill=drawn("fill", turn.fill),
        fill_open=False,
        drop=cards("drop", turn.drop),
        trim=cards("trim", turn.trim),
    )


# Rules that cannot all hold as an SMT-LIB 2 script (Barrett, Fontaine, Tinelli: The SMT-LIB Standard, version 2.6).


def core_script(
    run: Symbolic, core: Sequence[Rule], facts: Sequence[str], line_of: Callable[[Rule], int | None]
) -> Iterator[str]:
    """The lines of a script that is unsatisfiable exactly when these rules and facts cannot all hold; Booleans only, so
    that any solver runs it.

    Each assertion of a rule is named by its turn and clause. A comment tells a fact by its name, a rule by its formula
    and by the record's line that `line_of` gives. Cost: linear in the gates that the rules are made of.
    """
    held = {name: formula for name, formula in run.table.facts.items() if name in facts}
    yield f"; {say(fact('script'), ENGLISH)}"
    yield "(set-option :produce-unsat-cores true)"
    yield "(set-logic QF_UF)"
    yield from _definitions(run.table.circuit, [*held.values(), *(rule.formula for rule in core)])
    for number, (name, formula) in enumerate(held.items(), start=1):
        yield f"; fact: {name}"
        yield f"(assert (! {_term(formula)} :named fact.{number}))"
    names = dict[str, int]()
    for rule in core:
        line = line_of(rule)
        where = "" if line is None else f"line {line}, "
        name = f"turn{rule.turn}.{rule.clause}"
        names[name] = names.get(name, 0) + 1
        yield f"; {where}turn {rule.turn}, {rule.clause}: {say(rule.subject, ENGLISH)}"
        yield f"(assert (! {_term(rule.formula)} :named {name}.{names[name]}))"
    yield "(check-sat)"


def _definitions(circuit: Circuit, roots: Sequence[Formula]) -> Iterator[str]:
    """The variables and gates that the roots are made of, each before what it feeds."""
    for gate in circuit.cone(roots):
        inputs = circuit.inputs[gate]
        if inputs is None:
            yield f"(declare-const g{gate} Bool) ; {circuit.names[gate]}"
        elif inputs:
            yield f"(define-fun g{gate} () Bool (and {' '.join(map(_term, inputs))}))"


def _term(formula: Formula) -> str:
    if abs(formula) == 1:
        return "true" if formula > 0 else "false"
    return f"g{formula}" if formula > 0 else f"(not g{-formula})"


# A whole record run symbolically: what every clause asks, turn by turn.


def symbolic(
    record: Record,
    rulings: Rulings | None,
    board: Board = tower.STANDARD,
    doubting: bool = False,
    circuit: Circuit | None = None,
    marks: dict[Value, dict[Mark, Formula]] | None = None,
    prefix: str = "",
    budget: Steps | None = None,
    since: int = 0,
    places: bool = False,
) -> Symbolic:
    """Run `record` under these rulings, or with each ruling as a variable where they are None.

    With `doubting`, every number and mark that the record writes may be wrong: the pins of its line tie it to what is
    written. `circuit`, `marks` and `prefix` serve several records of one deck of cards, which bear the same marks.
    `budget` pays for the gates of a circuit of its own. Turns before turn `since`, by place, stand as they were played:
    only their places are asked (SET06, DRW05). With `places` the table keeps what every turn asks of places. Cost: some
    thousand gates a turn with unseen cards, far fewer without.
    """
    table = SymbolicTable(circuit or Circuit(budget), rulings, board, record.variant == "finish", doubting, prefix)
    table.places = [] if places else None
    if marks is not None:
        table.marks = marks
    elif not doubting:
        table.given = record.marks
    setup = setup_of(record, board)
    run = Symbolic(record, table, {}, {}, None)
    if _counted(table, setup):
        hands, reserve, deck = _deal(table, setup, since)
        end = _play(table, setup, deck, _begin(setup, hands, reserve), since)
        run = Symbolic(record, table, hands, reserve, deck, end)
    for value, mark in record.marks.items() if marks is not None or doubting else ():
        here = table.mark(value, mark)
        if doubting:
            table.pin("Marks", here)
        else:
            table.ask(0, "Marks", fact("asks_mark", card=value, mark=mark), "Marks", here)
    for card, formula in table.mark_rules.items():
        table.fact(f"{card} bears one mark", formula)
    return run


def _counted(table: SymbolicTable, setup: Setup) -> bool:
    """Ask what the numbers of players and cards alone decide (SET01, SET02, SET03, SET06)."""
    board, players = setup.board, setup.record.players
    size = board.reserve_size(len(players))
    apart = size and len(set(players)) == len(players)
    table.ask(0, "SET01", fact("asks_players"), "Players", TRUE if apart else FALSE)
    for name, cards in setup.deals.items():
        right = len(cards) == board.deal and FINISH not in cards
        table.ask(0, "SET02", fact("asks_cards_for", player=name), f"deal {name}", TRUE if right else FALSE)
    right = len(setup.reserve) == size and FINISH not in setup.reserve
    table.ask(0, "SET03", fact("asks_cards"), "reserve", TRUE if right else FALSE)
    deck = setup.record.deck or ()
    fits = len(deck) <= setup.deck_size and list(deck).count(FINISH) <= (setup.record.variant == "finish")
    table.ask(0, "SET06", fact("asks_deck"), "deck", TRUE if fits else FALSE)
    return not table.rules


def _deal(table: SymbolicTable, setup: Setup, since: int) -> tuple[dict[str, Pile], Pile, Deck]:
    """Lay out the set-up: each card in exactly one place (SET02 to SET06)."""
    dealt = [card for card in table.glass if card in table.mixed]
    hands = {name: _pile(table, f"deal {name}", shown, dealt) for name, shown in setup.deals.items()}
    reserve = _pile(table, "reserve", setup.reserve, dealt, (Value(1), Value(table.board.cards)))
    deck = Deck(table, setup, since)
    places = {card: [pile[card] for pile in (*hands.values(), reserve) if card in pile] for card in table.mixed}
    for lying in deck.lying:
        for card, formula in lying.card.items():
            places[card].append(table.circuit.both(lying.here, formula))
    in_deck = setup.deck_size - sum(lying.here == TRUE for lying in deck.lying)
    rest = [no(table.circuit.any_of(places[card])) for card in table.mixed]
    table.ask(0, "SET06", fact("asks_deeper", cards=in_deck), "deck", table.circuit.at_most(in_deck, rest))
    for card in table.mixed:
        once = table.circuit.at_most(1, places[card])
        table.ask(0, "SET06", fact("asks_one_place", card=card), _line(card, setup), once)
    deck.rest = dict(zip(table.mixed, rest, strict=True))
    return hands, reserve, deck


def _begin(setup: Setup, hands: Mapping[str, Pile], reserve: Pile) -> dict[str, Any]:
    """The state before the first turn."""
    board, players = setup.board, enumerate(setup.record.players, start=1)
    return {
        "W": {tuple(board.anchor_cell): ("Up", formed(Value(board.anchor)))},
        "H": OpenMap({q: _held(hands[name], board.deal) for q, name in players}),
        "R": _held(reserve, len(setup.reserve)),
        "G": frozenset(),
        **dict.fromkeys(("f", "laid", "touched")),
        **dict.fromkeys(("moved", "turned", "laid_down", "replaced"), FALSE),
        "skipped": 0,
        "due": 1,
        "result": ("Going",),
    }


def _held(pile: Pile, size: int) -> Many:
    return Many({formed(card): here for card, here in pile.items()}, None, size)


def _line(card: Card, setup: Setup) -> str:
    """The set-up line that shows a card, for a finding about it."""
    lines = {**{f"deal {name}": shown for name, shown in setup.deals.items()}, "reserve": setup.reserve}
    return next((line for line, shown in lines.items() if card in shown), "deck")


def _pile(
    table: SymbolicTable,
    line: str,
    shown: tuple[Shown, ...],
    possible: list[Value],
    always: tuple[Value, ...] = (),
) -> Pile:
    """A pile of the set-up: the cards that a line shows, and so many more among the possible ones."""
    pile: Pile = dict.fromkeys(always, TRUE)
    clause = "SET03" if always else "SET02"
    written = [card for card in shown if not isinstance(card, UnseenCard | FinishCard)]
    more, twice = len(shown) - len(always), len(set(written)) < len(written)
    if not table.doubting:
        for card in written:
            if card in possible:
                pile[card] = TRUE
                more -= 1
            elif card not in always:
                table.ask(0, clause, fact("asks_dealt", card=card), line, FALSE)
        if twice:
            table.ask(0, "SET06", fact("asks_twice", line=line), line, FALSE)
    if more < 0:
        table.ask(0, clause, fact("asks_aside"), line, FALSE)
    elif more:
        others = [card for card in possible if card not in pile]
        pile.update({card: table.circuit.variable(f"{table.prefix}{line}={card}") for card in others})
        count = table.circuit.exactly(more, [pile[card] for card in others])
        table.fact(f"{line}: {more} unseen", count)
    if table.doubting:
        for card in written:
            table.pin(line, pile.get(card, FALSE))
        if twice:
            table.pin(line, FALSE)
    return pile


def _play(table: SymbolicTable, setup: Setup, deck: Deck, state: dict[str, Any], since: int) -> OpenNames | None:
    """Every turn, and the stated result; the names after them, None where a turn cannot be carried out."""
    record, place = setup.record, 0
    given = {
        **constants(setup.board),
        **table.rulings,
        "players": record.players,
        "finish": TRUE if record.variant == "finish" else FALSE,
        "stated": RESULTS[record.result],
    }
    play = SymbolicTurns(table, deck, given, state, since)
    for place, turn in enumerate(record.turns, start=1):
        if not play.turn(place, turn):
            return None
    play.result(place)
    return play.names


# What a record leaves open, as unknowns that have one of several values each: marks, cards that are not shown, places
# of cards in the set-up.


class LeftOpen(NamedTuple):
    """Something that a record leaves open: the mark of a card, which card it is that stands at a place of the record
    (``turn 4 action 1``, ``deck 3``), the line in which a card began (``deal Aki``, ``reserve``; else ``deck``).

    `ways` says for each value by which formula it has this one; in a world it has exactly one.
    """

    kind: Kind
    of: Answer
    ways: Mapping[Any, Formula]


def unknowns(run: Symbolic) -> Iterator[LeftOpen]:
    """What the variables of a run are, but for its rulings: those that a person can look up first: marks, cards that
    turns write, the deck, the deal. Cost: linear in the variables.
    """
    for card, marks in sorted(run.table.marks.items()):
        yield LeftOpen("mark", card, marks)
    # Cards with variables of their own: what lies in the tower or comes off the deck is another one's.
    circuit = run.table.circuit
    known = () if run.deck is None or run.deck.open else run.deck.lying
    deck = {f"deck {place}": lying.card for place, lying in enumerate(known, start=1)}
    met = {here for hidden in deck.values() for here in hidden.values()}
    for mention, hidden in run.table.mentions.items():
        if all(circuit.inputs[abs(here)] is None and here not in met for here in hidden.values()):
            met.update(hidden.values())
            yield LeftOpen("card", f"turn {mention.turn} {mention.part} {mention.place + 1}", hidden)
    for at, hidden in deck.items():
        if TRUE not in hidden.values():
            yield LeftOpen("card", at, hidden)
    lines = {**{f"deal {name}": pile for name, pile in run.dealt.items()}, "reserve": run.reserve}
    for of in run.table.every:
        ways = {line: pile[of] for line, pile in lines.items() if pile.get(of, TRUE) != TRUE}
        if ways and all(pile.get(of) != TRUE for pile in lines.values()):
            yield LeftOpen("place", of, {**ways, "deck": no(circuit.any_of(ways.values()))})
