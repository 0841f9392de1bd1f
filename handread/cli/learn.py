"""The commands that fit policies to hands and evaluate them: fit, evaluate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handread.cli.groups import Readers, Reading, Running, spread
from handread.cli.help import OUTPUT, choices, examples
from handread.cli.options import (
    MOST,
    FamilyName,
    FamilyOption,
    FeaturesOption,
    Files,
    LikelihoodExponent,
    OneGame,
    Penalty,
    Plot,
    Resamples,
    Ties,
    TiesOption,
    policy_names,
    usage,
    usage_errors,
    writable,
)

if TYPE_CHECKING:
    from handread.game.steps import Replay
    from handread.inference.players import PlayerModels
    from handread.policy import PolicyFile
    from handread.session import Session
    from handread.study.evaluation import Evaluation, Folds
    from handread.study.fit.fit import Fit, FitOptions
    from handread.study.scores import HandScores


def _text(name: str) -> str:
    """Refuses bytes that are no text, which no file of policies could hold."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise usage(f"{name!r} is no text") from None
    return name


def feature_groups(text: str) -> tuple[str, ...]:
    """Return the features that the option --features names."""
    return () if text == "none" else tuple(text.split(","))


Leaning = Annotated[
    str | None,
    typer.Option(
        "--prior",
        help="Policy to which the fit is held where there is little evidence; none for no "
        "such policy. Default: people, if it has the form of the fit.",
        metavar="NAME|FILE",
        autocompletion=lambda: ["none", *policy_names()],
    ),
]


@spread
@examples(
    (
        "a policy for all players of a log",
        "handread fit sample_histories/pokerstars.txt --no-players -o mine.toml",
    ),
    (
        "policies of single players too, from the hands of a session",
        "handread fit docs/first-evening.txt --game stud -o mine.toml",
    ),
)
def fit(
    *,
    files: Files,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="File for the policies. Default: standard output.",
            callback=writable,
            metavar="FILE",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    game: OneGame = None,
    family: FamilyOption = FamilyName.LOGIT,
    features: FeaturesOption = "boards",
    name: Annotated[
        str, typer.Option(help="Name of the policy.", callback=_text, metavar="NAME")
    ] = "fitted",
    prior: Leaning = None,
    players: Annotated[bool, typer.Option(help="Learn a policy of each player as well.")] = True,
    least: Annotated[
        int,
        typer.Option(
            help="Smallest number of actions with which a player gets a policy.",
            min=1,
            max=MOST,
            metavar="N",
        ),
    ] = 20,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Take no downcards as known, even where they are.")
    ] = False,
    penalty: Penalty = None,
    likelihood_exponent: LikelihoodExponent = None,
    by_stage: Annotated[
        bool,
        typer.Option(
            "--by-stage",
            help="Choose three likelihood exponents, for early, middle and late streets, by "
            "known downcards.",
        ),
    ] = False,
    rounds: Annotated[
        int,
        typer.Option(
            help="Number of times that the hands are read, each time by what was learned before.",
            min=1,
            max=MOST,
            metavar="N",
        ),
    ] = 3,
    running: Running,
    reading: Reading,
) -> None:
    """Learn how players bet: a policy for all, and one for each.

    The fewer hands of a player there are, the closer its policy stays to that of all. No downcards
    need to be known. Hands of several games are fitted together. Give the same command again to
    resume an interrupted fit.
    """
    from handread import __version__
    from handread.addresses import same_file
    from handread.cli.console import emit, say, stoppable
    from handread.parallel import write_text_whole
    from handread.policy import policy_text
    from handread.report.fits import fit_text
    from handread.session import Session
    from handread.study.fit.fit import FitOptions
    from handread.study.hand_sets import cannot_be_kept, policy_to_lean_on

    if by_stage and likelihood_exponent is not None:
        raise usage("--by-stage chooses the exponents: leave --likelihood-exponent out")
    with usage_errors():
        options = FitOptions(
            family=family.value,
            features=feature_groups(features),
            name=name,
            penalty=penalty,
            likelihood_exponent=likelihood_exponent,
            by_stage=by_stage,
            players=players,
            least=least,
            hidden=hidden,
            rounds=rounds,
            seed=running.seed,
            version=__version__,
        )
        leaning = policy_to_lean_on(prior, family.value, options.features)
    session = Session(files, reading.settings(files))
    if output is not None and any(same_file(output, file) for file in files):
        session.say(f"{output}: is one of the files to read; choose another name")
        raise typer.Exit(2)
    hands = []
    for played in session.legal(cannot_be_kept):
        if game is None or played.history.variant == game:
            session.accept(played.history.damage)
            hands.append(played)
    if not hands:
        say("there is no hand to learn from")
        session.report_counts()
        raise typer.Exit(session.status or 1)
    options = _leaning(options, leaning, hands)
    with stoppable(output):
        found = _fitted(hands, options, output, running.workers)
        if found is None:
            raise typer.Exit(1)
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
    session.report_counts()
    raise typer.Exit(session.status)


