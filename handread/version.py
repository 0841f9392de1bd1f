"""The version of the package, for the modules that write it into their output."""

__version__ = "0.24.0.dev0"
