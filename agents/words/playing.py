"""The games of a language model's match: settings, the transcript that keeps every answer, and how a game is played.

Each line of a transcript is a JSON object. The first is that of ``ModelMatchSettings.to_dict``, ``endeavor-words/1``. A
line of type "answer" is an answer of the model, with the moves that others made since the line before; one of type
"end" is a game's end, with its record. A killed program loses what it was waiting for: the same command goes on behind
the last whole line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import endeavor_env
from endeavor_env import Game, GameConfig
from endeavor_env.agents.base import Agent
from endeavor_env.agents.forfeits import forfeits_of
from endeavor_env.agents.registry import make_agent, player_named
from endeavor_env.agents.runner import Hooks, Stopped, append_line, check_same, locked, play_game, whole_lines
from endeavor_env.agents.words.endpoint import CUT_OFF, MOST_TOKENS, Answer, Message
from endeavor_env.basics.files import parse_json
from endeavor_env.basics.inputs import check_seed, derived_seed
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.endeavor.text import Reply, TextOptions, TextTable, primer
from endeavor_env.engine.players_info import Player, PlayersInfo, short_name
from endeavor_env.errors import EndeavorError, IllegalActionError, InvalidOptionError, named, shown

# --- Settings: what determines the games, as far as a model is deterministic ------------------------------------------

FORMAT = "endeavor-words/1"
TOLD = ("form", "legal_moves", "history", "primer", "retries")
"""The fields of ``TextOptions`` that a match says."""
FIXED = ("model", "messages", "stream")
"""Fields of a request that are not to be set."""


@dataclass(frozen=True)
class ModelMatchSettings:
    """The settings that determine the games, as far as a model is deterministic.

    Raises:
        InvalidOptionError: Another number of agents than of other seats, an unknown agent, or a wrong seed.
    """

    model: str
    """Name of the model at the endpoint."""
    agents: tuple[str, ...]
    """Names of the agents in the other seats."""
    config: GameConfig
    seed: int = 0
    options: TextOptions = field(default_factory=TextOptions)
    """Contents of the prompts, and the number of retries."""
    request: dict[str, Any] = field(default_factory=dict)
    """Further fields of each request, such as {"temperature": 0}."""

    def __post_init__(self) -> None:
        """Check the agents and the seed."""
        others = self.config.players - 1
        if len(self.agents) != others:
            raise InvalidOptionError(
                f"{len(self.agents)} agents do not fit a game of {self.config.players} seats, one of them the model's: "
                f"give {others}"
            )
        check_seed(self.seed)
        if not self.model:
            raise InvalidOptionError("the model has no name: give --model")
        self.make_agents()

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.config.players

    def make_agents(self) -> list[Agent]:
        """Return a fresh agent for each other seat."""
        return [make_agent(name) for name in self.agents]

    def seat_in(self, number: int) -> int:
        """Return the model's seat in a game: every set-up is played once from each."""
        return number % self.players

    def game(self, number: int) -> Game:
        """Return a game at its beginning."""
        return self.config.new_game(derived_seed(self.seed, number // self.players))

    def seated(self, number: int, agents: Sequence[Agent]) -> dict[int, Agent]:
        """Return who has which other seat in a game, ready to begin it."""
        seat, seated = self.seat_in(number), dict[int, Agent]()
        for index, agent in enumerate(agents):
            agent.reset(derived_seed(self.seed, number // self.players, seat, index))
            seated[(seat + 1 + index) % self.players] = agent
        return seated

    def rules(self, game: Game) -> str | None:
        """Return the text that stands before every conversation; None for none."""
        return primer(game.config) if self.options.primer else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values: the first line of a transcript."""
        told = asdict(self.options)
        return {
            "type": "match",
            "format": FORMAT,
            "package_version": endeavor_env.__version__,
            "model": self.model,
            "agents": list(self.agents),
            "game": self.config.to_dict(),
            "seed": self.seed,
            "options": {name: told[name] for name in TOLD},
            "request": self.request,
        }


def read_fields(texts: Sequence[str]) -> dict[str, Any]:
    """Return fields of a request, each given as "name=value" with a value in JSON, or else a text.

    Raises:
        InvalidOptionError: A text without "=", a name given twice, or one that is not to be set.
    """
    fields: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise InvalidOptionError(f"set {shown(text)} is not possible: write it as name=value")
        if name in FIXED or name in fields:
            why = "is given twice" if name in fields else "is not to be set"
            raise InvalidOptionError(f"set {shown(text)} is not possible: {name} {why}")
        try:
            fields[name] = parse_json(value)
        except ValueError:
            fields[name] = value
    return fields


# --- The transcript: what was played, every prompt and answer, and how the games ended --------------------------------

ANSWER = {"decision": int, "moves": list, "prompt": str, "answer": str, "usage": dict, "seconds": float,
          "requests": int, "refusal": str}  # fmt: skip
END = {"seat": int, "moves": list, "scores": list, "share": float, "forfeited": bool, "record": dict, "faults": list}
MOST_SECONDS = 1e9
"""Largest time of an answer."""
FIELDS = {"answer": ANSWER, "end": END}
"""Fields of each type of line besides "type" and "game"; an answer also has "finish" and "move", a text or null."""


@contextmanager
def open_transcript(file: Path, settings: ModelMatchSettings) -> Iterator[Transcript]:
    """Hold the file of a match, which is begun, or continued if it has these settings.

    Raises:
        InvalidOptionError: The file is of another match, is no transcript, or is in use by another process.
        EndeavorError: It was edited.
        OSError: It cannot be read or written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with locked(file.with_name(f"{file.name}.lock"), f"another process plays the match in {named(str(file))}"):
        yield Transcript(file, settings)


class Transcript:
    """The transcript of a match so far.

    Attributes:
        answers: The lines of the answers of each game, by its number.
        ends: The line of the end of each game that has ended.
    """

    def __init__(self, file: Path, settings: ModelMatchSettings) -> None:
        """Read the file, or begin it."""
        self._file = file
        self.answers: dict[int, list[dict[str, Any]]] = {}
        self.ends: dict[int, dict[str, Any]] = {}
        lines = whole_lines(file) if file.exists() else []
        wanted = settings.to_dict()
        if not lines:
            append_line(file, json.dumps(wanted))
        for number, line in enumerate(lines, 1):
            value = _read_line(line)
            if number == 1:
                self._check_first(value, wanted)
            elif value is None or not self._take(value):
                raise EndeavorError(f"line {number} of {named(str(file))} was edited: it does not go on with the match")

    def _check_first(self, stored: dict[str, Any] | None, wanted: dict[str, Any]) -> None:
        if stored is None or stored.get("format") != wanted["format"]:
            raise InvalidOptionError(f"{named(str(self._file))} is no match of a language model: name another --out")
        fixed = {name: value for name, value in wanted.items() if name != "package_version"}
        advice = "give the same to go on with it, or name another --out"
        check_same(stored, fixed, f"{named(str(self._file))} holds a match", advice)

    def add(self, line: dict[str, Any]) -> None:
        """Keep a line; it is on the disk when this returns."""
        append_line(self._file, json.dumps(line))
        self._take(line)

    def _take(self, line: dict[str, Any]) -> bool:
        """Take a line that fits behind those before; return whether it does."""
        game, fields = line.get("game"), FIELDS.get(str(line.get("type")))
        if type(game) is not int or game < 0 or fields is None or game in self.ends:
            return False
        if not all(_is_a(line.get(name), kind) for name, kind in fields.items()):
            return False
        if not _is_possible(line):
            return False
        if line["type"] == "end":
            self.ends[game] = line
        else:
            self.answers.setdefault(game, []).append(line)
        return True


def answer_in(line: dict[str, Any]) -> Answer:
    """Return the answer of a line."""
    return Answer(line["answer"], line.get("finish"), line["usage"], line["seconds"], line["requests"])


def _is_possible(line: dict[str, Any]) -> bool:
    """Return whether a line can be played again, and counted together with others."""
    if not all(isinstance(move, str) for move in line["moves"]):
        return False
    if line["type"] == "answer":
        counts = (*line["usage"].values(), line["requests"])
        texts = all(name in line and isinstance(line[name], str | None) for name in ("finish", "move"))
        counted = all(type(number) is int and 0 <= number < MOST_TOKENS for number in counts)
        return texts and counted and 0 <= line["seconds"] < MOST_SECONDS
    scores = all(type(score) is int and abs(score) < MOST_TOKENS for score in line["scores"])
    return scores and 0 <= line["seat"] < len(line["scores"]) and 0 <= line["share"] <= 1


def _read_line(line: bytes) -> dict[str, Any] | None:
    try:
        value = parse_json(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _is_a(value: object, kind: type) -> bool:
    return type(value) is kind or (kind is float and type(value) is int)


# --- One game: agents move, and the model answers until its answer is a move ------------------------------------------

Ask = Callable[[Sequence[Message]], Answer]
MOST_REPEATED = 4000
"""Characters of a refused answer, its last ones, that the model gets back before it may try again."""
BRIEFLY = "Your answer was cut off before its end, so be brief. "
MADE = -1
"""Stands for a move that the table has made already, when it read the answer."""


class WordsGame(Hooks):
    """One game: what the transcript has of it is repeated, and then the model is asked."""

    def __init__(
        self,
        settings: ModelMatchSettings,
        number: int,
        agents: dict[int, Any],
        transcript: Transcript,
        ask: Ask,
        told: Callable[[], None],
    ) -> None:
        """Stand at the beginning.

        Args:
            settings: Those of the match.
            number: The number of the game.
            agents: Who has each other seat.
            transcript: Keeps every answer.
            ask: Gets the answer of the model to a conversation.
            told: Called after each answer.
        """
        self.number, self.seat, self._settings = number, settings.seat_in(number), settings
        game = settings.game(number)
        self.table = TextTable(game, replace(settings.options, primer=False))
        rules = settings.rules(game)
        self._rules: list[Message] = [] if rules is None else [{"role": "system", "content": rules}]
        self._agents, self._transcript, self._ask, self._told = agents, transcript, ask, told
        self._recorded = list(transcript.answers.get(number, ()))
        self._moves: list[str] = []

    def play(self) -> None:
        """Play to the end; raise EndeavorError if the transcript was edited, or the endpoint fails."""
        game = self.table.game
        seated: list[Any] = [self._agents.get(seat) for seat in range(game.num_players)]  # None where the model sits
        with suppress(Stopped):
            play_game(seated, game, self)
        if self._recorded:
            raise self._edited()
        game.played = _who_plays(self._settings, self.seat)
        self._transcript.add(self._end())

    def decide(self, game: Any, agent: Any) -> int:
        """Return the move of an agent; ask the model at its seat, until it makes a move or forfeits the game."""
        if agent is not None:
            return super().decide(game, agent)
        talk, message = list[Message](), ""
        while True:
            prompt = message or self.table.prompt()
            talk.append({"role": "user", "content": prompt})
            answer, reply = self._answer(prompt, talk)
            if reply.move is not None:
                return MADE
            if self.table.over:
                raise Stopped
            talk.append({"role": "assistant", "content": answer.text[-MOST_REPEATED:] or "(no answer)"})
            message = reply.message

    def make(self, game: Any, action: int, seconds: float) -> None:
        """Make the move of an agent, or the one that the transcript has: its own then only goes on with its draws."""
        if action == MADE:
            return
        move = game.describe(action)
        if self._recorded:
            move = (self._recorded[0]["moves"][len(self._moves) :] or [""])[0]
        try:
            game.play(move)
        except IllegalActionError as error:  # no move of a game that the transcript tells
            raise self._edited() from error
        self._moves.append(move)

    def _answer(self, prompt: str, talk: Sequence[Message]) -> tuple[Answer, Reply]:
        """Take one answer, recorded or new, and make its move; return it with what came of it."""
        recorded = self._recorded.pop(0) if self._recorded else None
        answer = self._ask([*self._rules, *talk]) if recorded is None else answer_in(recorded)
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
        return answer, reply

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


def _who_plays(settings: ModelMatchSettings, seat: int) -> PlayersInfo:
    """Return who plays, for records."""
    agents = [player_named(name, settings.config.variant) for name in settings.agents]
    model = Player(short_name(Path(settings.model).name or settings.model))
    seats = {(seat + 1 + index) % settings.players: agent for index, agent in enumerate(agents)}
    return PlayersInfo.of([seats.get(number, model) for number in range(settings.players)])
