"""Learning curves of relational trees: Figures 1 and 2 of Ponsen et al. 2008.

Trees predict the actions of eight watched players, given the outcome, and their outcomes. A prior
is learned from games of other players; then corrective trees are learned from more and more games
of a player and scored on the player's held-out examples. The outcome is public: a player folds in
the end, wins unseen, or shows a hand. Only a hand that is shown lets the action model look at the
downcards.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from handread.arrays import Flags, Floats, Ints
from handread.cards import Card, holding_index
from handread.game.ranks import best_hand, rank_five
from handread.game.steps import Decision, Replay
from handread.inference.analysis import true_holding
from handread.inference.observer import ObservedStreet, Update
from handread.inference.players import Model, PlayerModels
from handread.policy import (
    Board,
    HoldingValues,
    LogitPolicy,
    Ramp,
    RampPolicy,
    Single,
    legal_actions,
    load_policy,
    relations,
    single,
)
from handread.policy.logit import FEATURES, HOLDING_FEATURES, Weights
from handread.policy.tree import EVERYBODY, UNIFORM, TreePair
from handread.runs import Run
from handread.simulate import Game, Setup, play_game, seated
from handread.study.fit.trees import ChoiceExamples, Growth, Language
from handread.study.statistics import NOTHING, Estimate, FigureTable, Key
from handread.typed import read_array

WATCHED = 8
"""Number of watched players, who share one table."""

STRANGERS = 24
"""Number of games of other players that teach the prior."""

SIZES = (10, 25, 50, 100, 200, 400, 800, 1600, 2300)

HELD_OUT = 0.2
"""Share of the games held out for prediction."""

BASES = (
    *("people-average", "loose", "tight", "honest"),
    *("table1-left", "table1-centred", "table1-right", "table1-bluff"),
)
"""The policies that the players' policies are derived from."""

ACTION, OUTCOME = KINDS = ("action", "outcome")
"""The two predictions, Figure 2 and Figure 1."""

UNINFORMED, PRIOR, CORRECTED, MATCHED = CURVES = ("uninformed", "prior", "corrected", "matched")
"""The curves.

"corrected" is the paper's method: its corrective tree separates a player's examples from
everybody's. The tree of "matched" separates them from what the prior expects in the same
situations, so it need not learn which situations the player gets into.
"""

LIKELIHOOD, GAIN = "log2_likelihood", "gain_on_prior_bits"

LARGEST = 5.0
"""The largest step of a moved policy: beyond it all hands act alike."""

ACTIONS = ("fold", "check", "call", "bet", "raise")

ACTION_LANGUAGE = Language.of(
    relations.SITUATION_TESTS,
    relations.HOLDING_TESTS,
    relations.OUTCOME_TESTS,
    relations.ACTION_TESTS,
)
OUTCOME_LANGUAGE = Language.of(
    relations.SITUATION_TESTS, relations.ACTION_TESTS, relations.OUTCOME_TESTS
)

PRIOR_LEAST, OWN_LEAST = 40.0, 20.0
"""Smallest leaves of the prior and of corrections."""

ADDED = {ACTION: 10.0, OUTCOME: 30.0}
"""Weight given to each source at the leaves of corrections."""

DESIGN_EFFECTS = {ACTION: 1.0, OUTCOME: 3.0}
"""Design effects: the examples of a game share one outcome; each has an action of its own."""


@dataclass(frozen=True)
class LearningCurves(FigureTable):
    """Figures 1 and 2: mean log2 P of held-out examples by number of games, over the players.

    The figures are ``LIKELIHOOD`` and ``GAIN``, the difference from the prior, with intervals over
    players. Their group is a curve, their part a kind of prediction and a number of games
    (``part_of``). ``others`` counts games of other players, ``held_out`` held-out games.
    """

    sizes: tuple[int, ...]
    players: tuple[str, ...]
    others: int
    held_out: int


def part_of(kind: str, games: int) -> str:
    """Return the part of the table for a kind of prediction after a number of games."""
    return f"{kind}, {games} games"


def population(n: int, seed: int) -> tuple[Model, ...]:
    """Return n players with different policies: each of ``BASES`` moved, shrunk, with lapses."""
    rng = np.random.default_rng((seed, n))
    players = []
    for i in range(n):
        move, shrink, lapse = rng.uniform((-0.25, 0.6, 0.0), (0.25, 1.0, 0.1)).round(2).tolist()
        policy = single(load_policy(BASES[i % len(BASES)]))
        policy = drifted(drifted(policy, f"move={move}"), f"shrink={shrink}")
        players.append(Model(policy.with_lapse(lapse)))
    return tuple(players)


