"""One possible world of a record: every card and mark that it does not show, filled in; the circuit as SMT-LIB."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from couperation_formal.formulas.circuits.circuit import TRUE, Circuit, Formula
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Record, Turn
from couperation_formal.game.rules.setup import setup_of
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Part
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Down, Mark, Shown, UnseenCard, Up, Value, card_key
from couperation_formal.hidden.symbolic.cards import Hidden, Mention, Pile, Rule
from couperation_formal.hidden.symbolic.deck import Drawing
from couperation_formal.hidden.symbolic.record import Symbolic
from couperation_formal.words.say import say

# One possible world of a record: every card and mark that it does not show, filled in.

Values = Mapping[Formula, bool]
"""The values of a circuit's variables, as a solver found them."""


def world(run: Symbolic, values: Values, rulings: Rulings) -> Record:
    """`run.record` with every card shown, the deck in full, and the marks that mattered given.

    Cards that the record leaves wholly open come in rising order; the Finish card lies in the half of the deck that
    [finish_half] names, where it may. The stated result is kept. Cost: linear in the variables of the mentions.
    """
    record, values = run.record, _settled(run, values)
    deals = {name: _filled(record.deals.get(name, ()), run.dealt[name], values) for name in record.players}
    reserve = _filled(record.reserve or (), run.reserve, values)
    lying = () if run.deck is None else run.deck.lying
    top = tuple(_card(each.card, values) for each in lying if _holds(each.here, values))
    turns = tuple(_turn(run, values, place, turn) for place, turn in enumerate(record.turns, start=1))
    marks = {**record.marks, **marks_of(run, values)}
    tags = tuple(tag for tag in record.tags if tag[0] != "Marks")
    if marks:
        text = " ".join(f"{card}:{mark}" for card, mark in sorted(marks.items()))
        tags = (*tags, ("Marks", text))
    return msgspec.structs.replace(
        record,
        tags=tags,
        marks=dict(sorted(marks.items())),
        deals=deals,
        reserve=reserve,
        deck=(*top, *_below(run, deals, reserve, top, rulings)),
        turns=turns,
    )


def marks_of(run: Symbolic, values: Values) -> dict[Value, Mark]:
    """The marks that the run asked for and that the record does not give, as these values have them."""
    marks = run.table.cards.marks.items()
    return {card: next(mark for mark, here in each.items() if values[here]) for card, each in marks}


def _settled(run: Symbolic, values: Values) -> Values:
    """The values, with those of the gates that tell what lies in the deck: their inputs come before them."""
    lying = () if run.deck is None else run.deck.lying
    found, circuit = dict(values), run.table.circuit
    for gate in circuit.cone(formula for each in lying for formula in (each.here, *each.card.values())):
        inputs = circuit.inputs[gate]
        if inputs is not None:
            found[Formula(gate)] = all(_holds(formula, found) for formula in inputs)
    return found


def _holds(formula: Formula, values: Values) -> bool:
    if formula < 0:
        return not _holds(Formula(-formula), values)
    return formula == TRUE or values.get(formula, False)


def _card(hidden: Hidden, values: Values) -> Card:
    return next(card for card, here in hidden.items() if _holds(here, values))


def _filled(shown: tuple[Shown, ...], pile: Pile, values: Values) -> tuple[Shown, ...]:
    """The cards of a set-up line, unseen ones filled in."""
    held = sorted((card for card, here in pile.items() if _holds(here, values)), key=card_key)
    open_cards: Iterator[Card] = iter([card for card in held if card not in shown])
    if not shown:
        return tuple(held)
    return tuple(next(open_cards) if isinstance(card, UnseenCard) or card not in held else card for card in shown)


def _below(
    run: Symbolic,
    deals: Mapping[str, tuple[Shown, ...]],
    reserve: Iterable[Shown],
    top: Iterable[Shown],
    rulings: Rulings,
) -> list[Card]:
    """What lies in the deck below the cards that the record speaks of."""
    placed: set[Shown] = {Value(run.board.anchor), *reserve, *top}
    placed.update(card for cards in deals.values() for card in cards)
    rest: list[Card] = [card for card in run.table.cards.every if card not in placed]
    if FINISH in rest:
        rest.remove(FINISH)
        glass = setup_of(run.record, run.board).deck_size - 1
        place = 0 if rulings.finish_half == "top" else len(rest)
        rest.insert(min(place, glass), FINISH)
    return rest


