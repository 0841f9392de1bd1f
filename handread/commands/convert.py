"""What ``handread convert`` does: write the legal hands of files in another notation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from handread.commands.losses import Losses
from handread.commands.output import emit, same_file, writer_check
from handread.formats.format import Writer
from handread.formats.phh import numbered
from handread.formats.phh_write import write_hand
from handread.formats.registry import Known, writer_named
from handread.game.replay import no_cards, written_out
from handread.game.steps import Replay
from handread.history import History
from handread.inference.players import Roster
from handread.parallel import write_text_whole
from handread.session import GivenSeats, Reads, Session

if TYPE_CHECKING:
    from handread.inference.values import Analysis

PARQUET = "parquet"
"""The word for the columnar form, where notations are named."""

_T = TypeVar("_T")

ANNOTATED = "phh"
"""The notation that can hold what was read of a hand."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """How hands are read whose analysis is written into them."""

    roster: Roster
    viewpoint: str
    ties: str


@dataclass(frozen=True, slots=True)
class ConvertOptions:
    """What ``handread convert`` was asked for; an ``annotation`` goes with ``ANNOTATED`` only."""

    to: str
    output: Path | None
    annotation: Annotation | None = None


def run_convert(files: list[str], reads: Reads, options: ConvertOptions) -> int:
    """Write the legal hands in another notation, or as Parquet; the exit status."""
    session = Session(files, reads, prints=False)
    output = options.output
    if options.to == PARQUET and output is None:
        session.say("Parquet is not for reading on a screen; name a file with -o")
        return 2
    write = _read(session, reads.known, options)
    if output is not None and any(same_file(output, file) for file in files):
        session.say(f"{output}: is one of the files to read; choose another name")
        return 2
    if write is None:
        session.say("there is no hand to write")
        session.tell()
        return session.status or int(bool(session.other_games))
    try:
        write(output)
    except OSError as error:
        session.say(f"{output}: cannot be written: {error.strerror or error}")
        return 2
    session.tell()
    return session.status


def _read(
    session: Session, known: Known, options: ConvertOptions
) -> Callable[[Path | None], None] | None:
    """Reads all hands; what is left to do is to write them to a file, or to standard output.

    None where there are none: what stands in the file is then left alone.
    """
    if options.annotation is not None:
        texts = list(_annotated(session, options.annotation))
        if not texts:
            return None
        whole = texts[0] if len(texts) == 1 else "".join(numbered(texts))
        return partial(_write_text, whole)
    if options.to != PARQUET:
        return _read_texts(session, known.writer(options.to))
    hands: list[History] = []
    check = writer_check(None)
    for played, _ in _legal(session, lambda played: check(written_out(played))):
        hands.append(written_out(played))
        session.accept()
    return partial(_write_columns, hands) if hands else None


def _read_texts(session: Session, target: Writer) -> Callable[[Path | None], None] | None:
    """Write every hand once, and say what it does not keep there."""
    texts, losses = [], Losses()
    for played, written in _legal(session, target.written):
        texts.append(written.text)
        losses.add(played, written.read)
        session.accept()
    for line in losses.lines(target.title):
        session.say(line)
    whole = texts[0] if len(texts) == 1 else "".join(target.joined(texts))
    return partial(_write_text, whole) if texts else None


def _legal(session: Session, write: Callable[[Replay], _T]) -> Iterator[tuple[Replay, _T]]:
    """The legal hands, and what ``write`` makes of them.

    Hands for which it raises ``ValueError`` are refused on the way: the target cannot hold them.
    """
    for played in session.replays():
        problem = played.problem
        if problem is None:
            try:
                written = write(played)
            except ValueError as error:
                problem = played.history.problem(0, str(error))
            else:
                yield played, written
        if problem is not None:
            session.refuse(played.history, [problem])


def _annotated(session: Session, annotation: Annotation) -> Iterator[str]:
    """The texts of hands with what was read of them.

    A hand that cannot be read to its end counts as refused, and is written all the same, with
    what could be read.
    """
    from handread import __version__
    from handread.report.annotate import notes_on

    roster = annotation.roster
    given = GivenSeats(roster.seats)
    for played, text in _legal(session, writer_named(ANNOTATED).write):
        history = written_out(played)
        given.meet(history)
        try:
            with session.slow_start():
                analysis = _analysis(played, annotation, roster)
        except ValueError as error:
            session.refuse(history, [history.problem(0, str(error))])
            yield text
            continue
        roster = roster.after(history, analysis.members)
        if analysis.complete:
            session.accept(analysis.problems)
        else:
            session.refuse(history, analysis.problems)
        yield write_hand(played, notes_on(analysis, history, __version__))
    given.tell(session)


def _analysis(played: Replay, annotation: Annotation, roster: Roster) -> Analysis:
    """What is read of a hand; ``ValueError`` without cards, or where the viewpoint is not known."""
    from handread.inference.analysis import analyze_replay

    nothing = no_cards(played)
    if nothing is not None:
        raise ValueError(nothing.message)
    players = roster.lineup(played.history)
    return analyze_replay(played, players, annotation.viewpoint, annotation.ties)


def _write_columns(hands: list[History], output: Path | None) -> None:
    from handread.formats.parquet import write_hands

    assert output is not None
    write_hands(output, hands)


def _write_text(text: str, output: Path | None) -> None:
    if output is None:
        emit(text)
    else:
        write_text_whole(output, text)
