"""The notebook of the documentation: its cells and stored outputs, its page, and another run."""

from __future__ import annotations

import io
import re
from base64 import b64decode
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

from docs.site.notebook import KERNEL, NOTEBOOK, PNG, alternative_text, execute, write_page
from docs.site.reference.markdown import block
from tests.program import ROOT

pytestmark = pytest.mark.docs
nbformat = pytest.importorskip("nbformat", reason="needs pip install -e '.[docs]'")

REFRESH = "refresh the outputs with: python -m docs.site.notebook"
NUMBER = re.compile(r"[-+]?(?:\d[\d,]*)?\.?\d+")

BOOK = nbformat.read(NOTEBOOK, as_version=4)
CODE = [cell for cell in BOOK.cells if cell.cell_type == "code"]


def texts(cell: Any) -> str:
    """Return the text that a cell printed or returned."""
    return "".join(
        output.text if output.output_type == "stream" else output.data.get("text/plain", "")
        for output in cell.outputs
    )


def pictures(cell: Any) -> list[Any]:
    return [output for output in cell.outputs if PNG in output.get("data", {})]


PICTURES = {f"{cell.id}-{i}": one for cell in CODE for i, one in enumerate(pictures(cell))}


def pixels(picture: Any) -> np.ndarray:
    return imread(io.BytesIO(b64decode(picture.data[PNG])), format="png")


def is_blank(picture: Any) -> bool:
    image = pixels(picture)[..., :3]
    return bool((image == image[0, 0]).all())


def agree(stored: str, found: str) -> bool:
    """Return True if texts differ at most in the last digit of numbers, and in widths."""
    bare = [
        re.sub(r"\s+", " ", re.sub("─+", "─", NUMBER.sub("#", text))) for text in (stored, found)
    ]
    if bare[0] != bare[1]:
        return False
    pairs = zip(NUMBER.findall(stored), NUMBER.findall(found), strict=True)
    return all(
        abs(float(one.replace(",", "")) - float(other.replace(",", "")))
        <= 1.01 * 10.0 ** -len(one.partition(".")[2])
        for one, other in pairs
        if one != other
    )


def test_texts_agree_up_to_the_last_digit() -> None:
    assert agree("seat 1  12.7% of 1,326\n", "seat 1 12.8% of 1,326\n")
    assert not agree("seat 1 12.7%", "seat 1 12.9%")
    assert not agree("seat 1 12.7%", "seat one 12.7%")
    assert not agree("+2.4  -inf", "+2.4  -3.1")


def test_the_notebook_is_valid_and_the_same_for_everybody() -> None:
    nbformat.validate(BOOK)
    assert BOOK.metadata == {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    assert all(cell.metadata == {} for cell in BOOK.cells)
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", cell.id) for cell in BOOK.cells)
    assert len({cell.id for cell in BOOK.cells}) == len(BOOK.cells)
    everything = "".join(cell.source for cell in BOOK.cells) + "".join(map(texts, CODE))
    assert not [path for path in (str(ROOT), str(Path.home()), "/tmp/") if path in everything]


def test_cells_were_executed_in_order_without_errors() -> None:
    assert [cell.execution_count for cell in CODE] == list(range(1, len(CODE) + 1)), REFRESH
    for cell in CODE:
        assert all(output.output_type in {"stream", "display_data"} for output in cell.outputs)
        assert all(output.get("name", "stdout") == "stdout" for output in cell.outputs), cell.id


def test_cells_are_short_and_code_is_introduced() -> None:
    kinds = [cell.cell_type for cell in BOOK.cells]
    assert ("code", "code") not in set(pairwise(kinds))
    assert max(cell.source.count("\n") for cell in CODE) < 40
    for cell in BOOK.cells:
        assert max(map(len, cell.source.splitlines())) <= 100, cell.id
        assert cell.cell_type == "code" or "$" not in cell.source, "formulas are plain text"


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_show_something_and_say_what(name: str) -> None:
    picture = PICTURES[name]
    assert len(b64decode(picture.data[PNG])) < 60_000
    assert pixels(picture).shape[1] <= 800
    assert not is_blank(picture)
    words = alternative_text(picture)
    assert len(words) > 80
    assert words.endswith(".")


def test_the_page_has_all_of_it(tmp_path: Path) -> None:
    write_page(NOTEBOOK, tmp_path)
    page = (tmp_path / "paper.md").read_text("utf-8")
    files = sorted(path.name for path in (tmp_path / "paper_files").iterdir())
    shown = re.findall(r"^!\[([^\]]+)\]\(paper_files/([^)]+)\)$", page, re.M)
    assert len(shown) == len(PICTURES) > 5
    assert sorted(file for _, file in shown) == files
    assert [words for words, _ in shown] == [alternative_text(one) for one in PICTURES.values()]
    blocks = re.findall(r"^```(\w+)\n(.*?)\n```$", page, re.M | re.S)
    assert [text for kind, text in blocks if kind == "python"] == [cell.source for cell in CODE]
    assert sum(kind == "text" for kind, _ in blocks) == sum(bool(texts(cell)) for cell in CODE)
    assert len(re.findall(r"^# ", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S), re.M)) == 1


@pytest.mark.parametrize(
    ("fault", "change"),
    [
        ("has no alternative text", lambda cell: pictures(cell)[0].update(metadata={})),
        ("was not executed", lambda cell: cell.update(execution_count=None)),
    ],
)
def test_a_page_needs_outputs_and_alternative_texts(
    fault: str, change: Callable[[Any], None], tmp_path: Path
) -> None:
    book = nbformat.read(NOTEBOOK, as_version=4)
    change(next(cell for cell in book.cells if cell.cell_type == "code" and pictures(cell)))
    nbformat.write(book, tmp_path / "paper.ipynb")
    with pytest.raises(ValueError, match=fault):
        write_page(tmp_path / "paper.ipynb", tmp_path)


def test_a_fence_is_longer_than_those_within() -> None:
    assert block("a  \nb\n") == "```text\na\nb\n```"
    assert block("```\na\n```\n") == "````text\n```\na\n```\n````"


@pytest.mark.dear("runs the whole notebook")
def test_another_run_gives_the_stored_outputs(tmp_path: Path) -> None:
    (tmp_path / "sample_histories").symlink_to(ROOT / "sample_histories")
    again = execute(NOTEBOOK, tmp_path)
    for cell, found in zip(BOOK.cells, again.cells, strict=True):
        if cell.cell_type != "code":
            continue
        assert agree(texts(cell), texts(found)), f"{cell.id}: {texts(found)}\n{REFRESH}"
        assert len(pictures(cell)) == len(pictures(found)), cell.id
        for picture, other in zip(pictures(cell), pictures(found), strict=True):
            assert not is_blank(other), cell.id
            assert pixels(picture).shape == pixels(other).shape, cell.id
            assert alternative_text(picture) == alternative_text(other), REFRESH
