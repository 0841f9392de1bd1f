"""The values of decisions on the page of a hand: figures and words, bars, and "what if"."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from handread.decisions.decision_values import Valuation
from handread.decisions.hand_values import HandValues, hand_values
from handread.decisions.ledger import TERMS, Ledger
from handread.decisions.rollouts import Futures, HouseRake, Rollouts
from handread.decisions.terms import DecisionTerms, ValuedHand
from handread.decisions.turns import LegalAction, Turn
from handread.game.rules import STREET_NAMES
from handread.inference.players import player_models
from handread.policy import load_policy
from handread.report.first_screen import first_text
from handread.report.html.charts import OPTION_WIDTH, ledger_bars, option_bars
from handread.report.html.data import page_data
from handread.report.html.page import (
    PageLinks,
    index_page,
    kept_json,
    page,
    session_page,
    shared_files,
)
from handread.report.index import (
    CostlyDecision,
    HandWorth,
    IndexRow,
    hand_worth,
    index_row,
    placed_row,
)
from handread.report.overview import overview
from handread.report.session_decisions import kind_rows
from handread.report.what_if import OTHERS, DecisionFigures, HandDecisions, hand_decisions
from handread.report.words import share_words
from handread.study.session_values import SessionValues
from handread.typed import packed, unpacked
from tests.packed import page_data_of
from tests.page_probes import CONTRASTS
from tests.pages import Made, hostile, sample
from tests.report.test_html import check_closed_off, check_form
from tests.session_rows import row

if TYPE_CHECKING:
    from tests.browser import Page

Q = {"fold": 0.0, "check": 100.0, "call": 100.0, "bet": 250.0, "raise": 100.5}
"""Mean nets: betting beats checking by 150, raising and calling are nearly the same."""


def roll_out(means: Mapping[str, float]) -> Valuation:
    """A valuation by random nets with these means, and common random numbers."""

    def nets(
        turn: Turn, options: Sequence[LegalAction], futures: Futures, rake: HouseRake
    ) -> Rollouts:
        actions = [option.action for option in options]
        rng, n = np.random.default_rng(turn.decision.n), futures.weights.size
        common = rng.normal(0.0, 200.0, (n, 1))
        own = rng.normal(0.0, 10.0, (n, len(actions))) + [means[action] for action in actions]
        folds = [action == "fold" for action in actions]
        return Rollouts(np.where(folds, 0.0, common + own), np.ones(n))

    return Valuation(64, nets)


def valued_hand(made: Made, check: bool = False) -> ValuedHand:
    valuation = roll_out(Q)
    if check:
        valuation = replace(valuation, check=player_models(load_policy("default")))
    values = hand_values(made.analysis, valuation)
    terms = DecisionTerms(rollouts=valuation.rollouts, check=valuation.check)
    return ValuedHand(made.analysis, values, terms)


def valued(made: Made, check: bool = False) -> HandDecisions:
    """The figures of a hand's decisions."""
    return hand_decisions(made.report, made.steps, valued_hand(made, check))


def row_of(hand: ValuedHand) -> IndexRow:
    history = hand.replay.history
    return placed_row(index_row(hand.analysis), history, 3, "0003-17.html", hand_worth(hand))


def all_known(viewpoint: str = "public") -> Made:
    return sample("all-cards-known.stud", viewpoint)


@cache
def worth(viewpoint: str = "public", check: bool = False) -> HandDecisions:
    """The figures of a hand of which all downcards are known."""
    return valued(all_known(viewpoint), check)


def of_words(words: str, viewpoint: str = "public") -> DecisionFigures:
    """The first decision in which this was done."""
    return next(one for one in worth(viewpoint).by_moment if one.words == words)


# Figures


def test_every_decision_has_its_moment_its_options_and_the_families_of_the_read() -> None:
    made = all_known()
    assert len(worth().by_moment) == 19
    for one in worth().by_moment:
        action = made.moments[one.moment].action
        assert (action.seat, action.words) == (one.seat, one.words)
        assert sum(option.taken for option in one.options) == 1
        assert all(option.low <= option.value <= option.high for option in one.options)
        assert one.taken.bits == action.table.words
        taken = one.options.index(one.taken)
        shares = {name: share for name, share, _ in made.read(one.moment, one.seat).families}
        for line in one.families:
            assert len(line.after) == len(one.options)
            assert line.name == OTHERS or line.after[taken] == share_words(shares[line.name])
    for words, options in (
        ("completes to 1.00", ["Fold", "Call 0.25", "Complete to 1.00"]),
        ("raises to 4.00", ["Fold", "Call 2.00", "Raise to 4.00"]),
        ("calls 2.00", ["Fold", "Call 2.00", "Raise to 6.00"]),
    ):
        assert [option.words for option in of_words(words).options] == options


