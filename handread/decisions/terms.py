"""The settings for valuing the decisions of any hand, as commands take them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from handread.decisions.decision_values import DecisionValue, LearnedValuation, Valuation
from handread.decisions.hand_values import HandValues, hand_values
from handread.decisions.learned import has_values, learned_values
from handread.decisions.rollouts import HouseRake
from handread.game.rules import VARIANTS, Unit
from handread.game.steps import Replay
from handread.history import History
from handread.inference.hand_analysis import Analysis
from handread.inference.players import (
    PEOPLE_POLICY,
    Model,
    PlayerModels,
    player_models,
    players_terms,
)
from handread.policy import Policy, PolicyError, in_game

CHECKED, ROLLOUTS, LEARNED = METHODS = ("checked", "rollouts", "learned")
"""Ways to value decisions: by rollouts, by a learned value function, or by both.

The default is ``CHECKED``: learned values, and rollouts of the decisions that look expensive by
them. Costly verdicts rest on rollouts, and without learned values all values do.
"""

ESTIMATED = "estimated"
"""The way for many hands: learned values alone, or rollouts if the policy has none."""

LOOKS_EXPENSIVE = 0.25
"""An estimated cost of so many big bets, or any beyond chance, is checked by rollouts."""

USUAL_ROLLOUTS, LEAST_ROLLOUTS = 300, 10
"""The default number of rollouts of a decision, and the least: each half needs an error."""

NO_CHECK = "none"
"""No check of costly decisions by other policies."""

PANEL_POLICY = "panel"
"""The policy that checks decisions of hands read by ``PEOPLE_POLICY``."""

_AMOUNT = r"(\d{1,12}(?:\.\d{0,6})?|\.\d{1,6})"
_RAKE = re.compile(rf"\s*{_AMOUNT}\s*%(?:\s*max\s*{_AMOUNT})?\s*")


@dataclass(frozen=True, slots=True)
class RakeRule:
    """The rake as users write it: a percentage of the pot, with a limit in the unit of the log."""

    percent: Decimal  # percentage of the pot
    most: Decimal | None = None  # most that the house takes; None without a limit

    def __str__(self) -> str:
        limit = "" if self.most is None else f" max {self.most}"
        return f"{self.percent}%{limit}"

    def in_unit(self, unit: Unit) -> HouseRake:
        """Return the rake of a game with amounts in this unit."""
        most = None if self.most is None else int(self.most.scaleb(unit.decimals))
        return HouseRake(float(self.percent) / 100.0, most)


def parse_rake(text: str) -> RakeRule:
    """Parse a rake such as "5%" or "5% max 3"; ``ValueError`` for other text, or over 100%."""
    match = _RAKE.fullmatch(text)
    if match is None or Decimal(match[1]) > 100:
        raise ValueError(f"{text!r} is no rake: expected one such as '5%' or '5% max 3'")
    return RakeRule(Decimal(match[1]), None if match[2] is None else Decimal(match[2]))


def check_models(players: PlayerModels) -> PlayerModels:
    """Return the default models for checks: ``PEOPLE_POLICY``, or the panel if that reads it."""
    people = player_models(PEOPLE_POLICY)
    policy = players.rest.policy
    read_by_people = any(in_game(people.rest.policy, game) == policy for game in ("", *VARIANTS))
    models = player_models(PANEL_POLICY) if read_by_people else people
    if players.simulated is None:
        return models
    return replace(models, simulated=check_models(players.simulated))


@dataclass(frozen=True, slots=True)
class DecisionTerms:
    """The settings for valuing decisions."""

    way: str = ROLLOUTS  # or ``LEARNED``, ``CHECKED``, ``ESTIMATED``
    rollouts: int = USUAL_ROLLOUTS  # number of rollouts of a decision
    # models for a second valuation of costly decisions; None for none
    check: PlayerModels | None = None
    seed: int = 1
    rake: RakeRule | None = None  # the rake; None for the rake of each hand
    # how the player of a decision goes on after it; None as the reads take the player to bet
    then: Model | None = None

    @property
    def text(self) -> str:
        """The settings in one line; equal texts mean equal values."""
        return self.words()

    def words(self, digits: int | None = 6) -> str:
        """Return the settings in one line; ``digits`` as in ``players_terms``."""
        way = {
            ROLLOUTS: f"{self.rollouts} rollouts",
            CHECKED: f"learned, checked by {self.rollouts} rollouts",
            ESTIMATED: f"learned, else {self.rollouts} rollouts",
        }
        check = "none" if self.check is None else players_terms(self.check, digits)
        rake = "of each hand" if self.rake is None else str(self.rake)
        then = (
            "" if self.then is None else f"; then {players_terms(PlayerModels(self.then), digits)}"
        )
        return f"{way.get(self.way, self.way)}; check {check}; seed {self.seed}; rake {rake}{then}"

    def of_hand(self, analysis: Analysis) -> DecisionTerms:
        """Return the settings with the way for a hand."""
        if self.needs_rollouts(analysis.players, analysis.replay.history.variant):
            return replace(self, way=ROLLOUTS)
        return replace(self, way=LEARNED) if self.way == ESTIMATED else self

    def needs_rollouts(self, players: PlayerModels, game: str) -> bool:
        """Return True if rollouts value all decisions of a hand of a game with these players."""
        return self.way == ROLLOUTS or (self.way != LEARNED and not has_values(players, game))

    def check_of(self, history: History) -> PlayerModels | None:
        """Return the models that check a hand's decisions; None without any.

        With learned values, models need learned values of their own.
        """
        if self.check is None:
            return None
        models = self.check.for_hand(history)
        if self.way == LEARNED:
            try:
                learned_values(models, history.variant)
            except PolicyError:
                return None
        return models

    def values_of(
        self, analysis: Analysis, seats: set[int] | None = None, known: Iterable[DecisionValue] = ()
    ) -> HandValues:
        """Return the values of a hand, as ``hand_values`` does, independent of other hands.

        Args:
            analysis: The hand.
            seats: Only the decisions of these seats; None for all.
            known: Values by these settings, perhaps without reads, which need no second check.

        Raises:
            PolicyError: Decisions are valued by learned values, and the policy has none.
            ValueError: The reader of the analysis has no policies.
        """
        history, terms = analysis.replay.history, self.of_hand(analysis)
        if terms.way == ROLLOUTS:
            return hand_values(analysis, self._valuation(history), seats)
        check = terms.check_of(history) if terms.way == LEARNED else None
        rake = None if self.rake is None else self.rake.in_unit(history.unit)
        first = hand_values(analysis, LearnedValuation(check=check, rake=rake), seats)
        if terms.way == LEARNED:
            return first
        # Rollouts replace values that look expensive.
        again = {each.decision.n: each for each in known if each.rollouts}
        dear = {each.decision.n for each in first.decisions if looks_expensive(each)} - again.keys()
        return _replaced(first, again | (self.played_on(analysis, dear, seats) if dear else {}))

    def _valuation(self, history: History, only: Collection[int] | None = None) -> Valuation:
        # Each hand has a random stream of its own, independent of other hands.
        digest = hashlib.sha256(f"{self.seed} {history.hand_id}".encode("utf-8", "replace"))
        return Valuation(
            rollouts=self.rollouts,
            check=self.check_of(history),
            seed=int.from_bytes(digest.digest()[:8]),
            rake=None if self.rake is None else self.rake.in_unit(history.unit),
            only=only,
            then=None if self.then is None else self.then.in_game(history.variant),
        )

    def played_on(
        self, analysis: Analysis, only: Collection[int], seats: set[int] | None = None
    ) -> dict[int, DecisionValue]:
        """Return the values by rollouts of the decisions in ``only``, by number."""
        exact = replace(self, way=ROLLOUTS)._valuation(analysis.replay.history, only)
        return {value.decision.n: value for value in exact.of_hand(analysis, seats)}

    def valued(
        self, analysis: Analysis, seats: set[int] | None = None, known: Iterable[DecisionValue] = ()
    ) -> ValuedHand:
        """Like ``values_of``, but with the hand and its settings."""
        terms = self.of_hand(analysis)
        return ValuedHand(analysis, terms.values_of(analysis, seats, known), terms)


def _replaced(values: HandValues, again: Mapping[int, DecisionValue]) -> HandValues:
    pairs = [(value, again.get(value.decision.n, value)) for value in values.decisions]
    return replace(values, decisions=tuple(_with_reads(*pair) for pair in pairs))


def _with_reads(first: DecisionValue, again: DecisionValue) -> DecisionValue:
    """Return the second values of a decision with the reads of the first, which are the same."""
    pairs = zip(first.actions, again.actions, strict=True)
    return replace(again, actions=tuple(replace(two, read=before.read) for before, two in pairs))


def looks_expensive(value: DecisionValue) -> bool:
    """Return True for an estimate to check by rollouts, unlike exact values and rare spots."""
    if value.is_rare or not value.error:
        return False
    return value.is_costly or value.cost >= LOOKS_EXPENSIVE * value.big_bet


def decision_terms(
    way: str,
    players: PlayerModels,
    rollouts: int = USUAL_ROLLOUTS,
    check: str | Policy | PlayerModels | None = None,
    seed: int = 1,
    rake: str | None = None,
    then: str | None = None,
) -> DecisionTerms:
    """Return the settings for valuing decisions.

    ``way`` is ``ROLLOUTS``, ``LEARNED``, ``CHECKED`` or ``ESTIMATED``. ``check`` has the policies
    that check costly decisions, ``NO_CHECK``, or None for ``check_models``. The rake is for
    ``parse_rake``; None for the rake of each hand. ``then`` names the policy by which the player of
    a decision goes on after it, which takes rollouts.

    Raises:
        PolicyError: A policy does not exist, or its file is invalid.
        ValueError: The rake is invalid.
    """
    models = None
    if check != NO_CHECK:
        models = check_models(players) if check is None else player_models(check)
    rule = None if rake is None else parse_rake(rake)
    if then is None:
        return DecisionTerms(way, rollouts, models, seed, rule)
    return DecisionTerms(
        ROLLOUTS, rollouts, check=models, seed=seed, rake=rule, then=player_models(then).rest
    )


@dataclass(frozen=True, slots=True)
class ValuedHand:
    """A hand with the values of its decisions."""

    analysis: Analysis
    values: HandValues
    terms: DecisionTerms  # the settings of the values

    @property
    def replay(self) -> Replay:
        """The hand."""
        return self.analysis.replay

    @property
    def policy(self) -> str:
        """The name of the policies that read the hand and play it on."""
        return self.analysis.reader.name

    @property
    def check(self) -> str:
        """The name of the policies that check costly decisions; empty for none."""
        models = self.terms.check_of(self.replay.history)
        return "" if models is None else models.name

    @property
    def played_on(self) -> int:
        """The number of decisions with values from rollouts."""
        return sum(value.rollouts > 0 for value in self.values.decisions)

    @property
    def seats(self) -> list[int]:
        """The seats with values, the hero first."""
        numbers = {value.decision.seat for value in self.values.decisions} | {*self.values.ledgers}
        hero = self.replay.history.hero
        return sorted(numbers, key=lambda seat: (seat != hero, seat))

    def of_seat(self, seat: int) -> list[DecisionValue]:
        """Return the values of a seat's decisions, in order."""
        return [value for value in self.values.decisions if value.decision.seat == seat]
