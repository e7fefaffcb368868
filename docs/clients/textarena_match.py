"""A model at a table of TextArena with three agents of this package, every set-up once from each seat.

The model here is a function: the moves of ``greedy`` as a model would write them, some of them badly. In its place goes
any agent of ``textarena.agents``, such as ``OpenAIAgent(model_name=...)``.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import sys

import textarena as ta
from against_random import FIRST_SEED, report

from endeavor_env.textarena import EndeavorAgent

GAMES = 40
SEATS = 4


class WrittenMoves(ta.Agent):
    """Writes the moves of an agent in a sentence; the first of every five answers names no move."""

    def __init__(self, agent: EndeavorAgent) -> None:
        """Write the moves of ``agent``."""
        self._agent, self._answers = agent, 0

    def __call__(self, observation: str) -> str:
        """Return the next answer."""
        self._answers += 1
        move = self._agent(observation)
        if self._answers % 5 == 1:
            return f"I like {move[1:4]}..."
        return f"Discs first, so my answer is\n**{move.upper()}**"


def play(env: ta.Env, seed: int, seat: int, opponents: str) -> float:
    """Return the model's reward of one game."""
    env.reset(num_players=SEATS, seed=seed)
    agents: list[ta.Agent] = [EndeavorAgent(env, opponents, seed) for _ in range(SEATS)]
    agents[seat] = WrittenMoves(EndeavorAgent(env, "greedy", seed))
    done = False
    while not done:
        to_move, observation = env.get_observation()
        done, _ = env.step(agents[to_move](observation))
    rewards, _ = env.close()
    return rewards[seat]


def main() -> int:
    """Print one line of JSON; return 1 if the model does not beat random play clearly."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    env = ta.make("Endeavor-v0", legal_moves="count", reward="win")
    shares = [play(env, FIRST_SEED + game // SEATS, game % SEATS, "random") for game in range(games)]
    return report("textarena", shares, players=SEATS)


if __name__ == "__main__":
    sys.exit(main())
