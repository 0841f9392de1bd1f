"""Summaries of a set of hands: totals, scores of the reads, and every player.

The tables are read once, a batch of hands at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from handread.game.rules import STAGES
from handread.study.evaluation import KnownDowncards
from handread.study.replication import InformationGain, stage_gain
from handread.study.scores import WAYS
from handread.study.statistics import NOTHING, Estimate, Figure, FigureTable, Moments
from handread.tables import ACTIONS, HANDS, REJECTS, STAGE_TABLE
from handread.tables.columns import ACTION_WORDS
from handread.tables.estimates import HAND, Means, batches, reading_errors
from handread.tables.read import Tables

SEAT = (*HAND, "seat")

SEAT_FIGURES = ("told_bits", "told_truth_bits", "read_bits", "net_big_bets")
ACTION_FIGURES = ("surprise_bits", *ACTION_WORDS)

DEALT = STAGES[0]
"""The stage at which every seat that was dealt in has a row."""


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """The actions of a player and the information in them.

    ``name`` is None for all together who have no name. ``kinds`` are the shares of its actions by
    kind, ``surprise`` is by action. The others are by hand that it was dealt in: ``told`` the bits
    that its actions told about its downcards; ``told_truth`` how far they moved the read of the
    true ones, where these are known; ``read`` how its last read in the hand scored on them, as
    ``StageReads``; ``net`` what it won less what it put in, in big bets, in finished hands.
    """

    name: str | None
    kinds: Mapping[str, Estimate]
    surprise: Estimate
    told: Estimate
    told_truth: Estimate
    read: Estimate
    net: Estimate

    @property
    def hands(self) -> int:
        """The number of hands that it was dealt in."""
        return self.told.n

    @property
    def actions(self) -> int:
        """The number of its actions."""
        return self.surprise.n

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return {
            **{f"{kind}_share": share for kind, share in self.kinds.items()},
            "surprise_bits_an_action": self.surprise,
            "told_bits_a_hand": self.told,
            "told_truth_bits_a_hand": self.told_truth,
            "last_read_truth_bits": self.read,
            "net_big_bets_a_hand": self.net,
        }

    @property
    def counts(self) -> dict[str, int]:
        """The number of its actions by kind."""
        return {
            kind: round(share.n * share.mean) if share.n else 0
            for kind, share in self.kinds.items()
        }


SORTS: Mapping[str, str | None] = {
    "hands": None,
    "told": "told_bits",
    "true": "told_truth_bits",
    "surprise": "surprise_bits",
    "read": "read_bits",
    "net": "net_big_bets",
}
"""The orders of players, those with the most first: by a figure, or None for hands."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The players to report: those of these names, else the ``top`` by some figure.

    ``sort`` is one of ``SORTS``. Who is not named needs ``least_hands``.
    """

    names: tuple[str, ...] = ()
    top: int = 20
    least_hands: int = 1
    sort: str = "hands"


@dataclass(frozen=True, slots=True)
class Players:
    """``everybody`` as one player, and the ``wanted``, of ``all`` players that there are.

    ``missing`` are names that were asked for and that nobody has. ``few`` players were left out as
    they have fewer than ``least_hands``.
    """

    everybody: PlayerSummary
    wanted: tuple[PlayerSummary, ...]
    all: int
    missing: tuple[str, ...]
    sort: str = "hands"
    few: int = 0
    least_hands: int = 1


class PlayerSums:
    """The sums behind the figures of players."""

    def __init__(self) -> None:
        self._by_name = Means("name", SEAT_FIGURES), Means("name", ACTION_FIGURES, ACTION_WORDS)
        self._of_all = Means("all", SEAT_FIGURES), Means("all", ACTION_FIGURES, ACTION_WORDS)

    def add(self, tables: Tables) -> None:
        """Count hands none of which was counted before."""
        for place, rows in enumerate((_seats(tables), _actions(tables))):
            values = rows.with_columns(all=pl.lit(True)).collect(engine="streaming").lazy()
            self._by_name[place].add(values)
            self._of_all[place].add(values)

    def players(self, wanted: Wanted) -> Players:
        """Return the figures of everybody and of the wanted players."""
        seats, actions = (means.groups() for means in self._by_name)
        dealt_in = seats.filter(pl.col("figure") == SEAT_FIGURES[0])
        chosen = dealt_in.filter(pl.col("n") >= wanted.least_hands)
        top = wanted.top
        if wanted.names:
            chosen = dealt_in.filter(pl.col("name").is_in(wanted.names))
            top = chosen.height
        figure = SORTS[wanted.sort]
        if figure is not None:
            of = pl.concat([seats, actions]).filter(pl.col("figure") == figure)
            by = of.select("name", pl.col("mean").alias("sorted by"))
            chosen = chosen.join(by, on="name", nulls_equal=True, how="left")
        else:
            chosen = chosen.with_columns(pl.col("n").alias("sorted by"))
        order = ["sorted by", "n", "name"]
        ranked = chosen.sort(order, descending=[True, True, False], nulls_last=True)
        names = ranked.head(top).select("name")
        of_seats, of_actions = (
            means.means(groups.join(names, on="name", nulls_equal=True, how="semi"))
            for means, groups in zip(self._by_name, (seats, actions), strict=True)
        )
        there = set(dealt_in["name"])
        return Players(
            everybody=_player(None, *(means.means().get(True) for means in self._of_all)),
            wanted=tuple(
                _player(name, of_seats[name], of_actions.get(name)) for name in names["name"]
            ),
            all=dealt_in.height,
            missing=tuple(name for name in wanted.names if name not in there),
            sort=wanted.sort,
            few=0 if wanted.names else int((dealt_in["n"] < wanted.least_hands).sum()),
            least_hands=wanted.least_hands,
        )


def _player(
    name: str | None, seat: Mapping[str, Estimate] | None, action: Mapping[str, Estimate] | None
) -> PlayerSummary:
    """A player from the means of its seats and of its actions; None where there are no rows."""
    seat = seat or dict.fromkeys(SEAT_FIGURES, NOTHING)
    action = action or dict.fromkeys(ACTION_FIGURES, NOTHING)
    return PlayerSummary(
        name=name,
        kinds={kind: action[kind] for kind in ACTION_WORDS},
        surprise=action["surprise_bits"],
        told=seat["told_bits"],
        told_truth=seat["told_truth_bits"],
        read=seat["read_bits"],
        net=seat["net_big_bets"],
    )


def _seats(tables: Tables) -> pl.LazyFrame:
    """A row a seat that was dealt in, with ``SEAT_FIGURES``."""
    stages = tables.scan(STAGE_TABLE)
    net = pl.col("net_minor") / pl.col("big_bet_minor")
    told = (
        tables.scan(ACTIONS)
        .group_by(SEAT)
        .agg(pl.col("information_bits", "truth_bits").cast(pl.Float64).sum())
    )
    read = (
        stages.filter(pl.col("truth_bits").is_not_null())
        .group_by(SEAT)
        .agg(read_bits=pl.col("truth_bits").sort_by(pl.col("stage").to_physical()).last())
    )
    hands = tables.scan(HANDS).select(*HAND, "big_bet_minor")
    return (
        stages.filter(pl.col("stage") == DEALT)
        .select(*SEAT, "name", "known", "net_minor")
        .join(told, on=SEAT, how="left")
        .join(read, on=SEAT, how="left")
        .join(hands, on=HAND, how="left")
        .select(
            *HAND,
            "name",
            "read_bits",
            told_bits=pl.col("information_bits").fill_null(0.0),
            told_truth_bits=pl.when(pl.col("known").is_not_null()).then(
                pl.col("truth_bits").fill_null(0.0)
            ),
            net_big_bets=pl.when(pl.col("big_bet_minor") > 0).then(net),
        )
    )


def _actions(tables: Tables) -> pl.LazyFrame:
    """A row an action, with ``ACTION_FIGURES``."""
    kinds = {kind: (pl.col("action") == kind).cast(pl.Float64) for kind in ACTION_WORDS}
    return tables.scan(ACTIONS).select(*HAND, "name", "surprise_bits", **kinds)


_FIGURES = ("log2_n", "outcome_entropy_bits", "kl_cards_only_bits", "kl_bits")
"""In the order of the weights of ``experiments.gain``."""


class GainSums:
    """The sums behind the table: hands with all downcards known, two or more active."""

    def __init__(self) -> None:
        self._stages = {stage: Moments(len(_FIGURES)) for stage in STAGES}
        self._ruled_out = dict.fromkeys(STAGES, 0)

    def add(self, tables: Tables) -> None:
        """Count hands none of which was counted before."""
        rows = (
            tables.scan(STAGE_TABLE)
            .filter(pl.col("omniscience") == "full", pl.col("n_active") >= 2)
            .with_columns(log2_n=pl.col("n_active").cast(pl.Float64).log(2.0))
            .group_by(*HAND, "stage")
            .agg(pl.col(figure).first().cast(pl.Float64) for figure in _FIGURES)
            .sort(HAND)
            .collect(engine="streaming")
        )
        for (stage,), found in rows.group_by("stage"):
            values = found.select(_FIGURES).to_numpy()
            finite = values[np.isfinite(values).all(axis=1)]
            self._stages[str(stage)].merge(Moments.of(finite))
            self._ruled_out[str(stage)] += len(values) - len(finite)

    def table(self, hands: int, policy: str) -> InformationGain:
        """The averages; ``hands`` is how many have all downcards known."""
        found = self._stages.items()
        stages = (stage_gain(stage, sums, self._ruled_out[stage]) for stage, sums in found)
        return InformationGain(hands, policy, tuple(stages))


FOREMOST = Wanted()
"""The players with the most hands."""

MOST_REASONS = 5
"""The number of reasons for refusing hands that are reported, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some hands were refused: one such reason in words; the others differ in figures only."""

    example: str
    hands: int


@dataclass(frozen=True, slots=True)
class Totals:
    """The counts of a set of tables.

    ``policies`` are those that hands were read with, and how many, most first. ``dealt_in`` counts
    seats, ``known`` those of them whose downcards are known. In ``fully_known`` hands all downcards
    dealt at first are known, in ``partly_known`` ones some are.
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
    refused: int
    reasons: tuple[Reason, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The counts by name."""
        return {
            "hands": self.hands,
            "finished": self.finished,
            "showdowns": self.showdowns,
            "refused": self.refused,
            "dealt_in": self.dealt_in,
            "downcards_known": self.known.total,
            "hands_fully_known": self.fully_known,
            "hands_partly_known": self.partly_known,
        }


@dataclass(frozen=True, slots=True)
class StageReads:
    """The reads of a stage against the true downcards, where these are known.

    ``active`` are of players still in where two or more are; ``everybody`` has besides those who
    folded on the street, at the read that they folded on. The ``bits`` are log2 of what the read
    gives the truth against a blind guess, ``share`` is the part of the possible holdings that
    stood before it (.5 is a blind guess). They are those of ``handread.study``.
    """

    stage: str
    active_bits: Estimate
    active_share: Estimate
    everybody_bits: Estimate
    everybody_share: Estimate

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return {
            "bits_on_truth": self.active_bits,
            "rank_share_of_truth": self.active_share,
            "bits_on_truth_with_folded": self.everybody_bits,
            "rank_share_of_truth_with_folded": self.everybody_share,
        }


READ_FIGURES = ("active_bits", "active_share", "everybody_bits", "everybody_share")


@dataclass(frozen=True, slots=True)
class Summary(FigureTable):
    """A set of tables in figures. ``gain`` is Figure 6 over the hands that are fully known."""

    totals: Totals
    gain: InformationGain
    reads: tuple[StageReads, ...]
    players: Players

    def figures(self) -> Iterator[Figure]:
        """Yield the counts, Figure 6, reads by stage, and figures of everybody and each player."""
        hands = self.totals.hands
        for name, n in self.totals.counts.items():
            yield Figure(name, Estimate(math.nan, n=n, hands=hands), about="set")
        for figure in self.gain.figures():
            yield figure._replace(about="gain")
        for reads in self.reads:
            for name, estimate in reads.figures().items():
                yield Figure(name, estimate, stage=reads.stage, about="reads")
        players = (
            ("everybody", self.players.everybody),
            *(("player", p) for p in self.players.wanted),
        )
        for about, player in players:
            for name, estimate in player.figures().items():
                yield Figure(name, estimate, player.name or "", about=about)


def summary(tables: Tables, wanted: Wanted = FOREMOST) -> Summary:
    """Summarize tables, with the players that are wanted.

    ``RunError`` where they cannot be read.
    """
    gain, players, reads = GainSums(), PlayerSums(), Means("stage", READ_FIGURES)
    known = _nothing_known()
    with reading_errors(tables):
        for batch in batches(tables):
            gain.add(batch)
            players.add(batch)
            reads.add(_reads(batch))
            _count_known(batch, known)
        totals = _totals(tables, known)
        return Summary(
            totals=totals,
            gain=gain.table(totals.fully_known, _in_words(totals.policies)),
            reads=_stage_reads(reads),
            players=players.players(wanted),
        )


def gain_of(tables: Tables) -> InformationGain:
    """Figure 6 alone."""
    gain, known = GainSums(), _nothing_known()
    with reading_errors(tables):
        for batch in batches(tables):
            gain.add(batch)
            _count_known(batch, known)
        return gain.table(known["full"], policies_of(tables))


def _nothing_known() -> dict[str, int]:
    return dict.fromkeys(("full", "partial", *WAYS), 0)


def _reads(tables: Tables) -> pl.LazyFrame:
    """A row a read of known downcards, with ``READ_FIGURES``."""
    still_in = pl.col("active") & (pl.col("n_active") >= 2)
    bits, share = pl.col("truth_bits"), (pl.col("truth_rank") - 0.5) / pl.col("possible")
    return (
        tables.scan(STAGE_TABLE)
        .filter(pl.col("truth_bits").is_not_null(), still_in | ~pl.col("active"))
        .select(
            *HAND,
            "stage",
            active_bits=pl.when(still_in).then(bits),
            active_share=pl.when(still_in).then(share),
            everybody_bits=bits,
            everybody_share=share,
        )
    )


def _stage_reads(reads: Means) -> tuple[StageReads, ...]:
    found = reads.means()
    nothing = dict.fromkeys(READ_FIGURES, NOTHING)
    return tuple(StageReads(stage, **found.get(stage, nothing)) for stage in STAGES)


def _count_known(tables: Tables, known: dict[str, int]) -> None:
    """Count hands by what is known to the omniscient, and seats by the way it is known."""
    dealt = tables.scan(STAGE_TABLE).filter(pl.col("stage") == DEALT)
    ways = dealt.group_by(word=pl.col("known").cast(pl.String)).agg(n=pl.len())
    hands = dealt.group_by(HAND).agg(word=pl.col("omniscience").first().cast(pl.String))
    counts = pl.concat([ways, hands.group_by("word").agg(n=pl.len())])
    for word, n in counts.collect(engine="streaming").iter_rows():
        if word in known:
            known[word] += n


def _totals(tables: Tables, known: dict[str, int]) -> Totals:
    hands = tables.scan(HANDS)
    counts = hands.select(
        hands=pl.len(),
        finished=pl.col("finished").sum(),
        showdowns=(pl.col("showdown") > 0).sum(),
        dealt_in=pl.col("seats").cast(pl.Int64).sum(),
    )
    rejects = tables.scan(REJECTS)
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
        refused=tables.count(REJECTS),
        reasons=tuple(Reason(*row) for row in reasons.collect(engine="streaming").iter_rows()),
    )


def policies_of(tables: Tables) -> str:
    """Return the policies that the hands were read with, in words."""
    return _in_words(_policies(tables))


def _in_words(policies: tuple[tuple[str, int], ...]) -> str:
    return policies[0][0] if len(policies) == 1 else f"{len(policies)} policies"


def _policies(tables: Tables) -> tuple[tuple[str, int], ...]:
    """Policies and the hands read with them, most first."""
    counts = tables.scan(HANDS).group_by("policy").agg(n=pl.len())
    ordered = counts.sort("n", "policy", descending=[True, False])
    return tuple(ordered.collect(engine="streaming").iter_rows())
