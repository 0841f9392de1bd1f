"""Read the hands of a command's files in order, count them, and list problems.

Results go to stdout, progress and problems to stderr. The exit status is 0 if every hand was
accepted, 1 if some were refused, 2 if a file could not be read at all.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO

from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from handread.formats.log_reader import LogReader, read_stream
from handread.formats.registry import BUILT_IN, FormatRegistry
from handread.game.replay import replay, without_analysis
from handread.game.steps import Replay
from handread.history import History, Problem, is_repeated, is_unknown
from handread.lazy import lazily
from handread.names import NO_NAMES, Names
from handread.progress import progress_bar
from handread.report.problems import error_console, on_screen, problem_lines, screen_width
from handread.report.tables import hands_words
from handread.sessions.counts import Counts, Fate
from handread.sessions.opening import address_of, files_below, is_folder, open_input
from handread.sessions.rejects import Rejects
from handread.sessions.store import damage_words
from handread.spelling import or_meant

with lazily():
    import handread.aliases as aliasing
    import handread.inference.readers as reading_by
    import handread.inference.viewpoint as viewpoints
    import handread.sessions.analyzing as analyzing

NAMED = 10


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """Settings for reading files."""

    dialect: str | None = None  # the name of their format; None detects it
    known: FormatRegistry = BUILT_IN  # the formats to choose from
    rejects: Path | None = None  # the file for the text of refused hands
    verbose: bool = False  # list the hands of other games one by one
    keep_repeated: bool = False  # read hands again that came before in the same run
    seen: Collection[bytes] = ()  # the keys (``hand_key``) of hands that count as repeated
    names: Names = NO_NAMES  # substitutes for players' names, names to leave out, and the hero's
    aliases: "aliasing.Aliases | None" = None  # of players; None leaves their names

    def who(self, name: str | None) -> str | None:
        """Return an option's viewpoint or player by the alias, if there is one."""
        return name if self.aliases is None else self.aliases.of_viewpoint(name)

    def named(self, reader: "reading_by.Reader") -> "reading_by.Reader":
        """Return a reader by the aliases of players, if there are any."""
        return reader if self.aliases is None else self.aliases.of_reader(reader)


