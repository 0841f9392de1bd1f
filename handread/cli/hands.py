"""The commands that read hands one by one: analyze, check, convert, formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar

import typer

import handread.cli.options as shared
from handread.cli.declared import argument, given_options, option
from handread.cli.groups import PolicyOptions, ValuingOptions, ViewOptions, spread
from handread.cli.help import OUTPUT, examples
from handread.cli.options import dialect_names, json_option, usage, usage_errors, writer_names
from handread.cli.reading import ReadingOptions, known_with
from handread.lazy import lazily

with lazily():
    import handread.decisions.terms as valuation
    import handread.formats.format as format_kinds
    import handread.formats.phh_write as phh
    import handread.formats.room as rooms
    import handread.game.replay as replaying
    import handread.game.steps as steps
    import handread.history as history
    import handread.inference.hand_analysis as hand_analysis
    import handread.inference.readers as reading_by
    import handread.policy as policy
    import handread.report.annotate as annotation
    import handread.report.build as build
    import handread.report.decision_words as decision_report
    import handread.report.formats as format_report
    import handread.report.json as report_json
    import handread.report.problems as report_problems
    import handread.report.tables as report_tables
    import handread.report.text as hand_text
    import handread.sessions.analyzing as analyzing
    import handread.sessions.files as sessions
    import handread.sessions.in_turn as in_turn
    import handread.sessions.opening as opening
    import handread.whole_files as whole_files
    from handread.cli import console

_T = TypeVar("_T")

KEPT = "docs/formats.md"
"""The page on what each format does not keep."""

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
    files: shared.Files,
    views: ViewOptions,
    valuing: ValuingOptions,
    hand: shared.HandId = None,
    anonymous: shared.Anonymous = False,
    reading: ReadingOptions,
    as_json: shared.AsJson = False,
) -> None:
    """Read hands: likely holdings, and what each bet gave away.

    For each street you see every player's probable holdings and chance to win, and for each action
    how surprising it was and how much it told, in bits. You see the hand as the hero, the player
    whose log it is, or else as the public, who sees no downcards.
    """
    reads = reading.settings(files, anonymous)
    reader = reads.named(views.chosen())
    terms = valuing.terms(reader)
    session = sessions.Session(files, reads)
    session.require("--viewpoint", views.viewpoint, hand)
    view = analyzing.HandView(reads.who(views.viewpoint), views.ties.value)
    for analyzed in in_turn.analyses(session, session.replays(hand), reader, view):
        read = analyzed.analysis
        if read is not None:
            valued = None if terms is None else _valued(session, read, terms)
            console.emit(_shown(read, views.top, valued, as_json))
    raise typer.Exit(session.end(session.counts.analyzed > 0))


def _shown(
    read: hand_analysis.Analysis, top: int, valued: valuation.ValuedHand | None, as_json: bool
) -> str:
    if as_json:
        answer = report_json.analysis_object(read, top, valued)
        return json.dumps(answer, allow_nan=False) + "\n"
    costs = None if valued is None else decision_report.hand_costs(valued)
    return hand_text.report_text(build.hand_report(read, top), console.screen(), (), costs)


def _valued(
    session: sessions.Session, read: hand_analysis.Analysis, terms: valuation.DecisionTerms
) -> valuation.ValuedHand | None:
    """Return a hand with its decisions valued; None, with a message, if that is impossible."""
    try:
        return terms.valued(read)
    except policy.PolicyError as error:
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
    files: shared.Files,
    strict: bool = option(
        "Also refuse hands that stop in the middle, contradict themselves, or have a "
        "line that matches no known pattern.",
        default=False,
    ),
    anonymous: shared.Anonymous = False,
    reading: ReadingOptions,
    as_json: shared.AsJson = False,
) -> None:
    """Check that hands are whole and legal, and list what is wrong.

    Each problem is listed with file, line and column, and with what was expected. With --anonymous
    the text of refused hands is printed, too; look for names that could not be read in it.
    """
    reads = reading.settings(files, anonymous)
    session = sessions.Session(files, reads, prints=as_json)
    for read in session.readings():
        played, problems, findings = _checked(read, strict)
        session.counts.unfinished += not (problems or (played and played.finished))
        if problems or played is None:
            session.refuse(played.history if played else None, [*findings, *problems])
            console.emit("" if as_json else session.text_to_share())
        else:
            session.accept(played.history, findings)
        if as_json:
            answer = report_problems.check_object(played, problems, findings)
            console.emit(json.dumps(answer) + "\n")
    if as_json:
        session.report_counts()
    else:
        session.report_left_out()
        console.emit(session.counts.summary() + "\n")
    # Not ``end``: nothing is wrong with a log of other games alone.
    raise typer.Exit(session.counts.status or int(strict and bool(session.counts.other_games)))


def _checked(
    read: history.History | history.Problem, strict: bool
) -> tuple[steps.Replay | None, list[history.Problem], list[history.Problem]]:
    """Return a hand that was read, why it is refused, and its other problems."""
    if isinstance(read, history.Problem):
        return None, [read], []
    played = replaying.replay(read)
    problems = [played.problem] if played.problem else []
    if not strict or read.other_game:
        return played, problems, list(read.damage)
    # The other findings are among the problems.
    return played, [*(read.problems or problems), *report_problems.shortcomings(played)], []


@dataclass(frozen=True)
class AnnotationOptions(PolicyOptions):
    """Options for writing hands with their analysis."""

    annotate: bool = option(
        "With --to phh: add the analysis of each hand, in comments and in fields that "
        "other programs ignore.",
        default=False,
    )
    viewpoint: shared.Viewpoint = None
    ties: Annotated[shared.Ties | None, shared.TIES] = None

    def check(self, to: str) -> None:
        """Raise a usage error if a format cannot hold the requested content."""
        given = given_options(self)
        if given and not self.annotate:
            raise usage(f"{', '.join(given)}: can only be used with --annotate")
        if self.annotate and to != ANNOTATED:
            only = f"only PHH can contain an analysis, not {to}; use --to {ANNOTATED}"
            raise usage(f"--annotate: {only}")

    def texts(
        self, session: sessions.Session, reads: sessions.ReadSettings, reader: reading_by.Reader
    ) -> list[str]:
        """Return the texts of the hands of a session with their analysis."""
        session.require("--viewpoint", self.viewpoint)
        who, ties = reads.who(self.viewpoint) or "public", (self.ties or shared.Ties.SPLIT).value
        return list(_annotated(session, reader, who, ties))


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
    files: shared.Files,
    to: str | None = option(
        "Format to write, one of handread formats. Default: by the ending of --output.",
        "NAME",
        names=writer_names,
        panel=OUTPUT,
    ),
    output: Path | None = option(
        "File to write. Default: standard output.", "FILE", flags="-o --output", panel=OUTPUT
    ),
    annotating: AnnotationOptions,
    anonymous: shared.Anonymous = False,
    reading: ReadingOptions,
) -> None:
    """Write hands in another notation.

    All amounts are filled in by replaying the hand. The options about policies and readers, and
    --ties, need --annotate.
    """
    reads, output = reading.settings(files, anonymous), None if str(output) == "-" else output
    with usage_errors():
        known = reads.known
        writer = known.writer(to) if to is not None else known.writer_by_ending(output, "--to")
    annotating.check(writer.name)
    reader = reads.named(annotating.chosen()) if annotating.annotate else None
    rejects = reading.rejects
    if rejects is not None and output is not None and rejects.resolve() == output.resolve():
        raise usage(f"{rejects}: cannot hold both what is written and what is refused")
    session = sessions.Session(files, reads, prints=False)
    texts = _texts(session, writer) if reader is None else annotating.texts(session, reads, reader)
    raise typer.Exit(_saved(session, writer, texts, files, output))


def _saved(
    session: sessions.Session,
    writer: format_kinds.Writer,
    texts: list[str],
    files: Sequence[str],
    output: Path | None,
) -> int:
    """Write the hands, report, and return the exit status."""
    if output is not None and any(opening.same_file(output, file) for file in files):
        session.say(f"{output}: is one of the files to read; choose another name")
        return 2
    if not texts:  # what stands in the file is left alone
        session.say("there is no hand to write")
        return session.end(False)
    text = texts[0] if len(texts) == 1 else "".join(writer.joined(texts))
    try:
        if output is None:
            console.emit(text)
        else:
            whole_files.write_text_whole(output, text)
    except OSError as error:
        session.say(f"{output}: cannot be written: {error.strerror or error}")
        return 2
    return session.end()


def _legal(
    session: sessions.Session, write: Callable[[steps.Replay], _T], accept: bool = False
) -> Iterator[tuple[steps.Replay, _T]]:
    """Yield the legal hands and the results of ``write``.

    If ``write`` raises ``ValueError``, the format cannot hold the hand, which is left out.
    """
    for played in session.legal():
        try:
            written = write(played)
        except ValueError as error:
            session.leave_out(played.history, str(error))
            continue
        yield played, written
        if accept:
            session.accept(played.history, played.history.damage)


def _texts(session: sessions.Session, writer: format_kinds.Writer) -> list[str]:
    """Return the texts of the legal hands; say where the losses of a format are listed."""
    legal = list(_legal(session, writer.written, accept=True))
    events = (event for played, _ in legal for event in played.history.events)
    chat = any(isinstance(event, history.Remark) for event in events)
    if chat or (legal and isinstance(writer, rooms.PrintingRoom)):
        name = writer.title.partition(",")[0]
        session.say(f"What {name} does not keep, and what is made up: {KEPT}")
    return [written.text for _, written in legal]


def _annotated(
    session: sessions.Session, reader: reading_by.Reader, viewpoint: str, ties: str
) -> Iterator[str]:
    """Yield the texts of hands in PHH with their analysis.

    A hand that cannot be analyzed to its end is counted so and written with the analysis up to
    there.
    """
    layouts: list[phh.Layout] = []

    def hands() -> Iterator[steps.Replay]:
        for played, layout in _legal(session, phh.Layout):
            layouts.append(layout)
            yield played

    for analyzed in in_turn.analyses(session, hands(), reader, analyzing.HandView(viewpoint, ties)):
        layout, read = layouts.pop(), analyzed.analysis  # Hands are analyzed one at a time.
        yield layout.text(None if read is None else annotation.notes_on(read, layout))


@dataclass(frozen=True)
class WantedOptions:
    """Options of what to do with the formats."""

    files: list[str] | None = argument("Grammars to check, with --lint.", "[FILE.toml...]")
    explain: str | None = option(
        "Show every line pattern of a format, and where it was seen.", "NAME", names=dialect_names
    )
    lint: bool = option("List what is wrong with grammars, by line and field.", default=False)
    new: str | None = option("Print the draft of a grammar for a room of this name.", "NAME")
    grammar: shared.Grammars = field(default_factory=list)
    as_json: bool = json_option("Print a JSON object for each format, one per line.")

    def check(self) -> None:
        """Raise a usage error for options that do not belong together."""
        others = self.explain is not None or self.grammar or self.as_json
        if self.new is not None and (self.files or self.lint or others):
            raise usage("--new cannot be combined with other options")
        if bool(self.files) != self.lint or (self.lint and others):
            raise usage("grammar files need --lint, and --lint takes no other options")


@spread
@examples(
    ("what each line of a PokerStars log means", "handread formats --explain pokerstars"),
    (
        "start a grammar for a room that is not read yet",
        "handread formats --new my-room > my-room.toml",
    ),
)
def formats(*, wanted: WantedOptions) -> None:
    """List the formats; explain, check or draft the grammar of a room."""
    wanted.check()
    if wanted.new is not None:
        with console.errors_told(ValueError):
            console.emit(format_report.draft(wanted.new))
        return
    if wanted.files:
        linted = [format_report.lint_lines(file) for file in wanted.files]
        console.emit("".join(f"{line}\n" for lines, _ in linted for line in lines))
        raise typer.Exit(int(any(faulty for _, faulty in linted)))
    known, width = known_with(wanted.grammar), report_tables.output_width()
    record, text, listed = format_report.record, format_report.line, known.dialects
    if wanted.explain is not None:
        with usage_errors():
            listed = (known.named(wanted.explain),)
        record, text = format_report.full_record, format_report.explained
    for dialect in listed:
        shown = json.dumps(record(dialect)) + "\n" if wanted.as_json else text(dialect, width)
        console.emit(shown)
