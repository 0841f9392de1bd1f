"""Summarize tables: totals, scores of the reads, and every player.

The tables are read a part at a time, and only sums are kept.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from handread.game.rules import VARIANTS
from handread.study.evaluation import KnownDowncards
from handread.study.information_gain import InformationGain, gain_table
from handread.study.scores import WAYS
from handread.study.session_values import SessionTable
from handread.study.statistics import NOTHING, Estimate, FigureTable, Key, Moments, stages_with
from handread.study.sums import Sums
from handread.tables import ACTIONS, DECISIONS, HANDS, PLAYERS, REJECTS, STAGE_TABLE
from handread.tables.estimates import HAND, Means, added_up, batches, grains, reading_errors, total
from handread.tables.figures import ACTION_WORDS
from handread.tables.read import Tables
from handread.tables.rows import NOT_UNDERSTOOD, REFUSED
from handread.tables.session import SessionSums, named, with_names

SEAT = (*HAND, "seat")

SURPRISE = "surprise_bits_an_action"

SEAT_FIGURES = TOLD, TOLD_TRUTH, LAST_READ, NET = (
    "told_bits_a_hand",
    "told_truth_bits_a_hand",
    "last_read_truth_bits",
    "net_big_bets_a_hand",
)
"""The figures of a player per hand dealt in.

They are the information in the player's actions, in bits; their gain in the bits of the read on the
true downcards, where known; the score of the last read in the hand; and the net result in big bets,
in finished hands of cash games.
"""

SHARES: Mapping[str, str] = {kind: f"{kind}_share" for kind in ACTION_WORDS}
"""The shares of each kind of action among a player's actions."""

PLAYER_FIGURES = (*SHARES.values(), SURPRISE, *SEAT_FIGURES)

DEALT = pl.col("stage") == pl.col("variant").replace_strict(
    {key: game.stages[0] for key, game in VARIANTS.items()}, default=VARIANTS["other"].stages[0]
)
"""True for the stage of a hand at which each seat dealt in has a row."""

SORTS: Mapping[str, tuple[str, str]] = {
    "hands": ("", "hands"),
    "told": (TOLD, "bits told a hand"),
    "true": (TOLD_TRUTH, "bits told on the true downcards"),
    "surprise": (SURPRISE, "surprise"),
    "read": (LAST_READ, "bits on the truth at the last read"),
    "net": (NET, "big bets won a hand"),
}
"""Sort orders of players, largest first: by a figure, empty for the number of hands; in words."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The players to report: the named ones, else the ``top`` ones by some figure.

    ``sort`` is one of ``SORTS``. Players who are not named need at least ``least_hands`` hands.
    """

    names: tuple[str, ...] = ()
    top: int = 20
    least_hands: int = 1
    sort: str = "hands"


@dataclass(frozen=True, slots=True)
class Players:
    """The names of the ``wanted`` players, how they were ``asked`` for, and the number of ``all``.

    The hero of a log without names is called "you"; None stands for all other nameless players
    together. ``missing`` are wanted names that nobody has. ``few`` is the number of players
    omitted because they have too few hands.
    """

    wanted: tuple[str | None, ...]
    asked: Wanted
    all: int
    missing: tuple[str, ...]
    few: int


def _players(tables: Tables, wanted: Wanted) -> Players:
    """Choose the players; of each other player only a number is kept."""
    figure, counts, keys = SORTS[wanted.sort][0], list[pl.DataFrame](), ["n", "name"]
    sorted_by = Means("name", (figure,) if figure else ())
    for batch in batches(tables):
        dealt = with_names(batch, batch.whole(STAGE_TABLE).filter(DEALT))
        players = dealt.group_by("name").agg(n=pl.len().cast(pl.Int64))
        counts.append(players.collect(engine="streaming"))
        if figure:
            sorted_by.add(_actions(batch) if figure == SURPRISE else _seats(batch))
    dealt_in = added_up(counts, "name")
    enough = pl.col("n") >= wanted.least_hands
    chosen = dealt_in.filter(pl.col("name").is_in(wanted.names) if wanted.names else enough)
    if figure:
        means = sorted_by.groups().select("name", "mean")
        chosen, keys = chosen.join(means, on="name", nulls_equal=True, how="left"), ["mean", *keys]
    ranked = chosen.sort(keys, descending=[key != "name" for key in keys], nulls_last=True)
    there = set(dealt_in["name"])
    return Players(
        wanted=tuple(ranked["name"])[: None if wanted.names else wanted.top],
        asked=wanted,
        all=dealt_in.height,
        missing=tuple(name for name in wanted.names if name not in there),
        few=0 if wanted.names else dealt_in.height - chosen.height,
    )


