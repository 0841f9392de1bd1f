"""The Python interface: read hands, replay them, analyse them, write them.

Everything here is re-exported by ``handread`` itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from handread.formats.log_reader import read_file, read_text
from handread.formats.registry import writer_named
from handread.formats.text import MAGIC, is_parquet
from handread.game.replay import no_cards, replay
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.analysis import analyze_replay
from handread.inference.observer import Belief, deal, observe
from handread.inference.players import Lineup, Model, Roster, lineup, roster
from handread.inference.values import Analysis, AnalysisError
from handread.policy import Policy, PolicyError, load_policy
from handread.report.build import hand_report, hand_steps
from handread.report.json import analysis_object, json_schema
from handread.report.text import plain_report
from handread.simulate import Game, Setup, play_games, seated
from handread.tables.folders import files_below, is_folder

__all__ = [
    "Analysis",
    "AnalysisError",
    "Belief",
    "Game",
    "History",
    "Lineup",
    "Model",
    "Policy",
    "PolicyError",
    "Problem",
    "Replay",
    "Roster",
    "analysis_object",
    "analyze",
    "analyze_hands",
    "deal",
    "html_page",
    "json_schema",
    "load_policy",
    "observe",
    "parse_hands",
    "plain_text",
    "read_hands",
    "replay",
    "simulate_games",
    "write_hand",
]


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
    policy: str | Policy | Lineup | Roster | None = None,
    viewpoint: str = "public",
    ties: str = "split",
) -> Analysis:
    """A hand read stage by stage: pdds, htpds, chances to win, and bits.

    ``policy`` is a policy, a preset's name or a file, or players by seat (a lineup) or by name (a
    roster); without one the hand is read as ``handread analyze`` reads it. ``viewpoint`` is
    "public", "seat:N" or "omniscient"; ``ties`` is "split" or "paper" (Saund 2006, equation 1).
    Raises ``ValueError`` (``PolicyError`` for the policy) when one of them does not apply, and
    ``AnalysisError`` for a hand of another game than seven-card stud high or without any cards.
    """
    played = hand if isinstance(hand, Replay) else replay(hand)
    nothing = no_cards(played)
    if nothing is not None:
        raise AnalysisError(str(nothing))
    return analyze_replay(played, roster(policy).lineup(played.history), viewpoint, ties)


def analyze_hands(
    hands: Iterable[History | Replay],
    policy: str | Policy | Lineup | Roster | None = None,
    viewpoint: str = "public",
    ties: str = "split",
) -> Iterator[Analysis]:
    """The hands of a session read in turn; what is learned of a player goes on to its next hand.

    That is so for a panel, such as ``policy="panel"``, and players with names. The rest as in
    ``analyze``, which raises at a hand that cannot be analysed: leave out those of other games
    (whose ``variant`` is not "stud") before.
    """
    return _session(hands, roster(policy), viewpoint, ties)


def _session(
    hands: Iterable[History | Replay], players: Roster, viewpoint: str, ties: str
) -> Iterator[Analysis]:
    for hand in hands:
        analysis = analyze(hand, players, viewpoint, ties)
        players = players.after(analysis.replay.history, analysis.members)
        yield analysis


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
    players: str | Policy | Lineup = "default",
    seats: int = 7,
    seed: int = 1,
    ties: str = "split",
) -> Iterator[Game]:
    """Games 0 to n - 1 of a seed, played by policies: replays, histories, the observer's beliefs.

    ``players`` is a policy, a preset's name or a file, or a lineup. The structure is the paper's
    (``handread.simulate.Setup`` takes others). Game k of a seed is the same whatever n.
    Raises ``ValueError`` (``PolicyError`` for the policy) when one of them does not apply.
    """
    chosen = lineup(load_policy(players) if isinstance(players, str) else players)
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
