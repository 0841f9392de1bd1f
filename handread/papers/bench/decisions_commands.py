"""Experiments on decisions: ``handread experiment read-value`` and ``decision-calibration``."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
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
    import handread.papers.bench.decision_calibration as decision_calibrations
    import handread.papers.bench.decisions_text as decisions_text
    import handread.papers.bench.read_value as read_values
    import handread.papers.bench.set_readers as bench_readers
    import handread.runs as runs
    import handread.simulate as simulation
    import handread.study.decision_samples as decision_samples
    import handread.study.hand_sets as hand_sets

TELLING, OTHERS = "hands that tell all downcards", "other hands"


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

    def measure(
        self,
        study: Callable[..., Any],
        text: Callable[[Any], str],
        terms: Mapping[str, Any],
        rules: RuleOptions,
        running: RunningOptions,
        reading: LogOptions,
        output: DrawnOptions,
        figure: str,
    ) -> None:
        """Run a study on simulated games and on hands of files, and print its tables.

        ``study`` takes the sources of hands and the run; the others are as in ``experiment``.
        """
        setups, ties = self._setups(rules), rules.ties.value
        reader, files = PolicyOptions(self.policy).chosen(), self.files or ()
        session = reading.session(files, output.results, output.plot)
        read = commands.hands_of(session, needed=not setups)
        terms = {
            **terms,
            "simulated": [
                [name, self.games, repr(setup), running.seed] for name, setup in setups.items()
            ],
            "hands": hand_sets.contents_hash(hand.history for hand in read),
            "players": reader.terms,
            "ties": ties,
        }

        def measure(run: "runs.Run") -> Any:
            sets = {TELLING: list(filter(decision_samples.tells_all, read))}
            sets[OTHERS] = [played for played in read if not decision_samples.tells_all(played)]
            stored, given = decision_samples.stored, [of for of in sets.items() if of[1]]
            with tempfile.TemporaryDirectory(prefix="handread-") as place:
                sources = [stored(*of, Path(place), reader, ties) for of in given]
                for name, setup in setups.items():
                    sources.append(
                        decision_samples.simulated(name, self.games, setup, running.seed)
                    )
                return study(sources, run=run)

        experiment(measure, text, terms, running, output, figure=figure)
        raise typer.Exit(session.end())

    def _setups(self, rules: RuleOptions) -> "dict[str, simulation.Setup]":
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
    hands: ValuedHandsOptions,
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
    options = read_values.ChoiceOptions(hands.decisions, rollouts, running.seed, scoring=scoring)
    study = partial(read_values.read_value, options=options)
    terms = {"command": "read-value", "options": repr(options)}
    text, figure = decisions_text.read_value_text, "read_value_figure"
    hands.measure(study, text, terms, rules, running, reading=reading, output=output, figure=figure)


@spread
@examples(
    ("20 games of simulated people", "handread experiment decision-calibration --games 20"),
    ("hands of your own logs", "handread experiment decision-calibration logs --plot values.png"),
)
def decision_calibration(
    *,
    hands: ValuedHandsOptions,
    rollouts: int = option(
        "Number of rollouts of each decision.", min=2, max=shared.MOST_ROLLOUTS, default=40
    ),
    rules: RuleOptions,
    running: RunningOptions,
    reading: LogOptions,
    output: DrawnOptions,
) -> None:
    """Compare values of decisions with what was then won.

    In simulated games the two should agree on average, at high values and at low ones. In hands of
    files this tests the policies as well; a player counts whose downcards are known, and not only
    because of a showdown.
    """
    options = decision_calibrations.SampleOptions(hands.decisions, rollouts, running.seed)
    study = partial(decision_calibrations.decision_calibration, options=options)
    terms = {"command": "decision-calibration", "options": repr(options)}
    text, figure = decisions_text.decision_calibration_text, "decision_calibration_figure"
    hands.measure(study, text, terms, rules, running, reading=reading, output=output, figure=figure)
