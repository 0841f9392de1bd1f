"""What the tools of assistants tell: JSON values of their schemas, beside a text that agrees."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client, StdioServerParameters

import handread
import handread.game.rules as rules
from handread.engine import tools as made
from handread.engine.server import mcp_server
from handread.engine.sources import Sources, ToolError
from handread.engine.told import Told, described, in_json
from handread.engine.tools import Tools
from handread.report.json import analysis_object
from handread.tables.query import ASKED
from tests.engine.asking import HAND
from tests.program import ROOT, SAMPLES, run, run_here

HOSTILE = "Eve\u202e\u200b\U000e0041\x07]"
"""A name with direction marks, invisible letters and a control character."""


def strings(value: Any) -> Iterator[str]:
    """All texts and keys of JSON values."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, str):
        yield value


def is_seen(text: str) -> bool:
    return all(unicodedata.category(c) not in {"Cc", "Cf", "Cs"} or c == "\n" for c in text)


class Checked:
    """The tools; whatever they tell is of their schemas, visible and without bars."""

    def __init__(self, *folders: Path) -> None:
        self._tools = Tools(Sources(folders))

    def __call__(self, tool: str, **given: Any) -> Told:
        told: Told = getattr(self._tools, tool)(**given)
        found = json.loads(json.dumps(told.found, allow_nan=False))
        jsonschema.Draft202012Validator(described(tool)[1]).validate(found)
        assert all(map(is_seen, [told.text, *strings(found)]))
        assert not re.search("[\u2500-\u259f]|={3,}$", told.text, re.MULTILINE)
        assert all(note in told.text for note in found["notes"])
        return Told(told.text, found)


