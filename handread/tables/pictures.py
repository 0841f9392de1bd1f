"""Compute the figures for the pictures of a set of tables: entropies, calibration, surprise."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from handread.game.rules import AFTER_BETS
from handread.study.calibration import Calibration
from handread.study.information_gain import EntropyPaths, entropy_paths
from handread.study.statistics import BINS, Estimate, FigureTable, Key, bin_figures
from handread.tables import ACTIONS, HANDS, STAGE_TABLE
from handread.tables.columns import SCHEMAS
from handread.tables.estimates import HAND, Means, batches, reading_errors
from handread.tables.figures import ACTION_WORDS
from handread.tables.read import Tables
from handread.tables.summary import DEALT, policies_of

MOST_PATHS = 80
"""The number of hands that Figure 7 shows."""


@dataclass(frozen=True, slots=True)
class SetEntropies:
    """Figure 7 over hands of a set, and the file and line of the highlighted hand."""

    paths: EntropyPaths
    file: str
    line: int


def entropies(tables: Tables) -> SetEntropies | None:
    """Return the first hands, by file and line, with all downcards known; None without any.

    The highlighted hand reaches the latest stage, and of those it has the most players.
    """
    with reading_errors(tables):
        rows = _first_known(tables)
    paths: dict[int, dict[str, float]] = {}
    players: dict[int, int] = {}
    where: dict[int, tuple[str, int]] = {}
    for number, file, line, stage, entropy, active in rows.iter_rows():  # of eighty hands
        paths.setdefault(number, {})[stage] = entropy
        players[number] = players.get(number, 0) + active
        where[number] = file, line
    if not paths:
        return None
    picked = max(paths, key=lambda number: (len(paths[number]), players[number], -number))
    return SetEntropies(entropy_paths(paths, picked), *where[picked])


def _first_known(tables: Tables) -> pl.DataFrame:
    """Return number, file, line, stage, entropy and players of the first hands fully known."""
    known = (pl.col("omniscience") == "full") & (pl.col("n_active") >= 2)
    first = pl.DataFrame(schema={name: SCHEMAS[STAGE_TABLE][name] for name in HAND})
    for batch in batches(tables):
        dealt = batch.whole(STAGE_TABLE).filter(DEALT, known)
        first_hands = dealt.select(HAND).unique().bottom_k(MOST_PATHS, by=HAND)
        both = pl.concat([first, first_hands.collect(engine="streaming")])
        first = both.sort(HAND).head(MOST_PATHS)
    numbered = first.with_row_index("number", offset=1).lazy()
    return (
        tables.whole(STAGE_TABLE)
        .filter(known)
        .select(*HAND, "stage", "outcome_entropy_bits", "n_active")
        .join(numbered, on=HAND)
        .unique(["number", "stage"])
        .select(
            "number", *HAND, pl.col("stage").cast(pl.String), "outcome_entropy_bits", "n_active"
        )
        .sort("number", "stage")
        .collect(engine="streaming")
    )


ALL_HANDS = "share of the pot, in all hands"
SHOWN_DOWN = "share of those who showed down"


def calibration(tables: Tables) -> Calibration:
    """Return the calibration of chances to win, in hands that are recorded to the end.

    The chance of a read is the chance to have the best hand. In all hands it is compared with the
    share of the pot that an active player finally got, which also depends on who folded; in hands
    with a showdown, the chances of the players in it, scaled to sum to 1, are compared with their
    shares. Errors are of the difference, clustered by hand.
    """
    kinds = {ALL_HANDS: _all_chances, SHOWN_DOWN: _chances_shown_down}
    sums: dict[str, list[pl.DataFrame]] = {kind: [] for kind in kinds}
    with reading_errors(tables):
        for batch in batches(tables):
            for kind, chances in kinds.items():
                binned = _binned(chances(batch)).collect(engine="streaming")
                sums[kind] = [pl.concat([*sums[kind], binned]).group_by("bin").agg(pl.all().sum())]
        n = tables.scan(HANDS).select(pl.col("finished").sum()).collect().item()
        policies = policies_of(tables)
    figures: dict[Key, Estimate] = {}
    order = ("bin", "events", "chance", "outcome", "squares", "hands")
    for kind, (frame,) in sums.items():
        figures |= bin_figures(kind, frame.select(order).sort("bin").iter_rows())
    return Calibration(figures, int(n or 0), policies)


def _all_chances(tables: Tables) -> pl.LazyFrame:
    """Return a row per chance: the hand, the chance, and the outcome."""
    return (
        tables.whole(STAGE_TABLE)
        .filter("active", pl.col("n_active") >= 2, pl.col("won_share").is_not_null())
        .select(*HAND, "stage", "seat", chance="p_win", outcome="won_share")
    )


def _chances_shown_down(tables: Tables) -> pl.LazyFrame:
    """Return the chances among seats in the showdown: those active after the last betting."""
    chances = _all_chances(tables)
    last = tables.scan(HANDS).filter(pl.col("showdown") > 0).select(*HAND, "last_street")
    in_the_end = (
        tables.whole(STAGE_TABLE)
        .filter("active", pl.col("stage").cast(pl.String).is_in(AFTER_BETS))
        .join(last, on=HAND)
        .filter(pl.col("street") == pl.col("last_street"))
        .select(*HAND, "seat")
    )
    stage = [*HAND, "stage"]
    return (
        chances.join(in_the_end, on=[*HAND, "seat"])
        .with_columns(chance=pl.col("chance").cast(pl.Float64))
        .with_columns(total=pl.col("chance").sum().over(stage))
        .with_columns(
            chance=pl.when(pl.col("total") > 0)
            .then(pl.col("chance") / pl.col("total"))
            .otherwise(0.0)
        )
    )


def _binned(chances: pl.LazyFrame) -> pl.LazyFrame:
    """Return, by bin, the sums over hands that ``bin_figures`` takes."""
    chance, outcome = (pl.col(name).cast(pl.Float64) for name in ("chance", "outcome"))
    place = (chance * BINS).floor().clip(0, BINS - 1).cast(pl.Int8)
    hands = chances.group_by(*HAND, place.alias("bin")).agg(
        events=pl.len().cast(pl.Int64), chance=chance.sum(), outcome=outcome.sum()
    )
    excess = pl.col("outcome") - pl.col("chance")
    return hands.group_by("bin").agg(
        pl.col("events", "chance", "outcome").sum(),
        squares=(excess * excess).sum(),
        hands=pl.len().cast(pl.Int64),
    )


BIN_BITS = 0.25
BIN_END = 6.0
N_BINS = round(BIN_END / BIN_BITS)


@dataclass(frozen=True)
class Surprise(FigureTable):
    """The surprise of the actions of a set by kind; kinds without actions are omitted.

    Attributes:
        hands: The number of hands.
        policy: The policies that they were read with.
        edges: The edges (bins + 1,) of the bins in bits; larger values are in the last bin.
        counts: The number of actions by kind and bin. Infinite ones, which no holding of the
            policy takes, are in no bin.
    """

    hands: int
    policy: str
    edges: tuple[float, ...]
    counts: Mapping[str, tuple[int, ...]]


def surprise(tables: Tables) -> Surprise:
    """Return the surprise of the actions, by kind."""
    means = Means("action", ["surprise_bits"])
    bits = pl.col("surprise_bits")
    place = (bits / BIN_BITS).floor().clip(0, N_BINS).cast(pl.Int32)
    counts: dict[str, list[int]] = {kind: [0] * (N_BINS + 1) for kind in ACTION_WORDS}
    with reading_errors(tables):
        for batch in batches(tables):
            rows = batch.whole(ACTIONS).select(*HAND, "action", "surprise_bits")
            means.add(rows)
            finite = rows.filter(bits.is_finite())
            binned = finite.group_by("action", place.alias("bin")).agg(n=pl.len())
            for kind, at, n in binned.collect(engine="streaming").iter_rows():  # of few bins
                counts[kind][at] += n
        by_kind = means.means()
        hands, policy = tables.count(HANDS), policies_of(tables)
    kinds = [kind for kind in ACTION_WORDS if kind in by_kind]
    figures = {Key("surprise_bits", group=k): by_kind[k]["surprise_bits"] for k in kinds}
    edges = tuple(BIN_BITS * place for place in range(N_BINS + 2))
    binned_counts = {key.group: tuple(counts[key.group]) for key in figures}
    return Surprise(figures, hands, policy, edges, binned_counts)
