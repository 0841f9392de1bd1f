"""docs/reference/: the pages are up to date, and describe everything that they should."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

griffe = pytest.importorskip("griffe", reason="needs pip install -e '.[docs]'")

from docs.site.reference.commands import all_commands
from docs.site.reference.grammars import about
from docs.site.reference.markdown import anchor
from docs.site.reference.pages import FOLDER, PAGES, is_current
from docs.site.reference.python import Described, all_described, members, others
from handread import api
from handread.formats.faults import GrammarReader
from handread.formats.grammar import grammar_files, parse_grammar
from handread.formats.line_patterns import EVENTS
from handread.formats.styles import CardStyle, MoneyStyle
from handread.formats.template import TELLING, field_kinds
from handread.policy import ALIASES, policy_names
from handread.policy.files import SCHEMA as POLICY_VERSION
from handread.report.html.data import SCHEMA as PAGE_VERSION
from handread.report.schemas import SCHEMA_NAMES, json_schema
from handread.tables import VERSION as TABLES_VERSION
from handread.tables.columns import COLUMNS
from tests.examples import few
from tests.program import ROOT, run

pytestmark = pytest.mark.docs

STALE = "is out of date: run python -m docs.site.reference, read what has changed, and commit it"
TEXTS = {name: (FOLDER / name).read_text("utf-8") for name in PAGES if (FOLDER / name).exists()}


@pytest.mark.parametrize("name", few(sorted(PAGES, key="grammars.md".__eq__), len(PAGES) - 1))
def test_pages_are_up_to_date(name: str) -> None:
    assert is_current(name), f"docs/reference/{name} {STALE}"


def test_there_is_no_other_page() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


@pytest.mark.parametrize("name", [name for name in PAGES if name.endswith(".md")])
def test_pages_are_sound(name: str) -> None:
    """Anchors are unique, no word is taken for HTML, and nothing lacks a description."""
    text = re.sub(r"^```.*?^```", "", TEXTS[name], flags=re.M | re.S)
    found = Counter(anchor(title) for title in re.findall(r"^#+ (.*)", text, re.M))
    assert [title for title, n in found.items() if n > 1] == []
    assert "<" not in re.sub(r"(`+).*?\1|<br>|^<!--.*-->$", "", text, flags=re.M | re.S)
    assert re.findall(r"^.*(?:: *$\n\*|\| \|$)", TEXTS[name].replace("| --- |\n", ""), re.M) == []


def test_every_command_option_and_argument_is_described() -> None:
    page = TEXTS["commands.md"]
    for one in all_commands():
        section = re.split(r"^#+ ", page.partition(f"# {one.title}\n")[2], flags=re.M)[0]
        assert one.command.help
        assert f"{one.title} " in section
        for parameter in one.command.params:
            assert parameter.help, f"{one.title}: {parameter.name}"
            names = [*parameter.opts, *parameter.secondary_opts]
            if parameter.param_type_name == "argument":
                names = [(parameter.metavar or parameter.name.upper()).strip("[]")]
            for name in names:
                item = rf"^\* `([^`]*[ \[])?{re.escape(name)}[\], .`][^`]*`?: \S"
                assert re.search(item, section, re.M), f"{one.title}: {name}"


PARAMETERS = griffe.DocstringSectionKind.parameters
ATTRIBUTES = griffe.DocstringSectionKind.attributes
RETURNS = griffe.DocstringSectionKind.returns


def sections(found: griffe.Object) -> dict[griffe.DocstringSectionKind, object]:
    assert found.docstring is not None, f"{found.path} has no docstring"
    # The first of a kind: an example at the end is a text, too.
    return {section.kind: section.value for section in reversed(found.docstring.parsed)}


def described(found: griffe.Object, kind: griffe.DocstringSectionKind) -> list[str]:
    """The names in a section of a docstring, each of which has a description."""
    items = sections(found).get(kind, ())
    assert all(item.description.strip() for item in items), found.path
    return [item.name for item in items]


def check_function(found: griffe.Object) -> None:
    names = described(found, PARAMETERS)
    assert [n.lstrip("*") for n in names] == [p.name for p in found.parameters if p.name != "self"]
    told = sections(found)
    if str(found.returns) != "None" and RETURNS not in told:
        text = str(told[griffe.DocstringSectionKind.text])
        assert text.startswith(("Return ", "Yield ")), f"{found.path}: what does it return?"


def test_the_python_page_has_every_public_name() -> None:
    names = [one.name for one in all_described()]
    lines = [one.name for one in others()]
    assert sorted(api.__all__) == sorted([*names, *lines, "ReadBy"])
    for name in (*lines, "ReadBy"):
        assert re.search(rf"(^\* |\. )`{name}`(:| is) \S", TEXTS["python.md"], re.M), name
    for one in all_described():
        assert f"\n### {one.title}\n" in TEXTS["python.md"]


@pytest.mark.parametrize("one", all_described(), ids=lambda one: one.name)
def test_docstrings_say_everything(one: Described) -> None:
    assert sections(one.found)
    if isinstance(one.found, griffe.Function):
        check_function(one.found)
        return
    fields = []
    for name, member in members(one.found).items():
        if isinstance(member, griffe.Function):
            check_function(member)
        elif "property" in member.labels:
            assert sections(member)
        else:
            fields.append(name)
    assert described(one.found, ATTRIBUTES) == fields


def described_in(page: str, title: str) -> list[str]:
    """The names in the table of a section; each has a description."""
    section = TEXTS[page].partition(f"# {title}\n")[2].partition("\n#")[0]
    return re.findall(r"^\| `(\w+)`.* \| \S.{3,} \|$", section, re.M)


def test_every_column_is_described() -> None:
    for name, columns in COLUMNS.items():
        assert described_in("tables.md", name) == [column.name for column in columns]


def fields(schema: Any) -> Iterator[tuple[str, Any]]:
    """Yield every field of a schema, at whatever depth, by name."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, dict | list):
            yield from fields(part)


