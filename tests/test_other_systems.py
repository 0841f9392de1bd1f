"""What differs on Windows and macOS, simulated: each test has the system do what theirs does.

``docs/install.md`` has the table. The workflow ``tests.yml`` runs all tests on these systems.
"""

from __future__ import annotations

import errno
import io
import ntpath
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any

import pytest

import handread.cli as cli
from handread.cli import program, streams
from handread.engine.sources import ADDRESS
from handread.inference.players import parse_players
from handread.kernels import loading
from handread.parallel import RunError, locked, usable_cores
from handread.policy.base import PolicyError
from handread.report.words import command_line
from handread.sessions import opening, store
from handread.tables.files import Folder
from handread.whole_files import write_text_whole
from handread.window.server import listening
from handread.window.watching import keep_log
from tests.program import ROOT

# Files and locks


def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


def held(monkeypatch: pytest.MonkeyPatch, name: str, refusals: int) -> list[Path]:
    """Have Windows refuse to move or delete a file so often, as somebody has it open."""
    refused: list[Path] = []
    real: Callable[..., Any] = getattr(Path, name)

    def method(path: Path, *rest: Any, **named: Any) -> Any:
        if len(refused) < refusals:
            refused.append(path)
            raise PermissionError(errno.EACCES, "Access is denied", str(path))
        return real(path, *rest, **named)

    monkeypatch.setattr(Path, name, method)
    monkeypatch.setattr("handread.whole_files.time.sleep", lambda _: None)
    return refused


@pytest.mark.parametrize("system", ["win32", "linux"])
def test_a_file_that_somebody_just_reads_is_replaced_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    file = tmp_path / "page.html"
    file.write_text("old")
    held(monkeypatch, "replace", 3)
    if system == "win32":
        write_text_whole(file, "new")
    else:
        with pytest.raises(PermissionError, match=r"page\.html"):
            write_text_whole(file, "new")
    assert file.read_text() == ("new" if system == "win32" else "old")
    assert [*tmp_path.iterdir()] == [file]


def test_a_file_that_stays_open_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    windows(monkeypatch)
    file = tmp_path / "figures.csv"
    file.write_text("open in a spreadsheet")
    held(monkeypatch, "replace", 99)
    with pytest.raises(PermissionError) as error:
        write_text_whole(file, "new")
    assert (error.value.filename, error.value.strerror) == (str(file), "Access is denied")
    assert [*tmp_path.iterdir()] == [file]


def test_an_open_part_of_tables_stays_for_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = tmp_path / "part-1.parquet"
    part.touch()
    held(monkeypatch, "unlink", 1)
    for there in (True, False):
        Folder(tmp_path).remove(part.name)
        assert part.exists() is there


def test_what_a_program_holds_open_is_not_counted_as_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    files = [tmp_path / f"hands-{number}.sqlite" for number in range(2)]
    for file in files:
        file.write_bytes(b"x" * 100)
    held(monkeypatch, "unlink", 1)
    assert store.forget() == 100
    assert sum(file.exists() for file in files) == 1


def test_windows_locks_a_folder_by_a_byte_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: set[int] = set()

    def locking(descriptor: int, mode: int, n: int) -> None:
        place = os.fstat(descriptor).st_ino
        if place in taken or (mode, n) != (2, 1):
            raise PermissionError(errno.EACCES, "Permission denied")
        taken.add(place)

    windows(monkeypatch)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setitem(sys.modules, "fcntl", None)
    used = pytest.raises(RunError, match="another run is using it")
    with locked(tmp_path), used, locked(tmp_path):
        pass


# Names and paths


class OfWindows(PureWindowsPath):
    """A path of Windows that is absolute already."""

    def absolute(self) -> OfWindows:
        """Return the path."""
        return self


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (r"C:\logs\2024\night.txt", "2024/night.txt"),
        (r"c:\LOGS\night.txt", "night.txt"),
        (r"D:\night.txt", r"D:\night.txt"),
    ],
)
def test_tables_name_files_alike_on_all_systems(
    monkeypatch: pytest.MonkeyPatch, path: str, name: str
) -> None:
    monkeypatch.setattr(os.path, "normpath", ntpath.normpath)
    monkeypatch.setattr(opening, "Path", OfWindows)
    assert opening._name(OfWindows(path), OfWindows(r"C:\logs")) == name


