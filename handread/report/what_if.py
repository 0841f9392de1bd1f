"""The values of a hand's decisions in rounded figures and words, and the read after each option."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import handread.report.decision_words as deciding
from handread.arrays import Floats
from handread.decisions.decision_values import SURE, ActionValue, DecisionValue
from handread.decisions.ledger import PARTS, TERMS, Ledger
from handread.decisions.terms import ValuedHand
from handread.game.steps import Step
from handread.game.table import Table
from handread.history import Action
from handread.inference.observer import Belief, Update
from handread.odds.holdings import family_weights, kind_table, kind_weights
from handread.report.shown_values import HandReport, Steps
from handread.report.words import action_words, bits_words, share_words, visible
from handread.study.statistics import NORMAL_975

LEAST_SHARE = 0.02
"""A family below this share before the decision and after every option is one of the others."""

FAMILIES = 6
"""The largest number of families listed for a decision."""

OTHERS = "all others"


@dataclass(frozen=True, slots=True)
class OptionFigures:
    """A legal action of a decision: "Raise to 4.00", "raising", "raise" or "completion".

    ``highest`` is True for the highest ``value``, in big bets with a 95% interval from ``low`` to
    ``high``; in words it is "+1.85", its ``reach`` "±0.22" or "". ``against`` compares it with the
    action taken, in a sentence. ``bits`` is the table's information about the downcards, in words.
    """

    words: str
    noun: str
    deed: str
    taken: bool
    highest: bool
    value: float
    low: float
    high: float
    words_of_value: str
    reach: str
    against: str
    bits: str


class FamilyShares(NamedTuple):
    """The share of a family, or of ``OTHERS``, for the table: before, and after each option."""

    name: str
    before: str
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecisionFigures:
    """A decision with the values of its options; ``moment`` is its place in the timeline.

    ``words`` is the action taken, ``verdict`` a key of ``report.decision_words.VERDICTS``,
    ``sentence`` the same in full. ``cost``, "0.72 ±0.40 BB (1.45)", has chips only if beyond
    chance; it is empty for the best action.
    """

    moment: int
    seat: int
    street: int
    words: str
    verdict: str
    cost: str
    sentence: str
    options: tuple[OptionFigures, ...]
    families: tuple[FamilyShares, ...]

    @property
    def taken(self) -> OptionFigures:
        """The action taken."""
        return next(option for option in self.options if option.taken)


class TermFigures(NamedTuple):
    """A term of a ledger: its name, its value in big bets, and the value in words."""

    name: str
    value: float
    words: str


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """A player's result, "+12.00", the result without the luck of the cards, the nonzero terms."""

    result: str
    adjusted: str
    terms: tuple[TermFigures, ...]


@dataclass(frozen=True, slots=True)
class PlayerDecisions:
    """The decisions of a player, with a sentence that counts them.

    ``is_open`` is True if the viewpoint knows the downcards; pages hide values that are not open.
    """

    seat: int
    is_open: bool
    summary: str
    ledger: LedgerFigures | None
    decisions: tuple[DecisionFigures, ...]


@dataclass(frozen=True, slots=True)
class HandDecisions:
    """The decisions of a hand by player, the hero first; ``basis`` explains them or their lack."""

    players: tuple[PlayerDecisions, ...]
    basis: str

    @property
    def by_moment(self) -> tuple[DecisionFigures, ...]:
        """All decisions in the order of play."""
        decisions = (decision for player in self.players for decision in player.decisions)
        return tuple(sorted(decisions, key=lambda decision: decision.moment))

    @property
    def has_closed(self) -> bool:
        """True if there are decisions of players whose downcards the viewpoint does not know."""
        return not all(player.is_open for player in self.players)


def hand_decisions(report: HandReport, steps: Steps, hand: ValuedHand) -> HandDecisions:
    """Return the figures of a hand's decisions."""
    writer = _OptionsWriter(report, steps, hand)
    order = sorted(hand.seats, key=lambda seat: (seat != report.you, seat))
    return HandDecisions(tuple(map(writer.player, order)), basis(hand))


def only_at(values: HandDecisions, moment: int) -> HandDecisions:
    """Return the figures of one decision alone, without anybody's result."""
    chosen = (
        (player, tuple(made for made in player.decisions if made.moment == moment))
        for player in values.players
    )
    left = [
        replace(player, summary="", ledger=None, decisions=made) for player, made in chosen if made
    ]
    return replace(values, players=tuple(left))


def no_decisions(why: object) -> HandDecisions:
    """Return the figures of a hand whose decisions cannot be valued, and why."""
    return HandDecisions((), f"The decisions of this hand have no values: {visible(str(why))}.")


