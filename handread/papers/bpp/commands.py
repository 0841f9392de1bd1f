"""The experiments with BPP: ``handread experiment bpp`` and ``bpp-reader``."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from handread.cli.declared import argument, option
from handread.cli.experiment import experiment
from handread.cli.groups import DrawnOptions, OutputOptions, RunningOptions, TableOptions, spread
from handread.cli.help import examples
from handread.cli.options import MOST_GAMES, Games, file_option, usage, usage_errors
from handread.cli.rare import setting
from handread.lazy import lazily

with lazily():
    import handread.game.rules as rules
    import handread.papers.bpp.expected as expecting
    import handread.papers.bpp.matches as matching
    import handread.papers.bpp.network as networks
    import handread.papers.bpp.play as play
    import handread.papers.bpp.reader_study as reader_study
    import handread.papers.bpp.search as searching
    import handread.papers.bpp.shipped as shipped
    import handread.papers.bpp.text as bpp_text
    import handread.whole_files as whole_files
    from handread.cli import console

PAIRINGS = (
    "bpp:probabilistic",
    "bpp:rules",
    "bpp-even:probabilistic",
    "bpp-even:rules",
    "probabilistic:rules",
)
"""The paper's pairings, the same with a BPP that never learns, and the two opponents."""

MINOR = 100
"""Minor units of a bet."""

BPPRun = StrEnum("BPPRun", "MATCHES EXPECTED CURVES")

CurveKind = StrEnum("CurveKind", "PAPER SEPARATE HIDDEN")

GAMES = {BPPRun.MATCHES: 500, BPPRun.EXPECTED: 1000, BPPRun.CURVES: 2000}
DECKS = {BPPRun.MATCHES: 0, BPPRun.EXPECTED: 500, BPPRun.CURVES: 1000}
"""Defaults of the numbers of games and of decks."""


@dataclass(frozen=True)
class Matches:
    """Who plays matches, and how."""

    matches: int = setting("Number of matches of each pairing.", default=24)
    pairing: list[str] | None = setting(
        "Two of the players bpp, bpp-even (never learns), bpp-fine (more hand types), "
        "bpp-fine-even, probabilistic and rules; may be repeated. Default: bpp and bpp-even "
        "against probabilistic and rules, and these against each other.",
        "PLAYER:PLAYER",
    )
    ante: float = setting("Size of the ante, in bets.", "BETS", min=0.01, max=10, default=1.0)

    def plan(self, curves: CurveKind, games: int, seed: int) -> "matching.MatchPlan":
        """Return the settings of matches of so many games; raise a usage error for invalid ones."""
        stakes = replace(play.BPP_STAKES, ante=round(self.ante * MINOR))
        with usage_errors():
            texts = dict.fromkeys(self.pairing or PAIRINGS)
            pairings = tuple(matching.Pairing.parse(text, curves.value) for text in texts)
            return matching.MatchPlan(pairings, games, stakes, seed)


@dataclass(frozen=True)
class SearchOptions:
    """How curves are searched for."""

    climbs: int = setting("For curves: number of climbs.", default=4)
    steps: int = setting("For curves: number of steps of a climb.", min=0, default=400)
    candidates: int = setting(
        "For curves: number of random candidates for the start of a climb.", min=0, default=30
    )
    steepness: float = setting(
        "For curves: slope of the curves of bets and folds.", "X", max=50, default=8.0
    )

    def plan(self, curves: CurveKind, games: int, decks: int, seed: int) -> "searching.SearchPlan":
        """Return the settings of a search, or raise a usage error."""
        if decks < 2:
            raise usage("--set decks: at least 2 are needed for curves")
        kind, candidates = curves.value, self.candidates
        return searching.SearchPlan(
            kind, self.steepness, decks, candidates, steps=self.steps, learning=games, seed=seed
        )


