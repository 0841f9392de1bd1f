"""What every player of a set of tables did, and what it gave away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from handread.score import ACTIONS, HANDS
from handread.score import STAGES as STAGE_TABLE
from handread.score.columns import ACTION_WORDS
from handread.score.estimates import HAND, NONE, Mean, Means
from handread.score.tables import Tables
from handread.stud import STAGES

SEAT = (*HAND, "seat")

SEAT_FIGURES = ("told_bits", "told_truth_bits", "read_bits", "net_big_bets")
ACTION_FIGURES = ("surprise_bits", *ACTION_WORDS)

DEALT = STAGES[0]
"""The stage at which every seat that was dealt in has a row."""


@dataclass(frozen=True, slots=True)
class Player:
    """What a player did, and what it gave away.

    ``name`` is None for all together who have no name. ``kinds`` are the shares of its actions by
    kind, ``surprise`` is by action. The others are by hand that it was dealt in: ``told`` the bits
    that its actions told about its downcards; ``told_truth`` how far they moved the read of the
    true ones, where these are known; ``read`` how its last read in the hand scored on them, as
    ``StageReads``; ``net`` what it won less what it put in, in big bets, in finished hands.
    """

    name: str | None
    kinds: Mapping[str, Mean]
    surprise: Mean
    told: Mean
    told_truth: Mean
    read: Mean
    net: Mean

    @property
    def hands(self) -> int:
        """How many times it was dealt in."""
        return self.told.n

    @property
    def actions(self) -> int:
        """How many actions it took."""
        return self.surprise.n

    @property
    def counts(self) -> dict[str, int]:
        """How many actions of each kind it took."""
        return {
            kind: round(share.n * share.estimate.mean) if share.n else 0
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
"""What players can be sorted by, those with the most first: a figure, or how many hands."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which players to tell of: those of these names, else the ``top`` with the most of something.

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

    everybody: Player
    wanted: tuple[Player, ...]
    all: int
    missing: tuple[str, ...]
    sort: str = "hands"
    few: int = 0
    least_hands: int = 1


class PlayerSums:
    """The sums behind the figures of players."""

    def __init__(self) -> None:
        self._by_name = Means("name", SEAT_FIGURES), Means("name", ACTION_FIGURES)
        self._of_all = Means("all", SEAT_FIGURES), Means("all", ACTION_FIGURES)

    def add(self, tables: Tables) -> None:
        """Count hands none of which was counted before."""
        for place, rows in enumerate((_seats(tables), _actions(tables))):
            values = rows.with_columns(all=pl.lit(True)).collect(engine="streaming").lazy()
            self._by_name[place].add(values)
            self._of_all[place].add(values)

    def players(self, wanted: Wanted) -> Players:
        """What they come to."""
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
    name: str | None, seat: Mapping[str, Mean] | None, action: Mapping[str, Mean] | None
) -> Player:
    """A player from the means of its seats and of its actions; None where there are no rows."""
    seat = seat or dict.fromkeys(SEAT_FIGURES, NONE)
    action = action or dict.fromkeys(ACTION_FIGURES, NONE)
    return Player(
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
