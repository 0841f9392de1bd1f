"""The tools of assistants: plain text, of a limited size, and no file outside the folders."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

import anyio
import pytest

from handread.engine import sources, told
from handread.engine import tools as made
from handread.engine.server import mcp_server
from handread.engine.sources import Sources, ToolError
from handread.engine.told import Told
from handread.engine.tools import Tools
from handread.policy import load_policy
from tests.engine.asking import HAND
from tests.program import ROOT, SAMPLES, run


class Texts:
    """The tools, with their texts alone."""

    def __init__(self, *folders: Path) -> None:
        self._tools = Tools(Sources(folders))

    def __getattr__(self, name: str) -> Callable[..., str]:
        tool = getattr(self._tools, name)
        return lambda *given, **named: tool(*given, **named).text


@pytest.fixture
def tools() -> Texts:
    return Texts(SAMPLES)


@pytest.mark.thorough
def test_a_hand_is_read_from_a_text_and_from_a_file(tools: Texts) -> None:
    found = tools.read_hand(text=HAND)
    assert "Hand 900000000101" in found
    assert "seen from seat 7" in found
    same = tools.read_hand(path="pokerstars.txt", hand="#1")
    differ = [
        one for one in zip(same.splitlines(), found.splitlines(), strict=True) if len({*one}) > 1
    ]
    assert all("pokerstars" in one for one, _ in differ)
    other = tools.read_hand(text=HAND, viewpoint="public", policy="loose")
    assert "policy loose" in other
    assert "seen from seat 7" not in other


def test_an_action_is_explained(tools: Texts) -> None:
    found = tools.explain_action(1, text=HAND)
    assert found.startswith("4 Priya.K completes to $0.50\n")
    assert "Players like these do this 23% of the time" in found
    assert "Chances to win after it: " in found
    assert "16. 4 Priya.K calls $1.00" in found
    with pytest.raises(ToolError, match="there is no action 17"):
        tools.explain_action(17, text=HAND)


def test_decisions_are_valued(tools: Texts) -> None:
    assert "5th  raises to $2.00: best" in tools.value_decisions(text=HAND)


def test_a_session_is_told_as_by_the_program(tools: Texts) -> None:
    found = tools.session_overview(path="pokerstars.txt")
    printed = run(str(SAMPLES / "pokerstars.txt")).stdout
    assert printed.startswith(found.split("\n\n")[0])
    assert "Your loudest tells" in found


def test_players_are_listed_and_told(tools: Texts) -> None:
    assert "old tom" in tools.player_profile(path="pokerstars.txt")
    profile = tools.player_profile("Hero", path="pokerstars.txt")
    assert profile.startswith("Hero: 2 hands of seven-card stud")
    with pytest.raises(ToolError, match=r"no player Hera, did you mean|no player Hera"):
        tools.player_profile("Hera", path="pokerstars.txt")


@pytest.mark.parametrize("game", ["stud", "stud8", "razz", "5stud"])
def test_games_are_played(tools: Texts, game: str) -> None:
    played = tools.simulate(1, game, 3, seed=4)
    assert played == tools.simulate(1, game, 3, seed=4) != tools.simulate(1, game, 3, seed=5)
    assert tools.read_hand(text=played)


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 0},
        {"games": 51},
        {"seats": 9},
        {"game": "holdem"},
        {"policy": "nobody"},
        {"seed": -1},
    ],
    ids=str,
)
def test_impossible_games_are_refused(tools: Texts, wrong: dict[str, Any]) -> None:
    with pytest.raises(ToolError):
        tools.simulate(**wrong)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "give either text"),
        ({"text": HAND, "path": "pokerstars.txt"}, "give either text"),
        ({"text": "x"}, "there is no hand"),
        ({"path": "pokerstars.txt"}, "there are several hands"),
        ({"path": "pokerstars.txt", "hand": "#9"}, "no hand #9 among 2: expected an id, #N"),
        ({"hand": "none.txt:4"}, "none.txt: there is no such file below sample_histories"),
        ({"path": "pokerstars.txt:0"}, "there is no such file"),
        ({"path": "pokerstars.txt:2"}, "no hand at line 2; the nearest begins at line 4"),
        ({"text": HAND, "policy": "nobody"}, "no policy 'nobody'"),
        ({"text": HAND, "viewpoint": "seat:9"}, "nobody sits in seat 9"),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_told(tools: Texts, given: dict[str, str], message: str) -> None:
    with pytest.raises(ToolError, match=message):
        tools.read_hand(**given)


@pytest.mark.thorough
def test_a_long_text_is_cut_with_a_word(monkeypatch: pytest.MonkeyPatch, tools: Texts) -> None:
    whole = tools.read_hand(text=HAND)
    monkeypatch.setattr(told, "MOST_CHARACTERS", 1000)
    *kept, word = tools.read_hand(text=HAND).splitlines()
    assert whole.startswith("\n".join(kept))
    assert len("\n".join(kept)) <= 1000
    assert word.startswith(f"[cut here: {whole.count(chr(10)) - len(kept)} more lines.")


def test_a_session_is_cut_with_a_word(monkeypatch: pytest.MonkeyPatch, tools: Texts) -> None:
    monkeypatch.setattr(made, "MOST_HANDS", 1)
    assert "Only the first 1 hands were read." in tools.session_overview(path="pokerstars.txt")


@pytest.mark.thorough
def test_a_hand_that_comes_twice_counts_once(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text((SAMPLES / "pokerstars.txt").read_text("utf-8"), "utf-8")
    tools = Texts(tmp_path)
    found, note = tools.session_overview(path="."), "Hands that came before are left out: 2.\n"
    printed = run(str(tmp_path)).stdout
    assert found.removeprefix(note).split("\n\n")[0] == printed.split("\n\n")[0]
    assert tools.list_hands(path=".").startswith(f"{note}Hands 1 to 2, ")
    assert tools.player_profile(path=".").startswith(note)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder "logs" beside secrets, with links that lead out of it."""
    (tmp_path / "secret.txt").write_text(HAND)
    (tmp_path / "logs-of-others").mkdir()
    (tmp_path / "logs-of-others" / "a.txt").write_text(HAND)
    logs = tmp_path / "logs"
    (logs / "below").mkdir(parents=True)
    (logs / "below" / "a.txt").write_text(HAND)
    (logs / "out.txt").symlink_to(tmp_path / "secret.txt")
    (logs / "up").symlink_to(tmp_path)
    (logs / "loop").symlink_to(logs / "loop")
    os.mkfifo(logs / "pipe")
    return tmp_path


