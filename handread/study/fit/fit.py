"""A fit from beginning to end: from replayed hands to a policy file."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from handread.formats.parquet import read_hands, write_hands
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History
from handread.inference.players import Model, PlayerModels
from handread.parallel import RunError, planned_parts, run_parts
from handread.policy import Panel, PolicyFile, Provenance, Single, fingerprint, policy_text
from handread.study.fit.evidence import (
    LN2,
    Prior,
    bits_on_truth,
    covariance,
    evidence,
    line_evidence,
    most_probable,
)
from handread.study.fit.families import Family, Logits, Ramps, loose
from handread.study.fit.sample import Flags, Floats, Ints, Sample, gather

PENALTIES = (30.0, 10.0, 3.0, 1.0, 0.3)
TEMPERS = (0.3, 0.5, 0.7, 0.85, 1.0)

FOLDS, FEW_HANDS, MORE_FOLDS = 5, 100, 10
"""How many folds, and how many where there are fewer hands than so many."""

MOST_HANDS = 200
"""How many hands the choice is made on: with more, the penalty hardly matters any longer."""

ENOUGH_TRUTHS = 30
"""From how many actions with known downcards on these, and not the surprise, choose the temper."""

BY_EVIDENCE = "log2 P(what a player did in a hand)"

Tick = Callable[[str], None]
"""Is told of each step that is done."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value chosen among others by a held-out score, the higher the better.

    ``by`` says what the scores are, in bits; ``errors`` are the standard errors, from hand to hand,
    of how far they are behind the best.
    """

    what: str
    by: str
    values: tuple[float, ...]
    scores: tuple[float, ...]
    errors: tuple[float, ...]
    chosen: float


def choice(
    what: str,
    by: str,
    values: Sequence[float],
    scores: Sequence[Floats],
    hands: Ints,
) -> Choice:
    """A value chosen by held-out scores, each an array of entries from ``hands``.

    ``values`` begin with the most cautious, and the first is taken whose score is behind the best
    by no more than the standard error of that: what is hardly better is not worth the risk.
    """
    means = [float(score.mean()) if score.size else 0.0 for score in scores]
    best = int(np.argmax(means))
    errors = [_error(scores[best] - score, hands) for score in scores]
    near = [means[best] - mean <= error for mean, error in zip(means, errors, strict=True)]
    chosen = values[near.index(True)]
    return Choice(what, by, tuple(values), tuple(means), tuple(errors), chosen)


def _error(differences: Floats, hands: Ints) -> float:
    """The standard error of a mean, the entries of a hand taken together."""
    if not differences.size:
        return 0.0
    off = differences - differences.mean()
    _, hand = np.unique(hands, return_inverse=True)
    return float(np.sqrt((np.bincount(hand, weights=off) ** 2).sum())) / differences.size


@dataclass(frozen=True, slots=True)
class Bench:
    """A family, its prior at penalty 1, and where a search begins: what every trial shares."""

    family: Family
    prior: Prior
    outset: Floats
    seed: int

    def way_down(self, sample: Sample, penalty: float) -> Floats:
        """The most probable parameters at a penalty, by way of all the stronger ones.

        A search from afar may end on a lesser peak; under a strong prior there is but one.
        """
        vector = self.outset
        for stronger in (*(value for value in PENALTIES if value > penalty), penalty):
            vector = most_probable(self.family, sample, self.at(stronger), vector)
        return vector

    def at(self, penalty: float) -> Prior:
        """The prior at a penalty."""
        return Prior(self.prior.centre, penalty * self.prior.precision)


def some_hands(sample: Sample, seed: int, most: int = MOST_HANDS) -> Sample:
    """The lines of at most so many hands, drawn by the seed."""
    hands = np.unique(sample.hand)
    if hands.size <= most:
        return sample
    chosen = np.random.default_rng(seed).permutation(hands)[:most]
    return sample.select(np.isin(sample.hand, chosen))


def folds_of(numbers: Ints, seed: int, folds: int | None = None) -> Iterator[Flags]:
    """Which entries of an array of numbers are held out in each fold; equal numbers together."""
    different = np.random.default_rng(seed).permutation(np.unique(numbers))
    if folds is None:
        folds = MORE_FOLDS if different.size < FEW_HANDS else FOLDS
    for fold in range(min(folds, different.size)):
        yield np.isin(numbers, different[fold::folds])


def choose_penalty(bench: Bench, sample: Sample, values: Sequence[float], tick: Tick) -> Choice:
    """The penalty under which hands that were held out are likeliest.

    Where downcards are known the score is that of the actions with them: -log2 of P(actions |
    downcards), which asks of a policy both to foresee the actions and to read the cards.
    """
    scores = []
    vector = bench.outset
    truths = sample.with_truths()
    # From the strongest down: each optimum is a good start for the next.
    for penalty in values:
        lines = np.zeros(truths.n_lines)
        vector = most_probable(bench.family, truths, bench.at(penalty), vector)
        for held_out in folds_of(sample.hand, bench.seed):
            trained = truths.select(~held_out)
            found = most_probable(bench.family, trained, bench.at(penalty), vector)
            lines[held_out] = line_evidence(bench.family, found, truths.select(held_out)) / LN2
            tick("penalty")
        scores.append(lines)
    return choice("penalty", BY_EVIDENCE, values, scores, sample.hand)


def choose_temper(bench: Bench, sample: Sample, penalty: float, tick: Tick) -> Choice:
    """The temper under which held-out reads are best, at a penalty.

    By the bits on the true downcards after each action where they are known, and then with caution;
    where hardly any are, by how well the read foresees the next action of the same player. That
    tells little of the read, so 1, which is Bayes' rule, must be shown to be wrong.
    """
    truths = sample.with_truths()
    start = bench.way_down(truths, penalty)
    by_truths = int(sample.turns[sample.known].sum()) >= ENOUGH_TRUTHS
    judged = sample.select(sample.known) if by_truths else sample
    tempers = TEMPERS if by_truths else TEMPERS[::-1]
    scores = [np.zeros(judged.n_turns) for _ in tempers]
    for held_out in folds_of(sample.hand, bench.seed):
        found = most_probable(bench.family, truths.select(~held_out), bench.at(penalty), start)
        lines = held_out[sample.known] if by_truths else held_out
        turns = lines[judged.line_of_turn]
        for temper, score in zip(tempers, scores, strict=True):
            bits, surprise = bits_on_truth(bench.family, found, judged.select(lines), temper)
            score[turns] = bits if by_truths else -surprise
        tick("temper")
    by = "bits on the true downcards" if by_truths else "log2 P(action)"
    hands = judged.hand[judged.line_of_turn]
    return choice("temper", by, tempers, scores, hands)


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
    players = players_of(policies)
    return gather(
        ((number, hand, players.for_hand(hand.history)) for number, hand in enumerate(hands)),
        groups,
    )


def players_of(policies: PolicyFile) -> PlayerModels:
    """Everybody by the policy of a file, its players by their own."""
    names = {name: Model(policy) for name, policy in policies.players.items()}
    return PlayerModels(Model(policies.policy), names=names)


def _reader(read: Gather, hidden: bool) -> Gather:
    """The same reader, or one that does not look at what the records tell of downcards."""
    return (lambda *asked: read(*asked).hidden()) if hidden else read


def single(policy: Single | Panel) -> Single:
    """A policy that is no panel; ``TypeError`` for a panel."""
    if isinstance(policy, Panel):
        raise TypeError(f"{policy.name} is a panel of policies")
    return policy


DAMAGED = "a damaged part; remove it, and run again to go on"


class PartReader:
    """Reads hands by policies; what an interrupted run has read already is not read again.

    ``folder`` keeps the hands and the parts, ``tick`` is told how many hands were read.
    """

    def __init__(self, folder: Path, workers: int, tick: Callable[[int], None]) -> None:
        self._folder = folder
        self._workers = workers
        self._tick = tick

    def __call__(self, hands: Sequence[Replay], policies: PolicyFile, groups: int) -> Sample:
        """The sample of the hands, read by the policies."""
        file = self._folder / "hands.parquet"
        if not file.exists():
            write_hands(file, (hand.history for hand in hands))
        text = policy_text(policies)
        folder = self._folder / hashlib.sha256(text.encode()).hexdigest()[:16]
        folder.mkdir(exist_ok=True)
        parts = planned_parts(folder, len(hands), ".npz")
        run_parts(partial(_gather_part, file, policies, groups), parts, self._workers, self._tick)
        return Sample.join(_loaded(part.file) for part in parts)


def _gather_part(file: Path, policies: PolicyFile, groups: int, numbers: range, path: Path) -> None:
    """Read the hands of these numbers and keep their sample."""
    players, histories = players_of(policies), _histories(file)
    hands = ((n, replay(histories[n]), players.for_hand(histories[n])) for n in numbers)
    gather(hands, groups).save(path)


@cache
def _histories(file: Path) -> list[History]:
    """The hands of the run, which each process reads once; ``RunError`` for a damaged file."""
    found = list(read_hands(file.read_bytes(), str(file)))
    hands = [hand for hand in found if isinstance(hand, History)]
    if len(hands) < len(found):
        raise RunError(f"{file}: {DAMAGED}")
    return hands


def _loaded(file: Path) -> Sample:
    try:
        return Sample.load(file)
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile):
        raise RunError(f"{file}: {DAMAGED}") from None
