"""How far to trust the reads of a policy, in plain words."""

from __future__ import annotations

from handread.game.rules import STUD, Variant
from handread.policy import PEOPLE, HitRates, Measured, Policy, policy_hash
from handread.report.words import visible


def trust_words(policy: Policy, game: Variant = STUD) -> str:
    """Return how often the reads of a policy were right on hands that it had not seen.

    A policy that was never measured, was changed since, or is used in another game says so.
    """
    measured: Measured | None = getattr(policy, "measured", None)
    name = visible(policy.name)
    known = measured is not None and measured.policy == policy_hash(policy)
    if game is not STUD and not (known and measured and game.key in measured.games):
        learned = " was learned from and measured on seven-card stud high" * (name == PEOPLE)
        who = f"The policy {name}{learned}: nobody" if learned else "Nobody"
        by = "its reads" if learned else f"reads by the policy {name}"
        return f"{who} has measured how often {by} of {game.title} are right."
    if measured is None or measured.policy != policy_hash(policy):
        return f"Nobody has measured how often reads by the policy {name} are right."
    unseen = "held out from its fit" if measured.folds else "that it had not seen"
    hands = f"{measured.hands:,} hands {unseen}"
    return f"Reads by the policy {name} of {hands}: {hit_words(measured.overall)}."


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
