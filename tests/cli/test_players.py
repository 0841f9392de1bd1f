"""``handread players``: a table of the players, the profile of one, and JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.cells import cell_len

import handread
from handread.formats.registry import writer_named
from handread.opponents.statistics import BY_GAME
from tests.printing import out as printed
from tests.program import ROOT, SAMPLES, Done, first_hands, run, run_here

EVENING = "docs/first-evening.txt"
GAMES = [f"sample_histories/{name}.stud" for name in ("hi-lo", "razz", "five-card")]


def objects(done: Done) -> list[dict[str, Any]]:
    """The objects of a JSON output, which has no NaN."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return [json.loads(line, parse_constant=refuse) for line in done.stdout.splitlines()]


def renamed(path: Path, names: dict[str, str]) -> Path:
    """Twelve hands of the first evening with other names, in a format that takes any."""
    hands = []
    for hand in islice(handread.read_hands(ROOT / EVENING), 12):
        seats = tuple(replace(s, name=names.get(s.name, s.name)) for s in hand.seats)
        hands.append(replace(hand, seats=seats))
    write = writer_named("phh").write
    text = "\n".join(f"[{n}]\n{write(printed(hand))}" for n, hand in enumerate(hands, 1))
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The first eight hands of the evening."""
    path = tmp_path_factory.mktemp("log") / "evening.txt"
    hands = (ROOT / EVENING).read_text("utf-8").split("\n\n\n")
    path.write_text("\n\n\n".join(hands[:8]), "utf-8")
    return str(path)


@pytest.mark.thorough
def test_each_game_has_a_table_and_the_heads_of_all_are_explained(log: str) -> None:
    done = run("players", log, *GAMES)
    heads = [line.split("  ")[0] for line in done.stdout.splitlines() if "hands " in line]
    assert len(heads) == 4
    assert done.stdout.count("\naverage ") == 4
    told = " ".join(done.stdout.split())
    for head in ("plays: plays the first street", "steals: steals with", "scoops: scoops at"):
        assert head in told
    five = run("players", GAMES[2])
    words = " ".join(five.stdout.split())
    assert "cash games, each hand at its own stakes. plays: plays 2nd street" in words
    assert "steals" not in five.stdout


@pytest.mark.thorough
def test_one_game_of_several(log: str) -> None:
    done = run("players", log, *GAMES, "--game", "razz")
    assert done.stdout.startswith("razz ")
    assert done.stdout.count("\naverage ") == 1
    none = run("players", log, "--game", "razz")
    assert (none.returncode, none.stdout) == (1, "")
    assert "--game razz: there is no hand of this game" in none.stderr
    found = objects(run("players", log, *GAMES, "--game", "5stud", "--json"))
    assert {one["game"] for one in found} == {"5stud"}


@pytest.mark.thorough
@pytest.mark.parametrize("sort", ["hands", "net", "aggression"])
def test_players_are_sorted_largest_first(log: str, sort: str) -> None:
    found = objects(run("players", log, "--json", "--sort", sort))
    figures = {
        "hands": [one["hands"] for one in found],
        "net": [one["net_big_bets"] for one in found],
    }
    shares = [one["statistics"].get(sort, {}).get("estimate", -1.0) for one in found]
    values = figures.get(sort, shares)
    assert values == sorted(values, reverse=True)
    assert len(found) == 6


@pytest.mark.thorough
def test_the_top_and_the_least_hands_leave_players_out_of_each_game(log: str) -> None:
    top = run("players", log, *GAMES, "--top", "1")
    assert top.stdout.count("\naverage ") == 4
    assert "more players are not shown (--least-hands, --top)." in top.stdout
    assert len(objects(run("players", log, *GAMES, "--top", "1", "--json"))) == 4
    fewer = run("players", log, *GAMES, "--least-hands", "9")
    assert fewer.stdout.count("\naverage ") == 3
    none = run("players", log, "--least-hands", "61")
    assert none.stdout == "6 more players are not shown (--least-hands, --top).\n"
    named = run("players", log, "duckpond", "--least-hands", "61", "--top", "1")
    assert named.stdout.startswith("duckpond: 8 hands")
    for option in ("--top", "--least-hands"):
        assert run("players", log, option, "0").returncode == 2
    assert run("players", log, "--sort", "luck").returncode == 2


@pytest.mark.thorough
def test_profiles_come_in_the_order_of_the_names(log: str) -> None:
    done = run("players", log, "oldfort9", "NellB")
    heads = re.findall(r"^(\S+): 8 hands", done.stdout, re.M)
    assert heads == ["oldfort9", "NellB"]
    found = objects(run("players", log, "oldfort9", "NellB", "--json"))
    assert [(one["name"], one["you"]) for one in found] == [("oldfort9", False), ("NellB", True)]


def test_a_player_of_several_games_has_a_profile_of_each() -> None:
    done = run("players", *GAMES, "loose-1")
    heads = re.findall(r"^loose-1: 12 hands of (.*), ", done.stdout, re.M)
    assert sorted(heads) == ["five-card stud", "razz", "seven-card stud hi/lo"]
    assert "bets or raises on 3rd street" in run("players", GAMES[2], "loose-1").stdout


def test_a_player_of_whom_little_is_known_is_not_told_apart() -> None:
    done = run("players", "sample_histories/pokerstars.txt", "Marigold")
    assert "In 2 hands nothing sets this player apart from others beyond chance." in done.stdout
    assert "%+" not in done.stdout
    assert "%-" not in done.stdout


@pytest.mark.thorough
def test_json_is_an_object_a_line_with_the_statistics_of_the_game() -> None:
    done = run("players", EVENING, *GAMES, "--json", "--least-hands", "1")
    found = objects(done)
    assert len(found) == 6 + 15
    keys = {key: [one.key for one in of] for key, of in BY_GAME.items()}
    for one in found:
        assert list(one["statistics"]) == [k for k in keys[one["game"]] if k in one["statistics"]]
        for share in one["statistics"].values():
            assert 0 <= share["done"] <= share["of"]
            assert share["of"] > 0
            assert share["low"] <= share["share"] + 1e-4
            assert share["share"] <= share["high"] + 1e-4
            assert 0.0 < share["estimate"] < 1.0
            assert share["claim"] in (None, "more", "less")
        bluffs = one["last_bets_shown"]
        assert 0 <= bluffs["bluffs"] <= bluffs["of"]
        assert sum(shown["hands"] for shown in one["shown"]) <= one["hands"]
        assert one["adjusted_big_bets"] is None
        assert len(one["sentences"]) <= 3
    claimed = {one["name"]: one["statistics"]["raises"]["claim"] for one in found[:6]}
    assert claimed["Rooster_21"] == "more"


@pytest.mark.thorough
def test_json_says_the_same_as_the_text() -> None:
    (found,) = objects(run("players", EVENING, "Rooster_21", "--json"))
    text = " ".join(run("players", EVENING, "Rooster_21").stdout.split())
    for sentence in found["sentences"]:
        assert sentence in text
    for share in found["statistics"].values():
        assert f"{share['done']} of {share['of']}" in text


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Rooster21", "; did you mean 'Rooster_21'?"),
        ("silas.w", "; did you mean 'Silas.W'?"),
        ("nobody of this name", ""),
        ("", ""),
        ("a/b.txt", ""),
        ("x" * 5000, ""),
        ("[red]x", ""),
    ],
)
def test_an_unknown_name_suggests_the_nearest(log: str, name: str, hint: str) -> None:
    done = run("players", log, name)
    assert (done.returncode, done.stdout) == (2, "")
    *_, told = done.stderr.splitlines()
    assert told == f"{name}: there is no such file, and no player of that name{hint}"


def test_known_names_are_shown_beside_unknown_ones(log: str) -> None:
    done = run("players", log, "Rooster_21", "nobody")
    assert done.returncode == 2
    assert done.stdout.startswith("Rooster_21: 8 hands")
    assert "nobody: there is no such file, and no player of that name" in done.stderr


def test_a_name_with_escape_sequences_is_told_harmlessly(log: str) -> None:
    done = run("players", log, "\x1b[31mred")
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert r"\x1b[31mred: there is no such file" in done.stderr


HOSTILE = {
    "NellB": "\x1b[31mred\x1b[2J",
    "Rooster_21": "<script>alert(1)</script>",
    "Silas.W": "🂡牌牌 \u202egnorw",
    "TerraceKing": "123",
    "duckpond": "../no/such.txt",
    "oldfort9": "{0} %s [bold]",
}
"""Names by those that they take the place of."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return renamed(tmp_path_factory.mktemp("hostile") / "evening.phhs", HOSTILE)


