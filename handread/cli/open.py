"""The command that shows hands in a browser while they are read: open."""

import os
import re
import shutil
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from handread.cli.declared import argument, option
from handread.cli.groups import PolicyOptions, spread
from handread.cli.help import RUNNING, examples
from handread.cli.options import Viewpoint, file_option, usage
from handread.cli.reading import FormatOptions
from handread.lazy import lazily

with lazily():
    import handread.parallel as parallel
    import handread.processes as processes
    import handread.report.html.environment as environment
    import handread.sessions.files as session_files
    import handread.sessions.reading as session_reading
    import handread.whole_files as whole_files
    import handread.window.guard as guard
    import handread.window.marks as marks
    import handread.window.reading as reading
    import handread.window.sample as samples
    import handread.window.server as servers
    import handread.window.watching as watching
    from handread.cli import console

PORT = 8765

MOST = 4
"""The most reading processes: each takes 150 MB."""

SAMPLE_MARKS = "sample-marks.sqlite3"

FOLDERS = "folders.json"

LOW_PRIORITY = 5
"""Niceness of reading processes, behind those that make pages."""


@dataclass(frozen=True)
class PlaceOptions:
    """The address of the server, and how it is announced."""

    port: int = option(
        "Port to listen on; if it is taken, the next free one.",
        min=0,
        max=65535,
        panel=RUNNING,
        default=PORT,
    )
    host: str = option(
        "Address of this machine to listen on. Any but 127.0.0.1 lets other machines "
        "try; they still need the key of the address.",
        "ADDRESS",
        panel=RUNNING,
        default="127.0.0.1",
    )
    no_browser: bool = option(
        "Print the address, and open no browser.", panel=RUNNING, default=False
    )
    desktop_entry: bool = option(
        "Put handread into the menu of applications of Linux, and open nothing.",
        panel=RUNNING,
        default=False,
    )

    def listening(self) -> socket.socket:
        """Return a socket that listens there, or raise a usage error."""
        try:
            return servers.listening(self.host, self.port)
        except OSError as error:
            raise usage(f"--host {self.host}: cannot listen there: {error.strerror}") from None

    def told(self, door: "guard.Door") -> None:
        """Print the address of the pages, and open them in a browser if there is one."""
        if self.port not in (0, door.port):
            console.say(f"port {self.port} is taken: this is port {door.port}")
        if not door.is_local:
            console.say(f"{door.host}: other machines can reach this address; its key opens it")
        console.emit(f"{door.address}\n")
        console.say("Ctrl-C ends it")
        if not self.no_browser:
            threading.Thread(target=_show, args=(door.address,), daemon=True).start()


def _show(address: str) -> None:
    if not (servers.has_browser() and webbrowser.open(address)):
        console.say("no browser could be opened: copy the address into one")


def _desktop_entry(wanted: bool) -> None:
    """Add the program to the menu of applications, if wanted, and end."""
    if not wanted:
        return
    if sys.platform in ("win32", "darwin"):
        raise usage("--desktop-entry is for Linux; docs/install.md says what to do here")
    program: str | None = sys.executable
    if not getattr(sys, "frozen", False):
        places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        program = shutil.which("handread-window", path=places)
    if program is None or not program.isprintable():
        raise usage("--desktop-entry: there is no program handread-window beside this one")
    folder = marks.user_folder()
    entry, icon = folder.parent / "applications/handread.desktop", folder / "icon.svg"
    quoted = re.sub(r'(["`$\\])', r"\\\1", program).replace("\\", r"\\").replace("%", "%%")
    with console.errors_told():
        for path in (icon, entry):
            path.parent.mkdir(parents=True, exist_ok=True)
            text = environment.template_text(path.name).format(program=quoted, icon=icon)
            whole_files.write_text_whole(path, text)
    console.emit(f"handread is in the menu of applications: {entry}\n")
    raise typer.Exit


@spread
@examples(
    ("the hands of a log in the browser", "handread open sample_histories/pokerstars.txt"),
    ("only print the address, on a port of your own", "handread open --no-browser --port 9000"),
)
def open(
    *,
    files: list[str] | None = argument(
        "Hand histories or folders, which are watched. Without any, the logs that you "
        "dropped or pasted on the page.",
        "FILE...",
    ),
    place: PlaceOptions,
    policies: PolicyOptions,
    viewpoint: Viewpoint = None,
    formats: FormatOptions,
    export_notes: Path | None = file_option(
        "Write the stars, tags and notes of all hands to this JSON file, and open nothing."
    ),
) -> None:
    """Show hands in the browser as they are read and played.

    The page lists the hands of the files, and of logs that you drop or paste on it. Files and
    folders are watched: a new hand appears when it is written. Pages are made when you look at
    them. What was read is kept: the next start reads only hands that are new.

    Only this machine is served, and only the browser that has the key of the printed address.
    Ctrl-C ends it.
    """
    _desktop_entry(place.desktop_entry)
    _export(export_notes)
    cores, settings = parallel.usable_cores(), formats.settings()
    session_files.Session(files or (), settings).require("--hero", formats.hero)
    with (
        processes.Helpers(min(MOST, cores), LOW_PRIORITY) as readers,
        processes.Helpers(2 if cores >= MOST else 1) as makers,
    ):
        reader, usual = session_reading.usual_reading(policies.chosen())
        view = replace(usual, viewpoint=viewpoint)
        added = watching.added_logs(marks.user_folder(), files or ())
        given = [*(files or ()), *[str(added)] * added.is_dir()]
        watch = watching.Watch(given)
        for fault in watch.faults:
            raise usage(fault)
        mine = _marks()
        workshop, *others = (
            reading.Workshop(reader, view, settings, readers, makers, added=added) for _ in range(3)
        )
        shown = samples.samples(others, marks.Marks(marks.marks_file().with_name(SAMPLE_MARKS)))
        remembered = None if files else marks.user_folder() / FOLDERS
        address = place.listening(), place.host
        servers.serve(
            workshop, watch, *address, place.told, marks=mine, samples=shown, kept=remembered
        )


def _marks() -> "marks.Marks":
    """Return the stars, tags and notes of the user; report any fault in them."""
    kept = marks.Marks(marks.marks_file())
    try:
        moved = kept.rescued()
    except marks.MarksError as error:
        console.say(f"stars, tags and notes cannot be read: {error}")
    else:
        if moved is not None:
            begun = "a new file is begun with what could be read"
            console.say(f"{kept.path}: is damaged, and is now {moved.name}; {begun}")
        _tell_damage(kept)
    return kept


def _tell_damage(kept: "marks.Marks") -> None:
    with suppress(marks.MarksError):
        if n := kept.damaged():
            rows = "1 row is" if n == 1 else f"{n:,} rows are"
            console.say(f"{kept.path}: {rows} damaged and left out")


def _export(path: Path | None) -> None:
    """Write the stars, tags and notes of the user to a file, if one is given, and end."""
    if path is None:
        return
    kept = marks.Marks(marks.marks_file())
    try:
        marked, learned = kept.since()[1], kept.training()
    except marks.MarksError as error:
        raise usage(str(error)) from None
    _tell_damage(kept)
    whole_files.write_text_whole(path, marks.file_text(marked, learned))
    said = sum(bool(mark.star or mark.tags or mark.note) for mark in marked)
    console.emit(f"the marks of {said:,} {'hand' if said == 1 else 'hands'} written to {path}\n")
    raise typer.Exit
