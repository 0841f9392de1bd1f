"""Your results by month or week, by day, by log and by table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from handread.history import Action
from handread.report.html.page import index_page
from handread.report.index import HandWorth, IndexRow
from handread.report.stretches import HEADS, progress, sessions
from handread.study.session_values import DecisionCost
from tests.session_rows import row


def played(number: int, day: str, bets: float, **changes: Any) -> IndexRow:
    """A hand in which two decisions cost 0.1 big bets together, and luck was worth 1."""
    costs = (DecisionCost(3, Action.CALL, 0.1, "close"), DecisionCost(4, Action.FOLD, 0.0, "best"))
    worth = HandWorth("tight", 2, 0, (), costs, (bets - 1) * 2, bets - 1)
    return row(number, net=bets * 2, net_bets=bets, day=day, worth=worth, **changes)


def test_sessions_are_those_of_a_day_of_a_log_and_of_a_table() -> None:
    rows = [
        played(1, "2012-03-05", 1.0, source="a.txt", table="Io"),
        played(2, "2012-03-06", 2.0, source="a.txt", table="Io"),
        played(3, "2012-03-06", -5.0, source="b & c.txt", table="Io"),
        row(4, in_hand="", net=None),
    ]
    days, logs = sessions(rows)
    assert (days.by, logs.by) == ("day", "log")
    assert [(one.name, one.wanted, one.hands) for one in days.lines] == [
        ("6 Mar 2012", "day=2012-03-06", 2),
        ("5 Mar 2012", "day=2012-03-05", 1),
    ]
    # Three hands are too few for what a hundred would bring.
    assert days.lines[0].cells == (("-3.0", ""), *[("-", "")] * 3)
    assert [one.wanted for one in logs.lines] == ["log=Lou", "log=a.txt", "log=b+%26+c.txt"]
    assert logs.lines[0].cells == (("-", ""),) * 4
    assert [head for _, head in days.columns] == [HEADS[0]]


def test_sessions_without_you_have_hands_alone() -> None:
    rows = [row(n, source=f"{n}.txt", in_hand="", net=None, worth=None) for n in (1, 2)]
    (logs,) = sessions(rows)
    assert logs.columns == ()
    text = index_page("night", rows)
    assert "per 100 hands" not in text
    hands = '<td class="n" data-head="hands">1</td></tr>'
    assert f'href="#log=1.txt" title="1.txt">1.txt</a></th>{hands}' in text


def test_one_day_log_and_table_are_no_choice() -> None:
    assert sessions([played(n, "2012-03-05", 1.0) for n in range(9)]) == ()
    assert progress([played(n, "2012-03-05", 1.0) for n in range(9)]) is None


def test_progress_is_by_week_until_there_are_three_months() -> None:
    days = ["2012-02-27", "2012-03-04", "2012-03-05"]
    rows = [played(n, day, 1.0) for n, day in enumerate(days)]
    found = progress(rows)
    assert [(one.name, one.wanted, one.hands) for one in found.lines] == [
        ("week of 27 Feb 2012", "day=2012-02-27..2012-03-04", 2),
        ("week of 5 Mar 2012", "day=2012-03-05..2012-03-11", 1),
    ]
    found = progress([*rows, played(4, "2012-04-01", 1.0)])
    assert [(one.name, one.wanted) for one in found.lines] == [
        ("February 2012", "day=2012-02"),
        ("March 2012", "day=2012-03"),
        ("April 2012", "day=2012-04"),
    ]


def test_progress_counts_your_hands_and_has_intervals() -> None:
    rows = [played(n, f"2012-0{1 + n % 3}-05", n % 2) for n in range(60)]
    rows += [row(99, in_hand="", net=None, day="2012-01-05")]
    found = progress(rows)
    first = found.lines[0]
    assert first.hands == 20
    result, each, fair, cost = first.cells
    assert result == ("+10.0", "")
    # Student's t of 19 degrees of freedom, times the deviation of ten ones in twenty.
    assert each == ("+50.0", "(+26.0 to +74.0)")
    assert fair == ("-50.0", "(-74.0 to -26.0)")
    assert cost == ("10.0", "(10.0 to 10.0)")


def test_chips_of_tournaments_are_no_big_bets() -> None:
    day = "2012-03-05"
    chips = [played(n, day, 9.0, unit="chips", table="C", tournament="T") for n in range(30)]
    cash = [played(n, day, 1.0, table="M") for n in range(25)]
    lucky = [replace(one, worth=None) for one in cash[:5]]
    (tables,) = sessions([*chips, *cash, *lucky])
    tournament, money = tables.lines
    assert tournament.cells == (*[("-", "")] * 3, ("10.0", "(10.0 to 10.0)"))
    assert money.cells[:2] == (("+30.0", ""), ("+100.0", "(+100.0 to +100.0)"))
    assert money.cells[2] == ("+0.0", "(+0.0 to +0.0) 25 hands")


@pytest.mark.parametrize("table", ['<script>alert("x")</script>', "a&day=2012", "#"])
def test_names_of_a_log_stay_names(table: str) -> None:
    rows = [played(1, "2012-03-05", 1.0, table=table), played(2, "2012-03-05", 1.0, table="b")]
    text = index_page("night", rows)
    assert "<script>alert" not in text
    (tables,) = sessions(rows)
    assert sum("&" in one.wanted or "#" in one.wanted for one in tables.lines) == 0


def test_luck_and_costs_wait_for_the_last_hand_of_a_line() -> None:
    """A window values first the hands in which you lost most: some of them are no fair sample."""
    rows = [played(n, f"2012-03-{5 + n % 2:02}", n % 3 - 1.0) for n in range(1, 61)]
    _, done = sessions(rows)[0].lines
    for worth in (rows[0].worth, None):
        rows[0] = replace(rows[0], pending=True, worth=worth)
        second, first = sessions(rows)[0].lines
        assert first == done
        assert second.cells[2:] == (("-", ""),) * 2
        assert all(words != "-" for words, _ in second.cells[:2])
