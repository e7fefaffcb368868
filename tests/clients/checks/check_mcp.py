"""The client of MCP plays whole games with the tools of ``endeavor mcp``, and reads each error in a sentence."""
# pyright: reportMissingImports=false

import asyncio
import base64
import json
import random
import re
import socket
import subprocess
import sys
import time

import jsonschema
from mcp import Client, ClientSession, StdioServerParameters, stdio_client

from endeavor_env.agents.mcp.server import make_server
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES
from endeavor_env.endeavor.text import position, result, schema
from endeavor_env.endeavor.text.among_agents import config_by_name

COMMAND = ["-m", "endeavor_env.cli", "mcp"]
TOOLS = {"new_game", "state", "legal_moves", "play", "hint", "picture"}
PATIENCE = 120


async def said(session, tool, **arguments):
    """Return what a tool says; it must not refuse."""
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.content[0].text


async def refusal(session, tool, **arguments):
    """Return the sentence with which a tool refuses."""
    result = await session.call_tool(tool, arguments)
    assert result.is_error
    assert "\n" not in result.content[0].text
    assert "Error executing" not in result.content[0].text
    return result.content[0].text


async def play(session, game, seat, opponents, seed):
    """Play random moves to the end, some behind a wrong one; the end is that of the moves told, in ``Game``."""
    drawn = random.Random(seed)
    again = config_by_name(game).new_game(seed)
    told = await said(session, "new_game", game=game, seat=seat, opponents=opponents, seed=seed)
    table = int(told.removeprefix("Table ").partition(".")[0])
    assert "Endeavor" in told
    repeat(again, told)
    while "The game is over" not in told:
        if drawn.random() < 0.1:
            assert "is no move here" in await refusal(session, "play", move="[sail:atlantis]", table=table)
        moves = [line.partition(": ")[0] for line in (await said(session, "legal_moves", table=table)).splitlines()]
        move = drawn.choice(moves)
        told = await said(session, "play", move=move, table=table)
        assert told.startswith(f"PlayersInfo: seat {seat} {move}")
        repeat(again, told)
    message = json.loads(await said(session, "state", form="json", table=table))
    jsonschema.validate(message, schema())
    assert message["position"] == json.loads(json.dumps(position(again)))
    assert message["result"] == result(again)
    assert again.over


def repeat(game, told):
    """Make the moves in ``game`` that a tool says were played."""
    played = re.search(r"^PlayersInfo: (.*)\.$", told, re.MULTILINE)
    for one in played[1].split(", ") if played else ():
        _, seat, move = one.split(" ")
        assert game.seat == int(seat)
        game.play(move)


async def check_tools(session):
    """The tools are these, described, with arguments that all have a default but the move."""
    found = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert set(found) == TOOLS
    for name, tool in found.items():
        assert tool.description
        assert tool.input_schema.get("required", []) == (["move"] if name == "play" else [])
        assert tool.annotations.read_only_hint == (name not in ("new_game", "play"))
        assert "Raises" not in tool.description


async def check_refusals(session):
    """What is not possible is said in one sentence, and changes nothing."""
    assert "new_game" in await refusal(session, "state")
    await said(session, "new_game", seed=1, rules=False)
    before = await said(session, "state", form="json")
    for tool, arguments, word in (
        ("new_game", {"game": "chess"}, "variant"),
        ("new_game", {"game": "solo:board=/etc/passwd"}, "endeavor_2009"),
        ("new_game", {"opponents": "value:/etc/passwd"}, "file"),
        ("new_game", {"opponents": 3}, "opponents"),
        ("new_game", {"seed": "x"}, "seed"),
        ("new_game", {"seat": 4}, "seat"),
        ("new_game", {"opponent": "greedy"}, "did you mean opponents?"),
        ("state", {"form": "long"}, "form"),
        ("state", {"table": 99}, "table=99"),
        ("play", {}, "move"),
        ("play", {"move": "I do not know"}, "No move was found"),
        ("play", {"move": "build:parliament"}, "not legal"),
        ("hint", {"by": "nobody"}, "nobody"),
        ("picture", {"theme": "pink"}, "theme"),
    ):
        sentence = await refusal(session, tool, **arguments)
        assert word in sentence, sentence
    assert await said(session, "state", form="json") == before


async def check_others(session):
    """Hints are legal moves, and the picture is a PNG."""
    await said(session, "new_game", seed=1, rules=False)
    legal = await said(session, "legal_moves")
    assert (await said(session, "hint", by="greedy")).splitlines()[0].partition(": ")[0] in legal
    assert (await said(session, "hint")).splitlines()[0].partition(": ")[0] in legal
    (picture,) = (await session.call_tool("picture", {})).content
    assert (picture.type, picture.mime_type) == ("image", "image/png")
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")


async def check_games(session, games):
    """Whole games, ended with the right result."""
    for number, (game, seat, opponents) in enumerate(games):
        await play(session, game, seat, opponents, number)
        assert "begin another with new_game" in await refusal(session, "play", move="pass")


async def over_standard_input():
    """The command itself, as chat programs start it."""
    server = StdioServerParameters(command=sys.executable, args=COMMAND)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        told = await session.initialize()
        assert "new_game" in told.instructions
        await check_tools(session)
        await check_refusals(session)
        await check_others(session)
        await check_games(session, [("solo", 0, "greedy"), ("standard:players=4", 2, ["greedy", "value", "random"])])


async def in_this_process():
    """Every variant."""
    async with Client(make_server()) as session:
        await check_games(session, [(variant, 0, "greedy") for variant in VARIANT_NAMES])


async def over_http():
    """The command with a port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, *COMMAND, "--port", str(port)])
    try:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert server.poll() is None
                assert time.monotonic() < until
                await asyncio.sleep(0.2)
        async with Client(f"http://127.0.0.1:{port}/mcp") as session:
            await check_games(session, [("solo", 0, "greedy")])
    finally:
        server.terminate()
        server.wait()


def main():
    asyncio.run(over_standard_input())
    asyncio.run(in_this_process())
    asyncio.run(over_http())
    print("check_mcp: all passed")


if __name__ == "__main__":
    main()
