"""--anonymous: nothing that is written tells who played, whatever the players are called."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from handread import parse_hands
from handread.aliases import Aliases
from handread.game.replay import replay
from handread.history import History, Remark
from handread.inference.players import Model, parse_players, played_by_people
from handread.inference.readers import PolicyReader, policies_of
from handread.policy import load_policy
from tests.packed import opened
from tests.pages import hands_of
from tests.program import LOGS, ROOT, run, run_here

EVENING = ROOT / "docs" / "first-evening.txt"

PLAYERS = ("NellB", "Rooster_21", "duckpond", "TerraceKing", "Silas.W", "oldfort9")

HOSTILE = ("<b>Zoë</b>", "Rhys", "Rhys Rhyss", "folds", "Player 2", "&quot;--Q\\u202e")
"""Markup, a name that is a part of another, a word of every page, an alias, an escape."""

OTHERS = ("u", "vv", "www", "x x x", "y", "zz")

WRITERS = ("saund", "phh", "pokerstars")
"""The notations and a room: all rooms are printed by one class."""


def log_of(names: tuple[str, ...], folder: Path, hands: int = 3, more: str = "") -> Path:
    """The first hands of an evening, played and talked over by others, at the table of one."""
    text = "\n\n\n".join(EVENING.read_text().split("\n\n", 1)[1].split("\n\n\n")[:hands]) + "\n"
    for old, new in zip(PLAYERS, names, strict=True):
        text = text.replace(old, new)
    text = text.replace("Quayside II", f"{names[2]} II")
    text = text.replace("*** 3rd STREET", f'{names[1]} said, "{names[2]} stop it"\n*** 3rd STREET')
    folder.mkdir(parents=True)
    path = folder / f"{names[1]} of {names[2]}.txt"
    path.write_text(text + more, encoding="utf-8")
    return path


def files_of(folder: Path) -> dict[str, bytes]:
    """All that is written below a folder, with what pages carry compressed laid open."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            found[str(path.relative_to(folder))] = data
            if b'id="unopened"' in data:
                found[f"{path.name}: opened"] = opened(data, path.parent).encode()
    return found


def told(names: tuple[str, ...], files: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """The names, in any form in which they may be written, and the files that contain them."""
    forms = {(n, form) for n in names for form in (n, html.escape(n), ascii(n)[1:-1])}
    return [
        (name, file)
        for name, form in forms
        for file, data in files.items()
        if form.encode() in data or form in file
    ]


COMMANDS: dict[str, tuple[str, ...]] = {
    "pages": ("report", "LOG", "-o", "OUT/pages"),
    "texts": (
        *("report", "LOG", "-o", "OUT/t", "--hand", "#1"),
        *("--format", "text", "--format", "svg", "--policy", "loose"),
    ),
    "one page": (
        *("report", "LOG", "-o", "OUT/hand.html"),
        *("--hand", "261500000395", "--decisions"),
    ),
    "a picture": ("report", "LOG", "-o", "OUT/hand.png", "--hand", "#1", "--viewpoint", "NAME"),
    "for print": ("report", "LOG", "-o", "OUT/hand.pdf", "--hand", "#1"),
    "analyze": ("analyze", "LOG"),
    "as JSON": ("analyze", "LOG", "--json", "--viewpoint", "NAME"),
    "decisions": ("decisions", "LOG", "--output", "OUT/decisions.csv"),
    "of one": ("decisions", "LOG", "--player", "NAME", "--json"),
    "annotated": ("convert", "LOG", "--to", "phh", "--annotate", "-o", "OUT/hands.phhs"),
    **{name: ("convert", "LOG", "--to", name, "-o", f"OUT/hands.{name}") for name in WRITERS},
}


DRAWN = pytest.mark.dear("draws a hand twice, which takes a second")


def written(command: str, names: tuple[str, ...], folder: Path) -> dict[str, bytes]:
    """All that a command writes of a log of players with these names."""
    log, out = log_of(names, folder / "in", 2), folder / "out"
    out.mkdir()
    words = {"LOG": str(log), "NAME": names[0]}
    args = [words.get(arg, arg.replace("OUT", str(out))) for arg in COMMANDS[command]]
    done = run_here(*args, "--anonymous")
    assert done.returncode == 0, done.stderr
    told_here = done.stdout.replace(str(out), "OUT").encode()
    return {**files_of(out), "stdout": told_here}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(one, marks=DRAWN if one in ("for print", "a picture") else [])
        for one in COMMANDS
    ],
)
def test_what_is_written_does_not_depend_on_the_names(command: str, tmp_path: Path) -> None:
    one = written(command, HOSTILE, tmp_path / "one")
    other = written(command, OTHERS, tmp_path / "other")
    assert any(len(data) > 100 for data in one.values())
    assert one == other
    own = (*HOSTILE[:3], HOSTILE[5], "Zoë", "stop it", "2615000", "2026/", "May 2026")
    assert told(own, one) == []


