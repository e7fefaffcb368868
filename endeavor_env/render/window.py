"""The window of ``render_mode="human"``: one for each process, as pygame has only one."""

from __future__ import annotations

from typing import Any

from endeavor_env.errors import NoWindowError
from endeavor_env.render.raster import load_pygame, to_surface
from endeavor_env.render.scene import Scene

CAPTION = "Endeavor"


class _Window:
    """The window, if it is open, and the clock that slows pictures down."""

    def __init__(self) -> None:
        self.surface: Any = None
        self.clock: Any = None


_WINDOW = _Window()


def show_window(scene: Scene, frames_per_second: float) -> None:
    """Show a scene; open the window for the first one. Return when it is time for the next one.

    The user may close the window: the next scene opens it again.

    Raises:
        MissingLibraryError: pygame-ce is not installed.
        NoWindowError: This machine has no display.
    """
    pygame = load_pygame()
    if _WINDOW.surface is None:
        _open(pygame, scene)
    if any(event.type == pygame.QUIT for event in pygame.event.get()):
        close_window()
        return
    _WINDOW.surface.blit(to_surface(scene), (0, 0))
    pygame.display.flip()
    _WINDOW.clock.tick(frames_per_second)


def _open(pygame: Any, scene: Scene) -> None:
    try:
        pygame.display.init()
        _WINDOW.surface = pygame.display.set_mode((scene.width, scene.height))
    except pygame.error as error:
        raise NoWindowError(
            f'no window can be opened here ({error}): give render_mode="rgb_array" or "ansi" instead of "human"'
        ) from error
    pygame.display.set_caption(CAPTION)
    _WINDOW.clock = pygame.time.Clock()


def close_window() -> None:
    """Close the window, if it is open."""
    if _WINDOW.surface is not None:
        load_pygame().display.quit()
        _WINDOW.surface = None
