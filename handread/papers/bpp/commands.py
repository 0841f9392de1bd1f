"""The experiments with BPP: ``handread experiment bpp`` and ``handread experiment bpp-curves``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.experiment import experiment
from handread.cli.groups import Drawn, Output, Running, Table, spread
from handread.cli.help import OUTPUT, examples
from handread.cli.options import MOST, MOST_GAMES, usage, usage_errors
from handread.lazy import lazily

with lazily():
    import handread.game.rules as rules
    import handread.papers.bpp.bif as bif_form
    import handread.papers.bpp.expected as expecting
    import handread.papers.bpp.matches as matching
    import handread.papers.bpp.network as networks
    import handread.papers.bpp.play as play
    import handread.papers.bpp.reader_study as reader_study
    import handread.papers.bpp.search as searching
    import handread.papers.bpp.shipped as shipped
    import handread.papers.bpp.text as bpp_text
    from handread.cli import console


PAIRINGS = (
    "bpp:probabilistic",
    "bpp:rules",
    "bpp-even:probabilistic",
    "bpp-even:rules",
    "probabilistic:rules",
)
"""The pairings of the paper, the same with a BPP that never learns, and the two opponents."""

MINOR = 100
"""Minor units of a bet."""


class CurveKind(StrEnum):
    """Kinds of betting curves."""

    PAPER = "paper"
    SEPARATE = "separate"
    HIDDEN = "hidden"


PairingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pairing",
        help="Two of the players bpp, bpp-even (never learns), bpp-fine (more hand types), "
        "bpp-fine-even, probabilistic and rules; may be repeated. Default: bpp and "
        "bpp-even against probabilistic and rules, and these against each other.",
        metavar="PLAYER:PLAYER",
    ),
]
CurvesOption = Annotated[
    str,
    typer.Option(
        help="Betting curves of all players who use them: paper, separate or hidden.",
        metavar="NAME",
    ),
]
AnteOption = Annotated[
    float, typer.Option(help="Size of the ante, in bets.", min=0.01, max=10.0, metavar="BETS")
]


@dataclass(frozen=True)
class Matches:
    """Who plays BPP's matches, and how."""

    pairing: PairingOption = None
    curves: CurvesOption = "paper"
    ante: AnteOption = 1.0

    def plan(self, games: int, seed: int) -> matching.MatchPlan:
        """Return the settings of matches of so many games; raise a usage error for invalid ones."""
        stakes = replace(play.BPP_STAKES, ante=round(self.ante * MINOR))
        with usage_errors():
            texts = dict.fromkeys(self.pairing or PAIRINGS)
            pairings = tuple(matching.Pairing.parse(text, self.curves) for text in texts)
            return matching.MatchPlan(pairings, games, stakes, seed)


@spread
@examples(
    ("short matches", "handread experiment bpp --matches 2 --games 20"),
    (
        "BPP against one that never learns, without the luck of the betting",
        "handread experiment bpp --expected --decks 20 --pairing bpp:bpp-even",
    ),
)
def bpp(
    *,
    expected: Annotated[
        bool,
        typer.Option(
            "--expected",
            help="Let the players learn in one match. Then deal decks, each in both ways, and add "
            "up all ways to play them.",
        ),
    ] = False,
    matches: Annotated[
        int, typer.Option(help="Number of matches of each pairing.", min=1, max=MOST, metavar="N")
    ] = 24,
    games: Annotated[
        int | None,
        typer.Option(
            help="Number of games of a match. Default: 500, and 1000 with --expected.",
            min=4,
            max=MOST_GAMES,
            metavar="N",
        ),
    ] = None,
    decks: Annotated[
        int | None,
        typer.Option(
            help="With --expected: number of decks. Default: 500.", min=1, max=MOST, metavar="N"
        ),
    ] = None,
    matches_of: Matches,
    running: Running,
    output: Drawn,
) -> None:
    """Korb et al. 1999, Figure 3: BPP in matches.

    BPP plays five-card stud against two simpler players. The players of a match change seats after
    each game and keep what they have learned.
    """
    if expected:
        if output.plot is not None:
            raise usage("--plot draws matches: leave --expected out")
        _expected(matches_of.plan(games or 1000, running.seed), decks or 500, running, output)
        return
    if decks is not None:
        raise usage("--decks is for --expected: add it")
    plan = matches_of.plan(games or 500, running.seed)
    terms = {"command": "bpp", **_terms(plan)}
    measure = partial(matching.bpp_matches, plan, matches)
    figure = "matches_figure"
    experiment(measure, bpp_text.matches_text, terms, running, output.csv, output.plot, figure)


def _expected(plan: matching.MatchPlan, decks: int, running: Running, output: Drawn) -> None:
    """Print the expected winnings on decks after a match."""
    terms = {"command": "bpp-expected", **_terms(plan)}
    measure = partial(expecting.expected, plan, decks)
    experiment(measure, bpp_text.expected_text, terms, running, output.csv)


