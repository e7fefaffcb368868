"""A folder of games, the page that serves it, and a solitaire game in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from endeavor_env.agents.play.app import make_app
from endeavor_env.agents.play.store import GameStore
from tests.kits.playing import (
    TOKEN,
    AppClient,
    session_of,
)


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path)


@pytest.fixture
def client(store: GameStore) -> AppClient:
    return AppClient(make_app(store, TOKEN, "greedy"), TOKEN)


@pytest.fixture
def name(store: GameStore) -> str:
    return store.add(session_of(["human"], variant="solo", seed=7))
