"""``python -m docs.site -o FOLDER``: build the site, and check every link and picture of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docs.site.build import SiteError, build


def main() -> int:
    """Build the site; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("site"), metavar="FOLDER")
    folder = parser.parse_args().output
    try:
        build(folder)
    except SiteError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"the site: {folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
