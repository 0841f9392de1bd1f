"""The command that writes pages and pictures: what it is called with, and what then lies there."""

from __future__ import annotations

import html
import json
import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import handread
from handread.cli import report_session
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History
from handread.report.build import hand_report
from handread.report.steps import hand_steps
from handread.report.text import plain_report
from handread.sessions import page_files
from handread.sessions.page_files import stem_of
from tests.packed import SHARED, opened
from tests.program import SAMPLES, Done, run_here

STEAL = str(SAMPLES / "steal.stud")
SESSION = str(SAMPLES / "session.phhs")
BROKEN = str(SAMPLES / "broken-turn.stud")
KNOWN = str(SAMPLES / "all-cards-known.stud")

SHORT = "1 {name} | ?? ?? | 3h .Bf\n2 Bob | ?? ?? | Kc r\n"
"""A hand that is shown at once: a bring-in, a completion, a fold."""


def short_hands(*ids: str, name: str = "Ann") -> str:
    """A session of short hands with these ids."""
    play = SHORT.format(name=name)
    return "\n".join((f"hand: {json.dumps(one)}\n" if one else "") + play for one in ids)


def run(*args: str, stdin: str = "") -> Done:
    """The program run in this process, which has its kernels at hand; a worker has not."""
    if args[0] == "report" and "--workers" not in args:
        args = ("report", "--workers", "1", *args[1:])
    return run_here(*args, stdin=stdin)


def test_the_page_of_a_hand_with_the_values_of_its_decisions(tmp_path: Path) -> None:
    log, out = tmp_path / "short.stud", tmp_path / "page.html"
    log.write_text("1 Ann | 2c 2d | 3h .Bf\n2 Bob | ?? ?? | Kc r\n", encoding="utf-8")
    given = (str(log), "--decisions", "--exact", "--rollouts", "12")
    assert run("report", *given, "-o", str(out)).returncode == 0
    text = out.read_bytes()
    assert text.count(b"<em>taken</em>") == 1
    assert made_by(text)[2:7] == [*given]


def names(folder: Path) -> list[str]:
    """The files in a folder, but for those that pages share."""
    return sorted(path.name for path in folder.iterdir() if not SHARED.fullmatch(path.name))


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names(folder)}


def made_by(page: bytes) -> list[str]:
    """The words of the command in the footer of a page."""
    found = re.search(r">(handread report [^<]*)<", page.decode())
    return shlex.split(html.unescape(found[1]))


