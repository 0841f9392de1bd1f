"""The bench of readers: its figures against plain averages, and what readers cannot read."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from handread.game.rules import SAUND_STAKES, SAUND_UNIT, variant_of
from handread.game.steps import Replay
from handread.history import History
from handread.inference.observer import ObservedStreet, TieRule
from handread.inference.players import Model, PlayerModels
from handread.inference.readers import Observer, PolicyReader, Reader
from handread.papers.bench import readers as study
from handread.papers.bench.readers import (
    ABOVE,
    BITS,
    SURPRISE,
    TRUE,
    Bench,
    BenchReader,
    HandSet,
    ReadOptions,
    bench,
    fitted_reader,
    named_reader,
    population,
    read_sets,
    reader_scores,
    set_figures,
)
from handread.papers.bench.readers_figure import readers_figure
from handread.papers.bench.text import bench_text
from handread.papers.bpp.player import BPPPlayer
from handread.parallel import RunError, StoredJobs
from handread.policy import PolicyError, fingerprint, load_policy
from handread.report.tables import frame_csv
from handread.simulate import Setup, play_games, seated
from handread.study.evaluation import evaluation
from handread.study.scores import UNREAD, HandScores, score_hands
from handread.study.statistics import Estimate, Key
from tests.program import SAMPLES, run

SOME, FEW, SEED, RESAMPLES = 8, 3, 3, 100
ALL = ("people", RESAMPLES, 1)
LOOSE = PlayerModels(Model(load_policy("loose")))
PEOPLE = PlayerModels(Model(load_policy("people")))
TABLE = Setup(LOOSE, seated(LOOSE, 3))
BLINDLY = named_reader("cards-only")


@dataclass(frozen=True)
class FiveStudOnly:
    """Saund's observer of loose players, for five-card stud."""

    name: str = "five"
    terms: str = "five"
    games: Sequence[str] = ("5stud",)
    learns: bool = False

    def observer(self, history: History, ties: TieRule) -> Observer:
        return PolicyReader(LOOSE).observer(history, ties)

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> FiveStudOnly:
        return self


@cache
def hands() -> tuple[Replay, ...]:
    five = variant_of("5stud")
    stakes = replace(SAUND_STAKES, bets=SAUND_STAKES.bets[: len(five.streets)])
    small = Setup(LOOSE, seated(LOOSE, 3), stakes, SAUND_UNIT, game=five)
    stud = [game.replay for game in play_games(TABLE, SEED, range(SOME - 2))]
    return (*stud, *(game.replay for game in play_games(small, SEED, range(2))))


READERS = (
    BenchReader("people", PolicyReader(PEOPLE)),
    BLINDLY,
    BenchReader("loose", PolicyReader(LOOSE), seen=frozenset({fingerprint(hands()[0].history)})),
    BenchReader("five", FiveStudOnly()),
    BenchReader(TRUE, None),
)


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> list[HandSet]:
    folder = tmp_path_factory.mktemp("hands")
    few = tmp_path_factory.mktemp("few")
    own, loose = StoredJobs.store(hands(), folder), StoredJobs.store(hands()[:FEW], few)
    return [HandSet("both games", own), HandSet("loose players", loose, LOOSE)]


@pytest.fixture(scope="module")
def table(sets: list[HandSet]) -> Bench:
    found = bench(sets, READERS, "people", resamples=RESAMPLES)
    # Of several games the bench has figures of each; here are those of all hands together.
    mixed = set_figures("both games", {r.label: scores(r.label) for r in READERS}, *ALL)
    return replace(
        found, figures={**mixed, **found.figures}, sets={"both games": SOME, **found.sets}
    )


@cache
def scores(label: str) -> tuple[HandScores, ...]:
    reader = next(one for one in READERS if one.label == label)
    if reader.reader is None:
        return (UNREAD,) * SOME
    return tuple(score_hands(hands(), reader.reader, "split"))


def of(
    table: Bench, label: str, figure: str, stage: str = "", name: str = "both games"
) -> Estimate:
    return table.at(figure, stage, label, name)


STAGES = ("2B", "3B", "4B", "5B", "6B", "7B")


@pytest.mark.parametrize("label", ["people", "loose", "cards-only"])
def test_the_figures_of_a_stage_are_those_of_an_evaluation(table: Bench, label: str) -> None:
    plain = evaluation(scores(label), label, "split", RESAMPLES, 1)
    for stage in STAGES:
        for mine, its in {
            BITS: BITS,
            "true_state_ratio_floored": "true_state_ratio_floored",
            "reciprocal_rank": "reciprocal_rank_bet_inference",
            "reciprocal_rank_floor": "reciprocal_rank_cards_only",
            "brier_ace": "brier_ace_bet_inference",
        }.items():
            found = astuple(of(table, label, mine, stage))
            np.testing.assert_equal(found, astuple(plain.at(its, stage, "everybody")))


