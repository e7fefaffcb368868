"""A game of agents that is played in a thread of its own, as slowly as people want to watch it."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any, cast

from endeavor_env.agents.base import AgentOf, AnnotatingAgent
from endeavor_env.agents.registry import player_in
from endeavor_env.basics.inputs import one_of
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.notes import Note
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.game import agent_title, game_for
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.errors import Unpicklable
from endeavor_env.web import AUTOMATIC, THEMES, Film, noted_by, title_of


class LiveGame(Unpicklable):
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
            while not game.over and not self._stopping.wait(self._delay):
                if self._annotator is not None:
                    note = self._annotator.note(cast(Game, game.clone()))
                    with self._lock:
                        self._notes[len(game.history)] = note
                start = time.perf_counter()
                agent = self._agents[max(0, game.seat)]
                action = agent.act(game_for(agent, game))
                spent = time.perf_counter() - start
                with self._lock:
                    self._make(action, spent)
        except Exception as error:  # whatever an agent raises: the page says why the game stands still
            self.trouble = f"{self._film.titles()[game.seat]} cannot move: {error}"

    def _make(self, action: int, spent: float) -> None:
        """Make the move of an agent, and those of chance after it: a record cannot end before a draw."""
        game, after = self._film.game, self._film.game.clone(same_chance=True)
        made = len(game.history)
        after.apply(action)
        for _, move in after.history[made:]:
            self._film.add(move)
        if game.played is not None:
            game.played = game.played.timed(made, spent)
