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
    SEATS_DARK,
    SEATS_LIGHT,
    Theme,
    seat_colour,
    seat_dashes,
)
from tests.colour_vision import (
    KINDS,
    ciede2000,
    contrast,
    difference,
    lab,
    luminance,
    simulated,
)

HEX = re.compile(r"#[0-9a-f]{6}")

themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
kinds = pytest.mark.parametrize("kind", KINDS)


def seen(one: str, other: str, kind: str) -> float:
    """How much two colours differ to somebody with this kind of sight."""
    return difference(simulated(one, kind), simulated(other, kind))


def plain_colours(theme: Theme) -> dict[str, str]:
    named = {field.name: getattr(theme, field.name) for field in fields(theme)}
    return {name: colour for name, colour in named.items() if isinstance(colour, str)}


@themes
def test_every_colour_is_six_hexadecimal_digits(theme: Theme) -> None:
    cells = [part for cell in theme.heat + theme.lift for part in (cell.fill, cell.ink)]
    assert all(HEX.fullmatch(c) for c in [*plain_colours(theme).values(), *theme.seats, *cells])


@themes
@pytest.mark.parametrize(
    ("name", "least"),
    [("ink", 7.0), ("soft", 4.5), ("accent", 4.5), ("good", 4.5), ("bad", 4.5), ("red", 4.5)],
)
def test_text_is_legible_on_both_surfaces(theme: Theme, name: str, least: float) -> None:
    colour = plain_colours(theme)[name]
    assert contrast(colour, theme.surface) >= least
    assert contrast(colour, theme.raised) >= least


@themes
def test_suits_are_legible_on_a_card(theme: Theme) -> None:
    assert contrast(theme.card_red, theme.card_face) >= 4.5
    assert contrast(theme.card_black, theme.card_face) >= 7


@themes
@kinds
def test_red_suits_are_told_from_black_ones(theme: Theme, kind: str) -> None:
    assert seen(theme.card_red, theme.card_black, kind) >= 20
    assert seen(theme.red, theme.ink, kind) >= 15


@themes
@kinds
def test_good_is_told_from_bad(theme: Theme, kind: str) -> None:
    assert seen(theme.good, theme.bad, kind) >= 13


@themes
def test_seat_labels_are_legible_on_both_surfaces(theme: Theme) -> None:
    assert all(contrast(c, s) >= 4.5 for c in theme.seats for s in (theme.surface, theme.raised))


@themes
@kinds
def test_any_two_seats_are_told_apart(theme: Theme, kind: str) -> None:
    assert len(theme.seats) == 8
    least = min(seen(one, other, kind) for one, other in combinations(theme.seats, 2))
    assert least >= (20 if kind == "normal" else 13)


def test_a_seat_keeps_its_colour_and_dashes_past_the_eighth() -> None:
    assert [seat_colour(LIGHT, seat) for seat in range(1, 9)] == list(SEATS_LIGHT)
    assert [seat_colour(DARK, seat) for seat in range(1, 9)] == list(SEATS_DARK)
    assert [seat_dashes(seat) for seat in range(1, 9)] == list(DASHES)
    assert seat_colour(DARK, 9) == SEATS_DARK[0]
    assert seat_dashes(10) == DASHES[1]


def test_dashes_differ_and_the_first_is_solid() -> None:
    assert len(set(DASHES)) == 8
    assert DASHES[0] == "none"
    assert all(re.fullmatch(r"\d+ \d+( \d+ \d+)*", dashes) for dashes in DASHES[1:])


@themes
def test_text_on_a_heat_cell_is_legible(theme: Theme) -> None:
    assert all(contrast(cell.ink, cell.fill) >= 4.5 for cell in theme.heat + theme.lift)


@themes
def test_heat_starts_at_the_surface_and_climbs_evenly(theme: Theme) -> None:
    assert theme.heat[0].fill == theme.surface
    lightness = [lab(cell.fill)[0] for cell in theme.heat]
    steps = [abs(after - before) for before, after in pairwise(lightness)]
    assert sorted(lightness, reverse=theme is LIGHT) == lightness
    assert max(steps) - min(steps) < 1


@themes
@kinds
def test_steps_of_heat_are_told_apart(theme: Theme, kind: str) -> None:
    assert all(seen(one.fill, other.fill, kind) >= 6.5 for one, other in pairwise(theme.heat))


@themes
@kinds
def test_the_two_sides_of_lift_are_told_apart(theme: Theme, kind: str) -> None:
    """Neighbours differ, and the same step to either side differs even more."""
    fills = [cell.fill for cell in theme.lift]
    assert len(fills) == 9
    assert fills[4] == theme.surface
    assert all(seen(one, other, kind) >= 9 for one, other in pairwise(fills))
    assert all(seen(fills[i], fills[8 - i], kind) >= 20 for i in range(4))


@themes
def test_lift_grows_away_from_the_surface_on_both_sides(theme: Theme) -> None:
    away = [abs(lab(cell.fill)[0] - lab(theme.surface)[0]) for cell in theme.lift]
    assert away[:5] == sorted(away[:5], reverse=True)
    assert away[4:] == sorted(away[4:])


def test_the_dark_theme_is_dark() -> None:
    assert luminance(DARK.surface) < 0.05 < 0.5 < luminance(LIGHT.surface)


def test_contrast_against_known_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


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


@kinds
def test_greys_look_grey_to_everybody(kind: str) -> None:
    assert all(difference(simulated(grey, kind), grey) < 1 for grey in ("#202020", "#c0c0c0"))


def test_red_and_green_look_alike_without_a_cone() -> None:
    red, green = "#a05000", "#507000"
    assert seen(red, green, "deutan") < seen(red, green, "normal") / 3
