"""One name for players who have several, and names to leave out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from handread.names import NO_NAMES, Names, read_names
from tests.hands import GOLDEN, hand
from tests.program import run

LOG = "docs/first-evening.txt"

FILE = """
[players]
Rooster_21 = "The Rooster"
rooster22 = "The Rooster"
"Silas.W" = ""
"""


@pytest.fixture
def names(tmp_path: Path) -> Path:
    file = tmp_path / "names.toml"
    file.write_text(FILE, "utf-8")
    return file


def test_a_hand_has_the_names_of_the_file() -> None:
    known = hand(GOLDEN)
    seats = [replace(seat, name=f"player {seat.number}") for seat in known.seats]
    known = replace(known, seats=tuple(seats))
    first, second, *others = [seat.name for seat in known.seats]
    found = Names({first: "Tom", second: "", "nobody": "Zoe"}).renamed(known)
    assert [seat.name for seat in found.seats] == ["Tom", "", *others]
    assert found.events == known.events
    assert NO_NAMES.renamed(known) is known
    assert Names({"nobody": "Zoe"}).renamed(known) is known


def test_the_terms_are_equal_for_equal_names(names: Path) -> None:
    found = read_names(names)
    assert found.of == {"Rooster_21": "The Rooster", "rooster22": "The Rooster", "Silas.W": ""}
    assert found.terms == Names(dict(reversed(found.of.items()))).terms
    assert found.terms != Names({**found.of, "Silas.W": "Silas"}).terms
    assert NO_NAMES.terms == ""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "has no names: expected [players]"),
        ("[player]\na = 'b'\n", "'player' is not known: expected [players]"),
        ("players = 3\n", "has no names"),
        ("[players]\na b = 'c'\n", "at line 2, column 3); names of players stand in quotes"),
        ("[players]\na = 3\n", "'a' stands for 3: expected a name in quotes"),
        ("[players]\na = 'b'\nb = 'c'\n", "'a' stands for 'b', which stands for another name"),
        ("[players]\na = 'b'\na = 'c'\n", "names of players stand in quotes"),
    ],
)
def test_a_faulty_file_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "names.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"names\.toml: ") as error:
        read_names(file)
    assert fault in str(error.value)
    done = run("players", LOG, "--names", str(file))
    assert done.returncode == 2
    # The frame breaks a long path anywhere.
    assert "names.toml" in re.sub(r"[│\s]", "", done.stderr)


def test_a_name_may_stand_for_itself(tmp_path: Path) -> None:
    file = tmp_path / "names.toml"
    file.write_text("[players]\nTom = 'Tom'\ntom_88 = 'Tom'\n", "utf-8")
    assert read_names(file).of["tom_88"] == "Tom"


@pytest.mark.thorough
def test_players_with_several_names_are_one(
    names: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Path(LOG).read_text("utf-8").split("\n\n\n")
    log = tmp_path / "log.txt"
    later = [text.replace("Rooster_21", "rooster22") for text in evening[20:]]
    log.write_text("\n\n\n".join([*evening[:20], *later]), "utf-8")

    def hands(*options: str) -> dict[str | None, int]:
        lines = run("players", str(log), "--json", *options).stdout.splitlines()
        return {one["name"]: one["hands"] for one in map(json.loads, lines)}

    apart = hands()
    joined = hands("--names", str(names))
    assert joined["The Rooster"] == apart["Rooster_21"] + apart["rooster22"] == 60
    assert joined[None] == apart["Silas.W"]
    assert not {"Rooster_21", "rooster22", "Silas.W"} & joined.keys()
    monkeypatch.setenv("HANDREAD_NAMES", str(names))
    assert hands() == joined


@pytest.mark.thorough
def test_all_commands_use_the_names(names: Path, tmp_path: Path) -> None:
    log, option = f"{LOG}:3498", ("--names", str(names))
    done = run("analyze", log, *option, "--viewpoint", "The Rooster", "--policy", "loose")
    assert done.returncode == 0, done.stderr
    assert "The Rooster" in done.stdout
    assert "Rooster_21" not in done.stdout
    out = tmp_path / "tables"
    short = tmp_path / "short.txt"
    short.write_text("\n\n\n".join(Path(LOG).read_text("utf-8").split("\n\n\n")[:2]), "utf-8")
    done = run("score", str(short), "-o", str(out), "--policy", "loose", *option)
    assert done.returncode == 0, done.stderr
    assert '"The Rooster"' in run("players", str(out), "--json", "--least-hands", "1").stdout
    again = run("score", str(short), "-o", str(out), "--policy", "loose", "--resume")
    assert again.returncode == 2
    assert "other names of players (--names)" in again.stderr
