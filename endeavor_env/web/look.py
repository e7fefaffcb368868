"""The colours of a page for both themes, as CSS variables: those of the board, and one for the line of each side.

The page says which theme in ``data-theme``: "light", "dark", or "auto" for that of the system. Paper is always light.
The rules need no ``light-dark``, which browsers have since 2024 only.
"""

from __future__ import annotations

from endeavor_env.endeavor.drawing.scene.theme import DARK, LIGHT, SIDES

LEAST_CONTRAST = 3.0
"""Of a line against the panel that it is drawn on; what WCAG 2 asks of graphics."""
_STEPS = 50
_LINEAR_BELOW = 0.04045
"""The part of sRGB that is a straight line."""


def colour_rules() -> str:
    """Return the CSS rules that define all colours: those of the light theme, and where they are replaced."""
    pairs = {field: (getattr(LIGHT, field), getattr(DARK, field)) for field in LIGHT._fields}
    for name, side in SIDES.items():
        pairs[f"side-{name}"] = (line_colour(side.fill, LIGHT.panel), line_colour(side.fill, DARK.panel))
    light, dark = ([f"--{name}: {pair[theme]};" for name, pair in pairs.items()] for theme in (0, 1))
    rules = (
        [":root {", *light, "}"],
        ["@media screen and (prefers-color-scheme: dark) {", ':root:not([data-theme="light"]) {', *dark, "}", "}"],
        ["@media screen {", ':root[data-theme="dark"] {', *dark, "}", "}"],
    )
    return "\n".join(line for rule in rules for line in rule)


def line_colour(colour: str, ground: str) -> str:
    """Return a colour as it is, or so much darker or lighter that a line of it can be seen on a ground."""
    mixed_with = "#000000" if luminance(ground) > luminance("#777777") else "#ffffff"
    mixed = (_mix(colour, mixed_with, step / _STEPS) for step in range(_STEPS + 1))
    return next(one for one in mixed if contrast(one, ground) >= LEAST_CONTRAST)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours such as "#d55e00", from 1 to 21, as WCAG 2 defines it."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return how bright a colour is, from 0 to 1."""
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    red, green, blue = (part / 12.92 if part <= _LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _mix(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of another."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(one + share * (two - one)) for one, two in pairs).hex()
