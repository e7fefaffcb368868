"""Files with pictures of games: SVG, PNG, animated GIF."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.progress import track

from endeavor_env.agents.terminal import terminal
from endeavor_env.basics.files import write_bytes, write_text
from endeavor_env.cli.views import positions, shown_moves, view_of
from endeavor_env.drawing.raster import load_pygame, to_pixels, to_png
from endeavor_env.drawing.svg import to_svg
from endeavor_env.endeavor.drawing.scene import Scene
from endeavor_env.endeavor.drawing.scene.theme import THEMES
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.errors import InvalidOptionError, MissingLibraryError

COLOURS = 128
"""Colours of an animation; the scenes have some forty, the others smooth their edges."""
LAST_FACTOR = 6
"""The last picture of an animation stays so many times longer than the others."""
WIDTH = 960
"""Width of an animation in pixels, unless another is asked for."""


def check_theme(theme: str) -> None:
    """Raise InvalidOptionError unless there is such a theme."""
    if theme not in THEMES:
        raise InvalidOptionError(f"theme={theme!r} is not possible: give one of {', '.join(THEMES)}")


def check_library(kind: str) -> None:
    """Raise MissingLibraryError if a library for files of this kind is missing."""
    if kind in ("png", "gif"):
        load_pygame()
    if kind == "gif":
        _load_pillow()


def _load_pillow() -> Any:
    """Return the module of Pillow; raise MissingLibraryError if it is not installed."""
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingLibraryError(
            "animations need Pillow, which is not installed: pip install 'endeavor-env[render]'"
        ) from error
    return Image


class Film(NamedTuple):
    """How a game becomes an animation."""

    theme: str = "light"
    """ "light" or "dark"."""
    every: str = "turn"
    """Span of a picture: "round", "turn" or "move"."""
    milliseconds: int = 700
    """Milliseconds for which each picture stays."""
    width: int = WIDTH
    """Width in pixels, 160 to 1280."""
    whole: bool = False
    """True to show everything: the mats and the supply too, and the empty board at the beginning."""


def check_targets(kinds: Iterable[str], targets: bool) -> None:
    """Raise InvalidOptionError if targets are asked for where no picture of one position is written."""
    if targets and not {"svg", "png"} & set(kinds):
        raise InvalidOptionError("--targets belongs to pictures of one position: write a .svg or .png, or leave it out")


def check_moves(game: Game, targets: bool) -> None:
    """Raise InvalidOptionError if targets are asked for where no seat is to move."""
    if targets and game.over:
        raise InvalidOptionError(
            f"--targets frames what legal moves are about, and the game is over: give --move, below {len(game.history)}"
        )
    if targets and game.seat == CHANCE:
        raise InvalidOptionError("--targets frames what legal moves are about, and chance decides: give another --move")


def write_picture(kind: str, game: Game, file: Path, film: Film, targets: bool = False) -> None:
    """Write a position as "svg" or "png" in the colours of a film, targets framed or not, or a whole game as "gif"."""
    if kind == "svg":
        write_svg(game, file, film.theme, targets)
    elif kind == "png":
        write_png(game, file, film.theme, targets)
    else:
        write_gif(game, file, film)


def write_svg(game: Game, file: Path, theme: str, targets: bool = False) -> None:
    """Write the picture of a position as SVG."""
    write_text(file, to_svg(view_of(game).scene(game, theme, targets)) + "\n")


def write_png(game: Game, file: Path, theme: str, targets: bool = False) -> None:
    """Write the picture of a position as PNG, of Endeavor 1280 x 800 pixels."""
    write_bytes(file, to_png(view_of(game).scene(game, theme, targets)))


def write_gif(game: Game, file: Path, film: Film) -> int:
    """Write a game, to its last move, as an animated GIF with a progress bar; return the number of pictures."""
    image = _load_pillow()
    numbers, draw = view_of(game).film(game, shown_moves(game, film.every), film.whole)
    hidden, console = not sys.stderr.isatty(), terminal(stderr=True)
    pictures: list[Any] = []
    drawn: dict[str, None] = {}  # the colours of the scenes, in the order of their first use
    shown: Iterator[Any] = positions(game, numbers)
    for position in track(shown, "pictures", total=len(numbers), console=console, disable=hidden, transient=True):
        scene = draw(position, film.theme)
        drawn |= dict.fromkeys(colours_of(scene))
        picture = image.fromarray(to_pixels(scene))
        height = round(picture.height * film.width / picture.width)
        pictures.append(picture.resize((film.width, height), image.Resampling.LANCZOS))
    palette = _palette(image, list(drawn), pictures)
    flat = [picture.quantize(palette=palette, dither=image.Dither.NONE) for picture in pictures]
    durations = [film.milliseconds] * (len(flat) - 1) + [LAST_FACTOR * film.milliseconds]
    content = io.BytesIO()
    flat[0].save(content, "GIF", save_all=True, append_images=flat[1:], duration=durations, loop=0)
    write_bytes(file, content.getvalue())
    return len(numbers)


def colours_of(scene: Scene) -> list[str]:
    """Return the colours of a scene, such as "#d55e00"."""
    shapes = [getattr(shape, name, None) for shape in scene.shapes for name in ("fill", "stroke")]
    return [scene.background, *(colour for colour in shapes if colour)]


def _palette(image: Any, drawn: Sequence[str], pictures: Sequence[Any]) -> Any:
    """Return a picture whose palette has the colours that are drawn, and the commonest of the smoothed edges."""
    colours = [tuple(bytes.fromhex(colour[1:7])) for colour in drawn]
    sample = np.concatenate([np.asarray(pictures[at], np.uint32).reshape(-1, 3) for at in (0, len(pictures) // 2, -1)])
    edges, counts = np.unique(sample @ np.array([1 << 16, 1 << 8, 1], np.uint32), return_counts=True)
    commonest = edges[np.argsort(-counts, kind="stable")][:COLOURS].tolist()
    colours += [(edge >> 16, edge >> 8 & 255, edge & 255) for edge in commonest]
    palette = image.new("P", (1, 1))
    palette.putpalette([part for colour in list(dict.fromkeys(colours))[:COLOURS] for part in colour])
    return palette
