"""Readers: the ways to infer players' holdings from the public record of a hand.

A ``Reader`` is a frozen value. For each hand it makes an ``Observer``, which is given every deal
and every action and holds the belief. The observer of Saund 2006 is one reader (``PolicyReader``);
readers of other papers are in ``handread.papers``. ``handread.named_readers`` finds them by name. A
``Player`` decides from a reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from handread.cards import Card
from handread.game.replay import nothing_dealt
from handread.game.rules import GAMES, NOT_BY_READER, variant_of
from handread.game.steps import DealtStreet, Decision, DecisionPoint, Replay
from handread.history import Deal, History, Problem
from handread.inference.observer import (
    SPLIT,
    Belief,
    ObservedStreet,
    TieRule,
    Update,
    deal,
    expect,
    observe,
)
from handread.inference.players import Model, PlayerModels, players_terms
from handread.inference.street_reading import StreetReading
from handread.parallel import RunError
from handread.policy import Policy


class ReaderError(RunError):
    """Raised for a reader that cannot be used; the message says why."""


class Observer(Protocol):
    """The state of a reader during one hand."""

    @property
    def belief(self) -> Belief:
        """The belief after the last event."""

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Take in the deal of a street.

        Args:
            street: The street after its deal.

        Returns:
            The information of its cards by seat, in bits.
        """

    def observe(self, decision: Decision) -> Update:
        """Take in an action.

        A reader with weights in place of P(action | holding) puts them into ``Update.likelihood``,
        and its probability of the action, the same for all holdings, into ``Update.action_probs``.

        Args:
            decision: The action, with its situation.

        Returns:
            Its effect on the belief about its actor.
        """


@runtime_checkable
class Follower(Protocol):
    """An observer that follows a game faster, if its reader learns from replays alone."""

    def follow(self, decision: Decision) -> None:
        """Take in an action as ``Observer.observe`` does, and return nothing."""


class Reader(Protocol):
    """A way to read hands: a frozen value that starts an observer for each hand."""

    @property
    def name(self) -> str:
        """The name, for reports."""

    @property
    def terms(self) -> str:
        """A text that is equal for readers that read hands the same: names, hashes, settings."""

    @property
    def games(self) -> Sequence[str]:
        """The games (``Variant.key``) that it reads."""

    @property
    def learns(self) -> bool:
        """True if ``after`` can return another reader."""

    def observer(self, history: History, ties: TieRule) -> Observer:
        """Return an observer of a hand before its first card.

        Args:
            history: The hand; an observer uses its seats and game, never its events.
            ties: How tied hands share the pot.
        """

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> Reader:
        """Return the reader after learning from a hand that is over; itself if it learned nothing.

        Args:
            replay: The play of the hand.
            observed: Its streets as an observer of this reader saw them.
        """


class Player(Protocol):
    """A player who decides from a reader."""

    @property
    def name(self) -> str:
        """The name, for reports."""

    @property
    def reader(self) -> Reader:
        """The player's reader of the others' holdings."""

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        """Return the probability of each legal action.

        Args:
            observer: The observer of the player's reader, before the action.
            spot: The situation.
            down: The player's downcards.
        """


@dataclass(frozen=True, slots=True)
class PolicyReader:
    """The reader of Saund 2006: Bayes' rule, with a policy for each player.

    With the policy "uniform" for all players, it is the cards-only observer.
    """

    players: PlayerModels

    @property
    def name(self) -> str:
        """The names of the policies."""
        return self.players.name

    @property
    def terms(self) -> str:
        """The names and hashes of the policies."""
        return players_terms(self.players)

    @property
    def games(self) -> Sequence[str]:
        """All games with counted chances."""
        return [*GAMES]

    @property
    def learns(self) -> bool:
        """True if a player is modelled by a panel."""
        return self.players.learns

    def for_hand(self, history: History) -> PolicyReader:
        """Return the reader with the policies of the players of a hand alone."""
        return replace(self, players=self.players.for_hand(history))

    def observer(self, history: History, ties: TieRule) -> PolicyObserver:
        """Return an observer with the policies of the players of a hand."""
        return PolicyObserver(self.players.for_hand(history), ties)

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> PolicyReader:
        """Return the reader with the weights of its panels after a hand."""
        members = {
            update.decision.seat: np.einsum("mh,h->m", update.shares, update.after)
            for street in observed
            for update in street.updates
            if update.shares is not None
        }
        if not members:
            return self
        return replace(self, players=self.players.after(replay.history, members))


