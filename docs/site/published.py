"""``python -m docs.site.published LOGS``: compute every published figure about reads of people.

Hands are read by policies that were fitted without their log (``handread.study.cross_validation``),
as ``evaluate --folds K --by log`` does: the policy of stud high to hands of stud high, that of
the other games to the hands of all games. The fitted policy takes the place of the first member of
the mixture. With ``--write`` the tables replace those in README.md and docs/ between marks such as
``<!-- figures: people-stud -->`` and ``<!-- end -->``. The logs are not part of the project.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from docs.site.frequencies import Foreseen, foreseen_actions
from docs.site.published_tables import Reads, blocks, in_page
from handread.game.replay import nothing_dealt
from handread.game.steps import Replay
from handread.inference.readers import PolicyReader, Reader, as_reader
from handread.policy import (
    Panel,
    PolicyFile,
    Single,
    in_game,
    load_policy,
    load_policy_file,
    policy_hash,
    policy_text,
    single,
    with_measured,
)
from handread.runs import Run
from handread.sessions.files import ReadSettings, Session
from handread.study.cross_validation import FoldError, held_out_scores
from handread.study.evaluation import Folds, evaluation, measured
from handread.study.fit.families import FIRST
from handread.study.fit.fit import fit_hands
from handread.study.fit.fitted import FitError, FitOptions
from handread.study.hand_sets import cannot_be_scored, contents_hash
from handread.study.logs import log_keys, logs_of
from handread.study.scores import HandScores
from handread.version import __version__

ROOT = Path(__file__).resolve().parents[2]

MIXTURE = "people"
READERS = ("people", "people-average", "panel", "loose", "default")
OTHER_GAMES = ("razz", "stud8", "5stud")

MISSING = """\
{logs}: no hands in which downcards are known.
The published figures are about logs of poker rooms that are not part of the project, as nobody may
publish them again. Give files or folders of such logs; with logs of your own the figures are yours.
"""


@dataclass
class Fits:
    """Fits policies to the hands of folds, each pair of policies once."""

    like: PolicyFile
    features: tuple[str, ...]
    seed: int
    kept: Path | None = None
    made: dict[frozenset[int], Single] = field(default_factory=dict)

    def average(self, hands: Sequence[Replay]) -> Single:
        """Return what stands for people-average: fitted to stud high, and to all other games."""
        key = frozenset(map(id, hands))
        if key not in self.made:
            stud = [one for one in hands if one.history.variant == "stud"]
            high, mixed = self._fitted(stud, "people-average"), self._fitted(hands, "people-mixed")
            by_game = tuple((game, mixed) for game in OTHER_GAMES)
            self.made[key] = replace(high, by_game=by_game)
        return self.made[key]

    def _fitted(self, hands: Sequence[Replay], name: str) -> Single:
        start, like = time.monotonic(), self.like
        assert like.provenance is not None
        options = FitOptions(
            family=like.policy.family,
            name=name,
            features=self.features,
            penalty=like.provenance.penalty,
            likelihood_exponent=like.policy.likelihood_exponent,
            players=False,
            seed=self.seed,
            version=__version__,
        )
        text = contents_hash(hand.history for hand in hands) + repr(options)
        file = f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.toml"
        if self.kept is not None and (self.kept / file).is_file():
            return single(load_policy(self.kept / file))
        found = PolicyFile(single(fit_hands(hands, options).file.policy))
        say(f"  {name} fitted to {len(hands)} hands in {time.monotonic() - start:.0f} s")
        if self.kept is not None:
            self.kept.mkdir(parents=True, exist_ok=True)
            (self.kept / file).write_text(policy_text(found), encoding="utf-8")
        return single(found.policy)


def say(text: str) -> None:
    """Tell the progress."""
    print(text, file=sys.stderr, flush=True)


def hands_of(logs: Sequence[str]) -> list[Replay]:
    """Return the hands of logs that a fit can use; of copies of a hand only the first."""
    session = Session(logs, ReadSettings(), prints=False)
    found, seen = [], set[str]()
    for played in session.legal(nothing_dealt):
        copies = set(log_keys(played.history)[1:])
        if not copies & seen:
            found.append(played)
        seen |= copies
    return found


def reads_of(
    hands: Sequence[Replay], fits: Fits, mixture: Panel, names: Sequence[str], folds: int
) -> Reads:
    """Return the scores of hands by reader, each hand read by what was fitted without its log."""
    scored = [one for one in hands if cannot_be_scored(one) is None]
    more = [one for one in hands if cannot_be_scored(one) is not None]

    def reader(name: str, train: Sequence[Replay]) -> Reader:
        if name == "people-average":
            return as_reader(fits.average(train))
        policy = mixture if name == MIXTURE else load_policy(name)
        if isinstance(policy, Panel) and policy.members[0].name == "people-average":
            policy = policy.led_by(fits.average(train))
        return as_reader(policy)

    scores: dict[str, tuple[HandScores, ...]] = {}
    spots: dict[int, tuple[Foreseen, ...]] = {}
    for name in names:
        start = time.monotonic()

        def fit(train: Sequence[Replay], _: Collection[str], name: str = name) -> Reader:
            found = reader(name, train)
            if name == MIXTURE and isinstance(found, PolicyReader):
                seen = set(map(id, train))
                held = [one for one in scored if id(one) not in seen]
                spots.update((id(one), acts) for one, acts in _foreseen(held, found))
            return found

        held_out = Folds(folds, "log", "logit")
        done = held_out_scores(scored, fit, held_out, "split", Run(fits.seed), more)
        scores[name] = done.scores
        say(f"{len(scored)} hands read by {name} in {time.monotonic() - start:.0f} s")
    acts = tuple(spots.get(id(one), ()) for one in scored)
    return Reads(tuple(scored), done.logs, scores, done.folds, fits.seed, acts)


def _foreseen(
    hands: Sequence[Replay], reader: PolicyReader
) -> Iterator[tuple[Replay, tuple[Foreseen, ...]]]:
    """Yield hands with their actions and what a reader expected, each log read by itself."""
    of_log: dict[int, list[Replay]] = {}
    for one, log in zip(hands, logs_of(one.history for one in hands).of_hand, strict=True):
        of_log.setdefault(log, []).append(one)
    for own in of_log.values():
        yield from zip(own, foreseen_actions(own, reader), strict=True)


def write_pages(texts: dict[str, str]) -> Iterator[Path]:
    """Put the tables into the pages, and yield the pages that changed."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        before = page.read_text(encoding="utf-8")
        after = in_page(before, texts)
        if after != before:
            page.write_text(after, encoding="utf-8")
            yield page


