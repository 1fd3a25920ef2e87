"""Spoil a legal, fully seen record in many ways. Some variants stay legal: what they are is for others to say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import options_in_order, parse_rules, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, STANDARD, Board, Shown, Value, Variant
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import header_tags, record_text
from couperation_formal.questions.records.sample import Policy, sample_game
from tests.kit.rulings import drawn
from tests.questions.records.spoil_turn import TURNS, Scene

Spoil = Callable[[Random, Record], Record]


def sampled(seed: int) -> str:
    """A complete game under a random rulebook with about a third of its rulings drawn anew."""
    rng = Random(seed)
    words = [rng.choice(list(registry().rulebooks))]
    words += [f"{name}={option}" for name, option in drawn(rng, 0.3).items()]
    variant: Variant = "finish" if rng.random() < 0.5 else "first"
    policy: Policy = "careful" if rng.random() < 0.5 else "random"
    return record_text(sample_game(rng.choice([2, 3, 4]), variant, parse_rules(" ".join(words)), seed, policy))


def told(record: Record, **parts: Any) -> Record:
    """The record with some parts changed, its tags too."""
    changed = replace(record, **parts)
    return replace(changed, tags=header_tags(changed.players, changed.rules, changed.variant, changed.marks))


def spoil_turn(rng: Random, record: Record, tables: Sequence[State], name: str) -> Record | None:
    """The record up to one turn, chosen at random and spoiled in the way `name`; None where no turn can be."""
    for at in rng.sample(range(len(record.turns)), len(record.turns)):
        turn = record.turns[at]
        spoiled = TURNS[name](Scene(rng, record, carry_out(tables[at], turn, tables[at].to_move)))
        if spoiled and spoiled != turn:
            return replace(record, turns=(*record.turns[:at], spoiled), result=None)
    return None


def _deal(record: Record, name: str, cards: Sequence[Shown], deck: Sequence[Shown]) -> Record:
    return replace(record, deals={**record.deals, name: tuple(cards)}, deck=tuple(deck))


def _deal_more(rng: Random, record: Record) -> Record:
    """A card too many in one hand, off the deck's end."""
    name = rng.choice(record.players)
    *deck, last = record.deck or ()
    return _deal(record, name, (*record.deals[name], last), deck)


def _deal_less(rng: Random, record: Record) -> Record:
    """A card too few in one hand; the deck has it."""
    name = rng.choice(record.players)
    *cards, last = record.deals[name]
    return _deal(record, name, cards, (*(record.deck or ()), last))


def _deal_odd(rng: Random, record: Record) -> Record:
    """A card in a hand that is somewhere else: set aside, in another hand, in the Reserve, in the deck, or ``F``."""
    name, other = rng.sample(record.players, 2)
    deck, reserve = record.deck or (), record.reserve or ()
    pool: list[Shown] = [Value(1), Value(25), Value(50), FINISH, record.deals[other][0], reserve[-1], deck[-1]]
    return _deal(record, name, (*record.deals[name][:-1], rng.choice(pool)), deck)


def _reserve_more(_: Random, record: Record) -> Record:
    """A card too many in the Reserve, off the deck's end."""
    *deck, last = record.deck or ()
    return replace(record, reserve=(*(record.reserve or ()), last), deck=tuple(deck))


def _reserve_less(_: Random, record: Record) -> Record:
    """A card too few in the Reserve; the deck has it."""
    *reserve, last = record.reserve or ()
    return replace(record, reserve=tuple(reserve), deck=(*(record.deck or ()), last))


def _reserve_odd(rng: Random, record: Record) -> Record:
    """The Reserve without the 1 or the 50, or with a card that is somewhere else."""
    reserve = list(record.reserve or ())
    reserve[rng.randrange(len(reserve))] = rng.choice([(record.deck or ())[-1], Value(25), FINISH, reserve[0]])
    return replace(record, reserve=tuple(reserve))


def _deck_more(rng: Random, record: Record) -> Record:
    """A deck that lists a card twice, or one that lies elsewhere."""
    deck, reserve = record.deck or (), record.reserve or ()
    return replace(record, deck=(*deck, rng.choice([deck[0], Value(25), reserve[0], FINISH])))


def _deck_swap(rng: Random, record: Record) -> Record:
    """Two cards of the deck change places, so that the draws may not come from its top."""
    deck = list(record.deck or ())
    a, b = rng.sample(range(len(deck)), 2)
    deck[a], deck[b] = deck[b], deck[a]
    return replace(record, deck=tuple(deck))


