"""The player of the benchmark who decides by rollouts."""

from __future__ import annotations

from dataclasses import replace

from handread.inference.players import Model, PlayerModels
from handread.papers.strong.player import RolloutPlayer, TableReader
from handread.policy import Panel, load_policy

POLICY = "people"
"""The policy by which the others are read, and by which hands are played on."""


def people() -> Panel:
    """The policy as it was when the benchmark was made: every raise tells in full."""
    policy = load_policy(POLICY)
    assert isinstance(policy, Panel)
    return replace(policy, idle=(), repeats=())


def rollout_player() -> RolloutPlayer:
    """The player who reads the others by that policy."""
    return RolloutPlayer("rollouts", TableReader(PlayerModels(Model(people()))))