class PlayerSums:
    """The sums behind the figures of everybody and of some players."""

    def __init__(self, names: Sequence[str | None]) -> None:
        shares = tuple(SHARES.values())
        self._names = names
        figures = (SURPRISE, *shares)
        self._by_name = Means("name", SEAT_FIGURES), Means("name", figures, shares)
        self._of_all = Means("all", SEAT_FIGURES), Means("all", figures, shares)

    def add(self, tables: Tables) -> None:
        """Count hands not counted before."""
        for place, rows in enumerate((_seats(tables), _actions(tables))):
            values = rows.with_columns(all=pl.lit(True)).collect(engine="streaming").lazy()
            self._by_name[place].add(values.filter(named(self._names)))
            self._of_all[place].add(values)

    def figures(self) -> dict[Key, Estimate]:
        """Return the figures of everybody and of each of the players."""
        figures: dict[Key, Estimate] = {}
        everybody, players = ((True, ""),), ((name, name or "") for name in self._names)
        for about, of, groups in (
            ("everybody", self._of_all, everybody),
            ("player", self._by_name, players),
        ):
            seats, actions = (means.means() for means in of)
            for group, name in groups:
                of_group = {**seats.get(group, {}), **actions.get(group, {})}
                for figure in PLAYER_FIGURES:
                    figures[Key(figure, "", name, about)] = of_group.get(figure, NOTHING)
        return figures


def _seats(tables: Tables) -> pl.LazyFrame:
    """Return a row per seat dealt in, with ``SEAT_FIGURES``."""
    stages = tables.whole(STAGE_TABLE)
    net = tables.scan(PLAYERS).select(*SEAT, pl.col("net_bets").cast(pl.Float64).alias(NET))
    told = tables.whole(ACTIONS).group_by(SEAT).agg(total(pl.col("information_bits", "truth_bits")))
    read = (
        stages.filter(pl.col("truth_bits").is_not_null())
        .group_by(SEAT)
        .agg(pl.col("truth_bits").sort_by(pl.col("stage").to_physical()).last().alias(LAST_READ))
    )
    dealt = stages.filter(DEALT).select(*SEAT, "name", "known")
    return (
        with_names(tables, dealt)
        .join(net, on=SEAT, how="left")
        .join(told, on=SEAT, how="left")
        .join(read, on=SEAT, how="left")
        .select(
            *HAND,
            "name",
            LAST_READ,
            pl.col("information_bits").fill_null(0.0).alias(TOLD),
            pl.when(pl.col("known").is_not_null())
            .then(pl.col("truth_bits").fill_null(0.0))
            .alias(TOLD_TRUTH),
            NET,
        )
    )


def _actions(tables: Tables) -> pl.LazyFrame:
    kinds = {share: (pl.col("action") == kind).cast(pl.Float64) for kind, share in SHARES.items()}
    surprise = pl.col("surprise_bits").alias(SURPRISE)
    return with_names(tables, tables.whole(ACTIONS)).select(*HAND, "name", surprise, **kinds)


_GAIN_COLUMNS = ("log2_n", "outcome_entropy_bits", "kl_cards_only_bits", "kl_bits")
"""In the order of the weights of ``replication``."""

_GAIN_GRAIN = 2.0**-48
"""The unit of these figures, so that sums of their products stay below 128 bits."""

_PAIRS = tuple(product(_GAIN_COLUMNS, repeat=2))


