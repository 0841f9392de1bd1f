"""``python -m docs.site.population LOGS``: fit the populations that the package ships.

How often players do what the statistics of ``handread.opponents`` count, and how much players
differ. With ``--write`` the file of the package is replaced. The logs are not part of the project.
A player of whom the log tells no name is a player of that log alone. Where there is too little for
a fit, the strength is a guess; where there is next to nothing, the mean is that of stud.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

import handread.opponents
from handread.game.rules import VARIANTS, variant_of
from handread.opponents.counts import Counts, seat_counts
from handread.opponents.shares import (
    LEAST_PLAYERS,
    SHIPPED,
    Population,
    fitted_if_enough,
)
from handread.opponents.statistics import BY_GAME, PLACES
from handread.session import ReadSettings, Session

GUESSED = 5.0
"""The strength of a population that has too little data for a fit."""


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
    """Return the population of each statistic by game; those of stud where there is too little."""
    fits: dict[str, dict[str, Population]] = {}
    for key in sorted(VARIANTS, key=lambda key: key != "stud"):
        fits[key] = {}
        if not found.get(key):
            continue
        table = np.stack([*found[key].values()])
        for statistic in BY_GAME[key]:
            done, of = table[:, PLACES[statistic.key]].T
            chances, own = int(of.sum()), fitted_if_enough(done, of)
            if own is not None:
                fits[key][statistic.key] = own
            elif chances >= LEAST_PLAYERS:
                mean = float(done.sum()) / chances
                fits[key][statistic.key] = Population(mean, GUESSED, int((of > 0).sum()))
            elif statistic.key in fits["stud"]:
                mean = fits["stud"][statistic.key].mean
                fits[key][statistic.key] = Population(mean, GUESSED, 0)
    return {key: fit for key, fit in fits.items() if fit}


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
