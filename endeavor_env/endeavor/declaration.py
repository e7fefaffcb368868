"""Endeavor as the list of games declares it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from endeavor_env.basics.version import ENVIRONMENT
from endeavor_env.engine.declaration import (
    DeclaredAgentsEnvironment,
    DeclaredEnvironment,
    GameDeclaration,
    OfferedVariant,
)

if TYPE_CHECKING:
    from pathlib import Path

    from endeavor_env.endeavor.game import Game, GameConfig
    from endeavor_env.engine.game_rules import GameRules

GYMNASIUM_ID, GYMNASIUM_SOLO_ID, PETTINGZOO_ID = ENVIRONMENT, "EndeavorSolo-v0", "endeavor/endeavor-v0"
"""Ids of the environments: of Gymnasium, of Gymnasium for the solitaire game, and of PettingZoo."""
AGENTS = (
    ("search", "searches with a value network: the strongest"),
    ("search:ms=1000", "the same, one second per decision"),
    ("lookahead", "searches without a network"),
    ("value", "evaluates positions with a network"),
    ("policy", "chooses moves with a network"),
    ("greedy", "picks the turn that scores best on a quick estimate"),
    ("automa", "follows the priority list of the Opposition"),
    ("random", "plays any legal move"),
)
_SOLO_ONLY = ("solo",)


class EndeavorDeclaration(GameDeclaration):
    """Endeavor. Its texts begin with the name of a variant: "solo:difficulty=harder"."""

    name, title = "endeavor", "Endeavor"
    variants = (
        OfferedVariant("standard", "Base game", "3 to 5 seats", 3, 5),
        OfferedVariant("solo", "Solitaire", "alone against the Opposition", 1, 1),
        OfferedVariant("soloplay_2", "Two players with neutral discs", "tokens leave the board in set-up", 2, 2),
        OfferedVariant("soloplay_3", "Three players with neutral discs", "tokens leave the board in set-up", 3, 3),
        OfferedVariant("neutral_2", "Two players, two colours each", "each places neutral discs as well", 2, 2),
        OfferedVariant("exploits", "Base game with Exploits", "3 to 5 seats, Exploits of Age of Sail", 3, 5),
    )
    environments = (
        DeclaredEnvironment(
            GYMNASIUM_ID,
            "endeavor_env.envs.endeavor:make_endeavor",
            "endeavor_env.envs.endeavor:make_endeavor_vector",
        ),
        DeclaredEnvironment(
            GYMNASIUM_SOLO_ID,
            "endeavor_env.envs.endeavor:make_endeavor_solo",
            "endeavor_env.envs.endeavor:make_endeavor_solo_vector",
            _SOLO_ONLY,
        ),
    )
    agents_environment = DeclaredAgentsEnvironment(
        PETTINGZOO_ID, "endeavor_env.endeavor_v0:env", "endeavor_env.endeavor_v0:parallel_env"
    )
    agents = AGENTS
    rival = "greedy"
    hinting = ("search", "value", "policy")
    own = {  # noqa: RUF012 (read only)
        "agent": "endeavor_env.agents.registry:make_endeavor_agent",
        "player": "endeavor_env.agents.registry:player_named",
        "page": "endeavor_env.agents.play.endeavor_table:EndeavorTable",
        "view": "endeavor_env.cli.endeavor_view:EndeavorView",
        "frames": "endeavor_env.web.frames:EndeavorFrames",
        "values": "endeavor_env.training.td.adapter:EndeavorAdapter",
    }
    policies_in_kernels = notes = True

    @property
    def rules(self) -> GameRules:
        """The game as the engine plays it."""
        from endeavor_env.endeavor.game_rules import ENDEAVOR

        return ENDEAVOR

    # --- what is played ----------------------------------------------------------------------------------------------
    def begins(self, head: str) -> bool:
        """Return whether texts begin so: with the name of a variant."""
        return any(variant.name == head for variant in self.variants)

    def text(self, variant: str, options: str = "") -> str:
        """Return the text of a variant with options."""
        return f"{variant}:{options}" if options else variant

    def parse(self, text: str, besides: Mapping[str, str]) -> GameConfig:
        """Return what a text such as "solo:difficulty=harder" says."""
        from endeavor_env.endeavor.game import GameConfig

        for name, value in besides.items():
            text += f"{',' if ':' in text else ':'}{name}={value}"
        return GameConfig.parse(text)

    def configure(
        self, variant: str | None, players: int | None, board: str | None, options: Mapping[str, Any]
    ) -> GameConfig:
        """Return what is played."""
        from endeavor_env.endeavor.game import STANDARD, GameConfig

        return GameConfig(variant or STANDARD, players, board, options)

    def what_is_played(self, config: GameConfig) -> dict[str, Any]:
        """Return what is played as files of results have it: Exploits are None where there are none."""
        plain = config.to_dict()
        named = {name: plain[name] for name in ("board", "board_hash", "variant", "options")}
        return {**named, "exploits": plain["exploits"] or None}

    def named_parts(self, config: GameConfig) -> dict[str, Any]:
        """Return what is played as cards of datasets have it."""
        return config.to_dict()

    def headline(self, config: GameConfig) -> str:
        """Return variant and Exploits if it is not the base game, and the board."""
        return "".join(self.headline_parts(config))

    def headline_parts(self, config: GameConfig) -> tuple[str, str]:
        """Return variant and Exploits, which the base game has not, and the board."""
        named = isinstance(config.exploits, tuple) and config.exploits
        of = f" of {config.variant}" + (f" ({', '.join(config.exploits)})" if named else "")
        return "" if config.variant == self.variants[0].name else of, f" on {config.board.id}"

    def rounds(self, config: GameConfig) -> int:
        """Return the number of rounds of the board."""
        return int(config.board.array["num_rounds"][0])

    def round_of(self, game: Game) -> int:
        """Return the round, 0 in the set-up."""
        return game.round

    # --- records -----------------------------------------------------------------------------------------------------
    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return whether a record has the format of Endeavor's."""
        from endeavor_env.endeavor.game import FORMAT

        return record.get("format") == FORMAT

    def variant_of(self, record: Mapping[str, Any]) -> str:
        """Return the variant of a record; "exploits" with any of them in play."""
        variant: str = record["variant"]
        return "exploits" if record["exploits"] else variant

    def replay(self, source: str | Path | Mapping[str, Any], board: Any = None) -> Game:
        """Return the game of a record; ``board`` is the name or path of one, or its data."""
        from endeavor_env.endeavor.board import Board
        from endeavor_env.endeavor.records import replay

        return replay(source, Board.from_dict(board) if isinstance(board, Mapping) else board)

    def kept_board(self, game: Game) -> dict[str, Any] | None:
        """Return a board that comes neither with the package nor from the generator."""
        from endeavor_env.endeavor.board import Board

        known = game.board == Board.default() or re.fullmatch(r"generated_\d+", game.board.id)
        return None if known else game.board.to_dict()

    def environment_in_records(self, variant: str) -> str:
        """Return the id of the environment of the base game, which has the version of all variants."""
        return GYMNASIUM_ID

    # --- networks and people -----------------------------------------------------------------------------------------
    def actions_hash(self, variant: str) -> str:
        """Return the hash of the action ids of a variant."""
        from endeavor_env.endeavor.rules.actions import layout_hash

        return layout_hash(variant)

    def how_to_play(self) -> str:
        """Return the page that teaches the game; docs/make/how_to_play.py makes it."""
        from importlib import resources  # needed for this alone

        return (resources.files("endeavor_env.agents.play") / "how_to_play.html").read_text(encoding="utf-8")


ENDEAVOR = EndeavorDeclaration()
"""Endeavor."""
