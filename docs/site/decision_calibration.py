"""``python -m docs.site.decision_calibration``: values of decisions, and what was then won.

In simulated games everybody plays on by the policies, so that right values have the same mean as
the actor's winnings from the decision on, at every size. Hands of people test the policies too.
Folds, worth 0, are left out. The ledgers of these players are checked in the same run: their terms
sum exactly to the chips won.

The rollouts of a decision are halved: one half gives its rank, the other its value, so that chance
does not make the highest values too high and the lowest too low. The slope of the winnings over the
values takes the second half as the instrument of the first.
"""

import argparse
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import handread.study.decision_samples as samples
from handread.arrays import Floats
from handread.cli.groups import OutputOptions, PolicyOptions, RuleOptions
from handread.cli.options import MOST_ROLLOUTS, listed
from handread.cli.reading import LogOptions
from handread.decisions.decision_values import house_rake
from handread.decisions.learned import learned_values
from handread.decisions.ledger import PARTS, ledgers
from handread.decisions.particles import particle_rollouts
from handread.decisions.rollouts import RollOut, Rollouts, draw_futures
from handread.decisions.turns import Turn
from handread.game.steps import Decision, Replay
from handread.history import Action
from handread.inference.analysis import true_holding
from handread.inference.hand_analysis import Analysis
from handread.inference.players import CARDS_ONLY
from handread.papers.bench.commands import hands_of
from handread.papers.bench.decisions_text import OBSERVER_NAMES, counted
from handread.papers.bench.set_readers import population
from handread.papers.bench.text import with_reach
from handread.policy import PolicyError
from handread.report.tables import FigureColumn, as_prose, figures_text, mean_cell
from handread.report.words import visible
from handread.runs import Run
from handread.study.decision_samples import READ, HandSource, SourceHand
from handread.study.statistics import Estimate, FigureTable, Key, Moments
from handread.typed import read_typed, write_typed
from handread.version import __version__

OBSERVERS = (READ, CARDS_ONLY)
"""The observers whose values are compared with the winnings."""

PREDICTED, REALISED, DIFFERENCE, SLOPE, EXACT = (
    "predicted_big_bets",
    "realised_big_bets",
    "realised_less_predicted_big_bets",
    "slope",
    "exact_ledgers",
)
"""The value of the action taken; the actor's winnings from the decision on; the second less the
first; the slope of the winnings over the values, ideally 1; and the share of ledgers whose terms
sum to the chips won."""

TENTHS = 10
"""The number of equal groups of decisions, from the lowest values to the highest."""

TENTH_NAMES = tuple(f"tenth {place}" for place in range(1, TENTHS + 1))

SAMPLE = 103
"""The random stream that draws decisions of a game; the streams of observers are their places."""


@dataclass(frozen=True)
class DecisionCalibration(FigureTable):
    """Values and winnings of actions taken, by source of hands and observer.

    Figures of all decisions have the observer as group, and are about a source of hands; tenths
    have a group of ``TENTH_NAMES``, and are about ``part_of`` the two. The ``n`` of an estimate
    counts decisions, ``hands`` their hands. ``sets`` has the number of hands of each source; the
    other fields are the options.
    """

    sets: Mapping[str, int]
    decisions: int
    rollouts: int
    seed: int


@dataclass(frozen=True, slots=True)
class SampleOptions:
    """Options of drawing and valuing decisions: at most ``decisions`` of a hand; 0 takes all.

    ``rollouts`` is the number of rollouts of a decision, 2 or more.
    """

    decisions: int = 2
    rollouts: int = 40
    seed: int = 1
    roll_out: RollOut = field(default=particle_rollouts, repr=False)


def part_of(source: str, observer: str) -> str:
    """Return the part of the table with the tenths of an observer."""
    return f"{source}, {observer}"


def decision_calibration(
    sources: Sequence[HandSource], options: SampleOptions = SampleOptions(), run: Run = Run()
) -> DecisionCalibration:
    """Compare the values of actions taken with the actors' winnings."""
    work, weight = partial(measure_values, options), 1 + options.rollouts // 20
    with run.parts(work, samples.source_hands(sources), weight, "hands") as parts:
        records = [read_typed(_KeptDecision, part.file) for part in parts]
    rows = [row for record in records for row in record.rows]
    table = calibration_table(sources, options, rows)
    checked = [row for record in records for row in record.ledgers]
    return replace(table, figures={**table.figures, **ledger_figures(sources, checked)})


class _KeptDecision(NamedTuple):
    rows: list[tuple[float, float, float, float, float, float, float]]
    ledgers: list[tuple[int, int, int]]


def measure_values(options: SampleOptions, hands: Iterable[SourceHand], path: Path) -> None:
    """Keep the rows of the decisions of some hands, and the check of ledgers."""
    rows, checked = list[Any](), list[Any]()
    for source, number, place, analyzed in hands:
        analysis = analyzed()
        drawn = list(sampled(analysis, number, options))
        rows += [[source, place, *row] for row in hand_rows(analysis, drawn, number, options)]
        seats = {turn.seat for turn in drawn}
        checked += [[source, *sums] for sums in ledger_sums(analysis, seats)]
    write_typed(_KeptDecision(rows, checked), path)


