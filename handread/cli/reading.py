"""The options that say how the files of hands are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import typer

from handread.cli.declared import option
from handread.cli.help import READING
from handread.cli.options import Grammars, dialect_names, usage, usage_errors, writable
from handread.lazy import lazily

with lazily():
    import handread.aliases as aliases
    import handread.formats.faults as faults
    import handread.formats.registry as formats
    import handread.names as naming
    import handread.report.words as words
    import handread.sessions.files as sessions
    import handread.sessions.opening as opening

NAMES = "HANDREAD_NAMES"
"""The environment variable that names the file of --names for all commands."""


@dataclass(frozen=True)
class FormatOptions:
    """How files are read."""

    dialect: str | None = option(
        "Format of the files, one of handread formats. Default: detect it.",
        "NAME",
        names=dialect_names,
        panel=READING,
    )
    grammar: Grammars = field(default_factory=list)
    keep_repeated: bool = option(
        "Keep hands with the room, number and play of an earlier one; they are left out otherwise.",
        panel=READING,
        default=False,
    )
    names: Path | None = option(
        "File of players with several names, and of names to leave out. Default: that of the "
        "variable HANDREAD_NAMES.",
        "FILE.toml",
        panel=READING,
    )
    hero: str | None = option(
        "Name of the player who is you. Default: whose downcards the log lists.",
        "NAME",
        panel=READING,
    )

    def player_names(self) -> naming.Names:
        """Return the aliases of names and the name of the hero; raise usage errors."""
        file = self.names or os.environ.get(NAMES)
        with usage_errors():
            names = naming.read_names(file) if file else naming.NO_NAMES
        return replace(names, hero=self.hero)

    def settings(
        self, _files: Iterable[str] = (), anonymous: bool = False
    ) -> sessions.ReadSettings:
        """Return the settings for reading files, or raise a usage error."""
        known = known_with(self.grammar)
        if self.dialect is not None:
            with usage_errors():
                known.named(self.dialect)
        return sessions.ReadSettings(
            self.dialect,
            known,
            keep_repeated=self.keep_repeated,
            names=self.player_names(),
            aliases=aliases.Aliases() if anonymous else None,
        )


@dataclass(frozen=True)
class LogOptions(FormatOptions):
    """How the hands of files are read, and where refused ones are kept."""

    rejects: Path | None = option(
        "Save the text of refused hands to this file, to repair and read again. It "
        "stays as it is if none is refused.",
        "FILE",
        check=writable,
        panel=READING,
        repeated=False,
    )

    def settings(self, files: Iterable[str] = (), anonymous: bool = False) -> sessions.ReadSettings:
        """Return the settings for reading files, or raise a usage error."""
        settings = super().settings(files, anonymous)
        rejects = self.rejects
        if rejects is None:
            return settings
        if any(opening.same_file(rejects, file) for file in [*files, *self.grammar]):
            message = "is one of the files to read; choose another name for --rejects"
            raise usage(f"{rejects}: {message}")
        if anonymous:
            raise usage("--rejects saves the text of the log with its names: leave out --anonymous")
        return replace(settings, rejects=rejects)

    def session(
        self, files: Sequence[str], *written: Path | None, prints: bool = False
    ) -> sessions.Session:
        """Open the files of an experiment; raise a usage error if one of them is to be written."""
        with usage_errors():
            reads = self.settings(files)
            keep_apart(files, *written)
        return sessions.Session(files, reads, prints=prints)


@dataclass(frozen=True)
class ReadingOptions(LogOptions):
    """How the hands of files are read, and the message on hands of other games."""

    verbose: bool = option(
        "List the hands of other games, which are left out.",
        flags="--verbose -v",
        panel=READING,
        default=False,
        repeated=False,
    )

    def settings(self, files: Iterable[str] = (), anonymous: bool = False) -> sessions.ReadSettings:
        """Return the settings for reading files, or raise a usage error."""
        return replace(super().settings(files, anonymous), verbose=self.verbose)


def keep_apart(files: Iterable[str], *written: Path | None) -> None:
    """Raise a usage error if a file to write is one of the files to read."""
    for path in written:
        if path is not None and any(opening.same_file(path, file) for file in files):
            raise usage(f"{path}: is one of the files to read; choose another name")


def known_with(grammars: Iterable[str]) -> formats.FormatRegistry:
    """Return the built-in formats and formats of grammar files, or end with a usage error.

    Faults of a grammar are printed in plain lines, as by ``formats --lint``: the frame of a usage
    error would break them between the file and the line.
    """
    with usage_errors():
        try:
            return formats.read_grammars(grammars)
        except faults.GrammarError as error:
            for fault in error.faults:
                typer.echo(words.visible(str(fault)), err=True)
            raise typer.Exit(2) from None
