"""``python -m tests.mutants game``: make small changes, and list those that no test notices.

Each mutant is one change: another comparison, operator or number, a condition turned round, a
statement left out. It is made in a copy of the project, where the tests of the package then run. A
mutant that they do not notice shows a missing test, needless code, or a change without effect.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from random import Random
from subprocess import DEVNULL, TimeoutExpired, run
from time import perf_counter

from handread.kernels.jit import kernel_folder

ROOT = Path(__file__).parents[1]
CACHE = ".cache"

TABLES = ("store", "resume", "opening")
TESTS = {
    "game": ("tests/game", "tests/laws/test_play.py"),
    "odds": ("tests/odds",),
    "inference": ("tests/inference", "tests/laws/test_beliefs.py"),
    "decisions": ("tests/decisions", "tests/kernels/test_rollouts.py"),
    "tables": ("tests/tables",),
    "tables/store.py": tuple(f"tests/tables/test_{name}.py" for name in TABLES),
    "opponents": ("tests/opponents", "tests/tables/test_players.py"),
    "sessions": ("tests/sessions", "tests/tables/test_opening.py"),
    "window": ("tests/window",),
}
"""What is mutated, in the folder of the package, and the tests that must notice."""

PYTEST = (
    *("-m", "pytest", "-n0", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0"),
    *("-m", "not slow"),  # with the thorough tests
)
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
}


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that are changed: all but messages, types and decorators."""
    yield tree
    for name, value in ast.iter_fields(tree):
        left_out = isinstance(tree, ast.Assert | ast.Raise | ast.JoinedStr)
        if not left_out and name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                yield from nodes(child) if isinstance(child, ast.AST) else ()


def altered(node: ast.AST, **fields: object) -> str:
    """Return the code of a node with other fields."""
    other = copy(node)
    other.__dict__.update(fields)
    return f"({ast.unparse(other)})"


def changes(node: ast.AST) -> Iterator[str]:
    """Yield the code that takes the place of a node, once for each mutant."""
    match node:
        case ast.Compare(ops=ops):
            for n, op in enumerate(ops):
                yield altered(node, ops=[*ops[:n], SWAPS[type(op)](), *ops[n + 1 :]])
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPS:
            yield altered(node, op=SWAPS[type(op)]())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield altered(operand)
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield f"({value + 1})"
        case ast.IfExp(body=body, orelse=orelse):
            yield from (altered(body), altered(orelse))
        case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as args):
            yield from map(altered, args)
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            yield altered(node, func=ast.Name("max" if name == "min" else "min"))
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.AugAssign():
            yield "pass"
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield "pass"


def mutants(file: Path) -> Iterator[tuple[Path, str, bytes]]:
    """Yield all mutants of a file: the file, the change in words, and the changed text."""
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in nodes(ast.parse(source)):
        for new in changes(node):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            old = " ".join(source[start:end].decode().split())
            yield (
                file,
                f"{node.lineno}: {old}  ->  {new}",
                source[:start] + new.encode() + source[end:],
            )


def passes(folder: Path, part: str, limit: float | None = None) -> bool:
    """Return whether the tests of a part pass in a copy of the project, and in time."""
    # The bytecode of the first run serves all: a changed file is compiled in memory.
    settings = {"PYTHONDONTWRITEBYTECODE": "1" if limit else "", "PYTHONPATH": str(folder)}
    settings["NUMBA_CACHE_DIR"] = str(folder / CACHE)
    command, env = [sys.executable, *PYTEST, *TESTS[part]], os.environ | settings
    try:
        done = run(command, cwd=folder, env=env, stdout=DEVNULL, timeout=limit, check=False)
    except TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> None:
    """Run the tests on a sample of mutants, and print those that they do not notice."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("part", choices=TESTS, help="the package or module to change")
    parser.add_argument("--n", type=int, default=40, help="how many mutants (default: 40)")
    parser.add_argument("--seed", type=int, default=1, help="choose others (default: 1)")
    parser.add_argument("--minutes", type=float, default=20, help="stop then (default: 20)")
    asked = parser.parse_args()
    begun, done, missed = perf_counter(), 0, 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / ROOT.name
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        kernels = kernel_folder()
        if kernels and kernels.is_dir():  # what changed code keeps there must not stay
            shutil.copytree(kernels, folder / CACHE)
        if not passes(folder, asked.part):
            sys.exit(f"the tests fail without a change: {' '.join(TESTS[asked.part])}")
        limit = 10 + 3 * (perf_counter() - begun)
        path = folder / "handread" / asked.part
        every = [m for file in sorted(path.glob("*.py")) or [path] for m in mutants(file)]
        for file, change, text in Random(asked.seed).sample(every, min(asked.n, len(every))):
            if perf_counter() - begun > 60 * asked.minutes:
                break
            file.write_bytes(text)
            done, where = done + 1, file.relative_to(folder)
            if passes(folder, asked.part, limit):
                missed += 1
                print(f"{where}:{change}", flush=True)
            shutil.copy2(ROOT / where, file)  # with its time, for its bytecode
    print(f"{asked.part}: {done - missed} of {done} mutants noticed, of {len(every):,} in all")


if __name__ == "__main__":
    main()
