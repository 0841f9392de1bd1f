"""The faces of the study of wrong models: text for people and CSV for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from handread.experiments.misreading import PLACES, POOLED, Misread, Misreading, StageMisread
from handread.experiments.readers import FITTED
from handread.experiments.values import Estimate
from handread.report.escape import visible
from handread.report.tables import as_csv, as_prose, as_text, n_games, with_error

FIGURES = ("model_error_bits", "surprise_bits", "surprise_over_true_bits")
STAGE_FIGURES = (
    "kl_bits",
    "gain_bits",
    "gain_share_of_true",
    "bits_on_truth",
    "bits_on_truth_over_true",
)


def _columns() -> Iterator[str]:
    yield from ("reader", "kind", "policy", "hands", "actions", "actions_impossible")
    yield from (f"{name}_{part}" for name in FIGURES for part in ("mean", "se"))
    for place in PLACES:
        yield f"{place}_games"
        yield from (f"{place}_{name}_{part}" for name in STAGE_FIGURES for part in ("mean", "se"))
        yield f"{place}_ruled_out"


MISREADING_COLUMNS = tuple(_columns())


def misreading_csv(table: Misreading) -> str:
    """The study as CSV: a row a reader, means and their standard errors."""
    return as_csv(MISREADING_COLUMNS, [list(_row(found)) for found in table.readers])


def _row(found: Misread) -> Iterator[object]:
    reader = found.reader
    policy = "" if reader.policy is None else reader.policy.name
    hands = "" if reader.hands is None else reader.hands
    yield from (reader.label, reader.kind, policy, hands, found.actions, found.impossible)
    for figure in (found.error, found.surprise, found.excess):
        yield from (figure.mean, figure.error)
    for place in PLACES:
        stage = found.stages[place]
        yield stage.games
        for figure in (stage.divergence, stage.gain, stage.share, stage.truth, stage.behind):
            yield from (figure.mean, figure.error)
        yield stage.ruled_out


def misreading_text(table: Misreading) -> str:
    """The study as text: tables with a line a reader."""
    actions = table.readers[0].actions
    learned = any(found.reader.kind == FITTED for found in table.readers)
    fits = f"; fits: {table.family}, no downcard known" if learned else ""
    return (
        as_prose(
            f"{n_games(table.games)} of {visible(table.players)}, {actions:,} actions, each game "
            f"read by every reader{fits}",
            "mean ±standard error from game to game; all: the betting stages together",
        )
        + f"\n{as_text(_action_rows(table))}\n"
        + as_prose(
            "model error: D(true policy || reader's policy) at the player's own downcards, bits "
            "an action",
            "surprise: -log2 of what the read expected of the action; over true: beyond what the "
            "true policy's read has; impossible: actions at which the reader rules out what the "
            "player could do (each counts 40 bits at most)",
        )
        + f"\n{_stages(table, 'information gain, bits', _gain)}"
        f"\n{_stages(table, 'information gain, % of what the true policy gives', _share)}"
        f"\n{_stages(table, 'bits on the true downcards', _truth)}"
        f"{_left_out(table)}"
    )


def _label(found: Misread) -> str:
    return visible(found.reader.label)


def _action_rows(table: Misreading) -> list[list[str]]:
    rows = [["reader", "model error", "surprise", "over true", "impossible"]]
    for found in table.readers:
        figures = [
            with_error(found.error),
            with_error(found.surprise),
            with_error(found.excess, sign="+z"),
        ]
        share = f"{found.impossible / found.actions:.1%}" if found.actions else "-"
        rows.append([_label(found), *figures, share])
    return rows


def _stages(table: Misreading, title: str, cell: Callable[[StageMisread], str]) -> str:
    """One figure by reader and stage."""
    rows = [[title, *PLACES]]
    rows += [
        [f"  {_label(found)}", *(cell(found.stages[place]) for place in PLACES)]
        for found in table.readers
    ]
    return as_text(rows)


def _gain(stage: StageMisread) -> str:
    return with_error(stage.gain, sign="+z")


def _truth(stage: StageMisread) -> str:
    return with_error(stage.truth, 2, sign="+z")


def _share(stage: StageMisread) -> str:
    return percent(stage.share)


def percent(share: Estimate) -> str:
    """A fraction with its error as a percentage: ``93 ±4``; a dash where there is none."""
    return with_error(share, 0, 100.0, "z") if math.isfinite(share.mean) else "-"


def _left_out(table: Misreading) -> str:
    """A line on the reads that gave no chance to what could be, if there are any."""
    found = [
        f"{_label(row)} {row.stages[POOLED].ruled_out:,}"
        for row in table.readers
        if row.stages[POOLED].ruled_out
    ]
    if not found:
        return ""
    words = f"left out of the gains, K-L infinite, games times stages: {'; '.join(found)}"
    return f"\n{as_prose(words)}"