def test_the_verdicts_are_said_in_words() -> None:
    close = next(one for one in worth().by_moment if one.verdict == "close")
    for one, verdict, sentence, cost in (
        (
            of_words("checks"),
            "costly",
            r"Against these players betting is better: checking cost 1\.\d\d \(0\.7\d BB\)\.",
            r"0\.7\d ±0\.0\d BB \(1\.\d\d\)",
        ),
        (of_words("bets 2.00"), "best", r"Bet is best: no other action is worth more\.", ""),
        (
            close,
            "close",
            r"Too close to call between (calling|raising) and \w+\.",
            r"0(\.0\d)? ±0\.0\d BB",
        ),
    ):
        assert one.verdict == verdict
        assert re.fullmatch(sentence, one.sentence)
        assert re.fullmatch(cost, one.cost)
    others = [o.against for one in worth().by_moment for o in one.options if not o.taken]
    compared = re.compile(r"Worth (as much as|[\d.]+ \([\d.]+ BB\) (more|less) than) ")
    assert all(map(compared.match, others))


def test_a_mistake_is_one_by_two_policies() -> None:
    found = [one for one in worth(check=True).by_moment if one.words == "checks"]
    assert {one.verdict for one in found} == {"mistake"}
    sentence = found[0].sentence
    cost = r"1\.\d\d \(0\.7\d BB\)"
    against = r"and against other players \(policy table1-left\)"
    expected = rf"Bet is best: checking cost {cost}, {against} {cost}\."
    assert re.fullmatch(expected, sentence)
    assert "; costly ones also by the policy table1-left" in worth(check=True).basis


def test_bars_stand_at_their_values() -> None:
    for one in worth().by_moment:
        bars = option_bars(one)
        for bar, option in zip(bars, one.options, strict=True):
            assert 0 <= bar.low <= bar.high <= OPTION_WIDTH
            assert 0 <= bar.x <= bar.x + bar.width <= OPTION_WIDTH
            assert bar.zero == (bar.x if option.value >= 0 else bar.x + bar.width)
        widths = {option.value: bar.width for bar, option in zip(bars, one.options, strict=True)}
        positive = sorted(value for value in widths if value >= 0)
        assert [widths[value] for value in positive] == sorted(widths[v] for v in positive)


def test_the_ledger_is_the_result_by_what_brought_it() -> None:
    made = all_known("seat:2")
    terms = dict(zip(TERMS, (-100_500, 400_000, 0, -50_000, -1_449_500, 0), strict=True))
    values = HandValues((), {2: Ledger(2, -1200, terms)})
    hand = ValuedHand(made.analysis, values, DecisionTerms())
    found = hand_decisions(made.report, made.steps, hand)
    (player,) = found.players
    assert (player.ledger.result, player.ledger.adjusted) == ("-12.00", "-0.50 (-0.25 BB)")
    assert [(term.name, term.words) for term in player.ledger.terms] == [
        ("first deal", "-0.50"),
        ("later cards", "+2.00"),
        ("own actions", "-0.25"),
        ("showdown", "-7.25"),
    ]
    bars = ledger_bars(player.ledger)
    widths = [abs(term.value) / 9.2475 * OPTION_WIDTH for term in player.ledger.terms]
    assert [bar.width for bar in bars] == pytest.approx(widths, abs=1.0)
    text = page(made.report, made.steps, kept_json(made.analysis), decision_values=found)
    check_form(text)
    assert "Result -12.00, with average luck -0.50 (-0.25 BB)" in text
    row = row_of(hand)
    assert (row.worth.adjusted, row.worth.adjusted_bets) == (-0.5, -0.25)


# The page


def made_page(viewpoint: str = "public") -> str:
    made = all_known(viewpoint)
    return page(made.report, made.steps, kept_json(made.analysis), decision_values=worth(viewpoint))


@pytest.mark.parametrize("viewpoint", ["public", "seat:1", "omniscient"])
def test_a_page_with_values_is_well_formed_and_closed_off(viewpoint: str) -> None:
    made = all_known(viewpoint)
    text = made_page(viewpoint)
    check_form(text)
    check_closed_off(text)
    assert len(text.encode()) < len(made.html.encode()) + 60_000
    assert text.count('<ol class="options">') == 19
    assert text.count("<em>taken</em>") == 19
    assert f"policy {made.analysis.reader.name} " in text
    assert "worth" not in made.html
    data = page_data_of(text)
    shown = json.loads(json.dumps(page_data(made.report, made.steps)))
    assert {**data, "worth": []} == shown
    for one, shares in zip(worth(viewpoint).by_moment, data["worth"], strict=True):
        assert shares["families"] == [
            {"name": line.name, "before": line.before, "after": list(line.after)}
            for line in one.families
        ]