def _gain_sums(tables: Tables) -> pl.DataFrame:
    """Return, by stage, the sums over hands with all downcards known."""
    finite = pl.all_horizontal(pl.col(_GAIN_COLUMNS).is_finite()).fill_null(False)
    numbers = {name: grains(pl.col(name).filter(finite), _GAIN_GRAIN) for name in _GAIN_COLUMNS}
    return (
        tables.whole(STAGE_TABLE)
        .filter(pl.col("omniscience") == "full", pl.col("n_active") >= 2)
        .with_columns(log2_n=pl.col("n_active").cast(pl.Float64).log(2.0))
        .group_by(*HAND, "stage")
        .agg(pl.col(figure).first().cast(pl.Float64) for figure in _GAIN_COLUMNS)
        .group_by(pl.col("stage").cast(pl.String))
        .agg(
            *(number.sum() for number in numbers.values()),
            *((numbers[a] * numbers[b]).sum().alias(f"{a} {b}") for a, b in _PAIRS),
            n=finite.sum().cast(pl.Int64),
            ruled_out=(~finite).sum().cast(pl.Int64),
        )
        .collect(engine="streaming")
    )


def _gain(parts: Sequence[pl.DataFrame]) -> Sums:
    """Return the moments behind Figure 6 from the sums of all parts."""
    sums = Sums()
    for stage, *numbers, n, ruled_out in added_up(parts, "stage").iter_rows():
        totals, products = np.split(np.array(numbers, object), [len(_GAIN_COLUMNS)])
        apart = n * products.reshape(len(totals), -1) - np.outer(totals, totals)
        units = max(n, 1) / _GAIN_GRAIN
        means, scatter = (each.astype(float) / units for each in (totals, apart))
        sums.merge(stage, Moments(n, means, scatter * _GAIN_GRAIN), ruled_out)
    return sums


MOST_REASONS = 5
"""Maximum number of reasons listed for refusing hands."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some hands were refused, with one example; the other messages differ only in numbers."""

    example: str
    hands: int


