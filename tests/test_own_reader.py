"""Readers of users: their shape, their beliefs, and the files that hold them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import handread
from handread.cli import BLAS_THREADS, main
from handread.game.steps import DealtStreet, Decision
from handread.inference.observer import Belief, Update
from handread.odds.htpd import SeatView
from handread.parallel import workers_kept
from handread.registry import readers
from tests.hands import GOLDEN, hand
from tests.program import ROOT, run

SAMPLE = str(ROOT / "sample_histories" / "pokerstars.txt")
STUD = str(ROOT / "sample_histories" / "session.phhs")
FILE = """
import handread


class Plain:
    name = terms = "plain"
    games = ("stud",)
    learns = False

    def observer(self, history, ties):
        return Observer(ties)

    def after(self, replay, observed):
        return self


class Observer:
    belief = None

    def __init__(self, ties):
        self.ties = ties

    def deal(self, street):
        self.belief, bits = handread.deal(self.belief, street)
        return bits

    def observe(self, decision):
        chances = self.belief.holding_chances(decision.seat, self.ties)
        weak = decision.action in ("fold", "check", "call")
        likelihood = 0.5 + (1 - 2 * weak) * chances / 4
        self.belief, update = handread.reweigh(self.belief, decision, likelihood, chances)
        return update


reader = Plain()
"""


class Watcher:
    """An observer by the policy "people", which a test changes."""

    belief: Belief

    def __init__(self) -> None:
        self._before: Belief | None = None

    def deal(self, street: DealtStreet) -> Any:
        self.belief, news = handread.deal(self._before, street)
        return news

    def observe(self, decision: Decision) -> Any:
        self.belief, update = handread.observe(
            self.belief, decision, handread.load_policy("people-mixed")
        )
        self._before = self.belief
        return update


class Plain:
    """A reader of one kind of observer."""

    name = "plain"
    terms = "plain"
    games: Any = ("stud",)
    learns = False

    def __init__(self, observer: Callable[[], Any] = Watcher) -> None:
        self._observer = observer

    def observer(self, _history: object, _ties: object) -> Any:
        return self._observer()

    def after(self, _replay: object, _observed: object) -> Plain:
        return self


def test_a_reader_is_taken_as_it_is() -> None:
    own = handread.analyze(hand(GOLDEN), policy=Plain())
    plain = handread.analyze(hand(GOLDEN), policy="people-mixed")
    assert own.reader.name == "plain"
    assert [stage.bet_inference for stage in own.stages] == [
        stage.bet_inference for stage in plain.stages
    ]
    log = [hand(GOLDEN)]
    assert handread.tabulate(log, Plain())["hands"].height == 1
    assert handread.evaluate(log, Plain(), resamples=100).hands == 1
    assert [read.complete for read in handread.analyze_hands(log, Plain())] == [True]


@pytest.mark.parametrize("sample", ["five-card.stud", "hi-lo.stud", "razz.stud", "session.phhs"])
def test_sound_beliefs_pass_in_every_game(sample: str) -> None:
    class AllGames(Plain):
        games = ("stud", "stud8", "razz", "5stud")

    log = handread.read(ROOT / "sample_histories" / sample)
    for read in handread.analyze_hands(log[:3], AllGames()):
        assert read.complete
        assert read.actions


def test_a_reader_learns_from_hand_to_hand() -> None:
    class Learner(Plain):
        learns = True

        def __init__(self, hands: int = 0) -> None:
            super().__init__()
            self.name = f"after {hands} hands"
            self._hands = hands

        def after(self, _replay: object, observed: Any) -> Learner:
            assert observed
            return Learner(self._hands + 1)

    reads = handread.analyze_hands([hand(GOLDEN)] * 3, Learner())
    assert [read.reader.name for read in reads] == [f"after {n} hands" for n in range(3)]


class Lacking:
    """Has neither ``terms`` nor ``after``."""

    name = "half"
    games = ("stud",)
    learns = False

    def observer(self, _history: object, _ties: object) -> Watcher:
        return Watcher()


def with_part(part: str, value: object) -> Plain:
    reader = Plain()
    setattr(reader, part, value)
    return reader


@pytest.mark.parametrize(
    ("reader", "error", "told"),
    [
        (Lacking(), handread.ReaderError, "Lacking lacks `terms`, a text.*`after`, after"),
        (Plain, handread.ReaderError, r"Plain is a class: give an object of it, Plain\(\)"),
        *(
            (with_part(part, value), handread.ReaderError, told)
            for part, value, told in (
                ("games", "stud", "`games` of the reader Plain is 'stud': expected some"),
                ("games", 3, "`games` of the reader Plain is 3: expected some of"),
                ("games", ("chess",), "expected some of stud, stud8, studhl, razz, 27razz, 5stud"),
                ("after", None, "`after` of the reader Plain is not a method"),
                ("name", 3, "`name` and `terms` of the reader Plain are not texts"),
            )
        ),
        (object(), TypeError, "object is neither a policy nor a reader: a reader has name, terms"),
        (3, TypeError, "int is neither a policy nor a reader"),
    ],
)
def test_what_is_no_reader_is_refused(reader: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        handread.analyze(hand(GOLDEN), policy=reader)


def dealing(change: Callable[[Belief], Any]) -> type[Watcher]:
    """Return the observers whose belief after a deal is changed."""

    class Changed(Watcher):
        def deal(self, street: DealtStreet) -> Any:
            news = super().deal(street)
            self.belief = change(self.belief)
            return news

    return Changed


def of_seat_1(change: Callable[[Any], Any]) -> type[Watcher]:
    """Return the observers whose pdd of seat 1 is changed after a deal."""
    return dealing(lambda b: replace(b, pdds={**b.pdds, 1: change(b.pdds[1])}))


def updating(change: Callable[[Update], Any]) -> type[Watcher]:
    """Return the observers whose updates are changed."""

    class Changed(Watcher):
        def observe(self, decision: Decision) -> Any:
            return change(super().observe(decision))

    return Changed


def acting(whose: Callable[[int], int]) -> type[Watcher]:
    """Return the observers who change the belief of a seat, named by the actor, but no update."""

    class Changed(Watcher):
        def observe(self, decision: Decision) -> Any:
            update, seat = super().observe(decision), whose(decision.seat)
            for pdd in [self.belief.pdds[seat]] if seat in self.belief.pdds else []:
                tilted = pdd * np.arange(pdd.size)
                pdds = {**self.belief.pdds, seat: tilted / tilted.sum()}
                self.belief = replace(self.belief, pdds=pdds)
            return update

    return Changed


class NoNews(Watcher):
    def deal(self, street: DealtStreet) -> Any:
        super().deal(street)


class Sleepy(Watcher):
    """Never takes in another street."""

    def deal(self, street: DealtStreet) -> Any:
        if street.number == 3:
            return super().deal(street)
        return dict.fromkeys(street.active, 0.0)


def dead(live: Any) -> Any:
    """Return the pdd with all probability on the holdings that cannot be."""
    return ~live / np.count_nonzero(~live)


def with_nan(pdd: Any) -> Any:
    changed = pdd.copy()
    changed[:2] = np.nan
    return changed


DEALT = r"on 3rd street, after the deal, seat 1: "
ACTED = r"on 3rd street, after a \w+, seat \d: "


@pytest.mark.parametrize(
    ("observer", "told"),
    [
        (of_seat_1(lambda pdd: pdd / 2), DEALT + "the pdd sums to 0.5, not to 1"),
        (of_seat_1(with_nan), DEALT + "the pdd has 2 values that are NaN or infinite"),
        (of_seat_1(lambda pdd: -pdd), DEALT + "the pdd has a negative value, -0.00"),
        (of_seat_1(lambda pdd: pdd[:52]), DEALT + r"the pdd is an .* \(52,\): .* \(1326,\)"),
        (of_seat_1(list), DEALT + "the pdd is a list: expected an array"),
        (
            dealing(lambda b: replace(b, pdds={**b.pdds, 1: dead(b.hands[1].live)})),
            DEALT + "the pdd gives 1 to holdings with cards on view",
        ),
        (dealing(lambda b: replace(b, pdds={})), DEALT + "`pdds` of the belief lacks the seat"),
        (dealing(lambda _: None), "after the deal: `belief` is None: expected a handread.Belief"),
        (NoNews, "`deal` returns the information .* expected the seats 1, .*, not None"),
        (Sleepy, "on 4th street, after the deal: the belief is still that of 3rd street"),
        (updating(lambda _: None), ACTED + "`observe` returns the Update .*, not None"),
        (
            updating(lambda u: replace(u, likelihood=u.likelihood[:1])),
            ACTED + r"`likelihood` of the update is an array of the shape \(1,\)",
        ),
        (updating(lambda u: replace(u, evidence=1.5)), ACTED + "the evidence is 1.5: expected 0"),
        (
            updating(lambda u: replace(u, view=SeatView(u.view.hands, u.after * 0))),
            ACTED + "`after` .* sums to 0, not",
        ),
        (updating(lambda u: replace(u, view=None)), ACTED + "`view` is None: expected a SeatView"),
        (acting(lambda seat: seat), ACTED + "the pdd is not as the update leaves it"),
        (acting(lambda seat: seat % 7 + 1), ACTED + "the pdd is not as the update leaves"),
        (object, "what `observer` returns has no `deal`"),
    ],
)
def test_a_wrong_belief_names_hand_street_and_seat(observer: Callable[[], Any], told: str) -> None:
    with pytest.raises(handread.ReaderError, match=r"^\S+:1: the reader plain:? .*" + told):
        handread.analyze(hand(GOLDEN), policy=Plain(observer))


def test_an_error_in_the_code_of_an_object_is_shown_as_it_is() -> None:
    def fails() -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        handread.analyze(hand(GOLDEN), policy=Plain(fails))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plain.py"
    path.write_text(FILE, "utf-8")
    return path


def test_a_file_with_a_reader(file: Path) -> None:
    read = handread.analyze(hand(GOLDEN), policy=str(file))
    assert read.reader.name == "plain"
    reader = handread.load_reader(str(file))
    assert re.fullmatch(r"plain \([0-9a-f]{12}\)", reader.terms)
    file.write_text(FILE + "\n# changed\n", "utf-8")
    changed = handread.load_reader(str(file))
    assert changed.terms != reader.terms


TWO = pytest.param("2", marks=pytest.mark.dear("two processes start, which load everything"))


@pytest.mark.thorough
@pytest.mark.parametrize("workers", ["1", TWO])
def test_evaluate_and_score_take_a_file(workers: str, file: Path, tmp_path: Path) -> None:
    own = "--reader", str(file), "--workers", workers
    with workers_kept():
        done = run("evaluate", STUD, SAMPLE, *own, "--json")
        assert done.returncode == 0
        found = json.loads(done.stdout)
        assert found["policy"] == "plain"
        done = run("score", STUD, SAMPLE, *own, "-o", str(tmp_path / "t"))
    assert done.returncode == 0
    assert f"{found['hands']} rows of hands" in done.stdout


@pytest.mark.thorough
def test_a_report_and_the_bench_take_a_file(file: Path, tmp_path: Path) -> None:
    own = ("--reader", str(file))
    pages = tmp_path / "pages"
    assert run("report", SAMPLE, *own, "--format", "text", "-o", str(pages)).returncode == 0
    assert "reader plain" in next(pages.iterdir()).read_text("utf-8")
    games = "experiment", "readers", "--games", "2", "--seats", "2", "--players", "loose"
    done = run(*games, *own, "--reader", "cards-only", "--workers", "1")
    assert done.returncode == 0
    assert str(file) in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("reader = Plain()", "", "has no `reader`: end the file with reader = YourReader()"),
        ("reader = Plain()", "reader = Plain", "Plain is a class"),
        ("games = (", "games = ((", ":7: SyntaxError: "),
        ("import handread", "import nothing_of_this_name", ":2: ModuleNotFoundError: "),
        ("    learns = False\n", "", "the reader Plain lacks `learns`, True if it learns"),
        ("", "", "cannot be read: No such file"),
        (FILE, "", "is a folder, not a file"),
    ],
)
def test_a_file_that_cannot_be_used_is_wrong_usage(
    old: str, new: str, told: str, file: Path
) -> None:
    if old in ("", FILE):
        file.unlink()
    if old == FILE:
        file.mkdir()
    elif old:
        file.write_text(FILE.replace(old, new), "utf-8")
    done = run("analyze", SAMPLE, "--reader", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    words = " ".join(re.sub(r"[│\n]", " ", done.stderr).split())
    assert re.search(told, words), words


@pytest.mark.parametrize("workers", ["1", TWO])
def test_an_error_in_a_file_ends_the_run_with_its_line(workers: str, file: Path) -> None:
    text = FILE.replace("weak = ", "weak = 1 / 0 * ")
    file.write_text(text, "utf-8")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "1 / 0" in row)
    done = run("evaluate", STUD, "--reader", str(file), "--workers", workers)
    assert done.returncode == 2
    assert f"{file}:{line}: ZeroDivisionError: division by zero" in done.stderr.replace("\n", "")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "fault",
    [
        ("return bits", "return dict.fromkeys(bits)", "plain.py: TypeError: "),
        ("0.5 + ", "-1 * ", "after a raise, seat 4: `likelihood` .* negative"),
    ],
)
def test_a_fault_of_a_file_is_none_of_the_program(
    fault: Any, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(FILE.replace(*fault[:2]), "utf-8")
    for variable in BLAS_THREADS:  # which main sets
        monkeypatch.setenv(variable, "1")
    monkeypatch.setattr(sys, "argv", ["handread", "analyze", SAMPLE, "--reader", str(file)])
    with pytest.raises(SystemExit) as end:
        main()
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert re.search(fault[2], said.replace("\n", " "))
    assert "error in the program" not in said


def test_the_help_names_all_that_a_reader_may_be() -> None:
    for command in ("analyze", "report", "score", "evaluate"):
        words = " ".join(re.sub(r"[│\n]", " ", run(command, "--help").stdout).split())
        for name in (*readers(), "cards-only", "trees", "another policy", "FILE.py"):
            assert name in words, (command, name)


PLAYER = """
import handread
from handread.cards import holding_index


