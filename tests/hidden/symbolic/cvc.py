"""Scripts run by cvc5."""

from __future__ import annotations

import re

import cvc5


def answers(script: str) -> list[str]:
    """What cvc5 answers to the checks of a script."""
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "core")
    found = []
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, parser.getSymbolManager()).strip()
        if answer:
            found.append(answer)
    return found


def without_rule(script: str, name: str) -> str:
    """The script without the assertion of this name."""
    return "\n".join(line for line in script.splitlines() if not re.search(rf":named {re.escape(name)}\)", line)) + "\n"


def rule_names(script: str) -> list[str]:
    """The names of the assertions that stand for rules."""
    return re.findall(r":named (turn\d+\.\S+)\)", script)
