"""Digests of what stands on the kernels: players, the Opposition, a record, a game in the browser, the toy game.

``parity_digests`` adds them to those of whole games, so they are compared compiled, uncompiled and with bounds checks.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from endeavor_env.agents.play.session import Session
from endeavor_env.agents.play.shown import shown_snapshot
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.opposition import explain
from endeavor_env.endeavor.players import RANDOM, names, player_of
from endeavor_env.endeavor.records import write_record
from endeavor_env.engine.kernels.rng import next_below, seeded
from endeavor_env.engine.players_info import HUMAN
from tests.crosscheck.toy_digests import toy_digests

SETTINGS = {"search": "search:sims=2"}
"""Players that would take minutes without the JIT, with settings for which they take seconds."""
TABLES: dict[str, dict[str, Any]] = {
    "standard": {"players": 3},
    "solo": {},
    "neutral_2": {},
    "exploits": {"players": 3, "exploits": "random"},
}
FIRST, MOVES = 14, 4
"""Random moves before a player's first, and moves that it makes."""
FEWER_MOVES = {("lookahead", "standard"): 2, ("lookahead", "solo"): 1, ("lookahead", "exploits"): 1}
"""Moves of those that would take longest without the JIT, 10 s each in a solitaire game."""


def _begun(variant: str) -> Game:
    """Return a game after some random moves."""
    game = Game.new(seed=5, variant=variant, **TABLES[variant])
    rng = seeded(9)
    while len(game.history) < FIRST:
        legal = game.legal_actions()
        game.apply(legal[int(next_below(rng, len(legal)))])
    return game


def player_digest(name: str, variant: str) -> str:
    """Return the digest of the moves that an agent makes in all seats, and of its positions."""
    agent, game = make_agent(SETTINGS.get(name, name)), _begun(variant)
    agent.reset(3)
    for _ in range(FEWER_MOVES.get((name, variant), MOVES)):
        game.apply(agent.act(game))
    return _digest(json.dumps(game.record()).encode() + game.state.tobytes())


def record_digest(folder: Path, variant: str) -> str:
    """Return the digest of the file of a record."""
    file = folder / f"{variant}.json"
    write_record(_begun(variant), file)
    return _digest(file.read_bytes())


def browser_digest(folder: Path, variant: str) -> str:
    """Return the digest of what the page for play shows while a person plays each seat."""
    game = Game.new(seed=5, variant=variant, **TABLES[variant])
    session = Session(folder / f"{variant}-session.json", game, [HUMAN] * game.num_players, "a key")
    session.start()
    shown = hashlib.sha256()
    for number in range(MOVES):
        snapshot = session.snapshot()
        shown.update(json.dumps(shown_snapshot(snapshot, "light"), sort_keys=True).encode())
        moves = snapshot.game.legal_moves()
        session.play(snapshot.position, moves[(5 * number) % len(moves)])
    session.undo(session.snapshot().position)
    return _digest(shown.digest() + session.snapshot().game.state.tobytes())


def opposition_digest() -> str:
    """Return the digest of the Opposition's explanations of a solitaire game that ``automa`` plays for a round."""
    agent, game = make_agent("automa"), Game.new(seed=2, variant="solo")
    while game.round == 1 and not game.over:
        game.apply(agent.act(game))
    return _digest("\n".join(map(str, explain(game))).encode() + json.dumps(game.record()).encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def face_digests() -> dict[str, str]:
    """Return a digest for each player and variant that it plays, and for each other face of the package."""
    found = {"the Opposition": opposition_digest()}
    for name in names():
        plays = tuple(TABLES) if name == RANDOM else player_of(name).variants
        found.update({f"{name}, {one}": player_digest(name, one) for one in TABLES if one in plays})
    with tempfile.TemporaryDirectory() as folder:
        for variant in TABLES:
            found[f"a record, {variant}"] = record_digest(Path(folder), variant)
            found[f"in the browser, {variant}"] = browser_digest(Path(folder), variant)
    return {**found, **toy_digests()}
