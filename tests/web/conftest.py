"""The engine for all tests of a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kits.web import built


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the engine for the web."""
    return built(tmp_path_factory.mktemp("web"))
