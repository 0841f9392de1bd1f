"""The fit of learned values: ``handread fit --values``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from handread.cli.declared import option
from handread.cli.groups import Running
from handread.cli.options import MOST_GAMES, MOST_ROLLOUTS, policy_names, usage, usage_errors
from handread.cli.rare import setting
from handread.lazy import lazily

with lazily():
    import handread.decisions.learned as learning
    import handread.decisions.particles as particles
    import handread.game.rules as rules
    import handread.inference.players as inference
    import handread.report.fits as values_report
    import handread.study.fit.learned_values as value_fits
    import handread.study.fit.value_games as value_games
    import handread.whole_files as whole_files
    from handread.cli import console

GAMES, ROLLOUTS = 1600, 60
"""The numbers of games, and of rollouts of a decision, by default."""


@dataclass(frozen=True)
class LearnedValues:
    """The policy whose decisions are valued, if any, and the games that are played for it."""

    values: str | None = option(
        "Learn instead what decisions are worth, if everybody plays by this policy.",
        "POLICY",
        names=policy_names,
    )
    games: int | None = option(
        f"With --values: number of games to simulate. Default: {GAMES}.", min=50, max=MOST_GAMES
    )
    rollouts: int | None = option(
        f"With --values: number of rollouts of a decision. Default: {ROLLOUTS}.",
        min=10,
        max=MOST_ROLLOUTS,
    )
    played_on: int = setting(
        "With --values: number of games of which two decisions are played on by rollouts.",
        min=50,
        max=MOST_GAMES,
        default=700,
    )
    showdowns: int = setting(
        "With --values: number of further games, of which only the showdowns are used.",
        min=0,
        max=MOST_GAMES,
        default=1600,
    )

    def check(self) -> None:
        """Raise a usage error if there are games to play, but no values to learn from them."""
        if self.values is None and self != LearnedValues():
            raise usage(
                "--games, --rollouts, --set played-on and --set showdowns are for --values "
                "POLICY: add it"
            )

    def fit(self, game: str, prior: str | None, running: Running, output: Path | None) -> None:
        """Fit the values, write them, and print their errors on games held out from the fit."""
        policy = str(self.values)
        with usage_errors():
            players, start = inference.player_models(policy), None
            if prior not in (None, "none"):
                models = inference.player_models(str(prior)).in_game(game)
                start = learning.learned_values(models, game)
        variant, plan = rules.variant_of(game), self._plan(running.seed)
        terms = {
            "command": "fit --values",
            "players": inference.players_terms(players),
            "game": game,
            "plan": repr(plan),
        }
        with running.begin(terms, output) as run:
            data = value_games.game_data(players, variant, plan, particles.particle_rollouts, run)
            command = _command(policy, game, prior, plan)
            found = value_fits.fit_values(players, variant, plan, data, command, start)
            if output is not None:
                text = json.dumps(found.record(), allow_nan=False) + "\n"
                whole_files.write_text_whole(output, text)
        console.emit(values_report.fitted_values_text(found))

    def _plan(self, seed: int) -> value_games.ValuesPlan:
        games, rollouts = self.games or GAMES, self.rollouts or ROLLOUTS
        played_on = min(games, self.played_on)
        return value_games.ValuesPlan(
            games, self.showdowns, played_on=played_on, rollouts=rollouts, seed=seed
        )


def _command(policy: str, game: str, prior: str | None, plan: value_games.ValuesPlan) -> str:
    """Return the command that makes these values, which their file names."""
    words = f"handread fit --values {policy} --game {game} --games {plan.games}"
    words += f" --rollouts {plan.rollouts} --set played-on={plan.played_on}"
    words += f" --set showdowns={plan.showdowns} --seed {plan.seed}"
    return words if prior is None else f"{words} --prior {prior}"
