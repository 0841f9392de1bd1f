"""Who sits where as what kind of player: a policy and a kind of knowledge for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from handread.history import History
from handread.policy import Panel, Policy, PolicyError, load_policy

Floats = npt.NDArray[np.float64]

BET_INFERENCE, CARDS_ONLY = KNOWLEDGE = ("bet-inference", "cards-only")


@dataclass(frozen=True, slots=True)
class Model:
    """How a player acts: its policy, and what it knows of the others (Saund 2006, section VI).

    ``knowledge`` is "bet-inference" for a player who reads the others' actions as the public
    observer does, or "cards-only" for one who looks at their upcards alone.
    """

    policy: Policy
    knowledge: str = BET_INFERENCE

    @property
    def name(self) -> str:
        """The policy's name, and the knowledge where it is the lesser."""
        return (
            self.policy.name
            if self.knowledge == BET_INFERENCE
            else f"{self.policy.name}, {self.knowledge}"
        )


@dataclass(frozen=True, slots=True)
class Lineup:
    """The model of every seat: that of the ``rest`` where a seat has none of its own."""

    rest: Model
    seats: Mapping[int, Model] = field(default_factory=dict)

    def of(self, seat: int) -> Model:
        """The model of a seat."""
        return self.seats.get(seat, self.rest)

    @property
    def name(self) -> str:
        """The lineup in words."""
        own = [f"seat {seat} {model.name}" for seat, model in sorted(self.seats.items())]
        return "; ".join([self.rest.name, *own])


@dataclass(frozen=True, slots=True)
class Roster:
    """Who may turn up in a session: models by seat, by player's name, and that of the ``rest``.

    A seat that was given a model keeps it whoever sits there; a name has its own wherever it sits.
    """

    rest: Model
    names: Mapping[str, Model] = field(default_factory=dict)
    seats: Mapping[int, Model] = field(default_factory=dict)

    def lineup(self, history: History) -> Lineup:
        """Who sits where in a hand."""
        named = {s.number: self.names[s.name] for s in history.seats if s.name in self.names}
        return Lineup(self.rest, {**named, **self.seats})

    def after(self, history: History, members: Mapping[int, Floats]) -> Roster:
        """The roster after a hand, which told of players of panels which members they may be.

        ``members`` (members,) are their probabilities by seat. Players without a name are
        strangers again in the next hand.
        """
        seated = self.lineup(history)
        names = dict(self.names)
        for seat in history.seats:
            policy = seated.of(seat.number).policy
            if seat.name and seat.number in members and isinstance(policy, Panel):
                told = policy.with_prior(tuple(members[seat.number].tolist()))
                names[seat.name] = replace(seated.of(seat.number), policy=told)
        return replace(self, names=names)


def lineup(rest: Policy | Model | Lineup) -> Lineup:
    """A lineup of one policy or one model for all; a lineup as it is."""
    if isinstance(rest, Lineup):
        return rest
    return Lineup(rest if isinstance(rest, Model) else Model(rest))


def parse_lineup(rest: Model, seats: Iterable[str]) -> Lineup:
    """A lineup with seats as people write them: ``3=loose``, ``2,4,6=default:cards-only``.

    A policy is a preset's name or a file, the knowledge after a colon may be left out, and so may
    the policy before it (``2=:cards-only``). Raises ``PolicyError`` in a person's words.
    """
    found: dict[int, Model] = {}
    for text in seats:
        numbers, equals, player = text.partition("=")
        parts = numbers.split(",")
        if not equals or not all(part.strip().isdecimal() for part in parts):
            expected = "seats=policy:knowledge, such as 3=loose or 2,4=:cards-only"
            raise PolicyError(f"{text!r} is no player: expected {expected}")
        model = _parse_model(player, rest)
        for part in parts:
            if int(part) in found:
                raise PolicyError(f"seat {int(part)} has two players")
            found[int(part)] = model
    return Lineup(rest, dict(sorted(found.items())))


def _parse_model(text: str, rest: Model) -> Model:
    policy, colon, knowledge = text.rpartition(":")
    if not colon or (knowledge not in KNOWLEDGE and set(knowledge) & set("/\\.")):  # a path
        policy, knowledge = text, rest.knowledge
    if knowledge not in KNOWLEDGE:
        raise PolicyError(f"no knowledge {knowledge!r}: expected {' or '.join(KNOWLEDGE)}")
    return Model(load_policy(policy) if policy else rest.policy, knowledge)
