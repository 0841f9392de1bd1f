"""The engine: one answer for each line, whatever the line is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from handread import api
from handread.api import json_schema
from handread.engine import answers as making
from handread.engine.engine import request_lines
from handread.engine.requests import MOST_BYTES, Request, parse_request
from handread.formats.log_reader import read_text
from handread.history import History
from handread.inference.timeline import timeline_points
from handread.processes import Helpers
from tests.engine.asking import DEALT, HAND, PLAYED, answers, asked, lines
from tests.program import ROOT, SAMPLES, run

ANSWER = Draft202012Validator(json_schema("answer"))
REQUEST = Draft202012Validator(json_schema("request"))
ANALYSIS = Draft202012Validator(json_schema())
PHH = (SAMPLES / "full-house.phh").read_text("utf-8")
SAUND = (SAMPLES / "showdown.stud").read_text("utf-8")
RAZZ = "\nhand: ".join((SAMPLES / "razz.stud").read_text("utf-8").split("\nhand: ")[:2])
ENGINE = (sys.executable, "-m", "handread", "engine")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def without_truth(action: dict[str, Any]) -> dict[str, Any]:
    """An action without what only the cards shown later tell."""
    return {key: value for key, value in action.items() if "truth" not in key}


def error(answer: dict[str, Any]) -> str:
    return str(answer["error"]["message"])


@pytest.mark.thorough
@pytest.mark.parametrize("file", ["pokerstars.txt", "full-house.phh", "open-pair.stud"])
def test_the_answer_is_what_analyze_prints(file: str) -> None:
    hand = HAND if file == "pokerstars.txt" else (SAMPLES / file).read_text("utf-8")
    [answer] = asked({"id": "a", "hand": hand, "decisions": True})
    printed = json.loads(run("analyze", "-", "--json", "--decisions", stdin=hand).stdout)
    assert answer == {"id": "a", "analysis": printed}
    ANSWER.validate(answer)
    ANALYSIS.validate(answer["analysis"])


def test_a_request_chooses_viewpoint_policy_and_stage() -> None:
    wants = {"viewpoint": "public", "policy": "loose", "ties": "paper", "at": "5B", "top": 1}
    found = asked({"hand": HAND, **wants})[0]["analysis"]
    assert found["viewpoint"] == "public"
    assert found["policy"] == "loose"
    assert found["ties"] == "paper"
    assert [stage["stage"] for stage in found["stages"]] == ["5B"]
    assert len(found["stages"][0]["pdd"]["4"]["top"]) == 1
    [none] = asked({"hand": HAND, "actions": 3, "at": "5B"})
    assert error(none) == "at: the hand does not reach 5B"


@pytest.mark.parametrize("n", [0, 5, 99])
@pytest.mark.parametrize("hand", [HAND, PHH, SAUND], ids=["room", "phh", "saund"])
def test_a_hand_may_be_cut_after_some_actions(hand: str, n: int) -> None:
    whole, part = (one["analysis"] for one in asked({"hand": hand}, {"hand": hand, "actions": n}))
    assert part["problems"] == []
    told, viewed = (list(map(without_truth, one["actions"])) for one in (part, whole))
    assert told == viewed[:n]
    assert len(told) == min(n, len(viewed))
    assert (part["finished"], part["showdown"]) == (
        (whole["finished"], whole["showdown"]) if n >= len(viewed) else (False, None)
    )


@pytest.mark.parametrize("hand", [HAND, SAUND, RAZZ], ids=["room", "saund", "razz"])
def test_a_hand_is_read_after_any_action(hand: str) -> None:
    """The slow twin reads the whole hand, of which nothing later may count."""
    (history,) = read_text(hand, "x")
    assert isinstance(history, History)
    whole = api.analyze(history, viewpoint="public")
    points = [one for one in timeline_points(whole) if one.action is not None]
    ns = range(1, len(points), 3)
    answers = asked(
        *({"hand": hand, "actions": n, "at": "last", "viewpoint": "public"} for n in ns)
    )
    within = 0
    for n, answer in zip(ns, answers, strict=True):
        [stage] = answer["analysis"]["stages"]
        point = points[n - 1]
        if stage["stage"].endswith("A"):
            within += 1
            assert point.stage is None
            assert stage["stage"] == f"{point.street}A"
            chances = {str(seat): p for seat, p in point.bet_inference.items()}
            assert stage["p_win"]["bet_inference"] == pytest.approx(chances)
            assert sorted(stage["pdd"]) == sorted(map(str, point.active))
            ANSWER.validate(answer)
            ANALYSIS.validate(answer["analysis"])
        else:
            assert point.stage is not None
    assert within > 1


@pytest.mark.thorough
def test_a_hand_grows_by_lines_of_its_log() -> None:
    pieces = PLAYED.split("*** ")
    added = [pieces[0], *(f"*** {piece}" for piece in pieces[1:])]
    found = asked(
        {"hand_id": "h", "hand": DEALT, "viewpoint": "hero", "at": "last"},
        *({"hand_id": "h", "add": one} for one in added),
    )
    assert [one["hand_id"] for one in found] == ["h"] * len(found)
    reached = [one["analysis"]["stages"][0]["stage"] for one in found]
    assert reached == ["3D", "3B", "4B", "5B", "6B", "7B", "7B", "7B"]
    [whole] = asked({"hand": HAND, "viewpoint": "hero", "at": "last"})
    assert found[-1]["analysis"] == whole["analysis"]


def test_a_hand_of_any_format_grows_by_actions() -> None:
    before, _, _ = HAND.partition("Priya.K: raises")
    acts = ["p3 cbr .50", "p4 f", "p5 cc", "p1 f", "p2 f", "d dh p3 5d", "d dh p5 Td"]
    begin, *more = asked(
        {"hand_id": "h", "hand": before, "viewpoint": "public"},
        *({"hand_id": "h", "add": [act]} for act in acts),
        {"hand": HAND, "actions": 5, "viewpoint": "public"},
    )
    assert begin["analysis"]["actions"] == []
    *_, found, expected = (one["analysis"] for one in more)
    assert found["stages"] == expected["stages"]
    told, viewed = (list(map(without_truth, one["actions"])) for one in (found, expected))
    assert [{**one, "line": 0} for one in told] == [{**one, "line": 0} for one in viewed]


def test_five_card_stud_grows_by_actions() -> None:
    hand = (
        "hand: 1\ngame: 5stud ante .25  bring-in .25  bets 1 1 2 2\n1 A | 8s | 5s\n2 B | ?? | Ts\n"
    )
    first, second = asked(
        {"hand_id": "h", "hand": hand},
        {"hand_id": "h", "add": ["p1 pb", "p2 cc", "d dh p1 Ah", "d dh p2 7h"], "at": "last"},
    )
    assert [one["stage"] for one in first["analysis"]["stages"]] == ["2D"]
    assert second["analysis"]["stages"][0]["stage"] == "3D"


def test_an_addition_that_is_impossible_changes_nothing() -> None:
    found = asked(
        {"hand_id": "h", "hand": DEALT},
        {"hand_id": "h", "add": ["p2 pb", "p1 cc"]},
        {"hand_id": "h", "add": ["p9 f"]},
        {"hand_id": "h", "add": ["p2 cbr 999999999999999999999999"]},
        {"hand_id": "h", "add": "Nobody: checks\n"},
        {"hand_id": "h", "add": HAND},
        {"hand_id": "h"},
    )
    begun, wrong, no_player, huge, line, again, last = found
    assert "turn" in error(wrong)
    assert wrong["error"]["line"] == DEALT.count("\n") + 2
    assert error(no_player) == "there is no player 'p9'"
    assert "amount" in error(huge)
    assert "error" in line
    assert error(again) == "the text has 2 hands"
    assert last["analysis"] == begun["analysis"]


def test_running_hands_are_forgotten() -> None:
    begin = {"hand_id": "h", "hand": DEALT}
    more = {"id": 7, "hand_id": "h", "add": ["p2 pb"]}
    one, other = {"action": "clear", "hand_id": "h"}, {"action": "clear"}
    found = asked(begin, one, more, begin, other, more, more)
    assert [error(found[n]) for n in (2, 5, 6)] == ["there is no running hand 'h'"] * 3
    assert found[2]["id"] == 7


def test_running_hands_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handread.engine.engine.MOST_RUNNING", 2)
    begin = [{"hand_id": name, "hand": DEALT} for name in ("a", "b", "c", "a")]
    found = asked(*begin)
    assert error(found[2]) == "2 hands are running"
    assert [n for n, answer in enumerate(found) if "error" in answer] == [2]


def test_actions_tell_of_the_engine_and_stop_it() -> None:
    version, policies, formats, stop = asked(
        {"id": 1, "action": "version"},
        {"action": "policies"},
        {"action": "formats"},
        {"id": 4, "action": "stop"},
        {"id": 5, "action": "version"},
    )
    assert version["schema"] == json_schema("answer")["$id"]
    printed = run("policy", "list", "--json").stdout.splitlines()
    assert policies["policies"] == [json.loads(line) for line in printed]
    printed = run("formats", "--json").stdout.splitlines()
    assert formats["formats"] == [json.loads(line) for line in printed]
    assert stop == {"id": 4, "action": "stop"}
    for answer in (version, policies, formats, stop):
        ANSWER.validate(answer)


BAD = {
    b"{": "this is not JSON: Expecting property name enclosed in double quotes",
    b"[]": "this is no request",
    b"\xff": "the line is not UTF-8",
    b'"\0"': "this is not JSON: Invalid control character at",
    b'{"top": NaN}': "this is not JSON: NaN is no number of JSON",
    b'{"top": 1, "top": 2}': "this is not JSON: an object has a key twice",
    b'{"id": [1]}': "id: this is no id",
    b'{"top": ' + b"9" * 5000 + b"}": "this is not JSON: ",
    b"[" * 100_000: "values are nested too deeply",
    b"x" * (MOST_BYTES + 1): "the line is too long",
    b"{}": "there is no hand, no hand_id and no action",
    b'{"hnd": ""}': 'unknown key "hnd"; did you mean "hand"?',
    b'{"hand": 1}': "hand: this value is not possible",
    b'{"hand": ""}': "there is no hand, no hand_id and no action",
    b'{"hand": "x", "decisions": 1}': "decisions: this value is not possible",
    b'{"hand": "x", "top": true}': "top: this value is not possible",
    b'{"hand": "x", "at": "8B"}': "at: this value is not possible",
    b'{"hand": "x", "add": "y"}': "add needs the hand_id of a running hand, and no hand",
    b'{"hand": "x"}': "this does not look like a hand history that handread can read",
    b'{"action": "version", "hand": "x"}': "the action version takes no hand",
    b'{"hand_id": "h", "add": ["p1 f"]}': "there is no running hand 'h'",
}


@pytest.mark.parametrize(("line", "message"), BAD.items(), ids=range(len(BAD)))
def test_a_bad_line_is_told_and_passed_over(line: bytes, message: str) -> None:
    bad, good = answers(line + b'\n{"id": 2, "action": "clear"}\n')
    assert error(bad).startswith(message.replace('"hand"?', ""))
    ANSWER.validate(bad)
    assert good == {"id": 2, "action": "clear"}


@pytest.mark.parametrize(
    ("wants", "message"),
    [
        ({"policy": "lose"}, "no policy 'lose'"),
        ({"policy": "no\0ne.toml"}, ""),
        ({"policy": "/"}, ""),
        ({"reader": "x.py"}, "there is no reader 'x.py'"),
        ({"viewpoint": "seat:9"}, "nobody sits in seat 9"),
        ({"viewpoint": "omniscient"}, "omniscient needs all downcards"),
        ({"dialect": "klingon"}, "there is no dialect 'klingon'"),
        ({"reader": "loki", "decisions": True}, "decisions: the reader "),
        ({"rollouts": 10}, "rollouts is for decisions"),
        ({"then": "strong"}, "then is for decisions"),
        ({"then": "lose", "decisions": True}, "no policy 'lose'"),
    ],
    ids=str,
)
def test_what_cannot_be_had_is_told(wants: dict[str, Any], message: str) -> None:
    [answer] = asked({"id": 3, "hand": HAND, **wants})
    assert answer["id"] == 3
    assert message in error(answer)
    assert "error in the program" not in error(answer)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
KEYS = st.sampled_from([*REQUEST.schema["properties"]]) | st.text(max_size=4)
REQUESTS = st.dictionaries(KEYS, VALUES, max_size=4)
GOOD = lines(
    [
        {"id": 1, "hand": SAUND, "actions": 0, "at": "last"},
        {"id": 2, "hand_id": "h", "hand": PHH, "actions": 1, "at": "3D"},
        {"id": 3, "hand_id": "h", "add": ["p1 f"]},
        {"id": 4, "action": "version"},
    ]
)


@pytest.mark.thorough
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_damaged_line_has_one_answer(data: st.DataObject) -> None:
    damaged = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=4))
    whole = b"\n".join(
        [
            bytes(damaged),
            *(json.dumps(one).encode() for one in data.draw(st.lists(REQUESTS, max_size=4))),
        ]
    )
    given_lines = [line for line in whole.split(b"\n") if line.strip()]
    expected = 0
    for line in given_lines:
        expected += 1
        request = parse_request(line)[1]
        if isinstance(request, Request) and request.action == "stop":
            break
    found = answers(whole)
    assert len(found) == expected
    for answer in found:
        ANSWER.validate(answer)
        assert "error in the program" not in answer.get("error", {}).get("message", "")


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(REQUESTS)
def test_the_schema_of_requests_allows_what_is_accepted(request: dict[str, Any]) -> None:
    accepted = isinstance(parse_request(json.dumps(request).encode())[1], Request)
    assert not accepted or REQUEST.is_valid(request)


@given(st.lists(st.binary(max_size=8)), st.integers(1, 9))
def test_lines_do_not_depend_on_the_pieces_read(found: list[bytes], size: int) -> None:
    data = b"\n".join(found)
    at = 0

    def read(_: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    assert list(request_lines(read)) == [line for line in data.split(b"\n") if line.strip()]


def test_an_endless_line_is_not_kept() -> None:
    pieces = iter([b"x" * 65536] * 100 + [b'\n{"id": 1, "action": "clear"}\n'])
    long, other = request_lines(lambda _: next(pieces, b""))
    assert len(long) == MOST_BYTES + 1
    assert b"clear" in other


def die(_: object) -> str:
    os._exit(1)


@pytest.mark.dear("processes start, which load everything, and one dies")
def test_workers_answer_the_same_and_may_die(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[Any] = [
        {"id": 0, "hand_id": "h", "hand": DEALT, "decisions": "rollouts", "rollouts": 20},
        *({"id": n, "hand_id": "h", "add": [act]} for n, act in enumerate(["p2 pb", "p3 f"], 1)),
        {"id": 3, "hand": HAND},
        {"id": 4, "hand": HAND, "policy": "nobody"},
    ]
    alone = asked(*requests)
    with Helpers(2) as helpers:
        shared = asked(*requests, helpers=helpers)
        assert sorted(shared, key=lambda one: one["id"]) == alone
        assert [one["id"] for one in shared if "hand_id" in one] == [0, 1, 2]
        monkeypatch.setattr("handread.engine.engine.answer_line", die)
        [dead] = asked({"id": 1, "hand": HAND}, helpers=helpers)
        assert "died" in error(dead)
        monkeypatch.setattr("handread.engine.engine.answer_line", making.answer_line)
        [alive] = asked({"id": 1, "hand": HAND, "actions": 0}, helpers=helpers)
        assert "analysis" in alive


@pytest.fixture
def process() -> Any:
    pipe = subprocess.PIPE
    with subprocess.Popen(ENGINE, stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT) as engine:
        yield engine
        engine.kill()


@pytest.mark.thorough
def test_an_answer_comes_before_the_next_request(process: Any) -> None:
    for n in range(3):
        process.stdin.write(b'{"id": %d, "action": "clear"}\n' % n)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == n
    process.stdin.close()
    assert process.wait() == 0
    assert process.stderr.read() == b""


@pytest.mark.thorough
def test_ctrl_c_ends_it_at_once(process: Any) -> None:
    process.stdin.write(b'{"id": 1, "action": "clear"}\n')
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert b"Traceback" not in process.stderr.read()


@pytest.mark.thorough
def test_a_reader_that_closes_ends_it_quietly(process: Any) -> None:
    process.stdout.close()
    process.stdin.write(b'{"id": 1, "action": "clear"}\n' * 9)
    process.stdin.flush()
    assert process.wait() == 0
    assert process.stderr.read() == b""


@pytest.mark.thorough
def test_stop_ends_it_with_its_input_open(process: Any) -> None:
    process.stdin.write(b'{"id": 1, "action": "stop"}\n')
    process.stdin.flush()
    assert process.wait() == 0
    assert json.loads(process.stdout.read())["action"] == "stop"
    assert process.stderr.read() == b""
