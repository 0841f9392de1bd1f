"""Whole hands: analyzed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from handread.game.replay import replay
from handread.game.rules import FIVE_STUD, RAZZ, SAUND_STAKES, STUD, STUD8, Stakes, Variant
from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay
from handread.policy import Policy, load_policy
from tests.benchmarks.timing import Row, alternating, as_time, median_seconds
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

    def stakes(game: Variant) -> Stakes:
        if game is FIVE_STUD:  # without a bring-in
            return Stakes(25, 0, game.bets(100, 200))
        return SAUND_STAKES

    known = (STUD, RAZZ, STUD8, FIVE_STUD)
    hands = {
        game: [replay(random_hand(seed, 7, stakes(game), game=game)) for seed in seeds]
        for game in known
    }
    actions = [partial(_analyze_all, hands[game], policy) for game in known]
    times = alternating(actions, runs=5)
    for game, time in zip(known, times, strict=True):
        acted = sum(len(played.decisions) for played in hands[game])
        yield Row(
            f"a seven-handed hand of {game.title}",
            as_time(time / len(seeds)),
            f"{time / times[0]:.2f} x stud high; {acted / len(seeds):.0f} actions",
        )


def _analyze_all(hands: Sequence[Replay], policy: Policy) -> None:
    for played in hands:
        analyze_replay(played, policy)
