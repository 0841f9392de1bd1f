"""README.md and docs/: run what they show and compare the outputs; follow their links."""

from __future__ import annotations

import contextlib
import doctest
import io
import itertools
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

import handread
from docs.site.reference.commands import all_commands
from docs.site.reference.markdown import anchor
from handread.cli import app
from handread.cli.program import first_command
from handread.formats.line_patterns import EVENTS
from handread.formats.registry import dialects, read_grammars
from handread.formats.styles import CardStyle, MoneyStyle
from handread.formats.template import field_kinds
from handread.game.replay import replay, written_out
from handread.policy import Panel, load_policy, parse_policy
from handread.policy.logit import FEATURES
from tests.examples import few
from tests.program import ROOT, run

pytestmark = pytest.mark.docs

PACKAGE = Path(handread.__file__).parent
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")))
}
NOTEBOOK = json.loads((ROOT / "docs" / "paper.ipynb").read_text("utf-8"))["cells"]
PAGES["docs/paper.ipynb"] = "\n\n".join(
    "".join(cell["source"]) for cell in NOTEBOOK if cell["cell_type"] == "markdown"
)


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the language and the text of each code block."""
    return re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)


def in_language(language: str, page: str) -> list[str]:
    """Return the code blocks of a page in a language."""
    return [text for kind, text in blocks(PAGES[page]) if kind == language]


README = PAGES["README.md"]
ROOM = PAGES["docs/add-a-room.md"]
RUN_APART = ("docs/add-a-room.md", "docs/own-policy.md")
"""The pages whose commands need files that the reader of the page makes."""

STEPS, _, REFERENCE = ROOM.partition("\n## Reference\n")
ROOM_BLOCKS = blocks(STEPS)
GRAMMAR = "\n".join(text for language, text in ROOM_BLOCKS if language == "toml")
LOG = next(text for language, text in ROOM_BLOCKS if language == "text")
ROLLOUTS = pytest.mark.dear("values all decisions of an evening, 32 of them by rollouts")
CONSOLE = [
    pytest.param(
        text,
        id=f"{page}: {text.splitlines()[0][2:60]}",
        marks=[ROLLOUTS] * text.startswith("$ handread decisions docs/first-evening.txt\n"),
    )
    for page in PAGES
    for text in in_language("console", page)
    if page not in RUN_APART
]


def same(expected: str, found: str) -> bool:
    """Return whether an output is as shown; ``...`` stands for any text."""
    # On a busy machine the work may take long enough for messages about it.
    quick = re.sub(
        r"^(compiling the kernels|[\w ]+, \d+/\d+|\w+: \d+, \d+:\d\d).*\n", "", found, flags=re.M
    )
    bare = [re.sub(r"\s+\n", "\n", text).rstrip() for text in (expected, quick)]
    return doctest.OutputChecker().check_output(bare[0], bare[1], doctest.ELLIPSIS)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_the_citation_and_the_changelog_are_of_this_version() -> None:
    version, released = (
        re.search(rf"^{key}: \"?([^\"\n]+)", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)[1]
        for key in ("version", "date-released")
    )
    # A version that is not released yet may stand above it.
    assert handread.__version__ == version or handread.__version__.endswith(".dev0")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == handread.__version__
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(r"^## .*?([0-9.]+ \(.*\))$", changes, re.M)[1] == f"{version} ({released})"


def test_set_up_and_tests_are_one_line_each() -> None:
    """What is tried first, and what is done last; ``.ci/run`` runs both."""
    (kind_1, job), (kind_2, tests) = blocks(README)[0], blocks(README)[-1]
    assert kind_1 == kind_2 == "sh"
    assert README.index("handread open") < README.index(job)
    assert job.count("\n") == tests.count("\n") == 1
    assert "handread analyze" in job
    assert "pytest" in tests


def test_the_index_lists_every_page_once() -> None:
    listed = re.findall(r"^\* \[.*?\]\(([^)]+)\): \S", PAGES["docs/index.md"], re.M)
    pages = [page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")]
    others = ["../CHANGELOG.md", "../CONTRIBUTING.md"]
    assert sorted(listed) == sorted({*pages, *others} - {"index.md"})


@pytest.mark.parametrize("page", PAGES)
def test_pictures_have_alternative_text(page: str) -> None:
    shown = re.findall(r"!\[(.*?)\]\(", PAGES[page]) + re.findall(r"<img [^>]*>", PAGES[page])
    for picture in shown:
        text = re.search(r'alt="([^"]*)"', picture)[1] if picture.startswith("<") else picture
        assert len(text.split()) > 3, picture


@pytest.mark.parametrize("page", PAGES)
def test_code_in_tables_has_no_bar(page: str) -> None:
    """Forges and the site escape it differently."""
    for row in re.findall(r"^\|.*", without_blocks(PAGES[page]), re.M):
        assert not [span for span in re.findall(r"`[^`]*`", row) if "|" in span], row


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings."""
    return set(map(anchor, re.findall(r"^#+ (.*)", without_blocks(text), re.M)))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(PAGES[page])):
        if target.startswith("https://"):
            continue
        name, _, place = target.partition("#")
        path = ((ROOT / page).parent / name).resolve() if name else ROOT / page
        if path.parent.name == "gallery" and path.suffix == ".html":  # made with the site
            path, place = path.with_suffix(".stud"), ""
        assert path.exists(), target
        assert not place or place in anchors(path.read_text(encoding="utf-8")), target


