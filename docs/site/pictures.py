"""``python -m docs.site.pictures``: take the pictures of players and of the window for the docs.

Needs Chromium on PATH. The pages are those of ``handread report docs/first-evening.txt``, and the
index that ``handread open`` shows of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

from handread.cli import app

DOCS = Path(__file__).resolve().parents[1]
LOG = DOCS / "first-evening.txt"
IMAGES = DOCS / "images"

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

PLAYER = "Rooster_21"

CALL = 18
"""The moment of the page of a hand at which you call on 6th street."""

SHOWDOWN, BET = DOCS.parent / "sample_histories" / "showdown.stud", 6
"""A hand, and the moment of its page at which seat 2 calls on 3rd street."""

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
    return next(page for page in pages if f">{name}</h1>" in page.read_text("utf-8"))


@contextmanager
def window(log: Path) -> Iterator[str]:
    """Yield the address of the window of a log once all of its decisions are valued."""
    command = [sys.executable, "-m", "handread", "open", str(log), "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        try:
            address = served.stdout.readline().strip()
            asks = build_opener(HTTPCookieProcessor())
            asks.open(address)
            news = address.partition("?")[0] + "news?since=0&columns="
            while not (read := json.load(asks.open(news)))["latest"] or read["progress"]:
                time.sleep(1.0)
            yield address
        finally:
            served.send_signal(signal.SIGINT)


def take(browser: str, page: str, size: tuple[int, int], image: Path, dark: bool = False) -> None:
    """Write what a window of a size shows of a page; raise CalledProcessError if it fails."""
    flags = ["--headless", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=4000"]
    flags.append("--run-all-compositor-stages-before-draw")  # else parts may stay empty
    if os.geteuid() == 0:  # Chromium's sandbox does not run as root
        flags.append("--no-sandbox")
    flags += ["--force-dark-mode"] if dark else []
    shown = f"--window-size={size[0]},{size[1]}"
    command = [browser, *flags, shown, f"--screenshot={image}", page]
    subprocess.run(command, check=True, capture_output=True)


def main() -> int:
    """Take the pictures."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"pictures: found none of {', '.join(BROWSERS)} on PATH", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app(["report", str(LOG), "--decisions", "-o", name], standalone_mode=False)
        index = folder / "index.html"
        take(browser, index.as_uri(), (1200, 760), IMAGES / "evening-session.png")
        hand = next(folder.glob("*-261500010825.html")).as_uri()
        take(browser, f"{hand}#{CALL}", (1200, 1140), IMAGES / "evening-hand.png")
        index.write_text(panel_alone(index.read_text("utf-8")), "utf-8")
        take(browser, index.as_uri(), (1240, 500), IMAGES / "evening-players.png")
        player = page_of(PLAYER, folder).as_uri()
        take(browser, player, (1200, 566), IMAGES / "opponents-player.png")
        single = folder / "single.html"
        app(["report", f"{SHOWDOWN}", "-o", str(single)], standalone_mode=False)
        for image, dark in (("page.png", False), ("page-dark.png", True)):
            take(browser, f"{single.as_uri()}#{BET}", (1200, 740), IMAGES / image, dark=dark)
    with window(LOG) as address:
        take(browser, address, (1040, 820), IMAGES / "window.png")
        take(browser, address, (1040, 820), IMAGES / "window-dark.png", dark=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
