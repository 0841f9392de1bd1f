"""Settings that are rarely needed: all are values of one option, ``--set NAME=VALUE``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import typer

from handread.cli.options import MOST_GAMES, usage


class Setting(NamedTuple):
    """A setting of a command.

    Attributes:
        name: Its name.
        meaning: What it sets.
        default: Its value if it is not set; the others are of the same type.
        least: The smallest value of a number.
        most: The largest value of a number.
        choices: The values of a text; none if any will do.
    """

    name: str
    meaning: str
    default: int | float | str
    least: float = 1
    most: float = MOST_GAMES
    choices: Sequence[str] = ()

    def read(self, text: str) -> int | float | str:
        """Return the value that a text gives it, or raise a usage error."""
        if self.choices and text not in self.choices:
            raise usage(f"--set {self.name}: {text!r} is not one of {', '.join(self.choices)}")
        if isinstance(self.default, str):
            return text
        what = "a whole number" if isinstance(self.default, int) else "a number"
        try:
            value = type(self.default)(text)
        except ValueError:
            raise usage(f"--set {self.name}: {text!r} is not {what}") from None
        if not self.least <= value <= self.most:
            limits = f"the range {self.least:.10g} to {self.most:.10g}"
            raise usage(f"--set {self.name}: {value:.10g} is not in {limits}")
        return value


class Settings:
    """The settings of a command, and the option that sets them."""

    def __init__(self, *known: Setting) -> None:
        self._known = {one.name: one for one in known}

    @property
    def option(self) -> Any:
        """The option ``--set``, whose help lists the settings."""
        listed = "; ".join(
            f"{one.name} ({one.default}): {one.meaning}" for one in self._known.values()
        )
        return typer.Option(
            "--set",
            help=f"Rarely needed, may be repeated. {listed}.",
            metavar="NAME=VALUE",
            autocompletion=lambda: [f"{name}=" for name in self._known],
        )

    def values(self, given: Sequence[str]) -> dict[str, Any]:
        """Return the values of all settings by name, with _ for -; raise a usage error."""
        found: dict[str, Any] = {name: one.default for name, one in self._known.items()}
        for text in given:
            name, _, value = text.partition("=")
            if name not in self._known:
                known = ", ".join(self._known)
                raise usage(f"--set {text}: expected NAME=VALUE, with one of the names {known}")
            found[name] = self._known[name].read(value)
        return {name.replace("-", "_"): value for name, value in found.items()}
