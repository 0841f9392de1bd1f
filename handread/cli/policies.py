"""The policies: ``handread policy ...``."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from handread.cli.help import OUTPUT, OpenGroup, add, examples
from handread.cli.options import Lapse, Plot, policy_names, usage_errors

app = typer.Typer(cls=OpenGroup, no_args_is_help=True)


@app.callback()
@examples(
    ("the names of the policies", "handread policy list"),
    ("what a policy does with hands from strong to weak", "handread policy show people"),
)
def _policy_group() -> None:
    """List the policies, and show what each does."""


AsJson = Annotated[
    bool,
    typer.Option(
        "--json", help="Print a JSON object for each policy, one per line.", rich_help_panel=OUTPUT
    ),
]


@examples(
    ("the names, and what each policy is", "handread policy list"),
    ("the same for a program", "handread policy list --json"),
)
def list_(as_json: AsJson = False) -> None:
    """List the policies that ship with handread."""
    from handread.cli.console import emit
    from handread.policy import ALIASES, load_policy, policy_names
    from handread.report.tables import as_prose, output_width

    for name in policy_names():
        policy = load_policy(name)
        if as_json:
            alias = ALIASES.get(name)
            emit(json.dumps({"name": name, "alias_of": alias, "title": policy.title}) + "\n")
        else:
            title = f"the same as {ALIASES[name]}" if name in ALIASES else policy.title
            line = f"{name:<16} {title}"
            emit(as_prose(line, hang=" " * 17, width=output_width()))


@examples(
    ("when it bets, calls and folds, with four players in", "handread policy show people"),
    (
        "Figures 4 and 5 of the paper, as a picture",
        "handread policy show table1-left --plot table1.png",
    ),
)
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            help="A policy by name, or a TOML file.",
            autocompletion=policy_names,
        ),
    ],
    seats: Annotated[
        int, typer.Option(help="Number of players who are in.", min=2, max=8, metavar="N")
    ] = 4,
    odds: Annotated[
        float | None,
        typer.Option(
            help="Effective odds of a call, between 0 and 1. Default: those that need half a "
            "fair share of the pot.",
            metavar="E",
        ),
    ] = None,
    lapse: Lapse = None,
    holdings: Annotated[
        bool,
        typer.Option(
            "--holdings", help="Show the holdings behind each action instead; also with --plot."
        ),
    ] = False,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Show what a policy does with hands from strong to weak.

    With --plot it is drawn as Figures 4 and 5 of Saund's paper.
    """
    from handread.cli.console import draw, emit, errors_told
    from handread.policy import ALIASES, decision_point_at_odds, load_policy_file
    from handread.report.policies import half_share, policy_object, policy_table, profile_text

    with usage_errors():
        decision_point_at_odds(seats, odds)
        content = load_policy_file(name).with_lapse(lapse)
    if name in ALIASES and not as_json:
        emit(f"{name} is another name for {ALIASES[name]}\n")
    shown_odds = half_share(seats) if odds is None else odds
    if not holdings:
        with errors_told():
            draw(plot, lambda figures: figures.policy_figure(content.policy, seats, shown_odds))
        if as_json:
            emit(json.dumps(policy_object(content, seats, odds)) + "\n")
        else:
            emit(policy_table(content, seats, odds))
        return
    from handread.study.policy_profile import policy_profile

    profile = policy_profile(content.policy)
    with errors_told():
        draw(plot, lambda figures: figures.profile_figure(profile, content.policy.name))
    if as_json:
        figures = profile.rows()
        rows = [{key: row[key] for key in ("about", "group", "figure", "mean")} for row in figures]
        emit(json.dumps({"name": content.policy.name, "holdings": rows}) + "\n")
    else:
        emit(profile_text(profile))


add(app, "Policies", list_, show)
