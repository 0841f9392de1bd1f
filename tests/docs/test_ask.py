"""docs/ask.md: its clients run as they are shown."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from handread.engine.requests import parse_request
from tests.docs.test_docs import in_language, same
from tests.engine.asking import DEALT, HAND, PLAYED
from tests.program import ROOT, SAMPLES

pytestmark = pytest.mark.docs

PAGE = "docs/ask.md"
BASH, NODE = shutil.which("bash"), shutil.which("node")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a program ``handread`` and the text of a hand."""
    program = tmp_path / "handread"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m handread "$@"\n')
    program.chmod(0o755)
    (tmp_path / "hand.txt").write_text(HAND, "utf-8")
    return tmp_path


def client(place: Path, *command: str | None) -> str:
    """What a client prints, which has nothing to complain about."""
    env = {
        **os.environ,
        "PATH": f"{place}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env=env,
        cwd=place,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


@pytest.mark.thorough
@pytest.mark.skipif(BASH is None, reason="bash is not installed")
def test_a_shell_script_follows_a_hand_street_by_street(place: Path) -> None:
    _, script = in_language("bash", PAGE)
    found = client(place, BASH, "-c", script)
    (shown,) = in_language("text", PAGE)
    assert same(shown, found), found
    assert re.findall("^..", found, re.M) == ["3D", "3B", "4D", "5D", "5B"]


@pytest.mark.dear("two processes start, one of them an engine that reads a hand")
def test_the_client_in_python_prints_chances(place: Path) -> None:
    (script,) = in_language("python", PAGE)
    found = client(place, sys.executable, "-c", script, str(SAMPLES / "pokerstars.txt"))
    hands = dict.fromkeys(re.findall(r"^hand (\d+): seat \d wins \d+%$", found, re.M))
    assert list(hands) == ["900000000101", "900000000102"]


@pytest.mark.dear("two processes start, one of them an engine that reads a hand")
@pytest.mark.skipif(NODE is None, reason="node is not installed: the client in JavaScript needs it")
def test_the_client_in_javascript_prints_chances(place: Path) -> None:
    (script,) = in_language("javascript", PAGE)
    (place / "client.js").write_text(script, "utf-8")
    found = client(place, NODE, "client.js", str(SAMPLES / "pokerstars.txt"))
    first, last = re.findall(r"\{.*?\}", found, re.S)
    assert len(re.findall(r"'\d': 0\.", first)) > len(re.findall(r"'\d': 0\.", last)) > 1


def test_the_page_names_every_key() -> None:
    text = (ROOT / PAGE).read_text("utf-8")
    table = text.partition("| key | meaning |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", table, re.M))))
    error = parse_request(b'{"": 1}')[1]
    assert named == set(str(error.record["expected"]).split(", "))  # type: ignore[union-attr]


PHH = """variant = "F7S"
antes = [15, 15, 15]
bring_in = 25
small_bet = 100
big_bet = 200
starting_stacks = [4000, 4000, 4000]
actions = ["d dh p1 ????Kc", "d dh p2 ????9h", "d dh p3 ????2d"]"""
AT_LAST = {"viewpoint": "public", "at": "last"}
JOBS: list[tuple[dict[str, Any], str]] = [
    ({"action": "version"}, '"schema": "handread.answer/1"'),
    ({"action": "policies"}, '"people"'),
    ({"action": "formats"}, '"pokerstars"'),
    ({"hand": HAND, **AT_LAST}, '"stage": "7B"'),
    ({"hand": HAND, "actions": 3, **AT_LAST}, '"stage": "3A"'),
    ({"hand": HAND, "at": "5B", "viewpoint": "hero", "policy": "loose"}, '"policy": "loose"'),
    ({"hand": HAND, "reader": "cards-only", "at": "3B", "ties": "paper", "top": 1}, '"3B"'),
    ({"hand": HAND, "dialect": "pokerstars", "decisions": "learned", "at": "3B"}, '"adjusted": '),
    ({"hand": PHH, "hand_id": "table 1", **AT_LAST}, '"stage": "3D"'),
    ({"hand_id": "table 1", "add": ["p3 pb", "p1 cbr 100", "p2 cc", "p3 f"]}, '"stage": "3B"'),
    ({"hand_id": "table 1", "add": ["p1 cbr 9"]}, "error"),
    ({"hand_id": "table 1"}, '"stage": "3B"'),
    ({"hand": DEALT, "hand_id": "table 2", **AT_LAST}, '"stage": "3D"'),
    ({"hand_id": "table 2", "add": PLAYED}, '"stage": "7B"'),
    ({"action": "clear", "hand_id": "table 2"}, '"clear"'),
    ({"hand_id": "table 2", "add": ["p1 f"]}, "error"),
    ({"hand": HAND, "policy": "lose"}, "did you mean 'loose'"),
    ({"action": "stop"}, '"stop"'),
]
"""What the page says that an engine does, and what each answer has."""

