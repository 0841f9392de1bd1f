"""Dates and times of logs, read and written in the styles of sites.

The key ``forms`` of a grammar's table ``[dates]`` lists the formats of the site's dates; the first
one is printed.

* Numbers are ``%Y`` ``%m`` ``%d`` ``%H`` ``%M`` ``%S``, and without a leading zero ``%-m``
  ``%-d`` ``%-H``.
* ``%A`` ``%a`` ``%B`` ``%b`` are English days and months, in full or in three letters.
* ``%Z`` is a time zone in letters, ``%z`` an offset such as ``+0100``, ``%*`` any text.

``zone`` is the time zone of dates that name none, and of printed dates.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, cached_property
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)

PARTS: Mapping[str, str] = {
    "%Y": "(?P<Y>[0-9]{4})",
    "%m": "(?P<m>[0-9]{1,2})",
    "%d": "(?P<d>[0-9]{1,2})",
    "%H": "(?P<H>[0-9]{1,2})",
    "%M": "(?P<M>[0-9]{2})",
    "%S": "(?P<S>[0-9]{2})",
    "%A": f"(?:{'|'.join(DAYS)})",
    "%a": f"(?:{'|'.join(day[:3] for day in DAYS)})",
    "%B": f"(?P<B>{'|'.join(MONTHS)})",
    "%b": f"(?P<b>{'|'.join(month[:3] for month in MONTHS)})",
    "%Z": "(?P<Z>[A-Z]{2,5})",
    "%z": "(?P<z>[+-][0-9]{4})",
    "%*": ".*",
}
"""The parts of a date format, and the regular expressions of their texts."""

_PART = re.compile("%-?(.)")

_PLACES = {
    **{"ET": "America/New_York", "CT": "America/Chicago", "PT": "America/Los_Angeles"},
    **{"MT": "America/Denver", "WET": "Europe/Lisbon", "CET": "Europe/Paris"},
    **{"EET": "Europe/Helsinki", "MSK": "Europe/Moscow", "BRT": "America/Sao_Paulo"},
}
"""Places with the time of a zone whose name is the same in summer and in winter."""

_HOURS = {
    **{"UTC": 0, "GMT": 0, "BST": 1, "WEST": 1, "CEST": 2, "EEST": 3, "CCT": 8, "JST": 9},
    **{"AWST": 8, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13},
    **{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7},
}


@dataclass(frozen=True, slots=True)
class Date:
    """A date of a log; ``zone`` is empty without a zone, ``timed`` False without a time."""

    local: datetime
    zone: str
    timed: bool = True

    @property
    def utc(self) -> datetime | None:
        """The date in UTC; ``None`` if its zone is missing or unknown."""
        clock = clock_of(self.zone)
        try:
            return None if clock is None else self.local.replace(tzinfo=clock).astimezone(UTC)
        except OverflowError:
            return None

    @property
    def words(self) -> str:
        """The date for people: "8 May 2026, 20:31"."""
        day = f"{self.local.day} {MONTHS[self.local.month - 1][:3]} {self.local.year}"
        return f"{day}, {self.local:%H:%M}" if self.timed else day


@cache
def clock_of(zone: str) -> tzinfo | None:
    """Return the clock of a time zone; ``None`` for one that is unknown or not installed."""
    offset = re.fullmatch("(?:GMT|UTC)?([+-])([0-9]{2})([0-5][0-9])", zone)
    if offset and int(offset[2]) < 24:
        shift = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return timezone(-shift if offset[1] == "-" else shift)
    if zone in _HOURS:
        return timezone(timedelta(hours=_HOURS[zone]), zone)
    try:
        return ZoneInfo(_PLACES[zone]) if zone in _PLACES else None
    except ZoneInfoNotFoundError:  # a system without time zones
        return None


@dataclass(frozen=True)
class DateStyle:
    """A site's style of dates."""

    formats: tuple[str, ...] = ()
    zone: str = ""

    @cached_property
    def _regexes(self) -> list[re.Pattern[str]]:
        return [re.compile(_regex(each)) for each in self.formats]

    def read(self, text: str) -> Date | None:
        """Read a date; ``None`` if the text has another format, or names no real day."""
        match = next((m for regex in self._regexes if (m := regex.fullmatch(text))), None)
        if match is None:
            return None
        said = match.groupdict()
        named = (said.get("B") or said.get("b") or "")[:3]
        month = int(said["m"]) if "m" in said else [name[:3] for name in MONTHS].index(named) + 1
        hour, minute, second = (int(said.get(part) or 0) for part in "HMS")
        try:
            local = datetime(int(said["Y"]), month, int(said["d"]), hour, minute, second=second)
        except ValueError:
            return None
        zone = said.get("Z") or (f"GMT{said['z']}" if said.get("z") else self.zone)
        return Date(local, zone, bool(said.get("H")))

    def keeps(self, text: str) -> bool:
        """Return True if a date is in the site's style; it may name another zone."""
        rooms = (n for n, f in enumerate(self.formats) if not n or "[" in f or "%Z" not in f)
        return any(self._regexes[n].fullmatch(text) for n in rooms) and self.read(text) is not None

    def text(self, date: Date) -> str:
        """Write a date in the site's own zone or, if its logs name others, in the date's.

        An unknown zone is named, if the site has a format for that.
        """
        chosen, site_clock = self.formats[0], clock_of(self.zone)
        local, zone, utc = date.local, self.zone, date.utc
        if utc is not None and site_clock is not None:
            local = utc.astimezone(site_clock)
            zone = local.tzname() or zone
        elif "%z" in chosen:
            clock = clock_of(date.zone) or UTC
            local = local.replace(tzinfo=clock)
        elif date.zone and self.zone:
            chosen = next((known for known in self.formats if "%Z" in known), chosen)
            zone = date.zone
        elif site_clock is not None:
            zone = local.replace(tzinfo=site_clock).tzname() or zone
        return _PART.sub(lambda part: _printed(part, local, zone), chosen)


def check_format(text: str) -> None:
    """Raise ``ValueError`` for a wrong date format."""
    parts = [dates[0] + dates[-1] for dates in re.findall("%-?.|%$", text)]
    strange = next((part for part in parts if part not in PARTS), None)
    if strange is not None:
        raise ValueError(f"{strange!r} is not a part of a date; there are {' '.join(PARTS)}")
    for names in ("Y", "mBb", "d"):
        dates = [part for part in parts if part[1] in names]
        if len(dates) != 1:
            wanted = " or ".join(f"%{name}" for name in names)
            raise ValueError(f"a date format has {wanted} once, not {len(dates)} times")
    if len(set(parts)) < len(parts):
        raise ValueError("a date format names a part twice")


def read_date(text: str, styles: Iterable[DateStyle]) -> Date | None:
    """Read a date in the style of any site."""
    return next((date for style in styles if (date := style.read(text))), None)


def _regex(date_format: str) -> str:
    pieces = re.split("(%-?.)", date_format)
    return "".join(PARTS[p[0] + p[-1]] if p[:1] == "%" else re.escape(p) for p in pieces)


def _printed(part: re.Match[str], local: datetime, zone: str) -> str:
    day, month = DAYS[local.weekday()], MONTHS[local.month - 1]  # in English, unlike strftime
    words = {"A": day, "a": day[:3], "B": month, "b": month[:3], "Y": f"{local.year:04}", "Z": zone}
    if part[1] in words:
        return words[part[1]]
    number = local.strftime(f"%{part[1]}")
    return number.removeprefix("0") if part[0].startswith("%-") else number
