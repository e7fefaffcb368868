"""The engine for the web does in node what this package does: rules, observations, players, records, sentences."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.agents.registry import make_agent
from endeavor_env.basics.files import write_json
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import observe
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.testing import replay_golden
from tests.golden.regenerate import GAMES, HERE
from tests.kits.web import GENERATED, run_in_node

pytestmark = [pytest.mark.machine_code, pytest.mark.timeout(900)]  # the first one builds the engine

RANDOM_GAMES = 200
TABLES: list[dict[str, Any]] = [
    {"variant": "standard", "players": 3},
    {"variant": "standard", "players": 5},
    {"variant": "standard", "board": GENERATED},
    {"variant": "solo", "options": {"difficulty": "harder", "solo_ignore_industry": True}},
    {"variant": "solo", "options": {"opposition_ties": "first"}},
    {"variant": "soloplay_2"},
    {"variant": "soloplay_3", "options": {"variant_removed_spaces_stay": True}},
    {"variant": "neutral_2"},
    {"variant": "exploits", "players": 4},
    {"players": 3, "exploits": ["pirates", "venus"], "options": {"exploit_discs": 30, "value1_bonus": True}},
]
PLAYERS = [
    *(("greedy", variant) for variant in c.VARIANT_NAMES),
    *(("value", variant) for variant in c.VARIANT_NAMES),
    ("policy", "standard"),
    ("policy", "solo"),
]


def game_args(game: Game) -> dict[str, Any]:
    """Return what makes the engine begin the same game, from its set-up."""
    exploits = list(game.exploits) if game.variant == "exploits" else None
    return {
        "variant": game.variant,
        "players": game.num_players,
        "exploits": exploits,
        "options": game.options,
        "board": game.board.id,
        "setup": game.setup(),
    }


def digest(chunks: list[bytes]) -> str:
    """Return the SHA-256 of some bytes after each other."""
    return hashlib.sha256(b"".join(chunks)).hexdigest()


def expected_of(whole: Game) -> dict[str, Any]:
    """Return what ``moves`` of jobs.js says of a game."""
    game = whole.at_move(0)
    states, legal, seen, scores = [game.state.tobytes()], [], [], [game.scores()]
    for _, action in whole.history:
        legal.append(np.array(game.legal_actions(), np.int16).tobytes())
        for seat in range(game.num_players):
            seen += [observe(game, seat, kind).tobytes() for kind in ("features", "compact")]
        game.apply(action)
        states.append(game.state.tobytes())
        scores.append(game.scores())
    return {
        "states": digest(states),
        "legal": digest(legal),
        "seen": digest(seen),
        "scores": scores,
        "over": game.over,
        "winners": game.winners(),
    }


def text_of(game: Game, path: Path) -> str:
    """Return the text of the record of a game as Python writes it."""
    write_json(path, game.record())
    return path.read_text(encoding="utf-8")


@functools.cache
def golden() -> dict[str, Game]:
    """The golden games by name; not to be changed."""
    return {name: replay_golden(HERE / f"{name}.txt") for name in GAMES}


@pytest.mark.slow
def test_golden_games_are_equal_at_every_step(engine: Path, tmp_path: Path) -> None:
    games = list(golden().values())
    jobs = [{"what": "moves", "game": game_args(game), "moves": names_of(game)} for game in games]
    for game, got in zip(games, run_in_node(engine, jobs), strict=True):
        assert got.pop("record") == text_of(game, tmp_path / "game.json")
        assert got == expected_of(game)


def test_a_record_begun_from_a_seed_is_the_same_file_and_replays(engine: Path, tmp_path: Path) -> None:
    game = Game.new(variant="solo", seed=11, options={"difficulty": "easier"})
    agent = make_agent("greedy")
    for _ in range(40):
        game.apply(agent.act(game))
    args = {"variant": "solo", "seed": 11, "options": {"difficulty": "easier"}}
    [got] = run_in_node(engine, [{"what": "moves", "game": args, "moves": names_of(game)}])
    assert got["record"] == text_of(game, tmp_path / "game.json")
    assert replay(json.loads(got["record"])).history == game.history


def random_states(args: dict[str, Any]) -> dict[str, Any]:
    """Return what ``random`` of jobs.js says of games of these arguments."""
    states, decisions = [], 0
    for seed in range(RANDOM_GAMES):
        game, rng = Game.new(**args, seed=seed), seeded(seed + 1)
        mask = np.empty(num_actions(game.variant), np.int8)
        states.append(game.state.tobytes())
        while entry.legal(game.board.array, game.state, mask):
            entry.step(game.board.array, game.state, entry.choose(mask, rng))
            states.append(game.state.tobytes())
            decisions += 1
    return {"states": digest(states), "decisions": decisions}


@pytest.mark.slow
@pytest.mark.parametrize("args", TABLES, ids=lambda args: "-".join(str(value) for value in args.values())[:40])
def test_random_games_are_equal_at_every_step(engine: Path, args: dict[str, Any]) -> None:
    [got] = run_in_node(engine, [{"what": "random", "game": args, "games": RANDOM_GAMES}])
    assert got == random_states(args)


@pytest.mark.slow
@pytest.mark.parametrize(("player", "variant"), PLAYERS)
def test_players_make_the_same_moves(engine: Path, player: str, variant: str) -> None:
    seeds = [1, 2, 3]
    [got] = run_in_node(engine, [{"what": "player", "game": {"variant": variant}, "player": player, "seeds": seeds}])
    assert got == [native_game(player, variant, seed) for seed in seeds]


def native_game(player: str, variant: str, seed: int) -> dict[str, Any]:
    """Return the moves and scores of a game of an agent of this package against itself."""
    game, agent = Game.new(variant=variant, seed=seed), make_agent(player)
    agent.reset(seed)
    while not game.over:
        game.apply(agent.act(game))
    return {"moves": [action for _, action in game.history], "scores": game.scores()}


def names_of(game: Game) -> list[str]:
    """Return the moves made as text."""
    return [game.describe(action) for _, action in game.history]
