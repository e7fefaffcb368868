"""Settings shared by every test."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from endeavor_env.board import Board
from endeavor_env.compilation import ensure_players_compiled

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # windows of render_mode="human" open nowhere

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def board() -> Board:
    """The default board."""
    return Board.default()


def pytest_configure(config: pytest.Config) -> None:
    """Compile every kernel once: before the workers of pytest-xdist start, and outside the time limit of any test."""
    if not hasattr(config, "workerinput"):
        ensure_players_compiled()