def _terms(plan: matching.MatchPlan) -> dict[str, str]:
    """Return the terms of matches: the settings, and the parameters of the curves."""
    return {"plan": repr(plan), "curves": repr(play.bettings()[plan.pairings[0].curves])}


@spread
@examples(
    (
        "a short search",
        "handread experiment bpp-curves --climbs 1 --steps 3 --decks 10 --learning 50",
    ),
    (
        "that of the paper, with the curves as a picture",
        "handread experiment bpp-curves paper --plot curves.png",
    ),
)
def bpp_curves(
    *,
    kind: Annotated[
        CurveKind,
        typer.Argument(
            metavar="[KIND]",
            help="paper: one set of curves; separate: a second set where there is no bet to call; "
            "hidden: a second set for hands whose strength is hidden.",
        ),
    ] = CurveKind.PAPER,
    climbs: Annotated[
        int, typer.Option(help="Number of climbs.", min=1, max=MOST, metavar="N")
    ] = 4,
    steps: Annotated[
        int, typer.Option(help="Number of steps of a climb.", min=0, max=MOST, metavar="N")
    ] = 400,
    candidates: Annotated[
        int,
        typer.Option(
            help="Number of random candidates for the start of a climb.",
            min=0,
            max=MOST,
            metavar="N",
        ),
    ] = 30,
    decks: Annotated[
        int,
        typer.Option(
            help="Number of decks for each score, each dealt in both ways.",
            min=2,
            max=MOST,
            metavar="N",
        ),
    ] = 1000,
    learning: Annotated[
        int,
        typer.Option(
            help="Number of games in which BPP first learns about its opponent.",
            min=0,
            max=MOST_GAMES,
            metavar="N",
        ),
    ] = 2000,
    steepness: Annotated[
        float,
        typer.Option(help="Slope of the curves of bets and folds.", min=1.0, max=50.0, metavar="X"),
    ] = 8.0,
    running: Running,
    output: Drawn,
) -> None:
    """Korb et al. 1999: search for BPP's betting curves.

    Section 4.1 of the paper: curves that beat the rule-based player. They are printed as a table of
    TOML. Those included are the results with the defaults.
    """
    plan = searching.SearchPlan(
        kind.value, steepness, decks, candidates, steps, learning, running.seed
    )
    terms = {"command": "bpp-curves", "plan": repr(plan)}
    measure = partial(searching.search, plan, climbs)
    experiment(
        measure, bpp_text.search_text, terms, running, output.csv, output.plot, "curves_figure"
    )


@spread
@examples(
    (
        "few games, for a first look",
        "handread experiment bpp-reader --games 20 --train 100",
    ),
    (
        "among loose players",
        "handread experiment bpp-reader --games 300 --train 3000 --policy loose",
    ),
)
def bpp_reader(
    *,
    games: Annotated[
        int, typer.Option(help="Number of games to read.", min=1, max=MOST_GAMES, metavar="N")
    ] = 400,
    train: Annotated[
        int, typer.Option(help="Number of games to learn from.", min=1, max=MOST_GAMES, metavar="N")
    ] = 4000,
    table: Table = Table(seats=3, game="5stud ante .25 bring-in 0 bets 1 1 2 2 raises 4"),
    running: Running,
    output: Output,
) -> None:
    """Measure improvements of BPP's network, one by one.

    BPP's authors propose them.
    """
    setup = table.setup()
    with usage_errors():
        reader_study.check_read(setup)
    measure = partial(reader_study.bpp_readers, setup, games, train)
    terms = {"command": "bpp-reader", "setup": repr(setup), "train": train}
    experiment(measure, bpp_text.bpp_readers_text, terms, running, output.csv)


@examples(
    ("the network of the last betting round", "handread policy export --bif bpp.bif"),
    ("that of the first, with two cards", "handread policy export --bif bpp2.bif --cards 2"),
)
def export(
    bif: Annotated[
        Path,
        typer.Option(
            "--bif",
            help="File to write.",
            dir_okay=False,
            metavar="FILE",
            rich_help_panel=OUTPUT,
        ),
    ],
    cards: Annotated[
        int,
        typer.Option(
            help="Number of cards of each player in the betting round.", min=2, max=5, metavar="N"
        ),
    ] = 5,
) -> None:
    """Write BPP's network as BIF, for pyAgrum or pgmpy.

    It is the network of a betting round of five-card stud.
    """
    reader = shipped.shipped_reader()
    round_ = networks.network(cards, reader.switches.type_set)
    matrices = reader.matrices(rules.FIVE_STUD)
    actions = matrices.of_types(round_.types, cards, cards - rules.FIVE_STUD.first)
    with console.errors_told():
        console.keep(bif, bif_form.bif_text(round_, actions))
