"""docs/opponents.md defines every statistic as the program counts it; its program runs."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from docs.site.population import STUD_CHANCES
from handread.opponents.shares import FEW, SHIPPED_CHANCES, shipped_populations
from handread.opponents.statistics import STATISTICS
from handread.report.session_players import LEAST_HANDS
from tests.program import ROOT, run

pytestmark = pytest.mark.docs

PAGE = (ROOT / "docs" / "opponents.md").read_text("utf-8")


def test_every_statistic_stands_in_the_table_by_its_phrase_definition_and_name() -> None:
    section = PAGE.partition("\n## The statistics\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+) \| (.+) \| `(\w+)` \|$", section, re.M)
    found = [
        (phrase, re.sub(r"; (not in|in) [\w -/]+$", "", what), key) for phrase, what, key in rows
    ]
    expected = {}
    for one in STATISTICS:
        words = (
            text.format(first="the first", street="a later")
            for text in (one.phrase, one.definition)
        )
        expected[*words, one.key if one.street is None else f"{one.key[:-1]}N"] = None
    assert found == [*expected]


def test_the_numbers_of_players_and_chances_are_those_of_the_program() -> None:
    shipped = shipped_populations()
    stud, stud8, razz = (shipped[game]["plays"].players for game in ("stud", "stud8", "razz"))
    text = " ".join(PAGE.split())
    assert f"{stud} players of stud, {stud8} of hi/lo and {razz} of razz" in text
    assert not any(one.players for one in shipped["5stud"].values())
    assert f"about {shipped['stud']['plays'].strength:.0f} for `plays` in stud" in text
    assert f"and {shipped['stud']['to_showdown'].strength:.0f} for `to_showdown`" in text
    assert f"the shipped average counts as {SHIPPED_CHANCES} chances" in text
    assert f"stud, which counts as {STUD_CHANCES} chances" in text
    assert (FEW, LEAST_HANDS) == (10, 5)  # "ten", "fewer than five hands"


def test_the_program_reads_the_objects_of_players(tmp_path: Path) -> None:
    printed = run("players", "docs/first-evening.txt", "--json").stdout
    (tmp_path / "players.jsonl").write_text(printed, "utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```", PAGE, re.M | re.S)
    out = io.StringIO()
    with contextlib.chdir(tmp_path), contextlib.redirect_stdout(out):
        exec(compile(code, "opponents.md", "exec"), {})
    assert out.getvalue() == "NellB calls every bet on 7th street: 12\n"
