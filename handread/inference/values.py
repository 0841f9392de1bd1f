"""One hand read whole: the value that the terminal, the JSON and every other face show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

import handread
from handread.bits import divergence_bits, entropy_bits, score_bits
from handread.cards import Card, holding_index
from handread.game.steps import Decision, Replay
from handread.history import Problem
from handread.inference.players import Lineup
from handread.kernels.figures import read_figures
from handread.odds.hand_types import by_category
from handread.odds.holdings import likely_kinds
from handread.odds.htpd import Operator, holding_cards
from handread.policy import members_of

Floats = npt.NDArray[np.float64]


class AnalysisError(ValueError):
    """A hand that cannot be analysed; the message says where it stands and why."""


@dataclass(frozen=True, slots=True)
class Truth:
    """How a seat's read stands to its true downcards at a stage.

    ``score_bits`` is log2 of what bet-inference gives the truth against the cards-only pdd (0
    is no better than knowing nothing, -inf ruled it out); ``rank`` its place among ``live``
    (in the middle of those that are as likely).
    """

    downcards: tuple[Card, ...]
    probability: float
    score_bits: float
    rank: float
    live: int


@dataclass(frozen=True)
class SeatRead:
    """What is believed of a seat at a stage. Arrays as in ``observer.Belief``.

    ``pdd`` is what bet-inference makes of its downcards, ``guess`` what the cards alone leave
    (every live holding equally likely), ``first_two`` the pdd over pairs after the deal.
    ``news_bits`` is what the stage told about its downcards: cards at a D, bets at a B.
    ``hands`` is the operator that makes the htpd, ``known_htpd`` what it has made already.
    ``holding`` are the true downcards, None where they are not known.
    """

    seat: int
    up: tuple[Card, ...]
    pdd: Floats = field(repr=False)
    guess: Floats = field(repr=False)
    first_two: Floats = field(repr=False)
    hands: Operator = field(repr=False)
    known_htpd: Floats | None = field(repr=False)
    news_bits: float
    holding: tuple[Card, ...] | None

    @cached_property
    def htpd(self) -> Floats:
        """The probability of each class (4824,); of those who fold it is seldom wanted."""
        return self.hands.htpd(self.pdd) if self.known_htpd is None else self.known_htpd

    @cached_property
    def guess_htpd(self) -> Floats:
        """The htpd (4824,) of the cards-only observer."""
        return self.hands.htpd(self.guess)

    @cached_property
    def pairs(self) -> Floats:
        """The pdd over the first two downcards (1326,); on 7th street a marginal of ``pdd``."""
        pairs = self.hands.pair_marginal(self.first_two, self.pdd)
        if pairs.sum() > 1.0 - 1e-9:
            return pairs
        # The read started again with holdings that ``first_two`` had ruled out.
        return self.hands.pair_marginal(np.ones(pairs.size), self.pdd)

    @cached_property
    def truth(self) -> Truth | None:
        """How the read stands to the true downcards."""
        if self.holding is None:
            return None
        index = holding_index(self.holding)
        probability = float(self.pdd[index])
        _, _, possible, better, equal = self._figures
        return Truth(
            downcards=self.holding,
            probability=probability,
            score_bits=score_bits(probability, float(self.guess[index])),
            rank=better + (equal + 1) / 2,
            live=possible,
        )

    @property
    def live(self) -> int:
        """How many holdings the read leaves a chance."""
        return self._figures[1]

    @property
    def possible(self) -> int:
        """How many holdings the cards on view leave."""
        return self._figures[2]

    @property
    def entropy_bits(self) -> float:
        """The entropy of the pdd."""
        return max(0.0, self._figures[0])

    @cached_property
    def _figures(self) -> tuple[float, int, int, int, int]:
        """What ``read_figures`` finds in one pass."""
        index = -1 if self.holding is None else holding_index(self.holding)
        found: tuple[float, int, int, int, int] = read_figures(self.pdd, self.guess, index)
        return found

    def categories(self) -> list[float]:
        """The probability of each of the nine hand categories, worst to best."""
        return [float(p) for p in by_category(self.htpd)]

    def kinds(self, top: int) -> list[tuple[str, float]]:
        """The likeliest kinds of holding, in words, with their probability."""
        return likely_kinds(self.pdd, self.htpd, self.up, top)

    def top(self, top: int) -> list[tuple[tuple[Card, ...], float]]:
        """The likeliest holdings, pairs or triples, with their probability."""
        return likeliest(self.pdd, top)

    def top_pairs(self, top: int) -> list[tuple[tuple[Card, ...], float]]:
        """The likeliest first two downcards, with their probability."""
        return likeliest(self.pairs, top)


def likeliest(pdd: Floats, top: int) -> list[tuple[tuple[Card, ...], float]]:
    """The likeliest holdings of a pdd; the higher cards first, and of equals too."""
    table = holding_cards(pdd.size)
    order = np.lexsort((-np.arange(pdd.size), -pdd))[:top]
    return [(tuple(table[i, ::-1].tolist()), float(pdd[i])) for i in order if pdd[i] > 0]


@dataclass(frozen=True, slots=True)
class StageReading:
    """The table at one of the ten information stages, 3D to 7B. Amounts in minor units.

    Chances to win sum to 1 over ``active``. ``omniscience`` says what the reference rests on:
    "full" (all dealt downcards are known), "partial" (some; the rest at their public pdd) or
    "none". ``kl_bits`` is D(reference || read) for cards-only and bet-inference; infinite where
    a read gave nothing to what the reference finds possible. ``folded`` holds, at a B, the last
    reads of those who folded on the street. After the last betting one seat alone may be active.
    """

    stage: str
    pot: int
    active: tuple[int, ...]
    cards_only: Mapping[int, float]
    bet_inference: Mapping[int, float]
    omniscient: Mapping[int, float] | None
    omniscience: str
    seats: Mapping[int, SeatRead]
    folded: Mapping[int, SeatRead]

    @property
    def entropy_bits(self) -> float | None:
        """The entropy of the outcome under the reference (equation 6); None without one."""
        if self.omniscient is None:
            return None
        return entropy_bits(np.array(list(self.omniscient.values())))

    @property
    def kl_bits(self) -> tuple[float, float] | None:
        """K-L (equation 7) of cards-only and of bet-inference against the reference."""
        if self.omniscient is None:
            return None
        p = np.array([self.omniscient[seat] for seat in self.active])
        reads = (self.cards_only, self.bet_inference)
        cards_only, bet_inference = (
            divergence_bits(p, np.array([read[seat] for seat in self.active])) for read in reads
        )
        return cards_only, bet_inference


@dataclass(frozen=True, slots=True)
class ActionReading:
    """What one action told, from the viewpoint.

    ``p_win`` is the actor's chance to win before it, as it looks by what the actor knows of the
    others (equation 1, before normalising), ``own_p_win`` the same with the true downcards, which
    is what the actor sees; None when they are not known.
    ``evidence`` is its probability before it was seen, ``information_bits`` what it told about
    the actor's downcards, ``truth_bits`` how far it moved the read of the true ones (None when
    they are not known). ``table_bits`` and ``table_truth_bits`` are the same for the table, which
    sees no downcard: what the actor gave away, whoever looks.
    """

    decision: Decision
    p_win: float
    own_p_win: float | None
    evidence: float
    surprise_bits: float
    information_bits: float
    truth_bits: float | None
    table_bits: float
    table_truth_bits: float | None

    @property
    def explained(self) -> bool:
        """Whether some holding of the policy plays so, as far as the viewpoint knows."""
        return self.evidence > 0.0


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """A hand, its replay, and everything that was read from it.

    ``problems`` lists what is wrong with the record, and findings such as an action that no
    hand of the policy takes. ``complete`` is False when the record could not be read to its end.
    ``members`` (members,) are, of each seat that has acted and may follow any policy of a panel,
    the probabilities of these policies after its last action.
    """

    replay: Replay
    players: Lineup
    ties: str
    viewpoint: str
    stages: tuple[StageReading, ...]
    actions: tuple[ActionReading, ...]
    problems: tuple[Problem, ...]
    complete: bool
    members: Mapping[int, Floats] = field(default_factory=dict)

    @property
    def surprise_bits(self) -> float:
        """The surprise of all actions together: -log2 of the probability of the whole line."""
        return sum(action.surprise_bits for action in self.actions)

    @property
    def policies(self) -> dict[int, dict[str, float]]:
        """Of each seat in ``members`` the probabilities of the panel's policies by name."""
        found = {}
        for seat, shares in sorted(self.members.items()):
            names = [policy.name for policy in members_of(self.players.of(seat).policy)]
            found[seat] = dict(zip(names, shares.tolist(), strict=True))
        return found

    def table(self) -> list[list[str]]:
        """The chances to win as rows of text: a header, then stage, pot and a cell a seat."""
        seats = [seat.number for seat in self.replay.history.seats]
        unit = self.replay.history.unit
        rows = [["stage", "pot", *(f"seat {seat}" for seat in seats)]]
        for stage in self.stages:
            chances = [stage.bet_inference.get(seat) for seat in seats]
            cells = ["" if p is None else f"{p:.1%}" for p in chances]
            rows.append([stage.stage, unit.text(stage.pot), *cells])
        return rows

    @property
    def heading(self) -> str:
        """The hand in one line of text."""
        history = self.replay.history
        surprise = f"{self.surprise_bits:.1f}" if math.isfinite(self.surprise_bits) else "infinite"
        return (
            f"hand {history.hand_id or '?'}, {len(history.seats)} seats, policy "
            f"{self.players.name}, {self.viewpoint}: chances to win; {len(self.actions)} actions, "
            f"{surprise} bits of surprise"
        )

    def __repr__(self) -> str:
        return f"<Analysis of {self.heading}>"

    def __str__(self) -> str:
        rows = self.table()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        heading = "".join(c if c.isprintable() else "?" for c in self.heading)
        return "\n".join([heading, *lines])

    def to_text(self, top: int = 4, width: int = 110) -> str:
        """Return the report of the hand as plain text, with ``top`` kinds of holding a seat."""
        return handread.plain_text(self, top, width)

    def to_html(self, top: int = 4) -> str:
        """Return the page of the hand: one self-contained HTML text, without links."""
        return handread.html_page(self, top)

    def to_dict(self, top: int = 5) -> dict[str, Any]:
        """Return the analysis as a JSON object, as ``handread analyze --json`` prints it."""
        return handread.analysis_object(self, top)

    def _repr_html_(self) -> str:
        header, *rows = self.table()
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        caption = f"<caption>{escape(self.heading)}</caption>"
        return f"<table>{caption}<tr>{cells}</tr>{body}</table>"
