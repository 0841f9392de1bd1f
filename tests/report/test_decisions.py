"""The decisions of a hand in words, and as text."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from rich.cells import cell_len
from rich.console import Console

from handread import analyze
from handread.cards import Card, parse_card
from handread.decisions.decision_values import ActionValue, DecisionValue
from handread.decisions.hand_values import HandValues
from handread.decisions.ledger import Ledger
from handread.decisions.terms import DecisionTerms, ValuedHand
from handread.game.rules import Unit
from handread.game.steps import Decision, Replay
from handread.inference.hand_analysis import Analysis
from handread.inference.players import player_models
from handread.report.decision_words import (
    VERDICTS,
    ChipWords,
    cost_in_full,
    counts_words,
    dear_words,
    hand_text,
)
from handread.report.session_decisions import SessionDecisions, session_text, worst_text
from handread.report.spots import own_cards
from handread.study.session_values import SessionTable, SessionValues
from tests.pages import hands_of
from tests.program import SAMPLES

LUCK = {"deal": 20_000, "cards": 310_000, "showdown": 710_000}
LEDGER = Ledger(1, 1450, {**LUCK, "others": 500_000, "own": -60_000, "rake": -30_000})
BIG_BET = 200


@cache
def read() -> Analysis:
    return analyze(next(hands_of(SAMPLES / "showdown.stud")), "people")


def played() -> Replay:
    return read().replay


def value(decision: Decision, gain: float, error: float = 10.0) -> DecisionValue:
    """The values of a decision: another action is worth ``gain`` more than the one taken."""
    names = ["fold", "call", "raise"] if decision.to_call else ["check", "bet"]
    q = dict.fromkeys(names, 50.0 - abs(gain)) | {"fold": 0.0}
    q[next(name for name in reversed(names) if name != decision.action)] = 50.0 + gain
    q[str(decision.action)] = 50.0
    actions = tuple(
        ActionValue(name, 0, q[name], 20.0 if name != "fold" else 0.0, 0.0, 0.0, 0.0, None)
        for name in names
    )
    cost = (gain, error) if gain > 0.0 else (0.0, 0.0)
    return DecisionValue(decision, CARDS, "people", BIG_BET, actions, *cost, 100)


CARDS = (Card(0), Card(51))


def values_of(played: Replay, seat: int) -> list[DecisionValue]:
    """Values with every verdict in turn: best, too close to call, costly, mistake."""
    own = [decision for decision in played.decisions if decision.seat == seat]
    gains = [-30.0, 16.0, 124.0, 62.0]
    found = [value(decision, gains[i % 4]) for i, decision in enumerate(own)]
    return [replace(one, checked=one) if i % 4 == 3 else one for i, one in enumerate(found)]


TERMS = DecisionTerms(rollouts=100, check=player_models("panel"))

NO_CHECK = replace(TERMS, check=None)


def text_of(
    values: Sequence[DecisionValue], shown: Analysis | None = None, encoding: str = "utf-8"
) -> str:
    hand = ValuedHand(shown or read(), HandValues(tuple(values), {1: LEDGER}), TERMS)
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    return hand_text(hand, Console(file=file, width=80))


def test_a_row_has_the_action_the_verdict_the_values_and_the_cost() -> None:
    values = values_of(played(), 1)
    assert [one.verdict for one in values[:4]] == ["best", "close", "costly", "mistake"]
    text = text_of(values)
    rows = [re.split(r" {2,}", line.strip()) for line in text.splitlines()]
    at = next(i for i, row in enumerate(rows) if row[0] == "3rd")
    assert rows[at : at + 4] == [
        ["3rd", "completes to 1.00: best", "0", "+0.20", "*+0.50", "0", "0"],
        ["pot 2.00, 0.25 to call", "±0.39", "±0.39"],
        ["4th", "checks: too close to call", "*+0.50", "+0.66", "0.16", "0.08"],
        ["pot 4.00", "±0.39", "±0.39", "±0.20", "±0.10"],
    ]
    costly = next(row for row in rows if "bets 2.00: costly against these" in " ".join(row))
    assert costly[-4:] == ["+1.74", "*+0.50", "1.24", "0.62"]
    assert any("calls 2.00: mistake" in row for row in rows)
    cost = sum(one.cost for one in values)
    (total,) = [line.split() for line in text.splitlines() if " total " in line]
    assert total == ["total", f"{cost / 100:.2f}", f"{cost / BIG_BET:.2f}"]
    assert (
        "result +14.50: first deal +0.20, later cards +3.10, others' actions +5.00, own actions "
        "-0.60, showdown +7.10, rake -0.30; with average luck +4.10 (+2.05 BB)"
    ) in " ".join(text.split())


def test_the_cards_stand_in_the_order_of_the_deal() -> None:
    own = values_of(played(), 2)
    text = text_of([*own[:-1], replace(own[-1], down=played().downcards[2])])
    assert "2 B B (Ad Jd) 8d Kc As 7d (4h)\n" in text
    assert "1 Ann (7c Qs) 7h 8h Js 2c (Jh)\n" in text  # with a ledger alone


def test_the_hero_comes_first() -> None:
    history = replace(played().history, hero=2)
    hero = replace(read(), replay=replace(played(), history=history))
    text = text_of([*values_of(played(), 1), *values_of(played(), 2)], hero)
    assert text.index("\n2 B B (you) ") < text.index("\n1 Ann ")


def test_without_known_cards_there_is_nothing_to_value() -> None:
    hand = ValuedHand(read(), HandValues(()), NO_CHECK)
    text = hand_text(hand, Console(file=io.StringIO(), width=80))
    assert "there is no decision to value" in text
    assert "checked by" not in text


@pytest.mark.parametrize("scale", [1, 1000])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_text_fits_80_columns_whatever_the_names_and_amounts(scale: int, encoding: str) -> None:
    named = (replace(s, name="\x1b[31mA name of great length") for s in played().history.seats)
    history = replace(played().history, seats=tuple(named), unit=Unit(2, "CHF "))
    stakes = replace(played().stakes, bets=tuple(scale * bet for bet in played().stakes.bets))
    values = [
        replace(
            one,
            decision=replace(one.decision, pot=scale * one.decision.pot),
            actions=tuple(replace(a, q=scale * a.q, error=scale * a.error) for a in one.actions),
            cost=scale * one.cost,
            error=scale * one.error,
        )
        for one in values_of(played(), 1)
    ]
    changed = replace(read(), replay=replace(played(), history=history, stakes=stakes))
    text = text_of(values, changed, encoding)
    assert not set("\x1b…") & set(text)
    assert max(map(cell_len, text.splitlines())) <= 80
    chips = ChipWords(history.unit, stakes.bets[-1])
    assert all(chips.plain(a.q, "+") in text for one in values for a in one.actions if a.q)


def test_amounts_have_the_digits_that_the_bets_call_for() -> None:
    cents = ChipWords(Unit(2), 200)
    assert cents.plain(12_345.6, "+") == "+123.46"
    assert cents.plain(-0.1, "+") == "+0.00"
    assert (cents.within(10.0), cents.within(0.0)) == ("±0.20", "")
    assert ChipWords(Unit(2), 4).plain(1.26, "+") == "+0.013"
    assert ChipWords(Unit(0), 2000).plain(-1234.4, "+") == "-1,234"
    assert ChipWords(Unit(0), 10).plain(0.04) == "0.0"


def test_a_cost_between_two_exact_actions_is_stated_as_the_least() -> None:
    """Its interval is the raise's, which nobody would make."""
    spot, chips = played().decisions[3], ChipWords(Unit(2), 200)
    sure = replace(value(spot, 124.0, 40.0), least=120.0)
    assert cost_in_full(value(spot, 124.0, 40.0), chips) == "0.62 ±0.39 BB (1.24)"
    assert cost_in_full(sure, chips) == "at least 0.60 BB (1.20)"
    assert cost_in_full(replace(sure, error=0.0, cost=120.0), chips) == "0.60 BB (1.20)"
    hand = ValuedHand(read(), HandValues((sure,)), NO_CHECK)
    text = hand_text(hand, Console(file=io.StringIO(), width=80))
    assert re.search(r" 1\.20 +0\.60\n.* at least +at least\n", text)
    totals = SessionValues()
    totals.add(read(), hand.values)
    told = SessionDecisions()
    told.add(hand)
    assert f"  {dear_words(sure, chips)}  " in worst_text(totals.table(), told)


