"""Writing to standard output, and how the program ends where it cannot."""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn

STOPPED = 130
"""The exit status of a program stopped by Ctrl-C."""


def write(text: str) -> None:
    """Write to standard output and flush; ``end_of_output`` says what happens if that fails."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        end_of_output(error)


def end_of_output(error: OSError) -> NoReturn:
    """End the program because a standard stream cannot be written.

    The program ends quietly if the reader has closed a pipe, otherwise with a message and status 2.
    """
    # Python flushes what is still buffered at exit, which would fail again.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        raise SystemExit(0) from None
    closed = error.errno == errno.EBADF
    reason = "standard output is closed" if closed else error.strerror or error
    try:
        print(f"handread: cannot write: {reason}", file=sys.stderr)
    except OSError:  # this message cannot be written either
        os.dup2(nowhere, sys.stderr.fileno())
    raise SystemExit(2) from None
