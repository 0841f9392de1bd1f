"""``python -m docs.site.misspecified``: the cost of a wrong model of the players, in bits.

Saund 2006 leaves open how wrong an observer's model of the players may be. Here each game is read
by the true policy, other policies, changed versions of the true one, and policies fitted to other
hands of the same players without known downcards, so that readers are compared game by game.
"""

import argparse
import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

import handread.inference.observer as observer
import handread.policy as policies
from handread.arrays import Floats
from handread.cards import holding_index
from handread.cli.groups import RuleOptions
from handread.cli.options import FamilyName
from handread.cli.simulate import histories, play_part
from handread.game.replay import replay
from handread.game.rules import AFTER_BETS
from handread.game.steps import Decision, Replay
from handread.inference.analysis import analyze_replay, true_holding
from handread.inference.forecast import forecast
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model
from handread.inference.readers import as_reader, read_hand
from handread.papers.trees.study import drifted
from handread.report.tables import (
    FigureColumn,
    as_prose,
    figures_text,
    mean_cell,
    n_games,
    with_error,
)
from handread.report.words import visible
from handread.runs import Run
from handread.simulate import Game, Setup, read_games
from handread.study.fit.fit import fit_hands, read_parts
from handread.study.fit.fitted import FitOptions
from handread.study.statistics import FLOOR, Estimate, FigureTable, Key, stages_with
from handread.study.sums import Row, Study, Sums

TRUE, NAMED, DRIFTED, FITTED, BLIND = ("true", "named", "drifted", "fitted", "cards only")

USUAL = ("default", "tight", "loose", "honest")
"""The presets that read by default, except a preset that the players follow."""

DRIFTS = ("move=-.2", "move=-.1", "move=.1", "move=.2", "shrink=.7", "shrink=.4")


@dataclass(frozen=True, slots=True)
class ReaderModel:
    """A reader by a policy; cards-only without one. Its kind is ``TRUE``, ``NAMED`` and so on."""

    label: str
    kind: str
    policy: policies.Single | policies.Panel | None


def standing_readers(
    players: policies.Single, named: Sequence[str] | None, drifts: Iterable[str]
) -> tuple[ReaderModel, ...]:
    """Return the readers that are not fitted to hands, the true one first, cards-only last.

    ``named`` are presets or files, by default ``USUAL``; ``drifts`` are as in ``drifted``.

    Raises:
        PolicyError: There is no such policy.
        ValueError: There is no such drift.
    """
    usual = [name for name in USUAL if policies.load_policy(name) != players]
    names = dict.fromkeys([*(usual if named is None else named), "uniform"])
    return (
        ReaderModel("the true policy", TRUE, players),
        *(ReaderModel(name, NAMED, policies.load_policy(name)) for name in names),
        *(
            ReaderModel(f"true, {drift}", DRIFTED, drifted(players, drift))
            for drift in dict.fromkeys(drifts)
        ),
        ReaderModel("cards only", BLIND, None),
    )


SEEDS, ELSEWHERE = 2**32, 2**31
"""The number of seeds, and the seed offset from the games read to the hands fitted to."""


