"""What several test modules need."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import mmap
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

import tests.examples  # noqa: F401, registers the profiles

if TYPE_CHECKING:
    from selenium import webdriver

    from tests.browser import Page

# Those who run the tests in parallel tell them the width of a terminal that they do not have.
os.environ.pop("COLUMNS", None)
# More threads would only take the cores of the other workers, and of the processes of a test.
for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(threads, "1")

# What a shell has put in the background ignores interrupts, and so would all that it starts.
with contextlib.suppress(ValueError):  # which only the main thread may change
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)

ENDINGS = [
    getattr(signal, f"SIG{name}")
    for name in ("INT", "TERM", "HUP")
    if hasattr(signal, f"SIG{name}")
]

gc.set_threshold(100_000)  # as the program does
settings.load_profile("default")  # --hypothesis-profile replaces it

REAL_HANDS = Path(__file__).parents[2] / "shared" / "real_hands" / "dev"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--budget``."""
    told = "fail tests that take more than they may: see tests/budget.py"
    parser.addoption("--budget", action="store_true", help=told)


def pytest_configure(config: pytest.Config) -> None:
    """Charge the tests, in this process or in the workers; compile what these would each."""
    if config.getoption("--budget"):
        from tests.budget import Budget

        config.pluginmanager.register(Budget(), "budget")
    has_workers = config.getoption("numprocesses", None) and not config.getoption("collectonly")
    if has_workers and not hasattr(config, "workerinput"):
        from tests.kernels_once import compile_all

        compile_all()


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the laws, the papers, the tests that need a browser, and those of real hands."""
    for item in items:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        if folder in ("laws", "papers"):
            item.add_marker(folder)
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if "real_hands" in getattr(item, "fixturenames", ()):
            item.add_marker("thorough")
        if item.get_closest_marker("dear"):
            item.add_marker("thorough")


def pytest_collection_finish() -> None:
    """Look for no garbage in what the collected tests hold to the end."""
    gc.freeze()


@pytest.fixture(autouse=True)
def interrupts_as_before() -> Iterator[None]:
    """Answer Ctrl-C as before a test that runs ``main`` here, which ends by ignoring it.

    What later tests start would ignore it too.
    """
    before = {number: signal.getsignal(number) for number in ENDINGS}
    unraisable = sys.unraisablehook
    yield
    for number, answer in before.items():
        if signal.getsignal(number) is not answer:
            signal.signal(number, answer)
    sys.unraisablehook = unraisable
    # To look for garbage takes .6 s in a process that holds a GB of what later tests use.
    if held() > max(2**30, kept["bytes"] + 2**27):
        give_memory_back()


@pytest.fixture(scope="module", autouse=True)
def memory_is_given_back() -> Iterator[None]:
    """After the last test of a module, empty the caches of tests: an analysis takes 14 MB."""
    yield
    for name, module in list(sys.modules.items()):
        for one in vars(module).values() if name.startswith("tests.") else ():
            if hasattr(one, "cache_clear") and getattr(one, "__module__", "") == name:
                one.cache_clear()
    give_memory_back()


def give_memory_back() -> None:
    """Look for garbage, and return to the system what was freed between the rest.

    What is left is mostly modules and tables that stay to the end. The next search, which would
    else take a third of a second, looks only at what is new.
    """
    gc.collect()
    gc.freeze()
    with contextlib.suppress(AttributeError):  # only glibc keeps it
        ctypes.CDLL(None).malloc_trim(0)
    kept["bytes"] = held()


kept = {"bytes": 0}
"""The bytes that this process held after it last gave memory back."""


def held() -> int:
    """Return the bytes of memory that this process holds; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE
    except OSError:  # it is no Linux
        return 0


@pytest.fixture
def folders_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for what the program keeps, apart from that of the user and of other tests."""
    from handread.kernels.jit import kernel_folder
    from handread.user_cache import cache_folder

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kernel_folder()))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user's cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user's data"))
    return cache_folder()


@pytest.fixture(scope="session")
def real_hands() -> Path:
    """The folder of real hands, one folder a room; they are no part of the project."""
    if not REAL_HANDS.is_dir():
        pytest.skip(f"no real hands in {REAL_HANDS}")
    return REAL_HANDS


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """A headless browser, one for all tests."""
    pytest.importorskip("selenium")
    from tests import browser

    where = browser.installed()
    if where is None:
        wanted = ", ".join(browser.BROWSERS)
        pytest.skip(f"no Chromium with chromedriver on this machine: one of {wanted} on PATH")
    with browser.chromium(where, tmp_path_factory.mktemp("chromium")) as driver:
        yield driver


@pytest.fixture
def page(chromium: webdriver.Chrome) -> Iterator[Page]:
    """An empty page in a tab of its own."""
    from tests.browser import fresh_page

    with fresh_page(chromium) as page:
        yield page


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that may not be searched; the administrator may, so the refusal is simulated."""
    found, looked, asked = tmp_path / "closed", os.stat, os.access
    found.mkdir()

    def refuse(path: Any, *given: Any, **more: Any) -> Any:
        if str(path).startswith(f"{found}/"):
            raise PermissionError(13, "Permission denied", str(path))
        return looked(path, *given, **more)

    def access(path: Any, mode: int, **more: Any) -> bool:
        return not str(path).startswith(str(found)) and asked(path, mode, **more)

    monkeypatch.setattr(os, "stat", refuse)
    monkeypatch.setattr(os, "access", access)
    return found
