"""The tables of a chat program, and what its tools say of them; nothing here knows the protocol."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from endeavor_env.agents.play.advice import USUAL as USUAL_HINT
from endeavor_env.agents.play.advice import hints
from endeavor_env.drawing.raster import to_png
from endeavor_env.endeavor.drawing.scene import draw_game
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.text import TextOptions, primer
from endeavor_env.endeavor.text.among_agents import MOST_BYTES, USUAL, AgentTable, config_by_name, ending
from endeavor_env.errors import GameOverError, InvalidOptionError, Unpicklable, shown

MOST_TABLES = 100
"""Tables that are kept, if their agents take no more than ``MOST_BYTES``; one more, and the oldest goes."""
TOLD = TextOptions(primer=False, retries=0, illegal_action="raise")
NO_TABLE = "no game is begun: begin one with new_game"


class GameTools(Unpicklable):
    """Games by number. Each method is a tool, and raises EndeavorError with one sentence where it cannot do its work.

    The tools may be called from several threads: one works at a time.
    """

    def __init__(self) -> None:
        """Begin without a game."""
        self._tables: OrderedDict[int, AgentTable] = OrderedDict()
        self._begun = 0
        self._one_at_a_time = threading.RLock()

    def new_game(
        self,
        game: str = "standard",
        opponents: str | list[str] = USUAL,
        seat: int = 0,
        seed: int | None = None,
        rules: bool = True,
    ) -> str:
        """Begin a game against agents, and return its number, the rules and the first decision.

        Args:
            game: What is played: "standard" (4 players), "standard:players=3", "solo", "soloplay_2", "exploits", with
                options and boards as in "solo:difficulty=harder" or "standard:board=generated_7".
            opponents: The agent of the other seats, or a list with one for each in playing order: "random", "greedy",
                "value", "lookahead", or the strongest, "search:ms=200".
            seat: Your seat, from 0.
            seed: Draws the set-up; another one each time if it is left out.
            rules: Whether to return the rules, about 2,100 tokens.
        """
        with self._one_at_a_time:
            config = config_by_name(game)
            table = AgentTable(config.new_game(seed), seat, opponents, TOLD)
            self._begun += 1
            self._tables[self._begun] = table
            while len(self._tables) > MOST_TABLES or sum(one.nbytes for one in self._tables.values()) > MOST_BYTES:
                self._tables.popitem(last=False)
            who = ", ".join(f"seat {other} is {name}" for other, name in sorted(table.names.items()))
            parts = [f"Table {self._begun}. You are seat {table.seat}{', ' + who if who else ''}."]
            if rules:
                parts.append(primer(table.game.config))
            return "\n\n".join([*parts, _news(table), _situation(table)])

    def state(self, form: Literal["short", "full", "json"] = "short", table: int | None = None) -> str:
        """Return the position with the last moves, or how the game ended.

        Args:
            form: "short", "full" with everything, or "json".
            table: The number of the game; the newest if it is left out.
        """
        with self._at(table) as at:
            if form == "short":
                return _situation(at, history=TextOptions.history)
            at.options = replace(TOLD, form=form)
            return at.situation()

    def legal_moves(self, table: int | None = None) -> str:
        """Return the legal moves, each with its meaning.

        Args:
            table: The number of the game; the newest if it is left out.
        """
        with self._at(table) as at:
            _check_running(at)
            board = at.game.board
            return "\n".join(f"{move}: {move_in_words(board, move)}" for move in at.game.legal_moves())

    def play(self, move: str, table: int | None = None) -> str:
        """Make your move, let the others move, and return what happened and your next decision.

        Args:
            move: A legal move such as "build:shipyard" or "pass".
            table: The number of the game; the newest if it is left out.
        """
        with self._at(table) as at:
            _check_running(at)
            at.answer(move)
            return f"{_news(at)}\n\n{_situation(at)}"

    def hint(self, by: str = USUAL_HINT, table: int | None = None) -> str:
        """Return up to three good moves, and what is expected of each: a share of the win, 0.02 more for each Glory.

        Args:
            by: The agent that is asked.
            table: The number of the game; the newest if it is left out.
        """
        with self._at(table) as at:
            _check_running(at)
            found = hints(at.game, agent_named(by, files=False))
            return "\n".join(
                f"{hint.move}: {move_in_words(at.game.board, hint.move)}"
                + (f"; {hint.value_by} expects {hint.value}" if hint.value is not None else "")
                for hint in found
            )

    def picture(self, theme: str = "light", table: int | None = None) -> bytes:
        """Return a picture of the board and all mats, as PNG.

        Args:
            theme: "light" or "dark".
            table: The number of the game; the newest if it is left out.
        """
        with self._at(table) as at:
            return to_png(draw_game(at.game, theme))

    @contextmanager
    def _at(self, number: int | None) -> Iterator[AgentTable]:
        """Give the table of a number, for this thread alone."""
        with self._one_at_a_time:
            if not self._tables:
                raise InvalidOptionError(NO_TABLE)
            newest = next(reversed(self._tables))
            table = self._tables.get(newest if number is None else number)
            if table is None:
                raise InvalidOptionError(f"table={shown(number)} is not possible: the newest is {newest}")
            yield table


def _check_running(table: AgentTable) -> None:
    if table.over:
        raise GameOverError(f"{ending(table)[:-1]}; begin another with new_game")


def _news(table: AgentTable) -> str:
    """Return what was played since the last decision."""
    moves = [f"seat {event['seat']} {event['move']}" for event in table.news()]
    return f"PlayersInfo: {', '.join(moves)}." if moves else "Nothing is played yet."


def _situation(table: AgentTable, history: int = 0) -> str:
    """Return the position in few words, after the end only how it ended."""
    if table.over:
        return ending(table)
    table.options = replace(TOLD, history=history)
    return f"{table.situation()}\nYou are seat {table.seat}: choose one with play."
