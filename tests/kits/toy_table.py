"""The toy game as a page offers it to people."""

from __future__ import annotations

from endeavor_env.agents.play.rails_table import RailsTable
from endeavor_env.engine.game import FORMAT, RailsConfig
from endeavor_env.engine.playable import OfferedVariant, Playable
from endeavor_env.engine.records import replay
from tests.kits.toy_game import SEATS, TOY_GAME

TOY = Playable(
    name="toy",
    faces=TOY_GAME.faces,
    variants=(OfferedVariant("toy", "Dice and cards", "three seats", SEATS, SEATS),),
    agents=(("random", "takes any legal move"),),
    rival="random",
    hinting=("tree:sims=50", "random"),
    environment=None,
    parse=lambda text, besides: RailsConfig(TOY_GAME),
    configure=lambda variant, players, board, options: RailsConfig(TOY_GAME, players, variant),
    is_record=lambda record: record.get("format") == FORMAT and record.get("game") == "toy",
    variant_of=lambda record: record["variant"],
    replay=lambda record, board: replay(record, TOY_GAME),
    kept_board=lambda game: None,
    board_given=lambda name: None,
    actions_hash=lambda variant: "0" * 16,
)
TOY_TABLE = RailsTable(TOY)
