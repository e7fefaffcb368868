"""The tools as a server of the Model Context Protocol."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from endeavor_env.agents.mcp.tables import GameTools
from endeavor_env.basics.inputs import check_names
from endeavor_env.basics.version import VERSION
from endeavor_env.errors import EndeavorError, InvalidOptionError

INSTRUCTIONS = (
    "The board game Endeavor against agents. Begin with new_game, which tells the rules; then play one legal move at a "
    "time, as verb:target, until the game is over. state, legal_moves, hint and picture change nothing."
)
_LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_PLAYS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


class ToolServer(MCPServer[Any]):
    """A server whose errors are one sentence each."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Return what a tool returns; an error that says what is wrong with the call becomes its result."""
        try:
            for tool in await self.list_tools():
                if tool.name == name:  # the library drops arguments that the tool does not have
                    check_names(f"the tool {name}", arguments, tool.input_schema["properties"])
            return await super().call_tool(name, arguments, context)
        except InvalidOptionError as error:
            sentence: str | None = str(error)
        except ToolError as error:
            sentence = _sentence(error)
            if sentence is None:
                raise
        return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)


def _sentence(error: ToolError) -> str | None:
    """Return what is wrong with a call; None for a fault of the program."""
    cause = error.__cause__
    if isinstance(cause, EndeavorError):
        return str(cause)
    if isinstance(cause, ValidationError):
        first = cause.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error) if cause is None else None


def make_server() -> ToolServer:
    """Return a server with no game yet."""
    tables = GameTools()
    server = ToolServer(
        "endeavor",
        title="Endeavor",
        instructions=INSTRUCTIONS,
        version=VERSION,
        log_level="WARNING",
    )

    def picture(theme: str = "light", table: int | None = None) -> Image:
        return Image(data=tables.picture(theme, table), format="png")

    for tool in (tables.new_game, tables.play):
        server.add_tool(tool, annotations=_PLAYS, structured_output=False)
    for tool in (tables.state, tables.legal_moves, tables.hint):
        server.add_tool(tool, annotations=_LOOKS, structured_output=False)
    server.add_tool(picture, description=GameTools.picture.__doc__, annotations=_LOOKS, structured_output=False)
    return server
