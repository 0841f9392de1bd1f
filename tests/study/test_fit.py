"""The fit: its sums against plain loops over holdings, its slopes, its laws, what it recovers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.api import simulate_games
from handread.arrays import Floats
from handread.cards import N_PAIRS, holding_index, pair_index
from handread.game.replay import replay
from handread.game.steps import Decision, Replay
from handread.inference.analysis import analyze_replay, true_holding
from handread.inference.forecast import forecast
from handread.inference.observer import TIE_RULES, apply_bayes, deal, holding_values_at
from handread.inference.players import Model, PlayerModels, player_models
from handread.inference.readers import as_reader, read_hand
from handread.odds.htpd import holding_cards
from handread.policy import (
    HoldingValues,
    LogitPolicy,
    Panel,
    Policy,
    PolicyError,
    PolicyFile,
    Ramp,
    RampPolicy,
    fingerprint,
    legal_actions,
    load_policy,
    parse_policy_file,
    policy_text,
)
from handread.policy.features import BOARD_FEATURES, CONDITIONS, SPOT_FEATURES
from handread.policy.logit import FEATURES, HEADS, HOLDING_FEATURES
from handread.policy.relations import SITUATION_WORDS
from handread.simulate import Setup, play_games, seated
from handread.study.fit import intervals
from handread.study.fit import sample as gathering
from handread.study.fit.choices import choice, folds_of, players_in, some_hands
from handread.study.fit.evidence import (
    LN2,
    Prior,
    covariance,
    evidence,
    evidence_sums,
    most_probable,
    scores_of,
    sums_of,
)
from handread.study.fit.exponents import StreetRead, fit_exponents, street_reads
from handread.study.fit.families import GROUPS, Family, Logits, Ramps
from handread.study.fit.fit import FAMILIES, fit_hands, steps_of
from handread.study.fit.fitted import Fit, FitError, FitOptions
from handread.study.fit.learners import VectorLearner
from handread.study.fit.sample import ARRAYS, Grouping, Sample, gather
from handread.study.fit.stored import StoredHands
from handread.study.fit.uncertainty import drawn_players, draws
from tests.examples import examples, few, share
from tests.hands import ALL_IN, GOLDEN, WALKED_OFF, hand, random_hand
from tests.policies import weights

SPLIT = TIE_RULES["split"]


SMOOTH = LogitPolicy(
    "smooth",
    bet=weights(constant=-0.6, percentile=1.2, chance=0.6, street=0.3, led=0.5),
    fold=weights(constant=-0.8, third=0.4, price=0.5, percentile=-1.2, chance=-0.6, acted=-0.6),
    raise_=weights(constant=-1.5, percentile=1.0, chance=0.6, raises=-0.4, led=0.3),
)
WIDE = RampPolicy(
    "wide",
    bet=Ramp(0.5, 1.3, 0.7, 0.2),
    raise_=Ramp(0.3, 1.1, 0.5, 0.05),
    fold=Ramp(-0.3, 1.0, 0.05, 0.8),
    lapse=0.2,
)
POLICIES = {"logit": SMOOTH, "ramps": WIDE}
KINDS = Logits(GROUPS)
BOTH = pytest.mark.parametrize(
    "family",
    # The kinds are a part of the features of "logit".
    few(
        [
            pytest.param(KINDS, id="kinds of holdings"),
            pytest.param(Ramps(), id="ramps"),
            pytest.param(Logits(), id="logit"),
        ]
    ),
)


@dataclass
class Seen:
    """What a seat did by choice in a hand: decisions, what its holdings promised, the truths."""

    decisions: list[Decision]
    outlooks: list[HoldingValues]
    truths: list[int | None]


def seen(hand: Replay, players: PlayerModels) -> dict[int, Seen]:
    """By seat, followed with the observer's own steps."""
    found: dict[int, Seen] = {}
    belief = None
    for street in hand.streets:
        belief, _ = deal(belief, street)
        for decision in street.decisions:
            model = players.of(decision.seat)
            outlook = holding_values_at(belief, decision, model, SPLIT)
            expected = forecast(model, decision, outlook, None)
            belief, _ = apply_bayes(belief, decision, expected)
            if len(legal_actions(decision)) > 1:
                own = found.setdefault(decision.seat, Seen([], [], []))
                own.decisions.append(decision)
                own.outlooks.append(outlook)
                truth = true_holding(hand, decision.seat, street.number)
                own.truths.append(None if truth is None else holding_index(truth))
    return found


def ways(outlooks: Sequence[HoldingValues]) -> Iterator[tuple[int, ...]]:
    """The holding at each turn, for each pair, and last card where that was dealt, that may be."""
    last = outlooks[-1].live
    for holding in np.flatnonzero(last).tolist():
        # Of three cards any may have come last.
        for pair in combinations(holding_cards(last.size)[holding].tolist(), 2):
            first = pair_index(*pair)
            yield tuple(first if o.live.size == N_PAIRS else holding for o in outlooks)


def slow_evidence(policy: Policy, line: Seen, possible: np.ndarray) -> float:
    """The mean over all ways of the product of the probabilities of the actions."""
    turns = zip(line.decisions, line.outlooks, possible.T, strict=True)
    odds = [policy.probabilities(d, outlook)[d.action][held] for d, outlook, held in turns]
    return math.log(np.prod(odds, axis=0).mean())


def of_truth(policy: Policy, line: Seen) -> float:
    """ln of the product of the probabilities of the actions with the true holding."""
    each = zip(line.decisions, line.outlooks, line.truths, strict=True)
    return sum(math.log(policy.probabilities(d, o)[d.action][t]) for d, o, t in each)


