"""Measures of reads that compare them with the upcards alone: of one seat, and of a last call."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from handread.arrays import Flags, Floats
from handread.cards import Card, holding_index, rank_of
from handread.game.pots import best_seats
from handread.game.ranks import HandRank
from handread.game.rules import Variant, variant_of
from handread.game.steps import Decision, Replay
from handread.inference.analysis import true_holding
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES, values_against
from handread.inference.stages import SeatRead, Truth
from handread.inference.viewpoint import StreetViews
from handread.odds.holdings import kind_of, kind_table, kind_weights
from handread.odds.htpd import Htpds, SeatView, holding_cards
from handread.odds.showdown import showdown_of

OBSERVERS = ("cards_only", "bet_inference")

TOPS = (1, 3, 5)

HIT_RATES = tuple(f"{what}_in_top_{top}" for what in ("kind", "family") for top in TOPS)

BRIER_SCORES = ("brier_ace", "brier_pair")

MEASURES = ("reciprocal_rank", *HIT_RATES, *BRIER_SCORES)
"""The measures of both observers; except for the Brier scores, more is better.

* ``reciprocal_rank``: 1 over the place of the true downcards; see ``mean_reciprocal_rank``.
* ``kind_in_top_3``: 1 if the true kind of holding is one of the three likeliest; see ``hits``.
* ``family_in_top_3``: the same for the family of the kind.
* ``brier_ace``: the squared error of the chance that an ace is among the downcards.
* ``brier_pair``: the squared error of the chance that a downcard has the rank of another card of
  the seat: a pair that is not all on board.
"""

N_RANKS = 13

ACE = N_RANKS - 1

SAME = 1e-9
"""Chances that differ by less than this part are equal: they are sums in different order."""


@cache
def _harmonic_numbers(size: int) -> Floats:
    return np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, size + 1))])


def mean_reciprocal_rank(better: int, equal: int, size: int) -> float:
    """Return the mean of 1 over the place of the truth, if chance orders equal holdings.

    A read with n equally likely holdings has H_n / n, with the harmonic number H_n.
    ``equal`` includes the truth; ``size`` is the number of holdings of the pdd.
    """
    h = _harmonic_numbers(size)
    return float(h[better + equal] - h[better]) / equal


class SeatMeasures(NamedTuple):
    """The measures of the read of a seat, the chance of each family, and the true family."""

    values: Floats  # (measures, observers), as in ``MEASURES``
    families: Floats  # (observers, families)
    family: int


def seat_measures(read: SeatRead, truth: Truth) -> SeatMeasures:
    """Return the measures of a seat's read, by the cards alone and after the bets."""
    size = read.pdd.size
    pdds = (read.cards_only_pdd, read.pdd)
    better = round(truth.rank - (truth.equal + 1) / 2)
    table = kind_table(size, read.up, read.game.key)
    kind = table.kinds.index(kind_of(truth.downcards, read.up, read.game.key))
    family = int(table.family[kind])
    htpds = (read.cards_only_htpd, read.htpd if table.complete else read.cards_only_htpd)
    kinds = np.array([kind_weights(table, *each) for each in zip(pdds, htpds, strict=True)])
    families = np.array([np.bincount(table.family, weights=each) for each in kinds])
    by_cards = mean_reciprocal_rank(0, truth.live, size)
    by_bets = mean_reciprocal_rank(better, truth.equal, size)
    values = [[by_cards, by_bets], *hits(kinds, kind), *hits(families, family)]
    index = holding_index(truth.downcards)
    for event in (_aces(size), _pairs(size, read.up)):
        # BLAS would start threads for a product, which cost more than the product.
        chances = [np.einsum("i,i", pdd, event) for pdd in pdds]
        values.append([(chance - event[index]) ** 2 for chance in chances])
    return SeatMeasures(np.array(values), families, family)


def hits(chances: Floats, true: int) -> Floats:
    """Return the probability that the truth is in the first of ``TOPS``, (tops, observers).

    Chance orders equally likely kinds. Of the kinds or families (observers, kinds), those
    impossible for the first observer, the cards alone, are left out.
    """
    possible = chances[:, chances[0] > 0.0]
    mark = chances[:, true, None]
    better = (possible > mark * (1 + SAME)).sum(axis=1)
    equal = (possible >= mark * (1 - SAME)).sum(axis=1) - better
    return np.asarray(np.clip((np.array(TOPS)[:, None] - better) / equal, 0.0, 1.0))


