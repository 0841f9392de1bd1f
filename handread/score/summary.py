"""What a set of hands amounts to: the hands, how well they were read, and every player.

The tables are gone through once, a batch of hands at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from handread.evaluation.outcome import WAYS
from handread.evaluation.values import Known
from handread.experiments.values import InformationGain
from handread.score import HANDS, REJECTS
from handread.score import STAGES as STAGE_TABLE
from handread.score.estimates import HAND, NONE, Mean, Means, batches, told
from handread.score.gain import GainSums
from handread.score.players import DEALT, Players, PlayerSums, Wanted
from handread.score.tables import Tables
from handread.stud import STAGES

FOREMOST = Wanted()
"""The players with the most hands."""

MOST_REASONS = 5
"""How many reasons for refusing a hand are told, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some hands were refused: one such reason in words; the others differ in figures only."""

    example: str
    hands: int


@dataclass(frozen=True, slots=True)
class Totals:
    """What the tables hold.

    ``policies`` are those that hands were read with, and how many, most first. ``dealt_in`` counts
    seats, ``known`` those of them whose downcards are known. In ``fully_known`` hands all downcards
    dealt at first are known, in ``partly_known`` ones some are.
    """

    hands: int
    finished: int
    showdowns: int
    dealt_in: int
    known: Known
    fully_known: int
    partly_known: int
    ties: str
    policies: tuple[tuple[str, int], ...]
    refused: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class StageReads:
    """The reads of a stage against the true downcards, where these are known.

    ``active`` are of players still in where two or more are; ``everybody`` has besides those who
    folded on the street, at the read that they folded on. The ``bits`` are log2 of what the read
    gives the truth against a blind guess, ``share`` is the part of the possible holdings that
    stood before it (.5 is a blind guess). They are those of ``handread.evaluation``.
    """

    stage: str
    active_bits: Mean
    active_share: Mean
    everybody_bits: Mean
    everybody_share: Mean


READ_FIGURES = ("active_bits", "active_share", "everybody_bits", "everybody_share")


@dataclass(frozen=True, slots=True)
class Summary:
    """A set of tables in figures. ``gain`` is Figure 6 over the hands that are fully known."""

    totals: Totals
    gain: InformationGain
    reads: tuple[StageReads, ...]
    players: Players


def summary(tables: Tables, wanted: Wanted = FOREMOST) -> Summary:
    """What the tables amount to, with the players that are wanted.

    ``RunError`` where they cannot be read.
    """
    gain, players, reads = GainSums(), PlayerSums(), Means("stage", READ_FIGURES)
    known = _nothing_known()
    with told(tables):
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
    with told(tables):
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
    nothing = dict.fromkeys(READ_FIGURES, NONE)
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
        known=Known(*(known[way] for way in WAYS)),
        fully_known=known["full"],
        partly_known=known["partial"],
        ties=str(tables.terms.get("ties", "")),
        policies=_policies(tables),
        refused=tables.count(REJECTS),
        reasons=tuple(Reason(*row) for row in reasons.collect(engine="streaming").iter_rows()),
    )


def policies_of(tables: Tables) -> str:
    """What the hands were read with, in a few words."""
    return _in_words(_policies(tables))


def _in_words(policies: tuple[tuple[str, int], ...]) -> str:
    return policies[0][0] if len(policies) == 1 else f"{len(policies)} policies"


def _policies(tables: Tables) -> tuple[tuple[str, int], ...]:
    """Policies and the hands read with them, most first."""
    counts = tables.scan(HANDS).group_by("policy").agg(n=pl.len())
    ordered = counts.sort("n", "policy", descending=[True, False])
    return tuple(ordered.collect(engine="streaming").iter_rows())
