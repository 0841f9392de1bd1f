"""Libraries that only some tasks need, and the extra that installs each."""

import sys
from importlib.util import find_spec

EXTRAS = {
    **dict.fromkeys(("h11", "starlette", "uvicorn", "watchfiles"), "window"),
    **dict.fromkeys(("numba", "scipy", "threadpoolctl"), "fit"),
    "matplotlib": "pictures",
    "polars": "tables",
    "distributed": "cluster",
    "fsspec": "url",
    **dict.fromkeys(("anyio", "mcp"), "mcp"),
}
"""The extra of each library, as pyproject.toml has them."""


def missing(error: BaseException) -> str:
    """Return how to install the library that an import lacks; "" for another error."""
    library = (getattr(error, "name", None) or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or library not in EXTRAS:
        return ""
    if getattr(sys, "frozen", False):  # the program in one file
        return f"this needs {library}: install handread with Python for it"
    return f"this needs {library}: pip install 'handread[{EXTRAS[library]}]'"


def need(library: str) -> None:
    """Raise ``ModuleNotFoundError`` before work whose results need a library that is missing."""
    if find_spec(library) is None:
        error = ModuleNotFoundError(name=library)
        error.msg = missing(error)
        raise error
