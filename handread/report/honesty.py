"""Say whether a player's bets were honest about the downcards, as the table saw them."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from handread.cards import cards_text, rank_of
from handread.game.rules import STREET_NAMES
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import NOTABLE_CHANGE, ActionReading, SeatRead
from handread.inference.timeline import public_reads
from handread.odds.high_holdings import Kind
from handread.report.sentences import times_words
from handread.report.words import ActionFigures, spoken_label, with_unit

LIE_BITS = 1.0
"""The least bits on the true downcards, of either sign, for bets to mislead or be honest."""

MINOR = 0.25
"""The least share of the largest bits with which another action counts as misleading or honest."""

_COUNTED = re.compile("(no|one|two|three) |(two pair|trips|quads) with ")
"""The beginnings of families of holdings that take no article."""

_TAKES_ARTICLE = re.compile(
    r"flush|straight|gutshot|open-ended|full house|pair of|wheel|[\w-]+[ -]low\b(?! card)"
)
"""The beginnings of kinds that take an article: not "split kings", "two pair, kings up"."""

_Name = TypeVar("_Name", str, Kind)


class _Act(NamedTuple):
    """An action of a seat."""

    action: ActionReading
    read: SeatRead  # the public's, after the action
    bits: float  # on the true downcards, for the table


def honesty_words(action: ActionFigures) -> str:
    """Return whether an action was honest to the table about the downcards, with its bits."""
    if action.table_truth is None:
        return "-"
    honest = {"true": "yes", "false": "no", "": "neither"}[action.verdict]
    return f"{honest}, {with_unit(action.table_truth.words)}"


def honesty_sentence(analysis: Analysis, seat: int) -> str:
    """Return a sentence on the honesty of a seat's bets; empty if they or its cards are unknown.

    "Ann's raises looked like two pair or trips; it was 7-2 and nothing else." The bets are judged
    as the table saw them, whatever the viewpoint.
    """
    acts = [
        _Act(action, read, action.table_truth_bits)
        for action, read in public_reads(analysis, seat)
        if action.table_truth_bits is not None and action.decision.action != "fold"
    ]
    if not acts:
        return ""
    # A sentence begins with "Seat 3" or with the name alone, without its seat number.
    name = re.sub("^seat", "Seat", spoken_label(analysis.replay, seat)).removeprefix(f"{seat} ")
    who = "Your" if seat == analysis.you else f"{name}'s"
    impossible = [act for act in acts if act.bits == -math.inf]
    if impossible:
        never = f"players like these never do so with {_downcards_words(impossible[0].read)}"
        return f"{who} {_acts_words(impossible)} misled: {never}."
    lies, truths = _telling(acts, -1.0), _telling(acts, 1.0)
    total = sum(act.bits for act in acts)
    if lies and truths and abs(total) < LIE_BITS:
        rest = _acts_words(truths).replace("betting", "rest")
        held = _downcards_words(truths[-1].read)
        return f"{who} {_acts_words(lies)} misled, but the {rest} did not: it was {held}."
    if lies and total < 0.0:
        return _with_looks(f"{who} {_acts_words(lies)}", lies, -1.0)
    if truths and total > 0.0:
        return _with_looks(f"{who} {_acts_words(truths)}", truths, 1.0)
    held = _downcards_words(acts[-1].read)
    return f"{who} {_acts_words(acts)} said little either way: it was {held}."


def _telling(acts: Sequence[_Act], sign: float) -> Sequence[_Act]:
    """Return the actions with the largest bits of one sign; none if these sum to too few."""
    moves = [sign * act.bits for act in acts]
    if sum(bits for bits in moves if bits > 0.0) < LIE_BITS:
        return []
    return [act for act, bits in zip(acts, moves, strict=True) if bits >= MINOR * max(moves)]


def _acts_words(acts: Sequence[_Act]) -> str:
    """Return actions in words: "raise on 5th street", "bets", "bets and raises"."""
    names = {act.action.decision.action for act in acts}
    if len(acts) == 1:
        decision = acts[0].action.decision
        if decision.completes:
            return "completion"
        return f"{decision.action} on {STREET_NAMES[decision.street]} street"
    if len(names) == 1:
        return f"{names.pop()}s"
    return "bets and raises" if names == {"bet", "raise"} else "betting"


def _with_looks(lead: str, acts: Sequence[_Act], sign: float) -> str:
    """Return a sentence that begins with ``lead``: how the actions looked, and the truth."""
    action, read, _ = max(
        acts, key=lambda act: sign * (act.read.truth.score_bits if act.read.truth else 0.0)
    )
    several = len({act.action.decision.street for act in acts}) > 1
    where = f"{STREET_NAMES[action.decision.street]} street" if several else ""
    looks, held = _looks(read, sign), _downcards_words(read)
    if looks:
        was = "; it was" if sign < 0.0 else ", and it was"
        return f"{lead} looked like {looks}{where and f' on {where}'}{was} {held}."
    assert read.truth is not None
    times, by = times_words(read.truth.score_bits), where and f" by {where}"
    return f"{lead} made {held} {times} as likely{by}."


def _looks(read: SeatRead, sign: float) -> str:
    """Return the families that a read has raised most above the cards alone; empty without any.

    If the true family is among them, a lie looked like other kinds, such as "split kings".
    """
    true = read.true_kind
    assert true is not None
    risen = _most_risen({name: family.change for name, family in read.families().items()})
    if sign > 0.0:
        return with_article(true.family) if true.family in risen else ""
    if true.family not in risen:
        either_pair = {"split pair", "pair in the hole"} == set(risen)
        return "a pair" if either_pair else " or ".join(map(with_article, risen))
    by_bets, by_cards = read.by_kind, read.by_kind_cards_only
    rises = {kind: p - by_cards.get(kind, 0.0) for kind, p in by_bets.items() if kind != true}
    return " or ".join(kind.words for kind in _most_risen(rises))


def _most_risen(rises: Mapping[_Name, float]) -> list[_Name]:
    """Return the two families or kinds with the largest notable rises, or fewer."""
    notable = [name for name, rise in rises.items() if rise >= NOTABLE_CHANGE]
    return sorted(notable, key=lambda name: -rises[name])[:2]


def with_article(family: str) -> str:
    """Return a family of holdings for use in a sentence: "a split pair", "two pair"."""
    if family in {"two pair", "trips", "quads"} or _COUNTED.match(family):
        return family
    phrases = {"paired": "paired cards", "high card": "no more than a high card"}
    return phrases.get(family) or f"{'an' if family[0] in 'aeio8' else 'a'} {family}"


def held_words(kind: Kind) -> str:
    """Return a kind of holding for use in a sentence: "a flush draw", "split kings"."""
    bare = kind.detail and not _TAKES_ARTICLE.match(kind.words)
    return kind.words if bare else with_article(kind.words)


def _downcards_words(read: SeatRead) -> str:
    """Return the true downcards, high cards first: "7-2 and nothing else", "trips (Kh Ks)"."""
    kind = read.true_kind
    assert read.holding is not None
    assert kind is not None
    rank = rank_of if read.game.wins_high else read.game.low_rank
    cards = sorted(read.holding, key=rank, reverse=True)
    if kind.family == "high card" and len(cards) == 1:
        return f"the {cards_text(cards)}"
    if kind.family == "high card":
        return f"{'-'.join(cards_text([card])[0] for card in cards)} and nothing else"
    return f"{held_words(kind)} ({cards_text(cards)})"
