"""What the text of a rulebook leaves open: which verdicts or outcomes the readings that it admits come to, and when."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from couperation_formal.game.fact import Fact, Spent, Steps, fact
from couperation_formal.game.record import Reached, Record
from couperation_formal.game.rulings import Rules
from couperation_formal.hidden.readings.condition import Condition, Settled, condition
from couperation_formal.hidden.readings.sets import Readings, within
from couperation_formal.hidden.readings.standing import plain_verdicts, touches
from couperation_formal.output.formats import Data
from couperation_formal.output.report import marked
from couperation_formal.words.say import phrase

TermData = dict[str, tuple[str, ...]]
"""Rulings with the options that are allowed, joined by *and*; a ruling left out is free."""


class Admits(Data):
    """What the readings that a text admits come to, and what its rulebook's own one does (`taken`). Where they differ
    `when` has terms joined by *or* for each, in the options that the text leaves open; null where they do not, and
    where the budget ended before.
    """

    admits: tuple[Settled | Reached, ...]
    taken: Settled | Reached
    when: dict[str, Condition] | None

    @property
    def says(self) -> str:
        """The one that all come to; else open, and undetermined where it may be no more than one."""
        decided = [each for each in self.admits if each != "undetermined"]
        return self.admits[0] if len(self.admits) == 1 else "open" if len(decided) > 1 else "undetermined"


def admitted(parts: Mapping[Any, Readings], taken: Any, rules: Rules, budget: Steps) -> Admits:
    """What the readings that a text admits come to, each verdict or outcome having its readings."""
    seen = {name: of for name, part in parts.items() if (of := within(part, rules))}
    when = None

    def admissible(term: TermData) -> TermData:
        return {name: tuple(each for each in options if each in rules.leaves[name]) for name, options in term.items()}

    if len(seen) > 1:
        with suppress(Spent), budget.at_most(budget.left // 2):
            when = {name: tuple(map(admissible, condition(of, budget))) for name, of in seen.items()}
    return Admits(admits=tuple(seen) or (taken,), taken=taken, when=when)


def plainly(record: Record, rules: Rules, taken: Any) -> Admits:
    """The verdicts on a record of the readings that a text admits, as far as the plain replay tells; the rulebook's own
    is known. Cost: some four replays where a turn touches a ruling that the text leaves open, else one at most.
    """
    if not rules.leaves or not touches(record, rules):
        return Admits(admits=(taken,), taken=taken, when=None)
    own, parts = Readings.one(rules.rulings), plain_verdicts(record)._asdict()
    parts = {name: part - own for name, part in parts.items()}
    return admitted({**parts, taken: parts[taken] | own}, taken, rules, Steps())


def left_open(text: Admits) -> Fact:
    """That a text leaves something open, or may, and which of its options lead to what."""
    when = (fact("comes_to", to=to, when=tuple(map(term_fact, terms))) for to, terms in (text.when or {}).items())
    return fact("left_open" if text.says == "open" else "left_untold", when=tuple(when), taken=text.taken)


def term_fact(term: TermData) -> Fact:
    """The rulings of a term with the options that it allows."""
    parts = tuple(fact("ruling_is", ruling=name, options=any_of(name, of)) for name, of in term.items())
    return fact("term", parts=parts)


def any_of(ruling: str, options: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``: options of a ruling, those that no text takes marked."""
    shown = [marked(ruling, option) for option in options]
    return shown[0] if len(shown) == 1 else phrase("any_of", first=tuple(shown[:-1]), last=shown[-1])
