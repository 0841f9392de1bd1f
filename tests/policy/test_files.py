"""Bet policies: ramps, presets, probabilities of legal actions, and files that are wrong."""

from __future__ import annotations

import math
import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handread.game.rules import VARIANTS
from handread.game.steps import DecisionPoint
from handread.policy import (
    EvenHoldingValues,
    HitRates,
    Measured,
    Panel,
    PolicyError,
    PolicyFile,
    Provenance,
    Ramp,
    RampPolicy,
    in_game,
    legal_actions,
    load_policy,
    load_policy_file,
    members_of,
    parse_policy,
    parse_policy_file,
    policy_hash,
    policy_names,
    policy_text,
    single,
    with_measured,
)
from handread.policy.logit import FEATURES
from handread.report.policies import trust_words
from tests.examples import examples
from tests.strategies import policy_files, spot, spots

CHANCES = np.array([0.0, 1e-300, 1e-9, 0.01, 0.1, 0.3, 0.5, 0.55, 0.7, 0.9, 0.999, 1.0])


def outlook(chance: np.ndarray) -> EvenHoldingValues:
    """Holdings of these chances to win, at a table of four."""
    return EvenHoldingValues(chance, 4)


def ramps_written_out(policy: RampPolicy, at: DecisionPoint, chance: float) -> dict[str, float]:
    """Figure 5 for any ramps, with bluffs and lapses."""

    def on(ramp: Ramp, x: float) -> float:
        if x < ramp.x0:
            return ramp.y0
        if x >= ramp.x1:
            return ramp.y1
        return ramp.y0 + (ramp.y1 - ramp.y0) * (x - ramp.x0) / (ramp.x1 - ramp.x0)

    x = -math.log(chance, at.n_active) if chance else math.inf
    raised = on(policy.raise_, x) if at.can_raise else 0.0
    if at.to_call:
        folded = (
            on(policy.fold, x + math.log(at.effective_odds, at.n_active)) if at.can_fold else 0.0
        )
        bluffed = policy.bluff * folded if at.can_raise else 0.0
        meant = {
            "fold": (1 - raised) * (folded - bluffed),
            "call": (1 - raised) * (1 - folded),
            "raise": raised + (1 - raised) * bluffed,
        }
    else:
        bet = on(policy.bet, x) if at.can_raise else 0.0
        meant = {"check": 1 - bet, "bet": bet}
    legal = legal_actions(at)
    return {a: (1 - policy.lapse) * meant[a] + policy.lapse / len(legal) for a in legal}


RAMPS = st.builds(
    lambda x0, width, y0, y1: Ramp(x0, x0 + width, y0, y1),
    *(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.3, 1.0]), st.floats(0, 1), st.floats(0, 1)),
)


@given(
    spots(),
    st.just(0.0) | st.floats(0.001, 1),
    st.builds(
        RampPolicy,
        st.just("any"),
        *(RAMPS, RAMPS, RAMPS, st.sampled_from([0.0, 0.3])),
        lapse=st.sampled_from([0.0, 0.1, 1.0]),
    ),
)
@example(spot(to_call=0), 1 / 4, RampPolicy("step", *[Ramp(1.0, 1.0, 1.0, 0.25)] * 3))
def test_any_ramps_written_out(at: DecisionPoint, chance: float, policy: RampPolicy) -> None:
    found = policy.probabilities(at, outlook(np.array([chance])))
    assert {action: p[0] for action, p in found.items()} == pytest.approx(
        ramps_written_out(policy, at, chance), abs=1e-9
    )


# Presets


def test_the_numbers_of_table_1() -> None:
    a, b, c, d, e, f, g, h = 0.2, 0.05, 0.1, 0.2, 0.05, 0.3, 0.2, 0.1
    left = load_policy("table1-left")
    assert left.bet == Ramp(1 - c, 1.0, 1 - a, b)
    assert left.raise_ == Ramp(1 - f, 1 - g, 1 - d, e)
    assert left.fold == Ramp(-h, 0.0, 0.0, 1.0)
    centred = load_policy("table1-centred")
    assert centred.bet == Ramp(1 - c, 1 + c, 1 - a, b)
    assert centred.raise_ == left.raise_
    assert centred.fold == Ramp(-h, h, 0.0, 1.0)
    honest = load_policy("honest")
    assert (honest.bet, honest.raise_) == (Ramp(1 - c, 1.0, 1.0, 0.0), Ramp(1 - f, 1 - g, 1.0, 0.0))
    bluff = load_policy("table1-bluff")
    assert (bluff.bet, bluff.fold, bluff.bluff) == (left.bet, left.fold, b)
    assert bluff.raise_ == Ramp(1 - f, 1 - g, 1 - d, 0.0)
    assert {left.lapse, centred.lapse, honest.lapse, bluff.lapse} == {0.0}
    assert load_policy("default") == left


