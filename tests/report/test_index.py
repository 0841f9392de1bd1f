"""The index of a session as values and as text: its rows, and the summary of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

import handread
from handread.game.rules import STUD
from handread.history import Action, History
from handread.inference.hand_analysis import Analysis
from handread.odds.holdings import kind_of
from handread.opponents.records import PlayerRecord
from handread.opponents.statistics import PLACES
from handread.report.build import hand_report
from handread.report.html.charts import result_curves
from handread.report.html.page import index_page, player_page
from handread.report.index import (
    CostlyDecision,
    HandWorth,
    Highlight,
    IndexRow,
    index_row,
    placed_row,
)
from handread.report.overview import (
    LEAST_HANDS,
    LISTED,
    line_text,
    mean_bits,
    overview,
    read_words,
)
from handread.report.session_players import LEAST_HANDS as LISTED_HANDS
from handread.report.session_players import page_name
from handread.report.steps import hand_steps
from handread.report.stretches import mean
from handread.report.words import LITTLE_BITS
from handread.study.session_values import DecisionCost
from handread.study.statistics import Estimate
from handread.typed import packed, unpacked
from tests.pages import NASTY, hands_of
from tests.program import SAMPLES
from tests.report.test_html import check_closed_off, check_form
from tests.session_rows import play, read, row, session_rows


def made(name: str, viewpoint: str = "public", policy: str | None = None) -> Analysis:
    hand = next(hands_of(SAMPLES / name))
    return handread.analyze(hand, policy=policy, viewpoint=viewpoint)


def row_of(analysis: Analysis) -> IndexRow:
    return placed_row(index_row(analysis), analysis.replay.history, 3, "0003-17.html")


# A row


def test_a_row_says_what_the_hand_came_to() -> None:
    analysis = made("showdown.stud")
    steps = hand_steps(hand_report(analysis), analysis)
    found = row_of(analysis)
    # No player is you, so nothing is said of your result.
    wanted = {
        **{"number": 3, "page": "0003-17.html", "title": "Hand 17", "reached": "7th street"},
        **{"pot": 24.0, "pot_words": "24.00", "game": "1.00/2.00", "result": "1 Ann wins 24.00"},
        **{"net": None, "net_words": "", "in_hand": "", "yours": (), "cards": (), "date": ""},
    }
    assert {name: getattr(found, name) for name in wanted} == wanted
    assert found.players[:2] == ("1 Ann", "2 B B")
    told = [
        (step.action.information.value or 0.0, moment)
        for moment, step in enumerate(steps.steps)
        if step.action is not None and step.mark != "f"
    ]
    assert found.telling == found.theirs[0]
    assert (found.theirs[0].bits, found.theirs[0].moment) == max(told, key=lambda item: item[0])
    title = steps.steps[found.theirs[0].moment].title
    assert found.theirs[0].what.startswith(title[0].upper() + title[1:])
    loudest = sorted((bits for bits, _ in told), reverse=True)[:3]
    assert [high.bits for high in found.theirs] == loudest
    assert unpacked(IndexRow, packed(found)) == found


def test_the_reads_of_a_row_are_the_last_ones_and_those_of_every_street() -> None:
    analysis = made("all-cards-known.stud")
    found, spoken = row_of(analysis), hand_report(analysis).spoken
    reads = [
        (stage.street, seat, read)
        for stage in analysis.stages
        if stage.after_bets and stage.street > 3
        for seat, read in (*stage.seats.items(), *stage.folded.items())
    ]
    assert list(found.street_reads) == [
        (street, read.truth.score_bits) for street, _, read in reads if read.truth is not None
    ]
    last = {seat: read for _, seat, read in reads}
    assert [one.who for one in found.reads] == [spoken[seat] for seat in sorted(last)]
    for one, seat in zip(found.reads, sorted(last), strict=True):
        truth = last[seat].truth
        assert one.bits == pytest.approx(truth.score_bits)
        shares = last[seat].families()
        true = kind_of(truth.downcards, last[seat].up).family
        best = max(share.bet_inference for share in shares.values())
        assert one.first is (shares[true].bet_inference == best)


def test_a_truth_that_was_ruled_out_has_no_bits() -> None:
    policies = ("honest", "uniform")
    honest, uniform = (row_of(made("all-cards-known.stud", policy=one)) for one in policies)
    missed = sum(one.bits is None for one in honest.reads)
    assert missed > 0
    assert read_words(honest) == f"ruled out {missed} of {len(honest.reads)}"
    assert mean_bits(honest) == -math.inf
    assert {round(one.bits or 0.0, 9) for one in uniform.reads} == {0.0}
    assert read_words(uniform) == "1.0×"
    assert row_of(made("all-cards-known.stud", "omniscient", "loose")).reads == ()


def test_you_are_the_player_who_looks_on() -> None:
    analysis = made("showdown.stud", "seat:1")
    steps = hand_steps(hand_report(analysis), analysis)
    found = row_of(analysis)
    replay = analysis.replay
    net = replay.won[1] - replay.paid[1]
    assert (found.in_hand, found.net_words[0]) == ("played", "+")
    assert (found.net, found.net_bets) == pytest.approx((net / 100, net / replay.stakes.bets[-1]))
    assert found.yours
    for high in found.yours:
        action = steps.steps[high.moment].action
        assert (action.seat, high.bits, high.often) == (1, action.table.value, "")
        verb, _, rest = action.words.partition(" ")
        assert high.what.startswith(f"You {verb[:-1]} {rest}".strip())
        bits = action.table_truth.value or 0.0
        assert high.verdict == ("" if abs(bits) < LITTLE_BITS else "true" if bits > 0 else "false")
    assert [seat.you for seat in found.plays] == [True] + [False] * (len(found.plays) - 1)
    assert "1 Ann" not in {one.who for one in found.reads}


def test_the_key_of_a_hand_stays_and_tells_it_from_others(tmp_path: Path) -> None:
    def keys(*hands: History) -> list[str]:
        return [row_of(handread.analyze(one, policy="uniform")).key for one in hands]

    copy = tmp_path / "elsewhere.phhs"
    copy.write_text("\n\n" + (SAMPLES / "session.phhs").read_text())
    found = keys(*hands_of(SAMPLES / "session.phhs"))
    assert found == keys(*hands_of(copy))
    assert len(set(found)) == 3
    hand = next(hands_of(SAMPLES / "showdown.stud"))
    twin = replace(hand, seats=tuple(replace(seat, name="Zoe") for seat in hand.seats))
    one, other = keys(hand, twin)
    assert one != other
    assert one.partition("~")[0] == other.partition("~")[0] == "17"


@pytest.mark.parametrize("name", ["showdown.stud", "eight-players.stud", "steal.stud"])
def test_the_play_of_each_player_is_counted(name: str) -> None:
    analysis = made(name)
    replay = analysis.replay
    found = row_of(analysis)
    for one, seat in zip(found.plays, replay.streets[0].active, strict=True):
        first = [d.action for d in replay.decisions if d.seat == seat and d.street == 3]
        assert (one.name, one.seat) == (replay.history.seat(seat).name, seat)
        if first:
            done, of = one.counts[PLACES["raises"]]
            assert (done, of) == (bool({*first} & {Action.BET, Action.RAISE}), 1)
        assert bool(one.shown) is (seat in replay.showdown and seat in replay.downcards)
    again = unpacked(IndexRow, packed(found))
    for one, other in zip(found.plays, again.plays, strict=True):
        assert (one.counts == other.counts).all()
        assert one == other


def test_the_first_line_names_the_policies() -> None:
    rows = [row(1, policy="default"), row(2, policy="people"), row(3, policy="people")]
    assert "3 hands, policy people; default. You lost" in index_page("night.txt", rows)


def test_a_hand_that_stops_has_a_row() -> None:
    found = row_of(made("stops-in-the-middle.stud"))
    assert found.net is None
    assert found.reads == ()


def test_a_row_has_your_cards_and_the_date() -> None:
    found = row_of(made("pokerstars.txt", "hero"))
    assert (found.cards, found.held) == (("9c 9s", "6h Td 9d Ah", "4s"), "three nines")
    assert found.date == "14 Mar 2026, 20:15"
    text = index_page("night.txt", [found])
    assert "<span>9♣ 9♠</span>" in text
    assert '<span class="red">6♥</span> <span class="red">T♦</span>' in text
    assert "14 Mar 2026, 20:15" in text
    assert row_of(made("simulated-kingsclub.txt")).date == ""  # a date of 1970 is made up


def test_a_hand_in_a_line_has_your_costs_and_the_verdict_on_the_dearest() -> None:
    told = row(2, place="a.txt:7")
    line = line_text(told)
    assert line.startswith("#2 a.txt:7; hand Lou 2; 8 May 2026, 20:31; $1.00/$2.00; you Ah Kd 7c ")
    assert line.endswith("; 1 Lou wins $23.00; gave away most: Lou bets on 5th street (1.50 bits)")
    costs = DecisionCost(3, Action.CALL, 0.5, ""), DecisionCost(7, Action.CALL, 1.25, "costly")
    sure = CostlyDecision("You call", 9, True, 1.25, "", "costly", low=0.25)
    rare = replace(sure, verdict="rare", low=0.5)
    other = replace(sure, verdict="mistake", yours=False, low=1.0)
    worth = HandWorth("the policy people", 2, 1, (other, rare, sure), costs, None, 0.0)
    assert worth.cost == 1.75
    cost = "; decisions cost 1.75 BB (costly against these players)"
    assert line_text(replace(told, worth=worth)) == line.replace("; gave", f"{cost}; gave")
    assert replace(worth, yours=0).verdict == "mistake"
    assert replace(worth, costly=()).verdict == ""


# The summary


def test_the_lead_says_nothing_of_decisions_while_values_are_missing() -> None:
    costly = CostlyDecision("You call", 9, True, 1.25, "", "mistake", low=0.25, kind="river call")
    worth = HandWorth("the policy people", 1, 0, (costly,), (), None, 0.0)
    found = overview([row(1, worth=worth)])
    so_far, work = found.lead_so_far, found.decisions.work
    assert so_far == "You lost $4.50 in 1 hand. You played the hand dealt to you."
    assert found.lead == so_far.replace("hand. ", f"hand. {work} ")
    assert work.startswith("Work on your calls on river street first: 1 was clearly wrong")


def test_your_result_is_added_by_unit() -> None:
    rows = [
        row(1, net=12.5, net_bets=1.0),
        row(2, net=-0.25, net_bets=-0.1),
        row(3, net=-300.0, unit="chips"),
        row(4, net=None, net_words=""),
        row(5, in_hand="", net=None),
    ]
    found = overview(rows)
    assert found.result == "You won $12.25 in 2 hands. You lost 300 chips in 1 hand."
    assert found.played == "You played 4 of the 4 hands dealt to you."
    assert overview(rows[4:]).result == ""
    assert overview([row(1, net=0.0)]).result == "You broke even in 1 hand."
    many = [row(n, net=1.0, net_bets=0.5) for n in range(LEAST_HANDS)]
    assert overview(many).result == "You won $20.00 in 20 hands (+0.50 big bets a hand)."
    risen = [replace(one, game="$9/$18" if one.number > 3 else one.game) for one in many]
    counted = "Big bets count each hand at its own stakes."
    assert (
        overview(risen).result == f"You won $20.00 in 20 hands (+0.50 big bets a hand). {counted}"
    )
    # Also of few hands, as players have their results in big bets below.
    few = [row(1, net=9.0, net_bets=0.5), row(2, game="razz $2/$4", net=-4.0, net_bets=-1.0)]
    assert overview(few).result == f"You won $5.00 in 2 hands. {counted}"
    assert overview([few[0], row(2, game="razz $1.00/$2.00")]).result.endswith("in 2 hands.")
    prize = replace(few[1], unit="chips", tournament="C")
    assert overview([few[0], prize, replace(prize, game="$4/$8")]).result.endswith("in 2 hands.")


def test_the_reads_say_on_which_streets_they_add_to_the_upcards() -> None:
    def words(late: Callable[[int], float], *streets: int) -> str:
        rows = []
        for n in range(40):
            bits = {4: 1.0 if len(streets) > 1 else -1.0, 5: 0.9 + late(n), 7: late(n)}
            reads = tuple((street, bits[street]) for street in streets)
            rows.append(row(n, reads=(read(late(n)),), street_reads=reads))
        return overview(rows).reads

    assert words(lambda n: -0.5 if n % 2 else 0.5, 4, 5, 7).endswith(
        "The reads gave the true cards 2.0 times the chance that the upcards give on 4th street, "
        "1.9 on 5th and 1.0 on 7th. That is more than chance on 4th and 5th street."
    )
    assert words(lambda _: -1.0, 4).endswith(" That is more than chance on no street.")


CURVE = re.compile(r'<polyline class="(net|fair)" points="([^"]+)"')


def test_the_curve_adds_up_results_with_and_without_luck() -> None:
    def valued(n: int, net: float, adjusted: float | None) -> IndexRow:
        worth = HandWorth("the policy people", 1, 0, (), (), adjusted, adjusted or 0.0)
        return row(n, net=net, net_bets=net, worth=worth)

    rows = [valued(1, 3.0, 1.0), valued(2, -7.0, None), valued(3, -4.0, 2.0), valued(4, 1.0, -1.0)]
    (found,) = result_curves(rows)
    assert (found.hands, found.left_out) == (3, 1)
    assert (found.net_words, found.adjusted_words) == ("+$0.00", "+$2.00")
    text = index_page("night.txt", rows)
    lines = {name: [p.split(",") for p in points.split()] for name, points in CURVE.findall(text)}
    heights = {name: [float(y) for _, y in points] for name, points in lines.items()}
    unit = heights["net"][0] - heights["net"][1]
    scaled = {
        name: [round(3 * (own[0] - y) / unit, 1) for y in own] for name, own in heights.items()
    }
    assert scaled == {"net": [0.0, 3.0, -1.0, 0.0], "fair": [0.0, 1.0, 3.0, 2.0]}
    assert "Your result over 3 hands: +$0.00; with average luck +$2.00." in text
    assert "1 hand without a value of the luck left out" in text
    waits = [replace(one, pending=one.number > 2) for one in rows]
    (whole,) = result_curves(waits)
    assert (whole.hands, whole.net_words, whole.adjusted, whole.left_out) == (4, "-$7.00", "", 0)
    assert overview(waits).result == (
        "You lost $7.00 in 4 hands. With average luck: when all hands are valued (2 of 4 so far)."
    )
    plain = [row(n, net=1.0) for n in range(3)]
    assert [name for name, _ in CURVE.findall(index_page("night.txt", plain))] == ["net"]
    assert result_curves(plain[:1]) == ()
    assert result_curves([row(1, net=None), row(2, net=None)]) == ()
    (long,) = result_curves([row(n, net=0.01) for n in range(5000)])
    assert len(long.net.split()) < 1000
    assert long.net.split()[-1].startswith("1000,")
    assert long.net_words == "+$50.00"


def test_each_currency_and_each_tournament_has_its_own_curve_and_sentence() -> None:
    euros = [row(n, net=1.0, unit="€") for n in range(3)]
    chips = [row(n, net=-100.0, unit="chips", tournament="A & B") for n in range(25)]
    others = [row(n, net=9_000.0, unit="chips", tournament="C") for n in range(2)]
    rows = [*others, *euros, row(9), *chips]
    curves = [(one.hands, one.tournament, one.net_words) for one in result_curves(rows)]
    tournaments = (25, "A & B", "-2,500 chips"), (2, "C", "+18,000 chips")
    assert curves == [tournaments[0], (3, "", "+€3.00"), tournaments[1]]
    assert "<h3>Tournament A &amp; B</h3>" in index_page("night.txt", rows)
    several = "You were dealt 27 hands for chips of several tournaments, which do not add up."
    assert overview(rows).result == (
        f"You won €3.00 in 3 hands. You lost $4.50 in 1 hand. {several}"
    )
    # Bets rise in a tournament: there are no big bets a hand.
    assert overview(chips).result == "You lost 2,500 chips in 25 hands."


def test_dollars_in_a_tournament_are_chips() -> None:
    paid = made("merge.xml").replay
    prize = replace(paid, history=replace(paid.history, tournament="yes"))
    found = [row_of(replace(made("merge.xml"), replay=one)) for one in (paid, prize)]
    assert [(one.unit, one.tournament) for one in found] == [("$", ""), ("chips", "yes")]


def test_your_result_says_you() -> None:
    assert row_of(made("pokerstars.txt")).result == "you win $9.95"


def test_nothing_is_claimed_about_few_reads() -> None:
    few = [row(n, reads=(read(1.0),)) for n in range(LEAST_HANDS - 1)]
    assert overview(few).reads == (
        "Only 19 holdings of players were shown: too few to say how good the reads were."
    )
    assert overview(few[:1]).reads.startswith("One player's holding was shown: too few ")
    assert overview([row(1)]).reads == ""
    enough = [*few, row(99, reads=(read(None, first=False),))]
    words = overview(enough).reads
    assert words.startswith("For 20 holdings of players that were shown, the last read named ")
    assert re.search(r"first in 95 of 100 \(\d+ to \d+\); the upcards alone, in <1[ .]", words)
    assert "The reads gave" not in words
    assert words.endswith(" In 1 of them it had ruled out the true cards.")


def test_the_panels_list_what_is_loudest() -> None:
    rows = session_rows(60)
    found = overview(rows)
    theirs = sorted((high.bits for one in rows for high in one.theirs), reverse=True)[:LISTED]
    assert [one.row.theirs[0].words for one in found.theirs] == [one.words for one in found.theirs]
    assert [one.row.theirs[0].bits for one in found.theirs] == theirs
    for one in found.yours:
        assert (
            one.mark
            == {"true": "told the truth", "false": "misled", "": ""}[one.row.yours[0].verdict]
        )
    bits = sorted(known.bits or 0.0 for one in rows for known in one.reads)
    assert [one.row.reads[0].bits for one in found.worst] == bits[:3]
    assert [one.row.reads[0].bits for one in found.best] == bits[:-4:-1]
    times = r"[\d.]+ times the chance that the"
    gives = rf"the upcards give the true cards {times} read gave \(.+ of .+\)"
    assert re.fullmatch(gives, found.worst[0].words)
    gave = rf"the read gave the true cards {times} upcards give \(.+ of .+\)"
    assert re.fullmatch(gave, found.best[0].words)


def test_a_loud_action_says_what_it_rules_out() -> None:
    high = Highlight("Lou bets", 1, 3.0, "1 time in 8")
    assert high.words == "rules out 88% of the holdings; seen 1 time in 8"
    assert replace(high, bits=9.0).words.startswith("rules out over 99% of the holdings")
    (mine,) = overview([row(1, yours=(Highlight("You bet", 1, 3.0, "", "false"),))]).yours
    assert (mine.mark, mine.words) == ("misled", "rules out 88% of the holdings")


def test_players_are_compared_with_the_others() -> None:
    (table,) = overview(session_rows(400)).players.tables
    lines = {line.name: line for line in table.lines}
    assert list(lines) == ["you", "Lou", "Nora", "Dan"]
    for name, claim in (("Lou", "more"), ("Nora", "less")):
        plays = lines[name].cells[0]
        assert plays.claim == claim
    assert [line.page.rpartition("-")[0] for line in table.lines] == [
        f"player-{name}" for name in lines
    ]
    assert overview(session_rows(400)).players.left_out == ""


def test_players_of_few_hands_are_counted_alone() -> None:
    few = [row(n, plays=(play("Lou", plays=True),)) for n in range(LISTED_HANDS - 1)]
    found = overview(few).players
    assert found.tables == ()
    assert found.left_out == "1 player was in few hands: too few to say how they bet."
    both = [*few, row(90, plays=(play("Dan"),))]
    assert overview(both).players.left_out == (
        "2 players were in few hands: too few to say how they bet."
    )
    enough = [*both, row(91, plays=(play("Lou"),))]
    (table,) = overview(enough).players.tables
    assert [line.name for line in table.lines] == ["Lou"]
    assert table.lines[0].cells[0].claim == ""
    nameless = [row(n, plays=(play(""),)) for n in range(30)]
    assert overview(nameless).players.left_out == "The log does not name the other players."


@pytest.mark.parametrize(("game", "compared"), [("stud", True), ("5stud", False)])
def test_a_player_is_compared_where_the_game_has_an_average(game: str, compared: bool) -> None:
    rows = [row(n, variant=game, plays=(play("Lou", plays=True),)) for n in range(9)]
    (line,) = overview(rows).players.pages
    text = player_page("night.txt", "index.html", line, rows)
    assert ("<i>likely</i>" in text) is compared
    assert ">9 of 9<" in text


@pytest.mark.parametrize("name", NASTY[:6])
def test_the_page_of_a_player_keeps_names_text(name: str) -> None:
    name = name.replace("\u202e", "").replace("\x1b", "")
    rows = [row(n, name, plays=(play(name, plays=True, shown="split pair"),)) for n in range(9)]
    (line,) = overview(rows).players.pages
    text = player_page(name, "index.html", line, rows)
    walk = check_form(text)
    check_closed_off(text)
    shown = "".join(walk.shown)
    assert shown.count(name) > 0
    assert "plays 3rd street" in shown
    assert "split pair 9" in shown
    hrefs = [a["href"] for tag, a in walk.elements if tag == "a"]
    assert hrefs == ["index.html", *(f"{n:04}.html" for n in range(9))]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted), max_size=40))
def test_a_share_is_that_of_all_trials(counts: list[list[int]]) -> None:
    pairs = [(hits, trials) for hits, trials in counts]
    found = mean(pairs, Estimate.share)
    trials = sum(n for _, n in pairs)
    assert found.n == trials
    assert found.hands == sum(n > 0 for _, n in pairs)
    if not trials:
        assert math.isnan(found.mean)
        return
    assert found.mean == pytest.approx(sum(hits for hits, _ in pairs) / trials)
    if found.low <= found.high:
        assert 0.0 <= found.low <= found.mean <= found.high <= 1.0


def test_a_share_of_single_trials_has_the_error_of_a_binomial() -> None:
    found = mean([(int(n < 30), 1) for n in range(100)], Estimate.share)
    assert found.error == pytest.approx(math.sqrt(0.3 * 0.7 / 99))
    assert found.low < 0.3 < found.high
    # Hands whose decisions agree say less than as many decisions of their own.
    alike = mean([(4 * (n < 8), 4) for n in range(25)], Estimate.share)
    assert alike.high - alike.low > found.high - found.low


# The page as text


@pytest.mark.parametrize("name", NASTY[:6])
def test_the_index_keeps_names_text(name: str) -> None:
    name = name.replace("\u202e", "").replace("\x1b", "")
    hostile = {
        "key": name,
        "game": name,
        "unit": name,
        "reads": (read(2.0, name),),
        "plays": (play(name),),
    }
    rows = [row(n, name, **hostile) for n in range(1, 21)]
    rows.append(row(21, name, refused=f"line 3: {name}", notes=1, source="other"))
    reasons = {"refused": [f"Hand 3: {name}", "b"], "of another game": ["razz"]}
    text = index_page(name, rows, reasons, f"2 refused, 3 of other games (2 {name}, 1 razz)")
    walk = check_form(text)
    check_closed_off(text)
    shown = "".join(walk.shown)
    assert shown.count(name) > 60
    assert "21 hands, 2 refused, 3 of other games (2 " in shown
    assert "stops: line 3" in shown
    hrefs = {a["href"] for tag, a in walk.elements if tag == "a"}
    assert hrefs == {
        "#hands-title",
        *(f"{n:04}.html{moment}" for n in range(1, 22) for moment in ("", "#5")),
        *(f"{n:04}.html#9" for n in (1, 2, 3)),
        "#log=other",
        f"#{urlencode({'log': name})}",
        page_name(PlayerRecord(name, STUD)),
    }
    assert [tag for tag, _ in walk.elements].count("script") == 1
    assert not [tag for tag, _ in walk.elements if tag in ("img", "iframe")]
    keys = [a["data-key"] for tag, a in walk.elements if "data-key" in a]
    assert keys[0] == name


def test_an_index_of_nothing() -> None:
    text = index_page("nothing.txt", [], {"refused": ["nothing.txt:1: what is this?"]})
    walk = check_form(text)
    check_closed_off(text)
    assert "There is no hand to show." in "".join(walk.shown)
    assert "nothing.txt:1: what is this?" in "".join(walk.shown)
    assert "Refused" not in index_page("nothing.txt", [])


def test_the_index_leaves_out_what_it_does_not_know() -> None:
    quiet = row(1, in_hand="", net=None, net_words="", theirs=(), telling=None)
    text = index_page("one.txt", [quiet])
    shown = "".join(check_form(text).shown)
    for words in ("You ", "your result", "the read", "loudest", "left out"):
        assert words not in shown
    whole = "".join(check_form(index_page("many.txt", session_rows(30))).shown)
    for words in ("Your loudest actions", "How good are the reads?", "The players"):
        assert words in whole
    assert "NaN" not in whole
    assert "nan" not in whole
