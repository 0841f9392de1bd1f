"""The table of valued decisions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from handread import analyze, read_hands
from handread.decisions.ledger import TERMS as TERMS_OF_LEDGER
from handread.decisions.terms import ESTIMATED, LEARNED, DecisionTerms
from handread.game.replay import replay
from handread.history import History
from handread.inference.players import parse_players
from handread.inference.readers import PolicyReader
from handread.parallel import RunError
from handread.sessions.opening import InputFile
from handread.tables import ACTIONS, ALL_TABLES, DECISIONS, HANDS, LEDGERS, PIECES, TABLES
from handread.tables import pieces as plan
from handread.tables.conditions import QuestionError
from handread.tables.export import export_tables
from handread.tables.pieces import ScoreTerms, TableBuilder
from handread.tables.query import TableQuery, ask
from handread.tables.read import Tables, open_tables
from handread.tables.run import plan_run
from handread.tables.store import open_store
from tests.hands import write_hands
from tests.program import ROOT, run
from tests.score_sets import Job, Once, ScoredPart, games, score_into, text_of

READER = PolicyReader(parse_players(None, None, ()))
VALUING = DecisionTerms(rollouts=4)
TERMS = ScoreTerms(READER, "split", VALUING)
RECORD = {"players": READER.terms, "ties": "split", DECISIONS: VALUING.text}
RAZZ = ROOT / "sample_histories" / "razz.stud"
STEAL = ROOT / "sample_histories" / "steal.stud"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a short hand with all cards known, and one with none."""
    lines = RAZZ.read_text("utf-8").splitlines()
    path = tmp_path_factory.mktemp("logs") / "two.stud"
    game = lines[0]
    hand = "\n".join(lines[64:73])
    path.write_text(f"{game}\n{hand}\n\n{STEAL.read_text('utf-8')}", "utf-8")
    return path


def score(log: Path, out: Path, scorer: Once, resume: bool = False) -> Tables:
    score_into(out, RECORD, TERMS, [log], scorer, resume)
    return open_tables(out)


@pytest.fixture(scope="module")
def made(log: Path, tmp_path_factory: pytest.TempPathFactory, scorer: Once) -> Tables:
    return score(log, tmp_path_factory.mktemp("made") / "out", scorer)


def test_the_table_has_a_row_for_each_decision_with_its_values(made: Tables, log: Path) -> None:
    rows = made.scan(DECISIONS).sort("n").collect()
    first = next(hand for hand in read_hands(log) if isinstance(hand, History))
    values = VALUING.values_of(analyze(first)).decisions
    assert rows["n"].to_list() == [value.decision.n for value in values]
    for row, value in zip(rows.iter_rows(named=True), values, strict=True):
        q = {action.action: action.q for action in value.actions}
        for action in ("fold", "check", "call", "bet", "raise"):
            cell = row[f"q_{action}_minor"]
            assert (cell is None) is (action not in q)
            assert cell is None or cell == pytest.approx(q[action], rel=1e-6)
        assert row["cost_minor"] == pytest.approx(value.cost, rel=1e-6)
        assert row["cost_bb"] == pytest.approx(value.cost / 200, rel=1e-6)
        assert (row["verdict"], row["best"]) == (value.verdict, value.best.action)
        assert row["rollouts"] == 4
        assert row["known"] == "published"
    assert made.count(HANDS) == 2
    assert made.names == ALL_TABLES


def test_it_joins_the_actions_and_can_be_queried_and_copied(made: Tables) -> None:
    keys = ["file", "line", "n", "seat", "action"]
    joined = made.scan(DECISIONS).join(made.scan(ACTIONS), on=keys).collect()
    found = ask(made, TableQuery("cost_bb >= 0 and seats = 5"))
    assert found.table == DECISIONS
    assert "verdict" in found.columns
    export_tables(made, "csv")
    copied = pl.read_csv(made.folder / "csv" / "decisions.csv")
    assert joined.height == found.tally.of == copied.height == made.count(DECISIONS)


