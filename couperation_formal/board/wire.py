"""Requests into values, and answers with the sentence of what was refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from couperation_formal.analysis.inspect import NoSuchTurn
from couperation_formal.board.keeper import Kept
from couperation_formal.game.fact import Told, Unfit, fact
from couperation_formal.words.say import phrase, say

Answer = Callable[[Request], Awaitable[Response]]
"""What answers a request."""


def one_of(text: str | None, words: tuple[Any, ...]) -> Any:
    """A parameter that is one of these words. Raises `Unfit`."""
    if text not in words:
        raise Unfit(fact("board_bad", why=", ".join(words)))
    return text


def number(request: Request, name: str) -> int | None:
    """A parameter that is a number, None where it is left out. Raises `Unfit`."""
    text = request.query_params.get(name)
    if text is None or text == "":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise Unfit(fact("board_bad", why=name))
    return int(text)


def posted(body: bytes, wanted: Any) -> Any:
    """A body as a value of the type `wanted`. Raises `Unfit`."""
    try:
        return msgspec.json.decode(body, type=wanted)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unfit(fact("board_bad", why=str(error))) from None


def answering(answer: Answer) -> Answer:
    """An answer whose refusals are sentences."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Kept as error:
            return as_json({"said": str(error)}, 423 if error.what.kind == "board_locked" else 507)
        except (NoSuchTurn, Told) as error:
            return as_json({"said": say(error.what)}, 404 if isinstance(error, LookupError) else 422)
        except LookupError:
            return as_json({"said": phrase("board_nothing")}, 404)
        except OSError as error:
            return as_json({"said": phrase("board_bad", why=error.strerror or type(error).__name__)}, 422)

    return answered


def as_json(value: Any, status: int = 200, after: BackgroundTask | None = None) -> Response:
    """A value as JSON; `after` is done when it was sent."""
    return Response(msgspec.json.encode(value), status, media_type="application/json", background=after)
