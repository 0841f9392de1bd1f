"""The policies: ``handread policy ...``."""

from __future__ import annotations

import typer

app = typer.Typer(help="List the policies and show what they do.", no_args_is_help=True)


@app.command("list")
def list_() -> None:
    """List the policies that ship with handread."""
    from handread.policy import load_policy, policy_names

    for name in policy_names():
        typer.echo(f"{name:<16} {load_policy(name).title}")
