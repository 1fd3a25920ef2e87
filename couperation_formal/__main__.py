"""`python -m couperation_formal` is `couperation`."""

import sys

# `-m` has put the folder that one works in first on the path. This package is found already; nothing else may be taken
# from there.
if not sys.flags.safe_path:
    del sys.path[0]

from couperation_formal.cli.main import run

run()
