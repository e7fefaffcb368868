"""Merchants of Europe as a run learns it: see ``endeavor_env.training.td.subject``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.parts import RECORDED
from endeavor_env.engine.network_file import text_digest
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.board import Board, dump_board
from endeavor_env.merchants.config import MerchantsConfig
from endeavor_env.merchants.players.value.networks import PUBLISHED, read_value_network, write_value_network
from endeavor_env.merchants.rules.parts import MERCHANTS, PLAYERS
from endeavor_env.training.td.games import Played, Seated
from endeavor_env.training.td.merchants.games import FACTORS, INPUTS, fixtures_of, play
from endeavor_env.training.td.merchants.population import MerchantsPopulation
from endeavor_env.training.td.settings import Settings


class MerchantsSubject:
    """What runs ask of Merchants of Europe. What is recorded of a position is what a network sees of it."""

    board_type, row_bytes, parts = Board, INPUTS, (MERCHANTS, PLAYERS, RECORDED)
    population = staticmethod(MerchantsPopulation)
    fixtures = staticmethod(fixtures_of)
    read_network = staticmethod(read_value_network)
    write_network = staticmethod(write_value_network)

    def __init__(self, board: Board) -> None:
        """Take the board of all games."""
        self._board = board

    @staticmethod
    def read_board(name: str, variants: Sequence[str]) -> Board:
        """Return the board of a name or path, as the tables of a run have it, the short one for ""."""
        return MerchantsConfig.parse("merchants", {"board": name} if name else {}).map

    @property
    def board_hash(self) -> str:
        """The hash of the board."""
        return text_digest(dump_board(self._board))

    def num_inputs(self, _variant: str) -> int:
        """Return the number of inputs of a network, the same on both sides."""
        return INPUTS

    def play(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, Seated]) -> Played:
        """Play games to their ends."""
        return play(self._board, fixtures, seated)

    def observe(self, rows: npt.NDArray[np.uint8], _seats: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> None:
        """Write what networks see."""
        np.multiply(rows.view(np.int8), FACTORS, out=out)

    def beginning(self, settings: Settings) -> NetworkArrays:
        """Return the network that a run begins with.

        Raises:
            InvalidOptionError: It does not play the side of the board.
            CheckpointError: It is missing, unreadable, cut off or edited, or was made for other layouts.
        """
        name = settings.begin_with
        network = read_value_network(PUBLISHED if name == "value" else name)
        missing = [variant for variant in settings.variants if variant not in network.variants]
        if missing:
            raise InvalidOptionError(
                f"network {name} cannot be the beginning of a run of {', '.join(settings.variants)}: "
                f"it plays {', '.join(network.variants)}"
            )
        return network.arrays
