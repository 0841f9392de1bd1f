"""The ladder: matches of two kinds of players in duplicate deals, at six seats and heads-up.

The kinds sit alternately. Each deal is played twice, the second time with the cards of the kinds
exchanged. The players of a table know each other's policies; a player without one is read by the
policy of the setup. Nobody remembers an earlier deal.

The luck of the ledger (``decisions.ledger``) is not taken out: over 40 deals at six seats this left
65% of the variance, over 80 deals heads-up 43%, and took four times as long as the games did, so
that the same time for more deals makes the intervals narrower.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from handread.papers.tournament.study import Entrant, table_of
from handread.runs import Run
from handread.simulate import Setup, play_game
from handread.study.statistics import Estimate, FigureTable, Key
from handread.study.sums import Row, Study

TABLES = (6, 2)
"""The numbers of seats."""

NET = "net_big_bets"
"""The mean net a hand of the first kind of a match, in big bets; the second kind's is the same with
the other sign. Groups are matches, ``about`` is "6 seats" or "heads-up"."""


@dataclass(frozen=True)
class Ladder(FigureTable):
    """Results of matches, ``NET``, with errors from deal to deal."""

    deals: int


def ladder(
    entrants: Sequence[Entrant],
    against: Sequence[Entrant],
    setup: Setup,
    deals: int,
    run: Run = Run(),
) -> Ladder:
    """Play each of the entrants against each of some others.

    Raises:
        ValueError: A player cannot play the game.
    """
    matches = [(a, b, n) for a in entrants for b in against if a.name != b.name for n in TABLES]
    sums = Study(partial(_rows, matches, setup, run.seed), 2 * len(matches), "deals").sums(
        deals, run
    )
    figures = {}
    for a, b, n in matches:
        net = sums.of(_name(a, b, n), 1).mean(np.ones(1))
        key = Key(NET, "", f"{a.name} - {b.name}", seats_words(n))
        figures[key] = Estimate.normal(net.mean, net.error, sums.games)
    return Ladder(figures, sums.games)


def seats_words(n: int) -> str:
    """Return the words for a number of seats."""
    return "heads-up" if n == 2 else f"{n} seats"


def _name(a: Entrant, b: Entrant, n: int) -> str:
    return f"{a.name} - {b.name}, {n}"


def _rows(
    matches: Sequence[tuple[Entrant, Entrant, int]], setup: Setup, seed: int, deal: int
) -> Iterator[Row]:
    for a, b, n in matches:
        total = sum(_net((a, b), n, turn, setup, seed=seed, deal=deal) for turn in range(2))
        yield _name(a, b, n), (total / n,)


def _net(
    kinds: tuple[Entrant, Entrant], n: int, turn: int, setup: Setup, seed: int, deal: int
) -> float:
    """Return the net of all players of the first kind in a game, in big bets."""
    sitting = [(place + turn) % 2 for place in range(n)]
    table = table_of([kinds[who] for who in sitting], setup)
    replay = play_game(table, seed, deal).replay
    mine = [seat for seat, who in enumerate(sitting, 1) if not who]
    net = sum(map(replay.net, mine))
    return net / replay.stakes.bets[-1]
