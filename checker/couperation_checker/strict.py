"""Strict JSON and the form of its values: spec/certificate.md, "What a checker answers", codes JSON and FORM."""

import json
import re
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

MAX_BYTES, MAX_DEPTH, MAX_DIGITS = 1 << 20, 64, 9
STEPS = 1_000_000
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)


class Refused(Exception):
    """Why a certificate cannot be read on: a code, which is empty where it is unsupported, and words."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code, self.message = code, message


def need(code: str, condition: bool, message: str) -> None:
    """Refused with this code unless the condition holds."""
    if not condition:
        raise Refused(code, message)


class Work:
    """The steps that are left for a file. One is some twenty microseconds of work; what a claim takes is its own."""

    def __init__(self, left: int = STEPS) -> None:
        self.left = left

    def spend(self, count: int = 1) -> None:
        """Take so many steps; Refused, as unsupported, where fewer are left, which then stay."""
        if count > self.left:
            raise Refused("", "more work than is left of the steps for a file")
        self.left -= count


def load(text: str) -> object:
    """The JSON value of a text; Refused (JSON) beyond a bound, for a repeated field and for anything but JSON."""
    try:
        if len(text.encode()) > MAX_BYTES:
            raise ValueError("longer than 1 MiB")
        steps = ((token[0] in "[{") - (token[0] in "]}") for token in _BRACKETS.finditer(text))
        if max(accumulate(steps), default=0) > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        return json.loads(text, object_pairs_hook=_object, parse_int=_whole, parse_constant=_whole)
    except (ValueError, RecursionError) as error:
        raise Refused("JSON", ascii(str(error))[1:-1][:90]) from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field is repeated")
    return dict(pairs)


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS or not digits.strip("-").isdigit():
        raise ValueError(f"not a number, or one of more than {MAX_DIGITS} digits")
    return int(digits)


def misfit(value: Any, shape: Any, at: str) -> str | None:
    """Where a JSON value is not of a shape: a path that begins with `at`, or None where it fits.

    A shape is None (null), a pattern for strings, a range of whole numbers, a tuple of shapes of which one must fit,
    [shape] for arrays, [shape, shape] for arrays of two, {name: shape} for objects of exactly these fields, and
    {"*": (names, shape)} for objects with any fields so named. The shapes of claims.py bound the recursion.
    """
    inner: Iterable[tuple[Any, Any, str]] = ()
    if isinstance(shape, tuple):
        wrong = [misfit(value, option, at) for option in shape]
        return None if None in wrong else max(filter(None, wrong), key=len)
    if isinstance(shape, str):
        fits = type(value) is str and re.fullmatch(shape, value, re.DOTALL) is not None
    elif isinstance(shape, range):
        fits = type(value) is int and value in shape
    elif isinstance(shape, list):
        fits = type(value) is list and len(shape) in (1, len(value))
        inner = ((item, shape[0], f"{at}[{index}]") for index, item in enumerate(value)) if fits else ()
    elif isinstance(shape, dict) and "*" in shape:
        fits = type(value) is dict and all(misfit(name, shape["*"][0], at) is None for name in value)
        inner = ((item, shape["*"][1], f"{at}.{name}") for name, item in value.items()) if fits else ()
    elif isinstance(shape, dict):
        fits = type(value) is dict and value.keys() == shape.keys()
        inner = ((value[name], shape[name], f"{at}.{name}") for name in shape)
    else:
        fits = value is None
    return next(filter(None, (misfit(*part) for part in inner)), None) if fits else at