def test_tables_without_decisions_say_so(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("score", str(log), "-o", str(out), "--workers", "1")
    assert done.returncode == 0
    tables = open_tables(out)
    assert tables.names == TABLES
    assert not list(out.glob("decisions/**/*.parquet"))
    with pytest.raises(QuestionError, match="no table decisions; score the hands with --decisions"):
        ask(tables, TableQuery("verdict = 'mistake'"))


def test_a_run_is_resumed_only_with_the_same_settings(
    made: Tables, log: Path, scorer: Once
) -> None:
    before = made.scan(DECISIONS).collect()
    assert score(log, made.folder, scorer, resume=True).scan(DECISIONS).collect().equals(before)
    other = {**RECORD, DECISIONS: replace(VALUING, seed=2).text}
    without = {name: value for name, value in RECORD.items() if name != DECISIONS}
    for terms, message in (
        (other, "--rollouts 4 with other"),
        (without, "--rollouts 4: give it again"),
    ):
        with pytest.raises(RunError, match=message), open_store(made.folder, terms, resume=True):
            pass


def test_a_missing_table_is_damage(log: Path, tmp_path: Path, scorer: Once) -> None:
    out = score(log, tmp_path / "out", scorer).folder
    gone = next(out.glob("decisions/*/part-*.parquet"))
    gone.unlink()
    with pytest.raises(RunError, match=f"{gone}: is missing or damaged"):
        open_tables(out)


def test_a_ledger_has_the_net_and_its_terms() -> None:
    _, hand = read_hands(ROOT / "sample_histories" / "pokerstars.txt")
    builder = TableBuilder(ALL_TABLES)
    builder.add_hand(replay(hand), READER, "split", None, DecisionTerms(way=LEARNED))
    (row,) = builder.frames()[LEDGERS].rows(named=True)
    (value,) = builder.frames()[DECISIONS].rows(named=True)
    assert row["seat"] == value["seat"] == hand.hero
    assert row["net_minor"] == -5  # the ante
    terms = [row[f"{name}_minor"] for name in TERMS_OF_LEDGER]
    assert sum(terms) == pytest.approx(row["net_minor"], rel=1e-5)
    luck = row["deal_minor"] + row["cards_minor"] + row["showdown_minor"]
    assert row["luck_minor"] == pytest.approx(luck)
    assert row["adjusted_minor"] == pytest.approx(row["net_minor"] - luck)
    assert row["adjusted_bb"] == pytest.approx(row["adjusted_minor"] / 100)


def test_hands_without_learned_values_have_no_rows(log: Path) -> None:
    first = next(hand for hand in read_hands(log) if isinstance(hand, History))
    builder = TableBuilder(ALL_TABLES)
    reader = PolicyReader(parse_players("tight", None, ()))
    builder.add_hand(replay(first), reader, "split", None, replace(VALUING, way=LEARNED))
    assert builder.count(HANDS) == 1
    assert builder.count(DECISIONS) == 0


@pytest.mark.thorough
def test_hands_without_learned_values_are_valued_by_rollouts(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("score", str(log), "-o", str(out), "--decisions", "--workers", "1")
    assert done.returncode == 0
    assert "6 rows of decisions, 0 rows of ledgers" in done.stdout
    (table,) = out.glob("decisions/*/part-*.parquet")
    assert {*pl.read_parquet(table)["rollouts"]} == {300}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of hands of three games with all downcards."""
    path = tmp_path_factory.mktemp("session") / "session.stud"
    write_hands(path, games()[:3])
    return path


def weights(log: Path, reader: PolicyReader, decisions: DecisionTerms | None) -> list[int]:
    """The weights of the pieces of a log, in hands without valued decisions."""
    terms = ScoreTerms(reader, "split", decisions)
    cut = partial(plan.pieces, dialect=None, terms=terms)
    planned = plan_run([InputFile("log", log)], cut)
    return [weight // plan.HAND_WEIGHT for weight in planned.weights.values()]


def test_a_log_valued_by_rollouts_is_cut_hand_by_hand(session: Path) -> None:
    assert len(weights(session, READER, None)) == 1
    assert len(weights(session, READER, DecisionTerms(rollouts=10))) == 1
    assert weights(session, READER, DecisionTerms(rollouts=300)) == [50, 50, 50]


@pytest.mark.thorough  # the learned values are loaded
def test_games_without_learned_values_are_cut_hand_by_hand(session: Path, tmp_path: Path) -> None:
    """People's games of stud have learned values, simulated games and razz have none."""
    estimated = DecisionTerms(way=ESTIMATED)
    assert weights(session, READER, estimated) == [50, 50, 50]
    room = tmp_path / "room.txt"
    room.write_text(text_of(games(), "pokerstars"))
    (weight,) = weights(room, READER, estimated)
    assert weight == 3 * room.stat().st_size // plan.HAND_WEIGHT
    assert set(weights(room, PolicyReader(parse_players("tight", None, ())), estimated)) == {50}


def by_hand(patch: pytest.MonkeyPatch) -> None:
    """Cut logs hand by hand, though each decision has only ``VALUING.rollouts``."""
    patch.setattr(plan, "HAND_ROLLOUTS", 1)
    patch.setattr("handread.tables.run.JOB_WEIGHT", 1)


class Stopping(Once):
    """Is interrupted after a number of jobs."""

    def __init__(self, jobs: int) -> None:
        super().__init__()
        self.left = jobs

    def share(
        self, work: Callable[[Job], ScoredPart], jobs: Iterable[Job]
    ) -> Generator[tuple[Job, ScoredPart], None, None]:
        for job in jobs:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield job, work(job)


@pytest.mark.thorough
def test_tables_do_not_depend_on_the_pieces(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one piece; hand by hand, interrupted and resumed; in one piece by then, and again."""
    whole = score(session, tmp_path / "whole", Once())
    assert whole.count(PIECES) == 1
    with monkeypatch.context() as patch:
        by_hand(patch)
        with pytest.raises(KeyboardInterrupt):
            score(session, tmp_path / "parts", Stopping(2))
        stopped = open_tables(tmp_path / "parts")
        assert (stopped.count(HANDS), stopped.count(PIECES)) == (2, 2)
    older = score(session, tmp_path / "parts", Once(), resume=True)
    assert older.count(PIECES) == 1
    assert_alike(older, whole)
    with monkeypatch.context() as patch:
        by_hand(patch)
        scorer = Once()
        newer = score(session, tmp_path / "parts", scorer, resume=True)
        assert newer.count(PIECES) == len(scorer.asked) == 3
        assert_alike(newer, whole)


def assert_alike(one: Tables, other: Tables) -> None:
    for table in ALL_TABLES:
        if table != PIECES:
            rows = [tables.scan(table).collect() for tables in (one, other)]
            by = [name for name in ("file", "line", "n", "stage", "seat") if name in rows[0]]
            assert_frame_equal(*(found.sort(by) for found in rows), check_exact=True)


def test_interrupted_it_says_whether_a_hand_is_kept(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand(monkeypatch)
    scored, left = plan.score_piece, 0

    def pressed(terms: ScoreTerms, piece: plan.Piece) -> plan.Scored:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return scored(terms, piece)

    monkeypatch.setattr(plan, "score_piece", pressed)
    out = str(tmp_path / "out")
    command = ("score", str(session), "-o", out, "--decisions", "--rollouts", "12")
    first = run(*command, "--workers", "1")
    kept = f"stopped; no hand is kept in {out} yet; give the same command again\n"
    assert (first.returncode, first.stdout, first.stderr) == (130, "", kept)
    told = run("summary", out)
    why = "holds no hands yet: handread score still runs, or was stopped before it kept one"
    assert (told.returncode, told.stderr) == (2, f"handread: {out}: {why}\n")
    left = 1
    second = run(*command, "--workers", "1")
    kept = f"stopped; the work done is kept in {out}; --resume continues\n"
    assert (second.returncode, second.stderr) == (130, kept)
    assert open_tables(Path(out)).count(HANDS) == 1


def test_tables_of_a_run_that_has_kept_nothing_yet_have_no_summary(tmp_path: Path) -> None:
    with open_store(tmp_path, RECORD, resume=False) as store, store.at_work():
        told = run("summary", str(tmp_path))
    assert told.returncode == 2
    assert f"handread: {tmp_path}: holds no hands yet: handread score still runs" in told.stderr


def test_readers_without_policies_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("score", str(RAZZ), "-o", str(out), "--reader", "bpp", "--decisions", "--exact")
    assert done.returncode == 2
    assert "no policies by which a hand could be played on" in " ".join(
        done.stderr.replace("│", " ").split()
    )
    assert not out.exists()
