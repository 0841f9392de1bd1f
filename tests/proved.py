"""Test modules that passed, and need not run again until something that they depend on changes.

What a module depends on is computed from the imports: the modules that it imports, wherever in the
text, those that these import, those named in a string (as the papers' doors name theirs), and the
data beside them. ``tests/proved.json`` holds a digest of it all for each module that has passed.

``python -m tests.proved`` runs the modules whose digest has changed, and records those that pass.
``.ci/run`` leaves out the others, unless CI_ALL is set or it is a week since all of them ran, in
``CI_ALL=1 .ci/run`` or ``python -m tests.proved --all``.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from subprocess import run

from handread.whole_files import write_text_whole

ROOT = Path(__file__).parents[1]
RECORD = "tests/proved.json"
WHOLE = "whole run"
WEEK = timedelta(days=7)

GROUPS = (
    "tests/papers/**/test_*.py",
    "tests/docs/test_notebook.py",
    "tests/docs/test_site.py",
    "tests/kernels/test_compiling.py",
)
"""The test modules that are left out where nothing has changed for them."""


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")
"""The characters of the names of files that a string may be."""


class Imports:
    """What the files of a project depend on.

    Attributes:
        root: The folder of the project.
    """

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        ignored = (root / ".gitignore").read_text("utf-8").split()
        self._ignored = {name.strip("/") for name in ignored}
        self._tops = {path.name for path in root.iterdir() if path.is_dir()} - self._ignored
        self._needed: dict[Path, frozenset[Path]] = {}

    def digest(self, module: Path) -> str:
        """Return a digest of all that a test module depends on."""
        found = hashlib.sha256(self._settings().encode())
        for path in sorted(self.closure(module)):
            found.update(f"{path.relative_to(self.root)}\n".encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
        return found.hexdigest()[:16]

    def closure(self, module: Path) -> set[Path]:
        """Return all files that a test module depends on, itself included."""
        shared = (path / "conftest.py" for path in module.parents if path != self.root)
        waiting = [module, *(path for path in shared if path.exists())]
        found = set(waiting)
        while waiting:
            new = self._needs(waiting.pop()) - found
            found |= new
            waiting += new
        commands = self.root / "handread" / "cli"
        if commands / "__init__.py" in found:  # which imports a command when it is given
            found |= set(commands.glob("*.py"))
        return found

    def _needs(self, path: Path) -> frozenset[Path]:
        """Return the files that a file names itself."""
        if path not in self._needed:
            self._needed[path] = frozenset(self._named(path))
        return self._needed[path]

    def _named(self, path: Path) -> Iterator[Path]:
        if path.suffix == ".ipynb":
            cells = json.loads(path.read_text("utf-8"))["cells"]
            code = "\n".join("".join(one["source"]) for one in cells if one["cell_type"] == "code")
            yield from self._of_code(code, path)
        if path.suffix != ".py":
            return
        yield from self._of_code(path.read_text("utf-8"), path)
        if path.is_relative_to(self.root / "handread"):  # the data of the package
            yield from (one for one in path.parent.iterdir() if one.is_file() and _is_data(one))

    def _of_code(self, code: str, path: Path) -> Iterator[Path]:
        nodes = [*ast.walk(ast.parse(code))]
        strings = {one.value for one in nodes if isinstance(one, ast.Constant)}
        for node in nodes:
            match node:
                case ast.Import(names=names):
                    for name in names:
                        yield from self._modules(name.name)
                case ast.ImportFrom(module=str(module), names=names):
                    for name in names:
                        yield from self._modules(f"{module}.{name.name}")
                case ast.Constant(value=str(text)) if text and len(text) < 100:
                    if text != "handread" or "-m" in strings:  # else it is part of a path
                        yield from self._modules(text)
                        yield from self._files(text, path)

    def _modules(self, name: str) -> Iterator[Path]:
        """Yield the files of a module, or of one that has something of this name, and above."""
        parts = name.split(".")
        if not all(map(str.isidentifier, parts)) or parts[0] not in self._tops:
            return
        place, files = self.root, []
        for part in parts:
            place /= part
            files += [place / "__init__.py", place.with_suffix(".py")]
        below = [file for file in files[2:] if file.exists()]
        # A package at the top loads its modules when its names are used: who imports one of its
        # modules depends on that module alone.
        names_top = not below and (len(parts) == 1 or not place.is_dir())
        yield from filter(Path.exists, files[:2] if names_top else below)
        if place.is_dir() and not (place / "__init__.py").exists():
            yield from _data_below(place)

    def _files(self, text: str, path: Path) -> Iterator[Path]:
        """Yield the file or the files of a folder that a text names, beside the module or whole."""
        if not _PLAIN.issuperset(text) or text[0] in "./" or ".." in text:
            return
        # What is built in the folder of the project is not part of it.
        whole = () if text.partition("/")[0] in self._ignored else (self.root / text,)
        for place in (path.parent / text, *whole):
            if place.is_file() and _is_data(place):
                yield place
            elif place.is_dir():
                yield from _data_below(place)
                if (place / "__init__.py").exists():  # named to be imported, as the papers are
                    yield place / "__init__.py"

    def _settings(self) -> str:
        """Return what the project states of its dependencies and its tests."""
        stated = tomllib.loads((self.root / "pyproject.toml").read_text("utf-8"))
        project = stated["project"]
        kept = [project["dependencies"], project["optional-dependencies"], stated["tool"]["pytest"]]
        return json.dumps(kept, sort_keys=True)


def _is_data(path: Path) -> bool:
    return path.suffix not in (".py", ".pyc") and not path.name.startswith(".")


def _data_below(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*") if path.is_file() and _is_data(path))


def modules(root: Path = ROOT) -> list[str]:
    """Return the modules that may be left out, as paths from the project's folder."""
    found = sorted(path for group in GROUPS for path in root.glob(group))
    return [path.relative_to(root).as_posix() for path in found]


