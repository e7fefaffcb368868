"""The page of a game: all its positions, moves, scores and statuses in one file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from endeavor_env.basics.files import read_json_object, write_text
from endeavor_env.basics.inputs import one_of
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.notes import Note, read_notes
from endeavor_env.engine.game import Game
from endeavor_env.engine.games import game_of_record
from endeavor_env.errors import RecordError
from endeavor_env.web.film import Film, noted_by
from endeavor_env.web.frames import frames_of
from endeavor_env.web.look import colour_rules

AUTOMATIC = "auto"
"""The theme of the reader's system."""
THEMES = (AUTOMATIC, "light", "dark")
SCRIPTS = ("charts.js", "replay.js")
"""The files of the page's script, in the order in which they run."""
_FILES = resources.files("endeavor_env.web")
Source = Game | str | Path | Mapping[str, Any]
"""A game, or the record of one: its fields, or the path of its file."""


def replay_page(
    source: Source,
    *,
    board: Board | str | Path | None = None,
    theme: str = AUTOMATIC,
    title: str | None = None,
    seat: int | None = None,
) -> str:
    """Return the page of a game as the text of an HTML file.

    The page shows what an agent thought of the positions if the record carries ``notes``.

    Args:
        source: A game, or the record of one: its fields, or the path of its file.
        board: The board of a record that names one which does not come with the package.
        theme: "light", "dark", or "auto" for that of the reader's system; the page has a button that changes it.
        title: The title of the page; by default who plays what, and the scores.
        seat: Who sees a game with hidden information: all of it for None, and for -1 what everybody may see.

    Raises:
        RecordError: The record cannot be read or replayed.
        InvalidOptionError: There is no such theme.
    """
    one_of("theme", theme, THEMES)
    notes: dict[int, Note] = {}
    by = ""
    game: Game
    if isinstance(source, str | Path | Mapping):
        record = source if isinstance(source, Mapping) else read_json_object(Path(source), "record", RecordError)
        game = game_of_record(record).replay(source, board)
        if "notes" in record:
            by, notes = read_notes(record["notes"], len(record["moves"]))
    else:
        game = source
    part = Film.of(game, seat).part(notes=notes) | noted_by(by)
    return film_page(part, theme, title or title_of(game))


def film_page(part: Mapping[str, Any], theme: str, title: str, more: str | None = None) -> str:
    """Return the page of a film.

    Args:
        part: The first part of the film, as ``Film.part`` returns it.
        theme: "light", "dark" or "auto".
        title: The title of the page.
        more: An address of the same server that has the rest of a game that is being played: the page asks it again
            and again, with the number of pictures it has at the end, and goes on by itself. None for a whole game.
    """
    film = json.dumps({**part, "more": more}, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    policy, played = page_policy(asks=more is not None), " · ".join(part["played"])
    return _filled(theme=theme, title=title, policy=policy, played=played, film=film, script=_script())


def empty_page(script: str, title: str) -> str:
    """Return the page without a film, for another program that has the game and writes it into the page.

    Args:
        script: What runs behind the script of the page; its ``begin(part)`` shows the first part of a film, and the
            document has an event ``shown`` for each position.
        title: The title of the page.
    """
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'"
    return _filled(theme=AUTOMATIC, title=title, policy=policy, played="", film="", script=f"{_script()}\n{script}")


def _filled(*, theme: str, title: str, policy: str, played: str, film: str, script: str) -> str:
    """Return the page with its parts."""
    parts = {"theme": theme, "title": escape(title), "policy": policy, "played": escape(played), "film": film}
    parts |= {"style": _style(), "script": script}
    return re.sub(rf"\{{({'|'.join(parts)})\}}", lambda found: parts[found[1]], _read("replay.html"))


def page_policy(asks: bool = False) -> str:
    """Return the Content-Security-Policy of the page: its own style and script run, and nothing else is loaded.

    The page says so itself; a server can send it as a header too.

    Args:
        asks: Whether the page asks its server for the rest of a running game.
    """
    allowed = f"default-src 'none'; style-src {_hash(_style())}; script-src {_hash(_script())}"
    asked = "; connect-src 'self'" if asks else ""
    return f"{allowed}{asked}; base-uri 'none'; form-action 'none'"


def write_replay_page(source: Source, path: str | Path, **arguments: Any) -> Path:
    """Write the page of a game to ``path`` in one step and return it; arguments and errors as for ``replay_page``."""
    target = Path(path)
    write_text(target, replay_page(source, **arguments))
    return target


def title_of(game: Game) -> str:
    """Return what is played, by whom if somebody said so, and how far it has come: round and phase, or the scores."""
    return frames_of(game).title(game)


def _read(name: str) -> str:
    return (_FILES / name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    """Return the style of the page with the colours of both themes."""
    return f"\n{colour_rules()}\n{_read('replay.css')}"


@cache
def _script() -> str:
    """Return the script of the page."""
    return "\n" + "\n".join(_read(name) for name in SCRIPTS)


def _hash(text: str) -> str:
    """Return how a policy names a style or script that stands in the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
