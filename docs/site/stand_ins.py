"""``python -m docs.site.stand_ins FOLDER``: fit policies to two of Loki's players.

These are programs. Each plays games at tables with ``strong`` and with ``people-average``. There
everybody reads it by ``default``, as in ``experiment ladder``. All downcards are known. A policy of
the family logit is fitted to its actions, and written to the folder, for ``--set reading=FILE`` of
the ladder. The surprise that is printed is in every fifth game, held out from a first fit. The fit
takes the players to look at cards only: it then predicts them better by .04 bits an action, as they
learn from the bets of the first street alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from handread.arrays import Flags, Floats
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.named_readers import load_player
from handread.papers.tournament.study import Entrant, table_of
from handread.policy import PolicyFile, Single, load_policy, policy_text, single
from handread.simulate import Setup, play_game
from handread.study.fit import in_one_blas_thread
from handread.study.fit.families import Logits
from handread.study.fit.learners import VectorLearner
from handread.study.fit.sample import Grouping, Sample, gather

GAMES = {"BPM": 3158, "BPL": 2602}
"""The games of each player, as many as it played in seven minutes beside other work."""

SEED, PENALTY, HELD_OUT = 777, 0.1, 5
"""The seed of the games, the penalty of the fit, and one of how many games is held out."""

FAMILY = Logits(("boards", "kinds", "slopes"))


def games(name: str, grouping: Grouping) -> Iterator[Sample]:
    """Yield the decisions of a player, game by game."""
    player = load_player(name)
    default, strong, average = map(Model, map(load_policy, ("default", "strong", "people-average")))
    read, setup = Model(default.policy, CARDS_ONLY), Setup(PlayerModels(default))
    for number in range(GAMES[name]):
        rng = np.random.default_rng((sum(map(ord, name)), number))
        other = average if rng.integers(10) >= 7 else strong
        seats = int(rng.choice([6, 6, 2, 2, 4]))
        kinds: list[Entrant] = [player, other] if rng.random() < 0.5 else [other, player]
        sitting = [kinds[place % 2] for place in range(seats)]
        replay = play_game(table_of(sitting, setup), SEED, number).replay
        by_seat = {n: read if one is player else other for n, one in enumerate(sitting, 1)}
        found = gather([(number, replay, PlayerModels(read, by_seat))], grouping)
        mine: Flags = np.char.startswith(found.player, name) & found.known
        yield found.select(mine).with_truths()


def bits(vector: Floats, sample: Sample) -> float:
    """Return the surprise of the actions, in bits an action."""
    return float(-FAMILY.log_odds(vector, sample).mean() / np.log(2.0))


@in_one_blas_thread
def fit(name: str) -> Single:
    """Return the policy fitted to a player's games, and print its surprise."""
    learner = VectorLearner.of(FAMILY, single(load_policy("people-average"))).at(PENALTY)
    sample = Sample.join(games(name, learner.grouping))
    held = sample.hand % HELD_OUT == 0
    found = learner.learned(sample.select(~held), learner.start)
    rest = sample.select(held)
    print(
        f"{name}: {sample.n_turns:,} actions; bits an action in games held out: "
        f"{bits(found, rest):.2f}, by people-average {bits(learner.start, rest):.2f}",
        flush=True,
    )
    return FAMILY.policy(learner.learned(sample, found), name.lower(), 1.0)


def main(folder: Path) -> None:
    """Fit both players, and write their policies."""
    folder.mkdir(exist_ok=True)
    for name in GAMES:
        policy = fit(name)
        text = policy_text(PolicyFile(policy))
        (folder / f"{policy.name}.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
