"""Writing to standard output, and ending the program where that fails."""

import errno
import os
import sys
from typing import NoReturn

GIVEN: list[str] = []
"""The words of the command line, which files of results repeat."""

STOPPED = 130
"""The exit status of a program stopped by Ctrl-C."""

NOBODY_READS = errno.EINVAL if sys.platform == "win32" else errno.EPIPE
"""The error of a pipe that is closed at its other end."""


def write(text: str) -> None:
    """Write to standard output and flush; see ``end_of_output`` for failures."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        end_of_output(error)


def end_of_output(error: OSError) -> NoReturn:
    """End the program because a standard stream cannot be written.

    A closed pipe ends it quietly, any other failure with a message and status 2.
    """
    # Python flushes remaining buffers at exit, which would fail again.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    if error.errno == NOBODY_READS:
        raise SystemExit(0) from None
    closed = error.errno == errno.EBADF
    reason = "standard output is closed" if closed else error.strerror or error
    try:
        print(f"handread: cannot write: {reason}", file=sys.stderr)
    except OSError:  # this message cannot be written either
        os.dup2(nowhere, sys.stderr.fileno())
    raise SystemExit(2) from None
