"""The benchmark: its scores against an independent scorer, its files, its errors."""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import handread
from benchmark import make
from handread.cards import DECK
from handread.game.steps import Replay
from handread.history import Deal, History, Show
from handread.inference.observer import ObservedStreet, TieRule
from handread.inference.readers import Observer
from handread.papers.bench import benchmark, set_readers
from handread.papers.bench.benchmark import BenchmarkError, hidden
from handread.papers.bench.probabilities import file_reader
from handread.study.hand_sample import HandSample
from handread.study.scores import HandScores
from tests.papers.bench.plain_scorer import scores as plain_scores
from tests.program import run

FOLDER = Path(make.__file__).parent
SESSION = FOLDER / "development" / "stud" / "d-stud-03.phhs"
FIGURES = {"bits": set_readers.BITS, "mrr": "reciprocal_rank", "ace": "brier_ace"}


@cache
def hands(few: int = 5) -> tuple[Replay, ...]:
    texts = SESSION.read_text(encoding="utf-8").split("\n\n")[:few]
    return parsed("\n\n".join(texts))


def parsed(text: str) -> tuple[Replay, ...]:
    found = handread.parse_hands(text)
    assert all(isinstance(one, History) for one in found)
    return tuple(handread.replay(one) for one in found if isinstance(one, History))


def lines_of(played: Sequence[Replay], seed: int = 1) -> list[str]:
    """Return reads with keys of cards and of ranks; every seventh is missing."""
    draw = random.Random(seed)
    lines = []
    for one in played:
        for street in one.streets:
            for seat in street.active:
                size = 3 if street.number == 7 else 2
                seen = {card for up in street.upcards.values() for card in up}
                deck = [card for card in DECK if card not in seen]
                keys: dict[str, float] = {}
                for n in range(4):
                    cards = list(map(repr, draw.sample(deck, size)))
                    key = "".join(card[: 1 + n % 2] for card in cards)
                    keys[key] = draw.random() / 4
                truth = one.downcards_on(street.number).get(seat)
                if truth and draw.random() < 0.5:
                    keys["".join(map(repr, reversed(truth)))] = 0.0 if draw.random() < 0.2 else 0.1
                read = {"hand": one.history.hand_id, "street": street.number, "seat": seat}
                if draw.random() < 6 / 7:
                    lines.append(json.dumps({**read, "holdings": scaled(keys)}))
    return lines


def scaled(keys: dict[str, float]) -> dict[str, float]:
    return {key: p * 0.9 / max(1.0, sum(keys.values())) for key, p in keys.items()}


def scored(file: Path, played: Sequence[Replay]) -> list[HandScores]:
    reader = set_readers.BenchReader("file", file_reader(str(file), played), silent=True)
    seen = [hidden(one) for one in played]
    of = set_readers.HandSet("hands", played, seen=seen)
    return list(set_readers.reader_scores(of, reader, set_readers.ReadOptions()))


def test_an_independent_scorer_agrees(tmp_path: Path) -> None:
    played, file, phhs = hands(), tmp_path / "reads.jsonl", tmp_path / "hands.phhs"
    file.write_text("\n".join(lines_of(played)), encoding="utf-8")
    phhs.write_text("\n\n".join(SESSION.read_text("utf-8").split("\n\n")[:5]), encoding="utf-8")
    own = plain_scores(str(phhs), str(file))
    found = set_readers.reader_figures(HandSample(scored(file, played), 10, 1))
    streets = {street for _, street in own}
    assert streets == {3, 4, 5, 6, 7}
    for name, figure in FIGURES.items():
        everything = [
            value for (what, _), values in own.items() if what == name for value in values
        ]
        for stage, values in {
            "": everything,
            **{f"{street}B": own[name, street] for street in streets},
        }.items():
            estimate = found[figure, stage]
            assert estimate.n == len(values)
            assert estimate.mean == pytest.approx(sum(values) / len(values), abs=1e-9)


class Spy:
    """A reader that keeps the hands that it sees."""

    name, terms, games, learns = "spy", "spy", ("stud",), True

    def __init__(self) -> None:
        self.seen: list[History] = []
        self._people = handread.load_reader("cards-only")

    def observer(self, history: History, ties: TieRule) -> Observer:
        self.seen.append(history)
        return self._people.observer(history, ties)

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> Spy:
        self.seen.append(replay.history)
        return self


