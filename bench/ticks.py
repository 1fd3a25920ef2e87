"""How many right turns bear a check mark at the board where no hand is seen? ``python -m bench.ticks`` tells it of 60
sampled games of each variant, with what the others hang on.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from couperation_formal.board.judge import judge
from couperation_formal.game.record import Record
from couperation_formal.game.seen import seen_record
from couperation_formal.game.tower import Variant
from couperation_formal.questions.records.sample import Policy, sample_game
from couperation_formal.words.say import ENGLISH, say

GAMES = 60
VARIANTS: tuple[Variant, ...] = ("first", "finish")


def cut(record: Record, turns: int) -> Record:
    """The game up to a turn."""
    return replace(record, turns=record.turns[:turns], result=None)


def sign(record: Record, at: int) -> tuple[str, tuple[str, ...]]:
    """The verdict at the board on turn `at`, and what it hangs on."""
    told = judge(cut(record, at - 1), record.turns[at - 1], at)
    return told.verdict, tuple(say(each, ENGLISH) for each in told.open)


def main() -> None:
    """Count, and print."""
    for variant in VARIANTS:
        verdicts, hangs = Counter[str](), Counter[str]()
        for seed in range(GAMES):
            policy: Policy = "random" if seed % 2 else "careful"
            record = seen_record(sample_game(2 + seed % 3, variant, None, seed, policy))
            for at in range(1, len(record.turns) + 1):
                verdict, on = sign(record, at)
                verdicts[verdict] += 1
                hangs.update(on)
        print(f"{variant}: {verdicts['legal']} of {verdicts.total()} right turns bear a check mark")
        for what, times in hangs.most_common():
            print(f"    {times} x {what}")


if __name__ == "__main__":
    main()
