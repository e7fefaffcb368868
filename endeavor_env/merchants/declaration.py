"""Merchants of Europe as the list of games declares it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from endeavor_env.engine.declaration import (
    DeclaredAgentsEnvironment,
    DeclaredEnvironment,
    GameDeclaration,
    OfferedOption,
    OfferedVariant,
)

if TYPE_CHECKING:
    from pathlib import Path

    from endeavor_env.engine.game import GameConfig
    from endeavor_env.engine.game_rules import GameRules
    from endeavor_env.engine.presenter import Presenter
    from endeavor_env.merchants.game import MerchantsGame

GYMNASIUM_ID = "Merchants-v0"
"""Id of the Gymnasium environments."""

# --- What presets of trainers have for it ----------------------------------------------------------------------------

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
    ((300, "300 rolls"), (150, "150 rolls"), (60, "60 rolls")),
)  # fmt: skip
_AGENTS = (
    ("planner", "plans its turn by simple rules: deliver, else found, drive or build towards a delivery"),
    ("greedy", "tries every move on a copy and takes the one after which its position is worth most"),
    ("tree:sims=2000", "searches by random play behind each move, with hidden cards and dice drawn anew"),
    ("random", "takes any legal move"),
)


class MerchantsDeclaration(GameDeclaration):
    """Merchants of Europe."""

    name, title = "merchants", "Merchants of Europe"
    variants = (
        OfferedVariant(
            "short", "Merchants of Europe, short", "3 or 4 seats; 5 or 6 goods", 3, 4, (_START, _TRADE, _ROLLS)
        ),
        OfferedVariant("expert", "Merchants of Europe, expert", "3 or 4 seats; 8 or 10 goods", 3, 4, (_TRADE, _ROLLS)),
    )
    environments = (
        DeclaredEnvironment(
            GYMNASIUM_ID,
            "endeavor_env.envs.merchants:make_merchants",
            "endeavor_env.envs.merchants:make_merchants_vector",
        ),
    )
    agents_environment = DeclaredAgentsEnvironment(
        "endeavor/merchants-v0", "endeavor_env.merchants_v0:env", "endeavor_env.merchants_v0:parallel_env"
    )
    agents = _AGENTS
    rival = "planner"
    hinting = ("greedy", "planner", "tree:sims=2000")
    presets = PRESETS
    own = {"values": "endeavor_env.training.td.merchants:MerchantsAdapter"}  # noqa: RUF012 (read only)

    @property
    def rules(self) -> GameRules:
        """The game on the short board."""
        from endeavor_env.merchants.board.files import load_board
        from endeavor_env.merchants.game_rules import rules_for

        return rules_for(load_board(self.variants[0].name))

    @property
    def presenter(self) -> Presenter:
        """How positions and moves are shown to people."""
        from endeavor_env.merchants.presenter import MerchantsPresenter

        return MerchantsPresenter()

    def configure(
        self, variant: str | None, players: int | None, board: str | None, options: Mapping[str, Any]
    ) -> GameConfig:
        """Return what is played on a side of the board, or on a board of that side: generated_<number>, or a file."""
        from endeavor_env.basics.inputs import check_names
        from endeavor_env.merchants.game import OPTIONS, MerchantsConfig, board_of

        check_names(self.title, options, OPTIONS)
        return MerchantsConfig(players, board_of(variant, board), **options)

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return whether a record has the format of those of Merchants of Europe."""
        from endeavor_env.merchants.game import FORMAT

        return record.get("format") == FORMAT

    def variant_of(self, record: Mapping[str, Any]) -> str:
        """Return the side of the board."""
        side: str = record["side"]
        return side

    def replay(self, source: str | Path | Mapping[str, Any], board: Any = None) -> MerchantsGame:
        """Return the game of a record; ``board`` is the name or path of one, or its data."""
        from endeavor_env.merchants.board.files import parse_board
        from endeavor_env.merchants.records import replay

        return replay(source, parse_board(board, "of the game") if isinstance(board, Mapping) else board)

    def kept_board(self, game: MerchantsGame) -> dict[str, Any] | None:
        """Return the data of a board that does not come with the package."""
        from endeavor_env.merchants.board.files import board_data, load_board

        board = game.config.board
        return None if board == load_board(board.side) else board_data(board)

    def actions_hash(self, variant: str) -> str:
        """Return the hash of the action ids, which both sides share."""
        import hashlib

        from endeavor_env.merchants.rules.actions import BLOCKS

        text = ";".join(f"{block.name}:{block.counts}:{block.size}" for block in BLOCKS)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def environment_options(self, played: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the arguments of the environment; None for another board than the declared ones."""
        from endeavor_env.merchants.board.files import load_board

        side = played["variant"]
        return {"board": side, **played["options"]} if played["board"] == load_board(side).id else None

    def how_to_play(self) -> str:
        """Return the page that teaches the game; docs/make/how_to_play.py makes it."""
        from importlib import resources  # needed for this alone

        return (resources.files("endeavor_env.merchants") / "how_to_play.html").read_text(encoding="utf-8")


MERCHANTS = MerchantsDeclaration()
"""Merchants of Europe."""
