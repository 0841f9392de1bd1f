"""Play a hand on from any point: players bet by policies, as the observer sees them.

``play_on`` is the exact continuation, with the observer of the table reading every action on the
way. ``simulate`` plays whole games by the same rules; ``decisions`` plays many continuations of one
decision by particles (``kernels.rollouts``), which are tested against this one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from handread.cards import Card, holding_index
from handread.game.pots import shares
from handread.game.seating import IllegalMove, Phase, fast_replace
from handread.game.steps import DecisionPoint, dealt_street, decision_at, decision_point_at
from handread.game.table import Table
from handread.history import Action, Deal, SharedCard, Wager
from handread.inference.observer import TIE_RULES, Belief
from handread.inference.players import PlayerModels
from handread.inference.readers import PolicyObserver

CHOICES = (Action.RAISE, Action.BET, Action.CALL, Action.CHECK, Action.FOLD)
"""The actions in the order of a uniform draw: 0 is the strongest."""


def choose(odds: Mapping[str, float], draw: float) -> Action:
    """Return the action that a uniform draw from 0 to 1 picks, given the probability of each."""
    legal = [action for action in CHOICES if action in odds]
    for action in legal:
        draw -= odds[action]
        if draw < 0.0:
            return action
    return legal[-1]  # the probabilities sum to 1 up to rounding


class Stock:
    """The cards to come by seat, in the order of their deals.

    A fold changes no card of the others; cards of folded seats go to seats that run out.
    """

    def __init__(self, to_come: Mapping[int, Sequence[Card]]) -> None:
        self._left = {seat: list(cards) for seat, cards in to_come.items()}

    def deals(self, table: Table) -> Iterator[Deal | SharedCard]:
        """Yield the deals of a street that has begun."""
        street = table.game.streets[table.street - table.game.first]
        if table.deck_runs_short:
            yield SharedCard(self._spare(table.active))
            return
        for seat in table.active or [player.seat for player in table.players]:
            cards = [self._next(seat, table.active) for _ in range(street.down + street.up)]
            yield Deal(seat, tuple(cards[: street.down]), tuple(cards[street.down :]))

    def _next(self, seat: int, active: Sequence[int]) -> Card:
        cards = self._left[seat]
        return cards.pop(0) if cards else self._spare(active)

    def _spare(self, active: Sequence[int]) -> Card:
        """Return a card reserved for a seat that has folded, or else for any seat."""
        for seat in sorted(self._left, key=lambda seat: seat in active):
            if self._left[seat]:
                return self._left[seat].pop(0)
        raise AssertionError("eight players leave cards for a shared one")


def play_on(
    table: Table,
    belief: Belief | None,
    downcards: Mapping[int, Sequence[Card]],
    to_come: Mapping[int, Sequence[Card]],
    players: PlayerModels,
    draw: Callable[[int], float],
    ties: str = "split",
) -> Table:
    """Play a hand on to its end.

    Args:
        table: The table: in a betting round, or after one; the antes have been posted.
        belief: Public belief at the table; None before the first deal.
        downcards: Downcards of each active seat, in dealt order; of folded seats where known.
        to_come: Cards that each seat would still get, as in ``Stock``.
        players: Models of the players in this game.
        draw: Returns, given a seat, a uniform number from 0 to 1 for its next action. With draws by
            seat and by number, continuations after different actions are comparable.
        ties: Tie rule of players and observer, "split" or "paper".

    Returns:
        The table at the end of the hand, with the downcards of the active seats.
    """
    stock, rule = Stock(to_come), TIE_RULES[ties]
    table, observer = _holding(table, downcards), PolicyObserver(players, rule, belief)
    while not table.is_over:
        if table.phase is not Phase.BET:
            table = _next_street(table, stock)
            if not table.betting_over:
                observer.deal(dealt_street(table))
            continue
        seat = table.may_act[0]
        if table.bring_in_due:
            table = table.play(Wager(seat, Action.BRING_IN))
            continue
        spot = decision_point_at(table, len(table.past) + 1, seat)
        odds = observer.odds_with(spot, holding_index(held(table, seat)))
        wager = table.plain(Wager(seat, choose(odds, draw(seat))))
        after = table.play(wager)
        observer.observe(decision_at(spot, wager, table, after))
        table = after
    return table


def _next_street(table: Table, stock: Stock) -> Table:
    table = table.next_street()
    for event in stock.deals(table):
        if isinstance(event, SharedCard):
            table = table.share(event.card)
        else:
            table = table.deal(event.seat, event.down, event.up)
    return table.open_betting()


def _holding(table: Table, downcards: Mapping[int, Sequence[Card]]) -> Table:
    players = tuple(
        fast_replace(p, down=tuple(downcards[p.seat]), loose=()) if p.seat in downcards else p
        for p in table.players
    )
    known = (c for p in players for c in (*p.down, *p.up) if c is not None)
    shared = (c for c in table.shared if c is not None)
    return fast_replace(table, players=players, cards=frozenset((*known, *shared)))


def held(table: Table, seat: int) -> tuple[Card, ...]:
    """Return the downcards of a seat; raise ``IllegalMove`` if one of them is not known."""
    player = table.player(seat)
    cards = tuple(card for card in player.down if card is not None)
    if len(cards) < len(player.down):
        raise IllegalMove(f"the downcards of {player} are not known")
    return cards


def net(end: Table, seat: int, rake: int = 0, start: Table | None = None) -> int:
    """Return a seat's winnings in a hand that is over less its bets, in minor units.

    The cards of all active seats at the table ``end`` are known, else ``ValueError`` is raised.
    ``rake`` is the house's part of the pot, in minor units. Chips count from the table ``start``,
    by default from the beginning of the hand.
    """
    won = shares(end.pots, end.hand_ranks(), rake)
    if won is None:
        raise ValueError("the winners follow from cards that are not known")
    before = 0 if start is None else start.player(seat).paid
    return won.get(seat, 0) - end.player(seat).paid + before


def policy_action(spot: DecisionPoint, action: str) -> Action:
    """Return a table's action for a policy's: a call of a due bring-in posts it."""
    return Action.BRING_IN if spot.forced and action == "call" else Action(action)
