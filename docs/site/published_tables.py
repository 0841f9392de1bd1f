"""The tables of published figures, and their places in the pages."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import fdtri

from docs.site.frequencies import Foreseen, frequencies, frequency_table
from handread.arrays import Floats
from handread.game.rules import AFTER_BETS
from handread.game.steps import Replay
from handread.study.evaluation import Folds, seat_figures
from handread.study.hand_sample import HandSample, Name
from handread.study.logs import LogIndex
from handread.study.scores import COUNT, LEFT, PLACES, SUM, HandScores
from handread.study.statistics import NOTHING, Estimate

STAGES = tuple(stage for stage in AFTER_BETS if stage != "2B")
STREETS = dict(zip(STAGES, ("3rd", "4th", "5th", "6th", "7th"), strict=True))
MEMBERS = ("shown", "otherwise")
"""The groups of players who are still in; see ``scores.GROUPS``."""

RESAMPLES = 1000

WIDEST = 0.3
"""Bits with a 95% interval that reaches farther, on the mean of both sides, say nothing."""

PEOPLE, AVERAGE, PANEL = "people", "people-average", "panel"
GAMES = ("stud", "stud8", "razz")


@dataclass(frozen=True)
class Reads:
    """The scores of hands by reader, each hand read by what was fitted without its log."""

    hands: tuple[Replay, ...]
    logs: LogIndex
    scores: Mapping[str, Sequence[HandScores]]
    folds: Folds
    seed: int
    acts: Sequence[tuple[Foreseen, ...]] = ()  # of each hand, what the mixture expected

    def places(self, games: Iterable[str]) -> list[int]:
        """Return the places of the hands of some games."""
        keys = set(games)
        return [n for n, one in enumerate(self.hands) if one.history.variant in keys]

    def sample(self, reader: str, places: Sequence[int]) -> HandSample:
        """Return the figures of a reader of the hands at some places."""
        scores = [self.scores[reader][place] for place in places]
        return HandSample(scores, RESAMPLES, self.seed, self.logs.some(places))

    @cached_property
    def all_known(self) -> list[int]:
        """The places of the hands in which the downcards of everybody are known."""
        return [
            n
            for n, one in enumerate(self.hands)
            if sum(self.scores[PEOPLE][n].known) == len(one.streets[0].active)
        ]


def bits_at(*stages: str) -> list[Name]:
    """Return the names of the bits on the true downcards, of players still in."""
    return [(stage, member, "bits") for stage in stages for member in MEMBERS]


def number(value: float, sign: str = "+", digits: int = 2) -> str:
    """Return a number without the zero before its point: +.23, -1.05."""
    if not np.isfinite(value):
        return "-"
    text = f"{value:{sign}.{1 if abs(value) >= 9.995 else digits}f}"
    return re.sub(r"^([+-]?)0\.", r"\1.", text)


def cell(found: Estimate, sign: str = "+", interval: bool = True, digits: int = 2) -> str:
    """Return a figure for a table, with its interval if there is one."""
    mean = number(found.mean, sign, digits)
    if not interval or not np.isfinite(found.low):
        return mean
    ends = (number(end, "", digits) for end in (found.low, found.high))
    return f"{mean} ({' to '.join(ends)})"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a table of Markdown; the first is its head."""
    head, *body = rows
    lines = [f"| {' | '.join(line)} |" for line in (head, *body)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def prose(text: str) -> str:
    """Return text in lines of at most 100 characters."""
    return textwrap.fill(" ".join(text.split()), 100, break_on_hyphens=False)


def size(reads: Reads, places: Sequence[int]) -> str:
    """Return the number of hands and logs in words."""
    logs = reads.logs.some(places)
    drawn = "logs" if logs.resampled else "hands"
    return (
        f"{len(places)} hands of {logs.people} logs, each hand read by policies fitted without its "
        f"log ({reads.folds.k} folds of whole logs). In parentheses are 95% intervals from "
        f"resampling {drawn}."
    )


def said(sample: HandSample) -> tuple[list[str], str]:
    """Return the stages whose bits are known well enough, and a sentence about the others."""
    found = {stage: sample.mean(*bits_at(stage)) for stage in STAGES}
    known = [at for at, one in found.items() if one.n and one.high - one.low <= 2.0 * WIDEST]
    others = [STREETS[at] for at, one in found.items() if one.n and at not in known]
    left_out = (
        f"Left out, as their interval is wider than ±{number(WIDEST, '', 1)} bits: "
        f"{', '.join(others)} street."
    )
    return known, left_out if others else ""


def readers_table(reads: Reads, places: Sequence[int]) -> str:
    """Return the bits by street and the surprise of each reader, with the gains of the mixture."""
    samples = {name: reads.sample(name, places) for name in reads.scores}
    first = samples[PEOPLE]
    stages, left_out = said(first)
    heads = [f"{STREETS[at]} (n={first.mean(*bits_at(at)).n})" for at in stages]
    rows = [["read by", *heads, "surprise"]]
    for name, sample in samples.items():
        figures = [sample.mean(*bits_at(stage)) for stage in stages]
        surprise = number(sample.mean(("surprise",)).mean, "")
        rows.append([f"`{name}`", *(cell(f, interval=name == PEOPLE) for f in figures), surprise])
    promised = [first.mean(*((stage, left, "promised") for left in LEFT)) for stage in stages]
    rows.insert(2, ["`people` promises", *(cell(one, interval=False) for one in promised), ""])
    for other in (AVERAGE, PANEL):
        if other in samples:
            gains = [first.above(samples[other], *bits_at(stage)) for stage in stages]
            less = cell(first.above(samples[other], ("surprise",)), digits=3)
            rows.append([f"`people` less `{other}`", *map(cell, gains), less])
    return f"{table(rows)}\n\n{prose(f'{size(reads, places)} {left_out}')}"


def hits_table(reads: Reads, places: Sequence[int]) -> str:
    """Return how often the first kinds and the first family are right, by street."""
    sample = reads.sample(PEOPLE, places)
    rows = [
        ["after the bets on", "reads", "first kind right", "one of first three", "family right"]
    ]
    for label, stages in [*((f"{STREETS[s]} street", (s,)) for s in STAGES), ("all", STAGES)]:
        found = seat_figures(sample, stages, MEMBERS)
        pairs = [
            (found[f"{what}_bet_inference"], found[f"{what}_cards_only"])
            for what in ("kind_in_top_1", "kind_in_top_3", "family_in_top_1")
        ]
        cells = [f"{bets.mean:.0%} ({cards.mean:.0%})" for bets, cards in pairs]
        rows.append([label, str(pairs[0][0].n), *cells])
    return table(rows)


def spread(means: Floats, logs: Sequence[int]) -> Estimate:
    """Return the standard deviation of the means of logs beyond chance, with its 95% interval.

    That is the component of variance between groups of a one-way analysis of variance (Searle,
    Casella and McCulloch 1992, section 3.6), 0 where it is negative. The interval is that of the F
    distribution, which for groups of unequal size is an approximation.
    """
    groups = [means[np.array(logs) == log] for log in dict.fromkeys(logs)]
    n, k = means.size, len(groups)
    if not 1 < k < n:
        return NOTHING
    within = sum(((own - own.mean()) ** 2).sum() for own in groups) / (n - k)
    between = sum(own.size * (own.mean() - means.mean()) ** 2 for own in groups) / (k - 1)
    each = (n - sum(own.size**2 for own in groups) / n) / (k - 1)
    quantiles = np.array([1.0, *fdtri(k - 1, n - k, (0.975, 0.025))])
    found = np.sqrt(np.maximum(0.0, (between / quantiles - within) / each))
    return Estimate(found[0], low=found[1], high=found[2], n=n)


def spread_table(reads: Reads, places: Sequence[int]) -> str:
    """Return how much the bits differ from log to log beyond chance, of all games together."""
    rows = [["after the bets on", "logs", "hands", "mean of the hands", "logs differ by (sd)"]]
    for stage in STAGES:
        at = [PLACES[name] for name in bits_at(stage)]
        sums = np.array(
            [reads.scores[PEOPLE][place].all_sums()[at].sum(axis=0) for place in places]
        )
        there = np.flatnonzero(sums[:, COUNT])
        means = sums[there, SUM] / sums[there, COUNT]
        logs = [reads.logs.of_hand[places[n]] for n in there.tolist()]
        counts = [str(len(set(logs))), str(there.size)]
        mean = number(float(means.mean()))
        rows.append([f"{STREETS[stage]} street", *counts, mean, cell(spread(means, logs), "")])
    return table(rows)


def summary(reads: Reads, places: Sequence[int]) -> str:
    """Return in a sentence how good the reads of stud high are."""
    sample = reads.sample(PEOPLE, places)
    each = [
        f"{number(sample.mean(*bits_at(stage)).mean, '')} on {STREETS[stage]}"
        for stage in said(sample)[0]
    ]
    words = ", ".join(each[:-1]) + f" and {each[-1]}" if len(each) > 1 else "".join(each)
    return prose(
        f"On {len(places)} hands of stud high, read by policies that were fitted without any hand "
        "of their log, `people` beats a blind guess at the true downcards, after the bets on a "
        f"street, by so many bits: {words}."
    )


def families(reads: Reads, places: Sequence[int]) -> str:
    """Return in a sentence how often the first family is right."""
    sample = reads.sample(PEOPLE, places)
    bets, cards = (
        [seat_figures(sample, (stage,), MEMBERS)[f"family_in_top_1_{who}"].mean for stage in STAGES]
        for who in ("bet_inference", "cards_only")
    )
    return prose(
        f"The family of holdings that it puts first is the true one in {100 * min(bets):.0f} to "
        f"{100 * max(bets):.0f} of 100 reads, depending on the street; by the upcards alone in "
        f"{100 * min(cards):.0f} to {100 * max(cards):.0f}."
    )


CROWDED = "crowded"
"""The table of what people did in crowded pots, beside those of ``MAKERS``."""

MAKERS: dict[str, tuple[Callable[[Reads, list[int]], str], tuple[str, ...], bool]] = {
    "summary": (summary, ("stud",), False),
    "families": (families, ("stud",), False),
    "people-stud": (readers_table, ("stud",), False),
    "people-stud-known": (readers_table, ("stud",), True),
    "people-hi-lo": (readers_table, ("stud8",), False),
    "people-razz": (readers_table, ("razz",), False),
    "people-all": (readers_table, GAMES, False),
    "hits": (hits_table, ("stud",), False),
    "hits-others": (hits_table, ("stud8", "razz"), False),
    "spread": (spread_table, GAMES, False),
}
"""How each table is made, the games it is of, and whether all downcards must be known."""


def blocks(reads: Reads) -> dict[str, str]:
    """Return the text of each table by its name in the pages; those without hands are missing."""
    found = {}
    for name, (make, games, known) in MAKERS.items():
        places = reads.places(games)
        if known:
            places = sorted(set(places) & set(reads.all_known))
        if places:
            found[name] = make(reads, places)
    if any(reads.acts):
        logs = [str(log) for log in reads.logs.of_hand]
        found[CROWDED] = frequency_table(frequencies(reads.acts, logs))
    return found


BLOCK = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def in_page(page: str, texts: Mapping[str, str]) -> str:
    """Return a page with the tables that it names; others stay as they are."""

    def anew(match: re.Match[str]) -> str:
        start, name, end = match.groups()
        return f"{start}\n{texts[name]}\n\n{end}" if name in texts else match.group()

    return BLOCK.sub(anew, page)


def named(page: str) -> Iterator[str]:
    """Yield the names of the tables of a page."""
    yield from (name for _, name, _ in BLOCK.findall(page))
