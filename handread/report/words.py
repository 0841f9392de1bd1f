"""Put figures, actions and seats into words, the same in text, pages and pictures."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np

from handread.game.rules import Unit, Variant, variant_of
from handread.game.steps import Decision, Replay
from handread.inference.hand import Analysis
from handread.inference.ranges import LEVEL, Range
from handread.inference.values import ActionReading, SeatRead, Truth
from handread.inference.viewpoint import PUBLIC
from handread.odds.hand_types import final_name
from handread.report.numbers import ActionFigures, Number


def repeated_words(n: int) -> str:
    """Return the message that hands are left out because they came before."""
    again = "1 hand is" if n == 1 else f"{n:,} hands are"
    return f"repeated: {again} left out, having come before; --keep-repeated keeps them"


def left_out_words(counts: Mapping[str, int]) -> str:
    """Return how many hands were refused, the first count, or left out for another reason."""
    first, *others = [f"{n:,} {why}" for why, n in counts.items() if n or why == "refused"]
    return ", ".join([first, *others])


def visible(text: str) -> str:
    """Return a text with control and direction characters escaped as in Python.

    A log can then not move the cursor, colour the screen or reverse the line.
    """
    return "".join(c if _harmless(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def _harmless(character: str) -> bool:
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


NAME_WIDTH = 16


YOU = " (you)"
"""Follows the label of the seat that is addressed as you."""


def seat_label(replay: Replay, seat: int, you: int | None = None) -> str:
    """Return a seat's number and name, marked if it is yours; a long name is truncated."""
    name, mark = visible(replay.history.seat(seat).name), YOU if seat == you else ""
    room = NAME_WIDTH - len(mark)
    if len(name) > room:
        name = f"{name[: room - 2]}.."
    return (f"{seat} {name}" if name else str(seat)) + mark


def spoken_label(replay: Replay, seat: int) -> str:
    """Return a seat for use in a sentence: its label, or "seat 3" if it has no name."""
    return seat_label(replay, seat) if replay.history.seat(seat).name else f"seat {seat}"


def viewpoint_words(analysis: Analysis) -> str:
    """Return the viewpoint in words: "seen by the public", "seen from seat 3"."""
    if analysis.viewer is not None:
        return f"seen from seat {analysis.viewer}"
    public = analysis.viewpoint == PUBLIC.name
    return "seen by the public" if public else "seen with all cards known"


UPCARDS_ALONE = "the upcards alone"


def cards_seen(analysis: Analysis) -> str:
    """Return the cards that the viewpoint goes by without the bets: "the upcards alone"."""
    if analysis.viewer is not None:
        return "the cards you know"
    return UPCARDS_ALONE if analysis.viewpoint == PUBLIC.name else "all the cards dealt"


def finished_hand(replay: Replay, seat: int) -> str | None:
    """Return the name of a seat's final hand; None unless all its cards are known."""
    game = variant_of(replay.history.variant)
    up = replay.streets[-1].upcards.get(seat, ()) if replay.streets else ()
    shared = [street.shared for street in replay.streets]
    cards = (*replay.downcards_on(game.last).get(seat, ()), *up, *shared)
    known = [card for card in cards if card is not None]
    return final_name(known, game) if len(known) == game.n_cards else None


def action_words(decision: Decision, replay: Replay) -> str:
    """Return an action in words: "completes to 1.00", "calls 2.00 and is all-in"."""
    return wager_words(decision, replay.history.unit)


def wager_words(decision: Decision, unit: Unit) -> str:
    """Like ``action_words``, given the unit of the amounts."""
    words = {
        "fold": "folds",
        "check": "checks",
        "call": f"calls {unit.text(decision.amount)}",
        "bet": f"bets {unit.text(decision.amount)}",
        "raise": f"raises to {unit.text(decision.to)}",
    }[decision.action]
    if decision.completes:
        words = f"completes to {unit.text(decision.to)}"
    return f"{words} and is all-in" if decision.all_in else words


def action_figures(reading: ActionReading, replay: Replay, you: int | None = None) -> ActionFigures:
    """Return an action with its figures; the label of the seat ``you`` is marked."""
    decision = reading.decision
    return ActionFigures(
        n=decision.n,
        seat=decision.seat,
        label=seat_label(replay, decision.seat, you),
        words=action_words(decision, replay),
        expected=Number(reading.evidence, percent_words(reading.evidence)),
        one_in=one_in_words(reading.evidence),
        surprise=bits_figure(reading.surprise_bits) if reading.explained else None,
        information=bits_figure(reading.information_bits),
        truth=truth_figure(reading.truth_bits),
        table=bits_figure(reading.table_bits),
        table_truth=truth_figure(reading.table_truth_bits),
        verdict=verdict(reading.table_truth_bits),
    )


