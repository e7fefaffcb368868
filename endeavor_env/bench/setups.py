"""Set-ups and boards by number: what each is, and the hash by which a list of them is recognised."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator

from endeavor_env import Board, GameConfig
from endeavor_env.bench.version import NEVER_CHANGES, BoardList, SetupList, Task
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.setups import SOLO, SOLO_FIELDS
from endeavor_env.errors import EndeavorError


def config_of(task: Task, setup: int) -> GameConfig:
    """Return what is played with a test set-up, on its board."""
    if task.boards is None:
        return task.config
    config = task.config
    board = generated(task.boards, setup % len(task.boards.hashes))
    return GameConfig(config.variant, config.players, board, config.options, config.exploits or None)


def seed_of(task: Task, setup: int) -> int:
    """Return the seed that draws a test set-up."""
    return task.test.first_seed + setup


def generated(boards: BoardList, number: int) -> Board:
    """Return a generated board; raise EndeavorError if it is another than the list says."""
    board = _generate(boards.first_seed + number)
    if board.hash != boards.hashes[number]:
        raise EndeavorError(f"board {board.id} has the hash {board.hash}, not {boards.hashes[number]}: {NEVER_CHANGES}")
    return board


@functools.lru_cache(maxsize=256)
def _generate(seed: int) -> Board:
    return Board.generate(seed)


def contents(config: GameConfig, setups: SetupList, count: int | None = None) -> Iterator[bytes]:
    """Yield what the first ``count`` set-ups of a list, by default all, draw on the board of ``config``."""
    for number in range(setups.count if count is None else count):
        seed = setups.first_seed + number
        drawn = config.draw_setup(seed)[0]
        named = ("exploits",) if config.variant == EXPLOITS else SOLO_FIELDS if config.variant == SOLO else ()
        parts = [drawn["tokens"][drawn["tokens"] >= 0], drawn["first_player"], *(drawn[name] for name in named)]
        yield b"".join(part.tobytes() for part in parts)


def list_hash(config: GameConfig, setups: SetupList, count: int | None = None) -> str:
    """Return the SHA-256 in hex over the first ``count`` set-ups of a list, by default all."""
    total = hashlib.sha256()
    for content in contents(config, setups, count):
        total.update(content)
    return total.hexdigest()
