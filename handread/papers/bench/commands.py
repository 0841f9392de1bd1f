"""The bench of readers: ``handread experiment readers``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from handread.cli.groups import Drawn, Logs, Rules, Running, keep_apart, spread
from handread.cli.help import examples
from handread.cli.options import (
    MOST,
    FamilyName,
    GamesOfEach,
    Resamples,
    listed,
    player_names,
    reader_names,
    simulated_players,
    usage,
    usage_errors,
)
from handread.cli.rare import Setting
from handread.lazy import lazily

with lazily():
    import handread.game.replay as replaying
    import handread.game.steps as steps
    import handread.papers.bench.readers as bench_readers
    import handread.papers.bench.text as bench_texts
    import handread.parallel as parallel
    import handread.registry as paper_registry
    import handread.runs as runs
    import handread.session as sessions
    import handread.simulate as simulation
    import handread.study.hand_sets as hand_sets
    from handread.cli import console, simulate


FILES = "hands of the files"
"""The name of the set of hands that come from files."""


@spread
@examples(
    (
        "two readers on a few games",
        "handread experiment readers --games 5 --reader people --reader cards-only",
    ),
    ("all readers on your own logs", "handread experiment readers logs --csv readers.csv"),
)
def readers(
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="Hands to read. Default: games of simulated players.",
        ),
    ] = None,
    reader: Annotated[
        list[str] | None,
        typer.Option(
            "--reader",
            help="Reader to compare; may be repeated. Default: default, people, panel, trees, "
            "cards-only, the readers of other papers, and for simulated games the true "
            "policies. FILE.py is a reader of your own, which is run.",
            metavar="NAME|FILE",
            autocompletion=reader_names,
        ),
    ] = None,
    fit: Annotated[
        list[str] | None,
        Setting(
            "Reader to cross-validate: logit, ramps or tree (a policy to fit), or one that "
            "learns; may be repeated. Default: for files logit and those that learn.",
            "NAME",
        ),
    ] = None,
    folds: Annotated[
        int,
        typer.Option(
            help="Number of folds of cross-validated readers; 0 for no such readers.",
            min=0,
            max=MOST,
            metavar="N",
        ),
    ] = 5,
    players: Annotated[
        list[str] | None,
        simulated_players(
            "mixed, loki, bpp, or a player or policy by name. Default: default, loose and mixed, "
            "or none with files.",
            lambda: ["mixed", "loki", "bpp", *player_names()],
        ),
    ] = None,
    games: GamesOfEach = 400,
    baseline: Annotated[
        str | None,
        Setting("Reader with which the others are compared. Default: people.", "NAME"),
    ] = None,
    rules: Rules,
    resamples: Resamples = 1000,
    running: Running,
    reading: Logs,
    output: Drawn,
) -> None:
    """Set readers against each other on the same hands.

    Each reads the hands in order, so that panels and other readers that learn can do so. Fitted
    readers are cross-validated: they read each fold by policies fitted to the others.
    """
    with usage_errors():
        setups = _setups(players, bool(files), rules)
        chosen = _readers(reader, fit, folds, files=bool(files), simulated=bool(setups))
        against = _baseline(baseline, chosen)
        reads = reading.settings(files or ())
        keep_apart(files or (), output.csv, output.plot)
    session = sessions.Session(files or (), reads, prints=False)
    hands = _hands_of(session) if files else []
    if files and not hands:
        console.say("there is no hand to read")
        session.report_counts()
        raise typer.Exit(session.status_of_nothing)
    terms = {
        "command": "readers",
        "readers": [
            [one.label, one.family, one.reader.terms if one.reader else ""] for one in chosen
        ],
        "setups": {name: repr(setup) for name, setup in setups.items()},
        "games": games,
        "hands": hand_sets.contents_hash(hands),
        "folds": folds,
        "ties": rules.ties.value,
    }
    options = bench_readers.ReadOptions(folds, rules.ties.value, running.seed)
    with running.begin(terms, output.first) as run:
        sets = [_stored(run.within("files"), FILES, hands)] if hands else []
        for n, (name, setup) in enumerate(setups.items()):
            sets.append(_simulated(run.within(f"players-{n}"), name, setup, games))
        found = bench_readers.bench(sets, chosen, against, options, resamples, run)
        output.write(found, "readers_figure")
    console.emit(bench_texts.bench_text(found))
    session.report_counts()
    raise typer.Exit(session.status)


def _readers(
    names: Sequence[str] | None,
    fits: Sequence[str] | None,
    folds: int,
    files: bool,
    simulated: bool,
) -> list[bench_readers.BenchReader]:
    """Return the readers of the options, those that are fitted last.

    Raises:
        PolicyError: There is no such reader.
    """
    usual = (
        *bench_readers.READERS,
        *paper_registry.readers(),
        *([bench_readers.TRUE] if simulated else []),
    )
    found = [bench_readers.named_reader(name) for name in dict.fromkeys(names or usual)]
    if fits is None:
        learn = [one.label for one in found if one.reader and one.reader.learns]
        fits = [FamilyName.LOGIT, *learn] if files and folds and names is None else []
    if fits and folds < 2:
        raise usage("--set fit needs 2 folds or more")
    families = {family.value for family in FamilyName}
    for name in dict.fromkeys(map(str, fits)):
        found.append(
            bench_readers.fitted_reader(name)
            if name in families
            else bench_readers.taught_reader(name)
        )
    return found


def _baseline(name: str | None, readers: Sequence[bench_readers.BenchReader]) -> str:
    """Return the label of the reader that the others are compared with."""
    labels = [one.label for one in readers]
    if name is None:
        return bench_readers.BASELINE if bench_readers.BASELINE in labels else labels[0]
    if name not in labels:
        raise usage(f"--set baseline={name}: is not one of the readers {', '.join(labels)}")
    return name


def _setups(names: Sequence[str] | None, files: bool, rules: Rules) -> dict[str, simulation.Setup]:
    """Return the tables of the simulated players by name.

    Raises:
        ValueError: No game can be played with these options, or it is not analyzed.
    """
    if names is None:
        names = [] if files else bench_readers.POPULATIONS
    if not names:
        return {}
    table = rules.played_by()
    return {
        f"{name} players": bench_readers.population(name, table)
        for name in dict.fromkeys(listed(names))
    }


def _hands_of(session: sessions.Session) -> list[steps.Replay]:
    """Return the hands of files that can be read to their end; count the others."""
    hands = []
    for played in session.legal(hand_sets.cannot_be_scored):
        session.accept(played.history.damage)
        hands.append(played)
    return hands


def _stored(run: runs.Run, name: str, hands: Iterable[steps.Replay]) -> bench_readers.HandSet:
    """Store hands in the folder of a run and return their set."""
    assert run.resume is not None
    return bench_readers.HandSet(name, parallel.StoredJobs.store(hands, run.resume))


def _simulated(
    run: runs.Run, name: str, setup: simulation.Setup, games: int
) -> bench_readers.HandSet:
    """Play games, unless an earlier run has, and return the set of their hands."""
    work, what = partial(simulate.play_part, setup, run.seed), f"games of {name}"
    before = replace(run.within("games"), watch=console.Watched())
    with before.parts(work, games, what=what, suffix=simulate.PARQUET) as parts:
        played = map(replaying.replay, simulate.histories(part.file for part in parts))
        stored = _stored(run, name, played)
    return stored if setup.deciders else replace(stored, players=setup.players)
