"""Loops over the examples of relational trees.

Each example has its answers to all tests as bits of 64-bit words, and two weights: one for
each of the two sources that a tree separates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel

Array = npt.NDArray[Any]


@kernel
def split_sums(
    words: Array, rows: Array, weights: Array, places: Array, sums: Array, counts: Array
) -> None:
    """Sum the weights of the examples that pass each test.

    ``words`` (examples, words), uint64, are the answers, ``rows`` the examples of a node by index,
    ``weights`` (examples, 2) belong to all examples, ``places`` (tests,), int64, the bit of each
    test, counted over all words. Fills ``sums`` (tests, 2) and ``counts`` (tests,) with the weights
    and the number of the examples that pass.
    """
    sums[:] = 0.0
    counts[:] = 0
    for row in rows:
        first, second = weights[row, 0], weights[row, 1]
        for test in range(places.size):
            place = places[test]
            if (words[row, place >> 6] >> np.uint64(place & 63)) & np.uint64(1):
                sums[test, 0] += first
                sums[test, 1] += second
                counts[test] += 1


@kernel
def route(words: Array, tests: Array, yes: Array, no: Array, leaves: Array) -> None:
    """Follow each example down a tree to its leaf.

    By node, ``tests`` is the bit of its test, counted over all words (-1 for a leaf), ``yes`` the
    node after the test is passed, ``no`` that after it is not. Fills ``leaves`` with the leaf of
    each example.
    """
    for row in range(words.shape[0]):
        node = 0
        while tests[node] >= 0:
            place = tests[node]
            if (words[row, place >> 6] >> np.uint64(place & 63)) & np.uint64(1):
                node = yes[node]
            else:
                node = no[node]
        leaves[row] = node
