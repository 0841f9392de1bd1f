"""What ``handread evaluate`` does: read the hands, mark them, print how good the reads were."""

from __future__ import annotations

import json
import pickle
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from handread.commands.long_run import long_run
from handread.commands.output import emit
from handread.commands.progress import progress
from handread.formats.registry import Known
from handread.game.replay import no_cards
from handread.game.steps import Replay
from handread.history import Problem
from handread.inference.observer import unseen_upcards, why_unseen
from handread.inference.players import OF_MACHINES, OF_PEOPLE, Roster, parse_roster, roster
from handread.parallel import part_sizes, read_record, write_text_whole
from handread.policy import Panel, PolicyFile, fingerprint, load_policy_file
from handread.report.evaluation import evaluation_csv, evaluation_object, evaluation_text
from handread.session import Reads, Session
from handread.study.evaluation import Evaluation, Fit, FoldError, Folds, cross_validated, evaluation
from handread.study.fit.fit import FitError, FitOptions, fit_hands, read_all, roster_of
from handread.study.fit.sample import Sample
from handread.study.scores import HandMarks, mark_hands


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """What ``handread evaluate`` was asked for.

    ``policy`` and ``lapse`` as in ``parse_roster``; with ``folds`` policies are fitted instead, to
    the hands of the files ``train`` as well, with a given penalty and temper or chosen ones.
    """

    policy: str | None
    lapse: float | None
    folds: Folds | None
    train: tuple[str, ...]
    penalty: float | None
    temper: float | None
    ties: str
    resamples: int
    seed: int
    workers: int
    as_json: bool
    csv: Path | None
    plot: Path | None


def run_evaluate(files: list[str], reads: Reads, options: EvaluateOptions) -> int:
    """Print how good the reads of the hands are; the exit status."""
    session = Session(files, reads, prints=False)
    try:
        if options.folds is None:
            found = _evaluated(session, options)
        else:
            found = _folded(session, reads.known, options)
        if not found.hands:
            session.say("there is no hand to evaluate")
            session.tell()
            return session.status_of_nothing
        if options.csv is not None:
            write_text_whole(options.csv, evaluation_csv(found))
        if options.plot is not None:
            _draw(found, options.plot, session)
    except FoldError as error:
        session.say(f"handread: {error}")
        return 2
    except OSError as error:
        session.say(
            f"handread: {error.filename or 'a file'} cannot be written: {error.strerror or error}"
        )
        return 2
    if options.as_json:
        emit(json.dumps(evaluation_object(found), allow_nan=False) + "\n")
    else:
        emit(evaluation_text(found))
    session.tell()
    return session.status


def _sound(session: Session) -> Iterator[Replay]:
    """The hands that can be read to their end; the others are refused on the way."""
    for played in session.replays():
        problem = played.problem or no_cards(played) or _unseen(played)
        if problem is not None:
            session.refuse(played.history, [problem])
            continue
        if not session.done:
            with session.slow_start():
                list(mark_hands([played], roster("uniform"), "split"))
        session.accept()
        yield played


def _unseen(played: Replay) -> Problem | None:
    """Why a legal hand cannot be read whose upcards were not all seen."""
    for street in played.streets:
        if unseen := unseen_upcards(street):
            names = f"seat {', '.join(map(str, unseen))}"
            return played.history.problem(street.line, why_unseen(played, names))
    return None


def _folded(session: Session, known: Known, options: EvaluateOptions) -> Evaluation:
    """Cross-validated: all hands are held in memory, as they are fitted to together."""
    assert options.folds is not None
    hands = list(_sound(session))
    if not hands:
        return _table([], "", options)
    scored = {fingerprint(played.history) for played in hands}
    more = _training(session, Session(options.train, Reads(known=known), prints=False), scored)
    with progress(len(hands), "hands") as tick:
        asked = FitOptions(
            family=options.folds.family,
            penalty=options.penalty,
            temper=options.temper,
            seed=options.seed,
        )
        fit = fitter(asked, more)
        done = cross_validated(hands, fit, options.folds, options.ties, options.seed, tick)
    return _table(done.marks, f"fitted {options.folds.family}", options, folds=done.folds)


