"""The rulings of a symbolic record: fixed, or each a variable of its own."""

from __future__ import annotations

from couperation_formal.formula.cases import Cases
from couperation_formal.formula.circuit import FALSE, TRUE, Circuit, Formula
from couperation_formal.model.rulings import Rulings, options_in_order


class Choices:
    """For each option of each ruling a formula that says whether it is chosen.

    With `rulings` every formula is a constant; without, each option is a variable and `rules` holds, for each ruling,
    that exactly one of its options is chosen.
    """

    def __init__(self, circuit: Circuit, rulings: Rulings | None) -> None:
        self.free = rulings is None
        self.chosen: dict[tuple[str, str], Formula] = {}
        self.rules: dict[str, Formula] = {}
        for ruling, options in options_in_order():
            if rulings is not None:
                chosen = [TRUE if rulings.option(ruling) == option else FALSE for option in options]
            else:
                chosen = [circuit.variable(f"{ruling}={option}") for option in options]
                self.rules[ruling] = circuit.exactly(1, chosen)
            for option, formula in zip(options, chosen, strict=True):
                self.chosen[ruling, option] = formula

    def chooses(self, ruling: str, option: str) -> Formula:
        """Whether this option of the ruling is chosen."""
        return self.chosen[ruling, option]

    def value(self, ruling: str) -> str | Cases:
        """The option that is chosen."""
        options = {option: here for (name, option), here in self.chosen.items() if name == ruling and here != FALSE}
        return Cases(options, TRUE) if self.free else next(iter(options))
