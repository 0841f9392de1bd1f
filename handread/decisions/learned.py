"""Learned values: the expected net of a player from any point of a hand on, without rollouts.

V(s) is the expected net of a seat with known downcards from the state s on, without rake, if
everybody plays by the policies. It is the seat's share of the pot by equation 1 of Saund 2006, and
a correction by a polynomial:

    V(s) = share(s) + scale(s) (terms(z) @ weights)
    z    = (numbers(s) - centre) / spread, cut at ``FAR``

``states.NUMBERS`` are 19 numbers of a state, ``states.expanded`` its terms: 1, z and all products
of two of z; by street 1 and z again, the cube of the chance, and its products with some of z. The
scale, in chips, is the pot, the call, half a bet on each later street, and half a big bet. Each
policy and game has a file, with weights for each kind of state:

``raised``, ``called``: after an own bet or raise, after an own check or call
``waiting``: waiting for others or for cards
``over``: no more betting to come

They are fitted by ridge regression, with a penalty chosen on games held out
(``study.fit.learned_values``). ``raised`` and ``called`` are fitted to the means of rollouts and,
with six times the weight, to their differences, which decide between actions. ``over`` is fitted to
showdowns, with hidden cards drawn from their distribution given the actions. ``waiting`` is fitted
to the value that follows: at the next own decision, or before the showdown. The means of the values
after own actions are made to agree with those that follow (``shift``), so that luck has mean 0 in
games by the policies (docs/decisions.md).

Errors are measured on games held out, without the noise of the rollouts, by street and band of the
chance to win. They grow with the stake and the distance from the states of the fit (``stretch``).
A value is an *estimate*: it chooses the decisions that rollouts check. No front calls a decision a
mistake by it alone.

Tried and dropped:

* Rollouts at every point of a hand: a ledger would take too long.
* Fits to 300 to 450 decisions, with one error for all: hands that hardly can lose were rare in
  them, and rollouts reversed two of 34 decisions that they called costly. Now there are 2,200 to
  2,600, with more from the extremes, and an error for each cell.
* Means of rollouts and learned values, weighted by their errors: they went when the intervals of
  costs were made to cover the truth.
* A single result of a showdown, in place of the mean over drawn cards.
* Numbers cut at four standard deviations; three hold the values of rare states.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Self

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import Card
from handread.decisions.rollouts import HouseRake
from handread.decisions.showdowns import Showdowns
from handread.decisions.states import NUMBERS, State, States, expanded, mean_terms
from handread.decisions.turns import LegalAction, Turn
from handread.game.rules import variant_of
from handread.game.table import Table
from handread.history import Action, Wager
from handread.inference.observer import Belief
from handread.inference.players import PlayerModels
from handread.policy import Policy, PolicyError, members_of, policy_hash
from handread.settings import settings_text

SCHEMA = "handread values 2"

WEIGHTS = ("centre", "spread", "terms", "shift")

FAR = 3.0
"""Largest distance of numbers from their mean, in standard deviations; beyond it they are cut."""

USUAL_SIZE = 6.0
"""Most states of a fit have at most so many big bets at stake."""

FAR_WEIGHT = 0.5
"""Growth of the variance of a value with the distance from the states of the fit."""

CHANCES = (0.05, 0.2, 0.5, 0.8)
"""Chances to win that bound the bands of measured errors, street by street.

Values are least exact for hands almost sure to lose or to win: few rollouts begin there.
"""


def bands(chances: Floats) -> Ints:
    """Return the band of each chance to win, from 0 to ``len(CHANCES)``."""
    return np.searchsorted(CHANCES, chances)


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a kind of states."""

    centre: Floats  # means of the numbers (19,)
    spread: Floats  # their standard deviations (19,), 1 for a constant
    terms: Floats  # weights of the terms of ``expanded``
    shift: Floats  # addition to the weights of ``mean_terms`` for equal means

    def standardised(self, numbers: Floats) -> Floats:
        """Return numbers (rows, 19) in standard deviations from their mean, within ``FAR``."""
        return np.clip((numbers - self.centre) / self.spread, -FAR, FAR)

    def stretch(self, numbers: Floats) -> float:
        """Return the ratio of the error of a state (19,) to the error of the fit, 1 or more.

        Errors of the fit grow with the square root of the stake, in large pots with the stake
        itself, and with the mean square distance of the numbers from the fit.
        """
        size = math.exp(numbers[NUMBERS.index("size")])
        far = float(np.mean(((numbers - self.centre) / self.spread) ** 2))
        beyond = 1.0 + FAR_WEIGHT * max(0.0, far - 1.0)
        return math.sqrt(max(1.0, size / USUAL_SIZE) * beyond)


