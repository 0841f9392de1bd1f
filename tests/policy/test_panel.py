"""Panels against plain sums over members and holdings, their laws, and sessions of many hands."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import handread
from handread.cards import N_PAIRS, N_TRIPLES, holding_index, pair_index, triple_index
from handread.game.replay import replay
from handread.game.steps import Decision, StreetRecord
from handread.history import History, Problem
from handread.inference import players as player_models
from handread.inference.analysis import analyze_replay
from handread.inference.observer import TIE_RULES, operator_of, values_against, visible_cards
from handread.inference.players import Model, PlayerModels, parse_players, played_by_people
from handread.inference.readers import as_reader, read_hand
from handread.odds.htpd import Operator, Unseen
from handread.policy import (
    HoldingValues,
    Panel,
    PolicyError,
    Ramp,
    RampPolicy,
    load_policy,
    panel_of,
    policy_text,
)
from handread.policy.files import PolicyFile
from handread.policy.panel import FORGOTTEN
from handread.study.fit.uncertainty import drawn_players
from tests import naive
from tests.beliefs import updates_of
from tests.examples import examples
from tests.hands import GOLDEN, hand, random_hand
from tests.pages import made_from
from tests.policies import DEFAULT, LOOSE, PANEL, TEMPERED, UNIFORM, UNLIKE, ramps
from tests.program import SAMPLES, run_here

SPLIT = TIE_RULES["split"]


# The slow twin


@dataclass
class Twin:
    """The joint of member and holding of each seat, (members, holdings), by plain sums."""

    panel: Panel
    joint: dict[int, np.ndarray] = field(default_factory=dict)
    evidence: list[float] = field(default_factory=list)
    raises: dict[int, int] = field(default_factory=dict)
    said_less: set[str] = field(default_factory=set)

    def deal(self, street: StreetRecord, hands: dict[int, Operator]) -> None:
        live = naive.unseen_cards(visible_cards(street))
        for seat in street.active:
            before = self.joint.get(seat)
            after = np.zeros((len(self.panel.members), N_PAIRS))
            for pair in combinations(live, 2):
                i = pair_index(*pair)
                after[:, i] = self.panel.prior if before is None else before[:, i]
            if hands[seat].live.size == N_TRIPLES:
                after = self.lifted(after, live)
            self.joint[seat] = after / after.sum()
        self.joint = {seat: self.joint[seat] for seat in street.active}

    def lifted(self, pairs: np.ndarray, live: list[int]) -> np.ndarray:
        triples = np.zeros((len(pairs), N_TRIPLES))
        for triple in combinations(live, 3):
            three = [pair_index(*pair) for pair in combinations(triple, 2)]
            triples[:, triple_index(*triple)] = pairs[:, three].sum(axis=1)
        return triples

    def act(self, decision: Decision, hands: dict[int, Operator]) -> None:
        seat = decision.seat
        htpds = {s: hands[s].htpd(joint.sum(axis=0)) for s, joint in self.joint.items()}
        chance = hands[seat].chances(values_against(htpds, seat, SPLIT))
        outlook = HoldingValues(chance, hands[seat].live)
        joint, expected = np.zeros_like(self.joint[seat]), 0.0
        idle, power = self.said(decision)
        for m, member in enumerate(self.panel.members):
            mine = self.joint[seat][m]
            odds = member.probabilities(decision, outlook)[decision.action]
            evidence = sum(mine * odds)
            expected += evidence
            reweighed = mine * odds ** (power * member.likelihood_exponent)
            weight = sum(mine)
            learned = weight * (evidence / weight) ** (power * self.panel.learning)
            joint[m] = learned * reweighed / sum(reweighed)
        self.evidence.append(expected)
        self.joint[seat] = (1 - idle) * joint / joint.sum() + idle * self.joint[seat]

    def said(self, decision: Decision) -> tuple[float, float]:
        """The part of an action that says nothing, and the power to which it counts."""
        idle, power = 0.0, 1.0
        parts, powers = dict(self.panel.idle).get("stud"), dict(self.panel.repeats).get("stud")
        if parts and decision.street >= 5 and len(decision.active) >= 3:
            idle = (parts + parts[-1:] * 9)[len(decision.active) - 3]
            self.said_less.add(f"{len(decision.active)} in")
        if decision.action in ("bet", "raise"):
            nth = self.raises[decision.seat] = self.raises.get(decision.seat, 0) + 1
            if powers and nth >= 3:
                power = (powers + powers[-1:] * 99)[nth - 3]
                self.said_less.add(f"raise {nth}")
        return idle, power


def twin_and_observer(history: History, panel: Panel) -> tuple[int, Twin]:
    """How many actions of a hand the observer and the twin have agreed on, and the twin."""
    played, twin, agreed = replay(history), Twin(panel), 0
    observed = read_hand(as_reader(PlayerModels(Model(panel))), played, SPLIT)
    for street, seen in zip(played.streets, observed, strict=True):
        unseen = Unseen(visible_cards(street))
        hands = {seat: operator_of(street, seat, unseen) for seat in street.active}
        twin.deal(street, hands)
        for seat, pdd in seen.dealt.pdds.items():
            assert np.allclose(pdd, twin.joint[seat].sum(axis=0), rtol=0, atol=1e-12)
            if seat in seen.dealt.shares:
                joint = seen.dealt.shares[seat] * pdd
                assert np.allclose(joint, twin.joint[seat], rtol=0, atol=1e-12)
        for update in seen.updates:
            twin.act(update.decision, hands)
            expected = twin.joint[update.decision.seat]
            assert update.evidence == pytest.approx(twin.evidence[-1], abs=1e-12)
            assert np.allclose(update.shares * update.after, expected, rtol=0, atol=1e-11)
            assert np.allclose(update.after, expected.sum(axis=0), rtol=0, atol=1e-11)
            if update.decision.action == "fold":
                del twin.joint[update.decision.seat]
            agreed += 1
    return agreed, twin


@pytest.mark.parametrize("panel", [PANEL, UNLIKE], ids=["bayes", "tempered"])
def test_the_joint_of_member_and_holding(panel: Panel) -> None:
    """All streets of the hand of the design notes, seven players, two to the end."""
    agreed, _ = twin_and_observer(hand(GOLDEN), panel)
    assert agreed == 19


@pytest.mark.thorough
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([PANEL, UNLIKE]))
@examples(3)
def test_the_joint_in_random_hands(seed: int, n_players: int, panel: Panel) -> None:
    agreed, twin = twin_and_observer(random_hand(seed, n_players), panel)
    assert agreed == len(twin.evidence)


@pytest.mark.parametrize("learning", [0.0, 0.3])
def test_the_joint_with_slow_weights(learning: float) -> None:
    panel = replace(UNLIKE, learning=learning)
    played, twin = twin_and_observer(random_hand(31, n_players=3), panel)
    assert played >= 3
    moved = max(abs(joint.sum(axis=1) - panel.prior).max() for joint in twin.joint.values())
    # Cards alone move the weights a little: they rule out holdings that a member makes likely.
    assert moved > 0.05 if learning else moved < 0.05


CROWD = {"idle": (("stud", (0.2, 0.4)),), "repeats": (("stud", (0.5, 0.1)),)}


@pytest.mark.parametrize("panel", [PANEL, replace(UNLIKE, learning=0.3)], ids=["bayes", "slow"])
def test_the_joint_where_actions_say_less(panel: Panel) -> None:
    _, twin = twin_and_observer(random_hand(65, n_players=5), replace(panel, **CROWD))
    assert twin.said_less >= {"3 in", "4 in", "raise 3", "raise 4"}


def test_keys_that_change_nothing_change_no_bit() -> None:
    game = random_hand(65, n_players=5)
    even = {"idle": (("stud", (0.0,)), ("razz", (1.0,))), "repeats": (("stud", (1.0, 1.0)),)}
    for policy in (PANEL, replace(UNLIKE, learning=0.3)):
        plain, same = (
            [update for seen in observed for update in seen.updates]
            for observed in (
                read_hand(as_reader(one), replay(game), SPLIT)
                for one in (policy, replace(policy, **even))
            )
        )
        for one, other in zip(plain, same, strict=True):
            assert np.array_equal(one.after, other.after)
            assert one.evidence == other.evidence


@pytest.mark.parametrize("panel", [PANEL, Panel("one", (LOOSE,), (1.0,))], ids=["five", "one"])
def test_actions_that_say_nothing_leave_the_read(panel: Panel) -> None:
    silent = replace(panel, idle=(("stud", (1.0,)),))
    seen = set()
    for street in read_hand(as_reader(silent), replay(random_hand(65, 5)), SPLIT):
        for update in street.updates:
            crowded = update.decision.street >= 5 and update.decision.n_active >= 3
            if crowded:
                assert np.allclose(update.after, update.before, rtol=1e-12, atol=0)
            seen.add(crowded and update.surprise_bits > 0.1)
    assert seen == {True, False}


@pytest.mark.thorough
def test_the_joint_with_a_shared_last_card() -> None:
    history = random_hand(14613, n_players=8)
    assert replay(history).streets[-1].shared is not None
    twin_and_observer(history, UNLIKE)


@pytest.mark.parametrize("ties", ["split", "paper"])
def test_a_line_on_sixth_street_ranked_card_by_card(ties: str) -> None:
    """P(line) is the sum over members and holdings, of each seat, of all that they do."""
    street = naive.street_play(6, {1: "7h 8h Js 2c", 2: "8d Kc As 7d"}, "2b 1r 2r 1c")
    seen = visible_cards(street)
    rows = {}
    for seat, up in street.upcards.items():
        pairs, rows[seat] = naive.holdings_on_sixth(seen, [card for card in up if card is not None])
    n, prior = len(pairs), np.array(PANEL.prior)
    played = {seat: np.ones((len(prior), n)) for seat in rows}
    evidence = []
    for decision in street.decisions:
        seat, other = decision.seat, 3 - decision.seat
        joint = prior[:, None] * played[other] / n
        htpd = (joint.sum(axis=0) / joint.sum()) @ rows[other]
        chance = rows[seat] @ naive.worth([htpd], ties)
        outlook = HoldingValues(chance, np.ones(n, dtype=bool))
        before = (prior[:, None] * played[seat]).sum()
        for m, member in enumerate(PANEL.members):
            played[seat][m] *= member.probabilities(decision, outlook)[decision.action]
        evidence.append((prior[:, None] * played[seat]).sum() / before)
    replayed = replace(replay(hand(GOLDEN)), streets=(street,))
    (observed,) = read_hand(as_reader(PlayerModels(Model(PANEL))), replayed, TIE_RULES[ties])
    assert [u.evidence for u in observed.updates] == pytest.approx(evidence, abs=1e-12)
    surprise = sum(u.surprise_bits for u in observed.updates)
    line = math.prod((prior[:, None] * played[seat]).sum() / n for seat in rows)
    assert surprise == pytest.approx(-math.log2(line))
    for update in observed.updates[-2:]:
        joint = prior[:, None] * played[update.decision.seat]
        members = update.shares @ update.after
        assert members == pytest.approx(joint.sum(axis=1) / joint.sum())
        pdd = joint.sum(axis=0) / joint.sum()
        assert np.allclose(update.after[pairs], pdd, rtol=0, atol=1e-12)


# Laws


def test_a_viewpoint_sees_the_odds_of_what_it_knows() -> None:
    """Who knows a seat's downcards expects what the policy says of them, whatever the exponent."""
    played = replay(hand(GOLDEN))
    for policy in (TEMPERED, UNLIKE):
        known = analyze_replay(played, policy, "omniscient")
        for action, update in zip(known.actions, updates_of(hand(GOLDEN), policy), strict=True):
            seat = action.decision.seat
            held = played.downcards[seat][: 3 if action.decision.street == 7 else 2]
            truth = holding_index(held)
            assert action.evidence == pytest.approx(update.action_probs[truth])
            assert action.information_bits == pytest.approx(0.0, abs=1e-12)
            if update.shares is not None and action is known.actions[-1]:
                assert known.members[seat] == pytest.approx(update.shares[:, truth])


