"""Fit policies to replayed hands: the steps of a fit, and reading the hands in parts."""

from __future__ import annotations

import hashlib
import math
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from handread.game.replay import replay, written_out
from handread.game.steps import Replay
from handread.history import History
from handread.inference.players import Model, PlayerModels
from handread.parallel import RunError, damaged
from handread.policy import (
    Exponents,
    PolicyFile,
    Provenance,
    Single,
    Uncertainty,
    fingerprint,
    policy_text,
)
from handread.runs import Run
from handread.study.fit.choices import (
    FEW_HANDS,
    FOLDS,
    MORE_FOLDS,
    PENALTIES,
    SHRINKAGES,
    Choice,
    Search,
    Tick,
    choose_exponent,
    choose_penalty,
    choose_shrinkage,
    held_out_reads,
    own_vector,
    player_prior,
    players_in,
    some_hands,
)
from handread.study.fit.evidence import LN2, Prior, covariance, evidence, most_probable
from handread.study.fit.exponents import ExponentFit
from handread.study.fit.families import FIRST, Family, Logits, Ramps, loose
from handread.study.fit.fitted import (
    PARAMETER,
    Fit,
    FitInProgress,
    FitOptions,
    Gather,
    choice_figures,
)
from handread.study.fit.sample import Floats, Grouping, Sample, gather
from handread.study.fit.tree_fit import TreeFitter
from handread.study.statistics import Estimate, Figures, Key

FAMILIES: dict[str, Callable[[], Family]] = {"logit": Logits, "ramps": Ramps}
"""The families that are vectors of parameters."""

TREE = "tree"
"""The family of relational trees, which has its own learner."""


def family_of(name: str, features: Collection[str] = FIRST) -> Family:
    """Return a family by name; ``features`` are the groups of features of a logit policy."""
    return Logits(features) if name == "logit" else FAMILIES[name]()


def _figures(
    file: PolicyFile,
    choices: Sequence[Choice],
    vector: Floats,
    known: Uncertainty,
    exponents: ExponentFit | None,
) -> Figures:
    """Return the parameters, the held-out scores of the values tried, and the exponents."""
    hands = file.provenance.hands if file.provenance else 0
    figures = {
        Key(name, about=PARAMETER): Estimate.normal(value, error, hands)
        for name, value, error in zip(
            known.parameters, vector.tolist(), known.errors.tolist(), strict=True
        )
    }
    return {**figures, **choice_figures(choices, exponents)}


def fit_hands(
    hands: Sequence[Replay],
    options: FitOptions,
    read: Gather | None = None,
    tick: Tick = lambda _: None,
    phase: Tick = lambda _: None,
    without: Collection[str] = (),
) -> Fit:
    """Fit policies to hands; the order of the hands makes no difference.

    Args:
        hands: The hands.
        options: Options of the fit.
        read: Reads the hands by policies; by default in this process.
        tick: Called after each step with its name.
        phase: Called before each part of the work with its name, for people.
        without: Names of players whose actions are left out.

    Raises:
        FitError: The hands hold no action that a player chose, or more than a tenth of these
            actions cannot be used.
    """
    ordered = sorted(hands, key=_order)
    work = ordered, options, read or read_all, tick, phase, without
    if options.family == TREE:
        return TreeFitter(*work).fit()
    return _Fitter(*work).fit()


def _order(hand: Replay) -> tuple[str, str, str]:
    """Return the sort key of a hand; records without ids are told apart by their events."""
    history = hand.history
    return history.hand_id, fingerprint(history), repr(history.events)


def steps_of(options: FitOptions, hands: Sequence[Replay]) -> int:
    """Return about how often a fit of these hands calls ``tick``."""
    chosen = (options.penalty is None) * len(PENALTIES) + (options.likelihood_exponent is None)
    folds = min(len(hands), MORE_FOLDS if len(hands) < FEW_HANDS else FOLDS)
    steps = chosen * folds + options.rounds
    if options.players:
        turns = Counter(
            hand.history.seat(decision.seat).name for hand in hands for decision in hand.decisions
        )
        players = sum(n >= options.least for name, n in turns.items() if name)
        steps += 1 + players * (len(SHRINKAGES) + 2)
    return steps