@dataclass(frozen=True, slots=True)
class LearnedQ:
    """Learned values of the actions of a decision, in minor units."""

    q: Floats  # expected net from the decision on (actions,); 0 for a fold
    errors: Floats  # standard errors of ``q`` (actions,)
    # standard errors of an action's difference from another (actions,), 0 for a certain value such
    # as a fold's
    apart: Floats

    def gain_errors(self, of: int) -> Floats:
        """Return the standard errors of the differences from one action (actions,)."""
        stays = self.apart > 0.0
        both = stays & stays[of]
        # Certain values have no error to share.
        errors: Floats = np.where(
            both, np.minimum(self.apart, self.apart[of]), self.errors + self.errors[of]
        )
        errors[of] = 0.0
        return errors


@dataclass(frozen=True, slots=True, repr=False)
class LearnedValues:
    """A learned value function of a policy in a game."""

    policy: str  # name of the policy
    hashes: tuple[str, ...]  # hashes of the policy, or of the members of a panel
    game: str
    kinds: Mapping[str, Weights]  # weights by kind of states
    # standard errors of the values after a check or call ("called") and a bet or raise ("raised"),
    # and of their difference ("gain"), by street and band of ``CHANCES`` (streets, bands), in big
    # bets for a scale of a big bet; they grow with its square root, and by ``Weights.stretch``
    errors: Mapping[str, Floats]
    made: Mapping[str, Any]  # how it was made, and its measured errors, as JSON values

    def __repr__(self) -> str:
        return f"<LearnedValues of {self.policy!r} in {self.game}>"

    def of_state(self, state: State, in_play: bool = True) -> float:
        """Return the value of a state, in minor units.

        If ``in_play``, it is the mean over continuations of play by the policy. Otherwise the cards
        follow the reads, as in rollouts: reads are more cautious than the policy, so that the two
        differ a little.
        """
        weights = self.kinds[state.kind]
        numbers = weights.standardised(state.numbers[None, :])
        n_streets = len(variant_of(self.game).streets)
        terms = expanded(numbers, np.array([state.street]), n_streets)[0]
        value = float(terms @ weights.terms)
        if in_play:
            value += float(terms[mean_terms(n_streets)] @ weights.shift)
        expected = state.share + state.scale * value
        if state.is_certain:
            expected = state.share
        if state.kind == "over":  # at most the pot can be won, and nothing more be lost
            return min(max(expected, 0.0), state.pot)
        return expected

    def value(
        self, states: States, table: Table, belief: Belief, seat: int, down: Sequence[Card]
    ) -> float:
        """Return the expected net of a seat from a table on, without rake, in minor units.

        ``belief`` is public. The value is exact after a fold of the seat, or of all others.
        """
        player = table.player(seat)
        if player.folded:
            return 0.0
        if len(table.active) == 1:
            return float(table.pot)
        if table.bring_in_due:
            posted = table.play(Wager(table.may_act[0], Action.BRING_IN))
            paid = posted.player(seat).paid - player.paid
            return self.value(states, posted, belief, seat, down) - paid
        return self.of_state(states.of(table, belief, seat, down))

    def of_turn(self, states: States, turn: Turn, rake: HouseRake) -> LearnedQ:
        """Return the values of the actions of a turn, as rollouts would.

        A fold, and an action that leads to the showdown at once, are exact. The rake is
        charged on the expected winnings.
        """
        known = Showdowns(turn, rake).nets(turn.options)
        rows = [
            self._of_option(states, turn, option, rake) if value is None else (value, 0.0, 0.0)
            for option, value in zip(turn.options, known, strict=True)
        ]
        return LearnedQ(*np.array(rows).T)

    def _of_option(
        self, states: States, turn: Turn, option: LegalAction, rake: HouseRake
    ) -> tuple[float, float, float]:
        """Return the net after an action, its error (0 if exact), and its error against another."""
        state = states.of(option.table, option.belief, turn.seat, turn.down)
        value = self.of_state(state, in_play=False)
        kept = rake.of(round(state.scale)) / state.scale * max(state.share, value, 0.0)
        paid = option.table.player(turn.seat).paid - turn.table.player(turn.seat).paid
        if state.is_certain:
            return value - kept - paid, 0.0, 0.0
        name = "raised" if state.kind == "raised" else "called"
        stretch = self.kinds[state.kind].stretch(state.numbers)
        unit = stretch * math.sqrt(state.scale * turn.big_bet)
        cell = state.street, bands(state.numbers[0])
        error, apart = (float(self.errors[each][cell]) * unit for each in (name, "gain"))
        return value - kept - paid, error, apart

    def record(self) -> dict[str, Any]:
        """Return JSON values for ``from_record``, to six digits."""
        return {
            "schema": SCHEMA,
            "policy": self.policy,
            "hashes": list(self.hashes),
            "game": self.game,
            "made": dict(self.made),
            "errors": {name: np.round(each, 4).tolist() for name, each in self.errors.items()},
            "numbers": list(NUMBERS),
            "kinds": {
                kind: {
                    name: [float(f"{number:.6g}") for number in getattr(weights, name).tolist()]
                    for name in WEIGHTS
                }
                for kind, weights in self.kinds.items()
            },
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Restore a ``record``; raise ``ValueError`` for another version."""
        if record.get("schema") != SCHEMA or record.get("numbers") != list(NUMBERS):
            raise ValueError(f"not learned values of this version ({SCHEMA})")
        kinds = {
            kind: Weights(*(np.array(weights[name]) for name in WEIGHTS))
            for kind, weights in record["kinds"].items()
        }
        return cls(
            policy=record["policy"],
            hashes=tuple(record["hashes"]),
            game=record["game"],
            kinds=kinds,
            errors={name: np.array(each) for name, each in record["errors"].items()},
            made=record["made"],
        )


def policy_hashes(players: PlayerModels) -> tuple[str, ...]:
    """Return the hashes of the policy of the players, or of the members of their panel."""
    return _hashes(players.rest.policy)


def _hashes(policy: Policy) -> tuple[str, ...]:
    return tuple(policy_hash(member) for member in members_of(policy))


def _alike(players: PlayerModels) -> bool:
    """Return True if all players follow one policy, perhaps with different weights of panels."""
    rest = players.rest
    return all(
        model.knowledge == rest.knowledge
        and (
            members_of(model.policy) == members_of(rest.policy)
            or _hashes(model.policy) == _hashes(rest.policy)
        )
        for model in players.seats.values()
    )


def learned_values(
    players: PlayerModels, game: str, file: str | Path | None = None
) -> LearnedValues:
    """Return the learned values of the players' policy, from ``file`` or the package.

    Raises:
        PolicyError: There are no values for this policy and game, the players do not all follow one
            policy, or the file cannot be used.
    """
    if not _alike(players):
        raise PolicyError(not_learned(players, game))
    if file is not None:
        return _load(Path(file), game)
    learned = _of_policy(players, game)
    if learned is not None:
        return learned
    raise PolicyError(f"{not_learned(players, game)}; other policies need rollouts")


def not_learned(players: PlayerModels, game: str) -> str:
    """Return the message that a hand's players have no learned values, with the reason."""
    if not _alike(players):
        return "values are learned for tables at which all players follow one policy"
    of_game = [values for values in _included() if values.game == game]
    names = ", ".join(sorted(values.policy for values in of_game)) or "none"
    return (
        f"no values have been learned for the policy {players.rest.policy.name!r} in "
        f"{variant_of(game).title}: expected one of {names}"
    )


def has_values(players: PlayerModels, game: str) -> bool:
    """Return True if values for the players' policy are included."""
    return _alike(players) and _of_policy(players, game) is not None


def _of_policy(players: PlayerModels, game: str) -> LearnedValues | None:
    hashes = policy_hashes(players)
    return next((v for v in _included() if (v.game, v.hashes) == (game, hashes)), None)


def _load(file: Path, game: str) -> LearnedValues:
    try:
        text = settings_text(file)
    except ValueError as error:
        raise PolicyError(str(error)) from None
    try:
        values = LearnedValues.from_record(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PolicyError(f"{file}: {error}") from None
    if values.game != game:
        raise PolicyError(f"{file}: these are values of {variant_of(values.game).title}")
    return values


@lru_cache(maxsize=1)
def _included() -> tuple[LearnedValues, ...]:
    folder = resources.files("handread.policies") / "values"
    if not folder.is_dir():
        return ()
    files = sorted((file for file in folder.iterdir()), key=lambda file: file.name)
    texts = [file.read_text(encoding="utf-8") for file in files if file.name.endswith(".json")]
    return tuple(LearnedValues.from_record(json.loads(text)) for text in texts)