def write_rates(reads: Reads, mixture: str) -> Iterator[Path]:
    """Put hit rates into the files of the policies, and yield these.

    Those of the mixture in other games stand with the policy that leads it there.
    """
    for file, reader, games in (
        (mixture, MIXTURE, ("stud",)),
        ("people-average", "people-average", ("stud",)),
        ("people-mixed", MIXTURE, ("razz", "stud8")),
    ):
        policy = in_game(load_policy(mixture if reader == MIXTURE else file), games[0])
        path = ROOT / "handread" / "policies" / f"{file}.toml"
        places = reads.places(games)
        if not path.is_file() or not places:
            continue
        found = evaluation(
            [reads.scores[reader][place] for place in places],
            policy.name,
            "split",
            folds=reads.folds,
            logs=reads.logs.some(places),
        )
        rates = replace(measured(found, policy, __version__), games=games)
        assert rates.policy == policy_hash(policy)
        text = with_measured(path.read_text(encoding="utf-8"), rates)
        path.write_text(text, encoding="utf-8")
        yield path


def main() -> int:
    """Compute the figures and print or write them; return the exit status."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m docs.site.published", description=__doc__.partition("\n")[0]
    )
    add = parser.add_argument
    add("logs", nargs="+", metavar="LOGS", help="Logs, or folders of logs.")
    add("--policy", default=MIXTURE, help="The mixture to test. Default: %(default)s.")
    add("--like", default="people-average", help="Take penalty and exponent of fits from this.")
    add("--features", default=",".join(FIRST), help="Features of the fits. Default: %(default)s.")
    add("--folds", type=int, default=5, metavar="K", help="Folds of whole logs. Default: 5.")
    add("--seed", type=int, default=1, help="Random seed of folds and intervals. Default: 1.")
    add("--readers", default=",".join(READERS), help="The readers. Default: %(default)s.")
    add("--keep", type=Path, metavar="FOLDER", help="Keep the fits here, and take them from here.")
    add("--write", action="store_true", help="Put the tables into README.md and docs/.")
    add("--into", action="store_true", help="Put the hit rates into the files of the policies.")
    args = parser.parse_args()
    start = time.monotonic()
    hands = hands_of(args.logs)
    mixture, features = load_policy(args.policy), tuple(args.features.split(","))
    if not isinstance(mixture, Panel):
        parser.error(f"--policy {args.policy}: is no mixture of policies")
    fits = Fits(load_policy_file(args.like), features, args.seed, args.keep)
    try:
        reads = reads_of(hands, fits, mixture, args.readers.split(","), args.folds)
    except (FoldError, FitError) as error:
        say(f"{error}\n{MISSING.format(logs=', '.join(args.logs))}")
        return 2
    texts = blocks(reads)
    say(f"all in {time.monotonic() - start:.0f} s")
    if not args.write:
        print("\n\n".join(f"<!-- figures: {name} -->\n{text}" for name, text in texts.items()))
    for path in (*(write_pages(texts) if args.write else ()),):
        say(f"{path}: figures written")
    for path in (*(write_rates(reads, args.policy) if args.into else ()),):
        say(f"{path}: hit rates written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
