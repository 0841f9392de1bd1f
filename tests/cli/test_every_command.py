"""Laws of all commands: wrong options, inputs and outputs are told alike, and leave nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.examples import few
from tests.program import PROGRAM, ROOT, SAMPLES, run_here

Words = tuple[str, ...]

HOLDEM = ROOT / "tests" / "window" / "holdem.txt"


def _commands(found: Any, words: Words = ()) -> Iterator[tuple[Words, Any]]:
    if not hasattr(found, "commands"):
        yield words, found
        return
    for name, below in found.commands.items():
        yield from _commands(below, (*words, name))


COMMANDS = dict(sorted(_commands(PROGRAM), key=lambda one: one[0][0] == "experiment"))
"""Every command by its words, the experiments last."""

READING = [words for words, one in COMMANDS.items() if one.params[0].name in ("files", "paths")]
READING.remove(("formats",))
READING.remove(("open",))
"""Those that read hands, and then end."""


def options(words: Words) -> set[str]:
    return {one.opts[0] for one in COMMANDS[words].params}


def each(cases: Iterable[tuple[Words, str]]) -> pytest.MarkDecorator:
    """Try a command with each option; of the experiments ``.ci/run`` alone does so."""
    found = list(cases)
    core = sum(words[0] != "experiment" for words, _ in found)
    ids = [f"{' '.join(words)} {option}" for words, option in found]
    return pytest.mark.parametrize(("words", "option"), few(found, core), ids=ids)


reading = pytest.mark.parametrize(
    "words",
    few(map(pytest.param, READING), sum(words[0] != "experiment" for words in READING)),
    ids=" ".join,
)

ARGUMENTS = {
    **{"files": "log.stud", "paths": "log.stud", "folder": "tables", "n": "2"},
    **{"name": "loose", "kind": "actions"},
}
OUTPUTS = {"fit": "out.toml"}
SMALL = {
    "decisions": ("--policy", "people", "--rollouts", "10", "--check", "none"),
    "convert": ("--to", "phh", "--annotate"),
    "evaluate": ("--resamples", "100"),
    "fit": ("--penalty", "3", "--likelihood-exponent", "1", "--set", "rounds=1"),
    "readers": ("--reader", "cards-only", "--resamples", "100"),
}
"""What makes a command whole, and short."""

WRONG = {
    "--policy": ("nobody", "no policy 'nobody'"),
    "--seat": ("loose", "is not valid for a seat"),
    "--viewpoint": ("seat:x", "no viewpoint 'seat:x'"),
    "--dialect": ("klingon", "there is no dialect 'klingon'"),
    "--grammar": ("none.toml", "none.toml"),
    "--lapse": ("2", "'2' is not 1.0 or less"),
    "--hand": ("nope", "no hand 'nope' among the 1 of the input"),
    "--hero": ("nobody", "--hero nobody: no hand has such a player"),
    "--workers": ("-1", "'-1' is not 0 or more"),
    "--ties": ("zzz", "'zzz' is not one of 'split', 'paper'"),
    "--game": ("holdem", "'holdem' "),
    "--family": ("x", "'x' is not one of 'logit', 'ramps', 'tree'"),
    "--format": ("doc", "'doc' is not one of"),
    "--seed": ("x", "'x' is not a whole number"),
    "-o": ("nowhere/x.svg", "nowhere/x.svg"),
}
"""A value that an option never takes, and what is then said."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a log, and one with a hand that breaks the rules."""
    shutil.copy(SAMPLES / "showdown.stud", tmp_path / "log.stud")
    shutil.copy(SAMPLES / "broken-turn.stud", tmp_path / "broken.stud")
    (tmp_path / "empty.stud").touch()
    (tmp_path / "out.svg").write_text("precious")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def line(words: Words, file: str = "log.stud", but: str = "") -> list[str]:
    """A command line that is whole, but for an option."""
    found = [*words]
    for one in COMMANDS[words].params:
        is_file = one.name in ("files", "paths") and words != ("formats",)
        if one.param_type_name == "argument" and (one.required or is_file):
            found.append(file if is_file else ARGUMENTS[one.name])
        elif one.required and one.opts[0] not in (but, "--to"):
            found += ["-o", OUTPUTS.get(words[0], "out")]
    small = SMALL.get(words[-1], ())
    workers = ["--workers", "1"] if "--workers" in options(words) and but != "--workers" else []
    return [*found, *small, *workers]


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder with what they hold."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@each(
    (words, option)
    for words in COMMANDS
    for option in WRONG
    # Of hands of files the game is theirs.
    if option in options(words) and (words[-1], option) != ("readers", "--game")
)
def test_a_wrong_value_of_an_option_is_told(words: Words, option: str, here: Path) -> None:
    before = files(here)
    value, why = WRONG[option]
    done = run_here(*line(words, but=option), option, value)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.said
    assert files(here) == before


@reading
def test_what_is_not_there_or_no_hand_is_no_success(words: Words, here: Path) -> None:
    before = files(here)
    done = run_here(*line(words, "none.stud"))
    assert done.returncode == 2
    assert "none.stud" in done.stderr
    assert run_here(*line(words, "empty.stud")).returncode in (1, 2)
    made = {name for name in files(here).keys() - before.keys() if not name.startswith("out/")}
    assert words == ("score",) or made == set()


@reading
def test_a_log_of_other_games_alone_is_no_success(words: Words, here: Path) -> None:
    shutil.copy(HOLDEM, here / "holdem.txt")
    done = run_here(*line(words, "holdem.txt"))
    # Nothing is wrong with the log, which is what check and score say.
    assert done.returncode == (words not in (("check",), ("score",)))
    assert "Hold'em" in done.stderr + done.stdout


@reading
def test_a_hand_that_is_refused_does_not_hide_the_others(words: Words, here: Path) -> None:
    more = ("--rejects", "kept.stud") if "--rejects" in options(words) else ()
    done = run_here(*line(words, "broken.stud"), *more)
    assert done.returncode == 1
    if not more:
        assert "1 refused" in done.stdout
        return
    assert "broken.stud:6:16: seat 3 acts, but it is seat 2's turn" in done.stderr
    assert "read as saund" in done.stderr
    assert "hand: broken-turn" in Path("kept.stud").read_text()
    assert "1 refused" in done.stderr + done.stdout or words == ("fit",)


@each((words, one) for words in READING for one in ("-o", "--rejects") if one in options(words))
def test_what_is_read_is_never_written_over(words: Words, option: str, here: Path) -> None:
    before = files(here)
    for file in ("log.stud", ".") if words == ("score",) else ("log.stud", "log.stud:3", "."):
        done = run_here(*line(words, file, but=option), option, "log.stud")
        assert (done.returncode, done.stdout) == (2, "")
        assert "log.stud" in done.stderr
        assert files(here) == before


@pytest.mark.thorough
@reading
def test_a_folder_is_read_as_its_files(words: Words, here: Path) -> None:
    folder = here / "folder"
    folder.mkdir()
    shutil.copy("log.stud", folder / "log.stud")
    alone = run_here(*line(words, str(folder / "log.stud")))
    shutil.rmtree("out", ignore_errors=True)
    found = run_here(*line(words, str(folder)))
    assert (found.returncode, found.stdout.count("\n")) == (0, alone.stdout.count("\n"))


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["analyze", "report", "decisions", "convert"])
def test_a_seat_that_no_hand_has_is_told(command: str, here: Path) -> None:
    assert (
        "no hand has a seat 9: --seat unused"
        in run_here(*line((command,)), "--seat", "9=loose").stderr
    )