@pytest.mark.thorough
def test_hostile_names_do_no_harm(hostile: Path) -> None:
    done = run("players", str(hostile))
    assert done.returncode == 0, done.stderr
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", done.stdout)
    assert all(cell_len(line) <= 80 for line in done.stdout.splitlines())
    assert "{0} %s [bold]" in done.stdout
    assert "<script>alert(1)</script>" in done.stdout
    assert len(re.findall(r" 12 ", done.stdout)) == 6


@pytest.mark.thorough
def test_each_hostile_name_has_its_profile(hostile: Path) -> None:
    done = run("players", str(hostile), "--", *HOSTILE.values())
    assert done.returncode == 0, done.stderr
    assert " ".join(done.stdout.split()).count(": 12 hands of seven-card stud") == 6
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", done.stdout)
    found = objects(run("players", str(hostile), "--json", "--", *HOSTILE.values()))
    assert [one["name"] for one in found] == [*HOSTILE.values()]


def test_a_name_that_is_a_file_as_well_is_the_file(
    hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_here("players", str(hostile), "123").stdout.startswith("123: 12 hands")
    (tmp_path / "123").write_text((SAMPLES / "steal.stud").read_text("utf-8"), "utf-8")
    done = run_here("players", str(hostile), "123")
    assert "13 hands: 13 accepted" in done.stderr


def test_a_missing_file_ends_the_command() -> None:
    done = run("players", "nowhere.txt", "Ann")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere.txt: there is no such file or folder" in done.said
    assert run("players").returncode == 2


@pytest.mark.thorough
def test_standard_input_is_a_dash() -> None:
    text = (ROOT / EVENING).read_text("utf-8")
    done = run("players", "-", "Rooster_21", stdin=text)
    assert done.returncode == 0
    of_file = run("players", EVENING, "Rooster_21").stdout
    both = [text.partition("largest results shown down") for text in (done.stdout, of_file)]
    assert both[0][0] == both[1][0]
    assert both[0][2].count("-:") == both[1][2].count(f"{EVENING}:") == 5


def test_an_empty_file_has_no_players(tmp_path: Path) -> None:
    empty, folder = tmp_path / "empty.txt", tmp_path / "folder"
    empty.write_text("")
    folder.mkdir()
    done = run("players", str(empty))
    assert (done.returncode, done.stdout) == (1, "")
    assert "the file is empty" in done.stderr
    done = run("players", str(folder))
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no file in this folder" in done.stderr


def test_refused_hands_are_left_out_and_told() -> None:
    broken = "sample_histories/broken-turn.stud"
    done = run("players", broken, EVENING)
    assert done.returncode == 1
    assert "seat 3 acts, but it is seat 2's turn" in done.stderr
    assert re.search(r"^Rooster_21 +60 ", done.stdout, re.M)
    only = run("players", "sample_histories/broken-card.stud")
    assert (only.returncode, only.stdout) == (1, "")


@pytest.mark.thorough
def test_repeated_hands_are_counted_once(log: str) -> None:
    done = run("players", log, log)
    assert "8 repeated" in done.stderr
    assert done.stdout == run("players", log).stdout
    twice = run("players", log, log, "--keep-repeated", "--json")
    assert {one["hands"] for one in objects(twice)} == {16}


def test_one_hand_by_its_line() -> None:
    done = run("players", f"{EVENING}:3", "--least-hands", "1", "--json")
    assert [one["hands"] for one in objects(done)] == [1] * 6


@pytest.fixture(scope="module")
def tables(log: str) -> Path:
    """Tables of the first hands of the evening, and of razz."""
    out = Path(log).with_name("out")
    razz = out.with_name("razz.stud")
    razz.write_text(first_hands("razz.stud", 4), "utf-8")
    done = run_here("score", log, str(razz), "-o", str(out), "--policy", "loose")
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.thorough
def test_a_folder_of_tables_says_the_same_as_its_logs(tables: Path) -> None:
    log, razz = tables.parent / "evening.txt", tables.parent / "razz.stud"
    for args in ([], ["Rooster_21"], ["--json"], ["--game", "razz"]):
        of_logs = run("players", str(log), str(razz), *args).stdout
        # Files in tables are named from the folder of the first run; only tables hold reads.
        of_tables = run("players", str(tables), *args).stdout
        of_tables = of_tables.partition("\nleast expected, shown down")[0]
        assert of_tables == of_logs.replace(f"{ROOT}/", "")


def test_the_least_expected_hands_of_tables_are_those_of_their_last_reads(tables: Path) -> None:
    """By the rows one by one: the last stage of each hand in which first cards were shown down."""
    stages = pl.read_parquet(tables / "stages").sort("stage")
    bits = {(r["line"], r["seat"]): r["truth_bits"] for r in stages.iter_rows(named=True)}
    expected = 0
    for name in ("Rooster_21", "NellB", "Silas.W"):
        (found,) = objects(run("players", str(tables), name, "--json"))
        own = [
            (float(bits[row["line"], row["seat"]]), f"{row['file']}:{row['line']}")
            for row in pl.read_parquet(tables / "players").iter_rows(named=True)
            if row["name"] == name and row["shown"] and bits[row["line"], row["seat"]] < 0
        ]
        least = found["least_expected_shown"]
        told = [(one["truth_bits"], one["hand"]) for one in least]
        assert told == [(pytest.approx(b, abs=1e-4), hand) for b, hand in sorted(own)[:5]]
        expected += len(least)
        text = run("players", str(tables), name).stdout
        assert ("least expected, shown down" in text) == bool(least)
    assert expected > 0


def test_tables_and_logs_are_added_up(tables: Path) -> None:
    done = objects(run("players", str(tables), GAMES[0], "--json"))
    apart = [
        *objects(run("players", str(tables), "--json")),
        *objects(run("players", GAMES[0], "--json")),
    ]
    hands = {(one["name"], one["game"]): one["hands"] for one in done}
    assert hands == {(one["name"], one["game"]): one["hands"] for one in apart}


def test_hands_of_logs_that_the_tables_hold_are_counted_once(tables: Path) -> None:
    """The log holds eight hands of the evening, the tables the same and razz."""
    args = ("players", str(tables), str(tables.parent / "evening.txt"))
    done = run(*args, "--json")
    assert objects(done) == objects(run("players", str(tables), "--json"))
    assert done.stderr == (
        "repeated: 8 hands are left out, having come before; --keep-repeated keeps them\n"
        "8 hands: 0 accepted, 0 refused, 8 repeated\n"
    )
    more = objects(run("players", str(tables), EVENING, "--json"))
    assert {one["hands"] for one in more if one["game"] == "stud"} == {60}
    twice = objects(run(*args, "--keep-repeated", "--json"))
    assert {one["hands"] for one in twice if one["game"] == "stud"} == {16}
