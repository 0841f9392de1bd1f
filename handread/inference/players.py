"""Models of the players: each seat's policy, and the player's knowledge of the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from handread.arrays import Floats
from handread.history import History
from handread.policy import (
    Panel,
    Policy,
    PolicyError,
    Single,
    changed,
    in_game,
    load_policy,
    load_policy_file,
    members_of,
    panel_of,
    policy_hash,
)

BET_INFERENCE, CARDS_ONLY = KNOWLEDGE = ("bet-inference", "cards-only")

PEOPLE_POLICY, SIMULATED_POLICY = "people", "default"
"""Default policies for hands in the form of people's hands, and for all others; see ``by_form``."""

MADE = ("simulated", "saund")
"""Formats of simulated or constructed hands; all others are forms of hands that people played."""


@dataclass(frozen=True, slots=True)
class Model:
    """A player's policy and knowledge of the others (Saund 2006, section VI).

    Attributes:
        policy: The policy.
        knowledge: "bet-inference" for a player who reads the others' actions like the public
            observer, "cards-only" for one who looks only at their upcards.
    """

    policy: Policy
    knowledge: str = BET_INFERENCE

    @property
    def name(self) -> str:
        """The policy's name, followed by "cards-only" if that is the player's knowledge."""
        if self.knowledge == BET_INFERENCE:
            return self.policy.name
        return f"{self.policy.name}, {self.knowledge}"

    def in_game(self, game: str) -> Model:
        """Return the model with the policy that stands for its own in a game.

        Args:
            game: Key of the game, such as "razz".
        """
        policy = in_game(self.policy, game)
        return self if policy is self.policy else replace(self, policy=policy)


def as_model(player: Model | Policy) -> Model:
    """Return a model; a policy becomes a player with the knowledge "bet-inference"."""
    return player if isinstance(player, Model) else Model(player)


class Earlier(Protocol):
    """Knowledge of players by name from earlier sessions."""

    @property
    def terms(self) -> str:
        """A text that is equal for the same known hands."""

    def known(self, panel: Panel, name: str, history: History) -> Panel:
        """Return the panel of a player before a hand; ``panel`` itself for a stranger."""


