"""The start of the program in one file: a click opens the window; with words it is the command."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()  # its helper processes start here, too, and go no further
    from handread.__main__ import main, window

    if len(sys.argv) == 1:
        window()
    else:
        main()
