"""Lines are read by plain expressions; pyparsing, which defines the forms, says the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyparsing as pp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.formats.grammar import Grammar, load_grammars
from handread.formats.line_patterns import LinePattern
from handread.formats.text import NotTextError, plain_line_ends
from tests.decoding import decode
from tests.examples import is_thorough
from tests.program import SAMPLES

GRAMMARS = [grammar for grammar in load_grammars() if isinstance(grammar, Grammar)]
FIGURE = re.compile(r"\d|(?<=[2-9TJQKA])[cdhs]")


def by_definition(rule: LinePattern, line: str) -> dict[str, str | None] | None:
    """The groups that the form's element of pyparsing finds in a line."""
    try:
        found = rule.element.parse_string(line, parse_all=True)
    except pp.ParseException:
        return None
    return dict(found[0].groupdict())


def assert_same(grammar: Grammar, line: str) -> int:
    """Both ways find the same in a line by every form; how many forms fit."""
    fits = 0
    for rule in grammar.rules:
        match = rule.match(line)
        groups = match.groupdict() if match else None
        assert groups == by_definition(rule, line), (rule.template, line)
        fits += match is not None
    return fits


def shapes(files: list[Path]) -> Iterator[str]:
    """The lines of logs, one of those that differ in figures alone."""
    seen = set()
    for path in files:
        try:
            text = plain_line_ends(decode(path.read_bytes()))
        except NotTextError:
            continue
        for line in map(str.rstrip, text.split("\n")):
            shape = FIGURE.sub("0", line)
            if shape not in seen and len(line) <= 500:
                seen.add(shape)
                yield line


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.name)
def test_every_line_of_the_samples(grammar: Grammar) -> None:
    lines = list(shapes(sorted(SAMPLES.glob("*.txt"))))
    assert sum(bool(assert_same(grammar, line)) for line in lines) > 20


def test_every_line_of_real_logs(real_hands: Path) -> None:
    for grammar in GRAMMARS:
        own = [path for path in sorted(real_hands.rglob("*")) if _is_of(grammar, path)]
        lines = list(shapes(own))[:: 1 if is_thorough() else 6]
        fits = sum(bool(assert_same(grammar, line)) for line in lines)
        assert fits > 3 or grammar.name == "absolute"


def _is_of(grammar: Grammar, path: Path) -> bool:
    return path.is_file() and bool(
        grammar.starts.search(plain_line_ends(decode(path.read_bytes())))
    )


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.name)
@given(data=st.data())
def test_every_changed_line(grammar: Grammar, data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(grammar.rules)).example
    for _ in range(data.draw(st.integers(0, 3))):
        at, n = data.draw(st.integers(0, len(line))), data.draw(st.integers(0, 4))
        new = st.text(max_size=4) | st.sampled_from([" ", "\t", "\n", "\r", "$1", "[As", "Lena: "])
        line = line[:at] + data.draw(new) + line[at + n :]
    assert_same(grammar, line)
