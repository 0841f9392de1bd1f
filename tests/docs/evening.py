"""Play the session of docs/first-evening.md: ``python -m tests.docs.evening > FILE``.

With a number of hands and a random seed it plays others; with the word ``average`` as well NellB
has no leak.

Simulated players sit down as at a room's table. NellB, whose log it is, hardly ever folds once 6th
street is reached; Rooster_21 raises on 3rd street with nearly anything. The other four bet like the
policy of ``evening.toml``. The downcards of opponents who do not show are removed, as a room does.
"""

from __future__ import annotations

import random
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from handread.formats.registry import writer_named
from handread.game.rules import Stakes, Unit
from handread.history import Action, Deal, Event, History, Seat, Show, StreetStart, Wager
from handread.inference.players import Model, PlayerModels
from handread.policy import Policy, load_policy, parse_policy
from handread.simulate import Game, Setup, play_games

AVERAGE = Path(__file__).with_name("evening.toml")
"""How most of them bet: ``people-average`` of handread 0.14, so that the hands stay as they are."""

HANDS = 60
SEED = 3
HERO, ROOSTER = 5, 2
NAMES = ("duckpond", "Rooster_21", "TerraceKing", "Silas.W", "NellB", "oldfort9")
STACKS = {1: 2755, 2: 4180, 3: 1960, 4: 3015, 5: 2500, 6: 2240}
LEAST_STACK, BOUGHT = 1700, 2500
ROOM = Stakes(5, 15, (50, 50, 100, 100, 100), cap_heads_up=None, open_pair_doubles=True)
START = datetime(2026, 5, 8, 20, 31, 12)

HEAD = """\
# An evening of simulated players, for docs/first-evening.md: python -m tests.docs.evening

"""

LEAK = """
bet.constant = 0.6       # up to 5th street: bets and raises good hands, folds bad ones
bet.chance = 1.5
raise.constant = 0.6
raise.third = 0.6
raise.chance = 1.5
fold.constant = -0.8
fold.third = -1.6
fold.percentile = -1.0
fold.chance = -1.5
fold.street = -2.2       # from 6th street on: folds hardly ever, whatever the cards
fold.late.percentile = 1.8
fold.late.chance = 2.5
"""
"""Changes to the weights of ``AVERAGE`` for NellB."""

HABIT = """
raise.third = 2.6        # raises on 3rd street, with any cards
raise.unraised = 0.5
raise.percentile = -0.5
fold.third = -1.0
bet.constant = 0.8
"""
"""Changes to the weights of ``AVERAGE`` for Rooster_21."""


def changed(name: str, changes: str) -> Policy:
    """Return the policy of most players with changes of its weights."""
    average = tomllib.loads(AVERAGE.read_text("utf-8"))
    lines = [f'schema = "handread.policy/1"\nname = "{name}"\nfamily = "logit"']
    for table, added in tomllib.loads(changes).items():
        late = added.pop("late", {})
        weights = {key: average[table].get(key, 0.0) + more for key, more in added.items()}
        for head, numbers in ((table, average[table] | weights), (f"{table}.late", late)):
            lines += [f"[{head}]", *(f"{key} = {number}" for key, number in numbers.items())]
    return parse_policy("\n".join(lines), name)


def games(hands: int, seed: int, leaks: bool) -> Iterator[Game]:
    """Yield games, every downcard known."""
    average = Model(load_policy(str(AVERAGE)))
    others = {ROOSTER: replace(average, policy=changed("habit", HABIT))}
    if leaks:
        others[HERO] = replace(average, policy=changed("leak", LEAK))
    players = PlayerModels(average, others)
    seats = tuple(Seat(n, name) for n, name in enumerate(NAMES, 1))
    setup = Setup(players, seats, replace(ROOM, cap_heads_up=4), Unit(2, "$"))
    return play_games(setup, seed, range(hands))


def as_seen_by_the_hero(game: Game) -> Iterator[Event]:
    """Yield the events of a game without the downcards that the hero never sees."""
    events = game.history.events
    folded = {e.seat for e in events if isinstance(e, Wager) and e.action is Action.FOLD}
    shown = [seat for seat in game.full_hands if seat not in folded]
    last = max(n for n, e in enumerate(events) if isinstance(e, Wager | StreetStart | Deal))
    for n, event in enumerate(events):
        hides = isinstance(event, Deal) and event.seat != HERO
        yield replace(event, down=(None,) * len(event.down)) if hides else event
        if n == last and len(shown) > 1:
            yield from (Show(seat, game.full_hands[seat]) for seat in shown)


def session(hands: int, seed: int, leaks: bool) -> Iterator[History]:
    """Yield hands as the room logs them for the hero."""
    luck = random.Random(seed)
    stacks: Mapping[int, int] = STACKS
    number, at = 261_500_000_185, START
    for game in games(hands, seed, leaks):
        stacks = {n: chips if chips >= LEAST_STACK else BOUGHT for n, chips in stacks.items()}
        yield replace(
            game.history,
            hand_id=str(number),
            stakes=ROOM,
            seats=tuple(Seat(n, name, stacks[n]) for n, name in enumerate(NAMES, 1)),
            events=tuple(as_seen_by_the_hero(game)),
            hero=HERO,
            table="Quayside II",
            played_at=at.strftime("%Y/%m/%d %H:%M:%S ET"),
        )
        played = game.replay
        stacks = {n: stacks[n] + played.won.get(n, 0) - played.paid[n] for n in stacks}
        number += luck.randrange(150, 400)
        at += timedelta(seconds=30 + len(game.history.events) + luck.randrange(15))


def log(hands: int = HANDS, seed: int = SEED, leaks: bool = True) -> str:
    """Return the log of a session."""
    return HEAD + "".join(writer_named("pokerstars").write_all(session(hands, seed, leaks)))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:3]]
    sys.stdout.write(log(*numbers, leaks="average" not in sys.argv))