COMMANDS = {one.words: one.command for one in all_commands()}
"""All commands by their words, such as ``("policy", "show")``."""


def shown_commands(text: str) -> Iterator[list[str]]:
    """Yield the words of the commands in shell blocks and in code spans."""
    lines = [line for kind, block in blocks(text) if kind == "sh" for line in block.splitlines()]
    spans = re.findall(r"`(handread [^`]*)`", without_blocks(text).replace("\n", " "))
    for line in (*lines, *spans):
        for part in line.split("&&"):
            words = shlex.split(part, comments=True)
            if words and words[0].endswith("handread"):
                yield words[1:]


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_options_that_are_named_exist(page: str) -> None:
    # The log of changes names what earlier versions had.
    text = PAGES[page].partition("\n## 0.")[0] if page == "CHANGELOG.md" else PAGES[page]
    for words in shown_commands(text):
        n = 2 if tuple(words[:2]) in COMMANDS else 1
        if not words or not re.match(r"[a-z]", words[0]):
            n = 0
        # "logs" is the folder of the reader of a page.
        is_log = n == 1 and re.search(r"[./]|^logs$", words[0]) is not None
        command = first_command() if is_log else COMMANDS[tuple(words[:n])]
        taken = (name for option in command.params for name in option.opts + option.secondary_opts)
        options = {*taken, "--help", "-h", "--install-completion"}
        named = {word for word in words[n:] if re.match(r"-\D", word)}
        assert named <= options, words
        settings = {one.name for one in command.settings}
        before = itertools.pairwise(words)
        assert {name.partition("=")[0] for option, name in before if option == "--set"} <= settings


@pytest.mark.parametrize("page", PAGES)
def test_toml_is_toml(page: str) -> None:
    assert all(map(tomllib.loads, in_language("toml", page)))


def test_the_architecture_names_what_is_there() -> None:
    page = PAGES["docs/architecture.md"]
    text = page.replace("\n", " ")
    places = re.findall(r"`(\w+)` in `([\w/.-]+)`", text)
    assert len(places) > 30
    (flow,) = re.findall(r"## How one hand flows.*?^```text\n(.*?)^```", page, re.M | re.S)
    named = {*re.findall(r"`([\w-]+/[\w/.-]*|\w+\.py)`", text)}
    named |= {*re.findall(r"[\w/.-]+(?:\.py|\.json|/)(?!\w)", flow)}
    named -= {"pots.py"}  # which stands beside game/settle.py
    assert len(named) > 60

    def place(name: str) -> Path:
        return next((p for p in (ROOT / name, PACKAGE / name) if p.exists()), ROOT / "missing")

    assert [name for name in named if not place(name).exists()] == []
    for name, file in places:
        found = re.search(rf"^(def|class) {name}\b|^{name}\b.* = ", place(file).read_text(), re.M)
        assert found, f"{name} in {file}"


