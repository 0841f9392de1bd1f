"""The improvements of BPP's network (Korb et al. 1999, section 6.1), switch by switch.

Readers learn from simulated games and read others of the same players, with all cards known. The
observer of Saund 2006 with the players' own policies is the yardstick.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from handread.cards import holding_index
from handread.game.steps import Replay
from handread.inference.observer import TIE_RULES, ObservedStreet, Update
from handread.inference.readers import PolicyReader, Reader, read_hand
from handread.papers.bpp.reader import bpp_reader
from handread.papers.bpp.record import GAMES
from handread.runs import Run
from handread.simulate import Setup, play_game, play_games
from handread.study.statistics import Estimate, FigureTable, Key
from handread.study.sums import Row, Study

_ALL = dict.fromkeys(("all_hands", "folds", "refined", "link", "memory"), True)

IMPROVEMENTS: Mapping[str, Mapping[str, Any]] = {
    "as in the paper": {},
    "nine types": {"types": "nine"},
    "fine types": {"types": "fine"},
    "refined": {"refined": True},
    "link": {"link": True},
    "memory": {"memory": True},
    "all hands": {"all_hands": True},
    "all hands, folds": {"all_hands": True, "folds": True},
    "all of these": _ALL,
    "and fine types": {"types": "fine", **_ALL},
}

TRUE_POLICIES = "the players' policies"

FIGURES = ("bits_on_truth", "gain_bits", "surprise_bits")
"""Figures of a reader: bits on a seat's true downcards after its last action on a street, beyond
the bits of the cards; their gain on the paper's reader; surprise of an action."""


@dataclass(frozen=True)
class BppReaders(FigureTable):
    """The figures of each reader over ``games``, learned from ``trained`` games."""

    games: int
    trained: int
    policy: str

    @property
    def readers(self) -> list[str]:
        """The names of the readers, in order."""
        return self.groups("")


def check_read(setup: Setup) -> None:
    """Raise ``ValueError`` if BPP does not read the game of a table."""
    if setup.game not in GAMES:
        titles = " and ".join(game.title for game in GAMES)
        raise ValueError(f"BPP reads {titles}, not {setup.game.title}")


def bpp_readers(
    setup: Setup, games: int = 400, trained: int = 4000, run: Run = Run()
) -> BppReaders:
    """Read simulated games after learning from those that follow them."""
    learned = play_games(setup, run.seed, range(games, games + trained))
    hands = [game.replay for game in learned]
    readers: list[Reader] = [bpp_reader(hands, **switches) for switches in IMPROVEMENTS.values()]
    readers.append(PolicyReader(setup.players))
    study = Study(partial(reading_rows, setup, run.seed, readers), len(readers))
    sums, n = study.sums(games, run), len(readers)
    size = 2 * n + 2
    seats, actions = np.eye(size)[[0, n + 1]]
    figures: dict[Key, Estimate] = {}
    for i, name in enumerate((*IMPROVEMENTS, TRUE_POLICIES)):
        bits, paper, surprise = np.eye(size)[[1 + i, 1, n + 2 + i]]
        weights = (bits, seats), (bits - paper, seats), (surprise, actions)
        figures |= sums.figures("", dict(zip(FIGURES, weights, strict=True)), group=name)
    return BppReaders(figures, sums.games, trained, setup.players.name)


def reading_rows(setup: Setup, seed: int, readers: Sequence[Reader], number: int) -> Iterator[Row]:
    """Play a game, and yield the sums of the readers' figures."""
    game = play_game(setup, seed, number)
    scores = [_scores(reader, game.replay, setup.ties) for reader in readers]
    seats, actions = len(scores[0][0]), len(scores[0][1])
    bits = [sum(told) for told, _ in scores]
    surprise = [sum(surprises) for _, surprises in scores]
    yield "", (seats, *bits, actions, *surprise)


def _scores(reader: Reader, played: Replay, ties: str) -> tuple[list[float], list[float]]:
    """Return bits on the truth of each seat and street, and the surprise of each action."""
    told, surprises = [], []
    for street in read_hand(reader, played, TIE_RULES[ties]):
        last = {update.decision.seat: update for update in street.updates}
        told += [_bits(street, update, played) for update in last.values()]
        surprises += [update.surprise_bits for update in street.updates]
    return told, surprises


def _bits(street: ObservedStreet, update: Update, played: Replay) -> float:
    """Return the bits on the true downcards after an action, beyond the bits of the cards."""
    seat = update.decision.seat
    truth = holding_index(played.downcards_on(street.dealt.street)[seat])
    cards_only = street.dealt.hands[seat].uniform
    with np.errstate(divide="ignore"):
        return float(np.log2(update.after[truth]) - np.log2(cards_only[truth]))
