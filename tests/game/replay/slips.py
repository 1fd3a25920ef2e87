"""What the tests of slips share with others."""

from __future__ import annotations

from tests.game.replay.judges import MARKS

HEAD = f"""[CGN "1"]
[Rules "ja-2.2"]
[Players "Ada Bo"]
[Marks "{MARKS}"]

deal Ada 17 30 44
deal Bo 18 21 38
reserve 1 50 12 33 40 7
"""


def turns(*lines: str, head: str = HEAD) -> str:
    return head + "\n" + "".join(f"{place}. {line}\n" for place, line in enumerate(lines, 1)) + "*\n"