def show(file: Path, folder: Path, *formats: str) -> int:
    """Show the hands of a file in one process; return the exit status."""
    kinds = [word for kind in formats or ("text",) for word in ("--format", kind)]
    how = ("--policy", "default", "--workers", "1", *kinds)
    return run("report", str(file), "-o", str(folder), *how).returncode


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a session of three hands leaves."""
    folder = tmp_path_factory.mktemp("session") / "three"
    done = run("report", SESSION, "-o", str(folder))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"3 hands: {folder / 'index.html'}\n"
    assert not (folder.parent / "three.parts").exists()
    return folder


# Names


@given(st.integers(1, 10**6), st.text())
def test_a_name_never_means_anything_to_a_file_system(number: int, hand_id: str) -> None:
    stem = stem_of(number, hand_id)
    assert re.fullmatch(r"\d{4,}(-[A-Za-z0-9_][A-Za-z0-9._-]{0,39})?", stem)
    assert Path(stem).name == stem
    assert int(stem.partition("-")[0]) == number


@pytest.mark.parametrize(
    ("hand_id", "stem"),
    [
        ("../../etc/passwd", "0007-etc-passwd"),
        ("", "0007"),
        ("...", "0007"),
        (".hidden", "0007-hidden"),
        ("a" * 10_000, "0007-" + "a" * 40),
        ("C:\\x:y\0z", "0007-C-x-y-z"),
        ("手 17", "0007-17"),
        ("#900000000101", "0007-900000000101"),
    ],
)
def test_names_of_strange_ids(hand_id: str, stem: str) -> None:
    assert stem_of(7, hand_id) == stem


def test_hostile_ids_stay_in_the_folder(tmp_path: Path) -> None:
    file = tmp_path / "in" / "hostile.stud"
    file.parent.mkdir()
    evil = '<script>alert("x")</script> $(reboot) \u202e'
    file.write_text(short_hands("../../etc/passwd", "../etc/passwd", "", "x" * 5000, evil))
    folder = tmp_path / "out" / "pages"
    folder.parent.mkdir()
    done = run("report", str(file), "-o", str(folder))
    assert done.returncode == 0, done.stderr
    found = [name for name in names(folder) if not name.startswith("player-")]
    assert len(names(folder)) == len(found) + 2
    assert found == [
        "0001-etc-passwd.html",
        "0002-etc-passwd.html",
        "0003.html",
        "0004-" + "x" * 40 + ".html",
        "0005-script-alert-x-script-reboot.html",
        "index.html",
    ]
    assert names(tmp_path) == ["in", "out"]
    assert names(folder.parent) == ["pages"]
    for name, page in contents(folder).items():
        text = page.decode() + (opened(page, folder) if name != "index.html" else "")
        assert "<script>alert" not in text
        assert "\u202e" not in text


def test_the_folder_is_named_after_the_only_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("evening.stud", "-dash.stud"):
        (tmp_path / name).write_text(short_hands("1"))
    command = ("report", "--format", "text", "--policy", "uniform", "--keep-repeated")
    told = {
        run(*command, *files, stdin=short_hands("1")).stdout
        for files in (["evening.stud"], ["evening.stud"] * 2, ["-"], ["--", "-dash.stud"])
    }
    assert told == {
        "1 hand: evening-report/0001-1.txt\n",
        "2 hands: handread-report\n",
        "1 hand: handread-report/0001-1.txt\n",
        "1 hand: -dash-report/0001-1.txt\n",
    }
    assert names(tmp_path / "handread-report") == ["0001-1.txt", "0002-1.txt"]


# What is in the files


def test_text_is_that_of_the_terminal(tmp_path: Path) -> None:
    assert run("report", KNOWN, "--format", "text", "-o", str(tmp_path / "x")).returncode == 0
    (hand,) = handread.read_hands(KNOWN)
    made_by = f"handread report {KNOWN} --format text --hand '#1'"
    analysis = handread.analyze(hand)
    report = replace(hand_report(analysis), made_by=made_by)
    assert (tmp_path / "x" / "0001-17-open.txt").read_text() == plain_report(
        report, hand_steps(report, analysis).steps
    )


@pytest.mark.thorough
def test_pages_with_ranges(tmp_path: Path) -> None:
    """A page tells what the ranges are made of, and repeats the option in its command."""
    log = str(SAMPLES / "pokerstars.txt")
    pages = []
    for name, options in (("plain.html", ()), ("ranged.html", ("--uncertainty", "4"))):
        place = ("--hand", "#1", "-o", str(tmp_path / name))
        assert run("report", *options, *place, log).returncode == 0
        pages.append((tmp_path / name).read_bytes())
    plain, ranged = pages
    assert "--uncertainty" in made_by(ranged)
    assert b"90% of the reads by 4 draws" in ranged
    assert b"draws of the parameters" not in plain
    # Those of the tables and charts; the board's are among its compressed data.
    ranges = re.compile(rb"\d% \(\d+ to \d+\)")
    assert len(ranges.findall(ranged)) > len(ranges.findall(plain)) + 30


@pytest.mark.dear("draws a hand in every format, which takes a second")
def test_all_formats_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    wanted = ("pdf", "text", "html", "svg", "png", "html")
    asked = [word for kind in wanted for word in ("--format", kind)]
    log = tmp_path / "log.stud"
    log.write_text(short_hands("steal"))
    done = run("report", str(log), "-o", str(folder), *asked)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"1 hand: {folder / 'index.html'}\n"
    found = contents(folder)
    assert sorted(found) == [
        "0001-steal.html",
        "0001-steal.pdf",
        "0001-steal.png",
        "0001-steal.svg",
        "0001-steal.txt",
        "index.html",
    ]
    assert found["0001-steal.pdf"].startswith(b"%PDF")
    assert found["0001-steal.png"].startswith(b"\x89PNG")
    assert b"<svg" in found["0001-steal.svg"]
    assert b"2 Bob completes" in found["0001-steal.txt"]
    made = made_by(found["0001-steal.html"])
    assert [word for word in made if word in wanted] == ["html", "text", "svg", "png", "pdf"]


# Statuses


def test_refused_hands_are_told_and_listed(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    card = str(SAMPLES / "broken-card.stud")
    done = run("report", BROKEN, card, "-o", str(folder))
    assert done.returncode == 1
    assert done.stdout == f"2 hands: {folder / 'index.html'}\n"
    told = run("analyze", "--policy", "default", BROKEN, card).stderr.splitlines(keepends=True)
    assert done.stderr.startswith("".join(told[:-1]))
    assert done.stderr.endswith(told[-1])
    # What the first record says before its fault is shown.
    assert names(folder) == ["0001-broken-turn.html", "0002-fine.html", "index.html"]
    index = html.unescape((folder / "index.html").read_text())
    assert "seat 3 acts, but it is seat 2's turn" in index
    assert "'11h' is not a card" in index


def test_a_viewpoint_that_a_hand_does_not_allow(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    done = run(
        "report", KNOWN, STEAL, "--viewpoint", "seat:1", "--format", "text", "-o", str(folder)
    )
    assert done.returncode == 0
    assert "steal.stud:2:1: the log does not show the downcards of seat 1" in done.stderr
    assert names(folder) == ["0001-17-open.txt"]
    assert "seen from seat 1" in (folder / "0001-17-open.txt").read_text()


def test_nothing_to_show_leaves_nothing(tmp_path: Path) -> None:
    for args, status in (
        ((str(SAMPLES / "broken-card.stud"),), 1),
        ((STEAL, "--viewpoint", "omniscient"), 1),
        ((str(tmp_path / "none.stud"),), 2),
        ((STEAL, "--hand", "nope"), 2),
    ):
        done = run("report", *args, "-o", str(tmp_path / "x"))
        assert done.returncode == status
        assert done.stdout == ""
        assert names(tmp_path) == []
    assert "no hand 'nope' among the 1 of the input" in done.stderr


def test_findings_are_told(tmp_path: Path) -> None:
    done = run("analyze", KNOWN, "--policy", "honest")
    told = [line for line in done.stderr.splitlines() if "under the policy" in line]
    assert told
    made = run("report", KNOWN, "--policy", "honest", "-o", str(tmp_path / "x.txt"))
    assert made.returncode == 0
    assert [line for line in made.stderr.splitlines() if "under the policy" in line] == told


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("-o", "{}/no/such"), "there is no folder"),
        (("-o", "{}/no/such.html"), "there is no folder"),
        (("-o", "{}/file"), "is a file"),
        (("-o", "{}/folder.svg"), "is a folder"),
        (("-o", "{}/x.svg", "--format", "html"), "cannot contain html"),
        (("-o", "/"), "choose a folder"),
    ],
)
def test_wrong_usage(args: tuple[str, ...], word: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.svg").mkdir()
    done = run("report", STEAL, *(arg.format(tmp_path) for arg in args))
    assert done.returncode == 2
    assert word in done.said
    assert "Traceback" not in done.stderr
    assert names(tmp_path) == ["file", "folder.svg"]


@pytest.mark.thorough
def test_one_hand_to_one_file(tmp_path: Path) -> None:
    many = run("report", SESSION, "-o", str(tmp_path / "x.html"))
    assert many.returncode == 2
    assert "holds one hand, and there are 3" in many.stderr
    assert names(tmp_path) == []
    for ending, start in ((".HTML", "<!doctype html>"), (".txt", "Hand steal"), (".svg", "<?xml")):
        file = tmp_path / f"x{ending}"
        done = run("report", SESSION, "--hand", "steal", "-o", str(file))
        assert (done.returncode, done.stdout) == (0, f"1 hand: {file}\n")
        assert file.read_text().lower().startswith(start.lower())
    page = (tmp_path / "x.HTML").read_text()
    assert 'href="index.html"' not in page
    assert len(names(tmp_path)) == 3


def test_no_page_is_written_over_what_is_read(tmp_path: Path) -> None:
    text = Path(STEAL).read_text()
    name = tmp_path / "0001-steal.txt"
    name.write_text(text)
    done = run("report", str(name), "--format", "text", "-o", str(tmp_path))
    assert done.returncode == 2
    assert "choose another" in done.stderr
    assert name.read_text() == text


def test_a_page_that_cannot_be_written_is_told_in_words(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    (folder / "0001-steal.txt" / "in the way").mkdir(parents=True)
    done = run("report", STEAL, "--format", "text", "-o", str(folder))
    assert done.returncode == 2
    assert "0001-steal.txt cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "x.txt").symlink_to("/dev/full")
    done = run("report", STEAL, "-o", str(tmp_path / "x.txt"))
    assert done.returncode == 2
    assert "cannot be written: No space left" in done.stderr
    assert "Traceback" not in done.stderr


# The same files again


@pytest.mark.dear("two processes start, which load everything")
def test_workers_and_runs_make_no_difference(tmp_path: Path) -> None:
    log, found = tmp_path / "session.stud", []
    log.write_text(
        short_hands(*"12345") + "\n" + Path(BROKEN).read_text()
    )  # more than a part holds
    for name, workers in (("one", "1"), ("two", "2"), ("two", "1")):
        folder = tmp_path / name
        done = run("report", str(log), STEAL, "-o", str(folder), "--workers", workers)
        assert done.returncode == 1
        assert f"{workers} process" in done.stderr
        found.append(contents(folder))
    assert len(found[0]) == 11
    assert found[0] == found[1] == found[2]


@pytest.mark.thorough
def test_a_stopped_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "many.stud"
    file.write_text(short_hands(*map(str, range(1, 14))))
    show(file, tmp_path / "whole")
    write = page_files._write
    written: list[str] = []

    def stopped(*args: object) -> None:
        if len(written) == 9:
            raise KeyboardInterrupt
        written.append(str(args[-1]))
        write(*args)  # type: ignore[arg-type]

    folder = tmp_path / "x"
    with monkeypatch.context() as patch:
        patch.setattr(page_files, "_write", stopped)
        assert show(file, folder) == 130
    assert names(folder) == [f"{n:04d}-{n}.txt" for n in range(1, 10)]
    assert (tmp_path / "x.parts").is_dir()
    # Another run may not go on from it; files that are gone are made again.
    assert show(file, folder, "text", "svg") == 2
    (folder / "0006-6.txt").unlink()
    again: list[str] = []
    monkeypatch.setattr(
        page_files, "_write", lambda *args: (again.append(Path(args[-1]).name), write(*args))
    )
    assert show(file, folder) == 0
    assert again == [f"{n:04d}-{n}.txt" for n in range(5, 14)]  # by parts of four
    assert contents(folder) == contents(tmp_path / "whole")
    assert not (tmp_path / "x.parts").exists()


def test_a_run_stopped_while_it_reads_has_lost_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(report_session.StoredJobs, "store", stop)
    done = run("report", STEAL, "-o", str(tmp_path / "x"))
    told = "stopped while the hands were read; give the same command again\n"
    assert (done.returncode, done.stderr) == (130, told)


def test_a_changed_input_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, folder = tmp_path / "a.stud", tmp_path / "x"
    file.write_text(short_hands("1", "2"))

    def stop(*args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(page_files, "_write", stop)
        assert show(file, folder) == 130
    file.write_text(short_hands("1", "2", name="Zoe"))
    assert show(file, folder) == 2


def test_the_command_on_a_page_makes_it_again(session: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(session, folder)
    page = folder / "0002-open-pair.html"
    command = made_by(page.read_bytes())
    assert command == ["handread", "report", SESSION, "--hand", "#2"]
    page.unlink()
    done = run(*command[1:], "-o", str(folder))
    assert (done.returncode, done.stdout) == (0, f"1 hand: {page}\n")
    # The page leads to its neighbours as before, and their index is that of the session.
    assert contents(folder) == contents(session)


def test_a_hand_made_alone_leads_nowhere(session: Path, tmp_path: Path) -> None:
    folder = tmp_path / "alone"
    assert run("report", SESSION, "--hand", "#2", "-o", str(folder)).returncode == 0
    assert names(folder) == ["0002-open-pair.html"]
    page = (folder / "0002-open-pair.html").read_text()
    assert not re.search(r'href="[^"#]*\.html"', page)
    assert made_by(page.encode()) == made_by((session / "0002-open-pair.html").read_bytes())


@pytest.mark.parametrize(("hand", "replayed"), [("#2", 2), ("open-pair", 3)])
def test_hands_after_a_numbered_one_are_not_replayed(
    hand: str, replayed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several hands may have an id, and each page tells of those before it."""
    found: list[History] = []

    def counting(history: History) -> Replay:
        found.append(history)
        return replay(history)

    monkeypatch.setattr(report_session, "replay", counting)
    done = run("report", SESSION, "--hand", hand, "-o", str(tmp_path / "alone"))
    assert done.returncode == 0, done.stderr
    assert len(found) == replayed


