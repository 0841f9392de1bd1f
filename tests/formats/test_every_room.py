"""Every room in its own words: an invented hand each, with what is peculiar to its logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from handread.cards import cards_text
from handread.formats.log_reader import read_bytes, read_text
from handread.formats.registry import detect
from handread.game.replay import replay
from handread.game.rules import Stakes
from handread.game.wagers import plain_events
from handread.history import (
    Action,
    Ante,
    Collect,
    Deal,
    Event,
    History,
    Muck,
    Rake,
    Remark,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
    Wager,
)
from handread.inference.analysis import analyze_replay
from handread.policy import load_policy
from tests.hands import one
from tests.rooms_table import HEAD, accounts, table

WINAMAX = """\
Winamax Poker - CashGame - HandId: #40000001-7-1650000000 - 7-Card Stud fixed limit \
(0.02€/0.10€/0.20€) - 2022/04/15 19:05:44 UTC
Table: 'Brno 03' 6-max (real money)
Seat 2: Lena (4.10€)
Seat 3: Mr. calls 5 (0.52€)
Seat 5: Žofie (3€)
*** ANTE/BLINDS ***
Lena posts ante 0.02€
Mr. calls 5 posts ante 0.02€
Žofie posts ante 0.02€
*** 3rd STREET ***
Dealt to Lena [Ac Kd 8c]
Dealt to Mr. calls 5 [X X 2d]
Dealt to Žofie [X X Td]
Mr. calls 5 brings in 0.04€
Žofie folds
Lena raises 0.06€ to 0.10€
Mr. calls 5 calls 0.06€
*** 4th STREET ***
Dealt to Mr. calls 5 [X X 2d] [3h]
Dealt to Lena [Ac Kd 8c] [8d]
Lena bets 0.10€
Mr. calls 5 calls 0.10€
*** 5th STREET ***
Dealt to Lena [Ac Kd 8c 8d] [3s]
Dealt to Mr. calls 5 [X X 2d 3h] [4s]
Lena bets 0.20€
Mr. calls 5 calls 0.20€
*** 6th STREET ***
Dealt to Mr. calls 5 [X X 2d 3h 4s] [9s]
Dealt to Lena [Ac Kd 8c 8d 3s] [5s]
Lena bets 0.20€
Mr. calls 5 calls 0.10€
*** 7th STREET ***
Dealt to Lena [Ac Kd 8c 8d 3s 5s] [Jh]
Dealt to Mr. calls 5 [X X 2d 3h 4s 9s] [X]
*** SHOW DOWN ***
Lena shows [Ac Kd 8c 8d 3s 5s Jh] (One pair : 8)
Mr. calls 5 shows [Qd Jc 2d 3h 4s 9s 6c] (High card : Q)
Lena collected 1.11€ from pot
*** SUMMARY ***
Total pot 1.11€ | Rake 0.05€
Seat 2: Lena showed [Ac Kd 8c 8d 3s 5s Jh] and won 1.11€ with One pair : 8
Seat 3: Mr. calls 5 showed [Qd Jc 2d 3h 4s 9s 6c] and lost with High card : Q
"""

EXPORT = """\
Winamax Poker - CashGame - HandId: #40000002-3-1480000000 - 7stud (2€/10€/20€) - \
2016/11/20 19:05:44 UTC
Table: 'Brno' 6-max (real money)
Seat 2: Lena (400€)
Seat 5: Žofie (300€)
*** ANTE/BLINDS ***
Lena posts ante 2€
Žofie posts ante 2€
*** THIRD ***~
Žofie bring-in 4€
Lena raises 6€ to 10€
Žofie calls 6€
*** FOURTH ***~
Lena checks
Žofie checks
*** FIFTH ***~
Lena bets 20€
Žofie folds
Lena collected 44€ from pot
*** SUMMARY ***
Total pot 44€ | No rake
Seat 2: Lena won 44€
""".replace("~", " ")

WINNING = """\
Hand #81000001 - 7Stud(Fixed Limit) - $0.04/$0.08 - 2019/08/02 21:40:03 UTC
Larch 8-max
Seat 1: Lena ($2.10)
Seat 4: Mr. calls 5 ($0.13)
Seat 6: Žofie ($1.55)
Seat 7: Rolf ($3)
Lena posts ante $0.01
Mr. calls 5 posts ante $0.01
Žofie posts ante $0.01
Rolf posts ante $0.01
*** 3rd STREET ***
Main pot $0.04 | Rake $0.00
Dealt to Lena [As 2s Qs]
Dealt to Mr. calls 5 [7d]
Dealt to Žofie [3c]
Dealt to Rolf [Kh]
Žofie brings in $0.02
Rolf folds
Lena raises $0.04 to $0.04
Mr. calls 5 calls $0.04
Žofie raises $0.06 to $0.08
Lena calls $0.04
Mr. calls 5 calls $0.04
*** 4th STREET ***
Main pot $0.27 | Rake $0.01
Dealt to Lena [As 2s Qs] [6h]
Dealt to Mr. calls 5 [7d] [7h]
Dealt to Žofie [3c] [3h]
Mr. calls 5 bets $0.04 and is all-in
Žofie calls $0.04
Lena raises $0.08 to $0.08
Žofie calls $0.04
*** 5th STREET ***
Main pot $0.39 | Rake $0.01
Side pot(1) $0.08 | Rake $0.00
Dealt to Lena [As 2s Qs 6h] [Qd]
Dealt to Mr. calls 5 [7d 7h] [2c]
Dealt to Žofie [3c 3h] [9d]
Lena bets $0.08
Žofie calls $0.08
*** 6th STREET ***
Dealt to Lena [As 2s Qs 6h Qd] [Jc]
Dealt to Mr. calls 5 [7d 7h 2c] [9s]
Dealt to Žofie [3c 3h 9d] [9h]
Žofie bets $0.08
Lena raises $0.16 to $0.16
Žofie calls $0.08
*** 7th STREET ***
Dealt to Lena [As 2s Qs 6h Qd Jc] [Qc]
Žofie checks
Lena bets $0.08
Žofie folds
Uncalled bet ($0.08) returned to Lena
*** SHOW DOWN ***
Lena shows [As 2s Qs 6h Qd Jc Qc] (three of a kind, Queens [Qs Qd Qc As Jc])
Mr. calls 5 shows [7c 2d 7d 7h 2c 9s Kd] (a full house, Sevens full of Deuces [7c 7d 7h 2d 2c])
Lena collected $0.54 from side pot-1
Mr. calls 5 collected $0.38 from main pot
*** SUMMARY ***
Total pot $0.92 | Rake $0.03 | JP Fee $0.01
Seat 1: Lena showed [As 2s Qs 6h Qd Jc Qc] and won $0.54 with three of a kind, Queens
Seat 4: Mr. calls 5 showed [7c 2d 7d 7h 2c 9s Kd] and won $0.38 with a full house, Sevens full
Seat 6: Žofie folded on the 7th Street
Seat 7: Rolf folded on the 3rd Street and did not bet
"""

WINNING_OLD = """\
Game started at: 2016/9/5 20:41:9
Game ID: 610000001 1/2 (PRR) Larch (Seven Cards Stud)
Seat 1: Lena (40).
Seat 6: Mr. calls 5 (12.15).
Player Lena ante (0.15)
Player Mr. calls 5 ante (0.15)
Player Lena received card: [10d]
Player Lena received card: [5s]
Player Mr. calls 5 received a card.
Player Mr. calls 5 received a card.
Player Lena received card: [10c]
Player Mr. calls 5 received card: [8d]
Player Mr. calls 5 bring in (0.40)
Player Lena raises (1)
Player Mr. calls 5 raises (1.60)
Player Lena calls (1)
*** Third street ***
Player Lena received card: [9h]
Player Mr. calls 5 received card: [Qd]
Player Mr. calls 5 bets (1)
Player Lena calls (1)
*** Fourth street ***
Player Lena received card: [9d]
Player Mr. calls 5 received card: [As]
Player Lena checks
Player Mr. calls 5 bets (2)
Player Lena calls (2)
*** Fifth street ***
Player Lena received card: [10h]
Player Mr. calls 5 received card: [4h]
Player Lena checks
Player Mr. calls 5 checks
*** Sixth street ***
Player Lena received card: [2c]
Player Mr. calls 5 received a card.
Player Lena bets (2)
Player Mr. calls 5 folds
Uncalled bet (2) returned to Lena
Player Lena mucks cards
------ Summary ------
Pot: 10.12. Rake 0.14. JP fee 0.04
*Player Lena mucks (does not show cards). Bets: 5.15. Collects: 10.12. Wins: 4.97.
Player Mr. calls 5 does not show cards.Bets: 5.15. Collects: 0. Loses: 5.15.
Game ended at: 2016/9/5 20:41:59
"""

EVERLEAF = """\
Everleaf Gaming Game #210000001
***** Hand history for game #210000001 *****
€0.05/€0.10 7 Card Stud - 2011/08/19 - 19:05:44
Table Larch 20
Total number of players: 3
Seat 3: Lena (  € 2.50 EURO )
Seat 4: Mr. calls 5 (  € 2.35 EURO )
Seat 8: Žofie (  € 0.40 EURO )
Lena: posts ante [€ 0.01 EURO]
Mr. calls 5: posts ante [€ 0.01 EURO]
Žofie: posts ante [€ 0.01 EURO]
** Dealing down cards **
Dealt to Lena [ 5d, Qs, 7s ].
Dealt to Mr. calls 5 [ 3h ].
Dealt to Žofie [ Kc ].
Mr. calls 5 posts bring-in €0.02.
Žofie completes to €0.05.
Lena: raises [€ 0.10 EURO]
Mr. calls 5 folds
Žofie calls [€ 0.05 EURO]
** Dealing 4th Street **
Dealt to Lena [ Th ].
Dealt to Žofie [ Kd ].
Žofie: bets [€ 0.10 EURO]
Lena calls [€ 0.10 EURO]
** Dealing 5th Street **
Dealt to Lena [ Qd ].
Dealt to Žofie [ 4d ].
Žofie: bets [€ 0.10 EURO]
Lena calls [€ 0.10 EURO]
** Dealing 6th Street **
Dealt to Lena [ Qh ].
Dealt to Žofie [ 9s ].
Žofie checks
Lena checks
** Dealing River **
Dealt to Lena [ 2c ].
Žofie checks
Lena: bets [€ 0.10 EURO]
Žofie calls [€ 0.09 EURO]
Žofie shows [ 8h, Kc, Kd, 4d, 9s, 8s, 3c ] two pair, kings and eights
Lena shows [ 5d, Qs, 7s, Th, Qd, Qh, 2c ] three of a kind, queens
Lena wins € 0.79 EURO from main pot with three of a kind, queens [ Qs, Qd, Qh, Th, 7s ]
"""

EVERLEAF_JULY = """\
Everleaf Gaming Game #200000001
***** Hand history for game #200000001 *****
$0.05/$0.10 7 Card Stud - 2011/07/03 - 19:05:44
Table Larch 20
Total number of players: 2
Seat 1: Lena (  $ 0.54 USD )
Seat 2: Mr. calls 5 (  $ 1.15 USD )
Lena: posts ante [$ 0.01 USD]
Mr. calls 5: posts ante [$ 0.01 USD]
** Dealing down cards **
Lena posts bring-in $0.02.
Mr. calls 5 calls [$ 0.02 USD]
**** dealing 4th street ****
Mr. calls 5 checks
Lena: bets [$ 0.05 USD]
Mr. calls 5 folds
Lena does not show cards
Lena wins $ 0.06 USD from main pot
"""

ONGAME = """\
***** History for hand R5-81000001-12 *****
Start hand: Wed Oct 13 21:31:30 GMT+0100 2010
Table: Larch [81000001] (LIMIT SEVEN_CARD_STUD $0.10/$0.20, ante: $0.02, Real money)
User: Lena
Button: seat 1
Players in round: 3 (8)
Seat 1: the bAAr ($6.53)
Seat 4: Lena ($2)
Seat 10: E6y, Ko (y) ($0.52)
the bAAr posts ante $0.02
Lena posts ante $0.02
E6y, Ko (y) posts ante $0.02
---
Dealing pocket cards
Dealing to the bAAr: [-, -, Kh]
Dealing to Lena: [Ks, 3c, Qd]
Dealing to E6y, Ko (y): [-, -, 4h]
E6y, Ko (y) small bring in $0.05
the bAAr bets $0.10
Lena calls $0.10
E6y, Ko (y) calls $0.05
---
Dealing 4th street
Dealing to the bAAr: [Jd]
Dealing to Lena: [3d]
Dealing to E6y, Ko (y): [4d]
E6y, Ko (y) checks
the bAAr bets $0.10
Lena calls $0.10
E6y, Ko (y) raises $0.20 to $0.30
the bAAr calls $0.10
Lena calls $0.10
---
Dealing 5th street
Dealing to the bAAr: [Td]
Dealing to Lena: [Tc]
Dealing to E6y, Ko (y): [8h]
E6y, Ko (y) bets $0.20
the bAAr raises $0.40 to $0.70
Lena calls $0.40
---
Dealing 6th street
Dealing to the bAAr: [9c]
Dealing to Lena: [9h]
Dealing to E6y, Ko (y): [2s]
the bAAr checks
Lena checks
---
Dealing river
Dealing to Lena: [Jh]
the bAAr checks
Lena bets $0.20
the bAAr calls $0.20
---
Summary:
Main pot: $1.56 won by the bAAr ($0.74), Lena ($0.74)
Side pot 1: $0.80 won by the bAAr ($0.38), Lena ($0.38)
Rake taken: $0.12
Seat 1: the bAAr ($6.73), net: +$0.20, [Qs, 2d, Kh, Jd, Td, 9c, 5c] (STRAIGHT KING)
Seat 4: Lena ($2.20), net: +$0.20, [Ks, 3c, Qd, 3d, Tc, 9h, Jh] (STRAIGHT KING)
Seat 10: E6y, Ko (y) ($0), net: -$0.52, [4s, 7d, 4h, 4d, 8h, 2s, 3s] (THREE_OF_A_KIND FOUR)
***** End of hand R5-81000001-12 *****
"""

PARTY = """\
 Game #9100000001 starts.