@dataclass(frozen=True)
class Done:
    """The task, and its numbers of games and decks."""

    task: BPPRun = argument(
        "matches: play matches; expected: let the players learn in one match, then deal "
        "decks, each in both ways, and add up all ways to play them; curves: search for "
        "betting curves.",
        "[KIND]",
        default=BPPRun.MATCHES,
    )
    games: int | None = option(
        "Number of games of a match; for curves, of those in which BPP first learns about "
        "its opponent. Default: 500, 1000 for expected, 2000 for curves.",
        min=0,
        max=MOST_GAMES,
    )
    curves: CurveKind = setting(
        "Betting curves that are played by, or searched for: one set; a separate second set "
        "where there is no bet to call; or a second set for hands whose strength is hidden.",
        default=CurveKind.PAPER,
    )
    decks: int | None = setting(
        "Number of decks of expected, or for each score of curves. Default: 500, 1000 for curves."
    )

    @property
    def n_games(self) -> int:
        """The number of games."""
        return GAMES[self.task] if self.games is None else self.games

    @property
    def n_decks(self) -> int:
        """The number of decks."""
        return DECKS[self.task] if self.decks is None else self.decks

    def check(self, matches: Matches, search: SearchOptions, output: DrawnOptions) -> None:
        """Raise a usage error for options of another task."""
        match self.task:
            case BPPRun.EXPECTED if output.plot is not None:
                raise usage("--plot draws matches and curves: leave expected out")
            case BPPRun.MATCHES if self.decks is not None:
                raise usage("--set decks is for expected and for curves: leave it out")
            case BPPRun.CURVES if matches != Matches():
                raise usage("--set matches, pairing and ante are for matches: leave them out")
        if self.task is not BPPRun.CURVES and search != SearchOptions():
            which = "climbs, steps, candidates and steepness"
            raise usage(f"--set {which} are for curves: leave them out")


@spread
@examples(
    ("short matches", "handread experiment bpp --games 20 --set matches=2"),
    (
        "a search for other curves, with a picture of them",
        "handread experiment bpp curves --set curves=separate --plot curves.png",
    ),
)
def bpp(
    *,
    done: Done,
    matches_of: Matches,
    search: SearchOptions,
    running: RunningOptions,
    output: DrawnOptions,
) -> None:
    """Korb et al. 1999: BPP in matches, and its curves.

    BPP plays five-card stud against two simpler players: Figure 3. The players of a match change
    seats after each game and keep what they have learned.

    The curves of section 4.1 of the paper beat the rule-based player. They are printed as a table
    of TOML. The included curves are the results with the defaults.
    """
    done.check(matches_of, search, output)
    if done.task is BPPRun.CURVES:
        plan = search.plan(done.curves, done.n_games, done.n_decks, running.seed)
        terms = {"command": "bpp-curves", "plan": repr(plan)}
        find = partial(searching.search, plan, search.climbs)
        experiment(find, bpp_text.search_text, terms, running, output, figure="curves_figure")
        return
    matches = matches_of.plan(done.curves, done.n_games, running.seed)
    terms = {"plan": repr(matches), "curves": repr(play.bettings()[done.curves.value])}
    if done.task is BPPRun.EXPECTED:
        terms["command"] = "bpp-expected"
        add_up = partial(expecting.expected, matches, done.n_decks)
        experiment(add_up, bpp_text.expected_text, terms, running, output)
    else:
        terms["command"] = "bpp"
        meet = partial(matching.bpp_matches, matches, matches_of.matches)
        experiment(meet, bpp_text.matches_text, terms, running, output, figure="matches_figure")


@spread
@examples(
    ("few games, for a first look", "handread experiment bpp-reader --games 20"),
    (
        "among loose players",
        "handread experiment bpp-reader --games 300 --set train=3000 --policy loose",
    ),
)
def bpp_reader(
    *,
    games: Games = 400,
    train: int | None = setting(
        "Number of games to learn from. Default: ten times --games.", max=MOST_GAMES
    ),
    table: TableOptions = TableOptions(
        seats=3, game="5stud ante .25 bring-in 0 bets 1 1 2 2 raises 4"
    ),
    running: RunningOptions,
    output: OutputOptions,
) -> None:
    """Measure improvements of BPP's network, one by one.

    BPP's authors propose them.
    """
    setup = table.setup()
    with usage_errors():
        reader_study.check_read(setup)
    train = min(MOST_GAMES, 10 * games) if train is None else train
    measure = partial(reader_study.bpp_readers, setup, games, train)
    terms = {"command": "bpp-reader", "setup": setup, "train": train}
    experiment(measure, bpp_text.bpp_readers_text, terms, running, output)


@spread
@examples(
    ("the network of the last betting round", "handread policy export -o bpp.bif"),
    ("that of the first, with two cards", "handread policy export -o bpp2.bif --set cards=2"),
)
def export(
    *,
    output: Path = file_option("File to write.", flags="-o --output", default=...),
    cards: int = setting(
        "Number of cards of each player in the betting round.", min=2, max=5, default=5
    ),
) -> None:
    """Write BPP's network as BIF, for pyAgrum or pgmpy.

    It is the network of a betting round of five-card stud.
    """
    reader = shipped.shipped_reader()
    round_ = networks.network(cards)
    matrices = reader.matrices(rules.FIVE_STUD)
    actions = matrices.of_types(round_.types, cards, cards - rules.FIVE_STUD.first)
    with console.errors_told():
        whole_files.write_text_whole(output, networks.bif_text(round_, actions))
