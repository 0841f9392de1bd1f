"""The commands that read hands one by one: analyze, check, convert, formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from handread.cli.groups import Policies, Reading, Valuing, Views, known_with, spread
from handread.cli.help import OUTPUT, examples
from handread.cli.options import (
    TIES,
    Anonymous,
    AsJson,
    Files,
    Grammars,
    HandId,
    Target,
    Ties,
    Viewpoint,
    dialect_names,
    usage,
    usage_errors,
)

if TYPE_CHECKING:
    from handread.decisions.terms import DecisionTerms, ValuedHand
    from handread.formats.format import Writer
    from handread.game.steps import Replay
    from handread.history import History
    from handread.inference.hand import Analysis
    from handread.inference.players import PlayerModels
    from handread.session import Session

_T = TypeVar("_T")

PARQUET = "parquet"
"""The name of the columnar format in --to."""

ANNOTATED = "phh"
"""The format that can hold the analysis of a hand."""


@spread
@examples(
    ("one hand, street by street", "handread analyze sample_histories/showdown.stud"),
    (
        "the hand at line 64 of a log, as an onlooker sees it",
        "handread analyze sample_histories/pokerstars.txt:64 --viewpoint public",
    ),
)
def analyze(
    *,
    files: Files,
    views: Views,
    valuing: Valuing,
    hand: HandId = None,
    anonymous: Anonymous = False,
    reading: Reading,
    as_json: AsJson = False,
) -> None:
    """Read hands: likely holdings, and what each bet gave away.

    For each street you see every player's probable holdings and chance to win, and for each action
    how surprising it was and how much it told, in bits. You see the hand as the hero, the player
    whose log it is, or else as the public, who sees no downcards.
    """
    import json

    from rich.console import Console

    from handread.cli.console import emit
    from handread.report.build import hand_report
    from handread.report.decisions import hand_costs
    from handread.report.json import analysis_object
    from handread.report.tables import output_width
    from handread.report.text import report_text
    from handread.session import Session
    from handread.session_analyzer import analyses

    reads = reading.settings(files, anonymous)
    players = reads.models(views.players())
    terms = valuing.terms(players)
    session = Session(files, reads)
    console = Console(highlight=False, emoji=False, width=output_width())
    if session.missing_viewer(views.viewpoint, hand):
        raise typer.Exit(session.status)
    hands = session.replays(hand)
    found = False
    for _, _, read, _ in analyses(
        session, hands, players, reads.who(views.viewpoint), views.ties.value
    ):
        found = True
        if read is None:
            continue
        valued = None if terms is None else _valued(session, read, terms)
        if as_json:
            emit(json.dumps(analysis_object(read, views.top, valued), allow_nan=False) + "\n")
        else:
            costs = None if valued is None else hand_costs(valued)
            emit(report_text(hand_report(read, views.top), console, (), costs))
    if not found and hand is not None:
        session.say(session.lacks(hand))
        raise typer.Exit(2)
    session.report_counts()
    raise typer.Exit(session.status)


def _valued(session: Session, read: Analysis, terms: DecisionTerms) -> ValuedHand | None:
    """Return a hand with its decisions valued; None, with a message, if that is impossible."""
    from handread.policy import PolicyError

    try:
        return terms.valued(read)
    except PolicyError as error:
        source = read.replay.history.source
        session.say(f"{source.file}:{source.line}: decisions without values: {error}")
        return None


@spread
@examples(
    (
        "check that every hand of a log is whole and legal",
        "handread check sample_histories/pokerstars.txt",
    ),
    (
        "keep the text of the refused hands, to repair them",
        "handread check sample_histories/broken-turn.stud --rejects rejects.stud",
    ),
)
def check(
    *,
    files: Files,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Also refuse hands that stop in the middle, contradict themselves, or have a "
            "line that matches no known pattern.",
        ),
    ] = False,
    reading: Reading,
    as_json: AsJson = False,
) -> None:
    """Check that hands are whole and legal, and list what is wrong.

    Each problem is listed with file, line and column, and with what was expected.
    """
    import json

    from handread.cli.console import emit
    from handread.game.replay import replay
    from handread.history import Problem
    from handread.report.problems import check_object, shortcomings
    from handread.session import Session

    reads = reading.settings(files)
    session = Session(files, reads, prints=as_json)
    for read in session.readings():
        played: Replay | None = None
        findings: list[Problem] = []
        if isinstance(read, Problem):
            problems = [read]
        else:
            played = replay(read)
            findings = list(read.damage)
            problems = [played.problem] if played.problem else []
            if strict and not read.other_game:
                problems = [*(read.problems or problems), *shortcomings(played)]
                findings = []  # They are among the problems.
            session.unfinished += not (problems or played.finished)
        if problems:
            session.refuse(played.history if played else None, [*findings, *problems])
        else:
            session.accept(findings)
        if as_json:
            emit(json.dumps(check_object(played, problems, findings)) + "\n")
    if as_json:
        session.report_counts()
    else:
        session.report_other_games()
        emit(session.summary() + "\n")
    raise typer.Exit(session.status or int(strict and bool(session.other_games)))


@spread
@examples(
    (
        "a hand in Saund's notation, on standard output",
        "handread convert sample_histories/full-house.phh --to saund",
    ),
    (
        "a hand as PHH, with what each action told in comments",
        "handread convert sample_histories/full-house.phh --to phh --annotate",
    ),
)
def convert(
    *,
    files: Files,
    to: Target,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="File to write. Default: standard output.",
            metavar="FILE",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    annotate: Annotated[
        bool,
        typer.Option(
            "--annotate",
            help="With --to phh: add the analysis of each hand, in comments and in fields that "
            "other programs ignore.",
        ),
    ] = False,
    policies: Policies,
    viewpoint: Viewpoint = None,
    ties: Annotated[Ties | None, TIES] = None,
    anonymous: Anonymous = False,
    reading: Reading,
) -> None:
    """Write hands in another notation, or as Parquet.

    All amounts are filled in by replaying the hand. The options about policies and readers, and
    --ties, need --annotate.
    """
    from handread.addresses import same_file
    from handread.formats.parquet import check_hand
    from handread.session import Session

    annotating = {
        "--policy": policies.policy,
        "--lapse": policies.lapse,
        "--seat": policies.seat or None,
        "--viewpoint": viewpoint,
        "--ties": ties,
    }
    given = [option for option, value in annotating.items() if value is not None]
    if given and not annotate:
        raise usage(f"{', '.join(given)}: can only be used with --annotate")
    if annotate and to != ANNOTATED:
        raise usage(f"--annotate: only PHH can contain an analysis, not {to}; use --to {ANNOTATED}")
    reads = reading.settings(files, anonymous)
    players = reads.models(policies.players()) if annotate else None
    with usage_errors():
        writer = None if to == PARQUET else reads.known.writer(to)
    if (
        reading.rejects is not None
        and output is not None
        and reading.rejects.resolve() == output.resolve()
    ):
        raise usage(f"{reading.rejects}: cannot hold both what is written and what is refused")
    session = Session(files, reads, prints=False)
    output = None if str(output) == "-" else output
    if writer is None and output is None:
        session.say("Parquet is a binary format; name a file with -o")
        raise typer.Exit(2)
    if writer is None:
        save = _saving_columns(session, check_hand)
    elif players is None:
        save = _saving(writer, _texts(session, writer))
    else:
        if session.missing_viewer(viewpoint):
            raise typer.Exit(session.status)
        read = reads.who(viewpoint) or "public", (ties or Ties.SPLIT).value
        save = _saving(writer, list(_annotated(session, players, *read)))
    if output is not None and any(same_file(output, file) for file in files):
        session.say(f"{output}: is one of the files to read; choose another name")
        raise typer.Exit(2)
    if save is None:  # what stands in the file is left alone
        session.say("there is no hand to write")
        session.report_counts()
        raise typer.Exit(session.status or int(bool(session.other_games)))
    try:
        save(output)
    except OSError as error:
        session.say(f"{output}: cannot be written: {error.strerror or error}")
        raise typer.Exit(2) from None
    session.report_counts()
    raise typer.Exit(session.status)


def _saving(writer: Writer, texts: list[str]) -> Callable[[Path | None], None] | None:
    """Return the function that writes texts to a file or standard output; None for no texts."""
    from handread.cli.console import emit
    from handread.parallel import write_text_whole

    text = texts[0] if len(texts) == 1 else "".join(writer.joined(texts))

    def save(output: Path | None) -> None:
        if output is None:
            emit(text)
        else:
            write_text_whole(output, text)

    return save if texts else None


def _saving_columns(
    session: Session, check: Callable[[History], object]
) -> Callable[[Path | None], None] | None:
    """Like ``_saving``, but for Parquet, with the hands that pass a check."""
    from handread.formats.parquet import write_hands
    from handread.game.replay import written_out

    legal = _legal(session, lambda played: check(written_out(played)), accept=True)
    hands = [written_out(played) for played, _ in legal]

    def save(output: Path | None) -> None:
        assert output is not None
        write_hands(output, hands)

    return save if hands else None


def _legal(
    session: Session, write: Callable[[Replay], _T], accept: bool = False
) -> Iterator[tuple[Replay, _T]]:
    """Yield the legal hands and what ``write`` returns for them.

    Hands for which ``write`` raises ``ValueError`` are left out: the format cannot hold them.
    """
    for played in session.replays():
        problem = played.problem
        if problem is None:
            try:
                written = write(played)
            except ValueError as error:
                session.leave_out(played.history.problem(0, str(error)))
            else:
                yield played, written
                if accept:
                    session.accept(played.history.damage)
        if problem is not None:
            session.refuse(played.history, [*played.history.damage, problem])


def _texts(session: Session, writer: Writer) -> list[str]:
    """Return the texts of the legal hands, and print what they do not preserve."""
    from handread.report.losses import Losses

    texts, losses = [], Losses()
    for played, written in _legal(session, writer.written, accept=True):
        texts.append(written.text)
        losses.add(played, written.read)
    for line in losses.lines(writer.title):
        session.say(line)
    return texts


def _annotated(session: Session, players: PlayerModels, viewpoint: str, ties: str) -> Iterator[str]:
    """Yield the texts of hands in PHH with their analysis.

    A hand that cannot be analyzed to its end is counted as such, but is still written, with the
    analysis as far as it goes.
    """
    from handread.formats.phh_write import Layout
    from handread.report.annotate import notes_on
    from handread.session_analyzer import analyses
    from handread.version import __version__

    layouts: list[Layout] = []

    def hands() -> Iterator[Replay]:
        for played, layout in _legal(session, Layout):
            layouts.append(layout)
            yield played

    for _, _, read, _ in analyses(session, hands(), players, viewpoint, ties):
        layout = layouts.pop()  # Hands are analyzed one at a time.
        yield layout.text(None if read is None else notes_on(read, layout, __version__))


@examples(
    ("what each line of a PokerStars log means", "handread formats --explain pokerstars"),
    (
        "start a grammar for a room that is not read yet",
        "handread formats --new my-room > my-room.toml",
    ),
)
def formats(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE.toml...]", help="Grammars to check, with --lint."),
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            help="Show every line pattern of a format, and where it was seen.",
            metavar="NAME",
            autocompletion=dialect_names,
        ),
    ] = None,
    lint: Annotated[
        bool, typer.Option("--lint", help="List what is wrong with grammars, by line and field.")
    ] = False,
    new: Annotated[
        str | None,
        typer.Option(
            "--new",
            help="Print the draft of a grammar for a room of this name.",
            metavar="NAME",
        ),
    ] = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print a JSON object for each format, one per line.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
) -> None:
    """List the formats; explain, check or draft the grammar of a room."""
    import json

    from handread.cli.console import emit, say
    from handread.report import formats as described
    from handread.report.tables import output_width

    if new is not None:
        if files or lint or explain is not None or grammar or as_json:
            raise usage("--new cannot be combined with other options")
        try:
            emit(described.draft(new))
        except ValueError as error:
            say(f"handread: {error}")
            raise typer.Exit(2) from None
        return
    if bool(files) != lint or (lint and (explain is not None or grammar or as_json)):
        raise usage("grammar files need --lint, and --lint takes no other options")
    if files:
        wrong = False
        for file in files:
            lines, faulty = described.lint_lines(file)
            emit("".join(f"{each}\n" for each in lines))
            wrong |= faulty
        raise typer.Exit(int(wrong))
    known = known_with(grammar)
    if explain is not None:
        with usage_errors():
            found = known.named(explain)
        record, text = described.full_record, described.explained
        emit(json.dumps(record(found)) + "\n" if as_json else text(found, output_width()))
        return
    for found in known.dialects:
        if as_json:
            emit(json.dumps(described.record(found)) + "\n")
        else:
            emit(described.line(found, output_width()))
