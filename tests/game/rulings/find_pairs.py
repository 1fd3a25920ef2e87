"""Find, for every pair of options of every ruling, a short record that tells them apart; write it to
`tests/data/rulings`.

Run as ``python -m tests.game.rulings.find_pairs``. Records that are there already are kept. Sampled games are legal
under the options they were played by; the first that is judged otherwise under the other option is cut after the turn
that differs.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import msgspec

from couperation_formal.game.record import Record, Turn
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rulings import Rules, parse_rules, registry
from couperation_formal.game.tower import Variant
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game

FOLDER = Path(__file__).resolve().parents[2] / "data" / "rulings"
BASE = "ja-2.2 early_apex=no_win reserve_face=either row_order=weak between=inclusive"


def pairs() -> list[tuple[str, str, str]]:
    """Every ruling with two of its options."""
    return [
        (name, first, second)
        for name, ruling in registry().rulings.items()
        for first, second in combinations(ruling.option_names(), 2)
    ]


def path(name: str, first: str, second: str) -> Path:
    return FOLDER / f"{name}.{first}.{second}.cgn"


def answer(outcome: Replay) -> object:
    """What a reader sees of a replay: legality, the turn, the result, and the warnings."""
    warnings = [(found.clause, found.turn) for found in outcome.broken if found.warning]
    return outcome.illegal, outcome.reached, warnings


def differs(record: Record, name: str, first: str, second: str) -> bool:
    rulings = record.rules.rulings
    one, two = (replay(record, rulings.with_changes({name: option})) for option in (first, second))
    return answer(one) != answer(two)


def shorten(record: Record, name: str, first: str, second: str) -> Record:
    """The shortest beginning that still differs, then the whole if none does."""
    for length in range(len(record.turns)):
        turns: tuple[Turn, ...] = record.turns[:length]
        cut = msgspec.structs.replace(record, turns=turns, result=None)
        if differs(cut, name, first, second):
            return cut
    return record


def find(name: str, first: str, second: str) -> Record | None:
    for seed in range(4000):
        for option in (first, second):
            base = " ".join(word for word in BASE.split() if not word.startswith(f"{name}="))
            if seed % 2:
                base = "ja-2.2"
            rules: Rules = parse_rules(f"{base} {name}={option}")
            variant: Variant = "finish" if "finish" in name or seed % 3 == 0 else "first"
            record = sample_game(2 + seed % 3, variant, rules, seed, "careful" if seed % 4 < 2 else "random")
            if differs(record, name, first, second):
                return shorten(record, name, first, second)
    return None


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, first, second in pairs():
        target = path(name, first, second)
        if target.exists():
            continue
        record = find(name, first, second)
        print(name, first, second, "not found" if record is None else f"{len(record.turns)} turns", flush=True)
        if record is not None:
            tags = tuple((tag, f"{name}: {first} or {second}" if tag == "Event" else text) for tag, text in record.tags)
            target.write_text(record_text(msgspec.structs.replace(record, tags=tags)), encoding="utf-8")


if __name__ == "__main__":
    main()
