"""The page of the costly decisions, and practice: its questions, its answers and its score."""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from handread.game.replay import replay
from handread.report.html.environment import template_text
from handread.report.index import HandWorth
from handread.window.entry import RAISES
from handread.window.marks import Answered, Learned, Mark, Marks, MarksError, file_text
from handread.window.mistakes import questions
from handread.window.page_maker import Pages
from handread.window.sample import samples
from handread.window.work import unpacked
from tests.packed import opened as opened_body
from tests.program import ROOT, SAMPLES
from tests.session_rows import read as known_read
from tests.session_rows import session_rows
from tests.window.conftest import Window, opened_here, workshop
from tests.window.test_pages import EVENING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser import Page

COSTLY = "261500014295"
"""A hand of the evening in which a call on 7th street cost a big bet."""

HANDS = EVENING.read_text(encoding="utf-8").split("\n\n\n")
LOG = next(hand for hand in HANDS if COSTLY in hand) + "\n\n\n"
CHEAP = HANDS[0] + "\n\n\n"
LAST_CARD = "Dealt to NellB [5s 5d 3c Qs Jh 6d] [Ad]\n"
"""What the log tells only its hero; the downcards before it are "5s 5d"."""


PLACE = ("hand", "moment", "seat")


def asked(window: Window) -> list[dict[str, Any]]:
    """What practice asks for."""
    found = re.search(r'id="asked">(.*?)</script>', window.get("/train"))
    return json.loads(found[1]) if found else []


def place_of(one: dict[str, Any]) -> dict[str, Any]:
    return {name: one[name] for name in PLACE}


def answer(window: Window, one: dict[str, Any], right: bool) -> int:
    """The days until a question comes back that was answered."""
    found = window.client.put("/training", json={**place_of(one), "right": right})
    assert found.status_code == 200, found.text
    days: int = found.json()["days"]
    return days


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    """A window with a hand that has a costly decision."""
    shop = workshop(values=True)
    with shop.running():
        made = Window(shop)
        made.add(LOG)
        yield made


@pytest.mark.thorough
def test_practice_asks_what_to_do_and_what_somebody_holds(window: Window) -> None:
    found = {(one["moment"], one["seat"]): one for one in asked(window)}
    assert found.keys() == {(20, 0), (23, 0), (24, 3)}
    assert all(one.keys() == {*PLACE, "level", "yours", "due"} for one in found.values())
    assert all(one["hand"] == 1 and one["yours"] for one in found.values())
    (chance,) = [read.chance for read in window.shop.library.listing().rows[0].reads]
    holds = (chance < 0.5) + (chance < 0.25)
    assert [one["level"] for _, one in sorted(found.items())] == [0, 0, holds]
    page = window.get("/train")
    for words in ("Call or fold?", "What does he hold?", "as you answer", "middling"):
        assert words in page
    assert 'href="train"' in window.get("/")
    for one in found.values():
        window.get("/train", **{name: str(one[name]) for name in PLACE})


@pytest.mark.thorough
def test_a_question_has_a_script_of_its_own(window: Window) -> None:
    one, *_ = asked(window)
    page = window.client.get("/train", params=place_of(one))
    usual = window.get(f"/0001-{COSTLY}.html")
    assert "unsafe" not in page.headers["content-security-policy"]
    files = re.findall(r'(?:src|href)="(handread-[^"]+)"', page.text)
    assert len(files) == 2
    for file in files:
        assert file not in usual
        window.get(f"/{file}")


@pytest.mark.parametrize("moment", ["0", "1", "999", "9" * 15])
def test_nothing_else_is_asked_for(window: Window, moment: str) -> None:
    for hand, seat in (("1", "0"), ("1", "3"), ("1", "5"), ("9999", "0")):
        window.get("/train", 404, hand=hand, moment=moment, seat=seat)
        window.get("/train", 404, hand=hand, moment=moment, seat=seat, answer="1")