def _training(session: Session, more: Session, scored: set[str]) -> list[Replay]:
    """The hands to learn from beside those that are scored; a hand among both is not of them.

    ``scored`` are the fingerprints of those that are.
    """
    found = list(_sound(more))
    hands = [played for played in found if fingerprint(played.history) not in scored]
    if len(hands) < len(found):
        twice = len(found) - len(hands)
        session.say(f"to learn from: {twice:,} of {len(found):,} are among those scored: left out")
    if more.status:
        session.say(f"to learn from: {more.summary()}")
    return hands


def _evaluated(session: Session, options: EvaluateOptions) -> Evaluation:
    """Read by given policies: of each hand the marks are kept, and nothing else."""
    players = parse_roster(options.policy, options.lapse, ())
    passing = _Passing(players, seen_by(options.policy))
    hands = passing.counted(_sound(session))
    if _remembers(players):
        marks = list(mark_hands(hands, players, options.ties))
    else:
        marks = _shared_out(hands, players, options)
    return _table(marks, "; ".join(passing.names), options, fitted_on=passing.fitted_on)


def _table(
    marks: Sequence[HandMarks],
    policy: str,
    options: EvaluateOptions,
    fitted_on: int = 0,
    folds: Folds | None = None,
) -> Evaluation:
    return evaluation(
        marks, policy, options.ties, options.resamples, options.seed, fitted_on, folds
    )


class _Passing:
    """Counts hands as they go by: by which policies they are read, and which were fitted to."""

    def __init__(self, players: Roster, seen: set[str]) -> None:
        self._players = players
        self._seen = seen
        self.names: dict[str, None] = {}
        self.fitted_on = 0

    def counted(self, hands: Iterable[Replay]) -> Iterator[Replay]:
        """The hands as they are."""
        for played in hands:
            self.names[self._players.lineup(played.history).rest.name] = None
            self.fitted_on += fingerprint(played.history) in self._seen
            yield played


def fitter(options: FitOptions, more: Sequence[Replay] = ()) -> Fit:
    """Fits policies to hands and ``more``, those of players by name with them."""

    def fit(hands: Sequence[Replay], without: Collection[str]) -> Roster:
        def read(hands: Sequence[Replay], policies: PolicyFile, groups: int) -> Sample:
            sample = read_all(hands, policies, groups)
            return sample.select(np.array([name not in without for name in sample.player], bool))

        try:
            file = fit_hands([*hands, *more], options, read).file
        except FitError as error:
            raise FoldError(str(error)) from None
        return roster_of(file)

    return fit


def seen_by(policy: str | None) -> set[str]:
    """The fingerprints of the hands to which a policy, or a member of a panel, was fitted."""
    names = [OF_PEOPLE, OF_MACHINES] if policy is None else [policy]
    return {seen for name in names for seen in load_policy_file(name).seen}


def _shared_out(
    hands: Iterator[Replay], players: Roster, options: EvaluateOptions
) -> list[HandMarks]:
    """The marks of hands, in order; by several processes, as no hand waits for another.

    The hands wait on the disk, for all of them may not fit in memory.
    """
    with tempfile.TemporaryDirectory(prefix="handread-") as name:
        folder, n = Path(name), 0
        for size in part_sizes():
            part = list(islice(hands, size))
            if not part:
                break
            (folder / str(n)).write_bytes(pickle.dumps(part))
            n += len(part)
        if not n:
            return []
        work = partial(mark_part, folder, players, options.ties)
        with long_run(None, {}, work, n, options.workers, what="hands", keeps=False) as parts:
            records = (read_record(part.file)["hands"] for part in parts)
            return [HandMarks.from_record(record) for found in records for record in found]


def _remembers(players: Roster) -> bool:
    """Whether what is learned in a hand goes on to the next."""
    models = [players.rest, *players.names.values(), *players.seats.values()]
    machines = players.machines is not None and _remembers(players.machines)
    return machines or any(isinstance(model.policy, Panel) for model in models)


def mark_part(folder: Path, players: Roster, ties: str, numbers: range, path: Path) -> None:
    """Mark the hands of these numbers, which lie in a file of ``folder``, and keep the marks."""
    hands = pickle.loads((folder / str(numbers.start)).read_bytes())
    marks = [hand.record() for hand in mark_hands(hands, players, ties)]
    path.write_text(json.dumps({"hands": marks}), encoding="utf-8")


def _draw(found: Evaluation, path: Path, session: Session) -> None:
    if not any(found.reliability.values()):
        session.say("there is nothing to draw: no showdown, and nobody's seven cards are known")
        return
    from handread.report import figures as plots

    plots.save(plots.reliability_figure(found), path)
