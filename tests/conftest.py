"""Settings shared by every test."""

from __future__ import annotations

import pytest
from hypothesis import settings

from endeavor_env.board import Board

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def board() -> Board:
    """The default board."""
    return Board.default()