class Believer:
    """An observer that keeps its belief."""

    _belief: Belief | None = None

    @property
    def belief(self) -> Belief:
        """The belief after the last event."""
        assert self._belief is not None, "no card has been dealt"
        return self._belief


class PolicyObserver(Believer):
    """The public-knowledge observer of Saund 2006 during one hand."""

    def __init__(self, players: PlayerModels, ties: TieRule, belief: Belief | None = None) -> None:
        """Take the models of the players, and the belief where the observer begins."""
        self._players = players
        self._ties = ties
        self._street: StreetReading | None = None
        if belief is not None:
            self._begin(belief)

    @property
    def belief(self) -> Belief:
        """The belief after the last event."""
        return super().belief if self._street is None else self._street.belief

    def _begin(self, belief: Belief) -> None:
        models = {seat: self._players.of(seat) for seat in belief.pdds}
        self._belief, self._street = belief, StreetReading.begin(belief, models, self._ties)

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Drop the holdings whose cards are visible."""
        before = None if self._belief is None else self.belief
        belief, news = deal(before, street)
        self._begin(belief)
        return news

    def odds_with(self, spot: DecisionPoint, holding: int) -> dict[str, float]:
        """Return P(action | holding) of the player to act, by legal action.

        Args:
            spot: The situation.
            holding: Index of the holding.
        """
        if self._street is not None:
            return self._street.odds_with(spot, holding)
        expected = expect(self.belief, spot, self._players.of(spot.seat), self._ties)
        return {action: float(p[holding]) for action, p in expected.action_probs.items()}

    def observe(self, decision: Decision) -> Update:
        """Apply Bayes' rule with the policy of the player."""
        if self._street is not None:
            return self._street.observe(decision)
        model = self._players.of(decision.seat)
        self._belief, update = observe(self.belief, decision, model, self._ties)
        return update


def read_hand(reader: Reader, replay: Replay, ties: TieRule = SPLIT) -> Iterator[ObservedStreet]:
    """Yield the streets of a hand up to the first with an unseen upcard of an active seat."""
    observer = reader.observer(replay.history, ties)
    for street in replay.streets:
        if street.unseen:
            return
        news = observer.deal(street)
        dealt = observer.belief
        updates = tuple([observer.observe(decision) for decision in street.decisions])
        yield ObservedStreet(dealt, news, updates, observer.belief)


def as_reader(given: Reader | Policy | Model | PlayerModels) -> Reader:
    """Return a reader; policies and models become a reader of Saund 2006."""
    if isinstance(given, PlayerModels):
        return PolicyReader(given)
    if isinstance(given, Model):
        return PolicyReader(PlayerModels(given))
    shape: Any = given  # possibly of another type at run time
    if hasattr(shape, "probabilities") and not isinstance(shape, type):
        return PolicyReader(PlayerModels(Model(shape)))
    reader: Reader = shape
    return reader


def policies_of(reader: Reader) -> PlayerModels | None:
    """Return the policies of a reader; None if it reads without policies."""
    return reader.players if isinstance(reader, PolicyReader) else None


def reader_of_hand(reader: Reader, history: History) -> Reader:
    """Return a reader with the policies of the players of a hand; others as they are."""
    return reader.for_hand(history) if isinstance(reader, PolicyReader) else reader


def kind_of_reader(reader: Reader) -> str:
    """Return the word for the name of a reader: "policy" or "reader"."""
    return "policy" if isinstance(reader, PolicyReader) else "reader"


def name_in_hand(reader: Reader, history: History) -> str:
    """Return the name of the policy of most players of a hand, or of the reader."""
    players = policies_of(reader)
    return reader.name if players is None else players.for_hand(history).rest.name


def cannot_be_read(replay: Replay, reader: Reader) -> Problem | None:
    """Return the problem of a hand that the reader cannot read at all."""
    problem = nothing_dealt(replay)
    game = variant_of(replay.history.variant)
    if problem is None and game.key not in reader.games:
        problem = replay.history.problem(0, f"this is {game.title}; {NOT_BY_READER}")
    return problem


def why_unseen(played: Replay, names: str) -> str:
    """Return the reason to stop reading a hand; ``names`` are the seats with an unseen upcard.

    Some logs list only their owner's upcards, in every hand.
    """
    listed = {
        event.seat
        for event in played.history.events
        if isinstance(event, Deal) and any(card is not None for card in event.up)
    }
    if listed <= {played.history.hero} and not played.history.damage:
        return (
            f"the log does not list the upcards of {names}; "
            "the hand can be replayed, but the holdings cannot be inferred"
        )
    return f"the upcards of {names} were not seen"
