"""What can be done to the lines of a log, one edit at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from numpy.random import Generator

from tests.fuzz.hostile import CARDS, CHARACTERS, NUMBERS, PHRASES
from tests.fuzz.logs import Logs
from tests.fuzz.luck import pick, span

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_CARD = re.compile(r"\b(?:(?:10|[2-9TJQKA])[cdhs]|[CDHS](?:10|[2-9TJQKA]))\b")
_WORD = re.compile(r"\S+")

LONG = 200_000
"""As many characters as one edit may add."""


@dataclass(frozen=True, eq=False)
class Desk:
    """Where lines are edited: the generator, and the logs that other lines and words are from."""

    rng: Generator
    logs: Logs

    def hostile(self) -> str:
        """A text that nobody should have in a log."""
        return pick(self.rng, pick(self.rng, (CHARACTERS, PHRASES, PHRASES)))

    def at(self, lines: Sequence[str]) -> int:
        return int(self.rng.integers(len(lines)))


Edit = Callable[[Desk, list[str]], None]
"""Changes lines, of which there is one at least."""


# Whole lines


def drop(desk: Desk, lines: list[str]) -> None:
    del lines[span(desk.rng, len(lines), 3)]


def double(desk: Desk, lines: list[str]) -> None:
    part = span(desk.rng, len(lines), 4)
    lines[part.stop : part.stop] = lines[part]


def swap(desk: Desk, lines: list[str]) -> None:
    a = desk.at(lines)
    b = (a + 1) % len(lines) if desk.rng.random() < 0.5 else desk.at(lines)
    lines[a], lines[b] = lines[b], lines[a]


def move(desk: Desk, lines: list[str]) -> None:
    part = span(desk.rng, len(lines), 6)
    moved = lines[part]
    del lines[part]
    to = int(desk.rng.integers(len(lines) + 1))
    lines[to:to] = moved


def foreign(desk: Desk, lines: list[str]) -> None:
    lines.insert(desk.at(lines), pick(desk.rng, desk.logs.lines))


def hostile_line(desk: Desk, lines: list[str]) -> None:
    """A line that is no line of a log."""
    lines.insert(desk.at(lines), desk.hostile())


def blank(desk: Desk, lines: list[str]) -> None:
    at = desk.at(lines)
    lines[at : at + int(desk.rng.integers(2))] = [pick(desk.rng, ("", " ", "\t", "\xa0", "\u3000"))]


def again_and_again(desk: Desk, lines: list[str]) -> None:
    at = desk.at(lines)
    lines[at:at] = [lines[at][:200]] * int(desk.rng.integers(2, 300))


def stretched(desk: Desk, lines: list[str]) -> None:
    """A piece of a line some thousand times: what takes the square of its length shows."""
    at = desk.at(lines)
    text = lines[at]
    part = span(desk.rng, len(text), 12)
    word = pick(desk.rng, text.split() or [""])
    piece = pick(desk.rng, (text[part], word, pick(desk.rng, ("a.", "[", "1, ", "-1, ", "{a="))))
    times = min(int(desk.rng.integers(2, 30_000)), LONG // (len(piece) + 1))
    lines[at] = text[: part.start] + piece * times + text[part.start :]


def joined(desk: Desk, lines: list[str]) -> None:
    at = desk.at(lines)
    lines[at : at + 2] = [pick(desk.rng, ("", " ", "\t", "\r", "\0")).join(lines[at : at + 2])]


# Within a line


def split(desk: Desk, lines: list[str]) -> None:
    """A line that breaks off and goes on in the next, or is lost from there."""
    at = desk.at(lines)
    where = int(desk.rng.integers(len(lines[at]) + 1))
    rest = [lines[at][where:]] if desk.rng.random() < 0.5 else []
    lines[at : at + 1] = [lines[at][:where], *rest]


def character(desk: Desk, lines: list[str]) -> None:
    """A character more, less, or another one."""
    at = desk.at(lines)
    where = int(desk.rng.integers(len(lines[at]) + 1))
    known = pick(desk.rng, pick(desk.rng, desk.logs.lines) or " ")
    new = pick(desk.rng, (known, pick(desk.rng, CHARACTERS), ""))
    lines[at] = lines[at][:where] + new + lines[at][where + int(desk.rng.integers(2)) :]


def blanks(desk: Desk, lines: list[str]) -> None:
    """Blanks at an end, or a blank that is something else."""
    at = desk.at(lines)
    white = pick(desk.rng, (" ", "  ", "\t", "\xa0", "\u2003", "\x1c", "\x0b", ""))
    before, after = pick(desk.rng, ((white, ""), ("", white), ("", "")))
    text = lines[at] if before or after else lines[at].replace(" ", white, 1)
    lines[at] = before + text + after


def case(desk: Desk, lines: list[str]) -> None:
    """A line in capitals, or in none."""
    at = desk.at(lines)
    change = pick(desk.rng, (str.upper, str.lower, str.swapcase, str.title))
    lines[at] = change(lines[at])


def number(desk: Desk, lines: list[str]) -> None:

    def other(old: str) -> str:
        found = Decimal(old.replace(",", ""))
        near = (found + 1, found - 1, found * 10, found / 2, found + Decimal("0.01"))
        return pick(desk.rng, (str(pick(desk.rng, near)), pick(desk.rng, NUMBERS)))

    _in_a_line(desk, lines, _NUMBER, other)


def number_of_the_log(desk: Desk, lines: list[str]) -> None:
    """A number that stands somewhere else in the text."""
    numbers = _NUMBER.findall("\n".join(lines))
    if numbers:
        _in_a_line(desk, lines, _NUMBER, lambda old: pick(desk.rng, numbers))


def scaled(desk: Desk, lines: list[str]) -> None:
    """All numbers in some other measure."""
    tail = pick(desk.rng, ("0", "00", "000000", ".5", "0" * 12))
    lines[:] = [_NUMBER.sub(lambda found: found[0] + tail, line) for line in lines]


def card(desk: Desk, lines: list[str]) -> None:
    cards = _CARD.findall("\n".join(lines)) or ["2c"]
    kinds = (cards, cards, CARDS)
    _in_a_line(desk, lines, _CARD, lambda old: pick(desk.rng, pick(desk.rng, kinds)))


def card_everywhere(desk: Desk, lines: list[str]) -> None:
    """A card in place of another one, wherever that stands."""
    cards = _CARD.findall("\n".join(lines))
    if cards:
        _everywhere(lines, pick(desk.rng, cards), pick(desk.rng, (*cards, "2c", "As")))


def word(desk: Desk, lines: list[str]) -> None:
    def other(old: str) -> str:
        return pick(desk.rng, (pick(desk.rng, desk.logs.words), desk.hostile()))

    _in_a_line(desk, lines, _WORD, other)


def words_swapped(desk: Desk, lines: list[str]) -> None:
    at = desk.at(lines)
    words = lines[at].split(" ")
    a, b = desk.at(words), desk.at(words)
    words[a], words[b] = words[b], words[a]
    lines[at] = " ".join(words)


def inserted(desk: Desk, lines: list[str]) -> None:
    at = desk.at(lines)
    where = int(desk.rng.integers(len(lines[at]) + 1))
    lines[at] = lines[at][:where] + desk.hostile() + lines[at][where:]


# Names


def name(desk: Desk, lines: list[str]) -> None:
    """Somebody, perhaps, with another name on one line."""
    if found := _name(desk, lines):
        _in_a_line(desk, lines, re.compile(rf"\b{found}\b"), lambda old: _new_name(desk, lines))


def name_everywhere(desk: Desk, lines: list[str]) -> None:
    """Somebody, perhaps, with another name throughout."""
    if found := _name(desk, lines):
        _everywhere(lines, found, _new_name(desk, lines))


def _name(desk: Desk, lines: Sequence[str]) -> str:
    """What may be a name, empty where nothing may."""
    words = desk.logs.own_words("\n".join(lines))
    return pick(desk.rng, words) if words else ""


def _new_name(desk: Desk, lines: list[str]) -> str:
    """A name: hostile, somebody else's, or a piece of the log."""
    word_here = pick(desk.rng, "\n".join(lines).split() or [""])
    return pick(desk.rng, (desk.hostile(), desk.hostile(), word_here, _name(desk, lines)))


