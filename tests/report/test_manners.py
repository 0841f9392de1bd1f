"""How a player plays, in the words of players, and only as far as the hands say so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handread.game.rules import STUD
from handread.opponents.records import PlayerRecord, Style
from handread.opponents.shares import Population, Share
from handread.report.players import Profile, profile_text

OTHERS = Population(0.45, 7.0, 100)


def profile(styles: dict[str, Style] | None = None, **counts: tuple[int, int]) -> Profile:
    shares = {key: Share(done, of, OTHERS, len(counts)) for key, (done, of) in counts.items()}
    return Profile(PlayerRecord("Lou", STUD, hands=60, styles=styles or {}), shares, {})


def first(**counts: tuple[int, int]) -> str:
    return next(iter(profile(**counts).sentences()))


def test_a_player_is_described_as_players_do() -> None:
    assert first(plays=(45, 60), aggression=(16, 80), folds_4=(2, 20), folds_7=(0, 12)) == (
        "Loose, passive, seldom folds: plays 75% of 60 hands on 3rd street (others 45%), bets or "
        "raises rather than calls 20% of 80 times (others 45%), folds to 6% of 32 bets on later "
        "streets (others 45%)."
    )
    assert first(plays=(9, 60), aggression=(70, 80), folds_5=(25, 30)).startswith(
        "Tight, aggressive, folds a lot: plays 15% of 60 hands on 3rd street (others 45%), "
    )


def test_a_word_needs_a_difference_and_little_doubt() -> None:
    assert first(plays=(29, 60)) == "Plays 48% of 60 hands on 3rd street (others 45%)."
    assert first(plays=(8, 12)).startswith("Plays 67% of 12 hands")  # chance may explain it
    assert first(plays=(980, 2000)).startswith("Plays 49% of 2,000 hands")  # it is no difference


def test_nothing_is_said_of_few_hands() -> None:
    few = profile(plays=(9, 9), aggression=(9, 9), folds_4=(4, 5), folds_5=(0, 4))
    (only,) = few.sentences()
    assert only == "In 60 hands nothing sets this player apart from others beyond chance."
    assert first(folds_4=(0, 5), folds_5=(0, 5)).startswith("Seldom folds: folds to 0% of 10 bets")


def test_a_result_says_of_how_many_hands_it_is() -> None:
    some = profile(plays=(9, 60))
    record = replace(some.player, finished=3, net=2.5)
    said = profile_text(replace(some, player=record)).splitlines()[0]
    assert said == "Lou: 60 hands of seven-card stud, +2.5 big bets in 3 of them"
    whole = replace(some, player=replace(record, finished=60))
    assert profile_text(whole).splitlines()[0].endswith("stud, +2.5 big bets")


def test_several_shares_are_beside_what_others_would_have_done() -> None:
    other = Population(0.25, 7.0, 100)
    found = Share.together([Share(3, 30, OTHERS), Share(2, 10, other)])
    assert (found.done, found.of) == (5, 40)
    assert found.population.mean == pytest.approx((30 * 0.45 + 10 * 0.25) / 40)


def test_styles_are_told_in_words() -> None:
    styles = {
        "people-average": Style(0.68, 0.75),
        "uniform": Style(0.3, 0.06),
        "own": Style(0.02, 0.1),
    }
    assert profile(styles).style() == (
        "By the reads of these hands, bets like the average player (68% likely; 75% of strangers "
        "do), like somebody who ignores the cards (30% likely; 6% of strangers do)."
    )
    assert profile().style() == ""
