"""Make the hands of the benchmark: ``python -m benchmark.make development``.

The development half depends on ``DEVELOPMENT_SEED`` alone. Every other half is made from a seed
that is drawn at random and kept with its answers: ``python -m benchmark.make test`` makes the test
half again from the seed of its answers, byte for byte. A name without answers is a new half.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmark.rollout_player import POLICY, people, rollout_player
from handread.cards import cards_text
from handread.formats.format import Writer
from handread.formats.phh import PHH
from handread.formats.saund import SAUND
from handread.game.replay import replay
from handread.game.rules import SAUND_STAKES, variant_of
from handread.history import Seat
from handread.inference.players import Model, player_models
from handread.inference.readers import Player
from handread.named_readers import load_player
from handread.papers.bench.benchmark import (
    ANSWERS,
    ANSWERS_HEAD,
    DEVELOPMENT,
    hidden,
)
from handread.papers.bench.set_readers import BPP, population, with_players
from handread.simulate import Setup, play_game

DEVELOPMENT_SEED = 20_261_127

HANDS = 20
"""The number of hands of a session."""

ROLLOUTS = "rollouts"

MIXED = ("people", "loose", "tight", "honest", "trees", "people-average")

ANY_GAME = (
    ("people",) * 6,
    ("people",) * 4,
    ("people-average",) * 5,
    MIXED,
    (*MIXED, "default"),
    ("loose", "loose", "tight", "people"),
    ("default", "table1-bluff", "honest", "table1-centred", "tight"),
    ("trees",) * 4,
    (ROLLOUTS,) * 3,
    (ROLLOUTS, "people", "people", "loose", "tight"),
)
"""The players of tables of every game. Not every name is there as often: who is common among real
opponents is common here."""

TABLES: Mapping[str, Sequence[Sequence[str]]] = {
    "stud": (
        *ANY_GAME,
        ("GOM", "BPM", "BPT", "BPL"),
        ("GOM", "BPL", ROLLOUTS, "people", "trees"),
    ),
    "stud8": (*ANY_GAME, ("people",) * 7, (ROLLOUTS, "people", "honest")),
    "razz": (*ANY_GAME, ("people",) * 7, (ROLLOUTS, "people", "honest")),
    "5stud": (*ANY_GAME, (BPP,) * 2, (BPP,) * 2),
}
"""The players of each session of a half, by game."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session: its name, and the players by seat."""

    name: str
    game: str
    number: int
    players: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file of its hands, inside the folder of its half."""
        return Path(self.game, self.name + self.writer.suffixes[0])

    @property
    def writer(self) -> Writer:
        """The notation of its hands; PHH has no code for five-card stud."""
        return SAUND if self.game == "5stud" else PHH

    def seat_names(self) -> list[str]:
        """Return names that tell nothing of who plays."""
        return [f"{self.name} {letter}" for letter in "ABCDEFG"[: len(self.players)]]


def sessions(half: str, seed: int) -> Iterator[Session]:
    """Yield the sessions of a half; the seed says who sits where."""
    for place, (game, tables) in enumerate(TABLES.items()):
        rng = np.random.default_rng((seed, place))
        for number, table in enumerate(rng.permutation(len(tables)).tolist(), start=1):
            players = tuple(rng.permutation(tables[table]).tolist())
            yield Session(f"{half[0]}-{game}-{number:02}", game, number, players)


@cache
def _player(name: str) -> Model | Player:
    if name == POLICY:
        return Model(people())
    return rollout_player() if name == ROLLOUTS else load_player(name)


def setup_of(session: Session) -> Setup:
    """Return the table of a session."""
    game = variant_of(session.game)
    stakes = replace(SAUND_STAKES, bets=SAUND_STAKES.bets[: len(game.streets)])
    seats = tuple(Seat(number) for number in range(1, len(session.players) + 1))
    empty = Setup(player_models("default"), seats, stakes, game=game)
    if BPP in session.players:
        return population(BPP, empty)
    return with_players([_player(name) for name in session.players], empty)


def play(session: Session, seed: int, hands: int = HANDS) -> tuple[str, list[tuple[str, str, str]]]:
    """Return the hands of a session as PHH with all downcards, and the rows of its answers."""
    setup = setup_of(session)
    names = dict(zip((seat.number for seat in setup.seats), session.seat_names(), strict=True))
    texts: list[str] = []
    answers: list[tuple[str, str, str]] = []
    place = list(TABLES).index(session.game)
    for number in range(1, hands + 1):
        game = play_game(setup, seed, (place * 100 + session.number) * 1000 + number)
        history = replace(
            game.history,
            hand_id=f"{session.name}-{number:02}",
            seats=tuple(replace(seat, name=names[seat.number]) for seat in game.history.seats),
        )
        played = replay(history)
        seen = played if session.name[0] == DEVELOPMENT[0] else hidden(played)
        texts.append(session.writer.write(seen))
        for seat, down in sorted(played.downcards.items()):
            answers.append((history.hand_id, str(seat), cards_text(down).replace(" ", "")))
    return "".join(session.writer.joined(texts)), answers


PLEASE = "score readers by these answers; do not fit, tune or choose readers by them"
"""What stands in each file of answers."""


def answers_file(seed: int, rows: Sequence[Sequence[str]]) -> bytes:
    """Return the file of the answers."""
    text, heads = io.StringIO(), (("seed", f"{seed:x}"), ("please", PLEASE), ANSWERS_HEAD)
    csv.writer(text, lineterminator="\n").writerows((*heads, *rows))
    return gzip.compress(text.getvalue().encode(), 9, mtime=0)


def seed_in(file: Path) -> int:
    """Return the seed of a file of answers."""
    first = gzip.decompress(file.read_bytes()).decode().partition("\n")[0]
    return int(first.removeprefix("seed,"), 16)


def make(half: str, folder: Path, seed: int) -> None:
    """Write the sessions of a half, and who sat where or the answers."""
    rows: list[tuple[str, ...]] = []
    seats: list[tuple[str, ...]] = [("session", "seat", "player")]
    for session in sessions(half, seed):
        file = folder / half / session.path
        file.parent.mkdir(parents=True, exist_ok=True)
        text, found = play(session, seed)
        file.write_text(text, encoding="utf-8", newline="\n")
        rows += found
        seats += [(session.name, str(n), who) for n, who in enumerate(session.players, 1)]
        print(file)
    if half == DEVELOPMENT:
        text = "".join(",".join(row) + "\n" for row in seats)
        (folder / half / "players.csv").write_text(text, encoding="utf-8", newline="\n")
        return
    (folder / half / ANSWERS).write_bytes(answers_file(seed, rows))


def make_half(half: str) -> None:
    """Make a half: from its own seed if it has one, else from one that is drawn now."""
    folder = Path(__file__).parent
    answers = folder / half / ANSWERS
    if half == DEVELOPMENT:
        make(half, folder, DEVELOPMENT_SEED)
    else:
        make(half, folder, seed_in(answers) if answers.exists() else secrets.randbits(256))


def main() -> None:
    """Read the name and make the half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", help="development, test, or the name of another folder")
    make_half(parser.parse_args().half)


if __name__ == "__main__":
    main()
