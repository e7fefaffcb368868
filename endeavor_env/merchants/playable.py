"""Merchants of Europe as pages, commands and trainers offer it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any, cast

from endeavor_env.engine.game import RailsGame
from endeavor_env.engine.playable import OfferedOption, OfferedVariant, Playable
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.board.generator import generate_board
from endeavor_env.merchants.board.loading import load_board, parse_board
from endeavor_env.merchants.board.writing import board_data
from endeavor_env.merchants.config import MerchantsConfig, read_options
from endeavor_env.merchants.faces import MerchantsFaces
from endeavor_env.merchants.game import FORMAT, MerchantsGame
from endeavor_env.merchants.records import replay
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.actions import BLOCKS

# --- What presets of trainers have for Merchants of Europe, as ``Playable.presets`` takes them -----------------------

_POLICY: dict[str, Any] = {
    "opponents": (("greedy", 0.7), ("random", 0.3)),
    "n_steps": 64,
    "game_options": "max_rolls=100",  # a game with random players would go on three times as long, without a good more
}
_SIDE_BY_SIDE = {"num_envs": 32, "batch_size": 512}
_VALUE: dict[str, Any] = {
    "opponents": (("learner", 0.6), ("greedy", 0.4)),
    "td_lambda": 0.7,
    "first_width": 64,
    "epsilon": 0.04,
    "average": 0.3,
}
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "ppo": {
        "smoke": _POLICY,
        "quick": {**_POLICY, **_SIDE_BY_SIDE, "steps": 196_608},
        "long": {**_POLICY, **_SIDE_BY_SIDE, "steps": 4_000_000},
    },
    "td": {
        "quick": {**_VALUE, "iterations": 60, "games": 400, "warm_up_games": 40_000, "evaluation_games": 400},
        "laptop": {**_VALUE, "iterations": 400, "games": 500, "warm_up_games": 60_000, "evaluation_games": 400},
        "full": {**_VALUE, "iterations": 2000, "games": 500, "warm_up_games": 200_000, "buffer_size": 2_000_000},
    },
}


# --- Merchants of Europe as a page offers it to people ---------------------------------------------------------------

_GENERATED = re.compile(r"generated_([0-9]{1,18})")
_START = OfferedOption(
    "start", "Set-up", "Fixed places as the board names them, or each seat places its own (K3.5).",
    (("fixed", "Fixed"), ("free", "Free")),
)  # fmt: skip
_TRADE = OfferedOption(
    "trade", "Trade", "With players and the reserve, with the reserve alone, or not at all (K5.5).",
    (("offers", "Offers between players"), ("bank", "Reserve only"), ("none", "None")),
)  # fmt: skip
_ROLLS = OfferedOption(
    "max_rolls", "Limit", "The game ends after so many rolls if nobody has won (K10.3).",
    ((c.USUAL_ROLLS, "300 rolls"), (150, "150 rolls"), (60, "60 rolls")),
)  # fmt: skip
_AGENTS = (
    ("planner", "plans its turn by simple rules: deliver, else found, drive or build towards a delivery"),
    ("greedy", "tries every move on a copy and takes the one after which its position is worth most"),
    ("tree:sims=2000", "searches by random play behind each move, with hidden cards and dice drawn anew"),
    ("random", "takes any legal move"),
)


def _configure(variant: str, players: int | None, board: str | None, options: Mapping[str, Any]) -> MerchantsConfig:
    """Return what is played on a side of the board, or on a board of that side: generated_<number>, or a file."""
    if variant not in c.SIDE_NAMES:
        raise InvalidOptionError(f"variant {shown(variant)} is not possible: give {' or '.join(c.SIDE_NAMES)}")
    on = load_board(variant) if board in (None, variant) else _board(str(board), variant)
    if on.side != variant:
        raise InvalidOptionError(f"the board {shown(on.id)} has the side {on.side}, and {variant} is to be played")
    return MerchantsConfig(players, on, **read_options(options))


def _board(name: str, side: str) -> Board:
    """Return the board of a name: generated_<number>, or the path of a file."""
    generated = _GENERATED.fullmatch(name)
    return generate_board(int(generated[1]), side) if generated else load_board(name)


def _replay(record: Mapping[str, Any], board: Any) -> RailsGame:
    """Return the game of a record, on the board of which the data were kept."""
    return replay(record, None if board is None else parse_board(board, "of the game"))


def _kept_board(game: RailsGame) -> dict[str, Any] | None:
    """Return the data of a board that does not come with the package."""
    board = cast(MerchantsGame, game).config.board
    return None if board == load_board(board.side) else board_data(board)


def _board_given(name: str) -> dict[str, Any]:
    """Return the data of the declared board of a side, or of a file."""
    return board_data(load_board(name))


def _actions_hash(_variant: str) -> str:
    """Return the hash of the action ids, which both sides share."""
    text = ";".join(f"{block.name}:{block.counts}:{block.size}" for block in BLOCKS)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _environment_options(played: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of the environment; None for another board than the declared ones."""
    side = played["variant"]
    return {"board": side, **played["options"]} if played["board"] == load_board(side).id else None


def _how_to_play() -> str:
    """Return the page that tells the game; docs/make/how_to_play.py makes it."""
    return (resources.files("endeavor_env.merchants") / "how_to_play.html").read_text(encoding="utf-8")


MERCHANTS = Playable(
    name="merchants",
    faces=MerchantsFaces(),
    variants=(
        OfferedVariant(
            "short", "Merchants of Europe, short", "3 or 4 seats; 5 or 6 goods", c.MIN_SEATS, c.MAX_SEATS,
            (_START, _TRADE, _ROLLS),
        ),
        OfferedVariant(
            "expert", "Merchants of Europe, expert", "3 or 4 seats; 8 or 10 goods", c.MIN_SEATS, c.MAX_SEATS,
            (_TRADE, _ROLLS),
        ),
    ),
    agents=_AGENTS,
    rival="planner",
    hinting=("greedy", "planner", "tree:sims=2000"),
    environment="Merchants-v0",
    parse=MerchantsConfig.parse,
    configure=_configure,
    is_record=lambda record: record.get("format") == FORMAT,
    variant_of=lambda record: record["side"],
    replay=_replay,
    kept_board=_kept_board,
    board_given=_board_given,
    actions_hash=_actions_hash,
    how_to_play=_how_to_play,
    environment_options=_environment_options,
    presets=PRESETS,
)  # fmt: skip
"""Merchants of Europe."""
