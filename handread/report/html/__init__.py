"""The page of a hand and the index of a session, each one HTML file, and the pages of a session."""

from handread.report.html.mistakes import mistakes_page, training_page
from handread.report.html.page import (
    PageLinks,
    columns_key,
    fragment,
    hand_rows,
    index_page,
    kept_json,
    new_hand_page,
    page,
    player_page,
    security_policy,
    session_page,
    shared_files,
)

__all__ = [
    "PageLinks",
    "columns_key",
    "fragment",
    "hand_rows",
    "index_page",
    "kept_json",
    "mistakes_page",
    "new_hand_page",
    "page",
    "player_page",
    "security_policy",
    "session_page",
    "shared_files",
    "training_page",
]
