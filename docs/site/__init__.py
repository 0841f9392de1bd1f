"""Build the documentation as a site: ``python -m docs.site -o FOLDER``."""

from __future__ import annotations

import sys
from importlib.util import find_spec


def need(*modules: str) -> None:
    """End the program with a message if modules of the extra ``docs`` are not installed."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        sys.exit(f"{', '.join(missing)} not found: this needs pip install '.[docs]'")
