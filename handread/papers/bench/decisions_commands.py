"""The worth of a read: ``handread experiment read-value``."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

import handread.cli.options as shared
from handread.cli.declared import argument, option
from handread.cli.experiment import experiment
from handread.cli.groups import DrawnOptions, PolicyOptions, RuleOptions, RunningOptions, spread
from handread.cli.help import examples
from handread.cli.options import listed, policy_names, simulated_players, usage, usage_errors
from handread.cli.rare import setting
from handread.cli.reading import LogOptions
from handread.lazy import lazily

with lazily():
    import handread.papers.bench.commands as commands
    import handread.papers.bench.decisions_text as decisions_text
    import handread.papers.bench.read_value as read_values
    import handread.papers.bench.set_readers as bench_readers
    import handread.runs as runs
    import handread.simulate as simulation
    import handread.study.decision_samples as decision_samples
    import handread.study.hand_sets as hand_sets


@dataclass(frozen=True)
class ValuedHandsOptions:
    """The hands whose decisions are valued."""

    files: list[str] | None = argument(
        "Hands to value. Default: games of simulated players.", "[FILE...]"
    )
    players: list[str] | None = simulated_players(
        "mixed, or a policy by name. Default: people, or none with files.",
        lambda: ["mixed", *policy_names()],
    )
    games: shared.GamesOfEach = 1000
    decisions: int = setting(
        "Number of decisions to value in each hand; 0 for all.", min=0, default=2
    )
    policy: shared.SuitingPolicy = None

    def setups(self, rules: RuleOptions) -> "dict[str, simulation.Setup]":
        """Return the tables of the simulated players by name, or raise a usage error."""
        names = self.players or ([] if self.files else ["people"])
        setups = {}
        with usage_errors():
            table = rules.played_by()
            for name in dict.fromkeys(listed(names)):
                setup = setups[f"{name} players"] = bench_readers.population(name, table)
                if setup.deciders:
                    raise usage(f"--players {name}: has no policies by which hands are played on")
        return setups


@spread
@examples(
    (
        "10 games of simulated people",
        "handread experiment read-value --games 10 --rollouts 20 --set scoring=20",
    ),
    ("hands of your own logs", "handread experiment read-value logs --output value.csv"),
)
def read_value(
    *,
    valued: ValuedHandsOptions,
    rollouts: int = option(
        "Number of rollouts by which an observer chooses an action.",
        max=shared.MOST_ROLLOUTS,
        default=150,
    ),
    scoring: int = setting(
        "Number of fresh rollouts that score the choices.", max=shared.MOST_ROLLOUTS, default=100
    ),
    rules: RuleOptions,
    running: RunningOptions,
    reading: LogOptions,
    output: DrawnOptions,
) -> None:
    """Measure what a read is worth, in chips.

    At random decisions observers choose by the cards alone, by the read, and with all cards known;
    the choices are scored on fresh rollouts with the true downcards. Hands of files count where the
    downcards of all who are in are known.
    """
    setups, reader = valued.setups(rules), PolicyOptions(valued.policy).chosen()
    session = reading.session(valued.files or (), output.results, output.plot)
    hands = commands.hands_of(session, needed=not setups)
    games, seed = valued.games, running.seed
    options = read_values.ChoiceOptions(valued.decisions, rollouts, seed, scoring)
    terms = {
        "command": "read-value",
        "options": repr(options),
        "simulated": [[name, games, repr(setup), seed] for name, setup in setups.items()],
        "hands": hand_sets.contents_hash(hand.history for hand in hands),
        "players": reader.terms,
        "ties": rules.ties.value,
    }

    def measure(run: "runs.Run") -> Any:
        with tempfile.TemporaryDirectory(prefix="handread-") as place:
            sources = decision_samples.stored_apart(hands, Path(place), reader, rules.ties.value)
            for name, setup in setups.items():
                sources.append(decision_samples.simulated(name, games, setup, seed))
            return read_values.read_value(sources, options, run)

    text, figure = decisions_text.read_value_text, "read_value_figure"
    experiment(measure, text, terms, running, output, figure=figure)
    raise typer.Exit(session.end())
