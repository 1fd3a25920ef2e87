"""A drawing as PNG, with the optional library resvg-py."""

from __future__ import annotations

from functools import lru_cache

from couperation_formal.report.svg_style import NUMBER_FONTS


class NoPng(RuntimeError):
    """No PNG can be made here; the message says what is missing."""


def png(svg: str, zoom: float = 2.0) -> bytes:
    """The SVG as a PNG with `zoom` pixels for each of its units. Raises `NoPng` where the library is not installed, or
    where it finds no font for the numbers.
    """
    try:
        import resvg_py
    except ImportError:
        wanted = "PNG needs the library resvg-py: pip install 'resvg-py>=0.2' beside couperation, or write .svg"
        raise NoPng(wanted) from None
    if not _has_font():
        raise NoPng("PNG needs a font, and this system has none that could be found; write .svg")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom))


@lru_cache(maxsize=1)
def _has_font() -> bool:
    """Whether a number is seen at all: without a font the library leaves texts out and says nothing."""
    import resvg_py

    def drawn(text: str) -> bytes:
        body = f'<text x="2" y="30" font-size="24" font-family="{NUMBER_FONTS}">{text}</text>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">{body}</svg>'
        return bytes(resvg_py.svg_to_bytes(svg_string=svg))

    return drawn("25") != drawn("")
