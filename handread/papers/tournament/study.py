"""The duplicate tournament of Billings et al. 1998: every deal played once in every rotation.

Players sit down in a new random order for each deal. The deal is replayed with the players moved on
by one seat until each has played the cards of every seat. Learning players keep what they learn
during a session, with a separate memory for each rotation, so that nobody learns from a deal before
playing it again. Sessions are independent; errors are from session to session.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, count, pairwise, takewhile
from typing import Any, cast

import numpy as np

from handread.arrays import Floats
from handread.game.steps import Replay
from handread.history import Seat
from handread.inference.players import Model, PlayerModels
from handread.inference.readers import Player, Reader
from handread.papers.published import Published
from handread.runs import Run
from handread.simulate import Game, Setup, play_game
from handread.study.statistics import PAPER, Estimate, FigureTable, Key, Moments
from handread.study.sums import Row, Study, Sums

SPECIFIC = Published(
    "Billings et al. 1998, section Experiments",
    {
        Key("net_small_bets", "", "SOM", PAPER): 5000 / 2 / 100_000,  # small bets of $2
        Key("net_small_bets", "", "BPM", PAPER): -550 / 2 / 100_000,
    },
    "hold'em, one SOM against nine BPM, 100,000 hands; roughly $5,000 won and more than $550 lost "
    "at $2/$4",
)

Entrant = Model | Player
"""A player: a policy, or decisions from a reader.

A player whose reader learns is a dataclass with a ``reader`` field, which is replaced.
"""

ORDER_STREAM = 99
"""The random stream of the seating order; the streams of the seats belong to the game."""

NET = "net_small_bets"

PLAY = ("put_in_small_bets", "saw_fourth_street", "reached_showdown", "won_at_showdown")
"""A player's chips put in and shares of hands that reach a point, a hand."""

DIFFERENCE = "difference_small_bets"


@dataclass(frozen=True)
class Tournament(FigureTable):
    """Profit of the players in small bets a hand, with errors from session to session.

    ``NET`` and ``PLAY`` are about "kind", the mean of the players of a kind; ``NET`` is about
    "player" too. ``NET`` about "deals 1 to 10" is the profit in those deals of a session, which
    shows learning; about "first 200 deals" it is the mean profit so far (Figure 4 of the paper);
    about "paper" it is the paper's figure for its one SOM and its BPM. ``DIFFERENCE`` compares
    kinds. ``deals`` counts the deals of all sessions, ``games`` the deals times the rotations.
    """

    players: str
    sessions: int
    deals: int
    games: int

    @property
    def so_far(self) -> dict[int, str]:
        """The parts with the profit so far by number of deals: ``first 200 deals`` and so on."""
        length = self.deals // self.sessions
        return {n: _first(n) for n in range(length, self.deals + 1, length)}


def tournament(
    entrants: Sequence[Entrant],
    setup: Setup,
    sessions: int = 20,
    deals: int = 500,
    reference: Sequence[str] = (),
    run: Run = Run(),
) -> Tournament:
    """Play sessions of duplicate deals and measure how much each kind of player wins.

    Players of one name are of one kind. Every kind is compared with each kind of the reference and
    with their mean; without a reference, with every other kind. Raises ``ValueError`` if these
    players cannot play the game.
    """
    entrants, reference = tuple(entrants), checked_reference(entrants, reference)
    rows = partial(session_rows, entrants, setup, deals, run.seed)
    sums = Study(rows, deals * len(entrants), "sessions").sums(sessions, run)
    return tournament_table(sums, entrants, sessions, deals, reference)


def terms_of(entrants: Sequence[Entrant]) -> list[str]:
    """Return a text for each player; players with equal texts play alike."""
    return [
        repr(entrant) if isinstance(entrant, Model) else f"{entrant.name}: {entrant.reader.terms}"
        for entrant in entrants
    ]


