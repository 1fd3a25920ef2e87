"""Spoil a legal, fully seen record in many ways. Some variants stay legal: what they are is for others to say."""

from __future__ import annotations

import random
from collections.abc import Callable

from .claims import draw_faults
from .mutate_turn import TURNS, Scene
from .reader import Record, read_record, write_record
from .replayer import game_of, states
from .rulebooks import OPTIONS, RULEBOOKS
from .table import State
from .tower import F

Spoil = Callable[[random.Random, Record], "Record | None"]


def spoil_turn(rng: random.Random, record: Record, tables: list[State], name: str) -> Record | None:
    """The record up to one turn, chosen at random and spoiled in the way `name`; None where no turn can be."""
    game = game_of(record)
    for at in rng.sample(range(len(record.turns)), len(record.turns)):
        turn, before = record.turns[at], tables[at]
        _, drawn = draw_faults(game, before, before.to_move, turn)
        spoiled = TURNS[name](Scene(rng, game, record, turn, before, drawn, before.to_move))
        if spoiled and spoiled != turn:
            return record._replace(turns=(*record.turns[:at], spoiled), result=None)
    return None


def _deals(record: Record, name: str, cards: tuple) -> Record:
    """The record with another deal for one player."""
    return record._replace(deals={**record.deals, name: cards})


def _deal_more(rng: random.Random, record: Record) -> Record:
    """A card too many in one hand, off the deck's end."""
    name = rng.choice(record.players)
    return _deals(record, name, (*record.deals[name], record.deck[-1]))._replace(deck=record.deck[:-1])


def _deal_less(rng: random.Random, record: Record) -> Record:
    """A card too few in one hand; the deck has it."""
    name = rng.choice(record.players)
    cards = record.deals[name]
    return _deals(record, name, cards[:-1])._replace(deck=(*record.deck, cards[-1]))


def _deal_odd(rng: random.Random, record: Record) -> Record:
    """A card in a hand that is somewhere else: set aside, in another hand, in the Reserve, in the deck, or ``F``."""
    name, other = rng.sample(record.players, 2)
    pool = [1, 25, 50, F, record.deals[other][0], record.reserve[-1], record.deck[-1]]
    return _deals(record, name, (*record.deals[name][:-1], rng.choice(pool)))


def _reserve_more(_: random.Random, record: Record) -> Record:
    """A card too many in the Reserve, off the deck's end."""
    return record._replace(reserve=(*record.reserve, record.deck[-1]), deck=record.deck[:-1])


def _reserve_less(_: random.Random, record: Record) -> Record:
    """A card too few in the Reserve; the deck has it."""
    return record._replace(reserve=record.reserve[:-1], deck=(*record.deck, record.reserve[-1]))


def _reserve_odd(rng: random.Random, record: Record) -> Record:
    """The Reserve without the 1 or the 50, or with a card that is somewhere else."""
    reserve = list(record.reserve)
    reserve[rng.randrange(len(reserve))] = rng.choice([record.deck[-1], 25, F, reserve[0]])
    return record._replace(reserve=tuple(reserve))


def _deck_more(rng: random.Random, record: Record) -> Record:
    """A deck that lists a card twice, or one that lies elsewhere."""
    return record._replace(deck=(*record.deck, rng.choice([record.deck[0], 25, record.reserve[0], F])))


def _deck_swap(rng: random.Random, record: Record) -> Record:
    """Two cards of the deck change places, so that the draws may not come from its top."""
    deck = list(record.deck)
    a, b = rng.sample(range(len(deck)), 2)
    deck[a], deck[b] = deck[b], deck[a]
    return record._replace(deck=tuple(deck))


def _deck_short(rng: random.Random, record: Record) -> Record:
    """Only the deck's top is listed. Legal."""
    return record._replace(deck=record.deck[: rng.randrange(len(record.deck))])


def _deck_none(_: random.Random, record: Record) -> Record:
    """No deck line. Legal."""
    return record._replace(deck=None)


def _lone_player(_: random.Random, record: Record) -> Record:
    """One player only."""
    name = record.players[0]
    return record._replace(
        players=(name,), deals={name: record.deals[name]}, tags=record.tags | {"Players": name}, turns=(), result=None
    )