def test_odd_places_are_no_questions(window: Window) -> None:
    for moment in ("", "²", "9" * 5000):
        assert 'id="asked"' in window.get("/train", hand="1", moment=moment, seat="0")
        window.get(f"/0001-{COSTLY}.html", mistake=moment)


def test_costly_decisions_are_listed_with_their_kinds(window: Window) -> None:
    page = window.get("/decisions")
    assert f'href="0001-{COSTLY}.html?mistake=23#24"' in page
    assert 'href="./#kind=7th%20call">7th call</a>' in page
    assert 'href="?kind=7th%20call#dear">100%</a>' in page
    index = window.get("/")
    assert 'href="#kind=7th%20call">7th call</a>' in index
    assert 'href="decisions?kind=7th%20call#dear">100%</a>' in index
    assert re.search('data-costly="[^"]*7th call[^"]*"', window.news()["rows"])
    of_kind = window.get("/decisions", kind="7th call")
    assert "?mistake=23&amp;kind=7th+call#" in of_kind
    other = window.get("/decisions", kind='"><script>alert(1)</script>')
    assert "alert(1)" not in other
    assert "No decision of this kind." in other


@pytest.mark.dear("two hands are valued, and three pages of them made")
def test_mistakes_follow_each_other() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        window.add(LOG + LOG.replace(COSTLY, "261500014296"))
        first, second = f"0001-{COSTLY}.html", "0002-261500014296.html"
        page = window.get(f"/{first}", mistake="23", kind="7th call")
        assert f'href="{second}?mistake=23&amp;kind=7th+call#24" rel="next"' in page
        assert 'rel="prev"' not in page
        assert "?mistake=" not in window.get(f"/{first}")
        after = window.get(f"/{second}", mistake="23", kind="7th call")
        assert 'rel="prev"' in after


@pytest.mark.thorough
def test_without_a_hero_all_known_players_are_asked() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        window.add(LOG.replace(LAST_CARD, "").replace("Dealt to NellB [5s 5d ", "Dealt to NellB ["))
        acts = [one for one in asked(window) if not one["seat"]]
        assert not any(one["yours"] for one in acts)
        assert "2 of the 10 decisions were clearly wrong" in window.get("/decisions")
        assert "hands dealt to you" not in window.get("/train")
        window.add(LOG.replace(COSTLY, "261500014299"))
        assert "hands dealt to you" in window.get("/train")
        assert {one["yours"] for one in asked(window)} == {False, True}
        window.get("/train", **{name: str(acts[0][name]) for name in PLACE})


def test_nothing_costly_is_said() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        window.add(CHEAP)
        assert [one["level"] for one in asked(window)] == [2]  # that it was right is to be checked
        assert "Your only decision was not clearly wrong." in window.get("/decisions")


def test_it_is_said_that_hands_are_still_to_come(window: Window) -> None:
    window.shop.library.reads(1)
    for path in ("/train", "/decisions"):
        assert "Reading: 1 of 1 hands so far." in window.get(path)
    window.shop.library.reads(-1)
    for path in ("/train", "/decisions"):
        assert "Reading" not in window.get(path)


def test_without_values_there_is_nothing_to_train() -> None:
    shop = workshop()
    with shop.running():
        window = Window(shop)
        window.add((SAMPLES / "pokerstars.txt").read_bytes())
        assert all(one["seat"] for one in asked(window))
        assert "no decision whose best action is certain" in window.get("/train")
        assert "There are no decisions with values." in window.get("/decisions")


def test_without_hands_the_samples_are_offered(window: Window) -> None:
    page = Window(workshop()).get("/train")
    assert "These hands have nothing to ask" in page
    assert 'id="asked">[]<' in page