def test_a_read_that_a_viewpoint_refutes_still_weighs_the_members() -> None:
    """Seat 2 bets what cannot lose, which is the ten of spades; seat 1 holds it."""
    royal = """
        1a 2a
        3: 1=Ts.2c/3c 2=2d.7d/As  1B 2c
        4: 1=8d 2=Ks  2k 1k
        5: 1=5h 2=Qs  2k 1k
        6: 1=9s 2=Js  2b 1f
    """
    even = Ramp(0.0, 1.0, 0.5, 0.5)
    sure = RampPolicy("sure", Ramp(1e-6, 1e-6, 1.0, 0.0), even, even)
    panel = Panel("sure", (sure, replace(sure, name="as sure")), (0.25, 0.75))
    read = analyze_replay(replay(hand(royal)), panel, "seat:1")
    assert any("known from seat:1" in problem.message for problem in read.problems)
    assert read.members[2] == pytest.approx([0.25, 0.75])
    assert PlayerModels(Model(panel)).after(replay(hand(royal)).history, read.members)


# What a reader is told


def wild(n: int) -> History:
    """A hand in which two players with nothing raise each other to the cap, n times."""
    script = """
        1a 2a 3a
        3: 1=7c.2s/3h 2=2d.8c/9d 3=Kd.Kh/Ac
        1B 2r 3f 1r 2r 1r 2c
        4: 1=4s 2=Tc  2b 1r 2r 1r 2c
    """
    names = ["Ann", "Bob\x1b[31m", ""]
    made = hand(script)
    seats = tuple(replace(seat, name=names[seat.number - 1]) for seat in made.seats)
    return replace(made, seats=seats, hand_id=str(n))