def test_the_architecture_lists_every_package() -> None:
    table = PAGES["docs/architecture.md"].partition("## What each package holds")[2]
    cells = re.findall(r"^\| (`.*?) \|", table.partition("\n## ")[0], re.M)
    listed = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    packages = {path.parent.name for path in PACKAGE.glob("*/*.py")}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert sorted(listed) == sorted(packages | modules)


def check_page(page: str, folder: Path) -> None:
    """Run the commands of a page in a folder."""
    for language, text in blocks(PAGES[page]):
        if language == "console":
            check_commands(text, folder)


SCORED: dict[str, tuple[str, Path]] = {}
"""By a command ``score``, with which many blocks begin, what it said and where."""


def check_commands(block: str, folder: Path) -> None:
    """Run the commands of a block in a folder with the samples; compare what they print."""
    for samples in ("sample_histories", "docs", "benchmark"):
        if not (folder / samples).exists():
            (folder / samples).symlink_to(ROOT / samples)
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
        program, *args = shlex.split(command)
        assert program == "handread"
        said, folder = SCORED.get(command, ("", folder))
        with contextlib.chdir(folder):
            said = said or CliRunner().invoke(app, args).output
        if args[0] == "score":
            SCORED[command] = said, folder
        assert same(expected, said), said


@pytest.mark.parametrize("block", few(CONSOLE, 5))
def test_commands_print_what_is_shown(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handread.parallel.usable_cores", lambda: 1)  # others load all anew
    check_commands(block, tmp_path)


@pytest.mark.thorough
def test_a_policy_and_a_reader_of_ones_own_read_as_shown(tmp_path: Path) -> None:
    page = "docs/own-policy.md"
    policy, panel = in_language("toml", page)
    reader, player = in_language("python", page)
    texts = {"mine.toml": policy, "halves.py": reader, "careful.py": player}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    check_page(page, tmp_path)
    assert isinstance(parse_policy(panel, str(tmp_path / "two-ideas.toml")), Panel)


@pytest.mark.thorough
def test_a_room_grows_as_the_steps_say(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(LOG, "utf-8")
    grammar = ""
    for language, text in ROOM_BLOCKS:
        if language == "toml":
            grammar += f"{text}\n"
            (tmp_path / "my-room.toml").write_text(grammar, "utf-8")
        elif language == "console":
            check_commands(text, tmp_path)
    known = read_grammars([tmp_path / "my-room.toml"])
    (hand,) = known.named("harbour").read(LOG, "log.txt")
    played = replay(hand)
    assert played.finished
    told = [line for line in LOG.splitlines() if not line.endswith("the quay")]
    assert known.writer("harbour").write(written_out(played)).splitlines() == told


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("'^Harbour h", "'^Harbor h", "matches no example of the event 'hand'"),
        ("'^Harbour h", "'^Harbor h", "its lines resemble those of Harbour"),
        ('symbols = "$"', 'symbols = "€"', "example: does not match its template"),
        (
            '[[line]]\nevent = "table"',
            '[[line]]\nevent = "hand"\ntemplate = "Harbor hand {hand_id}"\n'
            'example = "Harbor hand 1"\nfrom = "x"\nprinted = false\n\n[[line]]\nevent = "table"',
            "example: does not match the regular expression starts",
        ),
        (
            '"{player} mucks"\nexample = "Lena mucks"',
            '"{player} {mucks|folds}"\nexample = "Lena folds"',
            "is read by an earlier pattern",
        ),
        ("bets {added}", "bets {chips:amount}", "bet needs added or to"),
        ('["?"]', "[]", "'?' makes no sense here (expected cards such as 7h Ts)"),
        ('"Seven Stud" =', '"7 Stud" =', "not read: 1 Seven Stud; handread reads fixed-limit stud"),
        ("calls {added}", "calls {to}", "seat 5 (Tova) calls -$1.00 (expected $1.00)"),
        (
            "rake = true",
            "rake = false",
            "the record's total pot is $12.55, but $12.55 were put in and $0.50 kept as the rake",
        ),
        ('date = "1 January 1970 00:00"', "", "it needs date as well"),
    ],
)
def test_common_faults_look_as_shown(old: str, new: str, fault: str, tmp_path: Path) -> None:
    assert f"`{fault}" in REFERENCE
    assert old in GRAMMAR
    grammar, log = tmp_path / "my-room.toml", tmp_path / "log.txt"
    grammar.write_text(GRAMMAR.replace(old, new, 1), "utf-8")
    log.write_text(LOG, "utf-8")
    told = run("formats", "--lint", str(grammar)).stdout
    told += run("check", "--grammar", str(grammar), str(log)).stderr
    assert fault in told