@dataclass(frozen=True, slots=True)
class PlayerModels:
    """Models of the players of a hand or a session.

    A model by seat applies to any player in that seat, a model by name to that player in any seat.

    Attributes:
        rest: Model of all other players.
        seats: Models by seat.
        names: Models by player's name.
        learned: Panels by player's name, with the weights of their members after the hands so far.
        earlier: Knowledge of players before the first hand, if any.
        simulated: Models for hands in the formats ``MADE``, if they differ.
        drawn: For each fitted policy, policies with other parameters compatible with the fit; empty
            for reads without ranges.
    """

    rest: Model
    seats: Mapping[int, Model] = field(default_factory=dict)
    names: Mapping[str, Model] = field(default_factory=dict)
    learned: Mapping[str, Panel] = field(default_factory=dict)
    earlier: Earlier | None = None
    simulated: PlayerModels | None = None
    drawn: Mapping[Single, Sequence[Single]] = field(default_factory=dict, repr=False)

    def of(self, seat: int) -> Model:
        """Return the model of a seat.

        Args:
            seat: Number of the seat.
        """
        return self.seats.get(seat, self.rest)

    @property
    def name(self) -> str:
        """The models in words: the model of most players, then of single seats."""
        others = sorted((n, m.name) for n, m in self.seats.items() if m.name != self.rest.name)
        return "; ".join([self.rest.name, *(f"seat {seat} {name}" for seat, name in others)])

    def for_hand(self, history: History) -> PlayerModels:
        """Return the models of a hand: names resolved to seats, policies to versions for its game.

        Args:
            history: The hand.
        """
        if self.simulated is not None and not by_form(history):
            return self.simulated.for_hand(history)
        seats = self._before_learning(history)
        for seat in history.seats:
            model = seats.get(seat.number, self.rest)
            panel, learned = panel_of(model.policy), self.learned.get(seat.name)
            if panel is None or not seat.name:
                continue
            # The player may earlier have sat in a seat with a different panel.
            if learned is not None and learned.members == panel.members:
                panel = learned
            elif self.earlier is not None:
                panel = self.earlier.known(panel, seat.name, history)
            if panel is not model.policy:
                seats[seat.number] = replace(model, policy=panel)
        resolved = PlayerModels(self.rest, seats).in_game(history.variant)
        if self.drawn:
            met = [resolved.of(seat.number).policy for seat in history.seats]
            members = {member for policy in met for member in members_of(policy)}
            return replace(resolved, drawn={p: self.drawn[p] for p in self.drawn if p in members})
        return resolved

    def in_game(self, game: str) -> PlayerModels:
        """Return the models with the policies that stand for them in a game.

        Args:
            game: Key of the game, such as "razz".
        """
        seats = {seat: model.in_game(game) for seat, model in self.seats.items()}
        return replace(self, rest=self.rest.in_game(game), seats=seats)

    @property
    def learns(self) -> bool:
        """True if the evidence of a hand is carried on to the next."""
        models = [self.rest, *self.names.values(), *self.seats.values()]
        machines = self.simulated is not None and self.simulated.learns
        return machines or any(panel_of(model.policy) for model in models)

    @property
    def draws(self) -> int:
        """The number of draws of each fitted policy."""
        return len(next(iter(self.drawn.values()), ()))

    def draw(self, i: int) -> PlayerModels:
        """Return the models with one draw of each fitted policy; others are as they are.

        Args:
            i: Number of the draw, from 0.
        """
        seats = {seat: self._drawn(model, i) for seat, model in self.seats.items()}
        return PlayerModels(self._drawn(self.rest, i), seats)

    def _drawn(self, model: Model, i: int) -> Model:
        def drawn(policy: Single) -> Single:
            return self.drawn[policy][i] if policy in self.drawn else policy

        return replace(model, policy=changed(model.policy, drawn))

    def after(self, history: History, members: Mapping[int, Floats]) -> PlayerModels:
        """Return the models after a hand, with the weights of the panels updated.

        Args:
            history: The hand.
            members: Probabilities (members,) of the panel's members after the hand, by seat.
                Players without a name start from the prior in every hand.
        """
        if self.simulated is not None and not by_form(history):
            return replace(self, simulated=self.simulated.after(history, members))
        seats = self._before_learning(history)
        learned = dict(self.learned)
        for seat in history.seats:
            panel = panel_of(seats.get(seat.number, self.rest).policy)
            if seat.name and seat.number in members and panel is not None:
                learned[seat.name] = panel.after(members[seat.number], history.variant)
        return replace(self, learned=learned)

    def _before_learning(self, history: History) -> dict[int, Model]:
        named = {s.number: self.names[s.name] for s in history.seats if s.name in self.names}
        return {**named, **self.seats}


ANONYMOUS = "anonymous"
"""The table of hands that people played, in logs without their names and dates."""


def by_form(history: History) -> bool:
    """Return True for PHH, logs of rooms, and people's hands without names, whoever played."""
    return history.table == ANONYMOUS or history.source.dialect not in MADE


def played_by_people(history: History) -> bool:
    """Return True if people played a hand, by the evidence of its log.

    A simulated hand printed as a room's log shows by its date, table name or default player names.
    """
    if history.table == ANONYMOUS:
        return True
    if history.table == "handread" or not by_form(history):
        return False
    numbered = [seat.name.endswith(f"-{seat.number}") for seat in history.seats]
    return "1970" not in history.played_at and not (numbered and all(numbered))


def parse_players(policy: str | None, lapse: float | None, seats: Iterable[str]) -> PlayerModels:
    """Return the models for the options ``--policy``, ``--lapse`` and ``--seat``.

    A policy file may contain policies of players by name. Without ``--policy``, logs of rooms and
    PHH files are read with ``PEOPLE_POLICY`` and other hands with ``SIMULATED_POLICY``.

    Raises:
        PolicyError: An option is invalid; the message is for the user.
    """
    seat_words = list(seats)
    if policy is not None:
        return _players(policy, lapse, seat_words)
    people = _players(PEOPLE_POLICY, lapse, seat_words)
    return replace(people, simulated=_players(SIMULATED_POLICY, lapse, seat_words))


