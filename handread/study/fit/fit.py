"""Fit policies to replayed hands: the steps of a fit, and reading the hands in parts."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic

import numpy as np

import handread.study.fit.choices as choosing
from handread.arrays import Ints
from handread.game.replay import replay, written_out
from handread.game.steps import Replay
from handread.history import History
from handread.inference.players import Model, PlayerModels
from handread.policy import (
    Exponents,
    Panel,
    PolicyFile,
    Provenance,
    Single,
    fingerprint,
    policy_text,
    single,
    spot_kind,
)
from handread.runs import Run
from handread.study.fit import in_one_blas_thread
from handread.study.fit.evidence import LN2, sums_of
from handread.study.fit.exponents import STAGES, STREETS, ExponentFit, fit_exponents
from handread.study.fit.families import FIRST, Family, Logits, Ramps, loose
from handread.study.fit.fitted import EXPONENT, MOST_LOST, Fit, FitError, FitOptions, Usage
from handread.study.fit.learners import Learner, P, S, VectorLearner
from handread.study.fit.sample import Grouping, Sample, gather, is_choice
from handread.study.fit.tree_fit import TreeLearner
from handread.study.logs import logs_of
from handread.study.statistics import Estimate, Figures, Key

Gather = Callable[[Sequence[Replay], PolicyFile, Grouping], Sample]
"""Reads hands by policies, and groups possible holdings."""

FAMILIES: dict[str, Callable[[], Family]] = {"logit": Logits, "ramps": Ramps}
"""The families that are vectors of parameters."""

HARDLY = 0.003
"""Gain of a fit, in bits an action, that is too small to read its hands again by it."""

TREE = "tree"
"""The family of relational trees."""


def family_of(name: str, features: Collection[str] = FIRST) -> Family:
    """Return a family by name; ``features`` are the groups of features of a logit policy."""
    return Logits(features) if name == "logit" else FAMILIES[name]()


def learners_of(options: FitOptions) -> dict[str, Learner[Any, Any]]:
    """Return the learners by family, with the prior of the options if it is of the family."""
    if options.family == TREE:
        return {TREE: TreeLearner(getattr(options.prior, "trees", ()))}
    names = FAMILIES if options.family is None else (options.family,)
    prior = {options.prior.family: options.prior} if options.prior else {}
    given = prior.get if options.family is None else lambda _: options.prior
    return {
        name: VectorLearner.of(family_of(name, options.features), given(name)) for name in names
    }


@in_one_blas_thread
def fit_hands(
    hands: Sequence[Replay],
    options: FitOptions,
    read: Gather | None = None,
    tick: choosing.Tick = lambda _: None,
    phase: choosing.Tick = lambda _: None,
    without: Collection[str] = (),
) -> Fit:
    """Fit policies to hands, leaving out the actions of players with the names ``without``.

    The order of the hands makes no difference. By default they are read in this process. ``tick``
    is called after each step, ``phase`` before each part of the work with its name for people.
    Raise ``FitError`` if the hands hold no action that a player chose, or if more than a tenth of
    these actions cannot be used.
    """
    ordered = sorted(hands, key=_order)
    rivals = learners_of(options)
    first = next(iter(rivals.values()))
    logs = logs_of(hand.history for hand in ordered)
    numbers = np.array(logs.of_hand if logs.resampled else range(len(ordered)))
    return _Fitter(
        first, rivals, ordered, numbers, options, read or read_all, tick, phase, without
    ).fit()


def _order(hand: Replay) -> tuple[str, str, str]:
    """Return the sort key of a hand; events distinguish records without ids."""
    history = hand.history
    return history.hand_id, fingerprint(history), repr(history.events)


def steps_of(options: FitOptions, hands: Sequence[Replay]) -> int:
    """Return the approximate number of calls of ``tick`` in a fit of these hands."""
    rivals = learners_of(options)
    learner = next(iter(rivals.values()))
    tried = len(rivals) * (len(learner.penalties) if options.penalty is None else len(rivals) > 1)
    tried += options.likelihood_exponent is None
    folds = min(len(hands), choosing.n_folds(len(hands)))
    steps = tried * folds + options.rounds
    if options.players:
        turns = Counter(
            hand.history.seat(decision.seat).name for hand in hands for decision in hand.decisions
        )
        players = sum(n >= options.least for name, n in turns.items() if name)
        # Where the hands are read again, once for all players and once for each.
        read = 1 if learner.rereads else 0
        steps += read + players * (len(choosing.SHRINKAGES) + 1 + read)
    return steps


@dataclass
class _Fitter(Generic[S, P]):
    learner: Learner[S, P]
    rivals: Mapping[str, Learner[S, P]]
    hands: Sequence[Replay]
    logs: Ints
    options: FitOptions
    read: Gather
    tick: choosing.Tick
    phase: choosing.Tick
    without: Collection[str]
    choices: list[choosing.Choice[Any]] = field(default_factory=list)
    usage: Usage | None = None
    round: int = 0
    penalty: float = 1.0
    exponent: Exponents = 1.0
    exponents: ExponentFit | None = None

    def fit(self) -> Fit:
        """Choose penalty and exponent, then fit everybody's policy and players' policies."""
        options = self.options
        few = self.learner.most_hands if options.rounds > 1 else len(self.hands)
        sample = self._gathered(PolicyFile(options.prior or loose()), few)
        found = self._best(sample, self._first(sample))
        for _ in range(options.rounds - 1):
            del sample  # two samples may not fit in memory
            sample = self._gathered(PolicyFile(self._policy(found)))
            before, found = found, self._best(sample, found)
            if self._gained(sample, before, found) < HARDLY:
                break
        own: dict[str, P] = {}
        shrinkage = math.nan
        players = choosing.players_in(sample, options.least) if options.players else {}
        if players:
            self.phase("choosing the shrinkage of players")
            shrinkage = self._chosen(
                choosing.choose_shrinkage(self.learner, found, players, options.seed, self.tick)
            )
            own = self._of_players(found, players, shrinkage)
        if players and self.learner.rereads:
            # Read the hands once more, each player by its own policy.
            policies = {name: self._policy(one, name) for name, one in own.items()}
            sample = self._gathered(PolicyFile(self._policy(found), policies))
            found = self._best(sample, found)
            players = choosing.players_in(sample, options.least)
            own = self._of_players(found, players, shrinkage)
        return self._result(sample, found, players, own, shrinkage)

    def _result(
        self, sample: S, found: P, players: Mapping[str, S], own: Mapping[str, P], shrinkage: float
    ) -> Fit:
        truths = sample.with_truths()
        self.phase("finding how sure the parameters are")
        learner = self.learner.at(self.penalty)
        known, untold = learner.uncertainty(found, truths, None), learner.untold(found, truths)
        provenance = self._provenance(truths, found, players)
        learner = self.learner.of_player(found, shrinkage)
        policies = {}
        for name, one in own.items():
            around = learner.uncertainty(one, players[name].with_truths(), known)
            policies[name] = replace(self._policy(one, name), uncertainty=around)
        everybody = replace(self._policy(found), uncertainty=known)
        choices = _choice_figures(self.choices, self.exponents)
        figures = self.learner.figures(found, choices, known, len(self.hands))
        file = PolicyFile(everybody, policies, provenance)
        assert self.usage is not None  # the hands were read
        return Fit(figures, file, tuple(self.choices), self.usage, untold)

    def _gathered(self, policies: PolicyFile, most: int | None = None) -> S:
        """Read all hands by policies, or ``most`` at random; raise ``FitError`` for too few."""
        self.round += 1
        self.phase(f"reading the hands, round {self.round}")
        drawn = np.random.default_rng(self.options.seed).permutation(len(self.hands))
        numbers = np.sort(drawn[:most])
        hands = [self.hands[number] for number in numbers]
        sample = self.read(hands, policies, self.learner.grouping)
        sample = replace(sample, hand=numbers[sample.hand])
        sample = replace(sample, log=self.logs[sample.hand])
        self.usage = usage = Usage.of(hands, sample)
        lost = usage.actions - usage.used
        if lost > MOST_LOST * usage.actions:
            raise FitError(
                f"{lost:,} of the {usage.actions:,} actions by choice cannot "
                f"be used, which is more than a tenth: {'; '.join(usage.why_not())}"
            )
        if self.without:
            sample = sample.select(~np.isin(sample.player, list(self.without)))
        if not sample.n_turns:
            raise FitError("nobody in these hands had a choice between actions: nothing to learn")
        return self.learner.sample_of(sample.hidden() if self.options.hidden else sample)

    def _first(self, sample: S) -> P:
        """Make the choices on a few hands, and return where the first round starts."""
        few = choosing.some_hands(sample, self.options.seed, self.learner.most_hands)
        start = self._choose_form(few)
        self._choose_exponent(few, start)
        if start is None:
            self.phase(self.learner.approach)
            start = choosing.descended(self.learner, few.with_truths(), self.penalty)
        return start

    def _choose_form(self, few: S) -> P | None:
        """Take family and penalty from the options, or choose them on a few hands.

        Return where a search at a chosen penalty starts.
        """
        penalty = self.options.penalty
        if penalty is not None and len(self.rivals) == 1:
            self.penalty = penalty
            return None
        coarse, tuned = self.learner.coarse(few), {}
        for name, learner in self.rivals.items():
            of = f" of {name}" if len(self.rivals) > 1 else ""
            self.phase(f"choosing the {learner.penalty}{of}")
            tried = None if penalty is None else [penalty]
            tuned[name] = choosing.choose_penalty(
                learner, coarse, self.options.seed, self.tick, tried
            )
        best = next(iter(tuned.values()))
        if len(tuned) > 1:
            best = tuned[self._chosen(choosing.choose_family(tuned, coarse.log))]
            self.learner = best.learner
        self.penalty = best.penalty.chosen
        if penalty is None:
            self.choices.append(best.penalty)
        return best.start

    def _choose_exponent(self, few: S, start: P | None) -> None:
        learner, options, tick = self.learner, self.options, self.tick
        if options.likelihood_exponent is not None:
            self.exponent = options.likelihood_exponent
        elif options.by_stage:
            self.phase("choosing the likelihood exponents")
            self.exponent = self._by_stage(few, start)
        else:
            self.phase("choosing the likelihood exponent")
            chosen = choosing.choose_exponent(learner, few, self.penalty, options.seed, tick, start)
            self.exponent = self._chosen(chosen)

    def _by_stage(self, few: S, start: P | None) -> Exponents:
        seed = self.options.seed
        reads = choosing.held_out_reads(self.learner, few, self.penalty, seed, self.tick, start)
        if not reads:
            raise FitError("no downcards are known: they decide the likelihood exponents by stage")
        self.exponents = fit_exponents(reads, STAGES)
        third, fourth, fifth, sixth, seventh = np.round(self.exponents.exponents, 2).tolist()
        return third, fourth, fifth, sixth, seventh

    def _chosen(self, choice: choosing.Choice[choosing.V]) -> choosing.V:
        self.choices.append(choice)
        return choice.chosen

    def _best(self, sample: S, start: P) -> P:
        self.phase(f"fitting, round {self.round}")
        learned = self.learner.at(self.penalty).learned(sample.with_truths(), start)
        self.tick("fit")
        return learned

    def _gained(self, sample: S, before: P, after: P) -> float:
        truths = sample.with_truths()
        old, new = (
            sums_of(truths, self.learner.log_odds(one, truths))[0] for one in (before, after)
        )
        return float((new - old).sum()) / LN2 / truths.n_turns

    def _of_players(self, everybody: P, players: Mapping[str, S], shrinkage: float) -> dict[str, P]:
        learner, found = self.learner.of_player(everybody, shrinkage), {}
        self.phase(f"fitting {len(players)} players")
        for name, sample in players.items():
            found[name] = learner.learned(sample.with_truths(), everybody)
            self.tick("players")
        return found

    def _policy(self, found: P, player: str = "") -> Single:
        name = f"{self.options.name}#{player}" if player else self.options.name
        return self.learner.policy(found, name, self.exponent)

    def _provenance(self, truths: S, found: P, players: Mapping[str, S]) -> Provenance:
        bits = sums_of(truths, self.learner.log_odds(found, truths))[0].sum() / LN2
        own = [(name, int(np.unique(one.hand).size), one.n_turns) for name, one in players.items()]
        return Provenance(
            version=self.options.version,
            hands=len(self.hands),
            actions=truths.n_turns,
            known=int(truths.turns[truths.known].sum()),
            evidence_bits=round(float(bits), 1),
            penalty=self.penalty,
            seen=tuple(sorted({fingerprint(hand.history) for hand in self.hands})),
            players=tuple(own),
            families=self._families(),
            games=tuple(sorted(Counter(hand.history.variant for hand in self.hands).items())),
            spots=tuple(sorted(Counter(self._spots()).items())),
        )

    def _families(self) -> tuple[tuple[str, float], ...]:
        tried = [one for one in self.choices if one.what == "family"]
        return tuple(
            (name, round(score, 4))
            for one in tried
            for name, score in zip(one.values, one.scores, strict=True)
        )

    def _spots(self) -> Iterator[str]:
        for hand in self.hands:
            for decision in hand.decisions:
                name = hand.history.seat(decision.seat).name
                if name not in self.without and is_choice(decision):
                    yield spot_kind(hand.history.variant, decision)


def _choice_figures(
    choices: Sequence[choosing.Choice[Any]], exponents: ExponentFit | None
) -> Figures:
    figures = {}
    for one in choices:
        for value, score, error in zip(one.values, one.scores, one.errors, strict=True):
            named = value if isinstance(value, str) else f"{value:g}"
            key = Key(one.by, group=f"{one.what} {named}", about="choice")
            figures[key] = Estimate(score, error)
    if exponents is not None:
        ends = zip(exponents.exponents, exponents.low, exponents.high, strict=True)
        for street, (value, low, high) in zip(STREETS, ends, strict=True):
            key = Key("likelihood exponent", group=f"street {street}", about=EXPONENT)
            estimate = Estimate(float(value), low=float(low), high=float(high), n=exponents.lines)
            figures[key] = estimate
    return figures


def read_all(hands: Sequence[Replay], policies: PolicyFile, grouping: Grouping) -> Sample:
    """Return the sample of hands read by policies, in this process."""
    players = players_of(policies)
    return gather(
        ((number, hand, players.for_hand(hand.history)) for number, hand in enumerate(hands)),
        grouping,
    )


def players_of(policies: PolicyFile, mixture: Panel | None = None) -> PlayerModels:
    """Return the models of a policy file: players' own policies, and a policy for the rest.

    Each policy replaces the first member of ``mixture``, if there is one.
    """

    def model(policy: Single | Panel) -> Model:
        return Model(policy if mixture is None else mixture.led_by(single(policy)))

    names = {name: model(policy) for name, policy in policies.players.items()}
    return PlayerModels(model(policies.policy), names=names)


def read_parts(
    run: Run, hands: Sequence[Replay], policies: PolicyFile, grouping: Grouping
) -> Sample:
    """Return the sample of hands read by policies in parts, which a resumed run skips."""
    digest = hashlib.sha256(policy_text(policies).encode()).hexdigest()[:16]
    work, jobs = partial(_gather_part, policies, grouping), [*enumerate(map(written_out, hands))]
    with run.within(digest).parts(work, jobs, 1, "hands", ".npz") as parts:
        return Sample.load([part.file for part in parts])


def _gather_part(
    policies: PolicyFile, grouping: Grouping, hands: Iterable[tuple[int, History]], path: Path
) -> None:
    players = players_of(policies)
    read = ((n, replay(played), players.for_hand(played)) for n, played in hands)
    gather(read, grouping).save(path)
