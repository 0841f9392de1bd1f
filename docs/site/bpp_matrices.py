"""Count the choices of simulated players: the matrices that BPP's reader ships with.

python -m docs.site.bpp_matrices stud > stud.csv
"""

import csv
import io
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from handread.formats.saund_read import read_game
from handread.game.rules import STREET_NAMES, Variant
from handread.game.steps import Replay
from handread.inference.players import player_models
from handread.papers.bpp.learning import count_open, learn
from handread.papers.bpp.record import CONTEXTS, GAMES, RELATIONS, Record, Switches
from handread.papers.bpp.shipped import COUNTS, KEYS
from handread.papers.bpp.types import FINE
from handread.simulate import Setup, play_games, seated

PLAYERS = "people-average"
SEATS = 4

TABLES = {
    "stud": ("ante .25 bring-in .25 bets 1 1 2 2 2 raises 4",),
    "5stud": (
        "5stud ante .25 bring-in 0 bets 1 1 2 2 raises 4",
        "5stud ante .25 bring-in .25 bets 1 1 2 2 raises 4",
    ),
}
"""The stakes of each game; five-card stud is played with and without a bring-in."""

HANDS = {"stud": 5000, "5stud": 8000}
"""The numbers of games behind the shipped files."""


def simulated_hands(key: str, n: int) -> Iterator[Replay]:
    """Yield n games, equally many for each of the stakes; random seeds are 1, 2, ..."""
    players = player_models(PLAYERS)
    for seed, text in enumerate(TABLES[key], 1):
        unit, stakes, game = read_game(text)
        setup = Setup(players, seated(players, SEATS), stakes, unit, game=game)
        for played in play_games(setup, seed, range(n // len(TABLES[key]))):
            yield played.replay


def records_text(shown: Record, every: Record, game: Variant) -> str:
    """Return the records of shown and of all hands of a game as CSV, without rows of zeros."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([*KEYS, *COUNTS])
    for at in np.ndindex(every.bets.shape[:-1]):
        place, context, relation, hand = at
        folds = every.folds[place, relation, hand] if context else np.zeros(2)
        counts = np.concatenate([every.bets[at], folds, shown.bets[at]])
        if counts.any():
            street = STREET_NAMES[game.streets[place].number]
            names = (street, CONTEXTS[context], RELATIONS[relation], FINE.labels[hand])
            writer.writerow([*names, *counts.astype(int).tolist()])
    return table.getvalue()


def matrices_text(key: str, n: int) -> str:
    """Return the counts from n games as CSV."""
    (game,) = (game for game in GAMES if game.key == key)
    hands = list(simulated_hands(key, n))
    return records_text(learn(hands, game, Switches()), count_open(hands, game), game)


def main(args: Sequence[str]) -> None:
    """Print the counts of a game, from as many games as the shipped file."""
    if len(args) != 1 or args[0] not in TABLES:
        raise SystemExit(f"usage: python -m docs.site.bpp_matrices {'|'.join(TABLES)}")
    sys.stdout.write(matrices_text(args[0], HANDS[args[0]]))


if __name__ == "__main__":
    main(sys.argv[1:])