def test_the_report_says_which_policy_a_player_follows() -> None:
    panel = Panel("honest or not", (ramps("honest", 0.001), UNIFORM), (0.9, 0.1))
    read = analyze_replay(replay(wild(1)), panel)
    assert sorted(read.members) == [1, 2, 3]
    assert read.policies[1]["uniform"] > 0.5
    (finding,) = [p for p in read.problems if "seat 1 (Ann)" in p.message]
    assert finding.message == (
        "no policy explains the actions of seat 1 (Ann): the read now rests on cards alone"
    )
    text = handread.plain_text(read)
    lines = text[text.index("Plays like") :].splitlines()
    line = next(line for line in lines if line.startswith("  1 Ann"))
    assert line.split()[2] == "uniform"
    assert line.endswith("(10% for a stranger)")
    assert "Plays like" in made_from(read).html
    assert "\x1b" not in text
    for shares in handread.analysis_object(read)["policies"].values():
        assert sum(shares.values()) == pytest.approx(1.0)


def test_a_guess_at_the_policy_of_a_player_is_not_told() -> None:
    slow = Panel("slow", (ramps("honest", 0.001), UNIFORM), (0.9, 0.1), learning=0.01)
    read = analyze_replay(replay(wild(1)), slow)
    assert read.policies[1]["uniform"] > 0.1
    assert "Plays like" not in handread.plain_text(read)
    assert "Plays like" not in made_from(read).html


