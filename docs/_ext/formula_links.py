"""Formulas in the documentation: their colours, and a link from each name to where it is declared or defined."""

from __future__ import annotations

import html
import re
from functools import lru_cache

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Text
from sphinx.transforms.post_transforms import SphinxPostTransform

from couperation_formal.formulas.judge import book

_WORD = re.compile(r'<span class="nv">([^<]+)</span>')
_MADE = re.compile(r"^(?:type +|given +)?(?:\w+ +)?(<?[^\W\d]\w*'?)[^\n]*?(?: :?= | := ?$|:)", re.MULTILINE)


class FormulaLexer(RegexLexer):  # type: ignore[misc]  # Pygments tells no type
    """Colours of the formula language in code blocks."""

    name = "Formula"
    aliases = ["formula"]  # noqa: RUF012 - the base class has it so
    tokens = {  # noqa: RUF012
        "root": [
            (r"--[^\n]*", Comment.Single),
            (r'"[^"\n]*"', Text),
            (r"^(type|given)\b", Keyword.Type),
            (
                r"\b(for all|for|there is|there are integers|the number of|the sum of|subsets of|is a subset of"
                r"|is defined|is empty|is not empty|is|in|not|and|or|if and only if|if|then|else|when|otherwise|with"
                r"|given|on|dom|set|seq|map|to|undefined)\b",
                Keyword,
            ),
            (r"<?[A-Za-z_]\w*'?", Name.Variable),
            (r"\d+", Number),
            (r":=|->|[-+*/=!<>|:.]", Operator),
            (r"[^\w]", Text),
        ]
    }


@lru_cache(maxsize=1)
def places() -> dict[str, str]:
    """The page of the documentation on which each name of the specification's formulas stands."""
    found = book()
    names = [*found.definitions, *(name for name in found.givens if found.source(name)), *found.types.names()]
    pages = {name: found.page_of(name) for name in names if name not in found.types.options}
    return {name: "clauses" if "/" in page else page.removesuffix(".md") for name, page in pages.items()}


def linked(code: str, page: str) -> str:
    """A block of formulas as HTML: coloured, each name of the book linked, those made here being what is linked to."""
    made = {found[1] for found in _MADE.finditer(code) if places().get(found[1]) == page}

    def link(found: re.Match[str]) -> str:
        name = html.unescape(found[1])
        owner = name if name in places() else book().types.owner(name)
        if owner not in places():
            return found[0]
        if name in made:
            made.remove(name)
            return f'<span class="nv" id="formula-{found[1]}">{found[1]}</span>'
        target = owner.lower() if owner in book().headings else f"formula-{html.escape(owner)}"
        where = "" if places()[owner] == page else f"{places()[owner]}.html"
        return f'<a class="nv" href="{where}#{target}">{found[1]}</a>'

    return _WORD.sub(link, highlight(code, FormulaLexer(), HtmlFormatter()))


class Links(SphinxPostTransform):
    """Puts linked formulas in the place of those on the specification's own pages."""

    default_priority = 400
    formats = ("html",)

    def run(self, **_kwargs: object) -> None:
        """Replace the blocks of this document."""
        folder, _, page = self.env.docname.rpartition("/")
        if folder != "reference" or page not in places().values():
            return
        for node in list(self.document.findall(nodes.literal_block)):
            if node.get("language") == "formula":
                node.replace_self(nodes.raw("", linked(node.astext(), page), format="html"))
