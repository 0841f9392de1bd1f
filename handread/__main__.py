"""The start of the program: ``handread``, and ``python -m handread``."""

import os
import signal
from types import FrameType


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End the program at once, with ``cli.streams.STOPPED``: nothing is open yet."""
    os._exit(130)


def main() -> None:
    """Run the program. Ctrl-C ends it without a traceback even while it is being imported."""
    # A shell that starts a program in the background has it ignore Ctrl-C, and it stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)
    from handread.cli import main as run

    run()


if __name__ == "__main__":  # worker processes import this module again
    main()
