"""What the commands of these tests work on."""

from __future__ import annotations

from tests.cli.run import LEGAL

UNSEEN = '[CGN "1"]\n[Players "Aki Ben"]\n\n1. Aki +0 A ?@h1\n2. Ben +0 A ?@i1\n3. Aki +0 A 49@g2\n'
SLIPS = LEGAL.replace("1. Aki", "1 Aki")
