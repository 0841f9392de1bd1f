"""The bench of readers: its figures against plain averages, and what readers cannot read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from statistics import mean

import numpy as np
import pytest

from handread.game.rules import SAUND_STAKES, SAUND_UNIT, variant_of
from handread.game.steps import Replay
from handread.history import History
from handread.inference.observer import ObservedStreet, TieRule
from handread.inference.players import Model, PlayerModels
from handread.inference.readers import Observer, PolicyReader, Reader
from handread.papers.bench import set_readers as study
from handread.papers.bench.readers_figure import readers_figure
from handread.papers.bench.text import bench_text
from handread.parallel import RunError, StoredJobs
from handread.policy import PolicyError, fingerprint, load_policy
from handread.simulate import Setup, play_games, seated
from handread.study.evaluation import evaluation
from handread.study.scores import UNREAD, HandScores, score_hands
from handread.study.statistics import Estimate, Key

SOME, FEW, SEED, RESAMPLES = 8, 3, 3, 100
ALL = ("people", RESAMPLES, 1)
LOOSE = PlayerModels(Model(load_policy("loose")))
PEOPLE = PlayerModels(Model(load_policy("people")))
TABLE = Setup(LOOSE, seated(LOOSE, 3))
BLINDLY = study.named_reader("cards-only")


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
    study.BenchReader("people", PolicyReader(PEOPLE)),
    BLINDLY,
    study.BenchReader(
        "loose", PolicyReader(LOOSE), seen=frozenset({fingerprint(hands()[0].history)})
    ),
    study.BenchReader("five", FiveStudOnly()),
    study.BenchReader(study.TRUE, None),
)


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> list[study.HandSet]:
    folder = tmp_path_factory.mktemp("hands")
    few = tmp_path_factory.mktemp("few")
    own, loose = StoredJobs.store(hands(), folder), StoredJobs.store(hands()[:FEW], few)
    return [study.HandSet("both games", own), study.HandSet("loose players", loose, LOOSE)]


@pytest.fixture(scope="module")
def table(sets: list[study.HandSet]) -> study.Bench:
    found = study.bench(sets, READERS, "people", resamples=RESAMPLES)
    # Of several games the bench has figures of each; here are those of all hands together.
    mixed = study.set_figures("both games", {r.label: scores(r.label) for r in READERS}, *ALL)
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
    table: study.Bench, label: str, figure: str, stage: str = "", name: str = "both games"
) -> Estimate:
    return table.at(figure, stage, label, name)


STAGES = ("2B", "3B", "4B", "5B", "6B", "7B")


@pytest.mark.parametrize("label", ["people", "loose", "cards-only"])
def test_the_figures_of_a_stage_are_those_of_an_evaluation(table: study.Bench, label: str) -> None:
    plain = evaluation(scores(label), label, "split", RESAMPLES, 1)
    for stage in STAGES:
        for mine, its in {
            study.BITS: study.BITS,
            "true_state_ratio_floored": "true_state_ratio_floored",
            "reciprocal_rank": "reciprocal_rank_bet_inference",
            "reciprocal_rank_floor": "reciprocal_rank_cards_only",
            "brier_ace": "brier_ace_bet_inference",
        }.items():
            found = astuple(of(table, label, mine, stage))
            np.testing.assert_equal(found, astuple(plain.at(its, stage, "everybody")))


def test_all_stages_together_are_the_mean_over_all_reads(table: study.Bench) -> None:
    bits = [of(table, "loose", study.BITS, stage) for stage in STAGES]
    whole = of(table, "loose", study.BITS)
    assert whole.n == sum(each.n for each in bits)
    assert whole.mean == pytest.approx(sum(each.mean * each.n for each in bits if each.n) / whole.n)
    assert whole.low < whole.mean < whole.high
    assert of(table, "loose", "true_state_ratio_floored").mean == pytest.approx(2**whole.mean)
    plain = evaluation(scores("loose"), "loose", "split", RESAMPLES, 1)
    surprise = of(table, "loose", study.SURPRISE)
    assert (surprise.n, surprise.mean) == (plain.surprise.n, pytest.approx(plain.surprise.mean))


def test_the_reader_of_the_upcards_alone_is_at_the_floor(table: study.Bench) -> None:
    assert of(table, "cards-only", study.BITS).mean == pytest.approx(0.0, abs=1e-12)
    floor = of(table, "people", "reciprocal_rank_floor").mean
    assert of(table, "cards-only", "reciprocal_rank").mean == pytest.approx(floor)
    assert of(table, "people", "reciprocal_rank").mean != pytest.approx(floor)


def test_differences_are_paired(table: study.Bench) -> None:
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
    found = of(table, "loose", study.BITS + study.ABOVE)
    assert found.mean == pytest.approx(
        of(table, "loose", study.BITS).mean - of(table, "people", study.BITS).mean
    )
    low, high = np.percentile(means, [2.5, 97.5])
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    assert not of(table, "people", study.BITS + study.ABOVE).n


def hand_sum(hand: HandScores, at: int) -> float:
    """The number or the sum of the bits on the truth after bets, of all players."""
    places = [
        study.HandSample([hand], 1, 1).mean((stage, group, "bits"))
        for stage in STAGES
        for group in ("shown", "otherwise", "folded")
    ]
    return sum((each.n, each.n and each.n * each.mean)[at] for each in places)


def test_hands_that_a_reader_cannot_read_are_counted(table: study.Bench) -> None:
    assert of(table, "five", "unread").n == SOME - 2
    assert of(table, "loose", "unread").n == 0
    assert {stage for stage in STAGES if of(table, "five", study.BITS, stage).n} <= set(STAGES[:4])
    assert of(table, "five", study.BITS).hands == 2
    # The differences are over the hands that both read.
    few = {label: scores(label)[-2:] for label in ("people", "loose")}
    plain = study.set_figures("x", few, *ALL)
    expected = next(
        found.mean
        for key, found in plain.items()
        if (key.figure, key.stage, key.group) == (study.BITS + study.ABOVE, "", "loose")
    )
    assert of(table, "five", study.BITS + study.ABOVE).mean == pytest.approx(expected)
    assert of(table, "five", study.SURPRISE + study.ABOVE).hands == 2


def test_hands_of_several_games_are_told_apart(table: study.Bench) -> None:
    stud, five = "both games, seven-card stud", "both games, five-card stud"
    assert list(table.sets) == ["both games", stud, five, "loose players"]
    assert table.sets[stud] + table.sets[five] == SOME
    assert of(table, "five", "unread", name=stud).n == SOME - 2
    assert of(table, "five", "unread", name=five).n == 0
    few = study.set_figures("x", {"five": scores("five")[-2:]}, "five", RESAMPLES, 1)
    assert of(table, "five", study.BITS, name=five) == few[Key(study.BITS, "", "five", "x")]


def test_the_true_policies_are_those_of_the_players(table: study.Bench) -> None:
    assert of(table, study.TRUE, "unread").n == SOME
    assert not of(table, study.TRUE, study.BITS).n
    own = of(table, study.TRUE, study.BITS, name="loose players")
    assert own.hands == FEW
    assert own == of(table, "loose", study.BITS, name="loose players")


def test_hands_that_a_reader_was_fitted_to_are_counted(table: study.Bench) -> None:
    stud, five = "both games, seven-card stud", "both games, five-card stud"
    assert of(table, "loose", "seen", name=stud).n == 1
    assert of(table, "loose", "seen", name=five).n == 0
    assert of(table, "people", "seen", name=stud).n == 0
    assert study.named_reader("people").seen
    assert not BLINDLY.seen


def test_a_panel_learns_from_hand_to_hand(sets: list[study.HandSet]) -> None:
    panel = study.named_reader("panel")
    learned = list(study.reader_scores(sets[0], panel, study.ReadOptions()))
    fresh = [next(score_hands([hand], panel.reader, "split")) for hand in hands()]
    assert np.array_equal(learned[0].all_sums(), fresh[0].all_sums())
    assert not np.allclose(learned[3].all_sums(), fresh[3].all_sums())


def test_fitted_readers_read_by_the_other_folds(
    sets: list[study.HandSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = []

    def fitter(options: object) -> object:
        def fit(train: Sequence[Replay], without: Collection[str]) -> Reader:
            trained.append({fingerprint(one.history) for one in train})
            return PolicyReader(LOOSE)

        return fit

    monkeypatch.setattr(study, "fitter", fitter)
    found = list(
        study.reader_scores(sets[0], study.fitted_reader("logit"), study.ReadOptions(folds=3))
    )
    prints = {fingerprint(hand.history) for hand in hands()}
    assert len(trained) == 3
    held = [prints - each for each in trained]
    assert set.union(*held) == prints
    assert sum(map(len, held)) == len(prints)
    for mine, plain in zip(found, scores("loose"), strict=True):
        assert np.array_equal(mine.all_sums(), plain.all_sums())
    with pytest.raises(RunError, match="logit, fitted: 99 folds by hand need as many"):
        list(
            study.reader_scores(sets[0], study.fitted_reader("logit"), study.ReadOptions(folds=99))
        )


def test_taught_readers_have_read_the_other_folds(sets: list[study.HandSet]) -> None:
    taught = study.taught_reader("panel")
    found = list(study.reader_scores(sets[1], taught, study.ReadOptions(folds=FEW)))
    few = hands()[:FEW]
    for held, mine in zip(few, found, strict=True):
        others = [hand for hand in few if hand is not held]
        *_, plain = score_hands([*others, held], taught.reader, "split")
        assert np.array_equal(mine.all_sums(), plain.all_sums())


def test_times_are_there(table: study.Bench) -> None:
    time = of(table, "people", "milliseconds")
    assert time.mean > 0.1
    assert time.low < time.mean < time.high
    assert of(table, "five", "milliseconds").n == 1


def test_a_reader_that_learns_nothing_reads_in_pieces(
    sets: list[study.HandSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "PIECE", 2)
    assert [at for *_, at in study.pieces(sets[1], READERS[0])] == [range(FEW)]
    assert [at for *_, at in study.pieces(sets[1], BLINDLY)] == [range(2), range(2, FEW)]
    whole = study.bench(sets[1:], (BLINDLY,), BLINDLY.label, resamples=10)
    monkeypatch.setattr(study, "PIECE", FEW)
    timeless = [
        {key: one for key, one in bench.figures.items() if key.figure != "milliseconds"}
        for bench in (whole, study.bench(sets[1:], (BLINDLY,), BLINDLY.label, resamples=10))
    ]
    assert repr(timeless[0]) == repr(timeless[1])


def test_a_game_that_no_reader_reads_and_the_time_of_a_file_are_no_figures() -> None:
    file = study.BenchReader("a file", FiveStudOnly(), timed=False)
    played = [one for one in hands() if one.history.variant != "5stud"][:2]
    own = [one for one in hands() if one.history.variant == "5stud"][:2]
    sets = [study.HandSet("razz", played[:1]), study.HandSet("five", own)]
    found = study.bench(sets, (file,), "a file", resamples=10)
    assert found.at("milliseconds", "", "a file", "five").n == 0
    text = bench_text(found)
    assert "razz: 1 hand, no reader reads them" in text
    assert "no downcards known" not in text


# Players


def test_mixed_players_follow_different_policies() -> None:
    found = study.population("mixed", replace(TABLE, players=LOOSE, seats=seated(LOOSE, 7)))
    names = [found.players.of(seat).name for seat in range(1, 8)]
    assert names == [load_policy(name).name for name in (*study.MIXED, *study.MIXED[:2])]
    assert len({seat.name for seat in found.seats}) == 7


def test_a_population_of_one_policy() -> None:
    found = study.population("tight", TABLE)
    assert found.players == PlayerModels(Model(load_policy("tight")))
    assert [seat.name for seat in found.seats] == ["tight-1", "tight-2", "tight-3"]
    with pytest.raises(PolicyError, match="no player 'nobody'"):
        study.population("nobody", TABLE)


def test_two_programs_of_five_card_stud_play_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "BPP_LESSONS", 4)
    found = study.population("bpp", TABLE)
    assert found.game.key == "5stud"
    assert [seat.name for seat in found.seats] == ["bpp-1", "bpp-2"]
    for player in found.deciders.values():
        assert set(player.reader.habits) == {"bpp-1", "bpp-2"}
    first, again = (next(iter(play_games(found, 1, range(1)))).history for _ in range(2))
    assert first == again
    assert first.variant == "5stud"


def test_the_players_of_loki_sit_in_turn() -> None:
    found = study.population("loki", replace(TABLE, seats=seated(LOOSE, 5)))
    assert [seat.name for seat in found.seats] == ["GOM-1", "BPM-2", "BPT-3", "BPL-4", "GOM-5"]
    assert [found.deciders[seat].name for seat in range(1, 6)] == [*study.TABLES["loki"], "GOM"]
    assert found.deciders[1].reader is found.deciders[5].reader
    with pytest.raises(ValueError, match="does not play"):
        study.population("loki", replace(found, game=variant_of("razz"), deciders={}))


# Faces


def test_the_text_says_what_was_not_read(table: study.Bench) -> None:
    both, simulated = bench_text(table).split("loose players: ")
    assert "loose was fitted to 1 hand of these" in both
    both, *_ = both.split("both games, ")
    assert f"five cannot read {SOME - 2} hands of these" in both
    assert "  true " not in both
    assert "  true " in simulated


def test_the_picture_has_a_panel_for_each_set(table: study.Bench) -> None:
    figure = readers_figure(table)
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.axison]
    assert [title[:10] for title in titles] == [name[:10] for name in table.sets]
    written = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert " cannot read these" in written


def test_means_of_reads_need_no_hand_to_be_read() -> None:
    found = study.set_figures("x", {"five": scores("five")[:2]}, "five", 100, 1)
    assert all(not np.isfinite(each.mean) for each in found.values())
    assert mean(each.n for key, each in found.items() if key.figure == "unread") == 2
