"""The worth of a read: the chips that an observer wins who chooses the best action by it.

At a decision each observer values the legal actions by its own rollouts and takes the best. The
choices are scored against the action taken on fresh rollouts, with the true downcards and random
cards to come, so that a choice gains nothing from its luck. After the one decision everybody plays
by the policies, the observer too.

The gain of an observer of all downcards is the most that a read can bring. Richards and Amir (2007)
ask the same of the opponent's tiles in Scrabble.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

import handread.study.decision_samples as samples
from handread.arrays import Floats
from handread.decisions.decision_values import house_rake
from handread.decisions.particles import particle_rollouts
from handread.decisions.rollouts import RollOut, Rollouts, draw_futures
from handread.decisions.turns import Turn
from handread.inference.hand_analysis import Analysis
from handread.inference.players import CARDS_ONLY
from handread.policy import legal_actions
from handread.runs import Run
from handread.study.decision_samples import ALL_CARDS, FULL_WEIGHT, READ, HandSource, SourceHand
from handread.study.statistics import Estimate, FigureTable, Key
from handread.study.sums import Row, Study, Sums

OBSERVERS = (CARDS_ONLY, READ, FULL_WEIGHT, ALL_CARDS)
"""The observers who choose, in the order of their columns."""

GAIN, SHARE, PROMISED, CHANGED, AGREES, ABOVE = (
    "gain_big_bets",
    "share_of_all_cards",
    "promised_big_bets",
    "changed",
    "agrees_with_all_cards",
    "gain_above_cards_only_big_bets",
)
"""The figures of an observer: its gain on the action taken by fresh rollouts; this over the gain
with all cards known; its gain by its own rollouts; the share of decisions in which it takes another
action than the player; the share in which it agrees with all cards known; and its gain beyond the
cards-only gain."""

COUNTS = 5
"""The number of counts of an observer in ``scored``."""

SAMPLE, SCORE = 101, 102
"""Random streams of a game besides the observers' streams, numbered by their places."""

WEIGHT = 25
"""A game with valued decisions takes as long as so many plain games."""


@dataclass(frozen=True)
class ReadValue(FigureTable):
    """The worth of reads: figures by observer, about a source of hands, by betting stage.

    An empty stage stands for all streets. The ``n`` of an estimate counts decisions, ``hands``
    their hands. ``sets`` has the number of hands of each source; the other fields are the options.
    """

    sets: Mapping[str, int]
    decisions: int
    rollouts: int
    scoring: int
    seed: int


@dataclass(frozen=True, slots=True)
class ChoiceOptions:
    """Options of drawing and valuing decisions: at most ``decisions`` of a hand; 0 takes all.

    Observers choose by ``rollouts`` rollouts; all choices are scored by ``scoring`` rollouts.
    """

    decisions: int = 2
    rollouts: int = 150
    seed: int = 1
    scoring: int = 100
    roll_out: RollOut = field(default=particle_rollouts, repr=False)


def read_value(
    sources: Sequence[HandSource], options: ChoiceOptions = ChoiceOptions(), run: Run = Run()
) -> ReadValue:
    """Let observers of different knowledge choose actions, and score their choices."""
    study = Study(partial(choice_rows, options), WEIGHT, "hands")
    return read_value_table(sources, options, study.sums(samples.source_hands(sources), run))


def choice_rows(options: ChoiceOptions, hand: SourceHand) -> Iterator[Row]:
    """Yield the sums of ``scored`` over decisions of a hand, by betting stage and of all stages."""
    analysis = hand.analysis()
    stages: dict[str, Floats] = {}
    for turn in sampled(analysis, hand.number, options):
        scores = scored(turn, analysis, hand.number, options).ravel()
        for stage in ("", f"{turn.decision.street}B"):
            stages[stage] = stages.get(stage, 0.0) + scores
    for stage, total in stages.items():
        yield f"{hand.source} {stage}", total


def sampled(analysis: Analysis, number: int, options: ChoiceOptions) -> Iterator[Turn]:
    """Yield the scored decisions: two legal actions, all downcards of active players known."""
    replay = analysis.replay
    choices = (decision for decision in replay.decisions if len(legal_actions(decision)) > 1)
    known = [decision for decision in choices if samples.all_known(replay, decision)]
    rng = np.random.default_rng((options.seed, number, SAMPLE))
    return samples.drawn_turns(analysis, known, options.decisions, rng)


