"""What the families of policies have in common: parameters, form in files, words and arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

from handread.arrays import Floats
from handread.game.steps import DecisionPoint
from handread.policy.base import Exponents, HoldingValues, PolicyError
from handread.policy.fields import Fields, toml_items
from handread.policy.provenance import Measured, spot_kind
from handread.policy.uncertainty import Uncertainty

ON_7TH = "on 7th street, nobody having bet before or one player once; others alike"
"""What a table shows of policies that depend on the street and on the bets before."""


class Part(NamedTuple):
    """A part of a policy for people: a paragraph, and below it a table or lines as they are."""

    words: str = ""
    table: list[list[str]] | None = None  # rows of cells, the heads first
    left: tuple[int, ...] = (0,)  # the columns that are left-aligned
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Single:
    """A policy of a family. What differs between families is at the end of this class.

    With the probability ``lapse`` the player takes a random legal action. ``title``, a longer name,
    and ``source`` may be empty. ``by_game`` has the policies that stand for this one in other
    games, by the key of the game. ``spots`` counts the decisions that it was fitted to, as in
    ``Provenance``.
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
    """For a policy of a preset the function that finds it, and the arguments."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        # With those of all games, a fitted policy takes 190 KB: too much to travel with each hand.
        return self.restored or super().__reduce_ex__(protocol)

    def with_lapse(self, lapse: float) -> Self:
        """Return the policy with another lapse; raise ``PolicyError`` outside 0..1."""
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
        """Return how many decisions of this kind it was fitted to; None if that is not known."""
        return dict(self.spots).get(spot_kind(game, spot), 0) if self.spots else None

    def in_game(self, game: str) -> Self:
        """Return the policy that stands for this one in a game."""
        return dict(self.by_game).get(game, self)

    @classmethod
    def read(cls, fields: Fields, name: str, everybody: Single | None = None) -> Self:
        """Return the policy of a table of a file; that of a player beside that of everybody.

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
        own = cls.read_own(fields)
        found = cls(name, **{"lapse": fields.probability("lapse", 0.0), **common, **own})
        return found if everybody is None else found.after(everybody)

    def lines(self, within: str = "") -> Iterator[str]:
        """Yield the lines of a file: its fields, then its tables, in the table ``within``."""
        values: dict[str, Any] = {"title": self.title, "source": self.source}
        values = {key: text for key, text in values.items() if text}
        values |= {"lapse": self.lapse, "likelihood_exponent": self.likelihood_exponent}
        yield from toml_items(values)
        yield from self.own_lines(within)
        if self.uncertainty is not None:
            known = self.uncertainty if within else self.uncertainty.alone()
            yield from ("", f"[{within}uncertainty]", *toml_items(dict(known.record())))

    def details(self) -> dict[str, Any]:
        """Return what JSON has of the policy and not of others."""
        known = self.uncertainty
        errors = known and dict(zip(known.parameters, known.errors.tolist(), strict=True))
        exponents = self.likelihood_exponent
        return {"lapse": self.lapse, "likelihood_exponent": exponents, "errors": errors}

    def packed(self) -> dict[str, Any] | None:
        """Return values by field of ``kernels.rollout_state.Policies``; None if it has none."""
        own = self.own_arrays()
        return own and {"lapses": self.lapse, "exponents": self.likelihood_exponent, **own}

    # What a family has of its own

    family: ClassVar[str]
    """Name of the family."""

    fields: ClassVar[tuple[str, ...]]
    """Its fields in a file, besides those of all policies."""

    parameters: ClassVar[tuple[str, ...]] = ()
    """Names of the parameters of which a fit knows the uncertainty."""

    shown: ClassVar[str] = ""
    """The situations that a table shows, if it is not of all."""

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action by holding."""
        raise NotImplementedError

    @property
    def blind(self) -> bool:
        """True if its actions do not depend on the downcards: they carry no information."""
        raise NotImplementedError

    @classmethod
    def read_own(cls, fields: Fields) -> dict[str, Any]:
        """Return the parameters of a table of a file, as ``read``."""
        raise NotImplementedError

    def own_lines(self, within: str) -> Iterator[str]:
        """Yield the lines of the parameters, as ``lines``."""
        raise NotImplementedError

    def after(self, everybody: Single) -> Self:  # noqa: ARG002 - trees need it
        """Return the policy of a player, of which a file has only what ``beyond`` returns."""
        return self

    def beyond(self, everybody: Single) -> Self:  # noqa: ARG002 - trees need it
        """Return what a file has of the policy of a player, beside that of everybody."""
        return self

    def parts(self) -> Iterator[Part]:
        """Yield the parameters for people."""
        yield from ()

    def vector(self) -> Floats:
        """Return the parameters as any real numbers (K,), named ``parameters``.

        Raises:
            TypeError: Such numbers cannot stand for the policy.
        """
        raise TypeError(f"{self.name} has no parameters")

    def moved(self, changes: Mapping[str, float]) -> Self:
        """Return the policy with steps added to parameters of ``vector``, by name."""
        raise NotImplementedError

    def own_arrays(self) -> dict[str, Any] | None:
        """Return the parameters by field of ``kernels.rollout_state.Policies``; None without."""
        return None
