"""Your results by stretch of a session: by month or week, by day, by log and by table."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from urllib.parse import urlencode

import numpy as np

from handread.formats.dates import MONTHS
from handread.report.index import IndexRow
from handread.report.tables import number, with_interval
from handread.study.statistics import NOTHING, Estimate, Moments

FEWEST_MONTHS = 3
"""With fewer months, progress is by week."""

LEAST_HANDS = 20
"""The fewest hands, or known downcards, for any claim."""

HEADS = ("result, BB", "per 100 hands", "without luck", "decisions cost per 100")
"""The heads of the ``cells`` of a stretch."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some hands of a session in a line.

    ``wanted`` is the part of an address behind # that lists these hands alone. ``cells`` are your
    result in big bets, the same per 100 hands, the result without the luck of the cards, and the
    cost of your decisions per 100 hands, each beside its 95% interval or "". Results are of cash
    games; the last three are "-" for fewer than ``LEAST_HANDS``. If some hands have no ledger, the
    result without luck shows the number with one. The last two wait until no hand is pending.
    """

    name: str
    wanted: str
    hands: int
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Stretches:
    """A session in stretches of the kind ``by``."""

    by: str
    lines: tuple[Stretch, ...]

    @property
    def columns(self) -> tuple[tuple[int, str], ...]:
        """The places and the heads of the cells that some line has; none without your hands."""
        places = enumerate(HEADS)
        return tuple(
            (n, head) for n, head in places if any(line.cells[n][0] != "-" for line in self.lines)
        )


def sessions(rows: Sequence[IndexRow]) -> tuple[Stretches, ...]:
    """Return a session by day, the latest first, by log and by table, where there are several."""
    days = _stretches("day", rows, lambda row: row.day, _day_words)
    stretches = (
        replace(days, lines=days.lines[::-1]),
        _stretches("log", rows, lambda row: row.source, str),
        _stretches("table", rows, lambda row: row.table, str),
    )
    return tuple(stretch for stretch in stretches if stretch.lines)


def progress(rows: Sequence[IndexRow]) -> Stretches | None:
    """Return your results by month, or by week if there are few; None without two of them."""
    mine = [row for row in rows if row.has_result and row.day]
    if len({row.day[:7] for row in mine}) < FEWEST_MONTHS:
        stretches = _stretches("week", mine, lambda row: _week(row.day), _week_words, "day")
    else:
        stretches = _stretches("month", mine, lambda row: row.day[:7], _month_words, "day")
    return stretches if stretches.lines else None


def _stretches(
    by: str,
    rows: Iterable[IndexRow],
    of: Callable[[IndexRow], str],
    words: Callable[[str], str],
    kind: str = "",
) -> Stretches:
    """Return rows grouped by ``of``, empty for rows left out; none if all are the same.

    ``kind`` is the name in a list, if it differs from ``by``.
    """
    groups: dict[str, list[IndexRow]] = defaultdict(list)
    for row in rows:
        if of(row):
            groups[of(row)].append(row)
    if len(groups) < 2:
        return Stretches(by, ())
    lines = [
        Stretch(words(value), urlencode({kind or by: value}), len(some), tuple(_cells(some)))
        for value, some in sorted(groups.items())
    ]
    return Stretches(by, tuple(lines))


def _cells(rows: Sequence[IndexRow]) -> Iterable[tuple[str, str]]:
    mine = [row for row in rows if row.has_result and not row.tournament]
    valued = [] if any(row.pending for row in rows) else rows
    worths = [row.worth for row in valued if row.worth is not None and row.in_hand]
    valued_hands = [row.worth for row in mine if row.worth is not None and valued]
    fair = [worth.adjusted_bets for worth in valued_hands if worth.adjusted is not None]
    costs = [worth.cost for worth in worths]
    net = [row.net_bets for row in mine]
    yield number(sum(net), 1, sign="+z") if net else "-", ""
    yield _of_100(net, "+")
    words, within = _of_100(fair, "+")
    counted = f"{len(fair):,} hands" if words != "-" and len(fair) < len(net) else ""
    yield words, " ".join(filter(None, (within, counted)))
    yield _of_100(costs)


def _of_100(each: Sequence[float], sign: str = "") -> tuple[str, str]:
    """Return a mean over hands for 100 of them in two cells; "-" for few hands."""
    estimate = mean([(value, 1) for value in each]) if len(each) >= LEAST_HANDS else NOTHING
    return with_interval(estimate, 1, 100.0, sign)


def mean(
    hands: Iterable[tuple[float, int]],
    estimate: Callable[[float, float, int, int], Estimate] = Estimate.student,
) -> Estimate:
    """Return a mean over hands, each with its sum and number of values, with a 95% interval.

    Hands without values do not count. Shares take ``Estimate.share`` for ``estimate``.
    """
    counted = [(total, n) for total, n in hands if n]
    if not counted:
        return NOTHING
    ratio = Moments.of(np.array(counted, dtype=np.float64)).ratio(*np.eye(2))
    return estimate(ratio.mean, ratio.error, sum(n for _, n in counted), len(counted))


@cache
def _week(day: str) -> str:
    """Return the first and the last day of a week, with two dots between."""
    at = date.fromisoformat(day)
    monday = at - timedelta(days=at.weekday())
    return f"{monday}..{monday + timedelta(days=6)}"


def _week_words(week: str) -> str:
    return f"week of {_day_words(week.partition('..')[0])}"


def _day_words(day: str) -> str:
    at = date.fromisoformat(day)
    return f"{at.day} {MONTHS[at.month - 1][:3]} {at.year}"


def _month_words(month: str) -> str:
    return f"{MONTHS[int(month[5:]) - 1]} {month[:4]}"
