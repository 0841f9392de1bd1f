"""The packages: those found below ``handread/``, and two folders beside it, of data."""

from setuptools import find_packages, setup

# By pyproject.toml, setuptools could find packages or take folders from elsewhere, but not both.
setup(packages=[*find_packages(include=["handread*"]), "handread.grammars", "handread.samples"])