class _Fitter(FitInProgress):
    """A fit of a family of parameters."""

    def __init__(
        self,
        hands: Sequence[Replay],
        options: FitOptions,
        read: Gather,
        tick: Tick,
        phase: Tick,
        without: Collection[str],
    ) -> None:
        super().__init__(hands, options, read, tick, phase, without)
        self._round = 0
        self._family = family = family_of(options.family, options.features)
        prior = options.prior
        centre = family.common_sense() if prior is None else family.vector(prior)
        start = family.outset() if prior is None else centre
        self._search = Search(family, Prior(centre, family.tightness), start, options.seed)
        self._penalty = 1.0

    def fit(self) -> Fit:
        """Choose penalty and exponent, then fit everybody's policy and those of players."""
        sample = self._gathered(PolicyFile(self._options.prior or loose()))
        vector = self._first(sample)
        for _ in range(self._options.rounds - 1):
            del sample  # two samples may not fit in memory
            sample = self._gathered(PolicyFile(self._policy(vector)))
            vector = self._best(sample, vector)
        own: dict[str, Floats] = {}
        shrinkage = math.nan
        players = players_in(sample, self._options.least) if self._options.players else {}
        if players:
            self._phase("choosing the shrinkage of players")
            shrinkage = self._chosen(choose_shrinkage(self._search, vector, players, self._tick))
            own = self._own_vectors(vector, players, shrinkage)
            # Read the hands once more, each player by its own policy.
            sample = self._gathered(PolicyFile(self._policy(vector), self._policies(own)))
            vector = self._best(sample, vector)
            players = players_in(sample, self._options.least)
            own = self._own_vectors(vector, players, shrinkage)
        truths = sample.with_truths()
        provenance = self._provenance(sample, truths, vector, players)
        known = self._uncertainty(vector, truths, self._search.at(self._penalty))
        policies = self._policies(own)
        for name, policy in policies.items():
            truths = players[name].with_truths()
            prior = player_prior(self._search, vector, shrinkage)
            around = self._uncertainty(own[name], truths, prior, known)
            policies[name] = replace(policy, uncertainty=around)
        everybody = replace(self._policy(vector), uncertainty=known)
        file = PolicyFile(everybody, policies, provenance)
        figures = _figures(file, self._choices, vector, known, self._exponents)
        return Fit(figures, file, tuple(self._choices), self._usage)

    def _uncertainty(
        self, vector: Floats, sample: Sample, prior: Prior, everybody: Uncertainty | None = None
    ) -> Uncertainty:
        """Return the uncertainty of parameters; ``everybody`` is that of a player's prior."""
        spread = covariance(self._family, vector, sample, prior)
        held = None if everybody is None else prior.precision
        return Uncertainty.of(self._family.names, spread, held, everybody)

    def _first(self, sample: Sample) -> Floats:
        """Choose penalty and exponent, and return the parameters of the first round."""
        few = some_hands(sample, self._options.seed)
        self._choose(few)
        self._phase("fitting, under weaker and weaker priors")
        start = self._search.descend(few.with_truths(), self._penalty)
        del few
        return self._best(sample, start)

    def _gathered(self, policies: PolicyFile) -> Sample:
        self._round += 1
        self._phase(f"reading the hands, round {self._round}")
        return self._sample(policies, self._family.grouping)

    def _choose(self, few: Sample) -> None:
        """Take penalty and exponent from the options, or choose them on a few hands."""
        penalty, exponent = self._options.penalty, self._options.likelihood_exponent
        if penalty is None:
            self._phase("choosing the penalty")
            penalty = self._chosen(choose_penalty(self._search, few, PENALTIES, self._tick))
        if exponent is None and self._options.by_stage:
            self._phase("choosing the likelihood exponents")
            exponent = self._by_stage(few, penalty)
        elif exponent is None:
            self._phase("choosing the likelihood exponent")
            exponent = self._chosen(choose_exponent(self._search, few, penalty, self._tick))
        self._penalty, self._exponent = penalty, exponent

    def _by_stage(self, few: Sample, penalty: float) -> Exponents:
        return self._exponents_of(held_out_reads(self._search, few, penalty, self._tick))

    def _best(self, sample: Sample, start: Floats) -> Floats:
        self._phase(f"fitting, round {self._round}")
        prior = self._search.at(self._penalty)
        vector = most_probable(self._family, sample.with_truths(), prior, start)
        self._tick("fit")
        return vector

    def _own_vectors(
        self, everybody: Floats, players: Mapping[str, Sample], shrinkage: float
    ) -> dict[str, Floats]:
        """Return the parameters (K,) of each player, by name."""
        found = {}
        self._phase(f"fitting {len(players)} players")
        for name, sample in players.items():
            found[name] = own_vector(self._search, everybody, sample.with_truths(), shrinkage)
            self._tick("players")
        return found

    def _policy(self, vector: Floats) -> Single:
        return self._family.policy(vector, self._options.name, self._exponent)

    def _policies(self, vectors: Mapping[str, Floats]) -> dict[str, Single]:
        name, exponent = self._options.name, self._exponent
        return {
            player: self._family.policy(vector, f"{name}#{player}", exponent)
            for player, vector in vectors.items()
        }

    def _provenance(
        self, sample: Sample, truths: Sample, vector: Floats, players: Mapping[str, Sample]
    ) -> Provenance:
        bits = evidence(self._family, vector, truths).total / LN2
        own = [(name, int(np.unique(one.hand).size), one.n_turns) for name, one in players.items()]
        return Provenance(
            version=self._options.version,
            hands=len(self._hands),
            actions=sample.n_turns,
            known=int(sample.turns[sample.known].sum()),
            evidence_bits=round(bits, 1),
            penalty=self._penalty,
            seen=tuple(sorted({fingerprint(hand.history) for hand in self._hands})),
            players=tuple(own),
            games=tuple(sorted(Counter(hand.history.variant for hand in self._hands).items())),
        )


