"""The colours are legible, and told apart by people who lack a kind of cone."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import combinations, pairwise

import pytest

from handread.report.palette import (
    DARK,
    DASHES,
    LIGHT,
    SEATS_LIGHT,
    Theme,
    seat_colour,
    seat_dashes,
)
from tests.colour_vision import KINDS, ciede2000, contrast, difference, lab, luminance, simulated

themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
kinds = pytest.mark.parametrize("kind", KINDS)


def seen(one: str, other: str, kind: str) -> float:
    """How much two colours differ to somebody with this kind of sight."""
    return difference(simulated(one, kind), simulated(other, kind))


def plain_colours(theme: Theme) -> dict[str, str]:
    named = {field.name: getattr(theme, field.name) for field in fields(theme)}
    return {name: colour for name, colour in named.items() if isinstance(colour, str)}


@themes
def test_text_is_legible_wherever_it_stands(theme: Theme) -> None:
    cells = theme.heat + theme.lift
    colours = [*plain_colours(theme).values(), *theme.seats]
    colours += [part for cell in cells for part in (cell.fill, cell.ink)]
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in colours)
    for surface in (theme.surface, theme.raised):
        assert contrast(theme.ink, surface) >= 7
        for colour in (theme.soft, theme.accent, theme.good, theme.bad, theme.red, *theme.seats):
            assert contrast(colour, surface) >= 4.5
    assert contrast(theme.card_red, theme.card_face) >= 4.5
    assert contrast(theme.card_black, theme.card_face) >= 7
    assert all(contrast(cell.ink, cell.fill) >= 4.5 for cell in cells)


@themes
@kinds
def test_what_means_something_else_is_told_apart(theme: Theme, kind: str) -> None:
    assert seen(theme.card_red, theme.card_black, kind) >= 20
    assert seen(theme.red, theme.ink, kind) >= 15
    assert seen(theme.good, theme.bad, kind) >= 13
    assert len(theme.seats) == 8
    least = min(seen(one, other, kind) for one, other in combinations(theme.seats, 2))
    assert least >= (20 if kind == "normal" else 13)
    assert all(seen(one.fill, other.fill, kind) >= 6.5 for one, other in pairwise(theme.heat))
    # Neighbours of the lift differ, and the same step to either side differs even more.
    fills = [cell.fill for cell in theme.lift]
    assert all(seen(one, other, kind) >= 9 for one, other in pairwise(fills))
    assert all(seen(fills[i], fills[8 - i], kind) >= 20 for i in range(4))


@themes
def test_scales_grow_evenly_away_from_the_surface(theme: Theme) -> None:
    assert theme.heat[0].fill == theme.lift[4].fill == theme.surface
    lightness = [lab(cell.fill)[0] for cell in theme.heat]
    steps = [abs(after - before) for before, after in pairwise(lightness)]
    assert sorted(lightness, reverse=theme is LIGHT) == lightness
    assert max(steps) - min(steps) < 1
    away = [abs(lab(cell.fill)[0] - lab(theme.surface)[0]) for cell in theme.lift]
    assert len(away) == 9
    assert away[:5] == sorted(away[:5], reverse=True)
    assert away[4:] == sorted(away[4:])


def test_a_seat_keeps_its_colour_and_dashes_past_the_eighth() -> None:
    assert [seat_colour(seat) for seat in range(1, 10)] == [*SEATS_LIGHT, SEATS_LIGHT[0]]
    assert [seat_dashes(seat) for seat in range(1, 11)] == [*DASHES, *DASHES[:2]]
    assert len(set(DASHES)) == 8
    assert DASHES[0] == "none"
    assert all(re.fullmatch(r"\d+ \d+( \d+ \d+)*", dashes) for dashes in DASHES[1:])


# What the tests measure by


def test_contrast_against_known_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert luminance(DARK.surface) < 0.05 < 0.5 < luminance(LIGHT.surface)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_differences_against_published_pairs(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    """Pairs of Sharma, Wu and Dalal 2005, table 1."""
    assert ciede2000(one, other) == pytest.approx(expected, abs=5e-5)
    assert ciede2000(other, one) == pytest.approx(expected, abs=5e-5)


def test_how_colours_look_without_a_cone() -> None:
    for kind in KINDS:
        assert all(difference(simulated(grey, kind), grey) < 1 for grey in ("#202020", "#c0c0c0"))
    red, green = "#a05000", "#507000"
    assert seen(red, green, "deutan") < seen(red, green, "normal") / 3
