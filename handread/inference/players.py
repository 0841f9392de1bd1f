"""Models of the players: a policy and a kind of knowledge for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from handread.history import History
from handread.policy import Panel, Policy, PolicyError, load_policy, load_policy_file, policy_hash

Floats = npt.NDArray[np.float64]

BET_INFERENCE, CARDS_ONLY = KNOWLEDGE = ("bet-inference", "cards-only")

PEOPLE_POLICY, SIMULATED_POLICY = "people", "default"
"""Default policies for hands that people played and for others; see ``played_by_people``."""

MADE = ("simulated", "saund", "parquet")
"""Formats of simulated or constructed hands."""

FORGOTTEN = 0.02
"""Weight of the prior of a panel that returns from one hand to the next."""


@dataclass(frozen=True, slots=True)
class Model:
    """A player: its policy, and what it knows of the others (Saund 2006, section VI).

    ``knowledge`` is "bet-inference" for a player who reads the others' actions as the public
    observer does, or "cards-only" for one who looks at their upcards alone.
    """

    policy: Policy
    knowledge: str = BET_INFERENCE

    @property
    def name(self) -> str:
        """The policy's name, followed by "cards-only" for such a player."""
        if self.knowledge == BET_INFERENCE:
            return self.policy.name
        return f"{self.policy.name}, {self.knowledge}"


def as_model(player: Model | Policy) -> Model:
    """Return a model; a policy becomes a player who knows what the public knows."""
    return player if isinstance(player, Model) else Model(player)


@dataclass(frozen=True, slots=True)
class PlayerModels:
    """Models of the players of a hand or a session.

    A model by seat holds whoever sits there; one by name wherever the player sits.

    Attributes:
        rest: Model of all players without one of their own.
        seats: Models by seat.
        names: Models by player's name.
        learned: Panels by player's name, with the weights of their members after the hands so far.
        simulated: Models for hands that no people played, where they differ.
    """

    rest: Model
    seats: Mapping[int, Model] = field(default_factory=dict)
    names: Mapping[str, Model] = field(default_factory=dict)
    learned: Mapping[str, Panel] = field(default_factory=dict)
    simulated: PlayerModels | None = None

    def of(self, seat: int) -> Model:
        """Return the model of a seat."""
        return self.seats.get(seat, self.rest)

    @property
    def name(self) -> str:
        """The models in words, the seats' after that of the rest."""
        others = sorted((n, m.name) for n, m in self.seats.items() if m.name != self.rest.name)
        return "; ".join([self.rest.name, *(f"seat {seat} {name}" for seat, name in others)])

    def for_hand(self, history: History) -> PlayerModels:
        """Return the models of a hand: names resolved to seats."""
        if self.simulated is not None and not played_by_people(history):
            return self.simulated.for_hand(history)
        seats = self._before_learning(history)
        for seat in history.seats:
            model, panel = seats.get(seat.number, self.rest), self.learned.get(seat.name)
            # A player may have been seen in a seat with another panel, whose members differ.
            if panel and isinstance(model.policy, Panel) and model.policy.members == panel.members:
                seats[seat.number] = replace(model, policy=panel)
        return PlayerModels(self.rest, seats)

    def after(self, history: History, members: Mapping[int, Floats]) -> PlayerModels:
        """Return the models after a hand, with what it showed of the players of panels.

        Players without a name are strangers again in the next hand. The part ``FORGOTTEN`` of the
        weights returns to the prior: people change their play, and no member is ruled out for
        good.

        Args:
            history: The hand.
            members: By seat, the probabilities (members,) of the panel's members after it.
        """
        if self.simulated is not None and not played_by_people(history):
            return replace(self, simulated=self.simulated.after(history, members))
        seats = self._before_learning(history)
        learned = dict(self.learned)
        for seat in history.seats:
            panel = seats.get(seat.number, self.rest).policy
            if seat.name and seat.number in members and isinstance(panel, Panel):
                shares = members[seat.number] / members[seat.number].sum()
                shares = (1.0 - FORGOTTEN) * shares + FORGOTTEN * np.array(panel.prior)
                learned[seat.name] = panel.with_prior(tuple(shares.tolist()))
        return replace(self, learned=learned)

    def _before_learning(self, history: History) -> dict[int, Model]:
        """Return the models by seat of players never seen before."""
        named = {s.number: self.names[s.name] for s in history.seats if s.name in self.names}
        return {**named, **self.seats}


