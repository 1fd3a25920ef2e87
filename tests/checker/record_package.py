"""What the tests of record package share with others."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[2]


SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "spec" / "certificate.schema.json").read_text("utf-8")))
