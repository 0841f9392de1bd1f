"""The reference pages by file name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from docs.site.reference.commands import commands_page
from docs.site.reference.grammars import grammars_page
from docs.site.reference.json_objects import json_page
from docs.site.reference.policies import policies_page
from docs.site.reference.python import python_page
from docs.site.reference.tables import tables_page
from handread.report.schemas import SCHEMA_NAMES, json_schema, schema_file


def schema_text(name: str) -> str:
    """Return a schema as ``handread schema`` prints it."""
    return json.dumps(json_schema(name), indent=2) + "\n"


FOLDER = Path(__file__).parents[2] / "reference"
"""The folder of the pages."""

PAGES: Mapping[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "python.md": python_page,
    "tables.md": tables_page,
    "json.md": json_page,
    "grammars.md": grammars_page,
    "policies.md": policies_page,
    **{schema_file(name): partial(schema_text, name) for name in SCHEMA_NAMES},
}
"""The function that makes each page, and each schema."""


def is_current(name: str) -> bool:
    """Return True if a page in the folder is what would be written now."""
    path = FOLDER / name
    return path.exists() and path.read_text(encoding="utf-8") == PAGES[name]()


def write_pages() -> list[str]:
    """Write the pages that are out of date; return their names."""
    FOLDER.mkdir(exist_ok=True)
    changed = [name for name in PAGES if not is_current(name)]
    for name in changed:
        (FOLDER / name).write_text(PAGES[name](), encoding="utf-8", newline="\n")
    return changed
