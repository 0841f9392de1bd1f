"""Sentences on the information in an action or a deal, the same in text, pages and pictures."""

import math
from collections.abc import Iterator, Mapping
from itertools import chain, repeat

import numpy as np

import handread.report.words as wording
from handread.inference.stages import ActionReading, SeatRead

SURPRISING_BITS = 3.0
TELLING_BITS = 1.0
TURN = 0.10
"""A change in a chance to win that a player would notice."""

SHIFT = 0.05
"""The smallest change in a probability that is mentioned."""

EXPECTED = 0.4
"""The least probability of an expected action."""

NOTHING = 0.05
"""An action that rules out less than this part of the holdings says little."""

LITTLE = "It says little."
Chances = Mapping[int, float]


def is_notable(action: ActionReading, before: Chances, after: Chances) -> bool:
    """Return True if an action is surprising, informative, or changes a chance to win a lot."""
    seat = action.decision.seat
    turn = abs(after[seat] - before[seat]) if seat in after else 0.0
    telling = action.information_bits >= TELLING_BITS or action.surprise_bits >= SURPRISING_BITS
    return telling or turn >= TURN


def action_sentence(
    action: ActionReading,
    row: wording.ActionFigures,
    reads: tuple[SeatRead, SeatRead],
    chances: tuple[Chances, Chances],
) -> str:
    """Return a sentence on an action; ``reads`` and ``chances`` are before and after it."""
    if row.surprise is None:
        return _unexplained(*reads)
    told, shifts = expected_words(action, row), "; ".join(_shifts(*reads))
    if shifts:
        told = f"{told[:-1]}: {shifts}." if told.endswith(LITTLE) else f"{told} Now {shifts}."
    return " ".join(
        (told, *_turn(action.decision.seat, *chances, wording.prize_words(reads[0].game)))
    )


def _unexplained(before: SeatRead, after: SeatRead) -> str:
    """Return the effect of an action that the policy takes with no possible holding."""
    if np.count_nonzero(before.cards_only_pdd) == 1:
        return "Players like these never play these downcards so."
    if np.array_equal(before.pdd, after.pdd):
        return "Players like these never do this; the read goes on as if it had not been seen."
    return (
        "Players like these never do this with what is possible from here; the read starts again."
    )


def expected_words(action: ActionReading, row: wording.ActionFigures) -> str:
    """Return how often players do this, and how informative it was."""
    lead = "Expected: players" if action.evidence > EXPECTED else "Players"
    told = told_words(action.information_bits)
    return f"{lead} like these do this {often_words(row)}. {told}"


def often_words(row: wording.ActionFigures) -> str:
    """Return how often players do this: "19% of the time", "1 time in 26"; "" for never."""
    if row.surprise is None or row.surprise.value is None or not row.expected.value:
        return ""
    if row.surprise.value >= SURPRISING_BITS:
        return f"1 time in {1 / row.expected.value:,.0f}"
    return f"{row.expected.words} of the time"


def told_words(bits: float) -> str:
    """Return the part of the possible holdings that an action rules out, 1 - 2**-bits."""
    part = 1.0 - 2.0**-bits
    if part < NOTHING:
        return LITTLE
    return f"It rules out {_part_ruled_out(bits)} of what they could have."


def _part_ruled_out(bits: float) -> str:
    left = 2.0**-bits
    return f"all but {part_words(left)}" if left < 0.1 else f"about {part_words(1.0 - left)}"


def _shifts(before: SeatRead, after: SeatRead) -> Iterator[str]:
    """Yield the families that gained, then those that lost; kinds where no family moved far."""
    old, new = (
        {name: p.bet_inference for name, p in r.families().items()} for r in (before, after)
    )
    if max(map(abs, share_moves(old, new).values())) < SHIFT:
        old, new = ({kind.words: p for kind, p in r.by_kind.items()} for r in (before, after))
    moves = share_moves(old, new)
    for sign in (1.0, -1.0):
        for name in sorted(moves, key=lambda name: -sign * moves[name])[:2]:
            if sign * moves[name] >= SHIFT:
                yield f"{name} {from_to(name, old, new)}"


def share_moves(old: Mapping[str, float], new: Mapping[str, float]) -> dict[str, float]:
    """Return by how much each share of a whole changed, by name in alphabetical order."""
    return {name: new.get(name, 0.0) - old.get(name, 0.0) for name in sorted({*old, *new})}


def from_to(name: str, old: Mapping[str, float], new: Mapping[str, float]) -> str:
    """Return how a share changed in words: "12% → 30%"."""
    return f"{wording.share_words(old.get(name, 0.0))} → {wording.share_words(new.get(name, 0.0))}"


def _turn(seat: int, before: Chances, after: Chances, prize: wording.PrizeWords) -> Iterator[str]:
    """Yield the change in the actor's chance to win, if it is large."""
    if seat in after and abs(after[seat] - before[seat]) >= SHIFT:
        verb = "rises" if after[seat] > before[seat] else "falls"
        yield f"The {prize.chance} {verb} from {chance_from_to(seat, before, after)}."


