"""Records that the tests of disputes draw from: sampled games, spoiled ones, all fully seen, on several boards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import prod
from random import Random

from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.clauses import ASKED
from couperation_formal.game.rules.step import Step
from couperation_formal.game.rules.turn import ending
from couperation_formal.game.rulings import Rulings, parse_rules, registry
from couperation_formal.game.tower import STANDARD, Board, Variant
from couperation_formal.hidden.readings.sets import Readings, Verdicts, space
from couperation_formal.hidden.readings.standing import answers
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game
from tests.hidden.readings.readings import count
from tests.kit.rulings import drawn
from tests.questions.records.spoil import mutations

SMALL = (
    Board(levels=2, cards=12, anchor=6, deal=2, reserve_sizes=((2, 3), (3, 3))),
    Board(levels=3, cards=20, anchor=10, reserve_sizes=((2, 4), (3, 3))),
)


def reading_at(index: int) -> Rulings:
    """The reading with this index in mixed radix, the first ruling counting most; below the size of the space."""
    chosen: dict[str, str] = {}
    for ruling, options in reversed(space().items()):
        index, place = divmod(index, len(options))
        chosen[ruling] = options[place]
    return Rulings(**chosen)


def sampled(seed: int, board: Board = STANDARD, public: bool = False) -> Record:
    """A complete game under random rulings, two to four players, either variant, either policy."""
    rng = Random(seed)
    words = [rng.choice(list(registry().rulebooks))]
    words += [f"{name}={option}" for name, option in drawn(rng, 0.4).items()]
    players = rng.choice([count for count, _ in board.reserve_sizes])
    variant: Variant = rng.choice(("first", "finish"))
    return sample_game(
        players, variant, parse_rules(" ".join(words)), seed, rng.choice(("careful", "random")), public, board
    )


def spoiled(record: Record, seed: int) -> Iterator[tuple[str, Record]]:
    """Variants of a game on the printed board, legal or not, as `tests.questions.records.spoil` makes them."""
    for kind, text in mutations(record_text(record), seed):
        if not kind.startswith("flip"):
            for item in read_text(text):
                if isinstance(item, Game):
                    yield kind, item.record


def verdict(record: Record, rulings: Rulings, board: Board = STANDARD) -> str:
    """The verdict of one plain replay."""
    outcome = replay(record, rulings, board)
    return "illegal" if outcome.illegal is not None else "undetermined" if outcome.doubts else "legal"


def told(verdicts: Verdicts, rulings: Rulings) -> str:
    """The verdict that the sets tell."""
    (name,) = [name for name, part in verdicts._asdict().items() if rulings in part]
    return str(name)


def consulted_by(step: Step) -> set[str]:
    """The rulings that some clause, or the ending, reads at this step; of ACT01 all that it can ever."""
    names: set[str] = set()
    for clause in ASKED[type(step.turn.action)]:
        if clause.id == "ACT01":
            names.update(clause.rulings)
        else:
            names.update(name for _, chosen in answers(partial(clause.check, step)) for name in chosen)
    return names.union(*(chosen for _, chosen in answers(partial(ending, step))))


def random_reading(rng: Random) -> Rulings:
    return reading_at(rng.randrange(count(Readings.every())))


def combinations_of(names: set[str], base: Rulings, most: int, rng: Random) -> list[Rulings]:
    """`base` with every combination of options of these rulings, or with `most` of them where there are more."""
    order = sorted(names)
    options = [space()[name] for name in order]
    few = prod(map(len, options)) <= most
    chosen = product(*options) if few else ([rng.choice(each) for each in options] for _ in range(most))
    return [base.with_changes(dict(zip(order, each, strict=True))) for each in chosen]
