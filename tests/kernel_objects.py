"""Make the machine code that comes with the package: ``python -m tests.kernel_objects``.

``python -m tests.kernel_objects FOLDER TARGET...`` makes that of some targets elsewhere.

``handread/kernels/__init__.py`` describes it. Each shipped kernel gets a *door*, the function
that ``kernels.loading`` calls: it loads the arguments from where they stand in memory.
"""

from __future__ import annotations

import lzma
import os
import re
import sys
from collections.abc import Collection, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core.compiler_lock import global_compiler_lock

from handread.kernels import jit, loading, rollout_state, street_read
from handread.user_cache import sealed

ROOT = Path(__file__).parents[1]
HOW = "run: python -m tests.kernel_objects"
MADE_BY = "made-by.txt"
"""The file beside the objects with the versions that made them; others may give other bytes."""

RECORDS: dict[str, Any] = vars(rollout_state) | vars(street_read)
"""The records of arguments, by name."""

PLAIN = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "3"}
"""Settings of Numba by which its code does not depend on this machine."""


class Target(NamedTuple):
    """A system and a processor, as LLVM names them; how calls are made, as Numba makes them."""

    triple: str
    processor: str
    relocation: str


TARGETS = {
    "linux-x86_64": Target("x86_64-unknown-linux-gnu", "x86-64", "static"),
    "linux-arm64": Target("aarch64-unknown-linux-gnu", "generic", "default"),
    "darwin-x86_64": Target("x86_64-apple-darwin", "x86-64", "static"),
    "darwin-arm64": Target("arm64-apple-darwin", "apple-m1", "default"),
    "win32-x86_64": Target("x86_64-pc-windows-msvc", "x86-64", "static"),
}


def shipped_kernels() -> dict[str, jit.Kernel]:
    """The kernels with a form, by name."""
    found = {}
    for path in sorted(Path(jit.__file__).parent.glob("*.py")):
        for kernel in vars(import_module(f"handread.kernels.{path.stem}")).values():
            if isinstance(kernel, jit.Kernel) and kernel.form:
                found[kernel.py_func.__name__] = kernel
    return found


def examples_of(form: str) -> tuple[Any, ...]:
    """Arguments of a form."""
    return tuple(_examples(iter(re.findall(r"\w*\(|\)|[\w.]+", form))))


def _examples(words: Iterator[str]) -> Iterator[Any]:
    plain = {"int": 1, "float": 1.0, "bool": True, "rng": np.random.default_rng(1)}
    for word in words:
        if word == ")":
            return
        if word.endswith("("):
            within = tuple(_examples(words))
            yield RECORDS[word[:-1]](*within) if word[:-1] else within
        elif word in plain:
            yield plain[word]
        else:
            kind, axes = word.split(".")
            yield np.empty((1,) * int(axes), dtype=kind)


def door(name: str, function: Any) -> str:
    """The door of a compiled kernel, in the language of LLVM."""
    kinds = [str(argument.type) for argument in function.arguments]
    given = ["ptr %result", "ptr %error", *(f"{kind} %a{i}" for i, kind in enumerate(kinds[2:]))]
    loads = [
        f"%p{i} = getelementptr i64, ptr %words, i64 {i}\n%a{i} = load {kind}, ptr %p{i}\n"
        for i, kind in enumerate(kinds[2:])
    ]
    return (
        f'declare i32 @"{function.name}"({", ".join(kinds)})\n'
        f"define i32 @{name}(ptr %words) {{\n"
        f"%result = alloca i64\n%error = alloca ptr\n{''.join(loads)}"
        f'%status = call i32 @"{function.name}"({", ".join(given)})\nret i32 %status\n}}\n'
    )


def in_llvm() -> str:
    """All shipped kernels, with all that they call, in the language of LLVM."""
    whole, seen = llvm.parse_assembly(""), set()
    with global_compiler_lock:
        for name, kernel in shipped_kernels().items():
            compiled = kernel._dispatchers[1]
            compiled.compile(tuple(map(numba.typeof, examples_of(kernel.form))))
            (made,) = compiled.overloads.values()
            for library in (made.library, *made.library._linking_libraries):
                if library not in seen:
                    seen.add(library)
                    whole.link_in(library._final_module, preserve=True)
            function = whole.get_function(made.fndesc.llvm_func_name)
            whole.link_in(llvm.parse_assembly(door(name, function)))
    return str(whole)


def machine_code(text: str, target: Target) -> bytes:
    """The object of a target."""
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, opt=3, jit=True, reloc=target.relocation, codemodel="jitdefault"
    )
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    text = re.sub(r"(?m)^(target |; ModuleID|source_filename).*$", "", text)
    module = llvm.parse_assembly(head + text)
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.name not in shipped_kernels():
            one.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.slp_vectorization = False  # as Numba does it
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    module.verify()
    needed = {one.name for one in module.functions if one.is_declaration}
    unknown = {name for name in needed if not name.startswith("llvm.")} - set(loading.NEEDED)
    assert not unknown, f"the kernels call {', '.join(sorted(unknown))}"
    code: bytes = machine.emit_object(module)
    assert b"numba/np" not in code, "an error of Numba would name a folder of this machine"
    return code


def versions() -> str:
    """The versions that decide the bytes of the objects."""
    found = [f"{name} {version(name)}" for name in ("numba", "llvmlite")]
    return "\n".join([f"Python {sys.version_info[0]}.{sys.version_info[1]}", *found, ""])


def build(folder: Path, names: Collection[str] = TARGETS) -> None:
    """Write the objects of targets to a folder; delete those that are out of date."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    text = in_llvm()
    made = set()
    for name in names:
        code = machine_code(text, TARGETS[name])
        packed = sealed(lzma.compress(code, preset=9 | lzma.PRESET_EXTREME))
        path = folder / loading.object_path(name).name
        path.write_bytes(packed)
        made.add(path)
        print(f"{name}: {len(code):,} bytes, {len(packed):,} packed")
    for old in set(folder.glob("*.xz")) - made:
        old.unlink()
    (folder / MADE_BY).write_text(versions(), encoding="utf-8")


if __name__ == "__main__":
    arguments = sys.argv[1:] or [str(loading.FOLDER)]
    if not PLAIN.items() <= os.environ.items():
        command = (sys.executable, "-m", "tests.kernel_objects", *arguments)
        os.execve(sys.executable, command, os.environ | PLAIN)
    build(Path(arguments[0]), arguments[1:] or TARGETS)
