"""Rows of a session's index for tests, made up rather than read."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from handread.opponents.records import SeatHand, tally_of
from handread.opponents.statistics import PLACES, STATISTICS
from handread.report.index import Highlight, IndexRow, KnownRead
from handread.study.session_values import YOU

FAMILIES = ("split pair", "pair in the hole", "high card", "three to a flush")


def row(number: int, name: str = "Lou", **changes: Any) -> IndexRow:
    """A row of a hand that you played and lost."""
    made = IndexRow(
        number=number,
        page=f"{number:04}.html",
        key=f"{number}~{number:08x}",
        title=f"Hand {name} {number}",
        date="8 May 2026, 20:31",
        source=name,
        lines="lines 1 to 9",
        game="$1.00/$2.00",
        variant="stud",
        unit="$",
        players=(f"1 {name}", "2 Ann (you)"),
        reached="7th street",
        pot=24.0,
        pot_words="$24.00",
        net=-4.5,
        net_words="-$4.50",
        net_bets=-2.25,
        in_hand="played",
        cards=("Ah Kd", "7c 9d", "2s"),
        held="ace high",
        telling=Highlight(f"{name} bets on 5th street", 4, 1.5, "1 time in 12"),
        yours=(),
        theirs=(Highlight(f"{name} bets on 5th street", 4, 1.5, "1 time in 12"),),
        reads=(),
        street_reads=(),
        plays=(),
        result=f"1 {name} wins $23.00",
        notes=0,
        refused="",
    )
    return replace(made, **changes)


def play(
    name: str = "Lou",
    plays: bool = False,
    raises: bool = False,
    later: int = 0,
    aggressive: int = 0,
    **changes: Any,
) -> SeatHand:
    """The play of somebody who folds at once, or does what is told."""
    counts = np.zeros((len(STATISTICS), 2), dtype=np.int64)
    counts[PLACES["plays"]] = plays, 1
    counts[PLACES["raises"]] = raises, 1
    counts[PLACES["aggression"]] = aggressive, later
    made = SeatHand(
        seat=1,
        name=name,
        you=False,
        net_bets=-0.1,
        opening="called" if plays else "folded",
        shown="",
        bluffed=None,
        address="log.txt:1",
        tally=tally_of(counts),
    )
    return replace(made, **changes)


def read(bits: float | None, who: str = "1 Lou", **changes: Any) -> KnownRead:
    """A read that had the right family first where the upcards had another."""
    made = KnownRead(
        who=who,
        street=7,
        moment=8,
        bits=bits,
        place="ranked 4th of 946",
        first=True,
        first_by_cards=False,
    )
    return replace(made, **changes)


def session_rows(n: int, seed: int = 1) -> list[IndexRow]:
    """Rows of a session of ``n`` hands with all that a row may have."""
    rng = Random(seed)
    rows = []
    for number in range(1, n + 1):
        bits = rng.expovariate(1.0)
        net = round(rng.uniform(-20, 20), 2)
        told = Highlight(f"1 Lou raises on {rng.choice('3456')}th street", 3, bits, "1 time in 9")
        mine = Highlight("2 Ann (you) bets", 2, bits / 2, "", rng.choice(["true", "false", ""]))
        rows.append(
            row(
                number,
                game=rng.choice(["$1.00/$2.00", "$10.00/$20.00"]),
                pot=float(rng.randint(1, 90)),
                pot_words="$x",
                net=net,
                net_words=f"{net:+.2f}",
                in_hand=rng.choice(["played", "folded at once", "dealt in"]),
                telling=told,
                yours=(mine,),
                theirs=(told,),
                reads=(read(rng.gauss(1, 2)),) if rng.random() < 0.4 else (),
                plays=(
                    play(YOU, you=True, plays=rng.random() < 0.5, later=2, aggressive=1),
                    *(
                        play(
                            name,
                            plays=rng.random() < share,
                            raises=rng.random() < share / 3,
                            later=rng.randint(0, 5),
                            shown=rng.choice(FAMILIES) if rng.random() < 0.2 else "",
                        )
                        for name, share in (("Lou", 0.8), ("Nora", 0.2), ("Dan", 0.3))
                    ),
                ),
            )
        )
    return rows