ALL = (2**32 - 1, *[0] * len(CONDITIONS))
USUAL = Grouping(512, ALL)


def deep_hands() -> list[Replay]:
    """Hands played at random go to the last street, with many raises; GOLDEN is bet sensibly."""
    return [replay(hand(GOLDEN)), replay(random_hand(3, 4)), replay(random_hand(8, 3))]


@cache
def observed() -> list[Seen]:
    """The lines of the deep hands, in the order in which they are gathered."""
    return [line for one in deep_hands() for line in seen(one, player_models(WIDE)).values()]


def gathered(hands: Iterable[Replay], policy: Policy, grouping: Grouping = USUAL) -> Sample:
    players = player_models(policy)
    return gather(((number, one, players) for number, one in enumerate(hands)), grouping)


@cache
def finely_gathered() -> Sample:
    """The deep hands with every percentile apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "FINEST", 2**20)
        return gathered(deep_hands(), WIDE, Grouping(10**9, ALL))


@cache
def possible_ways() -> list[np.ndarray]:
    return [np.array(list(ways(line.outlooks))) for line in observed()]


MANY_HANDS = {"logit": 50, "ramps": 30}
"""As many as parameters that are off need to stand out."""


@cache
def simulated(name: str = "ramps", n: int = 12) -> tuple[Replay, ...]:
    return tuple(g.replay for g in simulate_games(n, POLICIES[name], seats=4, seed=5))


@cache
def many(name: str) -> Sample:
    """A sample of many hands of players of a policy."""
    return gathered(simulated(name, MANY_HANDS[name]), POLICIES[name])


@cache
def small(name: str = "ramps") -> Sample:
    """A sample of twelve of these hands."""
    return gathered(simulated(name), POLICIES[name])


SEEDS = st.integers(0, 2**32 - 1)


def vectors(family: Family) -> st.SearchStrategy[np.ndarray]:
    """Parameters of policies that are not extreme."""
    size = len(family.names)
    if isinstance(family, Logits):
        return SEEDS.map(lambda seed: np.random.default_rng(seed).uniform(-1.5, 1.5, size))
    x0, width, level = st.floats(-0.5, 1.0), st.floats(-2.0, 0.7), st.floats(-4.0, 4.0)
    ramp = st.tuples(x0, width, level, level)
    return st.tuples(ramp, ramp, ramp, st.tuples(level)).map(np.concatenate)


def line_evidence(family: Family, vector: np.ndarray, sample: Sample) -> np.ndarray:
    return sums_of(sample, family.log_odds(vector, sample))[0]


def bits_on_truth(
    family: Family, vector: np.ndarray, sample: Sample, exponent: float
) -> tuple[np.ndarray, np.ndarray]:
    return scores_of(sample, family.log_odds(vector, sample), exponent)


def as_written(family: Family, vector: np.ndarray) -> tuple[Any, np.ndarray]:
    """The policy of some parameters, and the parameters of what was rounded for it."""
    policy = family.policy(vector, "any", 1.0)
    return policy, family.vector(policy)


# The evidence against plain loops


@pytest.mark.thorough
def test_lines_are_what_the_observer_sees() -> None:
    sample, lines = finely_gathered(), observed()
    assert sample.turns.tolist() == [len(line.decisions) for line in lines]
    assert sample.known.all()
    assert {3, 7} <= set(sample.street.tolist())
    assert np.bincount(
        np.repeat(np.arange(len(lines)), sample.groups), sample.weight
    ) == pytest.approx(np.ones(len(lines)))
    turns = [t for line in lines for t in zip(line.outlooks, line.truths, strict=True)]
    assert sample.true_percentile.tolist() == [
        outlook.percentile[truth] for outlook, truth in turns
    ]
    found = [
        len(possible)
        for possible, line in zip(possible_ways(), lines, strict=True)
        if line.outlooks[-1].live.size != N_PAIRS
    ]
    assert len(found) >= 4  # the last card is one of those that the pair leaves
    assert min(found) > 10_000


@pytest.mark.thorough
@BOTH
@pytest.mark.parametrize("sense", [False, True])
def test_evidence_is_the_mean_over_all_holdings(family: Family, sense: bool) -> None:
    """To a rounding error where all standings are kept apart; at the usual fineness nearly."""
    preset = POLICIES["logit" if isinstance(family, Logits) else "ramps"]
    policy, vector = as_written(family, family.common_sense() if sense else family.vector(preset))
    slow = [
        slow_evidence(policy, line, possible)
        for line, possible in zip(observed(), possible_ways(), strict=True)
    ]
    assert line_evidence(family, vector, finely_gathered()) == pytest.approx(slow, abs=1e-9)
    coarse = gathered(deep_hands(), WIDE, family.grouping)
    assert coarse.groups.max() <= family.grouping.most
    assert line_evidence(family, vector, coarse) == pytest.approx(slow, abs=0.1)


@BOTH
@given(data=st.data())
@examples(25)
def test_chances_are_those_of_the_policy(family: Family, data: st.DataObject) -> None:
    """At the true holding of every action, where a row is a holding and no mean of several."""
    policy, vector = as_written(family, data.draw(vectors(family)))
    some = slice(data.draw(st.integers(0, 1)), None, 2)
    expected = [of_truth(policy, line) for line in observed()[some]]
    found = line_evidence(family, vector, finely_gathered().with_truths())
    assert found[some] == pytest.approx(expected, abs=1e-6)


@pytest.mark.thorough
@BOTH
@given(data=st.data())
@examples(4)
def test_slopes_are_small_differences(family: Family, data: st.DataObject) -> None:
    vector = data.draw(vectors(family))
    sample = data.draw(st.sampled_from([small().hidden(), small("logit").with_truths()]))
    sample = sample.select(sample.hand < 2)
    _, slopes = evidence(family, vector, sample)
    assert slopes.shape == (sample.n_turns, len(family.names))
    step = 1e-5
    at_most = share(vector.size if vector.size < 70 else 40)
    first = data.draw(st.integers(0, vector.size - 1))
    for k in (first + np.arange(at_most)) % vector.size:
        up, down = vector.copy(), vector.copy()
        up[k] += step
        down[k] -= step
        rise = line_evidence(family, up, sample) - line_evidence(family, down, sample)
        # A ramp has two edges, where the slope from the left is not that from the right.
        expected = pytest.approx(rise.sum() / (2 * step), rel=1e-3, abs=0.02)
        assert slopes[:, k].sum() == expected


def test_the_observer_reads_the_same() -> None:
    """At exponent 1 the bits on the truth after the last action are the posterior's."""
    sample = finely_gathered()
    vector = Ramps().vector(WIDE)
    bits, _ = bits_on_truth(Ramps(), vector, sample, 1.0)
    last_bits = bits[np.cumsum(sample.turns) - 1]
    reads = [after for one in deep_hands() for after in last_reads(one).values()]
    compared = 0
    for line, found, after in zip(observed(), last_bits, reads, strict=True):
        live, truth = line.outlooks[-1].live, line.truths[-1]
        # Of three downcards the observer does not ask which of them came last.
        if live.size == N_PAIRS:
            assert found == pytest.approx(math.log2(after[truth] * live.sum()), abs=1e-6)
            compared += 1
    assert compared == 8