def drifted(policy: Single, drift: str) -> Single:
    """Return a policy with its parameters changed: ``move=STEP`` or ``shrink=FACTOR``.

    Moved by a step above 0 it bets, raises and stays in with weaker hands: the end points of all
    ramps move by the step along x; a logit's log-odds of bets and raises rise by it, its log-odds
    of folds fall. Shrunk by a factor below 1 it depends less on the cards: the levels of each ramp
    come nearer to their middle; a logit's weights of holding features are multiplied by the factor.

    Raises ``ValueError`` if the text is no drift, or the policy is made of trees and has none.
    """
    kind, size = _parsed(drift)
    name = f"{policy.name}, {drift}"
    match policy:
        case RampPolicy():
            change = _moved if kind == "move" else _shrunk
            bet, raise_, fold = (change(ramp, size) for ramp in policy.ramps)
            return replace(policy, name=name, bet=bet, raise_=raise_, fold=fold)
        case LogitPolicy():
            scale, step = (1.0, size) if kind == "move" else (size, 0.0)
            heads = zip((policy.bet, policy.fold, policy.raise_), (step, -step, step), strict=True)
            weights = [_reweighed(head, scale, weights_of) for head, weights_of in heads]
            return replace(policy, name=name, bet=weights[0], fold=weights[1], raise_=weights[2])
    raise ValueError(f"{policy.name!r} is a policy of trees, which has no drifts")


def _parsed(drift: str) -> tuple[str, float]:
    kind, _, text = drift.partition("=")
    try:
        size = float(text)
    except ValueError:
        size = math.nan
    if (kind == "move" and abs(size) <= LARGEST) or (kind == "shrink" and 0.0 <= size <= 1.0):
        return kind, size
    expected = f"move=STEP (at most {LARGEST:g} either way) or shrink=FACTOR (0 to 1)"
    raise ValueError(f"no drift {drift!r}: expected {expected}")


def _moved(ramp: Ramp, step: float) -> Ramp:
    return replace(ramp, x0=ramp.x0 + step, x1=ramp.x1 + step)


def _shrunk(ramp: Ramp, factor: float) -> Ramp:
    middle = (ramp.y0 + ramp.y1) / 2.0
    low, high = (middle + factor * (level - middle) for level in (ramp.y0, ramp.y1))
    return replace(ramp, y0=low, y1=high)


def _reweighed(weights: Weights, scale: float, step: float) -> Weights:
    """Return the weights of a head: holding weights scaled, the constant raised by a step."""
    raised = {"constant": step}
    return tuple(
        weight * (scale if feature in HOLDING_FEATURES else 1.0) + raised.get(feature, 0.0)
        for feature, weight in zip(FEATURES, weights, strict=True)
    )


@dataclass(frozen=True, slots=True)
class CurveGames:
    """The games of the experiment: the watched players' games first, then the others'."""

    watched: tuple[Model, ...]
    strangers: tuple[Model, ...]
    games: int
    seed: int

    def play(self, number: int) -> tuple[Game, list[int]]:
        """Return a game and the number of the watched player in each seat; -1 for a stranger."""
        if number < self.games:
            players = [(place + number) % len(self.watched) for place in range(len(self.watched))]
            models = [self.watched[player] for player in players]
        else:
            rng = np.random.default_rng((self.seed, number, 1))
            drawn = rng.permutation(len(self.strangers))[: len(self.watched)]
            players = [-1] * drawn.size
            models = [self.strangers[player] for player in drawn.tolist()]
        table = PlayerModels(models[0], dict(enumerate(models, 1)))
        seats = seated(table, len(models), names=[f"seat-{n}" for n in range(1, len(models) + 1)])
        return play_game(Setup(table, seats), self.seed, number), players


def learning_curves(
    sizes: Sequence[int] = SIZES, others: int = 1000, run: Run = Run()
) -> LearningCurves:
    """Score predictions of trees by games learned from; the prior learns from ``others`` games."""
    seed = run.seed
    games = round(max(sizes) / (1.0 - HELD_OUT))
    plan = CurveGames(population(WATCHED, seed), population(STRANGERS, seed), games, seed)
    with run.parts(partial(measure_examples, plan), games + others) as parts:
        examples = GameExamples.load(part.file for part in parts)
    # Training games come in random order; the last games are held out.
    order = np.full(games + others, -1)
    order[:games] = np.random.default_rng((seed, games)).permutation(games)
    rank, n_train = order[examples.game], max(sizes)
    figures: dict[Key, Estimate] = {}
    for kind in KINDS:
        for games_seen, curves in _scores(examples, rank, kind, sizes, n_train).items():
            for curve, by_player in curves.items():
                part = part_of(kind, games_seen)
                figures[Key(LIKELIHOOD, "", curve, part)] = _over_players(by_player)
                figures[Key(GAIN, "", curve, part)] = _over_players(by_player - curves[PRIOR])
    names = tuple(model.policy.name for model in plan.watched)
    return LearningCurves(figures, tuple(sizes), names, others, games - n_train)