@dataclass(frozen=True, slots=True)
class Totals:
    """The counts of a set of tables.

    ``policies`` are the policies of the reads with their numbers of hands, largest first.
    ``dealt_in`` counts seats, ``known`` seats with known downcards. In ``fully_known`` hands all
    downcards dealt first are known, in ``partly_known`` hands some of them. ``left_out`` counts
    the hands that are not in the tables, by reason.
    """

    hands: int
    finished: int
    showdowns: int
    dealt_in: int
    known: KnownDowncards
    fully_known: int
    partly_known: int
    ties: str
    policies: tuple[tuple[str, int], ...]
    left_out: Mapping[str, int]
    reasons: tuple[Reason, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The counts by name."""
        return {
            "hands": self.hands,
            "finished": self.finished,
            "showdowns": self.showdowns,
            "refused": self.left_out["refused"],
            "dealt_in": self.dealt_in,
            "downcards_known": self.known.total,
            "hands_fully_known": self.fully_known,
            "hands_partly_known": self.partly_known,
        }


READ_FIGURES = BITS, SHARE, BITS_WITH_FOLDED, SHARE_WITH_FOLDED = (
    "bits_on_truth",
    "rank_share_of_truth",
    "bits_on_truth_with_folded",
    "rank_share_of_truth_with_folded",
)
"""The figures of the reads of a stage against known downcards.

There are two groups, as in ``study.evaluation``: the active players if there are at least two; and
these and all who folded on the street, with the last read before the fold.
"""


@dataclass(frozen=True)
class Summary(FigureTable):
    """The figures of a set of tables.

    The groups are the "set" (counts), the "gain" (Figure 6), the "reads" by stage, "everybody" as
    one player, and each "player".

    Attributes:
        values: Costs of the players' decisions, and results without luck; None if the tables hold
            no values of decisions.
        valued_by: How decisions were valued, in words; empty if they were not.
    """

    totals: Totals
    players: Players
    values: SessionTable | None = None
    valued_by: str = ""

    @property
    def gain(self) -> InformationGain:
        """Figure 6 over the hands with all downcards known."""
        gain = ((key, mean) for key, mean in self.figures.items() if key.about == "gain")
        figures = {key._replace(about=""): mean for key, mean in gain}
        return InformationGain(figures, self.totals.fully_known, _in_words(self.totals.policies))


def summary(tables: Tables, wanted: Wanted = Wanted()) -> Summary:
    """Summarize tables and wanted players; raise ``RunError`` if they cannot be read."""
    gain, reads, known = list[pl.DataFrame](), Means("stage", READ_FIGURES), Counter[str]()
    with reading_errors(tables):
        chosen = _players(tables, wanted)
        players = PlayerSums(chosen.wanted)
        values = SessionSums(chosen.wanted) if DECISIONS in tables.names else None
        for batch in batches(tables):
            gain.append(_gain_sums(batch))
            players.add(batch)
            reads.add(_reads(batch))
            _count_known(batch, known)
            if values is not None:
                values.add(batch)
        totals = _totals(tables, known)
        of_players = players.figures()
        of_stages = reads.means()
    figures = {
        Key(name, about="set"): Estimate(math.nan, n=n, hands=totals.hands)
        for name, n in totals.counts.items()
    }
    for key, estimate in gain_table(_gain(gain), "").figures.items():
        figures[key._replace(about="gain")] = estimate
    for stage in stages_with(of_stages):
        of_stage = of_stages.get(stage, {})
        for name in READ_FIGURES:
            figures[Key(name, stage, about="reads")] = of_stage.get(name, NOTHING)
    if values is None:
        return Summary(figures | of_players, totals, chosen)
    dealt = {n or "": of_players[Key(TOLD, "", n or "", "player")].n for n in chosen.wanted}
    session = values.table(dealt)
    valued_by = str(tables.terms[DECISIONS]).partition(";")[0]
    return Summary({**figures, **of_players, **session.figures}, totals, chosen, session, valued_by)


def _reads(tables: Tables) -> pl.LazyFrame:
    """Return ``READ_FIGURES`` of each read of known downcards."""
    still_in = pl.col("active") & (pl.col("n_active") >= 2)
    bits, share = pl.col("truth_bits"), (pl.col("truth_rank") - 0.5) / pl.col("possible")
    return (
        tables.whole(STAGE_TABLE)
        .filter(pl.col("truth_bits").is_not_null(), still_in | ~pl.col("active"))
        .select(
            *HAND,
            "stage",
            pl.when(still_in).then(bits).alias(BITS),
            pl.when(still_in).then(share).alias(SHARE),
            bits.alias(BITS_WITH_FOLDED),
            share.alias(SHARE_WITH_FOLDED),
        )
    )


def _count_known(tables: Tables, known: Counter[str]) -> None:
    dealt = tables.whole(STAGE_TABLE).filter(DEALT)
    ways = dealt.group_by(word=pl.col("known").cast(pl.String)).agg(n=pl.len())
    hands = dealt.group_by(HAND).agg(word=pl.col("omniscience").first().cast(pl.String))
    counts = pl.concat([ways, hands.group_by("word").agg(n=pl.len())])
    known.update(dict(counts.collect(engine="streaming").iter_rows()))


def _totals(tables: Tables, known: Counter[str]) -> Totals:
    hands = tables.scan(HANDS)
    counts = hands.select(
        hands=pl.len(),
        finished=pl.col("finished").sum(),
        showdowns=(pl.col("showdown") > 0).sum(),
        dealt_in=pl.col("seats").cast(pl.Int64).sum(),
    )
    rejects = tables.scan(REJECTS).filter(pl.col("kind").is_in([REFUSED, NOT_UNDERSTOOD]))
    alike = pl.col("reason").str.replace_all(r"[0-9]+", "#")
    reasons = (
        rejects.group_by(alike=alike)
        .agg(pl.col("reason").min(), n=pl.len())
        .sort("n", "alike", descending=[True, False])
        .head(MOST_REASONS)
        .select("reason", "n")
    )
    figures: dict[str, Any] = counts.collect(engine="streaming").row(0, named=True)
    return Totals(
        **figures,
        known=KnownDowncards(*(known[way] for way in WAYS)),
        fully_known=known["full"],
        partly_known=known["partial"],
        ties=str(tables.terms.get("ties", "")),
        policies=_policies(tables),
        left_out=tables.left_out(),
        reasons=tuple(Reason(*row) for row in reasons.collect(engine="streaming").iter_rows()),
    )


def policies_of(tables: Tables) -> str:
    """Return the policies of the reads, in words."""
    return _in_words(_policies(tables))


def _in_words(policies: tuple[tuple[str, int], ...]) -> str:
    return policies[0][0] if len(policies) == 1 else f"{len(policies)} policies"


def _policies(tables: Tables) -> tuple[tuple[str, int], ...]:
    counts = tables.scan(HANDS).group_by("policy").agg(n=pl.len())
    ordered = counts.sort("n", "policy", descending=[True, False])
    return tuple(ordered.collect(engine="streaming").iter_rows())
