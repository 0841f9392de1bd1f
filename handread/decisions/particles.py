"""Rollouts with particles for the public beliefs, a decision as arrays of ``kernels.rollouts``."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import DECK_SIZE, N_TRIPLES, Card
from handread.decisions.rollouts import Futures, HouseRake, Rollouts, exact_rollouts
from handread.decisions.turns import LegalAction, Turn
from handread.game.rules import Variant
from handread.game.seating import Seated, aggressions
from handread.game.table import Table
from handread.inference.observer import Belief
from handread.inference.players import CARDS_ONLY, Model
from handread.kernels import rollout_state as kernels
from handread.kernels.particles import NEIGHBOURS
from handread.kernels.rollouts import roll_out
from handread.odds.htpd import holding_cards
from handread.odds.showdown import showdown_of
from handread.policy import evidence_tables, learning_of, members_of, weights_of
from handread.policy.family import pack
from handread.policy.features import BOARDS

N_PARTICLES = 64
"""Number of particles of a seat with two downcards."""

COMPLETIONS = 8
"""Number of final hands of a particle."""

THIRDS = 2
"""Number of third downcards of a particle on 7th street."""

OWN_COMPLETIONS = 32
"""Number of final hands of a player's true holding, which guides the player's actions."""

BATCH = 50
"""Rollouts with the same particles; the next batch has others, to average out their errors."""


def particle_rollouts(
    turn: Turn, options: Sequence[LegalAction], futures: Futures, rake: HouseRake
) -> Rollouts:
    """Return continuations with particles for the public beliefs, in .1 to 1 ms each.

    Players with policies of trees need ``exact_rollouts``.
    """
    models = tuple(turn.later.of(seat) for seat in futures.seats)
    policies = policy_arrays(models, turn.table.game)
    if policies is None:
        return exact_rollouts(turn, options, futures, rake)
    n = futures.weights.size
    nets = np.zeros((n, len(options)))
    active, seen = turn.table.active, turn.hidden.seen
    settings = [setting_of(o.table, futures.seats, active, seen, turn.ties) for o in options]
    me = futures.seats.index(turn.seat)
    for first in range(0, n, BATCH):
        batch = futures.part(slice(first, first + BATCH))
        rng = np.random.default_rng(int(batch.draws[0, 0, 0] * 2**53))
        sample = _HoldingSample(turn, options, batch, rng)
        seed = int(rng.integers(2**31))
        for j, option in enumerate(options):
            if option.action != "fold":
                start = settings[j], sample.particles(option.belief)
                chances = chances_of(batch, len(active), sample.shares(option.belief))
                nets[first : first + BATCH, j], _ = played_out(
                    me,
                    turn.table.game,
                    start,
                    policies=policies,
                    chances=chances,
                    seed=seed,
                    rake=rake,
                )
    paid = [turn.table.player(turn.seat).paid - o.table.player(turn.seat).paid for o in options]
    nets += np.where([option.action == "fold" for option in options], 0.0, paid)
    return Rollouts(nets, futures.weights)


def played_out(
    me: int,
    game: Variant,
    start: tuple[kernels.Setting, kernels.Particles],
    policies: kernels.Policies,
    chances: kernels.RolloutFutures,
    seed: int,
    rake: HouseRake,
    noted: bool = False,
) -> tuple[Floats, Floats]:
    """Return the net of a seat in each future, (futures,) in minor units, and its decisions.

    The decisions are as in ``roll_out``, (futures, N_NOTED), or none unless ``noted``.
    """
    tables = showdown_of(game).final
    # Neighbouring lows, of a game that splits the pot, share no entry of a table.
    n_lows = NEIGHBOURS * int(tables.lows.max(initial=0))
    n_classes = int(max(tables.by_ranks.max(), tables.by_flush.max(initial=0), n_lows)) + 1
    house = np.array([rake.share, -1.0 if rake.most is None else float(rake.most)])
    each = np.array([COMPLETIONS, THIRDS, OWN_COMPLETIONS])
    state = kernels.state_of(*start, policies.own.shape[-1], n_classes, each)
    nets = np.zeros(len(chances.draws))
    notes = np.zeros((len(nets) if noted else 0, kernels.N_NOTED))
    roll_out(seed, me, house, each, start, state, tables, policies, chances, nets, notes)
    return nets, notes


def chances_of(futures: Futures, places: int, shares: Floats) -> kernels.RolloutFutures:
    """Return futures as arrays; ``places`` seats get the cards to come."""
    sizes = (futures.order >= 0).sum(axis=1)
    return kernels.RolloutFutures(
        futures.down, futures.order, sizes=sizes, places=places, draws=futures.draws, shares=shares
    )


@lru_cache(maxsize=64)
def policy_arrays(models: tuple[Model, ...], game: Variant) -> kernels.Policies | None:
    """Return the policies of the seats as arrays; None if one has no such form."""
    arrays = pack([members_of(model.policy) for model in models])
    if arrays is None:
        return None
    cards_only = np.array([int(model.knowledge == CARDS_ONLY) for model in models])
    said = [evidence_tables(model.policy, game.key) for model in models]
    return arrays._replace(
        learning=np.array([learning_of(model.policy) for model in models]),
        idle=np.stack([idle for idle, _ in said]),
        repeats=np.stack([powers for _, powers in said]),
        cards_only=cards_only,
        with_kinds=game.seven_card_high and arrays.with_kinds,
        some_cards_only=bool(cards_only.any()),
    )


def _seat_row(table: Table, player: Seated) -> list[int]:
    return [
        player.put,
        player.paid,
        -1 if player.stack is None else player.stack,
        player.folded,
        player.all_in,
        player.seat in table.acted,
        aggressions(table.past, player.seat),
    ]


def setting_of(
    table: Table, numbers: Sequence[int], active: Sequence[int], seen: Iterable[Card], ties: str
) -> kernels.Setting:
    """Return the table as arrays.

    Args:
        table: The table, in a betting round.
        numbers: The numbers of the seats dealt in.
        active: The seats that get cards to come.
        seen: The visible cards.
        ties: Tie rule of the players, "split" or "paper".
    """
    game, stakes = table.game, table.stakes
    places = {seat: place for place, seat in enumerate(numbers)}
    players = [table.player(seat) for seat in numbers]
    seats = np.array([_seat_row(table, player) for player in players], dtype=np.int64)
    leader = -1 if table.leader is None else places[table.leader]
    hand = [table.street, table.bet_to, table.full_to, table.bets, table.bring_in_open, leader]
    queue = np.zeros(len(numbers), dtype=np.int64)
    queue[: len(table.queue)] = [places[seat] for seat in table.queue]
    caps = [-1 if cap is None else cap for cap in (stakes.cap, stakes.cap_heads_up)]
    up, n_up = np.zeros((len(numbers), 8), dtype=np.int64), np.zeros(len(numbers), dtype=np.int64)
    for i, player in enumerate(players):
        cards = [card for card in (*player.up, *table.shared) if card is not None]
        up[i, : len(cards)], n_up[i] = cards, len(cards)
    place = [active.index(seat) if seat in active else -1 for seat in numbers]
    visible = sum(1 << card for card in seen)
    dealt = sum(len(player.down) + len(player.up) for player in table.players)
    doors = {player.seat: player.up[0] for player in players}
    first = game.brings_in({s: card for s, card in doors.items() if card is not None})[0]
    return kernels.Setting(
        seats=seats,
        hand=np.array([*hand, len(table.queue)], dtype=np.int64),
        queue=queue,
        limits=np.array([game.first, game.last, game.n_cards, *caps, *stakes.bets], dtype=np.int64),
        up=up,
        n_up=n_up,
        place=np.array(place),
        counts=np.array([dealt, visible, len(table.shared)]),
        brings_in=np.array([int(seat == first) for seat in numbers]),
        deals=np.array([(s.down, s.up, game.dealt[s.number][0]) for s in game.streets]),
        boards=np.array([int(board.games(game)) for board in BOARDS]),
        low_leads=0 if game.wins_high else 1 if game.ace_is_low else 2,
        tie=1.0 if ties == "paper" else 0.5,
    )


class _HoldingSample:
    """The holdings of the active seats that represent their pdds, the same for all options."""

    def __init__(
        self, turn: Turn, options: Sequence[LegalAction], futures: Futures, rng: np.random.Generator
    ) -> None:
        self._seats = futures.seats
        self._turn = turn
        self._models = [turn.later.of(seat) for seat in self._seats]
        self._members = max(len(members_of(model.policy)) for model in self._models)
        self._futures = futures
        self._rows: dict[int, Ints] = {}
        self._mass: dict[int, Floats] = {}
        self._even: dict[int, Floats] = {}
        for seat, pdd in turn.belief.pdds.items():
            even = turn.belief.hands[seat].live.astype(np.float64)
            even /= even.sum()
            pdds = [o.belief.pdds[seat] for o in options if seat in o.belief.pdds] or [pdd]
            n = N_PARTICLES * THIRDS if pdd.size == N_TRIPLES else N_PARTICLES
            mixed = (even + np.mean(pdds, axis=0)) / 2.0
            rows = np.flatnonzero(mixed)
            mass = np.ones(rows.size)
            if rows.size > n:
                # Neighbours share a rank: equal steps spread the particles over the ranks.
                steps = (np.arange(n) + rng.random()) / n
                rows = np.minimum(np.searchsorted(np.cumsum(mixed), steps), mixed.size - 1)
                mass = 1.0 / (n * mixed[rows])
            self._rows[seat], self._mass[seat] = rows, mass
            self._even[seat] = even[rows] * mass

    def particles(self, belief: Belief) -> kernels.Particles:
        """Return the particles with their weights under a belief."""
        shape, room = (len(self._seats), N_PARTICLES * THIRDS), N_PARTICLES * THIRDS
        hold = np.zeros((*shape, 3), dtype=np.int64)
        even, weights = np.zeros(shape), np.zeros((shape[0], self._members, room))
        n = np.zeros(shape[0], dtype=np.int64)
        for i, seat in enumerate(self._seats):
            if seat not in belief.pdds:
                continue
            rows, pdd = self._rows[seat], belief.pdds[seat]
            cards = holding_cards(pdd.size)[rows]
            n[i] = rows.size
            hold[i, : rows.size, : cards.shape[1]] = cards
            even[i, : rows.size] = self._even[seat]
            for j, share in enumerate(self._shares(belief, i, rows)):
                weights[i, j, : rows.size] = share * pdd[rows] * self._mass[seat]
            weights[i] /= weights[i].sum()
        return kernels.Particles(hold, even, weights, n)

    def shares(self, belief: Belief) -> Floats:
        """Return P(member | downcards) in each future, (rollouts, seats, members)."""
        n = self._futures.weights.size
        by_future = np.zeros((n, len(self._seats), self._members))
        for i, seat in enumerate(self._seats):
            if seat in belief.pdds:
                rows = _indices(self._futures.down[:, i], belief.pdds[seat].size)
                for j, share in enumerate(self._shares(belief, i, rows)):
                    by_future[:, i, j] = share
        return by_future

    def _shares(self, belief: Belief, i: int, rows: Ints) -> Floats:
        """Return P(member | holding) of a seat (members, holdings)."""
        policy = self._models[i].policy
        shares = self._turn.shares(belief, self._seats[i])
        if shares is not None:
            return shares[:, rows]
        prior = np.array(weights_of(policy))
        return np.broadcast_to(prior[:, None], (prior.size, rows.size))


def _indices(down: Ints, size: int) -> Ints:
    """Return the indices of holdings (holdings, 3), as in ``cards.holding_index``."""
    if size == DECK_SIZE:
        return down[:, 0]
    cards = np.sort(down if size == N_TRIPLES else down[:, :2], axis=1)
    index = cards[:, 0] + cards[:, 1] * (cards[:, 1] - 1) // 2
    if size == N_TRIPLES:
        third = cards[:, 2]
        index = index + third * (third - 1) * (third - 2) // 6
    return index
