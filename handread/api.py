"""The Python interface: read, replay, analyze, tabulate, fit, evaluate, simulate and write hands.

Everything here is re-exported by ``handread`` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from handread.formats.log_reader import read_file, read_text
from handread.formats.registry import writer_named
from handread.formats.text import MAGIC, is_parquet
from handread.game.replay import no_cards, replay
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.analysis import analyze_replay
from handread.inference.observer import Belief, deal, observe
from handread.inference.players import Model, PlayerModels, player_models
from handread.inference.values import Analysis, AnalysisError
from handread.policy import Policy, PolicyError, load_policy
from handread.report.build import hand_report
from handread.report.json import analysis_object, json_schema
from handread.report.steps import hand_steps
from handread.report.text import plain_report
from handread.simulate import Game, Setup, play_games, seated
from handread.tables.input_files import files_below, is_folder

if TYPE_CHECKING:
    import polars as pl

    from handread.study.evaluation import Evaluation
    from handread.study.fit.fit import Fit

__all__ = [
    "Analysis",
    "AnalysisError",
    "Belief",
    "Game",
    "History",
    "Log",
    "Model",
    "PlayerModels",
    "Policy",
    "PolicyError",
    "Problem",
    "Replay",
    "analysis_object",
    "analyze",
    "analyze_hands",
    "deal",
    "evaluate",
    "fit",
    "html_page",
    "json_schema",
    "load_policy",
    "observe",
    "parse_hands",
    "plain_text",
    "read",
    "read_hands",
    "replay",
    "simulate_games",
    "tabulate",
    "write_hand",
]


class Log(Sequence[History]):
    """The hands of files, in order, and the texts among them that are no hands.

    Attributes:
        problems: What is wrong with the texts that are no hands, and folders that cannot be read.
    """

    def __init__(self, files: Sequence[str], readings: Iterable[History | Problem]) -> None:
        found = list(readings)
        self._files = tuple(files)
        self._hands = tuple(one for one in found if isinstance(one, History))
        self.problems = tuple(one for one in found if isinstance(one, Problem))

    def __len__(self) -> int:
        return len(self._hands)

    @overload
    def __getitem__(self, index: int) -> History: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[History, ...]: ...

    def __getitem__(self, index: int | slice) -> History | tuple[History, ...]:
        return self._hands[index]

    def __repr__(self) -> str:
        hands = f"{len(self):,} {'hand' if len(self) == 1 else 'hands'}"
        n = len(self.problems)
        problems = f", {n:,} {'problem' if n == 1 else 'problems'}" if n else ""
        what = repr(self._files[0]) if len(self._files) == 1 else f"{len(self._files)} files"
        return f"<Log of {what}: {hands}{problems}>"


def read(*paths: str | Path, dialect: str | None = None) -> Log:
    """Read the hands of logs, Parquet files, or folders of them.

    Args:
        *paths: The files and folders.
        dialect: The name of the format; detected where None.

    Returns:
        The hands in order. What is no hand is among the ``problems`` of the log.

    Raises:
        FileNotFoundError: There is no such file.
        OSError: A file cannot be opened.
        ValueError: There is no such format, or no path is given.
    """
    if not paths:
        raise ValueError("no file is named")
    readings = (one for path in paths for one in read_hands(path, dialect))
    return Log(tuple(map(str, paths)), readings)


def read_hands(path: str | Path, dialect: str | None = None) -> list[History | Problem]:
    """Return the hands of a log or a Parquet file in order; a ``Problem`` where there is no hand.

    Of a folder all files in it and below it are read, as ``handread score`` does.

    Raises ``OSError`` (``FileNotFoundError``) for a file that cannot be opened, ``ValueError`` for
    an unknown dialect.
    """
    if is_folder(str(path)):
        faults: list[str] = []
        files = files_below(Path(path), None, faults)
        found = [hand for file in files for hand in read_hands(file, dialect)]
        return [*found, *(Problem(str(path), 1, 1, fault) for fault in faults)]
    path = Path(path)
    if path.is_file() or not path.exists():  # a pipe can be opened only once
        with path.open("rb") as stream:
            columns = is_parquet(stream.read(len(MAGIC)))
        if columns:
            from handread.formats.parquet import read_hands as read_columns

            return list(read_columns(path))
    return list(read_file(path, dialect))


def parse_hands(text: str, dialect: str | None = None) -> list[History | Problem]:
    """The hands that a text holds, in order; ``ValueError`` for an unknown dialect."""
    return list(read_text(text, "-", dialect))


def analyze(
    hand: History | Replay,
    policy: str | Policy | PlayerModels | None = None,
    viewpoint: str = "public",
    ties: str = "split",
) -> Analysis:
    """A hand read stage by stage: pdds, htpds, chances to win, and bits.

    ``policy`` is a policy, a preset's name or a file, or players by seat or by name
    (``PlayerModels``); without one the hand is read as ``handread analyze`` reads it.
    ``viewpoint`` is "public", "seat:N" or "omniscient"; ``ties`` is "split" or "paper"
    (Saund 2006, equation 1).
    Raises ``ValueError`` (``PolicyError`` for the policy) when one of them does not apply, and
    ``AnalysisError`` for a hand of another game than seven-card stud high or without any cards.
    """
    played = hand if isinstance(hand, Replay) else replay(hand)
    nothing = no_cards(played)
    if nothing is not None:
        raise AnalysisError(str(nothing))
    return analyze_replay(played, player_models(policy).for_hand(played.history), viewpoint, ties)


def analyze_hands(
    hands: Iterable[History | Replay],
    policy: str | Policy | PlayerModels | None = None,
    viewpoint: str = "public",
    ties: str = "split",
) -> Iterator[Analysis]:
    """The hands of a session read in turn; what is learned of a player goes on to its next hand.

    That is so for a panel, such as ``policy="panel"``, and players with names. The rest as in
    ``analyze``, which raises at a hand that cannot be analysed: leave out those of other games
    (whose ``variant`` is not "stud") before.
    """
    return _session(hands, player_models(policy), viewpoint, ties)


def _session(
    hands: Iterable[History | Replay], players: PlayerModels, viewpoint: str, ties: str
) -> Iterator[Analysis]:
    for hand in hands:
        analysis = analyze(hand, players, viewpoint, ties)
        players = players.after(analysis.replay.history, analysis.members)
        yield analysis


def tabulate(
    hands: Iterable[History | Replay],
    policy: str | Policy | PlayerModels | None = None,
    ties: str = "split",
) -> dict[str, pl.DataFrame]:
    """Analyze hands and return the tables that ``handread score`` makes.

    Each hand is analyzed alone, from the viewpoint of the public.

    Args:
        hands: The hands.
        policy: As in ``analyze``.
        ties: As in ``analyze``.

    Returns:
        The tables by name: "hands", "stages" (a seat at a stage), "actions" and "rejects" (a hand
        that cannot be analyzed to its end). ``handread query --schema`` describes the columns.
    """
    from handread.tables import PIECES, REJECTS
    from handread.tables.columns import HandRow, RejectRow
    from handread.tables.pieces import TableBuilder

    players, gathered = player_models(policy), TableBuilder()
    for hand in hands:
        played = hand if isinstance(hand, Replay) else replay(hand)
        problem = played.problem or no_cards(played)
        if problem is None:
            read = analyze_replay(played, players.for_hand(played.history), ties=ties)
            problem = None if read.complete else read.problems[-1]
        if problem is None:
            gathered.add(HandRow(read).rows())
        else:
            row = RejectRow(problem, played.history, problem.text)
            gathered.add([(REJECTS, row)])
    return {name: frame for name, frame in gathered.frames().items() if name != PIECES}


def fit(hands: Iterable[History | Replay], **options: Any) -> Fit:
    """Fit policies to hands: one of everybody, and those of single players by name.

    Hidden downcards are missing data. Hands that are not legal, or have no cards, are left out.

    Args:
        hands: The hands.
        **options: The fields of ``handread.study.fit.fit.FitOptions``, such as ``family``
            ("logit" or "ramps"), ``players``, ``hidden``, ``penalty`` and ``seed``.

    Returns:
        The fit. Its ``file`` holds the policies; ``file.policy`` goes into ``analyze``.

    Raises:
        FitError: The hands hold no action that a player chose.
    """
    from handread.study.fit.fit import FitOptions, fit_hands
    from handread.study.hand_sets import cannot_be_kept

    return fit_hands(list(_usable(hands, cannot_be_kept)), FitOptions(**options))


def evaluate(
    hands: Iterable[History | Replay],
    policy: str | Policy | PlayerModels | None = None,
    ties: str = "split",
    resamples: int = 1000,
    seed: int = 1,
) -> Evaluation:
    """Score the reads of hands on what turned out true: downcards, winners, actions.

    Hands that cannot be read to their end are left out.

    Args:
        hands: The hands.
        policy: As in ``analyze``.
        ties: As in ``analyze``.
        resamples: The number of bootstrap samples of the intervals.
        seed: The random seed of these samples.

    Returns:
        The scores, each with a 95% interval for which whole hands are resampled.
    """
    from handread.study.evaluation import evaluation
    from handread.study.hand_sets import cannot_be_read
    from handread.study.scores import score_hands

    players = player_models(policy)
    usable = list(_usable(hands, cannot_be_read))
    names = dict.fromkeys(players.for_hand(played.history).rest.name for played in usable)
    marks = list(score_hands(usable, players, ties))
    return evaluation(marks, "; ".join(names), ties, resamples, seed)


def _usable(
    hands: Iterable[History | Replay], fault: Callable[[Replay], Problem | None]
) -> Iterator[Replay]:
    for hand in hands:
        played = hand if isinstance(hand, Replay) else replay(hand)
        if (played.problem or fault(played)) is None:
            yield played


def plain_text(analysis: Analysis, top: int = 4, width: int = 110) -> str:
    """The report of a hand as plain text, with ``top`` kinds of holding a seat."""
    return plain_report(hand_report(analysis, top), width=width)


def html_page(analysis: Analysis, top: int = 4) -> str:
    """The page of a hand, for a browser: one self-contained text of HTML, without links."""
    from handread.report.html import page

    report = hand_report(analysis, top)
    return page(report, hand_steps(report))


def simulate_games(
    n: int,
    players: str | Policy | PlayerModels = "default",
    seats: int = 7,
    seed: int = 1,
    ties: str = "split",
) -> Iterator[Game]:
    """Games 0 to n - 1 of a seed, played by policies: replays, histories, the observer's beliefs.

    ``players`` is a policy, a preset's name or a file, or ``PlayerModels``. The structure is
    the paper's (``handread.simulate.Setup`` takes others). Game k of a seed is the same whatever n.
    Raises ``ValueError`` (``PolicyError`` for the policy) when one of them does not apply.
    """
    chosen = player_models(load_policy(players) if isinstance(players, str) else players)
    return play_games(Setup(chosen, seated(chosen, seats), ties=ties), seed, range(n))


def write_hand(hand: History | Replay, dialect: str) -> str:
    """A hand as text of a dialect ("saund", "phh", a room's), every amount as played.

    Raises ``ValueError`` for an unknown dialect, one that only reads, or a hand whose
    record is not legal.
    """
    played = hand if isinstance(hand, Replay) else replay(hand)
    if played.problem is not None:
        raise ValueError(f"the hand cannot be written: {played.problem}")
    return writer_named(dialect).write(played)