def last_reads(one: Replay) -> dict[int, np.ndarray]:
    """What the last action by choice left of each seat's pdd, in the order of the first."""
    pdds: dict[int, np.ndarray] = {}
    for street in read_hand(as_reader(player_models(WIDE)), one, SPLIT):
        for update in street.updates:
            if len(legal_actions(update.decision)) > 1:
                pdds[update.decision.seat] = update.after
    return pdds


# Samples against plain lists


def one_line(seed: int) -> Sample:
    """A line of one to four turns and groups, of which the truth may be known."""
    rng = np.random.default_rng(seed)
    n, groups, known = rng.integers(1, 5), rng.integers(1, 5), rng.random() < 0.5
    action = rng.integers(0, 4, n)
    # A bet is made where nobody has bet, a fold or a raise where somebody has.
    faced = np.where(action == 0, rng.random(n) < 0.5, action > 1)
    can_fold = faced & ((action == 2) | (rng.random(n) < 0.5))
    weight = rng.uniform(0.1, 1.0, groups)
    codes = rng.integers(0, 2**24, n * groups + n).astype(np.uint32)
    return Sample(
        hand=rng.integers(0, 6, 1),
        log=rng.integers(0, 3, 1),
        player=rng.choice(["", "Ann", 'B\n"en', "\u4e00\U0001f0a1"], 1),
        turns=np.array([n]),
        groups=np.array([groups]),
        truth=rng.integers(0, groups, 1) if known else np.array([-1]),
        features=rng.uniform(-3, 3, (n, len(SPOT_FEATURES) + len(BOARD_FEATURES))),
        conditions=rng.integers(0, 2, (n, len(CONDITIONS))).astype(float),
        action=action,
        street=rng.integers(3, 8, n),
        log_n=np.log(rng.integers(2, 9, n)),
        odds_x=rng.uniform(0, 2, n),
        legal=np.stack([~faced, can_fold, faced], axis=1),
        situation=rng.integers(0, 2**64, (n, SITUATION_WORDS), dtype=np.uint64),
        true_percentile=rng.uniform(0, 1, n) if known else np.full(n, math.nan),
        true_log_chance=rng.uniform(-12, 0, n) if known else np.full(n, math.nan),
        true_code=codes[:n] * np.uint32(known),
        weight=weight / weight.sum(),
        percentile=rng.uniform(0, 1, n * groups),
        log_chance=rng.uniform(-12, 0, n * groups),
        code=codes[n:],
    )


def assert_same(one: Sample, other: Sample) -> None:
    for name in ARRAYS:
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.shape == theirs.shape, name
        if mine.dtype.kind == "f":
            assert np.allclose(mine, theirs, rtol=0, atol=0, equal_nan=True), name
        else:
            assert (mine == theirs).all(), name


SOME = st.lists(SEEDS.map(one_line), min_size=1, max_size=5)
"""Lines, each in a sample of its own."""


@given(SOME)
def test_where_things_stand_in_the_arrays(found: list[Sample]) -> None:
    sample = Sample.join(found)
    line_of_turn: list[int] = []
    turn_of_row: list[int] = []
    for number, line in enumerate(found):
        own = range(len(line_of_turn), len(line_of_turn) + line.n_turns)
        turn_of_row += [turn for _ in line.weight for turn in own]
        line_of_turn += [number] * line.n_turns
    n_turns = len(line_of_turn)
    assert (sample.n_lines, sample.n_turns) == (len(found), n_turns)
    assert sample.line_of_turn.tolist() == line_of_turn
    assert sample.by_row(np.arange(n_turns)).tolist() == turn_of_row
    assert sample.known.tolist() == [bool(line.truth >= 0) for line in found]
    for name in ARRAYS:
        values = [value for line in found for value in getattr(line, name).tolist()]
        assert np.array_equal(
            getattr(sample, name), np.array(values), equal_nan=name.startswith("true_")
        )


