"""A headless Chromium for tests: one page at a time, all of it seen from outside.

Selenium is told where browser and driver are, so it never looks for them, or fetches any.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from unittest import mock

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.common.selenium_manager import SeleniumManager
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

T = TypeVar("T")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--force-color-profile=srgb",
    "--lang=en",
    # A page kept to go back to, or made ready for the next, is a process more.
    "--disable-features=BackForwardCache,SpareRendererForSitePerProcess",
    "--hide-scrollbars",  # as on a phone they take no room: a page is as wide as its viewport
    # A request is to be seen, not to be answered: whatever a page asks for stays on this machine.
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)

ASKING = {"Network.requestWillBeSent", "Network.webSocketCreated"}
"""What the browser's log calls the start of a request."""


class Installed(NamedTuple):
    """Where browser and driver are."""

    browser: str
    driver: str


def installed() -> Installed | None:
    """The Chromium and the chromedriver on PATH; None where either is missing."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    return Installed(browser, driver) if browser and driver else None


@contextmanager
def chromium(where: Installed, profile: Path) -> Iterator[webdriver.Chrome]:
    """A running browser with a profile of its own, closed at the end."""
    options = webdriver.ChromeOptions()
    options.binary_location = where.browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    if os.geteuid() == 0:  # Chromium's sandbox does not run as root
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    download = AssertionError("selenium looks for a browser of its own")
    # The driver is on this machine: a proxy for the world outside is not to be asked for it.
    here = {"no_proxy": "localhost,127.0.0.1", "NO_PROXY": "localhost,127.0.0.1"}
    with (
        mock.patch.dict(os.environ, here),
        mock.patch.object(SeleniumManager, "binary_paths", side_effect=download),
    ):
        driver = webdriver.Chrome(options=options, service=Service(where.driver))
    try:
        driver.set_page_load_timeout(60)
        driver.set_script_timeout(60)
        yield driver
    finally:
        driver.quit()


@contextmanager
def fresh_page(driver: webdriver.Chrome) -> Iterator[Page]:
    """A page that remembers nothing of those before it, in the tab of them all.

    A tab of its own would start a process, which costs more than most tests.
    """
    page = _page_of(driver)
    page.begin()
    try:
        yield page
    finally:
        page.end()


@cache
def _page_of(driver: webdriver.Chrome) -> Page:
    return Page(driver)


class Node(NamedTuple):
    """A node of the accessibility tree: what a screen reader is told."""

    role: str
    name: str
    properties: dict[str, Any]
    """The states by their name: ``level``, ``expanded``, ``pressed``, ``focused`` ..."""


class Focused(NamedTuple):
    """An element that has the focus: its tag and its accessible name."""

    tag: str
    name: str


@dataclass
class Page:
    """One tab: opens a file, and tells what came of it."""

    driver: webdriver.Chrome
    _tab: str = field(init=False)
    _url: str = field(init=False, default="")
    _console: list[str] = field(init=False, default_factory=list)
    _requests: list[str] = field(init=False, default_factory=list)
    _media: dict[str, str] = field(init=False, default_factory=dict)
    _medium: str = field(init=False, default="")
    _size: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._tab = self.driver.current_window_handle

    def begin(self) -> None:
        """Forget what the log of the browser says of earlier pages, and take the usual size."""
        self._forget_logs()
        self.resize(1280, 900)

    def end(self) -> None:
        """Leave nothing for the next page, and a page that may still ask for something."""
        self.forget()
        if self._media or self._medium:
            self._media, self._medium = {}, ""
            self._emulate()
        if not self.driver.current_url.startswith("file:"):
            self._leave()

    def open(self, path: Path, after: str = "") -> None:
        """Load a file from the disk; ``after`` is what follows its name, such as ``#hand-2``."""
        url = path.resolve().as_uri()
        if url == self._url:  # of which only what follows the name might change
            self._leave()
        self._forget_logs()
        self._url = url
        self.driver.get(f"{self._url}{after}")
        # The page of a hand first opens the data that it carries compressed.
        self.wait("return !document.querySelector('#stepper[hidden]')")

    def forget(self) -> None:
        """Empty the storage: all files on the disk share one. An empty page has none."""
        self.js("try { localStorage.clear(); sessionStorage.clear() } catch {}")

    def console(self) -> list[str]:
        """The severe messages since the page was opened: errors, and what failed to load."""
        entries = self.driver.get_log("browser")
        self._console += [e["message"] for e in entries if e["level"] == "SEVERE"]
        return list(self._console)

    def requests(self) -> list[str]:
        """The addresses asked for since the page was opened, but for the file itself.

        What the page brings along (``data:``, ``blob:``) is no request. A try that the page's own
        Content-Security-Policy forbids is one, and stands in the console too. Looking up a
        name without asking for anything (``dns-prefetch``) is not seen.
        """
        for entry in self.driver.get_log("performance"):
            url = _asked(json.loads(entry["message"]), self._tab)
            # A new tab of the browser may still be loading its own start page.
            if url and url.partition("#")[0] != self._url and not url.startswith("chrome://"):
                self._requests.append(url)
        return list(self._requests)

    def resize(self, width: int, height: int, mobile: bool = False) -> None:
        """Give the viewport exactly this size in CSS pixels; ``mobile`` heeds the viewport tag."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        if size != self._size:
            self._cdp("Emulation.setDeviceMetricsOverride", **size)
            self._size = size

    def prefer(self, feature: str, value: str) -> None:
        """Set a media feature, such as ``forced-colors`` to ``active``; the others stay."""
        self._media[feature] = value
        self._emulate()

    def dark(self, on: bool = True) -> None:
        """Ask the page for its dark or its light face."""
        self.prefer("prefers-color-scheme", "dark" if on else "light")

    def print_media(self, on: bool = True) -> None:
        """Show the page as it would be printed, or on a screen again."""
        self._medium = "print" if on else ""
        self._emulate()

    def downloads_to(self, folder: Path) -> None:
        """Let the page save files to a folder."""
        self._cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def pdf(self) -> bytes:
        """The page as printed to PDF, with backgrounds, on the paper its style asks for."""
        options = {"printBackground": True, "preferCSSPageSize": True}
        return base64.b64decode(self._cdp("Page.printToPDF", **options)["data"])

    def press(self, *keys: str) -> None:
        """Press keys where the focus is: ``j``, ``Tab``, ``ArrowRight``, ``Shift+Tab``."""
        chain = ActionChains(self.driver)
        for key in keys:
            *held, last = [key] if len(key) == 1 else key.split("+")
            for modifier in held:
                chain.key_down(_key(modifier))
            chain.send_keys(_key(last))
            for modifier in reversed(held):
                chain.key_up(_key(modifier))
        chain.perform()

    def do(self, *steps: str) -> None:
        """Click what a selector finds, or press a key, one after the other."""
        for step in steps:
            if len(step) > 1 and step[0] in "#.[":
                self.find(step).click()
            else:
                self.press(step)

    def click(self, css: str) -> None:
        """Click what a selector finds without a pointer, which costs more than most pages do."""
        self.js("document.querySelector(arguments[0]).click()", css)

    def state(self, css: str, name: str = "pressed") -> str | None:
        """The state that an element tells assistive technology: its ``aria-`` attribute."""
        return self.find(css).get_attribute(f"aria-{name}")

    def at(self) -> str:
        """The id of the element that has the focus, else its class."""
        return str(self.js("const e = document.activeElement; return e.id || e.className"))

    def find(self, css: str) -> WebElement:
        """The first element of a selector; an error where there is none."""
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def find_all(self, css: str) -> list[WebElement]:
        """All elements of a selector, in the page's order."""
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def text(self, css: str) -> str:
        """The text of an element as it shows: nothing that is hidden."""
        return self._drawn(lambda: self.find(css).text)

    def texts(self, css: str) -> list[str]:
        """Return the texts of all elements of a selector, as they show."""
        return self._drawn(lambda: [element.text for element in self.find_all(css)])

    def _drawn(self, read: Callable[[], T]) -> T:
        """Read; read again while the page redraws an element, or is still to draw it."""
        end = time.monotonic() + 5.0
        while True:
            try:
                return read()
            except (StaleElementReferenceException, NoSuchElementException):
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def js(self, script: str, *args: object) -> Any:
        """What the body of a function returns; ``arguments`` are the others."""
        return self.driver.execute_script(script, *args)

    def wait(self, script: str, seconds: float = 10.0) -> None:
        """Wait until a script returns something true."""
        WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda _: self.js(script))

    def wait_for(self, path: Path) -> None:
        """Wait until a file is saved."""
        WebDriverWait(self.driver, 10.0).until(lambda _: path.exists() and path.read_bytes())

    def overflows(self) -> bool:
        """Whether the page as a whole scrolls sideways."""
        root = "document.documentElement"
        return bool(self.js(f"return {root}.scrollWidth > {root}.clientWidth"))

    def accessibility(self) -> list[Node]:
        """All that assistive technology is told, in the page's order."""
        self._cdp("Accessibility.enable")
        nodes = self._cdp("Accessibility.getFullAXTree")["nodes"]
        self._cdp("Accessibility.disable")  # else each change would be told, which costs much
        told = [_node(node) for node in _in_order(nodes) if not node.get("ignored")]
        # Lines of a paragraph as they happen to break: the text stands in its parent already.
        return [node for node in told if node.role != "InlineTextBox"]

    def focused(self) -> Focused:
        """What has the focus; the ``body`` where nothing has."""
        element = self.driver.switch_to.active_element
        return Focused(element.tag_name, element.accessible_name)

    def _cdp(self, command: str, **options: Any) -> dict[str, Any]:
        return self.driver.execute_cdp_cmd(command, options)

    def _emulate(self) -> None:
        features = [{"name": name, "value": value} for name, value in self._media.items()]
        self._cdp("Emulation.setEmulatedMedia", media=self._medium, features=features)

    def _leave(self) -> None:
        self.driver.get("about:blank")
        self._url = ""

    def _forget_logs(self) -> None:
        """Empty the logs of the browser, which reading one does, and what was found in them."""
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self._console.clear()
        self._requests.clear()


def _asked(entry: dict[str, Any], tab: str) -> str | None:
    """The address that an entry of the performance log says a tab has asked for."""
    event = entry["message"]
    if event["method"] not in ASKING or entry["webview"] != tab:
        return None
    params = event["params"]
    url: str = params["request"]["url"] if "request" in params else params["url"]
    return None if url.startswith(("data:", "blob:", "about:")) else url


def _key(name: str) -> str:
    """The code of a key by the name that a page's script knows: ``ArrowLeft``, ``j``."""
    if len(name) == 1:
        return name
    return str(getattr(Keys, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()))


def _in_order(nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The nodes as one reads the page; the protocol may list them otherwise."""
    by_id = {node["nodeId"]: node for node in nodes}
    waiting = [node["nodeId"] for node in reversed(nodes) if "parentId" not in node]
    while waiting:
        node = by_id.get(waiting.pop())
        if node is not None:
            yield node
            waiting += reversed(node.get("childIds", []))


def _node(node: dict[str, Any]) -> Node:
    properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
    return Node(node["role"]["value"], str(node.get("name", {}).get("value", "")), properties)
