"""Serves the page on this machine until Ctrl-C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.local_page.serving import HOST, listening, needs_server_libraries, serve_until_interrupted
from agents.local_page.token_file import Access, read_access, write_access
from agents.play.advice import USUAL
from agents.play.session import Session
from agents.play.store import Store, new_session, opened_session, sole_use
from agents.registry import make_agent
from agents.terminal import print_line
from endeavor_env.compilation import ensure_compiled
from endeavor_env.core import constants as c
from endeavor_env.errors import InvalidOptionError, RecordError
from endeavor_env.files import read_json_object
from endeavor_env.inputs import one_of
from endeavor_env.played import HUMAN

SOLO, STANDARD = c.VARIANT_NAMES[c.VARIANT_SOLO], c.VARIANT_NAMES[c.VARIANT_STANDARD]
THEMES = ("auto", "light", "dark")
TOKEN = "play.token"
"""The file, in the folder of the games, that lets open tabs outlive a restart."""
OPPONENT = "greedy"
"""Who plays the other seats of a game for which only the variant is given."""


def serve(
    seats: Sequence[str] = (),
    *,
    variant: str | None = None,
    resume: Path | None = None,
    folder: Path = Path("games"),
    hint_by: str = USUAL,
    port: int = 0,
    browser: bool = True,
    theme: str = "auto",
    **new: Any,
) -> None:
    """Serve the page on which games are played, until Ctrl-C; everything is checked before anything is written.

    Args:
        seats: "human" or an agent for each seat of a game that begins at once; empty begins one only if ``variant``
            or ``resume`` is given.
        variant: The variant of that game; "solo" for one seat and "standard" for more if left out.
        resume: A record or session file with which that game goes on, instead of a new one.
        folder: Where games are kept, a file each; made if it is missing.
        hint_by: The agent that hints until the page chooses another.
        port: The port; 0 takes that of the last time in this folder, or a free one.
        browser: Whether to open the page in the browser.
        theme: "auto", "light" or "dark".
        **new: Further arguments of ``Game.new`` for a new game: seed, board, exploits, options.

    Raises:
        MissingLibraryError: Starlette or uvicorn is not installed.
        EndeavorError: The game, an agent, the port, the folder, its token or the theme is not possible.
    """
    with needs_server_libraries("playing in the browser"):
        from agents.play.app import make_app
    one_of("theme", theme, THEMES)
    make_agent(hint_by)
    first = _first_session(seats, variant, resume, new)
    if first is None:
        ensure_compiled()  # before the page is there, where minutes without an answer would look like a fault
    token, last_port = read_access(folder / TOKEN)
    with listening(port, last_port) as socket, sole_use(folder):
        store, now_port = Store(folder), socket.getsockname()[1]
        write_access(folder / TOKEN, Access(token, now_port))
        begun = f"#{store.add(first)}" if first else ""
        address = f"http://{HOST}:{now_port}/?token={token}{begun}"
        print_line(f"Play at {address}")
        print_line(f"Games are kept in {folder}; Ctrl-C stops the server.")
        serve_until_interrupted(make_app(store, token, hint_by, theme), socket, address, browser)


def _first_session(
    seats: Sequence[str], variant: str | None, resume: Path | None, new: Mapping[str, Any]
) -> Session | None:
    """Return the game that begins at once, kept nowhere yet; None if the page begins with the list of games."""
    given = {name: value for name, value in new.items() if value}
    if resume is not None:
        if variant is not None or any(name in given for name in ("exploits", "options")) or new.get("seed") is not None:
            raise InvalidOptionError(f"{resume} says what is played: leave out the other options of the game")
        return opened_session(read_json_object(resume, "game", RecordError), str(resume), seats or None)
    if not seats and variant is None:
        if given or new.get("seed") is not None:
            raise InvalidOptionError("no game is begun: give its seats, such as human greedy greedy, or its --variant")
        return None
    named = variant or (SOLO if len(seats) == 1 else STANDARD)
    return new_session(seats or _usual_seats(named), variant=named, **new)


def _usual_seats(variant: str) -> list[str]:
    """Return a person and agents for the smallest number of seats of a variant; unknown variants get one seat."""
    known = variant in c.VARIANT_NAMES
    least = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)][0] if known else 1
    return [HUMAN, *[OPPONENT] * (least - 1)]