@given(SOME, st.data())
def test_lines_are_selected_joined_and_hidden(found: list[Sample], data: st.DataObject) -> None:
    sample = Sample.join(found)
    wanted = data.draw(st.lists(st.booleans(), min_size=len(found), max_size=len(found)))
    kept = [line for line, want in zip(found, wanted, strict=True) if want]
    assert_same(sample.select(np.array(wanted)), Sample.join(kept))
    assert sample.select(np.zeros(len(found), dtype=bool)).n_turns == 0
    nobody = [
        replace(
            line,
            truth=np.array([-1]),
            true_percentile=np.full(line.n_turns, math.nan),
            true_log_chance=np.full(line.n_turns, math.nan),
            true_code=0 * line.true_code,
        )
        for line in found
    ]
    assert_same(sample.hidden(), Sample.join(nobody))


@pytest.mark.thorough
@given(SOME)
def test_truths_stand_in_for_all_holdings(found: list[Sample]) -> None:
    alone = [
        line
        if line.truth < 0
        else replace(
            line,
            groups=np.array([1]),
            truth=np.array([0]),
            weight=np.array([1.0]),
            percentile=line.true_percentile,
            log_chance=line.true_log_chance,
            code=line.true_code,
        )
        for line in found
    ]
    assert_same(Sample.join(found).with_truths(), Sample.join(alone))
    assert_same(Sample.join(alone).with_truths(), Sample.join(alone))


@given(SOME)
@examples(20)
def test_samples_are_kept_in_files(
    tmp_path_factory: pytest.TempPathFactory, found: list[Sample]
) -> None:
    path = tmp_path_factory.mktemp("sample") / "part"
    Sample.join(found).save(path)
    assert_same(Sample.load(path), Sample.join(found))


@BOTH
@given(data=st.data(), found=SOME, exponent=st.floats(0.1, 1))
@examples(40)
def test_sums_over_groups_written_out(
    family: Family, data: st.DataObject, found: list[Sample], exponent: float
) -> None:
    sample = Sample.join(found)
    vector = data.draw(vectors(family))
    log_odds = iter(family.log_odds(vector, sample).tolist())
    expected, bits, surprise = [], [], []
    for line in found:
        weights, truth = line.weight.tolist(), int(line.truth[0])
        odds = [[math.exp(next(log_odds)) for _ in range(line.n_turns)] for _ in weights]
        total = sum(w * math.prod(row) for w, row in zip(weights, odds, strict=True))
        expected.append(math.log(total))
        read = list(weights)
        for turn in range(line.n_turns):
            p = sum(r * row[turn] for r, row in zip(read, odds, strict=True)) / sum(read)
            surprise.append(-math.log2(p))
            read = [r * row[turn] ** exponent for r, row in zip(read, odds, strict=True)]
            share = read[truth] / sum(read) / weights[truth]
            bits.append(math.log2(share) if truth >= 0 else math.nan)
    assert line_evidence(family, vector, sample) == pytest.approx(expected, abs=1e-9)
    found_bits, found_surprise = bits_on_truth(family, vector, sample, exponent)
    assert found_bits == pytest.approx(np.array(bits), abs=1e-9, nan_ok=True)
    assert found_surprise == pytest.approx(surprise, abs=1e-9)
    _, by_bayes = bits_on_truth(family, vector, sample, 1.0)
    by_line = np.bincount(sample.line_of_turn, by_bayes)
    assert by_line * -LN2 == pytest.approx(expected, abs=1e-9)


# Laws


BLIND = {
    "logit": replace(
        SMOOTH,
        name="blind",
        **{
            head: tuple(w * (f not in HOLDING_FEATURES) for f, w in zip(FEATURES, own, strict=True))
            for head, own in (("bet", SMOOTH.bet), ("fold", SMOOTH.fold), ("raise_", SMOOTH.raise_))
        },
    ),
    "ramps": replace(
        WIDE,
        name="blind",
        bet=Ramp(0.5, 1.3, 0.4, 0.4),
        raise_=Ramp(0.3, 1.1, 0.2, 0.2),
        fold=Ramp(-0.3, 1.0, 0.3, 0.3),
    ),
}


@pytest.mark.parametrize("name", ["logit", "ramps"])
@pytest.mark.parametrize("exponent", [1.0, 0.5])
def test_who_ignores_the_cards_tells_nothing_of_them(name: str, exponent: float) -> None:
    policy, family = BLIND[name], FAMILIES[name]()
    assert policy.blind
    sample, vector = finely_gathered(), family.vector(policy)
    bits, surprise = bits_on_truth(family, vector, sample, exponent)
    assert np.abs(bits).max() < 1e-12
    anyone = [of_truth(policy, line) for line in observed()]
    assert line_evidence(family, vector, sample) == pytest.approx(anyone)
    assert surprise.sum() == pytest.approx(-sum(anyone) / LN2)
    # Of the read itself not even a rounding error is left.
    written = family.policy(vector, "blind", exponent)
    for action in analyze_replay(deep_hands()[0], written).actions:
        assert (action.truth_bits, action.information_bits) == (0.0, 0.0)


