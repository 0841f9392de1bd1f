"""Experiments on decisions: ``handread experiment read-value`` and ``decision-calibration``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from handread.cli.experiment import experiment
from handread.cli.groups import (
    Drawn,
    Logs,
    Output,
    Players,
    Policies,
    Rules,
    Running,
    keep_apart,
    spread,
    table_setup,
)
from handread.cli.help import examples
from handread.cli.options import (
    MOST_ROLLOUTS,
    Game,
    Games,
    GamesOfEach,
    Seats,
    Stack,
    SuitingPolicy,
    Ties,
    listed,
    policy_names,
    simulated_players,
    usage,
    usage_errors,
)
from handread.cli.rare import Setting
from handread.lazy import lazily

with lazily():
    import handread.decisions.learned as learning
    import handread.game.steps as steps
    import handread.inference.readers as reading_by
    import handread.papers.bench.decision_calibration as decision_calibrations
    import handread.papers.bench.decisions_text as decisions_text
    import handread.papers.bench.luck as luck_study
    import handread.papers.bench.read_value as read_values
    import handread.papers.bench.readers as bench_readers
    import handread.session as sessions
    import handread.simulate as simulation
    import handread.study.decision_samples as decision_samples
    import handread.study.hand_sets as hand_sets
    from handread.cli import console


Hands = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE...]", help="Hands to value. Default: games of simulated players."
    ),
]
Populations = Annotated[
    list[str] | None,
    simulated_players(
        "mixed, or a policy by name. Default: people, or none with files.",
        lambda: ["mixed", *policy_names()],
    ),
]
Decisions = Annotated[int, Setting("Number of decisions to value in each hand; 0 for all.", min=0)]

TELLING, OTHERS = "hands that tell all downcards", "other hands"
"""The names of the sets of hands from files."""


@spread
@examples(
    (
        "10 games of simulated people",
        "handread experiment read-value --games 10 --rollouts 20 --set scoring=20",
    ),
    ("hands of your own logs", "handread experiment read-value logs --csv value.csv"),
)
def read_value(
    *,
    files: Hands = None,
    players: Populations = None,
    games: GamesOfEach = 1000,
    decisions: Decisions = 2,
    rollouts: Annotated[
        int,
        typer.Option(
            help="Number of rollouts by which an observer chooses an action.",
            min=1,
            max=MOST_ROLLOUTS,
            metavar="N",
        ),
    ] = 150,
    scoring: Annotated[
        int, Setting("Number of fresh rollouts that score the choices.", max=MOST_ROLLOUTS)
    ] = 100,
    policy: SuitingPolicy = None,
    rules: Rules,
    running: Running,
    reading: Logs,
    output: Drawn,
) -> None:
    """Measure what a read is worth, in chips.

    At random decisions observers choose by the cards alone, by the read, and with all cards known;
    the choices are scored on fresh rollouts with the true downcards. Hands of files count where the
    downcards of all who are in are known.
    """
    options = read_values.ChoiceOptions(decisions, rollouts, scoring, running.seed)
    simulated = _simulated(players, bool(files), games, rules, running.seed)
    session, models = _hands(files, policy, reading, output)
    _measure(
        partial(read_values.read_value, options=options),
        decisions_text.read_value_text,
        {"command": "read-value", "options": repr(options)},
        simulated,
        (session, models, rules.ties.value),
        (running, output, "read_value_figure"),
    )


@spread
@examples(
    (
        "20 games of simulated people",
        "handread experiment decision-calibration --games 20",
    ),
    ("hands of your own logs", "handread experiment decision-calibration logs --plot values.png"),
)
def decision_calibration(
    *,
    files: Hands = None,
    players: Populations = None,
    games: GamesOfEach = 1000,
    decisions: Decisions = 2,
    rollouts: Annotated[
        int,
        typer.Option(
            help="Number of rollouts of each decision.", min=2, max=MOST_ROLLOUTS, metavar="N"
        ),
    ] = 40,
    policy: SuitingPolicy = None,
    rules: Rules,
    running: Running,
    reading: Logs,
    output: Drawn,
) -> None:
    """Compare values of decisions with what was then won.

    In simulated games the two should agree on average, at high values and at low ones. In hands of
    files this tests the policies as well; a player counts whose downcards are known, and not only
    because of a showdown.
    """
    options = decision_calibrations.SampleOptions(decisions, rollouts, running.seed)
    simulated = _simulated(players, bool(files), games, rules, running.seed)
    session, models = _hands(files, policy, reading, output)
    _measure(
        partial(decision_calibrations.decision_calibration, options=options),
        decisions_text.decision_calibration_text,
        {"command": "decision-calibration", "options": repr(options)},
        simulated,
        (session, models, rules.ties.value),
        (running, output, "decision_calibration_figure"),
    )


@spread
@examples(
    ("the included values, in 20 games", "handread experiment luck --games 20"),
    (
        "values of your own, for a policy of your own",
        "handread experiment luck --policy mine.toml --set values=mine-values.json",
    ),
)
def luck(
    *,
    games: Games = 500,
    seats: Seats = 7,
    table: Players = Players(policy="people"),
    stack: Stack = None,
    game: Game = None,
    values: Annotated[
        Path | None,
        Setting("Values that fit --values wrote. Default: those included.", "FILE.json"),
    ] = None,
    running: Running,
    output: Output,
) -> None:
    """Check that luck has mean 0 in simulated games.

    The ledgers of all players are added up, in big bets a player and hand. In play by the policy
    that the values were learned from, every term but the rake should be 0 within its error. That of
    the first deal may be off by some hundredths: the values were learned at many stakes.
    """
    with usage_errors():
        setup = table_setup(table.models(), seats, game, Ties.SPLIT, stack)
        simulation.check_analyzed(setup)
        players = setup.players.in_game(setup.game.key)
        learned = learning.learned_values(players, setup.game.key, values)
    made = dict(learned.made)
    terms = {"command": "luck", "setup": repr(setup), "values": made}
    measure = partial(luck_study.luck_check, setup, games, learned)
    experiment(measure, decisions_text.luck_text, terms, running, output)


def _simulated(
    names: list[str] | None,
    files: bool,
    games: int,
    rules: Rules,
    seed: int,
) -> list[decision_samples.SimulatedHands]:
    """Return the games of the simulated players, or raise a usage error."""
    if names is None:
        names = [] if files else ["people"]
    found = []
    with usage_errors():
        table = rules.played_by()
        for name in dict.fromkeys(listed(names)):
            setup = bench_readers.population(name, table)
            if setup.deciders:
                raise usage(f"--players {name}: has no policies by which hands are played on")
            found.append(decision_samples.SimulatedHands(f"{name} players", games, setup, seed))
    return found


def _hands(
    files: list[str] | None,
    policy: str | None,
    reading: Logs,
    output: Drawn,
) -> tuple[sessions.Session, reading_by.Reader]:
    """Return the session of the files and their reader, or raise a usage error."""
    reader = Policies(policy).chosen()
    with usage_errors():
        reads = reading.settings(files or ())
        keep_apart(files or (), output.csv, output.plot)
    return sessions.Session(files or (), reads, prints=False), reader


def _measure(
    experiment: Callable[..., Any],
    text: Callable[[Any], str],
    terms: Mapping[str, Any],
    simulated: Sequence[decision_samples.SimulatedHands],
    hands: tuple[sessions.Session, reading_by.Reader, str],
    done: tuple[Running, Drawn, str],
) -> None:
    """Run an experiment on simulated games and on the hands of files, and print its tables.

    Args:
        experiment: The experiment; it takes the sources of hands and the run.
        text: The function that renders its text.
        terms: JSON values that determine the result, besides the hands.
        simulated: The simulated games.
        hands: The session of the files, their reader, and the tie rule.
        done: How it is run, the files to write, and the name of the function of the picture.
    """
    session, reader, ties = hands
    read = list(_readable(session))
    if not read and not simulated:
        console.say("there is no hand to read")
        session.report_counts()
        raise typer.Exit(session.status_of_nothing)
    terms = {
        **terms,
        "simulated": [[one.name, one.hands, repr(one.setup), one.seed] for one in simulated],
        "hands": hand_sets.contents_hash(read),
        "players": reader.terms,
        "ties": ties,
    }
    running, output, figure = done
    with running.begin(terms, output.first) as run:
        sets = {TELLING: list(filter(decision_samples.tells_all, read))}
        sets[OTHERS] = [played for played in read if not decision_samples.tells_all(played)]
        sources: list[decision_samples.HandSource] = []
        for n, (name, some) in enumerate(sets.items()):
            if some:
                folder = run.within(f"files-{n}").resume
                assert folder is not None
                sources.append(decision_samples.stored(name, some, folder, reader, ties))
        found = experiment([*sources, *simulated], run=run)
        output.write(found, figure)
    console.emit(text(found))
    session.report_counts()
    raise typer.Exit(session.status)


def _readable(session: sessions.Session) -> Iterator[steps.Replay]:
    """Yield the hands of files that can be read to their end; count the others."""
    for played in session.legal(hand_sets.cannot_be_scored):
        session.accept(played.history.damage)
        yield played