def test_the_hero_comes_first_and_values_that_tell_of_hidden_downcards_are_hidden() -> None:
    for viewpoint, seats, shown in (
        ("public", [1, 2, 3, 4, 5, 6, 7], 0),
        ("seat:2", [2, 1, 3, 4, 5, 6, 7], 1),
        ("omniscient", [1, 2, 3, 4, 5, 6, 7], 7),
    ):
        found = worth(viewpoint)
        opened = [True] * shown + [False] * (7 - shown)
        assert [player.seat for player in found.players] == seats
        assert [player.is_open for player in found.players] == opened
        assert found.has_closed is (shown < 7)
        groups = re.findall(r'<div class="worth-of( spoiler)?">', made_page(viewpoint))
        assert [not hidden for hidden in groups] == opened


def test_hostile_names_stay_text_beside_values() -> None:
    made = hostile()
    text = page(made.report, made.steps, kept_json(made.analysis), decision_values=valued(made))
    walk = check_form(text)
    check_closed_off(text)
    assert text.count("</script>") == 3
    assert "<b>" in "".join(walk.shown)
    for character in ("\u2028", "\u2029", "\u202e", "\x1b"):
        assert character not in text


def test_pages_of_a_session_without_values_share_other_files() -> None:
    with_values, without = shared_files(True), shared_files()
    assert not set(with_values) & set(without)
    assert not any("worth" in text for text in without.values())
    text = session_page(all_known().report, all_known().steps, PageLinks("i.html"), worth())
    assert all(f'"{file}"' in text for file in with_values)


# The index


def valued_row(viewpoint: str) -> IndexRow:
    return row_of(valued_hand(all_known(viewpoint)))


def test_a_row_carries_the_decisions_that_cost_something() -> None:
    found = valued_row("seat:2")
    assert unpacked(IndexRow, packed(found)) == found
    assert (found.worth.yours, found.worth.theirs) == (8, 11)
    wanted = [one.moment for one in worth("seat:2").by_moment if one.verdict == "costly"]
    assert [one.moment for one in found.worth.costly] == wanted
    mine = [one for one in found.worth.costly if one.yours]
    assert {one.what for one in mine} == {
        f"You check on {street} street" for street in ("4th", "5th", "6th")
    }
    assert all(one.spot.startswith("with ") and one.spot.endswith(" showing") for one in mine)
    theirs = [one for one in found.worth.costly if not one.yours]
    assert {one.spot for one in theirs} == {""}  # what they held stays hidden
    assert found.worth.adjusted is None  # the values have no ledger


def test_the_costs_by_street_and_action_are_those_of_the_terminal() -> None:
    made = all_known("seat:2")
    totals = SessionValues()
    totals.add(made.analysis, hand_values(made.analysis, roll_out(Q)))
    table = totals.table()
    name = made.report.replay.history.seat(2).name
    panel = overview([valued_row("seat:2")]).decisions
    assert panel.kinds == kind_rows(table, name)
    assert [row[0] for row in panel.kinds[1:]] == [
        f"{STREET_NAMES[kind.street]} {kind.action}" for kind in table.kinds[name]
    ]
    assert sum(int(row[1]) for row in panel.kinds[1:]) == 8
    everybody = overview([valued_row("public")]).decisions
    assert not everybody.kinds
    text = index_page("night.txt", [valued_row("seat:2")])
    assert "Your decisions by street and action" in text
    assert all(f">{cell}<" in text for row in panel.kinds[1:] for cell in row[1:])
    assert 'href="#kind=7th%20call"' in text
    for kind in panel.costly_kinds:
        cells = next(
            dict(zip(panel.kinds[0], row, strict=True)) for row in panel.kinds if kind in row
        )
        linked = [cells[head] != "0%" for head in ("costly", "mistakes", "cost, BB")]
        assert text.count(f'href="#costly={kind.replace(" ", "%20")}"') == sum(linked)
    assert '"#costly=5th%20check">0%<' not in text