def chance_from_to(seat: int, before: Chances, after: Chances) -> str:
    """Return how a chance to win changed in words: "12.0% to 30.5%"."""
    return f"{wording.chance_words(before.get(seat, 0.0))} to {wording.chance_words(after[seat])}"


def truth_sentence(action: ActionReading, before: SeatRead) -> str:
    """Return the effect of an action on the read of the true downcards, if they are known."""
    bits = action.truth_bits
    if bits is None:
        return ""
    if before.truth is not None and before.truth.probability <= 0.0:
        return "The true downcards were ruled out before."
    if math.isinf(bits):
        return "Players like these never play the true downcards so."
    return f"It {moved_words(bits, 'the true downcards')}."


def moved_words(bits: float, cards: str) -> str:
    """Return by how much an action moved the belief in true cards: "made ... twice as likely"."""
    times = times_words(bits)
    verb, than = ("left", " as before") if times == "about" else ("made", "")
    return f"{verb} {cards} {times} as likely{than}"


def deal_sentence(
    labels: Mapping[int, str],
    news: Mapping[int, float],
    before: Chances | None,
    after: Chances,
    prize: wording.PrizeWords = wording.WHOLE_POT,
    cards: str = wording.UPCARDS_ALONE,
) -> str:
    """Return the news of a deal, and whom it helped or hurt.

    ``before`` is None on the first street, where the viewpoint goes by ``cards``.
    """
    if before is None:
        return f"By {cards}, {_first_words(labels, after, prize)}"
    moves = {seat: after[seat] - before.get(seat, 0.0) for seat in after}
    parts = []
    for verb, sign in (("help", 1.0), ("hurt", -1.0)):
        seat = max(moves, key=lambda seat: round(sign * moves[seat], 9))
        if sign * moves[seat] >= SHIFT:
            parts.append(
                f"{verb} {labels[seat]}: from {chance_from_to(seat, before, after)} {prize.to_win}."
            )
    most = max(news, key=lambda seat: round(news[seat], 9))
    if math.isinf(news[most]):
        parts.append(f"refute the read of {labels[most]}, which starts again.")
    elif news[most] >= wording.LITTLE_BITS:
        ruled_out = _part_ruled_out(news[most])
        parts.append(f"rule out {ruled_out} of what {labels[most]} could have.")
    subjects = chain(["The cards"], repeat("They"))
    told = (f"{subject} {part}" for subject, part in zip(subjects, parts, strict=False))
    return " ".join(told) or "The cards change little."


def _first_words(labels: Mapping[int, str], chances: Chances, prize: wording.PrizeWords) -> str:
    """Return who has the best chance at the start, with all ties in the printed figures."""
    most = wording.chance_words(max(chances.values()))
    best = [labels[seat] for seat in chances if wording.chance_words(chances[seat]) == most]
    if len(best) == 1:
        return f"{best[0]} is ahead: {most} {prize.to_win}."
    return f"{', '.join(best[:-1])} and {best[-1]} are ahead: {most} each."


def is_turn(news: Mapping[int, float], before: Chances | None, after: Chances) -> bool:
    """Return True if a deal changes a chance to win a lot or is informative."""
    if before is None:
        return False
    turns = max(abs(after[seat] - before.get(seat, 0.0)) for seat in after)
    return turns >= TURN or max(news.values()) >= TELLING_BITS


def times_words(bits: float) -> str:
    """Return the factor 2^bits, to go before "as likely": "11 times", "twice", "a fifth"."""
    factor = 2.0**bits
    if factor >= 9.5:
        return f"{factor:,.0f} times"
    if factor >= 1.05:
        times = f"{factor:.1f}".removesuffix(".0")
        return "twice" if times == "2" else f"{times} times"
    return part_words(factor) if factor < 0.95 else "about"


def chance_times(bits: float) -> str:
    """Return 2^bits as a multiple of a chance: "12 times the chance", "a fifth of the chance"."""
    times = times_words(bits)
    of = "" if times == "about" or times.endswith(("times", "twice")) else "of "
    return f"{times} {of}the chance"


_PARTS = (
    *((0.95, "nearly all"), (0.9, "nine tenths"), (0.8, "four fifths"), (0.75, "three quarters")),
    *((2 / 3, "two thirds"), (0.6, "three fifths"), (0.5, "half"), (0.4, "two fifths")),
    *((1 / 3, "a third"), (0.3, "three tenths"), (0.25, "a quarter"), (0.2, "a fifth")),
    *((1 / 6, "a sixth"), (1 / 8, "an eighth"), (0.1, "a tenth"), (1 / 15, "a fifteenth")),
    (1 / 20, "a twentieth"),
)


def part_words(part: float) -> str:
    """Return a part of a whole as a simple fraction: "a sixth"; "1/140" for small parts."""
    if part < 1 / 25:
        return f"1/{1 / part:,.0f}"
    return min(_PARTS, key=lambda named: abs(math.log(named[0] / part)))[1]