def _deck_short(rng: Random, record: Record) -> Record:
    deck = record.deck or ()
    return replace(record, deck=deck[: rng.randrange(len(deck))])


def _same_players(_: Random, record: Record) -> Record:
    """One name for two players."""
    players = record.players[:1] + record.players[:-1]
    return told(record, players=players, deals={name: record.deals[name] for name in players}, turns=())


def _lone_player(_: Random, record: Record) -> Record:
    name = record.players[0]
    return told(record, players=(name,), deals={name: record.deals[name]}, turns=(), result=None)


def _after_end(rng: Random, record: Record) -> Record:
    """The last turn once more, and the result; after the end of the game where it has ended."""
    last = record.turns[-1]
    name = record.players[len(record.turns) % len(record.players)]
    again = replace(last, number=last.number + rng.choice([0, 1]), player=name, draw=(), drop=(), trim=())
    return replace(record, turns=(*record.turns, again), result=None)


def _cut(rng: Random, record: Record) -> Record:
    """The game up to a turn, with a result or without."""
    turns = record.turns[: rng.randrange(len(record.turns))]
    return replace(record, turns=turns, result=rng.choice([None, None, "stuck", "win"]))


def _left_out(rng: Random, record: Record) -> Record:
    at = rng.randrange(len(record.turns))
    return replace(record, turns=record.turns[:at] + record.turns[at + 1 :])


def _marks(rng: Random, record: Record) -> Record:
    """Other marks on ten cards."""
    return told(record, marks={**record.marks, **{Value(v): rng.choice("12H") for v in rng.sample(range(1, 51), 10)}})


def _result(rng: Random, record: Record) -> Record:
    return replace(record, result=rng.choice([one for one in ("win", "loss", "stuck", None) if one != record.result]))


WHOLE: dict[str, Spoil] = {
    "deal": _deal_more,
    "dealless": _deal_less,
    "dealodd": _deal_odd,
    "reserve": _reserve_more,
    "reserveless": _reserve_less,
    "reserveodd": _reserve_odd,
    "deckmore": _deck_more,
    "deckswap": _deck_swap,
    "deckshort": _deck_short,
    "nodeck": lambda _, record: replace(record, deck=None),
    "loneplayer": _lone_player,
    "playerorder": lambda _, record: told(record, players=record.players[::-1]),
    "sameplayers": _same_players,
    "afterend": _after_end,
    "result": _result,
    "cut": _cut,
    "leftout": _left_out,
    "marks of cards": _marks,
    "variant": lambda _, record: told(record, variant="first" if record.variant == "finish" else "finish"),
    "rulebook": lambda rng, record: told(record, rules=parse_rules(rng.choice(list(registry().rulebooks)))),
}


def flips(record: Record) -> list[tuple[str, Record]]:
    """The record under every other option of each ruling."""
    book, changes = record.rules.rulebook, record.rules.changes
    found = []
    for ruling, options in options_in_order():
        kept = [f"{name}={option}" for name, option in changes if name != ruling]
        for option in options:
            if option != record.rules.rulings.option(ruling):
                rules = parse_rules(" ".join([book, *kept, f"{ruling}={option}"]))
                found.append((f"flip {ruling}={option}", told(record, rules=rules)))
    return found


def mutations(text: str, seed: int, board: Board = STANDARD) -> list[tuple[str, str]]:
    """Variants of a legal game with a full deck: (kind, text), each kind at most once and every flip of one ruling.

    The same text and seed give the same list. Raises ValueError where the game is not legal up to its end.
    """
    (game,) = read_text(text)
    record = game.record if isinstance(game, Game) else None
    outcome = replay(record, record.rules.rulings, board) if record else None
    if record is None or outcome is None or outcome.illegal is not None or not record.turns or record.deck is None:
        raise ValueError("a legal record with turns and a deck is wanted")
    found: list[tuple[str, Record | None]] = [*flips(record)]
    for name in TURNS:
        found.append((name, spoil_turn(Random(f"{seed} {name} {text}"), record, outcome.states, name)))
    for name, spoil in WHOLE.items():
        found.append((name, spoil(Random(f"{seed} {name} {text}"), record)))
    return [(name, record_text(spoiled)) for name, spoiled in found if spoiled]
