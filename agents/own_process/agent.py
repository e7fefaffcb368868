"""An agent that asks a program, which speaks the protocol ``endeavor-player/1``; docs/agents.md describes it.

One JSON object a line. The first fault of a game loses it, see ``endeavor_env.agents.forfeits``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from endeavor_env import Game
from endeavor_env.agents.forfeits import Fault, Kind
from endeavor_env.agents.own_process.child import LAST_WRITTEN, Child, EndedError, FloodError, SilentError
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.basics.files import parse_json, read_regular
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.endeavor.players.program_name import CODE, PROCESS, read_program_name, words_of
from endeavor_env.endeavor.text import FORMAT, Message, events, position
from endeavor_env.errors import InvalidOptionError, named, shown

PROTOCOL = "endeavor-player/1"
START_SECONDS = 30.0
"""Time limit of a program's first answer."""
MOST_OF_CODE = 1 << 24
"""Size limit of a Python file that plays, in bytes."""
HOST = Path(__file__).with_name("code_host.py")
KEPT_OF_ENVIRONMENT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""Environment variables that a Python file inherits: those that Python may need to start."""
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}


class _FaultError(Exception):
    """The program failed to make a move."""

    def __init__(self, kind: Kind, text: str, traceback: str | None = None) -> None:
        super().__init__(text)
        self.kind: Kind = kind
        self.traceback = traceback

    def __reduce__(self) -> tuple[type[_FaultError], tuple[Any, ...]]:
        """Pickle the arguments."""
        return type(self), (self.kind, str(self), self.traceback)


class ProgramAgent:
    """An agent whose moves come from a program in a process of its own."""

    _remake: tuple[Callable[[str], ProgramAgent], str]
    """Factory of this agent and the settings that it takes; pickles of the agent hold these."""

    def __init__(self, name: str, start: Callable[[], Child], seconds: float) -> None:
        """Make an agent, whose program starts at its first decision, and again in the game after one that it broke off.

        Args:
            name: What tables call it.
            start: Starts the program; raises OSError if that is not possible.
            seconds: For a decision.
        """
        self.name = name
        self.card: dict[str, Any] = {}
        """Facts that must be the same when a tournament continues: the hash of its file."""
        self._start, self._seconds = start, seconds
        self._child: Child | None = None
        self._has_started = False
        self._asked = 0
        self._stand_in = RandomAgent()
        self._guard = ThreadGuard()
        self.reset(fresh_seed())

    def __reduce__(self) -> tuple[Any, ...]:
        """Make a copy start a program of its own, which is told of the game at its first decision."""
        return _again, (*self._remake, self._seed, self.fault)

    @guarded
    def reset(self, seed: int) -> None:
        """Begin a new game; the program is told at its first decision."""
        self._fault: Fault | None = None
        self._seed, self._begun, self._seen = seed, False, 0
        self._stand_in.reset(seed)

    @property
    def fault(self) -> Fault | None:
        """Why it lost the game that it played last; None if it did not."""
        child = self._child
        if self._fault is None and self._begun and child is not None and child.flood:  # after its last decision
            self._fault = Fault("garbled", self._seen, f"the program {child.flood}", child.last_written())
        return self._fault

    @guarded
    def act(self, game: Game) -> int:
        """Return the program's move, or a random one once it has lost this game by a fault.

        Raises:
            InvalidOptionError: The program has never started properly.
        """
        if self.fault is None:
            try:
                return self._ask(game)
            except _FaultError as error:
                written = "" if self._child is None else self._child.last_written()
                traceback = written if error.traceback is None else error.traceback
                self._fault = Fault(error.kind, len(game.history), str(error), traceback[-LAST_WRITTEN:])
                if error.kind not in ("illegal", "error"):
                    self._end()
        return self._stand_in.act(game)

    def _ask(self, game: Game) -> int:
        child = self._started()
        if not self._begun:
            self._begun = True
            self._send(child, {"type": "game", "seed": self._seed, "game": game.config.to_dict()})
        moves, made = game.legal_moves(), len(game.history)
        message = Message(
            format=FORMAT,
            position=position(game),
            legal_moves=moves,
            events=events(game, max(0, made - self._seen)),
            result=None,
        )
        self._asked += 1
        self._seen = made
        self._send(child, {"type": "act", "id": self._asked, "message": message})
        move = self._move_in(self._answer(child, self._seconds))
        if move not in moves:
            raise _FaultError("illegal", f"the move {shown(move)} is not legal", "")
        return game.encode(move)

    def _move_in(self, answer: dict[str, Any]) -> str:
        if answer.get("id") == self._asked and answer.get("type") == "error":
            text = str(answer.get("text", ""))
            raise _FaultError("error", _last_line(text) or "the program gave the decision up", text)
        if answer.get("id") != self._asked or answer.get("type") != "move" or not isinstance(answer.get("move"), str):
            raise _FaultError("garbled", f"{shown(json.dumps(answer))} is no answer to decision {self._asked}")
        return answer["move"]

    def _started(self) -> Child:
        """Return the program, which runs and has answered properly before."""
        if self._child is not None:
            return self._child
        try:
            self._child = child = self._start()
            hello = {"type": "hello", "protocol": PROTOCOL, "text": FORMAT, "seconds": self._seconds}
            self._send(child, hello)
            answer = self._answer(child, START_SECONDS)
            if answer.get("type") == "error":
                text = str(answer.get("text", ""))
                raise _FaultError("error", _last_line(text), text)
            if answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
                raise _FaultError("garbled", f"{shown(json.dumps(answer))} is no hello of {PROTOCOL}")
        except (OSError, _FaultError) as error:
            fault = error if isinstance(error, _FaultError) else _FaultError("died", error.strerror or str(error), "")
            if self._has_started:
                raise fault from error
            last = "" if self._child is None else _last_line(self._child.last_written())
            self._end()
            why = f"{fault}: {last}" if last and fault.traceback is None else str(fault)
            raise InvalidOptionError(f"agent {named(self.name)} does not start: {why}") from error
        if allowed := answer.get("allowed"):
            warnings.warn(
                f"agent {named(self.name)} is not kept from {named(allowed)} by this system: play files that you trust",
                stacklevel=2,
            )
        self._has_started = True
        return child

    def _send(self, child: Child, line: dict[str, Any]) -> None:
        child.send(json.dumps(line, separators=(",", ":")))

    def _answer(self, child: Child, seconds: float) -> dict[str, Any]:
        try:
            line = child.receive(seconds)
        except SilentError:
            raise _FaultError("timeout", f"there was no answer within {seconds:g} seconds") from None
        except EndedError:
            raise _FaultError("died", f"the program {child.how_it_ended()}") from None
        except FloodError as error:
            raise _FaultError("garbled", f"the program {error}") from None
        try:
            answer = parse_json(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise _FaultError("garbled", f"the line {shown(line)} is no JSON object")
        return answer

    def _end(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


def _again(make: Callable[[str], ProgramAgent], settings: str, seed: int, fault: Fault | None) -> ProgramAgent:
    """Return a copy of an agent, in the same game."""
    agent = make(settings)
    agent.reset(seed)
    agent._fault = fault
    return agent


def _last_line(text: str) -> str:
    """Return the last line of a text as one that can be printed, its first 200 characters."""
    line = text.strip().rpartition("\n")[2][:200]
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def code_agent(settings: str) -> ProgramAgent:
    """Return the agent of a Python file that defines ``act(message)``, as "player.py,seconds=5,memory=4096".

    Raises:
        InvalidOptionError: There is no such file, it is no regular one or too large, or a limit is not possible.
    """
    said = read_program_name(CODE, settings)
    file = Path(said.target)
    try:
        content = read_regular(file, MOST_OF_CODE)
    except ValueError as error:
        name = shown(f"{CODE}:{settings}")
        raise InvalidOptionError(f"agent {name} is not possible: the file {named(str(file))} {error}") from error
    folder = tempfile.mkdtemp(prefix="endeavor-player-")
    words = [sys.executable, "-I", "-B", str(HOST), str(file.resolve()), folder, str(said.memory), str(said.seconds)]
    kept = {name: os.environ[name] for name in KEPT_OF_ENVIRONMENT if name in os.environ}
    environment = {**kept, **ONE_THREAD, "HOME": folder, "TMPDIR": folder, "TEMP": folder, "PYTHONHASHSEED": "0"}
    agent = ProgramAgent(file.stem, lambda: Child(words, folder, environment), said.seconds)
    agent._remake = code_agent, settings
    agent.card = {"weights": {"sha256": hashlib.sha256(content).hexdigest()}}
    weakref.finalize(agent, shutil.rmtree, folder, ignore_errors=True)
    return agent


def process_agent(settings: str) -> ProgramAgent:
    """Return the agent of a command, such as "./mine --fast,seconds=5"; raise InvalidOptionError for an impossible one.

    The command runs here and as it is: only its time is limited.
    """
    said = read_program_name(PROCESS, settings)
    words = words_of(said.target, shown(f"{PROCESS}:{settings}"))
    agent = ProgramAgent(said.target, lambda: Child(words), said.seconds)
    agent._remake = process_agent, settings
    return agent