def digests(root: Path = ROOT) -> dict[str, str]:
    """Return the digest of what each of these modules depends on."""
    imports = Imports(root)
    return {name: imports.digest(root / name) for name in modules(root)}


def recorded(root: Path = ROOT) -> dict[str, str]:
    """Return the digests with which the modules passed, and the date of the last whole run."""
    path = root / RECORD
    found: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def unchanged(root: Path = ROOT) -> list[str]:
    """Return the modules that passed with all that they depend on as it is now."""
    known = recorded(root)
    return [name for name, digest in digests(root).items() if known.get(name) == digest]


def record(passed: Iterable[str], whole: date | None = None, root: Path = ROOT) -> None:
    """Note that modules pass, and the date if it was a whole run; forget those that are gone."""
    now, known = digests(root), recorded(root)
    kept = {name: now[name] if name in set(passed) else known.get(name, "") for name in now}
    day = whole.isoformat() if whole else known.get(WHOLE, "")
    write_text_whole(root / RECORD, json.dumps({WHOLE: day, **kept}, indent=1) + "\n")


def left_out(today: date, everything: bool, root: Path = ROOT) -> tuple[list[str], str]:
    """Return the modules that a run of ``.ci/run`` leaves out, and why it does."""
    last = recorded(root).get(WHOLE)
    if everything:
        return [], "nothing is left out: CI_ALL is set"
    if not last or today - date.fromisoformat(last) > WEEK:
        return [], f"nothing is left out: the last whole run was {last or 'never recorded'}"
    names = unchanged(root)
    why = f"left out, as nothing that they import has changed since they passed ({last} at the"
    return names, f"{why} latest all passed; CI_ALL=1 runs them): {' '.join(names) or 'none'}"


def main() -> int:
    """Run what has changed and record it, or do what ``.ci/run`` asks."""
    parser = argparse.ArgumentParser(prog="python -m tests.proved")
    parser.add_argument("--ignore", action="store_true", help="print pytest's options; run nothing")
    parser.add_argument("--record", action="store_true", help="record that all pass; run nothing")
    parser.add_argument("--all", action="store_true", help="leave out nothing")
    asked = parser.parse_args()
    if asked.ignore:
        names, why = left_out(date.today(), asked.all)
        print(why, file=sys.stderr)
        print(*(f"--ignore={name}" for name in names))
        return 0
    if asked.record:
        record(modules(), date.today() if asked.all else None)
        return 0
    known = [] if asked.all else unchanged()
    changed = [name for name in modules() if name not in known]
    if not changed:
        print("no module has changed since it passed")
        return 0
    done = run([sys.executable, "-m", "pytest", "-m", "not slow", *changed], cwd=ROOT, check=False)
    if done.returncode == 0:
        record([*known, *changed], date.today() if asked.all else None)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