def played_by_people(history: History) -> bool:
    """Return True if people played a hand, as far as the record shows.

    Logs of poker rooms and PHH hold hands of people, Saund's notation and Parquet constructed ones.
    A log that was printed from a simulated hand is recognised by its date, its table, or the
    default names of its players.
    """
    if history.source.dialect in MADE or history.table == "handread":
        return False
    numbered = [seat.name.endswith(f"-{seat.number}") for seat in history.seats]
    return "1970" not in history.played_at and not (numbered and all(numbered))


def parse_players(policy: str | None, lapse: float | None, seats: Iterable[str]) -> PlayerModels:
    """Return the models that the options ``--policy``, ``--lapse`` and ``--seat`` ask for.

    A policy file may hold policies of players by name. Without a policy hands of people are read
    with ``PEOPLE_POLICY`` and others with ``SIMULATED_POLICY``.

    Raises:
        PolicyError: An option cannot be used; the message is for the user.
    """
    own = list(seats)
    if policy is not None:
        return _players(policy, lapse, own)
    people = _players(PEOPLE_POLICY, lapse, own)
    if PEOPLE_POLICY == SIMULATED_POLICY:
        return people
    return replace(people, simulated=_players(SIMULATED_POLICY, lapse, own))


def _players(policy: str, lapse: float | None, seats: Iterable[str]) -> PlayerModels:
    content = load_policy_file(policy).with_lapse(lapse)
    names = {name: Model(own) for name, own in content.players.items()}
    return replace(parse_seats(Model(content.policy), seats), names=names)


def player_models(players: str | Policy | Model | PlayerModels | None) -> PlayerModels:
    """Return models from the name or file of a policy, one policy or model for all, or models.

    Without any, as ``parse_players`` without a policy.

    Raises:
        PolicyError: No such policy, or a file that cannot be used.
    """
    if players is None or isinstance(players, str):
        return parse_players(players, None, ())
    return players if isinstance(players, PlayerModels) else PlayerModels(as_model(players))


def players_terms(players: PlayerModels) -> str:
    """Return a text that is equal for models that read hands alike: names and hashes."""
    named = [(name, model) for name, model in sorted(players.names.items())]
    named += [(f"seat {seat}", model) for seat, model in sorted(players.seats.items())]
    own = [f"{who} {_model_terms(model)}" for who, model in named]
    terms = "; ".join([_model_terms(players.rest), *own])
    if players.simulated is not None:
        terms += f"; where no people play: {players_terms(players.simulated)}"
    return terms


def _model_terms(model: Model) -> str:
    return f"{model.name} ({policy_hash(model.policy)[:6]})"


def parse_seats(rest: Model, seats: Iterable[str]) -> PlayerModels:
    """Return models with seats as users write them: ``3=loose``, ``2,4,6=default:cards-only``.

    A policy is the name of a preset or a file. The knowledge after the colon may be left out, and
    so may the policy before it (``2=:cards-only``).

    Raises:
        PolicyError: A seat cannot be read or is given twice, or its policy cannot be used.
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
    return PlayerModels(rest, dict(sorted(found.items())))


def _parse_model(text: str, rest: Model) -> Model:
    policy, colon, knowledge = text.rpartition(":")
    if not colon or (knowledge not in KNOWLEDGE and set(knowledge) & set("/\\.")):  # a path
        policy, knowledge = text, rest.knowledge
    if knowledge not in KNOWLEDGE:
        raise PolicyError(f"no knowledge {knowledge!r}: expected {' or '.join(KNOWLEDGE)}")
    return Model(load_policy(policy) if policy else rest.policy, knowledge)
