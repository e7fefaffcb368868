"""The files of counted positions.

A block starts with ``position <name>`` and holds ``board``, ``players``, ``seed``, the ``moves`` that lead there (on as
many lines as needed) and the ``counts`` of sequences of 1, 2, ... decisions; a variant also ``variant``, the
``exploits`` in play, and an ``option <name> <value>`` for each that is not as it is unless asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from endeavor_env.endeavor.game import Game
from endeavor_env.testing.golden import option_value

HERE = Path(__file__).resolve().parent


@dataclass
class Position:
    """A position and its counts."""

    name: str
    board: str = ""
    players: int = 0
    seed: int = 0
    variant: str = "standard"
    options: dict[str, Any] = field(default_factory=dict)
    exploits: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def start(self) -> Game:
        """Return the game at its first decision."""
        return Game.new(
            self.players,
            self.variant,
            self.seed,
            board=self.board,
            exploits=self.exploits or None,
            options=self.options,
        )

    def game(self) -> Game:
        """Return the game at the position."""
        game = self.start()
        for move in self.moves:
            game.play(move)
        return game

    def text(self) -> str:
        """Return the block."""
        lines = [f"position {self.name}", f"board {self.board}", f"players {self.players}", f"seed {self.seed}"]
        if self.variant != "standard":
            lines.append(f"variant {self.variant}")
        if self.exploits:
            lines.append(f"exploits {' '.join(self.exploits)}")
        lines += [f"option {name} {str(value).lower()}" for name, value in self.options.items()]
        for start in range(0, len(self.moves), 6):
            lines.append(f"moves {' '.join(self.moves[start : start + 6])}")
        return "\n".join([*lines, f"counts {' '.join(str(count) for count in self.counts)}"]) + "\n"


def read(path: Path) -> list[Position]:
    """Return the positions of a file."""
    positions: list[Position] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "position":
            positions.append(Position(rest))
        elif word in ("moves", "exploits"):
            getattr(positions[-1], word).extend(rest.split())
        elif word == "counts":
            positions[-1].counts = [int(count) for count in rest.split()]
        elif word in ("board", "variant"):
            setattr(positions[-1], word, rest)
        elif word == "option":
            name, value = rest.split()
            positions[-1].options[name] = option_value(value)
        elif word:
            setattr(positions[-1], word, int(rest))
    return positions
