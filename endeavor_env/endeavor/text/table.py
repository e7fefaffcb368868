"""A game played in words: prompts for whose turn it is, and answers that are read, tried again or paid for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from endeavor_env.basics.inputs import finite_number, one_of, whole_number
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rewards import reward_function
from endeavor_env.endeavor.text.answers import LIST, NO_MOVES, TELLS, AnswerError, move_in
from endeavor_env.endeavor.text.position import events, position, result
from endeavor_env.endeavor.text.primer import primer
from endeavor_env.endeavor.text.short import KEY, lines, short
from endeavor_env.endeavor.text.structures import FORMAT, Message
from endeavor_env.engine.rewards import RewardFunction, final_rewards
from endeavor_env.errors import GameOverError, InvalidOptionError, counted, shown

FORMS = ("short", "full", "json")
ILLEGAL_ACTIONS = ("terminate", "raise")
MOST_RETRIES = 100


@dataclass(frozen=True)
class TextOptions:
    """Contents of the prompts, and the cost of an answer without a legal move.

    Raises:
        InvalidOptionError: A value that is not possible.
    """

    form: Literal["short", "full", "json"] = "short"
    legal_moves: Literal["list", "count", "none"] = "list"
    """Form of the legal moves in a prompt: named, counted or left out; a list makes the task easier."""
    history: int = 8
    """Number of recent moves in a prompt."""
    primer: bool = True
    """True to begin each prompt with the rules."""
    retries: int = 2
    """Number of further answers that a player may give at one decision."""
    illegal_action: Literal["terminate", "raise"] = "terminate"
    """After the last retry: the game ends with ``illegal_reward`` for the player, or AnswerError is raised."""
    illegal_reward: float = -1.0
    reward: str | RewardFunction = "win"
    """Reward of a finished game: a name or a function of the environments' rewards."""

    def __post_init__(self) -> None:
        """Check the values."""
        one_of("form", self.form, FORMS)
        one_of("legal_moves", self.legal_moves, TELLS)
        one_of("illegal_action", self.illegal_action, ILLEGAL_ACTIONS)
        finite_number("illegal_reward", self.illegal_reward)
        for name, most in (("history", 10_000), ("retries", MOST_RETRIES)):
            number = whole_number(getattr(self, name))
            if number is None or not 0 <= number <= most:
                raise InvalidOptionError(f"{name}={shown(getattr(self, name))} is not possible: give 0 to {most}")


class Reply(NamedTuple):
    """The outcome of an answer."""

    move: str | None
    """The move made, None if the answer named no legal one."""
    message: str
    """Message to the player before the next try; empty after a move."""
    retries_left: int


class TextTable:
    """One game whose seats read prompts and write answers.

    Attributes:
        game: The game; agents may move in it directly.
        options: What players are told.
        forfeited: The seat that ended the game by its answers, None if there is none.
        refused: How many answers of each seat named no legal move.
    """

    def __init__(self, game: Game, options: TextOptions | None = None) -> None:
        """Play ``game`` from where it stands.

        Raises:
            InvalidOptionError: The options' reward is none of the game's.
        """
        self.game = game
        self.options = TextOptions() if options is None else options
        self._reward = reward_function(self.options.reward, game.num_players, game.variant)
        self.forfeited: int | None = None
        self.refused = [0] * game.num_players
        self._tries = 0
        self._tried_at = -1
        self._guard = ThreadGuard()

    @property
    def over(self) -> bool:
        """True if the game has ended, or a seat has ended it."""
        return self.forfeited is not None or self.game.over

    def message(self) -> Message:
        """Return all that the player is told, as plain JSON values."""
        told: list[str] | int | None = None
        if self.options.legal_moves != NO_MOVES:
            moves = self.game.legal_moves()
            told = moves if self.options.legal_moves == LIST else len(moves)
        return Message(
            format=FORMAT,
            position=position(self.game),
            legal_moves=told,
            events=events(self.game, self.options.history),
            result=result(self.game),
        )

    def prompt(self) -> str:
        """Return the text for whose decision it is.

        Raises:
            GameOverError: The game is over.
        """
        if self.over:
            raise GameOverError("a prompt is not possible: the game is over, start another")
        before = f"{primer(self.game.config)}\n\n" if self.options.primer else ""
        return f"{before}{self.situation()}\n\n{self._question()}"

    def situation(self) -> str:
        """Return the position, the last moves and the legal moves as text, in the form of the options."""
        message = self.message()
        if self.options.form == "json":
            return json.dumps(message)
        if self.options.form == "full":
            return "\n".join(lines(message))
        parts = [KEY, short(message["position"])]
        if message["events"]:
            parts.append("Last moves: " + ", ".join(f"{one['seat']} {one['move']}" for one in message["events"]) + ".")
        told = message["legal_moves"]
        if isinstance(told, list):
            parts.append("Legal moves: " + ", ".join(told) + ".")
        elif told is not None:
            parts.append(f"There {'is' if told == 1 else 'are'} {counted(told, 'legal move')}.")
        return "\n".join(parts)

    def _question(self) -> str:
        return f"You are seat {self.game.seat}. Choose one move and end your answer with it in brackets, as [pass]."

    @guarded
    def answer(self, text: object) -> Reply:
        """Make the move that an answer of whose decision it is says.

        Raises:
            GameOverError: The game is over.
            AnswerError: The last retry failed, with ``illegal_action="raise"``; the game is unchanged.
            OverlappingCallsError: Another thread is inside.
        """
        if self.over:
            raise GameOverError("an answer is not possible: the game is over, start another")
        if self._tried_at != len(self.game.history):
            self._tried_at, self._tries = len(self.game.history), 0
        try:
            move = move_in(self.game, text, self.options.legal_moves)
        except AnswerError as error:
            return self._refuse(error)
        self.game.play(move)
        return Reply(move, "", self.options.retries)

    def _refuse(self, error: AnswerError) -> Reply:
        self.refused[self.game.seat] += 1
        self._tries += 1
        left = self.options.retries + 1 - self._tries
        if left <= 0:
            self._tries = 0
            if self.options.illegal_action == "raise":
                raise error
            self.forfeited = self.game.seat
        return Reply(None, str(error), max(left, 0))

    def rewards(self) -> dict[int, float] | None:
        """Return the reward of each seat, by default its share of the win; None while the game is not over.

        A seat that ended the game gets ``illegal_reward``, and the others nothing.
        """
        seats = range(self.game.num_players)
        if self.forfeited is not None:
            return {seat: self.options.illegal_reward if seat == self.forfeited else 0.0 for seat in seats}
        if not self.game.over:
            return None
        return dict(enumerate(final_rewards(self._reward, self.game.scores(), self.game.num_players)))

    def to_dict(self) -> dict[str, Any]:
        """Return the record of the game, and what the answers came to."""
        return {"record": self.game.record(), "refused": list(self.refused), "forfeited": self.forfeited}
