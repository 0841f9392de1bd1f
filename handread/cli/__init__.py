"""The command line. Heavy imports wait until a command needs them."""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated

import typer

from handread.cli.help import examples
from handread.cli.program import Program, guarded
from handread.cli.streams import write
from handread.version import __version__

app = typer.Typer(
    name="handread",
    cls=Program,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        write(f"handread {__version__}\n")
        raise typer.Exit


@app.callback()
@examples(
    (
        "your result, dearest decisions and loudest tells",
        "handread sample_histories/pokerstars.txt",
    ),
    (
        "a page for each hand of a log; open pages/index.html",
        "handread report sample_histories/pokerstars.txt -o pages",
    ),
)
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error in the program itself.")
    ] = False,
) -> None:
    """Read observed hands of seven-card stud and tell what the betting gave away.

    Give it hand histories, in files or folders; the room is detected. Without a command it tells
    on one screen what a player asks first. Every command has its own help, with two examples:
    handread COMMAND --help.
    """


BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""The variables from which NumPy's linear algebra takes its number of threads."""


def main() -> None:
    """Run the program and end with its exit status.

    It and its workers use one thread of BLAS each, unless the user's environment says otherwise:
    a worker has one core, and the last bits of a sum depend on the number of threads.
    """
    for variable in BLAS_THREADS:  # read when NumPy is imported
        os.environ.setdefault(variable, "1")
    # What the imports make stays: to look for garbage in it takes 7% of the start of a command.
    gc.set_threshold(200_000)
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    debug = "--debug" in words[:end]  # wherever it stands, also behind a command
    with guarded(debug):
        app([*(word for word in words[:end] if word != "--debug"), *words[end:]])