def test_a_log_without_a_heading_for_the_first_street_is_read_by_its_deals(tmp_path: Path) -> None:
    fault, cure = "a card is dealt before 3rd street", "[streets]` needs `by_deals = true"
    assert f"`{fault}`" in REFERENCE
    assert f"`{cure}`" in REFERENCE
    grammar, log = tmp_path / "my-room.toml", tmp_path / "log.txt"
    grammar.write_text(GRAMMAR, "utf-8")
    log.write_text(LOG.replace("-- third street\n", ""), "utf-8")
    assert fault in run("check", "--grammar", str(grammar), str(log)).stderr
    grammar.write_text(GRAMMAR.replace("[money]", "[streets]\nby_deals = true\n[money]"), "utf-8")
    assert run("check", "--grammar", str(grammar), str(log)).stdout.startswith("1 hand: 1 accepted")


def test_the_elements_shown_are_those_of_a_room() -> None:
    shown, like = (text for language, text in blocks(REFERENCE) if language == "toml")
    assert files("handread.grammars").joinpath("pokerbros.toml").read_text("utf-8").endswith(like)
    ipoker = files("handread.grammars").joinpath("ipoker.toml").read_text("utf-8")
    forms = shown.strip().split("\n\n")
    assert forms
    assert all(form in ipoker for form in forms)


def test_every_event_kind_and_room_is_described() -> None:
    for word in (*EVENTS, *field_kinds(CardStyle(), MoneyStyle(""))):
        assert f"`{word}`" in REFERENCE, word
    for dialect in dialects():
        assert f"\n{dialect.name} " in PAGES["docs/formats.md"]


def test_the_worked_example() -> None:
    python = [page for page in PAGES if in_language("python", page)]
    assert python == ["CONTRIBUTING.md", "docs/ask.md", "docs/own-policy.md", "docs/python.md"]
    (_, code), (_, expected) = blocks(PAGES["docs/python.md"])[:2]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.chdir(ROOT):
        exec(compile(code, "python.md", "exec"), {})
    assert same(expected, out.getvalue()), out.getvalue()


def test_the_policies_shown_are_policies() -> None:
    page = "docs/policies.md"
    ramps, logit, games, less = in_language("toml", page)
    assert parse_policy(ramps, page) == load_policy("loose")
    weights = parse_policy(logit, page)
    assert weights.fold[FEATURES.index("percentile")] == -1.5
    mixed = parse_policy(logit + games.replace('razz = "my-razz.toml"', ""), page)
    assert [(game, one.name) for game, one in mixed.by_game] == [("stud8", "people-mixed")]
    head = 'schema = "handread.policy/1"\nname = "p"\nfamily = "panel"\n'
    panel = parse_policy(f'{head}{less}\n[[members]]\npolicy = "loose"\nprior = 1', page)
    assert (panel.idle, panel.repeats) == ((("stud", (0.15, 0.3)),), (("stud", (0.5, 0.1)),))