@pytest.mark.thorough
def test_what_is_refused_is_not_quoted(tmp_path: Path) -> None:
    bad = "\n\nPokerStars Hand #9:  7 Card Stud Limit ($0.50/$1) - 2026/05/08 20:31:12 ET\n"
    bad += "Table 'Annabel' 8-max\nSeat 1: Ann ($27.55 in chips)\nSeat 2: Zoë ($5 in chips)\n"
    bad += "Ann: posts the ante $0.05\nAnnabel: mumbles at Zoë\nZoë: bets $99\n"
    log = log_of(("Zoë", "Ann", "Annabel", "Nora", "Lou", "Dan"), tmp_path / "in", more=bad)
    done = run_here("report", str(log), "-o", str(tmp_path / "out"), "--anonymous")
    assert done.returncode == 1
    assert str(log) in done.stderr  # for the user, who has to find the line
    files = files_of(tmp_path / "out")
    assert "1 refused" in files["index.html"].decode()
    assert told(("Zoë", "Ann", "mumbles", str(tmp_path)), files) == []


@pytest.mark.thorough
def test_you_stay_marked_and_a_player_keeps_the_alias(tmp_path: Path) -> None:
    log = log_of(HOSTILE, tmp_path / "in")
    done = run_here("analyze", str(log), "--anonymous")
    assert "5 Player 1 (you)" in done.stdout
    text = run_here("convert", str(log), "--anonymous", "--to", "pokerstars").stdout
    assert text.count("Seat 5: Player 1 (") == 3
    assert text.count("Dealt to Player 1 [") >= 3
    assert all(played_by_people(hand) for hand in parse_hands(text, "pokerstars"))


def test_nobody_keeps_a_name_that_looks_like_an_alias() -> None:
    aliases = Aliases()
    given = [aliases.of(name) for name in ("Ann", "Player 2", "Bo", "Ann")]
    assert given == ["Player 1", "Player 3", "Player 4", "Player 1"]


@pytest.mark.thorough
def test_a_hand_reads_as_it_did() -> None:
    for path in LOGS:
        for number, hand in enumerate(hands_of(path), 1):
            hidden = Aliases().hide(hand, number)
            assert isinstance(hidden, History)
            assert played_by_people(hidden) == played_by_people(hand)
            before, after = replay(hand), replay(hidden)
            assert (after.problem is None) == (before.problem is None)
            for fact in ("won", "paid", "downcards"):
                assert getattr(after, fact) == getattr(before, fact)
            assert len(after.findings) == len(before.findings)
            assert [d.action for d in after.decisions] == [d.action for d in before.decisions]
            assert not any(isinstance(event, Remark) for event in hidden.events)


