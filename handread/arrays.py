"""The types of arrays, and their form for kernels."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def as_floats(values: npt.ArrayLike, *shape: int) -> Floats:
    """Return numbers in the shape of kernels, which check no bounds; ``ValueError`` for others.

    A single number fills all places.
    """
    floats: Floats = np.asarray(values, dtype=np.float64)
    if floats.shape == shape and floats.flags.carray:
        return floats
    if floats.shape != shape and floats.size != 1:
        raise ValueError(f"expected an array of the shape {shape}, not {floats.shape}")
    return np.array(np.broadcast_to(floats, shape), order="C")
