"""The JSON schemas of the answers' JSON forms, made when they are asked for."""

from inspect import cleandoc
from typing import Any, Final

import msgspec

from couperation_formal.output.formats import Data
from couperation_formal.questions.disputes import compare, dispute, infer
from couperation_formal.questions.records import ask, check, explain, fmt
from couperation_formal.questions.tables import complete, deadlock, moves, why

FORMS: Final[dict[str, tuple[type[Data], ...]]] = {
    "ask": (ask.AskData,),
    "check": (check.CheckData,),
    "complete": (complete.CompleteData,),
    "deadlock": (deadlock.DeadlockData,),
    "deadlock_summary": (deadlock.SummaryData,),
    "deadlocks": (why.MinimalData, why.CountsData),
    "dispute": (dispute.DisputeData,),
    "dispute_compare": (compare.CompareData,),
    "dispute_turn": (dispute.QuarrelData,),
    "explain": (explain.WhyData,),
    "fix": (fmt.FixData,),
    "infer": (infer.InferData,),
    "moves": (moves.MovesData,),
    "table_complete": (complete.TableCompleteData,),
    "table_deadlock": (deadlock.TableDeadlockData,),
    "table_moves": (moves.TableMovesData,),
    "windows": (complete.WindowsData,),
}
"""What a line of JSON may be, by the name of its schema."""


def schema(name: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a line of JSON: `FORMS` has the names, of which another one is a `KeyError`.
    Each form may name the configuration that was used.
    """
    forms = FORMS[name]
    lines, parts = msgspec.json.schema_components(forms)
    for part in parts.values():
        if "description" in part:  # up to Python 3.12 a docstring keeps the source's indentation
            part["description"] = cleandoc(part["description"])
    for form in forms:
        parts[form.__name__]["properties"]["configuration"] = {"type": "string"}
    line = lines[0] if len(lines) == 1 else {"anyOf": list(lines)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **line, "$defs": parts}