# Probabilities


@pytest.mark.laws
@given(spots(), st.sampled_from(policy_names()), st.sampled_from([0.0, 0.03, 1.0]))
def test_probabilities_sum_to_1(at: DecisionPoint, name: str, lapse: float) -> None:
    odds = load_policy(name).with_lapse(lapse).probabilities(at, outlook(CHANCES))
    assert tuple(odds) == legal_actions(at)
    assert np.sum(list(odds.values()), axis=0) == pytest.approx(np.ones(CHANCES.size))
    for p in odds.values():
        assert ((p >= 0) & (p <= 1)).all()  # and so no NaN at a chance of 0 or 1


@pytest.mark.parametrize(
    ("changes", "legal"),
    [
        ({}, ("fold", "call", "raise")),
        ({"can_raise": False}, ("fold", "call")),
        ({"can_fold": False}, ("call", "raise")),
        ({"can_fold": False, "can_raise": False}, ("call",)),
        ({"to_call": 0}, ("check", "bet")),
        ({"to_call": 0, "can_raise": False}, ("check",)),
    ],
)
def test_what_is_legal(changes: dict[str, Any], legal: tuple[str, ...]) -> None:
    assert legal_actions(spot(**changes)) == legal


def test_with_lapse_names_itself_and_refuses_what_is_no_probability() -> None:
    policy = load_policy("default")
    assert policy.with_lapse(0.02).name == "table1-left, lapse 0.02"
    for lapse in (-0.1, 1.1, math.nan):
        with pytest.raises(PolicyError, match="a probability from 0 to 1"):
            policy.with_lapse(lapse)


# Files


GOOD = """\
schema = "handread.policy/1"
name = "mine"
family = "ramps"
lapse = 0.01

[bet]
x0 = 0.9
x1 = 1.0
y0 = 0.8
y1 = 0.05

[raise]
x0 = 0.7
x1 = 0.8
y0 = 0.8
y1 = 0.05

[fold]
x0 = -0.1
x1 = 0.0
y0 = 0.0
y1 = 1
"""


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(GOOD)
    assert load_policy(file) == load_policy(str(file)) == parse_policy(GOOD, "x")
    assert isinstance(load_policy(file), RampPolicy)
    assert (load_policy(file).name, load_policy(file).lapse) == ("mine", 0.01)


def test_a_policy_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"no policy 'tabel1'.*default.*honest"):
        load_policy("tabel1")
    with pytest.raises(PolicyError, match=r"is a folder, not a file"):
        load_policy(tmp_path)


def test_a_policy_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PolicyError, match=r"mine.toml: is not UTF-8 text"):
        load_policy(file)


def test_a_panel_knows_what_its_members_were_fitted_to(tmp_path: Path) -> None:
    plain = load_policy("loose")
    assert not isinstance(plain, Panel)
    for name, seen in (("one", ("aa", "bb")), ("two", ("bb", "cc"))):
        fit = Provenance("0", 2, 5, 0, -3.0, 1.0, seen)
        own = replace(plain, name=name)
        text = policy_text(PolicyFile(own, {"Ann": own}, fit))
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    head = 'schema = "handread.policy/1"\nname = "p"\nfamily = "panel"\n'
    members = ("one.toml", "two.toml#Ann", "loose")
    tables = [
        f'[[members]]\npolicy = "{name}"\nprior = {p}\n'
        for name, p in zip(members, (0.5, 0.25, 0.25), strict=True)
    ]
    (tmp_path / "p.toml").write_text(head + "".join(tables), encoding="utf-8")
    assert load_policy_file(tmp_path / "p.toml").seen == {"aa", "bb", "cc"}
    assert load_policy_file(tmp_path / "one.toml#Ann").seen == {"aa", "bb"}
    assert load_policy_file("loose").seen == set()
    too_long = head + f'[[members]]\npolicy = "{5000 * "a"}"\nprior = 1\n'
    (tmp_path / "long.toml").write_text(too_long, encoding="utf-8")
    with pytest.raises(PolicyError, match="no policy"):
        load_policy(tmp_path / "long.toml")


