"""Numba kernels: functions of arrays, without objects or strings."""
