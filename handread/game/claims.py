"""Amounts that a log states beside its events: comparison with the play."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from handread.cards import RANKS
from handread.game.pots import uncalled_part
from handread.game.ranks import HIGH_CARD, HandRank
from handread.game.rules import Variant
from handread.game.settle import Total
from handread.game.steps import Step, put_in
from handread.game.table import Table
from handread.history import Claim, Collect, History, Problem


def check_raise(claim: Claim, step: Step) -> Problem | None:
    """Return the problem of a claim about a raise; ``None`` if the replay agrees."""
    added = put_in(step.before, step.after)
    to = step.before.player(claim.seat).put + added
    amount = added if claim.figure == "added" else to - step.before.bet_to
    return None if claim.amount == amount else _contradiction(claim, step.after.money(amount))


def check_results(history: History, table: Table, totals: Iterable[Total]) -> Iterator[Problem]:
    """Yield the problems of whole-hand claims that the replay (to its final table) contradicts."""
    paid_out = _collected(totals)
    whole = [claim for claim in history.claims if claim.event is None]
    for claim in whole:
        owner, amount = table.returned or (0, 0)
        won, back = paid_out[claim.seat], amount if claim.seat == owner else 0
        bets = table.player(claim.seat).paid
        net = won - bets
        # A room may count the uncalled bet both as won and as put in.
        computed = {"won": (won,), "collects": (won, won + back), "bets": (bets,)}
        computed |= {"wins": (abs(net),), "loses": (abs(net),), "net": (net, net - back)}
        amounts = computed[claim.figure]
        # Where the log lists high and low separately, a seat may have a line for each.
        parts = [part.amount for part in whole if part.figure == "won" and part.seat == claim.seat]
        if claim.figure == "won" and sum(parts) == won:
            continue
        if claim.amount not in amounts:
            yield _contradiction(claim, f"{table.money(amounts[0])} by the play")


def check_lows(history: History, table: Table) -> Iterator[Problem]:
    """Yield the problems of announced lows that the known hands of the final table contradict."""
    ranks = table.hand_ranks() if history.lows else {}
    for claim in history.lows:
        if claim.seat:
            known = claim.seat in ranks and ranks[claim.seat][-1] != claim.low
            seat = claim.seat if known else 0
        else:
            seat = next((seat for seat, rank in ranks.items() if rank[-1] is not None), 0)
        if seat:
            told = low_text(table.game, ranks[seat][-1])
            yield replace(claim.problem, expected=f"{told} of {table.player(seat)}")


def low_text(game: Variant, low: HandRank | None) -> str:
    """Return a low by its ranks, such as "8,6,4,2,A"."""
    if low is None:
        return "no low"
    if low[0] < HIGH_CARD:
        return "a hand with a pair or worse"
    names = f"A{RANKS[:-1]}" if game.ace_is_low else RANKS
    return ",".join(names[-rank] for rank in low[1:])


def unlisted_winnings(history: History, table: Table, totals: Iterable[Total]) -> Iterator[Collect]:
    """Yield the pots that the log omits, computed from its net results, without an uncalled bet."""
    paid_out = _collected(totals)
    paid = {player.seat: player.paid for player in table.players}
    owner, uncalled = uncalled_part(paid, table.active) or (0, 0)
    for net in history.nets:
        back = uncalled if net.seat == owner else 0
        won = paid.get(net.seat, 0) + net.amount - back
        if won > paid_out[net.seat]:
            rest = won - paid_out[net.seat]
            yield Collect(net.seat, rest, line=net.line, column=net.column)


def _collected(totals: Iterable[Total]) -> Counter[int]:
    collected: Counter[int] = Counter()
    for total in totals:
        if isinstance(total, Collect):
            collected[total.seat] += total.amount
    return collected


def _contradiction(claim: Claim, expected: str) -> Problem:
    return replace(claim.problem, expected=expected)
