"""``handread fit`` as a person or a script meets it, and the files that it writes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import handread
from handread import __version__
from handread.cli import app
from handread.game.replay import nothing_dealt, replay
from handread.game.steps import Replay
from handread.history import History
from handread.inference.players import player_models
from handread.parallel import planned_parts
from handread.policy import (
    LogitPolicy,
    PolicyFile,
    Provenance,
    RampPolicy,
    fingerprint,
    legal_actions,
    load_policy,
    load_policy_file,
    parse_policy_file,
    policy_text,
    single,
)
from handread.runs import Run
from handread.simulate import Setup, play_games, seated
from handread.study.fit.fit import _gather_part, fit_hands, read_parts
from handread.study.fit.fitted import FitError, FitOptions
from handread.study.fit.sample import ARRAYS, Grouping, Sample
from handread.study.fit.stored import StoredHands
from handread.study.hand_sets import policy_to_lean_on
from tests.examples import examples
from tests.fit_samples import read_all
from tests.hands import ALL_IN, hand, write_hands
from tests.program import SAMPLES, run
from tests.strategies import POLICY_NAMES, policy_files

QUICK = ("--family", "logit", "--penalty", "3", "--temper", "1", "--set", "rounds=1")
QUICKEST = (*QUICK, "--one-policy")
SHOWDOWN, STEAL = str(SAMPLES / "showdown.stud"), str(SAMPLES / "steal.stud")


def fit(*arguments: str) -> Result:
    """The command in this process, which has no kernels to load again."""
    return CliRunner().invoke(app, ["fit", *arguments], env={"COLUMNS": "200"})


def without_command(path: Path) -> str:
    """A fitted policy without the line that says by which command it was fitted."""
    first, rest = path.read_text("utf-8").split("\n", 1)
    assert first.startswith("# handread fit ")
    return rest


def replays(*files: str) -> list[Replay]:
    hands = [hand for file in files for hand in handread.read_hands(file)]
    return [handread.replay(hand) for hand in hands if isinstance(hand, History)]


def simulated_file(path: Path, games: int, names: list[str]) -> None:
    """Games of players with these names, every downcard known."""
    players = player_models(load_policy("loose").with_lapse(0.2))
    setup = Setup(players, seated(players, len(names), None, names))
    write_hands(path, [game.history for game in play_games(setup, 4, range(games))])


# What is written


@pytest.mark.thorough
def test_a_fit_says_what_it_was_fitted_to(tmp_path: Path) -> None:
    out = tmp_path / "own.toml"
    several = str(SAMPLES / "simulated.stud")
    done = fit(several, SHOWDOWN, *QUICK, "--set", "least=12", "-o", str(out))
    assert done.exit_code == 0, done.stderr
    hands = replays(several, SHOWDOWN)
    choices = [
        (hand, decision)
        for hand in hands
        for decision in hand.decisions
        if len(legal_actions(decision)) > 1
    ]
    content = load_policy_file(out)
    assert isinstance(content.policy, LogitPolicy)
    assert (content.policy.name, content.policy.likelihood_exponent) == ("fitted", 1.0)
    found = content.provenance
    assert (found.version, found.penalty) == (__version__, 3.0)
    assert (found.hands, found.actions) == (len(hands), len(choices))
    assert found.known == sum(
        len(hand.downcards.get(d.seat, ())) >= 2 + (d.street == 7) for hand, d in choices
    )
    assert set(found.seen) == {fingerprint(hand.history) for hand in hands}
    assert found.evidence_bits < 0
    by_name: dict[str, list[Replay]] = {}
    for one, decision in choices:
        by_name.setdefault(one.history.seat(decision.seat).name, []).append(one)
    expected = {
        (name, len({id(one) for one in own}), len(own))
        for name, own in by_name.items()
        if name and len(own) >= 12
    }
    assert expected
    assert set(found.players) == expected
    assert set(content.players) == {name for name, _, _ in expected}
    for name, own in content.players.items():
        assert own.name == f"fitted#{name}"
        assert own != replace(content.policy, name=own.name)
    assert f"used all {len(choices)} actions by choice, in all {len(hands)} hands" in done.stdout
    assert f"written to {out}" in done.stdout
    assert list(tmp_path.iterdir()) == [out]
    name = next(iter(content.players))
    read = run("analyze", SHOWDOWN, "--policy", f"{out}#{name}", "--json")
    assert read.returncode == 0


@pytest.mark.thorough
def test_without_a_file_the_policies_go_to_standard_output() -> None:
    done = fit(SHOWDOWN, *QUICKEST, "--family", "ramps", "--name", 'my "own"')
    assert done.exit_code == 0
    content = parse_policy_file(done.stdout, "-")
    assert isinstance(content.policy, RampPolicy)
    assert content.policy.name == 'my "own"'
    assert content.provenance is not None
    lines = done.stderr.splitlines()
    assert lines[0].startswith("used all 19 actions by choice, in 1 hand;")
    assert any(line.startswith("fold.x0") for line in lines)


@pytest.mark.thorough
def test_features_by_name(tmp_path: Path) -> None:
    out = tmp_path / "own.toml"
    some = ("--features", "boards,ace,flush_draw@on_3rd", "--prior", "none")
    assert fit(SHOWDOWN, *QUICKEST, *some, "-o", str(out)).exit_code == 0
    fold = tomllib.loads(out.read_text("utf-8"))["fold"]
    assert fold["ace"] != 0.0
    assert list(fold["on_3rd"]) == ["flush_draw"]
    assert "pair" not in fold


@pytest.mark.thorough
def test_hidden_downcards_are_not_looked_at(tmp_path: Path) -> None:
    texts = []
    for number, flags in enumerate((("--set", "hidden=yes"), ())):
        out = tmp_path / f"{number}.toml"
        done = fit(SHOWDOWN, *QUICKEST, *flags, "-o", str(out))
        assert done.exit_code == 0
        texts.append(load_policy_file(out))
    hidden, open_ = texts
    assert (hidden.provenance.known, open_.provenance.known) == (0, 15)
    assert hidden.policy != open_.policy


@pytest.mark.thorough
def test_names_of_any_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [
        'quo"te',
        "back\\slash",
        "new\nline",
        "\x1b[2Jclear",
        "\U0001f0a1 ace",
        "del\x7f",
        "[a.b] = 1",
    ]
    hands, out = tmp_path / "hands.stud", tmp_path / "out.toml"
    simulated_file(hands, 2, names)
    few = (*QUICK, "--set", "least=1", "--workers", "1")
    assert fit(str(hands), "--family", "ramps", *few, "-o", str(out)).exit_code == 0
    content = load_policy_file(out)
    assert set(content.players) <= set(names)
    assert len(content.players) >= 5
    assert {name for name, _, _ in content.provenance.players} == set(content.players)
    assert parse_policy_file(policy_text(content), "x") == content
    shown = capsys.readouterr().out
    assert not set("\x1b\x7f") & set(shown)
    for name in content.players:
        assert load_policy_file(f"{out}#{name}").policy.name == f"fitted#{name}"


@pytest.mark.thorough
@examples(40)
@given(
    policy_files(),
    st.lists(st.tuples(POLICY_NAMES, st.integers(0, 99), st.integers(0, 10**6)), max_size=4),
)
def test_counts_of_players_are_read_again(
    content: PolicyFile, players: list[tuple[str, int, int]]
) -> None:
    once = {name: (name, hands, actions) for name, hands, actions in players}
    fit = Provenance("0.1", 12, 90, 3, -120.5, 0.3, ("0123abcd",), tuple(once.values()))
    told = replace(content, provenance=fit)
    assert parse_policy_file(policy_text(told), "x.toml") == told


# Nothing is lost without a word


@pytest.mark.thorough
def test_a_log_of_simulated_games_in_phh_is_fitted_whole(tmp_path: Path) -> None:
    """PHH has one word for a check and a call: the copy of the hands must know which it was."""
    log, out = tmp_path / "g.phhs", tmp_path / "g.toml"
    simulate = ("simulate", "4", "--seats", "6", "--policy", "loose", "--seed", "3")
    assert run(*simulate, "-o", str(log)).returncode == 0
    chosen = sum(len(hand.decisions) for hand in replays(str(log)))
    done = fit(str(log), *QUICKEST, "-o", str(out))
    assert done.exit_code == 0, done.output
    provenance = load_policy_file(out).provenance
    assert (provenance.hands, provenance.actions) == (4, chosen)
    assert f"used all {chosen} actions by choice, in all 4 hands" in done.stdout


@cache
def kinds() -> list[Replay]:
    """A hand of each notation and game."""
    found = {}
    for path in sorted(SAMPLES.iterdir()):
        for one in islice(handread.read_hands(path), 1):
            if isinstance(one, History) and nothing_dealt(hand := handread.replay(one)) is None:
                found[one.source.dialect, one.variant] = hand
    return [hand for hand in found.values() if hand.problem is None and hand.streets]


@pytest.mark.thorough
@pytest.mark.parametrize("part", [0, 1, 2])
def test_the_copy_of_a_run_holds_every_hand_as_it_was_played(part: int, tmp_path: Path) -> None:
    """Hands of every notation and game, read from the copy, give the sample of the hands."""
    assert len({hand.history.source.dialect for hand in kinds()}) >= 10
    assert {hand.history.variant for hand in kinds()} == {"stud", "stud8", "razz", "5stud"}
    hands, policies = kinds()[part::3], PolicyFile(single(load_policy("loose")))
    stored = StoredHands.of(hands)
    copied = Sample.join(read_parts(Run(resume=tmp_path), stored, policies, Grouping(8)))
    straight = read_all(hands, policies, Grouping(8))
    assert straight.n_turns > 100
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(copied, name), getattr(straight, name), name)


@pytest.mark.thorough
def test_actions_after_an_unseen_upcard_are_counted(tmp_path: Path) -> None:
    """On 6th street a card of seat 1 is not seen: the actions from there on cannot be used."""
    whole = Path(SHOWDOWN).read_text("utf-8")
    cut, out = tmp_path / "cut.stud", tmp_path / "own.toml"
    cut.write_text(whole.replace("2c b", "?? b"), encoding="utf-8")
    (hand,) = replays(str(cut))
    lost = sum(len(street.decisions) for street in hand.streets[3:])
    assert lost == 6
    alone = fit(str(cut), *QUICKEST, "-o", str(out))
    assert alone.exit_code == 1
    why = f"{lost} after an upcard that the log does not show, most in {cut}"
    told = " ".join(alone.stderr.split())
    assert f"{lost} of the 19 actions by choice cannot be used, which is more than a tenth" in told
    assert why in told
    assert list(tmp_path.iterdir()) == [cut]
    others = [SHOWDOWN, STEAL, str(SAMPLES / "simulated.stud")]
    among = fit(str(cut), *others, *QUICKEST, "-o", str(out))
    assert among.exit_code == 0, among.output
    provenance = load_policy_file(out).provenance
    used = provenance.actions
    assert f"used {used} of {used + lost} actions by choice" in among.stdout
    assert f"not used: {why}" in " ".join(among.stdout.split())


@pytest.mark.thorough
def test_a_fit_that_loses_actions_on_its_way_stops() -> None:
    """A reader that gives half of the actions only, as a bad copy of the hands would."""

    def half(hands: StoredHands, policies: PolicyFile, grouping: Grouping) -> Iterator[Sample]:
        whole = read_all(map(replay, hands), policies, grouping)
        yield whole.select(np.arange(whole.n_lines) % 2 == 0)

    hands = replays(SHOWDOWN, STEAL)
    for family in ("logit", "ramps", "tree"):
        with pytest.raises(FitError, match="lost when the hands were read again"):
            fit_hands(hands, FitOptions(family=family), half)


@pytest.mark.thorough
def test_a_fit_to_hands_of_some_games(tmp_path: Path) -> None:
    razz, high, out = str(SAMPLES / "razz.stud:2"), SHOWDOWN, tmp_path / "mine.toml"
    both = [razz, high, *QUICKEST, "-o", str(out)]
    for asked, games in (((), {"razz", "stud"}), (("--game", "razz"), {"razz"})):
        done = fit(*both, "--prior", "none", *asked)
        assert done.exit_code == 0, done.output
        provenance = load_policy_file(out).provenance
        assert set(dict(provenance.games)) == games
        assert sum(dict(provenance.games).values()) == provenance.hands
    assert fit(*both, "--game", "holdem").exit_code == 2


@pytest.mark.thorough
def test_a_fit_to_one_game_leans_on_the_prior_of_that_game(tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    for file, prior in (("razz.stud:2", "people-mixed"), ("showdown.stud", "people-average")):
        asked = ("--penalty", "1e6", "--temper", "1", "--set", "rounds=1", "--one-policy")
        asked += ("--family", "logit")
        assert fit(str(SAMPLES / file), *asked, "-o", str(out)).exit_code == 0
        found, centre = single(load_policy_file(out).policy), single(load_policy(prior))
        assert found.fold == pytest.approx(centre.fold, abs=0.01)


# The same file however it comes about


@pytest.mark.dear("a process with all its imports is killed and its work gone on with")
def test_a_killed_fit_ends_as_one_that_was_not(tmp_path: Path) -> None:
    """Killed in the middle and gone on with: the same file."""
    hands, games = tmp_path / "hands.stud", 21  # in four parts
    simulated_file(hands, games, ["Ann", "Ben"])
    asked = [str(hands), *QUICKEST, "--family", "ramps"]
    killed, whole = tmp_path / "killed.toml", tmp_path / "whole.toml"
    command = [sys.executable, "-m", "handread", "fit", *asked, "-o", str(killed)]
    process = subprocess.Popen([*command, "--workers", "1"], start_new_session=True)
    folder = killed.with_name("killed.toml.parts")
    deadline = time.monotonic() + 120
    while not list(folder.glob("*/*/0*.npz")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not killed.exists()
    kept = {int(part.name[:9]) for part in folder.glob("*/*/0*.npz")}
    assert kept
    read = []

    def gather_part(*arguments: Any) -> None:
        read.append(len(arguments[-2]))
        _gather_part(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handread.study.fit.fit._gather_part", gather_part)
        assert fit(*asked, "-o", str(killed), "--workers", "1").exit_code == 0
    parts = planned_parts(folder, games)
    assert len(parts) == 4
    assert read == [len(part.numbers) for part in parts if part.numbers.start not in kept]
    assert fit(*asked, "-o", str(whole), "--workers", "1").exit_code == 0
    assert without_command(killed) == without_command(whole)
    assert not folder.exists()


def test_names_in_a_file_of_policies_do_not_reach_the_terminal(tmp_path: Path) -> None:
    loose = single(load_policy("loose"))
    file = tmp_path / "own.toml"
    file.write_text(policy_text(PolicyFile(loose, {"\x1b[31mEvil\x07": loose})), encoding="utf-8")
    done = CliRunner().invoke(app, ["analyze", SHOWDOWN, "--policy", f"{file}#Bob"])
    assert done.exit_code == 2
    assert "Evil" in done.stderr
    assert not set("\x1b\x07") & set(done.stderr)


@pytest.mark.thorough
def test_damaged_parts_are_read_anew(tmp_path: Path) -> None:
    """What a power cut leaves: the readings of some hands, cut off."""
    hands = StoredHands.of(replays(SHOWDOWN))
    policies = PolicyFile(single(load_policy("loose")))
    read = partial(read_parts, Run(resume=tmp_path))
    (before,) = read(hands, policies, Grouping(64))
    damaged = next(tmp_path.glob("*/*.npz"))
    damaged.write_bytes(damaged.read_bytes()[:-100])
    (again,) = read(hands, policies, Grouping(64))
    assert (again.weight == before.weight).all()


@pytest.mark.thorough
def test_the_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    files = [SHOWDOWN, STEAL, str(SAMPLES / "bovada.txt")]
    texts = []
    for number, order in enumerate([files, files[::-1]]):
        out = tmp_path / f"{number}.toml"
        assert fit(*order, *QUICKEST, "--prior", "none", "-o", str(out)).exit_code == 0
        texts.append(without_command(out))
    assert texts[0] == texts[1]


# The policy that it leans on


@pytest.mark.thorough
def test_a_prior_that_has_seen_the_hands_is_left_out(tmp_path: Path) -> None:
    first, again, without = (tmp_path / f"{name}.toml" for name in ("first", "again", "without"))
    fit(SHOWDOWN, STEAL, *QUICKEST, "-o", str(first))
    leaned = fit(SHOWDOWN, *QUICKEST, "--prior", str(first), "-o", str(again))
    assert leaned.exit_code == 0
    assert "'fitted' was fitted to this hand, which would count twice" in leaned.stderr
    fit(SHOWDOWN, *QUICKEST, "--prior", "none", "-o", str(without))
    assert without_command(again) == without_command(without)


def test_little_evidence_leaves_the_prior_nearly_as_it_is(tmp_path: Path) -> None:
    prior, out = tmp_path / "prior.toml", tmp_path / "out.toml"
    fit(STEAL, *QUICKEST, "-o", str(prior))
    strong = ("--penalty", "1e6", "--temper", ".5", "--set", "rounds=1", "--one-policy")
    done = fit(SHOWDOWN, *strong, "--prior", str(prior), "-o", str(out))
    assert done.exit_code == 0
    assert "would count twice" not in done.stderr
    before, after = load_policy(prior), load_policy(out)
    assert after.likelihood_exponent == 0.5
    for head in ("bet", "fold", "raise_"):
        assert getattr(after, head) == pytest.approx(getattr(before, head), abs=2e-3)


def test_what_a_fit_leans_on_unasked() -> None:
    assert policy_to_lean_on("none", "logit") is None
    assert policy_to_lean_on(None, "ramps") is None
    average = policy_to_lean_on(None, "logit")
    assert average.policy == load_policy("people-average")


def test_hands_that_teach_nothing(tmp_path: Path) -> None:
    sure = tmp_path / "sure.stud"
    write_hands(sure, [hand(ALL_IN, stacks={1: 25, 2: 25})])
    done = fit(str(sure), *QUICKEST, "-o", str(tmp_path / "out.toml"))
    assert done.exit_code == 1
    assert "nobody in these hands had a choice between actions" in done.stderr
    assert list(tmp_path.iterdir()) == [sure]
