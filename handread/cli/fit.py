"""The command that fits policies to hands, or values to games: fit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

import typer

import handread.cli.options as shared
from handread.cli.declared import argument, option
from handread.cli.groups import RunningOptions, spread
from handread.cli.help import examples
from handread.cli.options import file_option, policy_names, usage, usage_errors
from handread.cli.rare import setting
from handread.cli.reading import ReadingOptions
from handread.lazy import lazily

with lazily():
    import handread.decisions.learned as learning
    import handread.decisions.particles as particles
    import handread.game.replay as replaying
    import handread.game.rules as rules
    import handread.inference.players as inference
    import handread.policy as policies
    import handread.report.fits as fit_report
    import handread.runs as runs
    import handread.sessions.files as sessions
    import handread.sessions.opening as opening
    import handread.study.fit.fit as fits
    import handread.study.fit.fitted as fitted
    import handread.study.fit.learned_values as value_fits
    import handread.study.fit.stored as stored
    import handread.study.fit.value_games as value_games
    import handread.study.hand_sets as hand_sets
    import handread.whole_files as whole_files
    from handread.cli import console


def _text(name: str) -> str:
    """Refuse undecodable bytes, which no file of policies could hold."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise usage(f"{name!r} is no text") from None
    return name


def feature_groups(text: str) -> tuple[str, ...]:
    """Return the features that the option --features names."""
    return () if text == "none" else tuple(text.split(","))


@dataclass(frozen=True)
class FittingOptions:
    """The form of the policies to fit, and how they are fitted."""

    family: shared.FamilyName | None = option(
        "Form of the policy: smooth log-odds, the paper's ramps, or a relational tree. "
        "Default: logit or ramps, whichever makes held-out hands more probable; that of "
        "--prior, and logit with --features."
    )
    features: shared.FeaturesOption = "boards"
    name: str = option("Name of the policy.", "NAME", check=_text, default="fitted")
    prior: str | None = option(
        "Policy to which the fit is held where there is little evidence; none for no such "
        "policy. Default: people-average, if it has the form of the fit, and none of values.",
        "NAME|FILE",
        names=lambda: ["none", *policy_names()],
    )
    one_policy: shared.OnePolicy = False
    sample: int | None = option("Fit to so many of the hands, drawn at random (--seed).", min=1)
    least: int = setting(
        "Smallest number of actions with which a player gets a policy.", default=20
    )
    hidden: bool = setting("Take no downcards as known, even where they are.", default=False)
    penalty: shared.Penalty = None
    likelihood_exponent: shared.LikelihoodExponent = None
    by_stage: bool = setting(
        "Choose three likelihood exponents, for early, middle and late streets, by known "
        "downcards.",
        default=False,
    )
    rounds: int = setting(
        "Largest number of times that the hands are read, each time by what was learned before.",
        default=3,
    )

    def options(self, seed: int) -> fitted.FitOptions:
        """Return the options of the fit, without its prior, or raise a usage error."""
        if self.by_stage and self.likelihood_exponent is not None:
            raise usage("--set by-stage chooses the exponents: leave --likelihood-exponent out")
        with usage_errors():
            return fitted.FitOptions(
                family=self._family(),
                features=feature_groups(self.features),
                name=self.name,
                penalty=self.penalty,
                likelihood_exponent=self.likelihood_exponent,
                by_stage=self.by_stage,
                players=not self.one_policy,
                least=self.least,
                hidden=self.hidden,
                rounds=self.rounds,
                seed=seed,
            )

    def check_no_hands(self, files: Sequence[str] | None) -> None:
        """Raise a usage error for options that only a fit to hands takes."""
        if files or replace(self, prior=None) != FittingOptions():
            taken = "besides --games, --rollouts and --set it takes --game, --prior, --seed and -o"
            raise usage(f"--values plays games of its own: {taken}")

    def prior_file(self, features: tuple[str, ...]) -> policies.PolicyFile | None:
        """Return the prior of the fit, if any, or raise a usage error."""
        with usage_errors():
            family = self._family() or shared.FamilyName.LOGIT.value
            return hand_sets.policy_to_lean_on(self.prior, family, features)

    def _family(self) -> str | None:
        """Return the family to fit; None for the better of two."""
        if self.family is not None:
            return self.family.value
        if self.prior not in (None, "none"):
            family = policies.load_policy_file(self.prior).policy.family
            return family if family in list(shared.FamilyName) else shared.FamilyName.LOGIT.value
        return shared.FamilyName.LOGIT.value if self.features != FittingOptions.features else None