@BOTH
def test_no_hands_or_a_huge_penalty_leave_the_prior(family: Family) -> None:
    prior = Prior(family.common_sense(), family.tightness)
    held = Prior(prior.centre, 1e9 * prior.precision)
    found = most_probable(family, small().hidden(), held, prior.centre)
    assert found == pytest.approx(prior.centre, abs=1e-4)
    nothing = small().select(np.zeros(small().n_lines, dtype=bool))
    assert (most_probable(family, nothing, prior, prior.centre) == prior.centre).all()
    errors = np.sqrt(np.diag(covariance(family, prior.centre, nothing, prior)))
    assert errors == pytest.approx(prior.precision**-0.5)


@BOTH
def test_the_most_probable_is_no_worse_than_its_neighbours(family: Family) -> None:
    sample, prior = small().with_truths(), Prior(family.common_sense(), family.tightness)

    def density(vector: np.ndarray) -> float:
        return evidence_sums(family, vector, sample).total + prior.log_density(vector)

    found = most_probable(family, sample, prior, prior.centre)
    errors = np.sqrt(np.diag(covariance(family, found, sample, prior)))
    best = density(found)
    rng = np.random.default_rng(3)
    for _ in range(30):
        assert density(found + errors * rng.normal(size=found.size)) < best
        # The search ends where nothing is to be had that would matter.
        assert density(found + 0.1 * errors * rng.normal(size=found.size)) < best + 0.01
    slope = evidence_sums(family, found, sample).slope + prior.slope(found)
    assert np.abs(slope * errors).max() < 0.5


def fitted(fit: Fit) -> Floats:
    """The parameters of a fit and their errors (2, K)."""
    found = fit.parameters().values()
    return np.array([[one.mean for one in found], [one.error for one in found]])


OPTIONS = FitOptions("logit", penalty=3.0, likelihood_exponent=0.9, players=False, rounds=1)


