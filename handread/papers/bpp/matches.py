"""The experiments with BPP of Korb et al. 1999, section 5: matches of five-card stud for two.

A match is a series of games between two players who change seats after each game and keep what they
have learned. Matches are independent.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Self

import numpy as np

from handread.arrays import Floats
from handread.game.rules import FIVE_STUD, Stakes
from handread.game.steps import Replay
from handread.history import Seat
from handread.inference.players import PlayerModels, player_models
from handread.named_readers import BLIND
from handread.papers.bpp.opponents import ProbabilisticPlayer, RuleBasedPlayer
from handread.papers.bpp.play import BPP_STAKES, bettings
from handread.papers.bpp.player import BPPPlayer, HabitReader
from handread.papers.bpp.types import FINE, PAPER
from handread.papers.published import Published
from handread.parallel import PART_SIZE
from handread.runs import Run
from handread.simulate import Setup, play_game
from handread.study.statistics import Estimate, FigureTable, Key, Moments
from handread.study.sums import Row, Study, Sums, Weights

MATCHES = Published(
    "Korb et al. 1999, section 5.2",
    {
        Key("paper_t", "", "bpp:probabilistic"): 15.8,
        Key("paper_t", "", "bpp:rules"): 7.84,
        Key("paper_t_of_match", "", "bpp:probabilistic"): 3.25,
    },
)

LEARNED = 200
"""Games compared at the start and at the end of a match (section 5.2)."""

FEWEST_GAMES = 4
"""The fewest games of a match: two at each end, whose scatter can be measured."""

POINTS = 50
"""Number of points of the curve of cumulative winnings."""

BPP, EVEN, FINER, FINER_EVEN, PROBABILISTIC, RULES = PLAYERS = (
    "bpp",
    "bpp-even",
    "bpp-fine",
    "bpp-fine-even",
    "probabilistic",
    "rules",
)
"""The players by name. ``bpp-fine`` has the hand types ``FINE`` instead of the paper's 17. The
"even" players never learn: their action matrices stay at even odds."""

UNLEARNED = {BPP: EVEN, FINER: FINER_EVEN}
"""For each learning player, its version without learning."""

MatchPlayer = BPPPlayer | ProbabilisticPlayer | RuleBasedPlayer


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of a match by name, and their curves; the first player's winnings count."""

    own: str
    other: str
    curves: str = "paper"

    def __post_init__(self) -> None:
        for name in (self.own, self.other):
            if name not in PLAYERS:
                raise ValueError(f"no player {name!r}: expected {', '.join(PLAYERS)}")

    @classmethod
    def parse(cls, text: str, curves: str) -> Self:
        """Return the pairing written as "bpp:rules"; ``ValueError`` for another form or player."""
        first, colon, other = text.partition(":")
        if not colon:
            raise ValueError(f"{text!r} is no pairing: expected two players, as in bpp:rules")
        return cls(first, other, curves)

    @property
    def name(self) -> str:
        """The pairing, for reports."""
        return f"{self.own}:{self.other}"

    @property
    def players(self) -> tuple[MatchPlayer, MatchPlayer]:
        """The players at the start of a match."""
        return player_named(self.own, self.curves), player_named(self.other, self.curves)


def player_named(name: str, curves: str) -> MatchPlayer:
    """Return one of ``PLAYERS`` before the first game of a match."""
    betting = bettings()[curves]
    if name == RULES:
        return RuleBasedPlayer()
    if name == PROBABILISTIC:
        return ProbabilisticPlayer(betting)
    types = FINE if name in (FINER, FINER_EVEN) else PAPER
    return BPPPlayer(betting, HabitReader(types=types, learns=name in UNLEARNED), name)


def play_match(
    players: Sequence[MatchPlayer],
    games: int,
    seed: int,
    match: int = 0,
    stakes: Stakes = BPP_STAKES,
) -> tuple[Floats, list[MatchPlayer]]:
    """Play a match, whose players change seats after each game.

    Returns the first player's winnings in each game, in bets (games,), and the players with what
    they have learned.
    """
    seated = list(players)
    names = [match_name(player, place) for place, player in enumerate(players, 1)]
    winnings = np.empty(games)
    for number in range(games):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        sitting = {names[place]: seated[place] for place in order}
        setup = match_table(sitting, stakes)
        played = play_game(setup, seed, match * games + number).replay
        seat = order.index(0) + 1
        winnings[number] = played.net(seat) / stakes.small
        seated = [_learned(player, played) for player in seated]
    return winnings, seated


