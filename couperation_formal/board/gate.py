"""Who gets in. Every request passes here, and every answer leaves with the same headers.

A request must name an address that is listened on, and bring the token: once in the URL, which is answered by a
redirect to the same page with a cookie, then as that cookie. What would change something is JSON from a page of this
origin, in the hands of who may write. Who may watch is answered by an application of its own, which knows only what
that view knows. Nobody else learns anything of a game.
"""

import asyncio
import re
import secrets
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from html import escape
from http.cookies import CookieError, SimpleCookie
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qs, quote

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from couperation_formal.board.keeper import Kept
from couperation_formal.board.user import LASTS, Doors
from couperation_formal.game.fact import Told, Unfit, fact, worded
from couperation_formal.game.record import Game
from couperation_formal.questions.records.states import NoSuchTurn
from couperation_formal.words.say import ENGLISH, language_of, say

MOST_BODY = 1 << 18
"""The most bytes that a post may bring."""
LATE = 15.0
"""So many seconds a post may take to arrive."""
MOST_TARGET = 2048
"""The longest address and query."""
RATE, BURST = 60.0, 240.0
"""So many requests a second are answered, and so many at once, of each token and of all who have none."""
SHARED = 5
"""So many times as many of a token that watches, which many screens may have."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""What every answer says."""


class May(NamedTuple):
    """What a token allows: to write, or to watch, as the player `name` or what everybody sees."""

    kind: Literal["write", "watch"]
    name: str | None = None


class Tokens:
    """The tokens of one board and what each allows; with `doors` also those that a board before it issued, and none
    that another board withdrew.
    """

    def __init__(self, doors: Doors | None = None) -> None:
        self._may: dict[str, May] = {}
        self._lasting, self._ended = set[str](), set[str | None]()
        self._doors, self.of = doors, "" if doors is None else f"-{doors.of[:8]}"

    def issue(self, may: May) -> str:
        """A new token that allows this."""
        token = secrets.token_urlsafe(32)
        self._may[token] = may
        if self._doors is not None and self._doors.open(may.kind, token):
            self._lasting.add(token)
        return token

    def take(self, token: str, may: May) -> bool:
        """Whether an earlier board issued this token for the same; then it allows it again."""
        if self._doors is None or self._ended & {None, token} or not self._doors.known(may.kind, token):
            return False
        self._may[token] = may
        self._lasting.add(token)
        return True

    def withdraw(self, token: str | None = None) -> None:
        """A token that allows nothing any more; without one all. Raises `Unfit` where later boards may know it."""
        self._may = {} if token is None else {each: may for each, may in self._may.items() if each != token}
        self._ended.add(token)
        if self._doors is not None:
            self._doors.close(token)

    def may(self, token: str | None) -> May | None:
        """What a token allows, None for one that was not issued. Takes as long whichever it is."""
        allowed = None
        for known, may in self._may.items():
            if secrets.compare_digest(known.encode(), (token or "").encode("utf-8", "replace")):
                allowed = may
        if allowed is None:
            return May("write") if token and self.take(token, May("write")) else None
        gone = token in self._lasting and self._doors is not None and self._doors.withdrawn(allowed.kind, token)
        return None if gone else allowed


