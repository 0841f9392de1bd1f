"""Plain words for what a moment told, made from the numbers that stand beside them.

Every number in a sentence has the words that the tables print for it, and a sentence says that
something rises or falls only where these words differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import chain, repeat

import numpy as np

from handread.holdings import kinds
from handread.reading import ActionReading, SeatRead
from handread.report.value import ActionRow
from handread.report.words import bits_words, chance_words, share_words

SURPRISING_BITS = 3.0
TELLING_BITS = 1.0
LITTLE_BITS = 0.25
TURN = 0.10
"""A move of a chance to win that a player would remark on."""

SHIFT = 0.05
"""A move of a probability that is worth a word."""

Chances = Mapping[int, float]


def is_notable(action: ActionReading, before: Chances, after: Chances) -> bool:
    """Whether an action surprises, tells a bit, or turns a chance to win."""
    seat = action.decision.seat
    turn = abs(after[seat] - before[seat]) if seat in after else 0.0
    telling = action.information_bits >= TELLING_BITS or action.surprise_bits >= SURPRISING_BITS
    return telling or turn >= TURN


def action_sentence(
    action: ActionReading,
    row: ActionRow,
    reads: tuple[SeatRead, SeatRead],
    chances: tuple[Chances, Chances],
) -> str:
    """What an action told; ``reads`` and ``chances`` are those before it and after it."""
    if row.surprise is None:
        return _unexplained(*reads)
    return " ".join(
        (
            _how_expected(action, row),
            *_shifts(*reads),
            *_turn(action.decision.seat, *chances),
        )
    )


def _unexplained(before: SeatRead, after: SeatRead) -> str:
    """What becomes of a read when no hand that is possible from the viewpoint plays so."""
    if np.count_nonzero(before.guess) == 1:
        return "The policy never plays these downcards so."
    if np.array_equal(before.pdd, after.pdd):
        return "No hand of the policy plays so; the read goes on as if it had not been seen."
    return "No hand that is possible from here plays so by the policy; the read starts again."


def _how_expected(action: ActionReading, row: ActionRow) -> str:
    told = f"it told {row.told.words} bits." if row.told.words != "0.00" else "it told nothing."
    if action.surprise_bits >= SURPRISING_BITS:
        return f"A surprise, {row.one_in} under the model: {told}"
    if row.told.words != "0.00" and round(action.information_bits, 2) < LITTLE_BITS:
        told = f"it told little, {row.told.words} bits."
    return f"The model gave it {row.expected.words}: {told}"


def _shifts(before: SeatRead, after: SeatRead) -> Iterator[str]:
    """The kinds of holding that have become likelier, and those that have become less likely."""
    old, new = (
        {kind.words: p for kind, p in kinds(read.pdd, read.htpd, read.up).items()}
        for read in (before, after)
    )
    moves = {kind: new.get(kind, 0.0) - old.get(kind, 0.0) for kind in sorted({*old, *new})}
    for word, sign in (("Likelier now", 1.0), ("Less likely", -1.0)):
        ordered = sorted(moves, key=lambda kind: -sign * moves[kind])[:2]
        told = [
            f"{kind}, {share_words(old.get(kind, 0.0))} to {share_words(new.get(kind, 0.0))}"
            for kind in ordered
            if sign * moves[kind] >= SHIFT
        ]
        if told:
            yield f"{word}: {'; '.join(told)}."


def _turn(seat: int, before: Chances, after: Chances) -> Iterator[str]:
    """How the actor's chance to win has moved."""
    if seat in after and abs(after[seat] - before[seat]) >= SHIFT:
        verb = "rises" if after[seat] > before[seat] else "falls"
        yield f"The chance to win {verb} from {_from_to(seat, before, after)}."


def _from_to(seat: int, before: Chances, after: Chances) -> str:
    return f"{chance_words(before[seat])} to {chance_words(after[seat])}"


def truth_sentence(action: ActionReading, before: SeatRead) -> str:
    """How an action moved the read of the true downcards; empty where they are not known."""
    bits = action.truth_bits
    if bits is None:
        return ""
    if before.truth is not None and before.truth.probability <= 0.0:
        return "The true downcards were ruled out before."
    if math.isinf(bits):
        return "By the policy nobody plays the true downcards so."
    if abs(bits) < 0.005:
        return "It left the true downcards as likely as they were."
    way = "likelier" if bits > 0 else "less likely"
    return f"It made the true downcards {way}: {bits_words(bits, sign=True)} bits."


def deal_sentence(
    labels: Mapping[int, str], news: Mapping[int, float], before: Chances | None, after: Chances
) -> str:
    """What a deal told, and whom it helped; ``before`` is None on 3rd street."""
    if before is None:
        return _first_sentence(labels, after)
    moves = {seat: after[seat] - before.get(seat, 0.0) for seat in after}
    parts = []
    for verb, sign in (("help", 1.0), ("hurt", -1.0)):
        seat = max(moves, key=lambda seat: sign * moves[seat])
        if sign * moves[seat] >= SHIFT:
            parts.append(f"{verb} {labels[seat]}, {_from_to(seat, before, after)} to win.")
    most = max(news, key=lambda seat: news[seat])
    if math.isinf(news[most]):
        parts.append(f"refute the read of {labels[most]}, which starts again.")
    elif news[most] >= LITTLE_BITS:
        parts.append(f"tell {bits_words(news[most])} bits about {labels[most]}.")
    subjects = chain(["The cards"], repeat("They"))
    told = (f"{subject} {part}" for subject, part in zip(subjects, parts, strict=False))
    return " ".join(told) or "The cards change little."


def _first_sentence(labels: Mapping[int, str], chances: Chances) -> str:
    """Whose chances are best at the start; all of them whose figures read the same."""
    most = chance_words(max(chances.values()))
    best = [labels[seat] for seat in chances if chance_words(chances[seat]) == most]
    if len(best) == 1:
        return f"By the cards in view {best[0]} is best off: {most} to win."
    return f"By the cards in view {', '.join(best[:-1])} and {best[-1]} are best off: {most} each."


def is_turn(news: Mapping[int, float], before: Chances | None, after: Chances) -> bool:
    """Whether a deal turns a chance to win or tells a bit."""
    if before is None:
        return False
    turns = max(abs(after[seat] - before.get(seat, 0.0)) for seat in after)
    return turns >= TURN or max(news.values()) >= TELLING_BITS
