"""usage: couperation-checker FILE...    checks certificates; - stands for standard input

A FILE holds a certificate, or an array of them. Each is answered in a line: accepted, rejected with a code and the
reason, or unsupported. The format and the codes are described in spec/certificate.md.

  -h, --help   show this help
  --version    show the version

Exit codes: 0 all are accepted, 1 one is rejected, 2 unusable arguments, or a file that cannot be read or is too long,
3 one is unsupported, 70 the output cannot be written, an interrupt, or a failure of this program; of several 70, 2, 1,
3, 0 in this order.

Limits: a FILE has 1 MiB, and 1,000,000 steps for all its certificates together, twenty microseconds each at most.
What asks for more than is left of them is unsupported.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

from couperation_checker import __version__
from couperation_checker.claims import check_each
from couperation_checker.strict import MAX_BYTES, Refused, need

EXIT = {"accepted": 0, "rejected": 1, "unsupported": 3}


def main() -> int:
    """Check the files that the arguments name. Returns one of the exit codes of the help; no exception passes."""
    try:
        code = _run(sys.argv[1:])
        print(end="", flush=True)
        return code
    except KeyboardInterrupt:
        words = "interrupted"
    except OSError as error:  # those of the files are told where they are read
        words = f"cannot write the output: {error.strerror or error}"
    except Exception as error:  # noqa: BLE001 - the outermost border: an exit code of 1 means rejected
        words = f"internal error, please report it with the input: {error!a:.200}"
    with suppress(OSError):
        print(f"couperation-checker: {words}", file=sys.stderr, flush=True)
    for stream in (1, 2):  # what is left in their buffers cannot be written at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    return 70


def _run(files: list[str]) -> int:
    if sys.stdout is None:
        raise OSError("it is closed")
    asked = {"-h": __doc__, "--help": __doc__, "--version": f"couperation-checker {__version__}"}
    if len(files) == 1 and files[0] in asked:
        print(asked[files[0]])
        return 0
    if not files or any(name.startswith("-") and name != "-" for name in files):
        print(__doc__.partition("\n")[0], file=sys.stderr)
        return 2
    codes = {0}
    for name in files:
        try:
            with os.fdopen(0, "rb") if name == "-" else Path(name).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
            need("", len(data) <= MAX_BYTES, "longer than 1 MiB")
        except (OSError, ValueError, Refused) as error:
            print(f"{ascii(name)[1:-1]}: cannot be read: {error.args[-1]}", file=sys.stderr)
            codes.add(2)
            continue
        for index, (status, *why) in check_each(data.decode("utf-8", "surrogateescape")):
            print(f"{ascii(name)[1:-1]}{index}", status, *filter(None, [" ".join(why).strip()]), sep=": ")
            codes.add(EXIT[status])
    return next(code for code in (2, 1, 3, 0) if code in codes)


if __name__ == "__main__":
    sys.exit(main())
