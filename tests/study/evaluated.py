"""Hands of loose players that several tests score."""

from __future__ import annotations

from functools import cache

from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model, PlayerModels
from handread.policy import load_policy
from handread.simulate import Setup, play_games, seated
from handread.study.evaluation import Evaluation, evaluation
from handread.study.scores import HandScores, hand_scores
from handread.study.statistics import Estimate, FigureTable

LOOSE = load_policy("loose")
SOME = 10


@cache
def games() -> tuple[Replay, ...]:
    """Hands with nothing hidden, of four players with names."""
    players = PlayerModels(Model(LOOSE))
    setup = Setup(players, seated(players, 4, names=("Ann", "Bob", "Cy", "Di")))
    return tuple(game.replay for game in play_games(setup, 5, range(SOME)))


@cache
def reads(policy: str = "loose") -> tuple[Analysis, ...]:
    return tuple(analyze_replay(played, load_policy(policy)) for played in games())


@cache
def marks(policy: str = "loose") -> list[HandScores]:
    return [hand_scores(read) for read in reads(policy)]


@cache
def scored(policy: str = "loose") -> Evaluation:
    return evaluation(marks(policy), policy, "split", 200)


def bins(found: FigureTable, kind: str) -> list[tuple[Estimate, Estimate]]:
    """The chances of a kind of event, and what came true."""
    return [
        (found.at("chance", "", group, kind), found.at("came_true", "", group, kind))
        for group in found.groups(kind)
    ]
