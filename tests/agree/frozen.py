"""What the tests of frozen share with others."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "frozen"


def frozen(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lzma.decompress((FOLDER / name).read_bytes()).splitlines()]