def test_a_drive_is_no_line_and_no_knowledge() -> None:
    found = ADDRESS.fullmatch(r"C:\logs\x.txt:64")
    assert found is not None
    assert found.groups() == (r"C:\logs\x.txt", "64")
    assert ADDRESS.fullmatch(r"C:\logs\x.txt") is None
    for seat in (r"3=C:\logs\mine.toml", r"3=C:\logs\mine.toml:cards-only", "3=C:mine.toml"):
        with pytest.raises(PolicyError, match=r"C:(\\\\logs\\\\)?mine\.toml"):
            parse_players(None, None, [seat])


@pytest.mark.parametrize("name", ["nul.txt", "CON.log", "aux", "Lpt1.old.txt", "com9"])
def test_no_log_gets_the_name_of_a_device(tmp_path: Path, name: str) -> None:
    path = keep_log(tmp_path, name, b"a log")
    assert path.stem.split(".")[0] == f"{Path(name).stem.split('.')[0]}-"
    assert keep_log(tmp_path, "console.txt", b"a log").name == "console.txt"


def test_logs_whose_names_differ_by_case_are_both_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disks of Windows and macOS take Night.txt for night.txt."""

    def blind(path: Path) -> Path:
        same = (one for one in path.parent.iterdir() if one.name.lower() == path.name.lower())
        return next(same, path)

    exists, read, stat = Path.exists, Path.read_bytes, Path.stat
    assert keep_log(tmp_path, "night.txt", b"one") == tmp_path / "night.txt"
    monkeypatch.setattr(Path, "exists", lambda path: exists(blind(path)))
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(blind(path)))
    assert keep_log(tmp_path, "Night.txt", b"another") == tmp_path / "Night 2.txt"
    assert keep_log(tmp_path, "NIGHT.txt", b"one, which grew").stat().st_size == 15
    monkeypatch.undo()
    assert stat(tmp_path / "night.txt").st_size == 3


def test_commands_to_copy_are_quoted_for_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["handread", "report", r"C:\my logs\night.txt"]
    assert command_line(words) == r"handread report 'C:\my logs\night.txt'"
    windows(monkeypatch)
    assert command_line(words) == r'handread report "C:\my logs\night.txt"'


def test_patterns_such_as_stars_are_left_to_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shells of Windows leave them; typer opens them up if it takes the words itself."""
    given: list[Any] = []
    monkeypatch.setattr(cli, "app", lambda *words: given.append((words, sys.argv[1:])))
    words = ["handread", "check", "--debug", r"logs\*.txt", "--", "--debug"]
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    cli.main()
    assert given == [((), ["check", r"logs\*.txt", "--", "--debug"])]


# Consoles, pipes and ports


class Stream(io.TextIOWrapper):
    """A standard stream, of a console of Windows or led into a file."""

    def __init__(self, console: bool) -> None:
        super().__init__(io.BytesIO(), encoding="cp1252")
        self.console = console

    def isatty(self) -> bool:
        """Return True for a console."""
        return self.console


@pytest.mark.parametrize(
    ("console", "chosen", "encoding"),
    [(False, None, "utf-8"), (True, None, "cp1252"), (False, "cp1252", "cp1252")],
)
def test_files_get_all_letters_on_windows(
    monkeypatch: pytest.MonkeyPatch, console: bool, chosen: str | None, encoding: str
) -> None:
    windows(monkeypatch)
    monkeypatch.setattr(sys, "stdout", Stream(console))
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    if chosen is not None:
        monkeypatch.setenv("PYTHONIOENCODING", chosen)
    program._replace_closed_streams()
    assert sys.stdout.encoding == encoding
    cli.program.console.emit("Жан 13→33%")
    sys.stdout.flush()
    written = sys.stdout.buffer.getvalue().decode(encoding)
    assert written == ("Жан 13→33%" if encoding == "utf-8" else r"\u0416\u0430\u043d 13\u219233%")