HOSTILE = (
    *("../secret.txt", "below/../../secret.txt", "out.txt", "up/secret.txt", "up", ".."),
    *("../logs-of-others/a.txt", "loop", "pipe", "below/a.txt/../../../secret.txt", "a\0b"),
    *("/etc/passwd", "/dev/zero", "~/secret.txt", "file:///etc/passwd"),
    *("below\\..\\..\\secret.txt", "x" * 5000),
)


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: repr(path[:30]))
def test_no_file_outside_the_folders_is_opened(
    home: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []

    def refuse(file: Path, *_: object, **__: object) -> None:
        opened.append(file)
        raise PermissionError(13, "refused")

    monkeypatch.setattr(os, "open", refuse)
    tools = Texts(home / "logs")
    for hostile in (path, str(home / "logs" / path)):
        with pytest.raises(ToolError, match="there is no such file below logs"):
            tools.read_hand(path=hostile)
    assert opened == []


@pytest.mark.thorough
def test_files_below_the_folders_are_read(home: Path) -> None:
    for logs in (home / "logs", home / "up-to-logs"):
        if not logs.exists():
            logs.symlink_to(home / "logs")
        tools = Texts(logs)
        for path in ("below/a.txt", str(logs / "below" / "a.txt"), "below/../below/a.txt"):
            assert tools.read_hand(path=path)


def test_a_folder_with_a_link_out_of_it_is_read_without_it(home: Path) -> None:
    found = Texts(home / "logs").player_profile(path=".")
    assert "Hero (you)       1" in found


@pytest.mark.parametrize("swapped", ["below", "below/a.txt"])
@pytest.mark.parametrize("other", ["logs-of-others", "logs-of-others/a.txt", "pipe"])
def test_a_link_made_after_the_check_is_not_followed(
    home: Path, swapped: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, target = home / "logs" / swapped, home / other
    if other == "pipe":
        os.mkfifo(target)
    real = sources.open_below

    def swap_first(folder: Path, parts: Sequence[str]) -> IO[bytes]:
        place.rename(home / "was here")
        place.symlink_to(target)
        return real(folder, parts)

    monkeypatch.setattr(sources, "open_below", swap_first)
    with pytest.raises(ToolError, match=r"below/a\.txt: cannot be read"):
        Texts(home / "logs").read_hand(path="below/a.txt")


def test_without_folders_no_file_is_read() -> None:
    with pytest.raises(ToolError, match="no folder was given"):
        Texts().read_hand(path=str(SAMPLES / "pokerstars.txt"))


@pytest.mark.thorough
def test_the_server_offers_the_tools_and_tells_errors() -> None:
    server = mcp_server([SAMPLES])

    async def talk() -> None:
        offered = {tool.name: tool for tool in await server.list_tools()}
        assert list(offered) == [
            *("read_hand", "explain_action", "value_decisions"),
            *("session_overview", "list_hands", "player_profile", "query", "simulate"),
        ]
        for tool in offered.values():
            assert len(str(tool.input_schema)) < 900
            assert 40 < len(tool.description or "") < 600
        assert offered["explain_action"].input_schema["required"] == ["action"]
        found: Any = await server.call_tool("read_hand", {"text": HAND})
        assert "Hand 900000000101" in str(found)
        with pytest.raises(Exception, match="there is no such file below"):
            await server.call_tool("read_hand", {"path": "/etc/passwd"})

    anyio.run(talk)


def test_calls_do_not_hold_up_the_server_nor_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """One call works at a time, beside the server; one that waits can be cancelled."""
    goes_on, begun = threading.Event(), list[int]()

    def simulate(_tools: Tools, games: int = 1) -> Told:
        begun.append(games)
        assert goes_on.wait(60)
        return Told(f"{games} done with {len(begun)} begun", {})

    monkeypatch.setattr(Tools, "simulate", simulate)
    server, answers = mcp_server([]), list[str]()

    async def ask(games: int) -> None:
        answers.append(str(await server.call_tool("simulate", {"games": games})))

    async def talk() -> None:
        async with anyio.create_task_group() as calls:
            calls.start_soon(ask, 1)
            while not begun:
                await anyio.sleep(0.001)
            async with anyio.create_task_group() as cancelled:
                cancelled.start_soon(ask, 2)
                await anyio.wait_all_tasks_blocked()
                cancelled.cancel_scope.cancel()
            calls.start_soon(ask, 3)
            assert await server.list_tools()
            assert begun == [1]
            goes_on.set()

    anyio.run(talk)
    assert begun == [1, 3]
    assert "1 done with 1 begun" in answers[0]


@pytest.mark.dear("the process of the server loads the SDK of MCP")
def test_the_server_speaks_the_protocol() -> None:
    hello = (
        '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
        '"2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\n'
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
        '{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}\n'
    )
    pipe, env = subprocess.PIPE, {**os.environ, "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "handread", "mcp")
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=env
    ) as server:
        server.stdin.write(hello)
        server.stdin.flush()
        assert '"serverInfo":{"name":"handread"' in server.stdout.readline()
        assert '"read_hand"' in server.stdout.readline()
        server.stdin.close()
        assert server.wait() == 0
        assert server.stderr.read() == ""


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    done = run("mcp", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "there is no such folder" in done.said


def toml_of(folder: Path, name: str) -> Path:
    """A file of a policy, the same as the one included."""
    file = folder / f"{name}.toml"
    text = (ROOT / "handread" / "policies" / "loose.toml").read_text(encoding="utf-8")
    file.write_text(text.replace('name = "loose"', f'name = "{name}"'), encoding="utf-8")
    return file


def test_only_policies_below_the_folders_are_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    outside, own = toml_of(home, "outside"), toml_of(home / "logs", "own")
    (home / "logs" / "link.toml").symlink_to(outside)
    panel = home / "logs" / "panel.toml"
    panel.write_text(
        'schema = "handread.policy/1"\nfamily = "panel"\nname = "both"\n'
        + "".join(f'[[members]]\npolicy = "{one}"\nprior = 0.5\n' for one in ("loose", outside)),
        encoding="utf-8",
    )
    tools = Texts(home / "logs")
    for policy in ("own.toml", str(own), "below/../own.toml"):
        assert "policy own" in tools.read_hand(text=HAND, policy=policy)
    assert tools.simulate(policy="own.toml")
    elsewhere = (one for one in HOSTILE if one != "pipe")
    hostile = (
        *elsewhere,
        str(outside),
        "outside.toml",
        "link.toml",
        f"{outside}#x",
        "/etc/passwd#x",
    )
    told = []
    for policy in hostile:
        for name in (policy, policy.replace("outside", "missing").replace("passwd", "missing")):
            with pytest.raises(ToolError, match=r"^no policy") as refused:
                tools.simulate(policy=name)
            told.append(
                str(refused.value).replace("outside", "missing").replace("passwd", "missing")
            )
    assert told[::2] == told[1::2], "nothing is told of what is elsewhere"
    with pytest.raises(ToolError, match=r"^no policy"):
        tools.read_hand(text=HAND, policy=str(outside))
    with pytest.raises(ToolError, match="no policy"):
        tools.read_hand(text=HAND, policy="panel.toml")
    assert load_policy(panel).name == "both"


def test_a_folder_that_may_not_be_searched_is_said(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def refuse(path: Any, *given: Any, **more: Any) -> int:
        if path == "x.txt":
            raise PermissionError(13, "Permission denied", path)
        return opened(path, *given, **more)

    (closed / "x.txt").touch()
    (closed.parent / "night.txt").write_text(HAND)
    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "supports_dir_fd", {refuse})
    found = Texts(closed.parent).player_profile(path=".")
    assert "Hero (you)       1" in found
    assert "x.txt: cannot be read: Permission denied" in found


def test_a_misspelt_policy_is_meant(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / "logs")
    with pytest.raises(ToolError, match="did you mean 'people'"):
        Texts(Path()).simulate(policy="peopel")


@pytest.mark.thorough
def test_a_large_file_is_left_out_of_its_folder_with_a_word(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "logs" / "a-large.txt").write_text(HAND * 3)
    monkeypatch.setattr(sources, "MOST_BYTES", len(HAND) + 100)
    tools = Texts(home / "logs")
    large = f"a-large.txt: has more than {len(HAND) + 100:,} bytes"
    found = tools.player_profile(path=".")
    assert "Hero (you)       1" in found
    assert large in found
    assert large in tools.session_overview(path=".")
    assert large not in tools.player_profile(text=HAND)
    with pytest.raises(ToolError, match=f"^{large}"):
        tools.player_profile(path="a-large.txt")
    assert large in tools.read_hand(path=".")
    assert large in tools.value_decisions(path=".")
    assert large in tools.explain_action(1, path=".")
    with pytest.raises(ToolError, match=f"^no hand #9 among 1: .*\n{large}"):
        tools.read_hand(path=".", hand="#9")
    (home / "logs" / "below" / "a.txt").rename(home / "logs" / "0.txt")
    monkeypatch.setattr(sources, "MOST_FILES", 1)
    assert "Only the first 1 files were read." in tools.player_profile(path=".")
    (home / "logs" / "0.txt").unlink()
    with pytest.raises(ToolError, match=f"^no hand\n{large}"):
        tools.read_hand(path=".")
