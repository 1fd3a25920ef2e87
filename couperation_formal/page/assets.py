"""The style sheets, scripts and data of a page put together, equal parts of the data written once."""

import json
from base64 import b64encode
from collections import Counter
from functools import cache, lru_cache, partial
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from couperation_formal.game.fact import fact
from couperation_formal.output.svg import DARK, LIGHT, variable_style, variables
from couperation_formal.words.say import entries, say

# Equal parts of a page's data, written once: what several views and turns have in common costs a page nothing.

_WORTH = 12
"""A part whose text is shorter stays where it is: a reference costs nearly as much."""


def shared(data: Any) -> dict[str, Any]:
    """Plain data as ``{"parts": [...], "data": ...}``: ``{"$": k}`` stands for part k. A part refers to earlier ones
    only. No mapping in the data has a key ``$``. Cost: a few writings of the data.
    """
    counts: Counter[bytes] = Counter()
    _count(data, counts)
    parts: list[Any] = []
    return {"parts": parts, "data": _written(data, counts, parts, {})}


def _count(value: Any, counts: Counter[bytes]) -> None:
    """How often each part occurs, those within an equal part once."""
    text = msgspec.json.encode(value)
    counts[text] += 1
    if counts[text] == 1 and len(text) > _WORTH:
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            _count(part, counts)


def _written(value: Any, counts: Counter[bytes], parts: list[Any], known: dict[bytes, int]) -> Any:
    text = msgspec.json.encode(value)
    if len(text) <= _WORTH:
        return value
    if text in known:
        return {"$": known[text]}
    made = value
    if isinstance(value, dict):
        made = {name: _written(each, counts, parts, known) for name, each in value.items()}
    elif isinstance(value, list):
        made = [_written(each, counts, parts, known) for each in value]
    if counts[text] == 1:
        return made
    known[text] = len(parts)
    parts.append(made)
    return {"$": known[text]}


# What pages of the game are made of: sheets and scripts by their names, data, the policy that lets nothing else in.
#
# `base.css` and the scripts of `SHARED` know the tower and the cards and no page: any page of the game has them. The
# others belong to the page of recorded games.

SHARED = ("words.js", "theme.js", "tower.js", "table.js", "steps.js", "panels.js", "filter.js", "keys.js")


def embedded(data: Any) -> Markup:
    """Data as JSON that may stand in a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(msgspec.to_builtins(data), ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


@lru_cache(maxsize=4)
def style(*sheets: str) -> str:
    """These sheets of `static`, with the colours of a drawing in light, in dark and on paper as custom properties."""
    light, dark = variables(LIGHT), variables(DARK)
    themes = (
        f":root{{{light}color-scheme:light}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}color-scheme:dark}}}}\n"
        f":root[data-theme=dark]{{{dark}color-scheme:dark}}\n"
        f"@media print{{:root:root:root{{{light}color-scheme:light}}}}\n"
    )
    return f"\n{themes}{variable_style()}\n" + "\n".join(map(_static, sheets))


def script(language: str, *names: str) -> str:
    """These scripts of `static` as one, with the sentences of the catalog that they say as `WORDS`."""
    words = f"const WORDS = {embedded(entries(language, 'live_', 'card', 'lying_', 'first_last', 'list'))};\n"
    return f'\n"use strict";\n(() => {{\n{words}' + "\n".join(map(_static, names)) + "})();\n"


def module(language: str, *names: str) -> str:
    """These scripts of `static` as one, for a page that says more of the catalog."""
    words = (
        f"const WORDS = {embedded(entries(language, 'live_', 'liveboard_', 'card', 'lying_', 'first_last', 'list'))};\n"
    )
    return words + "\n".join(map(_static, names))


def _static(name: str) -> str:
    return files("couperation_formal.page").joinpath("static", name).read_text(encoding="utf-8")


def policy(sheet: str, code: str) -> str:
    """The content security policy: this one style, this one script, and no request at all."""
    return (
        f"default-src 'none'; style-src '{_hash(sheet)}'; script-src '{_hash(code)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def templates(package: str, language: str) -> Environment:
    """The templates of a package; in them `say` says a sentence of the catalog in this language, and `language` is its
    tag.
    """
    loader = PackageLoader(package)
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.globals |= {"say": partial(_said, language), "language": language}
    made.filters["markup"] = Markup
    return made


def _said(language: str, kind: str, **values: Any) -> Markup:
    """A sentence of the catalog for a template: its values are escaped, but for what is markup already."""
    return Markup(say(fact(kind, **{name: escape(value) for name, value in values.items()}), language))
