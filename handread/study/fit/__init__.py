"""Fit policies to observed hands; unseen downcards are missing data."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from threadpoolctl import threadpool_limits

P = ParamSpec("P")
T = TypeVar("T")


def in_one_blas_thread(function: Callable[P, T]) -> Callable[P, T]:
    """Let BLAS use one thread in a function: the last bits of its sums depend on their number."""
    single: Callable[P, T] = threadpool_limits.wrap(limits=1, user_api="blas")(function)
    return single