# Files written and read again


@pytest.mark.thorough
@examples(45)
@given(policy_files())
def test_what_is_written_is_read_again(content: PolicyFile) -> None:
    assert parse_policy_file(policy_text(content), "x.toml") == content


RATES = HitRates(8, (0.5, 0.25), (0.75, 0.5), (0.625, 0.375))


@pytest.mark.parametrize("games", [("stud",), ("razz", "stud8")])
def test_hit_rates_are_kept_in_the_text_of_a_file(games: tuple[str, ...]) -> None:
    text = "# by hand\n" + policy_text(load_policy_file("people-average"))
    policy = parse_policy(text, "f")
    stages = (("3B", RATES), ("7B", RATES))
    measured = Measured(policy_hash(policy), "1", 4, 2, "hand", stages, games)
    first = with_measured(text, replace(measured, hands=3))
    found = parse_policy_file(with_measured(first, measured), "f")
    assert with_measured(first, measured).startswith("# by hand\n")
    assert (found.policy.measured, found.policy) == (measured, policy)
    assert found.provenance == parse_policy_file(text, "f").provenance
    assert policy_hash(found.policy) == policy_hash(policy)
    assert parse_policy(policy_text(found), "f").measured == measured


def test_the_hit_rates_of_all_stages_count_every_read() -> None:
    other = HitRates(24, (0.25, 0.25), (0.5, 0.0), (1.0, 0.0))
    measured = Measured("", "1", 4, 2, "hand", (("3B", RATES), ("4B", other)))
    assert measured.overall == HitRates(32, (0.3125, 0.25), (0.5625, 0.125), (0.90625, 0.09375))


def test_an_unknown_key_is_told_with_its_line_and_what_was_meant() -> None:
    text = LOGIT.replace("percentile", "percentlie")
    line = text[: text.index("percentlie")].count("\n") + 1
    with pytest.raises(PolicyError) as error:
        parse_policy_file(text, "mine.toml")
    told = "bet.percentlie is not a field of a policy; did you mean 'percentile'?"
    assert str(error.value) == f"mine.toml:{line}: {told}"
    with pytest.raises(PolicyError, match=r"^mine\.toml:2: nmae is .*; did you mean 'name'\?$"):
        parse_policy('schema = "handread.policy/1"\nnmae = "x"\nfamily = "ramps"\n', "mine.toml")


def test_trust_words_hold_for_the_policy_that_was_measured() -> None:
    policy = load_policy("loose")
    measured = Measured(policy_hash(policy), "1", 1234, 5, "hand", (("3B", RATES),))
    told = trust_words(replace(policy, measured=measured))
    assert told == (
        "In 8 reads of 1,234 hands held out from its fit, the policy loose named the right kind of "
        "hand first in 62 of 100 (the upcards alone, in 38), with its ranks in 50 (25), and with "
        "its ranks among the first three in 75 (50)."
    )
    unseen = trust_words(replace(policy, measured=replace(measured, folds=0)))
    assert unseen == told.replace("held out from its fit", "that it had not seen")
    unknown = "Nobody has measured how often reads by the policy loose are right."
    assert trust_words(policy) == unknown
    changed = replace(policy, measured=measured).with_lapse(0.5)
    assert trust_words(changed).startswith("Nobody has measured")


def test_a_panel_is_not_written() -> None:
    with pytest.raises(ValueError, match="written by hand"):
        policy_text(PolicyFile(load_policy("panel")))


