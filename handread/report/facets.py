"""The sort keys of reports of your results: room, stake, cards, position, end."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from handread.cards import rank_of
from handread.game.rules import STREET_NAMES, variant_of
from handread.game.steps import Decision, Replay, StreetRecord
from handread.history import AGGRESSIVE, Action
from handread.odds.hand_types import rank_word
from handread.report.honesty import with_article
from handread.report.spots import kind_on
from handread.report.words import ordinal

RESULTS_BY = {
    "family": "your first cards, in kinds",
    "start": "your first cards, in full",
    "kicker": "your first cards, with the kicker",
    "position": "position behind the bring-in",
    "front": "what was in front of you",
    "end": "how it ended",
    "variant": "game",
    "game": "game and stake",
    "players": "number of players",
    "room": "room",
    "table": "table",
    "month": "month",
    "day": "day",
    "weekday": "day of the week",
}


class Facets(NamedTuple):
    """The words that group a hand; empty where they do not apply."""

    room: str = ""  # the format of the log, which is the room
    variant: str = ""
    family: str = ""  # your kind of holding on the first street
    start: str = ""  # the same in full: "split kings"
    kicker: str = ""  # the same, with the kicker of a pair
    position: str = ""  # your seat, counted from the player who acts first
    front: str = ""  # the actions of others before your first decision
    end: str = ""  # how the hand ended for you


NO_FACETS = Facets()


def facets_of(replay: Replay, you: int | None) -> Facets:
    """Return the facets of a hand for the player whose log it is."""
    history = replay.history
    common = Facets(history.source.dialect, variant_of(history.variant).title)
    if not replay.streets or you not in replay.streets[0].active:
        return common
    assert you is not None
    first = replay.streets[0]
    family, start, kicker = _first_cards(replay, first, you)
    return common._replace(
        family=family,
        start=start,
        kicker=kicker,
        position=_position(first.active, first.decisions, you),
        front=_front(first.decisions, you),
        end=_end(replay, you),
    )


def _first_cards(replay: Replay, first: StreetRecord, you: int) -> tuple[str, str, str]:
    """Return "split pair", "split kings", "split kings with an ace"; empty if unknown."""
    kind = kind_on(replay, first, you)
    if kind is None:
        return "", "", ""
    cards = *replay.downcards_on(first.number)[you], *first.upcards[you]
    ranks = Counter(rank_of(card) for card in cards if card is not None)
    others = [rank for rank, n in ranks.items() if n == 1]
    is_pair = len(ranks) == 2 and len(others) == 1
    kicker = f" with {with_article(rank_word(others[0]))}" if is_pair else ""
    return kind.family, kind.words, kind.words + kicker


def _position(active: Iterable[int], decisions: Iterable[Decision], you: int) -> str:
    """Return how many seats you sit behind the player who acts first: "bring-in", "2nd behind"."""
    seats, first = sorted(active), next((decision.seat for decision in decisions), None)
    if first is None:
        return ""
    behind = (seats.index(you) - seats.index(first)) % len(seats)
    if behind == 0:
        return "bring-in"
    return "last" if behind == len(seats) - 1 else f"{ordinal(behind)} behind"


def _front(decisions: Iterable[Decision], you: int) -> str:
    """Return the actions of others before your first decision that is not the bring-in."""
    calls = raises = 0
    for decision in decisions:
        if decision.action == Action.BRING_IN:
            continue
        if decision.seat == you:
            if raises:
                return "a completion" if raises == 1 else "a raise"
            return ("nobody in", "a caller")[calls] if calls < 2 else "several callers"
        calls += decision.action == Action.CALL
        raises += decision.action in AGGRESSIVE
    return ""


def _end(replay: Replay, you: int) -> str:
    """Return how a hand ended for you: "won at showdown", "folded on 5th street"."""
    for street in replay.streets:
        if you not in street.active_after:
            return f"folded on {STREET_NAMES[street.number]} street"
    if not replay.finished:
        return ""
    if len(replay.streets[-1].active_after) == 1:
        return "won without a showdown"
    return "won at showdown" if replay.won.get(you, 0) > 0 else "lost at showdown"
