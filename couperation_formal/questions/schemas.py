"""The JSON schemas of the answers' JSON forms, made when they are asked for."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Final

import msgspec

from couperation_formal.output.formats import Data
from couperation_formal.questions.disputes.compare import CompareData
from couperation_formal.questions.disputes.dispute import DisputeData, QuarrelData
from couperation_formal.questions.disputes.infer import InferData
from couperation_formal.questions.records.ask import AskData
from couperation_formal.questions.records.check import CheckData
from couperation_formal.questions.records.explain import WhyData
from couperation_formal.questions.records.fmt import FixData
from couperation_formal.questions.tables.complete import CompleteData, TableCompleteData, WindowsData
from couperation_formal.questions.tables.deadlock import DeadlockData, SummaryData, TableDeadlockData
from couperation_formal.questions.tables.moves import MovesData, TableMovesData
from couperation_formal.questions.tables.why import CountsData, MinimalData

FORMS: Final[dict[str, tuple[type[Data], ...]]] = {
    "ask": (AskData,),
    "check": (CheckData,),
    "complete": (CompleteData,),
    "deadlock": (DeadlockData,),
    "deadlock_summary": (SummaryData,),
    "deadlocks": (MinimalData, CountsData),
    "dispute": (DisputeData,),
    "dispute_compare": (CompareData,),
    "dispute_turn": (QuarrelData,),
    "explain": (WhyData,),
    "fix": (FixData,),
    "infer": (InferData,),
    "moves": (MovesData,),
    "table_complete": (TableCompleteData,),
    "table_deadlock": (TableDeadlockData,),
    "table_moves": (TableMovesData,),
    "windows": (WindowsData,),
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
