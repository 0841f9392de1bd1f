"""Policies as text and JSON: their actions with hands, and how far to trust their reads."""

import math
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

import numpy as np

from handread.game.rules import DEFAULT, Variant
from handread.game.steps import DecisionPoint
from handread.inference.readers import Reader, policies_of
from handread.policy import (
    ALIASES,
    EvenHoldingValues,
    Exponents,
    HitRates,
    Measured,
    Panel,
    Policy,
    PolicyFile,
    Provenance,
    Single,
    decision_point_at_odds,
    load_policy,
    policy_hash,
)
from handread.report.tables import as_prose, as_text, hands_words
from handread.report.words import visible
from handread.study.policy_profile import ActionProfile, PolicyProfile

OWN = (
    *("lapse", "likelihood_exponent", "members", "learning", "priors"),
    *("idle", "repeats", "weights", "trees", "errors"),
)
"""The keys of some families; null in the others."""

CHANCES = (0.9, 0.7, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.02)
"""The chances to win of the rows, besides a fair share and the odds."""


def list_object(name: str) -> dict[str, Any]:
    """Return a shipped policy as ``policy list --json`` lists it."""
    return {"name": name, "alias_of": ALIASES.get(name), "title": load_policy(name).title}


def policy_object(content: PolicyFile, players: int, odds: float) -> dict[str, Any]:
    """Return a policy file and a table of its actions as JSON; ``odds`` are effective call odds."""
    policy, fit = content.policy, content.provenance
    return {
        "name": policy.name,
        "family": policy.family,
        "title": policy.title,
        "source": policy.source,
        **dict.fromkeys(OWN),
        **policy.details(),
        "own_policies": list(content.players),
        "fit": fit and _fit_object(fit),
        "measured": policy.measured and asdict(policy.measured),
        "players": players,
        "odds": odds,
        "rows": _rows(policy, players, odds),
    }


def _fit_object(fit: Provenance) -> dict[str, Any]:
    """Return the data that a policy was fitted to, and the families compared, if any were."""
    facts = {key: value for key, value in fit.record().items() if key != "seen"}
    return facts | ({"families": dict(fit.families)} if fit.families else {})


def _rows(policy: Single | Panel, players: int, odds: float) -> list[dict[str, Any]]:
    chances = sorted({*CHANCES, 1.0 / players, odds}, reverse=True)
    return [_row(policy, players, odds, chance) for chance in chances]


def _row(policy: Single | Panel, players: int, odds: float, chance: float) -> dict[str, Any]:
    """Return the actions with a chance to win, when nobody has bet and when somebody has."""

    def played(spot: DecisionPoint) -> dict[str, float]:
        outlook = EvenHoldingValues(np.array([chance]), players)
        return {a: float(p[0]) for a, p in policy.probabilities(spot, outlook).items()}

    return {
        "chance": chance,
        "x": -math.log(chance) / math.log(players),
        "nobody_has_bet": played(decision_point_at_odds(players, None)),
        "somebody_has_bet": played(decision_point_at_odds(players, odds)),
    }


def policy_table(content: PolicyFile, players: int, odds: float) -> str:
    """Return a policy file and a table of its actions as text; see ``policy_object``."""
    policy = content.policy
    rows = _rows(policy, players, odds)
    at = as_prose(
        f"{players} players; a call at effective odds of {odds:.1%} (x_e = "
        f"{-math.log(odds) / math.log(players):.2f}); x = -log_{players}(chance to win)",
        *([policy.shown] if policy.shown else []),
    )
    return f"{_heading(content)}\n{at}\n{as_text(_table(rows, players, odds))}" + "".join(
        _parts(policy)
    )


def _heading(content: PolicyFile) -> str:
    """Return the title of a policy, its source, and the players with policies of their own."""
    policy, fit = content.policy, content.provenance
    title = policy.title or "no title"
    title = visible(title if title.startswith(policy.name) else f"{policy.name}: {title}")
    title += f"; lapse {policy.lapse:g}" if policy.lapse else ""
    exponents = policy.likelihood_exponent
    title += f"; likelihood exponent {_exponents(exponents)}" if exponents != 1.0 else ""
    lines = [title, *([visible(policy.source)] if policy.source else [])]
    if fit is not None:
        lines.append(
            f"fitted to {hands_words(fit.hands)}, {fit.actions:,} actions, {fit.known:,} of them "
            "with known downcards"
        )
        if fit.families:
            tried = ", ".join(f"{name} {score:+.3f}" for name, score in fit.families)
            lines.append(f"the family was chosen by log2 P of held-out actions: {tried}")
    lines.append(trust_words(policy))
    if policy.uncertainty is not None:
        n = len(policy.uncertainty.parameters)
        lines.append(
            f"the uncertainty of its {n} parameters is known: reads with ranges by --uncertainty"
        )
    if content.players:
        lines.append("with policies of their own: " + visible(", ".join(content.players)))
    return as_prose(*lines)


