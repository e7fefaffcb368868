"""Draw two games as animated pictures: ``python docs/make/animations.py`` writes them into ``docs/pictures``.

``greedy`` agents play them: four at one table, and one on the solitaire game. The same command always writes the same
pictures; ``--folder`` puts them elsewhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageColor

from agents.registry import make_agent
from endeavor_env import Game
from endeavor_env.render.raster import to_pixels
from endeavor_env.render.scene import Scene, draw_scene
from endeavor_env.render.view import view_game

FOLDER = Path(__file__).resolve().parents[1] / "pictures"
SIZE = (960, 600)
"""Width and height in pixels: a whole picture is 1280 x 800."""
COLOURS = 160
FRAME_MS, LAST_FRAME_MS = 700, 5000


class Animation(NamedTuple):
    """A game and the positions of it that are drawn."""

    name: str
    new: dict[str, Any]
    """Arguments of ``Game.new``."""
    every: int
    """Decisions from one drawn position to the next."""


ANIMATIONS = (
    Animation("game", {"players": 4, "seed": 7}, 6),
    Animation("solo", {"variant": "solo", "seed": 7, "options": {"opposition_ties": "first"}}, 2),
)


def play(new: dict[str, Any]) -> Iterator[Game]:
    """Yield the game before each decision of its ``greedy`` agents, and at its end; it is one object that changes."""
    game = Game.new(**new)
    agents = [make_agent("greedy") for _ in range(game.num_players)]
    for seat, agent in enumerate(agents):
        agent.reset(seat)
    while not game.over:
        yield game
        game.apply(agents[game.seat].act(game))
    yield game


def scenes(animation: Animation) -> list[Scene]:
    """Return the scenes of every few decisions, and that of the end."""
    return [
        draw_scene(view_game(game))
        for number, game in enumerate(play(animation.new))
        if number % animation.every == 0 or game.over
    ]


def picture_of(scene: Scene) -> Image.Image:
    """Return a scene as a picture of ``SIZE``."""
    return Image.fromarray(to_pixels(scene)).resize(SIZE, Image.Resampling.LANCZOS)


def palette_of(scenes: Sequence[Scene], pictures: Sequence[Image.Image]) -> Image.Image:
    """Return a picture whose palette has every colour of the scenes, and the commonest of their smoothed edges."""
    drawn = {scenes[0].background: None}  # in the order of their first use
    for scene in scenes:
        for shape in scene.shapes:
            drawn |= {colour: None for name in ("fill", "stroke") if (colour := getattr(shape, name, None))}
    colours = [ImageColor.getrgb(colour)[:3] for colour in drawn]
    sample = np.concatenate([np.asarray(pictures[at], np.uint32).reshape(-1, 3) for at in (0, len(pictures) // 2, -1)])
    edges, counts = np.unique(sample @ np.array([1 << 16, 1 << 8, 1], np.uint32), return_counts=True)
    commonest = edges[np.argsort(-counts, kind="stable")][:COLOURS].tolist()
    colours += [(edge >> 16, edge >> 8 & 255, edge & 255) for edge in commonest]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in list(dict.fromkeys(colours))[:COLOURS] for part in colour])
    return palette


def write_gif(path: Path, scenes: Sequence[Scene]) -> None:
    """Write scenes as one GIF that repeats."""
    pictures = [picture_of(scene) for scene in scenes]
    palette = palette_of(scenes, pictures)
    reduced = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    times = [FRAME_MS] * (len(reduced) - 1) + [LAST_FRAME_MS]
    reduced[0].save(path, save_all=True, append_images=reduced[1:], duration=times, loop=0, optimize=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw and write the animations."""
    parser = argparse.ArgumentParser(prog="python docs/make/animations.py", description="Draw the animated pictures.")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write them (default: %(default)s)")
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    for animation in ANIMATIONS:
        positions = scenes(animation)
        path = folder / f"{animation.name}.gif"
        write_gif(path, positions)
        print(f"{path}: {len(positions)} pictures, {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