IN_PYTHON = """
for job in json.load(open("jobs.json", encoding="utf-8")):
    try:
        print(json.dumps(ask(id=1, **job)))
    except ValueError as error:
        print(json.dumps({"error": str(error)}))
engine.wait()
"""
IN_JAVASCRIPT = """
(async () => {
  for (const job of JSON.parse(readFileSync("jobs.json", "utf8")))
    console.log(JSON.stringify(await ask(job)));
})();
"""


def check_jobs(found: str) -> None:
    answers = found.splitlines()
    assert len(answers) == len(JOBS)
    for (job, has), answer in zip(JOBS, answers, strict=True):
        assert has in json.dumps(json.loads(answer)), (job, answer[:300])


@pytest.fixture
def jobs(place: Path) -> Path:
    """The folder, with the jobs."""
    (place / "jobs.json").write_text(json.dumps([job for job, _ in JOBS]), "utf-8")
    return place


def test_the_jobs_use_every_key_and_every_action() -> None:
    (error,) = (str(parse_request(b'{"": 1}')[1].record["expected"]),)  # type: ignore[union-attr]
    asked = {key for job, _ in JOBS for key in job}
    assert asked | {"id", "rollouts", "then"} == set(error.split(", "))
    actions = {job["action"] for job, _ in JOBS if "action" in job}
    assert actions == {"version", "policies", "formats", "clear", "stop"}


@pytest.mark.dear("two processes start, one of them an engine that reads hands")
def test_the_client_in_python_does_every_job(jobs: Path) -> None:
    (script,) = in_language("python", PAGE)
    check_jobs(client(jobs, sys.executable, "-c", script.partition("with open(")[0] + IN_PYTHON))


@pytest.mark.dear("two processes start, one of them an engine that reads hands")
@pytest.mark.skipif(NODE is None, reason="node is not installed: the client in JavaScript needs it")
def test_the_client_in_javascript_does_every_job(jobs: Path) -> None:
    (script,) = in_language("javascript", PAGE)
    script = script.replace(', "--workers", "2"', "").partition("const log =")[0]
    (jobs / "client.js").write_text(script + IN_JAVASCRIPT, "utf-8")
    check_jobs(client(jobs, NODE, "client.js"))


TOOLS: dict[str, dict[str, Any]] = {
    "read_hand": {"hand": "pokerstars.txt:4"},
    "explain_action": {"hand": "pokerstars.txt:4", "action": 1},
    "value_decisions": {"hand": "pokerstars.txt:4"},
    "session_overview": {"path": "pokerstars.txt"},
    "list_hands": {"path": "."},
    "player_profile": {"path": ".", "name": "Hero"},
    "query": {"table": "ledgers"},
    "simulate": {"games": 2, "seats": 3},
}
"""A call of each tool of ``handread mcp``."""

MCP_CLIENT = """
const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");
const server = spawn("handread", ["mcp", "logs"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
createInterface({ input: server.stdout }).on("line", (line) => {
  const answer = JSON.parse(line);
  waiting.get(answer.id)?.(answer.result);
});
const send = (message) => {
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
};
let last = 0;
const ask = (method, params) => new Promise((done) => {
  waiting.set(++last, done);
  send({ id: last, method, params });
});
(async () => {
  const clientInfo = { name: "test", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  const { tools } = await ask("tools/list", {});
  const calls = JSON.parse(process.argv[2]);
  for (const { name } of tools) {
    const found = await ask("tools/call", { name, arguments: calls[name] });
    const values = Object.keys(found.structuredContent ?? {});
    const { text } = found.content[0];
    console.log(JSON.stringify([name, !!found.isError, text.length, values.length]));
  }
  server.stdin.end();
})();
"""


@pytest.mark.dear("two processes start, one of them the server of tools")
@pytest.mark.skipif(NODE is None, reason="node is not installed: the client in JavaScript needs it")
def test_a_client_in_javascript_calls_every_tool(place: Path) -> None:
    pytest.importorskip("mcp", reason="needs pip install 'handread[mcp]'")
    (place / "logs").mkdir()
    shutil.copy(SAMPLES / "pokerstars.txt", place / "logs")
    (place / "client.js").write_text(MCP_CLIENT, "utf-8")
    found = client(place, NODE, "client.js", json.dumps(TOOLS)).splitlines()
    answers = {name: rest for name, *rest in map(json.loads, found)}
    assert answers.keys() == TOOLS.keys()
    for name, (failed, length, values) in answers.items():
        assert not failed, name
        assert length > 100, name
        assert values, name