@pytest.fixture
def curvature(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors by the curvature alone: to profile the evidence takes most of the time of a fit."""
    monkeypatch.setattr(intervals, "PROBES", 0)


@pytest.mark.thorough
@pytest.mark.usefixtures("curvature")
@pytest.mark.parametrize("name", ["logit", "ramps"])
def test_the_order_of_the_hands_does_not_matter(name: str) -> None:
    hands, options = simulated("logit")[:5], replace(OPTIONS, family=name, hidden=name == "logit")
    one, other = fit_hands(hands, options), fit_hands(hands[::-1], options)
    (ours, errors), (theirs, their_errors) = fitted(one), fitted(other)
    assert np.abs((ours - theirs) / errors).max() < 0.02
    assert errors == pytest.approx(their_errors, rel=0.02)
    ours, theirs = one.file.provenance, other.file.provenance
    assert ours is not None
    assert ours == theirs


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "penalty"), [("logit", "penalty"), ("tree", "smallest leaf")])
def test_the_same_seed_gives_the_same_fit(name: str, penalty: str) -> None:
    hands, options = simulated("logit")[:2], FitOptions(name, rounds=1, least=4)
    ticks: list[str] = []
    found, again = (fit_hands(hands, options, tick=ticks.append) for _ in range(2))
    assert len(ticks) == 2 * steps_of(options, StoredHands.of(hands))
    assert found.file.players
    assert policy_text(found.file) == policy_text(again.file)
    assert {one.what for one in found.choices} == {penalty, "likelihood exponent", "shrinkage"}
    assert set(ticks) == {"penalty", "likelihood exponent", "players", "fit"}
    for one in found.choices:
        assert one.chosen in one.values
        assert len(one.scores) == len(one.errors) == len(one.values)


@pytest.mark.parametrize("name", ["logit", "ramps"])
def test_a_fold_with_nothing_to_call_is_not_learned_from(name: str) -> None:
    one = replay(hand(WALKED_OFF))
    sample = gathered([one], load_policy("loose"))
    choices = [d for d in one.decisions if len(legal_actions(d)) > 1]
    assert sample.n_turns == len(choices) - 1
    fit = fit_hands([one], FitOptions(family=name, penalty=3.0, likelihood_exponent=1.0, rounds=1))
    assert np.isfinite(fitted(fit)).all()


@pytest.mark.thorough
@pytest.mark.usefixtures("curvature")
def test_hands_without_ids_are_put_in_order_by_what_happened() -> None:
    seats = simulated("logit")[0].history.seats
    hands = [
        replay(replace(one.history, hand_id="", seats=seats)) for one in simulated("logit")[:4]
    ]
    assert len({fingerprint(one.history) for one in hands}) == 1
    options = FitOptions("ramps", penalty=3.0, likelihood_exponent=1.0, rounds=1, players=False)
    one, other = (fitted(fit_hands(order, options)) for order in (hands, hands[::-1]))
    assert np.array_equal(one, other)


def test_hands_without_a_choice_teach_nothing() -> None:
    with pytest.raises(FitError, match="nobody in these hands had a choice"):
        fit_hands([replay(hand(ALL_IN, stacks={1: 25, 2: 25}))], OPTIONS)


# Choosing


@given(
    st.lists(
        st.lists(st.sampled_from([-2.0, -1.5, -1.25, -0.5, 0.0]), min_size=6, max_size=6),
        min_size=2,
        max_size=4,
    ),
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
)
def test_choice_written_out(scores: list[list[float]], hands: list[int]) -> None:
    arrays = [np.array(score) for score in scores]
    values = [float(10 - i) for i in range(len(scores))]
    means = [sum(score) / 6 for score in scores]
    best = max(range(len(scores)), key=means.__getitem__)
    careful = choice("x", "y", values, arrays, np.array(hands))
    assert careful.scores == pytest.approx(means)
    for value, score, error in zip(values, scores, careful.errors, strict=True):
        off = [
            b - s - (means[best] - sum(score) / 6) for b, s in zip(scores[best], score, strict=True)
        ]
        sums = [sum(o for o, h in zip(off, hands, strict=True) if h == hand) for hand in set(hands)]
        assert error == pytest.approx(math.sqrt(sum(s * s for s in sums)) / 6, abs=1e-9)
        # The first that is near enough: it is itself, and none before it.
        behind = means[best] - sum(score) / 6 - error
        assert behind > -1e-9 if value > careful.chosen else True
        assert behind < 1e-9 if value == careful.chosen else True


@given(st.lists(st.integers(0, 8), min_size=1, max_size=30), st.integers(0, 99))
def test_every_entry_is_held_out_once_with_its_hand(numbers: list[int], seed: int) -> None:
    array = np.array(numbers)
    folds = list(folds_of(array, seed, 4))
    assert sum(fold.astype(int) for fold in folds).tolist() == [1] * len(numbers)
    for number in set(numbers):
        assert sum(fold[array == number].any() for fold in folds) == 1
    assert all(fold.any() for fold in folds)


def test_some_hands_are_whole_hands() -> None:
    few = some_hands(small(), 7, 5)
    hands = np.unique(few.hand)
    assert hands.size == 5
    assert_same(few, small().select(np.isin(small().hand, hands)))
    assert_same(some_hands(small(), 7, 12), small())


# Players


def test_players_are_told_apart_by_name() -> None:
    sample = small()
    found = players_in(sample, 1)
    assert sorted(found) == sorted(set(sample.player.tolist()))
    for name, own in found.items():
        assert set(own.player.tolist()) == {name}
    assert sum(own.n_turns for own in found.values()) == sample.n_turns
    most = max(own.n_turns for own in found.values())
    assert players_in(sample, most + 1) == {}
    assert len(players_in(sample, most)) >= 1
    assert players_in(replace(sample, player=np.full(sample.n_lines, "")), 1) == {}


@cache
def maniacs() -> list[Replay]:
    """Six hands of three players unlike those of ``POLICIES``."""
    maniac = player_models(
        LogitPolicy(
            "maniac",
            bet=weights(constant=1.5),
            fold=weights(constant=-3.0),
            raise_=weights(constant=0.5),
        )
    )
    setup = Setup(maniac, seated(maniac, 3, None, ["Ann", "Ben", "Cho"]))
    return [game.replay for game in play_games(setup, 2, range(6))]


@cache
def of_maniacs(name: str) -> Sample:
    return gathered(maniacs(), POLICIES[name])


@pytest.mark.thorough
@BOTH
def test_a_player_is_held_by_how_little_was_seen(family: Family) -> None:
    """Who is unlike everybody moves with the hands seen, and less the more it is held."""
    name = "logit" if isinstance(family, Logits) else "ramps"
    everybody, sample = family.vector(POLICIES[name]), of_maniacs(name)
    bench = VectorLearner(family, Prior(everybody, family.tightness), everybody)

    def moved(hands: int, shrinkage: float) -> float:
        own = players_in(sample.select(sample.hand < hands), 1)["Ann"].with_truths()
        off = bench.of_player(everybody, shrinkage).learned(own, everybody) - everybody
        return float(family.personal @ off**2)

    moves = [moved(6, shrinkage) for shrinkage in (1.0, 10.0, 100.0)]
    assert moves == sorted(moves, reverse=True)
    by_hands = [moved(1, 10.0), moved(3, 10.0), moves[1]]
    assert by_hands == sorted(by_hands)
    assert by_hands[0] < 0.2 * by_hands[-1]


@given(data=st.data())
@BOTH
@examples(50)
def test_parameters_are_those_of_the_policy(family: Family, data: st.DataObject) -> None:
    vector = data.draw(vectors(family))
    policy, again = as_written(family, vector)
    assert again == pytest.approx(vector, abs=0.01)
    assert len(family.names) == len(set(family.names)) == vector.size
    assert family.tightness.shape == family.personal.shape == vector.shape
    assert parse_policy_file(policy_text(PolicyFile(policy)), "x").policy == policy


@pytest.mark.parametrize("width", [-1e3, -1e2, 1e2, 1e3])
def test_a_search_may_try_any_ramp(width: float) -> None:
    """A step may be so steep or flat that its width is no number."""
    family, sample = Ramps(), small()
    vector = family.vector(WIDE)
    vector[[1, 5, 9]] = width
    lines, slopes = evidence(family, vector, sample)
    assert np.isfinite(lines).all()
    assert np.isfinite(slopes).all()
    policy, again = as_written(family, vector)
    assert line_evidence(family, again, sample) == pytest.approx(lines, abs=1e-3)
    assert parse_policy_file(policy_text(PolicyFile(policy)), "x").policy == policy


def test_players_are_fitted_only_if_asked_for() -> None:
    """``crowd`` has taken their place; a policy that weighs them can be leant on by name."""
    older = replace(SMOOTH, fold=weights(players=0.5))
    with pytest.raises(TypeError, match="weights of features that are not fitted"):
        Logits().vector(older)
    family = Logits(("boards", "players"))
    assert set(family.names) - set(Logits().names) == {f"{head}.players" for head in HEADS}
    assert np.count_nonzero(family.vector(older))


# Recovery


def noise(family: Family, vector: np.ndarray, sample: Sample) -> np.ndarray:
    """The slope of each parameter against the spread that chance gives it, hand by hand, (K,)."""
    slopes = np.zeros((sample.hand.max() + 1, vector.size))
    np.add.at(slopes, sample.hand[sample.line_of_turn], evidence(family, vector, sample)[1])
    spread = np.sqrt((slopes**2).sum(axis=0))
    return slopes.sum(axis=0)[spread > 0.1] / spread[spread > 0.1]


@pytest.mark.thorough
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("name", ["logit", "ramps"])
def test_the_truth_is_where_the_slopes_are_noise(name: str, known: bool) -> None:
    """At the players' own parameters nothing but chance says that others would be likelier."""
    family, sample = FAMILIES[name](), many(name)
    sample = sample.with_truths() if known else sample.hidden()
    at_truth = noise(family, family.vector(POLICIES[name]), sample)
    assert at_truth.size > 10
    assert np.abs(at_truth).max() < 4
    assert np.sqrt((at_truth**2).mean()) < 1.5
    moved = [part in ("constant", "x0") for _, part in (n.split(".") for n in family.names[:-1])]
    elsewhere = family.vector(POLICIES[name]) + 0.7 * np.array([*moved, False])
    assert np.abs(noise(family, elsewhere, sample)).max() > 4


@pytest.mark.dear("with fewer hands too few parameters stand out from the prior")
def test_parameters_are_recovered_without_one_downcard() -> None:
    options = FitOptions(
        "logit", penalty=0.3, likelihood_exponent=1.0, players=False, hidden=True, rounds=2
    )
    found = fit_hands(simulated("logit", MANY_HANDS["logit"]), options)
    assert found.file.provenance.known == 0
    family = Logits()
    vector, errors = fitted(found)
    told = identified(errors, Prior(family.common_sense(), 0.3 * family.tightness))
    off = ((vector - family.vector(SMOOTH)) / errors)[told]
    assert off.size >= 10
    assert (np.abs(off) <= 3).mean() >= 0.9


def identified(errors: np.ndarray, prior: Prior) -> np.ndarray:
    """Which parameters the hands tell, and not the prior: it alone would leave twice the error."""
    return errors < 0.5 * prior.precision**-0.5


MIXED = {
    "logit": (
        SMOOTH,
        LogitPolicy(
            "looser",
            bet=weights(constant=-0.2, percentile=0.6, chance=0.3, street=0.3, led=0.5),
            fold=weights(constant=-1.8, third=0.2, price=0.4, percentile=-0.8, chance=-0.3),
            raise_=weights(constant=-1.6, percentile=0.6, chance=0.3, raises=-0.4, led=0.3),
        ),
    ),
    "ramps": (
        RampPolicy(
            "middle",
            bet=Ramp(0.6, 1.2, 0.75, 0.1),
            raise_=Ramp(0.4, 1.0, 0.6, 0.08),
            fold=Ramp(-0.2, 0.4, 0.1, 0.9),
            lapse=0.1,
        ),
        replace(WIDE, name="looser", lapse=0.1),
        RampPolicy(
            "tighter",
            bet=Ramp(0.5, 1.0, 0.8, 0.05),
            raise_=Ramp(0.3, 0.8, 0.8, 0.05),
            fold=Ramp(-0.4, 0.0, 0.1, 0.95),
            lapse=0.1,
        ),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["logit", "ramps"])
def test_each_player_of_a_mixed_table_is_recovered(name: str) -> None:
    """Of 300 hands with no downcard known; ``-s`` prints the table.

    Hands are read as those of one policy, everybody's, which is not quite how the players saw them.
    """
    family, first = FAMILIES[name](), MIXED[name][0]
    seats = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: -1, 7: -1}
    players = PlayerModels(Model(first), {n: Model(MIXED[name][k]) for n, k in seats.items()})
    setup = Setup(players, seated(players, 7, None, [f"P{n}" for n in seats]))
    hands = [game.replay for game in play_games(setup, 11, range(300))]
    options = FitOptions(
        name, penalty=0.3, likelihood_exponent=1.0, players=False, hidden=True, rounds=2
    )
    everybody = fit_hands(hands, options)
    policy, (vector, _) = everybody.file.policy, fitted(everybody)
    sample = gathered(hands, policy, family.grouping).hidden()
    bench = VectorLearner(family, Prior(vector, 0.3 * family.personal), vector)
    offs = []
    for player, own in players_in(sample, 1).items():
        true = family.vector(players.of(int(player[1:])).policy)
        found = bench.learned(own, vector)
        errors = np.sqrt(np.diag(covariance(family, found, own, bench.prior)))
        told = identified(errors, bench.prior)
        off = (found - true) / errors
        for k in np.flatnonzero(told):
            row = f"{true[k]:+.2f} {found[k]:+.2f} {errors[k]:.2f} {off[k]:+.1f}"
            print(f"{player} {own.n_turns} {family.names[k]:16s} {row}")
        offs += off[told].tolist()
    within = np.abs(offs) <= 3
    print(f"{within.sum()} of {within.size} within three errors")
    assert within.size >= 20
    assert within.mean() >= 0.9


# Uncertainty and exponents


@cache
def fitted_ramps() -> Fit:
    options = FitOptions(family="ramps", penalty=1.0, likelihood_exponent=1.0, least=20, rounds=1)
    return fit_hands(simulated()[:6], options)


@pytest.mark.thorough
def test_draws_are_spread_as_the_errors_say() -> None:
    fit = fitted_ramps()
    drawn = np.array([Ramps().vector(policy) for policy in fit.draws(400)])
    found = fit.parameters()
    inside = [i for i, name in enumerate(found) if name.endswith("x0")]
    means = [e.mean for name, e in found.items() if name.endswith("x0")]
    errors = [e.error for name, e in found.items() if name.endswith("x0")]
    # Half of the draws are below the fit, however far the error of that side stretches them.
    assert (drawn[:, inside] < means).mean(axis=0) == pytest.approx(0.5, abs=0.08)
    off = drawn[:, inside] - means
    assert np.sqrt((off**2).mean(axis=0)) == pytest.approx(errors, rel=0.15)
    assert fit.draws(2, seed=5) == fit.draws(2, seed=5)


def test_a_fitted_policy_has_its_uncertainty() -> None:
    fit = fitted_ramps()
    known = fit.file.policy.uncertainty
    assert known.parameters == Ramps.names
    assert known.errors == pytest.approx([e.error for e in fit.parameters().values()], rel=1e-3)


def test_players_move_with_everybody_and_on_their_own() -> None:
    """``tests.policy.test_uncertainty`` has the covariance of both together, and the file."""
    found = fitted_ramps().file
    known, everybody = next(iter(found.players.values())).uncertainty, found.policy.uncertainty
    assert known.everybody is everybody
    assert known.held is not None
    shared, own = everybody.steps(4000, 1), known.steps(4000, 1)
    assert max(np.corrcoef(a, b)[0, 1] for a, b in zip(shared.T, own.T, strict=True)) > 0.2
    assert policy_text(parse_policy_file(policy_text(found), "f")) == policy_text(found)


def test_models_of_fitted_policies_have_draws() -> None:
    fit = fitted_ramps()
    models = PlayerModels(Model(fit.file.policy), {2: Model(fit.file.policy, "cards-only")})
    drawn = drawn_players(models, 5, seed=3)
    assert drawn.draws == 5
    assert [drawn.draw(i).rest.policy for i in range(5)] == list(fit.draws(5, seed=3))
    assert drawn.draw(4).of(2) == Model(fit.draws(5, seed=3)[4], "cards-only")
    panel = Panel(
        "two", (fit.file.policy, replace(fit.file.policy, name="b", uncertainty=None)), (0.3, 0.7)
    )
    mixed = drawn_players(PlayerModels(Model(panel)), 2).draw(1).rest.policy
    assert mixed.prior == panel.prior
    assert mixed.members == (fit.draws(2)[1], panel.members[1])
    with pytest.raises(PolicyError, match="table1-left: no uncertainty"):
        drawn_players(PlayerModels(Model(load_policy("default"))))


def test_a_given_lapse_is_not_drawn() -> None:
    policy = fitted_ramps().file.policy.with_lapse(0.25)
    assert not isinstance(policy, Panel)
    found = draws(policy, 4)
    assert {one.lapse for one in found} == {0.25}
    assert len({one.bet.x0 for one in found}) == 4


@pytest.mark.thorough
def test_exponents_of_true_reads_are_1() -> None:
    """Players who play the policy: Bayes' rule is right, within the interval."""
    sample, family = small("ramps"), Ramps()
    reads = street_reads(sample, family.log_odds(family.vector(WIDE), sample))
    assert len(reads) == int(sample.known.sum())
    found = fit_exponents(reads, np.zeros(5, dtype=np.int64))
    assert (found.low <= found.exponents).all()
    assert (found.exponents <= found.high).all()
    assert found.high[0] == 1.0
    every = fit_exponents(reads, np.arange(5))
    assert every.bits >= found.bits - 1e-6
    # Half of what the players' log-odds are: the exponent is 1 again where it was .5 before.
    halved = [replace(read, log_odds=2.0 * read.log_odds) for read in reads]
    again = fit_exponents(halved, np.zeros(5, dtype=np.int64))
    assert again.exponents[0] == pytest.approx(found.exponents[0] / 2, abs=0.26)
    assert again.high[0] < 1.0


def test_exponents_written_out() -> None:
    """Two equal groups, the truth three times as likely: e ln 3 - ln(1 + 3**e) in each line."""
    one = StreetRead(np.log([0.5, 0.5]), np.log([[1, 3, 1, 1, 1], [1, 1, 1, 1, 1.0]]), 0)
    other = replace(one, truth=1)
    found = fit_exponents([one] * 3 + [other], np.array([0, 1, 0, 0, 0]))
    # Three of four: the odds 3**e are best at 3.
    assert found.exponents[1] == pytest.approx(1.0, abs=1e-3)
    found = fit_exponents([one] * 2 + [other], np.array([0, 1, 0, 0, 0]))
    assert found.exponents[1] == pytest.approx(math.log(2) / math.log(3), abs=1e-3)
    assert found.lines == 3


@pytest.mark.thorough
@pytest.mark.usefixtures("curvature")
def test_exponents_by_stage_are_told_and_written() -> None:
    options = FitOptions(
        family="ramps", penalty=1.0, by_stage=True, players=False, rounds=1, name="staged"
    )
    fit = fit_hands(simulated("logit")[:5], options)
    policy = fit.file.policy
    assert policy.likelihood_exponent[0] == policy.likelihood_exponent[1]
    means = [found.mean for found in fit.exponents()]
    assert policy.likelihood_exponent == pytest.approx(means, abs=0.006)
    assert parse_policy_file(policy_text(fit.file), "x").policy == policy
    assert fit.to_frame().filter(about="exponent").height == 5
    with pytest.raises(FitError, match="no downcards are known"):
        fit_hands(simulated("logit")[:2], replace(options, hidden=True))
