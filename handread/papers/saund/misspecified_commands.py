"""The experiment on misspecified readers: ``handread experiment misspecified``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import handread.cli.options as shared
from handread.cli.declared import option
from handread.cli.experiment import experiment
from handread.cli.groups import DrawnOptions, RuleOptions, RunningOptions, spread
from handread.cli.help import examples
from handread.cli.options import policy_names, usage, usage_errors, whole_numbers
from handread.cli.rare import setting
from handread.lazy import lazily

with lazily():
    import handread.game.replay as replaying
    import handread.game.steps as steps
    import handread.papers.saund.misspecified as misspecification
    import handread.papers.saund.text as saund_text
    import handread.parallel as parallel
    import handread.policy as policy_files
    import handread.runs as runs
    import handread.simulate as simulation
    import handread.study.fit.fit as fits
    import handread.study.fit.fitted as fitted_policies
    import handread.whole_files as whole_files
    from handread.cli import console, simulate

MOST_HANDS = 100_000
"""The largest number of hands to fit to, all of them in memory at once."""

SEEDS, ELSEWHERE = 2**32, 2**31
"""The number of seeds, and the seed offset from the games read to the hands fitted to."""


@dataclass(frozen=True)
class Readings:
    """The policies that read the games."""

    reader: list[str] | None = option(
        "Policy to read with; may be repeated. Default: default, tight, loose, honest.",
        "NAME|FILE",
        names=policy_names,
    )
    fitted: str | None = setting(
        "Numbers of hands to fit policies to, separated by commas; none for no fits. Default: an "
        "eighth of --games, half of them, and two and a half times as many.",
        "N,N,...",
    )
    family: shared.FamilyName = option(
        "Form of the policy: smooth log-odds, the paper's ramps, or a relational tree.",
        default=shared.FamilyName.RAMPS,
    )
    drift: list[str] | None = setting(
        "Change of the true policy: move=STEP along x, shrink=FACTOR of its levels, or none; "
        "may be repeated. Default: moves by .1 and .2 both ways, shrinks by .7 and .4.",
        "KIND=SIZE",
    )

    def standing(self, policy: str) -> tuple[misspecification.ReaderModel, ...]:
        """Return the readers that are not fitted; ``ValueError`` for an invalid one."""
        try:
            single = policy_files.single(policy_files.load_policy(policy))
        except TypeError as error:
            raise usage(f"the players follow one policy: {error}") from None
        chosen = misspecification.DRIFTS if self.drift is None else self.drift
        drifts = [text for text in chosen if text != "none"]
        return misspecification.standing_readers(single, self.reader, drifts)


@spread
@examples(
    (
        "a tight reader of the paper's players",
        "handread experiment misspecified --games 5 --set fitted=none --reader tight",
    ),
    (
        "policies fitted to 50 and 200 hands of loose players",
        "handread experiment misspecified --policy loose --set fitted=50,200",
    ),
)
def misspecified(
    *,
    games: int = option("Number of games to read.", max=shared.MOST_GAMES, default=400),
    policy: shared.PolicyName = "default",
    read_by: Readings,
    seats: shared.Seats = 7,
    game: shared.Game = None,
    running: RunningOptions,
    output: DrawnOptions,
) -> None:
    """Measure the cost of a wrong model of the players.

    It also measures the gain from fitting one. The same games are read with the true policy, with
    other policies, with changed versions of the true one, and with policies fitted to other hands
    of the same players without known downcards.
    """
    with usage_errors():
        readers = read_by.standing(policy)
        # Equal hands share the pot, as in the fit.
        setup = RuleOptions(seats, game, shared.Ties.SPLIT).played_by(policy)
        counts = _counts(
            read_by.fitted or ",".join(str(max(1, n * games // 8)) for n in (1, 4, 20))
        )
    family = read_by.family
    terms = {
        "command": "misspecified",
        "setup": setup,
        "readers": repr(readers),
        "fitted": list(counts),
        "family": family.value,
    }

    def measure(run: runs.Run) -> Any:
        *others, by_cards = readers
        every = (*others, *_fitted_readers(run, setup, counts, family), by_cards)
        return misspecification.misreading(setup, every, games, family.value, run)

    text = saund_text.misreading_text
    experiment(measure, text, terms, running, output, figure="misreading_figure")


def _counts(text: str) -> tuple[int, ...]:
    """Parse numbers of hands such as ``50,200``, ascending; "none" means no numbers."""
    if text == "none":
        return ()
    expected = f"numbers from 1 to {MOST_HANDS:,} such as 50,200, or none"
    return whole_numbers(text, MOST_HANDS, f"no numbers of hands {text!r}: expected {expected}")


def _fitted_readers(
    run: runs.Run, setup: simulation.Setup, counts: tuple[int, ...], family: shared.FamilyName
) -> tuple[misspecification.ReaderModel, ...]:
    """Return readers with policies fitted to hands of the same players, and kept in files."""
    assert run.resume is not None
    files = {n: run.resume / f"fitted-{n}.toml" for n in sorted(counts)}
    # The largest first: its hands and readings include the others'.
    missing = {n: file for n, file in reversed(files.items()) if not file.exists()}
    if missing:
        _fit(run, _hands(run, setup, max(counts)), missing, family)
    readers = []
    for n, file in files.items():
        try:
            policy = policy_files.load_policy(file)
        except policy_files.PolicyError as error:
            raise parallel.RunError(f"{error}; delete it and run again to resume") from None
        label = f"fitted to {n:,} hands" if n > 1 else "fitted to 1 hand"
        readers.append(misspecification.ReaderModel(label, misspecification.FITTED, policy, n))
    return tuple(readers)


def _fit(
    run: runs.Run, hands: Sequence[steps.Replay], files: dict[int, Path], family: shared.FamilyName
) -> None:
    fit = fitted_policies.FitOptions(family=family.value, players=False, hidden=True, seed=run.seed)
    sizes = ", ".join(f"{n:,}" for n in sorted(files))
    console.say(
        f"Before games are read, policies are fitted to {sizes} hands; --set fitted=none leaves "
        "that out"
    )
    readings = fit.rounds * sum(files)
    console.say_size(f"fits to {readings:,} hands", 4 * readings)
    with console.progress(readings, "hands read for the fits") as tick:
        within = replace(run.within("readings"), watch=lambda _: nullcontext(tick))
        reader = partial(fits.read_parts, within)
        for n, file in files.items():
            start = time.monotonic()
            fitted = fits.fit_hands(hands[:n], fit, reader)
            whole_files.write_text_whole(file, policy_files.policy_text(fitted.file))
            took, used = time.monotonic() - start, fitted.usage
            told = f"{used.used:,} of {used.actions:,} actions by choice"
            console.say(f"a policy fitted to {n:,} hands, {told}, in {took:.0f} s")


def _hands(run: runs.Run, setup: simulation.Setup, n: int) -> Sequence[steps.Replay]:
    """Return hands to fit to: the same players, but other deals than the games read."""
    work = partial(simulate.play_part, setup, (run.seed + ELSEWHERE) % SEEDS)
    what = "hands to learn from"
    before = replace(run.within("hands"), watch=console.Watched())
    with before.parts(work, n, what=what) as parts:
        return [
            replaying.replay(history) for history in simulate.histories(part.file for part in parts)
        ]