@pytest.mark.thorough
def test_the_command_has_every_option_that_was_given(tmp_path: Path) -> None:
    file = tmp_path / "my 'hand' $(x).stud"
    shutil.copy(KNOWN, file)
    policy = tmp_path / "my policy.toml"
    policy.write_text((Path(handread.__file__).parent / "policies" / "loose.toml").read_text())
    given = ("--policy", str(policy), "--lapse", "0.125", "--seat", "2=tight:cards-only")
    given += ("--seat", "1=loose", "--viewpoint", "seat:1", "--ties", "paper", "--top", "2")
    given += ("--dialect", "saund")
    page = tmp_path / "page.html"
    assert run("report", str(file), *given, "-o", str(page)).returncode == 0
    command = made_by(page.read_bytes())
    assert command[:3] == ["handread", "report", str(file)]
    assert sorted(command[3:]) == sorted([*given, "--hand", "#1"])
    again = tmp_path / "again.html"
    assert run(*command[1:], "-o", str(again)).returncode == 0
    assert again.read_bytes() == page.read_bytes()


def test_a_file_that_looks_like_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "--top.stud").write_text(short_hands("1"))
    assert run("report", "-o", "x.html", "--top", "3", "--", "--top.stud").stdout
    page = (tmp_path / "x.html").read_bytes()
    command = made_by(page)
    assert command == ["handread", "report", "--top", "3", "--hand", "#1", "--", "--top.stud"]
    again = run("report", "-o", "again.html", *command[2:])
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again.html").read_bytes() == page