def basis(hand: ValuedHand) -> str:
    """Return the meaning of the values, or the reason for their lack."""
    if not hand.values.decisions:
        return deciding.NOTHING_TO_VALUE
    bet = hand.replay.history.unit.text(hand.replay.stakes.bets[-1])
    return (
        "What each action wins or loses from here on, on average, if everybody then plays by "
        f"{deciding.against_words(hand)}. A fold is 0; 1 BB is a big bet, {bet}."
    )


class ActionName(NamedTuple):
    """An option as a command and as a noun, and its amount: "Raise", "raising", "to 4.00"."""

    command: str
    noun: str
    amount: str = ""


_NAMES: Mapping[str, tuple[str, str]] = {
    Action.FOLD: ("Fold", "folding"),
    Action.CHECK: ("Check", "checking"),
    Action.CALL: ("Call", "calling"),
    Action.BET: ("Bet", "betting"),
}


def _name(value: DecisionValue, each: ActionValue, before: Table) -> ActionName:
    if each.read is None:
        return ActionName("Bring in", "bringing in", f"for {before.money(each.to)}")
    if each.action == Action.RAISE:
        completes = before.bring_in_due or before.bring_in_open
        command, noun = ("Complete", "completing") if completes else ("Raise", "raising")
        return ActionName(command, noun, f"to {before.money(each.to)}")
    if each.action in (Action.CALL, Action.BET):
        adds = each.to - before.player(value.decision.seat).put
        return ActionName(*_NAMES[each.action], before.money(adds))
    return ActionName(*_NAMES[each.action])


class OptionNow(NamedTuple):
    """An action that may be chosen now: its name, its value in big bets, and its reach."""

    words: str
    value: str
    reach: str


def options_now(hand: ValuedHand) -> list[OptionNow]:
    """Return the actions of the last decision that was valued, whichever was taken."""
    value, replay = hand.values.decisions[-1], hand.replay
    chips = deciding.ChipWords(replay.history.unit, replay.stakes.bets[-1])
    before = next(step.before for step in replay.steps if step.decision == value.decision)
    return [
        OptionNow(f"{name.command} {name.amount}".rstrip(), f"{chips.bets(each.q, '+')} BB", reach)
        for each in value.actions
        for name, reach in [(_name(value, each, before), chips.bets_within(each.error))]
    ]


