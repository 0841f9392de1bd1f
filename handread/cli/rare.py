"""Settings that are rarely needed: all are values of one option, ``--set NAME=VALUE``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from handread.cli.declared import Option, declaration, kind_of, words_of
from handread.cli.help import SETTINGS, ShownSetting
from handread.cli.options import usage
from handread.lazy import lazily

with lazily():
    import handread.spelling as spelling

YES_NO = {"yes": True, "no": False}


@dataclass(frozen=True)
class RareSetting(Option, ShownSetting):
    """A setting, shown like an option; its declaration gives name, type and default."""

    name: str = ""
    kind: Any = int
    many: bool = False
    default: Any = None

    def declared(self, name: str, kind: Any, default: Any) -> "RareSetting":
        """Return the setting with the name, the type and the default of its declaration."""
        name = name.replace("_", "-")
        of_value, many = kind_of(kind)
        named = replace(self, name=name, kind=of_value, many=many, default=default)
        value = self.metavar or "|".join(named.choices) or "N"
        limits = (self.min, self.max) if of_value in (int, float) else (None, None)
        return replace(named, metavar=f"{name}={value}", min=limits[0], max=limits[1])

    @property
    def choices(self) -> list[str]:
        """The possible values; empty if they cannot be listed."""
        return list(YES_NO) if self.kind is bool else words_of(self.kind)

    def read(self, text: str) -> Any:
        """Return the value in a text, or raise a usage error."""
        if self.choices and text not in self.choices:
            known, meant = ", ".join(self.choices), spelling.or_meant(text, self.choices)
            raise usage(f"--set {self.name}: {text!r} is not one of {known}{meant}")
        if self.kind is bool:
            return YES_NO[text]
        try:
            value = self.kind(text)
        except ValueError:
            what = "a whole number" if self.kind is int else "a number"
            raise usage(f"--set {self.name}: {text!r} is not {what}") from None
        if self.max is not None and self.min is not None and not self.min <= value <= self.max:
            limits = f"the range {self.min:.10g} to {self.max:.10g}"
            raise usage(f"--set {self.name}: {value:.10g} is not in {limits}")
        return value


def setting(help: str, metavar: str = "", *, default: Any = None, **more: Any) -> Any:
    """Declare a setting; ``more`` is as in ``Option``."""
    return declaration(RareSetting(help, metavar, **more), default)


def set_option(known: Sequence[RareSetting]) -> Any:
    """Return the type of the option ``--set`` of a command with these settings."""

    def completed() -> Iterator[tuple[str, str]]:
        for each in known:
            for value in each.choices or [""]:
                yield f"{each.name}={value}", each.help

    return Annotated[
        list[str],
        Option(
            "Set one of the following; may be repeated.",
            "NAME=VALUE",
            flags="--set",
            panel=SETTINGS,
            names=lambda: list(completed()),
        ),
    ]


def values(known: Sequence[RareSetting], given: Sequence[str]) -> dict[str, Any]:
    """Return the values of settings by the names of their declarations, or raise a usage error."""
    read = {each.name: each.default for each in known}
    by_name = {each.name: each for each in known}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in by_name:
            meant = spelling.or_meant(name, by_name)
            names = f"one of the names {', '.join(by_name)}"
            raise usage(f"--set {text}: expected NAME=VALUE, with {names}{meant}")
        declared = by_name[name]
        item = declared.read(value)
        read[name] = [*(read[name] or []), item] if declared.many else item
    return {name.replace("-", "_"): value for name, value in read.items()}