class Gate:
    """The gate before two applications: that of who writes, and that of who watches, which alone hears of the others.
    `hosts` are the hosts that a request may name; `anywhere` adds the address on which it came in. Who asks for none
    that there is is answered in `language`.
    """

    def __init__(
        self,
        writes: ASGIApp,
        watches: ASGIApp,
        tokens: Tokens,
        hosts: Iterable[str],
        port: int,
        anywhere: bool = False,
        language: str = ENGLISH,
    ) -> None:
        self._writing, self._watching, self._tokens = writes, watches, tokens
        self._hosts, self._anywhere, self._language = frozenset(hosts), anywhere, language
        self._cookies = {"write": f"couperation-{port}{tokens.of}", "watch": f"couperation-{port}-watch"}
        self._paces: dict[str | None, _Pace] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it in."""
        if scope["type"] == "lifespan":
            await self._writing(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        chosen = _chosen(scope)
        scope["language"] = language = chosen or _preferred(Headers(scope=scope), self._language)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if chosen is not None:
                    kept = f"{_COOKIE}={chosen}; HttpOnly; Max-Age={LASTS}; Path=/; SameSite=strict"
                    headers.append("Set-Cookie", kept)
            await send(message)

        answer: ASGIApp | None = self._refused(scope)
        if answer is None and scope["method"] in ("GET", "HEAD"):
            answer = self._writing if scope["may"].kind == "write" else self._watching
        if answer is None:
            try:
                body = await asyncio.wait_for(_body(receive), LATE)
            except TimeoutError:
                answer = _plain(408, "board_late", language)
            else:
                answer = _plain(413, "board_body", language) if body is None else self._writing
                receive = _again(body or b"", receive)
        await answer(scope, receive, sent)

    def _refused(self, scope: Scope) -> Response | None:
        """The answer to a request that does not get in; None where it does, with what it may do noted."""
        headers, language = Headers(scope=scope), scope["language"]
        hosts = headers.getlist("host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        # one of those listened on: a known one, or, spelled out, where the request came in
        if host not in self._hosts and not (self._anywhere and host == reached_at(scope.get("server"))):
            return _plain(403, "board_host", language)
        if len(scope["raw_path"]) + len(scope["query_string"]) > MOST_TARGET:
            return _plain(414, "board_target", language)
        try:
            query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20)
        except ValueError:
            return _plain(414, "board_target", language)
        entering = scope["method"] == "GET" and "token" in query
        token = query["token"][0] if entering else self._brought(headers)
        may = self._tokens.may(token)
        if not self._paced(may, token):
            return _plain(429, "board_rate", language)
        if may is None:
            led = headers.get("sec-fetch-site"), headers.get("sec-fetch-dest")
            if not entering and scope["method"] == "GET" and led == ("cross-site", "document"):
                return _ONCE_MORE
            if "text/html" in headers.get("accept", ""):
                return _closed(language)
            return _plain(403, "board_token", language)
        if entering:
            return self._entered(scope["path"], query["token"][0], may)
        if scope["method"] not in ("GET", "HEAD"):
            if may.kind != "write":
                return _plain(403, "board_watches", language)
            origins = headers.getlist("origin")
            if len(origins) != 1 or origins[0].lower() != f"http://{host}":
                return _plain(403, "board_origin", language)
            if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
                return _plain(415, "board_json", language)
        scope["may"], scope["token"], scope["near"] = may, token, near(scope.get("client"), scope.get("server"))
        scope["let"] = self._let
        return None

    def _entered(self, path: str, token: str, may: May) -> Response:
        """The redirect that takes the token out of the address. A cookie that may write stays beside it."""
        answer = Response(status_code=303, headers={"Location": f"/{quote(path.lstrip('/'))}"})
        self._let(answer, may.kind, token)
        return answer

    def _let(self, answer: Response, kind: str, token: str) -> None:
        """Let who gets this answer in with a token: who writes as long as later boards know it."""
        lasts = LASTS if kind == "write" else None
        answer.set_cookie(self._cookies[kind], token, lasts, httponly=True, samesite="strict", path="/")

    def _brought(self, headers: Headers) -> str | None:
        """The token of the cookie that allows most."""
        cookies = _cookies(headers)
        tokens = [cookies[name] for name in self._cookies.values() if name in cookies]
        return next((each for each in tokens if self._tokens.may(each) is not None), None)

    def _paced(self, may: May | None, token: str | None) -> bool:
        """Whether who holds this token does not ask too much; all without one share a pace."""
        often = SHARED if may is not None and may.kind != "write" else 1
        return self._paces.setdefault(None if may is None else token, _Pace(often)).taken()


def _cookies(headers: Headers) -> dict[str, str]:
    """The cookies of a request; none where they cannot be read."""
    with suppress(CookieError):
        return {name: each.value for name, each in SimpleCookie(headers.get("cookie", "")).items()}
    return {}


# In which language a request is answered: as the address chooses with `lang`, which a cookie keeps from then on, else
# as that cookie tells, else as the browser prefers (RFC 9110, 12.5.4), else as the board was begun.

_COOKIE = "couperation-language"
_WANTED = re.compile(r"\s*([A-Za-z0-9-]{1,80}|\*)\s*(?:;\s*[qQ]\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?")


def _chosen(scope: Scope) -> str | None:
    """The language that the address of a request chooses, if there is such a one."""
    with suppress(ValueError):
        query = parse_qs(scope["query_string"][:MOST_TARGET].decode("latin-1"), max_num_fields=20)
        return language_of(query.get("lang", [])[:1])
    return None


def _preferred(headers: Headers, own: str) -> str:
    """The language that a request wants most of those that there are; the board's `own` where it wants any."""
    parts = ",".join(headers.getlist("accept-language"))[:MOST_TARGET].split(",")
    wanted = [(each[1], float(each[2] or 1)) for each in map(_WANTED.fullmatch, parts) if each is not None]
    tags = [tag for tag, weight in sorted(wanted, key=lambda each: -each[1]) if weight > 0]
    kept = _cookies(headers).get(_COOKIE, "")
    return language_of([kept, *(own if tag == "*" else tag for tag in tags)]) or own


def language(request: Request) -> str:
    """The language in which a request is answered."""
    return str(request.scope["language"])


class _Pace:
    """How much may be asked at once still."""

    def __init__(self, often: int) -> None:
        self._often = often
        self._left, self._at = BURST * often, time.monotonic()

    def taken(self) -> bool:
        """Whether one more request is answered."""
        now = time.monotonic()
        self._left = min(BURST * self._often, self._left + (now - self._at) * RATE * self._often)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


