"""Colours and line patterns of seats, pages and pictures, for a light and a dark theme."""

from collections.abc import Collection
from dataclasses import dataclass

SEATS_LIGHT = (
    *("#09318b", "#7d0100", "#916900", "#785fc3"),  # blue, oxblood, ochre, violet
    *("#095a3a", "#ba2f56", "#1d7b83", "#5c2646"),  # green, crimson, teal, plum
)
"""Text and lines of seats 1 to 8 on a light surface; the first ones differ the most."""

SEATS_DARK = (
    *("#7bafff", "#f7c381", "#9a8f31", "#9089ac"),  # blue, apricot, olive, mauve
    *("#2a9f75", "#ff879d", "#8befd5", "#dcd8ff"),  # green, pink, mint, lilac
)
"""The same on a dark surface: paler versions of the light ones, where possible."""

COLOURS = {
    "red": "#d9534a",
    "amber": "#b9770e",
    "green": "#3d8f4e",
    "blue": "#4180c4",
    "violet": "#9061c9",
}
"""The colours that a user gives to players: dots, seen well enough on both surfaces."""

DASHES = ("none", "7 3", "2 3", "9 3 2 3", "14 4", "6 2 2 2 2 2", "4 8", "14 3 5 3")
"""The ``stroke-dasharray`` of seats 1 to 8, for a line two pixels wide with butt ends."""


@dataclass(frozen=True, slots=True)
class HeatStep:
    """A step of a heat scale: the fill, and the colour of text on it (contrast 4.5 or more)."""

    fill: str
    ink: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one theme.

    ``surface`` is the page and ``raised`` the panels on it. Text on either is in ``ink``, ``soft``
    (notes), ``accent`` (links, focus, the current place), ``good``, ``bad`` or ``red`` (hearts and
    diamonds in running text; black suits are in ``ink``); text on a filled accent is in
    ``surface``. ``faint`` is for decorative hairlines: it is too weak to carry meaning, so
    controls are outlined in ``soft``. Cards have ``card_red`` and ``card_black`` on ``card_face``.
    ``heat`` goes from the surface (nothing) to strong in even steps of lightness. ``lift`` diverges
    from the surface in the middle: blue for less likely, orange for likelier.
    """

    surface: str
    raised: str
    ink: str
    soft: str
    faint: str
    accent: str
    good: str
    bad: str
    red: str
    card_face: str
    card_red: str
    card_black: str
    seats: tuple[str, ...]
    heat: tuple[HeatStep, ...]
    lift: tuple[HeatStep, ...]


def _scale(fills: str, ink: str, other_ink: str, others: Collection[int]) -> tuple[HeatStep, ...]:
    """Return a scale of fills; the text on the steps ``others`` is in another ink."""
    return tuple(
        HeatStep(fill, other_ink if step in others else ink)
        for step, fill in enumerate(fills.split())
    )


LIGHT = Theme(
    surface="#f8f4ea",
    raised="#fffdf8",
    ink="#20242e",
    soft="#5b5d66",
    faint="#d8d1c0",
    accent="#1f5a8c",
    good="#00695f",
    bad="#a8361a",
    red="#b3261e",
    card_face="#fffefb",
    card_red="#c0282a",
    card_black="#20242e",
    seats=SEATS_LIGHT,
    heat=_scale(
        "#f8f4ea #d2dbe2 #adc1d6 #8ba8c7 #6b90b5 #4f77a1 #36608a #224971 #143256",
        ink="#20242e",
        other_ink="#fffdf8",
        others=range(5, 9),
    ),
    lift=_scale(
        "#174a80 #5f8fc0 #9bbcd9 #cfdde8 #f8f4ea #f5dcb4 #eebc78 #da9030 #8f4a0a",
        ink="#20242e",
        other_ink="#fffdf8",
        others=(0, 8),
    ),
)

DARK = Theme(
    surface="#161c26",
    raised="#1f2733",
    ink="#e9e4d8",
    soft="#a3a7b0",
    faint="#364150",
    accent="#86b8e6",
    good="#56c3ad",
    bad="#f0926e",
    red="#f08a80",
    card_face="#e4ddcc",
    card_red="#ad2424",
    card_black="#20242e",
    seats=SEATS_DARK,
    heat=_scale(
        "#161c26 #213145 #2e4663 #405d7f #56759a #6f8eb1 #8ca7c5 #abc0d6 #cddbe4",
        ink="#fffdf8",
        other_ink="#161c26",
        others=range(5, 9),
    ),
    lift=_scale(
        "#9ccdf7 #5595cd #2c5f92 #1d3a58 #161c26 #43321f #7a5320 #c0842f #f7c37a",
        ink="#fffdf8",
        other_ink="#161c26",
        others=(0, 1, 7, 8),
    ),
)


def seat_colour(seat: int) -> str:
    """Return the colour of a seat (from 1) on a light surface; a ninth repeats the first."""
    return SEATS_LIGHT[(seat - 1) % len(SEATS_LIGHT)]


def seat_dashes(seat: int) -> str:
    """Return the ``stroke-dasharray`` of a seat, numbered from 1; a ninth repeats the first."""
    return DASHES[(seat - 1) % len(DASHES)]
