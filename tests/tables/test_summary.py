"""Summaries of tables against plain averages over the analyses that the tables were made from."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import jsonschema
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

import handread
from handread import read_hands, replay
from handread.game.rules import STAGES
from handread.inference.hand_analysis import Analysis
from handread.papers.saund.replication import information_gain
from handread.parallel import RunError
from handread.report import figures as plots
from handread.report.schemas import json_schema
from handread.report.summary import summary_object, summary_text
from handread.runs import Run
from handread.study.evaluation import evaluation
from handread.study.scores import hand_scores, ways_known
from handread.study.session_values import SessionValues
from handread.study.statistics import FLOOR, NOTHING, Estimate, Moments, t_quantile
from handread.tables import STAGE_TABLE
from handread.tables.estimates import Means
from handread.tables.read import open_tables
from handread.tables.summary import (
    LAST_READ,
    NET,
    SHARES,
    SURPRISE,
    TOLD,
    TOLD_TRUTH,
    Summary,
    Wanted,
    summary,
)
from tests.examples import examples
from tests.frames import frame_csv
from tests.logs import CONFORMANCE
from tests.program import SAMPLES, Done, first_hands, run_here
from tests.summary_set import DEFAULT, EVIL, HONEST, SEED, write_tables

# Estimates


@pytest.mark.parametrize("freedom", [*range(1, 25), 30, 200, 10**6])
def test_the_quantile_is_students(freedom: int) -> None:
    assert t_quantile(freedom) == pytest.approx(student.ppf(0.975, freedom), rel=2e-7)


def ratio(hands: Sequence[Sequence[float]]) -> Estimate:
    """The mean of values by hand, as the experiments make it of moments."""
    moments = Moments.none(2)
    for values in hands:
        moments.add((sum(values), len(values)))
    return moments.ratio(np.array([1.0, 0.0]), np.array([0.0, 1.0]))


hands_of_values = st.lists(
    st.lists(st.floats(-20, 20).map(lambda x: round(x, 3)), min_size=1, max_size=5),
    min_size=1,
    max_size=12,
)


@examples(20)
@given(hands_of_values, st.data())
def test_means_over_batches_are_those_of_the_experiments(
    hands: list[list[float]], data: st.DataObject
) -> None:
    means = Means("group", ["x_bits"])
    cut = data.draw(st.integers(0, len(hands)))
    for batch in (range(cut), range(cut, len(hands))):
        rows = [("f", line, "g", x) for line in batch for x in hands[line]]
        schema = {"file": pl.String, "line": pl.Int64, "group": pl.String, "x_bits": pl.Float64}
        means.add(pl.DataFrame(rows, schema, orient="row").lazy())
    found = means.means()["g"]["x_bits"]
    wanted = ratio(hands)
    assert (found.n, found.hands) == (sum(map(len, hands)), len(hands))
    assert found.mean == pytest.approx(wanted.mean, abs=1e-9)
    assert found.error == pytest.approx(wanted.error, abs=1e-6, nan_ok=True)
    if all(len(values) == 1 for values in hands) and len(hands) > 1:
        error = stdev(values[0] for values in hands) / len(hands) ** 0.5
        assert found.error == pytest.approx(error, abs=1e-6)
    assert math.isnan(found.low) == (len(hands) < 5)
    if len(hands) >= 5:
        reach = student.ppf(0.975, len(hands) - 1) * found.error
        assert (found.low, found.high) == pytest.approx(
            (found.mean - reach, found.mean + reach), rel=1e-3, abs=1e-6
        )


@given(st.integers(5, 60), st.data())
def test_shares_stay_between_nothing_and_all(hands: int, data: st.DataObject) -> None:
    ones = data.draw(st.integers(0, hands))
    values = [[1.0]] * ones + [[0.0]] * (hands - ones)
    one = ratio(values)
    found = Estimate.share(one.mean, one.error, hands, hands)
    assert 0.0 <= found.low <= found.mean <= found.high <= 1.0
    assert found.high - found.low > 0.0


def test_infinite_bits_are_floored_and_an_empty_figure_or_a_lone_hand_has_no_error() -> None:
    means = Means("group", ["x_bits", "y", "none"])
    cells = {"x_bits": [-math.inf, 2.0, None], "y": [50.0, 0.0, 10.0], "none": [None] * 3}
    rows = pl.LazyFrame({"file": ["f"] * 3, "line": [1, 2, 3], "group": [-1] * 3, **cells})
    means.add(rows.with_columns(pl.col("none").cast(pl.Float64)))
    # A hand a group: in some of them rounding leaves a trace of scatter in the sums.
    lone = [("f", n, n, (7 * n + 3 * i) % 10 / 10, None, None) for n in range(40) for i in range(7)]
    means.add(pl.DataFrame(lone, rows.collect_schema(), orient="row").lazy())
    found = means.means()[-1]
    assert (found["x_bits"].n, found["x_bits"].infinite) == (2, 1)
    assert found["x_bits"].mean == (2.0 - FLOOR) / 2
    assert found["y"].mean == 20.0
    groups = means.groups().filter(pl.col("group") >= 0)
    assert set(groups["figure"]) == {"x_bits"}
    assert groups.height == 40
    assert (groups["hands"] == 1).all()
    assert groups["error"].is_nan().all()


# The set


@pytest.mark.thorough
def test_the_totals_count_the_hands(found: Summary, reads: list[Analysis]) -> None:
    totals = found.totals
    ways = Counter(way for read in reads for way in ways_known(read.replay).values())
    assert totals.hands == len(reads)
    assert totals.finished == sum(read.replay.finished for read in reads)
    assert totals.showdowns == sum(bool(read.replay.showdown) for read in reads)
    assert totals.dealt_in == sum(len(read.replay.streets[0].active) for read in reads)
    assert {way: getattr(totals.known, way) for way in ways} == dict(ways)
    kinds = Counter(read.stages[0].omniscience for read in reads)
    assert (totals.fully_known, totals.partly_known) == (kinds["full"], kinds["partial"])
    assert totals.policies == ((DEFAULT.name, len(reads)),)
    assert (totals.left_out["refused"], totals.left_out["not understood"]) == (0, 2)
    assert [reason.hands for reason in totals.reasons] == [2]  # they differ in the seat only


@pytest.mark.thorough
def test_figure_6_is_that_of_the_experiment(tmp_path: Path, reads: list[Analysis]) -> None:
    wanted = information_gain(HONEST, 12, Run(SEED))
    found = summary(write_tables(tmp_path / "out", reads[:12])).gain
    assert (found.games, found.policy) == (wanted.games, wanted.policy)
    assert list(found.figures) == list(wanted.figures)
    for key, one in found.figures.items():
        assert_alike(one, wanted.figures[key], 2e-5)


def assert_alike(one: Estimate, other: Estimate, error: float) -> None:
    assert (one.n, one.infinite) == (other.n, other.infinite)
    assert one.mean == pytest.approx(other.mean, abs=error, nan_ok=True)
    assert one.error == pytest.approx(other.error, abs=error, nan_ok=True)


def test_figure_6_leaves_out_what_was_ruled_out(tmp_path: Path, reads: list[Analysis]) -> None:
    tables = write_tables(tmp_path / "out", reads[:5])
    file = tables.folder / tables.parts[0].of(STAGE_TABLE)[0][0]
    stages = pl.read_parquet(file, hive_partitioning=False)
    there = [(r, s) for r in reads[:5] for s in r.stages if s.stage == "3B" and len(s.active) > 1]
    line = there[0][0].replay.history.source.line
    here = (pl.col("stage") == "3B") & (pl.col("line") == line)
    ruled_out = pl.when(here).then(None).otherwise(pl.col("kl_bits"))
    flag = here | pl.col("kl_bits_infinite")
    changed = stages.with_columns(kl_bits=ruled_out.cast(pl.Float32), kl_bits_infinite=flag)
    changed.write_parquet(file)
    row = summary(tables).gain.at("kl_bet_inference_bits", "3B")
    assert (row.n, row.infinite) == (len(there) - 1, 1)
    others = [stage.kl_bits[1] for _, stage in there[1:] if stage.kl_bits]
    assert row.mean == pytest.approx(mean(others), abs=1e-5)


def test_reads_score_as_in_an_evaluation(found: Summary, reads: list[Analysis]) -> None:
    wanted = evaluation([hand_scores(read) for read in reads], "", "split", 100)
    assert any(wanted.at("bits_on_truth", stage, "active").infinite for stage in STAGES)
    for stage in STAGES:
        for end, group in (("", "active"), ("_with_folded", "everybody")):
            for name, figure in (
                ("bits_on_truth", "bits_on_truth_floored"),
                ("rank_share_of_truth", "rank_share_of_truth"),
            ):
                mine = found.at(f"{name}{end}", stage, about="reads")
                theirs = wanted.at(figure, stage, group)
                assert mine.n == theirs.n
                assert mine.mean == pytest.approx(theirs.mean, abs=1e-5)
                if name == "bits_on_truth":
                    assert mine.infinite == theirs.infinite
                elif math.isfinite(mine.low):
                    assert 0.0 <= mine.low <= mine.high <= 1.0


# Players


class Seats:
    """What one player did, as plain lists: of each figure a list of values a hand."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.hands: dict[str, list[list[float]]] = defaultdict(list)