GAMES, ROLLOUTS = 1600, 60
"""Defaults of the numbers of games, and of rollouts of a decision."""


@dataclass(frozen=True)
class ValueFitOptions:
    """The policy whose decisions are valued, if any, and the number of its simulated games."""

    values: str | None = option(
        "Learn instead what decisions are worth, if everybody plays by this policy.",
        "POLICY",
        names=policy_names,
    )
    games: int | None = option(
        f"With --values: number of games to simulate. Default: {GAMES}.",
        min=50,
        max=shared.MOST_GAMES,
    )
    rollouts: int | None = option(
        f"With --values: number of rollouts of a decision. Default: {ROLLOUTS}.",
        min=10,
        max=shared.MOST_ROLLOUTS,
    )
    played_on: int = setting(
        "With --values: number of games of which two decisions are played on by rollouts.",
        min=50,
        max=shared.MOST_GAMES,
        default=700,
    )
    showdowns: int = setting(
        "With --values: number of further games, of which only the showdowns are used.",
        min=0,
        max=shared.MOST_GAMES,
        default=1600,
    )

    def check(self) -> None:
        """Raise a usage error if there are games to play, but no values to learn."""
        if self.values is None and self != ValueFitOptions():
            options = "--games, --rollouts, --set played-on and --set showdowns"
            raise usage(f"{options} are for --values POLICY: add it")

    def fit(
        self, game: str, prior: str | None, running: RunningOptions, output: Path | None
    ) -> None:
        """Fit the values, write them, and print their errors on held-out games."""
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
            outcome = value_fits.fit_values(
                players, variant, plan, data, command=command, start=start
            )
            if output is not None:
                text = json.dumps(outcome.record(), allow_nan=False) + "\n"
                whole_files.write_text_whole(output, text)
        console.emit(fit_report.fitted_values_text(outcome))

    def _plan(self, seed: int) -> value_games.ValuesPlan:
        games, rollouts = self.games or GAMES, self.rollouts or ROLLOUTS
        played_on = min(games, self.played_on)
        return value_games.ValuesPlan(
            games, self.showdowns, played_on=played_on, rollouts=rollouts, seed=seed
        )


def _command(policy: str, game: str, prior: str | None, plan: value_games.ValuesPlan) -> str:
    """Return the command that makes these values, for their file."""
    words = f"handread fit --values {policy} --game {game} --games {plan.games}"
    words += f" --rollouts {plan.rollouts} --set played-on={plan.played_on}"
    words += f" --set showdowns={plan.showdowns} --seed {plan.seed}"
    return words if prior is None else f"{words} --prior {prior}"


@spread
@examples(
    (
        "a policy for all players of a log",
        "handread fit sample_histories/pokerstars.txt --one-policy -o mine.toml",
    ),
    (
        "policies of single players too, from the hands of a session",
        "handread fit docs/first-evening.txt --game stud -o mine.toml",
    ),
)
def fit(
    *,
    files: list[str] | None = argument(
        "Hand histories or folders; - is standard input.", "[FILE...]"
    ),
    output: Path | None = file_option(
        "File for the policies or values. Default: standard output, and none for values.",
        flags="-o --output",
    ),
    game: shared.OneGame = None,
    fitting: FittingOptions,
    learned: ValueFitOptions,
    running: RunningOptions,
    reading: ReadingOptions,
) -> None:
    """Learn how players bet: a policy for all, and one for each.

    The fewer hands of a player there are, the closer its policy stays to the common one. No
    downcards need to be known. Hands of several games are fitted together. Give the same command
    again to resume an interrupted fit.

    With --values no hands are read: games of a policy are simulated, and the values of decisions
    are fitted to them. They take the place of rollouts, with the errors that are printed.
    """
    if learned.values is not None:
        fitting.check_no_hands(files)
        learned.fit(game.value if game else rules.DEFAULT.key, fitting.prior, running, output)
        return
    learned.check()
    if not files:
        raise usage("Missing argument 'FILE...': give hands to learn from, or --values POLICY")
    _fit(files, output, game, fitting=fitting, running=running, reading=reading)


