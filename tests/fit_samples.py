"""Samples of hands for tests of fits."""

from collections.abc import Iterable

from handread.game.steps import Replay
from handread.policy import PolicyFile
from handread.study.fit.fit import players_of
from handread.study.fit.sample import Grouping, Sample, gather


def read_all(hands: Iterable[Replay], policies: PolicyFile, grouping: Grouping) -> Sample:
    """Return the sample of hands read by policies, in memory."""
    players = players_of(policies)
    read = ((n, hand, players.for_hand(hand.history)) for n, hand in enumerate(hands))
    return gather(read, grouping)
