"""What the tests of brute share with others."""

from __future__ import annotations

from couperation_formal.game.record import Record, cards_of
from couperation_formal.game.tower import UNSEEN, Shown


def refines(world: Record, record: Record) -> bool:
    """Whether `world` shows everything and differs from `record` in nothing that it shows."""

    def same(more: tuple[Shown, ...], less: tuple[Shown, ...], ordered: bool = True) -> bool:
        if UNSEEN in more:
            return False
        if ordered:
            return all(card in (UNSEEN, other) for card, other in zip(less, more, strict=True))
        return len(less) == len(more) and {card for card in less if card is not UNSEEN} <= set(more)

    setup = [(world.deals[name], cards, False) for name, cards in record.deals.items()]
    if record.reserve is not None:
        setup.append((world.reserve or (), record.reserve, False))
    deck = world.deck or ()
    setup.append((deck[: len(record.deck or ())], record.deck or (), True))
    turns = zip(world.turns, record.turns, strict=True)
    parts = []
    for more, less in turns:
        if (more.number, more.player, type(more.action)) != (less.number, less.player, type(less.action)):
            return False
        pairs = ((more.draw, less.draw), (more.drop, less.drop), (more.trim, less.trim))
        parts += [(*pair, True) for pair in (*pairs, (cards_of(more.action), cards_of(less.action)))]
    return (
        all(same(*part) for part in [*setup, *parts])
        and record.marks.items() <= world.marks.items()
        and (world.result, world.variant, world.players) == (record.result, record.variant, record.players)
    )
