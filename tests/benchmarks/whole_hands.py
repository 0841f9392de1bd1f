"""Whole hands: analyzed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handread.game.replay import replay
from handread.game.rules import FIVE_STUD, SAUND_STAKES, Stakes, Variant
from handread.inference.analysis import analyze_replay
from handread.policy import load_policy
from tests.benchmarks.timing import GAMES, Row, alternating, as_time, by_game, median_seconds
from tests.hands import GOLDEN, hand, random_hand


def analysis() -> Iterator[Row]:
    """A seven-handed hand with every downcard known, all ten stages."""
    played, policy = replay(hand(GOLDEN)), load_policy("default")
    split = median_seconds(lambda: analyze_replay(played, policy), runs=15)
    paper = median_seconds(lambda: analyze_replay(played, policy, ties="paper"), runs=15)
    yield Row(
        "a seven-handed hand, ten stages, warm",
        as_time(split),
        f"ties split; ties as in the paper {as_time(paper)}",
    )


def policies() -> Iterator[Row]:
    """The same hand by other policies, each against the default."""
    played, names = replay(hand(GOLDEN)), ("default", "uniform", "people", "panel")
    reads = [partial(analyze_replay, played, load_policy(name)) for name in names]
    first, *others = alternating(reads, runs=25)
    for name, time in zip(names[1:], others, strict=True):
        yield Row(f"that hand read with {name}", as_time(time), f"{time / first:.2f} x default")


def games() -> Iterator[Row]:
    """Ten random hands of each game, seven-handed, with every downcard known."""
    policy, seeds = load_policy("default"), range(10)
    hands = {}
    for game in GAMES:  # five-card stud is without a bring-in
        stakes = Stakes(25, 0, game.bets(100, 200)) if game is FIVE_STUD else SAUND_STAKES
        hands[game] = [replay(random_hand(seed, 7, stakes, game=game)) for seed in seeds]

    def analyze_all(game: Variant) -> None:
        for played in hands[game]:
            analyze_replay(played, policy)

    acted = {game: sum(len(one.decisions) for one in hands[game]) / len(seeds) for game in GAMES}
    notes = {game: f"{n:.0f} actions a hand" for game, n in acted.items()}
    yield from by_game("ten seven-handed hands of", analyze_all, notes, runs=5)
