"""Fit policies to replayed hands: the steps of a fit, and reading the hands in parts."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Generic

import numpy as np

import handread.study.fit.choices as choosing
from handread.arrays import Ints
from handread.game.replay import replay
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
from handread.study.fit.choices import Players
from handread.study.fit.evidence import LN2, sums_of
from handread.study.fit.exponents import STAGES, STREETS, ExponentFit, fit_exponents
from handread.study.fit.families import FIRST, Family, Logits, Ramps, loose
from handread.study.fit.fitted import EXPONENT, MOST_LOST, Fit, FitError, FitOptions, Usage
from handread.study.fit.learners import Learner, P, VectorLearner
from handread.study.fit.sample import Grouping, Sample, gather, is_choice
from handread.study.fit.stored import KeptSample, Lines, StoredHands
from handread.study.fit.tree_fit import TreeLearner
from handread.study.logs import logs_of
from handread.study.statistics import Estimate, Figures, Key

Gather = Callable[[StoredHands, PolicyFile, Grouping], Iterable[Sample]]
"""Reads hands by policies, and groups possible holdings; yields samples of different hands."""

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
    hands: Iterable[Replay] | StoredHands,
    options: FitOptions,
    read: Gather | None = None,
    tick: choosing.Tick = lambda _: None,
    phase: choosing.Tick = lambda _: None,
    without: Collection[str] = (),
    folder: Path | None = None,
) -> Fit:
    """Fit policies to hands, leaving out the actions of players with the names ``without``.

    The order of the hands makes no difference. They are compressed in memory; their readings are in
    a file, except for trees. By default the hands are read in this process. ``tick`` is called
    after each step, ``phase`` before each part of the work with its name for people. Temporary
    files are in ``folder``, by default the system's.
    Raise ``FitError`` if the hands hold no action that a player chose, or if more than a tenth of
    these actions cannot be used.
    """
    stored = StoredHands.of(hands)
    ordered = stored[[*_in_order(stored)]]
    rivals = learners_of(options)
    first = next(iter(rivals.values()))
    logs = logs_of(ordered)
    numbers = np.array(logs.of_hand if logs.resampled else range(len(ordered)))
    reader = read or partial(read_parts, Run())
    fitter = _Fitter(
        first,
        rivals,
        ordered,
        numbers,
        options,
        read=reader,
        tick=tick,
        phase=phase,
        without=without,
        folder=folder,
    )
    return fitter.fit()


def _in_order(hands: StoredHands) -> Iterator[int]:
    """Yield the numbers of hands in an order of their own; events distinguish those without ids."""
    keys = [(history.hand_id, fingerprint(history)) for history in hands]
    for _, alike in groupby(sorted(range(len(keys)), key=keys.__getitem__), keys.__getitem__):
        numbers = [*alike]
        events = [repr(hand.events) for hand in hands[numbers]]
        yield from (number for _, number in sorted(zip(events, numbers, strict=True)))


def steps_of(options: FitOptions, hands: StoredHands) -> int:
    """Return the approximate number of calls of ``tick`` in a fit of these hands."""
    rivals = learners_of(options)
    learner = next(iter(rivals.values()))
    tried = len(rivals) * (len(learner.penalties) if options.penalty is None else len(rivals) > 1)
    tried += options.likelihood_exponent is None
    folds = min(len(hands), choosing.n_folds(len(hands)))
    steps = tried * folds + options.rounds
    if options.players:
        played = map(replay, hands)
        turns = Counter(hand.history.seat(d.seat).name for hand in played for d in hand.decisions)
        players = sum(n >= options.least for name, n in turns.items() if name)
        # Where the hands are read again, once for all players and once for each.
        read = 1 if learner.rereads else 0
        steps += read + players * (len(choosing.SHRINKAGES) + 1 + read)
    return steps


@dataclass
class _Fitter(Generic[P]):
    learner: Learner[Any, P]
    rivals: Mapping[str, Learner[Any, P]]
    hands: StoredHands
    logs: Ints
    options: FitOptions
    read: Gather
    tick: choosing.Tick
    phase: choosing.Tick
    without: Collection[str]
    folder: Path | None
    choices: list[choosing.Choice[Any]] = field(default_factory=list)
    usage: Usage | None = None
    round: int = 0
    penalty: float = 1.0
    exponent: Exponents = 1.0
    exponents: ExponentFit | None = None

    def fit(self) -> Fit:
        """Choose penalty and exponent, then fit everybody's policy and players' policies."""
        options = self.options
        most = self.learner.most_hands if options.rounds > 1 else len(self.hands)
        sample = self._gathered(PolicyFile(options.prior or loose()), most)
        start = self._first(sample)
        sample = sample.with_truths()
        fitted = self._best(sample, start)
        for _ in range(options.rounds - 1):
            del sample  # two may not fit on the disk, or trees' in memory
            sample = self._gathered(PolicyFile(self._policy(fitted)))
            before, fitted = fitted, self._best(sample, fitted)
            gained = self._bits(sample, fitted) - self._bits(sample, before)
            if gained / sample.n_turns < HARDLY:
                break
        by_player: dict[str, P] = {}
        shrinkage = math.nan
        players = choosing.players_in(sample, options.least) if options.players else {}
        if players:
            self.phase("choosing the shrinkage of players")
            shrinkage = self._chosen(
                choosing.choose_shrinkage(self.learner, fitted, players, options.seed, self.tick)
            )
            by_player = self._of_players(fitted, players, shrinkage)
        if players and self.learner.rereads:
            # Read the hands once more, each player by its own policy.
            policies = {name: self._policy(result, name) for name, result in by_player.items()}
            sample = self._gathered(PolicyFile(self._policy(fitted), policies))
            fitted = self._best(sample, fitted)
            players = choosing.players_in(sample, options.least)
            by_player = self._of_players(fitted, players, shrinkage)
        return self._result(sample, fitted, players, by_player, shrinkage)

    def _result(
        self, truths: Lines, fitted: P, players: Players, by_name: Mapping[str, P], shrinkage: float
    ) -> Fit:
        self.phase("finding how sure the parameters are")
        learner = self.learner.at(self.penalty)
        known, untold = learner.uncertainty(fitted, truths, None), learner.untold(fitted, truths)
        provenance = self._provenance(truths, fitted, players)
        learner = self.learner.of_player(fitted, shrinkage)
        policies = {}
        for name, result in by_name.items():
            around = learner.uncertainty(result, players[name], known)
            policies[name] = replace(self._policy(result, name), uncertainty=around)
        everybody = replace(self._policy(fitted), uncertainty=known)
        choices = _choice_figures(self.choices, self.exponents)
        figures = self.learner.figures(fitted, choices, known, len(self.hands))
        file = PolicyFile(everybody, policies, provenance)
        assert self.usage is not None  # the hands were read
        return Fit(figures, file, tuple(self.choices), self.usage, untold)

    def _gathered(self, policies: PolicyFile, most: int | None = None) -> Lines:
        """Read all hands by policies, or ``most`` at random; raise ``FitError`` for too few."""
        self.round += 1
        self.phase(f"reading the hands, round {self.round}")
        drawn = np.random.default_rng(self.options.seed).permutation(len(self.hands))
        numbers = np.sort(drawn[:most])
        hands, used = self.hands[numbers.tolist()], Counter[str]()

        def numbered(sample: Sample) -> Sample:
            hand = numbers[sample.hand]
            used.update(hands=np.unique(hand).size, actions=sample.n_turns)
            sample = replace(sample, hand=hand, log=self.logs[hand])
            sample = sample.select(~np.isin(sample.player, list(self.without)))
            sample = sample.hidden() if self.options.hidden else sample
            # The first time, the choices need the possible holdings, too.
            return sample if self.round == 1 else sample.with_truths()

        samples = self.read(hands, policies, self.learner.grouping)
        sample = KeptSample.of(map(numbered, samples), self.folder)
        self.usage = usage = Usage.of(hands, used["hands"], used["actions"])
        lost = usage.actions - usage.used
        if lost > MOST_LOST * usage.actions:
            raise FitError(
                f"{lost:,} of the {usage.actions:,} actions by choice cannot "
                f"be used, which is more than a tenth: {'; '.join(usage.why_not())}"
            )
        if not sample.n_turns:
            raise FitError("nobody in these hands had a choice between actions: nothing to learn")
        return self.learner.sample_of(sample)

    def _first(self, sample: Lines) -> P:
        """Make the choices on a few hands, and return where the first round starts."""
        drawn = choosing.some_hands(sample, self.options.seed, self.learner.most_hands)
        start = self._choose_form(drawn)
        self._choose_exponent(drawn, start)
        if start is None:
            self.phase(self.learner.approach)
            start = choosing.descended(self.learner, drawn.with_truths(), self.penalty)
        return start

    def _choose_form(self, drawn: Sample) -> P | None:
        """Take family and penalty from the options, or choose them on a few hands.

        Return where a search at a chosen penalty starts.
        """
        penalty = self.options.penalty
        if penalty is not None and len(self.rivals) == 1:
            self.penalty = penalty
            return None
        coarse, tuned = self.learner.coarse(drawn), {}
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

    def _choose_exponent(self, drawn: Sample, start: P | None) -> None:
        learner, options, tick = self.learner, self.options, self.tick
        if options.likelihood_exponent is not None:
            self.exponent = options.likelihood_exponent
        elif options.by_stage:
            self.phase("choosing the likelihood exponents")
            self.exponent = self._by_stage(drawn, start)
        else:
            self.phase("choosing the likelihood exponent")
            penalty, seed = self.penalty, options.seed
            chosen = choosing.choose_exponent(learner, drawn, penalty, seed, tick, start=start)
            self.exponent = self._chosen(chosen)

    def _by_stage(self, drawn: Sample, start: P | None) -> Exponents:
        penalty, seed = self.penalty, self.options.seed
        reads = choosing.held_out_reads(self.learner, drawn, penalty, seed, self.tick, start=start)
        if not reads:
            raise FitError("no downcards are known: they decide the likelihood exponents by stage")
        self.exponents = fit_exponents(reads, STAGES)
        third, fourth, fifth, sixth, seventh = np.round(self.exponents.exponents, 2).tolist()
        return third, fourth, fifth, sixth, seventh

    def _chosen(self, choice: choosing.Choice[choosing.V]) -> choosing.V:
        self.choices.append(choice)
        return choice.chosen

    def _best(self, truths: Lines, start: P) -> P:
        self.phase(f"fitting, round {self.round}")
        learned = self.learner.at(self.penalty).learned(truths, start)
        self.tick("fit")
        return learned

    def _bits(self, truths: Lines, result: P) -> float:
        odds = ((part, self.learner.log_odds(result, part)) for part in truths.parts())
        return sum(float(sums_of(part, log_odds)[0].sum()) for part, log_odds in odds) / LN2

    def _of_players(self, everybody: P, players: Players, shrinkage: float) -> dict[str, P]:
        learner, by_player = self.learner.of_player(everybody, shrinkage), {}
        self.phase(f"fitting {len(players)} players")
        for name, sample in players.items():
            by_player[name] = learner.learned(sample, everybody)
            self.tick("players")
        return by_player

    def _policy(self, result: P, player: str = "") -> Single:
        name = f"{self.options.name}#{player}" if player else self.options.name
        return self.learner.policy(result, name, self.exponent)

    def _provenance(self, truths: Lines, fitted: P, players: Players) -> Provenance:
        of_players = [
            (name, choosing.hands_in(lines).size, lines.n_turns) for name, lines in players.items()
        ]
        return Provenance(
            version=self.options.version,
            hands=len(self.hands),
            actions=truths.n_turns,
            known=sum(int(part.turns[part.known].sum()) for part in truths.parts()),
            evidence_bits=round(self._bits(truths, fitted), 1),
            penalty=self.penalty,
            seen=tuple(sorted(set(map(fingerprint, self.hands)))),
            players=tuple(of_players),
            families=tuple(self._families()),
            games=tuple(sorted(Counter(hand.variant for hand in self.hands).items())),
            spots=tuple(sorted(Counter(self._spots()).items())),
        )

    def _families(self) -> Iterator[tuple[str, float]]:
        for choice in self.choices:
            if choice.what == "family":
                for name, score in zip(choice.values, choice.scores, strict=True):
                    yield name, round(score, 4)

    def _spots(self) -> Iterator[str]:
        for hand in map(replay, self.hands):
            for decision in hand.decisions:
                name = hand.history.seat(decision.seat).name
                if name not in self.without and is_choice(decision):
                    yield spot_kind(hand.history.variant, decision)


def _choice_figures(
    choices: Sequence[choosing.Choice[Any]], exponents: ExponentFit | None
) -> Figures:
    figures = {}
    for choice in choices:
        for value, score, error in zip(choice.values, choice.scores, choice.errors, strict=True):
            named = value if isinstance(value, str) else f"{value:g}"
            key = Key(choice.by, group=f"{choice.what} {named}", about="choice")
            figures[key] = Estimate(score, error)
    if exponents is not None:
        ends = zip(exponents.exponents, exponents.low, exponents.high, strict=True)
        for street, (value, low, high) in zip(STREETS, ends, strict=True):
            key = Key("likelihood exponent", group=f"street {street}", about=EXPONENT)
            estimate = Estimate(float(value), low=float(low), high=float(high), n=exponents.lines)
            figures[key] = estimate
    return figures


def players_of(policies: PolicyFile, mixture: Panel | None = None) -> PlayerModels:
    """Return the models of a policy file: players' own policies, and a policy for the rest.

    Each policy replaces the first member of ``mixture``, if there is one.
    """

    def model(policy: Single | Panel) -> Model:
        return Model(policy if mixture is None else mixture.led_by(single(policy)))

    names = {name: model(policy) for name, policy in policies.players.items()}
    return PlayerModels(model(policies.policy), names=names)


def read_parts(
    run: Run, hands: StoredHands, policies: PolicyFile, grouping: Grouping
) -> Iterator[Sample]:
    """Yield samples of hands read by policies in parts, which a resumed run skips."""
    digest = hashlib.sha256(policy_text(policies).encode()).hexdigest()[:16]
    work = partial(_gather_part, policies, grouping)
    with run.within(digest).parts(work, hands, 1, "hands", ".npz") as parts:
        for part in parts:
            sample = Sample.load(part.file)
            hand = sample.hand + part.numbers.start
            yield replace(sample, hand=hand, log=hand)


def _gather_part(
    policies: PolicyFile, grouping: Grouping, hands: Iterable[History], path: Path
) -> None:
    players = players_of(policies)
    read = ((n, replay(played), players.for_hand(played)) for n, played in enumerate(hands))
    gather(read, grouping).save(path)
