"""Policies of single players, held to everybody's by how little was seen of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from handread.fitting.choosing import BY_EVIDENCE, Bench, Choice, Tick, choice, folds_of, some_hands
from handread.fitting.evidence import LN2, line_evidence
from handread.fitting.optimum import Prior, most_probable
from handread.fitting.sample import Floats, Sample

LOYALTIES = (100.0, 30.0, 10.0, 3.0, 1.0)
"""How strongly a player's policy may be held to everybody's."""

MOST_HANDS_EACH = 60
"""How many hands of each player the choice of it is made on."""


def players_in(sample: Sample, least: int) -> dict[str, Sample]:
    """The lines of each named player of whom at least so many actions were seen, by name."""
    found = {}
    for name in np.unique(sample.player[sample.player != ""]).tolist():
        own = sample.select(sample.player == name)
        if own.n_turns >= least:
            found[name] = own
    return found


def choose_loyalty(
    bench: Bench, everybody: Floats, players: Mapping[str, Sample], tick: Tick
) -> Choice:
    """The loyalty under which players' held-out hands are likeliest."""
    own = [some_hands(one, bench.seed, MOST_HANDS_EACH).with_truths() for one in players.values()]
    scores = []
    for loyalty in LOYALTIES:
        lines = [np.zeros(one.n_lines) for one in own]
        for sample, score in zip(own, lines, strict=True):
            for held_out in folds_of(sample.hand, bench.seed, 3):
                found = own_vector(bench, everybody, sample.select(~held_out), loyalty)
                tested = sample.select(held_out)
                score[held_out] = line_evidence(bench.family, found, tested) / LN2
            tick("players")
        scores.append(np.concatenate(lines))
    hands = np.concatenate([one.hand for one in own])
    return choice("loyalty", BY_EVIDENCE, LOYALTIES, scores, hands)


def own_vector(bench: Bench, everybody: Floats, sample: Sample, loyalty: float) -> Floats:
    """A player's parameters (K,), given everybody's."""
    prior = Prior(everybody, loyalty * bench.family.personal)
    return most_probable(bench.family, sample, prior, everybody)


def own_vectors(
    bench: Bench, everybody: Floats, players: Mapping[str, Sample], loyalty: float, tick: Tick
) -> dict[str, Floats]:
    """The parameters (K,) of each player, by name."""
    found = {}
    for name, sample in players.items():
        found[name] = own_vector(bench, everybody, sample.with_truths(), loyalty)
        tick("players")
    return found


def counts(players: Mapping[str, Sample]) -> Sequence[tuple[str, int, int]]:
    """Name, hands and actions of each player."""
    return [(name, int(np.unique(own.hand).size), own.n_turns) for name, own in players.items()]
