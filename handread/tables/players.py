"""The records of players, summed up over the rows of the tables."""

from collections.abc import Collection
from typing import Any

import numpy as np
import polars as pl

from handread.game.rules import variant_of
from handread.opponents.records import LARGEST, PlayerRecord, Players, ShownHand, merge
from handread.opponents.statistics import STATISTICS
from handread.tables import LEDGERS, PLAYERS, STAGE_TABLE
from handread.tables.columns import CHANCES
from handread.tables.estimates import HAND, batches, reading_errors
from handread.tables.known import styles_in
from handread.tables.read import Tables

_WHO = ("name", "variant")


def records_in(tables: Tables, named: Collection[str] = ()) -> Players:
    """Return the records of all players; least expected hands and styles only of ``named`` ones.

    Raise ``RunError`` if the tables cannot be read.
    """
    players: Players = {}
    with reading_errors(tables):
        for batch in batches(tables):
            merge(players, _records(batch, named))
    if named:
        styles = styles_in(tables, named)
        for player in players.values():
            player.styles = styles.get(player.name, {})
    return players


def _records(tables: Tables, named: Collection[str]) -> Players:
    rows = tables.scan(PLAYERS).with_columns(pl.col("name").fill_null(""))
    counts = [name for stat in STATISTICS for name in (stat.key, stat.key + CHANCES)]
    sums = rows.group_by(_WHO).agg(
        *(pl.col(name).sum() for name in counts),
        hands=pl.len(),
        you=pl.col("you").any(),
        finished=pl.col("net_bets").count(),
        net=pl.col("net_bets").cast(pl.Float64).sum(),
        bluffs=pl.col("bluffed").sum(),
        last_bets=pl.col("bluffed").count(),
    )
    shown = rows.filter(pl.col("shown").is_not_null()).group_by(
        *_WHO, pl.col("opening").cast(pl.String).fill_null(""), "shown"
    )
    summed = sums.collect(engine="streaming").iter_rows(named=True)
    players = {(row["name"], row["variant"]): _player(row) for row in summed}
    for name, game, opening, family, n in shown.len().collect(engine="streaming").iter_rows():
        players[name, game].shown[opening, family] += n
    largest = _shown_down(rows).sort(pl.col("net_bets").abs(), descending=True, maintain_order=True)
    for name, game, *showdown in _first(largest):
        players[name, game].keep([ShownHand(*showdown)])
    for name, game, adjusted in _adjusted(tables, rows):
        players[name, game].adjusted = adjusted
    if named:  # it takes the reads of all hands
        of_named = rows.filter(pl.col("name").is_in(named))
        for name, game, *showdown in _unexpected(tables, of_named):
            players[name, game].keep_unexpected([ShownHand(*showdown)])
    return players


def _player(row: dict[str, Any]) -> PlayerRecord:
    counts = [[row[stat.key], row[stat.key + CHANCES]] for stat in STATISTICS]
    return PlayerRecord(
        row["name"],
        variant_of(row["variant"]),
        counted=np.array(counts, dtype=np.int64),
        bluffs=(row["bluffs"], row["last_bets"]),
        **{name: row[name] for name in ("you", "hands", "finished", "net")},
    )


def _first(showdowns: pl.LazyFrame) -> list[tuple[Any, ...]]:
    """Return name, game and ``ShownHand`` of the first hands of each player."""
    return showdowns.group_by(_WHO, maintain_order=True).head(LARGEST).collect().rows()


def _shown_down(rows: pl.LazyFrame, *more: str) -> pl.LazyFrame:
    """Return name, game and the fields of ``ShownHand`` of the hands that were shown down."""
    shown = rows.filter(pl.col("shown").is_not_null(), pl.col("net_bets").is_not_null())
    return shown.select(
        *_WHO,
        pl.col("net_bets").cast(pl.Float64),
        pl.col("opening").cast(pl.String).fill_null(""),
        "shown",
        pl.format("{}:{}", "file", "line"),
        *more,
    )


def _unexpected(tables: Tables, rows: pl.LazyFrame) -> list[tuple[Any, ...]]:
    """Return the hands shown down that each player's last read had made least likely."""
    last = pl.col("truth_bits").sort_by(pl.col("stage").to_physical()).last().cast(pl.Float64)
    reads = tables.whole(STAGE_TABLE).filter(pl.col("truth_bits").is_not_null())
    bits = reads.join(rows, on=[*HAND, "seat"], how="semi").group_by(*HAND, "seat").agg(last)
    shown = _shown_down(rows.join(bits, on=[*HAND, "seat"]), "truth_bits")
    return _first(shown.filter(pl.col("truth_bits") < 0.0).sort("truth_bits", maintain_order=True))


def _adjusted(tables: Tables, rows: pl.LazyFrame) -> list[tuple[str, str, float]]:
    """Return name, game and result without luck, in big bets, of players with one in every hand.

    It needs the downcards: only the hero has them, or all players of a log that publishes them.
    """
    if LEDGERS not in tables.names:
        return []
    adjusted = tables.scan(LEDGERS).select(*HAND, "seat", pl.col("adjusted_bb").cast(pl.Float64))
    seats = rows.filter(pl.col("net_bets").is_not_null()).select(*HAND, "seat", *_WHO)
    sums = (
        seats.join(adjusted, on=[*HAND, "seat"], how="left")
        .group_by(_WHO)
        .agg(pl.col("adjusted_bb").sum(), missing=pl.col("adjusted_bb").null_count())
        .filter(pl.col("missing") == 0)
    )
    return sums.select(*_WHO, "adjusted_bb").collect(engine="streaming").rows()