def _leaning(options: FitOptions, prior: PolicyFile | None, hands: Sequence[Replay]) -> FitOptions:
    """Return the options with their prior, unless that has seen the hands already."""
    from dataclasses import replace

    from handread.cli.console import say
    from handread.policy import LogitPolicy, fingerprint
    from handread.study.fit.fit import single

    if prior is None:
        return options
    twice = sum(fingerprint(hand.history) in prior.seen for hand in hands)
    if not twice:
        policy, games = single(prior.policy), {hand.history.variant for hand in hands}
        if isinstance(policy, LogitPolicy) and len(games) == 1:
            policy = policy.in_game(*games)
        return replace(options, prior=policy)
    these = "this hand" if len(hands) == 1 else f"{twice:,} of these {len(hands):,} hands"
    say(
        f"{prior.policy.name!r} was fitted to {these}, which would count twice: the fit does "
        "without it (--prior none)"
    )
    return options


def _fitted(
    hands: list[Replay], options: FitOptions, output: Path | None, workers: int
) -> Fit | None:
    """Return the fit, its readings kept beside the output until it is done.

    None, with a message, for hands that teach nothing; of these nothing is kept.
    """
    from handread import __version__
    from handread.cli.console import progress, say
    from handread.parallel import parts_folder, useful_workers
    from handread.study.fit.fit import FitError, PartReader, fit_hands, steps_of
    from handread.study.hand_sets import contents_hash

    terms = {
        "command": "fit",
        "version": __version__,
        "options": repr(options),
        "hands": contents_hash(hands),
    }
    workers = workers or useful_workers(2 * len(hands))
    # A step of the search is worth some hands read.
    readings, step = options.rounds + options.players, 1 + len(hands) // 20
    total = readings * len(hands) + step * steps_of(options, hands)
    with parts_folder(output, terms) as folder, progress(total, "fit") as tick:
        reader = PartReader(folder, workers, tick)
        try:
            return fit_hands(
                hands, options, reader, lambda _: tick(step), lambda phase: tick(0, phase)
            )
        except FitError as error:
            say(str(error))
            return None


class By(StrEnum):
    """The unit that a fold holds out."""

    HAND = "hand"
    PLAYER = "player"


class Measures(StrEnum):
    """The measures of ``evaluate`` that are printed."""

    MAIN = "main"
    ALL = "all"


