"""Small clones: their settings, what a teacher shows them, and a network that they begin with."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from endeavor_env import Board
from endeavor_env.agents.checkpoint import write_card
from endeavor_env.agents.players.policy import logits_of_sb3, value_of_sb3
from endeavor_env.endeavor.players.network_file import write_policy_network
from endeavor_env.training.clone.demonstrations import STUDENT, TEACHER, DemonstrationBatch, teach
from endeavor_env.training.clone.settings import preset
from endeavor_env.training.ppo.model import bare_model
from endeavor_env.training.ppo.settings import spec_of
from endeavor_env.training.td.games import SeatedPlayer, fixtures_of

SMALL = preset("smoke", "standard", "greedy").replace(threads=1)


def lessons_of(
    codes: int, games: int = 3, explore: float = 0.0, teacher: str = "greedy", *, merits: bool = False
) -> DemonstrationBatch:
    """Return the choices of a teacher in games of three seats, with one player in all of them."""
    fixtures = fixtures_of(
        SMALL.tables, np.zeros(games, np.int64), np.arange(games), np.full((games, 5), codes, np.int64)
    )
    seated = {TEACHER: SeatedPlayer(teacher), STUDENT: SeatedPlayer("greedy")}
    return teach(Board.default(), fixtures, seated, explore, merits=merits)


def small_network(folder: Path, variant: str = "standard", widths: tuple[int, int] = (24, 16)) -> Path:
    """Write a policy network of these widths with random weights; return its file."""
    weights = bare_model(variant, widths[:1], widths[1:], 3).policy.state_dict()
    networks = logits_of_sb3(weights), value_of_sb3(weights)
    return write_policy_network(folder / "small.npz", *networks, variant, {}, version="0")


def small_checkpoint(folder: Path) -> Path:
    """Write the checkpoint of the same policy as ``small_network``'s, of the base game; return its zip."""
    path, (trunk, head) = folder / "small_checkpoint.zip", (24, 16)
    bare_model("standard", (trunk,), (head,), 3).save(path)
    write_card(path, spec_of("standard", (trunk,), (head,), "relu"), {"steps": 0}, [], "standard")
    return path
