"""Where the results of the commands go."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from handread.formats.format import Writer
from handread.history import History
from handread.session import address_of
from handread.tables.folders import files_below, is_folder


def writer_check(target: Writer | None) -> Callable[[History], object]:
    """Raises ``ValueError`` for a hand that a dialect cannot hold; None is the columnar form."""
    if target is not None:
        return target.write
    from handread.formats.parquet import check_hand

    return check_hand


def same_file(path: Path, file: str) -> bool:
    """Whether a path leads to a file that was named for reading."""
    if is_folder(file):
        return any(same_file(path, str(one)) for one in files_below(Path(file), None, []))
    file = address_of(file).file
    return file != "-" and path.exists() and Path(file).exists() and path.samefile(file)


def emit(text: str) -> None:
    """Write to standard output at once, what its encoding lacks as escapes.

    Where the reader has gone away there is nothing left to do, and the program ends quietly; a
    full disk ends it with a word and status 2.
    """
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except OSError as error:
        end_of_output(error)


def end_of_output(error: OSError) -> NoReturn:
    """End the program because a standard stream takes nothing more.

    It ends quietly where the reader has gone away, else with a word and status 2.
    """
    # What is still buffered must not fail a second time when the program ends.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        raise SystemExit(0) from None
    closed = error.errno == errno.EBADF
    reason = "standard output is closed" if closed else error.strerror or error
    try:
        print(f"handread: cannot write: {reason}", file=sys.stderr)
    except OSError:  # nor can this be told
        os.dup2(nowhere, sys.stderr.fileno())
    raise SystemExit(2) from None
