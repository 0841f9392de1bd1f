"""Decisions from simulated games or from hands of files, and observers who know more or less.

An observer knows the actor's own cards and draws the hidden cards by its own belief: by the cards
alone, by the betting, too, or as they were dealt. All share the public belief by which players bet.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from handread.arrays import Floats
from handread.cards import N_TRIPLES
from handread.decisions.turns import Turn, turns
from handread.game.rules import variant_of
from handread.game.steps import Decision, Replay
from handread.history import Action
from handread.inference.analysis import analyze_replay, true_holding
from handread.inference.hand_analysis import Analysis
from handread.inference.joint import possible
from handread.inference.observer import pruned
from handread.inference.players import BET_INFERENCE, PlayerModels
from handread.inference.readers import Reader
from handread.inference.viewpoint import certainty
from handread.parallel import Jobs, StoredJobs, StoredPart
from handread.policy import members_of
from handread.simulate import Setup, watched_games

READ, FULL_WEIGHT, ALL_CARDS = BET_INFERENCE, "full weight", "all cards"
"""Observers besides ``CARDS_ONLY``: by the read; by Bayes' rule without the likelihood exponent;
and with all downcards known."""


@dataclass(frozen=True, slots=True)
class HandSource:
    """Numbered hands: ``analyze`` reads one of the ``jobs`` by the public observer."""

    name: str
    jobs: Jobs = field(repr=False)
    analyze: Callable[[Any], Analysis] = field(repr=False)

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self.jobs)


def simulated(name: str, games: int, setup: Setup, seed: int = 1) -> HandSource:
    """Return games of simulated players as a source; their analysis leaves out the stages."""
    return HandSource(name, range(games), partial(_watched, setup, seed))


def _watched(setup: Setup, seed: int, numbers: range) -> Analysis:
    return next(watched_games(setup, seed, numbers))


def stored(
    name: str, hands: Sequence[Replay], folder: Path, reader: Reader, ties: str
) -> HandSource:
    """Store hands in a folder, one a file, and return them as a source."""
    folder.mkdir(exist_ok=True)
    return HandSource(name, StoredJobs.store(hands, folder, 1), partial(_analyzed, reader, ties))


def stored_apart(
    hands: Sequence[Replay], folder: Path, reader: Reader, ties: str
) -> list[HandSource]:
    """Store hands, and return those that tell all downcards and the others as two sources."""
    sets = {"hands that tell all downcards": list(filter(tells_all, hands))}
    sets["other hands"] = [played for played in hands if not tells_all(played)]
    return [stored(name, some, folder, reader, ties) for name, some in sets.items() if some]


def _analyzed(reader: Reader, ties: str, stored: StoredPart) -> Analysis:
    (played,) = stored
    return analyze_replay(played, reader, ties=ties)


class SourceHand(NamedTuple):
    """A hand of several sources, its ``number`` in its source and its ``place`` among all hands.

    ``analysis`` returns its analysis by the public observer.
    """

    source: int
    number: int
    place: int
    analysis: Callable[[], Analysis]


def source_hands(sources: Sequence[HandSource]) -> list[SourceHand]:
    """Return the hands of several sources, one after the other, as jobs of a run."""
    each = (
        (at, number, partial(source.analyze, source.jobs[number : number + 1]))
        for at, source in enumerate(sources)
        for number in range(source.hands)
    )
    return [SourceHand(at, number, place, read) for place, (at, number, read) in enumerate(each)]


def all_known(replay: Replay, decision: Decision) -> bool:
    """Return True if the downcards of all players who are in at a decision are known."""
    return all(true_holding(replay, seat, decision.street) for seat in decision.active)


def tells_all(replay: Replay) -> bool:
    """Return True if downcards are known whether or not they were shown.

    The record then has the downcards of a player other than the hero who folded, or of all.
    """
    history = replay.history
    folded = {d.seat for d in replay.decisions if d.action is Action.FOLD} - {history.hero}
    everybody = {seat.number for seat in history.seats}
    return bool(folded & replay.downcards.keys()) or everybody <= replay.downcards.keys()


def drawn_turns(
    analysis: Analysis, decisions: Sequence[Decision], n: int, rng: np.random.Generator
) -> Iterator[Turn]:
    """Yield ``n`` of the decisions of a hand at random, in order; 0 or too many yields all."""
    if n and n < len(decisions):
        decisions = [decisions[i] for i in rng.choice(len(decisions), n, replace=False).tolist()]
    numbers = {decision.n for decision in decisions}
    if numbers:
        seats = {decision.seat for decision in decisions}
        yield from (turn for turn in turns(analysis, seats) if turn.decision.n in numbers)


def tempers(players: PlayerModels, seats: Sequence[int]) -> bool:
    """Return True if the read weighs the actions of any of these players by an exponent."""
    policies = {member for seat in seats for member in members_of(players.of(seat).policy)}
    return any(member.likelihood_exponent not in (1.0, (1.0,) * 5) for member in policies)


def by_cards_only(turn: Turn) -> Turn:
    """Return a turn whose actor knows the upcards and the own cards; all others are uniform."""
    return by_pdds(turn, turn.hidden.at_random().pdds)


def by_pdds(turn: Turn, pdds: Mapping[int, Floats]) -> Turn:
    """Return a turn whose actor draws hidden cards from these pdds of the other seats."""
    hidden, dead = turn.hidden, [*turn.hidden.seen, *turn.down]
    others = {seat: possible(pdds[seat], dead) for seat in hidden.pdds if seat != turn.seat}
    mine = {turn.seat: hidden.pdds[turn.seat]}
    return replace(turn, hidden=replace(hidden, pdds={**others, **mine}))


def by_all_cards(turn: Turn, replay: Replay) -> Turn:
    """Return a turn whose actor knows all downcards, of folded seats where the record has them."""
    hidden, downcards = turn.hidden, replay.downcards_on(turn.decision.street)
    game = variant_of(replay.history.variant)
    held = {
        seat: 3 if pdd.size == N_TRIPLES else game.dealt[game.first][0]
        for seat, pdd in hidden.pdds.items()
    }
    known = {
        seat: downcards[seat][: held[seat]]
        for seat in hidden.pdds
        if len(downcards.get(seat, ())) >= held[seat]
    }
    dead = [*hidden.seen, *(card for cards in known.values() for card in cards)]
    pdds = {
        seat: certainty(pdd.size, known[seat]) if seat in known else possible(pdd, dead)
        for seat, pdd in hidden.pdds.items()
    }
    return replace(turn, hidden=replace(hidden, pdds=pdds))


def full_weight_pdds(analysis: Analysis) -> Iterator[tuple[int, dict[int, Floats]]]:
    """Yield the number of each decision, and by seat the pdd before it at full weight.

    Yield 0 and the pdds after the last decision at the end.

    Every action counts with its probability under the policy, without the likelihood exponent;
    the weights of a panel's members are those in the read. Folded seats keep their last pdd. The
    players bet by the public belief, so this is the posterior of somebody who knows their policies.
    """
    pdds: dict[int, Floats] = {}
    for seen in analysis.observed:
        for seat, hands in seen.dealt.hands.items():
            before = pdds.get(seat)
            pdds[seat] = (
                hands.uniform if before is None else hands.lift(pruned(before, hands.unseen)[0])
            )
        for update in seen.updates:
            yield update.decision.n, dict(pdds)
            seat = update.decision.seat
            joint = pdds[seat] * update.action_probs
            if joint.sum() > 0.0:
                pdds[seat] = joint / joint.sum()
    yield 0, pdds
