"""Sets of hands to fit policies to and to evaluate: which hands can be used, and the runs."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from handread.game.replay import nothing_dealt
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.players import PEOPLE_POLICY, SIMULATED_POLICY
from handread.inference.readers import Reader, cannot_be_read, why_unseen
from handread.policy import PEOPLE_AVERAGE, PolicyError, PolicyFile, load_policy_file, single
from handread.study.fit.families import FIRST
from handread.study.fit.fit import TREE, family_of
from handread.study.scores import score_hands
from handread.typed import write_typed


def cannot_be_scored(played: Replay, reader: Reader | None = None) -> Problem | None:
    """Return why a legal hand cannot be evaluated: no cards, or upcards that were not all seen."""
    nothing = nothing_dealt(played) if reader is None else cannot_be_read(played, reader)
    if nothing is not None:
        return nothing
    for street in played.streets:
        if unseen := street.unseen:
            names = f"seat {', '.join(map(str, unseen))}"
            return played.history.problem(street.line, why_unseen(played, names))
    return None


def policy_to_lean_on(
    name: str | None, family: str, features: Collection[str] = FIRST
) -> PolicyFile | None:
    """Return the file of the prior of a fit; None for the name "none".

    Without a name it is ``PEOPLE_AVERAGE``, if the fit has its features. Raise ``PolicyError`` if
    the file cannot be read, or its policy is of another family.
    """
    if name == "none" or (family == TREE and name is None):
        return None
    file = load_policy_file(name or PEOPLE_AVERAGE)
    if family == TREE:
        if file.policy.family != TREE:
            raise PolicyError(f"a fit of trees cannot lean on {name}: it is no policy of trees")
        return file
    try:
        family_of(family, features).vector(single(file.policy))
    except TypeError as error:
        if name is None:
            return None
        raise PolicyError(f"a fit of the family {family!r} cannot lean on it: {error}") from None
    return file


def contents_hash(hands: Iterable[History]) -> str:
    """Return a hash of all hands of a fit, whatever their order."""
    digests = []
    for hand in hands:
        text = repr((hand.hand_id, hand.variant, hand.unit, hand.stakes, hand.seats, hand.events))
        digests.append(hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest())
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()


def seen_by(policy: str | None) -> set[str]:
    """Return the fingerprints of the hands that a policy, or its panel, was fitted to."""
    names = [PEOPLE_POLICY, SIMULATED_POLICY] if policy is None else [policy]
    return {seen for name in names for seen in load_policy_file(name).seen}


def score_part(reader: Reader, ties: str, sessions: Iterable[Sequence[Replay]], path: Path) -> None:
    """Keep the scores of the hands of some sessions; the reader begins each session anew."""
    write_typed([hand for hands in sessions for hand in score_hands(hands, reader, ties)], path)
