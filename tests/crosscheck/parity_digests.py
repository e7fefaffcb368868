"""Prints digests of whole games as JSON; ``test_jit_parity`` runs it compiled, uncompiled and with bounds checks.

Run as a script it takes the number of random games of each kind and the names of what else is wanted: "golden" games,
"faces", which are what stands on the rules, and "audit", which recounts every position that is looked at. With "quick"
Numba translates as it does for a library, without doing the same work again and again, and emits only what is called.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.checks import audit
from endeavor_env.endeavor.checks import audit as soak
from endeavor_env.endeavor.flow.scoring import NUM_PARTS
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import box_bounds
from endeavor_env.endeavor.opposition import explain
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.testing import perft
from endeavor_env.testing.golden import _golden_start
from tests.crosscheck.exploit_games import actions_of, started
from tests.crosscheck.face_digests import face_digests

BOARDS = ("endeavor_2009", "generated_2")
GOLDEN = Path(__file__).resolve().parents[1] / "golden"
KINDS: dict[str, dict[str, Any]] = {
    "3 seats": {"players": 3},
    "4 seats": {"players": 4},
    "5 seats": {"players": 5},
    "solo": {"variant": "solo"},
    "solo, easier, first": {"variant": "solo", "options": {"difficulty": "easier", "opposition_ties": "first"}},
    "solo, harder": {"variant": "solo", "options": {"difficulty": "harder", "solo_ignore_industry": True}},
    "soloplay_2": {"variant": "soloplay_2"},
    "soloplay_3, stay": {"variant": "soloplay_3", "options": {"variant_removed_spaces_stay": True}},
    "neutral_2": {"variant": "neutral_2"},
    "exploits": {"variant": "exploits"},
    "exploits, bonus": {"exploits": "random", "players": 5, "options": {"value1_bonus": True}},
    "exploits, first eight": {"exploits": c.EXPLOIT_NAMES[:8], "options": {"exploit_discs": 30}},
    "exploits, last seven": {"exploits": c.EXPLOIT_NAMES[8:], "players": 3},
    "exploits, all": {"exploits": c.EXPLOIT_NAMES, "players": 5},
}
"""Games as ``Game.new`` takes them: every variant, every number of seats, every value of every option, all Exploits."""
LOOK_EVERY = 17
"""Decisions from one that is looked at to the next: every branch that a look at every seventh takes is taken."""
GOLDEN_EVERY = 13
"""The same in golden games: every branch of kernels that a look at each decision takes is taken."""


class Seen:
    """A running digest of everything the kernels give at a decision."""

    def __init__(self, variant: str, audited: bool) -> None:
        """Start empty."""
        self.looks, self.audited = 0, audited
        self.digest = hashlib.sha256()
        self.mask = np.empty(num_actions(variant), np.int8)
        self.scores = np.empty((c.MAX_SEATS, NUM_PARTS), np.int16)
        self.totals = np.empty(c.MAX_SEATS, np.int16)
        bounds = [box_bounds(kind, variant)[0] for kind in ("features", "compact")]
        self.features, self.compact = (np.empty(low.size, low.dtype) for low in bounds)

    def look(self, boards: npt.NDArray[np.void], states: npt.NDArray[np.void]) -> None:
        """Take in the state, its mask, its scores and the observations of one seat, each in its turn."""
        if self.audited:
            flags = audit.audit(boards, states, np.zeros(1, STATE), self.mask, np.empty(NUM_PARTS, np.int16))
            if flags:
                raise AssertionError(f"audit finds {flags:#x}")
        count = entry.legal(boards, states, self.mask)
        entry.scores(boards, states, self.scores)
        entry.total(boards, states, self.totals)
        seat = self.looks % int(states["num_seats"][0])
        entry.observe_features(boards, states, seat, self.features)
        entry.observe_compact(boards, states, seat, self.compact)
        self.digest.update(self.features.tobytes() + self.compact.tobytes())
        self.looks += 1
        self.digest.update(states.tobytes() + self.mask.tobytes() + self.scores.tobytes() + self.totals.tobytes())
        self.digest.update(str(int(count)).encode())


def random_digest(kind: str, seed: int, board: str, audited: bool) -> str:
    """Return the digest of a random game; some decisions are looked at, which is slow without the JIT."""
    game = Game.new(seed=seed, board=Board.resolve(board), **KINDS[kind])
    rng, seen = seeded(seed), Seen(game.variant, audited)
    while not game.over:
        if len(game.history) % LOOK_EVERY == 0:
            seen.look(game.board.array, game.state)
        game.apply(int(soak.choose_eager(game.mask().view(np.int8), rng, 2)))
    seen.look(game.board.array, game.state)
    if game.variant == "solo":
        seen.digest.update("\n".join(str(step) for step in explain(game)).encode())
    return seen.digest.hexdigest()


def exploit_digest(seed: int, audited: bool) -> str:
    """Return the digest of a game in which every Exploit is active; some decisions are looked at."""
    game = started(seed)
    seen = Seen(game.variant, audited)
    for number, action in enumerate(actions_of(seed)):
        if number % LOOK_EVERY == 0:
            seen.look(game.board.array, game.state)
        game.apply(action)
    seen.look(game.board.array, game.state)
    return seen.digest.hexdigest()


def golden_digest(path: Path) -> str:
    """Return the digest of a golden game; some decisions are looked at, and ``tests/golden`` compares every line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    game, body = _golden_start(path, lines)
    seen = Seen(game.variant, audited=False)
    moves = [line.split()[4] for line in lines[body:] if line[:4].strip().isdigit()]
    for number, move in enumerate(moves):
        if number % GOLDEN_EVERY == 0:
            seen.look(game.board.array, game.state)
        game.play(move)
    seen.look(game.board.array, game.state)
    return seen.digest.hexdigest()


def rollout_digest(kind: str) -> str:
    """Return the digest of a game played by the compiled loops: set-up, random play, recount, perft."""
    game = Game.new(seed=3, **KINDS[kind])
    boards, rng = game.board.array, seeded(game.num_players)
    entry.play_random(boards, game.state, rng, -1, 40)
    entry.recount(boards, game.state)
    counts = perft(game, 2)
    entry.play_random(boards, game.state, rng, -1, 10_000)
    return hashlib.sha256(game.state.tobytes() + repr(counts).encode() + rng.tobytes()).hexdigest()


def digests(games: int, *wanted: str) -> dict[str, str]:
    """Return a digest for each game, on the boards in turn, and for each thing of what is wanted."""
    found, audited = {f"rollout, {kind}": rollout_digest(kind) for kind in KINDS}, "audit" in wanted
    for number, kind in enumerate(KINDS):
        for seed in range(games):
            board = BOARDS[(number + seed) % len(BOARDS)]
            found[f"{kind}, seed {seed}, {board}"] = random_digest(kind, seed, board, audited)
    found.update({f"active Exploits, seed {seed}": exploit_digest(seed, audited) for seed in range(2 * games)})
    if "faces" in wanted:
        found.update(face_digests())
    for path in sorted(GOLDEN.glob("*.txt")) if "golden" in wanted else ():
        found[path.name] = golden_digest(path)
    return found


if __name__ == "__main__":
    np.seterr(all="raise")
    if "quick" in sys.argv:
        from endeavor_env.kernels.build.numba_parts import make_quick
        from tests.kits.emit_called import emit_called

        make_quick()
        emit_called()
    print(json.dumps(digests(int(sys.argv[1]), *sys.argv[2:])))