def test_the_policy_of_a_player(tmp_path: Path) -> None:
    policy = load_policy("loose")
    file = tmp_path / "all#1.toml"
    tipsy = replace(policy, lapse=0.2)
    file.write_text(policy_text(PolicyFile(policy, {"Ann": tipsy})), encoding="utf-8")
    assert load_policy(file) == policy
    assert load_policy(f"{file}#Ann") == replace(tipsy, name="loose#Ann")
    assert load_policy_file(f"{file}#Ann").players == {}
    with pytest.raises(PolicyError, match=r"no policy of the player 'Bob': it has those Ann"):
        load_policy(f"{file}#Bob")
    with pytest.raises(PolicyError, match=r"it has those of nobody"):
        load_policy("tight#Bob")
    with pytest.raises(PolicyError, match=r"cannot be read|no policy"):
        load_policy("a" * 300 + "#Bob")
    both = load_policy_file(file).with_lapse(0.4)
    assert (both.policy, both.players["Ann"].lapse) == (policy.with_lapse(0.4), 0.4)
    assert load_policy_file(file).with_lapse(None) == load_policy_file(file)


LOGIT = """\
schema = "handread.policy/1"
name = "smooth"
family = "logit"

[bet]
percentile = 1.5

[fold]
constant = -1

[raise]

[players."Ann B"]
lapse = 0.5
[players."Ann B".bet]
[players."Ann B".fold]
[players."Ann B".raise]
chance = 2
"""


def test_a_logit_file_leaves_out_what_weighs_nothing() -> None:
    content = parse_policy_file(LOGIT, "x.toml")
    policy = content.policy
    assert (policy.lapse, policy.likelihood_exponent) == (0.0, 1.0)
    assert dict(zip(FEATURES, policy.bet, strict=True))["percentile"] == 1.5
    assert sum(map(abs, (*policy.bet, *policy.fold, *policy.raise_))) == 2.5
    assert content.players["Ann B"].name == "smooth#Ann B"
    assert content.players["Ann B"].lapse == 0.5


PANEL = """\
schema = "handread.policy/1"
name = "mixed"
family = "panel"

[[members]]
policy = "mine.toml"
prior = 0.25

[[members]]
policy = "uniform"
prior = 0.75
"""


def test_a_panel_finds_its_members_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD)
    (tmp_path / "smooth.toml").write_text(LOGIT)
    file = tmp_path / "panel.toml"
    file.write_text(PANEL)
    panel = load_policy(file)
    assert [member.name for member in panel.members] == ["mine", "uniform"]
    assert panel.prior == (0.25, 0.75)
    file.write_text(PANEL.replace("mine.toml", "smooth.toml#Ann B"))
    panel = load_policy(file)
    assert panel.members[0].name == "smooth#Ann B"
    assert panel.with_lapse(0.1).members[0].lapse == 0.1


@pytest.mark.parametrize("prior", [(0.5,), (0.5, 0.6), (1.5, -0.5), (0.5, math.nan)])
def test_a_panel_whose_prior_is_none(prior: tuple[float, ...]) -> None:
    members = load_policy("loose"), load_policy("uniform")
    with pytest.raises(PolicyError, match="panel 'p'"):
        Panel("p", members, prior)  # type: ignore[arg-type]


OLD_NAMES = {"likelihood_exponent": "temper", "percentile": "standing"}


def test_files_of_older_versions_are_read() -> None:
    average = load_policy("people-average")
    text = policy_text(PolicyFile(average, {"Ann": single(average)}))
    old = text
    for name, before in OLD_NAMES.items():
        assert name in text
        old = old.replace(f"{name} =", f"{before} =")
    assert parse_policy_file(old, "old.toml") == parse_policy_file(text, "new.toml")


OLD_LOGIT = """
schema = "handread.policy/1"
name = "old"
family = "logit"
temper = 0.5
[bet]
constant = -1
[fold]
standing = -1.5
[raise]
chance = 1
"""


@pytest.mark.parametrize(
    ("name", "known"),
    [("table1-left", "a360bf89c038"), ("loose", "275495ca3d46"), ("old", "6febaa4d6088")],
)
def test_hashes_outlive_versions(name: str, known: str) -> None:
    """They are in files that people keep: a policy that is unchanged has the hash it had."""
    policy = parse_policy(OLD_LOGIT, "old.toml") if name == "old" else load_policy(name)
    assert policy_hash(policy) == known


# Policies of other games


