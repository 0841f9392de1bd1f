"""The command line as a person or a script meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from handread import json_schema
from handread.cli import BLAS_THREADS, main
from tests.program import ROOT, SAMPLES, run, whole_process


@pytest.mark.thorough
def test_json_is_one_object_a_line_and_meets_the_schema() -> None:
    names = "five-card.stud:2 hi-lo.stud:2 razz.stud:2 steal.stud stops-in-the-middle.stud"
    names += " bovada.txt pokerstars.txt broken-card.stud broken-turn.stud"
    done = run("analyze", "--json", *(f"sample_histories/{name}" for name in names.split()))
    assert done.returncode == 1  # two samples are broken on purpose
    lines = done.stdout.splitlines()
    assert len(lines) == 10
    validator = jsonschema.Draft202012Validator(json_schema())
    for found in map(json.loads, lines):
        validator.validate(found)


@pytest.mark.thorough
def test_ranges_of_a_fitted_policy() -> None:
    file = "sample_histories/pokerstars.txt"
    found = json.loads(run("analyze", "--uncertainty", "3", "--json", file).stdout.splitlines()[0])
    jsonschema.validate(found, json_schema())
    assert found["uncertainty"] == {"draws": 3, "level": 0.9}
    stage = next(stage for stage in found["stages"] if stage["stage"] == "5B")
    assert stage["ranges"].keys() == {*stage["pdd"], *stage["folded"]}
    for seat, ranges in stage["ranges"].items():
        assert (ranges["p_win"] is None) == (seat in stage["folded"])
        assert sum(one["p"] for one in ranges["families"].values()) == pytest.approx(1.0)
        assert ranges["kinds"]
        for one in (*ranges["families"].values(), *ranges["kinds"].values()):
            assert 0.0 <= one["low"] <= one["p"] <= one["high"] <= 1.0
    chances = {seat: one["p_win"]["p"] for seat, one in stage["ranges"].items() if one["p_win"]}
    assert chances == stage["p_win"]["bet_inference"]


def test_ranges_need_a_fitted_policy() -> None:
    file = "sample_histories/all-cards-known.stud"
    refused = run("analyze", "--uncertainty", "5", "--policy", "default", file)
    assert refused.returncode == 2
    assert "no uncertainty of its parameters is known" in " ".join(refused.stderr.split())
    # A constructed hand is read with the paper's policy unless told otherwise.
    done = run("analyze", "--uncertainty", "5", file)
    assert done.returncode == 0
    assert "in brackets" not in done.stdout
    assert "no ranges for 1 hand: the parameters of table1-left were given" in done.stderr


def test_one_hand_by_id_or_number() -> None:
    by_id = run("analyze", "--json", "--hand", "fine", "sample_histories/broken-turn.stud")
    by_number = run("analyze", "--json", "--hand", "#2", "sample_histories/broken-turn.stud")
    assert by_id.returncode == by_number.returncode == 0
    assert json.loads(by_id.stdout) == json.loads(by_number.stdout)


def test_viewpoints() -> None:
    file = "sample_histories/all-cards-known.stud"
    public, seat, all_seeing = (
        json.loads(run("analyze", "--json", "--viewpoint", who, file).stdout)
        for who in ("public", "seat:1", "omniscient")
    )
    last = all_seeing["stages"][-1]["p_win"]
    assert last["bet_inference"] == last["omniscient"] == {"1": 1.0, "2": 0.0}
    assert seat["stages"][0]["pdd"]["1"]["live"] == 1
    assert public["stages"][0]["pdd"]["1"]["live"] == 990
    hidden = run("analyze", "--viewpoint", "seat:3", "sample_histories/showdown.stud")
    assert hidden.returncode == 1
    assert "does not show the downcards of seat 3" in hidden.stderr


HEROES = ("sample_histories/pokerstars.txt", "sample_histories/bovada.txt")


def views(*args: str) -> list[tuple[str, int | None]]:
    """The viewpoint and the hero of each hand of a run of analyze."""
    found = map(json.loads, run("analyze", "--json", *args).stdout.splitlines())
    return [(one["viewpoint"], one["hero"]) for one in found]


@pytest.mark.thorough
def test_the_log_of_a_player_is_read_as_that_player() -> None:
    hidden = "sample_histories/showdown.stud"
    assert views(HEROES[0], hidden) == [("seat:7", 7)] * 2 + [("public", None)]
    assert ("seat:4", 4) in views(HEROES[1])
    assert set(views("--viewpoint", "public", HEROES[0])) == {("public", 7)}


def test_a_player_looks_on_by_name_where_the_log_shows_the_downcards() -> None:
    done = run("analyze", "--viewpoint", "Priya.K", HEROES[0])
    assert done.returncode == 0
    assert "1 hand without Priya.K: read as the public sees them" in done.stderr
    assert "4 Priya.K (you)" in done.stdout
    assert "Hero (you)" not in done.stdout
    never_shows = run("analyze", "--viewpoint", "old tom", HEROES[0]).stderr
    assert "2 hands without old tom's downcards" in never_shows


@pytest.mark.parametrize("command", ["analyze", "report"])
def test_a_viewer_whom_no_hand_has(command: str, tmp_path: Path) -> None:
    output = ("-o", str(tmp_path / "x")) if command == "report" else ()
    done = run(command, "--viewpoint", "Old tom", HEROES[0], *output)
    assert (done.returncode, done.stdout) == (2, "")
    told = "--viewpoint Old tom: no hand has such a player; did you mean 'old tom'?\n"
    assert done.stderr == told
    done = run(command, "--viewpoint", "Nobody", HEROES[0], *output)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no hand has such a player (players: " in done.stderr
    assert "Priya.K" in done.stderr
    done = run(command, "--viewpoint", "hero", "sample_histories/steal.stud", *output)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "--viewpoint hero: no log says which player is the hero\n"
    assert not (tmp_path / "x").exists()


def test_a_viewer_of_a_stream_is_missed_at_its_end() -> None:
    text = (ROOT / HEROES[0]).read_text()
    done = run("analyze", "--viewpoint", "Nobody", "-", stdin=text)
    assert done.returncode == 2
    assert "no hand has such a player (players: " in done.stderr


def test_a_reader_that_reads_no_hand_is_no_success() -> None:
    done = run("analyze", "sample_histories/razz.stud", "--reader", "loki")
    assert (done.returncode, done.stdout) == (1, "")
    assert "not analyzed: 12 razz; the reader does not read this game" in done.stderr


def test_an_annotated_hand_needs_its_viewer() -> None:
    log = "sample_histories/pokerstars.txt"
    done = run("convert", log, "--to", "phh", "--annotate", "--viewpoint", "Nobody")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no hand has such a player" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("to", ["saund", "phh"])
def test_convert_keeps_the_reading(to: str, tmp_path: Path) -> None:
    suffix = {"saund": ".stud", "phh": ".phh"}[to]
    for sample in ("showdown.stud", "side-pot.stud", "pokerstars.txt"):
        out = tmp_path / (sample + suffix)
        done = run("convert", "--to", to, "-o", str(out), f"sample_histories/{sample}")
        assert (done.returncode, done.stdout) == (0, "")
        before, after = (
            [
                json.loads(line)
                for line in run("analyze", "--policy", "loose", "--json", file).stdout.splitlines()
            ]
            for file in (f"sample_histories/{sample}", str(out))
        )
        assert [hand["stages"] for hand in before] == [hand["stages"] for hand in after]


def test_hostile_names_never_reach_the_terminal() -> None:
    text = (SAMPLES / "steal.stud").read_text()
    evil = text.replace("Rose ", '"\\x1b[31m\\u202e"').replace("Walt ", '"[red]<b>"')
    done = run("analyze", "-", stdin=evil, FORCE_COLOR="1")
    assert done.returncode == 0
    assert "\x1b[31m\u202e" not in done.stdout
    assert "\\x1b[31m\\u202e" in done.stdout
    assert "[red]<b>" in done.stdout


@pytest.mark.thorough
def test_no_color() -> None:
    colour = run("analyze", "sample_histories/steal.stud", FORCE_COLOR="1")
    plain = run("analyze", "sample_histories/steal.stud", FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b[31m" in colour.stdout  # red suits
    assert "\x1b[31m" not in plain.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("words", ["analyze sample_histories/*.stud", "report --help", "--version"])
def test_a_closed_pipe_is_no_error(words: str) -> None:
    command = f"{sys.executable} -m handread {words} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, cwd=SAMPLES.parent
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.thorough
def test_version_and_help() -> None:
    assert whole_process("--version").stdout.startswith("handread 0.")
    assert "analyze" in whole_process("--help").stdout


def test_a_log_that_ends_before_the_deal_says_so() -> None:
    text = "".join((SAMPLES / "pokerstars.txt").read_text().splitlines(keepends=True)[3:8])
    done = run("analyze", "-", stdin=text)
    assert done.returncode == 1
    assert "stops before any card is dealt" in done.stderr


def test_an_empty_text_and_a_text_of_comments_are_told() -> None:
    told = {"": "there is no hand", "# nothing yet\n": "there are no hands"}
    for text, message in told.items():
        done = run("check", "--dialect", "saund", "-", stdin=text)
        assert done.returncode == 1
        assert message in done.stderr


@pytest.mark.thorough
def test_a_terminal_without_unicode_gets_plain_characters() -> None:
    text = (SAMPLES / "steal.stud").read_text().replace("Rose", "Zoë")
    done = whole_process(
        "analyze", "-", stdin=text, PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0"
    )
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "·" not in done.stdout


@pytest.mark.parametrize(
    ("ending", "to", "written"),
    [
        (".phh", "", "phh"),
        (".PHHS", "", "phh"),
        (".stud", "", "saund"),
        (".stud", "pokerstars", "pokerstars"),
    ],
)
@pytest.mark.parametrize("sample", ["steal.stud", "razz.stud"])
def test_the_ending_of_the_output_names_the_format_unless_it_is_given(
    tmp_path: Path, sample: str, ending: str, to: str, written: str
) -> None:
    out, log = tmp_path / f"out{ending}", f"sample_histories/{sample}"
    done = run("convert", log, "-o", str(out), *(["--to", to] if to else []))
    assert done.returncode == 0
    assert out.read_text("utf-8") == run("convert", log, "--to", written).stdout


def test_convert_leaves_a_file_alone_when_there_is_no_hand(tmp_path: Path) -> None:
    kept, empty = tmp_path / "keep.phh", tmp_path / "empty.stud"
    kept.write_text("precious")
    empty.write_text("")
    for source in (empty, tmp_path / "missing.stud"):
        done = run("convert", str(source), "--to", "phh", "-o", str(kept))
        assert done.returncode in (1, 2)
        assert "no hand to write" in done.stderr
        assert "Traceback" not in done.stderr
        assert kept.read_text() == "precious"


def test_the_program_takes_one_thread_of_blas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its workers inherit it; what the user has set stays."""
    for variable in BLAS_THREADS:
        monkeypatch.setenv(variable, "")  # so that what main sets is undone
        monkeypatch.delenv(variable)
    monkeypatch.setenv("MKL_NUM_THREADS", "3")
    monkeypatch.setattr(sys, "argv", ["handread", "--version"])
    with pytest.raises(SystemExit):
        main()
    assert [os.environ[variable] for variable in BLAS_THREADS] == ["1", "3", "1"]


@pytest.mark.thorough
def test_reader_cards_only_says_that_nothing_was_told() -> None:
    done = run("evaluate", "sample_histories/showdown.stud", "--reader", "cards-only", "--json")
    assert done.returncode == 0
    stages = json.loads(done.stdout)["stages"]
    assert [stage["bits_on_truth"]["mean"] for stage in stages] == pytest.approx([0] * len(stages))


def test_a_reader_takes_the_place_of_a_policy() -> None:
    hand = "sample_histories/showdown.stud"
    by_reader, by_policy = (run("analyze", hand, way, "loose") for way in ("--reader", "--policy"))
    assert by_reader.stdout == by_policy.stdout