def percent_words(probability: float) -> str:
    """Return a probability in per cent, with one more digit below 10%; "never" for 0."""
    if probability <= 0.0:
        return "never"
    if probability < 0.0005:
        return "<0.1%"
    return f"{probability:.0%}" if probability >= 0.095 else f"{probability:.1%}"


def chance_words(probability: float) -> str:
    """Return a chance to win in per cent, to one decimal place."""
    return f"{probability:.1%}"


def share_words(probability: float) -> str:
    """Return a share of the possible holdings or ends in per cent; "<1%" for small ones."""
    return f"{probability:.0%}" if probability > 0.005 else "<1%"


def one_in_words(probability: float) -> str:
    """Return a probability as odds: "1 in 12", "1 in 1.3"; "never" for 0."""
    if probability <= 0.0:
        return "never"
    times = 1.0 / probability
    return f"1 in {times:,.0f}" if times >= 9.95 else f"1 in {times:.1f}"


def bits_words(bits: float | None, sign: bool = False) -> str:
    """Return bits to two decimal places; "-" for None, words for infinity."""
    if bits is None:
        return "-"
    if math.isinf(bits):
        return "ruled out" if bits < 0 else "inf"
    return f"{bits:+z.2f}" if sign else f"{bits:z.2f}"


def with_unit(words: str) -> str:
    """Return the words of a figure, with "bits" added after a number."""
    return f"{words} bits" if words[-1:].isdigit() else words


def chance_figure(p: float, within: Range | None = None) -> Number:
    """Return a chance to win, with its range if there is one."""
    return Number(p, chance_words(p), range_words(within))


def share_figure(p: float, within: Range | None = None) -> Number:
    """Return a share of the possible holdings or ends, with its range if there is one."""
    return Number(p, share_words(p), range_words(within))


def range_words(within: Range | None) -> str:
    """Return a range, "(12 to 35)"; "" for none or one of a single number."""
    low, high = (f"{100.0 * end:.0f}" for end in within or (0.0, 0.0))
    return "" if low == high else f"({low} to {high})"


def uncertainty_words(analysis: Analysis) -> str:
    """Return the meaning of the ranges of an analysis; "" if it has none."""
    if analysis.drawn is None:
        return ""
    return (
        f"in brackets: {LEVEL:.0%} of the reads by {analysis.draws} draws of the "
        "parameters that the policy was fitted to"
    )


def bits_figure(bits: float, sign: bool = False) -> Number:
    """Return bits, with a plus sign for positive ones if ``sign`` is set."""
    return Number(bits if math.isfinite(bits) else None, bits_words(bits, sign))


def truth_figure(bits: float | None) -> Number | None:
    """Return bits about the true downcards; None if these are unknown."""
    return None if bits is None else bits_figure(bits, sign=True)


def verdict(bits: float | None) -> str:
    """Return "true" or "false" for an action that moved the read of the truth by some bits.

    "" if it moved it little, or the downcards are unknown.
    """
    if bits is None or abs(bits) < LITTLE_BITS:
        return ""
    return "true" if bits > 0.0 else "false"


def place_words(truth: Truth) -> str:
    """Return the rank of the truth among the possible holdings, the likeliest first."""
    return f"{truth.rank:.0f} of {truth.live}"


def ordinal(n: int) -> str:
    """Return an ordinal number: "4,431st"."""
    teen = n // 10 % 10 == 1
    return f"{n:,}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def ranked_words(truth: Truth) -> str:
    """Return the rank of the truth for a sentence: "ranked 4,431st of 4,495"."""
    return f"ranked {ordinal(round(truth.rank))} of {truth.live:,}"


def place_note(line: int, column: int) -> str:
    """Return a position in a file: "line 11", "line 11, column 34"."""
    return f"line {line}" if column <= 1 else f"line {line}, column {column}"


def lines_words(first: int, last: int) -> str:
    """Return the lines of a hand: "line 3", "lines 3 to 12"."""
    return f"lines {first} to {last}" if last > first else f"line {first}"


