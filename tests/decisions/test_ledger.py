"""Ledgers: their terms sum exactly to the chips won, whatever the value function."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handread.cards import holding_index
from handread.decisions.ledger import PARTS, TERMS, Ledger, changes, ledgers
from handread.decisions.states import States
from handread.decisions.turns import turns
from handread.game.replay import replay
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.history import Action, Collect, Deal, History, Rake
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from tests.decisions.values import PLAYERS, invented, played


def read(history: History) -> Analysis:
    return analyze_replay(replay(history), PLAYERS)


def all_ledgers(analysis: Analysis) -> dict[int, Ledger]:
    game = analysis.replay.steps[0].after.game
    found, missing = ledgers(analysis, invented(game))
    assert not missing
    return found


def check_sums(analysis: Analysis) -> None:
    won, paid = analysis.replay.won, analysis.replay.paid
    found = all_ledgers(analysis)
    assert list(found) == list(paid)
    for seat, ledger in found.items():
        assert set(ledger.terms) == set(TERMS)
        assert all(isinstance(term, int) for term in ledger.terms.values())
        assert ledger.net == won.get(seat, 0) - paid[seat]
        assert sum(ledger.terms.values()) == PARTS * ledger.net
        assert ledger.adjusted + ledger.luck == PARTS * ledger.net


@pytest.mark.parametrize("game", [STUD, STUD8, RAZZ, FIVE_STUD], ids=lambda game: game.key)
def test_terms_sum_to_the_chips_won(game: Variant) -> None:
    for analysis in played(game):
        check_sums(analysis)


def test_terms_sum_with_stacks_and_side_pots() -> None:
    found = played(n=4, stack=100, games=4)
    for analysis in found:
        check_sums(analysis)
    pots = [len(analysis.replay.pots) for analysis in found]
    assert max(pots) > 1
    streets = [step.after for analysis in found for step in analysis.replay.steps]
    assert any(table.betting_over and not table.is_over for table in streets)


def with_rake(history: History, rake: int) -> History:
    """The same hand, with a rake taken from the last who is paid."""
    last = max(i for i, event in enumerate(history.events) if isinstance(event, Collect))
    events = list(history.events)
    paid = events[last]
    assert isinstance(paid, Collect)
    events[last : last + 1] = [Rake(rake), Collect(paid.seat, paid.amount - rake)]
    return replace(history, events=tuple(events))


def test_the_house_is_paid_by_those_who_win() -> None:
    analysis = next(a for a in played() if a.replay.showdown)
    raked = read(with_rake(analysis.replay.history, 7))
    assert raked.replay.rake == 7
    check_sums(raked)
    found, free = all_ledgers(raked), all_ledgers(analysis)
    assert sum(ledger.terms["rake"] for ledger in found.values()) == -7 * PARTS
    for seat, ledger in found.items():
        assert (ledger.terms["rake"] < 0) == (seat in raked.replay.won)
        others = {term: free[seat].terms[term] for term in TERMS if term != "rake"}
        assert {term: ledger.terms[term] for term in others} == others


def test_a_ledger_ends_with_the_fold() -> None:
    folds = 0
    for analysis in played():
        found = all_ledgers(analysis)
        for decision in analysis.replay.decisions:
            if decision.action is Action.FOLD:
                folds += 1
                ledger = found[decision.seat]
                assert ledger.terms["showdown"] == 0
                assert ledger.net == -analysis.replay.paid[decision.seat]
    assert folds


def test_who_wins_unseen_has_no_showdown() -> None:
    alone = [a for a in played(n=2, games=8) if not a.replay.showdown]
    assert alone
    for analysis in alone:
        (winner,) = analysis.replay.won
        assert all_ledgers(analysis)[winner].terms["showdown"] == 0


def test_own_actions_count_against_the_mean_of_the_policy() -> None:
    learned = invented()
    analysis = max(played(), key=lambda a: len(a.replay.decisions))
    own = dict.fromkeys(analysis.replay.paid, 0.0)
    for turn in turns(analysis):
        states, q = States(analysis.ties), {}
        before = turn.table.player(turn.seat).paid
        for option in turn.options:
            paid = option.table.player(turn.seat).paid - before
            q[option.action] = (
                learned.value(states, option.table, option.belief, turn.seat, turn.down) - paid
            )
        odds = turn.expected.action_probs
        mean = sum(float(odds[a][holding_index(turn.down)]) * q[a] for a in q)
        own[turn.seat] += PARTS * (q[turn.taken] - mean)
    for seat, ledger in all_ledgers(analysis).items():
        assert ledger.terms["own"] == pytest.approx(own[seat], abs=len(analysis.replay.decisions))


def hidden(history: History, hero: int) -> History:
    """The hand as a player saw it who never saw the others' downcards."""
    events = tuple(
        replace(event, down=(None,) * len(event.down))
        if isinstance(event, Deal) and event.seat != hero
        else event
        for event in history.events
    )
    return replace(history, events=events)


def test_the_cards_of_others_need_not_be_known() -> None:
    full = next(a for a in played() if a.replay.showdown)
    hero = full.replay.showdown[0]
    analysis = read(hidden(full.replay.history, hero))
    found, missing = ledgers(analysis, invented())
    assert found == {hero: all_ledgers(full)[hero]}
    assert set(missing) == set(full.replay.paid) - {hero}
    assert set(missing.values()) == {"the downcards are not known"}
    assert ledgers(analysis, invented(), {hero}) == (found, {})


def test_a_hand_without_an_end_has_no_ledger() -> None:
    history = next(a for a in played() if a.replay.showdown).replay.history
    cut = replace(history, events=history.events[: len(history.events) // 2])
    found, missing = ledgers(read(cut), invented())
    assert not found
    assert set(missing.values()) == {"the hand is not played out"}


def test_changes_follow_the_hand() -> None:
    for analysis in played():
        found = list(changes(analysis))
        acted = [change.seat for change in found if change.term == "act"]
        assert acted == [decision.seat for decision in analysis.replay.decisions]
        deals = [change for change in found if change.term == "cards"]
        assert len(deals) == len(analysis.replay.streets) - 1
        numbers = [change.decision for change in found if change.decision]
        assert numbers == [decision.n for decision in analysis.replay.decisions]
