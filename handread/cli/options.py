"""Options that several commands share. Heavy modules are imported only when needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from handread.cli.declared import Option
from handread.cli.help import OUTPUT, POLICIES, READING, RUNNING, TABLE
from handread.lazy import lazily

with lazily():
    import handread.formats.format as format_kinds
    import handread.formats.registry as formats
    import handread.parallel as parallel
    import handread.policy as policies
    import handread.policy.features as features
    import handread.readers as readers
    import handread.registry as papers
    import handread.report.words as words


def usage(message: object) -> typer.BadParameter:
    """Return the error for an invalid option or argument; it ends the program with status 2.

    Control characters are escaped, because the message may quote a file made from logs.
    """
    return typer.BadParameter("\n".join(map(words.visible, str(message).split("\n"))))


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn errors about the values, files or policies given into usage errors."""
    try:
        yield
    except (ValueError, parallel.RunError) as error:
        raise usage(error) from None


def _writer_names() -> list[str]:

    return [
        dialect.name for dialect in formats.dialects() if isinstance(dialect, format_kinds.Writer)
    ]


def _known_writer(name: str | None) -> str | None:

    return _found(formats.writer_named, name)


def _known_viewpoint(name: str | None) -> str | None:
    if name is not None and re.fullmatch(r"|seat:(?![0-9]+$).*", name):
        known = "public, hero, seat:N, omniscient or the name of a player"
        raise usage(f"no viewpoint {name!r}: expected {known}")
    return name


def _found(look_up: Callable[[str], object], name: str | None) -> str | None:
    """Return a name given by the user; raise a usage error if the look-up does not find it."""
    if name is not None:
        with usage_errors():
            look_up(name)
    return name


def policy_names() -> list[str]:
    """Return the names of the included policies, for completion."""
    return policies.policy_names()


def player_names() -> list[str]:
    """Return the names of simulated players, for completion."""
    return readers.player_names()


def reader_names() -> list[tuple[str, str]]:
    """Return the names of the readers and what they are, for completion."""
    titles = {name: reader.title for name, reader in papers.readers().items()}
    return [(name, titles.get(name, "")) for name in readers.reader_names()]


def writable(path: Path | None) -> Path | None:
    """Return a path; raise a usage error if no file can be written there.

    Otherwise a long run would fail only at its end.
    """
    if path is not None:
        if not path.name or path.is_dir():
            raise usage(f"{path}: is a folder, not a file to write")
        if not path.parent.is_dir():
            raise usage(f"{path}: cannot be written, there is no folder {path.parent}")
    return path


MOST_GAMES = 10_000_000
"""Largest number of games, hands and decks: the plan of more would not fit in memory."""

ROLLOUTS = 300
"""Number of rollouts of a decision by default."""

MOST_ROLLOUTS = 1_000_000
"""Largest number of rollouts of a decision: they are all in memory at once."""


class Ties(StrEnum):
    """Tie rules."""

    SPLIT = "split"
    PAPER = "paper"


class Knowledge(StrEnum):
    """Knowledge of a player about the others."""

    BET_INFERENCE = "bet-inference"
    CARDS_ONLY = "cards-only"


class AnalyzedGame(StrEnum):
    """Games of which the betting is analyzed."""

    STUD = "stud"
    STUD8 = "stud8"
    RAZZ = "razz"
    FIVE_STUD = "5stud"


class FamilyName(StrEnum):
    """Families of policies that can be fitted."""

    LOGIT = "logit"
    RAMPS = "ramps"
    TREE = "tree"


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


Dialect = Annotated[
    str | None,
    Option(
        "Format of the files, one of handread formats. Default: detect it.",
        "NAME",
        names=dialect_names,
        panel=READING,
    ),
]
Grammars = Annotated[
    list[str], Option("Grammar of a room of your own; may be repeated.", "FILE.toml", panel=READING)
]
RejectsFile = Annotated[
    Path | None,
    Option(
        "Save the text of refused hands to this file, to repair and read again. It "
        "stays as it is if none is refused.",
        "FILE",
        check=writable,
        panel=READING,
    ),
]


