"""The search for the parameters of BPP's betting curves (Korb et al. 1999, section 4.1).

The score of curves is the mean winnings against the rule-based player. The authors' winnings from
played games are noisy; here the score is the expected value over all actions on a sample of decks
(``game_tree``), the same for all candidates. Each climb starts from the best of some random
candidates, and keeps those random steps that improve the score.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

import handread.papers.bpp.game_tree as game_tree
from handread.arrays import Floats
from handread.papers.bpp.matches import match_name, play_match
from handread.papers.bpp.opponents import RuleBasedPlayer
from handread.papers.bpp.play import LARGEST_SHIFT, ROUNDS, STEEPNESS, Betting, Curves, bettings
from handread.papers.bpp.player import BPPPlayer
from handread.parallel import PART_SIZE
from handread.runs import Run
from handread.study.statistics import Estimate, FigureTable, Key
from handread.study.sums import Row, Study

PARAMETERS = 3 * ROUNDS

PAPER, SEPARATE, HIDDEN = KINDS = ("paper", "separate", "hidden")
"""One set of curves for all decisions, as in the paper; a second set for decisions without a bet to
call; a second set for hands whose strength is hidden (section 6.1)."""

REACH = 0.5
"""Largest shift of random candidates."""

STEP, SMALLEST_STEP = 0.15, 0.01
"""Standard deviations of the first and the smallest step of a climb."""

GROWTH = 1.3
"""Factor of the steps after one that improved the score; four others undo it (the 1/5 rule)."""


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The settings of a search.

    ``decks`` decks of the score are dealt twice, with the hands exchanged. The action matrices are
    learned from ``learning`` games before.
    """

    kind: str = PAPER
    steepness: float = STEEPNESS
    decks: int = 1000
    candidates: int = 30
    steps: int = 400
    learning: int = 2000
    seed: int = 1

    @property
    def size(self) -> int:
        """The number of parameters."""
        return PARAMETERS * (1 if self.kind == PAPER else 2)

    @property
    def origin(self) -> Floats:
        """The center of random candidates; for two sets, the curves found in the search for one."""
        if self.kind == PAPER:
            return np.zeros(PARAMETERS)
        return np.tile(np.ravel(bettings()[PAPER].curves.shifts), 2)

    def betting(self, parameters: Floats) -> Betting:
        """Return the curves of some parameters (size,)."""
        first, *others = [Curves.of(part) for part in parameters.reshape(-1, PARAMETERS)]
        opening = others[0] if self.kind == SEPARATE else None
        hidden = others[0] if self.kind == HIDDEN else None
        return Betting(first, opening, hidden, self.steepness)


@dataclass(frozen=True)
class CurveSearch(FigureTable):
    """The result of a search: by climb the score in bets a game.

    Figures are the score of the best candidate (``candidate_bets``), of the end of the climb
    (``found_bets``), and of this end on as many other decks (``other_decks_bets``).
    """

    plan: SearchPlan
    best: Betting


def search(plan: SearchPlan, climbs: int = 4, run: Run = Run()) -> CurveSearch:
    """Search for betting curves that win from the rule-based player."""
    study = Study(partial(climb_rows, plan, learned_matrices(plan)), PART_SIZE, "climbs")
    sums = study.sums(climbs, run)
    figures, ends = {}, {}
    for number in range(climbs):
        scores = dict(zip(SCORES, sums.of(f"scores {number}", 6).means.tolist(), strict=True))
        for name in _MEANS:
            error = scores[f"{name} error"]
            estimate = Estimate.normal(scores[name], error, plan.decks)
            figures[Key(name, "", f"climb {number + 1}")] = estimate
        ends[scores["found_bets"]] = sums.of(f"end {number}", plan.size).means
    return CurveSearch(figures, plan, plan.betting(ends[max(ends)]))


_MEANS = ("candidate_bets", "found_bets", "other_decks_bets")
SCORES = (*_MEANS, *(f"{name} error" for name in _MEANS))


def learned_matrices(plan: SearchPlan) -> Floats:
    """Return the action matrices of the rule-based player, learned in one match."""
    start = plan.betting(plan.origin)
    _, (player, other) = play_match(
        (BPPPlayer(start), RuleBasedPlayer()), plan.learning, plan.seed, LEARNING_MATCH
    )
    assert isinstance(player, BPPPlayer)
    return player.reader.of(match_name(other, 2)).matrices


LEARNING_MATCH, SCORED_DECKS, OTHER_DECKS, CLIMBS = range(4)
"""Random streams of a search: the match, both samples of decks, the climbs."""


class _Score:
    def __init__(self, plan: SearchPlan, matrices: Floats, sample: int) -> None:
        self._plan = plan
        self._deals = game_tree.DealtPairs.sample(plan.decks, plan.seed, sample)
        self._rules = game_tree.rules_in_tree(self._deals)
        chances = game_tree.network_chances(self._deals, matrices)
        self._own = game_tree.CurvesInTree(self._deals, plan.betting(plan.origin), chances)

    def of(self, parameters: Floats) -> tuple[float, float]:
        """Return the mean winnings in bets a game, and their standard error."""
        self._own.betting = self._plan.betting(parameters)
        of_deals = game_tree.expected_winnings(self._deals, self._own, self._rules)
        winnings = of_deals.reshape(-1, 2).mean(axis=1)
        return float(winnings.mean()), float(winnings.std(ddof=1)) / math.sqrt(winnings.size)


def climb_rows(plan: SearchPlan, matrices: Floats, number: int) -> Iterator[Row]:
    """Do a climb, and yield its scores and its end."""
    score, other = (_Score(plan, matrices, sample) for sample in (SCORED_DECKS, OTHER_DECKS))
    start, end = _climb(plan, score, np.random.default_rng((plan.seed, CLIMBS, number)))
    scores = [score.of(start), score.of(end), other.of(end)]
    yield f"scores {number}", np.ravel(np.transpose(scores))
    yield f"end {number}", end


def _climb(plan: SearchPlan, score: _Score, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the best of the random candidates, and the end of the climb from it."""
    candidates = plan.origin + rng.uniform(-REACH, REACH, (plan.candidates, plan.size))
    inside = [np.clip(each, -LARGEST_SHIFT, LARGEST_SHIFT) for each in candidates]
    start = end = max([plan.origin, *inside], key=lambda each: score.of(each)[0])
    best, step = score.of(start)[0], STEP
    for _ in range(plan.steps):
        moved = end + step * rng.standard_normal(plan.size)
        moved = np.clip(moved, -LARGEST_SHIFT, LARGEST_SHIFT)
        if (reached := score.of(moved)[0]) > best:
            best, end, step = reached, moved, step * GROWTH
        else:
            step = max(SMALLEST_STEP, step * GROWTH**-0.25)
    return start, end


def curves_toml(name: str, betting: Betting) -> str:
    """Return curves as a table of ``curves.toml``, with shifts to two digits."""
    lines = [f"[{name}]", f"steepness = {betting.steepness:g}"]
    for part in ("curves", "opening", "hidden"):
        curves = getattr(betting, part)
        if curves is not None:
            lines.append(f"\n[{name}.{part}]")
            for curve, shifts in zip(("bet", "call", "fold"), curves.shifts, strict=True):
                lines.append(f"{curve} = [{', '.join(f'{shift:.2f}' for shift in shifts)}]")
    return "\n".join(lines) + "\n"
