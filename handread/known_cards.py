"""The known cards of each seat, in dealt order."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from handread.cards import Card, MaybeCard
from handread.game.rules import Variant, variant_of
from handread.history import Deal, History, Muck, SharedCard, Show


def upcards(history: History) -> dict[int, tuple[MaybeCard, ...]]:
    """Return the upcards of every seat in dealt order, ``None`` for an unseen one."""
    shown: dict[int, tuple[MaybeCard, ...]] = {seat.number: () for seat in history.seats}
    for event in history.events:
        if isinstance(event, Deal) and event.seat in shown:
            shown[event.seat] += event.up
    return shown


def shown_in_full(history: History, game: Variant) -> dict[int, tuple[MaybeCard, ...]]:
    """Return the hands that are shown with all cards, the upcards in their places, by seat."""
    shows = [event for event in history.events if isinstance(event, (Show, Muck))]
    whole = [event for event in shows if len(event.cards) == game.n_cards]
    dealt = upcards(history) if whole else {}
    hands = {}
    for event in whole:
        pairs = zip(event.cards[game.up_places], dealt.get(event.seat, ()), strict=False)
        if all(seen in (None, card) for card, seen in pairs):
            hands[event.seat] = event.cards
    return hands


def in_place(
    event: Show | Muck,
    down: Sequence[MaybeCard],
    up: Sequence[MaybeCard],
    shared: Collection[MaybeCard],
    game: Variant,
) -> Show | Muck:
    """Return a shown hand in dealt order, if the deal determines it.

    Rooms that show a hand in dealt order have the upcards in their places.
    A whole hand with upcards elsewhere is not in dealt order, and any downcard may have come last.
    Nor is a list of more cards than a hand has: Bovada shows the best five for high, then the best
    five for low. The hand that was dealt replaces it.

    ``down`` and ``up`` are the cards that the seat was dealt, ``None`` for an unseen one.
    """
    n_first = game.streets[0].down
    listed = len(event.cards) > game.n_cards
    if listed:
        cards = tuple(card for card in dict.fromkeys(event.cards) if card not in shared)
        dealt = (*down[:n_first], *up, *down[n_first:])
        if None not in dealt and set(cards) <= set(dealt):
            return replace(event, cards=dealt)
        event = replace(event, cards=cards)
    cards, faces = event.cards, set(up)
    whole = len(cards) == game.n_cards and len(faces) == game.dealt[game.last][1]
    if not whole or None in cards or not faces <= set(cards):
        return event
    if set(cards[game.up_places]) == faces and not listed:
        return event
    hidden = [card for card in cards if card not in faces]
    first, last = hidden[:n_first], hidden[n_first:]
    return replace(event, cards=(*first, *up, *last), any_order=bool(last))


def loose_cards(event: Show | Muck) -> tuple[MaybeCard, ...]:
    """Return the three cards of a hand in any order that are not its upcards."""
    return (*event.cards[:2], *event.cards[6:])


def known_downcards(history: History) -> dict[int, tuple[Card, ...]]:
    """Return all downcards that the log reveals, by seat, from deals, shows and summaries.

    A seat has the downcards of the first street, and all if the last one is known, too; their order
    is dealt order if the log gives it. Rooms show a hand in dealt order, so the cards of a shown
    hand that are not upcards are the downcards. Other seats are omitted.
    """
    game = variant_of(history.variant)
    n_first, n_all = game.streets[0].down, game.dealt[game.last][0]
    ups = upcards(history)
    shared = {event.card for event in history.events if isinstance(event, SharedCard)}
    dealt: dict[int, list[MaybeCard]] = {}
    shown: dict[int, list[Card]] = {}
    loose: set[int] = set()
    for event in history.events:
        if isinstance(event, Deal):
            dealt.setdefault(event.seat, []).extend(event.down)
        elif isinstance(event, Show | Muck) and event.seat in ups:
            up = ups[event.seat]
            hand = in_place(event, dealt.get(event.seat, ()), up, shared, game)
            public = {*up, *shared}
            hidden = [c for c in hand.cards if c is not None and c not in public]
            if len(hidden) >= len(shown.get(event.seat, [])):
                shown[event.seat] = hidden
                (loose.add if hand.any_order else loose.discard)(event.seat)
    known: dict[int, tuple[Card, ...]] = {}
    for seat in ups:
        slots = dealt.get(seat, [])
        if seat in loose and (*slots, *[None] * n_all)[:n_all].count(None) > 1:
            continue  # Any of them may have come last.
        fresh = iter(card for card in shown.get(seat, []) if card not in slots)
        filled = [next(fresh, None) if card is None else card for card in slots]
        cards = tuple(card for card in (*filled, *fresh) if card is not None)
        if n_first <= len(cards) <= n_all and None not in filled[:n_first]:
            known[seat] = cards
    return known