#Game No : 9100000001~
***** Hand History for Game 9100000001 *****
$0.50/$1 USD 7 Card Stud - Monday, May 2, 19:05:44 EDT 2011
Table Table  130002 (Real Money)
Seat 0 is the button
Total number of players : 4/8~
Seat 7: Rolf ( $31.15 USD )
Seat 3: Lena ( $4.80 USD )
Seat 2: Mr. calls 5 ( $10.80 USD )
Seat 8: Žofie ( $20.85 USD )
Lena posts ante [$0.05 USD]
Mr. calls 5 posts ante [$0.05 USD]
Žofie posts ante [$0.05 USD]
** Dealing **
Dealt to Lena [  3h 8c 7c ]
Lena opens
Lena bring-ins [$0.25 USD]
Žofie completes [$0.50 USD]
Mr. calls 5 raises [$1 USD]
Lena calls [$0.75 USD]
Žofie: nice raise
Žofie calls [$0.50 USD]
** Dealing Fourth street **
Dealt to Lena [  8d ]
Žofie opens
Žofie double bets [$1 USD]
Mr. calls 5 folds
Lena calls [$1 USD]
** Dealing Fifth street **
Dealt to Lena [  7h ]
Žofie opens
Žofie checks
Lena bets [$1 USD]
Žofie raises [$2 USD]
Lena raises [$1.75 USD]
Žofie calls [$0.75 USD]
** Dealing Sixth street **
Dealt to Lena [  Qh ]
** Dealing River **
Dealt to Lena [  Qs ]
Lena shows [ 3h, 8c, 7c, 8d, 7h, Qh, Qs ]two pairs, Queens and Eights.
Žofie doesn't show [ 5h, 9d, 9c, 9h, 2h, Kc, Js ]three Nines.
Žofie wins $10.15 USD from the main pot with three Nines.
""".replace("~", " ")

KINGS = """\
#31000001: Limit Seven Card Stud - 44/88
2020-11-03 19:05:44
Table 'Larch Mix'
Seat 1: Lena (2,146.30)
Seat 3: Mr. calls 5 (210.04)
Seat 4: Žofie (2,000)
Lena: posts ante 11
Mr. calls 5: posts ante 11
Žofie: posts ante 11
Dealt to Lena: [Td Ad 4s]
Dealt to Mr. calls 5: [X X 7c]
Dealt to Žofie: [X X 2h]
Žofie brings in for 11
Lena bets 44
Mr. calls 5 raises to 88
Žofie calls 88
Lena calls 88
*** 3RD STREET ***
Dealt to Lena: [Th]
Dealt to Mr. calls 5: [Kd]
Dealt to Žofie: [2c]
Žofie bets 44
Lena calls 44
Mr. calls 5 raises to 88
Žofie calls 88
Lena calls 88
*** 4TH STREET ***
Dealt to Lena: [Tc]
Dealt to Mr. calls 5: [3d]
Dealt to Žofie: [9d]
Lena bets 88
Mr. calls 5 calls 23.04, and is all in
Žofie calls 88
*** 5TH STREET ***
Dealt to Lena: [5h]
Dealt to Mr. calls 5: [7s]
Dealt to Žofie: [9h]
Žofie checks
Lena bets 88
Žofie folds
Mr. calls 5 shows [7h 7d 7c Kd 3d 7s]
Lena shows [Td Ad 4s Th Tc 5h]
*** 6TH STREET ***
Dealt to Lena: [X]
Dealt to Mr. calls 5: [X]
*** SUMMARY ***
Seat 1: Lena (1,999.22) -147.08
Seat 3: Mr. calls 5 (627.12) +417.08
Seat 4: Žofie (1,725) -275
Rake 5
Mr. calls 5 wins pot (627.12)
"""

ABSOLUTE = """\
Stage #1100000001: Seven Card Stud Normal $0.02/$0.04 - 2009-04-08 19:05:44 (ET)
Table: LARCH ST (Real Money)
Seat 1 - LENA ($0.17 in chips)
Seat 5 - PLAYER - 5 ($1.17 in chips)
Seat 6 - ROLF ($1 in chips)
LENA - Ante $0.01
PLAYER - 5 - Ante $0.01
ROLF - sitout
*** 3rd STREET ***
LENA - Pocket [10c 5c 7s]
PLAYER - 5 - Pocket [H H Js]
LENA - Bring-In $0.01
PLAYER - 5 - Completes $0.02
LENA - Raises $0.03 to $0.04
PLAYER - 5 - Calls $0.02
*** 4TH STREET ***
LENA - Pocket [10c 5c 7s 10d]
PLAYER - 5 - Pocket [H H Js Jd]
PLAYER - 5 - Bets $0.04
LENA - Calls $0.04
*** 5TH STREET ***
LENA - Pocket [10c 5c 7s 10d 10h]
PLAYER - 5 - Pocket [H H Js Jd 2d]
PLAYER - 5 - Checks
LENA - Bets $0.04
PLAYER - 5 - Raises $0.08 to $0.08
LENA - All-In $0.04
*** 6TH STREET ***
LENA - Pocket [10c 5c 7s 10d 10h 9s]
PLAYER - 5 - Pocket [H H Js Jd 2d Kc]
*** RIVER ***
LENA - Pocket [10c 5c 7s 10d 10h 9s 9d]
PLAYER - 5 - Pocket [H H Js Jd 2d Kc H]
*** SHOW DOWN ***
PLAYER - 5 - Shows [5s 8d Js Jd 2d Kc Ks] (Two pairs, kings and jacks)
LENA - Shows [10c 5c 7s 10d 10h 9s 9d] (Full house, tens full of nines)
LENA Collects $0.31 from main pot
*** SUMMARY ***
Total Pot($0.34) | Rake ($0.03)
Seat 1: LENA won Total ($0.31) HI:($0.31) with Full house [10c 5c 7s 10d 10h 9s 9d]
Seat 5: PLAYER - 5 HI:lost with Two pairs [5s 8d Js Jd 2d Kc Ks]
"""


def step(event: Event) -> str:
    """An event in a word: the seat, what it does, the amount; ``!`` is all-in."""
    said = _step(event)
    return said + "!" * getattr(event, "all_in", False) + "+" * getattr(event, "double", False)


def _step(event: Event) -> str:
    match event:
        case StreetStart(street):
            return f"{street}:"
        case Deal(seat, down, up):
            return f"{seat}={cards_text(down, '')}/{cards_text(up, '')}"
        case SharedCard(card):
            return f"*{cards_text([card])}"
        case Show(seat, shown):
            return f"{seat}shows{cards_text(shown, '')}"
        case Muck(seat, shown):
            return f"{seat}mucks{cards_text(shown, '')}"
        case Collect(seat, amount):
            return f"{seat}won{amount}"
        case TotalPot(amount):
            return f"pot{amount}"
        case Rake(amount):
            return f"rake{amount}"
        case Wager(seat, action):
            return f"{seat}{WORDS[action]}{event.to or event.adds or ''}"
    words: dict[type[Event], str] = {Ante: "a", Uncalled: "back"}
    if type(event) not in words:
        return ""
    chips = getattr(event, "amount", "")
    return f"{getattr(event, 'seat', '')}{words[type(event)]}{chips}"


WORDS = {
    Action.BRING_IN: "i",
    Action.CHECK: "k",
    Action.FOLD: "f",
    Action.BET: "b",
    Action.CALL: "c",
    Action.RAISE: "r",
}


def steps(hand: History) -> Iterator[str]:
    return filter(None, map(step, plain_events(hand.events)))


def unlisted(hand: History) -> list[str]:
    """What is won by net results alone."""
    told = {event.seat: event.amount for event in hand.events if isinstance(event, Collect)}
    won = replay(hand).won if hand.nets else {}
    rest = {seat: amount - told.get(seat, 0) for seat, amount in won.items()}
    return [f"{seat}won{amount}" for seat, amount in rest.items() if amount]


@dataclass(frozen=True)
class Case:
    """An invented hand and what is to be read of it, amounts in minor units."""

    text: str
    dialect: str
    hand_id: str
    steps: str
    stakes: Stakes
    hero: int | None
    downcards: Mapping[int, str]
    won: Mapping[int, int]
    rake: int
    stacks: Mapping[int, int]


CASES = [
    Case(
        WINAMAX,
        "winamax",
        "40000001-7-1650000000",
        """
        2a2 3a2 5a2
        3: 2=AcKd/8c 3=????/2d 5=????/Td 3i4 5f 2r10 3c6
        4: 3=/3h 2=/8d 2b10 3c10
        5: 2=/3s 3=/4s 2b20 3c20
        6: 3=/9s 2=/5s 2b20 3c10
        7: 2=Jh/ 3=??/ 2showsAcKd8c8d3s5sJh 3showsQdJc2d3h4s9s6c 2won111 pot111 rake5
        """,
        Stakes(2, 4, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True),
        hero=2,
        downcards={2: "Ac Kd Jh", 3: "Qd Jc 6c"},
        won={2: 101},
        rake=5,
        stacks={2: 459, 3: 0, 5: 298},
    ),
    Case(
        EXPORT,
        "winamax",
        "40000002-3-1480000000",
        """
        2a200 5a200
        3: 5i400 2r1000 5c600
        4: 2k 5k
        5: 2b2000 5f 2won4400 pot4400 rake0
        """,
        Stakes(200, 400, (1000, 1000, 2000, 2000, 2000), 4, None, open_pair_doubles=True),
        hero=None,
        downcards={},
        won={2: 2400},
        rake=0,
        stacks={2: 41200, 5: 28800},
    ),
    Case(
        WINNING,
        "winning",
        "81000001",
        """
        1a1 4a1 6a1 7a1
        3: 1=As2s/Qs 4=????/7d 6=????/3c 7=????/Kh 6i2 7f 1r4 4c4 6r8 1c4 4c4
        4: 1=/6h 4=/7h 6=/3h 4b4! 6c4 1r8 6c4
        5: 1=/Qd 4=/2c 6=/9d 1b8 6c8
        6: 1=/Jc 4=/9s 6=/9h 6b8 1r16 6c8
        7: 1=Qc/ 6k 1b8 6f 1back8 1showsAs2sQs6hQdJcQc 4shows7c2d7d7h2c9sKd 1won54
           4won38 pot92 rake4
        """,
        Stakes(1, 2, (4, 4, 8, 8, 8), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "As 2s Qc", 4: "7c 2d Kd"},
        won={1: 54, 4: 38},
        rake=4,
        stacks={1: 223, 4: 38, 6: 114, 7: 299},
    ),
    Case(
        WINNING_OLD,
        "winning-old",
        "610000001",
        """
        1a15 6a15
        3: 1=Td5s/Tc 6=????/8d 6i40 1r100 6r200 1c100
        4: 1=/9h 6=/Qd 6b100 1c100
        5: 1=/9d 6=/As 1k 6b200 1c200
        6: 1=/Th 6=/4h 1k 6k
        7: 1=2c/ 6=??/ 1b200 6f 1back200 1mucks pot1012 rake18 1won1012
        """,
        Stakes(15, 40, (100, 100, 200, 200, 200), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "Td 5s 2c"},
        won={1: 1012},
        rake=18,
        stacks={1: 4497, 6: 700},
    ),
    Case(
        EVERLEAF,
        "everleaf",
        "210000001",
        """
        3a1 4a1 8a1
        3: 3=5dQs/7s 4=????/3h 8=????/Kc 4i2 8r5 3r10 4f 8c5
        4: 3=/Th 8=/Kd 8b10 3c10
        5: 3=/Qd 8=/4d 8b10 3c10
        6: 3=/Qh 8=/9s 8k 3k
        7: 3=2c/ 8k 3b10 8c9 8shows8hKcKd4d9s8s3c 3shows5dQs7sThQdQh2c 3won79
        """,
        Stakes(1, 2, (5, 5, 10, 10, 10), 4, None, open_pair_doubles=True),
        hero=3,
        downcards={3: "5d Qs 2c"},  # of seat 8 it is not told which card came last
        won={3: 79},
        rake=4,
        stacks={3: 289, 4: 232, 8: 0},
    ),
    Case(
        EVERLEAF_JULY,
        "everleaf",
        "200000001",
        """
        1a1 2a1
        3: 1i2 2c2
        4: 2k 1b5 2f 1mucks 1won6
        """,
        Stakes(1, 2, (5, 5, 10, 10, 10), 4, None, open_pair_doubles=True),
        hero=None,
        downcards={},
        won={1: 6},
        rake=0,
        stacks={1: 57, 2: 112},
    ),
    Case(
        ONGAME,
        "ongame",
        "R5-81000001-12",
        """
        1a2 4a2 10a2
        3: 1=????/Kh 4=Ks3c/Qd 10=????/4h 10i5 1b10 4c10 10c5
        4: 1=/Jd 4=/3d 10=/4d 10k 1b10 4c10 10r20 1c10 4c10
        5: 1=/Td 4=/Tc 10=/8h 10b20 1r40 4c40
        6: 1=/9c 4=/9h 10=/2s 1k 4k
        7: 4=Jh/ 1k 4b20 1c20 1won74 4won74 1won38 4won38 rake12 1showsQs2dKhJdTd9c5c
           10shows4s7d4h4d8h2s3s pot236
        """,
        Stakes(2, 5, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True),
        hero=4,
        downcards={1: "Qs 2d 5c", 4: "Ks 3c Jh", 10: "4s 7d 3s"},
        won={1: 112, 4: 112},
        rake=12,
        stacks={1: 673, 4: 220, 10: 0},
    ),
    Case(
        PARTY,
        "partypoker",
        "9100000001",
        """
        3a5 2a5 8a5
        3: 3=3h8c/7c 3i25 8r50 2r100 3c75 8c50
        4: 3=/8d 8b100+ 2f 3c100
        5: 3=/7h 8k 3b100 8r200 3r275 8c75
        6: 3=/Qh
        7: 3=Qs/ 3shows3h8c7c8d7hQhQs 8mucks5h9d9c9h2hKcJs 8won1015
        """,
        Stakes(5, 25, (50, 50, 100, 100, 100), 4, None, open_pair_doubles=True),
        hero=3,
        downcards={3: "3h 8c Qs", 8: "5h 9d Js"},
        won={8: 1015},
        rake=50,
        stacks={2: 975, 3: 0, 7: 3115, 8: 2620},
    ),
    Case(
        KINGS,
        "kingsclub",
        "31000001",
        """
        1a1100 3a1100 4a1100
        3: 1=TdAd/4s 3=????/7c 4=????/2h 4i1100 1b4400 3r8800 4c7700 1c4400
        4: 1=/Th 3=/Kd 4=/2c 4b4400 1c4400 3r8800 4c4400 1c4400
        5: 1=/Tc 3=/3d 4=/9d 1b8800 3c2304! 4c8800
        6: 1=/5h 3=/7s 4=/9h 4k 1b8800 4f 3shows7h7d7cKd3d7s 1showsTdAd4sThTc5h
        7: 1=??/ 3=??/ rake500 3won62712 1won12792
        """,
        Stakes(1100, 1100, (4400, 4400, 8800, 8800, 8800), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "Td Ad", 3: "7h 7d"},
        won={3: 62712, 1: 12792},
        rake=500,
        stacks={1: 199922, 3: 62712, 4: 172500},
    ),
    Case(
        ABSOLUTE,
        "absolute",
        "1100000001",
        """
        1a1 5a1
        3: 1=Tc5c/7s 5=????/Js 1i1 5b2 1r4 5c2
        4: 1=/Td 5=/Jd 5b4 1c4
        5: 1=/Th 5=/2d 5k 1b4 5r8 1c4!
        6: 1=/9s 5=/Kc
        7: 1=9d/ 5=??/ 5shows5s8dJsJd2dKcKs 1showsTc5c7sTdTh9s9d 1won31 pot34 rake3
        """,
        Stakes(1, 1, (2, 2, 4, 4, 4), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "Tc 5c 9d", 5: "5s 8d Ks"},
        won={1: 31},
        rake=3,
        stacks={1: 31, 5: 100, 6: 100},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.dialect} {case.hand_id}")
def test_a_hand_in_the_words_of_its_room(case: Case) -> None:
    hand = one(case.text)
    assert hand.problems == ()
    assert (hand.source.dialect, hand.hand_id, hand.variant) == (case.dialect, case.hand_id, "stud")
    assert [*steps(hand), *unlisted(hand)] == case.steps.split()
    assert [e for e in hand.events if isinstance(e, Remark) and not e.known] == []
    assert (hand.stakes, hand.hero) == (case.stakes, case.hero)
    played = replay(hand)
    assert played.problem is None
    assert played.finished
    downcards = {seat: cards_text(cards) for seat, cards in played.downcards.items()}
    assert downcards == case.downcards
    assert (played.won, played.rake, played.stacks) == (case.won, case.rake, case.stacks)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.dialect} {case.hand_id}")
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_room_is_known_in_any_encoding_and_with_any_line_ends(case: Case, encoding: str) -> None:
    dialect = detect(case.text)
    assert dialect is not None
    assert dialect.name == case.dialect
    for end in ("\n", "\r\n", "\r"):
        (hand,) = read_bytes(case.text.replace("\n", end).encode(encoding), "hands.txt")
        assert hand == one(case.text)


def test_signs_of_windows_1252_are_read_too() -> None:
    text = EVERLEAF.replace("Ž", "Z")
    (hand,) = read_bytes(text.encode("cp1252"), "hands.txt")
    assert hand == one(text)


@pytest.mark.parametrize("head", [PARTY, PARTY[25:], PARTY.partition("\n*")[2].join(["*", ""])])
def test_the_first_lines_of_partypoker_may_be_missing(head: str) -> None:
    readings = list(read_text(head + "\n\n" + PARTY + head, "hands.txt"))
    assert [r.hand_id if isinstance(r, History) else r for r in readings] == ["9100000001"] * 3
    assert all(isinstance(r, History) and r.problems == () for r in readings)


@pytest.mark.parametrize("text", [EXPORT, EVERLEAF_JULY, PARTY])
def test_a_log_without_upcards_is_said_to_lack_them(text: str) -> None:
    read = analyze_replay(replay(one(text)), load_policy("loose"))
    assert read.stages == ()
    assert not read.complete
    (problem,) = read.problems
    assert "the log does not list the upcards of seat" in problem.message
    assert "the hand can be played through, but not read" in problem.message


def test_labels_of_kingsclub_are_of_no_account() -> None:
    begun = KINGS.replace("Dealt to Lena: [Td", "*** 3RD STREET ***\nDealt to Lena: [Td")
    for late, early in (("6TH", "7TH"), ("5TH", "6TH"), ("4TH", "5TH"), ("*** 3RD", "*** 4TH")):
        begun = early.join(begun.rsplit(late, 1))
    assert "*** 7TH STREET ***\nDealt to Lena: [X]" in begun
    assert list(steps(one(begun))) == list(steps(one(KINGS)))


def test_what_a_raise_of_winamax_is_by_says_nothing() -> None:
    odd = WINAMAX.replace("raises 0.06€ to", "raises -0.04€ to")
    assert one(odd).events == one(WINAMAX).events


def test_a_raise_by_less_than_nothing_may_leave_out_the_bring_in() -> None:
    first = "Lena raises 6€ to 10€\nŽofie calls 6€\n"
    assert first in EXPORT
    again = "Lena raises 10€ to 10€\nŽofie raises -4€ to 16€\nLena calls 10€\n"
    cut = EXPORT.replace(first, again).replace("44€", "64€")
    played = replay(one(cut))
    assert played.problem is None
    assert [d.to for d in played.decisions[:2]] == [1000, 2000]


def test_the_table_tells_what_became_of_the_hands(tmp_path: Path) -> None:
    hi_lo = WINAMAX.replace("Stud fixed", "Stud Hi/Lo fixed")
    cut = WINAMAX.replace("collected 1.11€", "collected 2.11€")
    (tmp_path / "w.txt").write_text(WINAMAX + EXPORT + hi_lo + cut, encoding="utf-8")
    (tmp_path / "p.txt").write_text(PARTY, encoding="utf-8")
    (tmp_path / "x.txt").write_text("nothing", encoding="utf-8")
    found = accounts(sorted(tmp_path.iterdir()))
    lacks = "not analysed: the log does not list the upcards; the hand can be played through"
    figures = {room: (len(a.files), a.hands, a.stud, a.accepted) for room, a in found.items()}
    assert figures == {"PartyPoker": (1, 1, 1, 1), "Winamax": (1, 4, 3, 2), "none": (1, 0, 0, 0)}
    assert [found[room].analysed for room in found] == [0, 1, 0]
    reasons = [reason for room in found for reason in found[room].reasons]
    assert reasons == [
        f"{lacks}, but not read",
        f"{lacks}, but not read",
        "seven-card stud hi/lo",
        "refused: the seats collect €2.11 and the house €0.05, but the pot is €1.06",
        "not understood: this looks like no hand history that handread knows",
    ]
    first, *_, last = table(found)
    assert first.split() == " ".join(HEAD).split()
    assert last.split() == ["all", "3", "5", "4", "3", "1"]
