"""Kernels: functions of arrays, without objects or strings, that Numba compiles.

Numba turns a kernel and those that it calls into the language of LLVM, and LLVM turns that into
machine code. The second step can be taken for any system and processor. So that nobody waits for a
compiler, both are taken beforehand for the kernels that Python calls in reads, rollouts and
deals: those decorated with ``jit.shipped``, which makes no arrays and says of what form its
arguments are. The results, one *object* for each target, are in the folder ``objects``, which
``python -m tests.kernel_objects`` writes. They are named by a digest of the modules in this folder:
one that is out of date is not found. ``loading`` gives the object of this machine to llvmlite,
without Numba, and calls its functions. Each takes one address, where its arguments stand as words
of 64 bits: what Numba's own calls take (an array is seven words or more).

The kernels of fits and of single papers are compiled where they run, and so are all others where no
object fits: ``linking`` compiles them, ``jit`` keeps the machine code in the user's cache.
"""