@pytest.mark.thorough
def test_what_is_learned_is_kept_for_all_windows(tmp_path: Path) -> None:
    shop, file = workshop(values=True), tmp_path / "marks.sqlite"
    with shop.running():
        window = Window(shop, file)
        window.add(LOG)
        one = asked(window)[0]
        assert one["due"] == 0
        assert [answer(window, one, True) for _ in range(5)] == [1, 3, 7, 21, 21]
        again = asked(Window(shop, file))[0]
        assert 20.9 < (again["due"] / 1000 - time.time()) / 86400 < 21.1
        assert answer(window, one, False) == 0
        assert asked(window)[0]["due"] <= time.time() * 1000
        holds = next(one for one in asked(window) if one["seat"])
        answer(window, holds, True)
        today = f"{datetime.now():%Y-%m-%d}"
        assert Marks(file).score() == [(today, 6, 5, 1, 1)]
        row = re.search(r"<tbody>\s*<tr>(.*?)</tr>", window.get("/train"), re.S)
        assert row is not None
        assert re.findall(r">([^<]+)</t", row[1])[:5] == [today, "6", "5", "1", "1"]


def test_a_damaged_answer_costs_itself_alone(tmp_path: Path) -> None:
    marks = Marks(tmp_path / "marks.sqlite")
    for right in (True, False, True):
        marks.learn({"id": "a 1 3", "right": right, "kind": "holds"})
    assert marks.score()[0][1:] == (0, 0, 3, 2)
    with closing(sqlite3.connect(marks.path)) as database, database:
        database.execute("UPDATE answers SET good = 1 WHERE good = 0")
    assert marks.score()[0][1:] == (0, 0, 2, 2)
    assert marks.damaged() == 1
    for bad in ({"kind": "x"}, {"kind": []}, {"right": 1}):
        with pytest.raises(MarksError):
            marks.learn({"id": "a 1 3", "right": True, **bad})


def test_answers_are_saved_from_a_damaged_file(tmp_path: Path) -> None:
    marks = Marks(tmp_path / "marks.sqlite")
    marks.learn({"id": "a 1", "right": True})
    rows = [Answered("2026-01-01", "acts", n % 2).row for n in range(2000)]
    with closing(sqlite3.connect(marks.path)) as database, database:
        database.executemany("INSERT INTO answers VALUES (NULL, ?, ?, ?, ?)", rows)
    data = bytearray(marks.path.read_bytes())
    data[-4096:] = b"x" * 4096
    marks.path.write_bytes(data)
    assert marks.rescued() is not None
    day, acts, right, *_ = marks.score()[-1]
    assert (day, acts >= 1000) == ("2026-01-01", True)
    assert abs(right - acts / 2) <= 1


def test_what_a_browser_has_kept_is_taken_over_once(tmp_path: Path) -> None:
    marks = Marks(tmp_path / "marks.sqlite")
    marks.take_training({"a 1": {"box": 2, "due": 5}, "b 1": {"box": 1, "due": 9.5}})
    marks.take_training({"a 1": {"box": 4, "due": 7}})
    in_days = int(time.time() * 1000) + 2 * 86_400_000
    marks.take_training({"c 1": {"box": 2, "due": in_days}, "d 1": {"box": 1, "due": in_days}})
    bad: list[Any] = [
        None,
        1,
        {},
        {"box": 9, "due": 1},
        {"box": True, "due": 1},
        {"box": 1, "due": 1e300},
    ]
    bad += [{"box": 1, "due": float("nan")}, {"box": 1, "due": "1"}, {"box": 0, "due": 1}]
    marks.take_training({f"bad {n}": one for n, one in enumerate(bad)} | {"": {"box": 1, "due": 1}})
    kept = {"a 1": Learned(2, 5), "b 1": Learned(1, 9), "c 1": Learned(2, in_days)}
    assert marks.training() == kept
    assert json.loads(file_text([], marks.training()))["training"]["a 1"] == {"box": 2, "due": 5}


