"""A plot of measured points beside a curve, as plain SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WIDTH, HEIGHT, MARGIN = 720, 440, 64

Points = Sequence[tuple[float, float]]


def svg(points: Points, curve: Points, labels: tuple[str, str, str]) -> str:
    """The picture; `labels` are those of the two axes and of the curve. Both axes are linear and begin at 0."""
    across = _step(max(x for x, _ in points))
    up = _step(max(y for _, y in (*points, *curve)))
    return "\n".join(_lines(points, curve, labels, across, up)) + "\n"


def _step(top: float) -> tuple[float, int]:
    """A round distance between marks, and how many of them reach `top`."""
    size = 1.0
    while top / size > 8:
        size *= 2.5 if str(size)[0] == "2" else 2
    return size, int(-(-top // size))


def _lines(
    points: Points, curve: Points, labels: tuple[str, str, str], across: tuple[float, int], up: tuple[float, int]
) -> Iterator[str]:
    right, bottom = WIDTH - MARGIN / 2, HEIGHT - MARGIN

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            MARGIN + x / (across[0] * across[1]) * (right - MARGIN),
            bottom - y / (up[0] * up[1]) * (bottom - MARGIN / 2),
        )

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
    yield ' font-size="12">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    for i in range(across[1] + 1):
        x, y = at(across[0] * i, 0)
        yield f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{MARGIN / 2:.1f}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{across[0] * i:.0f}</text>'
    for i in range(up[1] + 1):
        x, y = at(0, up[0] * i)
        yield f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{right:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{up[0] * i:.0f}</text>'
    path = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in curve)
    yield f'<polyline points="{path}" fill="none" stroke="#c60" stroke-width="1.5"/>'
    for x, y in points:
        yield '<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="#06c"/>'.format(*at(x, y))
    yield f'<text x="{(MARGIN + right) / 2:.1f}" y="{HEIGHT - 22}" text-anchor="middle">{labels[0]}</text>'
    yield f'<text x="{MARGIN}" y="18">{labels[1]}</text>'
    yield f'<text x="{MARGIN + 16}" y="{MARGIN}" fill="#c60">{labels[2]}</text>'
    yield f'<text x="{MARGIN + 16}" y="{MARGIN + 18}" fill="#06c">measured, medians</text>'
    yield "</svg>"