def test_a_list_says_what_was_better_and_the_cost_that_orders_it() -> None:
    """The middle of a cost, 0.62 BB, would not agree with the order of a list."""
    spot, chips = played().decisions[3], ChipWords(Unit(2), 200)
    unsure = value(spot, 124.0, 40.0)
    better = f"a {unsure.best.action} is better"
    assert dear_words(unsure, chips) == f"cost at least 0.23 BB (0.46): {better}"
    assert f"{unsure.low / 200:.2f}" == "0.23"
    exact = replace(unsure, error=0.0, cost=120.0)
    assert dear_words(exact, chips) == f"cost 0.60 BB (1.20): {better}"


def test_verdicts_are_counted() -> None:
    assert counts_words(Counter(dict.fromkeys(VERDICTS, 1))) == (
        "5 decisions: 1 best, 1 too close to call, 1 too little known to be sure, "
        "1 costly against these players, 1 mistake"
    )
    assert counts_words(Counter(best=1)) == "1 decision: 1 best"
    assert counts_words(Counter(mistake=1200)) == "1,200 decisions: 1,200 mistakes"
    assert counts_words(Counter()) == "no decision"


def session(*hands: ValuedHand) -> tuple[str, str, SessionTable, SessionDecisions]:
    """The totals of some hands as text, their most expensive decisions, and what they are of."""
    totals, told = SessionValues(2), SessionDecisions()
    for hand in hands:
        totals.add(hand.analysis, hand.values)
        told.add(hand)
    table = totals.table()
    return session_text(table, told), worst_text(table, told), table, told


def valued(changed: Replay | None = None, most: int = 6) -> ValuedHand:
    """The hand, or one changed from it, with the values of Ann's first decisions."""
    values = HandValues(tuple(values_of(changed or played(), 1)[:most]), {1: LEDGER})
    return ValuedHand(replace(read(), replay=changed or played()), values, TERMS)