class Session:
    """Reads and counts the hands of files.

    If the hands lack the player or the hand that an option names, the program ends with a message.
    """

    def __init__(
        self,
        files: Iterable[str],
        reads: ReadSettings,
        prints: bool = True,
        besides: Path | None = None,
    ) -> None:
        """Prepare to read files and folders, or "-" for standard input; they are opened later.

        ``prints`` is True if hands are printed to stdout as they are read. The folder ``besides``
        is skipped.
        """
        self._files = list(files)
        self._prints = prints
        self._reads = reads
        self._besides = besides
        self._rejects = None if reads.rejects is None else Rejects(reads.rejects)
        self._errors = error_console()
        self.counts = Counts()
        self._keys = set(reads.seen)
        self._log: LogReader | None = None
        self._file = ""
        self._current: History | Problem | None = None
        self._read_as: History | Problem | None = None
        self._names: set[str] = set()

    def readings(self) -> Iterator[History | Problem]:
        """Yield all hands and problems of the files in order; show a count on a terminal."""
        hero = self._reads.names.hero
        self.require("--hero", hero)
        yield from self._readings()
        if hero is not None and hero not in self._names:
            self.lacks_player("--hero", hero, self._names)

    def _readings(self) -> Iterator[History | Problem]:
        with self._progress() as advance, self._keeping():
            for file in self.files:
                self._file = address_of(file).file
                for reading in self._read(file):
                    if isinstance(reading, History):
                        if not self._reads.keep_repeated and is_repeated(reading, self._keys):
                            self.counts.repeated += 1
                            continue
                        self.counts.found += 1
                        self.counts.unknown_lines += sum(map(is_unknown, reading.events))
                    yield self._shared(reading)
                    advance()

    @cached_property
    def files(self) -> list[str]:
        """The files to read: the given ones, and all files in the given folders."""
        paths = []
        for file in self._files:
            if not is_folder(file):
                paths.append(file)
                continue
            faults: list[str] = []
            below = [str(path) for path in files_below(Path(file), self._besides, faults)]
            for fault in faults or ([] if below else [f"{file}: there is no file in this folder"]):
                self.counts.unreadable_files += 1
                self.say(fault)
            paths += below
        return paths

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        if self._rejects is None:
            yield
            return
        try:
            with self._rejects.gathering():
                yield
        except OSError as error:
            self.counts.unreadable_files += 1
            self.say(f"{self._rejects.path}: cannot be written: {error.strerror or error}")
        else:
            for note in self._rejects.notes():
                self.say(note)

    def _shared(self, reading: History | Problem) -> History | Problem:
        self._read_as = reading
        if isinstance(reading, History):
            reading = self._reads.names.renamed(reading)
            self._names |= {seat.name for seat in reading.seats}
        self._current = reading
        aliases = self._reads.aliases
        return reading if aliases is None else aliases.hide(reading, self.counts.found)

    def is_wanted(self, number: int, wanted: str | None) -> bool:
        """Return True for the hand with the wanted log id, for the Nth with #N, and for None."""
        current = self._current
        hand_id = current.hand_id if isinstance(current, History) else ""
        return wanted is None or wanted in (hand_id, f"#{number}")

    def replays(self, wanted: str | None = None) -> Iterator[Replay]:
        """Yield the hands of the files, replayed, or the ``wanted`` one (an id, or #N)."""
        number, is_there = 0, False
        for reading in self.readings():
            if isinstance(reading, Problem):
                self.refuse(None, [reading])
                continue
            number += 1
            if self.is_wanted(number, wanted):
                is_there = True
                yield replay(reading)
        if wanted is not None and not is_there:
            self.lacks(wanted)

    def legal(self, fault: Callable[[Replay], Problem | None] = lambda _: None) -> Iterator[Replay]:
        """Yield the legal hands without a ``fault``; count the others."""
        for played in self.replays():
            problem = played.problem or fault(played)
            if problem is None:
                yield played
            else:
                problem = without_analysis(played, problem)
                self.refuse(played.history, [*played.history.damage, problem])

    def _read(self, argument: str) -> Iterator[History | Problem]:
        """Yield the hands and problems of a file, or only those at the given line."""
        self._log = None
        if self._rejects is not None:
            self._rejects.next_file()
        address = address_of(argument)
        file = address.file
        try:
            with self._opened(file) as stream:
                if address.line is None:
                    yield from self._reader(stream, file)
                else:
                    yield from self._at(stream, file, address.line)
        except OSError as error:
            self.counts.unreadable_files += 1
            self.say(f"{file}: cannot be read: {error.strerror or error}")

    def _opened(self, file: str) -> AbstractContextManager[IO[bytes]]:
        return nullcontext(sys.stdin.buffer) if file == "-" else open_input(Path(file), self.say)

    def _reader(self, stream: IO[bytes], file: str) -> LogReader:
        reads = self._reads
        self._log = read_stream(stream, file, reads.dialect, reads.known)
        return self._log

    def _at(self, stream: IO[bytes], file: str, line: int) -> list[History | Problem]:
        """Return the reading at a line; without any, print the line of the nearest hand."""
        readings, near = self._reader(stream, file).at(line)
        if not readings:
            self.counts.unreadable_files += 1
            which = "the one before" if near <= line else "the next"
            hint = f"; {which} begins at line {near}" if near else ""
            self.say(f"{file}: no hand at line {line}{hint}")
        return readings

    def _line(self, problem: Problem) -> str:
        """Return the line of a problem; empty unless its file is being read."""
        is_read = self._log is not None and problem.file == self._file
        return self._log.line(problem.line) if self._log is not None and is_read else ""

    @contextmanager
    def _progress(self) -> Iterator[Callable[[], None]]:
        """Show a running count on stderr, unless hands are printed to the same terminal."""
        if self._prints and sys.stdout.isatty():
            yield lambda: None
            return
        columns = (SpinnerColumn(), TextColumn("hands: {task.completed}"), TimeElapsedColumn())
        with progress_bar(self._errors, *columns) as progress:
            task = progress.add_task("", total=None)
            yield lambda: progress.advance(task)

    def accept(self, hand: History, findings: Iterable[Problem] = ()) -> None:
        """Count a hand as accepted, and list findings about it on stderr."""
        self.counts.accept(hand)
        for finding in findings:
            self.report(replace(finding, dialect=""))  # the format is not in doubt

    def count(self, hand: "analyzing.AnalyzedHand", findings: bool = True) -> Fate | None:
        """Count a hand, and list its problems, ``findings`` too; return its fate if it stops."""
        history = hand.played.history
        if not (problems := hand.refused_for):
            self.accept(history, hand.findings if findings else ())
            return None
        fate = self.refuse(history, problems)
        self.counts.stopped[fate] += hand.is_shown
        return fate

    def refuse(self, hand: History | None, problems: Iterable[Problem]) -> Fate:
        """Count a hand or other text by ``Counts.refuse``, and list its problems on stderr."""
        problems = list(problems)
        fate = self.counts.refuse(hand, problems)
        is_fault = fate in (Fate.REFUSED, Fate.NO_HAND)
        if fate is not Fate.OTHER_GAME or self._reads.verbose:
            for problem in problems:
                self.report(problem, excerpt=is_fault)
        is_read = hand is None or hand.source.file == self._file
        if self._rejects and self._log and is_fault and is_read:
            self._rejects.keep(self._log, hand, problems)
        return fate

    def text_to_share(self) -> str:
        """Return the text of the present hand with aliases; "" without, or for another game."""
        hand, aliases = self._read_as, self._reads.aliases
        if aliases is None or not (self._log and isinstance(hand, History)) or hand.other_game:
            return ""
        return aliases.hide_in(self._log.text(hand.source.line, hand.end_line), hand)

    def leave_out(self, hand: History, why: str) -> None:
        """Count a hand that is accepted but cannot be written, and say why."""
        self.counts.accept(hand)
        self.counts.unwritten += 1
        self.report(hand.problem(0, why), excerpt=False)

    def report(self, problem: Problem, excerpt: bool = True) -> None:
        """Print a problem on stderr with the line at fault and a caret; the file has no alias."""
        if self._reads.aliases is not None and self._current is not None:
            as_read = self._reads.aliases.as_read(problem, self._current)
            problem = replace(as_read, file=self._file)
        lines = [str(problem)]
        if excerpt:
            lines = problem_lines(problem, self._line(problem), screen_width(self._errors))
        for line in lines:
            self.say(line)

    def lacks(self, wanted: str) -> None:
        """End the program with the message that the wanted hand is not among those read."""
        hint = ""
        if wanted.isdecimal() and 1 <= int(wanted) <= self.counts.found:
            # Without quotes, a shell treats the rest of the line as a comment.
            hint = f"; --hand '#{int(wanted)}' selects hand {int(wanted)}"
        elif wanted.isdecimal():
            hint = "; --hand takes an id, or '#1' for the first hand"
        self.say(f"no hand {wanted!r} among the {self.counts.found} of the input{hint}")
        raise SystemExit(2)

    def real_name(self, name: str) -> str:
        """Return a player's name in the log, also for hands with aliases."""
        aliases = self._reads.aliases
        return name if aliases is None else aliases.name_of(name)

    def lacks_player(self, option: str, name: str, players: Collection[str]) -> None:
        """End the program with the message that no hand has an option's player, if there is one."""
        if players:
            self.say(lacks_player(option, name, players))
            raise SystemExit(2)

    def require(self, option: str, player: str | None, wanted: str | None = None) -> None:
        """End the program if no hand, or not the ``wanted`` one, has an option's player.

        Files are read up to the first hand with this player; standard input and pipes are not, as
        they can be read only once: their end shows it.
        """
        views = option == "--viewpoint"
        if player is None or (views and not viewpoints.is_by_person(player)):
            return
        silent = replace(self._reads, rejects=None, aliases=None)
        search = _Search(self._files, silent, False, self._besides)
        if not all(Path(address_of(file).file).is_file() for file in search.files):
            return
        by_log, names = views and player == viewpoints.HERO, set[str]()
        hands = (reading for reading in search._readings() if isinstance(reading, History))
        for number, hand in enumerate(hands, 1):
            if search.is_wanted(number, wanted):
                names |= {seat.name for seat in hand.seats}
                if hand.hero is not None if by_log else player in names:
                    return
        self.lacks_player(option, player, names)

    def say(self, text: str) -> None:
        """Print a line on stderr; escape control characters, and wrap it on a terminal."""
        self._errors.print(on_screen(text, self._errors), markup=False)

    def say_alone(self, wanted: str | None = None) -> None:
        """Say that ``wanted`` or addressed hands are read without the others of their logs."""
        if wanted is not None or any(address_of(file).line is not None for file in self._files):
            self.say("read alone: what other hands tell about the players may change the figures")

    def report_left_out(self) -> None:
        """Print notes on hands by game, repeated hands and unknown lines that were left out."""
        for note in self.counts.notes("" if self._reads.verbose else " (-v lists them)"):
            self.say(note)

    def end(self, shown: bool = True) -> int:
        """Report the counts of a command; return its exit status, never 0 if nothing is shown."""
        for reason, n in self.counts.unvalued.items():
            self.say(f"{hands_words(n)} without values: {reason}")
        self.report_counts()
        return self.counts.status or int(not shown)

    def report_counts(self) -> None:
        """Print how many hands were accepted and refused, unless the only hand was accepted."""
        self.report_left_out()
        if damaged := damage_words():
            self.say(damaged)
        counts = self.counts
        if counts.read_hands > 1 or counts.refused or counts.unread_texts or counts.unwritten:
            self.say(self.counts.summary())


class _Search(Session):
    """Reads hands silently, before the actual reading."""

    def say(self, text: str) -> None:
        """Print nothing: the second reading prints the same."""


OTHERS = {"--viewpoint": ("public", "hero", "omniscient"), "--player": ("hero",)}
"""What options take besides names of players."""


def lacks_player(option: str, who: str, names: Collection[str]) -> str:
    """Return the message that no hand has an option's player."""
    if who == viewpoints.HERO and option != "--hero":
        return f"{option} {viewpoints.HERO}: no log says which player is the hero"
    known = sorted({*names} - {""})
    meant = or_meant(who, [*OTHERS.get(option, ()), *known])
    if known and not meant:
        more = ", ..." if len(known) > NAMED else ""
        meant = f" (players: {', '.join(known[:NAMED])}{more})"
    return f"{option} {who}: no hand has such a player{meant}"