def _exponents(exponents: Exponents) -> str:
    """Return an exponent as text, or the exponents of the five streets."""
    if isinstance(exponents, float):
        return f"{exponents:g}"
    return ", ".join(f"{exponent:g}" for exponent in exponents) + " on 3rd to 7th street"


def _table(rows: list[dict[str, Any]], players: int, odds: float) -> list[list[str]]:
    table = [["chance", "x", "bet", "check", "", "raise", "call", "fold", ""]]
    for row in rows:
        free, called = row["nobody_has_bet"], row["somebody_has_bet"]
        cells = [
            *(f"{free[action]:.0%}" for action in ("bet", "check")),
            "",
            *(f"{called[action]:.0%}" for action in ("raise", "call", "fold")),
        ]
        note = "a fair share" if row["chance"] == 1.0 / players else ""
        note = "the odds" if row["chance"] == odds else note
        table.append([f"{row['chance']:.1%}", f"{row['x']:.2f}", *cells, note])
    return table


MOST_FAMILIES, LEAST_SHARE = 4, 0.08
"""Number of families of holdings that are named for an action, and the least share of one."""


def profile_text(profile: PolicyProfile) -> str:
    """Return the holdings behind a policy's actions; in parentheses the share before the action."""
    lines: list[str] = []
    for situation, actions in groupby(profile.actions, lambda action: action.situation):
        lines.append(f"{situation.words}:")
        lines += [
            f"  {action.action} {action.share:.0%}: {_families(action)}" for action in actions
        ]
    head = as_prose("families of holdings behind each action (in parentheses: before the action)")
    return head + "".join(as_prose(line, hang=" " * 8) for line in lines)


def _families(action: ActionProfile) -> str:
    likely = [(f, p) for f, p in action.families.items() if p >= LEAST_SHARE][:MOST_FAMILIES]
    return ", ".join(f"{f} {p:.0%} ({action.before[f]:.0%})" for f, p in likely)


def _parts(policy: Single | Panel) -> Iterator[str]:
    for words, table, left, lines in policy.parts():
        yield "\n" + (as_prose(words) if words else "")
        if table is not None:
            yield as_text([[visible(cell) for cell in row] for row in table], left=left)
        yield from (f"{visible(line)}\n" for line in lines)


def trust_words(policy: Policy, game: Variant = DEFAULT) -> str:
    """Return how often a policy's reads of unseen hands were right, or why that is unknown."""
    measured: Measured | None = getattr(policy, "measured", None)
    name = visible(policy.name)
    if measured is None or measured.policy != policy_hash(policy) or game.key not in measured.games:
        reads = "reads" if game is DEFAULT else f"reads of {game.title}"
        return f"Nobody has measured how often {reads} by the policy {name} are right."
    out = "of logs held out" if measured.by == "log" else "held out"
    unseen = f"{out} from its fit" if measured.folds else "that it had not seen"
    reads = f"In {measured.overall.n:,} reads of {hands_words(measured.hands)} {unseen}"
    return f"{reads}, the policy {name} named {_hit_words(measured.overall)}."


def reader_trust(reader: Reader, game: Variant) -> str:
    """Return how often the reads of a reader were right."""
    players = policies_of(reader)
    if players is not None:
        return trust_words(players.rest.policy, game)
    name = visible(reader.name)
    return f"Compare reads by the reader {name} with others: handread experiment readers."


def _hit_words(rates: HitRates) -> str:
    """Return hit rates in words, each beside the rate of the upcards alone."""
    pairs = rates.first_family, rates.first_kind, rates.one_of_three
    (family, alone), *others = [[f"{100 * rate:.0f}" for rate in pair] for pair in pairs]
    kind, three = (f"{bets} ({cards})" for bets, cards in others)
    return (
        f"the right kind of hand first in {family} of 100 (the upcards alone, in {alone}), with "
        f"its ranks in {kind}, and with its ranks among the first three in {three}"
    )