Verbose = Annotated[
    bool,
    Option(
        "List the hands of other games, which are left out.", flags="--verbose -v", panel=READING
    ),
]
KeepRepeated = Annotated[
    bool,
    Option(
        "Keep hands with the room, number and play of an earlier one; they are left out otherwise.",
        panel=READING,
    ),
]
NamesFile = Annotated[
    Path | None,
    Option(
        "File of players with several names, and of names to leave out. Default: that of the "
        "variable HANDREAD_NAMES.",
        "FILE.toml",
        panel=READING,
    ),
]
Hero = Annotated[
    str | None,
    Option(
        "Name of the player who is you. Default: whose downcards the log lists.",
        "NAME",
        panel=READING,
    ),
]
WrittenDialect = Annotated[
    str | None,
    Option(
        "Format to write. Default: that of the file's ending, or saund on standard output.",
        "NAME",
        check=_known_writer,
        names=_writer_names,
        panel=OUTPUT,
    ),
]
Target = Annotated[
    str,
    Option("Format to write, one of handread formats.", "NAME", names=_writer_names, panel=OUTPUT),
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
AsJson = Annotated[
    bool, Option("Print a JSON object for each hand, one per line.", flags="--json", panel=OUTPUT)
]
PolicyName = Annotated[
    str,
    Option(
        "How the players bet: a policy by name (see handread policy list) or a TOML file.",
        "NAME|FILE",
        names=policy_names,
        panel=POLICIES,
    ),
]
SuitingPolicy = Annotated[
    str | None,
    Option(
        "How the players bet: a policy by name (see handread policy list) or a TOML "
        "file. Default: people for logs of rooms and PHH, otherwise default.",
        "NAME|FILE",
        names=policy_names,
        panel=POLICIES,
    ),
]
KnownTables = Annotated[
    Path | None,
    Option(
        "Start from what these tables of earlier sessions, written by handread score, tell of "
        "the players by name: which style each follows.",
        "TABLES",
        panel=POLICIES,
    ),
]
ReaderName = Annotated[
    str | None,
    Option(
        "How to read: cards-only, loki, loki-specific, loki-basic, bpp, bpp-improved, trees "
        "or another policy, or FILE.py with a reader of your own, which is run.",
        "NAME|FILE",
        names=reader_names,
        panel=POLICIES,
    ),
]
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
    """Return the option for the players of simulated games; ``told`` says who they may be."""
    return Option(f"Simulated players: {told}", "NAME,...", names=names, panel=POLICIES)


def listed(texts: Iterable[str]) -> list[str]:
    """Return the names of texts that are each a file, or names between commas."""
    found = [
        name.strip()
        for text in texts
        for name in ([text] if Path(text).is_file() else text.split(","))
    ]
    if not all(found):
        raise usage(f"{','.join(texts)!r}: expected names between the commas")
    return found


SeatModels = Annotated[
    list[str],
    Option(
        "Policy, knowledge or both of some seats: 3=loose, 2,4,6=:cards-only, "
        "5=my.toml:cards-only; may be repeated.",
        "N=PLAYER",
        panel=POLICIES,
    ),
]
Uncertainty = Annotated[
    int,
    Option(
        "Show 90% ranges from N draws of the policy's fitted parameters, such as 40; 0 shows none.",
        min=0,
        max=10_000,
        panel=POLICIES,
    ),
]
Seats = Annotated[int, Option("Number of players at the table.", min=2, max=8, panel=TABLE)]
SevenSeats = Annotated[int, Option("Number of players at the table.", min=2, max=7, panel=TABLE)]
"""``Seats`` of a table at which the deck has seven cards for every player."""

Games = Annotated[int, Option("Number of games.", max=MOST_GAMES)]
GamesOfEach = Annotated[int, Option("Number of games of each kind of players.", max=MOST_GAMES)]
KnowledgeOf = Annotated[
    Knowledge,
    Option("What the players know of each other: bets and cards, or cards only.", panel=POLICIES),
]
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
Decisions = Annotated[
    bool, Option("Also value the decisions of players whose downcards are known.")
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
        check=_known_viewpoint,
        names=lambda: [*("public", "hero", "omniscient"), *(f"seat:{n}" for n in range(1, 9))],
        panel=POLICIES,
    ),
]
TIES = Option("Tied hands split the pot, or each counts as a win (paper).")
TiesOption = Annotated[Ties, TIES]
Top = Annotated[int, Option("Number of holdings to list for each player.", max=1326)]


def _feature_groups(text: str) -> str:
    """Return the value of --features; refuse what is neither a group nor a feature."""
    for name in text.split(","):
        if name in (*FEATURE_GROUPS, "none") or name in features.STUD_HIGH.optional:
            continue
        raise usage(
            f"no features {name!r}: expected {', '.join(FEATURE_GROUPS)}, none, or a "
            "feature such as ace or ace@on_3rd"
        )
    return text


FamilyOption = Annotated[
    FamilyName,
    Option("Form of the policy: smooth log-odds, the paper's ramps, or a relational tree."),
]
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
Seed = Annotated[int, Option("Random seed.", min=0, max=2**32 - 1, panel=RUNNING)]
Workers = Annotated[
    int,
    Option(
        "Number of processes; 0 uses all cores if the run is long enough.",
        min=0,
        max=61,
        panel=RUNNING,
    ),
]
Scheduler = Annotated[
    str | None,
    Option(
        "Run on the Dask cluster with this scheduler, such as tcp://host:8786.",
        "ADDRESS",
        panel=RUNNING,
    ),
]
Resume = Annotated[
    bool,
    Option(
        "Continue an interrupted run, as giving the same command again does, and say so if "
        "there is none.",
        panel=RUNNING,
    ),
]


FEATURE_GROUPS = ("boards", "kinds", "slopes")
"""The groups of features that a fit may add, as in ``study.fit.families``."""

PICTURES = (".png", ".svg", ".pdf")


def drawable(path: Path | None) -> Path | None:
    """Return a path; raise a usage error if no picture can be written there."""
    if path is not None and path.suffix.lower() not in PICTURES:
        raise usage(f"{path}: a picture is written as .png, .svg or .pdf")
    return writable(path)


Plot = Annotated[
    Path | None,
    Option(
        "Draw the figure to this file: .png, .svg or .pdf.", "FILE", check=drawable, panel=OUTPUT
    ),
]

Csv = Annotated[
    Path | None,
    Option("Write the table to this file, as CSV.", "FILE", check=writable, panel=OUTPUT),
]
