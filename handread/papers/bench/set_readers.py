"""The bench: readers set against each other on the same hands.

Every reader reads every hand of a set, and its reads are scored as in ``evaluate``. The bootstrap
draws the same hands for every reader, so that differences between readers are paired.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle, islice, product, repeat
from pathlib import Path

import numpy as np

from handread.game.rules import AFTER_BETS, variant_of
from handread.game.steps import Replay
from handread.inference.analysis import after_hand, analyze_replay
from handread.inference.players import Model, PlayerModels, player_models
from handread.inference.readers import Player, PolicyReader, Reader, cannot_be_read, policies_of
from handread.named_readers import BLIND, CARDS_ONLY, load_player, load_reader
from handread.papers.bpp.matches import match_name, match_table, play_match, player_named
from handread.papers.tournament.study import table_of
from handread.parallel import PART_SIZE, RunError, StoredJobs
from handread.policy import PolicyError, fingerprint
from handread.runs import Run
from handread.simulate import Setup
from handread.study.cross_validation import FitReader, FoldError, fitter, held_out_scores
from handread.study.evaluation import PLAYERS, Folds, seat_figures
from handread.study.fit.fitted import FitOptions
from handread.study.hand_sample import HandSample, Name
from handread.study.hand_sets import seen_by
from handread.study.logs import LogIndex, logs_of
from handread.study.measures import OBSERVERS
from handread.study.scores import EVENTS, UNREAD, HandScores, score_hands
from handread.study.statistics import Estimate, FigureTable, Key, Moments, stages_with
from handread.typed import read_typed, write_typed

TRUE = "true"
"""The reader by the policies that simulated players follow."""

READERS = ("default", "people", "panel", "trees", CARDS_ONLY)
"""The policies of Saund's observer if no readers are named."""

POPULATIONS = ("default", "loose", "mixed")
"""The simulated players of the bench, if none are named."""

MIXED = ("default", "tight", "loose", "honest", "people-average")

TABLES: Mapping[str, Sequence[str]] = {"mixed": MIXED, "loki": ("GOM", "BPM", "BPT", "BPL")}
"""Tables of different players: their names by seat, repeated from the first."""

BPP = "bpp"
"""The population of two programs of Korb et al. 1999."""

BPP_LESSONS, BPP_SEED = 200, 0
"""Games from which the BPPs learned of each other, and their random seed."""

BASELINE = "people"

EVERYBODY = PLAYERS["everybody"]

BITS = "bits_on_truth_floored"

PAIRED: Mapping[str, tuple[str, ...]] = {
    BITS: ("bits",),
    "reciprocal_rank": ("reciprocal_rank", OBSERVERS[1]),
    "brier_ace": ("brier_ace", OBSERVERS[1]),
}
"""The figures of seats, by parts of their names, with differences between readers."""

HIT = "family_in_top_1"
"""The share of reads whose likeliest family of holdings is the true one; ties count in part."""

SURPRISE = "surprise_floored_bits"

CALIBRATION = ("calibration_error_chances", "calibration_error_categories", "calibration_error")
"""The calibration errors of ``scores.EVENTS``, then of the family of the holding."""

ABOVE = "_above_baseline"
"""Suffix of a figure for its difference from the baseline reader."""

MILLISECONDS = 1000.0

PIECE = 200
"""The number of hands of a job, for a reader that does not learn from hand to hand."""


@dataclass(frozen=True, slots=True)
class BenchReader:
    """A reader of the bench.

    Attributes:
        reader: The reader; None for a reader by the models of the set of hands.
        family: The family of policies fitted to other hands of the set, or empty.
        taught: True if it first learns from other hands of the set.
        seen: The fingerprints of the hands that its policies were fitted to.
        silent: True without probabilities of actions, so that nothing surprises it.
        timed: False for a file of reads, whose time means nothing.
    """

    label: str
    reader: Reader | None
    family: str = ""
    taught: bool = False
    seen: frozenset[str] = field(default=frozenset(), repr=False)
    silent: bool = False
    timed: bool = True


@dataclass(frozen=True, slots=True)
class HandSet:
    """Some hands, which wait in a folder.

    Attributes:
        players: The models of simulated players; None for other hands and players without a policy.
        seen: What readers see in place of the hands, in the same order; None for the hands.
        logs: The logs of the hands; None for ``logs_of``.
    """

    name: str
    stored: StoredJobs | Sequence[Replay] = field(repr=False)
    players: PlayerModels | None = None
    seen: StoredJobs | Sequence[Replay] | None = field(default=None, repr=False)
    logs: LogIndex | None = field(default=None, repr=False)