class Careful:
    name = "careful"
    reader = handread.load_reader("people-average")

    def decide(self, observer, spot, down):
        chances = observer.belief.holding_chances(spot.seat)
        good = chances[holding_index(down)] > spot.effective_odds
        return {"call" if spot.to_call and good else "fold" if spot.to_call else "check": 1.0}


player = Careful()
"""


def games(*options: str) -> Any:
    return run("simulate", "3", "--seats", "3", "--seed", "3", *options)


def test_a_player_in_a_file_sits_at_the_table(file: Path) -> None:
    file.write_text(PLAYER, "utf-8")
    done = games("--seat", f"3={file}", "--seat", "1=tight")
    assert done.returncode == 0
    assert "1 tight-1 " in done.stdout
    assert done.stdout.count("3 careful-3 ") == 3
    acts = re.findall(r"\| \w\w (\S+)", "|".join(re.findall(r"3 careful-3 .*", done.stdout)))
    assert acts
    assert not re.search("[br]", "".join(acts)), "it never bets or raises"
    named = games("--seat", f"2,3={file}", "--names", "A,B,C").stdout
    assert re.findall(r"^\d (\w) ", named, re.M) == ["A", "B", "C"] * 3


def test_a_player_in_a_file_may_have_a_reader_of_its_own(file: Path) -> None:
    text = PLAYER.replace('handread.load_reader("people-average")', "Plain()")
    text = text.replace("observer.belief", "observer.own_belief()")
    own = "    def own_belief(self):\n        return self.belief\n\n    def deal("
    text = FILE.replace("    def deal(", own).replace("reader = Plain()", "") + text
    file.write_text(text, "utf-8")
    assert games("--seat", f"3={file}").stdout.count("3 careful-3 ") == 3


@pytest.mark.dear("two processes start, which load everything")
def test_games_of_a_player_in_a_file_do_not_depend_on_the_workers(
    file: Path, tmp_path: Path
) -> None:
    file.write_text(PLAYER, "utf-8")
    outputs = [tmp_path / f"{workers}.stud" for workers in "12"]
    for output in outputs:
        own = "--seat", f"3={file}", "--workers", output.stem, "-o", str(output)
        assert games(*own).returncode == 0
    assert outputs[0].read_text("utf-8") == outputs[1].read_text("utf-8") != ""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("player = Careful()", "", "has no `player`: end the file with player = YourPlayer()"),
        ("player = Careful()", "player = Careful", r"Careful is a class: .* Careful\(\)"),
        ('    name = "careful"\n', "", "the player Careful lacks `name`, a name, for reports"),
        ('name = "careful"', "name = 3", "`name` of the player Careful is not a text"),
        ('handread.load_reader("people-average")', "3", "int is neither a policy nor a reader"),
        ("import handread\n", "1 / 0\n", ":2: ZeroDivisionError"),
        ("", "", "cannot be read: No such file"),
    ],
)
def test_a_file_without_a_player_is_wrong_usage(old: str, new: str, told: str, file: Path) -> None:
    file.write_text(PLAYER.replace(old, new), "utf-8") if old else file.unlink()
    done = games("--seat", f"3={file}")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(told, done.said), done.said


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("None", "not None"),
        ('{"call": 0.5}', r"not \{'call': 0.5\}"),
        ('{"fly": 1.0}', "some of fold, call, raise, which sum to 1, not"),
        ('{"call": float("nan")}', r"not \{'call': nan\}"),
        ("1 / 0", ":14: ZeroDivisionError: division by zero"),
    ],
)
def test_a_decision_that_is_none_ends_the_run(returned: str, told: str, file: Path) -> None:
    head, _, end = PLAYER.partition("        return")
    file.write_text(head + f"\n        return {returned}\n" + end[end.index("\n\n") :], "utf-8")
    done = games("--seat", f"3={file}")
    assert done.returncode == 2
    assert re.search(told, done.said), done.said
    if "ZeroDivision" not in told:
        assert "the player careful on 3rd street, seat 3: `decide` returns the" in done.said
