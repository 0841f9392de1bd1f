"""Build the site: gather the pages, run Zensical, make the pages of the gallery, check the result.

The pages in ``docs/`` are written to be read in the repository too. Here their links to files
outside ``docs/`` are changed to copies of these files within the site.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from docs.site.links import faults
from docs.site.notebook import write_page
from docs.site.search import add_entries
from handread.cli import app

SITE = Path(__file__).resolve().parent
DOCS = SITE.parent
ROOT = DOCS.parent

PAGES = {
    ROOT / "CHANGELOG.md": "changelog.md",
    ROOT / "CONTRIBUTING.md": "contributing.md",
    ROOT / "benchmark" / "README.md": "benchmark-hands.md",
    ROOT / "benchmark" / "conformance" / "README.md": "conformance.md",
    DOCS / "paper.ipynb": "paper.md",
}
"""Pages of the site that are not in ``docs/``, or not as Markdown."""

READ = ("--policy", "people", "--decisions", "--exact")
"""The options with which the hands of the gallery are read."""

KICKER = '<p class="kicker">'
"""The start of the line above the title of a hand, to which a link to the gallery is added."""

MARK = "assets/handread.css"
"""A file that every site has, and hardly any other folder."""

_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
_BLOCK = re.compile(r"(^```.*?^```)", re.M | re.S)


class SiteError(Exception):
    """The site could not be built; the message says why."""


def build(folder: Path) -> None:
    """Write the site to a folder; an earlier site there is replaced.

    Raises SiteError if the folder holds anything but a site, if Zensical warns, or if a link of the
    site leads nowhere.
    """
    check_output(folder)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        gather(work / "docs")
        shutil.copy(SITE / "zensical.toml", work)
        shutil.copytree(SITE / "theme", work / "theme")
        zensical = [sys.executable, "-m", "zensical", "build", "--strict"]
        done = subprocess.run(zensical, cwd=work, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SiteError(_complaint(done.stderr))
        add_entries(work / "site", work / "docs")
        for hand in sorted((DOCS / "gallery").glob("*.stud")):
            _hand_page(hand, work / "site" / "gallery" / f"{hand.stem}.html")
        wrong = faults(work / "site")
        if wrong:
            raise SiteError("\n".join(wrong))
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(work / "site", folder)


def _complaint(said: str) -> str:
    """Return what Zensical said was wrong, plainly: the traceback after warnings is of no use."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", said)
    warnings, _, last = plain.partition("Traceback (most recent call last)")
    return warnings if "--strict" in last else plain


def check_output(folder: Path) -> None:
    """Raise SiteError if a folder is part of the documentation, or neither empty nor a site."""
    place = folder.resolve()
    if place.is_relative_to(DOCS) or ROOT.is_relative_to(place):
        raise SiteError(f"{folder}: the site cannot take the place of what it is made from")
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise SiteError(f"{folder}: is not a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise SiteError(f"{folder}: holds something else than a site; name an empty or new folder")


def gather(folder: Path) -> None:
    """Write what Zensical makes the site of to a folder: pages, pictures, texts of hands."""
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("site", "*.py", "__pycache__"))
    (folder / "paper.ipynb").unlink()
    write_page(DOCS / "paper.ipynb", folder)
    for file, name in PAGES.items():
        if file.suffix == ".md":
            (folder / name).write_text(file.read_text("utf-8"), "utf-8")
    origins = {folder / name: file for file, name in PAGES.items()}
    for page in sorted(folder.rglob("*.md")):
        origin = origins.get(page, DOCS / page.relative_to(folder))
        page.write_text(_relinked(page, origin, folder), "utf-8")


def _hand_page(hand: Path, page: Path) -> None:
    """Write the page of a hand of the gallery."""
    print(f"reading {hand.name}", file=sys.stderr)
    # A page names the file of its hand as it was given.
    words = ["report", str(hand.relative_to(ROOT)), *READ, "-o", str(page)]
    said = io.StringIO()
    # In this process, which loads the compiled kernels once for all hands.
    with chdir(ROOT), redirect_stdout(said), redirect_stderr(said):
        status = app(words, standalone_mode=False)
    if status:
        raise SiteError(f"handread {' '.join(words)}\n{said.getvalue()}")
    before, kicker, after = page.read_text("utf-8").partition(KICKER)
    if not kicker:
        raise SiteError(f"{page.name}: has no place for the link to the gallery: {KICKER}")
    page.write_text(f'{before}{kicker}<a href="../gallery.html">The gallery</a> · {after}', "utf-8")


def _relinked(page: Path, origin: Path, folder: Path) -> str:
    """Return the text of a page with its links as they are within the site."""

    def relinked(match: re.Match[str]) -> str:
        before, target, after = match.groups()
        if re.match(r"[a-z]+:", target):
            return match[0]
        place = _place((origin.parent / target).resolve(), folder)
        return f"{before}{os.path.relpath(place, page.parent)}{after}"

    parts = _BLOCK.split(page.read_text("utf-8"))
    parts[::2] = [_LINK.sub(relinked, part) for part in parts[::2]]
    return "".join(parts)


def _place(file: Path, folder: Path) -> Path:
    """Return the place in the site of a file of the repository; copy it there if need be."""
    if file == ROOT / "README.md":
        return folder / "index.md"
    if file in PAGES:
        return folder / PAGES[file]
    if file.is_relative_to(DOCS):
        return folder / file.relative_to(DOCS)
    if not (file.is_file() and file.is_relative_to(ROOT)):
        raise SiteError(f"a link leads to {file}, which is no file of the repository")
    place = folder / "project" / file.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, place)
    return place
