"""Settle a hand, checking the log's totals: uncalled bet, total pot, rake and payments.

Rooms differ in whether the total pot and the winner's payment include an uncalled bet. If the log
states that the bet is returned, they must not include it; otherwise both are accepted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from handread.game.pots import Pot, Ranks, best_seats, halves, shares
from handread.game.seating import IllegalMove
from handread.game.table import Table
from handread.history import Collect, Event, Rake, TotalPot, Uncalled

Total = Uncalled | TotalPot | Rake | Collect
"""A statement of the log about the chips at the end of a hand."""

MAX_UNSTATED_RAKE = 10
"""An unstated rake is assumed to be at most one part in this many of the pot."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """Payment of each seat, and the rake, in minor units."""

    won: Mapping[int, int] = field(default_factory=dict)
    rake: int = 0


def settle(table: Table, record: Sequence[Total], without_uncalled: bool = False) -> Settlement:
    """Return the payments of a hand that is over, checked against the log's totals.

    If the log states no payments, the winners follow from the cards; ``won`` is empty if the cards
    are unknown. With ``without_uncalled``, payments never include an uncalled bet. Raises
    ``IllegalMove`` if the totals are impossible.
    """
    uncalled = [event for event in record if isinstance(event, Uncalled)]
    collects = [event for event in record if isinstance(event, Collect)]
    _check_uncalled(table, uncalled)
    apart = without_uncalled or uncalled or not table.returned
    unreturned = 0 if apart or table.returned is None else table.returned[1]
    rake = _rake(table, record, unreturned)
    if not collects:
        won = shares(table.pots, table.hand_ranks(), rake or 0)
        return Settlement(won or {}, rake or 0)
    refused: IllegalMove | None = None
    for kept, back in _divisions(table, collects, rake, unreturned):
        try:
            won = _won(table, collects, back)
            _check_winners(table, won, collects, kept)
        except IllegalMove as illegal:
            refused = refused or illegal
        else:
            return Settlement(won, kept)
    assert refused is not None
    raise refused


def _at(event: Event, message: str, expected: str = "") -> IllegalMove:
    return IllegalMove(message, expected, event.line)


def _check_uncalled(table: Table, uncalled: Sequence[Uncalled]) -> None:
    """Raise ``IllegalMove`` if the log returns another bet than the uncalled one."""
    if not uncalled:
        return
    stated = {(event.seat, sum(e.amount for e in uncalled)) for event in uncalled}
    if stated == {table.returned}:
        return
    last = uncalled[-1]
    message = f"{table.money(last.amount)} go back to {table.player(last.seat)}"
    if table.returned is None:
        raise _at(last, f"{message}, but every bet was called", "no uncalled bet")
    seat, amount = table.returned
    raise _at(last, message, f"{table.money(amount)} to {table.player(seat)}")


def _rake(table: Table, record: Sequence[Total], unreturned: int) -> int | None:
    """Return the rake that the log states or implies; check its total pot against the play."""
    stated = [event.amount for event in record if isinstance(event, Rake)]
    rake = sum(stated) if stated else None
    for event in record:
        if isinstance(event, Rake) and not 0 <= event.amount <= table.pot:
            raise _at(event, f"the rake is {table.money(event.amount)}", "a part of the pot")
        if not isinstance(event, TotalPot):
            continue
        if not event.before_rake and rake is None:
            rake = max(0, table.pot - event.amount)
        kept = 0 if event.before_rake else rake or 0
        if event.amount + kept not in (table.pot, table.pot + unreturned):
            less = f" and {table.money(kept)} kept as the rake" if kept else ""
            play = f"{table.money(table.pot)} were put in{less}"
            message = f"the record's total pot is {table.money(event.amount)}, but {play}"
            raise _at(event, message, f"a total pot of {table.money(table.pot - kept)}")
    return rake


def _divisions(
    table: Table, collects: Sequence[Collect], rake: int | None, unreturned: int
) -> list[tuple[int, int]]:
    """Return pairs of rake and uncalled bet that fit the collected sums, the likeliest first."""
    pot, last = table.pot, collects[-1]
    collected = sum(event.amount for event in collects)
    message = f"the seats collect {table.money(collected)}"
    if rake is None:
        # A losing seat may be listed too, collecting only its uncalled bet. It does not lose if the
        # last pot is its own, nor if the payments make up the pot.
        loses = collected != pot and len(table.pots[-1].seats) > 1
        alone = loses and any((paid.seat, paid.amount) == table.returned for paid in collects)
        backs = dict.fromkeys((unreturned, 0) if collected > pot or alone else (0, unreturned))
        rakes = [(pot + back - collected, back) for back in backs]
        if possible := [pair for pair in rakes if 0 <= pair[0] <= pot // MAX_UNSTATED_RAKE]:
            return possible
        raise _at(last, f"{message} of a pot of {table.money(pot)}", "the pot, less a rake")
    for back in (0, unreturned):
        if collected + rake == pot + back:
            return [(rake, back)]
    message += f" and the house {table.money(rake)}, but the pot is {table.money(pot)}"
    raise _at(last, message, f"{table.money(pot - rake)} collected")


def _won(table: Table, collects: Sequence[Collect], back: int) -> dict[int, int]:
    won: dict[int, int] = {}
    for event in collects:
        player = table.player(event.seat)
        if not player.active:
            why = "has folded" if player.folded else "was not dealt in"
            raise _at(event, f"{player} collects {table.money(event.amount)}, but {why}")
        if event.amount < 0:
            raise _at(event, f"{player} collects {table.money(event.amount)}", "zero or more")
        won[event.seat] = won.get(event.seat, 0) + event.amount
    if back and table.returned:
        owner = table.returned[0]
        won[owner] = won.get(owner, 0) - back
        if won[owner] < 0:
            amount = table.money(back)
            raise _at(collects[-1], f"{table.player(owner)} is not paid its uncalled {amount}")
    return {seat: amount for seat, amount in won.items() if amount}


def _check_winners(
    table: Table, won: Mapping[int, int], collects: Sequence[Collect], rake: int
) -> None:
    """Raise ``IllegalMove`` if a seat is paid more or less than it can have won with known hands.

    Odd chips may go to either half and to any tied winner; any pot may pay the rake.
    """
    ranks = table.hand_ranks()
    least = dict.fromkeys(table.active, -rake)
    most = dict.fromkeys(table.active, 0)
    for pot in table.pots:
        for seat, (low, high) in _bounds(pot, ranks, table.game.splits).items():
            least[seat] += low
            most[seat] += high
    lines = {event.seat: event for event in collects}
    for seat in sorted(table.active, key=lambda seat: won.get(seat, 0), reverse=True):
        paid = won.get(seat, 0)
        if not least[seat] <= paid <= most[seat]:
            word, bound = ("most", most[seat]) if paid > most[seat] else ("least", least[seat])
            message = f"{table.player(seat)} is paid {table.money(paid)}"
            message += ", which is not the share its cards win"
            line = lines.get(seat, collects[-1])
            raise _at(line, message, f"at {word} {table.money(bound)}")


def _bounds(pot: Pot, ranks: Ranks, splits: bool) -> dict[int, tuple[int, int]]:
    """Return the least and the most that each seat can win of a pot, given the known hands."""
    parts = halves(pot, ranks)
    bounds: dict[int, tuple[int, int]] = {}
    if parts is None:
        low = splits and any(ranks[seat][1] is not None for seat in pot.seats if seat in ranks)
        high_most = (pot.amount + 1) // 2 if low else pot.amount
        most = dict.fromkeys(best_seats(pot.seats, ranks), high_most)
        if splits:
            for seat in best_seats(pot.seats, ranks, 1):
                most[seat] = min(pot.amount, most.get(seat, 0) + (pot.amount + 1) // 2)
        return {seat: (0, amount) for seat, amount in most.items()}
    split = len(parts) > 1 and pot.amount % 2
    for amount, winners in parts:
        odd = 1 if len(winners) > 1 or split else 0
        for seat in winners:
            share = amount // len(winners)
            least, most_won = bounds.get(seat, (0, 0))
            bounds[seat] = least + share - odd, most_won + share + odd
    return bounds