def scored(turn: Turn, analysis: Analysis, number: int, options: ChoiceOptions) -> Floats:
    """Return the scores of each observer's choice, (counts, observers).

    The counts are 1 if the observer is there; the gain on the action taken in big bets, by the
    scoring rollouts and by its own; 1 if it chooses another action than the player; and 1 if it
    agrees with all cards known.
    """
    taken, rake = turn.taken_at, house_rake(analysis.replay)

    def rolled(view: Turn, n: int, stream: int) -> Floats:
        rng = np.random.default_rng((options.seed, number, turn.decision.n, stream))
        futures = draw_futures(view, n, rng)
        return gains(options.roll_out(view, turn.options, futures, rake), taken) / turn.big_bet

    views = viewed(turn, analysis)
    by_observer = {
        who: rolled(view, options.rollouts, OBSERVERS.index(who)) for who, view in views.items()
    }
    true = rolled(views[ALL_CARDS], options.scoring, SCORE)
    best = _best(by_observer[ALL_CARDS], taken)
    scores = np.zeros((COUNTS, len(OBSERVERS)))
    for who, values in by_observer.items():
        chosen = _best(values, taken)
        brings = (1.0, true[chosen], values[chosen], chosen != taken, chosen == best)
        scores[:, OBSERVERS.index(who)] = brings
    return scores


def _best(values: Floats, taken: int) -> int:
    """Return the action with the highest value; the action taken if it is as good as any."""
    return int(values.argmax()) if values.max() > values[taken] else taken


def viewed(turn: Turn, analysis: Analysis) -> dict[str, Turn]:
    """Return the decision as each observer sees it; full weight only if it differs from the read.

    The public beliefs, by which play continues, are the same in all.
    """
    views = {CARDS_ONLY: samples.by_cards_only(turn), READ: turn}
    if samples.tempers(turn.players, [seat.number for seat in analysis.replay.history.seats]):
        pdds = next(pdds for n, pdds in samples.full_weight_pdds(analysis) if n == turn.decision.n)
        views[FULL_WEIGHT] = samples.by_pdds(turn, pdds)
    return {**views, ALL_CARDS: samples.by_all_cards(turn, analysis.replay)}


def gains(rollouts: Rollouts, taken: int) -> Floats:
    """Return the mean gain (actions,) on the action taken, in minor units."""
    means = rollouts.weights @ rollouts.nets / rollouts.weights.sum()
    return np.asarray(means - means[taken])


def read_value_table(
    sources: Sequence[HandSource], options: ChoiceOptions, sums: Sums
) -> ReadValue:
    """Return the figures of the observers: ratios of sums over hands."""
    figures: dict[Key, Estimate] = {}
    size = COUNTS * len(OBSERVERS)
    there, gain, promised, changed, agrees = np.eye(size).reshape(COUNTS, len(OBSERVERS), size)
    for name in sums.names:
        place, _, stage = name.partition(" ")
        moments = sums.of(name, size)
        for at, who in enumerate(OBSERVERS):
            n = round(float(there[at] @ moments.totals))
            ratios = {
                GAIN: (gain[at], there[at]),
                PROMISED: (promised[at], there[at]),
                CHANGED: (changed[at], there[at]),
                AGREES: (agrees[at], there[at]),
            }
            if who != CARDS_ONLY:
                ratios[ABOVE] = gain[at] - gain[0], there[at]
            if moments.mean(gain[-1]).low > 0.0:  # a share of what may be nothing says nothing
                ratios[SHARE] = gain[at], gain[-1]
            figures |= {
                Key(figure, stage, who, sources[int(place)].name): replace(
                    moments.ratio(over, under), n=n, hands=moments.n
                )
                for figure, (over, under) in ratios.items()
                if n
            }
    return ReadValue(
        figures,
        sets={source.name: source.hands for source in sources},
        decisions=options.decisions,
        rollouts=options.rollouts,
        scoring=options.scoring,
        seed=options.seed,
    )
