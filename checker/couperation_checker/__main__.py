"""The command `couperation-checker FILE...`: a line for each certificate, and an exit code for all of them."""

import sys
from pathlib import Path

from couperation_checker.claims import check_each
from couperation_checker.strict import MAX_BYTES

USAGE = "usage: couperation-checker FILE...    checks certificates; - stands for standard input"
EXIT = {"accepted": 0, "rejected": 1, "unsupported": 3}


def main() -> int:
    """Check the files that the arguments name. Returns 2 for an unusable one, else 1, 3 or 0 as in EXIT."""
    files = sys.argv[1:]
    if not files or any(name.startswith("-") and name != "-" for name in files):
        asked = files in (["-h"], ["--help"])
        print(USAGE, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    codes = {0}
    for name in files:
        try:
            with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
                text = file.read(MAX_BYTES + 1).decode("utf-8", "surrogateescape")
        except (OSError, ValueError) as error:
            print(f"{ascii(name)[1:-1]}: {error!a}", file=sys.stderr)
            codes.add(2)
            continue
        for index, verdict in check_each(text):
            words = f"{verdict.status}: {verdict.code} {verdict.message}" if verdict.message else verdict.status
            print(f"{ascii(name)[1:-1]}{index}: {words.replace(':  ', ': ')}")
            codes.add(EXIT[verdict.status])
    return next(code for code in (2, 1, 3, 0) if code in codes)


if __name__ == "__main__":
    sys.exit(main())
