"""docs/reference/: the pages are up to date, and describe everything that they should."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from docs.site.reference.commands import all_commands, parameters
from docs.site.reference.markdown import anchor
from docs.site.reference.pages import FOLDER, PAGES, is_current

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