def test_big_bets_of_several_stakes_say_that_each_hand_has_its_own() -> None:
    stakes = replace(played().stakes, bets=(300, 300, 300, 600, 600))
    dearer = valued(replace(played(), stakes=stakes))
    counted = "BB = big bets, each hand at its own stakes"
    assert counted in " ".join(session(valued(), dearer)[0].split())
    assert "BB = big bets\n" in session(dearer, dearer)[0]
    prize = replace(played(), history=replace(played().history, tournament="7"))
    of_cash = "BB = big bets; results are those of cash games"
    assert of_cash in " ".join(session(dearer, valued(prize))[0].split())


def test_a_session_has_its_totals_and_its_most_expensive_decisions() -> None:
    text, worst, table, told = session(*[valued()] * 6)
    lines = [line.split() for line in text.splitlines()]
    assert "6 hands, 36 decisions: 12 best, 12 too close to call, 6 costly" in text
    assert "policy people, checked by panel; 100 rollouts a decision" in text
    assert ["Ann", "36", "33%", "33%", "17%", "17%", "0.182"] in [line[:7] for line in lines]
    result = next(line for line in lines if line[:2] == ["Ann", "6"])
    assert result[2:5] == ["+43.5", "+31.2", "+12.3"]
    assert "\nAnn by street and action\n" in text
    kinds = [line for line in lines if line[:1] in (["3rd"], ["4th"], ["5th"], ["6th"], ["7th"])]
    assert sum(int(line[2]) for line in kinds) == 36
    assert [line[0] for line in kinds] == sorted(line[0] for line in kinds)
    where = f"{SAMPLES / 'showdown.stud'}:3"
    assert worst.count("cost at least 0.52 BB (1.04): a check is better") == 2
    assert [line.split()[-1] for line in worst.splitlines() if " BB " in line] == [where] * 2
    words = "costly against these players: Ann (2c As) 7h 8h Js bets 2.00 on 5th"
    assert words in " ".join(worst.split())
    marked = " ".join(worst_text(replace(table, hero="Ann"), told).split())
    assert marked.count("players: Ann (you) (2c As) 7h 8h") == 2


def test_a_session_says_in_how_many_hands_the_log_hides_your_cards() -> None:
    seats = [seat.number for seat in played().history.seats]
    hidden = next(seat for seat in seats if not own_cards(played(), seat)[0])
    folded, known = (
        valued(replace(played(), history=replace(played().history, hero=seat)))
        for seat in (hidden, 1)
    )
    aside = " (the log hides your downcards in 1)"
    assert session(folded, known, known)[0].startswith(f"3 hands{aside}, 18 decisions")
    assert session(known, known)[0].startswith("2 hands, 12 decisions")


def test_an_expensive_decision_names_a_card_for_all_and_a_game_other_than_stud() -> None:
    js = parse_card("Js")
    streets = tuple(replace(street, shared=js) for street in played().streets)
    _, worst, *_ = session(valued(replace(played(), streets=streets)))
    assert "Ann (2c As) 7h 8h Js, Js shared, bets 2.00 on 5th" in " ".join(worst.split())
    history = replace(played().history, variant="razz")
    _, worst, *_ = session(valued(replace(played(), history=history)))
    assert f"better  {SAMPLES / 'showdown.stud'}:3 (razz)\n" in worst


def test_a_hero_without_a_name_is_you_once() -> None:
    totals = SessionValues()
    unnamed = tuple(replace(seat, name="") for seat in played().history.seats)
    history = replace(played().history, seats=unnamed, hero=1)
    totals.add(
        replace(read(), replay=replace(played(), history=history)),
        HandValues(values_of(played(), 1)),
    )
    text = session_text(totals.table(), SessionDecisions())
    assert re.search(r"^you  ", text, re.M)
    assert "(you)" not in text


def test_a_session_may_have_no_expensive_decision_or_none_at_all() -> None:
    text, worst, table, told = session(ValuedHand(read(), HandValues((), {1: LEDGER}), NO_CHECK))
    assert text.startswith("1 hand, no decision\npolicy people;")
    assert worst == "No decision was clearly wrong.\n"
    told.counts["rare"] = 2
    assert worst_text(table, told) == (
        "No decision was clearly wrong. 2 may be wrong: too little is known of such\n"
        "hands, or of the opponent.\n"
    )
    text, worst, *_ = session(ValuedHand(read(), HandValues(()), NO_CHECK))
    assert text == "1 hand. Nobody's downcards are known: there is no decision to value.\n"
    assert worst == ""


def test_the_players_with_the_most_hands_are_shown() -> None:
    hands = []
    for n in range(22):
        seats = tuple(replace(s, name=f"{s.name} {n}") for s in played().history.seats)
        history = replace(played().history, seats=seats)
        hands.append(valued(replace(played(), history=history), most=1))
    text, *_ = session(*hands)
    assert text.count("\nAnn ") == 40  # in both tables
    assert text.endswith("\n... and 2 more (--player NAME)\n")
    assert "by street and action" not in text
