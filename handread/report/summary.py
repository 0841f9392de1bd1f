"""Summaries of a set of tables as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from handread.report.evaluation import (
    FEW_HANDS,
    RULED_OUT_WORDS,
    SHOWN_WORDS,
    TRUTH_WORDS,
    ways_words,
)
from handread.report.experiments import gain_text
from handread.report.tables import (
    Rows,
    as_prose,
    as_text,
    count,
    hands_words,
    interval_object,
    with_interval,
    with_n,
)
from handread.report.words import visible
from handread.study.replication import StageGain
from handread.study.statistics import Estimate
from handread.tables.columns import ACTION_WORDS
from handread.tables.pictures import Surprise
from handread.tables.summary import Players, PlayerSummary, StageReads, Summary, Totals

NAME_WIDTH = 20

MOST_POLICIES = 5

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
    """Return a summary as text: the set, its reads, and its players."""
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
        f"{FEW_HANDS} hands they are too narrow",
    )
    return as_prose(*lines)


def _refused_text(totals: Totals) -> str:
    """Why hands were refused: the most frequent reasons."""
    if not totals.refused:
        return ""
    lines = [f"  {reason.hands:,}  {visible(reason.example)}" for reason in totals.reasons]
    others = totals.refused - sum(reason.hands for reason in totals.reasons)
    if others:
        lines.append(f"  {others:,}  for other reasons")
    return as_prose("refused, by reason (one of each kind is shown)", *lines, hang=" " * 6)


def _gain_text(found: Summary) -> str:
    if not any(stage.games for stage in found.gain.stages):
        return ""
    title = "What the bets add to the cards (Figure 6), in hands with all downcards known"
    ties = "equal hands share the pot" if found.totals.ties == "split" else "a tie is a win"
    note = f"{ties}; the paper's is --ties paper" if found.totals.ties == "split" else ties
    return as_prose(title, note) + gain_text(found.gain)


def _reads_text(found: Summary) -> str:
    if not found.totals.known.total:
        return "No downcards are known: nothing can be said of the reads, only of the actions.\n"
    text = as_prose(TRUTH_WORDS)
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
                *with_interval(bits, 2, sign="+"),
                count(bits.infinite),
                *with_interval(share, 0, 100.0, unit="%"),
            ]
            for stage, bits, share in stages
            if bits.n
        ]
        text += f"\n{title}\n{as_text(rows)}"
    ruled_out = any(reads.everybody_bits.infinite for reads in found.reads)
    return text + (as_prose(RULED_OUT_WORDS) if ruled_out else "")


SORTED_BY = {
    "hands": "hands",
    "told": "bits told a hand",
    "true": "bits told on the true downcards",
    "surprise": "surprise",
    "read": "bits on the truth at the last read",
    "net": "big bets won a hand",
}
"""The orders of players in words."""


def _players_texts(found: Players) -> Iterator[str]:
    """The tables of players: what they did, what that told, and how it ended."""
    if not found.everybody.hands:
        return
    title = f"players, from the most {SORTED_BY[found.sort]}: {len(found.wanted):,}"
    if found.all > len(found.wanted):
        title += f" of {found.all:,}"
    left_out = (
        as_prose(
            f"{found.few:,} with fewer than {found.least_hands} hands left out (--least-hands)"
        )
        if found.few
        else ""
    )
    did = _did_table(found)
    yield f"{as_prose(title)}{left_out}\nwhat they did, % of their actions\n{did}"
    yield information_text(found)
    yield f"how it ended, by hand\n{_end_table(found)}{as_prose(END_WORDS)}{_floor_text(found)}"


def information_text(found: Players) -> str:
    """Return the information in the actions of players as text: a line a player."""
    title = "what their actions told, in bits: surprise by action, the others by hand"
    return f"{title}\n{_told_table(found)}{as_prose(TOLD_WORDS)}"


def _did_table(found: Players) -> str:
    rows: Rows = [["", "dealt in", "actions", *(x for kind in ACTION_WORDS for x in (kind, ""))]]
    for name, player in _named(found):
        shares = (with_interval(player.kinds[kind], 0, 100.0) for kind in ACTION_WORDS)
        cells = [cell for pair in shares for cell in pair]
        rows.append([name, f"{player.hands:,}", f"{player.actions:,}", *cells])
    return as_text(rows)


def _told_table(found: Players) -> str:
    rows: Rows = [["", "actions", "surprise", "", "dealt in", "told", "", "known", "true", ""]]
    rows += [
        [
            name,
            *with_n(player.surprise, 2),
            *with_n(player.told, 2),
            *with_n(player.told_truth, 2, sign="+"),
        ]
        for name, player in _named(found)
    ]
    return as_text(rows)


def _end_table(found: Players) -> str:
    rows: Rows = [["", "known", "last read", "", "ruled out", "ended", "net", ""]]
    rows += [
        [
            name,
            *with_n(player.read, 2, sign="+"),
            count(player.read.infinite),
            *with_n(player.net, 2, sign="+"),
        ]
        for name, player in _named(found)
    ]
    return as_text(rows)


def _floor_text(found: Players) -> str:
    """Return in words what is infinite in the tables of players."""
    everybody = found.everybody
    counted = (
        (everybody.surprise.infinite, "actions that no holding of the policy takes"),
        (everybody.read.infinite, "true downcards that the last read ruled out"),
    )
    words = [f"{n:,} {what}" for n, what in counted if n]
    if not words:
        return ""
    text = f"infinite, counted as 40 bits: {' and '.join(words)}"
    return as_prose(text)


def _named(found: Players) -> Iterator[tuple[str, PlayerSummary]]:
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
    """Return in words what showdowns leave out, where it applies."""
    known = found.totals.known
    if not known.shown:
        return ""
    head = f"{known.shown:,} of the {known.total:,} players with known downcards showed them."
    return as_prose(head, SHOWN_WORDS)


def surprise_text(found: Surprise) -> str:
    """Return the surprise of the actions as text: a line a kind."""
    rows: Rows = [["", "actions", "surprise, bits", "", "infinite"]]
    rows += [
        [f"  {kind}", *with_n(actions.mean, 2), count(actions.mean.infinite)]
        for kind, actions in found.kinds.items()
    ]
    words = as_prose("infinite: no holding of the policy takes the action; counted as 40 bits")
    some = any(actions.mean.infinite for actions in found.kinds.values())
    head = f"{hands_words(found.hands)}, {visible(found.policy)}"
    return f"{as_prose(head)}{as_text(rows)}{words if some else ''}"


SUMMARY_SCHEMA = "handread.summary/1"

# JSON


def summary_object(found: Summary, unfinished: bool) -> dict[str, Any]:
    """Return a summary as JSON values; ``unfinished`` as in ``Tables``."""
    totals, players = found.totals, found.players
    return {
        "schema": SUMMARY_SCHEMA,
        "unfinished": unfinished,
        "hands": totals.hands,
        "finished": totals.finished,
        "showdowns": totals.showdowns,
        "ties": totals.ties,
        "policies": [{"policy": name, "hands": n} for name, n in totals.policies],
        "refused": totals.refused,
        "reasons": [asdict(reason) for reason in totals.reasons],
        "known": {
            "dealt_in": totals.dealt_in,
            "downcards": {"total": totals.known.total, **asdict(totals.known)},
            "hands_fully": totals.fully_known,
            "hands_partly": totals.partly_known,
        },
        "information_gain": [_gain_object(stage) for stage in found.gain.stages],
        "reads": [_reads_object(reads) for reads in found.reads],
        "everybody": _player_object(players.everybody),
        "players": [_player_object(player) for player in players.wanted],
        "players_in_all": players.all,
    }


def _gain_object(stage: StageGain) -> dict[str, Any]:
    figures = {name: interval_object(estimate) for name, estimate in stage.figures().items()}
    return {"stage": stage.stage, "n": stage.games, "ruled_out": stage.ruled_out, **figures}


def _reads_object(reads: StageReads) -> dict[str, Any]:
    return {"stage": reads.stage, **_objects(reads.figures())}


def _player_object(player: PlayerSummary) -> dict[str, Any]:
    head = {"name": player.name, "hands": player.hands, "actions": player.counts}
    return head | _objects(player.figures())


def _objects(figures: Mapping[str, Estimate]) -> dict[str, Any]:
    return {
        name: {"n": of.n, "hands": of.hands, **interval_object(of), "infinite": of.infinite}
        for name, of in figures.items()
    }
