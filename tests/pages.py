"""Pages for tests: of sample hands, of hostile ones, of the longest there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

import handread
from handread.game.replay import replay
from handread.game.rules import SAUND_STAKES, SAUND_UNIT
from handread.game.seating import Options
from handread.game.steps import Replay
from handread.game.table import Table
from handread.history import Action, History, Seat, Source, Wager
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.policy import load_policy
from handread.report.build import hand_report
from handread.report.html.page import kept_json, page
from handread.report.shown_values import HandReport, ReadPart, StepPart, Steps
from handread.report.steps import hand_steps
from handread.report.words import Number
from tests.hands import GOLDEN, Dealer, hand
from tests.program import SAMPLES

NASTY = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"' onfocus='document.title=1' autofocus x=\"",
    "<!--\u2028{{7*7}}\u2029-->",
    "&lt;b&gt; \u202eecila\x1b[2J",
    "javascript:alert(1)",
    "<b>",
)


@dataclass(frozen=True)
class Made:
    """A hand, what is to be shown of it, and its page."""

    analysis: Analysis
    report: HandReport
    steps: Steps
    html: str

    @property
    def moments(self) -> tuple[StepPart, ...]:
        return self.steps.steps

    def read(self, moment: int, seat: int) -> ReadPart:
        """What a page shows of a seat at a moment."""
        step = self.moments[moment]
        return self.steps.reads[step.table_reads.get(seat, step.reads[seat])]

    def written(self, folder: Path, name: str = "hand.html") -> Path:
        """The page as a file."""
        path = folder / name
        path.write_text(self.html, encoding="utf-8")
        return path


def made_of(history: History, viewpoint: str = "public", policy: str | None = None) -> Made:
    """The page of a hand."""
    return made_from(handread.analyze(history, policy=policy, viewpoint=viewpoint))


@cache
def ranged() -> Made:
    """The page of a hand whose read has ranges."""
    [history, *_] = handread.read(SAMPLES / "pokerstars.txt")
    return made_from(handread.analyze(history, "people", draws=8))


def without_a_street() -> Made:
    """The page of a hand that stops before any card is dealt."""
    return made_from(analyze_replay(replay(hand("1a 2a 3a")), load_policy("default")))


def made_from(analysis: Analysis) -> Made:
    """The page of an analysis."""
    report = hand_report(analysis)
    steps = hand_steps(report, analysis)
    return Made(analysis, report, steps, page(report, steps, kept_json(analysis)))


@cache
def sample(name: str, viewpoint: str = "public", policy: str | None = None) -> Made:
    """The page of the first hand of a sample file."""
    return made_of(next(hands_of(SAMPLES / name)), viewpoint, policy)


def hands_of(source: Path) -> Iterator[History]:
    """The hands of a file that could be told apart."""
    return (one for one in handread.read_hands(source) if isinstance(one, History))


def written_down(text: str) -> History:
    """The hand of a text."""
    found = [one for one in handread.parse_hands(text) if isinstance(one, History)]
    return found[0]


def strings(value: object) -> Iterator[str]:
    """Yield every text of a value, and the words of its figures, but for those of the replay."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*strings(key), *strings(item))
    elif isinstance(value, tuple | list):
        if isinstance(value, Number):
            yield value.words
        for item in value:
            yield from strings(item)
    elif is_dataclass(value) and not isinstance(value, Replay):
        for field in fields(value):
            yield from strings(getattr(value, field.name))


@cache
def hostile() -> Made:
    """A whole hand whose names, id and file would like to be something else."""
    seats = tuple(Seat(n, name) for n, name in enumerate(NASTY, 1))
    golden = hand(GOLDEN, seats=seats)
    source = Source(f"{NASTY[0]}.stud", 1, "test")
    return made_of(replace(golden, hand_id=NASTY[1] + NASTY[3], source=source))


@cache
def longest(policy: str | None = None) -> Made:
    """Eight players with long names who all stay, with four bets as late as may be."""
    seats = tuple(Seat(n, f"Player {n} longname") for n in range(1, 9))
    rng = Random(1)
    played = Stayer(rng, Table.start(SAUND_STAKES, seats), explicit=True).play()
    source = Source("a session with a long name.txt", 1, "test")
    history = History("1", source, "stud", SAUND_UNIT, SAUND_STAKES, seats, tuple(played))
    return made_of(history, policy=policy)


class Stayer(Dealer):
    """Nobody folds; whoever would close the betting raises, as long as it may be."""

    def choose(self, options: Options) -> Wager:
        if options.forced:
            return Wager(options.seat, Action.BRING_IN, options.call)
        if options.raises and len(self.table.queue) == 1:
            return self.raising(options)
        return (
            Wager(options.seat, Action.CALL, options.call)
            if options.to_call
            else Wager(options.seat, Action.CHECK)
        )
