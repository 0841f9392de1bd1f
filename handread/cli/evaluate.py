"""The command that scores reads against the truth: evaluate."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import typer

import handread.cli.options as shared
from handread.cli.declared import option
from handread.cli.fit import feature_groups
from handread.cli.groups import DrawnOptions, OutputOptions, ReaderOptions, RunningOptions, spread
from handread.cli.help import OUTPUT, examples
from handread.cli.options import file_option, json_option, usage, usage_errors
from handread.cli.reading import ReadingOptions, keep_apart
from handread.lazy import lazily
from handread.version import __version__

with lazily():
    import handread.game.steps as steps
    import handread.inference.readers as reading_by
    import handread.named_readers as registry
    import handread.policy as policies
    import handread.report.evaluation as evaluation_report
    import handread.sessions.files as sessions
    import handread.study.cross_validation as cross_validation
    import handread.study.evaluation as evaluations
    import handread.study.fit.fitted as fitted
    import handread.study.hand_sets as hand_sets
    import handread.study.logs as hand_logs
    import handread.study.scores as scoring
    import handread.typed as typed
    import handread.whole_files as whole_files
    from handread.cli import console

By = StrEnum("By", "LOG HAND PLAYER")
"""The unit that a fold holds out."""

Measures = StrEnum("Measures", "MAIN ALL")


@dataclass(frozen=True)
class FoldOptions:
    """The policies that are cross-validated, if any."""

    folds: int | None = option(
        "Cross-validate: fit policies K times, each without the part that it reads.", "K", min=2
    )
    by: By | None = option(
        "With --folds: hold out whole logs, hands, or all hands of a player. Default: log if "
        "there are K logs, else hand."
    )
    family: shared.FamilyName | None = option(
        "With --folds: form of the policies to fit. Default: logit."
    )
    features: shared.FeaturesOption = "boards"
    train: list[str] = option(
        "With --folds: more hands to learn from; may be repeated.", "FILE", default=[]
    )
    one_policy: shared.OnePolicy = False
    penalty: shared.Penalty = None
    likelihood_exponent: shared.LikelihoodExponent = None

    def check(self, readers: ReaderOptions) -> None:
        """Raise a usage error if options contradict each other."""
        fitting = self.by or self.family or self.train or self.one_policy
        if self.folds is None and (fitting or self.penalty or self.likelihood_exponent):
            options = "--by, --family, --train, --one-policy, --penalty and --likelihood-exponent"
            raise usage(f"{options} are for --folds K: add it")
        if self.folds is not None and replace(readers, policy=None) != ReaderOptions():
            raise usage("--folds fits its own policies: leave --reader, --lapse and --seat out")

    @property
    def held_out(self) -> evaluations.Folds:
        """The folds."""
        family = (self.family or shared.FamilyName.LOGIT).value
        return evaluations.Folds(self.folds or 0, self.by.value if self.by else "", family)

    def options(self, seed: int, policy: str | None) -> fitted.FitOptions:
        """Return the options of the fits, which lead the mixture ``policy`` if one is given."""
        with usage_errors():
            mixture = policies.panel_of(policies.load_policy(policy)) if policy else None
        if policy and mixture is None:
            other = "name one of several, of which they take the place of the first"
            raise usage(f"--folds fits its own policies: leave --policy {policy} out, or {other}")
        return fitted.FitOptions(
            family=self.held_out.family,
            features=feature_groups(self.features),
            penalty=self.penalty,
            likelihood_exponent=self.likelihood_exponent,
            players=not self.one_policy,
            seed=seed,
            mixture=mixture,
        )


@dataclass(frozen=True)
class EvaluationOutputOptions(DrawnOptions):
    """Options for the output of an evaluation."""

    as_json: bool = json_option("Print one JSON object.")
    into: Path | None = file_option(
        "Keep the hit rates in this policy file, for the foot of reports made with it.", "FILE.toml"
    )
    measures: Measures = option(
        "Measures to print; --output and --json have all.", panel=OUTPUT, default=Measures.MAIN
    )

    def check(self, readers: ReaderOptions, folds: int | None) -> None:
        """Raise a usage error if the hit rates would belong to another policy."""
        is_own = folds is not None or (readers.policy, readers.lapse) == (str(self.into), None)
        if self.into is not None and not is_own:
            message = f"holds the hit rates of its own policy; use --policy {self.into}"
            raise usage(f"--into {self.into}: {message}")

    def write_files(
        self, evaluation: evaluations.Evaluation, job: _ScoredHands, facts: Mapping[str, Any]
    ) -> None:
        """Write the files with the ``facts`` of the run."""
        OutputOptions.write(self, evaluation, facts)
        _keep_hit_rates(self.into, evaluation, job.games)
        if self.plot is not None and not any(evaluation.groups(kind) for kind in scoring.KINDS):
            why = "no showdown, and nobody's seven cards are known"
            job.session.say(f"there is nothing to draw: {why}")
        else:
            console.draw(self.plot, lambda figures: figures.reliability_figure(evaluation))

    def text(self, evaluation: evaluations.Evaluation) -> str:
        """Return the text to print."""
        if self.as_json:
            record = evaluation_report.evaluation_object(evaluation)
            return json.dumps(record, allow_nan=False) + "\n"
        every = self.measures is Measures.ALL
        return evaluation_report.evaluation_text(evaluation, every_measure=every)


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
    files: shared.Files,
    readers: ReaderOptions,
    folding: FoldOptions,
    game: shared.OneGame = None,
    ties: shared.TiesOption = shared.Ties.SPLIT,
    resamples: shared.Resamples = 1000,
    running: RunningOptions,
    reading: ReadingOptions,
    shown: EvaluationOutputOptions,
) -> None:
    """Score the reads against the truth: downcards, winners, actions.

    Give hands with some known downcards. --folds scores policies that are fitted to the other
    hands, and not to those they read.
    """
    folding.check(readers)
    shown.check(readers, folding.folds)
    reads = reading.settings([*files, *folding.train])
    keep_apart([*files, *folding.train], shown.results, shown.plot)
    job = _ScoredHands(sessions.Session(files, reads, prints=False), ties.value, resamples, game)
    with console.errors_told(cross_validation.FoldError):
        if folding.folds is None:
            evaluation = job.read_by(readers, running)
        else:
            evaluation = job.cross_validated(folding, readers.policy, running, reads)
        if not evaluation.hands:
            job.session.say("there is no hand to evaluate")
            raise typer.Exit(job.session.end(False))
        read_by = evaluation.policy if folding.folds else readers.chosen().terms
        shown.write_files(evaluation, job, running.facts(read_by))
    console.emit(shown.text(evaluation))
    raise typer.Exit(job.session.end())


def _keep_hit_rates(
    file: Path | None, evaluation: evaluations.Evaluation, games: Collection[str]
) -> None:
    """Write hit rates on unseen hands into a policy file, if one is given.

    Raises a usage error if they are not from unseen hands, or do not fit into the file.
    """
    if file is None:
        return
    if n := evaluation.fitted_on:
        raise usage(f"--into {file}: its policy was fitted to {n:,} of these hands")
    with usage_errors():
        policy = policies.load_policy_file(file).policy
        rates = replace(evaluations.measured(evaluation, policy, __version__), games=tuple(games))
        if not rates.stages:
            raise usage(f"--into {file}: no downcards are known, so nothing was measured")
        text = policies.with_measured(file.read_text(encoding="utf-8"), rates)
        if policies.parse_policy_file(text, str(file)).policy.measured != rates:
            raise usage(f"--into {file}: the hit rates cannot be placed in this file")
    whole_files.write_text_whole(file, text)


@dataclass(frozen=True)
class _ScoredHands:
    """The hands of a session, and how their reads are scored."""

    session: sessions.Session
    ties: str
    resamples: int
    game: str | None
    games: dict[str, None] = field(default_factory=dict)

    def read_by(self, readers: ReaderOptions, running: RunningOptions) -> evaluations.Evaluation:
        try:
            reader = readers.chosen()
            by_policy = reading_by.policies_of(reader) is not None
            to_check = by_policy and readers.reader != registry.CARDS_ONLY
            seen = hand_sets.seen_by(readers.policy or readers.reader) if to_check else set()
            names: dict[str, None] = {}
            twice: list[bool] = []
            keys: list[hand_logs.LogKeys] = []

            def counted() -> Iterator[steps.Replay]:
                for played in _sound(self.session, self.game, reader):
                    self.games[played.history.variant] = None
                    names[reading_by.name_in_hand(reader, played.history)] = None
                    twice.append(policies.fingerprint(played.history) in seen)
                    keys.append(hand_logs.log_keys(played.history))
                    yield played

            scores = _shared_out(_sessions(counted(), reader), reader, self.ties, running)
        except policies.PolicyError as error:
            raise usage(error) from None
        terms = self.ties, self.resamples, running.seed, sum(twice)
        kind, logs = reading_by.kind_of_reader(reader), hand_logs.joined(keys)
        return evaluations.evaluation(scores, "; ".join(names), *terms, read_by=kind, logs=logs)

    def cross_validated(
        self,
        folding: FoldOptions,
        policy: str | None,
        running: RunningOptions,
        reads: sessions.ReadSettings,
    ) -> evaluations.Evaluation:
        """Fit to hands and read others; all are in memory, since they are fitted to together."""
        session, folds = self.session, folding.held_out
        options = folding.options(running.seed, policy)
        hands = list(_sound(session, self.game))
        self.games.update(dict.fromkeys(played.history.variant for played in hands))
        if not hands:
            return evaluations.evaluation((), f"fitted {folds.family}", self.ties)
        settings = sessions.ReadSettings(known=reads.known, keep_repeated=reads.keep_repeated)
        more = sessions.Session(folding.train, settings, prints=False)
        scored = {policies.fingerprint(played.history) for played in hands}
        given = list(_sound(more))
        learned = [hand for hand in given if policies.fingerprint(hand.history) not in scored]
        if twice := len(given) - len(learned):
            of = f"{twice:,} of {len(given):,} are among those scored"
            session.say(f"to learn from: {of}: left out")
        if more.counts.status:
            session.say(f"to learn from: {more.counts.summary()}")
        digest = hashlib.sha256()
        for place, some in enumerate((hands, learned)):
            for played in some:
                hand_logs.add_hand(digest, played, place)
        terms = {
            "command": "evaluate",
            "hands": digest.hexdigest(),
            "options": repr(options),
            "folds": repr(folds),
            "ties": self.ties,
        }
        with running.begin(terms, timed=False) as run:
            return cross_validation.cross_validate(
                hands, folds, options, self.ties, self.resamples, train=learned, run=run
            )


def _sound(
    session: sessions.Session, game: str | None = None, reader: reading_by.Reader | None = None
) -> Iterator[steps.Replay]:
    """Yield the readable hands, of one game or of all; refuse the game's others."""
    for played in session.legal(partial(hand_sets.cannot_be_scored, reader=reader)):
        if game is not None and played.history.variant != game:
            continue
        if not session.counts.analyzed:
            list(scoring.score_hands([played], registry.load_reader(registry.CARDS_ONLY), "split"))
        session.accept(played.history, played.history.damage)
        yield played


