"""Options that several commands share. Heavy modules are imported only when needed."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from handread.cli.declared import Option, option
from handread.cli.help import OUTPUT, POLICIES, READING, RUNNING, TABLE
from handread.extras import need
from handread.game.rules import GAMES
from handread.lazy import lazily

with lazily():
    import handread.formats.format as format_kinds
    import handread.formats.registry as formats
    import handread.named_readers as readers
    import handread.parallel as parallel
    import handread.policy as policies
    import handread.policy.features as features
    import handread.registry as papers
    import handread.report.words as words


def usage(message: object) -> typer.BadParameter:
    """Return the error for an invalid option or argument; it ends the program with status 2.

    Control characters are escaped, because the message may quote a file made from logs.
    """
    return typer.BadParameter("\n".join(map(words.visible, str(message).split("\n"))))


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn errors about the given values, files or policies into usage errors."""
    try:
        yield
    except (ValueError, parallel.RunError) as error:
        raise usage(error) from None


def writer_names() -> list[str]:
    """Return the names of the formats that can be written, for completion."""
    return [known.name for known in formats.dialects() if isinstance(known, format_kinds.Writer)]


def known_who(what: str, expected: str) -> Callable[[str | None], str | None]:
    """Return the check of a player's name: not empty, no seat without a number."""

    def check(name: str | None) -> str | None:
        if name is not None and re.fullmatch(r"|seat:(?![0-9]+$).*", name):
            raise usage(f"no {what} {name!r}: expected {expected}")
        return name

    return check


def policy_names() -> list[str]:
    """Return the names of the included policies, for completion."""
    return [*policies.policy_names()]


def player_names() -> list[str]:
    """Return the names of simulated players, for completion."""
    return readers.player_names()


def reader_names() -> list[tuple[str, str]]:
    """Return the names and descriptions of the readers, for completion."""
    titles = {name: reader.title for name, reader in papers.readers().items()}
    return [(name, titles.get(name, "")) for name in readers.reader_names()]


def writable(path: Path | None) -> Path | None:
    """Return a path; raise a usage error now, not after a long run, if it is not writable."""
    if path is not None:
        if not path.name or path.is_dir():
            raise usage(f"{path}: is a folder, not a file to write")
        if not path.parent.is_dir():
            raise usage(f"{path}: cannot be written, there is no folder {path.parent}")
    return path


MOST_GAMES = 10_000_000
"""Largest number of games, hands and decks: a plan for more would not fit in memory."""

ROLLOUTS = 300

MOST_ROLLOUTS = 1_000_000
"""Largest number of rollouts of a decision, all in memory at once."""

Ties = StrEnum("Ties", "SPLIT PAPER")


class Knowledge(StrEnum):
    """Knowledge of a player about the others."""

    BET_INFERENCE = "bet-inference"
    CARDS_ONLY = "cards-only"


# mypy reads members that are written out alone.
AnalyzedGame = StrEnum("AnalyzedGame", {key: key for key in GAMES})  # type: ignore[misc]
FamilyName = StrEnum("FamilyName", "LOGIT RAMPS TREE")

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="Hand histories or folders. - is standard input; FILE:N is the hand at line N.",
    ),
]


def dialect_names() -> list[str]:
    """Return the names of the formats, for completion."""
    return [dialect.name for dialect in formats.dialects()]


Grammars = Annotated[
    list[str], Option("Grammar of a room of your own; may be repeated.", "FILE.toml", panel=READING)
]

HandId = Annotated[
    str | None, Option("Read only the hand with this id; #N is the Nth hand.", "ID", panel=READING)
]
Anonymous = Annotated[
    bool,
    Option(
        "Call the players Player 1, Player 2 ..., and leave out chat, hand numbers, tables, "
        "dates and file names.",
        panel=OUTPUT,
    ),
]


def json_option(help: str) -> Any:
    """Declare the option ``--json`` of a command; ``help`` describes its output."""
    return option(help, flags="--json", panel=OUTPUT, default=False)


def file_option(help: str, metavar: str = "FILE", check: Any = writable, **more: Any) -> Any:
    """Declare an option that names a file to write; ``more`` is as in ``Option``."""
    return option(help, metavar, check=check, panel=OUTPUT, **more)


AsJson = Annotated[
    bool, Option("Print a JSON object for each hand, one per line.", flags="--json", panel=OUTPUT)
]
POLICY = Option(
    "How the players bet: a policy by name (see handread policy list) or a TOML file.",
    "NAME|FILE",
    names=policy_names,
    panel=POLICIES,
)
SUITING = " Default: people for logs of rooms and PHH, otherwise default."
PolicyName = Annotated[str, POLICY]
SuitingPolicy = Annotated[str | None, replace(POLICY, help=POLICY.help + SUITING)]
Lapse = Annotated[
    float | None,
    Option(
        "Probability that a player acts at random instead. Default: that of the policy.",
        "P",
        min=0,
        max=1,
        panel=POLICIES,
    ),
]


def simulated_players(told: str, names: Callable[[], list[str]] = policy_names) -> Any:
    """Declare the option for the players of simulated games; ``told`` names possible players."""
    return option(f"Simulated players: {told}", "NAME,...", names=names, panel=POLICIES)