@pytest.mark.parametrize("sent", ["", "[]", "1", "x", "[" * 5000, '{"id": 1, "right": true}', "{}"])
def test_what_is_no_answer_is_refused(window: Window, sent: str) -> None:
    assert window.client.put("/training", content=sent).status_code == 400


@pytest.mark.parametrize("place", [(1, 1, 0), (1, True, 0), ([], 20, 0), ("1", 20, 0), (1, 20)])
def test_what_was_not_asked_is_not_learned(window: Window, place: tuple[Any, ...]) -> None:
    sent = {**dict(zip(PLACE, place, strict=False)), "right": True}
    assert window.client.put("/training", json=sent).status_code == 400


def test_a_file_of_the_first_version_gets_a_place_for_the_training(tmp_path: Path) -> None:
    file = tmp_path / "marks.sqlite"
    marks = Marks(file)
    mark = Mark("1~a", True, ("x",), "note", "2026-01-01T00:00:00.000Z")
    marks.take([mark])
    with closing(sqlite3.connect(file)) as database:
        database.executescript("DROP TABLE training; DROP TABLE answers; PRAGMA user_version = 1")
    assert marks.training() == {}
    assert marks.learn({"id": "1~a 3", "right": True}) == 1
    assert marks.since()[1] == [mark]


def names_of(text: str) -> set[str]:
    return set(re.findall(r"Seat [0-9]: (\S+) \(", text))


@pytest.mark.thorough
def test_a_page_is_saved_as_one_file(window: Window, tmp_path: Path) -> None:
    name = f"0001-{COSTLY}.html"
    text = window.get(f"/{name}")
    for file in re.findall(r'(?:src|href)="(handread-[^"]+)"', text):
        (tmp_path / file).write_text(window.get(f"/{file}"), encoding="utf-8")
    assert f'href="{name}?file=1"' in opened_body(text.encode(), tmp_path)
    answer = window.client.get(f"/{name}", params={"file": "1"})
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert not re.findall(r'(?:src|href)="(?!#)', answer.text)
    assert all(one in answer.text for one in names_of(LOG))
    assert "What each decision was worth" in answer.text
    window.get("/0009-1.html", 404, file="1")


@pytest.mark.thorough
def test_a_page_without_names_tells_nobody(window: Window) -> None:
    query = {"file": "1", "names": "hidden"}
    answer = window.client.get(f"/0001-{COSTLY}.html", params=query)
    data = re.search(r'id="data">(.*?)</script>', answer.text)
    assert data is not None
    packed = base64.b85decode(data[1].replace(",", "<"))
    whole = f"{answer.text} {zlib.decompress(packed, -15).decode()} {answer.headers}"
    told = {*names_of(LOG), COSTLY, *re.findall("Table '(.*?)'", LOG), "pasted"}
    assert len(told) > 6
    assert [one for one in told if one in whole] == []
    assert "Player 1" in whole
    assert "What each decision was worth" in whole


def without_holdings(data: dict[str, Any]) -> str:
    """What a question carries, but for the holdings that a player may have: any card is there."""
    reads = [{**one, "holdings": []} for one in data["reads"]]
    return json.dumps({**data, "reads": reads}, ensure_ascii=False)


