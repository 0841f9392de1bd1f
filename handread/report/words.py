"""Actions and seats in words, the same for every face of a report."""

from __future__ import annotations

import math

from handread.engine import Decision, Replay
from handread.hand_types import hand_name
from handread.report.escape import visible
from handread.stud import best_hand

NAME_WIDTH = 16


def seat_label(replay: Replay, seat: int) -> str:
    """A seat by number and name, a long name cut."""
    name = visible(replay.history.seat(seat).name)
    if len(name) > NAME_WIDTH:
        name = f"{name[: NAME_WIDTH - 2]}.."
    return f"{seat} {name}" if name else str(seat)


def spoken_label(replay: Replay, seat: int) -> str:
    """A seat in a sentence: its label, "seat 3" where nobody has a name."""
    return seat_label(replay, seat) if replay.history.seat(seat).name else f"seat {seat}"


def viewpoint_words(viewpoint: str) -> str:
    """Who looks: "seen by the public", "seen from seat 3"."""
    kind, _, seat = viewpoint.partition(":")
    if kind == "seat":
        return f"seen from seat {seat}"
    return "seen by the public" if kind == "public" else "seen with all cards known"


def finished_hand(replay: Replay, seat: int) -> str | None:
    """What a seat's seven cards make, in words; None when they are not all known."""
    up = replay.streets[-1].upcards.get(seat, ()) if replay.streets else ()
    shared = [street.shared for street in replay.streets]
    cards = (*replay.downcards_on(7).get(seat, ()), *up, *shared)
    known = [card for card in cards if card is not None]
    return hand_name(best_hand(known)) if len(known) == 7 else None


def action_words(decision: Decision, replay: Replay) -> str:
    """What a player did: "completes to 1.00", "calls 2.00 and is all-in"."""
    unit = replay.history.unit
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


def percent_words(probability: float) -> str:
    """A probability in per cent, small ones with a digit more; "never" for 0."""
    if probability <= 0.0:
        return "never"
    if probability < 0.0005:
        return "<0.1%"
    return f"{probability:.0%}" if probability >= 0.095 else f"{probability:.1%}"


def chance_words(probability: float) -> str:
    """A chance to win in per cent, to one place."""
    return f"{probability:.1%}"


def share_words(probability: float) -> str:
    """A part of what may be in per cent, small parts as such."""
    return f"{probability:.0%}" if probability > 0.005 else "<1%"


def one_in_words(probability: float) -> str:
    """A probability as people bet on it: "1 in 12", "1 in 1.3"; "never" for 0."""
    if probability <= 0.0:
        return "never"
    times = 1.0 / probability
    return f"1 in {times:,.0f}" if times >= 9.95 else f"1 in {times:.1f}"


def bits_words(bits: float | None, sign: bool = False) -> str:
    """Bits to two places; a dash where there is no such figure, words for what has no end."""
    if bits is None:
        return "-"
    if math.isinf(bits):
        return "ruled out" if bits < 0 else "inf"
    return f"{bits:+z.2f}" if sign else f"{bits:z.2f}"


def with_unit(words: str) -> str:
    """The words of a figure with "bits" behind a number."""
    return f"{words} bits" if words[-1:].isdigit() else words


def place_note(line: int, column: int) -> str:
    """Where something stands in a file: "line 11", "line 11, column 34"."""
    return f"line {line}" if column <= 1 else f"line {line}, column {column}"


def lines_words(first: int, last: int) -> str:
    """The lines of a hand: "line 3", "lines 3 to 12"."""
    return f"lines {first} to {last}" if last > first else f"line {first}"


def stakes_words(replay: Replay) -> str:
    """The structure of the game in a line."""
    unit, stakes = replay.history.unit, replay.stakes
    small, big = stakes.bets[0], stakes.bets[-1]
    basis = replay.history.inferred_from or "the actions"
    guess = f" (worked out from {basis})" if stakes.inferred else ""
    return (
        f"ante {unit.text(stakes.ante)}, bring-in {unit.text(stakes.bring_in)}, "
        f"bets {unit.text(small)} and {unit.text(big)}{guess}"
    )
