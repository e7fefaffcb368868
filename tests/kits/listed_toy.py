"""The toy game in the list of games of this process, as if its package were installed."""

from __future__ import annotations

import pytest

from endeavor_env.engine import games
from endeavor_env.engine.declaration import GameDeclaration
from tests.toy_game.declaration import TOY


def list_toy(monkeypatch: pytest.MonkeyPatch, declared: GameDeclaration = TOY) -> None:
    """Put the toy game behind the games that are installed, until the end of the test."""
    found = games.GameList({**games.games(), declared.name: declared}, ())
    monkeypatch.setattr(games, "read_list", lambda: found)