def _turn(run: Symbolic, values: Values, place: int, turn: Turn) -> Turn:
    def cards(part: Part, shown: tuple[Shown, ...], first: int = 0) -> tuple[Shown, ...]:
        mentions = run.table.mentions
        found = [mentions.get(Mention(place, part, first + i)) for i in range(len(shown))]
        return tuple(
            card if hidden is None else _card(hidden, values) for card, hidden in zip(shown, found, strict=True)
        )

    def drawn(part: Drawing, shown: tuple[Shown, ...]) -> tuple[Shown, ...]:
        size = None if run.deck is None else run.deck.sizes.get((place, part))
        if size is None:
            return cards(part, shown)
        return cards(part, (UNSEEN,) * next(count for count, here in size.ways.items() if _holds(here, values)))

    return msgspec.structs.replace(
        turn,
        draw=drawn("draw", turn.draw),
        draw_open=False,
        action=with_cards(turn.action, cards("action", cards_of(turn.action))),
        fill=drawn("fill", turn.fill),
        fill_open=False,
        drop=cards("drop", turn.drop),
        trim=cards("trim", turn.trim),
    )


def cards_of(action: Action) -> tuple[Shown, ...]:
    """The cards that an action writes, in the order of its mentions."""
    if isinstance(action, NoAction):
        return ()
    if isinstance(action, Exchange):
        replaced = () if action.replaced is None else (action.replaced.card,)
        return (action.first, action.second, *(card for _, card in action.adjust), action.taken, *replaced)
    return (action.card,)


def with_cards(action: Action, cards: tuple[Shown, ...]) -> Action:
    """The same action with other cards, as many and in the order of `cards_of`."""
    if isinstance(action, NoAction):
        return action
    if isinstance(action, LayUp | LayDown | Open):
        return msgspec.structs.replace(action, card=cards[0])
    count = len(action.adjust)
    replaced: Up | Down | None = action.replaced
    if replaced is not None:
        replaced = type(replaced)(cards[3 + count])
    signs = [sign for sign, _ in action.adjust]
    return msgspec.structs.replace(
        action,
        first=cards[0],
        second=cards[1],
        adjust=tuple(zip(signs, cards[2 : 2 + count], strict=True)),
        taken=cards[2 + count],
        replaced=replaced,
    )


# Rules that cannot all hold as an SMT-LIB 2 script (Barrett, Fontaine, Tinelli: The SMT-LIB Standard, version 2.6).


def core_script(
    run: Symbolic, core: Sequence[Rule], facts: Sequence[str], line_of: Callable[[Rule], int | None]
) -> str:
    """A script that is unsatisfiable exactly when these rules and facts cannot all hold; Booleans only, so that any
    solver runs it.

    Each assertion of a rule is named by its turn and clause. A comment tells a fact by its name, a rule by its formula
    and by the record's line that `line_of` gives. Cost: linear in the gates that the rules are made of.
    """
    return "\n".join(_lines(run, core, facts, line_of)) + "\n"


def _lines(
    run: Symbolic, core: Sequence[Rule], facts: Sequence[str], line_of: Callable[[Rule], int | None]
) -> Iterator[str]:
    circuit = run.table.circuit
    held = [(name, formula) for name, formula in run.table.facts if name in set(facts)]
    yield f"; {say(fact('script'))}"
    yield "(set-option :produce-unsat-cores true)"
    yield "(set-logic QF_UF)"
    yield from _definitions(circuit, [*(formula for _, formula in held), *(rule.formula for rule in core)])
    for number, (name, formula) in enumerate(held, start=1):
        yield f"; fact: {name}"
        yield f"(assert (! {_term(formula)} :named fact.{number}))"
    names = Counter[str]()
    for rule in core:
        line = line_of(rule)
        where = "" if line is None else f"line {line}, "
        name = f"turn{rule.turn}.{rule.clause}"
        names[name] += 1
        yield f"; {where}turn {rule.turn}, {rule.clause}: {rule.asks}"
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
