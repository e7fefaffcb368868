"""Plays the games of a language model's match, from where its transcript stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from endeavor_env.agents.forfeits import forfeits_of
from endeavor_env.agents.registry import player_named
from endeavor_env.agents.words.endpoint import CUT_OFF, Answer, Message
from endeavor_env.agents.words.settings import ModelMatchSettings
from endeavor_env.agents.words.transcript import Transcript, answer_in
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.endeavor.text import Reply, TextTable
from endeavor_env.engine.game import game_for
from endeavor_env.engine.players_info import Player, PlayersInfo, short_name
from endeavor_env.errors import EndeavorError, IllegalActionError

Ask = Callable[[Sequence[Message]], Answer]
MOST_REPEATED = 4000
"""Characters of a refused answer, its last ones, that the model gets back before it may try again."""
BRIEFLY = "Your answer was cut off before its end, so be brief. "


class WordsGame:
    """One game: what the transcript has of it is repeated, and then the model is asked."""

    def __init__(
        self,
        settings: ModelMatchSettings,
        number: int,
        agents: dict[int, Any],
        transcript: Transcript,
        told: Callable[[], None],
    ) -> None:
        """Stand at the beginning.

        Args:
            settings: Those of the match.
            number: The number of the game.
            agents: Who has each other seat.
            transcript: Keeps every answer.
            told: Called after each answer.
        """
        self.number, self.seat = number, settings.seat_in(number)
        game = settings.game(number)
        game.played = _played(settings, self.seat)
        self.table = TextTable(game, replace(settings.options, primer=False))
        rules = settings.rules(game)
        self._rules: list[Message] = [] if rules is None else [{"role": "system", "content": rules}]
        self._agents, self._transcript, self._told = agents, transcript, told
        self._recorded = list(transcript.answers.get(number, ()))
        self._moves: list[str] = []
        self._talk: list[Message] = []

    def play(self, ask: Ask) -> None:
        """Play to the end; raise EndeavorError if the transcript was edited, or the endpoint fails."""
        table, next_prompt = self.table, ""
        while not table.over:
            if table.game.seat != self.seat:
                self._let_move()
                continue
            prompt = next_prompt or table.prompt()
            self._talk.append({"role": "user", "content": prompt})
            next_prompt = self._decide(prompt, ask)
        if self._recorded:
            raise self._edited()
        self._transcript.add(self._end())

    def _let_move(self) -> None:
        """Let an agent move, as it did if the transcript has its move: its own then only goes on with its draws."""
        game = self.table.game
        agent = self._agents[game.seat]
        move = game.describe(agent.act(game_for(agent, game)))
        if self._recorded:
            move = (self._recorded[0]["moves"][len(self._moves) :] or [""])[0]
        try:
            game.play(move)
        except IllegalActionError as error:  # no move of a game that the transcript tells
            raise self._edited() from error
        self._moves.append(move)

    def _decide(self, prompt: str, ask: Ask) -> str:
        """Take one answer, recorded or new; return what the model is told before the next try, "" after a move."""
        recorded = self._recorded.pop(0) if self._recorded else None
        answer = ask([*self._rules, *self._talk]) if recorded is None else answer_in(recorded)
        line = {
            "type": "answer",
            "game": self.number,
            "decision": len(self.table.game.history),
            "moves": self._moves,
            "prompt": prompt,
            "answer": answer.text,
            "finish": answer.finish,
            "usage": answer.usage,
            "seconds": round(answer.seconds, 3),
            "requests": answer.requests,
        }
        reply = read(self.table, answer)
        line |= {"move": reply.move, "refusal": reply.message}
        if recorded is None:
            self._transcript.add(line)
        elif any(recorded[name] != line[name] for name in ("decision", "moves", "prompt", "move")):
            raise self._edited()
        self._told()
        self._moves = []
        if reply.move is None:
            self._talk.append({"role": "assistant", "content": answer.text[-MOST_REPEATED:] or "(no answer)"})
        else:
            self._talk = []
        return reply.message

    def _end(self) -> dict[str, Any]:
        """Return the line of the end."""
        game, forfeited = self.table.game, self.table.forfeited is not None
        seats = game.winners() if game.over else []
        won = game.ladder().rung > 0 if game.over and game.variant == SOLO else self.seat in seats
        return {
            "type": "end",
            "game": self.number,
            "seat": self.seat,
            "moves": self._moves,
            "scores": game.scores(),
            "share": 1 / max(1, len(seats)) if won and not forfeited else 0.0,
            "forfeited": forfeited,
            "record": game.record(),
            "faults": [one.to_dict() for one in forfeits_of(0, self.number, self._agents.items())],
        }

    def _edited(self) -> EndeavorError:
        return EndeavorError(f"the transcript of game {self.number} was edited, or is of another version: name another")


def read(table: TextTable, answer: Answer) -> Reply:
    """Make the move of an answer; one that was cut off has none, because its end would say which."""
    if answer.finish != CUT_OFF:
        return table.answer(answer.text)
    reply = table.answer("")
    return reply._replace(message=BRIEFLY + reply.message)


def _played(settings: ModelMatchSettings, seat: int) -> PlayersInfo:
    """Return who plays, for records."""
    agents = [player_named(name, settings.config.variant) for name in settings.agents]
    model = Player(short_name(Path(settings.model).name or settings.model))
    seats = {(seat + 1 + index) % settings.players: agent for index, agent in enumerate(agents)}
    return PlayersInfo.of([seats.get(number, model) for number in range(settings.players)])
