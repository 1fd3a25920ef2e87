"""Figures on pages are those that the benchmarks wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_shares_of_positions_decided() -> None:
    corpora = json.loads((ROOT / "bench" / "table.json").read_text(encoding="utf-8"))["corpora"]
    count = {name: corpora[name]["positions"] for name in ("natural", "adversarial")}
    share = {name: f"{100 * corpora[name]['decided'] / count[name]:.1f}%" for name in count}
    said = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"of {count['natural']:,} positions of sampled games it decided {share['natural']}" in said
    assert f"of {count['adversarial']} hard ones near the end {share['adversarial']}" in said
    page = (ROOT / "bench" / "table.md").read_text(encoding="utf-8")
    assert all(f"decided ({each})" in page for each in share.values())


def test_what_a_million_games_take() -> None:
    """Two cores ask the cheap questions in a working day, thirty-two all in a night; a part of a minute is long."""
    page = (ROOT / "bench" / "many.md").read_text(encoding="utf-8").partition("## A study")[2]
    cheap, table, deal = (float(hours) for hours in re.findall(r"\| 1,000,000 \| .* \| (\d+) \|$", page, re.MULTILINE))
    assert cheap / 2 < 10
    assert (table + deal) / 32 < 12
    (most,) = re.findall(r"\| 1,000,000,000 \| 4,000,000,000 \| .* \| ([\d,]+) \|$", page, re.MULTILINE)
    assert int(most.replace(",", "")) / 64 > 24 * 7
    tasks = [float(each) for each in re.findall(r"^\| [12] \| ([\d.]+) \|", page, re.MULTILINE)]
    assert all(each < 20 for each in tasks)
    assert 60_000 / max(tasks) > 3_000
