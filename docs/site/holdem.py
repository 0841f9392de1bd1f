"""The hold'em example of Billings et al. 1998, as the paper and handread compute it.

``python -m docs.site.holdem`` prints the table; given five cards, for the first two on a
flop of the others.
"""

import sys
from collections.abc import Mapping, Sequence

from handread.cards import parse_card
from handread.papers.loki.strength import compare_holdem
from handread.papers.published import Published
from handread.report.tables import as_text, number
from handread.study.statistics import Key

HAND = ("Ad", "Qc", "3h", "4c", "Jh")
"""The hand of the paper, and its flop."""

EXAMPLE = Published(
    "Billings et al. 1998, sections Hand Strength and Hand Potential, Table 1",
    {
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
)


def compared(cards: Sequence[str]) -> Mapping[str, float]:
    """Compare two cards on a flop with all pairs of an opponent; ``ValueError`` unless 5 differ."""
    found = [parse_card(card) for card in cards]
    if len(found) != len(HAND):
        raise ValueError(f"expected two cards and a flop of three, as in {' '.join(HAND)}")
    one, two = (compare_holdem(found[:2], found[2:], to_come=n) for n in (1, 2))
    states = ("ahead", "tied", "behind")
    return {
        **dict(zip(states, two.now.tolist(), strict=True)),
        "HS": two.strength,
        "HS against five": two.strength**5,
        **{
            f"behind, then {state}": n
            for state, n in zip(states, two.later[2].tolist(), strict=True)
        },
        "Ppot, two cards": two.positive_potential,
        "Npot, two cards": two.negative_potential,
        "Ppot, one card": one.positive_potential,
        "Npot, one card": one.negative_potential,
    }


def holdem_text(cards: Sequence[str] = HAND) -> str:
    """Return the comparison as text, for the hand of the paper beside its figures."""
    stated = {key.figure: value for key, value in EXAMPLE.values.items()}
    rows = [[" ".join(cards), "handread"]]
    rows += [[name, _cell(value)] for name, value in compared(cards).items()]
    if tuple(cards) == HAND:
        rows[0].append("paper")
        for row in rows[1:]:
            row.append(_cell(stated[row[0]]))
    return as_text(rows) + (f"paper: {EXAMPLE}\n" if tuple(cards) == HAND else "")


def _cell(value: float) -> str:
    return number(value, 3) if value < 1 else number(value, 0, sign=",")


def main(cards: Sequence[str]) -> None:
    """Print the comparison of the cards, or of the paper's hand."""
    try:
        sys.stdout.write(holdem_text(cards or HAND))
    except ValueError as error:
        raise SystemExit(f"{error}\nusage: python -m docs.site.holdem [CARD ...]") from None


if __name__ == "__main__":
    main(sys.argv[1:])