def check_question(window: Window, one: dict[str, Any], folder: Path) -> None:
    """Search all that a question serves for what answers it, or comes after it."""
    served = window.client.get("/train", params=place_of(one))
    for file in re.findall(r'(?:src|href)="(handread-[^"]+)"', served.text):
        (folder / file).write_text(window.get(f"/{file}"), encoding="utf-8")
    text = opened_body(served.text.encode(), folder)
    found = re.search(r'id="data">(.*?)</script>', text)
    assert found is not None
    data = json.loads(found[1])
    entry = window.shop.library.numbered(one["hand"])
    assert entry is not None
    assert entry.row is not None
    played = replay(unpacked(entry.data).history)
    shown = without_holdings(data)
    # Cards: nobody's downcards but those that the player of the question knows, and none to come.
    visible = {card for step in data["steps"] for seat in step["places"] for card in seat["up"]}
    visible |= {step["shared"] for step in data["steps"]}
    own = data["known"]
    assert one["seat"] not in own
    assert {int(seat) for seat in data["downcards"]} <= set(own)
    street = data["steps"][-1]["street"]
    held = {s: [str(c) for c in played.downcards_on(street).get(s, ())] for s in own}
    assert {s: data["downcards"].get(str(s), []) for s in own} == held
    allowed = visible | {card for cards in held.values() for card in cards} | {"??"}
    assert {*re.findall(r'"([2-9TJQKA][cdhs])"', shown)} <= allowed
    # The hand: what came after it, what was computed of it, and what it is called.
    answered = window.client.get("/train", params={**place_of(one), "answer": "1"}).json()
    after = answered["data"]["steps"][len(data["steps"]) :]
    assert len(after) == (0 if one["seat"] else 1)
    before = [step["title"] for step in data["steps"]]
    assert not [step for step in after if shown.count(step["title"]) > before.count(step["title"])]
    assert {"end"}.isdisjoint(step["kind"] for step in data["steps"])
    for step in data["steps"]:
        assert not any(step[name] for name in ("chances", "bits", "sentence", "gist", "on_truth"))
        assert not step["notable"]
    names = (entry.page, entry.hand_id, entry.row.source, entry.row.result, entry.row.title)
    for word in (*filter(None, names), "highest", "taken", "Result", "? truth"):
        assert word not in text, word
    assert not re.search(r"\d%? to win|100\.0%|mistake=|[0-9]{4}-[^\"]*\.html", text)
    assert {*re.findall(r'href="([^"]*)"', text)} - {"handread.css"} == {"train", "#question"}
    assert "<title>Practice · handread</title>" in text
    # The read of whoever is asked for, and the truth of anybody.
    assert data["worth"] == []
    shows = [step[name].values() for step in data["steps"] for name in ("reads", "table_reads")]
    used = {n for found in shows for n in found}
    assert all(bool(read) is (n in used) for n, read in enumerate(data["reads"]))
    lives = {data["reads"][n]["live"] for n in used}
    assert all(bool(live) is (n in lives) for n, live in enumerate(data["lives"]))
    for read in filter(None, data["reads"]):
        assert read["truth"] in (None, {"cards": ["??"]})
        if read["seat"] == one["seat"]:
            silent = ("lines", "kinds", "holdings", "grid", "ends", "heights", "entropy")
            assert not any(read[name] for name in silent)
    if one["seat"]:
        last = data["reads"][data["steps"][-1]["reads"][str(one["seat"])]]
        families = [family["name"] for family in last["families"]]
        asked_read = answered["data"]["reads"][data["steps"][-1]["reads"][str(one["seat"])]]
        assert asked_read["truth"]["family"] in families
        assert families == [family["name"] for family in asked_read["families"]]
    else:
        assert [words for words, _ in data["options"]][answered["best"]]


GAMES = {
    "stud": LOG,
    **{
        game: (SAMPLES / f"{file}.stud").read_text(encoding="utf-8").partition("\n\n")[0] + "\n"
        for game, file in (("razz", "razz"), ("stud8", "hi-lo"), ("5stud", "five-card"))
    },
}


@pytest.mark.dear("hands of four games are read and valued")
@pytest.mark.parametrize("game", GAMES)
def test_a_question_never_shows_its_answer(game: str, tmp_path: Path) -> None:
    shop = workshop(values=game != "5stud")
    with shop.running():
        window = Window(shop)
        window.add(GAMES[game])
        found = asked(window)
        assert any(one["seat"] for one in found)
        assert (game == "5stud") == all(one["seat"] for one in found)
        for n, one in enumerate(found):
            folder = tmp_path / str(n)
            folder.mkdir()
            check_question(window, one, folder)


