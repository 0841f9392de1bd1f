"""All commands count the hands of a folder alike: accepted, refused, not analyzed, and so on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from handread import read_hands
from handread.history import History, hand_key
from tests.program import SAMPLES, run

UNSEEN = """\
hand: 77
1 Ann | ?? ?? | ?? f
2 Ben | ?? ?? | 3c .Bf
3 Cho | ?? ?? | Kd r
won: 3 1.25
"""
"""A hand that is legal, and cannot be analyzed: an upcard was not seen."""

HOLDEM = """\
PokerStars Hand #900000000555:  Hold'em No Limit ($0.50/$1.00 USD) - 2026/03/14 20:15:09 ET
Table 'Harbour VI' 6-max Seat #1 is the button
Seat 1: Ann ($20 in chips)
Seat 2: Ben ($20 in chips)
Ann: posts small blind $0.50
Ben: posts big blind $1
*** HOLE CARDS ***
Ann: folds
Uncalled bet ($0.50) returned to Ben
Ben collected $1 from pot
"""

COUNTS = "9 hands: 5 accepted{}, 1 refused, 1 of other games, 2 repeated"
ONE_ASIDE = COUNTS.format(" (1 of them not analyzed)")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sound hands, two of them twice, and one hand of every other kind."""
    folder = tmp_path_factory.mktemp("counts") / "mixed"
    folder.mkdir()
    log = (SAMPLES / "pokerstars.txt").read_text()
    files = {
        "a.txt": log,
        "broken.stud": (SAMPLES / "broken-turn.stud").read_text(),
        "copy of a.txt": log,
        "holdem.txt": HOLDEM,
        "showdown.stud": (SAMPLES / "showdown.stud").read_text(),
        "unseen.stud": UNSEEN,
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


COMMANDS = {
    "check": ("check", COUNTS.format("")),
    "analyze": ("analyze", ONE_ASIDE),
    "report": ("report -o {out}", ONE_ASIDE),
    "decisions": ("decisions --policy people --rollouts 10 --check none", ONE_ASIDE),
    "evaluate": ("evaluate --resamples 100", ONE_ASIDE),
    "fit": ("fit -o {out}.toml --penalty 3 --temper 1 --set rounds=1", COUNTS.format("")),
    "convert": ("convert --to saund", COUNTS.format("")),
    "convert --annotate": ("convert --to phh --annotate", ONE_ASIDE),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_counts_the_hands_alike(mixed: Path, tmp_path: Path, name: str) -> None:
    command, counts = COMMANDS[name]
    found = run(*(word.format(out=tmp_path / "out") for word in command.split()), str(mixed))
    said = found.stdout + found.stderr
    assert counts in said.splitlines(), said
    assert found.returncode == 1  # a hand was refused
    assert "repeated: 2 hands are left out" in found.stderr
    assert "seat 3 acts, but it is seat 2's turn" in found.stderr


@pytest.mark.thorough
def test_tables_count_the_hands_alike(mixed: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    scored = run("score", str(mixed), "-o", str(out))
    left_out = "1 refused, 1 not analyzed, 1 of other games, 2 repeated"
    assert re.search(rf": 4 rows of hands, .*; {left_out}\n", scored.stdout)
    assert scored.returncode == 1
    again = run("score", str(mixed), "-o", str(out), "--resume")
    assert again.stdout == scored.stdout
    summed = run("summary", str(out))
    assert left_out in summed.stdout.replace("\n", " ")
    record = json.loads(run("summary", str(out), "--json").stdout)
    assert record["refused"] == 1
    aside = {"not_analyzed": 1, "of_other_games": 1, "repeated": 2, "not_understood": 0}
    assert record["left_out"] == aside
    assert sum(reason["hands"] for reason in record["reasons"]) == 1
    kinds = run("query", str(out), "kind = 'refused'", "--table", "rejects")
    assert kinds.stdout.startswith("1 of 3 hands left out")


@pytest.mark.thorough
def test_repeated_hands_are_kept_where_that_is_asked_for(mixed: Path, tmp_path: Path) -> None:
    checked = run("check", str(mixed), "--keep-repeated")
    assert checked.stdout == "9 hands: 7 accepted, 1 refused, 1 of other games\n"
    out = tmp_path / "tables"
    scored = run("score", str(mixed), "-o", str(out), "--keep-repeated")
    assert ": 6 rows of hands, " in scored.stdout
    assert "repeated:" not in scored.stderr


@pytest.mark.thorough
def test_a_folder_of_tables_that_grows_leaves_out_what_it_holds(tmp_path: Path) -> None:
    log, out = (SAMPLES / "pokerstars.txt").read_text(), tmp_path / "tables"
    first, second = tmp_path / "1.txt", tmp_path / "2.txt"
    first.write_text(log)
    assert ": 2 rows of hands, " in run("score", str(first), "-o", str(out)).stdout
    second.write_text(log)
    grown = run("score", str(first), str(second), "-o", str(out), "--resume")
    assert re.search(r": 2 rows of hands, .*; 0 refused, 2 repeated\n", grown.stdout)
    # Where the first copy goes, the second is no longer repeated.
    first.write_text(log.replace("#9000000001", "#8000000001"))
    changed = run("score", str(first), str(second), "-o", str(out), "--resume")
    assert re.search(r": 4 rows of hands, .*; 0 refused\n", changed.stdout)


def test_only_sound_hands_of_which_nothing_is_read_end_with_status_1(tmp_path: Path) -> None:
    unseen = tmp_path / "unseen.stud"
    unseen.write_text(UNSEEN)
    assert run("check", str(unseen)).returncode == 0
    for command in (["analyze"], ["evaluate"], ["score", "-o", str(tmp_path / "tables")]):
        found = run(*command, str(unseen))
        assert found.returncode == 1
        assert "not analyzed" in found.stderr
    both = run("analyze", str(unseen), str(SAMPLES / "steal.stud"))
    assert both.returncode == 0
    assert "2 hands: 2 accepted (1 of them not analyzed), 0 refused" in both.stderr


def test_a_hand_that_a_format_cannot_hold_is_accepted_and_not_written(tmp_path: Path) -> None:
    unseen = tmp_path / "unseen.stud"
    unseen.write_text(UNSEEN)
    found = run("convert", "--to", "pokerstars", str(unseen), str(SAMPLES / "steal.stud"))
    assert "2 hands: 2 accepted (1 of them not written), 0 refused" in found.stderr
    assert found.returncode == 1


def only(text: str, tmp_path: Path) -> History:
    file = tmp_path / "hand.txt"
    file.write_text(text)
    (hand,) = [one for one in read_hands(file) if isinstance(one, History)][:1]
    return hand


def test_hands_are_repeated_by_their_room_number_and_play(tmp_path: Path) -> None:
    log = (SAMPLES / "pokerstars.txt").read_text()
    hand = only(log, tmp_path)
    same = hand_key(hand)
    assert hand_key(only(log.replace("\n", "\r\n"), tmp_path)) == same
    chat = log.replace("*** 4th STREET", 'Bea said, "hi"\n*** 4th STREET', 1)
    assert hand_key(only(chat, tmp_path)) == same
    assert hand_key(only(log.replace("#900000000101", "#900000000109"), tmp_path)) != same
    others = only((SAMPLES / "simulated-pokerstars.txt").read_text(), tmp_path)
    rooms = only((SAMPLES / "simulated-fulltilt.txt").read_text(), tmp_path)
    assert others.hand_id == rooms.hand_id
    assert hand_key(others) != hand_key(rooms)


def test_logs_of_two_players_of_a_hand_are_no_copies(tmp_path: Path) -> None:
    log = (SAMPLES / "simulated.stud").read_text()
    block = next(one for one in log.split("\n\n") if "1 Ann" in one)
    hands = [
        only(re.sub(rf"^({seat} \w+ +\| )(?:\S\S )+", r"\1?? ?? ", block, flags=re.M), tmp_path)
        for seat in (1, 2)
    ]
    assert hand_key(hands[0]) != hand_key(hands[1])


def test_hands_without_a_number_are_never_repeated(tmp_path: Path) -> None:
    hand = UNSEEN.replace("hand: 77\n", "")
    file = tmp_path / "same.stud"
    file.write_text(f"{hand}\n{hand}")
    assert run("check", str(file)).stdout == "2 hands: 2 accepted, 0 refused\n"
    file.write_text(f"{UNSEEN}\n{UNSEEN}")
    assert run("check", str(file)).stdout == "2 hands: 1 accepted, 0 refused, 1 repeated\n"


@pytest.mark.thorough
def test_the_page_of_a_folder_has_the_counts_of_the_terminal(tmp_path: Path) -> None:
    """Files that are no logs are not refused, and a hand shown up to its fault is."""
    folder, out = tmp_path / "logs", tmp_path / "out"
    folder.mkdir()
    for name in ("broken-turn.stud", "steal.stud"):
        (folder / name).write_text((SAMPLES / name).read_text())
    (folder / "list.txt").write_text("milk\nbread\n")
    found = run("report", str(folder), "-o", str(out))
    assert "3 hands: 2 accepted, 1 refused, 1 not understood" in found.stderr.splitlines()
    page = (out / "index.html").read_text()
    assert '<p class="lead">3 hands, 1 refused (1 read in part), 1 not understood, policy' in page
    refused, other = page.split("<h2 id=")[-2:]
    assert ">Refused</h2>" in refused
    assert "Hand broken-turn: " in refused
    assert ">Not understood</h2>" in other
    assert "list.txt: this does not look like a hand history" in other
    first = " ".join(run(str(folder)).stdout.split())
    assert "Left out: 1 refused (1 read in part), 1 not understood: handread check" in first


@pytest.mark.parametrize("command", ["check", "analyze", "convert --to saund", "report -o {out}"])
def test_a_card_that_cannot_be_read_is_counted_by_all_commands(
    tmp_path: Path, command: str
) -> None:
    log = tmp_path / "log.txt"
    text = (SAMPLES / "pokerstars.txt").read_text().replace("old tom [Qd]", "old tom [11c]")
    log.write_text(text)
    found = run(*command.format(out=tmp_path / "out").split(), str(log))
    said = found.stdout + found.stderr
    assert "the card '11c' cannot be read" in said
    assert "2 hands: 2 accepted (1 of them with an unreadable card" in said
    stops = "; a card cannot be read, and the hand is not analyzed to its end"
    assert (stops in said) == (command.split(maxsplit=1)[0] in ("analyze", "report"))
    assert "sound" not in found.stderr
    assert found.returncode == 0
