"""Make the hands of the benchmark: ``python -m benchmark.make development``.

The development half depends on ``DEVELOPMENT_SEED`` alone. The test half is made from a seed that
is drawn at random and kept with the answers, outside the repository::

    python -m benchmark.make test --answers answers.csv

If the file of answers exists, its seed is taken, and the same hands are made again.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmark.rollout_player import POLICY, RolloutPlayer, people
from handread.cards import cards_text
from handread.formats.format import Writer
from handread.formats.phh import PHH
from handread.formats.saund import SAUND
from handread.game.replay import replay
from handread.game.rules import SAUND_STAKES, variant_of
from handread.history import Seat
from handread.inference.players import Model, player_models
from handread.inference.readers import Player
from handread.papers.bench.benchmark import (
    ANSWERS_HEAD,
    COMMITMENT,
    DEVELOPMENT,
    TEST,
    hidden,
)
from handread.papers.bench.readers import BPP, population, with_players
from handread.readers import load_player
from handread.simulate import Setup, play_game

DEVELOPMENT_SEED = 20_261_127

HANDS = 20
"""The number of hands of a session."""

ROLLOUTS = RolloutPlayer.name

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
    return RolloutPlayer() if name == ROLLOUTS else load_player(name)


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


def answers_text(seed: int, rows: Sequence[Sequence[str]]) -> str:
    """Return the file of the answers; the seed is also the salt of its hash."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((("seed", f"{seed:x}"), ANSWERS_HEAD, *rows))
    return text.getvalue()


def make(half: str, folder: Path, seed: int, answers: Path | None) -> None:
    """Write the sessions of a half, who sat where or the answers, and the commitment to these."""
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
    if answers is None:
        text = "".join(",".join(row) + "\n" for row in seats)
        (folder / half / "players.csv").write_text(text, encoding="utf-8", newline="\n")
        return
    text = answers_text(seed, rows)
    answers.write_text(text, encoding="utf-8", newline="\n")
    digest = hashlib.sha256(text.encode()).hexdigest()
    (folder / half / COMMITMENT).write_text(f"{digest}  {answers.name}\n", encoding="utf-8")


def main() -> None:
    """Read the options and make a half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", choices=(DEVELOPMENT, TEST))
    parser.add_argument("--answers", type=Path, help="file of the answers of the test half")
    options = parser.parse_args()
    folder = Path(__file__).parent
    if options.half == DEVELOPMENT:
        make(DEVELOPMENT, folder, DEVELOPMENT_SEED, None)
        return
    if options.answers is None or options.answers.resolve().is_relative_to(folder.parent.resolve()):
        parser.error("the test half needs --answers FILE, outside the repository")
    if options.answers.exists():
        first = options.answers.read_text(encoding="utf-8").partition("\n")[0]
        seed = int(first.removeprefix("seed,"), 16)
    else:
        seed = secrets.randbits(256)
    make(TEST, folder, seed, options.answers)


if __name__ == "__main__":
    main()
