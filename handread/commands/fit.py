"""What ``handread fit`` does: read hands, learn how their players bet, write the policies."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from handread import __version__
from handread.cli.console import emit, progress, say, stoppable
from handread.game.replay import no_cards
from handread.game.steps import Replay
from handread.parallel import parts_folder, useful_workers, write_text_whole
from handread.policy import (
    PEOPLE,
    PolicyError,
    PolicyFile,
    fingerprint,
    load_policy_file,
    policy_text,
)
from handread.report.tables import fit_text
from handread.session import Reads, Session, same_file
from handread.study.fit.fit import (
    FAMILIES,
    Fit,
    FitError,
    FitOptions,
    PartReader,
    fit_hands,
    single,
    steps_of,
)


@dataclass(frozen=True, slots=True)
class FitRun:
    """What ``handread fit`` was asked for; without ``output`` the policies go to stdout.

    ``prior`` is the file of the policy that the fit leans on, None for no such policy.
    """

    options: FitOptions
    prior: PolicyFile | None
    output: Path | None
    workers: int


def run_fit(files: list[str], reads: Reads, run: FitRun) -> int:
    """Fit policies to the hands of files; the exit status."""
    session = Session(files, reads)
    output = run.output
    if output is not None and any(same_file(output, file) for file in files):
        session.say(f"{output}: is one of the files to read; choose another name")
        return 2
    hands = _usable(session)
    if not hands:
        say("there is no hand to learn from")
        session.tell()
        return session.status or 1
    options = replace(_leaning(run, hands), version=__version__)
    with stoppable(output):
        found = _fitted(hands, options, run)
        if found is None:
            return 1
        text = policy_text(found.file)
        if output is not None:
            write_text_whole(output, text)
    report = fit_text(found)
    if output is None:
        for line in report.splitlines():
            say(line)
        emit(text)
    else:
        emit(f"{report}\nwritten to {output}\n")
    session.tell()
    return session.status


def leaning(name: str | None, family: str) -> PolicyFile | None:
    """The file of the policy to lean on; None for "none", and for ramps when nothing is named.

    ``PolicyError`` when it cannot be read or is of another family.
    """
    if name == "none" or (name is None and family != "logit"):
        return None
    found = load_policy_file(name or PEOPLE)
    try:
        FAMILIES[family]().vector(single(found.policy))
    except TypeError as error:
        raise PolicyError(f"a fit of the family {family!r} cannot lean on it: {error}") from None
    return found


def _usable(session: Session) -> list[Replay]:
    """The whole legal hands of a session; the others are refused on the way."""
    hands = []
    from handread.formats.parquet import check_hand

    for played in session.replays():
        problem = played.problem or no_cards(played)
        if problem is None:
            try:
                check_hand(played.history)
            except ValueError as error:
                problem = played.history.problem(0, f"cannot be kept for the fit: {error}")
        if problem is not None:
            session.refuse(played.history, [problem])
            continue
        session.accept()
        hands.append(played)
    return hands


def _leaning(run: FitRun, hands: list[Replay]) -> FitOptions:
    """The options with their prior, unless it has seen the hands already."""
    if run.prior is None:
        return run.options
    seen = run.prior.seen
    twice = sum(fingerprint(hand.history) in seen for hand in hands)
    if not twice:
        return replace(run.options, prior=single(run.prior.policy))
    say(
        f"{twice} of the {len(hands)} hands are among those that {run.prior.policy.name!r} was "
        "fitted to: they would count twice, so the fit leans on no policy"
    )
    return run.options


def _content(hand: Replay) -> str:
    """All of a hand that a fit looks at."""
    one = hand.history
    return repr((one.hand_id, one.variant, one.unit, one.stakes, one.seats, one.events))


def _fitted(hands: list[Replay], options: FitOptions, run: FitRun) -> Fit | None:
    """The fit, its readings kept beside the output until it is done.

    None, with a word on stderr, for hands that teach nothing; of these nothing is kept.
    """
    ordered = sorted(map(_content, hands))
    contents = hashlib.sha256("\n".join(ordered).encode("utf-8", "backslashreplace"))
    terms = {
        "command": "fit",
        "version": __version__,
        "options": repr(options),
        "hands": contents.hexdigest(),
    }
    workers = run.workers or useful_workers(2 * len(hands))
    # A step of the search is worth some hands read.
    readings, step = options.rounds + options.players, 1 + len(hands) // 20
    total = readings * len(hands) + step * steps_of(options)
    with parts_folder(run.output, terms) as folder, progress(total, "reading, fitting") as tick:
        reader = PartReader(folder, workers, tick)
        try:
            return fit_hands(hands, options, reader, lambda _: tick(step))
        except FitError as error:
            say(str(error))
            return None
