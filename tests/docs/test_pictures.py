"""The pictures of pages: what of a page is shown, and what is said without a browser."""

from __future__ import annotations

import pytest

from docs.site import pictures
from docs.site.pictures import panel_alone

pytestmark = pytest.mark.docs

PAGE = (
    '<body>\n<header class="masthead">\nA session\n</header>\n<main>\n'
    '<section class="panel" aria-labelledby="curve-title">a curve</section>\n'
    '<section class="panel" aria-labelledby="players-title">\\1 players</section>\n</main></body>'
)


def test_the_players_stand_alone() -> None:
    panel = '<section class="panel" aria-labelledby="players-title">\\1 players</section>'
    assert panel_alone(PAGE) == f"<body>\n\n<main>{panel}</main></body>"


def test_without_a_browser_its_names_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert pictures.main() == 1
    assert capsys.readouterr().err.startswith("pictures: found none of chromium, ")