def _order_of_players(_: random.Random, record: Record) -> Record:
    """The players listed in another order."""
    players = record.players[::-1]
    return record._replace(players=players, tags=record.tags | {"Players": " ".join(players)})


def _same_players(_: random.Random, record: Record) -> Record:
    """One name for two players."""
    players = record.players[:1] + record.players[:-1]
    deals = {name: record.deals[name] for name in players}
    return record._replace(players=players, deals=deals, tags=record.tags | {"Players": " ".join(players)}, turns=())


def _after_end(rng: random.Random, record: Record) -> Record:
    """The last turn once more, and the result; after the end of the game where it has ended."""
    last = record.turns[-1]
    name = record.players[len(record.turns) % len(record.players)]
    again = last._replace(number=last.number + rng.choice([0, 1]), name=name, draw=(), drop=(), trim=())
    return record._replace(turns=(*record.turns, again), result=None)


def _result(rng: random.Random, record: Record) -> Record:
    """Another stated result."""
    return record._replace(result=rng.choice([x for x in ("win", "loss", "stuck", None) if x != record.result]))


def _cut(rng: random.Random, record: Record) -> Record:
    """The game up to a turn, with a result or without."""
    turns = record.turns[: rng.randrange(len(record.turns))]
    return record._replace(turns=turns, result=rng.choice([None, None, "stuck", "win"]))


def _left_out(rng: random.Random, record: Record) -> Record:
    """A turn left out."""
    at = rng.randrange(len(record.turns))
    return record._replace(turns=record.turns[:at] + record.turns[at + 1 :])


def _marks(rng: random.Random, record: Record) -> Record:
    """Other marks on ten cards."""
    marks = record.marks | {value: rng.choice("12H") for value in rng.sample(range(1, 51), 10)}
    text = " ".join(f"{value}:{mark}" for value, mark in marks.items())
    return record._replace(tags=record.tags | {"Marks": text})


def _variant(_: random.Random, record: Record) -> Record:
    """The other variant."""
    return record._replace(tags=record.tags | {"Variant": "first" if record.finish else "finish"})


def _rulebook(rng: random.Random, record: Record) -> Record:
    """Judged under some rulebook."""
    return record._replace(tags=record.tags | {"Rules": rng.choice(list(RULEBOOKS))})


def flips(record: Record) -> list[tuple[str, Record]]:
    """The record under every other option of each ruling."""
    found = []
    for ruling, options in OPTIONS.items():
        for option in options:
            if option != record.rulings[ruling]:
                words = [
                    word for word in record.tags.get("Rules", "ja-2.2").split() if not word.startswith(ruling + "=")
                ]
                rules = " ".join([*words, f"{ruling}={option}"])
                found.append((f"flip {ruling}={option}", record._replace(tags=record.tags | {"Rules": rules})))
    return found


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
    "nodeck": _deck_none,
    "loneplayer": _lone_player,
    "playerorder": _order_of_players,
    "sameplayers": _same_players,
    "afterend": _after_end,
    "result": _result,
    "cut": _cut,
    "leftout": _left_out,
    "marks of cards": _marks,
    "variant": _variant,
    "rulebook": _rulebook,
}


def mutations(text: str, seed: int) -> list[tuple[str, str]]:
    """Variants of a legal game with a full deck: (kind, text), each kind at most once and every flip of one ruling.

    The same text and seed give the same list. Raises ValueError where the game is not legal up to its end.
    """
    record = read_record(text)
    tables = states(text)
    if len(tables) != len(record.turns) + 1 or not record.turns or record.deck is None:
        raise ValueError("a legal record with turns and a deck is wanted")
    found: list[tuple[str, Record | None]] = flips(record)
    for name in TURNS:
        found.append((name, spoil_turn(random.Random(f"{seed} {name} {text}"), record, tables, name)))
    for name, spoil in WHOLE.items():
        found.append((name, spoil(random.Random(f"{seed} {name} {text}"), record)))
    return [(name, write_record(spoiled)) for name, spoiled in found if spoiled]
