"""A fit from beginning to end: from replayed hands to a policy file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from handread.engine import Replay
from handread.fitting.choosing import (
    FOLDS,
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
from handread.fitting.people import LOYALTIES, choose_loyalty, counts, own_vectors, players_in
from handread.fitting.ramps import Ramps, loose
from handread.fitting.sample import Floats, Sample
from handread.lineup import Model, Roster
from handread.policy import (
    Panel,
    PolicyFile,
    Provenance,
    Single,
    fingerprint,
)

FAMILIES: dict[str, Callable[[], Family]] = {"logit": Logits, "ramps": Ramps}

Gather = Callable[[Sequence[Replay], PolicyFile, int], Sample]
"""Reads hands by policies, with so many groups a line; many hands in parts, by processes."""


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
    """The policies that a set of hands speaks for, whatever the order they come in.

    Raises ``FitError`` when the hands hold no action that a player chose.
    """
    ordered = sorted(hands, key=_place)
    return _Fitter(ordered, options, _reader(read or read_all, options.hidden), tick).fit()


def _place(hand: Replay) -> tuple[str, str, str]:
    """What hands are put in order by: records without ids differ in what happened."""
    history = hand.history
    return history.hand_id, fingerprint(history), repr(history.events)


def steps_of(options: FitOptions) -> int:
    """About how many ticks a fit gives."""
    chosen = (options.penalty is None) * len(PENALTIES) + (options.temper is None)
    return chosen * FOLDS + options.rounds + options.players * (len(LOYALTIES) + 2)


class _Fitter:
    """A fit at work: what it has read and what it has found."""

    def __init__(
        self, hands: Sequence[Replay], options: FitOptions, read: Gather, tick: Tick
    ) -> None:
        self._hands = hands
        self._options = options
        self._read = read
        self._tick = tick
        self._family = family = FAMILIES[options.family]()
        prior = options.prior
        centre = family.common_sense() if prior is None else family.vector(prior)
        outset = family.outset() if prior is None else centre
        self._bench = Bench(family, Prior(centre, family.tightness), outset, options.seed)
        self._choices: list[Choice] = []
        self._penalty = self._temper = 1.0

    def fit(self) -> Fit:
        """All of it: penalty and temper, everybody's policy, those of players."""
        sample = self._gathered(PolicyFile(self._options.prior or loose()))
        if not sample.n_turns:
            raise FitError("nobody in these hands had a choice between actions: nothing to learn")
        few = some_hands(sample, self._options.seed)
        self._choose(few)
        vector = self._best(sample, self._bench.way_down(few.with_truths(), self._penalty))
        for _ in range(self._options.rounds - 1):
            sample = self._gathered(PolicyFile(self._policy(vector)))
            vector = self._best(sample, vector)
        own: dict[str, Floats] = {}
        players = players_in(sample, self._options.least) if self._options.players else {}
        if players:
            loyalty = self._chosen(choose_loyalty(self._bench, vector, players, self._tick))
            own = own_vectors(self._bench, vector, players, loyalty, self._tick)
            # Once more, each player being read by its own policy.
            sample = self._gathered(PolicyFile(self._policy(vector), self._policies(own)))
            vector = self._best(sample, vector)
            players = players_in(sample, self._options.least)
            own = own_vectors(self._bench, vector, players, loyalty, self._tick)
        truths = sample.with_truths()
        provenance = self._provenance(sample, truths, vector, players)
        file = PolicyFile(self._policy(vector), self._policies(own), provenance)
        prior = self._bench.at(self._penalty)
        errors = np.sqrt(np.diag(covariance(self._family, vector, truths, prior)))
        return Fit(file, tuple(self._choices), self._family.names, vector, errors)

    def _gathered(self, policies: PolicyFile) -> Sample:
        return self._read(self._hands, policies, self._family.groups)

    def _choose(self, few: Sample) -> None:
        """Penalty and temper, as they were asked for or by cross-validation on a few hands."""
        penalty, temper = self._options.penalty, self._options.temper
        if penalty is None:
            penalty = self._chosen(choose_penalty(self._bench, few, PENALTIES, self._tick))
        if temper is None:
            temper = self._chosen(choose_temper(self._bench, few, penalty, self._tick))
        self._penalty, self._temper = penalty, temper

    def _chosen(self, choice: Choice) -> float:
        self._choices.append(choice)
        return choice.chosen

    def _best(self, sample: Sample, start: Floats) -> Floats:
        prior = self._bench.at(self._penalty)
        vector = most_probable(self._family, sample.with_truths(), prior, start)
        self._tick("fit")
        return vector

    def _policy(self, vector: Floats) -> Single:
        return self._family.policy(vector, self._options.name, self._temper)

    def _policies(self, vectors: Mapping[str, Floats]) -> dict[str, Single]:
        name, temper = self._options.name, self._temper
        return {
            player: self._family.policy(vector, f"{name}#{player}", temper)
            for player, vector in vectors.items()
        }

    def _provenance(
        self, sample: Sample, truths: Sample, vector: Floats, players: Mapping[str, Sample]
    ) -> Provenance:
        bits = evidence(self._family, vector, truths).total / LN2
        return Provenance(
            version=self._options.version,
            hands=len(self._hands),
            actions=sample.n_turns,
            known=int(sample.turns[sample.known].sum()),
            evidence_bits=round(bits, 1),
            penalty=self._penalty,
            seen=tuple(sorted({fingerprint(hand.history) for hand in self._hands})),
            players=tuple(counts(players)),
        )


def read_all(hands: Sequence[Replay], policies: PolicyFile, groups: int) -> Sample:
    """The sample of hands read by some policies, here and now."""
    players = roster_of(policies)
    return gather(
        ((number, hand, players.lineup(hand.history)) for number, hand in enumerate(hands)), groups
    )


def roster_of(policies: PolicyFile) -> Roster:
    """Everybody by the policy of a file, its players by their own."""
    names = {name: Model(policy) for name, policy in policies.players.items()}
    return Roster(Model(policies.policy), names)


def _reader(read: Gather, hidden: bool) -> Gather:
    """The same reader, or one that does not look at what the records tell of downcards."""
    return (lambda *asked: read(*asked).hidden()) if hidden else read


def single(policy: Single | Panel) -> Single:
    """A policy that is no panel; ``TypeError`` for a panel."""
    if isinstance(policy, Panel):
        raise TypeError(f"{policy.name} is a panel of policies")
    return policy