def _over_players(values: Floats) -> Estimate:
    """Return the mean over the players with a value, with its interval."""
    known = values[np.isfinite(values)]
    n = known.size
    if not n:
        return NOTHING
    error = float(known.std(ddof=1)) / n**0.5 if n > 1 else math.nan
    return Estimate.student(float(known.mean()), error, n, n)


def _scores(
    examples: "GameExamples", rank: Ints, kind: str, sizes: Sequence[int], n_train: int
) -> dict[int, dict[str, Floats]]:
    """Return the mean log2 P of each player (players,) by number of games and curve."""
    strangers = examples.choices(rank < 0, kind)
    ones = np.ones(strangers.n_contexts)
    growth = Growth(PRIOR_LEAST, design_effect=DESIGN_EFFECTS[kind] / 2.0)
    prior = (strangers.grow_from(UNIFORM, strangers.uniform, ones, growth),)
    scores = {size: {curve: np.empty(WATCHED) for curve in CURVES} for size in sizes}
    for player in range(WATCHED):
        played = examples.player == player
        seen = played & (rank < n_train)
        train, test = examples.choices(seen, kind), examples.choices(played & ~seen, kind)
        places = rank[examples.of_kind(seen, kind)]
        before = train.probabilities(prior)
        flat = _mean_bits(test, ()), _mean_bits(test, prior)
        for size in sizes:
            mass = (places < size).astype(np.float64)
            among, matched = _corrections(train, strangers, before, mass, kind)
            bits = (*flat, _mean_bits(test, (*prior, among)), _mean_bits(test, (*prior, matched)))
            for curve, value in zip(CURVES, bits, strict=True):
                scores[size][curve][player] = value
    return scores


def _corrections(
    train: ChoiceExamples, everybody: ChoiceExamples, before: Floats, mass: Floats, kind: str
) -> tuple[TreePair, TreePair]:
    """Return a player's corrective trees: the paper's ("corrected") and the "matched" one."""
    effect, added = DESIGN_EFFECTS[kind], ADDED[kind]
    drawn = Growth(OWN_LEAST, added, design_effect=effect)
    expected = Growth(OWN_LEAST, added, design_effect=effect / 2.0)
    return (
        train.grow_among(EVERYBODY, everybody, mass, drawn),
        train.grow_from(EVERYBODY, before, mass, expected),
    )


def _mean_bits(examples: ChoiceExamples, trees: Sequence[TreePair]) -> float:
    """Return the mean log2 P of the choices made; NaN without any."""
    if not examples.n_contexts:
        return math.nan
    return float(np.log2(examples.of_chosen(examples.probabilities(trees))).mean())


@dataclass(frozen=True)
class GameExamples:
    """The decisions of games, with everything that the two predictions may look at.

    Attributes:
        game: Number of the game (n,).
        player: Number of the watched player (n,); -1 for a stranger.
        first: True on the first street (n,).
        situation: Answers to the tests of the situation (n, words).
        holding: Answers to the tests of the holding (n, words); 0 for a hand that is not shown.
        legal: True for the legal ``ACTIONS`` (n, 5).
        action: The action (n,).
        possible: True for the ``OUTCOMES`` that the upcards allow (n, 10).
        outcome: The outcome of the game for the player (n,).
    """

    game: Ints
    player: Ints
    first: Flags
    situation: relations.Words
    holding: relations.Words
    legal: Flags
    action: Ints
    possible: Flags
    outcome: Ints

    @classmethod
    def load(cls, files: Iterable[Path]) -> Self:
        """Return the examples of files, concatenated."""
        names = cls.__annotations__
        parts = [{name: read_array(file, name) for name in names} for file in files]
        return cls(**{name: np.concatenate([part[name] for part in parts]) for name in names})

    def of_kind(self, which: Flags, kind: str) -> Flags:
        """Return the marked examples for a kind of prediction; a fold is its own outcome."""
        return which if kind == ACTION else which & (self.action != ACTIONS.index("fold"))

    def choices(self, which: Flags, kind: str) -> ChoiceExamples:
        """Return the marked examples for a kind of prediction."""
        marked = self.of_kind(which, kind)
        actions = relations.choice_words(relations.ACTION_TESTS, ACTIONS)
        outcomes = relations.choice_words(relations.OUTCOME_TESTS, relations.OUTCOMES)
        if kind == ACTION:
            known = outcomes[self.outcome[marked]]
            words = np.concatenate([self.situation[marked], self.holding[marked], known], axis=1)
            chosen, possible, answers = self.action[marked], self.legal[marked], actions
            language = ACTION_LANGUAGE
        else:
            words = np.concatenate([self.situation[marked], actions[self.action[marked]]], axis=1)
            chosen, possible, answers = self.outcome[marked], self.possible[marked], outcomes
            language = OUTCOME_LANGUAGE
        each = np.broadcast_to(answers, (len(words), *answers.shape))
        first = self.first[marked]
        return ChoiceExamples(words, possible, each, chosen, first=first, language=language)