@pytest.mark.dear("a hand is valued, and some of its decisions are checked")
def test_questions_have_the_figures_of_the_page_of_the_hand(tmp_path: Path) -> None:
    """Of a decision that looked expensive; others are checked for the question alone."""
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        hands = EVENING.read_bytes().split(b"\n\n\n")
        window.add(next(one for one in hands if b"261500010825" in one) + b"\n\n\n")
        (entry,) = (shop.library.numbered(one["hand"]) for one in asked(window)[:1])
        assert entry is not None
        worth = entry.row.worth if entry.row is not None else None
        assert worth is not None
        dear = {one.moment for one in worth.costly}
        for one in asked(window):
            if one["seat"] or one["moment"] not in dear:
                continue
            served = window.client.get("/train", params=place_of(one))
            if served.status_code == 204:
                continue
            html = window.client.get("/train", params={**place_of(one), "answer": "1"}).json()[
                "html"
            ]
            text = window.get(f"/{entry.page}")
            for file in re.findall(r'(?:src|href)="(handread-[^"]+)"', text):
                (tmp_path / file).write_text(window.get(f"/{file}"), encoding="utf-8")
            page = opened_body(text.encode(), tmp_path)
            values = re.findall(r"<b>[^<]+</b> <small>[^<]*BB", html)
            drawn = re.search(rf'data-moment="{one["moment"]}">.*?</ol>', page, re.S)
            assert drawn is not None
            assert values == re.findall(r"<b>[^<]+</b> <small>[^<]*BB", drawn[0])
            assert any("±" in value for value in values)
            break
        else:
            raise AssertionError("nothing was asked")


@pytest.mark.dear("a sample evening is read")
def test_practice_begins_with_the_sample(tmp_path: Path) -> None:
    one, *_ = samples([workshop(), workshop()], Marks(tmp_path / "sample.sqlite"))
    pages = Pages(one.workshop, one.marks, one, {"sample": "A", "gallery": "B"})
    assert "Reading" in pages.training() or 'id="begin"' in pages.training()
    while one.workshop.library.progress().reading:
        time.sleep(0.05)
    one.workshop.ended.set()
    page = pages.training()
    for link in (
        'href="../train"',
        'href="../sample/train" aria-current="page"',
        '"../gallery/train"',
    ):
        assert link in page
    assert len(json.loads(re.findall(r'id="asked">(.*?)</script>', page)[0])) == 44


def script(name: str, start: str, end: str) -> str:
    return template_text(name).partition(start)[2].partition(end)[0]


def test_a_letter_means_one_thing_and_is_listed() -> None:
    docs = (ROOT / "docs" / "open.md").read_text(encoding="utf-8")
    table = docs.partition("## Keys")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:3] for line in table.splitlines() if line.startswith("| `")]
    listed = [(key, place.strip()) for keys, place in rows for key in re.findall("`(.)`", keys)]
    assert len(listed) == len({key for key, _ in listed})
    of_page = re.findall(r"(?<=[\s{])([a-z]): (?:\(|play)", script("page.js", "const KEYS", "};"))
    of_list = re.findall(r"(?<=[\s{])([a-z]): (?:\(|row)", script("list.js", "const action", "}["))
    of_question = re.findall('"([a-z])"', script("train.js", "const LETTERS", "};"))
    of_form = {*"fkcbm", *RAISES}
    assert {key for key, place in listed if key.isalpha() and "hand," in f"{place},"} >= {*of_page}
    places = {"list": {*of_list}, "practice": {*of_question}, "new hand": of_form}
    for name, keys in places.items():
        assert {key for key, place in listed if key.isalpha() and name in place} == keys
    assert {*of_question} <= of_form
    actions = of_form | {*of_question}
    assert actions.isdisjoint({*of_page, *of_list})


