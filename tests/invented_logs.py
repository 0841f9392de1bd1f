"""An invented log of every format, with what is to be read of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from handread.cards import cards_text
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
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
    Wager,
)
from tests.program import SAMPLES

STARS = """\
PokerStars Hand #190000000004:  7 Card Stud Limit ($0.10/$0.20 USD) - 2011/03/09 1:17:48 CET
Table 'Alcor II' 8-max
Seat 1: Lena ($10 in chips)
Seat 3: Mr. calls 5 ($0.57 in chips)
Seat 4: 老王 ($2.40 in chips) is sitting out
Lena: posts the ante $0.02
Mr. calls 5: posts the ante $0.02
老王: posts the ante $0.02
*** 3rd STREET ***
Dealt to Lena [Ac Kd 8c]
Dealt to Mr. calls 5 [2d]
Dealt to 老王 [Td]
Mr. calls 5: brings in for $0.05
老王: folds
Lena: raises $0.05 to $0.10
Ossi joins the table at seat #7
Mr. calls 5: calls $0.05
*** 4th STREET ***
Dealt to Lena [Ac Kd 8c] [8d]
Dealt to Mr. calls 5 [2d] [2h]
Pair on board - a double bet is allowed
Lena: bets $0.20
Mr. calls 5: calls $0.20
*** 5th STREET ***
Dealt to Lena [Ac Kd 8c 8d] [3s]
Dealt to Mr. calls 5 [2d 2h] [4s]
Lena said, "Mr. calls 5: folds"
Lena: checks
Mr. calls 5: bets $0.20
Lena: calls $0.20
*** 6th STREET ***
Dealt to Lena [Ac Kd 8c 8d 3s] [5s]
Dealt to Mr. calls 5 [2d 2h 4s] [9s]
Lena: bets $0.20
Mr. calls 5: calls $0.05 and is all-in
Uncalled bet ($0.15) returned to Lena
*** RIVER *** [6h]
*** SHOW DOWN ***
Lena: shows [Ac Kd 8c 8d 3s 5s] (a pair of Eights)
Mr. calls 5: mucks hand
Lena collected $1.11 from pot
*** SUMMARY ***
Total pot $1.16 | Rake $0.05
Board [6h]
Seat 1: Lena showed [Ac Kd 8c 8d 3s 5s] and won ($1.11) with a pair of Eights
Seat 3: Mr. calls 5 mucked [Qd Jh 2d 2h 4s 9s]
Seat 4: 老王 folded on the 3rd Street (didn't bet)
"""

TILT = """\
Full Tilt Poker Game #28000000001: $2 + $0.10 Heads Up Sit & Go (220000001), Table 1 - 80/160 \
Ante 15 - Limit Stud Hi - 07:15:42 ET - 2011/01/23
Seat 1: Lena (1,005)
Seat 2: Rolf (495)
Lena antes 15
Rolf antes 15
*** 3RD STREET ***
Dealt to Lena [7d Kd] [4s]
Dealt to Rolf [2s]
Rolf is low with [2s]
Rolf brings in for 25
Lena completes it to 80
Rolf raises to 160
Rolf: Lena folds [As Ks] lol 5
Lena raises to 240
Rolf calls 80
*** 4TH STREET *** (Total Pot: 510, 2 Players)
Dealt to Lena [7d Kd 4s] [9h]
Dealt to Rolf [2s] [Ts]
Rolf bets 80
Lena raises to 160
Rolf raises to 240, and is all in
Lena has 15 seconds left to act
Lena calls 80
Rolf shows [Ah Ad 2s Ts]
*** 5TH STREET *** (Total Pot: 990, 2 Players, 1 All-In)
Dealt to Lena [7d Kd 4s 9h] [9c]
Dealt to Rolf [Ah Ad 2s Ts] [3c]
*** 6TH STREET *** (Total Pot: 990, 2 Players, 1 All-In)
Dealt to Lena [7d Kd 4s 9h 9c] [9s]
Dealt to Rolf [Ah Ad 2s Ts 3c] [4c]
*** 7TH STREET *** (Total Pot: 990, 2 Players, 1 All-In)
Dealt to Lena [7d Kd 4s 9h 9c 9s] [Qc]
Dealt to Rolf [Ah Ad 2s Ts 3c 4c] [5d]
Lena shows [7d Kd 4s 9h 9c 9s Qc] three of a kind, Nines
Rolf shows [Ad Ah 2s Ts 3c 4c 5d] a straight, Five high
Rolf wins the pot (990) with a straight, Five high
*** SUMMARY ***
Total pot 990 | Rake 0
Seat 1: Lena showed [7d Kd 4s 9h 9c 9s Qc] and lost with three of a kind, Nines
Seat 2: Rolf showed [Ad Ah 2s Ts 3c 4c 5d] and won (990) with a straight, Five high
"""

BODOG = """\
Bodog Hand #2600000001 TBL#1100001 7CARD Fixed Limit - 2012-05-19 21:14:33
Seat+1: $0.80 in chips
Seat+3 [ME]: $0.81 in chips
Seat+1 : Ante chip $0.01
Seat+3 [ME] : Ante chip $0.01
*** HOLE CARDS ***
Seat+1 : Card dealt to a spot [7h 8c 2c]
Seat+3 [ME] : Card dealt to a spot [Jc Qh Th]
Seat+1 : Bring_in chip $0.02
Seat+3 [ME] : Raises $0.10
Seat+2 : Table enter user
Seat+1 : Raises $0.18 to $0.20
Seat+3 [ME] : Calls(timeout) $0.10
Seat+1 : Card dealt to a spot [9c]
Seat+3 [ME] : Card dealt to a spot [Td]
Seat+3 [ME] : Double bets $0.20
Seat+1 : Call $0.20
Seat+1 : Card dealt to a spot [4d]
Seat+3 [ME] : Card dealt to a spot [Kh]
Seat+3 [ME] : Checks
Seat+1 : Bets $0.20
Seat+3 [ME] : All-in(raise) $0.40
Seat+1 : All-in $0.19
Seat+3 [ME] : Return uncalled portion of bet $0.01
Seat+1 : Card dealt to a spot [5d]
Seat+3 [ME] : Card dealt to a spot [Ks]
Seat+1 : Card dealt to a spot [6d]
Seat+3 [ME] : Card dealt to a spot [2s]
Seat+3 [ME] : Mucks [Jc Qh Th Td Kh Ks 2s] (Two pair)
Seat+1 : Showdown [9c 8c 7h 6d 5d] (Straight)
Seat+1 : Hand result $1.55
*** SUMMARY ***
Total Pot($1.60) | Rake ($0.05)
Seat 1:  $1.55  with Straight [7h 8c 2c 9c 4d 5d 6d-9c 8c 7h 6d 5d]
Seat 3:   [Mucked] [Jc Qh Th Td Kh Ks 2s]
"""

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


IPOKER = """\
<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="910000001">
 <general>
  <gametype>7 Card Stud L €0.05/€0.10</gametype>
  <tablename>Larch, 910000002</tablename>
  <nickname>Lena</nickname>}
 </general>
 <game gamecode="910000011">
  <general>
   <startdate>2012-03-04 20:15:27</startdate>
   <players>
    <player seat="1" name="Lena" chips="€2.67" dealer="1" win="€0" bet="€0.01" rebuy="0"/>
    <player seat="2" name="" chips="" dealer="0" win="" bet="" rebuy="0"/>
    <player seat="3" name="Rolf &amp; Co" chips="€0.35" dealer="0" win="€0.68" bet="€9" rebuy="0"/>
    <player seat="6" name="Žofie" chips="€4" dealer="0" win="€0.01" bet="€0.36" rebuy="0"/>
   </players>
  </general>
  <round no="0">
   <action no="2" player="Rolf &amp; Co" type="15" sum="€0.01" cards="[cards]"/>
   <action no="1" player="Lena" type="15" sum="€0.01" cards="[cards]"/>
   <action no="3" player="Žofie" type="15" sum="€0.01" cards="[cards]"/>
  </round>
  <round no="1">
  </round>
  <round no="2">
   <cards type="Third Street" player="Lena">X X H9</cards>
   <action no="6" player="Lena" type="0" sum="€0" cards=""/>
   <cards type="Third Street" player="Rolf &amp; Co">C10 D10 S4</cards>
   <action no="7" player="Rolf &amp; Co" type="3" sum="€0.03" cards=""/>
   <action no="4" player="Rolf &amp; Co" type="16" sum="€0.02" cards=""/>
   <cards type="Third Street" player="Žofie">S2 D2 H10</cards>
   <action no="5" player="Žofie" type="23" sum="€0.05" cards=""/>
  </round>
  <round no="3">
   <cards type="Fourth Street" player="Rolf &amp; Co">C4</cards>
   <action no="8" player="Rolf &amp; Co" type="5" sum="€0.05" cards=""/>
   <action no="10" player="Rolf &amp; Co" type="3" sum="€0.05" cards=""/>
   <cards type="Fourth Street" player="Žofie">DK</cards>
   <action no="9" player="Žofie" type="23" sum="€0.10" cards=""/>
  </round>
  <round no="4">
   <cards type="Fifth Street" player="Rolf &amp; Co">D7</cards>
   <action no="12" player="Rolf &amp; Co" type="3" sum="€0.10" cards=""/>
   <cards type="Fifth Street" player="Žofie">SK</cards>
   <action no="11" player="Žofie" type="5" sum="€0.10" cards=""/>
  </round>
  <round no="5">
   <cards type="Sixth Street" player="Rolf &amp; Co">H2</cards>
   <action no="14" player="Rolf &amp; Co" type="7" sum="€0.09" cards=""/>
   <cards type="Sixth Street" player="Žofie">C3</cards>
   <action no="13" player="Žofie" type="5" sum="€0.10" cards=""/>
  </round>
  <round no="6">
   <cards type="River" player="Rolf &amp; Co">S10</cards>
   <cards type="River" player="Žofie">HA</cards>
  </round>
 </game>
