"""The games of a vector environment, from its options ``games``, ``board`` and ``difficulty``, which may be lists."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from endeavor_env.basics.inputs import check_names, listed, one_of, positive_weight
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.batch.game_kinds import GAME_CHOICES
from endeavor_env.errors import InvalidOptionError, shown

_KEYS = ("players", "variant", "options", "board", "weight", "exploits")


def kinds_by_board(players: Any, variant: Any, exploits: Any, options: Any, board: Any) -> list[GameConfig]:
    """Return the kinds of game of an environment whose games differ only in their boards."""
    if isinstance(variant, str) and variant == SOLO:
        raise InvalidOptionError(
            f"variant {variant!r} is not possible here: it has no opponents' seats; make EndeavorSolo-v0, which "
            "plays it, mix it with others by the option games, or give standard, soloplay_2, soloplay_3 or neutral_2"
        )
    boards = _one_or_several("board", board)
    return [GameConfig(variant, players, one, options, exploits) for one in boards]


def solo_kinds(difficulty: Any, board: Any, options: Mapping[str, Any], choice: Any) -> list[GameConfig]:
    """Return the solitaire games of one or several difficulties and boards.

    With the choice "row", kind i has the difficulty i and the board i modulo their numbers; otherwise there is a kind
    for each pair.
    """
    difficulties, boards = _one_or_several("difficulty", difficulty), _one_or_several("board", board)
    if one_of("game_choice", choice, GAME_CHOICES) == "row":
        length = math.lcm(len(difficulties), len(boards))
        pairs = [(difficulties[row % len(difficulties)], boards[row % len(boards)]) for row in range(length)]
    else:
        pairs = [(one, other) for one in difficulties for other in boards]
    return [GameConfig(SOLO, board=other, options={"difficulty": one, **options}) for one, other in pairs]


def listed_kinds(games: Any, choice: Any, **others: Any) -> tuple[list[GameConfig], list[float]]:
    """Return the kinds of game in the option ``games``, and their weights.

    Args:
        games: A list, each entry a ``GameConfig``, or a mapping with any of the keys players, variant, exploits,
            options, board and weight.
        choice: The option ``game_choice``; weights need "draw".
        others: The options that ``games`` replaces, as name=(value, value when it is not given).

    Raises:
        InvalidOptionError: Another type, an empty list, an unknown key, a wrong weight, one of the other options given
            as well, or an error of ``GameConfig``.
    """
    for name, (value, default) in others.items():
        if value is not default and value != default:
            raise InvalidOptionError(
                f"{name}={shown(value)} is not possible beside games: its entries say players, "
                "variant, exploits, options and board"
            )
    several = listed(games)
    if not several:
        raise InvalidOptionError(
            f"games={shown(games)} is not possible: give a list of at least one mapping, a kind of game each"
        )
    entries = [_check_entry(game, choice) for game in several]
    return [game for game, _ in entries], [weight for _, weight in entries]


def _check_entry(game: Any, choice: Any) -> tuple[GameConfig, float]:
    """Return one entry of ``games`` as a kind of game with its weight."""
    if isinstance(game, GameConfig):
        return game, 1.0
    if not isinstance(game, Mapping):
        raise InvalidOptionError(f"games has an entry {shown(game)}: give a mapping with any of {', '.join(_KEYS)}")
    check_names("an entry of games", game, _KEYS)
    weight = positive_weight("weight of a game", game.get("weight", 1.0))
    if "weight" in game and one_of("game_choice", choice, GAME_CHOICES) == "row":
        raise InvalidOptionError("the weight of a game is not possible with game_choice='row': it is for 'draw'")
    return GameConfig(**{key: value for key, value in game.items() if key != "weight"}), weight


def _one_or_several(name: str, value: Any) -> list[Any]:
    """Return the entries of a list, or a single value as a list of one; raise InvalidOptionError for an empty list."""
    values = listed(value)
    if values is None:
        return [value]
    if not values:
        raise InvalidOptionError(f"{name}=[] is not possible: give at least one {name}")
    return values