Piece = tuple[HandSet, BenchReader, range]
"""A job: a reader's work on the hands at some places of a set."""


@dataclass(frozen=True)
class Bench(FigureTable):
    """The scores of the reads of several readers.

    Figures are about a set of hands, of several games about the hands of each; their group is a
    reader, their stage a betting stage or empty for all stages together. All players with known
    downcards count; who folds counts at the fold. "bits_on_truth_floored",
    "true_state_ratio_floored" and "brier_ace" are as in an ``Evaluation``. "reciprocal_rank" is
    after the bets, "reciprocal_rank_floor" the rank of a reader who sees only upcards. The
    calibration errors are ``CALIBRATION``. "surprise_floored_bits" is the mean over actions,
    "milliseconds" the processor time for a hand, without the first. "_above_baseline" ends
    differences from ``baseline`` on the hands that both can read. "unread" counts the hands that
    the reader cannot read, "seen" the hands that it was fitted to. ``sets`` has the number of hands
    of each set that figures are about.
    """

    sets: Mapping[str, int]
    readers: tuple[str, ...]
    baseline: str
    folds: int
    ties: str
    resamples: int
    seed: int


def named_reader(name: str) -> BenchReader:
    """Return a reader by its name or the file of a policy; ``PolicyError`` for an unknown one."""
    if name == TRUE:
        return BenchReader(TRUE, None)
    reader = load_reader(name)
    fitted = policies_of(reader) is not None and name != CARDS_ONLY
    return BenchReader(name, reader, seen=frozenset(seen_by(name)) if fitted else frozenset())


def fitted_reader(family: str) -> BenchReader:
    """Return the reader by policies of a family that are fitted to other hands."""
    return BenchReader(f"{family}, fitted", None, family)


def taught_reader(name: str) -> BenchReader:
    """Return the reader that first learns from other hands.

    Raises ``PolicyError`` if there is no such reader, or it does not learn.
    """
    reader = load_reader(name)
    if not reader.learns:
        raise PolicyError(
            f"the reader {name} does not learn: expected a family of policies, or one that does"
        )
    return BenchReader(f"{name}, taught", reader, taught=True)


def population(name: str, table: Setup) -> Setup:
    """Return a table with other players: ``TABLES``, BPP, or one by name (``load_player``).

    BPP plays five-card stud against itself, whatever the table. Raises ``PolicyError`` for an
    unknown player, ``ValueError`` if the players do not know the game of the table.
    """
    if name == BPP:
        return _bpp_table()
    return with_players([load_player(player) for player in TABLES.get(name, (name,))], table)


def with_players(known: Sequence[Model | Player], table: Setup) -> Setup:
    """Return a table of players by seat, repeated from the first if there are fewer.

    Raises ``ValueError`` if these players do not know the game of the table.
    """
    setup = table_of(list(islice(cycle(known), len(table.seats))), table)
    models = setup.players.seats
    rest = player_models(BLIND) if setup.deciders else PlayerModels(models[1])
    policies = replace(rest, seats=models if len(known) > 1 else {})
    return replace(setup, players=policies, watched=not setup.deciders)


