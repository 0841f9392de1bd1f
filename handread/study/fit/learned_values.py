"""Fit learned values to rollouts and to simulated games.

Games (``value_games``) give two kinds of data:

* The values after an own bet or raise and after an own check or call are fitted to the means of
  rollouts, and to the differences between the actions, by ridge regression.
* The value before a showdown is fitted to its results, with the hidden cards drawn many times from
  their exact distribution given the actions, at likelihood exponent 1.
* The value of every other state is fitted to the value that follows: at the player's next decision,
  where it is the mean over the actions by the policy, or before the showdown. This costs no
  rollouts and has little noise. The means of the values after own actions are made to agree in the
  same manner. The mean of every change that is luck is then 0 over the games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from operator import itemgetter

import numpy as np

from handread.arrays import Floats, Ints
from handread.decisions.learned import CHANCES, FAR, LearnedValues, Weights, bands, policy_hashes
from handread.decisions.states import KINDS, NUMBERS, expanded, mean_terms
from handread.game.rules import Variant
from handread.inference.players import PlayerModels
from handread.study.fit import in_one_blas_thread
from handread.study.fit.value_games import GameData, ValuesPlan

FOLDS = 5

LEAST_ERROR = 0.01
"""Least standard error reported for a value, in big bets if the scale is a big bet."""

OF_ALL = 20.0
"""Number of decisions that the error of all counts for in the error of a cell."""

RAISED, CALLED, WAITING, OVER = range(len(KINDS))


class _ValueFit:
    def __init__(
        self,
        data: GameData,
        n_streets: int,
        plan: ValuesPlan,
        start: Mapping[str, Weights] | None = None,
    ) -> None:
        self._plan, self._streets = plan, n_streets
        bets = np.array(data.bets, dtype=float)
        self.kind = np.array([KINDS.index(state.kind) for state in data.states])
        self.street = np.array([state.street for state in data.states])
        self.game = np.array(data.games)
        self.share = np.array([state.share for state in data.states]) / bets
        self.scale = np.array([state.scale for state in data.states]) / bets
        self.numbers = np.array([state.numbers for state in data.states])
        self.constants = np.array(data.constants)
        self.parts = tuple(np.array(each) for each in zip(*data.parts, strict=True))
        self.follows = tuple(np.array(each) for each in zip(*data.follows, strict=True))
        self.shown = np.array(data.shown).reshape(-1, 3)
        self.after = np.array(data.after).reshape(-1, 3)
        self.rolled = np.array(data.values).reshape(-1, 2)
        self.noise = np.array(data.noise).reshape(-1, 3)
        self.centre, self.spread = np.zeros((4, len(NUMBERS))), np.ones((4, len(NUMBERS)))
        for kind in range(4):
            rows = self.numbers[self.kind == kind]
            if len(rows):
                self.centre[kind] = rows.mean(axis=0)
                spread = rows.std(axis=0)
                self.spread[kind] = np.where(spread > 1e-6, spread, 1.0)
        n = len(NUMBERS)
        size = expanded(np.zeros((1, n)), np.zeros(1, dtype=int), n_streets).shape[1]
        self.terms = np.zeros((4, size))
        if start is not None:
            for place, name in enumerate(KINDS):
                weights = start[name]
                self.centre[place], self.spread[place] = weights.centre, weights.spread
                self.terms[place] = weights.terms
        self.free = np.array(mean_terms(n_streets))
        self.shifts = np.zeros((4, self.free.size))

    def design(self, rows: Ints) -> Floats:
        """Return the terms of states of one kind, times their scale: (rows, terms)."""
        kind = self.kind[rows[0]] if rows.size else 0
        apart = (self.numbers[rows] - self.centre[kind]) / self.spread[kind]
        terms = expanded(np.clip(apart, -FAR, FAR), self.street[rows], self._streets)
        design: Floats = terms * self.scale[rows, None]
        return design

    def value(self, rows: Ints) -> Floats:
        """Return the values of states, those in play."""
        values: Floats = self.share[rows].copy()
        for kind in range(4):
            places = np.flatnonzero(self.kind[rows] == kind)
            for part in np.array_split(places, 1 + places.size // 20_000):
                if part.size:
                    terms = self.terms[kind].copy()
                    terms[self.free] += self.shifts[kind]
                    values[part] += self.design(rows[part]) @ terms
        return values

    def nodes(self) -> Floats:
        node, state, weight = self.parts
        sums = np.bincount(node, weight * self.value(state), minlength=self.constants.size)
        return self.constants + sums

    # After own actions

    def acted(self) -> tuple[dict[str, float], dict[str, Floats]]:
        """Fit the values after own actions to the rollouts.

        Return the goodness of fit on held-out games, by name, and the errors of ``LearnedValues``.
        """
        passive, active = self.after[:, 1], self.after[:, 2]
        called = (passive >= 0) & (self.kind[passive] == CALLED)
        raised = (active >= 0) & (self.kind[active] == RAISED)
        # The decisions of each part, with the signs of the values after a raise and after a call.
        parts = {
            "called": (called, 0.0, 1.0),
            "raised": (raised, 1.0, 0.0),
            "gain": (called & raised, 1.0, -1.0),
        }
        levels = np.column_stack([self.rolled, self.rolled[:, 1] - self.rolled[:, 0]])
        size = self.terms.shape[1]
        rows, targets = [], []
        for place, (chosen, *signs) in enumerate(parts.values()):
            x, y = np.zeros((int(chosen.sum()), 2 * size)), levels[chosen, place]
            columns = (slice(size), slice(size, None))
            for sign, states, column in zip(signs, (active, passive), columns, strict=True):
                if sign:
                    x[:, column] = sign * self.design(states[chosen])
                    y = y - sign * self.value(states[chosen])
            rows.append(x)
            targets.append(y)
        y = np.concatenate(targets)
        part = np.repeat(np.arange(len(parts)), [len(each) for each in targets])
        decision = np.concatenate([np.flatnonzero(chosen) for chosen, *_ in parts.values()])
        scales = np.where(passive >= 0, self.scale[passive], self.scale[active])[decision]
        weights = np.where(part < 2, 1.0, self._plan.gain_weight) / scales
        free = np.concatenate([self.free, size + self.free])
        x, games, penalties = np.concatenate(rows), self.after[decision, 0], self._plan.penalties
        terms, held_out, penalty = _ridge(x, y, weights, games, free=free, choices=penalties)
        self.terms[RAISED] += terms[:size]
        self.terms[CALLED] += terms[size:]
        off = (y - held_out) ** 2 - self.noise[decision, part]
        after = np.where(part == 0, passive[decision], active[decision])
        measured, errors = {"penalty": penalty, "decisions": float(len(self.after))}, {}
        for place, name in enumerate(parts):
            here = part == place
            noise = self.noise[decision[here], place].mean()
            spread = float(levels[decision[here], place].var() - noise)
            measured |= _goodness(name, float(off[here].mean()), spread)
            errors[name] = self._errors(after[here], off[here] / scales[here])
        return measured, errors

    def _errors(self, states: Ints, off: Floats) -> Floats:
        """Return the errors by street and band of chances (streets, bands), from squares."""
        shape = self._streets, len(CHANCES) + 1
        cell = np.ravel_multi_index((self.street[states], bands(self.numbers[states, 0])), shape)
        n = shape[0] * shape[1]
        total = np.bincount(cell, off, n) + OF_ALL * off.mean()
        squares = total / (np.bincount(cell, minlength=n) + OF_ALL)
        errors: Floats = np.sqrt(np.maximum(LEAST_ERROR**2, squares)).reshape(shape)
        return errors

    # Other states

    def to_results(self) -> float:
        """Fit the values of states without more betting to the results; return the penalty."""
        rows, targets = self._targets(OVER)
        drawn, values, weights = self.shown.T
        return self._fit(
            np.concatenate([rows, drawn.astype(np.int64)]),
            np.concatenate([targets, values]),
            np.concatenate([np.ones(rows.size), weights]),
        )

    def waiting(self) -> float:
        """Fit the values of other states to the values that follow; return the penalty."""
        rows, targets = self._targets(WAITING)
        return self._fit(rows, targets, np.ones(rows.size))

    def _fit(self, rows: Ints, targets: Floats, weights: Floats) -> float:
        """Fit the values of states of one kind to targets; return the penalty."""
        if not rows.size:
            return 0.0
        kind = self.kind[rows[0]]
        x, y = self.design(rows), targets - self.value(rows)
        weights, games = weights / self.scale[rows], self.game[rows]
        terms, _, penalty = _ridge(
            x, y, weights, games, free=self.free, choices=self._plan.penalties
        )
        self.terms[kind] += terms
        return penalty

    def agree(self) -> float:
        """Shift the values after own actions until their means agree with the values that follow.

        Return the mean square of the last shifts, in squared big bets.
        """
        last = 0.0
        for _ in range(self._plan.rounds):
            last = 0.0
            shifts = []
            for kind in (RAISED, CALLED):
                rows, targets = self._targets(kind)
                if rows.size:
                    x = self.design(rows)[:, self.free]
                    y = targets - self.value(rows)
                    shift = _solved(*_sums(x, y, 1.0 / self.scale[rows]), np.full(x.shape[1], 0.1))
                    shifts.append((kind, shift))
                    last += float(((x @ shift) ** 2).mean())
            for kind, shift in shifts:
                self.shifts[kind] += shift
        return last

    def _targets(self, kind: int) -> tuple[Ints, Floats]:
        """Return the states of a kind that lead to a node, and its value for them."""
        state, node, added = self.follows
        of_kind = self.kind[state] == kind
        targets: Floats = self.nodes()[node[of_kind]] + added[of_kind]
        return state[of_kind], targets

    def weights(self) -> dict[str, Weights]:
        parts = zip(self.centre, self.spread, self.terms, self.shifts, strict=True)
        return {kind: Weights(*of_kind) for kind, of_kind in zip(KINDS, parts, strict=True)}


def _goodness(name: str, left: float, spread: float) -> dict[str, float]:
    """Return the goodness of a fit, from the mean square left and the variance before it."""
    rms, sd = (float(np.sqrt(max(0.0, square))) for square in (left, spread))
    return {f"{name}_r2": 1.0 - left / spread, f"{name}_rms": rms, f"{name}_sd": sd}


def _sums(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    weighted = x * weights[:, None]
    return weighted.T @ x, weighted.T @ y


def _solved(gram: Floats, moment: Floats, penalties: Floats) -> Floats:
    return np.asarray(np.linalg.solve(gram + np.diag(penalties), moment), dtype=np.float64)


def _ridge(
    x: Floats, y: Floats, weights: Floats, games: Ints, free: Ints, choices: Sequence[float]
) -> tuple[Floats, Floats, float]:
    """Return ridge weights, predictions of held-out games, and the penalty.

    The terms ``x`` (rows, terms), targets ``y`` (rows,) and ``weights`` (rows,) have a game in each
    row, by which folds are made. ``free`` terms are hardly penalised. Held-out games choose among
    the penalties ``choices``.
    """
    fold = games % FOLDS
    sums = [_sums(x[fold == k], y[fold == k], weights[fold == k]) for k in range(FOLDS)]
    gram, moment = _sums(x, y, weights)
    tried = []
    for penalty in choices:
        penalties = np.full(x.shape[1], penalty)
        penalties[free] = 1e-3
        held_out = np.zeros(y.size)
        for k in range(FOLDS):
            terms = _solved(gram - sums[k][0], moment - sums[k][1], penalties)
            held_out[fold == k] = x[fold == k] @ terms
        loss = float(weights @ (y - held_out) ** 2)
        tried.append((loss, penalty, penalties, held_out))
    _, penalty, penalties, held_out = min(tried, key=itemgetter(0))
    return _solved(gram, moment, penalties), held_out, penalty


@in_one_blas_thread
def fit_values(
    players: PlayerModels,
    game: Variant,
    plan: ValuesPlan,
    data: GameData,
    command: str = "",
    start: LearnedValues | None = None,
) -> LearnedValues:
    """Return the values fitted to the data of games, which were made by this plan.

    All players follow one policy. The file names the command that makes the values. The ridge
    penalty shrinks them to ``start``, the values of another policy in this game.
    """
    fit = _ValueFit(data, len(game.streets), plan, None if start is None else start.kinds)
    measured, errors = fit.acted()
    measured["over_penalty"] = fit.to_results()
    measured["last_shift"] = fit.agree()
    measured["waiting_penalty"] = fit.waiting()
    met = players.in_game(game.key)
    settings = {**asdict(plan), "penalties": list(plan.penalties)}
    made = {"command": command, "plan": settings, "states": len(data.states), **measured}
    name, hashes = met.rest.policy.name, policy_hashes(met)
    return LearnedValues(name, hashes, game.key, fit.weights(), errors=errors, made=made)
