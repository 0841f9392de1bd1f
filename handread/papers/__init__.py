"""A folder for each paper, which the rest of the package does not need.

``handread.registry`` finds in its ``__init__`` what the paper adds.
"""

PAPERS = ("saund", "bench", "tournament", "loki", "bpp", "trees", "strong")
"""The folders, in the order of their readers and commands in lists."""

READERS = "Readers compared"
LOKI = "Billings et al. 1998: Loki"
DECISIONS = "What decisions are worth"
STRONG = "A strong player"
"""Panels of the help of ``handread experiment`` that have commands of several papers."""
