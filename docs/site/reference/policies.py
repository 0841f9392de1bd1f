"""The page of the included policies, from their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import groupby, takewhile

from docs.site.reference.markdown import block, code, link, page, prose, sentence, table
from handread.decisions.learned import LearnedValues, has_values, learned_values
from handread.game.rules import GAMES
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
from handread.report.policies import policy_object

PLAYERS = 4
SHOWN = (0.9, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05)
"""The chances to win in the table of a policy."""

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
        "policies.md",
        policies=[f"{link(name, shown=code(name))}: {_title(name)}" for name in names],
        aliases=[
            f"{code(name)}: another name for {link(meant, shown=code(meant))}"
            for name, meant in ALIASES.items()
        ],
        players=PLAYERS,
        odds=f"{0.5 / PLAYERS:.1%}",
        values=table(("policy", "values in"), _values(names)),
        files=[(name, load_policy_file(name)) for name in names],
        comment=_comment,
        facts=_facts,
        rates=_rates,
        shares=_shares,
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


def _shares(content: PolicyFile) -> Iterator[list[str]]:
    """Yield the rows of the table of a policy."""
    for row in policy_object(content, PLAYERS, 0.5 / PLAYERS)["rows"]:
        if row["chance"] in SHOWN:
            called = row["somebody_has_bet"]
            shares = (row["nobody_has_bet"]["bet"], *(called[a] for a in ("raise", "call", "fold")))
            yield [f"{share:.0%}" for share in (row["chance"], *shares)]


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


def _rates(rates: tuple[float, float]) -> str:
    return f"{100 * rates[0]:.1f} ({100 * rates[1]:.1f})"


# Learned values


@cache
def _learned(name: str) -> tuple[LearnedValues, ...]:
    """Return the learned values of a policy, game by game."""
    players = PlayerModels(Model(load_policy_file(name).policy))
    models = {key: players.in_game(key) for key in GAMES}
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
