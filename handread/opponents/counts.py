"""Count the statistics of the players of a hand."""

from collections.abc import Iterator, Sequence

import numpy as np

import handread.opponents.statistics as stats
from handread.arrays import Ints
from handread.cards import Card, rank_of, suit_of
from handread.game.ranks import HandRank
from handread.game.rules import Variant, variant_of
from handread.game.steps import Replay
from handread.history import AGGRESSIVE, Action

Counts = Ints
"""How often each statistic happened, and how often it could: (statistics, 2)."""


def seat_counts(replay: Replay) -> dict[int, Counts]:
    """Return the counts of each seat dealt in, up to the end of the log."""
    key = variant_of(replay.history.variant).key
    seats = replay.streets[0].active if replay.streets else ()
    by_seat = {seat: [0] * (2 * len(stats.STATISTICS)) for seat in seats}

    def count(
        seat: int, statistics: Sequence[stats.Statistic], chance: stats.StatisticSpot | stats.Ending
    ) -> None:
        counts = by_seat[seat]
        for statistic in statistics:
            if statistic.when(chance):
                place = 2 * stats.PLACES[statistic.key]
                counts[place] += statistic.does(chance)
                counts[place + 1] += 1

    for situation in situations(replay):
        decision = situation.decision
        count(decision.seat, stats.ON_STREET[key, decision.street], situation)
    for seat, ending in endings(replay).items():
        count(seat, stats.OF_ENDINGS[key], ending)
    found = np.array([*by_seat.values()], np.int64).reshape(-1, len(stats.STATISTICS), 2)
    return dict(zip(by_seat, np.minimum(found, stats.MOST_A_HAND[:, None]), strict=True))


def endings(replay: Replay) -> dict[int, stats.Ending]:
    """Return the ending of a hand for each seat dealt in; empty for an unfinished hand."""
    if not replay.finished:
        return {}
    stayed = replay.streets[1].active if len(replay.streets) > 1 else ()
    paid = sum(replay.won.values())
    return {
        seat: stats.Ending(
            seat in stayed,
            seat in replay.showdown,
            replay.won.get(seat, 0) > 0,
            replay.won.get(seat, 0) == paid,
        )
        for seat in replay.streets[0].active
    }


def situations(replay: Replay) -> Iterator[stats.StatisticSpot]:
    """Yield the decisions of a hand as the statistics see them."""
    game = variant_of(replay.history.variant)
    for street in replay.streets:
        boards = {seat: _seen(street.upcards[seat]) for seat in street.active}
        ranks = {seat: game.showing(up) if up else None for seat, up in boards.items()}
        later = street.number > game.first and game.streets[street.number - game.first].up > 0
        for place, decision in enumerate(street.decisions):
            seat, before = decision.seat, street.decisions[:place]
            deals_up = later and bool(boards[seat])
            rivals = [ranks[other] for other in decision.active if other != seat]
            actions = [each.action for each in before if each.seat == seat]
            late = set(decision.active) - {seat, street.bring_in, *decision.acted}
            yield stats.StatisticSpot(
                decision,
                first=street.number == game.first,
                last=street.number == game.last,
                turn=len(actions) + 1,
                brings_in=decision.forced or seat == street.bring_in,
                alone=all(each.action in (Action.FOLD, Action.CHECK) for each in before),
                behind=len(late),
                best=_is_best(ranks[seat], rivals),
                pairs_door=deals_up and pairs_door(boards[seat]),
                brick=deals_up and is_brick(game, boards[seat]),
                checked=Action.CHECK in actions,
                aggressor=any(action in AGGRESSIVE for action in actions),
            )


def _seen(up: Sequence[Card | None]) -> tuple[Card, ...]:
    """Return the upcards, or none if one is unknown."""
    seen = tuple(card for card in up if card is not None)
    return seen if len(seen) == len(up) else ()


_EIGHT = 7
"""The rank of an eight with the ace low."""


def _is_best(board: HandRank | None, rivals: Sequence[HandRank | None]) -> bool | None:
    """Return True if the rank of a board beats all others; None if one is unknown."""
    if board is None or None in rivals:
        return None
    return all(rank is not None and rank < board for rank in rivals)


def pairs_door(up: Sequence[Card]) -> bool:
    """Return True if the last upcard pairs the first."""
    return rank_of(up[-1]) == rank_of(up[0])


def is_brick(game: Variant, up: Sequence[Card]) -> bool:
    """Return True if the last upcard is a brick, without visible use to its player.

    In games with a low it is above an eight, or pairs the board. In others it is below the door
    card, and shares no rank or suit with the board.
    """
    *board, new = up
    pairs = rank_of(new) in map(rank_of, board)
    if game.low is not None:
        return pairs or game.low_rank(new) > _EIGHT
    suited = suit_of(new) in map(suit_of, board)
    return rank_of(new) < rank_of(board[0]) and not pairs and not suited
