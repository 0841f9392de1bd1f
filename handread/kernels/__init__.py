"""The only numba: arrays in, arrays out; knows no objects and no strings."""
