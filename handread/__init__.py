"""Reads observed hands of seven-card stud and tells what the betting gave away."""

__version__ = "0.1.0"
