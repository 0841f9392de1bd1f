"""The faces of a summary: text for people, CSV and a JSON object for programs.

The object's schema is ``handread.summary/1``. Bits are to base 2, intervals are of 95%; what cannot
be said from so few hands is ``null``. Infinite bits count as 40 in a mean, and are counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from textwrap import fill
from typing import Any

from handread.evaluation.values import Interval
from handread.experiments.values import Estimate, StageGain
from handread.report.escape import visible
from handread.report.evaluation import FEW_HANDS, RULED_OUT_WORDS, SHOWN_WORDS, TRUTH_WORDS
from handread.report.tables import Rows, as_csv, as_text, gain_text
from handread.score.columns import ACTION_WORDS
from handread.score.copies import harmless_cell
from handread.score.estimates import Mean
from handread.score.pictures import Surprise
from handread.score.players import Player, Players
from handread.score.summary import StageReads, Summary, Totals

SCHEMA = "handread.summary/1"

# What a player's figures are called, in the order in which they are shown.
SHARES = {kind: f"{kind}_share" for kind in ACTION_WORDS}
FIGURES = {
    "surprise": "surprise_bits_an_action",
    "told": "told_bits_a_hand",
    "told_truth": "told_truth_bits_a_hand",
    "read": "last_read_truth_bits",
    "net": "net_big_bets_a_hand",
}
GAIN_FIGURES = {
    "log2_n": "log2_n_bits",
    "entropy": "entropy_bits",
    "cards_only": "kl_cards_only_bits",
    "bet_inference": "kl_bet_inference_bits",
    "gain": "gain_fraction",
}
READ_FIGURES = {
    "active_bits": "bits_on_truth",
    "active_share": "rank_share_of_truth",
    "everybody_bits": "bits_on_truth_with_folded",
    "everybody_share": "rank_share_of_truth_with_folded",
}


def _player_figures(player: Player) -> Iterator[tuple[str, Mean, Interval]]:
    """The figures of a player by name, each with its interval."""
    for kind, name in SHARES.items():
        yield name, player.kinds[kind], player.kinds[kind].share
    for field, name in FIGURES.items():
        mean: Mean = getattr(player, field)
        yield name, mean, mean.interval


def _read_figures(reads: StageReads) -> Iterator[tuple[str, Mean, Interval]]:
    """The figures of the reads of a stage by name, each with its interval."""
    for field, name in READ_FIGURES.items():
        mean: Mean = getattr(reads, field)
        yield name, mean, mean.part if field.endswith("share") else mean.interval


def _gain_figures(stage: StageGain) -> Iterator[tuple[str, Interval]]:
    for field, name in GAIN_FIGURES.items():
        yield name, _interval(getattr(stage, field))


def _interval(estimate: Estimate) -> Interval:
    """An estimate with nothing where it is not finite."""
    numbers = (estimate.mean, *estimate.interval)
    return Interval(*(number if math.isfinite(number) else None for number in numbers))


# JSON


def summary_object(found: Summary, unfinished: bool) -> dict[str, Any]:
    """A summary as plain JSON values; ``unfinished`` as of ``Tables``."""
    totals, players = found.totals, found.players
    return {
        "schema": SCHEMA,
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
    figures = {name: asdict(interval) for name, interval in _gain_figures(stage)}
    return {"stage": stage.stage, "n": stage.games, "ruled_out": stage.ruled_out, **figures}


def _reads_object(reads: StageReads) -> dict[str, Any]:
    figures = {name: _mean_object(mean, cut) for name, mean, cut in _read_figures(reads)}
    return {"stage": reads.stage, **figures}


def _player_object(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "hands": player.hands,
        "actions": player.counts,
        **{name: _mean_object(mean, interval) for name, mean, interval in _player_figures(player)},
    }


def _mean_object(mean: Mean, interval: Interval) -> dict[str, Any]:
    return {"n": mean.n, "hands": mean.hands, **asdict(interval), "infinite": mean.infinite}


# CSV

COLUMNS = (
    "about",
    "stage",
    "player",
    "figure",
    "n",
    "hands",
    "mean",
    "low95",
    "high95",
    "infinite",
)


def summary_csv(found: Summary) -> str:
    """A summary as CSV: a row a figure. A player without a name has an empty cell."""
    return as_csv(COLUMNS, _csv_rows(found))


def _csv_rows(found: Summary) -> Iterator[list[object]]:
    totals = found.totals
    for name, n in _counts(totals).items():
        yield ["set", "", "", name, n, totals.hands, None, None, None, None]
    for stage in found.gain.stages:
        for name, interval in _gain_figures(stage):
            row = ["gain", stage.stage, "", name, stage.games, stage.games]
            yield [*row, *_numbers(interval), stage.ruled_out]
    for reads in found.reads:
        for figure in _read_figures(reads):
            yield _csv_row("reads", reads.stage, "", *figure)
    for about, player in _all_players(found.players):
        for figure in _player_figures(player):
            yield _csv_row(about, "", harmless_cell(player.name or ""), *figure)


def _counts(totals: Totals) -> dict[str, int]:
    return {
        "hands": totals.hands,
        "finished": totals.finished,
        "showdowns": totals.showdowns,
        "refused": totals.refused,
        "dealt_in": totals.dealt_in,
        "downcards_known": totals.known.total,
        "hands_fully_known": totals.fully_known,
        "hands_partly_known": totals.partly_known,
    }


def _all_players(found: Players) -> Iterator[tuple[str, Player]]:
    yield "everybody", found.everybody
    for player in found.wanted:
        yield "player", player


def _csv_row(
    about: str, stage: str, player: str, figure: str, mean: Mean, interval: Interval
) -> list[object]:
    numbers = _numbers(interval)
    return [about, stage, player, figure, mean.n, mean.hands, *numbers, mean.infinite]


def _numbers(interval: Interval) -> tuple[float | None, ...]:
    return interval.mean, interval.low, interval.high


# Text

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
    ways = [
        f"{n:,} {words}"
        for n, words in (
            (known.shown, "shown"),
            (known.hero, "the log's own player"),
            (known.published, "told by the record"),
        )
        if n
    ]
    shown = totals.policies[:MOST_POLICIES]
    policies = ", ".join(f"{visible(name)} ({n:,})" for name, n in shown)
    if len(totals.policies) > len(shown):
        policies += f" and {len(totals.policies) - len(shown):,} others"
    how = f" ({', '.join(ways)})" if ways else ""
    lines = (
        f"{_hands(totals.hands)}, {totals.finished:,} recorded to the end, "
        f"{totals.showdowns:,} with a showdown; {totals.refused:,} refused",
        f"policies and hands read with them: {policies or 'none'}; ties {visible(totals.ties)}",
        f"downcards known of {known.total:,} of {totals.dealt_in:,} players dealt in{how}",
        f"all downcards known in {_hands(totals.fully_known)}, some in {totals.partly_known:,}",
        "in brackets: 95% intervals, hands being what chance draws; from fewer than about "
        f"{FEW_HANDS} hands\nthey are too narrow",
    )
    return "".join(f"{line}\n" for line in lines)


def _hands(n: int) -> str:
    return "1 hand" if n == 1 else f"{n:,} hands"


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
    return f"{title}\n{gain_text(found.gain)}"


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


def _players_texts(found: Players) -> Iterator[str]:
    """The tables of players: what they did, what that told, and how it ended."""
    if not found.everybody.hands:
        return
    title = f"players, those with the most hands first: {len(found.wanted):,}"
    if found.all > len(found.wanted):
        title += f" of {found.all:,}"
    yield f"{title}\n\nwhat they did, % of their actions\n{_did_table(found)}"
    yield told_text(found)
    yield f"how it ended, by hand\n{_end_table(found)}{END_WORDS}{_floor_text(found)}"


def told_text(found: Players) -> str:
    """What the actions of players told, as text: a line a player."""
    title = "what their actions told, in bits: surprise by action, the others by hand"
    return f"{title}\n{_told_table(found)}{TOLD_WORDS}"


def _did_table(found: Players) -> str:
    rows: Rows = [["", "hands", "actions", *(x for kind in ACTION_WORDS for x in (kind, ""))]]
    for name, player in _named(found):
        shares = (_cells(player.kinds[kind].share, 0, 100.0) for kind in ACTION_WORDS)
        cells = [cell for pair in shares for cell in pair]
        rows.append([name, f"{player.hands:,}", f"{player.actions:,}", *cells])
    return as_text(rows)


def _told_table(found: Players) -> str:
    rows: Rows = [["", "actions", "surprise", "", "hands", "told", "", "known", "true", ""]]
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
    return f"{_hands(found.hands)}, {visible(found.policy)}\n{as_text(rows)}{words if some else ''}"


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
