"""The dialects listed and explained, and grammars looked through for faults."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from handread.formats.grammar import new_grammar
from handread.formats.lint import lint, nested_repetition
from handread.formats.registry import dialects
from handread.formats.room import rooms
from tests.program import run

WINAMAX = files("handread.grammars").joinpath("winamax.toml").read_text("utf-8")
IPOKER = files("handread.grammars").joinpath("ipoker.toml").read_text("utf-8")

READ_ONLY = re.sub(r"\[print.*?(?=\n#)", "", new_grammar("my-room"), flags=re.S)
"""The draft of a room whose hands are not printed."""


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize("room", [room.name for room in rooms()])
def test_nothing_is_wrong_with_the_grammars_of_handread(room: str, tmp_path: Path) -> None:
    name = f"{room}.toml"
    path = tmp_path / name
    path.write_text(files("handread.grammars").joinpath(name).read_text("utf-8"), "utf-8")
    done = run("formats", "--lint", str(path))
    assert (done.returncode, done.stdout) == (0, f"{path}: nothing wrong\n")


CALLS = 'example = "Lena calls 0.05€"'
MISFIT = ", example: does not match its template: "


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (CALLS, CALLS.replace("calls", "sings"), f"{MISFIT}column 6: 'sings' makes no sense here"),
        (
            CALLS,
            CALLS.replace("Lena calls", "Zoe  cals"),
            "makes no sense here; did you mean 'calls'",
        ),
        (CALLS, CALLS.replace(" 0.05€", ""), "column 11: the line ends too early (expected an amo"),
        ('"Seat 1: Lena (', '"Seat 1 : Lena (', f"{MISFIT}column 7: there is an extra blank here"),
        ("{player} folds", "{player} quits", f"{MISFIT}column 6: 'folds' makes no sense here"),
        ("'^Winamax Poker - '", "'^Winamax - '", "starts: matches no example"),
        ('event = "fold"', 'event = "folds"', "no event 'folds'; did you mean \"fold\"?"),
        ("after = true", "after = 1", "[money], after: must be true or false, not 1"),
        ("after = true", "aftre = true", "aftre: there is no such key; did you mean after?"),
        ('part = "summary"', 'part = "sumary"', "no part 'sumary'; did you mean \"summary\"?"),
        ('"stud8"', '"stude8"', "there is no variant 'stude8'; did you mean \"stud8\"?"),
        ("[money]", "[honey]", "honey: there is no such key; did you mean [money]?"),
        ("{player} folds", "{palyer} folds", "needs player or seat; did you mean {player}?"),
        ("{stack}", "{stack:amuont}", "no kind of field 'amuont'; did you mean \"amount\"?"),
        ("{hand_id", "{hnad_id", "states its hand_id; did you mean {hand_id}?"),
        ("=all_in}", "=allin}", "template: {allin} has no meaning; did you mean {all_in}?"),
    ],
)
def test_a_fault_is_told_with_its_line_and_the_right_word(old: str, new: str, fault: str) -> None:
    line = line_of(WINAMAX, old)
    _, found = lint(WINAMAX.replace(old, new), "mine.toml")
    told = [str(one) for one in found if fault in str(one)]
    assert told, found
    # The fault of a template may be that of its example, which stands below.
    assert any(f":{n}: " in one for one in told for n in (line, line + 1)) or "states" in fault


def test_a_form_before_its_own_reads_an_example() -> None:
    checks = 'template = "{player} checks"\nexample = "Lena checks"'
    _, found = lint(
        WINAMAX.replace(checks, checks.replace(" checks", " {checks|folds}", 1)), "a.toml"
    )
    (fault,) = found
    assert fault.message == "is read by an earlier pattern, '{player} {checks|folds}'"
    assert WINAMAX.split("\n")[fault.line - 1] == 'example = "Lena folds"'


def test_a_field_of_an_element_may_be_misspelt_too() -> None:
    _, found = lint(
        IPOKER.replace('name="{player:text}" chips', 'name="{plyer:text}" chips'), "mine.toml"
    )
    assert [fault.message for fault in found] == ["{plyer} has no meaning; did you mean {player}?"]


def test_every_first_line_begins_a_hand() -> None:
    other = """[[line]]