def stakes_words(replay: Replay) -> str:
    """Return ante, bring-in and bets in one line."""
    unit, stakes = replay.history.unit, replay.stakes
    small, big = stakes.bets[0], stakes.bets[-1]
    bring_in = f"bring-in {unit.text(stakes.bring_in)}, " if stakes.bring_in else ""
    basis = replay.history.inferred_from or "the actions"
    guess = f" (worked out from {basis})" if stakes.inferred else ""
    return (
        f"ante {unit.text(stakes.ante)}, {bring_in}"
        f"bets {unit.text(small)} and {unit.text(big)}{guess}"
    )


def game_words(replay: Replay) -> str:
    """Return the game, its stakes and the number of seats in one line."""
    game = variant_of(replay.history.variant)
    return f"{game.title} · {stakes_words(replay)} · {len(replay.history.seats)} seats"


class PrizeWords(NamedTuple):
    """Words for the part of the pot that a seat may expect.

    Attributes:
        chance: Its name: "chance to win".
        chances: The plural of the name.
        to_win: What follows a figure in a sentence: "20.7% to win".
        head: Its name at the head of a column.
    """

    chance: str
    chances: str
    to_win: str
    head: str

    @property
    def title(self) -> str:
        """The name as a heading: "Chance to win"."""
        return self.chance[0].upper() + self.chance[1:]

    @property
    def titles(self) -> str:
        """The plural as a heading: "Chances to win"."""
        return self.chances[0].upper() + self.chances[1:]


_WHOLE = PrizeWords("chance to win", "chances to win", "to win", "to win")
_SHARED = PrizeWords("share of the pot", "shares of the pot", "of the pot", "of pot")


def prize_words(game: Variant) -> PrizeWords:
    """Return the words for a chance to win or, where high and low share the pot, for a share."""
    return _SHARED if game.splits else _WHOLE


SURPRISING_BITS = 3.0
TELLING_BITS = 1.0
LITTLE_BITS = 0.25
TURN = 0.10
"""A change in a chance to win that a player would notice."""

SHIFT = 0.05
"""The smallest change in a probability that is mentioned."""

EXPECTED = 0.4
"""The least probability of an expected action."""

NOTHING = 0.05
"""An action that rules out less than this part of the holdings tells next to nothing."""

Chances = Mapping[int, float]


def is_notable(action: ActionReading, before: Chances, after: Chances) -> bool:
    """Return True if an action is surprising, informative, or changes a chance to win a lot."""
    seat = action.decision.seat
    turn = abs(after[seat] - before[seat]) if seat in after else 0.0
    telling = action.information_bits >= TELLING_BITS or action.surprise_bits >= SURPRISING_BITS
    return telling or turn >= TURN


