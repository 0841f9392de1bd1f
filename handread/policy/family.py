"""The common parts of the families of policies: parameters, form in files, words and arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from handread.arrays import Floats, Ints
from handread.game.rules import DEFAULT, MAX_PLAYERS, of_game
from handread.game.steps import DecisionPoint
from handread.kernels.actions import BET, CALL, FOLD, N_ACTIONS, RAISE
from handread.kernels.loading import Fixed, Workspace
from handread.kernels.reading import HASH, fill_odds
from handread.kernels.rollout_state import Policies, Spot
from handread.policy.base import Exponents, HoldingValues, Policy, PolicyError, legal_actions
from handread.policy.features import STUD_HIGH, Codes, conditions_of, spot_features
from handread.policy.fields import Fields, toml_items
from handread.policy.provenance import Measured, spot_kind
from handread.policy.uncertainty import Uncertainty

ON_7TH = "on 7th street, nobody having bet before or one player once; others alike"
"""Situations in the table of a policy that depends on the street and on earlier bets."""


class PolicyPart(NamedTuple):
    """A part of a policy for people: a paragraph, and below it a table or verbatim lines."""

    words: str = ""
    table: list[list[str]] | None = None  # rows of cells, the heads first
    left: tuple[int, ...] = (0,)  # the columns that are left-aligned
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Single:
    """A policy of a family; the end of this class has the differences between families.

    With the probability ``lapse`` the player takes a random legal action. ``title``, a longer name,
    and ``source`` may be empty. ``by_game`` has the policies for other games, by the key of the
    game. ``spots`` counts the decisions of its fit, as in ``Provenance``.
    """

    name: str
    lapse: float = field(default=0.0, kw_only=True)
    likelihood_exponent: Exponents = field(default=1.0, kw_only=True)
    title: str = field(default="", kw_only=True)
    source: str = field(default="", kw_only=True)
    uncertainty: Uncertainty | None = field(default=None, compare=False, repr=False, kw_only=True)
    measured: Measured | None = field(default=None, compare=False, kw_only=True)
    spots: tuple[tuple[str, int], ...] = field(default=(), compare=False, repr=False, kw_only=True)
    by_game: tuple[tuple[str, Self], ...] = field(default=(), kw_only=True)

    restored: ClassVar[tuple[Callable[..., Single], tuple[Any, ...]] | None] = None
    """The function that finds a preset's policy, and its arguments; None for other policies."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        # With its versions for all games, a fitted policy takes 190 KB: too much for each hand.
        return self.restored or super().__reduce_ex__(protocol)

    def with_lapse(self, lapse: float) -> Self:
        """Return the policy with another lapse; raise ``PolicyError`` outside 0..1.

        >>> handread.load_policy("loose").with_lapse(0.3).name
        'loose, lapse 0.3'
        """
        if not 0.0 <= lapse <= 1.0:
            raise PolicyError(f"a lapse is a probability from 0 to 1, not {lapse}")
        return replace(
            self,
            name=f"{self.name}, lapse {lapse:g}",
            lapse=lapse,
            uncertainty=self.uncertainty and self.uncertainty.without("lapse"),
            by_game=tuple((game, policy.with_lapse(lapse)) for game, policy in self.by_game),
        )

    def seen(self, game: str, spot: DecisionPoint) -> int | None:
        """Return the number of decisions of this kind in its fit; None if unknown."""
        return dict(self.spots).get(spot_kind(game, spot), 0) if self.spots else None

    def in_game(self, game: str) -> Self:
        """Return the version of the policy for a game."""
        return of_game(dict(self.by_game), game, self)

    @classmethod
    def read(cls, fields: Fields, name: str, everybody: Single | None = None) -> Self:
        """Read a policy from a table of a file; a player's table overrides that for everybody.

        Raises:
            PolicyError: A field is missing or has another form.
        """
        common: dict[str, Any] = {
            "title": fields.text("title", ""),
            "source": fields.text("source", ""),
        }
        if "uncertainty" in fields:
            table = fields.table("uncertainty", "errors and factor")
            others = None if everybody is None else everybody.uncertainty
            common["uncertainty"] = Uncertainty.read(table, cls.parameters, others)
        common["likelihood_exponent"] = fields.exponents("likelihood_exponent")
        fields_read = cls.read_own(fields)
        policy = cls(name, **{"lapse": fields.probability("lapse", 0.0), **common, **fields_read})
        return policy if everybody is None else policy.after(everybody)

    def lines(self, within: str = "") -> Iterator[str]:
        """Yield the lines of a file: the fields, then the tables, in the table ``within``."""
        values: dict[str, Any] = {"title": self.title, "source": self.source}
        values = {key: text for key, text in values.items() if text}
        values |= {"lapse": self.lapse, "likelihood_exponent": self.likelihood_exponent}
        yield from toml_items(values)
        yield from self.own_lines(within)
        if self.uncertainty is not None:
            known = self.uncertainty if within else self.uncertainty.alone()
            yield from ("", f"[{within}uncertainty]", *toml_items(dict(known.record())))

    def details(self) -> dict[str, Any]:
        """Return the fields of JSON that only some policies have."""
        known = self.uncertainty
        errors = known and dict(zip(known.parameters, known.errors.tolist(), strict=True))
        exponents = self.likelihood_exponent
        return {"lapse": self.lapse, "likelihood_exponent": exponents, "errors": errors}

    def packed(self) -> dict[str, Any] | None:
        """Return values by field of ``kernels.rollout_state.Policies``; None without parameters."""
        arrays = self.own_arrays()
        return arrays and {"lapses": self.lapse, "exponents": self.likelihood_exponent, **arrays}

    # The differences between families

    family: ClassVar[str]
    """Name of the family."""

    fields: ClassVar[tuple[str, ...]]
    """Its fields in a file, besides the common fields."""

    parameters: ClassVar[tuple[str, ...]] = ()
    """Names of the parameters with an uncertainty after a fit."""

    shown: ClassVar[str] = ""
    """The situations in a table, if not all."""

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action by holding."""
        legal = legal_actions(spot)
        odds = odds_of_members((self,), legal, spot, outlook)
        assert odds is not None, "a family without parameters has a method of its own"
        return dict(zip(legal, odds[:, 0], strict=True))

    @property
    def blind(self) -> bool:
        """True if its actions do not depend on the downcards: they carry no information."""
        raise NotImplementedError

    @classmethod
    def read_own(cls, fields: Fields) -> dict[str, Any]:
        """Read the parameters from a table of a file, as ``read``."""
        raise NotImplementedError

    def own_lines(self, within: str) -> Iterator[str]:
        """Yield the lines of the parameters, as ``lines``."""
        raise NotImplementedError

    def after(self, everybody: Single) -> Self:  # noqa: ARG002 - trees need it
        """Complete a player's policy from a file, which holds only ``beyond``."""
        return self

    def beyond(self, everybody: Single) -> Self:  # noqa: ARG002 - trees need it
        """Return the part of a player's policy that a file holds beside the policy of everybody."""
        return self

    def parts(self) -> Iterator[PolicyPart]:
        """Yield the parameters for people."""
        yield from ()

    def vector(self) -> Floats:
        """Return the parameters as real numbers (K,), named ``parameters``.

        Raises:
            TypeError: The policy has no such form.
        """
        raise TypeError(f"{self.name} has no parameters")

    def moved(self, changes: Mapping[str, float]) -> Self:
        """Return the policy with steps added to parameters of ``vector``, by name."""
        raise NotImplementedError

    def own_arrays(self) -> dict[str, Any] | None:
        """Return the parameters by field of ``kernels.rollout_state.Policies``; None without."""
        return None


