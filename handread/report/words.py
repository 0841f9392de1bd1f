"""Put figures, actions and seats into words, the same in text, pages and pictures."""

import math
import re
import shlex
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from handread.bits import rounded
from handread.game.pots import best_seats
from handread.game.rules import Unit, Variant, variant_of
from handread.game.steps import Decision, Replay
from handread.history import History
from handread.inference.hand_analysis import Analysis
from handread.inference.ranges import LEVEL, Range
from handread.inference.stages import ActionReading, Truth
from handread.inference.viewpoint import PUBLIC
from handread.odds.hand_types import final_name


class Number(NamedTuple):
    """A probability or bits, None where infinite, as printed; ``within`` is "(40 to 59)" or ""."""

    value: float | None
    point: str
    within: str = ""

    @property
    def words(self) -> str:
        """The figure with its range: "52% (40 to 59)"."""
        return f"{self.point} {self.within}" if self.within else self.point


@dataclass(frozen=True, slots=True)
class ActionFigures:
    """A voluntary action: its probability and the information in it.

    ``surprise`` is None if the policy takes the action with no holding. ``information`` is about
    the downcards; ``truth`` is the bits on the true downcards, None if they are unknown. ``table``
    and ``table_truth`` are the same for players who see no downcards; ``verdict`` is "true" or
    "false" if their read moved towards or away from the true downcards, else "".
    """

    n: int
    seat: int
    words: str
    expected: Number
    one_in: str
    surprise: Number | None
    information: Number
    truth: Number | None
    table: Number
    table_truth: Number | None
    verdict: str

    @property
    def for_table(self) -> Self:
        """The same action as players see it who do not know the downcards."""
        return replace(self, information=self.table, truth=self.table_truth)


class ActionColumn(NamedTuple):
    """A figure of an action in the tables of text and pages, and in a page's list of a moment.

    ``name`` is for the list. One that is ``on_truth`` needs known downcards.
    """

    head: str
    name: str
    figure: Callable[[ActionFigures], Number | None]
    in_bits: bool = True
    on_truth: bool = False

    def words(self, action: ActionFigures, beyond: str) -> str:
        """Return the figure in words; ``beyond`` where the policy does not explain the action."""
        figure = self.figure(action)
        if figure is None:
            return "-" if self.on_truth else beyond
        return figure.words


BEYOND = "beyond the model"
"""The words of pages for an action that the policy takes with no holding."""

ACTION_COLUMNS = (
    ActionColumn("expected", "expected", lambda action: action.expected, in_bits=False),
    ActionColumn("surprise", "surprise", lambda action: action.surprise),
    ActionColumn("told", "told", lambda action: action.information),
    ActionColumn("truth", "on the true downcards", lambda action: action.truth, on_truth=True),
)


def action_columns(actions: Collection[ActionFigures]) -> list[ActionColumn]:
    """Return the columns of a table of actions: those on the truth only if it is known."""
    known = any(action.truth is not None for action in actions)
    return [column for column in ACTION_COLUMNS if known or not column.on_truth]


def repeated_words(n: int) -> str:
    """Return the message that hands are left out because they came before."""
    again = "1 hand is" if n == 1 else f"{n:,} hands are"
    return f"repeated: {again} left out, having come before; --keep-repeated keeps them"


def hidden_words(n: int) -> str:
    """Return in how many of your hands your downcards are not known, as an aside; "" for none."""
    return f" (the log hides your downcards in {n:,})" if n else ""


def left_out_words(counts: Mapping[str, int]) -> str:
    """Return how many hands were refused, the first count, or left out for another reason."""
    first, *others = [f"{n:,} {why}" for why, n in counts.items() if n or why == "refused"]
    return ", ".join([first, *others])


def safe_words(text: str) -> str:
    """Return a text of a log, perhaps empty, made short and safe for the name of a file."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:SAFE_LENGTH].rstrip("-.")


def command_line(words: Iterable[str]) -> str:
    """Return the words of a command as the shell of this system takes them."""
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)


def visible(text: str) -> str:
    """Return a text with control and direction characters escaped as in Python.

    So a log cannot move the cursor, colour the screen or reverse the line.
    """
    return "".join(c if _harmless(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def _harmless(character: str) -> bool:
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


SAFE_LENGTH = 40
"""The most characters of a text of a log in the name of a file."""

NAME_WIDTH = 16

YOU = " (you)"
"""Follows the label of your seat."""


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


UPCARDS_ALONE = "the upcards alone"


def viewpoint_words(analysis: Analysis) -> tuple[str, str]:
    """Return the viewpoint in words, and the cards that it goes by without the bets."""
    if analysis.viewer is not None:
        return f"seen from seat {analysis.viewer}", "the cards you know"
    if analysis.viewpoint == PUBLIC.name:
        return "seen by the public", UPCARDS_ALONE
    return "seen with all cards known", "all the cards dealt"


def finished_hand(replay: Replay, seat: int) -> str | None:
    """Return the name of a seat's final hand; None unless all its cards are known."""
    cards = replay.final_cards(seat)
    return None if cards is None else final_name(cards, variant_of(replay.history.variant))


