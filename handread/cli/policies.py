"""The policies: ``handread policy ...``."""

import json
from dataclasses import dataclass

import typer

from handread.cli.declared import argument, option
from handread.cli.groups import spread
from handread.cli.help import OpenGroup, add, examples
from handread.cli.options import Lapse, Plot, json_option, policy_names, usage_errors
from handread.lazy import lazily

with lazily():
    import handread.policy as policies
    import handread.report.policies as policy_report
    import handread.report.tables as report_tables
    import handread.study.policy_profile as profiles
    from handread.cli import console

app = typer.Typer(cls=OpenGroup, no_args_is_help=True)


@app.callback()
@examples(
    ("the names of the policies", "handread policy list"),
    ("what a policy does with hands from strong to weak", "handread policy show people"),
)
def _policy_group() -> None:
    """List the policies, and show what each does."""


@spread
@examples(
    ("the names, and what each policy is", "handread policy list"),
    ("the same for a program", "handread policy list --json"),
)
def list_(
    *, as_json: bool = json_option("Print a JSON object for each policy, one per line.")
) -> None:
    """List the policies that ship with handread."""
    for name in policies.policy_names():
        policy = policies.load_policy(name)
        if as_json:
            console.emit(json.dumps(policy_report.list_object(name)) + "\n")
        else:
            alias, width = policies.ALIASES.get(name), report_tables.output_width()
            line = f"{name:<16} {f'the same as {alias}' if alias else policy.title}"
            console.emit(report_tables.as_prose(line, hang=" " * 17, width=width))


@dataclass(frozen=True)
class PolicyOutputOptions:
    """Options of what to show of a policy."""

    seats: int = option("Number of players who are in.", min=2, max=8, default=4)
    odds: float | None = option(
        "Effective odds of a call, between 0 and 1. Default: those that need half a "
        "fair share of the pot.",
        "E",
        min=None,
        max=None,
    )
    lapse: Lapse = None
    holdings: bool = option(
        "Show the holdings behind each action instead; also with --plot.", default=False
    )
    plot: Plot = None
    as_json: bool = json_option("Print a JSON object for each policy, one per line.")

    def policy(self, content: "policies.PolicyFile") -> str:
        """Draw a policy's actions at a decision, and return them as text."""
        odds = 0.5 / self.seats if self.odds is None else self.odds
        shown = content.policy, self.seats, odds
        console.draw(self.plot, lambda figures: figures.policy_figure(*shown))
        if self.as_json:
            return json.dumps(policy_report.policy_object(content, self.seats, odds)) + "\n"
        return policy_report.policy_table(content, self.seats, odds)

    def profile(self, content: "policies.PolicyFile") -> str:
        """Draw the holdings behind each action of a policy, and return them as text."""
        name, profile = content.policy.name, profiles.policy_profile(content.policy)
        console.draw(self.plot, lambda figures: figures.profile_figure(profile, name))
        if not self.as_json:
            return policy_report.profile_text(profile)
        shown = ("about", "group", "figure", "mean")
        rows = [{key: row[key] for key in shown} for row in profile.rows()]
        return json.dumps({"name": name, "holdings": rows}) + "\n"


@spread
@examples(
    ("when it bets, calls and folds, with four players in", "handread policy show people"),
    (
        "Figures 4 and 5 of the paper, as a picture",
        "handread policy show table1-left --plot table1.png",
    ),
)
def show(
    *,
    name: str = argument(
        "A policy by name, or a TOML file.", "NAME|FILE", autocompletion=policy_names, default=...
    ),
    shown: PolicyOutputOptions,
) -> None:
    """Show what a policy does with hands from strong to weak.

    With --plot it is drawn as Figures 4 and 5 of Saund's paper.
    """
    with usage_errors():
        policies.decision_point_at_odds(shown.seats, shown.odds)
        content = policies.load_policy_file(name).with_lapse(shown.lapse)
    if name in policies.ALIASES and not shown.as_json:
        console.emit(f"{name} is another name for {policies.ALIASES[name]}\n")
    with console.errors_told():
        text = shown.profile(content) if shown.holdings else shown.policy(content)
    console.emit(text)


add(app, "Policies", list_, show)
