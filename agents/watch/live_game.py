"""A game of agents on a page: played in a thread of its own, as slowly as people want to watch it, until Ctrl-C."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from typing import Any, cast

from endeavor_env.agents.base import AgentOf, AnnotatingAgent
from endeavor_env.agents.local_page.serving import HOST, listening, needs_server_libraries, serve_until_interrupted
from endeavor_env.agents.registry import player_in
from endeavor_env.agents.runner import Hooks, Stopped, play_game
from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.inputs import one_of
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.notes import Note
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.game import agent_title
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.errors import Unpicklable
from endeavor_env.web import AUTOMATIC, THEMES, Film, noted_by, title_of


class LiveGame(Hooks, Unpicklable):
    """Plays a game to its end, and gives pages what they do not have yet. Methods can be called from any thread."""

    def __init__(
        self,
        game: Game | AnyGame,
        agents: Sequence[AgentOf[Any]],
        delay: float,
        theme: str = AUTOMATIC,
        annotator: AnnotatingAgent | None = None,
    ) -> None:
        """Prepare the game; ``start`` begins it.

        Args:
            game: The game at its first decision, which stays as it is. If it does not say who plays, the agents do.
            agents: The agent of each seat.
            delay: Seconds from one move to the next, at least.
            theme: "light", "dark", or "auto" for that of the reader's system.
            annotator: An agent whose notes on positions of Endeavor are shown; None for none.

        Raises:
            InvalidOptionError: There is no such theme.
        """
        self.theme: str = one_of("theme", theme, THEMES)
        begun = game.clone(same_chance=True)
        if game.played is None and len(agents) == game.num_players:
            begun.played = PlayersInfo.of([player_in(game.config, agent_title(agent)) for agent in agents])
        self._film: Film[Game | AnyGame] = Film.of(begun)
        self._agents, self._delay, self._annotator = tuple(agents), delay, annotator
        self._notes: dict[int, Note] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._play, name="live game", daemon=True)
        self.trouble: str | None = None
        """Why the game does not go on; None if nothing is wrong."""

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread after the move it is at."""
        self._stopping.set()
        self._thread.join()

    def join(self, seconds: float) -> bool:
        """Wait for the end of the game, at most so long; return whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def game(self) -> Game | AnyGame:
        """The game as it has come so far; nobody plays on it after ``stop``."""
        return self._film.game

    def title(self) -> str:
        """Return the title of the page."""
        with self._lock:
            return title_of(self._film.game)

    def part(self, known: int) -> dict[str, Any]:
        """Return what a page needs that has the first ``known`` pictures; see ``Film.part``."""
        with self._lock:
            notes = {number: note for number, note in self._notes.items() if number >= known - 1}
            by = "" if self._annotator is None else self._annotator.name
            now = {"trouble": self.trouble, "title": title_of(self._film.game)}
            return self._film.part(known, notes) | noted_by(by) | now

    def record(self) -> dict[str, Any]:
        """Return the record of the game so far."""
        with self._lock:
            return self._film.game.record()

    def _play(self) -> None:
        game = self._film.game  # changed by this thread alone, and under the lock
        try:
            play_game(self._agents, game, self)
        except Stopped:
            return
        except Exception as error:  # whatever an agent raises: the page says why the game stands still
            self.trouble = f"{self._film.titles()[game.seat]} cannot move: {error}"

    def before(self, game: AnyGame) -> None:
        """Wait as long as people want to look at a position, and take the note of the annotator on it."""
        if self._stopping.wait(self._delay):
            raise Stopped
        if self._annotator is not None:
            note = self._annotator.note(cast(Game, game.clone()))
            with self._lock:
                self._notes[len(game.history)] = note

    def make(self, game: AnyGame, action: int, seconds: float) -> None:
        """Make the move of an agent, and those of chance after it: a record cannot end before a draw."""
        after, made = game.clone(same_chance=True), len(game.history)
        after.apply(action)
        with self._lock:
            for _, move in after.history[made:]:
                self._film.add(move)
            if game.played is not None:
                game.played = game.played.timed(made, seconds)


def serve_game(
    game: Game | AnyGame,
    agents: Sequence[AgentOf[Any]],
    *,
    delay: float,
    theme: str = AUTOMATIC,
    annotator: AnnotatingAgent | None = None,
    port: int = 0,
    browser: bool = True,
) -> Game | AnyGame:
    """Let agents play a game, and serve a page that follows it, until Ctrl-C; return the game as it is then.

    Args:
        game: The game at its first decision, which stays as it is.
        agents: The agent of each seat.
        delay: Seconds from one move to the next, at least.
        theme: "light", "dark", or "auto" for that of the reader's system.
        annotator: An agent whose notes on positions of Endeavor the page shows; None for none.
        port: The port; 0 takes a free one.
        browser: Whether to open the page in the browser.

    Raises:
        MissingLibraryError: Starlette or uvicorn is not installed.
        InvalidOptionError: The port or the theme is not possible.
    """
    with needs_server_libraries("watching in the browser"):
        from endeavor_env.agents.watch.app import make_app
    live = LiveGame(game, agents, delay, theme, annotator)
    with listening(port) as socket:
        token = secrets.token_urlsafe(16)
        address = f"http://{HOST}:{socket.getsockname()[1]}/?token={token}"
        print_line(f"Watch at {address}")
        print_line("Ctrl-C stops the server.")
        live.start()
        try:
            serve_until_interrupted(make_app(live, token), socket, address, browser)
        finally:
            live.stop()
    return live.game