def _players(policy: str, lapse: float | None, seats: Iterable[str]) -> PlayerModels:
    content = load_policy_file(policy).with_lapse(lapse)
    names = {name: Model(own_policy) for name, own_policy in content.players.items()}
    return replace(parse_seats(Model(content.policy), seats), names=names)


def player_models(players: str | Policy | Model | PlayerModels | None) -> PlayerModels:
    """Return models from a policy's name or file, one policy or model, or models.

    None gives the defaults of ``parse_players``.

    Raises:
        PolicyError: The policy does not exist, or its file is invalid.
        TypeError: The argument has another type.
    """
    if players is None or isinstance(players, str):
        return parse_players(players, None, ())
    if isinstance(players, PlayerModels):
        return players
    if not isinstance(players, Model) and not hasattr(players, "probabilities"):
        raise TypeError(f"{type(players).__name__} is no policy: it has no probabilities")
    return PlayerModels(as_model(players))


def players_terms(players: PlayerModels, digits: int | None = 6) -> str:
    """Return names and hashes of the models; equal texts mean that hands are read the same.

    Hashes are cut to ``digits`` for people; None keeps them whole.
    """
    named = [(name, model) for name, model in sorted(players.names.items())]
    named += [(f"seat {seat}", model) for seat, model in sorted(players.seats.items())]
    of_players = [f"{who} {model_terms(model, digits)}" for who, model in named]
    terms = "; ".join([model_terms(players.rest, digits), *of_players])
    if players.drawn:
        last = [policy_hash(drawn[-1])[:digits] for drawn in players.drawn.values()]
        terms += f"; {players.draws} draws, the last {', '.join(last)}"
    if players.earlier is not None:
        terms += f"; {players.earlier.terms}"
    if players.simulated is not None:
        terms += f"; Saund's notation: {players_terms(players.simulated, digits)}"
    return terms


def model_terms(model: Model, digits: int | None = 6) -> str:
    """Return name and hashes of a model for ``players_terms``."""
    hashes = [policy_hash(model.policy)[:digits]]
    for member in members_of(model.policy):
        others = getattr(member, "by_game", ())
        hashes += [f"{game} {policy_hash(version)[:digits]}" for game, version in others]
    return f"{model.name} ({', '.join(hashes)})"


def parse_seats(rest: Model, seats: Iterable[str]) -> PlayerModels:
    """Parse the models of seats as users write them: ``3=loose``, ``2,4,6=default:cards-only``.

    A policy is a preset or a file. It may be omitted (``2=:cards-only``), and so may the knowledge.

    Raises:
        PolicyError: A seat is malformed or given twice, or its policy is invalid.
    """
    models: dict[int, Model] = {}
    for text in seats:
        numbers, equals, player = text.partition("=")
        parts = numbers.split(",")
        if not (equals and player and all(part.strip().isdecimal() for part in parts)):
            expected = "seats=policy:knowledge, such as 3=loose or 2,4=:cards-only"
            raise PolicyError(f"{text!r} is not valid for a seat: expected {expected}")
        model = _parse_model(player, rest)
        for part in parts:
            if int(part) in models:
                raise PolicyError(f"seat {int(part)} is given twice")
            models[int(part)] = model
    return PlayerModels(rest, dict(sorted(models.items())))


def _parse_model(text: str, rest: Model) -> Model:
    policy, colon, knowledge = text.rpartition(":")
    if not colon or (knowledge not in KNOWLEDGE and set(knowledge) & set("/\\.")):  # a path
        policy, knowledge = text, rest.knowledge
    if knowledge not in KNOWLEDGE:
        raise PolicyError(f"unknown knowledge {knowledge!r}: expected {' or '.join(KNOWLEDGE)}")
    return Model(load_policy(policy) if policy else rest.policy, knowledge)