ACTIONS = {"check": CALL, "call": CALL, "bet": BET, "fold": FOLD, "raise": RAISE}
"""The actions by their numbers in kernels."""


def odds_of_members(
    members: Sequence[Policy], actions: Sequence[str], spot: DecisionPoint, outlook: HoldingValues
) -> Floats | None:
    """Return P(action | holding) of some legal actions, (actions, members, holdings).

    It is 0 for holdings that are not live. Return None if a member is unknown to the kernels.
    """
    policies = packed([tuple(members)])
    if policies is None:
        return None
    board, room = outlook.board, room_for_members(len(members))
    percentile, codes = _zeros(outlook.chance.size)
    if policies.value.logits.any():
        percentile = outlook.percentile
        codes = outlook.codes if policies.value.with_kinds and board is not None else codes
        room.value.common[:] = spot_features(spot, outlook.public, board)
        game = DEFAULT if board is None else board.game
        room.value.conditions[:] = 1.0, *conditions_of(spot, game)
    legal, places = legal_actions(spot), outlook.places
    out = np.zeros((len(actions), len(members), outlook.chance.size))
    fill_odds(
        policies,
        np.array([ACTIONS[action] for action in actions]),
        ("bet" in legal, "fold" in legal, "raise" in legal),
        spot.n_active,
        spot.effective_odds if spot.to_call else 1.0,
        (places, outlook.chance, percentile, codes, *_for_holdings(places.size)),
        room,
        out,
    )
    return out


