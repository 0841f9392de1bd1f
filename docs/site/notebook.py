"""Execute the notebook of the documentation, and turn it into a page.

``python -m docs.site.notebook`` executes docs/paper.ipynb and stores its outputs. Do so after a
change of its cells, or when the program prints other figures. ``write_page`` writes the outputs
that are stored; it executes nothing.
"""

# mypy: allow-untyped-calls
# (of nbformat)

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.site import need
from docs.site.reference.markdown import block

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "paper.ipynb"

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
CELL_SECONDS = 300
PNG = "image/png"

Cell = Any
"""A cell of ``nbformat``, which has no types."""


def execute(notebook: Path, folder: Path) -> Any:
    """Execute a notebook in a new kernel that runs in ``folder``, and return it; keep the file.

    The outputs have no times, versions or other things that differ from run to run. Raises
    CellExecutionError if a cell raises an exception.
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
    """Write an executed notebook as a page of Markdown, with its pictures in a folder beside it.

    Raises ValueError if a cell was not executed or failed, or a picture lacks alternative text.
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
        parts += [block(source, "python"), *_shown(cell, pictures, notebook)]
    (folder / f"{name}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _shown(cell: Cell, pictures: Path, notebook: Path) -> Iterator[str]:
    """Yield the outputs of a cell as Markdown, and write its pictures."""
    for number, output in enumerate(cell.outputs):
        if output.output_type == "error":
            raise ValueError(f"{notebook}: cell {cell.id} failed: {output.evalue}")
        if output.output_type == "stream":
            yield block(output.text)
        elif PNG in output.data:
            words = alternative_text(output)
            if not words:
                raise ValueError(f"{notebook}: a picture of cell {cell.id} has no alternative text")
            file = pictures / f"{cell.id}{f'-{number}' if number else ''}.png"
            file.write_bytes(b64decode(output.data[PNG]))
            yield f"![{words}]({pictures.name}/{file.name})"
        else:
            yield block(output.data["text/plain"])


def alternative_text(output: Any) -> str:
    """Return the alternative text of a picture; empty if it has none."""
    words = output.get("metadata", {}).get(PNG, {}).get("alt", "")
    return " ".join(words.replace("[", "(").replace("]", ")").split())


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
