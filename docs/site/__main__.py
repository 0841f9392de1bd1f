"""``python -m docs.site -o FOLDER``: build the site, and check every link and picture of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import typer

from docs.site import need

DESCRIPTION = "Build the site of the documentation, and check every link and picture of it."


def main() -> int:
    """Build the site; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=DESCRIPTION)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("site"),
        metavar="FOLDER",
        help="Where the site goes; an earlier site there is replaced. Default: site.",
    )
    folder = parser.parse_args().output
    need("zensical", "nbformat")
    from docs.site.build import SiteError, build

    try:
        build(folder)
    except (SiteError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except (KeyboardInterrupt, typer.Abort):  # the latter if a page of the gallery is being made
        return 130
    print(f"the site: {folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
