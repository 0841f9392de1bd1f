"""Who sits where as what kind of player: a policy and a kind of knowledge for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from handread.history import History
from handread.policy import Panel, Policy, PolicyError, load_policy, load_policy_file, policy_hash

Floats = npt.NDArray[np.float64]

BET_INFERENCE, CARDS_ONLY = KNOWLEDGE = ("bet-inference", "cards-only")

OF_PEOPLE, OF_MACHINES = "people", "default"
"""The policies that hands are read with when none is named; see ``by_people``."""

MADE = ("simulated", "saund", "parquet")
"""The dialects of hands that are made up, and kept for programs."""

FORGOTTEN = 0.02
"""How much of the prior of a panel comes back from hand to hand."""


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
        others = [
            (n, model) for n, model in sorted(self.seats.items()) if model.name != self.rest.name
        ]
        own = [f"seat {seat} {model.name}" for seat, model in others]
        return "; ".join([self.rest.name, *own])


@dataclass(frozen=True, slots=True)
class Roster:
    """Who may turn up in a session: models by seat, by player's name, and that of the ``rest``.

    A seat that was given a model keeps it whoever sits there; a name has its own wherever it
    sits. ``told`` are the panels of players by name, as the hands so far have weighed them.
    ``machines`` is the roster for hands that no people played, where that is another.
    """

    rest: Model
    names: Mapping[str, Model] = field(default_factory=dict)
    seats: Mapping[int, Model] = field(default_factory=dict)
    told: Mapping[str, Panel] = field(default_factory=dict)
    machines: Roster | None = None

    def lineup(self, history: History) -> Lineup:
        """Who sits where in a hand."""
        if self.machines is not None and not by_people(history):
            return self.machines.lineup(history)
        seated = self._strangers(history)
        seats = dict(seated.seats)
        for seat in history.seats:
            model, told = seated.of(seat.number), self.told.get(seat.name)
            # A player may have been seen in a seat with another panel, whose members differ.
            if told and isinstance(model.policy, Panel) and model.policy.members == told.members:
                seats[seat.number] = replace(model, policy=told)
        return Lineup(self.rest, seats)

    def after(self, history: History, members: Mapping[int, Floats]) -> Roster:
        """The roster after a hand, which told of players of panels which members they may be.

        ``members`` (members,) are their probabilities by seat. Players without a name are
        strangers again in the next hand. The part ``FORGOTTEN`` goes back to the prior: people
        change their ways, and no member is ruled out for good.
        """
        if self.machines is not None and not by_people(history):
            return replace(self, machines=self.machines.after(history, members))
        seated = self._strangers(history)
        told = dict(self.told)
        for seat in history.seats:
            panel = seated.of(seat.number).policy
            if seat.name and seat.number in members and isinstance(panel, Panel):
                shares = members[seat.number] / members[seat.number].sum()
                shares = (1.0 - FORGOTTEN) * shares + FORGOTTEN * np.array(panel.prior)
                told[seat.name] = panel.with_prior(tuple(shares.tolist()))
        return replace(self, told=told)

    def _strangers(self, history: History) -> Lineup:
        """Who sits where, had nobody been seen before."""
        named = {s.number: self.names[s.name] for s in history.seats if s.name in self.names}
        return Lineup(self.rest, {**named, **self.seats})


def by_people(history: History) -> bool:
    """Whether people played a hand, as far as its record tells.

    Rooms' logs and PHH are kept of people's hands, Saund's notation and Parquet of made ones. Of a
    log that was printed from a simulated hand the date tells, which is made up, or the table
    or the players' names that the simulator gives where it is told none.
    """
    if history.source.dialect in MADE or history.table == "handread":
        return False
    numbered = [seat.name.endswith(f"-{seat.number}") for seat in history.seats]
    return "1970" not in history.played_at and not (numbered and all(numbered))


def parse_roster(policy: str | None, lapse: float | None, seats: Iterable[str]) -> Roster:
    """The roster that ``--policy``, ``--lapse`` and ``--seat`` ask for.

    A policy file may hold policies of players by name. Without a policy hands of people are read
    with ``OF_PEOPLE`` and others with ``OF_MACHINES``. Raises ``PolicyError`` in a
    person's words.
    """
    own = list(seats)
    if policy is not None:
        return _roster(policy, lapse, own)
    people = _roster(OF_PEOPLE, lapse, own)
    if OF_PEOPLE == OF_MACHINES:
        return people
    return replace(people, machines=_roster(OF_MACHINES, lapse, own))


def _roster(policy: str, lapse: float | None, seats: Iterable[str]) -> Roster:
    content = load_policy_file(policy).with_lapse(lapse)
    rest = Model(content.policy)
    names = {name: Model(own) for name, own in content.players.items()}
    return Roster(rest, names, parse_lineup(rest, seats).seats)


def roster(players: str | Policy | Model | Lineup | Roster | None) -> Roster:
    """A roster of a preset or file, of one policy or model for all, or of a lineup.

    ``None`` as in ``parse_roster``; ``PolicyError`` for a name or a file that is none.
    """
    if isinstance(players, Roster):
        return players
    if players is None or isinstance(players, str):
        return parse_roster(players, None, ())
    seated = lineup(players)
    return Roster(seated.rest, {}, seated.seats)


def roster_terms(players: Roster) -> str:
    """What tells a roster from those that read a hand in another way, in words and hashes."""
    terms = _model_terms(players.rest)
    names = [f"{name} {_model_terms(model)}" for name, model in sorted(players.names.items())]
    seats = [f"seat {seat} {_model_terms(model)}" for seat, model in sorted(players.seats.items())]
    terms = "; ".join([terms, *names, *seats])
    if players.machines is not None:
        terms += f"; where no people play: {roster_terms(players.machines)}"
    return terms


def _model_terms(model: Model) -> str:
    return f"{model.name} ({policy_hash(model.policy)[:6]})"


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
