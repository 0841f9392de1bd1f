"""A wing for the papers: one folder for each, which the rest of the package does not need.

The ``__init__`` of a folder is its door: ``handread.registry`` finds there what the paper adds.
"""

PAPERS = ("saund", "bench", "tournament", "loki", "bpp", "trees")
"""The folders, in the order in which their readers and commands are listed."""

READERS = "Readers compared"
LOKI = "Billings et al. 1998: Loki"
DECISIONS = "What decisions are worth"
"""Panels of the help of ``handread experiment`` that have commands of several papers."""