_ONCE_MORE = HTMLResponse('<!doctype html><meta http-equiv="refresh" content="0">', 403)
"""A strict cookie is not brought where another place led to the page, so the page is asked for once more, from here."""


_SHEET = "html{color-scheme:light dark;font:1.05rem/1.5 system-ui}main{margin:18vh auto;max-width:30rem;padding:1rem}"


def _closed(language: str) -> Response:
    """A page for who is not let in, which tells what to do and nothing of a game."""
    kinds = ("board_closed", "liveboard_closed", "board_closed_watch")
    title, *lines = (escape(say(fact(kind), language)) for kind in kinds)
    told = "".join(f"<p>{line}</p>" for line in lines)
    size = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<html lang="{language}"><meta charset="utf-8">{size}<style>{_SHEET}</style>'
    page = f"<!doctype html>{head}<title>{title}</title><main><h1>{title}</h1>{told}</main></html>"
    sheet = f"style-src 'sha256-{b64encode(sha256(_SHEET.encode()).digest()).decode()}'"
    policy = HEADERS["Content-Security-Policy"].replace("style-src 'self'", sheet)
    return HTMLResponse(page, 403, {"Content-Security-Policy": policy})


def _plain(status: int, kind: str, language: str) -> Response:
    return PlainTextResponse(say(fact(kind), language) + "\n", status)


async def _body(receive: Receive) -> bytes | None:
    """What a post brings; None where that is too much."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        size += len(message.get("body", b""))
        if size > MOST_BODY:
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was received, once more; then what else is heard of the one who posted it: that he went away."""
    rest = [body]

    async def received() -> Message:
        if rest:
            return {"type": "http.request", "body": rest.pop(), "more_body": False}
        return await receive()

    return received


# What somebody who watches may know of a game. Nothing else of it may reach an answer to who does not write.


def viewer(game: Game, may: May) -> str | None:
    """The player as whom a game is watched, who may know what `game.seen` says of him; None where that is everybody,
    as it is for who does not play it.
    """
    return may.name if may.name in game.record.players else None


# Addresses as they stand in a URL.

Address = IPv4Address | IPv6Address


def joined(address: Address, port: int) -> str:
    """An address and a port, as they stand in a URL."""
    return f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}"


def reached_at(server: Any) -> str | None:
    """Address and port on which a connection came in, as a URL has them."""
    try:
        return joined(plain(server[0]), server[1])
    except (TypeError, ValueError, LookupError):
        return None


def near(client: Any, server: Any) -> bool:
    """Whether a connection comes from this machine."""
    with suppress(TypeError, ValueError, LookupError):
        address = plain(client[0])
        return address.is_loopback or address == plain(server[0])
    return False


def plain(text: str) -> Address:
    """An address; of one that stands for another, that."""
    address = ip_address(text.partition("%")[0])
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


# Requests into values, and answers with the sentence of what was refused.

Answer = Callable[[Request], Awaitable[Response]]
"""What answers a request."""


class NotAllowed(Told, ValueError):
    """A turn that the rules refuse or that is not all told; `told` is the draft with what they say."""

    def __init__(self, due: bool, told: dict[str, object]) -> None:
        super().__init__("board_due" if due else "board_refused")
        self.told = told


def number(request: Request, name: str) -> int | None:
    """A parameter that is a number, None where it is left out. Raises `Unfit`."""
    text = request.query_params.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise Unfit("board_bad", why=name)
    return int(text)


async def posted(request: Request, wanted: Any) -> Any:
    """The body of a request as a value of the type `wanted`. Raises `Unfit`."""
    body = await request.body()
    try:
        return msgspec.json.decode(body, type=wanted)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unfit("board_bad", why=str(error)) from None


def routes(method: str, by_path: Mapping[str, Answer]) -> list[Route]:
    """What answers the requests of this method at each path; refusals are sentences."""
    return [Route(path, _answering(each), methods=[method]) for path, each in by_path.items()]


def _answering(answer: Answer) -> Answer:

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Kept as error:
            return as_json(request, {"said": error.what}, 423 if error.what.kind == "board_locked" else 507)
        except NotAllowed as error:
            return as_json(request, {"said": error.what, "draft": error.told}, 422)
        except (NoSuchTurn, Told) as error:
            return as_json(request, {"said": error.what}, 404 if isinstance(error, LookupError) else 422)
        except LookupError:
            return refusal(request, 404, "board_nothing")
        except OSError as error:
            return refusal(request, 422, "board_bad", why=error.strerror or type(error).__name__)

    return answered


def as_json(request: Request, value: Any, status: int = 200) -> Response:
    """A value as JSON, in the language of the request."""
    return Response(msgspec.json.encode(worded(value, language(request))), status, media_type="application/json")


def refusal(request: Request, status: int, kind: str, **values: str) -> Response:
    """That something is refused, in the sentence of this kind."""
    return as_json(request, {"said": fact(kind, **values)}, status)
