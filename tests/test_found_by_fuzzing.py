"""Inputs on which the reader once failed, as small as they could be made, in words of our own."""

from __future__ import annotations

import tracemalloc
from time import process_time

from handread.engine import replay
from handread.history import History, Problem
from handread.notation import read_bytes


def read(text: str, name: str) -> list[History | Problem]:
    """All that is read, each hand replayed."""
    readings = list(read_bytes(text.encode(), name))
    for reading in readings:
        if isinstance(reading, History):
            replay(reading)
    return readings


def test_many_wrong_items_of_a_field_are_one_problem() -> None:
    """Each was a problem with a copy of its line: 80 kB took 2.5 GB, and time by the square."""
    wrong = "-1.5, " * 3_000
    text = f'variant = "F7S"\nantes = [{wrong}]\nstarting_stacks = [{wrong}]\n'
    tracemalloc.start()
    (hand,) = read(text, "many.phh")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000_000
    assert isinstance(hand, History)
    messages = [problem.message for problem in hand.problems]
    assert messages.count("antes holds what is no amount") == 1
    assert messages.count("starting_stacks holds what is no amount") == 1


def test_a_key_of_thousands_of_parts_is_a_problem() -> None:
    """TOML's parser takes the square of their number: 64 kB took 23 s and 4 GB."""
    for key in ("a." * 32_000 + "a", "a . " * 32_000 + "a", '"a".' * 32_000 + "a"):
        for text in (f"{key} = 1", f"[{key}]", f"x = {{ {key} = 1 }}"):
            start = process_time()
            (problem,) = read(f'variant = "F7S"\n{text}\n', "deep.phh")
            assert process_time() - start < 1
            assert isinstance(problem, Problem)
            assert (problem.line, problem.message) == (2, "a key of more than 100 parts")


def test_a_key_of_some_parts_is_none() -> None:
    key = ".".join(["a"] * 100)
    readings = read(f'variant = "F7S"\n{key} = 1\n', "deep.phh")
    assert all(isinstance(reading, History) for reading in readings)
