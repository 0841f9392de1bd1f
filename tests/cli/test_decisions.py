"""The command ``decisions``: what each decision was worth."""

from __future__ import annotations

import csv
import json
import os
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import handread
from handread import parallel
from handread.cli import console
from tests.program import Done, run, run_here

RAZZ = "sample_histories/razz.stud"
SHORT = f"{RAZZ}:65"  # a bet takes the antes, all cards known
HERO = "sample_histories/pokerstars.txt:64"  # only the hero's cards are known, who acts once
FEW = ("--rollouts", "10", "--workers", "1")


def decided(*args: str) -> Done:
    return run("decisions", *FEW, *args)


@pytest.fixture(scope="module")
def short() -> Done:
    return decided(SHORT)


def test_the_seed_decides(short: Done) -> None:
    assert decided(SHORT).stdout == short.stdout
    assert decided(SHORT, "--seed", "2").stdout != short.stdout


def test_a_player_can_be_chosen() -> None:
    by_seat = decided(SHORT, "--player", "seat:2", "--json")
    record = json.loads(by_seat.stdout)
    assert {value["seat"] for value in record["decisions"]["values"]} == {2}
    name = next(seat["name"] for seat in record["seats"] if seat["seat"] == 2)
    assert decided(SHORT, "--player", name, "--json").stdout == by_seat.stdout


def test_the_hero_can_be_chosen() -> None:
    done = decided(HERO, "--player", "hero")
    assert done.returncode == 0
    assert "(you)" in done.stdout


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("nobody", "--player nobody: no hand has such a player (players: "),
        ("hero", "--player hero: no log says which player is the hero"),
        ("seat:8", "--player seat:8: no hand has such a player"),
    ],
)
def test_a_player_in_no_hand_is_an_error(who: str, why: str) -> None:
    done = decided(SHORT, "--player", who)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr


def test_the_rake_and_the_check_are_named() -> None:
    text = decided(SHORT, "--rake", "5% max 3", "--check", "none").stdout
    assert "10 rollouts a decision, rake 5% max 3" in " ".join(text.split())
    assert "checked by" not in text


def test_several_hands_are_summed_up(tmp_path: Path) -> None:
    table = tmp_path / "decisions.csv"
    done = decided(SHORT, SHORT, "--keep-repeated", "--output", str(table))
    assert done.returncode == 0
    assert done.stderr == "2 hands: 2 accepted, 0 refused\n"
    assert done.stdout.startswith("2 hands, 12 decisions: ")
    assert "Decisions of hand" not in done.stdout
    assert "docs/decisions.md" in done.stdout
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert len(rows) == 12
    assert rows[:6] == rows[6:]
    assert {row["file"] for row in rows} == {RAZZ}
    assert all(float(row["cost_bb"]) == 0.0 for row in rows if row["verdict"] == "best")


def test_all_hands_can_be_shown(short: Done) -> None:
    done = decided(SHORT, SHORT, "--keep-repeated", "--all", "--top", "0")
    assert done.stdout.startswith(short.stdout + short.stdout)
    assert "most expensive" not in done.stdout
    assert "No decision was" not in done.stdout


def test_the_worst_decisions_of_one_hand_are_listed_on_request(short: Done) -> None:
    text = decided(SHORT, "--top", "1").stdout.removeprefix(short.stdout)
    costly = short.stdout.count(": mistake") + short.stdout.count(": costly")
    expected = f"{SHORT} (razz)\n" if costly else "No decision was clearly wrong."
    assert expected in text


def test_analyze_shows_costs_beside_the_actions() -> None:
    plain = run("analyze", HERO)
    done = run("analyze", HERO, "--decisions", "--exact", "--rollouts", "10")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    (heads,) = (line for line in lines if line.endswith("bits   cost"))
    costs = [line.split()[-1] for line in lines if line.startswith("  7 Hero (you) folds")]
    assert len(costs) == 1
    assert costs[0] in ("best", "close") or costs[0][0].isdigit()
    assert "Costs in chips by 10 rollouts a decision" in done.stdout
    assert "cost" not in plain.stdout
    assert "Decisions" not in plain.stdout
    kept = [line for line in plain.stdout.splitlines() if " bits " not in line]
    assert all(line in heads or line in done.stdout for line in kept)


def test_analyze_has_the_values_in_its_json() -> None:
    plain = json.loads(run("analyze", HERO, "--json").stdout)
    valued = json.loads(
        run("analyze", HERO, "--json", "--decisions", "--exact", "--rollouts", "10").stdout
    )
    jsonschema.validate(valued, handread.json_schema())
    decisions = valued.pop("decisions")
    assert valued == plain
    (value,) = decisions["values"]
    (action,) = (a for a in plain["actions"] if a["n"] == value["n"])
    assert value["action"] == action["action"]
    assert value["seat"] == plain["hero"]
    q = {each["action"]: each["q"] for each in value["actions"]}
    assert q[value["best"]] == max(q.values())
    assert q["fold"] == 0.0


def test_json_has_an_object_for_each_hand() -> None:
    done = decided(SHORT, "sample_histories/steal.stud", "--json")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["schema"] == "handread.decisions/1"
    jsonschema.validate(first, handread.json_schema("decisions"))
    jsonschema.validate(second, handread.json_schema("decisions"))
    assert first["source"]["line"] == 65
    assert len(first["decisions"]["values"]) == 6
    assert first["decisions"]["way"] == "rollouts"
    assert second["decisions"]["values"] == []


def test_parts_are_kept_a_week(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "kernel_folder", lambda: tmp_path)
    for name, days in (("old", 8), ("new", 6)):
        (tmp_path / f"decisions-{name}.parts").mkdir()
        when = time.time() - days * 24 * 3600
        os.utime(tmp_path / f"decisions-{name}.parts", (when, when))
    terms = {"command": "decisions", "seed": 1}
    with console.kept_parts(None, terms), console.kept_parts(None, terms):
        pass  # the same command twice at a time: the second keeps nothing
    assert [path.name for path in tmp_path.iterdir()] == ["decisions-new.parts"]


def shown_and_done(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """What happens in order: a hand that is shown ("{"), or a part that is done (its work)."""
    happened: list[str] = []
    run_parts, emit = parallel.run_parts, console.emit

    def part_by_part(work: Any, parts: Any, workers: int, tick: Any, compute: Any = None) -> None:
        def told(done: int, /, *, earlier: bool = False) -> None:
            happened.append(work.func.__name__)
            tick(done, earlier=earlier)

        run_parts(work, parts, workers, told, compute)

    def told(text: str) -> None:
        happened.append(text[:1])
        emit(text)

    monkeypatch.setattr("handread.parallel.run_parts", part_by_part)
    monkeypatch.setattr(console, "emit", told)
    monkeypatch.setattr(parallel, "PART_SIZE", 1)
    assert run_here("decisions", *words, "--workers", "1", "--json").returncode == 0
    return happened


def test_a_hand_is_printed_as_soon_as_it_is_valued(monkeypatch: pytest.MonkeyPatch) -> None:
    happened = shown_and_done(monkeypatch, SHORT, HERO, *FEW[:2], "--check", "none")
    assert happened == ["_value_part", "{", "_value_part", "{"]