class _OptionsWriter:
    def __init__(self, report: HandReport, steps: Steps, hand: ValuedHand) -> None:
        replay = report.replay
        self._unit = replay.history.unit
        self._big_bet = replay.stakes.bets[-1]
        self._chips = deciding.ChipWords(self._unit, self._big_bet)
        self._hand = hand
        self._known = report.known_seats
        self._moments = {
            step.action.n: moment
            for moment, step in enumerate(steps.steps)
            if step.action is not None
        }
        self._steps: dict[int, Step] = {
            step.decision.n: step for step in replay.steps if step.decision is not None
        }
        self._updates: dict[int, tuple[Belief, Update]] = {
            update.decision.n: (seen.dealt, update)
            for seen in hand.analysis.observed
            for update in seen.updates
        }

    def player(self, seat: int) -> PlayerDecisions:
        values = self._hand.of_seat(seat)
        decisions = [self.decision(v) for v in values if v.decision.n in self._moments]
        ledger = self._hand.values.ledgers.get(seat)
        figures = None if ledger is None else self._ledger(ledger)
        return PlayerDecisions(
            seat, seat in self._known, self._summary(values), figures, tuple(decisions)
        )

    def _summary(self, values: Sequence[DecisionValue]) -> str:
        if not values:
            return ""
        cost, error = deciding.cost_of(values)
        counts = deciding.counts_words(Counter(value.verdict for value in values))
        if len(values) < 2 or not error:
            return f"{counts}."
        total = f"{self._chips.bets(max(0.0, cost))} {self._chips.bets_within(error)} BB"
        return f"{counts}. Together they cost {total}."

    def _ledger(self, ledger: Ledger) -> LedgerFigures:
        adjusted = ledger.adjusted / PARTS
        amounts = {term: ledger.terms[term] / PARTS for term in TERMS if ledger.terms[term]}
        return LedgerFigures(
            result=self._chips.signed_result(ledger.net),
            adjusted=f"{self._chips.signed_money(adjusted)} ({self._chips.bets(adjusted, '+')} BB)",
            terms=tuple(
                TermFigures(
                    deciding.TERM_WORDS[term], amount / self._big_bet, self._chips.bets(amount, "+")
                )
                for term, amount in amounts.items()
            ),
        )

    def decision(self, value: DecisionValue) -> DecisionFigures:
        spot = value.decision
        before = self._steps[spot.n].before
        names = {each.action: _name(value, each, before) for each in value.actions}
        return DecisionFigures(
            moment=self._moments[spot.n],
            seat=spot.seat,
            street=spot.street,
            words=action_words(spot, self._unit),
            verdict=value.verdict,
            cost=deciding.cost_in_full(value, self._chips),
            sentence=self._sentence(value, names),
            options=tuple(self._option(value, each, names) for each in value.actions),
            families=tuple(self._families(value)),
        )

    def _option(
        self, value: DecisionValue, each: ActionValue, names: Mapping[str, ActionName]
    ) -> OptionFigures:
        bet, name = self._big_bet, names[each.action]
        reach = NORMAL_975 * each.error / bet
        return OptionFigures(
            words=f"{name.command} {name.amount}".rstrip(),
            noun=name.noun,
            deed="completion" if name.noun == "completing" else each.action,
            taken=each is value.taken,
            highest=each is value.best,
            value=each.q / bet,
            low=each.q / bet - reach,
            high=each.q / bet + reach,
            words_of_value=self._chips.bets(each.q, "+"),
            reach=self._chips.bets_within(each.error),
            against="" if each is value.taken else self._against(value, each, names),
            bits=bits_words(each.table_bits),
        )

    def _sentence(self, value: DecisionValue, names: Mapping[str, ActionName]) -> str:
        best, taken = names[value.best.action], names[value.taken.action]
        caution = " Too little is known to be sure." if value.is_rare else ""
        if value.is_best:
            return f"{best.command} is best: no other action is worth more.{caution}"
        if not value.is_sure:
            return f"Too close to call between {taken.noun} and {best.noun}.{caution}"
        cost = f"{taken.noun} cost {self._cost(value)}"
        if value.is_rare:
            return f"No verdict, as too little is known to be sure: by these policies {cost}."
        if value.checked is None:
            return f"Against these players {best.noun} is better: {cost}."
        other = f"against other players (policy {visible(value.checked.policy)})"
        if value.is_mistake:
            return f"{best.command} is best: {cost}, and {other} {self._cost(value.checked)}."
        as_well = deciding.VERDICTS[value.checked.verdict]
        return f"Against these players {best.noun} is better: {cost}; {other} it is {as_well}."

    def _cost(self, value: DecisionValue) -> str:
        """Return a cost: "$1.45 (0.72 BB)"; with "at least" if only that is sure."""
        at_least = f"{deciding.AT_LEAST} " if value.least and value.error else ""
        return f"{at_least}{self._amount(value.least or value.cost)}"

    def _against(
        self, value: DecisionValue, each: ActionValue, names: Mapping[str, ActionName]
    ) -> str:
        """Return how much more or less an option is worth than the action taken."""
        taken = names[value.taken.action].noun
        reach = self._chips.bets_within(each.gain_error)
        within = f", {reach}" if reach else ""
        if abs(each.gain) < 0.005 * self._big_bet:
            return f"Worth as much as {taken}{within}."
        side = "more" if each.gain > 0.0 else "less"
        chance = "" if abs(each.gain) > SURE * each.gain_error else " Chance alone may explain it."
        amount = self._amount(abs(each.gain))
        return f"Worth {amount} {side} than {taken}{within}.{chance}"

    def _amount(self, minor: float) -> str:
        """Return an amount in chips and in big bets: "$1.45 (0.72 BB)"."""
        return f"{self._chips.money(minor)} ({self._chips.bets(minor)} BB)"

    def _families(self, value: DecisionValue) -> Iterator[FamilyShares]:
        """Yield the families of the actor's holdings for the table, before and after."""
        belief, update = self._updates[value.decision.n]
        reads = [update.before, *(each.read for each in value.actions)]
        shares = [
            family_shares(update.before if read is None else read, belief, value.decision.seat)
            for read in reads
        ]
        most = {name: max(share.get(name, 0.0) for share in shares) for name in shares[0]}
        notable = [name for name, p in most.items() if p >= LEAST_SHARE]
        listed = sorted(notable, key=lambda name: -most[name])[:FAMILIES]
        for name in listed:
            before, *after = (share_words(share[name]) for share in shares)
            yield FamilyShares(name, before, tuple(after))
        rest = [1.0 - sum(share[name] for name in listed) for share in shares]
        if max(rest) >= LEAST_SHARE:
            before, *after = map(share_words, rest)
            yield FamilyShares(OTHERS, before, tuple(after))


def family_shares(pdd: Floats, belief: Belief, seat: int) -> dict[str, float]:
    """Return a seat's share of each family by a pdd (holdings,) on the street of ``belief``."""
    hands = belief.hands[seat]
    table = kind_table(pdd.size, hands.up, belief.showdown.game.key)
    htpd = hands.htpd(pdd) if table.complete else pdd
    shares = family_weights(table, kind_weights(table, pdd, htpd)).tolist()
    return dict(zip(table.families, shares, strict=True))