def test_a_pipe_that_nobody_reads_ends_the_program_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Pipe(Stream):
        def write(self, _text: str) -> int:
            raise OSError(errno.EINVAL, "Invalid argument")

        def fileno(self) -> int:
            return 1

    monkeypatch.setattr(streams, "NOBODY_READS", errno.EINVAL)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    monkeypatch.setattr(sys, "stdout", Pipe(console=False))
    with pytest.raises(SystemExit) as end:
        streams.write("text")
    assert end.value.code == 0
    assert capsys.readouterr().err == ""


def test_no_other_program_gets_the_port_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    with listening("127.0.0.1", 0) as found:
        assert found.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert not found.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


def test_a_pool_of_windows_has_at_most_61_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    windows(monkeypatch)
    monkeypatch.setattr(os, "cpu_count", lambda: 128)
    assert usable_cores() == 61


# All at once

# The constant SIGTERM is there on Windows, too, but nobody sends it.
POSIX_ALONE = {
    "os": ("fork", "getuid", "nice", "sched_getaffinity", "O_NONBLOCK", "O_NOFOLLOW"),
    "signal": ("SIGHUP", "SIGPIPE", "pthread_sigmask"),
}
SITE = f"""
import asyncio, concurrent.futures.process, io, multiprocessing.popen_spawn_posix
import multiprocessing.synchronize, os, shutil, signal, subprocess, sys, tempfile, types, zoneinfo
import rich.console, typer.main
if sys.argv[:1] != ["-c"] or "tracker" not in str(sys.orig_argv):
    import handread.kernels.loading as loading
    loading._engine()
    import llvmlite.binding
    for name in {POSIX_ALONE["os"]}:
        delattr(os, name)
    for name in {POSIX_ALONE["signal"]}:
        delattr(signal, name)
    os.supports_dir_fd = set()
    # The semaphores of this system remain.
    multiprocessing.synchronize.sys = types.SimpleNamespace(**vars(sys))
    for name in ("fcntl", "pwd", "grp", "resource", "termios"):
        sys.modules[name] = None
    class msvcrt:
        LK_NBLCK = 2
        locking = staticmethod(lambda *_: None)
    sys.modules["msvcrt"] = msvcrt
    sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="cp1252")
    sys.platform = "win32"
"""
COMMANDS = (
    ("check", "pokerstars.txt"),
    ("analyze", "showdown.stud"),
    ("night.txt",),
    ("report", "night.txt", "--decisions", "--workers", "2", "-o", "{}/report"),
    ("decisions", "showdown.stud", "--rollouts", "20"),
    ("score", "night.txt", "-o", "{}/tables", "--workers", "2"),
    ("summary", "{}/tables"),
    ("players", "night.txt"),
    ("kept",),
)


@pytest.mark.dear("a process for each of nine commands, and two for the work of two of them")
def test_commands_where_there_is_nothing_of_posix(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SITE)
    samples = ROOT / "sample_histories"
    for name in ("pokerstars.txt", "showdown.stud"):
        text = (samples / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8", newline="\r\n")
    hands = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8").split("\n\n\n")
    (tmp_path / "night.txt").write_text("\n\n\n".join(hands[:6]), "utf-8", newline="\r\n")
    places = os.pathsep.join([str(tmp_path), str(ROOT)])
    home = {name: str(tmp_path / "home") for name in ("HOME", "LOCALAPPDATA")}
    environment = {**os.environ, **home, "PYTHONPATH": places}
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "PYTHONIOENCODING"):
        environment.pop(name, None)
    for words in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", "handread", *(word.format(tmp_path) for word in words)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, (words, done.stderr.decode())
        done.stdout.decode("utf-8")
    assert (tmp_path / "report" / "index.html").exists()
    assert (tmp_path / "home" / "handread").is_dir()


def test_the_simulation_deletes_what_windows_lacks() -> None:
    """A name that Linux lacks, too, would simulate nothing."""
    for module, names in POSIX_ALONE.items():
        assert all(hasattr(sys.modules[module], name) for name in names)
    assert loading.host().partition("-")[0] == sys.platform