def _fit(
    files: list[str],
    output: Path | None,
    game: str | None,
    *,
    fitting: FittingOptions,
    running: RunningOptions,
    reading: ReadingOptions,
) -> None:
    """Fit policies to the hands of files and write them; exit with the status of the session."""
    options = fitting.options(running.seed)
    prior = fitting.prior_file(options.features)
    session = sessions.Session(files, reading.settings(files))
    if output is not None and any(opening.same_file(output, file) for file in files):
        session.say(f"{output}: is one of the files to read; choose another name")
        raise typer.Exit(2)
    hands = _hands(session, game, fitting.sample, running.seed)
    options = _with_prior(options, prior, hands)
    terms = {"command": "fit", "options": repr(options), "hands": hand_sets.contents_hash(hands)}
    with running.begin(terms, output, timed=False) as run:
        outcome = _fitted(hands, options, run)
        text = "" if isinstance(outcome, str) else policies.policy_text(outcome.file)
        if text and output is not None:
            whole_files.write_text_whole(output, running.heading() + text)
    if isinstance(outcome, str):
        console.say(outcome)
        raise typer.Exit(1)
    report = fit_report.fit_text(outcome)
    if output is None:
        for line in report.splitlines():
            console.say(line)
    console.emit(text if output is None else f"{report}\nwritten to {output}\n")
    raise typer.Exit(session.end())


def _hands(
    session: sessions.Session, game: str | None, most: int | None, seed: int
) -> stored.StoredHands:
    """Return the hands to fit to, of one game or of all; end the program without any.

    Of more than ``most`` hands a sample is drawn.
    """
    hands, n, draw = stored.StoredHands(), 0, Random(seed)
    for played in session.legal(replaying.nothing_dealt):
        if game is not None and played.history.variant != game:
            continue
        session.accept(played.history, played.history.damage)
        n += 1
        if most is None or n <= most:
            hands.packed.append(stored.compressed(played.history))
        elif (number := draw.randrange(n)) < most:
            hands.packed[number] = stored.compressed(played.history)
    if n > len(hands):
        session.say(f"{len(hands):,} of {n:,} hands are drawn (--sample, --seed {seed})")
    if not hands:
        session.say("there is no hand to learn from")
        raise typer.Exit(session.end(False))
    return hands


def _with_prior(
    options: fitted.FitOptions, prior: policies.PolicyFile | None, hands: stored.StoredHands
) -> fitted.FitOptions:
    """Return the options with their prior, unless the prior has seen the hands already."""
    if prior is None:
        return options
    twice = sum(policies.fingerprint(hand) in prior.seen for hand in hands)
    if not twice:
        policy, games = policies.single(prior.policy), {hand.variant for hand in hands}
        if len(games) == 1:
            policy = policy.in_game(*games)
        return replace(options, prior=policy)
    seen = "this hand" if len(hands) == 1 else f"{twice:,} of these {len(hands):,} hands"
    why = f"{prior.policy.name!r} was fitted to {seen}, which would count twice"
    console.say(f"{why}: the fit does without it (--prior none)")
    return options


def _fitted(
    hands: stored.StoredHands, options: fitted.FitOptions, run: runs.Run
) -> fitted.Fit | str:
    """Return the fit, or why the hands teach nothing."""
    # A step of the search is worth some hands read.
    readings, step = options.rounds + options.players, 1 + len(hands) // 20
    total = readings * len(hands) + step * fits.steps_of(options, hands)
    with console.progress(total, "fit") as tick:
        reader = partial(fits.read_parts, replace(run, watch=lambda _: nullcontext(tick)))
        fit_to = partial(fits.fit_hands, hands, options, reader, folder=run.resume)
        try:
            return fit_to(tick=lambda _: tick(step), phase=lambda phase: tick(0, phase))
        except fitted.FitError as error:
            return str(error)
