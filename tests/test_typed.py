"""Values as bytes, and back: nothing is lost, and nothing but the types asked for is made."""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.arrays import Floats
from handread.cards import Card
from handread.history import Action
from handread.parallel import RunError
from handread.typed import packed, read_typed, unpacked, write_typed


class Pair(NamedTuple):
    one: int
    other: Action


@dataclass(frozen=True)
class Value:
    name: str
    cards: tuple[Card, ...]
    numbers: Mapping[int, float | None]
    pairs: list[Pair]
    sure: bool = False
    tally: bytes = b""
    within: Value | str | None = None


INTEGERS = st.integers(-(2**63), 2**64 - 1)

VALUES = st.builds(
    Value,
    st.text(),
    st.lists(st.integers(0, 51).map(Card)).map(tuple),
    st.dictionaries(INTEGERS, st.floats(allow_nan=False) | st.none()),
    st.lists(st.builds(Pair, INTEGERS, st.sampled_from(Action))),
    st.booleans(),
    st.binary(),
    st.recursive(
        st.none() | st.text(),
        lambda inner: st.builds(
            Value, st.text(), st.just(()), st.just({}), st.just([]), within=inner
        ),
        max_leaves=3,
    ),
)


@given(VALUES)
def test_nothing_is_lost(value: Value) -> None:
    again = unpacked(Value, packed(value))
    assert again == value
    assert all(type(card) is Card for card in again.cards)
    assert all(type(pair.other) is Action for pair in again.pairs)


@pytest.mark.parametrize("shape", [(0, 3), (3,), (2, 2), ()])
def test_arrays_keep_every_bit_and_their_shape(shape: tuple[int, ...], tmp_path: Path) -> None:
    array = np.full(shape, math.pi)
    if array.size:
        array.flat[0] = math.nan
        array.flat[-1] = -math.inf
    write_typed([array, array[..., :0] if shape else array], tmp_path / "a")
    again, _ = read_typed(list[Floats], tmp_path / "a")
    assert again.dtype == array.dtype
    assert np.array_equal(again, array, equal_nan=True)


GOOD: dict[str, Any] = msgspec.msgpack.decode(
    packed(Value("a", (Card(3),), {4: 0.5}, [Pair(1, Action.FOLD)])), strict=False
)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": 3},
        {"name": None},
        {"cards": [52]},
        {"cards": [-1]},
        {"cards": [True]},
        {"cards": "3"},
        {"cards": {}},
        {"numbers": [4]},
        {"numbers": {4: "0.5"}},
        {"numbers": {"4": 0.5}},
        {"pairs": [[1, "folds"]]},
        {"pairs": [[1]]},
        {"pairs": [[1, "fold", 2]]},
        {"sure": 1},
        {"tally": 3},
        {"within": 3},
        {"within": {}},
    ],
    ids=str,
)
def test_what_has_another_type_is_refused(wrong: dict[str, Any]) -> None:
    assert unpacked(Value, packed(GOOD)).name == "a"
    with pytest.raises(ValueError, match=r"."):
        unpacked(Value, packed(GOOD | wrong))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"\x91" * 100_000,
        b"\xc0",
        pickle.dumps([1]),
        b"\x91\x03",
        b"\xdd\xff\xff\xff\xff",
    ],
    ids=range(8),
)
def test_a_damaged_file_is_named(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "part"
    file.write_bytes(content)
    with pytest.raises(RunError, match=r"part: this part does not fit this run"):
        read_typed(list[Value], file)


def test_characters_that_no_file_can_hold_are_escaped(tmp_path: Path) -> None:
    value = [Value("a\udc80", (Card(3),), {4: math.inf}, [])]
    write_typed(value, tmp_path / "a")
    again = read_typed(list[Value], tmp_path / "a")
    assert again == [Value("a\\udc80", (Card(3),), {4: math.inf}, [])]
