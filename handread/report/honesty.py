"""Say if a player's bets told the truth about the downcards, as the table saw them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from handread.cards import cards_text
from handread.game.rules import STREET_NAMES
from handread.inference.hand import Analysis
from handread.inference.timeline import public_reads
from handread.inference.values import NOTABLE_CHANGE, ActionReading, SeatRead
from handread.odds.high_holdings import Kind
from handread.report.sentences import times_words
from handread.report.words import ActionFigures, spoken_label, with_unit

LIE_BITS = 1.0
"""Bits on the true downcards, either way, from which bets lie or tell the truth."""

MINOR = 0.25
"""The part of the largest bits from which an action counts among those that lied."""

Acts = Sequence[tuple[ActionReading, SeatRead]]
"""Actions of a seat, each with the public's read of the seat after it."""

_COUNTED = re.compile("(no|one|two|three) |(two pair|trips|quads) with ")
"""Begins the families of holdings that take no article."""

_TAKES_ARTICLE = re.compile(
    r"flush|straight|gutshot|open-ended|full house|pair of|wheel|[\w-]+[ -]low\b(?! card)"
)
"""Begins the kinds of holding that take an article: not "split kings", "two pair, kings up"."""


def honesty_words(action: ActionFigures) -> str:
    """Return if an action told the table the truth about the downcards, with its bits."""
    if action.table_truth is None:
        return "-"
    told = {"true": "yes", "false": "no", "": "neither"}[action.verdict]
    return f"{told}, {with_unit(action.table_truth.words)}"


def told_truth(analysis: Analysis, seat: int) -> str:
    """Return a sentence on the truth of a seat's bets; empty if they or its cards are unknown.

    "3 Ann's raises lied: they said two pair or trips; it was 7-2." The bets are judged as the
    table saw them, whatever the viewpoint.
    """
    acts = [
        (action, read)
        for action, read in public_reads(analysis, seat)
        if action.table_truth_bits is not None and action.decision.action != "fold"
    ]
    if not acts:
        return ""
    who = spoken_label(analysis.replay, seat)
    who = f"{who[0].upper()}{who[1:]}'s"
    never = [one for one in acts if one[0].table_truth_bits == -math.inf]
    if never:
        held = _held_words(never[0][1])
        lied = f"{_acts_words(never)} {_lied(never)}"
        return f"{who} {lied}: players like these never do so with {held}."
    lies, truths = _telling(acts, -1.0), _telling(acts, 1.0)
    total = sum(action.table_truth_bits or 0.0 for action, _ in acts)
    if lies and truths and abs(total) < LIE_BITS:
        lied = f"{who} {_acts_words(lies)} {_lied(lies)}"
        rest = _acts_words(truths)
        rest = "rest" if rest == "betting" else rest
        return f"{lied}, but the {rest} told the truth: it was {_held_words(truths[-1][1])}."
    if lies and total < 0.0:
        return _with_said(f"{who} {_acts_words(lies)} {_lied(lies)}", lies, -1.0)
    if truths and total > 0.0:
        return _with_said(f"{who} {_acts_words(truths)} told the truth", truths, 1.0)
    held = _held_words(acts[-1][1])
    return f"{who} {_acts_words(acts)} told little either way: it was {held}."


def _telling(acts: Acts, sign: float) -> Acts:
    """Return the actions that moved the read of the truth one way, if they moved it far enough."""
    moved = [(sign * (action.table_truth_bits or 0.0), (action, read)) for action, read in acts]
    if sum(bits for bits, _ in moved if bits > 0.0) < LIE_BITS:
        return []
    least = MINOR * max(bits for bits, _ in moved)
    return [one for bits, one in moved if bits >= least]


def _acts_words(acts: Acts) -> str:
    """Return actions in words: "raise on 4th street", "bets and raises"."""
    names = {action.decision.action for action, _ in acts}
    if len(acts) == 1:
        one = acts[0][0].decision
        name = "completion" if one.completes else one.action
        return f"{name} on {STREET_NAMES[one.street]} street"
    if len(names) == 1:
        return f"{names.pop()}s"
    return "bets and raises" if names == {"bet", "raise"} else "betting"


def _lied(acts: Acts) -> str:
    aggressive = any(action.decision.action in {"bet", "raise"} for action, _ in acts)
    return "lied" if aggressive else "misled"


def _with_said(lead: str, acts: Acts, sign: float) -> str:
    """Return a sentence that begins with ``lead``, on what the actions said and what it was."""
    action, read = max(
        acts, key=lambda one: sign * (one[1].truth.score_bits if one[1].truth else 0.0)
    )
    they = "it" if len(acts) == 1 or _acts_words(acts) == "betting" else "they"
    if len({one.decision.street for one, _ in acts}) > 1:
        they = f"on {STREET_NAMES[action.decision.street]} street {they}"
    said = _said(read, sign)
    if said:
        return f"{lead}: {they} said {said}; it was {_held_words(read)}."
    assert read.truth is not None
    times = times_words(read.truth.score_bits)
    return f"{lead}: {they} made {_held_words(read)} {times} as likely."


def _said(read: SeatRead, sign: float) -> str:
    """Return the holdings that a read has made likeliest against the cards alone.

    They are families. Where the truth belongs to the family that rose most, those of a lie are
    kinds, such as "split kings".
    """
    true = read.true_kind
    assert true is not None
    rises = {family: one.change for family, one in read.families().items()}
    risen = sorted((f for f in rises if rises[f] >= NOTABLE_CHANGE), key=lambda f: -rises[f])[:2]
    if sign > 0.0:
        return with_article(true.family) if true.family in risen else ""
    if true.family not in risen:
        return " or ".join(map(with_article, risen))
    kinds, alone = read.by_kind, read.by_kind_cards_only
    lifts = {kind: p - alone.get(kind, 0.0) for kind, p in kinds.items() if kind != true}
    told = sorted((k for k in lifts if lifts[k] >= NOTABLE_CHANGE), key=lambda kind: -lifts[kind])[
        :2
    ]
    return " or ".join(kind.words for kind in told)


def with_article(family: str) -> str:
    """Return a family of holdings for use in a sentence: "a split pair", "two pair"."""
    if family in {"two pair", "trips", "quads"} or _COUNTED.match(family):
        return family
    if family == "paired":
        return "paired cards"
    if family == "high card":
        return "no more than a high card"
    return f"{'an' if family[0] in 'aeio8' else 'a'} {family}"


def held_words(kind: Kind) -> str:
    """Return a kind of holding for use in a sentence: "a flush draw", "split kings"."""
    bare = kind.detail and not _TAKES_ARTICLE.match(kind.words)
    return kind.words if bare else with_article(kind.words)


def _held_words(read: SeatRead) -> str:
    """Return the true downcards and what they make: "7-2", "kings in the hole (Kh Ks)"."""
    kind = read.true_kind
    assert read.holding is not None
    assert kind is not None
    if kind.family == "high card" and len(read.holding) == 1:
        return f"the {cards_text(read.holding)}"
    if kind.family == "high card":
        return "-".join(cards_text([card])[0] for card in read.holding)
    return f"{held_words(kind)} ({cards_text(read.holding)})"
