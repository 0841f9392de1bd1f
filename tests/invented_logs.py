"""An invented log of every format, and what is read of a hand in a few lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from handread import history as hh
from handread.cards import cards_text
from handread.game.replay import replay
from handread.game.wagers import plain_events
from handread.history import History
from tests.logs import log
from tests.program import SAMPLES

STARS = log("pokerstars-dead-ante.txt")
TILT = log("fulltilt-all-in-on-4th-street.txt")
BODOG = log("bovada-double-bet-and-all-in-raise.txt")
WINAMAX = log("winamax-all-in-call.txt")
EXPORT = log("winamax-2016-without-cards.txt")
WINNING = log("winning-side-pot.txt")
WINNING_OLD = log("winning-old-uncalled-bet.txt")
EVERLEAF = log("everleaf-all-in-call.txt")
EVERLEAF_JULY = log("everleaf-without-upcards.txt")
ONGAME = log("ongame-tied-main-and-side-pot.txt")
PARTY = log("partypoker-own-cards-only.txt")
KINGS = log("kingsclub-all-in-without-7th-cards.txt")
ABSOLUTE = log("absolute-all-in-call.txt")
IPOKER = log("ipoker-actions-out-of-order.xml")
MERGE = log("merge-events-out-of-order.xml")
LIKE_STARS = ("fulltilt-2014", "ggpoker", "pokerbros", "runitonce")
"""Rooms with the lines of PokerStars and another first line."""


def step(event: hh.Event) -> str:
    """An event in a word: the seat, what it does, the amount; ``!`` is all-in."""
    said = _step(event)
    return said + "!" * getattr(event, "all_in", False) + "+" * getattr(event, "double", False)


def _step(event: hh.Event) -> str:
    match event:
        case hh.StreetStart(street):
            return f"{street}:"
        case hh.Deal(seat, down, up):
            return f"{seat}={cards_text(down, '')}/{cards_text(up, '')}"
        case hh.SharedCard(card):
            return f"*{cards_text([card])}"
        case hh.Show(seat, shown):
            return f"{seat}shows{cards_text(shown, '')}"
        case hh.Muck(seat, shown):
            return f"{seat}mucks{cards_text(shown, '')}"
        case hh.Collect(seat, amount):
            return f"{seat}won{amount}"
        case hh.TotalPot(amount):
            return f"pot{amount}"
        case hh.Rake(amount):
            return f"rake{amount}"
        case hh.Wager(seat, action):
            return f"{seat}{WORDS[action]}{event.to or event.adds or ''}"
    words: dict[type[hh.Event], str] = {hh.Ante: "a", hh.Uncalled: "back"}
    if type(event) not in words:
        return ""
    chips = getattr(event, "amount", "")
    return f"{getattr(event, 'seat', '')}{words[type(event)]}{chips}"


WORDS = {
    hh.Action.BRING_IN: "i",
    hh.Action.CHECK: "k",
    hh.Action.FOLD: "f",
    hh.Action.BET: "b",
    hh.Action.CALL: "c",
    hh.Action.RAISE: "r",
}


def steps(hand: History) -> Iterator[str]:
    return filter(None, map(step, plain_events(hand.events)))


def unlisted(hand: History) -> list[str]:
    """What is won by net results alone."""
    told = {event.seat: event.amount for event in hand.events if isinstance(event, hh.Collect)}
    won = replay(hand).won if hand.nets else {}
    rest = {seat: amount - told.get(seat, 0) for seat, amount in won.items()}
    return [f"{seat}won{amount}" for seat, amount in rest.items() if amount]


def account(hand: History) -> str:
    """What is read of a hand, street by street, and what its replay makes of it."""
    played = replay(hand)
    play = " ".join([*steps(hand), *unlisted(hand)])
    downcards = {seat: cards_text(cards, "") for seat, cards in played.downcards.items()}
    facts = {"downcards": downcards, "won": played.won, "stacks": played.stacks}
    told = (f"{fact}: {_by_seat(values)}" for fact, values in facts.items())
    return "\n".join(
        [
            f"{hand.source.dialect} {hand.hand_id}, {hand.variant}, hero {hand.hero}",
            re.sub(r" (?=[0-9]:)", "\n", play),
            str(hand.stakes),
            f"{', '.join(told)}, rake: {played.rake}",
        ]
    )


def _by_seat(values: Mapping[int, object]) -> str:
    return " ".join(f"{seat}={value}" for seat, value in sorted(values.items()))


INVENTED = {
    "winamax": WINAMAX,
    "winamax, 2016": EXPORT,
    "winning": WINNING,
    "winning-old": WINNING_OLD,
    "everleaf": EVERLEAF,
    "everleaf in July": EVERLEAF_JULY,
    "ongame": ONGAME,
    "partypoker": PARTY,
    "kingsclub": KINGS,
    "absolute": ABSOLUTE,
    "pokerstars": STARS,
    "fulltilt": TILT,
    "bovada": BODOG,
    "ipoker": IPOKER,
    "merge": MERGE,
    **{name: log(f"{name}-hi-lo-scoop.txt") for name in LIKE_STARS},
}
"""Invented logs of one hand by name: the format, and perhaps the time."""

ONE_EACH = {name: (re.match(r"[\w-]+", name)[0], text) for name, text in INVENTED.items()}
ONE_EACH |= {
    name: (name, (SAMPLES / file).read_text(encoding="utf-8"))
    for name, file in (("saund", "showdown.stud"), ("phh", "full-house.phh"))
}
"""By name: the format of a log of one hand, and its text."""