def test_all_stages_together_are_the_mean_over_all_reads(table: Bench) -> None:
    bits = [of(table, "loose", BITS, stage) for stage in STAGES]
    whole = of(table, "loose", BITS)
    assert whole.n == sum(each.n for each in bits)
    assert whole.mean == pytest.approx(sum(each.mean * each.n for each in bits if each.n) / whole.n)
    assert whole.low < whole.mean < whole.high
    assert of(table, "loose", "true_state_ratio_floored").mean == pytest.approx(2**whole.mean)
    plain = evaluation(scores("loose"), "loose", "split", RESAMPLES, 1)
    surprise = of(table, "loose", SURPRISE)
    assert (surprise.n, surprise.mean) == (plain.surprise.n, pytest.approx(plain.surprise.mean))


def test_the_reader_of_the_upcards_alone_is_at_the_floor(table: Bench) -> None:
    assert of(table, "cards-only", BITS).mean == pytest.approx(0.0, abs=1e-12)
    floor = of(table, "people", "reciprocal_rank_floor").mean
    assert of(table, "cards-only", "reciprocal_rank").mean == pytest.approx(floor)
    assert of(table, "people", "reciprocal_rank").mean != pytest.approx(floor)


def test_differences_are_paired(table: Bench) -> None:
    """Against a bootstrap of sums by hand, written out."""
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, SOME, (RESAMPLES, SOME))
    one, other = (
        np.array([[hand_sum(hand, at) for at in (0, 1)] for hand in scores(label)])
        for label in ("loose", "people")
    )
    means = [
        one[draw, 1].sum() / one[draw, 0].sum() - other[draw, 1].sum() / other[draw, 0].sum()
        for draw in drawn
    ]
    found = of(table, "loose", BITS + ABOVE)
    assert found.mean == pytest.approx(
        of(table, "loose", BITS).mean - of(table, "people", BITS).mean
    )
    low, high = np.percentile(means, [2.5, 97.5])
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    assert not of(table, "people", BITS + ABOVE).n


def hand_sum(hand: HandScores, at: int) -> float:
    """The number or the sum of the bits on the truth after bets, of all players."""
    places = [
        study.HandSample([hand], 1, 1).mean((stage, group, "bits"))
        for stage in STAGES
        for group in ("shown", "otherwise", "folded")
    ]
    return sum((each.n, each.n and each.n * each.mean)[at] for each in places)


def test_hands_that_a_reader_cannot_read_are_counted(table: Bench) -> None:
    assert of(table, "five", "unread").n == SOME - 2
    assert of(table, "loose", "unread").n == 0
    assert {stage for stage in STAGES if of(table, "five", BITS, stage).n} <= set(STAGES[:4])
    assert of(table, "five", BITS).hands == 2
    # The differences are over the hands that both read.
    few = {label: scores(label)[-2:] for label in ("people", "loose")}
    plain = set_figures("x", few, *ALL)
    expected = next(
        found.mean
        for key, found in plain.items()
        if (key.figure, key.stage, key.group) == (BITS + ABOVE, "", "loose")
    )
    assert of(table, "five", BITS + ABOVE).mean == pytest.approx(expected)
    assert of(table, "five", SURPRISE + ABOVE).hands == 2


def test_hands_of_several_games_are_told_apart(table: Bench) -> None:
    stud, five = "both games, seven-card stud", "both games, five-card stud"
    assert list(table.sets) == ["both games", stud, five, "loose players"]
    assert table.sets[stud] + table.sets[five] == SOME
    assert of(table, "five", "unread", name=stud).n == SOME - 2
    assert of(table, "five", "unread", name=five).n == 0
    few = set_figures("x", {"five": scores("five")[-2:]}, "five", RESAMPLES, 1)
    assert of(table, "five", BITS, name=five) == few[Key(BITS, "", "five", "x")]


def test_the_true_policies_are_those_of_the_players(table: Bench) -> None:
    assert of(table, TRUE, "unread").n == SOME
    assert not of(table, TRUE, BITS).n
    own = of(table, TRUE, BITS, name="loose players")
    assert own.hands == FEW
    assert own == of(table, "loose", BITS, name="loose players")


def test_hands_that_a_reader_was_fitted_to_are_counted(table: Bench) -> None:
    stud, five = "both games, seven-card stud", "both games, five-card stud"
    assert of(table, "loose", "seen", name=stud).n == 1
    assert of(table, "loose", "seen", name=five).n == 0
    assert of(table, "people", "seen", name=stud).n == 0
    assert named_reader("people").seen
    assert not BLINDLY.seen


