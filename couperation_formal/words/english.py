"""The catalog in English: one sentence a kind of fact, and the words of its places (`words.say`)."""

from __future__ import annotations

from couperation_formal.words.answers import ANSWERS
from couperation_formal.words.board import BOARD
from couperation_formal.words.board_look import BOARD_LOOK
from couperation_formal.words.board_page import BOARD_PAGE
from couperation_formal.words.findings import FINDINGS
from couperation_formal.words.library import LIBRARY
from couperation_formal.words.page import PAGE
from couperation_formal.words.parts import PARTS
from couperation_formal.words.readings import READINGS
from couperation_formal.words.refusals import REFUSALS

ENGLISH: dict[str, str] = {
    **FINDINGS, **ANSWERS, **READINGS, **PARTS, **PAGE, **REFUSALS, **LIBRARY, **BOARD, **BOARD_LOOK, **BOARD_PAGE,
}  # fmt: skip
