"""The command line. Heavy imports wait until a command needs them."""

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
    ("your hands in the browser; drop logs on the page", "handread open"),
    (
        "your result, dearest decisions and loudest tells",
        "handread sample_histories/pokerstars.txt",
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
"""The variables that set the number of threads of NumPy's linear algebra."""


def main() -> None:
    """Run the program and end with its exit status.

    Its processes use one BLAS thread each unless the user's environment says otherwise: a worker
    has one core, and the last bits of a sum depend on the number of threads.
    """
    for variable in BLAS_THREADS:  # read when NumPy is imported
        os.environ.setdefault(variable, "1")
    # What the imports make stays: looking for garbage in it takes 7% of the start of a command.
    gc.set_threshold(200_000)
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    debug = "--debug" in words[:end]  # wherever it stands, also behind a command
    with guarded(debug):
        sys.argv[1:] = [*(word for word in words[:end] if word != "--debug"), *words[end:]]
        app()  # without words of ours: on Windows it then opens up *.txt, as shells do elsewhere