def measure_examples(plan: CurveGames, numbers: Iterable[int], path: Path) -> None:
    """Play the games of these numbers and keep their examples."""
    rows = [row for number in numbers for row in _examples(plan, number)]
    names = GameExamples.__annotations__
    arrays: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in names}
    with path.open("wb") as file:
        np.savez(file, **arrays)


def _examples(plan: CurveGames, number: int) -> Iterator[Mapping[str, object]]:
    game, players = plan.play(number)
    played = game.replay
    outcomes = {seat: outcome_of(played, seat) for seat in range(1, len(players) + 1)}
    for street in game.observed:
        for update in street.updates:
            decision = update.decision
            legal = legal_actions(decision)
            if len(legal) < 2 or decision.action not in legal:
                continue
            seat = decision.seat
            board, live = _board(street, decision), street.dealt.hands[seat].live
            outcome = outcomes[seat]
            yield {
                "game": number,
                "player": players[seat - 1],
                "first": decision.street == board.game.first,
                "situation": relations.situation_words(decision, board),
                "holding": _shown_words(played, update, board, live, outcome),
                "legal": [action in legal for action in ACTIONS],
                "action": ACTIONS.index(decision.action),
                "possible": possible_outcomes(board.up),
                "outcome": relations.OUTCOMES.index(outcome),
            }


def _board(street: ObservedStreet, decision: Decision) -> Board:
    hands = street.dealt.hands
    actor = hands[decision.seat]
    rivals = tuple(hands[seat].up for seat in decision.active if seat != decision.seat)
    return Board(actor.up, rivals, actor.unseen.mask, actor.showdown.game)


def _shown_words(
    played: Replay, update: Update, board: Board, live: Flags, outcome: str
) -> relations.Words:
    """Return the answers to the tests of the holding; 0 for a hand that is not shown."""
    if outcome not in relations.SHOWN:
        return np.zeros(len(NO_HOLDING), dtype=np.uint64)
    decision = update.decision
    true = true_holding(played, decision.seat, decision.street)
    assert true is not None  # a simulated game hides nothing
    all_of = relations.Holdings.of(decision, HoldingValues(update.chances, live, board))
    names, held = ("percentile", "log_chance", "codes"), [holding_index(true)]
    values = {name: getattr(all_of, name)[held] for name in names}
    words: relations.Words = relations.holding_words(replace(all_of, **values))[0]
    return words


NO_HOLDING = relations.holding_words(
    relations.Holdings(np.zeros(1), np.zeros(1), np.zeros(1, dtype=np.uint32), 0.0, 0.0)
)[0]


def outcome_of(played: Replay, seat: int) -> str:
    """Return the outcome of a game for a seat: it folds, wins unseen, or shows a hand."""
    if seat in played.showdown:
        last = played.streets[-1]
        up = tuple(card for card in last.upcards[seat] if card is not None)
        shared = () if last.shared is None else (last.shared,)
        return relations.SHOWN[
            min(best_hand((*played.downcards[seat], *up, *shared))[0], len(relations.SHOWN) - 1)
        ]
    folded = any(d.seat == seat and d.action == "fold" for d in played.decisions)
    return relations.LOSE if folded else relations.WIN


def possible_outcomes(up: Sequence[Card]) -> list[bool]:
    """Return True for the ``OUTCOMES`` that upcards allow: no hand below the hand showing."""
    least = min(rank_five(up)[0], len(relations.SHOWN) - 1)
    return [True, True, *(family >= least for family in range(len(relations.SHOWN)))]
