"""The page of a hand and the index of a session, each one HTML file, and the pages of a session."""

from handread.report.html.page import (
    PageLinks,
    index_page,
    page,
    player_page,
    session_page,
    shared_files,
)

__all__ = ["PageLinks", "index_page", "page", "player_page", "session_page", "shared_files"]