@cache
def _aces(size: int) -> Floats:
    aces: Flags = (holding_cards(size) >> 2 == ACE).any(axis=1)
    return aces.astype(np.float64)


@cache
def _own_pairs(size: int) -> Flags:
    ranks = np.sort(holding_cards(size) >> 2, axis=1)
    paired: Flags = (np.diff(ranks, axis=1) == 0).any(axis=1)
    return paired


@cache
def _with_rank(size: int) -> Flags:
    ranks = holding_cards(size) >> 2
    return np.stack([(ranks == rank).any(axis=1) for rank in range(N_RANKS)])


def _pairs(size: int, up: Sequence[Card]) -> Floats:
    ranks = sorted(set(map(rank_of, up)))
    return (_own_pairs(size) | _with_rank(size)[ranks].any(axis=0)).astype(float)


# The chips that a read is worth


Ranks = tuple[HandRank | None, ...]
"""The rank of a whole hand for each half of the pot, as ``Variant.ranks`` returns it."""


def pot_shares(ranks: Mapping[int, Ranks]) -> dict[int, float]:
    """Return the share of a pot that each hand wins; without a low, the high takes all of it."""
    shares = dict.fromkeys(ranks, 0.0)
    n_halves = max(map(len, ranks.values()), default=0)
    halves = [winners for n in range(n_halves) if (winners := best_seats(ranks, ranks, n))]
    for winners in halves:
        for seat in winners:
            shares[seat] += 1.0 / len(halves) / len(winners)
    return shares


class CallValues(NamedTuple):
    """The chips that readers win at a last call, in bets of the last street; a fold wins nothing.

    They call by the chance from the upcards alone, from the read, and from all cards.
    """

    cards_only: float
    bet_inference: float
    oracle: float


def call_values(read: Analysis, ranks: Mapping[int, Ranks]) -> Iterator[CallValues]:
    """Yield the chips that each reader wins at the last calls of a hand.

    A last call is a decision on the last street to call or fold in which a call leads to the
    showdown, with nobody all-in and all cards known. A reader sits in the player's seat, knows its
    downcards, and calls if chance x (pot + call) > call. The action taken, raises and rake are
    ignored.
    """
    game = variant_of(read.replay.history.variant)
    last = {decision.n for decision in _last_calls(read.replay, ranks, game)}
    if not last or read.observed[-1].dealt.street != game.last:
        return
    street, seen = read.replay.streets[-1], read.observed[-1]
    hands, public = seen.dealt.hands, dict(seen.dealt.seats)
    for update in seen.updates:
        seat, call = update.decision.seat, update.decision.to_call
        if update.decision.n in last:
            others = [other for other in update.decision.active if other != seat]
            down = true_holding(read.replay, seat, game.last)
            assert down is not None  # its final hand is known
            index, known = holding_index(down), {seat: down}
            price = call / (update.decision.pot + call)
            won = pot_shares({s: ranks[s] for s in (seat, *others)})[seat] / price - 1.0
            bets = call / read.replay.stakes.bets[-1]
            by_reader = []
            by_cards = {s: SeatView(hands[s], hands[s].uniform) for s in others}
            for views in (by_cards, {s: public[s] for s in others}):
                htpds = Htpds(StreetViews(street, known).of(views))
                against = values_against(htpds, seat, TIE_RULES[read.ties], showdown_of(game))
                chance = float(hands[seat].chances(against)[index])
                by_reader.append(bets * won if chance > price else 0.0)
            cards_only, bet_inference = by_reader
            yield CallValues(cards_only, bet_inference, max(0.0, bets * won))
        public[seat] = update.view


def _last_calls(replay: Replay, ranks: Mapping[int, Ranks], game: Variant) -> Iterator[Decision]:
    for step in replay.steps:
        decision, table = step.decision, step.before
        if decision is None or decision.street != game.last or not decision.to_call:
            continue
        stacks = not any(player.all_in for player in table.players) and not decision.all_in
        last = decision.can_fold and len(table.queue) == 1
        if stacks and last and all(seat in ranks for seat in decision.active):
            yield decision