_Session = tuple[steps.Replay, ...]
"""Hands that a reader reads in sequence."""


def _sessions(hands: Iterator[steps.Replay], reader: reading_by.Reader) -> Iterator[_Session]:
    """Yield each hand by itself, or the hands of a log together if the reader learns."""

    def session_of(numbered: tuple[int, steps.Replay]) -> str | int:
        number, history = numbered[0], numbered[1].history
        learns = reading_by.reader_of_hand(reader, history).learns
        return hand_logs.log_keys(history)[0] if learns else number

    for _, session in groupby(enumerate(hands), session_of):
        yield tuple(played for _, played in session)


def _shared_out(
    together: Iterator[_Session], reader: reading_by.Reader, ties: str, running: RunningOptions
) -> list[scoring.HandScores]:
    """Return the scores of the hands of sessions, in order, computed by several processes."""
    digest = hashlib.sha256()
    with console.stored(_digested(together, digest)) as stored:
        if not len(stored):
            return []
        terms = {
            "command": "evaluate",
            "hands": digest.hexdigest(),
            "reader": reader.terms,
            "ties": ties,
        }
        work = partial(hand_sets.score_part, reader, ties)
        what = "logs" if reader.learns else "hands"
        with running.begin(terms) as run, run.parts(work, stored, what=what) as parts:
            scores = (typed.read_typed(list[scoring.HandScores], part.file) for part in parts)
            return list(chain.from_iterable(scores))


def _digested(together: Iterable[_Session], digest: hashlib._Hash) -> Iterator[_Session]:
    """Yield sessions, and add to a digest all that determines the scores of their hands."""
    for session in together:
        for played in session:
            hand_logs.add_hand(digest, played)
        yield session
