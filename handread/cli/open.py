"""The command that shows hands in a browser while they are read: open."""

from __future__ import annotations

import socket
import threading
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import typer

from handread.cli.declared import argument, option
from handread.cli.groups import Exactness, Policies, Views, spread
from handread.cli.help import RUNNING, examples
from handread.cli.options import Viewpoint, file_option, usage
from handread.cli.reading import Formats
from handread.lazy import lazily

with lazily():
    import handread.parallel as parallel
    import handread.processes as processes
    import handread.sessions.analyzing as sessions
    import handread.whole_files as whole_files
    import handread.window.guard as guard
    import handread.window.marks as marks
    import handread.window.reading as reading
    import handread.window.sample as samples
    import handread.window.server as servers
    import handread.window.watching as watching
    from handread.cli import console

PORT = 8765
"""The port that is tried first."""

MOST = 4
"""The most processes that read hands: each takes 150 MB."""

SAMPLE_MARKS = "sample-marks.sqlite3"
"""The name of the file with the marks of sample hands."""

FOLDERS = "folders.json"
"""The name of the file of the folders that are watched."""

LOW_PRIORITY = 5
"""How much they stand back behind those that make pages."""


@dataclass(frozen=True)
class Place:
    """Where the server listens, and who is told."""

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

    def listening(self) -> socket.socket:
        """Return a socket that listens there, or raise a usage error."""
        try:
            return servers.listening(self.host, self.port)
        except OSError as error:
            raise usage(f"--host {self.host}: cannot listen there: {error.strerror}") from None

    def told(self, door: guard.Door) -> None:
        """Tell where the pages are, and open them in a browser if there is one."""
        if self.port not in (0, door.port):
            console.say(f"port {self.port} is taken: this is port {door.port}")
        if not door.is_local:
            console.say(f"{door.host}: other machines can reach this address; its key opens it")
        console.emit(f"{door.address}\n")
        console.say("Ctrl-C ends it")
        if not self.no_browser and servers.has_browser():
            threading.Thread(target=webbrowser.open, args=(door.address,), daemon=True).start()


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
    place: Place,
    policies: Policies,
    viewpoint: Viewpoint = None,
    formats: Formats,
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
    if export_notes is not None:
        _export(export_notes)
    cores = parallel.usable_cores()
    with (
        processes.Helpers(min(MOST, cores), LOW_PRIORITY) as readers,
        processes.Helpers(2 if cores >= MOST else 1) as makers,
    ):
        reader, usual = policies.chosen(), Views()
        terms = Exactness().terms(reader)
        view = sessions.View(viewpoint, usual.ties.value, terms, rolls_all=False, top=usual.top)
        added = watching.added_logs(marks.user_folder(), files or ())
        given = [*(files or ()), *[str(added)] * added.is_dir()]
        watch = watching.Watch(given)
        for fault in watch.faults:
            raise usage(fault)
        settings, own = formats.settings(), _marks()
        workshop, *others = (
            reading.Workshop(reader, view, settings, readers, makers, added) for _ in range(3)
        )
        elsewhere = marks.Marks(marks.marks_file().with_name(SAMPLE_MARKS))
        shown = samples.samples(others, elsewhere)
        listens = place.listening()
        remembered = None if files else marks.user_folder() / FOLDERS
        servers.serve(workshop, watch, listens, place.host, place.told, own, shown, remembered)


def _marks() -> marks.Marks:
    """Return the stars, tags and notes of the user; say what is wrong with them."""
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


def _tell_damage(kept: marks.Marks) -> None:
    """Say how many rows of the file are damaged."""
    with suppress(marks.MarksError):
        if n := kept.damaged():
            rows = "1 row is" if n == 1 else f"{n:,} rows are"
            console.say(f"{kept.path}: {rows} damaged and left out")


def _export(path: Path) -> None:
    """Write the stars, tags and notes of the user to a file, and end the program."""
    kept = marks.Marks(marks.marks_file())
    try:
        found, learned = kept.since()[1], kept.training()
    except marks.MarksError as error:
        raise usage(str(error)) from None
    _tell_damage(kept)
    whole_files.write_text_whole(path, marks.file_text(found, learned))
    said = sum(bool(mark.star or mark.tags or mark.note) for mark in found)
    console.emit(f"the marks of {said:,} {'hand' if said == 1 else 'hands'} written to {path}\n")
    raise typer.Exit
