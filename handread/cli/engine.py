"""The commands for other programs: engine, mcp and schema."""

import os
import sys
from pathlib import Path

from handread.cli.declared import argument, option
from handread.cli.groups import spread
from handread.cli.help import RUNNING, examples
from handread.cli.options import usage
from handread.lazy import lazily

with lazily():
    import json

    import handread.engine.engine as engines
    import handread.engine.server as server
    import handread.parallel as parallel
    import handread.processes as processes
    import handread.report.schemas as schemas
    from handread.cli import console


@spread
@examples(
    ("answer the requests of standard input, one by one", "handread engine"),
    ("four hands at a time", "handread engine --workers 4"),
)
def engine(
    *,
    workers: int = option(
        "Number of processes; 1 works in the engine itself, 0 uses all cores.",
        min=0,
        max=61,
        panel=RUNNING,
        default=1,
    ),
) -> None:
    """Answer other programs: requests and answers are lines of JSON.

    A request is a line such as {"id": 1, "hand": "the text of a hand"}; the answer has the same id
    and the analysis, as analyze --json prints it. A hand may also be followed while it is played.
    Errors are answers too. The engine ends with its input; Ctrl-C ends it at once.
    """
    try:
        descriptor = sys.stdin.fileno()
    except (OSError, ValueError):
        raise usage("standard input is closed: requests are read from it") from None
    lines = engines.request_lines(lambda size: os.read(descriptor, size))
    count = workers or parallel.usable_cores()
    if count == 1:
        engines.Engine(console.emit).run(lines)
        return
    with processes.Helpers(count) as helpers:
        helpers.warm("handread.engine.answers")
        engines.Engine(console.emit, helpers).run(lines)


@spread
@examples(
    ("tools for an assistant, which may read the logs of a folder", "handread mcp logs"),
    ("tools for hands that come as text", "handread mcp"),
)
def mcp(
    *,
    folders: list[Path] | None = argument(
        "Folders whose files may be read. Without any, hands come as text only.", "[FOLDER...]"
    ),
) -> None:
    """Give an assistant tools that read hands, over MCP.

    MCP is the Model Context Protocol. Your assistant starts this command itself: name it in the
    settings of the assistant. It needs the extra of the same name: pip install 'handread[mcp]'.
    """
    for folder in folders or ():
        if not folder.is_dir():
            raise usage(f"{folder}: there is no such folder")
    server.serve(folders or ())


@spread
@examples(
    ("the names of the schemas", "handread schema"),
    ("what analyze --json prints", "handread schema analysis > analysis.schema.json"),
)
def schema(
    *,
    name: str | None = argument("Which one; without it, list the names.", "[NAME]", default=None),
    new_fields: bool = option(
        "Allow fields that the schema does not know, as a later version may print them.",
        default=False,
    ),
) -> None:
    """Print the JSON Schema of what commands print with --json, or of the engine's lines."""
    if name is None:
        console.emit("".join(f"{known}\n" for known in schemas.SCHEMA_NAMES))
        return
    with console.errors_told(ValueError):
        console.emit(json.dumps(schemas.json_schema(name, new_fields), indent=2) + "\n")