def test_a_panel_learns_from_hand_to_hand(sets: list[HandSet]) -> None:
    panel = named_reader("panel")
    assert panel.reader is not None
    learned = list(reader_scores(sets[0], panel, ReadOptions()))
    fresh = [next(score_hands([hand], panel.reader, "split")) for hand in hands()]
    assert np.array_equal(learned[0].all_sums(), fresh[0].all_sums())
    assert not np.allclose(learned[3].all_sums(), fresh[3].all_sums())


def test_fitted_readers_read_by_the_other_folds(
    sets: list[HandSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = []

    def fitter(options: object) -> object:
        def fit(train: Sequence[Replay], without: Collection[str]) -> Reader:
            trained.append({fingerprint(one.history) for one in train})
            return PolicyReader(LOOSE)

        return fit

    monkeypatch.setattr(study, "fitter", fitter)
    found = list(reader_scores(sets[0], fitted_reader("logit"), ReadOptions(folds=3)))
    prints = {fingerprint(hand.history) for hand in hands()}
    assert len(trained) == 3
    held = [prints - each for each in trained]
    assert set.union(*held) == prints
    assert sum(map(len, held)) == len(prints)
    for mine, plain in zip(found, scores("loose"), strict=True):
        assert np.array_equal(mine.all_sums(), plain.all_sums())
    with pytest.raises(RunError, match="logit, fitted: 99 folds by hand need as many"):
        list(reader_scores(sets[0], fitted_reader("logit"), ReadOptions(folds=99)))


def test_taught_readers_have_read_the_other_folds(sets: list[HandSet]) -> None:
    taught = study.taught_reader("panel")
    assert taught.reader is not None
    found = list(reader_scores(sets[1], taught, ReadOptions(folds=FEW)))
    few = hands()[:FEW]
    for held, mine in zip(few, found, strict=True):
        others = [hand for hand in few if hand is not held]
        *_, plain = score_hands([*others, held], taught.reader, "split")
        assert np.array_equal(mine.all_sums(), plain.all_sums())


def test_parts_do_not_change_the_result(sets: list[HandSet], tmp_path: Path) -> None:
    few = READERS[:3]
    for name, some in (("all", few), ("one", few[:2]), ("two", few[2:])):
        read_sets(ReadOptions(), [(sets[1], reader) for reader in some], tmp_path / name)
    reads = {path.name: json.loads(path.read_text())["reads"] for path in tmp_path.iterdir()}
    for hand in (hand for part in reads.values() for read in part for hand in read):
        del hand["seconds"]
    assert reads["all"] == reads["one"] + reads["two"]


def test_times_are_there(table: Bench) -> None:
    time = of(table, "people", "milliseconds")
    assert time.mean > 0.1
    assert time.low < time.mean < time.high
    assert of(table, "five", "milliseconds").n == 1


# Players


def test_mixed_players_follow_different_policies() -> None:
    found = population("mixed", replace(TABLE, players=LOOSE, seats=seated(LOOSE, 7)))
    names = [found.players.of(seat).name for seat in range(1, 8)]
    assert names == [load_policy(name).name for name in (*study.MIXED, *study.MIXED[:2])]
    assert len({seat.name for seat in found.seats}) == 7


def test_a_population_of_one_policy() -> None:
    found = population("tight", TABLE)
    assert found.players == PlayerModels(Model(load_policy("tight")))
    assert [seat.name for seat in found.seats] == ["tight-1", "tight-2", "tight-3"]
    with pytest.raises(PolicyError, match="no player 'nobody'"):
        population("nobody", TABLE)


def test_two_programs_of_five_card_stud_play_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "BPP_LESSONS", 4)
    found = population("bpp", TABLE)
    assert found.game.key == "5stud"
    assert [seat.name for seat in found.seats] == ["bpp-1", "bpp-2"]
    for player in found.deciders.values():
        assert isinstance(player, BPPPlayer)
        assert set(player.reader.habits) == {"bpp-1", "bpp-2"}
    first, again = (next(iter(play_games(found, 1, range(1)))).history for _ in range(2))
    assert first == again
    assert first.variant == "5stud"


def test_the_players_of_loki_sit_in_turn() -> None:
    found = population("loki", replace(TABLE, seats=seated(LOOSE, 5)))
    assert [seat.name for seat in found.seats] == ["GOM-1", "BPM-2", "BPT-3", "BPL-4", "GOM-5"]
    assert [found.deciders[seat].name for seat in range(1, 6)] == [*study.TABLES["loki"], "GOM"]
    assert found.deciders[1].reader is found.deciders[5].reader
    with pytest.raises(ValueError, match="does not play"):
        population("loki", replace(found, game=variant_of("razz"), deciders={}))


# Faces


def test_the_text_has_a_line_for_each_reader_and_says_what_was_not_read(table: Bench) -> None:
    text = bench_text(table)
    both, simulated = text.split("loose players: ")
    assert "loose was fitted to 1 hand of these" in both
    both, *_ = both.split("both games, ")
    assert both.startswith(f"both games: {SOME} hands, ")
    bits = of(table, "loose", BITS)
    assert f"{bits.mean:+.2f} ±{(bits.high - bits.low) / 2:.2f}".replace("±0.", "±.") in both
    assert f"five cannot read {SOME - 2} hands of these" in both
    assert "  true " not in both
    assert "  true " in simulated
    assert "nan" not in text
    assert "-0.00" not in text


def test_lines_fit_the_terminal(table: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (80, 160):
        monkeypatch.setenv("COLUMNS", str(width))
        assert max(map(len, bench_text(table).splitlines())) <= width


def test_csv_and_json_have_every_figure(table: Bench) -> None:
    rows = list(csv.DictReader(frame_csv(table).splitlines()))
    assert len(rows) == len(table.figures)
    cell = next(
        row
        for row in rows
        if (row["about"], row["group"], row["stage"], row["figure"])
        == ("both games", "people", "4B", BITS)
    )
    assert float(cell["mean"]) == of(table, "people", BITS, "4B").mean
    json.dumps(table.to_dict(), allow_nan=False)


def test_the_picture_has_a_panel_for_each_set(table: Bench) -> None:
    figure = readers_figure(table)
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.axison]
    assert titles[0] == f"both games: {SOME} hands"
    assert titles[-1] == f"loose players: {FEW} hands"
    assert len(titles) == len(table.sets)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == [reader.label for reader in READERS]


# The command


def test_the_bench_from_the_command_line(tmp_path: Path) -> None:
    file, picture = tmp_path / "b.csv", tmp_path / "b.svg"
    few = ("--games", "3", "--seats", "3", "--players", "loose", "--reader", "people")
    also = ("--reader", "cards-only", "--set", "baseline=cards-only", "--workers", "1")
    log = SAMPLES / "showdown.stud"
    done = run(
        "experiment", "readers", str(log), *few, *also, "--csv", str(file), "--plot", str(picture)
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("hands of the files: ")
    assert "loose players: 3 hands" in done.stdout
    assert "less cards-only" in done.stdout
    rows = list(csv.DictReader(file.open()))
    assert {row["group"] for row in rows} == {"people", "cards-only"}
    assert {row["about"] for row in rows} == {"hands of the files", "loose players"}
    assert "loose players" in picture.read_text()
    assert set(tmp_path.iterdir()) == {file, picture}


def test_a_stopped_bench_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def scored(hand_set: HandSet, reader: BenchReader, options: ReadOptions) -> list[HandScores]:
        read.append(reader.label)
        if len(read) == 2:
            raise KeyboardInterrupt
        assert reader.reader is not None
        return list(score_hands(hand_set.stored, reader.reader, options.ties))

    monkeypatch.setattr(study, "reader_scores", scored)
    words = ("--games", "2", "--seats", "2", "--players", "loose", "--workers", "1")
    which = ("--reader", "loose", "--reader", "tight", "--reader", "cards-only")
    line = ("experiment", "readers", *words, *which, "--csv", str(tmp_path / "t.csv"))
    assert run(*line).returncode == 130
    assert run(*line).returncode == 0
    assert read == ["loose", "tight", "tight", "cards-only"]
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--reader", "nobody"], "no policy or reader 'nobody'"),
        (["--players", "nobody"], "no player 'nobody'"),
        (["--reader", "tight", "--set", "baseline=loose"], "is not one of the readers tight"),
        (["--set", "fit=logit", "--folds", "1"], "--set fit needs 2 folds or more"),
        (["--set", "fit=cubic"], "no policy or reader 'cubic'"),
        (["--set", "fit=loose"], "the reader loose does not learn"),
        (["--game", "27razz"], "not analyzed"),
        ([str(SAMPLES / "nothing.txt")], "nothing.txt"),
    ],
)
def test_what_cannot_be_compared(arguments: list[str], words: str) -> None:
    done = run("experiment", "readers", "--games", "2", *arguments)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.replace("│", "").split())
    assert "Traceback" not in done.stderr


def test_too_few_hands_for_the_folds(tmp_path: Path) -> None:
    log = SAMPLES / "showdown.stud"
    done = run("experiment", "readers", str(log), "--reader", "loose", "--set", "fit=ramps")
    assert done.returncode == 2
    assert "ramps, fitted: 5 folds by hand need as many" in " ".join(done.stderr.split())


def test_means_of_reads_need_no_hand_to_be_read() -> None:
    found = set_figures("x", {"five": scores("five")[:2]}, "five", 100, 1)
    assert all(not np.isfinite(each.mean) for each in found.values())
    assert mean(each.n for key, each in found.items() if key.figure == "unread") == 2
