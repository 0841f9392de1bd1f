"""Dates of logs: read in the format of one room, written in that of another."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.formats.dates import Date, check_format, clock_of, read_date
from handread.formats.grammar import date_styles
from handread.formats.registry import writer_named
from handread.formats.room import rooms
from tests.printing import ROOMS, WHOLE

STYLES = {room.name: room.grammar.dates for room in rooms()}
WRITTEN = {
    "absolute": "2026-03-14 20:05:09 (ET)",
    "bovada": "2026-03-14 20:05:09",
    "everleaf": "2026/03/14 - 20:05:09",
    "fulltilt": "20:05:09 ET - 2026/03/14",
    "kingsclub": "2026-03-14 20:05:09",
    "ongame": "Sat Mar 14 20:05:09 GMT-0400 2026",
    "partypoker": "Saturday, March 14, 20:05:09 EDT 2026",
    "pokerstars": "2026/03/14 20:05:09 ET",
    "winamax": "2026/03/15 00:05:09 UTC",
    "winning": "2026/03/15 00:05:09 UTC",
    "winning-old": "2026/3/14 20:05:09",
}
"""A moment of summer time in New York, as each room writes it."""


def test_every_room_writes_its_own_dates() -> None:
    assert set(ROOMS) == set(WRITTEN)
    assert all(style.formats for style in STYLES.values())


@pytest.mark.parametrize("target", WRITTEN)
@pytest.mark.parametrize("source", ["pokerstars", "fulltilt", "winamax", "partypoker", "ongame"])
def test_a_date_goes_from_room_to_room(source: str, target: str) -> None:
    (again,) = writer_named(target).read(
        writer_named(target).write(replace(WHOLE, played_at=WRITTEN[source])), "f"
    )
    first, second = (read_date(text, date_styles()) for text in (WRITTEN[source], again.played_at))
    if second.zone:
        known = first.utc is not None and second.utc is not None
        assert first.utc == second.utc if known else first == second
    else:  # the room names no zone: the clock shows the same
        assert second.local == first.local
    if source in ("pokerstars", "fulltilt"):
        assert again.played_at == WRITTEN[target]


@given(
    st.datetimes(datetime(1980, 1, 1), datetime(2037, 12, 30)),
    st.sampled_from(["", "ET", "CET", "UTC", "GMT+0530", "EDT", "XQZ"]),
    st.sampled_from(sorted(STYLES)),
)
def test_what_a_room_writes_it_reads(local: datetime, zone: str, name: str) -> None:
    style = STYLES[name]
    second = local.second if all("%S" in one for one in style.formats) else 0
    date = Date(local.replace(second=second, microsecond=0, fold=0), zone)
    text = style.text(date)
    again = style.read(text)
    assert style.text(again) == text
    if date.utc is not None and (style.zone or again.zone):
        # The hour that comes twice when summer time ends cannot be told apart.
        assert abs((again.utc - date.utc).total_seconds()) in (0, 3600)
    elif not zone:
        assert again.local == date.local


def test_a_date_with_a_second_zone_is_kept_in_its_own_room() -> None:
    text = "2011/03/09 1:17:48 CET [2011/03/08 19:17:48 ET]"
    assert STYLES["pokerstars"].keeps(text)
    date = read_date(text, date_styles())
    assert STYLES["fulltilt"].text(date) == "19:17:48 ET - 2011/03/08"
    # Programs that read these logs take a lone time for New York's.
    assert not STYLES["pokerstars"].keeps("2026/03/15 0:05:09 UTC")


def test_what_is_no_date_is_none() -> None:
    for text in ("", "yesterday", "2026/13/01 0:00:00 ET", "2026-02-30", "0000-01-01 00:00:00"):
        assert read_date(text, date_styles()) is None
    assert clock_of("XQZ") is None
    assert clock_of("GMT+9900") is None
    early = Date(datetime(1, 1, 1), "GMT+0900")
    assert early.utc is None


@pytest.mark.parametrize(
    ("date_format", "message"),
    [
        ("%Y-%m", "%d once, not 0 times"),
        ("%Y-%m-%d %B", "%m or %B or %b once, not 2 times"),
        ("%Y-%m-%d %q", "'%q' is not a part of a date"),
        ("%Y-%m-%d %", "'%%' is not a part of a date"),
        ("%Y-%m-%d %H:%-H", "names a part twice"),
    ],
)
def test_a_wrong_date_format_is_refused(date_format: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_format(date_format)
