"""Loops over the examples of relational trees.

Each example has its answers to all tests as bits of 64-bit words, and two weights: those of the
two sources that a tree tells apart.
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

    Args:
        words: Answers of the examples (examples, words), uint64.
        rows: Examples of a node, by index.
        weights: Weights of the examples (examples, 2).
        places: Bit of each test, counted over all words (tests,), int64.
        sums: Filled with the sums of weights (tests, 2).
        counts: Filled with the number of examples that pass each test (tests,).
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

    Args:
        words: Answers of the examples (examples, words), uint64.
        tests: Bit of the test of each node, counted over all words; -1 for a leaf.
        yes: Node after the test is passed, by node.
        no: Node after it is not.
        leaves: Filled with the node of the leaf of each example.
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
