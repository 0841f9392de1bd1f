"""The page of the included policies, from their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import groupby, takewhile
from typing import Any

from docs.site.reference.markdown import block, bullets, code, link, page, prose, sentence, table
from handread.decisions.learned import LearnedValues, has_values, learned_values
from handread.game.rules import VARIANTS
from handread.inference.players import Model, PlayerModels
from handread.policy import (
    ALIASES,
    LogitPolicy,
    Panel,
    PolicyFile,
    TreePolicy,
    load_policy_file,
    policy_names,
)
from handread.policy.provenance import Measured
from handread.report.policies import half_share, policy_object

INTRODUCTION = """\
Every policy that handread includes: what it is, what it was made from, and what it does.
[Policies](../policies.md) explains the families and says how well the policies read real players;
[My policy](../own-policy.md) shows how to write your own. `handread policy show NAME` prints more
of each, such as the weights.
"""

PLAYERS = 4
SHOWN = (0.9, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05)
"""The chances to win in the table of a policy."""

GAMES = tuple(key for key, game in VARIANTS.items() if game.analyzed)

FAMILIES = {
    "ramps": "the linear ramps of Saund 2006",
    "logit": "smooth log-odds",
    "tree": "relational trees",
    "panel": "several policies, weighed by the actions seen",
}


def policies_page() -> str:
    """Return the page of the policies."""
    names = [name for name in policy_names() if name not in ALIASES]
    return page(
        "Policy reference",
        prose(INTRODUCTION),
        bullets(f"{link(name, shown=code(name))}: {_title(name)}" for name in names),
        bullets(
            f"{code(name)}: another name for {link(meant, shown=code(meant))}"
            for name, meant in ALIASES.items()
        )
        if ALIASES
        else "",
        "## How to read the tables",
        prose(
            f"A table shows what the policy does on 7th street with {PLAYERS} players still in, "
            "by the chance to win of the holding: how often it bets if nobody has bet, and how "
            "often it raises, calls or folds against a bet. The call is at effective odds of "
            f"{half_share(PLAYERS):.1%}, half a fair share of 25%."
        ),
        "## Learned values",
        prose(
            "Decisions are valued without rollouts where "
            "values have been learned for the policy in the game:"
        ),
        table(("policy", "values in"), _values(names)),
        prose(
            "A policy that stands for another one in a game has the values of that one: `people` "
            "plays razz as `people-mixed`. `handread fit --values` learns values of other policies."
        ),
        *(part for name in names for part in _policy(name)),
    )


def _title(name: str) -> str:
    title = load_policy_file(name).policy.title.removeprefix(f"{name}: ")
    return sentence(title)


def _comment(name: str) -> Iterator[str]:
    """Yield the parts of the comment at the head of a policy file; indented lines are commands."""
    text = resources.files("handread.policies").joinpath(f"{name}.toml").read_text("utf-8")
    head = takewhile(lambda line: line.startswith("#"), text.splitlines())
    for is_command, lines in groupby((line[1:] for line in head), lambda line: line[:2] == "  "):
        if is_command:
            commands = "\n".join(line.strip() for line in lines)
            yield block(re.sub(r" *\\\n", " ", commands), "sh")
        else:
            yield prose(" ".join(lines))


def _policy(name: str) -> Iterator[str]:
    """Yield the section of a policy."""
    content = load_policy_file(name)
    shown: dict[str, Any] = policy_object(content, PLAYERS, None)
    yield f"## {name}"
    yield from _comment(name)
    yield bullets(_facts(name, content))
    if content.policy.measured is not None:
        yield from _hits(content.policy.measured)
    rows = [row for row in shown["rows"] if row["chance"] in SHOWN]
    head = ("chance to win", "bets", "raises", "calls", "folds")
    yield table(head, map(_row, rows))


def _row(row: dict[str, Any]) -> tuple[str, ...]:
    free, called = row["nobody_has_bet"], row["somebody_has_bet"]
    shares = (free["bet"], *(called[action] for action in ("raise", "call", "fold")))
    return (f"{row['chance']:.0%}", *(f"{share:.0%}" for share in shares))


def _facts(name: str, content: PolicyFile) -> Iterator[str]:
    """Yield what a policy is and what it was made from."""
    policy, fit = content.policy, content.provenance
    family = policy.family
    yield f"Family: `{family}`, {FAMILIES[family]}"
    if policy.source:
        yield f"Source: {policy.source}"
    if fit is not None:
        games = ", ".join(f"{n:,} of {code(game)}" for game, n in fit.games)
        yield (
            f"Fitted to {fit.hands:,} hands{f' ({games})' if games else ''} with "
            f"{fit.actions:,} actions, {fit.known:,} of them by players with known downcards; "
            f"penalty {fit.penalty:g}, by handread {fit.version}"
        )
    if isinstance(policy, Panel):
        members = zip(policy.members, policy.prior, strict=True)
        yield "Members: " + ", ".join(f"{code(one.name)} {prior:.0%}" for one, prior in members)
    else:
        exponents = policy.likelihood_exponent
        shown = exponents if isinstance(exponents, tuple) else (exponents,)
        yield f"Likelihood exponent: {', '.join(f'{one:g}' for one in shown)}"
        if policy.lapse:
            yield f"Lapse: {policy.lapse:g}"
        if policy.uncertainty is not None:
            yield "Its parameters have standard errors: `--uncertainty` gives ranges"
    if isinstance(policy, TreePolicy):
        yield f"Trees: {2 * len(policy.trees)}"
    if isinstance(policy, LogitPolicy) and policy.by_game:
        others = ", ".join(f"{code(game)} as {code(one.name)}" for game, one in policy.by_game)
        yield f"Plays {others}"
    yield f"Learned values: {', '.join(code(one.game) for one in _learned(name)) or 'none'}"


def _hits(measured: Measured) -> Iterator[str]:
    """Yield how often reads by a policy were right."""
    held_out = f"in {measured.folds} folds" if measured.folds else "that it was not fitted to"
    yield prose(
        f"How often its reads were right on {measured.hands:,} hands {held_out}, in %; in brackets "
        "by the upcards alone:"
    )
    rows = (
        (stage, *(_rates(rates) for rates in (hit.first_kind, hit.one_of_three, hit.first_family)))
        for stage, hit in measured.stages
    )
    yield table(("after", "first kind", "one of three", "first family"), rows)


def _rates(rates: tuple[float, float]) -> str:
    return f"{100 * rates[0]:.1f} ({100 * rates[1]:.1f})"


# Learned values


@cache
def _learned(name: str) -> tuple[LearnedValues, ...]:
    """Return the learned values of a policy, game by game."""
    players = PlayerModels(Model(load_policy_file(name).policy))
    models = {game: players.in_game(game) for game in GAMES}
    return tuple(learned_values(m, game) for game, m in models.items() if has_values(m, game))


def _values(names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the policies that have learned values, each with its games."""
    for name in names:
        if _learned(name):
            yield link(name, shown=code(name)), ", ".join(map(_made, _learned(name)))


def _made(values: LearnedValues) -> str:
    """Return the game of learned values, and the number of games that they were learned from."""
    games = re.search(r"--games (\d+)", str(values.made.get("command", "")))
    return code(values.game) + (f" ({int(games[1]):,} games)" if games else "")
