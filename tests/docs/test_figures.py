"""Figures on pages are those that the benchmarks wrote."""

from __future__ import annotations

import json
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
