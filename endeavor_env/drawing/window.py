"""The window of ``render_mode="human"``: one for each process, as pygame has only one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from endeavor_env.drawing.raster import load_pygame, to_surface
from endeavor_env.drawing.shapes import Scene
from endeavor_env.errors import NoWindowError

CAPTION = "Endeavor"


class _Window:
    """The window, if it is open, and the clock that slows pictures down."""

    def __init__(self) -> None:
        self.surface: Any = None
        self.clock: Any = None


_WINDOW = _Window()


def show_window(scenes: Sequence[Scene], frames_per_second: float) -> None:
    """Show scenes, several in a grid; open the window for the first ones. Return when it is time for the next ones.

    The user may close the window: the next call opens it again.

    Args:
        scenes: One or more, all of the same size, which is that of the window.
        frames_per_second: How often the window changes at most.

    Raises:
        MissingLibraryError: pygame-ce is not installed.
        NoWindowError: This machine has no display.
    """
    pygame = load_pygame()
    surface: Any = _WINDOW.surface or _open(pygame, scenes[0])
    if any(event.type == pygame.QUIT for event in pygame.event.get()):
        close_window()
        return
    columns = math.ceil(math.sqrt(len(scenes)))
    width, height = scenes[0].width // columns, scenes[0].height // columns
    surface.fill(scenes[0].background)
    for index, scene in enumerate(scenes):
        picture = to_surface(scene)
        if columns > 1:
            picture = pygame.transform.smoothscale(picture, (width, height))
        surface.blit(picture, (width * (index % columns), height * (index // columns)))
    pygame.display.flip()
    _WINDOW.clock.tick(frames_per_second)


def _open(pygame: Any, scene: Scene) -> Any:
    """Open the window, of the size of a scene, and return its surface."""
    try:
        pygame.display.init()
        _WINDOW.surface = pygame.display.set_mode((scene.width, scene.height))
    except pygame.error as error:
        raise NoWindowError(
            f'no window can be opened here ({error}): give render_mode="rgb_array" or "ansi" instead of "human"'
        ) from error
    pygame.display.set_caption(CAPTION)
    _WINDOW.clock = pygame.time.Clock()
    return _WINDOW.surface


def close_window() -> None:
    """Close the window, if it is open."""
    if _WINDOW.surface is not None:
        load_pygame().display.quit()
        _WINDOW.surface = None