def naive(reads: Iterable[Analysis]) -> dict[str | None, Seats]:
    """Every player's figures by hand, from the analyses."""
    found: dict[str | None, Seats] = defaultdict(Seats)
    for read in reads:
        played = read.replay
        mine: dict[str | None, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        names = {seat.number: seat.name or None for seat in played.history.seats}
        for seat in played.streets[0].active:
            values = mine[names[seat]]
            actions = [a for a in read.actions if a.decision.seat == seat]
            found[names[seat]].kinds.update(a.decision.action for a in actions)
            values[SURPRISE] += [min(FLOOR, a.surprise_bits) for a in actions]
            values[TOLD].append(sum(a.information_bits for a in actions))
            stages = [{**stage.seats, **stage.folded} for stage in read.stages]
            truths = [s[seat].truth for s in stages if seat in s]
            scores = [truth.score_bits for truth in truths if truth is not None]
            if scores:
                values[LAST_READ].append(max(-FLOOR, scores[-1]))
                moved = sum(a.truth_bits for a in actions if a.truth_bits is not None)
                values[TOLD_TRUTH].append(max(-FLOOR, moved))
            if played.finished:
                net = played.won.get(seat, 0) - played.paid.get(seat, 0)
                values[NET].append(net / played.stakes.bets[-1])
        for name, values in mine.items():
            for figure, numbers in values.items():
                if numbers:
                    found[name].hands[figure].append(numbers)
    return found


def test_players_are_what_a_plain_loop_finds(found: Summary, reads: list[Analysis]) -> None:
    wanted = naive(reads)
    players = found.players
    assert set(players.wanted) == set(wanted)
    assert players.all == len(wanted)
    hands = [found.at(TOLD, "", name or "", "player").n for name in players.wanted]
    assert hands == sorted(hands, reverse=True)
    for name in players.wanted:
        assert_player(found, name, "player", wanted[name])


def test_everybody_is_all_players_as_one(found: Summary, reads: list[Analysis]) -> None:
    nameless = [without_names(read) for read in reads]
    assert_player(found, None, "everybody", naive(nameless)[None])
    assert found.at(TOLD, about="everybody").n == found.totals.dealt_in


def without_names(read: Analysis) -> Analysis:
    seats = tuple(replace(seat, name="") for seat in read.replay.history.seats)
    history = replace(read.replay.history, seats=seats)
    return replace(read, replay=replace(read.replay, history=history))


def assert_player(found: Summary, name: str | None, about: str, wanted: Seats) -> None:
    place = ("", name or "", about)
    for kind, share in SHARES.items():
        made = found.at(share, *place)
        assert made.n * made.mean == pytest.approx(wanted.kinds[kind])
    assert found.at(SURPRISE, *place).n == wanted.kinds.total()
    for figure in (SURPRISE, TOLD, TOLD_TRUTH, LAST_READ, NET):
        made = found.at(figure, *place)
        lists = wanted.hands[figure]
        assert (made.n, made.hands) == (sum(map(len, lists)), len(lists))
        if lists:
            other = ratio(lists)
            assert made.mean == pytest.approx(other.mean, abs=1e-5)
            assert made.error == pytest.approx(other.error, abs=1e-4, nan_ok=True)


def test_what_is_infinite_is_counted(found: Summary, reads: list[Analysis]) -> None:
    unexplained = sum(not a.explained for read in reads for a in read.actions)
    assert found.at(SURPRISE, about="everybody").infinite == unexplained > 0
    assert found.at(LAST_READ, about="everybody").infinite > 0


def test_the_number_of_parts_changes_no_digit(
    tmp_path: Path, found: Summary, reads: list[Analysis]
) -> None:
    one = write_tables(tmp_path / "one", reads, part=len(reads))
    assert len(one.parts) == 1
    assert repr(summary(one)) == repr(found)


def test_players_are_chosen_by_name_hands_and_number(folder: Path) -> None:
    tables = open_tables(folder)
    named = summary(tables, Wanted(("Bob", "Ann", "Nobody"), top=1)).players
    assert named.wanted == ("Ann", "Bob")
    assert named.missing == ("Nobody",)
    assert len(summary(tables, Wanted(top=2)).players.wanted) == 2
    often = summary(tables, Wanted(least_hands=10)).players.wanted
    assert set(often) == {None, *(s.name for s in HONEST.seats)}


def test_no_hands_at_all(tmp_path: Path) -> None:
    found = summary(write_tables(tmp_path / "out", []))
    assert (found.totals.hands, found.players.wanted) == (0, ())
    assert found.at(TOLD, about="everybody") == NOTHING
    assert "0 hands" in summary_text(found)
    json.dumps(summary_object(found, unfinished=False), allow_nan=False)


# Faces


def test_every_form_has_the_figures_and_hides_no_name(
    found: Summary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # so that no table is split
    text = summary_text(found)
    for words in ("understood, by reason", "Figure 6", "players still in", "unnamed", "=HYPERL"):
        assert words in text
    assert not re.search(r"\x1b|nan|inf ", text.lower())
    own = [line for line in text.splitlines() if line.startswith("  everybody")]
    assert len(own) == 4  # the player of that name, set in
    made = json.loads(json.dumps(summary_object(found, unfinished=False), allow_nan=False))
    json.dumps(found.to_dict(), allow_nan=False)
    jsonschema.validate(made, json_schema("summary"))
    assert [stage["stage"] for stage in made["information_gain"]] == list(STAGES)
    players = {player["name"]: player for player in made["players"]}
    assert EVIL in players
    ann = players["Ann"]
    assert (ann["hands"], sum(ann["actions"].values())) == (9, ann["surprise_bits_an_action"]["n"])
    for figure in ("fold_share", "told_bits_a_hand", "last_read_truth_bits"):
        assert {"n", "hands", "mean", "low", "high", "infinite"} == set(ann[figure])
    rows = list(csv.DictReader(io.StringIO(frame_csv(found.to_frame()))))
    names = {row["group"] for row in rows if row["about"] == "player"}
    assert names == {"", f"'{EVIL}", "Ann", "Bob", "everybody", *(s.name for s in HONEST.seats)}
    (told,) = (r for r in rows if (r["figure"], r["about"]) == (TOLD, "everybody"))
    wanted = found.at(TOLD, about="everybody")
    assert (float(told["mean"]), float(told["low"])) == (wanted.mean, wanted.low)


# The command


FEW = ("--least-hands", "1")


def said(folder: Path, *options: str, status: int = 0) -> Done:
    done = run_here("summary", str(folder), *options)
    assert done.returncode == status, done.stderr
    return done


def test_the_command_prints_text_json_and_csv(folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "summary.csv"
    done = said(folder, "--player", "Ann", "-o", str(table))
    assert done.stderr == ""
    assert "  Ann " in done.stdout
    assert "  Bob " not in done.stdout
    assert table.read_text(encoding="utf-8").startswith("about,group,stage,figure")
    made = json.loads(said(folder, "--json", "--top", "1", *FEW).stdout)
    assert (len(made["players"]), made["players_in_all"]) == (1, 9)
    assert "nobody in the tables is called Zoe" in said(folder, "--player", "Zoe").stderr


def test_nothing_is_claimed_of_players_with_few_hands(folder: Path) -> None:
    text = said(folder).stdout
    assert "9 with fewer than 20 hands left out (--least-hands)" in text
    assert "  Ann " not in text
    assert "  Ann " in said(folder, *FEW).stdout
    for made in (Estimate.student(0.5, 0.2, 9, 4), Estimate.share(0.5, 0.2, 9, 4)):
        assert made.mean == 0.5
        assert math.isnan(made.low)


def test_unfinished_and_damaged_tables_are_told(tmp_path: Path, reads: list[Analysis]) -> None:
    assert "is not a folder of tables" in said(tmp_path, status=2).stderr
    tables = write_tables(tmp_path / "out", reads[:1])
    (tables.folder / ".work" / "unfinished").touch()
    done = said(tables.folder, "--json")
    assert "a run is not finished" in done.stderr
    assert json.loads(done.stdout)["unfinished"]
    (tables.folder / tables.parts[0].of(STAGE_TABLE)[0][0]).write_bytes(b"PAR1 nothing")
    with pytest.raises(RunError, match="cannot be read"):
        summary(tables)
    assert "Traceback" not in said(tables.folder, status=2).stderr


def test_the_hero_of_a_log_without_names_is_you(tmp_path: Path) -> None:
    """Bovada names nobody: its hero is a player, the others are together."""
    out = str(tmp_path / "out")
    assert run_here("score", str(SAMPLES / "bovada.txt"), "-o", out).returncode == 0
    made = summary(open_tables(tmp_path / "out"))
    (history,) = read_hands(SAMPLES / "bovada.txt")
    assert made.players.wanted == (None, "you")
    assert made.at(TOLD, "", "you", "player").n == 1
    assert made.at(TOLD, "", "", "player").n == len(history.seats) - 1
    actions = [d for d in replay(history).decisions if d.seat == history.hero]
    assert made.at(SURPRISE, "", "you", "player").n == len(actions) > 0
    text = said(tmp_path / "out", *FEW).stdout
    assert re.search(r"^  you  +1 ", text, re.M)
    assert re.search(r"^  unnamed  +\d ", text, re.M)
    alone = said(tmp_path / "out", "--player", "you").stdout
    assert "  you " in alone
    assert "unnamed" not in alone


# Decisions


@pytest.fixture(scope="module")
def valued(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables with decisions of a log with a hero, as cash games and as those of a tournament.

    And of a log in which all cards are known.
    """
    out = tmp_path_factory.mktemp("valued") / "out"
    razz, prize = out.with_name("razz.stud"), out.with_name("prize.txt")
    razz.write_text(first_hands("razz.stud", 3), "utf-8")
    cash = (SAMPLES / "pokerstars.txt").read_text("utf-8").replace("#9", "#7")
    title = r"#\1: Tournament #2, $1+$0.10 USD 7 Card Stud Limit - Level I (\2/\3)"
    stakes = r"#(\d+):  7 Card Stud Limit \(\$(\S+)/\$(\S+) USD\)"
    prize.write_text(re.sub(stakes, title, cash), "utf-8")
    logs = [str(SAMPLES / "pokerstars.txt"), str(prize), str(razz)]
    way = "--policy", "people", "--decisions", "--workers", "1"
    done = run_here("score", *logs, "-o", str(out), *way)
    assert done.returncode == 0
    return out


@pytest.mark.thorough
def test_decisions_are_summed_up_as_those_of_a_session(valued: Path) -> None:
    session = SessionValues()
    logs = (SAMPLES / "pokerstars.txt", *(valued.with_name(n) for n in ("prize.txt", "razz.stud")))
    for log in logs:
        # Tables read each hand by itself: nothing is carried to the next.
        for read in (handread.analyze(one, "people") for one in handread.read(log)):
            session.add(read, handread.value_decisions(read, by="learned"))
    wanted = session.table()
    made = summary(open_tables(valued)).values
    assert [made.at(of, group="Hero", about="all").n for of in ("cost", "net")] == [12, 2]
    assert made.hero == wanted.hero == "Hero"
    assert made.players == wanted.players
    assert made.kinds == {name: kinds for name, kinds in wanted.kinds.items() if kinds}
    compared = [key for key in wanted.figures if key in made.figures]
    assert {key.about for key in compared} >= {"all", "decision", "hand", "3 fold", "7 call"}
    assert {key.figure for key in compared} >= {"cost", "sum", "mistake", "net", "luck", "adjusted"}
    for key in compared:
        one, other = made.figures[key], wanted.figures[key]
        assert (one.n, one.hands) == (other.n, other.hands), key
        assert one.mean == pytest.approx(other.mean, rel=1e-4, abs=1e-5), key
        assert one.error == pytest.approx(other.error, rel=1e-3, abs=1e-4, nan_ok=True), key


@pytest.mark.thorough
def test_the_text_begins_with_results_and_ends_with_reads(valued: Path) -> None:
    text = said(valued, *FEW).stdout
    titles = [
        "recorded to the end",
        "what they won: big bets a hand",
        "what they did, % of their actions",
        "what the decisions of players with known downcards cost",
        "without luck",
        "by street and action",
        "what their actions told, in bits",
        "What the bets add to the cards",
        "Bits on the true downcards",
    ]
    places = [text.index(title) for title in titles]
    assert places == sorted(places)
    way = "by learned values, else 300 rollouts a decision; when not to trust it: docs/decisions.md"
    assert way in " ".join(text.split())


def test_the_picture_of_decisions_shows_results_and_costs(valued: Path, tmp_path: Path) -> None:
    done = said(valued, "--plot", "decisions", "-o", str(tmp_path / "a.svg"), *FEW)
    assert done.stderr == ""
    assert "without luck" in done.stdout
    values = summary(open_tables(valued)).values
    results, costs = plots.session_figure(values).axes
    for axes, marker, figure, about in (
        (results, "D", "net", "all"),
        (results, "o", "adjusted", "all"),
        (costs, "o", "cost", "decision"),
    ):
        lines = [line for line in axes.lines if line.get_marker() == marker]
        points = [x for line in lines for x in line.get_xdata()]
        wanted = [values.at(figure, group=name, about=about) for name in values.players]
        assert points == [one.mean for one in wanted if one.n]


def test_without_values_nothing_is_said_of_decisions(folder: Path, tmp_path: Path) -> None:
    text = said(folder, *FEW).stdout
    assert "what they won" in text
    assert "what the decisions" not in text
    picture = ("--plot", "decisions", "-o", str(tmp_path / "a.png"))
    assert "score the hands with --decisions" in said(folder, *picture, status=2).stderr


@pytest.mark.thorough
def test_a_tournament_has_no_big_bets_a_hand(tmp_path: Path) -> None:
    logs = (
        CONFORMANCE / "inputs" / "absolute-tournament-fold-to-bring-in.txt",
        SAMPLES / "steal.stud",
    )
    for log, counted in zip(logs, (False, True), strict=True):
        out = tmp_path / log.stem
        assert run_here("score", str(log), "-o", str(out), "--workers", "1").returncode == 0
        told = run_here("summary", str(out), "--least-hands", "1").stdout
        assert "players, from the most hands: " in told
        assert ("what they won: big bets a hand" in told) is counted
