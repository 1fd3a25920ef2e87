"""Tables late in sampled games, and certificates of what the program finds about them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec

from couperation_formal.game.position import position_of
from couperation_formal.game.record import Position, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rules, parse_rules
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, UNSEEN, Variant
from couperation_formal.notation.write import position_text, turn_text
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.tables.ask import reason_data
from couperation_formal.towers.continuation.answer import Answer, Dead, Exhausted, Unknown, Won, answer
from couperation_formal.towers.continuation.exhaust import REDUCTIONS, Exhaustion, Reductions
from couperation_formal.towers.continuation.line import Packed
from tests.kit.rulings import beside
from tests.towers.continuation.brute import every_option

KEPT = ("CGN", "Variant", "Players", "Marks")


class Late(NamedTuple):
    """A table late in a sampled game: fully seen, all marks given."""

    state: State
    rules: Rules
    tags: tuple[tuple[str, str], ...]

    @property
    def position(self) -> Position:
        return position_of(self.state, self.rules, self.tags)


def random_rules(rng: Random) -> Rules:
    """A rulebook with some rulings changed."""
    told = every_option()
    changed = [name for name in told if rng.random() < 0.3]
    chosen = beside({name: rng.choice(told[name]) for name in changed}, 0.3)
    words = "".join(f" {name}={option}" for name, option in chosen.items())
    return parse_rules(rng.choice(("ja-2.2", "en-1", "en-2", "bgg")) + words)


@cache
def sampled(seed: int) -> tuple[Record, Rules]:
    """A sampled game and its rulebook, some of whose rulings are changed."""
    rng = Random(seed)
    rules = random_rules(rng)
    variant: Variant = ("first", "finish")[seed // 3 % 2]
    return sample_game(2 + seed % 3, variant, rules, seed, rng.choice(("careful", "random"))), rules


def late_tables(seed: int, last: int) -> Iterator[Late]:
    """The last tables of one sampled game, those after the set-up and before the end."""
    record, rules = sampled(seed)
    tags = tuple((name, value) for name, value in record.tags if name in KEPT)
    for state in replay(record, rules.rulings).states[-last:]:
        if state.result is None and state.turns > 0:
            anchored = str(state.tower.cells[state.board.anchor_cell]) == "25"
            alike = {"laid": state.touched, "touched": state.touched} if rules.rulings.draw_source == "opened" else {}
            alike = alike or {"laid": state.laid, "touched": state.laid}
            yield Late(msgspec.structs.replace(state, turns=0, anchor_moved=not anchored, **alike), rules, tags)


def certificate(claim: str, position: Position, rules: Rules, evidence: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": 1,
        "claim": claim,
        "position": position_text(position),
        "rulings": msgspec.structs.asdict(rules.rulings),
        "evidence": evidence,
    }


def searched(late: Late, used: tuple[str, ...], budget: int) -> tuple[dict[str, Any], bool] | None:
    """The certificate of an exhaustive search with these reductions, and whether some turn wins; None if too long."""
    packed = Packed(late.state, late.rules.rulings)
    found = Exhaustion(packed.turns, list(packed.roots()), Reductions(packed.frame, used)).search(budget)
    if not found.ended:
        return None
    digest = found.digest or "0" * 16
    evidence = {"kind": "search", "reductions": list(used), "positions": found.positions, "digest": digest}
    return certificate("table-deadlocked", late.position, late.rules, evidence), found.won is not None


def _tags(late: Late, state: State) -> tuple[tuple[str, str], ...]:
    marks = " ".join(f"{card}:{mark}" for card, mark in sorted(state.marks.items()))
    return tuple((name, marks if name == "Marks" else value) for name, value in late.tags)


def answered(late: Late, state: State, budget: int) -> tuple[Answer, dict[str, Any] | None]:
    """What the program answers on a state of this table, as a certificate."""
    found = answer(state, late.rules.rulings, budget)
    position = position_of(state, late.rules, _tags(late, state))
    if isinstance(found, Unknown):
        return found, None
    if isinstance(found, Won):
        world = position_of(found.world, late.rules, _tags(late, found.world))
        evidence: dict[str, Any] = {"world": position_text(world), "line": list(map(turn_text, found.line))}
        return found, certificate("table-completable", position, late.rules, evidence)
    assert isinstance(found, Dead)
    if isinstance(found.reason, Exhausted):
        reason = found.reason
        evidence = {"kind": "search", "reductions": list(REDUCTIONS)}
        evidence |= {"positions": reason.positions, "digest": reason.digest}
    else:
        evidence = reason_data(found.reason)
    return found, certificate("table-deadlocked", position, late.rules, evidence)


def veiled(rng: Random, state: State) -> State:
    """The same table with some cards and marks not seen; what lies up stays seen."""

    def pile(cards: Pile) -> Pile:
        known = frozenset(card for card in cards.known if card is FINISH or rng.random() < 0.6)
        return Pile(known, cards.size - len(known))

    deck = tuple(card if rng.random() < 0.6 else UNSEEN for card in state.deck)
    marks = {card: mark for card, mark in state.marks.items() if rng.random() < 0.7}
    return msgspec.structs.replace(state, hands=tuple(map(pile, state.hands)), deck=deck, marks=marks)