def test_a_question_is_as_hard_as_its_answer_is_unsure() -> None:
    """A read is hard whose truth it gave little, however sure it was of something else."""
    asked = ((3, 0.6), (5, 0.3), (7, 0.1))
    worth = HandWorth("a policy", 3, 0, (), (), None, 0.0, asked=asked)
    reads = tuple(
        known_read(0.5, seat=seat, chance=chance)
        for seat, chance in ((1, 0.6), (2, 0.3), (3, 0.14))
    )
    reads += (known_read(0.5, seat=4, chance=1.0),)  # there is one kind of hand alone
    row = replace(session_rows(1)[0], reads=reads, worth=worth, in_hand="")
    found = questions(row)
    assert [(one.moment, one.seat, one.level) for one in found.values()] == [
        *((3, 0, 0), (5, 0, 1), (7, 0, 2)),
        *((8, 1, 0), (8, 2, 1), (8, 3, 2)),
    ]
    assert [*found][2:4] == [f"{row.key} 7", f"{row.key} 8 1"]
    assert not any(one.yours for one in found.values())


QUESTION = "return document.querySelector('#choices:not([hidden]) button') !== null"


@pytest.mark.dear("a hand is valued, and pages of it are drawn as somebody answers")
def test_in_a_browser(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose wrong, see the answer, choose right, and come to the end."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    log = tmp_path / "night.txt"
    log.write_text(LOG, encoding="utf-8")
    with opened_here(str(log)) as address:
        page.driver.get(address)
        page.wait("return document.getElementById('add') !== null")
        page.driver.get(address.partition("?")[0] + "train")
        for _ in range(120):
            if page.find_all("[name=kind][value=acts]"):
                break
            time.sleep(0.5)
            page.driver.refresh()
        page.driver.execute_script("document.querySelector('[name=kind][value=acts]').click()")
        page.find("#begin").click()
        page.wait(QUESTION, 60)
        where = page.text("#where")
        words = [re.sub(r"\$[\d.]+", "$", one) for one in page.texts("#choices button")]
        assert words == ["Fold f", "Call $ c", "Raise to $ r"]
        page.press("End", "ArrowRight")
        assert page.text("#where") == where
        assert "1 of 2 · easy" in page.text("#question")
        assert "to win" not in page.text("#seats")
        page.press("c")
        page.wait("return document.querySelector('#onward') !== null", 60)
        assert "to win" in page.text("#seats")
        assert re.search(r"✗ Call \S+ costs \S+ BB: folding is best\.", page.text("#answer"))
        assert len(page.find_all("#answer .option .value")) == 3
        assert page.at() == "onward"
        for _ in range(2):  # the other one, then the first again
            page.press("Enter")
            page.wait(QUESTION, 60)
            page.find("#choices [data-key=f]").click()
            page.wait("return document.querySelector('#onward') !== null", 60)
            assert "✓ Fold is best:" in page.text("#answer")
            page.wait("return document.querySelector('#later').textContent !== ''", 60)
            assert "It comes back in 1 day." in page.text("#answer")
        page.press("Enter")
        page.wait("return document.querySelector('#sat') !== null", 60)
        assert "2 of 3 answers were right" in page.text("#sat")
        assert "Nothing is due now." in page.text("#due")
        page.driver.execute_script("document.querySelector('[name=kind][value=holds]').click()")
        page.find("#begin").click()
        page.wait("return document.querySelector('#judge') !== null", 60)
        assert "hold?" in page.text("h1")
        page.find("[aria-label^='all chips left on']").click()
        page.find("#judge").click()
        page.wait("return document.querySelector('#onward') !== null", 60)
        assert "the truth" in page.text("#answer")
        assert "Bits for you: " in page.text("#answer")
        page.press("Enter")
        page.wait("return document.querySelector('#score-title') !== null", 60)
        kept = json.dumps({"x 1": {"box": 1, "due": 5}})
        page.driver.execute_script("localStorage['handread.training'] = arguments[0]", kept)
        page.driver.refresh()
        page.wait("return localStorage.getItem('handread.training') === null", 60)
        assert not page.console()