def sizes_of_fits(games: int) -> tuple[int, ...]:
    """Return the numbers of hands to fit to by default: 1/8, 1/2 and 5/2 of the games read."""
    return tuple(max(1, n * games // 8) for n in (1, 4, 20))


def fitted_readers(
    run: Run, setup: Setup, sizes: Iterable[int], family: str
) -> tuple[ReaderModel, ...]:
    """Return readers with policies fitted to the first of other hands of the same players."""
    sizes = sorted(set(sizes))
    hands = _hands(run, setup, max(sizes, default=0))
    fit = FitOptions(family=family, players=False, hidden=True, seed=run.seed)
    readers = []
    for n in sizes:
        label = f"fitted to {n:,} hands" if n > 1 else "fitted to 1 hand"
        fitted = fit_hands(hands[:n], fit, partial(read_parts, run))
        # As in a file, whose numbers are rounded.
        policy = policies.parse_policy(policies.policy_text(fitted.file), label)
        readers.append(ReaderModel(label, FITTED, policy))
    return tuple(readers)


def _hands(run: Run, setup: Setup, n: int) -> list[Replay]:
    """Return hands to fit to: the same players, but other deals than the games read."""
    work = partial(play_part, setup, (run.seed + ELSEWHERE) % SEEDS)
    with run.parts(work, n) as parts:
        return [replay(history) for history in histories(part.file for part in parts)]


POOLED = "all"
"""All betting stages together: a mean over games and stages."""

ACTIONS, ERROR, SURPRISE, TRUE_SURPRISE, IMPOSSIBLE = np.eye(5)
STAGES_READ, CARDS_ONLY, BY_TRUE, BY_READER = np.eye(4)
HOLDINGS, BITS, TRUE_BITS = np.eye(3)

ACTION_FIGURES: Mapping[str, Floats] = {
    "model_error_bits": ERROR,
    "surprise_bits": SURPRISE,
    "surprise_over_true_bits": SURPRISE - TRUE_SURPRISE,
    "impossible_fraction": IMPOSSIBLE,
}
"""The figures of a reader, an action.

The model error is D(true policy || reader's policy) between the action probabilities at the
player's own downcards, with the chance to win that the player sees. The surprise is -log2 of the
read's probability of the action, beyond the surprise of the true policy. Impossible are actions
where the reader rules out something that the player could do; infinities count as 40 bits. The
reader by the cards alone expects nothing of the actions.
"""

STAGE_FIGURES: Mapping[str, tuple[str, Floats, Floats]] = {
    "kl_bits": ("gain", BY_READER, STAGES_READ),
    "gain_bits": ("gain", CARDS_ONLY - BY_READER, STAGES_READ),
    "gain_share_of_true": ("gain", CARDS_ONLY - BY_READER, CARDS_ONLY - BY_TRUE),
    "bits_on_truth": ("truth", BITS, HOLDINGS),
    "bits_on_truth_over_true": ("truth", BITS - TRUE_BITS, HOLDINGS),
}
"""The figures of a reader at a stage, over the games with two or more active; in bits.

The K-L divergence is from the chances to win of an observer of all cards to the reader's; the gain
is the cards-only divergence minus it, and the share is the gain over the true policy's gain in the
same games. These three leave infinite divergences out. Bits on the truth are log2 of the read's
probability of a player's true downcards over a blind guess, beyond the true policy's bits; a
folding player counts at the fold.
"""


@dataclass(frozen=True)
class Misreading(FigureTable):
    """The readers of the same ``games`` games of ``players``, the true one first.

    Figures are about the kind of a reader; their group is its label, their stage one of ``places``,
    empty for ``ACTION_FIGURES``. ``family`` is the form of the fitted readers.
    """

    games: int
    players: str
    family: str
    readers: tuple[ReaderModel, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The betting stages, and all together."""
        return _places({key.stage for key in self.figures})

    def of(self, reader: ReaderModel, figure: str, place: str = "") -> Estimate:
        """Return a figure of a reader."""
        return self.at(figure, place, reader.label, reader.kind)


def _places(stages: Container[str]) -> tuple[str, ...]:
    """Return the stages of games that contain the stages found, and their pool."""
    return (*(stage for stage in stages_with(stages) if stage in AFTER_BETS), POOLED)


def misreading(
    setup: Setup,
    readers: Sequence[ReaderModel],
    games: int = 400,
    family: str = "",
    run: Run = Run(),
) -> Misreading:
    """Play games of players who follow the first reader's policy, and let all readers read them."""
    # Reading a game is about as much work as playing it.
    study = Study(partial(misreading_rows, setup, readers, run.seed), max(1, len(readers) // 2))
    return misreading_table(study.sums(games, run), readers, setup.players.name, family)


@dataclass(frozen=True, slots=True)
class _SeenAction:
    """An action as its player saw it: the values of all holdings, and the player's own holding.

    ``odds`` are the true probabilities of the legal actions for that holding.
    """

    decision: Decision
    holding_values: policies.HoldingValues
    own: int
    odds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Scores:
    """The scores of a read of a game, by betting stage.

    ``divergences`` are cards-only and the read's, in bits, with two or more active; ``truths`` are
    the number of players and the sum of their bits on the true downcards.
    """

    divergences: Mapping[str, tuple[float, float]]
    truths: Mapping[str, tuple[int, float]]

    @classmethod
    def of(cls, read: Analysis) -> Self:
        divergences, truths = {}, {}
        for stage in read.stages:
            if not stage.after_bets:
                continue
            if len(stage.active) > 1 and stage.kl_bits is not None:
                divergences[stage.stage] = stage.kl_bits
            seats = (*stage.seats.values(), *stage.folded.values())
            bits = [max(seat.truth.score_bits, -FLOOR) for seat in seats if seat.truth]
            truths[stage.stage] = (len(bits), sum(bits))
        return cls(divergences, truths)

    def by_cards(self) -> "_Scores":
        divergences = {stage: (cards, cards) for stage, (cards, _) in self.divergences.items()}
        return _Scores(divergences, {stage: (n, 0.0) for stage, (n, _) in self.truths.items()})


def worth_rows(reader: int, true: _Scores, mine: _Scores) -> Iterator[Row]:
    """Yield the worth of the true read and of a reader, given by its number, in a game."""
    kept, told = np.zeros(STAGES_READ.size), np.zeros(HOLDINGS.size)
    for stage, (cards, divergence) in mine.divergences.items():
        figures = np.array((1.0, cards, true.divergences[stage][1], divergence))
        yield f"{reader} gain {stage}", figures
        if np.isfinite(figures).all():
            kept += figures
        else:
            yield f"{reader} gain {POOLED}", figures
    if kept.any():
        yield f"{reader} gain {POOLED}", kept
    for stage, (n, bits) in mine.truths.items():
        figures = np.array((n, bits, true.truths[stage][1]))
        yield f"{reader} truth {stage}", figures
        told += figures
    yield f"{reader} truth {POOLED}", told


def misreading_rows(
    setup: Setup, readers: Sequence[ReaderModel], seed: int, number: int
) -> Iterator[Row]:
    """Play a game, let all readers read it, and yield their scores."""
    ((game, truly),) = read_games(setup, seed, range(number, number + 1))
    choices = list(_choices(game, setup))
    true = _Scores.of(truly)
    surprise = _surprise(truly)
    for n, reader in enumerate(readers):
        if reader.policy is None:
            yield from worth_rows(n, true, true.by_cards())
            continue
        seen, read = game.observed, truly
        if reader.kind != TRUE:
            seen, read = _read(game, reader.policy, setup)
        yield from worth_rows(n, true, _Scores.of(read))
        error, impossible = _model_error(choices, reader.policy, seen)
        yield f"{n} actions", (len(choices), error, _surprise(read), surprise, impossible)


def _read(
    game: Game, policy: policies.Policy, setup: Setup
) -> tuple[tuple[observer.ObservedStreet, ...], Analysis]:
    """Return the streets of a game as observed, and its analysis by one policy for all seats."""
    reader = as_reader(policy)
    seen = tuple(read_hand(reader, game.replay, observer.TIE_RULES[setup.ties]))
    return seen, analyze_replay(game.replay, reader, ties=setup.ties, observed=seen)


def _surprise(read: Analysis) -> float:
    """Return the surprise of all actions in bits, each at most ``FLOOR``."""
    return sum(min(action.surprise_bits, FLOOR) for action in read.actions)


def _choices(game: Game, setup: Setup) -> Iterator[_SeenAction]:
    """Yield the actions of a game, each with its player's knowledge and probabilities."""
    belief: observer.Belief | None = None
    for street in game.replay.streets:
        belief, _ = observer.deal(belief, street)
        for decision in street.decisions:
            model = setup.players.of(decision.seat)
            holding_values = observer.holding_values_at(
                belief, decision, model, observer.TIE_RULES[setup.ties]
            )
            expected = forecast(model, decision, holding_values, belief.shares.get(decision.seat))
            holding = true_holding(game.replay, decision.seat, street.number)
            assert holding is not None  # a simulated game hides nothing
            held = holding_index(holding)
            odds = {action: float(p[held]) for action, p in expected.action_probs.items()}
            yield _SeenAction(decision, holding_values, held, odds)
            belief, _ = observer.apply_bayes(belief, decision, expected)


def _model_error(
    choices: Sequence[_SeenAction], policy: policies.Policy, seen: Iterable[observer.ObservedStreet]
) -> tuple[float, int]:
    """Return D(true odds || a policy's odds) summed over the actions, and the impossible ones.

    The policy is evaluated at the holding values of the player; a panel weighs its members like a
    reader who has ``seen`` the game so far.
    """
    total, impossible = 0.0, 0
    for choice, shares in zip(choices, _shares(seen), strict=True):
        expected = forecast(Model(policy), choice.decision, choice.holding_values, shares)
        pairs = [
            (p, float(expected.action_probs[action][choice.own]))
            for action, p in choice.odds.items()
        ]
        total += sum(p * math.log2(p / max(q, 2.0**-FLOOR)) for p, q in pairs if p > 0.0)
        impossible += any(p > 0.0 and q <= 0.0 for p, q in pairs)
    return max(0.0, total), impossible


def _shares(seen: Iterable[observer.ObservedStreet]) -> Iterator[Floats | None]:
    """Yield, before each action, the shares of a panel's members for the player."""
    for street in seen:
        shares = dict(street.dealt.shares)
        for update in street.updates:
            seat = update.decision.seat
            yield shares.get(seat)
            if update.shares is not None:
                shares[seat] = update.shares


def misreading_table(
    sums: Sums, readers: Sequence[ReaderModel], players: str, family: str
) -> Misreading:
    """Return the averages over games."""
    figures = {}
    places = _places({name.rpartition(" ")[2] for name in sums.names})
    for n, reader in enumerate(readers):
        actions = round(sums.of(f"{n} actions", ACTIONS.size).totals[0])
        for name, over in ACTION_FIGURES.items():
            estimate = sums.figure(f"{n} actions", over, ACTIONS)
            figures[Key(name, "", reader.label, reader.kind)] = replace(estimate, n=actions)
        for place in places:
            for name, (what, over, under) in STAGE_FIGURES.items():
                estimate = sums.figure(f"{n} {what} {place}", over, under)
                figures[Key(name, place, reader.label, reader.kind)] = estimate
    return Misreading(figures, sums.games, players, family, tuple(readers))


def misreading_text(table: Misreading) -> str:
    """Return the study as text: tables with a line per reader."""
    actions = table.of(table.readers[0], "surprise_bits").n
    learned = any(reader.kind == FITTED for reader in table.readers)
    fits = f"; fits: {table.family}, no downcard known" if learned else ""
    impossible = partial(mean_cell, digits=1, scale=100.0, unit="%")
    columns = (
        FigureColumn(("model error",), "model_error_bits", with_error),
        FigureColumn(("surprise",), "surprise_bits", with_error),
        FigureColumn(("over true",), "surprise_over_true_bits", partial(with_error, sign="+z")),
        FigureColumn(("impossible",), "impossible_fraction", impossible),
    )
    return (
        as_prose(
            f"{n_games(table.games)} of {visible(table.players)}, {actions:,} actions, each game "
            f"read by every reader{fits}",
            "mean ±standard error from game to game; all: the betting stages together",
        )
        + f"\n{figures_text(table, _readers(table, ''), columns, 'reader')}\n"
        + as_prose(
            "model error: D(true policy || reader's policy) at the player's own downcards, bits "
            "an action",
            "surprise: -log2 of what the read expected of the action; over true: beyond what the "
            "true policy's read has; impossible: actions at which the reader rules out what the "
            "player could do (each counts 40 bits at most)",
        )
        + "".join(_by_stage(table, *stages) for stages in STAGE_TABLES)
        + _misread_left_out(table)
    )


def _readers(table: Misreading, indent: str) -> list[tuple[str, Key]]:
    return [
        (indent + visible(reader.label), Key("", "", reader.label, reader.kind))
        for reader in table.readers
    ]


STAGE_TABLES = (
    ("information gain, bits", "gain_bits", partial(with_error, sign="+z")),
    (
        "information gain, % of what the true policy gives",
        "gain_share_of_true",
        partial(with_error, digits=0, scale=100.0, sign="z"),
    ),
    ("bits on the true downcards", "bits_on_truth", partial(with_error, digits=2, sign="+z")),
)
"""The tables of readers by stage: title, figure and cells."""


def _by_stage(table: Misreading, title: str, figure: str, cells: partial[str]) -> str:
    columns = [FigureColumn((place,), figure, cells, place) for place in table.places]
    return f"\n{figures_text(table, _readers(table, '  '), columns, title)}"


def _misread_left_out(table: Misreading) -> str:
    """Return a line on reads that excluded possible actions or cards, if there are any."""
    gains = ((reader.label, table.of(reader, "gain_bits", POOLED)) for reader in table.readers)
    excluded = [f"{visible(label)} {gain.infinite:,}" for label, gain in gains if gain.infinite]
    words = f"left out of the gains, K-L infinite, games times stages: {'; '.join(excluded)}"
    return f"\n{as_prose(words)}" if excluded else ""


def main() -> None:
    """Play games, let all readers read them, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--reader", nargs="*", help="policies to read with")
    parser.add_argument("--fitted", type=int, nargs="*", help="numbers of hands to fit policies to")
    parser.add_argument("--family", choices=[*FamilyName], default="ramps", help="form of the fits")
    parser.add_argument("--drift", nargs="*", default=DRIFTS, help="changes of the true policy")
    parser.add_argument("--policy", default="default")
    parser.add_argument("--seats", type=int, default=7)
    parser.add_argument("--game", help="a game with its stakes, as simulate takes them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    run = Run(asked.seed, asked.workers)
    # Equal hands share the pot, as in the fit.
    setup = RuleOptions(asked.seats, asked.game).played_by(asked.policy)
    players = policies.single(policies.load_policy(asked.policy))
    *others, by_cards = standing_readers(players, asked.reader, asked.drift)
    sizes = sizes_of_fits(asked.games) if asked.fitted is None else asked.fitted
    readers = (*others, *fitted_readers(run, setup, sizes, asked.family), by_cards)
    print(misreading_text(misreading(setup, readers, asked.games, asked.family, run)), end="")


if __name__ == "__main__":
    main()
