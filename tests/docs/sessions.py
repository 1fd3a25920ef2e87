"""What the tests of sessions share with others."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "spec").rglob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
"""The pages that hold sessions."""
