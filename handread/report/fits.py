"""Fitted policies and fitted values of decisions as text."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from handread.decisions.learned import CHANCES, LearnedValues
from handread.game.rules import STREET_NAMES, variant_of
from handread.policy import Provenance
from handread.policy.ramps import natural
from handread.report.tables import as_prose, as_text, number
from handread.report.words import visible
from handread.study.fit.choices import Choice
from handread.study.fit.fitted import Fit, Usage
from handread.study.fit.intervals import Untold
from handread.study.fit.learners import LEAST_ERROR
from handread.study.fit.tree_fit import LEAVES
from handread.study.statistics import NORMAL_975, Estimate


def fit_text(fit: Fit) -> str:
    """Return a fit as text: the data, the choices, the parameters with errors, the players."""
    provenance = fit.file.provenance
    assert provenance is not None  # a fit knows what it was fitted to
    told = [*_seen(provenance, fit.usage), *map(_choice, fit.choices), *_exponents(fit)]
    text = as_prose(*told) + _parameters(fit)
    return f"{text}\n{_players(provenance)}" if provenance.players else text


def _seen(provenance: Provenance, usage: Usage) -> Iterator[str]:
    surprise = -provenance.evidence_bits / provenance.actions
    given = ", given the downcards where they are known" if provenance.known else ""
    yield (
        f"used {_part(usage.used, usage.actions, 'action')} by choice, in "
        f"{_part(usage.hands_used, usage.hands, 'hand')}; {provenance.known:,} of them by players "
        "whose downcards are known"
    )
    if reasons := usage.why_not():
        yield f"not used: {'; '.join(reasons)}"
    yield f"surprise on these hands {surprise:.3f} bits an action{given}; on others it is more"


def _part(n: int, of: int, what: str) -> str:
    """Return how many there are of some things, such as "all 12 hands" or "3 of 12 hands"."""
    if of == 1:
        return f"{n} {what}"
    return f"all {of:,} {what}s" if n == of else f"{n:,} of {of:,} {what}s"


def _choice(choice: Choice[Any]) -> str:
    """Return the values that were tried, with their scores on hands held out."""
    if choice.what == "family":
        return _family(choice)
    cells = [
        f"{value:g}{'*' if value == choice.chosen else ''}: {score:+.3f}"
        for value, score in zip(choice.values, choice.scores, strict=True)
    ]
    return f"{choice.what}, by {choice.by} on hands held out: {', '.join(cells)}"


def _family(choice: Choice[str]) -> str:
    """Return which family was chosen, by how much, and how to choose another."""
    scores = dict(zip(choice.values, choice.scores, strict=True))
    best = scores.pop(choice.chosen)
    other, score = max(scores.items(), key=lambda one: one[1])
    error = choice.errors[choice.values.index(other)]
    hardly = " hardly" if best - score < 2.0 * error else ""
    return (
        f"family {choice.chosen} (--family sets it): it predicts hands held out{hardly} better "
        f"than {other}, by {choice.by} {best:+.3f} against {score:+.3f}, a difference of "
        f"{best - score:.3f} with a standard error of {error:.3f}"
    )


def _exponents(fit: Fit) -> Iterator[str]:
    if fitted := fit.exponents():
        words = ", ".join(f"{e.mean:.2f} ({e.low:.2f} to {e.high:.2f})" for e in fitted)
        yield (
            f"likelihood exponents on 3rd to 7th street, by {fitted[0].n:,} true holdings in hands "
            f"held out, with 95% intervals: {words}"
        )


def _parameters(fit: Fit) -> str:
    if leaves := fit.groups(LEAVES):
        rows = [
            [where, f"{fit.at(LEAVES, group=where, about=LEAVES).mean:.0f}"] for where in leaves
        ]
        return f"\n{as_text([['tree', 'leaves'], *rows])}"
    rows = [["parameter", "value", "from", "to"]]
    rows += [
        [name, *(f"{natural(name, end):+z.2f}" for end in (value.mean, value.low, value.high))]
        for name, value in fit.parameters().items()
    ]
    words = as_prose(
        "from and to are the ends of 95% intervals", *_untold(fit.untold), *held(fit.parameters())
    )
    return f"\n{words}\n{as_text(rows)}"


def held(parameters: Mapping[str, Estimate]) -> Iterator[str]:
    """Yield the values that the prior holds at an end of the range that hands alone allow."""
    least = 1.01 * NORMAL_975 * LEAST_ERROR
    names = [
        name
        for name, estimate in parameters.items()
        if min(estimate.mean - estimate.low, estimate.high - estimate.mean) <= least
        and 0.005 < natural(name, estimate.mean) < 0.995  # and not at a bound of its own
    ]
    if names:
        yield (
            "the prior holds these at an end of what the hands allow (a smaller --penalty lets "
            f"them go): {', '.join(names)}"
        )


def _untold(untold: Untold) -> Iterator[str]:
    """Yield the parameters that the hands leave open, or cannot separate."""
    if untold.silent:
        yield f"the hands say nothing of: {', '.join(untold.silent)}"
    for names in untold.alike:
        yield f"the hands cannot tell apart: {', '.join(names)}"


def _players(provenance: Provenance) -> str:
    rows = [["player", "hands", "actions"]]
    rows += [[visible(name), f"{hands:,}", f"{n:,}"] for name, hands, n in provenance.players]
    return f"players with a policy of their own\n{as_text(rows)}"


_MEASURED = (
    ("after a check or call", "called"),
    ("after a bet or raise", "raised"),
    ("difference of the two", "gain"),
)


def fitted_values_text(values: LearnedValues) -> str:
    """Return the errors of learned values on held-out games as text."""
    rows = [["value", "R2", "rms error", "spread"]]
    for words, name in _MEASURED:
        figures = [values.made[f"{name}_{figure}"] for figure in ("r2", "rms", "sd")]
        rows.append([words, *(number(figure, 3) for figure in figures)])
    game = variant_of(values.game)
    ends = [f"{edge:.0%}" for edge in (0.0, *CHANCES, 1.0)]
    cells = [["street", *map(" to ".join, pairwise(ends))]]
    for street, errors in zip(game.streets, values.errors["gain"].tolist(), strict=True):
        cells.append([STREET_NAMES[street.number], *(number(error, 2) for error in errors)])
    return (
        as_prose(
            f"values of {visible(values.policy)} in {game.title}, "
            f"{round(values.made['decisions']):,} decisions rolled out",
            "in big bets, on games held out from the fit, without the noise of the rollouts",
        )
        + f"\n{as_text(rows)}\n"
        + as_prose(
            "Errors of the difference by street and chance to win, in big bets where one big bet "
            "is at stake; with the square root of what is at stake they grow."
        )
        + f"\n{as_text(cells)}"
    )
