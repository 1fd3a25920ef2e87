"""`python -m couperation_formal` is `couperation`."""

from couperation_formal.cli.main import run

run()