def _bpp_table() -> Setup:
    """Return a table of two BPP players who have learned from ``BPP_LESSONS`` games."""
    strangers = [player_named(BPP, "paper") for _ in range(2)]
    _, learned = play_match(strangers, BPP_LESSONS, BPP_SEED)
    return match_table({match_name(player, n): player for n, player in enumerate(learned, 1)})


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading hands and fitting."""

    folds: int = 5
    ties: str = "split"
    seed: int = 1


def bench(
    sets: Sequence[HandSet],
    readers: Sequence[BenchReader],
    baseline: str,
    options: ReadOptions = ReadOptions(),
    resamples: int = 1000,
    run: Run = Run(),
) -> Bench:
    """Let all readers read all hands, and compare their scores with a baseline.

    A reader reads the hands of a set in order, so that it can learn from hand to hand. Raises
    ``RunError`` if a set has too few hands to fit to.
    """
    reads = _all_scores(sets, readers, options, run)
    figures, names = dict[Key, Estimate](), dict[str, int]()
    for n, hands in enumerate(sets):
        scores = reads[n * len(readers) : (n + 1) * len(readers)]
        logs = hands.logs or logs_of(played.history for played in hands.stored)
        for name, places, prints in _by_game(hands):
            names[name] = len(places)
            of_game = {
                reader.label: [of_set[place] for place in places]
                for reader, of_set in zip(readers, scores, strict=True)
            }
            seed, played_in = options.seed, logs.some(places)
            measured = set_figures(name, of_game, baseline, resamples, seed, logs=played_in)
            figures |= {key: measured[key] for key in measured if not _unsaid(key, readers)}
            for reader in readers:
                seen = sum(mark in reader.seen for mark in prints)
                figures[Key("seen", "", reader.label, name)] = _count(seen)
    learned = any(reader.family or reader.taught for reader in readers)
    return Bench(
        figures,
        sets=names,
        readers=tuple(reader.label for reader in readers),
        baseline=baseline,
        folds=options.folds if learned else 0,
        ties=options.ties,
        resamples=resamples,
        seed=options.seed,
    )


def _all_scores(
    sets: Sequence[HandSet], readers: Sequence[BenchReader], options: ReadOptions, run: Run
) -> list[list[HandScores]]:
    """Return the scores of the hands of the first set by each reader, then of the next set."""
    pairs = list(product(sets, readers))
    jobs = [job for pair in pairs for job in pieces(*pair)]
    owners = (n for n, pair in enumerate(pairs) for _ in pieces(*pair))
    scores: list[list[HandScores]] = [[] for _ in pairs]
    weight = max(PART_SIZE, *(len(hands.stored) for hands in sets))
    with run.parts(partial(read_sets, options), jobs, weight, "readings") as parts:
        for part in parts:
            for of_piece in read_typed(list[list[HandScores]], part.file):
                scores[next(owners)] += of_piece
    return scores


def _unsaid(key: Key, readers: Sequence[BenchReader]) -> bool:
    """Return True if a reader has no such figure: surprise without actions, time of a file."""
    silent = (reader.label for reader in readers if reader.silent)
    untimed = (reader.label for reader in readers if not reader.timed)
    return (key.figure.startswith(SURPRISE) and key.group in silent) or (
        key.figure == "milliseconds" and key.group in untimed
    )


def _by_game(hands: HandSet) -> Iterator[tuple[str, list[int], list[str]]]:
    """Yield the name, the places in the set and the fingerprints of the hands of each game."""
    games: dict[str, tuple[list[int], list[str]]] = {}
    for place, played in enumerate(hands.stored):
        places, prints = games.setdefault(played.history.variant, ([], []))
        places.append(place)
        prints.append(fingerprint(played.history))
    for game, (places, prints) in games.items():
        several = f", {variant_of(game).title}" if len(games) > 1 else ""
        yield f"{hands.name}{several}", places, prints


def pieces(hands: HandSet, reader: BenchReader) -> Iterator[Piece]:
    """Yield the jobs of a reader on a set: one, unless it reads each hand by itself."""
    n, given = len(hands.stored), reader.reader
    alone = given is not None and not (given.learns or reader.family or reader.taught)
    size = PIECE if alone else max(1, n)
    for first in range(0, max(1, n), size):
        yield hands, reader, range(first, min(first + size, n))


def read_sets(options: ReadOptions, jobs: Iterable[Piece], path: Path) -> None:
    """Keep the scores of some jobs."""
    write_typed([list(_piece_scores(*job, options)) for job in jobs], path)


def _piece_scores(
    hands: HandSet, reader: BenchReader, at: range, options: ReadOptions
) -> Iterator[HandScores]:
    """Yield the scores of a job.

    The first hand of another process, which loads kernels and tables, is not timed.
    """
    if len(at) < len(hands.stored):
        seen = hands.seen and list(islice(hands.seen, at.start, at.stop))
        hands = replace(hands, stored=list(islice(hands.stored, at.start, at.stop)), seen=seen)
    loading = at.start > 0
    for scores in reader_scores(hands, reader, options):
        yield replace(scores, seconds=0.0) if loading else scores
        loading = loading and scores.unread


def reader_scores(
    hands: HandSet, reader: BenchReader, options: ReadOptions
) -> Iterable[HandScores]:
    """Return the scores of a reader's reads of the hands of a set, in order.

    Raises ``RunError`` if there are too few hands to learn from.
    """
    given = reader.reader
    if given is None and hands.players is not None:
        given = PolicyReader(hands.players)
    if reader.family:
        fit = fitter(FitOptions(family=reader.family, seed=options.seed))
    elif given is None:
        return [UNREAD] * len(hands.stored)
    elif reader.taught:
        fit = _teacher(given, options.ties)
    else:
        seen = repeat(None) if hands.seen is None else hands.seen
        return score_hands(hands.stored, given, options.ties, seen=seen)
    folds = Folds(options.folds, "", reader.family)
    try:
        held_out = held_out_scores(list(hands.stored), fit, folds, options.ties, Run(options.seed))
    except FoldError as error:
        raise RunError(f"{reader.label}: {error}") from None
    return held_out.scores


def _teacher(reader: Reader, ties: str) -> FitReader:
    def teach(hands: Sequence[Replay], _without: Collection[str]) -> Reader:
        learned = reader
        for played in hands:
            if cannot_be_read(played, learned) is None:
                read = analyze_replay(played, learned, ties=ties)
                learned = after_hand(learned, read)
        return learned

    return teach


def set_figures(
    name: str,
    scores: Mapping[str, Sequence[HandScores]],
    baseline: str,
    resamples: int,
    seed: int,
    logs: LogIndex | None = None,
) -> dict[Key, Estimate]:
    """Return the figures of the readers of a set of hands, from the scores by reader."""
    figures: dict[Key, Estimate] = {}
    base = HandSample(scores[baseline], resamples, seed, logs)
    for label, hands in scores.items():
        sample = base if label == baseline else HandSample(hands, resamples, seed, logs)
        places_of = reader_figures(sample)
        if label != baseline:
            pair = sample, base
            if any(hand.unread for of in (hands, scores[baseline]) for hand in of):
                both = zip(*_read_by_both(hands, scores[baseline]), strict=True)
                mine, theirs = (HandSample(of, resamples, seed, logs) for of in both)
                pair = mine, theirs
            places_of |= differences(*pair)
        seconds = [hand.seconds for hand in hands if hand.seconds]
        # During the first hand kernels and tables are loaded.
        times = MILLISECONDS * np.array(seconds[1:] or seconds)
        places_of["milliseconds", ""] = Moments.of(times.reshape(-1, 1)).mean(np.ones(1))
        places_of["unread", ""] = _count(sum(hand.unread for hand in hands))
        figures |= {
            Key(figure, stage, label, name): estimate
            for (figure, stage), estimate in places_of.items()
        }
    return figures


def _read_by_both(
    hands: Sequence[HandScores], others: Sequence[HandScores]
) -> Iterator[tuple[HandScores, HandScores]]:
    for pair in zip(hands, others, strict=True):
        yield (UNREAD, UNREAD) if any(hand.unread for hand in pair) else pair


Places = dict[tuple[str, str], Estimate]
"""Figures by name and stage."""


def reader_figures(sample: HandSample) -> Places:
    """Return the figures of a reader by betting stage, and of all stages together."""
    figures: Places = {}
    for stage, stages in _spans(sample):
        seats = seat_figures(sample, stages, EVERYBODY)
        figures[BITS, stage] = seats[BITS]
        if seats[BITS].n:
            figures["true_state_ratio_floored", stage] = seats["true_state_ratio_floored"]
            figures["reciprocal_rank", stage] = seats["reciprocal_rank_bet_inference"]
            figures["reciprocal_rank_floor", stage] = seats["reciprocal_rank_cards_only"]
            figures[HIT, stage] = seats[f"{HIT}_bet_inference"]
            figures["brier_ace", stage] = seats["brier_ace_bet_inference"]
        for kind, figure in zip(EVENTS, CALIBRATION, strict=True):
            errors = sample.calibration_errors(kind, stages)
            if errors:
                figures[figure, stage] = errors[OBSERVERS[1]]
        figures[SURPRISE, stage] = sample.mean(*((each, "surprise") for each in stages))
    return figures


def differences(sample: HandSample, base: HandSample) -> Places:
    """Return the differences between two readers of the same hands."""
    figures: Places = {}
    for stage, stages in _spans(sample):
        names: dict[str, list[Name]] = {
            figure: [(each, member, *what) for each in stages for member in EVERYBODY]
            for figure, what in PAIRED.items()
        }
        names[SURPRISE] = [(each, "surprise") for each in stages]
        for figure, of in names.items():
            figures[figure + ABOVE, stage] = sample.above(base, *of)
    return figures


def _spans(sample: HandSample) -> list[tuple[str, tuple[str, ...]]]:
    """Return the stages of figures: all betting stages together, then each."""
    stages = tuple(stage for stage in stages_with(sample.stages) if stage in AFTER_BETS)
    return [("", stages), *((stage, (stage,)) for stage in stages)]


def _count(n: int) -> Estimate:
    return Estimate(float("nan"), n=n, hands=n)
