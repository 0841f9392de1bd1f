"""How the words of a command line are taken."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperGroup

_STANDARD_INPUT = re.compile(r"-:[0-9]+")


class Program(TyperGroup):
    """The commands, which take ``-:12``, a line of standard input, for a file and no option."""

    # Whose types these are, click's or typer's own, depends on the version of typer.
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words name, and its own words."""
        end = args.index("--") if "--" in args else len(args)
        files = [word for word in args[:end] if _STANDARD_INPUT.fullmatch(word)]
        if files:
            rest = [word for word in args[:end] if word not in files]
            args = [*rest, "--", *files, *args[end + 1 :]]
        return super().resolve_command(ctx, args)
