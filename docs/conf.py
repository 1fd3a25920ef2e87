"""The documentation's settings. Nothing is fetched while it is built."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "_ext"))

from couperation_formal import __version__

project = "couperation-formal"
author = "the couperation-formal authors"
copyright = author
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "couperation_docs"]
exclude_patterns = ["_build", "_ext", "games"]
myst_heading_anchors = 3
default_role = "code"
smartquotes = False

html_theme = "furo"
html_title = "couperation-formal"
html_copy_source = False
html_show_sourcelink = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
