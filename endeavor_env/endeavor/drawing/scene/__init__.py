"""One description of the picture of a position, from which every graphical output is drawn."""

from __future__ import annotations

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Scene, Shape
from endeavor_env.endeavor.drawing.scene.compose import draw_game, draw_game_for_film, draw_scene, view_for_picture

__all__ = [
    "Area",
    "Circle",
    "Label",
    "Line",
    "Polygon",
    "Rect",
    "Scene",
    "Shape",
    "draw_game",
    "draw_game_for_film",
    "draw_scene",
    "view_for_picture",
]