def test_people_has_policies_for_other_games() -> None:
    content = load_policy_file("people-average")
    average = content.policy
    assert average.in_game("stud") is average
    assert {key for key, _ in average.by_game} == {"razz", "stud8", "5stud"}
    mixed = load_policy_file("people-mixed")
    assert in_game(average, "razz") == mixed.policy
    assert set(dict(mixed.provenance.games)) == {"stud", "stud8", "razz", "5stud"}
    assert sum(dict(mixed.provenance.games).values()) == mixed.provenance.hands
    assert set(content.provenance.seen) | mixed.seen == content.seen
    assert len(content.seen) > content.provenance.hands
    assert policy_hash(average) == policy_hash(replace(average, by_game=()))  # same in stud high
    tipsy = average.with_lapse(0.1).in_game("stud8")
    assert (tipsy.name, tipsy.lapse) == ("people-mixed, lapse 0.1", 0.1)


GAMES = LOGIT.replace("[bet]", '[games]\nrazz = "low.toml"\n[bet]', 1)


def test_policies_of_other_games_stand_beside_a_file(tmp_path: Path) -> None:
    file, low = tmp_path / "mine.toml", tmp_path / "low.toml"
    file.write_text(GAMES)
    with pytest.raises(PolicyError, match=r"no policy 'low.toml'"):
        load_policy(file)
    low.write_text(LOGIT.replace('"smooth"', '"low"'))
    assert in_game(load_policy(file), "razz").name == "low"
    assert in_game(load_policy(file), "stud8").name == "smooth"
    panel = tmp_path / "panel.toml"
    panel.write_text(PANEL)
    mixed = in_game(load_policy(panel), "razz")
    assert [member.name for member in mixed.members] == ["low", "uniform"]
    assert in_game(load_policy(panel), "stud").members[0].name == "smooth"


# Faults