LINES: Sequence[Edit] = (drop, double, swap, move, foreign, hostile_line, blank, joined)
INSIDE: Sequence[Edit] = (split, character, blanks, case, word, words_swapped, inserted)
VALUES: Sequence[Edit] = (number, number_of_the_log, card, card_everywhere, name, name_everywhere)
RARE: Sequence[Edit] = (again_and_again, stretched, scaled)


def edit(desk: Desk, lines: list[str]) -> None:
    """Does one thing to lines; nothing is left to be done to none."""
    if lines:
        kinds = (LINES, INSIDE, INSIDE, VALUES, VALUES, VALUES)
        rare = desk.rng.random() < 0.03
        pick(desk.rng, RARE if rare else pick(desk.rng, kinds))(desk, lines)


def _in_a_line(
    desk: Desk, lines: list[str], pattern: re.Pattern[str], other: Callable[[str], str]
) -> None:
    """Puts something else in one of the places where a pattern stands."""
    places = [(n, found.span()) for n, text in enumerate(lines) for found in pattern.finditer(text)]
    if places:
        n, (start, end) = pick(desk.rng, places)
        text = lines[n]
        lines[n] = text[:start] + other(text[start:end]) + text[end:]


def _everywhere(lines: list[str], old: str, new: str) -> None:
    whole = re.compile(rf"\b{re.escape(old)}\b")
    times = sum(len(whole.findall(line)) for line in lines)
    new = new[: LONG // max(1, times)]
    lines[:] = [whole.sub(lambda found: new, line) for line in lines]
