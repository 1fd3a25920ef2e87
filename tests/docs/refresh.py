"""Write what the commands print now into the sessions of the documentation: ``python -m tests.docs.refresh``.

The difference is to be reviewed like any other change.
"""

from __future__ import annotations

import re

from tests.docs.sessions import BLOCK, PAGES, ROOT, printed


def refreshed(text: str) -> str:
    """A page with its sessions as they run now."""

    def run(block: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (.*)$", block[1], re.MULTILINE)
        return "```console\n" + "".join(f"$ {command}\n{printed(command).rstrip()}\n" for command in commands) + "```"

    return BLOCK.sub(run, text)


def main() -> None:
    """Refresh every page, and name those that changed."""
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = refreshed(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