@pytest.fixture
def tell() -> Checked:
    return Checked(SAMPLES)


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs with their tables."""
    folder = tmp_path_factory.mktemp("home") / "logs"
    (folder / "deep").mkdir(parents=True)
    shutil.copy(SAMPLES / "pokerstars.txt", folder)
    shutil.copy(SAMPLES / "broken-turn.stud", folder / "deep")
    with contextlib.chdir(folder):
        run_here("score", "pokerstars.txt", "deep", "-o", "tables")
    return folder


GAMES = ("pokerstars.txt", "five-card.stud", "razz.stud", "hi-lo.stud", "merge.xml")


@pytest.mark.dear("reads, values and sums up a hand of the game")
@pytest.mark.parametrize("file", GAMES)
def test_all_games_are_told_by_their_schemas(tell: Checked, file: str) -> None:
    for viewpoint in ("", "public"):
        told = tell("read_hand", path=file, hand="#1", viewpoint=viewpoint)
        assert f"policy {told.found['analysis']['policy']}" in told.text
        assert tell("explain_action", action=1, path=file, hand="#1", viewpoint=viewpoint)
    assert tell("value_decisions", path=file, hand="#1")
    assert tell("session_overview", path=file)
    name = tell("player_profile", path=file).found["players"][0]["name"]
    assert tell("player_profile", path=file, name=name or "without a name").found["profiles"]


def test_the_values_of_a_hand_are_those_of_analyze(tell: Checked) -> None:
    told = tell("read_hand", text=HAND)
    analysis = handread.analyze(handread.parse_hands(HAND)[0])
    found, whole = told.found["analysis"], in_json(analysis_object(analysis, made.TOP))
    assert found.keys() == whole.keys()
    assert found["actions"] == whole["actions"]
    assert found["stages"] == [one for one in whole["stages"] if one["stage"].endswith("B")]
    for stage in found["stages"]:
        assert f"{stage['p_win']['bet_inference']['7']:.1%}" in told.text
    assert "seen from seat 7" in told.text
    assert "seen by the public" in tell("read_hand", text=HAND, viewpoint="public").text


def test_an_action_has_the_same_figures_in_both(tell: Checked) -> None:
    for number, whose in ((1, ""), (3, "table_")):
        told = tell("explain_action", action=number, text=HAND)
        action = told.found["action"]
        assert action["n"] == number
        bits = action["surprise_bits"], action[f"{whose or 'information_'}bits"]
        figures = (
            f"expected {action['evidence']:.0%}, surprise {bits[0]:.2f} bits, told {bits[1]:.2f}"
        )
        assert figures in told.text
        assert all(f"{chance:.1%}" in told.text for chance in told.found["p_win"].values())
        assert f"{number}. {told.found['actions'][number - 1]}\n" in told.text
        assert "-:2, policy people, seen from seat 7." in told.text


@pytest.mark.thorough
def test_decisions_are_those_of_the_command(tell: Checked) -> None:
    told = tell("value_decisions", path="pokerstars.txt:4")
    done = run("decisions", str(SAMPLES / "pokerstars.txt:4"), "--json")
    values = told.found["decisions"]["decisions"]["values"]
    printed = in_json(json.loads(done.stdout.splitlines()[0]))["decisions"]["values"]
    assert [one for one in values if one["seat"] == 7] == printed
    assert "by the downcards that its player held" in told.text


@pytest.mark.thorough
def test_a_list_has_pages_and_its_addresses_are_taken(logs: Path) -> None:
    tell, pages, start = Checked(logs), list[Any](), 1
    while start is not None:
        told = tell("list_hands", path=".", start=start, count=2)
        assert (f"ask with start {told.found['next']}" in told.text) == bool(told.found["next"])
        pages += told.found["hands"]
        for hand in told.found["hands"]:
            assert f"#{hand['number']} {hand['address']}; hand {hand['hand_id']}" in told.text
            assert hand["refused"] in told.text
        start = told.found["next"]
    whole = tell("list_hands", path=".", count=100).found
    assert pages == whole["hands"]
    assert whole["next"] is None
    assert [one["number"] for one in pages] == [1, 2, 3, 4]
    addresses = [f"deep/broken-turn.stud:{n}" for n in (3, 8)]
    addresses += [f"pokerstars.txt:{n}" for n in (4, 64)]
    assert [one["address"] for one in pages] == addresses
    third = pages[2]
    assert (third["net_words"], third["net"], third["unit"]) == ("+$4.90", 4.9, "$")
    assert third["result"] == "you win $9.95"
    assert f"{third['gave_away']['what']} ({third['gave_away']['bits']:.2f} bits)" in told.text
    with pytest.raises(ToolError, match="no hand 5; expected start from 1 to 4"):
        tell("list_hands", path=".", start=5)
    for wrong in ({"start": 0}, {"count": 0}, {"count": 101}):
        with pytest.raises(ToolError, match="expected start from 1, and count from 1 to 100"):
            tell("list_hands", path=".", **wrong)


@pytest.mark.thorough
def test_addresses_are_taken_in_all_ways(logs: Path) -> None:
    tell = Checked(logs)
    ways: list[dict[str, str]] = [
        {"hand": "pokerstars.txt:64"},
        {"path": "pokerstars.txt:64"},
        {"path": "pokerstars.txt:70"},
        {"path": ".", "hand": "pokerstars.txt:64"},
        {"path": ".", "hand": "#4"},
        {"path": "pokerstars.txt", "hand": "900000000102"},
        {"path": f"{logs}/pokerstars.txt:64", "hand": ""},
    ]
    found = [tell("read_hand", **way).found["analysis"] for way in ways]
    assert {one["hand_id"] for one in found} == {"900000000102"}
    overview = tell("session_overview", path="pokerstars.txt").found
    picks = (*overview["your_tells"], *overview["other_tells"], *overview["dearest"])
    for address in {one["address"] for one in picks}:
        assert tell("explain_action", action=1, hand=address)
    profile = tell("player_profile", path=".", name="Hero").found["profiles"][0]
    assert tell("read_hand", path=profile["largest_shown"][0]["hand"])
    assert tell("read_hand", text=HAND, hand="-:2")
    with pytest.raises(ToolError, match="give either text"):
        tell("read_hand", hand="900000000102")


def test_a_session_is_told_alike_in_both(tell: Checked) -> None:
    told = tell("session_overview", path="pokerstars.txt")
    words = " ".join(told.text.split())
    for key in ("hands", "policy", "result", "played", "decisions", "view"):
        assert told.found[key] in words
    assert all(one["name"] in words for one in told.found["players"])
    assert told.found["your_tells"][0]["words"] in words


@pytest.mark.thorough
def test_hostile_names_are_seen(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    file = logs / "a\u202e\nb.txt"
    file.write_text(HAND.replace("Priya.K", HOSTILE).replace("900000000101", "1\u200b2"))
    other = file.read_text("utf-8").replace("1\u200b2", "1\u200b3")  # it is no copy
    (logs / "z.txt:1").write_text(other, "utf-8")
    tell = Checked(logs)
    hands = tell("list_hands", path=".").found["hands"]
    assert [one["address"] for one in hands] == ["a\\u202e\\nb.txt:2", "z.txt:1:2"]
    for hand in hands:
        read = tell("read_hand", path=".", hand=hand["address"]).found["analysis"]
        assert read["seats"][2]["name"] == HOSTILE.encode("unicode_escape").decode()
    assert tell("read_hand", path="z.txt:1").found["analysis"]["source"]["file"] == "z.txt:1"
    listed = tell("player_profile", path="z.txt:1").found["players"]
    [name] = [one["name"] for one in listed if one["name"].startswith("Eve")]
    assert tell("player_profile", path="z.txt:1", name=name)
    assert tell("session_overview", path=".")
    with pytest.raises(ToolError) as refused:
        tell("read_hand", path="z.txt:1", hand=HOSTILE)
    assert is_seen(str(refused.value))


@pytest.mark.thorough
def test_tables_are_asked(logs: Path) -> None:
    tell = Checked(logs)
    condition = "street = 5 and action = 'raise'"
    told = tell("query", path="tables", condition=condition, given="seat = 7", count=1)
    done = run(
        *("query", str(logs / "tables"), condition, "--given", "seat = 7", "--json", "--top", "1")
    )
    answer, row = map(json.loads, done.stdout.splitlines())
    assert told.found["answer"] == in_json(answer)
    assert told.found["rows"] == [in_json(row)]
    address = f"{row['file']}:{row['line']}"
    assert f"{address}; street 5; seat 7; name Hero" in told.text
    assert told.found["policy"] in told.text
    assert tell("read_hand", hand=address).found["analysis"]["hand_id"] == "900000000101"
    chosen = tell("query", path="tables", condition="select hand_id, file from hands", count=2)
    assert [one["file"] for one in chosen.found["rows"]] == [
        "deep/broken-turn.stud",
        "pokerstars.txt",
    ]
    assert chosen.found["notes"] == ["There are more rows: ask for a larger count."]
    columns = tell("query", table="ledgers").found["columns"]
    assert {one["table"] for one in columns} == {"ledgers"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"condition": "select * from read_csv('/etc/passwd')"}, "read_csv: a query can only read"),
        ({"condition": "p_win > (select max(p_win) from hands)"}, "cannot contain SELECT"),
        ({"condition": "drop table hands"}, "cannot answer|not an SQL condition|only SELECT"),
        ({"condition": "streat = 5"}, "did you mean street"),
        ({"condition": "select 1", "table": "hands"}, "expected no table"),
        ({"table": "none"}, "no table none; expected actions, stages"),
        ({"count": 101}, "expected count from 0 to 100"),
        ({"path": ".."}, "there is no such file below logs"),
        ({"path": "."}, "expected a folder of tables made by handread score"),
        ({"path": "pokerstars.txt"}, "expected a folder of tables made by handread score"),
    ],
    ids=str,
)
def test_the_guard_of_queries_holds(logs: Path, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ToolError, match=message) as refused:
        Checked(logs)("query", **{"path": "tables", **given})
    assert str(logs) not in str(refused.value)


@pytest.mark.parametrize("linked", ["handread.json", "hands", "file", "pipe"])
def test_tables_with_a_link_out_of_the_folders_are_refused(
    logs: Path, tmp_path: Path, linked: str
) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for place in (inside, outside):
        shutil.copytree(logs / "tables", place / "tables")
    [file] = (inside / "tables").glob("hands/*/part-*")
    places = {"hands": inside / "tables" / "hands", "file": file}
    place = places.get(linked, inside / "tables" / linked)
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    if linked == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(outside / place.relative_to(inside))
    with pytest.raises(ToolError, match=r"is a link or a device"):
        Checked(inside)("query", path="tables")
    assert Checked(outside)("query", path="tables").found["answer"]["count"] == 4 - 1


def test_games_are_whole(tell: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tell_games = Tools(Sources([])).simulate(3, "stud", 3)
    assert told.found["games"] == 3
    assert told.found["text"] == tell_games.text
    monkeypatch.setattr("handread.engine.told.MOST_CHARACTERS", 2 * len(told.text) // 3)
    fewer = Tools(Sources([])).simulate(3, "stud", 3)
    jsonschema.validate(dict(fewer.found), described("simulate")[1])
    kept = int(fewer.found["games"])
    assert 0 < kept < 3
    assert fewer.text.startswith(f"# Only {kept} of 3 games are returned")
    assert fewer.text.endswith(fewer.found["text"])
    listed = tell("list_hands", text=fewer.text).found["hands"]
    assert len(listed) == kept


@pytest.mark.thorough
def test_tools_are_described() -> None:
    tools = {tool.name: tool for tool in anyio.run(mcp_server([]).list_tools)}
    titles = set()
    for tool in tools.values():
        hints = tool.annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.idempotent_hint) == (True, True)
        assert (hints.destructive_hint, hints.open_world_hint) == (False, False)
        assert tool.title
        titles.add(tool.title)
        assert tool.output_schema is not None
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
    assert len(titles) == len(tools) == 8
    given = tools["read_hand"].input_schema["properties"]
    assert given["viewpoint"]["anyOf"][0] == {"enum": ["public", "hero", "omniscient"]}
    assert "people" in given["policy"]["anyOf"][0]["enum"]
    assert given["policy"]["anyOf"][1] == {"type": "string"}
    games = tools["simulate"].input_schema["properties"]["game"]
    assert games["enum"] == [*rules.GAMES]
    tables = tools["query"].input_schema["properties"]["table"]
    assert tables["enum"] == ["", *ASKED]


@pytest.mark.dear("the process of the server loads the SDK of MCP")
def test_a_client_gets_values_of_the_schemas(logs: Path) -> None:
    """The client of the SDK checks the values of each answer by the schema of its tool."""
    command = ["-m", "handread", "mcp", str(logs)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = StdioServerParameters(command=sys.executable, args=command, env=env)
    hand = {"hand": "pokerstars.txt:4"}
    asked: dict[str, dict[str, Any]] = {
        "read_hand": hand,
        "explain_action": {**hand, "action": 1},
        "value_decisions": hand,
        "session_overview": {"path": "pokerstars.txt"},
        "list_hands": {"path": "."},
        "player_profile": {"path": ".", "name": "Hero"},
        "query": {"path": "tables", "condition": "seat = 7"},
        "simulate": {"games": 2, "seats": 3},
    }

    async def talk() -> None:
        async with Client(server) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == asked.keys()
            for name, given in asked.items():
                found = await client.call_tool(name, given)
                assert not found.is_error
                assert found.content[0].text
                told = getattr(Tools(Sources([logs])), name)(**given)
                assert found.structured_content == json.loads(json.dumps(told.found))
                assert found.content[0].text == told.text
            wrong = await client.call_tool("read_hand", {"path": "/etc/passwd"})
            assert wrong.is_error
            assert wrong.structured_content is None

    anyio.run(talk)
