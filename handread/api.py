"""The Python API: read, replay, analyze, value, tabulate, fit, evaluate, simulate, write hands.

The package ``handread`` exports the names in ``__all__``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from handread import analysis as outputs
from handread import api_types
from handread.analysis import Analysis, check_analysis, html_page, plain_text, replayed, replays
from handread.continuation import play_on
from handread.decisions.terms import CHECKED, LEAST_ROLLOUTS, METHODS, decision_terms
from handread.formats.log_reader import read_text
from handread.formats.registry import writer_named
from handread.game.replay import nothing_dealt, replay
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.analysis import after_hand, analyze_replay
from handread.inference.hand_analysis import AnalysisError
from handread.inference.observer import Belief, deal, observe, reweigh
from handread.inference.players import Model, PlayerModels, player_models
from handread.inference.readers import (
    PolicyReader,
    Reader,
    ReaderError,
    cannot_be_read,
    kind_of_reader,
    name_in_hand,
    policies_of,
)
from handread.inference.viewpoint import Viewpoint, session_viewpoint
from handread.lazy import lazily
from handread.named_readers import load_player, load_reader, reader_of
from handread.policy import Policy, PolicyError, load_policy
from handread.report.json import analysis_object
from handread.report.schemas import json_schema
from handread.sessions.opening import Log, files_below, is_folder, read_file
from handread.simulate import Game, Setup, play_games, seated

with lazily():
    import handread.runs as runs
    import handread.study.cross_validation as cross_validation
    import handread.study.evaluation as evaluations
    import handread.study.fit.fit as fits
    import handread.study.fit.fitted as fitted
    import handread.study.fit.uncertainty as uncertainty
    import handread.study.hand_sets as hand_sets
    import handread.study.logs as hand_logs
    import handread.study.scores as scoring
    import handread.tables as score_tables
    import handread.tables.pieces as table_pieces

if TYPE_CHECKING:
    import polars as pl

    from handread.api_types import *  # noqa: F403
    from handread.api_types import Evaluation, Fit, FitOptions

__all__ = ["Analysis", "AnalysisError", "Belief", "Game", "HandValues", "History", "Log", "Model"]
__all__ += ["PlayerModels", "Policy", "PolicyError", "Problem", "ReadBy", "Reader", "ReaderError"]
__all__ += ["Replay", "analysis_object", "analyze", "analyze_hands", "deal", "evaluate", "fit"]
__all__ += ["html_page", "json_schema", "load_player", "load_policy", "load_reader", "observe"]
__all__ += ["parse_hands", "plain_text", "play_on", "read", "read_hands", "replay", "reweigh"]
__all__ += ["simulate_games", "tabulate", "value_decisions", "write_hand"]
__all__ += api_types.__all__


def __getattr__(name: str) -> Any:
    return getattr(api_types, name)


HandValues = outputs.HandValues
ReadBy: TypeAlias = str | Policy | Model | PlayerModels | Reader | None
"""The reader of hands: a name or a file, a policy, models of players, or a reader."""


def read(*paths: str | Path, dialect: str | None = None) -> Log:
    """Read the hands of logs, or of folders of them.

    Args:
        *paths: Files and folders. All files in a folder and its subfolders are read.
        dialect: Name of the format; None detects it.

    Returns:
        The hands in order. Text that is not a hand is reported in ``Log.problems``.

    Raises:
        FileNotFoundError: A file does not exist.
        OSError: A file cannot be opened.
        ValueError: No path was given, or the format is unknown.

    >>> log = handread.read("sample_histories/pokerstars.txt")
    >>> log
    <Log of 'sample_histories/pokerstars.txt': 2 hands>
    >>> log[0].hand_id
    '900000000101'
    """
    if not paths:
        raise ValueError("no file or folder given")
    readings = (reading for path in paths for reading in read_hands(path, dialect))
    return Log(tuple(map(str, paths)), readings)


def read_hands(path: str | Path, dialect: str | None = None) -> list[History | Problem]:
    """Read one path like ``read``, with the problems in order among the hands.

    Args:
        path: A log or a folder.
        dialect: Name of the format; None detects it.

    Returns:
        The hands in order, and a ``Problem`` for each text that is not a hand.

    Raises:
        FileNotFoundError: The file does not exist.
        OSError: The file cannot be opened.
        ValueError: The format is unknown.

    >>> (hand,) = handread.read_hands("sample_histories/broken-card.stud")
    >>> hand.problems[0].message
    "'11h' is not a card"
    """
    if is_folder(str(path)):
        faults: list[str] = []
        files = files_below(Path(path), None, faults)
        hands = [hand for file in files for hand in read_hands(file, dialect)]
        return [*hands, *(Problem(str(path), 1, 1, fault) for fault in faults)]
    path = Path(path)
    if path.is_file() or not path.exists():  # a pipe can be opened only once
        path.open("rb").close()  # raises the error that read_file would return as a problem
    return list(read_file(path, dialect))


def parse_hands(text: str, dialect: str | None = None) -> list[History | Problem]:
    r"""Parse the hands of a text.

    Args:
        text: The text of a log.
        dialect: Name of the format; None detects it.

    Returns:
        The hands in order, and a ``Problem`` for each text that is not a hand.

    Raises:
        ValueError: The format is unknown.

    >>> (hand,) = handread.parse_hands("1 Ann | 7c Qs | 7h r\n2 Bob | ?? ?? | 3h .Bf\n")
    >>> [seat.name for seat in hand.seats]
    ['Ann', 'Bob']
    """
    return list(read_text(text, "-", dialect))


def analyze(
    hand: History | Replay,
    policy: ReadBy = None,
    viewpoint: str | Viewpoint | None = None,
    ties: str = "split",
    draws: int = 0,
    seed: int = 1,
) -> Analysis:
    """Read a hand stage by stage: pdds, htpds, chances to win, and information in bits.

    Args:
        hand: The hand.
        policy: How the players bet: a policy, the name of a preset, a file or a reader, models by
            seat and name, or a reader, which may be of your own. None uses the default preset of
            ``handread analyze``.
        viewpoint: Who reads the hand. None is the hero, the player whose log it is, where the log
            has one and shows the hero's downcards, and otherwise the public, as in ``handread
            analyze``. "public" knows no downcards; "hero", "seat:N" or the name of a player those
            of that player; "omniscient" all. Or a ``Viewpoint``.
        ties: "split" shares the pot among tied hands; "paper" counts a tie as a win (Saund 2006,
            equation 1).
        draws: Number of draws of the parameters of fitted policies, such as 40, for ranges in the
            analysis (``SeatRead.kind_ranges``, ``SeatRead.family_ranges``,
            ``StageReading.chance_ranges``); 0 for none.
        seed: Random seed of the draws.

    Returns:
        The analysis, up to the first error in the hand. ``Analysis.complete`` is False if there is
        one.

    Raises:
        AnalysisError: The game is not analyzed, or the hand ends before any card is dealt.
        PolicyError: The policy does not exist, its file is invalid, or draws are asked of policies
            that were not fitted.
        ReaderError: The reader lacks something, or returns no belief.
        TypeError: A hand or a policy is something else, such as the name of a file.
        ValueError: The viewpoint is not possible for this hand, or the tie rule is unknown.

    >>> read = handread.analyze(handread.read("sample_histories/showdown.stud")[0])
    >>> round(read.at("7B").bet_inference[1], 2), round(read.at("7B").cards_only[1], 2)
    (0.59, 0.41)
    """
    played = replayed(hand)
    reader = _reader(policy, draws, seed)
    nothing = cannot_be_read(played, reader)
    if nothing is not None:
        raise AnalysisError(nothing)
    viewer = session_viewpoint(played, None) if viewpoint is None else viewpoint
    return Analysis.of(analyze_replay(played, reader, viewer, ties))


def _reader(policy: ReadBy, draws: int = 0, seed: int = 1) -> Reader:
    reader = reader_of(policy)
    if not draws:
        return reader
    players = policies_of(reader)
    if players is None:
        raise PolicyError(f"ranges need a fitted policy; the reader {reader.name} has none")
    return PolicyReader(uncertainty.drawn_players(players, draws, seed))


def analyze_hands(
    hands: Iterable[History | Replay],
    policy: ReadBy = None,
    viewpoint: str | None = None,
    ties: str = "split",
    draws: int = 0,
    seed: int = 1,
) -> Iterator[Analysis]:
    """Analyze the hands of a session in turn.

    With a panel of policies, such as "panel", the evidence about a named player carries over to
    that player's next hand.

    Args:
        hands: The hands. Omit those of games that are not analyzed.
        policy: As in ``analyze``.
        viewpoint: As in ``analyze``.
        ties: As in ``analyze``.
        draws: As in ``analyze``.
        seed: As in ``analyze``.

    Returns:
        An iterator over the analyses. It raises the errors of ``analyze`` at a hand that cannot be
        analyzed.

    Raises:
        PolicyError: The policy does not exist, or its file is invalid.

    >>> hands = handread.read("sample_histories/pokerstars.txt")
    >>> [analysis.stages[-1].stage for analysis in handread.analyze_hands(hands)]
    ['7B', '3B']
    """
    return _in_turn(replays(hands), _reader(policy, draws, seed), viewpoint, ties)


def _in_turn(
    hands: Iterable[Replay], reader: Reader, viewpoint: str | None, ties: str
) -> Iterator[Analysis]:
    for hand in hands:
        analysis = analyze(hand, reader, viewpoint, ties)
        reader = after_hand(reader, analysis)
        yield analysis


def value_decisions(
    analysis: Analysis,
    by: str = CHECKED,
    rollouts: int = 300,
    check: str | Policy | PlayerModels | None = None,
    seed: int = 1,
    rake: str | None = None,
    seats: Iterable[int] | None = None,
    then: str | None = None,
) -> HandValues:
    """Value every legal action at the decisions of players whose downcards are known.

    Args:
        analysis: The analysis of the hand; the policies that it was read with play the hand on.
        by: "checked" takes learned values, and plays on what looks expensive by them, as commands
            do; "rollouts" plays on all decisions, "learned" none.
        rollouts: Number of rollouts of a decision that is played on.
        check: Policies by which costly decisions are valued once more, or "none"; None stands for
            the policy "people", or for "panel" if the hand was read by "people".
        seed: Random seed.
        rake: The house's part of each pot, such as "5%" or "5% max 3"; None for the hand's own.
        seats: Only the decisions of these seats; None for all.
        then: Policy by which the player of a decision goes on after it, such as "strong"; None for
            the policy of the reads. It takes rollouts.

    Returns:
        The values of the decisions in order, and by seat the ledger of luck and skill.

    Raises:
        PolicyError: The policy does not exist, its file is invalid, or it has no learned values.
        TypeError: A hand was given in place of its analysis.
        ValueError: The analysis is that of a reader without policies, or an option is invalid.

    >>> read = handread.analyze(handread.read("sample_histories/showdown.stud")[0], policy="people")
    >>> values = handread.value_decisions(read, by="learned", check="none")
    >>> values.decisions[0]
    <DecisionValue of 3, raise: fold 0, call 122, raise 177>
    >>> values.ledgers[1].net
    1275
    """
    check_analysis("value_decisions", analysis)
    if by not in METHODS:
        raise ValueError(f"no way {by!r} to value decisions: expected {' or '.join(METHODS)}")
    if rollouts < LEAST_ROLLOUTS:
        raise ValueError(f"at least {LEAST_ROLLOUTS} rollouts are needed, not {rollouts}")
    there = {seat.number for seat in analysis.replay.history.seats}
    if strange := (wanted := there if seats is None else {*seats}) - there:
        raise ValueError(f"no seats {sorted(strange, key=str)}: expected some of {sorted(there)}")
    terms = decision_terms(by, analysis.players, rollouts, check, seed, rake=rake, then=then)
    return HandValues.of(terms.values_of(analysis, wanted), analysis)


def tabulate(
    hands: Iterable[History | Replay], policy: ReadBy = None, ties: str = "split"
) -> dict[str, pl.DataFrame]:
    """Analyze hands and return the tables that ``handread score`` writes.

    Each hand is analyzed on its own, from the public viewpoint.

    Args:
        hands: The hands.
        policy: As in ``analyze``.
        ties: As in ``analyze``.

    Returns:
        The tables by name, each a polars frame: "hands", "stages" (one row per seat and stage),
        "actions", "players" (one row per player in a hand) and "rejects" (hands that cannot be
        analyzed to the end). Their columns are those that ``handread query --schema`` describes.

    Raises:
        PolicyError: The policy does not exist, or its file is invalid.
        ValueError: The tie rule is unknown.

    >>> tables = handread.tabulate(handread.read("sample_histories/showdown.stud"))
    >>> {name: frame.height for name, frame in tables.items()}
    {'hands': 1, 'stages': 30, 'actions': 19, 'players': 7, 'rejects': 0}
    """
    reader, builder = _reader(policy), table_pieces.TableBuilder()
    for played in replays(hands):
        builder.add_hand(played, reader, ties)
    return {name: frame for name, frame in builder.frames().items() if name != score_tables.PIECES}


def fit(hands: Iterable[History | Replay], options: FitOptions | None = None) -> Fit:
    """Fit one policy to all players, and policies to individual players by name.

    Unknown downcards are treated as missing data. Illegal hands and hands without cards are
    skipped.

    Args:
        hands: The hands.
        options: As ``FitOptions(family="ramps", players=False)``; None for the defaults.

    Returns:
        The fit. Pass its ``file.policy`` to ``analyze``.

    Raises:
        FitError: The hands contain no voluntary action.

    >>> games = [game.replay for game in handread.simulate_games(4, "loose", seats=3)]
    >>> options = handread.FitOptions("ramps", penalty=1.0, likelihood_exponent=1.0, players=False)
    >>> handread.fit(games, options)
    <Fit of 'fitted', ramps, and 0 players: 49 of 49 actions in 4 hands>
    """
    return fits.fit_hands(_usable(hands, nothing_dealt), options or fitted.FitOptions())


def evaluate(
    hands: Iterable[History | Replay],
    policy: ReadBy = None,
    ties: str = "split",
    resamples: int = 1000,
    seed: int = 1,
    folds: int | None = None,
    by: str = "",
    family: str = "logit",
) -> Evaluation:
    """Score reads of hands against the true downcards, the winners and the actions taken.

    Hands that cannot be read to the end are skipped.

    Args:
        hands: The hands.
        policy: As in ``analyze``.
        ties: As in ``analyze``.
        resamples: Number of bootstrap samples.
        seed: Random seed of the bootstrap, and of the folds and their fits.
        folds: Number of folds of a cross-validation, where each fold is read with policies fitted
            to the others; None reads the hands with ``policy``.
        by: With ``folds``: the unit held out, "log", "hand" or "player"; empty: see ``Folds``.
        family: With ``folds``: the family of the fitted policies, "logit" or "ramps".

    Returns:
        The scores with 95% bootstrap intervals, of whole logs if there are ten, else of hands.

    Raises:
        PolicyError: The policy does not exist, or its file is invalid.
        ValueError: Fewer hands, logs or players than folds, or both ``folds`` and ``policy``.

    >>> games = [game.replay for game in handread.simulate_games(4, "loose", seats=3)]
    >>> handread.evaluate(games, resamples=50).at("surprise_bits", group="all").n  # actions
    49
    """
    if folds is not None:
        if policy is not None:
            raise ValueError("a cross-validation fits its own policies: leave the policy out")
        options = fitted.FitOptions(family=family, seed=seed)
        usable = _usable(hands, hand_sets.cannot_be_scored)
        held_out, run = evaluations.Folds(folds, by, family), runs.Run(seed)
        return cross_validation.cross_validate(usable, held_out, options, ties, resamples, run=run)
    reader = _reader(policy)
    usable = _usable(hands, partial(hand_sets.cannot_be_scored, reader=reader))
    names = dict.fromkeys(name_in_hand(reader, played.history) for played in usable)
    scores = list(scoring.score_hands(usable, reader, ties))
    kind, logs = kind_of_reader(reader), hand_logs.logs_of(played.history for played in usable)
    terms = "; ".join(names), ties, resamples, seed
    return evaluations.evaluation(scores, *terms, read_by=kind, logs=logs)


def _usable(
    hands: Iterable[History | Replay], fault: Callable[[Replay], Problem | None]
) -> list[Replay]:
    return [hand for hand in replays(hands) if (hand.problem or fault(hand)) is None]


def simulate_games(
    n: int,
    players: str | Policy | PlayerModels = "default",
    seats: int = 7,
    seed: int = 1,
    ties: str = "split",
) -> Iterator[Game]:
    """Simulate games played by policies, with the stakes of Saund 2006.

    Use ``handread.simulate.play_games`` for other stakes, stacks and names.

    Args:
        n: Number of games.
        players: How the players bet: a policy, the name of a preset or a file, or models by seat.
        seats: Number of players, 2 to 8.
        seed: Random seed. Game k of a given seed does not depend on ``n``.
        ties: As in ``analyze``.

    Returns:
        The games, each with its replay, its history, and the beliefs of the observer by street.

    Raises:
        PolicyError: The policy does not exist, or its file is invalid.
        ValueError: The number of seats is out of range, or the tie rule is unknown.

    >>> game = next(handread.simulate_games(1, "loose", seats=3, seed=1))
    >>> game.replay.paid
    {1: 1150, 2: 750, 3: 1150}
    >>> game.observed[0].after
    <Belief on 3rd street, bits of entropy by seat 1: 10.20, 2: 10.20, 3: 10.20>
    """
    chosen = player_models(load_policy(players) if isinstance(players, str) else players)
    return play_games(Setup(chosen, seated(chosen, seats), ties=ties), seed, range(n))


def write_hand(hand: History | Replay, dialect: str) -> str:
    """Write a hand in a format, with all amounts filled in.

    Args:
        hand: The hand.
        dialect: Name of the format: "saund", "phh", or that of a room, such as "pokerstars".

    Returns:
        The text of the hand.

    Raises:
        ValueError: The format is unknown, cannot be written or cannot represent the hand, or the
            hand is not legal.

    >>> hand = handread.read("sample_histories/showdown.stud")[0]
    >>> handread.write_hand(hand, "phh").splitlines()[0]
    'variant = "F7S"'
    """
    played = replayed(hand)
    if played.problem is not None:
        raise ValueError(f"the hand cannot be written: {played.problem}")
    return writer_named(dialect).write(played)
