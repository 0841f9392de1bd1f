"""The gist of a hand: the probable holdings, the loudest action, the truth of the bets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from handread import read_hands
from handread.game.replay import replay as replayed
from handread.history import History
from handread.inference.analysis import analyze_replay
from handread.inference.hand import Analysis
from handread.policy import load_policy
from handread.report.build import hand_report
from handread.report.families import family_lines, informative_families
from handread.report.gist import MOST_TRUTHS, hand_gist
from handread.report.honesty import told_truth
from tests.hands import GOLDEN, hand

SAMPLES = Path(__file__).parents[2] / "sample_histories"
PEOPLE = load_policy("people")


def analysis(viewpoint: str = "public") -> Analysis:
    return analyze_replay(replayed(hand(GOLDEN)), PEOPLE, viewpoint)


def gist(read: Analysis) -> dict[str, str]:
    return dict(hand_gist(hand_report(read)))


def test_it_names_the_holdings_of_those_who_stayed() -> None:
    read = analysis()
    words = gist(read)["Probably"]
    for seat, one in read.at("7B").seats.items():
        names = ", ".join(line.words for line in informative_families(family_lines(one)))
        assert f"{hand_report(read).spoken[seat]}: {names}" in words
    assert words.endswith("(by the cards alone → after the bets)")


def test_it_names_the_action_that_told_most() -> None:
    read = analysis()
    told = [action for action in read.actions if action.decision.action != "fold"]
    most = max(told, key=lambda action: action.information_bits)
    words = gist(read)["Gave away most"]
    assert words.lower().startswith(hand_report(read).spoken[most.decision.seat].lower())
    assert "Players like these" in words or "Expected" in words


def test_where_nothing_was_told_it_names_no_action() -> None:
    read = analysis()
    quiet = tuple(replace(action, table_bits=0.02) for action in read.actions)
    words = gist(replace(read, actions=quiet))["Gave away most"]
    assert words == "Every action told next to nothing."


def test_it_judges_the_bets_of_those_who_stayed_first() -> None:
    read = analysis()
    words = gist(read)["In truth"]
    stayed = [told_truth(read, seat) for seat in read.at("7B").active]
    assert words.startswith(" ".join(filter(None, stayed)))
    assert words.count(" told ") + words.count(" lied") + words.count(" misled") <= MOST_TRUTHS + 1


def test_known_downcards_are_not_guessed() -> None:
    assert "1 Ann" not in gist(analysis("seat:1"))["Probably"]


def test_without_actions_there_is_none() -> None:
    assert gist(replace(analysis(), actions=(), stages=(), observed=())) == {}


def test_a_winner_without_a_showdown_is_named_with_who_folded_last() -> None:
    (history,) = read_hands(SAMPLES / "steal.stud")
    assert isinstance(history, History)
    words = gist(analyze_replay(replayed(history), PEOPLE))
    assert words["Probably"].startswith("6 Lou: ")
    assert "; 3 Ines: " in words["Probably"]
    assert words.keys() == {"Probably", "Gave away most"}
