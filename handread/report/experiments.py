"""The tables of the experiments and of fitted policies, as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from handread.policy import Provenance
from handread.report.tables import (
    as_prose,
    as_text,
    n_games,
    reliability_rows,
    with_error,
)
from handread.report.words import visible
from handread.study.calibration import Calibration
from handread.study.fit.choices import Choice
from handread.study.fit.fit import Fit
from handread.study.independence import IndependenceCost
from handread.study.misspecified import (
    FITTED,
    PLACES,
    POOLED,
    Misreading,
    ReaderScores,
    ReaderStage,
)
from handread.study.replication import InformationGain, Rate, WinRates
from handread.study.statistics import Estimate

# Information gain (Figure 6)


def gain_text(table: InformationGain) -> str:
    """Return Figure 6 as text: a line a stage."""
    header = ["stage", "games", "log2 N", "entropy", "K-L cards-only", "K-L bet-inference", "gain"]
    rows = [
        [
            stage.stage,
            f"{stage.games:,}",
            with_error(stage.log2_n),
            with_error(stage.entropy),
            with_error(stage.cards_only),
            with_error(stage.bet_inference),
            f"{with_error(stage.gain, 1, 100.0)}%" if math.isfinite(stage.gain.mean) else "-",
        ]
        for stage in table.stages
    ]
    return (
        as_prose(
            f"{n_games(table.games)}, {table.policy}",
            "bits, mean ±standard error over the games with two or more active",
        )
        + f"\n{as_text([header, *rows])}"
        + _left_out(stage.ruled_out for stage in table.stages)
    )


def _left_out(ruled_out: Iterable[int]) -> str:
    """A line on the reads that gave no chance to what happened, if there are any."""
    n = sum(ruled_out)
    return f"left out: {n:,} infinite, where a read ruled out what could be\n" if n else ""


# Win rates (Figure 9)


def rates_text(rates: WinRates) -> str:
    """Return Figure 9 as text: a line a kind of player and a line a player."""
    duplicate = rates.games != rates.deals
    header = ["", "put in", "won", "net", "95% of net"]
    head = f"{n_games(rates.games)}, {rates.players}\nsmall bets a player and hand, mean"
    if duplicate:
        header.append("precision")
        times = rates.games // rates.deals
        head = f"{rates.deals:,} deals played {times} times each, {head}"
    rows = [_rate_cells(rate, duplicate) for rate in (*rates.kinds, *rates.seats)]
    return as_prose(*f"{head} ±standard error".split("\n")) + f"\n{as_text([header, *rows])}"


def _rate_cells(rate: Rate, duplicate: bool) -> list[str]:
    low, high = rate.net.low, rate.net.high
    cells = [
        rate.group,
        with_error(rate.put_in),
        with_error(rate.won),
        with_error(rate.net, sign="+"),
        f"{low:+.3f} to {high:+.3f}" if math.isfinite(low) else "-",
    ]
    if duplicate:
        cells.append(f"x{rate.precision:.2f}" if math.isfinite(rate.precision) else "-")
    return cells


# Calibration


def calibration_text(table: Calibration) -> str:
    """Return the reliability table as text: a line a bin."""
    head = f"{n_games(table.games)}, {table.policy}; the observer's chances, and what came true"
    tables = (as_text(reliability_rows(kind, bins, True)) for kind, bins in table.bins.items())
    return "\n".join([as_prose(head), *tables])


# Independence


def independence_text(table: IndependenceCost) -> str:
    """Return the cost of independence as text: a line a stage."""
    header = ["stage", "games", "cards", "bets", "cards, truth", "bets, truth", "equation 1"]
    rows = [
        [
            stage.stage,
            f"{stage.games:,}",
            *(with_error(figure, 5) for figure in stage.figures().values()),
        ]
        for stage in table.stages
    ]
    games = n_games(table.games)
    return (
        as_prose(
            f"{games}, {table.policy}; {table.draws:,} joint deals a stage and observer",
            "bits that independent seats cost the cards-only and the bet-inference observer: "
            "expected by the observer itself, and on the cards dealt; and what equation 1 costs "
            "who knows all",
        )
        + f"\n{as_text([header, *rows])}"
        + _left_out(stage.ruled_out for stage in table.stages)
    )


# Wrong models of the players


def misreading_text(table: Misreading) -> str:
    """Return the study as text: tables with a line a reader."""
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
        f"\n{_stages(table, 'information gain, % of what the true policy gives', _misread_share)}"
        f"\n{_stages(table, 'bits on the true downcards', _truth)}"
        f"{_misread_left_out(table)}"
    )


def _label(found: ReaderScores) -> str:
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


def _stages(table: Misreading, title: str, cell: Callable[[ReaderStage], str]) -> str:
    """One figure by reader and stage."""
    rows = [[title, *PLACES]]
    rows += [
        [f"  {_label(found)}", *(cell(found.stages[place]) for place in PLACES)]
        for found in table.readers
    ]
    return as_text(rows)


def _gain(stage: ReaderStage) -> str:
    return with_error(stage.gain, sign="+z")


def _truth(stage: ReaderStage) -> str:
    return with_error(stage.truth, 2, sign="+z")


def _misread_share(stage: ReaderStage) -> str:
    return signed_percent(stage.share)


def signed_percent(share: Estimate) -> str:
    """A fraction with its error as a percentage: ``93 ±4``; a dash where there is none."""
    return with_error(share, 0, 100.0, "z") if math.isfinite(share.mean) else "-"


def _misread_left_out(table: Misreading) -> str:
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


# Fitted policies


def fit_text(fit: Fit) -> str:
    """Return a fit as text: the data, the choices, the parameters with errors, the players."""
    provenance = fit.file.provenance
    assert provenance is not None  # a fit knows what it was fitted to
    text = as_prose(*_seen(provenance), *map(_choice, fit.choices)) + _parameters(fit)
    return f"{text}\n{_players(provenance)}" if provenance.players else text


def _seen(provenance: Provenance) -> tuple[str, str]:
    surprise = -provenance.evidence_bits / provenance.actions
    hands = "hand" if provenance.hands == 1 else "hands"
    given = ", given the downcards where they are known" if provenance.known else ""
    return (
        f"{provenance.hands:,} {hands}, {provenance.actions:,} actions by choice, "
        f"{provenance.known:,} of them by players whose downcards are known",
        f"surprise on these hands {surprise:.3f} bits an action{given}; on others it is more",
    )


def _choice(choice: Choice) -> str:
    """The values that were tried and what they were worth on hands held out."""
    cells = [
        f"{value:g}{'*' if value == choice.chosen else ''}: {score:+.3f}"
        for value, score in zip(choice.values, choice.scores, strict=True)
    ]
    return f"{choice.what}, by {choice.by} on hands held out: {', '.join(cells)}"


def _parameters(fit: Fit) -> str:
    rows = [["parameter", "value", "error"]]
    rows += [
        [name, f"{value:+.2f}", f"{error:.2f}"]
        for name, value, error in zip(fit.names, fit.vector, fit.errors, strict=True)
    ]
    return f"\n{as_text(rows)}"


def _players(provenance: Provenance) -> str:
    rows = [["player", "hands", "actions"]]
    rows += [[visible(name), f"{hands:,}", f"{n:,}"] for name, hands, n in provenance.players]
    return f"players with a policy of their own\n{as_text(rows)}"