def whole_numbers(text: str, most: int, fault: str) -> tuple[int, ...]:
    """Return numbers between commas, increasing; raise a usage error unless all are 1 to most."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= most for part in parts):
        raise usage(fault)
    return tuple(sorted({int(part) for part in parts}))


def listed(texts: Iterable[str]) -> list[str]:
    """Return the names in texts that are each a file, or names between commas."""
    split = ([text] if Path(text).is_file() else text.split(",") for text in texts)
    names = [name.strip() for part in split for name in part]
    if not all(names):
        raise usage(f"{','.join(texts)!r}: expected names between the commas")
    return names


SEATS = (
    "Policy, knowledge or both of some seats: 3=loose, 2,4,6=:cards-only, "
    "5=my.toml:cards-only; may be repeated."
)
OWN_SEATS = f"{SEATS} 7=mine.py is a player of your own, whose file is run."
SeatModels = Annotated[list[str], Option(SEATS, "N=PLAYER", panel=POLICIES)]
SeatPlayers = Annotated[list[str], Option(OWN_SEATS, "N=PLAYER", panel=POLICIES)]
Seats = Annotated[int, Option("Number of players at the table.", min=2, max=8, panel=TABLE)]

Games = Annotated[int, Option("Number of games.", max=MOST_GAMES)]
GamesOfEach = Annotated[int, Option("Number of games of each kind of players.", max=MOST_GAMES)]
Game = Annotated[
    str | None,
    Option(
        'Game and stakes, such as razz, or "stud8 ante .1 bring-in .1 bets .5 .5 1 1 '
        '1". Those of the paper are "ante .25 bring-in .25 bets 1 1 2 2 2 raises 4".',
        "GAME",
        panel=TABLE,
    ),
]
OneGame = Annotated[
    AnalyzedGame | None, Option("Take only the hands of this game. Default: all games together.")
]
Stack = Annotated[
    str | None,
    Option(
        "Chips of each player at the start of a game. Default: unlimited.", "AMOUNT", panel=TABLE
    ),
]
Exact = Annotated[
    bool,
    Option(
        "Value decisions by rollouts, which are random continuations of the hand. That takes "
        "seconds a hand. Default: at once by learned values, if the policy has them for the game."
    ),
]
DecisionRollouts = Annotated[
    int | None,
    Option(
        "Number of rollouts of each decision, with --exact; more give smaller errors. "
        f"Default: {ROLLOUTS}.",
        min=10,
        max=MOST_ROLLOUTS,
    ),
]
Viewpoint = Annotated[
    str | None,
    Option(
        "Who looks on: public, hero, seat:N, a player's name, or omniscient, who sees all cards.",
        "WHO",
        check=known_who("viewpoint", "public, hero, seat:N, omniscient or the name of a player"),
        names=lambda: [*("public", "hero", "omniscient"), *(f"seat:{n}" for n in range(1, 9))],
        panel=POLICIES,
    ),
]
TIES = Option("Tied hands split the pot, or each counts as a win (paper).")
TiesOption = Annotated[Ties, TIES]


def _feature_groups(text: str) -> str:
    """Return the value of --features; refuse names that are neither a group nor a feature."""
    for name in text.split(","):
        if name in (*FEATURE_GROUPS, "none") or name in features.STUD_HIGH.optional:
            continue
        expected = f"{', '.join(FEATURE_GROUPS)}, none, or a feature such as ace or ace@on_3rd"
        raise usage(f"no features {name!r}: expected {expected}")
    return text


FeaturesOption = Annotated[
    str,
    Option(
        "Features of a logit policy, separated by commas: boards, kinds, slopes, or "
        "single ones such as ace@on_3rd; or none.",
        "NAMES",
        check=_feature_groups,
    ),
]
OnePolicy = Annotated[bool, Option("Learn one policy for all players, and none of each player.")]
Penalty = Annotated[
    float | None,
    Option(
        "Weight of the prior, to which the fit is held. Default: chosen by cross-validation.",
        "X",
        min=0.001,
        max=1e6,
    ),
]
LikelihoodExponent = Annotated[
    float | None,
    Option(
        "Exponent on P(action | holding) in a read; below 1, actions tell less. "
        "Default: chosen by cross-validation.",
        "X",
        flags="--likelihood-exponent --temper",
        min=0.01,
        max=1.0,
    ),
]
Resamples = Annotated[
    int, Option("Number of bootstrap resamples, for the intervals.", min=100, max=100_000)
]
Workers = Annotated[
    int,
    Option(
        "Number of processes; 0 uses all cores if the run is long enough.",
        min=0,
        max=61,
        panel=RUNNING,
    ),
]

FEATURE_GROUPS = ("boards", "kinds", "slopes")
"""The groups of features that a fit may add, as in ``study.fit.families``."""

PICTURES = (".png", ".svg", ".pdf")


def drawable(path: Path | None) -> Path | None:
    """Return a path; raise a usage error if no picture can be written there."""
    if path is not None:
        if path.suffix.lower() not in PICTURES:
            raise usage(f"{path}: a picture is written as .png, .svg or .pdf")
        need("matplotlib")
    return writable(path)


Plot = Annotated[
    Path | None,
    Option(
        "Draw the figure to this file: .png, .svg or .pdf.", "FILE", check=drawable, panel=OUTPUT
    ),
]


def tabular(path: Path | None) -> Path | None:
    """Return a path; raise a usage error unless its suffix is one for results."""
    if path is not None:
        if path.suffix.lower() not in (".csv", ".json", ".parquet"):
            raise usage(f"{path}: expected a file that ends in .csv, .json or .parquet")
        need("polars")
    return writable(path)


Results = Annotated[
    Path | None,
    Option(
        "Write the figures to this file: .csv, .json or .parquet.",
        "FILE",
        flags="-o --output",
        check=tabular,
        panel=OUTPUT,
    ),
]
