"""The colours of series can be told apart with any colour vision, and from the ground, in both themes."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import pytest

import ui
from assistant.output.presentation.styling import PALETTE

CONFIG = tomllib.loads((Path(ui.__file__).parent / "config.toml").read_text(encoding="utf-8"))["theme"]
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Source: Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency (2009)."""
APART_MIN = 11.0
"""CIE76 difference: 2.3 is just noticeable side by side, and series stand apart."""
CONTRAST_MIN = 3.0
"""WCAG 2.2, 1.4.11: graphical objects against what is beside them."""


def linear(colour: str) -> tuple[float, ...]:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def lab(colour: str, sight: str) -> tuple[float, float, float]:
    seen = [sum(factor * part for factor, part in zip(row, linear(colour), strict=True)) for row in SIGHT[sight]]
    r, g, b = (min(1.0, max(0.0, part)) for part in seen)
    x, y, z = 0.4124 * r + 0.3576 * g + 0.1805 * b, luminance((r, g, b)), 0.0193 * r + 0.1192 * g + 0.9505 * b
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x / 0.95047, y, z / 1.08883))
    return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


def luminance(rgb: tuple[float, ...]) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_series_can_be_told_apart(theme: str, sight: str) -> None:
    for one, other in combinations(CONFIG[theme]["chartCategoricalColors"], 2):
        apart = sum((a - b) ** 2 for a, b in zip(lab(one, sight), lab(other, sight), strict=True)) ** 0.5
        assert apart >= APART_MIN, (one, other)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_series_stand_out_from_the_ground(theme: str) -> None:
    ground = luminance(linear(CONFIG[theme]["backgroundColor"]))
    for colour in CONFIG[theme]["chartCategoricalColors"]:
        low, high = sorted((luminance(linear(colour)), ground))
        assert (high + 0.05) / (low + 0.05) >= CONTRAST_MIN, colour


def test_a_picture_has_the_colours_of_the_page() -> None:
    assert list(PALETTE) == CONFIG["light"]["chartCategoricalColors"]
