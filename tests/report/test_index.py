"""The index of a session as values and as text: its rows, and the summary of them."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import handread
from handread.history import Action, History
from handread.odds.holdings import kind_of
from handread.report.build import hand_report
from handread.report.html import index_page
from handread.report.html.charts import result_curve
from handread.report.index import HandWorth, Highlight, IndexRow, index_row
from handread.report.overview import (
    LISTED,
    mean_bits,
    overview,
    read_words,
    told_words,
)
from handread.report.session_players import LEAST_HANDS, share
from handread.report.steps import hand_steps
from handread.report.values import HandReport, Steps
from handread.report.words import LITTLE_BITS
from tests.pages import NASTY, hands_of
from tests.program import SAMPLES
from tests.report.test_html import check_closed_off, check_form
from tests.session_rows import play, read, row, session_rows


def made(name: str, viewpoint: str = "public", policy: str | None = None) -> HandReport:
    hand = next(hands_of(SAMPLES / name))
    return hand_report(handread.analyze(hand, policy=policy, viewpoint=viewpoint))


def row_of(report: HandReport, steps: Steps | None = None) -> IndexRow:
    return index_row(report, steps or hand_steps(report), 3, "0003-17.html")


# A row


def test_a_row_says_what_the_hand_came_to() -> None:
    report = made("showdown.stud")
    steps = hand_steps(report)
    found = row_of(report, steps)
    assert (found.number, found.page, found.title) == (3, "0003-17.html", "Hand 17")
    assert found.reached == "7th street"
    assert (found.pot, found.pot_words, found.game) == (24.0, "24.00", "1.00/2.00")
    assert found.result == "1 Ann wins 24.00"
    assert found.players[:2] == ("1 Ann", "2 B B")
    # No player is you, so nothing is said of your result.
    assert (found.net, found.net_words, found.in_hand, found.yours) == (None, "", "", ())
    told = [
        (step.action.information.value or 0.0, moment)
        for moment, step in enumerate(steps.steps)
        if step.action is not None and step.mark != "f"
    ]
    assert found.telling is not None
    assert (found.telling.bits, found.telling.moment) == max(told, key=lambda item: item[0])
    title = steps.steps[found.telling.moment].title
    assert found.telling.what.startswith(title[0].upper() + title[1:])
    assert found.theirs[0] == found.telling
    assert [high.bits for high in found.theirs] == sorted((bits for bits, _ in told), reverse=True)[
        :3
    ]
    assert IndexRow.from_record(json.loads(json.dumps(found.record(), allow_nan=False))) == found


def test_the_reads_of_a_row_are_the_last_ones() -> None:
    report = made("all-cards-known.stud")
    found = row_of(report)
    last = {}
    for stage in report.analysis.stages:
        if stage.after_bets and stage.street > 3:
            last.update(dict(stage.seats) | dict(stage.folded))
    assert [one.who for one in found.reads] == [report.spoken[seat] for seat in sorted(last)]
    for one, seat in zip(found.reads, sorted(last), strict=True):
        truth = last[seat].truth
        assert truth is not None
        assert one.bits == pytest.approx(truth.score_bits)
        shares = last[seat].families()
        true = kind_of(truth.downcards, last[seat].up).family
        best = max(share.bet_inference for share in shares.values())
        assert one.first is (shares[true].bet_inference == best)


def test_a_truth_that_was_ruled_out_has_no_bits() -> None:
    honest = row_of(made("all-cards-known.stud", policy="honest"))
    missed = sum(one.bits is None for one in honest.reads)
    assert missed > 0
    assert read_words(honest) == f"ruled out {missed} of {len(honest.reads)}"
    assert mean_bits(honest) == -math.inf
    uniform = row_of(made("all-cards-known.stud", policy="uniform"))
    assert {round(one.bits or 0.0, 9) for one in uniform.reads} == {0.0}
    assert read_words(uniform) == "1.0×"
    assert row_of(made("all-cards-known.stud", "omniscient", "loose")).reads == ()


def test_you_are_the_player_who_looks_on() -> None:
    report = made("showdown.stud", "seat:1")
    found = row_of(report)
    assert found.in_hand == "played"
    assert found.net_words.startswith("+")
    replay = report.analysis.replay
    assert found.net == pytest.approx((replay.won[1] - replay.paid[1]) / 100)
    assert found.net_bets == pytest.approx(
        (replay.won[1] - replay.paid[1]) / replay.stakes.bets[-1]
    )
    steps = hand_steps(report)
    assert found.yours
    for high in found.yours:
        action = steps.steps[high.moment].action
        assert action is not None
        assert action.seat == 1
        assert (high.bits, high.often) == (action.table.value, "")
        verb, _, rest = action.words.partition(" ")
        assert high.what.startswith(f"You {verb[:-1]} {rest}".strip())
        assert action.table_truth is not None
        bits = action.table_truth.value or 0.0
        assert high.verdict == ("" if abs(bits) < LITTLE_BITS else "true" if bits > 0 else "false")
    assert [seat.you for seat in found.plays] == [True] + [False] * (len(found.plays) - 1)
    assert "1 Ann" not in {one.who for one in found.reads}


def test_the_key_of_a_hand_stays_and_tells_it_from_others(tmp_path: Path) -> None:
    text = (SAMPLES / "session.phhs").read_text()
    copy = tmp_path / "elsewhere.phhs"
    copy.write_text("\n\n" + text)
    keys = []
    for source in (SAMPLES / "session.phhs", copy):
        found = [hand_report(handread.analyze(hand, policy="uniform")) for hand in hands_of(source)]
        keys.append([row_of(report).key for report in found])
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == 3
    hand = next(hands_of(SAMPLES / "showdown.stud"))
    twin = replace(hand, seats=tuple(replace(seat, name="Zoe") for seat in hand.seats))
    ids = {row_of(hand_report(handread.analyze(each))).key for each in (hand, twin)}
    assert len(ids) == 2
    assert {key.partition("~")[0] for key in ids} == {"17"}


@pytest.mark.parametrize("name", ["showdown.stud", "eight-players.stud", "steal.stud"])
def test_the_play_of_each_player_is_counted(name: str) -> None:
    report = made(name)
    replay = report.analysis.replay
    chips = {Action.CALL, Action.BET, Action.RAISE}
    found = row_of(report).plays
    assert [one.name for one in found] == [
        replay.history.seat(seat).name for seat in replay.streets[0].active
    ]
    for one, seat in zip(found, replay.streets[0].active, strict=True):
        mine = [d for d in replay.decisions if d.seat == seat]
        assert one.plays is any(d.street == 3 and d.action in chips for d in mine)
        assert one.raises is any(d.street == 3 and d.action in chips - {Action.CALL} for d in mine)
        assert one.later == sum(d.street > 3 for d in mine)
        assert one.aggressive == sum(
            d.street > 3 and d.action in chips - {Action.CALL} for d in mine
        )
        assert bool(one.shown) is (seat in replay.showdown and seat in replay.downcards)


def test_a_hand_without_a_street_has_a_row() -> None:
    history = next(hands_of(SAMPLES / "stops-in-the-middle.stud"))
    found = row_of(hand_report(handread.analyze(history)))
    assert isinstance(history, History)
    assert found.net is None
    assert found.reads == ()


# The summary


def test_your_result_is_added_by_unit() -> None:
    rows = [
        row(1, net=12.5, net_bets=1.0),
        row(2, net=-0.25, net_bets=-0.1),
        row(3, net=-300.0, unit="chips"),
        row(4, net=None, net_words=""),
        row(5, in_hand="", net=None),
    ]
    found = overview(rows)
    assert found.result == "You won $12.25 in 2 hands; you lost 300 chips in 1 hand."
    assert found.played == "You played 4 of the 4 hands dealt to you."
    assert overview([row(1, net=0.0)]).result == "You broke even in 1 hand."
    many = [row(n, net=1.0, net_bets=0.5) for n in range(LEAST_HANDS)]
    assert overview(many).result == "You won $20.00 in 20 hands (+0.50 big bets a hand)."
    risen = [replace(one, game="$9/$18" if one.number > 3 else one.game) for one in many]
    assert overview(risen).result.endswith("big bets a hand, each hand at its own stakes).")
    assert overview([row(1, in_hand="", net=None)]).result == ""


def test_the_reads_say_on_which_streets_they_add_to_the_upcards() -> None:
    def read_on(n: int) -> IndexRow:
        late = -0.5 if n % 2 else 0.5
        return row(n, reads=(read(late),), street_reads=((4, 1.0), (5, 0.9 + late), (7, late)))

    words = overview([read_on(n) for n in range(40)]).reads
    assert words.endswith(
        "The reads made what they held 2.0 times as likely as the upcards do on 4th street, "
        "1.9 on 5th and 1.0 on 7th. That is more than chance on 4th and 5th street."
    )
    lost = [row(n, reads=(read(-1.0),), street_reads=((4, -1.0),)) for n in range(40)]
    assert overview(lost).reads.endswith(" That is more than chance on no street.")


def test_a_row_has_every_read_of_a_street() -> None:
    report = made("all-cards-known.stud")
    found = row_of(report)
    wanted = [
        (stage.street, seat.truth.score_bits)
        for stage in report.analysis.stages
        if stage.after_bets and stage.street > 3
        for seat in (*stage.seats.values(), *stage.folded.values())
        if seat.truth is not None
    ]
    assert len(wanted) > len(found.reads)
    assert list(found.street_reads) == wanted


def test_a_row_has_your_cards_and_the_date() -> None:
    found = row_of(made("pokerstars.txt", "hero"))
    assert (found.cards, found.held) == (("9c 9s", "6h Td 9d Ah", "4s"), "three nines")
    assert found.date == "14 Mar 2026, 20:15"
    text = index_page("night.txt", [found])
    assert "<span>9♣ 9♠</span> <span>6♥ T♦ 9♦ A♥</span> <span>4♠</span>" in text
    assert "14 Mar 2026, 20:15" in text
    assert row_of(made("showdown.stud")).cards == ()
    assert row_of(made("showdown.stud")).date == ""
    assert row_of(made("simulated-kingsclub.txt")).date == ""  # a date of 1970 is made up


CURVE = re.compile(r'<polyline class="(net|fair)" points="([^"]+)"')


def test_the_curve_adds_up_results_with_and_without_luck() -> None:
    def valued(n: int, net: float, adjusted: float | None) -> IndexRow:
        worth = HandWorth("the policy people", 1, 0, (), (), adjusted, adjusted or 0.0)
        return row(n, net=net, net_bets=net, worth=worth)

    rows = [valued(1, 3.0, 1.0), valued(2, -7.0, None), valued(3, -4.0, 2.0), valued(4, 1.0, -1.0)]
    found = result_curve(rows)
    assert found is not None
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
    assert "Your result over 3 hands: +$0.00; without the luck of the cards +$2.00." in text
    assert "1 hand without a value of the luck left out" in text
    plain = [row(n, net=1.0) for n in range(3)]
    assert [name for name, _ in CURVE.findall(index_page("night.txt", plain))] == ["net"]
    assert result_curve(plain[:1]) is None
    assert result_curve([row(1, net=None), row(2, net=None)]) is None


def test_the_curve_of_two_currencies_is_in_big_bets() -> None:
    found = result_curve([row(1), row(2, unit="€", net=9.0, net_bets=4.0)])
    assert found is not None
    assert found.net_words == "+1.8 BB"


def test_a_long_curve_keeps_its_end() -> None:
    found = result_curve([row(n, net=0.01) for n in range(5000)])
    assert found is not None
    assert len(found.net.split()) < 1000
    assert found.net.split()[-1].startswith("1000,")
    assert found.net_words == "+$50.00"


def test_nothing_is_claimed_about_few_reads() -> None:
    few = [row(n, reads=(read(1.0),)) for n in range(LEAST_HANDS - 1)]
    assert overview(few).reads == (
        "The downcards of only 19 players are known: too few to say how good the reads were."
    )
    assert overview([row(1)]).reads == ""
    enough = [*few, row(99, reads=(read(None, first=False),))]
    words = overview(enough).reads
    assert words.startswith("Of 20 players whose downcards are known and who saw 4th street, ")
    assert "the right family first for 95% (" in words
    assert "the upcards alone, for <1%" in words
    assert "The reads made" not in words
    assert words.endswith(" It had ruled out what 1 of them held.")


def test_the_panels_list_what_is_loudest() -> None:
    rows = session_rows(60)
    found = overview(rows)
    theirs = sorted((high.bits for one in rows for high in one.theirs), reverse=True)[:LISTED]
    assert [told_words(one.row.theirs[0]) for one in found.theirs] == [
        one.words for one in found.theirs
    ]
    assert [one.row.theirs[0].bits for one in found.theirs] == theirs
    for one in found.yours:
        assert (
            one.mark
            == {"true": "told the truth", "false": "misled", "": ""}[one.row.yours[0].verdict]
        )
    bits = sorted(known.bits or 0.0 for one in rows for known in one.reads)
    assert [one.row.reads[0].bits for one in found.worst] == bits[:3]
    assert [one.row.reads[0].bits for one in found.best] == bits[:-4:-1]
    assert "times less likely" in found.worst[0].words
    assert "times as likely" in found.best[0].words


def test_an_action_that_is_beyond_the_model_has_no_infinite_words() -> None:
    high = Highlight("Lou bets", 1, 3.0, "1 time in 8")
    assert told_words(high) == "rules out 88% of the holdings; seen 1 time in 8"
    assert told_words(replace(high, bits=9.0)).startswith("rules out over 99% of the holdings")
    mine = Highlight("2 Ann (you) bets", 1, 3.0, "", "false")
    found = overview([row(1, yours=(mine,))])
    assert (found.yours[0].mark, found.yours[0].words) == (
        "misled",
        "rules out 88% of the holdings",
    )


def test_players_are_compared_with_the_others() -> None:
    found = overview(session_rows(400)).players
    lines = {line.name: line for line in found.lines}
    assert found.lines[0].you
    assert list(lines) == ["", "Lou", "Nora", "Dan"]
    assert "plays more hands" in lines["Lou"].claims
    assert "plays fewer hands" in lines["Nora"].claims
    assert lines["Lou"].cells["plays"].claim == "more"
    assert lines["Nora"].cells["plays"].claim == "less"
    assert found.others is not None
    assert found.others.hands == 1200
    assert found.left_out == ""


def test_nothing_is_claimed_about_players_of_few_hands() -> None:
    few = [row(n, plays=(play("Lou", plays=True),)) for n in range(LEAST_HANDS - 1)]
    found = overview(few).players
    assert (found.lines, found.others) == ((), None)
    assert found.left_out == "Lou was in fewer than 20 hands: too few to say how anybody bets."
    both = [*few, row(90, plays=(play("Dan"),))]
    assert overview(both).players.left_out == (
        "2 players were in fewer than 20 hands each (Lou in most, 19): too few to say how they bet."
    )
    enough = [*both, row(91, plays=(play("Lou"),))]
    lines = overview(enough).players.lines
    assert [line.name for line in lines] == ["Lou"]
    assert lines[0].claims == ""  # the one hand of another player is nothing to compare with
    nameless = [row(n, plays=(play(""),)) for n in range(30)]
    assert overview(nameless).players.left_out == "The log does not name the other players."


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted), max_size=40))
def test_a_share_is_that_of_all_trials(counts: list[list[int]]) -> None:
    pairs = [(hits, trials) for hits, trials in counts]
    found = share(pairs)
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
    found = share([(int(n < 30), 1) for n in range(100)])
    assert found.error == pytest.approx(math.sqrt(0.3 * 0.7 / 99))
    assert found.low < 0.3 < found.high
    # Hands whose decisions agree say less than as many decisions of their own.
    alike = share([(4 * (n < 8), 4) for n in range(25)])
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
    text = index_page(name, rows, [f"Hand 3: {name}", "b"], {name: 2, "razz": 1})
    walk = check_form(text)
    check_closed_off(text)
    shown = "".join(walk.shown)
    assert shown.count(name) > 60
    assert "21 hands, 2 refused." in shown
    assert "3 hands of other games, left out: 2 " in shown
    assert "stops: line 3" in shown
    hrefs = {a["href"] for tag, a in walk.elements if tag == "a"}
    assert hrefs == {
        "#hands-title",
        *(f"{n:04}.html{moment}" for n in range(1, 22) for moment in ("", "#5")),
        *(f"{n:04}.html#9" for n in (1, 2, 3)),
    }
    assert [tag for tag, _ in walk.elements].count("script") == 1
    assert not [tag for tag, _ in walk.elements if tag in ("img", "iframe")]
    keys = [a["data-key"] for tag, a in walk.elements if "data-key" in a]
    assert keys[0] == name


def test_an_index_of_nothing() -> None:
    text = index_page("nothing.txt", [], ["nothing.txt:1: what is this?"])
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
    for words in ("Your loudest actions", "Best and worst reads", "You and the others"):
        assert words in whole
    assert "NaN" not in whole
    assert "nan" not in whole
