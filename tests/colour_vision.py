"""How colours look to people: contrast, what a missing kind of cone leaves, and differences.

Colours are ``#rrggbb`` in sRGB. Plain Python, for a test compares a few hundred pairs.
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, pow, radians, sin, sqrt

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

KINDS: dict[str, Matrix] = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB."""

TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""Linear sRGB to CIE XYZ, white D65."""


def linear(colour: str) -> Triple:
    """Red, green and blue as amounts of light, 0 to 1."""
    red, green, blue = (_light(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """The WCAG 2 contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """The WCAG 2 relative luminance, 0 to 1."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def simulated(colour: str, kind: str) -> str:
    """The colour as one of KINDS sees it."""
    levels = (_level(min(1.0, max(0.0, light))) for light in _times(KINDS[kind], linear(colour)))
    return "#" + "".join(f"{round(255 * level):02x}" for level in levels)


def lab(colour: str) -> Triple:
    """CIE L*a*b* under D65: lightness 0 to 100, green to red, blue to yellow."""
    white = _times(TO_XYZ, (1.0, 1.0, 1.0))
    xyz = _times(TO_XYZ, linear(colour))
    x, y, z = (_compressed(part / whole) for part, whole in zip(xyz, white, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, other: str) -> float:
    """The CIEDE2000 difference of two colours; 1 to 2 is just visible."""
    return ciede2000(lab(one), lab(other))


def ciede2000(one: Triple, other: Triple) -> float:
    """The CIEDE2000 difference of two L*a*b* colours, all weights 1."""
    stretch = 1.5 - 0.5 * _saturation((hypot(*one[1:]) + hypot(*other[1:])) / 2)
    chroma1, hue1 = _polar(stretch * one[1], one[2])
    chroma2, hue2 = _polar(stretch * other[1], other[2])
    turn = (hue2 - hue1 + 180) % 360 - 180 if chroma1 * chroma2 else 0.0
    hue = hue1 + turn / 2 if chroma1 * chroma2 else hue1 + hue2
    chroma = (chroma1 + chroma2) / 2
    lightness = (one[0] + other[0]) / 2 - 50
    tint = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    light = (other[0] - one[0]) / (1 + 0.015 * lightness**2 / sqrt(20 + lightness**2))
    rich = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    hued = 2 * sqrt(chroma1 * chroma2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * tint)
    twist = radians(60 * exp(-((((hue % 360) - 275) / 25) ** 2)))
    return sqrt(light**2 + rich**2 + hued**2 - 2 * _saturation(chroma) * sin(twist) * rich * hued)


def _saturation(chroma: float) -> float:
    return sqrt(chroma**7 / (chroma**7 + 25**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    return hypot(a, b), degrees(atan2(b, a)) % 360


def _light(level: float) -> float:
    return level / 12.92 if level <= 0.04045 else pow((level + 0.055) / 1.055, 2.4)


def _level(light: float) -> float:
    return 12.92 * light if light <= 0.0031308 else 1.055 * pow(light, 1 / 2.4) - 0.055


def _compressed(part: float) -> float:
    edge = 6 / 29
    return pow(part, 1 / 3) if part > edge**3 else part / (3 * edge**2) + 4 / 29


def _times(matrix: Matrix, vector: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z