FAULTS = {
    GOOD: [
        ('schema = "handread.policy/1"', "", ["schema", "nothing", "a text"]),
        ("policy/1", "policy/2", ["schema", "'handread.policy/2'", "'handread.policy/1'"]),
        ('"ramps"', '"splines"', ["family", "'splines'", "'ramps'"]),
        ('name = "mine"', "name = 3", ["name", "3", "a text"]),
        ('name = "mine"', 'name = "mine', ["not TOML", "line 2"]),
        ("lapse = 0.01", "lapse = 1.5", ["lapse", "1.5", "a probability from 0 to 1"]),
        ("lapse = 0.01", "lapse = 0.01\nlaspe = 0.5", ["laspe", "not a field", "lapse"]),
        ("x0 = 0.7", "xo = 0.7", ["raise.xo", "not a field", "x0, x1, y0, y1"]),
        ("x0 = 0.7", 'x0 = "0.7"', ["raise.x0", "'0.7'", "a number"]),
        ("x1 = 0.8", "x1 = inf", ["raise.x1", "a finite number"]),
        ("x1 = 0.8", "x1 = 1" + 400 * "0", ["raise.x1", "a finite number"]),
        ("x1 = 0.8", "x1 = 1e300", ["raise.x1", "at most 1e+12"]),
        ("x1 = 0.8", "x1 = 1" + 5000 * "0", ["not TOML"]),
        ("x1 = 0.8", "x1 = " + 5000 * "[" + 5000 * "]", ["not TOML"]),
        ("x0 = 0.7", "x0 = 0.81", ["raise.x0", "0.81", "at most x1 = 0.8"]),
        ("[bet]", '[games]\nrazz = "loose"\n[bet]', ["games", "not a field"]),
    ],
    with_measured(GOOD, Measured("", "1", 4, 2, "hand", (("3B", RATES),))): [
        ("n = 8", "n = -8", ["measured.3B.n", "a whole number"]),
        ("[0.5, 0.25]", "[0.5]", ["measured.3B.first_kind", "two numbers"]),
        ("[measured.3B]", "[measured.3D]", ["measured.3D"]),
        ("first_family", "family", ["measured.3B.family"]),
    ],
    LOGIT: [
        ('"logit"', '"logit"\nlikelihood_exponent = 0', ["likelihood_exponent", "0", "above 0"]),
        ("[fold]\nconstant = -1", "", ["[fold]", "nothing", "weights of features"]),
        ("lapse = 0.5", "lapse = 5", ["players.Ann B.lapse", "5", "a probability"]),
        ("[raise]", "[raise]\n[fit]\nhands = -1", ["fit.", "expected"]),
        (".raise]\n", ".games]\nrazz = 'loose'\n", ["games", "not a field"]),
    ],
    PANEL: [
        ('"mine.toml"', '"tested.toml"', ["policy", "'tested.toml'", "no panel"]),
        ('"mine.toml"', '"nobody"', ["no policy 'nobody'"]),
        ('"mine.toml"', '"uniform"', ["members", "two members named 'uniform'"]),
        ('"mine.toml"', "3", ["members.policy", "3", "a text"]),
        ("0.75", "0.5", ["members", "0.75", "add up to 1"]),
        ("0.75", "-0.75", ["members.prior", "a probability"]),
        ('family = "panel"', 'family = "panel"\nlearning = 1.5', ["learning", "1.5", "0 to 1"]),
        ("[[members]]", "[priors]\nomaha = [0.5, 0.5]\n[[members]]", ["priors", "'omaha'", "razz"]),
        ("[[members]]", "[priors]\nrazz = [1]\n[[members]]", ["priors.razz", "2 probabilities"]),
        ("[[members]]", "[priors]\nrazz = [0.5, 0.6]\n[[members]]", ["priors.razz", "add up to 1"]),
        ("[[members]]", "[players.Ann]\n[[members]]", ["players", "not a field"]),
        ("[[members]]", "[repeats]\nrazz = [-1]\n[[members]]", ["repeats.razz", "-1", "0 to 1"]),
        ("[[members]]", "[repeats]\nstud = 0.5\n[[members]]", ["repeats.stud", "0.5", "a list"]),
        ("[[members]]", "[idle]\nstud = ['a']\n[[members]]", ["idle.stud", "'a'", "a number"]),
        ("[[members]]", "[idle]\nstud = []\n[[members]]", ["idle.stud", "[]", "numbers from 0"]),
        (
            "[[members]]",
            "[idle]\nholdem = [0.5]\n[[members]]",
            ["idle", "'holdem'", "razz"],
        ),
        ('family = "panel"', 'family = "panel"\nidle = 0.5', ["[idle]", "0.5", "a table"]),
    ],
    GAMES: [
        ("razz =", "holdem =", ["games", "'holdem'", "studhl, razz"]),
        ('"low.toml"', '"loose"', ["games", "'loose'", "logit"]),
        ('"low.toml"', '"panel"', ["games", "'panel'", "no panel"]),
        ('"low.toml"', '"tested.toml"', ["games", "without games of its own"]),
    ],
}
"""What makes a text wrong: what is replaced and by what, and the words of the message."""


@pytest.mark.parametrize(
    ("text", "good", "bad", "words"),
    [(text, *fault) for text, faults in FAULTS.items() for fault in faults],
)
def test_what_is_wrong_with_a_file(
    text: str, good: str, bad: str, words: list[str], tmp_path: Path
) -> None:
    """A panel of itself is no endless story."""
    assert good in text
    (tmp_path / "mine.toml").write_text(GOOD)
    (tmp_path / "low.toml").write_text(LOGIT)
    file = tmp_path / "tested.toml"
    file.write_text(text.replace(good, bad, 1))
    with pytest.raises(PolicyError) as error:
        load_policy(file)
    message = str(error.value)
    assert re.match(rf"{re.escape(str(file))}(:[0-9]+)?: |no policy 'nobody'", message)
    assert all(word in message for word in words), message


@pytest.mark.parametrize("name", policy_names())
def test_a_policy_of_a_preset_is_pickled_as_its_place(name: str) -> None:
    policy = load_policy(name)
    written = pickle.dumps(policy)
    assert len(written) < 2000
    again = pickle.loads(written)
    for game in VARIANTS:
        members = zip(
            members_of(in_game(policy, game)), members_of(in_game(again, game)), strict=True
        )
        assert all(one is other for one, other in members)


def test_a_changed_policy_is_pickled_as_a_whole() -> None:
    changed = single(load_policy("people-average")).with_lapse(0.25)
    again = pickle.loads(pickle.dumps(changed))
    assert again == changed
    assert again is not changed
    assert single(load_policy("people-average")).lapse != 0.25
