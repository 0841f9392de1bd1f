"""Whoever asks about a log gets one answer, to the last digit, from all fronts."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import NoReturn

import pytest

from handread.engine.sources import Sources
from handread.engine.tools import Tools
from handread.report.overview import overview
from handread.sessions import parts
from handread.sessions.files import ReadSettings, Session
from handread.sessions.reading import read_in_turn, usual_reading
from tests.program import ROOT, run_here
from tests.window.conftest import Window, workshop

EVENING = (ROOT / "docs" / "first-evening.txt").read_text("utf-8").split("\n\n\n")

COUNTED = re.compile(
    r"(\d+|None) of (?:your|the) (\d+) decisions w\w+ clearly wrong"
    r"(?:; (\d+) w\w+ costly against these players)?\.(?: (\d+) w\w+ checked)?"
)


@pytest.fixture(autouse=True)
def kept_apart(folders_of_its_own: Path) -> None:
    """Keep what is read apart from what was read before."""


def plain(text: str) -> str:
    return " ".join(text.split())


def words_of(page: str) -> str:
    return plain(html.unescape(re.sub(r"<[^>]+>", " ", page)))


def costly_places(text: str) -> list[tuple[str, str, str]]:
    """The places, the costs and the verdicts of the decisions that are listed."""
    listed = r"^  (?:cost )?(.+? BB).*? (\S+:\d+)(?: \(.*\))?\n    (mistake|costly against): "
    return re.findall(listed.replace("against", "against these players"), text, re.M)


def lead_of(log: Path) -> str:
    hands = read_in_turn(Session([str(log)], ReadSettings()).replays(), *usual_reading())
    return overview([hand.row(number, "") for number, hand in hands if hand.is_shown]).lead


def never(*_: object) -> NoReturn:
    raise AssertionError("a hand is read twice")


def all_say_the_same(log: Path, place: Path) -> None:
    first = run_here(str(log))
    told = plain(first.stdout)
    counted = wrong, n, costly, checked = COUNTED.findall(told)[-1]
    lead = plain(lead_of(log))
    assert lead
    assert lead in told

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parts, "analyze_replay", never)
        tools = plain(Tools(Sources([log.parent])).session_overview(path=log.name).text)
    assert COUNTED.findall(tools) == [counted]
    assert lead in tools

    run_here("report", str(log), "--decisions", "-o", str(place / "pages"), "--workers", "1")
    index = words_of((place / "pages" / "index.html").read_text("utf-8"))
    assert set(COUNTED.findall(index)) == {counted}
    assert lead in index

    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        shop.add_file(log, log.name, 0.0)
        window.settle()
        shown = words_of(window.get("/"))
    assert set(COUNTED.findall(shown)) == {counted}
    assert lead in shown

    decided = run_here("decisions", str(log), "--workers", "1")
    counts = plain(decided.stdout).partition(" policy ")[0]
    verdicts = [int(found) for found in re.findall(r"(\d+) (?:costly|mistake)", counts)]
    assert sum(verdicts) == int(wrong.replace("None", "0")) + int(costly or 0)
    assert re.search(rf"\b{n} decisions?: ", counts)
    again = re.search(r"(\d+) decisions? that looked expensive", plain(decided.stdout))
    assert checked == (again[1] if again else "")
    listed = costly_places(decided.stdout)
    assert listed == costly_places(first.stdout)
    assert len(listed) == min(5, sum(verdicts))
    accepted = re.search(r"(\d+) accepted", decided.stderr)
    assert accepted is not None
    assert first.stdout.startswith(f"{accepted[1]} hands")


@pytest.mark.dear("five fronts read a log, three of them decisions by rollouts")
def test_all_fronts_say_the_same_of_an_evening(tmp_path: Path) -> None:
    log = tmp_path / "night.txt"
    log.write_text("\n\n\n".join([EVENING[n] for n in (0, 1, 8, 12)]), "utf-8")
    all_say_the_same(log, tmp_path)


REAL = (
    "Bovada/tour-7-Stud-USD-MTT - $10-$1 - 201206.txt",
    "PokerStars/7-StudHL-USD-0.04-0.08-200911.txt",
    "PokerStars/Razz-USD-0.04-0.08-200911.txt",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_all_fronts_say_the_same_of_real_logs(name: str, real_hands: Path, tmp_path: Path) -> None:
    all_say_the_same(real_hands / name, tmp_path)


@pytest.mark.slow
def test_all_fronts_say_the_same_of_the_whole_evening(tmp_path: Path) -> None:
    all_say_the_same(ROOT / "docs" / "first-evening.txt", tmp_path)
