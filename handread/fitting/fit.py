"""A fit from beginning to end: from replayed hands to a policy file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from handread.engine import Replay
from handread.fitting.choosing import (
    PENALTIES,
    Bench,
    Choice,
    Tick,
    choose_penalty,
    choose_temper,
    some_hands,
)
from handread.fitting.evidence import LN2, evidence
from handread.fitting.family import Family
from handread.fitting.gather import gather
from handread.fitting.logits import Logits
from handread.fitting.optimum import Prior, covariance, most_probable
from handread.fitting.people import choose_loyalty, counts, own_vectors, players_in
from handread.fitting.ramps import Ramps, loose
from handread.fitting.sample import Floats, Sample
from handread.lineup import Model, lineup
from handread.policy import (
    Panel,
    PolicyFile,
    Provenance,
    Single,
    fingerprint,
)

FAMILIES: dict[str, Callable[[], Family]] = {"logit": Logits, "ramps": Ramps}

Gather = Callable[[Sequence[Replay], Single, int], Sample]
"""Reads hands by a policy, with so many groups a line; many hands in parts, by processes."""


class FitError(ValueError):
    """Hands that nothing can be learned from; the message is for a person."""


@dataclass(frozen=True, slots=True)
class FitOptions:
    """What a fit was asked for.

    ``penalty`` and ``temper`` are chosen by cross-validation where they are None. ``prior`` is the
    policy that the fit leans on, of the same family; without one it leans on what anybody would
    expect. Players with at least ``least`` actions get policies of their own when
    ``players`` is set. With ``hidden`` no downcards count as known. ``rounds`` is how often the
    hands are read, each time by the policy fitted before. ``version`` goes into the provenance.
    """

    family: str = "logit"
    name: str = "fitted"
    penalty: float | None = None
    temper: float | None = None
    prior: Single | None = None
    players: bool = True
    least: int = 20
    hidden: bool = False
    rounds: int = 3
    seed: int = 1
    version: str = ""


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted policy file, and how it came about.

    ``vector`` and ``errors`` (K,) are the parameters and their standard errors, named ``names``.
    """

    file: PolicyFile
    choices: tuple[Choice, ...]
    names: tuple[str, ...]
    vector: Floats
    errors: Floats


def fit_hands(
    hands: Sequence[Replay],
    options: FitOptions,
    read: Gather | None = None,
    tick: Tick = lambda _: None,
) -> Fit:
    """The policies that a set of hands speaks for.

    Raises ``FitError`` when the hands hold no action that a player chose.
    """
    family = FAMILIES[options.family]()
    prior = options.prior
    centre = family.common_sense() if prior is None else family.vector(prior)
    bench = Bench(family, Prior(centre, family.tightness), options.seed)
    read = _reader(read or read_all, options.hidden)
    sample = read(hands, prior or loose(), family.groups)
    if not sample.n_turns:
        raise FitError("nobody in these hands had a choice between actions: nothing to learn from")
    few = some_hands(sample, options.seed)
    choices: list[Choice] = []
    penalty, temper = options.penalty, options.temper
    if penalty is None:
        choices.append(choose_penalty(bench, few, PENALTIES, tick))
        penalty = choices[-1].chosen
    if temper is None:
        choices.append(choose_temper(bench, few, penalty, tick))
        temper = choices[-1].chosen
    vector = most_probable(family, sample.with_truths(), bench.at(penalty))
    for _ in range(options.rounds - 1):
        sample = read(hands, family.policy(vector, options.name, temper), family.groups)
        vector = most_probable(family, sample.with_truths(), bench.at(penalty), vector)
        tick("fit")
    players = players_in(sample, options.least) if options.players else {}
    own: dict[str, Floats] = {}
    if players:
        choices.append(choose_loyalty(bench, vector, players, tick))
        own = own_vectors(bench, vector, players, choices[-1].chosen, tick)
    truths = sample.with_truths()
    provenance = Provenance(
        version=options.version,
        hands=len(hands),
        actions=sample.n_turns,
        known=int(sample.turns[sample.known].sum()),
        evidence_bits=round(evidence(family, vector, truths).total / LN2, 1),
        penalty=penalty,
        seen=tuple(sorted({fingerprint(hand.history) for hand in hands})),
        players=tuple(counts(players)),
    )
    policies = {
        name: family.policy(found, f"{options.name}#{name}", temper) for name, found in own.items()
    }
    file = PolicyFile(family.policy(vector, options.name, temper), policies, provenance)
    errors = np.sqrt(np.diag(covariance(family, vector, truths, bench.at(penalty))))
    return Fit(file, tuple(choices), family.names, vector, errors)


def read_all(hands: Sequence[Replay], policy: Single, groups: int) -> Sample:
    """The sample of hands read by one policy, here and now."""
    players = lineup(Model(policy))
    return gather(((number, hand, players) for number, hand in enumerate(hands)), groups)


def _reader(read: Gather, hidden: bool) -> Gather:
    """The same reader, or one that does not look at what the records tell of downcards."""
    return (lambda *asked: read(*asked).hidden()) if hidden else read


def single(policy: Single | Panel) -> Single:
    """A policy that is no panel; ``TypeError`` for a panel."""
    if isinstance(policy, Panel):
        raise TypeError(f"{policy.name} is a panel of policies")
    return policy
