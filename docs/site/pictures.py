"""``python -m docs.site.pictures``: take the pictures of docs/opponents.md from pages of a session.

Needs Chromium on PATH. The pages are those of ``handread report docs/first-evening.txt``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from handread.cli import app

DOCS = Path(__file__).resolve().parents[1]
LOG = DOCS / "first-evening.txt"
IMAGES = DOCS / "images"

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

PLAYER = "Rooster_21"

_MASTHEAD = re.compile(r"<header class=\"masthead\">.*?</header>", re.S)
_PANEL = re.compile(r"<section [^>]*\"players-title\".*?</section>", re.S)
_MAIN = re.compile(r"(?<=<main>).*(?=</main>)", re.S)


def panel_alone(page: str) -> str:
    """Return the page of a session with the panel of its players alone."""
    panel = _PANEL.findall(page)[0]
    return _MAIN.sub(lambda _: panel, _MASTHEAD.sub("", page))


def page_of(name: str, folder: Path) -> Path:
    """Return the page of a player."""
    pages = folder.glob("player-*.html")
    return next(page for page in pages if f"<h1>{name}</h1>" in page.read_text("utf-8"))


def take(browser: str, page: Path, size: tuple[int, int], image: Path) -> None:
    """Write what a window of a size shows of a page; raise CalledProcessError if it fails."""
    flags = ["--headless", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=4000"]
    flags.append("--run-all-compositor-stages-before-draw")  # else parts may stay empty
    if os.geteuid() == 0:  # Chromium's sandbox does not run as root
        flags.append("--no-sandbox")
    window = f"--window-size={size[0]},{size[1]}"
    command = [browser, *flags, window, f"--screenshot={image}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True)


def main() -> int:
    """Take the pictures."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"pictures: found none of {', '.join(BROWSERS)} on PATH", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app(["report", str(LOG), "-o", name], standalone_mode=False)
        index = folder / "index.html"
        index.write_text(panel_alone(index.read_text("utf-8")), "utf-8")
        take(browser, index, (1240, 500), IMAGES / "evening-players.png")
        take(browser, page_of(PLAYER, folder), (1200, 566), IMAGES / "opponents-player.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
