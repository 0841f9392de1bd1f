"""Plain form of wagers: a definite action, with its amount in one convention."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from handread.history import AGGRESSIVE, Action, Event, StreetStart, Wager


def plain_wager(wager: Wager, put: int = 0, bet_to: int = 0, bring_in: int = 0) -> Wager:
    """Return a wager in plain form: a raise with its total, other actions with the chips added.

    An omitted amount stays ``None``; ``Table`` fills it in. ``put`` has the chips of the seat on
    this street before the wager, ``bet_to`` the bet to match, ``bring_in`` the bring-in posted on
    this street; all in minor units.
    """
    if is_plain(wager):
        return wager
    action, adds, to = wager.action, wager.adds, wager.to
    if to is None:
        to = None if adds is None else put + adds
    elif wager.over_bring_in:
        to += bring_in
    if action is Action.CHECK_OR_CALL:
        action = Action.CALL if bet_to > put else Action.CHECK
    elif action is Action.BET_OR_RAISE:
        action = Action.RAISE if bet_to else Action.BET
    elif action is Action.ALL_IN:
        action = Action.BET if not bet_to else Action.CALL if (to or 0) <= bet_to else Action.RAISE
    raises = action is Action.RAISE
    adds = None if raises or to is None else to - put
    to = to if raises else None
    made = wager.seat, action, adds, to, wager.all_in, wager.double
    return Wager(*made, line=wager.line, column=wager.column)


def short_bring_in(wager: Wager, stack: int | None, bring_in: int) -> Wager:
    """Return a wager in place of the bring-in, as a bring-in if that takes the whole stack.

    Logs may call it an all-in, a bet or a completion. Amounts are in minor units.
    """
    amount = wager.adds if wager.to is None else wager.to
    put_in = stack if amount is None else amount
    if wager.action not in (Action.ALL_IN, Action.BET_OR_RAISE, Action.CALL, *AGGRESSIVE):
        return wager
    if put_in is None or put_in > bring_in or not (wager.all_in or put_in == stack):
        return wager
    return replace(wager, action=Action.BRING_IN, adds=amount, to=None, over_bring_in=False)


_OPEN = (Action.CHECK_OR_CALL, Action.BET_OR_RAISE, Action.ALL_IN)
"""Actions that depend on the table."""


def is_plain(wager: Wager) -> bool:
    """Return True for a wager in plain form."""
    action = wager.action
    if action is Action.RAISE:
        return wager.adds is None and not wager.over_bring_in
    return wager.to is None and action not in _OPEN


def check_plain(events: Iterable[Event]) -> None:
    """Raise ``ValueError`` for a wager that is not in plain form.

    A format without a word for it would have to guess: PHH has one word for check and call, and the
    bet that decides between them may follow from the rules.
    """
    for event in events:
        if isinstance(event, Wager) and not is_plain(event):
            raise ValueError(
                f"{event.action.value!r} of seat {event.seat} is not written out: replay the hand, "
                "and write what handread.game.replay.written_out returns"
            )


def plain_events(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events with their wagers in plain form, judged by the stated amounts alone."""
    put: Counter[int] = Counter()
    bet_to = bring_in = 0
    for event in events:
        if isinstance(event, StreetStart):
            put.clear()
            bet_to = bring_in = 0
        elif isinstance(event, Wager):
            wager = plain_wager(event, put[event.seat], bet_to, bring_in)
            to = put[event.seat] = wager.to or put[event.seat] + (wager.adds or 0)
            bet_to = max(bet_to, to)
            if wager.action is Action.BRING_IN:
                bring_in = to
            yield wager
            continue
        yield event
