"""How far to trust the reads of a policy, in plain words."""

from __future__ import annotations

from handread.game.rules import STUD, Variant
from handread.inference.readers import Reader, policies_of
from handread.policy import HitRates, Measured, Policy, policy_hash
from handread.report.tables import hands_words
from handread.report.words import visible


def trust_words(policy: Policy, game: Variant = STUD) -> str:
    """Return how often the reads of a policy were right on hands that it had not seen.

    A policy that was never measured, was changed since, or is used in another game says so.
    """
    measured: Measured | None = getattr(policy, "measured", None)
    name = visible(policy.name)
    if measured is None or measured.policy != policy_hash(policy) or game.key not in measured.games:
        reads = "reads" if game is STUD else f"reads of {game.title}"
        return f"Nobody has measured how often {reads} by the policy {name} are right."
    out = "of logs held out" if measured.by == "log" else "held out"
    unseen = f"{out} from its fit" if measured.folds else "that it had not seen"
    hands = f"{hands_words(measured.hands)} {unseen}"
    return f"Reads by the policy {name} of {hands}: {hit_words(measured.overall)}."


def reader_trust(reader: Reader, game: Variant) -> str:
    """Return how often the reads of a reader were right."""
    players = policies_of(reader)
    if players is not None:
        return trust_words(players.rest.policy, game)
    name = visible(reader.name)
    return f"Compare reads by the reader {name} with others: handread experiment readers."


def hit_words(rates: HitRates) -> str:
    """Return hit rates in words, each beside that of the upcards alone."""
    kind, three, family = (
        f"{bets:.0%} ({cards:.0%}"
        for bets, cards in (rates.first_kind, rates.one_of_three, rates.first_family)
    )
    return (
        f"the first kind of holding was right in {kind} by the upcards alone), one of the first "
        f"three in {three}), the first family in {family}), of {rates.n:,} reads"
    )
