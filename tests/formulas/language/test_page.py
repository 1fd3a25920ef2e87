"""The page that defines the language: its example runs, and the error that it shows is what the checker says."""

from __future__ import annotations

import re

import pytest

from couperation_formal.formulas.book import Book, BookError
from couperation_formal.game.rulings import options_in_order, spec_text

PAGE = spec_text("language.md")
OPTIONS = dict(options_in_order())


def test_the_example_runs() -> None:
    book = Book({"language.md": PAGE}, OPTIONS)
    tower: dict[object, object] = {
        (6, 1): ("Up", ("Glass", 25)),
        (7, 1): ("Down", ("Glass", 3)),
        (6, 2): ("Up", ("Glass", 1)),
    }

    def holds(tower: dict[object, object], finish: str) -> object:
        return (
            book.values({"W": tower, **{name: names[0] for name, names in OPTIONS.items()}})
            .given({"finish_value": finish})
            .value("example")
        )

    assert holds(tower, "25") is False
    assert holds({**tower, (6, 2): ("Up", ("Glass", 2))}, "25") is True
    assert holds({**tower, (6, 2): ("Up", ("F",))}, "25") is True
    assert holds({**tower, (6, 2): ("Up", ("F",))}, "none") is False
    assert holds({(6, 2): ("Down", ("F",))}, "none") is False


def test_the_error_on_the_page_is_the_checkers() -> None:
    (shown,) = re.findall(r"```text\n(language\.md:.*?)```", PAGE, re.DOTALL)
    with pytest.raises(BookError) as raised:
        Book({"language.md": PAGE.replace("    W(x) = Up(c): num(c) > 1 ", "    num(W(x)) > 1 ")}, OPTIONS)
    said = re.sub(r" +-- .*", "", str(raised.value))
    assert said == shown.rstrip("\n")
