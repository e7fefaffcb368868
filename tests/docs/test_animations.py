"""The animated pictures move, are small, and are the same whenever they are made."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from PIL import Image

from tests.kits.scripts import load_script

pytest.importorskip("pygame", reason="pictures as pixels need pygame-ce")
animations = load_script("make/animations.py")


@pytest.mark.parametrize("name", [animation.name for animation in animations.ANIMATIONS])
def test_a_stored_animation_moves_and_is_small(name: str):
    path: Path = animations.FOLDER / f"{name}.gif"
    with Image.open(path) as picture:
        assert getattr(picture, "n_frames", 1) > 20
        assert picture.size == animations.SIZE
        assert picture.info["loop"] == 0
    assert path.stat().st_size < 1_500_000


def test_the_same_positions_give_the_same_file(tmp_path: Path):
    played = itertools.islice(animations.play({"players": 3, "seed": 1}), 8)
    positions = [animations.draw_scene(animations.view_game(game)) for game in played][::7]
    files = [tmp_path / "one.gif", tmp_path / "two.gif"]
    for file in files:
        animations.write_gif(file, positions)
    assert files[0].read_bytes() == files[1].read_bytes()
    with Image.open(files[0]) as picture:
        assert getattr(picture, "n_frames", 1) == 2


def test_a_palette_has_every_colour_that_is_drawn():
    game = next(animations.play({"players": 3, "seed": 1}))
    scene = animations.draw_scene(animations.view_game(game))
    palette = animations.palette_of([scene], [animations.picture_of(scene)]).getpalette()
    triples = {tuple(palette[at : at + 3]) for at in range(0, len(palette), 3)}
    drawn = {shape.fill for shape in scene.shapes if getattr(shape, "fill", None)}
    assert {animations.ImageColor.getrgb(colour) for colour in drawn} <= triples
