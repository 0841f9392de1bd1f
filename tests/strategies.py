"""Hypothesis strategies: hands, records of them, spots and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from handread.game.rules import SAUND_STAKES, Stakes
from handread.game.steps import DecisionPoint
from handread.history import Deal, Event, History
from handread.policy import LogitPolicy, PolicyFile, Provenance, Ramp, RampPolicy
from handread.policy.logit import FEATURES
from tests.hands import ROOM_STAKES, random_hand

STAKES = (SAUND_STAKES, ROOM_STAKES)
DEEPEST = (None, 4, 12, 40)


def legal_hands(
    stakes: Sequence[Stakes] = STAKES,
    deepest: Sequence[int | None] = DEEPEST,
    explicit: Sequence[bool] = (True, False),
) -> st.SearchStrategy[History]:
    """Legal hands of two to eight players, with and without stacks, all-ins and side pots."""
    return st.builds(
        random_hand,
        seed=st.integers(0, 2**32),
        n_players=st.integers(2, 8),
        stakes=st.sampled_from(stakes),
        deepest=st.sampled_from(deepest),
        explicit=st.sampled_from(explicit),
    )


def without_downcards(event: Event) -> Event:
    """A deal of which no downcard was seen; any other event as it is."""
    return replace(event, down=(None,) * len(event.down)) if isinstance(event, Deal) else event


def half_hidden(history: History, rng: Random) -> History:
    """The hand with some downcards unseen: of a seat none, the last, or all of them."""
    hides = {seat.number: rng.choice((3, 7, 9)) for seat in history.seats}
    street, found = 3, list[Event]()
    for event in history.events:
        street = getattr(event, "street", street)
        hidden = isinstance(event, Deal) and street >= hides[event.seat]
        found.append(without_downcards(event) if hidden else event)
    return replace(history, events=tuple(found))


def spoilt(history: History, rng: Random) -> History:
    """The hand as a bad record has it: cut short, an event lost, twice, or out of order."""
    events = list(history.events)
    at = rng.randrange(len(events))
    match rng.randrange(4):
        case 0:
            del events[at:]
        case 1:
            del events[at]
        case 2:
            events.insert(at, events[at])
        case _:
            events.insert(rng.randrange(len(events)), events.pop(at))
    return replace(history, events=tuple(events))


def seeds() -> st.SearchStrategy[Random]:
    return st.integers(0, 2**32).map(Random)


def bad_hands() -> st.SearchStrategy[History]:
    return st.builds(spoilt, legal_hands(), seeds())


def spot(**changes: Any) -> DecisionPoint:
    """Four players; a bet of 100 to call into a pot of 300 on 4th street."""
    fields: dict[str, Any] = {
        "n": 1,
        "street": 4,
        "seat": 1,
        "to_call": 100,
        "pot": 300,
        "active": (1, 2, 3, 4),
        "can_fold": True,
        "can_raise": True,
        "raises_left": 3,
        "later_bets": 600,
        "forced": False,
        "raises": 1,
        "leader": 2,
        "acted": (2,),
    }
    return DecisionPoint(**(fields | changes))


@st.composite
def spots(draw: st.DrawFn) -> DecisionPoint:
    to_call = draw(st.sampled_from([0, 25, 75, 100, 200, 600]))
    return spot(
        active=tuple(range(1, draw(st.integers(2, 8)) + 1)),
        to_call=to_call,
        pot=draw(st.integers(25, 5000)),
        later_bets=draw(st.sampled_from([0, 200, 400, 600, 700])),
        can_raise=draw(st.booleans()),
        can_fold=to_call > 0 and draw(st.booleans()),
    )


NAMES = st.one_of(
    st.text(min_size=1, max_size=60),
    st.sampled_from(
        [
            *(
                "a: folds",
                "a",
                "a:",
                " a",
                "a ",
                "[As] ölé",
                "Mr. calls 5",
                "老王",
                "x (5)",
                "\\d+",
            ),
            *("PokerStars Hand #1", "Seat 1", "*** SUMMARY ***", "Dealt to", "\u2028", "{seat}"),
            *("a\nb", "a\rb", "a  b", "Total pot 5 | Rake 0", "'", "[7h]", "\ue000", "Ann shows"),
        ]
    ),
)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


POLICY_NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


PROBABILITIES = st.floats(0, 1)


@st.composite
def ramps(draw: st.DrawFn) -> Ramp:
    x0, x1 = sorted(draw(st.tuples(*[st.floats(-1e3, 1e3)] * 2)))
    return Ramp(x0, x1, draw(PROBABILITIES), draw(PROBABILITIES))


def written_alike(name: str) -> dict[str, st.SearchStrategy[Any]]:
    return {
        "name": st.just(name),
        "title": TEXTS,
        "source": TEXTS,
        "lapse": PROBABILITIES,
        "likelihood_exponent": st.floats(0, 1, exclude_min=True),
    }


def ramp_policies(name: str) -> st.SearchStrategy[RampPolicy]:
    own = {"bet": ramps(), "raise_": ramps(), "fold": ramps(), "bluff": PROBABILITIES}
    return st.builds(RampPolicy, **written_alike(name), **own)


def _weights(rng: Random, some: list[float]) -> tuple[float, ...]:
    """Weights of which some are given: to draw each by itself takes long."""
    found = [rng.uniform(-1e6, 1e6) for _ in FEATURES]
    for weight in some:
        found[rng.randrange(len(found))] = weight
    return tuple(found)


def logit_policies(name: str) -> st.SearchStrategy[LogitPolicy]:
    weights = st.builds(_weights, seeds(), st.lists(st.floats(-1e6, 1e6), max_size=9))
    return st.builds(LogitPolicy, **written_alike(name), bet=weights, fold=weights, raise_=weights)


PROVENANCES = st.builds(
    Provenance,
    version=TEXTS,
    hands=st.integers(0, 10**9),
    actions=st.integers(0, 10**9),
    known=st.integers(0, 10**9),
    evidence_bits=st.floats(-1e12, 0),
    penalty=st.floats(0, 1e6),
    seen=st.lists(st.text("0123456789abcdef", min_size=8, max_size=8)).map(tuple),
)


@st.composite
def policy_files(draw: st.DrawFn) -> PolicyFile:
    family = draw(st.sampled_from([ramp_policies, logit_policies]))
    name = draw(POLICY_NAMES)
    players = {n: draw(family(f"{name}#{n}")) for n in draw(st.lists(POLICY_NAMES, max_size=3))}
    return PolicyFile(draw(family(name)), players, draw(st.none() | PROVENANCES))
