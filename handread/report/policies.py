"""Policies as text and JSON: a table of what they do with hands from strong to weak."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

import numpy as np

from handread.game.steps import DecisionPoint
from handread.policy import (
    EvenHoldingValues,
    Exponents,
    LogitPolicy,
    Panel,
    PolicyFile,
    Single,
    TreePolicy,
    decision_point_at_odds,
)
from handread.policy.features import CONDITIONS, feature_words
from handread.policy.files import family_of
from handread.policy.logit import FEATURES, HEADS
from handread.policy.tree import EVERYBODY, UNIFORM, tree_lines
from handread.report.tables import as_prose, as_text, hands_words
from handread.report.trust import trust_words
from handread.report.words import visible
from handread.study.policy_profile import ActionProfile, PolicyProfile

CHANCES = (0.9, 0.7, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.02)
"""The chances to win of the rows, beside those of a fair share and of the odds."""


def policy_object(content: PolicyFile, players: int, odds: float | None) -> dict[str, Any]:
    """Return the policy of a file, and a table of what it does, as a JSON object.

    ``odds`` are the effective odds of a call; None takes half a fair share.
    """
    odds = half_share(players) if odds is None else odds
    policy, fit = content.policy, content.provenance
    single = None if isinstance(policy, Panel) else policy
    return {
        "name": policy.name,
        "family": family_of(policy),
        "title": policy.title,
        "source": policy.source,
        "lapse": single and single.lapse,
        "likelihood_exponent": single and single.likelihood_exponent,
        "members": _members(policy) if isinstance(policy, Panel) else None,
        "weights": _weights(policy) if isinstance(policy, LogitPolicy) else None,
        "trees": _tree_texts(policy) if isinstance(policy, TreePolicy) else None,
        "errors": single and _errors(single),
        "own_policies": list(content.players),
        "fit": fit and {key: value for key, value in fit.record().items() if key != "seen"},
        "measured": policy.measured and asdict(policy.measured),
        "players": players,
        "odds": odds,
        "rows": _rows(policy, players, odds),
    }


def _members(panel: Panel) -> list[dict[str, Any]]:
    return [
        {"name": member.name, "prior": prior}
        for member, prior in zip(panel.members, panel.prior, strict=True)
    ]


def _weights(policy: LogitPolicy) -> dict[str, dict[str, float]]:
    """By feature the weight in each head; without the features that weigh nothing."""
    heads = zip(policy.bet, policy.fold, policy.raise_, strict=True)
    return {
        feature: dict(zip(HEADS, weights, strict=True))
        for feature, weights in zip(FEATURES, heads, strict=True)
        if any(weights)
    }


def _tree_texts(policy: TreePolicy) -> list[dict[str, str]]:
    return [
        {
            "against": pair.against,
            "third": "\n".join(tree_lines(pair.third)),
            "later": "\n".join(tree_lines(pair.later)),
        }
        for pair in policy.trees
    ]


def _errors(policy: Single) -> dict[str, float] | None:
    """Return the standard error of each parameter; None if it is not known."""
    known = policy.uncertainty
    if known is None:
        return None
    return dict(zip(known.parameters, known.errors.tolist(), strict=True))


def half_share(players: int) -> float:
    """Return the effective odds at which a player needs half a fair share."""
    return 0.5 / players


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


def policy_table(content: PolicyFile, players: int, odds: float | None) -> str:
    """Return the policy of a file, and a table of what it does, as text.

    The arguments are those of ``policy_object``.
    """
    odds = half_share(players) if odds is None else odds
    policy = content.policy
    rows = _rows(policy, players, odds)
    at = as_prose(
        f"{players} players; a call at effective odds of {odds:.1%} (x_e = "
        f"{-math.log(odds) / math.log(players):.2f}); x = -log_{players}(chance to win)",
        *_at(policy),
    )
    return f"{_heading(content)}\n{at}\n{as_text(_table(rows, players, odds))}{_parts(policy)}"


def _heading(content: PolicyFile) -> str:
    """Return the title of a policy, its source, and the players with policies of their own."""
    policy, fit = content.policy, content.provenance
    title = policy.title or "no title"
    title = visible(title if title.startswith(policy.name) else f"{policy.name}: {title}")
    if not isinstance(policy, Panel):
        exponents = policy.likelihood_exponent
        title += f"; lapse {policy.lapse:g}" if policy.lapse else ""
        title += f"; likelihood exponent {_exponents(exponents)}" if exponents != 1.0 else ""
    lines = [title, *([visible(policy.source)] if policy.source else [])]
    if fit is not None:
        lines.append(
            f"fitted to {hands_words(fit.hands)}, {fit.actions:,} actions, {fit.known:,} of them "
            "with known downcards"
        )
    lines.append(trust_words(policy))
    if not isinstance(policy, Panel) and policy.uncertainty is not None:
        n = len(policy.uncertainty.parameters)
        lines.append(
            f"the uncertainty of its {n} parameters is known: reads with ranges by --uncertainty"
        )
    if content.players:
        lines.append("with policies of their own: " + visible(", ".join(content.players)))
    return as_prose(*lines)


def _exponents(exponents: Exponents) -> str:
    """Return an exponent as text, or those of the five streets."""
    if isinstance(exponents, float):
        return f"{exponents:g}"
    return ", ".join(f"{exponent:g}" for exponent in exponents) + " on 3rd to 7th street"


def _at(policy: Single | Panel) -> tuple[str, ...]:
    """A line on what the table is of, where it is not of every spot."""
    if isinstance(policy, Panel):
        return ("of a player drawn from the panel, of whom nothing has been seen",)
    if isinstance(policy, LogitPolicy | TreePolicy):
        return ("on 7th street, nobody having bet before or one player once; others alike",)
    return ()


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
    """Return the holdings behind the actions of a policy as text.

    In parentheses is the share of the family before the action.
    """
    lines: list[str] = []
    for situation, actions in groupby(profile.actions, lambda one: one.situation):
        lines.append(f"{situation.words}:")
        lines += [f"  {one.action} {one.share:.0%}: {_families(one)}" for one in actions]
    head = as_prose("families of holdings behind each action (in parentheses: before the action)")
    return head + "".join(as_prose(line, hang=" " * 8) for line in lines)


def _families(one: ActionProfile) -> str:
    likely = [(f, p) for f, p in one.families.items() if p >= LEAST_SHARE][:MOST_FAMILIES]
    return ", ".join(f"{f} {p:.0%} ({one.before[f]:.0%})" for f, p in likely)


def _parts(policy: Single | Panel) -> str:
    """The members of a panel, the weights of a logit policy, or the trees of a tree policy."""
    if isinstance(policy, Panel):
        rows = [[visible(row["name"]), f"{row['prior']:.0%}"] for row in _members(policy)]
        return f"\n{as_text([['member', 'prior'], *rows])}"
    if isinstance(policy, TreePolicy):
        return "".join(_trees(policy))
    if not isinstance(policy, LogitPolicy):
        return ""
    words = feature_words()
    words |= {f: f"the same {CONDITIONS[f.partition('@')[2]]}" for f in FEATURES if "@" in f}
    table = [["weight of", *HEADS, ""]]
    for feature, weights in _weights(policy).items():
        numbers = (f"{weight:+z.2f}" for weight in weights.values())
        table.append([feature, *numbers, words[feature]])
    head = as_prose("log-odds of a bet against a check, of a fold or raise against a call")
    return f"\n{head}{as_text(table, left=(0, len(HEADS) + 1))}"


TREES_OF = {
    UNIFORM: "the prior: all players against uniform choices",
    EVERYBODY: "the correction: these players against everybody",
}


def _trees(policy: TreePolicy) -> Iterator[str]:
    yield "\n" + as_prose(
        "Each leaf has P(an example is of the second source) and the number of its examples. The "
        "odds p / (1 - p) of the leaves of all trees, multiplied and scaled to sum to 1 over the "
        "legal actions, are the probabilities of the actions."
    )
    for pair in policy.trees:
        words = TREES_OF.get(pair.against, f"the correction: these players against {pair.against}")
        for street, tree in (("on the first street", pair.third), ("on later streets", pair.later)):
            yield f"\n{visible(words)}, {street}\n"
            yield from (f"  {line}\n" for line in tree_lines(tree))
