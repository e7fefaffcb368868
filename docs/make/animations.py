"""Draw two games as animated pictures: ``python docs/make/animations.py`` writes ``docs/pictures/game.gif`` and ``solo.gif``.

``greedy`` agents play them: four at one table, and one on the solitaire game. The same command always writes the same
pictures; ``--folder`` puts them elsewhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from agents.registry import make_agent
from endeavor_env import Game
from endeavor_env.render.raster import to_pixels
from endeavor_env.render.scene import draw_scene
from endeavor_env.render.view import view_game

FOLDER = Path(__file__).resolve().parents[1] / "pictures"
SIZE = (960, 600)
"""Width and height in pixels: a whole picture is 1280 x 800."""
COLOURS = 128
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


def frames(animation: Animation) -> list[Image.Image]:
    """Return the pictures of every few decisions, and that of the end."""
    pictures = []
    for number, game in enumerate(play(animation.new)):
        if number % animation.every == 0 or game.over:
            whole = Image.fromarray(to_pixels(draw_scene(view_game(game))))
            pictures.append(whole.resize(SIZE, Image.Resampling.LANCZOS))
    return pictures


def write_gif(path: Path, pictures: Sequence[Image.Image]) -> None:
    """Write pictures as one GIF that repeats; all share the colours of the last, which shows the most pieces."""
    palette = pictures[-1].quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE)
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
        pictures = frames(animation)
        path = folder / f"{animation.name}.gif"
        write_gif(path, pictures)
        print(f"{path}: {len(pictures)} pictures, {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
