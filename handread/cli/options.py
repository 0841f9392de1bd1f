"""Options that several commands share. Heavy modules are imported only when needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from handread.cli.help import OUTPUT, POLICIES, READING, RUNNING, TABLE, choices
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

MOST = 1_000_000
"""Largest number of whatever else is counted."""


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
        help="Hand histories or folders. - is standard input; FILE:N is the hand at line N "
        "(Parquet: row N).",
    ),
]


def dialect_names() -> list[str]:
    """Return the names of the formats, for completion."""
    return [dialect.name for dialect in formats.dialects()]


Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        help="Format of the files, one of handread formats. Default: detect it.",
        metavar="NAME",
        autocompletion=dialect_names,
        rich_help_panel=READING,
    ),
]
Grammars = Annotated[
    list[str],
    typer.Option(
        "--grammar",
        help="Grammar of a room of your own; may be repeated.",
        metavar="FILE.toml",
        rich_help_panel=READING,
    ),
]
RejectsFile = Annotated[
    Path | None,
    typer.Option(
        "--rejects",
        help="Save the text of refused hands to this file, to repair and read again. It "
        "stays as it is if none is refused.",
        metavar="FILE",
        callback=writable,
        rich_help_panel=READING,
    ),
]


Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        help="List the hands of other games, which are left out.",
        rich_help_panel=READING,
    ),
]
KeepRepeated = Annotated[
    bool,
    typer.Option(
        "--keep-repeated",
        help="Keep hands with the room, number and play of an earlier one; they are left out "
        "otherwise.",
        rich_help_panel=READING,
    ),
]
WrittenDialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        help="Format to write. Default: that of the file's ending, or saund on standard output.",
        metavar="NAME",
        callback=_known_writer,
        autocompletion=_writer_names,
        rich_help_panel=OUTPUT,
    ),
]
Target = Annotated[
    str,
    typer.Option(
        "--to",
        help="Format to write: parquet, or one of handread formats.",
        metavar="NAME",
        autocompletion=lambda: [*_writer_names(), "parquet"],
        rich_help_panel=OUTPUT,
    ),
]
HandId = Annotated[
    str | None,
    typer.Option(
        "--hand",
        help="Read only the hand with this id; #N is the Nth hand.",
        metavar="ID",
        rich_help_panel=READING,
    ),
]
Anonymous = Annotated[
    bool,
    typer.Option(
        "--anonymous",
        help="Call the players Player 1, Player 2 ..., and leave out chat, hand numbers, tables, "
        "dates and file names.",
        rich_help_panel=OUTPUT,
    ),
]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json", help="Print a JSON object for each hand, one per line.", rich_help_panel=OUTPUT
    ),
]
PolicyName = Annotated[
    str,
    typer.Option(
        "--policy",
        help="How the players bet: a policy by name (see handread policy list) or a TOML file.",
        metavar="NAME|FILE",
        autocompletion=policy_names,
        rich_help_panel=POLICIES,
    ),
]
SuitingPolicy = Annotated[
    str | None,
    typer.Option(
        "--policy",
        help="How the players bet: a policy by name (see handread policy list) or a TOML "
        "file. Default: people for logs of rooms and PHH, otherwise default.",
        metavar="NAME|FILE",
        autocompletion=policy_names,
        rich_help_panel=POLICIES,
    ),
]
ReaderName = Annotated[
    str | None,
    typer.Option(
        "--reader",
        help="How to read: cards-only, loki, loki-specific, loki-basic, bpp, bpp-improved, trees "
        "or another policy, or FILE.py with a reader of your own, which is run.",
        metavar="NAME|FILE",
        autocompletion=reader_names,
        rich_help_panel=POLICIES,
    ),
]
Lapse = Annotated[
    float | None,
    typer.Option(
        help="Probability that a player acts at random instead. Default: that of the policy.",
        metavar="P",
        min=0,
        max=1,
        rich_help_panel=POLICIES,
    ),
]


def simulated_players(told: str, names: Callable[[], list[str]] = policy_names) -> Any:
    """Return the option for the players of simulated games; ``told`` says who they may be."""
    return typer.Option(
        "--players",
        help=f"Simulated players: {told}",
        metavar="NAME,...",
        autocompletion=names,
        rich_help_panel=POLICIES,
    )


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
    typer.Option(
        "--seat",
        help="Policy, knowledge or both of some seats: 3=loose, 2,4,6=:cards-only, "
        "5=my.toml:cards-only; may be repeated.",
        metavar="N=PLAYER",
        rich_help_panel=POLICIES,
    ),
]
Uncertainty = Annotated[
    int,
    typer.Option(
        "--uncertainty",
        help="Show 90% ranges from N draws of the policy's fitted parameters, such as 40; 0 "
        "shows none.",
        metavar="N",
        min=0,
        max=10_000,
        rich_help_panel=POLICIES,
    ),
]
Seats = Annotated[
    int,
    typer.Option(
        "--seats",
        help="Number of players at the table.",
        min=2,
        max=8,
        metavar="N",
        rich_help_panel=TABLE,
    ),
]
SevenSeats = Annotated[
    int,
    typer.Option(
        "--seats",
        help="Number of players at the table.",
        min=2,
        max=7,
        metavar="N",
        rich_help_panel=TABLE,
    ),
]
"""``Seats`` of a table at which the deck has seven cards for every player."""

Games = Annotated[int, typer.Option(help="Number of games.", min=1, max=MOST_GAMES, metavar="N")]
GamesOfEach = Annotated[
    int,
    typer.Option(
        help="Number of games of each kind of players.", min=1, max=MOST_GAMES, metavar="N"
    ),
]
KnowledgeOf = Annotated[
    Knowledge,
    typer.Option(
        "--knowledge",
        help="What the players know of each other: bets and cards, or cards only.",
        metavar=choices(Knowledge),
        rich_help_panel=POLICIES,
    ),
]
Game = Annotated[
    str | None,
    typer.Option(
        "--game",
        help='Game and stakes, such as razz, or "stud8 ante .1 bring-in .1 bets .5 .5 1 1 '
        '1". Those of the paper are "ante .25 bring-in .25 bets 1 1 2 2 2 raises 4".',
        metavar="GAME",
        rich_help_panel=TABLE,
    ),
]
OneGame = Annotated[
    AnalyzedGame | None,
    typer.Option(
        "--game",
        help="Take only the hands of this game. Default: all games together.",
        metavar=choices(AnalyzedGame),
    ),
]
Stack = Annotated[
    str | None,
    typer.Option(
        help="Chips of each player at the start of a game. Default: unlimited.",
        metavar="AMOUNT",
        rich_help_panel=TABLE,
    ),
]
Decisions = Annotated[
    bool,
    typer.Option(
        "--decisions",
        help="Also value the decisions of players whose downcards are known.",
    ),
]
Exact = Annotated[
    bool,
    typer.Option(
        "--exact",
        help="Value decisions by rollouts, which are random continuations of the hand. That takes "
        "seconds a hand. Default: at once by learned values, if the policy has them for the game.",
    ),
]
DecisionRollouts = Annotated[
    int | None,
    typer.Option(
        "--rollouts",
        help="Number of rollouts of each decision, with --exact; more give smaller errors. "
        f"Default: {ROLLOUTS}.",
        min=10,
        max=MOST_ROLLOUTS,
        metavar="N",
    ),
]
Viewpoint = Annotated[
    str | None,
    typer.Option(
        "--viewpoint",
        help="Who looks on: public, hero, seat:N, a player's name, or omniscient, who sees all "
        "cards.",
        metavar="WHO",
        callback=_known_viewpoint,
        autocompletion=lambda: [
            *("public", "hero", "omniscient"),
            *(f"seat:{n}" for n in range(1, 9)),
        ],
        rich_help_panel=POLICIES,
    ),
]
TIES = typer.Option(
    "--ties",
    help="Tied hands split the pot, or each counts as a win (paper).",
    metavar=choices(Ties),
)
TiesOption = Annotated[Ties, TIES]
Top = Annotated[
    int,
    typer.Option(
        "--top", help="Number of holdings to list for each player.", min=1, max=1326, metavar="N"
    ),
]


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
    typer.Option(
        "--family",
        help="Form of the policy: smooth log-odds, the paper's ramps, or a relational tree.",
        metavar=choices(FamilyName),
    ),
]
FeaturesOption = Annotated[
    str,
    typer.Option(
        "--features",
        help="Features of a logit policy, separated by commas: boards, kinds, slopes, or "
        "single ones such as ace@on_3rd; or none.",
        metavar="NAMES",
        callback=_feature_groups,
    ),
]
OnePolicy = Annotated[
    bool,
    typer.Option("--one-policy", help="Learn one policy for all players, and none of each player."),
]
Penalty = Annotated[
    float | None,
    typer.Option(
        help="Weight of the prior, to which the fit is held. Default: chosen by cross-validation.",
        min=0.001,
        max=1e6,
        metavar="X",
    ),
]
LikelihoodExponent = Annotated[
    float | None,
    typer.Option(
        "--likelihood-exponent",
        "--temper",
        help="Exponent on P(action | holding) in a read; below 1, actions tell less. "
        "Default: chosen by cross-validation.",
        min=0.01,
        max=1.0,
        metavar="X",
    ),
]
Resamples = Annotated[
    int,
    typer.Option(
        help="Number of bootstrap resamples, for the intervals.", min=100, max=100_000, metavar="N"
    ),
]
Seed = Annotated[
    int,
    typer.Option(help="Random seed.", min=0, max=2**32 - 1, metavar="N", rich_help_panel=RUNNING),
]
Workers = Annotated[
    int,
    typer.Option(
        help="Number of processes; 0 uses all cores if the run is long enough.",
        min=0,
        max=61,
        metavar="N",
        rich_help_panel=RUNNING,
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        help="Run on the Dask cluster with this scheduler, such as tcp://host:8786.",
        metavar="ADDRESS",
        rich_help_panel=RUNNING,
    ),
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Continue an interrupted run, as giving the same command again does, and say so if "
        "there is none.",
        rich_help_panel=RUNNING,
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
    typer.Option(
        "--plot",
        help="Draw the figure to this file: .png, .svg or .pdf.",
        metavar="FILE",
        callback=drawable,
        rich_help_panel=OUTPUT,
    ),
]

Csv = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        help="Write the table to this file, as CSV.",
        metavar="FILE",
        callback=writable,
        rich_help_panel=OUTPUT,
    ),
]
