"""Names of players for the names of logs: several may stand for one player, none, or you."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from handread.history import History
from handread.settings import settings_text

TABLE = "players"
"""The table of the file: ``"tom_88" = "Tom"``, or ``"tom_88" = ""`` to leave the name out."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of players in reports.

    Attributes:
        of: By a name of the logs the name that replaces it, empty for none.
        hero: The name of the player who is you; None for the player whose log it is.
    """

    of: Mapping[str, str] = field(default_factory=dict)
    hero: str | None = None

    def renamed(self, history: History) -> History:
        """Return a hand of a log with these names and this hero; chat is left as it is."""
        if any(seat.name in self.of for seat in history.seats):
            seats = [replace(s, name=self.of.get(s.name, s.name)) for s in history.seats]
            history = replace(history, seats=tuple(seats))
        if self.hero is None:
            return history
        numbers = {seat.name: seat.number for seat in history.seats}
        return replace(history, hero=numbers.get(self.hero))

    @property
    def terms(self) -> str:
        """A text that is equal for equal names; empty without names."""
        if self == NO_NAMES:
            return ""
        hero = [] if self.hero is None else [self.hero]
        listed = repr([*sorted(self.of.items()), *hero])
        return hashlib.sha256(listed.encode("utf-8", "backslashreplace")).hexdigest()[:8]


NO_NAMES = Names()
"""Every player is called as in the log."""


def read_names(file: str | Path) -> Names:
    """Return the names of a file; a ``ValueError`` names the file and its fault."""
    try:
        content = tomllib.loads(settings_text(file))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}; names of players stand in quotes") from None
    example = f'[{TABLE}] and lines such as "tom_88" = "Tom"'
    if unknown := [key for key in content if key != TABLE]:
        raise ValueError(f"{file}: {unknown[0]!r} is not known: expected {example}")
    names = content.get(TABLE)
    if not isinstance(names, dict):
        raise ValueError(f"{file}: has no names: expected {example}")
    for name, new in names.items():
        if not isinstance(new, str):
            raise ValueError(f"{file}: {name!r} stands for {new!r}: expected a name in quotes")
        if new != name and new in names and names[new] != new:
            raise ValueError(f"{file}: {name!r} stands for {new!r}, which stands for another name")
    return Names(names)
