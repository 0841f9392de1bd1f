"""Reads observed hands of seven-card stud and tells what the betting gave away.

>>> import handread
>>> log = handread.read("sample_histories/showdown.stud")
>>> read = handread.analyze(log[0], policy="people")  # doctest: +SKIP
>>> print(read.to_text())  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handread.api import (
        Analysis,
        AnalysisError,
        Belief,
        Game,
        History,
        Log,
        Model,
        PlayerModels,
        Policy,
        PolicyError,
        Problem,
        Replay,
        analysis_object,
        analyze,
        analyze_hands,
        deal,
        evaluate,
        fit,
        html_page,
        json_schema,
        load_policy,
        observe,
        parse_hands,
        plain_text,
        read,
        read_hands,
        replay,
        simulate_games,
        tabulate,
        write_hand,
    )

__version__ = "0.7.0"

__all__ = [
    "Analysis",
    "AnalysisError",
    "Belief",
    "Game",
    "History",
    "Log",
    "Model",
    "PlayerModels",
    "Policy",
    "PolicyError",
    "Problem",
    "Replay",
    "analysis_object",
    "analyze",
    "analyze_hands",
    "deal",
    "evaluate",
    "fit",
    "html_page",
    "json_schema",
    "load_policy",
    "observe",
    "parse_hands",
    "plain_text",
    "read",
    "read_hands",
    "replay",
    "simulate_games",
    "tabulate",
    "write_hand",
]


def __dir__() -> list[str]:
    """The names that completion offers."""
    return sorted([*globals(), *__all__])


def __getattr__(name: str) -> Any:
    """Load the interface when it is first used: ``handread --help`` must not wait for numba."""
    if name in __all__:
        return getattr(import_module("handread.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
