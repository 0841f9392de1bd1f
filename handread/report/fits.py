"""A fit in words and numbers."""

from __future__ import annotations

from handread.fitting.choosing import Choice
from handread.fitting.fit import Fit
from handread.policy import Provenance
from handread.report.escape import visible
from handread.report.tables import as_prose, as_text


def fit_text(fit: Fit) -> str:
    """What was seen, what was chosen, the parameters with their errors, the players."""
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