def test_readers_see_no_downcards_and_no_showdown() -> None:
    played, spy = hands(), Spy()
    of = set_readers.HandSet("hands", played, seen=[hidden(one) for one in played])
    found = list(
        set_readers.reader_scores(
            of, set_readers.BenchReader("spy", spy), set_readers.ReadOptions()
        )
    )
    assert sum(sum(one.known) for one in found) == sum(len(one.history.seats) for one in played)
    assert len(spy.seen) == 2 * len(played)
    for history in spy.seen:
        down = [card for event in history.events if isinstance(event, Deal) for card in event.down]
        assert set(down) == {None}
        assert not any(isinstance(event, Show) for event in history.events)


def test_the_development_half_is_what_the_program_makes() -> None:
    made = {one.name: one for one in make.sessions(benchmark.DEVELOPMENT, make.DEVELOPMENT_SEED)}
    assert sorted(map(str, (one.path for one in made.values()))) == sorted(
        str(Path(file).relative_to(FOLDER / benchmark.DEVELOPMENT))
        for file in benchmark.files_of(FOLDER, benchmark.DEVELOPMENT)
    )
    for name in ("d-stud-06", "d-razz-06", "d-5stud-02"):
        text, _ = make.play(made[name], make.DEVELOPMENT_SEED, 3)
        written = (FOLDER / benchmark.DEVELOPMENT / made[name].path).read_text(encoding="utf-8")
        assert written.startswith(text)
    with (FOLDER / benchmark.DEVELOPMENT / "players.csv").open(encoding="utf-8") as rows:
        seats = [(row["session"], row["player"]) for row in csv.DictReader(rows)]
    assert seats == [(one.name, who) for one in made.values() for who in one.players]


@pytest.mark.dear("it reads the whole benchmark")
def test_all_hands_are_whole_and_the_test_half_has_no_downcards() -> None:
    for half in (benchmark.DEVELOPMENT, benchmark.TEST):
        files = benchmark.files_of(FOLDER, half)
        assert len(files) == 48
        ids = set()
        for file in files:
            for played in parsed(Path(file).read_text(encoding="utf-8")):
                assert played.problem is None
                assert played.finished
                ids.add(played.history.hand_id)
                assert bool(played.downcards) == (half == benchmark.DEVELOPMENT)
        assert len(ids) == 48 * make.HANDS


def test_answers_give_the_downcards_back(tmp_path: Path) -> None:
    session = next(make.sessions(benchmark.DEVELOPMENT, make.DEVELOPMENT_SEED))
    text, rows = make.play(session, make.DEVELOPMENT_SEED, 3)
    file = tmp_path / benchmark.ANSWERS
    file.write_bytes(make.answers_file(5, rows))
    assert make.seed_in(file) == 5
    assert make.PLEASE in gzip.decompress(file.read_bytes()).decode()
    known = benchmark.answers_in(file)
    for one in parsed(text):
        found = benchmark.with_answers(hidden(one), known)
        assert found.downcards == one.downcards


def test_the_answers_of_the_test_half_fit_all_hands() -> None:
    known = benchmark.answers_in(FOLDER / benchmark.TEST / benchmark.ANSWERS)
    assert len(known) == 48 * make.HANDS
    for file in benchmark.files_of(FOLDER, benchmark.TEST)[::12]:
        for played in parsed(Path(file).read_text(encoding="utf-8"))[::7]:
            assert benchmark.with_answers(played, known).problem is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "these are no answers: expected lines of hand,seat,downcards"),
        (b"hand,seat", "it is not compressed"),
        (gzip.compress(b"hand,seat"), "these are no answers"),
        (gzip.compress(b"hand,seat,downcards\na,b,c"), "these are no answers"),
        (gzip.compress(b"hand,seat,downcards\na,1,Zz"), "these are no answers"),
        (gzip.compress(b"x" * 99)[:-9], "these are no answers"),
        (None, "No such file"),
    ],
)
def test_other_files_are_no_answers(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / benchmark.ANSWERS
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BenchmarkError, match=message):
        benchmark.answers_in(file)


