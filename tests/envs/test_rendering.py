"""Render modes of all environments: text, pixels and the window, one game and several."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo
from gymnasium.wrappers.vector import RecordVideo as VectorRecordVideo
from stable_baselines3.common.vec_env import VecVideoRecorder

from endeavor_env import endeavor_v0
from endeavor_env.drawing import window
from endeavor_env.drawing.raster import to_pixels
from endeavor_env.endeavor.drawing import ansi
from endeavor_env.endeavor.drawing.scene import draw_game, draw_scene
from endeavor_env.endeavor.drawing.view import view_position
from endeavor_env.envs.endeavor import (
    make_endeavor,
    make_endeavor_solo,
    make_endeavor_solo_vector,
    make_endeavor_vector,
)
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.errors import MissingLibraryError
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.envs import started

SHAPE = (800, 1280, 3)
INTERFACES = pytest.mark.parametrize("make", [endeavor_v0.env, make_endeavor, make_endeavor_solo])
VECTORS = pytest.mark.parametrize("make", [make_endeavor_vector, make_endeavor_solo_vector])


def moved(env: Any) -> None:
    """Make the first legal move."""
    env.step(int(env.action_masks().argmax()))


def first_legal(env: Any) -> Any:
    """The first legal action of each game of a vector environment."""
    return env.action_masks().argmax(axis=1)


# --- one game -------------------------------------------------------------------------------------------------------


@INTERFACES
def test_pixels_are_those_of_the_scene_in_a_fresh_array(make: Any) -> None:
    env = started(make, render_mode="rgb_array")
    first = env.render()
    assert (first.shape, first.dtype) == (SHAPE, np.uint8)
    assert np.array_equal(first, to_pixels(draw_game(env.game())))
    kept = first.copy()
    moved(env)
    assert not np.array_equal(env.render(), kept)
    assert np.array_equal(first, kept)
    first[:] = 0  # it belongs to the caller


@INTERFACES
def test_text_is_the_text_board(make: Any) -> None:
    env = started(make, render_mode="ansi")
    assert env.render().startswith(ansi.render(env.game()).splitlines()[0])


@INTERFACES
def test_the_window_shows_every_step_by_itself(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    env = started(make, render_mode="human")
    surface = window._WINDOW.surface
    before = surface.get_buffer().raw
    moved(env)
    assert window._WINDOW.surface is surface
    assert surface.get_buffer().raw != before
    assert env.render() is None
    assert capsys.readouterr().out == ""
    env.close()
    env.close()
    assert window._WINDOW.surface is None


def test_a_window_that_the_user_closes_opens_again_at_the_next_step() -> None:
    import pygame

    env = started(make_endeavor, render_mode="human")
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    moved(env)
    assert window._WINDOW.surface is None
    moved(env)
    assert window._WINDOW.surface is not None
    env.close()


@INTERFACES
def test_rendering_without_a_mode_warns(make: Any) -> None:
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert started(make).render() is None


def test_a_machine_without_a_display_is_told_what_to_do() -> None:
    program = (
        "from endeavor_env.envs.endeavor import make_endeavor\n"
        "from endeavor_env.errors import NoWindowError\n"
        "try:\n"
        "    make_endeavor(render_mode='human').reset(seed=1)\n"
        "except NoWindowError as error:\n"
        "    print(error)\n"
    )
    environment = {**os.environ, "SDL_VIDEODRIVER": "x11", "DISPLAY": ":no", "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert "no window can be opened here" in ran.stdout, ran.stderr
    assert 'give render_mode="rgb_array" or "ansi" instead of "human"' in ran.stdout


def test_pictures_without_pygame_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'endeavor-env\[render\]'"):
        started(make_endeavor, render_mode="rgb_array").render()


def test_a_film_is_recorded(tmp_path: Path) -> None:
    env: Any = gymnasium.make("EndeavorSolo-v0", render_mode="rgb_array")
    env = RecordVideo(env, str(tmp_path / "films"), episode_trigger=lambda _: True, video_length=3, disable_logger=True)
    env.reset(seed=1)
    for _ in range(3):
        mask = env.get_wrapper_attr("action_masks")()
        env.step(int(mask.argmax()))
    env.close()
    (film,) = tmp_path.glob("films/*.mp4")
    assert film.stat().st_size > 1_000


# --- several games --------------------------------------------------------------------------------------------------


@VECTORS
def test_each_game_has_its_picture(make: Any) -> None:
    env = make(3, render_mode="rgb_array")
    env.reset(seed=5)
    env.step(first_legal(env))
    frames = env.render()
    assert len(frames) == 3
    for row, frame in enumerate(frames):
        view = view_position(env.games[0].board, env.batch.states[row : row + 1])
        assert np.array_equal(frame, to_pixels(draw_scene(view)))
    assert not np.array_equal(frames[0], frames[1])


@VECTORS
def test_each_game_has_its_text(make: Any) -> None:
    env = make(3, render_mode="ansi", render_games=2)
    env.reset(seed=5)
    views = [view_position(env.games[0].board, env.batch.states[row : row + 1]) for row in range(2)]
    assert env.render() == tuple(ansi.draw(view) for view in views)


def test_games_on_several_boards_are_drawn_on_theirs() -> None:
    env = make_endeavor_vector(2, board=["endeavor_2009", "generated_3"], render_mode="ansi")
    env.reset(seed=1)
    texts = env.render()
    assert texts is not None
    boards = [game.board for game in env.games]
    for row, text in enumerate(texts):
        assert text == ansi.draw(view_position(boards[row], env.batch.states[row : row + 1]))


def test_several_games_stand_in_one_window() -> None:
    env = make_endeavor_vector(4, render_mode="human", render_games=3)
    env.reset(seed=5)
    surface = window._WINDOW.surface
    assert surface.get_size() == (1280, 800)
    empty = surface.subsurface((640, 400, 640, 400))
    assert len({empty.get_at((x, 100))[:3] for x in range(0, 640, 7)}) == 1
    shown = surface.subsurface((0, 400, 640, 400))
    assert len({shown.get_at((x, 100))[:3] for x in range(0, 640, 7)}) > 3
    before = surface.get_buffer().raw
    env.step(first_legal(env))
    assert surface.get_buffer().raw != before
    assert env.render() is None
    env.close()
    assert window._WINDOW.surface is None


@VECTORS
def test_games_cannot_be_shown_before_the_first_reset(make: Any) -> None:
    with pytest.raises(ResetNeededError):
        make(2, render_mode="ansi").render()


def test_vector_rendering_without_a_mode_warns() -> None:
    env = make_endeavor_vector(2)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None


def test_a_film_of_several_games_is_recorded(tmp_path: Path) -> None:
    env: Any = gymnasium.make_vec("Endeavor-v0", num_envs=2, render_mode="rgb_array")
    env = VectorRecordVideo(
        env, str(tmp_path / "films"), video_length=2, episode_trigger=lambda _: True, disable_logger=True
    )
    env.reset(seed=1)
    for _ in range(2):
        env.step(env.unwrapped.action_masks().argmax(axis=1))
    env.close()
    (film,) = tmp_path.glob("films/*.mp4")
    assert film.stat().st_size > 1_000


def test_stable_baselines_records_a_film(tmp_path: Path) -> None:
    inner = EndeavorVecEnv("Endeavor-v0", 2, render_mode="rgb_array", seed=1)
    assert inner.get_attr("render_mode") == ["rgb_array", "rgb_array"]
    env = VecVideoRecorder(inner, str(tmp_path / "films"), record_video_trigger=lambda step: step == 0, video_length=2)
    env.reset()
    assert len(inner.get_images()) == 2
    for _ in range(3):
        env.step(inner.action_masks().argmax(axis=1))
    env.close()
    assert list(tmp_path.glob("films/*.mp4"))
