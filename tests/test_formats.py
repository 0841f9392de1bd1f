"""The dialects listed and explained, and grammars looked through for faults."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from handread.notation import dialects
from handread.notation.grammar_file import load_grammars
from handread.notation.lint import lint
from tests.program import run

WINAMAX = files("handread.grammars").joinpath("winamax.toml").read_text("utf-8")
IPOKER = files("handread.grammars").joinpath("ipoker.toml").read_text("utf-8")


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize("grammar", load_grammars(), ids=lambda grammar: grammar.name)
def test_nothing_is_wrong_with_the_grammars_of_handread(grammar: object, tmp_path: Path) -> None:
    name = f"{getattr(grammar, 'name')}.toml"  # noqa: B009 - of either kind
    path = tmp_path / name
    path.write_text(files("handread.grammars").joinpath(name).read_text("utf-8"), "utf-8")
    done = run("formats", "--lint", str(path))
    assert (done.returncode, done.stdout) == (0, f"{path}: nothing wrong\n")


@pytest.mark.parametrize(
    ("old", "new", "at", "fault"),
    [
        (
            'example = "Lena calls 0.05€"',
            'example = "Lena sings 0.05€"',
            'example = "Lena sings',
            ", example: is no line of its template: column 6: 'sings' makes no sense here"
            " (expected calls)",
        ),
        (
            'example = "Lena calls 0.05€"',
            'example = "Zoe  cals 0.05€"',
            'example = "Zoe ',
            "column 6: 'cals' makes no sense here; did you mean 'calls'? (expected calls)",
        ),
        (
            'example = "Seat 1: Lena (2.15€)"',
            'example = "Seat 1 : Lena (2.15€)"',
            'example = "Seat 1 :',
            "its template: column 7: there is a blank too many here (expected :)",
        ),
        (
            'example = "Lena calls 0.05€"',
            'example = "Lena calls"',
            'example = "Lena calls"',
            "its template: column 11: the line ends too early (expected an amount)",
        ),
        (
            'template = "{player} folds"',
            'template = "{player} {checks|folds}"',
            'example = "Lena folds"',
            ", example: is no line of its template: column 6: 'folds' makes no sense here"
            " (expected quits)",
        ),
        (
            'template = "{player} checks"\nexample = "Lena checks"',
            'template = "{player:text} {checks|folds}"\nexample = "Lena checks"',
            'example = "Lena folds"',
            ", example: is read by an earlier form, '{player:text} {checks|folds}'",
        ),
        ("'^Winamax Poker - '", "'^Winamax - '", "starts =", "starts: begins no hand"),
        ('event = "fold"', 'event = "flod"', 'event = "flod"', ", event: there is no event"),
        ("after = true", "after = 1", "after = 1", "[money], after: is true or false, not 1"),
        ("after = true", "behind = true", "behind = true", "[money], behind: there is no such key"),
    ],
)
def test_a_fault_is_told_with_its_line_and_field(old: str, new: str, at: str, fault: str) -> None:
    assert old in WINAMAX
    text = WINAMAX.replace(old, new, 1)
    if "{player:text}" in new:
        text = text.replace("{player:text}", "{player}")
        fault = fault.replace("{player:text}", "{player}")
    if old == 'template = "{player} folds"':
        text = text.replace('template = "{player} {checks|folds}"', 'template = "{player} quits"')
    _, found = lint(text, "mine.toml")
    told = [str(one) for one in found]
    assert any(fault in one for one in told), told
    assert any(one.line == line_of(text, at) for one in found), told


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            'event = "fold"',
            'event = "folds"',
            "event: there is no event 'folds'; did you mean \"fold\"?",
        ),
        (
            'part = "summary"',
            'part = "sumary"',
            "part: there is no part 'sumary'; did you mean \"summary\"?",
        ),
        ('"stud8"', '"stude8"', "there is no variant 'stude8'; did you mean \"stud8\"?"),
        ("[money]", "[honey]", "honey: there is no such key; did you mean [money]?"),
        ("[print.unknown]", "[print.unknwon]", "did you mean [print.unknown]?"),
        ("[[line]]", "[[lines]]", "lines: there is no such key; did you mean [[line]]?"),
        ("starts =", "start =", "start: there is no such key; did you mean starts?"),
        (
            "after = true",
            "aftre = true",
            "[money], aftre: there is no such key; did you mean after?",
        ),
        ("{player} folds", "{palyer} folds", "needs player or seat; did you mean {player}?"),
        ("{player} calls {added}", "{player} calls {aded}", "added or to; did you mean {added}?"),
        ("{stack}", "{stack:amuont}", "no kind of field 'amuont'; did you mean \"amount\"?"),
        ("{hand_id", "{hnad_id", "tells its hand_id; did you mean {hand_id}?"),
        ("{table}", "{tabel}", "table needs table; did you mean {table}?"),
        ("=all_in}", "=allin}", "template: {allin} says nothing; did you mean {all_in}?"),
    ],
)
def test_a_misspelt_word_of_a_grammar_is_told_with_the_right_one(
    old: str, new: str, fault: str
) -> None:
    assert old in WINAMAX
    _, found = lint(WINAMAX.replace(old, new), "mine.toml")
    told = [str(one) for one in found]
    assert any(fault in one for one in told), told


def test_a_field_of_an_element_may_be_misspelt_too() -> None:
    _, found = lint(
        IPOKER.replace('name="{player:text}" chips', 'name="{plyer:text}" chips'), "mine.toml"
    )
    assert [fault.message for fault in found] == ["{plyer} says nothing; did you mean {player}?"]


def test_every_first_line_begins_a_hand() -> None:
    other = """[[line]]
