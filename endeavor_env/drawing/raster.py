"""Scenes as pixels, drawn with pygame-ce, which is imported only here and only when a picture is asked for."""

from __future__ import annotations

import functools
import io
import math
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Scene
from endeavor_env.errors import MissingLibraryError

HALO = 3
"""Pixels of the large picture round the letters of a text."""
_ROUND = ((-3, 0), (3, 0), (0, -3), (0, 3), (-2, -2), (2, 2), (-2, 2), (2, -2))
SCALE = 2
"""Pictures are drawn so many times larger and made smaller, which smooths their edges."""
DASH, GAP = 10, 6
"""Pixels of the large picture in a dashed line."""


def load_pygame() -> Any:
    """Return pygame.

    Raises:
        MissingLibraryError: pygame-ce is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # else the import prints a line
    try:
        import pygame
    except ImportError as error:
        raise MissingLibraryError(
            "pictures as pixels need pygame-ce, which is not installed: pip install 'endeavor-env[render]'"
        ) from error
    return pygame


def to_pixels(scene: Scene) -> npt.NDArray[np.uint8]:
    """Return a scene as a fresh (height, width, 3) uint8 array of red, green and blue."""
    pygame = load_pygame()
    rows = pygame.image.tobytes(to_surface(scene), "RGB")  # ten times as fast as turning an array of columns
    return np.frombuffer(rows, dtype=np.uint8).reshape(scene.height, scene.width, 3).copy()


def to_png(scene: Scene) -> bytes:
    """Return a scene as the content of a PNG file."""
    content = io.BytesIO()
    load_pygame().image.save(to_surface(scene), content, "picture.png")
    return content.getvalue()


def to_surface(scene: Scene) -> Any:
    """Return a scene as a pygame surface of its size."""
    pygame = load_pygame()
    large = pygame.Surface((scene.width * SCALE, scene.height * SCALE))
    large.fill(scene.background)
    for shape in scene.shapes:
        if not isinstance(shape, Area):
            _DRAWERS[type(shape)](pygame, large, shape)
    return pygame.transform.smoothscale(large, (scene.width, scene.height))


def _scaled(*values: float) -> list[int]:
    return [round(value * SCALE) for value in values]


def _width(line: float) -> int:
    return max(1, round(line * SCALE))


def _rect(pygame: Any, surface: Any, shape: Rect) -> None:
    box = pygame.Rect(*_scaled(shape.x, shape.y, shape.width, shape.height))
    radius = round(shape.radius * SCALE)
    if shape.fill:
        pygame.draw.rect(surface, shape.fill, box, border_radius=radius)
    if shape.stroke:
        pygame.draw.rect(surface, shape.stroke, box, _width(shape.line), border_radius=radius)


def _circle(pygame: Any, surface: Any, shape: Circle) -> None:
    centre, radius = _scaled(shape.x, shape.y), round(shape.radius * SCALE)
    if shape.fill:
        pygame.draw.circle(surface, shape.fill, centre, radius)
    if shape.stroke:
        pygame.draw.circle(surface, shape.stroke, centre, radius, _width(shape.line))


def _polygon(pygame: Any, surface: Any, shape: Polygon) -> None:
    points = [_scaled(x, y) for x, y in shape.points]
    if shape.fill:
        pygame.draw.polygon(surface, shape.fill, points)
    if shape.stroke:
        pygame.draw.polygon(surface, shape.stroke, points, _width(shape.line))


def _line(pygame: Any, surface: Any, shape: Line) -> None:
    x1, y1, x2, y2 = shape.x1 * SCALE, shape.y1 * SCALE, shape.x2 * SCALE, shape.y2 * SCALE
    width = _width(shape.line)
    if not shape.dashed:
        pygame.draw.line(surface, shape.stroke, (x1, y1), (x2, y2), width)
        return
    length = math.hypot(x2 - x1, y2 - y1)
    across, down = ((x2 - x1) / length, (y2 - y1) / length) if length else (0.0, 0.0)
    for start in range(0, int(length), DASH + GAP):
        end = min(start + DASH, length)
        ends = (x1 + across * start, y1 + down * start), (x1 + across * end, y1 + down * end)
        pygame.draw.line(surface, shape.stroke, *ends, width)


def _label(pygame: Any, surface: Any, shape: Label) -> None:
    del pygame
    text = _text(shape.text, shape.size, shape.fill, shape.bold, shape.halo)
    width, height = text.get_size()
    x = round(shape.x * SCALE) - {"start": HALO, "middle": width // 2, "end": width - HALO}[shape.anchor]
    surface.blit(text, (x, round(shape.y * SCALE) - height // 2))


@functools.lru_cache(maxsize=4096)
def _text(text: str, size: float, fill: str, bold: bool, halo: str | None) -> Any:
    """Return a line of text with room for its halo as a surface; the same texts come back in most pictures."""
    pygame = load_pygame()
    font = _font(round(size * SCALE * 1.02), bold)
    letters = font.render(text, True, fill)
    surface = pygame.Surface((letters.get_width() + 2 * HALO, letters.get_height() + 2 * HALO), pygame.SRCALPHA)
    if halo:
        around = font.render(text, True, halo)
        for across, down in _ROUND:
            surface.blit(around, (HALO + across, HALO + down))
    surface.blit(letters, (HALO, HALO))
    return surface


@functools.cache
def _font(height: int, bold: bool) -> Any:
    """Return the font that comes with pygame, which is the same on every machine."""
    pygame = load_pygame()
    pygame.font.init()
    font = pygame.font.Font(None, round(height * 1.3))
    font.set_bold(bold)
    return font


_DRAWERS: dict[type, Any] = {Rect: _rect, Circle: _circle, Polygon: _polygon, Line: _line, Label: _label}
