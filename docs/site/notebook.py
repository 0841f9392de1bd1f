"""Execute the notebook of the documentation, and turn it into a page.

``python -m docs.site.notebook`` executes docs/paper.ipynb and stores its outputs. Do so after a
change of its cells, or when the program prints other figures. ``write_page`` writes the outputs
that are stored; it executes nothing.
"""

# mypy: allow-untyped-calls
# (of nbformat)

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.site import need

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "paper.ipynb"

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
CELL_SECONDS = 300
PNG = "image/png"

Cell = Any
"""A cell of ``nbformat``, which has no types."""


def execute(notebook: Path, folder: Path) -> Any:
    """Execute a notebook from its first cell in a new kernel.

    Args:
        notebook: The file, which is not changed.
        folder: The working directory of the kernel, with ``sample_histories``.

    Returns:
        The notebook with its new outputs, without times, versions and other things that differ
        from run to run.

    Raises:
        CellExecutionError: A cell raises an exception.
    """
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(notebook, as_version=4)
    client = NotebookClient(
        book,
        timeout=CELL_SECONDS,
        kernel_name=KERNEL["name"],
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    book.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in book.cells:
        cell.metadata = nbformat.from_dict({})
        for output in cell.get("outputs", ()):
            if PNG in output.get("data", {}):  # whose text is the name of a class
                output.data.pop("text/plain", None)
    return book


def write_page(notebook: Path, folder: Path) -> None:
    """Write an executed notebook as a page of Markdown, with its pictures.

    Args:
        notebook: The file, such as ``paper.ipynb``.
        folder: Where ``paper.md`` and the folder ``paper_files`` go.

    Raises:
        ValueError: A cell was not executed or failed, or a picture has no alternative text.
    """
    import nbformat

    book, name = nbformat.read(notebook, as_version=4), notebook.stem
    pictures = folder / f"{name}_files"
    pictures.mkdir(parents=True, exist_ok=True)
    parts: list[str] = []
    for cell in book.cells:
        source = cell.source.strip("\n")
        if cell.cell_type == "markdown":
            parts.append(source)
            continue
        if cell.execution_count is None:
            raise ValueError(f"{notebook}: cell {cell.id} was not executed")
        parts += [fenced(source, "python"), *_shown(cell, pictures, notebook)]
    (folder / f"{name}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _shown(cell: Cell, pictures: Path, notebook: Path) -> Iterator[str]:
    """Yield the outputs of a cell as Markdown, and write its pictures."""
    for number, output in enumerate(cell.outputs):
        if output.output_type == "error":
            raise ValueError(f"{notebook}: cell {cell.id} failed: {output.evalue}")
        if output.output_type == "stream":
            yield fenced(output.text, "text")
        elif PNG in output.data:
            words = alternative_text(output)
            if not words:
                raise ValueError(f"{notebook}: a picture of cell {cell.id} has no alternative text")
            file = pictures / f"{cell.id}{f'-{number}' if number else ''}.png"
            file.write_bytes(b64decode(output.data[PNG]))
            yield f"![{words}]({pictures.name}/{file.name})"
        else:
            yield fenced(output.data["text/plain"], "text")


def alternative_text(output: Any) -> str:
    """Return the alternative text of a picture; empty if it has none."""
    words = output.get("metadata", {}).get(PNG, {}).get("alt", "")
    return " ".join(words.replace("[", "(").replace("]", ")").split())


def fenced(text: str, language: str) -> str:
    """Return a text as a block of code; the fence is longer than any in the text."""
    lines = "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    ticks = max((len(found) for found in re.findall(r"^ *(`+)", lines, re.M)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}{language}\n{lines}\n{fence}"


def main() -> None:
    """Execute the notebook and store its outputs."""
    need("nbformat", "nbclient", "ipykernel")
    import nbformat

    book = execute(NOTEBOOK, ROOT)
    nbformat.write(book, NOTEBOOK)
    pictures = sum(PNG in o.get("data", {}) for cell in book.cells for o in cell.get("outputs", ()))
    print(f"{NOTEBOOK.relative_to(ROOT)}: {len(book.cells)} cells, {pictures} pictures")


if __name__ == "__main__":
    main()
