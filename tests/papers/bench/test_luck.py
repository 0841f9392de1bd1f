"""The check that luck has mean 0."""

from __future__ import annotations

import pytest

from handread.papers.bench.decisions_text import luck_text
from handread.papers.bench.luck import luck_check
from tests.decisions.values import invented
from tests.papers.tables import table


def test_luck_is_checked_on_simulated_games() -> None:
    found = luck_check(table("people", 3), 4, learned=invented())
    assert (found.games, found.ledgers) == (4, 12)
    mean = {name: found.at("mean_big_bets", group=name).mean for name in ("net", "luck")}
    assert mean["net"] == pytest.approx(0.0)
    assert found.at("mean_big_bets", group="adjusted").mean == pytest.approx(-mean["luck"])
    assert found.at("variance_ratio").mean > 0.0
    text = luck_text(found)
    assert "12 ledgers, all sums exact" in text
    assert "others' actions" in text
