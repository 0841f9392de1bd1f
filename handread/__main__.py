"""``python -m handread``."""

from handread.cli import main

main()
