"""The tables of decisions and ledgers, summed up as a session: costs, luck, and results."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from handread.history import Action
from handread.study.session_values import (
    DECISION_FIGURES,
    RESULTS,
    UNNAMED,
    YOU,
    DecisionKind,
    SessionTable,
    in_order,
)
from handread.study.statistics import Estimate, Key
from handread.tables import DECISIONS, HANDS, LEDGERS
from handread.tables.estimates import HAND, Means
from handread.tables.read import Tables


def player_name(hero: str = "hero") -> pl.Expr:
    """Return the name of the player of a seat; that of a hero without a name is ``YOU``."""
    nameless = pl.col("name").is_null() & (pl.col("seat") == pl.col(hero))
    return pl.when(nameless).then(pl.lit(YOU)).otherwise(pl.col("name")).alias("name")


def with_names(tables: Tables, rows: pl.LazyFrame, *columns: str) -> pl.LazyFrame:
    """Return rows of seats with the names of players, and with columns of hands."""
    hands = tables.scan(HANDS).select(*HAND, "hero", *columns)
    return rows.join(hands, on=HAND, how="left").with_columns(player_name())


class SessionSums:
    """The sums behind the figures of a ``SessionTable``."""

    def __init__(self) -> None:
        # Groups are players, or kinds of decision (street, action) of a player.
        self._decisions, self._kinds = (Means(by, DECISION_FIGURES) for by in ("name", "kind"))
        self._totals = {by: Means(by, ("cost",)) for by in ("name", "kind")}
        self._results = Means("name", RESULTS)
        self._heroes: set[str] = set()

    def add(self, tables: Tables) -> None:
        """Count hands that were not counted before; their tables hold values of decisions."""
        decisions = _decisions(tables).collect(engine="streaming")
        self._decisions.add(decisions.lazy())
        self._kinds.add(decisions.lazy())
        for by, totals in self._totals.items():  # of each hand one value, the sum of its costs
            totals.add(decisions.lazy().group_by(*HAND, by).agg(pl.col("cost").sum()))
        ledgers = with_names(tables, tables.scan(LEDGERS), "big_bet_minor")
        amounts = {"net": "net_minor", "adjusted": "adjusted_minor", "luck": "luck_minor"}
        bets = {of: pl.col(name) / pl.col("big_bet_minor") for of, name in amounts.items()}
        self._results.add(ledgers.select(*HAND, "name", **bets))
        own = decisions.filter(pl.col("known").cast(pl.String) == "hero")
        self._heroes |= {name or UNNAMED for name in own["name"].unique()}

    def table(self, players: Collection[str | None], dealt: Mapping[str, int]) -> SessionTable:
        """Return the figures of some players; ``dealt`` has the number of their hands."""
        figures: dict[Key, Estimate] = {}
        kinds: dict[str, list[DecisionKind]] = {}
        ledgers: dict[str, int] = {}
        totals = {by: dict(_by_group(sums, None)) for by, sums in self._totals.items()}
        for name, rows in _by_group(self._decisions, players):
            figures |= _figures(name, rows, "decision")
            figures[Key("cost", group=name, about="all")] = _sum(rows, totals["name"][name])
        wanted = {name or UNNAMED for name in players}
        for group, rows in _by_group(self._kinds, None):
            street, action, name = group
            if name in wanted:
                kind = DecisionKind(street, Action(action))
                kinds.setdefault(name, []).append(kind)
                figures |= _figures(name, rows, str(kind))
                total = _sum(rows, totals["kind"][group])
                figures[Key("sum", group=name, about=str(kind))] = total
        for name, rows in _by_group(self._results, players):
            ledgers[name] = rows["net"]["hands"]
            for figure, row in rows.items():
                figures[Key(figure, group=name, about="hand")] = _estimate(row)
                figures[Key(figure, group=name, about="all")] = _estimate(row, row["hands"])
        return SessionTable(
            figures,
            {name or UNNAMED: dealt.get(name or "", 0) for name in players},
            ledgers,
            {name: sorted(found, key=in_order) for name, found in kinds.items()},
            (),
            next(iter(self._heroes)) if len(self._heroes) == 1 else None,
        )


def _decisions(tables: Tables) -> pl.LazyFrame:
    """Return a row per decision: the name of its player, its kind, and ``DECISION_FIGURES``."""
    verdicts = {
        verdict: (pl.col("verdict") == verdict).cast(pl.Float64) for verdict in DECISION_FIGURES[1:]
    }
    return with_names(tables, tables.scan(DECISIONS)).select(
        *HAND,
        "name",
        "known",
        kind=pl.struct("street", "action", pl.col("name").fill_null(UNNAMED)),
        cost=pl.col("cost_bb").cast(pl.Float64),
        **verdicts,
    )


_Rows = dict[str, dict[str, Any]]
"""By figure the row of ``Means.groups``."""


def _by_group(means: Means, chosen: Collection[str | None] | None) -> list[tuple[Any, _Rows]]:
    """Return the rows of some groups or all, by the name of the player or the kind of decision."""
    found: dict[Any, _Rows] = {}
    for group, *cells in means.groups().iter_rows():
        if chosen is None or group in chosen:
            row = dict(
                zip(("figure", "n", "hands", "infinite", "mean", "error"), cells, strict=True)
            )
            key = tuple(group.values()) if isinstance(group, dict) else group or UNNAMED
            found.setdefault(key, {})[row["figure"]] = row
    return list(found.items())


def _estimate(row: Mapping[str, Any], times: int = 1) -> Estimate:
    """Return the mean of a row, or the sum of so many such values."""
    return Estimate.student(row["mean"] * times, row["error"] * times, row["n"], row["hands"])


def _figures(name: str, rows: _Rows, about: str) -> dict[Key, Estimate]:
    return {Key(figure, group=name, about=about): _estimate(row) for figure, row in rows.items()}


def _sum(rows: _Rows, totals: _Rows) -> Estimate:
    """Return the sum of the costs of some decisions, from the sums of hands."""
    found = totals["cost"]
    return replace(_estimate(found, found["hands"]), n=rows["cost"]["n"])
