"""``python -m docs.site.reference`` writes the reference pages."""

from __future__ import annotations

from docs.site import need

need("griffe")

from docs.site.reference.pages import FOLDER, write_pages  # noqa: E402  (which imports griffe)

for name in write_pages():
    print(FOLDER / name)