@spread
@examples(
    (
        "how good the reads are, in hands whose cards are known",
        "handread evaluate sample_histories/all-cards-known.stud",
    ),
    (
        "the same for policies fitted to the hands of a session, cross-validated",
        "handread evaluate docs/first-evening.txt --folds 5 --by hand",
    ),
)
def evaluate(
    *,
    files: Files,
    readers: Readers,
    folds: Annotated[
        int | None,
        typer.Option(
            help="Cross-validate: fit policies K times, each without the part that it reads.",
            metavar="K",
            min=2,
            max=MOST,
        ),
    ] = None,
    by: Annotated[
        By | None,
        typer.Option(
            "--by",
            help="With --folds: hold out hands, or all hands of a player. Default: hand.",
            metavar=choices(By),
        ),
    ] = None,
    game: OneGame = None,
    family: Annotated[
        FamilyName | None,
        typer.Option(
            "--family",
            help="With --folds: form of the policies to fit. Default: logit.",
            metavar=choices(FamilyName),
        ),
    ] = None,
    features: FeaturesOption = "boards",
    train: Annotated[
        list[str],
        typer.Option(
            "--train",
            help="With --folds: more hands to learn from; may be repeated.",
            metavar="FILE",
        ),
    ] = [],  # noqa: B006 - typer makes a new list of it
    players: Annotated[
        bool, typer.Option(help="With --folds: learn a policy of each player as well.")
    ] = True,
    penalty: Penalty = None,
    likelihood_exponent: LikelihoodExponent = None,
    ties: TiesOption = Ties.SPLIT,
    resamples: Resamples = 1000,
    running: Running,
    reading: Reading,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object.", rich_help_panel=OUTPUT)
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            help="Write the figures to this file, as CSV.",
            metavar="FILE",
            callback=writable,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    plot: Plot = None,
    into: Annotated[
        Path | None,
        typer.Option(
            "--into",
            help="Keep the hit rates in this policy file, for the foot of reports made with it.",
            metavar="FILE.toml",
            callback=writable,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    measures: Annotated[
        Measures,
        typer.Option(
            help="Measures to print; --csv and --json have all.",
            metavar=choices(Measures),
            rich_help_panel=OUTPUT,
        ),
    ] = Measures.MAIN,
) -> None:
    """Score the reads against the truth: downcards, winners, actions.

    Give hands of which some downcards are known. --folds scores policies that are fitted to the
    other hands, and not to those they read.
    """
    import json

    from handread.cli.console import draw, emit, errors_told, keep
    from handread.policy import PolicyError
    from handread.report.evaluation import evaluation_object, evaluation_text
    from handread.report.tables import frame_csv
    from handread.session import ReadSettings, Session
    from handread.study.cross_validation import FoldError
    from handread.study.evaluation import Folds, evaluation
    from handread.study.fit.fit import FitOptions
    from handread.study.scores import KINDS

    if folds is None and (by or family or train or not players or penalty or likelihood_exponent):
        raise usage(
            "--by, --family, --train, --no-players, --penalty and --likelihood-exponent are for "
            "--folds K: add it"
        )
    if folds is not None and readers != Readers():
        raise usage(
            "--folds fits its own policies: leave --policy, --reader, --lapse and --seat out"
        )
    if into is not None and folds is None and (readers.policy, readers.lapse) != (str(into), None):
        raise usage(f"--into {into}: holds the hit rates of its own policy; use --policy {into}")
    reads = reading.settings([*files, *train])
    session = Session(files, reads, prints=False)
    with errors_told(FoldError):
        if folds is None:
            try:
                scores, kind, names, fitted_on = _read_by(
                    session, readers, ties.value, running.workers, game
                )
            except PolicyError as error:
                raise usage(error) from None
            terms = ties.value, resamples, running.seed, fitted_on
            found = evaluation(scores, names, *terms, read_by=kind)
        else:
            held_out = Folds(folds, (by or By.HAND).value, (family or FamilyName.LOGIT).value)
            asked = FitOptions(
                family=held_out.family,
                features=feature_groups(features),
                penalty=penalty,
                likelihood_exponent=likelihood_exponent,
                players=players,
                seed=running.seed,
            )
            more = Session(
                train,
                ReadSettings(known=reads.known, keep_repeated=reading.keep_repeated),
                prints=False,
            )
            found = _cross_validated(session, more, asked, held_out, ties.value, resamples, game)
        if not found.hands:
            session.say("there is no hand to evaluate")
            session.report_counts()
            raise typer.Exit(session.status_of_nothing)
        if csv is not None:
            keep(csv, frame_csv(found))
        _keep_hit_rates(into, found)
        if plot is not None and not any(found.groups(kind) for kind in KINDS):
            session.say("there is nothing to draw: no showdown, and nobody's seven cards are known")
        else:
            draw(plot, lambda figures: figures.reliability_figure(found))
    if as_json:
        emit(json.dumps(evaluation_object(found), allow_nan=False) + "\n")
    else:
        emit(evaluation_text(found, every_measure=measures is Measures.ALL))
    session.report_counts()
    raise typer.Exit(session.status)


def _keep_hit_rates(file: Path | None, found: Evaluation) -> None:
    """Write hit rates on unseen hands into a policy file, if one is given.

    Raises:
        typer.BadParameter: They were not measured on unseen hands, or do not fit into the file.
    """
    from handread import __version__
    from handread.cli.console import keep
    from handread.policy import load_policy_file, parse_policy_file, with_measured
    from handread.study.evaluation import measured

    if file is None:
        return
    if found.fitted_on:
        raise usage(f"--into {file}: its policy was fitted to {found.fitted_on:,} of these hands")
    with usage_errors():
        policy = load_policy_file(file).policy
        rates = measured(found, policy, __version__)
        if not rates.stages:
            raise usage(f"--into {file}: no downcards are known, so nothing was measured")
        text = with_measured(file.read_text(encoding="utf-8"), rates)
        if parse_policy_file(text, str(file)).policy.measured != rates:
            raise usage(f"--into {file}: the hit rates cannot be placed in this file")
    keep(file, text)


def _sound(
    session: Session, game: str | None = None, players: PlayerModels | None = None
) -> Iterator[Replay]:
    """Yield the hands, of one game or of all, that can be read to their end.

    Of the others those of this game are refused.
    """
    from functools import partial

    from handread.inference.players import player_models
    from handread.study.hand_sets import cannot_be_scored
    from handread.study.scores import score_hands

    for played in session.legal(partial(cannot_be_scored, players=players)):
        if game is not None and played.history.variant != game:
            continue
        if not session.analyzed:
            with session.slow_start():
                list(score_hands([played], player_models("uniform"), "split"))
        session.accept(played.history.damage)
        yield played


def _cross_validated(
    session: Session,
    more: Session,
    options: FitOptions,
    folds: Folds,
    ties: str,
    resamples: int,
    game: str | None,
) -> Evaluation:
    """Fit to hands and read others; all are held in memory, as they are fitted to together."""
    from handread.cli.console import progress
    from handread.policy import fingerprint
    from handread.study.cross_validation import cross_validate
    from handread.study.evaluation import evaluation

    hands = list(_sound(session, game))
    if not hands:
        return evaluation((), f"fitted {folds.family}", ties)
    scored = {fingerprint(played.history) for played in hands}
    found = list(_sound(more))
    learned = [played for played in found if fingerprint(played.history) not in scored]
    twice = len(found) - len(learned)
    if twice:
        session.say(f"to learn from: {twice:,} of {len(found):,} are among those scored: left out")
    if more.status:
        session.say(f"to learn from: {more.summary()}")
    with progress(len(hands), "hands") as tick:
        return cross_validate(hands, folds, options, ties, resamples, learned, tick)


def _read_by(
    session: Session,
    readers: Readers,
    ties: str,
    workers: int,
    game: str | None,
) -> tuple[Sequence[HandScores], str, str, int]:
    """Return the scores of the hands, by what they were read, and how many of them it has seen.

    By what they were read: "policy" or "reader", and the names.
    """
    from handread.policy import fingerprint
    from handread.readers import CARDS_ONLY
    from handread.study.hand_sets import seen_by
    from handread.study.scores import score_hands

    players = readers.players()
    fitted = players.reader is None and readers.reader != CARDS_ONLY
    seen = seen_by(readers.policy or readers.reader) if fitted else set()
    names: dict[str, None] = {}
    fitted_on = 0

    def counted() -> Iterator[Replay]:
        nonlocal fitted_on
        for played in _sound(session, game, players):
            names[players.for_hand(played.history).rest_name] = None
            fitted_on += fingerprint(played.history) in seen
            yield played

    scores: Sequence[HandScores]
    if players.learns:
        scores = list(score_hands(counted(), players, ties))
    else:
        scores = _shared_out(counted(), players, ties, workers)
    return scores, players.kind, "; ".join(names), fitted_on


def _shared_out(
    hands: Iterator[Replay], players: PlayerModels, ties: str, workers: int
) -> list[HandScores]:
    """Return the scores of hands, in order, computed by several processes.

    The hands wait on the disk, for all of them may not fit in memory.
    """
    import tempfile
    from functools import partial

    from handread.cli.console import LOST, long_run
    from handread.parallel import read_record, store_jobs
    from handread.study.hand_sets import score_part
    from handread.study.scores import HandScores

    with tempfile.TemporaryDirectory(prefix="handread-") as name:
        n = store_jobs(hands, Path(name))
        if not n:
            return []
        work = partial(score_part, Path(name), players, ties)
        with long_run(None, {}, work, n, workers, what="hands", told=LOST) as parts:
            records = (read_record(part.file)["hands"] for part in parts)
            return [HandScores.from_record(record) for found in records for record in found]