def test_who_did_not_act_is_not_spoken_of() -> None:
    steal = hand("1a 2a 3: 1=7c.2s/3h 2=2d.8c/9d 1B 2r 1f")
    assert sorted(analyze_replay(replay(steal), PANEL).members) == [1, 2]
    unanswered = hand("1a 2a 3a 3: 1=7c.2s/3h 2=2d.8c/9d 3=Kd.Kh/Ac 1B 2f 3f")
    assert sorted(analyze_replay(replay(unanswered), PANEL).members) == [2, 3]


# Sessions


def test_a_session_carries_the_panel_of_a_name() -> None:
    hands = [wild(n) for n in range(3)]
    panel = Panel("p", (replace(DEFAULT, lapse=0.2), UNIFORM), (0.9, 0.1))
    first, second, third = handread.analyze_hands(hands, panel)
    assert first.policies == handread.analyze(hands[0], panel).policies
    carried = (1 - FORGOTTEN) * first.members[1] + FORGOTTEN * np.array(panel.prior)
    told = second.players.of(1).policy
    assert told.members == panel.members
    assert told.weights == pytest.approx(carried)
    assert first.policies[1]["uniform"] < second.policies[1]["uniform"]
    assert second.policies[1]["uniform"] < third.policies[1]["uniform"] < 1 - FORGOTTEN / 50
    # Seat 3 has no name: a stranger in each hand.
    assert third.players.of(3).policy is panel
    assert third.members[3] == pytest.approx(first.members[3], abs=0.05)
    assert third.players.name == panel.name


def test_a_name_takes_its_panel_to_another_seat() -> None:
    first = wild(1)
    names = {1: "Bob\x1b[31m", 2: "Cy", 3: "Ann"}
    moved = replace(first, seats=tuple(replace(s, name=names[s.number]) for s in first.seats))
    players = PlayerModels(Model(PANEL))
    read = analyze_replay(replay(first), players.for_hand(first))
    after = players.after(first, read.members).for_hand(moved)
    for was, now in ((1, 3), (2, 1)):
        expected = (1 - FORGOTTEN) * read.members[was] + FORGOTTEN * np.array(PANEL.prior)
        told = panel_of(after.of(now).policy)
        assert told.weights == pytest.approx(expected)
    assert after.of(2).policy is PANEL
    assert players.for_hand(first).of(1).policy is PANEL  # the models before is as it was


