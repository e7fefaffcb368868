"""What the page knows of each game in the list: everything else in this package asks for it here."""

from __future__ import annotations

import functools

from endeavor_env.agents.local_page import RefusedError
from endeavor_env.agents.play.game_table import GameTable
from endeavor_env.agents.play.table import Table
from endeavor_env.engine.declaration import GameDeclaration
from endeavor_env.engine.game import Game
from endeavor_env.engine.games import DEFAULT, declaration_of, games
from endeavor_env.errors import shown


@functools.cache
def table_in(game: GameDeclaration) -> Table:
    """Return the table of a game, which is made once."""
    table: Table = game.part("page", GameTable)(game)
    return table


def table_of(game: Game) -> Table:
    """Return the table at which a game is played."""
    return table_in(declaration_of(game))


def table_named(name: object) -> Table:
    """Return the table of a game by its name, the default for None; raise RefusedError if there is none."""
    game = games().get(DEFAULT if name is None else name) if name is None or isinstance(name, str) else None
    if game is None:
        raise RefusedError(400, f"there is no game {shown(name)}: possible are {', '.join(games())}")
    return table_in(game)
