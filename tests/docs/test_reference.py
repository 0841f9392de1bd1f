"""docs/reference/: the pages are up to date, and describe everything that they should."""

from __future__ import annotations

import re
from collections import Counter

import griffe
import pytest

from docs.site.reference.commands import all_commands, parameters
from docs.site.reference.markdown import anchor
from docs.site.reference.pages import FOLDER, PAGES, is_current
from docs.site.reference.python import Described, all_described, members
from handread import api

pytestmark = pytest.mark.docs

STALE = "is out of date: run python -m docs.site.reference, read what has changed, and commit it"
TEXTS = {name: (FOLDER / name).read_text("utf-8") for name in PAGES if (FOLDER / name).exists()}


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_up_to_date(name: str) -> None:
    assert is_current(name), f"docs/reference/{name} {STALE}"


def test_there_is_no_other_page() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_anchors_are_unique(name: str) -> None:
    text = re.sub(r"^```.*?^```", "", TEXTS[name], flags=re.M | re.S)
    found = Counter(anchor(title) for title in re.findall(r"^#+ (.*)", text, re.M))
    assert [title for title, n in found.items() if n > 1] == []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_lacks_a_description(name: str) -> None:
    assert re.findall(r"^.*(?:: *$\n\*|\| \|$)", TEXTS[name].replace("| --- |\n", ""), re.M) == []


def test_every_command_option_and_argument_is_described() -> None:
    page = TEXTS["commands.md"]
    for one in all_commands():
        section = re.split(r"^#+ ", page.partition(f"# {one.title}\n")[2], flags=re.M)[0]
        assert one.command.help
        assert f"{one.title} " in section
        for parameter in parameters(one.command):
            assert parameter.help, f"{one.title}: {parameter.name}"
            names = [*parameter.opts, *parameter.secondary_opts]
            if parameter.param_type_name == "argument":
                names = [parameter.metavar or parameter.name.upper()]
            for name in names:
                item = rf"^\* .*`\[?{re.escape(name)}[\]. |`].*?: \S"
                assert re.search(item, section, re.M), f"{one.title}: {name}"


PARAMETERS = griffe.DocstringSectionKind.parameters
ATTRIBUTES = griffe.DocstringSectionKind.attributes
RETURNS = griffe.DocstringSectionKind.returns


def sections(found: griffe.Object) -> dict[griffe.DocstringSectionKind, object]:
    assert found.docstring is not None, f"{found.path} has no docstring"
    return {section.kind: section.value for section in found.docstring.parsed}


def described(found: griffe.Object, kind: griffe.DocstringSectionKind) -> list[str]:
    """The names in a section of a docstring, each of which has a description."""
    items = sections(found).get(kind, ())
    assert isinstance(items, list | tuple)
    assert all(item.description.strip() for item in items), found.path
    return [item.name for item in items]


def check_function(found: griffe.Object) -> None:
    assert isinstance(found, griffe.Function)
    names = described(found, PARAMETERS)
    assert [n.lstrip("*") for n in names] == [p.name for p in found.parameters if p.name != "self"]
    told = sections(found)
    if str(found.returns) != "None" and RETURNS not in told:
        text = str(told[griffe.DocstringSectionKind.text])
        assert text.startswith(("Return ", "Yield ")), f"{found.path}: what does it return?"


def test_the_python_page_has_every_public_name() -> None:
    names = [one.name for one in all_described()]
    assert set(api.__all__) <= set(names)
    assert len(names) == len(set(names))
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