def test_a_model_by_name_stays_with_its_player() -> None:
    models = parse_players("people", None, [])
    aliases = Aliases()
    models = replace(models, names={"Ann": Model(load_policy("loose"))})
    moved = policies_of(aliases.of_reader(PolicyReader(models)))
    assert moved is not None
    assert list(moved.names) == [aliases.of("Ann")] == ["Player 1"]
    assert aliases.of("") == ""
    assert (aliases.of_viewpoint("Ann"), aliases.of_viewpoint("hero")) == ("Player 1", "hero")
    assert aliases.of_viewpoint("seat:3") == "seat:3"
    assert aliases.of_viewpoint(None) is None


def test_the_text_of_refused_hands_cannot_be_anonymous(tmp_path: Path) -> None:
    log = log_of(HOSTILE, tmp_path / "in")
    done = run_here("analyze", str(log), "--anonymous", "--rejects", str(tmp_path / "r.txt"))
    assert done.returncode == 2
    assert "--rejects" in done.stderr


def test_the_text_of_a_refused_hand_may_be_sent(tmp_path: Path) -> None:
    """It is refused for the same reason, and nobody can be found in it."""
    log, shared = tmp_path / "log.txt", tmp_path / "shared.txt"
    text = Path("sample_histories/pokerstars.txt").read_text("utf-8").split("\n\n\n")[0]
    text = text.replace("*** 4th", 'Ann said, "call me on 0176 12345678"\n*** 4th', 1)
    text = text.replace(":  7 Card", ": {Nora's Den}  7 Card", 1)
    log.write_text(re.sub(r"raises \$?[0-9.]+ to \$?[0-9.]+", "raises 99 to 199", text, count=1))
    before = run_here("check", str(log), "--anonymous")
    assert before.returncode == 1
    hand, _, counts = before.stdout.rpartition("\n1 hand")
    assert counts.startswith(": 0 accepted, 1 refused")
    names = ["Nora", *re.findall(r"^Seat \d: (.*?) \(", text, re.M)]
    known = {*names, "0176", *re.findall(r"\d{8,}", text), *re.findall(r"\d{4}/\d\d/\d\d", text)}
    assert len(names) > 1
    assert not {one for one in known if re.search(rf"\b{re.escape(one)}\b", hand)}
    shared.write_text(hand)
    after = run_here("check", str(shared))
    why = "raises to $199.00 (expected $0.50)"
    assert why in before.stderr
    assert why in after.stderr
    as_json = run_here("check", str(log), "--anonymous", "--json").stdout.splitlines()
    assert all(isinstance(json.loads(line), dict) for line in as_json)


def test_hands_of_other_games_are_not_printed(tmp_path: Path) -> None:
    """Nothing is wrong with them, and their players are not known."""
    log = tmp_path / "log.txt"
    text = Path("sample_histories/pokerstars.txt").read_text("utf-8")
    log.write_text(text.replace("7 Card Stud Limit", "Hold'em Limit", 1), "utf-8")
    done = run_here("check", str(log), "--anonymous")
    assert done.stdout == "2 hands: 1 accepted, 0 refused, 1 of other games\n"


def test_messages_to_the_user_say_what_is_wrong_with_a_line(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    text = Path("sample_histories/pokerstars.txt").read_text("utf-8")
    log.write_text(text.replace("raises", "rases", 1), "utf-8")
    plain, hidden = (
        run("convert", str(log), "--to", "phh", *more) for more in ((), ("--anonymous",))
    )
    assert "did you mean 'raises'?" in hidden.stderr
    assert hidden.stderr.splitlines()[:3] == plain.stderr.splitlines()[:3]
    assert "rases" not in hidden.stdout


def test_messages_to_the_user_have_the_names_of_the_log() -> None:
    files = ("sample_histories/pokerstars.txt", "--anonymous")
    done = run("decisions", *files, "--player", "Priya")
    assert "--player Priya: no hand has such a player" in done.stderr
    assert "Priya.K" in done.stderr
    done = run("analyze", *files, "--viewpoint", "Priya")
    assert "--viewpoint Priya: no hand has such a player" in done.stderr
    assert "Player" not in done.stderr
