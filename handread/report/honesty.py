"""Say whether a player's bets were honest about the downcards, as the table saw them."""

import math
import re
from collections.abc import Sequence

from handread.cards import cards_text, rank_of
from handread.game.rules import STREET_NAMES
from handread.inference.hand import Analysis
from handread.inference.timeline import public_reads
from handread.inference.values import NOTABLE_CHANGE, ActionReading, SeatRead
from handread.odds.high_holdings import Kind
from handread.report.sentences import times_words
from handread.report.words import ActionFigures, spoken_label, with_unit

LIE_BITS = 1.0
"""The least bits on the true downcards, either way, for bets to mislead or be honest."""

MINOR = 0.25
"""An action counts as misleading above this part of the largest bits."""

Acts = Sequence[tuple[ActionReading, SeatRead]]
"""Actions of a seat, each with the public's read of the seat after it."""

_COUNTED = re.compile("(no|one|two|three) |(two pair|trips|quads) with ")
"""Begins the families of holdings that take no article."""

_TAKES_ARTICLE = re.compile(
    r"flush|straight|gutshot|open-ended|full house|pair of|wheel|[\w-]+[ -]low\b(?! card)"
)
"""Begins the kinds of holding that take an article: not "split kings", "two pair, kings up"."""


def honesty_words(action: ActionFigures) -> str:
    """Return whether an action was honest to the table about the downcards, with its bits."""
    if action.table_truth is None:
        return "-"
    told = {"true": "yes", "false": "no", "": "neither"}[action.verdict]
    return f"{told}, {with_unit(action.table_truth.words)}"


def told_truth(analysis: Analysis, seat: int) -> str:
    """Return a sentence on the honesty of a seat's bets; empty if they or its cards are unknown.

    "Ann's raises looked like two pair or trips; it was 7-2 and nothing else." The bets are judged
    as the table saw them, whatever the viewpoint.
    """
    acts = [
        (action, read)
        for action, read in public_reads(analysis, seat)
        if action.table_truth_bits is not None and action.decision.action != "fold"
    ]
    if not acts:
        return ""
    name = re.sub("^seat", "Seat", spoken_label(analysis.replay, seat)).removeprefix(f"{seat} ")
    who = "Your" if seat == analysis.you else f"{name}'s"
    never = [act for act in acts if act[0].table_truth_bits == -math.inf]
    if never:
        never_with = f"players like these never do so with {_held_words(never[0][1])}"
        return f"{who} {_acts_words(never)} misled: {never_with}."
    lies, truths = _telling(acts, -1.0), _telling(acts, 1.0)
    total = sum(action.table_truth_bits or 0.0 for action, _ in acts)
    if lies and truths and abs(total) < LIE_BITS:
        rest, held = _acts_words(truths).replace("betting", "rest"), _held_words(truths[-1][1])
        return f"{who} {_acts_words(lies)} misled, but the {rest} did not: it was {held}."
    if lies and total < 0.0:
        return _with_looks(f"{who} {_acts_words(lies)}", lies, -1.0)
    if truths and total > 0.0:
        return _with_looks(f"{who} {_acts_words(truths)}", truths, 1.0)
    return f"{who} {_acts_words(acts)} said little either way: it was {_held_words(acts[-1][1])}."


def _telling(acts: Acts, sign: float) -> Acts:
    """Return the actions that moved the read of the truth one way, if they moved it far enough."""
    moved = [(sign * (action.table_truth_bits or 0.0), (action, read)) for action, read in acts]
    if sum(bits for bits, _ in moved if bits > 0.0) < LIE_BITS:
        return []
    least = MINOR * max(bits for bits, _ in moved)
    return [act for bits, act in moved if bits >= least]


def _acts_words(acts: Acts) -> str:
    names = {action.decision.action for action, _ in acts}
    if len(acts) == 1:
        decision = acts[0][0].decision
        if decision.completes:
            return "completion"
        return f"{decision.action} on {STREET_NAMES[decision.street]} street"
    if len(names) == 1:
        return f"{names.pop()}s"
    return "bets and raises" if names == {"bet", "raise"} else "betting"


def _with_looks(lead: str, acts: Acts, sign: float) -> str:
    """Return a sentence that begins with ``lead``: how the actions looked, and the truth."""
    action, read = max(
        acts, key=lambda one: sign * (one[1].truth.score_bits if one[1].truth else 0.0)
    )
    several = len({one.decision.street for one, _ in acts}) > 1
    where = f"{STREET_NAMES[action.decision.street]} street" if several else ""
    looks, held = _looks(read, sign), _held_words(read)
    if looks:
        was = "; it was" if sign < 0.0 else ", and it was"
        return f"{lead} looked like {looks}{where and f' on {where}'}{was} {held}."
    assert read.truth is not None
    times = times_words(read.truth.score_bits)
    return f"{lead} made {held} {times} as likely{where and f' by {where}'}."


def _looks(read: SeatRead, sign: float) -> str:
    """Return the families that a read has raised most above the cards alone.

    Where the truth is in the family that rose most, a lie gets kinds, such as "split kings".
    """
    true = read.true_kind
    assert true is not None
    rises = {family: read_family.change for family, read_family in read.families().items()}
    risen = sorted((f for f in rises if rises[f] >= NOTABLE_CHANGE), key=lambda f: -rises[f])[:2]
    if sign > 0.0:
        return with_article(true.family) if true.family in risen else ""
    if true.family not in risen:
        pairs = {"split pair", "pair in the hole"} == set(risen)
        return "a pair" if pairs else " or ".join(map(with_article, risen))
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
    """Return the true downcards, high cards first: "7-2 and nothing else", "trips (Kh Ks)"."""
    kind = read.true_kind
    assert read.holding is not None
    assert kind is not None
    cards = sorted(
        read.holding, key=rank_of if read.game.wins_high else read.game.low_rank, reverse=True
    )
    if kind.family == "high card" and len(cards) == 1:
        return f"the {cards_text(cards)}"
    if kind.family == "high card":
        return f"{'-'.join(cards_text([card])[0] for card in cards)} and nothing else"
    return f"{held_words(kind)} ({cards_text(cards)})"
