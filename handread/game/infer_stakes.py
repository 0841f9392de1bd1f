"""Infer the stakes of a record that states none from the chips that players put in.

One hand may not suffice: everybody folds to the bring-in, or all bets are all-ins. So the hands of
a log with one table and one ante form a ``Level``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from handread.game.rules import Stakes, Unit, Variant, variant_of
from handread.game.wagers import plain_events
from handread.history import AGGRESSIVE, Action, Ante, Collect, History, StreetStart, Wager

LevelKey = tuple[str, str, Unit, int]
"""Tournament, table (of a cash game), unit of money, ante."""


@dataclass(frozen=True, slots=True)
class Level:
    """Evidence of the stakes in the hands with one ante."""

    key: LevelKey  # place and ante
    hands: int  # number of hands
    small_bet: int  # the small bet implied by most full bets; 0 without full bets
    agreeing: int  # number of full bets that imply it
    full_bets: int  # number of bets and raises that no stack cut short
    all_in: int  # the largest bet that a stack cut short, as a small bet
    bring_in: int  # the largest bring-in that was posted; short stacks post less
    posted: int  # number of hands where it was posted

    @property
    def decides(self) -> tuple[LevelKey, int, int, int]:
        """The values that determine the stakes of its hands."""
        return self.key, self.small_bet, self.all_in, self.bring_in


def level_key(history: History) -> LevelKey:
    """Return the key of a hand's level."""
    antes = [e.amount or 0 for e in history.events if isinstance(e, Ante)]
    table = "" if history.tournament else history.table
    return history.tournament, table, history.unit, max(antes, default=0)


def levels_of(hands: Iterable[History]) -> dict[LevelKey, Level]:
    """Return the levels of hands that state no stakes."""
    together: dict[LevelKey, list[History]] = {}
    for hand in hands:
        together.setdefault(level_key(hand), []).append(hand)
    return {key: _level(key, level_hands) for key, level_hands in together.items()}


def _level(key: LevelKey, hands: list[History]) -> Level:
    bets = [bet for hand in hands for bet in _full_bets(hand)]
    # An open pair may have doubled a bet: it counts where nothing else is seen.
    certain = [size for size, optional in bets if not optional]
    sizes = Counter(certain or [size for size, _ in bets])
    small, agreeing = min(sizes.items(), key=lambda size: (-size[1], size[0]), default=(0, 0))
    posted = Counter(amount for hand in hands for amount in _bring_ins(hand))
    bring_in = max(posted, default=0)
    return Level(
        key,
        len(hands),
        small_bet=small,
        agreeing=agreeing,
        full_bets=sizes.total(),
        all_in=max(_first_bets(hand)[1] for hand in hands),
        bring_in=bring_in,
        posted=posted[bring_in],
    )


def with_stakes(history: History, level: Level) -> History:
    """Return a hand with the stakes of its level, or its own if its full bets have another size."""
    sizes = [size for size, _ in _full_bets(history)]
    if level.small_bet and sizes and level.small_bet not in sizes:
        level = _level(level.key, [history])
    stakes = _stakes(history, level)
    return replace(history, stakes=stakes, inferred_from=_basis(history, level) if stakes else "")


def infer_stakes(history: History) -> Stakes | None:
    """Return the stakes that the actions show, marked ``inferred``; ``None`` if nothing was posted.

    The ante and the bring-in are the largest posted. The small bet is the size of most full bets: a
    completion or raise on 3rd street, half a bet or raise on 5th street or later, or else a bet or
    raise on 4th street. Without a full bet, it follows from the bring-in by the room's share (half
    if unknown), or is the largest all-in if that is more. If the antes put everybody all-in, it is
    taken to be four antes. A bring-in that nobody posted is the room's share of the small bet. The
    big bet is twice the small one. The rest is custom: in stud high an open pair on 4th street
    doubles the bet; four bets a street, no cap heads-up.
    """
    return _stakes(history, _level(level_key(history), [history]))


def _stakes(history: History, level: Level) -> Stakes | None:
    ante, share = level.key[-1], history.bring_in_share
    game = variant_of(history.variant)
    small = level.small_bet or max(int(level.bring_in / share), level.all_in)
    if not small and (history.nets or any(isinstance(event, Collect) for event in history.events)):
        small = 4 * ante
    if small <= 0:
        return None
    return Stakes(
        ante=ante,
        bring_in=level.bring_in or int(small * share),
        bets=game.bets(small, 2 * small),
        cap=game.cap,
        cap_heads_up=None,
        open_pair_doubles=game.open_pair_street is not None,
        inferred=True,
    )


def _basis(history: History, level: Level) -> str:
    share = history.bring_in_share
    if level.small_bet:
        small = f"{level.agreeing} of {_count(level.full_bets, 'full bet')}"
    elif level.all_in > int(level.bring_in / share):
        small = "no full bet, but a larger all-in"
    elif level.bring_in:
        small = f"no full bet; a bring-in is taken as {share} of the small bet"
    else:
        small = "no bets; the small bet is taken as four antes"
    posted = _count(level.posted, "bring-in") if level.posted else "no bring-in"
    return f"{_count(level.hands, 'hand')} with this ante: {small}, {posted}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _bring_ins(history: History) -> list[int]:
    wagers = [event for event in plain_events(history.events) if isinstance(event, Wager)]
    return [wager.adds or 0 for wager in wagers if wager.action is Action.BRING_IN]


def _raises(history: History) -> Iterator[tuple[int, int, int, Wager]]:
    """Yield the bets and raises: the street, the bet before and after, and the action."""
    street, level = variant_of(history.variant).first, 0
    for event in plain_events(history.events):
        if isinstance(event, StreetStart):
            street, level = event.street, 0
        elif isinstance(event, Wager) and event.action in AGGRESSIVE:
            to = event.to or event.adds or 0
            yield street, level, to, event
            level = to


def _full_bets(history: History) -> list[tuple[int, bool]]:
    """Return the bets and raises before any all-in of their street, as small bets.

    Each comes with True if an open pair may have doubled it. Without any, return the first bet
    that no stack cut short.
    """
    game = variant_of(history.variant)
    bets, cut_short = [], set()
    for street, level, to, event in _raises(history):
        if event.all_in:
            cut_short.add(street)
        if street not in cut_short and to > level:
            small = _small_bet(game, street, to - level, event)
            bets.append((small, street == game.open_pair_street))
    first, _ = _first_bets(history)
    return bets or ([(first, False)] if first else [])


def _small_bet(game: Variant, street: int, size: int, event: Wager) -> int:
    doubled = event.double and street == game.open_pair_street
    return size // 2 if doubled or street >= game.big_bet_from else size


def _first_bets(history: History) -> tuple[int, int]:
    """Return the first bet that no stack cut short and the largest that one did, as small bets."""
    game, largest = variant_of(history.variant), 0
    for street, short, to, event in _raises(history):
        # Over an all-in of at least half a bet this is one more bet; otherwise it completes the
        # bet.
        bet = to - short if 2 * short <= to <= 3 * short else to
        bet = _small_bet(game, street, bet, event)
        if not event.all_in:
            return bet, largest
        largest = max(largest, bet)
    return 0, largest