def checked_reference(entrants: Sequence[Entrant], reference: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of the reference, each once; ``ValueError`` if no player is of a kind."""
    kinds = dict.fromkeys(entrant.name for entrant in entrants)
    strangers = [kind for kind in reference if kind not in kinds]
    if strangers:
        raise ValueError(f"nobody plays as {', '.join(strangers)}: there are {', '.join(kinds)}")
    return tuple(dict.fromkeys(reference))


def session_rows(
    entrants: Sequence[Entrant], setup: Setup, deals: int, seed: int, number: int
) -> Iterator[Row]:
    """Play a session, and yield its means."""
    results = np.stack(list(play_session(entrants, setup, deals, seed, number)))
    nets = results[:, 0]
    yield f"session {number}", nets.mean(axis=0)
    yield "play", results[:, 1:].mean(axis=0).ravel()
    for name, part in parts_of(deals).items():
        yield name, nets[part].mean(axis=0)


def parts_of(deals: int) -> Mapping[str, slice]:
    """Return the parts of a session by name: deals 1 to 10, 11 to 20, 21 to 50, and so on."""
    round_numbers = (digit * 10**power for power in count(1) for digit in (1, 2, 5))
    ends = [*takewhile(lambda n: n < deals, round_numbers), deals]
    return {
        f"deals {first + 1:,} to {last:,}": slice(first, last)
        for first, last in pairwise([0, *ends])
    }


def play_session(
    entrants: Sequence[Entrant], setup: Setup, deals: int, seed: int, number: int
) -> Iterator[Floats]:
    """Play a session; yield net and ``PLAY`` of each deal (5, entrants), means over rotations."""
    n = len(entrants)
    memories = [tuple(entrants)] * n
    for game in range(number * deals, (number + 1) * deals):
        order = np.random.default_rng((seed, game, ORDER_STREAM)).permutation(n)
        total = np.zeros((1 + len(PLAY), n))
        for turn in range(n):
            sitting = np.roll(order, turn).tolist()
            played = play_game(table_of(memories[turn], setup, sitting), seed, game)
            total[:, sitting] += _result(played.replay)
            memories[turn] = _after(memories[turn], sitting, played)
        yield total / n


def table_of(
    entrants: Sequence[Entrant], setup: Setup, sitting: Sequence[int] | None = None
) -> Setup:
    """Return the table of the entrants, seat 1 first; in their own order by default.

    Seats are named by kind and number, so that learners recognise the others in any seat.
    """
    places = range(len(entrants)) if sitting is None else sitting
    seats = tuple(
        Seat(number, f"{entrants[who].name}-{who + 1}") for number, who in enumerate(places, 1)
    )
    sitting_in = {number: entrants[who] for number, who in enumerate(places, 1)}
    models = {seat: each for seat, each in sitting_in.items() if isinstance(each, Model)}
    deciders = {seat: each for seat, each in sitting_in.items() if not isinstance(each, Model)}
    players = PlayerModels(setup.players.rest, models)
    return replace(setup, players=players, seats=seats, deciders=deciders, watched=False)


def _after(
    entrants: tuple[Entrant, ...], sitting: Sequence[int], played: Game
) -> tuple[Entrant, ...]:
    """Return the entrants after learning from a game; players who share a reader still do."""
    learned: dict[int, Reader] = {}
    after = list(entrants)
    for seat, who in enumerate(sitting, 1):
        entrant = entrants[who]
        if isinstance(entrant, Model) or not entrant.reader.learns:
            continue
        before = entrant.reader
        if id(before) not in learned:
            learned[id(before)] = before.after(played.replay, played.reads.get(seat, ()))
        after[who] = replace(cast(Any, entrant), reader=learned[id(before)])
    return tuple(after)


def _result(replay: Replay) -> Floats:
    """Return net and ``PLAY`` of each seat in a game (5, seats)."""
    small = replay.stakes.small
    seats = [seat.number for seat in replay.history.seats]
    fourth = replay.streets[1].active if len(replay.streets) > 1 else ()
    rows = [
        (
            replay.net(seat) / small,
            replay.paid[seat] / small,
            seat in fourth,
            seat in replay.showdown,
            seat in replay.showdown and replay.won.get(seat, 0) > 0,
        )
        for seat in seats
    ]
    return np.array(rows, dtype=np.float64).T


def tournament_table(
    sums: Sums,
    entrants: Sequence[Entrant],
    sessions: int,
    deals: int,
    reference: Sequence[str] = (),
) -> Tournament:
    """Return the tournament from the means of its sessions."""
    n = len(entrants)
    kinds = kinds_of(entrants)
    by_session = np.stack([sums.of(f"session {i}", n).means for i in range(sessions)])
    nets = Moments.of(by_session)
    figures: dict[Key, Estimate] = {}
    for kind, among in kinds.items():
        figures[Key(NET, "", kind, "kind")] = _mean(nets, among, deals)
        for name, row in zip(PLAY, np.eye(len(PLAY)), strict=True):
            play = sums.of("play", n * len(PLAY))
            figures[Key(name, "", kind, "kind")] = _mean(play, np.outer(row, among).ravel(), deals)
    for label, weights in _comparisons(kinds, reference).items():
        figures[Key(DIFFERENCE, "", label, "difference")] = _mean(nets, weights, deals)
    for who, among in enumerate(np.eye(n)):
        group = f"{entrants[who].name}-{who + 1}"
        figures[Key(NET, "", group, "player")] = _mean(nets, among, deals)
    for part, span in parts_of(deals).items():
        for kind, among in kinds.items():
            net = _mean(sums.of(part, n), among, span.stop - span.start)
            figures[Key(NET, "", kind, part)] = net
    for last in range(1, sessions + 1):
        so_far, about = Moments.of(by_session[:last]), _first(last * deals)
        for kind, among in kinds.items():
            figures[Key(NET, "", kind, about)] = _mean(so_far, among, deals)
    if Counter(entrant.name for entrant in entrants) == {"SOM": 1, "BPM": n - 1}:
        figures |= SPECIFIC.figures
    players = ", ".join(entrant.name for entrant in entrants)
    return Tournament(figures, players, sessions, sessions * deals, sums.games * deals * n)


def _first(deals: int) -> str:
    return f"first {deals:,} deals"


def kinds_of(entrants: Sequence[Entrant]) -> dict[str, Floats]:
    """Return the weights of the entrants in the mean of each kind, (entrants,)."""
    names = np.array([entrant.name for entrant in entrants])
    return {str(kind): (names == kind) / (names == kind).sum() for kind in dict.fromkeys(names)}


def _comparisons(kinds: Mapping[str, Floats], reference: Sequence[str]) -> dict[str, Floats]:
    """Return differences of kinds as weights of the entrants (entrants,).

    Other kinds are compared with the reference's mean and each of its kinds, then in pairs.
    """
    others = [kind for kind in kinds if kind not in reference]
    against = {kind: kinds[kind] for kind in reference}
    if len(reference) > 1:
        mean: Floats = np.mean([*against.values()], axis=0)
        against = {f"mean of {', '.join(reference)}": mean, **against}
    differences = {
        f"{kind} - {words}": kinds[kind] - weights
        for kind in others
        for words, weights in against.items()
    }
    for first, second in combinations(others, 2):
        differences[f"{second} - {first}"] = kinds[second] - kinds[first]
    return differences


def _mean(moments: Moments, weights: Floats, deals: int) -> Estimate:
    """Return a mean over sessions of so many deals, with Student's t interval."""
    mean = moments.mean(weights)
    return Estimate.student(mean.mean, mean.error, moments.n * deals, moments.n)
