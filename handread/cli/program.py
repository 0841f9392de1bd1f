"""Parsing of the command line, and the exit status of the program."""

import _thread
import errno
import io
import os
import re
import signal
import sys
import threading
import traceback
import webbrowser
from collections import UserDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import typer
import typer.main

from handread.cli.help import Command, Group, add
from handread.cli.streams import GIVEN, NOBODY_READS, STOPPED, end_of_output
from handread.extras import missing
from handread.lazy import lazily

with lazily():
    import handread.parallel as parallel
    import handread.report.words as words
    import handread.sessions.opening as opening
    import handread.spelling as spelling
    import handread.user_cache as user_cache
    import handread.window.marks as marks
    from handread.cli import console

CRASHED = 70
"""The exit status of an error in the program itself: EX_SOFTWARE of sysexits.h."""

_LOST = (errno.ENOSPC, errno.EDQUOT, NOBODY_READS, errno.EBADF, errno.EIO)
"""Errors of a full, missing or closed standard stream; errors of other files have names."""

_STANDARD_INPUT = re.compile(r"-:[0-9]+")
_NOT_A_CHOICE = re.compile(r"(.+) is not one of (.+?)\.?", re.S)

_EXPECTED = {
    "int_parsing": "a whole number",
    "int_parsing_size": "a number of that many digits",
    "float_parsing": "a number",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
}
"""The expected values, by pydantic's error type."""

LOG = "LOG..."
"""Files given without a command, in the usage."""

READ = "Read hands"
MANY = "Many hands"
BETTER = "How good, and better"
FILES = "Files"
GAMES = "Games and the papers"
PROGRAMS = "Other programs"

COMMANDS = {
    "open": (READ, "open"),
    "analyze": (READ, "hands"),
    "report": (READ, "report"),
    "decisions": (READ, "decisions"),
    "players": (READ, "players"),
    "score": (MANY, "tables"),
    "summary": (MANY, "tables"),
    "query": (MANY, "query"),
    "evaluate": (BETTER, "evaluate"),
    "fit": (BETTER, "fit"),
    "check": (FILES, "hands"),
    "convert": (FILES, "hands"),
    "formats": (FILES, "hands"),
    "kept": (FILES, "kept"),
    "simulate": (GAMES, "simulate"),
    "experiment": (GAMES, "experiment"),
    "policy": (GAMES, "policies"),
    "schema": (PROGRAMS, "engine"),
    "engine": (PROGRAMS, "engine"),
    "mcp": (PROGRAMS, "engine"),
}
"""The panel and the module of each command: its function, or the app of a group."""


class _CommandList(UserDict[str, Any]):
    def __getitem__(self, name: str) -> Any:
        if self.data[name] is None:
            panel, place = COMMANDS[name]
            module, added = import_module(f"handread.cli.{place}"), typer.Typer()
            if hasattr(module, "app"):
                added.add_typer(module.app, name=name, rich_help_panel=panel)
            else:
                add(added, panel, getattr(module, name))
            self.data |= typer.main.get_group(added).commands
        return self.data[name]


class Program(Group):
    """The group of commands; ``-:12`` (a line of standard input) is a file, not an option."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.commands = _CommandList(dict.fromkeys(COMMANDS))

    # These types, click's or typer's own, depend on typer's version.
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options before the command; ``-:12`` is not among them."""
        GIVEN[:] = args
        given = bool(args) and _STANDARD_INPUT.fullmatch(args[0]) is not None
        return super().parse_args(ctx, ["--"] * given + args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the named command and its own arguments."""
        unknown = bool(args) and self.get_command(ctx, args[0]) is None
        file = opening.address_of(args[0]).file if unknown else "-"
        if file != "-" and not opening.is_there(file) and not ctx.resilient_parsing:
            meant = spelling.or_meant(args[0], list(self.commands))
            ctx.fail(words.visible(f"No such command {args[0]!r}, and no such file{meant}"))
        end = args.index("--") if "--" in args else len(args)
        if files := [word for word in args[:end] if _STANDARD_INPUT.fullmatch(word)]:
            rest = [word for word in args[:end] if word not in files]
            args = [*rest, "--", *files, *args[end + 1 :]]
        if unknown and args:
            dashed = args[0].startswith("-") and args[0] not in ("-", "--")
            return LOG, first_command(), ["--"] * dashed + args
        return super().resolve_command(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage: files alone, or a command."""
        return [LOG, "or", ctx.command_path, *super().collect_usage_pieces(ctx)]

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _reworded(error)
            raise
        except EOFError as error:  # which typer takes for a user who gives up
            raise RuntimeError("a file ends too early") from error


class _First(Command):
    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        return ["[OPTIONS]"]


def first_command() -> Any:
    """Return the command for files given without a command; they stand for its name."""
    added = typer.Typer(add_completion=False)
    added.command(LOG, cls=_First)(import_module("handread.cli.first_look").first)
    return typer.main.get_command(added)


def _reworded(error: typer.BadParameter) -> str:
    """Return the message about an invalid value, without the wording of the type library."""
    message = error.message.removeprefix("Value error, ")
    details = getattr(error.__cause__, "errors", None)
    if details is not None:
        detail = details()[0]
        expected = _EXPECTED.get(detail["type"])
        if expected is not None:
            return f"{detail['input']!r} is not {expected.format(**detail.get('ctx', {}))}"
    choice = _NOT_A_CHOICE.fullmatch(message)
    if choice is None:
        return message
    known = re.findall("'([^']*)'", choice[2])
    return message.removesuffix(".") + spelling.or_meant(choice[1].strip("'\""), known, close=0.6)


_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_ENDINGS = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
"""Ctrl-C, the signal by which a system ends a program, and a terminal that is closed.

On Windows SIGBREAK stands for the last, and for Ctrl-Break.
"""


@contextmanager
def guarded(debug: bool) -> Iterator[None]:
    """Run the program in the body of the ``with``; end it with a message on any error.

    With ``debug``, errors in the program itself are shown with their traceback.
    """
    _replace_closed_streams()
    try:
        for number in _ENDINGS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, _interrupt)
                sys.unraisablehook = _unraisable
        yield
    except KeyboardInterrupt:
        _leave(STOPPED)
    except SystemExit as end:
        _leave(end.code)
    except Exception as error:
        if isinstance(error, parallel.RunError):
            console.say(f"handread: {error}")
            sys.exit(2)
        if isinstance(error, PermissionError) and error.filename is not None and not debug:
            console.say(f"handread: {error.filename}: {error.strerror}")
            sys.exit(2)
        if isinstance(error, OSError) and error.errno in _LOST and error.filename is None:
            end_of_output(error)
        if lack := missing(error):
            console.say(f"handread: {lack}")
            sys.exit(2)
        _report(error, debug)
        sys.exit(CRASHED)


