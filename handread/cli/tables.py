"""The commands of large sets of hands: score, summary."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import handread.cli.groups as groups
import handread.cli.options as shared
from handread.cli.declared import Option, argument, option
from handread.cli.help import OUTPUT, examples
from handread.cli.options import drawable, file_option, json_option, tabular, usage
from handread.cli.reading import FormatOptions
from handread.lazy import lazily

with lazily():
    import handread.decisions.terms as valuation
    import handread.game.rules as rules
    import handread.parallel as parallel
    import handread.report.information_text as information
    import handread.report.problems as report_problems
    import handread.report.session_decisions as session_decisions
    import handread.report.summary as summary_report
    import handread.report.tables as report_tables
    import handread.report.words as words
    import handread.sessions.files as sessions
    import handread.sessions.opening as inputs
    import handread.tables as score_tables
    import handread.tables.estimates as estimates
    import handread.tables.export as table_export
    import handread.tables.files as table_files
    import handread.tables.pictures as pictures
    import handread.tables.pieces as table_pieces
    import handread.tables.read as tables_read
    import handread.tables.run as table_run
    import handread.tables.store as table_store
    import handread.tables.summary as summaries
    import handread.version as version
    from handread.cli import console

SHOWN_REJECTS = 10
"""The number of refused hands listed at the end of a run; the table has all."""

CopyFormat = StrEnum("CopyFormat", "CSV ARROW")


@dataclass(frozen=True)
class ScoringOptions(groups.ComputingOptions):
    """The reader of the hands, and the results to keep."""

    resume: bool = option(
        "Add new hands to existing tables, or continue an interrupted run; hands "
        "already in them are not read again.",
        default=False,
    )


def _no_file(output: str) -> str:
    if Path(output).is_file():
        raise usage(f"{output}: is a file; the tables need a folder")
    return output


TablesOutput = Annotated[
    str,
    Option(
        "Folder for the tables, or a URL such as s3://bucket/tables, to which whoever reads the "
        "hands writes their rows: also the workers of a cluster.",
        "DIR",
        flags="-o --output",
        panel=OUTPUT,
        check=_no_file,
    ),
]


@groups.spread
@examples(
    ("the hands of a session", "handread score docs/first-evening.txt -o tables"),
    (
        "the same with what each decision was worth, which takes longer",
        "handread score docs/first-evening.txt -o valued --decisions",
    ),
)
def score(
    *,
    paths: list[str] = argument(
        "Hand histories or folders; - is standard input.", "PATH...", default=...
    ),
    output: TablesOutput,
    readers: groups.ReaderOptions,
    ties: shared.TiesOption = shared.Ties.SPLIT,
    valuing: groups.ValuingOptions,
    formats: list[CopyFormat] = option(
        "Also copy the tables to this format; may be repeated.",
        flags="--format",
        panel=OUTPUT,
        default=[],
    ),
    computing: ScoringOptions,
    reading: FormatOptions,
) -> None:
    """Read many hands into tables for polars, DuckDB or pandas.

    The tables are Parquet files with a row for each hand, each seat at each stage, each action, and
    each refused hand. With --decisions there is also one for each decision of a player whose
    downcards are known, and one for each such player's result, split into luck and play.
    """
    if formats and isinstance(table_files.place_of(output), table_files.FolderUrl):
        raise usage("--format copies tables of a folder, not at a URL: leave it out")
    reader, reads = readers.chosen(), reading.settings()
    if not computing.resume:
        sessions.Session(paths, reads).require("--hero", reading.hero)
    decided = valuing.terms(reader)
    if decided is not None and decided.way == valuation.CHECKED:
        decided = replace(decided, way=valuation.ESTIMATED)  # checks take too long for many hands
    scoring = table_pieces.ScoreTerms(
        reader, ties.value, decided, reading.keep_repeated, reads.names
    )
    terms, command = _terms(scoring), groups.given_command()
    opened = table_store.open_store(output, terms, computing.resume, command)
    with console.errors_told(), opened as store, console.stoppable(partial(_kept, output, store)):
        unreadable = _read_all(paths, store, scoring, reads, computing)
        pieces = store.pieces()
    with console.stoppable(partial(_kept, output, store)):
        status = _finish(store.place, pieces, formats, reading.hero)
    raise typer.Exit(2 if unreadable else status)


def _kept(output: str, store: table_store.Store) -> str:
    """Return what to say after an interruption: whether work is kept."""
    if store.in_parts:
        return f"stopped; the work done is kept in {output}; --resume continues"
    return f"stopped; no hand is kept in {output} yet; give the same command again"


def _finish(
    place: table_files.Place, pieces: Any, formats: Sequence[CopyFormat], hero: str | None
) -> int:
    """Copy the tables, and print a summary; return the exit status."""
    if isinstance(place, table_files.FolderUrl):
        hands, left = (int(pieces[table].sum()) for table in ("hands", "rejects"))
        console.emit(f"{place.root}: {hands:,} rows of hands; {left:,} of rejects\n")
        return 0
    _copy(place.root, [kind.value for kind in dict.fromkeys(formats)])
    status = _account(place.root)
    return 2 if _lacks_hero(place.root, hero) else status


def _terms(scoring: table_pieces.ScoreTerms) -> dict[str, Any]:
    decided, repeated = scoring.decisions, scoring.keep_repeated
    return {
        "version": version.__version__,
        "players": scoring.reader.terms,
        "ties": scoring.ties,
        **({} if decided is None else {score_tables.DECISIONS: decided.text}),
        **({"keep-repeated": True} if repeated else {}),
        **({"names": scoring.names.terms} if scoring.names.terms else {}),
    }


def _read_all(
    paths: Sequence[str],
    store: table_store.Store,
    terms: table_pieces.ScoreTerms,
    reads: sessions.ReadSettings,
    computing: groups.ComputingOptions,
) -> bool:
    """Read the hands not read yet; return True if a file could not be opened."""
    files, faults = inputs.input_files(paths, store.base, store.work, store.folder, console.say)
    with console.looking_through():
        cut = partial(table_pieces.pieces, dialect=reads.dialect, known=reads.known, terms=terms)
        plan = table_run.plan_run(files, cut)
    faults += [f"{file}: cannot be read: {why}" for file, why in plan.faults.items()]
    for fault in faults:
        console.say(fault)
    if not plan.files:
        raise parallel.RunError("there is no file to read")
    start, read = time.monotonic(), 0
    useful = parallel.useful_workers(plan.weight // table_pieces.HAND_WEIGHT)
    processes = computing.workers or useful
    here: parallel.Runner = partial(parallel.spread, workers=processes, first_here=True)
    with computing.cluster() as cluster, console.hands_progress(plan.weight) as show:
        runner = here if cluster is None else cluster

        def tick(work: int, hands: int) -> None:
            nonlocal read
            read += hands
            show(work, hands)

        before = store.in_parts
        with store.at_work():
            table_run.execute_plan(store, plan, files, cut, terms=terms, runner=runner, tick=tick)
    seconds = time.monotonic() - start
    if read:
        hands, rate = report_tables.hands_words(read), console.a_second(read, seconds)
        console.say(f"{hands} read in {seconds:.0f} s: {rate}")
    elif store.in_parts == before:
        console.say("nothing new: all hands were already read")
    return bool(faults)


def _copy(folder: Path, formats: Sequence[str]) -> None:
    """Copy the tables to other formats; raise ``RunError`` if that fails."""
    tables = tables_read.open_tables(folder)
    try:
        for kind in formats:
            table_export.export_tables(tables, kind)
    except OSError as error:
        place = error.filename or folder
        raise parallel.RunError(f"{place}: cannot be written: {error.strerror or error}") from None
    for kind in table_export.WRITERS:
        if kind not in formats and (folder / kind).is_dir():
            console.say(f"{folder / kind} is from an earlier run; --format {kind} updates it")


def _lacks_hero(folder: Path, hero: str | None) -> bool:
    """Return True, with a message, if the chosen hero is in no hand of the tables."""
    if hero is None:
        return False
    players = tables_read.open_tables(folder).scan(score_tables.PLAYERS)
    names = set(players.select("name").unique().collect()["name"])
    lacking = hero not in names
    if lacking:
        console.say(sessions.lacks_player("--hero", hero, names - {None}))
    return lacking


def _account(folder: Path) -> int:
    """Print the size of the tables and some of the refused hands; return the exit status."""
    tables = tables_read.open_tables(folder)
    with estimates.reading_errors(tables):
        reasons = (rules.NOT_BY_READER, rules.ONLY_STUD)
        skipped = {reason: tables.other_games(reason) for reason in reasons}
        left_out = tables.left_out()
        rejects = tables.count(score_tables.REJECTS)
        rejects -= sum(sum(games.values()) for games in skipped.values())
        width = report_problems.screen_width(report_problems.error_console())
        for row in tables.first_rejects(SHOWN_REJECTS):
            for line in report_problems.problem_lines(row, width=width):
                console.say(line)
        if rejects > SHOWN_REJECTS:
            listing = f"handread query {folder} --table {score_tables.REJECTS}"
            console.say(f"... and {rejects - SHOWN_REJECTS:,} more: {listing}")
        for reason, games in skipped.items():
            if games:
                listed = ", ".join(f"{n:,} {game}" for game, n in games.items())
                what = "read" if reason == rules.ONLY_STUD else "analyzed"
                console.say(f"not {what}: {listed}; {reason}")
        not_shown = (score_tables.REJECTS, score_tables.PIECES)
        counts = {name: tables.count(name) for name in tables.names if name not in not_shown}
        policy = f", read by {summaries.policies_of(tables)}" * bool(counts[score_tables.HANDS])
    if counts.get(score_tables.DECISIONS) == 0 and counts[score_tables.HANDS]:
        console.say("no decision was valued: no downcards are known")
    held = ", ".join(f"{n:,} rows of {table}" for table, n in counts.items())
    if left_out["repeated"]:
        console.say(words.repeated_words(left_out["repeated"]))
    console.emit(f"{folder}: {held}{words.visible(policy)}; {words.left_out_words(left_out)}\n")
    nothing = left_out["not analyzed"] and not counts[score_tables.HANDS]
    return 1 if left_out["refused"] or left_out["not understood"] or nothing else 0


FEW_HANDS = 20
"""Players with fewer hands are left out by default: their figures say too little."""

PlayerOrder = StrEnum("PlayerOrder", "HANDS TOLD TRUE SURPRISE READ NET")


class Picture(StrEnum):
    """Pictures of a set of hands."""

    INFORMATION_GAIN = "information-gain"
    ENTROPIES = "entropies"
    CALIBRATION = "calibration"
    PLAYERS = "players"
    SURPRISE = "surprise"
    DECISIONS = "decisions"


@dataclass(frozen=True)
class SummaryPlayersOptions:
    """The players to show."""

    player: list[str] = option(
        "Show only the player of this name; may be repeated.", "NAME", default=[]
    )
    game: shared.OneGame = None
    top: int = option("Number of players to show; 0 shows none.", min=0, default=20)
    least_hands: int = option(
        "Leave out players with fewer hands than this, except those of --player.", default=FEW_HANDS
    )
    sort: PlayerOrder = option(
        "Figure by which players are sorted, largest first.", default=PlayerOrder.HANDS
    )

    @property
    def wanted(self) -> summaries.Wanted:
        """The players of a summary."""
        return summaries.Wanted(tuple(self.player), self.top, self.least_hands, self.sort.value)


@dataclass(frozen=True)
class SummaryOutputOptions:
    """Options for the output of a summary."""

    plot: Picture | None = option(
        "Draw a picture instead, and print its numbers: information-gain, entropies, "
        "calibration, players, surprise or decisions. Needs -o.",
        "KIND",
        panel=OUTPUT,
    )
    output: Path | None = file_option(
        "Write the figures to this file: .csv, .json or .parquet; with --plot the picture: .png, "
        ".svg or .pdf.",
        flags="-o --output",
    )
    as_json: bool = json_option("Print one JSON object.")

    def check(self) -> None:
        """Raise a usage error for options that do not belong together."""
        if self.plot is None:
            tabular(self.output)
        elif self.output is None or self.as_json:
            raise usage("--plot KIND takes -o FILE, and no --json: it prints the picture's numbers")
        else:
            drawable(self.output)


@groups.spread
@examples(
    ("all that the tables hold", "handread summary tables"),
    (
        "a picture of how much the betting of each player gave away",
        "handread summary tables --plot players --least-hands 5 -o players.svg",
    ),
)
def summary(
    *,
    folder: Path = argument("Folder of tables, which handread score wrote.", "DIR", default=...),
    chosen: SummaryPlayersOptions,
    shown: SummaryOutputOptions,
) -> None:
    """Sum up the tables: how good the reads are, and every player.

    Each figure has its n and a 95% interval, with hands as the units sampled.
    """
    shown.check()
    if shown.plot is not None and shown.output is not None:
        _draw(shown.plot, shown.output, folder, chosen)
        return
    with console.errors_told():
        tables = console.opened(folder, chosen.game)
        summed = summaries.summary(tables, chosen.wanted)
        record = summary_report.summary_object(summed, tables.unfinished)
        if shown.output is not None:
            facts, frame = groups.facts_of_tables(tables), summed.to_frame().lazy()
            table_export.write_results(shown.output, frame, facts, record)
    for name in summed.players.missing:
        console.say(f"nobody in the tables is called {name}")
    if shown.as_json:
        console.emit(json.dumps(record, allow_nan=False) + "\n")
    else:
        console.emit(summary_report.summary_text(summed))


def _draw(kind: Picture, file: Path, folder: Path, chosen: SummaryPlayersOptions) -> None:
    if chosen.player and kind not in (Picture.PLAYERS, Picture.DECISIONS):
        raise usage(f"--player is for the pictures of players, not for {kind.value}")
    with console.errors_told():
        figure, text = _drawn(kind, console.opened(folder, chosen.game), chosen.wanted)
        console.draw(file, figure)
    console.emit(text)


def _nothing_to_draw(why: str) -> parallel.RunError:
    return parallel.RunError(f"there is nothing to draw: {why}")


_Drawn = tuple[Callable[[Any], Any], str]
"""The drawing function of ``report.figures``, and the text beside the figure."""

UNKNOWN = "not all downcards of any hand are known"


def _drawn(kind: Picture, tables: tables_read.Tables, wanted: summaries.Wanted) -> _Drawn:
    """Return the drawing function of a figure, and its text; ``RunError`` if data are missing."""
    match kind:
        case Picture.INFORMATION_GAIN:
            gain = summaries.summary(tables, summaries.Wanted(top=0)).gain
            if not any(estimate.n for estimate in gain.figures.values()):
                raise _nothing_to_draw(UNKNOWN)
            return lambda plots: plots.gain_figure(gain), information.gain_text(gain)
        case Picture.ENTROPIES:
            entropies = pictures.entropies(tables)
            if entropies is None:
                raise _nothing_to_draw(UNKNOWN)
            paths, where = entropies.paths, words.visible(f"{entropies.file}:{entropies.line}")
            text = f"game {paths.picked} of {len(paths.paths)} is {where}\n"
            return lambda plots: plots.entropies_figure(paths), text
        case Picture.CALIBRATION:
            reliability = pictures.calibration(tables)
            if not reliability.figures:
                raise _nothing_to_draw("no hand is recorded to its end")
            text = information.calibration_text(reliability)
            return lambda plots: plots.reliability_figure(reliability), text
        case Picture.PLAYERS:
            sums = _of_players(tables, wanted)
            return lambda plots: plots.players_figure(sums), summary_report.information_text(sums)
        case Picture.SURPRISE:
            surprise = pictures.surprise(tables)
            if not surprise.figures:
                raise _nothing_to_draw("nobody acts in any hand")
            text = summary_report.surprise_text(surprise)
            return lambda plots: plots.surprise_figure(surprise), text
        case Picture.DECISIONS:
            if score_tables.DECISIONS not in tables.names:
                raise _nothing_to_draw(
                    "the tables hold no values of decisions; score the hands with --decisions"
                )
            values = _of_players(tables, wanted).values
            if values is None or not values.players:
                raise _nothing_to_draw("no decision of these was valued")
            text = "\n".join(session_decisions.session_tables(values))
            return lambda plots: plots.session_figure(values), text


def _of_players(tables: tables_read.Tables, wanted: summaries.Wanted) -> summaries.Summary:
    """Return the summary of players who can be drawn."""
    summed = summaries.summary(tables, wanted)
    for name in summed.players.missing:
        console.say(f"nobody in the tables is called {name}")
    if not summed.players.wanted:
        why = "there are no such players"
        if summed.players.few:
            why = f"nobody has {report_tables.hands_words(wanted.least_hands)} (--least-hands)"
        raise _nothing_to_draw(why)
    return summed