def test_answers_of_another_hand_do_not_fit() -> None:
    one, other = map(hidden, hands(2))
    answers = {one.history.hand_id: {1: hands(2)[1].downcards[1]}}
    with pytest.raises(BenchmarkError, match="the answers do not fit this hand"):
        benchmark.with_answers(one, answers)
    with pytest.raises(BenchmarkError, match="the answers do not fit this hand"):
        benchmark.with_answers(other, {})


ID = "d-stud-03-01"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", "no line of probabilities: expected"),
        ("{", "no line of probabilities"),
        ({"hand": "x", "street": 3, "seat": 1, "holdings": {}}, "no hand 'x'"),
        ({"hand": ID, "street": 9, "seat": 1, "holdings": {}}, "no seat 1 on street 9"),
        ({"hand": ID, "street": 3, "seat": 9, "holdings": {}}, "no seat 9 on street 3"),
        ({"hand": ID, "street": 3, "seat": 1, "holdings": {"AsX": 0.1}}, "'AsX' is no holding"),
        ({"hand": ID, "street": 3, "seat": 1, "holdings": {"AsAs": 0.1}}, "is no holding of 2"),
        ({"hand": ID, "street": 3, "seat": 1, "holdings": {"AK": 1.1}}, "1.1 is no probability"),
        ({"hand": ID, "street": 3, "seat": 1, "holdings": {"AK": 0.6, "AQ": 0.6}}, "sum to 1.2"),
        ({"hand": ID, "action": 99, "probability": 0.5}, "no action 99: expected 1 to"),
        ({"hand": ID, "action": 1, "probability": True}, "True is no probability"),
    ],
)
def test_faults_of_a_file_of_probabilities(tmp_path: Path, line: object, message: str) -> None:
    file = tmp_path / "reads.jsonl"
    text = line if isinstance(line, str) else json.dumps(line)
    file.write_text(f"\n{text}\n", encoding="utf-8")
    with pytest.raises(BenchmarkError, match=f"reads.jsonl:2: .*{message}"):
        file_reader(str(file), hands())


def test_an_upcard_is_not_possible(tmp_path: Path) -> None:
    file, street = tmp_path / "reads.jsonl", hands()[0].streets[0]
    up = [str(card) for cards in street.upcards.values() for card in map(repr, cards)]
    read = {"hand": ID, "street": 3, "seat": 1, "holdings": {"".join(up[:2]): 0.5}}
    file.write_text(json.dumps(read) + "\n" + json.dumps(read), encoding="utf-8")
    with pytest.raises(BenchmarkError, match="not possible: the visible cards rule it out"):
        file_reader(str(file), hands())


def test_surprise_needs_all_actions(tmp_path: Path) -> None:
    file, played = tmp_path / "reads.jsonl", hands(1)
    n = sum(len(street.decisions) for street in played[0].streets)
    actions = [json.dumps({"hand": ID, "action": k + 1, "probability": 0.25}) for k in range(n)]
    read = json.dumps({"hand": ID, "street": 3, "seat": 1, "holdings": {}})
    file.write_text("\n".join([read, *actions]), encoding="utf-8")
    found = set_readers.reader_figures(HandSample(scored(file, played), 10, 1))
    assert found[set_readers.SURPRISE, ""].mean == pytest.approx(2.0)
    assert found[set_readers.SURPRISE, ""].n == n
    file.write_text("\n".join([read, *actions[1:]]), encoding="utf-8")
    with pytest.raises(BenchmarkError, match="action 1 has no probability"):
        file_reader(str(file), played)


def test_the_command(tmp_path: Path) -> None:
    for folder in ("development", "test"):
        (tmp_path / folder / "stud").mkdir(parents=True)
    few = "\n\n".join(SESSION.read_text("utf-8").split("\n\n")[:2])
    (tmp_path / "development" / "stud" / SESSION.name).write_text(few, encoding="utf-8")
    file = tmp_path / "reads.jsonl"
    file.write_text("\n".join(lines_of(hands(2))), encoding="utf-8")
    options = ("--folder", str(tmp_path), "--resamples", "100")
    found = run("experiment", "benchmark", "--probabilities", str(file), *options)
    assert found.returncode == 0, found.stderr
    assert "development half: 2 hands, " in " ".join(found.stdout.split())
    found = run("experiment", "benchmark", "--folder", str(tmp_path / "none"))
    assert found.returncode == 2
    assert "no hands of the benchmark" in found.said
