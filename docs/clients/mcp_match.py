"""A chat program that plays a solitaire game and a game of four at ``endeavor mcp``, over standard input and output.

The model here is a function that asks the tool ``hint`` and takes its first move. In its place goes whatever reads the
texts of the tools and calls ``play``.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client

SERVER = StdioServerParameters(command=sys.executable, args=["-P", "-m", "endeavor_env.cli", "mcp"])
GAMES = ("solo", "standard:players=4")
PLAYER = "value"


async def text_of(session: ClientSession, tool: str, **arguments: Any) -> str:
    """Return what a tool says."""
    result = await session.call_tool(tool, arguments)
    return result.content[0].text


async def play(session: ClientSession, game: str, seed: int) -> list[int]:
    """Play a game to its end and return everybody's Glory."""
    told = await text_of(session, "new_game", game=game, opponents="random", seed=seed)
    while not (ended := re.search(r"The game is over\. Glory: (.*?)\.", told)):
        best = (await text_of(session, "hint", by=PLAYER)).partition(": ")[0]
        told = await text_of(session, "play", move=best)
    return [int(score) for score in re.findall(r"(\d+)(?:,|$)", ended[1])]


async def main() -> int:
    """Print one line of JSON; return 1 unless the model scores most in both games."""
    async with stdio_client(SERVER) as streams, ClientSession(*streams) as session:
        await session.initialize()
        glory = {game: await play(session, game, 3) for game in GAMES}
    won = {game: scores[0] == max(scores) for game, scores in glory.items()}
    print(json.dumps({"client": "mcp", "glory": glory, "won": won}))
    return int(not all(won.values()))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
