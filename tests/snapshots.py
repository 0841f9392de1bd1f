"""Outputs of the program, to be compared byte for byte before and after a change of its code.

``tests/snapshots.json`` holds a digest of each, or several with spaces between: what is equal but
for rounding may differ from processor to processor. ``python -m tests.snapshots`` lists the outputs
that have changed, and with names of ``PARTS`` only looks at these. ``--update`` writes the digests
anew, and without names drops those of outputs that are no longer made. ``--add`` adds the digests,
where only the processor is another.
``--to DIR`` writes the outputs into a folder, so that ``diff -r`` can compare two commits.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from handread import __version__, json_schema
from handread.report.schemas import SCHEMA_NAMES
from tests.packed import SHARED, opened
from tests.program import (
    LONG_IN_SAUND,
    PROGRAM,
    ROOT,
    few_games_for_values,
    first_hands,
    run_here,
    unlike_samples,
)

DIGESTS = Path(__file__).with_name("snapshots.json")
REAL_HANDS = ROOT.parent / "shared" / "real_hands" / "dev"
SAMPLES = sorted(path.name for path in (ROOT / "sample_histories").iterdir())
UNLIKE = [path.name for path in unlike_samples()]
LINE_LOGS = [name for name in SAMPLES if name.startswith("simulated-")]
WRITERS = (*(Path(name).stem.removeprefix("simulated-") for name in LINE_LOGS), "phh", "saund")

FIRST_HANDS = 3
"""So many of the twelve hands of the long samples are enough for most parts."""

FITTED_TO = "simulated-pokerstars.txt"
FEW = "--least-hands 1 --top 3"
STUDIES = {
    "evaluate": "evaluate GAMES --resamples 100 CSV",
    "evaluate-honest": "evaluate showdown.stud pokerstars.txt --policy honest --resamples 100 CSV",
    "evaluate-folds": f"evaluate {FITTED_TO} --folds 2 --resamples 100 --penalty 3 --temper 1 CSV",
    # Its figures are those of the table, in the same object whatever was evaluated.
    "evaluate-json": f"evaluate {FITTED_TO} --resamples 100 --json",
    "fit": f"fit {FITTED_TO} --penalty 3 -o fitted.toml",
}
EXPERIMENTS = {
    "information-gain": "information-gain --games 12 CSV",
    "win-rates": "win-rates --games 12 CSV",
    "win-rates-duplicate": "win-rates --games 4 --seats 3 --set duplicate=yes CSV",
    "calibration": "calibration --games 12 CSV",
    "entropies": "entropies --games 4 CSV",
    "entropies-of-files": "entropies showdown.stud CSV",
}
OF_PAPERS = {
    "readers": "--players mixed --games 3 --seats 4 --resamples 100 CSV PLOT",
    "readers-of-files": "readers showdown.stud steal.stud --folds 2 --resamples 100",
    "tournament": "--players GOM,BPM,SOM,people --set sessions=2 --set deals=2 CSV PLOT",
    "income-of-hands": "loki-tables income --games 4 --seats 3 CSV",
    "actions-of-players": "loki-tables actions --games 20 --players GOM,SOM,BPL,BPT CSV",
    "actions-of-policy": "loki-tables actions --games 20 --policy people CSV",
    "bpp": "--set matches=2 --games 8 CSV PLOT",
    "winnings-of-bpp": "bpp expected --set decks=4 --games 20 CSV",
    "curves-of-bpp": "bpp curves --set curves=separate --set climbs=1 --set steps=3"
    " --set candidates=2 --set decks=6 --games 30 CSV PLOT",
    "bpp-reader": "--games 10 --set train=60 CSV",
    "learning-curves": "--games 3,6 --set others=10 CSV PLOT",
    "information-gain": "--games 4 PLOT",
    "win-rates": "--games 4 --seats 3 PLOT",
    "calibration": "--games 4 PLOT",
    "entropies": "--games 2 PLOT",
    "read-value": "--games 3 --seats 3 --rollouts 10 --set scoring=10 CSV PLOT",
    "read-value-of-files": "read-value showdown.stud all-cards-known.stud --set decisions=1"
    " --rollouts 10 --set scoring=10 CSV",
}
"""Options of the experiments whose names stand before them, or else in them."""

VALUED = {
    "rollouts": "decisions all-cards-known.stud showdown.stud --rollouts 10 CSV",
    "learned": "decisions pokerstars.txt --player all --top 3 CSV",
    "all": "decisions fulltilt.txt --player all --all --anonymous",
    "json": "decisions showdown.stud --rollouts 10 --json",
    "summary": "summary valued --least-hands 1 -o table.csv",
    "summary-json": "summary valued --least-hands 1 --json",
    "plot": "summary valued --plot decisions --least-hands 1 -o figure.svg",
    "query": "query valued --table decisions",
    "query-ledgers": "query valued --table ledgers --json",
    "fit-values": "fit --values people --game 5stud --games 50 --rollouts 10"
    " --set played-on=50 --set showdowns=10",
}
SMALL = {
    "policy/list": "policy list",
    "policy/list-json": "policy list --json",
    "policy/show": "policy show people",
    "policy/show-json": "policy show people --json",
    "policy/show-holdings": "policy show people --holdings",
    "policy/show-plot": "policy show table1-left PLOT",
    "policy/show-panel": "policy show panel",
    "policy/export": "policy export -o table.bif",
    "formats/list": "formats",
    "formats/list-json": "formats --json",
    "formats/explain": "formats --explain pokerstars",
    "formats/explain-xml": "formats --explain ipoker",
    "formats/explain-saund": "formats --explain saund",
    "formats/new": "formats --new my-room",
    "simulate/saund": "simulate 3",
    "simulate/phh": "simulate 4 --game razz --seat 3=loose --dialect phh",
    "simulate/room": "simulate 4 --game stud8 --stack 20 --dialect pokerstars --policy people",
    "fit/ramps": "fit pokerstars.txt showdown.stud --family ramps --penalty 3 --temper 1"
    " --set rounds=1 -o fitted.toml",
    "fit/tree": "fit pokerstars.txt --family tree --set rounds=1 --temper 1 -o fitted.toml",
    "analyze/cards-only": "analyze showdown.stud --reader cards-only",
    "analyze/uncertainty": "analyze pokerstars.txt --uncertainty 4",
    "analyze/public": "analyze pokerstars.txt --viewpoint public --anonymous",
    "analyze/picture": "report showdown.stud -o figure.svg",
    "study/summary": f"summary scores {FEW} -o table.csv",
    "study/summary-json": f"summary scores {FEW} --sort told --json",
    "query/schema": "query --schema",
    "query/all": "query scores",
    "query/condition": "query scores street=5 -o table.csv",
    "query/given": "query scores action='fold' --given street=3 --top 3 --json",
    **{
        f"plot/{kind}": f"summary scores --plot {kind} --least-hands 1 -o figure.svg"
        for kind in ("information-gain", "entropies", "calibration", "players", "surprise")
    },
}
WORDS = {
    "CSV": "--output table.csv",
    "PLOT": "--plot figure.svg",
    "GAMES": "showdown.stud side-pot.stud pokerstars.txt five-card.stud hi-lo.stud razz.stud",
}
"""What these words stand for in the lines above: ``_told`` yields the files."""

_SPEED = re.compile(rb" in \d+ s(?:: .* a second.*)?$", re.MULTILINE)
_COMPILING = re.compile(rb"^compiling the kernels .*\n", re.MULTILINE)
_PROGRESS = re.compile(rb"^[a-z ]+, [\d,]+/[\d,]+(?:, [\d.]+/s)?(?:, [\d:]+ left)?\n", re.MULTILINE)
_REAL = re.compile(rb"-?\d+(?:\.\d{9,}(?:e-?\d+)?|(?:\.\d+)?e-\d+|\.0\b)")
_FIGURE = re.compile(rb" *[+-]?\d[\d,.]*(?:e[+-]?\d+)?%?")


Outputs = Iterator[tuple[str, bytes]]
"""Names and texts of outputs."""


def hands() -> Outputs:
    """Yield what ``check`` prints of every sample, and ``analyze`` of those that differ."""
    with _with_samples():
        for name in SAMPLES:
            yield f"check/{name}", _output("check", name)
            yield f"check-json/{name}", _output("check", "--json", name)
    with _with_samples(short=True):
        for name in UNLIKE:
            yield f"analyze/{name}", _output("analyze", name)
            yield f"analyze-json/{name}", _output("analyze", "--json", name)


def converted() -> Outputs:
    """Yield the samples as every format that can be written; as PHH all of them."""
    with _with_samples(short=True):
        for writer in WRITERS:
            samples = SAMPLES if writer == "phh" else UNLIKE
            yield f"convert/{writer}", _output("convert", "--to", writer, *samples)


def tables() -> Outputs:
    """Yield the tables of ``score`` as CSV, and what ``summary`` says of them."""
    with _with_samples(short=True) as folder:
        yield "score/run", _output("score", *UNLIKE, "-o", "scores", "--format", "csv")
        for path in sorted((folder / "scores").rglob("*.csv")):
            yield f"score/{path.name}", path.read_bytes()
        yield "score/summary", _output("summary", "scores")
        yield "score/summary-json", _output("summary", "--json", "scores")


def study() -> Outputs:
    """Yield small fits and evaluations: their text, CSV and JSON."""
    with _with_samples(short=True):
        for name, line in STUDIES.items():
            yield from _told(f"study/{name}", line)


def papers() -> Outputs:
    """Yield the experiments and the readers of papers: text, CSV and picture."""
    with (
        _with_samples(short=True),
        mock.patch("handread.study.scores.process_time", return_value=0.0),
    ):
        for reader in ("loki", "bpp", "trees"):
            yield f"analyze/{reader}", _output("analyze", "showdown.stud", "--reader", reader)
        for name, line in EXPERIMENTS.items():
            yield from _told(f"study/{name}", f"experiment {line}")
        for name, options in OF_PAPERS.items():
            line = options if "-of-" in name else f"{name} {options}"
            yield from _told(f"papers/{name}", f"experiment {line}")


def decisions() -> Outputs:
    """Yield the values of decisions as every command shows them."""
    with _with_samples(short=True) as folder, few_games_for_values():
        few = "showdown.stud pokerstars.txt"
        score = f"score {few} --policy people --decisions --format csv -o valued"
        yield from _told("decisions/score", score)
        for name in ("decisions", "ledgers"):
            yield f"decisions/{name}.csv", next(folder.rglob(f"{name}.csv")).read_bytes()
        for name, line in VALUED.items():
            yield from _told(f"decisions/{name}", line)
        evening = (ROOT / "docs" / "first-evening.txt").read_text("utf-8").split("\n\n\n")
        (folder / "first-evening.txt").write_text("\n\n\n".join(evening[:12]) + "\n", "utf-8")
        yield from _told("decisions/first-look", "first-evening.txt")
        yield from _told("decisions/report", f"report {few} --decisions -o pages")
        yield from _pages("decisions", folder / "pages")
        text = "report showdown.stud --decisions --exact --rollouts 10 --format text -o texts"
        yield from _told("decisions/report-text", text)
        yield from _pages("decisions", folder / "texts")


def small() -> Outputs:
    """Yield what the quick commands print, and pictures of tables."""
    with _with_samples(short=True):
        _output("score", *WORDS["GAMES"].split(), "-o", "scores")
        for name, line in SMALL.items():
            yield from _told(name, line)


def helped() -> Outputs:
    """Yield the help of every command at 80 columns, and the JSON schemas."""
    for words in _commands(PROGRAM):
        yield "/".join(("help", *words, "text")), _output(*words, "--help", COLUMNS="80")
    for name in SCHEMA_NAMES:
        yield f"schema/{name}", json.dumps(json_schema(name), indent=1, sort_keys=True).encode()


def _commands(command: Any, *words: str) -> Iterator[tuple[str, ...]]:
    yield words
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(below, *words, name)


def _told(name: str, line: str) -> Outputs:
    """Yield what a command line prints, and the table and the figure that it writes."""
    yield name, _output(*" ".join(WORDS.get(word, word) for word in line.split()).split())
    for written in ("table.csv", "table.bif", "figure.svg"):
        path = Path(written)
        if path.exists():
            output = path.read_bytes()
            yield name + path.suffix, output if path.suffix != ".svg" else _drawing(output)
            path.unlink()


def _drawing(svg: bytes) -> bytes:
    """Return a figure without the version of its library, and coordinates to two digits.

    Names inside it are digests of exact coordinates, which depend on the processor.
    """
    svg = re.sub(rb"<metadata>.*?</metadata>", b"", svg, flags=re.DOTALL)
    svg = re.sub(rb'(?<=[#"])([a-z])[0-9a-f]{10}\b', rb"\1", svg)
    return re.sub(rb"-?\d+\.\d{3,}", lambda m: b"%.2f" % (round(float(m[0]), 2) + 0.0), svg)


def pages() -> Outputs:
    """Yield the pages of ``report``, and one hand as text."""
    with _with_samples(short=True) as folder:
        yield "report/run", _output("report", *UNLIKE, "-o", "pages")
        yield "report/text", _output("report", "showdown.stud", "--format", "text", "-o", "texts")
        yield from _pages("report", folder / "pages")
        yield from _pages("report", folder / "texts")


def _pages(name: str, folder: Path) -> Outputs:
    for path in sorted(folder.iterdir()):
        page = path.read_bytes()
        if path.suffix == ".html":
            page = opened(page, folder).encode()
        # The script of the pages holds compressed text, of which builds of zlib make their own.
        if path.suffix != ".js":
            yield f"{name}/" + SHARED.sub(r"handread.\1", path.name), page


def broken() -> Outputs:
    """Yield the messages about each of the broken logs."""
    with _in_new_folder() as folder:
        for name in LINE_LOGS:
            text = (ROOT / "sample_histories" / name).read_text("utf-8")
            for fault, edited in faults(text):
                (folder / name).write_text(edited, "utf-8")
                yield f"broken/{fault}/{name}", _output("check", "--strict", name)


def faults(text: str) -> Iterator[tuple[str, str]]:
    """Yield the log with one fault each: its name and the faulty text."""
    lines = text.splitlines(keepends=True)
    third = len(lines) // 3
    yield "cut", "".join(lines[: len(lines) - third])
    yield "line-lost", "".join([*lines[:third], *lines[third + 1 :]])
    yield "line-twice", "".join([*lines[: third + 1], *lines[third:]])
    yield (
        "lines-swapped",
        "".join([*lines[:third], lines[third + 1], lines[third], *lines[third + 2 :]]),
    )
    yield "no-card", re.sub(r"\b[2-9TJQKA][cdhs]\b", "1x", text, count=1)
    yield "other-amount", re.sub(r"(\d)(\D*)\Z", lambda m: str((int(m[1]) + 1) % 10) + m[2], text)
    yield "unknown-line", "".join([*lines[:third], "the roof is on fire\n", *lines[third:]])


def real() -> Outputs:
    """Yield the outputs made from the real logs, where they are present.

    All hands are read and written; those of the smallest log of each room are analyzed.
    """
    with contextlib.chdir(REAL_HANDS):
        logs = sorted(path for path in Path().rglob("*") if path.is_file())
        by_size = sorted(logs, key=lambda path: -path.stat().st_size)
        smallest = {path.parent: path for path in by_size}
        for path in logs:
            yield f"real/check-json/{path}", _output("check", "--json", str(path))
            if path == smallest[path.parent]:
                yield f"real/analyze-json/{path}", _output("analyze", "--json", str(path))
            yield f"real/convert/{path}", _output("convert", "--to", "phh", str(path))


@contextlib.contextmanager
def _in_new_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        yield Path(name)


@contextlib.contextmanager
def _with_samples(short: bool = False) -> Iterator[Path]:
    """Stand in a folder with the samples; of the long ones ``short`` keeps the first hands."""
    with _in_new_folder() as folder:
        shutil.copytree(ROOT / "sample_histories", folder, dirs_exist_ok=True)
        for name in LONG_IN_SAUND if short else ():
            (folder / name).write_text(first_hands(name, FIRST_HANDS), "utf-8")
        yield folder


def _output(*args: str, **env: str) -> bytes:
    """Return what a command prints on both streams, and its exit status."""
    # A worker loads everything anew, which takes longer than its share of these small commands.
    with mock.patch("handread.parallel.usable_cores", return_value=1):
        done = run_here(*args, **env)
    return f"{done.stdout}\n-- stderr\n{done.stderr}\n-- exit {done.returncode}\n".encode()


FITTED = {"fit/ramps", "study/fit"}
"""Outputs of which only the words are compared: where a fit ends depends on the processor."""

UNSTABLE = {
    "report/0015-7000000002.html",
}
"""Outputs that are not compared: what they show depends on the processor or the run."""


def normal(output: bytes) -> bytes:
    """Return an output without what differs from run to run, its reals rounded to nine digits.

    The last digits of a sum depend on the libraries and the processor, and so does what is left of
    figures that cancel: a whole number is printed alike, whether or not it was rounded to be one.
    """
    for passing in (_SPEED, _COMPILING, _PROGRESS):
        output = passing.sub(b"", output)
    output = output.replace(__version__.encode(), b"VERSION")
    return _REAL.sub(lambda m: f"{_kept(float(m[0])):.9g}".encode(), output)


def _kept(figure: float) -> float:
    return figure if abs(figure) >= 1e-9 else 0.0


def digest(name: str, output: bytes) -> str:
    """Return the digest that ``snapshots.json`` keeps of an output."""
    compared = normal(output)
    if name in FITTED:
        compared = re.sub(rb" +", b" ", _FIGURE.sub(b"#", compared))
    return hashlib.sha256(compared).hexdigest()[:16]


PARTS = {
    "hands": hands,
    "converted": converted,
    "tables": tables,
    "study": study,
    "pages": pages,
    "papers": papers,
    "decisions": decisions,
    "small": small,
    "help": helped,
    "broken": broken,
    "real": real,
}
"""The outputs by what makes them; ``real`` needs the real logs."""


def changed(part: str, folder: Path | None = None) -> list[str]:
    """Return the names of a part's outputs that are not as known; write all into a folder."""
    known = json.loads(DIGESTS.read_text("utf-8"))
    found = []
    for name, output in PARTS[part]():
        if folder is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(normal(output))
        if name not in UNSTABLE and digest(name, output) not in known.get(name, "").split():
            found.append(name)
    return found