def test_the_five_most_expensive_decisions_of_a_session() -> None:
    rows = [valued_row("seat:2"), row(4)]
    panel = overview(rows).decisions
    assert panel.title == "Your most expensive decisions, by what each cost at least"
    assert panel.all_title == "Your most expensive decisions"
    costly = "None of your 8 decisions was clearly wrong; 3 were costly against these players."
    assert panel.work == panel.counted == costly
    assert "the policy table1-left (64 rollouts a decision)" in panel.against
    assert [pick.mark for pick in panel.picks] == ["costly against these players"] * 3
    everybody = overview([valued_row("public")]).decisions
    assert everybody.title == "The five most expensive decisions, by what each cost at least"
    text = index_page("night.txt", rows)
    check_form(text)
    check_closed_off(text)
    for pick in panel.picks:
        assert re.fullmatch("You check on [4-6]th street with .+, against .+ showing", pick.what)
        assert f'href="0003-17.html#{pick.moment + 1}">{pick.what}<' in text
        assert re.fullmatch(r"cost at least 0\.\d\d BB \(\d\.\d\d\): a bet is better", pick.words)
    low = [float(pick.words.split()[3]) for pick in panel.picks]
    assert low == sorted(low, reverse=True)
    many = [replace(valued_row("seat:2"), number=n) for n in (1, 2, 3)]
    best = overview(many).decisions
    assert best.title == "Your five most expensive decisions, by what each cost at least"
    assert len(best.picks) == 5


def adjusted_row(number: int, adjusted: float | None) -> IndexRow:
    return row(number, worth=HandWorth("the policy people", 2, 0, (), (), adjusted, 0.0))


def test_the_headline_has_the_result_without_luck() -> None:
    rows = [adjusted_row(n, x) for n, x in enumerate((1.5, -2.0, 0.5, -1.0, 0.25, None), 1)]
    found = overview(rows)
    assert found.result == (
        "You lost $27.00 in 6 hands. In 5 of them you lost $22.50; with average luck you would "
        "have lost $0.75."
    )
    hidden = overview([*rows[:5], replace(rows[5], cards=())]).result
    assert "In 5 of them (the log hides your downcards in 1) you lost $22.50; with" in hidden
    words = "None of your 12 decisions was clearly wrong."
    assert found.decisions.counted == words
    assert found.lead.startswith(f"{found.result} {words}")
    worth = replace(rows[0].worth, rare=2)
    told = overview([replace(rows[0], worth=worth), *rows[1:]]).decisions
    assert (
        told.counted
        == f"{words} 2 may be wrong: too little is known of such hands, or of the opponent."
    )
    assert found.result in index_page("night.txt", rows).replace("&#39;", "'")
    luck = " With average luck you would have won $1.50 in this hand."
    assert overview(rows[:1]).result == f"You lost $4.50 in 1 hand.{luck}"
    assert overview([row(1)]).result == "You lost $4.50 in 1 hand."
    assert overview([row(1)]).decisions is None


def wrong(kind: str, bets: float, verdict: str = "mistake", yours: bool = True) -> CostlyDecision:
    return CostlyDecision("You call", 3, yours, bets, f"{bets} BB", verdict, kind=kind, low=bets)


def told(costly: Sequence[CostlyDecision], mine: int, **more: Any) -> tuple[str, str]:
    """What is counted, and what to work on."""
    worth = HandWorth("the policy people", mine, 40 - mine, tuple(costly), (), None, 0.0, **more)
    panel = overview([row(1, worth=worth)]).decisions
    return panel.counted, panel.work


def test_the_kind_whose_mistakes_cost_most_is_to_be_worked_on() -> None:
    found = [wrong("7th call", 0.9), wrong("5th fold", 0.8), wrong("5th fold", 0.5)]
    counted = "3 of your 40 decisions were clearly wrong"
    work = "Work on your folds on 5th street first: 2 were clearly wrong and cost 1.3 big bets."
    assert told(found, 40) == (f"{counted}.", work)
    found += [wrong("7th call", 5.0, "costly")]  # nobody else confirms it
    counted = f"{counted}; 1 was costly against these players. 7 were checked."
    more = " 1 more may be wrong: too little is known of such hands, or of the opponent."
    assert told(found, 40, checked=7, rare=1) == (f"{counted}{more}", work)
    one = "Work on your calls on 7th street first: 1 was clearly wrong and cost 0.9 big bets."
    assert told(found[:1], 40) == ("1 of your 40 decisions was clearly wrong.", one)