@pytest.mark.parametrize("name", SCHEMA_NAMES)
def test_every_field_is_described(name: str) -> None:
    schema = json_schema(name)
    Draft202012Validator.check_schema(schema)
    page = TEXTS["json.md"]
    assert f"\n* [JSON of {name}]" in page
    title = "## JSON of " + ("analysis" if name == "decisions" else name)
    section = page.partition(f"{title}\n")[2].partition("\n## ")[0]
    told = {path.rpartition(".")[2] for path in re.findall(r"^\| `(\S+)`<br>", section, re.M)}
    found = dict(fields(schema))
    assert found.keys() <= told
    assert all(field.get("description") or "const" in field for _, field in fields(schema))
    assert all("description" in each for each in schema.get("$defs", {}).values())


def test_an_unknown_schema_is_met_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"'analyze': expected one of analysis, .* 'analysis'\?$"):
        json_schema("analyze")


JSON_LINES = {
    "formats": (("formats",), ("formats", "--explain", "ipoker")),
    "policy": (
        ("policy", "list"),
        *(("policy", "show", name) for name in ("people", "panel", "trees", "tight")),
    ),
    "players": (("players", "sample_histories"), ("players", "docs/first-evening.txt", "NellB")),
    "check": (
        ("check", "sample_histories/broken-card.stud", "sample_histories/steal.stud", "README.md"),
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", JSON_LINES)
def test_what_is_printed_follows_its_schema(name: str) -> None:
    validator = Draft202012Validator(json_schema(name))
    for words in JSON_LINES[name]:
        lines = run(*words, "--json").stdout.splitlines()
        assert lines
        for line in lines:
            validator.validate(json.loads(line))


@pytest.mark.thorough
def test_the_programs_that_check_versions_work(tmp_path: Path) -> None:
    sample = str(ROOT / "sample_histories" / "steal.stud")
    (tmp_path / "hands.jsonl").write_text(run("analyze", "--json", sample).stdout, "utf-8")
    assert run("score", sample, "-o", str(tmp_path / "scores")).returncode == 0
    hands = str(tmp_path / "hands.stud")
    assert run("convert", sample, "--to", "saund", "-o", hands).returncode == 0
    (statement,) = re.findall(r"^```sql\n(.*?)^```", TEXTS["tables.md"], re.M | re.S)
    assert run("query", str(tmp_path / "scores"), statement).returncode == 0
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    programs = re.findall(r"^```py\n(.*?)^```", page, re.M | re.S)
    (shown,) = re.findall(r"^```text\n(.*?)^```", page, re.M | re.S)
    assert len(programs) == 3
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.chdir(tmp_path):
        for program in programs:
            exec(compile(program, "commands.md", "exec"), {})
    assert out.getvalue() == shown


def test_the_versions_are_those_of_the_program() -> None:
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    versions = {json_schema(name)["$id"] for name in SCHEMA_NAMES} | {TABLES_VERSION}
    versions |= {POLICY_VERSION, PAGE_VERSION}
    for version in versions - {"handread.check", "handread.policy", "handread.formats"}:
        assert f"`{version}`" in page
    assert all(f"`{name}`" in page for name in SCHEMA_NAMES)


def test_every_event_kind_and_field_is_described() -> None:
    assert described_in("grammars.md", "Events") == list(EVENTS)
    kinds = field_kinds(CardStyle(), MoneyStyle(""))
    assert described_in("grammars.md", "Kinds of fields") == list(kinds)
    assert described_in("grammars.md", "Fields and flags") == sorted(TELLING)


def test_every_key_of_a_grammar_is_described() -> None:
    known: dict[tuple[str, ...], set[str]] = {}

    def note(faults: Any, table: Any, keys: Any) -> None:
        path = tuple(str(key) for key in faults._path if not isinstance(key, int))
        known.setdefault(path, set()).update(keys)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GrammarReader, "known_keys", note)
        for file in grammar_files():
            if file.name in ("winamax", "ipoker", "ongame"):  # which have all tables
                parse_grammar(file.text, file.file)
    assert known.pop(()) == set(described_in("grammars.md", "Keys of a grammar"))
    patterns = known.pop(("line",)) | known.pop(("element",))
    assert patterns == set(described_in("grammars.md", "Line patterns"))
    assert known.pop(("labels",)) == {"hand_id", "table"}
    known["house_rules",] -= {"default_bring_in"}  # a table, of which each key is optional
    known["house_rules", "default_bring_in"] = {"cash", "tournament"}
    titles = {f"[{'.'.join(path)}]": keys for path, keys in known.items()}
    assert set(re.findall(r"^### (\[.*)", TEXTS["grammars.md"], re.M)) == set(titles)
    for title, keys in titles.items():
        assert set(described_in("grammars.md", title)) == keys, title


def test_every_grammar_and_policy_has_a_section() -> None:
    for file in grammar_files():
        assert f"\n### {file.name}\n" in TEXTS["grammars.md"]
        assert len(about(file)) > 20
    for name in policy_names():
        assert f"`{name}`" in TEXTS["policies.md"]
        assert name in ALIASES or f"\n## {name}\n" in TEXTS["policies.md"]
