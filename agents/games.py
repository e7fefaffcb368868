"""What commands, checkpoints and trainers ask of the games in the list: by a text that says what is played, by variant.

The variants of all games have different names, so that a variant alone says which game is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from endeavor_env.endeavor.game import BoardGiven, check_config_alone, given_config
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.games import game_in, game_of, game_of_variant
from endeavor_env.errors import InvalidOptionError, shown


def names_in_game(game: str) -> list[str]:
    """Return what the text of ``--game`` gives a value, by name."""
    return [part.partition("=")[0] for part in game.partition(":")[2].split(",")]


def read_game(text: str, players: int | None = None) -> GameConfig:
    """Return what a text says is played: "merchants:variant=expert,trade=bank", or that of a ``GameConfig``.

    Args:
        text: The text.
        players: Number of seats, which a text that names none leaves open.

    Raises:
        InvalidOptionError: It cannot be read, or names another number of seats.
        InvalidBoardError: A board that cannot be used.
    """
    open_seats = players is not None and "players" not in names_in_game(text)
    config = game_in(text).parse(text, {"players": str(players)} if open_seats else {})
    if players not in (None, config.players):
        raise InvalidOptionError(f"players={players} does not fit {text}, which has {config.players}")
    return config


def config_given(
    config: GameConfig | None,
    variant: str,
    players: int | None,
    board: BoardGiven,
    options: Mapping[str, Any] | None,
    exploits: Sequence[str] | str | None,
) -> GameConfig:
    """Return ``config``, of any game, or without one what the other arguments say of Endeavor.

    Raises:
        InvalidOptionError: Both at once, ``config`` is none, or what is said is not possible.
        InvalidBoardError: A board file with faults, or a board the variant cannot be played on.
    """
    if config is None:
        return given_config(None, variant, players, board, options, exploits)
    if not isinstance(getattr(config, "rules", None), GameRules):
        raise InvalidOptionError(f"config={shown(config)} is not possible: give a GameConfig")
    check_config_alone(variant, None, board, options, exploits)
    return config


def what_is_played(config: GameConfig) -> dict[str, Any]:
    """Return what is played as files of results have it, but for the number of seats."""
    return game_of(config.rules).what_is_played(config)


def config_of(variant: str, players: int | None = None) -> GameConfig:
    """Return what is played of a variant on its usual board with its usual options."""
    return game_of_variant(variant).configure(variant, players, None, {})


def table_sizes_of(config: GameConfig) -> tuple[int, ...]:
    """Return the numbers of seats that the variant of a game takes."""
    least, most = config.rules.variants[config.variant]
    return tuple(range(least, most + 1))


def is_alone(config: GameConfig) -> bool:
    """Return whether a game has one seat, and an opponent without one."""
    return config.players == 1 and config.num_scores > 1


def environment_of(variant: str) -> str:
    """Return the Gymnasium id of the environment for ``variant``; raise InvalidOptionError if there is none."""
    found = game_of_variant(variant).environment_of(variant)
    if found is None:
        raise InvalidOptionError(f"variant {variant!r} has no environment")
    return found


def layout_of(variant: str, observation: str) -> Any:
    """Return the layout of an observation of a variant, "features" or "compact"; it has a ``hash``."""
    return config_of(variant).rules.layout_for(variant, observation)


def layouts_of(variant: str) -> dict[str, str]:
    """Return the hashes of the action and observation layouts of ``variant`` in this version."""
    return {"actions": actions_hash(variant), "features": layout_of(variant, "features").hash}


def sizes_of(variant: str) -> tuple[int, int]:
    """Return the length of the "features" observation of a variant, and its number of action ids."""
    rules = config_of(variant).rules
    return rules.layout_for(variant, "features").size, rules.num_actions(variant)


def actions_hash(variant: str) -> str:
    """Return the hash of a variant's action ids."""
    return game_of_variant(variant).actions_hash(variant)