event = "hand"
template = "Old {hand_id} {game}"
example = "Old 7 7-Card Stud"
from = "nowhere"
"""
    _, found = lint(f"{WINAMAX}\n{other}", "mine.toml")
    assert [str(fault).split(", ", 1)[1] for fault in found] == [
        "example: does not match the regular expression starts"
    ]
    assert found[0].line == line_of(f"{WINAMAX}\n{other}", 'example = "Old')
    both = WINAMAX.replace("'^Winamax Poker - '", "'^(?:Winamax Poker - |Old )'")
    assert lint(f"{both}\n{other}", "mine.toml")[1] == []


def test_an_event_that_no_form_reports_is_a_fault() -> None:
    _, found = lint(IPOKER.replace('event = "bring_in"', 'event = "remark"'), "mine.toml")
    assert [fault.message for fault in found] == ["there is no pattern for the event 'bring_in'"]


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
    assert "print: no pattern for 'raise' can be printed" in done.stdout
    path.write_text(WINAMAX.replace("pot_before_rake = false", "pot_before_rake = true"), "utf-8")
    assert run("formats", "--lint", str(path)).returncode == 0
    path.write_text(WINAMAX.replace("cap = 4", "cap = 3"), "utf-8")
    assert run("formats", "--lint", str(path)).returncode == 0


@pytest.mark.parametrize("name", [dialect.name for dialect in dialects()])
def test_every_dialect_explains_itself(name: str) -> None:
    done = run("formats", "--explain", name, COLUMNS="1000")
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


@pytest.mark.parametrize(
    ("new", "fault"),
    [
        ("{player} folds; {player} is out", "{player} occurs twice"),
        ("{player} folds{? and {player} leaves}", "such as {other:player}"),
        ("{player} folds{? out=out}{? of it=out}", "{out} occurs twice"),
    ],
)
def test_a_field_that_stands_twice_is_a_fault(new: str, fault: str, tmp_path: Path) -> None:
    text = WINAMAX.replace('template = "{player} folds"', f'template = "{new}"')
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    done = run("formats", "--lint", str(path))
    assert done.returncode == 1
    assert done.stdout.startswith(f"{path}:{line_of(text, new)}: [[line]] ")
    assert fault in done.stdout
    for command in (["formats", "--explain", "winamax"], ["check", str(path)]):
        refused = run(*command, "--grammar", str(path))
        assert refused.returncode == 2
        assert "occurs twice" in re.sub(r"[\s│]+", " ", refused.stderr)


def test_a_field_that_stands_in_two_attributes_is_a_fault() -> None:
    text = IPOKER.replace('name="{player:text}" chips="{stack}"', 'name="{stack}" chips="{stack}"')
    assert text != IPOKER
    _, found = lint(text, "mine.toml")
    assert any("{stack} occurs twice" in fault.message for fault in found), found


@pytest.mark.parametrize(
    ("slow", "regexes"),
    [
        (True, r"^(a+)+$ ^(?:a*b?)*! ^(?:[a(]+){2,}x ^(?:(?:\d+,)?)+x ^(?:a{2,30})*x ^(a+?)+"),
        (True, r"^(?:a++b+)+$"),
        (False, r"^a+b+$ ^(?:a\+)+x ^(?:[a+*]b)+ ^(?:a+){2} ^(?:a?b)* ^(a+)b+ ^(?:a{3})+"),
        (False, r"^(?:a++)+$"),  # possessive
    ],
)
def test_repetition_inside_repetition_is_warned_of(slow: bool, regexes: str) -> None:
    for regex in regexes.split():
        assert re.compile(regex)
        assert nested_repetition(regex) == slow, regex


def test_what_a_grammar_hardly_does_without_is_warned_of(tmp_path: Path) -> None:
    text = WINAMAX.replace("'^Winamax Poker - '", "'^(W+)+inamax Poker - '")
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    done = run("formats", "--lint", str(path))
    assert done.returncode == 0
    line = line_of(text, "starts =")
    assert done.stdout.startswith(
        f"{path}:{line}: warning: starts: repeats what is itself repeated"
    )
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "ends", "warned"),
    [
        (READ_ONLY, "collect", "no pattern reads winnings"),
        (READ_ONLY, "show", "no pattern reads a showdown"),
        (IPOKER, "won", "no pattern reads winnings"),
    ],
)
def test_a_grammar_without_the_end_of_hands_is_warned_of(text: str, ends: str, warned: str) -> None:
    assert lint(text, "mine.toml")[1] == []
    _, found = lint(text.replace(f'event = "{ends}"', 'event = "known"'), "mine.toml")
    assert [fault.warning and warned in fault.message for fault in found] == [True]


def test_a_draft_of_a_new_room_reads_its_hand_and_is_edited(tmp_path: Path) -> None:
    done = run("formats", "--new", "my-room")
    assert (done.returncode, done.stderr) == (0, "")
    draft, path, log = done.stdout, tmp_path / "my-room.toml", tmp_path / "log.txt"
    comment = re.findall(r"^#   (My Room Hand #.*?)^#?\n", draft, re.M | re.S)
    (hand,) = (text.replace("\n#   ", "\n") for text in comment)
    path.write_text(draft, "utf-8")
    log.write_text(hand, "utf-8")
    grammar = ("--grammar", str(path))
    assert run("formats", "--lint", str(path)).stdout == f"{path}: nothing wrong\n"
    strict = run("check", *grammar, "--strict", str(log))
    assert strict.stdout == "1 hand: 1 accepted, 0 refused\n"
    assert run("convert", *grammar, "--to", "my-room", str(log)).stdout == hand
    for example, origin in re.findall(r'^example = "(.*)"\nfrom = "(.*)"', draft, re.M):
        assert (example in hand.split("\n")) == origin.startswith("the hand above")

    path.write_text(draft.replace(": folds", " lays it down"), "utf-8")
    log.write_text(hand.replace(": folds", " lays it down"), "utf-8")
    assert run("formats", "--lint", str(path)).stdout == f"{path}: nothing wrong\n"
    assert run("check", *grammar, "--strict", str(log)).stdout == strict.stdout
    log.write_text(hand, "utf-8")
    assert "'folds'" in run("check", *grammar, "--strict", str(log)).stderr


@pytest.mark.parametrize("name", ["My Room", "", "-room", "phh", "winamax"])
def test_a_new_room_needs_a_name_of_its_own(name: str) -> None:
    done = run("formats", f"--new={name}")
    assert (done.returncode, done.stdout) == (2, "")
    assert "name" in done.stderr