def won_words(replay: Replay, seat: int) -> str:
    """Return a seat's winnings: "wins 6.00"; in hi/lo also with which half, if known."""
    words = f"wins {replay.history.unit.text(replay.won[seat])}"
    game = variant_of(replay.history.variant)
    # With side pots, a winner may have had the best hand of those in a side pot only.
    if not game.splits or not replay.showdown or len(replay.pots) > 1:
        return words
    hands = [(seat_won, replay.final_cards(seat_won)) for seat_won in replay.won]
    ranks = {seat_won: game.ranks(cards) for seat_won, cards in hands if cards is not None}
    if len(ranks) < len(hands):
        return words
    named = enumerate(("the high", "the low"))
    won = [half for n, half in named if seat in best_seats(ranks, ranks, n)]
    return f"{words} with {' and '.join(won)}" if won else words


def hand_title(history: History) -> str:
    """Return the title of a hand."""
    return f"Hand {visible(history.hand_id) or '?'}"


def result_lines(replay: Replay, you: int | None = None) -> Iterator[str]:
    """Yield who won what, or why nobody did, and the rake; the seat ``you`` is called you."""
    for seat in replay.won:
        words = won_words(replay, seat)
        yield (
            f"you {words.replace('wins', 'win', 1)}"
            if seat == you
            else f"{spoken_label(replay, seat)} {words}"
        )
    if replay.played_out and not replay.finished:
        yield "The log does not say who won."
    elif not replay.finished:
        yield "The log ends before the hand does."
    elif not replay.won:
        yield "There was no pot to win."
    if replay.rake:
        yield f"rake {replay.history.unit.text(replay.rake)}"


def action_words(decision: Decision, unit: Unit, yours: bool = False) -> str:
    """Return "calls 2.00 and is all-in"; for ``yours``, after "You", "call 2.00 and are all-in"."""
    amount = {
        "call": f" {unit.text(decision.amount)}",
        "bet": f" {unit.text(decision.amount)}",
        "raise": f" to {unit.text(decision.to)}",
    }.get(decision.action, "")
    verb = "complete" if decision.completes else decision.action
    words = f"{verb}{'' if yours else 's'}{amount}"
    return f"{words} and {'are' if yours else 'is'} all-in" if decision.all_in else words


def action_figures(reading: ActionReading, replay: Replay) -> ActionFigures:
    """Return an action with its figures."""
    decision = reading.decision
    return ActionFigures(
        n=decision.n,
        seat=decision.seat,
        words=action_words(decision, replay.history.unit),
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
    snapped = rounded(probability)
    return f"{snapped:.0%}" if snapped >= 0.095 else f"{snapped:.1%}"


def chance_words(probability: float) -> str:
    """Return a chance to win in per cent, to one decimal place."""
    return f"{rounded(probability):.1%}"


def share_words(probability: float) -> str:
    """Return a share of the possible holdings or ends in per cent; "<1%" for small ones."""
    return f"{rounded(probability):.0%}" if probability > 0.005 else "<1%"


def one_in_words(probability: float) -> str:
    """Return a probability as odds: "1 in 12", "1 in 1.3"; "never" for 0."""
    if probability <= 0.0:
        return "never"
    times = 1.0 / float(f"{probability:.9g}")  # 1.25 times shall not depend on rounding errors
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
    """Return a range, "(12 to 35)"; "" for None or a single number."""
    if within is None:
        return ""
    low, high = (f"{100.0 * end:.0f}" for end in within)
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


LEAST_BITS = 0.005
"""Fewer bits are shown as 0.00."""

LITTLE_BITS = 0.25
"""The least bits, either way, that move a read notably."""


def verdict(bits: float | None) -> str:
    """Return "true" or "false" as bits moved the read of the truth; "" for few or unknown bits."""
    if bits is None or abs(bits) < LITTLE_BITS:
        return ""
    return "true" if bits > 0.0 else "false"


def ordinal(n: int) -> str:
    """Return an ordinal number: "4,431st"."""
    teen = n // 10 % 10 == 1
    return f"{n:,}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def ranked_words(truth: Truth) -> str:
    """Return the rank of the truth among the possible holdings: "4,431st of 4,495"."""
    return f"{ordinal(round(truth.rank))} of {truth.live:,}"


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
    """Words for a seat's part of the pot: ``to_win`` behind a figure, ``head`` of a column."""

    chance: str
    chances: str
    to_win: str
    head: str


WHOLE_POT = PrizeWords("chance to win", "chances to win", "to win", "to win")
_SHARED = PrizeWords("share of the pot", "shares of the pot", "of the pot", "of pot")


def prize_words(game: Variant) -> PrizeWords:
    """Return the words for a chance to win or, where high and low share the pot, for a share."""
    return _SHARED if game.splits else WHOLE_POT