event = "hand"
template = "Old {hand_id} {game}"
example = "Old 7 7-Card Stud"
from = "nowhere"
"""
    _, found = lint(f"{WINAMAX}\n{other}", "mine.toml")
    assert [str(fault).split(", ", 1)[1] for fault in found] == [
        "example: begins no hand: it does not fit the regular expression starts"
    ]
    assert found[0].line == line_of(f"{WINAMAX}\n{other}", 'example = "Old')
    both = WINAMAX.replace("'^Winamax Poker - '", "'^(?:Winamax Poker - |Old )'")
    assert lint(f"{both}\n{other}", "mine.toml")[1] == []


def test_an_event_that_no_form_reports_is_a_fault() -> None:
    _, found = lint(IPOKER.replace('event = "bring_in"', 'event = "remark"'), "mine.toml")
    assert [fault.message for fault in found] == ["there is no form for the event 'bring_in'"]


def test_a_fault_of_an_element() -> None:
    text = IPOKER.replace('type="3" player="{player}"', 'type="x3" player="{player}"', 1)
    text = text.replace('player="{player}" type="3" sum="{added}"', 'player="{player}" type="9"')
    _, found = lint(text, "mine.toml")
    assert found
    assert all("[[element]]" in str(fault) for fault in found)


def test_a_hand_that_is_not_printed_as_it_was_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(WINAMAX.replace('raise_by = "increase"\n', ""), "utf-8")
    done = run("formats", "--lint", str(path))
    assert done.returncode == 1
    assert "print: no form of 'raise' can be printed" in done.stdout
    path.write_text(WINAMAX.replace("pot_before_rake = false", "pot_before_rake = true"), "utf-8")
    assert run("formats", "--lint", str(path)).returncode == 0
    path.write_text(WINAMAX.replace("cap = 4", "cap = 3"), "utf-8")
    assert run("formats", "--lint", str(path)).returncode == 0


@pytest.mark.parametrize("name", [dialect.name for dialect in dialects()])
def test_every_dialect_explains_itself(name: str) -> None:
    done = run("formats", "--explain", name)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].endswith(f"--dialect {name}")
    assert len(done.stdout.splitlines()) > 3
    told = json.loads(run("formats", "--explain", name, "--json").stdout)
    assert told["name"] == name
    for form in told["forms"]:
        assert form["example"] in done.stdout
        assert form["from"] in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--explain", "pokerstarts"),
        ("--lint",),
        ("winamax.toml",),
        ("--lint", "a.toml", "--explain", "winamax"),
    ],
)
def test_what_makes_no_sense_is_a_fault_of_usage(arguments: tuple[str, ...]) -> None:
    done = run("formats", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_files_that_hold_no_grammar(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "list.toml").write_text("line = 3\n")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 2000)
    names = [str(tmp_path / name) for name in ("bytes.toml", "list.toml", "deep.toml", "none")]
    done = run("formats", "--lint", *names)
    assert done.returncode == 1
    for name in names:
        assert any(line.startswith(name) for line in done.stdout.splitlines())
