"""The page of a hand and the index of a session: one self-contained HTML file each."""

from handread.report.html.page import PageLinks, index_page, page

__all__ = ["PageLinks", "index_page", "page"]