def read_all(hands: Sequence[Replay], policies: PolicyFile, grouping: Grouping) -> Sample:
    """Return the sample of hands read by policies, in this process."""
    players = players_of(policies)
    return gather(
        ((number, hand, players.for_hand(hand.history)) for number, hand in enumerate(hands)),
        grouping,
    )


def players_of(policies: PolicyFile) -> PlayerModels:
    """Return the models of a policy file: its players' own policies, and one for the rest."""
    names = {name: Model(policy) for name, policy in policies.players.items()}
    return PlayerModels(Model(policies.policy), names=names)


class PartReader:
    """Reads hands by policies in parts; a resumed run does not read finished parts again.

    Args:
        run: How the hands are read.
    """

    def __init__(self, run: Run) -> None:
        self._run = run

    def __call__(self, hands: Sequence[Replay], policies: PolicyFile, grouping: Grouping) -> Sample:
        """Return the sample of the hands, read by the policies."""
        digest = hashlib.sha256(policy_text(policies).encode()).hexdigest()[:16]
        work, jobs = (
            partial(_gather_part, policies, grouping),
            [*enumerate(map(written_out, hands))],
        )
        with self._run.within(digest).parts(work, jobs, 1, "hands", ".npz") as parts:
            return _loaded([part.file for part in parts])


def _gather_part(
    policies: PolicyFile, grouping: Grouping, hands: Iterable[tuple[int, History]], path: Path
) -> None:
    """Read some numbered hands and save their sample."""
    players = players_of(policies)
    read = ((n, replay(played), players.for_hand(played)) for n, played in hands)
    gather(read, grouping).save(path)


def _loaded(files: Sequence[Path]) -> Sample:
    try:
        return Sample.load(files)
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile):
        if len(files) == 1:
            raise RunError(damaged(files[0])) from None
    for file in files:
        _loaded([file])
    raise RunError(damaged(files[0].parent))