def test_no_member_is_ruled_out_for_good() -> None:
    players, history = PlayerModels(Model(PANEL)), wild(1)
    for _ in range(40):
        players = players.after(history, {1: np.array([0.0, 0.0, 1.0])})
    told = panel_of(players.for_hand(history).of(1).policy)
    prior = told.weights
    assert sum(prior) == pytest.approx(1.0, abs=1e-12)
    assert prior[0] == pytest.approx(FORGOTTEN * PANEL.prior[0])


def test_a_seat_has_its_own_panel_and_remembers_it() -> None:
    history = wild(1)
    players = PlayerModels(Model(PANEL), {1: Model(UNLIKE)})
    read = analyze_replay(replay(history), players.for_hand(history))
    after = players.after(history, read.members)
    own = after.for_hand(history).of(1).policy
    assert own.members == UNLIKE.members
    assert own.weights != UNLIKE.weights
    # Elsewhere the name meets another panel, of which what was learned says nothing.
    elsewhere = replace(after, seats={}).for_hand(history)
    assert elsewhere.of(1).policy is PANEL
    assert elsewhere.of(2).policy != PANEL


def test_a_file_with_policies_of_players(tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    both = PolicyFile(LOOSE, {"Ann": DEFAULT})
    file.write_text(policy_text(both), encoding="utf-8")
    seated = parse_players(str(file), None, ()).for_hand(wild(1))
    assert seated.of(1).policy.name == "loose#Ann"
    assert seated.of(2).policy == LOOSE
    assert seated.name == "loose; seat 1 loose#Ann"
    own = parse_players(str(file), 0.4, ["1=tight", "2=:cards-only"]).for_hand(wild(1))
    assert own.of(1) == Model(load_policy("tight"))
    assert own.of(2) == Model(LOOSE.with_lapse(0.4), "cards-only")
    alone = parse_players(f"{file}#Ann", None, ()).for_hand(wild(1))
    assert alone.of(2).policy.name == "loose#Ann"


def test_a_seat_cannot_follow_a_policy_that_is_not_there() -> None:
    with pytest.raises(PolicyError, match="no policy 'nobody'"):
        parse_players("panel", None, ["1=nobody"])


# Which policy when none is named


def histories(file: Path) -> list[History]:
    return [h for h in handread.read_hands(file) if not isinstance(h, Problem)]


def test_hands_of_people_and_others() -> None:
    people = {
        *("bovada.txt", "fulltilt.txt", "pokerstars.txt", "full-house.phh", "session.phhs"),
        *("ipoker.xml", "merge.xml"),
    }
    found = {
        file.name: {played_by_people(history) for history in histories(file)}
        for file in SAMPLES.iterdir()
        if not file.name.startswith("broken") and file.name != "simulated.phhs"
    }
    assert found == {name: {name in people} for name in found}
    assert len(found) > 15


@pytest.mark.parametrize("dialect", ["pokerstars", "fulltilt", "bovada", "phh", "saund"])
def test_simulated_hands_are_known_in_every_dialect(dialect: str) -> None:
    games = list(handread.simulate_games(3, "loose", seats=5, seed=4))
    assert not any(played_by_people(game.history) for game in games)
    for game in games:
        (written,) = handread.parse_hands(handread.write_hand(game.replay, dialect))
        assert not played_by_people(written)


@pytest.mark.parametrize(
    ("dialect", "policy"),
    [("pokerstars", "people"), ("ongame", "people"), ("phh", "people"), ("saund", "table1-left")],
)
def test_the_form_of_a_hand_chooses_the_policy(dialect: str, policy: str) -> None:
    (game,) = handread.simulate_games(1, "loose", seats=3, seed=4)
    (written,) = handread.parse_hands(handread.write_hand(game.replay, dialect))
    assert parse_players(None, None, ()).for_hand(written).rest.name == policy


def test_real_hands_are_peoples(real_hands: Path) -> None:
    rooms = ("Bovada", "FullTilt", "PokerStars", "PHH")
    files = [f for room in rooms for f in sorted((real_hands / room).rglob("*"))[:6] if f.is_file()]
    found = [played_by_people(history) for file in files for history in histories(file)]
    assert len(found) > 20
    assert all(found)


def test_each_hand_is_read_by_policies_of_its_game(tmp_path: Path) -> None:
    high = histories(SAMPLES / "pokerstars.txt")[0]
    razz = replace(high, variant="razz")
    players = drawn_players(parse_players("people-average", None, ["2=loose"]), 2)
    found = players.for_hand(razz)
    assert found.rest.policy == load_policy("people-mixed")
    assert found.of(2).policy == load_policy("loose")
    assert list(found.drawn) == [load_policy("people-mixed")]
    assert found.draw(1).rest.policy == found.drawn[load_policy("people-mixed")][1]
    assert players.for_hand(high).rest.policy == load_policy("people-average")
    # A panel keeps what it has learned of a player from game to game.
    file = tmp_path / "panel.toml"
    members = (
        f'[[members]]\npolicy = "{name}"\nprior = 0.5\n' for name in ("people-average", "loose")
    )
    head = 'schema = "handread.policy/1"\nname = "two"\nfamily = "panel"\n'
    file.write_text(head + "".join(members))
    seat = high.seats[0]
    after = parse_players(str(file), None, ()).after(high, {seat.number: np.array([3.0, 1.0])})
    panel = after.for_hand(razz).of(seat.number).policy
    assert [one.name for one in panel.members] == ["people-mixed", "loose"]
    assert panel.weights == pytest.approx((0.745, 0.255))


BY_GAME = replace(PANEL, priors=(("razz", (0.1, 0.2, 0.7)),))


@given(st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=3))
@examples(5)
def test_evidence_counts_from_the_prior_of_the_game(factors: list[float]) -> None:
    """Hands of razz move the odds of a member in stud by the same factor, and back again."""

    def weighed(prior: Sequence[float]) -> np.ndarray:
        found = np.array(prior) * factors
        return found / found.sum()

    razz = BY_GAME.in_game("razz")
    assert razz.weights == dict(BY_GAME.priors)["razz"]
    after = BY_GAME.after(weighed(razz.prior), "razz")
    kept = (1 - FORGOTTEN) * weighed(PANEL.prior) + FORGOTTEN * np.array(PANEL.prior)
    assert after.weights == pytest.approx(kept)
    moved = replace(BY_GAME, learned=tuple(weighed(PANEL.prior))).in_game("razz")
    assert moved.weights == pytest.approx(weighed(razz.prior))
    assert BY_GAME.in_game("stud") is BY_GAME


