"""``endeavor play``: play in the browser, alone or against agents; other programs can mount the command."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.command_line import (
    BoardName,
    Exploits,
    GameText,
    OptionTexts,
    command_line,
    read_config,
    read_options,
    start,
)
from endeavor_env.agents.games import names_in_game
from endeavor_env.agents.play.advice import USUAL
from endeavor_env.agents.play.endeavor_table import TRUSTED
from endeavor_env.agents.play.server import THEMES, serve
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.play.store import new_session, opened_session
from endeavor_env.agents.registry import NAMES
from endeavor_env.basics.files import read_json_object
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.declaration import GameDeclaration
from endeavor_env.engine.games import default_game, game_in
from endeavor_env.engine.players_info import HUMAN
from endeavor_env.errors import InvalidOptionError, RecordError

SEATS = f'What plays each seat: "human", with a name as in "human:Ada", or an agent: {", ".join(NAMES)}.'
OPPONENT = "greedy"
"""Default agent of the other seats, if no seats are given."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(name="play")
def play(
    seats: Annotated[
        list[str] | None,
        typer.Argument(help=SEATS, show_default=False),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seats", help="The same: --seats human greedy greedy.", show_default=False),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help="standard, exploits, solo, soloplay_2, soloplay_3 or neutral_2.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Draws the set-up; a fresh one if left out.")] = None,
    board: BoardName = None,
    exploits: Exploits = None,
    option: OptionTexts = None,
    game: GameText = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the game of a record or of a kept game, as a new one.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where the games are kept, a file each.")] = Path("games"),
    hint_by: Annotated[str, typer.Option(help="The agent that hints, until the page chooses another.")] = USUAL,
    port: Annotated[int, typer.Option(help="The port on this machine; 0 takes a free one.")] = 0,
    browser: Annotated[
        bool, typer.Option("--open/--no-open", "--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    theme: Annotated[str, typer.Option(help=f"{', '.join(THEMES)}.")] = THEMES[0],
) -> None:
    """Play in the browser, alone or against agents, on a page that only this machine can open.

    Without seats and variant the page begins with the list of games. The solitaire game: --variant solo. Three seats
    against two agents: --seats human greedy greedy. Another game: --game merchants.
    """
    sits = [*(seat or ()), *(seats or ())]
    TRUSTED.update((*sits, hint_by))
    with command_line():
        serve(
            partial(first_session, sits, seed, resume, variant, board, exploits, option, game),
            folder=folder,
            hint_by=hint_by,
            port=port,
            browser=browser,
            theme=theme,
        )


def first_session(
    seats: Sequence[str],
    seed: int | None = None,
    resume: Path | None = None,
    variant: str | None = None,
    board: str | None = None,
    exploits: str | None = None,
    options: Sequence[str] | None = None,
    game: str | None = None,
) -> Session | None:
    """Return the game that begins at once, kept nowhere yet; None if the page begins with the list of games.

    Args:
        seats: "human" or an agent for each seat of the game; if they are left out, a person and agents.
        seed: Draws the set-up.
        resume: A record or session file with which that game goes on, instead of a new one.
        variant: The variant; "solo" for one seat and "standard" for more if left out.
        board: See ``read_config``, as for all that follow.
        exploits: The Exploits.
        options: The options of the variant.
        game: All of this in one text, or another game by its name, as "merchants:variant=expert,trade=bank".

    Raises:
        EndeavorError: The game or an agent is not possible, or there is more than one word on what is played.
    """
    if resume is not None:
        if variant is not None or game is not None or exploits or options or seed is not None:
            raise InvalidOptionError(f"{resume} says what is played: leave out the other options of the game")
        return opened_session(read_json_object(resume, "game", RecordError), str(resume), seats or None)
    other = game_in(game)
    if game is not None and other is not default_game():
        return _session_of_another(other, seats, seed, variant, board, exploits, options, game)
    if not seats and variant is None and game is None:
        if board or exploits or options or seed is not None:
            raise InvalidOptionError("no game is begun: give its seats, such as human greedy greedy, or its --variant")
        return None
    if variant is None:
        variant = SOLO if len(seats) == 1 and game is None else STANDARD
    players = len(seats) or (_fewest_seats(variant) if game is None else None)
    config = read_config(variant, players, board, options, exploits, game)
    return new_session(seats or [HUMAN, *[OPPONENT] * (config.players - 1)], config, seed)


def _session_of_another(
    declared: GameDeclaration,
    seats: Sequence[str],
    seed: int | None,
    variant: str | None,
    board: str | None,
    exploits: str | None,
    options: Sequence[str] | None,
    game: str,
) -> Session:
    """Return a new game of another than the default, as ``--game`` names it: "merchants:variant=expert,players=3"."""
    if exploits:
        raise InvalidOptionError(f"--game {game} has no Exploits: leave out --exploits")
    named = [f"{name}={value}" for name, value in (("variant", variant), ("board", board)) if value is not None]
    besides = {name: str(value) for name, value in read_options([*named, *(options or ())]).items()}
    if seats and "players" not in (*besides, *names_in_game(game)):
        besides["players"] = str(len(seats))
    config = declared.parse(game, besides)
    if seats and config.players != len(seats):
        raise InvalidOptionError(f"players={config.players} does not fit the {len(seats)} seats that are named")
    rivals = [declared.rival] * (config.players - 1)
    return new_session(seats or [HUMAN, *rivals], config, seed)


def _fewest_seats(variant: str) -> int | None:
    """Return the smallest number of seats of a variant; None for an unknown one."""
    known = variant in c.VARIANT_NAMES
    return c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)][0] if known else None


if __name__ == "__main__":
    start(app)
