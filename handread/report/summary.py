"""A summary as text for people: the set, its reads, and its players."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from handread.evaluation.values import Interval
from handread.report.escape import visible
from handread.report.evaluation import (
    FEW_HANDS,
    RULED_OUT_WORDS,
    SHOWN_WORDS,
    TRUTH_WORDS,
    ways_words,
)
from handread.report.tables import Rows, as_text, gain_text, hands_words
from handread.score.columns import ACTION_WORDS
from handread.score.estimates import Mean
from handread.score.pictures import Surprise
from handread.score.players import Player, Players
from handread.score.summary import Summary, Totals

NAME_WIDTH = 20

MOST_POLICIES = 5
LINE_WIDTH = 100

TOLD_WORDS = """\
surprise: -log2 of the probability of an action. told: what a player's actions in a hand tell about
its downcards. true: how far they move the read towards the downcards that it has (below 0: away
from them), where these are known.
"""
END_WORDS = """\
last read: log2 of what a player's last read in a hand gives the true downcards against a blind
guess, in bits. net: big bets won, less those put in, in hands that are recorded to the end.
"""


def summary_text(found: Summary) -> str:
    """A summary for a person: the set, its reads, and its players."""
    parts = [
        _heading(found.totals),
        _refused_text(found.totals),
        _gain_text(found),
        _reads_text(found),
        *_players_texts(found.players),
        _hidden_text(found),
    ]
    return "\n".join(part for part in parts if part)


def _heading(totals: Totals) -> str:
    known = totals.known
    shown = totals.policies[:MOST_POLICIES]
    policies = ", ".join(f"{visible(name)} ({n:,})" for name, n in shown)
    if len(totals.policies) > len(shown):
        policies += f" and {len(totals.policies) - len(shown):,} others"
    lines = (
        f"{hands_words(totals.hands)}, {totals.finished:,} recorded to the end, "
        f"{totals.showdowns:,} with a showdown; {totals.refused:,} refused",
        f"policies and hands read with them: {policies or 'none'}; ties {visible(totals.ties)}",
        f"downcards known of {known.total:,} of {totals.dealt_in:,} players dealt in"
        f"{ways_words(known)}",
        f"all downcards known in {hands_words(totals.fully_known)}, "
        f"some in {totals.partly_known:,}",
        "in brackets: 95% intervals, hands being what chance draws; from fewer than about "
        f"{FEW_HANDS} hands\nthey are too narrow",
    )
    return "".join(f"{line}\n" for line in lines)


def _refused_text(totals: Totals) -> str:
    """Why hands were refused: the most frequent reasons."""
    if not totals.refused:
        return ""
    lines = [f"  {reason.hands:,}  {visible(reason.example)}\n" for reason in totals.reasons]
    others = totals.refused - sum(reason.hands for reason in totals.reasons)
    if others:
        lines.append(f"  {others:,}  for other reasons\n")
    return f"refused, by reason (one of each kind is shown)\n{''.join(lines)}"


def _gain_text(found: Summary) -> str:
    if not any(stage.games for stage in found.gain.stages):
        return ""
    title = "What the bets add to the cards (Figure 6), in hands with all downcards known"
    ties = "equal hands share the pot" if found.totals.ties == "split" else "a tie is a win"
    note = f"{ties}; the paper's is --ties paper" if found.totals.ties == "split" else ties
    return f"{title}\n{note}\n{gain_text(found.gain)}"


def _reads_text(found: Summary) -> str:
    if not found.totals.known.total:
        return "No downcards are known: nothing can be said of the reads, only of the actions.\n"
    text = TRUTH_WORDS
    tables = [("players still in", [(r.stage, r.active_bits, r.active_share) for r in found.reads])]
    if any(r.everybody_bits.n > r.active_bits.n for r in found.reads):
        title = "with those who folded on the street, as they folded"
        everybody = [(r.stage, r.everybody_bits, r.everybody_share) for r in found.reads]
        tables.append((title, everybody))
    for title, stages in tables:
        rows: Rows = [["", "n", "hands", "bits", "", "ruled out", "before it", ""]]
        rows += [
            [
                f"  {stage}",
                f"{bits.n:,}",
                f"{bits.hands:,}",
                *_cells(bits.interval, 2, sign="+"),
                _count(bits.infinite),
                *_cells(share.part, 0, 100.0, unit="%"),
            ]
            for stage, bits, share in stages
            if bits.n
        ]
        text += f"\n{title}\n{as_text(rows)}"
    ruled_out = any(reads.everybody_bits.infinite for reads in found.reads)
    return text + (RULED_OUT_WORDS if ruled_out else "")


SORTED_BY = {
    "hands": "hands",
    "told": "bits told a hand",
    "true": "bits told on the true downcards",
    "surprise": "surprise",
    "read": "bits on the truth at the last read",
    "net": "big bets won a hand",
}
"""What players are sorted by, in words."""


def _players_texts(found: Players) -> Iterator[str]:
    """The tables of players: what they did, what that told, and how it ended."""
    if not found.everybody.hands:
        return
    title = f"players, from the most {SORTED_BY[found.sort]}: {len(found.wanted):,}"
    if found.all > len(found.wanted):
        title += f" of {found.all:,}"
    if found.few:
        title += (
            f"\n{found.few:,} with fewer than {found.least_hands} hands left out (--least-hands)"
        )
    yield f"{title}\n\nwhat they did, % of their actions\n{_did_table(found)}"
    yield told_text(found)
    yield f"how it ended, by hand\n{_end_table(found)}{END_WORDS}{_floor_text(found)}"


def told_text(found: Players) -> str:
    """What the actions of players told, as text: a line a player."""
    title = "what their actions told, in bits: surprise by action, the others by hand"
    return f"{title}\n{_told_table(found)}{TOLD_WORDS}"


def _did_table(found: Players) -> str:
    rows: Rows = [["", "dealt in", "actions", *(x for kind in ACTION_WORDS for x in (kind, ""))]]
    for name, player in _named(found):
        shares = (_cells(player.kinds[kind].share, 0, 100.0) for kind in ACTION_WORDS)
        cells = [cell for pair in shares for cell in pair]
        rows.append([name, f"{player.hands:,}", f"{player.actions:,}", *cells])
    return as_text(rows)


def _told_table(found: Players) -> str:
    rows: Rows = [["", "actions", "surprise", "", "dealt in", "told", "", "known", "true", ""]]
    rows += [
        [
            name,
            *_with_n(player.surprise, 2),
            *_with_n(player.told, 2),
            *_with_n(player.told_truth, 2, sign="+"),
        ]
        for name, player in _named(found)
    ]
    return as_text(rows)


def _end_table(found: Players) -> str:
    rows: Rows = [["", "known", "last read", "", "ruled out", "ended", "net", ""]]
    rows += [
        [
            name,
            *_with_n(player.read, 2, sign="+"),
            _count(player.read.infinite),
            *_with_n(player.net, 2, sign="+"),
        ]
        for name, player in _named(found)
    ]
    return as_text(rows)


def _floor_text(found: Players) -> str:
    """What is infinite in the tables of players, in words."""
    everybody = found.everybody
    counted = (
        (everybody.surprise.infinite, "actions that no holding of the policy takes"),
        (everybody.read.infinite, "true downcards that the last read ruled out"),
    )
    words = [f"{n:,} {what}" for n, what in counted if n]
    if not words:
        return ""
    text = f"infinite, counted as 40 bits: {' and '.join(words)}"
    return fill(text, LINE_WIDTH) + "\n"


def _named(found: Players) -> Iterator[tuple[str, Player]]:
    """The rows of a table of players, everybody first; the others are set in."""
    yield "everybody", found.everybody
    for player in found.wanted:
        yield _shown_name(player.name), player


def _shown_name(name: str | None) -> str:
    if name is None:
        return "  (no name)"
    shown = visible(name)
    short = shown if len(shown) <= NAME_WIDTH else f"{shown[: NAME_WIDTH - 2]}.."
    return f"  {short}"


def _hidden_text(found: Summary) -> str:
    """What showdowns leave out, where it applies."""
    known = found.totals.known
    if not known.shown:
        return ""
    head = f"{known.shown:,} of the {known.total:,} players with known downcards showed them."
    return f"{head}\n{SHOWN_WORDS}"


def _with_n(mean: Mean, digits: int, sign: str = "") -> tuple[str, str, str]:
    """How many values, their mean and its interval, in three cells."""
    return _count(mean.n), *_cells(mean.interval, digits, sign=sign)


def surprise_text(found: Surprise) -> str:
    """How surprising the actions were, by kind: a line a kind."""
    rows: Rows = [["", "actions", "surprise, bits", "", "infinite"]]
    rows += [
        [f"  {kind}", *_with_n(actions.mean, 2), _count(actions.mean.infinite)]
        for kind, actions in found.kinds.items()
    ]
    words = "infinite: no holding of the policy takes the action; counted as 40 bits\n"
    some = any(actions.mean.infinite for actions in found.kinds.values())
    head = f"{hands_words(found.hands)}, {visible(found.policy)}"
    return f"{head}\n{as_text(rows)}{words if some else ''}"


def _count(n: int) -> str:
    return f"{n:,}" if n else "-"


def _cells(
    interval: Interval, digits: int, scale: float = 1.0, sign: str = "", unit: str = ""
) -> tuple[str, str]:
    """A mean and its interval in two cells: ``+0.16``, ``(+0.02 to +0.29)``."""
    if interval.mean is None:
        return "-", ""
    mean = f"{scale * interval.mean:{sign}z.{digits}f}{unit}"
    if interval.low is None or interval.high is None:
        return mean, ""
    low, high = (f"{scale * x:{sign}z.{digits}f}" for x in (interval.low, interval.high))
    return mean, f"({low} to {high})"