def action_sentence(
    action: ActionReading,
    row: ActionFigures,
    reads: tuple[SeatRead, SeatRead],
    chances: tuple[Chances, Chances],
) -> str:
    """Return a sentence on the information in an action.

    ``reads`` and ``chances`` are those before and after the action.
    """
    if row.surprise is None:
        return _unexplained(*reads)
    return " ".join(
        (
            expected_words(action, row),
            *_shifts(*reads),
            *_turn(action.decision.seat, *chances, prize_words(reads[0].game)),
        )
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


def expected_words(action: ActionReading, row: ActionFigures) -> str:
    """Return how often players do this, and how much it told."""
    lead = "Expected: players" if action.evidence > EXPECTED else "Players"
    told = told_words(action.information_bits)
    return f"{lead} like these do this {often_words(row)}. {told}"


def often_words(row: ActionFigures) -> str:
    """Return how often players do this: "19% of the time", "1 time in 26"; "" for never."""
    if row.surprise is None or row.surprise.value is None or not row.expected.value:
        return ""
    if row.surprise.value >= SURPRISING_BITS:
        return f"1 time in {1 / row.expected.value:,.0f}"
    return f"{row.expected.words} of the time"


def told_words(bits: float) -> str:
    """Return how much an action told, as the part of the possible holdings that it rules out.

    Bits that a part of the holdings is worth are -log2 of the part that is left.
    """
    part = 1.0 - 2.0**-bits
    if part < NOTHING:
        return "It tells next to nothing."
    return f"It rules out {_part_ruled_out(bits)} of what they could have."


def _part_ruled_out(bits: float) -> str:
    left = 2.0**-bits
    return f"all but {part_words(left)}" if left < 0.1 else f"about {part_words(1.0 - left)}"


def _shifts(before: SeatRead, after: SeatRead) -> Iterator[str]:
    """Yield the families that became likelier, and those that became less likely.

    Kinds are named where no family moved far.
    """
    old, new = (
        {name: p.bet_inference for name, p in r.families().items()} for r in (before, after)
    )
    if max(abs(new.get(name, 0.0) - old.get(name, 0.0)) for name in {*old, *new}) < SHIFT:
        old, new = ({kind.words: p for kind, p in r.by_kind.items()} for r in (before, after))
    moves = {name: new.get(name, 0.0) - old.get(name, 0.0) for name in sorted({*old, *new})}
    for word, sign in (("Likelier now", 1.0), ("Less likely", -1.0)):
        ordered = sorted(moves, key=lambda name: -sign * moves[name])[:2]
        told = [
            f"{name}, {share_words(old.get(name, 0.0))} to {share_words(new.get(name, 0.0))}"
            for name in ordered
            if sign * moves[name] >= SHIFT
        ]
        if told:
            yield f"{word}: {'; '.join(told)}."


def _turn(seat: int, before: Chances, after: Chances, prize: PrizeWords) -> Iterator[str]:
    """Yield the change in the actor's chance to win, if it is large."""
    if seat in after and abs(after[seat] - before[seat]) >= SHIFT:
        verb = "rises" if after[seat] > before[seat] else "falls"
        yield f"The {prize.chance} {verb} from {_from_to(seat, before, after)}."


def _from_to(seat: int, before: Chances, after: Chances) -> str:
    return f"{chance_words(before[seat])} to {chance_words(after[seat])}"


def truth_sentence(action: ActionReading, before: SeatRead) -> str:
    """Return the effect of an action on the read of the true downcards, if they are known."""
    bits = action.truth_bits
    if bits is None:
        return ""
    if before.truth is not None and before.truth.probability <= 0.0:
        return "The true downcards were ruled out before."
    if math.isinf(bits):
        return "Players like these never play the true downcards so."
    times = times_words(bits)
    if times == "about":
        return "It left the true downcards about as likely as they were."
    return f"It made the true downcards {times} as likely."


def deal_sentence(
    labels: Mapping[int, str],
    news: Mapping[int, float],
    before: Chances | None,
    after: Chances,
    prize: PrizeWords = _WHOLE,
    cards: str = UPCARDS_ALONE,
) -> str:
    """Return what a deal revealed and whom it helped.

    ``before`` is None on the first street; ``cards`` are those that the viewpoint goes by then.
    """
    if before is None:
        return f"By {cards}, {_first_words(labels, after, prize)}"
    moves = {seat: after[seat] - before.get(seat, 0.0) for seat in after}
    parts = []
    for verb, sign in (("help", 1.0), ("hurt", -1.0)):
        seat = max(moves, key=lambda seat: sign * moves[seat])
        if sign * moves[seat] >= SHIFT:
            parts.append(
                f"{verb} {labels[seat]}: from {_from_to(seat, before, after)} {prize.to_win}."
            )
    most = max(news, key=lambda seat: news[seat])
    if math.isinf(news[most]):
        parts.append(f"refute the read of {labels[most]}, which starts again.")
    elif news[most] >= LITTLE_BITS:
        ruled_out = _part_ruled_out(news[most])
        parts.append(f"rule out {ruled_out} of what {labels[most]} could have.")
    subjects = chain(["The cards"], repeat("They"))
    told = (f"{subject} {part}" for subject, part in zip(subjects, parts, strict=False))
    return " ".join(told) or "The cards change little."


def _first_words(labels: Mapping[int, str], chances: Chances, prize: PrizeWords) -> str:
    """Return who has the best chance at the start: all seats whose printed figures are equal."""
    most = chance_words(max(chances.values()))
    best = [labels[seat] for seat in chances if chance_words(chances[seat]) == most]
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


_PARTS = (
    (0.95, "nearly all"),
    (0.9, "nine tenths"),
    (0.8, "four fifths"),
    (0.75, "three quarters"),
    (2 / 3, "two thirds"),
    (0.6, "three fifths"),
    (0.5, "half"),
    (0.4, "two fifths"),
    (1 / 3, "a third"),
    (0.3, "three tenths"),
    (0.25, "a quarter"),
    (0.2, "a fifth"),
    (1 / 6, "a sixth"),
    (1 / 8, "an eighth"),
    (0.1, "a tenth"),
    (1 / 15, "a fifteenth"),
    (1 / 20, "a twentieth"),
)


def part_words(part: float) -> str:
    """Return a part of a whole as a simple fraction: "a sixth"; "1/140" for small parts."""
    if part < 1 / 25:
        return f"1/{1 / part:,.0f}"
    return min(_PARTS, key=lambda one: abs(math.log(one[0] / part)))[1]