def test_nothing_is_to_be_worked_on_where_nothing_was_clearly_wrong() -> None:
    none = "None of your 40 decisions was clearly wrong."
    assert told([], 40) == (none, none)
    assert told([], 1) == ("Your only decision was not clearly wrong.",) * 2
    costly = f"{none[:-1]}; 2 were costly against these players."
    assert told([wrong("7th call", 1.0, "costly")] * 2, 40) == (costly, costly)
    # Without you, or where nothing was checked, nothing is said of what to work on.
    theirs = [wrong("7th call", 1.0, yours=False)]
    assert told(theirs, 0) == ("1 of the 40 decisions was clearly wrong.", "")
    guess = "2 of your 40 decisions were wrong, by estimates that nothing has checked."
    assert told([wrong("7th call", 1.0, "costly")] * 2, 40, is_estimate=True) == (guess, "")


def test_dear_decisions_are_marked_with_their_verdicts_unless_they_are_guesses() -> None:
    verdicts = {"mistake": "mistake", "costly": "costly against these players"}
    for verdict, words in verdicts.items():
        found = replace(wrong("7th call", 1.0, verdict), cards="(5s 5d Ad) 3c Qs Jh 6d")
        found = replace(found, what="You call $1.00 on 7th street", spot="with a pair of fives")
        for guessed in (False, True):
            worth = HandWorth("people", 9, 0, (found,), (), None, 0.0, is_estimate=guessed)
            rows = [row(1, worth=worth, place="night.txt:3")]
            (pick,) = overview(rows).decisions.picks
            assert pick.mark == ("" if guessed else words)
            lines = first_text(rows, overview(rows)).splitlines()
            begin = "    7th (5s" if guessed else f"    {words}: 7th (5s"
            assert next(line for line in lines if "(5s" in line).startswith(begin)
            assert max(map(len, lines)) <= 80


@pytest.mark.dear("one visit asks all that can be asked of a page with values")
def test_the_reader_asks_what_if(page: Page, tmp_path: Path) -> None:
    made = all_known("seat:2")
    one = of_words("raises to 4.00", "seat:2")
    for file, text in shared_files(True).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    path = tmp_path / "0001.html"
    shown = session_page(made.report, made.steps, PageLinks("index.html"), worth("seat:2"))
    path.write_text(shown, encoding="utf-8")
    page.resize(1280, 900)
    page.open(path, f"#{one.moment + 1}")
    page.wait("return document.getElementById('worth')?.hidden === false")
    assert page.text("#worth-verdict") == one.sentence
    rows = [text.split("\n") for text in page.texts("#options label")]
    assert [row[0].split(" taken")[0] for row in rows] == [o.words for o in one.options]
    assert page.text("#what-if h3") == "As played"
    assert page.text("#what-if p") == f"2 B B's raise gave away {one.taken.bits} bits."
    page.js("document.querySelector('#options input:checked').focus()")
    page.press("ArrowUp")
    assert page.text("#what-if h3") == "Calling instead"
    call = one.options[1]
    assert page.texts("#what-if p") == [
        call.against,
        f"A call by 2 B B would have given away {call.bits} bits; "
        f"the raise gave away {one.taken.bits}.",
    ]
    assert page.js("return document.getElementById('heard').textContent").startswith(call.against)
    cells = page.js(
        "return [...document.querySelectorAll('#what-if tbody tr')].map((tr) =>"
        "[...tr.cells].filter((_, i) => i !== 1).map((td) => td.textContent))"
    )
    assert cells == [[f.name, f.before, f.after[2], f.after[1]] for f in one.families]
    radio = next(
        node
        for node in page.accessibility()
        if node.role == "radio" and node.properties.get("checked") == "true"
    )
    assert radio.name.startswith("Call 2.00")
    for width in (1280, 390):
        page.resize(width, 844, mobile=width < 500)
        for dark in (False, True):
            page.dark(dark)
            assert not page.overflows()
            low = [(words, x) for words, x in page.js(CONTRASTS) if x is not None and x < 4.5]
            assert low == []
    # A decision of somebody whose downcards are hidden waits for the reader.
    page.resize(1280, 900)
    other = of_words("completes to 1.00", "seat:2")
    page.js("location.hash = `#${arguments[0]}`", other.moment + 1)
    page.wait("return document.getElementById('worth-body').hidden")
    assert page.find("#worth-open").is_displayed()
    page.js("document.getElementById('worth-open').focus()")
    page.press("Enter")
    assert page.text("#worth-verdict") == other.sentence
    assert page.focused().tag == "input"
    page.find("#options label").click()
    assert page.text("#what-if h3") == "Folding instead"
    page.wait("return document.activeElement === document.body")
    assert page.js("return document.body.classList.contains('revealed')")
    page.press("g")
    assert not page.find("#worth").is_displayed()
    page.press("g", "Home")
    assert not page.find("#worth").is_displayed()
    assert page.console() == []
