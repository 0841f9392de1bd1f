"""``python -m docs.site.promises LOGS``: choose how much less crowds and repeated raises tell.

The numbers are ``idle`` and ``repeats`` of the mixture `people`. They are chosen in nested folds of
whole logs: each hand is read by policies that were fitted without its log, and for the hands of
each fold, the numbers are chosen that read the hands of the other folds best. Best are the most
bits on the true downcards after the bets on 5th to 7th street. With ``--write`` the table replaces
that of docs/people.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from docs.site.published import MIXTURE, Fits, hands_of, say, write_pages
from docs.site.published_tables import RESAMPLES, cell, number, prose, table
from handread.game.steps import Replay
from handread.inference.readers import Reader, as_reader
from handread.policy import Panel, load_policy, load_policy_file
from handread.runs import Run
from handread.study.cross_validation import CrossValidated, held_out_scores
from handread.study.evaluation import Folds
from handread.study.fit.families import FIRST
from handread.study.hand_sample import HandSample
from handread.study.hand_sets import cannot_be_scored
from handread.study.logs import LogIndex
from handread.study.scores import LEFT, PLACES, PROMISE, SUM, HandScores

GAMES = ("stud", "stud8", "5stud")
"""The games that use the numbers. They make reads of razz worse."""

PROMISES = "promises"
"""The name of the table in docs/people.md."""

Numbers = tuple[tuple[float, ...], tuple[float, ...]]
"""``idle`` and ``repeats``."""

NONE: Numbers = ((0.0,), (1.0,))
TRIED: tuple[Numbers, ...] = tuple(
    product(
        ((0.0,), (0.05, 0.1), (0.15, 0.3)),
        ((1.0,), (0.75,), (0.5,), (0.5, 0.25), (0.5, 0.1), (0.25,)),
    )
)
SHOWN: tuple[Numbers, ...] = (
    NONE,
    ((0.0,), (0.5,)),
    ((0.0,), (0.5, 0.1)),
    ((0.05, 0.1), (0.5,)),
    ((0.15, 0.3), (1.0,)),
    ((0.15, 0.3), (0.5, 0.1)),
)
STAGES = ("5B", "6B", "7B")


@dataclass
class Trial:
    """Hands read with each of some numbers, and by fold the numbers that read the others best."""

    scores: dict[Numbers, tuple[HandScores, ...]]
    folds: list[int]
    logs: LogIndex
    seed: int
    chosen: list[Numbers] = field(default_factory=list)

    def __post_init__(self) -> None:
        at = [PLACES[stage, left, "got"] for stage in STAGES for left in LEFT]
        bits = {
            numbers: np.array([one.all_sums()[at, SUM].sum() for one in scores])
            for numbers, scores in self.scores.items()
        }
        own = np.array(self.folds)
        for fold in range(max(self.folds) + 1):
            others = own != fold
            self.chosen.append(max(bits, key=lambda numbers: bits[numbers][others].sum()))

    def sample(self, numbers: Numbers | None) -> HandSample:
        """Return the figures by some numbers; None for those chosen without the fold."""
        scores = [
            self.scores[self.chosen[fold] if numbers is None else numbers][n]
            for n, fold in enumerate(self.folds)
        ]
        return HandSample(scores, RESAMPLES, self.seed, self.logs)


def with_numbers(mixture: Panel, numbers: Numbers) -> Panel:
    """Return a mixture with other numbers in these games."""
    idle, repeats = (tuple((game, own) for game in GAMES) for own in numbers)
    return replace(mixture, idle=idle, repeats=repeats)


def trial_of(hands: Sequence[Replay], fits: Fits, mixture: Panel, k: int) -> Trial:
    """Return the scores of hands with all numbers ``TRIED``, each read without its log."""
    scored = [one for one in hands if cannot_be_scored(one) is None]
    more = [one for one in hands if cannot_be_scored(one) is not None]
    learned: list[set[int]] = []

    def fit(numbers: Numbers, train: Sequence[Replay], _: Collection[str]) -> Reader:
        learned.append(set(map(id, train)))
        return as_reader(with_numbers(mixture, numbers).led_by(fits.average(train)))

    def read(numbers: Numbers) -> CrossValidated:
        say(f"{len(scored)} hands, {words(numbers)}")
        own, folds = partial(fit, numbers), Folds(k, "log", "logit")
        return held_out_scores(scored, own, folds, "split", Run(fits.seed), more)

    done = {numbers: read(numbers) for numbers in TRIED}
    folds = [next(n for n, ids in enumerate(learned) if id(one) not in ids) for one in scored]
    scores = {numbers: one.scores for numbers, one in done.items()}
    return Trial(scores, folds, done[NONE].logs, fits.seed)


def words(numbers: Numbers) -> str:
    """Return numbers as a policy file has them."""
    idle, repeats = (", ".join(f"{x:g}" for x in own) for own in numbers)
    return f"`idle` {idle}; `repeats` {repeats}"


def promises_table(trial: Trial) -> str:
    """Return what reads got and promised by the numbers, and what those chosen in folds gain."""
    columns = [(stage, left) for left in LEFT for stage in STAGES]
    none, chosen = trial.sample(NONE), trial.sample(None)
    ns = [none.mean((*at, "got")).n for at in columns]
    crowds = dict(zip(LEFT, ("two left", "more left"), strict=True))
    heads = [f"{crowds[at[1]]}, {at[0]} (n={n})" for at, n in zip(columns, ns, strict=True)]
    rows = [["", *heads]]
    samples = {words(numbers): trial.sample(numbers) for numbers in SHOWN}
    for label, sample in {**samples, "**chosen without the fold**": chosen}.items():
        pairs = ([number(sample.mean((*at, what)).mean, "") for what in PROMISE] for at in columns)
        rows.append([label, *(f"{got} ({promised})" for got, promised in pairs)])
    gains = [cell(chosen.above(none, (*at, "got"))) for at in columns]
    rows.append(["what these gain", *gains])
    picks = Counter(map(words, trial.chosen)).most_common()
    text = (
        f"{len(trial.folds)} hands of {trial.logs.people} logs of all games. Bits got, and in "
        "parentheses bits promised; in the last row 95% intervals from resampling logs. Chosen in "
        f"the folds: {'; '.join(f'{label} ({n})' for label, n in picks)}."
    )
    return f"{table(rows)}\n\n{prose(text)}"


def main() -> int:
    """Print the table, or write it; return the exit status."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m docs.site.promises", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("logs", nargs="+", metavar="LOGS", help="Logs, or folders of logs.")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="Keep the fits here.")
    parser.add_argument("--write", action="store_true", help="Put the table into docs/people.md.")
    args = parser.parse_args()
    mixture = load_policy(MIXTURE)
    assert isinstance(mixture, Panel)
    fits = Fits(load_policy_file("people-average"), FIRST, 1, args.keep)
    text = promises_table(trial_of(hands_of(args.logs), fits, mixture, 5))
    print(text)
    for path in write_pages({PROMISES: text}) if args.write else ():
        say(f"{path}: table written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
