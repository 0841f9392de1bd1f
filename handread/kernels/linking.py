"""Compilation of a kernel, with all kernels that it calls, into one piece of machine code.

Numba would optimise and translate each kernel by itself, together with all that it calls, and once
more within each kernel that calls it: those at the bottom ten times. Here only the kernel that
Python calls is optimised and translated. It links the code of the others as numba wrote it.
"""

# mypy: allow-untyped-calls
from __future__ import annotations

from typing import Any

import numba
from numba import _dynfunc, types  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _CodeLibrary(JITCodeLibrary):
    """The code of a kernel, to be linked with the code of all kernels below it."""

    def add_linking_library(self, library: Any) -> None:
        """Link the code of a function, and all that it links."""
        for each in (library, *library._linking_libraries):
            super().add_linking_library(each)


class _PartLibrary(_CodeLibrary):
    """The code of a kernel that only other kernels call."""

    def finalize(self) -> None:
        """Leave the code as it is."""
        self._finalized = True


class _WholeCompiler(Compiler):
    """Compiles a kernel that Python calls."""

    def __init__(self, typing: Any, target: Any, _: Any, *others: Any) -> None:
        library = _CodeLibrary(target.codegen(), "kernel")
        library.enable_object_caching()
        super().__init__(typing, target, library, *others)


class _PartCompiler(Compiler):
    """Compiles a kernel that another calls."""

    def __init__(self, typing: Any, target: Any, _: Any, *others: Any) -> None:
        super().__init__(typing, target, _PartLibrary(target.codegen(), "part"), *others)
        self.state.targetctx.get_executable = _placeholder


def _placeholder(library: Any, description: Any, environment: Any) -> Any:
    """Return what stands for a kernel without machine code; numba knows the kernel by it."""
    module, name = description.lookup_module(), description.qualname
    return _dynfunc.make_function(module, name, "", 0, environment, (library,))


def dispatchers(function: Any, allocates: bool) -> tuple[Any, Any]:
    """Return a function as Python calls it, and as other kernels call it.

    Only one that ``allocates`` counts the references to arrays.
    """
    njit: Any = numba.njit
    options = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": allocates}
    whole = njit(pipeline_class=_WholeCompiler, **options)(function)
    part = njit(pipeline_class=_PartCompiler, no_cpython_wrapper=True, **options)(function)
    # Numba would compile it anew for each number that is written into a call.
    resolve = part.get_call_template
    part.get_call_template = lambda kinds, named: resolve(map(types.unliteral, kinds), named)
    return whole, part
