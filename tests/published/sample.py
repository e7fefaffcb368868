"""The sample of games by which published networks are recognised: ``python -m tests.published.sample`` writes it again.

Do so only when a network, the rules or ``greedy`` were changed on purpose. The sums in the kernels are made in one
fixed order, so the games are the same on every machine.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from endeavor_env import Board, Game, GameConfig
from endeavor_env.endeavor.players.network_file import PUBLISHED_POLICIES, PUBLISHED_VALUES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.training.td.games import SeatedPlayer, fixtures_of, play
from endeavor_env.training.td.settings import GAMES

FILE = Path(__file__).resolve().parent / "scores.json"
SETUPS = 4
FIRST_SEED = 77_000
OWN, OTHER = 2, 3
OF_BOARDS, BOARD = "value:@value_boards", 2_000_000
"""The network that has learned on generated boards, and the seed of one of which it has seen nothing."""


def name_of(table: GameConfig) -> str:
    """Return the name of a kind of table in the file."""
    difficulty = [table.all_options["difficulty"]] if table.variant == "solo" else []
    return " ".join([table.variant, str(table.players), *difficulty])


def tables() -> dict[tuple[str, str], GameConfig]:
    """Return every kind of table that a published network plays, by player and name."""
    kinds = {"value": PUBLISHED_VALUES, "policy": PUBLISHED_POLICIES}
    found = {
        (player, name_of(table)): table for player, games in kinds.items() for game in games for table in GAMES[game]
    }
    return found | {(OF_BOARDS, name_of(table)): table for table in GAMES["standard"]}


def sample_scores(player: str, table: GameConfig) -> list[list[int]]:
    """Return the scores of games of ``player`` among ``greedy``, each set-up from every seat."""
    board = Board.generate(BOARD) if player == OF_BOARDS else Board.default()
    seeds, own = np.repeat(np.arange(SETUPS) + FIRST_SEED, table.players), np.tile(np.arange(table.players), SETUPS)
    codes = np.full((seeds.size, c.MAX_SEATS), OTHER)
    codes[np.arange(seeds.size), own] = OWN
    fixtures = fixtures_of([table], np.zeros(seeds.size, np.int64), seeds, codes)
    scores = play(board, fixtures, {OWN: SeatedPlayer(player), OTHER: SeatedPlayer("greedy")}).scores
    sides = len(Game.new(table.players, table.variant, 0).scores())
    return scores[:, :sides].tolist()


def main() -> None:
    """Write the file."""
    lines = [f'"{player} {name}": {json.dumps(sample_scores(player, one))}' for (player, name), one in tables().items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