@cache
def _nobody() -> PlayerModels:
    return player_models(BLIND)


def match_table(players: Mapping[str, MatchPlayer], stakes: Stakes = BPP_STAKES) -> Setup:
    """Return the table of players by name, in the order of their seats."""
    return Setup(
        _nobody(),
        tuple(Seat(seat, name) for seat, name in enumerate(players, 1)),
        stakes,
        game=FIVE_STUD,
        deciders=dict(enumerate(players.values(), 1)),
        watched=False,
    )


def match_name(player: MatchPlayer, place: int) -> str:
    """Return the name at the table of the first or second player of a match."""
    return f"{player.name}-{place}"


def _learned(player: MatchPlayer, played: Replay) -> MatchPlayer:
    if isinstance(player, BPPPlayer):
        return replace(player, reader=player.reader.after(played, ()))
    return player


@dataclass(frozen=True)
class BPPMatches(FigureTable):
    """Winnings in matches, in bets a game, by pairing (the group of a figure).

    * ``net_bets``: mean winnings; ``t`` and ``t_per_root_game`` test them against zero. For
      pairings of the paper, ``games_at_paper_t`` is the number of games that gives the paper's t.
    * ``first_bets``, ``last_bets``: mean winnings in the first and the last ``compared`` games of a
      match; ``change_bets`` is the difference, ``t_of_change`` tests it over the matches, and
      ``t_of_match`` is the mean over matches of the t of a single one, the paper's test.
    * ``reading_bets``: gain on the same player without learning, on the same deals;
      ``first_reading_bets``, ``last_reading_bets`` and ``change_of_reading_bets`` at the ends.
    * ``cumulative_bets`` after some games (``about``): the mean over matches;
      ``first_match_bets`` is the first match.

    The ante is in bets.
    """

    games: int
    matches: int
    compared: int
    curves: str
    ante: float


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """The settings of an experiment; all pairings play the same deals.

    Raises ``ValueError`` for too few games to compare the ends of a match.
    """

    pairings: tuple[Pairing, ...]
    games: int = 500
    stakes: Stakes = BPP_STAKES
    seed: int = 1

    def __post_init__(self) -> None:
        if self.games < FEWEST_GAMES:
            raise ValueError(f"a match has at least {FEWEST_GAMES} games, not {self.games}")

    @property
    def curves(self) -> str:
        """The name of the betting curves."""
        return self.pairings[0].curves

    @property
    def ante(self) -> float:
        """The ante in bets."""
        return self.stakes.ante / self.stakes.small

    @property
    def compared(self) -> int:
        """The number of games compared at each end of a match."""
        return min(LEARNED, self.games // 2)

    @property
    def points(self) -> tuple[int, ...]:
        """The numbers of games at the points of the curve."""
        step = math.ceil(self.games / POINTS)
        return (*range(step, self.games, step), self.games)


def bpp_matches(plan: MatchPlan, matches: int = 24, run: Run = Run()) -> BPPMatches:
    """Play matches of all pairings and test the winnings."""
    sums = Study(partial(match_rows, plan), PART_SIZE, "matches").sums(matches, run)
    figures: dict[Key, Estimate] = {}
    for pairing in plan.pairings:
        figures |= (
            _winnings(sums, pairing) | _learning(sums, pairing) | _course(sums, pairing, plan)
        )
    names = {pairing.name for pairing in plan.pairings}
    figures |= {key: figure for key, figure in MATCHES.figures.items() if key.group in names}
    for name in unlearned(plan.pairings):
        figures |= sums.figures(f"reading {name}", READING_FIGURES, group=name)
    return BPPMatches(
        figures, plan.games, sums.games, plan.compared, curves=plan.curves, ante=plan.ante
    )


def match_rows(plan: MatchPlan, number: int) -> Iterator[Row]:
    """Play a match of each pairing, and yield the winnings."""
    played: dict[str, Floats] = {}
    for pairing in plan.pairings:
        won, _ = play_match(pairing.players, plan.games, plan.seed, number, plan.stakes)
        played[pairing.name] = won
        yield f"games {pairing.name}", Moments.of(won[:, None])
        first, last = won[: plan.compared], won[-plan.compared :]
        yield f"ends {pairing.name}", (first.mean(), last.mean(), welch_t(last, first))
        course = np.cumsum(won)[np.array(plan.points) - 1]
        yield f"course {pairing.name}", course
        if number == 0:
            yield f"first course {pairing.name}", course
    for name, other in unlearned(plan.pairings).items():
        gain = played[name] - played[other]
        ends = gain[: plan.compared].mean(), gain[-plan.compared :].mean()
        yield f"reading {name}", (gain.mean(), *ends)


def unlearned(pairings: Sequence[Pairing]) -> dict[str, str]:
    """Return the learning players' pairings, and the same without learning, by name."""
    by_players = {(pairing.own, pairing.other): pairing.name for pairing in pairings}
    pairs = {p.name: by_players.get((UNLEARNED.get(p.own, ""), p.other)) for p in pairings}
    return {name: other for name, other in pairs.items() if other is not None}


def welch_t(first: Floats, second: Floats) -> float:
    """Return t for the difference of two means; 0 where no sample varies."""
    error = math.sqrt(first.var(ddof=1) / first.size + second.var(ddof=1) / second.size)
    return float(first.mean() - second.mean()) / error if error else 0.0


def _winnings(sums: Sums, pairing: Pairing) -> dict[Key, Estimate]:
    games = sums.of(f"games {pairing.name}", 1)
    net = games.mean(np.ones(1))
    scatter = math.sqrt(games.variance(np.ones(1)))
    per_root = net.mean / scatter if scatter else math.nan
    figures = {
        "net_bets": net,
        "t": Estimate(per_root * math.sqrt(games.n), n=games.n, hands=games.n),
        "t_per_root_game": Estimate(per_root, n=games.n, hands=games.n),
    }
    paper = MATCHES.values.get(Key("paper_t", "", pairing.name))
    if paper is not None and per_root > 0.0:
        figures["games_at_paper_t"] = Estimate((paper / per_root) ** 2)
    return {Key(name, "", pairing.name): estimate for name, estimate in figures.items()}


START, END, T = np.eye(3)

END_FIGURES: Mapping[str, Weights] = {
    "first_bets": (START,),
    "last_bets": (END,),
    "change_bets": (END - START,),
}
"""The winnings at both ends of a match."""


def _learning(sums: Sums, pairing: Pairing) -> dict[Key, Estimate]:
    row, name = f"ends {pairing.name}", pairing.name
    figures = sums.figures(row, END_FIGURES, group=name)
    change = figures[Key("change_bets", "", name)]
    t = change.mean / change.error if change.error else math.nan
    figures[Key("t_of_change", "", name)] = Estimate(t, n=change.n)
    figures[Key("t_of_match", "", name)] = sums.figure(row, T)
    return figures


GAIN, GAIN_AT_START, GAIN_AT_END = np.eye(3)

READING_FIGURES: Mapping[str, Weights] = {
    "reading_bets": (GAIN,),
    "first_reading_bets": (GAIN_AT_START,),
    "last_reading_bets": (GAIN_AT_END,),
    "change_of_reading_bets": (GAIN_AT_END - GAIN_AT_START,),
}
"""Gain from learning in all games of a match, and at both ends."""


def _course(sums: Sums, pairing: Pairing, plan: MatchPlan) -> dict[Key, Estimate]:
    figures: dict[Key, Estimate] = {}
    points = np.eye(len(plan.points))
    for figure, name in (("cumulative_bets", "course"), ("first_match_bets", "first course")):
        for after, point in zip(plan.points, points, strict=True):
            key = Key(figure, "", pairing.name, str(after))
            figures[key] = sums.figure(f"{name} {pairing.name}", point)
    return figures
