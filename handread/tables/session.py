"""Decisions and ledgers, summed up as a session: costs, luck and results."""

from collections.abc import Mapping, Sequence

import polars as pl

import handread.study.session_values as session_values
from handread.history import Action
from handread.study.statistics import Estimate, Key
from handread.tables import DECISIONS, HANDS, LEDGERS, PLAYERS
from handread.tables.estimates import HAND, Means, total
from handread.tables.read import Tables


def with_names(tables: Tables, rows: pl.LazyFrame, *columns: str) -> pl.LazyFrame:
    """Return rows of seats with players' names (``YOU`` for a nameless hero) and hand columns."""
    hands = tables.scan(HANDS).select(*HAND, "hero", *columns)
    nameless = pl.col("name").is_null() & (pl.col("seat") == pl.col("hero"))
    name = pl.when(nameless).then(pl.lit(session_values.YOU)).otherwise(pl.col("name"))
    return rows.join(hands, on=HAND, how="left").with_columns(name=name)


def named(players: Sequence[str | None]) -> pl.Expr:
    """Return the condition that a row is of one of the players; None is a player without a name."""
    return pl.col("name").is_in(pl.Series(players, dtype=pl.String).implode(), nulls_equal=True)


class SessionSums:
    """The sums behind the figures of a ``SessionTable`` of some players."""

    def __init__(self, players: Sequence[str | None]) -> None:
        self._players = players
        # Groups are players, or kinds of decision (street, action) of a player.
        figures = session_values.DECISION_FIGURES
        self._decisions, self._kinds = Means("name", figures), Means("kind", figures)
        self._totals = {by: Means(by, ("cost",)) for by in ("name", "kind")}
        self._results = Means("name", session_values.RESULTS)
        self._heroes: set[str] = set()

    def add(self, tables: Tables) -> None:
        """Count hands not counted before; their tables hold values of decisions."""
        every = _decisions(tables)
        heroes = every.filter(pl.col("known").cast(pl.String) == "hero").select("name").unique()
        found = heroes.collect(engine="streaming").get_column("name")
        self._heroes |= {name or session_values.UNNAMED for name in found}
        decisions = every.filter(named(self._players)).collect(engine="streaming")
        self._decisions.add(decisions.lazy())
        self._kinds.add(decisions.lazy())
        for by, totals in self._totals.items():  # a hand has one value, the sum of its costs
            totals.add(decisions.lazy().group_by(*HAND, by).agg(total(pl.col("cost"))))
        cash = tables.scan(PLAYERS).filter(pl.col("net_bets").is_not_null())
        ledgers = tables.scan(LEDGERS).join(cash, on=[*HAND, "seat"], how="semi")
        ours = with_names(tables, ledgers, "big_bet_minor").filter(named(self._players))
        bets = {f: pl.col(f"{f}_minor") / pl.col("big_bet_minor") for f in session_values.RESULTS}
        self._results.add(ours.select(*HAND, "name", **bets))

    def table(self, dealt: Mapping[str, int]) -> session_values.SessionTable:
        """Return the figures of the players; ``dealt`` has their numbers of hands."""
        figures: dict[Key, Estimate] = {}
        kinds: dict[str, list[session_values.DecisionKind]] = {}
        unnamed = session_values.UNNAMED
        wanted = {name or unnamed: dealt.get(name or "", 0) for name in self._players}
        of_players, of_kinds = (self._totals[by].means() for by in ("name", "kind"))
        for player, costs in self._decisions.means().items():
            name = player or unnamed
            figures |= _figures(name, costs, "decision")
            together = _sum(of_players[player]["cost"], costs["cost"].n)
            figures[Key("cost", group=name, about="all")] = together
        for group, costs in self._kinds.means().items():
            street, action, name = group
            kind = session_values.DecisionKind(street, Action(action))
            kinds.setdefault(name, []).append(kind)
            figures |= _figures(name, costs, str(kind))
            together = _sum(of_kinds[group]["cost"], costs["cost"].n)
            figures[Key("sum", group=name, about=str(kind))] = together
        for player, results in self._results.means().items():
            name = player or unnamed
            for figure, mean in results.items():
                figures[Key(figure, group=name, about="hand")] = mean
                figures[Key(figure, group=name, about="all")] = _sum(mean, mean.n)
        for listed in kinds.values():
            listed.sort(key=session_values.in_order)
        hero = next(iter(self._heroes)) if len(self._heroes) == 1 else None
        return session_values.SessionTable(figures, wanted, kinds, (), hero)


def _figures(name: str, means: Mapping[str, Estimate], about: str) -> dict[Key, Estimate]:
    return {Key(figure, group=name, about=about): mean for figure, mean in means.items()}


def _sum(mean: Estimate, n: int) -> Estimate:
    """Return the sum over hands of ``n`` values, given their mean per hand."""
    return Estimate.student(mean.mean * mean.hands, mean.error * mean.hands, n, mean.hands)


def _decisions(tables: Tables) -> pl.LazyFrame:
    names = session_values.DECISION_FIGURES[1:]
    verdicts = {name: (pl.col("verdict") == name).cast(pl.Float64) for name in names}
    return with_names(tables, tables.scan(DECISIONS)).select(
        *HAND,
        "name",
        "known",
        kind=pl.struct("street", "action", pl.col("name").fill_null(session_values.UNNAMED)),
        cost=pl.col("cost_bb").cast(pl.Float64),
        **verdicts,
    )
