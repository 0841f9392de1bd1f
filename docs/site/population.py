"""``python -m docs.site.population LOGS``: fit the populations that the package ships.

How often players do what the statistics of ``handread.opponents`` count, and how much players
differ. With ``--write`` the file of the package is replaced. The logs are not part of the project.
A player of whom the log tells no name is a player of that log alone.

With enough players and chances a population is fitted. With fewer, its strength is ``GUESSED``, and
its mean is the share of all players together with some chances added: ``STUD_CHANCES`` at the mean
of stud, or in stud one at a half. A statistic of 3rd street that stud lacks, as five-card stud has
them, takes that of 4th street. So no mean is 0 or 1. With fewer than ``STUD_CHANCES`` of its own it
is called a guess: one of no players, against which nothing is marked.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np

import handread.opponents
from handread.arrays import Ints
from handread.game.rules import VARIANTS, variant_of
from handread.opponents.counts import Counts, seat_counts
from handread.opponents.shares import SHIPPED, Population, fitted_if_enough
from handread.opponents.statistics import BY_GAME, PLACES, Statistic
from handread.sessions.files import ReadSettings, Session

GUESSED = 5.0
"""The strength of a population that has too little data for a fit."""

STUD_CHANCES = 20
"""The mean of stud counts as so many chances of another game."""


def counted(paths: list[str]) -> dict[str, dict[tuple[str, str], Counts]]:
    """Return the counts of every player by game, player and file."""
    found: dict[str, dict[tuple[str, str], Counts]] = defaultdict(dict)
    for played in Session(paths, ReadSettings(), prints=False).replays():
        if played.problem is not None or not played.streets:
            continue
        history = played.history
        of_game = found[variant_of(history.variant).key]
        for seat, counts in seat_counts(played).items():
            name = history.seat(seat).name
            player = (name, "") if name else (str(seat), history.source.file)
            of_game[player] = of_game.get(player, 0) + counts
    return found


def populations(
    found: dict[str, dict[tuple[str, str], Counts]],
) -> dict[str, dict[str, Population]]:
    """Return the population of each statistic by game, of the games in which a player had a chance.

    Args:
        found: The counts (statistics, 2) of each player by game.
    """
    fits: dict[str, dict[str, Population]] = defaultdict(dict)
    for key in sorted(VARIANTS, key=lambda key: key != "stud"):
        if not found.get(key):
            continue
        table = np.stack([*found[key].values()])
        for statistic in BY_GAME[key]:
            done, of = table[:, PLACES[statistic.key]].T
            own = fitted_if_enough(done, of)
            if own is None:
                own = guessed(done, of, _stand_in(fits["stud"], statistic))
            fits[key][statistic.key] = own
    return {key: fit for key, fit in fits.items() if fit}


def _stand_in(stud: Mapping[str, Population], one: Statistic) -> Population | None:
    """Return the population of stud that stands in for that of a statistic; None without one."""
    fourth = one.key.replace("_3", "_4") if one.street == 3 else one.key
    return stud.get(one.key, stud.get(fourth))


def guessed(done: Ints, of: Ints, stud: Population | None) -> Population:
    """Return a population of few players, with chances added at the mean of stud or at a half."""
    mean, added = (0.5, 1) if stud is None else (stud.mean, STUD_CHANCES)
    chances = int(of.sum())
    mean = (float(done.sum()) + mean * added) / (chances + added)
    return Population(mean, GUESSED, int((of > 0).sum()) if chances >= STUD_CHANCES else 0)


def written(found: dict[str, dict[str, Population]]) -> str:
    """Return the text of the file, a statistic a line."""
    games = []
    for game, fit in found.items():
        lines = (
            f'  "{key}": [{p.mean:.3f}, {p.strength:.1f}, {p.players}]' for key, p in fit.items()
        )
        games.append(f' "{game}": {{\n' + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(games) + "\n}\n"


def main() -> int:
    """Fit the populations, and print or write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", metavar="LOGS")
    parser.add_argument("--write", action="store_true", help="replace the file of the package")
    asked = parser.parse_args()
    found = counted(asked.logs)
    for key, players in found.items():
        print(f"{key}: {len(players)} players", file=sys.stderr)
    text = written(populations(found))
    if asked.write:
        Path(handread.opponents.__file__).with_name(SHIPPED).write_text(text, "utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
