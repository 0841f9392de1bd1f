"""``python -m docs.site.known [LOGS]``: does it help to know players from earlier hands?

Folds in time: the first half of a session teaches, as tables given by ``--known`` do, and the
second half is scored, read by observers that start with strangers and by one that knows the
players. A session is a simulated table, whose players keep their policies, or a log. Intervals
are over sessions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from handread.arrays import Floats
from handread.game.steps import Replay
from handread.history import History, Seat
from handread.inference.analysis import after_hand, analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model, PlayerModels, player_models
from handread.inference.readers import PolicyReader, Reader, cannot_be_read
from handread.policy import Panel, Policy, load_policy, panel_of
from handread.policy.logit import LogitPolicy
from handread.sessions.files import ReadSettings, Session
from handread.simulate import Setup, play_games
from handread.study.statistics import Estimate, Moments

PEOPLE = "people"
SPREAD = 0.6
"""The standard deviation of what is added to the log-odds of players who differ in rates alone."""

STYLES = ("people-average",) * 4 + ("loose", "table1-left", "tight")
STRANGE = (
    "honest",
    "trees",
    "table1-bluff",
    "people-average",
    "people-average",
    "loose",
    "uniform",
)
"""The players of tables with the styles of the panel, and with others among them."""

FLOOR = -20.0
"""The least score of a read in bits, in place of -inf for one that rules out the truth."""


@dataclass(frozen=True)
class Taught:
    """What some hands tell of their players: the panel of each by name."""

    panels: Mapping[str, Panel]
    terms: str = "taught"

    def known(self, panel: Panel, name: str, history: History) -> Panel:
        """Return the panel of a player."""
        return self.panels.get(name, panel).in_game(history.variant)


def taught(hands: Iterable[Replay], players: PlayerModels) -> Taught:
    """Return what hands tell of their players, each read as one of strangers."""
    panel = panel_of(players.rest.policy)
    assert panel is not None
    factors: dict[str, list[Floats]] = {}
    for played in hands:
        read = analyze_replay(played, players)
        for seat, shares in read.members.items():
            own = panel_of(read.players.of(seat).policy)
            assert own is not None
            factors.setdefault(played.history.seat(seat).name, []).append(own.factors(shares))
    weights = {name: panel.weights_after(np.stack(told))[-1] for name, told in factors.items()}
    return Taught(
        {name: replace(panel, learned=tuple(own.tolist())) for name, own in weights.items()}
    )


def scores(hands: Sequence[Replay], players: PlayerModels, learns: bool) -> Floats:
    """Return the bits of the reads, their number, the surprise of the actions, and their number.

    They are sums over the hands (4,). A reader that ``learns`` carries over what a hand tells.
    """
    total, reader = np.zeros(4), PolicyReader(players)
    following: Reader = reader
    for played in hands:
        read = analyze_replay(played, following if learns else reader)
        total += _scores_of(read)
        following = after_hand(following, read)
    return total


def _scores_of(read: Analysis) -> list[float]:
    truths = [
        seat.truth
        for stage in read.stages
        if stage.after_bets
        for seat in stage.seats.values()
        if seat.truth is not None and seat.truth.live > 1
    ]
    bits = [max(truth.score_bits, FLOOR) for truth in truths]
    surprise = [action.surprise_bits for action in read.actions]
    return [sum(bits), len(bits), sum(surprise), len(surprise)]


READERS = (
    "strangers in every hand",
    "strangers at first, who learns",
    "known before",
    "known before, who learns",
)


def compared(hands: Sequence[Replay], players: PlayerModels) -> Floats:
    """Return the scores (readers, 4) of the second half of a session by ``READERS``."""
    half = len(hands) // 2
    knows, later = replace(players, earlier=taught(hands[:half], players)), hands[half:]
    return np.stack(
        [scores(later, who, learns) for who in (players, knows) for learns in (False, True)]
    )


def simulated(
    policies: Callable[[np.random.Generator], Sequence[Policy]], tables: int, hands: int
) -> Iterator[list[Replay]]:
    """Yield the hands of simulated tables; their players follow ``policies``."""
    for seed in range(1, tables + 1):
        own = policies(np.random.default_rng(seed))
        seats = tuple(Seat(n, name=f"player {n}") for n in range(1, len(own) + 1))
        models = PlayerModels(
            Model(load_policy(PEOPLE)), {n: Model(one) for n, one in enumerate(own, 1)}
        )
        setup = Setup(models, seats, watched=False)
        yield [game.replay for game in play_games(setup, seed, range(hands))]


def unlike_in_rates(rng: np.random.Generator) -> list[LogitPolicy]:
    """Return policies of players who bet, fold and raise more or less often than the average."""
    average = load_policy("people-average")
    assert isinstance(average, LogitPolicy)

    def moved(weights: tuple[float, ...]) -> tuple[float, ...]:
        return weights[0] + float(rng.normal(0.0, SPREAD)), *weights[1:]

    return [
        replace(
            average,
            name=f"player {n}",
            bet=moved(average.bet),
            fold=moved(average.fold),
            raise_=moved(average.raise_),
            uncertainty=None,
        )
        for n in range(7)
    ]


def sessions(logs: Sequence[str], players: PlayerModels) -> Iterator[list[Replay]]:
    """Yield the hands of each log with at least four that can be read and have named players."""
    reader = PolicyReader(players)
    replays = Session(logs, ReadSettings(), prints=False).replays()
    for _, hands in groupby(replays, lambda played: played.history.source.file):
        found = [
            played
            for played in hands
            if cannot_be_read(played, reader) is None
            and any(seat.name for seat in played.history.seats)
        ]
        if len(found) >= 4:
            yield found


def show(what: str, found: Sequence[Floats]) -> None:
    """Print the scores of sessions, and how much better those who know the players do."""
    table = np.stack(found)  # (sessions, readers, figures)
    print(f"{what}: {len(table)} sessions")
    for figure, n, of in ((0, 1, "bits on the truth of a read"), (2, 3, "surprise of an action")):
        sums, numbers = table[:, :, figure], table[:, 0, n]
        print(f"  {of}, {int(numbers.sum()):,} of them")
        for i, who in enumerate(READERS):
            print(f"    {who:31} {sums[:, i].sum() / numbers.sum():7.3f}")
        for better, than in ((2, 0), (3, 1)):
            gains = np.stack([sums[:, better] - sums[:, than], numbers], axis=1)
            gain = Moments.of(gains).ratio(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
            gain = Estimate.student(gain.mean, gain.error, int(numbers.sum()), len(table))
            print(
                f"    {READERS[better]}, beyond {READERS[than]}: "
                f"{gain.mean:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
            )


def main() -> int:
    """Score simulated tables, or logs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*", metavar="LOGS", help="Logs; none: simulated tables.")
    parser.add_argument("--tables", type=int, default=8, help="Number of simulated tables.")
    parser.add_argument("--hands", type=int, default=200, help="Number of hands at each.")
    asked = parser.parse_args()
    players = player_models(PEOPLE)
    if asked.logs:
        show("logs", [compared(hands, players) for hands in sessions(asked.logs, players)])
        return 0
    worlds: dict[str, Callable[[np.random.Generator], Sequence[Policy]]] = {
        "players of the styles": lambda _: [*map(load_policy, STYLES)],
        "players of other policies": lambda _: [*map(load_policy, STRANGE)],
        "players unlike in rates alone": unlike_in_rates,
    }
    for what, policies in worlds.items():
        tables = simulated(policies, asked.tables, asked.hands)
        show(what, [compared(hands, players) for hands in tables])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