_CHOSEN = "PYTHONIOENCODING"

LAST_START = "last-start.txt"
"""The file for the output of a program without a terminal, beside the marks."""


@contextmanager
def seen() -> Iterator[None]:
    """Show the output of the body of the ``with`` to a user who clicked on an icon.

    Without a terminal it goes to a file. If it fails, the file opens, or the terminal stays.
    """
    file = None
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        print("handread opens in your browser. To end it, close this window.", file=sys.stderr)
    else:
        with suppress(OSError):
            file = marks.user_folder() / LAST_START
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            user_cache.make_private(file)  # it holds the key of the address
            sys.stdout = sys.stderr = file.open("w", 1, encoding="utf-8")
    try:
        yield
    except SystemExit as end:
        if end.code not in (None, 0, STOPPED):
            if file is None:
                with suppress(EOFError, KeyboardInterrupt):
                    input("\nhandread could not go on. Press Enter to close this window. ")
            else:
                webbrowser.open(file.as_uri())
        raise


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Raise ``KeyboardInterrupt``, but inside llvmlite only a moment later.

    An object of LLVM whose disposal is interrupted would be freed twice.
    """
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("llvmlite."):
            _interrupt_later()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _unraisable(fault: "sys.UnraisableHookArgs") -> None:
    """Repeat a Ctrl-C that arrived in a destructor, where Python would drop it."""
    if fault.exc_type is KeyboardInterrupt:
        _interrupt_later()
    else:
        sys.__unraisablehook__(fault)


def _interrupt_later() -> None:
    again = threading.Timer(0.01, _thread.interrupt_main)
    again.daemon = True
    again.start()


def _leave(status: Any) -> NoReturn:
    """End the program; a Ctrl-C on the way does not change the status."""
    for number in _ENDINGS:
        signal.signal(number, signal.SIG_IGN)
    raise SystemExit(status) from None


def _report(error: Exception, debug: bool) -> None:
    lines = traceback.format_exception(error) if debug else []
    what = " ".join("".join(traceback.format_exception_only(error)).split())
    more = "and this output" if debug else "and what the same command says with --debug"
    lines += [
        f"handread: an error in the program itself{_where(error)}: {what}\n",
        f"please report it to the authors, with the command, its input {more}\n",
    ]
    with suppress(OSError):  # a lost stderr: there is nobody to tell
        for line in "".join(lines).splitlines():
            print(words.visible(line).encode("ascii", "backslashreplace").decode(), file=sys.stderr)


class _ClosedInput(io.RawIOBase):
    def readable(self) -> bool:
        """Return True, so that reading is tried and explains its failure."""
        return True

    def readinto(self, _buffer: Any) -> int:
        raise OSError(errno.EBADF, "standard input is closed")


def _replace_closed_streams() -> None:
    """Replace standard streams that the caller closed.

    Their file descriptors are occupied too; otherwise the next files opened would get them.
    """
    streams: Any = sys  # None, for a stream that is closed, is no part of their declared types
    if streams.stdin is None:
        os.open(os.devnull, os.O_RDONLY)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_ClosedInput()))
    if streams.stdout is None:  # for reading, so that what is written is an error and not lost
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    elif sys.platform == "win32" and not (streams.stdout.isatty() or _CHOSEN in os.environ):
        streams.stdout.reconfigure(encoding="utf-8")  # else a file has the letters of one language
    if streams.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _where(error: Exception) -> str:
    """Return the innermost line of the program that an exception went through."""
    root = Path(__file__).parents[1]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file.is_relative_to(root):
            return f" ({file.relative_to(root)}:{frame.lineno})"
    return ""