def test_members_of_one_game_only_leave_the_prior_of_another() -> None:
    panel = replace(PANEL, prior=(1.0, 0.0, 0.0), priors=(("razz", (0.0, 0.5, 0.5)),))
    after = panel.after(np.array([0.0, 0.9, 0.1]), "razz")
    assert after.weights == panel.prior
    assert after.in_game("razz").weights == (0.0, 0.5, 0.5)


@pytest.mark.parametrize(
    ("prior", "shares", "place"),
    [
        ((0.9, 0.1), (0.3, 0.7), 1),
        ((0.5, 0.5), (0.76, 0.24), 0),
        ((0.5, 0.5), (0.74, 0.26), None),  # less than three times the odds
        ((0.9, 0.1), (0.55, 0.45), None),  # the odds of the first have fallen
        ((0.1, 0.5, 0.4), (0.49, 0.3, 0.21), None),  # less than half
        ((1.0, 0.0), (1.0, 0.0), None),  # known before
        ((0.5, 0.5), (1.0, 0.0), 0),
    ],
)
def test_a_style_is_told_where_it_is_no_guess(
    prior: tuple[float, ...], shares: tuple[float, ...], place: int | None
) -> None:
    panel = Panel("styles", PANEL.members[: len(prior)], prior)
    assert panel.style(np.array(shares)) == place


def test_each_hand_has_what_suits_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_models, "PEOPLE_POLICY", "panel")
    people, machine = histories(SAMPLES / "pokerstars.txt")[0], histories(SAMPLES / "steal.stud")[0]
    players = parse_players(None, None, ["2=:cards-only"])
    assert players.for_hand(people).rest.policy == load_policy("panel")
    assert players.for_hand(machine).rest.policy == load_policy("default")
    assert players.for_hand(machine).of(2).policy == load_policy("default")
    one, two = handread.analyze_hands([people, machine])
    assert one.members
    assert not two.members
    after = players.after(people, one.members)
    assert after.learned
    assert after.simulated == players.simulated


@pytest.mark.thorough
def test_analyze_goes_on_from_hand_to_hand() -> None:
    file = str(SAMPLES / "simulated.stud")
    done = run_here("analyze", "--json", "--policy", "panel", file)
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    session = list(handread.analyze_hands(histories(Path(file)), "panel"))
    assert len(objects) == len(session) > 2
    schema = jsonschema.Draft202012Validator(handread.json_schema())
    for found, read in zip(objects, session, strict=True):
        schema.validate(found)
        assert found["policy"] == "panel"
        assert found["policies"] == {str(s): pytest.approx(p) for s, p in read.policies.items()}