def update(parts: Collection[str], beside: bool = False) -> None:
    """Write the digests of the outputs of some parts anew; where it is all, drop the others.

    If ``beside``, add them to those that are known.
    """
    known = json.loads(DIGESTS.read_text("utf-8"))
    if set(parts) == PARTS.keys() and not beside:
        known.clear()
    for part in parts:
        for name, output in PARTS[part]():
            if name not in UNSTABLE:
                others = known.get(name, "").split() if beside else ()
                known[name] = " ".join(dict.fromkeys([*others, digest(name, output)]))
    DIGESTS.write_text(json.dumps(known, indent=0, sort_keys=True) + "\n", "utf-8")


def main() -> int:
    """Compare the outputs with the digests, or write these anew."""
    parser = argparse.ArgumentParser(prog="python -m tests.snapshots", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all if none is named")
    parser.add_argument("--update", action="store_true", help="write the digests anew")
    parser.add_argument("--add", action="store_true", help="add the digests to those known")
    parser.add_argument("--to", type=Path, metavar="DIR", help="write the outputs into a folder")
    args = parser.parse_args()
    names = args.parts or [part for part in PARTS if part != "real" or REAL_HANDS.is_dir()]
    if args.update or args.add:
        update(names, beside=args.add)
        return 0
    found = [name for part in names for name in changed(part, args.to)]
    print("\n".join(found) or "no output has changed")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
