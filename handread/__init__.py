"""Read observed hands of seven-card stud and tell what the betting gave away.

The public names are those of ``handread.api``.

>>> import handread
>>> log = handread.read("sample_histories/showdown.stud")
>>> handread.analyze(log[0], policy="people").at("7B")
7B: seat 1 54%, seat 2 46%
"""

from importlib import import_module

from handread.version import __version__ as __version__

TYPE_CHECKING = False  # for type checkers it is true; typing takes long to import


def __dir__() -> list[str]:
    """Return the public names, which completion offers."""
    return [*import_module("handread.api").__all__, "__version__"]


if TYPE_CHECKING:
    from handread.api import *  # noqa: F403
    from handread.api import __all__ as __all__
else:  # hidden from type checkers, which would take any name for defined

    def __getattr__(name: str) -> object:
        """Load the interface when it is first used: ``handread --help`` must not wait for numba."""
        if name == "__all__" or not name.startswith("_"):
            api = import_module("handread.api")
            if name == "__all__" or name in api.__all__:
                return getattr(api, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
