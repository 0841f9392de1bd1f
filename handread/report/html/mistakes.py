"""The pages of the costly decisions of a session: to click through, and to train on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handread.report.html.page import embedded, session_rendered
from handread.report.overview import DecisionsPanel, Pick

TITLE = "Learn from your mistakes"


def mistakes_page(
    links: tuple[str, str],
    panel: DecisionsPanel | None,
    dear: Sequence[Pick],
    kind: str,
    progress: str,
) -> str:
    """Return the page of the costly decisions of a session, of which those in ``dear`` are shown.

    They are of a ``kind``, "5th call", or all if it is empty. ``links`` are the title of the
    session and the address of its index. ``panel`` is None until decisions are valued, ``progress``
    says what is still being done.
    """
    return session_rendered(
        "mistakes.html",
        title="The most expensive decisions" if panel is None else panel.all_title,
        links=links,
        panel=panel,
        dear=dear,
        costly_kinds=() if panel is None else panel.costly_kinds,
        kind=kind,
        progress=progress,
    )


def training_page(
    links: tuple[str, str],
    panel: DecisionsPanel | None,
    asked: Sequence[Mapping[str, str | int]],
    progress: str,
) -> str:
    """Return the page on which a training begins and ends.

    ``asked`` are the decisions that it asks for: ``id`` tells one from others wherever its log
    lies, ``page`` and ``moment`` say where it is, ``due`` when it is asked for again.
    The rest is as in ``mistakes_page``.
    """
    return session_rendered(
        "training.html",
        ("sitting.js", "training.js"),
        ("session.css", "train.css"),
        title=TITLE,
        links=links,
        panel=panel,
        asked=asked,
        data=embedded(asked),
        progress=progress,
        connects=True,
    )
