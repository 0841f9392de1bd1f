"""``handread LOG...``: the first look at a log, and what is taken for one."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from rich.cells import cell_len

from handread.cli import first_look
from handread.processes import Helpers
from handread.sessions import parts, reading
from handread.sessions.store import HandStore
from tests.cli.test_terminal import terminal
from tests.program import PROGRAM, ROOT, SAMPLES, run, run_here

EVENING = "docs/first-evening.txt"
HAND = f"{EVENING}:2383"


@pytest.fixture(autouse=True)
def kept_apart(folders_of_its_own: Path) -> None:
    """Keep what is told apart from what was told before."""


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "user_store", lambda: HandStore(None))
    monkeypatch.setattr(first_look, "user_store", lambda: HandStore(None))


def first_hands(file: Path, n: int) -> Path:
    """The first hands of the first evening."""
    parts = (ROOT / EVENING).read_text("utf-8").split("\n\n\n")
    file.write_text("\n\n\n".join(parts[:n]) + "\n", "utf-8")
    return file


@pytest.mark.dear("values the decisions of twenty hands")
def test_an_evening_is_told_on_a_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_here(first_hands(Path("night.txt"), 20).name)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) <= 49  # one of them for the name of the policy
    assert max(map(cell_len, lines)) <= 80
    told = " ".join(done.stdout.split())
    assert "decisions were clearly wrong; " in told


@pytest.mark.dear("a second process starts, which loads everything")
@pytest.mark.usefixtures("nothing_kept")
def test_two_processes_value_what_one_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    log = str(first_hands(tmp_path / "night.txt", 4))
    monkeypatch.setattr(first_look, "LEAST_HANDS", 1)
    monkeypatch.setattr(first_look, "usable_cores", lambda: 1)
    alone = run_here(log).stdout
    assert "With average luck" in " ".join(alone.split())
    monkeypatch.setattr(first_look, "usable_cores", lambda: 2)
    given: list[object] = []
    submit = Helpers.submit

    def waited_for(
        self: Helpers, work: Callable[..., object], *arguments: object
    ) -> Future[object]:
        future = submit(self, work, *arguments)
        future.exception()  # so that the next hand finds the process free
        given.append(work)
        return future

    monkeypatch.setattr(Helpers, "submit", waited_for)
    assert run_here(log).stdout == alone
    assert len(given) == 1 + 4


@pytest.mark.dear("a second process starts, which loads everything")
@pytest.mark.usefixtures("nothing_kept")
def test_hands_of_a_process_that_dies_are_valued_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = str(first_hands(tmp_path / "night.txt", 4))
    monkeypatch.setattr(first_look, "LEAST_HANDS", 12)
    alone = run_here(log).stdout
    monkeypatch.setattr(first_look, "LEAST_HANDS", 1)
    submit = Helpers.submit

    def dying(self: Helpers, work: Callable[..., object], *arguments: object) -> Future[object]:
        future = (
            submit(self, os._exit, 1)
            if work is reading.read_hand
            else submit(self, work, *arguments)
        )
        future.exception()
        return future

    monkeypatch.setattr(Helpers, "submit", dying)
    assert run_here(log).stdout == alone


@pytest.mark.thorough
def test_a_hand_by_its_line_and_standard_input_are_logs() -> None:
    done = run(HAND)
    assert done.stdout.startswith(
        "1 hand (seven-card stud), policy people. You lost $3.55 in 1 hand."
    )
    assert "2 of your 5 decisions were clearly wrong." in " ".join(done.stdout.split())
    text = (ROOT / EVENING).read_text("utf-8").split("\n\n\n")[1]
    for words in (("-",), ("-:1",), ("--", "-:1")):
        piped = run(*words, stdin=text)
        assert piped.stdout.startswith("1 hand (seven-card stud), policy people."), words
        assert "handread" not in piped.stdout  # there is nothing to read again


def test_another_player_can_be_you() -> None:
    done = run(HAND, "--hero", "Rooster_21")
    assert "You won $3.90 in 1 hand." in done.stdout
    assert "\nyou  " in done.stdout
    assert "NellB  " in done.stdout
    wrong = run(HAND, "--hero", "Roster_21")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    told = "--hero Roster_21: no hand has such a player; did you mean 'Rooster_21'?\n"
    assert wrong.stderr == told


def test_without_a_hero_the_decisions_are_those_of_all_known_cards() -> None:
    done = run("sample_histories/all-cards-known.stud")
    told = " ".join(done.stdout.split())
    assert "The log does not say which player you are; --hero NAME does." in told
    assert "\nThe loudest tells\n" in done.stdout
    assert "Your" not in done.stdout
    assert "are not valued: no values have been learned for the policy" in told


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hi-lo", "razz", "five-card"])
def test_every_game_has_a_table_that_fits(name: str, tmp_path: Path) -> None:
    log = tmp_path / "log.stud"
    log.write_text("\n\n".join((SAMPLES / f"{name}.stud").read_text().split("\n\n")[:5]))
    done = run(str(log))
    assert done.returncode == 0
    lines = [x for x in done.stdout.splitlines() if ".stud:" not in x and "handread " not in x]
    assert max(map(cell_len, lines)) <= 80
    assert len(re.findall("^average ", done.stdout, re.M)) == 1


def test_a_hand_with_a_fault_is_shown_to_there_and_counted() -> None:
    done = run("sample_histories/broken-turn.stud")
    assert done.returncode == 1
    assert done.stdout.startswith("2 hands (")
    told = " ".join(done.stdout.split())
    assert "Left out: 1 refused (1 read in part): handread check sample_histories/" in told


def test_a_log_without_hands_says_so(tmp_path: Path) -> None:
    empty, folder = tmp_path / "empty.txt", tmp_path / "folder"
    empty.touch()
    folder.mkdir()
    for place in (empty, folder):
        done = run(str(place))
        assert done.returncode in (1, 2)
        assert "there is no hand to show" in done.stderr
        assert "handread report" not in done.stdout
    told = f"there is no hand to show: {empty}:1:1: there is no hand, the file is empty ("
    assert run(str(empty)).stderr.startswith(told)


def test_a_command_comes_before_a_file_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first_hands(tmp_path / "check", 1)
    assert "Missing argument" in run_here("check").said
    assert run_here("./check").stdout.startswith("1 hand ")
    first_hands(tmp_path / "-x", 1)
    assert run_here("--", "-x").stdout.startswith("1 hand ")


def test_its_help_and_that_of_the_program_name_it() -> None:
    usage = run("--help").stdout.splitlines()[0]
    assert re.fullmatch(r"Usage: \S+ LOG\.\.\. or \S+ \[OPTIONS\] COMMAND \.\.\.", usage)
    own = run(EVENING, "--help").stdout
    assert own.splitlines()[0].endswith(" LOG... [OPTIONS]")
    assert "--hero NAME" in own
    assert "completion" not in own


@pytest.mark.thorough
def test_the_help_of_the_program_does_not_import_it() -> None:
    code = (
        "import sys\nfrom handread.cli import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('numba', 'handread.cli.first_look') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_names_from_a_log_cannot_move_the_cursor(tmp_path: Path) -> None:
    log = first_hands(tmp_path / "night.txt", 2)
    log.write_text(log.read_text("utf-8").replace("duckpond", "duck\u202epond"), "utf-8")
    done = run(str(log))
    assert "\u202e" not in done.stdout
    assert r"duck\u202epond" in done.stdout


@pytest.mark.thorough
def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    log = first_hands(tmp_path / "night.txt", 2)
    with (
        terminal(80) as (outside, written),
        open(outside, "w", closefd=False) as screen,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(screen),
        contextlib.suppress(SystemExit),
    ):
        PROGRAM.main([str(log)], "handread")
    assert b"2/2" in b"".join(written)


@pytest.mark.dear("hands of two games are read")
def test_players_of_other_games_are_not_forgotten(tmp_path: Path) -> None:
    both = tmp_path / "both.stud"
    both.write_text(
        "".join((SAMPLES / name).read_text("utf-8") for name in ("razz.stud", "steal.stud")),
        "utf-8",
    )
    shown = " ".join(run_here(str(both)).stdout.split())
    assert "handread players lists other games, too: seven-card stud." in shown
