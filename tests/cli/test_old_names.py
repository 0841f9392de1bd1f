"""Commands and options of earlier versions: they still work, and say how they are written now."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from handread.cli.old_names import COMMANDS, OPTIONS, renewed
from tests.cli.test_help import COMMANDS as KNOWN
from tests.program import run_here

FILLED = {"N": "7"}
"""What stands for the arguments of the tables."""


def filled(words: str) -> list[str]:
    return [FILLED.get(word, word.lower()) for word in words.split()]


def rows() -> Iterator[tuple[list[str], str, str]]:
    """The words of an old command, the old name and the new one."""
    for old, new in COMMANDS.items():
        yield filled(old), old, new
    for one in OPTIONS:
        for command in one.commands:
            yield [*command.split(), *filled(one.old)], one.old, one.new


ROWS = {" ".join(words): (words, old, new) for words, old, new in rows()}


@pytest.mark.parametrize("row", ROWS)
def test_an_old_name_works_and_the_new_one_is_told_in_a_line(row: str) -> None:
    words, old, new = ROWS[row]
    done = run_here(*words, "--help")
    assert done.returncode == 0, done.stderr
    line = f"handread: {old} is now {new or 'the default'}"
    assert " ".join(done.stderr.split()) == line
    today = [word for word in filled(new) if word.startswith("-")]
    assert all(word in done.stdout for word in today)
    settings = re.findall(r"--set (\S+)=", new)
    assert all(re.search(rf"^│ {name}=", done.stdout, re.M) for name in settings)
    again, said = renewed(renewed(words, lambda _: ())[0], lambda _: ())
    assert said == []
    assert tuple(again[: len(command_of(again))]) == command_of(again)


def command_of(words: list[str]) -> tuple[str, ...]:
    """The longest beginning that is the name of a command."""
    return max((known for known in KNOWN if tuple(words[: len(known)]) == known), key=len)


def test_a_value_may_follow_the_equals_sign() -> None:
    assert renewed(["query", "t", "--limit=3"], lambda _: ())[0] == ["query", "t", "--top", "3"]


def test_what_follows_two_dashes_is_no_option() -> None:
    words = ["query", "--", "t", "--limit"]
    assert renewed(words, lambda _: ()) == (words, [])