def sampled(analysis: Analysis, number: int, options: SampleOptions) -> Iterator[Turn]:
    """Yield the decisions of a hand that are compared."""
    rng = np.random.default_rng((options.seed, number, SAMPLE))
    return samples.drawn_turns(analysis, valued(analysis.replay), options.decisions, rng)


def hand_rows(
    analysis: Analysis, drawn: Sequence[Turn], number: int, options: SampleOptions
) -> Iterator[list[float]]:
    """Yield a row for each of these decisions of a hand, in big bets.

    It has the actor's winnings from the decision on, then for each observer the value of the action
    by both halves of the rollouts.
    """
    replay = analysis.replay
    rake = house_rake(replay)
    for turn in drawn:
        taken = [turn.options[turn.taken_at]]
        row = [float(won_from(replay, turn))]
        for stream, view in enumerate((turn, samples.by_cards_only(turn))):
            rng = np.random.default_rng((options.seed, number, turn.decision.n, stream))
            futures = draw_futures(view, options.rollouts, rng)
            row += halves(options.roll_out(view, taken, futures, rake))
        yield [amount / turn.big_bet for amount in row]


def ledger_sums(analysis: Analysis, seats: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the sum of a ledger's terms and the chips won, both in parts, for each of some seats.

    Yields nothing without learned values for the policies.
    """
    history = analysis.replay.history
    try:
        learned = learned_values(analysis.players, history.variant)
    except PolicyError:
        return
    for ledger in ledgers(analysis, learned, seats)[0].values():
        yield sum(ledger.terms.values()), PARTS * ledger.net


def actor_known(replay: Replay, decision: Decision) -> bool:
    """Return True if the actor's downcards are known, and not only because of a showdown.

    Players who show down have not folded later: their decisions look better than they were.
    """
    if not samples.tells_all(replay) and decision.seat != replay.history.hero:
        return False
    return true_holding(replay, decision.seat, decision.street) is not None


def valued(replay: Replay) -> list[Decision]:
    """Return the decisions of a hand that are compared: not folds, with the actor's cards known."""
    if not replay.won:
        return []
    stayed = (decision for decision in replay.decisions if decision.action is not Action.FOLD)
    return [decision for decision in stayed if actor_known(replay, decision)]


def won_from(replay: Replay, turn: Turn) -> int:
    """Return the actor's net from a turn on, in minor units."""
    seat = turn.seat
    return replay.net(seat) + turn.table.player(seat).paid


def halves(rollouts: Rollouts) -> list[float]:
    """Return the mean net of the only action by each half of its rollouts, in minor units."""
    nets, weights = rollouts.nets[:, 0], rollouts.weights
    whole = float(weights @ nets / weights.sum())
    means = []
    for start in range(2):
        half_nets, half = nets[start::2], weights[start::2]
        # Rarely all deals of a half contradict the reads: its weights are 0.
        means.append(float(half @ half_nets / half.sum()) if half.any() else whole)
    return means


def calibration_table(
    sources: Sequence[HandSource], options: SampleOptions, rows: Sequence[Sequence[float]]
) -> DecisionCalibration:
    """Return the figures of rows: the source, the hand, and ``hand_rows``."""
    figures: dict[Key, Estimate] = {}
    for place, source in enumerate(sources):
        of_source = np.array([row[1:] for row in rows if row[0] == place])
        if not of_source.size:
            continue
        hands, realised = of_source[:, 0], of_source[:, 1]
        for at, who in enumerate(OBSERVERS):
            first, second = of_source[:, 2 + 2 * at], of_source[:, 3 + 2 * at]
            whole = compared(hands, (first + second) / 2.0, realised)
            whole[SLOPE] = slope(hands, first, second, realised)
            figures |= {Key(figure, "", who, source.name): whole[figure] for figure in whole}
            ranks = first.argsort(kind="stable")
            if ranks.size >= TENTHS:
                for group, some in zip(TENTH_NAMES, np.array_split(ranks, TENTHS), strict=True):
                    part = compared(hands[some], second[some], realised[some])
                    about = part_of(source.name, who)
                    figures |= {Key(figure, "", group, about): part[figure] for figure in part}
    return DecisionCalibration(
        figures,
        sets={source.name: source.hands for source in sources},
        decisions=options.decisions,
        rollouts=options.rollouts,
        seed=options.seed,
    )


def ledger_figures(
    sources: Sequence[HandSource], checked: Sequence[Sequence[int]]
) -> dict[Key, Estimate]:
    """Return the share of exact ledgers by source; empty without ledgers."""
    figures = {}
    for place, source in enumerate(sources):
        exact = [total == won for of, total, won in checked if of == place]
        if exact:
            share = sum(exact) / len(exact)
            figures[Key(EXACT, "", "", source.name)] = Estimate(share, n=len(exact))
    return figures


def compared(hands: Floats, predicted: Floats, realised: Floats) -> dict[str, Estimate]:
    """Return the means of values and winnings of decisions, and of their difference."""
    sums = by_hand(hands, np.ones(hands.size), predicted, realised)
    n, over = np.array([1.0, 0.0, 0.0]), np.eye(3)
    ratios = {PREDICTED: over[1], REALISED: over[2], DIFFERENCE: over[2] - over[1]}
    return {
        figure: replace(sums.ratio(weights, n), n=hands.size, hands=sums.n)
        for figure, weights in ratios.items()
    }


def slope(hands: Floats, first: Floats, second: Floats, realised: Floats) -> Estimate:
    """Return the slope of the winnings over the values, each half the instrument of the other.

    The errors of the halves are independent: their covariance is the variance of the true values
    (Reiersol 1941).
    """
    first_half, other, won = (values - values.mean() for values in (first, second, realised))
    sums = by_hand(hands, won * (first_half + other) / 2.0, first_half * other)
    over, under = np.eye(2)
    return replace(sums.ratio(over, under), n=hands.size, hands=sums.n)


def by_hand(hands: Floats, *columns: Floats) -> Moments:
    """Return the moments of the sums of the columns over the decisions of each hand."""
    _, places = np.unique(hands, return_inverse=True)
    return Moments.of(np.stack([np.bincount(places, column) for column in columns], axis=1))


def decision_calibration_text(table: DecisionCalibration) -> str:
    """Return the calibration of values as text: a line per observer, and tables of the tenths."""
    head = as_prose(
        "value of the action taken, and what the actor won from there on, in big bets; no folds",
        f"{table.rollouts:,} rollouts a decision; ±: half of the 95% interval, clustered by hand",
    )
    return "\n".join([head, *(_calibration_text(table, name) for name in table.sets)])


def _calibration_text(table: DecisionCalibration, name: str) -> str:
    there = table.at(REALISED, "", READ, name)
    if not there.n:
        return as_prose(f"{visible(name)}: no decision with known downcards of the actor")
    signed = partial(with_reach, sign="+")
    columns = [
        FigureColumn(("value",), PREDICTED, partial(mean_cell, digits=2, sign="+z")),
        FigureColumn(("won",), REALISED, signed),
        FigureColumn(("won less value",), DIFFERENCE, signed),
        FigureColumn(("slope",), SLOPE, with_reach),
    ]
    rows = [(f"  {OBSERVER_NAMES[who]}", Key("", "", who, name)) for who in OBSERVERS]
    text = as_prose(f"{visible(name)}: {counted(there)}") + figures_text(table, rows, columns)
    ledgers = table.at(EXACT, "", "", name)
    if ledgers.n:
        exact = "all" if ledgers.mean == 1.0 else f"{ledgers.mean:.2%}"
        text += as_prose(f"  ledgers that sum exactly to the chips won: {exact} of {ledgers.n:,}")
    for who in OBSERVERS:
        tenths = table.groups(part_of(name, who))
        if tenths:
            places = [(f"  {tenth}", Key("", "", tenth, part_of(name, who))) for tenth in tenths]
            text += f"  {OBSERVER_NAMES[who]}, from the lowest values to the highest\n"
            text += figures_text(table, places, columns[:3])
    return text


def main() -> int:
    """Value decisions of simulated games and of files, and print the calibration."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="none: games of people")
    parser.add_argument("--players", action="append", help="as experiment read-value takes them")
    parser.add_argument("--games", type=int, default=1000, help="of each kind of players")
    parser.add_argument("--decisions", type=int, default=2, help="in each hand; 0 for all")
    parser.add_argument("--rollouts", type=int, default=40, help="of each decision, 2 or more")
    parser.add_argument("--seats", type=int, default=7)
    parser.add_argument("--game", help="a game with its stakes, as simulate takes them")
    parser.add_argument("--policy", help="that reads the hands of files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--output", type=Path, help="a table of the figures")
    asked = parser.parse_args()
    if not 2 <= asked.rollouts <= MOST_ROLLOUTS:
        parser.error(f"--rollouts: 2 to {MOST_ROLLOUTS}")
    rules, session = RuleOptions(asked.seats, asked.game), LogOptions().session(asked.files)
    setups = {
        f"{name} players": population(name, rules.played_by())
        for name in listed(asked.players or ([] if asked.files else ["people"]))
    }
    if any(setup.deciders for setup in setups.values()):
        parser.error("--players: somebody has no policies by which hands are played on")
    hands, reader = hands_of(session, needed=not setups), PolicyOptions(asked.policy).chosen()
    options = SampleOptions(asked.decisions, asked.rollouts, asked.seed)
    with tempfile.TemporaryDirectory(prefix="handread-") as place:
        sources = samples.stored_apart(hands, Path(place), reader, rules.ties.value)
        for name, setup in setups.items():
            sources.append(samples.simulated(name, asked.games, setup, asked.seed))
        found = decision_calibration(sources, options, Run(asked.seed, asked.workers))
    OutputOptions(asked.output).write(found, {"version": __version__, "seed": asked.seed})
    print(decision_calibration_text(found), end="")
    return session.end()


if __name__ == "__main__":
    raise SystemExit(main())