@lru_cache(maxsize=8)
def _zeros(n: int) -> tuple[Floats, Codes]:
    return np.zeros(n), np.zeros(n, np.uint32)


class _Seats:
    """Members of policies, compared by identity: comparing all parameters would take long."""

    def __init__(self, seats: Sequence[tuple[Policy, ...]]) -> None:
        self.seats = seats
        self._places = tuple(tuple(map(id, members)) for members in seats)

    def __hash__(self) -> int:
        return hash(self._places)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Seats) and self._places == other._places


@lru_cache(maxsize=256)
def _packed(key: _Seats) -> Fixed | None:
    policies = pack(key.seats)
    return None if policies is None else Fixed(policies)


def packed(seats: Sequence[tuple[Policy, ...]]) -> Fixed | None:
    """Return ``pack`` of the members of some policies, kept for the next call."""
    return _packed(_Seats(seats))


def pack(seats: Sequence[Sequence[Policy]]) -> Policies | None:
    """Return the members of some seats' policies as arrays; None if one has no parameters.

    The knowledge of the models stays at 0, and actions count as full evidence.
    """
    shape = len(seats), max(map(len, seats))
    n_common, n_holding = STUD_HIGH.columns[0].size, STUD_HIGH.columns[1].shape
    arrays = {
        "exponents": np.ones((*shape, 5)),
        "lapses": np.zeros(shape),
        "ramps": np.zeros((*shape, 3, 4)),
        "bluffs": np.zeros(shape),
        "logits": np.zeros(shape, dtype=np.int64),
        "common": np.zeros((*shape, 3, n_common)),
        "own": np.zeros((*shape, 3, *n_holding)),
    }
    for i, members in enumerate(seats):
        for j, member in enumerate(members):
            packed = member.packed() if isinstance(member, Single) else None
            if packed is None:
                return None
            for name, values in packed.items():
                arrays[name][i, j] = values
    return Policies(
        **arrays,
        learning=np.ones(len(seats)),
        idle=np.zeros((len(seats), 5, MAX_PLAYERS + 1)),
        repeats=np.ones((len(seats), 1)),
        cards_only=np.zeros(len(seats), dtype=np.int64),
        shifts=STUD_HIGH.shifts,
        masks=STUD_HIGH.masks,
        values=STUD_HIGH.values,
        with_kinds=bool(arrays["own"][..., 2:].any()),
        some_cards_only=False,
    )


_ROOM = Workspace()


def _for_holdings(n: int) -> tuple[Ints, Ints]:
    return np.empty(n, np.int64), np.empty(1 << HASH, np.int64)


def room_for_members(n: int) -> Fixed:
    """Return a ``Spot`` for so many members."""
    n_common, (n_conditions, n_own) = (shape.shape for shape in STUD_HIGH.columns)
    shapes = n_common, n_conditions, (n, 3), (n, 3, n_own), N_ACTIONS, N_ACTIONS
    kinds = np.zeros(n_own, np.int64), np.zeros(n_own)
    return _ROOM.of(n, lambda: Spot(*(*map(np.zeros, shapes), *kinds)))
