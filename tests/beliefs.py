"""What an observer believes of a hand, for tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from handread.cards import N_PAIRS, Card, MaybeCard
from handread.game.replay import replay
from handread.game.steps import Replay, StreetRecord
from handread.history import History
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES, Belief, Update, deal, observe
from handread.inference.players import Model, PlayerModels
from handread.inference.readers import as_reader, read_hand
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS
from handread.policy import Policy, load_policy
from tests import naive

SPLIT = TIE_RULES["split"]


def relabelled(played: Replay, seats: dict[int, int], suits: list[int]) -> Replay:
    """The same play with other seat numbers and other suits, as only the observer sees it."""

    def rename(old: Card) -> Card:
        return old // 4 * 4 + suits[old % 4]

    def card(old: MaybeCard) -> MaybeCard:
        return None if old is None else rename(old)

    streets = tuple(
        replace(
            street,
            upcards={seats[s]: tuple(map(card, up)) for s, up in street.upcards.items()},
            shared=card(street.shared),
            active=tuple(sorted(seats[s] for s in street.active)),
            active_after=tuple(sorted(seats[s] for s in street.active_after)),
            decisions=tuple(
                replace(d, seat=seats[d.seat], active=tuple(sorted(seats[s] for s in d.active)))
                for d in street.decisions
            ),
        )
        for street in played.streets
    )
    downcards = {seats[s]: tuple(map(rename, down)) for s, down in played.downcards.items()}
    history = replace(
        played.history,
        seats=tuple(replace(s, number=seats[s.number]) for s in played.history.seats),
    )
    return replace(played, history=history, streets=streets, downcards=downcards)


def updates_of(history: History, policy: Policy | PlayerModels) -> list[Update]:
    who = policy if isinstance(policy, PlayerModels) else PlayerModels(Model(policy))
    return [u for seen in read_hand(as_reader(who), replay(history), SPLIT) for u in seen.updates]


def numbers_in(value: object) -> Iterator[float]:
    """Every number anywhere in a value, properties that are numbers too."""
    if isinstance(value, np.ndarray):
        yield from value.ravel().tolist()
    elif isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from numbers_in(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from numbers_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from numbers_in(getattr(value, field.name))
        for name, member in vars(type(value)).items():
            if isinstance(member, property) and name != "heading":
                yield from numbers_in(getattr(value, name))


def assert_no_nan(analysis: Analysis) -> None:
    assert not any(math.isnan(x) for x in numbers_in((analysis.stages, analysis.actions)))


def observed(
    streets: tuple[StreetRecord, ...], policy: Policy, ties: str = "split"
) -> tuple[list[Belief], list[Update]]:
    """The beliefs after every event of a hand, and the updates of its actions."""
    beliefs: list[Belief] = []
    updates: list[Update] = []
    belief = None
    for street in streets:
        belief, _ = deal(belief, street)
        beliefs.append(belief)
        for decision in street.decisions:
            belief, update = observe(belief, decision, Model(policy), TIE_RULES[ties])
            beliefs.append(belief)
            updates.append(update)
    return beliefs, updates


def assert_read_as(
    street: StreetRecord,
    ties: str,
    holdings: list[int],
    rows: Mapping[int, np.ndarray],
    value: Callable[[np.ndarray], np.ndarray] | None = None,
) -> naive.Line:
    """Assert that a line is read as by plain sums over the holdings of each seat; return these.

    ``rows`` and ``value`` as in ``naive.read_line``.
    """
    beliefs, updates = observed((street,), load_policy("default"), ties)
    expected = naive.read_line(rows, street.decisions, ties, value)
    assert [update.evidence for update in updates] == pytest.approx(expected.evidence, abs=1e-12)
    for seat, pdd in beliefs[-1].pdds.items():
        assert np.allclose(pdd[holdings], expected.pdds[seat], rtol=0, atol=1e-12)
        assert np.count_nonzero(pdd) <= len(holdings)
    assert sum(beliefs[-1].chances(TIE_RULES[ties]).values()) == pytest.approx(1.0)
    return expected


def plain_without(pdd: np.ndarray, gone: Iterable[Card]) -> np.ndarray:
    """A pdd without some cards, holding by holding."""
    table = PAIR_CARDS if pdd.size == N_PAIRS else TRIPLE_CARDS
    out = pdd.copy()
    for index, holding in enumerate(table.tolist()):
        if not set(holding).isdisjoint(gone):
            out[index] = 0.0
    return np.asarray(out / out.sum())


def viewpoints(played: Replay) -> list[str]:
    """The viewpoints that a hand allows."""
    dealt = played.streets[0].active if played.streets else ()
    seats = [f"seat:{seat}" for seat in played.downcards]
    return ["public", *seats] + ["omniscient"] * all(seat in played.downcards for seat in dealt)
