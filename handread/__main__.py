"""The start of the program: ``handread``, and ``python -m handread``."""

import atexit
import os
import signal
import sys
from contextlib import nullcontext, suppress
from types import FrameType


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End the program at once, with ``cli.streams.STOPPED``: nothing is open yet."""
    os._exit(130)


def main(clicked: bool = False) -> None:
    """Run the program. Ctrl-C ends it without a traceback even while it is being imported.

    If the user ``clicked`` on an icon, error messages stay on the screen.
    """
    # A shell that starts a program in the background has it ignore Ctrl-C, and it stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)
    import handread.cli as cli

    try:
        with cli.program.seen() if clicked else nullcontext():
            cli.main()
    except SystemExit as end:
        _end(end.code)


def window() -> None:
    """Run ``handread open``, for icons: file managers give no arguments."""
    sys.argv[1:1] = ["open"]
    main(clicked=True)


def _end(status: object) -> None:
    """End the program with a status, its work done and its files closed.

    Unloading all imports would cost .25 s of processor time.
    """
    if status is not None and not isinstance(status, int):
        print(status, file=sys.stderr)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # what cannot be written was said before
            stream.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))


if __name__ == "__main__":  # worker processes import this module again
    main()