"""

MERGE = """\
<description type="7-Stud" stakes="Limit $0.50/$1"/>
<game id="31000001-7" starttime="20110908220212" numholecards="7" gametype="39" realmoney="true" \
data="20110908|Larch (31000001)|31000001|31000001-7|false">
<players dealer="5">
<player seat="0" nickname="Lena" balance="$15.80" dealtin="true" />
<player seat="3" nickname="Rolf &amp; &quot;Co&quot;" balance="$1.40" dealtin="true" />
<player seat="7" nickname="Žofie" balance="$9" dealtin="true" />
</players>
<round id="BLINDS" sequence="1">
<event sequence="1" type="ANTE" timestamp="1315533732000" player="0" amount="0.05"/>
<event sequence="2" type="ANTE" timestamp="1315533732000" player="3" amount="0.05"/>
<event sequence="3" type="ANTE" timestamp="1315533732000" player="7" amount="0.05"/>
</round>
<round id="BRING_IN" sequence="2">
<event sequence="4" type="BRING_IN" timestamp="1315533732000" player="7" amount="0.10"/>
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s" player="3"/>
<cards type="HOLE" cards="4d,3d,Qh" player="0" hand="Queen High"/>
<cards type="DRAW_DRAWN_CARDS" cards=",,2c" player="7"/>
</round>
<round id="THIRD_STREET" sequence="3">
<event sequence="8" type="CALL" timestamp="1315533732000" player="0" amount="0.50"/>
<event sequence="6" type="RAISE" timestamp="1315533732000" player="3" amount="1.00"/>
<event sequence="6" type="CHAT" timestamp="1315533732000" player="Rolf" text="7: FOLD &lt;me&gt;"/>
<event sequence="5" type="COMPLETE" timestamp="1315533732000" player="0" amount="0.50"/>
<event sequence="7" type="CALL" timestamp="1315533732000" player="7" amount="0.90"/>
</round>
<round id="FOURTH_STREET" sequence="4">
<event sequence="9" type="BET" timestamp="1315533732000" player="0" amount="0.50"/>
<event sequence="10" type="ALL_IN" timestamp="1315533732000" player="3" amount="0.35"/>
<event sequence="11" type="CALL" timestamp="1315533732000" player="7" amount="0.50"/>
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s,7h" player="3"/>
<cards type="DRAW_DRAWN_CARDS" cards=",,2c,9d" player="7"/>
<cards type="HOLE" cards="4d,3d,Qh,Qd" player="0" hand="Pair of Queens"/>
</round>
<round id="FIFTH_STREET" sequence="5">
<event sequence="12" type="BET" timestamp="1315533732000" player="0" amount="1.00"/>
<event sequence="13" type="FOLD" timestamp="1315533732000" player="7"/>
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s,7h,Kc" player="3"/>
<cards type="DRAW_DRAWN_CARDS" cards=",,2c,9d,9s" player="7"/>
<cards type="HOLE" cards="4d,3d,Qh,Qd,Ks" player="0" hand="Pair of Queens"/>
</round>
<round id="SIXTH_STREET" sequence="6">
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s,7h,Kc,Jc" player="3"/>
<cards type="HOLE" cards="4d,3d,Qh,Qd,Ks,2s" player="0"/>
</round>
<round id="SEVENTH_STREET" sequence="7">
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s,7h,Kc,Jc,null" player="3"/>
<cards type="HOLE" cards="4d,3d,Qh,Qd,Ks,2s,4h" player="0"/>
</round>
<round id="SHOWDOWN" sequence="8">
<event sequence="14" type="SHOW" timestamp="1315533732000" player="0"/>
<cards type="SHOWN" cards="4d,3d,Qh,Qd,Ks,2s,4h" player="0"/>
<cards type="MUCKED" cards="8s,8c,7s,7h,Kc,Jc,3h" player="3"/>
</round>
<round id="END_OF_GAME" sequence="9">
<winner amount="1.00" uncalled="true" potnumber="1" player="0" pottype="n"/>
<winner amount="4.00" uncalled="false" potnumber="1" player="0" pottype="h" hand="Two Pair" />
<winner amount="0.30" uncalled="false" potnumber="2" player="0" pottype="h" hand="Two Pair" />
</round>
</game>"""


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
    Case(
        STARS,
        "pokerstars",
        "190000000004",
        """
        1a2 3a2 4a2
        3: 1=AcKd/8c 3=????/2d 4=????/Td 3i5 4f 1r10 3c5
        4: 1=/8d 3=/2h 1b20 3c20
        5: 1=/3s 3=/4s 1k 3b20 1c20
        6: 1=/5s 3=/9s 1b20 3c5! 1back15
        7: *6h 1showsAcKd8c8d3s5s 3mucks 1won111 pot116 rake5 3mucksQdJh2d2h4s9s
        """,
        Stakes(2, 5, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "Ac Kd", 3: "Qd Jh"},
        won={1: 111},
        rake=5,
        stacks={1: 1054, 3: 0, 4: 238},
    ),
    Case(
        TILT,
        "fulltilt",
        "28000000001",
        """
        1a15 2a15
        3: 1=7dKd/4s 2=????/2s 2i25 1r80 2r160 1r240 2c80
        4: 1=/9h 2=/Ts 2b80 1r160 2r240! 1c80 2showsAhAd2sTs
        5: 1=/9c 2=/3c
        6: 1=/9s 2=/4c
        7: 1=Qc/ 2=5d/ 1shows7dKd4s9h9c9sQc 2showsAdAh2sTs3c4c5d 2won990 pot990 rake0
        """,
        Stakes(15, 25, (80, 80, 160, 160, 160), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "7d Kd Qc", 2: "Ah Ad 5d"},
        won={2: 990},
        rake=0,
        stacks={1: 510, 2: 990},
    ),
    Case(
        BODOG,
        "bovada",
        "2600000001",
        """
        1a1 3a1
        3: 1=7h8c/2c 3=JcQh/Th 1i2 3r10 1r20 3c10
        4: 1=/9c 3=/Td 3b20+ 1c20
        5: 1=/4d 3=/Kh 3k 1b20 3r40! 1c19! 3back1
        6: 1=/5d 3=/Ks
        7: 1=6d/ 3=2s/ 3mucksJcQhThTdKhKs2s 1shows9c8c7h6d5d 1won155 pot160 rake5
        """,
        Stakes(1, 2, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True, inferred=True),
        hero=3,
        downcards={1: "7h 8c 6d", 3: "Jc Qh 2s"},
        won={1: 155},
        rake=5,
        stacks={1: 155, 3: 1},
    ),
    Case(
        IPOKER,
        "ipoker",
        "910000011",
        """
        1a1 3a1 6a1
        3: 1=????/9h 3=TcTd/4s 6=2s2d/Th 3i2 6r5 1f 3c3
        4: 3=/4c 6=/Kd 3b5 6r10 3c5
        5: 3=/7d 6=/Ks 6b10 3c10
        6: 3=/2h 6=/3c 6b10 3c9!
        7: 3=Ts/ 6=Ah/
        3won68 6won1
        """,
        Stakes(1, 2, (5, 5, 10, 10, 10), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={3: "Tc Td Ts", 6: "2s 2d Ah"},
        won={3: 68},
        rake=3,
        stacks={1: 266, 3: 68, 6: 365},
    ),
    Case(
        MERGE,
        "merge",
        "31000001-7",
        """
        1a5 4a5 8a5
        3: 4=????/7s 1=4d3d/Qh 8=????/2c 8i10 1r50 4r100 8c90 1c50
        4: 4=/7h 8=/9d 1=/Qd 1b50 4c35! 8c50
        5: 4=/Kc 8=/9s 1=/Ks 1b100 8f
        6: 4=/Jc 1=/2s
        7: 4=??/ 1=4h/
        1shows4d3dQhQdKs2s4h 4mucks8s8c7s7hKcJc3h 1back100 1won400 1won30
        """,
        Stakes(5, 10, (50, 50, 100, 100, 100), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "4d 3d 4h", 4: "8s 8c 3h"},
        won={1: 430},
        rake=20,
        stacks={1: 1855, 4: 0, 8: 745},
    ),
]

ONE_EACH = {f"{case.dialect} {case.hand_id}": (case.dialect, case.text) for case in CASES}
ONE_EACH |= {
    name: (name, (SAMPLES / file).read_text(encoding="utf-8"))
    for name, file in (("saund", "showdown.stud"), ("phh", "full-house.phh"))
}
"""By name: the format of a log of one hand, and its text."""
