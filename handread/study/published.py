"""Values that the papers state, to stand beside those of the experiments.

Most results of the papers are in figures. Only what their text or a table states is here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from handread.game.rules import SAUND_STAKES, STUD
from handread.simulate import Setup
from handread.study.statistics import Estimate, Key

PAPER = "paper"
"""The part of a table that holds the values of a paper, where these are rows of their own."""


@dataclass(frozen=True, slots=True)
class Published:
    """The place of some values, and what they were measured on."""

    place: str
    of: str = ""

    def __str__(self) -> str:
        return f"{self.place} ({self.of})" if self.of else self.place


INFORMATION = Published("Saund 2006, section VI", "1,827 games")
RATES = Published("Saund 2006, section VI", "8,977 games")
SPECIFIC = Published(
    "Billings et al. 1998, section Experiments",
    "hold'em, one SOM against nine BPM, 100,000 hands; roughly $5,000 won and more than $550 lost "
    "at $2/$4",
)
EXAMPLE = Published("Billings et al. 1998, sections Hand Strength and Hand Potential, Table 1")
MATCHES = Published("Korb et al. 1999, section 5.2")

STATED: Mapping[Published, Mapping[Key, float]] = {
    INFORMATION: {Key("gain_fraction", "6B", "", PAPER): 0.36},
    RATES: {
        Key("put_in_small_bets", "", "bet-inference", PAPER): 1.57,
        Key("won_small_bets", "", "bet-inference", PAPER): 1.71,
        Key("net_small_bets", "", "bet-inference", PAPER): 0.14,
        Key("put_in_small_bets", "", "cards-only", PAPER): 2.69,
        Key("won_small_bets", "", "cards-only", PAPER): 2.50,
        Key("net_small_bets", "", "cards-only", PAPER): -0.19,
    },
    SPECIFIC: {
        Key("net_small_bets", "", "SOM", PAPER): 5000 / 2 / 100_000,  # small bets of $2
        Key("net_small_bets", "", "BPM", PAPER): -550 / 2 / 100_000,
    },
    EXAMPLE: {
        Key("ahead"): 628,
        Key("tied"): 9,
        Key("behind"): 444,
        Key("HS"): 0.585,
        Key("HS against five"): 0.069,
        Key("behind, then ahead"): 91_981,
        Key("behind, then tied"): 1_036,
        Key("behind, then behind"): 346_543,
        Key("Ppot, two cards"): 0.208,
        Key("Npot, two cards"): 0.274,
        Key("Ppot, one card"): 0.108,
        Key("Npot, one card"): 0.145,
    },
    MATCHES: {
        Key("paper_t", "", "bpp:probabilistic"): 15.8,
        Key("paper_t", "", "bpp:rules"): 7.84,
        Key("paper_t_of_match", "", "bpp:probabilistic"): 3.25,
    },
}
"""The values by source, under the keys that they have in the table of their experiment."""


def stated(source: Published) -> dict[Key, Estimate]:
    """Return the values of a source as figures: a mean alone, of no observations of ours."""
    return {key: Estimate(value) for key, value in STATED[source].items()}


def is_saund_table(setup: Setup, knowledge: Mapping[str, int]) -> bool:
    """Return True for the table of Saund 2006: seven players of a reading of its Table I.

    Args:
        setup: The table.
        knowledge: How many players know what, as in the experiment.
    """
    models = [setup.players.of(seat.number) for seat in setup.seats]
    return (
        (setup.game, setup.stakes, len(models)) == (STUD, SAUND_STAKES, 7)
        and all(model.policy.name.startswith("table1-") for model in models)
        and Counter(model.knowledge for model in models) == knowledge
    )