def test_a_panel_needs_the_hands_before(tmp_path: Path) -> None:
    file = tmp_path / "two.stud"
    file.write_text(short_hands("a", "b", "b"))
    folder = tmp_path / "x"
    own = ("--keep-repeated", "--policy", "panel")
    assert run("report", str(file), *own, "-o", str(folder)).returncode == 0
    first, *others = (
        made_by(page) for name, page in sorted(contents(folder).items()) if name != "index.html"
    )
    assert first == ["handread", "report", str(file), *own, "--hand", "#1"]
    assert others == [["handread", "report", str(file), *own]] * 2
    again = tmp_path / "again"
    assert run(*others[0][1:], "-o", str(again)).returncode == 0
    assert contents(again) == contents(folder)
    # Hands chosen by a name that two have: what is told goes from one to the other.
    both = tmp_path / "both"
    chosen = (*own, "--hand", "b")
    done = run("report", str(file), *chosen, "-o", str(both))
    assert done.stdout == f"2 hands: {both}\n"
    assert names(both) == ["0002-b.html", "0003-b.html"]
    made = [made_by(page)[3:] for _, page in sorted(contents(both).items())]
    assert made == [[*own, "--hand", which] for which in ("#2", "b")]
    assert 'href="0003-b.html"' in (both / "0002-b.html").read_text()


@pytest.mark.thorough
def test_a_reader_that_learns_reads_pages_as_analyze_reads_them(tmp_path: Path) -> None:
    """What it learned from the first hands counts in the last."""
    log = tmp_path / "five.stud"
    log.write_text("\n\n".join((SAMPLES / "five-card.stud").read_text().split("\n\n")[:5]))
    given = (str(log), "--reader", "bpp")
    read = run("analyze", *given).stdout
    done = run("report", *given, "--format", "text", "-o", str(tmp_path))
    assert done.returncode == 0
    page = max(tmp_path.glob("*.txt")).read_text(encoding="utf-8")
    scores = r"\dB [+-]\d\.\d\d \(\d+ of \d+\)"
    found = re.findall(scores, " ".join(page.split()))
    assert found
    assert found == re.findall(scores, " ".join(read.split()))[-len(found) :]
