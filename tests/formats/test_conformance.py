"""The conformance set: the program reads what is expected, and the expected results are sound."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from handread.formats.registry import dialects
from tests.formats.conformance import Record, cases, phh_fields, phh_texts, results
from tests.logs import CONFORMANCE

EACH = pytest.mark.parametrize("case", cases(), ids=lambda case: case["case"])


def expected(case: Record) -> list[Record]:
    found: list[Record] = json.loads((CONFORMANCE / case["expected"]).read_text(encoding="utf-8"))
    return found


@EACH
def test_a_case_is_read_as_expected(case: Record) -> None:
    path = CONFORMANCE / case["input"]
    assert results(path) == expected(case)
    phh = [phh_fields((CONFORMANCE / name).read_text(encoding="utf-8")) for name in case["phh"]]
    assert [phh_fields(text) for text in phh_texts(path)] == phh


@EACH
def test_expected_results_conserve_chips_and_cards(case: Record) -> None:
    for hand in expected(case):
        if hand["status"] not in ("read", "unfinished"):
            continue
        players = {player["seat"]: player for player in hand["players"]}
        added = {seat: player["ante"] for seat, player in players.items()}
        for street in hand["streets"]:
            put = dict.fromkeys(players, 0)
            for action in street["actions"]:
                put[action["seat"]] += action["adds"]
                added[action["seat"]] += action["adds"]
                assert action["to"] == put[action["seat"]]
        if hand["returned"]:
            added[hand["returned"]["seat"]] -= hand["returned"]["amount"]
        assert added == {seat: player["put_in"] for seat, player in players.items()}
        seen = [card for player in players.values() for card in known_cards(player)]
        assert len(seen) == len(set(seen))
        if hand["status"] == "read":
            check_end(hand, players)


def known_cards(player: Record) -> list[str]:
    last = [player["last_down"]] if player["last_down"] else []
    every = player["down"] + last + player["down_in_any_order"] + player["up"]
    return [card for card in every if card != "??"]


def check_end(hand: Record, players: dict[int, Record]) -> None:
    folded = {a["seat"] for s in hand["streets"] for a in s["actions"] if a["action"] == "fold"}
    left = {seat for seat, player in players.items() if player["dealt_in"]} - folded
    pot = sum(pot["amount"] for pot in hand["pots"])
    assert pot == sum(player["put_in"] for player in players.values())
    assert pot - hand["rake"] == sum(player["won"] for player in players.values())
    assert set(hand["pots"][0]["seats"]) == left
    assert set(hand["showdown"]) == (left if len(left) > 1 else set())
    for seat, player in players.items():
        assert player["net"] == player["won"] - player["put_in"]
        most = sum(pot["amount"] for pot in hand["pots"] if seat in pot["seats"])
        assert player["won"] <= most


def test_every_file_has_a_case_and_every_format_two() -> None:
    listed = {case["input"] for case in cases()} | {case["expected"] for case in cases()}
    listed |= {name for case in cases() for name in case["phh"]}
    there = {f"{path.parent.name}/{path.name}" for path in CONFORMANCE.glob("*/*")}
    assert {name for name in there if not name.startswith("__")} == listed
    for dialect in dialects():
        assert sum(case["case"].startswith(f"{dialect.name}-") for case in cases()) >= 2


def checked(lines: list[Any], *chosen: str) -> subprocess.CompletedProcess[str]:
    told = "\n".join(json.dumps(line) for line in lines)
    command = [sys.executable, str(CONFORMANCE / "check.py"), *chosen]
    return subprocess.run(command, input=told, capture_output=True, text=True, check=False)


def test_check_tells_where_answers_differ() -> None:
    right = [{"case": case["case"], "results": expected(case)} for case in cases()]
    done = checked(right)
    assert (done.returncode, done.stdout) == (
        0,
        f"{len(right)} cases: {len(right)} agree, 0 differ\n",
    )
    name = "saund-razz"
    (wrong,) = (line for line in right if line["case"] == name)
    wrong["results"][0]["players"][1]["net"] += 1
    wrong["results"][0]["extra"] = True  # a key that is not expected does no harm
    del wrong["results"][0]["streets"][0]["actions"][0]["to"]
    done = checked([wrong], "saund-ra*", "saund-hi-lo")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "saund-hi-lo: no answer",
        f"{name}: results[0].players[1].net is 451, expected 450",
        f"{name}: results[0].streets[0].actions[0].to is missing",
        "2 cases: 0 agree, 2 differ",
    ]


def test_check_refuses_lines_that_are_no_answers() -> None:
    done = checked(["nothing"])
    assert done.returncode == 1
    assert done.stderr.startswith("line 1: expected")
