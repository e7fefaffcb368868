"""The page of a game: all its positions, moves, scores and statuses in one file that needs no network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from endeavor_env.board import Board
from endeavor_env.files import write_text
from endeavor_env.game import Game
from endeavor_env.pages.frames import film_of
from endeavor_env.records import replay
from endeavor_env.render.scene.theme import SIDES

_FILES = resources.files("endeavor_env.pages")


def replay_page(
    source: Game | str | Path | Mapping[str, Any],
    *,
    board: Board | str | Path | None = None,
    theme: str = "light",
    title: str | None = None,
) -> str:
    """Return the page of a game as the text of an HTML file.

    Args:
        source: A game, or a record: its fields, or the path of its file.
        board: The board of a record that names one which does not come with the package.
        theme: "light" or "dark".
        title: The title of the page; by default who won.

    Raises:
        RecordError: The record cannot be read or replayed.
        InvalidOptionError: There is no such theme.
    """
    game = source if isinstance(source, Game) else replay(source, board=board)
    film = film_of(game, theme)._asdict()
    film["colours"] = [SIDES[_side(name)].fill for name in film["names"]]
    film["over"] = game.over
    text = json.dumps(film, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    page = _read("replay.html").replace("{title}", escape(title or _title_of(game))).replace("{theme}", theme)
    return page.replace("{style}", _read("replay.css")).replace("{script}", _read("replay.js")).replace("{film}", text)


def write_replay_page(source: Game | str | Path | Mapping[str, Any], path: str | Path, **arguments: Any) -> Path:
    """Write the page of a game to ``path`` in one step and return it; arguments and errors as for ``replay_page``."""
    target = Path(path)
    write_text(target, replay_page(source, **arguments))
    return target


def _read(name: str) -> str:
    return (_FILES / name).read_text(encoding="utf-8")


def _side(name: str) -> str:
    """Return the side whose colour stands for somebody who scores."""
    return {"player": "white", "opposition": "black"}.get(name.lower(), name)


def _title_of(game: Game) -> str:
    """Return who won, or how far the game is."""
    what = f"Endeavor, {game.variant}" if game.variant != "standard" else f"Endeavor, {game.num_players} seats"
    if not game.over:
        return f"{what}, round {game.round}"
    return f"{what}: {' to '.join(str(score) for score in game.scores())} Glory"
